/* Tests of the table of builtins: what it says of itself, and that wrong arguments of
 * every kind give a diagnostic or a value, never both, never neither, never a crash.
 * GRADUS_CASES sets how many calls of each builtin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/session.h"

static Value *value_of(Session *s, const char *text)
{
    diags_free(&s->diags);
    s->diags = (Diags){0};
    const Source *src = session_source(s, "t.gr", text, strlen(text));
    return session_value(s, src);
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
    const char *more = getenv("GRADUS_CASES");
    u32 seed = 17;
    int done = 0, cases = more ? atoi(more) : 120;
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
