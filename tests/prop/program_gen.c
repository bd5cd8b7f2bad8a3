/* See program_gen.h. */
#include "program_gen.h"

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

static void put(Gen *g, const char *s) { text_put(&g->out, s); }

static void scalar(Gen *g, int depth);
static void vector(Gen *g, int depth);

static void call1(Gen *g, int depth, void (*arg)(Gen *, int))
{
    static const char *const names[] = {"exp",   "tanh", "sigmoid",  "sin",   "cos",
                                        "sqr",   "abs",  "softplus", "relu",  "expm1",
                                        "log1p", "-",    "neg",      "floor", "sqrt"};
    put(g, names[pick(g, COUNT_OF(names))]);
    put(g, "(");
    arg(g, depth - 1);
    put(g, ")");
}

static void call2(Gen *g, int depth, void (*a)(Gen *, int), void (*b)(Gen *, int))
{
    static const char *const ops[] = {" + ", " - ", " * ", " / ", " + ", " * "};
    put(g, "(");
    a(g, depth - 1);
    put(g, ops[pick(g, COUNT_OF(ops))]);
    b(g, depth - 1);
    put(g, ")");
}

static void number(Gen *g)
{
    static const char *const numbers[] = {"0", "1", "2", "-1", "0.5", "1.0", "3", "0.0"};
    put(g, numbers[pick(g, COUNT_OF(numbers))]);
}

/* Hard cases for the rules: these shapes are what they look for. */
static void bait(Gen *g, int depth, void (*arg)(Gen *, int))
{
    static const char *const shapes[][2] = {
        {"log(1 + exp(", "))"},  {"1 / (1 + exp(", "))"}, {"(", ") ^ 2"}, {"log(sigmoid(", "))"},
        {"(1 - sigmoid(", "))"}, {"0 + (", ")"},          {"1 * (", ")"}, {"-(-(", "))"},
        {"exp(", ") - 1"},       {"sqrt(sqr(", "))"},     {"(", ") ^ 1"}, {"log(exp(", "))"}};
    const char *const *s = shapes[pick(g, COUNT_OF(shapes))];
    put(g, "(");
    put(g, s[0]);
    arg(g, depth - 1);
    put(g, s[1]);
    put(g, ")");
}

static void loop(Gen *g, int depth, bool trace)
{
    static const char *const index[] = {"t", "i", "j"};
    static const char *const state[] = {"a", "b", "c"};
    const char *t = index[g->loops], *s = state[g->loops];
    g->loops++;
    text_printf(&g->out, "{ L = scan %s %s from %s = s { %s[%s] = tanh(%s[%s-1] * ", t,
                pick(g, 2) ? "over x" : "for k", s, s, t, s, t);
    scalar(g, depth - 2);
    put(g, " + ");
    scalar(g, depth - 2);
    put(g, ")");
    if (pick(g, 3) == 0)
        text_printf(&g->out, "; until %s[%s] > 0.9", s, t);
    g->loops--;
    text_printf(&g->out, " }; %s }", trace ? "sum(L)" : pick(g, 2) ? "L.final" : "L[-1]");
}

static void scalar(Gen *g, int depth)
{
    if (depth <= 0) {
        if (pick(g, 3))
            put(g, pick(g, 2) ? "s" : "r");
        else
            number(g);
        return;
    }
    switch (pick(g, 9)) {
    case 0: call1(g, depth, scalar); break;
    case 1:
    case 2: call2(g, depth, scalar, scalar); break;
    case 3:
        put(g, "sum(");
        vector(g, depth - 1);
        put(g, ")");
        break;
    case 4: bait(g, depth, scalar); break;
    case 5:
        if (g->loops < 2 && depth > 1)
            loop(g, depth, pick(g, 2));
        else
            put(g, "max(x)");
        break;
    case 6:
        put(g, "(if s > 0 then ");
        scalar(g, depth - 1);
        put(g, " else ");
        scalar(g, depth - 1);
        put(g, ")");
        break;
    case 7:
        put(g, "(x @ ");
        vector(g, depth - 1);
        put(g, ")");
        break;
    default: scalar(g, 0);
    }
}

static void vector(Gen *g, int depth)
{
    if (depth <= 0) {
        put(g, pick(g, 2) ? "x" : "y");
        return;
    }
    switch (pick(g, 8)) {
    case 0: call1(g, depth, vector); break;
    case 1: call2(g, depth, vector, vector); break;
    case 2: call2(g, depth, vector, scalar); break;
    case 3: bait(g, depth, vector); break;
    case 4:
        put(g, "where(x > y, ");
        vector(g, depth - 1);
        put(g, ", ");
        vector(g, depth - 1);
        put(g, ")");
        break;
    case 5:
        put(g, "(M @ ");
        vector(g, depth - 1);
        put(g, ")");
        break;
    case 6: put(g, pick(g, 2) ? "zeros_like(x)" : "ones_like(y)"); break;
    default: vector(g, 0);
    }
}

void program_gen(Text *out, unsigned seed)
{
    Gen g = {.state = seed * 7919ull + 17, .out = *out};
    bool derivative = pick(&g, 3) == 0;
    put(&g, derivative ? "grad(f64(" : "");
    scalar(&g, 4);
    put(&g, derivative ? "), [x, s], unconnected=zero)" : "");
    *out = g.out;
}

const char *const program_header =
    "x : f64[n] = [0.3, -0.7, 1.1]\n"
    "y : f64[n] = [0.2, 0.9, -0.4]\n"
    "s : f64 = 0.6\n"
    "r : f64 = -0.3\n"
    "k : i64 = 3\n"
    "M : f64[n, n] = [[0.1, 0.2, -0.3], [0.4, 0.0, 0.5], [-0.2, 0.1, 0.3]]\n";
