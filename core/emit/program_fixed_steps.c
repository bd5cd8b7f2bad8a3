/* A loop over arrays of known shapes as C (program_fixed.c): an array of register k is `tk`, a
 * pointer; of a sequence `ek` is its first row.
 *
 * Invariant: as there; two pointers to own memory change places, no array gets two owners. */
#include "emit/elem_text.h"
#include "emit/program_fixed.h"
#include "exec/plan_work.h"

enum {
    GATHERED = 512,       /* positions that are looked at together */
    STEPS_WORK = 1 << 18, /* until the next poll */
    STEPS_MOST = 1024
};

static const char *type_of(const Fixed *f, u32 reg) { return c_type(f->v[reg].like.dtype); }

static long long count_of(const Fixed *f, u32 reg) { return (long long)f->v[reg].like.count; }

/* ---- around the steps ---- */

static void write_shapes(const Fixed *f)
{
    const Block *b = f->b;
    Text c = {0};
    for (u32 i = 0; i < b->nparams; i++) {
        const Slot *p = &b->params[i];
        bool rows = lane_is_sequence(b, i);
        for (int k = 0; p->kind == KIND_TENSOR && k < f->v[p->reg].like.rank; k++)
            text_printf(&c, "%sSHAPE(r[%u].t)[%d] != %lld", c.len ? " || " : "",
                        rows ? p->source : p->reg, k + rows, (long long)f->v[p->reg].like.shape[k]);
    }
    if (c.len) {
        say(f->s, "if (%s)", text_str(&c));
        say(f->s, "    return general_%u(vm, T, r, loop);", b->id);
    }
    text_free(&c);
}

static void write_copy(const Fixed *f, const char *to, const char *from, u32 like)
{
    say(f->s, "{ %s *const to = %s; const %s *const from = %s;", type_of(f, like), to,
        type_of(f, like), from);
    say(f->s, "#pragma GCC ivdep");
    say(f->s, "for (i64 i = 0; i < %lld; i++) to[i] = from[i]; }", count_of(f, like));
}

static void declare_arrays(const Fixed *f)
{
    const Block *b = f->b;
    if (f->bytes)
        say(f->s, "char memory[%lld] __attribute__((aligned(64)));", (long long)f->bytes);
    for (u32 k = 0; k < b->ntensors; k++)
        if (f->v[k].own && !f->fresh[k])
            say(f->s, "%s *t%u = (%s *)(memory + %lld);", type_of(f, k), k, type_of(f, k),
                (long long)f->v[k].offset);
        else if (f->v[k].param && lane_is_sequence(b, f->v[k].param - 1))
            say(f->s, "const %s *const e%u = DATA(r[%u].t);", type_of(f, k), k,
                b->params[f->v[k].param - 1].source);
        else if (f->v[k].known && (f->v[k].param || k < b->nshared))
            say(f->s, "const %s *const t%u = DATA(r[%u].t);", type_of(f, k), k, k);
    for (u32 i = 0; i < b->nstates; i++)
        if (f->v[b->params[i].reg].changes) {
            Word to, from;
            u32 reg = b->params[i].reg;
            snprintf(to.at, sizeof to.at, "t%u", reg);
            snprintf(from.at, sizeof from.at, "DATA(r[%u].t)", reg);
            write_copy(f, to.at, from.at, reg);
        }
    write_run_bases(f);
    write_clean_states(f);
    for (u32 k = 0; k < b->ntraces; k++)
        if (b->traces[k].kind == KIND_TENSOR)
            say(f->s, "void *rows%u = 0; i64 room%u = 0;", k, k);
}

static void write_last(const Fixed *f)
{
    const Block *b = f->b;
    for (u32 i = 0; i < b->nstates; i++)
        if (f->v[b->params[i].reg].changes)
            say(f->s, "if (!last_state(vm, loop, &r[%u], t%u)) return 0;", b->params[i].reg,
                b->params[i].reg);
}

