/* A stable form whose two halves are apart: log(softmax(x)[y]).
 *
 * Rules of the pass `stabilize` see one operator on top of another one. What stands between them
 * may only choose, repeat or arrange elements, or choose between values. Such a view commutes with
 * every elementwise operator, so it can be moved until the halves meet:
 *
 *   inward    f(g(x)[i])               => f(g(x[i]))                g elementwise
 *   outward   f(g(x)[i])               => f(g(x))[i]                f elementwise
 *   apart     f(concat(g(x), b))       => concat(f(g(x)), f(b))     also where, `with`, `if`
 *
 * Inward comes first where the view leaves out elements, outward where it repeats them. Outward may
 * apply f to elements that are not read: never to more than g has computed.
 *
 * Invariant: a move changes no bit, but where it takes two operands of a longer product together;
 * it is made only if a rule, enabled and allowed, fires after it. No element is computed that was
 * not there: what may fail is not moved. */
#include "passes/views.h"
#include "graph/provenance.h"

#include "graph/reads.h"
#include "passes/code_rules.h"

/* Each operand, part and level multiplies the forms that are tried. */
enum {
    MOST_OPERANDS = 8, /* of an operator that is moved */
    MOST_PARTS = 16,   /* of a `concat`, or results of a branch, that an operator is moved into */
    PUSH_DEPTH = 3,    /* views one on the other that are moved inward at once */
    PULL_DEPTH = 3     /* operators below that a view is moved out of */
};

void views_open(Views *v, Site *site)
{
    *v = (Views){.site = site, .st = site->st, .tries = VIEWS_TRIES};
}

void views_close(Views *v) { vec_free(&v->met); }

static bool is_scalar(const Node *n) { return n->type->kind == TYPE_TENSOR && !n->type->rank; }

/* ---- what is a view, and of what ---- */

static bool arranges(const Node *n)
{
    switch (n->op) {
    case OP_INDEX:
    case OP_SLICE:
    case OP_GATHER:
    case OP_RESHAPE:
    case OP_TRANSPOSE:
    case OP_BROADCAST:
    case OP_EXPAND_DIMS:
    case OP_SQUEEZE:
    case OP_FLIP:
    case OP_MATCH_SHAPE:
    case OP_CHECK: return true;
    default: return false;
    }
}

static u32 data_at(const Node *view) { return view->op == OP_CHECK ? 1 : 0; }

typedef enum { NO_VIEW, VIEW_OPERATOR, VIEW_ROW, VIEW_CAPTURE, VIEW_TRACE } ViewKind;

/* *of: the value outside, or inside for a trace; of an operator, its operand. */
static ViewKind view_of(const Views *v, const Node *n, Node **of)
{
    if (n->type->kind != TYPE_TENSOR)
        return NO_VIEW;
    if (arranges(n)) {
        *of = n->ops[data_at(n)];
        return VIEW_OPERATOR;
    }
    for (int i = 0; v->body && n->op == OP_HOLE && i < v->body->s.nseqs; i++)
        if (v->body->seqs[i].hole == n) {
            *of = v->body->seqs[i].value;
            return VIEW_ROW;
        }
    for (size_t i = 0; v->body && n->op == OP_HOLE && i < v->body->captures.len; i++)
        if (v->body->captures.at[i].hole == n) {
            *of = v->body->captures.at[i].value;
            return VIEW_CAPTURE;
        }
    if (v->closed && is_param_among(n, v->closed->nstates, v->closed->body->nparams)) {
        int k = (int)n->attrs[0].i - v->closed->nstates, row = k < v->closed->nseqs;
        *of = row ? v->closed->seqs[k] : v->closed->captures[k - v->closed->nseqs];
        return row ? VIEW_ROW : VIEW_CAPTURE;
    }
    bool trace = v->traces && n->op == OP_PROJ && n->ops[0] == v->traces->scan;
    i64 k = trace ? n->attrs[0].i - v->traces->old_states : -1;
    if (k < 0 || k >= v->traces->old_outs)
        return NO_VIEW;
    *of = v->traces->outs[k].value;
    return VIEW_TRACE;
}

/* The operator of `view` over another value of that shape. */
static Node *viewed(Views *v, const Node *view, Node *data)
{
    Node *few[MOST_OPERANDS];
    if (!data || view->nops > COUNT_OF(few))
        return NULL;
    memcpy(few, view->ops, view->nops * sizeof *few);
    few[data_at(view)] = data;
    return node_make(v->st, view->op, view->attrs, view->nops, few);
}

