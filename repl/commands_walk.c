/* Replaying recorded steps, numbering what they went through, and writing them in one line.
 *
 * Invariant: the numbers of an exploration depend on it alone, not on what was
 * printed before: number_states gives all of them at once. */
#include "graph/print.h"
#include "repl/commands.h"

enum {
    SHORT_DEPTH = 3,      /* levels of operators in a step's one-line form */
    MAX_REPLAYED = 400000 /* nodes that may be visited only to number them */
};

/* ---- replay ---- */

void walk_begin(Walk *w, Store *st, const StepLog *log, int n, Node *const *start)
{
    *w = (Walk){.st = st, .log = log, .n = n, .start = start};
    w->roots = xmalloc(((size_t)n + 1) * sizeof *w->roots);
    memcpy(w->roots, start, (size_t)n * sizeof *w->roots);
}

bool walk_next(Walk *w)
{
    if (w->at >= w->log->at.len)
        return false;
    const Step *s = &w->log->at.at[w->at++];
    map_free(&w->moved);
    for (int i = 0; i < s->nchanges; i++)
        map_put(&w->moved, s->changes[i].before, s->changes[i].after);
    for (int i = 0; i < w->n; i++) {
        Node *root = node_substitute(w->st, w->roots[i], &w->moved);
        if (!root)
            return false;
        w->roots[i] = root;
    }
    return true;
}

void walk_end(Walk *w)
{
    free(w->roots);
    map_free(&w->moved);
    w->roots = NULL;
}

/* ---- numbers ---- */

typedef struct {
    Exploration *x;
    PtrMap seen;   /* nodes whose cone is numbered, and graphs and logs */
    NodeVec nodes; /* by number: at[k - 1] */
    u64 budget;
} Numberer;

static void number_roots(Numberer *b, int n, Node *const *roots);

static void number_one(Numberer *b, Node *n)
{
    int slots[4], count = node_graphs(n, slots);
    for (int i = 0; i < count; i++) {
        Graph *g = n->attrs[slots[i]].graph;
        if (map_has(&b->seen, g))
            continue;
        map_put(&b->seen, g, g);
        number_roots(b, g->nouts, g->outs);
    }
    if (node_is_inline(n))
        return;
    u32 k = number_of(&b->x->numbering, n);
    while (b->nodes.len < k)
        vec_push(&b->nodes, NULL);
    b->nodes.at[k - 1] = n;
}

/* Operands before users; what is numbered has its operands numbered too. */
static void number_roots(Numberer *b, int n, Node *const *roots)
{
    typedef struct {
        Node *node;
        u32 next;
    } Frame;
    VEC(Frame) stack = {0};
    for (int i = 0; i < n; i++) {
        if (map_has(&b->seen, roots[i]))
            continue;
        map_put(&b->seen, roots[i], roots[i]);
        vec_push(&stack, ((Frame){roots[i], 0}));
        while (stack.len) {
            Frame *f = &stack.at[stack.len - 1];
            if (f->next == f->node->nops) {
                Node *done = f->node;
                stack.len--;
                number_one(b, done);
                continue;
            }
            Node *op = source_operand(b->x->st, f->node, f->next++);
            if (!map_has(&b->seen, op)) {
                map_put(&b->seen, op, op);
                vec_push(&stack, ((Frame){op, 0}));
            }
        }
    }
    vec_free(&stack);
}

static void number_log(Numberer *b, const StepLog *log, int n, Node *const *start)
{
    Walk w;
    if (map_has(&b->seen, log))
        return;
    map_put(&b->seen, log, b);
    walk_begin(&w, b->x->st, log, n, start);
    number_roots(b, n, start);
    u64 size = nodes_count(n, start);
    while (w.at < log->at.len) {
        const Step *s = &log->at.at[w.at];
        if (s->inner && s->inner_before)
            number_log(b, s->inner, s->inner_before->nouts, s->inner_before->outs);
        for (int i = 0; i < s->nchanges; i++)
            number_roots(b, 1, &s->changes[i].after);
        if (b->budget < size) {
            w.at++;
            continue; /* too large to replay only for this: what the step itself names is numbered
                       */
        }
        b->budget -= size;
        if (!walk_next(&w))
            break;
        number_roots(b, n, w.roots);
    }
    walk_end(&w);
}

static void number_all(Numberer *b)
{
    Exploration *x = b->x;
    b->budget = MAX_REPLAYED;
    number_log(b, &x->log, x->nroots, x->start);
    number_roots(b, x->nroots, x->roots);
}

void number_states(Exploration *x)
{
    Numberer b = {.x = x};
    number_all(&b);
    map_free(&b.seen);
    vec_free(&b.nodes);
}

Numbering numbering_copy(const Numbering *from)
{
    Numbering copy = *from;
    copy.of = (PtrMap){0};
    for (size_t i = 0; i < from->of.cap; i++)
        if (from->of.keys && from->of.keys[i])
            map_put(&copy.of, from->of.keys[i], from->of.vals[i]);
    return copy;
}

