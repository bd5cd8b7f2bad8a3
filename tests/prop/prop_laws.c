/* Forms with relations (core/algebra): random expressions over whole numbers, truth values, choices
 * and views. Those that have one form have the same values, on ordinary inputs, corners, the ends
 * of ranges, nan and infinity, as far as the form's classes say; and what is made by true rules out
 * of one expression has one form with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../effort.h"
#include "../run_text.h"
#include "algebra/form.h"
#include "rewrite/hazard.h"
#include "session/refute.h"

typedef struct {
    u64 state;
} Gen;

static u32 pick(Gen *g, u32 n)
{
    g->state = hash_mix(g->state, 77);
    return (u32)(g->state >> 33) % n;
}

/* ---- expressions: in a pattern W, B, F stand for others of whole numbers, truths, floats, # for a
 * small number, and lower case for what it says ---- */

static const char *const leaves[] = {"klm", "bcd", "xyz"};
static const char kinds[] = "WBF";
static const char *const whole[] = {"(W + W)",
                                    "(W - W)",
                                    "(W * #)",
                                    "(W // #)",
                                    "(W % #)",
                                    "where(B, W, W)",
                                    "maximum(W, W)",
                                    "minimum(W, W)",
                                    "abs(W)",
                                    "(-W)",
                                    "i64(B)",
                                    "#",
                                    "(W % # + #)",
                                    "(W >> 1)",
                                    "bitwise_and(W, 3)",
                                    "(W with [1:3] = W[0:2])",
                                    "W[::-1]",
                                    "concat((W[2:], W[:2]))",
                                    "sign(W)",
                                    "arange(5)",
                                    "(W with [1] += #)",
                                    "roll(W, 2)"};
static const char *const truth[] = {"(W < W)",        "(W <= #)", "(W == W)",          "(W == #)",
                                    "(B and B)",      "(B or B)", "(not B)",           "(F < F)",
                                    "(F <= #)",       "(F != F)", "(F > #)",           "(B == B)",
                                    "where(B, B, B)", "isnan(F)", "bitwise_xor(B, B)", "B[::-1]"};
static const char *const floats[] = {"where(B, F, F)",
                                     "maximum(F, F)",
                                     "minimum(F, #)",
                                     "abs(F)",
                                     "sign(F)",
                                     "relu(F)",
                                     "(-F)",
                                     "(F + F)",
                                     "(2 * F)",
                                     "(F - F)",
                                     "f64(B)",
                                     "f64(W % 5)",
                                     "F[::-1]",
                                     "concat((F[1:], F[:1]))",
                                     "(F with [2:4] = F[1:3])",
                                     "(F * F)",
                                     "exp(F)",
                                     "tanh(F)",
                                     "sigmoid(F)",
                                     "softplus(F)",
                                     "sin(F)",
                                     "log(F)",
                                     "(F / 3)"};

static void put(Gen *g, char kind, int depth, Text *out)
{
    size_t at = (size_t)(strchr(kinds, kind) - kinds);
    const char *const *patterns[] = {whole, truth, floats};
    u32 counts[] = {COUNT_OF(whole), COUNT_OF(truth), COUNT_OF(floats)};
    if (depth <= 0 || !pick(g, 8)) {
        text_putc(out, leaves[at][pick(g, 2)]);
        return;
    }
    for (const char *s = patterns[at][pick(g, counts[at])]; *s; s++)
        if (*s == '#')
            text_printf(out, "%u", 1 + pick(g, 5));
        else if (strchr(kinds, *s))
            put(g, *s, depth - 1, out);
        else
            text_putc(out, *s);
}

static const char declarations[] =
    "k : i64[5]; l : i64[5]; m : i64[5]; b : bool[5]; c : bool[5]; d : bool[5];"
    "x : f64[5]; y : f64[5]; z : f64[5]";

static Node *node_of(Session *s, const char *text)
{
    Node **roots = NULL;
    int n = run_roots(s, text, &roots);
    Node *out = n == 1 ? roots[0] : NULL;
    free(roots);
    diags_clear(&s->diags);
    return out;
}

/* ---- one form, the same values ---- */

typedef struct {
    DifferKind kind;
    PointKind last;
    u32 unless; /* classes that allow it */
} Forbidden;

