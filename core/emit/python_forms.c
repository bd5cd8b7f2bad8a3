/* Operators whose text depends on more than their operands: subscripts, stores, shapes, checks.
 *
 * Invariant: a store works on a copy, which gets a line and a name of its own. */
#include "emit/python.h"

#include "graph/op.h"
#include "ops/ops.h"

/* ---- what has no operands of its own ---- */

static bool is_known(Scope *s, Node *n) { return map_has(&s->said, n); }

static bool say_constant(Scope *s, Node *n)
{
    const Tensor *t = n->attrs[0].value;
    bool negative = !t->rank && dtype_is_number(t->dtype) && tensor_f64_at(t, 0) < 0;
    if (t->dtype == DT_RNG)
        return py_cannot(s, n, "the target has no generator that gives the same random numbers");
    const char *text = constant_said(s, t, true);
    bool bare = !t->rank && strchr("-.0123456789", *text); /* no call, no True */
    py_say(s, n, text, !bare ? CALL : negative ? UNARY : NUMBER);
    return true;
}

static bool say_size(Scope *s, Node *n)
{
    const char *text = size_said(s, n, n->attrs[0].size, CALL);
    if (text)
        py_say(s, n, is_for(s, PYTHON_TORCH) ? py_text(s->py, "torch.tensor(%s)", text) : text,
               CALL);
    return text != NULL;
}

static bool say_nothing(Scope *s, Node *n)
{
    (void)s;
    (void)n; /* its results are said by what makes them */
    return true;
}

static bool say_result(Scope *s, Node *n)
{
    if (is_known(s, n))
        return true;
    if (op_table[n->ops[0]->op].cls != CLASS_LINALG)
        return py_cannot(s, n, NULL);
    py_say(s, n, py_text(s->py, "%s[%lld]", said_at(s, n->ops[0], CALL), (long long)n->attrs[0].i),
           CALL);
    return true;
}

static bool say_check(Scope *s, Node *n)
{
    Text message = {0};
    check_message(&message, n, NULL);
    if (is_for(s, PYTHON_JAX)) {
        s->py->unchecked = true;
    } else if (n->ops[0]->op != OP_CONST) {
        bool many = node_rank(n->ops[0]) > 0;
        py_line(s, "if not %s%s:", said_at(s, n->ops[0], many ? CALL : COMPARE),
                many ? ".all()" : "");
        py_line(s, "    raise ValueError(%s)", py_quoted(s->py, text_str(&message)));
    }
    text_free(&message);
    py_say_through(s, n, n->ops[1]);
    return true;
}

static bool say_match(Scope *s, Node *n)
{
    if (!is_for(s, PYTHON_JAX)) {
        const char *x = said_by_name(s, n->ops[0], "x"), *like = said_by_name(s, n->ops[1], "like");
        py_line(s, "if %s.shape != %s.shape:", x, like);
        py_line(s, "    raise ValueError(\"shapes differ\")");
    }
    py_say_through(s, n, n->ops[0]);
    return true;
}

static bool say_cast(Scope *s, Node *n)
{
    Node *x = n->ops[0];
    DType to = n->type->dtype, from = node_dtype(x);
    const char *dtype = py_dtype(s->py, to);
    bool whole = dtype_is_float(from) && dtype_is_int(to);
    const char *text = said_at(s, x, is_for(s, PYTHON_TORCH) ? CALL : ANYTHING);
    if (whole && is_for(s, PYTHON_NUMBA))
        text = py_text(s->py, "to_%s(%s)", dtype_name(to), said_at(s, x, ANYTHING));
    else if (whole)
        text = py_text(s->py, "to_integer(%s, %s)",
                       x->op == OP_CONST ? constant_said(s, x->attrs[0].value, false)
                                         : said_at(s, x, ANYTHING),
                       dtype);
    else if (is_for(s, PYTHON_TORCH))
        text = x->op == OP_CONST
                   ? py_text(s->py, "torch.tensor(%s, dtype=%s)", text, dtype)
                   : py_text(s->py, "torch.as_tensor(%s).to(%s)", said_at(s, x, ANYTHING), dtype);
    else if (!x->type->rank && is_for(s, PYTHON_NUMBA))
        text = py_text(s->py, "%s(%s)", dtype, text);
    else if (!x->type->rank)
        text = py_text(s->py, "%s(%s)", dtype, text);
    else
        text = py_text(s->py, "%s.astype(%s)", said_at(s, x, CALL), dtype);
    py_say(s, n, text, CALL);
    return true;
}

