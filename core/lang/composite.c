/* Composite operators: one node each, with a derivative of its own.
 *
 * What they mean stands in ops/definitions.c, or in the prelude, in the language: `composite f(x,
 * axis) = ...` is the definition that the rule expand-composite opens, `derivative f(x, axis, y,
 * dy) = ...` the cotangent of x, y being the value and dy its cotangent. Parameters are known by
 * name: x, y, dy, the attributes of the operator (axes as `axis`), and `count`, how many elements
 * the axes run over, in x's dtype.
 *
 * Invariant: axes are increasing and within the rank; the operand is of floats; a
 * definition has the type of its node. */
#include "graph/names.h"
#include "graph/provenance.h"
#include "lang/composite.h"

#include "embed/embed.h"
#include "lang/elab.h"
#include "syntax/parse.h"
#include "ops/cotangent.h"
#include "ops/definitions.h"
#include "ops/functions.h"
#include "ops/mask.h"

static bool keeps_shape(OpId op) { return op_table[op].infer == infer_along; }

/* ---- what the prelude says ---- */

struct Composites {
    const Stmt *definition[OP_COUNT], *derivative[OP_COUNT];
};

static struct Composites *read_prelude(Store *st)
{
    struct Composites *all = arena_alloc(&st->arena, sizeof *all);
    Source *src = arena_alloc(&st->arena, sizeof *src);
    src->name = arena_strndup(&st->arena, "prelude.gr", 10);
    src->text = arena_strndup(&st->arena, embed_prelude_gr, embed_prelude_gr_len);
    src->len = embed_prelude_gr_len;
    Diags diags = {0};
    Parser p;
    parser_init(&p, src, &st->arena, &diags, false);
    Stmt *s;
    while (parse_statement(&p, &s) == PARSE_OK) {
        OpId op = s->kind == S_COMPOSITE || s->kind == S_DERIVATIVE ? op_by_name(s->names[0].name)
                                                                    : OP_COUNT;
        if (op == OP_COUNT)
            continue;
        *(s->kind == S_COMPOSITE ? &all->definition[op] : &all->derivative[op]) = s;
    }
    if (diags.list.len)
        die("prelude.gr: %s", diags.list.at[0].message);
    diags_free(&diags);
    return all;
}

const Stmt *composite_text(Store *st, OpId op, bool derivative)
{
    if (!st->composites)
        st->composites = read_prelude(st);
    const Stmt *s = (derivative ? st->composites->derivative : st->composites->definition)[op];
    if (!s && op_table[op].cls == CLASS_COMPOSITE && !op_is_defined(op))
        die("the prelude says nothing of %s", op_table[op].name);
    return s;
}

/* How many elements the axes run over. */
static Node *axes_count(Store *st, Node *x, const IntList *axes)
{
    Size *product = size_const(st, 1);
    Node *count = NULL;
    bool known = true;
    for (u32 i = 0; i < axes->n; i++) {
        int axis = (int)axes->at[i];
        Size *s = x->type->dims[axis];
        Node *dim = node_dim(st, x, axis);
        known = known && dim && dim->op != OP_DIM;
        count = count ? build_mul(st, count, dim) : dim;
        product = size_mul(st, product, s);
    }
    return known ? size_to_node(st, product) : count;
}

static Value *axes_value(Elab *e, const IntList *axes)
{
    Value *items[MAX_RANK];
    for (u32 i = 0; i < axes->n; i++)
        items[i] = value_weak(e, node_i64(e->st, axes->at[i]));
    return value_tuple(e, (int)axes->n, items);
}

static Value *parameter(Elab *e, Node *n, Node *dy, const char *name)
{
    Node *x = n->ops[0];
    if (!strcmp(name, "x"))
        return value_node(e, x);
    if (!strcmp(name, "y"))
        return value_node(e, n);
    if (!strcmp(name, "dy"))
        return value_node(e, dy);
    if (!strcmp(name, "axis"))
        return axes_value(e, n->attrs[0].ints);
    if (!strcmp(name, "count")) {
        Node *count = axes_count(e->st, x, n->attrs[0].ints);
        i64 k;
        return value_node(e, count && node_const_i64(count, &k)
                                 ? node_number(e->st, node_dtype(x), (double)k)
                                 : node_cast(e->st, count, node_dtype(x)));
    }
    for (int i = 1; i < (int)n->nattrs; i++) {
        if (!strcmp(name, op_attr_name(n->op, i)))
            return value_weak(e, node_i64(e->st, n->attrs[i].i));
    }
    die("prelude.gr: %s has no parameter %s", node_info(n)->name, name);
}

/* The right side of `s` for the operands and attributes of n; NULL after a diagnostic. */
static Node *elaborate(Store *st, const Stmt *s, Node *n, Node *dy)
{
    Arena arena = {0};
    Elab e = {.st = st, .arena = &arena, .unplaced = true};
    Span span = st->span;
    e.globals = e.env = env_new(&e, NULL);
    elab_start(&e);
    Node *r = NULL;
    bool ok = true;
    for (int i = 0; i < s->nparams && ok; i++) {
        Value *v = parameter(&e, n, dy, s->params[i].name);
        ok = v != NULL;
        if (ok)
            env_set(&e, e.env, symbol(st, s->params[i].name), v);
    }
    Value *v = ok ? elab_expr(&e, s->value) : NULL;
    if (v)
        r = value_to_node(&e, v, span, node_info(n)->name);
    st->span = span;
    arena_free(&arena);
    return r;
}

