/* :explain: a page about an expression, for people, and the same as data.
 *
 * What is told of loops, of what they keep and of what they compute is that of the state after the
 * last pass in which loops are still scans and operators stand alone: fusing and lowering change
 * how that runs, not what. Invariant: nothing is guessed; see explain.h. */
#include "repl/commands/chapters.h"
#include "repl/commands/explain.h"
#include "graph/provenance.h"

#include "graph/print.h"
#include "graph/walk.h"
#include "session/timing.h"
#include "rewrite/history.h"

enum { PAGE_WIDTH = 80, MOST_TOLD = 5 };

/* ---- lines ---- */

void explain_heading(Explain *e, const char *title)
{
    text_printf(e->out, e->markdown ? "\n## %s\n\n" : "\n%s\n", title);
}

/* In lines that fit, the first of which is moved to the right less. */
static void put_folded(Text *out, const char *s, int indent, int width)
{
    for (int at = indent; *s; at = indent + 4) {
        size_t n = pretty_fitting(s, width - at);
        text_printf(out, "%*s%.*s\n", at, "", (int)n, s);
        s += n + (s[n] == ' ');
    }
}

void explain_point(Explain *e, int level, Text *text)
{
    int width = repl_width(e->c->r);
    if (e->markdown) {
        text_printf(e->out, "%*s- ", 2 * level, "");
        put_prose(e->out, text_str(text), "\\*_[]<>#|");
        text_putc(e->out, '\n');
    } else {
        put_folded(e->out, text_str(text), 2 + 2 * level, width < PAGE_WIDTH ? width : PAGE_WIDTH);
    }
    text_free(text);
}

void explain_say(Explain *e, int level, const char *fmt, ...)
{
    Text line = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&line, fmt, ap);
    va_end(ap);
    explain_point(e, level, &line);
}

void explain_item_(Explain *e, int level, const char *template, size_t n, const Datum *values)
{
    Text line = {0};
    Report point = {.text = &line, .data = &e->c->data, .arena = &e->c->arena};
    report_item_(&point, template, n, values);
    explain_point(e, level, &line);
}

Datum explain_called(Explain *e, Node *n)
{
    Text t = {0};
    put_called(&t, e->st, n, &e->x->numbering);
    return text_built(&e->c->report, &t);
}

/* ---- loops ---- */

static bool is_endless(const Node *scan)
{
    i64 most;
    return node_const_i64(scan->ops[0], &most) && most == SCAN_UNBOUNDED;
}

static void put_steps(Explain *e, Text *out, const Node *scan)
{
    ScanShape s = scan_shape(scan);
    Size *steps = size_outside(e->st, &e->owners, size_of_node(e->st, s.n));
    if (is_endless(scan)) {
        text_put(out, "any number of steps");
        return;
    }
    text_put(out, s.stop ? "at most " : "");
    size_put_count(&e->numbers, out, steps);
    text_put(out, steps && size_is(steps, 1) ? " step" : " steps");
}

static Size *state_bytes(Explain *e, const ScanShape *s)
{
    Size *sum = size_const(e->st, 0);
    for (int i = 0; i < s->nstates; i++)
        sum = size_add(e->st, sum,
                       type_bytes(e->st, type_outside(e->st, &e->owners, s->inits[i]->type)));
    return sum;
}

typedef struct {
    NodeSet seen;
    bool written;
    int level; /* of loops in loops */
    u32 count;
} Loops;

static void put_loop(Explain *e, Loops *l, Node *scan)
{
    ScanShape s = scan_shape(scan);
    Report *r = &e->c->report;
    Text steps = {0}, size = {0}, place = {0};
    put_steps(e, &steps, scan);
    size_put_bytes(&e->numbers, &size, state_bytes(e, &s));
    const Span *span = l->written ? loop_span(e->st, scan) : NULL;
    if (span)
        span_put_line(&place, *span);
    const char *where = report_take(r, &place);
    l->count++;
    explain_item(e, l->level,
                 "{-}: {name}{=written}, {steps} {reverse}{-}, {states state} ({state_size})"
                 "{=traces}{=until}{place}{=depth}",
                 text_of(l->level     ? "in it"
                         : l->written ? "written"
                                      : "run"),
                 explain_called(e, scan), flag_of(l->written), text_built(r, &steps),
                 as(s.reverse ? "backward" : "forward", flag_of(s.reverse)),
                 text_of(s.stop ? " until its condition holds" : ""), int_of(s.nstates),
                 text_built(r, &size), int_of(s.nouts), flag_of(s.stop),
                 span ? as(report_format(r, ", %s", where), text_of(where)) : absent(),
                 int_of(l->level));
}

