/* The frames of a film as data in one page, with a slider.
 *
 * Invariant: nothing of the data can end the script it stands in; the page asks for no other file.
 */
#include "viz/film/film.h"

#include "embed/embed.h"
#include "viz/page/template.h"

#include <math.h>

/* ---- data ---- */

/* ["tanh(", [2, true], ")"]: places by number, and whether a negative number may stand there. */
static void put_formula(const PlayLine *l, Json *j)
{
    json_open(j, "formula", '[');
    for (size_t i = 0; i < l->formula.len; i++) {
        const PlayPart *p = &l->formula.at[i];
        if (p->text) {
            json_string(j, p->text);
            continue;
        }
        json_begin(j, '[');
        json_int(j, p->place);
        json_bool(j, p->alone);
        json_end(j, ']');
    }
    json_end(j, ']');
}

static void put_lines(const PlayBody *b, Json *j)
{
    json_open(j, "names", '[');
    for (size_t i = 0; i < b->names.len; i++)
        json_string(j, b->names.at[i]);
    json_end(j, ']');
    json_open(j, "lines", '[');
    for (size_t i = 0; i < b->lines.len; i++) {
        const PlayLine *l = &b->lines.at[i];
        json_begin(j, '{');
        json_pair(j, "name", l->name);
        json_flag(j, "kept", l->kept);
        put_formula(l, j);
        json_end(j, '}');
    }
    json_end(j, ']');
}

static void put_value(const PlayBody *b, const Tensor *t, Json *j)
{
    Text value = {0};
    play_value(b, t, &value);
    json_string(j, text_str(&value));
    text_free(&value);
}

static void put_frame(const PlayTrack *t, Json *j)
{
    const PlayBody *b = &t->b;
    json_begin(j, '{');
    json_count(j, "step", t->step);
    json_count(j, "index", play_index(b, t->step));
    json_open(j, "values", '[');
    for (size_t k = 0; k < b->places.len; k++) {
        const Tensor *v = loop_probe_value(&t->r, b->places.at[k]);
        if (play_is_short(v))
            put_value(b, v, j);
        else
            json_null(j);
    }
    json_end(j, ']');
    json_open(j, "lines", '[');
    for (size_t i = 0; i < b->lines.len; i++)
        put_value(b, loop_probe_value(&t->r, b->lines.at[i].of), j);
    json_end(j, ']');
    json_end(j, '}');
}

/* The first elements of a state as one row of its curve; what is not finite is null. */
static void put_row(const Tensor *v, Json *j)
{
    json_begin(j, '[');
    for (i64 i = 0; play_has_curve(v) && i < v->count && i < PLAY_ELEMENTS; i++) {
        double x = tensor_f64_at(v, i);
        if (isfinite(x))
            json_double(j, x);
        else
            json_null(j);
    }
    json_end(j, ']');
}

/* Frames of these steps; the curves of the states go to a text of their own each. */
static bool put_frames(PlayTrack *t, const PlaySteps *s, Text *curves, Json *j)
{
    const PlayBody *b = &t->b;
    json_open(j, "frames", '[');
    bool ok = true;
    for (i64 i = s->from; i <= s->to && i < t->r.steps && ok; i++) {
        t->step = i;
        if (!(ok = loop_probe_go(&t->r, i)))
            break;
        put_frame(t, j);
        for (size_t k = 0; k < b->states.len; k++) {
            Json row = {.out = &curves[k], .comma = curves[k].len > 0};
            if (!curves[k].len)
                put_row(loop_probe_before(&t->r, b->states.at[k]), &row);
            put_row(loop_probe_after(&t->r, b->states.at[k]), &row);
        }
    }
    json_end(j, ']');
    return ok;
}

static bool put_track(PlayTrack *t, const PlaySteps *s, Json *j)
{
    const PlayBody *b = &t->b;
    Text *curves = xcalloc(b->states.len + 1, sizeof *curves);
    json_begin(j, '{');
    json_pair(j, "title", t->title);
    json_flag(j, "backward", t->backward);
    json_flag(j, "reverse", t->r.s.reverse);
    json_flag(j, "stopped", t->r.stopped);
    json_count(j, "steps", t->r.steps);
    put_lines(b, j);
    bool ok = put_frames(t, s, curves, j);
    json_open(j, "states", '[');
    for (size_t k = 0; k < b->states.len; k++) {
        if (ok && curves[k].len && t->r.s.body->params[b->states.at[k]]->dtype != DT_RNG) {
            json_begin(j, '{');
            json_pair(j, "name", b->state_names.at[k]);
            json_open(j, "rows", '[');
            json_raw(j, text_str(&curves[k]));
            json_end(j, ']');
            json_end(j, '}');
        }
        text_free(&curves[k]);
    }
    json_end(j, ']');
    json_end(j, '}');
    free(curves);
    return ok;
}

/* ---- the page ---- */

static void put_page(Text *out, const char *title, const Text *data)
{
    template_put(out, embed_film_html, title, embed_film_css, data, 1,
                 (const char *const[]){embed_film_js});
}

bool film_page(Film *f, const PlaySteps *shown, Text *out)
{
    Text data = {0};
    Json j = {.out = &data};
    bool ok = true;
    json_begin(&j, '{');
    json_pair(&j, "about", f->expression);
    json_open(&j, "tracks", '[');
    if (f->tracks[0]->straight)
        straight_put_tracks(f, &j);
    for (int k = 0; k < 2 && f->tracks[k] && !f->tracks[k]->straight && ok; k++)
        ok = put_track(f->tracks[k], &shown[k], &j);
    json_end(&j, ']');
    if (f->tracks[0]->straight)
        straight_put_picture(f, &j);
    json_end(&j, '}');
    if (ok)
        put_page(out, f->expression, &data);
    text_free(&data);
    return ok;
}
