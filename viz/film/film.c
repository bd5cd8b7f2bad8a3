/* The tracks of a film; see film.h. */
#include "viz/film/film.h"

#include "analysis/step_text.h"

PlayTrack *track_open(Film *f, Node *scan, const TensorMap *values)
{
    PlayTrack *t = xcalloc(1, sizeof *t);
    Text title = {0};
    Numbering num = {.within = NULL};
    if (!loop_probe_open(&t->r, &f->e, scan, values)) {
        loop_probe_free(&t->r);
        free(t);
        return NULL;
    }
    play_body_open(&t->b, &t->r, f->arena, f->digits);
    t->digits = f->digits;
    put_called(&title, t->r.st, scan, &num);
    t->title = text_keep(&title, f->arena);
    map_free(&num.of);
    return t;
}

static void track_free(PlayTrack *t)
{
    if (!t)
        return;
    play_body_free(&t->b);
    loop_probe_free(&t->r);
    free(t);
}

bool film_add_way_back(Film *f, Node *back)
{
    PlayTrack *t = f->tracks[1] = track_open(f, back, NULL);
    if (t) {
        t->backward = true;
        t->b.offset = f->tracks[0]->b.offset;
    }
    return t != NULL;
}

static PlayTrack *straight_track(Film *f, bool backward, size_t steps)
{
    PlayTrack *t = xcalloc(1, sizeof *t);
    *t = (PlayTrack){.title = f->expression, .digits = f->digits, .backward = backward};
    t->straight = &f->straight;
    t->r.steps = (i64)steps;
    return t;
}

void film_add_straight(Film *f)
{
    f->tracks[0] = straight_track(f, false, f->straight.nodes.len);
    if (f->straight.edges.len)
        f->tracks[1] = straight_track(f, true, f->straight.edges.len);
}

void film_free(Film *f)
{
    while (film_leave(f))
        continue;
    vec_free(&f->inner);
    track_free(f->tracks[0]);
    track_free(f->tracks[1]);
    backprop_free(&f->straight);
}

PlayTrack *film_track(const Film *f)
{
    return f->inner.len ? f->inner.at[f->inner.len - 1] : f->tracks[f->which];
}

bool film_enter(Film *f, bool *none)
{
    PlayTrack *t = film_track(f);
    NodeVec loops = {0};
    if (!t->straight)
        scans_of(t->r.s.body->nouts, t->r.s.body->outs, &loops);
    Node *scan = loops.len ? loops.at[0] : NULL;
    vec_free(&loops);
    *none = !scan;
    if (!scan || (t->r.at != t->step && !loop_probe_go(&t->r, t->step)))
        return false;
    PlayTrack *inner = track_open(f, map_get(&t->r.copy, scan), &t->r.values);
    if (inner) {
        inner->title = arena_printf(f->arena, "%s, in step %lld of %s", inner->title,
                                    (long long)t->step, t->title);
        vec_push(&f->inner, inner);
    }
    return inner != NULL;
}

bool film_leave(Film *f)
{
    if (!f->inner.len)
        return false;
    track_free(f->inner.at[--f->inner.len]);
    return true;
}
