/* Reverse mode as textbooks show it.  See reverse_trace.h. */
#include "analysis/reverse_trace.h"

#include "analysis/reverse_sweep.h"
#include "grad/vjp.h"
#include "graph/names.h"
#include "graph/provenance.h"
#include "graph/walk.h"
#include "passes/passes.h"

#include <ctype.h>

typedef struct {
    const Evaluator *e;
    Store *st;
    Span span;
    int most;
    Node *result;
    NodeSet by;             /* leaves that a gradient is by; empty: all */
    NodeSet moves;          /* nodes that depend on an input */
    MAP(Node *, int) place; /* node -> its value's place + 1 */
    NodeVec order;
    ReverseTrace *out;
} Tracing;

static bool fail(Tracing *t, const char *code, const char *hint, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
static bool fail(Tracing *t, const char *code, const char *hint, const char *fmt, ...)
{
    Text message = {0};
    va_list args;
    va_start(args, fmt);
    text_vprintf(&message, fmt, args);
    va_end(args);
    diag_add(t->st->diags, code, t->span, hint, "%s", text_str(&message));
    text_free(&message);
    return false;
}

/* ---- what is traced ---- */

/* The one gradient that all roots are results of, or NULL. */
static Node *gradient_of(int n, Node *const *roots)
{
    Node *owner = n && roots[0]->op == OP_PROJ ? roots[0]->ops[0] : NULL;
    for (int i = 0; i < n && owner; i++)
        if (roots[i]->op != OP_PROJ || roots[i]->ops[0] != owner)
            return NULL;
    return owner && owner->op == OP_GRAD ? owner : NULL;
}

/* The function that a gradient is of, at its operands. */
static bool open_gradient(Tracing *t, Node *gradient)
{
    Graph *g = gradient->attrs[0].graph;
    for (i64 i = 0; i < gradient->attrs[1].i; i++)
        set_add(&t->by, gradient->ops[i]);
    return graph_instantiate(t->st, g, gradient->ops, &t->result);
}

static bool is_real_number(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && type_has_floats(n->type) && node_rank(n) == 0;
}

static bool find_result(Tracing *t, int n, Node *const *roots)
{
    Node *gradient = gradient_of(n, roots);
    if (gradient) {
        if (!open_gradient(t, gradient))
            return false;
    } else if (n == 1 && is_real_number(roots[0])) {
        t->result = roots[0];
    } else {
        return fail(t, "type-mismatch", "sum(...) reduces an array to a scalar",
                    "reverse mode starts from a single real number");
    }
    return derivatives_expand(t->st, t->e->rules, t->e->options, 1, &t->result);
}

static bool is_leaf(const Tracing *t, Node *n)
{
    return n->op == OP_INPUT || n->op == OP_SHARED || map_has(&t->by, n);
}

static bool is_value(const Tracing *t, Node *n)
{
    return n->type->kind == TYPE_TENSOR && map_has(&t->moves, n);
}

/* What is not straight-line code, in words; NULL: it is. */
static const char *turn_of(const Node *n)
{
    switch (n->op) {
    case OP_SCAN:
    case OP_LOOP: return "a loop";
    case OP_IFELSE: return "a branch";
    default: return op_table[n->op].cls == CLASS_CONTROL ? "an inner graph" : NULL;
    }
}

static bool fail_at_turn(Tracing *t, const Node *n)
{
    const char *hint = n->op == OP_IFELSE
                           ? "follow one branch, as an expression of its own"
                           : "`:trace EXPR grad=X` tabulates the steps of a loop, `:draw EXPR FILE "
                             "unroll=N values=grad` draws them";
    return fail(
        t, "usage", hint,
        "reverse mode is shown value by value only for straight-line code, but this contains %s",
        turn_of(n));
}

static Node *needs(void *context, Node *n, u32 k)
{
    const Tracing *t = context;
    return k < n->nops && !is_leaf(t, n) ? node_operand_shown(t->st, n, k) : NULL;
}

static void done(void *context, Node *n)
{
    Tracing *t = context;
    vec_push(&t->order, n);
}

/* Operands before users, the first one first; nothing below a leaf. */
static bool walk(Tracing *t)
{
    NodeSet seen = {0};
    nodes_visit(t->result, &seen, &(Visit){needs, done, t});
    map_free(&seen);
    int count = 0;
    for (size_t i = 0; i < t->order.len; i++) {
        Node *n = t->order.at[i];
        bool moves = is_leaf(t, n);
        for (u32 k = 0; k < n->nops && !moves; k++)
            moves = map_has(&t->moves, n->ops[k]);
        if (!moves)
            continue;
        if (turn_of(n) && !is_leaf(t, n))
            return fail_at_turn(t, n);
        set_add(&t->moves, n);
        count += n->type->kind == TYPE_TENSOR;
    }
    return count <= t->most ||
           fail(t, "usage", "choose a smaller expression or fewer layers",
                "%d values are too many to show one by one (at most %d)", count, t->most);
}

/* ---- names ---- */

static bool is_numbered(const char *name, char letter)
{
    const char *s = name + (*name == letter);
    while (isdigit((unsigned char)*s))
        s++;
    return *name == letter && s > name + 1 && (!*s || *s == '_');
}

/* A letter that numbers can follow without meaning an input. */
static char free_letter(const Tracing *t)
{
    for (const char *letter = "vwuzqkabc"; *letter; letter++) {
        bool taken = false;
        for (size_t i = 0; i < t->order.len && !taken; i++)
            taken = is_leaf(t, t->order.at[i]) && node_name(t->st, t->order.at[i]) &&
                    is_numbered(node_name(t->st, t->order.at[i]), *letter);
        if (!taken)
            return *letter;
    }
    return 'V';
}

static Symbol name_of_leaf(Tracing *t, Node *n, int k)
{
    Symbol name = node_name(t->st, n);
    char text[24];
    snprintf(text, sizeof text, "x_%d", k);
    return name ? name : symbol(t->st, text);
}

static bool is_taken(const Tracing *t, Symbol name)
{
    bool found = false;
    for (size_t i = 0; i < t->out->values.len && !found; i++)
        found = t->out->values.at[i].bar_name == name;
    for (size_t i = 0; i < t->order.len && !found; i++)
        found = is_leaf(t, t->order.at[i]) && node_name(t->st, t->order.at[i]) == name;
    return found;
}

/* x1_bar, unless an input or another adjoint is called that. */
static Symbol name_of_bar(Tracing *t, Symbol name)
{
    Text bar = {0};
    text_put(&bar, name);
    Symbol found;
    do {
        text_put(&bar, "_bar");
        found = symbol(t->st, text_str(&bar));
    } while (is_taken(t, found));
    text_free(&bar);
    return found;
}

static void add_value(Tracing *t, Node *n, Symbol name)
{
    bool leaf = is_leaf(t, n);
    TracedValue v = {.node = n, .name = name, .bar_name = name_of_bar(t, name)};
    v.given = leaf ? NULL : node_name(t->st, n);
    v.named =
        n->op == OP_INPUT || n->op == OP_SHARED ? n : node_input(t->st, OP_INPUT, name, n->type);
    v.named_bar = node_input(t->st, OP_INPUT, v.bar_name, n->type);
    vec_push(&t->out->values, v);
    map_put(&t->place, n, (int)t->out->values.len);
}

/* Inputs first. */
static void name_values(Tracing *t)
{
    char letter = free_letter(t);
    int leaves = 0, k = 0;
    for (size_t i = 0; i < t->order.len; i++)
        if (is_value(t, t->order.at[i]) && is_leaf(t, t->order.at[i]))
            add_value(t, t->order.at[i], name_of_leaf(t, t->order.at[i], ++leaves));
    for (size_t i = 0; i < t->order.len; i++) {
        Node *n = t->order.at[i];
        if (!is_value(t, n) || is_leaf(t, n))
            continue;
        Text name = {0};
        text_printf(&name, "%c%d", letter, ++k);
        add_value(t, n, symbol(t->st, text_str(&name)));
        text_free(&name);
    }
}

/* ---- one operator alone ---- */

/* The values that n is computed from, in the order of its operands, through tuples. */
static void find_reads(Tracing *t, TracedValue *v, Node *n, NodeSet *seen)
{
    for (u32 k = 0; k < n->nops; k++) {
        Node *op = node_operand_shown(t->st, n, k);
        if (map_has(seen, op))
            continue;
        set_add(seen, op);
        if (is_value(t, op))
            vec_push(&v->reads, ((TracedRead){.of = map_get(&t->place, op) - 1}));
        else if (map_has(&t->moves, op))
            find_reads(t, v, op, seen);
    }
}

static bool put_names(Tracing *t, TracedValue *v)
{
    NodeMap memo = {0};
    for (size_t i = 0; i < v->reads.len; i++) {
        const TracedValue *of = &t->out->values.at[v->reads.at[i].of];
        map_put(&memo, of->node, of->named);
    }
    v->local = node_substitute(t->st, v->node, &memo);
    map_free(&memo);
    return v->local != NULL;
}

static bool find_locals(Tracing *t)
{
    bool ok = true;
    for (size_t i = 0; i < t->out->values.len && ok; i++) {
        TracedValue *v = &t->out->values.at[i];
        NodeSet seen = {0};
        if (is_leaf(t, v->node))
            continue;
        find_reads(t, v, v->node, &seen);
        ok = put_names(t, v);
        map_free(&seen);
    }
    return ok;
}

/* ---- adjoints ---- */

/* Those of the graph, as the sweep of the derivative leaves them. */
static bool record_adjoints(Tracing *t)
{
    NodeVec leaves = {0};
    ReverseSweep sweep;
    for (size_t i = 0; i < t->out->values.len; i++) {
        Node *n = t->out->values.at[i].node;
        if (is_leaf(t, n) && type_has_floats(n->type) && (!t->by.len || map_has(&t->by, n)))
            vec_push(&leaves, n);
    }
    bool ok = reverse_sweep(t->st, t->result, (int)leaves.len, leaves.at, &sweep);
    for (size_t i = 0; i < t->out->values.len && ok; i++)
        t->out->values.at[i].bar = map_get(&sweep.bars, t->out->values.at[i].node);
    reverse_sweep_free(&sweep);
    vec_free(&leaves);
    return ok;
}

/* What the operator's rule gives its operands of an adjoint that is called by its name. */
static bool find_terms(Tracing *t, TracedValue *v)
{
    size_t n = v->reads.len;
    Node **xs = xcalloc(n + 1, sizeof *xs), **terms = xcalloc(n + 1, sizeof *terms);
    for (size_t i = 0; i < n; i++)
        xs[i] = t->out->values.at[v->reads.at[i].of].named;
    bool ok = vjp_pull(t->st, 1, &v->local, &v->named_bar, (int)n, xs, terms, NULL);
    for (size_t i = 0; i < n && ok; i++)
        if (t->out->values.at[v->reads.at[i].of].bar)
            v->reads.at[i].term = terms[i];
    free(xs);
    free(terms);
    return ok;
}

/* Everything that is not NULL, as these rules leave it. */
static bool tidy(Tracing *t, Node **at[], size_t n, bool simplify)
{
    static const Phase phase = {.groups = "canonicalize stabilize"}, sums = {.groups = "simplify"};
    NodeVec roots = {0};
    Engine e;
    for (size_t i = 0; i < n; i++)
        if (*at[i])
            vec_push(&roots, *at[i]);
    engine_open(&e, t->st, t->e->rules, t->e->options, "canonicalize", (int)roots.len, roots.at);
    engine_phase(&e, &phase, PASS_SWEEPS);
    if (simplify)
        pass_simplify(&e, &sums);
    engine_close(&e);
    for (size_t i = 0, k = 0; i < n; i++)
        if (*at[i])
            *at[i] = roots.at[k++];
    bool ok = !e.failed;
    vec_free(&roots);
    return ok;
}

typedef VEC(Node **) Places;

static bool tidy_all(Tracing *t, bool factors, bool simplify)
{
    Places all = {0};
    for (size_t i = 0; i < t->out->values.len; i++) {
        TracedValue *v = &t->out->values.at[i];
        for (size_t k = 0; k < v->reads.len; k++)
            vec_push(&all, factors ? &v->reads.at[k].factor : &v->reads.at[k].term);
    }
    bool ok = tidy(t, all.at, all.len, simplify);
    vec_free(&all);
    return ok;
}

/* exp(x) is v2, where that is what v2 is. */
static bool call_by_name(Tracing *t, TracedValue *v)
{
    NodeMap memo = {0};
    bool ok = true;
    map_put(&memo, v->local, v->named);
    for (size_t k = 0; k < v->reads.len && ok; k++)
        if (v->reads.at[k].term)
            ok = (v->reads.at[k].term = node_substitute(t->st, v->reads.at[k].term, &memo)) != NULL;
    map_free(&memo);
    return ok;
}

static bool tidy_terms(Tracing *t)
{
    bool ok = tidy_all(t, false, false);
    for (size_t i = 0; i < t->out->values.len && ok; i++)
        ok = !t->out->values.at[i].local || call_by_name(t, &t->out->values.at[i]);
    return ok && tidy_all(t, false, true);
}

/* The adjoint as the sum of what comes from the users, in their order. */
static void add_sums(Tracing *t)
{
    TracedValue *last = &t->out->values.at[map_get(&t->place, t->result) - 1];
    last->sum = last->bar ? node_number(t->st, node_dtype(t->result), 1) : NULL;
    for (size_t i = 0; i < t->out->values.len; i++)
        for (size_t k = 0; k < t->out->values.at[i].reads.len; k++) {
            const TracedRead *r = &t->out->values.at[i].reads.at[k];
            TracedValue *to = &t->out->values.at[r->of];
            if (r->term)
                to->sum = to->sum ? node2(t->st, OP_ADD, NULL, to->sum, r->term) : r->term;
        }
}

/* ---- factors ---- */

/* What the adjoint is multiplied by: the term with 1 in its place. */
static Node *without_adjoint(Tracing *t, const TracedValue *v, Node *term)
{
    NodeMap memo = {0};
    map_put(&memo, v->named_bar, node_number(t->st, node_dtype(v->node), 1));
    Node *factor = node_substitute(t->st, term, &memo);
    map_free(&memo);
    return factor;
}

static bool same_shape(const Node *a, const Node *b)
{
    bool same = a->type->rank == b->type->rank;
    for (int k = 0; k < a->type->rank && same; k++)
        same = a->type->dims[k] == b->type->dims[k];
    return same;
}

/* The matrix of a product of a matrix and this vector. */
static Node *matrix_of(const TracedValue *v, const Node *vector)
{
    const Node *n = v->local;
    bool applied = n->op == OP_MATMUL && node_rank(n->ops[0]) == 2 && n->ops[1] == vector &&
                   node_rank(vector) == 1;
    return applied ? n->ops[0] : NULL;
}

static bool find_factor(Tracing *t, const TracedValue *v, TracedRead *r)
{
    const TracedValue *of = &t->out->values.at[r->of];
    bool elementwise =
        op_is_elementwise(v->node->op) && same_shape(v->node, of->node) && node_rank(of->node);
    if (!r->term)
        return true;
    if (node_rank(v->node) == 0 || elementwise) {
        r->factor = without_adjoint(t, v, r->term);
        r->diagonal = elementwise;
        return r->factor != NULL;
    }
    r->factor = matrix_of(v, of->named);
    return true;
}

static bool find_factors(Tracing *t)
{
    bool ok = true;
    for (size_t i = 0; i < t->out->values.len; i++)
        for (size_t k = 0; k < t->out->values.at[i].reads.len && ok; k++)
            ok = find_factor(t, &t->out->values.at[i], &t->out->values.at[i].reads.at[k]);
    return ok && tidy_all(t, true, true);
}

/* ---- values ---- */

/* An expression over names at the values that these stand for. */
static Node *at_values(Tracing *t, Node *n)
{
    NodeMap memo = {0};
    for (size_t i = 0; i < t->out->values.len; i++)
        map_put(&memo, t->out->values.at[i].named, t->out->values.at[i].node);
    Node *real = node_substitute(t->st, n, &memo);
    map_free(&memo);
    return real;
}

static bool find_values(Tracing *t)
{
    NodeVec asked = {0};
    VEC(Tensor **) to = {0};
    for (size_t i = 0; i < t->out->values.len; i++) {
        TracedValue *v = &t->out->values.at[i];
        vec_push(&asked, v->node);
        vec_push(&to, &v->value);
        if (v->bar) {
            vec_push(&asked, v->bar);
            vec_push(&to, &v->bar_value);
        }
        for (size_t k = 0; k < v->reads.len; k++)
            if (v->reads.at[k].factor && node_rank(v->reads.at[k].factor) == 0) {
                vec_push(&asked, at_values(t, v->reads.at[k].factor));
                vec_push(&to, &v->reads.at[k].number);
            }
    }
    Tensor **at = xcalloc(asked.len + 1, sizeof *at);
    bool ok = probe_nodes(t->e, asked.len, asked.at, NULL, at);
    for (size_t i = 0; i < asked.len; i++)
        *to.at[i] = at[i];
    free(at);
    vec_free(&asked);
    vec_free(&to);
    return ok;
}

/* ---- the whole ---- */

static bool trace(Tracing *t, int n, Node *const *roots)
{
    if (!find_result(t, n, roots) || !walk(t))
        return false;
    if (!is_value(t, t->result))
        return fail(t, "no-derivative", NULL, "the result depends on no input");
    name_values(t);
    if (!find_locals(t) || !record_adjoints(t))
        return false;
    bool ok = true;
    for (size_t i = 0; i < t->out->values.len && ok; i++)
        if (t->out->values.at[i].bar && t->out->values.at[i].reads.len)
            ok = find_terms(t, &t->out->values.at[i]);
    if (!ok || !tidy_terms(t) || !find_factors(t))
        return false;
    add_sums(t);
    t->out->valued = !probe_missing(t->e, 1, &t->result);
    return !t->out->valued || find_values(t);
}

bool reverse_trace(const Evaluator *e, int n, Node *const *roots, int most, Span span,
                   ReverseTrace *out)
{
    *out = (ReverseTrace){.valued = false};
    Tracing t = {.e = e, .st = e->st, .span = span, .most = most, .out = out};
    bool ok = trace(&t, n, roots);
    map_free(&t.by);
    map_free(&t.moves);
    map_free(&t.place);
    vec_free(&t.order);
    return ok;
}

void reverse_trace_free(ReverseTrace *t)
{
    for (size_t i = 0; i < t->values.len; i++) {
        TracedValue *v = &t->values.at[i];
        tensor_unref(v->value);
        tensor_unref(v->bar_value);
        for (size_t k = 0; k < v->reads.len; k++)
            tensor_unref(v->reads.at[k].number);
        vec_free(&v->reads);
    }
    vec_free(&t->values);
}
