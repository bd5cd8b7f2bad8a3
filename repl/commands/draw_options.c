/* The keys of :draw, of one table, and how they make a drawing look.
 *
 * Invariant: what cannot be is said before anything is laid out; a scene is changed only in how it
 * looks. */
#include "repl/commands/draw_options.h"
#include "repl/commands/arguments.h"
#include "rewrite/things.h"
#include "viz/scene/draw.h"

#define D(KEY, FORMATS, SHOWN, HELP) SHOWN " "
const char draw_declared[] =
#include "repl/commands/draw_options.def"
    "rules=A,B iterations=N nodes=N cost=time|flops|bytes|nodes|\"OP=N\" assume=N SIZE=N";
#undef D

#define D(KEY, FORMATS, SHOWN, HELP) "\n  " SHOWN " " HELP
const char draw_help[] =
    "The kind of FILE decides:" DRAW_ENDS
    ".  Without FILE the drawing shows in the terminal, if that\n"
    "shows pictures (`:set images`), else as boxes if it is small (`:graph EXPR boxes=on`).\n"
    "A, B: two graphs, which :help diff says more of, in the colours of a step: added, removed, "
    "changed.\n"
    "egraph=on: what :saturate finds, classes of equal expressions as dashed boxes, the cheapest "
    "term "
    "outlined;\nn=1000 is what the size n counts as there.  An operand of the class itself is "
    "\xE2\x86\xBA, without an edge."
#include "repl/commands/draw_options.def"
    ;
#undef D

static const struct {
    const char *key, *formats;
} rows[] = {
#define D(KEY, FORMATS, SHOWN, HELP) {#KEY, FORMATS},
#include "repl/commands/draw_options.def"
#undef D
};

bool draw_check_format(Call *c, const char *format)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const Option *o = call_option(c, rows[i].key);
        if (o && *rows[i].formats && !list_has(rows[i].formats, format, strlen(format)))
            return call_fail(
                c, o->span, "usage",
                report_format(&c->report, "it goes with files that end in %s", rows[i].formats),
                "a .%s has no %s=", format, rows[i].key);
    }
    return true;
}

/* ---- looks ---- */

static void look_texts(Call *c, Scene *s)
{
    const Option *title = call_option(c, "title"), *caption = call_option(c, "caption");
    if (title)
        scene_set_title(s, title->value);
    if (caption)
        scene_set_caption(s, caption->value);
}

static bool look_scale(Call *c, Scene *s)
{
    const Option *o = call_option(c, "scale");
    char *end = NULL;
    if (!o)
        return true;
    s->scale = strtod(o->value, &end);
    if (end == o->value || *end || !(s->scale >= SCENE_LEAST_SCALE) ||
        !(s->scale <= SCENE_MOST_SCALE))
        return call_fail(c, o->span, "usage", "scale=0.5 draws half as large",
                         "scale= goes from %g to %g", SCENE_LEAST_SCALE, SCENE_MOST_SCALE);
    return true;
}

/* Is "#rrggbb" nearer to black? */
static bool is_dark(const char *color)
{
    unsigned r = 255, g = 255, b = 255;
    sscanf(color, "#%2x%2x%2x", &r, &g, &b);
    return 299 * r + 587 * g + 114 * b < 127 * 1000;
}

/* On a background of one's own, what follows the reader's screen could not be read. */
static bool look_background(Call *c, Scene *s)
{
    const Option *o = call_option(c, "background");
    const char *value = o && strcmp(o->value, "white") == 0 ? "#ffffff" : o ? o->value : NULL;
    if (!scene_set_background(s, value))
        return call_fail(c, o->span, "usage", NULL,
                         "background= is none, white or a color as #f4f5f7");
    if (value && value[0] == '#' && s->theme == THEME_AUTO)
        s->theme = is_dark(value) ? THEME_DARK : THEME_LIGHT;
    return true;
}

/* highlight=%3,%5: the next number; 0 at the end. */
static i64 next_lit(Call *c, const char **at)
{
    const Option *o = call_option(c, "highlight");
    char *end = NULL;
    *at = *at ? *at : o ? o->value : "";
    if (!**at)
        return 0;
    i64 id = strtoll(*at + (**at == '%'), &end, 10);
    *at = end + (*end == ',');
    return id ? id : INT64_MAX;
}

static bool no_lit(Call *c, i64 id)
{
    return call_fail(c, call_option(c, "highlight")->span, "unknown-name",
                     ":graph ssa=on shows the numbers", "there is no node %%%lld in this drawing",
                     (long long)(id == INT64_MAX ? 0 : id));
}

static bool look_highlight(Call *c, Scene *s)
{
    const char *at = NULL;
    i64 id = 0;
    while (s->style != STYLE_FIGURE && (id = next_lit(c, &at)) > 0)
        if (!scene_light(s, id))
            return no_lit(c, id);
    return id == 0;
}

bool draw_lit_nodes(Call *c, Exploration *x, Node *const *roots, NodeSet *lit)
{
    const char *at = NULL;
    i64 id;
    while ((id = next_lit(c, &at)) > 0) {
        const Thing *thing = id <= UINT32_MAX ? thing_numbered(x, (u32)id) : NULL;
        Node *n = thing ? thing_in_state(x, thing, x->nroots, roots, NULL) : NULL;
        if (!n)
            return no_lit(c, id);
        set_add(lit, n);
    }
    return id == 0;
}

bool draw_found_lit(Call *c, Exploration *x, Node *const *roots, const NodeSet *lit)
{
    const char *at = NULL;
    for (i64 id; (id = next_lit(c, &at)) > 0;) {
        const Thing *thing = thing_numbered(x, (u32)id);
        if (map_get(lit, thing_in_state(x, thing, x->nroots, roots, NULL)))
            return no_lit(c, id);
    }
    return true;
}

bool draw_looks(Call *c, Scene *s)
{
    i64 dpi = 0;
    if (!call_number(c, "dpi", 0, SCENE_LEAST_DPI, SCENE_MOST_DPI, &dpi))
        return false;
    s->theme = (SceneTheme)call_choice(c, "theme", 0);
    s->direction = (SceneDirection)call_choice(c, "dir", 0);
    s->no_types = !call_switch(c, "types");
    s->no_ids = !call_switch(c, "ids");
    s->no_legend = !call_switch(c, "legend");
    s->dpi = (int)dpi;
    look_texts(c, s);
    return look_scale(c, s) && look_background(c, s) && look_highlight(c, s);
}
