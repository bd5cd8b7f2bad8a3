/* The keys of :draw, of one table, and how they make a drawing look.
 *
 * Invariant: what cannot be is said before anything is laid out; a scene is changed only in how it
 * looks. */
#include "repl/commands/draw_options.h"
#include "repl/commands/arguments.h"
#include "graph/op.h"
#include "rewrite/things.h"
#include "viz/scene/draw.h"
#include "viz/scene/look.h"
#include "viz/scene/scene_check.h"

#define D(KEY, FORMATS, SHOWN, HELP) SHOWN " "
const char draw_declared[] =
#include "repl/commands/draw_options.def"
    "rules=A,B iterations=N nodes=N cost=time|flops|bytes|nodes|\"OP=N\" assume=N SIZE=N";
#undef D

#define D(KEY, FORMATS, SHOWN, HELP) "\n  " SHOWN " " HELP
const char draw_help[] =
    "The kind of FILE decides:" DRAW_ENDS
    ".  Without FILE the drawing shows in the terminal, if that\n"
    "shows pictures (`:set images`), otherwise as boxes if it is small (`:graph EXPR boxes=on`).\n"
    "A, B: two graphs (:help diff), in the colors of a step: added, removed, changed.\n"
    "egraph=on: the e-graph of :saturate, with classes of equal expressions as dashed boxes and\n"
    "the cheapest term outlined; n=1000 sets the size n for its costs.  An operand that is in the\n"
    "class itself is "
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

/* ---- labels ---- */

/* The text without blanks around it. */
static char *trimmed(const char *s, size_t n)
{
    for (; n && *s == ' '; n--)
        s++;
    while (n && s[n - 1] == ' ')
        n--;
    Text t = {0};
    text_putn(&t, s, n);
    return text_take(&t);
}

static bool label_one(Call *c, Scene *s, const char *what, const char *text)
{
    const Option *o = call_option(c, "label");
    char *end = NULL;
    i64 id = *what == '%' ? strtoll(what + 1, &end, 10) : 0;
    bool number = end && end > what + 1 && !*end;
    if (!*what || !*text)
        return call_fail(c, o->span, "usage", "label=\"i=input gate; f=forget gate\"",
                         "label= takes a name or number, = and a text, and ; before the next");
    if (scene_add_labels(s, number ? id : 0, number ? NULL : what, text))
        return true;
    return call_fail(c, o->span, "unknown-name",
                     number ? ":graph ssa=on shows the numbers"
                            : "a label goes by a name that the drawing shows, or by %K",
                     "nothing in this drawing is %s", what);
}

/* label="i=input gate; %3=forget gate" */
static bool look_labels(Call *c, Scene *s)
{
    const Option *o = call_option(c, "label");
    bool ok = true;
    for (const char *at = o ? o->value : ""; *at && ok;) {
        size_t n = strcspn(at, ";"), name = strcspn(at, "=");
        name = name < n ? name : n;
        char *what = trimmed(at, name),
             *text = trimmed(at + name + (name < n), n - name - (name < n));
        ok = (!*what && !*text) || label_one(c, s, what, text);
        free(what);
        free(text);
        at += n + (at[n] == ';');
    }
    return ok;
}

/* ---- links ---- */

static bool look_links(Call *c, Scene *s)
{
    const Option *o = call_option(c, "link");
    if (o && !link_leads_somewhere(o->value))
        return call_fail(c, o->span, "usage", "link=\"https://example.org/{op}.html\"",
                         "link= begins with https:// or http://, or is a path without blanks");
    const char *wrong = o ? scene_set_links(s, o->value) : NULL;
    size_t n = wrong ? strcspn(wrong, "}") : 0;
    return !wrong ||
           call_fail(c, o->span, "usage",
                     "{op} is the operator, {name} what the node is called, {id} its number",
                     "link= has no %.*s", (int)(n + (wrong[n] == '}')), wrong);
}

/* ---- a look of one's own ---- */

