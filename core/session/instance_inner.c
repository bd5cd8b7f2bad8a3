/* Random instances of what owns graphs: branches, derivatives, maps, loops. */
#include "ops/scan_edit.h"
#include "rewrite/inner.h"
#include "session/instance_leaves.h"

/* ---- an `if` ---- */

/* What is bound so far may stand before the `if`, or again in its branches. */
static void some_outside(Maker *m, NodeSet *outside)
{
    for (int k = 0; k < RULE_VARS; k++)
        if (m->b->bound >> k & 1 && m->b->at[k].kind == 'n' && instance_roll(m, 2))
            set_add(outside, m->b->at[k].node);
}

Node *instance_choice(Maker *m, const Pattern *p, Want w)
{
    Node *parts[3] = {NULL}, *r = NULL;
    NodeSet outside = {0};
    parts[0] = instance_part(m, p->args[0], (Want){DT_BOOL, type_scalar(m->st, DT_BOOL), true, 0});
    some_outside(m, &outside);
    w.shape = w.shape && (w.exact || instance_roll(m, 7)) ? w.shape : instance_random_shape(m, 0);
    w.exact = true;
    for (int round = 0; round < 2; round++) /* what has a type of its own, then numbers */
        for (int i = 1; i < 3; i++) {
            if ((p->args[i]->kind == PAT_NUMBER) != (round == 1) || !parts[0])
                continue;
            parts[i] = instance_part(m, p->args[i], w);
            w.dtype =
                parts[i] && parts[i]->type->kind == TYPE_TENSOR ? parts[i]->type->dtype : DT_COUNT;
            w.shape = parts[i] && parts[i]->type->kind == TYPE_TENSOR ? parts[i]->type : w.shape;
        }
    if (parts[0] && parts[1] && parts[2])
        r = build_if(m->st, parts[0], 1, parts + 1, parts + 2, &outside);
    map_free(&outside);
    return r ? node_proj(m->st, r, 0) : NULL;
}

/* ---- a derivative or map ---- */

/* What is mapped over: the slices are of any shape. */
static Node *mapped(Maker *m, const Pattern *p, Want w)
{
    Size *lanes = instance_pick_dim(m);
    const Type *slice = w.shape && w.shape->rank ? NULL : instance_random_shape(m, 0);
    if (slice && slice->rank > 3)
        return NULL;
    const Type *t =
        slice ? instance_with_axes(m, slice, intlist(m->st, 1, (i64[]){0}), lanes) : w.shape;
    return t ? instance_part(m, p, (Want){DT_COUNT, t, true, 0}) : NULL;
}

/* The variable, of the type that the operand gives it. */
static bool open_variable(Maker *m, const Pattern *p, Applied *a)
{
    RuleValue *v = &m->b->at[p->slot];
    bool map = p->inner == OP_VMAP, known = m->b->bound >> p->slot & 1;
    a->hole = v->hole && known ? v->hole : node_temp(m->st, applied_parameter(m->st, a), NULL);
    if (map && !known)
        *v = (RuleValue){.kind = 'n', .node = a->hole};
    v->hole = a->hole;
    m->b->bound |= 1u << p->slot;
    return a->hole->type == applied_parameter(m->st, a);
}

Node *instance_inner(Maker *m, const Pattern *p, Want w)
{
    Applied a = {.op = p->inner};
    bool map = p->inner == OP_VMAP;
    a.at = map ? mapped(m, p->args[0], w)
               : instance_part(m, p->args[0],
                               (Want){.dtype = w.dtype, .shape = w.shape, .exact = true});
    if (!a.at || a.at->type->kind != TYPE_TENSOR || (map && !a.at->type->rank) ||
        (!map && !dtype_is_float(a.at->type->dtype)) || !open_variable(m, p, &a))
        return NULL;
    Node *outer = m->variable;
    Want inside = {.dtype = a.at->type->dtype, .exact = true};
    inside.shape = p->inner == OP_GRAD ? type_scalar(m->st, DT_F64) : a.hole->type;
    m->variable = a.hole;
    a.value = instance_part(m, p->args[1], inside);
    m->variable = outer;
    if (!a.value || a.value->type->kind != TYPE_TENSOR)
        return NULL;
    const Type *with = p->inner == OP_VJP ? a.value->type : a.at->type;
    if (p->n > 2 && !(a.with = instance_part(m, p->args[2], (Want){with->dtype, with, true, 0})))
        return NULL;
    return applied_build(m->st, &a);
}

/* ---- a loop ---- */

/* A loop while it is made. */
typedef struct {
    Maker *m;
    const Pattern *p;
    Node *n, *hole, *other; /* the number of steps; the states inside */
    NewScan scan;
} LoopMaker;

/* None, one, few; more than an integer has bits. */
static Node *random_count(Maker *m)
{
    static const i64 counts[] = {0, 1, 2, 5, 33, 64, 65, 70};
    u32 k = instance_roll(m, COUNT_OF(counts) + 3);
    Size *s = k < COUNT_OF(counts)
                  ? size_const(m->st, counts[k])
                  : size_name(m->st, symbol(m->st, k == COUNT_OF(counts) ? "m" : "n"));
    return size_to_node(m->st, s);
}

