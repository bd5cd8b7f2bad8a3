/* :profile: where the time of an evaluation goes, node by node and line by line.
 *
 * It runs on the virtual machine, whose instructions are what is told; native code has none. First
 * once as ever, then once with each instruction timed, so that it can be said what the timing adds.
 * Operations and bytes are those of the types (core/exec/cost.h) as often as each ran. */
#include "repl/commands/costs.h"
#include "tensor/blas.h"

/* ---- what the machine can ---- */

typedef struct {
    double flops, bytes; /* a second, on one core */
} Peak;

enum { SIDE = 256, STREAM = 1 << 21, TRIES = 5 };

/* The best of a few products of matrices, and of a few sums of vectors that no cache holds. */
/* False after a diagnostic: there is no memory for them. */
static bool measure_peak(Session *s, Span span, Peak *out)
{
    i64 shape[1] = {STREAM};
    Tensor *t[3] = {NULL};
    bool ok = true;
    for (int i = 0; i < 3; i++) {
        t[i] = tensor_new(&s->st.heap, DT_F64, 1, shape);
        ok = ok && t[i];
        for (i64 k = 0; ok && k < STREAM; k++)
            ((double *)t[i]->data)[k] = 1;
    }
    double product = 1, sum = 1;
    ElemFn2 add = elem_fn2(EL_ADD, DT_F64);
    for (int i = 0; ok && i < TRIES; i++) {
        double start = now_seconds();
        blas_gemm(DT_F64, false, false, SIDE, SIDE, SIDE, 1, t[0]->data, SIDE, t[1]->data, SIDE, 0,
                  t[2]->data, SIDE);
        double middle = now_seconds();
        add(STREAM, t[0]->data, 1, t[1]->data, 1, t[2]->data);
        double end = now_seconds();
        product = middle - start < product ? middle - start : product;
        sum = end - middle < sum ? end - middle : sum;
    }
    for (int i = 0; i < 3; i++)
        tensor_unref(t[i]);
    if (!ok)
        diag_memory(&s->diags, span, "to find what the machine can");
    *out = (Peak){2.0 * SIDE * SIDE * SIDE / (product + 1e-9),
                  3.0 * sizeof(double) * STREAM / (sum + 1e-9)};
    return ok;
}

/* ---- a run ---- */

typedef struct {
    Costing k;
    int runs;
    double *seconds, *calls; /* by row */
    double plain, whole;     /* of the runs without and with timing */
    Peak peak;
} Profiling;

static bool run_once(Profiling *t, Profile *f, double *seconds)
{
    Session *s = &t->k.c->r->s;
    int n = program_roots(t->k.p);
    Tensor **values = xcalloc((size_t)n + 1, sizeof *values);
    bool ok = session_run_measured(s, t->k.p, f, values);
    *seconds = s->run_seconds;
    for (int i = 0; ok && i < n; i++)
        tensor_unref(values[i]);
    free(values);
    return ok;
}

/* The fastest of a few runs: what else the machine does meanwhile only adds. */
static bool measure(Profiling *t)
{
    enum { MOST = 5, PATIENCE = 1 /* second */ };
    Program *p = t->k.p;
    bool ok = true;
    double spent = 0;
    program_profile(p);
    t->seconds = xcalloc((size_t)t->k.cost.n + 1, sizeof *t->seconds);
    t->calls = xcalloc((size_t)t->k.cost.n + 1, sizeof *t->calls);
    for (; ok && t->runs < MOST && spent < PATIENCE; t->runs++) {
        Profile f;
        double plain, whole;
        profile_begin(p, &f);
        ok = run_once(t, NULL, &plain) && run_once(t, &f, &whole);
        if (ok && (!t->runs || whole < t->whole)) {
            t->whole = whole;
            profile_share(p, &f, &t->k.cost, t->seconds, t->calls);
        }
        if (ok && (!t->runs || plain < t->plain))
            t->plain = plain;
        spent += ok ? plain + whole : 0;
        profile_free(&f);
    }
    return ok;
}

/* ---- rows ---- */

static double per_call(double all, const CostRow *row)
{
    return row->calls > 0 ? all / row->calls : 0;
}

/* How much of what the machine can: of operations or of bytes, whichever is more. */
static Datum achieved(Profiling *t, double flops, double bytes, double seconds)
{
    if (seconds <= 0 || (flops <= 0 && bytes <= 0))
        return text_of(NULL);
    double a = flops / seconds / t->peak.flops, b = bytes / seconds / t->peak.bytes;
    return as(
        report_format(&t->k.c->report, "%.0f %%%s", 100 * (a > b ? a : b), a > b ? " op" : " mem"),
        real_of(a > b ? a : b));
}

