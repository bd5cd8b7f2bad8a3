/* The lines of a level: straight where they can be, else up or down between two columns.
 *
 * Invariant: between two columns each value has one upright, and uprights that overlap stand apart;
 * a dot tells where a line divides, where there is none lines only cross. */
#include "viz/draw/figure_cells.h"

#include <math.h>

static const double near = 0.01;

bool level_is_circle(const LevelLayout *l, const Cell *c)
{
    return c->node && l->f->nodes[c->node - 1].circle;
}

/* ---- where lines end ---- */

/* One line into a cell. */
typedef struct {
    int net, cell, node;
    double from, y; /* heights: that it comes from, and that it leaves the upright at */
    int side;       /* of a circle: 0 left, -1 from above, 1 from below */
} Arrival;
typedef VEC(Arrival) Arrivals;

double level_leaving(const LevelLayout *l, const Net *n)
{
    const Cell *c = &l->cells.at[n->source];
    if (c->box)
        return l->f->nodes[n->node - 1].y - c->h / 2;
    return n->line ? figure_line_middle(l->f, n->node, n->line) : 0;
}

static double leaving_height(const LevelLayout *l, const Net *n, int column)
{
    if (n->below && column == n->first)
        return l->height;
    const Cell *c = &l->cells.at[n->places.at[column - n->first]];
    return c->y + (column == n->first ? level_leaving(l, n) : 0);
}

/* All that arrives in column c + 1. */
static Arrivals arrivals_at(const LevelLayout *l, int c)
{
    Arrivals all = {0};
    for (size_t i = 0; i < l->nets.len; i++) {
        const Net *n = &l->nets.at[i];
        if (c < n->first || c >= n->last)
            continue;
        double from = leaving_height(l, n, c);
        if (c + 1 < n->last) {
            int at = n->places.at[c + 1 - n->first];
            vec_push(&all, ((Arrival){(int)i, at, 0, from, l->cells.at[at].y, 0}));
        }
        for (size_t k = 0; k < n->readers.len; k++) {
            const Reader *r = &n->readers.at[k];
            if (l->cells.at[r->cell].column == c + 1)
                vec_push(&all,
                         ((Arrival){(int)i, r->cell, r->node, from, l->cells.at[r->cell].y, 0}));
        }
    }
    for (size_t i = 1; i < all.len; i++) /* by cell, then from above */
        for (size_t k = i; k; k--) {
            Arrival *a = &all.at[k - 1], b = all.at[k];
            if (a->cell < b.cell || (a->cell == b.cell && a->from <= b.from))
                break;
            all.at[k] = *a;
            *a = b;
        }
    return all;
}

/* Is nothing else of cell at's column at heights from y to z? */
static bool is_free(const LevelLayout *l, int at, double y, double z)
{
    double top = fmin(y, z) - 3, bottom = fmax(y, z) + 3;
    for (size_t i = 0; i < l->cells.len; i++) {
        const Cell *c = &l->cells.at[i];
        if ((int)i != at && c->column == l->cells.at[at].column && c->y + c->h / 2 > top &&
            c->y - c->h / 2 < bottom)
            return false;
    }
    return true;
}

static void arrive_at_circle(const LevelLayout *l, Arrival *a, int n)
{
    const Cell *c = &l->cells.at[a->cell];
    int left = 0; /* the one that is nearest to straight */
    for (int i = 1; i < n; i++)
        if (fabs(a[i].from - c->y) < fabs(a[left].from - c->y) - near)
            left = i;
    bool used[2] = {false, false};
    for (int i = 0; i < n; i++) {
        int side = a[i].from < c->y ? -1 : 1;
        double away = c->y + side * (c->h / 2 + l->f->size * 0.6);
        bool direct = fabs(a[i].from - c->y) > c->h / 2 + 4 && is_free(l, a->cell, a[i].from, c->y);
        if (i == left || used[side > 0] || (!direct && !is_free(l, a->cell, away, c->y)))
            continue;
        used[side > 0] = true;
        a[i].side = side;
        a[i].y = direct ? a[i].from : away;
    }
}

/* A formula: as they come if that leaves room, else spread; what comes straight stays so. */
static void arrive_at_formula(const LevelLayout *l, Arrival *a, int n)
{
    const Cell *c = &l->cells.at[a->cell];
    double least = l->f->size * 0.55, half = c->h / 2 - l->f->size * 0.3;
    bool fits = true;
    for (int i = 0; i < n; i++)
        fits = fits && fabs(a[i].from - c->y) <= half &&
               (i == 0 || a[i].from - a[i - 1].from >= least);
    int straight = -1;
    for (int i = 0; i < n; i++)
        straight = fabs(a[i].from - c->y) < near ? i : straight;
    for (int i = 0; i < n; i++) {
        if (fits)
            a[i].y = a[i].from;
        else if (straight < 0)
            a[i].y = c->y - c->h / 2 + c->h * (i + 1) / (n + 1);
        else if (i < straight)
            a[i].y = c->y - half + half * i / straight;
        else if (i > straight)
            a[i].y = c->y + half * (i - straight) / (n - 1 - straight);
    }
}

