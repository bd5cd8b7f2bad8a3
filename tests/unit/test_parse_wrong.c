/* Text that is refused: one error per statement, and the reader goes on after it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

#include "parse_help.h"

static void errors_with_hints(void **state)
{
    (void)state;
    assert_error("a < b < c", 1, 7, "chained", "and");
    assert_error("x : = 3", 1, 5, "type", "did you mean `:=`?");
    assert_error("y = f(x == 1, y = = 2)", 1, 19, "expression", "==");
    assert_error("if x = 3 then 1 else 2", 1, 6, "then", "==");
    assert_error("x = 3 = 4", 1, 7, "`=`", "==");
    assert_error("x ** 2", 1, 3, "**", "^");
    assert_error("a && b", 1, 3, "&&", "and");
    assert_error("a || b", 1, 3, "||", "or");
    assert_error("!x", 1, 1, "!", "not x");
    assert_error("x += 1", 1, 3, "+=", "x := x + e");
    assert_error("x[0] = 3", 1, 1, "names", "with [i]");
    assert_error("f = lambda x: x + 1", 1, 12, "", "x -> expression");
    assert_error("def f(x): x", 1, 5, "", "f(x) =");
    assert_error("for i in range(3)", 1, 5, "", "scan");
    assert_error("while x < 3 { y }", 1, 7, "", "scan");
    assert_error("while (x < 3) { y }", 1, 15, "", "scan");
    assert_error("let x = 3", 1, 5, "", "name = expression");
    assert_error("return x", 1, 8, "", "value");
    assert_error("y = 'abc'", 1, 5, "'", "double quotes");
    assert_error("y = +x", 1, 5, "+", "not needed");
    assert_error("y = 2x", 1, 5, "2x", "*");
    assert_error("1.2.3", 1, 1, "1.2.3", NULL);
    assert_error("y = \"abc", 1, 5, "closing", NULL);
    assert_error("\"a\\q\"", 1, 3, "escape", "\\n");
    assert_error("if a then b", 1, 12, "else", NULL);
    assert_error("1 + if a then b else c", 1, 5, "if", "parentheses");
    assert_error("a == not b", 1, 6, "not", "parentheses");
    assert_error("a = 1, 2", 1, 6, ",", "(a, b)");
    assert_error("a, b", 1, 5, "=", "(a, b)");
    assert_error("a, b := 1, 2, 3", 1, 1, "3 values", NULL);
    assert_error("f(x, x) = 3", 1, 6, "two parameters", NULL);
    assert_error("(x, x) -> 3", 1, 5, "two parameters", NULL);
    assert_error("x + 1 -> 3", 1, 1, "->", "x -> e");
    assert_error("g(1) = 2", 1, 3, "parameter", NULL);
    assert_error("f(a=1, b)", 1, 8, "argument", "name");
    assert_error("shared W = 3", 1, 10, "type", "shared W :");
    assert_error("repeat { x }", 1, 8, "count", "repeat 100");
    assert_error(": foo", 1, 1, "command", ":help");
    assert_error("a \xE2\x89\xA4 b", 1, 3, "U+2264", "<=");
    assert_error("\xE2\x80\x9C"
                 "a",
                 1, 1, "U+201C", "\"");
    assert_error("x.", 1, 3, "field", NULL);
    assert_error("x[]", 1, 3, "index", NULL);
    assert_error("a with b", 1, 8, "[", NULL);
}

static void errors_of_brackets(void **state)
{
    (void)state;
    assert_error("y = (1 + 2\nz = 3", 2, 1, "`)` for the `(` of line 1, column 5", NULL);
    assert_error("q = (1, 2]", 1, 10, "`)`", NULL);
    assert_error("r = [1, (2, 3]", 1, 14, "column 9", NULL);
    assert_error("y = f(1,\n  [2", 2, 3, "never closed", NULL);
    assert_error("repeat 3 {\n x", 1, 10, "never closed", NULL);
    assert_error(")", 1, 1, ")", NULL);
    assert_error("a)", 1, 2, ")", "no open bracket");
}

static void errors_of_blocks_and_scans(void **state)
{
    (void)state;
    assert_error("{ a = 1 }", 1, 3, "must end with an expression", NULL);
    assert_error("{ a; b }", 1, 3, "no use", NULL);
    assert_error("{ x := 1; x }", 1, 3, "definitions", NULL);
    assert_error("{ }", 1, 1, "empty", NULL);
    assert_error("scan t for 3 { x[2*t] = 2 }", 1, 16, "`t` alone", "x[t]");
    assert_error("scan t for 3 { x[i] = 2 }", 1, 16, "`t` alone", "x[t]");
    assert_error("scan t for 3 { x[t] := 2 }", 1, 21, ":=", "`=`");
    assert_error("scan t for 3 { x[t] == 2 }", 1, 26, "`=`", "until");
    assert_error("scan t for 3 { until x; y = 2 }", 1, 25, "until", "end");
    assert_error("scan t for 3 { }", 1, 16, "empty", NULL);
    assert_error("scan t for 3 { f(x) }", 1, 16, "no use in a scan", "f(x) = e");
    assert_error("scan t for 3 for 4 { x[t] = 1 }", 1, 14, "two `for`", NULL);
    assert_error("scan t from s { s[t] = 1 }", 1, 15, "first value", NULL);
    assert_error("scan t over u[1:] { s[t] = 1 }", 1, 13, "sequence", "over w = ");
    assert_error("scan t zip { s[t] = 1 }", 1, 12, "strict", NULL);
    assert_error("scan 3 { }", 1, 6, "index variable", NULL);
    assert_error("scan t fro s = 1 { s[t] = 1 }", 1, 8, "clause", NULL);
}

static void recovery(void **state)
{
    (void)state;
    assert_statuses("a = 1\nb = = 2\nc = 3; d = * ; e = 5", false, ".x.x.");
    assert_statuses("y = (1 + 2\nz = 3\nw = 4", false, "x..");
    assert_statuses("y = f(1,\n  2 3\n  4)\nz = 1", false, "x.");
    assert_statuses("repeat 3 {\n a = = 1\n b = 2\n}\nz", false, "x.");
    assert_statuses("s = scan t for 10 from = 3\n  over u\n{\n  x[t] = 1\n}\nz", false, "x.");
    assert_statuses("s = scan t for 10\nw = 1\nz = 2", false, "x.");
    assert_statuses("q = (1, 2]\nz = 2", false, "x.");
    assert_statuses("}\n)\nz", false, "xx.");
    assert_statuses("", false, "");
    assert_statuses(" \n# only\n;\n", false, "");
}

static void bad_bytes(void **state)
{
    (void)state;
    assert_error("caf\xE9 = 3", 1, 4, "byte 0xe9", "UTF-8");
    assert_error("x = 1 # caf\xE9", 1, 12, "byte 0xe9", "UTF-8");
    assert_error("x = \x1b[31m", 1, 5, "0x1b", NULL);
    assert_error("s = \"a\x01z\"", 1, 7, "0x01", NULL);
    assert_error(":draw \xFF\xFE x", 1, 7, "0xff", NULL);
    assert_error("x\ry", 1, 2, "0x0d", NULL);
    Reading r;
    reading_begin_n(&r, "a\0\0\0\0b\nc = 1", 12, false);
    Stmt *s;
    assert_int_equal(parse_statement(&r.parser, &s), PARSE_ERROR);
    assert_int_equal(r.diags.errors, 1);
    assert_non_null(strstr(r.diags.list.at[0].message, "NUL byte 0x00"));
    assert_int_equal(parse_statement(&r.parser, &s), PARSE_OK);
    assert_int_equal(parse_statement(&r.parser, &s), PARSE_END);
    reading_end(&r);
}

static void binary_garbage(void **state)
{
    (void)state;
    u64 h = 1;
    for (int round = 0; round < 300; round++) {
        char bytes[400];
        size_t n = (size_t)round % sizeof bytes;
        for (size_t i = 0; i < n; i++)
            bytes[i] = (char)((h = hash_mix(h, i)) % (round % 2 ? 256 : 127));
        Reading r;
        reading_begin_n(&r, bytes, n, false);
        Stmt *s;
        ParseStatus st;
        size_t steps = 0, errors = 0;
        while ((st = parse_statement(&r.parser, &s)) != PARSE_END) {
            errors += st == PARSE_ERROR;
            assert_int_equal(r.diags.errors, errors);
            assert_true(++steps <= n);
        }
        Text t = {0};
        for (size_t i = 0; i < r.diags.list.len; i++)
            diag_render(&t, &r.diags.list.at[i], false);
        text_free(&t);
        reading_end(&r);
    }
}

static void errors_are_limited(void **state)
{
    (void)state;
    Text t = {0};
    for (int i = 0; i < 10000; i++)
        text_put(&t, "a b\n");
    Reading r;
    reading_begin(&r, text_str(&t));
    Stmt *s;
    while (parse_statement(&r.parser, &s) != PARSE_END)
        continue;
    assert_int_equal(r.diags.errors, 100);
    assert_true(r.diags.list.at[100].note);
    reading_end(&r);
    text_free(&t);
}

/* ---- the prompt ---- */

