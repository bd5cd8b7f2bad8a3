/* Loops in a listing: `scan t over x from h = h0 { h[t] = .. }`, and the `loop` it is lowered to.
 *
 * A state whose parameter is called h[t-1] is h, and its equation h[t]; in a loop that runs
 * backwards a parameter d_h[t] has the equation d_h[t-1]. Sequences are called as in the body,
 * whatever row they begin with: over x[t-2] = E. Invariant: equations stand in the order of the
 * traces, those of states without a trace behind them, and `keep` lists the traces where that is
 * not all of them in this order. */
#include "surface/listing.h"
#include "graph/name.h"
#include "graph/provenance.h"

/* A scan and a loop read alike. */
typedef struct {
    Frame *f; /* where the loop stands */
    Builder *b;
    Frame body;
    Node *node;
    Graph *graph;
    bool scan, reverse, stop, endless;
    int nstates, nseqs, ncaptures, nouts;
    Node *n, *go, **inits, **seqs, **captures;
    int index; /* the sequence or state that is the index itself, as a parameter, or -1 */
    ScanRoles roles;
    int *traces;   /* by state: its trace, or -1 */
    Symbol *bases; /* by state, then by trace: what it is called, without index */
    i64 *targets;  /* by state, then by trace: offset of the left side */
    bool *stated;  /* by trace: that of a state */
    int *order;    /* traces in order of their equations */
    int norder;
    NodeSet needed;    /* by the equations so far */
    ScanExpr *written; /* what comes of it */
} Loop;

/* ---- its parts ---- */

static void read_scan(Loop *l, Node *n)
{
    ScanShape s = scan_shape(n);
    i64 steps;
    l->scan = true;
    l->graph = s.body;
    l->nstates = s.nstates, l->nseqs = s.nseqs, l->ncaptures = s.ncaptures, l->nouts = s.nouts;
    l->reverse = s.reverse, l->stop = s.stop;
    l->n = s.n, l->inits = s.inits, l->seqs = s.seqs, l->captures = s.captures;
    l->endless = node_const_i64(s.n, &steps) && steps == SCAN_UNBOUNDED;
    l->roles = scan_roles(l->f->l->st, n);
}

static void read_loop(Loop *l, Node *n)
{
    LoopShape s = loop_shape(n);
    Store *st = l->f->l->st;
    l->graph = s.body;
    l->nstates = s.nstates, l->ncaptures = s.ncaptures, l->nouts = s.ntraces;
    l->stop = true;
    l->n = s.rows, l->go = s.go, l->inits = s.inits, l->captures = s.captures;
    l->roles.names = graph_names(st, s.body);
}

static void loop_read(Loop *l, Frame *f, Node *n)
{
    *l = (Loop){.f = f, .b = &f->l->b, .node = n, .index = -1};
    if (n->op == OP_SCAN)
        read_scan(l, n);
    else
        read_loop(l, n);
    size_t k = (size_t)(l->nstates + l->nouts) + 1;
    l->traces = xcalloc(k, sizeof *l->traces);
    l->bases = xcalloc(k, sizeof *l->bases);
    l->targets = xcalloc(k, sizeof *l->targets);
    l->stated = xcalloc(k, sizeof *l->stated);
    l->order = xcalloc(k, sizeof *l->order);
}

static void loop_free(Loop *l)
{
    free(l->traces);
    free(l->bases);
    free(l->targets);
    free(l->stated);
    free(l->order);
    map_free(&l->needed);
}

static Node *next_of(const Loop *l, int state) { return l->graph->outs[state]; }
static Node *row_of(const Loop *l, int trace) { return l->graph->outs[l->nstates + trace]; }
static Symbol given(const Loop *l, int param)
{
    return l->roles.names ? l->roles.names[param] : NULL;
}

