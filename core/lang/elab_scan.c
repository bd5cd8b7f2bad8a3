/* scan: recurrences written as recurrences -> a Scan node.
 *
 * Taps are read off the indices in the body (`tap_walk`) before it is elaborated. A tap
 * of a sequence becomes a sequence of its own, sliced so that row j belongs to
 * t = t0 + j. A state with taps down to t-K becomes a shift register of K states. The
 * body is elaborated over holes; then it is closed and the node built. */
#include "lang/elab_scan.h"
#include "graph/control.h"

/* ---- clauses ---- */

static Slot *slot_new(ScanBody *b, const char *name, Span span)
{
    if (slot_find(b, name) && !slot_find(b, name)->given)
        return elab_error(b->e, span, "name", "give the second another name",
                          "%s is declared twice in this scan", name);
    vec_push(&b->slots, ((Slot){.name = symbol(b->e->st, name), .span = span}));
    return &b->slots.at[b->slots.len - 1];
}

/* A sequence may be given by the names of its rows: over c[t-1] = a, c[t] = b. */
static Slot *sequence_new(ScanBody *b, const Bind *bind)
{
    const Slot *other = slot_find(b, bind->name);
    if (other && (!bind->indexed || slot_given(b, bind->name, bind->offset)))
        return elab_error(b->e, bind->span, "name", "give the second another name",
                          "%s is declared twice in this scan", bind->name);
    Slot *s = slot_new(b, bind->name, bind->span);
    if (s) {
        s->given = bind->indexed;
        s->shift = bind->offset;
    }
    return s;
}

/* The tensor v is what the slot runs over. */
static bool set_sequence(ScanBody *b, Slot *s, Value *v)
{
    Elab *e = b->e;
    Node *n = value_to_node(e, v, s->span, "`over`");
    if (!n)
        return false;
    if (n->type->kind != TYPE_TENSOR || n->type->rank < 1)
        return elab_error(e, s->span, "rank", "`for` gives a number of steps",
                          "`over` runs along axis 0, but %s is %s", s->name,
                          shape_text(e->st, n->type)),
               false;
    s->sequence = true;
    s->source = n;
    if (n->op != OP_CONST) /* for messages; the first name stays */
        node_set_name(e->st, n, s->name);
    s->whole = v;
    return true;
}

/* The parts of a tuple run in lockstep. */
static bool set_sequences(ScanBody *b, int slot, Value *v)
{
    ValueVec leaves = {0};
    bool ok = tuple_parts(b, slot, v, false, b->slots.at[slot].span) &&
              tuple_leaves(b->e, v, b->slots.at[slot].span, "a sequence", &leaves);
    b->slots.at[slot].whole = v;
    for (size_t i = 0; i < leaves.len && ok; i++)
        ok = set_sequence(b, &b->slots.at[b->slots.at[slot].first + (int)i], leaves.at[i]);
    vec_free(&leaves);
    return ok;
}

static bool declare_sequences(ScanBody *b)
{
    Elab *e = b->e;
    for (int i = 0; i < b->x->nover; i++) {
        Bind *bind = &b->x->over[i];
        Expr name = {.kind = E_NAME, .text = bind->name, .span = bind->span};
        Value *v = value_plain(e, elab_expr(e, bind->init ? bind->init : &name));
        Slot *s = v ? sequence_new(b, bind) : NULL;
        bool tuple = s && v->kind == V_TUPLE && !s->given;
        if (!s || !(tuple ? set_sequences(b, (int)(s - b->slots.at), v) : set_sequence(b, s, v)))
            return false;
    }
    return true;
}

/* A sequence, or a tuple of them. */
static bool is_sequence(const ScanBody *b, const Slot *s)
{
    return s->sequence || (s->form && b->slots.at[s->first].sequence);
}

