/* The page: layouts, the data, and the template around them.
 *
 * Invariant: the template holds each of its marks once, in the order in which they are
 * filled; nothing that is filled in is searched for marks. */
#include "viz/page/page_build.h"
#include "embed/embed.h"
#include "viz/page/page_fold.h"
#include "viz/page/template.h"

enum {
    MOST_DRAWN = 500000,   /* nodes in all states of the whole graph */
    MOST_OPENED = 300000,  /* nodes in all states between child steps */
    INNER_BUDGET = 400000, /* nodes in all states inside bodies */
    FOLDED_FROM = 400,     /* nodes in a state from which on it is folded */
    FOLDED_TO = 150,       /* nodes that are drawn then, in all states */
};

/* ---- notes ---- */

static void add_note(PageStats *stats, const char *text)
{
    Text all = {0};
    if (stats->notes && strstr(stats->notes, text))
        return;
    text_printf(&all, "%s%s%s", stats->notes ? stats->notes : "", stats->notes ? "; " : "", text);
    free(stats->notes);
    stats->notes = text_take(&all);
}

static void add_count_note(PageStats *stats, const char *form, u32 count)
{
    Text t = {0};
    text_printf(&t, form, count);
    add_note(stats, text_str(&t));
    text_free(&t);
}

/* ---- views ---- */

typedef struct {
    Pager p;
    Data d;
    View views[2]; /* of the passes before the graph grows by far, and from there on */
    int view;      /* the present one */
    VEC(Part) parts;
    PageStats *stats;
    bool folded; /* some view is */
    /* Of the states between child steps: nodes that may still be drawn, the most steps that share a
     * picture, and steps for which nothing was left. */
    u64 opened_left;
    u32 opened_most, unopened;
} Page;

/* The most nodes that a state of a view shows. */
static size_t most_nodes(const View *v)
{
    size_t most = 0;
    for (size_t i = 0; i < v->states.len; i++)
        most = v->states.at[i].scene->nodes.len > most ? v->states.at[i].scene->nodes.len : most;
    return most;
}

typedef struct {
    Text layout, folded; /* as JSON */
} Laid;

static void laid_free(Laid *l)
{
    text_free(&l->layout);
    text_free(&l->folded);
}

/* What is large has one layout for all states, in which what repeats is drawn once. False if
 * nothing repeats. */
static bool lay_folded(Page *g, const Union *u, Laid *out)
{
    Layout places;
    Folded folded;
    if (!fold_build(u, FOLDED_TO, &folded))
        return false;
    union_layout(u, &places);
    layout_put(&(Json){.out = &out->layout}, &places, false);
    layout_free(&places);
    fold_put(&(Json){.out = &out->folded}, &folded, u);
    fold_free(&folded);
    g->folded = true;
    return true;
}

/* A view laid out, each pair of states alone, or, where that is needed, folded; the caller frees
 * all. */
static void lay_view(Page *g, View *v, Union *u, Laid *out)
{
    *out = (Laid){0};
    union_build(u, v);
    if (most_nodes(v) <= FOLDED_FROM || !lay_folded(g, u, out))
        stops_put(&(Json){.out = &out->layout}, u, v);
    g->stats->rows += (int)v->rows.len;
    g->stats->states += (int)v->states.len;
    g->stats->views++;
    if ((int)most_nodes(v) > g->stats->nodes)
        g->stats->nodes = (int)most_nodes(v);
}

/* How many child steps share a picture, so that the openings that come later have room too. */
static u32 opened_stride(Page *g, const Opening *o)
{
    u64 size = nodes_count(o->n, o->start), steps = o->log->at.len, left = g->opened_left;
    u64 stride = size * (steps + 1) <= left ? 1 : 1 + size * (steps + 1) / (left / 4 + 1);
    u64 drawn = size * (1 + (steps + stride - 1) / stride);
    g->opened_left = drawn < left ? left - drawn : 0;
    g->opened_most = stride > g->opened_most ? (u32)stride : g->opened_most;
    return (u32)stride;
}

static bool put_opening(Page *g, const Opening *o)
{
    View v = {0};
    Union u = {0};
    Laid laid = {0};
    bool ok = view_opened(&g->p, &v, o, opened_stride(g, o));
    if (ok) {
        lay_view(g, &v, &u, &laid);
        data_opening(&g->d, &g->p, o->number, &v, &u, text_str(&laid.layout),
                     text_str(&laid.folded));
    }
    laid_free(&laid);
    union_free(&u);
    view_free(&v);
    return ok;
}

/* The steps below rows of this pass that have graphs of their own, as JSON; they may add to the
 * list. */
static bool put_openings(Page *g, Part *part)
{
    Text out = {0};
    Json around = g->d.j;
    bool ok = true;
    g->d.j = (Json){.out = &out};
    json_begin(&g->d.j, '[');
    for (size_t i = 0; ok && i < g->p.openings.len; i++) {
        Opening o = g->p.openings.at[i]; /* the list may move */
        if (nodes_count(o.n, o.start) * 2 > g->opened_left)
            g->unopened++;
        else
            ok = put_opening(g, &o);
    }
    json_end(&g->d.j, ']');
    g->d.j = around;
    part->opened = text_take(&out);
    for (size_t i = 0; i < g->p.openings.len; i++)
        free(g->p.openings.at[i].number);
    g->p.openings.len = 0;
    return ok;
}

static View *present(Page *g) { return &g->views[g->view]; }

