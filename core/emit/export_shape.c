/* Shapes, indexing and products in C.
 *
 * Invariant: elements lie in row-major order, as here; what only renames axes costs nothing. */
#include "emit/export_write.h"
#include "ops/ops.h"

CValue *failing(CWriter *w, const char *condition, const char *message)
{
    line(w, "if (%s) {", condition);
    line(w, "    error = \"%s\";", message);
    line(w, "    goto end;");
    line(w, "}");
    return NULL;
}

/* An operand that is a size, as one word. */
static const char *size_word(CWriter *w, CScope *s, Node *n)
{
    CValue *v = need(w, s, n);
    i64 k;
    if (node_const_i64(n, &k))
        return word(w, "%lld", (long long)k);
    if (v->prec == PREC_ATOM && !strchr(v->text, '('))
        return v->text;
    const char *name = name_for(w, s, n);
    line(w, "const i64 %s = %s;", name, v->text);
    bind(s, n, scalar_value(w, DT_I64, name, PREC_ATOM));
    return name;
}

static bool is_number(const char *text) { return strspn(text, "0123456789") == strlen(text); }

/* The same elements under other dims. */
static CValue *renamed(CWriter *w, const CValue *x, int rank, const char *const *dims)
{
    CValue *v = value_new_c(w, x->dtype, rank);
    *v = *x;
    v->rank = rank;
    if (!rank && x->rank && !x->element)
        v->text = word(w, "%s[0]", x->text);
    if (rank && !x->rank)
        v->element = true;
    v->element = rank ? v->element : false;
    memset(v->dim, 0, sizeof v->dim);
    for (int a = 0; a < rank; a++)
        v->dim[a] = dims[a];
    return v;
}

static CValue *reshape(CWriter *w, CScope *s, Node *n)
{
    const char *dims[MAX_RANK];
    CValue *x = n->type->rank ? need(w, s, n->ops[0]) : need_array(w, s, n->ops[0]);
    for (u32 k = 1; k < n->nops; k++)
        dims[k - 1] = size_word(w, s, n->ops[k]);
    CValue *v = renamed(w, x, (int)n->nops - 1, dims);
    const char *before = count_of(w, x, 0, x->rank), *after = count_of(w, v, 0, v->rank);
    if (strcmp(before, after))
        failing(w, word(w, "%s != %s", before, after), "reshape: the element counts differ");
    return v;
}

static bool holds(const IntList *axes, int axis)
{
    for (u32 k = 0; k < axes->n; k++)
        if (axes->at[k] == axis)
            return true;
    return false;
}

static CValue *expand_dims(CWriter *w, CScope *s, Node *n)
{
    CValue *x = need(w, s, n->ops[0]);
    const char *dims[MAX_RANK];
    int from = 0;
    for (int a = 0; a < n->type->rank; a++)
        dims[a] = holds(n->attrs[0].ints, a) ? "1" : x->dim[from++];
    return renamed(w, x, n->type->rank, dims);
}

static CValue *squeeze(CWriter *w, CScope *s, Node *n)
{
    CValue *x = n->type->rank ? need(w, s, n->ops[0]) : need_array(w, s, n->ops[0]);
    const char *dims[MAX_RANK];
    int rank = 0;
    for (int a = 0; a < x->rank; a++)
        if (!holds(n->attrs[0].ints, a))
            dims[rank++] = x->dim[a];
        else if (strcmp(x->dim[a], "1"))
            failing(w, word(w, "%s != 1", x->dim[a]), "squeeze: an axis has a length other than 1");
    return renamed(w, x, rank, dims);
}

/* ---- loops over all elements of the result ---- */

/* for (i0 ..) for (i1 ..) { .. }: the place in the result is counted by `i`. */
static void loops_begin(CWriter *w, const CValue *y)
{
    line(w, "for (i64 i = 0, i0 = 0; i0 < %s; i0++) {", y->rank ? y->dim[0] : "1");
    w->depth++;
    for (int a = 1; a < y->rank; a++) {
        line(w, "for (i64 i%d = 0; i%d < %s; i%d++) {", a, a, y->dim[a], a);
        w->depth++;
    }
}

