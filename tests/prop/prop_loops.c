/* Every rewrite of loops against the loop written out: families of programs that call for each
 * rule, with 0, 1, 2, 3 and 7 steps, both directions, `until` after the first step, in the middle,
 * after the last and never, the number of steps known when building, when running, or a length.
 * Values and gradients are compared with the unrolled program and with the rule switched off;
 * and every rule has to have fired. GRADUS_SHOW=1 prints the programs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "scan_run.h"

/* In a text: `>` before a digit is the tap that the direction calls for, `#` the clause that says
 * how many steps,
 * `;` in braces ends an equation, `@` stands where `until` may be. */
typedef struct {
    const char *rule;
    const char *scans; /* statements */
    const char *results;
    bool one_way;        /* no backwards */
    const char *nonzero; /* further results if there is a step; "3:" before them: if there are 3 */
} Family;

static const char inputs[] = "a : f64 = 0.7\nb : f64[3] = [0.3, -0.8, 0.5]\n"
                             "W : f64[3,3] = [[0.2,-0.4,0.1],[0.5,0.3,-0.2],[-0.1,0.6,0.4]]\n"
                             "V : f64[3,3] = [[0.1,0.3,-0.6],[-0.2,0.7,0.2],[0.4,-0.5,0.3]]\n"
                             "w : f64[9] = [0.9, -0.4, 0.3, 1.2, -0.7, 0.5, 0.8, -1.1, 0.2]\n"
                             "Z : f64[9, 36] = reshape(cos(f64(arange(324))), (9, 36))\n"
                             "p : bool = true\nq : bool = false\n";

