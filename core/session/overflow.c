/* Steps of class O: what their program may overflow or underflow in, where the source does not.
 *
 * A program with such steps runs with the flags of IEEE arithmetic cleared (base/flags.h). If one
 * is raised that such a step may have raised, the program without them is what counts
 * (session/evaluate.c).
 *
 * Invariant: flags 0 means that no step of class O led to the program. */
#include "session/overflow.h"
#include "base/flags.h"
#include "graph/op.h"
#include "surface/surface.h"

/* A sum never underflows: where its result is subnormal, it is exact. */
static bool only_adds_or_moves(const Node *n)
{
    switch (n->op) {
    case OP_ADD:
    case OP_SUB:
    case OP_NEG:
    case OP_SUM:
    case OP_CUMSUM:
    case OP_CONCAT: return true;
    default: return op_table[n->op].flags & MOVES || !n->nops;
    }
}

/* May a node that the step makes underflow? It is made anew if it is not near the one replaced. */
static bool may_underflow(const Change *c)
{
    enum { NEAR = 64 }; /* nodes that are looked at */
    NodeVec was = {0}, is = {0};
    NodeMap known = {0};
    bool may = false;
    vec_push(&was, c->before);
    for (size_t i = 0; i < was.len; i++) {
        map_put(&known, was.at[i], c->before);
        for (u32 k = 0; k < was.at[i]->nops && was.len < NEAR; k++)
            vec_push(&was, was.at[i]->ops[k]);
    }
    vec_push(&is, c->after);
    for (size_t i = 0; i < is.len && !may; i++) {
        if (map_has(&known, is.at[i]))
            continue;
        map_put(&known, is.at[i], c->after);
        may = !only_adds_or_moves(is.at[i]) || is.len > NEAR;
        for (u32 k = 0; k < is.at[i]->nops; k++)
            vec_push(&is, is.at[i]->ops[k]);
    }
    vec_free(&was);
    vec_free(&is);
    map_free(&known);
    return may;
}

static bool step_may_underflow(const Step *s)
{
    bool may = false;
    for (int i = 0; i < s->nchanges && !may; i++)
        may = may_underflow(&s->changes[i]);
    return may;
}

static void add_log(OverflowRisk *r, const StepLog *log)
{
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        const Type *type = s->changes[0].before->type;
        bool whole = type->kind == TYPE_TENSOR && !dtype_is_float(type->dtype);
        if (whole || !(((s->rule ? s->rule->classes : 0) | s->extra) & HAZARD_O))
            continue;
        r->step = r->step ? r->step : s;
        r->flags |= FLAG_OVERFLOW | FLAG_INVALID;
        if (!(r->flags & FLAG_UNDERFLOW) && step_may_underflow(s))
            r->flags |= FLAG_UNDERFLOW;
    }
}

OverflowRisk overflow_risk(const Exploration *x)
{
    OverflowRisk r = {0};
    add_log(&r, &x->log);
    for (size_t i = 0; i < x->inner_logs.len; i++)
        add_log(&r, x->inner_logs.at[i]);
    return r;
}

static void put_node(Text *out, const Exploration *x, Node *n)
{
    enum { LONG = 60 }; /* bytes: most of a line */
    Text t = {0};
    node_source_limited(x->st, &t, n, false, LONG);
    text_put(out, text_str(&t));
    text_free(&t);
}

void overflow_tell(Text *out, const Exploration *x, const Step *s)
{
    Text before = {0}, after = {0};
    text_put(out, step_rule(s));
    if (s->nchanges == 1) {
        put_node(&before, x, s->changes[0].before);
        put_node(&after, x, s->changes[0].after);
    }
    if (strcmp(text_str(&before), text_str(&after)) != 0)
        text_printf(out, " (%s => %s)", text_str(&before), text_str(&after));
    text_free(&before);
    text_free(&after);
}