static void loops_end(CWriter *w, const CValue *y)
{
    for (int a = 0; a < (y->rank ? y->rank : 1); a++)
        close_brace(w, "");
}

const char *place_in(CWriter *w, const CValue *x, const char *const *at)
{
    const char *place = x->rank ? at[0] : "0";
    for (int a = 1; a < x->rank; a++)
        place =
            word(w, "%s * %s + %s", wrapped(w, place, a > 1 ? PREC_SUM : PREC_ATOM, PREC_PRODUCT),
                 x->dim[a], at[a]);
    return place;
}

static CValue *broadcast(CWriter *w, CScope *s, Node *n)
{
    const char *dims[MAX_RANK], *at[MAX_RANK];
    CValue *x = need(w, s, n->ops[0]);
    for (u32 k = 1; k < n->nops; k++) {
        dims[k - 1] = size_word(w, s, n->ops[k]);
        if (!cannot_fail(w, n) && !is_number(dims[k - 1]))
            failing(w, word(w, "%s < 0", dims[k - 1]), "a size is negative");
    }
    if (!x->rank) { /* a number everywhere */
        if (x->prec != PREC_ATOM || strchr(x->text, '(')) {
            const char *name = name_for(w, s, n->ops[0]);
            line(w, "const %s %s = %s;", c_type(x->dtype), name, x->text);
            x = scalar_value(w, x->dtype, name, PREC_ATOM);
            bind(s, n->ops[0], x);
        }
        return renamed(w, x, n->type->rank, dims);
    }
    x = need_array(w, s, n->ops[0]);
    for (int a = 0; a < x->rank; a++) {
        const char *to = dims[n->attrs[0].ints->at[a]];
        at[a] = !strcmp(x->dim[a], "1") ? "0" : word(w, "i%d", (int)n->attrs[0].ints->at[a]);
        if (strcmp(x->dim[a], "1") && strcmp(x->dim[a], to))
            failing(w, word(w, "%s != %s", x->dim[a], to), "shapes do not match");
    }
    CValue *y = array_value(w, s, n, x->dtype, n->type->rank, dims);
    loops_begin(w, y);
    line(w, "%s[i++] = %s[%s];", y->text, x->text, place_in(w, x, at));
    loops_end(w, y);
    return y;
}

static CValue *transpose(CWriter *w, CScope *s, Node *n)
{
    const char *dims[MAX_RANK], *at[MAX_RANK];
    CValue *x = need_array(w, s, n->ops[0]);
    for (int a = 0; a < x->rank; a++) {
        int from = (int)n->attrs[0].ints->at[a];
        dims[a] = x->dim[from];
        at[from] = word(w, "i%d", a);
    }
    CValue *y = array_value(w, s, n, x->dtype, x->rank, dims);
    loops_begin(w, y);
    line(w, "%s[i++] = %s[%s];", y->text, x->text, place_in(w, x, at));
    loops_end(w, y);
    return y;
}

static CValue *flip(CWriter *w, CScope *s, Node *n)
{
    const char *at[MAX_RANK];
    CValue *x = need_array(w, s, n->ops[0]);
    for (int a = 0; a < x->rank; a++)
        at[a] = holds(n->attrs[0].ints, a)
                    ? wrapped(w, word(w, "%s - 1 - i%d", x->dim[a], a), PREC_SUM, PREC_ATOM)
                    : word(w, "i%d", a);
    CValue *y = array_value(w, s, n, x->dtype, x->rank, x->dim);
    loops_begin(w, y);
    line(w, "%s[i++] = %s[%s];", y->text, x->text, place_in(w, x, at));
    loops_end(w, y);
    return y;
}