static bool enters_below(const LevelLayout *l, const Arrival *a)
{
    const SceneNode *n = a->node ? scene_node_at(l->s, a->node) : NULL;
    return n && n->box != l->box && n->role == ROLE_SEQUENCE;
}

static void arrive_at_box(const LevelLayout *l, Arrival *a, int n)
{
    const Cell *c = &l->cells.at[a->cell];
    int at_border = 0;
    for (int i = 0; i < n; i++)
        if (a[i].node && enters_below(l, &a[i]))
            a[i].y = c->y + c->h / 2 - l->f->size * 0.2;
        else if (a[i].node)
            a[i].y = c->y - c->h / 2 + l->f->nodes[a[i].node - 1].y;
        else
            a[i].y =
                c->y - c->h / 2 + l->f->boxes[c->box].fy + l->f->size * (0.8 + 0.7 * at_border++);
}

static void set_arrivals(const LevelLayout *l, Arrivals *all)
{
    for (size_t i = 0, n; i < all->len; i += n) {
        const Cell *c = &l->cells.at[all->at[i].cell];
        for (n = 1; i + n < all->len && all->at[i + n].cell == all->at[i].cell;)
            n++;
        if (c->box)
            arrive_at_box(l, &all->at[i], (int)n);
        else if (level_is_circle(l, c))
            arrive_at_circle(l, &all->at[i], (int)n);
        else if (c->node && scene_node_at(l->s, c->node)->role == ROLE_NONE)
            arrive_at_formula(l, &all->at[i], (int)n);
    }
}

/* ---- uprights ---- */

typedef struct {
    int net, track;
    double from, top, bottom;
    double x; /* from the column's right side */
} Upright;
typedef VEC(Upright) Uprights;

static Uprights uprights_of(const LevelLayout *l, const Arrivals *all, int c)
{
    Uprights ups = {0};
    for (size_t i = 0; i < l->nets.len; i++) {
        const Net *n = &l->nets.at[i];
        if (c < n->first || c >= n->last)
            continue;
        double from = leaving_height(l, n, c);
        Upright u = {(int)i, 0, from, from, from, 0};
        for (size_t k = 0; k < all->len; k++)
            if (all->at[k].net == (int)i) {
                u.top = fmin(u.top, all->at[k].y);
                u.bottom = fmax(u.bottom, all->at[k].y);
            }
        if (u.bottom - u.top > near || (n->below && c == n->first))
            vec_push(&ups, u);
    }
    return ups;
}

/* How bad it is if a stands left of b. */
static int badness(const LevelLayout *l, const Arrivals *all, const Upright *a, const Upright *b)
{
    int bad = 0;
    bool rises = l->nets.at[b->net].below;
    for (size_t i = 0; i < all->len; i++) {
        const Arrival *r = &all->at[i];
        if (r->net == a->net && r->y > b->top - near && r->y < b->bottom + near)
            bad++;
        if (r->net == a->net && !rises && fabs(r->y - b->from) < 3)
            bad += 100;
    }
    return bad + (!rises && b->from > a->top - near && b->from < a->bottom + near);
}

static void sort_uprights(const LevelLayout *l, const Arrivals *all, Uprights *ups)
{
    for (size_t round = 0; round < ups->len; round++)
        for (size_t i = 1; i < ups->len; i++) {
            Upright *a = &ups->at[i - 1], b = ups->at[i];
            if (badness(l, all, &b, a) < badness(l, all, a, &b)) {
                ups->at[i] = *a;
                *a = b;
            }
        }
}

/* Half the width of what is written below an upright. */
static double half_label(const LevelLayout *l, const Upright *u, int c)
{
    const Net *n = &l->nets.at[u->net];
    bool written = n->below && c == n->first;
    return written ? l->f->nodes[n->node - 1].w / 2 + l->f->size * 0.3 : 0;
}

/* How wide the space behind column c is at least: little in a row of steps, which are many. */
static double least_gap(const LevelLayout *l, int c)
{
    bool step = l->box && scene_box_at(l->s, l->box)->kind == BOX_STEP;
    if (l->f->boxes[l->box].row)
        return l->f->size * 0.3;
    return l->f->size * (!step ? 1.3 : c + 2 == l->ncolumns ? 0.45 : 1);
}

