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
    double *top; /* of rows */
    int nrows;
    double left, right; /* where rows begin and end */
    double edge[2];     /* where the next lane is, left and right */
    double *lane_of;    /* by edge: its first lane; 0: none */
    double lacking;     /* width that the rungs have too little */
} Stack;

/* ---- rows ---- */

bool figure_has_turn(const Figure *f)
{
    for (size_t k = 1; k <= f->scene->boxes.len; k++)
        if (f->scene->boxes.at[k - 1].parent == 0 && figure_is_turned(f, (int)k))
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

/* The least row of what reads piece p; MOST_ROWS if nothing does. */
static int first_reader(Stack *t, const Piece *p)
{
    int row = MOST_ROWS;
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        const Piece *b = end_of_edge(t, e, true);
        if (b && b != p && end_of_edge(t, e, false) == p && b->row < row)
            row = b->row;
    }
    return row;
}

/* Formulas stand just before what reads them, and each piece in a row of its own. */
static void spread_rows(Stack *t)
{
    for (size_t i = t->pieces.len; i--;) {
        Piece *p = &t->pieces.at[i];
        int row = p->node ? first_reader(t, p) : MOST_ROWS;
        p->row = row < MOST_ROWS && row > 0 ? row - 1 : p->row;
    }
    int row = 0, *rows = xcalloc(t->pieces.len + 1, sizeof *rows);
    for (int r = 0; r < MOST_ROWS; r++)
        for (int frames = 0; frames < 2; frames++)
            for (size_t i = 0; i < t->pieces.len; i++)
                if (t->pieces.at[i].row == r && (t->pieces.at[i].box != 0) == (frames != 0))
                    rows[i] = row++;
    for (size_t i = 0; i < t->pieces.len; i++)
        t->pieces.at[i].row = rows[i];
    t->nrows = row;
    free(rows);
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
    spread_rows(t);
}

/* ---- words beside frames ---- */

/* Is it a line between a frame and a word beside it? *in: into the frame; *right: on that side. */
static bool leads_to_word(const Stack *t, const SceneEdge *e, bool *in, bool *right)
{
    if (e->from_box || e->to_box)
        return false;
    const SceneNode *from = scene_node_at(t->s, e->from), *to = scene_node_at(t->s, e->to);
    *in = from->box == 0 && from->role == ROLE_INPUT && to->box;
    bool out = to->box == 0 && to->role == ROLE_OUTPUT && from->box;
    if (*in || out)
        *right = *in == figure_is_turned(t->f, outermost(t->s, *in ? to->box : from->box));
    return *in || out;
}

/* How wide the words are that stand on this side. */
static double words_width(Stack *t, bool right)
{
    double w = 0;
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        bool in, side;
        if (leads_to_word(t, e, &in, &side) && side == right)
            w = fmax(w, t->f->nodes[(in ? e->from : e->to) - 1].w + t->f->size * 1.4);
    }
    return w;
}

/* A word at the end of a frame's line, with a line to it. */
static void place_words(Stack *t)
{
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        bool in, right;
        if (!leads_to_word(t, e, &in, &right))
            continue;
        const FigNode *port = &t->f->nodes[(in ? e->to : e->from) - 1];
        FigNode *word = &t->f->nodes[(in ? e->from : e->to) - 1];
        double gap = t->f->size * 0.3,
               far = right ? t->edge[1] + t->f->size * 0.4 : t->edge[0] - t->f->size * 0.4;
        word->x = right ? far + gap : far - gap - word->w;
        word->y = port->y - word->h / 2;
        word->placed = true;
        FigLine *line = figure_line(t->f, 0);
        figure_point(line, in ? far : port->x, port->y);
        figure_point(line, in ? port->x : far, port->y);
        line->arrow = !in;
        line->thick = in;
    }
}

/* ---- placing rows ---- */

/* A sequence that goes into a frame from above, named there, with no other frame in its way. */
static bool is_rung(Stack *t, const SceneEdge *e)
{
    const Piece *a = end_of_edge(t, e, false), *b = end_of_edge(t, e, true);
    if (!e->to_box || e->kind != EDGE_SEQUENCE || !a || !b || !b->box || a->row >= b->row)
        return false;
    for (size_t i = 0; i < t->pieces.len; i++) {
        const Piece *p = &t->pieces.at[i];
        if (p->box && p->row > a->row && p->row < b->row)
            return false;
    }
    return true;
}

/* How wide the words at all rungs are, and how many there are. */
static double rung_widths(Stack *t, int *count)
{
    double wide = 0;
    *count = 0;
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        if (!is_rung(t, e))
            continue;
        wide += figure_width(t->f, e->label ? e->label : "") + t->f->size * 1.3;
        ++*count;
    }
    return wide;
}

