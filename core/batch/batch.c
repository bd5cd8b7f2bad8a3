/* The walk over a lane graph, the loop over the lanes that every operator falls back to,
 * and the expansion of Vmap nodes. */
#include "graph/names.h"
#include "graph/provenance.h"
#include "batch/batch.h"
#include "ops/branches.h"
#include "graph/walk.h"
#include "ops/definitions.h"
#include "ops/functions.h"
#include "ops/scan_edit.h"

/* ---- values ---- */

bool batch_has(const Batch *b, const Node *lane) { return map_has(&b->batched, lane); }

Node *batch_value(const Batch *b, const Node *lane) { return map_get(&b->values, lane); }

bool batch_set(Batch *b, Node *lane, Node *value, bool batched)
{
    if (!lane || !value)
        return false;
    map_put(&b->values, lane, value);
    node_carry_span(b->st, lane, value);
    if (batched)
        set_add(&b->batched, lane);
    return true;
}

void batch_seed(Batch *b, Node *lane, Node *value, bool batched)
{
    vec_push(&b->seeds, lane);
    batch_set(b, lane, value, batched);
}

void batch_free(Batch *b)
{
    vec_free(&b->seeds);
    map_free(&b->values);
    map_free(&b->batched);
    map_free(&b->ragged);
}

Node *batch_repeat(Batch *b, Node *x)
{
    Node *ops[MAX_RANK + 2] = {x, b->lanes};
    i64 axes[MAX_RANK];
    if (!x)
        return NULL;
    int rank = node_rank(x);
    for (int i = 0; i < rank; i++) {
        axes[i] = i + 1;
        ops[i + 2] = node_dim(b->st, x, i);
    }
    Attr a = {.ints = intlist(b->st, (u32)rank, axes)};
    return node_make(b->st, OP_BROADCAST, &a, (u32)rank + 2, ops);
}

Node *batch_full(Batch *b, const Node *lane)
{
    Node *v = batch_value(b, lane);
    return batch_has(b, lane) ? v : batch_repeat(b, v);
}

Node *move_axis(Store *st, Node *x, int from, int to)
{
    int perm[MAX_RANK], k = 0;
    if (!x)
        return NULL;
    for (int i = 0; i < node_rank(x); i++) {
        if (i == to)
            perm[i] = from;
        else {
            k += k == from;
            perm[i] = k++;
        }
    }
    return build_transpose(st, x, perm);
}

/* ---- the loop over the lanes ---- */

typedef struct {
    NewScan scan; /* rows: what stands for one lane; sequences: the batched values */
    NodeMap memo; /* lane node -> hole, or value that is captured as it is */
} Loop;

static void loop_open(Batch *b, int nseeds, Node *const *seeds, Loop *l)
{
    set_add(&l->scan.mentioned, b->lanes);
    for (int i = 0; i < nseeds; i++) {
        Node *v = batch_value(b, seeds[i]);
        if (!v || map_has(&l->memo, seeds[i]))
            continue;
        if (!batch_has(b, seeds[i])) {
            map_put(&l->memo, seeds[i], v);
            set_add(&l->scan.mentioned, v);
            continue;
        }
        Symbol name = node_name(b->st, seeds[i]);
        Node *h = node_temp(b->st, type_without_axis(b->st, v->type, 0, v->type->dtype),
                            name ? name : node_told(b->st, v));
        map_put(&l->memo, seeds[i], h);
        vec_push(&l->scan.rows, h);
        vec_push(&l->scan.seqs, v);
    }
}

static bool batch_loop(Batch *b, int nseeds, Node *const *seeds, int nouts, Node *const *outs,
                       Node **values)
{
    Loop l = {0};
    u32 temps = b->st->temp_count;
    loop_open(b, nseeds, seeds, &l);
    for (int i = 0; i < nouts; i++)
        vec_push(&l.scan.outs, node_substitute(b->st, outs[i], &l.memo));
    Node *scan = scan_make(b->st, &l.scan, &(ScanShape){.n = b->lanes});
    for (int i = 0; i < nouts && scan; i++)
        values[i] = node_proj(b->st, scan, i);
    b->st->temp_count = temps;
    new_scan_free(&l.scan);
    map_free(&l.memo);
    return scan != NULL;
}

