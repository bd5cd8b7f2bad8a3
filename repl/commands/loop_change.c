/* What a step did to loops, in words of the loop: states, traces, what it reads from outside, and
 * what is different in its body.
 *
 * Two loops are compared by things: a state, a trace or a capture of one is that of the other if
 * both are nodes of one thing, wherever it stands among the operands. */
#include "repl/commands/change.h"

#include "graph/control.h"
#include "graph/print.h"

static void tell_loop(const Telling *t, Node *before, Node *after);

/* ---- the parts of a loop ---- */

typedef struct {
    Symbol name;        /* "h", "x[t]", or NULL */
    const Thing *thing; /* in the body: a parameter or an output */
    Node *inside;
    Node *outside; /* what it begins with or reads; NULL: nothing */
} Part;
typedef VEC(Part) Parts;

typedef enum { STATES, TRACES, SEQUENCES, CAPTURES, KINDS } Kind;

typedef struct {
    Node *n;
    const Graph *body;
    bool scan;
    Parts parts[KINDS];
} Loop;

static void add_part(const Telling *t, Loop *l, Kind kind, Symbol name, Node *inside, Node *outside)
{
    const Thing *thing = thing_of(t->x->things, l->body, inside);
    if (!name && inside->op != OP_PARAM)
        name = node_name_in(t->x->st, l->body, inside);
    vec_push(&l->parts[kind], ((Part){name, thing, inside, outside}));
}

static void read_scan(const Telling *t, Loop *l)
{
    ScanShape s = scan_shape(l->n);
    ScanRoles roles = scan_roles(t->x->st, l->n);
    Node *const *params = s.body->param_nodes;
    int seq = s.nstates, capture = s.nstates + s.nseqs;
    for (int i = 0; i < s.body->nparams; i++)
        if (i < seq)
            add_part(t, l, STATES, roles.names[i], params[i], s.inits[i]);
        else if (i < capture)
            add_part(t, l, SEQUENCES, roles.names[i], params[i], s.seqs[i - seq]);
        else
            add_part(t, l, CAPTURES, roles.names[i], params[i], s.captures[i - capture]);
    for (int o = 0; o < s.nouts; o++)
        add_part(t, l, TRACES, roles.outs[o], s.body->outs[s.nstates + o], NULL);
}

static void loop_read(const Telling *t, Loop *l, Node *n)
{
    *l = (Loop){.n = n, .scan = n->op == OP_SCAN};
    l->body = l->scan ? scan_shape(n).body : loop_shape(n).body;
    if (l->scan)
        read_scan(t, l);
}

static void loop_free(Loop *l)
{
    for (int k = 0; k < KINDS; k++)
        vec_free(&l->parts[k]);
}

static bool same_part(const Part *a, const Part *b)
{
    return a->thing && b->thing ? thing_same(a->thing, b->thing)
                                : a->name && b->name && strcmp(a->name, b->name) == 0;
}

static const Part *find_part(const Parts *in, const Part *p)
{
    for (size_t i = 0; i < in->len; i++)
        if (same_part(&in->at[i], p))
            return &in->at[i];
    return NULL;
}

/* "h" of a state known as h[t-1]; others by their whole names, or by what they are. */
static void put_part(const Telling *t, Text *out, const Loop *l, const Part *p, Kind kind)
{
    Numbering *num = &t->x->numbering;
    const Graph *around = num->within;
    num->within = kind == TRACES ? l->body : t->within;
    if (p->name && (kind == STATES || kind == TRACES))
        text_printf(out, "%.*s", (int)strcspn(p->name, "["), p->name);
    else if (p->name)
        text_put(out, p->name);
    else
        operand_print(out, kind == TRACES ? p->inside : p->outside, num);
    num->within = around;
}

typedef struct {
    const char *before, *one, *many; /* "trace ", " is gone", " are gone" */
} Words;

