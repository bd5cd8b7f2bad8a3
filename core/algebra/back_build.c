/* Parts of a form as nodes: aligned, multiplied, added, summed over axes.
 *
 * Invariant: the axes of a part are told by its names alone, so a part may have them in any order,
 * and lacks those along which it is constant. */
#include "algebra/back_parts.h"
#include "ops/build.h"

#include <string.h>

Names part_names(const Part *p)
{
    Names all = 0;
    for (int i = 0; i < node_rank(p->node); i++)
        all |= name_bit(p->names[i]);
    return all;
}

static int place_of(const Part *p, int name)
{
    for (int i = 0; i < node_rank(p->node); i++)
        if (p->names[i] == name)
            return i;
    return -1;
}

/* ---- sizes and numbers ---- */

/* An axis of that length of what the form is of: its length is known where a size is not. */
static Node *size_of_source(Back *b, const Size *s)
{
    for (size_t i = 0; i < b->from->nodes.len; i++) {
        Node *n = b->from->nodes.at[i];
        for (int k = 0; k < node_rank(n); k++)
            if (n->type->dims[k] == s)
                return node_dim(b->st, n, k);
    }
    return NULL;
}

Node *back_size(Back *b, Size *s, bool whole)
{
    Node *n = size_is_global(s) ? size_to_node(b->st, s) : size_of_source(b, s);
    return n && !whole ? node_cast(b->st, n, b->dtype) : n;
}

static Node *coef_node(Back *b, FormCoef c)
{
    if (!dtype_is_float(b->dtype))
        return b->dtype == DT_I64 ? node_i64(b->st, c.num)
                                  : node_number(b->st, b->dtype, (double)c.num);
    return node_number(b->st, b->dtype, (double)c.num / (double)c.den);
}

/* ---- axes ---- */

/* The part with its axes in the order of `names`, n of them, those that it has. */
static bool ordered(Back *b, Part *p, const int *names, int n)
{
    int perm[MAX_RANK] = {0}, k = 0;
    for (int i = 0; i < n; i++) {
        int at = place_of(p, names[i]);
        if (at >= 0)
            perm[k++] = at;
    }
    if (k != node_rank(p->node))
        return false;
    Part was = *p;
    p->node = build_transpose(b->st, p->node, perm);
    for (int i = 0; i < k; i++)
        p->names[i] = was.names[perm[i]];
    return p->node != NULL;
}

/* Repeated along the axes that it lacks; of numbers operators take care themselves. */
static bool repeated(Back *b, Part *p, const int *names, int n)
{
    i64 axes[MAX_RANK];
    Node *ops[MAX_RANK + 1];
    u32 k = 0;
    if (!ordered(b, p, names, n))
        return false;
    if (node_rank(p->node) == n)
        return true;
    ops[0] = p->node;
    for (int i = 0; i < n; i++) {
        if (k < (u32)node_rank(p->node) && p->names[k] == names[i])
            axes[k++] = i;
        if (!(ops[i + 1] = back_size(b, b->sizes[names[i]], true)))
            return false;
    }
    Attr a = {.ints = intlist(b->st, k, axes)};
    p->node = node_make(b->st, OP_BROADCAST, &a, (u32)n + 1, ops);
    memcpy(p->names, names, (size_t)n * sizeof *names);
    return p->node != NULL;
}

static int ascending(Names all, int *names)
{
    int n = 0;
    for (int i = 0; i < BACK_NAMES; i++)
        if (all & name_bit(i)) {
            if (n == MAX_RANK)
                return -1;
            names[n++] = i;
        }
    return n;
}

/* How many of the parts have their axes in another order? */
static u32 turned(const Part *parts, u32 count, const int *names, int n)
{
    u32 bad = 0;
    for (u32 i = 0; i < count; i++) {
        int last = -1;
        bool same = true;
        for (int k = 0; k < n; k++) {
            int at = place_of(&parts[i], names[k]);
            same = same && (at < 0 || at > last);
            last = at < 0 ? last : at;
        }
        bad += !same;
    }
    return bad;
}

/* The order of axes that fewest parts have to be transposed for, the ascending one if it is as
 * good. -1: there are too many axes. */
