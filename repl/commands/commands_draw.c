/* :draw: which state of which graph, what is told of it, and the file it goes to. */
#include "analysis/derivative_pairs.h"
#include "rewrite/things.h"
#include "repl/commands/draw_options.h"
#include "repl/commands/egraph.h"
#include "repl/commands/finding.h"
#include "repl/commands/screen.h"
#include "repl/commands/sides.h"
#include "rewrite/history.h"
#include "viz/scene/draw.h"
#include "viz/scene/figure.h"
#include "viz/scene/node_values.h"
#include "viz/scene/scene_build.h"

enum { MOST_UNROLLED = 64, MOST_FRAMES = 24, MOST_VISIBLE = 400, MOST_IN_CROWD = 24 };

static bool find_focus(Call *c, Exploration *x, SceneOptions *so, u32 *number)
{
    i64 k = 0, depth = 2;
    if (!call_count(c, "focus", 0, UINT32_MAX, &k) || !call_count(c, "depth", 2, 1000, &depth))
        return false;
    const Option *o = call_option(c, "focus");
    so->depth = (int)depth;
    *number = (u32)k;
    if (!o)
        return call_option(c, "depth") ? call_fail(c, call_option(c, "depth")->span, "usage", NULL,
                                                   "depth= goes with focus=%%K")
                                       : true;
    const Thing *thing = thing_numbered(x, (u32)k);
    so->focus = thing ? thing->last->node : NULL;
    if (!so->focus)
        return call_fail(c, o->span, "unknown-name", ":graph ssa=on shows the numbers",
                         "there is no node %%%lld", (long long)k);
    return true;
}

static bool has_cells(Call *c) { return call_option(c, "cells") && call_switch(c, "cells"); }

/* values=data|grad, unroll=N. */
static bool find_wishes(Call *c, GraphWishes *w)
{
    int values = call_choice(c, "values", 0);
    const Option *o = call_option(c, "unroll"), *v = call_option(c, "values");
    if (o && o->value[strspn(o->value, "0123456789")])
        return call_fail(c, o->span, "usage", "unroll=3; or style=figure cells=on unroll=3,4",
                         "unroll= takes a whole number; rows and columns go with cells=on");
    if (!call_count(c, "unroll", 0, MOST_UNROLLED, &w->unroll))
        return false;
    if (o && !w->unroll)
        return call_fail(c, o->span, "usage", NULL, "unroll= takes at least 1 step");
    w->values = values >= 1; /* 3: `on`, which is `data` */
    w->gradients = values == 2;
    w->span = v ? v->span : o ? o->span : c->span;
    return true;
}

enum { INNER_AUTO, INNER_OPEN, INNER_CLOSED };
enum { ADJOINT_OFF, ADJOINT_LINKS, ADJOINT_BESIDE, ADJOINT_ON };

/* What was asked for. */
typedef struct {
    Call *c;
    Exploration *x;
    Sides sides;  /* of `A, B`: x is theirs */
    bool both;    /* it is about two graphs */
    u32 from, to; /* states */
    bool diff;    /* from the one to the other */
    Place inside; /* the state, where it is one inside a step; n = 0: it is `to` */
    int inner, adjoint, style;
    u32 focus;                  /* number of so.focus */
    i64 width_mm, least_tenths; /* of a figure; 0: not asked */
    int folded;                 /* how much of the figure, to keep its width */
    GraphWishes wishes;
    SceneOptions so;
    FoundHere found; /* by find= */
    VEC(u32) film;   /* steps, each a picture of its own; empty: one picture of state `to` */
} Drawing;

/* step=9.1: the state after the first step inside step 9, compared with that before it. */
static bool find_inside(Drawing *d)
{
    Place *p = &d->inside;
    if (!call_place(d->c, d->x, "step", 0, p))
        return false;
    d->to = p->at[0] ? p->at[0] - 1 : 0;
    d->diff = p->at[p->n - 1] > 0;
    return true;
}

/* step=A..B: all that these steps changed. */
static bool find_range(Drawing *d)
{
    Place before, after;
    if (!call_step_range(d->c, d->x, &before, &after))
        return false;
    if (before.n > 1 || after.n > 1 || after.at[0] > d->x->log.at.len)
        return call_fail(d->c, call_option(d->c, "step")->span, "usage", NULL,
                         "the steps are 1 to %zu here", d->x->log.at.len);
    d->from = before.at[0];
    d->to = after.at[0];
    d->diff = true;
    return true;
}