/* `n` times `unit` between the two ends: an error or a tree, but no crash. */
static void assert_survives(const char *unit, size_t n, const char *middle, const char *closing)
{
    Text t = {0};
    for (size_t i = 0; i < n; i++)
        text_put(&t, unit);
    text_put(&t, middle);
    for (size_t i = 0; i < n; i++)
        text_put(&t, closing);
    text_put(&t, "\nlast = 1\n");
    Reading r;
    reading_begin(&r, text_str(&t));
    Stmt *s, *last = NULL;
    size_t ok = 0;
    for (ParseStatus st; (st = parse_statement(&r.parser, &s)) != PARSE_END;) {
        if (st == PARSE_OK) {
            last = s;
            if (ok++ == 0 && s->kind == S_EXPR)
                assert_round_trip(s);
        }
    }
    assert_true(r.diags.errors <= 1);
    assert_true(ok + r.diags.errors == 2);
    assert_non_null(last);
    assert_string_equal(last->names[0].name, "last");
    reading_end(&r);
    text_free(&t);
}

static void deep_nests_and_long_chains(void **state)
{
    (void)state;
    static const char *const forms[][3] = {
        {"(", "x", ")"},
        {"[", "x", "]"},
        {"{ ", "x", " }"},
        {"-", "x", ""},
        {"not ", "x", ""},
        {"", "x", "'"},
        {"", "x", ".f"},
        {"", "x", "[0]"},
        {"", "x", "()"},
        {"f(", "x", ")"},
        {"x[", "0", "]"},
        {"2^", "x", ""},
        {"2 + ", "x", ""},
        {"x -> ", "x", ""},
        {"if a then b else ", "c", ""},
        {"if ", "a", " then b else c"},
        {"", "x", " with [0] = 1"},
        {"a or ", "b", ""},
        {"scan t for 2 { x[t] = ", "1", " }"},
        {"scan t for ", "2", " { x[t] = t }"},
        {"(x, ", "x", ")"},
        {"repeat 2 { ", "x", " }"},
    };
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        assert_survives(forms[i][0], 100, forms[i][1], forms[i][2]);
        assert_survives(forms[i][0], 900, forms[i][1], forms[i][2]);
        assert_survives(forms[i][0], 10000, forms[i][1], forms[i][2]);
    }
    assert_survives("2^", 100000, "2", "");
    assert_survives("(", 100000, "2", ")");
}

