/* S18: a choice that is the same at every step is made once, before the loop.
 *
 *   scan { s' = if c then f(s) else g(s) }   =>   if c then scan { s' = f(s) } else scan { s' =
 * g(s) }
 *
 * where c does not change. Each loop is then free of the other branch: it may become a
 * product or a map. Exact: the same steps are taken, and only one of the loops runs.
 * Condition: the body is small enough to be there twice, and few choices are made in it. */
#include "passes/loops/loops.h"

enum { MAX_BODY = 300, MAX_CHOICES = 3 };

/* The capture that some `if` of the body asks, or NULL. */
static Node *find_choice(const ScanEdit *ed)
{
    NodeVec roots = {0}, order = {0};
    Node *found = NULL;
    scan_roots(ed, &roots);
    nodes_topo((int)roots.len, roots.at, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        if (order.at[i]->op == OP_IFELSE && scan_is_capture(ed, order.at[i]->ops[0]))
            found = order.at[i]->ops[0];
    vec_free(&roots);
    vec_free(&order);
    return found;
}

/* The loop with the choice made: its results, those that are used. */
static Node *one_version(Store *st, Node *scan, bool choice, Node **condition)
{
    ScanEdit ed;
    PtrMap memo = {0};
    if (!scan_open(st, scan, &ed))
        return NULL;
    Node *hole = find_choice(&ed), *r = NULL;
    if (hole) {
        *condition = scan_outer(&ed, hole);
        map_put(&memo, hole, node_bool(st, choice));
        r = scan_substitute(&ed, &memo) ? scan_close(&ed) : NULL;
    }
    map_free(&memo);
    scan_edit_free(&ed);
    return r;
}

/* The operands of `if` that a branch takes, added to those that are there. */
static const IntList *operands_of(Store *st, const Closed *c, NodeVec *ops)
{
    i64 *at = xmalloc(((size_t)c->ncaptures + 1) * sizeof *at);
    for (int i = 0; i < c->ncaptures; i++) {
        size_t k = 1; /* the condition comes first */
        while (k < ops->len && ops->at[k] != c->captures[i])
            k++;
        if (k == ops->len)
            vec_push(ops, c->captures[i]);
        at[i] = (i64)k - 1;
    }
    const IntList *list = intlist(st, (u32)c->ncaptures, at);
    free(at);
    return list;
}

static bool close_branch(Store *st, Node *version, const IntList *used, const PtrMap *mentioned,
                         Closed *c)
{
    NodeVec outs = {0};
    ScanShape s = scan_shape(version);
    for (int i = 0; i < s.nresults; i++)
        if (result_is_used(used, i))
            vec_push(&outs, node_proj(st, version, i));
    CloseRequest rq = {.nouts = (int)outs.len, .outs = outs.at, .mentioned = mentioned};
    bool ok = graph_close(st, &rq, c);
    vec_free(&outs);
    return ok;
}

static Node *choose(Store *st, Node *scan, Node *condition, Node *const *versions,
                    const IntList *used)
{
    PtrMap mentioned = {0};
    NodeVec ops = {0};
    Closed yes, no;
    Attr a[4] = {{0}};
    for (u32 i = 0; i < scan->nops; i++)
        map_put(&mentioned, scan->ops[i], scan->ops[i]);
    vec_push(&ops, condition);
    bool ok = close_branch(st, versions[0], used, &mentioned, &yes) &&
              close_branch(st, versions[1], used, &mentioned, &no);
    Node *r = NULL;
    if (ok) {
        a[0].graph = yes.graph, a[1].graph = no.graph;
        a[2].ints = operands_of(st, &yes, &ops);
        a[3].ints = operands_of(st, &no, &ops);
        r = node_make(st, OP_IFELSE, a, (u32)ops.len, ops.at);
    }
    map_free(&mentioned);
    vec_free(&ops);
    return r;
}

/* Different conditions that are parameters, so perhaps captures. */
static int count_choices(const Graph *body)
{
    NodeVec order = {0};
    PtrMap seen = {0};
    nodes_topo(body->nouts, body->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_IFELSE && order.at[i]->ops[0]->op == OP_PARAM)
            map_put(&seen, order.at[i]->ops[0], order.at[i]);
    int count = (int)seen.len;
    map_free(&seen);
    vec_free(&order);
    return count;
}

bool loop_unswitch(Engine *e, Node *n, Changes *out, Text *why)
{
    ScanShape s = scan_shape(n);
    const IntList *used = engine_used(e, n);
    int choices = count_choices(s.body);
    if (!choices || choices > MAX_CHOICES || graph_node_count(s.body) > MAX_BODY)
        return false;
    Node *condition = NULL, *versions[2], *choice = NULL;
    versions[0] = one_version(e->st, n, true, &condition);
    versions[1] = versions[0] ? one_version(e->st, n, false, &condition) : NULL;
    if (versions[1])
        choice = choose(e->st, n, condition, versions, used);
    for (int i = 0, k = 0; i < s.nresults && choice; i++) {
        if (!result_is_used(used, i))
            continue;
        Node *before = node_proj(e->st, n, i), *after = node_proj(e->st, choice, k++);
        if (!type_compatible(e->st, before->type, after->type))
            return false;
        vec_push(out, ((Change){before, after}));
    }
    text_put(why, "one loop for each answer");
    return choice != NULL;
}
