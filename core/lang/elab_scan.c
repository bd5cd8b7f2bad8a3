/* scan: recurrences written as recurrences -> a Scan node.
 *
 * Taps are read off the indices in the body (`tap_walk`) before it is elaborated. A tap
 * of a sequence becomes a sequence of its own, sliced so that row j belongs to
 * t = t0 + j. A state with taps down to t-K becomes a shift register of K states. The
 * body is elaborated over holes; then it is closed and the node built. */
#include "lang/elab_scan.h"
#include "ops/control.h"

/* ---- clauses ---- */

static Slot *slot_new(ScanBody *b, const char *name, Span span)
{
    if (!strcmp(name, "final") || !strcmp(name, "last") || !strcmp(name, "steps") ||
        !strcmp(name, "stopped"))
        return elab_error(b->e, span, "name", "choose another name",
                          "`%s` is a field of every scan", name);
    if (slot_find(b, name))
        return elab_error(b->e, span, "name", "give the second another name",
                          "%s is declared twice in this scan", name);
    vec_push(&b->slots, ((Slot){.name = symbol(b->e->st, name), .span = span}));
    return &b->slots.at[b->slots.len - 1];
}

static bool declare_sequences(ScanBody *b)
{
    Elab *e = b->e;
    for (int i = 0; i < b->x->nover; i++) {
        Bind *bind = &b->x->over[i];
        Expr name = {.kind = E_NAME, .text = bind->name, .span = bind->span};
        Value *v = value_plain(e, elab_expr(e, bind->init ? bind->init : &name));
        Node *n = v ? value_to_node(e, v, bind->span, "`over`") : NULL;
        if (!n)
            return false;
        if (n->type->kind != TYPE_TENSOR || n->type->rank < 1)
            return elab_error(e, bind->span, "rank", "`for` gives a number of steps",
                              "`over` runs along axis 0, but %s is %s", bind->name,
                              shape_text(e->st, n->type)),
                   false;
        Slot *s = slot_new(b, bind->name, bind->span);
        if (!s)
            return false;
        s->sequence = true;
        s->source = n;
        s->whole = v;
    }
    return true;
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
        Node *n = v ? value_to_node(e, v, bind->init->span, "an initial value") : NULL;
        if (!n)
            return false;
        Slot *s = slot_new(b, bind->name, bind->span);
        if (!s)
            return false;
        s->state = true;
        s->source = n;
        s->weak_init = v->weak;
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
            if (s && s->sequence)
                return elab_error(b->e, t->span, "scan", "name the equation differently",
                                  "%s is a sequence of this scan and cannot be written", t->name),
                       false;
            if (!s && !slot_new(b, t->name, t->span))
                return false;
        }
    return true;
}

static bool walk_items(ScanBody *b)
{
    for (int i = 0; i < b->x->nitems; i++)
        if (!tap_walk(b, b->x->items[i].value))
            return false;
    return true;
}

/* ---- holes ---- */

Symbol tap_name(Store *st, Symbol name, Symbol index, i64 offset)
{
    char buf[160];
    if (offset)
        snprintf(buf, sizeof buf, "%.100s[%.30s%+lld]", name, index, (long long)offset);
    else
        snprintf(buf, sizeof buf, "%.100s[%.30s]", name, index);
    return symbol(st, buf);
}

/* The rows that tap `offset` of a sequence sees: source[t0 + offset :][: n]. A loop reads the first
 * n rows of what it is given and checks that they are there, so only a later start needs a slice.
 */
static Node *sequence_rows(ScanBody *b, Slot *s, i64 offset)
{
    Store *st = b->e->st;
    Size *start = size_add(st, size_of_node(st, b->t0), size_const(st, offset));
    Size *rows = size_max(st, size_sub(st, s->source->type->dims[0], start), size_const(st, 0));
    Size *n = size_of_node(st, b->n);
    i64 lack;
    if (!b->unbounded && size_lower_bound(size_sub(st, n, rows), &lack) && lack > 0) {
        Text steps = {0}, have = {0};
        size_print(&steps, n);
        size_print(&have, rows);
        elab_error(b->e, b->x->count ? b->x->count->span : b->span, "shape-mismatch",
                   "without `for` the shortest sequence decides",
                   "the scan is to take %s steps but %s has rows for %s", text_str(&steps), s->name,
                   text_str(&have));
        text_free(&steps);
        text_free(&have);
        return NULL;
    }
    if (b->unbounded || size_is(start, 0))
        return s->source;
    return build_slice(st, s->source, 0, size_to_node(st, start), b->n, 1);
}