/* ---- other arrays ---- */

void write_fixed_swap(const Fixed *f, u32 a, u32 b)
{
    say(f->s, "{ %s *const z = t%u; t%u = t%u; t%u = z; }", type_of(f, a), a, a, b, b);
}

/* The result begins as this operand: with its memory, if nobody else needs it. */
static void write_begin(const Fixed *f, u32 out, const Arg *from)
{
    Word to, what;
    const FixedValue *x = &f->v[from->reg];
    if (from->move && x->own && !x->viewed) {
        write_fixed_swap(f, out, from->reg);
        return;
    }
    snprintf(to.at, sizeof to.at, "t%u", out);
    snprintf(what.at, sizeof what.at, "t%u", from->reg);
    write_copy(f, to.at, what.at, out);
}

/* Its compiler knows the sizes. */
static void write_small_product(const Fixed *f, const Wide *w, const Product *p)
{
    double alpha, beta;
    Word to = fixed_written_to(f, &w->out[0]);
    fixed_factors(f, w, &alpha, &beta);
    say(f->s, "small_product_%s(%d, %d, %lld, %lld, %lld, %.17g, t%u, t%u, %.17g, %s); /* %s */",
        type_of(f, w->in[0].reg), p->ta, p->tb, (long long)p->m, (long long)p->n, (long long)p->k,
        alpha, w->in[0].reg, w->in[1].reg, beta, to.at, node_info(w->node)->name);
}

static void write_product(const Fixed *f, const Wide *w)
{
    Product p;
    u32 out = w->out[0].reg;
    if (!fixed_product(f, w, &p))
        die("a product that was none");
    if (w->nin > 2)
        write_begin(f, out, &w->in[2]);
    if (fixed_product_is_small(f, w, &p)) {
        write_small_product(f, w, &p);
        return;
    }
    Word to = fixed_written_to(f, &w->out[0]);
    say(f->s,
        "static const i64 m%u[] = {%d, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %lld, %d, %d};",
        out, (int)node_dtype(w->node), (long long)p.batch, (long long)p.m, (long long)p.k,
        (long long)p.n, (long long)p.astep, (long long)p.bstep, (long long)p.alead,
        (long long)p.blead, p.ta, p.tb);
    say(f->s, "product(m%u, t%u, t%u, %d, %s); /* %s */", out, w->in[0].reg, w->in[1].reg,
        w->nin > 2, to.at, node_info(w->node)->name);
}

/* Functions of small matrices, which fail if there is no result. */
static void write_factored(const Fixed *f, const Wide *w)
{
    const Tensor *a = &f->v[w->in[0].reg].like;
    const u32 from = w->in[0].reg, out = w->out[0].reg;
    const int d = (int)a->dtype, n = (int)a->shape[0];
    const char *name = node_info(w->node)->name;
    if (w->node->op == OP_DET) {
        Word to = fixed_written_to(f, &w->out[0]);
        say(f->s, "const int k%u = det(%d, %d, t%u, %s);", out, d, n, from, to.at);
    } else if (w->node->op == OP_SOLVE) {
        write_begin(f, out, &w->in[1]);
        say(f->s, "const int k%u = solve(%d, %d, %lld, t%u, t%u);", out, d, n, count_of(f, out) / n,
            from, out);
    } else {
        write_begin(f, out, &w->in[0]);
        say(f->s, "const int k%u = %s(%d, %d, t%u);", out, name, d, n, out);
    }
    say(f->s, "if (UNLIKELY(k%u)) { status(vm, T[%u], k%u); %s }", out, place_of(f->s->w, w->node),
        out, failed(f->s).at);
}

static void write_transpose(const Fixed *f, const Wide *w)
{
    u32 out = w->out[0].reg;
    const i64 *shape = f->v[out].like.shape;
    say(f->s, "for (i64 i = 0; i < %lld; i++)", (long long)shape[0]);
    say(f->s, "for (i64 j = 0; j < %lld; j++) t%u[i * %lld + j] = t%u[j * %lld + i];",
        (long long)shape[1], out, (long long)shape[1], w->in[0].reg, (long long)shape[0]);
}

