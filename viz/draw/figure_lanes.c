/* Lines between pieces of the outermost level that are no rungs: over lanes at the two sides.
 *
 * A lane is upright and carries one value, to all that reads it on that side.
 *
 * Invariant: lanes whose heights overlap stand apart; the shorter one is nearer. */
#include "viz/draw/figure_pieces.h"

#include <math.h>

static const double near = 0.01;

typedef struct {
    int source; /* the node that the line leaves */
    bool right; /* the side that it is on */
    double top, bottom, x;
    bool set;         /* has its x */
    VEC(double) ways; /* heights at which lines join it */
} Lane;

typedef struct {
    double x, y;
    bool right; /* the side that it is reached from */
} Spot;

typedef struct {
    const SceneEdge *e;
    Spot from, to;
    int out, in;  /* lanes that it leaves by and arrives by: one, or one on each side */
    double above; /* if they are two: the height at which it goes over */
} SideLine;

typedef struct {
    Stack *t;
    VEC(Lane) lanes;
    VEC(SideLine) routes;
} Lanes;

/* ---- where lines meet pieces ---- */

/* Is this end of it at the outermost level's own formula? */
static bool at_formula(const Stack *t, const SceneEdge *e, bool to)
{
    int box = to ? e->to_box : e->from_box, node = to ? e->to : e->from;
    return !box && !t->s->nodes.at[node - 1].box;
}

/* Frames are met at the side where the line leaves or enters them. */
static bool frame_side(const Stack *t, const SceneEdge *e, bool to)
{
    int box = to ? e->to_box : e->from_box, node = to ? e->to : e->from;
    if (box)
        return true;
    const SceneNode *n = scene_node_at(t->s, node);
    return to == figure_is_turned(t->f, stack_box(t->s, n->box));
}

/* Formulas are met at the side that the other end is on. */
static bool side_of(const Stack *t, const SceneEdge *e, bool to)
{
    if (!at_formula(t, e, to))
        return frame_side(t, e, to);
    return at_formula(t, e, !to) ? true : frame_side(t, e, !to);
}

static bool is_routed(Stack *t, const SceneEdge *e)
{
    Piece *a = stack_end(t, e, false), *b = stack_end(t, e, true);
    return a && b && a != b && e->kind != EDGE_LOOPBACK && !stack_is_rung(t, e);
}

bool stack_is_left(Stack *t, const Piece *p)
{
    bool any = false;
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        Piece *a = stack_end(t, e, false), *b = stack_end(t, e, true);
        if (a == b || (a != p && b != p))
            continue;
        if (!is_routed(t, e) || side_of(t, e, b == p))
            return false;
        any = true;
    }
    return any;
}

/* Lines into a formula are spread over its height, from above in the order of their edges; what it
 * gives leaves below them. */
static double height_at(Stack *t, const SceneEdge *e, bool to)
{
    int node = to ? e->to : e->from, count = 0, index = 0;
    bool leaves = false, right = side_of(t, e, to);
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *o = &t->s->edges.at[k];
        if (!is_routed(t, o))
            continue;
        bool into = !o->to_box && o->to == node && side_of(t, o, true) == right;
        index += into && o < e;
        count += into;
        leaves = leaves || (!o->from_box && o->from == node && side_of(t, o, false) == right);
    }
    const FigNode *n = &t->f->nodes[node - 1];
    return n->y + n->h * ((to ? index : count) + 1) / (count + leaves + 1);
}

/* Sequences come down into a frame from above, their words at the left of the line. */
static bool comes_down(const SceneEdge *e) { return e->to_box && e->kind == EDGE_SEQUENCE; }

/* Above the frame that it comes down into, and above that frame's arcs. */
static double brink(const Stack *t, const SceneEdge *e)
{
    return t->f->boxes[stack_box(t->s, e->to_box)].y;
}

static double words_of(const Stack *t, const SceneEdge *e)
{
    return figure_width(t->f, &e->words) + t->f->size * 1.3;
}

/* How much of the frame's right side the words of those before `end` take. */
static double taken_before(Stack *t, int box, const SceneEdge *end)
{
    double w = 0;
    for (const SceneEdge *e = t->s->edges.at; e < end; e++)
        if (is_routed(t, e) && comes_down(e) && stack_box(t->s, e->to_box) == box)
            w += words_of(t, e);
    return w;
}

