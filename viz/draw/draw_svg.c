/* A laid out picture as one SVG document.
 *
 * Invariant: the same picture gives the same bytes: no time, no address, no path,
 * no version. The document stands alone (no script, no link) and may also be put
 * into a page: all rules are scoped by the class of the root. */
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
static char **make_ids(const Scene *s, Numbered *list, size_t n, char named, char unnamed)
{
    const char *prefix = s->prefix ? s->prefix : "";
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

static void init_ids(Svg *v)
{
    const Scene *s = v->p->scene;
    Numbered *nodes = xcalloc(s->nodes.len + 1, sizeof *nodes);
    for (size_t i = 0; i < s->nodes.len; i++)
        nodes[i] = (Numbered){s->nodes.at[i].id, i};
    v->node_id = make_ids(s, nodes, s->nodes.len, 'n', 'm');
    Numbered *boxes = xcalloc(s->boxes.len + 1, sizeof *boxes);
    for (size_t i = 0; i < s->boxes.len; i++)
        boxes[i] = (Numbered){s->boxes.at[i].owner_id, i};
    v->box_id = make_ids(s, boxes, s->boxes.len, 'b', 'x');
}

static void free_ids(Svg *v)
{
    for (size_t i = 0; i < v->p->scene->nodes.len; i++)
        free(v->node_id[i]);
    for (size_t i = 0; i < v->p->scene->boxes.len; i++)
        free(v->box_id[i]);
    free(v->node_id);
    free(v->box_id);
}

/* ---- the document ---- */

static void put_head(Svg *v, double w, double h)
{
    const Scene *s = v->p->scene;
    const char *prefix = s->prefix ? s->prefix : "";
    text_put(v->out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    svg_attr(v, "width", ceil(w));
    svg_attr(v, "height", ceil(h));
    text_put(v->out, " viewBox=\"0 0 ");
    svg_number(v->out, ceil(w));
    text_putc(v->out, ' ');
    svg_number(v->out, ceil(h));
    text_printf(
        v->out,
        "\" class=\"gradus-scene theme-%s\" role=\"img\" aria-labelledby=\"%stitle %sdesc\" "
        "font-family=\"'DejaVu Sans',Helvetica,Arial,sans-serif\" "
        "style=\"max-width:100%%;height:auto\" xml:space=\"preserve\">\n",
        scene_theme_words[s->theme], prefix, prefix);
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
    if (s->note) {
        text_put(v->out, "\nNote: ");
        xml_put(v->out, s->note);
    }
    text_put(v->out, "</desc>\n<style>\n");
    style_sheet(v->p, v->out);
    text_put(v->out, "</style>\n");
    text_printf(v->out, "<rect class=\"paper\" width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n",
                ink_of(v->dark)->paper);
}

static double put_heading(Svg *v, double width, bool dry)
{
    const char *title = v->p->scene->title;
    if (!title || !*title)
        return 0;
    if (dry)
        return 24;
    char *shown = text_elide(title, (int)fmax((width - 32) / 8.4, 10));
    text_printf(v->out,
                "<text class=\"heading\" font-size=\"14\" font-weight=\"600\" fill=\"%s\" x=\"16\" "
                "y=\"26\">",
                ink_of(v->dark)->text);
    xml_put(v->out, shown);
    text_put(v->out, "</text>\n");
    free(shown);
    return 24;
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

Point picture_svg(const Picture *p, Text *out)
{
    Svg v = {.p = p, .out = out, .dark = p->scene->theme == THEME_DARK};
    init_ids(&v);
    double w = fmax(p->w, p->scene->no_legend ? 80 : 360);
    double heading = put_heading(&v, w, true);
    double legend = svg_legend(&v, 0, w, p->scene->note, true);
    put_head(&v, w, heading + p->h + legend);
    put_heading(&v, w, false);
    put_drawing(&v, (w - p->w) / 2, heading);
    svg_legend(&v, heading + p->h, w, p->scene->note, false);
    text_put(out, "</svg>\n");
    free_ids(&v);
    return (Point){ceil(w), ceil(heading + p->h + legend)};
}

bool draw_svg(Picture *p, Text *out, Text *error)
{
    if (!picture_layout(p, error))
        return false;
    picture_svg(p, out);
    return true;
}
