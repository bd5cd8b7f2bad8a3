/* The states of a scan: what their initial values must be, and what their equations.
 *
 * Invariant: a state has one type, that of its initial value; with taps further back than one step
 * the initial value has a row for each. */
#include "lang/dimensions.h"
#include "lang/elab_scan.h"

static bool rows_missing(ScanBody *b, const Slot *s)
{
    char hint[160];
    snprintf(hint, sizeof hint, "stack %d initial values: for example from %s = stack((a, b%s))",
             s->reach, s->name,
             s->reach > 3    ? ", ..."
             : s->reach == 3 ? ", c"
                             : "");
    return elab_error(b->e, s->span, "shape-mismatch", hint,
                      "%s is read as far as %s[%s%+d], so its initial value must have %d rows "
                      "along axis 0, in order of %s, but it is %s",
                      s->name, s->name, b->index, b->reverse ? s->reach : -s->reach, s->reach,
                      b->index, shape_text(b->e->st, s->source->type)),
           false;
}

/* ---- tuples ---- */

bool tuple_parts(ScanBody *b, int slot, Value *v, bool state, Span span)
{
    Elab *e = b->e;
    ValueVec leaves = {0};
    bool ok = value_leaves(e, v, &leaves) && leaves.len;
    if (!ok)
        elab_error(e, span, "type-mismatch", NULL,
                   "%s of a scan must be made of tensors, but this is %s",
                   state ? "a state" : "an output", value_describe(e, v));
    b->slots.at[slot].form = v;
    b->slots.at[slot].first = (int)b->slots.len;
    b->slots.at[slot].parts = (int)leaves.len;
    SymbolVec paths = {0};
    tuple_paths(e, b->slots.at[slot].name, v, &paths);
    for (size_t i = 0; i < leaves.len && ok; i++) {
        Slot part = {.name = paths.at[i],
                     .span = span,
                     .part = true,
                     .state = state,
                     .source = leaves.at[i]->node};
        part.adapts = part.weak = leaves.at[i]->weak;
        vec_push(&b->slots, part);
    }
    vec_free(&paths);
    vec_free(&leaves);
    return ok;
}

void share_taps(ScanBody *b)
{
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        for (int k = 0; s->form && k < s->parts; k++) {
            Slot *part = &b->slots.at[s->first + k];
            part->read_now = s->read_now;
            part->ahead_at = s->ahead_at;
            for (size_t o = 0; o < s->offsets.len; o++)
                vec_push(&part->offsets, s->offsets.at[o]);
        }
    }
}

Value *tuple_of_parts(const ScanBody *b, const Slot *s, Value *const *parts)
{
    int used = 0;
    return value_of_leaves(b->e, s->form, parts, &used);
}

/* ---- types ---- */

bool state_holes(ScanBody *b, Slot *s)
{
    Store *st = b->e->st;
    Type *t = s->source->type;
    if (t->kind != TYPE_TENSOR)
        return elab_error(b->e, s->span, "type-mismatch", "give each part a state of its own",
                          "the state %s must start as one tensor", s->name),
               false;
    if (s->reach > 1) {
        if (t->rank < 1 || size_provably_different(st, t->dims[0], size_const(st, s->reach)))
            return rows_missing(b, s);
        t = type_tensor(st, t->dtype, t->rank - 1, t->dims + 1);
    }
    s->holes = arena_alloc(b->e->arena, (size_t)s->reach * sizeof *s->holes);
    for (int k = 0; k < s->reach; k++) {
        s->holes[k] = node_hole(
            st, t, name_at(st, s->name, b->index, s->shift + (b->reverse ? k + 1 : -(k + 1))));
        dimensions_note_state(b->e, s->holes[k], s->source);
    }
    return true;
}

/* Was the state read in another dtype than its own, which only a weak one can be? An inner graph
 * may have done so: then *as is not known (DT_COUNT), as if it was read in several. */