/* The rule that is right for every operator. */
bool batch_lanes(Batch *b, Node *n)
{
    int count = n->type->kind == TYPE_TUPLE ? n->type->nitems : 1;
    Node **outs = xcalloc(2 * (size_t)count + 1, sizeof *outs), **values = outs + count;
    bool ok = true;
    for (int i = 0; i < count && ok; i++)
        ok = (outs[i] = n->type->kind == TYPE_TUPLE ? node_proj(b->st, n, i) : n) != NULL;
    ok = ok && batch_loop(b, (int)n->nops, n->ops, count, outs, values);
    for (int i = 0; i < count && ok; i++)
        ok = batch_set(b, outs[i], values[i], true);
    free(outs);
    return ok;
}

bool batch_is_direct(const Batch *b, const Node *n)
{
    static bool (*const same_operator[])(Batch *, Node *) = {
        batch_elem,      batch_same,   batch_axes,  batch_axis,        batch_reshape,
        batch_broadcast, batch_concat, batch_check, batch_match_shape, batch_matmul,
        batch_dim,       batch_read,   batch_slice, batch_dft,
    };
    const OpInfo *row = node_info(n);
    bool direct = false, first_alone = true;
    for (size_t i = 0; i < COUNT_OF(same_operator); i++)
        direct = direct || row->batch == same_operator[i];
    for (u32 i = 1; i < n->nops; i++)
        first_alone = first_alone && !batch_has(b, n->ops[i]);
    if (row->batch == batch_read) /* positions of their own in one tensor: as they stand */
        return first_alone || (!batch_has(b, n->ops[0]) && n->attrs[0].i == 0);
    return direct && (first_alone || !(row->flags & (SIZES | READS)));
}

/* ---- the walk ---- */

typedef struct {
    Batch *b;
    bool found;
} Search;

static Size *find_lane_size(Store *st, SizeAtom *atom, void *ctx)
{
    (void)st;
    Search *s = ctx;
    if (atom->kind == ATOM_NODE && batch_has(s->b, atom->node))
        s->found = true;
    return NULL;
}

/* Does a size in the type differ from lane to lane? */
static bool is_ragged(Batch *b, Type *t)
{
    Search s = {.b = b};
    for (int i = 0; t->kind == TYPE_TENSOR && i < t->rank && !s.found; i++)
        if (size_has_kind(t->dims[i], ATOM_NODE))
            size_map(b->st, t->dims[i], find_lane_size, &s);
    return s.found;
}

/* What is the same in every lane: the node itself, or over the counterparts of its operands. */
static bool set_plain(Batch *b, Node *n)
{
    Node *small[16], **ops = n->nops <= COUNT_OF(small) ? small : xmalloc(n->nops * sizeof *ops);
    for (u32 k = 0; k < n->nops; k++)
        ops[k] = batch_value(b, n->ops[k]);
    Node *v = n->op == OP_PROJ ? node_proj(b->st, ops[0], n->attrs[0].i)
                               : node_with_operands(b->st, n, ops);
    if (ops != small)
        free(ops);
    return batch_set(b, n, v, false);
}

static bool set_node(Batch *b, Node *n)
{
    bool any = false;
    for (u32 k = 0; k < n->nops; k++) {
        if (map_has(&b->ragged, n->ops[k])) {
            set_add(&b->ragged, n);
            return true;
        }
        any = any || batch_has(b, n->ops[k]);
    }
    if (!batch_value(b, n)) { /* not a projection that its tuple's rule has set */
        if (any && is_ragged(b, n->type)) {
            set_add(&b->ragged, n);
            return true;
        }
        if (n->op == OP_TUPLE && any)
            return true; /* nobody asks for it as a whole */
        bool tuple = n->op == OP_PROJ && !batch_value(b, n->ops[0]);
        if (tuple)
            die("batching: %s did not set result %lld", node_info(n->ops[0])->name,
                (long long)n->attrs[0].i);
        if (any ? !op_table[n->op].batch(b, n) : !set_plain(b, n))
            return false;
    }
    if (any && n->type->kind == TYPE_TUPLE)
        set_add(&b->batched, n); /* some result may be batched: asked of the projections */
    if (n->op == OP_PROJ && is_ragged(b, n->type))
        set_add(&b->ragged, n); /* a trace: it has a value, but nothing may compute with it */
    return true;
}

