/* What a step did to loops, in words of the loop: states, traces, what it reads from outside, and
 * what is different in its body (core/analysis/loop_diff.h). */
#include "analysis/step_change.h"
#include "graph/name.h"

#include "analysis/loop_diff.h"
#include "graph/control.h"
#include "surface/surface.h"

static void tell_loop(const Telling *t, Node *before, Node *after);

/* ---- the parts of a loop ---- */

/* "h" of a state known as h[t-1]; others by their whole names, or by what they are. */
static void put_part(const Telling *t, Text *out, const LoopParts *l, const LoopPart *p,
                     LoopPartKind kind)
{
    Numbering *num = &t->x->numbering;
    const Graph *around = num->within;
    num->within = kind == PART_TRACES ? l->body : t->within;
    if (p->name && (kind == PART_STATES || kind == PART_TRACES))
        text_put(out, name_base(t->x->st, p->name));
    else if (p->name)
        text_put(out, p->name);
    else
        operand_print(out, kind == PART_TRACES ? p->inside : p->outside, num);
    num->within = around;
}

typedef struct {
    const char *before, *one, *many; /* "trace ", " is gone", " are gone" */
} Words;

/* "traces i, f are no longer kept": the parts of `in` that are not in `other`. */
static void tell_parts(const Telling *t, const LoopParts *in, const LoopParts *other,
                       LoopPartKind kind, Words w)
{
    enum { MOST_PARTS = 12 };
    Text list = {0};
    int count = 0;
    for (size_t i = 0; i < in->parts[kind].len; i++) {
        const LoopPart *p = &in->parts[kind].at[i];
        if (loop_part_in(&other->parts[kind], p))
            continue;
        if (count < MOST_PARTS) {
            text_put(&list, count ? ", " : "");
            put_part(t, &list, in, p, kind);
        }
        count++;
    }
    if (count > MOST_PARTS)
        text_printf(&list, " and %d more", count - MOST_PARTS);
    if (count) {
        Text line = {0};
        text_printf(&line, w.before, count > 1 ? "s" : "");
        text_printf(&line, "%s%s", text_str(&list), count > 1 ? w.many : w.one);
        change_line(t, '.', &line);
    }
    text_free(&list);
}

/* What the body reads now: the expressions outside. */
static void tell_reads(const Telling *t, const LoopParts *before, const LoopParts *after,
                       LoopPartKind kind)
{
    Text line = {0};
    NodeSet leaves = {0};
    int count = 0;
    for (size_t i = 0; i < after->parts[kind].len; i++) {
        const LoopPart *p = &after->parts[kind].at[i];
        if (loop_part_in(&before->parts[kind], p))
            continue;
        text_put(&line, count++                 ? ", "
                        : kind == PART_CAPTURES ? "it reads "
                                                : "at each step it reads ");
        put_part(t, &line, after, p, kind);
        if (p->outside->op == OP_INPUT || p->outside->op == OP_SHARED)
            continue;
        text_put(&line, kind == PART_SEQUENCES ? ", a row of " : " = ");
        Text what = {0};
        node_source_leaves(t->x->st, &what, p->outside, &t->x->numbering, 3, &leaves, 0);
        text_put(&line, text_str(&what));
        text_free(&what);
    }
    if (count)
        change_line(t, '.', &line);
}

/* ---- the bodies ---- */

/* One of two bodies, and how to tell of it. */
typedef struct {
    const Telling *t; /* inside the body */
    const BodyDiff *d;
} Side;

/* The bytes of "name = " or "%k = ". */
static size_t line_of(const Side *b, Node *n, Text *line)
{
    if (!body_diff_name(b->d, n) && body_diff_uses(b->d, n) > 1) {
        Numbering *num = &b->t->x->numbering;
        const Graph *around = num->within;
        num->within = b->d->g;
        text_printf(line, "%%%u = ", number_of(num, n));
        num->within = around;
    }
    size_t head = line->len;
    return head + put_definition(b->t, line, n, &b->d->leaves, 2 * b->t->width - 16);
}