double stack_taken(Stack *t, int box)
{
    return taken_before(t, box, t->s->edges.at + t->s->edges.len);
}

static Spot spot_of(Stack *t, const SceneEdge *e, bool to)
{
    int box = to ? e->to_box : e->from_box, node = to ? e->to : e->from;
    bool right = side_of(t, e, to);
    if (box) {
        const FigBox *b = &t->f->boxes[stack_box(t->s, box)];
        double size = t->f->size;
        if (to && comes_down(e))
            return (Spot){b->fx + b->fw - size - taken_before(t, stack_box(t->s, box), e), b->fy,
                          right};
        return (Spot){b->fx + b->fw, to ? b->fy + size : b->fy + b->fh - size, right};
    }
    const FigNode *n = &t->f->nodes[node - 1];
    if (t->s->nodes.at[node - 1].box)
        return (Spot){n->x, n->y, right};
    return (Spot){right ? n->x + n->w : n->x, height_at(t, e, to), right};
}

/* ---- lanes ---- */

static int lane_for(Lanes *l, int source, bool right, double y, double z)
{
    Lane *lane = NULL;
    for (size_t i = 0; i < l->lanes.len && !lane; i++)
        if (l->lanes.at[i].source == source && l->lanes.at[i].right == right)
            lane = &l->lanes.at[i];
    if (!lane) {
        vec_push(&l->lanes, ((Lane){.source = source, .right = right, .top = y, .bottom = y}));
        lane = &l->lanes.at[l->lanes.len - 1];
    }
    lane->top = fmin(lane->top, fmin(y, z));
    lane->bottom = fmax(lane->bottom, fmax(y, z));
    vec_push(&lane->ways, y);
    vec_push(&lane->ways, z);
    return (int)(lane - l->lanes.at);
}

/* A value goes over to the other side once. */
static double height_over(const Lanes *l, const SceneEdge *e)
{
    Stack *t = l->t;
    for (size_t i = 0; i < l->routes.len; i++) {
        const SideLine *r = &l->routes.at[i];
        if (r->e->from == e->from && !r->e->from_box && r->out != r->in)
            return r->above;
    }
    double count = 0;
    for (size_t i = 0; i < l->routes.len; i++)
        count += l->routes.at[i].out != l->routes.at[i].in;
    const Piece *to = stack_end(t, e, true);
    double words = to->box && stack_taken(t, to->box) > 0 ? 1.3 : 0;
    return t->top[to->row] - t->f->size * (0.6 + words + 0.3 * fmin(count, 3));
}

static void add_route(Lanes *l, const SceneEdge *e)
{
    SideLine r = {.e = e, .from = spot_of(l->t, e, false), .to = spot_of(l->t, e, true)};
    int source = e->from_box ? -e->from_box : e->from;
    bool over = r.from.right != r.to.right;
    r.above = over            ? height_over(l, e)
              : comes_down(e) ? brink(l->t, e) - l->t->f->size * 1.5
                              : r.to.y;
    r.out = r.in = lane_for(l, source, r.from.right, r.from.y, r.above);
    if (over)
        r.in = lane_for(l, source, r.to.right, r.above, r.to.y);
    vec_push(&l->routes, r);
}

/* The nearest place where no other lane is at these heights; the shortest lanes first. */
static void place_lanes(Lanes *l)
{
    double step = l->t->f->size * 0.75, first[2] = {l->t->edge[0], l->t->edge[1]};
    for (size_t round = 0; round < l->lanes.len; round++) {
        Lane *next = NULL;
        for (size_t i = 0; i < l->lanes.len; i++) {
            Lane *a = &l->lanes.at[i];
            if (!a->set && (!next || a->bottom - a->top < next->bottom - next->top - near))
                next = a;
        }
        next->x = first[next->right];
        for (size_t i = 0; i < l->lanes.len; i++) {
            const Lane *a = &l->lanes.at[i];
            if (!a->set || a->right != next->right || fabs(a->x - next->x) > near ||
                a->top > next->bottom + step / 2 || a->bottom < next->top - step / 2)
                continue;
            next->x += next->right ? step : -step;
            i = (size_t)-1; /* again, at the new place */
        }
        next->set = true;
        double *edge = &l->t->edge[next->right], beyond = next->x + (next->right ? step : -step);
        *edge = next->right ? fmax(*edge, beyond) : fmin(*edge, beyond);
    }
}

