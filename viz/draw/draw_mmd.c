/* A scene as a flowchart of Mermaid, for READMEs: it is laid out by whoever shows it.
 *
 * Invariant: whatever a label holds is text: every character that means something to Mermaid, to
 * HTML or to Markdown is written by its number. Ids are ours, and no word of the language. */
#include "viz/draw/mermaid.h"

/* What a reader takes unless told otherwise: see the configuration of Mermaid. */
enum { MOST_EDGES = 500, MOST_CHARACTERS = 50000, MOST_LETTERS = 400 };

typedef struct {
    const Scene *s;
    Text *out;
    bool *points; /* by box, twice: is there a point in it from which edges lead, or to which? */
    int edges;
} Chart;

/* ---- text ---- */

static void put_escaped(Text *out, const char *s, size_t n)
{
    static const char special[] = "\"#<>&`\\{}|;%$*_~", first[] = "+-="; /* a list, a heading */
    for (size_t i = 0; i < n; i++) {
        bool begins = i == 0 || s[i - 1] == '\n';
        if (s[i] == '\n')
            text_put(out, "<br>");
        else if (i && s[i] == '$' && s[i - 1] == '$') /* else it would be a formula */
            text_put(out, "#8288;#36;");
        else if (strchr(special, s[i]) || (begins && strchr(first, s[i])))
            text_printf(out, "#%d;", s[i]);
        else
            text_putc(out, s[i]);
    }
}

/* A line of a label, what cannot be seen made visible, of too many letters the first. */
static void put_line(Text *out, const char *before, const char *s)
{
    Text seen = {0};
    int width = 0;
    size_t n = s ? strlen(s) : 0, i = 0;
    if (!n)
        return;
    while (i < n && width < MOST_LETTERS)
        if (s[i] == '\n') {
            text_putc(&seen, s[i++]);
        } else {
            i += utf8_put_visible(&seen, s + i, n - i, &width);
        }
    text_put(&seen, i < n ? "…" : "");
    put_escaped(out, before, strlen(before));
    put_escaped(out, text_str(&seen), seen.len);
    text_free(&seen);
}

/* Words that no reader shows, in a line of a comment. */
static void put_remark(Text *out, const char *s)
{
    for (size_t len; s && *s; s += len + (s[len] == '\n')) {
        len = strcspn(s, "\n");
        text_put(out, "%% ");
        int width = 0;
        for (size_t i = 0; i < len;)
            i += utf8_put_visible(out, s + i, len - i, &width);
        text_putc(out, '\n');
    }
}

static void indent(Chart *c, int box)
{
    text_put(c->out, "  ");
    for (; box; box = scene_box_at(c->s, box)->parent)
        text_put(c->out, "  ");
}

/* ---- nodes ---- */

static void put_label(Chart *c, const SceneNode *n)
{
    const char *name = n->words.text || n->role != ROLE_NONE ? n->label : scene_node_name(n);
    put_line(c->out, *mark_glyph(n->mark) ? mark_glyph(n->mark) : "", name && *name ? name : " ");
    if (n->id && !c->s->no_ids)
        text_printf(c->out, " #37;%lld", (long long)n->id);
    if (!c->s->no_types)
        put_line(c->out, "\n", n->detail);
    put_line(c->out, "\n= ", n->value);
    put_line(c->out, "\n∂ ", n->grad);
    put_line(c->out, "\n", n->amount);
    if (n->elided)
        text_printf(c->out, "<br>… %d more", n->elided);
}

static bool is_circle(const Scene *s, const SceneNode *n)
{
    return s->style == STYLE_FIGURE && n->role == ROLE_NONE && n->op && strcmp(n->op, "formula");
}

static void put_node(Chart *c, int k)
{
    static const char *const shapes[ROLE_COUNT][2] = {
        [ROLE_NONE] = {"[\"", "\"]"},      [ROLE_INPUT] = {"([\"", "\"])"},
        [ROLE_SHARED] = {"[(\"", "\")]"},  [ROLE_PARAM] = {"([\"", "\"])"},
        [ROLE_STATE] = {"([\"", "\"])"},   [ROLE_SEQUENCE] = {"[/\"", "\"/]"},
        [ROLE_CAPTURE] = {"([\"", "\"])"}, [ROLE_OUTPUT] = {"[[\"", "\"]]"},
        [ROLE_CONST] = {"[\"", "\"]"}};
    static const char *const round[2] = {"((\"", "\"))"};
    const SceneNode *n = scene_node_at(c->s, k);
    const char *const *shape = is_circle(c->s, n) ? round : shapes[n->role];
    indent(c, n->box);
    text_printf(c->out, "n%d%s", k, shape[0]);
    put_label(c, n);
    text_printf(c->out, "%s\n", shape[1]);
}

static bool is_empty(const Scene *s, int box)
{
    for (size_t i = 0; i < s->nodes.len; i++)
        if (s->nodes.at[i].box == box)
            return false;
    for (size_t i = 0; i < s->boxes.len; i++)
        if (s->boxes.at[i].parent == box)
            return false;
    return true;
}

