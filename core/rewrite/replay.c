/* Replaying a log of steps.
 *
 * A state is not built by so many substitutions of the whole graph: from the beginning of the sweep
 * in which step k lies, all changes up to k are made in one walk. That gives the same graph because
 * a sweep works operands first: when a node is replaced, the changes below it have been made.
 * Time is the number of a step; what a step brings in is subject to later steps only. */
#include "graph/provenance.h"
#include "rewrite/history.h"
#include "graph/names.h"

/* ---- one step after the other ---- */

void walk_begin(Walk *w, Store *st, const StepLog *log, int n, Node *const *start)
{
    *w = (Walk){.st = st, .log = log, .n = n, .start = start};
    w->roots = xmalloc(((size_t)n + 1) * sizeof *w->roots);
    memcpy(w->roots, start, (size_t)n * sizeof *w->roots);
}

bool walk_next(Walk *w)
{
    if (w->at >= w->log->at.len)
        return false;
    const Step *s = &w->log->at.at[w->at++];
    map_free(&w->moved);
    for (int i = 0; i < s->nchanges; i++)
        map_put(&w->moved, s->changes[i].before, s->changes[i].after);
    NameScope scope;
    if (w->log->within)
        names_open(w->st, &scope, w->log->within);
    bool ok = true;
    for (int i = 0; i < w->n && ok; i++) {
        Node *root = node_substitute(w->st, w->roots[i], &w->moved);
        ok = root != NULL;
        w->roots[i] = ok ? root : w->roots[i];
    }
    if (w->log->within) {
        names_keep(w->st, &scope);
        names_close(w->st, &scope, NULL);
    }
    return ok;
}

void walk_end(Walk *w)
{
    free(w->roots);
    map_free(&w->moved);
    w->roots = NULL;
}

/* ---- many steps at once ---- */

#define NEVER UINT32_MAX

typedef struct {
    Node *after;
    u32 time;
    u32 next;   /* place + 1 of the same node's next event */
    bool moved; /* the node took other operands before, in the same sweep */
} Event;

typedef struct {
    Store *st;
    VEC(Event) events;
    NodeCounts first, final; /* node -> place + 1 of its first and last event */
    NodeSet seen;
    NodeCounts latest; /* node -> the latest event at it or below it */
    u32 since;         /* when the present sweep began */
    NodeMap *became;   /* what the nodes of then are at the end; may be NULL */
} Replay;

static void add_event(Replay *r, Node *before, Event event)
{
    vec_push(&r->events, event);
    u32 place = (u32)r->events.len, previous = map_get(&r->final, before);
    if (previous)
        r->events.at[previous - 1].next = place;
    else
        map_put(&r->first, before, place);
    map_put(&r->final, before, place);
}

/* The changes of a nested step stand below one another: what a node was when the step replaced it
 * cannot be seen from its operands as they are afterwards. But the log says which node it came
 * from, and in such sweeps no node is replaced twice. */
static void add_nested(Replay *r, const StepLog *log, u32 from, u32 k)
{
    NodeCounts of = {0}; /* node before -> place + 1 of the event */
    u32 place = 0;
    for (u32 i = from; i < k; i++)
        for (int c = 0; c < log->at.at[i].nchanges; c++, place++)
            if (log->at.at[i].nested)
                map_put(&of, log->at.at[i].changes[c].before, place + 1);
    for (size_t i = 0; of.len && i < log->moves.len; i++) {
        const Move *m = &log->moves.at[i];
        u32 event = m->step >= from ? map_get(&of, m->after) : 0;
        if (!event)
            continue;
        Event e = r->events.at[event - 1];
        add_event(r, m->before, (Event){e.after, e.time, 0, true});
    }
    map_free(&of);
}

/* The first event at n after `time`, or NULL. */
static const Event *event_after(const Replay *r, const Node *n, u32 time)
{
    u32 place = map_get(&r->first, n);
    while (place && r->events.at[place - 1].time <= time)
        place = r->events.at[place - 1].next;
    return place ? &r->events.at[place - 1] : NULL;
}

static u32 latest_event(Replay *r, Node *root)
{
    NodeVec order = {0};
    if (!map_has(&r->seen, root))
        nodes_topo_more(root, &r->seen, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        u32 place = map_get(&r->final, n), latest = place ? r->events.at[place - 1].time : 0;
        for (u32 k = 0; k < n->nops; k++) {
            u32 below = map_get(&r->latest, n->ops[k]);
            latest = below > latest ? below : latest;
        }
        if (latest)
            map_put(&r->latest, n, latest);
    }
    vec_free(&order);
    return map_get(&r->latest, root);
}

/* What lies between a root and the nodes that no later step concerns, operands first. */
static void changing(Replay *r, Node *root, u32 time, NodeVec *order)
{
    typedef struct {
        Node *node;
        u32 next;
    } Frame;
    VEC(Frame) stack = {0};
    NodeSet here = {0};
    vec_push(&stack, ((Frame){root, 0}));
    set_add(&here, root);
    while (stack.len) {
        Frame *f = &stack.at[stack.len - 1];
        if (f->next == f->node->nops) {
            vec_push(order, f->node);
            stack.len--;
            continue;
        }
        Node *op = f->node->ops[f->next++];
        if (latest_event(r, op) > time && !map_has(&here, op)) {
            set_add(&here, op);
            vec_push(&stack, ((Frame){op, 0}));
        }
    }
    vec_free(&stack);
    map_free(&here);
}

/* A node, and since when it stands there. */
typedef struct {
    Node *node; /* NULL: it cannot be built (a bug) */
    u32 since;
} Stand;

