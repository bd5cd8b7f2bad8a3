/* Tests of core/lang's lexer, parser and printer.
 *
 * Invariant: whatever is accepted prints to text that parses to the same tree and
 * prints the same again. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "parse_help.h"

/* ---- expressions ---- */

static void precedence(void **state)
{
    (void)state;
    assert_prints("-x ^ 2", "-x^2");
    assert_prints("(-x)^2", "(-x)^2");
    assert_prints("-(x^2)", "-x^2");
    assert_prints("2^-1*3", "2^-1 * 3");
    assert_prints("a^(b^c)", "a^b^c");
    assert_same("(a^b)^c");
    assert_same("2^-x^3");
    assert_prints("(a-b)-c", "a - b - c");
    assert_same("a - (b - c)");
    assert_prints("a+b*c@d//e%f/g", "a + b * c @ d // e % f / g");
    assert_same("(a + b) * c");
    assert_prints("(not a) or (b and c)", "not a or b and c");
    assert_prints("not (a == b)", "not a == b");
    assert_same("(not a) == b");
    assert_same("not (a and b)");
    assert_same("a and (b or c)");
    assert_prints("(a < b) and (c < d)", "a < b and c < d");
    assert_same("(a < b) < c");
    assert_same("a < (b < c)");
    assert_prints("(a with [i] = v + 1) == b", "a with [i] = v + 1 == b");
    assert_same("a with [i] = v with [j, ...] += w");
    assert_same("a with [i] = (v with [j] = w)");
    assert_prints("(a + b) with [i] = v", "a + b with [i] = v");
    assert_same("(a with [i] = v) + b");
    assert_prints("x -> (y -> x)", "x -> y -> x");
    assert_same("(x -> x)(3)");
    assert_prints("if a then b else (if c then d else e)", "if a then b else if c then d else e");
    assert_same("(if a then b else c) + 1");
    assert_prints("x ' '", "x''");
    assert_same("(x @ y)'");
    assert_prints("-(x')", "-x'");
    assert_same("(-x)'");
    assert_same("a - -b");
    assert_prints("2^x'[0].final(1)", "2^x'[0].final(1)");
}

static void primaries(void **state)
{
    (void)state;
    assert_same("1");
    assert_same("1.5e-3");
    assert_same(".5");
    assert_same("1.");
    assert_same("true");
    assert_same("None");
    assert_same("\"a\\\"b\\\\c\\n\\t\"");
    assert_same("()");
    assert_same("(k,)");
    assert_prints("(a, b,)", "(a, b)");
    assert_prints("((k))", "k");
    assert_same("[]");
    assert_same("[[1, 2], [3, 4]]");
    assert_same("{ t = a + b; t * t }");
    assert_prints("{ f(x) = x ; a, b = f(1), 2\n a }", "{ f(x) = x; a, b = (f(1), 2); a }");
    assert_same("(x, y) -> x + y");
    assert_same("() -> 1");
    assert_same("f(a, axis=0, if=3, scan=(1,))");
    assert_same("vmap(f, in_axes=(0, None), out_axes=0)(a, b)");
    assert_same("x[0, -1, a:b:c, :, ::2, 1:, ..., None, [1, 2]]");
    assert_prints("x[::]", "x[:]");
    assert_same("x[(None)]");
    assert_same("s.final.v");
    assert_same("(1).x");
    assert_same("over + for * auto");
    assert_prints("\xE6\x97\xA5\xE6\x9C\xAC + \xCE\xB1\xE2\x82\x81",
                  "\xE6\x97\xA5\xE6\x9C\xAC + \xCE\xB1\xE2\x82\x81");
    assert_prints("\xEF\xBB\xBFx", "x");
}

static void spans_of_expressions(void **state)
{
    (void)state;
    Reading r;
    reading_begin(&r, "y = f(a, k=2) + b'");
    Expr *e = next_stmt(&r)->value;
    assert_int_equal(e->kind, E_BINARY);
    assert_int_equal(e->span.start, 4);
    assert_int_equal(e->span.end, 18);
    assert_int_equal(e->op_span.start, 14);
    assert_int_equal(e->items[0]->args[1].name_span.start, 9);
    assert_int_equal(e->items[0]->span.end, 13);
    assert_int_equal(e->items[1]->op_span.start, 17);
    assert_int_equal(e->height, 2);
    reading_end(&r);
}

