/* What a loop backwards reads of the loop forward, as straight lines from frame to frame.
 *
 * Invariant: rungs stand apart by at least their words; a frame that is too narrow for that says by
 * how much. */
#include "viz/draw/figure_pieces.h"

#include <math.h>

/* A sequence that goes into a frame from above, named there, with no other frame in its way. */
bool stack_is_rung(Stack *t, const SceneEdge *e)
{
    const Piece *a = stack_end(t, e, false), *b = stack_end(t, e, true);
    if (!e->to_box || e->kind != EDGE_SEQUENCE || !a || !b || !b->box || a->row >= b->row)
        return false;
    for (size_t i = 0; i < t->pieces.len; i++) {
        const Piece *p = &t->pieces.at[i];
        if (p->box && p->row > a->row && p->row < b->row)
            return false;
    }
    return true;
}

typedef struct {
    Stack *t;
    const Piece *to;
    VEC(const SceneEdge *) at; /* from frames, then from formulas, the highest first */
    double left, right;        /* where they may stand */
    double wide, widest;       /* the words at all of them, and the widest of these */
} Rungs;

static double words_width(const Stack *t, const SceneEdge *e)
{
    return figure_width(t->f, &e->words) + t->f->size * 1.3;
}

static void find_rungs(Rungs *r)
{
    Stack *t = r->t;
    for (int row = -1; row < t->nrows; row++)
        for (size_t k = 0; k < t->s->edges.len; k++) {
            const SceneEdge *e = &t->s->edges.at[k];
            const Piece *a = stack_end(t, e, false);
            if (!stack_is_rung(t, e) || stack_end(t, e, true) != r->to || !a ||
                (a->box ? -1 : a->row) != row)
                continue;
            double w = words_width(t, e);
            r->wide += w;
            r->widest = fmax(r->widest, w);
            vec_push(&r->at, e);
        }
}

/* How far right the words below a frame reach. */
static double words_below(const Figure *f, int box)
{
    double x = f->boxes[box].fx;
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        if (f->scene->nodes.at[k].box == box && f->scene->nodes.at[k].role == ROLE_SEQUENCE)
            x = fmax(x, f->nodes[k].x + f->nodes[k].w / 2);
    return x;
}

/* What stands between the two frames begins here. */
static double between(const Stack *t, int from, int to, double right)
{
    for (size_t i = 0; i < t->pieces.len; i++) {
        const Piece *p = &t->pieces.at[i];
        const FigNode *n = p->node ? &t->f->nodes[p->node - 1] : NULL;
        if (n && p->row > from && p->row < to)
            right = fmin(right, n->x);
    }
    return right;
}

/* Where they may stand: right of words, left of formulas. */
static void find_room(Rungs *r)
{
    Stack *t = r->t;
    const FigBox *b = &t->f->boxes[r->to->box];
    r->left = b->fx;
    r->right = b->fx + b->fw;
    for (size_t i = 0; i < r->at.len; i++) {
        const Piece *from = stack_end(t, r->at.at[i], false);
        if (from->box)
            r->left = fmax(r->left, words_below(t->f, from->box));
        r->right = between(t, from->row - 1, r->to->row, r->right);
    }
    r->left += t->f->size;
    r->right = fmin(r->right, b->fx + b->fw - stack_taken(t, r->to->box)) - t->f->size;
}

/* Straight down from a frame, or from a formula to the left and down. */
static void draw_rung(Stack *t, const SceneEdge *e, double x)
{
    const Piece *a = stack_end(t, e, false), *b = stack_end(t, e, true);
    const FigBox *down = &t->f->boxes[b->box];
    const FigNode *n = a->node ? &t->f->nodes[a->node - 1] : NULL;
    double from = n ? n->y + n->h / 2 : t->f->boxes[a->box].fy + t->f->boxes[a->box].fh;
    double low = down->y - t->f->size * 0.9; /* above its arcs */
    FigLine *line = figure_line(t->f, 0);
    if (n)
        figure_point(line, n->x, from);
    figure_point(line, x, from);
    figure_point(line, x, down->fy);
    line->arrow = true;
    Phrase words = e->words.text ? figure_typeset(t->f, &e->words) : e->words;
    figure_label(t->f, 0, x + t->f->size * 0.35, n ? low : (from + low) / 2 + t->f->size * 0.35, -1,
                 &words);
}

