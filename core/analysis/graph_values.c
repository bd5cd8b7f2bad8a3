/* What the nodes of a graph are worth.  See graph_values.h. */
#include "analysis/graph_values.h"

#include "analysis/unroll_back.h"
#include "grad/vjp.h"

typedef struct {
    const Evaluator *e;
    Store *st;
    int n;
    Node *const *roots;
    const GraphWishes *wishes;
    GraphValues *out;
    NodeVec order; /* of the graph */
    NodeVec asked; /* what to evaluate for each of out->values */
    bool known;    /* all inputs have values */
} Asking;

/* ---- scans to unroll ---- */

/* How many steps each scan takes: as evaluated, else as it is written; -1: not known. */
static bool count_steps(Asking *a, const NodeVec *scans, i64 *counts)
{
    NodeVec asked = {0};
    Tensor **at = xcalloc(scans->len + 1, sizeof *at);
    for (size_t i = 0; i < scans->len; i++) {
        ScanShape s = scan_shape(scans->at[i]);
        if (a->known)
            vec_push(&asked, node_proj(a->st, scans->at[i], s.steps));
        else if (s.stop || !node_const_i64(s.n, &counts[i]))
            counts[i] = -1;
    }
    bool ok = probe_nodes(a->e, asked.len, asked.at, NULL, at);
    for (size_t i = 0; i < asked.len && ok; i++)
        counts[i] = tensor_i64_at(at[i], 0);
    probe_release(at, asked.len);
    vec_free(&asked);
    return ok;
}

static bool unroll_one(Asking *a, Node *scan, i64 count)
{
    i64 most = a->wishes->unroll, k = count >= 0 && count < most ? count : most;
    UnrolledScan u = {.rest = count < 0 ? -1 : count - k};
    bool ok = scan_unroll(a->st, scan, (int)k, &u.u);
    vec_push(&a->out->scans, u);
    return ok;
}

static bool fail(Asking *a, const char *code, const char *hint, const char *message)
{
    diag_add(a->st->diags, code, a->wishes->span, hint, "%s", message);
    return false;
}

static bool unroll_all(Asking *a)
{
    NodeVec scans = {0};
    for (size_t i = 0; i < a->order.len; i++)
        if (a->order.at[i]->op == OP_SCAN)
            vec_push(&scans, a->order.at[i]);
    i64 *counts = xcalloc(scans.len + 1, sizeof *counts);
    bool ok = scans.len || fail(a, "no-scan",
                                "scans inside derivatives or other loops, and loops made by the "
                                "pass `lower`, are not unrolled",
                                "there is no scan to unroll in this state of the graph");
    ok = ok && count_steps(a, &scans, counts);
    for (size_t i = 0; i < scans.len && ok; i++)
        ok = unroll_one(a, scans.at[i], counts[i]);
    free(counts);
    vec_free(&scans);
    return ok;
}

/* ---- what to evaluate ---- */

static void ask(Asking *a, Node *node, Node *value)
{
    vec_push(&a->out->values, ((NodeValue){.node = node, .scan = -1, .step = -1}));
    vec_push(&a->asked, value);
}

static void ask_gradient(Asking *a, Node *node, int scan, int step, Node *bar)
{
    if (!bar)
        return;
    vec_push(&a->out->values,
             ((NodeValue){.node = node, .scan = scan, .step = step, .gradient = true}));
    vec_push(&a->asked, bar);
}

static void ask_all(Asking *a, NodeSet *seen, Node *n)
{
    if (map_has(seen, n) || n->type->kind != TYPE_TENSOR || n->open)
        return;
    set_add(seen, n);
    ask(a, n, n);
}

/* The copies of what a step computes; step by step, so in the order of the run. */
static void each_copy(Asking *a, const Unroll *u, NodeSet *seen)
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
    NodeSet seen = {0};
    for (size_t i = 0; i < a->order.len; i++)
        if (a->order.at[i]->op != OP_CONST)
            ask_all(a, &seen, a->order.at[i]);
    for (size_t i = 0; i < a->out->scans.len; i++)
        each_copy(a, &a->out->scans.at[i].u, &seen);
    map_free(&seen);
}

/* ---- gradients ---- */

static bool is_real_leaf(const Node *n)
{
    return (n->op == OP_INPUT || n->op == OP_SHARED) && type_has_floats(n->type);
}

