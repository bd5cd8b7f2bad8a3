/* Names, sizes and values of the C that is written.
 *
 * Invariant: a name is taken once in a function. */
#include "emit/export_write.h"
#include "graph/op.h"

#include <ctype.h>

const char *word(CWriter *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *kept = arena_vprintf(&w->arena, fmt, ap);
    va_end(ap);
    return kept;
}

void line(CWriter *w, const char *fmt, ...)
{
    va_list ap;
    for (int i = 0; i < w->depth; i++)
        text_put(&w->body, "    ");
    va_start(ap, fmt);
    text_vprintf(&w->body, fmt, ap);
    va_end(ap);
    text_putc(&w->body, '\n');
}

void close_brace(CWriter *w, const char *after)
{
    w->depth--;
    line(w, "}%s", after);
}

void *cannot(CWriter *w, const Node *n, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (!w->failed) {
        text_vprintf(&w->x->why, fmt, ap);
        w->x->fault = n;
    }
    va_end(ap);
    w->failed = true;
    return NULL;
}

bool cannot_fail(CWriter *w, const Node *n) { return node_info(n)->total(w->st, n); }

/* ---- names ---- */

static void plain_name(const char *like, char out[48])
{
    size_t n = 0;
    bool gap = false;
    for (; *like && n < 40; like++) {
        bool good = isalnum((unsigned char)*like) || *like == '_';
        if (good && gap && n)
            out[n++] = '_';
        gap = !good;
        if (good)
            out[n++] = *like;
    }
    out[n] = '\0';
}

/* It means something in C, or in what is written around expressions. */
static bool has_meaning(const char *name)
{
    return is_reserved(name) || is_helper(name) || is_taken_over(name);
}

const char *fresh_name(CWriter *w, const char *like)
{
    char base[48], name[64];
    plain_name(like, base);
    if (!*base || isdigit((unsigned char)*base) || *base == '_') {
        char with[48];
        snprintf(with, sizeof with, "v%.46s", base);
        memcpy(base, with, sizeof base);
    }
    snprintf(name, sizeof name, has_meaning(base) ? "%s_" : "%s", base);
    Symbol root = symbol(w->st, name), s = root;
    int k = map_get(&w->taken, root);
    for (k = k ? k : 2; has_meaning(name) || map_has(&w->taken, s); k++) {
        snprintf(name, sizeof name, "%s_%d", base, k);
        if (has_meaning(name)) /* all that begin so have one: sort_2 */
            snprintf(name, sizeof name, "v_%s_%d", base, k);
        s = symbol(w->st, name);
    }
    map_put(&w->taken, root, k);
    if (s != root)
        map_put(&w->taken, s, 2);
    return s;
}

const char *size_named(CWriter *w, Symbol name)
{
    const char *there = map_get(&w->sizes, name);
    if (!there)
        map_put(&w->sizes, name, there = fresh_name(w, name));
    return there;
}

const char *told_name(CWriter *w, CScope *s, const Node *n)
{
    Symbol name = s->graph ? node_name_in(w->st, s->graph, n) : node_name(w->st, n);
    return name ? name : node_info(n)->name;
}

const char *bytes_of_array(CWriter *w, const CValue *v, int from)
{
    const char *count = count_of(w, v, from, v->rank);
    bool number = strspn(count, "0123456789") == strlen(count);
    bool name = !strpbrk(count, " (");
    return word(w,
                number ? "%s * sizeof *%s"
                : name ? "(size_t)%s * sizeof *%s"
                       : "(size_t)(%s) * sizeof *%s",
                count, v->text);
}

const char *name_for(CWriter *w, CScope *s, const Node *n)
{
    return fresh_name(w, told_name(w, s, n));
}

/* ---- sizes ---- */

/* A size parameter of a graph is read off the parameter whose type mentions it alone. */
static const char *param_size(CScope *s, const Size *size)
{
    const Graph *g = s->graph;
    for (CScope *at = s; g && at; at = at->up)
        for (int i = 0; i < g->nparams; i++)
            for (int a = 0; a < g->params[i]->rank; a++) {
                const CValue *v = map_get(&at->values, g->param_nodes[i]);
                if (v && g->params[i]->dims[a] == size && v->rank == g->params[i]->rank)
                    return v->dim[a];
            }
    return NULL;
}

