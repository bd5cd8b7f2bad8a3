/* Numbers and origins of nodes; see history.h. */
#include "rewrite/history.h"

#include "graph/print.h"

enum { MAX_REPLAYED = 400000 /* nodes that may be visited only to number what is between steps */ };

typedef struct {
    Exploration *x;
    History *h;
    Origin *cause; /* of what is numbered now; NULL: the start */
} Numberer;

static void number_roots(Numberer *b, int n, Node *const *roots);

static void number_one(Numberer *b, Node *n)
{
    int slots[4], count = node_graphs(n, slots);
    for (int i = 0; i < count; i++) {
        Graph *g = n->attrs[slots[i]].graph;
        if (map_has(&b->h->seen, g))
            continue;
        map_put(&b->h->seen, g, g);
        number_roots(b, g->nouts, g->outs);
    }
    if (b->cause)
        map_put(&b->h->origins, n, b->cause);
    if (node_is_inline(n))
        return;
    u32 k = number_of(&b->x->numbering, n);
    while (b->h->nodes.len < k)
        vec_push(&b->h->nodes, NULL);
    b->h->nodes.at[k - 1] = n;
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
        if (map_has(&b->h->seen, roots[i]))
            continue;
        map_put(&b->h->seen, roots[i], roots[i]);
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
            if (!map_has(&b->h->seen, op)) {
                map_put(&b->h->seen, op, op);
                vec_push(&stack, ((Frame){op, 0}));
            }
        }
    }
    vec_free(&stack);
}

static Origin *origin_new(Numberer *b, const char *log, const StepLog *steps, u32 number,
                          Node *before)
{
    Origin *o = arena_alloc(&b->h->arena, sizeof *o);
    *o =
        (Origin){.step = &steps->at.at[number - 1], .log = log, .number = number, .before = before};
    return o;
}

/* The step that changed an operand last. */
static u32 cause_of_move(const Numberer *b, const char *log, const Move *m)
{
    u32 number = 0;
    for (u32 i = 0; i < m->after->nops; i++) {
        const Origin *o = map_get(&b->h->origins, m->after->ops[i]);
        if (o && o->log == log && o->number <= m->step && o->number > number)
            number = o->number;
    }
    return number ? number : m->step;
}

/* Nodes that took other operands, up to a step. */
static size_t number_moves(Numberer *b, const StepLog *steps, const char *log, size_t from,
                           u32 step)
{
    for (; from < steps->moves.len && steps->moves.at[from].step <= step; from++) {
        const Move *m = &steps->moves.at[from];
        if (map_has(&b->h->seen, m->after) || !m->step)
            continue;
        b->cause = origin_new(b, log, steps, cause_of_move(b, log, m), m->before);
        b->cause->operands_only = true;
        number_roots(b, 1, &m->after);
    }
    return from;
}

static void number_log(Numberer *b, const StepLog *steps, const char *log)
{
    size_t move = 0;
    map_put(&b->h->seen, steps, b);
    for (u32 i = 0; i < steps->at.len; i++) {
        const Step *s = &steps->at.at[i];
        move = number_moves(b, steps, log, move, i);
        if (s->inner && s->inner_before && !map_has(&b->h->seen, s->inner)) {
            Text number = {0};
            text_printf(&number, "%s%s%u", log, *log ? "." : "", i + 1);
            b->cause = NULL;
            number_roots(b, s->inner_before->nouts, s->inner_before->outs);
            number_log(b, s->inner, arena_strndup(&b->h->arena, text_str(&number), number.len));
            text_free(&number);
        }
        for (int k = 0; k < s->nchanges; k++) {
            if (map_has(&b->h->seen, s->changes[k].after))
                continue;
            b->cause = origin_new(b, log, steps, i + 1, s->changes[k].before);
            number_roots(b, 1, &s->changes[k].after);
        }
    }
    number_moves(b, steps, log, move, (u32)steps->at.len);
}

