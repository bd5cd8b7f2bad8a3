/* Derivatives as nodes: what lies between the wanted nodes and the result is abstracted
 * into a closed graph, and a Grad, Vjp or Jvp node owns it.
 *
 * Invariant: only what depends on a wanted node is inside; the rest is captured where it
 * stands. Wanted nodes of which one depends on another are split into several nodes, so
 * that each derivative is the total one. */
#include "grad/scan_parts.h"
#include "lang/elab.h"

#include "graph/node_map.h"
#include "graph/walk.h"

/* Nodes that depend on one of x[0..nx), in topological order of everything the ys reach. */
static void dependents(int ny, Node *const *y, int nx, Node *const *x, NodeVec *order,
                       NodeSet *depends)
{
    nodes_topo(ny, y, order);
    for (int i = 0; i < nx; i++)
        set_add(depends, x[i]);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        for (u32 k = 0; k < n->nops && !map_has(depends, n); k++)
            if (map_has(depends, n->ops[k]))
                set_add(depends, n);
    }
}

/* n is captured where it stands; a range of indices is made inside instead, where a loop in
 * segments need not store it. */
static void capture(Node *n, NodeSet *frontier, NodeMap *memo)
{
    bool shifted = n->op == OP_ADD && n->nops == 2 &&
                   ((n->ops[0]->op == OP_IOTA && n->ops[1]->op == OP_CONST) ||
                    (n->ops[1]->op == OP_IOTA && n->ops[0]->op == OP_CONST));
    map_put(memo, n, n);
    if (n->op != OP_IOTA && !shifted)
        set_add(frontier, n);
    else
        for (u32 k = 0; k < n->nops; k++)
            capture(n->ops[k], frontier, memo);
}

bool derive_abstract(Elab *e, int ny, Node *const *y, int nx, Node *const *x, Abstracted *out)
{
    NodeVec order = {0}, outs = {0}, holes = {0};
    NodeSet depends = {0}, frontier = {0};
    NodeMap memo = {0};
    dependents(ny, y, nx, x, &order, &depends);
    for (int i = 0; i < nx; i++) {
        Node *h = node_hole(e->st, x[i]->type, node_name(e->st, x[i]));
        vec_push(&holes, h);
        map_put(&memo, x[i], h);
    }
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if (!map_has(&depends, n))
            continue;
        for (u32 k = 0; k < n->nops; k++)
            if (!map_has(&depends, n->ops[k]))
                capture(n->ops[k], &frontier, &memo);
    }
    bool ok = true;
    for (int i = 0; i < ny && ok; i++) {
        if (!map_has(&depends, y[i])) {
            set_add(&frontier, y[i]);
            map_put(&memo, y[i], y[i]);
        }
        Node *r = node_substitute(e->st, y[i], &memo);
        ok = r != NULL;
        vec_push(&outs, r);
    }
    CloseRequest rq = {
        .nfixed = nx, .fixed = holes.at, .nouts = ny, .outs = outs.at, .mentioned = &frontier};
    ok = ok && graph_close(e->st, &rq, &out->closed);
    out->args = (NodeVec){0};
    for (int i = 0; i < nx && ok; i++)
        vec_push(&out->args, x[i]);
    for (int i = 0; i < out->closed.ncaptures && ok; i++)
        vec_push(&out->args, out->closed.captures[i]);
    vec_free(&order);
    vec_free(&outs);
    vec_free(&holes);
    map_free(&depends);
    map_free(&memo);
    map_free(&frontier);
    return ok;
}

static bool check_wanted(Elab *e, Node *x, Span span)
{
    if (x->type->kind != TYPE_TENSOR || !dtype_is_float(x->type->dtype))
        return elab_error(e, span, "no-derivative",
                          "cast it to f64 first if its values are meant as real numbers",
                          "cannot differentiate with respect to a value of type %s: only floats "
                          "have derivatives",
                          shape_text(e->st, x->type)),
               false;
    if (x->op == OP_CONST)
        return elab_error(e, span, "no-derivative", "declare it as an input: x : f64 = 2",
                          "there is no derivative with respect to a constant"),
               false;
    return true;
}

static bool check_loss(Elab *e, Node *loss, Span span)
{
    Type *t = loss->type;
    if (t->kind == TYPE_TENSOR && t->rank == 0 && dtype_is_float(t->dtype))
        return true;
    bool integer = t->kind == TYPE_TENSOR && !dtype_is_float(t->dtype);
    return elab_error(e, span, integer ? "no-derivative" : "shape-mismatch",
                      integer ? "cast it to f64 first if its values are meant as real numbers"
                              : "reduce it to a scalar with sum(...), or use jacobian(y, x) or "
                                "vjp(y, x, ybar)",
                      "grad needs a floating-point scalar, but this is %s", shape_text(e->st, t)),
           false;
}