static void tell_one(const Side *b, char sign, Node *n)
{
    Text line = {0};
    size_t head = line_of(b, n, &line);
    change_definition(b->t, sign, head, &line);
}

/* false: they read the same. */
static bool tell_both(const Side *a, Node *n, const Side *b, Node *m, bool room)
{
    Text before = {0}, after = {0};
    size_t heads[] = {line_of(a, n, &before), line_of(b, m, &after)};
    bool differ = strcmp(text_str(&before), text_str(&after)) != 0;
    if (differ && room) {
        change_definition(a->t, '-', heads[0], &before);
        change_definition(b->t, '+', heads[1], &after);
    }
    text_free(&before);
    text_free(&after);
    return differ;
}

/* First what is in both, then what only one has. */
static void tell_lines(const Side *a, const Side *b)
{
    int told = 0, more = 0;
    NodeSet paired = {0};
    for (size_t i = 0; i < a->d->listed.len; i++) {
        Node *there = body_diff_counterpart(a->d, a->d->listed.at[i], b->d);
        if (!there)
            continue;
        set_add(&paired, there);
        bool room = told < a->t->most, differ = tell_both(a, a->d->listed.at[i], b, there, room);
        told += differ;
        more += differ && !room;
    }
    for (int k = 0; k < 2; k++) {
        const Side *in = k ? b : a;
        for (size_t i = 0; i < in->d->listed.len; i++) {
            if (k ? map_has(&paired, in->d->listed.at[i])
                  : body_diff_counterpart(a->d, in->d->listed.at[i], b->d) != NULL)
                continue;
            if (told < in->t->most)
                tell_one(in, k ? '+' : '-', in->d->listed.at[i]);
            more += told++ >= in->t->most;
        }
    }
    change_more(a->t, more);
    map_free(&paired);
}

/* Loops in the bodies that are different themselves. */
static void tell_inner_loops(const Side *a, const Side *b)
{
    for (size_t i = 0; i < a->d->nodes.len; i++) {
        Node *n = a->d->nodes.at[i];
        const Thing *thing = node_is_loop(n) ? thing_of(a->t->x->things, a->d->g, n) : NULL;
        Node *there = body_diff_node(b->d, thing);
        if (there && there != n && map_has(&a->d->different, n) && node_is_loop(there)) {
            Telling in = *b->t;
            in.was = a->d->g;
            tell_loop(&in, n, there);
        }
    }
}

static void tell_bodies(const Telling *t, const LoopParts *before, const LoopParts *after)
{
    Telling in[2] = {*t, *t};
    BodyDiff diff[2];
    in[0].within = before->body;
    in[1].within = after->body;
    body_diff(t->x, before->body, after->body, diff);
    Side a = {&in[0], &diff[0]}, b = {&in[1], &diff[1]};
    tell_lines(&a, &b);
    tell_inner_loops(&a, &b);
    for (int i = 0; i < 2; i++)
        body_diff_free(&diff[i]);
}

/* ---- a loop that went on as another ---- */

static void put_loop(const Telling *t, Text *out, Node *n)
{
    put_called(out, t->x->st, n, &t->x->numbering);
}

/* "it takes k steps, not n"; of one that ran until it stopped how many was not known. */
static void tell_steps(const Telling *t, const LoopParts *a, const LoopParts *b)
{
    Node *const counts[] = {scan_shape(b->n).n, scan_shape(a->n).n};
    const Things *things = t->x->things;
    const Thing *now = thing_of(things, t->within, counts[0]),
                *was = thing_of(things, t->within, counts[1]);
    Text line = {0};
    NodeSet leaves = {0};
    i64 most;
    bool open = node_const_i64(counts[1], &most) && most == SCAN_UNBOUNDED;
    if (counts[0] == counts[1] || (now && now == was))
        return;
    for (int i = 0; i < (open ? 1 : 2); i++) {
        text_put(&line, i ? " steps, not " : "it takes ");
        node_source_leaves(t->x->st, &line, counts[i], &t->x->numbering, 3, &leaves, 0);
    }
    text_put(&line, open ? " steps, previously unknown" : "");
    change_line(t, '.', &line);
}