/* The counterpart of an operator that others define is that of its definition. */
bool batch_defined(Batch *b, Node *n)
{
    NodeVec order = {0};
    Node *definition = node_definition(b->st, n);
    bool ok = definition != NULL;
    if (ok)
        definition_nodes(n, definition, &order);
    for (size_t i = 0; i < order.len && ok; i++)
        ok = set_node(b, order.at[i]);
    vec_free(&order);
    if (!ok || !map_has(&b->ragged, definition))
        return ok && batch_set(b, n, batch_value(b, definition), batch_has(b, definition));
    set_add(&b->ragged, n);
    return true;
}

/* What is between the seeds and the outputs, operands first. */
static void lane_order(const Batch *b, int n, Node *const *outs, NodeVec *order)
{
    NodeSet seen = {0};
    for (size_t i = 0; i < b->seeds.len; i++)
        set_add(&seen, b->seeds.at[i]);
    for (int i = 0; i < n; i++)
        nodes_topo_more(outs[i], &seen, order);
    map_free(&seen);
}

bool batch_outputs(Batch *b, int n, Node *const *outs, Node **values, bool *batched)
{
    NodeVec order = {0}, late = {0};
    bool ok = true;
    lane_order(b, n, outs, &order);
    for (size_t i = 0; i < order.len && ok; i++)
        ok = set_node(b, order.at[i]);
    for (int i = 0; i < n && ok; i++)
        if (!batch_value(b, outs[i]))
            vec_push(&late, outs[i]);
    Node **found = xcalloc(late.len + 1, sizeof *found);
    if (ok && late.len)
        ok = batch_loop(b, (int)b->seeds.len, b->seeds.at, (int)late.len, late.at, found);
    for (size_t i = 0; i < late.len && ok; i++)
        ok = batch_set(b, late.at[i], found[i], true);
    for (int i = 0; i < n && ok; i++) {
        values[i] = batch_value(b, outs[i]);
        batched[i] = batch_has(b, outs[i]);
    }
    free(found);
    vec_free(&order);
    vec_free(&late);
    return ok;
}

/* ---- Vmap nodes ---- */

/* The operand whose axis says best how many lanes there are; -1 if none has lanes. */
static int lanes_operand(const Node *n)
{
    const IntList *in = n->attrs[1].ints;
    int best = -1, known = -1;
    for (u32 i = 0; i < in->n; i++) {
        if (in->at[i] < 0)
            continue;
        Size *s = n->ops[i]->type->dims[in->at[i]];
        int knows = size_is_const(s, NULL) ? 2 : size_has_kind(s, ATOM_NODE) ? 0 : 1;
        if (knows > known) {
            best = (int)i;
            known = knows;
        }
    }
    return best;
}

static void operand_tell(Store *st, const Node *n, int i, Text *out)
{
    Symbol name = node_name(st, n->ops[i]);
    if (name)
        text_put(out, name);
    else
        text_printf(out, "argument %d", i + 1);
}

/* Operand i with its lanes along axis 0, as many as there are: checked where it is not proved. */
static Node *lanes_first(Store *st, const Node *n, int i, Node *lanes)
{
    i64 axis = n->attrs[1].ints->at[i];
    Node *x = move_axis(st, n->ops[i], (int)axis, 0), *dims[MAX_RANK];
    if (!x || x->type->dims[0] == size_of_node(st, lanes))
        return x;
    Node *pair[] = {node_dim(st, n->ops[i], (int)axis), lanes};
    Text text = {0};
    text_put(&text, "vmap: the batch axes of ");
    operand_tell(st, n, i, &text);
    text_put(&text, " and of ");
    operand_tell(st, n, lanes_operand(n), &text);
    text_put(&text, " have different lengths");
    Symbol message = symbol(st, text_str(&text));
    text_free(&text);
    x = node_check(st, message, build_elementwise(st, OP_EQ, 2, pair), x);
    dims[0] = lanes;
    for (int k = 1; x && k < node_rank(x); k++)
        dims[k] = node_dim(st, x, k);
    return x ? build_reshape(st, x, node_rank(x), dims) : NULL;
}