/* Is it a node of the chart, without anything in it? */
static bool is_closed(const Scene *s, int box)
{
    return scene_box_at(s, box)->closed || is_empty(s, box);
}

static void put_box_label(Chart *c, int box)
{
    const SceneBox *b = scene_box_at(c->s, box);
    put_line(c->out, mark_glyph(b->mark),
             b->title && *b->title ? b->title : scene_box_words[b->kind]);
    if (b->owner_id && !c->s->no_ids)
        text_printf(c->out, " #37;%lld", (long long)b->owner_id);
    put_line(c->out, "\n", b->subtitle);
    if (b->repeat > 1)
        text_printf(c->out, " ×%d", b->repeat);
}

/* What stands in a box, nodes before boxes. */
static void put_inside(Chart *c, int box)
{
    for (size_t i = 1; i <= c->s->nodes.len; i++)
        if (c->s->nodes.at[i - 1].box == box)
            put_node(c, (int)i);
    for (size_t i = 1; i <= c->s->boxes.len; i++) {
        bool closed = is_closed(c->s, (int)i);
        if (c->s->boxes.at[i - 1].parent != box)
            continue;
        indent(c, box);
        text_printf(c->out, closed ? "b%zu[[\"" : "subgraph b%zu[\"", i);
        put_box_label(c, (int)i);
        text_put(c->out, closed ? "\"]]\n" : "\"]\n");
        if (closed)
            continue;
        for (size_t k = 2 * i; k < 2 * i + 2; k++)
            if (c->points[k]) {
                indent(c, (int)i);
                text_printf(c->out, "%c%zu((\" \"))\n", k % 2 ? 'o' : 'i', i);
            }
        put_inside(c, (int)i);
        indent(c, box);
        text_put(c->out, "end\n");
    }
}

/* ---- lines ---- */

/* An end of an edge: what is drawn of it, as 'n' or 'b' and a number. */
typedef struct {
    char kind;
    int k, box; /* in which it stands */
} End;

static End end_of(const Scene *s, int node, int box)
{
    int in = box ? box : scene_node_at(s, node)->box;
    int hidden = scene_hidden_by(s, in);
    if (hidden)
        return (End){'b', hidden, scene_box_at(s, hidden)->parent};
    return box ? (End){'b', box, scene_box_at(s, box)->parent} : (End){'n', node, in};
}

static bool holds(const Scene *s, int box, End e)
{
    for (int at = e.box; at; at = scene_box_at(s, at)->parent)
        if (at == box)
            return true;
    return false;
}

static const char *arrow_of(SceneEdgeKind kind)
{
    switch (kind) {
    case EDGE_STATE:
    case EDGE_SEQUENCE:
    case EDGE_CHOSEN: return "==>";
    case EDGE_LOOPBACK:
    case EDGE_CAPTURE:
    case EDGE_UNTIL: return "-.->";
    case EDGE_ADJOINT: return "-.-";
    default: return "-->";
    }
}

/* No edge leads from what stands in a frame to that frame: there it ends at a point inside. */
static void put_end(Chart *c, End e, End other, char side)
{
    if (e.kind == 'b' && holds(c->s, e.k, other))
        text_printf(c->out, "%c%d", side, e.k);
    else
        text_printf(c->out, "%c%d", e.kind, e.k);
}

static void put_edge(Chart *c, const SceneEdge *e)
{
    End from = end_of(c->s, e->from, e->from_box), to = end_of(c->s, e->to, e->to_box);
    const char *texts[] = {e->tail, c->s->no_types && c->s->style == STYLE_GRAPH ? NULL : e->label,
                           e->head};
    Text label = {0};
    if (from.kind == to.kind && from.k == to.k)
        return; /* both ends stand in one closed box */
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (texts[i] && *texts[i])
            put_line(&label, label.len ? ", " : "", texts[i]);
    text_put(c->out, "  ");
    put_end(c, from, to, 'i');
    text_printf(c->out, " %s", arrow_of(e->kind));
    if (label.len)
        text_printf(c->out, "|\"%s\"|", text_str(&label));
    text_putc(c->out, ' ');
    put_end(c, to, from, 'o');
    text_putc(c->out, '\n');
    c->edges++;
    text_free(&label);
}

/* Which frames have points inside, at which edges end. */
static void find_points(Chart *c)
{
    for (size_t i = 0; i < c->s->edges.len; i++) {
        const SceneEdge *e = &c->s->edges.at[i];
        End from = end_of(c->s, e->from, e->from_box), to = end_of(c->s, e->to, e->to_box);
        if (from.kind == 'b' && holds(c->s, from.k, to))
            c->points[2 * from.k] = true;
        if (to.kind == 'b' && holds(c->s, to.k, from))
            c->points[2 * to.k + 1] = true;
    }
}

