/* The rows of the list of steps, and the graphs between which they lead.
 *
 * A row of an inner graph is shown where it happens: the graph outside is rebuilt
 * around the body as far as it has come.
 *
 * Invariant: row.before and row.after are states of the same view; every node of a state is a thing
 * (rewrite/things.h), also what is built only to show a body as far as it has come. */
#include "rewrite/history.h"
#include "viz/page/page_parts.h"
#include "viz/scene/scene_build.h"
#include "surface/surface.h"

enum { SHOWN_DEPTH = 4, MAX_INSIDE = 32, MAX_LISTED = 400 };

/* A log whose owner stands in an outer graph; the chain leads outwards. */
typedef struct Level {
    const struct Level *up;
    const Step *step;    /* the owner's */
    const Graph *within; /* the outer graph */
    int n;
    Node *const *roots; /* of the outer graph, before that step */
} Level;

/* The node's number; 0: it is written into its users, or has none yet. */
static u32 number_or_0(Pager *p, const Node *n)
{
    return node_is_inline(n) ? 0 : number_of(p->num, n);
}

/* ---- states ---- */

/* Notes a node of each number, for what the page tells of it. */
static void meet(Pager *p, const Graph *within, int n, Node *const *roots)
{
    NodeVec order = {0};
    const Graph *around = p->num->within;
    p->num->within = within;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *node = order.at[i];
        u32 k = number_or_0(p, node);
        while (p->known.len < k)
            vec_push(&p->known, (Known){0});
        if (k && !p->known.at[k - 1].node)
            p->known.at[k - 1] = (Known){node, within, thing_of(p->x->things, within, node), false};
        if (k)
            p->known.at[k - 1].stays = p->last;
        int slots[4], count = node_graphs(node, slots);
        for (int g = 0; g < count; g++) {
            Graph *body = node->attrs[slots[g]].graph;
            if (!map_has(&p->met, body)) {
                set_add(&p->met, body);
                meet(p, body, body->nouts, body->outs);
            }
        }
    }
    p->num->within = around;
    vec_free(&order);
}

static Node **copy_roots(int n, Node *const *roots)
{
    Node **copy = xmalloc(((size_t)n + 1) * sizeof *copy);
    memcpy(copy, roots, (size_t)n * sizeof *copy);
    return copy;
}

/* The scene of roots, marked by what differs from a state of the view (-1: unmarked). */
static Scene *scene_since(Pager *p, int state, int n, Node *const *roots)
{
    const Graph *around = p->num->within;
    SceneOptions so = {.before = state < 0 ? NULL : p->view->states.at[state].roots,
                       .no_ghosts = true,
                       .bare = true,
                       .unnumbered = true};
    p->num->within = p->graph;
    Scene *scene = scene_from_graph(p->st, p->num, n, roots, &so);
    p->num->within = around;
    return scene;
}

static int add_state(Pager *p, int n, Node *const *roots)
{
    State s = {.parent = p->state,
               .scene = scene_since(p, p->state, n, roots),
               .roots = copy_roots(n, roots),
               .n = n};
    meet(p, p->graph, n, roots);
    state_tell(p, &s);
    vec_push(&p->view->states, s);
    return (int)p->view->states.len - 1;
}

/* The outermost graph with this body in its place. False if it cannot be built. */
static bool lift(Pager *p, const Level *l, int n, Node *const *roots)
{
    if (!l) {
        p->state = add_state(p, n, roots);
        return true;
    }
    Node *owner = step_owner_with(p->st, l->step, roots);
    Node **outer = copy_roots(l->n, l->roots);
    NodeMap memo = {0};
    bool ok = owner != NULL;
    if (ok)
        map_put(&memo, l->step->changes[0].before, owner);
    for (int i = 0; ok && i < l->n; i++)
        ok = (outer[i] = node_substitute(p->st, l->roots[i], &memo)) != NULL;
    if (ok) {
        things_adopt(p->x, l->within, &memo, l->n, outer);
        ok = lift(p, l->up, l->n, outer);
    }
    map_free(&memo);
    free(outer);
    return ok;
}

/* Errors met on the way are not the user's. */
static bool lift_quietly(Pager *p, const Level *l, int n, Node *const *roots)
{
    DiagTry trial;
    diag_try_begin(&trial, &p->st->diags);
    bool ok = lift(p, l, n, roots);
    diag_try_end(&trial);
    return ok;
}

/* ---- what a step says ---- */

static char *side_text(Pager *p, Node *n, bool short_form)
{
    Text raw = {0}, out = {0};
    if (short_form)
        operand_print(&raw, n, p->num);
    else
        node_source_numbered(p->st, &raw, n, p->num, SHOWN_DEPTH);
    for (size_t i = 0; i < raw.len; i++)
        if (raw.at[i] != '\n')
            text_putc(&out, raw.at[i]);
        else if (out.len && out.at[out.len - 1] != ' ')
            text_putc(&out, ' ');
    text_free(&raw);
    return text_take(&out);
}