static const Forbidden forbidden[] = {
    {DIFFER_VALUE, CORNER, 0},
    {DIFFER_VALUE, EXTREME, HAZARD_O | HAZARD_R},
    {DIFFER_VALUE, NONFINITE, HAZARD_O | HAZARD_R | HAZARD_NPLUS | HAZARD_NMINUS},
    {DIFFER_ERROR, NONFINITE, HAZARD_S},
    {DIFFER_NAN, CORNER, HAZARD_NPLUS | HAZARD_NMINUS | HAZARD_O},
    {DIFFER_NAN, NONFINITE, HAZARD_NPLUS | HAZARD_NMINUS | HAZARD_O},
    {DIFFER_INFINITY, NONFINITE, HAZARD_NPLUS | HAZARD_NMINUS | HAZARD_O},
    {DIFFER_ZERO, EXTREME, HAZARD_Z | HAZARD_O | HAZARD_NPLUS},
    {DIFFER_ROUNDING, EXTREME, HAZARD_R},
};

/* Where numbers are compared, the last place may decide. */
static bool jumps(const char *text) { return strpbrk(text, "<>=") || strstr(text, "sign"); }

static void check_pair(Session *s, const char *left, const char *right, Node *x, Node *y,
                       u32 classes)
{
    Node *sides[] = {x, y};
    Evidence e;
    bool rounds = classes & HAZARD_R && (jumps(left) || jumps(right));
    if (session_compare_values(s, sides, NULL, &e))
        for (size_t i = 0; i < COUNT_OF(forbidden); i++) {
            const Forbidden *f = &forbidden[i];
            Text names = {0};
            hazard_print(&names, classes);
            bool allowed = classes & f->unless || (rounds && f->kind == DIFFER_VALUE);
            if (!allowed && evidence_of(&e, f->kind, f->last))
                fail_msg("%s and %s have one form [%s] and differ: %s", left, right,
                         text_str(&names), differ_names[f->kind]);
            text_free(&names);
        }
    diags_clear(&s->diags);
    evidence_free(&e);
}

typedef struct {
    Node *node;
    char *text;
    FormOf form;
} Formed;

static u32 check_session(u32 seed, u32 count, bool loose)
{
    Session s;
    Algebra a;
    VEC(Formed) all = {0};
    u32 pairs = 0;
    Gen g = {.state = seed};
    assert_true(session_init(&s));
    assert_true(run_statements(&s, declarations));
    algebra_init(&a, &s.st);
    a.relations = true;
    a.loose = loose;
    for (u32 i = 0; i < count; i++) {
        Text t = {0};
        put(&g, kinds[pick(&g, 3)], 1 + (int)pick(&g, 3), &t);
        Formed f = {node_of(&s, text_str(&t)), t.at, {0}};
        if (f.node)
            f.form = algebra_form(&a, f.node);
        bool known = !f.node || !f.form.form;
        for (size_t k = 0; k < all.len && !known; k++) {
            const Formed *o = &all.at[k];
            if (o->form.form != f.form.form || o->node->type != f.node->type)
                continue;
            known = true;
            if (o->node == f.node)
                continue;
            pairs++;
            check_pair(&s, o->text, f.text, o->node, f.node, o->form.classes | f.form.classes);
        }
        if (known)
            text_free(&t);
        else
            vec_push(&all, f);
    }
    for (size_t k = 0; k < all.len; k++)
        free(all.at[k].text);
    vec_free(&all);
    algebra_free(&a);
    session_free(&s);
    return pairs;
}

static void test_same_values(void **state)
{
    enum { OF_A_SESSION = 120 };
    u32 cases = effort_cases(1200), first = from_env("GRADUS_SEED", 1), pairs = 0;
    (void)state;
    for (u32 from = 0; from < cases; from += OF_A_SESSION)
        pairs += check_session(first + from, OF_A_SESSION, from / OF_A_SESSION % 2);
    print_message("%u of %u expressions have the form of another one\n", pairs, cases);
    assert_true(pairs > cases / 40);
}

/* ---- true rules ---- */

/* Both sides of true equations; a letter stands for the same expression on either side. */
static const char *const equations[][2] = {
    {"(V % 7 * 3) % 3", "V * 0"},
    {"(V // 3) // 5", "V // 15"},
    {"(V % 12) % 4", "V % 4"},
    {"(V % 9 + 18) // 9", "V * 0 + 2"},
    {"bitwise_and(V, 7)", "V % 8"},
    {"V >> 2", "V // 4"},
    {"V << 3", "V * 8"},
    {"P and (P or Q)", "P"},
    {"not (P and Q)", "not Q or not P"},
    {"bitwise_xor(P, Q)", "(P or Q) and not (P and Q)"},
    {"V < U", "not (V >= U)"},
    {"V % 5 < U % 5 or V % 5 == U % 5", "U % 5 >= V % 5"},
    {"U < V or U > V", "U != V"},
    {"X <= Y", "X < Y or X == Y"},
    {"X < Y and X <= Y", "X < Y"},
    {"X > 3 and X > 4", "X > 4"},
    {"X == Y and X < Y", "X < X"},
    {"(X + Y)[1:4]", "X[1:4] + Y[1:4]"},
    {"concat((X, Y))[5:]", "Y"},
    {"(X with [1:3] = Y[1:3])[1:3]", "Y[1:3]"},
    {"(X with [1] = 2.0)[3]", "X[3]"},
    {"exp(X)[::-1]", "exp(X[::-1])"},
    {"concat((X[2:], X[:2]))", "roll(X, 3)"},
    {"concat((X, Y))[::-1]", "concat((Y[::-1], X[::-1]))"},
};