static bool declare_states(ScanBody *b)
{
    Elab *e = b->e;
    for (int i = 0; i < b->x->nfrom; i++) {
        Bind *bind = &b->x->from[i];
        if (!bind->init)
            return elab_error(e, bind->span, "scan", "write `from s = value`",
                              "the state %s needs an initial value", bind->name),
                   false;
        Value *v = value_plain(e, elab_expr(e, bind->init));
        Slot *s = v ? slot_new(b, bind->name, bind->span) : NULL;
        if (s && v->kind == V_TUPLE) {
            if (!tuple_parts(b, (int)(s - b->slots.at), v, true, bind->init->span))
                return false;
            continue;
        }
        Node *n = s ? value_to_node(e, v, bind->init->span, "an initial value") : NULL;
        if (!n)
            return false;
        s->state = true;
        s->source = n;
        s->adapts = s->weak = v->weak;
    }
    return true;
}

static bool declare_outputs(ScanBody *b)
{
    for (int i = 0; i < b->x->nitems; i++)
        for (int k = 0; k < b->x->items[i].ntargets; k++) {
            Target *t = &b->x->items[i].targets[k];
            Slot *s = slot_find(b, t->name);
            if (!t->indexed)
                continue;
            if (s && is_sequence(b, s))
                return elab_error(b->e, t->span, "scan", "name the equation differently",
                                  "%s is a sequence of this scan and cannot be written", t->name),
                       false;
            if (!s && !(s = slot_new(b, t->name, t->span)))
                return false;
            s->shift = t->offset;
        }
    return true;
}

static bool walk_items(ScanBody *b)
{
    for (int i = 0; i < b->x->nitems; i++)
        if (!tap_walk_item(b, &b->x->items[i]))
            return false;
    share_taps(b);
    return true;
}

/* ---- holes ---- */

static bool sequence_holes(ScanBody *b, Slot *s)
{
    Store *st = b->e->st;
    Type *t = s->source->type;
    Type *element = type_tensor(st, t->dtype, t->rank - 1, t->dims + 1);
    s->holes = arena_alloc(b->e->arena, (s->offsets.len + 1) * sizeof *s->holes);
    for (size_t i = 0; i < s->offsets.len; i++) {
        s->holes[i] =
            node_hole(st, element, name_at(st, s->name, b->index, s->shift + s->offsets.at[i]));
        view_note(b->e, s->holes[i], s->source, 0, b->t_hole, s->offsets.at[i]);
    }
    return true;
}

static bool make_holes(ScanBody *b)
{
    b->t_hole = node_hole(b->e->st, type_scalar(b->e->st, DT_I64), b->index);
    bool ok = b->t_hole != NULL;
    for (size_t i = 0; i < b->slots.len && ok; i++) {
        Slot *s = &b->slots.at[i];
        s->now = NULL;
        s->defined = false;
        ok = s->sequence ? sequence_holes(b, s) : s->state ? state_holes(b, s) : true;
    }
    return ok;
}

/* ---- the body ---- */

static Value *too_early(ScanBody *b, const Slot *s, Span span)
{
    char hint[160];
    snprintf(hint, sizeof hint,
             s->state ? "write its equation before, or %s[%s%c1] for the value of the step before"
                      : "write its equation before",
             s->name, b->index, b->reverse ? '+' : '-');
    return elab_error(b->e, span, "tap", hint, "%s[%s] is read before its equation", s->name,
                      b->index);
}

static Value *state_tap(Elab *e, ScanBody *b, Slot *s, i64 offset, Span span);

static Value *tuple_tap(Elab *e, ScanBody *b, const Slot *s, i64 offset, Span span)
{
    Value **parts = arena_alloc(e->arena, ((size_t)s->parts + 1) * sizeof *parts);
    for (int i = 0; i < s->parts; i++)
        if (!(parts[i] = state_tap(e, b, &b->slots.at[s->first + i], offset, span)))
            return NULL;
    return tuple_of_parts(b, s, parts);
}