static int common_order(const Part *parts, u32 count, int *names)
{
    Names all = 0;
    for (u32 i = 0; i < count; i++)
        all |= part_names(&parts[i]);
    int n = ascending(all, names);
    u32 least = n < 0 ? 0 : turned(parts, count, names, n);
    for (u32 i = 0; i < count && least; i++) {
        if (node_rank(parts[i].node) != n)
            continue;
        u32 bad = turned(parts, count, parts[i].names, n);
        if (bad >= least)
            continue;
        least = bad;
        memcpy(names, parts[i].names, (size_t)n * sizeof *names);
    }
    return n;
}

/* Brings arrays to one shape; numbers stay numbers. */
static bool aligned(Back *b, Part *parts, u32 count, Part *shape)
{
    int names[MAX_RANK], n = common_order(parts, count, names);
    if (n < 0)
        return false;
    for (u32 i = 0; i < count; i++)
        if (node_rank(parts[i].node) && !repeated(b, &parts[i], names, n))
            return false;
    memcpy(shape->names, names, sizeof shape->names);
    return true;
}

/* ---- products ---- */

static bool joined(Back *b, OpId op, Part *parts, u32 count, Part *out)
{
    Node *ops[BACK_PARTS];
    if (count == 1) {
        out->node = parts[0].node;
        memcpy(out->names, parts[0].names, sizeof out->names);
        return true;
    }
    if (!aligned(b, parts, count, out))
        return false;
    for (u32 i = 0; i < count; i++)
        ops[i] = parts[i].node;
    out->node = node_make(b->st, op, NULL, count, ops);
    return out->node != NULL;
}

static void choose_power(const Parts *all, int power, Parts *out)
{
    out->n = 0;
    for (u32 i = 0; i < all->n; i++)
        if (all->at[i].power == power)
            out->at[out->n++] = all->at[i];
}

/* The number in front goes to the numbers of a quotient where that saves a pass over an array. */
static bool with_number_inside(Back *b, Parts *over, Parts *under, Part *out)
{
    Part below = {0}, above = {.c = {1, 1}, .power = 1};
    for (u32 i = 0; i < under->n; i++)
        if (node_rank(under->at[i].node))
            return false;
    if (!over->n || coef_is(out->c, 1) || coef_is(out->c, -1) || over->n == BACK_PARTS ||
        !joined(b, OP_MUL, under->at, under->n, &below))
        return false;
    above.node = node2(b->st, OP_DIV, NULL, coef_node(b, out->c), below.node);
    if (!above.node)
        return false;
    memmove(over->at + 1, over->at, over->n * sizeof *over->at);
    over->at[0] = above;
    over->n++;
    under->n = 0;
    out->c = (FormCoef){1, 1};
    return true;
}

/* Of two axes, where each factor has one of them or none: those that have it, and all numbers. */
static void choose_axis(const Parts *all, int name, bool numbers, Parts *out)
{
    out->n = 0;
    for (u32 i = 0; i < all->n; i++)
        if (node_rank(all->at[i].node) ? all->at[i].names[0] == name : numbers)
            out->at[out->n++] = all->at[i];
}

static Node *with_axis(Back *b, Node *n, i64 at)
{
    Attr a = {.ints = intlist(b->st, 1, &at)};
    return n ? node1(b->st, OP_EXPAND_DIMS, &a, n) : NULL;
}

/* A column times a row. False: it is something else. */
static bool as_outer(Back *b, const Parts *over, Part *out)
{
    Names all = 0;
    int names[MAX_RANK];
    Parts column, row;
    Part left, right;
    for (u32 i = 0; i < over->n; i++) {
        all |= part_names(&over->at[i]);
        if (node_rank(over->at[i].node) > 1)
            return false;
    }
    if (!dtype_is_float(b->dtype) || ascending(all, names) != 2)
        return false;
    choose_axis(over, names[0], true, &column);
    choose_axis(over, names[1], false, &row);
    if (!joined(b, OP_MUL, column.at, column.n, &left) || !joined(b, OP_MUL, row.at, row.n, &right))
        return false;
    Node *l = with_axis(b, left.node, 1), *r = with_axis(b, right.node, 0);
    out->node = l && r ? node2(b->st, OP_MATMUL, NULL, l, r) : NULL;
    memcpy(out->names, names, 2 * sizeof *names);
    return out->node != NULL;
}