/* Of leaves only: a choice that looks at the same number again and again, within a few places of
 * each other, may be written in several ways, and so may quotients of quotients. */
static const char *const equations_of_leaves[][2] = {
    {"(V // 4) * 4 + V % 4", "V"},
    {"where(P, X, where(P, Y, X))", "X"},
    {"where(P, X + Y, X)", "X + where(P, Y, 0)"},
    {"exp(where(P, X, Y))", "where(P, exp(X), exp(Y))"},
    {"where(U < V, U, V)", "minimum(V, U)"},
    {"exp(X) * exp(Y)", "exp(Y + X)"},
    {"exp(-X)", "1 / exp(X)"},
    {"sigmoid(-X)", "1 - sigmoid(X)"},
    {"softplus(X) - softplus(-X)", "X"},
    {"log(sigmoid(X))", "-softplus(-X)"},
    {"log(1 + exp(X))", "softplus(X)"},
    {"tanh(-X)", "-tanh(X)"},
    {"1 - tanh(X) ^ 2", "4 * sigmoid(2 * X) * sigmoid(-2 * X)"},
    {"-atan(-X)", "atan(X)"},
    {"erf(X) - 1", "-erfc(X)"},
    {"sum(softmax(X))", "1.0"},
    {"softmax(X + 3)", "softmax(X)"},
    {"log(softmax(X))", "X - logsumexp(X)"},
    {"logsumexp(X + sum(Y))", "sum(Y) + logsumexp(X)"},
    {"logaddexp(X, Y)", "log(exp(Y) + exp(X))"},
    {"maximum(U, V) + minimum(V, U)", "U + V"},
    {"maximum(U, minimum(U, V))", "U"},
    {"abs(U) * sign(U)", "U"},
    {"abs(U) * abs(U)", "U * U"},
    {"max([X, Y], axis=0)", "maximum(X, Y)"},
};

/* The pattern with these texts in place of its letters. */
static void fill(const char *pattern, Text *const *letters, Text *out)
{
    static const char names[] = "UVPQXY";
    for (const char *s = pattern; *s; s++) {
        const char *at = strchr(names, *s);
        if (at)
            text_put(out, text_str(letters[at - names]));
        else
            text_putc(out, *s);
    }
}

static void check_equation(Session *s, Algebra *a, Gen *g, const char *const *sides, u32 depths)
{
    Text parts[6] = {{0}}, left = {0}, right = {0};
    Text *letters[6];
    for (int i = 0; i < 6; i++) {
        put(g, kinds[i / 2], (int)pick(g, depths), &parts[i]);
        letters[i] = &parts[i];
    }
    fill(sides[0], letters, &left);
    fill(sides[1], letters, &right);
    Node *x = node_of(s, text_str(&left)), *y = node_of(s, text_str(&right));
    const Form *f = x ? algebra_form(a, x).form : NULL, *h = y ? algebra_form(a, y).form : NULL;
    if ((!f || f != h) && !a->limited.what) {
        Text shown = {0};
        if (f && h) {
            form_print(a, f, &shown);
            text_put(&shown, "\nand ");
            form_print(a, h, &shown);
        }
        fail_msg("%s and %s: %s", text_str(&left), text_str(&right), text_str(&shown));
    }
    for (int i = 0; i < 6; i++)
        text_free(&parts[i]);
    text_free(&left);
    text_free(&right);
}

static void check_equations(size_t n, const char *const sides[][2], u32 depths)
{
    for (size_t k = 0; k < n; k++) {
        Session s;
        Algebra a;
        Gen g = {.state = k + from_env("GRADUS_SEED", 1)};
        assert_true(session_init(&s));
        assert_true(run_statements(&s, declarations));
        algebra_init(&a, &s.st);
        a.relations = true;
        for (u32 i = 0; i < effort_cases(8); i++)
            check_equation(&s, &a, &g, sides[k], depths);
        algebra_free(&a);
        session_free(&s);
    }
}

static void test_true_rules(void **state)
{
    (void)state;
    check_equations(COUNT_OF(equations), equations, 2);
    check_equations(COUNT_OF(equations_of_leaves), equations_of_leaves, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_values),
                                       cmocka_unit_test(test_true_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
