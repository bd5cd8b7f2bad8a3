/* The keys of :draw, of one table, and how they make a drawing look.
 *
 * Invariant: what cannot be is said before anything is laid out; a scene is changed only in how it
 * looks. */
#include "repl/commands/draw_options.h"
#include "rewrite/things.h"
#include "viz/scene/draw.h"

#include <errno.h>

#define D(KEY, WORDS, FORMATS, SHOWN, HELP) #KEY " "
#define WITH(KEY) #KEY " "
const char draw_keys[] =
#include "repl/commands/draw_options.def"
    ;
#undef D
#undef WITH

#define D(KEY, WORDS, FORMATS, SHOWN, HELP) "\n  " SHOWN HELP
#define WITH(KEY)
const char draw_help[] =
    "The kind of FILE decides:" DRAW_ENDS
    ".  Without FILE the drawing shows in the terminal, if that\n"
    "shows pictures (`:set images`), else as boxes if it is small (`:graph EXPR boxes`).\n"
    "egraph: what :saturate finds, classes of equal expressions as dashed boxes, the cheapest term "
    "outlined;\nn=1000 is what the size n counts as there.  An operand of the class itself is "
    "\xE2\x86\xBA, without an edge."
#include "repl/commands/draw_options.def"
    ;
#undef D
#undef WITH

typedef struct {
    const char *key, *words, *formats;
} Row;

static const Row rows[] = {
#define D(KEY, WORDS, FORMATS, SHOWN, HELP) {#KEY, WORDS, FORMATS},
#define WITH(KEY) {#KEY, "", ""},
#include "repl/commands/draw_options.def"
#undef D
#undef WITH
};

const char *draw_words(const char *key)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(rows[i].key, key) == 0)
            return rows[i].words;
    return "";
}

bool draw_choice(Call *c, const char *key, int *out)
{
    enum { MOST = 8 };
    char *list = arena_strndup(&c->arena, draw_words(key), strlen(draw_words(key))), *rest = list;
    const char *words[MOST];
    int n = 0;
    while (n < MOST && (words[n] = strtok_r(rest, " ", &rest)))
        n++;
    return call_choice(c, key, words, n, out);
}

/* Does the blank-separated list hold it? */
static bool lists(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

bool draw_check_format(Call *c, const char *format)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const Option *o = call_option(c, rows[i].key);
        if (o && *rows[i].formats && !lists(rows[i].formats, format))
            return call_fail(
                c, o->span, "usage",
                report_format(&c->report, "it goes with files that end in %s", rows[i].formats),
                "a .%s has no %s=", format, rows[i].key);
    }
    return true;
}

/* ---- looks ---- */

static bool look_texts(Call *c, Scene *s)
{
    const char *title = NULL, *caption = NULL;
    if (!call_text(c, "title", &title) || !call_text(c, "caption", &caption))
        return false;
    if (title)
        scene_set_title(s, title);
    if (caption)
        scene_set_caption(s, caption);
    return true;
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

/* highlight=%3,%5: the next number, 0 at the end, -1 after a diagnostic. */
static i64 next_lit(Call *c, const char **at)
{
    const Option *o = call_option(c, "highlight");
    char *end = NULL;
    *at = *at ? *at : o ? o->value : "";
    if (!**at)
        return 0;
    errno = 0;
    const char *digits = *at + (**at == '%');
    i64 id = *digits >= '0' && *digits <= '9' ? strtoll(digits, &end, 10) : -1;
    if (id < 0 || errno || (*end && (*end != ',' || !end[1]))) {
        call_fail(c, o->span, "usage", NULL,
                  "highlight= takes numbers of nodes: highlight=%%3,%%5");
        return -1;
    }
    *at = end + (*end == ',');
    return id ? id : INT64_MAX;
}

static bool no_lit(Call *c, i64 id)
{
    return call_fail(c, call_option(c, "highlight")->span, "unknown-name",
                     ":graph shows the numbers", "there is no node %%%lld in this drawing",
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

bool draw_lit_nodes(Call *c, Exploration *x, Node *const *roots, PtrMap *lit)
{
    const char *at = NULL;
    i64 id;
    while ((id = next_lit(c, &at)) > 0) {
        const Thing *thing = id <= UINT32_MAX ? thing_numbered(x, (u32)id) : NULL;
        Node *n = thing ? thing_in_state(x, thing, x->nroots, roots, NULL) : NULL;
        if (!n)
            return no_lit(c, id);
        map_put(lit, n, n);
    }
    return id == 0;
}

bool draw_found_lit(Call *c, Exploration *x, Node *const *roots, const PtrMap *lit)
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
    int theme = 0, direction = 0, no_types = 0, no_ids = 0, no_legend = 0;
    i64 dpi = 0;
    if (!draw_choice(c, "theme", &theme) || !draw_choice(c, "dir", &direction) ||
        !draw_choice(c, "types", &no_types) || !draw_choice(c, "ids", &no_ids) ||
        !draw_choice(c, "legend", &no_legend) ||
        !call_number(c, "dpi", 0, SCENE_LEAST_DPI, SCENE_MOST_DPI, &dpi))
        return false;
    s->theme = (SceneTheme)theme;
    s->direction = (SceneDirection)direction;
    s->no_types = no_types;
    s->no_ids = no_ids;
    s->no_legend = no_legend;
    s->dpi = (int)dpi;
    return look_texts(c, s) && look_scale(c, s) && look_background(c, s) && look_highlight(c, s);
}