/* The place iK, of a value of that register, if it is inside; else the loop ends as the operator of
 * w fails on an operand of that shape. */
static void write_inside(const Fixed *f, const Wide *w, u32 reg, Word index, int axis)
{
    const Tensor *x = &f->v[w->in[0].reg].like;
    long long n = (long long)x->shape[axis];
    say(f->s, "i64 i%u = %s;", reg, index.at);
    say(f->s, "i%u += i%u < 0 ? %lld : 0;", reg, reg, n);
    say(f->s, "if (UNLIKELY((u64)i%u >= %lld)) {", reg, n);
    say(f->s, "static const i64 shape[] = {");
    for (int k = 0; k < x->rank; k++)
        say(f->s, "    %lld,", (long long)x->shape[k]);
    say(f->s, "};");
    say(f->s, "outside(vm, T[%u], %s, shape); %s }", place_of(f->s->w, w), index.at,
        failed(f->s).at);
}

/* An assignment to element `whole` of the array or from it, for each element `part` of the part. */
static void write_places(const Fixed *f, const FixedSlice *slice, const char *from,
                         const char *assignment)
{
    FixedSlice at = *slice;
    if (at.step == 1) { /* one run for each of the outer places */
        at.axis *= at.inner;
        at.start *= at.inner;
        at.inner *= at.count;
        at.count = 1;
        at.step = 0;
    } else {
        at.axis *= at.inner;
        at.start *= at.inner;
        at.step *= at.inner;
    }
    say(f->s, "for (i64 o = 0; o < %lld; o++)", (long long)at.outer);
    say(f->s, "for (i64 j = 0; j < %lld; j++) {", (long long)at.count);
    say(f->s, "const i64 q = (o * %lld + j) * %lld, p = o * %lld + %lld + j * %lld%s;",
        (long long)at.count, (long long)at.inner, (long long)at.axis, (long long)at.start,
        (long long)at.step, from);
    say(f->s, "#pragma GCC ivdep");
    say(f->s, "for (i64 i = 0; i < %lld; i++) {", (long long)at.inner);
    say(f->s, "const i64 part = q + i, whole = p + i;");
    say(f->s, "%s;", assignment);
    say(f->s, "} }");
}

/* Of a place that varies: what is added to that of the first part. */
static Word write_start(const Fixed *f, const Wide *w)
{
    Word from = {""};
    u32 out = w->out[0].reg;
    const FixedSlice *at = &f->slice[out];
    if (at->varies) {
        write_inside(f, w, out, value_of_reg(f->s, w->in[1].reg), (int)w->node->attrs[0].i);
        snprintf(from.at, sizeof from.at, " + i%u * %lld", out, (long long)at->inner);
    }
    return from;
}

static void write_part(const Fixed *f, const Wide *w)
{
    u32 out = w->out[0].reg, x = w->in[0].reg;
    const FixedSlice *at = &f->slice[out];
    char assignment[100];
    Word from = write_start(f, w);
    if (at->piece) {
        say(f->s, "const %s *const t%u = t%u + %lld%s;", type_of(f, out), out, x,
            (long long)(at->start * at->inner), from.at);
        return;
    }
    snprintf(assignment, sizeof assignment, "t%u[part] = t%u[whole]", out, x);
    write_places(f, at, from.at, assignment);
}

static void write_set(const Fixed *f, const Wide *w)
{
    u32 out = w->out[0].reg;
    bool index = w->node->op == OP_SET_INDEX;
    const char *sign = w->node->attrs[index ? 1 : 2].i == STORE_ADD ? "+=" : "=";
    char assignment[300];
    Word from = write_start(f, w);
    write_begin(f, out, &w->in[0]);
    if (w->in[2].kind == KIND_TENSOR)
        snprintf(assignment, sizeof assignment, "t%u[whole] %s t%u[part]", out, sign, w->in[2].reg);
    else
        snprintf(assignment, sizeof assignment, "t%u[whole] %s %s", out, sign,
                 value_of_reg(f->s, w->in[2].reg).at);
    write_places(f, &f->slice[out], from.at, assignment);
    write_clean_part(f, w);
}

