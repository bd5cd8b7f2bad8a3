/* The scene as a Graphviz graph, built through cgraph.
 *
 * Two forms of the same structure. Bare: no text at all, every size fixed, for
 * layout only. Full: HTML-like labels, fills and a legend, for DOT output and for
 * Graphviz's own PNG.
 *
 * Invariant: names of nodes and clusters are numbers of ours; text of the user
 * enters as escaped HTML-like labels or escaped tooltips and nowhere else. */
#include "viz/draw/draw_dot.h"

void put_attr(Build *b, void *obj, const char *name, const char *value)
{
    if (agsafeset(obj, (char *)(uintptr_t)name, (char *)(uintptr_t)value, (char *)(uintptr_t) "") !=
        0)
        die("cannot set the attribute %s", name);
    (void)b;
}

static void put_number(Build *b, void *obj, const char *name, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.3f", x);
    put_attr(b, obj, name, text);
}

/* Graphviz gives backslashes and entities in plain strings a meaning: take it away. */
static void put_plain(Build *b, void *obj, const char *name, const char *value)
{
    Text t = {0};
    for (const char *c = value; *c; c++) {
        if (*c == '\\')
            text_put(&t, "\\\\");
        else if (*c == '&')
            text_put(&t, "&amp;");
        else if ((u8)*c < 0x20 && *c != '\n')
            text_put(&t, "\xEF\xBF\xBD");
        else
            text_putc(&t, *c);
    }
    put_attr(b, obj, name, text_str(&t));
    text_free(&t);
}

static void put_html(Build *b, void *obj, const char *name, const char *html)
{
    char *interned = agstrdup_html(b->g, (char *)(uintptr_t)html);
    put_attr(b, obj, name, interned);
    agstrfree(b->g, interned);
}

/* An empty cell that takes up w by h. */
static void put_spacer(Build *b, void *obj, double w, double h)
{
    char html[160];
    snprintf(html, sizeof html,
             "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\" "
             "FIXEDSIZE=\"TRUE\" "
             "WIDTH=\"%d\" HEIGHT=\"%d\"><TR><TD></TD></TR></TABLE>",
             (int)(w + 0.999), (int)(h + 0.999));
    put_html(b, obj, "label", html);
}

/* ---- labels with text ---- */

static void put_run(Text *out, const Line *l, const char *glyph, const char *color)
{
    Font f = line_font(l->kind);
    text_printf(out, "<FONT POINT-SIZE=\"%g\" COLOR=\"%s\"%s>", line_size(l->kind), color,
                f == FONT_MONO ? " FACE=\"DejaVu Sans Mono,monospace\"" : "");
    text_put(out, f == FONT_BOLD ? "<B>" : "");
    if (*glyph)
        text_printf(out, "%s&#160;", glyph);
    if (l->text[strspn(l->text, " ")])
        xml_put(out, l->text);
    else
        text_put(out, "&#160;");
    text_put(out, f == FONT_BOLD ? "</B></FONT>" : "</FONT>");
}

/* The block as table rows; the glyph of a mark goes before the first line. */
static void put_rows(Text *out, const Block *k, const char *glyph, bool left,
                     const char *main_color)
{
    const char *cell = left ? "<TD ALIGN=\"LEFT\">" : "<TD>";
    for (int i = 0; i < k->n; i++) {
        bool same_row = i > 0 && k->at[i].kind == LINE_ID;
        if (same_row)
            text_put(out, "&#160;&#160;");
        else
            text_printf(out, "%s<TR>%s", i ? "</TD></TR>" : "", cell);
        bool main = k->at[i].kind == LINE_LABEL;
        put_run(out, &k->at[i], i == 0 ? glyph : "",
                main ? main_color : ink_color(INK_MUTED).light);
    }
    text_put(out, k->n ? "</TD></TR>" : "<TR><TD></TD></TR>");
}

/* What goes before a label: the glyph of a mark, or the sign of a state. */
static const char *sign_of(SceneRole r, SceneMark m)
{
    return m == MARK_NONE && r == ROLE_STATE ? "\xE2\x86\xBB" : mark_glyph(m);
}

