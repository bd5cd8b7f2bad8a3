/* :cost: what an expression would take, without evaluating it.
 *
 * Invariant: the same text on every machine: nothing is timed (core/exec/cost.h). A size that is
 * not known has an assumed value, which is said. */
#include "repl/commands/costs.h"
#include "repl/commands/explain.h"

#include <math.h>

/* ---- sizes ---- */

bool call_check_sizes(Call *c)
{
    Session *s = &c->r->s;
    i64 k;
    for (int i = 0; i < c->noptions; i++) {
        const Option *o = &c->options[i];
        if (!o->size)
            continue;
        if (!map_has(&s->size_known, symbol(&s->st, o->key)))
            return call_unknown(c, o->span, "no input has a size", o->key, s->sizes.at,
                                s->sizes.len,
                                report_format(&c->report,
                                              "sizes are the names in types: x : f64[n]; "
                                              ":%s %s",
                                              c->info->name, c->info->args));
        if (o->value[strspn(o->value, "0123456789")] || !*o->value || strlen(o->value) > 18)
            return call_fail(c, o->span, "usage", NULL, "%s= takes a whole number", o->key);
        if (!call_number(c, o->key, 0, 0, (i64)1 << 40, &k))
            return false;
    }
    return true;
}

static bool given_size(void *ctx, Symbol name, double *x)
{
    const Option *o = call_option(ctx, name);
    if (o)
        *x = strtod(o->value, NULL);
    return o != NULL;
}

bool cost_numbers_begin(SizeNumbers *n, Call *c)
{
    i64 assumed;
    *n = (SizeNumbers){
        .e = session_evaluator(&c->r->s), .given = given_size, .ctx = c, .known = true};
    if (!call_number(c, "assume", ASSUMED, 1, 1000000000, &assumed) || !call_check_sizes(c))
        return false;
    n->assumed = (double)assumed;
    return true;
}

/* ---- rows ---- */

bool costing_begin(Costing *k, Call *c)
{
    size_t errors = c->r->s.diags.errors;
    *k = (Costing){.c = c};
    if (!cost_numbers_begin(&k->numbers, c))
        return false;
    k->x = call_explore(c);
    if (k->x && !(k->x->failed && c->r->s.diags.errors > errors))
        k->p = plan_build(&c->r->s.st, k->x->nroots, k->x->roots);
    if (k->p)
        program_cost(k->p, size_number, &k->numbers, &k->cost);
    k->at = (CostPlaces){k->x, &k->cost, c->r->s.sources.at[0]};
    return k->p != NULL;
}

void costing_end(Costing *k)
{
    size_numbers_free(&k->numbers);
    if (k->p)
        program_cost_free(&k->cost);
    program_free(k->p);
}

double predicted_seconds(Call *c, const Exploration *x)
{
    SizeNumbers numbers;
    ProgramCost cost;
    double seconds = -1;
    Program *p = x->failed ? NULL : plan_build(&c->r->s.st, x->nroots, x->roots);
    if (p && cost_numbers_begin(&numbers, c)) {
        program_cost(p, size_number, &numbers, &cost);
        seconds = cost.seconds;
        program_cost_free(&cost);
        size_numbers_free(&numbers);
    }
    program_free(p);
    return seconds;
}

Datum count_datum(Report *r, double x)
{
    return as(report_format(r, x < 1e6 ? "%.0f" : "%.3g", x), real_of(x));
}

Datum share_of(Report *r, double part, double whole)
{
    double share = whole > 0 ? part / whole : 0;
    return as(report_format(r, "%.1f %%", 100 * share), real_of(share));
}

Datum row_name(Costing *k, const CostRow *row)
{
    Text t = {0};
    cost_put_row(&t, &k->c->r->s.st, row);
    return text_built(&k->c->report, &t);
}

Datum row_place(Costing *k, const CostRow *row)
{
    const Span *s = cost_span(&k->at, row, row->node);
    Text t = {0};
    if (!s)
        return text_of(NULL);
    span_put_line(&t, *s);
    return text_built(&k->c->report, &t);
}

/* ---- :cost ---- */

static void put_rows(Costing *k)
{
    static const Column columns[] = {
        {"time", "seconds"}, {"share", "share"}, {"calls", "calls"}, {"operations", "flops"},
        {"bytes", "bytes"},  {"where", "where"}, {"what", "what"}};
    const ProgramCost *cost = &k->cost;
    Report *r = &k->c->report;
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    double *weight = xcalloc((size_t)cost->n + 1, sizeof *weight), rest = cost->seconds;
    u32 order[MOST_COST_ROWS];
    for (u32 i = 0; i < cost->n; i++)
        weight[i] = cost->rows[i].seconds;
    u32 n = cost_order(cost, weight, order);
    for (u32 i = 0; i < n; i++) {
        const CostRow *row = &cost->rows[order[i]];
        rest -= row->seconds;
        rows_add(&rows, seconds_of(row->seconds), share_of(r, row->seconds, cost->seconds),
                 count_datum(r, row->calls), count_datum(r, row->flops), count_datum(r, row->bytes),
                 row_place(k, row), row_name(k, row));
    }
    if (cost->norder > n)
        rows_add(&rows, seconds_of(fmax(rest, 0)), share_of(r, fmax(rest, 0), cost->seconds),
                 text_of(NULL), text_of(NULL), text_of(NULL), text_of(NULL),
                 text_of(report_format(r, "%u more", cost->norder - n)));
    rows_put(&rows, "rows");
    free(weight);
}

/* "with n = 1000, m = 100 (assumed)" */
static void put_sizes(Costing *k)
{
    static const char *const from[] = {"given", "value", "assumed"};
    Report *r = &k->c->report;
    json_open(r->data, "sizes", '[');
    for (size_t i = 0; i < k->numbers.names.len; i++) {
        const NamedSize *z = &k->numbers.names.at[i];
        report_item(r, "{-}{name} = {value}{from}", text_of(i ? ", " : "with "), text_of(z->name),
                    as(report_format(r, "%.0f", z->value), real_of(z->value)),
                    as(z->from == SIZE_ASSUMED ? " (assumed)" : "", text_of(from[z->from])));
    }
    text_put(r->text, k->numbers.names.len ? "\n" : "");
    json_end(r->data, ']');
}

static void put_prediction(Costing *k)
{
    Report *r = &k->c->report;
    const SizeNumbers *n = &k->numbers;
    report_say(r,
               "predicted {seconds}: {flops} operations, {bytes} bytes read and written, {calls} "
               "calls, peak {peak_bytes}\n",
               seconds_of(k->cost.seconds), count_datum(r, k->cost.flops),
               count_datum(r, k->cost.bytes), count_datum(r, k->cost.kernels),
               bytes_of((size_t)k->cost.peak));
    report_field(r, "known", flag_of(n->known && !n->endless));
    if (n->endless)
        text_printf(&k->c->out, "a loop without a bound is assumed to take %.0f steps\n",
                    n->assumed);
    put_sizes(k);
    put_rows(k);
}

bool command_cost(Call *c)
{
    Costing k;
    bool ok = costing_begin(&k, c);
    if (ok)
        put_prediction(&k);
    costing_end(&k);
    return ok;
}
