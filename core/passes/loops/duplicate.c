/* S8: states that start alike and step alike are one state.
 *
 * Which are the same is found by partition refinement: at first all states with equal
 * initial values are one class; each round reads every state as the first of its class
 * and splits the classes whose next values differ; when nothing splits, the classes are
 * equal at every step, by induction over steps. */
#include "graph/reads.h"
#include "passes/loops/loops.h"

typedef struct {
    Store *st;
    const ScanShape *s;
    int *first; /* of each state: the first one of its class */
} Classes;

/* With one state in place of another a value keeps its operator, and what it reads beside states.
 */
static bool may_step_alike(const ScanShape *s, int i, int k)
{
    const Node *a = s->body->outs[i], *b = s->body->outs[k];
    return a->op == b->op && a->nops == b->nops && a->nattrs == b->nattrs &&
           reads_alike(graph_reads(s->body), a, b, s->nstates, s->body->nparams);
}

/* Splits the classes at states for which `next` differs; NULL: that may not step alike. True if
 * there was one. */
static bool split(Classes *c, Node *const *next)
{
    int n = c->s->nstates;
    int *finer = xcalloc((size_t)n + 1, sizeof *finer);
    bool changed = false;
    for (int i = 0; i < n; i++) {
        finer[i] = i;
        for (int k = 0; k < i && finer[i] == i; k++)
            if (c->first[k] == c->first[i] &&
                (next ? next[k] == next[i] : may_step_alike(c->s, i, k)))
                finer[i] = finer[k];
        changed = changed || finer[i] != c->first[i];
    }
    memcpy(c->first, finer, (size_t)n * sizeof *finer);
    free(finer);
    return changed;
}

/* How many states are not the first one of their class? */
static int count_twins(const Classes *c)
{
    int twice = 0;
    for (int i = 0; i < c->s->nstates; i++)
        twice += c->first[i] != i;
    return twice;
}

/* The next values, each state read as the first of its class. */
static bool read_as_first(Classes *c, Node **next)
{
    Graph *body = c->s->body;
    bool ok = true;
    NodeMap memo = {0};
    for (int k = 0; k < c->s->nstates; k++)
        map_put(&memo, body->param_nodes[k], body->param_nodes[c->first[k]]);
    for (int i = 0; i < c->s->nstates && ok; i++)
        ok = (next[i] = node_substitute(c->st, body->outs[i], &memo)) != NULL;
    map_free(&memo);
    return ok;
}

/* States that start alike are of one class. How many are not its first? */
static int start_classes(Classes *c)
{
    for (int i = 0; i < c->s->nstates; i++) {
        c->first[i] = i;
        for (int k = 0; k < i && c->first[i] == i; k++)
            if (c->s->inits[k] == c->s->inits[i])
                c->first[i] = c->first[k];
    }
    return count_twins(c);
}

static int find_classes(Classes *c)
{
    Node **next = xcalloc((size_t)c->s->nstates + 1, sizeof *next);
    bool ok = true;
    split(c, NULL);
    while (count_twins(c) && (ok = read_as_first(c, next)) && split(c, next)) {
    }
    free(next);
    return ok ? count_twins(c) : 0;
}

/* The loop with the first state of each class in place of the others. */
static bool keep_first(Site *site, const Classes *c)
{
    ScanEdit ed;
    NodeMap memo = {0};
    if (!scan_open(site->st, site->node, &ed))
        return false;
    for (int i = 0; i < c->s->nstates; i++)
        if (c->first[i] != i) {
            ed.states[i].drop = true;
            map_put(&memo, ed.states[i].hole, ed.states[c->first[i]].hole);
        }
    Node *r = scan_become(site, &ed, &memo);
    for (int i = 0; i < c->s->nstates && r; i++)
        if (c->first[i] != i)
            site_put(site, node_proj(site->st, site->node, i), scan_final(&ed, r, c->first[i]));
    map_free(&memo);
    scan_edit_free(&ed);
    return r != NULL;
}

bool loop_duplicate(Site *site)
{
    ScanShape s = scan_shape(site->node);
    Classes c = {site->st, &s, xcalloc((size_t)s.nstates + 1, sizeof *c.first)};
    bool alike = start_classes(&c) > 0;
    int twice = alike ? find_classes(&c) : 0;
    bool done = twice && keep_first(site, &c);
    if (done)
        site_why(site, "%d state%s", twice, twice == 1 ? "" : "s");
    else if (!twice)
        site_refuse(site, NULL,
                    alike ? "states with equal initial values have different updates"
                          : "no two states have equal initial values");
    free(c.first);
    return done;
}