static void put_label(Build *b, void *obj, const Block *k, const char *sign, bool left,
                      const char *color)
{
    Text t = {0};
    text_put(&t, "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\">");
    put_rows(&t, k, sign, left, color);
    text_put(&t, "</TABLE>");
    put_html(b, obj, "label", text_str(&t));
    text_free(&t);
}

/* ---- nodes ---- */

static const char *role_style(SceneRole r, SceneMark m)
{
    if (m == MARK_REMOVED)
        return "rounded,filled,dashed";
    switch (r) {
    case ROLE_CAPTURE: return "rounded,filled,dashed";
    case ROLE_CONST: return "rounded,filled,dotted";
    default: return "rounded,filled";
    }
}

static void style_node(Build *b, Agnode_t *v, SceneClass cls, SceneRole role, SceneMark mark,
                       bool focus)
{
    char classes[120];
    snprintf(classes, sizeof classes, "op-%s role-%s mark-%s", scene_class_words[cls],
             scene_role_words[role], scene_mark_words[mark]);
    put_attr(b, v, "class", classes);
    put_attr(b, v, "style", role_style(role, mark));
    put_attr(b, v, "fillcolor", class_paint(cls)->fill);
    const Paint *rim = mark                 ? mark_paint(mark)
                       : role == ROLE_STATE ? edge_paint(EDGE_STATE)
                                            : class_paint(cls);
    put_attr(b, v, "color", rim->line);
    bool thick = role == ROLE_INPUT || role == ROLE_STATE;
    put_attr(b, v, "penwidth", mark || focus ? "2.6" : thick ? "2" : "1");
    bool twice = role == ROLE_SHARED || role == ROLE_OUTPUT || focus;
    put_attr(b, v, "peripheries", twice ? "2" : "1");
}

static void size_node(Build *b, Agnode_t *v, const Item *item)
{
    put_number(b, v, "width", item->w / 72);
    put_number(b, v, "height", item->h / 72);
}

Agraph_t *home_of(const Build *b, int box) { return box ? b->clusters[box - 1] : b->g; }

static void add_node(Build *b, int k)
{
    const SceneNode *n = scene_node_at(b->s, k);
    char name[32];
    snprintf(name, sizeof name, "n%d", k);
    Agnode_t *v = agnode(home_of(b, n->box), name, 1);
    if (b->bare) {
        size_node(b, v, &b->p->nodes[k - 1]);
        return;
    }
    put_label(b, v, &b->p->nodes[k - 1].text, sign_of(n->role, n->mark), false,
              ink_color(INK_TEXT).light);
    style_node(b, v, n->cls, n->role, n->mark, n->focus || n->lit);
    if (n->shade)
        put_attr(b, v, "fillcolor", node_paint(n)->fill);
    put_plain(b, v, "tooltip", n->tooltip && *n->tooltip ? n->tooltip : scene_node_name(n));
    if (n->link)
        put_plain(b, v, "URL", n->link);
}

static void add_closed_box(Build *b, int k)
{
    const SceneBox *x = scene_box_at(b->s, k);
    char name[32];
    snprintf(name, sizeof name, "c%d", k);
    Agnode_t *v = agnode(home_of(b, x->parent), name, 1);
    if (b->bare) {
        size_node(b, v, &b->p->boxes[k - 1]);
        return;
    }
    put_label(b, v, &b->p->boxes[k - 1].text, mark_glyph(x->mark), false,
              ink_color(INK_TEXT).light);
    style_node(b, v, CLS_CONTROL, ROLE_NONE, x->mark, x->focus || x->lit);
    put_attr(b, v, "shape", "box3d");
    put_plain(b, v, "tooltip", x->tooltip ? x->tooltip : "closed inner graph");
}

/* ---- boxes ---- */

