/* See entry.h. The parameters of a loop are its operands in order, behind those that say how often
 * it runs. */
#include "viz/scene/entry.h"

#include "graph/provenance.h"

static Entry of_loop(Node *const *operands, int i, int nstates, int nseqs)
{
    if (i < nstates)
        return (Entry){operands[i], ROLE_STATE, EDGE_STATE, -1};
    if (i < nstates + nseqs)
        return (Entry){operands[i], ROLE_SEQUENCE, EDGE_SEQUENCE, -1};
    return (Entry){operands[i], ROLE_CAPTURE, EDGE_CAPTURE, -1};
}

Entry entry_of(const Node *owner, int slot, int i)
{
    if (owner->op == OP_SCAN) {
        ScanShape s = scan_shape(owner);
        return of_loop(s.inits, i, s.nstates, s.nseqs);
    }
    if (owner->op == OP_LOOP) {
        LoopShape s = loop_shape(owner);
        return of_loop(s.inits, i, s.nstates, 0);
    }
    if (owner->op == OP_IFELSE) {
        IfShape s = if_shape(owner);
        const IntList *args = slot ? s.else_args : s.then_args;
        return (Entry){s.operands[args->at[i]], ROLE_CAPTURE, EDGE_CAPTURE, -1};
    }
    i64 lane = owner->op == OP_VMAP ? owner->attrs[1].ints->at[i] : -1;
    return (Entry){owner->ops[i], ROLE_PARAM, EDGE_DATA, lane};
}

int border_operands(const Node *owner)
{
    return owner->op == OP_SCAN ? 1 : owner->op == OP_LOOP ? 2 : 0;
}

static Exit exit_of_loop(int k, int nstates, int steps)
{
    static const char *const words[] = {"steps", "stopped"};
    return k < nstates ? (Exit){k, EDGE_STATE, "final"}
           : k < steps ? (Exit){k, EDGE_DATA, "trace"}
                       : (Exit){-1, EDGE_DATA, words[k - steps]};
}

/* Derivatives come first: by the arguments; of the outputs for jvp. */
Exit exit_of(const Node *owner, int k)
{
    if (owner->op == OP_SCAN)
        return exit_of_loop(k, scan_shape(owner).nstates, scan_shape(owner).steps);
    if (owner->op == OP_LOOP)
        return exit_of_loop(k, loop_shape(owner).nstates, loop_shape(owner).steps);
    if (!is_derivative(owner))
        return (Exit){k, EDGE_DATA, NULL};
    int derivatives = owner->type->nitems - owner->attrs[0].graph->nouts;
    if (k < derivatives)
        return (Exit){-1, EDGE_DATA, owner->op == OP_JVP ? "tangent" : NULL};
    return (Exit){k - derivatives, EDGE_DATA, "value"};
}

int entry_axis(const Entry *e, int k)
{
    return k + (e->role == ROLE_SEQUENCE || (e->lane >= 0 && k >= e->lane));
}

BoundSizes entry_sizes(const Node *owner, int slot, SizeCalled *called, void *ctx)
{
    const Graph *g = owner->attrs[slot].graph;
    BoundSizes bound = {0};
    for (int i = 0; i < g->nparams; i++) {
        const Type *inside = g->params[i];
        const Entry e = entry_of(owner, slot, i);
        for (int k = 0; inside->kind == TYPE_TENSOR && k < inside->rank; k++) {
            Size *size = called(ctx, e.operand->type->dims[entry_axis(&e, k)]);
            const SizeAtom *a = size_as_atom(inside->dims[k]);
            if (!size)
                break;
            if (a && a->kind == ATOM_PARAM)
                map_put(&bound, a->index + 1, size);
        }
    }
    return bound;
}

Symbol param_symbol(Store *st, const Graph *g, int i)
{
    const Symbol *names = g ? graph_names(st, g) : NULL;
    return names ? names[i] : NULL;
}

Symbol leaf_symbol(Store *st, const Graph *g, const Node *n)
{
    return is_source(n)        ? n->attrs[0].name
           : n->op == OP_PARAM ? param_symbol(st, g, (int)n->attrs[0].i)
                               : NULL;
}

SceneBoxKind box_kind_of(const Node *n)
{
    switch (n->op) {
    case OP_SCAN: return BOX_SCAN;
    case OP_LOOP: return BOX_LOOP;
    case OP_FUSED: return BOX_FUSED;
    case OP_VMAP: return BOX_VMAP;
    case OP_GRAD: return BOX_GRAD;
    case OP_VJP: return BOX_VJP;
    case OP_JVP: return BOX_JVP;
    default: return BOX_CALL;
    }
}
