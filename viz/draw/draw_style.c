/* Colours, line styles, the style sheet and the legend: one table each, used by
 * SVG, DOT and PNG alike.
 *
 * Invariant: text on a fill has a contrast of at least 4.5:1 in both themes, and
 * nothing is told by colour alone: operators are named, roles and edges have line
 * styles, marks have glyphs. */
#include "viz/draw/paint.h"
#include "viz/scene/look.h"

static const Paint class_table[CLS_COUNT] = {
#define FILL(ID, WORD, LIGHT, LINE, DARK, DARK_LINE) [CLS_##ID] = {LIGHT, LINE, DARK, DARK_LINE},
#include "viz/canvas/palette.def"
};

/* By a number, the least first. */
static const Paint shade_table[SCENE_SHADES + 1] = {
    {NULL, NULL, NULL, NULL},
    {"#fff4e6", "#8d6f47", "#2b1d0e", "#c9a26b"},
    {"#ffe8cc", "#8d6f47", "#3d2610", "#c9a26b"},
    {"#ffd8a8", "#8a5a1d", "#523012", "#d9a55c"},
    {"#ffc078", "#8a5a1d", "#6b3b12", "#d9a55c"},
    {"#ffa94d", "#7a4208", "#854612", "#f0b060"},
    {"#ff922b", "#7a4208", "#9c4f10", "#f0b060"},
};
static const char *const shade_words[SCENE_SHADES + 1] = {"", "1", "2", "3", "4", "5", "6"};

static const Paint box_table[BOX_COUNT] = {
    [BOX_GROUP] = {"#f7f8f9", "#5b6470", "#1a1f26", "#98a2ae"},
    [BOX_SCAN] = {"#f3f8fd", "#2f6ca8", "#131d29", "#6aaae3"},
    [BOX_LOOP] = {"#f3f8fd", "#2f6ca8", "#131d29", "#6aaae3"},
    [BOX_IF] = {"#f9f7fd", "#6b4fa0", "#1a1723", "#b39ddb"},
    [BOX_THEN] = {"#fcf8ee", "#86610f", "#231e13", "#d8b25a"},
    [BOX_ELSE] = {"#fcf8ee", "#86610f", "#231e13", "#d8b25a"},
    [BOX_CALL] = {"#f7f8f9", "#5b6470", "#1a1f26", "#98a2ae"},
    [BOX_FUSED] = {"#f1faf5", "#227050", "#12221b", "#55bf97"},
    [BOX_GRAD] = {"#faf5fc", "#82479a", "#221827", "#c790dd"},
    [BOX_VJP] = {"#faf5fc", "#82479a", "#221827", "#c790dd"},
    [BOX_JVP] = {"#faf5fc", "#82479a", "#221827", "#c790dd"},
    [BOX_VMAP] = {"#faf5fc", "#82479a", "#221827", "#c790dd"},
    [BOX_FORWARD] = {"#fcfdfc", "#4f6152", "#151b18", "#9db3a2"},
    [BOX_ADJOINT] = {"#fdfafe", "#82479a", "#1e1722", "#c790dd"},
    [BOX_FRAME] = {"#ffffff", "#3d4650", "#0f141a", "#98a2ae"},
    [BOX_STEP] = {"#fbfdff", "#4d6f91", "#182331", "#86a9cc"},
    [BOX_LAYERS] = {"#fbfdff", "#4d6f91", "#182331", "#86a9cc"},
    [BOX_CLASS] = {"#fafbfc", "#5b6470", "#171c22", "#98a2ae"},
};

static const Paint mark_table[MARK_COUNT] = {
    [MARK_ADDED] = {NULL, "#17752f", NULL, "#4fc66c"},
    [MARK_REMOVED] = {NULL, "#b3261e", NULL, "#ff7b72"},
    [MARK_CHANGED] = {NULL, "#8f5a00", NULL, "#e3a63a"},
};