/* Each trace that is what a state becomes belongs to that state, as noted or in order. */
static void pair_traces(Loop *l)
{
    for (int i = 0; i < l->nstates; i++) {
        int o = l->roles.traces ? l->roles.traces[i] : -1;
        bool fits = o >= 0 && o < l->nouts && !l->stated[o] && row_of(l, o) == next_of(l, i);
        for (int k = 0; !fits && k < l->nouts; k++)
            if (!l->stated[k] && row_of(l, k) == next_of(l, i))
                o = k, fits = true;
        l->traces[i] = fits ? o : -1;
        if (fits)
            l->stated[o] = true;
    }
}

/* ---- names ---- */

bool tap_of(Store *st, Symbol name, Symbol *base, Symbol *index, i64 *offset)
{
    if (!name_has_index(st, name))
        return false;
    *base = name_base(st, name);
    *index = name_data(st, name).letter;
    *offset = name_data(st, name).offset;
    return is_name_text(*base) && is_name_text(*index);
}

static Symbol tap_text(Store *st, Symbol base, Symbol index, i64 offset)
{
    return name_at(st, base, index, offset);
}

static bool is_index_state(const Loop *l, int i)
{
    Store *st = l->f->l->st;
    i64 first;
    return l->scan && l->endless && i == l->nstates - 1 && l->traces[i] < 0 &&
           node_const_i64(l->inits[i], &first) && first == 0 &&
           next_of(l, i) == counter_next(st, l->graph->param_nodes[i], false) &&
           !map_has(&l->f->uses, node_proj(st, l->node, i));
}

static bool is_index_sequence(const Loop *l, int i)
{
    return !l->endless && l->seqs[i]->op == OP_IOTA && l->seqs[i]->ops[0] == l->n;
}

/* The parameter that is the index, and a name for it that no loop around has. */
static void name_index(Loop *l)
{
    Store *st = l->f->l->st;
    if (l->nstates && is_index_state(l, l->nstates - 1))
        l->index = l->nstates - 1;
    for (int i = 0; i < l->nseqs && l->index < 0; i++)
        if (is_index_sequence(l, i))
            l->index = l->nstates + i;
    Symbol index = l->index >= 0 ? given(l, l->index) : NULL, base;
    i64 offset;
    for (int i = 0; i < l->graph->nparams && !index; i++)
        if (!tap_of(st, given(l, i), &base, &index, &offset))
            index = NULL;
    for (const Frame *f = l->f; f; f = f->outer)
        if (f->index)
            set_add(&l->body.taken, f->index);
    l->body.index = frame_take(&l->body, index && is_name_text(index) ? index : "t");
    if (l->index >= 0)
        frame_name(&l->body, l->graph->param_nodes[l->index], l->body.index);
}

static void name_captures(Loop *l)
{
    int first = l->nstates + l->nseqs;
    for (int i = 0; i < l->ncaptures; i++) {
        Symbol s = frame_text(l->f, l->captures[i]);
        frame_name(&l->body, l->graph->param_nodes[first + i], s);
        listing_given(&l->body, l->graph->param_nodes[first + i], l->f, l->captures[i]);
        listing_same(&l->body, l->graph->param_nodes[first + i], l->captures[i]);
        frame_take_text(&l->body, s);
    }
}

/* What a part is called, without index: as it was, or like it. */
static Symbol base_like(Loop *l, Symbol name, const char *otherwise, i64 *offset)
{
    Symbol base = NULL, index;
    if (!tap_of(l->f->l->st, name, &base, &index, offset))
        base = name, *offset = 0;
    return frame_take(&l->body, base ? base : otherwise);
}

static void name_states(Loop *l)
{
    Store *st = l->f->l->st;
    for (int i = 0; i < l->nstates; i++) {
        if (i == l->index)
            continue;
        Symbol base, index, name = given(l, i);
        i64 offset = 0;
        bool tap = tap_of(st, name, &base, &index, &offset);
        if (!name && l->traces[i] >= 0 && l->roles.outs)
            name = l->roles.outs[l->traces[i]];
        l->bases[i] = base_like(l, name, "s", &(i64){0});
        l->targets[i] = l->reverse && tap && offset == 0 ? -1 : 0;
        i64 read = l->targets[i] + (l->reverse ? 1 : -1);
        frame_name(&l->body, l->graph->param_nodes[i],
                   tap_text(st, l->bases[i], l->body.index, read));
    }
}

