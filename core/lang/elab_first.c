/* A row that is counted twice: an initial value stands before the first step, so a state that
 * starts from emit[0] and then reads emit[t] at t = 0 has seen that row two times.
 *
 * Invariant: only notes are added, once for each scan that is written; a state that its first step
 * leaves as it was, as a largest value or a running mean, is none of them. */
#include "lang/elab_scan.h"

#include "graph/walk.h"

/* The number of the row that index node n takes of the sequence; false: it does not, or it is not
 * known. */
static bool takes_row(const Node *n, const Slot *s, i64 *row)
{
    return n->op == OP_INDEX && n->ops[0] == s->source && n->attrs[0].i == 0 &&
           node_const_i64(n->ops[1], row);
}

/* The node in the initial value that is the row which the first step reads as s[t]; NULL: none. */
static Node *first_row(const ScanBody *b, const Slot *state, const Slot *s)
{
    NodeVec order = {0};
    Node *found = NULL;
    i64 row, first = b->reverse ? -1 : 0;
    nodes_topo(1, &state->source, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        if (takes_row(order.at[i], s, &row) && row == first)
            found = order.at[i];
    vec_free(&order);
    return found;
}

/* s[t] where it is read from the first row of the sequence on, by all taps; NULL: it is not. */
static Node *tap_of_first(const ScanBody *b, const Slot *s)
{
    for (size_t i = 0; i < b->slots.len; i++) {
        const Slot *other = &b->slots.at[i];
        if (other->sequence && (b->reverse ? slot_max(other) : slot_min(other)) != 0)
            return NULL;
    }
    for (size_t i = 0; i < s->offsets.len; i++)
        if (s->offsets.at[i] == 0)
            return s->holes[i];
    return NULL;
}

/* ---- does the first step leave the state as it was? ---- */

enum { DEEP = 100 };

/* Numbers for what is not simple arithmetic; the same for the same node. */
typedef struct {
    NodeMap same;             /* node -> what it is at the first step */
    MAP(Node *, size_t) seen; /* node -> place among numbers + 1 */
    VEC(double) numbers;
} Probe;

static double number_for(Probe *p, const Node *n)
{
    size_t at = map_get(&p->seen, n);
    if (!at) {
        double x = 0.7548776662 * (double)(p->numbers.len + 1);
        vec_push(&p->numbers, 0.25 + x - (double)(i64)x);
        map_put(&p->seen, n, p->numbers.len);
        at = p->numbers.len;
    }
    return p->numbers.at[at - 1];
}

static double joined(OpId op, double a, double b)
{
    switch (op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_MAXIMUM: return a > b ? a : b;
    default: return a < b ? a : b; /* OP_MINIMUM */
    }
}

static double value_of(Probe *p, const Node *n, int depth)
{
    const Node *same = map_get(&p->same, n);
    if (same)
        return value_of(p, same, depth + 1);
    const Tensor *t = n->op == OP_CONST ? n->attrs[0].value : NULL;
    if (t && t->count == 1 && dtype_is_number(t->dtype))
        return tensor_f64_at(t, 0);
    if (depth > DEEP)
        return number_for(p, n);
    switch (n->op) {
    case OP_NEG: return -value_of(p, n->ops[0], depth + 1);
    case OP_CAST:
    case OP_BROADCAST:
    case OP_MATCH_SHAPE: return value_of(p, n->ops[0], depth + 1);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV:
    case OP_MAXIMUM:
    case OP_MINIMUM: {
        double x = value_of(p, n->ops[0], depth + 1);
        for (u32 i = 1; i < n->nops; i++)
            x = joined(n->op, x, value_of(p, n->ops[i], depth + 1));
        return x;
    }
    default: return number_for(p, n);
    }
}

static bool stays(const ScanBody *b, const Slot *state, const Node *tap, Node *row)
{
    Probe p = {0};
    map_put(&p.same, tap, row);
    for (size_t i = 0; i < b->slots.len; i++)
        if (b->slots.at[i].state && b->slots.at[i].reach == 1)
            map_put(&p.same, b->slots.at[i].holes[0], b->slots.at[i].source);
    double was = value_of(&p, state->source, 0), now = value_of(&p, state->now, 0);
    double by = was < now ? now - was : was - now;
    map_free(&p.same);
    map_free(&p.seen);
    vec_free(&p.numbers);
    return state->reach == 1 && by <= 1e-9 * (1 + (was < 0 ? -was : was));
}

/* ---- the note ---- */

static bool told_before(const ScanBody *b, Span span)
{
    const Diags *ds = b->e->st->diags;
    for (size_t i = 0; i < ds->list.len; i++)
        if (ds->list.at[i].span.src == span.src && ds->list.at[i].span.start == span.start &&
            !strcmp(ds->list.at[i].code, "first-row"))
            return true;
    return false;
}

static void tell(ScanBody *b, const Slot *state, const Slot *s)
{
    char way = b->reverse ? '+' : '-', hint[300];
    const char *last = b->reverse ? "-1" : "0";
    snprintf(hint, sizeof hint,
             "to count it once, run over the %s rows: over %.60s = %.60s[%s%d%s]",
             b->reverse ? "earlier" : "later", s->name, s->name, b->reverse ? ":-" : "",
             state->reach, b->reverse ? "" : ":");
    int whole = (int)strcspn(state->name, "."); /* p.W of the step before is p[t-1].W */
    Diag *d = diag_note(b->e->st->diags, "first-row", state->span,
                        "%s starts from %s[%s] and its first step reads that row again: an initial "
                        "value is %.*s[%s%c1]%s of the first step, before any row",
                        state->name, s->name, last, whole, state->name, b->index, way,
                        state->name + whole);
    if (d)
        d->hint = xstrdup(hint);
}

void note_first_row(ScanBody *b)
{
    for (size_t i = 0; i < b->slots.len && !b->e->unplaced && !b->unbounded; i++) {
        const Slot *state = &b->slots.at[i];
        for (size_t k = 0; k < b->slots.len && state->state; k++) {
            const Slot *s = &b->slots.at[k];
            Node *tap = s->sequence && !s->given ? tap_of_first(b, s) : NULL;
            Node *row = tap && node_reads(state->now, tap) ? first_row(b, state, s) : NULL;
            if (!row || stays(b, state, tap, row) || told_before(b, state->span))
                continue;
            tell(b, state, s);
            break;
        }
    }
}
