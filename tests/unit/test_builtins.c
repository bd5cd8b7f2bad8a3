/* Tests of the table of builtins: what it says of itself, and that wrong arguments of
 * every kind give a diagnostic or a value, never both, never neither, never a crash.
 * GRADUS_CASES sets how many calls of each builtin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "effort.h"
#include "run_text.h"

static Value *value_of(Session *s, const char *text)
{
    diags_free(&s->diags);
    s->diags = (Diags){0};
    const Source *src = session_source(s, "t.gr", text, strlen(text));
    return session_value(s, source_whole(src));
}

static void names_are_unique(void **state)
{
    (void)state;
    for (size_t i = 0; i < builtin_count; i++) {
        assert_ptr_equal(builtin_by_name(builtins[i].name), &builtins[i]);
        assert_non_null(builtins[i].apply);
    }
}

static void docs_are_sentences(void **state)
{
    (void)state;
    for (size_t i = 0; i < builtin_count; i++) {
        const char *doc = builtins[i].doc;
        if (!*doc || !strchr(".?", doc[strlen(doc) - 1]))
            fail_msg("%s: \"%s\"", builtins[i].name, doc);
    }
}

/* Parentheses balance, required parameters come first, at most 12. */
static void signatures_are_well_formed(void **state)
{
    (void)state;
    for (size_t i = 0; i < builtin_count; i++) {
        const char *sig = builtins[i].signature;
        int depth = 0, params = *sig ? 1 : 0;
        bool optional = false, given = false;
        for (const char *p = sig; *p; p++) {
            depth += (*p == '(') - (*p == ')');
            given = given || *p == '=';
            if (*p != ',' || depth)
                continue;
            params++;
            assert_true(given || !optional);
            optional = given;
            given = false;
        }
        assert_true(given || !optional || params < 2);
        assert_int_equal(depth, 0);
        assert_true(params <= 12);
    }
}

/* ---- wrong arguments ---- */

static const char *const odd[] = {"1",
                                  "-2",
                                  "0.5",
                                  "true",
                                  "[1, 2, 3]",
                                  "[[4.0, 1.0], [1.0, 3.0]]",
                                  "[true, false]",
                                  "zeros((0, 2))",
                                  "rng(1)",
                                  "(1, 2)",
                                  "((1, 2), x)",
                                  "\"ij,j\"",
                                  "None",
                                  "sin",
                                  "x",
                                  "M",
                                  "i32(x)",
                                  "f32(M)",
                                  "()",
                                  "9223372036854775807",
                                  "nan",
                                  "zeros((1, 1, 1, 1, 1, 1, 1, 1))"};

/* The value or the diagnostic; counts the calls. */
static int try_call(Session *s, const char *text)
{
    Value *v = value_of(s, text);
    if (!v && !s->diags.errors)
        fail_msg("neither a value nor a diagnostic: %s", text);
    if (v && s->diags.errors)
        fail_msg("a value and a diagnostic: %s", text);
    return 1;
}

static int try_arguments(Session *s, const char *name, int n, u32 *seed)
{
    Text t = {0};
    text_printf(&t, "%s(", name);
    for (int i = 0; i < n; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        text_printf(&t, "%s%s", i ? ", " : "", odd[(*seed >> 8) % COUNT_OF(odd)]);
    }
    text_putc(&t, ')');
    int done = try_call(s, text_str(&t));
    text_free(&t);
    return done;
}

static void session_with_inputs(Session *s)
{
    assert_true(session_init(s));
    Type *vec, *mat;
    Size *n = size_name(&s->st, symbol(&s->st, "n")), *dims[] = {n, n};
    vec = type_tensor(&s->st, DT_F64, 1, dims);
    mat = type_tensor(&s->st, DT_F64, 2, dims);
    Symbol x = symbol(&s->st, "x"), m = symbol(&s->st, "M");
    env_set(&s->elab, s->elab.globals, x,
            value_node(&s->elab, node_input(&s->st, OP_INPUT, x, vec)));
    env_set(&s->elab, s->elab.globals, m,
            value_node(&s->elab, node_input(&s->st, OP_INPUT, m, mat)));
}

static void odd_arguments(void **state)
{
    (void)state;
    Session s;
    u32 seed = 17;
    int done = 0, cases = (int)effort_cases(120);
    session_with_inputs(&s);
    for (size_t i = 0; i < builtin_count; i++) {
        const char *name = builtins[i].name;
        if (!strcmp(name, "save") || !strcmp(name, "load"))
            continue;
        for (int k = 0; k < cases; k++)
            done += try_arguments(&s, name, k % 5, &seed);
    }
    session_free(&s);
    assert_true(done > 50 * cases);
}