#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define LONG_LINE (1000 * 1000)
#else
#define LONG_LINE (10 * 1000 * 1000)
#endif

/* Well under a second for 10 MB on an idle machine; the limit leaves room for a busy one. */
static void a_long_line(void **state)
{
    (void)state;
    enum { N = LONG_LINE };
    static const char *const units[] = {"1.25, ", "x + ", "(", "a", "$", "\xFF", "\"s\" "};
    char *line = xmalloc(N + 1);
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        size_t n = strlen(units[i]), len = 5;
        memcpy(line, "y = [", 5);
        for (; len + n < N; len += n)
            memcpy(line + len, units[i], n);
        line[len++] = ']';
        line[len] = '\0';
        Source src = {.name = (char *)"t", .text = line, .len = len};
        Arena arena = {0};
        Diags diags = {0};
        Parser p;
        clock_t begin = clock(); /* of the processor: the machine may be busy */
        parser_init(&p, &src, &arena, &diags, false);
        Stmt *s;
        while (parse_statement(&p, &s) != PARSE_END)
            continue;
        Text t = {0};
        for (size_t k = 0; k < diags.list.len; k++)
            diag_render(&t, &diags.list.at[k], false);
        double spent = (double)(clock() - begin) / CLOCKS_PER_SEC;
        assert_true(diags.errors <= 1);
        assert_true(t.len < 2000);
        assert_true(spent < 5.0);
        text_free(&t);
        diags_free(&diags);
        arena_free(&arena);
    }
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_with_hints),
        cmocka_unit_test(errors_of_brackets),
        cmocka_unit_test(errors_of_blocks_and_scans),
        cmocka_unit_test(recovery),
        cmocka_unit_test(bad_bytes),
        cmocka_unit_test(binary_garbage),
        cmocka_unit_test(errors_are_limited),
        cmocka_unit_test(deep_nests_and_long_chains),
        cmocka_unit_test(a_long_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
