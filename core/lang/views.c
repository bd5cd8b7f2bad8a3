/* What the variables of open bodies are of: an element of a sequence, an argument, a lane.
 *
 * Inside a body, the element of a sequence is a variable; a derivative by something outside must
 * see how it depends on that. So it reads the variable as what it is a view of: y[t] of the whole
 * y. Variables that stand for themselves (states, what a derived function is differentiated by)
 * are no views: they are constants for such a derivative. */
#include "lang/elab.h"

typedef struct View {
    Node *source; /* outside, where it may hold variables of bodies further out */
    Node *at;     /* the position along `axis` is at + offset; NULL: the source itself */
    i64 offset;
    int axis;
} View;

void view_note(Elab *e, Node *variable, Node *source, int axis, Node *at, i64 offset)
{
    View *v = arena_alloc(e->arena, sizeof *v);
    *v = (View){source, at, offset, axis};
    map_put(&e->views, variable, v);
}

Node *view_of(Elab *e, const Node *variable, int *axis)
{
    const View *v = map_get(&e->views, (Node *)(uintptr_t)variable);
    *axis = v && v->at ? v->axis : -1;
    return v ? v->source : NULL;
}

/* Does n depend on x, read through views? `seen`: nodes that do not. */
static bool depends(Elab *e, Node *n, const Node *x, NodeSet *seen)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo_more(n, seen, &order);
    for (size_t i = 0; i < order.len && !found; i++) {
        const View *v = order.at[i] == x ? NULL : map_get(&e->views, order.at[i]);
        found = order.at[i] == x || (v && depends(e, v->source, x, seen));
    }
    vec_free(&order);
    return found;
}

static Node *through(Elab *e, Node *n, const Node *x);

/* What the variable is of, if that depends on x; else the variable. */
static Node *opened(Elab *e, Node *variable, const View *v, const Node *x)
{
    NodeSet seen = {0};
    bool open = depends(e, v->source, x, &seen);
    map_free(&seen);
    Node *source = open ? through(e, v->source, x) : NULL;
    if (!open || !source)
        return open ? NULL : variable;
    if (!v->at)
        return source;
    Node *at = v->offset ? build_add(e->st, v->at, node_i64(e->st, v->offset)) : v->at;
    return at ? build_index(e->st, source, v->axis, at) : NULL;
}

static Node *through(Elab *e, Node *n, const Node *x)
{
    if (!n->open || n == x)
        return n;
    NodeVec order = {0};
    NodeMap memo = {0};
    bool ok = true, any = false;
    nodes_topo(1, &n, &order);
    for (size_t i = 0; i < order.len && ok; i++) {
        const View *v = order.at[i] == x ? NULL : map_get(&e->views, order.at[i]);
        Node *as = v ? opened(e, order.at[i], v, x) : order.at[i];
        ok = as != NULL;
        if (as != order.at[i])
            map_put(&memo, order.at[i], as);
        any = any || as != order.at[i];
    }
    map_put(&memo, x, (Node *)(uintptr_t)x); /* x itself stays what it is */
    Node *r = !ok ? NULL : any ? node_substitute(e->st, n, &memo) : n;
    vec_free(&order);
    map_free(&memo);
    return r;
}

Node *view_through(Elab *e, Node *n, const Node *x) { return through(e, n, x); }