/* step=K, step=A..B, and what call_state knows: the state to draw, and the one it is compared with.
 */
static bool find_states(Drawing *d)
{
    Call *c = d->c;
    const Option *step = call_option(c, "step"), *pass = call_option(c, "pass");
    bool range = step && strstr(step->value, "..");
    if (d->both) {
        d->to = (u32)d->x->log.at.len; /* none if they are the same */
        d->diff = d->to > 0;
        return true;
    }
    if (call_switch(c, "film"))
        return true;
    if (step && strchr(step->value, ','))
        return call_fail(c, step->span, "usage", "film=on draws them beside each other",
                         "one drawing shows one step, or step=A..B");
    if (range && !pass)
        return find_range(d);
    if (step && !pass && strchr(step->value, '.'))
        return find_inside(d);
    if (!call_state(c, d->x, &d->to))
        return false;
    if (call_option(c, "form") && !step && !pass)
        d->to = (u32)d->x->log.at.len;
    d->diff = step && d->to > 0;
    d->from = d->to - d->diff;
    return true;
}

/* film=on, step=3,5..8 */
static bool find_film(Drawing *d)
{
    Call *c = d->c;
    const Option *film = call_option(c, "film"), *o = call_option(c, "step");
    if (!film || !call_switch(c, "film"))
        return true;
    if (d->both)
        return call_fail(c, film->span, "usage", NULL, "a film shows steps, not two graphs");
    static const char *const others[] = {"pass", "focus"};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (call_option(c, others[i]))
            return call_fail(c, film->span, "usage", NULL, "film= does not go with %s=", others[i]);
    if (!o)
        return call_fail(c, film->span, "usage", "step=1,3,5..8 film=on",
                         "film=on needs the steps that it shows");
    i64 last = (i64)d->x->log.at.len;
    for (const char *s = o->value; *s;) {
        char *end;
        i64 a = strtoll(s, &end, 10), z = a;
        if (end[0] == '.' && end[1] == '.')
            z = end[2] >= '0' && end[2] <= '9' ? strtoll(end + 2, &end, 10) : (end += 2, last);
        if (a < 1 || z < a || (*end && *end != ','))
            return call_fail(c, o->span, "usage", NULL, "a film takes whole steps: step=1,3,5..8");
        if (z > last)
            return call_fail(c, o->span, "usage", NULL, "there %s %lld step%s",
                             last == 1 ? "is" : "are", (long long)last, last == 1 ? "" : "s");
        if (z - a >= MOST_FRAMES || (i64)d->film.len + z - a >= MOST_FRAMES)
            return call_fail(c, o->span, "usage", NULL, "a filmstrip has at most %d steps",
                             MOST_FRAMES);
        for (i64 k = a; k <= z; k++)
            vec_push(&d->film, (u32)k);
        s = end + (*end == ',');
    }
    return true;
}

/* ---- figures ---- */

/* "14cm", "3.5in": in units of `unit` millimetres; false after a diagnostic. */
static bool find_length(Call *c, const char *key, const char *example, double unit, i64 most,
                        i64 *out)
{
    static const struct {
        const char *name;
        double mm;
    } units[] = {{"mm", 1}, {"cm", 10}, {"in", 25.4}, {"pt", 25.4 / 72}, {"px", 25.4 / 96}};
    const Option *o = call_option(c, key);
    if (!o)
        return true;
    char *end = NULL;
    double x = *o->value >= '0' && *o->value <= '9' ? strtod(o->value, &end) : 0;
    for (size_t i = 0; i < COUNT_OF(units) && end; i++)
        if (strcmp(end, units[i].name) == 0 && x > 0 && x * units[i].mm / unit <= (double)most) {
            *out = (i64)(x * units[i].mm / unit + 0.5);
            return true;
        }
    return call_fail(c, o->span, "usage", "units are mm, cm, in, pt, px", "%s= is a length: %s=%s",
                     key, key, example);
}