/* The body, where loops keep no more than is asked for; NULL after a diagnostic. */
static Graph *with_policy(Elab *e, const Abstracted *ab, DeriveOptions o)
{
    Graph *g = ab->closed.graph;
    return o.checkpoint == CHECKPOINT_NONE ? g : graph_with_policy(e->st, g, o.checkpoint);
}

/* One Grad node for a group of different wanted nodes none of which depends on another. */
static bool grad_group(Elab *e, Node *loss, int n, Node *const *wrt, Node **outs, Node **value,
                       DeriveOptions o)
{
    Abstracted ab;
    if (!derive_abstract(e, 1, &loss, n, wrt, &ab))
        return false;
    Attr a[] = {{.graph = with_policy(e, &ab, o)}, {.i = n}, {.i = o.truncate}};
    Node *g = a[0].graph ? node_make(e->st, OP_GRAD, a, (u32)ab.args.len, ab.args.at) : NULL;
    vec_free(&ab.args);
    for (int i = 0; i < n && g; i++)
        outs[i] = node_proj(e->st, g, i);
    if (g && value)
        *value = node_proj(e->st, g, n);
    return g != NULL;
}

/* What a node is computed from, the node itself too: found once for many questions about it. */
typedef struct {
    const Node *root;
    NodeFlags nodes;
} Cone;

static bool cone_has(Cone *c, Node *root, const Node *what)
{
    if (c->root != root) {
        NodeVec order = {0};
        c->root = root;
        node_map_clear(&c->nodes);
        nodes_topo(1, &root, &order);
        for (size_t i = 0; i < order.len; i++)
            node_map_put(&c->nodes, order.at[i], true);
        vec_free(&order);
    }
    return node_map_has(&c->nodes, what);
}

/* Is none of them computed from another? */
static bool independent(int n, Node *const *wrt)
{
    NodeVec operands = {0}, below = {0};
    NodeFlags read = {0};
    bool all = true;
    for (int i = 0; i < n; i++)
        for (u32 k = 0; k < wrt[i]->nops; k++)
            vec_push(&operands, wrt[i]->ops[k]);
    nodes_topo((int)operands.len, operands.at, &below);
    for (size_t i = 0; i < below.len; i++)
        node_map_put(&read, below.at[i], true);
    for (int i = 0; i < n && all; i++)
        all = !node_map_has(&read, wrt[i]);
    vec_free(&operands);
    vec_free(&below);
    node_map_free(&read);
    return all;
}

/* Where x[i] stands first: the same node may be wanted at several places. */
static int first_place(Node *const *x, int i)
{
    int k = 0;
    while (x[k] != x[i])
        k++;
    return k;
}

static bool unconnected(Elab *e, Node *x, bool zero, Node **out, Span span)
{
    if (zero)
        return (*out = build_zeros_like(e->st, x)) != NULL;
    Symbol name = node_name(e->st, x);
    const ElabHost *host = e->host;
    Symbol older = name && host && host->older ? host->older(host->session, name) : NULL;
    if (older) {
        char hint[200];
        snprintf(hint, sizeof hint,
                 "%.50s was built from an older %.50s: define it again to use the new one", older,
                 name);
        elab_error(e, span, "unconnected", hint, "the value does not depend on the new %s", name);
        return false;
    }
    elab_error(e, span, "unconnected", "if a zero gradient is intended, pass unconnected=zero",
               "this value does not depend on %s, so there is nothing to differentiate",
               name ? name : "the variable of differentiation");
    return false;
}

/* The ys as they depend on the xs, in which elements of sequences are read as what they are of:
 * seen[i * ny + k] is y[k] for x[i]. *same: the ys themselves for all. */
static bool see_through(Elab *e, int ny, Node *const *y, int nx, Node *const *x, Node **seen,
                        bool *same)
{
    *same = true;
    for (int i = 0; i < nx; i++)
        for (int k = 0; k < ny; k++) {
            if (!(seen[i * ny + k] = view_through(e, y[k], x[i])))
                return false;
            *same = *same && seen[i * ny + k] == y[k];
        }
    return true;
}

static bool distinct(int nx, Node *const *x)
{
    for (int i = 0; i < nx; i++)
        if (first_place(x, i) != i)
            return false;
    return true;
}

