/* The planner: which nodes run, and a block of code for each graph that runs.
 *
 * Invariant: only what is wanted is planned. Which results of a loop, branch or call are
 * used is read off the projections; what a body must compute follows from that, so a
 * body has one block for each set of outputs somebody wants of it. */
#include "lang/composite.h"
#include "exec/native_code.h"
#include "exec/plan_work.h"
#include "ops/build.h"

void *plan_alloc(Planner *pl, size_t count, size_t size)
{
    return arena_alloc(&pl->p->arena, (count + 1) * size);
}

void *plan_keep(Planner *pl, const void *from, size_t count, size_t size)
{
    void *to = plan_alloc(pl, count, size);
    if (count)
        memcpy(to, from, count * size);
    return to;
}

/* ---- 1. what is needed ---- */

static void need_free(Need *need)
{
    for (size_t i = 0; i < need->order.len; i++)
        free(need->used[i]);
    vec_free(&need->order);
    map_free(&need->index);
    free(need->needed);
    free(need->leaf);
    free(need->owner);
    free(need->root);
    free(need->used);
    free(need->child);
}

static void need_node(Need *need, const Node *n, u8 level)
{
    u8 *needed = &need->needed[need_place(need, n)];
    *needed = level > *needed ? level : *needed;
}

static u8 lower_of(u8 a, u8 b) { return a < b ? a : b; }

static bool *used_of(Need *need, const Node *tuple)
{
    bool **used = &need->used[need_place(need, tuple)];
    if (!*used)
        *used = xcalloc((size_t)tuple->type->nitems + 1, sizeof **used);
    return *used;
}

static u8 slot_level(const Slot *s) { return s->kind == KIND_LAZY ? NEED_BRANCH : NEED_ALWAYS; }

static bool need_call(Planner *pl, Need *need, Node *n, u32 place)
{
    Block *b = plan_branch(pl, n->attrs[0].graph, used_of(need, n));
    need->child[2 * place] = b;
    for (u32 i = 0; b && i < b->nparams; i++)
        need_node(need, n->ops[b->params[i].index],
                  lower_of(need->needed[place], slot_level(&b->params[i])));
    return b != NULL;
}

/* An operand is always needed if both branches always need it. */
static bool need_if(Planner *pl, Need *need, Node *n, u32 place)
{
    IfShape s = if_shape(n);
    const IntList *args[2] = {s.then_args, s.else_args};
    Block **branch = &need->child[2 * place];
    u8 *always = xcalloc((size_t)s.noperands + 1, 1), level = need->needed[place];
    branch[0] = plan_branch(pl, s.then_graph, used_of(need, n));
    branch[1] = plan_branch(pl, s.else_graph, used_of(need, n));
    need_node(need, s.condition, level);
    for (int k = 0; k < 2; k++)
        for (u32 i = 0; branch[k] && i < branch[k]->nparams; i++) {
            const Slot *slot = &branch[k]->params[i];
            i64 operand = args[k]->at[slot->index];
            always[operand] |= (u8)((slot->kind != KIND_LAZY) << k);
            need_node(need, s.operands[operand],
                      lower_of(level, always[operand] == 3 ? NEED_ALWAYS : NEED_BRANCH));
        }
    free(always);
    return branch[0] && branch[1];
}

/* Which parameters the wanted outputs of a body need. */
static bool graph_needs(Planner *pl, const ScanShape *s, const bool *wanted, bool *params)
{
    Graph *g = s->body;
    Need need = {.ready = s->nstates + s->nseqs};
    bool ok = need_compute(pl, g->nouts, g->outs, wanted, NULL, &need);
    for (size_t i = 0; ok && i < need.order.len; i++) {
        const Node *n = need.order.at[i];
        if (need.needed[i] && n->op == OP_PARAM)
            params[n->attrs[0].i] = true;
    }
    need_free(&need);
    return ok;
}