/* Positions one after the other are copied as they lie; others are looked at before the first is
 * read. */
static void write_gathered(const Fixed *f, const Wide *w)
{
    u32 out = w->out[0].reg, x = w->in[0].reg, at = w->in[1].reg;
    const FixedSlice *l = &f->slice[out];
    long long axis = (long long)l->axis, inner = (long long)l->inner, count = (long long)l->count;
    Word index = {"k"};
    say(f->s, "for (i64 b = 0; b < %lld; b += %d) {", count, (int)GATHERED);
    say(f->s, "const i64 n = %lld - b < %d ? %lld - b : %d;", count, (int)GATHERED, count,
        (int)GATHERED);
    say(f->s, "const %s *const at = t%u + b, first = at[0];", type_of(f, at), at);
    say(f->s,
        "i64 apart = (first < 0) | (first > %lld - n) | ((u64)at[n - 1] - (u64)first != (u64)n - "
        "1);",
        axis);
    say(f->s, "if (!apart) for (i64 i = 0; i < n; i++) apart |= at[i] ^ (first + i);");
    say(f->s, "for (i64 o = 0; !apart && o < %lld; o++) {", (long long)l->outer);
    say(f->s, "const i64 to = (o * %lld + b) * %lld, from = (o * %lld + first) * %lld;", count,
        inner, axis, inner);
    say(f->s, "for (i64 j = 0; j < n * %lld; j++) t%u[to + j] = t%u[from + j];", inner, out, x);
    say(f->s, "}");
    say(f->s, "if (!apart) continue;");
    say(f->s, "int bad = 0;");
    say(f->s, "for (i64 i = 0; i < n; i++) bad |= (at[i] < %lld) | (at[i] >= %lld);", -axis, axis);
    say(f->s, "for (i64 i = 0; bad && i < n; i++) {");
    say(f->s, "const i64 k = at[i];");
    write_inside(f, w, out, index, (int)w->node->attrs[0].i);
    say(f->s, "}");
    say(f->s, "for (i64 o = 0; o < %lld; o++)", (long long)l->outer);
    say(f->s, "for (i64 i = 0; i < n; i++) {");
    say(f->s,
        "const i64 k = at[i], to = (o * %lld + b + i) * %lld, p = (o * %lld + k + (k < 0 ? %lld : "
        "0)) * %lld;",
        count, inner, axis, axis, inner);
    say(f->s, "for (i64 j = 0; j < %lld; j++) t%u[to + j] = t%u[p + j];", inner, out, x);
    say(f->s, "}");
    say(f->s, "}");
}

static void write_gather(const Fixed *f, const Wide *w)
{
    const Wide *positions = f->run[w->out[0].reg].positions;
    if (positions) {
        write_run(f, w->out[0].reg);
        say(f->s, "if (!run%u) {", w->out[0].reg);
        write_fixed_group(f, positions);
    }
    write_gathered(f, w);
    if (positions)
        say(f->s, "}");
}

static void write_join(const Fixed *f, const Wide *w)
{
    u32 out = w->out[0].reg;
    const Tensor *like = &f->v[out].like;
    FixedSlice at = {.outer = 1, .inner = 1, .step = 1};
    int axis = (int)w->node->attrs[0].i;
    for (int i = 0; i < like->rank; i++)
        *(i < axis ? &at.outer : i > axis ? &at.inner : &at.axis) *= like->shape[i];
    at.axis = like->shape[axis];
    for (u32 k = 0; k < w->nin; k++) {
        char assignment[100];
        at.count = f->v[w->in[k].reg].like.shape[axis];
        snprintf(assignment, sizeof assignment, "t%u[whole] = t%u[part]", out, w->in[k].reg);
        write_places(f, &at, "", assignment);
        at.start += at.count;
    }
}