static const Family families[] = {
    {"tail", "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); $ }", "S.steps", false,
     "S.h[-1], S.h[0]"},
    {"tail",
     "S = scan t # from h = b, g = a { h[t] = tanh(h[>1] @ W + g[>1] * u[t]); g[t] = sin(g[>1] + "
     "c[t]); $ }\nlast(x) = x[size(x, 0) - 1]\nfirst(x) = sum(x[0])",
     "S.final.g", false, "last(S.h), first(S.h), last(S.g), S.g[0], S.h[-1, 0], S.h[k - 1 - k]"},
    {"tail-slice", "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); $ }",
     "S.h[-1:], S.h[:1], S.steps", false, ""},
    {"read-rows",
     "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); o[t] = sum(h[t]) * a; $ }",
     "S.h[-3:], S.o[-2:], S.final.h, S.steps", false, ""},
    {"read-rows",
     "S = scan t # from h = b, g = a { h[t] = tanh(h[>1] @ W + g[>1] * u[t]); g[t] = sin(g[>1] + "
     "c[t]); }",
     "S.h[-3:-1], S.final.g", false, "2:S.h[-2], S.h[k - 2], S.g[-2]"},
    {"read-rows",
     "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); o[t] = sum(h[t]) * a; $ }",
     "S.h[1:3], S.o[:2]", false, ""},
    {"read-rows",
     "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); o[t] = sum(h[t]) * a; }", "a", false,
     "3:S.h[2], S.h[[0, 1]], S.o[1]"},
    {"read-rows", "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); }\ni = k // 2",
     "S.final.h", false, "S.h[i], S.h[i - k]"},
    {"read-rows", "S = scan t # { o[t] = tanh(u[t] @ W) * c[t]; }", "S.o[-2:], S.o[-4:][::-2]",
     false, ""},
    {"recent-rows",
     "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); o[t] = sum(h[t]) * a; $ }",
     "S.h[-2:], S.o[-3:-1], S.steps, S.final.h", true, "2:S.h[-2], S.o[-1], S.o[S.steps - 2]"},
    {"first-rows",
     "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); o[t] = sum(h[t]) * a; $ }", "a",
     true, "2:S.h[1], S.h[0], S.o[1]"},
    {"numbers-in-vmap",
     "M = vmap(v -> (scan t # from h = v { h[t] = tanh(h[>1] @ W + u[t]); $ }).h[-2:])(V)\n"
     "L = vmap(v -> (scan t # from h = v { h[t] = tanh(h[>1] @ W + u[t]); $ }).h[:2])(V)",
     "M, L", false, ""},
    {"numbers-in-vjp",
     "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); $ }\n"
     "M = vjp(S.h[-2:], b, cos(S.h[-2:]))",
     "M", false, ""},
    {"numbers-in-grad", "S = scan t # checkpoint 2 from h = b { h[t] = tanh(h[>1] @ W + u[t]); $ }",
     "grad(sum(sqr(S.h[-2:])), b)", false, ""},
    {"numbers-in-jvp", "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); $ }",
     "jvp(S.h[-2:], b, b * b)", false, ""},
    {"dead-results",
     "S = scan t # from g = b, h = a { g[t] = tanh(g[>1] + h[>1]); h[t] = sin(h[>1] + c[t]); "
     "o[t] = sum(g[t]); $ }",
     "S.final.h, S.steps", false, ""},
    {"stable-trace", /* log meets softmax beyond the trace */
     "S = scan t # from h = b { o[t] = softmax(h[>1] * 3 + u[t]); h[t] = tanh(h[>1] * a + u[t]); "
     "$ }",
     "log(S.o), S.final.h", false, ""},
    {"unused-inputs",
     "S = scan t # from g = b, h = a { g[t] = tanh(g[>1] @ W + u[t]); h[t] = sin(h[>1] * a + "
     "c[t]); $ }",
     "S.h, S.steps", false, ""},
    {"unchanged-state",
     "S = scan t # from g = b, h = a { h[t] = sin(h[>1] + sum(g[>1]) * c[t]); g[t] = g[>1]; $ }",
     "S.h, S.final.g", false, ""},
    {"repeated-sequence", "S = scan t # from h = b { h[t] = tanh(h[>1] * c[t] + u[t]); $ }",
     "sum(S.h), S.final.h", false, ""},
    {"few-steps",
     "S = scan t # from h = b { h[t] = tanh(h[>1] * c[t] + u[t]); o[t] = h[t] * a; $ }",
     "S.h, S.final.h, S.o, S.steps, S.stopped", false, ""},
    {"unroll", "S = scan t # from h = b { h[t] = tanh(h[>1] * c[t]); o[t] = h[t] * a; $ }",
     "S.h, S.final.h, S.o, S.steps", false, ""},
    {"duplicate-state",
     "S = scan t # from f = b, g = b, h = a { f[t] = sin(g[>1] + u[t]); g[t] = sin(f[>1] + u[t]); "
     "h[t] = tanh(h[>1] + sum(f[t] * g[t])); $ }",
     "S.h, S.final.f, S.g", false, ""},
    {"constant-state",
     "S = scan t # from i = 3, h = a { i[t] = 2 * i[>1] - 3; h[t] = sin(h[>1] * f64(i[t]) + c[t]); "
     "$ }",
     "S.h, S.final.i, S.steps", false, ""},
    {"counted-while",
     "S = scan t # from i = 2, h = a { i[t] = i[t-1] + 1; h[t] = sin(h[t-1] + c[t]); until i[t] >= "
     "4 }",
     "S.h, S.final.i, S.steps, S.stopped", true, ""},
    {"counted-while",
     "S = scan i from h = a, j = 0 { j[i] = j[i-1] + 1; h[i] = sin(h[i-1] + 0.3); until j[i] > k }",
     "S.h, S.final.j, S.steps, S.stopped", true, ""},
    {"hoist", "S = scan t # from h = b { h[t] = tanh(h[>1] @ (W @ V) + sin(b) * c[t]); $ }",
     "S.h, S.final.h", false, ""},
    {"hoist", /* with no step the divisor is zero */
     "S = scan t # from h = b { h[t] = tanh(h[>1] + solve(W, b) * c[t]) + f64(12 // k) * u[t]; $ }",
     "S.h, S.final.h", false, ""},
    {"hoist",
     "S = scan t # from h = b { h[t] = if c[t] > 0 then h[>1] * w[k] else solve(W, h[>1] + "
     "w[k:k+2][0]); $ }",
     "S.h, S.final.h", false, ""},
    {"hoist-terms",
     "S = scan t # from h = b, g = a { h[t] = tanh(a * h[>1] * 2 * b + u[t] + b + h[>1] + 3); g[t] "
     "= g[>1] * 0.3 * a * sin(c[t] + a + g[>1] + 1); $ }",
     "S.h, S.final.h, S.g, S.final.g", false, ""},
    {"step-runs",
     "S = scan t # from h = b { I = scan j # from g = h[>1] { g[j] = tanh(g[j-1] * w[t] + w[k]) }; "
     "h[t] = I.final + u[t]; $ }",
     "S.h, S.final.h", false, ""},
    {"unswitch",
     "S = scan t # from h = b { h[t] = if p then tanh(h[>1] @ W + u[t]) else h[>1] * c[t]; o[t] = "
     "if q then h[>1] else u[t] * a; $ }",
     "S.h, S.final.h, S.o, S.steps, S.stopped", false, ""},
    {"reduce",
     "S = scan t # from f = a, g = 1.0, h = b { f[t] = f[>1] + c[t] * sin(c[t]); g[t] = "
     "minimum(c[t], "
     "g[>1]); h[t] = maximum(h[>1], u[t]); $ }",
     "S.final.f, S.final.g, S.final.h, S.steps", false, ""},
    {"powers",
     "S = scan t for k + 9 from f = b { f[t] = -0.9 * f[t-1] }\nR = scan t for k + 9 from g = a, "
     "i = 7 { g[t] = 1.1 * g[t-1] * 0.7; i[t] = i[t-1] * (k + 3) }\nQ = scan t for k + 9 from m = "
     "b { "
     "m[t] = m[t-1] * a }",
     "S.final, R.final.g, R.final.i, Q.final", true, ""},
    {"powers", /* some are no normal numbers */
     "S = scan t for k + 400 from f = b * 1e300 { f[t] = 0.1 * f[t-1] }\nR = scan t for k + 300 "
     "from g = 1e-40 * b { g[t] = 1.4 * g[t-1] }\nQ = scan t for N + 12 from h = 0.0 * "
     "stop_gradient(b) { h[t] = 1e30 * h[t-1] }",
     "S.final, R.final, Q.final", true, ""},
    {"accumulate",
     "S = scan t # from m = W, h = b { h[t] = tanh(h[>1] + u[t]); m[t] = m[>1] + reshape(h[t], (3, "
     "1)) @ reshape(u[t], (1, 3)); $ }",
     "S.h, S.final.m", false, ""},
    {"accumulate", "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t] @ V); $ }", "S.h", false,
     ""},
    {"induction",
     "S = scan t # from i = 5, h = a { i[t] = i[>1] - 2; h[t] = sin(h[>1] + f64(i[>1]) * c[t]); $ "
     "}",
     "S.h, S.final.i, S.i", false, ""},
    {"delay",
     "S = scan t # from f = b, g = a, h = a { o[t] = sum(u[t] - f[>1]) + g[>1]; h[t] = sin(h[>1] * "
     "g[>1] + c[t]); g[t] = c[t] * a; f[t] = tanh(u[t]); }",
     "S.o, S.h, S.f, S.final.g, S.final.f", false, ""},
    {"delay",
     "S = scan t # from f = b, g = b { o[t] = g[>1] * c[t]; g[t] = f[>1]; f[t] = u[t] @ W; }",
     "S.o, S.final.g", false, ""},
    {"index-rows", "S = scan t # from h = a { h[t] = sin(h[>1] + w[t] * w[t+2]); $ }",
     "S.h, S.final.h", false, ""},
    {"running",
     "S = scan t # from f = a, g = b, h = a { f[t] = f[>1] + c[t]; g[t] = g[>1] * u[t]; h[t] = "
     "h[>1] + f[t]; $ }",
     "S.f, S.g, S.h, S.final.f, S.final.g, S.final.h", false, ""},
    {"rows-inside",
     "S = scan t over y = sin(a * Z[:k]) from g = Z[8] { g[t] = tanh(g[>1] * y[t]) + y[t]; $ }",
     "S.g, S.final.g, S.steps", false, ""},
    {"late-operands",
     "S = scan t # from f = a, g = a, h = a { f[t] = a * f[>1] + g[>1] * c[t] + sin(c[t]); g[t] = "
     "f[>1]; h[t] = h[>1] * 0.3 * c[t] * (1 - h[>1]) + f[t] * 0.1 - c[t]; $ }",
     "S.f, S.h, S.final.f, S.final.g, S.steps", false, ""},
    {"map", "S = scan t # { o[t] = tanh(u[t] @ W) * c[t]; e[t] = sum(u[t]) + f64(t); $ }",
     "S.o, S.e, S.steps", false, ""},
    {"batch-dots",
     "S = scan t # from h = b, s = b { s[t] = sigmoid(u[t] @ W + h[>1] @ V) * s[>1] + "
     "tanh(u[t] @ V + h[>1] @ W); h[t] = tanh(s[t]) * sigmoid(u[t] @ W + h[>1] @ (W * V)); $ }",
     "S.h, S.final.s", false, ""},
    {"sequence-dot", "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + sin(u[t]) @ V); $ }",
     "S.h, S.final.h", false, ""},
    {"sink",
     "S = scan t # from h = b { h[t] = tanh(h[>1] @ W + u[t]); o[t] = h[t] @ V; e[t] = sum(h[t] * "
     "u[t]) + a; $ }",
     "S.h, S.o, S.e, S.final.h", false, ""},
    {"same-loop",
     "S = scan t # from h = b { h[t] = tanh(h[>1] * a + u[t]); o[t] = sum(h[t]); $ }\n"
     "R = scan t # from h = b { h[t] = tanh(h[>1] * a + u[t]); o[t] = cos(h[t]); $ }",
     "S.h, S.o, R.o", false, ""},
    {"merge-loops",
     "S = scan t # from h = b { h[t] = tanh(h[>1] * a + u[t]); $ }\n"
     "R = scan t # from h = b, g = a { h[t] = tanh(h[>1] * a + u[t]); g[t] = sin(g[>1] + "
     "sum(u[t])); "
     "$ }",
     "S.h, R.final.g, R.final.h", false, ""},
    {"fuse-loops",
     "S = scan t # from h = b { h[t] = tanh(h[>1] * a + u[t]); $ }\n"
     "R = scan t over y = S.h from g = b { g[t] = sin(g[>1] + y[t]); o[t] = y[t] * g[t] }",
     "S.final.h, R.g, R.o, R.final.g, R.steps, R.stopped", false, ""},
    {"dead-results", /* one waits for the other: never one loop */
     "S = scan t # from h = b { h[t] = tanh(h[>1] * a + u[t]); $ }\n"
     "R = scan t # from g = S.final.h { g[t] = sin(g[>1] + u[t]); $ }\n"
     "Q = scan t over y = S.h from g = R.final.g { g[t] = sin(g[>1] + y[t]) }",
     "R.g, Q.g, Q.final.g", false, ""},
    {"merge-loops", /* the same conditions from the other side */
     "S = scan t # from h = b { h[t] = where(c[t] < h[>1], tanh(h[>1] + u[t]), h[>1]); $ }\n"
     "R = scan t # from h = b, g = a { h[t] = where(h[>1] > c[t], tanh(h[>1] + u[t]), h[>1]); g[t] "
     "= sin(g[>1] + (if a <= g[>1] then sum(h[t]) else c[t])); $ }",
     "S.h, R.final.g, R.final.h", false, ""},
    {"merge-loops",
     "S = scan t # from h = b { h[t] = tanh(h[>1] * a + u[t]); until c[t] >= 0.9 }\n"
     "R = scan t # from g = a { g[t] = sin(g[>1] + sum(u[t])); until 0.9 <= c[t] }",
     "S.h, S.steps, S.stopped, R.g, R.final.g, R.steps, R.stopped", true, ""},
    {"merge-loops", /* inside a body */
     "S = scan t # from h = b { D = scan j over x = u[:3] from e = h[>1] { e[j] = tanh(e[j-1] + "
     "x[j]) }; F = scan j over x = u[:3] from e = h[>1] { e[j] = sin(e[j-1] * x[j]) }; h[t] = "
     "D.final.e * F.final.e + u[t]; $ }",
     "S.h, S.final.h", false, ""},
};

