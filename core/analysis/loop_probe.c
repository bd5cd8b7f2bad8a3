/* Running single steps of a loop.  See loop_probe.h. */
#include "analysis/loop_probe.h"

#include "analysis/unroll.h"
#include "grad/scan_parts.h"

enum { MOST_MARKS = 256, MOST_MARKED_BYTES = 64 << 20 };

/* ---- leaves ---- */

void loop_probe_give(LoopProbe *r, Node *leaf, Tensor *value)
{
    Tensor *old = map_get(&r->values, leaf);
    map_put(&r->values, leaf, value);
    tensor_unref(old);
}

/* An input with a name that nobody can write. */
static Node *leaf_of(LoopProbe *r, const char *what, int k, Type *type)
{
    Text name = {0};
    text_printf(&name, "probe %s %d", what, k);
    Node *leaf = node_input(r->st, OP_INPUT, symbol(r->st, text_str(&name)), type);
    text_free(&name);
    return leaf;
}

static Type *type_of_value(Store *st, const Tensor *t)
{
    Size *dims[MAX_RANK];
    for (int i = 0; i < t->rank; i++)
        dims[i] = size_const(st, t->shape[i]);
    return type_tensor(st, t->dtype, t->rank, dims);
}

/* Constants stay, and are known to what is built over them. */
static Node *operand_leaf(LoopProbe *r, int k, Node *operand, Tensor *value)
{
    if (node_is_const(operand)) {
        tensor_unref(value);
        return operand;
    }
    Node *leaf = leaf_of(r, "operand", k, type_of_value(r->st, value));
    loop_probe_give(r, leaf, value);
    return leaf;
}

/* The loop over leaves, with the values of its operands, and how many steps it takes. */
static bool take_operands(LoopProbe *r, const TensorMap *values)
{
    ScanShape s = scan_shape(r->scan);
    int n = (int)r->scan->nops;
    Node **asked = xcalloc((size_t)n + 2, sizeof *asked),
         **leaves = xcalloc((size_t)n, sizeof *leaves);
    Tensor **at = xcalloc((size_t)n + 2, sizeof *at);
    memcpy(asked, r->scan->ops, (size_t)n * sizeof *asked);
    asked[n] = node_proj(r->st, r->scan, s.steps);
    asked[n + 1] = node_proj(r->st, r->scan, s.steps + 1);
    bool ok = probe_nodes(&r->e, (size_t)n + 2, asked, values, at);
    for (int k = 0; k < n && ok; k++)
        leaves[k] = operand_leaf(r, k, asked[k], at[k]);
    if (ok) {
        r->steps = tensor_i64_at(at[n], 0);
        r->stopped = tensor_i64_at(at[n + 1], 0) != 0;
        tensor_unref(at[n]);
        tensor_unref(at[n + 1]);
        Node *over = node_with_operands(r->st, r->scan, leaves);
        ok = over != NULL;
        if (ok)
            r->s = scan_shape(over);
    }
    free(asked);
    free(leaves);
    free(at);
    return ok;
}

/* ---- programs ---- */

static void make_leaves(LoopProbe *r)
{
    Type *whole = type_scalar(r->st, DT_I64);
    r->row = leaf_of(r, "row", 0, whole);
    r->first = leaf_of(r, "first", 0, whole);
    r->count = leaf_of(r, "count", 0, whole);
    r->before = xcalloc((size_t)r->s.nstates + 1, sizeof *r->before);
    for (int j = 0; j < r->s.nstates; j++)
        r->before[j] = leaf_of(r, "state", j, r->s.inits[j]->type);
}

/* What has no parameter of the body in it stands for itself. */
static Node *copy_of(const LoopProbe *r, Node *n)
{
    Node *copy = map_get(&r->copy, n);
    return copy ? copy : n;
}

static bool plan_step(LoopProbe *r)
{
    Graph *g = r->s.body;
    NodeVec asked = {0};
    for (int o = 0; o < g->nouts; o++)
        vec_push(&asked, map_get(&r->copy, g->outs[o]));
    for (size_t i = 0; i < r->shown.len; i++)
        vec_push(&asked, copy_of(r, r->shown.at[i]));
    r->step = plan_build_with(r->st, (int)asked.len, asked.at, r->e.plan_flags);
    r->now = xcalloc(asked.len + 1, sizeof *r->now);
    vec_free(&asked);
    return r->step != NULL;
}

