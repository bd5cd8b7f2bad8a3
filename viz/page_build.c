/* The page: a layout for each pass, the data, and the template around them.
 *
 * Invariant: the template holds each of its marks once, in the order in which they are
 * filled; nothing that is filled in is searched for marks. */
#include "viz/page_build.h"
#include "embed/embed.h"
#include "viz/draw.h"
#include "viz/page_parts.h"

#include <ctype.h>
#include <math.h>

enum { INNER_BUDGET = 400000 }; /* nodes in all states inside bodies */

/* ---- layouts ---- */

/* A number in whole pixels; of an edge, as the way from the point before. */
static const char *put_number(Text *out, const char *s, bool edge, long *last, int *nth)
{
    char *end;
    long x = lround(strtod(s, &end)), *was = &last[*nth % 2];
    text_printf(out, "%ld", edge && *nth > 1 ? x - *was : x);
    *was = x;
    ++*nth;
    return end;
}

/* The layout in what gradus-draw wrote, shorter. A quote inside a text is escaped, so the keys can
 * be found. */
static bool cut_layout(const char *json, Text *out)
{
    static const char key[] = ",\"layout\":{";
    const char *s = strstr(json, key), *end = json + strlen(json);
    const char *edges = s ? strstr(s, "\"edges\":") : NULL;
    long last[2] = {0};
    int nth = 0;
    if (!edges || end[-1] != '}')
        return false;
    for (s += strlen(key) - 1; s < end - 1;) {
        if (isdigit((unsigned char)*s) || *s == '-') {
            s = put_number(out, s, s > edges, last, &nth);
            continue;
        }
        if (*s == '[')
            nth = 0;
        text_putc(out, *s++);
    }
    return true;
}

static void add_note(PageStats *stats, const char *text)
{
    Text all = {0};
    if (stats->notes && strstr(stats->notes, text))
        return;
    text_printf(&all, "%s%s%s", stats->notes ? stats->notes : "", stats->notes ? "; " : "", text);
    free(stats->notes);
    stats->notes = text_take(&all);
}

static bool lay_out(const Union *u, double seconds, Text *layout, PageStats *stats, char **error)
{
    Text json = {0};
    bool ok = draw_run(u->scene, "json", seconds, &json, error);
    if (ok && *error)
        add_note(stats, *error);
    if (ok) {
        free(*error);
        *error = NULL;
        ok = cut_layout(text_str(&json), layout);
        if (!ok)
            *error = xstrdup("gradus-draw gave no layout");
    }
    text_free(&json);
    return ok;
}

/* ---- views ---- */

typedef struct {
    Pager p;
    Data d;
    const PageOptions *options;
    PageStats *stats;
    char **error;
} Page;

static bool put_view(Page *g, View *v, const char *name)
{
    Union u;
    Text layout = {0};
    union_build(&u, v);
    bool ok = lay_out(&u, g->options->seconds, &layout, g->stats, g->error);
    if (ok)
        data_view(&g->d, &g->p, name, v, &u, text_str(&layout));
    g->stats->rows += (int)v->rows.len;
    g->stats->states += (int)v->states.len;
    g->stats->views++;
    if ((int)u.nodes.len > g->stats->nodes)
        g->stats->nodes = (int)u.nodes.len;
    text_free(&layout);
    union_free(&u);
    view_free(v);
    return ok;
}

static bool put_end(Page *g, Node *const *roots, const char *name)
{
    View v = {0};
    view_source(&g->p, &v, g->p.x->nroots, roots);
    return put_view(g, &v, name);
}

static bool put_passes(Page *g)
{
    Exploration *x = g->p.x;
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    memcpy(roots, x->start, (size_t)x->nroots * sizeof *roots);
    bool ok = put_end(g, roots, "source");
    for (size_t i = 0; ok && i < x->passes.len; i++) {
        const PassRun *run = &x->passes.at[i];
        if (!run->steps) {
            data_empty(&g->d, run);
            continue;
        }
        View v = {0};
        ok = view_pass(&g->p, &v, run, x->nroots, roots);
        if (!ok)
            *g->error = xstrdup("the steps cannot be replayed");
        if (ok)
            ok = put_view(g, &v, NULL);
        else
            view_free(&v);
    }
    ok = ok && put_end(g, roots, "result");
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
    text_put(out, embed_page_graph_js);
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
    vec_free(&g.p.nodes);
    return ok;
}
