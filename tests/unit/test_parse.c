/* Tests of core/lang's lexer, parser and printer.
 *
 * Invariant: whatever is accepted prints to text that parses to the same tree and
 * prints the same again; whatever is refused gives one error per statement. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/parse.h"

/* ---- helpers ---- */

/* A text being parsed, copied exactly so that reading beyond its end is noticed. */
typedef struct {
    Source src;
    Arena arena;
    Diags diags;
    Parser parser;
} Reading;

static void reading_begin_n(Reading *r, const char *text, size_t len, bool interactive)
{
    *r = (Reading){0};
    r->src.name = (char *)"t.gr";
    r->src.text = xmalloc(len + 1);
    memcpy(r->src.text, text, len);
    r->src.text[len] = '\0';
    r->src.len = len;
    parser_init(&r->parser, &r->src, &r->arena, &r->diags, interactive);
}

static void reading_begin(Reading *r, const char *text)
{
    reading_begin_n(r, text, strlen(text), false);
}

static void reading_end(Reading *r)
{
    diags_free(&r->diags);
    arena_free(&r->arena);
    free(r->src.text);
}

static void show_diags(const Reading *r)
{
    Text t = {0};
    for (size_t i = 0; i < r->diags.list.len; i++)
        diag_render(&t, &r->diags.list.at[i], false);
    print_error("%s", text_str(&t));
    text_free(&t);
}

static Stmt *next_stmt(Reading *r)
{
    Stmt *s;
    if (parse_statement(&r->parser, &s) != PARSE_OK) {
        show_diags(r);
        fail_msg("not parsed: %s", r->src.text);
    }
    return s;
}

static void assert_round_trip(const Stmt *s)
{
    Text once = {0}, twice = {0};
    ast_print_stmt(&once, s);
    Reading r;
    reading_begin(&r, text_str(&once));
    Stmt *again = next_stmt(&r);
    ast_print_stmt(&twice, again);
    assert_string_equal(text_str(&once), text_str(&twice));
    assert_true(ast_stmt_equal(s, again));
    assert_int_equal(parse_statement(&r.parser, &again), PARSE_END);
    reading_end(&r);
    text_free(&once);
    text_free(&twice);
}

/* All of `text` parses, to statements that print as `wanted` (one a line). */
static void assert_prints(const char *text, const char *wanted)
{
    Reading r;
    reading_begin(&r, text);
    Text t = {0};
    Stmt *s;
    ParseStatus st;
    while ((st = parse_statement(&r.parser, &s)) == PARSE_OK) {
        assert_round_trip(s);
        text_put(&t, t.len ? "\n" : "");
        ast_print_stmt(&t, s);
    }
    if (st != PARSE_END)
        show_diags(&r);
    assert_int_equal(st, PARSE_END);
    assert_string_equal(text_str(&t), wanted);
    text_free(&t);
    reading_end(&r);
}

static void assert_same(const char *text) { assert_prints(text, text); }

/* One error for the first statement, at line:column, whose message and hint hold these words. */
static void assert_error(const char *text, int line, int column, const char *message,
                         const char *hint)
{
    Reading r;
    reading_begin(&r, text);
    Stmt *s;
    assert_int_equal(parse_statement(&r.parser, &s), PARSE_ERROR);
    assert_int_equal(r.diags.errors, 1);
    const Diag *d = &r.diags.list.at[0];
    int l, c, n;
    span_locate(d->span, &l, &c, &n);
    if (l != line || c != column || !strstr(d->message, message) ||
        (hint && (!d->hint || !strstr(d->hint, hint)))) {
        show_diags(&r);
        fail_msg("wanted %d:%d: %s (%s)", line, column, message, hint ? hint : "");
    }
    reading_end(&r);
}

/* Statuses of the statements in order: . for OK, x for an error, ? for incomplete. */
static void assert_statuses(const char *text, bool interactive, const char *wanted)
{
    Reading r;
    reading_begin_n(&r, text, strlen(text), interactive);
    char got[64] = "";
    Stmt *s;
    ParseStatus st;
    for (size_t n = 0; n < 60 && (st = parse_statement(&r.parser, &s)) != PARSE_END; n++)
        got[n] = st == PARSE_OK ? '.' : st == PARSE_ERROR ? 'x' : '?';
    if (strcmp(got, wanted) != 0) {
        show_diags(&r);
        print_error("in: %s\n", text);
    }
    assert_string_equal(got, wanted);
    reading_end(&r);
}

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
    assert_error("scan t for 3 { x[t+1] = 2 }", 1, 16, "`t` alone", "x[t]");
    assert_error("scan t for 3 { x[i] = 2 }", 1, 16, "`t` alone", "x[t]");
    assert_error("scan t for 3 { x[t] := 2 }", 1, 21, ":=", "`=`");
    assert_error("scan t for 3 { x[t] == 2 }", 1, 26, "`=`", "until");
    assert_error("scan t for 3 { until x; y = 2 }", 1, 25, "until", "end");
    assert_error("scan t for 3 { }", 1, 16, "empty", NULL);
    assert_error("scan t for 3 { f(x) = 2 }", 1, 16, "left of", "outside");
    assert_error("scan t for 3 for 4 { x[t] = 1 }", 1, 14, "two `for`", NULL);
    assert_error("scan t from s { s[t] = 1 }", 1, 15, "first value", NULL);
    assert_error("scan t over u[1:] { s[t] = 1 }", 1, 14, "sequence", "over u =");
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
    Expr *e = parse_expression(&r.src, &r.arena, &r.diags);
    assert_non_null(e);
    assert_int_equal(e->op, AST_ADD);
    reading_end(&r);
    static const char *const wrong[] = {"", "a b", "a = 1", "a; b", "x:any", "(", ":type x"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        reading_begin(&r, wrong[i]);
        assert_null(parse_expression(&r.src, &r.arena, &r.diags));
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
        double begin = now_seconds();
        parser_init(&p, &src, &arena, &diags, false);
        Stmt *s;
        while (parse_statement(&p, &s) != PARSE_END)
            continue;
        Text t = {0};
        for (size_t k = 0; k < diags.list.len; k++)
            diag_render(&t, &diags.list.at[k], false);
        double spent = now_seconds() - begin;
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
        cmocka_unit_test(errors_with_hints),
        cmocka_unit_test(errors_of_brackets),
        cmocka_unit_test(errors_of_blocks_and_scans),
        cmocka_unit_test(recovery),
        cmocka_unit_test(bad_bytes),
        cmocka_unit_test(binary_garbage),
        cmocka_unit_test(errors_are_limited),
        cmocka_unit_test(incompleteness),
        cmocka_unit_test(single_expressions),
        cmocka_unit_test(rules),
        cmocka_unit_test(deep_nests_and_long_chains),
        cmocka_unit_test(a_long_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