/* Sequences of one name with different offsets share it. */
static void name_sequences(Loop *l)
{
    Store *st = l->f->l->st;
    MAP(Symbol, Symbol) shared = {0};
    SymbolSet texts = {0};
    for (int i = 0; i < l->nseqs; i++) {
        int p = l->nstates + i;
        Symbol base, index, text;
        i64 offset = 0;
        if (p == l->index)
            continue;
        bool tap = tap_of(st, given(l, p), &base, &index, &offset);
        Symbol own = tap ? map_get(&shared, base) : NULL;
        text = own ? tap_text(st, own, l->body.index, offset) : NULL;
        if (!own || map_has(&texts, text)) {
            own = base_like(l, given(l, p), "x", &offset);
            if (tap)
                map_put(&shared, base, own);
            text = tap_text(st, own, l->body.index, offset);
        }
        set_add(&texts, text);
        frame_name(&l->body, l->graph->param_nodes[p], text);
        listing_given(&l->body, l->graph->param_nodes[p], l->f, l->seqs[i]);
    }
    map_free(&shared);
    map_free(&texts);
}

static void name_rows(Loop *l)
{
    for (int o = 0; o < l->nouts; o++)
        if (!l->stated[o]) {
            Symbol name = l->roles.outs ? l->roles.outs[o] : NULL;
            i64 offset = 0;
            if (!name)
                name = node_name_in(l->f->l->st, l->graph, row_of(l, o));
            l->bases[l->nstates + o] = base_like(l, name, "y", &offset);
            l->targets[l->nstates + o] = offset;
        }
}

/* ---- equations ---- */

/* Is state or trace k the state that counts the steps? */
static bool is_index(const Loop *l, int k) { return k < l->nstates && k == l->index; }

/* The left side of state or trace k. */
static Symbol target_text(Loop *l, int k)
{
    return tap_text(l->f->l->st, l->bases[k], l->body.index, l->targets[k]);
}

/* The node is what the equation of k says, and is called so from there on: if it has no name. */
static void claim(Loop *l, int k, Node *n)
{
    const Node *owner = n->op == OP_PROJ ? n->ops[0] : n;
    bool field = node_is_loop(owner) || frame_is_pair(&l->body, owner);
    if (is_index(l, k) || map_has(&l->body.names, n) || n->op == OP_CONST || field)
        return;
    frame_name(&l->body, n, target_text(l, k));
    map_put(&l->body.equations, n, (u32)k + 1);
}

static int equation_of(const Loop *l, int trace)
{
    for (int i = 0; i < l->nstates; i++)
        if (l->traces[i] == trace)
            return i;
    return l->nstates + trace;
}

static void claim_all(Loop *l)
{
    for (int o = 0; o < l->nouts; o++)
        claim(l, equation_of(l, o), row_of(l, o));
    for (int i = 0; i < l->nstates; i++)
        if (l->traces[i] < 0)
            claim(l, i, next_of(l, i));
}

/* Notes the trace whose equation stands now. */
static void note_order(Loop *l, int k)
{
    int trace = k >= l->nstates ? k - l->nstates : l->traces[k];
    if (trace >= 0)
        l->order[l->norder++] = trace;
}

static void note_equation(Loop *l, const Node *n)
{
    u32 k = map_get(&l->body.equations, n);
    if (k)
        note_order(l, (int)k - 1);
}

/* What n needs, then n; the equations among them are noted. */
static void put_needed(Loop *l, Node *n)
{
    NodeVec part = {0};
    nodes_topo_more(n, &l->needed, &part);
    for (size_t i = 0; i < part.len; i++) {
        Node *x = part.at[i];
        if (map_has(&l->body.seen, x))
            continue;
        frame_define(&l->body, x);
        if (x->op != OP_PROJ || !frame_has_fields(&l->body, x->ops[0]))
            note_equation(l, x);
        for (int k = 0; frame_has_fields(&l->body, x) && k < node_parts(x); k++)
            note_equation(l, node_proj(l->f->l->st, x, k));
    }
    vec_free(&part);
}