/* A graph that grows by a third where derivatives are expanded is another graph: the one before
 * would be torn apart by the place it needs. */
static bool grows_by_far(const PassRun *run)
{
    return strcmp(run->name, "differentiate") == 0 &&
           (u64)run->nodes_after * 3 > (u64)run->nodes_before * 4;
}

static bool add_pass(Page *g, const PassRun *run, Node **roots)
{
    Part part = {.run = run, .at = -1};
    bool ok = true;
    if (run->steps && grows_by_far(run) && g->view == 0)
        view_source(&g->p, &g->views[++g->view], g->p.x->nroots, roots);
    part.view = g->view;
    part.first = part.end = present(g)->rows.len;
    if (run->steps) {
        part.at = g->p.state;
        ok = view_pass(&g->p, run, g->p.x->nroots, roots);
        part.end = present(g)->rows.len;
        ok = put_openings(g, &part) && ok;
    }
    vec_push(&g->parts, part);
    return ok;
}

/* How many steps lead from one state that is drawn to the next. */
static u32 stride_of(const Exploration *x)
{
    u64 nodes = 0;
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *run = &x->passes.at[i];
        u64 most = run->nodes_before > run->nodes_after ? run->nodes_before : run->nodes_after;
        nodes += (u64)run->steps * most;
    }
    return (u32)(1 + nodes / MOST_DRAWN);
}

/* The source is the first state, the result the last; both belong to no pass. */
static bool add_passes(Page *g)
{
    Exploration *x = g->p.x;
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    bool ok = true;
    memcpy(roots, x->start, (size_t)x->nroots * sizeof *roots);
    view_source(&g->p, present(g), x->nroots, roots);
    vec_push(&g->parts, ((Part){.name = "source"}));
    for (size_t i = 0; ok && i < x->passes.len; i++)
        ok = add_pass(g, &x->passes.at[i], roots);
    size_t end = present(g)->rows.len;
    vec_push(
        &g->parts,
        ((Part){.name = "result", .view = g->view, .at = g->p.state, .first = end, .end = end}));
    pager_end(&g->p, x->nroots, roots);
    free(roots);
    return ok;
}

static void put_passes(Page *g)
{
    Union u[2];
    Laid laid[2];
    for (int i = 0; i <= g->view; i++)
        lay_view(g, &g->views[i], &u[i], &laid[i]);
    for (size_t i = 0; i < g->parts.len; i++)
        data_pass(&g->d, &g->p, &g->views[g->parts.at[i].view], &g->parts.at[i]);
    data_views_begin(&g->d);
    for (int i = 0; i <= g->view; i++) {
        data_view(&g->d, &g->p, &g->views[i], &u[i], text_str(&laid[i].layout),
                  text_str(&laid[i].folded));
        laid_free(&laid[i]);
        union_free(&u[i]);
    }
    data_views_end(&g->d);
}

/* ---- the template ---- */

/* What only folded views need is left out where there are none. */
static void put_page(Text *out, const char *title, const Text *data, bool folded)
{
    const char *const scripts[] = {embed_page_model_js,
                                   folded ? embed_page_fold_js : "",
                                   folded ? embed_page_unfold_js : "",
                                   embed_page_sheet_js,
                                   embed_page_graph_js,
                                   embed_page_tree_js,
                                   embed_page_side_js,
                                   embed_page_find_js,
                                   embed_page_brush_js,
                                   embed_page_shade_js,
                                   embed_page_shapes_js,
                                   embed_page_js};
    template_put(out, embed_page_html, title, embed_page_css, data, COUNT_OF(scripts), scripts);
}

static void page_free(Page *g)
{
    for (size_t i = 0; i < g->parts.len; i++)
        free(g->parts.at[i].opened);
    vec_free(&g->parts);
    view_free(&g->views[0]);
    view_free(&g->views[1]);
    map_free(&g->p.shown);
    map_free(&g->p.met);
    vec_free(&g->p.known);
    vec_free(&g->p.openings);
}

/* What was left out because the graph is large. */
static void add_bound_notes(const Page *g)
{
    if (g->p.cut)
        add_note(g->stats, "there are many steps inside bodies: some are listed without a graph");
    if (g->p.stride > 1)
        add_count_note(g->stats,
                       "there are many steps of a large graph: all are listed, and a picture shows "
                       "what %u of them change together",
                       g->p.stride);
    if (g->opened_most > 1)
        add_count_note(g->stats,
                       "there are many child steps of a large graph: a picture shows what up to %u "
                       "of them change together",
                       g->opened_most);
    if (g->unopened)
        add_count_note(g->stats, "%u steps are not opened: their graphs are too large",
                       g->unopened);
}

bool page_build(Exploration *x, const PageOptions *options, Text *out, PageStats *stats,
                char **error)
{
    Text data = {0};
    Page g = {.stats = stats, .opened_left = MOST_OPENED};
    g.p = (Pager){.x = x,
                  .options = options,
                  .st = x->st,
                  .num = &x->numbering,
                  .budget = INNER_BUDGET,
                  .stride = stride_of(x)};
    *stats = (PageStats){0};
    *error = NULL;
    things_open(x);
    data_begin(&g.d, options, &data);
    bool ok = add_passes(&g);
    if (ok)
        put_passes(&g);
    else
        *error = xstrdup("the steps cannot be replayed");
    add_bound_notes(&g);
    data_end(&g.d, &g.p, stats->notes);
    if (ok)
        put_page(out, options->title, &data, g.folded);
    page_free(&g);
    text_free(&data);
    return ok;
}