bool build_product_of(Back *b, const Parts *factors, Part *out)
{
    Parts over, under;
    *out = (Part){.c = {1, 1}, .power = 1};
    for (u32 i = 0; i < factors->n; i++)
        if (!coef_mul(b->dtype, out->c, factors->at[i].c, &out->c))
            return false;
    choose_power(factors, 1, &over);
    choose_power(factors, -1, &under);
    if (!over.n && !under.n) {
        out->node = coef_node(b, out->c);
        out->c = (FormCoef){1, 1};
        return out->node != NULL;
    }
    if (!under.n && as_outer(b, &over, out))
        return true;
    if (under.n)
        with_number_inside(b, &over, &under, out);
    Part sides[2];
    bool ok = (!over.n || joined(b, OP_MUL, over.at, over.n, &sides[0])) &&
              (!under.n || joined(b, OP_MUL, under.at, under.n, &sides[1]));
    if (!ok)
        return false;
    if (over.n && under.n)
        return joined(b, OP_DIV, sides, 2, out);
    out->power = over.n ? 1 : -1;
    out->node = sides[!over.n].node;
    memcpy(out->names, sides[!over.n].names, sizeof out->names);
    return true;
}

/* c * x, with the number first where x is a product. */
static Node *scaled(Back *b, FormCoef c, Node *x)
{
    Node *ops[BACK_PARTS];
    bool product = x->op == OP_MUL && x->nops < BACK_PARTS && !map_has(&b->from->stop, x);
    double number;
    if (coef_is(c, 1))
        return x;
    if (node_const_f64(x, &number) && number == 1)
        return coef_node(b, c);
    if (coef_is(c, -1))
        return node1(b->st, OP_NEG, NULL, x);
    if (c.num == 1 && c.den & (c.den - 1))
        return node2(b->st, OP_DIV, NULL, x, coef_node(b, (FormCoef){c.den, 1}));
    ops[0] = coef_node(b, c);
    memcpy(ops + 1, product ? x->ops : &x, (product ? x->nops : 1) * sizeof *ops);
    return node_make(b->st, OP_MUL, NULL, product ? x->nops + 1 : 2, ops);
}

bool build_plain(Back *b, Part *p)
{
    if (p->power < 0) {
        Node *over = coef_node(b, p->c);
        p->node = over ? node2(b->st, OP_DIV, NULL, over, p->node) : NULL;
    } else {
        p->node = scaled(b, p->c, p->node);
    }
    p->power = 1;
    p->c = (FormCoef){1, 1};
    return p->node != NULL;
}

/* ---- sums ---- */

static FormCoef coef_sign(FormCoef c) { return (FormCoef){c.num < 0 ? -1 : 1, 1}; }

/* The number that is in front of all terms, but for its sign. */
static FormCoef common_number(const Part *terms, u32 n)
{
    FormCoef c = terms[0].c;
    c.num = c.num < 0 ? -c.num : c.num;
    for (u32 i = 1; i < n; i++) {
        i64 num = terms[i].c.num < 0 ? -terms[i].c.num : terms[i].c.num;
        if (num != c.num || terms[i].c.den != c.den)
            return (FormCoef){1, 1};
    }
    return c;
}

/* A + A', not A' + A. */
static void turned_last(Node **ops, u32 n)
{
    for (u32 i = 0; i + 1 < n; i++)
        if (ops[i]->op == OP_TRANSPOSE && ops[i]->ops[0] == ops[i + 1]) {
            Node *t = ops[i];
            ops[i] = ops[i + 1];
            ops[i + 1] = t;
        }
}

/* The terms of one sign, added. */
static bool added(Back *b, const Part *terms, u32 n, bool negative, Part *out)
{
    Node **ops = xmalloc((n + 1) * sizeof *ops);
    u32 count = 0;
    for (u32 i = 0; i < n; i++)
        if ((terms[i].c.num < 0) == negative)
            ops[count++] = terms[i].node;
    turned_last(ops, count);
    out->node = !count ? NULL : count == 1 ? ops[0] : node_make(b->st, OP_ADD, NULL, count, ops);
    free(ops);
    return !count || out->node;
}

