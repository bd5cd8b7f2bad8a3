/* Finds what repeats.
 *
 * Of a box the cells are what stands directly in it. Cells with equal surroundings are a class; the
 * cells of one class, in the order in which values flow, are the first role, each a turn. Where
 * every turn has just one neighbour of some kind, and no two the same one, these are a role, too;
 * so it grows. At the ends surroundings differ, and what is there is found from the turns beside.
 *
 * Invariant: a role has at most one cell in each turn, and all look alike. */
#include "viz/page/page_trial.h"

enum {
    LEAST_TURNS = 4,
    LEAST_CELLS = 12,  /* that are worth a group */
    LEAST_IN_BOX = 40, /* boxes with fewer cells are not looked at */
    ROUNDS = 2,        /* how far surroundings reach */
    TRIED = 8,         /* classes */
    MARGIN = 2,        /* turns at each end that may be found later */
    MOST_ROLES = 400
};

/* ---- the field ---- */

static u64 hash_text(const char *s, u64 seed) { return s ? hash_bytes(s, strlen(s), seed) : seed; }

static u64 node_looks(const Slot *s)
{
    const SceneNode *n = &s->shows.at[0];
    u64 h = hash_text(n->op, (u64)n->cls * 64 + (u64)n->role);
    return hash_text(n->detail, h);
}

static int parent_box(const Union *u, int box) { return u->boxes.at[box - 1].box; }

/* The box around `box` that stands directly in f->box, or `box` itself; 0: it is not in there. */
static int box_below(const Field *f, int box)
{
    while (box && parent_box(f->u, box) != f->box)
        box = parent_box(f->u, box);
    return box;
}

static void name_cells(Field *f)
{
    const Union *u = f->u;
    size_t nodes = u->nodes.len, boxes = u->boxes.len;
    f->node_cell = xmalloc((nodes + 1) * sizeof *f->node_cell);
    f->box_cell = xmalloc((boxes + 1) * sizeof *f->box_cell);
    f->slot = xmalloc((nodes + boxes + 1) * sizeof *f->slot);
    f->looks = xcalloc(nodes + boxes + 1, sizeof *f->looks);
    for (size_t i = 0; i < nodes; i++) {
        f->node_cell[i] = -1;
        if (u->nodes.at[i].box != f->box)
            continue;
        f->looks[f->n] = node_looks(&u->nodes.at[i]);
        f->slot[f->n] = (int)i + 1;
        f->node_cell[i] = f->n++;
    }
    for (size_t i = 0; i < boxes; i++) {
        f->box_cell[i] = -1;
        if (u->boxes.at[i].box != f->box)
            continue;
        f->looks[f->n] = hash_mix((u64)u->boxes.at[i].titles.at[0].kind, 77);
        f->slot[f->n] = -(int)i - 1;
        f->box_cell[i] = f->n++;
    }
    /* what is deeper inside, in order, makes the looks of its cell */
    for (size_t i = 0; i < boxes; i++) {
        int b = box_below(f, (int)i + 1);
        f->box_cell[i] = b ? f->box_cell[b - 1] : -1;
        if (b && b != (int)i + 1)
            f->looks[f->box_cell[i]] =
                hash_mix(f->looks[f->box_cell[i]], (u64)u->boxes.at[i].titles.at[0].kind);
    }
    for (size_t i = 0; i < nodes; i++) {
        int b = f->node_cell[i] < 0 ? box_below(f, u->nodes.at[i].box) : 0;
        if (!b)
            continue;
        f->node_cell[i] = f->box_cell[b - 1];
        f->looks[f->node_cell[i]] =
            hash_mix(f->looks[f->node_cell[i]], node_looks(&u->nodes.at[i]));
    }
}

static int end_cell(const Field *f, int node, int box)
{
    return box ? f->box_cell[box - 1] : node ? f->node_cell[node - 1] : -1;
}

static bool tie_of(const Field *f, const SceneEdge *e, int *from, int *to)
{
    if (e->kind == EDGE_LOOPBACK || e->kind == EDGE_ADJOINT)
        return false;
    *from = end_cell(f, e->from, e->from_box);
    *to = end_cell(f, e->to, e->to_box);
    return *from >= 0 && *to >= 0 && *from != *to;
}