/* The body outputs that the used results of a scan take: states need each other. */
static bool scan_wanted(Planner *pl, const ScanShape *s, const bool *used, bool *wanted)
{
    bool *params = xcalloc((size_t)s->body->nparams + 1, sizeof *params);
    for (int i = 0; i < s->steps; i++)
        wanted[i] = used[i];
    if (s->stop)
        wanted[s->steps] = true;
    bool ok = true;
    for (bool changed = true; changed && ok;) {
        changed = false;
        ok = graph_needs(pl, s, wanted, params);
        for (int i = 0; i < s->nstates; i++)
            if (params[i] && !wanted[i])
                wanted[i] = changed = true;
    }
    free(params);
    return ok;
}

static bool need_loop(Planner *pl, Need *need, Node *n, u32 place)
{
    LoopForm f;
    if (!plan_form(pl, n, &f))
        return false;
    bool *wanted = xcalloc((size_t)f.s.body->nouts + 1, sizeof *wanted), any = false;
    bool ok = scan_wanted(pl, &f.s, used_of(need, n), wanted);
    for (int i = 0; i < f.s.body->nouts; i++)
        any = any || wanted[i];
    if (ok && any) {
        Block *b = plan_body(pl, &f.s, wanted);
        need->child[2 * place] = b;
        for (u32 i = 0; b && i < b->nparams; i++)
            need_node(need, f.args[b->params[i].index],
                      lower_of(need->needed[place], slot_level(&b->params[i])));
        ok = b != NULL;
    }
    need_node(need, f.s.n, need->needed[place]);
    if (f.go)
        need_node(need, f.go, need->needed[place]);
    free(wanted);
    return ok;
}

static bool need_operands(Planner *pl, Need *need, Node *n, u32 place)
{
    u8 level = need->needed[place];
    if (n->op == OP_PROJ) {
        used_of(need, n->ops[0])[n->attrs[0].i] = true;
        need_node(need, n->ops[0], level);
        return true;
    }
    if (n->op == OP_SCAN || n->op == OP_LOOP)
        return need_loop(pl, need, n, place);
    if (n->op == OP_IFELSE)
        return need_if(pl, need, n, place);
    if (n->op == OP_CALL)
        return need_call(pl, need, n, place);
    if (n->op == OP_FUSED) {
        need_fused(need, n, need->used[place], level);
        return true;
    }
    if (node_info(n)->cls == CLASS_IMPLICIT) {
        store_error(pl->st, "not-expanded",
                    "the pass `differentiate` is off or hit a limit: see :passes and :set",
                    "a derivative (%s) is still in the graph", node_info(n)->name);
        return false;
    }
    if (n->op == OP_HOLE)
        die("a hole reached the planner");
    for (u32 k = 0; k < n->nops; k++)
        if (n->op != OP_TUPLE || used_of(need, n)[k])
            need_node(need, n->ops[k], level);
    return true;
}

static void need_order(int nroots, Node *const *roots, const Leaves *leaves, Need *need)
{
    NodeSet seen = {0};
    for (size_t i = 0; leaves && i < leaves->order.len; i++) {
        set_add(&seen, leaves->order.at[i]);
        vec_push(&need->order, leaves->order.at[i]);
    }
    if (!leaves)
        nodes_topo(nroots, roots, &need->order);
    for (int i = 0; leaves && i < nroots; i++)
        nodes_topo_more(roots[i], &seen, &need->order);
    map_free(&seen);
    size_t n = need->order.len;
    need->needed = xcalloc(n + 1, sizeof *need->needed);
    need->leaf = xcalloc(n + 1, sizeof *need->leaf);
    need->owner = xcalloc(n + 1, sizeof *need->owner);
    need->root = xcalloc(n + 1, sizeof *need->root);
    need->used = xcalloc(n + 1, sizeof *need->used);
    need->child = xcalloc(2 * n + 1, sizeof(Block *));
    for (size_t i = 0; i < n; i++)
        map_put(&need->index, need->order.at[i], (u32)i + 1);
    for (size_t i = 0; leaves && i < leaves->order.len; i++)
        need->leaf[i] = map_get(&leaves->kind, leaves->order.at[i]);
}

