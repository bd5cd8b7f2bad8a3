/* Index forms of random expressions over sums, products and contractions: scrambled by random true
 * rules they have the same form, and `:equal` proves it; changed by a small error they have another
 * one, unless their values agree, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../effort.h"
#include "../run_text.h"
#include "algebra/form.h"
#include "session/equal.h"

/* ---- expressions ---- */

typedef enum { SCALAR, VECTOR, MATRIX } Shape;
typedef enum {
    LEAF,
    NUMBER,
    ADD,
    SUB,
    TIMES,
    SCALE,
    DOT,
    SUM,
    TRACE,
    ROWS,
    APPLY,
    PRODUCT,
    TURN,
    OUTER,
    SINE,
    WIDEN
} Kind;

typedef struct Ex Ex;
struct Ex {
    Kind kind;
    Shape shape;
    int which; /* LEAF: of three; NUMBER: it; ROWS, WIDEN: the axis */
    Ex *a, *b;
};

typedef struct {
    Arena arena;
    u64 state;
} Gen;

static u32 pick(Gen *g, u32 n)
{
    g->state = hash_mix(g->state, 77);
    return (u32)(g->state >> 33) % n;
}

static Ex *ex(Gen *g, Kind kind, Shape shape, Ex *a, Ex *b)
{
    Ex *e = arena_alloc(&g->arena, sizeof *e);
    *e = (Ex){kind, shape, 0, a, b};
    return e;
}

static Ex *at(Gen *g, Kind kind, Shape shape, int which, Ex *a)
{
    Ex *e = ex(g, kind, shape, a, NULL);
    e->which = which;
    return e;
}

static Ex *make(Gen *g, Shape shape, int depth);

static Ex *make_scalar(Gen *g, int depth)
{
    switch (pick(g, 5)) {
    case 0: return ex(g, DOT, SCALAR, make(g, VECTOR, depth), make(g, VECTOR, depth));
    case 1: return ex(g, SUM, SCALAR, make(g, VECTOR, depth), NULL);
    case 2: return ex(g, SUM, SCALAR, make(g, MATRIX, depth), NULL);
    case 3: return ex(g, TRACE, SCALAR, make(g, MATRIX, depth), NULL);
    default: return at(g, NUMBER, SCALAR, 2 + (int)pick(g, 3), NULL);
    }
}

static Ex *make_vector(Gen *g, int depth)
{
    switch (pick(g, 4)) {
    case 0: return at(g, ROWS, VECTOR, (int)pick(g, 2), make(g, MATRIX, depth));
    case 1: return ex(g, SINE, VECTOR, make(g, VECTOR, depth), NULL);
    default: return ex(g, APPLY, VECTOR, make(g, MATRIX, depth), make(g, VECTOR, depth));
    }
}

static Ex *make_matrix(Gen *g, int depth)
{
    switch (pick(g, 4)) {
    case 0: return ex(g, TURN, MATRIX, make(g, MATRIX, depth), NULL);
    case 1: return ex(g, OUTER, MATRIX, make(g, VECTOR, depth), make(g, VECTOR, depth));
    default: return ex(g, PRODUCT, MATRIX, make(g, MATRIX, depth), make(g, MATRIX, depth));
    }
}

static Ex *make(Gen *g, Shape shape, int depth)
{
    if (depth-- <= 0 || !pick(g, 6))
        return at(g, LEAF, shape, (int)pick(g, 3), NULL);
    switch (pick(g, 8)) {
    case 0: return ex(g, ADD, shape, make(g, shape, depth), make(g, shape, depth));
    case 1: return ex(g, SUB, shape, make(g, shape, depth), make(g, shape, depth));
    case 2: return ex(g, TIMES, shape, make(g, shape, depth), make(g, shape, depth));
    case 3: return ex(g, SCALE, shape, make(g, SCALAR, depth), make(g, shape, depth));
    default:
        return shape == SCALAR   ? make_scalar(g, depth)
               : shape == VECTOR ? make_vector(g, depth)
                                 : make_matrix(g, depth);
    }
}