/* A scalar, as often as the result has elements. */
static void write_broadcast(const Fixed *f, const Wide *w)
{
    u32 out = w->out[0].reg;
    say(f->s, "for (i64 i = 0; i < %lld; i++) t%u[i] = %s;", count_of(f, out), out,
        value_of_reg(f->s, w->in[0].reg).at);
}

static void write_same(const Fixed *f, const Wide *w)
{
    u32 out = w->out[0].reg;
    say(f->s, "const %s *const t%u = t%u;", type_of(f, out), out, w->in[0].reg);
}

/* Random numbers, and the state after them. */
static void write_draw(const Fixed *f, const Wide *w)
{
    Word next = {"0"}, to = fixed_written_to(f, &w->out[0]);
    long long n = w->out[0].kind == KIND_TENSOR ? count_of(f, w->out[0].reg) : 1;
    if (w->nout > 1 && w->out[1].reg != NO_REG)
        snprintf(next.at, sizeof next.at, "t%u", w->out[1].reg);
    say(f->s, "draw(%d, %lld, t%u, %s, %s); /* %s */", w->node->op == OP_NORMAL, n, w->in[0].reg,
        next.at, to.at, node_info(w->node)->name);
}

static void write_strided_view(const Fixed *f, const Wide *w)
{
    u32 out = w->out[0].reg;
    say(f->s, "const %s *const t%u = t%u + %lld;", type_of(f, out), out, w->in[0].reg,
        (long long)f->v[out].start);
}

static void write_array(const Fixed *f, const Ins *ins)
{
    const Wide *w = ins->u.wide;
    if (f->v[w->out[0].reg].strided) {
        write_strided_view(f, w);
        return;
    }
    switch (w->node->op) {
    case OP_UNIFORM:
    case OP_NORMAL: write_draw(f, w); return;
    case OP_MATMUL:
    case OP_GEMM:
    case OP_GEMV: write_product(f, w); return;
    case OP_SOLVE:
    case OP_INV:
    case OP_CHOLESKY:
    case OP_DET: write_factored(f, w); return;
    case OP_TRANSPOSE: write_transpose(f, w); return;
    case OP_INDEX:
    case OP_SLICE: write_part(f, w); return;
    case OP_SET_INDEX:
    case OP_SET_SLICE: write_set(f, w); return;
    case OP_GATHER: write_gather(f, w); return;
    case OP_MATCH_SHAPE: write_same(f, w); return;
    case OP_CONCAT: write_join(f, w); return;
    case OP_BROADCAST: write_broadcast(f, w); return;
    default:
        if (!write_fixed_reduce(f, w))
            write_fixed_operator(f, ins);
    }
}

/* ---- steps ---- */

static void write_handing(const Fixed *f, const Ins *ins)
{
    const FixedValue *a = &f->v[ins->a];
    Word to, from;
    if (!f->v[ins->d].own) {
        say(f->s, "const %s *const t%u = t%u;", type_of(f, ins->d), ins->d, ins->a);
    } else if (ins->op == I_TAKE && a->own) {
        write_fixed_swap(f, ins->d, ins->a);
    } else {
        snprintf(to.at, sizeof to.at, "t%u", ins->d);
        snprintf(from.at, sizeof from.at, "t%u", ins->a);
        write_copy(f, to.at, from.at, ins->d);
    }
}

static void write_row(const Fixed *f, const Ins *ins)
{
    Word to, from;
    say(f->s,
        "if (UNLIKELY(step >= room%u) && !(rows%u = trace_rows(vm, loop, %u, step, &room%u))) %s",
        ins->c, ins->c, ins->c, ins->c, failed(f->s).at);
    snprintf(to.at, sizeof to.at, "(%s *)rows%u + step * %lld", type_of(f, ins->a), ins->c,
             count_of(f, ins->a));
    snprintf(from.at, sizeof from.at, "t%u", ins->a);
    write_copy(f, to.at, from.at, ins->a);
}