static void tell_change(Pager *p, Row *row, const Change *c)
{
    bool whole = row->step->inner != NULL;
    RowChange told = {.before = number_or_0(p, c->before),
                      .after = number_or_0(p, c->after),
                      .before_text = side_text(p, c->before, whole),
                      .after_text = side_text(p, c->after, whole)};
    if (row->changes.len < MAX_LISTED)
        vec_push(&row->changes, told);
}

static Node *tuple_of(const Node *n) { return n->op == OP_PROJ ? n->ops[0] : NULL; }

/* Results of one node that become those of another are told as one change. */
static void tell_changes(Pager *p, Row *row)
{
    const Step *s = row->step;
    Change whole = {0};
    int alike = 0;
    for (int i = 0; i < s->nchanges; i++) {
        Node *a = tuple_of(s->changes[i].before), *b = tuple_of(s->changes[i].after);
        if (!whole.before && a && b && a != b)
            whole = (Change){a, b};
        alike += whole.before && a == whole.before && b == whole.after;
    }
    if (alike > 1)
        tell_change(p, row, &whole);
    for (int i = 0; i < s->nchanges; i++)
        if (alike < 2 || tuple_of(s->changes[i].before) != whole.before ||
            tuple_of(s->changes[i].after) != whole.after)
            tell_change(p, row, &s->changes[i]);
}

/* ---- rows ---- */

static bool run_log(Pager *p, const StepLog *log, u32 from, u32 count, int n, Node **roots,
                    const Level *up, const char *number, int depth);

static void run_inside(Pager *p, const Step *s, int n, Node **roots, const Level *up,
                       const char *number, int depth)
{
    Graph *g = s->inner_before;
    const Graph *around = p->num->within;
    Level here = {.up = up, .step = s, .within = around, .n = n, .roots = roots};
    Node **outs = copy_roots(g->nouts, g->outs);
    set_add(&p->shown, s->inner);
    p->num->within = g;
    run_log(p, s->inner, 0, (u32)s->inner->at.len, g->nouts, outs, &here, number, depth);
    p->num->within = around;
    free(outs);
}

/* Takes the roots through the step. */
static bool apply(Pager *p, const Step *s, int n, Node **roots)
{
    NodeMap moved = {0};
    bool ok = true;
    for (int i = 0; i < s->nchanges; i++)
        map_put(&moved, s->changes[i].before, s->changes[i].after);
    for (int i = 0; i < n && ok; i++) {
        Node *root = node_substitute(p->st, roots[i], &moved);
        ok = root != NULL;
        roots[i] = ok ? root : roots[i];
    }
    map_free(&moved);
    return ok;
}

static bool shows_thing(const Scene *s, u32 thing)
{
    for (size_t i = 0; i < s->nodes.len; i++)
        if (s->nodes.at[i].thing == thing)
            return true;
    return false;
}

/* A result is drawn only where it is an output: those of one state that go on in the other, where
 * they are drawn no longer or not yet. */
static void note_kept(Pager *p, Row *row, const State *one, const State *other)
{
    for (size_t i = 0; i < one->scene->nodes.len; i++) {
        const SceneNode *n = &one->scene->nodes.at[i];
        if (n->role == ROLE_OUTPUT && n->id && !shows_thing(other->scene, n->thing) &&
            thing_in_state(p->x, thing_numbered(p->x, (u32)n->id), other->n, other->roots, NULL))
            vec_push(&row->kept, (int)n->id);
    }
}

/* The row leads to the current state. */
static void arrive(Pager *p, Row *row)
{
    row->after = p->state;
    const State *was = &p->view->states.at[row->before], *is = &p->view->states.at[row->after];
    if (is->parent != row->before && is != was)
        row->scene = scene_since(p, row->before, is->n, is->roots);
    note_kept(p, row, was, is);
    note_kept(p, row, is, was);
}

static bool skips_states(const Pager *p, const Level *up) { return !up && p->stride > 1; }

/* The roots after the first k steps, where several share a picture: of the whole graph, those
 * between were not built. */
static bool catch_up(Pager *p, u32 k, Node **roots)
{
    return p->opened || things_replay(p->x, k, roots);
}

/* The rows that wait lead to the graph after the first k steps. */
static bool settle(Pager *p, u32 k, int n, Node **roots)
{
    size_t end = p->view->rows.len, first = end - p->waiting;
    if (!p->waiting)
        return true;
    p->waiting = 0;
    if (!catch_up(p, k, roots))
        return false;
    p->state = add_state(p, n, roots);
    for (size_t i = first; i < end; i++)
        arrive(p, &p->view->rows.at[i]);
    return true;
}

/* A step where several share a picture: it waits until enough have come together. What has rows of
 * its own below, which may have led to other states, does not. */
static bool run_skipping(Pager *p, const Step *s, u32 k, int n, Node **roots, size_t at)
{
    Row *row = &p->view->rows.at[at];
    tell_changes(p, row);
    if (p->opened && !apply(p, s, n, roots))
        return false;
    if (!row->whole)
        return ++p->waiting < p->stride || settle(p, k, n, roots);
    if (!catch_up(p, k, roots))
        return false;
    p->state = add_state(p, n, roots);
    arrive(p, row);
    return true;
}