static CValue *triangle(CWriter *w, CScope *s, Node *n)
{
    CValue *x = need_array(w, s, n->ops[0]);
    CValue *y = array_value(w, s, n, x->dtype, x->rank, x->dim);
    loops_begin(w, y);
    line(w, "%s[i] = i%d - i%d %s %lld ? %s[i] : 0;", y->text, x->rank - 1, x->rank - 2,
         n->attrs[0].i ? "<=" : ">=", (long long)n->attrs[1].i, x->text);
    line(w, "i++;");
    loops_end(w, y);
    return y;
}

static CValue *concat(CWriter *w, CScope *s, Node *n)
{
    int axis = (int)n->attrs[0].i;
    const char *dims[MAX_RANK];
    Text sum = {0};
    CValue **part = arena_alloc(&w->arena, n->nops * sizeof *part);
    i64 k = 0;
    bool fixed = size_is_const(n->type->dims[axis], &k);
    for (u32 i = 0; i < n->nops; i++) {
        part[i] = need_array(w, s, n->ops[i]);
        text_printf(&sum, "%s%s", i ? " + " : "", part[i]->dim[axis]);
    }
    memcpy(dims, part[0]->dim, sizeof dims);
    dims[axis] = fixed ? word(w, "%lld", (long long)k)
                       : wrapped(w, word(w, "%s", text_str(&sum)),
                                 n->nops > 1 ? PREC_SUM : PREC_ATOM, PREC_ATOM);
    text_free(&sum);
    CValue *y = array_value(w, s, n, part[0]->dtype, n->type->rank, dims);
    const char *outer = count_of(w, y, 0, axis), *row = count_of(w, y, axis, y->rank);
    const char *from = "0";
    for (u32 i = 0; i < n->nops; i++) {
        const char *length = count_of(w, part[i], axis, y->rank);
        if (!strcmp(outer, "1")) {
            line(w, "memcpy(%s%s, %s, %s);", y->text, i ? word(w, " + %s", from) : "",
                 part[i]->text, bytes_of_array(w, part[i], 0));
        } else {
            line(w, "for (i64 o = 0; o < %s; o++)", outer);
            line(w, "    memcpy(%s + o * %s + %s, %s + o * %s, (size_t)(%s) * sizeof *%s);",
                 y->text, row, from, part[i]->text, length, length, y->text);
        }
        from = i ? word(w, "%s + %s", from, length) : length;
    }
    return y;
}

static CValue *iota(CWriter *w, CScope *s, Node *n)
{
    const char *length = size_word(w, s, n->ops[0]);
    if (!cannot_fail(w, n) && !is_number(length))
        failing(w, word(w, "%s < 0", length), "a size is negative");
    CValue *v = value_new_c(w, DT_I64, 1);
    v->element = true;
    v->text = "i";
    v->dim[0] = length;
    return v;
}

/* ---- parts ---- */

/* A position along an axis, from the end if it is negative, as one word. */
static const char *position(CWriter *w, CScope *s, Node *at, const char *length, bool safe)
{
    i64 k;
    if (node_const_i64(at, &k) && k >= 0) {
        char *end;
        long long n = strtoll(length, &end, 10);
        if (!safe && (*end || k >= n))
            failing(w, word(w, "%lld >= %s", (long long)k, length), "an index is out of range");
        return word(w, "%lld", (long long)k);
    }
    const char *name = fresh_name(w, "at");
    CValue *v = need(w, s, at);
    line(w, "i64 %s = %s;", name, v->text);
    line(w, "%s += %s < 0 ? %s : 0;", name, name, length);
    if (!safe)
        failing(w, word(w, "%s < 0 || %s >= %s", name, name, length), "an index is out of range");
    return name;
}

static const char *times(CWriter *w, const char *a, const char *b)
{
    return !strcmp(b, "1") ? a : !strcmp(a, "0") ? a : word(w, "%s * %s", a, b);
}

