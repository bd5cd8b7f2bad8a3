/* Which inputs of two graphs stand for one another where they have other names, and the second
 * graph told by those of the first.  See graph_diff_parts.h.
 *
 * Invariant: an input that both graphs read is itself. */
#include "analysis/graph_diff_parts.h"

#include "rewrite/pattern.h"

typedef struct {
    NodeVec of[2];                  /* inputs that one side alone has */
    MAP(Node *, u64) from_above[2]; /* by node: how it is read */
} Inputs;

Symbol diff_input_name(const Node *n)
{
    const SizeAtom *size = n->op == OP_SIZE ? size_as_atom(n->attrs[0].size) : NULL;
    return n->op == OP_INPUT || n->op == OP_SHARED ? n->attrs[0].name
           : size && size->kind == ATOM_NAME       ? size->name
                                                   : NULL;
}

/* Sizes are, too: where no input has them, nothing else tells which is which. */
static bool is_input(const Node *n) { return diff_input_name(n) != NULL; }

static void find_inputs(const GraphDiff *d, Inputs *in)
{
    NodeSet seen[2] = {0};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < d->nroots[side]; i++)
            nodes_topo_more(d->roots[side][i], &seen[side], &in->of[side]);
    for (int side = 0; side < 2; side++) {
        size_t kept = 0;
        for (size_t i = 0; i < in->of[side].len; i++)
            if (is_input(in->of[side].at[i]) && !map_has(&seen[!side], in->of[side].at[i]))
                in->of[side].at[kept++] = in->of[side].at[i];
        in->of[side].len = kept;
    }
    map_free(&seen[0]);
    map_free(&seen[1]);
}

static void remove_at(NodeVec *v, size_t i)
{
    v->len--;
    memmove(v->at + i, v->at + i + 1, (v->len - i) * sizeof *v->at);
}

/* Are they the same type but for what sizes are called? */
static bool types_agree(const Type *a, const Type *b)
{
    i64 n;
    bool agree = a->kind == b->kind && a->dtype == b->dtype && a->rank == b->rank;
    for (int i = 0; i < a->rank && agree && a->kind == TYPE_TENSOR; i++)
        agree = a->dims[i] == b->dims[i] ||
                (!size_is_const(a->dims[i], &n) && !size_is_const(b->dims[i], &n));
    return agree;
}

static void rename_input(GraphDiff *d, Inputs *in, size_t i, size_t k)
{
    vec_push(&d->renamed, ((InputPair){{in->of[0].at[i], in->of[1].at[k]}}));
    remove_at(&in->of[0], i);
    remove_at(&in->of[1], k);
}

/* Inputs of one name: of one type but for names, else that is a place. */
static void pair_by_name(GraphDiff *d, Inputs *in)
{
    for (size_t i = in->of[0].len; i-- > 0;)
        for (size_t k = in->of[1].len; k-- > 0;) {
            Node *a = in->of[0].at[i], *b = in->of[1].at[k];
            if (a->op != b->op || diff_input_name(a) != diff_input_name(b))
                continue;
            if (types_agree(a->type, b->type)) {
                rename_input(d, in, i, k);
            } else {
                diff_place_at(d, NULL, a, b, PART_INPUT, 0);
                diff_same(d, a, b);
                remove_at(&in->of[0], i);
                remove_at(&in->of[1], k);
            }
            break;
        }
}

/* ---- by how they are read ---- */

static u64 look_of(const Node *n)
{
    return is_input(n) ? hash_mix(n->op, n->type->kind == TYPE_TENSOR
                                             ? (u64)n->type->dtype * 16 + (u64)n->type->rank
                                             : 0)
                       : node_operator_hash(n);
}

/* Down from the results: the readers of each node, however they are called. */
static void look_from_above(GraphDiff *d, Inputs *in, int side)
{
    NodeVec order = {0};
    nodes_topo(d->nroots[side], d->roots[side], &order);
    for (int i = 0; i < d->nroots[side]; i++)
        map_put(&in->from_above[side], d->roots[side][i],
                map_get(&in->from_above[side], d->roots[side][i]) + (u64)i + 1);
    for (size_t i = order.len; i-- > 0;) {
        const Node *n = order.at[i];
        u64 above = map_get(&in->from_above[side], n);
        bool any = op_any_order(n->op);
        for (u32 k = 0; k < n->nops; k++)
            map_put(&in->from_above[side], n->ops[k],
                    map_get(&in->from_above[side], n->ops[k]) +
                        hash_mix(hash_mix(look_of(n), above), any ? 0 : k + 1));
    }
    vec_free(&order);
}