static void tell_interface(const Telling *t, const LoopParts *a, const LoopParts *b)
{
    static const Words state_gone = {"state%s ", " is gone", " are gone"},
                       state_new = {"state%s ", " is new", " are new"},
                       trace_gone = {"trace%s ", " is no longer kept", " are no longer kept"},
                       trace_new = {"trace%s ", " is kept now", " are kept now"},
                       unread = {"it no longer reads ", "", ""},
                       unread_rows = {"it no longer reads ", " step by step", " step by step"};
    tell_steps(t, a, b);
    tell_parts(t, a, b, PART_STATES, state_gone);
    tell_parts(t, b, a, PART_STATES, state_new);
    tell_parts(t, a, b, PART_TRACES, trace_gone);
    tell_parts(t, b, a, PART_TRACES, trace_new);
    tell_parts(t, a, b, PART_SEQUENCES, unread_rows);
    tell_parts(t, a, b, PART_CAPTURES, unread);
    tell_reads(t, a, b, PART_SEQUENCES);
    tell_reads(t, a, b, PART_CAPTURES);
}

/* The first of the lines since `first` begins with the loop, if it is in words. */
static void put_head(const Telling *t, size_t first, Text *head)
{
    ChangeLine *l = t->out->of.len > first ? &t->out->of.at[first] : NULL;
    if (!l || l->sign != '.') {
        change_line(t, '.', head); /* last, and then moved up */
        ChangeLine own = t->out->of.at[t->out->of.len - 1];
        memmove(&t->out->of.at[first + 1], &t->out->of.at[first],
                (t->out->of.len - 1 - first) * sizeof own);
        t->out->of.at[first] = own;
        return;
    }
    text_printf(head, " %s", l->text);
    free(l->text);
    l->text = text_take(head);
}

static void tell_loop(const Telling *t, Node *before, Node *after)
{
    LoopParts a, b;
    Text head = {0};
    size_t first = t->out->of.len;
    loop_parts_read(t->x, before, &a);
    loop_parts_read(t->x, after, &b);
    put_loop(t, &head, before);
    text_put(&head, a.scan && !b.scan ? " runs as " : ":");
    if (a.scan && !b.scan)
        put_loop(t, &head, after);
    if (a.scan && b.scan) {
        tell_interface(t, &a, &b);
        if (a.body != b.body)
            tell_bodies(t, &a, &b);
    }
    bool said = t->out->of.len > first || !a.scan || !b.scan;
    if (said)
        put_head(t, first, &head);
    text_free(&head);
    loop_parts_free(&a);
    loop_parts_free(&b);
}

/* ---- a step ---- */

/* Loops among the nodes, each once. */
static void add_loops(const NodeVec *nodes, const NodeSet *but, NodeSet *found, NodeVec *loops)
{
    for (size_t i = 0; i < nodes->len; i++) {
        Node *n = nodes->at[i];
        if (!node_is_loop(n) || map_has(found, n))
            continue;
        set_add(found, n);
        if (!but || !map_has(but, n))
            vec_push(loops, n);
    }
}

static bool is_implicit(const Node *n)
{
    return op_table[n->op == OP_PROJ ? n->ops[0]->op : n->op].cls == CLASS_IMPLICIT;
}

/* In what the step changed: near its nodes, or anywhere below if it expands a derivative. */
static void find_loops(const Step *s, bool after, const NodeSet *but, NodeSet *found,
                       NodeVec *loops)
{
    for (int i = 0; i < s->nchanges; i++) {
        NodeVec order = {0};
        NodeFlags near = {0};
        Node *root = after ? s->changes[i].after : s->changes[i].before;
        if (is_implicit(s->changes[i].before))
            nodes_topo(1, &root, &order);
        else
            nodes_near(root, &near, &order);
        add_loops(&order, but, found, loops);
        vec_free(&order);
        node_map_free(&near);
    }
}

