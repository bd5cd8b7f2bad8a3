/* A laid out picture as a document: SVG or TikZ.
 *
 * Invariant: the same picture gives the same bytes: no time, no address, no path,
 * no version. An SVG stands alone (no script, no link) and may also be put
 * into a page, beside others: every id begins with, and every rule is scoped by, a prefix that
 * is a hash of what is drawn. In TikZ title and description are comments, and no legend is drawn: a
 * paper has its own caption. */
#include "viz/draw/paint.h"

#include <math.h>

enum { TEX_LONGEST = 21600 }; /* pixels: TeX knows no longer lengths */

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
    Text prefix = {0};
    if (s->prefix) {
        text_put(&prefix, s->prefix);
    } else {
        u64 hash = scene_hash(s);
        text_printf(&prefix, "g%08x-", (unsigned)(hash ^ hash >> 32));
    }
    return text_take(&prefix);
}

static void pen_init(Pen *v, const Picture *p, const CanvasBack *to)
{
    const Scene *s = p->scene;
    *v = (Pen){.p = p, .prefix = svg_prefix(s)};
    v->c = (Canvas){.to = to,
                    .dark = s->theme == THEME_DARK,
                    .letters = picture_letters,
                    .nletters = LETTERS_COUNT};
    look_apply(&v->c, s);
    Numbered *nodes = xcalloc(s->nodes.len + 1, sizeof *nodes);
    for (size_t i = 0; i < s->nodes.len; i++)
        nodes[i] = (Numbered){s->nodes.at[i].id, i};
    v->node_id = make_ids(v->prefix, nodes, s->nodes.len, 'n', 'm');
    Numbered *boxes = xcalloc(s->boxes.len + 1, sizeof *boxes);
    for (size_t i = 0; i < s->boxes.len; i++)
        boxes[i] = (Numbered){s->boxes.at[i].owner_id, i};
    v->box_id = make_ids(v->prefix, boxes, s->boxes.len, 'b', 'x');
}

static void pen_free(Pen *v)
{
    for (size_t i = 0; i < v->p->scene->nodes.len; i++)
        free(v->node_id[i]);
    for (size_t i = 0; i < v->p->scene->boxes.len; i++)
        free(v->box_id[i]);
    free(v->node_id);
    free(v->box_id);
    free(v->prefix);
    canvas_free(&v->c);
}

/* ---- what is drawn ---- */

/* The background that was asked for; else that of the theme, if it is to have one. */
static void put_background(Pen *v, bool paper, Point size)
{
    const char *asked = v->p->scene->background;
    if (asked ? asked[0] == '#' : paper)
        v->c.to->paper(
            &v->c, asked ? NULL : "paper",
            asked ? (Color){"own", "background", NULL, asked, asked} : ink_color(INK_PAPER), size);
}

static void put_elements(Pen *v)
{
    const Scene *s = v->p->scene;
    for (size_t k = 1; k <= s->boxes.len; k++)
        if (v->p->boxes[k - 1].drawn && !s->boxes.at[k - 1].closed)
            paint_frame(v, (int)k);
    for (size_t k = 1; k <= s->edges.len; k++)
        if (v->p->edges[k - 1].drawn)
            paint_edge(v, (int)k);
    for (size_t k = 1; k <= s->boxes.len; k++)
        if (v->p->boxes[k - 1].drawn)
            paint_tab(v, (int)k);
    for (size_t k = 1; k <= s->nodes.len; k++)
        if (v->p->nodes[k - 1].drawn)
            paint_node(v, (int)k);
}

/* ---- SVG ---- */

static double put_heading(Pen *v, double width, bool dry)
{
    const char *title = v->p->scene->title;
    if (!title || !*title)
        return 0;
    if (dry)
        return 24;
    char *shown = text_fit(FONT_BOLD, 14, title, width - 32);
    Words w = {.class = "heading",
               .at = {16, 26},
               .side = -1,
               .color = ink_color(INK_TEXT),
               .letters = LETTERS_HEADING};
    v->c.to->text(&v->c, &w, &(TextRun){.text = shown}, 1);
    free(shown);
    return 24;
}