typedef enum { BUILT, RUN, LENGTH, WAYS } Way;

typedef struct {
    const Family *f;
    int n, stop; /* after so many steps; 0: never */
    bool reverse;
    Way way;
} Case;

typedef struct {
    u32 seen, cases, compared, loops, switched;
    struct {
        const char *name;
        u32 fired;
    } rules[64];
    int nrules;
} Tally;

static u32 *fired(Tally *t, const char *name)
{
    int i = 0;
    while (i < t->nrules && strcmp(t->rules[i].name, name) != 0)
        i++;
    if (i == t->nrules) {
        assert_true(t->nrules < (int)COUNT_OF(t->rules));
        t->rules[t->nrules++].name = name;
    }
    return &t->rules[i].fired;
}

/* ---- programs ---- */

static void put_rows(Text *out, const Case *c)
{
    int rows = c->way == LENGTH ? c->n : 9;
    text_printf(out, c->way == LENGTH ? "u : f64[T, 3] = " : "u : f64[%d, 3] = ", rows);
    text_printf(out, "0.4 * reshape(sin(f64(arange(%d))), (%d, 3))\n", 3 * rows, rows);
    text_printf(out, c->way == LENGTH ? "c : f64[T] = " : "c : f64[%d] = ", rows);
    text_printf(out, "cos(f64(arange(%d)))\nk : i64 = %d\n", rows, c->n);
}

