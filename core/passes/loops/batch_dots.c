/* S16: several products in a step with one operand in common become one product.
 *
 *   v @ W1, v @ W2, ...     =>     (v @ [W1 | W2 | ...])[part]
 *   W1 @ v, W2 @ v, ...     =>     ([W1; W2; ...] @ v)[part]
 *
 * The matrices do not change from step to step, so joining them is done once, before the
 * loop. This is the four gates of an LSTM, written naively. Condition: the W are distinct
 * captures of rank 2. Where v is a vector, v @ W is W' @ v, so both forms join: in that of the
 * first product. A product library may add in another order for another width: class R. */
#include "graph/names.h"
#include "graph/reads.h"
#include "passes/loops/loops.h"

#include "passes/openers.h"

enum { MAX_PARTS = 32 };

typedef struct {
    Node *common; /* the operand that changes */
    int matrix;   /* which operand of the joint product the matrices are */
    Node *dots[MAX_PARTS], *parts[MAX_PARTS]; /* the products; parts of the joint one */
    int n;
} Group;

static bool is_captured(const ScanShape *s, const Node *n)
{
    return is_param_among(n, s->nstates + s->nseqs, s->body->nparams);
}

/* Which operand is a captured matrix, where the other, of rank 1 or 2, changes; -1: none. */
static int matrix_of(const ScanShape *s, const Node *n)
{
    for (int k = 1; n->op == OP_MATMUL && k >= 0; k--) {
        const Node *matrix = n->ops[k], *other = n->ops[1 - k];
        if (matrix->type->rank == 2 && is_captured(s, matrix) && other->type->rank >= 1 &&
            other->type->rank <= 2 && !is_captured(s, other) && other->op != OP_CONST)
            return k;
    }
    return -1;
}

/* May the product n, with its matrix at k, join those of `first`, with its matrix at `at`? */
static bool joins(const Node *n, int k, const Node *first, int at)
{
    const Node *common = first->ops[1 - at];
    return k >= 0 && n->ops[1 - k] == common && (k == at || common->type->rank == 1);
}

/* The first group of the body: its products. */
static bool find_group(const ScanShape *s, NodeVec *dots)
{
    const NodeVec *order = &graph_reads(s->body)->order;
    for (size_t i = 0; i < order->len && dots->len < 2; i++) {
        int at = matrix_of(s, order->at[i]);
        dots->len = 0;
        for (size_t k = i; at >= 0 && k < order->len && dots->len < MAX_PARTS; k++)
            if (joins(order->at[k], matrix_of(s, order->at[k]), order->at[i], at))
                vec_push(dots, order->at[k]);
    }
    return dots->len > 1;
}

/* The same of a product over the holes. */
static int open_matrix(const ScanEdit *ed, const Node *n)
{
    for (size_t i = 0; i < ed->captures.len; i++)
        if (n->ops[1] == ed->captures.at[i].hole)
            return 1;
    return 0;
}

/* Opens the loop, and the group in it; false: there is none. */
static bool open_group(Store *st, Node *scan, ScanEdit *ed, Group *g)
{
    ScanShape s = scan_shape(scan);
    NodeVec dots = {0}, open = {0};
    bool ok = find_group(&s, &dots) && scan_open(st, scan, ed);
    *g = (Group){0};
    if (ok && scan_inside(ed, &dots, &open)) {
        g->matrix = open_matrix(ed, open.at[0]);
        g->common = open.at[0]->ops[1 - g->matrix];
        while (g->n < (int)open.len) {
            g->dots[g->n] = open.at[g->n];
            g->n++;
        }
    }
    vec_free(&dots);
    vec_free(&open);
    return ok;
}

/* Is the matrix of product i the other operand than in the joint product? */
static bool is_turned(const Group *g, int i) { return g->dots[i]->ops[1 - g->matrix] != g->common; }

static Node *matrix_in(const Group *g, int i)
{
    return g->dots[i]->ops[is_turned(g, i) ? 1 - g->matrix : g->matrix];
}

/* The axis of the matrices along which they are joined. */
static int join_axis(const Group *g) { return g->matrix; }

static Node *transposed(Store *st, Node *x)
{
    return node_swaps_last(x) ? x->ops[0] : build_swap_last(st, x);
}

