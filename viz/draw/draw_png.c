/* Our own SVG as PNG, by librsvg and Cairo.
 *
 * Graphviz's packages bring both libraries, but not their headers, so they are looked for when a
 * PNG is asked for: where one is missing Graphviz draws the PNG itself, plainer, and that is said.
 *
 * Invariant: nothing but the SVG given decides what is drawn; no file is read but fonts. */
#include "viz/draw/picture.h"

#include <dlfcn.h>
#include <math.h>

enum { FORMAT_ARGB32 = 0, LARGEST_SIDE = 30000 }; /* pixels; Cairo refuses 32768 */
static const double dots_per_px = 2, largest_area = 2.0e8;

typedef struct {
    double x, y, width, height;
} Viewport; /* RsvgRectangle */

/* The functions of the two libraries that are used, as their manuals declare them. */
typedef struct {
    void *(*new_from_data)(const u8 *data, size_t len, void **error);
    int (*render_document)(void *handle, void *cairo, const Viewport *v, void **error);
    void *(*surface_create)(int format, int w, int h);
    void *(*create)(void *surface);
    int (*status)(void *cairo);
    int (*write_png)(void *surface, int (*put)(void *to, const u8 *at, unsigned n), void *to);
} Library;

static bool find(void *library, const char *name, void *function)
{
    void *at = library ? dlsym(library, name) : NULL;
    memcpy(function, &at, sizeof at);
    return at != NULL;
}

static bool library_open(Library *l)
{
    void *rsvg = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL),
         *cairo = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    return find(rsvg, "rsvg_handle_new_from_data", &l->new_from_data) &&
           find(rsvg, "rsvg_handle_render_document", &l->render_document) &&
           find(cairo, "cairo_image_surface_create", &l->surface_create) &&
           find(cairo, "cairo_create", &l->create) && find(cairo, "cairo_status", &l->status) &&
           find(cairo, "cairo_surface_write_to_png_stream", &l->write_png);
}

static int put_bytes(void *to, const u8 *at, unsigned n)
{
    text_putn(to, (const char *)at, n);
    return 0;
}

/* What is allocated is left to the end of this process, which comes with the picture. */
static bool paint(const Library *l, const Text *svg, double w, double h, Text *out)
{
    double scale = fmin(dots_per_px, LARGEST_SIDE / fmax(w, h));
    scale = fmin(scale, sqrt(largest_area / (w * h)));
    int pw = (int)fmax(1, ceil(w * scale)), ph = (int)fmax(1, ceil(h * scale));
    void *handle = l->new_from_data((const u8 *)svg->at, svg->len, NULL);
    void *surface = l->surface_create(FORMAT_ARGB32, pw, ph), *cairo = l->create(surface);
    return handle && l->status(cairo) == 0 &&
           l->render_document(handle, cairo, &(Viewport){0, 0, pw, ph}, NULL) &&
           l->write_png(surface, put_bytes, out) == 0 && out->len > 0;
}

bool svg_to_png(const Text *svg, double w, double h, Text *out)
{
    Library l;
    size_t before = out->len;
    if (library_open(&l) && paint(&l, svg, w, h, out))
        return true;
    out->len = before;
    return false;
}
