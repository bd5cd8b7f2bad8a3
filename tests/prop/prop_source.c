/* The printer gives the source back: random programs with every construct of the grammar are
 * parsed, printed, parsed again and printed again; the trees are equal, and so are the two texts.
 * Nothing is evaluated, so names and types need not fit. GRADUS_SEED and GRADUS_CASES choose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "syntax/parse.h"
#include "ast_equal.h"
#include "effort.h"

/* ---- random text ---- */

typedef struct {
    u64 state;
    Text out;
} Gen;

static u32 pick(Gen *g, u32 n)
{
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(g->state >> 33) % n;
}

static void put(Gen *g, const char *text) { text_put(&g->out, text); }

#define PICK(g, list) ((list)[pick(g, COUNT_OF(list))])

static const char *const names[] = {"x", "y", "W", "n", "k", "alpha_1", "été", "shape", "axis"};
static const char *const fields[] = {"final", "last", "steps", "stopped", "x"};

static void expr(Gen *g, Tightness level, int depth);

/* expr, item by item */
static void list(Gen *g, int from, int to, int depth)
{
    for (int i = 0, n = from + (int)pick(g, (u32)(to - from + 1)); i < n; i++) {
        put(g, i ? ", " : "");
        expr(g, LEVEL_ANY, depth);
    }
}

static void parameters(Gen *g, int depth)
{
    static const char *const own[] = {"a", "b", "c"};
    put(g, "(");
    for (u32 i = 0, n = 1 + pick(g, 3), plain = pick(g, 3); i < n; i++) {
        put(g, i ? ", " : "");
        put(g, own[i]);
        if (i > plain) {
            put(g, "=");
            expr(g, LEVEL_ANY, depth - 1);
        }
    }
    put(g, ")");
}

static void subscript(Gen *g, int depth)
{
    bool dots = false;
    put(g, "[");
    for (u32 i = 0, n = 1 + pick(g, 3); i < n; i++) {
        put(g, i ? ", " : "");
        switch (pick(g, 6)) {
        case 0: put(g, "None"); break;
        case 1: put(g, dots ? ":" : "..."), dots = true; break;
        case 2:
        case 3: /* start:stop:step, each perhaps left out */
            for (int part = 0; part < 3; part++) {
                put(g, part == 1 ? ":" : "");
                if (part == 2 && pick(g, 2))
                    break;
                put(g, part == 2 ? ":" : "");
                if (pick(g, 2))
                    expr(g, LEVEL_OR, depth - 1);
            }
            break;
        default: expr(g, LEVEL_ANY, depth - 1);
        }
    }
    put(g, "]");
}

static void call(Gen *g, int depth)
{
    static const char *const keys[] = {"axis", "if", "over", "keepdims", "for"}; /* any word */
    put(g, PICK(g, names));
    put(g, "(");
    u32 n = pick(g, 4), plain = pick(g, 4);
    for (u32 i = 0; i < n; i++) {
        put(g, i ? ", " : "");
        if (i >= plain) {
            put(g, keys[i]);
            put(g, "=");
        }
        expr(g, LEVEL_ANY, depth - 1);
    }
    put(g, ")");
}

static void block(Gen *g, int depth)
{
    static const char *const heads[] = {"p = ", "p, q = ", "p, _ = ", "h(a, b=1) = "};
    put(g, "{ ");
    for (u32 i = pick(g, 3); i > 0; i--) {
        put(g, PICK(g, heads));
        expr(g, LEVEL_ANY, depth - 1);
        put(g, pick(g, 2) ? "; " : "\n");
    }
    expr(g, LEVEL_ANY, depth - 1);
    put(g, " }");
}

static void binds(Gen *g, const char *word, bool needs_value, int depth)
{
    static const char *const own[] = {"s", "r", "v"};
    put(g, word);
    for (u32 i = 0, n = 1 + pick(g, 3); i < n; i++) {
        put(g, i ? ", " : " ");
        put(g, own[i]);
        if (needs_value || pick(g, 2)) {
            put(g, " = ");
            expr(g, LEVEL_ANY, depth - 1);
        }
    }
}

static void clauses(Gen *g, int depth)
{
    if (pick(g, 2))
        binds(g, " over", false, depth);
    if (pick(g, 2)) {
        put(g, " for ");
        expr(g, LEVEL_ANY, depth - 1);
    }
    if (pick(g, 2))
        binds(g, pick(g, 2) ? " from" : "\n  from", true, depth);
    if (pick(g, 4) == 0)
        put(g, pick(g, 2) ? " using ()" : " using W, x");
    if (pick(g, 4) == 0)
        put(g, " zip strict");
    if (pick(g, 4) == 0) {
        put(g, pick(g, 2) ? " checkpoint auto" : " checkpoint ");
        if (g->out.at[g->out.len - 1] == ' ')
            expr(g, LEVEL_OR, depth - 1);
    }
}

