/* Where the places of two graphs are, in words.  See graph_diff.h. */
#include "analysis/graph_diff_parts.h"

#include "analysis/step_text.h"
#include "graph/names.h"
#include "graph/print.h"

enum { LEVELS_AROUND = 4 /* operators above a place that are shown with it */ };

static int side_of(const DiffPath *p) { return p->side[0] ? 0 : 1; }

/* ---- the graphs around ---- */

static const char *branch_word(const DiffPath *p) { return p->index ? "else" : "then"; }

static bool is_inside(DiffPart part)
{
    return part == PART_EQUATION || part == PART_TRACE || part == PART_UNTIL ||
           part == PART_BRANCH || part == PART_INSIDE;
}

/* "scan h, c", "then of an if", "the function of grad" */
static void put_owner(const GraphDiff *d, Text *out, const DiffPath *p)
{
    const DiffPath *up = p->up;
    int side = side_of(up);
    Standing at = diff_stands(d, side, up->side[side]);
    Numbering none = {.within = at.within};
    if (node_is_loop(at.node))
        put_called(out, d->st, at.node, &none);
    else if (at.node->op == OP_IFELSE)
        text_printf(out, "`%s` of the if", branch_word(p));
    else if (at.node->op == OP_CALL)
        text_printf(out, "function %s", at.node->attrs[1].name);
    else
        text_printf(out, "the function of %s", op_table[at.node->op].name);
}

/* From the outermost in. Paths may be as long as the graph is deep. */
static void put_owners(const GraphDiff *d, Text *out, const DiffPath *place)
{
    VEC(const DiffPath *) inside = {0};
    for (const DiffPath *p = place; p; p = p->up)
        if (is_inside(p->part))
            vec_push(&inside, p);
    for (size_t i = inside.len; i-- > 0;) {
        text_put(out, out->len ? ", " : "in ");
        put_owner(d, out, inside.at[i]);
    }
    vec_free(&inside);
}

/* ---- parts ---- */

static ScanRoles roles_of(const GraphDiff *d, const DiffPath *p)
{
    int side = p->part == PART_INITIAL || p->part == PART_SEQUENCE ? 0 : side_of(p);
    return scan_roles(d->st, diff_stands(d, side, p->up->side[side]).node);
}

static ScanShape shape_of(const GraphDiff *d, const DiffPath *p)
{
    int side = side_of(p);
    return scan_shape(diff_stands(d, side, p->up->side[side]).node);
}

/* "h[t]" of a state that is h[t-1] where the step begins. */
static const char *equation_name(const GraphDiff *d, const DiffPath *p)
{
    Symbol name = roles_of(d, p).names[p->index];
    return name ? name_shifted(d->st, name, 1) : "a state";
}

static const char *state_name(const GraphDiff *d, const DiffPath *p, int index)
{
    Symbol name = roles_of(d, p).names[index];
    return name ? name_base(d->st, name) : "a state";
}

/* The node of a path as one of the graph that what is above it stands in: a capture is a parameter
 * there. NULL: it is none. */
static Node *in_graph(const GraphDiff *d, const DiffPath *place, int side, const Graph *within)
{
    const DiffPath *p = place;
    Standing at = diff_stands(d, side, place->side[side]);
    if (at.within == within)
        return at.node;
    while (p && !is_inside(p->part))
        p = p->up;
    const Node *owner = p ? p->up->side[side] : NULL;
    for (int i = 0; owner && within && i < within->nparams; i++)
        if (diff_outside(owner, within, i) == place->side[side])
            return within->param_nodes[i];
    return NULL;
}

/* Which operand it is among those that the source wrote, from 1. */
static u32 written_place(const GraphDiff *d, const DiffPath *p)
{
    int side = p->up->side[0] && p->side[0] ? 0 : 1;
    Standing above = diff_stands(d, side, p->up->side[side]);
    const Node *operand = in_graph(d, p, side, above.within);
    for (u32 i = 0; i < above.node->nops; i++)
        if (source_operand(d->st, above.node, i) == operand)
            return i + 1;
    return (u32)p->index + 1;
}

static void put_operand(const GraphDiff *d, Text *out, const DiffPath *p)
{
    AstOp sign;
    Node *above = p->up->side[0] ? p->up->side[0] : p->up->side[1];
    const char *name =
        op_sign(above->op, true, &sign) ? ast_op_text(sign) : op_table[above->op].name;
    if (above->op == OP_IFELSE)
        text_put(out, "condition of the if");
    else
        text_printf(out, "operand %u of %s", written_place(d, p), name);
}

static void put_part(const GraphDiff *d, Text *out, const DiffPath *p)
{
    switch (p->part) {
    case PART_RESULT:
        if (d->nroots[0] > 1 || d->nroots[1] > 1)
            text_printf(out, "result %d", p->index + 1);
        break;
    case PART_INPUT: text_printf(out, "input %s", diff_input_name(p->side[0])); break;
    case PART_OPERAND: put_operand(d, out, p); break;
    case PART_COUNT: text_put(out, "number of steps"); break;
    case PART_INITIAL: text_printf(out, "initial value of %s", state_name(d, p, p->index)); break;
    case PART_SEQUENCE:
        text_printf(out, "sequence %s", state_name(d, p, shape_of(d, p).nstates + p->index));
        break;
    case PART_EQUATION: text_printf(out, "equation of %s", equation_name(d, p)); break;
    case PART_TRACE: text_put(out, "the value that a trace records"); break;
    case PART_UNTIL: text_put(out, "until"); break;
    case PART_BRANCH:
    case PART_INSIDE: break;
    }
}

/* Which part of its graph it stands in, if it is not that. */
static const DiffPath *part_around(const DiffPath *p)
{
    const DiffPath *q = p->up;
    while (q && q->part == PART_OPERAND)
        q = q->up;
    return q;
}

static void put_more(Text *out, Text *more)
{
    if (more->len)
        text_printf(out, "%s%s", out->len ? ", " : "", text_str(more));
    more->len = 0;
}

void diff_put_path(const GraphDiff *d, Text *out, const DiffPath *place)
{
    Text more = {0};
    const DiffPath *around = place->part == PART_OPERAND ? part_around(place) : NULL;
    const DiffPath *part = around ? around : place;
    put_owners(d, out, place);
    if (part->up && part->part != PART_OPERAND && !is_inside(part->part)) { /* what enters a loop */
        text_put(&more, out->len ? "" : "in ");
        Standing at = diff_stands(d, side_of(part->up), part->up->side[side_of(part->up)]);
        Numbering none = {.within = at.within};
        put_called(&more, d->st, at.node, &none);
        put_more(out, &more);
    }
    if (around)
        put_part(d, &more, around);
    put_more(out, &more);
    put_part(d, &more, place);
    put_more(out, &more);
    text_free(&more);
}

Node *diff_part_in_context(const GraphDiff *d, const DiffPath *place, int side)
{
    const DiffPath *context = diff_context(d, place);
    return in_graph(d, place, side, diff_stands(d, side, context->side[side]).within);
}

const DiffPath *diff_context(const GraphDiff *d, const DiffPath *place)
{
    const DiffPath *p = place;
    for (int i = 0; i < LEVELS_AROUND && p->part == PART_OPERAND && p->up->side[0] &&
                    p->up->side[1] && !node_graphs(p->up->side[0], (int[4]){0});
         i++)
        p = p->up;
    (void)d;
    return p;
}
