/* E-graphs to look at: :draw EXPR egraph FILE, and :explore EXPR FILE.html egraph=on, a page with a
 * slider over the iterations.
 *
 * Invariant: what is drawn is what :saturate with the same keys does. */
#include "repl/commands/egraph.h"

#include "repl/commands/costs.h"
#include "repl/commands/draw_options.h"
#include "session/equal.h"
#include "viz/film/growth_page.h"
#include "viz/scene/draw.h"
#include "viz/scene/scene_egraph.h"

/* The keys of these that say which e-graph, and how it is to look. */
static const char *const known[] = {
    "iteration", "rules", "iterations", "nodes", "cost", "assume", "egraph",     "legend", "title",
    "theme",     "dir",   "caption",    "scale", "dpi",  "open",   "background", "draw",   "focus"};

static bool check_keys(Call *c)
{
    for (int i = 0; i < c->noptions; i++) {
        bool found = c->options[i].size;
        for (size_t k = 0; k < COUNT_OF(known); k++)
            found = found || !strcmp(c->options[i].key, known[k]);
        if (!found)
            return call_fail(c, c->options[i].span, "usage", ":help draw",
                             "%s= does not go with egraph=on", c->options[i].key);
    }
    return true;
}

bool egraph_keys_fit(Call *c)
{
    static const char *const only[] = {"iteration", "rules",  "iterations", "nodes",
                                       "cost",      "assume", "draw"};
    for (int i = 0; i < c->noptions && !call_switch(c, "egraph"); i++) {
        const Option *o = &c->options[i];
        bool page = !strcmp(c->info->name, "explore"); /* fills nodes by costs in any case */
        bool priced = !strcmp(o->key, "assume") && (page || call_option(c, "color"));
        for (size_t k = 0; k < COUNT_OF(only); k++)
            if (strcmp(o->key, only[k]) == 0 && !priced)
                return call_fail(c, o->span, "usage",
                                 report_format(&c->report, ":help %s", c->info->name),
                                 "%s= goes with egraph=on", o->key);
    }
    return true;
}

/* The pictures of the e-graph of the expression; false after a diagnostic. */
static bool take_pictures(Call *c, EgPictures *p)
{
    Saturating how;
    Growth growth;
    Node **roots = NULL;
    if (!check_keys(c) || !call_saturating(c, &how))
        return false;
    int n = call_roots(c, &roots);
    if (n < 0)
        return false;
    how.pictures = p;
    c->r->s.st.span = c->rest;
    Exploration *x = session_saturate(&c->r->s, &how, n, roots, &growth);
    growth_free(&growth);
    free(roots);
    return x != NULL;
}

static bool find_iteration(Call *c, EgPictures *p)
{
    i64 k = UINT32_MAX;
    if (!call_count(c, "iteration", UINT32_MAX, UINT32_MAX, &k))
        return false;
    p->only = k;
    return true;
}

/* draw=N focus=%K: the node has its number from the last listing. */
static bool find_part(Call *c, EgPictures *p)
{
    enum { MOST_DRAWN = 500 };
    const Option *o = call_option(c, "focus");
    i64 most, k;
    if (!call_number(c, "draw", 0, 1, MOST_DRAWN, &most) ||
        !call_number(c, "focus", 0, 0, UINT32_MAX, &k))
        return false;
    p->most = (u32)most;
    Exploration *x = o ? c->r->s.listed : NULL;
    const Thing *thing = x ? thing_numbered(x, (u32)k) : NULL;
    p->focus = thing ? thing->first->node : NULL;
    return !o || p->focus ||
           call_fail(c, o->span, "unknown-name", "`:graph EXPR ssa=on` shows the numbers first",
                     "there is no node %%%lld", (long long)k);
}

static bool check_focus(Call *c, const EgPictures *p)
{
    const Option *o = call_option(c, "focus");
    return !o || p->focus_seen ||
           call_fail(c, o->span, "usage", NULL, "the e-graph has no such node as %s", o->value);
}

static bool check_iteration(Call *c, const EgPictures *p)
{
    const Option *o = call_option(c, "iteration");
    u32 last = p->at.len ? p->at.at[p->at.len - 1]->iteration : 0;
    return !o || last == p->only ||
           call_fail(c, o->span, "usage", "iteration=0 is the e-graph before the first",
                     "there %s %u iteration%s", last == 1 ? "is" : "are", last,
                     last == 1 ? "" : "s");
}

/* Its bytes; false after a diagnostic. */
static bool draw_bytes(Call *c, const Scene *s, const char *format, Text *out)
{
    char *error = NULL;
    bool ok = draw_run(s, format, 0, out, &error);
    if (!ok)
        call_fail(c, c->span, "draw", "nodes=50 keeps it small", "%s",
                  error ? error : "the drawing failed");
    else if (error)
        diag_note(&c->r->s.diags, "draw", c->span, "%s", error);
    if (ok && s->note)
        diag_note(&c->r->s.diags, "draw", c->span, "%s", s->note);
    free(error);
    return ok;
}

bool draw_egraph(Call *c)
{
    const char *format = c->file ? draw_format(c->file) : NULL;
    if (!format)
        return call_fail(c, c->file ? c->file_span : c->span, "usage",
                         ":draw EXPR FILE.svg egraph=on, or :explore EXPR FILE.html egraph=on",
                         "the drawing of an e-graph goes to a file");
    EgPictures p = {0};
    Scene *s = NULL;
    Text bytes = {0}, about = {0};
    bool ok = find_iteration(c, &p) && find_part(c, &p) && draw_check_format(c, format) &&
              take_pictures(c, &p) && check_iteration(c, &p) && check_focus(c, &p);
    if (ok) {
        Text title = {0};
        text_printf(&title, "%s, e-graph ", c->text);
        egraph_picture_title(&title, p.at.at[p.at.len - 1]);
        s = scene_from_egraph(&c->r->s.st, &p, text_str(&title));
        text_free(&title);
        ok = draw_looks(c, s) && draw_bytes(c, s, format, &bytes);
    }
    if (ok)
        scene_summary(&about, s);
    ok = ok && call_put_file(c, &bytes, text_str(&about));
    if (ok)
        report_say(&c->report, "{file}: {nodes} e-nodes, {edges} edges", text_of(c->file),
                   int_of((i64)s->nodes.len), int_of((i64)s->edges.len));
    scene_free(s);
    egraph_pictures_free(&p);
    text_free(&bytes);
    text_free(&about);
    return ok;
}

/* ---- the page ---- */

bool explore_egraph(Call *c)
{
    if (!c->file)
        return call_fail(c, c->span, "usage", ":explore EXPR FILE.html egraph=on",
                         "the page of an e-graph goes to a file");
    EgPictures p = {.only = -1};
    Scene *s = NULL;
    Text svg = {.interrupt = c->r->s.st.interrupt}, page = {0};
    bool ok = take_pictures(c, &p);
    if (ok) {
        s = scene_from_egraph(&c->r->s.st, &p, c->text);
        s->no_legend = s->untitled = true;
        ok = draw_bytes(c, s, "svg", &svg);
    }
    if (ok) {
        growth_page(&page, c->text, &p, s, &svg);
        ok = call_put_file(c, &page, NULL);
    }
    if (ok)
        report_say(&c->report, "{file}: {states} states, {=nodes}{bytes} bytes", text_of(c->file),
                   int_of((i64)p.at.len), int_of((i64)s->nodes.len), int_of((i64)page.len));
    scene_free(s);
    egraph_pictures_free(&p);
    text_free(&svg);
    text_free(&page);
    return ok;
}