static void put_scans(Text *out, const Case *c)
{
    for (const char *s = c->f->scans; *s; s++)
        switch (*s) {
        case '#':
            text_put(out, c->way == BUILT ? "for N over u, c"
                          : c->way == RUN ? "for k over u, c"
                                          : "over u, c");
            break;
        case '$':
            if (c->stop)
                text_printf(out, "until t == %d", c->stop - 1);
            break;
        case '>': text_put(out, s[1] < '0' || s[1] > '9' ? ">" : c->reverse ? "t+" : "t-"); break;
        default: text_putc(out, *s);
        }
    text_put(out, "\n");
}

static void put_results(Text *out, const Case *c)
{
    int ran = c->stop && c->stop < c->n ? c->stop : c->n;
    const char *extra = c->f->nonzero, *colon = strchr(extra, ':');
    bool numbered = colon == extra + 1;
    bool more = *extra && ran >= (numbered ? *extra - '0' : 1);
    extra += numbered ? 2 : 0;
    text_printf(out, "(%s%s%s,)", c->f->results, more ? ", " : "", more ? extra : "");
}

/* Up to the next comma that stands in no bracket. */
static char *next_part(char **rest)
{
    char *part = *rest, *p = part;
    if (!part)
        return NULL;
    for (int depth = 0; *p && (depth || *p != ','); p++)
        depth += *p == '(' || *p == '[' ? 1 : *p == ')' || *p == ']' ? -1 : 0;
    *rest = *p ? p + 1 : NULL;
    *p = '\0';
    return part;
}

