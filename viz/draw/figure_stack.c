/* The outermost level where a loop runs backwards, or where side by side is too wide: frames one
 * below the other.
 *
 * A loop backwards stands below the loop forward that it belongs to, as wide; what it reads of that
 * are straight rungs. Formulas between two frames stand at the right, and lines turn around at the
 * sides.
 *
 * Invariant: rows do not overlap; each line that goes up or down has a lane of its own outside of
 * all rows. */
#include "viz/draw/figure.h"

#include <math.h>

enum { MOST_ROWS = 64 };

typedef struct {
    int node, box; /* one of them */
    int row;
} Piece;

typedef struct {
    Figure *f;
    const Scene *s;
    VEC(Piece) pieces;
    double top[MOST_ROWS + 1], height[MOST_ROWS]; /* of rows */
    int nrows;
    double left, right; /* where rows begin and end */
    double edge[2];     /* where the next lane is, left and right */
} Stack;

/* ---- rows ---- */

static bool is_turned(const Figure *f, int box)
{
    return scene_box_at(f->scene, box)->kind == BOX_ADJOINT;
}

bool figure_has_turn(const Figure *f)
{
    for (size_t k = 1; k <= f->scene->boxes.len; k++)
        if (f->scene->boxes.at[k - 1].parent == 0 && is_turned(f, (int)k))
            return true;
    return false;
}

static int outermost(const Scene *s, int box)
{
    while (box && scene_box_at(s, box)->parent)
        box = scene_box_at(s, box)->parent;
    return box;
}

static Piece *piece_of(Stack *t, int node, int box)
{
    if (node && t->s->nodes.at[node - 1].box) {
        box = outermost(t->s, t->s->nodes.at[node - 1].box);
        node = 0;
    }
    for (size_t i = 0; i < t->pieces.len; i++)
        if (node ? t->pieces.at[i].node == node : t->pieces.at[i].box == box && box)
            return &t->pieces.at[i];
    return NULL;
}

static Piece *end_of_edge(Stack *t, const SceneEdge *e, bool to)
{
    int box = to ? e->to_box : e->from_box;
    return piece_of(t, box ? 0 : to ? e->to : e->from, outermost(t->s, box));
}

/* Formulas and frames; words stand beside what they are joined with. */
static void find_rows(Stack *t)
{
    for (size_t k = 0; k < t->s->nodes.len; k++)
        if (t->s->nodes.at[k].box == 0 && t->s->nodes.at[k].role == ROLE_NONE)
            vec_push(&t->pieces, ((Piece){.node = (int)k + 1}));
    for (size_t k = 1; k <= t->s->boxes.len; k++)
        if (t->s->boxes.at[k - 1].parent == 0)
            vec_push(&t->pieces, ((Piece){.box = (int)k}));
    bool changed = true;
    for (size_t round = 0; changed && round <= t->pieces.len; round++) {
        changed = false;
        for (size_t k = 0; k < t->s->edges.len; k++) {
            const SceneEdge *e = &t->s->edges.at[k];
            Piece *a = end_of_edge(t, e, false), *b = end_of_edge(t, e, true);
            if (a && b && a != b && b->row <= a->row && a->row + 1 < MOST_ROWS) {
                b->row = a->row + 1;
                changed = true;
            }
        }
    }
    for (size_t i = 0; i < t->pieces.len; i++)
        t->nrows = t->pieces.at[i].row >= t->nrows ? t->pieces.at[i].row + 1 : t->nrows;
}

/* ---- words beside frames ---- */

/* How wide the words are that stand on this side. */
static double words_width(Stack *t, bool right)
{
    double w = 0;
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        if (e->from_box || e->to_box)
            continue;
        const SceneNode *from = scene_node_at(t->s, e->from), *to = scene_node_at(t->s, e->to);
        bool in = from->box == 0 && from->role == ROLE_INPUT && to->box;
        bool out = to->box == 0 && to->role == ROLE_OUTPUT && from->box;
        if (!in && !out)
            continue;
        bool turned = is_turned(t->f, outermost(t->s, in ? to->box : from->box));
        if ((in == turned) == right)
            w = fmax(w, t->f->nodes[(in ? e->from : e->to) - 1].w + t->f->size * 1.4);
    }
    return w;
}

