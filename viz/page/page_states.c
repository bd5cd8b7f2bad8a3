/* The rows of the list of steps, and the graphs between which they lead.
 *
 * A row of an inner graph is shown where it happens: the graph outside is rebuilt
 * around the body as far as it has come.
 *
 * Invariant: row.before and row.after are states of the same view; a user that was
 * only rebuilt around an unfinished body keeps the number it had. */
#include "graph/names.h"
#include "viz/page/page_parts.h"
#include "viz/scene/scene_build.h"

enum { SHOWN_DEPTH = 4, MAX_INSIDE = 32, MAX_LISTED = 400 };

/* A log whose owner stands in an outer graph; the chain leads outwards. */
typedef struct Level {
    const struct Level *up;
    Node *owner;
    Graph *body;
    int n;
    Node *const *roots; /* of the outer graph, before the owner's step */
} Level;

u32 number_or_0(Pager *p, const Node *n)
{
    return node_is_inline(n) || !map_has(&p->num->of, n) ? 0 : number_of(p->num, n);
}

/* ---- states ---- */

/* Notes the node of each number, for what the page tells of it. */
static void meet(Pager *p, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *node = order.at[i];
        if (map_has(&p->met, node))
            continue;
        map_put(&p->met, node, node);
        u32 k = number_or_0(p, node);
        while (k && p->nodes.len < k)
            vec_push(&p->nodes, NULL);
        if (k && !p->nodes.at[k - 1])
            p->nodes.at[k - 1] = node;
        int slots[4], count = node_graphs(node, slots);
        for (int g = 0; g < count; g++) {
            Graph *body = node->attrs[slots[g]].graph;
            if (!map_has(&p->met, body)) {
                map_put(&p->met, body, body);
                meet(p, body->nouts, body->outs);
            }
        }
    }
    vec_free(&order);
}

static int add_state(Pager *p, int n, Node *const *roots, Pairs *moved)
{
    SceneOptions so = {0};
    State s = {.parent = p->state, .scene = scene_from_graph(p->st, p->num, n, roots, &so)};
    s.moved = *moved;
    s.since = p->since;
    meet(p, n, roots);
    *moved = (Pairs){0};
    vec_push(&p->view->states, s);
    return (int)p->view->states.len - 1;
}

