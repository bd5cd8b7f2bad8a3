/* What both back ends share: colours, and numbers as text. */
#include "viz/canvas/canvas.h"

#include <math.h>

const char *color_value(const Canvas *c, Color color)
{
    const char *own = c->own && color.of ? c->own(c->own_of, color) : NULL;
    return own ? own : c->dark ? color.dark : color.light;
}

double line_width(const Canvas *c, const Look *l)
{
    return l->width * (c->thick > 0 ? c->thick : 1);
}

void svg_number(Text *out, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.1f", x);
    size_t n = strlen(text);
    if (n > 2 && strcmp(text + n - 2, ".0") == 0)
        text[n - 2] = '\0';
    text_put(out, strcmp(text, "-0") == 0 ? "0" : text);
}

bool is_gap(Point q) { return !isfinite(q.x) || !isfinite(q.y); }

void canvas_free(Canvas *c)
{
    text_free(&c->out);
    vec_free(&c->used);
    vec_free(&c->links);
}
