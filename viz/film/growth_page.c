/* The growth of an e-graph as a page; see growth_page.h. */
#include "viz/film/growth_page.h"

#include "embed/embed.h"
#include "viz/page/template.h"

static void put_frames(Json *j, const EgPictures *p)
{
    json_open(j, "frames", '[');
    for (size_t i = 0; i < p->at.len; i++) {
        const EgPicture *x = p->at.at[i];
        Text title = {0}, size = {0};
        egraph_picture_title(&title, x);
        egraph_picture_size(&size, x);
        json_begin(j, '{');
        json_pair(j, "title", text_str(&title));
        json_pair(j, "size", text_str(&size));
        json_end(j, '}');
        text_free(&title);
        text_free(&size);
    }
    json_end(j, ']');
}

void growth_page(Text *out, const char *expression, const EgPictures *p, const Scene *s, Text *svg)
{
    Text data = {0}, css = {0};
    Json j = {.out = &data};
    json_begin(&j, '{');
    json_pair(&j, "title", expression);
    json_pair(&j, "note", s->note ? s->note : "");
    put_frames(&j, p);
    json_pair(&j, "svg", text_str(svg));
    json_end(&j, '}');
    text_printf(&css, "%s%s", embed_film_css, embed_growth_css);
    template_put(out, embed_growth_html, expression, text_str(&css), &data, 1,
                 (const char *const[]){embed_growth_js});
    text_free(&data);
    text_free(&css);
}
