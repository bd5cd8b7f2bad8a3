/* What a derivative or a vmap takes from outside as a number is computed inside.
 *
 *   n : i64, a = n - 3:   grad{ scan(n)[a:] }(n, a)   =>   grad{ scan(n)[n-3:] }(n)
 *
 * The graph of such a node holds what lies between its result and the wanted values, so a place
 * that is read, or a length, comes in as a value without a history. With its history inside, rules
 * see how it lies to the lengths of loops there, and constants are constants. Exact; what is moved
 * are whole numbers and constants, a few operations each, and none that can fail. */
#include "passes/loops/loops.h"
#include "graph/walk.h"

typedef struct {
    Store *st;
    Node *n;
    Graph *body;
    NodeVec fixed; /* holes for the wanted values, or those with lanes */
    NodeVec ops;   /* what they stand for */
    NodeSet stays; /* computed outside, taken as they are */
    Node **args;
    int moved;
} Inside;

/* Does operand i keep its place? */
static bool is_fixed(const Inside *in, int i)
{
    return in->n->op == OP_VMAP ? in->n->attrs[1].ints->at[i] >= 0 : i < in->n->attrs[1].i;
}

static bool is_number(Store *st, const Node *n)
{
    return n->type->kind == TYPE_TENSOR && !n->type->rank && n->nops &&
           (n->type->dtype == DT_I64 || n->type->dtype == DT_BOOL) && op_is_elementwise(n->op) &&
           n->op != OP_CAST && node_is_total(st, n);
}

/* Everything that the number is computed from stays outside, but for other numbers. */
static void mark_leaves(Inside *in, Node *number)
{
    Descent d = {0};
    descent_from(&d, number);
    for (Node *n; (n = descent_next(&d));)
        if (is_number(in->st, n))
            descent_operands(&d, n);
        else
            set_add(&in->stays, n);
    descent_end(&d);
}

static bool open_arguments(Inside *in)
{
    Store *st = in->st;
    in->args = xcalloc((size_t)in->body->nparams + 1, sizeof *in->args);
    for (int i = 0; i < in->body->nparams; i++) {
        Node *o = in->args[i] = in->n->ops[i];
        Type *t = o->type;
        if (is_fixed(in, i)) {
            t = in->n->op == OP_VMAP
                    ? type_without_axis(st, t, (int)in->n->attrs[1].ints->at[i], t->dtype)
                    : t;
            in->args[i] = t ? node_temp(st, t, node_name(st, o)) : NULL;
            if (!t)
                return false;
            vec_push(&in->fixed, in->args[i]);
            vec_push(&in->ops, o);
        } else if (o->op == OP_CONST) {
            in->moved++;
        } else if (is_number(st, o)) {
            in->moved++;
            mark_leaves(in, o);
        } else {
            set_add(&in->stays, o);
        }
    }
    return in->moved > 0;
}

static Node *rebuilt(Inside *in, const Closed *c)
{
    Store *st = in->st;
    Attr a[3];
    memcpy(a, in->n->attrs, in->n->nattrs * sizeof *a);
    a[0].graph = c->graph;
    if (in->n->op == OP_VMAP) {
        i64 *axes = xmalloc((in->fixed.len + (size_t)c->ncaptures + 1) * sizeof *axes);
        u32 count = 0;
        for (int i = 0; i < in->body->nparams; i++)
            if (is_fixed(in, i))
                axes[count++] = in->n->attrs[1].ints->at[i];
        for (int i = 0; i < c->ncaptures; i++)
            axes[count++] = -1;
        a[1].ints = intlist(st, count, axes);
        free(axes);
    }
    for (int i = 0; i < c->ncaptures; i++)
        vec_push(&in->ops, c->captures[i]);
    for (u32 i = (u32)in->body->nparams; i < in->n->nops; i++)
        vec_push(&in->ops, in->n->ops[i]); /* cotangents, tangents */
    return node_make(st, in->n->op, a, (u32)in->ops.len, in->ops.at);
}

static Node *moved_inside(Inside *in)
{
    Closed c;
    Node **outs = xcalloc((size_t)in->body->nouts + 1, sizeof *outs), *r = NULL;
    CloseRequest rq = {.nfixed = (int)in->fixed.len,
                       .fixed = in->fixed.at,
                       .nouts = in->body->nouts,
                       .outs = outs,
                       .mentioned = &in->stays};
    if (graph_instantiate(in->st, in->body, in->args, outs) && graph_close(in->st, &rq, &c))
        r = rebuilt(in, &c);
    free(outs);
    return r;
}

bool implicit_numbers(Site *site)
{
    Node *n = site->node;
    Store *st = site->st;
    u32 temps = st->temp_count;
    Inside in = {.st = st, .n = n, .body = n->attrs[0].graph};
    Node *r = open_arguments(&in) ? moved_inside(&in) : NULL;
    bool ok = r && r != n && r->type->nitems == n->type->nitems;
    for (int i = 0; i < n->type->nitems && ok; i++) {
        Node *before = node_proj(st, n, i), *after = node_proj(st, r, i);
        ok = type_compatible(st, after->type, before->type);
        site_put(site, before, after);
    }
    if (ok)
        site_why(site, "%d value%s", in.moved, in.moved == 1 ? "" : "s");
    else
        site_refuse(site, NULL, "it captures no scalar that its body could compute");
    st->temp_count = temps;
    vec_free(&in.fixed);
    vec_free(&in.ops);
    map_free(&in.stays);
    free(in.args);
    return ok;
}