static CValue *index_part(CWriter *w, CScope *s, Node *n)
{
    int axis = (int)n->attrs[0].i;
    CValue *x = need_array(w, s, n->ops[0]);
    const char *at = position(w, s, n->ops[1], x->dim[axis], cannot_fail(w, n)), *dims[MAX_RANK];
    const char *inner = count_of(w, x, axis + 1, x->rank), *outer = count_of(w, x, 0, axis);
    int rank = 0;
    for (int a = 0; a < x->rank; a++)
        if (a != axis)
            dims[rank++] = x->dim[a];
    if (!rank)
        return scalar_value(w, x->dtype, word(w, "%s[%s]", x->text, at), PREC_ATOM);
    if (axis == 0) { /* it lies there already */
        CValue *v = value_new_c(w, x->dtype, rank);
        memcpy(v->dim, dims, sizeof dims);
        v->text = name_for(w, s, n);
        line(w, "const %s *const %s = %s + %s;", c_type(x->dtype), v->text, x->text,
             times(w, at, inner));
        return v;
    }
    CValue *y = array_value(w, s, n, x->dtype, rank, dims);
    line(w, "for (i64 o = 0; o < %s; o++)", outer);
    line(w, "    for (i64 j = 0; j < %s; j++)", inner);
    line(w, "        %s[o * %s + j] = %s[(o * %s + %s) * %s + j];", y->text, inner, x->text,
         x->dim[axis], at, inner);
    return y;
}

static CValue *slice_part(CWriter *w, CScope *s, Node *n)
{
    int axis = (int)n->attrs[0].i;
    i64 step = n->attrs[1].i;
    CValue *x = need_array(w, s, n->ops[0]);
    const char *start = size_word(w, s, n->ops[1]), *length = size_word(w, s, n->ops[2]);
    const char *dims[MAX_RANK], *inner = count_of(w, x, axis + 1, x->rank),
                                *outer = count_of(w, x, 0, axis);
    const char *last = step == 1 ? word(w, "%s + %s", start, length)
                                 : word(w, "%s + (%s - 1) * %lld", start, length, (long long)step);
    bool certain = cannot_fail(w, n);
    if (!certain && step == 1)
        failing(w, word(w, "%s < 0 || %s < 0 || %s > %s", start, length, last, x->dim[axis]),
                "a slice is out of range");
    else if (!certain)
        failing(w,
                word(w, "%s < 0 || (%s > 0 && (%s >= %s || %s < 0 || %s >= %s))", length, length,
                     start, x->dim[axis], start, last, x->dim[axis]),
                "a slice is out of range");
    memcpy(dims, x->dim, sizeof dims);
    dims[axis] = length;
    if (axis == 0 && step == 1) {
        CValue *v = value_new_c(w, x->dtype, x->rank);
        memcpy(v->dim, dims, sizeof dims);
        v->text = name_for(w, s, n);
        line(w, "const %s *const %s = %s + %s;", c_type(x->dtype), v->text, x->text,
             times(w, start, inner));
        return v;
    }
    CValue *y = array_value(w, s, n, x->dtype, x->rank, dims);
    line(w, "for (i64 o = 0; o < %s; o++)", outer);
    line(w, "    for (i64 k = 0; k < %s; k++)", length);
    line(w, "        for (i64 j = 0; j < %s; j++)", inner);
    line(w, "            %s[(o * %s + k) * %s + j] = %s[(o * %s + %s + k * %lld) * %s + j];",
         y->text, length, inner, x->text, x->dim[axis], start, (long long)step, inner);
    return y;
}

/* The positions of a gather or scatter, checked, in the innermost loop over k. */
static void position_of_k(CWriter *w, const CValue *at, const char *length)
{
    line(w, "i64 at_ = %s[k];", at->text);
    line(w, "at_ += at_ < 0 ? %s : 0;", length);
    failing(w, word(w, "at_ < 0 || at_ >= %s", length), "an index is out of range");
}

