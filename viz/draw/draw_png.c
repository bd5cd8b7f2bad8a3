/* Our own SVG as PNG, by librsvg and Cairo.
 *
 * Where gradus-draw was built without librsvg, or its fonts or memory fail it, Graphviz draws the
 * PNG itself, plainer, and that is said.
 *
 * Invariant: nothing but the SVG given decides what is drawn; no file is read but fonts. */
#include "viz/draw/picture.h"

#ifdef HAVE_RSVG

#include <librsvg/rsvg.h>
#include <math.h>

enum { LARGEST_SIDE = 30000 }; /* pixels; Cairo refuses 32768 */
static const double dots_per_px = 2, largest_area = 2.0e8;

static cairo_status_t put_bytes(void *to, const unsigned char *at, unsigned n)
{
    text_putn(to, (const char *)at, n);
    return CAIRO_STATUS_SUCCESS;
}

static bool paint(RsvgHandle *handle, double w, double h, Text *out)
{
    double scale = fmin(dots_per_px, LARGEST_SIDE / fmax(w, h));
    scale = fmin(scale, sqrt(largest_area / (w * h)));
    int pw = (int)fmax(1, ceil(w * scale)), ph = (int)fmax(1, ceil(h * scale));
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pw, ph);
    cairo_t *cairo = cairo_create(surface);
    RsvgRectangle all = {0, 0, pw, ph};
    bool ok = cairo_status(cairo) == CAIRO_STATUS_SUCCESS &&
              rsvg_handle_render_document(handle, cairo, &all, NULL) &&
              cairo_surface_write_to_png_stream(surface, put_bytes, out) == CAIRO_STATUS_SUCCESS;
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return ok;
}

bool svg_to_png(const Text *svg, double w, double h, Text *out)
{
    size_t before = out->len;
    RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg->at, svg->len, NULL);
    bool ok = handle && paint(handle, w, h, out) && out->len > before;
    if (handle)
        g_object_unref(handle);
    if (!ok)
        out->len = before;
    return ok;
}

#else

bool svg_to_png(const Text *svg, double w, double h, Text *out)
{
    (void)svg, (void)w, (void)h, (void)out;
    return false;
}

#endif

bool draw_png(Picture *p, Text *out, Text *error)
{
    Text svg = {0};
    bool ok = picture_layout(p, error);
    if (ok) {
        Point size = picture_svg(p, &svg);
        p->plain = !svg_to_png(&svg, size.x, size.y, out);
        ok = !p->plain || picture_png(p, out, error);
    }
    text_free(&svg);
    return ok;
}