static bool seed_operands(Batch *b, const Node *n, Node **lanes)
{
    const IntList *in = n->attrs[1].ints;
    const Graph *g = n->attrs[0].graph;
    const Symbol *names = graph_names(b->st, g);
    for (u32 i = 0; i < in->n; i++) {
        bool batched = in->at[i] >= 0;
        Node *v = batched ? lanes_first(b->st, n, (int)i, b->lanes) : n->ops[i];
        if (!v)
            return false;
        lanes[i] = v; /* what is the same in every lane stands for itself */
        if (batched)
            lanes[i] = node_temp(b->st, type_without_axis(b->st, v->type, 0, v->type->dtype),
                                 names ? names[i] : NULL);
        batch_seed(b, lanes[i], v, batched);
    }
    return true;
}

bool vmap_begin(VmapSweep *s, Store *st, Node *n)
{
    Graph *g = graph_lazy(st, n->attrs[0].graph);
    int from = lanes_operand(n);
    *s = (VmapSweep){.node = n, .nouts = g ? g->nouts : 0, .temps = st->temp_count};
    s->b = (Batch){.st = st, .lanes = node_dim(st, n->ops[from], (int)n->attrs[1].ints->at[from])};
    if (!g)
        return false;
    s->outs = xcalloc((size_t)g->nouts + 1, sizeof *s->outs);
    Node **lanes = xcalloc(n->nops + 1, sizeof *lanes);
    bool ok = seed_operands(&s->b, n, lanes) && graph_instantiate(st, g, lanes, s->outs);
    free(lanes);
    if (ok)
        lane_order(&s->b, s->nouts, s->outs, &s->order);
    return ok;
}

void vmap_end(VmapSweep *s)
{
    s->b.st->temp_count = s->temps;
    free(s->outs);
    vec_free(&s->order);
    batch_free(&s->b);
}

/* Result i from the counterpart of output i. */
static Node *vmap_result(VmapSweep *s, int i, Node *value, bool batched)
{
    Node *full = batched ? value : batch_repeat(&s->b, value);
    return move_axis(s->b.st, full, 0, (int)s->node->attrs[2].ints->at[i]);
}

bool vmap_expand(Store *st, Node *n, Node **results)
{
    VmapSweep s;
    bool ok = vmap_begin(&s, st, n);
    Node **values = xcalloc((size_t)s.nouts + 1, sizeof *values);
    bool *batched = xcalloc((size_t)s.nouts + 1, sizeof *batched);
    ok = ok && batch_outputs(&s.b, s.nouts, s.outs, values, batched);
    for (int i = 0; i < s.nouts && ok; i++)
        ok = (results[i] = vmap_result(&s, i, values[i], batched[i])) != NULL;
    free(values);
    free(batched);
    vmap_end(&s);
    return ok;
}

/* ---- operator by operator ---- */

Node *vmap_next(VmapSweep *s)
{
    while (s->at < s->order.len && !s->failed) {
        Node *n = s->order.at[s->at++];
        bool any = false, told = n->op != OP_PROJ && n->op != OP_TUPLE;
        s->failed = !set_node(&s->b, n);
        for (u32 k = 0; k < n->nops; k++)
            any = any || batch_has(&s->b, n->ops[k]);
        if (told && any && !s->failed && !map_has(&s->b.ragged, n))
            return n;
    }
    return NULL;
}

/* Is its counterpart there, for others to compute with? (A trace may not be marked yet.) */
static bool is_done(Batch *b, Node *n)
{
    return batch_value(b, n) && !map_has(&b->ragged, n) &&
           !(n->op == OP_PROJ && is_ragged(b, n->type));
}

/* What is done and read by what is left. */
static void find_cut(VmapSweep *s, const NodeVec *pending, NodeVec *cut)
{
    Descent d = {0};
    descent_roots(&d, (int)pending->len, pending->at);
    for (Node *n; (n = descent_next(&d));)
        if (!is_done(&s->b, n))
            descent_operands(&d, n);
        else if (n->op != OP_CONST)
            vec_push(cut, n);
    descent_end(&d);
}

/* Its operands: the counterparts, batched along axis 0. false: none has lanes. */
static bool rest_operands(const VmapSweep *s, const NodeVec *cut, const Closed *c, NodeVec *ops,
                          i64 *axes)
{
    bool any = false, ok = true;
    for (size_t i = 0; i < cut->len + (size_t)c->ncaptures && ok; i++) {
        Node *lane = i < cut->len ? cut->at[i] : c->captures[i - cut->len];
        Node *value = batch_value(&s->b, lane);
        bool batched = batch_has(&s->b, lane);
        axes[ops->len] = batched ? 0 : -1;
        any = any || batched;
        ok = !batched || value;
        vec_push(ops, value ? value : lane);
    }
    return any && ok;
}