static CValue *gather(CWriter *w, CScope *s, Node *n)
{
    int axis = (int)n->attrs[0].i, rank = 0;
    CValue *x = need_array(w, s, n->ops[0]), *at = need_array(w, s, n->ops[1]);
    const char *dims[MAX_RANK], *inner = count_of(w, x, axis + 1, x->rank),
                                *count = count_of(w, at, 0, at->rank);
    for (int a = 0; a < axis; a++)
        dims[rank++] = x->dim[a];
    for (int a = 0; a < at->rank; a++)
        dims[rank++] = at->dim[a];
    for (int a = axis + 1; a < x->rank; a++)
        dims[rank++] = x->dim[a];
    CValue *y = array_value(w, s, n, x->dtype, rank, dims);
    line(w, "for (i64 o = 0; o < %s; o++)", count_of(w, x, 0, axis));
    line(w, "    for (i64 k = 0; k < %s; k++) {", count);
    w->depth += 2;
    position_of_k(w, at, x->dim[axis]);
    line(w, "for (i64 j = 0; j < %s; j++)", inner);
    line(w, "    %s[(o * %s + k) * %s + j] = %s[(o * %s + at_) * %s + j];", y->text, count, inner,
         x->text, x->dim[axis], inner);
    w->depth--;
    close_brace(w, "");
    w->depth++, w->depth--;
    return y;
}

static CValue *copy_of(CWriter *w, CScope *s, Node *n, const CValue *x)
{
    CValue *y = array_value(w, s, n, x->dtype, x->rank, x->dim);
    line(w, "memcpy(%s, %s, %s);", y->text, x->text, bytes_of_array(w, y, 0));
    return y;
}

static const char *mode_sign(CWriter *w, const Node *n, i64 mode)
{
    if (mode > STORE_ADD)
        cannot(w, n, "an update that keeps the maximum or minimum");
    return mode == STORE_SET ? "=" : "+=";
}

static CValue *set_index(CWriter *w, CScope *s, Node *n)
{
    int axis = (int)n->attrs[0].i;
    CValue *x = need_array(w, s, n->ops[0]);
    const char *at = position(w, s, n->ops[1], x->dim[axis], cannot_fail(w, n));
    CValue *v = need_array(w, s, n->ops[2]), *y = copy_of(w, s, n, x);
    const char *inner = count_of(w, x, axis + 1, x->rank), *sign = mode_sign(w, n, n->attrs[1].i);
    if (x->rank == 1) {
        line(w, "%s[%s] %s %s;", y->text, at, sign, v->text);
        return y;
    }
    const char *from = v->rank ? word(w, "%s[o * %s + j]", v->text, inner)
                               : wrapped(w, v->text, v->prec, PREC_ATOM);
    line(w, "for (i64 o = 0; o < %s; o++)", count_of(w, x, 0, axis));
    line(w, "    for (i64 j = 0; j < %s; j++)", inner);
    line(w, "        %s[(o * %s + %s) * %s + j] %s %s;", y->text, x->dim[axis], at, inner, sign,
         from);
    return y;
}

static CValue *set_slice(CWriter *w, CScope *s, Node *n)
{
    int axis = (int)n->attrs[0].i;
    long long step = n->attrs[1].i;
    CValue *x = need_array(w, s, n->ops[0]), *v = need_array(w, s, n->ops[2]);
    const char *start = size_word(w, s, n->ops[1]), *length = v->dim[axis];
    CValue *y = copy_of(w, s, n, x);
    const char *inner = count_of(w, x, axis + 1, x->rank);
    failing(w,
            word(w,
                 "%s > 0 && (%s < 0 || %s >= %s || %s + (%s - 1) * %lld < 0 || %s + (%s - 1) * "
                 "%lld >= %s)",
                 length, start, start, x->dim[axis], start, length, step, start, length, step,
                 x->dim[axis]),
            "a slice is out of range");
    line(w, "for (i64 o = 0; o < %s; o++)", count_of(w, x, 0, axis));
    line(w, "    for (i64 k = 0; k < %s; k++)", length);
    line(w, "        for (i64 j = 0; j < %s; j++)", inner);
    line(w, "            %s[(o * %s + %s + k * %lld) * %s + j] %s %s[(o * %s + k) * %s + j];",
         y->text, x->dim[axis], start, step, inner, mode_sign(w, n, n->attrs[2].i), v->text, length,
         inner);
    return y;
}