/* Those of `wrt` that are to be differentiated by, each once: places[] in `group`. */
static bool connected(Elab *e, int n, Node *const *wrt, Node *const *seen, DeriveOptions o,
                      NodeVec *group, int *places, Node **outs, Span span)
{
    bool ok = true;
    Cone cone = {0};
    for (int i = 0; i < n && ok; i++) {
        if (first_place(wrt, i) != i)
            continue;
        ok = check_wanted(e, wrt[i], span);
        if (ok && !o.keep && !cone_has(&cone, seen[i], wrt[i])) {
            ok = unconnected(e, wrt[i], o.zero, &outs[i], span);
        } else if (ok) {
            places[group->len] = i;
            vec_push(group, wrt[i]);
        }
    }
    node_map_free(&cone.nodes);
    return ok;
}

bool derive_connected(Elab *e, Node *y, int n, Node *const *x, bool zero, Span span)
{
    NodeVec group = {0};
    int *places = xcalloc((size_t)n + 1, sizeof *places);
    Node **room = xcalloc(2 * ((size_t)n + 1), sizeof *room);
    bool same, ok = see_through(e, 1, &y, n, x, room, &same) &&
                    connected(e, n, x, room, (DeriveOptions){.zero = zero}, &group, places,
                              room + n + 1, span);
    free(room);
    free(places);
    vec_free(&group);
    return ok;
}

bool derive_grad(Elab *e, Node *loss, int n, Node *const *wrt, DeriveOptions o, Node **outs,
                 Node **value, Span span)
{
    e->st->span = span;
    if (!check_loss(e, loss, span))
        return false;
    if (value)
        *value = loss;
    NodeVec group = {0};
    int *places = xcalloc((size_t)n + 1, sizeof *places);
    Node **found = xcalloc(2 * ((size_t)n + 1), sizeof *found), **seen = found + n + 1;
    bool same, ok = see_through(e, 1, &loss, n, wrt, seen, &same) &&
                    connected(e, n, wrt, seen, o, &group, places, outs, span);
    if (ok && group.len && same && independent((int)group.len, group.at))
        ok = grad_group(e, loss, (int)group.len, group.at, found, value, o);
    else
        for (size_t i = 0; i < group.len && ok; i++)
            ok = grad_group(e, seen[places[i]], 1, &group.at[i], &found[i], i ? NULL : value, o);
    for (size_t i = 0; i < group.len && ok; i++)
        outs[places[i]] = found[i];
    for (int i = 0; i < n && ok; i++)
        outs[i] = outs[first_place(wrt, i)];
    free(found);
    free(places);
    vec_free(&group);
    return ok;
}

/* The common end of vjp and jvp: a node of `op` over body, arguments and vectors. */
static Node *product_node(Elab *e, OpId op, Abstracted *ab, int nx, int nv, Node *const *vectors,
                          DeriveOptions o, bool ok)
{
    Attr a[] = {{.graph = ok ? with_policy(e, ab, o) : NULL}, {.i = nx}, {.i = o.truncate}};
    for (int i = 0; i < nv; i++)
        vec_push(&ab->args, vectors[i]);
    Node *n = a[0].graph ? node_make(e->st, op, a, (u32)ab->args.len, ab->args.at) : NULL;
    vec_free(&ab->args);
    return n;
}

/* The vectors are cotangents of ys (vjp) or tangents of xs (jvp); outs: of xs, or of ys. */
static bool product_group(Elab *e, OpId op, int ny, Node *const *y, int nx, Node *const *x,
                          Node *const *vectors, DeriveOptions o, Node **outs)
{
    Abstracted ab;
    bool back = op == OP_VJP, ok = derive_abstract(e, ny, y, nx, x, &ab);
    Node *n = product_node(e, op, &ab, nx, back ? ny : nx, vectors, o, ok);
    for (int i = 0; i < (back ? nx : ny) && n; i++)
        outs[i] = node_proj(e->st, n, i);
    return n != NULL;
}

/* The sum of the total derivatives along each vector, where one wanted node depends on another, is
 * wanted twice or is seen through elements of sequences (`seen` as in see_through). */
static bool jvp_sum(Elab *e, int ny, Node *const *seen, int nx, Node *const *x, Node *const *dx,
                    DeriveOptions o, Node **outs)
{
    Node **part = xcalloc((size_t)ny + 1, sizeof *part);
    bool ok = true;
    for (int i = 0; i < nx && ok; i++) {
        ok = product_group(e, OP_JVP, ny, seen + i * ny, 1, &x[i], &dx[i], o, part);
        for (int k = 0; k < ny && ok; k++)
            ok = (outs[k] = i ? build_add(e->st, outs[k], part[k]) : part[k]) != NULL;
    }
    free(part);
    return ok;
}