static void every_kind_in_first_place(void **state)
{
    (void)state;
    Session s;
    session_with_inputs(&s);
    for (size_t i = 0; i < builtin_count; i++)
        for (size_t k = 0; k < COUNT_OF(odd) && strcmp(builtins[i].name, "save"); k++) {
            char text[200];
            snprintf(text, sizeof text, "%s(%s)", builtins[i].name, odd[k]);
            try_call(&s, text);
            snprintf(text, sizeof text, "%s(%s, %s)", builtins[i].name, odd[k], odd[k]);
            try_call(&s, text);
            snprintf(text, sizeof text, "%s(x, nosuch=%s)", builtins[i].name, odd[k]);
            try_call(&s, text);
            assert_true(s.diags.errors > 0);
        }
    session_free(&s);
}

/* ---- arguments that are wrong for certain ---- */

static void session_with_values(Session *s)
{
    assert_true(session_init(s));
    s->st.heap.limit = (size_t)64 << 20;
    assert_true(run_statements(
        s, "x : f64[3] = [1, 2, 3]; k : i64 = 2; c : bool[3] = [true, false, true]\n"
           "M : f64[3, 3] = [[4, 1, 0], [1, 5, 1], [0, 1, 6]]; i : i64[2] = [0, 2]\n"));
}

/* Parameters by name, and an argument that is right for each. */
static const struct {
    const char *name, *good;
} rights[] = {{"condition", "c"},
              {"xs", "(M, M)"},
              {"r", "rng(1)"},
              {"p", "x"},
              {"f", "sin"},
              {"spec", "\"ij->ji\""},
              {"loss", "sum(x * x)"},
              {"y", "x"},
              {"seed", "k"},
              {"shape", "(3, 3)"},
              {"start", "0"},
              {"stop", "k"},
              {"num", "3"},
              {"n", "3"},
              {"i", "i"},
              {"indices", "i"},
              {"pad_width", "1"},
              {"reps", "2"},
              {"parts", "3"},
              {"value", "1.5"},
              {"low", "0"},
              {"high", "9"},
              {"k", "1"},
              {"axis", "0"},
              {"path", "\"none.npy\""},
              {"lo", "0"},
              {"hi", "1"}};

typedef struct {
    char name[24], good[24];
    bool needed;
} Parameter;

/* The parameters of a signature. */
static int parameters(const Builtin *b, Parameter *out)
{
    int n = 0;
    for (const char *s = b->signature; *s && *s != '.'; n++) {
        int depth = 0;
        size_t len = 0, name = strcspn(s, "=,");
        while (s[len] && (depth || s[len] != ','))
            depth += (s[len] == '(') - (s[len] == ')'), len++;
        Parameter *p = &out[n];
        snprintf(p->name, sizeof p->name, "%.*s", (int)name, s);
        snprintf(p->good, sizeof p->good, "M");
        p->needed = s[name] != '=';
        for (size_t k = 0; k < COUNT_OF(rights); k++)
            if (strcmp(rights[k].name, p->name) == 0)
                snprintf(p->good, sizeof p->good, "%s", rights[k].good);
        s += len + strspn(s + len, ", ");
    }
    bool scalars = strcmp(b->name, "swapaxes") == 0, vector = strcmp(b->name, "searchsorted") == 0;
    for (int i = 0; i < n; i++) {
        if (scalars && i)
            snprintf(out[i].good, sizeof out[i].good, "0");
        if ((vector && !i) || strcmp(b->name, "outer") == 0)
            snprintf(out[i].good, sizeof out[i].good, "x");
    }
    return n;
}

/* name(good, ..., BAD, ...): argument `at` replaced, by keyword if it need not be there. */
static void call_with(Text *out, const Builtin *b, int n, const Parameter *p, int at,
                      const char *bad)
{
    int put = 0;
    text_printf(out, "%s(", b->name);
    for (int i = 0; i < n; i++) {
        if (!p[i].needed && i != at)
            continue;
        text_put(out, put++ ? ", " : "");
        if (!p[i].needed)
            text_printf(out, "%s=", p[i].name);
        text_put(out, i == at ? bad : p[i].good);
    }
    text_putc(out, ')');
}

/* An error: while the graph is built, or when it runs. */
static bool is_refused(Session *s, const char *text)
{
    Value *v = value_of(s, text);
    Node **roots = NULL, *missing;
    int n = v && v->kind != V_FUNCTION ? session_roots(s, v, (Span){0}, &roots) : -1;
    bool refused = !v || (n < 0 && v->kind != V_FUNCTION);
    if (n >= 0 && !session_missing(s, n, roots, &missing)) {
        Tensor **out = calloc((size_t)n + 1, sizeof *out);
        refused = !session_evaluate(s, n, roots, out);
        for (int i = 0; i < n; i++)
            tensor_unref(out[i]);
        free(out);
    }
    free(roots);
    if (refused != (s->diags.errors > 0))
        fail_msg("%s: %zu diagnostics", text, s->diags.errors);
    return refused;
}

