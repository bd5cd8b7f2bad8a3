/* A figure too wide for anything else: frames in frames, in each its formulas as a list, without
 * lines.
 *
 * Invariant: nothing is wider than what it stands in; words that have no place to break at are
 * broken anywhere. */
#include "viz/draw/figure.h"

#include <math.h>

enum { FEWEST = 6 }; /* letters to a line */

static int letters_in(const Figure *f, double w) { return (int)fmax(w / (f->size * 0.6), FEWEST); }

static double widest(const Figure *f, const Phrase *lines, int n)
{
    double w = 0;
    for (int i = 0; i < n; i++)
        w = fmax(w, figure_width(f, &lines[i]));
    return w;
}

/* The text in lines that are at most w wide, if FEWEST letters are. */
static Phrase *lines_in(Figure *f, const Phrase *text, double w, int *n)
{
    for (int max = letters_in(f, w);; max = max > FEWEST + 4 ? max * 9 / 10 : FEWEST) {
        Phrase *lines = figure_wrap(f, text, max, n);
        if (max == FEWEST || widest(f, lines, *n) <= w)
            return lines;
    }
}

static bool is_in(const Scene *s, int box, int ancestor)
{
    while (box && box != ancestor)
        box = scene_box_at(s, box)->parent;
    return box == ancestor;
}

/* What was made first stands first: the number of a node, of a box that of its first node. */
static int first_of(const Scene *s, int box)
{
    for (size_t k = 0; k < s->nodes.len; k++)
        if (is_in(s, s->nodes.at[k].box, box))
            return (int)k + 1;
    return (int)s->nodes.len + 1;
}

/* Words of the outermost level are shown, ends of lines are not. */
static bool is_listed(const SceneNode *n)
{
    return n->role == ROLE_NONE || (n->box == 0 && n->role == ROLE_OUTPUT);
}

/* The node or box (negative) of this level that follows `after`; 0: none. */
static int next_piece(const Scene *s, int box, int after, int *key)
{
    int best = 0;
    *key = (int)s->nodes.len + 2;
    for (size_t k = 1; k <= s->nodes.len; k++)
        if (s->nodes.at[k - 1].box == box && is_listed(scene_node_at(s, (int)k)) &&
            (int)k > after && (int)k < *key)
            *key = best = (int)k;
    for (size_t k = 1; k <= s->boxes.len; k++) {
        int first = s->boxes.at[k - 1].parent == box ? first_of(s, (int)k) : 0;
        if (first > after && first < *key) {
            *key = first;
            best = -(int)k;
        }
    }
    return best;
}

static double put_node(Figure *f, int k, double y, double w)
{
    FigNode *n = &f->nodes[k - 1];
    const SceneNode *s = scene_node_at(f->scene, k);
    bool word = s->role != ROLE_NONE;
    double pad = word ? 0 : f->size * 0.6;
    n->lines = lines_in(f, &s->words, w - 2 * pad, &n->nlines);
    n->circle = false;
    n->w = word ? widest(f, n->lines, n->nlines) : w;
    n->h = n->nlines * figure_line_height(f) + (word ? 0 : f->size * 0.8);
    n->x = 0;
    n->y = y;
    n->placed = true;
    if (widest(f, n->lines, n->nlines) + 2 * pad > w)
        f->boxes[0].lacking = fmax(f->boxes[0].lacking, 1);
    return n->h;
}

static double put_level(Figure *f, int box, double w);

static double put_box(Figure *f, int k, double y, double w)
{
    FigBox *b = &f->boxes[k];
    double pad = f->size * 0.6;
    b->lines = lines_in(f, &scene_box_at(f->scene, k)->title_words, w - 2 * pad, &b->nlines);
    double strip = figure_title(f, k, 0, w, true), h = put_level(f, k, fmax(w - 2 * pad, 1));
    figure_move(f, k, pad, strip);
    figure_title(f, k, 0, w, false);
    *b = (FigBox){.w = w,
                  .h = strip + h + pad,
                  .fw = w,
                  .fh = strip + h + pad,
                  .lines = b->lines,
                  .nlines = b->nlines,
                  .placed = true};
    figure_move(f, k, 0, y);
    return b->h;
}

/* Returns its height. */
static double put_level(Figure *f, int box, double w)
{
    double y = 0, gap = f->size * 0.7;
    int key = 0;
    for (int piece; (piece = next_piece(f->scene, box, key, &key));) {
        y += y > 0 ? gap : 0;
        y += piece < 0 ? put_box(f, -piece, y, w) : put_node(f, piece, y, w);
    }
    return y;
}

void figure_list(Figure *f, double w)
{
    double h = put_level(f, 0, w);
    f->boxes[0].w = w;
    f->boxes[0].h = h;
}