/* ---- subscripts ---- */

/* x[:, :, WHAT] */
static const char *subscript(Scope *s, const char *x, i64 axis, const char *what)
{
    Text t = {0};
    for (i64 a = 0; a < axis; a++)
        text_put(&t, ":, ");
    const char *text = py_text(s->py, "%s[%s%s]", x, text_str(&t), what);
    text_free(&t);
    return text;
}

/* One entry for each axis below `rank`: `at` where axes has it, else `:`. */
static const char *entries(Scope *s, int rank, const IntList *axes, const char *at)
{
    Text t = {0};
    for (int a = 0; a < rank; a++) {
        bool has = false;
        for (u32 i = 0; i < axes->n; i++)
            has |= axes->at[i] == a;
        text_printf(&t, "%s%s", a ? ", " : "", has ? at : ":");
    }
    const char *text = py_text(s->py, "%s", text_str(&t));
    text_free(&t);
    return text;
}

static bool say_entries(Scope *s, Node *n, int rank, const char *at)
{
    const IntList *axes = n->attrs[op_attr_index(n->op, "axes")].ints;
    const char *x = said_at(s, n->ops[0], CALL);
    py_say(s, n, py_text(s->py, "%s[%s]", x, entries(s, rank, axes, at)), CALL);
    return true;
}

/* "1, 1," */
static const char *ones_said(Py *py, int rank)
{
    static const char ones[] = "1, 1, 1, 1, 1, 1, 1, 1,";
    return py_text(py, "%.*s", 3 * rank - 1, ones);
}

static bool say_expand(Scope *s, Node *n)
{
    const IntList *axes = n->attrs[op_attr_index(n->op, "axes")].ints;
    const char *x = said_at(s, n->ops[0], ANYTHING);
    bool scalar = !n->ops[0]->type->rank;
    if (scalar && is_for(s, PYTHON_JAX)) { /* a size is a plain number */
        py_say(s, n, py_text(s->py, "jnp.reshape(%s, (%s))", x, ones_said(s->py, n->type->rank)),
               CALL);
        return true;
    }
    if (!is_for(s, PYTHON_NUMBA) && !(scalar && is_for(s, PYTHON_NUMPY)))
        return say_entries(s, n, n->type->rank, "None");
    if (scalar)
        x = py_text(s->py, "np.array([%s])", x);
    for (u32 i = scalar; i < axes->n; i++)
        x = py_text(s->py, "np.expand_dims(%s, %lld)", x, (long long)axes->at[i]);
    py_say(s, n, x, CALL);
    return true;
}

static bool say_squeeze(Scope *s, Node *n) { return say_entries(s, n, n->ops[0]->type->rank, "0"); }

static bool say_flip(Scope *s, Node *n)
{
    const IntList *axes = n->attrs[op_attr_index(n->op, "axes")].ints;
    if (!is_for(s, PYTHON_TORCH))
        return say_entries(s, n, n->type->rank, "::-1");
    py_say(s, n,
           py_text(s->py, "torch.flip(%s, %s)", said_at(s, n->ops[0], ANYTHING),
                   axes->n == 1 ? py_text(s->py, "(%s,)", axes_said(s->py, axes))
                                : axes_said(s->py, axes)),
           CALL);
    return true;
}

/* The text of an integer scalar as a subscript. */
static const char *position(Scope *s, const Node *n, int level)
{
    const char *text = said_at(s, n, level);
    return is_for(s, PYTHON_TORCH) && n->op != OP_CONST
               ? py_text(s->py, "int(%s)", said_at(s, n, ANYTHING))
               : text;
}

static i64 axis_of(const Node *n) { return n->attrs[op_attr_index(n->op, "axis")].i; }

static bool say_index(Scope *s, Node *n)
{
    py_say(s, n,
           subscript(s, said_at(s, n->ops[0], CALL), axis_of(n), position(s, n->ops[1], ANYTHING)),
           CALL);
    return true;
}

