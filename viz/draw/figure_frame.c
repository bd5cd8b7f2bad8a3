/* Frames with their titles and ends, and the two branches of an if in theirs.
 *
 * Invariant: what sticks out of a frame belongs to its block, so blocks never overlap. */
#include "viz/draw/figure.h"

#include <math.h>

/* ---- frames ---- */

static double widest_end(const Figure *f, int box, bool out, bool *any)
{
    double w = 0;
    for (size_t k = 0; k < f->scene->nodes.len; k++) {
        const SceneNode *n = &f->scene->nodes.at[k];
        bool is = out ? n->role == ROLE_OUTPUT : n->role == ROLE_STATE || n->role == ROLE_PARAM;
        if (n->box != box || !is)
            continue;
        *any = true;
        w = fmax(w, f->nodes[k].nlines ? figure_width(f, &f->nodes[k].lines[0]) : 0);
    }
    return w;
}

static bool is_read_outside(const Figure *f, int box, int node)
{
    for (size_t k = 0; k < f->scene->edges.len; k++) {
        const SceneEdge *e = &f->scene->edges.at[k];
        int to = e->to_box ? 0 : scene_node_at(f->scene, e->to)->box;
        if (!e->from_box && e->from == node && e->kind != EDGE_LOOPBACK && !figure_in(f, to, box))
            return true;
    }
    return false;
}

/* Does it leave a step upwards: what the step gives, and no other one reads? */
static bool leaves_above(const Figure *f, int node)
{
    const SceneNode *n = scene_node_at(f->scene, node);
    bool state = false;
    for (size_t k = 0; k < f->scene->edges.len; k++)
        state =
            state || (f->scene->edges.at[k].to == node && f->scene->edges.at[k].kind == EDGE_STATE);
    return n->role == ROLE_OUTPUT && !state && scene_box_at(f->scene, n->box)->kind == BOX_STEP &&
           !is_read_outside(f, n->box, node);
}

static int count_above(const Figure *f, int box)
{
    int count = 0;
    for (size_t k = 1; k <= f->scene->nodes.len; k++)
        count += scene_node_at(f->scene, (int)k)->box == box && leaves_above(f, (int)k);
    return count;
}

/* Its line, beside the frame up to its name; `place`: the so many-th. */
static void add_rise(Figure *f, int box, int node, double inner, double outer, int place)
{
    FigNode *n = &f->nodes[node - 1];
    FigLine *line = figure_line(f, box);
    double top = figure_line_height(f),
           x = inner + (outer < inner ? -1 : 1) * f->size * (0.6 + 0.7 * place);
    line->arrow = true;
    figure_point(line, inner, n->y);
    figure_point(line, x, n->y);
    figure_point(line, x, top);
    double half = n->w / 2;
    if (n->nlines)
        figure_label(f, box, fmax(fmin(x, f->boxes[box].w - half), half), top - f->size * 0.35, 0,
                     n->lines);
    n->x = x;
}

/* ---- loop-back arcs ---- */

static bool is_arc(const Figure *f, int box, const SceneEdge *e)
{
    return e->kind == EDGE_LOOPBACK && !e->from_box && !e->to_box &&
           scene_node_at(f->scene, e->from)->box == box &&
           scene_node_at(f->scene, e->to)->box == box;
}

static int count_arcs(const Figure *f, int box)
{
    int count = 0;
    for (size_t k = 0; k < f->scene->edges.len; k++)
        count += is_arc(f, box, &f->scene->edges.at[k]);
    return count;
}

/* How far from the frame the so many-th arc runs, from 1; of the outermost: the room they take. */
static double arc_distance(const Figure *f, int place)
{
    return place ? f->size * (0.1 + 0.4 * place) : 0;
}

/* From where a next state leaves, over the frame, to where the state enters. */
static void add_arcs(Figure *f, int box)
{
    const FigBox *b = &f->boxes[box];
    bool turned = figure_is_turned(f, box);
    int place = 0;
    for (size_t k = 0; k < f->scene->edges.len; k++) {
        const SceneEdge *e = &f->scene->edges.at[k];
        if (!is_arc(f, box, e))
            continue;
        double d = arc_distance(f, ++place), left = b->fx - d, right = b->fx + b->fw + d;
        double from = turned ? left : right, to = turned ? right : left;
        FigLine *line = figure_line(f, box);
        line->dashed = line->arrow = true;
        figure_point(line, from, f->nodes[e->from - 1].y);
        figure_point(line, from, b->fy - d);
        figure_point(line, to, b->fy - d);
        figure_point(line, to, f->nodes[e->to - 1].y);
        vec_push(&f->dots, ((FigDot){box, {from, f->nodes[e->from - 1].y}}));
    }
}