static int by_numbers(const void *a, const void *b)
{
    const Pair *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void add_pairs(Pager *p, const PtrMap *moved, Pairs *out)
{
    size_t first = out->len;
    for (size_t i = 0; i < moved->cap; i++) {
        if (!moved->keys || !moved->keys[i] || moved->keys[i] == moved->vals[i])
            continue;
        Pair pair = {number_or_0(p, moved->keys[i]), number_or_0(p, moved->vals[i])};
        if (pair.from && pair.to && pair.from != pair.to)
            vec_push(out, pair);
    }
    /* the order in the map is that of addresses */
    if (out->len > first)
        qsort(out->at + first, out->len - first, sizeof *out->at, by_numbers);
}

/* What is built anew only for the time of inner steps shows the number of what it stands for. */
static void keep_numbers(Pager *p, const PtrMap *moved)
{
    for (size_t i = 0; i < moved->cap; i++) {
        const Node *was = moved->keys ? moved->keys[i] : NULL, *is = was ? moved->vals[i] : NULL;
        if (was && is != was && !node_is_inline(is) && !map_has(&p->num->of, is) &&
            map_has(&p->num->of, was))
            map_put(&p->num->of, is, map_get(&p->num->of, was));
    }
}

static Node *with_body(Pager *p, const Level *l, Node *const *outs)
{
    Graph *b = l->body, *g = graph_make(p->st, b->nparams, b->params, b->nouts, outs);
    graph_names_share(p->st, b, g);
    Attr attrs[16];
    if (l->owner->nattrs > COUNT_OF(attrs))
        return NULL;
    memcpy(attrs, l->owner->attrs, l->owner->nattrs * sizeof *attrs);
    int slots[4], n = node_graphs(l->owner, slots);
    for (int i = 0; i < n; i++)
        if (attrs[slots[i]].graph == b) {
            attrs[slots[i]].graph = g;
            break;
        }
    return node_with_attrs(p->st, l->owner, attrs);
}

/* The outermost graph with this body in its place. False if it cannot be built. */
static bool lift(Pager *p, const Level *l, int n, Node *const *roots, Pairs *moved)
{
    if (!l) {
        p->state = add_state(p, n, roots, moved);
        return true;
    }
    Node *owner = with_body(p, l, roots);
    bool ok = owner != NULL && type_compatible(p->st, owner->type, l->owner->type);
    Node **outer = xmalloc(((size_t)l->n + 1) * sizeof *outer);
    PtrMap memo = {0};
    if (ok)
        map_put(&memo, l->owner, owner);
    for (int i = 0; ok && i < l->n; i++)
        ok = (outer[i] = node_substitute(p->st, l->roots[i], &memo)) != NULL;
    if (ok) {
        keep_numbers(p, &memo);
        add_pairs(p, &memo, moved);
        ok = lift(p, l->up, l->n, outer, moved);
    }
    map_free(&memo);
    free(outer);
    return ok;
}

/* Errors met on the way are not the user's. */
static bool lift_quietly(Pager *p, const Level *l, int n, Node *const *roots, Pairs *moved)
{
    Diags quiet = {0}, *loud = p->st->diags;
    p->st->diags = &quiet;
    bool ok = lift(p, l, n, roots, moved);
    p->st->diags = loud;
    diags_free(&quiet);
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

static void cone_put(PtrMap *set, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        map_put(set, order.at[i], order.at[i]);
    vec_free(&order);
}

/* The change as text, with the nodes that it brought in; these are also put in *all. */
static void tell_change(Pager *p, Row *row, const Change *c, PtrMap *known, NodeVec *all)
{
    bool whole = row->step->inner != NULL;
    if (row->changes.len == MAX_LISTED)
        return;
    RowChange told = {.before = number_or_0(p, c->before),
                      .after = number_or_0(p, c->after),
                      .before_text = side_text(p, c->before, whole),
                      .after_text = side_text(p, c->after, whole)};
    NodeVec order = {0};
    nodes_topo(1, &c->after, &order);
    for (size_t i = 0; i < order.len; i++) {
        if (map_has(known, order.at[i]))
            continue;
        map_put(known, order.at[i], order.at[i]);
        vec_push(all, order.at[i]);
        u32 k = number_or_0(p, order.at[i]);
        if (k && told.made.len < MAX_LISTED)
            vec_push(&told.made, k);
    }
    vec_free(&order);
    vec_push(&row->changes, told);
}

static Node *tuple_of(const Node *n) { return n->op == OP_PROJ ? n->ops[0] : NULL; }

/* Results of one node that become those of another are told as one change. */
static void tell_changes(Pager *p, Row *row, PtrMap *known, NodeVec *made)
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
        tell_change(p, row, &whole, known, made);
    for (int i = 0; i < s->nchanges; i++)
        if (alike < 2 || tuple_of(s->changes[i].before) != whole.before ||
            tuple_of(s->changes[i].after) != whole.after)
            tell_change(p, row, &s->changes[i], known, made);
}

/* ---- rows ---- */

static bool run_log(Pager *p, const StepLog *log, u32 from, u32 count, int n, Node **roots,
                    const Level *up, const char *number, int depth);

static void run_inside(Pager *p, const Step *s, int n, Node **roots, const Level *up,
                       const char *number, int depth)
{
    Graph *g = s->inner_before;
    Level here = {.up = up, .owner = s->changes[0].before, .body = g, .n = n, .roots = roots};
    Node **outs = xmalloc(((size_t)g->nouts + 1) * sizeof *outs);
    memcpy(outs, g->outs, (size_t)g->nouts * sizeof *outs);
    map_put(&p->shown, s->inner, p);
    const Graph *around = p->num->within;
    p->num->within = g;
    run_log(p, s->inner, 0, (u32)s->inner->at.len, g->nouts, outs, &here, number, depth);
    p->num->within = around;
    free(outs);
}

/* Takes the roots through the step; *moved gets what became what. */
static bool apply(Pager *p, const Step *s, int n, Node **roots, PtrMap *moved)
{
    NameScope scope;
    const Graph *within = p->num->within;
    bool ok = true;
    for (int i = 0; i < s->nchanges; i++)
        map_put(moved, s->changes[i].before, s->changes[i].after);
    if (within)
        names_open(p->st, &scope, within);
    for (int i = 0; i < n && ok; i++) {
        Node *root = node_substitute(p->st, roots[i], moved);
        ok = root != NULL;
        roots[i] = ok ? root : roots[i];
    }
    if (within) {
        names_keep(p->st, &scope);
        names_close(p->st, &scope, NULL);
    }
    return ok;
}

/* A user that was rebuilt is the same as before but for its operands. */
static void note_alike(Pager *p, Pair pair)
{
    while (p->alike.len < pair.to)
        vec_push(&p->alike, 0);
    u32 like = pair.from <= p->alike.len ? p->alike.at[pair.from - 1] : 0;
    if (pair.to > pair.from && !p->alike.at[pair.to - 1])
        p->alike.at[pair.to - 1] = like ? like : pair.from;
}

static void tell_moved(Pager *p, Row *row, const Pairs *moved)
{
    for (size_t i = 0; i < moved->len; i++) {
        bool change = false;
        for (size_t k = 0; k < row->changes.len; k++)
            change = change || row->changes.at[k].before == moved->at[i].from;
        if (change)
            continue;
        vec_push(&row->moved, moved->at[i]);
        note_alike(p, moved->at[i]);
    }
}

/* What a rule replaces by another operator does not become it: one goes and the other comes. */
static void drop_replaced(Pager *p, const Step *s, Pairs *pairs)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairs->len; i++) {
        bool other = false;
        for (int k = 0; k < s->nchanges && !other; k++) {
            const Change *c = &s->changes[k];
            other = c->before->op != c->after->op && number_or_0(p, c->before) == pairs->at[i].from;
        }
        if (!other)
            pairs->at[kept++] = pairs->at[i];
    }
    pairs->len = kept;
}