static bool sequence_holes(ScanBody *b, Slot *s)
{
    Store *st = b->e->st;
    Type *t = s->source->type;
    Type *element = type_tensor(st, t->dtype, t->rank - 1, t->dims + 1);
    s->holes = arena_alloc(b->e->arena, ((size_t)s->noffsets + 1) * sizeof *s->holes);
    for (int i = 0; i < s->noffsets; i++)
        s->holes[i] = node_hole(st, element, tap_name(st, s->name, b->index, s->offsets[i]));
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

static const Env *scan_home(Elab *e, const ScanBody *b)
{
    for (const Env *env = e->env; env; env = env->parent)
        if (env->open == &b->open)
            return env;
    return NULL;
}

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

static Value *state_tap(Elab *e, ScanBody *b, Slot *s, i64 offset, Span span)
{
    if (offset == 0)
        return s->now ? value_node(e, s->now) : too_early(b, s, span);
    if (!s->state)
        return elab_error(e, span, "tap", "give it an initial value with `from`",
                          "%s is an output of this scan, its earlier values are not kept", s->name);
    i64 k = b->reverse ? offset : -offset;
    return value_node(e, s->holes[k - 1]);
}

static Value *sequence_tap(Elab *e, Slot *s, i64 offset)
{
    for (int i = 0; i < s->noffsets; i++)
        if (s->offsets[i] == offset)
            return value_node(e, s->holes[i]);
    return NULL;
}

static bool listed(const ScanBody *b, Symbol name)
{
    for (int i = 0; i < b->x->nusing; i++)
        if (!strcmp(b->x->using_names[i].name, name))
            return true;
    return !b->x->has_using;
}

static Value *not_a_tap(ScanBody *b, const Slot *s, Span span)
{
    char way = b->reverse ? '+' : '-', hint[160];
    snprintf(hint, sizeof hint,
             "the offset of a tap is a number: write %s[%s%c1] for the value of the step before",
             s->name, b->index, way);
    return elab_error(b->e, span, "tap", hint,
                      "inside the scan %s is read as %s[%s%c1], %s[%s%c2], ...", s->name, s->name,
                      b->index, way, s->name, b->index, way);
}

Symbol elab_element(Elab *e, const Node *sequence)
{
    for (const Env *env = e->env; env; env = env->parent)
        for (int i = 0; i < env->len; i++) {
            const Value *v = env->at[i].value;
            if (!v || v->kind != V_TAPPED)
                continue;
            const Slot *s = &v->scan->slots.at[v->slot];
            if (s->sequence && s->source == sequence)
                return tap_name(e->st, s->name, v->scan->index, 0);
        }
    return NULL;
}

Value *elab_whole(Elab *e, Value *tapped, Span span)
{
    ScanBody *b = tapped->scan;
    Slot *s = &b->slots.at[tapped->slot];
    if (!s->sequence)
        return not_a_tap(b, s, span);
    if (!listed(b, s->name))
        return elab_error(
            e, span, "capture", "add it to `using`, or drop `using` to allow every capture",
            "the scan's body captures the whole of %s, which its `using` does not list", s->name);
    Node *whole = value_to_node(e, s->whole, span, "a sequence");
    if (whole)
        env_mention(e, scan_home(e, b)->parent, whole);
    return value_node(e, whole);
}

Value *elab_tap(Elab *e, Value *tapped, Expr *x)
{
    ScanBody *b = tapped->scan;
    Slot *s = &b->slots.at[tapped->slot];
    i64 offset;
    if (!x->nsubs || x->subs[0].kind != SUB_INDEX ||
        !tap_offset(x->subs[0].index, b->index, &offset)) {
        if (s->sequence) {
            Value *whole = elab_whole(e, tapped, x->span);
            return whole ? elab_subscript(e, whole->node, x->subs, x->nsubs, x->span) : NULL;
        }
        return not_a_tap(b, s, x->span);
    }
    Value *v = s->sequence ? sequence_tap(e, s, offset) : state_tap(e, b, s, offset, x->span);
    if (!v)
        return NULL;
    env_mention(e, scan_home(e, b), v->node);
    return x->nsubs > 1 ? elab_subscript(e, v->node, x->subs + 1, x->nsubs - 1, x->span) : v;
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
    Node *n = value_to_node(e, v, t->span, "an equation");
    if (!n)
        return false;
    v = value_plain(e, v);
    if (s->state && v->weak)
        n = value_as(e, v, s->holes[0]->type->dtype, t->span, "an equation");
    s->now = n;
    s->defined = true;
    s->defined_at = t->span;
    if (n && n->op != OP_CONST)
        node_set_name(e->st, n, tap_name(e->st, s->name, b->index, 0));
    b->equations[b->nequations++] = (int)(s - b->slots.at);
    return n != NULL;
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
        return elab_error(e, it->value->span, "type-mismatch",
                          "compare, or use any(...) or all(...)",
                          "`until` takes one bool, this is %s", shape_text(e->st, b->stop->type)),
               false;
    return true;
}

static bool elab_item(ScanBody *b, ScanItem *it, bool last)
{
    Elab *e = b->e;
    if (it->until)
        return elab_until(b, it, last);
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

static bool no_equation(ScanBody *b, const Slot *s)
{
    char hint[160];
    snprintf(hint, sizeof hint, "write %s[%s] = ... in the body, or take %s out of `from`", s->name,
             b->index, s->name);
    return elab_error(b->e, s->span, "scan", hint, "the state %s has no equation %s[%s] = ...",
                      s->name, s->name, b->index),
           false;
}

static bool elab_body(ScanBody *b)
{
    Elab *e = b->e;
    b->nequations = 0;
    b->stop = NULL;
    b->open = (OpenScope){.opened_at = e->st->clock,
                          .strict = b->x->has_using,
                          .nusing = b->x->nusing,
                          .using_names = b->x->using_names,
                          .span = b->span};
    if (!make_holes(b))
        return false;
    Env *saved = e->env;
    e->env = env_new(e, saved, &b->open);
    env_set(e, e->env, b->index, value_node(e, b->t_hole));
    for (size_t i = 0; i < b->slots.len; i++) {
        Value *v = value_of_kind(e, V_TAPPED);
        v->scan = b;
        v->slot = (int)i;
        env_set(e, e->env, b->slots.at[i].name, v);
    }
    bool ok = true;
    for (int i = 0; i < b->x->nitems && ok; i++)
        ok = elab_item(b, &b->x->items[i], i == b->x->nitems - 1);
    e->env = saved;
    for (size_t i = 0; i < b->slots.len && ok; i++)
        if (b->slots.at[i].state && !b->slots.at[i].defined)
            ok = no_equation(b, &b->slots.at[i]);
    if (ok && !b->nequations)
        ok =
            elab_error(e, b->span, "scan", NULL,
                       "the body of a scan needs at least one equation like y[%s] = ...", b->index);
    return ok;
}

/* ---- closing ---- */

typedef struct {
    NodeVec fixed, inits, seq_holes, seq_values, outs;
} Parts;

static void parts_free(Parts *p)
{
    vec_free(&p->fixed);
    vec_free(&p->inits);
    vec_free(&p->seq_holes);
    vec_free(&p->seq_values);
    vec_free(&p->outs);
}

/* Register k starts with row K-1-k of an init of K rows (backwards: row k). */
static void gather_states(ScanBody *b, Parts *p)
{
    Store *st = b->e->st;
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        for (int k = 0; s->state && k < s->reach; k++) {
            vec_push(&p->fixed, s->holes[k]);
            Node *row = node_i64(st, b->reverse ? k : s->reach - 1 - k);
            vec_push(&p->inits, s->reach > 1 ? build_index(st, s->source, 0, row) : s->source);
            vec_push(&p->outs, k ? s->holes[k - 1] : s->now);
        }
    }
    if (b->unbounded) { /* nothing to run over: the index counts itself */
        vec_push(&p->fixed, b->t_hole);
        vec_push(&p->inits, node_i64(st, 0));
        vec_push(&p->outs, build_add(st, b->t_hole, node_i64(st, 1)));
    }
}

static void gather_sequences(ScanBody *b, Parts *p)
{
    Store *st = b->e->st;
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        for (int k = 0; s->sequence && k < s->noffsets; k++) {
            vec_push(&p->seq_holes, s->holes[k]);
            vec_push(&p->seq_values, sequence_rows(b, s, s->offsets[k]));
        }
    }
    if (!b->unbounded) {
        Node *t = node1(st, OP_IOTA, NULL, b->n);
        i64 t0;
        if (node_const_i64(b->t0, &t0) && t0)
            t = build_add(st, t, b->t0);
        vec_push(&p->seq_holes, b->t_hole);
        vec_push(&p->seq_values, t);
    }
}

