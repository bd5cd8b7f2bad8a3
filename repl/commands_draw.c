/* :draw: which state of which graph, what is told of it, and the file it goes to. */
#include "repl/commands.h"
#include "repl/node_values.h"
#include "rewrite/history.h"
#include "viz/draw.h"
#include "viz/scene_build.h"

#include <errno.h>

enum { MOST_UNROLLED = 64 };

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

/* values=data|grad, unroll=K. */
static bool find_wishes(Call *c, NodeWishes *w)
{
    static const char *const words[] = {"off", "data", "grad"};
    int values = 0;
    if (!option_word(c, "values", words, 3, &values) ||
        !call_count(c, "unroll", 0, MOST_UNROLLED, &w->unroll))
        return false;
    const Option *o = call_option(c, "unroll"), *v = call_option(c, "values");
    if (o && !w->unroll)
        return call_fail(c, o->span, "usage", NULL, "unroll= takes at least 1 step");
    w->data = values >= 1;
    w->grad = values == 2;
    w->span = v ? v->span : o ? o->span : c->span;
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
    NodeWishes wishes = {0};
    NodeValues values = {0};
    bool ok =
        roots && find_wishes(c, &wishes) && node_values(c, x->nroots, roots, &wishes, &values);
    so->data = &values.data;
    so->grad = &values.grad;
    so->unrolled = &values.unrolled;
    Scene *scene = ok ? scene_from_graph(st, &x->numbering, x->nroots, roots, so) : NULL;
    node_values_free(&values);
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
