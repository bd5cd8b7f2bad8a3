/* Commands on the graph of an expression: its type, its text, its drawing, its program,
 * its time. */
#include "rewrite/history.h"
#include "graph/print.h"
#include "ops/control.h"
#include "repl/commands.h"
#include "repl/show.h"
#include "viz/draw.h"
#include "viz/scene_build.h"

#include <errno.h>

/* ---- :type, :graph ---- */

bool command_type(Call *c)
{
    Value *v = call_value(c);
    if (!v)
        return false;
    size_t at = c->out.len;
    show_value_type(c->r, &c->out, v);
    json_key(&c->data, "type");
    json_string(&c->data, text_str(&c->out) + at);
    return true;
}

bool command_graph(Call *c)
{
    Exploration *x = call_explore(c);
    u32 k;
    Place place;
    bool inside = call_option(c, "step") && !call_option(c, "pass");
    if (!x || !(inside ? call_place(c, x, "step", 0, &place) : call_state(c, x, &k)))
        return false;
    place = inside ? place : (Place){1, {k}};
    if (place.at[0] < x->log.at.len)
        exploration_number_states(x);
    Node **roots = call_roots_at(c, x, "step", &place);
    if (!roots)
        return false;
    graph_print(&c->r->s.st, &c->out, x->nroots, roots, &x->numbering);
    json_count(&c->data, "step", place.at[0]);
    json_count(&c->data, "steps", (i64)x->log.at.len);
    json_count(&c->data, "nodes", nodes_count(x->nroots, roots));
    free(roots);
    return true;
}

/* ---- :plan, :time ---- */

bool command_plan(Call *c)
{
    Exploration *x = call_explore(c);
    Program *p = x ? plan_build(&c->r->s.st, x->nroots, x->roots) : NULL;
    if (!p)
        return false;
    program_print(&c->out, p);
    ProgramStats stats = program_stats(p);
    program_free(p);
    json_key(&c->data, "blocks");
    json_int(&c->data, stats.blocks);
    json_key(&c->data, "instructions");
    json_int(&c->data, stats.instructions);
    json_key(&c->data, "registers");
    json_int(&c->data, stats.registers);
    return true;
}

static void put_seconds(Text *out, double s)
{
    if (s < 1e-3)
        text_printf(out, "%.1f us", s * 1e6);
    else if (s < 1)
        text_printf(out, "%.2f ms", s * 1e3);
    else
        text_printf(out, "%.3f s", s);
}

static void put_bytes(Text *out, size_t n)
{
    if (n < 10000)
        text_printf(out, "%zu bytes", n);
    else if (n < 10000000)
        text_printf(out, "%.1f KB", (double)n / 1e3);
    else
        text_printf(out, "%.1f MB", (double)n / 1e6);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MAX_RUNS = 1000 };

typedef struct {
    double first, median;
    int runs;
    size_t peak;
} Timing;

static bool evaluate_once(Call *c, int n, Node *const *roots, double *seconds)
{
    Tensor **out = xcalloc((size_t)n + 1, sizeof *out);
    bool ok = session_evaluate(&c->r->s, n, roots, out);
    for (int i = 0; i < n && ok; i++)
        tensor_unref(out[i]);
    free(out);
    *seconds = c->r->s.run_seconds;
    return ok;
}

/* Evaluates for about a second. */
static bool measure(Call *c, int n, Node *const *roots, double started, Timing *t)
{
    Session *s = &c->r->s;
    double *seconds = xcalloc(MAX_RUNS, sizeof *seconds), spent = 0, one;
    session_forget(s); /* the first one plans */
    size_t live = s->st.heap.live;
    bool ok = evaluate_once(c, n, roots, &one);
    t->first = now_seconds() - started;
    t->peak = s->st.heap.peak > live ? s->st.heap.peak - live : 0;
    for (t->runs = 0; ok && t->runs < MAX_RUNS && (t->runs < 3 || spent < 1);) {
        ok = evaluate_once(c, n, roots, &one);
        seconds[t->runs++] = one;
        spent += one;
        if (t->runs >= 1 && one > 5)
            break;
    }
    if (ok) {
        qsort(seconds, (size_t)t->runs, sizeof *seconds, by_size);
        t->median = seconds[t->runs / 2];
    }
    free(seconds);
    return ok;
}

bool command_time(Call *c)
{
    Node **roots = NULL, *missing;
    double started = now_seconds();
    int n = call_roots(c, NULL, &roots);
    Timing t;
    bool ok = n >= 0;
    c->r->s.st.span = c->rest;
    if (ok && session_missing(&c->r->s, n, roots, &missing))
        ok = call_fail(c, c->rest, "no-value", "give it one with :=", "%s has no value",
                       missing->op == OP_SIZE ? "a size" : missing->attrs[0].name);
    ok = ok && measure(c, n, roots, started, &t);
    free(roots);
    if (!ok)
        return false;
    text_put(&c->out, "first ");
    put_seconds(&c->out, t.first);
    text_put(&c->out, ", median ");
    put_seconds(&c->out, t.median);
    text_printf(&c->out, " of %d run%s, peak ", t.runs, t.runs == 1 ? "" : "s");
    put_bytes(&c->out, t.peak);
    text_putc(&c->out, '\n');
    json_key(&c->data, "first_s");
    json_double(&c->data, t.first);
    json_key(&c->data, "median_s");
    json_double(&c->data, t.median);
    json_key(&c->data, "runs");
    json_int(&c->data, t.runs);
    json_key(&c->data, "peak_bytes");
    json_int(&c->data, (i64)t.peak);
    return true;
}

/* ---- :draw ---- */

