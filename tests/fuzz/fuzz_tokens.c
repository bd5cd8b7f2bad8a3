/* Fuzzer: bytes choose productions of a grammar that is a little wrong on purpose, so that most
 * statements pass the parser and reach what is behind it with operands of every wrong kind.
 * FUZZ_SHOW=1 prints the text that an input stands for. */
#include "fuzz.h"

typedef struct {
    const uint8_t *at, *end;
    Text out;
} Soup;

static u32 pick(Soup *s, u32 n) { return s->at < s->end ? *s->at++ % n : 0; }
static void put(Soup *s, const char *text) { text_put(&s->out, text); }

#define PICK(s, list) ((list)[pick(s, COUNT_OF(list))])

static const char *const leaves[] = {"x",       "0",
                                     "1",       "k",
                                     "y",       "A",
                                     "2",       "-1",
                                     "c",       "b",
                                     "u",       "s[t-1]",
                                     "u[t]",    "u[t-2]",
                                     "s[t]",    "t",
                                     "s[t+1]",  "S",
                                     "f",       "g",
                                     "sin",     "0.5",
                                     "S.s",     "S.final",
                                     "w",       "W",
                                     "r",       "p",
                                     "true",    "\"a\"",
                                     "[]",      "(1, 2)",
                                     "nan",     "inf",
                                     "pi",      "()",
                                     "[1, 2]",  "n",
                                     "T",       "S.final.s",
                                     "10^9",    "2^62",
                                     "1e300",   "-2^63",
                                     "e",       "-0.0",
                                     "x -> x",  "i32(3)",
                                     "f32(x)",  "z",
                                     "S.steps", "[[1, 2], [3, 4]]",
                                     "nope",    "q",
                                     "i",       "a[i-1]",
                                     "S[-1]",   "zeros((0, 3))",
                                     "false",   "9223372036854775807",
                                     "grad",    "3",
                                     "x'",      "A'",
                                     "rng(1)",  "size(x)",
                                     "(3,)",    "None"};

static const char *const binary[] = {" + ",  " * ",  " - ",  " / ", " @ ",   " ^ ",
                                     " // ", " % ",  " == ", " < ", " and ", " or ",
                                     " != ", " >= ", ", ",   " -> "};

static const char *const unary[] = {"-",   "not ", "exp",  "sum", "sqr",
                                    "log", "abs",  "tanh", "max", "f"};

static const char *const functions[] = {
#define B(NAME, ...) #NAME,
#include "lang/builtins.def"
#undef B
#define OP(ID, NAME, ...) NAME,
#include "ops/all.def"
#undef OP
    "map", "foldl", "foldr", "reduce", "f", "g", "vmap", "grad(f)", "grad(grad(f))", "h", "S"};

static const char *const keys[] = {"axis",     "keepdims", "shape",    "dtype", "unconnected",
                                   "truncate", "in_axes",  "out_axes", "w",     "axes",
                                   "k",        "step",     "ddof",     "n"};

static const char *const types[] = {"f64",       "f64[3]",    "i64",    "f64[n]",   "bool[n]",
                                    "f32[n, n]", "rng",       "f64[?]", "f64[n+1]", "i32[0]",
                                    "f64[n-5]",  "f64[2, 3]", "rng[2]", "f64[-1]",  "f64[n*k]",
                                    "q7",        "f64[2^62]"};

static const char *const names[] = {"x", "y",   "k", "a", "f", "S", "A", "w",
                                    "z", "sin", "s", "n", "T", "_", "u", "W"};

static void expr(Soup *s, int depth);

static void subscript(Soup *s, int depth)
{
    put(s, "[");
    for (u32 i = 0, n = 1 + pick(s, 3); i < n; i++) {
        put(s, i ? ", " : "");
        switch (pick(s, 7)) {
        case 0: expr(s, depth - 1); break;
        case 1: put(s, ":"); break;
        case 2: put(s, "..."); break;
        case 3: put(s, "None"); break;
        case 4: put(s, "::-1"); break;
        case 5:
            expr(s, 0);
            put(s, ":");
            expr(s, 0);
            break;
        default: put(s, "::"); expr(s, 0);
        }
    }
    put(s, "]");
}

static void call(Soup *s, int depth)
{
    const char *name = PICK(s, functions);
    put(s, strcmp(name, "save") == 0 ? "sum" : name);
    put(s, "(");
    for (u32 i = 0, n = pick(s, 4); i < n; i++) {
        put(s, i ? ", " : "");
        if (i && pick(s, 3) == 0) {
            put(s, PICK(s, keys));
            put(s, "=");
        }
        expr(s, depth - 1);
    }
    put(s, ")");
}

static void clause(Soup *s, int depth)
{
    static const char *const fixed[] = {" over x",
                                        " for k",
                                        " over u",
                                        " from s = 0.0",
                                        " over a = x",
                                        " from s = x",
                                        " zip strict",
                                        " using x, k",
                                        " using ()",
                                        " for 3",
                                        " from s = x, z = 1",
                                        " checkpoint auto",
                                        " over x, y",
                                        " checkpoint 2"};
    static const char *const open[] = {" for ",
                                       " over a = ", " from s = ", " from z = ", " checkpoint "};
    u32 k = pick(s, 20);
    if (k < COUNT_OF(fixed)) {
        put(s, fixed[k]);
        return;
    }
    put(s, open[k % COUNT_OF(open)]);
    expr(s, depth - 1);
}

