/* K-best extraction: see best.h.
 *
 * A vertex is a part of a class (onward.h), seen by an operand slot whose user runs in another
 * sweep (2 * part) or would take it along (2 * part + 1); an edge is an e-node as a form of one of
 * these (2 * its place in the list of forms, and one more), and weighs what it costs there. One
 * more vertex and edge stand for the roots together.
 *
 * Invariant: a vertex's forms are numbered in the order of their costs; a form is numbered only
 * after those that it is made of. */
#include "egraph/best.h"

#include <math.h>

/* Forms that are looked at without one more of the roots being found: circles can have so many
 * forms, each through the class that it starts from, that there is no end of them. */
enum { MOST_IDLE = 5000 };

typedef struct {
    double key;
    u32 id;
} Queued;
typedef VEC(Queued) Queue;

/* An operand whose form is not its first one. */
typedef struct {
    u32 slot, rank;
} Raised;

typedef struct {
    u32 edge, nraised;
    const Raised *raised; /* from the last operand to the first */
    u32 waits;            /* the next one that waits for the same form; NO_FORM: none */
    double cost;
    Node *node; /* NULL: not built yet */
} Form;
#define NO_FORM UINT32_MAX

typedef VEC(u32) Ids;

struct BestForms {
    EGraph *g;
    const Onward *o;
    u32 *part_of; /* of forms, by place: the part whose list it is */
    u32 nforms, nroots;
    u32 *roots;       /* parts */
    TermCost *cost;   /* of terms; own < 0: not to be used */
    u8 *sweeps;       /* of terms: which operands they take along */
    double *in, *out; /* of vertices: the cheapest form; what the roots cost beside it */
    Ids *ranked;      /* of vertices: their forms, in order */
    u32 *waiting;     /* of vertices: the forms that need the next of these */
    VEC(Form) forms;
    Queue agenda;
    Arena arena;
    Ids ranks;       /* of the form that is looked at, by operand; */
    Ids next_equal;  /* the next operand that is not told apart from this one, or NO_FORM */
    Ids stack, seen; /* of a walk through a form's parts; seen: by form, in which walk */
    u32 walks;
    bool gave_up;
};

enum { SWEEPS_NONE, SWEEPS_EQUAL, SWEEPS_ALL }; /* equal: operands of its own shape */

/* ---- the queue ---- */

static bool sooner(const Queued *a, const Queued *b)
{
    return a->key < b->key || (a->key == b->key && a->id < b->id);
}

static void queue_put(Queue *q, double key, u32 id)
{
    vec_push(q, ((Queued){key, id}));
    Queued *at = q->at, x = at[q->len - 1];
    size_t i = q->len - 1;
    for (; i && sooner(&x, &at[(i - 1) / 2]); i = (i - 1) / 2)
        at[i] = at[(i - 1) / 2];
    at[i] = x;
}

static Queued queue_take(Queue *q)
{
    Queued first = q->at[0], x = q->at[--q->len];
    size_t i = 0;
    for (size_t k; (k = 2 * i + 1) < q->len; i = k) {
        k += k + 1 < q->len && sooner(&q->at[k + 1], &q->at[k]);
        if (!sooner(&q->at[k], &x))
            break;
        q->at[i] = q->at[k];
    }
    q->at[i] = x;
    return first;
}

/* ---- vertices and edges ---- */

static u32 root_vertex(const BestForms *b) { return 2 * b->o->nparts; }
static u32 root_edge(const BestForms *b) { return 2 * b->nforms; }
static TermId term_of(const BestForms *b, u32 edge) { return b->o->forms.at[edge / 2]; }

static u32 arity(const BestForms *b, u32 edge)
{
    return edge == root_edge(b) ? b->nroots : eg_node(b->g, term_of(b, edge))->nops;
}

static u32 head(const BestForms *b, u32 edge)
{
    return edge == root_edge(b) ? root_vertex(b) : 2 * b->part_of[edge / 2] + edge % 2;
}