bool need_compute(Planner *pl, int nouts, Node *const *outs, const bool *wanted,
                  const Leaves *leaves, Need *need)
{
    Node **roots = xmalloc(((size_t)nouts + 1) * sizeof *roots);
    int nroots = 0;
    for (int i = 0; i < nouts; i++)
        if (!wanted || wanted[i])
            roots[nroots++] = outs[i];
    need_order(nroots, roots, leaves, need);
    for (int i = 0; i < nroots; i++) {
        need_node(need, roots[i], NEED_ALWAYS);
        need->root[need_place(need, roots[i])] = true;
    }
    free(roots);
    bool ok = true;
    for (size_t i = need->order.len; i-- > 0 && ok;)
        if (need->needed[i] && !need->leaf[i])
            ok = need_operands(pl, need, need->order.at[i], (u32)i);
    if (ok)
        need_owners(pl, need);
    return ok;
}

/* ---- 2. blocks ---- */

Block *block_new(Planner *pl, Graph *g, int kind)
{
    Block *b = plan_alloc(pl, 1, sizeof *b);
    b->graph = g;
    b->kind = kind;
    b->id = (u32)pl->p->blocks.len;
    vec_push(&pl->p->blocks, b);
    return b;
}

static Block *block_find(Planner *pl, Graph *g, int kind, const int key[4], const bool *wanted)
{
    size_t nouts = (size_t)g->nouts;
    for (Block *b = map_get(&pl->blocks, g); b; b = b->next_same)
        if (b->kind == kind && !memcmp(b->key, key, sizeof b->key) &&
            !memcmp(b->used, wanted, nouts))
            return b;
    Block *b = block_new(pl, g, kind);
    memcpy(b->key, key, sizeof b->key);
    b->used = plan_alloc(pl, nouts, sizeof *b->used);
    memcpy(b->used, wanted, nouts);
    b->next_same = map_get(&pl->blocks, g);
    return b;
}

static void block_remember(Planner *pl, Graph *g, Block *b) { map_put(&pl->blocks, g, b); }

void emit_free(Emit *e)
{
    need_free(&e->need);
    vec_free(&e->values);
    vec_free(&e->code);
    vec_free(&e->where);
    vec_free(&e->delays);
    free(e->value);
    free(e->lazy);
    free(e->param);
    map_free(&e->constants);
    free(e->trace);
    free(e->check);
    free(e->next_check);
    free(e->next_trace);
}

/* The parameters that are needed, in order. */
static void add_params(Emit *e, const bool *forced)
{
    Graph *g = e->b->graph;
    u8 *needed = xcalloc((size_t)g->nparams + 1, sizeof *needed);
    for (size_t i = 0; i < e->need.order.len; i++)
        if (e->need.needed[i] && e->need.order.at[i]->op == OP_PARAM)
            needed[e->need.order.at[i]->attrs[0].i] = e->need.needed[i];
    e->b->params = plan_alloc(e->pl, (size_t)g->nparams, sizeof *e->b->params);
    e->param = xmalloc(((size_t)g->nparams + 1) * sizeof *e->param);
    for (int i = 0; i < g->nparams; i++) {
        e->param[i] = NO_REG;
        if (!needed[i] && !(forced && forced[i]))
            continue;
        bool always = needed[i] == NEED_ALWAYS || (forced && forced[i]);
        u8 kind = always ? kind_of(g->params[i]) : (u8)KIND_LAZY;
        e->param[i] = value_new(e, kind);
        e->values.at[e->param[i]].written = true;
        e->b->params[e->b->nparams++] = (Slot){
            .index = i, .kind = kind, .reg = e->param[i], .source = NO_REG, .pointer = NO_REG};
    }
    free(needed);
}

void plan_outs(Emit *e, int nouts, Node *const *outs, const bool *wanted)
{
    e->b->outs = plan_alloc(e->pl, (size_t)nouts, sizeof *e->b->outs);
    for (int i = 0; i < nouts; i++)
        if (!wanted || wanted[i])
            e->b->outs[e->b->nouts++] = arg_of(e, value_of(e, outs[i]));
    emit(e, I_END, NO_REG, NO_REG, NO_REG);
}