static bool say_gather(Scope *s, Node *n)
{
    if (is_for(s, PYTHON_NUMBA) && n->ops[1]->type->rank > 1)
        return numba_gather(s, n, (int)axis_of(n));
    py_say(s, n,
           subscript(s, said_at(s, n->ops[0], CALL), axis_of(n), said_at(s, n->ops[1], ANYTHING)),
           CALL);
    return true;
}

/* "a:b:step", or positions where the end may be before the first element. */
static const char *slice_text(Scope *s, const Node *n, const Node *start, const char *length,
                              bool *positions)
{
    i64 step = n->attrs[op_attr_index(n->op, "step")].i, from, count;
    const char *first = position(s, start, SUM);
    *positions = step < 0;
    if (step < 0)
        return py_text(s->py, "%s + %lld * %s.arange(%s)", first, (long long)step,
                       py_library(s->py), length);
    bool known = node_const_i64(start, &from) && sscanf(length, "%lld", (long long *)&count) == 1 &&
                 strspn(length, "0123456789") == strlen(length);
    if (known && step == 1)
        return py_text(s->py, "%lld:%lld", (long long)from, (long long)(from + count));
    if (node_const_i64(start, &from) && !from && step == 1)
        return py_text(s->py, ":%s", length);
    if (step == 1)
        return py_text(s->py, "%s:%s + %s", first, first, length);
    return py_text(s->py, "%s:%s + %lld * %s:%lld", first, first, (long long)step, length,
                   (long long)step);
}

static bool say_slice(Scope *s, Node *n)
{
    bool positions;
    const char *at = slice_text(s, n, n->ops[1], position(s, n->ops[2], TERM), &positions);
    py_say(s, n, subscript(s, said_at(s, n->ops[0], CALL), axis_of(n), at), CALL);
    return true;
}

/* ---- stores ---- */

/* The method call that moves `count` axes, from `axis` on, to the front; "" where there are none.
 */
static const char *axes_to_front(Scope *s, int axis, int count)
{
    Text from = {0}, to = {0};
    for (int i = 0; i < count; i++) {
        text_printf(&from, "%d, ", axis + i);
        text_printf(&to, "%d, ", i);
    }
    const char *call =
        count ? py_text(s->py, ".movedim((%s), (%s))", text_str(&from), text_str(&to)) : "";
    text_free(&from);
    text_free(&to);
    return call;
}

/* name[.., at] += v where a place of `at` may occur twice. */
static void add_at(Scope *s, const Node *n, const char *name, const char *at, const char *v)
{
    int axis = (int)axis_of(n);
    int rank = n->ops[1]->type->rank;
    bool moved = axis > 0 && n->ops[2]->type->rank;
    Text all = {0};
    for (int a = 0; a < axis; a++)
        text_put(&all, "slice(None), ");
    if (is_for(s, PYTHON_NUMBA))
        numba_add_at(s, n, axis, name, at, v);
    else if (is_for(s, PYTHON_NUMPY))
        py_line(s, "np.add.at(%s, (%s%s,), %s)", name, text_str(&all), at, v);
    else /* PyTorch adds along the first axis: the places' axes go first in the rows too */
        py_line(s, "%s%s.index_put_((%s,), %s%s, accumulate=True)", name,
                axis ? py_text(s->py, ".movedim(%d, 0)", axis) : "", at, v,
                moved ? axes_to_front(s, axis, rank) : "");
    text_free(&all);
}

/* A copy of x changed at `at`. */
static bool say_store(Scope *s, Node *n, const char *at, Node *value, bool adds_up)
{
    i64 mode = n->attrs[op_attr_index(n->op, "mode")].i;
    Node *x = n->ops[0];
    const char *name = name_taken(s->py, name_wanted(s, n, "changed"));
    const char *v = value->op == OP_CONST ? constant_said(s, value->attrs[0].value, false)
                                          : said_at(s, value, adds_up ? CALL : ANYTHING);
    const char *places = subscript(s, "", axis_of(n), at);
    if (mode > 1)
        return py_cannot(s, n, "its updates can only replace or add");
    if (is_for(s, PYTHON_JAX)) {
        py_line(s, "%s = %s.at%s.%s(%s)", name, said_at(s, x, CALL), places, mode ? "add" : "set",
                v);
    } else {
        py_line(s, "%s = %s.%s()", name, said_at(s, x, CALL),
                is_for(s, PYTHON_TORCH) ? "clone" : "copy");
        if (mode && adds_up)
            add_at(s, n, name, at, v);
        else
            py_line(s, "%s%s %s %s", name, places, mode ? "+=" : "=", v);
    }
    py_say(s, n, name, CALL);
    return true;
}