static void item(Soup *s, int depth)
{
    static const char *const heads[] = {
        "s[t] = ", "s[t] = ", "z[t] = ", "o[t] = ", "l = ", "until ", "s[t], z[t] = "};
    put(s, PICK(s, heads));
    expr(s, depth - 1);
}

static void scan(Soup *s, int depth)
{
    put(s, pick(s, 6) == 5 ? "scan i" : "scan t");
    for (u32 i = 0, n = 1 + pick(s, 3); i < n; i++)
        clause(s, depth);
    put(s, " { ");
    for (u32 i = 0, n = 1 + pick(s, 3); i < n; i++) {
        put(s, i ? "; " : "");
        item(s, depth);
    }
    put(s, " }");
}

static void parts(Soup *s, int depth, const char *const *text, int n)
{
    for (int i = 0; i < n; i++) {
        if (i)
            expr(s, depth - 1);
        put(s, text[i]);
    }
}

#define PARTS(s, depth, ...)                            \
    parts(s, depth, (const char *const[]){__VA_ARGS__}, \
          (int)COUNT_OF(((const char *[]){__VA_ARGS__})))

static void expr(Soup *s, int depth)
{
    if (depth <= 0 || s->at >= s->end) {
        put(s, PICK(s, leaves));
        return;
    }
    switch (pick(s, 20)) {
    case 0:
    case 1: put(s, PICK(s, leaves)); break;
    case 2:
    case 3:
    case 4:
        put(s, "(");
        expr(s, depth - 1);
        put(s, PICK(s, binary));
        expr(s, depth - 1);
        put(s, ")");
        break;
    case 5:
        put(s, PICK(s, unary));
        PARTS(s, depth, "(", ")");
        break;
    case 6:
    case 7:
    case 8: call(s, depth); break;
    case 9:
        expr(s, depth - 1);
        subscript(s, depth);
        break;
    case 10:
    case 11: scan(s, depth); break;
    case 12: PARTS(s, depth, "(if ", " then ", " else ", ")"); break;
    case 13: PARTS(s, depth, "[", ", ", "]"); break;
    case 14: PARTS(s, depth, "(", ", ", ")"); break;
    case 15: PARTS(s, depth, "grad(", ", ", ", unconnected=zero)"); break;
    case 16: PARTS(s, depth, "(x -> ", ")(", ")"); break;
    case 17:
        put(s, "(");
        expr(s, depth - 1);
        put(s, " with ");
        subscript(s, depth);
        put(s, pick(s, 2) ? " = " : " += ");
        expr(s, depth - 1);
        put(s, ")");
        break;
    case 18: PARTS(s, depth, "{ w = ", "; ", " }"); break;
    default: PARTS(s, depth, "sum(", ")"); break;
    }
}

static void statement(Soup *s)
{
    switch (pick(s, 12)) {
    case 0:
    case 1:
    case 2: PARTS(s, 4, "", ""); break;
    case 3:
    case 4:
        put(s, PICK(s, names));
        PARTS(s, 3, " = ", "");
        break;
    case 5:
        put(s, PICK(s, names));
        PARTS(s, 3, " := ", "");
        break;
    case 6:
        put(s, pick(s, 4) ? "" : "shared ");
        put(s, PICK(s, names));
        put(s, " : ");
        put(s, PICK(s, types));
        if (pick(s, 3))
            PARTS(s, 2, " = ", "");
        break;
    case 7:
        put(s, pick(s, 2) ? "f(x, w=1)" : "g(x)");
        PARTS(s, 3, " = ", "");
        break;
    case 8: PARTS(s, 3, "repeat 3 { W := ", " }"); break;
    case 9: PARTS(s, 3, "in alt { W := ", "; W }"); break;
    case 10:
        put(s, PICK(s, names));
        PARTS(s, 3, ", T = ", "");
        break;
    default: PARTS(s, 4, "grad(sum(", "), x)"); break;
    }
    put(s, "\n");
}

static const char header[] =
    "x : f64[n] = [0.5, -1, 2]; y : f64[n] = [3, 0, 0.25]; k : i64 = 3; c : bool = true\n"
    "A : f64[2, 2] = [[1, 2], [3, 4]]; b : bool[2] = [true, false]; q : f64[m]\n"
    "shared W : f64 = 2; r = rng(7); p = (x, 1); u = [1, 2, 3, 4]\n"
    "f(x, w=2) = x * w + 1; g = a -> sum(a * a)\n"
    "S = scan t for 4 from s = 1.0 { s[t] = s[t-1] * 2 }\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Soup s = {.at = data, .end = data + size};
    put(&s, header);
    for (int i = 0; i < 6 && s.at < s.end; i++)
        statement(&s);
    if (getenv("FUZZ_SHOW"))
        fprintf(stderr, "%s", text_str(&s.out) + sizeof header - 1);
    fuzz_statements(text_str(&s.out), s.out.len, 0.9);
    text_free(&s.out);
    return 0;
}