static void tie_cells(Field *f)
{
    const Union *u = f->u;
    int from, to;
    f->start = xcalloc((size_t)f->n + 2, sizeof *f->start);
    f->ties = xcalloc(2 * u->edges.len + 1, sizeof *f->ties);
    for (size_t i = 0; i < u->edges.len; i++)
        if (tie_of(f, &u->edges.at[i].edge, &from, &to)) {
            f->start[from + 1]++;
            f->start[to + 1]++;
        }
    for (int c = 0; c < f->n; c++)
        f->start[c + 1] += f->start[c];
    int *next = xmalloc(((size_t)f->n + 1) * sizeof *next);
    memcpy(next, f->start, ((size_t)f->n + 1) * sizeof *next);
    for (size_t i = 0; i < u->edges.len; i++) {
        const SceneEdge *e = &u->edges.at[i].edge;
        if (!tie_of(f, e, &from, &to))
            continue;
        f->ties[next[from]++] = (Tie){to, (u32)e->kind, false};
        f->ties[next[to]++] = (Tie){from, (u32)e->kind, true};
    }
    free(next);
}

/* Looks, and those of what is around. */
static void colour_cells(Field *f)
{
    size_t bytes = ((size_t)f->n + 1) * sizeof(u64);
    u64 *next = xmalloc(bytes);
    f->colour = xmalloc(bytes);
    memcpy(f->colour, f->looks, bytes);
    for (int round = 0; round < ROUNDS; round++) {
        for (int c = 0; c < f->n; c++) {
            u64 sum = 0;
            for (int k = f->start[c]; k < f->start[c + 1]; k++)
                sum += hash_mix(f->colour[f->ties[k].cell], f->ties[k].kind * 2 + f->ties[k].in);
            next[c] = hash_mix(f->colour[c], sum);
        }
        memcpy(f->colour, next, bytes);
    }
    free(next);
}

/* The longest way to each cell; what is in a circle stays at 0. */
static void measure_depth(Field *f)
{
    int *left = xcalloc((size_t)f->n + 1, sizeof *left),
        *queue = xmalloc(((size_t)f->n + 1) * sizeof *queue);
    int len = 0;
    f->depth = xcalloc((size_t)f->n + 1, sizeof *f->depth);
    for (int c = 0; c < f->n; c++) {
        for (int k = f->start[c]; k < f->start[c + 1]; k++)
            left[c] += f->ties[k].in;
        if (!left[c])
            queue[len++] = c;
    }
    for (int i = 0; i < len; i++)
        for (int k = f->start[queue[i]]; k < f->start[queue[i] + 1]; k++) {
            int to = f->ties[k].cell;
            if (f->ties[k].in)
                continue;
            f->depth[to] = f->depth[queue[i]] + 1;
            if (--left[to] == 0)
                queue[len++] = to;
        }
    free(left);
    free(queue);
}

static void field_free(Field *f)
{
    free(f->node_cell);
    free(f->box_cell);
    free(f->slot);
    free(f->looks);
    free(f->colour);
    free(f->depth);
    free(f->start);
    free(f->ties);
    free(f->taken);
}

/* ---- growing ---- */

static bool is_free(const Trial *t, int c) { return t->seat[c].role < 0 && !t->f->taken[c]; }

static void seat(Trial *t, int role, int turn, int c)
{
    t->roles.at[role][turn] = c;
    t->seat[c] = (Seat){role, turn};
    t->covered++;
}

static int add_role(Trial *t)
{
    int *at = xmalloc((size_t)t->turns * sizeof *at);
    for (int i = 0; i < t->turns; i++)
        at[i] = -1;
    vec_push(&t->roles, at);
    return (int)t->roles.len - 1;
}

/* The one neighbour that looks like this; -1: none, or several. */
static int only_neighbour(const Field *f, int c, Tie like, u64 looks)
{
    int found = -1;
    for (int k = f->start[c]; k < f->start[c + 1]; k++) {
        const Tie *tie = &f->ties[k];
        if (tie->in != like.in || tie->kind != like.kind || f->looks[tie->cell] != looks ||
            tie->cell == found)
            continue;
        if (found >= 0)
            return -1;
        found = tie->cell;
    }
    return found;
}

