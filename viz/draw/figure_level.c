/* What stands in one box of a figure: cells in columns.
 *
 * Invariant: a value is read only to the right of where it stands. */
#include "viz/draw/figure_cells.h"

#include <math.h>

/* ---- pieces of a figure ---- */

FigLine *figure_line(Figure *f, int box)
{
    vec_push(&f->lines, (FigLine){.box = box});
    return &f->lines.at[f->lines.len - 1];
}

void figure_point(FigLine *l, double x, double y)
{
    size_t n = l->at.len;
    if (n && l->at.at[n - 1].x == x && l->at.at[n - 1].y == y)
        return;
    if (n > 1) { /* straight on */
        Point *a = &l->at.at[n - 2], *b = &l->at.at[n - 1];
        if ((a->x == b->x && b->x == x) || (a->y == b->y && b->y == y)) {
            *b = (Point){x, y};
            return;
        }
    }
    vec_push(&l->at, ((Point){x, y}));
}

void figure_label(Figure *f, int box, double x, double y, int anchor, const Phrase *text)
{
    if (text && text->text && *text->text)
        vec_push(&f->labels, ((FigLabel){box, x, y, anchor, false, *text}));
}

bool figure_in(const Figure *f, int box, int ancestor)
{
    while (box && box != ancestor)
        box = scene_box_at(f->scene, box)->parent;
    return box == ancestor;
}

void figure_move(Figure *f, int box, double dx, double dy)
{
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        if (figure_in(f, f->scene->nodes.at[k].box, box)) {
            f->nodes[k].x += dx;
            f->nodes[k].y += dy;
        }
    for (size_t k = 1; k <= f->scene->boxes.len; k++)
        if (figure_in(f, (int)k, box)) {
            f->boxes[k].x += dx;
            f->boxes[k].y += dy;
            f->boxes[k].fx += dx;
            f->boxes[k].fy += dy;
        }
    for (size_t i = 0; i < f->lines.len; i++)
        for (size_t k = 0; k < f->lines.at[i].at.len && figure_in(f, f->lines.at[i].box, box);
             k++) {
            f->lines.at[i].at.at[k].x += dx;
            f->lines.at[i].at.at[k].y += dy;
        }
    for (size_t i = 0; i < f->dots.len; i++)
        if (figure_in(f, f->dots.at[i].box, box)) {
            f->dots.at[i].at.x += dx;
            f->dots.at[i].at.y += dy;
        }
    for (size_t i = 0; i < f->labels.len; i++)
        if (figure_in(f, f->labels.at[i].box, box)) {
            f->labels.at[i].x += dx;
            f->labels.at[i].y += dy;
        }
}

void figure_forget(Figure *f, int box)
{
    size_t lines = 0, dots = 0, labels = 0;
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        if (figure_in(f, f->scene->nodes.at[k].box, box))
            f->nodes[k].placed = false;
    for (size_t i = 0; i < f->lines.len; i++)
        if (figure_in(f, f->lines.at[i].box, box))
            vec_free(&f->lines.at[i].at);
        else
            f->lines.at[lines++] = f->lines.at[i];
    for (size_t i = 0; i < f->dots.len; i++)
        if (!figure_in(f, f->dots.at[i].box, box))
            f->dots.at[dots++] = f->dots.at[i];
    for (size_t i = 0; i < f->labels.len; i++)
        if (!figure_in(f, f->labels.at[i].box, box))
            f->labels.at[labels++] = f->labels.at[i];
    f->lines.len = lines;
    f->dots.len = dots;
    f->labels.len = labels;
}

/* ---- cells ---- */

/* Does its line begin or end at the box's own border? */
static bool is_port(const LevelLayout *l, const SceneNode *n)
{
    return l->box && (n->role == ROLE_STATE || n->role == ROLE_PARAM || n->role == ROLE_OUTPUT ||
                      n->role == ROLE_SEQUENCE);
}