static Value *state_tap(Elab *e, ScanBody *b, Slot *s, i64 offset, Span span)
{
    if (s->form && (offset ? b->slots.at[s->first].state : s->defined))
        return tuple_tap(e, b, s, offset, span);
    if (offset == 0)
        return !s->now                  ? too_early(b, s, span)
               : s->weak && s->now_weak ? value_weak(e, s->now)
                                        : value_node(e, s->now);
    if (!s->state)
        return elab_error(e, span, "tap", "give it an initial value with `from`",
                          "%s is an output of this scan, so its earlier values are not kept",
                          s->name);
    i64 k = b->reverse ? offset : -offset;
    return s->weak ? value_weak(e, s->holes[k - 1]) : value_node(e, s->holes[k - 1]);
}

static Value *sequence_tap(Elab *e, const ScanBody *b, const Slot *s, i64 offset)
{
    Value **parts = arena_alloc(e->arena, ((size_t)s->parts + 1) * sizeof *parts);
    for (int i = 0; i < s->parts; i++)
        parts[i] = sequence_tap(e, b, &b->slots.at[s->first + i], offset);
    if (s->form)
        return tuple_of_parts(b, s, parts);
    for (size_t i = 0; i < s->offsets.len; i++)
        if (s->offsets.at[i] == offset)
            return s->whole->weak ? value_weak(e, s->holes[i]) : value_node(e, s->holes[i]);
    return NULL;
}

static bool listed(const ScanBody *b, Symbol name)
{
    for (int i = 0; i < b->x->nusing; i++)
        if (!strcmp(b->x->using_names[i].name, name))
            return true;
    return !b->x->has_using;
}

/* The rows of such a sequence are those that were given names. */
static Value *not_given(ScanBody *b, const Slot *s, Span span)
{
    Text hint = {0};
    for (size_t i = 0; i < b->slots.len; i++) {
        const Slot *other = &b->slots.at[i];
        if (other->given && !strcmp(other->name, s->name))
            text_printf(&hint, other->shift ? "%s%s[%s%+d]" : "%s%s[%s]",
                        hint.len ? ", " : "write ", s->name, b->index, (int)other->shift);
    }
    elab_error(b->e, span, "tap", text_str(&hint),
               "inside the scan, %s is read by the names of its rows", s->name);
    text_free(&hint);
    return NULL;
}

static Value *not_a_tap(ScanBody *b, const Slot *s, Span span)
{
    char way = b->reverse ? '+' : '-', hint[200];
    if (s->given)
        return not_given(b, s, span);
    if (s->now) { /* its equation is done, as all are in `until` */
        snprintf(hint, sizeof hint,
                 "write %s[%s] for its value at this step, %s[%s%c1] for that of the step before",
                 s->name, b->index, s->name, b->index, way);
        return elab_error(b->e, span, "tap", hint,
                          "inside the scan, %s must be indexed: %s[%s], %s[%s%c1], ...", s->name,
                          s->name, b->index, s->name, b->index, way);
    }
    snprintf(hint, sizeof hint,
             "the offset of a tap is a number: write %s[%s%c1] for the value of the step before",
             s->name, b->index, way);
    return elab_error(b->e, span, "tap", hint,
                      "inside the scan, %s must be indexed: %s[%s%c1], %s[%s%c2], ...", s->name,
                      s->name, b->index, way, s->name, b->index, way);
}

Value *elab_whole(Elab *e, Value *tapped, Span span)
{
    ScanBody *b = tapped->scan;
    Slot *s = &b->slots.at[tapped->slot];
    if (!is_sequence(b, s) || s->given)
        return not_a_tap(b, s, span);
    if (!listed(b, s->name))
        return elab_error(
            e, span, "capture", "add it to `using`, or drop `using` to allow every capture",
            "the scan's body captures the whole of %s, which its `using` does not list", s->name);
    if (!env_may_capture(e, b->open.env, s->name, span))
        return NULL;
    NodeVec whole = {0};
    value_nodes(e, s->whole, &whole);
    for (size_t i = 0; i < whole.len; i++)
        env_mention(e, b->open.env->parent, whole.at[i]);
    vec_free(&whole);
    return s->whole;
}