static double weight(const BestForms *b, u32 edge)
{
    const TermCost *c = edge == root_edge(b) ? NULL : &b->cost[term_of(b, edge)];
    return !c ? 0 : edge % 2 ? c->joined : c->own;
}

/* The vertex of an operand. */
static u32 tail(const BestForms *b, u32 edge, u32 i)
{
    if (edge == root_edge(b))
        return 2 * b->roots[i];
    const Term *t = eg_term(b->g, term_of(b, edge));
    u8 sweeps = b->sweeps[term_of(b, edge)];
    bool along = sweeps == SWEEPS_ALL ||
                 (sweeps == SWEEPS_EQUAL && node_takes_along(t->node, t->node->ops[i]->type));
    return 2 * b->o->part[t->kids[i]] + along;
}

static bool any_order(const BestForms *b, u32 edge)
{
    const Node *n = edge == root_edge(b) ? NULL : eg_node(b->g, term_of(b, edge));
    return n && eg_any_order(n->op, n->nops);
}

/* ---- what is cheapest inside and outside ---- */

/* Where each vertex is an operand: edges, once for each operand. */
typedef struct {
    u32 *first, *edge;
} Users;

static Users find_users(const BestForms *b)
{
    u32 nedges = root_edge(b) + 1, nvertices = root_vertex(b) + 1;
    Users u = {xcalloc((size_t)nvertices + 2, sizeof *u.first), NULL};
    for (u32 e = 0; e < nedges; e++)
        for (u32 i = 0; weight(b, e) >= 0 && i < arity(b, e); i++)
            u.first[tail(b, e, i) + 2]++;
    for (u32 v = 2; v < nvertices + 2; v++)
        u.first[v] += u.first[v - 1];
    u.edge = xmalloc(((size_t)u.first[nvertices + 1] + 1) * sizeof *u.edge);
    for (u32 e = 0; e < nedges; e++) /* first[v + 1] moves on to where v's end */
        for (u32 i = 0; weight(b, e) >= 0 && i < arity(b, e); i++)
            u.edge[u.first[tail(b, e, i) + 1]++] = e;
    return u;
}

/* With the cheapest form of each operand. */
static double cheapest_by(const BestForms *b, u32 edge)
{
    double sum = weight(b, edge);
    for (u32 i = 0; i < arity(b, edge); i++)
        sum += b->in[tail(b, edge, i)];
    return sum;
}

static void lower(double *at, u32 v, double cost, Queue *q)
{
    if (cost < at[v]) {
        at[v] = cost;
        queue_put(q, cost, v);
    }
}

/* Vertices in the order of their costs (Knuth, A generalization of Dijkstra's algorithm, 1977). */
static void find_inside(BestForms *b)
{
    u32 nedges = root_edge(b) + 1;
    Users users = find_users(b);
    u32 *left = xmalloc(nedges * sizeof *left);
    Queue q = {0};
    for (u32 e = 0; e < nedges; e++)
        if (weight(b, e) >= 0 && !(left[e] = arity(b, e)))
            lower(b->in, head(b, e), weight(b, e), &q);
    while (q.len) {
        Queued x = queue_take(&q);
        for (u32 u = users.first[x.id]; x.key == b->in[x.id] && u < users.first[x.id + 1]; u++)
            if (!--left[users.edge[u]])
                lower(b->in, head(b, users.edge[u]), cheapest_by(b, users.edge[u]), &q);
    }
    vec_free(&q);
    free(left);
    free(users.first);
    free(users.edge);
}

static void leave_edge(BestForms *b, u32 edge, double outside, Queue *q)
{
    double all = outside + cheapest_by(b, edge);
    for (u32 i = 0; isfinite(all) && i < arity(b, edge); i++) {
        u32 v = tail(b, edge, i);
        lower(b->out, v, fmax(all - b->in[v], outside), q);
    }
}