static void put_equation(Loop *l, int k, Node *n)
{
    if (is_index(l, k))
        return;
    put_needed(l, n);
    if (map_get(&l->body.equations, n) == (u32)k + 1)
        return;
    listing_put(l->f->l, l->body.block, S_DEFINE, target_text(l, k), frame_tree(&l->body, n));
    note_order(l, k);
}

/* What was defined in the body is an item of the loop. */
static void put_item(Loop *l, const Stmt *equation)
{
    ScanItem *item = &l->written->items[l->written->nitems++];
    *item = (ScanItem){.ntargets = equation->nnames, .value = equation->value};
    item->targets = arena_alloc(&l->b->arena, (size_t)item->ntargets * sizeof *item->targets);
    for (int k = 0; k < equation->nnames; k++)
        item->targets[k].name = equation->names[k].name;
}

static void put_body(Loop *l)
{
    const Expr *block = l->body.block;
    for (int o = 0; o < l->nouts; o++)
        put_equation(l, equation_of(l, o), row_of(l, o));
    for (int i = 0; i < l->nstates; i++)
        if (l->traces[i] < 0)
            put_equation(l, i, next_of(l, i));
    Node *stop = l->stop ? l->graph->outs[l->graph->nouts - 1] : NULL;
    if (stop)
        frame_define(&l->body, stop);
    ScanExpr *s = l->written;
    s->items = arena_alloc(&l->b->arena, (size_t)(block->nstmts + 1) * sizeof *s->items);
    for (int i = 0; i < block->nstmts; i++)
        put_item(l, block->stmts[i]);
    if (stop)
        s->items[s->nitems++] = (ScanItem){.until = true, .value = frame_tree(&l->body, stop)};
}

/* ---- the header ---- */

/* The number of steps that the sequences give. */
static bool is_told(const Loop *l)
{
    Store *st = l->f->l->st;
    Size *rows = NULL;
    for (int i = 0; i < l->nseqs; i++)
        if (l->nstates + i != l->index) {
            Size *own = l->seqs[i]->type->dims[0];
            rows = rows ? size_min(st, rows, own) : own;
        }
    return rows && size_to_node(st, size_max(st, rows, size_const(st, 0))) == l->n;
}

/* Is another sequence called the same, at another row? */
static bool is_shared(const Loop *l, int seq, Symbol base)
{
    for (int i = 0; i < l->nseqs; i++) {
        Symbol text = map_get(&l->body.names, l->graph->param_nodes[l->nstates + i]), own, index;
        i64 offset;
        if (i != seq && tap_of(l->f->l->st, text, &own, &index, &offset) && own == base)
            return true;
    }
    return false;
}

static void put_over(Loop *l)
{
    for (int i = 0; i < l->nseqs; i++) {
        if (l->nstates + i == l->index)
            continue;
        Symbol text = map_get(&l->body.names, l->graph->param_nodes[l->nstates + i]), base, index;
        Expr *from = frame_tree(l->f, l->seqs[i]);
        i64 offset = 0;
        if (tap_of(l->f->l->st, text, &base, &index, &offset) && !offset && !is_shared(l, i, base))
            text = base;
        bool same = from->kind == E_NAME && from->text == text;
        tree_bind(l->b, &l->written->over, &l->written->nover, text, same ? NULL : from);
    }
}

static void put_from(Loop *l)
{
    ScanExpr *s = l->written;
    for (int i = 0; i < l->nstates; i++)
        if (i != l->index)
            tree_bind(l->b, &s->from, &s->nfrom, l->bases[i], frame_tree(l->f, l->inits[i]));
}

static int equations(const Loop *l)
{
    int n = l->nouts;
    for (int i = 0; i < l->nstates; i++)
        n += l->traces[i] < 0 && i != l->index;
    return n;
}

/* Do all equations leave traces, in this order? */
static bool keeps_all(const Loop *l)
{
    for (int i = 0; i < l->nstates; i++)
        if (l->traces[i] < 0 && i != l->index)
            return false;
    for (int o = 0; o < l->nouts; o++)
        if (l->order[o] != o)
            return false;
    return true;
}

