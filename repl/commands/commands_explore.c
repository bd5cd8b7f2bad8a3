/* :explore: all steps of an expression as one HTML page. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "repl/terminal/browser.h"
#include "repl/commands/commands.h"
#include "repl/commands/color_numbers.h"
#include "repl/commands/costs.h"
#include "repl/commands/egraph.h"
#include "repl/commands/finding.h"
#include "analysis/probe.h"
#include "repl/commands/show.h"
#include "repl/commands/sides.h"
#include "viz/page/unfired_rules.h"
#include "repl/terminal/term.h"
#include "viz/page/page_build.h"

enum { VALUE_WORK = 200000000 }; /* elements, for the values on a page */

typedef struct {
    Call *c;
    double began;
    SizeNumbers sizes;
    ColorNumbers colors;
    UnfiredList unfired;
} Writing;

static void page_progress(void *ctx, double fraction)
{
    const Writing *w = ctx;
    session_progress(&w->c->r->s, w->began, fraction);
}

static void page_values(void *ctx, int n, Node *const *nodes, char **texts)
{
    Call *c = ((Writing *)ctx)->c;
    Tensor **at = xcalloc((size_t)n + 1, sizeof *at);
    Evaluator e = session_evaluator(&c->r->s);
    probe_known(&e, (size_t)n, nodes, VALUE_WORK, at);
    for (int i = 0; i < n; i++) {
        Text t = {0};
        if (!at[i])
            continue;
        show_brief(c->r, &t, at[i]);
        texts[i] = text_take(&t);
        tensor_unref(at[i]);
    }
    free(at);
}

static double page_amount(void *ctx, const Size *s)
{
    return size_estimate(s, size_number, &((Writing *)ctx)->sizes);
}

static double page_number(void *ctx, const SceneNode *n)
{
    return color_number(&((Writing *)ctx)->colors, n);
}

static void say(Call *c, const PageStats *stats, size_t bytes, bool opens)
{
    report_say(&c->report, "{file}: {steps step}, {=states}{=nodes}{bytes} bytes{-}",
               text_of(c->file), int_of(stats->rows), int_of(stats->states), int_of(stats->nodes),
               int_of((i64)bytes), text_of(opens ? "; it opens in the browser" : ""));
}

/* A file for the page, if none was given. */
static bool find_file(Call *c, bool *own)
{
    *own = !c->file;
    if (c->file)
        return true;
    char *path = c->r->listener.file ? NULL : browser_page_path(c->text);
    if (!path)
        return call_fail(c, c->span, "usage", "name a file that ends in .html",
                         c->r->listener.file ? "a page of a document needs a file"
                                             : "there is no cache folder: HOME is not set");
    c->file = arena_strndup(&c->arena, path, strlen(path));
    c->file_span = c->span;
    free(path);
    return true;
}

/* At a terminal, where a browser can be had, and nobody said no. */
static bool show_page(const Call *c)
{
    bool seen = !c->r->json && !c->r->capture && term_is_tty(STDOUT_FILENO);
    return seen && browser_open(c->file);
}

/* What whynot=on asks for. */
static bool read_unfired(Writing *w, Exploration *x, PageOptions *options)
{
    if (!call_option(w->c, "whynot") || !call_switch(w->c, "whynot"))
        return true;
    Call *c = w->c;
    bool ok = unfired_rules(x, c->r->s.rules, &c->r->s.options, &c->arena, &w->unfired) ||
              call_fail(c, c->span, "interrupted", NULL, "interrupted while rules were tried");
    options->whynot = true;
    options->unfired = w->unfired.at;
    options->nunfired = w->unfired.len;
    return ok;
}

/* What the page asks while it is written. */
static bool begin_writing(Writing *w, Exploration *x, PageOptions *options)
{
    Call *c = w->c;
    options->title = c->text;
    options->values = page_values;
    options->amount = page_amount;
    options->progress = page_progress;
    options->ctx = w;
    if (!cost_numbers_begin(&w->sizes, c) || !read_unfired(w, x, options))
        return false;
    if (!call_option(c, "color"))
        return true;
    things_of_states(x); /* numbers of nodes are those of the page */
    bool ok = color_numbers_begin(&w->colors, c, &x->numbering, x->nroots, x->roots);
    options->number = page_number;
    options->scale = w->colors.name;
    options->unit = w->colors.unit;
    return ok;
}

static bool build_page(Writing *w, Exploration *x, const PageOptions *options, bool opens)
{
    Call *c = w->c;
    Text page = {0};
    PageStats stats;
    char *error = NULL;
    bool ok = page_build(x, options, &page, &stats, &error);
    if (!ok)
        call_fail(c, c->span, "draw", NULL, "%s", error ? error : "the page failed");
    else if (stats.notes)
        diag_note(&c->r->s.diags, "draw", c->span, "%s", stats.notes);
    ok = ok && color_numbers_used(&w->colors, "on this page") && call_put_file(c, &page, NULL);
    if (ok)
        say(c, &stats, page.len, opens && show_page(c));
    free(stats.notes);
    free(error);
    text_free(&page);
    return ok;
}

/* The page of an exploration, or of the step from one graph to another. */
static bool write_page(Call *c, Exploration *x, bool opens)
{
    FoundNodes found = {0};
    Writing w = {.c = c, .began = now_seconds()};
    PageOptions options = {0};
    bool ok = found_in_states(c, x, &found) && begin_writing(&w, x, &options);
    options.pattern = found.pattern;
    options.found = found.at.at;
    options.nfound = found.at.len;
    ok = ok && build_page(&w, x, &options, opens);
    color_numbers_free(&w.colors);
    vec_free(&w.unfired);
    size_numbers_free(&w.sizes);
    vec_free(&found.at);
    return ok;
}

static bool explore_sides(Call *c, bool opens)
{
    Sides s;
    bool ok = sides_compare(c, &s) && sides_step(c, &s) && write_page(c, s.x, opens);
    sides_free(&s);
    return ok;
}

bool command_explore(Call *c)
{
    bool own, open = call_switch(c, "open");
    if (!egraph_keys_fit(c))
        return false;
    if (call_switch(c, "egraph"))
        return explore_egraph(c);
    if (!find_file(c, &own))
        return false;
    open = open && (own || call_option(c, "open"));
    if (call_has_sides(c))
        return explore_sides(c, open);
    const Option *one = call_option(c, "pass") ? call_option(c, "pass") : call_option(c, "step");
    if (one)
        return call_fail(c, one->span, "usage", ":explore A pass=NAME, B",
                         "%s= goes with two graphs; the page of one has all its states", one->key);
    Exploration *x = call_explore(c);
    return x && write_page(c, x, open);
}