/* The caption from `top` down; returns the height it takes. */
static double put_caption(Pen *v, double top, double width, bool dry)
{
    const char *caption = v->p->scene->caption;
    int max = (int)fmax((width - 32) / 6.8, 24);
    Block lines = block_of_text(LINE_MORE, caption ? caption : "", max, MAX_LINES);
    for (int i = 0; i < lines.n && !dry; i++) {
        Words w = {.class = "caption",
                   .at = {16, top + 18 + 17 * i},
                   .side = -1,
                   .color = ink_color(INK_TEXT),
                   .letters = LETTERS_CAPTION};
        v->c.to->text(&v->c, &w, &(TextRun){.text = lines.at[i].text}, 1);
    }
    double h = lines.n ? 17.0 * lines.n + 14 : 0;
    block_free(&lines);
    return h;
}

static void put_drawing(Pen *v, double dx, double dy)
{
    Text place = {0};
    text_put(&place, "translate(");
    svg_number(&place, dx);
    text_putc(&place, ' ');
    svg_number(&place, dy);
    text_putc(&place, ')');
    Attribute at[] = {{"class", "drawing"}, {"transform", text_str(&place)}};
    v->c.to->group(&v->c, at, COUNT_OF(at), NULL);
    put_elements(v);
    v->c.to->end(&v->c);
    text_free(&place);
}

static void put_head(const Pen *v, Point size, Text *out)
{
    const Scene *s = v->p->scene;
    double scale = s->scale > 0 ? s->scale : 1;
    Text w = {0}, h = {0}, desc = {0}, family = {0};
    look_family(s, SANS_FAMILY, &family);
    svg_number(&w, size.x * scale);
    svg_number(&h, size.y * scale);
    scene_describe(&desc, s);
    if (s->caption && *s->caption)
        text_printf(&desc, "\n%s", s->caption);
    if (s->note && *s->note)
        text_printf(&desc, "\nNote: %s", s->note);
    svg_open(out, &(SvgHead){.width = text_str(&w),
                             .height = text_str(&h),
                             .size = size,
                             .class = "gradus-scene",
                             .prefix = v->prefix,
                             .family = text_str(&family),
                             .more = "style=\"max-width:100%;height:auto\" xml:space=\"preserve\"",
                             .title = s->title && *s->title ? s->title : "Graph",
                             .desc = text_str(&desc)});
    text_put(out, "<style>\n");
    style_sheet(v->p, v->prefix, out);
    text_put(out, "</style>\n");
    text_free(&w);
    text_free(&h);
    text_free(&desc);
    text_free(&family);
}

Point picture_svg(const Picture *p, bool paper, Text *out)
{
    const Scene *s = p->scene;
    Pen v;
    pen_init(&v, p, &canvas_svg);
    double w = fmax(p->w, !s->no_legend ? 360 : s->caption ? 240 : 80);
    double heading = put_heading(&v, w, true);
    double caption = put_caption(&v, 0, w, true);
    double legend = paint_legend(&v, 0, w, s->note, true);
    Point size = {ceil(w), ceil(heading + p->h + caption + legend)};
    put_background(&v, paper, size);
    put_heading(&v, w, false);
    put_drawing(&v, (w - p->w) / 2, heading);
    put_caption(&v, heading + p->h, w, false);
    paint_legend(&v, heading + p->h + caption, w, s->note, false);
    put_head(&v, size, out);
    text_putn(out, v.c.out.at, v.c.out.len);
    text_put(out, "</svg>\n");
    pen_free(&v);
    return size;
}

bool draw_svg(Picture *p, Text *out, Text *error)
{
    if (!picture_layout(p, error))
        return false;
    picture_judge(p);
    picture_svg(p, true, out);
    return true;
}

/* ---- TikZ ---- */

char *tex_remarks(const Scene *s)
{
    Text t = {0}, about = {0};
    scene_describe(&about, s);
    tex_remark(&t, s->title && *s->title ? s->title : "Graph");
    tex_remark(&t, s->caption);
    tex_remark(&t, text_str(&about));
    tex_remark(&t, s->note);
    text_free(&about);
    return text_take(&t);
}

bool draw_tex(Picture *p, Text *out, Text *error)
{
    if (!picture_layout(p, error))
        return false;
    if (fmax(p->w, p->h) > TEX_LONGEST)
        text_printf(&p->remark, "TeX knows no lengths beyond %d bp, and this picture has %.0f",
                    TEX_LONGEST * 3 / 4, 0.75 * fmax(p->w, p->h));
    Pen v;
    pen_init(&v, p, &canvas_tex);
    put_background(&v, v.c.dark, (Point){p->w, p->h});
    put_elements(&v);
    char *remarks = tex_remarks(p->scene);
    tex_document(&v.c, remarks, p->scene->scale, out);
    free(remarks);
    pen_free(&v);
    return true;
}
