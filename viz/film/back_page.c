/* Backpropagation through code without a loop, as a page and as a picture: the graph, with the
 * numbers of each frame in it.
 *
 * Invariant: the page has the texts of the terminal. */
#include "viz/film/film.h"

#include "viz/film/back_picture.h"
#include "viz/film/panels.h"

enum { GAP = 12, HEAD = 40, PANEL_WIDTH = 380 };
static const char preserve[] = "xml:space=\"preserve\"";

/* ---- the page ---- */

static void put_text(Json *j, const char *key, Text *t)
{
    json_pair(j, key, text_str(t));
    text_free(t);
}

static void put_value(Json *j, const char *key, const Tensor *value, int digits)
{
    Text t = {0};
    if (!value)
        return;
    play_put_value(value, digits, &t);
    put_text(j, key, &t);
}

static void put_node(const PlayTrack *t, int k, Json *j)
{
    const Backprop *b = t->straight;
    int digits = t->digits;
    Text names = {0}, filled = {0};
    backprop_formula(b, k, PLAY_NAMES, digits, &names);
    backprop_formula(b, k, PLAY_VALUES, digits, &filled);
    json_pair(j, "name", b->nodes.at[k].name);
    put_text(j, "formula", &names);
    put_text(j, "filled", &filled);
    put_value(j, "value", b->nodes.at[k].value, digits);
}

static void put_edge(const PlayTrack *t, const BackPicture *p, int k, Json *j)
{
    const BackEdge *e = &t->straight->edges.at[k];
    int digits = t->digits;
    json_count(j, "from", e->from);
    json_count(j, "to", e->to);
    json_count(j, "line", back_picture_line(p, e->from, e->to));
    json_pair(j, "rule", e->rule);
    json_flag(j, "adds", e->adds);
    put_value(j, "local", e->local, digits);
    put_value(j, "in", e->in, digits);
    put_value(j, "part", e->part, digits);
    put_value(j, "sum", e->sum, digits);
}

void straight_put_tracks(const Film *f, Json *j)
{
    BackPicture p;
    back_picture_open(&p, &f->straight, f->digits);
    for (int k = 0; k < 2 && f->tracks[k]; k++) {
        PlayTrack *t = f->tracks[k];
        json_begin(j, '{');
        json_pair(j, "title", t->title);
        json_flag(j, "backward", t->backward);
        json_count(j, "steps", t->r.steps);
        json_open(j, "frames", '[');
        for (t->step = 0; t->step < t->r.steps; t->step++) {
            Text place = {0};
            straight_place(t, &place);
            json_begin(j, '{');
            json_count(j, "step", t->step);
            put_text(j, "place", &place);
            if (k)
                put_edge(t, &p, (int)t->step, j);
            else
                put_node(t, (int)t->step, j);
            json_end(j, '}');
        }
        json_end(j, ']');
        json_end(j, '}');
        t->step = 0;
    }
    back_picture_free(&p);
}

void straight_put_picture(const Film *f, Json *j)
{
    BackPicture p;
    Text out = {0};
    Canvas c = back_picture_canvas();
    int nodes = (int)f->straight.nodes.len, edges = (int)f->straight.edges.len;
    back_picture_open(&p, &f->straight, f->digits);
    back_picture_draw(&p, &c,
                      (BackMoment){.nodes = nodes, .edges = edges, .edge = -1, .live = true});
    canvas_put_document(&out, &c, (Point){p.layout.width, p.layout.height}, preserve,
                        f->expression);
    json_pair(j, "picture", text_str(&out));
    text_free(&out);
    canvas_free(&c);
    back_picture_free(&p);
}

/* ---- the picture ---- */

static void put_words(Canvas *c, int x, int y, const char *s)
{
    Words w = {.at = {x, y}, .side = -1, .color = {"ink", PAINT_TEXT}, .letters = 1};
    c->to->text(c, &w, &(TextRun){.text = s}, 1);
}

/* The step of the track that is there, in a panel of this width. */
static Panel panel_of(const BackPicture *p, const PlayTrack *t, int width)
{
    const Backprop *b = t->straight;
    int k = (int)t->step;
    BackMoment m = {.nodes = k + 1, .edge = -1};
    Panel panel = {back_picture_canvas(), p->layout.height + HEAD};
    Canvas *c = &panel.frame;
    c->depth = 1; /* of the panel */
    Text place = {0}, at = {0};
    if (t->backward)
        m = (BackMoment){.nodes = (int)b->nodes.len,
                         .edges = k + 1,
                         .edge = back_picture_line(p, b->edges.at[k].from, b->edges.at[k].to)};
    straight_place(t, &place);
    put_words(c, GAP, HEAD / 2, text_str(&place));
    if (t->backward)
        put_words(c, GAP, HEAD - 2, b->edges.at[k].rule);
    text_printf(&at, "translate(%d,%d)", (width - p->layout.width) / 2, HEAD);
    c->to->group(c, &(Attribute){"transform", text_str(&at)}, 1, NULL);
    back_picture_draw(p, c, m);
    c->to->end(c);
    text_free(&place);
    text_free(&at);
    return panel;
}

void straight_sheet(Film *f, const PlaySteps *shown, const char *about, Text *out)
{
    BackPicture p;
    Panels panels = {.at = NULL};
    back_picture_open(&p, &f->straight, f->digits);
    int width = p.layout.width > PANEL_WIDTH ? p.layout.width : PANEL_WIDTH;
    for (int k = 0; k < 2 && f->tracks[k]; k++) {
        PlayTrack *t = f->tracks[k];
        for (t->step = shown[k].from; t->step <= shown[k].to && t->step < t->r.steps; t->step++)
            vec_push(&panels, panel_of(&p, t, width));
    }
    panels_put(out, back_picture_canvas(), &panels, width, preserve, about);
    panels_free(&panels);
    back_picture_free(&p);
}
