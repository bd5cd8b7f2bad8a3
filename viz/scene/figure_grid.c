/* See figure_grid.h.
 *
 * Invariant: an arrow is a reading that the graph has: of the row before by its index, of the value
 * before as the inner loop's state. A loop that reads in any other way is not drawn. */
#include "viz/scene/figure_grid.h"

#include "graph/control.h"
#include "graph/name.h"
#include "graph/reads.h"
#include "viz/scene/figure_parts.h"

enum { FEW_STATES = 6, SHOWN_STATES = 2 };

/* Where a cell reads, from itself. */
typedef struct {
    int row, column;
} Offset;

typedef struct {
    Store *st;
    Scene *scene;
    Arena arena;
    Node *outer, *inner; /* of a trellis there is no inner one */
    ScanShape o, in;
    int state;           /* the outer one that is the row, or the column of a trellis */
    const Node *weights; /* of a trellis: the matrix */
    bool turned;         /* which stands before the vector */
    VEC(Offset) reads;   /* of a grid */
    bool left;           /* a grid's row begins with the inner initial value */
    const char *name;    /* of a cell */
    int rows, columns;   /* that are drawn */
    bool below, right;   /* there are more, or may be */
    int *at;             /* nodes by row and column, both from -1 */
} Grid;

/* ---- what reads what ---- */

/* j or j + 2 of the counter of a scan; false: it is something else. */
static bool offset_of(const Grid *g, Node *index, i64 *by)
{
    i64 k = 0;
    Node *n = figure_core(index);
    *by = 0;
    for (u32 i = 0; i < 2 && n->op == OP_ADD; i++)
        if (node_const_i64(figure_core(n->ops[i]), &k)) {
            *by = k;
            n = figure_core(n->ops[1 - i]);
            break;
        }
    i64 seq = n->op == OP_PARAM ? n->attrs[0].i - g->in.nstates : -1;
    return seq >= 0 && seq < g->in.nseqs && figure_core(g->in.seqs[seq])->op == OP_IOTA;
}

static bool is_state(const Node *n, int state)
{
    return n->op == OP_PARAM && n->attrs[0].i == state;
}

/* Is parameter p of the inner body the row before? */
static bool brings_row(const Grid *g, const Node *p)
{
    Entry e = p->op == OP_PARAM ? entry_of(g->inner, 0, (int)p->attrs[0].i) : (Entry){0};
    return e.role == ROLE_CAPTURE && is_state(figure_core(e.operand), g->state);
}

/* Does what is computed from the row before enter the inner loop, other than that row itself? */
static bool reads_otherwise(const Grid *g)
{
    const GraphReads *reads = graph_reads(g->o.body);
    Node *const *captures = g->in.captures, *const *end = g->inner->ops + g->inner->nops;
    bool other = false;
    for (Node *const *op = g->inner->ops; op < end; op++)
        other = other || (reads_param(reads, *op, g->state) &&
                          (op < captures || !is_state(figure_core(*op), g->state)));
    return other;
}

static void add_read(Grid *g, int row, int column)
{
    for (size_t i = 0; i < g->reads.len; i++)
        if (g->reads.at[i].row == row && g->reads.at[i].column == column)
            return;
    vec_push(&g->reads, ((Offset){row, column}));
}

/* Notes what a cell reads; false: it reads the row before in another way. */
static bool find_reads(Grid *g)
{
    NodeVec order = {0};
    bool ok = true, above = false;
    g->reads.len = 0;
    nodes_topo(1, g->in.body->outs, &order);
    for (size_t i = 0; i < order.len && ok; i++) {
        Node *n = order.at[i];
        i64 by;
        if (is_state(n, 0))
            add_read(g, 0, -1);
        for (u32 k = 0; k < n->nops && ok; k++) {
            if (!brings_row(g, n->ops[k]))
                continue;
            ok = n->op == OP_INDEX && k == 0 && offset_of(g, n->ops[1], &by) && by >= 0 && by <= 2;
            if (ok)
                add_read(g, -1, (int)by - g->left);
            above = ok;
        }
    }
    vec_free(&order);
    return ok && above && !reads_otherwise(g);
}

/* Is the next row the inner loop's trace, or its initial value and then that? */
static bool is_row(Grid *g, Node *next)
{
    Node *n = figure_core(next);
    g->left = n->op == OP_CONCAT && n->nops == 2 && n->ops[0]->op == OP_EXPAND_DIMS &&
              figure_core(n->ops[0]->ops[0]) == figure_core(g->in.inits[0]);
    n = g->left ? figure_core(n->ops[1]) : n;
    i64 k = n->op == OP_PROJ && n->ops[0] == g->inner ? n->attrs[0].i - g->in.nstates : -1;
    return k >= 0 && k < g->in.nouts && g->in.body->outs[g->in.nstates + k] == g->in.body->outs[0];
}