/* What a derivative gives keeps its place while it is taken apart; it gets its number here, in the
 * order of the results. */
static void pair_results(Pager *p, const Step *s, Pairs *pairs)
{
    for (int i = 0; i < s->nchanges; i++) {
        const Node *a = s->changes[i].before, *b = s->changes[i].after;
        if (a->op == OP_PROJ && b->op == OP_PROJ)
            vec_push(pairs, ((Pair){number_of(p->num, a), number_of(p->num, b)}));
    }
}

static bool run_step(Pager *p, const Step *s, int n, Node **roots, const Level *up, Row *row)
{
    PtrMap moved = {0}, known = {0};
    NodeVec made = {0};
    Pairs pairs = {0};
    State extra = {0};
    cone_put(&known, n, roots);
    bool ok = apply(p, s, n, roots, &moved);
    tell_changes(p, row, &known, &made);
    if (p->opened)
        pair_results(p, s, &pairs);
    add_pairs(p, &moved, &pairs);
    tell_moved(p, row, &pairs);
    drop_replaced(p, s, &pairs);
    if (!s->inner)
        pair_owners(p, s, &made, &pairs, &extra);
    size_t size = nodes_count(n, roots), states = p->view->states.len;
    if (ok && up && p->budget < size)
        p->cut = true;
    else if (ok && lift_quietly(p, up, n, roots, &pairs) && up)
        p->budget -= size;
    if (p->view->states.len > states)
        p->view->states.at[states].loops.at = extra.loops.at,
        p->view->states.at[states].loops.len = extra.loops.len;
    else
        vec_free(&extra.loops);
    vec_free(&pairs);
    vec_free(&made);
    map_free(&moved);
    map_free(&known);
    return ok;
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
    } else if (step_opens(s) && step_open(p->st, s, &o.steps)) {
        o.log = &o.steps.log;
        o.n = o.steps.n;
        o.start = o.steps.start;
    } else {
        opened_free(&o.steps);
        return;
    }
    Opening *kept = xmalloc(sizeof *kept);
    *kept = o;
    kept->log = o.log == &o.steps.log ? &kept->steps.log : o.log;
    kept->number = xstrdup(number);
    vec_push(&p->openings, kept);
}