static void put_loops_of(Explain *e, Loops *l, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *at = order.at[i];
        int slots[4], graphs = node_graphs(at, slots);
        bool scan = at->op == OP_SCAN;
        if (!graphs || map_has(&l->seen, at))
            continue;
        set_add(&l->seen, at);
        if (scan)
            put_loop(e, l, at);
        l->level += scan;
        for (int k = 0; k < graphs; k++) {
            const Graph *g = at->attrs[slots[k]].graph;
            vec_push(&e->owners, ((Owner){at, g}));
            put_loops_of(e, l, g->nouts, g->outs);
            e->owners.len--;
        }
        l->level -= scan;
    }
    vec_free(&order);
}

static void put_loops(Explain *e, int n, Node *const *roots)
{
    Loops written = {.written = true}, run = {.written = false};
    explain_heading(e, "loops");
    json_open(&e->c->data, "loops", '[');
    put_loops_of(e, &written, e->x->nroots, e->x->start);
    put_loops_of(e, &run, n, roots);
    if (!run.count)
        explain_say(
            e, 0, written.count ? "none runs: products, reductions and maps replace them" : "none");
    json_end(&e->c->data, ']');
    map_free(&written.seen);
    map_free(&run.seen);
}

/* ---- before, in and after ---- */

static void put_work(Explain *e, const char *where, const NodeVec *nodes, Cost cost)
{
    Report *r = &e->c->report;
    Text what = {0}, flops = {0};
    put_operators(&what, nodes);
    if (!what.len)
        return;
    bool known;
    double n = size_value(&e->numbers, cost.flops, &known);
    size_put_count(&e->numbers, &flops, cost.flops);
    const char *count = report_take(r, &flops);
    explain_item(e, 0, "{where}: {operators}; {flops operation}", text_of(where),
                 text_built(r, &what), as(count, known ? int_of((i64)n) : text_of(count)));
}

static void put_body(Explain *e, Node *scan)
{
    NodeVec order = {0};
    StandingVec all = {0};
    Text steps = {0};
    ScanShape s = scan_shape(scan);
    nodes_standing(s.body->nouts, s.body->outs, s.body, &all);
    for (size_t i = 0; i < all.len; i++)
        vec_push(&order, all.at[i].node);
    vec_free(&all);
    put_steps(e, &steps, scan);
    const char *where =
        report_format(&e->c->report, "in %s (%s)", explain_called(e, scan).text, text_str(&steps));
    put_work(e, where, &order, cost_of_node(&e->costs, scan));
    text_free(&steps);
    vec_free(&order);
}

static void put_stage(Explain *e, const NodeVec *order, const u32 *stages, u32 stage, u32 last)
{
    NodeVec nodes = {0};
    Cost cost = {size_const(e->st, 0), size_const(e->st, 0)};
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        if (stages[i] != stage)
            continue;
        if (n->op == OP_SCAN) {
            put_body(e, n);
            continue;
        }
        vec_push(&nodes, n);
        cost = cost_add(e->st, cost, cost_of_node(&e->costs, n));
    }
    put_work(e,
             !last           ? "in all"
             : !stage        ? "before the loops"
             : stage == last ? "after the loops"
                             : "between them",
             &nodes, cost);
    vec_free(&nodes);
}

static bool is_if(const Node *n) { return n->op == OP_IFELSE; }

