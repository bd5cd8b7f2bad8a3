/* What is not graph text is refused with one diagnostic, whatever it is: mistakes one by one,
 * texts with bytes changed, and well-formed lines that make no sense. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "effort.h"
#include "ops/ops.h"
#include "text_help.h"
#include "surface/surface.h"

#include <math.h>

/* ---- what is no graph text ---- */

static void test_mistakes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "x",
        "%1",
        "%1 = 3",
        "return %1",
        "return 1 2",
        "return 1,",
        "return nan(",
        "return f32(1.0",
        "return i32(3000000000)",
        "return 99999999999999999999",
        "return 1e",
        "return f99(1)",
        "return \"x\"",
        "%1 : f64[ = input{name=x}()\nreturn %1",
        "%1 : f64[n = input{name=x}()\nreturn %1",
        "%1 : f64[1,2,3,4,5,6,7,8,9] = input{name=x}()\nreturn %1",
        "%1 : f64[d99999999] = input{name=x}()\nreturn %1",
        "%1 : f64[%2] = input{name=x}()\nreturn %1",
        "%1 : f64[?] = input{name=x}()\nreturn %1",
        "%1 : f64[max(n)] = input{name=x}()\nreturn %1",
        "%1 = input{name=x}()\nreturn %1",
        "%1 : f64 = input{}()\nreturn %1",
        "%1 : f64 = input{name=x, name=y}()\nreturn %1",
        "%1 : f64 = input{name=x, size=n}()\nreturn %1",
        "%1 : f64 = input{name=x}(2.0)\nreturn %1",
        "%1 : f64 = input{name=\"x}()\nreturn %1",
        "%1 : f64 = input{name=x}()\n%1 : f64 = input{name=y}()\nreturn %1",
        "%1 : f32 = neg(2.0)\nreturn %1",
        "%1 = add(2.0)\n%2 = frob(%1)\nreturn %2",
        "%1 = sum{axes=(1,)}(2.0)\nreturn %1",
        "%1 = sum{axes=(0}(2.0)\nreturn %1",
        "%1 = cast{dtype=f16}(2.0)\nreturn %1",
        "%1 = proj{index=0}(2.0)\nreturn %1",
        "%1 = tuple(1)\n%2 = %1.1\nreturn %2",
        "%1 = tuple(1)\n%2 = %1.-1\nreturn %2",
        "%1 : f64[2] = const{value=[1.0]}()\nreturn %1",
        "%1 : f64[2, 2] = const{value=[[1.0, 2.0], [3.0]]}()\nreturn %1",
        "%1 : f64[n] = const{value=[1.0]}()\nreturn %1",
        "%1 : f64[9999999999, 9999999999] = const{value=[]}()\nreturn %1",
        "%1 = const{value=[[[[[[[[[1]]]]]]]]]}()\nreturn %1",
        "p0 : f64 = neg(1.0)\nreturn p0",
        "p0 : f64 = param{index=1}()\nreturn p0",
        "return p0",
        "@1 = graph(p1: f64) { return p1 }\nreturn 1",
        "@1 = graph(p0: f64) { return p1 }\nreturn 1",
        "@1 = graph(p0: f64) { return p0\nreturn 1",
        "@1 = graph(p0: f64) { @2 = graph() { return 1 } return p0 }\nreturn 1",
        "@1 = graph(p0: f64) { %1 : f64 = input{name=x}() return %1 }\nreturn 1",
        "@1 = graph(p0: f64) { %1 = neg(p0) return %1 }\n@2 = graph(p0: i64) { return %1 }\nreturn "
        "1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@2}(n=1, init=1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@1, reverse=false, "
        "stop=false}(init=1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@1, reverse=false, stop=false}(n=1, "
        "seq=1.0, init=1.0)\n"
        "return %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@1, reverse=false, stop=true}(n=1, "
        "init=1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = scan{body=@1, reverse=false, "
        "stop=false}(n=1)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = ifelse{then=@1, else=@1, then_args=(1,), "
        "else_args=(0,)}(true, 1.0)\n"
        "return %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = grad{body=@1, wrt=2}(1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = grad{body=@1, wrt=-1}(1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return p0 }\n%1 = vjp{body=@1, wrt=1}(1.0)\nreturn %1",
        "@1 = graph(p0: f64) { return }\n%1 = grad{body=@1, wrt=0}(1.0)\nreturn %1",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        World *w = world_new();
        Node **roots = NULL;
        int n = read_text(&w->st, texts[i], strlen(texts[i]), &roots);
        if (n != -1 || w->diags.errors != 1)
            fail_msg("%d roots, %zu errors: %s", n, w->diags.errors, texts[i]);
        free(roots);
        world_free(w);
    }
}

