/* Formulas of figures: signs instead of functions.
 *
 * Invariant: a formula is read as what it is, by the usual strength of signs; it never says more
 * than MOST_TEXT bytes, and then ends in an ellipsis. */
#include "ops/elem.h"
#include "graph/print.h"
#include "viz/scene/figure_parts.h"

enum { MOST_TEXT = 600 };

#define MINUS "\u2212"

typedef struct {
    Fig *f;
    Level *l;
    Text out;
    Wires *wires;
} Formula;

const char *figure_text(Fig *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *kept = arena_vprintf(&f->arena, fmt, ap);
    va_end(ap);
    return kept;
}

/* ---- what is seen through ---- */

Node *figure_core(Node *n)
{
    for (;;) {
        switch (n->op) {
        case OP_CAST:
        case OP_BROADCAST:
        case OP_MATCH_SHAPE:
        case OP_STOP_GRADIENT:
        case OP_SQUEEZE: n = n->ops[0]; break;
        case OP_CHECK: n = n->ops[1]; break;
        default: return n;
        }
    }
}

bool figure_is_constant(Node *n)
{
    i64 k;
    n = figure_core(n);
    return n->op == OP_CONST ||
           (n->op == OP_INDEX && node_rank(n) == 0 && node_const_i64(n->ops[1], &k) &&
            figure_core(n->ops[0])->op == OP_CONST && node_rank(figure_core(n->ops[0])) == 1);
}

/* The elements of a constant: [*first, *first + *count) of the tensor. */
static const Tensor *elements(Node *n, i64 *first, i64 *count)
{
    n = figure_core(n);
    bool one = n->op == OP_INDEX;
    const Tensor *t = (one ? figure_core(n->ops[0]) : n)->attrs[0].value;
    *first = 0, *count = t->count;
    if (one && node_const_i64(n->ops[1], first)) {
        *first += *first < 0 ? t->count : 0;
        *count = *first >= 0 && *first < t->count; /* else it fails when it runs */
    }
    return t;
}

bool figure_is_zero(Node *n)
{
    i64 first, count;
    if (!figure_is_constant(n) || figure_core(n)->type->dtype == DT_RNG)
        return false;
    const Tensor *t = elements(n, &first, &count);
    for (i64 i = first; i < first + count; i++)
        if (tensor_f64_at(t, i) != 0)
            return false;
    return count || !t->count;
}

/* ---- formulas ---- */

static void put(Formula *m, Node *n, int need);

static void put_operand(Formula *m, Node *n, u32 i, int need)
{
    put(m, source_operand(m->f->st, n, i), need);
}

static void put_element(Text *out, const Tensor *t, i64 i)
{
    char number[32];
    if (dtype_is_float(t->dtype))
        snprintf(number, sizeof number, "%.6g", tensor_f64_at(t, i));
    else
        snprintf(number, sizeof number, "%lld", (long long)tensor_i64_at(t, i));
    bool negative = *number == '-';
    text_printf(out, "%s%s", negative ? MINUS : "", number + negative);
}

/* A number, or a few of them; of more only that they are known. */
static void put_constant(Formula *m, Node *n, int need)
{
    enum { FEW = 4 };
    i64 first, count;
    const Tensor *t = elements(n, &first, &count);
    bool scalar = !node_rank(figure_core(n)), few = t->rank == 1 && count <= FEW;
    Text text = {0};
    if (t->dtype == DT_RNG || !count || !(scalar || few)) {
        text_put(&text, "const");
    } else {
        text_put(&text, scalar ? "" : "[");
        for (i64 i = first; i < first + count; i++) {
            text_put(&text, i > first ? ", " : "");
            put_element(&text, t, i);
        }
        text_put(&text, scalar ? "" : "]");
    }
    bool closed = strncmp(text_str(&text), MINUS, strlen(MINUS)) == 0 && need > LEVEL_ADD;
    text_printf(&m->out, closed ? "(%s)" : "%s", text_str(&text));
    text_free(&text);
}

static bool is_part(const Node *n) { return n->op == OP_SLICE || n->op == OP_INDEX; }

/* A part that is told by its name is read off the line of the whole. */
static void read_wire(Formula *m, Node *n)
{
    while (!map_has(&m->l->wire, n) && is_part(n))
        n = figure_core(n->ops[0]);
    wire_add(m->wires, map_get(&m->l->wire, n));
}

static void put_call(Formula *m, Node *n)
{
    text_printf(&m->out, "%s(", op_table[n->op].name);
    for (u32 i = 0; i < n->nops; i++) {
        text_put(&m->out, i ? ", " : "");
        put_operand(m, n, i, LEVEL_ANY);
    }
    int rank = n->nops && n->ops[0]->type->kind == TYPE_TENSOR ? node_rank(n->ops[0]) : 0;
    for (int i = 0; i < (int)n->nattrs && rank > 1; i++) {
        const char *name = op_attr_name(n->op, i);
        const IntList *axes = op_attr_kind(n->op, i) == 'I' ? n->attrs[i].ints : NULL;
        if (strcmp(name, "axis") == 0 && op_attr_kind(n->op, i) == 'i')
            text_printf(&m->out, ", axis=%lld", (long long)n->attrs[i].i);
        else if (strcmp(name, "axes") == 0 && axes && axes->n == 1)
            text_printf(&m->out, ", axis=%lld", (long long)axes->at[0]);
    }
    text_putc(&m->out, ')');
}

