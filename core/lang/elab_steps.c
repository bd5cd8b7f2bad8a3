/* How many steps a scan takes, and at which t it starts. */
#include "lang/elab_scan.h"
#include "graph/control.h"

/* The steps for which every tap of every sequence exists: t in [t0, t0 + n). */
static Size *available_rows(ScanBody *b, Size *t0)
{
    Store *st = b->e->st;
    Size *end = NULL, *first = NULL;
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        if (!s->sequence)
            continue;
        Size *stop = size_sub(st, s->source->type->dims[0], size_const(st, slot_max(s)));
        if (b->x->zip_strict && first && first != s->source->type->dims[0] &&
            size_provably_different(st, first, s->source->type->dims[0]))
            return elab_error(b->e, s->span, "shape-mismatch",
                              "drop `zip strict` to stop at the shortest",
                              "the sequences of a strict scan have different lengths");
        first = first ? first : s->source->type->dims[0];
        end = end ? size_min(st, end, stop) : stop;
    }
    return end ? size_max(st, size_sub(st, end, t0), size_const(st, 0)) : NULL;
}

/* zip strict where equality cannot be proved: checked once at run time. */
static Node *strict_count(ScanBody *b, Node *n)
{
    Store *st = b->e->st;
    Node *first = NULL, *same = NULL;
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        if (!s->sequence)
            continue;
        Node *len = node_dim(st, s->source, 0);
        if (first && len != first) {
            Node *eq = node2(st, OP_EQ, NULL, first, len);
            same = same ? node2(st, OP_LOGICAL_AND, NULL, same, eq) : eq;
        }
        first = first ? first : len;
    }
    Symbol message = symbol(st, "the sequences of a strict scan have different lengths");
    return same ? node_check(st, message, same, n) : n;
}

/* "x[t-2] and x[t+1]", or "x[t-2]". */
static void put_reach(const ScanBody *b, const Slot *s, Text *out)
{
    Store *st = b->e->st;
    i64 back = slot_min(s), ahead = slot_max(s);
    if (back)
        text_put(out, name_at(st, s->name, b->index, back));
    if (ahead)
        text_printf(out, "%s%s", back ? " and " : "", name_at(st, s->name, b->index, ahead));
}

/* That more steps are asked for than a sequence has rows for: an error where it is certain, else a
 * check. `first`: the rows that the taps of all sequences leave out at the beginning. */
static Node *enough_rows(ScanBody *b, Slot *s, Node *n, i64 first)
{
    Store *st = b->e->st;
    i64 without = first + slot_max(s), lack;
    Size *rows = s->source->type->dims[0], *steps = size_of_node(st, n);
    Size *missing = size_sub(st, size_add(st, steps, size_const(st, without)), rows);
    Text reach = {0}, text = {0};
    put_reach(b, s, &reach);
    if (size_lower_bound(missing, &lack) && lack > 0) {
        Text have = {0};
        size_print(&text, steps);
        size_print(&have, rows);
        if (without) {
            text_printf(&have, " rows of %s, %lld of which ", s->name, (long long)without);
            text_printf(&have, reach.len ? "the taps %s leave out" : "the taps leave out%s",
                        text_str(&reach));
        } else {
            text_printf(&have, " rows of %s", s->name);
        }
        elab_error(b->e, b->x->count->span, "shape-mismatch",
                   "without `for` the shortest sequence decides", "%s steps over %s",
                   text_str(&text), text_str(&have));
        text_free(&have);
        n = NULL;
    } else if (without && !(size_lower_bound(size_scale(st, missing, -1), &lack) && lack >= 0)) {
        text_printf(&text, "{a} steps over {b+%lld} rows of %s, of which ", (long long)without,
                    s->name);
        text_printf(&text, reach.len ? "the taps %s leave {b}" : "the taps leave {b}%s",
                    text_str(&reach));
        Symbol message = symbol(st, text_str(&text));
        Node *left = build_sub(st, node_dim(st, s->source, 0), node_i64(st, without));
        n = left ? node_check(st, message, node2(st, OP_LE, NULL, n, left), n) : NULL;
    }
    text_free(&reach);
    text_free(&text);
    return n;
}

static bool check_count(ScanBody *b, i64 first)
{
    for (size_t i = 0; i < b->slots.len && b->n; i++)
        if (b->slots.at[i].sequence)
            b->n = enough_rows(b, &b->slots.at[i], b->n, first);
    return b->n != NULL;
}

bool find_steps(ScanBody *b, bool has_until)
{
    Elab *e = b->e;
    Store *st = e->st;
    i64 back = 0;
    for (size_t i = 0; i < b->slots.len; i++)
        if (b->slots.at[i].sequence && -slot_min(&b->slots.at[i]) > back)
            back = -slot_min(&b->slots.at[i]);
    Size *t0 = size_const(st, back), *rows = NULL;
    b->t0 = node_i64(st, back);
    if (b->x->nover && !(rows = available_rows(b, t0)))
        return false;
    if (b->x->count) {
        Node *n = elab_node(e, b->x->count, "the number of steps");
        if (!n)
            return false;
        if (!type_is_scalar(n->type) || !dtype_is_int(n->type->dtype))
            return elab_error(e, b->x->count->span, "type-mismatch",
                              "cast it: i64(...); or `over` a sequence, for one step per row",
                              "the number of steps must be one whole number, but this is %s",
                              shape_text(st, n->type)),
                   false;
        i64 k;
        if (size_is_const(size_of_node(st, node_cast(st, n, DT_I64)), &k) && k < 0)
            return elab_error(e, b->x->count->span, "negative-steps", NULL,
                              "a scan cannot take %lld steps", (long long)k),
                   false;
        b->n = node_cast(st, n, DT_I64);
        if (!check_count(b, back))
            return false;
    } else if (rows) {
        b->n = size_to_node(st, rows);
    } else if (has_until) {
        b->unbounded = true;
        b->n = node_i64(st, SCAN_UNBOUNDED);
    } else {
        return elab_error(e, b->span, "scan",
                          "add a step count (for n), a sequence (over xs), or `until` as the last "
                          "line of the body",
                          "this scan has no stopping condition"),
               false;
    }
    if (b->x->zip_strict)
        b->n = strict_count(b, b->n);
    return b->n != NULL;
}