static bool say_set_index(Scope *s, Node *n)
{
    return say_store(s, n, position(s, n->ops[1], ANYTHING), n->ops[2], false);
}

static bool say_set_slice(Scope *s, Node *n)
{
    bool positions;
    const char *length = size_said(s, n, n->ops[2]->type->dims[axis_of(n)], TERM);
    return length &&
           say_store(s, n, slice_text(s, n, n->ops[1], length, &positions), n->ops[2], false);
}

static bool say_scatter(Scope *s, Node *n)
{
    return say_store(s, n, said_at(s, n->ops[1], ANYTHING), n->ops[2], true);
}

/* ---- shapes ---- */

static bool say_transpose(Scope *s, Node *n)
{
    const char *x = said_at(s, n->ops[0], CALL);
    const char *axes = axes_said(s->py, n->attrs[op_attr_index(n->op, "axes")].ints);
    py_say(s, n,
           n->type->rank == 2        ? py_text(s->py, "%s.T", x)
           : is_for(s, PYTHON_TORCH) ? py_text(s->py, "%s.permute(%s)", x, axes)
                                     : py_text(s->py, "%s.transpose(%s)", x, axes),
           CALL);
    return true;
}

/* x with an axis of length 1 for each that broadcast adds after its first one. */
static const char *aligned(Scope *s, const Node *n)
{
    const IntList *axes = n->attrs[op_attr_index(n->op, "axes")].ints;
    const Node *x = n->ops[0];
    Text t = {0};
    bool needed = false, numba = is_for(s, PYTHON_NUMBA);
    const char *numbas = said_at(s, x, ANYTHING);
    for (i64 a = axes->n ? axes->at[0] : n->type->rank; a < n->type->rank; a++) {
        bool has = false;
        for (u32 i = 0; i < axes->n; i++)
            has |= axes->at[i] == a;
        needed |= !has;
        if (!has)
            numbas =
                py_text(s->py, "np.expand_dims(%s, %lld)", numbas, (long long)(a - axes->at[0]));
        text_printf(&t, "%s%s", t.len ? ", " : "", has ? ":" : "None");
    }
    const char *text = numba    ? numbas
                       : needed ? py_text(s->py, "%s[%s]", said_at(s, x, CALL), text_str(&t))
                                : said_at(s, x, ANYTHING);
    text_free(&t);
    return text;
}

static bool say_broadcast(Scope *s, Node *n)
{
    Node *x = n->ops[0];
    const char *shape = shape_said(s, n, n->type, 0), *lib = py_library(s->py);
    if (!shape)
        return false;
    if (!x->type->rank && !is_for(s, PYTHON_TORCH))
        py_say(s, n, py_text(s->py, "%s.full(%s, %s)", lib, shape, said_at(s, x, ANYTHING)), CALL);
    else if (!x->type->rank)
        py_say(s, n,
               py_text(s->py, "torch.broadcast_to(torch.as_tensor(%s, dtype=%s), %s)",
                       said_at(s, x, ANYTHING), py_dtype(s->py, node_dtype(x)), shape),
               CALL);
    else
        py_say(s, n, py_text(s->py, "%s.broadcast_to(%s, %s)", lib, aligned(s, n), shape), CALL);
    return true;
}

static bool say_triangle(Scope *s, Node *n)
{
    const char *lib = py_library(s->py), *x = said_at(s, n->ops[0], ANYTHING);
    py_say(s, n,
           py_text(s->py, "%s.%s(%s, %lld)", lib, n->attrs[0].i ? "tril" : "triu", x,
                   (long long)n->attrs[1].i),
           CALL);
    return true;
}

static bool say_searchsorted(Scope *s, Node *n)
{
    const char *a = said_at(s, n->ops[0], ANYTHING), *v = said_at(s, n->ops[1], ANYTHING);
    bool right = n->attrs[0].i;
    py_say(s, n,
           is_for(s, PYTHON_TORCH)
               ? py_text(s->py, "search_sorted(%s, %s, %s)", a, v, right ? "True" : "False")
               : py_text(s->py, "%s.searchsorted(%s, %s, side=\"%s\")", py_library(s->py), a, v,
                         right ? "right" : "left"),
           CALL);
    return true;
}