/* The edges that make a vertex. */
static void each_maker(BestForms *b, u32 v,
                       void (*call)(BestForms *b, u32 edge, double x, Queue *q), double x, Queue *q)
{
    if (v == root_vertex(b)) {
        call(b, root_edge(b), x, q);
        return;
    }
    const PartLists *forms = &b->o->forms;
    for (u32 i = forms->first[v / 2]; i < forms->first[v / 2 + 1]; i++)
        if (b->cost[forms->at[i]].own >= 0)
            call(b, 2 * i + v % 2, x, q);
}

static void find_outside(BestForms *b)
{
    Queue q = {0};
    if (isfinite(b->in[root_vertex(b)]))
        lower(b->out, root_vertex(b), 0, &q);
    while (q.len) {
        Queued x = queue_take(&q);
        if (x.key == b->out[x.id])
            each_maker(b, x.id, leave_edge, x.key, &q);
    }
    vec_free(&q);
}

/* ---- forms ---- */

/* The ranks of its operands, in b->ranks. */
static void read_ranks(BestForms *b, u32 form)
{
    const Form *f = &b->forms.at[form];
    u32 n = arity(b, f->edge);
    b->ranks.len = 0;
    for (u32 i = 0; i < n; i++)
        vec_push(&b->ranks, 0u);
    for (u32 i = 0; i < f->nraised; i++)
        b->ranks.at[f->raised[i].slot] = f->raised[i].rank;
}

static u32 part(const BestForms *b, u32 edge, u32 i)
{
    return b->ranked[tail(b, edge, i)].at[b->ranks.at[i]];
}

/* To the agenda, if the forms that it is made of are known; else it waits for one of them. */
static void offer_form(BestForms *b, u32 form)
{
    Form *f = &b->forms.at[form];
    f->cost = weight(b, f->edge);
    read_ranks(b, form);
    for (u32 i = 0; i < b->ranks.len; i++) {
        u32 v = tail(b, f->edge, i);
        if (b->ranks.at[i] >= b->ranked[v].len) {
            f->waits = b->waiting[v];
            b->waiting[v] = form;
            return;
        }
        f->cost += b->forms.at[part(b, f->edge, i)].cost;
    }
    queue_put(&b->agenda, f->cost + b->out[head(b, f->edge)], form);
}

static void make_form(BestForms *b, u32 edge, u32 nraised, const Raised *raised)
{
    vec_push(&b->forms, ((Form){edge, nraised, raised, NO_FORM, 0, NULL}));
    offer_form(b, (u32)b->forms.len - 1);
}

/* The same with the next form of one operand, which stands before those that are raised already, or
 * is the first of these. */
static void raise_operand(BestForms *b, const Form *f, u32 slot)
{
    bool again = f->nraised && f->raised[f->nraised - 1].slot == slot;
    u32 n = f->nraised + !again;
    Raised *raised = arena_alloc(&b->arena, n * sizeof *raised);
    if (f->nraised)
        memcpy(raised, f->raised, f->nraised * sizeof *raised);
    raised[n - 1] = (Raised){slot, again ? raised[n - 1].rank + 1 : 1};
    make_form(b, f->edge, n, raised);
}

static void first_form(BestForms *b, u32 edge, double x, Queue *q)
{
    (void)x, (void)q;
    if (isfinite(cheapest_by(b, edge)))
        make_form(b, edge, 0, NULL);
}

/* Which operands are not told apart: those of one class where order does not count. */
static void find_equal_operands(BestForms *b, u32 edge)
{
    u32 n = arity(b, edge);
    bool any = any_order(b, edge);
    b->next_equal.len = 0;
    for (u32 i = 0; i < n; i++) {
        u32 k = i + 1;
        while (any && k < n && tail(b, edge, k) != tail(b, edge, i))
            k++;
        vec_push(&b->next_equal, any && k < n ? k : NO_FORM);
    }
}

