/* :profile: where the time of an evaluation goes, node by node and line by line.
 *
 * It runs on the virtual machine, whose instructions are what is told; native code has none. First
 * once as ever, then once with each instruction timed, so that it can be said what the timing adds.
 * Operations and bytes are those of the types (core/exec/cost.h) as often as each ran. */
#include "repl/commands/costs.h"
#include "session/timing.h"

typedef struct {
    Costing k;
    Profiling f;
    Peak peak;
} Profiled;

/* ---- rows ---- */

static double per_call(double all, const CostRow *row)
{
    return row->calls > 0 ? all / row->calls : 0;
}

/* How much of what the machine can: of operations or of bytes, whichever is more. */
static Datum achieved(Profiled *t, double flops, double bytes, double seconds)
{
    if (seconds <= 0 || (flops <= 0 && bytes <= 0))
        return text_of(NULL);
    double a = flops / seconds / t->peak.flops, b = bytes / seconds / t->peak.bytes;
    return as(
        report_format(&t->k.c->report, "%.0f %%%s", 100 * (a > b ? a : b), a > b ? " op" : " mem"),
        real_of(a > b ? a : b));
}

static void put_nodes(Profiled *t)
{
    static const Column columns[] = {
        {"time", "seconds"},          {"share", "share"}, {"calls", "calls"},
        {"operations", "flops"},      {"bytes", "bytes"}, {"of machine", "of_machine"},
        {"predicted", "predicted_s"}, {"where", "where"}, {"what", "what"}};
    Report *r = &t->k.c->report;
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    double told = 0, all = 0;
    u32 order[MOST_COST_ROWS], n = cost_order(&t->k.cost, t->f.seconds, order);
    for (u32 i = 0; i < t->k.cost.norder; i++)
        all += t->f.seconds[t->k.cost.order[i]];
    for (u32 i = 0; i < n; i++) {
        const CostRow *row = &t->k.cost.rows[order[i]];
        double seconds = t->f.seconds[order[i]], calls = t->f.calls[order[i]],
               flops = calls * per_call(row->flops, row), bytes = calls * per_call(row->bytes, row);
        told += seconds;
        rows_add(&rows, seconds_of(seconds), share_of(r, seconds, t->f.whole),
                 count_datum(r, calls), count_datum(r, flops), count_datum(r, bytes),
                 achieved(t, flops, bytes, seconds),
                 seconds_of(calls * per_call(row->seconds, row)), row_place(&t->k, row),
                 row_name(&t->k, row));
    }
    const char *others = report_format(r, "%u more", t->k.cost.norder - n);
    double left[2] = {all - told, t->f.whole - all};
    for (int k = 0; k < 2; k++)
        if (left[k] > 1e-9)
            rows_add(&rows, seconds_of(left[k]), share_of(r, left[k], t->f.whole), text_of(NULL),
                     text_of(NULL), text_of(NULL), text_of(NULL), text_of(NULL), text_of(NULL),
                     text_of(k ? "the rest: starting, inputs, scalars outside of loops" : others));
    rows_put(&rows, "rows");
}

/* ---- lines ---- */

static char *line_text(Call *c, const CostLine *l)
{
    const char *s = l->src->text;
    for (int k = 1; k < l->line && *s; s++)
        k += *s == '\n';
    s += strspn(s, " \t");
    return arena_strndup(&c->arena, s, strcspn(s, "\n"));
}

static void put_lines(Profiled *t)
{
    enum { MOST = 12 };
    static const Column columns[] = {
        {"time", "seconds"}, {"share", "share"}, {"line", "line"}, {"text", "text"}};
    Report *r = &t->k.c->report;
    CostLines lines = {0};
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    cost_lines(&t->k.at, t->f.seconds, &lines);
    for (size_t i = 0; i < lines.len && i < MOST; i++) {
        const CostLine *line = &lines.at[i];
        const char *name = line->src->name ? line->src->name : "line", *slash = strrchr(name, '/');
        rows_add(&rows, seconds_of(line->weight), share_of(r, line->weight, t->f.whole),
                 text_of(report_format(r, "%s:%d", slash ? slash + 1 : name, line->line)),
                 text_of(line_text(t->k.c, line)));
    }
    text_put(&t->k.c->out, "\n");
    rows_put(&rows, "lines");
    vec_free(&lines);
}

static void put_head(Profiled *t)
{
    Report *r = &t->k.c->report;
    bool native = t->k.c->r->s.native.mode != NATIVE_OFF;
    report_say(r,
               "profiled: {plain_s}, and {profiled_s} with each instruction timed, the best of "
               "{runs run}; predicted {predicted_s}\n",
               seconds_of(t->f.plain), seconds_of(t->f.whole), int_of(t->f.runs),
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
    Profiled t = {.f = {0}};
    Node **roots = NULL;
    int n = call_roots(c, &roots);
    c->r->s.st.span = c->rest;
    bool ok = n >= 0 && call_has_values(c, n, roots);
    free(roots);
    if (!ok)
        return false;
    ok = costing_begin(&t.k, c) && session_profile(&c->r->s, t.k.p, &t.k.cost, &t.f) &&
         session_peak(&c->r->s, c->rest, &t.peak);
    if (ok) {
        put_head(&t);
        put_nodes(&t);
        put_lines(&t);
    }
    profiling_free(&t.f);
    costing_end(&t.k);
    return ok;
}