/* ---- statements ---- */

static void statements_of_the_manual(void **state)
{
    (void)state;
    assert_prints("x : f64[n]       # an input\n"
                  "k : i64 = 4\n"
                  "shared W : f64[2, 2] = [[1, 2], [3, 4]]   # state\n"
                  "y = x * 2\n"
                  "a, b = f(x)  # `_` discards\n"
                  "f(x, w, scale=1) = scale * x @ w\n"
                  "x := [1, 2, 3]\n"
                  "W, v := W - 0.1 * gW, v + 1\n"
                  "l, W := loss, W - 0.1 * g\n"
                  "repeat 100 { W := W - 0.1 * grad(loss, W) }   # runs\n"
                  "in alt { W := 2 * W ; loss }\n"
                  "loss\n"
                  ":steps loss                       # a command\n",
                  "x : f64[n]\n"
                  "k : i64 = 4\n"
                  "shared W : f64[2, 2] = [[1, 2], [3, 4]]\n"
                  "y = x * 2\n"
                  "a, b = f(x)\n"
                  "f(x, w, scale=1) = scale * x @ w\n"
                  "x := [1, 2, 3]\n"
                  "W, v := W - 0.1 * gW, v + 1\n"
                  "l, W := loss, W - 0.1 * g\n"
                  "repeat 100 { W := W - 0.1 * grad(loss, W) }\n"
                  "in alt { W := 2 * W; loss }\n"
                  "loss\n"
                  ":steps loss");
}

static void other_statements(void **state)
{
    (void)state;
    assert_same("x : f64[n + 1, ?, 3]");
    assert_same("x : f64");
    assert_same("r : rng[n]");
    assert_same("_, b = f(x)");
    assert_same("a, b := f(x)");
    assert_same("repeat(x, 3)");
    assert_same("repeat = 3");
    assert_same("repeat[0]");
    assert_prints("repeat (k) { x := 1 }", "repeat k { x := 1 }");
    assert_prints("repeat (-k) * 2 { x }", "repeat (-k * 2) { x }");
    assert_same("repeat(x, 2) + scan t for 3 { y[t] = x }");
    assert_prints("repeat 3 {\n x := 1\n\n repeat 2 { y }\n}",
                  "repeat 3 { x := 1; repeat 2 { y } }");
    assert_same("in + shared");
    assert_same("shared : f64");
    assert_prints("in alt {\n :time x # c\n y\n}", "in alt {\n:time x\ny\n}");
    assert_same(":draw \"a # b\" x.svg theme=dark; y");
    assert_prints("  :help", ":help");
    assert_prints("a;;b;\n;c", "a\nb\nc");
    assert_prints("x = 1\r\ny = 2\r\n", "x = 1\ny = 2");
}

static void command_texts(void **state)
{
    (void)state;
    Reading r;
    reading_begin(&r, "x; :draw  a + b  f.svg   # note");
    next_stmt(&r);
    Stmt *s = next_stmt(&r);
    assert_int_equal(s->kind, S_COMMAND);
    assert_string_equal(s->command, "draw");
    assert_string_equal(s->rest, "a + b  f.svg");
    assert_int_equal(s->rest_span.start, 10);
    assert_int_equal(s->rest_span.end, 22);
    reading_end(&r);
}

static void function_docs(void **state)
{
    (void)state;
    Reading r;
    reading_begin(&r, "# not this\n\n# A line.\n#  Another.\nf(x) = x\ng(x) = x # no\nh(x) = x");
    assert_string_equal(next_stmt(&r)->doc, "A line.\n Another.");
    assert_null(next_stmt(&r)->doc);
    assert_null(next_stmt(&r)->doc);
    reading_end(&r);
    assert_same("# Twice x.\nf(x) = 2 * x");
}

/* ---- newlines ---- */