/* A role of what is tied like this to each cell of another one. */
static void grow_along(Trial *t, int role, Tie like)
{
    const Field *f = t->f;
    u64 looks = f->looks[like.cell];
    int *found = xmalloc((size_t)t->turns * sizeof *found), count = 0, there = 0;
    bool distinct = true;
    t->stamps++;
    for (int i = 0; i < t->turns; i++) {
        int c = t->roles.at[role][i], p = c < 0 ? -1 : only_neighbour(f, c, like, looks);
        there += c >= 0;
        found[i] = p >= 0 && is_free(t, p) ? p : -1;
        if (found[i] < 0)
            continue;
        distinct = distinct && t->stamp[p] != t->stamps;
        t->stamp[p] = t->stamps;
        count++;
    }
    if (distinct && count >= LEAST_TURNS && count >= there - 2) {
        int grown = add_role(t);
        for (int i = 0; i < t->turns; i++)
            if (found[i] >= 0)
                seat(t, grown, i, found[i]);
    }
    free(found);
}

int trial_middle(const Trial *t, int role)
{
    int i = t->turns / 2;
    while (i > 0 && t->roles.at[role][i] < 0)
        i--;
    return i;
}

static void grow_from(Trial *t, int role, bool in)
{
    const Field *f = t->f;
    int c = t->roles.at[role][trial_middle(t, role)];
    for (int k = c < 0 ? 0 : f->start[c]; c >= 0 && k < f->start[c + 1]; k++)
        if (f->ties[k].in == in && is_free(t, f->ties[k].cell) && t->roles.len < MOST_ROLES)
            grow_along(t, role, f->ties[k]);
}

/* Operands first: what a turn reads belongs to it before what reads it. */
static void grow_all(Trial *t)
{
    for (size_t in = 0, out = 0;;)
        if (in < t->roles.len)
            grow_from(t, (int)in++, true);
        else if (out < t->roles.len)
            grow_from(t, (int)out++, false);
        else
            break;
}

/* ---- the ends ---- */

/* The cell of a role in a turn, as it is tied to other roles in the middle; -1: none. */
static int missing_cell(const Trial *t, int role, int turn)
{
    const Field *f = t->f;
    int middle = trial_middle(t, role), c = t->roles.at[role][middle];
    for (int k = c < 0 ? 0 : f->start[c]; c >= 0 && k < f->start[c + 1]; k++) {
        const Tie *tie = &f->ties[k];
        Seat by = t->seat[tie->cell];
        int at = by.role < 0 ? -1 : turn + by.turn - middle;
        int q = at < 0 || at >= t->turns ? -1 : t->roles.at[by.role][at];
        int found = q < 0 ? -1 : only_neighbour(f, q, (Tie){0, tie->kind, !tie->in}, f->looks[c]);
        if (found >= 0 && is_free(t, found))
            return found;
    }
    return -1;
}

static void find_ends(Trial *t)
{
    bool grew = true;
    while (grew) {
        grew = false;
        for (int role = 0; role < (int)t->roles.len; role++)
            for (int i = 0; i < t->turns; i++) {
                bool beside = (i > 0 && t->roles.at[role][i - 1] >= 0) ||
                              (i + 1 < t->turns && t->roles.at[role][i + 1] >= 0);
                int c = t->roles.at[role][i] < 0 && beside ? missing_cell(t, role, i) : -1;
                if (c < 0)
                    continue;
                seat(t, role, i, c);
                grew = true;
            }
    }
}

/* ---- trials ---- */

static void trial_begin(Trial *t, const Field *f)
{
    *t = (Trial){.f = f,
                 .seat = xmalloc(((size_t)f->n + 1) * sizeof *t->seat),
                 .stamp = xcalloc((size_t)f->n + 1, sizeof *t->stamp)};
    for (int c = 0; c < f->n; c++)
        t->seat[c].role = -1;
}

