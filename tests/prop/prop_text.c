/* Round trips of text on random typed programs: the listing of a graph reads back as the same
 * graph, as written and after every rewrite step; the source that is printed from a syntax tree
 * parses to an equal tree and prints the same again. GRADUS_SEED and GRADUS_CASES choose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ast_equal.h"
#include "effort.h"
#include "listing_check.h"
#include "rewrite/history.h"
#include "run_text.h"

typedef struct {
    u64 state;
    Text out;
    int loops; /* nesting */
} Gen;

static u32 pick(Gen *g, u32 n)
{
    g->state = g->state * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(g->state >> 33) % n;
}

#define PICK(g, list) ((list)[pick(g, COUNT_OF(list))])

typedef enum { SCALAR, VECTOR, MATRIX } Shape;

/* What a template holds: S a scalar, V a vector, M a matrix, # a loop's own names. */
static const char *const scalars[] = {"(S + S)",
                                      "S * S",
                                      "tanh(S)",
                                      "-S ^ 2",
                                      "sum(V)",
                                      "V @ V",
                                      "max(V)",
                                      "V[0]",
                                      "V[-1]",
                                      "f(S, w=S)",
                                      "f(S)",
                                      "(if S > 0 then S else S)",
                                      "{ q = S; q * q }",
                                      "(z -> z + S)(S)",
                                      "f64(k) / S",
                                      "mean(M)",
                                      "f64(i32(3) % k)",
                                      "clip(S, -1, 1)",
                                      "min(V, axis=0)",
                                      "where(S > 0, S, S)"};
static const char *const vectors[] = {"V + V",
                                      "V * S",
                                      "exp(-V)",
                                      "M @ V",
                                      "V @ M",
                                      "M[0]",
                                      "M[:, 1]",
                                      "V[::-1]",
                                      "where(V > 0, V, V)",
                                      "(V with [0] = S)",
                                      "(V with [1] += S)",
                                      "sum(M, axis=1)",
                                      "softmax(V)",
                                      "cumsum(V)",
                                      "[S, S, S]",
                                      "zeros_like(V)",
                                      "concat((V[1:], V[:1]))",
                                      "V[[2, 0, 1]]",
                                      "map(z -> z * S, V)",
                                      "f(V)"};
static const char *const matrices[] = {
    "M * M",  "M'",    "outer(V, V)",     "M + V",     "V[:, None] * V",
    "eye(3)", "M @ M", "flip(M, axis=0)", "[V, V, V]", "reshape(M, (3, 3))"};
static const char *const loops[] = {
    "{ L# = scan t# over x from s# = S { s#[t#] = tanh(s#[t#-1] * S) + x[t#] }; L#.final }",
    "{ L# = scan t# for k from s# = S { s#[t#] = s#[t#-1] * 0.5 + S; until s#[t#] > 0.9 }; sum(L#) "
    "}",
    "sum(scan t# over x, y { o#[t#] = x[t#] * y[t#] + S })",
    "{ L# = scan t# for 3 from s# = [S, S] { s#[t#] = s#[t#-1] - 0.5 * s#[t#-2] }; L#.steps + "
    "L#[-1] }",
    "{ L# = scan t# over x from a# = S, b# = S { a#[t#] = b#[t#-1] + x[t#]; b#[t#] = a#[t#] * S }; "
    "L#.a#[-1] }",
    "sum(scan t# over x from s# = 0.0 { s#[t#] = s#[t#+1] * 0.5 + x[t#] })"};
static const char *const leaves[][4] = {
    {"s", "r", "0.5", "2.0"}, {"x", "y", "x", "y"}, {"M", "M", "eye(3)", "M"}};

static void fill(Gen *g, const char *text, int depth);

static void expr(Gen *g, Shape shape, int depth)
{
    if (depth <= 0) {
        text_put(&g->out, PICK(g, leaves[shape]));
        return;
    }
    text_putc(&g->out, '(');
    if (shape == SCALAR && g->loops < 2 && pick(g, 4) == 0)
        fill(g, PICK(g, loops), depth);
    else if (shape == SCALAR)
        fill(g, PICK(g, scalars), depth);
    else
        fill(g, shape == VECTOR ? PICK(g, vectors) : PICK(g, matrices), depth);
    text_putc(&g->out, ')');
}