bool loop_probe_counted(const LoopProbe *r, ScanShape *out)
{
    Node *scan = scan_node(r->st, &r->s);
    scan = scan ? scan_counted(r->st, scan) : NULL;
    if (scan)
        *out = scan_shape(scan);
    return scan != NULL;
}

/* The loop itself, `count` steps of it from row `first` on. */
static bool plan_run(LoopProbe *r)
{
    ScanShape counted;
    if (!loop_probe_counted(r, &counted))
        return false;
    Node *part = scan_part(r->st, &counted, r->first, r->count, r->before);
    NodeVec asked = {0};
    for (int j = 0; part && j < r->s.nstates; j++)
        vec_push(&asked, node_proj(r->st, part, j));
    r->run = part ? plan_build_with(r->st, (int)asked.len, asked.at, r->e.plan_flags) : NULL;
    vec_free(&asked);
    return r->run != NULL;
}

/* ---- marks ---- */

static i64 bytes_of_states(const LoopProbe *r)
{
    i64 bytes = 0;
    for (int j = 0; j < r->s.nstates; j++) {
        const Tensor *t = loop_probe_mark(r, 0, j);
        bytes += t->count * (i64)dtype_size(t->dtype) + (i64)sizeof *t;
    }
    return bytes;
}

static bool first_mark(LoopProbe *r)
{
    Tensor **at = xcalloc((size_t)r->s.nstates + 1, sizeof *at);
    bool ok = probe_nodes(&r->e, (size_t)r->s.nstates, r->s.inits, &r->values, at);
    for (int j = 0; j < r->s.nstates && ok; j++)
        vec_push(&r->marks, at[j]);
    free(at);
    return ok;
}

static void set_states(LoopProbe *r, Tensor *const *at)
{
    for (int j = 0; j < r->s.nstates; j++)
        loop_probe_give(r, r->before[j], tensor_ref(at[j]));
}

/* The states before step `to`, those before step `from` being there; out: references. */
static bool run_to(LoopProbe *r, i64 from, i64 to, Tensor **out)
{
    Heap *heap = &r->st->heap;
    i64 row = r->s.reverse ? r->steps - to : from;
    loop_probe_give(r, r->first, tensor_scalar_i64(heap, row));
    loop_probe_give(r, r->count, tensor_scalar_i64(heap, to - from));
    return r->e.run(r->e.ctx, r->run, &r->values, 0, out);
}

static bool find_end(LoopProbe *r)
{
    int n = r->s.nstates;
    i64 k = n ? (i64)r->marks.len / n - 1 : 0;
    r->end = xcalloc((size_t)n + 1, sizeof *r->end);
    set_states(r, r->marks.at + k * n);
    return !n || run_to(r, k * r->stride, r->steps, r->end);
}

static bool make_marks(LoopProbe *r)
{
    if (!first_mark(r))
        return false;
    i64 bytes = bytes_of_states(r), most = MOST_MARKED_BYTES / (bytes ? bytes : 1);
    most = most > MOST_MARKS ? MOST_MARKS : most < 1 ? 1 : most;
    r->stride = (r->steps + most - 1) / most;
    r->stride = r->stride < 1 ? 1 : r->stride;
    double began = now_seconds();
    int n = r->s.nstates;
    Tensor **next = xcalloc((size_t)n + 1, sizeof *next);
    bool ok = true;
    for (i64 k = 1; n && k * r->stride < r->steps && ok; k++) {
        set_states(r, r->marks.at + (k - 1) * n);
        ok = run_to(r, (k - 1) * r->stride, k * r->stride, next);
        for (int j = 0; j < n && ok; j++)
            vec_push(&r->marks, next[j]);
        r->e.progress(r->e.ctx, began, (double)(k * r->stride) / (double)r->steps);
    }
    free(next);
    return ok && find_end(r);
}

const Tensor *loop_probe_end(const LoopProbe *r, int state) { return r->end[state]; }

const Tensor *loop_probe_mark(const LoopProbe *r, i64 k, int state)
{
    size_t at = (size_t)k * (size_t)r->s.nstates + (size_t)state;
    return at < r->marks.len ? r->marks.at[at] : NULL;
}

/* ---- open ---- */