Node *node_numbered(Exploration *x, u32 k)
{
    Numberer b = {.x = x};
    number_all(&b);
    Node *found = k >= 1 && k <= b.nodes.len ? b.nodes.at[k - 1] : NULL;
    map_free(&b.seen);
    vec_free(&b.nodes);
    return found;
}

/* ---- one line ---- */

void put_short(Text *out, Store *st, Node *n, Numbering *num)
{
    Text s = {0};
    node_source_numbered(st, &s, n, num, SHORT_DEPTH);
    for (size_t i = 0; i < s.len; i++) /* a loop body would take several */
        if (s.at[i] != '\n')
            text_putc(out, s.at[i]);
        else if (out->len && out->at[out->len - 1] != ' ')
            text_putc(out, ' ');
    text_free(&s);
}

/* The tuple whose results are what all changes replace (after: what they become), or NULL. */
static Node *common_tuple(const Step *s, bool after)
{
    Node *tuple = NULL;
    for (int i = 0; i < s->nchanges; i++) {
        Node *n = after ? s->changes[i].after : s->changes[i].before;
        if (n->op != OP_PROJ || (tuple && n->ops[0] != tuple))
            return NULL;
        tuple = n->ops[0];
    }
    /* a derivative has a form of its own for each result */
    return tuple && op_table[tuple->op].cls == CLASS_IMPLICIT ? NULL : tuple;
}

/* Loops that a change brings in are shown by number; this says what the numbers stand for. */
static void put_new_loops(Text *out, Store *st, const Step *s, Numbering *num)
{
    PtrMap seen = {0};
    NodeVec order = {0};
    for (int i = 0; i < s->nchanges; i++)
        nodes_topo(1, &s->changes[i].before, &order);
    for (size_t i = 0; i < order.len; i++)
        map_put(&seen, order.at[i], order.at[i]);
    order.len = 0;
    for (int i = 0; i < s->nchanges; i++)
        nodes_topo(1, &s->changes[i].after, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if ((n->op != OP_SCAN && n->op != OP_LOOP) || map_has(&seen, n))
            continue;
        map_put(&seen, n, n);
        text_printf(out, ", %%%u = ", number_of(num, n));
        put_short(out, st, n, num);
    }
    map_free(&seen);
    vec_free(&order);
}

void put_side(Text *out, Store *st, const Step *s, bool after, Numbering *num)
{
    Node *tuple = s->nchanges > 1 ? common_tuple(s, after) : NULL;
    if (tuple && common_tuple(s, !after)) {
        operand_print(out, tuple, num);
        return;
    }
    for (int i = 0; i < s->nchanges; i++) {
        text_put(out, i ? ", " : "");
        Node *n = after ? s->changes[i].after : s->changes[i].before;
        if (s->inner)
            operand_print(out, n, num);
        else
            put_short(out, st, n, num);
    }
}

void put_changes(Text *out, Store *st, const Step *s, Numbering *num)
{
    bool whole = s->inner || (s->nchanges > 1 && common_tuple(s, false) && common_tuple(s, true));
    for (int i = 0; i < (whole ? 1 : s->nchanges); i++) {
        Step one = *s;
        if (!whole)
            one.changes = &s->changes[i], one.nchanges = 1;
        text_put(out, i ? ", " : "");
        put_side(out, st, &one, false, num);
        text_put(out, " => ");
        put_side(out, st, &one, true, num);
    }
    if (!s->inner)
        put_new_loops(out, st, s, num);
}

void put_why(Text *out, const Step *s)
{
    const char *reason = s->rule && s->rule->reason ? s->rule->reason : "";
    text_put(out, reason);
    if (s->evidence)
        text_printf(out, "%s%s", *reason ? "; " : "", s->evidence);
    if (s->again)
        text_printf(out, "%sas before", *reason || s->evidence ? "; " : "");
}

/* ---- which state ---- */

static bool state_after_pass(Call *c, const Exploration *x, const Option *o, u32 *k)
{
    const char *names[64];
    size_t n = 0;
    bool found = false;
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *p = &x->passes.at[i];
        if (n < COUNT_OF(names))
            names[n++] = p->name;
        if (strcmp(p->name, o->value) == 0) {
            *k = p->first_step + p->steps;
            found = true;
        }
    }
    if (found)
        return true;
    const char *close = closest_name(o->value, names, n);
    Text hint = {0};
    if (close)
        text_printf(&hint, "did you mean %s?", close);
    else
        text_put(&hint, ":passes lists them");
    call_fail(c, o->span, "unknown-name", text_str(&hint), "there is no pass %s", o->value);
    text_free(&hint);
    return false;
}

bool call_state(Call *c, const Exploration *x, u32 *k)
{
    const Option *pass = call_option(c, "pass"), *step = call_option(c, "step");
    i64 count = 0;
    if (pass && step)
        return call_fail(c, step->span, "usage", NULL, "give either pass= or step=");
    if (!call_count(c, "step", 0, (i64)x->log.at.len, &count))
        return false;
    *k = (u32)count;
    return !pass || state_after_pass(c, x, pass, k);
}