/* Operands are raised from the last to the first, so that each choice of ranks is met once. */
static void lead_on(BestForms *b, u32 form)
{
    Form f = b->forms.at[form];
    u32 end = f.nraised ? f.raised[f.nraised - 1].slot + 1 : arity(b, f.edge);
    find_equal_operands(b, f.edge);
    for (u32 i = end; i-- > 0;) {
        u32 equal = b->next_equal.at[i];
        read_ranks(b, form);
        if (equal == NO_FORM || b->ranks.at[i] < b->ranks.at[equal])
            raise_operand(b, &f, i);
    }
}

/* The class of what it makes; NO_TERM: it is the roots. */
static TermId class_of_edge(const BestForms *b, u32 edge)
{
    return edge == root_edge(b) ? NO_TERM : eg_find(b->g, term_of(b, edge));
}

/* Is something in it of its own class? */
static bool contains_itself(BestForms *b, u32 form)
{
    TermId class = class_of_edge(b, b->forms.at[form].edge);
    b->stack.len = 0;
    b->walks++;
    while (b->seen.len < b->forms.len)
        vec_push(&b->seen, 0u);
    vec_push(&b->stack, form);
    while (b->stack.len) {
        u32 k = b->stack.at[--b->stack.len], edge = b->forms.at[k].edge;
        if (k != form && class_of_edge(b, edge) == class)
            return true;
        read_ranks(b, k);
        for (u32 i = 0; i < b->ranks.len; i++) {
            u32 p = part(b, edge, i);
            if (b->seen.at[p] != b->walks)
                vec_push(&b->stack, p);
            b->seen.at[p] = b->walks;
        }
    }
    return false;
}

/* The next form of its vertex is known. */
static void rank_form(BestForms *b, u32 form)
{
    u32 v = head(b, b->forms.at[form].edge), waiting = b->waiting[v];
    vec_push(&b->ranked[v], form);
    b->waiting[v] = NO_FORM;
    while (waiting != NO_FORM) {
        u32 next = b->forms.at[waiting].waits;
        offer_form(b, waiting);
        waiting = next;
    }
}

/* ---- nodes ---- */

static Node *node_of_parts(BestForms *b, u32 form, Node **ops)
{
    TermId t = term_of(b, b->forms.at[form].edge);
    Node *n = eg_node(b->g, t), *r = node_with_operands(b->g->st, n, ops);
    return r && r->type == n->type ? r : NULL;
}

/* Its parts that are not built yet go to `stack`; true if there are none. */
static bool parts_built(BestForms *b, u32 form, Node **ops, Ids *stack)
{
    bool all = true;
    u32 edge = b->forms.at[form].edge;
    read_ranks(b, form);
    for (u32 i = 0; i < b->ranks.len; i++) {
        u32 k = part(b, edge, i);
        ops[i] = b->forms.at[k].node;
        if (!ops[i]) {
            vec_push(stack, k);
            all = false;
        }
    }
    return all;
}

/* The roots by this form of them. */
static bool build_form(BestForms *b, u32 form, Node **out)
{
    Ids stack = {0};
    VEC(Node *) ops = {0};
    bool ok = true;
    vec_push(&stack, form);
    while (stack.len && ok) {
        u32 k = stack.at[stack.len - 1], n = arity(b, b->forms.at[k].edge);
        while (ops.len < n)
            vec_push(&ops, NULL);
        if (b->forms.at[k].node)
            stack.len--;
        else if (parts_built(b, k, ops.at, &stack)) {
            stack.len--;
            if (k == form)
                memcpy(out, ops.at, n * sizeof *out);
            else
                ok = (b->forms.at[k].node = node_of_parts(b, k, ops.at)) != NULL;
        }
    }
    vec_free(&stack);
    vec_free(&ops);
    return ok;
}

/* ---- outside ---- */