enum { MOST_LOOK = 1 << 16 }; /* bytes of such a file */

/* What a size means for a drawing: letters of labels have 13.5 pixels; those of a figure are at
 * least so large. */
static void look_size(Scene *s)
{
    double size = look_number(s, "size", 0);
    if (size > 0 && s->style == STYLE_FIGURE && size * 10 > s->least_tenths)
        s->least_tenths = (int)(size * 10 + 0.5);
    else if (size > 0 && s->style == STYLE_GRAPH)
        s->scale = (s->scale > 0 ? s->scale : 1) * size / (13.5 * 0.75);
}

static bool look_fault(Call *c, const char *path, LookFault *why)
{
    char place[24] = "";
    if (why->line)
        snprintf(place, sizeof place, ":%d", why->line);
    call_fail(c, call_option(c, "look")->span, "usage", why->hint, "%s%s: %s", path, place,
              text_str(&why->what));
    text_free(&why->what);
    return false;
}

static bool look_file(Call *c, Scene *s)
{
    const Option *o = call_option(c, "look");
    size_t len = 0;
    LookFault why;
    char *text = o ? repl_read_file(c->r, o->value, o->span, &len) : NULL;
    if (!o || !text)
        return !o;
    if (len > MOST_LOOK) {
        free(text);
        return call_fail(c, o->span, "usage", ":help look", "%s is too large for a look", o->value);
    }
    bool ok = look_read(s, text, &why) || look_fault(c, o->value, &why);
    free(text);
    const char *font = look_value(s, "font"), *format = c->file ? draw_format(c->file) : NULL;
    bool own = font && strcmp(font, "sans") && strcmp(font, "serif") && strcmp(font, "mono");
    if (ok && own && format && !strcmp(format, "tex"))
        return call_fail(c, o->span, "usage", "font = serif takes the letters of the paper's text",
                         "a .tex has the fonts of its paper: sans, serif or mono, not %s", font);
    if (ok && look_has_colors(s) && s->theme == THEME_DARK)
        return call_fail(c, o->span, "usage", "leave theme=dark out",
                         "the colors of a look are those on light paper");
    if (ok)
        look_size(s);
    if (ok && look_has_colors(s) && s->theme == THEME_AUTO)
        s->theme = THEME_LIGHT;
    return ok;
}

bool draw_looks(Call *c, Scene *s)
{
    i64 dpi = 0;
    if (!call_number(c, "dpi", 0, SCENE_LEAST_DPI, SCENE_MOST_DPI, &dpi))
        return false;
    s->theme = (SceneTheme)call_choice(c, "theme", 0);
    s->direction = (SceneDirection)call_choice(c, "dir", 0);
    if (call_option(c, "color") && s->theme == THEME_AUTO && s->style == STYLE_FIGURE)
        s->theme = THEME_LIGHT; /* what formulas are filled with does not follow the screen */
    s->no_types = !call_switch(c, "types");
    s->no_ids = !call_switch(c, "ids");
    s->no_legend = !call_switch(c, "legend");
    s->dpi = (int)dpi;
    s->lowered = call_choice(c, "index", 0) == 1;
    look_texts(c, s);
    return look_scale(c, s) && look_background(c, s) && look_file(c, s) && look_links(c, s) &&
           look_labels(c, s) && look_highlight(c, s);
}

void draw_check_scene(Call *c, const Scene *s, int n, Node *const *roots)
{
    if (!c->r->checks_scenes)
        return;
    SceneFaults faults = scene_check(&c->r->s.st, s, n, roots);
    for (size_t i = 0; i < faults.at.len; i++) {
        const SceneFault *f = &faults.at.at[i];
        call_fail(c, c->span, "scene", NULL, "the drawing breaks the rule `%s`: %s at %s",
                  scene_rule_words[f->rule], f->what,
                  f->node ? scene_node_name(scene_node_at(s, f->node)) : "the whole");
    }
    scene_faults_free(&faults);
}