/* ---- ends ---- */

/* The line between the frame and where the block ends, its name above it. */
static void add_stub(Figure *f, int box, int node, double inner, double outer, bool out)
{
    FigNode *n = &f->nodes[node - 1];
    FigLine *line = figure_line(f, box);
    line->thick = true;
    line->arrow = out && !is_read_outside(f, box, node);
    figure_point(line, out ? inner : outer, n->y);
    figure_point(line, out ? outer : inner, n->y);
    double taken =
        (out ? f->size * 0.7 * count_above(f, box) : 0) + arc_distance(f, count_arcs(f, box));
    if (n->nlines)
        figure_label(f, box, (inner + outer + (outer < inner ? -taken : taken)) / 2,
                     n->y - f->size * 0.4, 0, n->lines);
    n->x = outer;
}

/* Sequences come in from below; their names keep apart. */
static void add_sequences(Figure *f, int box, double bottom)
{
    double taken = 0;
    for (;;) {
        int next = 0; /* by place, from the left */
        for (size_t k = 1; k <= f->scene->nodes.len; k++) {
            const SceneNode *s = scene_node_at(f->scene, (int)k);
            if (s->box != box || s->role != ROLE_SEQUENCE || f->nodes[k - 1].placed ||
                f->nodes[k - 1].y <= 0) /* nothing reads it */
                continue;
            if (!next || f->nodes[k - 1].x < f->nodes[next - 1].x)
                next = (int)k;
        }
        if (!next)
            return;
        FigNode *n = &f->nodes[next - 1];
        n->placed = true;
        FigLine *line = figure_line(f, box);
        figure_point(line, n->x, bottom - figure_line_height(f));
        figure_point(line, n->x, n->y);
        double x = fmax(fmin(n->x, f->boxes[box].w - n->w / 2), taken + n->w / 2);
        figure_label(f, box, x, bottom - f->size * 0.3, 0, n->nlines ? n->lines : NULL);
        taken = x + n->w / 2 + f->size * 0.4;
        n->y = bottom;
    }
}

static void add_ends(Figure *f, int box, double left, double right, double bottom)
{
    const FigBox *b = &f->boxes[box];
    bool turned = figure_is_turned(f, box);
    int above = 0;
    for (size_t k = 0; k < f->scene->nodes.len; k++) {
        const SceneNode *s = &f->scene->nodes.at[k];
        if (s->box == box && leaves_above(f, (int)k + 1)) {
            add_rise(f, box, (int)k + 1, turned ? b->fx : b->fx + b->fw, turned ? left : right,
                     above++);
            continue;
        }
        if (s->box != box)
            continue;
        bool in = s->role == ROLE_STATE || s->role == ROLE_PARAM, out = s->role == ROLE_OUTPUT;
        if (in || out) {
            bool on_left = in != turned;
            add_stub(f, box, (int)k + 1, on_left ? b->fx : b->fx + b->fw, on_left ? left : right,
                     out);
        }
    }
    add_arcs(f, box);
    add_sequences(f, box, bottom);
}

static bool has_sequences(const Figure *f, int box)
{
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        if (f->scene->nodes.at[k].box == box && f->scene->nodes.at[k].role == ROLE_SEQUENCE)
            return true;
    return false;
}

double figure_title(Figure *f, int box, double x, double w, bool dry)
{
    FigBox *b = &f->boxes[box];
    const Phrase *weights = &scene_box_at(f->scene, box)->subtitle_words;
    double line = figure_line_height(f), pad = f->size * 0.6, y = pad * 0.5;
    double title = 0;
    for (int i = 0; i < b->nlines; i++) {
        title = figure_width(f, &b->lines[i]);
        y += line;
        figure_label(f, box, x + pad, y - line * 0.25, -1, dry ? NULL : &b->lines[i]);
    }
    if (weights->text) {
        Phrase set = figure_typeset(f, weights);
        bool beside = b->nlines == 1 && title + figure_width(f, &set) + 4 * pad <= w;
        int n = 0, max = (int)((w - 2 * pad) / (f->size * 0.6));
        Phrase *lines = figure_wrap(f, weights, beside ? 10000 : max > 8 ? max : 8, &n);
        for (int i = 0; i < n; i++) {
            y += beside ? 0 : line;
            figure_label(f, box, beside ? x + w - pad : x + pad, y - line * 0.25, beside ? 1 : -1,
                         dry ? NULL : &lines[i]);
        }
    }
    return y + pad;
}