/* ---- as text: %1 and %2 are the operands ---- */

static const char *form_of(const Ex *e)
{
    switch (e->kind) {
    case ADD: return "(%1 + %2)";
    case SUB: return "(%1 - %2)";
    case TIMES:
    case SCALE: return "(%1 * %2)";
    case DOT:
    case APPLY:
    case PRODUCT: return "(%1 @ %2)";
    case SUM: return "sum(%1)";
    case TRACE: return "trace(%1)";
    case ROWS: return e->which ? "sum(%1, axis=1)" : "sum(%1, axis=0)";
    case TURN: return "(%1)'";
    case OUTER: return "((%1)[:, None] * (%2)[None, :])";
    case SINE: return "sin(%1)";
    case WIDEN: return e->which ? "(%1)[None, :]" : "(%1)[:, None]";
    default: return "";
    }
}

static void put(const Ex *e, Text *out)
{
    static const char *const leaves[] = {"abc", "xyz", "ABC"};
    if (e->kind == NUMBER)
        text_printf(out, "%d.0", e->which);
    if (e->kind == LEAF)
        text_putc(out, leaves[e->shape][e->which]);
    for (const char *s = form_of(e); *s; s++) {
        if (*s != '%') {
            text_putc(out, *s);
            continue;
        }
        put(*++s == '1' ? e->a : e->b, out);
    }
}

/* ---- true rules ---- */

static Ex *sum_rules(Gen *g, Ex *e)
{
    Ex *a = e->a, *b = e->b;
    switch (pick(g, 3)) {
    case 0: return ex(g, ADD, e->shape, b, a);
    case 1: return a->kind == ADD ? ex(g, ADD, e->shape, a->a, ex(g, ADD, e->shape, a->b, b)) : e;
    default:
        return ex(g, SUB, e->shape, a, ex(g, SCALE, e->shape, at(g, NUMBER, SCALAR, -1, NULL), b));
    }
}

static bool is_sum(const Ex *e) { return e->kind == ADD || e->kind == SUB; }

/* f(a) + f(b) where a sum of them stands, f putting one in place of e's operand. */
static Ex *spread(Gen *g, Ex *e, bool right)
{
    Ex *sum = right ? e->b : e->a, *left = ex(g, e->kind, e->shape, e->a, e->b),
       *other = ex(g, e->kind, e->shape, e->a, e->b);
    if (!is_sum(sum))
        return e;
    left->which = other->which = e->which;
    *(right ? &left->b : &left->a) = sum->a;
    *(right ? &other->b : &other->a) = sum->b;
    return ex(g, sum->kind, e->shape, left, other);
}

static Ex *product_rules(Gen *g, Ex *e)
{
    Ex *a = e->a, *b = e->b;
    Ex *turned_a = ex(g, TURN, MATRIX, a, NULL), *turned_b = ex(g, TURN, MATRIX, b, NULL);
    switch (pick(g, 3)) {
    case 0: return ex(g, TURN, MATRIX, ex(g, PRODUCT, MATRIX, turned_b, turned_a), NULL);
    case 1:
        return b->kind == PRODUCT ? ex(g, PRODUCT, MATRIX, ex(g, PRODUCT, MATRIX, a, b->a), b->b)
                                  : e;
    default: return spread(g, e, pick(g, 2));
    }
}

static Ex *apply_rules(Gen *g, Ex *e)
{
    Ex *a = e->a, *b = e->b;
    switch (pick(g, 4)) {
    case 0:
        return a->shape == MATRIX ? ex(g, APPLY, VECTOR, b, ex(g, TURN, MATRIX, a, NULL))
                                  : ex(g, APPLY, VECTOR, ex(g, TURN, MATRIX, b, NULL), a);
    case 1: {
        Ex *row = at(g, WIDEN, MATRIX, a->shape == MATRIX, a->shape == MATRIX ? b : a);
        Ex *all = ex(g, TIMES, MATRIX, a->shape == MATRIX ? a : b, row);
        return at(g, ROWS, VECTOR, a->shape == MATRIX, all);
    }
    case 2:
        return a->kind == PRODUCT && b->shape == VECTOR
                   ? ex(g, APPLY, VECTOR, a->a, ex(g, APPLY, VECTOR, a->b, b))
                   : e;
    default: return spread(g, e, pick(g, 2));
    }
}