/* "traces i, f are no longer kept": the parts of `in` that are not in `other`. */
static void tell_parts(const Telling *t, const Loop *in, const Loop *other, Kind kind, Words w)
{
    enum { MOST_PARTS = 12 };
    Text list = {0};
    int count = 0;
    for (size_t i = 0; i < in->parts[kind].len; i++) {
        const Part *p = &in->parts[kind].at[i];
        if (find_part(&other->parts[kind], p))
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
static void tell_reads(const Telling *t, const Loop *before, const Loop *after, Kind kind)
{
    Text line = {0};
    PtrMap leaves = {0};
    int count = 0;
    for (size_t i = 0; i < after->parts[kind].len; i++) {
        const Part *p = &after->parts[kind].at[i];
        if (find_part(&before->parts[kind], p))
            continue;
        text_put(&line, count++ ? ", " : kind == CAPTURES ? "it reads " : "step by step it reads ");
        put_part(t, &line, after, p, kind);
        if (p->outside->op == OP_INPUT || p->outside->op == OP_SHARED)
            continue;
        text_put(&line, kind == SEQUENCES ? ", a row of " : " = ");
        Text what = {0};
        node_source_leaves(t->x->st, &what, p->outside, &t->x->numbering, 3, &leaves);
        text_put(&line, text_str(&what));
        text_free(&what);
    }
    if (count)
        change_line(t, '.', &line);
}

/* ---- the bodies ---- */

/* A body, and what of it is not in the other one or does something else there. */
typedef struct {
    const Telling *t; /* inside the body */
    const Graph *g;
    NodeVec nodes;
    PtrMap at;   /* thing -> node */
    PtrMap uses; /* node -> how often it is used */
    PtrMap user; /* node -> one that uses it */
    PtrMap different;
    PtrMap leaves;  /* what is called by its name, or has a line of its own */
    NodeVec listed; /* what has a line */
} Inside;

static Symbol name_in(const Inside *b, const Node *n)
{
    return node_is_inline(n) ? NULL : node_name_in(b->t->x->st, b->g, n);
}

static uintptr_t uses_of(const Inside *b, const Node *n) { return (uintptr_t)map_get(&b->uses, n); }

static void count_use(Inside *b, Node *n, Node *user)
{
    map_put(&b->uses, n, (void *)(uses_of(b, n) + 1));
    if (user)
        map_put(&b->user, n, user);
}

static void inside_read(Inside *b, const Telling *t)
{
    b->t = t;
    b->g = t->within;
    nodes_topo(b->g->nouts, b->g->outs, &b->nodes);
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *n = b->nodes.at[i];
        const Thing *thing = thing_of(t->x->things, b->g, n);
        if (thing && !node_is_inline(n)) {
            map_put(&b->at, thing, n);
            if (thing->of)
                map_put(&b->at, thing->of, n);
        }
        for (u32 k = 0; k < n->nops; k++)
            count_use(b, n->ops[k], n);
    }
    for (int i = 0; i < b->g->nouts; i++)
        count_use(b, b->g->outs[i], NULL);
}

/* The node of that thing, or of the one it is a copy of. */
static Node *node_at(const Inside *b, const Thing *thing)
{
    Node *n = thing ? map_get(&b->at, thing) : NULL;
    return n || !thing || !thing->of ? n : map_get(&b->at, thing->of);
}

static void inside_free(Inside *b)
{
    PtrMap *const maps[] = {&b->at, &b->uses, &b->user, &b->different, &b->leaves};
    for (size_t i = 0; i < COUNT_OF(maps); i++)
        map_free(maps[i]);
    vec_free(&b->nodes);
    vec_free(&b->listed);
}

static bool same_operand(const Inside *a, const Node *n, const Inside *b, const Node *m)
{
    const Things *things = a->t->x->things;
    const Thing *p = thing_of(things, a->g, n), *q = thing_of(things, b->g, m);
    return p && q ? p == q : n == m && n->op == OP_CONST;
}

/* The order in which the operands are written is that of the node, whatever graph it stands in. */
static bool only_reordered(const Inside *a, const Node *n, const Inside *b, const Node *m)
{
    u64 taken = 0;
    bool same =
        n->op == m->op && n->nops == m->nops && op_table[n->op].flags & COMMUTES && n->nops <= 64;
    for (u32 i = 0; i < n->nops && same; i++) {
        u32 k = 0;
        while (k < m->nops && (taken >> k & 1 || !same_operand(a, n->ops[i], b, m->ops[k])))
            k++;
        same = k < m->nops;
        taken |= same ? (u64)1 << k : 0;
    }
    return same;
}

static void find_different(Inside *b, const Inside *other)
{
    const Things *things = b->t->x->things;
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *n = b->nodes.at[i];
        const Thing *thing = node_is_inline(n) ? NULL : thing_of(things, b->g, n);
        Node *there = node_at(other, thing);
        if (node_is_inline(n) || (there && (!thing_differs(things, b->g, n, other->g, there) ||
                                            only_reordered(b, n, other, there))))
            continue;
        map_put(&b->different, n, n);
    }
}