static bool plain_but_sign(Back *b, Part *p)
{
    FormCoef sign = coef_sign(p->c);
    p->c.num = p->c.num < 0 ? -p->c.num : p->c.num;
    if (!build_plain(b, p))
        return false;
    p->c = sign;
    return true;
}

bool build_sum_of(Back *b, const Part *terms, u32 n, Part *out)
{
    if (n == 1) {
        *out = terms[0];
        return true;
    }
    Part *own = xmalloc(n * sizeof *own), plus = {0}, minus = {0};
    FormCoef c = dtype_is_float(b->dtype) ? common_number(terms, n) : (FormCoef){1, 1};
    bool ok = true;
    memcpy(own, terms, n * sizeof *own);
    for (u32 i = 0; i < n && ok; i++) {
        if (!coef_is(c, 1))
            own[i].c = coef_sign(own[i].c);
        ok = plain_but_sign(b, &own[i]);
    }
    *out = (Part){.c = c, .power = 1};
    ok = ok && aligned(b, own, n, out) && added(b, own, n, false, &plus) &&
         added(b, own, n, true, &minus);
    free(own);
    if (!ok)
        return false;
    out->node = !minus.node  ? plus.node
                : !plus.node ? minus.node
                             : node2(b->st, OP_SUB, NULL, plus.node, minus.node);
    if (!plus.node)
        out->c.num = -out->c.num;
    return out->node != NULL;
}

/* ---- sums over axes ---- */

bool build_summed(Back *b, const Part *p, Names keep, Part *out)
{
    i64 axes[MAX_RANK];
    u32 n = 0;
    *out = *p;
    for (int i = 0, k = 0; i < node_rank(p->node); i++)
        if (keep & name_bit(p->names[i]))
            out->names[k++] = p->names[i];
        else
            axes[n++] = i;
    if (n && out->power < 0 && !build_plain(b, out))
        return false;
    out->node = build_sum(b->st, out->node, intlist(b->st, n, axes));
    return out->node != NULL;
}

/* ---- products of vectors and matrices ---- */

/* Names as a list, the one that is summed over where it is wanted. */
typedef struct {
    int at[MAX_RANK], n;
} List;

static void list_names(List *l, Names names)
{
    for (int i = 0; i < BACK_NAMES; i++)
        if (names & name_bit(i))
            l->at[l->n++] = i;
}

/* How many of the two would have to be transposed for these orders? */
static u32 turns(const Part *x, const List *left, const Part *y, const List *right)
{
    return turned(x, 1, left->at, left->n) + turned(y, 1, right->at, right->n);
}

static bool product_in_order(Back *b, const Part *x, const List *left, const Part *y,
                             const List *right, const List *result, Part *out)
{
    Part l = *x, r = *y;
    if (!ordered(b, &l, left->at, left->n) || !ordered(b, &r, right->at, right->n))
        return false;
    *out = (Part){.power = 1, .node = node2(b->st, OP_MATMUL, NULL, l.node, r.node)};
    memcpy(out->names, result->at, (size_t)result->n * sizeof *result->at);
    return out->node && node_rank(out->node) == result->n &&
           coef_mul(b->dtype, x->c, y->c, &out->c);
}

typedef struct {
    Names batch, x, y; /* of both, of each alone; all stay */
    int summed;
} Pairing;

/* x on the left: (batch, x, summed) times (batch, summed, y). */
static void lists_of(const Pairing *p, List *left, List *right, List *result)
{
    *left = *right = *result = (List){.n = 0};
    list_names(left, p->batch | p->x);
    left->at[left->n++] = p->summed;
    List own = {.n = 0};
    list_names(&own, p->y);
    list_names(right, p->batch);
    for (int i = 0; i + 1 < own.n; i++)
        right->at[right->n++] = own.at[i];
    right->at[right->n++] = p->summed;
    if (own.n)
        right->at[right->n++] = own.at[own.n - 1];
    list_names(result, p->batch);
    list_names(result, p->x);
    for (int i = 0; i < own.n; i++)
        result->at[result->n++] = own.at[i];
}