/* The signs of the language as a book sets them, in formulas and in circles. */
static const struct {
    const char *sign, *formula, *circle; /* NULL: as in the language */
} typeset[] = {
    {"@", "\u00A0", NULL},        {"-", " " MINUS " ", MINUS},
    {"*", NULL, "\u00D7"}, /* in formulas see product_sign */
    {"/", NULL, "\u00F7"},        {"<=", " \u2264 ", "\u2264"},
    {">=", " \u2265 ", "\u2265"}, {"!=", " \u2260 ", "\u2260"},
    {"==", " = ", "="},
};

static const char *sign_in_formula(const char *sign, const char *spaced)
{
    for (size_t i = 0; i < COUNT_OF(typeset); i++)
        if (strcmp(typeset[i].sign, sign) == 0 && typeset[i].formula)
            return typeset[i].formula;
    return spaced;
}

const char *figure_circle(const Node *n)
{
    const Sign *s = op_infix(n->op) ? op_infix(n->op) : op_prefix(n->op);
    for (size_t i = 0; s && i < COUNT_OF(typeset); i++)
        if (strcmp(typeset[i].sign, s->sign) == 0 && typeset[i].circle)
            return typeset[i].circle;
    return n->op == OP_SQR ? "\u00B2" : s ? s->sign : op_table[n->op].name;
}

static bool is_number(const Node *n) { return figure_is_constant((Node *)n); }

static const char *product_sign(const Node *a, const Node *b)
{
    if (is_number(a) && !is_number(b))
        return "\u2009";
    return node_rank(a) && node_rank(b) ? " \u2299 " : " \u00B7 ";
}

/* Numbers come first. */
static Node *factor(Formula *m, const Node *n, u32 i)
{
    Node *a = source_operand(m->f->st, n, 0),
         *b = n->nops == 2 ? source_operand(m->f->st, n, 1) : a;
    bool turned = n->op == OP_MUL && n->nops == 2 && is_number(b) && !is_number(a);
    return source_operand(m->f->st, n, turned ? 1 - i : i);
}

/* How tightly operand i has to bind: nothing stands between the factors of a matrix product. */
static int need_of(const Node *n, const Node *op, u32 i, const Sign *s)
{
    if (n->op == OP_MATMUL && i == 0)
        return figure_core((Node *)op)->op == OP_MATMUL ? LEVEL_MUL : LEVEL_POW;
    return n->op == OP_MATMUL ? LEVEL_POW : i ? (int)s->right : (int)s->left;
}

static void put_infix(Formula *m, Node *n, const Sign *s, int need)
{
    bool closed = (int)s->level < need;
    text_put(&m->out, closed ? "(" : "");
    for (u32 i = 0; i < n->nops; i++) {
        Node *op = factor(m, n, i);
        char sign[16];
        snprintf(sign, sizeof sign, " %s ", s->sign);
        if (i && n->op == OP_MUL)
            text_put(&m->out, product_sign(factor(m, n, i - 1), op));
        else if (i)
            text_put(&m->out, sign_in_formula(s->sign, sign));
        put(m, op, need_of(n, op, i, s));
    }
    text_put(&m->out, closed ? ")" : "");
}

static void put_before(Formula *m, Node *n, const char *sign, int level, int need)
{
    text_put(&m->out, level < need ? "(" : "");
    text_put(&m->out, sign);
    put_operand(m, n, 0, level);
    text_put(&m->out, level < need ? ")" : "");
}

static void put_subscript(Formula *m, Node *n)
{
    put_operand(m, n, 0, LEVEL_POSTFIX);
    text_putc(&m->out, '[');
    for (i64 i = 0; i < n->attrs[0].i; i++)
        text_put(&m->out, ":, ");
    i64 start, len;
    if (n->op == OP_SLICE && node_const_i64(n->ops[1], &start) && node_const_i64(n->ops[2], &len))
        text_printf(&m->out, "%lld:%lld", (long long)start, (long long)(start + len));
    else if (n->op == OP_SLICE)
        text_put(&m->out, "\u2026");
    else
        put(m, n->ops[1], LEVEL_ANY);
    text_putc(&m->out, ']');
}

/* h[:, none] @ g[none, :] */
static bool is_outer_product(const Node *n)
{
    return n->op == OP_MATMUL && n->ops[0]->op == OP_EXPAND_DIMS &&
           n->ops[1]->op == OP_EXPAND_DIMS && node_rank(n->ops[0]) == 2 &&
           n->ops[0]->attrs[0].ints->n == 1 && n->ops[0]->attrs[0].ints->at[0] == 1 &&
           n->ops[1]->attrs[0].ints->n == 1 && n->ops[1]->attrs[0].ints->at[0] == 0;
}