/* Scalars: Python's own choice computes one side only. */
static bool say_where(Scope *s, Node *n)
{
    bool scalar = true, failed = false;
    for (u32 i = 0; i < 3; i++)
        scalar &= !n->ops[i]->type->rank;
    for (u32 i = 0; i < 3 && !scalar && is_for(s, PYTHON_NUMBA); i++)
        if (!n->ops[i]->type->rank)
            return numba_where(s, n);
    if (!scalar || is_for(s, PYTHON_JAX) || is_for(s, PYTHON_TORCH))
        return say_by_row(s, n, &failed);
    py_say(s, n,
           py_text(s->py, "%s if %s else %s", said_at(s, n->ops[1], COMPARE),
                   said_at(s, n->ops[0], COMPARE), said_at(s, n->ops[2], COMPARE)),
           ANYTHING);
    return true;
}

static bool say_random(Scope *s, Node *n)
{
    return py_cannot(s, n, "the target has no generator that gives the same random numbers");
}

static bool say_unexpanded(Scope *s, Node *n)
{
    return py_cannot(s, n,
                     s->py->x->native
                         ? "grad is the only derivative that the target can take itself"
                         : "a graph before the pass `differentiate` or after the pass `loops` "
                           "cannot be exported");
}

PyForm python_form(OpId op)
{
    static const PyForm forms[OP_COUNT] = {
        [OP_INPUT] = is_known,
        [OP_SHARED] = is_known,
        [OP_PARAM] = is_known,
        [OP_CONST] = say_constant,
        [OP_SIZE] = say_size,
        [OP_PROJ] = say_result,
        [OP_SLOGDET] = py_slogdet,
        [OP_DFT] = py_several,
        [OP_QR] = py_several,
        [OP_SVD] = py_several,
        [OP_EIGH] = py_several,
        [OP_TUPLE] = say_nothing,
        [OP_CHECK] = say_check,
        [OP_MATCH_SHAPE] = say_match,
        [OP_CAST] = say_cast,
        [OP_WHERE] = say_where,
        [OP_EXPAND_DIMS] = say_expand,
        [OP_SQUEEZE] = say_squeeze,
        [OP_FLIP] = say_flip,
        [OP_TRANSPOSE] = say_transpose,
        [OP_BROADCAST] = say_broadcast,
        [OP_TRIANGLE] = say_triangle,
        [OP_INDEX] = say_index,
        [OP_SLICE] = say_slice,
        [OP_GATHER] = say_gather,
        [OP_SET_INDEX] = say_set_index,
        [OP_SET_SLICE] = say_set_slice,
        [OP_SCATTER] = say_scatter,
        [OP_SEARCHSORTED] = say_searchsorted,
        [OP_SOLVE_TRIANGULAR] = py_solve_triangular,
        [OP_MATMUL] = py_matmul,
        [OP_CHOLESKY] = py_by_lanes,
        [OP_SOLVE] = py_by_lanes,
        [OP_INV] = py_by_lanes,
        [OP_DET] = py_by_lanes,
        [OP_PROD] = numba_along,
        [OP_MAX] = numba_along,
        [OP_MIN] = numba_along,
        [OP_PTP] = numba_along,
        [OP_ANY] = numba_along,
        [OP_ALL] = numba_along,
        [OP_PEAK] = numba_along,
        [OP_ARGMAX] = numba_along,
        [OP_ARGMIN] = numba_along,
        [OP_CUMSUM] = numba_along,
        [OP_CUMPROD] = numba_along,
        [OP_CUMMAX] = numba_along,
        [OP_RECURRENCE] = numba_along,
        [OP_SORT] = numba_along,
        [OP_ARGSORT] = numba_along,
        [OP_SCAN] = py_scan,
        [OP_IFELSE] = py_choice,
        [OP_GRAD] = py_grad,
    };
    if (op_table[op].cls == CLASS_RANDOM)
        return say_random;
    bool implicit = op_table[op].cls == CLASS_IMPLICIT && op != OP_GRAD;
    if (implicit || op == OP_LOOP || op == OP_CALL || op == OP_FUSED)
        return say_unexpanded;
    return forms[op];
}