/* Is it another term that leads to a constant? */
static bool is_computed_constant(const BestForms *b, TermId t)
{
    const EClass *c = eg_class(b->g, t);
    TermId constant = class_has(c, OP_CONST) ? class_term(b->g, c, OP_CONST) : NO_TERM;
    return constant != NO_TERM && constant != t && onward_leads(b->o, t, constant);
}

static void read_terms(BestForms *b, const CostModel *m)
{
    for (TermId t = 0; t < b->o->nterms; t++)
        b->cost[t] = (TermCost){-1, -1};
    for (u32 i = 0; i < b->nforms; i++) {
        TermId t = b->o->forms.at[i];
        const Node *n = eg_node(b->g, t);
        if (is_computed_constant(b, t))
            continue;
        b->cost[t] = *eg_term_cost(b->g, m, t);
        b->sweeps[t] = (u8)(node_takes_along(n, NULL)      ? SWEEPS_ALL
                            : node_takes_along(n, n->type) ? SWEEPS_EQUAL
                                                           : SWEEPS_NONE);
    }
}

BestForms *best_open(EGraph *g, const Onward *o, const CostModel *m, int n, Node *const *roots)
{
    BestForms *b = xcalloc(1, sizeof *b);
    *b = (BestForms){.g = g,
                     .o = o,
                     .nforms = o->forms.first[o->nparts],
                     .nroots = (u32)n,
                     .roots = xmalloc(((size_t)n + 1) * sizeof *b->roots)};
    for (int i = 0; i < n; i++)
        b->roots[i] = o->part[eg_add(g, roots[i])];
    u32 nvertices = root_vertex(b) + 1;
    b->part_of = xmalloc(((size_t)b->nforms + 1) * sizeof *b->part_of);
    for (u32 part = 0; part < o->nparts; part++)
        for (u32 i = o->forms.first[part]; i < o->forms.first[part + 1]; i++)
            b->part_of[i] = part;
    b->cost = xmalloc(((size_t)o->nterms + 1) * sizeof *b->cost);
    b->sweeps = xcalloc((size_t)o->nterms + 1, 1);
    b->in = xmalloc(nvertices * sizeof *b->in);
    b->out = xmalloc(nvertices * sizeof *b->out);
    b->ranked = xcalloc(nvertices, sizeof *b->ranked);
    b->waiting = xmalloc(nvertices * sizeof *b->waiting);
    for (u32 v = 0; v < nvertices; v++) {
        b->in[v] = b->out[v] = INFINITY;
        b->waiting[v] = NO_FORM;
    }
    read_terms(b, m);
    find_inside(b);
    find_outside(b);
    for (u32 v = 0; v < nvertices; v++)
        if (isfinite(b->out[v]))
            each_maker(b, v, first_form, 0, NULL);
    return b;
}

bool best_next(BestForms *b, Node **out, double *cost)
{
    u32 idle = 0;
    while (b->agenda.len && !store_stops(b->g->st) && !b->gave_up) {
        b->gave_up = ++idle > MOST_IDLE;
        u32 form = queue_take(&b->agenda).id;
        bool counts = !contains_itself(b, form);
        if (counts)
            rank_form(b, form);
        lead_on(b, form);
        if (!counts || b->forms.at[form].edge != root_edge(b) || !build_form(b, form, out))
            continue;
        *cost = b->forms.at[form].cost;
        return true;
    }
    return false;
}

bool best_gave_up(const BestForms *b) { return b->gave_up; }

void best_close(BestForms *b)
{
    for (u32 v = 0; v <= root_vertex(b); v++)
        vec_free(&b->ranked[v]);
    vec_free(&b->forms);
    vec_free(&b->agenda);
    vec_free(&b->ranks);
    vec_free(&b->next_equal);
    vec_free(&b->stack);
    vec_free(&b->seen);
    free(b->roots);
    free(b->part_of);
    free(b->cost);
    free(b->sweeps);
    free(b->in);
    free(b->out);
    free(b->ranked);
    free(b->waiting);
    arena_free(&b->arena);
    free(b);
}