/* The place of a mistake is where it is, not where the text begins. */
static void test_place(void **state)
{
    (void)state;
    World *w = world_new();
    Node **roots = NULL;
    char text[] = "%1 : f64[n] = input{name=x}()\n%2 : f64 = tanh(%1)\nreturn %2\n";
    Source src = {.name = (char *)(uintptr_t) "g", .text = text, .len = strlen(text)};
    assert_int_equal(graph_read(&w->st, &src, &roots), -1);
    int line, column, length;
    span_locate(w->diags.list.at[0].span, &line, &column, &length);
    assert_int_equal(line, 2);
    assert_int_equal(column, 1);
    assert_non_null(strstr(w->diags.list.at[0].message, "f64[n]"));
    free(roots);
    world_free(w);
}

static u64 next_random(u64 *seed) { return *seed = hash_mix(*seed, 0x5eed); }

static char *sample_text(World *w, size_t *len)
{
    Store *st = &w->st;
    Node *x = vector_input(st, "x", "n"), *W = vector_input(st, "W", "n"),
         *u = sequence_input(st, "u");
    Node *k = input_of(st, "k", DT_I64, 0, NULL);
    Node *c = build_elementwise(st, OP_GT, 2, (Node *[]){k, node_i64(st, 3)});
    Node *roots[] = {nested_scan(st, x, u, W, k),
                     rnn_scan(st, x, u, W, scalar_input(st, "limit"), k),
                     choice_node(st, c, x, W),
                     square_gradient(st, OP_VJP, x, W, node_f64(st, NAN)),
                     tensor_node(st, DT_F32, 2, (i64[]){2, 2}, (float[]){1, 2, INFINITY, NAN}),
                     build_full(st, node_f64(st, 2), 1, &k)};
    char *text = print_text(st, (int)COUNT_OF(roots), roots);
    *len = strlen(text);
    return text;
}

/* A few bytes or pieces of the text changed, moved, doubled or dropped. */
static void mutate(Text *t, u64 *seed)
{
    for (u64 edits = 1 + next_random(seed) % 4; edits > 0 && t->len > 0; edits--) {
        size_t at = next_random(seed) % t->len, n = 1 + next_random(seed) % 12;
        size_t from = next_random(seed) % t->len;
        n = n < t->len - at ? n : t->len - at;
        n = n < t->len - from ? n : t->len - from;
        switch (next_random(seed) % 5) {
        case 0: t->at[at] = (char)(next_random(seed) % 256); break;
        case 1: t->at[at] = "()[]{}%@,.:=#\"-0123456789pdrn? \n"[next_random(seed) % 32]; break;
        case 2:
            memmove(t->at + at, t->at + at + n, t->len - at - n);
            t->len -= n;
            break;
        case 3: memmove(t->at + at, t->at + from, n); break;
        default: {
            char *tail = xmalloc(t->len - at);
            size_t rest = t->len - at;
            memcpy(tail, t->at + at, rest);
            t->len = at;
            text_putn(t, t->at + (from < at ? from : 0), from < at && from + n <= at ? n : 0);
            text_putn(t, tail, rest);
            free(tail);
        }
        }
    }
}

/* Reads a text that may say anything: nodes that can be printed, or an error. */
static bool survives(World *w, const char *text, size_t len, u64 seed)
{
    Node **roots = NULL;
    diags_clear(&w->diags);
    int n = read_text(&w->st, text, len, &roots);
    if ((n < 0) != (w->diags.errors > 0))
        fail_msg("seed %llu: %zu errors", (unsigned long long)seed, w->diags.errors);
    if (n >= 0) {
        free(print_text(&w->st, n, roots));
        Text t = {0};
        for (int i = 0; i < n; i++)
            node_source_limited(&w->st, &t, roots[i], true, 200);
        text_free(&t);
    }
    free(roots);
    return n >= 0;
}

/* GRADUS_CASES=1000000 GRADUS_SEED=7: longer, elsewhere. */
static void test_mutations(void **state)
{
    (void)state;
    World *w = world_new();
    size_t len;
    char *text = sample_text(w, &len);
    u64 from = from_env("GRADUS_SEED", 0), n = effort_cases(20000), accepted = 0;
    for (u64 i = from; i < from + n; i++) {
        u64 seed = i;
        if (i % 50 == 0) {
            world_free(w);
            w = world_new();
        }
        Text t = {0};
        text_putn(&t, text, len);
        mutate(&t, &seed);
        accepted += survives(w, text_str(&t), t.len, i);
        text_free(&t);
    }
    assert_true(accepted > n / 200);
    free(text);
    world_free(w);
}