static bool find_grid(Grid *g)
{
    NodeVec order = {0};
    int scans = 0;
    nodes_topo(g->o.body->nouts, g->o.body->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SCAN) {
            g->inner = order.at[i];
            scans++;
        }
    vec_free(&order);
    if (scans != 1)
        return false;
    g->in = scan_shape(g->inner);
    if (g->in.nstates != 1 || g->in.reverse || g->in.stop)
        return false;
    for (g->state = 0; g->state < g->o.nstates; g->state++)
        if (is_row(g, g->o.body->outs[g->state]) && find_reads(g))
            return true;
    return false;
}

/* The matrix that the state is multiplied by for its next value, or NULL. */
static const Node *matrix_of(const Grid *g, bool *turned)
{
    NodeVec order = {0};
    const Node *found = NULL;
    nodes_topo(1, &g->o.body->outs[g->state], &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        for (u32 k = 0; k < 2 && n->op == OP_MATMUL; k++)
            if (is_state(figure_core(n->ops[k]), g->state) && n->ops[1 - k]->type->rank == 2)
                found = figure_core(n->ops[1 - k]), *turned = k == 1;
    }
    vec_free(&order);
    return found;
}

static bool find_trellis(Grid *g)
{
    g->inner = NULL;
    for (g->state = 0; g->state < g->o.nstates; g->state++) {
        const Type *t = g->o.inits[g->state]->type;
        g->weights = t->rank == 1 ? matrix_of(g, &g->turned) : NULL;
        if (g->weights)
            return true;
    }
    return false;
}

static bool find(Grid *g, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len && !found; i++) {
        if (order.at[i]->op != OP_SCAN)
            continue;
        g->outer = order.at[i];
        g->o = scan_shape(g->outer);
        found = !g->o.reverse && !g->o.stop && (find_grid(g) || find_trellis(g));
    }
    vec_free(&order);
    return found;
}

/* ---- cells ---- */

/* "r" and below the line its indices. */
static int put_cell(Grid *g, int row, int column, const char *name, const char *indices, bool end)
{
    Text t = {0};
    text_printf(&t, "%s(%s)", name, indices);
    int n = (int)strlen(name);
    PhrasePart parts[] = {{PHRASE_VARIABLE, 0, n}, {PHRASE_BELOW, n, (int)t.len - n}};
    Phrase words = {text_str(&t), parts, COUNT_OF(parts)};
    int at = scene_node(g->scene, &(SceneNode){.op = end ? scene_role_words[ROLE_INPUT] : "cell",
                                               .words = words,
                                               .role = end ? ROLE_INPUT : ROLE_NONE,
                                               .row = row + 2,
                                               .column = column + 2});
    text_free(&t);
    return at;
}

static void put_dots(Grid *g, int row, int column, const char *dots)
{
    scene_node(g->scene, &(SceneNode){.op = scene_role_words[ROLE_INPUT],
                                      .label = dots,
                                      .role = ROLE_INPUT,
                                      .row = row + 2,
                                      .column = column + 2});
}

static int *cell(Grid *g, int row, int column)
{
    return &g->at[(row + 1) * (FIGURE_GRID_MOST + 2) + column + 1];
}

/* The cell at that place, or the value that is there before the loops begin. */
static int grid_cell(Grid *g, int row, int column)
{
    char indices[64];
    int *at = cell(g, row, column);
    snprintf(indices, sizeof indices, "%d,%d", row, column);
    if (!*at)
        *at = put_cell(g, row, column, g->name, indices, row < 0 || column < 0);
    return *at;
}

static int least_of(Node *count, int steps, bool *more)
{
    i64 n;
    bool known = node_const_i64(count, &n) && n >= 0;
    *more = !known || n > steps;
    return known && n < steps ? (int)n : steps;
}

static void draw_grid(Grid *g, int rows, int columns)
{
    g->rows = least_of(g->o.n, rows, &g->below);
    g->columns = least_of(g->in.n, columns, &g->right);
    for (int i = 0; i < g->rows; i++)
        for (int j = 0; j < g->columns; j++)
            for (size_t k = 0; k < g->reads.len; k++) {
                int column = j + g->reads.at[k].column;
                if (column >= g->columns)
                    continue;
                int from = grid_cell(g, i + g->reads.at[k].row, column);
                scene_edge(g->scene, &(SceneEdge){.from = from, .to = grid_cell(g, i, j)});
            }
    for (int j = 0; j < g->columns && g->below; j++)
        put_dots(g, g->rows, j, "\u22EE");
    for (int i = 0; i < g->rows && g->right; i++)
        put_dots(g, i, g->columns, "\u22EF");
}