/* The loops whose results are replaced. */
static void find_replaced(const Step *s, NodeVec *loops)
{
    for (int i = 0; i < s->nchanges; i++) {
        Node *n = s->changes[i].before;
        n = n->op == OP_PROJ ? n->ops[0] : n;
        bool again = !node_is_loop(n);
        for (size_t k = 0; k < loops->len && !again; k++)
            again = loops->at[k] == n;
        if (!again)
            vec_push(loops, n);
    }
}

/* Does one go on as the other? */
static bool goes_on(const Telling *t, const Node *a, const Node *b)
{
    const Thing *p = thing_of(t->x->things, t->within, a),
                *q = thing_of(t->x->things, t->within, b);
    return p && p == q;
}

static void put_loops(const Telling *t, Text *out, const NodeVec *loops)
{
    for (size_t i = 0; i < loops->len; i++) {
        text_put(out, !i ? "" : i + 1 < loops->len ? ", " : " and ");
        put_loop(t, out, loops->at[i]);
        text_printf(out, " (%%%u)", number_of(&t->x->numbering, loops->at[i]));
    }
}

static void tell_two(const Telling *t, const NodeVec *a, const char *between, const NodeVec *b)
{
    Text line = {0};
    put_loops(t, &line, a);
    text_put(&line, between);
    put_loops(t, &line, b);
    change_line(t, '.', &line);
}

/* Do the results of a loop come from another one, that was there before the step? */
static bool joins_another(const Telling *t, const Step *s, const Node *old, const Node *made)
{
    const Occurrence *o = thing_occurrence(t->x->things, t->within, made);
    return o && o->thing != thing_of(t->x->things, t->within, old) &&
           (!o->origin || o->origin->step != s);
}

static void tell_pairs(const Telling *t, const Step *s, const NodeVec *old, const NodeVec *made)
{
    if (old->len == 1 && made->len == 1 && joins_another(t, s, old->at[0], made->at[0])) {
        tell_two(t, old, " is no longer a separate loop: its results are those of ", made);
        return;
    }
    if (old->len > 1 && made->len == 1) {
        tell_two(t, old, " run as one: ", made);
        return;
    }
    NodeVec fresh = {0};
    for (size_t k = 0; k < made->len; k++) {
        Node *from = old->len == 1 && made->len == 1 ? old->at[0] : NULL;
        for (size_t i = 0; i < old->len && !from; i++)
            from = goes_on(t, old->at[i], made->at[k]) ? old->at[i] : NULL;
        if (from)
            tell_loop(t, from, made->at[k]);
        else
            vec_push(&fresh, made->at[k]);
    }
    if (fresh.len)
        tell_two(t, &(NodeVec){0}, "new: ", &fresh);
    vec_free(&fresh);
    if (!made->len)
        tell_two(t, old, old->len > 1 ? " are gone" : " is gone", &(NodeVec){0});
}

bool change_of_loops(const Telling *t, const Step *s)
{
    NodeVec old = {0}, there = {0}, made = {0};
    NodeSet before = {0}, after = {0};
    find_replaced(s, &old);
    find_loops(s, false, NULL, &before, &there);
    find_loops(s, true, &before, &after, &made);
    bool any = old.len || made.len;
    size_t gone = 0; /* what a result is replaced for may still be there */
    for (size_t i = 0; i < old.len; i++)
        if (!map_has(&after, old.at[i]))
            old.at[gone++] = old.at[i];
    old.len = gone;
    if (old.len || made.len)
        tell_pairs(t, s, &old, &made);
    vec_free(&old);
    vec_free(&there);
    vec_free(&made);
    map_free(&before);
    map_free(&after);
    return any;
}