Value *elab_tap(Elab *e, Value *tapped, Expr *x)
{
    ScanBody *b = tapped->scan;
    Slot *s = &b->slots.at[tapped->slot];
    i64 offset;
    if (!x->nsubs || x->subs[0].kind != SUB_INDEX || x->subs[0].name ||
        !tap_offset(x->subs[0].index, b->index, &offset)) {
        if (is_sequence(b, s) && !s->given) {
            Value *whole = elab_whole(e, tapped, x->span);
            return whole ? elab_part(e, whole, x->subs, x->nsubs, x->span) : NULL;
        }
        return not_a_tap(b, s, x->span);
    }
    if (s->given && !(s = slot_given(b, s->name, offset)))
        return elab_error(e, x->span, "tap", "give these rows their own sequence with `over`",
                          "the scan has no rows that are called %s",
                          name_at(e->st, b->slots.at[tapped->slot].name, b->index, offset));
    offset -= s->shift;
    Value *v =
        is_sequence(b, s) ? sequence_tap(e, b, s, offset) : state_tap(e, b, s, offset, x->span);
    if (!v || !env_may_capture(e, b->open.env, s->name, x->span))
        return NULL;
    NodeVec nodes = {0};
    value_nodes(e, v, &nodes);
    for (size_t i = 0; i < nodes.len; i++)
        env_mention(e, b->open.env, nodes.at[i]);
    vec_free(&nodes);
    return x->nsubs > 1 ? elab_part(e, v, x->subs + 1, x->nsubs - 1, x->span) : v;
}

static bool bind_slot(ScanBody *b, Slot *s, Span span, Value *v)
{
    Elab *e = b->e;
    Node *n = value_to_node(e, v, span, "an equation");
    if (!n)
        return false;
    if (s->state && v->weak)
        n = value_as(e, v, s->holes[0]->type->dtype, span, "an equation");
    s->now = n;
    s->now_weak = v->weak;
    s->defined = true;
    s->defined_at = span;
    if (n && n->op != OP_CONST)
        node_set_name(e->st, n, name_at(e->st, s->name, b->index, s->shift));
    vec_push(&b->equations, (int)(s - b->slots.at));
    return n != NULL;
}

/* The parts of a tuple each take their tensor. */
static bool bind_tuple(ScanBody *b, int slot, Span span, Value *v)
{
    ValueVec leaves = {0};
    Text what = {0};
    text_printf(&what, "the state %s starts as %%s but its equation gives %%s",
                b->slots.at[slot].name);
    bool ok = (b->slots.at[slot].form || tuple_parts(b, slot, v, false, span)) &&
              tuple_check(b->e, b->slots.at[slot].form, v, span,
                          "a state keeps its form: give a tuple like the first", text_str(&what)) &&
              tuple_leaves(b->e, v, span, "an equation", &leaves);
    text_free(&what);
    b->slots.at[slot].defined = ok;
    for (size_t i = 0; i < leaves.len && ok; i++)
        ok = bind_slot(b, &b->slots.at[b->slots.at[slot].first + (int)i], span, leaves.at[i]);
    vec_free(&leaves);
    return ok;
}

static bool bind_target(ScanBody *b, const Target *t, Value *v)
{
    Elab *e = b->e;
    if (!t->indexed) {
        if (slot_find(b, t->name))
            return elab_error(e, t->span, "scan", NULL,
                              "write %s[%s] = ... for its value at this step", t->name, b->index),
                   false;
        if (strcmp(t->name, "_")) {
            if (v->kind == V_NODE && v->node->op != OP_CONST)
                node_set_name(e->st, v->node, symbol(e->st, t->name));
            env_set(e, e->env, symbol(e->st, t->name), v);
        }
        return true;
    }
    Slot *s = slot_find(b, t->name);
    if (s->defined)
        return elab_error(e, t->span, "scan", "give one of them another name",
                          "%s[%s] has two equations", t->name, b->index),
               false;
    v = value_plain(e, v);
    if (!v)
        return false;
    int slot = (int)(s - b->slots.at), first = (int)b->equations.len;
    bool ok = s->form || (v->kind == V_TUPLE && !s->state) ? bind_tuple(b, slot, t->span, v)
                                                           : bind_slot(b, s, t->span, v);
    vec_push(&b->equated, ((Equated){slot, first, (int)b->equations.len - first}));
    return ok;
}