static void style_cluster(Build *b, Agraph_t *c, const SceneBox *x)
{
    char classes[80];
    snprintf(classes, sizeof classes, "box kind-%s mark-%s", scene_box_words[x->kind],
             scene_mark_words[x->mark]);
    put_attr(b, c, "class", classes);
    put_attr(b, c, "style",
             box_dash(x->kind, x->mark) ? "rounded,filled,dashed" : "rounded,filled");
    put_attr(b, c, "fillcolor", box_paint(x->kind)->fill);
    put_attr(b, c, "color", x->mark ? mark_paint(x->mark)->line : box_paint(x->kind)->line);
    put_attr(b, c, "penwidth", x->mark || x->focus || x->lit ? "2.6" : "1.2");
    if (x->tooltip)
        put_plain(b, c, "tooltip", x->tooltip);
}

/* An invisible point at the top or bottom of a cluster. */
static void add_anchor(Build *b, int k, bool top)
{
    char name[32];
    snprintf(name, sizeof name, "%c%d", top ? 'a' : 'z', k);
    Agnode_t *v = agnode(b->clusters[k - 1], name, 1);
    put_attr(b, v, "style", "invis");
    put_attr(b, v, "shape", "point");
    put_attr(b, v, "width", "0.02");
    put_attr(b, v, "height", "0.02");
    if (b->p->effort <= EFFORT_LESS)
        put_in_row(b, v, k, top);
}

static void add_box(Build *b, int k)
{
    const SceneBox *x = scene_box_at(b->s, k);
    Item *item = &b->p->boxes[k - 1];
    b->clusters[k - 1] = home_of(b, x->parent);
    if (!item->drawn)
        return;
    if (x->closed) {
        add_closed_box(b, k);
        return;
    }
    char name[32];
    snprintf(name, sizeof name, "cluster_%d", k);
    Agraph_t *c = b->clusters[k - 1] = agsubg(home_of(b, x->parent), name, 1);
    put_attr(b, c, "margin", item->loops ? "19" : "14");
    put_attr(b, c, "labeljust", "l");
    put_attr(b, c, "labelloc", "t");
    if (b->bare) {
        put_spacer(b, c, item->w, item->h);
    } else {
        put_label(b, c, &item->text, mark_glyph(x->mark), true,
                  x->mark ? mark_paint(x->mark)->line : box_paint(x->kind)->line);
        style_cluster(b, c, x);
    }
    if (item->top)
        add_anchor(b, k, true);
    if (item->bottom)
        add_anchor(b, k, false);
}

/* ---- edges ---- */

/* An end at the border of a box that does not hold the other end. */
static void clip_at_box(Build *b, Agedge_t *v, const char *name, int box, int other)
{
    if (box == 0 || scene_hidden_by(b->s, box) || box_holds(b->s, box, other))
        return;
    char cluster[32];
    snprintf(cluster, sizeof cluster, "cluster_%d", box);
    put_attr(b, v, name, cluster);
}

static void style_edge(Build *b, Agedge_t *v, const SceneEdge *e)
{
    char classes[80];
    snprintf(classes, sizeof classes, "kind-%s mark-%s", scene_edge_words[e->kind],
             scene_mark_words[e->mark]);
    put_attr(b, v, "class", classes);
    const char *color = e->mark ? mark_paint(e->mark)->line : edge_paint(e->kind)->line;
    char twin[40];
    snprintf(twin, sizeof twin, "%s:%s", color, color);
    put_attr(b, v, "color", e->kind == EDGE_SEQUENCE ? twin : color);
    put_number(b, v, "penwidth",
               e->kind == EDGE_SEQUENCE ? 1.2 : edge_width(e->kind) + (e->mark ? 0.8 : 0));
    const char *dash = edge_dash(e->kind, e->mark);
    if (dash)
        put_attr(b, v, "style",
                 e->kind == EDGE_UNTIL && e->mark != MARK_REMOVED ? "dotted" : "dashed");
    if (e->kind == EDGE_ADJOINT)
        put_attr(b, v, "arrowhead", "vee");
    if (e->kind == EDGE_UNTIL)
        put_attr(b, v, "arrowhead", "dot");
}