static void put_keep(Loop *l)
{
    ScanExpr *s = l->written;
    s->has_keep = !keeps_all(l) || !(equations(l) || l->stop);
    for (int o = 0; s->has_keep && o < l->nouts; o++)
        tree_bind(l->b, &s->keep, &s->nkeep, l->bases[equation_of(l, o)], NULL);
}

/* Does the body itself say which way it runs? */
static bool shows_direction(const Loop *l)
{
    for (int i = 0; i < l->nstates; i++)
        if (map_has(&l->body.uses, l->graph->param_nodes[i]))
            return true;
    return false;
}

static void put_flags(Loop *l)
{
    ScanExpr *s = l->written;
    if (!l->scan) {
        LoopShape shape = loop_shape(l->node);
        s->loop = true, s->down = shape.down, s->grows = shape.grows;
        return;
    }
    s->reverse = l->reverse && !shows_direction(l);
    i64 checkpoint = scan_shape(l->node).checkpoint;
    s->checkpoint_auto = checkpoint == CHECKPOINT_AUTO;
    if (checkpoint && !s->checkpoint_auto)
        s->checkpoint = tree_int(l->b, checkpoint);
}

static void put_header(Loop *l)
{
    l->written->index = l->body.index;
    put_over(l);
    bool while_loop = l->endless && l->index >= 0 && l->index < l->nstates;
    if (!while_loop && !(l->scan && is_told(l)))
        l->written->count = frame_tree(l->f, l->n);
    if (l->go)
        l->written->go = frame_tree(l->f, l->go);
    put_from(l);
    put_flags(l);
    put_keep(l);
}

/* ---- results ---- */

static void name_result(Loop *l, i64 k, Symbol record, const char *field, Symbol base)
{
    Store *st = l->f->l->st;
    Text t = {0};
    text_printf(&t, "%s%s%s%s", record, field, base ? "." : "", base ? base : "");
    frame_name(l->f, node_proj(st, l->node, k), symbol(st, text_str(&t)));
    text_free(&t);
}

static void name_results(Loop *l, Symbol record)
{
    bool one = equations(l) == 1;
    int steps = l->nstates + l->nouts;
    for (int i = 0; i < l->nstates; i++)
        if (i != l->index)
            name_result(l, i, record, ".final", one ? NULL : l->bases[i]);
    for (int o = 0; o < l->nouts; o++)
        name_result(l, l->nstates + o, record, "", one ? NULL : l->bases[equation_of(l, o)]);
    name_result(l, steps, record, ".steps", NULL);
    if (l->scan)
        name_result(l, steps + 1, record, ".stopped", NULL);
}

/* ---- the whole ---- */

static void name_parts(Loop *l)
{
    frame_open(&l->body, l->f->l, l->f, l->graph);
    frame_place(&l->body, l->f, l->node);
    pair_traces(l);
    name_captures(l);
    name_index(l);
    name_states(l);
    name_sequences(l);
    name_rows(l);
    frame_count(&l->body, l->graph->nouts, l->graph->outs);
    claim_all(l);
}

Expr *listing_loop(Frame *f, Node *n, Symbol record)
{
    Loop l;
    loop_read(&l, f, n);
    name_parts(&l);
    Expr *e = tree_new(&f->l->b, E_SCAN, NULL);
    e->scan = l.written = arena_alloc(&f->l->b.arena, sizeof *e->scan);
    l.written->of = n;
    frame_find(&l.body, l.graph->nouts, l.graph->outs);
    put_body(&l);
    put_header(&l);
    if (record)
        name_results(&l, record);
    frame_close(&l.body);
    loop_free(&l);
    return e;
}

bool listing_loop_is_trace(Frame *f, Node *n)
{
    Loop l;
    loop_read(&l, f, n);
    pair_traces(&l);
    for (int i = 0; i < l.nstates; i++)
        if (is_index_state(&l, i))
            l.index = i;
    bool is =
        l.nouts == 1 && equations(&l) == 1 && map_has(&f->uses, node_proj(f->l->st, n, l.nstates));
    loop_free(&l);
    return is;
}