/* Does a line end at a sequence of this box? */
static bool is_fed_below(const LevelLayout *l, int box)
{
    for (size_t k = 0; k < l->s->edges.len; k++) {
        const SceneEdge *e = &l->s->edges.at[k];
        const SceneNode *to = e->to_box ? NULL : scene_node_at(l->s, e->to);
        if (to && to->box == box && to->role == ROLE_SEQUENCE)
            return true;
    }
    return false;
}

static void add_cells(LevelLayout *l)
{
    for (size_t k = 0; k < l->s->nodes.len; k++) {
        const SceneNode *n = &l->s->nodes.at[k];
        if (n->box != l->box || (n->role == ROLE_SEQUENCE && l->box))
            continue;
        Cell c = {.node = (int)k + 1, .w = l->f->nodes[k].w, .h = l->f->nodes[k].h};
        c.room = l->f->nodes[k].room;
        c.w += c.room;
        if (n->role != ROLE_NONE) /* a word: its line keeps clear of it */
            c.w += l->f->size * 0.6;
        if (is_port(l, n)) {
            c.w = 0;
            c.h = figure_line_height(l->f);
        }
        vec_push(&l->cells, c);
    }
    for (size_t k = 1; k <= l->s->boxes.len; k++)
        if (l->s->boxes.at[k - 1].parent == l->box) {
            Cell c = {.box = (int)k, .w = l->f->boxes[k].w, .h = l->f->boxes[k].h};
            c.h += is_fed_below(l, (int)k) ? l->f->size : 0;
            vec_push(&l->cells, c);
        }
}

static int cell_of(const LevelLayout *l, int node, int box)
{
    if (node && l->s->nodes.at[node - 1].box != l->box) {
        box = l->s->nodes.at[node - 1].box;
        node = 0;
    }
    while (!node && box && scene_box_at(l->s, box)->parent != l->box)
        box = scene_box_at(l->s, box)->parent;
    for (size_t i = 0; i < l->cells.len; i++)
        if (node ? l->cells.at[i].node == node : box && l->cells.at[i].box == box)
            return (int)i;
    return -1;
}

/* ---- nets ---- */

static Net *net_of(LevelLayout *l, int node, int line, int source)
{
    for (size_t i = 0; i < l->nets.len; i++)
        if (l->nets.at[i].node == node && l->nets.at[i].line == line)
            return &l->nets.at[i];
    vec_push(&l->nets, ((Net){.node = node, .line = line, .source = source}));
    return &l->nets.at[l->nets.len - 1];
}

static void add_nets(LevelLayout *l)
{
    for (size_t k = 0; k < l->s->edges.len; k++) {
        const SceneEdge *e = &l->s->edges.at[k];
        if (e->kind == EDGE_LOOPBACK || e->from_box)
            continue;
        const SceneNode *from = scene_node_at(l->s, e->from);
        bool below = from->role == ROLE_SEQUENCE && from->box == l->box && l->box;
        int a = below ? -1 : cell_of(l, e->from, 0);
        int b = cell_of(l, e->to_box ? 0 : e->to, e->to_box);
        if (b < 0 || (a < 0 && !below) || a == b)
            continue;
        Net *n = net_of(l, e->from, e->line, a);
        n->below = below;
        vec_push(&n->readers, ((Reader){b, e->to_box ? 0 : e->to, (int)k + 1}));
    }
}

/* ---- columns ---- */

static bool starts(const LevelLayout *l, const Cell *c)
{
    SceneRole r = c->node ? scene_node_at(l->s, c->node)->role : ROLE_NONE;
    return l->box && (r == ROLE_STATE || r == ROLE_PARAM);
}

static bool ends(const LevelLayout *l, const Cell *c)
{
    return l->box && c->node && scene_node_at(l->s, c->node)->role == ROLE_OUTPUT;
}