Node *composite_open(Store *st, Node *n)
{
    Node *r = op_is_defined(n->op) ? node_definition(st, n)
                                   : elaborate(st, composite_text(st, n->op, false), n, NULL);
    if (r && (r->type->kind != TYPE_TENSOR || !type_compatible(st, r->type, n->type)))
        die("the definition of %s has type %s, not %s", node_info(n)->name, shape_text(st, r->type),
            shape_text(st, n->type));
    return r;
}

/* ---- derivative ---- */

/* What has length 1 along an axis of x stands for every element along it. */
static Node *stretched(Store *st, Node *dx, Node *x)
{
    Node *dims[MAX_RANK];
    bool needed = false;
    for (int i = 0; dx && i < node_rank(x); i++) {
        dims[i] = node_dim(st, x, i);
        needed = needed || (size_is(dx->type->dims[i], 1) && !size_is(x->type->dims[i], 1));
    }
    return needed ? build_broadcast_to(st, dx, node_rank(x), dims) : dx;
}

/* The derivative is linear in dy, and each run of elements along the axes has its own: what a mask
 * takes away from all of a run stays out of it. */
bool vjp_composite(Vjp *v, Node *n, Node *dy)
{
    Store *st = v->st;
    Node *x = n->ops[0];
    Attr axes = n->attrs[0];
    Mask mask;
    if (!vjp_active(v, x))
        return true;
    Node *inner = mask_peel(st, dy, &mask);
    if (!inner)
        return false;
    bool rows = mask.condition && node_rank(mask.condition);
    if (rows && keeps_shape(n->op)) {
        mask.condition = node1(st, mask.inverted ? OP_ALL : OP_ANY, &axes, mask.condition);
        inner = dy;
    }
    if (rows)
        mask.condition = build_unreduce(st, mask.condition, axes.ints, x);
    inner = build_like(st, inner, n);
    Node *dx = inner ? elaborate(st, composite_text(st, n->op, true), n, inner) : NULL;
    return vjp_give(v, x, mask_apply(st, &mask, stretched(st, dx, x)));
}

/* ---- opening all that is left ---- */

typedef struct {
    Store *st;
    bool all;
    NodeMap nodes;
    GraphMap graphs;
} Opener;

static Node *open_below(Opener *o, Node *root);

static Graph *open_graph(Opener *o, Graph *g)
{
    Graph *known = map_get(&o->graphs, g);
    if (known)
        return known;
    Node **outs = xmalloc(((size_t)g->nouts + 1) * sizeof *outs);
    bool ok = true, same = true;
    NameScope scope;
    names_open(o->st, &scope, g);
    for (int i = 0; i < g->nouts && ok; i++) {
        ok = (outs[i] = open_below(o, g->outs[i])) != NULL;
        same = same && outs[i] == g->outs[i];
    }
    Graph *r = same ? g : ok ? graph_make(o->st, g->nparams, g->params, g->nouts, outs) : NULL;
    names_close(o->st, &scope, r);
    free(outs);
    if (!ok)
        return NULL;
    map_put(&o->graphs, g, r);
    return r;
}

/* n with opened operands and bodies. */
static Node *open_parts(Opener *o, Node *n)
{
    Node *small[8], **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    bool same = true;
    for (u32 i = 0; i < n->nops; i++) {
        ops[i] = map_get(&o->nodes, n->ops[i]);
        same = same && ops[i] == n->ops[i];
    }
    int slots[4], count = node_graphs(n, slots);
    Attr attrs[8];
    bool ok = true, bodies = false;
    if (count)
        memcpy(attrs, n->attrs, n->nattrs * sizeof *attrs);
    for (int i = 0; i < count && ok; i++) {
        Graph *g = attrs[slots[i]].graph;
        ok = (attrs[slots[i]].graph = open_graph(o, g)) != NULL;
        bodies = bodies || attrs[slots[i]].graph != g;
    }
    Node *r = !ok ? NULL : same ? n : node_with_operands(o->st, n, ops);
    if (r && bodies)
        r = node_with_attrs(o->st, r, attrs);
    if (ops != small)
        free(ops);
    return r;
}

static Node *open_node(Opener *o, Node *n)
{
    Node *r = open_parts(o, n);
    if (!r || node_info(r)->cls != CLASS_COMPOSITE || !(o->all || op_is_defined(r->op)))
        return r;
    r = composite_open(o->st, r);
    if (r)
        node_carry_span(o->st, n, r);
    return r ? open_below(o, r) : NULL;
}

static Node *open_below(Opener *o, Node *root)
{
    NodeVec order = {0};
    nodes_topo(1, &root, &order);
    bool ok = true;
    for (size_t i = 0; i < order.len && ok; i++) {
        Node *n = order.at[i];
        if (map_has(&o->nodes, n))
            continue;
        Node *r = open_node(o, n);
        ok = r != NULL;
        if (ok)
            map_put(&o->nodes, n, r);
    }
    vec_free(&order);
    return ok ? map_get(&o->nodes, root) : NULL;
}

bool composites_open(Store *st, int n, Node *const *roots, bool all, Node **out)
{
    Opener o = {.st = st, .all = all};
    bool ok = true;
    for (int i = 0; i < n && ok; i++)
        ok = (out[i] = open_below(&o, roots[i])) != NULL;
    map_free(&o.nodes);
    map_free(&o.graphs);
    return ok;
}