static void trial_free(Trial *t)
{
    for (size_t i = 0; i < t->roles.len; i++)
        free(t->roles.at[i]);
    vec_free(&t->roles);
    free(t->seat);
    free(t->stamp);
}

/* Of cells of one class, in their order. */
static void run_trial(Trial *t, const Field *f, const int *cells, int n)
{
    trial_begin(t, f);
    t->turns = n + 2 * MARGIN;
    int role = add_role(t);
    for (int i = 0; i < n; i++)
        seat(t, role, i + MARGIN, cells[i]);
    grow_all(t);
    find_ends(t);
}

typedef struct {
    u64 colour;
    int cell, depth;
} Member;

static int compare_members(const void *a, const void *b)
{
    const Member *p = a, *q = b;
    if (p->colour != q->colour)
        return p->colour < q->colour ? -1 : 1;
    return p->depth != q->depth ? p->depth - q->depth : p->cell - q->cell;
}

typedef struct {
    int first, count, cell; /* in the sorted members; its first cell */
} Class;

/* The largest first; of equal ones that which stands last, so that a turn ends with it. */
static int compare_classes(const void *a, const void *b)
{
    const Class *p = a, *q = b;
    return p->count != q->count ? q->count - p->count : q->cell - p->cell;
}

/* The free cells by class; how many classes are large enough. */
static int classes_of(const Field *f, Member *members, Class *classes)
{
    int n = 0, count = 0;
    for (int c = 0; c < f->n; c++)
        if (!f->taken[c])
            members[n++] = (Member){f->colour[c], c, f->depth[c]};
    qsort(members, (size_t)n, sizeof *members, compare_members);
    for (int i = 0, j; i < n; i = j) {
        for (j = i; j < n && members[j].colour == members[i].colour; j++)
            ;
        if (j - i >= LEAST_TURNS)
            classes[count++] = (Class){i, j - i, members[i].cell};
    }
    qsort(classes, (size_t)count, sizeof *classes, compare_classes);
    return count;
}

/* The trial that covers most, of some large classes. */
static bool best_trial(const Field *f, Trial *best)
{
    Member *members = xcalloc((size_t)f->n + 1, sizeof *members);
    Class *classes = xcalloc((size_t)f->n + 1, sizeof *classes);
    int *cells = xmalloc(((size_t)f->n + 1) * sizeof *cells),
        count = classes_of(f, members, classes);
    bool found = false;
    for (int i = 0; i < count && i < TRIED; i++) {
        Trial t;
        for (int k = 0; k < classes[i].count; k++)
            cells[k] = members[classes[i].first + k].cell;
        run_trial(&t, f, cells, classes[i].count);
        if (t.covered >= LEAST_CELLS && (!found || t.covered > best->covered)) {
            if (found)
                trial_free(best);
            *best = t;
            found = true;
        } else {
            trial_free(&t);
        }
    }
    free(members);
    free(classes);
    free(cells);
    return found;
}

/* ---- all ---- */

/* Is the box in a turn of something found before? */
static bool is_inside_group(const Union *u, const Repeats *out, int box)
{
    for (; box; box = parent_box(u, box))
        if (out->boxes[box - 1].group)
            return true;
    return false;
}

static void look_into(const Union *u, Repeats *out, int box)
{
    Field f = {.u = u, .box = box};
    Trial best;
    name_cells(&f);
    f.taken = xcalloc((size_t)f.n + 1, sizeof *f.taken);
    if (f.n >= LEAST_IN_BOX) {
        tie_cells(&f);
        colour_cells(&f);
        measure_depth(&f);
        while (best_trial(&f, &best)) {
            group_put(&f, &best, out);
            trial_free(&best);
        }
    }
    field_free(&f);
}

void repeats_find(const Union *u, Repeats *out)
{
    *out = (Repeats){.nodes = xcalloc(u->nodes.len + 1, sizeof(Stand)),
                     .boxes = xcalloc(u->boxes.len + 1, sizeof(Stand))};
    for (int b = 0; b <= (int)u->boxes.len; b++)
        if (!is_inside_group(u, out, b))
            look_into(u, out, b);
}

void repeats_free(Repeats *r)
{
    vec_free(&r->groups);
    free(r->nodes);
    free(r->boxes);
}