/* How much room what sticks out takes at the side where values come in, or leave. */
static double side_room(const Figure *f, int box, bool out)
{
    bool any = false, step = scene_box_at(f->scene, box)->kind == BOX_STEP;
    double words = widest_end(f, box, out, &any), size = f->size;
    double risen = out ? 0.7 * size * count_above(f, box) : 0;
    double arcs = arc_distance(f, count_arcs(f, box));
    if (!any)
        return 0;
    if (step)
        return risen + (words > 0 ? words + size * 0.7 : size * 0.3);
    return !out        ? words + fmax(size * 1.1, arcs + size * 0.5)
           : words > 0 ? words + fmax(size * 1.5, arcs + size * 0.8)
                       : arcs;
}

void figure_frame(Figure *f, int box, double w, double h)
{
    FigBox *b = &f->boxes[box];
    bool turned = figure_is_turned(f, box);
    double in = side_room(f, box, false), out = side_room(f, box, true);
    double left = turned ? out : in, right = turned ? in : out;
    double above = count_above(f, box) ? figure_line_height(f) + f->size * 0.9
                                       : arc_distance(f, count_arcs(f, box));
    double strip = figure_title(f, box, left, w, true), pad = f->size * 0.7;
    figure_move(f, box, left, strip);
    figure_title(f, box, left, w, false);
    figure_move(f, box, 0, above);
    *b = (FigBox){.w = left + w + right,
                  .fx = left,
                  .fy = above,
                  .fw = w,
                  .fh = strip + h + pad,
                  .lines = b->lines,
                  .nlines = b->nlines,
                  .row = b->row};
    bool below = has_sequences(f, box);
    b->h = above + b->fh + (below ? figure_line_height(f) + f->size * 1.1 : 0);
    add_ends(f, box, 0, b->w, b->h);
}

/* ---- the branches of an if ---- */

/* The lines from both branches to where they leave together. */
static void join_branches(Figure *f, int box, double w, double h)
{
    int ends = 0, k = 0;
    for (size_t i = 0; i < f->scene->nodes.len; i++)
        ends += f->scene->nodes.at[i].box == box && f->scene->nodes.at[i].role == ROLE_OUTPUT;
    for (size_t i = 0; i < f->scene->nodes.len; i++) {
        if (f->scene->nodes.at[i].box != box || f->scene->nodes.at[i].role != ROLE_OUTPUT)
            continue;
        FigNode *n = &f->nodes[i];
        n->x = w;
        n->y = h * (k + 1) / (ends + 1);
        double x = w - f->size * (0.7 + 0.6 * (ends - 1 - k));
        for (size_t e = 0; e < f->scene->edges.len; e++)
            if (f->scene->edges.at[e].to == (int)i + 1 && !f->scene->edges.at[e].to_box) {
                const FigNode *from = &f->nodes[f->scene->edges.at[e].from - 1];
                FigLine *line = figure_line(f, box);
                figure_point(line, from->x, from->y);
                figure_point(line, x, from->y);
                figure_point(line, x, n->y);
                figure_point(line, w, n->y);
            }
        n->placed = true;
        k++;
    }
}

/* One below the other, equally wide. */
void figure_branches(Figure *f, int box)
{
    double y = 0, w = 0, pad = f->size * 0.6, title = 0;
    int inside[2] = {0, 0}, n = 0;
    for (size_t k = 1; k <= f->scene->boxes.len && n < 2; k++)
        if (f->scene->boxes.at[k - 1].parent == box)
            inside[n++] = (int)k;
    for (int i = 0; i < f->boxes[box].nlines; i++)
        title = fmax(title, figure_width(f, &f->boxes[box].lines[i]) + f->size * 1.2);
    for (int i = 0; i < n; i++) {
        figure_level(f, inside[i]);
        w = fmax(w, f->boxes[inside[i]].w);
    }
    w = fmax(w, title - 3 * pad - f->size);
    for (int i = 0; i < n; i++) {
        FigBox *b = &f->boxes[inside[i]];
        figure_move(f, inside[i], pad, y);
        b->w = b->fw = w;
        b->placed = true;
        y += b->h + (i + 1 < n ? pad : 0);
    }
    w += 2 * pad + f->size;
    join_branches(f, box, w, y);
    if (figure_is_turned(f, box))
        figure_mirror(f, box, w);
    figure_frame(f, box, w, y);
}
