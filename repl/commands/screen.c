/* What fits on the screen.  See screen.h. */
#include "repl/commands/screen.h"
#include "viz/boxes/boxes.h"
#include "viz/scene/draw.h"

#include <unistd.h>

/* ---- boxes ---- */

/* Do those who read this see signs beyond ASCII? */
static bool reads_ascii(const Call *c)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    if (c->r->capture || c->r->json || !term_is_tty(STDOUT_FILENO))
        return false;
    if (term_is_dumb())
        return true;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return !strcasestr(value, "utf-8") && !strcasestr(value, "utf8");
    }
    return false;
}

bool screen_boxes(Call *c, const Scene *s, Text *out, const char *hint)
{
    int width = repl_width(c->r), columns = 0;
    BoxesFit fit = boxes_print(out, s, width, reads_ascii(c), &columns);
    if (fit == BOXES_MANY)
        return call_fail(c, c->span, "too-wide", hint,
                         "there are %zu nodes, but at most %d can be read as boxes", s->nodes.len,
                         BOXES_MOST_NODES);
    return fit == BOXES_FIT ||
           call_fail(c, c->span, "too-wide", hint,
                     "as boxes this needs %d columns, but there are %d (:set width)", columns,
                     width);
}

/* ---- pictures ---- */

ImageMode screen_images(Call *c)
{
    Repl *r = c->r;
    if (r->capture || r->json || r->listener.file || !term_is_tty(STDOUT_FILENO))
        return IMAGES_OFF;
    if (r->images != IMAGES_AUTO)
        return r->images;
    if (r->images_found == IMAGES_AUTO)
        r->images_found = images_found();
    return r->images_found;
}

int screen_pixels(void) { return images_screen().width; }

int screen_dpi(void)
{
    enum { USUAL = 96, LETTER = 18 /* pixels of a row at that */, MOST = 288 };
    ScreenSize s = images_screen();
    int row = s.rows && s.height ? s.height / s.rows : LETTER;
    int dpi = USUAL * row / LETTER;
    return dpi < USUAL ? USUAL : dpi > MOST ? MOST : dpi;
}

/* The width that a PNG says it has. */
static int png_width(const Text *png)
{
    enum { WIDTH = 16 };
    u32 w = 0;
    for (size_t i = WIDTH; i < WIDTH + 4 && png->len > WIDTH + 4; i++)
        w = w << 8 | (unsigned char)png->at[i];
    return w > INT32_MAX ? INT32_MAX : (int)w;
}

void screen_show(Call *c, ImageMode mode, const Text *bytes)
{
    ScreenSize s = images_screen();
    bool wide = s.width && mode != IMAGES_SIXEL && png_width(bytes) > s.width;
    image_put(&c->image, mode, bytes, wide ? s.columns : 0);
}
