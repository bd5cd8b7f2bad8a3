/* Running single steps of a loop.  See play_reel.h. */
#include "repl/commands/play_reel.h"

#include "grad/scan_parts.h"
#include "graph/names.h"
#include "passes/passes.h"

enum { MOST_MARKS = 256, MOST_MARKED_BYTES = 64 << 20 };

/* ---- leaves ---- */

void reel_give(Reel *r, Node *leaf, Tensor *value)
{
    Tensor *old = map_get(&r->values, leaf);
    if (!old)
        vec_push(&r->owned, leaf);
    map_put(&r->values, leaf, value);
    tensor_unref(old);
}

/* An input with a name that nobody can write. */
static Node *leaf_of(Reel *r, const char *what, int k, Type *type)
{
    Text name = {0};
    text_printf(&name, "play %s %d", what, k);
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
static Node *operand_leaf(Reel *r, int k, Node *operand, Tensor *value)
{
    if (node_is_const(operand)) {
        tensor_unref(value);
        return operand;
    }
    Node *leaf = leaf_of(r, "operand", k, type_of_value(r->st, value));
    reel_give(r, leaf, value);
    return leaf;
}

/* The loop over leaves, with the values of its operands, and how many steps it takes. */
static bool take_operands(Reel *r, const PtrMap *values)
{
    ScanShape s = scan_shape(r->scan);
    int n = (int)r->scan->nops;
    Node **asked = xcalloc((size_t)n + 2, sizeof *asked),
         **leaves = xcalloc((size_t)n, sizeof *leaves);
    Tensor **at = xcalloc((size_t)n + 2, sizeof *at);
    memcpy(asked, r->scan->ops, (size_t)n * sizeof *asked);
    asked[n] = node_proj(r->st, r->scan, s.steps);
    asked[n + 1] = node_proj(r->st, r->scan, s.steps + 1);
    bool ok = session_evaluate_raw(&r->c->r->s, n + 2, asked, values, at);
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

static void make_leaves(Reel *r)
{
    Type *whole = type_scalar(r->st, DT_I64);
    r->row = leaf_of(r, "row", 0, whole);
    r->first = leaf_of(r, "first", 0, whole);
    r->count = leaf_of(r, "count", 0, whole);
    r->before = xcalloc((size_t)r->s.nstates + 1, sizeof *r->before);
    for (int j = 0; j < r->s.nstates; j++)
        r->before[j] = leaf_of(r, "state", j, r->s.inits[j]->type);
}

static bool copy_body(Reel *r)
{
    const ScanShape *s = &r->s;
    Graph *g = s->body;
    NameScope *around = r->st->scope;
    bool ok = true;
    r->st->scope = NULL; /* the copies are not over the body's parameters */
    for (int p = 0; p < g->nparams && ok; p++) {
        int seq = p - s->nstates;
        Node *arg = seq < 0          ? r->before[p]
                    : seq < s->nseqs ? build_index(r->st, s->seqs[seq], 0, r->row)
                                     : s->captures[seq - s->nseqs];
        ok = arg != NULL;
        map_put(&r->copy, g->param_nodes[p], arg);
    }
    for (int o = 0; o < g->nouts && ok; o++)
        ok = node_substitute(r->st, g->outs[o], &r->copy) != NULL;
    r->st->scope = around;
    return ok;
}

static bool plan_step(Reel *r)
{
    Graph *g = r->s.body;
    NodeVec asked = {0};
    for (int o = 0; o < g->nouts; o++)
        vec_push(&asked, map_get(&r->copy, g->outs[o]));
    for (size_t i = 0; i < r->shown.len; i++)
        vec_push(&asked, map_get(&r->copy, r->shown.at[i]));
    r->step = plan_build(r->st, (int)asked.len, asked.at);
    r->now = xcalloc(asked.len + 1, sizeof *r->now);
    vec_free(&asked);
    return r->step != NULL;
}

bool reel_counted(const Reel *r, ScanShape *out)
{
    Node *scan = scan_node(r->st, &r->s);
    scan = scan ? scan_counted(r->st, scan) : NULL;
    if (scan)
        *out = scan_shape(scan);
    return scan != NULL;
}

/* The loop itself, `count` steps of it from row `first` on. */
static bool plan_run(Reel *r)
{
    ScanShape counted;
    if (!reel_counted(r, &counted))
        return false;
    Node *part = scan_part(r->st, &counted, r->first, r->count, r->before);
    NodeVec asked = {0};
    for (int j = 0; part && j < r->s.nstates; j++)
        vec_push(&asked, node_proj(r->st, part, j));
    r->run = part ? plan_build(r->st, (int)asked.len, asked.at) : NULL;
    vec_free(&asked);
    return r->run != NULL;
}

/* ---- marks ---- */

static i64 bytes_of_states(const Reel *r)
{
    i64 bytes = 0;
    for (int j = 0; j < r->s.nstates; j++) {
        const Tensor *t = reel_mark(r, 0, j);
        bytes += t->count * (i64)dtype_size(t->dtype) + (i64)sizeof *t;
    }
    return bytes;
}

static bool first_mark(Reel *r)
{
    Tensor **at = xcalloc((size_t)r->s.nstates + 1, sizeof *at);
    bool ok = session_evaluate_raw(&r->c->r->s, r->s.nstates, r->s.inits, &r->values, at);
    for (int j = 0; j < r->s.nstates && ok; j++)
        vec_push(&r->marks, at[j]);
    free(at);
    return ok;
}

static void set_states(Reel *r, Tensor *const *at)
{
    for (int j = 0; j < r->s.nstates; j++)
        reel_give(r, r->before[j], tensor_ref(at[j]));
}

/* The states before step `to`, those before step `from` being there; out: references. */
static bool run_to(Reel *r, i64 from, i64 to, Tensor **out)
{
    Heap *heap = &r->st->heap;
    i64 row = r->s.reverse ? r->steps - to : from;
    reel_give(r, r->first, tensor_scalar_i64(heap, row));
    reel_give(r, r->count, tensor_scalar_i64(heap, to - from));
    return session_run_program(&r->c->r->s, r->run, &r->values, 0, out);
}

static bool find_end(Reel *r)
{
    int n = r->s.nstates;
    i64 k = n ? (i64)r->marks.len / n - 1 : 0;
    r->end = xcalloc((size_t)n + 1, sizeof *r->end);
    set_states(r, r->marks.at + k * n);
    return !n || run_to(r, k * r->stride, r->steps, r->end);
}

static bool make_marks(Reel *r)
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
        session_progress(&r->c->r->s, began, (double)(k * r->stride) / (double)r->steps);
    }
    free(next);
    return ok && find_end(r);
}