static CValue *scatter(CWriter *w, CScope *s, Node *n)
{
    int axis = (int)n->attrs[0].i;
    CValue *x = need_array(w, s, n->ops[0]), *at = need_array(w, s, n->ops[1]),
           *v = need_array(w, s, n->ops[2]);
    const char *inner = count_of(w, x, axis + 1, x->rank), *count = count_of(w, at, 0, at->rank);
    CValue *y = copy_of(w, s, n, x);
    const char *from = v->rank ? word(w, "%s[(o * %s + k) * %s + j]", v->text, count, inner)
                               : wrapped(w, v->text, v->prec, PREC_ATOM);
    line(w, "for (i64 o = 0; o < %s; o++)", count_of(w, x, 0, axis));
    line(w, "    for (i64 k = 0; k < %s; k++) {", count);
    w->depth += 2;
    position_of_k(w, at, x->dim[axis]);
    line(w, "for (i64 j = 0; j < %s; j++)", inner);
    line(w, "    %s[(o * %s + at_) * %s + j] %s %s;", y->text, x->dim[axis], inner,
         mode_sign(w, n, n->attrs[1].i), from);
    w->depth--;
    close_brace(w, "");
    return y;
}

/* ---- products ---- */

/* sizes: m, k, n of each of the products. */
static CValue *product_by_blas(CWriter *w, const CValue *a, const CValue *b, CValue *y,
                               const char *many, const char *const *sizes)
{
    const char *helper = y->dtype == DT_F32 ? "product_f32" : "product_f64";
    const char *skip_a = a->rank > 2 ? word(w, "%s * %s", sizes[0], sizes[1]) : "0";
    const char *skip_b = b->rank > 2 ? word(w, "%s * %s", sizes[1], sizes[2]) : "0";
    use_helper(w, helper);
    failing(w,
            word(w, "!%s(%s, %s, %s, %s, %s, %s, %s, %s, %s)", helper, many, sizes[0], sizes[1],
                 sizes[2], skip_a, skip_b, a->text, b->text, y->text),
            "a matrix is too large for BLAS");
    return y;
}

