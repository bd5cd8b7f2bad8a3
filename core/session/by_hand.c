/* A derivation by hand; see by_hand.h.
 *
 * Invariant: states are in the order in which they were made, parents first, and those that a mark
 * knows come before all that were made after it. */
#include "session/by_hand.h"
#include "graph/provenance.h"

#include "session/undo.h"

/* ---- life ---- */

static void drop_states(struct ByHand *h, u32 from)
{
    while (h->states.len > from) {
        HandState *s = &h->states.at[--h->states.len];
        if (s->move)
            exploration_free(s->move);
        free(s->rule);
    }
}

static void drop_branches(struct ByHand *h, u32 from)
{
    while (h->branches.len > from)
        free(h->branches.at[--h->branches.len].name);
}

static void drop(Session *s, struct ByHand *h)
{
    if (!h || --h->needed)
        return;
    struct ByHand **at = &s->all_by_hand;
    while (*at != h)
        at = &(*at)->next;
    *at = h->next;
    drop_states(h, 0);
    drop_branches(h, 0);
    exploration_free(h->start);
    vec_free(&h->states);
    vec_free(&h->branches);
    free(h->text);
    free(h);
}

void hand_free(Session *s)
{
    drop(s, s->by_hand);
    s->by_hand = NULL;
}

void hand_collect(Session *s, Collection *c)
{
    for (struct ByHand *h = s->all_by_hand; h; h = h->next) {
        exploration_collect(h->start, c);
        for (size_t i = 0; i < h->states.len; i++)
            if (h->states.at[i].move)
                exploration_collect(h->states.at[i].move, c);
    }
}

/* ---- where one stands ---- */

u32 hand_state(const struct ByHand *h) { return h->branches.at[h->branch].state; }

u32 hand_length(const struct ByHand *h, u32 state)
{
    u32 n = 0;
    for (; h->states.at[state].move; state = h->states.at[state].parent)
        n++;
    return n;
}

Node *const *hand_roots(const struct ByHand *h, u32 state)
{
    const Exploration *x = h->states.at[state].move;
    x = x ? x : h->start;
    provenance_enter(x->st, x->provenance);
    return x->roots;
}

/* The state is about to be another one: nothing but that holds the graphs on the way. */
static void leave(Session *s)
{
    if (s->hand_steps)
        session_disown(s, s->hand_steps);
    s->hand_steps = NULL;
}

HandMark hand_mark(Session *s)
{
    struct ByHand *h = s->by_hand;
    if (!h)
        return (HandMark){0};
    h->needed++;
    return (HandMark){h, (u32)h->states.len, (u32)h->branches.len, h->branch, hand_state(h)};
}

void hand_unmark(Session *s, HandMark *m)
{
    drop(s, m->of);
    m->of = NULL;
}

void hand_restore(Session *s, HandMark *m)
{
    struct ByHand *was = s->by_hand;
    leave(s);
    s->by_hand = m->of; /* with the mark's need */
    if (m->of) {
        drop_branches(m->of, m->branches);
        m->of->branch = m->branch;
        m->of->branches.at[m->branch].state = m->state;
        drop_states(m->of, m->states);
    }
    m->of = NULL;
    drop(s, was);
}

/* ---- moving ---- */

void hand_begin(Session *s, const char *text, int n, Node *const *roots)
{
    struct ByHand *h = xcalloc(1, sizeof *h);
    undo_note_hand(s);
    leave(s);
    hand_free(s);
    h->needed = 1;
    h->began = s->definition_count;
    h->text = xstrdup(text);
    h->start = exploration_new(&s->st, n, roots);
    vec_push(&h->states, ((HandState){.parent = 0}));
    vec_push(&h->branches, ((HandBranch){xstrdup("main"), 0}));
    h->next = s->all_by_hand;
    s->all_by_hand = s->by_hand = h;
}

bool hand_move(Session *s, const HandMove *move, u32 at, u32 nth)
{
    struct ByHand *h = s->by_hand;
    u32 state = hand_state(h);
    Node *const *roots = hand_roots(h, state);
    Exploration *x = hand_apply(&s->st, s->rules, &s->options, h->start->nroots, roots, move);
    if (x)
        session_count_rules(s, x);
    if (!x || memory_short()) {
        exploration_free(x);
        return false;
    }
    undo_note_hand(s);
    vec_push(&h->states, ((HandState){state, x, xstrdup(move->rule->name), at, nth}));
    h->branches.at[h->branch].state = (u32)h->states.len - 1;
    leave(s);
    return true;
}

bool hand_branch(Session *s, const char *name)
{
    struct ByHand *h = s->by_hand;
    u32 k = 0;
    while (k < h->branches.len && strcmp(h->branches.at[k].name, name) != 0)
        k++;
    bool made = k == h->branches.len;
    if (k == h->branch)
        return false;
    undo_note_hand(s);
    if (made)
        vec_push(&h->branches, ((HandBranch){xstrdup(name), hand_state(h)}));
    h->branch = k;
    leave(s);
    return made;
}

/* ---- the way ---- */

static void append_to(Exploration *x, const struct ByHand *h, u32 state)
{
    const HandState *s = &h->states.at[state];
    if (!s->move)
        return;
    append_to(x, h, s->parent);
    exploration_append(x, s->move);
}

Exploration *hand_exploration(Session *s)
{
    const struct ByHand *h = s->by_hand;
    if (s->hand_steps) {
        session_note_last(s, s->hand_steps);
        return s->hand_steps;
    }
    provenance_enter(&s->st, h->start->provenance);
    Exploration *x = exploration_new(&s->st, h->start->nroots, h->start->roots);
    append_to(x, h, hand_state(h));
    vec_push(&x->passes, ((PassRun){.name = "by hand",
                                    .steps = (u32)x->log.at.len,
                                    .nodes_before = nodes_count(x->nroots, x->start),
                                    .nodes_after = nodes_count(x->nroots, x->roots),
                                    .stop = STOP_BY_HAND}));
    session_adopt(s, x);
    s->hand_steps = x;
    return x;
}
