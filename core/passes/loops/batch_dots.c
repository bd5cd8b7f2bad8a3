/* S16: several products in a step with one left operand become one product.
 *
 *   v @ W1, v @ W2, ...     =>     (v @ [W1 | W2 | ...])[part]
 *
 * The matrices do not change from step to step, so joining them is done once, before the
 * loop. This is the four gates of an LSTM, written naively. Condition: the W are distinct
 * captures of rank 2. A product library may add in another order for another width:
 * class R. */
#include "graph/names.h"
#include "graph/reads.h"
#include "passes/loops/loops.h"

#include "passes/openers.h"

enum { MAX_PARTS = 32 };

typedef struct {
    Node *left;
    Node *dots[MAX_PARTS], *parts[MAX_PARTS]; /* the products; parts of the joint one */
    int n;
} Group;

/* v @ W with v of rank 1 or 2 that changes, W a captured matrix, in the body. */
static bool is_candidate(const ScanShape *s, const Node *n)
{
    int first = s->nstates + s->nseqs, end = s->body->nparams;
    return n->op == OP_MATMUL && n->ops[1]->type->rank == 2 &&
           is_param_among(n->ops[1], first, end) && n->ops[0]->type->rank >= 1 &&
           n->ops[0]->type->rank <= 2 && !is_param_among(n->ops[0], first, end) &&
           n->ops[0]->op != OP_CONST;
}

/* The first group of the body: its products. */
static bool find_group(const ScanShape *s, NodeVec *dots)
{
    const NodeVec *order = &graph_reads(s->body)->order;
    for (size_t i = 0; i < order->len && dots->len < 2; i++) {
        if (!is_candidate(s, order->at[i]))
            continue;
        dots->len = 0;
        for (size_t k = i; k < order->len && dots->len < MAX_PARTS; k++)
            if (is_candidate(s, order->at[k]) && order->at[k]->ops[0] == order->at[i]->ops[0])
                vec_push(dots, order->at[k]);
    }
    return dots->len > 1;
}

/* Opens the loop, and the group in it; false: there is none. */
static bool open_group(Store *st, Node *scan, ScanEdit *ed, Group *g)
{
    ScanShape s = scan_shape(scan);
    NodeVec dots = {0}, open = {0};
    bool ok = find_group(&s, &dots) && scan_open(st, scan, ed);
    *g = (Group){0};
    if (ok && scan_inside(ed, &dots, &open)) {
        g->left = open.at[0]->ops[0];
        while (g->n < (int)open.len) {
            g->dots[g->n] = open.at[g->n];
            g->n++;
        }
    }
    vec_free(&dots);
    vec_free(&open);
    return ok;
}

/* The joined matrix as a new capture. */
static Node *join_matrices(ScanEdit *ed, const Group *g)
{
    Node *inside[MAX_PARTS], *outside[MAX_PARTS];
    Attr axis = {.i = 1};
    for (int i = 0; i < g->n; i++) {
        inside[i] = g->dots[i]->ops[1];
        outside[i] = scan_outside(ed, inside[i]);
    }
    Node *open = node_make(ed->st, OP_CONCAT, &axis, (u32)g->n, inside);
    Node *joined = node_make(ed->st, OP_CONCAT, &axis, (u32)g->n, outside);
    return open && joined ? scan_capture(ed, joined, open) : NULL;
}

/* The parts of the joint product that stand for the single ones. */
static bool find_parts(ScanEdit *ed, Group *g)
{
    Store *st = ed->st;
    Node *joined = join_matrices(ed, g), *start = node_i64(st, 0);
    Node *all = joined ? node2(st, OP_MATMUL, NULL, g->left, joined) : NULL;
    for (int i = 0; i < g->n && all; i++) {
        Node *len = node_dim(st, g->dots[i]->ops[1], 1);
        g->parts[i] = build_slice(st, all, all->type->rank - 1, start, len, 1);
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
        return site_refuse(site, NULL, "no two products of a step have one left operand");
    bool ok = g.n && find_parts(&ed, &g);
    for (int i = 0; i < g.n && ok; i++)
        map_put(&memo, g.dots[i], g.parts[i]);
    if (ok && (ok = scan_become(site, &ed, &memo) != NULL))
        site_why(site, "%d products with one left operand", g.n);
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
    Symbol matrix = node_name(o->st, g->dots[i]->ops[1]);
    const char *why = i ? "its columns of the product with all the matrices"
                        : "the matrices stand side by side, joined before the loop; this product "
                          "is its columns of the joint one";
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