static bool run_step(Pager *p, const Step *s, int n, Node **roots, const Level *up, size_t at)
{
    bool ok = apply(p, s, n, roots);
    Row *row = &p->view->rows.at[at];
    tell_changes(p, row);
    if (!ok)
        return false;
    size_t size = up ? nodes_count(n, roots) : 0;
    if (up && p->budget < size)
        p->cut = true;
    else if (lift_quietly(p, up, n, roots) && up)
        p->budget -= size;
    arrive(p, row);
    return true;
}

/* Child steps of a derivative, and those of a body's derivative among them, get views of their own:
 * there is no room for all in one. */
static void note_opening(Pager *p, const Step *s, const char *number, int depth)
{
    Opening o = {.depth = depth};
    if (s->again || depth >= MAX_INSIDE)
        return;
    if (p->opened && s->inner) {
        o.log = s->inner;
        o.n = s->inner_before->nouts;
        o.start = s->inner_before->outs;
        o.within = s->inner_before;
    } else {
        const Opened *steps = exploration_opened(p->x, s);
        if (!steps)
            return;
        o.log = &steps->log;
        o.n = steps->n;
        o.start = steps->start;
        o.within = p->num->within; /* the graph that the step is in */
    }
    o.number = xstrdup(number);
    vec_push(&p->openings, o);
}

/* Step k is next, of the whole or of one that opens. */
static void tell_progress(const Pager *p, u32 k)
{
    if (p->options->progress && !p->opened && p->x->log.at.len)
        p->options->progress(p->options->ctx, (double)k / (double)p->x->log.at.len);
}

static bool run_log(Pager *p, const StepLog *log, u32 from, u32 count, int n, Node **roots,
                    const Level *up, const char *number, int depth)
{
    bool ok = true;
    for (u32 i = from; ok && i < from + count && i < log->at.len; i++) {
        if (store_stops(p->st))
            return false;
        const Step *s = &log->at.at[i];
        Text own = {0};
        if (!up)
            tell_progress(p, i);
        text_printf(&own, "%s%s%u", number, *number ? "." : "", i + 1);
        bool inside = s->inner && !p->opened && !s->again && depth < MAX_INSIDE &&
                      !map_has(&p->shown, s->inner);
        if (inside && !settle(p, i, n, roots))
            return false;
        size_t at = p->view->rows.len;
        vec_push(&p->view->rows,
                 ((Row){.step = s, .depth = depth, .number = text_take(&own), .before = p->state}));
        note_opening(p, s, p->view->rows.at[at].number, depth);
        if (inside) {
            run_inside(p, s, n, roots, up, p->view->rows.at[at].number, depth + 1);
            p->view->rows.at[at].whole = p->view->rows.len > at + 1;
        }
        ok = skips_states(p, up) ? run_skipping(p, s, i + 1, n, roots, at)
                                 : run_step(p, s, n, roots, up, at);
    }
    return ok;
}

void pager_end(Pager *p, int n, Node *const *roots)
{
    map_free(&p->met); /* to meet all of it once more */
    p->last = true;
    meet(p, NULL, n, roots);
}

void view_source(Pager *p, View *v, int n, Node *const *roots)
{
    p->view = v;
    p->state = -1;
    p->state = add_state(p, n, roots);
}

bool view_pass(Pager *p, const PassRun *run, int n, Node **roots)
{
    u32 end = run->first_step + run->steps;
    return run_log(p, &p->x->log, run->first_step, run->steps, n, roots, NULL, "", 0) &&
           settle(p, end, n, roots);
}

bool view_opened(Pager *p, View *v, const Opening *o, u32 stride)
{
    Node **roots = copy_roots(o->n, o->start);
    View *view = p->view;
    int state = p->state;
    u32 around = p->stride;
    p->opened = true;
    p->stride = stride;
    p->graph = p->num->within = o->within;
    view_source(p, v, o->n, roots);
    u32 end = (u32)o->log->at.len;
    bool ok = run_log(p, o->log, 0, end, o->n, roots, NULL, o->number, o->depth + 1) &&
              settle(p, end, o->n, roots);
    p->opened = false;
    p->stride = around;
    p->graph = p->num->within = NULL;
    p->view = view;
    p->state = state;
    free(roots);
    return ok;
}

void view_free(View *v)
{
    for (size_t i = 0; i < v->rows.len; i++) {
        Row *r = &v->rows.at[i];
        for (size_t k = 0; k < r->changes.len; k++) {
            free(r->changes.at[k].before_text);
            free(r->changes.at[k].after_text);
        }
        vec_free(&r->changes);
        scene_free(r->scene);
        vec_free(&r->kept);
        vec_free(&r->changed_nodes);
        vec_free(&r->changed_boxes);
        free(r->number);
    }
    for (size_t i = 0; i < v->states.len; i++) {
        scene_free(v->states.at[i].scene);
        free(v->states.at[i].roots);
        free(v->states.at[i].sentence);
        free(v->states.at[i].program);
    }
    vec_free(&v->rows);
    vec_free(&v->states);
}