/* One thick line for all that come from frames, with their names beside it. */
static double draw_bundle(Rungs *r)
{
    Stack *t = r->t;
    Pretty all = {0};
    const SceneEdge *first = NULL;
    for (size_t i = 0; i < r->at.len; i++)
        if (stack_end(t, r->at.at[i], false)->box) {
            first = first ? first : r->at.at[i];
            pretty_words(&all, all.text.len ? ", " : "");
            pretty_phrase(&all, &r->at.at[i]->words);
        }
    double x = r->left, size = t->f->size;
    if (first) {
        const FigBox *up = &t->f->boxes[stack_end(t, first, false)->box],
                     *down = &t->f->boxes[r->to->box];
        int n = 0, max = (int)fmax((r->right - x) / (size * 0.6), 8);
        Phrase words = phrase_of(&t->f->words, &all), *lines = figure_wrap(t->f, &words, max, &n);
        double from = up->fy + up->fh, widest = 0;
        double y = down->y - size * 0.6 - (n - 1) * figure_line_height(t->f);
        FigLine *line = figure_line(t->f, 0);
        figure_point(line, x, from);
        figure_point(line, x, down->fy);
        line->arrow = line->thick = line->bundle = true;
        for (int i = 0; i < n; i++) {
            figure_label(t->f, 0, x + size * 0.5, y + i * figure_line_height(t->f), -1, &lines[i]);
            widest = fmax(widest, figure_width(t->f, &lines[i]));
        }
        x += widest + size * 1.3;
    }
    pretty_free(&all);
    return x;
}

/* Evenly, if the widest word has room; else with even gaps between the words. */
static void draw_rungs(Rungs *r)
{
    double room = r->right - r->left, n = (double)r->at.len;
    bool even = r->widest * n <= room;
    double step = even ? room / n : fmax(0, room - r->wide) / (n + 1);
    double x = r->left + (even ? (step - r->widest) / 2 : step);
    bool bundle = r->t->f->bundled && r->wide > room;
    if (bundle)
        x = draw_bundle(r);
    for (size_t i = 0; i < r->at.len; i++) {
        if (bundle && stack_end(r->t, r->at.at[i], false)->box)
            continue;
        draw_rung(r->t, r->at.at[i], x);
        x += even ? step : words_width(r->t, r->at.at[i]) + step;
    }
    if (!even)
        r->t->lacking = fmax(r->t->lacking, x - step - r->right - r->t->f->size);
}

void stack_rungs(Stack *t)
{
    for (size_t i = 0; i < t->pieces.len; i++) {
        Rungs r = {.t = t, .to = &t->pieces.at[i]};
        if (r.to->box)
            find_rungs(&r);
        if (r.at.len) {
            find_room(&r);
            draw_rungs(&r);
        }
        vec_free(&r.at);
    }
}

double stack_rung_height(Stack *t, int row)
{
    double wide = 0, room = 1;
    for (size_t i = 0; i < t->pieces.len && t->f->bundled; i++) {
        Rungs r = {.t = t, .to = &t->pieces.at[i]};
        if (r.to->row != row || !r.to->box)
            continue;
        find_rungs(&r);
        wide = r.wide;
        room = fmax(t->f->boxes[r.to->box].fw - 2 * t->f->size, 1);
        vec_free(&r.at);
    }
    return wide > room ? ceil(wide / room) * figure_line_height(t->f) : 0;
}
