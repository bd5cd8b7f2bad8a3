/* A rule on a loop as a whole: the loop without the state that matched, which is what the right
 * side says at each step, after the last one too.
 *
 * Invariant: what the right side says stands over what is around the loop and the step's number. */
#include "ops/build.h"
#include "ops/scan_edit.h"
#include "rewrite/inner.h"
#include "rewrite/match.h"

/* What the state is at each step: over what is around the loop, and the step's number. */
typedef struct {
    RuleCall *c;
    ScanEdit ed;
    Node *value, *index;
} StateEdit;

/* The number of the step, as a sequence of the loop. */
static Node *inner_index(StateEdit *e)
{
    ScanShape *s = &e->ed.s;
    for (int i = 0; i < s->nseqs; i++)
        if (e->ed.seqs[i].value->op == OP_IOTA && e->ed.seqs[i].value->ops[0] == s->n)
            return e->ed.seqs[i].hole;
    Node *rows = node1(e->c->st, OP_IOTA, NULL, scan_count(e->c->st, s));
    return rows ? scan_sequence(&e->ed, rows, e->index) : NULL;
}

/* The value inside: what does not depend on the step is captured. */
static Node *inner_value(StateEdit *e)
{
    Store *st = e->c->st;
    if (e->value->op == OP_CONST)
        return e->value;
    if (!e->value->open)
        return scan_capture(&e->ed, e->value, e->value);
    NodeVec order = {0};
    NodeMap memo = {0};
    nodes_topo(1, &e->value, &order);
    for (size_t i = 0; i < order.len; i++)
        for (u32 k = 0; order.at[i]->open && k < order.at[i]->nops; k++) {
            Node *o = order.at[i]->ops[k];
            if (!o->open && o->op != OP_CONST && !map_has(&memo, o))
                map_put(&memo, o, scan_capture(&e->ed, o, o));
        }
    Node *index = inner_index(e);
    map_put(&memo, e->index, index);
    Node *r = index ? node_substitute(st, e->value, &memo) : NULL;
    vec_free(&order);
    map_free(&memo);
    return r;
}

/* After the last step: at n, or at the step where it stopped. */
static Node *final_value(StateEdit *e, Node *now)
{
    Store *st = e->c->st;
    const ScanShape *s = &e->ed.s;
    if (!e->value->open)
        return scan_count_fits(st, s) ? e->value : scan_under_count(st, s, e->value);
    NodeMap memo = {0};
    map_put(&memo, e->index,
            s->stop ? node_proj(st, now, scan_shape(now).steps) : scan_count(st, s));
    Node *r = node_substitute(st, e->value, &memo);
    map_free(&memo);
    return r;
}

static void put_results(StateEdit *e, int state, Node *now, Node *final, Changes *out)
{
    Store *st = e->c->st;
    int before = e->ed.old_states + e->ed.old_outs + 2;
    for (int i = 0; i < before; i++) {
        Node *was = node_proj(st, e->ed.scan, i);
        vec_push(out, ((Change){was, i == state ? final : node_proj(st, now, i - (i > state))}));
    }
}

static bool edit_state(StateEdit *e, int state, Changes *out)
{
    EditState *s = &e->ed.states[state];
    NodeMap memo = {0};
    Node *inside = inner_value(e), *now = NULL;
    e->ed.states[state].drop = true;
    map_put(&memo, s->hole, inside);
    if (inside && type_compatible(e->c->st, inside->type, s->hole->type) &&
        scan_substitute(&e->ed, &memo))
        now = scan_close(&e->ed);
    map_free(&memo);
    Node *final = now ? final_value(e, now) : NULL;
    if (!final || !type_compatible(e->c->st, final->type, s->init->type))
        return false;
    put_results(e, state, now, final, out);
    return true;
}

bool replace_state(RuleCall *c, const Rule *r, Node *scan, Changes *out)
{
    const ScanForm *form = r->vars->loop;
    const LoopParts *l = NULL;
    for (int k = 0; k < r->vars->n; k++)
        l = r->vars->kinds[k] == 'l' ? c->b->at[k].loop : l;
    Node *init = scan_shape(scan).inits[l->state];
    StateEdit e = {.c = c, .index = c->b->at[form->index].node};
    e.value = template_build(c, r->replacement);
    if (e.value && e.value->type->rank < init->type->rank && !e.value->type->rank)
        e.value = build_like(c->st, e.value, init);
    NodeVec order = {0};
    bool ok = e.value && node_dtype(e.value) == node_dtype(init);
    if (ok)
        nodes_topo(1, &e.value, &order);
    for (size_t i = 0; i < order.len; i++) /* a state or a row is known only in the loop */
        ok = ok && (order.at[i]->op != OP_HOLE || order.at[i] == e.index);
    vec_free(&order);
    ok = ok && scan_open(c->st, scan, &e.ed);
    if (!ok)
        return false;
    ok = edit_state(&e, l->state, out);
    scan_edit_free(&e.ed);
    return ok;
}