static const Paint edge_table[EDGE_KINDS] = {
    [EDGE_DATA] = {NULL, "#57606a", NULL, "#9aa4b0"},
    [EDGE_STATE] = {NULL, "#2f6ca8", NULL, "#6aaae3"},
    [EDGE_LOOPBACK] = {NULL, "#2f6ca8", NULL, "#6aaae3"},
    [EDGE_CAPTURE] = {NULL, "#57606a", NULL, "#9aa4b0"},
    [EDGE_SEQUENCE] = {NULL, "#1d7f90", NULL, "#57bfd0"},
    [EDGE_UNTIL] = {NULL, "#b3452a", NULL, "#ee9468"},
    [EDGE_ADJOINT] = {NULL, "#82479a", NULL, "#c790dd"},
    [EDGE_CHOSEN] = {NULL, "#1b2027", NULL, "#e8ebef"},
};

static const Color inks[] = {
    [INK_TEXT] = {"ink", "text", PAINT_TEXT},
    [INK_MUTED] = {"ink", "muted", PAINT_MUTED},
    [INK_PAPER] = {"ink", "paper", PAINT_PAPER},
    [INK_RULE] = {"ink", "rule", .light = "#c9d0d8", .dark = "#3a434e"},
    [INK_LIT] = {"ink", "lit", .light = "#d6336c", .dark = "#ff8fb4"},
};

SceneClass class_of_fill(SceneClass c)
{
    return c == CLS_INPUT || c == CLS_CONST ? CLS_STRUCTURAL : c;
}
const Paint *class_paint(SceneClass c) { return &class_table[class_of_fill(c)]; }
const Paint *box_paint(SceneBoxKind k) { return &box_table[k]; }
const Paint *mark_paint(SceneMark m) { return m == MARK_NONE ? NULL : &mark_table[m]; }
const Paint *edge_paint(SceneEdgeKind k) { return &edge_table[k]; }
Color ink_color(InkKind k) { return inks[k]; }

static Color line_color(const char *of, const char *word, const Paint *p)
{
    return (Color){of, word, "line", p->line, p->dark_line};
}

static Look look_of(const char *of, const char *word, const Paint *p)
{
    return (Look){.fill = (Color){of, word, "fill", p->fill, p->dark_fill},
                  .line = line_color(of, word, p)};
}

Color mark_color(SceneMark m) { return line_color("mark", scene_mark_words[m], mark_paint(m)); }
Color edge_color(SceneEdgeKind k) { return line_color("edge", scene_edge_words[k], edge_paint(k)); }

Look class_look(SceneClass c)
{
    return look_of("op", scene_class_words[class_of_fill(c)], class_paint(c));
}

Look node_look(const SceneNode *n)
{
    return n->shade ? look_of("shade", shade_words[n->shade], &shade_table[n->shade])
                    : class_look(n->cls);
}

Color shade_color(int shade)
{
    return look_of("shade", shade_words[shade], &shade_table[shade]).fill;
}

const Paint *node_paint(const SceneNode *n)
{
    return n->shade ? &shade_table[n->shade] : class_paint(n->cls);
}

/* Colors of shades as variables, or what is filled with them. */
static void put_shade_rules(Text *out, bool dark, bool variables)
{
    for (int i = 1; i <= SCENE_SHADES; i++)
        if (variables)
            text_printf(out, ";--f-shade%d:%s;--l-shade%d:%s", i,
                        dark ? shade_table[i].dark_fill : shade_table[i].fill, i,
                        dark ? shade_table[i].dark_line : shade_table[i].line);
        else
            text_printf(out, "$ .shade%d .shape{fill:var(--f-shade%d);stroke:var(--l-shade%d)}\n",
                        i, i, i);
}

Look box_look(SceneBoxKind k) { return look_of("box", scene_box_words[k], box_paint(k)); }

const char *mark_glyph(SceneMark m)
{
    static const char *const glyphs[MARK_COUNT] = {"", "+", "\xE2\x88\x92", "~"};
    return glyphs[m];
}

double edge_width(SceneEdgeKind k)
{
    return k == EDGE_STATE || k == EDGE_LOOPBACK || k == EDGE_CHOSEN ? 2.2
           : k == EDGE_SEQUENCE                                      ? 3.6
           : k == EDGE_UNTIL                                         ? 1.6
                                                                     : 1.2;
}

const char *box_dash(SceneBoxKind k, SceneMark m)
{
    return m == MARK_REMOVED ? "7 4" : k == BOX_CLASS ? "5 3.5" : NULL;
}