/* A word at the end of a frame's line, with a line to it. */
static void place_words(Stack *t)
{
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        if (e->from_box || e->to_box)
            continue;
        const SceneNode *from = scene_node_at(t->s, e->from), *to = scene_node_at(t->s, e->to);
        bool in = from->box == 0 && from->role == ROLE_INPUT && to->box;
        bool out = to->box == 0 && to->role == ROLE_OUTPUT && from->box;
        if (!in && !out)
            continue;
        const FigNode *port = &t->f->nodes[(in ? e->to : e->from) - 1];
        FigNode *word = &t->f->nodes[(in ? e->from : e->to) - 1];
        bool right = (in == is_turned(t->f, outermost(t->s, in ? to->box : from->box)));
        double gap = t->f->size * 0.3,
               far = right ? t->edge[1] + t->f->size * 0.4 : t->edge[0] - t->f->size * 0.4;
        word->x = right ? far + gap : far - gap - word->w;
        word->y = port->y - word->h / 2;
        word->placed = true;
        FigLine *line = figure_line(t->f, 0);
        figure_point(line, in ? far : port->x, port->y);
        figure_point(line, in ? port->x : far, port->y);
        line->arrow = out;
        line->thick = in;
    }
}

/* ---- placing rows ---- */

/* How wide the words at all rungs are, and how many there are. */
static double rung_widths(const Stack *t, int *count)
{
    double wide = 0;
    *count = 0;
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        if (!e->from_box || !e->to_box)
            continue;
        wide += figure_width(t->f, e->label ? e->label : "") + t->f->size * 1.3;
        ++*count;
    }
    return wide;
}

/* Frames of equal width, one row after the other, formulas at the right. */
static void place_rows(Stack *t)
{
    double y = 0, gap = t->f->size * 1.5;
    for (int r = 0; r < t->nrows; r++) {
        double x = t->right, high = 0;
        t->top[r] = y;
        for (size_t i = t->pieces.len; i--;) {
            Piece *p = &t->pieces.at[i];
            if (p->row != r)
                continue;
            if (p->box) {
                FigBox *b = &t->f->boxes[p->box];
                figure_move(t->f, p->box, t->left - b->fx, y);
                b->placed = true;
                high = fmax(high, b->h);
            } else {
                FigNode *n = &t->f->nodes[p->node - 1];
                n->x = x - n->w;
                n->y = y;
                n->placed = true;
                x = n->x - gap;
                high = fmax(high, n->h);
            }
        }
        t->height[r] = high;
        y += high + gap;
    }
    t->top[t->nrows] = y - gap;
}

/* ---- lanes ---- */

typedef struct {
    double x, y;
    bool right; /* the side that it is reached from */
    bool thick;
} Spot;

/* Where a line meets a piece. k: how many lines met this formula before. */
static Spot spot_of(Stack *t, const SceneEdge *e, bool to)
{
    int box = to ? e->to_box : e->from_box, node = box ? 0 : to ? e->to : e->from;
    if (node && t->s->nodes.at[node - 1].box) {
        const FigNode *n = &t->f->nodes[node - 1];
        bool turned = is_turned(t->f, outermost(t->s, t->s->nodes.at[node - 1].box));
        return (Spot){n->x, n->y, to == turned, true};
    }
    if (node) {
        const FigNode *n = &t->f->nodes[node - 1];
        double third = n->h / 4;
        return (Spot){n->x + n->w, n->y + (to ? third : n->h - third), true, false};
    }
    const FigBox *b = &t->f->boxes[outermost(t->s, box)];
    return (Spot){b->fx + b->fw, b->fy + t->f->size, true, false};
}

static double next_lane(Stack *t, bool right)
{
    double x = t->edge[right];
    t->edge[right] += (right ? 1 : -1) * t->f->size * 0.75;
    return x;
}

/* From the side of one to the side of the other, over lanes. */
static void draw_edge(Stack *t, const SceneEdge *e)
{
    Spot a = spot_of(t, e, false), b = spot_of(t, e, true);
    FigLine *line = figure_line(t->f, 0);
    double x = next_lane(t, a.right);
    figure_point(line, a.x, a.y);
    figure_point(line, x, a.y);
    if (a.right != b.right) {
        const Piece *p = end_of_edge(t, e, true);
        double above = t->top[p->row] - t->f->size * 0.6;
        figure_point(line, x, above);
        x = next_lane(t, b.right);
        figure_point(line, x, above);
    }
    figure_point(line, x, b.y);
    figure_point(line, b.x, b.y);
    const SceneNode *to = e->to_box ? NULL : scene_node_at(t->s, e->to);
    line->arrow = !(to && to->box && to->role == ROLE_STATE);
    line->dashed = e->kind == EDGE_CAPTURE;
}

