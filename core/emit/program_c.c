/* The functions of native code: one for each loop, one for each fused group.
 *
 * Invariant: a function leaves the frame as the machine's code for the block would: states in their
 * registers, tensors owned once. */
#include "emit/elem_text.h"
#include "embed/embed.h"
#include "emit/program_fixed.h"
#include "exec/plan_work.h"

/* ---- words ---- */

void say(const Scope *s, const char *fmt, ...)
{
    Text *c = &s->w->out->c;
    va_list ap;
    for (int i = 0; i < s->depth; i++)
        text_put(c, "    ");
    va_start(ap, fmt);
    text_vprintf(c, fmt, ap);
    va_end(ap);
    text_putc(c, '\n');
}

Word name_of(const Scope *s, u32 reg)
{
    Word w;
    if (s->up)
        snprintf(w.at, sizeof w.at, "x%u_%u", reg, s->number);
    else
        snprintf(w.at, sizeof w.at, "x%u", reg);
    return w;
}

Word value_of_reg(const Scope *s, u32 reg)
{
    Text t = {0};
    const Tensor *constant = s->constant[reg];
    if (!constant || !literal_put(&t, constant->dtype, constant->data))
        return name_of(s, reg);
    Word w;
    snprintf(w.at, sizeof w.at, "%s", text_str(&t));
    text_free(&t);
    return w;
}

u32 place_of(Writer *w, const void *thing)
{
    if (!thing) /* of what no message tells */
        return HOST_COUNT;
    u32 place = map_get(&w->places, thing);
    if (!place) {
        vec_push(&w->out->table, thing);
        place = (u32)w->out->table.len;
        map_put(&w->places, thing, place);
    }
    return place - 1;
}

u32 place_of_function(Writer *w, AnyFunction f)
{
    const void *p;
    memcpy(&p, &f, sizeof p);
    return place_of(w, p);
}

const char *field_of(u8 kind)
{
    static const char *const fields[DT_COUNT] = {
        [DT_BOOL] = "b", [DT_I32] = "w", [DT_I64] = "l", [DT_F32] = "f", [DT_F64] = "d"};
    return fields[kind];
}

Word step_of(const Scope *s)
{
    Word w = {"step"};
    while (s->up && !s->b->loop)
        s = s->up;
    if (s->up)
        snprintf(w.at, sizeof w.at, "step%u", s->number);
    return w;
}

/* The loops around are named from the inside. */
Word failed(const Scope *s)
{
    Word w = {"{ "};
    for (; s->up; s = s->up)
        if (s->b->loop) {
            size_t n = strlen(w.at);
            snprintf(w.at + n, sizeof w.at - n, "in_row(vm, step%u); ", s->number);
        }
    size_t n = strlen(w.at);
    snprintf(w.at + n, sizeof w.at - n, "goto failed; }");
    return w;
}

/* ---- the head ---- */

/* How many of n numbers that count up are less than s, or no more; what numbers are (as bits). */
static void put_looks(Text *c)
{
    text_put(c, "static inline i64 below(i64 s, i64 first, i64 n) {\n"
                "    const u64 k = (u64)s - (u64)first;\n"
                "    return s <= first ? 0 : k < (u64)n ? (i64)k : n; }\n"
                "static inline i64 upto(i64 s, i64 first, i64 n) {\n"
                "    const u64 k = (u64)s - (u64)first;\n"
                "    return s < first ? 0 : k < (u64)n ? (i64)k + 1 : n; }\n"
                "typedef double Pair __attribute__((vector_size(16)));\n"
                "typedef i64 Masks __attribute__((vector_size(16)));\n"
                "#define KEEP(NAME, SIGN) \\\n"
                "static inline double keep_##NAME(double a, double b, double x) { \\\n"
                "    const Masks m = (Pair){a, 0} SIGN (Pair){b, 0}; \\\n"
                "    return ((Pair)((Masks)(Pair){x, 0} & m))[0]; } \\\n"
                "static inline double keep_not_##NAME(double a, double b, double x) { \\\n"
                "    const Masks m = (Pair){a, 0} SIGN (Pair){b, 0}; \\\n"
                "    return ((Pair)((Masks)(Pair){x, 0} & ~m))[0]; }\n"
                "KEEP(lt, <)\nKEEP(le, <=)\nKEEP(gt, >)\nKEEP(ge, >=)\n"
                "#define LOOKS(T, B, INF, ZERO) \\\n"
                "static inline i64 all_finite_##T(const T *x, i64 n) { B bad = 0, b; \\\n"
                "    for (i64 i = 0; i < n; i++) { __builtin_memcpy(&b, &x[i], sizeof b); \\\n"
                "        bad |= (b & INF) == INF ? -1 : 0; } return !bad; } \\\n"
                "static inline i64 no_signed_zero_##T(const T *x, i64 n) { B bad = 0, b; \\\n"
                "    for (i64 i = 0; i < n; i++) { __builtin_memcpy(&b, &x[i], sizeof b); \\\n"
                "        bad |= b == ZERO ? -1 : 0; } return !bad; }\n"
                "LOOKS(double, i64, 0x7ff0000000000000, (-0x7fffffffffffffff - 1))\n"
                "LOOKS(float, i32, 0x7f800000, (-0x7fffffff - 1))\n");
}