/* ---- drawing ---- */

static void draw_route(const Lanes *l, const SideLine *r)
{
    const Stack *t = l->t;
    FigLine *line = figure_line(t->f, 0);
    double out = l->lanes.at[r->out].x, in = l->lanes.at[r->in].x;
    figure_point(line, r->from.x, r->from.y);
    figure_point(line, out, r->from.y);
    figure_point(line, out, r->above);
    figure_point(line, in, r->above);
    figure_point(line, comes_down(r->e) ? r->to.x : in, comes_down(r->e) ? r->above : r->to.y);
    figure_point(line, r->to.x, r->to.y);
    const SceneNode *to = r->e->to_box ? NULL : scene_node_at(t->s, r->e->to);
    line->arrow = !(to && to->box && to->role == ROLE_STATE);
    line->dashed = r->e->kind == EDGE_CAPTURE;
    Phrase words = r->e->words.text ? figure_typeset(t->f, &r->e->words) : r->e->words;
    if (comes_down(r->e))
        figure_label(t->f, 0, r->to.x - t->f->size * 0.35, brink(t, r->e) - t->f->size * 0.5, 1,
                     &words);
}

/* Where a line leaves a lane that goes on. */
static void add_dots(const Lanes *l, const Lane *a)
{
    for (size_t i = 0; i < a->ways.len; i++) {
        double y = a->ways.at[i];
        bool known = y <= a->top + near || y >= a->bottom - near;
        for (size_t k = 0; k < i && !known; k++)
            known = fabs(a->ways.at[k] - y) < near;
        if (!known)
            vec_push(&l->t->f->dots, ((FigDot){0, {a->x, y}}));
    }
}

bool stack_goes_down(Stack *t, const SceneEdge *e)
{
    Piece *a = stack_end(t, e, false), *b = stack_end(t, e, true);
    if (!a || !b || !a->node || !b->node || b->row != a->row + 1)
        return false;
    double narrower = fmin(t->f->nodes[a->node - 1].w, t->f->nodes[b->node - 1].w);
    return stack_is_left(t, a) == stack_is_left(t, b) && narrower > t->f->size * 1.6;
}

/* What the line down at x carries, once, at the side that has room. */
static void tag_down(Stack *t, FigNode *from, const FigNode *to, double x)
{
    double w = figure_width(t->f, &from->tag), gap = t->f->size * 0.35;
    bool left = x - gap - w >= 0;
    double y = (from->y + from->h + to->y) / 2 + gap;
    figure_label(t->f, 0, left ? x - gap : x + gap, y, left ? 1 : -1, &from->tag);
    t->edge[1] = fmax(t->edge[1], left ? x : x + gap + w);
    from->tag.text = NULL;
}

/* From a formula down to one in the next row. */
static bool draw_down(Stack *t, const SceneEdge *e)
{
    Piece *a = stack_end(t, e, false), *b = stack_end(t, e, true);
    if (!a->node || !b->node || b->row != a->row + 1)
        return false;
    FigNode *from = &t->f->nodes[a->node - 1], *to = &t->f->nodes[b->node - 1];
    double x = fmin(from->x + from->w, to->x + to->w) - t->f->size * 1.5;
    if (x <= fmax(from->x, to->x))
        return false;
    FigLine *line = figure_line(t->f, 0);
    figure_point(line, x, from->y + from->h);
    figure_point(line, x, to->y);
    line->arrow = true;
    if (from->tag.text)
        tag_down(t, from, to, x);
    return true;
}

void stack_lanes(Stack *t)
{
    Lanes l = {.t = t};
    for (size_t k = 0; k < t->s->edges.len; k++) {
        const SceneEdge *e = &t->s->edges.at[k];
        if (is_routed(t, e) && !draw_down(t, e))
            add_route(&l, e);
    }
    place_lanes(&l);
    for (size_t i = 0; i < l.routes.len; i++)
        draw_route(&l, &l.routes.at[i]);
    for (size_t i = 0; i < l.lanes.len; i++) {
        add_dots(&l, &l.lanes.at[i]);
        vec_free(&l.lanes.at[i].ways);
    }
    vec_free(&l.lanes);
    vec_free(&l.routes);
}