static const char *atom_text(CWriter *w, CScope *s, const SizeAtom *a)
{
    const char *x, *y;
    if (a->kind == ATOM_NAME && *a->name != '.')
        return size_named(w, a->name);
    if (a->kind == ATOM_NODE)
        return wrapped(w, need(w, s, a->node)->text, need(w, s, a->node)->prec, PREC_ATOM);
    if (a->kind != ATOM_MAX && a->kind != ATOM_MIN && a->kind != ATOM_FLOORDIV)
        return cannot(w, NULL, "a size is known only at run time");
    x = size_text(w, s, a->a);
    y = x ? size_text(w, s, a->b) : NULL;
    if (!y)
        return NULL;
    use_helper(w, a->kind == ATOM_MAX ? "larger" : a->kind == ATOM_MIN ? "smaller" : "floordiv");
    return word(w, "%s(%s, %s)",
                a->kind == ATOM_MAX   ? "larger"
                : a->kind == ATOM_MIN ? "smaller"
                                      : "floordiv",
                x, y);
}

const char *size_text(CWriter *w, CScope *s, const Size *size)
{
    const char *param = param_size(s, size);
    if (param)
        return param;
    Text t = {0};
    if (size->constant || !size->nterms)
        text_printf(&t, "%lld", (long long)size->constant);
    for (u32 i = 0; i < size->nterms; i++) {
        const SizeTerm *term = &size->terms[i];
        text_put(&t, t.len ? " + " : "");
        if (term->coef != 1)
            text_printf(&t, "%lld * ", (long long)term->coef);
        for (u32 k = 0; k < term->nfactors; k++) {
            const char *atom = atom_text(w, s, term->factors[k]);
            text_printf(&t, "%s%s", k ? " * " : "", atom ? atom : "0");
        }
    }
    int parts = (int)size->nterms + (size->constant != 0 || !size->nterms);
    bool factor =
        parts == 1 && size->nterms && (size->terms[0].coef != 1 || size->terms[0].nfactors > 1);
    int prec = parts > 1 ? PREC_SUM : factor ? PREC_PRODUCT : PREC_ATOM;
    const char *text = wrapped(w, word(w, "%s", text_str(&t)), prec, PREC_ATOM);
    text_free(&t);
    return text;
}

const char *count_of(CWriter *w, const CValue *v, int from, int to)
{
    Text t = {0};
    i64 numbers = 1;
    bool other = false;
    for (int a = from; a < to; a++) {
        char *end;
        long long k = strtoll(v->dim[a], &end, 10);
        if (!*end) {
            numbers *= k;
        } else {
            text_printf(&t, "%s%s", other ? " * " : "", v->dim[a]);
            other = true;
        }
    }
    if (numbers != 1 || !other)
        text_printf(&t, "%s%lld", other ? " * " : "", (long long)numbers);
    const char *text = word(w, "%s", text_str(&t));
    text_free(&t);
    return text;
}

/* ---- values ---- */

const char *wrapped(CWriter *w, const char *text, int prec, int least)
{
    return prec >= least ? text : word(w, "(%s)", text);
}

CValue *value_new_c(CWriter *w, DType d, int rank)
{
    CValue *v = arena_alloc(&w->arena, sizeof *v);
    v->dtype = d;
    v->rank = rank;
    v->prec = PREC_ATOM;
    v->text = "0";
    return v;
}

CValue *scalar_value(CWriter *w, DType d, const char *text, int prec)
{
    CValue *v = value_new_c(w, d, 0);
    v->text = text;
    v->prec = prec;
    return v;
}

CValue *array_value(CWriter *w, CScope *s, const Node *n, DType d, int rank,
                    const char *const *dims)
{
    return array_named(w, name_for(w, s, n), d, rank, dims);
}