static void put_nodes(Profiling *t)
{
    static const Column columns[] = {
        {"time", "seconds"},          {"share", "share"}, {"calls", "calls"},
        {"operations", "flops"},      {"bytes", "bytes"}, {"of machine", "of_machine"},
        {"predicted", "predicted_s"}, {"where", "where"}, {"what", "what"}};
    Report *r = &t->k.c->report;
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    double told = 0, all = 0;
    u32 order[MOST_COST_ROWS], n = cost_order(&t->k.cost, t->seconds, order);
    for (u32 i = 0; i < t->k.cost.norder; i++)
        all += t->seconds[t->k.cost.order[i]];
    for (u32 i = 0; i < n; i++) {
        const CostRow *row = &t->k.cost.rows[order[i]];
        double seconds = t->seconds[order[i]], calls = t->calls[order[i]],
               flops = calls * per_call(row->flops, row), bytes = calls * per_call(row->bytes, row);
        told += seconds;
        rows_add(&rows, seconds_of(seconds), share_of(r, seconds, t->whole), count_datum(r, calls),
                 count_datum(r, flops), count_datum(r, bytes), achieved(t, flops, bytes, seconds),
                 seconds_of(calls * per_call(row->seconds, row)), row_place(&t->k, row),
                 row_name(&t->k, row));
    }
    const char *others = report_format(r, "%u more", t->k.cost.norder - n);
    double left[2] = {all - told, t->whole - all};
    for (int k = 0; k < 2; k++)
        if (left[k] > 1e-9)
            rows_add(&rows, seconds_of(left[k]), share_of(r, left[k], t->whole), text_of(NULL),
                     text_of(NULL), text_of(NULL), text_of(NULL), text_of(NULL), text_of(NULL),
                     text_of(k ? "the rest: starting, inputs, scalars outside of loops" : others));
    rows_put(&rows, "rows");
}

/* ---- lines ---- */

typedef struct {
    const Source *src;
    int line;
    double seconds;
} SourceLine;

typedef struct {
    Profiling *t;
    VEC(SourceLine) lines;
    const CostRow *row; /* at hand */
    double seconds;     /* of it */
} Lines;

static void add_part(void *ctx, const Node *n, double part)
{
    Lines *l = ctx;
    const Span *s = cost_span(&l->t->k.at, l->row, n);
    int line, column, length;
    if (!s)
        return;
    span_locate(*s, &line, &column, &length);
    for (size_t i = 0; i < l->lines.len; i++)
        if (l->lines.at[i].src == s->src && l->lines.at[i].line == line) {
            l->lines.at[i].seconds += part * l->seconds;
            return;
        }
    vec_push(&l->lines, ((SourceLine){s->src, line, part * l->seconds}));
}

static int by_seconds(const void *pa, const void *pb)
{
    const SourceLine *a = pa, *b = pb;
    return a->seconds != b->seconds ? (a->seconds < b->seconds ? 1 : -1)
                                    : (a->line > b->line) - (a->line < b->line);
}

static char *line_text(Call *c, const SourceLine *l)
{
    const char *s = l->src->text;
    for (int k = 1; k < l->line && *s; s++)
        k += *s == '\n';
    s += strspn(s, " \t");
    return arena_strndup(&c->arena, s, strcspn(s, "\n"));
}

static void put_lines(Profiling *t)
{
    enum { MOST = 12 };
    static const Column columns[] = {
        {"time", "seconds"}, {"share", "share"}, {"line", "line"}, {"text", "text"}};
    Report *r = &t->k.c->report;
    Lines l = {.t = t};
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    for (u32 i = 0; i < t->k.cost.norder; i++) {
        l.seconds = t->seconds[t->k.cost.order[i]];
        l.row = &t->k.cost.rows[t->k.cost.order[i]];
        cost_parts(l.row, add_part, &l);
    }
    if (l.lines.len)
        qsort(l.lines.at, l.lines.len, sizeof *l.lines.at, by_seconds);
    for (size_t i = 0; i < l.lines.len && i < MOST; i++) {
        const SourceLine *line = &l.lines.at[i];
        const char *name = line->src->name ? line->src->name : "line", *slash = strrchr(name, '/');
        rows_add(&rows, seconds_of(line->seconds), share_of(r, line->seconds, t->whole),
                 text_of(report_format(r, "%s:%d", slash ? slash + 1 : name, line->line)),
                 text_of(line_text(t->k.c, line)));
    }
    text_put(&t->k.c->out, "\n");
    rows_put(&rows, "lines");
    vec_free(&l.lines);
}

static void put_head(Profiling *t)
{
    Report *r = &t->k.c->report;
    bool native = t->k.c->r->s.native.mode != NATIVE_OFF;
    report_say(r,
               "profiled: {plain_s}, and {profiled_s} with each instruction timed, the best of "
               "{runs run}; predicted {predicted_s}\n",
               seconds_of(t->plain), seconds_of(t->whole), int_of(t->runs),
               seconds_of(t->k.cost.seconds));
    report_say(r, "this machine, by a short run: {-} and {-}{=peak_flops}{=peak_bytes}\n",
               text_of(report_format(r, "%.3g GFLOP/s", t->peak.flops * 1e-9)),
               text_of(report_format(r, "%.3g GB/s", t->peak.bytes * 1e-9)), real_of(t->peak.flops),
               real_of(t->peak.bytes));
    if (native)
        text_put(&t->k.c->out, "on the virtual machine: native code is not profiled\n");
}

bool command_profile(Call *c)
{
    Profiling t = {.runs = 0};
    Node **roots = NULL;
    int n = call_roots(c, &roots);
    c->r->s.st.span = c->rest;
    bool ok = n >= 0 && call_has_values(c, n, roots);
    free(roots);
    if (!ok)
        return false;
    ok = costing_begin(&t.k, c) && measure(&t) && measure_peak(&c->r->s, c->rest, &t.peak);
    if (ok) {
        put_head(&t);
        put_nodes(&t);
        put_lines(&t);
    }
    free(t.seconds);
    free(t.calls);
    costing_end(&t.k);
    return ok;
}
