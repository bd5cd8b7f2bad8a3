/* A laid out picture as one SVG document.
 *
 * Invariant: the same picture gives the same bytes: no time, no address, no path,
 * no version. The document stands alone (no script, no link) and may also be put
 * into a page, beside others: every id begins with, and every rule is scoped by, a prefix that
 * is a hash of what is drawn. */
#include "viz/draw/picture.h"

#include <math.h>

/* ---- ids ---- */

typedef struct {
    i64 id;
    size_t at;
} Numbered;

static int by_id(const void *a, const void *b)
{
    const Numbered *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* "n12", "n12_2" for the second one with that id; what has none is named after its place: "m3". */
static char **make_ids(const char *prefix, Numbered *list, size_t n, char named, char unnamed)
{
    char **ids = xcalloc(n + 1, sizeof *ids);
    qsort(list, n, sizeof *list, by_id);
    for (size_t i = 0, nth = 1; i < n; i++) {
        nth = i > 0 && list[i].id == list[i - 1].id ? nth + 1 : 1;
        Text t = {0};
        if (list[i].id == 0)
            text_printf(&t, "%s%c%zu", prefix, unnamed, list[i].at + 1);
        else if (nth == 1)
            text_printf(&t, "%s%c%lld", prefix, named, (long long)list[i].id);
        else
            text_printf(&t, "%s%c%lld_%zu", prefix, named, (long long)list[i].id, nth);
        ids[list[i].at] = text_take(&t);
    }
    free(list);
    return ids;
}

char *svg_prefix(const Scene *s)
{
    Text prefix = {0}, json = {0};
    if (s->prefix) {
        text_put(&prefix, s->prefix);
    } else {
        scene_json(&json, s);
        u64 hash = hash_bytes(text_str(&json), json.len, 0);
        text_printf(&prefix, "g%08x-", (unsigned)(hash ^ hash >> 32));
    }
    text_free(&json);
    return text_take(&prefix);
}

static void init_ids(Svg *v)
{
    const Scene *s = v->p->scene;
    v->prefix = svg_prefix(s);
    Numbered *nodes = xcalloc(s->nodes.len + 1, sizeof *nodes);
    for (size_t i = 0; i < s->nodes.len; i++)
        nodes[i] = (Numbered){s->nodes.at[i].id, i};
    v->node_id = make_ids(v->prefix, nodes, s->nodes.len, 'n', 'm');
    Numbered *boxes = xcalloc(s->boxes.len + 1, sizeof *boxes);
    for (size_t i = 0; i < s->boxes.len; i++)
        boxes[i] = (Numbered){s->boxes.at[i].owner_id, i};
    v->box_id = make_ids(v->prefix, boxes, s->boxes.len, 'b', 'x');
}

static void free_ids(Svg *v)
{
    for (size_t i = 0; i < v->p->scene->nodes.len; i++)
        free(v->node_id[i]);
    for (size_t i = 0; i < v->p->scene->boxes.len; i++)
        free(v->box_id[i]);
    free(v->node_id);
    free(v->box_id);
    free(v->prefix);
}

/* ---- the document ---- */

static void put_after(Text *out, const char *before, const char *s)
{
    if (!s || !*s)
        return;
    text_put(out, before);
    xml_put(out, s);
}

/* The background that was asked for; else that of the theme, which readers may change. */
static void put_background(Svg *v)
{
    const char *asked = v->p->scene->background;
    if (asked ? asked[0] != '#' : !v->paper)
        return;
    text_printf(v->out, "<rect%s width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
                asked ? "" : " class=\"paper\"", asked ? asked : ink_of(v->dark)->paper);
}

static void put_head(Svg *v, double w, double h)
{
    const Scene *s = v->p->scene;
    const char *prefix = v->prefix;
    double scale = s->scale > 0 ? s->scale : 1;
    text_put(v->out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    svg_attr(v, "width", ceil(w) * scale);
    svg_attr(v, "height", ceil(h) * scale);
    text_put(v->out, " viewBox=\"0 0 ");
    svg_number(v->out, ceil(w));
    text_putc(v->out, ' ');
    svg_number(v->out, ceil(h));
    text_printf(v->out,
                "\" class=\"gradus-scene %sscene\" role=\"img\" aria-labelledby=\"%stitle %sdesc\" "
                "font-family=\"" SANS_FAMILY "\" style=\"max-width:100%%;height:auto\" "
                "xml:space=\"preserve\">\n",
                prefix, prefix, prefix);
    text_printf(v->out, "<title id=\"%stitle\">", prefix);
    xml_put(v->out, s->title && *s->title ? s->title : "Graph");
    text_printf(v->out, "</title>\n<desc id=\"%sdesc\">", prefix);
    if (s->desc) {
        xml_put(v->out, s->desc);
    } else {
        Text t = {0};
        scene_describe(&t, s);
        xml_put(v->out, text_str(&t));
        text_free(&t);
    }
    put_after(v->out, "\n", s->caption);
    put_after(v->out, "\nNote: ", s->note);
    text_put(v->out, "</desc>\n<style>\n");
    style_sheet(v->p, prefix, v->out);
    text_put(v->out, "</style>\n");
    put_background(v);
}

static double put_heading(Svg *v, double width, bool dry)
{
    const char *title = v->p->scene->title;
    if (!title || !*title)
        return 0;
    if (dry)
        return 24;
    char *shown = text_fit(FONT_BOLD, 14, title, width - 32);
    text_printf(v->out,
                "<text class=\"heading\" font-size=\"14\" font-weight=\"600\" fill=\"%s\" x=\"16\" "
                "y=\"26\">",
                ink_of(v->dark)->text);
    xml_put(v->out, shown);
    text_put(v->out, "</text>\n");
    free(shown);
    return 24;
}

/* The caption from `top` down; returns the height it takes. */
static double put_caption(Svg *v, double top, double width, bool dry)
{
    const char *caption = v->p->scene->caption;
    int max = (int)fmax((width - 32) / 6.8, 24);
    Block lines = block_of_text(LINE_MORE, caption ? caption : "", max, MAX_LINES);
    for (int i = 0; i < lines.n && !dry; i++) {
        text_printf(v->out, "<text class=\"caption\" font-size=\"12\" fill=\"%s\" x=\"16\"",
                    ink_of(v->dark)->text);
        svg_attr(v, "y", top + 18 + 17 * i);
        text_putc(v->out, '>');
        xml_put(v->out, lines.at[i].text);
        text_put(v->out, "</text>\n");
    }
    double h = lines.n ? 17.0 * lines.n + 14 : 0;
    block_free(&lines);
    return h;
}

static void put_drawing(Svg *v, double dx, double dy)
{
    const Scene *s = v->p->scene;
    text_put(v->out, "<g class=\"drawing\" transform=\"translate(");
    svg_number(v->out, dx);
    text_putc(v->out, ' ');
    svg_number(v->out, dy);
    text_put(v->out, ")\">\n");
    for (size_t k = 1; k <= s->boxes.len; k++)
        if (v->p->boxes[k - 1].drawn && !s->boxes.at[k - 1].closed)
            svg_box_frame(v, (int)k);
    for (size_t k = 1; k <= s->edges.len; k++)
        if (v->p->edges[k - 1].drawn)
            svg_edge(v, (int)k);
    for (size_t k = 1; k <= s->boxes.len; k++)
        if (v->p->boxes[k - 1].drawn)
            svg_box_tab(v, (int)k);
    for (size_t k = 1; k <= s->nodes.len; k++)
        if (v->p->nodes[k - 1].drawn)
            svg_node(v, (int)k);
    text_put(v->out, "</g>\n");
}

Point picture_svg(const Picture *p, bool paper, Text *out)
{
    const Scene *s = p->scene;
    Svg v = {.p = p, .out = out, .dark = s->theme == THEME_DARK, .paper = paper};
    init_ids(&v);
    double w = fmax(p->w, !s->no_legend ? 360 : s->caption ? 240 : 80);
    double heading = put_heading(&v, w, true);
    double caption = put_caption(&v, 0, w, true);
    double legend = svg_legend(&v, 0, w, s->note, true);
    put_head(&v, w, heading + p->h + caption + legend);
    put_heading(&v, w, false);
    put_drawing(&v, (w - p->w) / 2, heading);
    put_caption(&v, heading + p->h, w, false);
    svg_legend(&v, heading + p->h + caption, w, s->note, false);
    text_put(out, "</svg>\n");
    free_ids(&v);
    return (Point){ceil(w), ceil(heading + p->h + caption + legend)};
}

bool draw_svg(Picture *p, Text *out, Text *error)
{
    if (!picture_layout(p, error))
        return false;
    picture_judge(p);
    picture_svg(p, true, out);
    return true;
}