static void every_wrong_arity(void **state)
{
    (void)state;
    Session s;
    int calls = 0;
    session_with_values(&s);
    for (size_t i = 0; i < builtin_count; i++) {
        const Builtin *b = &builtins[i];
        Parameter p[12];
        if (!strcmp(b->name, "not") || !strcmp(b->name, "and") || !strcmp(b->name, "or"))
            continue; /* words of the grammar */
        int n = parameters(b, p), needed = 0;
        for (int k = 0; k < n; k++)
            needed += p[k].needed;
        bool more = strstr(b->signature, "...") != NULL; /* sums and products of any number */
        for (int count = 0; count < n + 4; count++) {
            Text t = {0};
            if (count >= needed && (more || count <= n))
                continue;
            text_printf(&t, "%s(", b->name);
            for (int k = 0; k < count; k++)
                text_printf(&t, "%s%s", k ? ", " : "", k < n ? p[k].good : "x");
            text_putc(&t, ')');
            if (!is_refused(&s, text_str(&t)))
                fail_msg("taken: %s", text_str(&t));
            if (strcmp(s.diags.list.at[0].code, "arity") != 0)
                fail_msg("%s: %s", text_str(&t), s.diags.list.at[0].code);
            text_free(&t);
            calls++;
        }
    }
    session_free(&s);
    print_message("%d calls\n", calls);
    assert_true(calls > 500);
}

/* What is wrong for a parameter, by its name; "*" for all others. */
static const struct {
    const char *name;
    const char *wrong[14];
} wrongs[] = {
    {"axis",
     {"9", "-9", "0.5", "true", "\"a\"", "x", "sin", "rng(1)", "(0, 0)", "(0, 9)", "k", "2^62"}},
    {"keepdims", {"1", "0.5", "\"a\"", "x", "sin", "rng(1)", "c", "(true, true)"}},
    {"dtype", {"1", "\"f64\"", "x", "sin", "rng(1)", "f16"}},
    {"shape",
     {"-1", "(3, -3)", "0.5", "\"a\"", "x", "sin", "rng(1)", "(3, 0.5)", "true", "10^18",
      "(1, 1, 1, 1, 1, 1, 1, 1, 1)"}},
    {"n", {"-1", "0.5", "\"a\"", "x", "sin", "rng(1)", "true", "(1, 0.5)"}},
    {"num", {"-1", "0.5", "true", "\"a\"", "x", "sin", "rng(1)", "(1, 2)"}},
    {"parts", {"-1", "0", "0.5", "\"a\"", "x", "sin", "rng(1)", "2"}},
    {"reps", {"-1", "0.5", "\"a\"", "x", "sin", "rng(1)", "(1, -1)"}},
    {"pad_width", {"-1", "0.5", "\"a\"", "x", "sin", "rng(1)", "(1, 2, 3)", "((1, 2),)"}},
    {"indices", {"3", "-4", "0.5", "\"a\"", "x", "sin", "rng(1)", "c", "[0, 9]"}},
    {"k", {"0.5", "\"a\"", "x", "sin", "rng(1)", "(1, 2)"}},
    {"ddof", {"0.5", "\"a\"", "x", "sin", "rng(1)"}},
    {"axes", {"9", "(0, 0)", "(0,)", "(0, 9)", "\"a\"", "x", "sin", "rng(1)"}},
    {"r", {"1", "0.5", "\"a\"", "x", "sin", "split(rng(1), 2)", "(1, 2)"}},
    {"f", {"1", "\"a\"", "x", "rng(1)", "(1, 2)"}},
    {"side", {"1", "\"up\"", "x", "sin", "rng(1)"}},
    {"trans", {"2", "-1", "0.5", "\"a\"", "x", "sin", "rng(1)"}},
    {"lower", {"1", "\"a\"", "x", "sin", "rng(1)"}},
    {"unit_diagonal", {"1", "\"a\"", "x", "sin", "rng(1)"}},
    {"truncate", {"-1", "0.5", "\"a\"", "x", "sin", "rng(1)"}},
    {"unconnected", {"1", "\"a\"", "x", "sin", "rng(1)", "one"}},
    {"path", {"1", "x", "sin", "rng(1)", "\"none.npy\"", "\"\""}},
    {"spec", {"1", "x", "sin", "\"ij,jk->ik\"", "\"ijk\"", "\"i1\"", "\"->->\""}},
    {"condition", {"1", "x", "0.5", "\"a\"", "sin", "rng(1)", "(true, c)", "[true, false]"}},
    {"where", {"1", "x", "0.5", "\"a\"", "sin", "rng(1)", "(true, c)", "[true, false]"}},
    {"initial", {"x", "\"a\"", "sin", "rng(1)", "(1, 2)"}},
    {"*", {"\"a\"", "sin", "(1, \"a\")", "None", "nosuch"}},
};