static Ex *scalar_rules(Gen *g, Ex *e)
{
    Ex *a = e->a;
    if (e->kind == DOT)
        return pick(g, 2) ? ex(g, DOT, SCALAR, e->b, a)
                          : ex(g, SUM, SCALAR, ex(g, TIMES, VECTOR, a, e->b), NULL);
    if (e->kind == TRACE && a->kind == PRODUCT)
        return pick(g, 2) ? ex(g, TRACE, SCALAR, ex(g, PRODUCT, MATRIX, a->b, a->a), NULL)
                          : ex(g, SUM, SCALAR,
                               ex(g, TIMES, MATRIX, a->a, ex(g, TURN, MATRIX, a->b, NULL)), NULL);
    if (e->kind == SUM && a->shape == MATRIX)
        return ex(g, SUM, SCALAR, at(g, ROWS, VECTOR, (int)pick(g, 2), a), NULL);
    return spread(g, e, false);
}

static Ex *rewrite(Gen *g, Ex *e)
{
    switch (e->kind) {
    case ADD: return sum_rules(g, e);
    case TIMES: return pick(g, 2) ? ex(g, TIMES, e->shape, e->b, e->a) : spread(g, e, pick(g, 2));
    case SCALE: return spread(g, e, pick(g, 2));
    case PRODUCT: return product_rules(g, e);
    case APPLY: return e->a->shape == e->b->shape ? e : apply_rules(g, e);
    case DOT:
    case SUM:
    case TRACE: return scalar_rules(g, e);
    case TURN: return pick(g, 2) ? spread(g, e, false) : e->a->kind == TURN ? e->a->a : e;
    case ROWS:
        return pick(g, 2) ? spread(g, e, false)
                          : at(g, ROWS, VECTOR, !e->which, ex(g, TURN, MATRIX, e->a, NULL));
    case OUTER: return spread(g, e, pick(g, 2));
    default: return e;
    }
}

static Ex *scramble(Gen *g, Ex *e)
{
    Ex *own =
        ex(g, e->kind, e->shape, e->a ? scramble(g, e->a) : NULL, e->b ? scramble(g, e->b) : NULL);
    own->which = e->which;
    for (u32 k = pick(g, 3); k > 0; k--)
        own = rewrite(g, own);
    return own;
}

static u32 leaves(const Ex *e)
{
    return e->kind == LEAF ? 1 : (e->a ? leaves(e->a) : 0) + (e->b ? leaves(e->b) : 0);
}

/* The k-th leaf becomes another one, or (of a sum above it) the sign is another. */
static Ex *spoil(Gen *g, Ex *e, u32 *k)
{
    Ex *own = ex(g, e->kind, e->shape, NULL, NULL);
    own->which = e->which;
    if (e->kind == LEAF)
        own->which = (*k)-- == 0 ? (e->which + 1) % 3 : e->which;
    bool here = e->kind == ADD && *k == 0 && pick(g, 2);
    if (here) {
        own->kind = SUB;
        *k = UINT32_MAX / 2;
    }
    own->a = e->a ? spoil(g, e->a, k) : NULL;
    own->b = e->b ? spoil(g, e->b, k) : NULL;
    return own;
}

/* ---- what is checked ---- */

static Node *node_of(Session *s, const Ex *e, Text *text)
{
    Node **roots = NULL;
    text->len = 0;
    put(e, text);
    int n = run_roots(s, text_str(text), &roots);
    Node *out = n == 1 ? roots[0] : NULL;
    free(roots);
    return out;
}