static bool all_there(const NodeVec *v)
{
    for (size_t i = 0; i < v->len; i++)
        if (!v->at[i])
            return false;
    return true;
}

static Value *scan_record(ScanBody *b, Node *scan)
{
    Elab *e = b->e;
    ScanShape s = scan_shape(scan);
    Record *r = arena_alloc(e->arena, sizeof *r);
    r->scan = scan;
    r->nequations = b->nequations;
    r->equations = arena_alloc(e->arena, (size_t)b->nequations * sizeof *r->equations);
    r->steps = s.steps;
    for (int i = 0; i < b->nequations; i++) {
        Slot *slot = &b->slots.at[b->equations[i]];
        Equation *eq = &r->equations[i];
        *eq = (Equation){.name = slot->name, .trace = s.nstates + i, .final = -1};
        if (!slot->state)
            continue;
        eq->final = 0;
        for (int k = 0; k < b->equations[i]; k++)
            eq->final += b->slots.at[k].state ? b->slots.at[k].reach : 0;
    }
    Value *v = value_of_kind(e, V_RECORD);
    v->record = r;
    return v;
}

static Value *close_scan(ScanBody *b)
{
    Elab *e = b->e;
    Parts p = {0};
    gather_states(b, &p);
    gather_sequences(b, &p);
    for (int i = 0; i < b->nequations; i++)
        vec_push(&p.outs, b->slots.at[b->equations[i]].now);
    if (b->stop)
        vec_push(&p.outs, b->stop);
    Closed c;
    Node *scan = NULL;
    e->st->span = b->span;
    if (all_there(&p.inits) && all_there(&p.seq_values) && all_there(&p.outs) &&
        elab_close(e, &b->open, (int)p.fixed.len, p.fixed.at, (int)p.seq_holes.len, p.seq_holes.at,
                   (int)p.outs.len, p.outs.at, &c)) {
        Node **seqs = arena_alloc(e->arena, ((size_t)c.nseqs + 1) * sizeof *seqs);
        for (int i = 0; i < c.nseqs; i++)
            seqs[i] = p.seq_values.at[c.seqs[i]];
        ScanShape s = {.body = c.graph,
                       .nstates = (int)p.fixed.len,
                       .nseqs = c.nseqs,
                       .ncaptures = c.ncaptures,
                       .reverse = b->reverse,
                       .stop = b->stop != NULL,
                       .checkpoint = b->checkpoint,
                       .n = b->n,
                       .inits = p.inits.at,
                       .seqs = seqs,
                       .captures = c.captures};
        scan = scan_node(e->st, &s);
    }
    parts_free(&p);
    return scan ? scan_record(b, scan) : NULL;
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
    for (int round = 0; round < 4;
         round++) { /* each round raises at least one weak init; dtypes are few */
        if (!elab_body(b))
            return false;
        if (!adopt_dtypes(b))
            break;
        map_free(&b->open.mentioned);
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

Value *elab_scan(Elab *e, Expr *x)
{
    ScanBody b = {.e = e, .x = x->scan, .span = x->span, .index = symbol(e->st, x->scan->index)};
    b.equations = arena_alloc(e->arena, ((size_t)x->scan->nitems * 8 + 64) * sizeof *b.equations);
    Value *v = NULL;
    if (check_scan_names(&b) && declare_sequences(&b) && declare_states(&b) &&
        declare_outputs(&b) && walk_items(&b) && find_direction(&b) && find_checkpoint(&b) &&
        find_steps(&b, has_until(x->scan)) && scan_bodies(&b))
        v = close_scan(&b);
    map_free(&b.open.mentioned);
    vec_free(&b.slots);
    return v;
}
