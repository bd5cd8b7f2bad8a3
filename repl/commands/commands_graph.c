/* Commands on the graph of an expression: its type, its text, its program, its time. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "graph/print.h"
#include "graph/control.h"
#include "repl/commands/commands.h"
#include "repl/commands/show.h"

/* ---- :type, :graph ---- */

bool command_type(Call *c)
{
    Value *v = call_value(c);
    if (!v)
        return false;
    size_t at = c->out.len;
    show_value_type(c->r, &c->out, v);
    json_key(&c->data, "type");
    json_string(&c->data, text_str(&c->out) + at);
    return true;
}

bool command_graph(Call *c)
{
    bool ssa = call_last_word(c, "ssa") || c->file;
    Exploration *x = call_explore(c);
    u32 k;
    Place place;
    bool inside = call_option(c, "step") && !call_option(c, "pass");
    if (!x || !(inside ? call_place(c, x, "step", 0, &place) : call_state(c, x, &k)))
        return false;
    place = inside ? place : (Place){1, {k}};
    if (place.at[0] < x->log.at.len)
        things_of_states(x);
    Node **roots = call_roots_at(c, x, "step", &place);
    if (!roots)
        return false;
    bool printed = true;
    if (ssa)
        graph_print(&c->r->s.st, &c->out, x->nroots, roots, &x->numbering);
    else if ((printed = listing_print(&c->r->s.st, &c->out, x->nroots, roots, NULL)))
        text_putc(&c->out, '\n');
    json_count(&c->data, "step", place.at[0]);
    json_count(&c->data, "steps", (i64)x->log.at.len);
    json_count(&c->data, "nodes", nodes_count(x->nroots, roots));
    free(roots);
    if (!c->file || !printed)
        return printed;
    Text lines = c->out;
    c->out = (Text){0};
    bool ok = call_put_file(c, &lines, NULL);
    text_free(&lines);
    return ok;
}

/* ---- :plan, :time ---- */

bool command_plan(Call *c)
{
    Exploration *x = call_explore(c);
    Program *p = x ? plan_build(&c->r->s.st, x->nroots, x->roots) : NULL;
    if (!p)
        return false;
    program_print(&c->out, p);
    ProgramStats stats = program_stats(p);
    program_free(p);
    json_key(&c->data, "blocks");
    json_int(&c->data, stats.blocks);
    json_key(&c->data, "instructions");
    json_int(&c->data, stats.instructions);
    json_key(&c->data, "registers");
    json_int(&c->data, stats.registers);
    return true;
}

static void put_seconds(Text *out, double s)
{
    if (s < 1e-3)
        text_printf(out, "%.1f us", s * 1e6);
    else if (s < 1)
        text_printf(out, "%.2f ms", s * 1e3);
    else
        text_printf(out, "%.3f s", s);
}

static void put_bytes(Text *out, size_t n)
{
    if (n < 10000)
        text_printf(out, "%zu bytes", n);
    else if (n < 10000000)
        text_printf(out, "%.1f KB", (double)n / 1e3);
    else
        text_printf(out, "%.1f MB", (double)n / 1e6);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MAX_RUNS = 1000 };

typedef struct {
    double first, median, best;
    int runs;
    size_t peak;
} Timing;

static bool evaluate_once(Call *c, int n, Node *const *roots, double *seconds)
{
    Tensor **out = xcalloc((size_t)n + 1, sizeof *out);
    bool ok = session_evaluate(&c->r->s, n, roots, out);
    for (int i = 0; i < n && ok; i++)
        tensor_unref(out[i]);
    free(out);
    *seconds = c->r->s.run_seconds;
    return ok;
}

/* Evaluates for about a second. */
static bool measure(Call *c, int n, Node *const *roots, double started, Timing *t)
{
    Session *s = &c->r->s;
    double *seconds = xcalloc(MAX_RUNS, sizeof *seconds), spent = 0, one;
    session_outdate(s); /* the first one plans */
    size_t live = s->st.heap.live;
    bool ok = evaluate_once(c, n, roots, &one);
    t->first = now_seconds() - started;
    t->peak = s->st.heap.peak > live ? s->st.heap.peak - live : 0;
    for (t->runs = 0; ok && t->runs < MAX_RUNS && (t->runs < 3 || spent < 1);) {
        ok = evaluate_once(c, n, roots, &one);
        seconds[t->runs++] = one;
        spent += one;
        if (t->runs >= 1 && one > 5)
            break;
    }
    if (ok) {
        qsort(seconds, (size_t)t->runs, sizeof *seconds, by_size);
        t->median = seconds[t->runs / 2];
        t->best = seconds[0];
    }
    free(seconds);
    return ok;
}

bool command_time(Call *c)
{
    Node **roots = NULL, *missing;
    double started = now_seconds();
    int n = call_roots(c, NULL, &roots);
    Timing t;
    bool ok = n >= 0;
    c->r->s.st.span = c->rest;
    if (ok && session_missing(&c->r->s, n, roots, &missing))
        ok = call_fail(c, c->rest, "no-value", "give it one with :=", "%s has no value",
                       missing->op == OP_SIZE ? "a size" : missing->attrs[0].name);
    ok = ok && measure(c, n, roots, started, &t);
    free(roots);
    if (!ok)
        return false;
    text_put(&c->out, "first ");
    put_seconds(&c->out, t.first);
    text_put(&c->out, ", median ");
    put_seconds(&c->out, t.median);
    text_put(&c->out, ", best ");
    put_seconds(&c->out, t.best);
    text_printf(&c->out, " of %d run%s, peak ", t.runs, t.runs == 1 ? "" : "s");
    put_bytes(&c->out, t.peak);
    if (c->r->s.run_steps)
        text_printf(&c->out, ", %llu steps of loops", (unsigned long long)c->r->s.run_steps);
    text_putc(&c->out, '\n');
    json_key(&c->data, "first_s");
    json_double(&c->data, t.first);
    json_key(&c->data, "median_s");
    json_double(&c->data, t.median);
    json_key(&c->data, "best_s");
    json_double(&c->data, t.best);
    json_key(&c->data, "runs");
    json_int(&c->data, t.runs);
    json_key(&c->data, "peak_bytes");
    json_int(&c->data, (i64)t.peak);
    json_key(&c->data, "loop_steps");
    json_int(&c->data, (i64)c->r->s.run_steps);
    return true;
}
