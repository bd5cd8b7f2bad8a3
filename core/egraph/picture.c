/* Pictures of e-graphs: see picture.h. */
#include "egraph/picture.h"

typedef struct {
    EGraph *g;
    EgPicture *p;
    Choices chosen;
    SET(TermId) seen; /* class + 1 */
    SET(TermId) roots;
    TermList queue; /* classes, in the order in which they are drawn if there is room */
} Painter;

static TermId key_of(TermId t) { return t + 1; }

static TermId chosen_of(const Painter *w, TermId class)
{
    TermId t = map_get(&w->chosen, key_of(class));
    return t ? t - 1 : NO_TERM;
}

static void meet(Painter *w, TermId t)
{
    TermId c = eg_find(w->g, t);
    if (set_add(&w->seen, key_of(c)))
        vec_push(&w->queue, c);
}

static void meet_operands(Painter *w, TermId t)
{
    for (u32 i = 0; i < eg_node(w->g, t)->nops; i++)
        meet(w, eg_term(w->g, t)->kids[i]);
}

/* The e-node of its class that looks like n: n itself may be a term that was left out for it. */
static TermId live_term(EGraph *g, Node *n)
{
    TermId t = eg_add(g, n);
    const EClass *c = eg_class(g, t);
    for (size_t i = 0; i < c->terms.len && eg_term(g, t)->dup; i++) {
        const Term *x = eg_term(g, t), *y = eg_term(g, c->terms.at[i]);
        if (!y->dup && x->key == y->key && x->node->op == y->node->op)
            return c->terms.at[i];
    }
    return t;
}

static void choose(Painter *w, const CostModel *m, bool freely, int n, Node *const *roots,
                   Node *const *out)
{
    NodeVec order = {0};
    if (!out) {
        Onward onward;
        onward_open(&onward, w->g, freely);
        w->p->cost = eg_estimate(w->g, &onward, m, n, roots, &w->chosen);
        onward_close(&onward);
        return;
    }
    w->p->cost = roots_cost(w->g->st, m, n, out);
    nodes_topo(n, out, &order);
    for (size_t i = 0; i < order.len; i++) {
        TermId t = live_term(w->g, order.at[i]);
        map_put(&w->chosen, key_of(eg_find(w->g, t)), key_of(t));
    }
    vec_free(&order);
}

/* The order of classes: those of the cheapest term, then what all their e-nodes need, by distance.
 */
static void line_up(Painter *w, int n, Node *const *roots)
{
    for (int i = 0; i < n; i++) {
        TermId t = eg_add(w->g, roots[i]);
        meet(w, t);
        set_add(&w->roots, key_of(eg_find(w->g, t)));
    }
    for (size_t i = 0; i < w->queue.len; i++)
        if (chosen_of(w, w->queue.at[i]) != NO_TERM)
            meet_operands(w, chosen_of(w, w->queue.at[i]));
    for (size_t i = 0; i < w->queue.len && w->queue.len < PICTURE_NEAR; i++) {
        const EClass *c = eg_class(w->g, w->queue.at[i]);
        for (size_t k = 0; k < c->terms.len; k++)
            meet_operands(w, c->terms.at[k]);
    }
}

/* What is near one class, by distance: operands and users. */
static void line_up_near(Painter *w, TermId focus, u32 most)
{
    meet(w, focus);
    for (size_t i = 0; i < w->queue.len && w->queue.len < most; i++) {
        const EClass *c = eg_class(w->g, w->queue.at[i]);
        for (size_t k = 0; k < c->terms.len; k++)
            meet_operands(w, c->terms.at[k]);
        for (size_t k = 0; k < c->parents.len; k++)
            meet(w, c->parents.at[k]);
    }
}

static void paint_term(Painter *w, u32 class, TermId t, bool chosen)
{
    Node *n = eg_node(w->g, t);
    TermId *kids = arena_alloc(&w->p->arena, (n->nops + 1) * sizeof *kids);
    for (u32 i = 0; i < n->nops; i++)
        kids[i] = eg_find(w->g, eg_term(w->g, t)->kids[i]);
    vec_push(&w->p->terms, ((PictureNode){n, class, kids, chosen}));
}

static void paint_class(Painter *w, TermId class)
{
    const EClass *c = eg_class(w->g, class);
    TermId best = chosen_of(w, class);
    u32 place = (u32)w->p->at.len;
    PictureClass x = {.term = class, .first = (u32)w->p->terms.len, .chosen = best != NO_TERM};
    x.root = map_has(&w->roots, key_of(class));
    if (best != NO_TERM)
        paint_term(w, place, best, true);
    for (size_t i = 0; i < c->terms.len; i++) {
        TermId t = c->terms.at[i];
        if (t == best || eg_term(w->g, t)->dup)
            continue;
        if (w->p->terms.len - x.first < PICTURE_CLASS)
            paint_term(w, place, t, false);
        else
            x.left_out++;
    }
    x.count = (u32)w->p->terms.len - x.first;
    vec_push(&w->p->at, x);
}

static void picture_free(EgPicture *p)
{
    if (!p)
        return;
    vec_free(&p->at);
    vec_free(&p->terms);
    arena_free(&p->arena);
    free(p);
}

static void keep(EgPictures *all, EgPicture *p)
{
    EgPicture **last = all->at.len ? &all->at.at[all->at.len - 1] : NULL;
    if (last && ((*last)->iteration == p->iteration || all->only >= 0 ||
                 all->at.len > PICTURE_ITERATIONS)) {
        picture_free(*last);
        *last = p;
    } else
        vec_push(&all->at, p);
}

void egraph_picture(EgPictures *all, EGraph *g, const CostModel *m, bool freely, u32 iteration,
                    int n, Node *const *roots, Node *const *out)
{
    if (all->only >= 0 && iteration > all->only)
        return;
    Painter w = {.g = g, .p = xcalloc(1, sizeof *w.p)};
    w.p->iteration = iteration;
    w.p->nodes = g->live;
    w.p->classes = g->nclasses;
    choose(&w, m, freely, n, roots, out);
    TermId focus = all->focus ? map_get(&g->of, all->focus) : 0; /* + 1 */
    all->focus_seen = all->focus_seen || focus;
    if (focus)
        line_up_near(&w, focus - 1, all->most ? all->most : PICTURE_NEAR);
    else
        line_up(&w, n, roots);
    u32 room = all->most ? UINT32_MAX : PICTURE_NODES, most = all->most ? all->most : UINT32_MAX;
    for (u32 i = 0; i < w.queue.len && i < most && w.p->terms.len + PICTURE_CLASS <= room; i++)
        paint_class(&w, w.queue.at[i]);
    keep(all, w.p);
    map_free(&w.chosen);
    map_free(&w.seen);
    map_free(&w.roots);
    vec_free(&w.queue);
}

void egraph_pictures_free(EgPictures *all)
{
    for (size_t i = 0; i < all->at.len; i++)
        picture_free(all->at.at[i]);
    vec_free(&all->at);
}