/* The Vmap node of what is left, results first along axis 0; NULL: it is none. */
static Node *rest_node(VmapSweep *s, const NodeVec *pending)
{
    Store *st = s->b.st;
    NodeVec cut = {0}, ops = {0};
    Closed c;
    Node *n = NULL;
    find_cut(s, pending, &cut);
    CloseRequest rq = {
        .nfixed = (int)cut.len, .fixed = cut.at, .nouts = (int)pending->len, .outs = pending->at};
    if (graph_close(st, &rq, &c)) {
        size_t room = cut.len + (size_t)c.ncaptures + 1;
        i64 *in = xcalloc(room, sizeof *in), *out = xcalloc(pending->len + 1, sizeof *out);
        if (rest_operands(s, &cut, &c, &ops, in)) {
            Attr a[] = {{.graph = c.graph},
                        {.ints = intlist(st, (u32)ops.len, in)},
                        {.ints = intlist(st, (u32)pending->len, out)}};
            n = node_make(st, OP_VMAP, a, (u32)ops.len, ops.at);
        }
        free(in);
        free(out);
    }
    vec_free(&cut);
    vec_free(&ops);
    return n;
}

bool vmap_state(VmapSweep *s, Node **results)
{
    NodeVec pending = {0};
    bool ok = true;
    for (int i = 0; i < s->nouts; i++)
        if (!batch_value(&s->b, s->outs[i]))
            vec_push(&pending, s->outs[i]);
    Node *rest = pending.len ? rest_node(s, &pending) : NULL;
    ok = rest || !pending.len;
    for (int i = 0, k = 0; i < s->nouts && ok; i++) {
        Node *done = batch_value(&s->b, s->outs[i]),
             *v = done ? done : node_proj(s->b.st, rest, k++);
        ok = (results[i] = vmap_result(s, i, v, !done || batch_has(&s->b, s->outs[i]))) != NULL;
    }
    vec_free(&pending);
    return ok;
}

const char *batch_rule(const Node *n)
{
    static const struct {
        bool (*batch)(Batch *, Node *);
        const char *rule;
    } rules[] = {
        {batch_elem, "elementwise: the same operator on the whole batch"},
        {batch_same, "the operator accepts leading axes: the batch axis is one of them"},
        {batch_dft, "the operator accepts leading axes: the batch axis is one of them"},
        {batch_axes, "its axes move by one, after the batch axis"},
        {batch_axis, "its axis moves by one, after the batch axis"},
        {batch_reshape, "the batch axis becomes the first axis of the shape"},
        {batch_broadcast, "the batch axis becomes the first axis of the shape"},
        {batch_concat,
         "the same parts for each batch element, joined along an axis one position later"},
        {batch_matmul, "one product for the whole batch"},
        {batch_scan, "one loop for the whole batch: states, rows and traces have a batch axis"},
        {batch_ifelse, "each batch element takes its own branch"},
        {batch_call, "the function applied to the whole batch"},
        {batch_defined, "its definition, operator by operator"},
        {batch_lanes, "no operator handles the whole batch: a loop over the batch"},
    };
    for (size_t i = 0; i < COUNT_OF(rules); i++)
        if (rules[i].batch == op_table[n->op].batch)
            return rules[i].rule;
    return "for the whole batch";
}

Node *vmap_repeated(Store *st, Node *n, int index)
{
    Graph *g = n->attrs[0].graph;
    int from = lanes_operand(n);
    NodeMap memo = {0};
    Batch b = {.st = st, .lanes = node_dim(st, n->ops[from], (int)n->attrs[1].ints->at[from])};
    for (int i = 0; i < g->nparams; i++)
        if (n->attrs[1].ints->at[i] < 0)
            map_put(&memo, g->param_nodes[i], n->ops[i]);
    Node *once = node_substitute(st, g->outs[index], &memo);
    map_free(&memo);
    return once ? move_axis(st, batch_repeat(&b, once), 0, (int)n->attrs[2].ints->at[index]) : NULL;
}