/* From a formula down to one in the next row. */
static bool draw_down(Stack *t, const SceneEdge *e)
{
    Piece *a = end_of_edge(t, e, false), *b = end_of_edge(t, e, true);
    if (!a->node || !b->node || b->row != a->row + 1)
        return false;
    const FigNode *from = &t->f->nodes[a->node - 1], *to = &t->f->nodes[b->node - 1];
    double x = fmin(from->x + from->w, to->x + to->w) - t->f->size * 1.5;
    FigLine *line = figure_line(t->f, 0);
    figure_point(line, x, from->y + from->h);
    figure_point(line, x, to->y);
    line->arrow = true;
    return x > fmax(from->x, to->x);
}

static void draw_edges(Stack *t)
{
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        Piece *a = end_of_edge(t, e, false), *b = end_of_edge(t, e, true);
        if (a && b && a != b && !e->from_box && e->kind != EDGE_LOOPBACK && !draw_down(t, e))
            draw_edge(t, e);
    }
}

/* ---- rungs ---- */

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

static void draw_rungs(Stack *t)
{
    int count, k = 0;
    double x = 0, step = 0, wide = rung_widths(t, &count);
    for (size_t i = 0; i < t->s->edges.len; i++) {
        const SceneEdge *e = &t->s->edges.at[i];
        Piece *a = end_of_edge(t, e, false), *b = end_of_edge(t, e, true);
        if (!e->from_box || !e->to_box || !a || !b)
            continue;
        const FigBox *up = &t->f->boxes[a->box], *down = &t->f->boxes[b->box];
        double bottom = up->fy + up->fh, top = down->fy;
        if (!k) {
            double left = fmax(words_below(t->f, a->box), down->fx) + t->f->size;
            double right =
                between(t, a->row, b->row, fmin(up->fx + up->fw, down->fx + down->fw)) - t->f->size;
            step = fmax(0, right - left - wide) / (count + 1);
            x = left + step;
        }
        FigLine *line = figure_line(t->f, 0);
        figure_point(line, x, bottom);
        figure_point(line, x, top);
        line->arrow = true;
        figure_label(t->f, 0, x + t->f->size * 0.35, (bottom + top) / 2 + t->f->size * 0.35, -1,
                     e->label);
        x += figure_width(t->f, e->label ? e->label : "") + t->f->size * 1.3 + step;
        k++;
    }
}

/* Formulas at the outermost level, and frames as wide as the widest. */
static void lay_out_frames(Stack *t)
{
    double widest = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < t->pieces.len; i++) {
            int box = t->pieces.at[i].box;
            if (!box)
                continue;
            if (pass == 1)
                figure_forget(t->f, box);
            t->f->least = pass ? widest : 0;
            if (scene_box_at(t->s, box)->kind == BOX_GROUP)
                figure_branches(t->f, box);
            else
                figure_level(t->f, box);
            widest = pass ? widest : fmax(widest, t->f->boxes[box].fw);
        }
    t->f->least = 0;
}

void figure_stack(Figure *f)
{
    Stack t = {.f = f, .s = f->scene};
    find_rows(&t);
    lay_out_frames(&t);
    for (size_t i = 0; i < t.pieces.len; i++) /* frames begin below each other */
        if (t.pieces.at[i].box)
            t.left = fmax(t.left, f->boxes[t.pieces.at[i].box].fx);
    for (size_t i = 0; i < t.pieces.len; i++) {
        const Piece *p = &t.pieces.at[i];
        const FigBox *b = &f->boxes[p->box];
        t.right = fmax(t.right, p->box ? t.left + b->w - b->fx : f->nodes[p->node - 1].w);
    }
    place_rows(&t);
    t.edge[0] = -f->size * 0.5;
    t.edge[1] = t.right + f->size * 0.5;
    draw_edges(&t);
    draw_rungs(&t);
    place_words(&t);
    t.edge[0] = fmin(t.edge[0], 0) - words_width(&t, false);
    double w = t.edge[1] + words_width(&t, true) - t.edge[0];
    figure_move(f, 0, -t.edge[0], 0);
    f->boxes[0] = (FigBox){.w = w, .h = t.top[t.nrows]};
    vec_free(&t.pieces);
}
