/* See node_values.h. */
#include "repl/commands/node_values.h"
#include "grad/vjp.h"
#include "passes/loops/unroll.h"
#include "passes/passes.h"
#include "repl/commands/show.h"
#include "passes/loops/unroll_back.h"

typedef struct {
    Call *c;
    Store *st;
    int n;
    Node *const *roots;
    const NodeWishes *wishes;
    NodeValues *out;
    NodeVec order;       /* of the graph */
    NodeVec asked, keys; /* what to evaluate, and the node that it is told of */
    VEC(PtrMap *) into;  /* of the last ones, which are gradients: where the text goes */
    size_t gradients;    /* where they begin among these */
    bool known;          /* all inputs have values */
} Asking;

/* ---- scans to unroll ---- */

/* How often each scan runs: its result `steps` evaluated. */
static bool count_steps(Asking *a, const NodeVec *scans, i64 *counts)
{
    NodeVec asked = {0};
    for (size_t i = 0; i < scans->len; i++)
        vec_push(&asked, node_proj(a->st, scans->at[i], scan_shape(scans->at[i]).steps));
    Tensor **at = xcalloc(asked.len + 1, sizeof *at);
    bool ok = derivatives_expand(a->st, &a->c->r->s.rules, (int)asked.len, asked.at) &&
              session_evaluate_raw(&a->c->r->s, (int)asked.len, asked.at, NULL, at);
    for (size_t i = 0; i < asked.len && ok; i++) {
        counts[i] = tensor_i64_at(at[i], 0);
        tensor_unref(at[i]);
    }
    free(at);
    vec_free(&asked);
    return ok;
}

static bool unroll_one(Asking *a, Node *scan, i64 count)
{
    i64 fixed, k = a->wishes->unroll;
    ScanShape s = scan_shape(scan);
    if (count < 0 && !s.stop && node_const_i64(s.n, &fixed))
        count = fixed;
    k = count >= 0 && count < k ? count : k;
    SceneUnroll *u = arena_alloc(&a->c->arena, sizeof *u);
    *u = (SceneUnroll){0};
    u->rest = count < 0 ? -1 : count - k;
    vec_push(&a->out->scans, u);
    map_put(&a->out->unrolled, scan, u);
    return scan_unroll(a->st, scan, (int)k, &u->u);
}

static bool unroll_all(Asking *a)
{
    NodeVec scans = {0};
    for (size_t i = 0; i < a->order.len; i++)
        if (a->order.at[i]->op == OP_SCAN)
            vec_push(&scans, a->order.at[i]);
    i64 *counts = xcalloc(scans.len + 1, sizeof *counts);
    for (size_t i = 0; i < scans.len; i++)
        counts[i] = -1;
    bool ok = scans.len > 0 ||
              call_fail(a->c, a->wishes->span, "no-scan",
                        "a scan inside a derivative or another loop is not unrolled, nor are the "
                        "loops of pass `lower`",
                        "there is no scan to unroll in this state of the graph");
    ok = ok && (!a->known || count_steps(a, &scans, counts));
    for (size_t i = 0; i < scans.len && ok; i++)
        ok = unroll_one(a, scans.at[i], counts[i]);
    free(counts);
    vec_free(&scans);
    return ok;
}

/* ---- what to evaluate ---- */

static void ask(Asking *a, Node *key, Node *value)
{
    vec_push(&a->keys, key);
    vec_push(&a->asked, value);
}

static void ask_all(Asking *a, PtrMap *seen, Node *n)
{
    if (map_has(seen, n) || n->type->kind != TYPE_TENSOR || n->open)
        return;
    map_put(seen, n, n);
    ask(a, n, n);
}

/* The copies of what a step computes; step by step, so in the order of the run. */
static void each_copy(Asking *a, const Unroll *u, PtrMap *seen)
{
    NodeVec body = {0};
    nodes_topo(u->s.body->nouts, u->s.body->outs, &body);
    for (int i = 0; i < u->k; i++) {
        for (int p = 0; p < u->s.body->nparams; p++)
            ask_all(a, seen, map_get(&u->of_body[i], u->s.body->param_nodes[p]));
        for (size_t b = 0; b < body.len; b++) {
            Node *copy = map_get(&u->of_body[i], body.at[b]);
            if (copy && body.at[b]->op != OP_CONST)
                ask_all(a, seen, copy);
        }
    }
    vec_free(&body);
}

static void ask_data(Asking *a)
{
    PtrMap seen = {0};
    for (size_t i = 0; i < a->order.len; i++)
        if (a->order.at[i]->op != OP_CONST)
            ask_all(a, &seen, a->order.at[i]);
    for (size_t i = 0; i < a->out->scans.len; i++)
        each_copy(a, &a->out->scans.at[i]->u, &seen);
    map_free(&seen);
}

/* ---- gradients ---- */

static bool is_real(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && dtype_is_float(node_dtype(n));
}

static bool is_real_leaf(const Node *n)
{
    return (n->op == OP_INPUT || n->op == OP_SHARED) && is_real(n);
}

static Node *real_loss(Asking *a)
{
    Node *loss = a->n == 1 ? a->roots[0] : NULL;
    if (loss && is_real(loss) && node_rank(loss) == 0)
        return loss;
    call_fail(a->c, a->wishes->span, "type-mismatch", "sum(...) makes a scalar of an array",
              "a gradient is of one real number");
    return NULL;
}

static void ask_gradient(Asking *a, PtrMap *into, Node *key, Node *bar)
{
    if (!bar)
        return;
    ask(a, key, bar);
    vec_push(&a->into, into);
}