const char *edge_dash(SceneEdgeKind k, SceneMark m)
{
    if (m == MARK_REMOVED)
        return "9 5";
    switch (k) {
    case EDGE_LOOPBACK: return "7 4";
    case EDGE_CAPTURE: return "5 3.5";
    case EDGE_UNTIL: return "1.6 3.6";
    case EDGE_ADJOINT: return "8 3 1.5 3";
    default: return NULL;
    }
}

/* ---- legend ---- */

static const char *const class_legend[CLS_COUNT] = {
    [CLS_STRUCTURAL] = "input, constant, tuple",
    [CLS_ELEMENTWISE] = "elementwise",
    [CLS_COMPOSITE] = "composite",
    [CLS_REDUCE] = "reduction",
    [CLS_SHAPE] = "shape",
    [CLS_IMPLICIT] = "implicit",
    [CLS_INDEX] = "indexing",
    [CLS_LINALG] = "linear algebra",
    [CLS_RANDOM] = "random",
    [CLS_CONTROL] = "control",
};
static const char *const role_legend[ROLE_COUNT] = {
    [ROLE_INPUT] = "input",
    [ROLE_SHARED] = "shared variable",
    [ROLE_PARAM] = "parameter",
    [ROLE_STATE] = "loop state",
    [ROLE_SEQUENCE] = "row of a sequence",
    [ROLE_CAPTURE] = "captured",
    [ROLE_OUTPUT] = "output",
    [ROLE_CONST] = "constant",
};
static const char *const edge_legend[EDGE_KINDS] = {
    [EDGE_DATA] = "value",         [EDGE_STATE] = "state",
    [EDGE_LOOPBACK] = "next step", [EDGE_CAPTURE] = "captured value",
    [EDGE_SEQUENCE] = "sequence",  [EDGE_UNTIL] = "stop test",
    [EDGE_ADJOINT] = "adjoint of", [EDGE_CHOSEN] = "of the cheapest term",
};
static const char *const mark_legend[MARK_COUNT] = {"", "added", "removed", "changed"};

static const char *const sign_samples[SIGN_COUNT] = {
    [SIGN_ID] = "%3",
    [SIGN_OUTPUT] = "[0]",
    [SIGN_VALUE] = "=",
    [SIGN_GRAD] = "\xE2\x88\x82",
    [SIGN_REPEAT] = "\xC3\x97\x32",
    [SIGN_MORE] = "\xE2\x80\xA6",
};
static const char *const sign_legend[SIGN_COUNT] = {
    [SIGN_ID] = "number of the node",
    [SIGN_OUTPUT] = "which of the results",
    [SIGN_VALUE] = "its value",
    [SIGN_GRAD] = "change of the result with it",
    [SIGN_REPEAT] = "the same body, repeated",
    [SIGN_MORE] = "neighbours not drawn",
};

const char *sign_sample(Sign s) { return sign_samples[s]; }

typedef struct {
    bool shaded, cls[CLS_COUNT], role[ROLE_COUNT], edge[EDGE_KINDS], mark[MARK_COUNT],
        sign[SIGN_COUNT];
} Used;

static void use_signs(Used *u, const Scene *s, const SceneNode *n)
{
    u->sign[SIGN_ID] = u->sign[SIGN_ID] || (n->id && !s->no_ids);
    u->sign[SIGN_OUTPUT] = u->sign[SIGN_OUTPUT] || n->output;
    u->sign[SIGN_VALUE] = u->sign[SIGN_VALUE] || n->value;
    u->sign[SIGN_GRAD] = u->sign[SIGN_GRAD] || n->grad;
    u->sign[SIGN_MORE] = u->sign[SIGN_MORE] || n->elided;
}

static Used used_in(const Picture *p)
{
    Used u = {0};
    const Scene *s = p->scene;
    for (size_t i = 0; i < s->nodes.len; i++)
        if (p->nodes[i].drawn) {
            bool shaded = s->nodes.at[i].shade > 0;
            u.shaded = u.shaded || shaded;
            u.cls[class_of_fill(s->nodes.at[i].cls)] |= !shaded;
            u.role[s->nodes.at[i].role] = true;
            u.mark[s->nodes.at[i].mark] = true;
            use_signs(&u, s, &s->nodes.at[i]);
        }
    for (size_t i = 0; i < s->boxes.len; i++)
        if (p->boxes[i].drawn) {
            u.mark[s->boxes.at[i].mark] = true;
            u.cls[CLS_CONTROL] = u.cls[CLS_CONTROL] || s->boxes.at[i].closed;
            u.sign[SIGN_REPEAT] = u.sign[SIGN_REPEAT] || s->boxes.at[i].repeat > 1;
        }
    for (size_t i = 0; i < s->edges.len; i++)
        if (p->edges[i].drawn) {
            u.edge[s->edges.at[i].kind] = true;
            u.mark[s->edges.at[i].mark] = true;
        }
    return u;
}