static void scan(Gen *g, int depth)
{
    static const char *const heads[] = {
        "s[t] = ",  "s[t], r[t] = ", "o[t] = ",     "o[t], local = ",
        "local = ", "_, r[t] = ",    "f(a, b=k) = "};
    put(g, "scan t");
    clauses(g, depth);
    put(g, " { ");
    for (u32 i = 0, n = 1 + pick(g, 3); i < n; i++) {
        put(g, PICK(g, heads));
        expr(g, LEVEL_ANY, depth - 1);
        put(g, pick(g, 2) ? "; " : "\n");
    }
    if (pick(g, 3) == 0) {
        put(g, "until ");
        expr(g, LEVEL_ANY, depth - 1);
    }
    put(g, " }");
}

static void leaf(Gen *g)
{
    static const char *const texts[] = {"0",    "1_2",    "1.5",  "2e10", "1e-300", "0xf",
                                        "true", "false",  "nan",  "pi",   "()",     "[]",
                                        "x",    "s[t-1]", "u[t]", "n",    "y",      "\"a b.npy\""};
    put(g, PICK(g, texts));
}

static void primary(Gen *g, int depth)
{
    switch (pick(g, 9)) {
    case 0: call(g, depth); break;
    case 1: block(g, depth); break;
    case 2: scan(g, depth); break;
    case 3: put(g, "["), list(g, 0, 3, depth - 1), put(g, "]"); break;
    case 4: put(g, "("), list(g, 2, 3, depth - 1), put(g, ")"); break;
    case 5: put(g, "("), expr(g, LEVEL_ANY, depth - 1), put(g, pick(g, 3) ? ")" : ",)"); break;
    case 6: put(g, "("), expr(g, LEVEL_ANY, depth - 1), put(g, ")"); break;
    default: leaf(g);
    }
}

static void postfix(Gen *g, int depth)
{
    u32 kind = pick(g, 6);
    if (kind > 3) {
        primary(g, depth);
        return;
    }
    if (pick(g, 2)) /* a number cannot take a field */
        put(g, PICK(g, names));
    else
        put(g, "("), expr(g, LEVEL_ANY, depth - 1), put(g, ")");
    for (u32 i = 1 + pick(g, 2); i > 0; i--)
        switch (pick(g, 4)) {
        case 0: put(g, "'"); break;
        case 1: put(g, "."), put(g, PICK(g, fields)); break;
        case 2: subscript(g, depth); break;
        default: put(g, "("), list(g, 0, 2, depth - 1), put(g, ")");
        }
}

/* left SIGN right, the operands at their own levels */
static void binary(Gen *g, const char *sign, Tightness left, Tightness right, int depth)
{
    expr(g, left, depth - 1);
    put(g, sign);
    expr(g, right, depth - 1);
}

static void any(Gen *g, int depth)
{
    switch (pick(g, 3)) {
    case 0:
        put(g, "if ");
        expr(g, LEVEL_ANY, depth - 1);
        put(g, pick(g, 2) ? " then " : "\n then ");
        expr(g, LEVEL_ANY, depth - 1);
        put(g, " else ");
        expr(g, LEVEL_ANY, depth - 1);
        break;
    case 1: put(g, "z -> "), expr(g, LEVEL_ANY, depth - 1); break;
    default: put(g, "(z, w) -> "), expr(g, LEVEL_ANY, depth - 1);
    }
}

