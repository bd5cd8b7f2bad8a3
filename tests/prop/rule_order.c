/* The canonical order: does a rule make its expression simpler?
 *
 * A Knuth-Bendix order (Knuth and Bendix, "Simple word problems in universal algebras", 1970): the
 * right side has no variable more often than the left; it has fewer operators and numbers, or as
 * many and a smaller operator at the first place where the two differ. `neg` is the smallest
 * operator, then come shapes, elementwise operators, reductions, positions and linear algebra, each
 * in the order of the table: so positions move inwards and signs outwards. Functions of rules and
 * attributes weigh nothing. */
#include "rule_order.h"

#include "graph/op.h"
#include "rewrite/pattern.h"

typedef struct {
    int weight, uses[RULE_VARS];
} Weight;

static void weigh_pattern(const Pattern *p, Weight *w)
{
    if (p->kind == PAT_VAR || p->kind == PAT_REST)
        w->uses[p->slot]++;
    w->weight += 1;
    if (p->kind == PAT_OP && op_table[p->op].flags & NARY)
        w->weight += p->n > 2 ? p->n - 2 : 0; /* as nested operators of two operands */
    for (int i = 0; i < p->n; i++)
        weigh_pattern(p->args[i], w);
}

static void weigh(const Rule *r, const Expr *x, Weight *w)
{
    if (x->kind == E_NAME) {
        int slot = rule_var(r->vars, x->text);
        char kind = r->vars->kinds[slot];
        if (kind == 'n' || kind == 'r')
            w->weight++, w->uses[slot]++;
        return;
    }
    bool minus = x->kind == E_UNARY && x->op == AST_NEG && !x->items[0]->nitems &&
                 x->items[0]->kind != E_NAME;
    const RuleFunction *f = x->kind == E_CALL ? rule_function_by_name(x->items[0]->text) : NULL;
    w->weight += f ? 0 : 1;
    if (f && (strstr(f->name, "_like") || !strcmp(f->name, "size") || !strcmp(f->name, "count"))) {
        w->weight++; /* reads nothing but the shape of its operand */
        return;
    }
    for (int i = x->kind == E_CALL ? 1 : 0; i < x->nitems && !minus; i++)
        weigh(r, x->items[i], w);
    for (int i = 0; i < x->nargs; i++)
        if (!x->args[i].name)
            weigh(r, x->args[i].value, w);
}

static int precedence(OpId op)
{
    static const int ranks[CLASS_COUNT] = {
        [CLASS_ELEMENTWISE] = 2, [CLASS_SHAPE] = 1,  [CLASS_REDUCE] = 3,
        [CLASS_INDEX] = 4,       [CLASS_LINALG] = 5, [CLASS_COMPOSITE] = 6};
    return op == OP_NEG ? 0 : 1 + ranks[op_table[op].cls] * OP_COUNT + (int)op;
}

static OpId expr_op(const Expr *x)
{
    if (x->kind == E_CALL && x->items[0]->kind == E_NAME)
        return op_by_name(x->items[0]->text);
    if (x->kind == E_UNARY || x->kind == E_BINARY)
        return x->op == AST_TRANSPOSE ? OP_TRANSPOSE : op_of_sign(x->op);
    return OP_COUNT;
}

/* Of two sides of one weight: is x smaller, going from the left? */
static bool smaller(const Rule *r, const Expr *x, const Pattern *p)
{
    OpId op = expr_op(x);
    if (p->kind != PAT_OP)
        return p->kind == PAT_NUMBER && x->kind == E_NAME;
    if (op == OP_COUNT)
        return true;
    if (op != p->op)
        return precedence(op) < precedence(p->op);
    Expr *const *items = x->kind == E_CALL ? NULL : x->items;
    for (int i = 0; i < p->n; i++) {
        const Expr *a =
            items ? (i < x->nitems ? items[i] : NULL) : (i < x->nargs ? x->args[i].value : NULL);
        if (!a)
            return true;
        Weight wx = {0}, wp = {0};
        weigh(r, a, &wx);
        weigh_pattern(p->args[i], &wp);
        bool same_leaf = a->kind == E_NAME && p->args[i]->slot >= 0 &&
                         rule_var(r->vars, a->text) == p->args[i]->slot;
        if (same_leaf)
            continue;
        if (wx.weight != wp.weight)
            return wx.weight < wp.weight;
        return smaller(r, a, p->args[i]);
    }
    return false;
}

bool rule_decreases(const Rule *r, Text *why)
{
    Weight left = {0}, right = {0};
    if (!r->pattern)
        return true;
    weigh_pattern(r->pattern, &left);
    weigh(r, r->replacement, &right);
    for (int i = 0; i < r->vars->n; i++)
        if (right.uses[i] > left.uses[i]) {
            text_printf(why, "%s stands more often on the right side", r->vars->names[i]);
            return false;
        }
    if (right.weight > left.weight ||
        (right.weight == left.weight && !smaller(r, r->replacement, r->pattern))) {
        text_printf(why, "the right side is not simpler: %d against %d operators and operands",
                    right.weight, left.weight);
        return false;
    }
    return true;
}