static void put_outer_product(Formula *m, Node *n, int need)
{
    text_put(&m->out, LEVEL_MUL < need ? "(" : "");
    put(m, n->ops[0]->ops[0], LEVEL_POW);
    text_put(&m->out, " \u2297 ");
    put(m, n->ops[1]->ops[0], LEVEL_POW);
    text_put(&m->out, LEVEL_MUL < need ? ")" : "");
}

static void put_power(Formula *m, Node *n, const char *power)
{
    put_operand(m, n, 0, LEVEL_POSTFIX);
    text_put(&m->out, power);
}

static bool is_square(const Node *n)
{
    double x;
    return n->op == OP_SQR || (n->op == OP_MUL && n->nops == 2 && n->ops[0] == n->ops[1]) ||
           (n->op == OP_POW && node_const_f64(figure_core(n->ops[1]), &x) && x == 2);
}

static void put_bars(Formula *m, Node *n)
{
    text_put(&m->out, "|");
    put_operand(m, n, 0, LEVEL_ANY);
    text_put(&m->out, "|");
}

static void put_one_minus_sqr(Formula *m, Node *n, int need)
{
    text_put(&m->out, LEVEL_ADD < need ? "(1 " MINUS " " : "1 " MINUS " ");
    put_power(m, n, "\u00B2");
    text_put(&m->out, LEVEL_ADD < need ? ")" : "");
}

/* Matrices side by side, or one below the other. */
static bool is_block(const Node *n)
{
    return n->op == OP_CONCAT && node_rank(n) == 2 && n->nops <= 8;
}

static void put_block(Formula *m, Node *n)
{
    const char *between = n->attrs[0].i ? " " : "; ";
    text_putc(&m->out, '[');
    for (u32 i = 0; i < n->nops; i++) {
        text_put(&m->out, i ? between : "");
        put_operand(m, n, i, LEVEL_POSTFIX);
    }
    text_putc(&m->out, ']');
}

/* The operand that is left of n where the other one is zero; NULL: none is. */
static Node *without_zero(const Node *n)
{
    if (n->op != OP_ADD || n->nops != 2)
        return NULL;
    return figure_is_zero(n->ops[0]) ? n->ops[1] : figure_is_zero(n->ops[1]) ? n->ops[0] : NULL;
}

static void put_operator(Formula *m, Node *n, int need)
{
    const Sign *infix = op_infix(n->op);
    if (without_zero(n))
        put(m, without_zero(n), need);
    else if (is_block(n))
        put_block(m, n);
    else if (is_outer_product(n))
        put_outer_product(m, n, need);
    else if (is_square(n))
        put_power(m, n, "\u00B2");
    else if (n->op == OP_ONE_MINUS_SQR)
        put_one_minus_sqr(m, n, need);
    else if (n->op == OP_ABS)
        put_bars(m, n);
    else if (n->op == OP_NEG)
        put_before(m, n, MINUS, LEVEL_NEG, need);
    else if (n->op == OP_LOGICAL_NOT)
        put_before(m, n, "not ", LEVEL_NOT, need);
    else if (node_swaps_last(n))
        put_power(m, n, "\u1D40");
    else if (n->op == OP_INDEX || n->op == OP_SLICE)
        put_subscript(m, n);
    else if (n->op == OP_EXPAND_DIMS)
        put_operand(m, n, 0, need);
    else if (infix)
        put_infix(m, n, infix, need);
    else
        put_call(m, n);
}

static void put(Formula *m, Node *n, int need)
{
    if (m->out.len > MOST_TEXT) {
        text_put(&m->out, m->out.at[m->out.len - 1] == ' ' ? "" : "\u2026");
        return;
    }
    const char *text = level_text(m->f, m->l, n);
    if (text) {
        text_put(&m->out, text);
        read_wire(m, n);
        return;
    }
    Node *core = figure_core(n);
    if (core != n)
        put(m, core, need);
    else if (figure_is_constant(n))
        put_constant(m, n, need);
    else if (n->op == OP_INPUT || n->op == OP_SHARED)
        text_put(&m->out, figure_operand_name(m->f, n->attrs[0].name));
    else if (n->op == OP_SIZE)
        size_print(&m->out, n->attrs[0].size);
    else if (n->op == OP_PARAM)
        text_printf(&m->out, "p%lld", (long long)n->attrs[0].i);
    else if (n->op == OP_PROJ)
        put(m, n->ops[0], need);
    else
        put_operator(m, n, need);
}

const char *figure_formula(Fig *f, Level *l, Node *n, Wires *wires)
{
    Formula m = {.f = f, .l = l, .wires = wires};
    put(&m, n, LEVEL_ANY);
    const char *kept = figure_text(f, "%s", text_str(&m.out));
    text_free(&m.out);
    return kept;
}