/* Gives each upright its place; returns how wide the space between the columns has to be. */
static double place_uprights(const LevelLayout *l, const Arrivals *all, Uprights *ups, int c)
{
    double size = l->f->size, wide = least_gap(l, c), label_end = -1e9;
    sort_uprights(l, all, ups);
    for (size_t i = 0; i < ups->len; i++) {
        Upright *u = &ups->at[i];
        u->x = size * 0.7;
        for (size_t k = 0; k < i; k++)
            if (ups->at[k].top < u->bottom + 4 && ups->at[k].bottom > u->top - 4)
                u->x = fmax(u->x, ups->at[k].x + size * 0.75);
        double half = half_label(l, u, c);
        if (half > 0) {
            u->x = fmax(u->x, label_end + half);
            label_end = u->x + half;
        }
        wide = fmax(wide, u->x + size * 1.15);
    }
    return wide;
}

/* ---- drawing them ---- */

/* Is it the rail of a state, at this height? */
static bool is_rail(const LevelLayout *l, const Net *n, double y)
{
    bool rail = n->source >= 0 && scene_node_at(l->s, n->node)->role == ROLE_STATE &&
                fabs(l->cells.at[n->source].y - y) < near;
    for (size_t i = 0; i < n->readers.len && !rail; i++) {
        const Reader *r = &n->readers.at[i];
        double at = l->cells.at[r->cell].y;
        if (l->cells.at[r->cell].box && r->node)
            at += l->f->nodes[r->node - 1].y - l->cells.at[r->cell].h / 2;
        rail = scene_edge_at(l->s, r->edge)->kind == EDGE_STATE && fabs(at - y) < near;
    }
    return rail;
}

/* straight: at this height, else NAN. */
static FigLine *line_of(const LevelLayout *l, const Net *n, double straight)
{
    FigLine *line = figure_line(l->f, l->box);
    line->thick = !isnan(straight) && is_rail(l, n, straight);
    line->dashed = true;
    for (size_t i = 0; i < n->readers.len; i++)
        line->dashed =
            line->dashed && scene_edge_at(l->s, n->readers.at[i].edge)->kind == EDGE_CAPTURE;
    return line;
}

/* The last part of a line, into its cell. */
static void finish(const LevelLayout *l, FigLine *line, const Arrival *a)
{
    const Cell *c = &l->cells.at[a->cell];
    if (!c->node && !c->box) {
        figure_point(line, l->x[c->column] + l->w[c->column], a->y);
        return;
    }
    const SceneNode *n = c->node ? scene_node_at(l->s, c->node) : NULL;
    const SceneNode *to = a->node ? scene_node_at(l->s, a->node) : NULL;
    bool goes_on = to && to->box != l->box && (to->role == ROLE_STATE || to->role == ROLE_PARAM);
    line->arrow = !(n && n->role == ROLE_OUTPUT && l->box) && !goes_on;
    if (a->side) {
        double x = c->x + (c->w - c->room) / 2;
        figure_point(line, x, a->y);
        figure_point(line, x, c->y + a->side * c->h / 2);
        return;
    }
    if (enters_below(l, a)) {
        const FigNode *port = &l->f->nodes[a->node - 1];
        bool turned = figure_is_turned(l->f, l->box); /* the box is, the level is not yet */
        double x = turned ? c->x + c->w - port->x : c->x + port->x;
        figure_point(line, x, a->y);
        figure_point(line, x, c->y - c->h / 2 + port->y);
        return;
    }
    double x = c->x, inset = 0;
    if (c->box && !a->node)
        inset = l->f->boxes[c->box].fx;
    figure_point(line, x + inset, a->y);
}

static double source_x(const LevelLayout *l, const Net *n, int c)
{
    const Cell *from = &l->cells.at[n->places.at[c - n->first]];
    return from->node || from->box ? from->x + from->w - from->room : l->x[c] + l->w[c];
}

static void add_dots(const LevelLayout *l, const Arrivals *all, const Upright *u, double x)
{
    for (size_t i = 0; i < all->len; i++) {
        const Arrival *a = &all->at[i];
        if (a->net != u->net)
            continue;
        bool below = l->nets.at[a->net].below, first = true;
        for (size_t k = 0; k < i; k++)
            first = first && !(all->at[k].net == u->net && fabs(all->at[k].y - a->y) < near);
        int ways = 1 + (!below && fabs(a->y - u->from) < near) + (a->y > u->top + near) +
                   (a->y < u->bottom - near);
        if (first && ways >= 3)
            vec_push(&l->f->dots, ((FigDot){l->box, {x, a->y}}));
    }
    bool met = false;
    for (size_t i = 0; i < all->len; i++)
        met = met || (all->at[i].net == u->net && fabs(all->at[i].y - u->from) < near);
    if (!met && u->from > u->top + near && u->from < u->bottom - near)
        vec_push(&l->f->dots, ((FigDot){l->box, {x, u->from}}));
}