static bool falls(const List *l)
{
    bool down = false;
    for (int i = 0; i + 1 < l->n; i++)
        down = down || l->at[i] > l->at[i + 1];
    return down;
}

static int names_count(Names n) { return __builtin_popcount(n); }

/* Has the library this product? Batches are of matrices. */
static bool is_matmul(const Pairing *p)
{
    int x = names_count(p->x), y = names_count(p->y), batch = names_count(p->batch);
    return batch ? x == 1 && y == 1 && batch + 2 <= MAX_RANK
                 : x + 1 <= MAX_RANK && y + 1 <= MAX_RANK && (!x || !y || (x == 1 && y == 1));
}

static bool matrices(Back *b, const Part *x, const Part *y, Pairing p, Part *out)
{
    List left, right, result, left2, right2, result2;
    Pairing other = {p.batch, p.y, p.x, p.summed};
    lists_of(&p, &left, &right, &result);
    lists_of(&other, &left2, &right2, &result2);
    u32 one = 2 * turns(x, &left, y, &right) + falls(&result);
    u32 two = 2 * turns(y, &left2, x, &right2) + falls(&result2);
    return one <= two ? product_in_order(b, x, &left, y, &right, &result, out)
                      : product_in_order(b, y, &left2, x, &right2, &result2, out);
}

/* A vector times itself that would have to be stored first: the sum of its squares needs no such
 * pass. */
static bool is_sum_of_squares(const Part *x, const Part *y, const Pairing *p)
{
    return x->node == y->node && op_is_elementwise(x->node->op) && !(p->batch | p->x | p->y);
}

bool build_pair(Back *b, const Part *x, const Part *y, Names keep, Part *out)
{
    Part l, r, both;
    Parts two = {.n = 2};
    if (!build_summed(b, x, keep | part_names(y), &l) ||
        !build_summed(b, y, keep | part_names(x), &r))
        return false;
    Names nx = part_names(&l), ny = part_names(&r), summed = nx & ny & ~keep;
    Pairing p = {nx & ny & keep, nx & ~ny, ny & ~nx, summed ? __builtin_ctz(summed) : 0};
    if (names_count(summed) == 1 && is_matmul(&p) && !is_sum_of_squares(&l, &r, &p)) {
        if ((l.power < 0 && !build_plain(b, &l)) || (r.power < 0 && !build_plain(b, &r)))
            return false;
        return matrices(b, &l, &r, p, out);
    }
    two.at[0] = l;
    two.at[1] = r;
    return build_product_of(b, &two, &both) && build_summed(b, &both, keep, out);
}

/* ---- the whole ---- */

static Node *repeat_to(Back *b, Part *p, const Type *type)
{
    i64 axes[MAX_RANK];
    Node *ops[MAX_RANK + 1] = {p->node};
    u32 k = 0;
    for (int i = 0; i < type->rank; i++) {
        if (k < (u32)node_rank(p->node) && p->names[k] == i)
            axes[k++] = i;
        if (!(ops[i + 1] = back_size(b, type->dims[i], true)))
            return NULL;
    }
    Attr a = {.ints = intlist(b->st, k, axes)};
    return node_make(b->st, OP_BROADCAST, &a, (u32)type->rank + 1, ops);
}

Node *build_result(Back *b, Part *p, const Type *type)
{
    int names[MAX_RANK];
    i64 new[MAX_RANK];
    u32 count = 0;
    bool ones = true;
    for (int i = 0; i < type->rank; i++) {
        names[i] = i;
        if (place_of(p, i) < 0) {
            new[count++] = i;
            ones = ones && size_is(type->dims[i], 1);
        }
    }
    if (!ordered(b, p, names, type->rank) || !build_plain(b, p))
        return NULL;
    if (!count)
        return p->node;
    Attr a = {.ints = intlist(b->st, count, new)};
    return ones ? node1(b->st, OP_EXPAND_DIMS, &a, p->node) : repeat_to(b, p, type);
}
