/* S8: states that start alike and step alike are one state.
 *
 * Which are the same is found by partition refinement: at first all states with equal
 * initial values are one class; each round reads every state as the first of its class
 * and splits the classes whose next values differ; when nothing splits, the classes are
 * equal at every step, by induction over steps. */
#include "passes/loops/loops.h"

typedef struct {
    ScanEdit *ed;
    int *first; /* of each state: the first one of its class */
} Classes;

static void start_classes(Classes *c)
{
    for (int i = 0; i < c->ed->s.nstates; i++) {
        c->first[i] = i;
        for (int k = 0; k < i && c->first[i] == i; k++)
            if (c->ed->states[k].init == c->ed->states[i].init)
                c->first[i] = c->first[k];
    }
}

static bool read_as_first(Classes *c, Node **next)
{
    ScanEdit *ed = c->ed;
    bool ok = true;
    for (int i = 0; i < ed->s.nstates && ok; i++) {
        PtrMap memo = {0};
        for (int k = 0; k < ed->s.nstates; k++)
            map_put(&memo, ed->states[k].hole, ed->states[c->first[k]].hole);
        ok = (next[i] = node_substitute(ed->st, ed->states[i].next, &memo)) != NULL;
        map_free(&memo);
    }
    return ok;
}

/* One round; true if a class was split. */
static bool split(Classes *c, Node *const *next)
{
    int n = c->ed->s.nstates;
    int *finer = xcalloc((size_t)n + 1, sizeof *finer);
    bool changed = false;
    for (int i = 0; i < n; i++) {
        finer[i] = i;
        for (int k = 0; k < i && finer[i] == i; k++)
            if (c->first[k] == c->first[i] && next[k] == next[i])
                finer[i] = finer[k];
        changed = changed || finer[i] != c->first[i];
    }
    memcpy(c->first, finer, (size_t)n * sizeof *finer);
    free(finer);
    return changed;
}

static int find_classes(Classes *c)
{
    int n = c->ed->s.nstates, twice = 0;
    Node **next = xcalloc((size_t)n + 1, sizeof *next);
    bool ok;
    start_classes(c);
    while ((ok = read_as_first(c, next)) && split(c, next)) {
    }
    for (int i = 0; i < n; i++)
        twice += c->first[i] != i;
    free(next);
    return ok ? twice : 0;
}

static bool may_have_twins(const ScanShape *s)
{
    for (int i = 0; i < s->nstates; i++)
        for (int k = 0; k < i; k++)
            if (s->inits[i] == s->inits[k])
                return true;
    return false;
}

bool loop_duplicate(Site *site)
{
    Node *n = site->node;
    ScanShape s = scan_shape(n);
    ScanEdit ed;
    if (!may_have_twins(&s))
        return site_refuse(site, NULL, "no two states start alike");
    if (!scan_open(site->st, n, &ed))
        return false;
    Classes c = {&ed, xcalloc((size_t)s.nstates + 1, sizeof *c.first)};
    int twice = find_classes(&c);
    if (!twice)
        site_refuse(site, NULL, "states that start alike do not step alike");
    PtrMap memo = {0};
    for (int i = 0; i < s.nstates; i++)
        if (c.first[i] != i) {
            ed.states[i].drop = true;
            map_put(&memo, ed.states[i].hole, ed.states[c.first[i]].hole);
        }
    Node *r = twice ? scan_become(site, &ed, &memo) : NULL;
    map_free(&memo);
    if (r) {
        for (int i = 0; i < s.nstates; i++)
            if (c.first[i] != i)
                site_put(site, node_proj(site->st, n, i), scan_final(&ed, r, c.first[i]));
        site_why(site, "%d state%s", twice, twice == 1 ? "" : "s");
    }
    free(c.first);
    scan_edit_free(&ed);
    return r != NULL;
}
