/* S14: loops of a few steps.
 *
 *   n = 0:  final states are initial states, traces have no row
 *   n = 1:  the body once; `until` only says whether the loop stopped
 *   n = 2:  the body twice, if it is small and there is no `until`
 *
 * Longer loops stay: a loop is cheap, and easier to look at than its copies. */
#include "passes/loops/loops.h"

enum { UNROLL_STEPS = 2, UNROLL_NODES = 24 };

/* A length as a value: read off an operand that has it. NULL if it is known only inside. */
static Node *length(Store *st, const Node *scan, Size *z)
{
    for (u32 i = 0; i < scan->nops; i++)
        for (int a = 0; scan->ops[i]->type->kind == TYPE_TENSOR && a < node_rank(scan->ops[i]); a++)
            if (scan->ops[i]->type->dims[a] == z)
                return node_dim(st, scan->ops[i], a);
    return size_has_kind(z, ATOM_PARAM) || size_has_kind(z, ATOM_RESULT) || size_is_opaque(z)
               ? NULL
               : size_to_node(st, z);
}

static Node *no_rows(Store *st, const Node *scan, Type *t)
{
    Node *dims[MAX_RANK + 1];
    if (t->kind != TYPE_TENSOR || t->dtype == DT_RNG || t->rank > MAX_RANK)
        return NULL;
    for (int i = 0; i < t->rank; i++)
        if (!(dims[i] = i ? length(st, scan, t->dims[i]) : node_i64(st, 0)))
            return NULL;
    return build_full(st, node_number(st, t->dtype, 0), t->rank, dims);
}

static bool take_no_step(Store *st, Node *n, Changes *out)
{
    ScanShape s = scan_shape(n);
    bool ok = true;
    for (int i = 0; i < s.nstates; i++)
        vec_push(out, ((Change){node_proj(st, n, i), s.inits[i]}));
    for (int i = s.nstates; i < s.steps && ok; i++) {
        Node *trace = node_proj(st, n, i), *none = no_rows(st, n, trace->type);
        ok = none && type_compatible(st, none->type, trace->type);
        vec_push(out, ((Change){trace, none}));
    }
    vec_push(out, ((Change){node_proj(st, n, s.steps), node_i64(st, 0)}));
    vec_push(out, ((Change){node_proj(st, n, s.steps + 1), node_bool(st, false)}));
    return ok;
}

/* The body's outputs at row `row`, from the states before it. */
static bool one_step(Store *st, const ScanShape *s, Node *const *states, i64 row, Node **outs)
{
    NodeVec args = {0};
    bool ok = true;
    for (int i = 0; i < s->nstates; i++)
        vec_push(&args, states[i]);
    for (int i = 0; i < s->nseqs && ok; i++) {
        Node *element = build_index(st, s->seqs[i], 0, node_i64(st, row));
        ok = element != NULL;
        vec_push(&args, element);
    }
    for (int i = 0; i < s->ncaptures; i++)
        vec_push(&args, s->captures[i]);
    ok = ok && graph_instantiate(st, s->body, args.at, outs);
    vec_free(&args);
    return ok;
}

/* The values of one output at each row, as rows. */
static Node *rows_from(Store *st, i64 n, Node *const *values)
{
    Node *rows[UNROLL_STEPS];
    Attr axis = {.i = 0};
    for (i64 i = 0; i < n; i++)
        if (values[i]->type->kind != TYPE_TENSOR || !(rows[i] = build_expand(st, values[i], 0)))
            return NULL;
    return n == 1 ? rows[0] : node_make(st, OP_CONCAT, &axis, (u32)n, rows);
}

static bool take_steps(Store *st, Node *n, i64 count, Changes *out)
{
    ScanShape s = scan_shape(n);
    size_t width = (size_t)s.body->nouts + 1;
    Node **outs = xcalloc(width * (size_t)count, sizeof *outs), *const *states = s.inits;
    bool ok = true;
    for (i64 i = 0; i < count && ok; i++) {
        i64 row = s.reverse ? count - 1 - i : i;
        ok = one_step(st, &s, states, row, outs + width * (size_t)row);
        states = outs + width * (size_t)row;
    }
    for (int i = 0; i < s.nstates && ok; i++) {
        vec_push(out, ((Change){node_proj(st, n, i), states[i]}));
        ok = type_compatible(st, states[i]->type, s.inits[i]->type);
    }
    for (int i = s.nstates; i < s.steps && ok; i++) {
        Node *values[UNROLL_STEPS], *trace = node_proj(st, n, i);
        for (i64 k = 0; k < count; k++)
            values[k] = outs[width * (size_t)k + (size_t)i];
        Node *rows = rows_from(st, count, values);
        ok = rows && type_compatible(st, rows->type, trace->type);
        vec_push(out, ((Change){trace, rows}));
    }
    Node *stopped = ok && s.stop ? states[s.body->nouts - 1] : node_bool(st, false);
    vec_push(out, ((Change){node_proj(st, n, s.steps), node_i64(st, count)}));
    vec_push(out, ((Change){node_proj(st, n, s.steps + 1), stopped}));
    free(outs);
    return ok;
}

bool loop_trip(Engine *e, Node *n, Changes *out, Text *why)
{
    i64 count;
    if (!node_const_i64(scan_shape(n).n, &count) || count < 0 || count > 1)
        return false;
    text_put(why, count ? "one step" : "no step");
    return count ? take_steps(e->st, n, 1, out) : take_no_step(e->st, n, out);
}

bool loop_unroll(Engine *e, Node *n, Changes *out, Text *why)
{
    i64 count;
    ScanShape s = scan_shape(n);
    if (!node_const_i64(s.n, &count) || count < 2 || count > UNROLL_STEPS || s.stop ||
        graph_node_count(s.body) > UNROLL_NODES)
        return false;
    text_printf(why, "%lld steps", (long long)count);
    return take_steps(e->st, n, count, out);
}