static void label_edge(Build *b, Agedge_t *v, const SceneEdge *e, const Route *r)
{
    bool glyph = e->mark != MARK_NONE;
    if (r->label.text || glyph) {
        Line l = {r->label.text ? r->label.text : (char[]){""}, LINE_EDGE, 0};
        Text t = {0};
        put_run(&t, &l, mark_glyph(e->mark),
                e->mark ? mark_paint(e->mark)->line : ink_color(INK_MUTED).light);
        put_html(b, v, "label", text_str(&t));
        text_free(&t);
    }
    if (e->head && *e->head)
        put_plain(b, v, "headlabel", e->head);
    if (e->tail && *e->tail)
        put_plain(b, v, "taillabel", e->tail);
}

/* Edges that dot need not know, because they do not influence ranks or repeat others; parallel
 * edges between clusters and backward ones are what makes it crash. */
static bool is_dispensable(const Build *b, const SceneEdge *e, Agnode_t *t, Agnode_t *h)
{
    return e->kind == EDGE_LOOPBACK || e->kind == EDGE_ADJOINT || t == h ||
           agedge(b->g, t, h, NULL, 0) || agedge(b->g, h, t, NULL, 0);
}

/* Where the value of edge k comes from: its node, or the port where it left a loop. */
static Agnode_t *start_of(const Build *b, int k)
{
    int port = b->bare ? b->p->port[k - 1] : 0;
    if (!port)
        return end_of(b, b->p->from[k - 1], b->p->anchor_from[k - 1], 'a');
    return end_of(b, 0, port, 'q');
}

static void add_port(Build *b, int k)
{
    const Port *q = &b->p->ports.at[k - 1];
    const Item *item = q->from > 0 ? &b->p->nodes[q->from - 1] : &b->p->boxes[-q->from - 1];
    if (!item->drawn)
        return;
    char name[32], key[32];
    snprintf(name, sizeof name, "q%d", k);
    snprintf(key, sizeof key, "s%d", k);
    Agnode_t *v = agnode(b->clusters[q->box - 1], name, 1);
    put_attr(b, v, "shape", "point");
    put_attr(b, v, "width", "0.02");
    put_attr(b, v, "height", "0.02");
    put_in_row(b, v, q->box, false);
    Agnode_t *t = q->before ? end_of(b, 0, q->before, 'q') : end_of(b, q->from, 0, 0);
    Agedge_t *e = runs_up(b->s, q->from) ? agedge(b->g, v, t, key, 1) : agedge(b->g, t, v, key, 1);
    put_attr(b, e, "dir", "none");
    if (b->p->rows)
        put_attr(b, e, "constraint", "false");
}

static void add_edge(Build *b, int k)
{
    if (b->bare && has_lane(b->p, k))
        return;
    const SceneEdge *e = scene_edge_at(b->s, k);
    int from = b->p->from[k - 1], to = b->p->to[k - 1];
    char key[32];
    snprintf(key, sizeof key, "e%d", k);
    Agnode_t *t = start_of(b, k);
    Agnode_t *h = end_of(b, to, b->p->anchor_to[k - 1], 'z');
    if (!t || !h)
        die("edge %d has no end", k);
    if (b->p->effort == EFFORT_LEAST && from && to && is_dispensable(b, e, t, h))
        return;
    bool beside = e->kind == EDGE_ADJOINT && is_beside(b, from, to);
    bool up = is_upward(b, from, to) || beside;
    Agedge_t *v = up ? agedge(b->g, h, t, key, 1) : agedge(b->g, t, h, key, 1);
    if (up)
        put_attr(b, v, "dir", "back");
    else if (is_beside(b, to, from))
        put_attr(b, v, "constraint", "false");
    if (beside) {
        put_attr(b, v, "minlen", "0");
        put_attr(b, v, "weight", "2");
    }
    if (b->p->effort <= EFFORT_LESS) {
        clip_at_box(b, v, up ? "lhead" : "ltail", e->from_box, to);
        clip_at_box(b, v, up ? "ltail" : "lhead", e->to_box, from);
    }
    if (b->p->rows || e->kind == EDGE_LOOPBACK || (e->kind == EDGE_ADJOINT && !beside))
        put_attr(b, v, "constraint", "false");
    if (e->kind == EDGE_STATE)
        put_attr(b, v, "weight", "3");
    if (!b->bare) { /* else their places are found afterwards: draw_labels.c */
        label_edge(b, v, e, &b->p->edges[k - 1]);
        style_edge(b, v, e);
    }
}