static void newline_rules(void **state)
{
    (void)state;
    assert_prints("a = f(1,\n  2\n  + 3)\nb = [1\n,2]", "a = f(1, 2 + 3)\nb = [1, 2]");
    assert_prints("a =\n 1 +\n\n # c\n 2 *\n -3", "a = 1 + 2 * -3");
    assert_prints("a\n-b", "a\n-b");
    assert_prints("f = x ->\n x", "f = x -> x");
    assert_prints("q = if a\n  then b\n  # c\n\n  else c\nr", "q = if a then b else c\nr");
    assert_prints("q = if\na then\nb else\nc", "q = if a then b else c");
    assert_prints("x, \n y = f(z)", "x, y = f(z)");
    assert_prints("y = { a = 1\n b = a +\n 2\n\n b }", "y = { a = 1; b = a + 2; b }");
    assert_prints("f({\n a = 1\n a\n},\n 2)", "f({ a = 1; a }, 2)");
    assert_prints("thenx\nelse_", "thenx\nelse_");
    assert_prints("x'\ny'", "x'\ny'");
    assert_prints("s.if\ny.not + 1", "s.if\ny.not + 1");
    assert_prints("a = b with\n [0] =\n 1", "a = b with [0] = 1");
    assert_statuses("a = 1\n+ 2\n", false, ".x");
}

static void scans_of_the_manual(void **state)
{
    (void)state;
    assert_prints(
        "power  = scan t for k from r = ones_like(A) { r[t] = r[t-1] * A }        # A^1 .. A^k\n"
        "poly   = sum(scan i over c { term[i] = c[i] * x ^ i })\n"
        "powers = scan t for 1024 from p = 1.0 { p[t] = 2 * p[t-1]; until p[t] > limit }\n"
        "x, y = scan t over u from x = x0, y = y0 {               # taps\n"
        "  x[t] = tanh(x[t-1] @ W + u[t] @ W1 + u[t-4] @ W2 + y[t-1] @ Wf)\n"
        "  y[t] = x[t-3] @ Wout\n"
        "}\n"
        "G = scan t over reward from G = 0.0 { G[t] = reward[t] + gamma * G[t+1] }\n"
        "S = scan t for 10 from v = v0, r = rng(1234) {\n"
        "  hid, r1 = bernoulli(r[t-1], sigmoid(v[t-1] @ W + bh))\n"
        "  v[t], r[t] = bernoulli(r1, sigmoid(f64(hid) @ W' + bv))\n"
        "}\n"
        "S.v ; S.final.v ; S.final.r ; S.steps\n"
        "J = scan i for size(y, 0) { row[i] = grad(y[i], x) }\n",
        "power = scan t for k from r = ones_like(A) { r[t] = r[t - 1] * A }\n"
        "poly = sum(scan i over c { term[i] = c[i] * x^i })\n"
        "powers = scan t for 1024 from p = 1.0 { p[t] = 2 * p[t - 1]; until p[t] > limit }\n"
        "x, y = scan t over u from x = x0, y = y0 { x[t] = tanh(x[t - 1] @ W + u[t] @ W1 + u[t - "
        "4] @ W2 + "
        "y[t - 1] @ Wf); y[t] = x[t - 3] @ Wout }\n"
        "G = scan t over reward from G = 0.0 { G[t] = reward[t] + gamma * G[t + 1] }\n"
        "S = scan t for 10 from v = v0, r = rng(1234) { hid, r1 = bernoulli(r[t - 1], sigmoid(v[t "
        "- 1] @ W + "
        "bh)); v[t], r[t] = bernoulli(r1, sigmoid(f64(hid) @ W' + bv)) }\n"
        "S.v\nS.final.v\nS.final.r\nS.steps\n"
        "J = scan i for size(y, 0) { row[i] = grad(y[i], x) }");
}

static void scan_clauses(void **state)
{
    (void)state;
    assert_prints(
        "z = scan t\n  over u, w = a +\n    b\n  for n\n  # why\n  from s = 0.0\n  using W, b\n  "
        "zip strict\n"
        "  checkpoint auto\n{\n  s[t] = s[t-1]\n\n  until s[t] > 3\n}\ny",
        "z = scan t over u, w = a + b for n from s = 0.0 using W, b zip strict checkpoint auto "
        "{ s[t] = s[t - 1]; until s[t] > 3 }\ny");
    assert_same("scan t for n using () checkpoint 2 * k { x[t] = t }");
    assert_same("scan t for n checkpoint (auto) { x[t] = t }");
    assert_same("scan t for n checkpoint automatic { x[t] = t }");
    assert_same("scan t for { a = 1; a } { x[t] = t }");
    assert_same("scan t over u = scan i for 3 { v[i] = i } { x[t] = u[t] }");
    assert_prints("scan t for 2 { a, b = 1, 2; x[t] = a }",
                  "scan t for 2 { a, b = (1, 2); x[t] = a }");
    assert_same("scan over for for from from = zip { from[over] = using }");
}