static void enter(LegendEntry *at, int *n, LegendKind kind, const bool *used,
                  const char *const *texts, int count)
{
    for (int i = 0; i < count; i++)
        if (used[i] && texts[i] && *texts[i])
            at[(*n)++] = (LegendEntry){kind, i, texts[i]};
}

int legend_entries(const Picture *p, LegendEntry at[MAX_LEGEND])
{
    int n = 0;
    if (p->scene->no_legend)
        return 0;
    Used u = used_in(p);
    enter(at, &n, LEGEND_FILL, u.cls, class_legend, CLS_COUNT);
    enter(at, &n, LEGEND_ROLE, u.role, role_legend, ROLE_COUNT);
    enter(at, &n, LEGEND_EDGE, u.edge, edge_legend, EDGE_KINDS);
    enter(at, &n, LEGEND_MARK, u.mark, mark_legend, MARK_COUNT);
    enter(at, &n, LEGEND_SIGN, u.sign, sign_legend, SIGN_COUNT);
    return n;
}

/* ---- style sheet ---- */

static void put_variables(Text *out, const Used *u, const bool *boxes, bool dark)
{
    const Canvas c = {.dark = dark};
    text_printf(out, "--text:%s;--muted:%s;--paper:%s;--rule:%s;--tab:%s;--lit:%s",
                color_value(&c, inks[INK_TEXT]), color_value(&c, inks[INK_MUTED]),
                color_value(&c, inks[INK_PAPER]), color_value(&c, inks[INK_RULE]),
                color_value(&c, inks[INK_PAPER]), color_value(&c, inks[INK_LIT]));
    for (int i = 0; i < CLS_COUNT; i++)
        if (u->cls[i])
            text_printf(out, ";--f-%s:%s;--l-%s:%s", scene_class_words[i],
                        dark ? class_table[i].dark_fill : class_table[i].fill, scene_class_words[i],
                        dark ? class_table[i].dark_line : class_table[i].line);
    for (int i = 0; i < BOX_COUNT; i++)
        if (boxes[i])
            text_printf(out, ";--b-%s:%s;--t-%s:%s", scene_box_words[i],
                        dark ? box_table[i].dark_fill : box_table[i].fill, scene_box_words[i],
                        dark ? box_table[i].dark_line : box_table[i].line);
    for (int i = 0; i < EDGE_KINDS; i++)
        if (u->edge[i])
            text_printf(out, ";--e-%s:%s", scene_edge_words[i],
                        dark ? edge_table[i].dark_line : edge_table[i].line);
    if (u->shaded)
        put_shade_rules(out, dark, true);
    if (u->role[ROLE_STATE])
        text_printf(out, ";--state:%s",
                    dark ? edge_table[EDGE_STATE].dark_line : edge_table[EDGE_STATE].line);
    for (int i = MARK_ADDED; i < MARK_COUNT; i++)
        if (u->mark[i])
            text_printf(out, ";--m-%s:%s", scene_mark_words[i],
                        dark ? mark_table[i].dark_line : mark_table[i].line);
}

/* The rules of the sheet are written with $ for the class that they hold in. */
static void put_scoped(Text *out, const char *prefix, const char *rules)
{
    for (const char *at = rules; *at; at++) {
        if (*at == '$')
            text_printf(out, ".%sscene", prefix);
        else
            text_putc(out, *at);
    }
}

static void put_theme(Text *out, const char *before, const Used *u, const bool *boxes, bool dark,
                      const char *after)
{
    text_printf(out, "%s{", before);
    put_variables(out, u, boxes, dark);
    text_put(out, after);
}