/* Frames begin below each other; formulas end where the frames do. */
static void place_rows(Stack *t)
{
    double y = 0, gap = t->f->size * 2.1, inner = 0; /* room for the words at rungs */
    for (size_t i = 0; i < t->pieces.len; i++) {
        const FigBox *b = &t->f->boxes[t->pieces.at[i].box];
        inner = fmax(inner, t->left + (t->pieces.at[i].box ? b->fw : 0));
    }
    t->top = xcalloc((size_t)t->nrows + 1, sizeof *t->top);
    for (int r = 0; r < t->nrows; r++) {
        t->top[r] = y;
        for (size_t i = 0; i < t->pieces.len; i++) {
            Piece *p = &t->pieces.at[i];
            if (p->row != r)
                continue;
            if (p->box) {
                FigBox *b = &t->f->boxes[p->box];
                figure_move(t->f, p->box, t->left - b->fx, y);
                b->placed = true;
                y += b->h + gap;
            } else {
                FigNode *n = &t->f->nodes[p->node - 1];
                n->x = fmax(inner - n->w, 0);
                n->y = y;
                n->placed = true;
                y += n->h + gap;
            }
        }
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
        bool turned = figure_is_turned(t->f, outermost(t->s, t->s->nodes.at[node - 1].box));
        return (Spot){n->x, n->y, to == turned, true};
    }
    if (node) {
        const FigNode *n = &t->f->nodes[node - 1];
        double third = n->h / 4;
        return (Spot){n->x + n->w, n->y + (to ? third : n->h - third), true, false};
    }
    const FigBox *b = &t->f->boxes[outermost(t->s, box)];
    double size = t->f->size, up = to ? b->fy + size : b->fy + b->fh - size;
    return (Spot){b->fx + b->fw, up, true, false};
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
    for (size_t k = 0; &t->s->edges.at[k] < e; k++) /* leaves a line that is there already */
        if (!t->s->edges.at[k].from_box && t->s->edges.at[k].from == e->from && t->lane_of[k] != 0)
            vec_push(&t->f->dots, ((FigDot){0, {t->lane_of[k], a.y}}));
    t->lane_of[e - t->s->edges.at] = x;
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
    if (e->to_box && e->kind == EDGE_SEQUENCE)
        figure_label(t->f, 0, b.x + t->f->size * 0.8, b.y - t->f->size * 0.3, -1, e->label);
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
        if (a && b && a != b && !is_rung(t, e) && e->kind != EDGE_LOOPBACK && !draw_down(t, e))
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

/* Where rungs into this frame may stand: right of words, left of formulas. */
static void rung_room(Stack *t, const Piece *to, double *left, double *right)
{
    const FigBox *b = &t->f->boxes[to->box];
    *left = b->fx;
    *right = b->fx + b->fw;
    for (size_t i = 0; i < t->s->edges.len; i++) {
        const SceneEdge *e = &t->s->edges.at[i];
        Piece *from = end_of_edge(t, e, false);
        if (!is_rung(t, e) || !from || end_of_edge(t, e, true) != to)
            continue;
        if (from->box)
            *left = fmax(*left, words_below(t->f, from->box));
        *right = between(t, from->row - 1, to->row, *right);
    }
    *left += t->f->size;
    *right -= t->f->size;
}

/* Straight down from a frame, or from a formula to the left and down. */
static void draw_rung(Stack *t, const SceneEdge *e, double x)
{
    const Piece *a = end_of_edge(t, e, false), *b = end_of_edge(t, e, true);
    const FigBox *down = &t->f->boxes[b->box];
    const FigNode *n = a->node ? &t->f->nodes[a->node - 1] : NULL;
    double from = n ? n->y + n->h / 2 : t->f->boxes[a->box].fy + t->f->boxes[a->box].fh;
    double low = down->fy - t->f->size * 0.9;
    FigLine *line = figure_line(t->f, 0);
    if (n)
        figure_point(line, n->x, from);
    figure_point(line, x, from);
    figure_point(line, x, down->fy);
    line->arrow = true;
    figure_label(t->f, 0, x + t->f->size * 0.35, n ? low : (from + low) / 2 + t->f->size * 0.35, -1,
                 e->label);
}

/* Those from frames first, then those from formulas, the highest first. */
static void draw_rungs(Stack *t)
{
    int count;
    double wide = rung_widths(t, &count), left = 0, right = 0, x = 0, step = 0;
    for (int row = -1; row < t->nrows; row++)
        for (size_t i = 0; i < t->s->edges.len; i++) {
            const SceneEdge *e = &t->s->edges.at[i];
            const Piece *a = end_of_edge(t, e, false), *b = end_of_edge(t, e, true);
            if (!is_rung(t, e) || !a || !b || !b->box || (a->box ? -1 : a->row) != row)
                continue;
            if (right <= 0) {
                rung_room(t, b, &left, &right);
                step = fmax(0, right - left - wide) / (count + 1);
                x = left + step;
            }
            draw_rung(t, e, x);
            x += figure_width(t->f, e->label ? e->label : "") + t->f->size * 1.3 + step;
        }
    t->lacking = fmax(0, x - step - right - t->f->size);
}

/* Formulas at the outermost level, and frames as wide as the widest. */
static void lay_out_frames(Stack *t, double least)
{
    double widest = least;
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

void figure_stack(Figure *f, double least)
{
    Stack t = {.f = f, .s = f->scene};
    find_rows(&t);
    lay_out_frames(&t, least);
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
    t.lane_of = xcalloc(f->scene->edges.len + 1, sizeof *t.lane_of);
    draw_edges(&t);
    draw_rungs(&t);
    place_words(&t);
    t.edge[0] = fmin(t.edge[0], 0) - words_width(&t, false);
    double w = t.edge[1] + words_width(&t, true) - t.edge[0];
    figure_move(f, 0, -t.edge[0], 0);
    f->boxes[0] = (FigBox){.w = w, .h = t.top[t.nrows], .lacking = t.lacking};
    vec_free(&t.pieces);
    free(t.top);
    free(t.lane_of);
}
