/* No two attributes or operands look alike in formulas, figures, LaTeX and Typst, and no two
 * attributes in drawings.
 *
 * Of each row of the table of operators that a formula may hold, nodes are put together from a pool
 * of operands and attributes, whatever the operator accepts; then each attribute and each operand
 * is changed, and what is written has to change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "effort.h"
#include "media.h"
#include "text_help.h"

enum { POOL = 22, MOST_OPERANDS = 3, MOST_ATTRS = 4, CHOICES = 6, MOST_INSTANCES = 8 };

/* Of an operator, how many nodes are tried with full effort, and of how many the operands are
 * changed, too: in drawings they are lines; whole figures and files take their time. */
static const struct {
    u32 nodes, operands;
} most[MEDIA] = {[IN_FORMULAS] = {20000, 20000},
                 [IN_DRAWINGS] = {20000, 0},
                 [IN_FIGURES] = {300, 6},
                 [IN_LATEX] = {300, 6},
                 [IN_TYPST] = {300, 6}};

typedef struct {
    World *w;
    Node *pool[POOL]; /* 2 k and 2 k + 1 have one type */
    Medium medium;
    OpId op;
    Attr attrs[MOST_ATTRS];
    Node *ops[MOST_OPERANDS];
    u32 nops;
    int instances, made; /* with these operands, of this operator */
    bool changed[MOST_ATTRS];
    int alike; /* how often something looks like something else, or was not tried */
} Hunt;

static char *write_node(Hunt *h, Node *n) { return medium_text(&h->w->st, h->medium, 1, &n); }

static void fill_pool(Hunt *h)
{
    Store *st = &h->w->st;
    static const struct {
        DType d;
        int rank;
        i64 first, second; /* sizes of axes */
    } types[] = {{DT_F64, 0, 0, 0}, {DT_I64, 0, 0, 0}, {DT_BOOL, 0, 0, 0},
                 {DT_F64, 1, 3, 0}, {DT_I64, 1, 3, 0}, {DT_BOOL, 1, 3, 0},
                 {DT_F64, 2, 3, 3}, {DT_F64, 2, 1, 3}, {DT_F64, 2, 1, 1}};
    int n = 0;
    for (size_t k = 0; k < COUNT_OF(types); k++)
        for (int twin = 0; twin < 2; twin++, n++) {
            char name[] = {(char)('a' + n), '\0'};
            Size *dims[] = {size_const(st, types[k].first), size_const(st, types[k].second)};
            h->pool[n] = input_of(st, name, types[k].d, types[k].rank, dims);
        }
    h->pool[n++] = input_of(st, "v", DT_RNG, 0, NULL);
    h->pool[n++] = input_of(st, "w", DT_RNG, 0, NULL);
    Size *channels = size_name(st, symbol(st, "c")), *one = size_const(st, 1),
         *three = size_const(st, 3);
    Size *image[] = {channels, three, three}, *kernels[] = {size_const(st, 2), one, one, one};
    h->pool[n++] = input_of(st, "x", DT_F64, 3, image);
    h->pool[n++] = input_of(st, "y", DT_F64, 4, kernels);
    assert_int_equal(n, POOL);
}

/* The k-th value to try of an attribute; false: there are no more. */
static bool choice(Store *st, char kind, int k, Attr *out)
{
    static const i64 lists[][2] = {{0}, {1}, {0, 1}, {1, 0}, {2}, {2, 1}};
    static const u32 lengths[] = {1, 1, 2, 2, 1, 2};
    static const DType dtypes[] = {DT_F64, DT_F32, DT_I64};
    *out = (Attr){.bits = 0};
    switch (kind) {
    case 'b': out->i = k; return k < 2;
    case 'i': out->i = k < 4 ? k : 3 - k; return k < 6;
    case 'd': out->i = k < 3 ? (i64)dtypes[k] : 0; return k < 3;
    case 's': out->name = symbol(st, k ? "two" : "one"); return k < 2;
    case 'z': out->size = k ? size_name(st, symbol(st, "m")) : size_const(st, 7); return k < 2;
    case 'I': out->ints = k < 6 ? intlist(st, lengths[k], lists[k]) : NULL; return k < 6;
    case 'v': {
        Node *n = k == 2 ? node_i64(st, 1) : node_f64(st, k);
        out->value = n->attrs[0].value;
        return k < 3;
    }
    default: return false;
    }
}

static Node *make(Hunt *h)
{
    Node *n = node_make(&h->w->st, h->op, h->attrs, h->nops, h->ops);
    diags_free(&h->w->diags);
    h->w->diags = (Diags){0};
    return n;
}

/* One number, whichever it is written as: 1 and 1.0, the length of an axis by that of another. */
static bool is_one_number(Store *st, Node *a, Node *b)
{
    double x, y;
    Size *s = size_of_node(st, a);
    return (node_const_f64(a, &x) && node_const_f64(b, &y) && x == y) ||
           (s && s == size_of_node(st, b) && !size_has_kind(s, ATOM_NODE));
}