static bool run_log(Pager *p, const StepLog *log, u32 from, u32 count, int n, Node **roots,
                    const Level *up, const char *number, int depth)
{
    bool ok = true;
    for (u32 i = from; ok && i < from + count && i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        Text own = {0};
        if (!up)
            p->since = p->state;
        text_printf(&own, "%s%s%u", number, *number ? "." : "", i + 1);
        size_t at = p->view->rows.len;
        vec_push(&p->view->rows,
                 ((Row){.step = s, .depth = depth, .number = text_take(&own), .before = p->state}));
        note_opening(p, s, p->view->rows.at[at].number, depth);
        if (s->inner && !p->opened && !s->again && depth < MAX_INSIDE &&
            !map_has(&p->shown, s->inner)) {
            run_inside(p, s, n, roots, up, p->view->rows.at[at].number, depth + 1);
            p->view->rows.at[at].whole = p->view->rows.len > at + 1;
        }
        Row row = p->view->rows.at[at];
        ok = run_step(p, s, n, roots, up, &row);
        row.after = p->state;
        p->view->rows.at[at] = row;
    }
    return ok;
}

void view_source(Pager *p, View *v, int n, Node *const *roots)
{
    Pairs none = {0};
    p->view = v;
    p->state = -1;
    p->since = 0;
    p->state = add_state(p, n, roots, &none);
}

bool view_pass(Pager *p, View *v, const PassRun *run, int n, Node **roots)
{
    view_source(p, v, n, roots);
    v->run = run;
    return run_log(p, &p->x->log, run->first_step, run->steps, n, roots, NULL, "", 0);
}

bool view_opened(Pager *p, View *v, const Opening *o)
{
    Node **roots = xmalloc(((size_t)o->n + 1) * sizeof *roots);
    memcpy(roots, o->start, (size_t)o->n * sizeof *roots);
    p->opened = true;
    p->num->within = o->within;
    view_source(p, v, o->n, roots);
    bool ok =
        run_log(p, o->log, 0, (u32)o->log->at.len, o->n, roots, NULL, o->number, o->depth + 1);
    p->opened = false;
    p->num->within = NULL;
    free(roots);
    return ok;
}

void opening_free(Opening *o)
{
    if (o->log == &o->steps.log)
        opened_free(&o->steps);
    free(o->number);
    free(o);
}

void view_free(View *v)
{
    for (size_t i = 0; i < v->rows.len; i++) {
        Row *r = &v->rows.at[i];
        for (size_t k = 0; k < r->changes.len; k++) {
            free(r->changes.at[k].before_text);
            free(r->changes.at[k].after_text);
            vec_free(&r->changes.at[k].made);
        }
        vec_free(&r->changes);
        vec_free(&r->moved);
        free(r->number);
    }
    for (size_t i = 0; i < v->states.len; i++) {
        scene_free(v->states.at[i].scene);
        vec_free(&v->states.at[i].moved);
        vec_free(&v->states.at[i].loops);
    }
    vec_free(&v->rows);
    vec_free(&v->states);
}