static void fill(Gen *g, const char *text, int depth)
{
    bool loop = strchr(text, '#') != NULL;
    int me = g->loops;
    g->loops += loop;
    for (const char *p = text; *p; p++)
        switch (*p) {
        case 'S': expr(g, SCALAR, depth - 1); break;
        case 'V': expr(g, VECTOR, depth - 1); break;
        case 'M': expr(g, MATRIX, depth - 1); break;
        case '#': text_putc(&g->out, (char)('a' + me)); break;
        default: text_putc(&g->out, *p);
        }
    g->loops -= loop;
}

static void program(Gen *g, u64 seed)
{
    g->state = seed * 7919 + 17;
    switch (pick(g, 4)) {
    case 0:
        text_put(&g->out, "grad(");
        expr(g, SCALAR, 3);
        text_put(&g->out, ", [x, s], unconnected=zero)");
        break;
    case 1: expr(g, VECTOR, 4); break;
    default: expr(g, SCALAR, 4);
    }
}

static const char header[] =
    "x : f64[3] = [0.3, -0.7, 1.1]\n"
    "y : f64[3] = [0.2, 0.9, -0.4]\n"
    "s : f64 = 0.6\n"
    "r : f64 = -0.3\n"
    "k : i64 = 3\n"
    "M : f64[3, 3] = [[0.1, 0.2, -0.3], [0.4, 0.0, 0.5], [-0.2, 0.1, 0.3]]\n"
    "f(u, w=2) = u * w + 1\n";

/* ---- checks: each returns NULL, or what is wrong ---- */

static const char *check_listing(Store *st, int n, Node *const *roots)
{
    static const char *const faults[] = {NULL, "a graph has no listing", "a listing is refused",
                                         "a listing reads back as another graph"};
    Text why = {0};
    ListingFault fault = listing_check(st, n, roots, &why);
    if (fault)
        fprintf(stderr, "%s\n", text_str(&why));
    text_free(&why);
    return faults[fault];
}

static const char *check_steps(Session *s, Exploration *x, u32 *graphs)
{
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    const char *why = NULL;
    for (u32 k = 0; k <= x->log.at.len && !why; k++) {
        if (!exploration_replay(x, k, roots))
            why = "the log does not replay";
        else
            why = check_listing(&s->st, x->nroots, roots);
        ++*graphs;
    }
    free(roots);
    return why;
}

static const char *check_source(Session *s, Gen *g)
{
    const Source *src = session_source(s, "case", text_str(&g->out), g->out.len);
    Expr *first = parse_expression(source_whole(src), &s->arena, &s->diags);
    if (!first)
        return "the program does not parse";
    Text once = {0}, twice = {0};
    ast_print_expr(&once, first);
    const Source *printed = session_source(s, "printed", text_str(&once), once.len);
    Expr *second = parse_expression(source_whole(printed), &s->arena, &s->diags);
    if (second)
        ast_print_expr(&twice, second);
    const char *why = !second                     ? "what was printed does not parse"
                      : !ast_equal(first, second) ? "what was printed is another tree"
                      : strcmp(text_str(&once), text_str(&twice)) != 0
                          ? "printing twice gives another text"
                          : NULL;
    if (why)
        print_error("%s\n%s\n", text_str(&once), text_str(&twice));
    text_free(&once);
    text_free(&twice);
    return why;
}

/* ---- cases ---- */

static const char *check_graph(Session *s, Gen *g, u32 *graphs)
{
    Exploration *x = run_pipeline(s, text_str(&g->out));
    return x ? check_steps(s, x, graphs) : "it does not build or rewrite";
}

static bool one_case(unsigned seed, u32 *graphs)
{
    Gen g = {0};
    Session s;
    program(&g, seed);
    const char *why = session_init(&s) ? NULL : "the session does not start";
    run_statements(&s, header);
    if (!why)
        why = check_source(&s, &g);
    if (!why)
        why = check_graph(&s, &g, graphs);
    if (why) {
        print_error("%s, seed %u: %s\n", why, seed, text_str(&g.out));
        for (size_t i = 0; i < s.diags.list.len; i++)
            print_error("  %s\n", s.diags.list.at[i].message);
    }
    text_free(&g.out);
    session_free(&s);
    return !why;
}

static void test_texts_read_back(void **state)
{
    (void)state;
    unsigned seed = from_env("GRADUS_SEED", 1), cases = effort_cases(1000), failed = 0;
    u32 graphs = 0;
    for (unsigned i = 0; i < cases && failed < 5; i++)
        failed += !one_case(seed + i, &graphs);
    print_message("%u programs, %u graphs read back\n", cases, graphs);
    assert_int_equal(failed, 0);
    assert_true(graphs > cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts_read_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