/* An argument that is right all the same. */
static bool is_right(const char *name, const char *parameter, const char *bad)
{
    static const char *const fine[][3] = {
        {"reshape", "shape", "-1"},
        {"arange", "stop", "None"},
        {"arange", "step", "None"},
        {"dft", "y", "None"},
        {"eye", "m", "None"},
        {"take", "indices", "3"}, /* of the flattened elements */
        {"take", "indices", "-4"},
        {"roll", "axis", "(0, 0)"},
        {"pad", "pad_width", "((1, 2),)"},
        {"gemm", "c", "None"},
        {"gemm", "alpha", "None"},
        {"gemm", "beta", "None"},
        {"gemv", "c", "None"},
        {"gemv", "alpha", "None"},
        {"gemv", "beta", "None"},
        {"nan_to_num", "nan", "None"},
        {"nan_to_num", "posinf", "None"},
        {"nan_to_num", "neginf", "None"},
        {"tensordot", "axes", "(0, 0)"},
    };
    for (size_t i = 0; i < COUNT_OF(fine); i++)
        if ((!strcmp(name, "einsum") && !strcmp(bad, "None")) ||
            (!strcmp(fine[i][0], name) && !strcmp(fine[i][1], parameter) &&
             !strcmp(fine[i][2], bad)))
            return true;
    return false;
}

static void every_wrong_argument(void **state)
{
    (void)state;
    Session s;
    int calls = 0, taken = 0;
    session_with_values(&s);
    for (size_t i = 0; i < builtin_count; i++) {
        const Builtin *b = &builtins[i];
        Parameter p[12];
        int n = parameters(b, p);
        for (int at = 0; at < n; at++) {
            size_t row = 0;
            while (strcmp(wrongs[row].name, "*") != 0 && strcmp(wrongs[row].name, p[at].name) != 0)
                row++;
            for (int w = 0; wrongs[row].wrong[w]; w++) {
                Text t = {0};
                call_with(&t, b, n, p, at, wrongs[row].wrong[w]);
                bool refused = is_refused(&s, text_str(&t));
                if (!refused && !is_right(b->name, p[at].name, wrongs[row].wrong[w])) {
                    print_error("taken: %s\n", text_str(&t));
                    taken++;
                }
                text_free(&t);
                calls++;
            }
        }
    }
    session_free(&s);
    print_message("%d calls\n", calls);
    assert_int_equal(taken, 0);
    assert_true(calls > 1000);
}

/* Index arrays, scalars, slices and the rest in every order, read and written. */
static void odd_indices(void **state)
{
    (void)state;
    static const char *const subs[] = {"0",
                                       "-1",
                                       "7",
                                       ":",
                                       "1:",
                                       "::-1",
                                       "...",
                                       "None",
                                       "[0, 1]",
                                       "[[0], [1]]",
                                       "i",
                                       "[0.5]",
                                       "x",
                                       "[true, false]",
                                       "[0, 9]",
                                       "i32(i)",
                                       "zeros((0,), dtype=i64)"};
    Session s;
    u32 seed = 5;
    session_with_inputs(&s);
    Symbol i = symbol(&s.st, "i");
    Size *two = size_const(&s.st, 2);
    env_set(
        &s.elab, s.elab.globals, i,
        value_node(&s.elab, node_input(&s.st, OP_INPUT, i, type_tensor(&s.st, DT_I64, 1, &two))));
    for (int k = 0; k < 4000; k++) {
        Text t = {0}, ix = {0};
        int n = 1 + k % 4;
        for (int j = 0; j < n; j++) {
            seed = seed * 1664525u + 1013904223u;
            text_printf(&ix, "%s%s", j ? ", " : "", subs[(seed >> 8) % COUNT_OF(subs)]);
        }
        const char *base = k % 8 < 4 ? "M" : "zeros((2, 3, 4))";
        text_printf(&t,
                    k % 3 == 0   ? "%s[%s]"
                    : k % 3 == 1 ? "%s with [%s] = 1.5"
                                 : "%s with [%s] += x",
                    base, text_str(&ix));
        try_call(&s, text_str(&t));
        text_free(&t);
        text_free(&ix);
    }
    session_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_unique),           cmocka_unit_test(docs_are_sentences),
        cmocka_unit_test(signatures_are_well_formed), cmocka_unit_test(odd_arguments),
        cmocka_unit_test(every_kind_in_first_place),  cmocka_unit_test(odd_indices),
        cmocka_unit_test(every_wrong_arity),          cmocka_unit_test(every_wrong_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