/* ---- the whole ---- */

static void legend_row(Text *t, const LegendEntry *l)
{
    static const char *const strokes[EDGE_KINDS] = {
        "\xE2\x94\x80\xE2\x96\xB8",         "\xE2\x94\x81\xE2\x96\xB8", "\xE2\x95\x8D\xE2\x96\xB8",
        "\xE2\x94\x84\xE2\x96\xB8",         "\xE2\x95\x90\xE2\x96\xB8", "\xE2\x94\x88\xE2\x97\x8F",
        "\xC2\xB7\xE2\x94\x80\xE2\x96\xB8", "\xE2\x94\x81\xE2\x96\xB8"};
    static const char *const borders[ROLE_COUNT] = {"",
                                                    "\xE2\x97\x8F",
                                                    "\xE2\x97\x8E",
                                                    "\xE2\x97\x8B",
                                                    "\xE2\x86\xBB",
                                                    "\xE2\x97\x8B",
                                                    "\xE2\x97\x8C",
                                                    "\xE2\x97\x8E",
                                                    "\xE2\x97\x8C"};
    if (l->kind == LEGEND_FILL)
        text_printf(t, "<TD BORDER=\"1\" COLOR=\"%s\" BGCOLOR=\"%s\">&#160;%s&#160;</TD>",
                    class_paint((SceneClass)l->value)->line,
                    class_paint((SceneClass)l->value)->fill, l->text);
    else if (l->kind == LEGEND_EDGE)
        text_printf(t, "<TD ALIGN=\"LEFT\"><FONT COLOR=\"%s\">%s</FONT> %s</TD>",
                    edge_paint((SceneEdgeKind)l->value)->line, strokes[l->value], l->text);
    else if (l->kind == LEGEND_MARK)
        text_printf(t, "<TD ALIGN=\"LEFT\"><FONT COLOR=\"%s\"><B>%s</B></FONT> %s</TD>",
                    mark_paint((SceneMark)l->value)->line, mark_glyph((SceneMark)l->value),
                    l->text);
    else
        text_printf(t, "<TD ALIGN=\"LEFT\"><FONT COLOR=\"%s\">%s</FONT> %s</TD>",
                    ink_color(INK_MUTED).light,
                    l->kind == LEGEND_SIGN ? sign_sample((Sign)l->value) : borders[l->value],
                    l->text);
}

/* A row of its own, if there is a text. */
static bool text_row(Text *t, const char *s, double size, int max)
{
    if (!s || !*s)
        return false;
    char *shown = text_elide(s, max);
    text_printf(t, "<TR><TD COLSPAN=\"6\"><FONT POINT-SIZE=\"%g\">", size);
    text_put(t, shown[strspn(shown, " ")] ? "" : "&#160;");
    xml_put(t, shown);
    text_put(t, "</FONT></TD></TR>");
    free(shown);
    return true;
}

static void put_caption(Build *b)
{
    LegendEntry at[MAX_LEGEND];
    int n = legend_entries(b->p, at);
    Text t = {0};
    text_put(&t, "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"4\" CELLPADDING=\"2\">");
    int shown = 0;
    shown += text_row(&t, b->s->title, 14, 90);
    shown += text_row(&t, b->s->caption, 10.5, 300);
    for (int i = 0; i < n; i++) {
        text_put(&t, i % 6 == 0 ? "<TR>" : "");
        legend_row(&t, &at[i]);
        text_put(&t, i % 6 == 5 || i == n - 1 ? "</TR>" : "");
    }
    text_put(&t, "</TABLE>");
    if (shown + n)
        put_html(b, b->g, "label", text_str(&t));
    text_free(&t);
}

static void set_default(Agraph_t *g, int kind, const char *name, const char *value)
{
    agattr(g, kind, (char *)(uintptr_t)name, (char *)(uintptr_t)value);
}