static bool read_otherwise(ScanBody *b, const Slot *s, DType *as)
{
    NodeVec roots = {0}, order = {0};
    for (size_t i = 0; i < b->equations.len; i++)
        vec_push(&roots, b->slots.at[b->equations.at[i]].now);
    if (b->stop)
        vec_push(&roots, b->stop);
    nodes_topo((int)roots.len, roots.at, &order);
    bool found = false;
    for (size_t i = 0; i < order.len; i++) {
        const Node *n = order.at[i];
        int slots[4];
        bool reads = false;
        for (u32 k = 0; k < n->nops; k++)
            for (int h = 0; h < s->reach; h++)
                reads = reads ||
                        (n->ops[k] == s->holes[h] && (n->op == OP_CAST || node_graphs(n, slots)));
        if (!reads)
            continue;
        DType d = n->op == OP_CAST ? n->type->dtype : DT_COUNT;
        *as = found && *as != d ? DT_COUNT : d;
        found = true;
    }
    vec_free(&roots);
    vec_free(&order);
    return found;
}

/* The state takes the dtype of its equation; not that of a float that would be lost. */
static bool adopt(ScanBody *b, Slot *s)
{
    DType want = s->now->type->dtype, have = s->source->type->dtype;
    bool fits = dtype_is_number(want) && !(dtype_is_float(have) && !dtype_is_float(want));
    if (want == have || !fits || !(s->weak || promote(have, want) == want))
        return false;
    s->source = weak_retype(b->e->st, s->source, want);
    return true;
}

/* Nothing asks of a state but who reads it: a float becomes f32 where all read it so. */
static bool settle(ScanBody *b, Slot *s)
{
    DType as = DT_COUNT;
    s->weak = false;
    if (!read_otherwise(b, s, &as))
        return false;
    if (as == DT_F32 && dtype_is_float(s->now->type->dtype))
        s->source = weak_retype(b->e->st, s->source, DT_F32);
    return true;
}

bool adopt_dtypes(ScanBody *b)
{
    bool again = false, open = false;
    DType as;
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        if (!s->state || !s->adapts || s->now->type->kind != TYPE_TENSOR)
            continue;
        again = adopt(b, s) || again;
        if (s->weak && !s->now_weak) {
            s->weak = false;
            again = again || read_otherwise(b, s, &as);
        }
        open = open || s->weak;
    }
    bool settled = false;
    for (size_t i = 0; open && !again && i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        if (s->state && s->weak)
            settled = settle(b, s) || settled;
    }
    return again || settled;
}

bool state_fits(ScanBody *b, Slot *s)
{
    Store *st = b->e->st;
    Type *have = s->holes[0]->type, *next = s->now->type;
    const char *code = "type-mismatch";
    char hint[160];
    if (have->dtype != next->dtype) {
        snprintf(hint, sizeof hint, "start from %s(...), or write %s[%s] = %s(...)",
                 dtype_name(next->dtype), s->name, b->index, dtype_name(have->dtype));
    } else if (!type_compatible(st, have, next)) {
        code = "shape-mismatch";
        snprintf(hint, sizeof hint,
                 have->rank == 0
                     ? "start from an array of that shape, for example ones_like(A) or "
                       "zeros_like(A)"
                     : "a state keeps its shape: start from %s, or make the equation give %s",
                 shape_text(st, next), shape_text(st, have));
    } else {
        if (have != next)
            s->now = node2(st, OP_MATCH_SHAPE, NULL, s->now, s->holes[0]);
        snprintf(hint, sizeof hint, "the equation of state `%.80s` changes its dimensions",
                 s->name);
        return s->now && dimensions_same(b->e, s->holes[0], s->now, s->defined_at, hint);
    }
    return elab_error(b->e, s->defined_at, code, hint,
                      "state `%s` changes type: it starts as %s, but its equation produces %s",
                      s->name, shape_text(st, have), shape_text(st, next)),
           false;
}