static void put_in_columns(LevelLayout *l)
{
    int first = l->box ? 1 : 0, last = first;
    for (size_t i = 0; i < l->cells.len; i++)
        l->cells.at[i].column = starts(l, &l->cells.at[i]) ? 0 : first;
    bool changed = true;
    for (size_t round = 0; changed && round <= l->cells.len; round++) {
        changed = false;
        for (size_t i = 0; i < l->nets.len; i++)
            for (size_t k = 0; k < l->nets.at[i].readers.len && l->nets.at[i].source >= 0; k++) {
                Cell *to = &l->cells.at[l->nets.at[i].readers.at[k].cell];
                int least = l->cells.at[l->nets.at[i].source].column + 1;
                changed = changed || to->column < least;
                to->column = to->column < least ? least : to->column;
            }
    }
    for (size_t i = 0; i < l->cells.len; i++)
        if (!ends(l, &l->cells.at[i]))
            last = l->cells.at[i].column > last ? l->cells.at[i].column : last;
    for (size_t i = 0; i < l->cells.len; i++)
        if (ends(l, &l->cells.at[i]))
            l->cells.at[i].column = last + 1;
    l->ncolumns = last + (l->box ? 2 : 1);
}

/* What only starts a line stands just before its first reader. */
static void pull_right(LevelLayout *l)
{
    for (size_t i = 0; i < l->nets.len; i++) {
        Net *n = &l->nets.at[i];
        bool reads = n->source < 0 || starts(l, &l->cells.at[n->source]);
        for (size_t k = 0; k < l->nets.len; k++)
            for (size_t j = 0; j < l->nets.at[k].readers.len; j++)
                reads = reads || l->nets.at[k].readers.at[j].cell == n->source;
        int least = l->ncolumns;
        for (size_t k = 0; k < n->readers.len; k++) {
            int c = l->cells.at[n->readers.at[k].cell].column;
            least = c < least ? c : least;
        }
        if (!reads && least > 0)
            l->cells.at[n->source].column = least - 1;
    }
}

/* A cell in each column between a net's source and its last reader. */
static void add_places(LevelLayout *l)
{
    for (size_t i = 0; i < l->nets.len; i++) {
        Net *n = &l->nets.at[i];
        int least = l->ncolumns, last = 0;
        for (size_t k = 0; k < n->readers.len; k++) {
            int c = l->cells.at[n->readers.at[k].cell].column;
            least = c < least ? c : least;
            last = c > last ? c : last;
        }
        n->first = n->below ? least - 1 : l->cells.at[n->source].column;
        n->last = last;
        for (int c = n->first; c < last; c++) {
            if (c == n->first && !n->below) {
                vec_push(&n->places, n->source);
                continue;
            }
            vec_push(&n->places, (int)l->cells.len);
            vec_push(&l->cells, ((Cell){.column = c, .low = n->below}));
        }
    }
}

static void level_free(LevelLayout *l)
{
    for (size_t i = 0; i < l->nets.len; i++) {
        vec_free(&l->nets.at[i].places);
        vec_free(&l->nets.at[i].readers);
    }
    for (int c = 0; c < l->ncolumns; c++)
        vec_free(&l->columns[c]);
    free(l->columns);
    free(l->x);
    free(l->w);
    vec_free(&l->cells);
    vec_free(&l->nets);
}

/* Formulas in one column that are about as wide as the widest are as wide. */
static void even_out(LevelLayout *l)
{
    for (int c = 0; c < l->ncolumns; c++) {
        double widest = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < l->cells.len; i++) {
                Cell *e = &l->cells.at[i];
                bool formula = e->column == c && e->node && !level_is_circle(l, e) &&
                               scene_node_at(l->s, e->node)->role == ROLE_NONE;
                if (formula && pass == 0)
                    widest = fmax(widest, e->w - e->room);
                else if (formula && e->w - e->room > widest * 0.6)
                    e->w = widest + e->room;
            }
    }
}