/* The joined matrix as a new capture. */
static Node *join_matrices(ScanEdit *ed, const Group *g)
{
    Node *inside[MAX_PARTS], *outside[MAX_PARTS];
    Attr axis = {.i = join_axis(g)};
    for (int i = 0; i < g->n; i++) {
        inside[i] = matrix_in(g, i);
        outside[i] = scan_outside(ed, inside[i]);
        if (is_turned(g, i)) {
            inside[i] = transposed(ed->st, inside[i]);
            outside[i] = transposed(ed->st, outside[i]);
        }
    }
    Node *open = node_make(ed->st, OP_CONCAT, &axis, (u32)g->n, inside);
    Node *joined = node_make(ed->st, OP_CONCAT, &axis, (u32)g->n, outside);
    return open && joined ? scan_capture(ed, joined, open) : NULL;
}

static Node *joint_product(ScanEdit *ed, const Group *g)
{
    Node *ops[2] = {g->common, g->common};
    ops[g->matrix] = join_matrices(ed, g);
    return ops[g->matrix] ? node_make(ed->st, OP_MATMUL, NULL, 2, ops) : NULL;
}

/* The parts of the joint product that stand for the single ones. */
static bool find_parts(ScanEdit *ed, Group *g)
{
    Store *st = ed->st;
    Node *start = node_i64(st, 0), *all = joint_product(ed, g);
    for (int i = 0; i < g->n && all; i++) {
        int axis = join_axis(g) && all->type->rank > 1;
        Node *len =
            node_dim(st, matrix_in(g, i), is_turned(g, i) ? 1 - join_axis(g) : join_axis(g));
        g->parts[i] = build_slice(st, all, axis, start, len, 1);
        if (!g->parts[i] || !type_compatible(st, g->parts[i]->type, g->dots[i]->type))
            return false;
        node_set_name(st, g->parts[i], node_composed(st, g->dots[i]));
        start = build_add(st, start, len);
        if (start && can_fold(start))
            start = fold_node(st, start);
    }
    return all != NULL;
}

bool loop_batch_dots(Site *site)
{
    ScanEdit ed;
    Group g;
    NodeMap memo = {0};
    if (!open_group(site->st, site->node, &ed, &g))
        return site_refuse(site, NULL, "no two products in a step share an operand");
    bool ok = g.n && find_parts(&ed, &g);
    for (int i = 0; i < g.n && ok; i++)
        map_put(&memo, g.dots[i], g.parts[i]);
    if (ok && (ok = scan_become(site, &ed, &memo) != NULL))
        site_why(site, "%d products that share an operand", g.n);
    map_free(&memo);
    scan_edit_free(&ed);
    return ok;
}

/* ---- its parts: one product after the other is read off the joint one ---- */

/* Product i read off the joint one; the last part, where it is the last. */
static bool put_dot(Opening *o, ScanEdit *ed, const Group *g, int i)
{
    NodeMap memo = {0};
    Text name = {0};
    Symbol matrix = node_name(o->st, matrix_in(g, i));
    const char *why = i ? "the part of the joint product that belongs to this matrix"
                        : "the matrices are concatenated before the loop; this product is one part "
                          "of the joint product";
    text_printf(&name, "product %s", matrix ? matrix : "");
    if (!matrix)
        text_printf(&name, "%d", i + 1);
    map_put(&memo, g->dots[i], g->parts[i]);
    Node *scan = scan_substitute(ed, &memo) ? scan_close(ed) : NULL;
    Node **to = xcalloc((size_t)o->n + 1, sizeof *to);
    for (int k = 0; k < o->n && scan; k++)
        to[k] = node_proj(o->st, scan, o->start[k]->attrs[0].i);
    if (i + 1 == g->n)
        open_last(o, text_str(&name), why);
    else if (scan)
        open_part(o, text_str(&name), why, to);
    text_free(&name);
    free(to);
    map_free(&memo);
    return scan != NULL;
}

static bool has_parts(const Step *s)
{
    const Node *n = s->changes[0].before;
    return n->op == OP_PROJ && n->ops[0]->op == OP_SCAN;
}

static bool parts_open(Opening *o)
{
    ScanEdit ed;
    Group g;
    if (!open_group(o->st, o->start[0]->ops[0], &ed, &g))
        return false;
    bool ok = g.n && find_parts(&ed, &g);
    for (int i = 0; i < g.n && ok; i++)
        ok = put_dot(o, &ed, &g, i);
    scan_edit_free(&ed);
    return ok;
}

const Opener open_batch_dots = {has_parts, parts_open};