static bool elab_until(ScanBody *b, ScanItem *it, bool last)
{
    Elab *e = b->e;
    if (!last)
        return elab_error(e, it->span, "scan", NULL, "`until` comes last in the body of a scan"),
               false;
    if (b->reverse)
        return elab_error(e, it->span, "scan", "run forward over flip(xs) instead",
                          "`until` is not possible in a scan that runs backwards"),
               false;
    b->stop = elab_node(e, it->value, "`until`");
    if (!b->stop)
        return false;
    if (b->stop->type != type_scalar(e->st, DT_BOOL))
        return elab_error(
                   e, it->value->span, "type-mismatch", "compare, or use any(...) or all(...)",
                   "`until` takes one bool, but this is %s", shape_text(e->st, b->stop->type)),
               false;
    return true;
}

/* A function of the body, which may read its states. */
static bool elab_local(ScanBody *b, const Stmt *f)
{
    if (slot_find(b, f->names[0].name))
        return elab_error(b->e, f->names[0].span, "name", "give the function another name",
                          "%s is a state, sequence or output of this scan", f->names[0].name),
               false;
    return elab_define(b->e, f);
}

static bool elab_item(ScanBody *b, ScanItem *it, bool last)
{
    Elab *e = b->e;
    if (it->until)
        return elab_until(b, it, last);
    if (it->check)
        return elab_guard(e, it->value, &b->guards);
    if (it->function)
        return elab_local(b, it->function);
    Value *v = elab_expr(e, it->value);
    if (!v)
        return false;
    if (it->ntargets == 1)
        return bind_target(b, &it->targets[0], v);
    v = value_plain(e, v);
    if (!v || v->kind != V_TUPLE || v->nitems != it->ntargets)
        return elab_error(e, it->span, "arity", NULL,
                          "%d names on the left but the right side is %s", it->ntargets,
                          v ? value_describe(e, v) : "nothing"),
               false;
    for (int i = 0; i < it->ntargets; i++)
        if (!bind_target(b, &it->targets[i], v->items[i]))
            return false;
    return true;
}

static bool needs_equation(const ScanBody *b, const Slot *s)
{
    bool state = s->form ? b->slots.at[s->first].state : s->state && !s->part;
    return state && !s->defined;
}

static bool no_equation(ScanBody *b, const Slot *s)
{
    char hint[160];
    snprintf(hint, sizeof hint, "write %s[%s] = ... in the body, or take %s out of `from`", s->name,
             b->index, s->name);
    return elab_error(b->e, s->span, "scan", hint, "the state %s has no equation %s[%s] = ...",
                      s->name, s->name, b->index),
           false;
}

/* Each equation of the step waits for its checks; without one, `until` does. */
static bool guard_equations(ScanBody *b)
{
    Elab *e = b->e;
    bool ok = true;
    for (size_t i = 0; i < b->equations.len && ok && b->guards.len; i++) {
        Slot *s = &b->slots.at[b->equations.at[i]];
        s->now = guarded(e, s->now, &b->guards);
        ok = s->now != NULL;
        if (ok)
            node_set_name(e->st, s->now, name_at(e->st, s->name, b->index, s->shift));
    }
    if (ok && !b->equations.len && b->stop)
        b->stop = guarded(e, b->stop, &b->guards);
    return ok && (b->stop || b->equations.len || !b->guards.len);
}

