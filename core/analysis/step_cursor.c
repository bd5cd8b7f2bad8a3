/* Moving among steps; see step_cursor.h. */
#include "analysis/step_cursor.h"

#include "analysis/step_change.h"
#include "rewrite/history.h"

#include <limits.h>

StepCursor cursor_at_start(Exploration *x)
{
    StepCursor c = {.x = x};
    c.levels[0] = (StepLevel){.log = &x->log, .n = x->nroots, .start = x->start};
    return c;
}

StepLevel *cursor_level(StepCursor *c) { return &c->levels[c->depth]; }

const Step *cursor_step(StepCursor *c)
{
    const StepLevel *l = cursor_level(c);
    return l->at ? &l->log->at.at[l->at - 1] : NULL;
}

void cursor_place(const StepCursor *c, Place *out)
{
    out->n = 0;
    for (int i = 0; i <= c->depth; i++)
        out->at[out->n++] = c->levels[i].at;
}

/* ---- moving ---- */

bool cursor_next(StepCursor *c)
{
    StepLevel *l = cursor_level(c);
    bool more = l->at < l->log->at.len;
    l->at += more;
    return more;
}

bool cursor_back(StepCursor *c)
{
    StepLevel *l = cursor_level(c);
    bool more = l->at > 0;
    l->at -= more;
    return more;
}

/* Into the child steps of one that opens. */
static bool enter_children(StepCursor *c, const Step *step)
{
    const Opened *o = exploration_opened(c->x, step);
    if (!o)
        return false;
    const Graph *graph = cursor_level(c)->graph;
    things_open(c->x);
    c->levels[++c->depth] = (StepLevel){&o->log, o->n, o->start, 0, graph};
    return true;
}

bool cursor_in(StepCursor *c)
{
    const Step *step = cursor_step(c);
    if (!step || c->depth + 1 == PLACE_DEPTH)
        return false;
    if (step_opens(step))
        return enter_children(c, step);
    if (!step->inner)
        return false;
    Graph *g = step->inner_before;
    c->levels[++c->depth] =
        (StepLevel){.log = step->inner, .n = g->nouts, .start = g->outs, .graph = g};
    return true;
}

bool cursor_out(StepCursor *c)
{
    if (c->depth == 0)
        return false;
    c->depth--;
    return true;
}

bool cursor_goto(StepCursor *c, const Place *p)
{
    c->depth = 0;
    for (u32 i = 0; i < p->n; i++) {
        if (i && !cursor_in(c))
            return false;
        if (p->at[i] > cursor_level(c)->log->at.len)
            return false;
        cursor_level(c)->at = p->at[i];
    }
    return true;
}

/* ---- searching ---- */

/* What is looked for: the steps of a rule, or those with a text in them. */
typedef struct {
    StepCursor *c;
    const char *rule, *text;
    int width;
} Wanted;

static bool has_text(const Wanted *w, const Step *step, const Graph *within)
{
    ChangeLines lines = {.of = {0}};
    Telling t = {w->c->x, within, w->width, INT_MAX, &lines, NULL, 0};
    Text why = {0};
    put_why(&why, step);
    bool found = strstr(step_rule(step), w->text) || strstr(text_str(&why), w->text);
    if (!found && !step_rewrites_inside(step))
        change_of_step(&t, step);
    for (size_t i = 0; i < lines.of.len && !found; i++)
        found = strstr(lines.of.at[i].text, w->text) != NULL;
    change_free(&lines);
    text_free(&why);
    return found;
}

/* Is it one, or with `inside` one that has one inside? */
static bool is_wanted(const Wanted *w, const Step *step, const Graph *within, bool inside)
{
    bool found = w->rule ? strcmp(step_rule(step), w->rule) == 0 : has_text(w, step, within);
    for (size_t i = 0; inside && step->inner && i < step->inner->at.len && !found; i++)
        found = is_wanted(w, &step->inner->at.at[i], step->inner_before, true);
    return found;
}

/* The first wanted step, or with one inside, after `from`; 0: none. */
static u32 next_wanted(const Wanted *w, const StepLevel *l, u32 from)
{
    for (u32 k = from; k < l->log->at.len; k++)
        if (is_wanted(w, &l->log->at.at[k], l->graph, true))
            return k + 1;
    return 0;
}

/* From where it stands, or from the start. */
static bool go_to_wanted(const Wanted *w, bool from_start)
{
    StepCursor *c = w->c;
    int depth = from_start ? 0 : c->depth;
    u32 next = 0;
    while (depth >= 0 &&
           !(next = next_wanted(w, &c->levels[depth], from_start ? 0 : c->levels[depth].at)))
        depth--;
    if (!next)
        return false;
    while (c->depth > depth)
        cursor_out(c);
    for (;; next = next_wanted(w, cursor_level(c), 0)) {
        cursor_level(c)->at = next;
        if (is_wanted(w, cursor_step(c), cursor_level(c)->graph, false) || !cursor_in(c))
            return true;
    }
}

bool cursor_until(StepCursor *c, const char *rule)
{
    return go_to_wanted(&(Wanted){c, rule, NULL, 0}, false);
}

bool cursor_find(StepCursor *c, const char *text, int width)
{
    Wanted w = {c, NULL, text, width};
    return go_to_wanted(&w, false) || go_to_wanted(&w, true);
}

/* ---- where it has been ---- */

static bool same_place(const Place *a, const Place *b)
{
    return a->n == b->n && memcmp(a->at, b->at, a->n * sizeof *a->at) == 0;
}

void trail_note(StepTrail *t, const StepCursor *c)
{
    Place p;
    cursor_place(c, &p);
    if (t->of.len && same_place(&t->of.at[t->at], &p))
        return;
    t->of.len = t->of.len ? t->at + 1 : 0;
    vec_push(&t->of, p);
    t->at = t->of.len - 1;
}

bool trail_move(StepTrail *t, StepCursor *c, bool back)
{
    if (back ? t->at == 0 : t->at + 1 >= t->of.len)
        return false;
    t->at += back ? (size_t)-1 : 1;
    return cursor_goto(c, &t->of.at[t->at]);
}