/* What shows n: the one that uses it, as long as nobody else does and it has no name. */
static Node *shown_by(const Inside *b, Node *n)
{
    while (!name_in(b, n) && uses_of(b, n) == 1 && map_has(&b->user, n))
        n = map_get(&b->user, n);
    return n;
}

static void find_listed(Inside *b)
{
    PtrMap listed = {0};
    for (size_t i = 0; i < b->nodes.len; i++)
        if (map_has(&b->different, b->nodes.at[i])) {
            Node *n = shown_by(b, b->nodes.at[i]);
            if (!map_has(&listed, n))
                vec_push(&b->listed, n);
            map_put(&listed, n, n);
        }
    for (size_t i = 0; i < b->nodes.len; i++)
        if (name_in(b, b->nodes.at[i]) || map_has(&listed, b->nodes.at[i]))
            map_put(&b->leaves, b->nodes.at[i], b);
    map_free(&listed);
}

static char *line_of(const Inside *b, Node *n)
{
    Text line = {0};
    if (!name_in(b, n) && uses_of(b, n) > 1) {
        Numbering *num = &b->t->x->numbering;
        const Graph *around = num->within;
        num->within = b->g;
        text_printf(&line, "%%%u = ", number_of(num, n));
        num->within = around;
    }
    put_definition(b->t, &line, n, &b->leaves, 2 * b->t->width - 16);
    return text_take(&line);
}

static void tell_one(const Inside *b, char sign, Node *n)
{
    Text line = {0};
    char *text = line_of(b, n);
    text_put(&line, text);
    free(text);
    change_line(b->t, sign, &line);
}

/* false: they read the same. */
static bool tell_both(const Inside *a, Node *n, const Inside *b, Node *m, bool room)
{
    char *before = line_of(a, n), *after = line_of(b, m);
    bool differ = strcmp(before, after) != 0;
    if (differ && room) {
        tell_one(a, '-', n);
        tell_one(b, '+', m);
    }
    free(before);
    free(after);
    return differ;
}

/* Which of `listed` is the same thing, or has the same name; NULL: none. */
static Node *counterpart(const Inside *b, Node *n, const Inside *other)
{
    const Thing *thing = thing_of(b->t->x->things, b->g, n);
    Symbol name = name_in(b, n);
    for (size_t i = 0; i < other->listed.len; i++) {
        Node *m = other->listed.at[i];
        if ((thing && thing_of(b->t->x->things, other->g, m) == thing) ||
            (name && name == name_in(other, m)))
            return m;
    }
    return NULL;
}

/* First what is in both, then what only one has. */
static void tell_lines(const Inside *a, const Inside *b)
{
    int told = 0, more = 0;
    PtrMap paired = {0};
    for (size_t i = 0; i < a->listed.len; i++) {
        Node *there = counterpart(a, a->listed.at[i], b);
        if (!there)
            continue;
        map_put(&paired, there, there);
        bool room = told < a->t->most, differ = tell_both(a, a->listed.at[i], b, there, room);
        told += differ;
        more += differ && !room;
    }
    for (int k = 0; k < 2; k++) {
        const Inside *in = k ? b : a;
        for (size_t i = 0; i < in->listed.len; i++) {
            if (k ? map_has(&paired, in->listed.at[i])
                  : counterpart(a, in->listed.at[i], b) != NULL)
                continue;
            if (told < in->t->most)
                tell_one(in, k ? '+' : '-', in->listed.at[i]);
            more += told++ >= in->t->most;
        }
    }
    change_more(a->t, more);
    map_free(&paired);
}

/* Loops in the bodies that are different themselves. */
static void tell_inner_loops(const Inside *a, const Inside *b)
{
    for (size_t i = 0; i < a->nodes.len; i++) {
        Node *n = a->nodes.at[i];
        const Thing *thing = node_is_loop(n) ? thing_of(a->t->x->things, a->g, n) : NULL;
        Node *there = node_at(b, thing);
        if (there && there != n && map_has(&a->different, n) && node_is_loop(there)) {
            Telling in = *b->t;
            in.was = a->g;
            tell_loop(&in, n, there);
        }
    }
}