static void put_phases(Explain *e, int n, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    u32 *stages = xcalloc(order.len + 1, sizeof *stages);
    u32 last = loop_stages(&order, stages);
    explain_heading(e, "what is computed");
    json_open(&e->c->data, "phases", '[');
    for (u32 stage = 0; stage <= last; stage++)
        put_stage(e, &order, stages, stage, last);
    if (nodes_any(n, roots, is_if))
        explain_say(e, 0,
                    "only one branch of an `if` runs; the estimate counts the more expensive one");
    json_end(&e->c->data, ']');
    free(stages);
    vec_free(&order);
}

/* ---- cost ---- */

/* Null where it is neither known nor can be said. */
static void put_size_field(Explain *e, const char *key, Size *s)
{
    Text t = {0};
    bool known, said = size_put(&e->numbers, &t, s, "");
    double n = size_value(&e->numbers, s, &known);
    const char *text = report_take(&e->c->report, &t);
    report_field(&e->c->report, key, known ? int_of((i64)n) : text_of(said ? text : NULL));
}

static void put_measured(Explain *e, const Timing *t, size_t peak)
{
    explain_say(e, 0, "measured once: %.3f ms, peak %.1f KB", 1e3 * t->best, (double)peak / 1e3);
    report_field(&e->c->report, "seconds", real_of(t->best));
    report_field(&e->c->report, "peak_bytes", int_of((i64)peak));
}

/* One evaluation, if all inputs have values. */
static bool measure(Explain *e)
{
    Heap *heap = &e->st->heap;
    Node *missing;
    if (session_missing(&e->c->r->s, e->x->nroots, e->x->start, &missing))
        return true;
    Timing t = {0};
    size_t live = heap->live;
    bool ok = session_measure(&e->c->r->s, e->x->nroots, e->x->start, 1, 1, &t);
    if (ok)
        put_measured(e, &t, heap->peak > live ? heap->peak - live : 0);
    timing_free(&t);
    return ok;
}

static bool put_cost(Explain *e, int n, Node *const *roots, bool times)
{
    Cost all = cost_of_roots(&e->costs, n, roots),
         written = cost_of_roots(&e->costs, e->x->nroots, e->x->start);
    Text line = {0};
    explain_heading(e, "cost");
    size_put_count(&e->numbers, &line, all.flops);
    text_put(&line, " operations; ");
    size_put_bytes(&e->numbers, &line, all.bytes);
    text_put(&line, " read and written");
    if (written.flops && written.flops != all.flops && all.flops) {
        text_put(&line, "; as written ");
        size_put_count(&e->numbers, &line, written.flops);
        text_put(&line, " operations");
    }
    explain_point(e, 0, &line);
    json_open(&e->c->data, "cost", '{');
    put_size_field(e, "flops", all.flops);
    put_size_field(e, "bytes", all.bytes);
    bool ok = !times || measure(e);
    json_end(&e->c->data, '}');
    return ok;
}

/* ---- the steps that made the difference ---- */

/* ": fuse, map, 2 more": the rules of steps inside, however deep, each once. */
static void put_rules(Text *out, const StepLog *log)
{
    enum { MOST = 3 };
    RulesFired rules = {0};
    steplog_fired(log, true, &rules);
    for (size_t i = 0; i < rules.len && i < MOST; i++)
        text_printf(out, "%s%s", i ? ", " : ": ", rules.at[i].rule);
    if (rules.len > MOST)
        text_printf(out, ", %zu more", rules.len - MOST);
    vec_free(&rules);
}

static void put_did(Explain *e, Text *out, const Step *s)
{
    ChangeLines lines = {0};
    Telling t = {e->x, NULL, repl_width(e->c->r) - 12, 1, &lines, NULL, 0};
    bool inside = step_rewrites_inside(s);
    Text line = {0};
    if (inside)
        change_where(&t, s);
    else
        change_of_step(&t, s);
    if (change_in_a_line(&line, &lines))
        text_put(out, text_str(&line));
    else if (lines.of.len)
        text_put(out, lines.of.at[0].text);
    if (inside)
        put_rules(out, s->inner);
    text_free(&line);
    change_free(&lines);
}

