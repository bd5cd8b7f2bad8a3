/* Steps inside steps: a place is "9.1", the first step inside the ninth.
 *
 * The state there is that of the whole expression: the body as it is after step 9.1, in its owner,
 * in the graph after step 8. So what happens inside can be drawn, compared and evaluated as
 * anything else. Steps inside one that opens are made on demand (open.h). */
#include "graph/provenance.h"
#include "rewrite/history.h"
#include "graph/names.h"
#include "rewrite/things.h"

bool place_parse(const char *text, Place *out)
{
    out->n = 0;
    for (const char *s = text;; s++) {
        char *end;
        unsigned long k = *s >= '0' && *s <= '9' ? strtoul(s, &end, 10) : UINT32_MAX;
        if (k >= UINT32_MAX || out->n == PLACE_DEPTH)
            return false;
        out->at[out->n++] = (u32)k;
        s = end;
        if (!*s)
            return true;
        if (*s != '.')
            return false;
    }
}

void place_print(Text *out, const Place *p)
{
    text_put(out, p->n ? "" : "0");
    for (u32 i = 0; i < p->n; i++)
        text_printf(out, "%s%u", i ? "." : "", p->at[i]);
}

/* Does it put something else in the place of the node? */
static bool takes(const Step *s, const Node *n)
{
    bool here = false;
    for (int k = 0; k < s->nchanges && !s->inner && !here; k++) {
        const Node *before = s->changes[k].before;
        here = before == n || (before->op == OP_PROJ && before->ops[0] == n);
    }
    return here;
}

const Step *step_of_rule(const StepLog *log, const char *rule, const Node *n, Text *number,
                         const Graph **within)
{
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        size_t len = number->len;
        const Graph *around = *within;
        text_printf(number, "%s%zu", len ? "." : "", i + 1);
        *within = s->inner_before;
        const Step *inside =
            s->inner && !s->again ? step_of_rule(s->inner, rule, n, number, within) : NULL;
        if (inside)
            return inside;
        *within = around;
        if (!strcmp(step_rule(s), rule) && (!n || takes(s, n)))
            return s;
        number->len = len;
    }
    return NULL;
}

bool step_rewrites_inside(const Step *s)
{
    return s->inner && s->inner_before && s->inner_before != s->inner_after;
}

Node *step_owner_with(Store *st, const Step *s, Node *const *outs)
{
    const Graph *g = s->inner_before;
    Node *owner = s->changes[0].before;
    Graph *body = graph_make(st, g->nparams, g->params, g->nouts, outs);
    graph_names_share(st, g, body);
    Attr attrs[8];
    int slots[4], n = node_graphs(owner, slots);
    memcpy(attrs, owner->attrs, owner->nattrs * sizeof *attrs);
    for (int i = 0; i < n; i++)
        if (attrs[slots[i]].graph == g) {
            attrs[slots[i]].graph = body;
            Node *r = node_with_attrs(st, owner, attrs);
            return r && type_compatible(st, r->type, owner->type) ? r : NULL;
        }
    return NULL;
}

static bool substitute(Store *st, int n, Node **roots, NodeMap *memo)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        Node *root = node_substitute(st, roots[i], memo);
        ok = root != NULL;
        roots[i] = ok ? root : roots[i];
    }
    return ok;
}

/* A log on the graph `within` (NULL: the outermost). */
typedef struct {
    Exploration *x;
    const Graph *within;
    const StepLog *log;
    int n;
    Node *const *start;
    const Place *p;
} At;

/* The roots of a log at the part of a place from `depth` on. */
static bool state_at(const At *at, u32 depth, Node **roots);

static bool inside_body(const At *at, const Step *s, u32 depth, NodeMap *memo)
{
    Graph *g = s->inner_before;
    At in = {at->x, g, s->inner, g->nouts, g->outs, at->p};
    Node **outs = xmalloc(((size_t)g->nouts + 1) * sizeof *outs);
    bool ok = state_at(&in, depth, outs);
    Node *owner = ok ? step_owner_with(at->x->st, s, outs) : NULL;
    if (owner)
        map_put(memo, s->changes[0].before, owner);
    free(outs);
    return owner != NULL;
}

static bool inside_opened(const At *at, const Step *s, u32 depth, NodeMap *memo)
{
    const Opened *o = exploration_opened(at->x, s);
    if (!o)
        return false;
    At in = {at->x, at->within, &o->log, o->n, o->start, at->p};
    Node **now = xmalloc(((size_t)o->n + 1) * sizeof *now);
    if (at->x->things)
        things_open(at->x);
    bool ok = state_at(&in, depth, now);
    for (int i = 0; i < o->n && ok; i++)
        map_put(memo, o->start[i], now[i]);
    free(now);
    return ok;
}

/* The roots with something inside step s as it is on the way. */
static bool step_half_way(const At *at, const Step *s, u32 depth, Node **roots)
{
    NodeMap memo = {0};
    bool ok = step_rewrites_inside(s) ? inside_body(at, s, depth, &memo)
              : step_opens(s)         ? inside_opened(at, s, depth, &memo)
                                      : false;
    ok = ok && substitute(at->x->st, at->n, roots, &memo);
    if (ok && at->x->things)
        things_adopt(at->x, at->within, &memo, at->n, roots);
    map_free(&memo);
    return ok;
}

static bool state_at(const At *at, u32 depth, Node **roots)
{
    u32 k = at->p->at[depth];
    bool last = depth + 1 == at->p->n;
    if (k > at->log->at.len || (!last && !k))
        return false;
    if (!log_replay(at->x->st, at->log, last ? k : k - 1, at->n, at->start, roots))
        return false;
    return last || step_half_way(at, &at->log->at.at[k - 1], depth + 1, roots);
}

void exploration_view(Exploration *x, const Place *p)
{
    provenance_view(x->st, log_time(&x->log, p->at[0]));
}

bool exploration_state(Exploration *x, const Place *p, Node **roots)
{
    At at = {x, NULL, &x->log, x->nroots, x->start, p};
    return p->n && state_at(&at, 0, roots);
}

bool place_is_later(const Place *a, const Place *b)
{
    u32 i = 0;
    while (i < a->n && i < b->n && a->at[i] == b->at[i])
        i++;
    return i < a->n && i < b->n && a->at[i] > b->at[i];
}

const Step *place_step(const Exploration *x, const Place *p)
{
    const StepLog *log = &x->log;
    const Step *s = NULL;
    for (u32 i = 0; i < p->n && log; i++) {
        s = p->at[i] && p->at[i] <= log->at.len ? &log->at.at[p->at[i] - 1] : NULL;
        log = s ? s->inner : NULL;
    }
    return s;
}