/* What a figure does not do, why, and what to do instead. */
static bool refuse_in_figure(Call *c)
{
    static const struct {
        const char *key, *why, *instead;
    } rows[] = {
        {"dir",
         "dir= does not go with style=figure: formulas are read from left to right, and so are its "
         "states, from one step to the next",
         "leave dir= out and give the width: style=figure width=8cm; or draw the graph: "
         "style=graph dir=LR"},
        {"film",
         "film= does not go with style=figure: a step changes operators, and a figure writes many "
         "of them into one formula",
         "one figure for each step: step=3 style=figure; or the strip as graphs: style=graph"},
        {"group",
         "group= does not go with style=figure: its boxes are around operators, and a figure "
         "writes "
         "many of them into one formula",
         "draw the graph: style=graph group=calls"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const Option *o = call_option(c, rows[i].key);
        bool film = o && strcmp(rows[i].key, "film") == 0;
        bool asked = film ? call_switch(c, "film") : o != NULL;
        if (asked)
            return call_fail(c, o->span, "usage", rows[i].instead, "%s", rows[i].why);
    }
    return true;
}

/* Steps that are drawn one by one are open. */
static bool check_closed(Drawing *d)
{
    const Option *unroll = call_option(d->c, "unroll");
    if (d->style != STYLE_FIGURE || d->inner != INNER_CLOSED || !unroll)
        return true;
    return call_fail(
        d->c, unroll->span, "usage", "leave one of them out",
        "unroll= does not go with inner=closed in a figure: the steps of a closed loop "
        "are not drawn");
}

static bool find_figure(Drawing *d)
{
    static const char *const only_figure[] = {"width", "min", "index", "repeat", "cells"};
    Call *c = d->c;
    d->style = call_choice(c, "style", STYLE_GRAPH);
    if (d->style == STYLE_FIGURE && !refuse_in_figure(c))
        return false;
    for (size_t i = 0; i < COUNT_OF(only_figure) && d->style != STYLE_FIGURE; i++)
        if (call_option(c, only_figure[i]))
            return call_fail(c, call_option(c, only_figure[i])->span, "usage", NULL,
                             "%s= goes with style=figure", only_figure[i]);
    return check_closed(d) && find_length(c, "width", "14cm", 1, 10000, &d->width_mm) &&
           find_length(c, "min", "7pt", 2.54 / 72, 1000, &d->least_tenths);
}

static bool values_of(Drawing *d, Node *const *roots, NodeValues *out)
{
    Call *c = d->c;
    Evaluator e = session_evaluator(&c->r->s);
    return node_values(&e, &c->arena, c->r->digits, d->x->nroots, roots, &d->wishes, out);
}

static Scene *figure_of_state(Drawing *d, const char *title)
{
    Place at = d->inside.n ? d->inside : (Place){1, {d->to}};
    Node **roots = call_roots_at(d->c, d->x, "step", &at);
    if (roots)
        exploration_view(d->x, &at);
    NodeSet lit = {0};
    NodeValues values = {0};
    bool ok = roots && draw_lit_nodes(d->c, d->x, roots, &lit) &&
              found_in_state(d->c, d->x, roots, &d->found) && values_of(d, roots, &values);
    for (size_t i = 0; i < d->found.nodes.len && ok; i++)
        set_add(&lit, map_key(&d->found.nodes, i));
    FigureOptions options = {.folded = d->folded,
                             .lit = &lit,
                             .types = call_option(d->c, "types") && call_switch(d->c, "types"),
                             .numbers = &d->x->numbering,
                             .ids = call_option(d->c, "ids") && call_switch(d->c, "ids"),
                             .data = &values.data,
                             .grad = &values.grad,
                             .unroll = d->wishes.unroll,
                             .unrolled = &values.unrolled,
                             .focus = d->focus,
                             .depth = d->so.depth,
                             .closed = d->inner == INNER_CLOSED,
                             .each = call_option(d->c, "repeat") && !call_switch(d->c, "repeat")};
    Scene *s = ok ? figure_from_graph(&d->c->r->s.st, d->x->nroots, roots, title, &options) : NULL;
    if (s && !options.closed && !d->focus)
        draw_check_scene(d->c, s, d->x->nroots, roots);
    if (s && (!draw_found_lit(d->c, d->x, roots, &lit) ||
              !draw_colors(d->c, &d->x->numbering, d->x->nroots, roots, s))) {
        scene_free(s);
        s = NULL;
    }
    map_free(&lit);
    node_values_free(&values);
    free(roots);
    return s;
}

/* What is asked of the page, not of what stands on it. */
static Scene *with_width(const Drawing *d, Scene *s)
{
    if (s) {
        s->untitled = !call_option(d->c, "title");
        s->width_mm = (int)d->width_mm;
        s->least_tenths = (int)d->least_tenths;
    }
    return s;
}

static Scene *figure_scene(Drawing *d, const char *title)
{
    bool reverse = d->adjoint != ADJOINT_OFF;
    if (has_cells(d->c))
        return with_width(d, draw_grid(d->c, d->x, title));
    return with_width(d, reverse ? draw_reverse(d->c, d->x, title, d->wishes.values)
                                 : figure_of_state(d, title));
}

static bool draw_options(Drawing *d)
{
    d->inner = call_choice(d->c, "inner", INNER_AUTO);
    d->adjoint = call_choice(d->c, "adjoint", ADJOINT_OFF);
    return find_figure(d) && find_states(d) && find_film(d) &&
           find_focus(d->c, d->x, &d->so, &d->focus) &&
           (has_cells(d->c) || find_wishes(d->c, &d->wishes));
}

/* ---- scenes ---- */

/* adjoint=: the values that have one, in the state that is drawn. */
static bool find_pairs(Drawing *d, NodeVec *primal, NodeVec *adjoint)
{
    if (d->adjoint == ADJOINT_OFF)
        return true;
    return derivative_pairs(d->x, d->to, primal, adjoint) &&
           (primal->len || call_fail(d->c, call_option(d->c, "adjoint")->span, "usage",
                                     "pass=differentiate is after that",
                                     "no derivative has been expanded in this state of the graph"));
}

/* group=calls: is there one that has been inlined? */
static bool find_calls(Drawing *d)
{
    const Option *o = call_option(d->c, "group");
    Text number = {0};
    const Graph *within = NULL;
    const Step *s = o ? step_of_rule(&d->x->log, "inline-call", NULL, &number, &within) : NULL;
    bool there = s && strtoul(text_str(&number), NULL, 10) <= d->to;
    text_free(&number);
    if (o && !there)
        return call_fail(d->c, o->span, "usage", "pass=inline is after that",
                         "no call has been inlined in this state of the graph");
    return true;
}

static Scene *scene_of_state(Drawing *d, const char *title)
{
    Call *c = d->c;
    SceneOptions so = d->so;
    NodeValues values = {0};
    Place to = d->inside.n ? d->inside : (Place){1, {d->to}}, from = to;
    from.at[from.n - 1] -= d->inside.n ? d->diff : d->to - d->from;
    Node **roots = call_roots_at(c, d->x, "step", &to);
    Node **before = roots && d->diff ? call_roots_at(c, d->x, "step", &from) : NULL;
    bool ok = roots && (before || !d->diff);
    NodeVec primal = {0}, adjoint = {0};
    ok = ok && find_calls(d) && find_pairs(d, &primal, &adjoint) &&
         found_in_state(c, d->x, roots, &d->found);
    so.npairs = (int)primal.len;
    so.primal = primal.at;
    so.adjoint = adjoint.at;
    so.halves = d->adjoint == ADJOINT_BESIDE;
    so.calls = call_option(c, "group") ? exploration_things(d->x) : NULL;
    ok = ok && values_of(d, roots, &values);
    exploration_view(d->x, &to);
    so.title = title;
    so.inner_closed = d->inner == INNER_CLOSED;
    so.before = before;
    so.step = d->diff && !d->inside.n && d->from + 1 == d->to ? &d->x->log.at.at[d->from] : NULL;
    so.data = &values.data;
    so.grad = &values.grad;
    so.unrolled = &values.unrolled;
    Scene *scene =
        ok ? scene_from_graph(&c->r->s.st, &d->x->numbering, d->x->nroots, roots, &so) : NULL;
    if (scene && !so.inner_closed && !so.focus)
        draw_check_scene(c, scene, d->x->nroots, roots);
    if (scene && !draw_colors(c, &d->x->numbering, d->x->nroots, roots, scene)) {
        scene_free(scene);
        scene = NULL;
    }
    node_values_free(&values);
    vec_free(&primal);
    vec_free(&adjoint);
    free(roots);
    free(before);
    return scene;
}

static void put_title(const Drawing *d, Text *t)
{
    text_put(t, d->c->text);
    if (d->both)
        return;
    if (d->film.len)
        text_printf(t, ", %zu step%s", d->film.len, d->film.len == 1 ? "" : "s");
    else if (d->inside.n) {
        text_put(t, ", step ");
        place_print(t, &d->inside);
    } else if (d->diff && d->from + 1 == d->to)
        text_printf(t, ", step %u: %s%s", d->to, step_rule(&d->x->log.at.at[d->from]),
                    step_mark(&d->x->log.at.at[d->from]));
    else if (d->diff)
        text_printf(t, ", from step %u to step %u", d->from, d->to);
    else if (call_option(d->c, "pass"))
        text_printf(t, ", after %s", call_option(d->c, "pass")->value);
}

static void fold(const Drawing *d, Scene *scene)
{
    if (d->inner != INNER_AUTO || d->style != STYLE_GRAPH)
        return;
    scene_fold_crowds(scene, MOST_IN_CROWD);
    scene_fold(scene, MOST_VISIBLE);
}

/* Every step in a frame of its own, with what it changed marked. */
static Scene *film_scene(Drawing *d, const char *title)
{
    Scene *all = scene_new(title);
    for (size_t i = 0; i < d->film.len && all; i++) {
        const Step *s = &d->x->log.at.at[d->film.at[i] - 1];
        d->to = d->film.at[i];
        d->from = d->to - 1;
        d->diff = true;
        Scene *one = scene_of_state(d, NULL);
        if (!one) {
            scene_free(all);
            return NULL;
        }
        Text head = {0}, why = {0};
        text_printf(&head, "%u  %s%s", d->to, step_rule(s), step_mark(s));
        put_why(&why, s);
        int frame = scene_box(all, &(SceneBox){.kind = BOX_FRAME,
                                               .title = text_str(&head),
                                               .subtitle = s->pass,
                                               .tooltip = text_str(&why)});
        fold(d, one);
        scene_put(all, one, frame);
        if (one->note && !all->note)
            scene_set_note(all, one->note);
        text_free(&head);
        text_free(&why);
        scene_free(one);
    }
    if (all)
        scene_find_places(all);
    return all;
}

/* What is left out of the picture has no ring; in a figure what holds it has one already. */
static void light_found(const Drawing *d, Scene *scene)
{
    for (size_t i = 0; i < d->found.numbers.len && d->style != STYLE_FIGURE; i++)
        scene_light(scene, d->found.numbers.at[i]);
}

static Scene *build_scene(Drawing *d)
{
    Text title = {0};
    put_title(d, &title);
    if (d->diff || d->film.len || d->to < d->x->log.at.len)
        things_of_states(d->x); /* what a node was called before, whatever was asked before */
    Scene *scene = d->style == STYLE_FIGURE ? figure_scene(d, text_str(&title))
                   : d->film.len            ? film_scene(d, text_str(&title))
                                            : scene_of_state(d, text_str(&title));
    text_free(&title);
    if (scene && d->so.focus && !scene->nodes.len) {
        const Option *focus = call_option(d->c, "focus");
        call_fail(d->c, focus->span, "unknown-name", NULL,
                  d->style == STYLE_FIGURE ? "node %s is not drawn in this figure"
                                           : "node %s is not in this state of the graph",
                  focus->value);
        scene_free(scene);
        return NULL;
    }
    if (scene && !scene->nodes.len)
        scene_set_note(scene, "there is nothing to draw");
    if (scene && !d->film.len)
        fold(d, scene);
    if (scene)
        light_found(d, scene);
    return scene;
}

/* ---- the file ---- */

/* The scene in a format; of a figure that is too wide more is folded, as long as that helps. */
static bool draw_scene(Drawing *d, Scene **scene, const char *format, Text *bytes, char **error)
{
    while (!draw_run(*scene, format, 0, bytes, error)) {
        if (d->style != STYLE_FIGURE || !d->width_mm || d->folded == FIGURE_FOLDS ||
            store_stops(&d->c->r->s.st))
            return false;
        d->folded++;
        scene_free(*scene);
        free(*error);
        *error = NULL;
        *scene = build_scene(d);
        if (!*scene || !draw_looks(d->c, *scene))
            return false;
    }
    return true;
}

static bool draw_file(Drawing *d, Scene **scene, const char *format)
{
    Call *c = d->c;
    Text bytes = {.interrupt = d->c->r->s.st.interrupt}, about = {0};
    char *error = NULL;
    bool ok = draw_scene(d, scene, format, &bytes, &error);
    if (!ok)
        call_fail(c, c->span, "draw", NULL, "%s", error ? error : "the drawing failed");
    else if (error)
        diag_note(&c->r->s.diags, "draw", c->span, "%s", error);
    free(error);
    if (ok)
        scene_summary(&about, *scene);
    ok = ok && call_put_file(c, &bytes, text_str(&about));
    text_free(&about);
    text_free(&bytes);
    return ok;
}

static void tell(Call *c, const Scene *scene)
{
    i64 hidden = (i64)scene_hidden_nodes(scene);
    report_say(&c->report, "{file}: {nodes} nodes, {edges} edges", text_of(c->file),
               int_of((i64)scene->nodes.len - hidden), int_of((i64)scene->edges.len));
    report_say(&c->report, hidden ? "; {hidden} more nodes in closed inner graphs" : "{=hidden}",
               int_of(hidden));
}

/* ---- the screen ---- */

/* A picture at the size of the terminal's letters; sixels cannot be made smaller by it. */
static bool draw_screen(Drawing *d, Scene **scene, ImageMode images)
{
    bool sixel = images == IMAGES_SIXEL;
    Text bytes = {0};
    char *error = NULL;
    if (!(*scene)->background && (*scene)->theme == THEME_AUTO) {
        scene_set_background(*scene, "#ffffff");
        (*scene)->theme = THEME_LIGHT;
    }
    if (!(*scene)->dpi)
        (*scene)->dpi = screen_dpi();
    bool ok = draw_scene(d, scene, sixel ? "sixel" : "png", &bytes, &error);
    int width = 0, most = screen_pixels();
    if (ok && sixel && most && sscanf(text_str(&bytes), "\033P0;1;0q\"1;1;%d", &width) == 1 &&
        width > most && (*scene)->dpi * most / width >= SCENE_LEAST_DPI) {
        (*scene)->dpi = (*scene)->dpi * most / width;
        bytes.len = 0;
        free(error);
        ok = draw_scene(d, scene, "sixel", &bytes, &error);
    }
    if (ok)
        screen_show(d->c, images, &bytes);
    else
        call_fail(d->c, d->c->span, "draw", NULL, "%s", error ? error : "the drawing failed");
    free(error);
    text_free(&bytes);
    return ok;
}

/* Without pictures: as boxes, which know no more than which state. */
static bool draw_boxes(Drawing *d, const Scene *scene)
{
    static const char hint[] = "`:draw EXPR FILE.svg` writes a picture; where the terminal shows "
                               "some: `:set images kitty` (or iterm, sixel)";
    Call *c = d->c;
    for (int i = 0; i < c->noptions; i++)
        if (strcmp(c->options[i].key, "pass") && strcmp(c->options[i].key, "inner"))
            return call_fail(c, c->options[i].span, "usage", hint,
                             "this goes with a picture, and the terminal shows none");
    return screen_boxes(c, scene, &c->out, hint);
}

/* What is drawn in a format; false after a diagnostic. */
static bool find_subject(Drawing *d, const char *format)
{
    Call *c = d->c;
    d->both = call_has_sides(c);
    if (!draw_check_format(c, format))
        return false;
    if (!d->both)
        d->x = call_explore(c);
    else if (sides_compare(c, &d->sides) && sides_step(c, &d->sides))
        d->x = d->sides.x;
    return d->x != NULL;
}

static void drawing_free(Drawing *d, Scene *scene)
{
    scene_free(scene);
    vec_free(&d->film);
    found_here_free(&d->found);
    if (d->both)
        sides_free(&d->sides);
}

bool command_draw(Call *c)
{
    if (!egraph_keys_fit(c))
        return false;
    if (call_switch(c, "egraph"))
        return draw_egraph(c);
    ImageMode images = c->file ? IMAGES_OFF : screen_images(c);
    const char *format = c->file ? draw_format(c->file) : "png";
    Drawing d = {.c = c};
    bool found = find_subject(&d, format);
    Scene *scene = found && draw_options(&d) ? build_scene(&d) : NULL;
    bool ok = scene && draw_looks(c, scene) &&
              (c->file                ? draw_file(&d, &scene, format)
               : images == IMAGES_OFF ? draw_boxes(&d, scene)
                                      : draw_screen(&d, &scene, images));
    if (ok && c->file)
        tell(c, scene);
    else if (ok)
        report_say(&c->report, "{=nodes}{=edges}", int_of((i64)scene->nodes.len),
                   int_of((i64)scene->edges.len));
    if (ok && scene->note)
        diag_note(&c->r->s.diags, "draw", c->span, "%s", scene->note);
    drawing_free(&d, scene);
    return ok;
}