/* A key whose value is one of a few words. */
static bool option_word(Call *c, const char *key, const char *const *words, int count, int *out)
{
    const Option *o = call_option(c, key);
    if (!o)
        return true;
    int k = scene_word(words, count, o->value);
    if (k < 0) {
        Text list = {0};
        for (int i = 0; i < count; i++)
            text_printf(&list, "%s%s", i ? ", " : "", words[i]);
        call_fail(c, o->span, "usage", NULL, "%s= is one of %s", key, text_str(&list));
        text_free(&list);
        return false;
    }
    *out = k;
    return true;
}

static bool find_focus(Call *c, Exploration *x, SceneOptions *so)
{
    i64 k = 0, depth = 2;
    if (!call_count(c, "focus", 0, UINT32_MAX, &k) || !call_count(c, "depth", 2, 1000, &depth))
        return false;
    const Option *o = call_option(c, "focus");
    so->depth = (int)depth;
    if (!o)
        return call_option(c, "depth") ? call_fail(c, call_option(c, "depth")->span, "usage", NULL,
                                                   "depth= goes with focus=%%K")
                                       : true;
    so->focus = exploration_node(x, (u32)k);
    if (!so->focus)
        return call_fail(c, o->span, "unknown-name", ":graph shows the numbers",
                         "there is no node %%%lld", (long long)k);
    return true;
}

static bool draw_options(Call *c, Exploration *x, SceneOptions *so, int *theme, int *dir)
{
    static const char *const inner[] = {"open", "closed"};
    int closed = 0;
    if (!option_word(c, "inner", inner, 2, &closed) ||
        !option_word(c, "theme", scene_theme_words, THEME_COUNT, theme) ||
        !option_word(c, "dir", scene_direction_words, DIR_COUNT, dir) || !find_focus(c, x, so))
        return false;
    so->inner_closed = closed == 1;
    return true;
}

/* The scene of the state that is asked for; step=K is drawn as a diff from the step before. */
static Scene *build_scene(Call *c, Exploration *x, u32 k, SceneOptions *so)
{
    Store *st = &c->r->s.st;
    Node **roots = call_roots_at(c, x, "step", &(Place){1, {k}}), **before = NULL;
    Text title = {0};
    text_put(&title, c->text);
    if (roots && k > 0 && call_option(c, "step")) {
        const Step *s = &x->log.at.at[k - 1];
        before = call_roots_at(c, x, "step", &(Place){1, {k - 1}});
        so->before = before;
        so->step = s;
        text_printf(&title, ", step %u: %s", k, step_rule(s));
    } else if (k > 0) {
        text_printf(&title, ", after %s", call_option(c, "pass")->value);
    }
    so->title = text_str(&title);
    Scene *scene = roots ? scene_from_graph(st, &x->numbering, x->nroots, roots, so) : NULL;
    if (so->focus && scene && !scene->nodes.len) {
        call_fail(c, call_option(c, "focus")->span, "unknown-name", NULL,
                  "node %s is not in this state of the graph", call_option(c, "focus")->value);
        scene_free(scene);
        scene = NULL;
    }
    text_free(&title);
    free(roots);
    free(before);
    return scene;
}

static bool write_file(Call *c, const char *path, const Text *bytes)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(bytes->at, 1, bytes->len, f) == bytes->len;
    int error = errno;
    if (f && fclose(f) != 0 && ok) {
        ok = false;
        error = errno;
    }
    return ok || call_fail(c, c->file_span, "io", NULL, "%s cannot be written: %s", path,
                           strerror(error));
}

static bool draw_file(Call *c, const Scene *scene, const char *format)
{
    Text bytes = {0};
    char *error = NULL;
    bool ok = draw_run(scene, format, 0, &bytes, &error);
    if (!ok)
        call_fail(c, c->span, "draw", NULL, "%s", error ? error : "the drawing failed");
    else if (error)
        diag_note(&c->r->s.diags, "draw", c->span, "%s", error);
    free(error);
    ok = ok && write_file(c, c->file, &bytes);
    text_free(&bytes);
    return ok;
}

static const char *draw_format(Call *c)
{
    static const char *const formats[] = {"svg", "png", "dot", "json"};
    const char *dot = strrchr(c->file, '.');
    for (size_t i = 0; dot && i < COUNT_OF(formats); i++)
        if (strcasecmp(dot + 1, formats[i]) == 0)
            return formats[i];
    call_fail(c, c->file_span, "usage", "name it .svg, .png, .dot or .json",
              "%s does not say what kind of drawing it is", c->file);
    return NULL;
}

bool command_draw(Call *c)
{
    const char *format = draw_format(c);
    Exploration *x = format ? call_explore(c) : NULL;
    u32 k;
    SceneOptions so = {0};
    int theme = THEME_AUTO, dir = DIR_TB;
    if (!x || !call_state(c, x, &k) || !draw_options(c, x, &so, &theme, &dir))
        return false;
    Scene *scene = build_scene(c, x, k, &so);
    if (!scene)
        return false;
    scene->theme = (SceneTheme)theme;
    scene->direction = (SceneDirection)dir;
    bool ok = draw_file(c, scene, format);
    if (ok) {
        text_printf(&c->out, "%s: %zu nodes, %zu edges\n", c->file, scene->nodes.len,
                    scene->edges.len);
        json_key(&c->data, "file");
        json_string(&c->data, c->file);
        json_key(&c->data, "nodes");
        json_int(&c->data, (i64)scene->nodes.len);
        json_key(&c->data, "edges");
        json_int(&c->data, (i64)scene->edges.len);
    }
    scene_free(scene);
    return ok;
}
