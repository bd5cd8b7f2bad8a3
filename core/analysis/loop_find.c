/* Searching a loop for a step: it runs from there on as a loop that stops at the test.
 *
 * Its sequences are turned round if it runs backwards, as such a loop has no `until`. */
#include "analysis/loop_probe.h"

#include "graph/names.h"
#include "ops/build.h"
#include "ops/scan_edit.h"

typedef struct {
    LoopProbe *r;
    ScanEdit ed;
    NodeMap inside; /* node over the probe's leaves -> what it is in the loop's body */
} Finding;

/* The rows that the steps from `first` on read, in the order of the steps. */
static Node *rows_of(LoopProbe *r, Node *rows)
{
    return build_slice(r->st, rows, 0, r->first, r->count, r->s.reverse ? -1 : 1);
}

static bool open_loop(Finding *f)
{
    LoopProbe *r = f->r;
    ScanShape s;
    if (!loop_probe_counted(r, &s))
        return false;
    Node **seqs = xcalloc((size_t)s.nseqs + 1, sizeof *seqs);
    bool ok = true;
    for (int i = 0; i < s.nseqs && ok; i++)
        ok = (seqs[i] = rows_of(r, s.seqs[i])) != NULL;
    s.seqs = seqs;
    s.inits = r->before;
    s.n = r->count;
    s.reverse = false;
    s.checkpoint = CHECKPOINT_NONE;
    Node *loop = ok ? scan_node(r->st, &s) : NULL;
    free(seqs);
    return loop && scan_open(r->st, loop, &f->ed);
}

/* What the test may be over: the states and the rows of the step. */
static void map_parts(Finding *f)
{
    const ScanShape *s = &f->r->s;
    for (int j = 0; j < s->nstates; j++)
        map_put(&f->inside, f->r->before[j], f->ed.states[j].hole);
    for (int i = 0; i < s->nseqs; i++)
        map_put(&f->inside, map_get(&f->r->copy, s->body->param_nodes[s->nstates + i]),
                f->ed.seqs[i].hole);
}

/* A leaf that the test reads: the number of the row, or what comes from outside. */
static Node *leaf_inside(Finding *f, Node *leaf)
{
    LoopProbe *r = f->r;
    if (leaf != r->row)
        return scan_capture(&f->ed, leaf, leaf);
    Node *count = node1(r->st, OP_IOTA, NULL, r->count);
    Node *rows = !count         ? NULL
                 : r->s.reverse ? build_sub(r->st, r->first, count)
                                : build_add(r->st, r->first, count);
    return rows ? scan_sequence(&f->ed, rows, leaf) : NULL;
}

/* All that the test reads beside the parts of the step. */
static void add_leaves(Finding *f, Node *test)
{
    NodeVec stack = {0};
    NodeSet seen = {0};
    vec_push(&stack, test);
    while (stack.len) {
        Node *n = stack.at[--stack.len];
        if (map_has(&seen, n) || map_has(&f->inside, n) || node_is_const(n))
            continue;
        set_add(&seen, n);
        if (!n->nops)
            map_put(&f->inside, n, leaf_inside(f, n));
        for (u32 i = 0; i < n->nops; i++)
            vec_push(&stack, n->ops[i]);
    }
    map_free(&seen);
    vec_free(&stack);
}

/* The loop that stops at the test; NULL after a diagnostic. */
static Node *close_loop(Finding *f, Node *test)
{
    map_parts(f);
    add_leaves(f, test);
    f->ed.stop = node_substitute(f->r->st, test, &f->inside);
    f->ed.s.stop = true;
    for (int i = 0; i < f->ed.s.nouts; i++)
        f->ed.outs[i].drop = true;
    Node *loop = f->ed.stop ? scan_close(&f->ed) : NULL;
    map_free(&f->inside);
    scan_edit_free(&f->ed);
    return loop;
}

static bool run(LoopProbe *r, Node *loop, i64 from, i64 *found)
{
    int steps = scan_shape(loop).steps;
    Node *asked[] = {node_proj(r->st, loop, steps), node_proj(r->st, loop, steps + 1)};
    Tensor *at[2] = {NULL};
    Heap *heap = &r->st->heap;
    if (!loop_probe_set_before(r, from))
        return false;
    loop_probe_give(r, r->first, tensor_scalar_i64(heap, loop_probe_row(r, from)));
    loop_probe_give(r, r->count, tensor_scalar_i64(heap, r->steps - from));
    if (!probe_nodes(&r->e, 2, asked, &r->values, at))
        return false;
    if (tensor_i64_at(at[1], 0))
        *found = from + tensor_i64_at(at[0], 0) - 1;
    tensor_unref(at[0]);
    tensor_unref(at[1]);
    return true;
}

bool loop_probe_find(LoopProbe *r, Node *test, i64 from, i64 *found)
{
    Finding f = {.r = r};
    NameScope *around = r->st->scope;
    *found = -1;
    if (from >= r->steps)
        return true;
    r->st->scope = NULL;
    Node *loop = open_loop(&f) ? close_loop(&f, test) : NULL;
    r->st->scope = around;
    return loop && run(r, loop, from, found);
}