/* Extremes of scalars, on the way from step to step: two zeros and NaN are rare, and a branch is
 * foreseen, where the bits of both would go through other registers. */
static void put_lone_extremes(Text *c)
{
    text_put(c, "#define LONE(T, NAME, SIGN) \\\n"
                "static inline T lone_##NAME(T x, T z) { \\\n"
                "    if (UNLIKELY(!(__builtin_fabs(x) + __builtin_fabs(z) > 0))) \\\n"
                "        return NAME(x, z); \\\n"
                "    return x SIGN z ? x : z; }\n"
                "LONE(double, minimum_f64, <)\nLONE(double, maximum_f64, >)\n"
                "LONE(float, minimum_f32, <)\nLONE(float, maximum_f32, >)\n");
}

static void write_head(Writer *w)
{
    Text *c = &w->out->c;
    /* gcc 12 makes a copy of a loop `t[i] = x[i], x[i] = ..` that it runs after the rest of it */
    text_put(c, "#ifndef __clang__\n#pragma GCC optimize(\"no-tree-loop-distribute-patterns\")\n"
                "#endif\n");
    text_put(c, "typedef __INT64_TYPE__ i64;\ntypedef __INT32_TYPE__ i32;\n"
                "typedef __UINT64_TYPE__ u64;\ntypedef __UINT32_TYPE__ u32;\n"
                "typedef unsigned char u8;\ntypedef struct { u32 word[6]; } RngState;\n"
                "typedef union { double d; float f; i64 l; i32 w; u8 b; u64 bits; char *t; void "
                "*p; } Reg;\n"
                "#define UNLIKELY(x) __builtin_expect(!!(x), 0)\n"
                "typedef int (*kernel1)(i64, const void *, void *);\n"
                "typedef int (*kernel2)(i64, const void *, i64, const void *, i64, void *);\n"
                "#define CALL1(k, x) ((double (*)(double))T[k])(x)\n"
                "#define CALL2(k, x, z) ((double (*)(double, double))T[k])(x, z)\n"
                "double sqrt(double), floor(double), ceil(double), trunc(double), rint(double), "
                "fabs(double);\n"
                "float sqrtf(float), floorf(float), ceilf(float), truncf(float), rintf(float);\n");
    text_put(c, "#define SMALL_FN static inline __attribute__((always_inline))\n");
    text_put(c, strstr(embed_small_h, "enum {"));
    put_extremes(c);
    put_lone_extremes(c);
    text_printf(c, "#define DATA(t) (*(void **)((t) + %zu))\n", offsetof(Tensor, data));
    text_printf(c, "#define SHAPE(t) ((const i64 *)((t) + %zu))\n", offsetof(Tensor, shape));
#define HOST(NAME, RESULT, PARAMS) \
    text_printf(c, "#define %s ((" #RESULT " (*)" #PARAMS ")T[%d])\n", #NAME, (int)HOST_##NAME);
    HOST_FUNCTIONS(HOST)
#undef HOST
    text_put(c, cast_helpers());
    text_put(c, "double plus_zero; /* others could change it */\n");
    text_put(c, "static inline i64 floordiv(i64 x, i64 z) { return x / z - (x % z != 0 && (x < 0) "
                "!= (z < 0)); }\n"
                "static inline i64 mod(i64 x, i64 z) { i64 m = x % z; return m + (m != 0 && (x < "
                "0) != (z < 0) ? z : 0); }\n"
                "static inline i64 shift(i64 x, int n) { return x >> n; }\n");
    put_looks(c);
}

/* Without traps gcc takes a double that was an integer that was a double for trunc of it, and that
 * keeps the sign of a zero, which no integer has. The sum with a zero that gcc does not know drops
 * it. */
void native_cast_put(Text *out, DType from, DType to, const char *x)
{
    if (dtype_is_int(from) && dtype_is_float(to))
        text_printf(out, "((%s)%s + (%s)plus_zero)", c_type(to), x, c_type(to));
    else
        cast_put(out, from, to, x);
}

/* ---- loops ---- */

void scope_open(Scope *s)
{
    const Block *b = s->b;
    s->constant = xcalloc((size_t)b->nregs + 1, sizeof *s->constant);
    s->state = xcalloc((size_t)b->nregs + 1, 1);
    s->hoisted = xcalloc((size_t)b->nregs + 1, 1);
    for (u32 i = 0; i < b->nconstants; i++) {
        Text t = {0};
        if (b->constants[i].reg >= b->ntensors &&
            literal_put(&t, b->constants[i].value->dtype, b->constants[i].value->data))
            s->constant[b->constants[i].reg] = b->constants[i].value;
        text_free(&t);
    }
    for (u32 i = 0; i < b->nstates; i++)
        s->state[b->params[i].reg] = true;
}

void scope_close(Scope *s)
{
    free(s->constant);
    free(s->state);
    free(s->hoisted);
}

static void declare(const Scope *s, u32 reg, bool constant)
{
    u8 kind = s->b->kinds[reg];
    if (kind < KIND_TENSOR)
        say(s, "%s%s x%u = r[%u].%s;", constant ? "const " : "", c_type((DType)kind), reg, reg,
            field_of(kind));
}

bool memory_is_fixed(const Block *b, u32 reg)
{
    bool fixed = reg < b->nshared;
    for (u32 k = b->nstates + b->nseqs; k < b->nparams; k++)
        fixed = fixed || b->params[k].reg == reg;
    return fixed;
}

static void declare_memory(Scope *s)
{
    const Block *b = s->b;
    for (u32 i = 0; i < b->ncode; i++) {
        u32 a = b->code[i].a;
        if (!ins_is_index((InsOp)b->code[i].op) || s->hoisted[a] || !memory_is_fixed(b, a))
            continue;
        s->hoisted[a] = true;
        say(s, "const void *const q%u = DATA(r[%u].t);", a, a);
        say(s, "const i64 n%u = SHAPE(r[%u].t)[0];", a, a);
    }
}

void declare_variables(Scope *s)
{
    const Block *b = s->b;
    for (u32 i = 0; i < b->nparams; i++)
        if (i < b->nstates || i >= b->nstates + b->nseqs)
            declare(s, b->params[i].reg, i >= b->nstates);
    for (u32 i = 0; i < b->nconstants; i++)
        if (b->constants[i].reg >= b->ntensors && !s->constant[b->constants[i].reg])
            declare(s, b->constants[i].reg, true);
    declare_memory(s);
}

void write_pointers(const Scope *s)
{
    const Block *b = s->b;
    for (u32 i = b->nstates; i < b->nstates + b->nseqs; i++)
        if (b->params[i].pointer != NO_REG)
            say(s, "const void *const p%u_0 = r[%u].p;", b->params[i].pointer,
                b->params[i].pointer);
    for (u32 i = 0; i < b->ntraces; i++)
        if (b->traces[i].pointer != NO_REG)
            say(s, "void *const restrict p%u_0 = r[%u].p;", b->traces[i].pointer,
                b->traces[i].pointer);
}

void write_states(const Scope *s)
{
    for (u32 i = 0; i < s->b->nstates; i++)
        if (s->b->params[i].kind < KIND_TENSOR)
            say(s, "r[%u].%s = x%u;", s->b->params[i].reg, field_of(s->b->params[i].kind),
                s->b->params[i].reg);
}

bool block_stops(const Block *b)
{
    for (u32 i = 0; i < b->ncode; i++)
        if (b->code[i].op == I_STOP || (b->code[i].op >= I_STOP_LT && b->code[i].op <= I_STOP_GE))
            return true;
    return false;
}

/* for (;;) { pointers; do { step } while (--left); states to the frame; more }. */
static void write_general(Scope *s, const char *name)
{
    const Block *b = s->b;
    Text *c = &s->w->out->c;
    text_printf(c, "\nstatic int %s_%u(void *vm, void *const *T, Reg *r, void *loop)\n{\n", name,
                b->id);
    declare_variables(s);
    say(s, "i64 first, left = begin(vm, loop, &first), step = first;");
    say(s, "for (;;) {");
    s->depth++;
    write_pointers(s);
    say(s, "do {");
    s->depth++;
    for (u32 i = 0; i < b->ncode;)
        i += write_ins(s, i);
    say(s, "step += %d;", b->reverse ? -1 : 1);
    s->depth--;
    say(s, "} while (--left);");
    write_states(s);
    say(s, "left = more(vm, loop);");
    say(s, "if (left <= 0)");
    say(s, "    return left == 0;");
    s->depth--;
    say(s, "}");
    if (block_stops(b)) {
        text_put(c, "stopped:\n");
        write_states(s);
        say(s, "return stop(loop, left);");
    }
    text_put(c, "failed: __attribute__((unused));\n");
    say(s, "return in_row(vm, step);");
    text_put(c, "}\n");
}

/* Twice where shapes are known: if they are other ones after all, the machine's functions run. */
static void write_loop(Writer *w, Block *b)
{
    Fixed f;
    u32 next = 1;
    size_t left = w->out->left.len;
    Scope s = {.w = w, .b = b, .next = &next, .depth = 1};
    w->heavy = false;
    scope_open(&s);
    bool fixed = fixed_find(&s, &f);
    write_general(&s, fixed ? "general" : "loop");
    scope_close(&s);
    if (fixed) {
        next = 1;
        s.depth = 1;
        scope_open(&s);
        w->out->left.len = left;
        write_fixed(&f, &s);
        fixed_free(&f);
        scope_close(&s);
    }
    vec_push(&w->out->slots, &b->native);
    vec_push(&w->out->blocks, b);
    vec_push(&w->out->heavy, w->heavy);
}

/* ---- programs ---- */

/* What was written last, if its address goes to a slot. */
static void name_slot(Writer *w, const char *what, u32 number)
{
    if (w->named < w->out->slots.len) {
        text_printf(&w->names, "(void *)%s_%u, ", what, number);
        w->named++;
    }
}

static void write_group(Writer *w, const Wide *wide)
{
    const NativeText *out = w->out;
    const struct {
        void (*write)(Writer *, const Wide *);
        const char *name;
        u32 number;
    } as[] = {{write_tiles, "tiles", out->tiles},
              {write_strided, "strided", out->strided},
              {write_columns, "columns", out->columns},
              {write_short, "short", out->shorts},
              {write_feed, "feed", out->feeds}};
    for (size_t i = 0; i < COUNT_OF(as); i++) {
        as[i].write(w, wide);
        name_slot(w, as[i].name, as[i].number);
    }
}

static void write_block(Writer *w, Block *b)
{
    if (b->lanes)
        write_lanes(w, b);
    else if (b->shifts)
        write_shifts(w, b);
    else if (b->loop && b->ncode)
        write_loop(w, b);
    name_slot(w, b->lanes ? "lanes" : b->shifts ? "shifts" : "loop", b->id);
    for (u32 i = 0; i < b->ncode && !b->lanes && !b->shifts; i++)
        if (b->code[i].op == I_FUSED || b->code[i].op == I_SINKS)
            write_group(w, b->code[i].u.wide);
}

static void write_sweeps(Writer *w)
{
    VEC(Sweep *) all = {0};
    for (size_t i = 0; i < w->p->blocks.len; i++) {
        const Block *b = w->p->blocks.at[i];
        for (u32 k = 0; k < b->ncode; k++)
            if (b->code[k].op == I_ROWS)
                vec_push(&all, b->code[k].u.sweep);
    }
    if (all.len)
        write_fold_functions(w, (const Sweep *const *)all.at, all.len);
    for (size_t i = 0; i < all.len; i++) {
        u32 number = w->out->rows;
        w->out->rows += write_sweep(w, all.at[i], number);
        name_slot(w, "rows", number);
    }
    vec_free(&all);
}

static void push_function(NativeText *out, AnyFunction f)
{
    const void *p;
    memcpy(&p, &f, sizeof p);
    vec_push(&out->table, p);
}

void program_write_c(const Program *p, NativeText *out)
{
    Writer w = {.out = out, .p = p};
    AnyFunction host[HOST_COUNT];
    native_host(host);
    for (int i = 0; i < HOST_COUNT; i++)
        push_function(out, host[i]);
    vec_push(&out->table, NULL); /* a thing that is none */
    write_head(&w);
    for (size_t i = 0; i < p->blocks.len; i++)
        write_block(&w, p->blocks.at[i]);
    write_sweeps(&w);
    text_printf(&out->c, "\nvoid *const gradus_functions[] = {%s0};\n", text_str(&w.names));
    text_free(&w.names);
    map_free(&w.places);
}