static void draw_net(const LevelLayout *l, const Arrivals *all, const Upright *u, double x, int c,
                     size_t net)
{
    const Net *n = &l->nets.at[net];
    bool rises = n->below && c == n->first;
    int readers = 0;
    for (size_t i = 0; i < all->len; i++)
        readers += all->at[i].net == (int)net;
    double from = leaving_height(l, n, c);
    if (u && readers > 1) { /* what they share */
        FigLine *line = line_of(l, n, NAN);
        if (!rises)
            figure_point(line, source_x(l, n, c), from);
        figure_point(line, x, from);
        double first = fabs(u->top - from) < near ? u->bottom : u->top;
        figure_point(line, x, first);
        if (first == u->top && u->bottom > from + near) {
            line = line_of(l, n, NAN);
            figure_point(line, x, from);
            figure_point(line, x, u->bottom);
        }
        add_dots(l, all, u, x);
    }
    for (size_t i = 0; i < all->len; i++) {
        const Arrival *a = &all->at[i];
        if (a->net != (int)net)
            continue;
        bool straight = fabs(a->y - from) < near && !rises;
        FigLine *line = line_of(l, n, straight && !a->side ? from : NAN);
        if (!rises && (!u || readers == 1 || straight))
            figure_point(line, source_x(l, n, c), from);
        if (u && readers == 1)
            figure_point(line, x, from);
        if (u && !straight)
            figure_point(line, x, a->y);
        finish(l, line, a);
    }
    if (rises) /* where it comes in */
        l->f->nodes[n->node - 1].x = x, l->f->nodes[n->node - 1].y = l->height;
}

/* ---- all ---- */

static void set_cells(LevelLayout *l, int c)
{
    for (size_t i = 0; i < l->cells.len; i++) {
        Cell *e = &l->cells.at[i];
        if (e->column == c)
            e->x = l->x[c] + (l->w[c] - e->w) / 2;
    }
}

static double title_width(const LevelLayout *l)
{
    double w = 0;
    const Phrase *weights = l->box ? &scene_box_at(l->s, l->box)->subtitle_words : NULL;
    bool closed = true;
    for (size_t i = 0; i < l->cells.len; i++)
        closed = closed && l->cells.at[i].node &&
                 scene_node_at(l->s, l->cells.at[i].node)->role != ROLE_NONE;
    if (weights && weights->text && closed) { /* it holds nothing but these */
        Phrase set = figure_typeset(l->f, weights);
        w = fmin(figure_width(l->f, &set) + 2 * l->f->size, 16 * l->f->size);
    }
    const FigBox *b = &l->f->boxes[l->box];
    for (int i = 0; i < b->nlines && l->box; i++)
        w = fmax(w, figure_width(l->f, &b->lines[i]) + 2 * l->f->size);
    return w;
}

/* What a level lacks in width for its title is given to the space between the columns. */
static void set_columns(LevelLayout *l, const double *gap)
{
    double total = 0;
    for (int c = 0; c < l->ncolumns; c++) {
        for (size_t i = 0; i < l->columns[c].len; i++)
            l->w[c] = fmax(l->w[c], l->cells.at[l->columns[c].at[i]].w);
        total += l->w[c] + gap[c];
    }
    double lacking = fmax(fmax(title_width(l), l->least) - total, 0);
    double x = 0;
    for (int c = 0; c < l->ncolumns; c++) {
        l->x[c] = x;
        set_cells(l, c);
        bool shared = c < l->ncolumns - 1;
        x += l->w[c] + gap[c] + (shared ? lacking / (l->ncolumns - 1) : 0);
    }
    l->width = x;
}

void level_lines(LevelLayout *l)
{
    int n = l->ncolumns;
    Arrivals *all = xcalloc((size_t)n, sizeof *all);
    Uprights *ups = xcalloc((size_t)n, sizeof *ups);
    double *gap = xcalloc((size_t)n, sizeof *gap);
    for (int c = 0; c + 1 < n; c++) {
        all[c] = arrivals_at(l, c);
        set_arrivals(l, &all[c]);
        ups[c] = uprights_of(l, &all[c], c);
        gap[c] = place_uprights(l, &all[c], &ups[c], c);
    }
    set_columns(l, gap);
    for (int c = 0; c + 1 < n; c++) {
        for (size_t i = 0; i < l->nets.len; i++) {
            if (c < l->nets.at[i].first || c >= l->nets.at[i].last)
                continue;
            const Upright *u = NULL;
            for (size_t k = 0; k < ups[c].len; k++)
                u = ups[c].at[k].net == (int)i ? &ups[c].at[k] : u;
            double x = u ? l->x[c] + l->w[c] + u->x : 0;
            draw_net(l, &all[c], u, x, c, i);
        }
    }
    for (int c = 0; c < n; c++) {
        vec_free(&all[c]);
        vec_free(&ups[c]);
    }
    free(all);
    free(ups);
    free(gap);
}
