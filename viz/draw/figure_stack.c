/* The outermost level where a loop runs backwards, or where side by side is too wide: frames one
 * below the other.
 *
 * A loop backwards stands below the loop forward that it belongs to, as wide; what it reads of that
 * are straight rungs. Formulas between two frames stand at the right, and lines turn around at the
 * sides.
 *
 * Invariant: rows do not overlap; each line that goes up or down has a lane of its own outside of
 * all rows. */
#include "viz/draw/figure_pieces.h"

#include <math.h>

enum { MOST_ROWS = 64 };

/* ---- rows ---- */

bool figure_has_turn(const Figure *f)
{
    for (size_t k = 1; k <= f->scene->boxes.len; k++)
        if (f->scene->boxes.at[k - 1].parent == 0 && figure_is_turned(f, (int)k))
            return true;
    return false;
}

int stack_box(const Scene *s, int box)
{
    while (box && scene_box_at(s, box)->parent)
        box = scene_box_at(s, box)->parent;
    return box;
}

static Piece *piece_of(Stack *t, int node, int box)
{
    if (node && t->s->nodes.at[node - 1].box) {
        box = stack_box(t->s, t->s->nodes.at[node - 1].box);
        node = 0;
    }
    for (size_t i = 0; i < t->pieces.len; i++)
        if (node ? t->pieces.at[i].node == node : t->pieces.at[i].box == box && box)
            return &t->pieces.at[i];
    return NULL;
}

Piece *stack_end(Stack *t, const SceneEdge *e, bool to)
{
    int box = to ? e->to_box : e->from_box;
    return piece_of(t, box ? 0 : to ? e->to : e->from, stack_box(t->s, box));
}

/* The least row of what reads piece p; MOST_ROWS if nothing does. */
static int first_reader(Stack *t, const Piece *p)
{
    int row = MOST_ROWS;
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        const Piece *b = stack_end(t, e, true);
        if (b && b != p && stack_end(t, e, false) == p && b->row < row)
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
            Piece *a = stack_end(t, e, false), *b = stack_end(t, e, true);
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
        *right = *in == figure_is_turned(t->f, stack_box(t->s, *in ? to->box : from->box));
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

/* The room between row r and the next: more where words stand at its lines. */
static double gap_below(Stack *t, int r)
{
    bool words = false;
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        const Piece *a = stack_end(t, e, false), *b = stack_end(t, e, true);
        words = words || (a && b && stack_is_rung(t, e) && a->row <= r && r < b->row);
    }
    for (size_t i = 0; i < t->pieces.len; i++) {
        const Piece *p = &t->pieces.at[i];
        words = words || (p->row == r && p->node && t->f->nodes[p->node - 1].tag.text) ||
                (p->row == r + 1 && p->box && stack_taken(t, p->box) > 0);
    }
    return t->f->size * (words ? 2.1 : 1.1);
}

/* Frames begin below each other; formulas end where the frames do, or begin there. */
static void place_rows(Stack *t)
{
    double y = 0, gap = 0, inner = 0;
    for (size_t i = 0; i < t->pieces.len; i++) {
        const FigBox *b = &t->f->boxes[t->pieces.at[i].box];
        inner = fmax(inner, t->left + (t->pieces.at[i].box ? b->fw : 0));
    }
    t->top = xcalloc((size_t)t->nrows + 1, sizeof *t->top);
    for (int r = 0; r < t->nrows; r++) {
        t->top[r] = y;
        gap = gap_below(t, r);
        for (size_t i = 0; i < t->pieces.len; i++) {
            Piece *p = &t->pieces.at[i];
            if (p->row != r)
                continue;
            if (p->box) {
                FigBox *b = &t->f->boxes[p->box];
                y += stack_rung_height(t, r);
                figure_move(t->f, p->box, t->left - b->fx, y);
                b->placed = true;
                y += b->h + gap;
            } else {
                FigNode *n = &t->f->nodes[p->node - 1];
                n->x = stack_is_left(t, p) ? t->left : fmax(inner - n->w, 0);
                n->y = y;
                n->placed = true;
                y += n->h + gap;
            }
        }
    }
    t->top[t->nrows] = y - gap;
}

/* ---- all ---- */

/* What a line carries stands beside it if the line goes straight down, else below the formula. */
static void place_tags(Stack *t)
{
    for (size_t i = 0; i < t->pieces.len; i++) {
        FigNode *n = t->pieces.at[i].node ? &t->f->nodes[t->pieces.at[i].node - 1] : NULL;
        bool down = false;
        for (size_t k = 0; k < t->s->edges.len && n; k++) {
            const SceneEdge *e = &t->s->edges.at[k];
            down = down || (stack_end(t, e, false) == &t->pieces.at[i] && stack_goes_down(t, e));
        }
        if (n && n->tag.text && !down) {
            figure_tag_below(t->f, n);
            n->tag.text = NULL;
        }
    }
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
    place_tags(&t);
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
    stack_lanes(&t);
    stack_rungs(&t);
    place_words(&t);
    t.edge[0] = fmin(t.edge[0], 0) - words_width(&t, false);
    double w = t.edge[1] + words_width(&t, true) - t.edge[0];
    figure_move(f, 0, -t.edge[0], 0);
    f->boxes[0] = (FigBox){.w = w, .h = t.top[t.nrows], .lacking = t.lacking};
    vec_free(&t.pieces);
    free(t.top);
}