static EqualVerdict verdict_of(Session *s, Node *left, Node *right)
{
    Saturating how = s->options.saturating;
    Node *sides[] = {left, right};
    SidesCompared e;
    how.nodes = 500; /* a proof by form needs none */
    how.iterations = 1;
    assert_true(session_equal(s, &how, sides, &e));
    EqualVerdict v = e.verdict;
    equal_free(&e);
    return v;
}

static bool values_differ(Session *s, Node *left, Node *right)
{
    Evidence e;
    Node *sides[] = {left, right};
    bool differ = session_compare_values(s, sides, NULL, &e) &&
                  evidence_of(&e, DIFFER_VALUE, ORDINARY) != NULL;
    evidence_free(&e);
    return differ;
}

typedef struct {
    u32 same, left_out, different, neutral;
} Tally;

static void check(Session *s, u32 seed, Tally *t)
{
    Gen g = {.state = seed};
    Text left = {0}, right = {0}, wrong = {0};
    Algebra a;
    Ex *e = make(&g, (Shape)pick(&g, 3), 4), *other = scramble(&g, scramble(&g, e));
    u32 at_leaf = pick(&g, leaves(e) + 1);
    Ex *bad = spoil(&g, other, &at_leaf);
    Node *x = node_of(s, e, &left), *y = node_of(s, other, &right), *z = node_of(s, bad, &wrong);
    if (!x || !y || !z || x->type != y->type)
        fail_msg("seed %u: %s or %s is no expression", seed, text_str(&left), text_str(&right));
    algebra_init(&a, &s->st);
    const Form *form = algebra_form(&a, x).form, *scrambled = algebra_form(&a, y).form;
    bool limited = a.limited.what != NULL;
    const Form *spoilt = algebra_form(&a, z).form;
    t->same += form == scrambled;
    t->left_out += limited;
    if (form != scrambled && !limited)
        fail_msg("seed %u: %s and %s have two forms", seed, text_str(&left), text_str(&right));
    if (form == scrambled && x != y && seed % 8 == 0 && !verdict_is_equal(verdict_of(s, x, y)))
        fail_msg("seed %u: %s and %s are not proved equal", seed, text_str(&left),
                 text_str(&right));
    t->neutral += spoilt == form;
    t->different += spoilt != form;
    if (spoilt == form && values_differ(s, x, z))
        fail_msg("seed %u: %s and %s have one form", seed, text_str(&left), text_str(&wrong));
    if (spoilt != form && seed % 8 == 0 && values_differ(s, x, z) &&
        verdict_is_equal(verdict_of(s, x, z)))
        fail_msg("seed %u: %s and %s are proved equal", seed, text_str(&left), text_str(&wrong));
    algebra_free(&a);
    text_free(&left);
    text_free(&right);
    text_free(&wrong);
    arena_free(&g.arena);
}

static void test_scrambled(void **state)
{
    (void)state;
    enum { OF_A_SESSION = 50 };
    Tally t = {0};
    u32 cases = effort_cases(600), first = from_env("GRADUS_SEED", 1);
    for (u32 from = 0; from < cases; from += OF_A_SESSION) {
        Session s;
        assert_true(session_init(&s));
        assert_true(run_statements(&s,
                                   "a : f64; b : f64; c : f64; x : f64[n]; y : f64[n]; z : f64[n];"
                                   "A : f64[n, n]; B : f64[n, n]; C : f64[n, n]"));
        for (u32 k = from; k < cases && k < from + OF_A_SESSION; k++)
            check(&s, first + k, &t);
        session_free(&s);
    }
    print_message("%u of %u have one form, %u met a limit; of those with an error %u have another "
                  "form, %u the same "
                  "value\n",
                  t.same, cases, t.left_out, t.different, t.neutral);
    assert_true(t.same + t.left_out >= cases && t.left_out <= cases / 20 + 1);
    assert_true(t.different > cases / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scrambled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
