/* Our own SVG as PNG, PDF and sixels, by librsvg and Cairo.
 *
 * Where gradus-draw was built without librsvg, or its fonts or memory fail it, Graphviz draws the
 * picture itself, plainer, and that is said.
 *
 * Invariant: nothing but the SVG given decides what is drawn; no file is read but fonts, and no
 * time is written. */
#include "viz/draw/picture.h"

#include <math.h>

double picture_density(const Scene *s)
{
    return (s->dpi ? s->dpi : SCENE_DPI) / 96.0 * (s->scale > 0 ? s->scale : 1);
}

#ifdef HAVE_RSVG

#include <librsvg/rsvg.h>
#ifdef CAIRO_HAS_PDF_SURFACE
#include <cairo-pdf.h>
#endif

enum { LARGEST_SIDE = 30000, LARGEST_PAGE = 14400 }; /* pixels; Cairo refuses 32768. PDF points */
static const double largest_area = 2.0e8;

static cairo_status_t put_bytes(void *to, const unsigned char *at, unsigned n)
{
    text_putn(to, (const char *)at, n);
    return CAIRO_STATUS_SUCCESS;
}

static bool put_sixels(cairo_surface_t *surface, Text *out)
{
    cairo_surface_flush(surface);
    Pixels p = {cairo_image_surface_get_data(surface), cairo_image_surface_get_width(surface),
                cairo_image_surface_get_height(surface), cairo_image_surface_get_stride(surface)};
    if (p.at)
        pixels_to_sixels(&p, out);
    return p.at != NULL;
}

/* The SVG on all of a surface, which is w by h and is used up; of an image what it shows, as PNG or
 * sixels. */
static bool paint(RsvgHandle *handle, cairo_surface_t *surface, double w, double h, Text *png,
                  Text *sixels)
{
    cairo_t *cairo = cairo_create(surface);
    RsvgRectangle all = {0, 0, w, h};
    bool ok = cairo_status(cairo) == CAIRO_STATUS_SUCCESS &&
              rsvg_handle_render_document(handle, cairo, &all, NULL);
    cairo_destroy(cairo);
    if (ok && png)
        ok = cairo_surface_write_to_png_stream(surface, put_bytes, png) == CAIRO_STATUS_SUCCESS;
    ok = ok && (!sixels || put_sixels(surface, sixels));
    cairo_surface_finish(surface);
    ok = ok && cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS;
    cairo_surface_destroy(surface);
    return ok;
}

/* ---- PNG ---- */

/* CRC-32 of a chunk of PNG. */
static u32 chunk_check(const unsigned char *at, size_t n)
{
    u32 crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < n; i++) {
        crc ^= at[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static void put_u32(unsigned char *at, u32 x)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(x >> (24 - 8 * i));
}

/* Cairo's PNG, with a chunk after the first one that says how many dots a metre has. */
static void put_png(Text *out, const Text *png, double dots_per_px)
{
    enum { FIRST = 8 + 25 }; /* signature and IHDR */
    unsigned char chunk[21] = {0, 0, 0, 9, 'p', 'H', 'Y', 's'};
    u32 per_metre = (u32)lround(dots_per_px * 96 / 0.0254);
    put_u32(chunk + 8, per_metre);
    put_u32(chunk + 12, per_metre);
    chunk[16] = 1; /* the unit is the metre */
    put_u32(chunk + 17, chunk_check(chunk + 4, 13));
    text_putn(out, png->at, FIRST);
    text_putn(out, (const char *)chunk, sizeof chunk);
    text_putn(out, png->at + FIRST, png->len - FIRST);
}

static bool svg_to_pixels(const Scene *s, RsvgHandle *handle, Point size, bool sixels, Text *remark,
                          Text *out)
{
    double asked = picture_density(s), most = LARGEST_SIDE / fmax(size.x, size.y);
    double density = fmin(fmin(asked, most), sqrt(largest_area / (size.x * size.y)));
    double zoom = s->scale > 0 ? s->scale : 1; /* makes it larger on paper, too */
    int w = (int)fmax(1, ceil(size.x * density)), h = (int)fmax(1, ceil(size.y * density));
    Text png = {0};
    bool ok = paint(handle, cairo_image_surface_create(CAIRO_FORMAT_ARGB32, w, h), w, h,
                    sixels ? NULL : &png, sixels ? out : NULL) &&
              (sixels || png.len > 40);
    if (ok && !sixels)
        put_png(out, &png, density / zoom);
    if (ok && density < asked)
        text_printf(remark,
                    "drawn in %.0f dpi, as %d x %d pixels: in %.0f dpi it would be %.0f x %.0f, "
                    "more than this program makes",
                    density / zoom * 96, w, h, asked / zoom * 96, size.x * asked, size.y * asked);
    text_free(&png);
    return ok;
}

/* ---- PDF ---- */

static bool svg_to_pdf(const Scene *s, RsvgHandle *handle, Point size, Text *remark, Text *out)
{
#ifdef CAIRO_HAS_PDF_SURFACE
    double asked = 0.75 * (s->scale > 0 ? s->scale : 1);
    double points = fmin(asked, LARGEST_PAGE / fmax(size.x, size.y));
    double w = size.x * points, h = size.y * points;
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(put_bytes, out, w, h);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE,
                                   s->title && *s->title ? s->title : "Graph");
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, ""); /* none */
    if (points < asked)
        text_printf(remark, "drawn at %.0f %% of its size: no page of a PDF is larger",
                    points / asked * 100);
    return paint(handle, surface, w, h, NULL, NULL);
#else
    (void)s, (void)remark, (void)handle, (void)size, (void)out;
    return false;
#endif
}

bool svg_to(const Scene *s, const char *format, const Text *svg, Point size, Text *remark,
            Text *out)
{
    size_t before = out->len;
    RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg->at, svg->len, NULL);
    bool pdf = strcmp(format, "pdf") == 0;
    bool sixels = strcmp(format, "sixel") == 0;
    bool ok = handle && (pdf ? svg_to_pdf(s, handle, size, remark, out)
                             : svg_to_pixels(s, handle, size, sixels, remark, out));
    ok = ok && out->len > before;
    if (handle)
        g_object_unref(handle);
    if (!ok)
        out->len = before;
    return ok;
}

#else

bool svg_to(const Scene *s, const char *format, const Text *svg, Point size, Text *remark,
            Text *out)
{
    (void)s, (void)remark, (void)format, (void)svg, (void)size, (void)out;
    return false;
}

#endif

static bool draw_by_cairo(Picture *p, const char *format, Text *out, Text *error)
{
    Text svg = {0};
    bool ok = picture_layout(p, error);
    if (ok) {
        Point size = picture_svg(p, false, &svg);
        if (!svg_to(p->scene, format, &svg, size, &p->remark, out)) {
            p->remark.len = 0;
            if (strcmp(format, "sixel") == 0) {
                text_put(error, "librsvg, which makes the pixels, is missing or failed");
                text_free(&svg);
                return false;
            }
            text_put(&p->remark,
                     "drawn by Graphviz alone, plainer than the SVG: librsvg was missing "
                     "when it was built, or failed");
            ok = picture_by_graphviz(p, format, out, error);
        }
    }
    text_free(&svg);
    return ok;
}

bool draw_png(Picture *p, Text *out, Text *error) { return draw_by_cairo(p, "png", out, error); }
bool draw_pdf(Picture *p, Text *out, Text *error) { return draw_by_cairo(p, "pdf", out, error); }
bool draw_sixel(Picture *p, Text *out, Text *error)
{
    return draw_by_cairo(p, "sixel", out, error);
}
