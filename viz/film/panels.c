/* Panels of frames; see panels.h. */
#include "viz/film/panels.h"

enum { MOST_ACROSS = 3 /* frames beside each other */, GAP = 12 };

static void put_panel(Canvas *c, const Panel *p, int x, int y, int width, int height)
{
    Text place = {0};
    Look look = {.fill = {"frame", PAINT_FRAME}, .line = {"rule", .light = "#d0d7de"}, .round = 6};
    text_printf(&place, "translate(%d,%d)", x, y);
    c->to->group(c, &(Attribute){"transform", text_str(&place)}, 1, NULL);
    c->to->rect(c, &look, 0, 0, width, height);
    text_putn(&c->out, p->frame.out.at, p->frame.out.len);
    c->to->end(c);
    text_free(&place);
}

void panels_put(Text *out, Canvas sheet, const Panels *panels, int width, const char *more,
                const char *title)
{
    int across = panels->len < MOST_ACROSS ? (int)panels->len : MOST_ACROSS, y = GAP;
    sheet.to->paper(&sheet, NULL, (Color){"paper", PAINT_PAPER}, (Point){0});
    for (size_t i = 0; i < panels->len; i += (size_t)across) {
        int highest = 0;
        for (size_t k = i; k < i + (size_t)across && k < panels->len; k++)
            highest = panels->at[k].height > highest ? panels->at[k].height : highest;
        for (size_t k = i; k < i + (size_t)across && k < panels->len; k++)
            put_panel(&sheet, &panels->at[k], GAP + (int)(k - i) * (width + GAP), y, width,
                      highest);
        y += highest + GAP;
    }
    canvas_put_document(out, &sheet, (Point){across * (width + GAP) + GAP, y}, more, title);
    canvas_free(&sheet);
}

void canvas_put_document(Text *out, const Canvas *c, Point size, const char *more,
                         const char *title)
{
    svg_open(out, &(SvgHead){.size = size,
                             .family = "'DejaVu Sans Mono', monospace",
                             .more = more,
                             .title = title});
    text_putn(out, c->out.at, c->out.len);
    text_put(out, "</svg>\n");
}

void panels_free(Panels *panels)
{
    for (size_t i = 0; i < panels->len; i++)
        canvas_free(&panels->at[i].frame);
    vec_free(panels);
}