/* Those that are read alike; `any`: those of one type. */
static void pair_by_use(GraphDiff *d, Inputs *in, bool any)
{
    for (size_t i = 0; i < in->of[0].len; i++)
        for (size_t k = 0; k < in->of[1].len; k++) {
            const Node *a = in->of[0].at[i], *b = in->of[1].at[k];
            bool alike = any || map_get(&in->from_above[0], a) == map_get(&in->from_above[1], b);
            if (a->op == b->op && alike && types_agree(a->type, b->type)) {
                rename_input(d, in, i--, k);
                break;
            }
        }
}

/* ---- the second graph in the names of the first ---- */

/* A size of the second graph, by what renamed inputs have there in the first. */
static Size *size_of_first(Store *st, SizeAtom *atom, void *ctx)
{
    const GraphDiff *d = ctx;
    (void)st;
    for (size_t i = 0; i < d->renamed.len && atom->kind == ATOM_NAME; i++) {
        const Type *a = d->renamed.at[i].side[0]->type, *b = d->renamed.at[i].side[1]->type;
        for (int k = 0; k < b->rank; k++)
            if (size_as_atom(b->dims[k]) == atom)
                return a->dims[k];
    }
    return NULL;
}

static Node *name_of_first(GraphDiff *d, Node *input)
{
    for (size_t i = 0; i < d->renamed.len; i++)
        if (d->renamed.at[i].side[1] == input)
            return d->renamed.at[i].side[0];
    return input->op == OP_SIZE
               ? size_to_node(d->st, size_map(d->st, input->attrs[0].size, size_of_first, d))
               : input;
}

/* What was a node of the second graph stands there still. */
static void note_second(GraphDiff *d, size_t n, Node *const *was, Node *const *is)
{
    for (size_t i = 0; i < n; i++) {
        if (was[i] == is[i] || map_has(&d->work->stands[1], is[i]))
            continue;
        Standing *at = arena_alloc(&d->arena, sizeof *at);
        *at = (Standing){was[i], NULL};
        map_put(&d->work->stands[1], is[i], at);
    }
}

/* Sizes go with the inputs that have them: the graph is closed, and put to other inputs. */
static bool tell_second(GraphDiff *d)
{
    Closed c;
    NodeVec order = {0};
    CloseRequest rq = {.nouts = d->nroots[1], .outs = d->roots[1]};
    bool ok = graph_close(d->st, &rq, &c);
    if (!ok)
        return false;
    Node **args = arena_alloc(&d->arena, ((size_t)c.ncaptures + 1) * sizeof *args);
    for (int i = 0; i < c.ncaptures; i++)
        args[i] = name_of_first(d, c.captures[i]);
    nodes_topo(c.graph->nouts, c.graph->outs, &order);
    Node **was = arena_alloc(&d->arena, (order.len + 1) * sizeof *was),
         **is = arena_alloc(&d->arena, (order.len + 1) * sizeof *is);
    ok = graph_instantiate_nodes(d->st, c.graph, c.captures, (int)order.len, order.at, was) &&
         graph_instantiate_nodes(d->st, c.graph, args, (int)order.len, order.at, is) &&
         graph_instantiate(d->st, c.graph, args, d->told);
    if (ok)
        note_second(d, order.len, was, is);
    vec_free(&order);
    return ok;
}

/* Where that cannot be, each is what it is. */
static bool rename_second(GraphDiff *d)
{
    DiagTry trial;
    diag_try_begin(&trial, &d->st->diags);
    bool ok = tell_second(d);
    diag_try_end(&trial);
    if (!ok)
        memcpy(d->told, d->roots[1], (size_t)d->nroots[1] * sizeof *d->told);
    for (size_t i = 0; i < d->renamed.len && !ok; i++)
        diff_same(d, d->renamed.at[i].side[0], d->renamed.at[i].side[1]);
    return !store_stopped(d->st, "where two graphs are compared");
}

bool diff_inputs(GraphDiff *d)
{
    Inputs in = {0};
    bool ok = true;
    d->told = arena_alloc(&d->arena, ((size_t)d->nroots[1] + 1) * sizeof *d->told);
    memcpy(d->told, d->roots[1], (size_t)d->nroots[1] * sizeof *d->told);
    find_inputs(d, &in);
    pair_by_name(d, &in);
    if (!d->names && in.of[0].len && in.of[1].len) {
        look_from_above(d, &in, 0);
        look_from_above(d, &in, 1);
        pair_by_use(d, &in, false);
        pair_by_use(d, &in, true);
    }
    if (d->renamed.len)
        ok = rename_second(d);
    for (int side = 0; side < 2; side++) {
        vec_free(&in.of[side]);
        map_free(&in.from_above[side]);
    }
    return ok;
}