CValue *array_named(CWriter *w, const char *name, DType d, int rank, const char *const *dims)
{
    CValue *v = value_new_c(w, d, rank);
    v->text = name;
    for (int a = 0; a < rank; a++)
        v->dim[a] = dims[a];
    enum { SMALL = 256 };
    const char *count = count_of(w, v, 0, rank);
    char *end;
    long long small = strtoll(count, &end, 10);
    if (!*end && small > 0 && small <= SMALL && !w->branches) {
        line(w, "%s %s[%s];", c_type(d), v->text, count);
        return v;
    }
    line(w, "%s *%s = room(&rooms[%u], %s, sizeof *%s);", c_type(d), v->text, w->rooms++, count,
         v->text);
    line(w, "if (!%s)", v->text);
    line(w, "    goto no_memory;");
    return v;
}

const char *element_of(CWriter *w, const CValue *v)
{
    return v->rank == 0 || v->element ? v->text : word(w, "%s[i]", v->text);
}

const char *element_at(CWriter *w, const CValue *v, int least)
{
    return wrapped(w, element_of(w, v), v->element || !v->rank ? v->prec : PREC_ATOM, least);
}

/* With a name. */
static CValue *as_array(CWriter *w, CScope *s, const Node *n, CValue *v)
{
    if (v->rank == 0 || !v->element)
        return v;
    CValue *a = array_value(w, s, n, v->dtype, v->rank, v->dim);
    line(w, "for (i64 i = 0; i < %s; i++)", count_of(w, v, 0, v->rank));
    line(w, "    %s[i] = %s;", a->text, v->text);
    return a;
}

void bind(CScope *s, const Node *n, CValue *v) { map_put(&s->values, n, v); }

u32 uses_of(const CScope *s, const Node *n) { return map_get(s->uses, n); }

void count_uses(NodeCounts *uses, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        for (u32 k = 0; k < order.at[i]->nops; k++) {
            const Node *x = order.at[i]->ops[k];
            map_put(uses, x, map_get(uses, x) + 1);
        }
    for (int i = 0; i < nroots; i++)
        map_put(uses, roots[i], map_get(uses, roots[i]) + 1);
    vec_free(&order);
}

void scope_end(CScope *s) { map_free(&s->values); }

static CValue *find(CScope *s, const Node *n)
{
    for (; s; s = s->up) {
        CValue *v = map_get(&s->values, n);
        if (v)
            return v;
    }
    return NULL;
}

void c_string(Text *out, const char *s)
{
    text_putc(out, '"');
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            text_printf(out, "\\%c", *s);
        else if ((unsigned char)*s < ' ' || *s == 127 || (*s == '?' && s[1] == '?'))
            text_printf(out, "\\%03o", (unsigned)*s); /* two of them may begin a trigraph */
        else
            text_putc(out, *s);
    text_putc(out, '"');
}

static CValue *constant(CWriter *w, CScope *s, Node *n)
{
    const Tensor *t = n->attrs[0].value;
    Text text = {0};
    CValue *v;
    if (t->dtype == DT_RNG)
        use_helper(w, "philox");
    if (t->rank == 0 && t->dtype == DT_RNG)
        return scalar_value(w, DT_RNG, word(w, "(RngState)%s", state_literal(w, t, 0)), PREC_ATOM);
    if (t->rank == 0) {
        if (!literal_put(&text, t->dtype, t->data))
            text_put(&text, dtype_is_int(t->dtype)    ? "INT64_MIN"
                            : tensor_f64_at(t, 0) > 0 ? "INFINITY"
                            : tensor_f64_at(t, 0) < 0 ? "(-INFINITY)"
                                                      : "NAN");
        v = scalar_value(w, t->dtype, word(w, "%s", text_str(&text)), PREC_ATOM);
        text_free(&text);
        return v;
    }
    v = value_new_c(w, t->dtype, t->rank);
    v->text = name_for(w, s, n);
    for (int a = 0; a < t->rank; a++)
        v->dim[a] = word(w, "%lld", (long long)t->shape[a]);
    for (i64 i = 0; i < t->count; i++) {
        text_put(&text, i ? ", " : "");
        if (t->dtype == DT_RNG)
            text_put(&text, state_literal(w, t, i));
        else if (!literal_put(&text, t->dtype,
                              (const char *)t->data + (size_t)i * dtype_size(t->dtype)))
            text_put(&text, dtype_is_int(t->dtype)    ? "INT64_MIN"
                            : tensor_f64_at(t, i) > 0 ? "INFINITY"
                            : tensor_f64_at(t, i) < 0 ? "-INFINITY"
                                                      : "NAN");
    }
    line(w, "static const %s %s[] = {%s};", c_type(t->dtype), v->text,
         t->count ? text_str(&text) : "0");
    text_free(&text);
    return v;
}