/* What is too long for a page ends with "…". */
static const char *part_of(Report *r, const char *s)
{
    enum { MOST = 96 };
    size_t n = strlen(s), part = n;
    if (n > MOST)
        for (part = MOST; part && s[part] != ' ';)
            part--;
    return report_format(r, "%.*s%s", (int)part, s, part < n ? " …" : "");
}

static void put_difference(Explain *e, const CostChange *d)
{
    const Step *s = &e->x->log.at.at[d->to - 1];
    Report *r = &e->c->report;
    Text did = {0}, why = {0};
    bool one = d->to == d->from + 1;
    if (one) {
        put_did(e, &did, s);
        if (!step_rewrites_inside(s))
            put_why(&why, s);
    }
    double percent = d->before > 0 ? 100 * (d->after / d->before - 1) : 0;
    const char *changed = report_take(r, &did), *reason = report_take(r, &why);
    explain_item(
        e, 1, "{-}{step} {rule}: {-}, {before} to {after}; {-}{=changed}{=why}",
        text_of(one ? "" : report_format(r, "%u-", d->from + 1)), int_of(d->to),
        text_of(one ? step_rule(s) : s->pass), text_of(report_format(r, "%+.0f %%", percent)),
        as(report_format(r, "%.0f", d->before), real_of(d->before)),
        as(report_format(r, "%.0f", d->after), real_of(d->after)),
        text_of(part_of(r, *changed ? changed : reason)), text_of(changed), text_of(reason));
}

static void put_rewrites(Explain *e)
{
    Exploration *x = e->x;
    CostChanges all = {0};
    Text head = {0};
    e->numbers.known = true;
    bool known = cost_changes(x, &e->costs, &e->numbers, &all), assumed = !e->numbers.known;
    explain_heading(e, "rewrites that made the difference");
    text_printf(&head,
                all.len ? "%zu of %zu steps changed the cost: operations, and numbers read "
                          "and written"
                : known ? "none of the steps changed the cost"
                        : "not known: the cost shows when it runs",
                all.len, x->log.at.len);
    if (all.len && assumed)
        text_printf(&head, ", with %d in place of what is not known", ASSUMED);
    explain_point(e, 0, &head);
    json_open(&e->c->data, "rewrites", '[');
    for (size_t i = 0; i < all.len && i < MOST_TOLD; i++)
        put_difference(e, &all.at[i]);
    json_end(&e->c->data, ']');
    vec_free(&all);
}

/* ---- the page ---- */

static bool put_page(Explain *e, bool times)
{
    Exploration *x = e->x;
    Node **plain = xcalloc((size_t)x->nroots + 1, sizeof *plain),
         **fused = xcalloc((size_t)x->nroots + 1, sizeof *fused);
    static const char *const late[] = {"lower", "fuse"};
    bool ok = exploration_replay(x, steps_before_passes(x, 2, late), plain) &&
              exploration_replay(x, steps_before_passes(x, 1, late), fused);
    text_printf(e->out, e->markdown ? "# `%s`\n" : "%s\n", e->c->text);
    if (ok) {
        put_loops(e, x->nroots, plain);
        explain_kept(e, x->nroots, plain);
        put_phases(e, x->nroots, plain);
        ok = put_cost(e, x->nroots, fused, times);
        put_rewrites(e);
    }
    free(plain);
    free(fused);
    return ok;
}

bool command_explain(Call *c)
{
    Text page = {0};
    Explain e = {.c = c,
                 .st = &c->r->s.st,
                 .out = &page,
                 .markdown = c->file != NULL,
                 .numbers = {.e = session_evaluator(&c->r->s), .assumed = ASSUMED},
                 .costs = {.st = &c->r->s.st}};
    bool ok = (e.x = call_explore(c)) != NULL;
    if (ok) {
        exploration_things(e.x);
        ok = put_page(&e, call_switch(c, "times")) && (!c->file || call_put_file(c, &page, NULL));
    }
    if (ok && c->file)
        report_say(&c->report, "{file}: {bytes} bytes", text_of(c->file), int_of((i64)page.len));
    else if (ok)
        text_put(&c->out, text_str(&page));
    text_free(&page);
    size_numbers_free(&e.numbers);
    costs_free(&e.costs);
    vec_free(&e.owners);
    return ok;
}