static void random_attr(Text *t, char kind, u64 *seed)
{
    static const char *const types[] = {"bool", "i32", "i64", "f32", "f64", "rng"};
    int small = (int)(next_random(seed) % 5) - (next_random(seed) % 8 == 0);
    switch (kind) {
    case 'b': text_put(t, small % 2 ? "true" : "false"); return;
    case 'd': text_put(t, types[next_random(seed) % COUNT_OF(types)]); return;
    case 'I':
        text_putc(t, '(');
        for (u64 n = next_random(seed) % 4; n > 0; n--)
            text_printf(t, "%d, ", (int)(next_random(seed) % 4) - (next_random(seed) % 16 == 0));
        text_putc(t, ')');
        return;
    case 'g': text_printf(t, "@%d", (int)(1 + next_random(seed) % 4)); return;
    case 'z': text_put(t, small > 1 ? "max(n, %3)+2*m" : "floordiv(n, m)*n-1"); return;
    case 'v': text_put(t, small > 1 ? "[1, 2]" : "i32([[1], [2]])"); return;
    default: text_printf(t, "%d", small);
    }
}

/* Well-formed lines whose operators, attributes and operands do not go together. */
static void random_line(Text *t, u64 number, u64 *seed)
{
    OpId op = (OpId)(next_random(seed) % OP_COUNT);
    const OpInfo *info = &op_table[op];
    text_printf(t, "%%%llu = %s{", (unsigned long long)number, info->name);
    for (int i = 0; i < op_attr_count(op); i++) {
        char kind = op_attr_kind(op, i);
        const char *name = op_attr_name(op, i);
        if (kind == 't' || (op == OP_SCAN && (i == 1 || i == 2)) || (op == OP_LOOP && i == 1))
            continue;
        text_printf(t, "%s=", name);
        if (kind == 's')
            text_put(t, "word");
        else
            random_attr(t, kind, seed);
        text_put(t, ", ");
    }
    text_put(t, "}(");
    u64 nops = (u64)info->min_ops + (next_random(seed) % 3 ? next_random(seed) % 3 : 0);
    for (u64 i = 0; i < nops; i++) {
        static const char *const constants[] = {"2",        "1.5",    "true", "-1",
                                                "f32(0.5)", "i32(7)", "nan",  "0"};
        if (op == OP_SCAN)
            text_put(t, i == 0 ? "n=" : i == 1 ? "init=" : "capture=");
        if (op == OP_LOOP)
            text_put(t, i == 0 ? "rows=" : i == 1 ? "go=" : i == 2 ? "init=" : "capture=");
        if (next_random(seed) % 3)
            text_printf(t, "%%%llu, ", (unsigned long long)(1 + next_random(seed) % (number - 1)));
        else
            text_printf(t, "%s, ", constants[next_random(seed) % COUNT_OF(constants)]);
    }
    text_put(t, ")\n");
}

static const char some_inputs[] =
    "%1 : f64 = input{name=a}()\n%2 : f64[n] = input{name=x}()\n"
    "%3 : i64 = input{name=k}()\n%4 : i64[n, 3] = input{name=i}()\n"
    "%5 : f64[n, m] = input{name=A}()\n%6 : rng = input{name=r}()\n"
    "%7 : (f64, i64[m]) = input{name=t}()\n%8 : bool[n] = input{name=b}()\n"
    "%9 : f64[%3] = input{name=y}()\n%10 : f64[0] = const{value=[]}()\n"
    "@1 = graph(p0: f64) { return p0 }\n"
    "@2 = graph(p0: f64[d0], p1: f64[d0]) { %20 = mul(p0, p1) return %20, p0 }\n"
    "@3 = graph(p0: f64[p1], p1: i64) { %21 = neg(p0) return %21 }\n"
    "@4 = graph() { return 1.0, true, 3 }\n";

static void test_random_lines(void **state)
{
    (void)state;
    World *w = world_new();
    u64 from = from_env("GRADUS_SEED", 0), n = effort_cases(20000), accepted = 0;
    for (u64 i = from; i < from + n; i++) {
        u64 seed = hash_mix(i, 3);
        if (i % 50 == 0) {
            world_free(w);
            w = world_new();
        }
        Text t = {0};
        text_put(&t, some_inputs);
        u64 lines = 1 + next_random(&seed) % 3;
        for (u64 k = 0; k < lines; k++)
            random_line(&t, 11 + k, &seed);
        text_printf(&t, "return %%%llu", (unsigned long long)(10 + lines));
        accepted += survives(w, text_str(&t), t.len, i);
        text_free(&t);
    }
    assert_true(accepted > n / 50);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_mutations),
        cmocka_unit_test(test_random_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