static void put_loss(Text *loss, const Case *c)
{
    Text list = {0};
    put_results(&list, c);
    text_put(loss, "sum(b * b)");
    char *copy = xmalloc(list.len + 1), *next = copy;
    memcpy(copy, text_str(&list) + 1, list.len - 1);
    copy[list.len - 3] = '\0'; /* without ",)" */
    for (char *part; (part = next_part(&next));) {
        bool integer = strstr(part, "steps") || strstr(part, "stopped") || strstr(part, ".i") ||
                       strstr(part, ".j");
        if (!integer)
            text_printf(loss, " + sum(sqr(%s + 0.5))", part);
    }
    free(copy);
    text_free(&list);
}

static void put_gradients(Text *out, const Case *c)
{
    Text loss = {0};
    put_loss(&loss, c);
    text_printf(out, "(grad(%s, [a, b, W, V, u, c, w], unconnected=zero), jvp(%s, b, [1, 2, -1]))",
                text_str(&loss), text_str(&loss));
    text_free(&loss);
}

/* Of order 2: for the rules that run before derivatives are expanded. */
static bool put_second(Text *out, const Case *c)
{
    static const char *const early[] = {"tail", "tail-slice", "read-rows", "recent-rows",
                                        "first-rows"};
    Text loss = {0};
    bool some = false;
    for (size_t i = 0; i < COUNT_OF(early); i++)
        some = some || !strcmp(early[i], c->f->rule);
    if (some && c->n >= 2 && c->n <= 3) {
        put_loss(&loss, c);
        text_printf(out, "grad(sum(sqr(grad(%s, b))), [a, b, W, u], unconnected=zero)",
                    text_str(&loss));
    }
    text_free(&loss);
    return out->len > 0;
}

/* ---- comparing ---- */

static void failed(Session *s, const Case *c, const Text *program, const char *text,
                   const char *what)
{
    fprintf(stderr, "%s: %s\n%s%s\n", c->f->rule, what, text_str((Text *)(uintptr_t)program), text);
    for (size_t i = 0; i < s->diags.list.len; i++)
        fprintf(stderr, "  %s\n", s->diags.list.at[i].message);
    fail();
}

static bool equal(const Values *a, const Values *b, Tally *t)
{
    bool ok = a->n == b->n;
    for (int i = 0; i < a->n && ok; i++, t->compared++)
        ok = values_error(a->at[i], b->at[i]) <= 1e-10;
    return ok;
}

static bool is_of_loops(const Rule *r)
{
    bool early = !strncmp(r->name, "tail", 4) || !strncmp(r->name, "numbers-in-", 11);
    return early || !strcmp(r->pass, "loops") || rule_is_global(r);
}