const Tensor *reel_end(const Reel *r, int state) { return r->end[state]; }

const Tensor *reel_mark(const Reel *r, i64 k, int state)
{
    size_t at = (size_t)k * (size_t)r->s.nstates + (size_t)state;
    return at < r->marks.len ? r->marks.at[at] : NULL;
}

/* ---- open ---- */

bool reel_open(Reel *r, Call *c, Node *scan, const PtrMap *values)
{
    *r = (Reel){.c = c, .st = &c->r->s.st, .scan = scan, .at = -1};
    u32 temps = r->st->temp_count;
    bool ok = take_operands(r, values);
    if (ok) {
        make_leaves(r);
        ok = copy_body(r) && plan_run(r) && make_marks(r);
    }
    r->st->temp_count = temps;
    return ok;
}

static void release_now(Reel *r)
{
    size_t n = (size_t)r->s.body->nouts + r->shown.len;
    for (size_t i = 0; i < n && r->now; i++) {
        tensor_unref(r->now[i]);
        r->now[i] = NULL;
    }
    r->at = -1;
}

void reel_free(Reel *r)
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
    for (size_t i = 0; i < r->owned.len; i++)
        tensor_unref(map_get(&r->values, r->owned.at[i]));
    vec_free(&r->owned);
    map_free(&r->values);
    map_free(&r->copy);
    vec_free(&r->shown);
    program_free(r->step);
    program_free(r->run);
    free(r->before);
}

void reel_show(Reel *r, Node *n)
{
    if (map_has(&r->copy, n))
        vec_push(&r->shown, n);
}

/* ---- steps ---- */

i64 reel_row(const Reel *r, i64 i) { return r->s.reverse ? r->steps - 1 - i : i; }

/* As they came out of the step before, else from the last mark. */
bool reel_set_before(Reel *r, i64 i)
{
    int n = r->s.nstates;
    if (r->at >= 0 && r->at + 1 == i) {
        set_states(r, r->now);
        return true;
    }
    i64 k = n ? i / r->stride : 0;
    set_states(r, r->marks.at + k * n);
    if (!n || i == k * r->stride)
        return true;
    Tensor **at = xcalloc((size_t)n + 1, sizeof *at);
    bool ok = run_to(r, k * r->stride, i, at);
    for (int j = 0; j < n && ok; j++)
        reel_give(r, r->before[j], at[j]);
    free(at);
    return ok;
}

bool reel_go(Reel *r, i64 i)
{
    if (i == r->at)
        return true;
    if (!r->step && !plan_step(r))
        return false;
    if (!reel_set_before(r, i))
        return false;
    release_now(r);
    reel_give(r, r->row, tensor_scalar_i64(&r->st->heap, reel_row(r, i)));
    if (!session_run_program(&r->c->r->s, r->step, &r->values, 0, r->now))
        return false;
    r->at = i;
    return true;
}

const Tensor *reel_before(const Reel *r, int state)
{
    return map_get(&r->values, r->before[state]);
}

const Tensor *reel_after(const Reel *r, int state) { return r->at < 0 ? NULL : r->now[state]; }

const Tensor *reel_value(const Reel *r, const Node *of_body)
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