/* ---- errors ---- */

static void incompleteness(void **state)
{
    (void)state;
    assert_statuses("y = (1 +", true, "?");
    assert_statuses("y = f(1,\n", true, "?");
    assert_statuses("y = 1 +\n", true, "?");
    assert_statuses("y =", true, "?");
    assert_statuses("repeat 3 {\n x := 1\n", true, "?");
    assert_statuses("scan t for 3", true, "?");
    assert_statuses("scan t for 3\n", true, "?");
    assert_statuses("scan t", true, "?");
    assert_statuses("scan t for 3 {\n x[t] = t\n", true, "?");
    assert_statuses("if a\n", true, "?");
    assert_statuses("if a then b\n", true, "?");
    assert_statuses("x -> ", true, "?");
    assert_statuses("a; b = {", true, ".?");
    assert_statuses("y = 1", true, ".");
    assert_statuses("y = 1)", true, "x");
    assert_statuses("y = \"abc", true, "x");
    assert_statuses("y = (1 +", false, "x");
}

/* ---- the other ways in ---- */

static void single_expressions(void **state)
{
    (void)state;
    Reading r;
    reading_begin(&r, "\n  a + b # c\n");
    Expr *e = parse_expression(source_whole(&r.src), &r.arena, &r.diags);
    assert_non_null(e);
    assert_int_equal(e->op, AST_ADD);
    reading_end(&r);
    reading_begin(&r, "(a ? 1 : b + c ] d");
    e = parse_expression((Span){&r.src, 9, 14}, &r.arena, &r.diags);
    assert_non_null(e);
    assert_int_equal(e->op, AST_ADD);
    assert_int_equal(e->span.start, 9);
    assert_int_equal(e->span.end, 14);
    assert_null(parse_expression((Span){&r.src, 9, 12}, &r.arena, &r.diags));
    assert_int_equal(r.diags.list.at[0].span.end, 12);
    reading_end(&r);
    static const char *const wrong[] = {"", "a b", "a = 1", "a; b", "x:any", "(", ":type x"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        reading_begin(&r, wrong[i]);
        assert_null(parse_expression(source_whole(&r.src), &r.arena, &r.diags));
        assert_int_equal(r.diags.errors, 1);
        reading_end(&r);
    }
}

static void expression_in_a_rule(const char *text, size_t start, const char *wanted,
                                 const char *rest)
{
    Reading r;
    reading_begin(&r, text);
    size_t end = 0;
    Expr *e = parse_expression_at(&r.src, start, &end, &r.arena, &r.diags);
    assert_non_null(e);
    Text t = {0};
    ast_print_expr(&t, e);
    assert_string_equal(text_str(&t), wanted);
    assert_string_equal(text + end, rest);
    text_free(&t);
    reading_end(&r);
}

static void rules(void **state)
{
    (void)state;
    expression_in_a_rule("log1p [R]: log(1 + x) => log1p(x) \"acc\"", 10, "log(1 + x)",
                         " => log1p(x) \"acc\"");
    expression_in_a_rule("=> zeros_like(x) if finite(x)", 2, "zeros_like(x)", " if finite(x)");
    expression_in_a_rule("log1p(x)   \"accurate\"", 0, "log1p(x)", "   \"accurate\"");
    expression_in_a_rule("x:any + c:const => x", 0, "x:any + c:const", " => x");
    expression_in_a_rule("f(a + rest...) => a", 0, "f(a + rest...)", " => a");
    expression_in_a_rule("x[a : b] => x", 0, "x[a:b]", " => x");
    expression_in_a_rule("a +\n  b\nnext [E]: c", 0, "a + b", "\nnext [E]: c");
}

/* ---- size ---- */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precedence),
        cmocka_unit_test(primaries),
        cmocka_unit_test(spans_of_expressions),
        cmocka_unit_test(statements_of_the_manual),
        cmocka_unit_test(other_statements),
        cmocka_unit_test(command_texts),
        cmocka_unit_test(function_docs),
        cmocka_unit_test(newline_rules),
        cmocka_unit_test(scans_of_the_manual),
        cmocka_unit_test(scan_clauses),
        cmocka_unit_test(incompleteness),
        cmocka_unit_test(single_expressions),
        cmocka_unit_test(rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
