/* Steps inside steps: a place is "9.1", the first step inside the ninth.
 *
 * The state there is that of the whole expression: the body as it is after step 9.1, in its owner,
 * in the graph after step 8. So what happens inside can be drawn, compared and evaluated as
 * anything else. Steps inside one that expands a derivative are made on demand (open.c). */
#include "rewrite/history.h"
#include "graph/names.h"

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

static bool substitute(Store *st, int n, Node **roots, PtrMap *memo)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        Node *root = node_substitute(st, roots[i], memo);
        ok = root != NULL;
        roots[i] = ok ? root : roots[i];
    }
    return ok;
}

/* The roots of a log at the part of a place from `depth` on. */
static bool state_at(Store *st, const StepLog *log, int n, Node *const *start, const Place *p,
                     u32 depth, Node **roots);

static bool inside_body(Store *st, const Step *s, const Place *p, u32 depth, PtrMap *memo)
{
    int n = s->inner_before->nouts;
    Node **outs = xmalloc(((size_t)n + 1) * sizeof *outs);
    bool ok = state_at(st, s->inner, n, s->inner_before->outs, p, depth, outs);
    Node *owner = ok ? step_owner_with(st, s, outs) : NULL;
    if (owner)
        map_put(memo, s->changes[0].before, owner);
    free(outs);
    return owner != NULL;
}

static bool inside_derivative(Store *st, const Step *s, const Place *p, u32 depth, PtrMap *memo)
{
    Opened o;
    bool ok = step_open(st, s, &o);
    Node **now = xmalloc(((size_t)o.n + 1) * sizeof *now);
    ok = ok && state_at(st, &o.log, o.n, o.start, p, depth, now);
    for (int i = 0; i < o.n && ok; i++)
        map_put(memo, o.start[i], now[i]);
    free(now);
    opened_free(&o);
    return ok;
}

static bool state_at(Store *st, const StepLog *log, int n, Node *const *start, const Place *p,
                     u32 depth, Node **roots)
{
    u32 k = p->at[depth];
    bool last = depth + 1 == p->n;
    if (k > log->at.len || (!last && !k))
        return false;
    if (!log_replay(st, log, last ? k : k - 1, n, start, roots))
        return false;
    if (last)
        return true;
    const Step *s = &log->at.at[k - 1];
    PtrMap memo = {0};
    bool ok = step_rewrites_inside(s) ? inside_body(st, s, p, depth + 1, &memo)
              : step_opens(s)         ? inside_derivative(st, s, p, depth + 1, &memo)
                                      : false;
    ok = ok && substitute(st, n, roots, &memo);
    map_free(&memo);
    return ok;
}

bool exploration_state(Exploration *x, const Place *p, Node **roots)
{
    return p->n && state_at(x->st, &x->log, x->nroots, x->start, p, 0, roots);
}
