/* What loops do step by step: the two tables of :trace.
 *
 * Both write some steps of a scan out (core/analysis/unroll.h) and evaluate the copies, so
 * what is shown is what the loop computes, before any rewriting. */
#include "repl/commands/looking.h"

enum { MOST_UNROLLED = 64, MOST_ROWS = 1000, SOME_UNROLLED = 8 };

/* ---- :trace all=on ---- */

/* The nodes of the body whose values are shown. */
static void find_cells(const LoopValues *values, NodeVec *out)
{
    for (size_t i = 0; i < values->len; i++)
        vec_push(out, values->at[i].node);
}

static void put_unrolled(Looking *l, const LoopValues *rows, Tensor **at)
{
    Cells c = cells_begin(&l->c->report, as("step", text_of("value")), l->width, l->digits);
    c.grid.across = true;
    for (int i = 0; i < l->k; i++)
        cells_column(&c, int_of(l->first + i));
    for (size_t r = 0; r < rows->len; r++)
        cells_row(&c, rows->at[r].label, at + r, rows->len);
    l->part = cells_put(&c, "columns", "rows") || l->part;
}

static bool probe_values(Looking *l, const NodeVec *rows, Tensor **at)
{
    LoopProbe p;
    bool ok = loop_probe_open(&p, &l->e, l->scan, NULL) &&
              loop_probe_steps(&p, l->first, l->k, rows->len, rows->at, at);
    loop_probe_free(&p);
    return ok;
}

static bool unroll(Looking *l)
{
    static const char *const others[] = {"rows", "grad"};
    if (!call_without(l->c, others, NULL, "does not go with all=on") ||
        !looking_begin(l, SOME_UNROLLED, MOST_UNROLLED))
        return false;
    LoopValues rows = {0};
    NodeVec cells = {0};
    looking_show(l, l->from < 0 ? 0 : l->from);
    loop_body_values(l->st, l->scan, &rows);
    bool ok = looking_choose(l, &rows);
    find_cells(&rows, &cells);
    Tensor **at = xcalloc((size_t)l->k * rows.len + 1, sizeof *at);
    ok = ok && probe_values(l, &cells, at);
    if (ok) {
        put_unrolled(l, &rows, at);
        looking_put_end(l);
        looking_put_part(l);
    }
    probe_release(at, (size_t)l->k * rows.len);
    vec_free(&rows);
    vec_free(&cells);
    return ok;
}

bool trace_values(Call *c)
{
    Looking l = {.c = c, .st = &c->r->s.st};
    bool ok = unroll(&l);
    looking_end(&l);
    return ok;
}

/* ---- :trace ---- */

void watched_heading(Cells *t, const char *prefix, const LoopValues *columns, bool stop)
{
    for (size_t i = 0; i < columns->len; i++) {
        const char *label = columns->at[i].label;
        cells_column(t, as(report_format(t->report, "%s%s", prefix, label), text_of(label)));
    }
    if (stop)
        cells_column(t, text_of("until"));
}

void watched_row(Looking *l, Cells *t, int i, Tensor **at)
{
    i64 step = l->first + i, row = l->s.reverse ? l->steps - 1 - step : step;
    cells_row(t, i < 0 ? "init" : report_format(t->report, "%lld", (long long)row), at, 1);
}

static void put_rows(Looking *l, const LoopValues *c, int first, Tensor **at)
{
    Cells t = cells_begin(&l->c->report, text_of("row"), l->width, l->digits);
    watched_heading(&t, "", c, l->s.stop);
    for (int i = first; i < l->k; i++, at += t.grid.columns.len) {
        watched_row(l, &t, i, at);
        if (l->s.stop && l->stopped && l->first + i + 1 == l->steps) {
            t.grid.mark = "<- stops here";
            t.grid.marked = i - first;
        }
    }
    l->part = cells_put(&t, "columns", "rows") || l->part;
    looking_put_end(l);
}

/* What the states begin with, then the rows of the steps; at[0] is the first cell. */
static bool probe_rows(Looking *l, const LoopValues *c, const NodeVec *cells, bool init,
                       Tensor **at)
{
    LoopProbe p;
    bool ok =
        loop_probe_open(&p, &l->e, l->scan, NULL) &&
        loop_probe_steps(&p, l->first, l->k, cells->len, cells->at, at + (init ? cells->len : 0));
    for (size_t s = 0; s < c->len && init && ok; s++)
        if (c->at[s].state >= 0)
            at[s] = tensor_ref((Tensor *)(uintptr_t)loop_probe_mark(&p, 0, c->at[s].state));
    loop_probe_free(&p);
    return ok;
}

static bool put_forward(Looking *l, const LoopValues *c)
{
    NodeVec cells = {0};
    bool init = !l->first;
    find_cells(c, &cells);
    if (l->s.stop)
        vec_push(&cells, l->s.body->outs[l->s.steps]);
    size_t n = cells.len * (size_t)(l->k + init);
    Tensor **at = xcalloc(n + 1, sizeof *at);
    bool ok = probe_rows(l, c, &cells, init, at);
    if (ok)
        put_rows(l, c, init ? -1 : 0, at);
    probe_release(at, n);
    vec_free(&cells);
    return ok;
}

static bool watch(Looking *l)
{
    bool grad = call_option(l->c, "grad") != NULL;
    i64 rows;
    if (!call_count(l->c, "rows", 20, MOST_ROWS, &rows) || !looking_begin(l, rows, MOST_ROWS))
        return false;
    Node *x = grad ? watched_variable(l) : NULL;
    if (grad && !x)
        return false;
    looking_show(l, l->from < 0 ? 0 : l->from);
    LoopValues c = {0};
    loop_states(l->st, l->scan, &c);
    bool ok = looking_choose(l, &c) && put_forward(l, &c) && (!grad || watched_way_back(l, &c, x));
    looking_put_part(l);
    vec_free(&c);
    return ok;
}

bool trace_states(Call *c)
{
    Looking l = {.c = c, .st = &c->r->s.st};
    bool ok = watch(&l);
    looking_end(&l);
    return ok;
}