static void tell_bodies(const Telling *t, const Loop *before, const Loop *after)
{
    Telling in[2] = {*t, *t};
    Inside bodies[2] = {{0}, {0}};
    in[0].within = before->body;
    in[1].within = after->body;
    for (int i = 0; i < 2; i++)
        inside_read(&bodies[i], &in[i]);
    for (int i = 0; i < 2; i++) {
        find_different(&bodies[i], &bodies[1 - i]);
        find_listed(&bodies[i]);
    }
    tell_lines(&bodies[0], &bodies[1]);
    tell_inner_loops(&bodies[0], &bodies[1]);
    for (int i = 0; i < 2; i++)
        inside_free(&bodies[i]);
}

/* ---- a loop that went on as another ---- */

static void put_loop(const Telling *t, Text *out, Node *n)
{
    put_called(out, t->x->st, n, &t->x->numbering);
}

/* "it takes k steps, not n"; of one that ran until it stopped how many was not known. */
static void tell_steps(const Telling *t, const Loop *a, const Loop *b)
{
    Node *const counts[] = {scan_shape(b->n).n, scan_shape(a->n).n};
    const Things *things = t->x->things;
    const Thing *now = thing_of(things, t->within, counts[0]),
                *was = thing_of(things, t->within, counts[1]);
    Text line = {0};
    PtrMap leaves = {0};
    i64 most;
    bool open = node_const_i64(counts[1], &most) && most == SCAN_UNBOUNDED;
    if (counts[0] == counts[1] || (now && now == was))
        return;
    for (int i = 0; i < (open ? 1 : 2); i++) {
        text_put(&line, i ? " steps, not " : "it takes ");
        node_source_leaves(t->x->st, &line, counts[i], &t->x->numbering, 3, &leaves);
    }
    text_put(&line, open ? " steps, which was not known" : "");
    change_line(t, '.', &line);
}

static void tell_interface(const Telling *t, const Loop *a, const Loop *b)
{
    static const Words state_gone = {"state%s ", " is gone", " are gone"},
                       state_new = {"state%s ", " is new", " are new"},
                       trace_gone = {"trace%s ", " is no longer kept", " are no longer kept"},
                       trace_new = {"trace%s ", " is kept now", " are kept now"},
                       unread = {"it no longer reads ", "", ""},
                       unread_rows = {"it no longer reads ", " step by step", " step by step"};
    tell_steps(t, a, b);
    tell_parts(t, a, b, STATES, state_gone);
    tell_parts(t, b, a, STATES, state_new);
    tell_parts(t, a, b, TRACES, trace_gone);
    tell_parts(t, b, a, TRACES, trace_new);
    tell_parts(t, a, b, SEQUENCES, unread_rows);
    tell_parts(t, a, b, CAPTURES, unread);
    tell_reads(t, a, b, SEQUENCES);
    tell_reads(t, a, b, CAPTURES);
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
    Loop a, b;
    Text head = {0};
    size_t first = t->out->of.len;
    loop_read(t, &a, before);
    loop_read(t, &b, after);
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
    loop_free(&a);
    loop_free(&b);
}

/* ---- a step ---- */

/* Loops among the nodes, each once. */
static void add_loops(const NodeVec *nodes, const PtrMap *but, PtrMap *found, NodeVec *loops)
{
    for (size_t i = 0; i < nodes->len; i++) {
        Node *n = nodes->at[i];
        if (!node_is_loop(n) || map_has(found, n))
            continue;
        map_put(found, n, n);
        if (!but || !map_has(but, n))
            vec_push(loops, n);
    }
}

static bool is_implicit(const Node *n)
{
    return op_table[n->op == OP_PROJ ? n->ops[0]->op : n->op].cls == CLASS_IMPLICIT;
}

/* In what the step changed: near its nodes, or anywhere below if it expands a derivative. */
static void find_loops(const Step *s, bool after, const PtrMap *but, PtrMap *found, NodeVec *loops)
{
    for (int i = 0; i < s->nchanges; i++) {
        NodeVec order = {0};
        PtrMap near = {0};
        Node *root = after ? s->changes[i].after : s->changes[i].before;
        if (is_implicit(s->changes[i].before))
            nodes_topo(1, &root, &order);
        else
            nodes_near(root, &near, &order);
        add_loops(&order, but, found, loops);
        vec_free(&order);
        map_free(&near);
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
        tell_two(t, old, " is no loop of its own: its results are those of ", made);
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
    PtrMap before = {0}, after = {0};
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