/* Once as it is; then without each rule that fired, or only without the family's. */
static void compare(Session *s, const Case *c, const Text *program, const char *text, Tally *t,
                    bool each)
{
    Values want = {0}, got = {0};
    if (!run_unrolled(s, text, &t->loops, &want))
        failed(s, c, program, text, "the unrolled program does not run");
    u64 *before = xmalloc((s->rules->all.len + 1) * sizeof *before);
    for (size_t i = 0; i < s->rules->all.len; i++)
        before[i] = session_rule_fired(s, s->rules->all.at[i]);
    if (!run_values(s, text, true, &got) || !equal(&want, &got, t))
        failed(s, c, program, text, "other values than unrolled");
    values_free(&got);
    for (size_t i = 0; i < s->rules->all.len; i++) {
        const Rule *r = s->rules->all.at[i];
        u64 now = session_rule_fired(s, r);
        if (!is_of_loops(r) || now == before[i])
            continue;
        *fired(t, r->name) += (u32)(now - before[i]);
        if (!each && strcmp(r->name, c->f->rule) != 0)
            continue;
        rule_switch(&s->options, r, true);
        if (!run_values(s, text, true, &got) || !equal(&want, &got, t))
            failed(s, c, program, text, r->name);
        values_free(&got);
        rule_switch(&s->options, r, false);
        before[i] = session_rule_fired(s, r);
        t->switched++;
    }
    free(before);
    values_free(&want);
}

static void run_case(const Case *c, Tally *t)
{
    if (!effort_takes(t->seen++))
        return;
    Session s;
    Text program = {0}, values = {0}, gradients = {0}, second = {0};
    assert_true(session_init(&s));
    text_put(&program, inputs);
    put_rows(&program, c);
    text_printf(&program, "N = %d\n", c->n);
    put_scans(&program, c);
    put_results(&values, c);
    put_gradients(&gradients, c);
    if (getenv("GRADUS_SHOW"))
        fprintf(stderr, "%s%s\n%s\n", text_str(&program), text_str(&values), text_str(&gradients));
    if (!run_statements(&s, text_str(&program)))
        failed(&s, c, &program, "", "it does not build");
    compare(&s, c, &program, text_str(&values), t, true);
    compare(&s, c, &program, text_str(&gradients), t, c->n == 3 && !c->stop);
    if (put_second(&second, c))
        compare(&s, c, &program, text_str(&second), t, false);
    t->cases++;
    text_free(&program);
    text_free(&values);
    text_free(&gradients);
    text_free(&second);
    session_free(&s);
}

static void run_family(const Family *f, Tally *t)
{
    static const int counts[] = {0, 1, 2, 3, 7};
    bool until = strchr(f->scans, '$') != NULL;
    for (size_t k = 0; k < COUNT_OF(counts); k++)
        for (int kind = 0; kind < 6; kind++) { /* never, backwards, beyond, first, middle, last */
            int n = counts[k];
            Case c = {
                .f = f, .n = n, .reverse = kind == 1, .way = (Way)((k + (size_t)kind) % WAYS)};
            c.stop = kind == 2   ? n + 2
                     : kind == 3 ? 1
                     : kind == 4 ? (n + 1) / 2
                     : kind == 5 ? n
                                 : 0;
            bool last = kind == 4 && (c.stop == 1 || c.stop == n);
            if ((c.reverse && (f->one_way || !strchr(f->scans, '>'))) || (kind > 1 && !until) ||
                (kind > 2 && !n) || (kind == 5 && n == 1) || last)
                continue;
            run_case(&c, t);
            if (kind < 2 && n != 3) /* another way to say how many */
                c.way = (Way)((c.way + 1) % WAYS), run_case(&c, t);
        }
}

static void rules_keep_values(void **state)
{
    (void)state;
    Tally t = {0};
    for (size_t i = 0; i < COUNT_OF(families); i++)
        run_family(&families[i], &t);
    Session s;
    assert_true(session_init(&s));
    u32 silent = 0;
    for (size_t i = 0; i < s.rules->all.len; i++) {
        const Rule *r = s.rules->all.at[i];
        if (!is_of_loops(r))
            continue;
        u32 n = *fired(&t, r->name);
        print_message("%s %u times\n", r->name, n);
        silent += n < 10;
    }
    print_message("%u programs, %u loops written out, %u values compared, %u times with a rule "
                  "switched off\n",
                  t.cases, t.loops, t.compared, t.switched);
    session_free(&s);
    if (effort_is_full())
        assert_int_equal(silent, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules_keep_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