static void set_defaults(const Build *b)
{
    static const struct {
        int kind;
        const char *name, *bare, *full;
    } table[] = {
        {AGRAPH, "nodesep", "0.3", "0.3"},
        {AGRAPH, "ranksep", "0.4", "0.4"},
        {AGRAPH, "compound", "true", "true"},
        {AGRAPH, "linelength", NULL, "0"},
        {AGRAPH, "pad", NULL, "0.25"},
        {AGRAPH, "fontname", NULL, "DejaVu Sans,Helvetica,Arial,sans-serif"},
        {AGRAPH, "fontsize", NULL, "10.5"},
        {AGRAPH, "labelloc", NULL, "b"},
        {AGNODE, "shape", "box", "box"},
        {AGNODE, "fixedsize", "true", NULL},
        {AGNODE, "label", "", NULL},
        {AGNODE, "margin", NULL, "0.13,0.05"},
        {AGNODE, "width", NULL, "0.4"},
        {AGNODE, "height", NULL, "0.3"},
        {AGNODE, "fontname", NULL, "DejaVu Sans,Helvetica,Arial,sans-serif"},
        {AGEDGE, "arrowsize", "0.7", "0.7"},
        {AGEDGE, "fontname", NULL, "DejaVu Sans Mono,monospace"},
        {AGEDGE, "fontsize", NULL, "9.5"},
        {AGEDGE, "labeldistance", NULL, "1.5"},
        {AGEDGE, "labelangle", NULL, "-35"},
        {AGEDGE, "fontcolor", NULL, "#59626d"},
    };
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        const char *v = b->bare ? table[i].bare : table[i].full;
        if (v)
            set_default(b->g, table[i].kind, table[i].name, v);
    }
    if (!b->bare) {
        char dpi[40]; /* of points */
        snprintf(dpi, sizeof dpi, "%g", 72 * picture_density(b->s));
        set_default(b->g, AGRAPH, "dpi", dpi);
        bool none = b->s->background && b->s->background[0] != '#';
        set_default(b->g, AGRAPH, "bgcolor",
                    none               ? "transparent"
                    : b->s->background ? b->s->background
                                       : "#ffffff");
    }
    set_default(b->g, AGRAPH, "rankdir", scene_direction_words[b->s->direction]);
    if (b->p->rows)
        set_default(b->g, AGRAPH, "newrank", "true");
    if (b->p->effort == EFFORT_FULL)
        return;
    bool least = b->p->effort == EFFORT_LEAST;
    set_default(b->g, AGRAPH, "nslimit", least ? "0.5" : "2");
    set_default(b->g, AGRAPH, "nslimit1", least ? "0.5" : "2");
    set_default(b->g, AGRAPH, "mclimit", least ? "0.1" : "0.5");
    if (least)
        set_default(b->g, AGRAPH, "splines", "line");
}

void *dot_build(const Picture *p, bool bare)
{
    Build b = {p, p->scene, NULL, xcalloc(p->scene->boxes.len + 1, sizeof(Agraph_t *)), bare};
    b.g = dot_open("gradus");
    if (!b.g)
        die("cgraph refuses a new graph");
    set_defaults(&b);
    for (size_t k = 1; k <= b.s->boxes.len; k++)
        add_box(&b, (int)k);
    for (size_t k = 1; k <= b.s->nodes.len; k++)
        if (p->nodes[k - 1].drawn)
            add_node(&b, (int)k);
    for (size_t k = 1; k <= p->ports.len && bare; k++)
        add_port(&b, (int)k);
    for (size_t k = 1; k <= b.s->edges.len; k++)
        if (p->edges[k - 1].drawn)
            add_edge(&b, (int)k);
    if (p->rows)
        fill_given_rows(&b);
    else if (p->effort <= EFFORT_LESS)
        fill_rows(&b);
    if (p->effort <= EFFORT_LESS && !p->rows)
        wrap_crowds(&b);
    if (p->forward_half)
        arrange_forward(&b);
    if (p->effort == EFFORT_FULL && !p->rows)
        lower_consumers(&b);
    if (p->effort <= EFFORT_LESS)
        pair_ghosts(&b);
    if (!bare)
        put_caption(&b);
    free(b.clusters);
    return b.g;
}