static bool same_view(const Node *a, const Node *b)
{
    if (a->op != b->op || a->nops != b->nops ||
        memcmp(a->attrs, b->attrs, a->nattrs * sizeof *a->attrs) != 0)
        return false;
    for (u32 k = 0; k < a->nops; k++)
        if (k != data_at(a) && a->ops[k] != b->ops[k])
            return false;
    const Type *x = a->ops[data_at(a)]->type, *y = b->ops[data_at(b)]->type;
    return x->rank == y->rank && !memcmp(x->dims, y->dims, (size_t)x->rank * sizeof *x->dims);
}

/* Does the view give fewer elements than there are, as a rule? */
static bool leaves_out(const Node *n)
{
    return n->op == OP_INDEX || n->op == OP_SLICE || n->op == OP_GATHER || n->op == OP_HOLE;
}

/* The operator g over other operands, which are shown in the order of those that it has. */
static Node *over(Views *v, const Node *g, Node *const *ops)
{
    const IntList *order = node_order(v->st, g);
    Node *shown[MOST_OPERANDS];
    for (u32 k = 0; k < g->nops; k++)
        shown[k] = ops[order ? order->at[k] : k];
    return node_make(v->st, g->op, g->attrs, g->nops, shown);
}

/* ---- inward ---- */

static bool may_move(const Views *v, const Node *g)
{
    return op_is_elementwise(g->op) && g->nops <= MOST_OPERANDS && node_is_total(v->st, g);
}

/* What the view sees of an operand of the elementwise operator that it saw. */
static Node *seen(Views *v, const Node *view, ViewKind kind, Node *x, bool shaped)
{
    Node *none;
    if (shaped && is_scalar(x) && kind != VIEW_ROW && x->op == OP_CONST)
        return x;
    if (kind == VIEW_OPERATOR)
        return is_scalar(x) && !is_scalar(view->ops[data_at(view)]) ? x : viewed(v, view, x);
    if (x->op == OP_CONST && is_scalar(x))
        return x;
    if (kind == VIEW_CAPTURE || is_scalar(x))
        return scan_capture(v->body, x, x);
    Type *t = x->type, *row = type_tensor(v->st, t->dtype, t->rank - 1, t->dims + 1);
    Node *was = row ? node_temp(v->st, row, node_name(v->st, x)) : NULL;
    return was && view_of(v, view, &none) ? scan_sequence(v->body, x, was) : NULL;
}

/* view(g(x, z)) => g(view(x), view(z)), or NULL. */
static Node *one_inward(Views *v, Node *view)
{
    Node *g = NULL, *ops[MOST_OPERANDS];
    ViewKind kind = view_of(v, view, &g);
    if (kind == NO_VIEW || kind == VIEW_TRACE || !may_move(v, g))
        return NULL;
    for (u32 k = 0; k < g->nops; k++)
        if (!(ops[k] = seen(v, view, kind, g->ops[k], true)))
            return NULL;
    Node *r = over(v, g, ops);
    return r && r->type == view->type ? r : NULL;
}

/* n with the views below it moved inward past `depth` operators; n itself if none moves. */
static Node *inward(Views *v, Node *n, int depth)
{
    Node *of = NULL;
    ViewKind kind = view_of(v, n, &of);
    if (kind == VIEW_OPERATOR) {
        Node *below = inward(v, of, depth);
        Node *view = below == of ? n : viewed(v, n, below);
        n = view && view->type == n->type ? view : n;
    }
    Node *moved = kind == NO_VIEW ? NULL : one_inward(v, n);
    if (moved)
        n = moved;
    else if (kind != NO_VIEW)
        return n;
    bool through = op_is_elementwise(n->op) || n->op == OP_SUM;
    if (depth < 1 || !through || n->nops > MOST_OPERANDS)
        return n;
    Node *ops[MOST_OPERANDS];
    bool changed = false;
    for (u32 k = 0; k < n->nops; k++) {
        ops[k] = inward(v, n->ops[k], depth - 1);
        changed = changed || ops[k] != n->ops[k];
    }
    Node *r = changed ? over(v, n, ops) : n;
    return r && r->type == n->type ? r : n;
}

/* ---- outward ---- */

/* A value as a view: of `data` by `by`, one node that is like the views of all operands. */
typedef struct {
    ViewKind kind;
    Node *by, *data;
} Outward;

static bool outward_of(Views *v, Node *n, int depth, Outward *out);

/* The operator n on what the views of its operands see. Scalars are what they are everywhere, if
 * they are the same outside of a body. */