static void write_element(const Fixed *f, const Ins *ins)
{
    const Tensor *constant = f->s->constant[ins->b];
    i64 at = constant ? tensor_i64_at(constant, 0) : 0;
    Word d = name_of(f->s, ins->d), place;
    if (constant)
        snprintf(place.at, sizeof place.at, "%lld",
                 (long long)(at + (at < 0 ? count_of(f, ins->a) : 0)));
    else
        snprintf(place.at, sizeof place.at, "i%u", ins->d);
    if (!constant)
        write_inside(f, ins->u.wide, ins->d, value_of_reg(f->s, ins->b), 0);
    say(f->s, "%s%s %s = t%u[%s];", f->s->state[ins->d] ? "" : "const ",
        f->s->state[ins->d] ? "" : c_type((DType)f->b->kinds[ins->d]), d.at, ins->a, place.at);
}

static void write_step(const Fixed *f, Scope *s, u32 at)
{
    const Ins *ins = &f->b->code[at];
    if (fixed_is_fresh(f, ins))
        return;
    switch ((InsOp)ins->op) {
    case I_FUSED:
        if (!fixed_is_postponed(f, ins) && !write_outside(f, ins) && !write_change(f, ins))
            write_fixed_group(f, ins->u.wide);
        return;
    case I_ARRAY:
        if (!write_outside(f, ins) && !write_change(f, ins))
            write_array(f, ins);
        return;
    case I_PUT: write_set(f, ins->u.wide); return;
    case I_INDEX8:
    case I_INDEX4:
    case I_INDEX1:
        if (!memory_is_fixed(f->b, ins->a)) {
            write_element(f, ins);
            return;
        }
        write_ins(s, at);
        return;
    case I_TAKE:
    case I_SHARE: write_handing(f, ins); return;
    case I_ROWT: write_row(f, ins); return;
    case I_DROP:
    case I_ROOM:         /* arrays have their memory for all steps */
    case I_ROWS: return; /* what is in it follows */
    case I_SEQT:
        say(s, "const %s *const t%u = e%u + step * %lld;", type_of(f, ins->d), ins->d, ins->d,
            count_of(f, ins->d));
        return;
    default: write_ins(s, at);
    }
}

void write_fixed(Fixed *f, Scope *s)
{
    const Block *b = f->b;
    Text *c = &s->w->out->c;
    i64 most = STEPS_WORK / (f->work + 1) + 1;
    s->fixed = true;
    text_printf(c, "\nstatic int loop_%u(void *vm, void *const *T, Reg *r, void *loop)\n{\n",
                b->id);
    write_shapes(f);
    declare_variables(s);
    declare_arrays(f);
    say(s, "i64 first, left = begin_few(vm, loop, %lld, &first), step = first;",
        (long long)(most < STEPS_MOST ? most : STEPS_MOST));
    say(s, "do {");
    s->depth++;
    write_pointers(s);
    say(s, "do {");
    s->depth++;
    for (u32 i = 0; i < b->ncode; i++)
        write_step(f, s, i);
    say(s, "step += %d;", b->reverse ? -1 : 1);
    s->depth--;
    say(s, "} while (--left);");
    write_states(s);
    s->depth--;
    say(s, "} while ((left = more(vm, loop)) > 0);");
    say(s, "if (left < 0) return 0;");
    write_last(f);
    say(s, "return 1;");
    if (block_stops(b)) {
        text_put(c, "stopped:\n");
        write_states(s);
        write_last(f);
        say(s, "return stop(loop, left);");
    }
    text_put(c, "failed: __attribute__((unused));\n");
    say(s, "return in_row(vm, step);");
    text_put(c, "}\n");
}