bool loop_probe_open(LoopProbe *r, const Evaluator *e, Node *scan, const TensorMap *values)
{
    *r = (LoopProbe){.e = *e, .st = e->st, .scan = scan, .at = -1};
    u32 temps = r->st->temp_count;
    bool ok = take_operands(r, values);
    if (ok) {
        make_leaves(r);
        ok = scan_copy_step(r->st, &r->s, r->before, r->row, &r->copy) && plan_run(r) &&
             make_marks(r);
    }
    r->st->temp_count = temps;
    return ok;
}

static void release_now(LoopProbe *r)
{
    size_t n = (size_t)r->s.body->nouts + r->shown.len;
    for (size_t i = 0; i < n && r->now; i++) {
        tensor_unref(r->now[i]);
        r->now[i] = NULL;
    }
    r->at = -1;
}

void loop_probe_free(LoopProbe *r)
{
    if (r->now)
        release_now(r);
    free(r->now);
    for (size_t i = 0; i < r->marks.len; i++)
        tensor_unref(r->marks.at[i]);
    vec_free(&r->marks);
    for (int j = 0; r->end && j < r->s.nstates; j++)
        tensor_unref(r->end[j]);
    free(r->end);
    for (size_t i = 0; i < r->values.len; i++)
        tensor_unref(map_val(&r->values, i));
    map_free(&r->values);
    map_free(&r->copy);
    vec_free(&r->shown);
    program_free(r->step);
    program_free(r->run);
    free(r->before);
}

void loop_probe_add(LoopProbe *r, Node *n)
{
    if (map_has(&r->copy, n))
        vec_push(&r->shown, n);
}

/* ---- steps ---- */

i64 loop_probe_row(const LoopProbe *r, i64 i) { return r->s.reverse ? r->steps - 1 - i : i; }

/* As they came out of the step before, else from the last mark. */
bool loop_probe_set_before(LoopProbe *r, i64 i)
{
    int n = r->s.nstates;
    i64 k = n ? i / r->stride : 0;
    bool next = r->at >= 0 && r->at + 1 == i;
    set_states(r, next ? r->now : r->marks.at + k * n);
    release_now(r);
    if (next || !n || i == k * r->stride)
        return true;
    Tensor **at = xcalloc((size_t)n + 1, sizeof *at);
    bool ok = run_to(r, k * r->stride, i, at);
    for (int j = 0; j < n && ok; j++)
        loop_probe_give(r, r->before[j], at[j]);
    free(at);
    return ok;
}

bool loop_probe_go(LoopProbe *r, i64 i)
{
    if (i == r->at)
        return true;
    if (!r->step && !plan_step(r))
        return false;
    if (!loop_probe_set_before(r, i))
        return false;
    loop_probe_give(r, r->row, tensor_scalar_i64(&r->st->heap, loop_probe_row(r, i)));
    if (!r->e.run(r->e.ctx, r->step, &r->values, 0, r->now))
        return false;
    r->at = i;
    return true;
}

const Tensor *loop_probe_before(const LoopProbe *r, int state)
{
    return map_get(&r->values, r->before[state]);
}

const Tensor *loop_probe_after(const LoopProbe *r, int state)
{
    return r->at < 0 ? NULL : r->now[state];
}

const Tensor *loop_probe_value(const LoopProbe *r, const Node *of_body)
{
    const Graph *g = r->s.body;
    for (int o = 0; o < g->nouts && r->at >= 0; o++)
        if (g->outs[o] == of_body)
            return r->now[o];
    for (size_t i = 0; i < r->shown.len && r->at >= 0; i++)
        if (r->shown.at[i] == of_body)
            return r->now[(size_t)g->nouts + i];
    return NULL;
}

bool loop_probe_steps(LoopProbe *r, i64 first, i64 k, size_t n, Node *const *nodes, Tensor **at)
{
    size_t base = (size_t)r->s.body->nouts + r->shown.len;
    bool ok = true;
    for (size_t j = 0; j < n; j++)
        vec_push(&r->shown, nodes[j]);
    memset(at, 0, (size_t)k * n * sizeof *at);
    for (i64 i = 0; i < k && ok; i++) {
        ok = loop_probe_go(r, first + i);
        for (size_t j = 0; j < n && ok; j++)
            at[(size_t)i * n + j] = tensor_ref(r->now[base + j]);
    }
    for (size_t j = 0; j < (size_t)k * n && !ok; j++) {
        tensor_unref(at[j]);
        at[j] = NULL;
    }
    return ok;
}