/* What nodes of one cone become. */
typedef struct {
    u32 time; /* the cone came in then */
    NodeMap node;
    NodeCounts since, changed; /* changed: when the node's cone first changes */
} Cone;

static Stand resolve(Replay *r, Node *root, u32 time);

/* n with its operands as they have become, unless n itself was replaced first. */
static Stand resolve_one(Replay *r, const Cone *c, Node *n, u32 below)
{
    const Event *own = event_after(r, n, c->time);
    if (own && (own->moved || own->time <= below))
        return resolve(r, own->after, own->time);
    Node *small[8], **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    u32 since = c->time;
    for (u32 i = 0; i < n->nops; i++) {
        Node *op = map_get(&c->node, n->ops[i]);
        u32 at = map_get(&c->since, n->ops[i]);
        ops[i] = op ? op : n->ops[i];
        since = at > since ? at : since;
    }
    Node *m = node_with_operands(r->st, n, ops);
    if (ops != small)
        free(ops);
    const Event *then = m ? event_after(r, m, since) : NULL;
    return then ? resolve(r, then->after, then->time) : (Stand){m, since};
}

/* What a node that came in at `time` has become at the end. */
static Stand resolve(Replay *r, Node *root, u32 time)
{
    if (latest_event(r, root) <= time)
        return (Stand){root, time};
    NodeVec order = {0};
    Cone c = {.time = time};
    changing(r, root, time, &order);
    Stand s = {root, time};
    for (size_t i = 0; i < order.len && s.node; i++) {
        Node *n = order.at[i];
        u32 below = NEVER;
        for (u32 k = 0; k < n->nops; k++) {
            u32 at = map_get(&c.changed, n->ops[k]);
            below = at && at < below ? at : below;
        }
        const Event *own = event_after(r, n, time);
        u32 first = own && own->time < below ? own->time : below;
        if (first != NEVER)
            map_put(&c.changed, n, first);
        s = resolve_one(r, &c, n, below);
        if (s.node) {
            map_put(&c.node, n, s.node);
            map_put(&c.since, n, s.since);
        }
        if (s.node && r->became && time == r->since)
            map_put(r->became, n, s.node);
    }
    vec_free(&order);
    map_free(&c.node);
    map_free(&c.since);
    map_free(&c.changed);
    return s;
}

/* A log that no engine wrote (open.c) knows nothing of sweeps. */
static bool replay_singly(Store *st, const StepLog *log, u32 k, int nroots, Node *const *start,
                          Node **roots)
{
    Walk w;
    bool ok = true;
    walk_begin(&w, st, log, nroots, start);
    while (ok && w.at < k)
        ok = walk_next(&w);
    memmove(roots, w.roots, (size_t)nroots * sizeof *roots);
    walk_end(&w);
    return ok;
}

static bool replay(Store *st, const StepLog *log, u32 k, int nroots, Node *const *start,
                   Node **roots, NodeMap *became)
{
    u32 done = 0;
    k = k < log->at.len ? k : (u32)log->at.len;
    if (!log->sweeps.len)
        return replay_singly(st, log, k, nroots, start, roots);
    memmove(roots, start, (size_t)nroots * sizeof *roots);
    for (size_t i = 0; i < log->sweeps.len && log->sweeps.at[i].step <= k; i++)
        if (log->sweeps.at[i].step > done) {
            done = log->sweeps.at[i].step;
            memcpy(roots, log->sweeps.at[i].roots, (size_t)nroots * sizeof *roots);
        }
    Replay r = {.st = st, .since = done, .became = became};
    for (u32 i = done; i < k; i++)
        for (int c = 0; c < log->at.at[i].nchanges; c++) {
            const Change *change = &log->at.at[i].changes[c];
            add_event(&r, change->before, (Event){change->after, i + 1, 0, false});
        }
    add_nested(&r, log, done, k);
    bool ok = true;
    for (int i = 0; i < nroots && ok; i++) {
        Node *root = resolve(&r, roots[i], done).node;
        ok = root != NULL;
        roots[i] = ok ? root : roots[i];
    }
    vec_free(&r.events);
    map_free(&r.first);
    map_free(&r.final);
    map_free(&r.seen);
    map_free(&r.latest);
    return ok;
}

u32 log_time(const StepLog *log, u32 k)
{
    return k ? log->at.at[k - 1].time : log->at.len ? log->at.at[0].time - 1 : 0;
}

bool log_replay(Store *st, const StepLog *log, u32 k, int nroots, Node *const *start, Node **roots)
{
    return log_replay_became(st, log, k, nroots, start, roots, NULL);
}

bool log_replay_became(Store *st, const StepLog *log, u32 k, int nroots, Node *const *start,
                       Node **roots, NodeMap *became)
{
    NameScope scope;
    u32 view = provenance_view(st, log_time(log, k)); /* what is built anew is named as it was */
    if (log->within)
        names_open(st, &scope, log->within);
    bool ok = replay(st, log, k, nroots, start, roots, became);
    if (log->within) {
        names_keep(st, &scope);
        names_close(st, &scope, NULL);
    }
    provenance_view(st, view);
    return ok;
}

bool exploration_replay(Exploration *x, u32 k, Node **roots)
{
    return log_replay(x->st, &x->log, k, x->nroots, x->start, roots);
}

u32 steps_before_passes(const Exploration *x, size_t n, const char *const *passes)
{
    for (size_t i = 0; i < x->passes.len; i++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(x->passes.at[i].name, passes[k]) == 0)
                return x->passes.at[i].first_step;
    return (u32)x->log.at.len;
}