static bool over_operands(Views *v, Node *n, int depth, Outward *out)
{
    Node *ops[MOST_OPERANDS];
    if (!may_move(v, n))
        return false;
    *out = (Outward){0};
    bool scalars = false;
    for (u32 k = 0; k < n->nops; k++) {
        Outward o;
        Node *x = ops[k] = n->ops[k];
        if (is_scalar(x) && x->op == OP_CONST)
            continue;
        if (!outward_of(v, x, depth - 1, &o)) {
            if (!is_scalar(x))
                return false;
            scalars = true;
            continue;
        }
        if (is_scalar(x) && out->kind == VIEW_ROW && o.kind == VIEW_CAPTURE) {
            ops[k] = o.data;
            continue;
        }
        bool fits = !out->kind ||
                    (out->kind == o.kind && (o.kind != VIEW_OPERATOR || same_view(out->by, o.by)));
        if (!fits)
            return false;
        *out = (Outward){o.kind, o.by, ops[k] = o.data};
    }
    if (!out->kind || (scalars && out->kind != VIEW_OPERATOR))
        return false;
    out->data = over(v, n, ops);
    return out->data != NULL;
}

static bool outward_of(Views *v, Node *n, int depth, Outward *out)
{
    out->kind = view_of(v, n, &out->data);
    out->by = n;
    return out->kind || (depth > 0 && over_operands(v, n, depth, out));
}

/* What the view sees of `data`, which is where the view looks at, of n's type. */
static Node *seen_again(Views *v, const Outward *out, Node *data, Node *n)
{
    if (out->kind == VIEW_OPERATOR)
        return viewed(v, out->by, data);
    if (out->kind == VIEW_ROW)
        return scan_sequence(v->body, data, n);
    if (out->kind == VIEW_CAPTURE)
        return scan_capture(v->body, data, n);
    Node *stand = node_temp(v->st, n->type, NULL);
    int output = scan_add_output(v->traces, data);
    map_put(v->stands, stand, output + 1);
    return stand;
}

static Node *moved_outward(Views *v, Node *n, int depth)
{
    Outward out;
    if (!over_operands(v, n, PULL_DEPTH, &out))
        return NULL;
    ScanEdit *body = v->body, *traces = v->traces;
    if (out.kind != VIEW_OPERATOR) {
        v->body = out.kind == VIEW_TRACE ? traces : NULL;
        v->traces = NULL;
    }
    Node *data = views_moved(v, out.data, depth - 1);
    v->body = body;
    v->traces = traces;
    Node *r = data ? seen_again(v, &out, data, n) : NULL;
    return r && r->type == n->type ? r : NULL;
}

/* ---- apart ---- */