History *exploration_history(Exploration *x)
{
    if (x->history)
        return x->history;
    Numberer b = {.x = x, .h = x->history = xcalloc(1, sizeof *x->history)};
    number_roots(&b, x->nroots, x->start);
    number_log(&b, &x->log, "");
    b.cause = NULL;
    number_roots(&b, x->nroots, x->roots);
    return x->history;
}

/* ---- between steps ---- */

/* Nodes that only the present state of the walk holds: each was another before the step. */
static void number_state(Numberer *b, const Walk *w, const char *log)
{
    PtrMap was = {0};
    for (size_t i = 0; i < w->moved.cap; i++) {
        Node *from = (Node *)(uintptr_t)w->moved.keys[i], *to = from ? w->moved.vals[i] : NULL;
        if (!to || to == from || map_has(&b->h->seen, to))
            continue;
        Node *known = map_get(&was, to); /* of two that became one, the one with the lower number */
        if (!known || number_of(&b->x->numbering, from) < number_of(&b->x->numbering, known))
            map_put(&was, to, from);
    }
    size_t first = b->h->nodes.len;
    number_roots(b, w->n, w->roots);
    for (size_t i = first; i < b->h->nodes.len; i++) {
        Node *n = b->h->nodes.at[i], *from = n ? map_get(&was, n) : NULL;
        if (!from || map_has(&b->h->origins, n))
            continue;
        Origin *o = origin_new(b, log, w->log, w->at, from);
        o->operands_only = true;
        map_put(&b->h->origins, n, o);
    }
    map_free(&was);
}

static void number_states(Numberer *b, const StepLog *log, const char *name, int n,
                          Node *const *start, PtrMap *done, u64 *budget)
{
    Walk w;
    if (map_has(done, log))
        return;
    map_put(done, log, b);
    u64 size = nodes_count(n, start);
    walk_begin(&w, b->x->st, log, n, start);
    while (w.at < log->at.len) {
        const Step *s = &log->at.at[w.at];
        if (s->inner && s->inner_before) {
            Text number = {0};
            text_printf(&number, "%s%s%u", name, *name ? "." : "", w.at + 1);
            number_states(b, s->inner, arena_strndup(&b->h->arena, text_str(&number), number.len),
                          s->inner_before->nouts, s->inner_before->outs, done, budget);
            text_free(&number);
        }
        if (*budget < size || !walk_next(&w))
            break;
        *budget -= size;
        number_state(b, &w, name);
    }
    walk_end(&w);
}

void exploration_number_states(Exploration *x)
{
    Numberer b = {.x = x, .h = exploration_history(x)};
    u64 budget = MAX_REPLAYED;
    PtrMap done = {0};
    if (!b.h->states)
        number_states(&b, &x->log, "", x->nroots, x->start, &done, &budget);
    b.h->states = true;
    map_free(&done);
}

void exploration_forget_numbers(Exploration *x)
{
    const History *h = exploration_history(x);
    Numbering *num = &x->numbering;
    if (num->next == h->nodes.len && !num->graphs)
        return;
    map_free(&num->of);
    num->of = (PtrMap){0};
    num->graphs = 0;
    num->next = 0;
    for (size_t i = 0; i < h->nodes.len; i++, num->next = (u32)i)
        if (h->nodes.at[i])
            number_of(num, h->nodes.at[i]);
}

const Origin *exploration_origin(Exploration *x, const Node *n)
{
    return map_get(&exploration_history(x)->origins, n);
}

Node *exploration_node(Exploration *x, u32 k)
{
    const History *h = exploration_history(x);
    if (k > h->nodes.len)
        exploration_number_states(x);
    return k >= 1 && k <= h->nodes.len ? h->nodes.at[k - 1] : NULL;
}

void history_free(History *h)
{
    if (!h)
        return;
    map_free(&h->seen);
    map_free(&h->origins);
    vec_free(&h->nodes);
    arena_free(&h->arena);
    free(h);
}