/* (.., m, k) @ (.., k, n), the same batch on both sides or on one; vectors as in NumPy. */
static CValue *matmul(CWriter *w, CScope *s, Node *n)
{
    CValue *a = need_array(w, s, n->ops[0]), *b = need_array(w, s, n->ops[1]);
    int batch = n->type->rank - (a->rank > 1) - (b->rank > 1), rank = 0;
    const CValue *many_of = a->rank > 2 ? a : b;
    const char *dims[MAX_RANK], *k = a->dim[a->rank - 1];
    for (; rank < batch; rank++) {
        if (a->rank == b->rank && strcmp(a->dim[rank], b->dim[rank]))
            failing(w, word(w, "%s != %s", a->dim[rank], b->dim[rank]), "shapes do not match");
        dims[rank] = many_of->dim[rank];
    }
    const char *rows = a->rank > 1 ? a->dim[a->rank - 2] : "1",
               *columns = b->rank > 1 ? b->dim[b->rank - 1] : "1";
    const char *below = b->dim[b->rank > 1 ? b->rank - 2 : 0];
    if (strcmp(k, below))
        failing(w, word(w, "%s != %s", k, below), "shapes do not match");
    if (a->rank > 1)
        dims[rank++] = rows;
    if (b->rank > 1)
        dims[rank++] = columns;
    const char *type = c_type(node_dtype(n));
    if (!rank) { /* a dot product */
        const char *name = name_for(w, s, n);
        line(w, "%s %s = 0;", type, name);
        line(w, "for (i64 k = 0; k < %s; k++)", k);
        line(w, "    %s += %s[k] * %s[k];", name, a->text, b->text);
        return scalar_value(w, node_dtype(n), name, PREC_ATOM);
    }
    CValue *y = array_value(w, s, n, node_dtype(n), rank, dims);
    const char *many = count_of(w, y, 0, batch);
    if (w->x->blas && dtype_is_float(node_dtype(n)))
        return product_by_blas(w, a, b, y, many, (const char *[]){rows, k, columns});
    line(w, "memset(%s, 0, %s);", y->text, bytes_of_array(w, y, 0));
    const char *oa = "", *ob = "", *oy = "";
    if (batch) {
        line(w, "for (i64 o = 0; o < %s; o++)", many);
        w->depth++;
        oa = a->rank > 2 ? word(w, "o * %s * %s + ", rows, k) : "";
        ob = b->rank > 2 ? word(w, "o * %s * %s + ", k, columns) : "";
        oy = word(w, "o * %s * %s + ", rows, columns);
    }
    const char *yi = a->rank > 1
                         ? (b->rank > 1 ? word(w, "%si * %s + j", oy, columns) : word(w, "%si", oy))
                         : word(w, "%sj", oy);
    const char *ai = a->rank > 1 ? word(w, "%si * %s + k", oa, k) : "k";
    const char *bi = b->rank > 1 ? word(w, "%sk * %s + j", ob, columns) : "k";
    int depth = w->depth;
    if (a->rank > 1) {
        line(w, "for (i64 i = 0; i < %s; i++)", rows);
        w->depth++;
    }
    line(w, "for (i64 k = 0; k < %s; k++)", k);
    w->depth++;
    if (b->rank > 1) {
        line(w, "for (i64 j = 0; j < %s; j++)", columns);
        w->depth++;
    }
    line(w, "%s[%s] += %s[%s] * %s[%s];", y->text, yi, a->text, ai, b->text, bi);
    w->depth = depth;
    w->depth -= batch > 0;
    return y;
}

CValue *write_shape(CWriter *w, CScope *s, Node *n)
{
    switch (n->op) {
    case OP_DIM:
        return scalar_value(w, DT_I64, need(w, s, n->ops[0])->dim[n->attrs[0].i], PREC_ATOM);
    case OP_MATCH_SHAPE: {
        CValue *x = need(w, s, n->ops[0]), *like = need(w, s, n->ops[1]);
        for (int a = 0; a < x->rank; a++)
            if (strcmp(x->dim[a], like->dim[a]))
                failing(w, word(w, "%s != %s", x->dim[a], like->dim[a]), "shapes do not match");
        return x;
    }
    case OP_RESHAPE: return reshape(w, s, n);
    case OP_EXPAND_DIMS: return expand_dims(w, s, n);
    case OP_SQUEEZE: return squeeze(w, s, n);
    case OP_BROADCAST: return broadcast(w, s, n);
    case OP_TRANSPOSE: return transpose(w, s, n);
    case OP_FLIP: return flip(w, s, n);
    case OP_TRIANGLE: return triangle(w, s, n);
    case OP_CONCAT: return concat(w, s, n);
    case OP_IOTA: return iota(w, s, n);
    case OP_INDEX: return index_part(w, s, n);
    case OP_SLICE: return slice_part(w, s, n);
    case OP_GATHER: return gather(w, s, n);
    case OP_SET_INDEX: return set_index(w, s, n);
    case OP_SET_SLICE: return set_slice(w, s, n);
    case OP_SCATTER: return scatter(w, s, n);
    case OP_MATMUL: return matmul(w, s, n);
    case OP_CHOLESKY:
    case OP_SOLVE:
    case OP_SOLVE_TRIANGULAR:
    case OP_INV:
    case OP_DET: return write_linalg(w, s, n);
    case OP_RNG:
    case OP_SPLIT_RNG: return write_generator(w, s, n);
    case OP_SORT:
    case OP_ARGSORT: return write_sort(w, s, n);
    case OP_SEARCHSORTED: return write_search(w, s, n);
    default: return NULL;
    }
}