/* ---- looks ---- */

static void put_class(Chart *c, const char *name, const char *how, const char *ids)
{
    if (*ids)
        text_printf(c->out, "  classDef %s %s\n  class %s %s\n", name, how, ids, name);
}

static void put_styles(Chart *c)
{
    bool dark = c->s->theme == THEME_DARK;
    for (int cls = 0; cls < CLS_COUNT && c->s->style == STYLE_GRAPH; cls++) {
        const Paint *p = class_paint((SceneClass)cls);
        Text ids = {0}, how = {0};
        for (size_t i = 0; i < c->s->nodes.len; i++)
            if ((int)c->s->nodes.at[i].cls == cls && !c->s->nodes.at[i].shade &&
                !scene_hidden_by(c->s, c->s->nodes.at[i].box))
                text_printf(&ids, "%sn%zu", ids.len ? "," : "", i + 1);
        Canvas colors = {.dark = dark};
        look_apply(&colors, c->s);
        text_printf(&how, "fill:%s,stroke:%s,color:%s",
                    color_value(&colors, (Color){"op", scene_class_words[cls], "fill", p->fill,
                                                 p->dark_fill}),
                    dark ? p->dark_line : p->line, color_value(&colors, ink_color(INK_TEXT)));
        put_class(c, scene_class_words[cls], text_str(&how), text_str(&ids));
        text_free(&ids);
        text_free(&how);
    }
    for (size_t i = 0; i < c->s->nodes.len; i++) {
        const SceneNode *n = &c->s->nodes.at[i];
        if (n->shade && !scene_hidden_by(c->s, n->box))
            text_printf(c->out, "  style n%zu fill:%s,stroke:%s,color:%s\n", i + 1,
                        dark ? node_paint(n)->dark_fill : node_paint(n)->fill,
                        dark ? node_paint(n)->dark_line : node_paint(n)->line,
                        dark ? ink_color(INK_TEXT).dark : ink_color(INK_TEXT).light);
    }
    Text lit = {0};
    for (size_t i = 0; i < c->s->nodes.len; i++)
        if ((c->s->nodes.at[i].lit || c->s->nodes.at[i].mark) &&
            !scene_hidden_by(c->s, c->s->nodes.at[i].box))
            text_printf(&lit, "%sn%zu", lit.len ? "," : "", i + 1);
    put_class(c, "marked", "stroke-width:3px", text_str(&lit));
    text_free(&lit);
}

static void put_links(Chart *c)
{
    for (size_t i = 0; i < c->s->nodes.len; i++)
        if (c->s->nodes.at[i].link && !scene_hidden_by(c->s, c->s->nodes.at[i].box)) {
            text_printf(c->out, "  click n%zu href \"", i + 1);
            for (const char *s = c->s->nodes.at[i].link; *s; s++)
                text_printf(c->out, *s == '"' ? "%%22" : "%c", *s);
            text_put(c->out, "\"\n");
        }
}

/* ---- the whole ---- */

/* There no numbers are read for characters, and tags are: signs that look like theirs stand for
 * them. */
static void put_title(Text *out, const char *title)
{
    Text t = {0};
    Json j = {.out = out};
    for (const char *s = title; *s; s++)
        if (strchr("<>&", *s))
            text_put(&t, *s == '<' ? "\u02C2" : *s == '>' ? "\u02C3" : "\uFF06");
        else
            text_putc(&t, *s);
    text_put(out, "---\ntitle: ");
    json_string(&j, text_str(&t));
    text_put(out, "\n---\n");
    text_free(&t);
}

void mermaid_put(const Scene *s, Text *remark, Text *out)
{
    Chart c = {.s = s, .out = out};
    size_t start = out->len;
    if (s->title && *s->title && !s->untitled)
        put_title(out, s->title);
    text_printf(out, "flowchart %s\n",
                s->style == STYLE_FIGURE ? "LR" : scene_direction_words[s->direction]);
    put_remark(out, s->caption);
    put_remark(out, s->note);
    put_remark(out, s->notation);
    c.points = xcalloc(2 * (s->boxes.len + 1), sizeof *c.points);
    find_points(&c);
    put_inside(&c, 0);
    for (size_t i = 0; i < s->edges.len && !interrupted(out->interrupt); i++)
        put_edge(&c, &s->edges.at[i]);
    put_styles(&c);
    put_links(&c);
    free(c.points);
    if (c.edges > MOST_EDGES || out->len - start > MOST_CHARACTERS)
        text_printf(
            remark,
            "%d edges and %zu characters: readers of Mermaid take %d and %d unless maxEdges "
            "and maxTextSize are set; draw less of it: inner=closed, or focus=%%K",
            c.edges, out->len - start, MOST_EDGES, MOST_CHARACTERS);
}

bool draw_mmd(Picture *p, Text *out, Text *error)
{
    (void)error;
    mermaid_put(p->scene, &p->remark, out);
    return true;
}