static Node *real_loss(Asking *a)
{
    Node *loss = a->n == 1 ? a->roots[0] : NULL;
    if (loss && loss->type->kind == TYPE_TENSOR && type_has_floats(loss->type) &&
        node_rank(loss) == 0)
        return loss;
    fail(a, "type-mismatch", "sum(...) reduces an array to a scalar",
         "grad differentiates a single real number");
    return NULL;
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
        ask_gradient(a, a->order.at[i], -1, -1, map_get(&sweep.v.cotangents, a->order.at[i]));
    vjp_end(&sweep);
    vec_free(&leaves);
    return ok;
}

/* The copies that depend on an input; the others are constants, and nothing is told of these. */
static void mark_changing(const Unroll *u, const NodeVec *body, NodeSet *changing)
{
    NodeVec copies = {0}, order = {0};
    for (int i = 0; i < u->k; i++)
        for (size_t k = 0; k < body->len; k++) {
            Node *copy = map_get(&u->of_body[i], body->at[k]);
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
            set_add(changing, n);
    }
    vec_free(&copies);
    vec_free(&order);
}

/* Those of the steps of a scan that is written out to its end. */
static bool sweep_steps(Asking *a, Node *loss, int scan)
{
    const Unroll *u = &a->out->scans.at[scan].u;
    NodeVec body = {0};
    UnrollBack back;
    NodeSet changing = {0};
    nodes_topo(u->s.body->nouts, u->s.body->outs, &body);
    bool ok = unroll_back(a->st, u, u->k, loss, &back);
    mark_changing(u, &body, &changing);
    for (int i = 0; i < u->k && ok; i++)
        for (size_t k = 0; k < body.len; k++)
            if (map_has(&changing, map_get(&u->of_body[i], body.at[k])))
                ask_gradient(a, body.at[k], scan, i, map_get(&back.of_body[i], body.at[k]));
    unroll_back_free(u, &back);
    map_free(&changing);
    vec_free(&body);
    return ok;
}

static bool ask_gradients(Asking *a)
{
    Node *loss = real_loss(a);
    bool ok = loss && sweep_graph(a, loss);
    for (size_t i = 0; i < a->out->scans.len && ok; i++)
        if (a->out->scans.at[i].rest == 0)
            ok = sweep_steps(a, loss, (int)i);
    return ok;
}

/* ---- the whole ---- */

static bool evaluate(Asking *a)
{
    Tensor **at = xcalloc(a->asked.len + 1, sizeof *at);
    bool ok = probe_nodes(a->e, a->asked.len, a->asked.at, NULL, at);
    for (size_t i = 0; i < a->asked.len; i++)
        a->out->values.at[i].value = at[i];
    free(at);
    return ok;
}

static bool all_known(Asking *a)
{
    const Node *missing = probe_missing(a->e, a->n, a->roots);
    a->known = !missing;
    if (a->known || (!a->wishes->values && !a->wishes->gradients))
        return true;
    Text message = {0};
    text_printf(&message, "%s has no value",
                missing->op == OP_SIZE ? "a size" : missing->attrs[0].name);
    fail(a, "no-value", "give it one with :=", text_str(&message));
    text_free(&message);
    return false;
}

bool graph_values(const Evaluator *e, int n, Node *const *roots, const GraphWishes *wishes,
                  GraphValues *out)
{
    *out = (GraphValues){.values = {0}};
    Asking a = {.e = e, .st = e->st, .n = n, .roots = roots, .wishes = wishes, .out = out};
    nodes_topo(n, roots, &a.order);
    bool ok = all_known(&a) && (!wishes->unroll || unroll_all(&a));
    if (ok && a.known && (wishes->values || wishes->gradients || wishes->unroll)) {
        ask_data(&a);
        ok = (!wishes->gradients || ask_gradients(&a)) && evaluate(&a);
    }
    vec_free(&a.order);
    vec_free(&a.asked);
    return ok;
}

void graph_values_free(GraphValues *v)
{
    for (size_t i = 0; i < v->values.len; i++)
        tensor_unref(v->values.at[i].value);
    for (size_t i = 0; i < v->scans.len; i++)
        unroll_free(&v->scans.at[i].u);
    vec_free(&v->values);
    vec_free(&v->scans);
}