/* The cotangents of the outermost graph. */
static bool sweep_graph(Asking *a, Node *loss)
{
    NodeVec leaves = {0};
    for (size_t i = 0; i < a->order.len; i++)
        if (is_real_leaf(a->order.at[i]))
            vec_push(&leaves, a->order.at[i]);
    Node *one = node_number(a->st, node_dtype(loss), 1);
    VjpSweep sweep;
    vjp_begin(&sweep, a->st, 1, &loss, &one, (int)leaves.len, leaves.at);
    while (vjp_peek(&sweep) && vjp_next(&sweep))
        continue;
    bool ok = !sweep.failed;
    for (size_t i = 0; i < a->order.len && ok; i++)
        ask_gradient(a, &a->out->grad, a->order.at[i],
                     map_get(&sweep.v.cotangents, a->order.at[i]));
    vjp_end(&sweep);
    vec_free(&leaves);
    return ok;
}

/* The copies that depend on an input; the others are constants, and nothing is told of these. */
static void mark_changing(const SceneUnroll *su, const NodeVec *body, PtrMap *changing)
{
    NodeVec copies = {0}, order = {0};
    for (int i = 0; i < su->u.k; i++)
        for (size_t k = 0; k < body->len; k++) {
            Node *copy = map_get(&su->u.of_body[i], body->at[k]);
            if (copy)
                vec_push(&copies, copy);
        }
    nodes_topo((int)copies.len, copies.at, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        bool moves = is_real_leaf(n);
        for (u32 k = 0; k < n->nops && !moves; k++)
            moves = map_has(changing, n->ops[k]);
        if (moves)
            map_put(changing, n, n);
    }
    vec_free(&copies);
    vec_free(&order);
}

/* Those of the steps of a scan that is written out to its end. */
static bool sweep_steps(Asking *a, Node *loss, SceneUnroll *su)
{
    NodeVec body = {0};
    UnrollBack back;
    const Graph *g = su->u.s.body;
    su->grad = arena_alloc(&a->c->arena, ((size_t)su->u.k + 1) * sizeof *su->grad);
    memset(su->grad, 0, ((size_t)su->u.k + 1) * sizeof *su->grad);
    nodes_topo(g->nouts, g->outs, &body);
    PtrMap changing = {0};
    bool ok = unroll_back(a->st, &su->u, su->u.k, loss, &back);
    mark_changing(su, &body, &changing);
    for (int i = 0; i < su->u.k && ok; i++)
        for (size_t k = 0; k < body.len; k++)
            if (map_has(&changing, map_get(&su->u.of_body[i], body.at[k])))
                ask_gradient(a, &su->grad[i], body.at[k], map_get(&back.of_body[i], body.at[k]));
    unroll_back_free(&su->u, &back);
    map_free(&changing);
    vec_free(&body);
    return ok;
}

static bool ask_gradients(Asking *a)
{
    Node *loss = real_loss(a);
    bool ok = loss && sweep_graph(a, loss);
    for (size_t i = 0; i < a->out->scans.len && ok; i++)
        if (a->out->scans.at[i]->rest == 0)
            ok = sweep_steps(a, loss, a->out->scans.at[i]);
    return ok;
}

/* ---- the whole ---- */

static bool evaluate(Asking *a)
{
    Tensor **at = xcalloc(a->asked.len + 1, sizeof *at);
    bool ok = derivatives_expand(a->st, &a->c->r->s.rules, (int)a->asked.len, a->asked.at) &&
              session_evaluate_raw(&a->c->r->s, (int)a->asked.len, a->asked.at, NULL, at);
    for (size_t i = 0; i < a->asked.len && ok; i++) {
        Text t = {0};
        show_brief(a->c->r, &t, at[i]);
        map_put(i < a->gradients ? &a->out->data : a->into.at[i - a->gradients], a->keys.at[i],
                arena_strndup(&a->c->arena, text_str(&t), t.len));
        text_free(&t);
        tensor_unref(at[i]);
    }
    free(at);
    return ok;
}

static bool all_known(Asking *a)
{
    Node *missing;
    a->known = !session_missing(&a->c->r->s, a->n, a->roots, &missing);
    return a->known || (!a->wishes->data && !a->wishes->grad) ||
           call_fail(a->c, a->wishes->span, "no-value", "give it one with :=", "%s has no value",
                     missing->op == OP_SIZE ? "a size" : missing->attrs[0].name);
}

bool node_values(Call *c, int n, Node *const *roots, const NodeWishes *wishes, NodeValues *out)
{
    *out = (NodeValues){0};
    Asking a = {.c = c, .st = &c->r->s.st, .n = n, .roots = roots, .wishes = wishes, .out = out};
    nodes_topo(n, roots, &a.order);
    bool ok = all_known(&a) && (!wishes->unroll || unroll_all(&a));
    bool tell = a.known && (wishes->data || wishes->grad || wishes->unroll);
    if (ok && tell) {
        ask_data(&a);
        a.gradients = a.keys.len;
        ok = (!wishes->grad || ask_gradients(&a)) && evaluate(&a);
    }
    vec_free(&a.order);
    vec_free(&a.asked);
    vec_free(&a.keys);
    vec_free(&a.into);
    return ok;
}

void node_values_free(NodeValues *v)
{
    for (size_t i = 0; i < v->scans.len; i++) {
        for (int k = 0; v->scans.at[i]->grad && k < v->scans.at[i]->u.k; k++)
            map_free(&v->scans.at[i]->grad[k]);
        unroll_free(&v->scans.at[i]->u);
    }
    vec_free(&v->scans);
    map_free(&v->data);
    map_free(&v->grad);
    map_free(&v->unrolled);
}