static bool derive_product(Elab *e, OpId op, int ny, Node *const *y, int nx, Node *const *x,
                           Node *const *vectors, DeriveOptions o, Node **outs, Span span)
{
    e->st->span = span;
    for (int i = 0; i < nx; i++)
        if (!check_wanted(e, x[i], span))
            return false;
    Node **seen = xcalloc((size_t)(nx * ny) + 1, sizeof *seen);
    bool same, ok = see_through(e, ny, y, nx, x, seen, &same);
    if (ok && same && distinct(nx, x) && independent(nx, x))
        ok = product_group(e, op, ny, y, nx, x, vectors, o, outs);
    else if (ok && op == OP_JVP)
        ok = jvp_sum(e, ny, seen, nx, x, vectors, o, outs);
    else
        for (int i = 0; i < nx && ok; i++)
            ok = product_group(e, op, ny, seen + i * ny, 1, &x[i], vectors, o, &outs[i]);
    free(seen);
    return ok;
}

bool derive_vjp(Elab *e, int ny, Node *const *y, int nx, Node *const *x, Node *const *ybar,
                DeriveOptions o, Node **outs, Span span)
{
    return derive_product(e, OP_VJP, ny, y, nx, x, ybar, o, outs, span);
}

/* The vector of a product as a node of like's type; false after a diagnostic at span. */
static bool derive_vector(Elab *e, Value *v, Node *like, Span span, const char *what, Node **out)
{
    *out = value_as(e, v, like->type->dtype, span, what);
    if (!*out)
        return false;
    if ((*out)->type->kind != TYPE_TENSOR || like->type->kind != TYPE_TENSOR)
        return elab_error(e, span, "type-mismatch", NULL, "%s takes tensors", what), false;
    e->st->span = span;
    *out = node_cast(e->st, *out, like->type->dtype);
    if (!*out)
        return false;
    if (!type_compatible(e->st, (*out)->type, like->type))
        return elab_error(e, span, "shape-mismatch", NULL,
                          "this vector has type %s but %s is needed",
                          shape_text(e->st, (*out)->type), shape_text(e->st, like->type)),
               false;
    if ((*out)->type != like->type)
        *out = node2(e->st, OP_MATCH_SHAPE, NULL, *out, like);
    return *out != NULL;
}

bool derive_vectors(Elab *e, Value *v, Value *form, Node *const *x, Span span, const char *what,
                    Node **out)
{
    v = value_plain(e, v);
    if (!v)
        return false;
    bool many = form->kind == V_TUPLE, vjp = !strcmp(what, "vjp");
    Text told = {0};
    text_printf(&told, "%s of %%s needs %s, but this is %%s", what,
                many ? "a vector for each part" : "one vector");
    Value bare = *form;
    bare.names = v->kind == V_TUPLE && !v->names ? NULL : form->names; /* a list for a list */
    bool ok = tuple_check(e, &bare, v, span,
                          vjp    ? many ? "vjp((y, z), x, (ybar, zbar))" : "vjp(y, x, ybar)"
                          : many ? "jvp(y, (x, w), (dx, dw))"
                                 : "jvp(y, x, dx)",
                          text_str(&told));
    text_free(&told);
    ValueVec leaves = {0};
    ok = ok && tuple_leaves(e, v, span, "a vector", &leaves);
    for (size_t i = 0; i < leaves.len && ok; i++)
        ok = derive_vector(e, leaves.at[i], x[i], span, what, &out[i]);
    vec_free(&leaves);
    return ok;
}

Value *derive_push(Elab *e, Value *y, int nx, Node *const *x, Node *const *dx, DeriveOptions o,
                   Span at, Span span)
{
    NodeVec ys = {0};
    Value *result = NULL;
    if (!value_nodes(e, y, &ys) || !ys.len) {
        vec_free(&ys);
        return elab_error(e, at, "type-mismatch", NULL,
                          "jvp differentiates tensors, but this is %s", value_describe(e, y));
    }
    Node **outs = xcalloc(ys.len, sizeof *outs);
    int used = 0;
    if (derive_product(e, OP_JVP, (int)ys.len, ys.at, nx, x, dx, o, outs, span))
        result = value_in_form(e, y, outs, &used);
    free(outs);
    vec_free(&ys);
    return result;
}
