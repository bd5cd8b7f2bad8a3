/* Calls that are no longer there.  See called.h. */
#include "rewrite/called.h"

#include "graph/walk.h"
#include "rewrite/steps.h"

/* The call that the step put a function's body in place of; NULL: it is no such step. */
static const Node *inlined_by(const Step *s)
{
    bool inlines = s && s->nchanges && !strcmp(step_rule(s), "inline-call");
    const Node *result = inlines ? s->changes[0].before : NULL;
    return result && result->op == OP_PROJ && result->ops[0]->op == OP_CALL ? result->ops[0] : NULL;
}

/* Did it get there from the body, and was not only rebuilt around that? */
static const Occurrence *brought_in(const Occurrence *was, const Occurrence *o)
{
    const Node *call = o->origin ? inlined_by(o->origin->step) : NULL;
    bool moved = call && (was ? was->body != o->body : !o->origin->operands_only);
    return moved ? body_at(o->body, call) : NULL;
}

/* What the node was in the body that was put in place of the call; NULL: nothing is known of it.
 * Of several calls of one function, the first one's nodes are what went on from the body. */
static const Occurrence *in_body(const Things *t, const Occurrence *call, const Node *n)
{
    Graph *g = call->node->attrs[0].graph;
    const Occurrence *found = NULL;
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    Node **became = xcalloc(order.len + 1, sizeof *became);
    bool ok = graph_instantiate_nodes(t->st, g, call->node->ops, (int)order.len, order.at, became);
    for (size_t i = 0; i < order.len && ok && !found; i++)
        if (became[i] == n && order.at[i]->op != OP_PARAM)
            found = thing_occurrence(t, g, order.at[i]);
    free(became);
    vec_free(&order);
    return found;
}

/* What went on as the first node of the thing. */
static const Occurrence *source_of(const Things *t, const Occurrence *first)
{
    const Occurrence *call = brought_in(NULL, first);
    const Occurrence *before = call ? in_body(t, call, first->node) : thing_before(t, first);
    return before && before->thing != first->thing ? before : NULL;
}

void called_from(const Things *t, const Occurrence *o, Calls *out)
{
    Calls moves = {0}; /* a body's body was put into the body first: the outermost call is last */
    const Occurrence *was = NULL, *before = source_of(t, o->thing->first);
    for (const Occurrence *k = o->thing->first; k; was = k, k = k == o ? NULL : k->next) {
        const Occurrence *call = brought_in(was, k);
        if (call)
            vec_push(&moves, call);
    }
    for (size_t i = moves.len; i-- > 0;) {
        called_from(t, moves.at[i], out);
        vec_push(out, moves.at[i]);
    }
    vec_free(&moves);
    if (before)
        called_from(t, before, out);
}
