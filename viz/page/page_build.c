/* The page: a layout for each pass, the data, and the template around them.
 *
 * Invariant: the template holds each of its marks once, in the order in which they are
 * filled; nothing that is filled in is searched for marks. */
#include "viz/page/page_build.h"
#include "embed/embed.h"
#include "viz/page/page_parts.h"

enum { INNER_BUDGET = 400000 }; /* nodes in all states inside bodies */

/* ---- layouts ---- */

static void add_note(PageStats *stats, const char *text)
{
    Text all = {0};
    if (stats->notes && strstr(stats->notes, text))
        return;
    text_printf(&all, "%s%s%s", stats->notes ? stats->notes : "", stats->notes ? "; " : "", text);
    free(stats->notes);
    stats->notes = text_take(&all);
}

/* ---- views ---- */

typedef struct {
    Pager p;
    Data d;
    const PageOptions *options;
    PageStats *stats;
    char **error;
} Page;

/* Lays a view out and writes it. */
static void put_view(Page *g, View *v)
{
    Union u;
    Text layout = {0};
    Layout places;
    union_build(&u, v);
    union_layout(&u, &places);
    layout_put(&layout, &places);
    data_view(&g->d, &g->p, v, &u, text_str(&layout));
    layout_free(&places);
    g->stats->rows += (int)v->rows.len;
    g->stats->states += (int)v->states.len;
    g->stats->views++;
    if ((int)u.nodes.len > g->stats->nodes)
        g->stats->nodes = (int)u.nodes.len;
    text_free(&layout);
    union_free(&u);
}

static void forget_openings(Page *g)
{
    for (size_t i = 0; i < g->p.openings.len; i++)
        free(g->p.openings.at[i].number);
    g->p.openings.len = 0;
}

/* The steps below rows of this pass that have graphs of their own; they may add to the list. */
static bool put_openings(Page *g)
{
    bool ok = true;
    json_key(&g->d.j, "opened");
    json_begin(&g->d.j, '[');
    for (size_t i = 0; i < g->p.openings.len; i++) {
        View v = {0};
        Opening o = g->p.openings.at[i]; /* the list may move */
        data_opening_begin(&g->d, o.number);
        ok = ok && view_opened(&g->p, &v, &o);
        if (ok)
            put_view(g, &v);
        data_opening_end(&g->d);
        view_free(&v);
    }
    json_end(&g->d.j, ']');
    forget_openings(g);
    return ok;
}

static bool put_part(Page *g, View *v, const char *name)
{
    data_pass_begin(&g->d, v->run, name);
    if (v->states.len)
        put_view(g, v);
    bool ok = !v->states.len || put_openings(g);
    data_pass_end(&g->d);
    view_free(v);
    return ok;
}

static bool put_pass(Page *g, const PassRun *run, Node **roots)
{
    View v = {0};
    if (!run->steps) {
        data_pass_begin(&g->d, run, NULL);
        data_pass_end(&g->d);
        return true;
    }
    if (view_pass(&g->p, &v, run, g->p.x->nroots, roots))
        return put_part(g, &v, NULL);
    *g->error = xstrdup("the steps cannot be replayed");
    view_free(&v);
    return false;
}

/* The source is the first state of the first pass that did something, and drawn on its own only if
 * none did; the result is the last state of the last one. */
static bool put_passes(Page *g)
{
    Exploration *x = g->p.x;
    View source = {0};
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    memcpy(roots, x->start, (size_t)x->nroots * sizeof *roots);
    if (!x->log.at.len)
        view_source(&g->p, &source, x->nroots, roots);
    bool ok = put_part(g, &source, "source");
    for (size_t i = 0; ok && i < x->passes.len; i++)
        ok = put_pass(g, &x->passes.at[i], roots);
    data_pass_begin(&g->d, NULL, "result");
    data_pass_end(&g->d);
    pager_end(&g->p, x->nroots, roots);
    free(roots);
    return ok;
}

/* ---- the template ---- */

static void put_html(Text *out, const char *s)
{
    for (; *s; s++)
        if (*s == '<')
            text_put(out, "&lt;");
        else if (*s == '&')
            text_put(out, "&amp;");
        else if (*s == '"')
            text_put(out, "&quot;");
        else
            text_putc(out, (unsigned char)*s < 32 ? ' ' : *s);
}

/* Copies the template up to a mark and returns what follows it. */
static const char *put_until(Text *out, const char *at, const char *mark)
{
    const char *s = strstr(at, mark);
    if (!s)
        die("the page has no mark %s", mark);
    text_putn(out, at, (size_t)(s - at));
    return s + strlen(mark);
}

static void put_page(Text *out, const char *title, Text *data)
{
    const char *at = put_until(out, embed_page_html, "@TITLE@");
    put_html(out, title);
    at = put_until(out, at, "@CSS@");
    text_put(out, embed_page_css);
    at = put_until(out, at, "@DATA@");
    for (size_t i = 0; i < data->len; i++)
        if (data->at[i] == '<')
            text_put(out, "\\u003c");
        else
            text_putc(out, data->at[i]);
    at = put_until(out, at, "@JS@");
    text_put(out, embed_page_model_js);
    text_put(out, embed_page_sheet_js);
    text_put(out, embed_page_graph_js);
    text_put(out, embed_page_tree_js);
    text_put(out, embed_page_side_js);
    text_put(out, embed_page_find_js);
    text_put(out, embed_page_js);
    text_put(out, at);
}

bool page_build(Exploration *x, const PageOptions *options, Text *out, PageStats *stats,
                char **error)
{
    Text data = {0};
    Page g = {.options = options, .stats = stats, .error = error};
    g.p = (Pager){.x = x, .st = x->st, .num = &x->numbering, .budget = INNER_BUDGET};
    *stats = (PageStats){0};
    *error = NULL;
    things_open(x);
    data_begin(&g.d, options, &data);
    bool ok = put_passes(&g);
    if (g.p.cut)
        add_note(stats, "there are many steps inside bodies: some are listed without a graph");
    data_end(&g.d, &g.p, stats->notes);
    if (ok)
        put_page(out, options->title, &data);
    text_free(&data);
    map_free(&g.p.shown);
    map_free(&g.p.met);
    vec_free(&g.p.known);
    forget_openings(&g); /* should the pass they belong to not have been written */
    vec_free(&g.p.openings);
    return ok;
}