/* All that is computed outside of the `if` for it. */
static void outside_of(const IfShape *s, NodeSet *outside)
{
    NodeVec order = {0};
    nodes_topo(s->noperands, s->operands, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(outside, order.at[i]);
    vec_free(&order);
}

bool views_branches(Store *st, const Node *choice, Node **then_outs, Node **else_outs,
                    NodeSet *outside)
{
    IfShape s = if_shape(choice);
    Graph *graphs[2] = {s.then_graph, s.else_graph};
    const IntList *args[2] = {s.then_args, s.else_args};
    Node **outs[2] = {then_outs, else_outs};
    bool ok = true;
    outside_of(&s, outside);
    for (int k = 0; k < 2 && ok; k++) {
        Node **given = xcalloc((size_t)graphs[k]->nparams + 1, sizeof *given);
        for (int i = 0; i < graphs[k]->nparams; i++)
            given[i] = s.operands[args[k]->at[i]];
        ok = graph_instantiate(st, graphs[k], given, outs[k]);
        free(given);
    }
    return ok;
}

/* Is operand k one of the values that the result is put together from? */
static bool is_part(const Node *n, u32 k)
{
    switch (n->op) {
    case OP_CONCAT: return true;
    case OP_WHERE: return k > 0;
    case OP_SET_INDEX:
    case OP_SET_SLICE:
    case OP_SCATTER: return k != 1 && n->attrs[n->nattrs - 1].i == 0;
    default: return false;
    }
}

/* Put together from parts in the same way, each part of the same shape? */
static bool same_parts(const Node *a, const Node *b)
{
    bool same = a->op == b->op && a->nops == b->nops &&
                !memcmp(a->attrs, b->attrs, a->nattrs * sizeof *a->attrs);
    for (u32 k = 0; k < a->nops && same; k++) {
        const Type *x = a->ops[k]->type, *y = b->ops[k]->type;
        same = is_part(a, k) ? x->rank == y->rank &&
                                   !memcmp(x->dims, y->dims, (size_t)x->rank * sizeof *x->dims)
                             : a->ops[k] == b->ops[k];
    }
    return same;
}

static bool chooses(const Node *n) { return n->op == OP_PROJ && n->ops[0]->op == OP_IFELSE; }

static bool is_whole(const Node *n) { return is_part(n, 0) || is_part(n, 2) || chooses(n); }

/* The first value below n that is put together or chosen, past elementwise operators only. */
static Node *whole_below(const Views *v, Node *n, int depth)
{
    if (is_whole(n))
        return n;
    Node *found = NULL;
    for (u32 k = 0; k < n->nops && depth && may_move(v, n) && !found; k++)
        found = whole_below(v, n->ops[k], depth - 1);
    return found;
}

/* Which part of a value is looked at: operand `part` of what is put together like `whole`; or what
 * branch `part` gives of each `if` with the condition of `whole`. */
typedef struct {
    const Node *whole;
    u32 part;
    NodeSet *outside; /* of choices: gets what is computed outside of them */
} Part;

static Node *branch_gives(Views *v, const Node *result, const Part *p)
{
    size_t nouts = (size_t)result->ops[0]->type->nitems;
    Node **outs = xcalloc(2 * nouts + 1, sizeof *outs);
    bool ok = views_branches(v->st, result->ops[0], outs, outs + nouts, p->outside);
    Node *r = ok ? outs[p->part * nouts + (size_t)result->attrs[0].i] : NULL;
    free(outs);
    return r;
}

/* n where there is only that part. NULL: something in it has none. */
static Node *at_part(Views *v, Node *n, const Part *p, int depth)
{
    bool choice = p->outside != NULL;
    if (choice && chooses(n) && n->ops[0]->ops[0] == p->whole->ops[0]->ops[0])
        return branch_gives(v, n, p);
    if (!choice && n->op == p->whole->op && same_parts(n, p->whole))
        return n->ops[p->part];
    if ((is_scalar(n) && n->op == OP_CONST) || (choice && !whole_below(v, n, depth)))
        return n;
    Node *ops[MOST_OPERANDS];
    if (!depth || !may_move(v, n))
        return NULL;
    for (u32 k = 0; k < n->nops; k++)
        if (!(ops[k] = at_part(v, n->ops[k], p, depth - 1)))
            return NULL;
    return over(v, n, ops);
}

static Node *moved_apart(Views *v, Node *n, const Node *whole, int depth)
{
    Node *parts[MOST_PARTS];
    if (whole->nops > COUNT_OF(parts) || !whole->nops)
        return NULL;
    bool some = false;
    for (u32 k = 0; k < whole->nops; k++) {
        parts[k] = whole->ops[k];
        if (!is_part(whole, k))
            continue;
        Node *f = at_part(v, n, &(Part){whole, k, NULL}, PULL_DEPTH);
        Node *moved = f ? views_moved(v, f, depth - 1) : NULL;
        if (!f)
            return NULL;
        some = some || moved;
        parts[k] = moved ? moved : f;
    }
    Node *r = some ? node_make(v->st, whole->op, whole->attrs, whole->nops, parts) : NULL;
    return r && r->type == n->type ? r : NULL;
}

/* Is it computed from what is outside alone? */
static bool can_be_outside(Store *st, const Node *n, const NodeSet *outside, int depth)
{
    bool all = map_has(outside, n) || n->op == OP_CONST;
    if (all || !depth || !n->nops || !node_is_total(st, n))
        return all;
    all = true;
    for (u32 k = 0; k < n->nops && all; k++)
        all = can_be_outside(st, n->ops[k], outside, depth - 1);
    return all;
}

void views_meet_outside(const Views *v, NodeSet *outside)
{
    for (size_t i = 0; i < v->met.len; i++)
        if (can_be_outside(v->st, v->met.at[i], outside, PULL_DEPTH))
            set_add(outside, v->met.at[i]);
}

static Node *moved_into_choice(Views *v, Node *n, const Node *result, int depth)
{
    Node *sides[2] = {NULL, NULL};
    NodeSet outside = {0};
    bool some = false, ok = true;
    for (u32 k = 0; k < 2 && ok; k++) {
        Node *f = at_part(v, n, &(Part){result, k, &outside}, PULL_DEPTH);
        Node *moved = f ? views_moved(v, f, depth - 1) : NULL;
        some = some || moved;
        ok = (sides[k] = moved ? moved : f) != NULL;
    }
    views_meet_outside(v, &outside);
    Node *condition = result->ops[0]->ops[0];
    Node *choice =
        ok && some ? build_if(v->st, condition, 1, &sides[0], &sides[1], &outside) : NULL;
    map_free(&outside);
    Node *r = choice ? node_proj(v->st, choice, 0) : NULL;
    return r && type_compatible(v->st, r->type, n->type) ? r : NULL;
}

/* ---- all of them ---- */

/* May it be half of a form? */
static bool is_computed(const Node *n)
{
    OpClass c = op_table[n->op].cls;
    return dtype_is_float(node_dtype(n)) &&
           (c == CLASS_ELEMENTWISE || c == CLASS_COMPOSITE || n->op == OP_SUM);
}

/* Does it tell more than a hole that stands for it? */
static bool tells_more(const Node *outside)
{
    return outside->op != OP_INPUT && outside->op != OP_SHARED &&
           !(outside->op == OP_PROJ && outside->ops[0]->op == OP_SCAN);
}

static bool is_between(const Views *v, const Node *n, int depth)
{
    Node *of;
    if (n->op == OP_CONST || n->type->kind != TYPE_TENSOR)
        return false;
    ViewKind kind = view_of(v, n, &of);
    if (kind == VIEW_OPERATOR)
        return is_computed(of) || is_between(v, of, depth);
    if (kind != NO_VIEW)
        return !v->closed || tells_more(of);
    if (is_whole(n))
        return true;
    bool through = op_is_elementwise(n->op) || n->op == OP_SUM;
    bool found = false;
    for (u32 k = 0; k < n->nops && n->nops <= MOST_OPERANDS && through && depth && !found; k++)
        found = is_between(v, n->ops[k], depth - 1);
    return found;
}

bool views_between(const Views *v, const Node *n)
{
    bool found = false;
    if (n->type->kind != TYPE_TENSOR || !dtype_is_float(n->type->dtype))
        return false;
    for (u32 k = 0; k < n->nops && n->nops <= MOST_OPERANDS && !found; k++)
        found = is_between(v, n->ops[k], PUSH_DEPTH - 1);
    return found;
}

static bool fires(Views *v, Node *n)
{
    bool does = v->tries-- > 0 && site_would_fire(v->site, n);
    if (does)
        vec_push(&v->met, n);
    return does;
}

static Node *moved_inward(Views *v, Node *n)
{
    Node *last = n;
    for (int depth = 0; depth < PUSH_DEPTH; depth++) {
        Node *ops[MOST_OPERANDS];
        for (u32 k = 0; k < n->nops; k++)
            ops[k] = inward(v, n->ops[k], depth);
        Node *r = over(v, n, ops);
        if (r && r != last && r->type == n->type && fires(v, r))
            return r;
        last = r ? r : last;
    }
    return NULL;
}

/* Of a sum or product of more than two, those operands that something is between in, and the rest
 * by itself; NULL: there is no rest. */
static Node *moved_among(Views *v, Node *n, int depth)
{
    Node *some[MOST_OPERANDS], *rest[MOST_OPERANDS + 1];
    u32 nsome = 0, nrest = 1;
    for (u32 k = 0; k < n->nops; k++)
        if (is_between(v, n->ops[k], PULL_DEPTH))
            some[nsome++] = n->ops[k];
        else
            rest[nrest++] = n->ops[k];
    if (!(op_table[n->op].flags & NARY) || nsome < 2 || nrest < 2)
        return NULL;
    Node *part = node_make(v->st, n->op, n->attrs, nsome, some);
    rest[0] = part ? views_moved(v, part, depth - 1) : NULL;
    Node *r = rest[0] ? node_make(v->st, n->op, n->attrs, nrest, rest) : NULL;
    return r && r->type == n->type ? r : NULL;
}

Node *views_moved(Views *v, Node *n, int depth)
{
    if (n->type->kind != TYPE_TENSOR || n->nops > MOST_OPERANDS || depth < 1 || v->tries < 1)
        return NULL;
    if (fires(v, n))
        return n;
    if (!views_between(v, n))
        return NULL;
    bool inward_first = false;
    for (u32 k = 0; k < n->nops; k++)
        inward_first = inward_first || leaves_out(n->ops[k]);
    Node *r = inward_first ? moved_inward(v, n) : moved_outward(v, n, depth);
    if (!r)
        r = inward_first ? moved_outward(v, n, depth) : moved_inward(v, n);
    if (!r && n->nops > 2)
        r = moved_among(v, n, depth);
    Node *whole = r || !may_move(v, n) ? NULL : whole_below(v, n, PULL_DEPTH);
    if (!whole || whole == n)
        return r;
    return whole->op == OP_PROJ ? moved_into_choice(v, n, whole, depth)
                                : moved_apart(v, n, whole, depth);
}
