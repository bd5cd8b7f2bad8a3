/* Cells in rows and columns, with straight lines between them.
 *
 * Invariant: all rows are equally high and all columns equally wide, so lines of one direction are
 * parallel. */
#include "viz/draw/figure.h"

#include <math.h>

bool figure_is_grid(const Scene *s)
{
    for (size_t i = 0; i < s->nodes.len; i++)
        if (s->nodes.at[i].row && s->nodes.at[i].column)
            return true;
    return false;
}

/* Where the line from the middle of n towards `to` leaves the rectangle around it. */
static Point border(const Figure *f, const FigNode *n, Point to)
{
    Point c = {n->x + n->w / 2, n->y + n->h / 2};
    double dx = to.x - c.x, dy = to.y - c.y, space = n->circle ? 0 : f->size * 0.2;
    double by =
        fmin((n->w / 2 + space) / fmax(fabs(dx), 1e-9), (n->h / 2 + space) / fmax(fabs(dy), 1e-9));
    return (Point){c.x + dx * by, c.y + dy * by};
}

static void put_line(Figure *f, const SceneEdge *e)
{
    if (e->from_box || e->to_box || e->from == e->to)
        return;
    const FigNode *a = &f->nodes[e->from - 1], *b = &f->nodes[e->to - 1];
    Point z = {b->x + b->w / 2, b->y + b->h / 2}, y = {a->x + a->w / 2, a->y + a->h / 2};
    FigLine *line = figure_line(f, 0);
    Point from = border(f, a, z), to = border(f, b, y);
    figure_point(line, from.x, from.y);
    figure_point(line, to.x, to.y);
    line->arrow = e->kind == EDGE_DATA;
}

/* How many rows or columns there are, the first one that is used, and the largest extent. */
static double measure(const Figure *f, bool rows, int *first, int *last)
{
    double most = 0;
    *first = SCENE_CELLS;
    *last = 0;
    for (size_t k = 0; k < f->scene->nodes.len; k++) {
        int at = rows ? f->scene->nodes.at[k].row : f->scene->nodes.at[k].column;
        *first = at < *first ? at : *first;
        *last = at > *last ? at : *last;
        most = fmax(most, rows ? f->nodes[k].h : f->nodes[k].w);
    }
    return most;
}

void figure_grid(Figure *f, bool close)
{
    int row, column, rows, columns;
    double h = measure(f, true, &row, &rows), w = measure(f, false, &column, &columns);
    double down = h + f->size * 1.5, right = w + f->size * (close ? 1.2 : 2.2);
    for (size_t k = 0; k < f->scene->nodes.len; k++) {
        const SceneNode *s = &f->scene->nodes.at[k];
        FigNode *n = &f->nodes[k];
        n->x = (s->column - column) * right + (w - n->w) / 2;
        n->y = (s->row - row) * down + (h - n->h) / 2;
        n->placed = true;
    }
    for (size_t i = 0; i < f->scene->edges.len; i++)
        put_line(f, &f->scene->edges.at[i]);
    f->boxes[0].w = (columns - column) * right + w;
    f->boxes[0].h = (rows - row) * down + h;
}