static CValue *emit_node(CWriter *w, CScope *s, Node *n)
{
    CValue *v = NULL;
    if (w->failed)
        return NULL;
    switch (n->op) {
    case OP_CONST: return constant(w, s, n);
    case OP_SIZE: {
        const char *text = size_text(w, s, n->attrs[0].size);
        return scalar_value(w, DT_I64, text ? text : "0", PREC_ATOM);
    }
    case OP_PROJ: return result_of(w, s, n->ops[0], n->attrs[0].i);
    case OP_STOP_GRADIENT: return need(w, s, n->ops[0]);
    case OP_CHECK: {
        CValue *c = need(w, s, n->ops[0]);
        if (c->rank)
            line(w, "for (i64 i = 0; i < %s; i++)", count_of(w, c, 0, c->rank));
        w->depth += c->rank > 0;
        line(w, "if (!%s) {", element_at(w, c, PREC_ATOM));
        Text message = {0};
        c_string(&message, n->attrs[0].name);
        line(w, "    error = %s;", text_str(&message));
        text_free(&message);
        line(w, "    goto end;");
        line(w, "}");
        w->depth -= c->rank > 0;
        return need(w, s, n->ops[1]);
    }
    default: break;
    }
    v = write_elementwise(w, s, n);
    v = v ? v : write_reduction(w, s, n);
    v = v ? v : write_shape(w, s, n);
    return v;
}

/* Named scalars, and those that are used again, become variables. */
static CValue *settle(CWriter *w, CScope *s, const Node *n, CValue *v)
{
    bool named = s->graph ? node_name_in(w->st, s->graph, n) : node_name(w->st, n);
    bool last = w->result == n; /* goes to its place, name or not */
    bool once = uses_of(s, n) < 2 && (!named || last);
    if (w->failed || n->op == OP_CONST || n->op == OP_SIZE || (v->rank && !v->element))
        return v;
    if (v->rank)
        return once && strlen(v->text) < 400 ? v : as_array(w, s, n, v);
    if ((once && strlen(v->text) < 60) || v->prec == PREC_ATOM)
        return v;
    const char *name = name_for(w, s, n);
    line(w, "const %s %s = %s;", c_type(v->dtype), name, v->text);
    return scalar_value(w, v->dtype, name, PREC_ATOM);
}

CValue *need(CWriter *w, CScope *s, Node *n)
{
    CValue *v = find(s, n);
    if (v)
        return v;
    if (n->op == OP_PARAM && s->outer) {
        v = settle(w, s, n, need(w, s->outer, s->args[n->attrs[0].i]));
        bind(s, n, v);
        return v;
    }
    v = emit_node(w, s, n);
    if (!v && !w->failed)
        cannot(w, n, "it has no equivalent of `%s`", node_info(n)->name);
    if (!v) {
        v = value_new_c(w, n->type->kind == TYPE_TENSOR ? n->type->dtype : DT_F64, n->type->rank);
        for (int a = 0; a < v->rank; a++)
            v->dim[a] = "1";
    }
    v = settle(w, s, n, v);
    bind(s, n, v);
    return v;
}

CValue *need_array(CWriter *w, CScope *s, Node *n)
{
    CValue *v = need(w, s, n), *a = as_array(w, s, n, v);
    if (a != v)
        bind(s, n, a);
    return a;
}