/* What the line from a cell carries; a result that nothing reads has a line for that. */
static void put_tag(LevelLayout *l, const Cell *c)
{
    const FigNode *n = &l->f->nodes[c->node - 1];
    if (!n->tag.text)
        return;
    bool read = false;
    for (size_t i = 0; i < l->nets.len; i++)
        read = read || l->nets.at[i].node == c->node;
    if (!read) {
        FigLine *line = figure_line(l->f, l->box);
        figure_point(line, n->x + n->w, c->y);
        figure_point(line, n->x + n->w + c->room, c->y);
        line->arrow = true;
    }
    figure_label(l->f, l->box, n->x + n->w + c->room / 2, c->y - l->f->size * 0.35, 0, &n->tag);
}

/* From places in the level to those of nodes and boxes. */
static void settle(LevelLayout *l)
{
    for (size_t i = 0; i < l->cells.len; i++) {
        Cell *c = &l->cells.at[i];
        if (c->node) {
            FigNode *n = &l->f->nodes[c->node - 1];
            bool port = is_port(l, scene_node_at(l->s, c->node));
            n->x = c->x;
            n->y = port ? c->y : c->y - c->h / 2;
            n->w = c->w - c->room; /* formulas in a column are as wide as the widest */
            n->placed = true;
            put_tag(l, c);
        } else if (c->box) {
            figure_move(l->f, c->box, c->x, c->y - c->h / 2);
            l->f->boxes[c->box].placed = true;
        }
    }
}

bool figure_is_turned(const Figure *f, int box)
{
    while (box && scene_box_at(f->scene, box)->parent)
        box = scene_box_at(f->scene, box)->parent;
    return box && scene_box_at(f->scene, box)->kind == BOX_ADJOINT;
}

/* Boxes in it are the other way round already. */
void figure_mirror(Figure *f, int box, double w)
{
    for (size_t k = 1; k <= f->scene->boxes.len; k++)
        if (f->scene->boxes.at[k - 1].parent == box)
            figure_move(f, (int)k, w - 2 * f->boxes[k].x - f->boxes[k].w, 0);
    for (size_t k = 0; k < f->scene->nodes.len; k++)
        if (f->scene->nodes.at[k].box == box)
            f->nodes[k].x = w - f->nodes[k].x -
                            (f->scene->nodes.at[k].role == ROLE_SEQUENCE ? 0 : f->nodes[k].w);
    for (size_t i = 0; i < f->lines.len; i++)
        for (size_t k = 0; k < f->lines.at[i].at.len && f->lines.at[i].box == box; k++)
            f->lines.at[i].at.at[k].x = w - f->lines.at[i].at.at[k].x;
    for (size_t i = 0; i < f->dots.len; i++)
        if (f->dots.at[i].box == box)
            f->dots.at[i].at.x = w - f->dots.at[i].at.x;
    for (size_t i = 0; i < f->labels.len; i++)
        if (f->labels.at[i].box == box)
            f->labels.at[i].x = w - f->labels.at[i].x;
}

void figure_level(Figure *f, int box)
{
    double least = f->least;
    f->least = 0;
    for (size_t k = 1; k <= f->scene->boxes.len; k++) {
        if (f->scene->boxes.at[k - 1].parent != box)
            continue;
        if (f->scene->boxes.at[k - 1].kind == BOX_GROUP)
            figure_branches(f, (int)k);
        else
            figure_level(f, (int)k);
    }
    LevelLayout l = {.f = f, .s = f->scene, .box = box, .least = least};
    add_cells(&l);
    add_nets(&l);
    put_in_columns(&l);
    if (!box)
        pull_right(&l);
    add_places(&l);
    l.columns = xcalloc((size_t)l.ncolumns, sizeof *l.columns);
    l.x = xcalloc((size_t)l.ncolumns, sizeof *l.x);
    l.w = xcalloc((size_t)l.ncolumns, sizeof *l.w);
    even_out(&l);
    level_order(&l);
    level_heights(&l);
    level_lines(&l);
    settle(&l);
    if (figure_is_turned(f, box))
        figure_mirror(f, box, l.width);
    if (box) {
        figure_frame(f, box, l.width, l.height);
    } else {
        f->boxes[0].w = l.width;
        f->boxes[0].h = l.height;
    }
    level_free(&l);
}