static bool elab_body(ScanBody *b)
{
    Elab *e = b->e;
    b->equations.len = b->equated.len = b->guards.len = 0;
    b->stop = NULL;
    b->open = (OpenScope){.strict = b->x->has_using,
                          .nusing = b->x->nusing,
                          .using_names = b->x->using_names,
                          .span = b->span};
    if (!make_holes(b))
        return false;
    Env *saved = e->env;
    scope_enter(e, &b->open, saved);
    if (!b->x->loop)                                            /* a loop counts by its states */
        env_set(e, e->env, b->index, value_weak(e, b->t_hole)); /* it counts */
    for (size_t i = 0; i < b->slots.len; i++) {
        Value *v = value_of_kind(e, V_TAPPED);
        v->scan = b;
        v->slot = (int)i;
        env_set(e, e->env, b->slots.at[i].name, v);
    }
    bool ok = true;
    for (int i = 0; i < b->x->nitems && ok; i++)
        ok = elab_item(b, &b->x->items[i], i == b->x->nitems - 1);
    scope_leave(e, &b->open, saved);
    for (size_t i = 0; i < b->slots.len && ok; i++)
        if (needs_equation(b, &b->slots.at[i]))
            ok = no_equation(b, &b->slots.at[i]);
    if (ok && !b->equations.len && !b->stop && !b->x->has_keep)
        ok =
            elab_error(e, b->span, "scan", NULL,
                       "the body of a scan needs at least one equation like y[%s] = ...", b->index);
    return ok && guard_equations(b);
}

static bool has_until(const ScanExpr *x)
{
    for (int i = 0; i < x->nitems; i++)
        if (x->items[i].until)
            return true;
    return false;
}

static bool scan_bodies(ScanBody *b)
{
    for (bool again = true; again;) { /* a dtype only becomes known, then larger */
        if (!elab_body(b))
            return false;
        again = adopt_dtypes(b);
        if (again)
            outside_end(&b->open.outside);
    }
    for (size_t i = 0; i < b->slots.len; i++)
        if (b->slots.at[i].state && !state_fits(b, &b->slots.at[i]))
            return false;
    return true;
}

static bool find_checkpoint(ScanBody *b)
{
    b->checkpoint = b->x->checkpoint_auto ? CHECKPOINT_AUTO : CHECKPOINT_NONE;
    if (!b->x->checkpoint)
        return true;
    Value *v = elab_expr(b->e, b->x->checkpoint);
    if (!v || !value_const_int(b->e, v, &b->checkpoint, b->x->checkpoint->span, "checkpoint"))
        return false;
    if (b->checkpoint < 1)
        return elab_error(b->e, b->x->checkpoint->span, "scan", "`checkpoint auto` chooses k",
                          "checkpoint keeps every k-th state, k >= 1"),
               false;
    return true;
}

/* A loop: its rows, and whether it begins. */
static bool find_rows(ScanBody *b)
{
    const ScanExpr *x = b->x;
    if (!x->count || !x->go || !has_until(x) || x->nover || b->reverse)
        return elab_error(
                   b->e, b->span, "scan", "use scan: it is lowered to such a loop",
                   "a loop is `loop t for rows if go from s = s0 { s[t] = ...; while more }`"),
               false;
    b->n = elab_node(b->e, x->count, "the number of rows");
    b->go = b->n ? elab_node(b->e, x->go, "the condition of a loop") : NULL;
    return b->go != NULL;
}

Value *elab_scan(Elab *e, Expr *x)
{
    ScanBody b = {.e = e, .x = x->scan, .span = x->span, .index = symbol(e->st, x->scan->index)};
    Value *v = NULL;
    if (check_scan_names(&b) && declare_sequences(&b) && declare_states(&b) &&
        declare_outputs(&b) && walk_items(&b) && find_direction(&b) && find_checkpoint(&b) &&
        (x->scan->loop ? find_rows(&b) : find_steps(&b, has_until(x->scan))) && scan_bodies(&b))
        note_first_row(&b), v = close_scan(&b);
    outside_end(&b.open.outside);
    for (size_t i = 0; i < b.slots.len; i++)
        vec_free(&b.slots.at[i].offsets);
    vec_free(&b.slots);
    vec_free(&b.guards);
    vec_free(&b.equations);
    vec_free(&b.equated);
    return v;
}