static void expr(Gen *g, Tightness level, int depth)
{
    static const char *const compare[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    static const char *const times[] = {" * ", " / ", " // ", " % ", " @ "};
    Tightness at = (Tightness)(level + pick(g, LEVEL_POSTFIX - level + 1));
    if (depth <= 0) {
        leaf(g);
        return;
    }
    switch (at) {
    case LEVEL_ANY: any(g, depth); break;
    case LEVEL_OR: binary(g, " or ", LEVEL_OR, LEVEL_AND, depth); break;
    case LEVEL_AND: binary(g, " and ", LEVEL_AND, LEVEL_NOT, depth); break;
    case LEVEL_NOT: put(g, "not "), expr(g, LEVEL_NOT, depth - 1); break;
    case LEVEL_COMPARE: binary(g, PICK(g, compare), LEVEL_WITH, LEVEL_WITH, depth); break;
    case LEVEL_WITH:
        expr(g, LEVEL_WITH, depth - 1);
        put(g, " with ");
        subscript(g, depth - 1);
        put(g, pick(g, 2) ? " = " : " += ");
        expr(g, LEVEL_ADD, depth - 1);
        break;
    case LEVEL_BITOR: binary(g, " | ", LEVEL_BITOR, LEVEL_BITAND, depth); break;
    case LEVEL_BITAND: binary(g, " & ", LEVEL_BITAND, LEVEL_SHIFT, depth); break;
    case LEVEL_SHIFT: binary(g, pick(g, 2) ? " << " : " >> ", LEVEL_SHIFT, LEVEL_ADD, depth); break;
    case LEVEL_ADD: binary(g, pick(g, 2) ? " + " : " - ", LEVEL_ADD, LEVEL_MUL, depth); break;
    case LEVEL_MUL: binary(g, PICK(g, times), LEVEL_MUL, LEVEL_NEG, depth); break;
    case LEVEL_NEG: put(g, pick(g, 3) ? "-" : "~"), expr(g, LEVEL_NEG, depth - 1); break;
    case LEVEL_POW: binary(g, "^", LEVEL_POSTFIX, LEVEL_NEG, depth); break;
    case LEVEL_POSTFIX: postfix(g, depth); break;
    }
}

static void statement(Gen *g, int depth, int nesting);

static void body(Gen *g, int depth, int nesting, bool until)
{
    put(g, " { ");
    for (u32 i = 0, n = 1 + pick(g, 3); i < n; i++) {
        put(g, i ? pick(g, 2) ? "; " : "\n" : "");
        statement(g, depth - 1, nesting - 1);
    }
    if (until)
        put(g, "; until "), expr(g, LEVEL_ANY, depth - 1);
    put(g, " }");
}

static void statement(Gen *g, int depth, int nesting)
{
    static const char *const types[] = {"f64",    "i64[3]",      "f32[n, m]",  "bool[n+1]",
                                        "rng",    "f64[2*n, ?]", "rng[n]",     "f64[n*m]",
                                        "i32[0]", "f64[n-1]",    "f64[n*n+2]", "f64[?,1]"};
    static const char *const defined[] = {"y = ", "a, b = ", "a, _ = ", "a, b, c = "};
    static const char *const stored[] = {"x := ", "W, v := ", "l, W := "};
    static const char *const counts[] = {"100", "k", "2 * k", "size(x) - 1", "if b then 2 else 3"};
    switch (pick(g, nesting > 0 ? 8 : 6)) {
    case 0:
        put(g, pick(g, 2) ? "shared " : "");
        put(g, PICK(g, names));
        put(g, " : ");
        put(g, PICK(g, types));
        if (pick(g, 2))
            put(g, " = "), expr(g, LEVEL_ANY, depth);
        break;
    case 1: put(g, PICK(g, defined)), expr(g, LEVEL_ANY, depth); break;
    case 2:
        put(g, PICK(g, names));
        parameters(g, depth);
        put(g, " = ");
        expr(g, LEVEL_ANY, depth);
        break;
    case 3: {
        u32 k = pick(g, COUNT_OF(stored));
        put(g, stored[k]);
        expr(g, LEVEL_ANY, depth);
        if (k == 1) /* as many values as names */
            put(g, ", "), expr(g, LEVEL_ANY, depth);
        break;
    }
    case 6:
        put(g, "repeat "); /* a count that begins as a function's argument would be one */
        put(g, PICK(g, counts));
        body(g, depth, nesting, pick(g, 3) == 0);
        break;
    case 7: put(g, "in trial"), body(g, depth, nesting, false); break;
    default: expr(g, LEVEL_ANY, depth);
    }
}

/* ---- checks ---- */

typedef struct {
    bool kinds[64], statements[64];
    unsigned printed;
} Seen;

static bool same_expr(const Expr *a, const Expr *b)
{
    return (!a && !b) || (a && b && ast_equal(a, b));
}

static bool same_binds(int n, const Bind *a, const Bind *b)
{
    bool same = true;
    for (int i = 0; i < n && same; i++)
        same = strcmp(a[i].name, b[i].name) == 0 && same_expr(a[i].init, b[i].init);
    return same;
}

static bool same_type(const TypeExpr *a, const TypeExpr *b)
{
    bool same = strcmp(a->dtype, b->dtype) == 0 && a->ndims == b->ndims;
    for (int i = 0; i < a->ndims && same; i++)
        same = ast_equal(a->dims[i], b->dims[i]);
    return same;
}

static bool same_stmt(const Stmt *a, const Stmt *b)
{
    bool same = a->kind == b->kind && a->nnames == b->nnames && a->nparams == b->nparams &&
                a->nvalues == b->nvalues && a->nbody == b->nbody && !a->type == !b->type &&
                (!a->type || same_type(a->type, b->type)) &&
                same_binds(a->nnames, a->names, b->names) &&
                same_binds(a->nparams, a->params, b->params) && same_expr(a->value, b->value) &&
                same_expr(a->until, b->until);
    for (int i = 0; i < a->nvalues && same; i++)
        same = same_expr(a->values[i], b->values[i]);
    for (int i = 0; i < a->nbody && same; i++)
        same = same_stmt(a->body[i], b->body[i]);
    return same;
}

static void look(Seen *seen, const Stmt *s);

static void look_expr(Seen *seen, const Expr *e)
{
    if (!e)
        return;
    seen->kinds[e->kind] = true;
    for (int i = 0; i < e->nitems; i++)
        look_expr(seen, e->items[i]);
    for (int i = 0; i < e->nargs; i++)
        look_expr(seen, e->args[i].value);
    for (int i = 0; i < e->nstmts; i++)
        look(seen, e->stmts[i]);
}

static void look(Seen *seen, const Stmt *s)
{
    seen->statements[s->kind] = true;
    look_expr(seen, s->value);
    for (int i = 0; s->type && i < s->type->ndims; i++)
        look_expr(seen, s->type->dims[i]);
    for (int i = 0; i < s->nvalues; i++)
        look_expr(seen, s->values[i]);
    for (int i = 0; i < s->nbody; i++)
        look(seen, s->body[i]);
}

static Stmt *parse_one(const Source *src, Arena *arena, Diags *diags)
{
    Parser p;
    Stmt *first = NULL, *more = NULL;
    parser_init(&p, src, arena, diags, false);
    return parse_statement(&p, &first) == PARSE_OK && parse_statement(&p, &more) == PARSE_END
               ? first
               : NULL;
}

static const char *check(Gen *g, Arena *arena, Diags *diags, Seen *seen, Text *once, Text *twice)
{
    Source src = {.name = (char *)(uintptr_t) "case", .text = g->out.at, .len = g->out.len};
    const Stmt *first = parse_one(&src, arena, diags);
    if (!first)
        return "the program does not parse";
    ast_print_stmt(once, first);
    Source printed = {.name = (char *)(uintptr_t) "printed", .text = once->at, .len = once->len};
    const Stmt *second = parse_one(&printed, arena, diags);
    if (!second)
        return "what was printed does not parse";
    ast_print_stmt(twice, second);
    look(seen, first);
    seen->printed++;
    return !same_stmt(first, second)                      ? "what was printed is another program"
           : strcmp(text_str(once), text_str(twice)) != 0 ? "printing twice gives another text"
                                                          : NULL;
}

static bool one_case(unsigned seed, Seen *seen)
{
    Gen g = {.state = seed * 7919u + 17};
    Arena arena = {0};
    Diags diags = {0};
    Text once = {0}, twice = {0};
    statement(&g, 2 + (int)pick(&g, 4), 2);
    const char *why = check(&g, &arena, &diags, seen, &once, &twice);
    if (why) {
        print_error("seed %u: %s\n%s\n---- once\n%s\n---- twice\n%s\n", seed, why, text_str(&g.out),
                    text_str(&once), text_str(&twice));
        for (size_t i = 0; i < diags.list.len; i++)
            print_error("  %s\n", diags.list.at[i].message);
    }
    diags_free(&diags);
    text_free(&g.out);
    text_free(&once);
    text_free(&twice);
    arena_free(&arena);
    return !why;
}

static void source_is_given_back(void **state)
{
    (void)state;
    Seen seen = {0};
    unsigned seed = from_env("GRADUS_SEED", 1), cases = effort_cases(6000), failed = 0;
    for (unsigned i = 0; i < cases && failed < 5; i++)
        failed += !one_case(seed + i, &seen);
    print_message("%u programs\n", seen.printed);
    assert_int_equal(failed, 0);
    static const StmtKind made[] = {S_INPUT,  S_SHARED, S_DEFINE, S_FUNCTION,
                                    S_ASSIGN, S_REPEAT, S_IN,     S_EXPR};
    for (size_t i = 0; i < COUNT_OF(made); i++)
        assert_true(seen.statements[made[i]] || !effort_is_full());
    for (int kind = 0; kind <= E_SCAN; kind++)
        if (!seen.kinds[kind])
            fail_msg("no program has an expression of kind %d", kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(source_is_given_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