bool plan_code(Emit *e, int nouts, Node *const *outs, const bool *wanted, const Leaves *leaves)
{
    bool ok = need_compute(e->pl, nouts, outs, wanted, leaves, &e->need);
    size_t n = e->need.order.len + 1;
    e->value = xmalloc(n * sizeof *e->value);
    e->lazy = xmalloc(n * sizeof *e->lazy);
    return ok;
}

Block *plan_branch(Planner *pl, Graph *g, const bool *wanted)
{
    Block *b = block_find(pl, g, BLOCK_CALL, (const int[4]){0}, wanted);
    if (b->code)
        return b;
    Emit e = {.pl = pl, .b = b};
    bool ok = plan_code(&e, g->nouts, g->outs, b->used, NULL);
    if (ok) {
        add_params(&e, NULL);
        ok = emit_nodes(&e);
    }
    if (ok) {
        plan_outs(&e, g->nouts, g->outs, b->used);
        plan_finish(&e);
        block_remember(pl, g, b);
    }
    emit_free(&e);
    return ok ? b : NULL;
}

Block *plan_body(Planner *pl, const ScanShape *s, const bool *wanted)
{
    const int key[4] = {s->nstates, s->nseqs, s->reverse, s->stop};
    Block *b = block_find(pl, s->body, BLOCK_SCAN, key, wanted);
    if (b->code)
        return b;
    b->loop = true;
    b->reverse = s->reverse;
    b->stop = s->stop;
    Emit e = {.pl = pl, .b = b, .need = {.ready = s->nstates + s->nseqs}};
    bool ok = plan_code(&e, s->body->nouts, s->body->outs, b->used, NULL);
    if (ok) {
        bool *forced = xcalloc((size_t)s->body->nparams + 1, sizeof *forced);
        for (int i = 0; i < s->nstates; i++)
            forced[i] = b->used[i];
        add_params(&e, forced);
        free(forced);
        emit_loop_top(&e, s);
        emit_loop_traces(&e, s, b->used);
        ok = emit_nodes(&e);
    }
    if (ok) {
        emit_loop_end(&e, s);
        plan_arrays(&e);
        plan_finish(&e);
        plan_draws(pl, b);
        block_remember(pl, s->body, b);
    }
    emit_free(&e);
    return ok ? b : NULL;
}

/* ---- 3. programs ---- */

static Program *plan_opened(Store *st, int nroots, Node *const *roots, u32 flags)
{
    Program *p = xcalloc(1, sizeof *p);
    p->st = st;
    p->nroots = nroots;
    p->native = xcalloc(1, sizeof *p->native);
    Planner pl = {.st = st, .p = p, .flags = flags};
    p->root = block_new(&pl, NULL, BLOCK_CALL);
    Emit e = {.pl = &pl, .b = p->root};
    bool ok = plan_code(&e, nroots, roots, NULL, NULL) && emit_nodes(&e);
    if (ok) {
        plan_outs(&e, nroots, roots, NULL);
        plan_finish(&e);
    }
    emit_free(&e);
    map_free(&pl.blocks);
    if (!ok) {
        program_free(p);
        return NULL;
    }
    return p;
}

Program *plan_build_with(Store *st, int nroots, Node *const *roots, u32 flags)
{
    Node **opened = xmalloc(((size_t)nroots + 1) * sizeof *opened);
    Program *p = composites_open(st, nroots, roots, true, opened)
                     ? plan_opened(st, nroots, opened, flags)
                     : NULL;
    free(opened);
    return p;
}

Program *plan_build(Store *st, int nroots, Node *const *roots)
{
    return plan_build_with(st, nroots, roots, 0);
}

void program_free(Program *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->blocks.len; i++) {
        free(p->blocks.at[i]->code);
        free(p->blocks.at[i]->where);
    }
    program_native_free(p);
    vec_free(&p->blocks);
    arena_free(&p->arena);
    free(p);
}

int program_roots(const Program *p) { return p->nroots; }

ProgramStats program_stats(const Program *p)
{
    ProgramStats s = {.blocks = (u32)p->blocks.len};
    for (size_t i = 0; i < p->blocks.len; i++) {
        s.instructions += p->blocks.at[i]->ncode;
        s.registers += p->blocks.at[i]->nregs;
    }
    return s;
}