static void put_themes(Text *out, SceneTheme theme, const Used *u, const bool *boxes)
{
    put_theme(out, "$", u, boxes, theme == THEME_DARK, "}\n");
    if (theme == THEME_AUTO) {
        put_theme(out, "@media (prefers-color-scheme:dark){$:root,:root:not([data-theme=light]) $",
                  u, boxes, true, "}}\n");
        put_theme(out, ":root[data-theme=dark] $", u, boxes, true, "}\n");
    }
    put_theme(out, "@media print{$$$,:root $$$", u, boxes, false, "}}\n");
}

static void put_box_rules(Text *out, const bool *boxes)
{
    for (int i = 0; i < BOX_COUNT; i++)
        if (boxes[i]) {
            const char *w = scene_box_words[i];
            text_printf(out, "$ .box.kind-%s .frame{fill:var(--b-%s);stroke:var(--t-%s)}", w, w, w);
            text_printf(out, "$ .tab.kind-%s .plate{fill:var(--t-%s)}", w, w);
            text_printf(out, "$ .tab.kind-%s .beside{stroke:var(--b-%s)}\n", w, w);
        }
}

static void put_rules(Text *out, const Used *u, const bool *boxes)
{
    text_put(out, "$ text,$ tspan{fill:var(--text)}$ .muted,$ .halo{fill:var(--muted)}"
                  "$ .glyph,$ .glyph tspan{fill:var(--tab)}\n"
                  "$ .paper{fill:var(--paper)}$ .halo,$ .core,$ .badge{stroke:var(--paper)}"
                  "$ .rule{stroke:var(--rule)}$ .focus{stroke:var(--text)}$ .lit{stroke:var(--lit)}"
                  "$ .plain{fill:var(--paper);stroke:var(--muted)}\n");
    for (int i = 0; i < CLS_COUNT; i++)
        if (u->cls[i]) {
            const char *w = scene_class_words[i];
            text_printf(out, "$ .op-%s .shape{fill:var(--f-%s);stroke:var(--l-%s)}\n", w, w, w);
        }
    if (u->shaded)
        put_shade_rules(out, false, false);
    if (u->role[ROLE_STATE])
        text_put(out, "$ .role-state .shape,$ .role-state .sign,$ .role-state .plain"
                      "{stroke:var(--state)}\n");
    put_box_rules(out, boxes);
    for (int i = 0; i < EDGE_KINDS; i++)
        if (u->edge[i]) {
            const char *w = scene_edge_words[i];
            text_printf(out, "$ .edge.kind-%s .line{stroke:var(--e-%s)}", w, w);
            text_printf(out, "$ .edge.kind-%s .tip{fill:var(--e-%s)}\n", w, w);
        }
    for (int i = MARK_ADDED; i < MARK_COUNT; i++)
        if (u->mark[i]) {
            const char *w = scene_mark_words[i];
            text_printf(out,
                        "$ .node.mark-%s .shape,$ .edge.mark-%s .line,$ .box.mark-%s .frame"
                        "{stroke:var(--m-%s)}",
                        w, w, w, w);
            text_printf(out, "$ .edge.mark-%s .tip,$ .mark-%s .badge{fill:var(--m-%s)}\n", w, w, w);
        }
}

/* Many viewers take a rule with var() for one without a value, and paint black; those do not know
 * @supports either, and pass over what it holds. A light picture needs none of that. */
void style_sheet(const Picture *p, const char *prefix, Text *out)
{
    Used u = used_in(p);
    bool boxes[BOX_COUNT] = {0};
    Text rules = {0};
    for (size_t i = 0; i < p->scene->boxes.len; i++)
        if (p->boxes[i].drawn && !p->scene->boxes.at[i].closed)
            boxes[p->scene->boxes.at[i].kind] = true;
    text_put(&rules, "$ text{font-family:");
    look_family(p->scene, SANS_FAMILY, &rules);
    text_put(&rules, ";white-space:pre}\n$ .mono{font-family:" MONO_FAMILY "}\n");
    if (p->scene->theme != THEME_LIGHT && !look_has_colors(p->scene)) {
        text_put(&rules, "@supports (--a:b){\n");
        put_themes(&rules, p->scene->theme, &u, boxes);
        put_rules(&rules, &u, boxes);
        text_put(&rules, "}\n");
    }
    text_put(&rules, "@media print{$ .paper{fill:none}}\n");
    put_scoped(out, prefix, text_str(&rules));
    text_free(&rules);
}