static Node *add_sequence(LoopMaker *l, DType d, const Type *row)
{
    Maker *m = l->m;
    Size *n = size_of_node(m->st, l->n);
    const Type *t = instance_with_axes(m, row, intlist(m->st, 1, (i64[]){0}), n);
    if (!t)
        return NULL;
    Node *rows = instance_input(m, d, t);
    vec_push(&l->scan.seqs, rows);
    vec_push(&l->scan.rows,
             node_temp(m->st, type_with_dtype(m->st, (Type *)(uintptr_t)row, d), NULL));
    return l->scan.rows.at[l->scan.rows.len - 1];
}

static void bind(Maker *m, int slot, Node *node, Node *hole)
{
    if (m->b->bound >> slot & 1)
        return;
    m->b->bound |= 1u << slot;
    m->b->at[slot] = (RuleValue){.kind = 'n', .node = node, .hole = hole};
}

/* The named sequences, with rows like the state mostly. */
static bool named_sequences(LoopMaker *l)
{
    const ScanForm *f = l->p->scan;
    for (int i = 0; i < f->written->nover - f->more_seqs; i++) {
        int slot = rule_var(l->m->rule->vars, f->written->over[i].name);
        Type *row = instance_roll(l->m, 4) ? l->hole->type : instance_random_shape(l->m, 0);
        Node *hole = slot < 0 ? NULL : add_sequence(l, node_dtype(l->hole), row);
        if (!hole)
            return false;
        bind(l->m, slot, l->scan.seqs.at[l->scan.seqs.len - 1], hole);
    }
    return true;
}

/* Another state that reads this one, or does not. */
static bool other_state(LoopMaker *l)
{
    Maker *m = l->m;
    Store *st = m->st;
    Node *read = instance_roll(m, 3) ? l->hole : l->other;
    Node *next = dtype_is_float(node_dtype(read)) || dtype_is_int(node_dtype(read))
                     ? build_add(st, l->other, read)
                     : read;
    vec_push(&l->scan.outs, next);
    if (next && instance_roll(m, 2))
        vec_push(&l->scan.outs, instance_roll(m, 2) ? next : l->hole);
    return next != NULL;
}

/* The state's next value. What it is made of may depend on the state, on a row, on neither. */
static Node *next_value(LoopMaker *l)
{
    Maker *m = l->m;
    Node *outer = m->variable;
    u32 k = instance_roll(m, 3);
    m->variable = k == 0 ? NULL : k == 1 || !l->scan.rows.len ? l->hole : l->scan.rows.at[0];
    Node *next =
        instance_part(m, l->p->args[1], (Want){node_dtype(l->hole), l->hole->type, true, 0});
    m->variable = outer;
    return next && next->type == l->hole->type ? next : NULL;
}

static bool loop_body(LoopMaker *l)
{
    const ScanForm *f = l->p->scan;
    Maker *m = l->m;
    bind(m, f->state, l->hole, NULL);
    if (f->count >= 0)
        bind(m, f->count, l->n, NULL);
    Node *index = node_temp(m->st, type_scalar(m->st, DT_I64), NULL);
    bind(m, f->index, index, NULL);
    if (!named_sequences(l) || (f->more_seqs && !add_sequence(l, m->real, l->hole->type)))
        return false;
    vec_push(&l->scan.rows, index);
    vec_push(&l->scan.seqs, node1(m->st, OP_IOTA, NULL, l->n));
    Node *next = next_value(l);
    vec_push(&l->scan.outs, next);
    if (next && f->more_states && !other_state(l))
        return false;
    if (next && f->more_items && instance_roll(m, 2))
        vec_push(&l->scan.outs, instance_roll(m, 2) ? next : l->hole);
    return next != NULL;
}

Node *instance_loop(Maker *m, const Pattern *p, Want w)
{
    LoopMaker l = {.m = m, .p = p, .n = random_count(m)};
    Node *init = instance_part(m, p->args[0], (Want){w.dtype, w.shape, true, 0}), *r = NULL;
    if (!init || init->type->kind != TYPE_TENSOR)
        return NULL;
    l.hole = node_temp(m->st, init->type, NULL);
    l.other = node_temp(m->st, init->type, NULL);
    vec_push(&l.scan.states, l.hole);
    vec_push(&l.scan.inits, init);
    if (p->scan->more_states) {
        vec_push(&l.scan.states, l.other);
        vec_push(&l.scan.inits, instance_input(m, node_dtype(init), init->type));
    }
    if (loop_body(&l))
        r = scan_make(m->st, &l.scan, &(ScanShape){.n = l.n});
    new_scan_free(&l.scan);
    return r && p->scan->final ? node_proj(m->st, r, 0) : r;
}

/* ---- what can be shown ---- */

/* Values of what was inside, at the operand: they can be shown. */
void instance_close_variables(Maker *m)
{
    const RuleVars *v = m->rule->vars;
    NodeMap memo = {0};
    for (int k = 0; k < v->n; k++)
        if (v->parameters & m->b->bound & 1u << k && m->b->at[k].hole != m->b->at[k].node)
            map_put(&memo, m->b->at[k].hole, m->b->at[k].node);
    for (int k = 0; k < v->n; k++) {
        RuleValue *x = &m->b->at[k];
        if (m->b->bound >> k & 1 && x->kind == 'n' && x->node->open)
            x->node = node_substitute(m->st, x->node, &memo);
        if (m->b->bound >> k & 1 && x->kind == 'n' && (!x->node || x->node->open))
            m->b->bound &= ~(1u << k);
    }
    map_free(&memo);
}