static void expect_other(Hunt *h, Node *n, const char *before, const char *what)
{
    if (!n)
        return;
    char *after = write_node(h, n);
    if (!strcmp(before, after)) {
        print_error("%s: another %s, and the %s is still %s\n", op_table[h->op].name, what,
                    media_words[h->medium], after);
        h->alike++;
    }
    free(after);
}

/* In a sum with something of the same shape, where forms may be seen through. */
static Node *beside(Hunt *h, Node *n)
{
    for (int k = 0; n && k < POOL; k++)
        if (h->pool[k]->type == n->type)
            return node2(&h->w->st, OP_ADD, NULL, n, h->pool[k]);
    return NULL;
}

static void change_attributes(Hunt *h, Node *n)
{
    Node *sum = beside(h, n);
    char *alone = write_node(h, n), *within = sum ? write_node(h, sum) : NULL;
    for (int i = 0; i < op_attr_count(h->op); i++) {
        Attr old = h->attrs[i], other;
        for (int k = 0; choice(&h->w->st, op_attr_kind(h->op, i), k, &other); k++) {
            h->attrs[i] = other;
            Node *changed = other.bits != old.bits ? make(h) : NULL;
            if (!changed || changed == n)
                continue;
            h->changed[i] = true;
            if (is_one_number(&h->w->st, n, changed))
                continue;
            expect_other(h, changed, alone, op_attr_name(h->op, i));
            Node *in_sum = within ? beside(h, changed) : NULL;
            if (in_sum && in_sum != sum)
                expect_other(h, in_sum, within, op_attr_name(h->op, i));
        }
        h->attrs[i] = old;
    }
    free(alone);
    free(within);
}

static void change_operands(Hunt *h, Node *n)
{
    char *alone = write_node(h, n);
    for (u32 i = 0; i < h->nops; i++) {
        Node *old = h->ops[i];
        for (int k = 0; k < POOL; k++) {
            h->ops[i] = h->pool[k];
            Node *changed = h->pool[k] != old ? make(h) : NULL;
            if (changed && changed != n && !is_one_number(&h->w->st, n, changed))
                expect_other(h, changed, alone, "operand");
        }
        h->ops[i] = old;
    }
    free(alone);
}

/* In the medium of the hunt; with less effort each takes other operators. */
static void look_at(Hunt *h, Node *n)
{
    if (h->made > (int)effort_cases(most[h->medium].nodes) ||
        !effort_takes((u32)h->op + (u32)h->medium))
        return;
    change_attributes(h, n);
    if (h->made <= (int)effort_cases(most[h->medium].operands))
        change_operands(h, n);
}

static void try_attributes(Hunt *h, int i)
{
    if (h->instances >= MOST_INSTANCES)
        return;
    if (i < op_attr_count(h->op)) {
        for (int k = 0; choice(&h->w->st, op_attr_kind(h->op, i), k, &h->attrs[i]); k++)
            try_attributes(h, i + 1);
        return;
    }
    Node *n = make(h);
    if (!n)
        return;
    h->instances++;
    h->made++;
    for (int m = 0; m < MEDIA; m++) {
        h->medium = (Medium)m;
        look_at(h, n);
    }
}

static void try_operands(Hunt *h, u32 i)
{
    if (i == h->nops) {
        h->instances = 0;
        try_attributes(h, 0);
        return;
    }
    for (int k = 0; k < POOL; k++) {
        h->ops[i] = h->pool[k];
        try_operands(h, i + 1);
    }
}

/* What formulas hold: no leaves, which are names; nothing that owns graphs, which is a frame. */
static bool is_formula(OpId op)
{
    for (int i = 0; i < op_attr_count(op); i++)
        if (op_attr_kind(op, i) == 'g' || op_attr_kind(op, i) == 't')
            return false;
    return op_table[op].form != FORM_hole && op != OP_PROJ;
}

static void test_operator(Hunt *h, OpId op)
{
    h->op = op;
    memset(h->changed, 0, sizeof h->changed);
    int max = op_table[op].max_ops;
    h->made = 0;
    assert_in_range(op_attr_count(op), 0, MOST_ATTRS);
    for (int n = op_table[op].min_ops; n <= MOST_OPERANDS && (max < 0 || n <= max); n++) {
        h->nops = (u32)n;
        try_operands(h, 0);
    }
    if (!h->made) {
        print_error("%s: no node was made\n", op_table[op].name);
        h->alike++;
    }
    for (int i = 0; i < op_attr_count(op); i++)
        if (!h->changed[i] && effort_percent() >= 100) {
            print_error("%s: no other %s was found\n", op_table[op].name, op_attr_name(op, i));
            h->alike++;
        }
}

static void test_operators(void **state)
{
    (void)state;
    Hunt h = {.w = world_new()};
    fill_pool(&h);
    for (int op = 0; op < OP_COUNT; op++)
        if (is_formula((OpId)op))
            test_operator(&h, (OpId)op);
    world_free(h.w);
    assert_int_equal(h.alike, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_operators)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