/* ---- states ---- */

/* The states of a column that are drawn, by their texts; NULL: dots. */
static int list_states(Grid *g, const char **texts)
{
    Size *size = g->o.inits[g->state]->type->dims[0];
    i64 count;
    int n = 0;
    bool known = size_is_const(size, &count);
    for (; n < (known && count <= FEW_STATES ? (int)count : SHOWN_STATES); n++) {
        static const char *const numbers[FEW_STATES] = {"0", "1", "2", "3", "4", "5"};
        texts[n] = numbers[n];
    }
    if (known && count <= FEW_STATES)
        return n;
    Text last = {0};
    if (known)
        text_printf(&last, "%lld", (long long)count - 1);
    else
        size_print(&last, size);
    text_put(&last, known ? "" : "-1");
    texts[n++] = NULL;
    texts[n++] = arena_strndup(&g->arena, text_str(&last), last.len);
    text_free(&last);
    return n;
}

static void draw_column(Grid *g, int t, const char *const *texts)
{
    const Node *init = figure_core(g->o.inits[g->state]);
    bool leaf = t < 0 && init->op == OP_INPUT;
    for (int k = 0; k < g->rows; k++) {
        if (!texts[k]) {
            put_dots(g, k, t, "\u22EE");
            continue;
        }
        Text index = {0};
        if (!leaf)
            text_printf(&index, "%d,", t);
        text_put(&index, texts[k]);
        *cell(g, k, t) =
            put_cell(g, k, t, leaf ? init->attrs[0].name : g->name, text_str(&index), t < 0);
        text_free(&index);
        for (int from = 0; from < g->rows && t >= 0; from++)
            if (texts[from])
                scene_edge(g->scene, &(SceneEdge){.from = *cell(g, from, t - 1),
                                                  .to = *cell(g, k, t),
                                                  .kind = EDGE_STATE});
    }
}

static void draw_trellis(Grid *g, int steps)
{
    const char *texts[FIGURE_GRID_MOST];
    g->columns = least_of(g->o.n, steps, &g->right);
    g->rows = list_states(g, texts);
    for (int t = -1; t < g->columns; t++)
        draw_column(g, t, texts);
    for (int k = 0; k < g->rows && g->right; k++)
        if (texts[k])
            put_dots(g, k, g->columns, "\u22EF");
}

/* ---- all ---- */

static const char *name_of(Grid *g)
{
    const Node *scan = g->inner ? g->inner : g->outer;
    const Symbol *names = scan_roles(g->st, scan).names;
    Symbol name = names ? names[g->inner ? 0 : g->state] : NULL;
    return name ? name_base(g->st, name) : "h";
}

/* What brings a value from outside. */
static const Node *outside(const Grid *g, const Node *n)
{
    Entry e = n->op == OP_PARAM ? entry_of(g->outer, 0, (int)n->attrs[0].i) : (Entry){0};
    return e.role == ROLE_CAPTURE ? figure_core(e.operand) : n;
}

static void explain(Grid *g)
{
    Text t = {0};
    const Node *weights = g->inner ? NULL : outside(g, g->weights);
    text_put(&t, g->inner ? "cell i, j is element j of row i; row -1 is the initial row"
                          : "cell t, k is state k at step t");
    text_put(&t, g->left ? ", column -1 the initial value of each row" : "");
    if (weights && weights->op == OP_INPUT)
        text_printf(&t, "; the line from state k to state l has weight %s[%s]",
                    weights->attrs[0].name, g->turned ? "l, k" : "k, l");
    scene_set_notation(g->scene, text_str(&t));
    text_put(&t, ". Cells:");
    for (size_t i = 0; i < g->scene->nodes.len; i++)
        if (g->scene->nodes.at[i].role == ROLE_NONE)
            text_printf(&t, "%s %s", t.at[t.len - 1] == ':' ? "" : ",",
                        g->scene->nodes.at[i].label);
    text_printf(&t, ". %zu arrows.", g->scene->edges.len);
    scene_set_desc(g->scene, text_str(&t));
    text_free(&t);
}

Scene *figure_of_grid(Store *st, int nroots, Node *const *roots, const char *title, int rows,
                      int columns)
{
    Grid g = {.st = st};
    if (find(&g, nroots, roots)) {
        g.scene = scene_new(title);
        g.scene->style = STYLE_FIGURE;
        g.name = name_of(&g);
        enum { SIDE = FIGURE_GRID_MOST + 2 };
        g.at = xcalloc(SIDE * SIDE, sizeof *g.at);
        if (g.inner)
            draw_grid(&g, rows, columns);
        else
            draw_trellis(&g, columns);
        explain(&g);
        free(g.at);
    }
    arena_free(&g.arena);
    vec_free(&g.reads);
    return g.scene;
}
