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
#include "rewrite/history.h"

enum { PAGE_WIDTH = 80 };

/* ---- lines ---- */

void explain_heading(Explain *e, const char *title)
{
    text_printf(e->out, e->markdown ? "\n## %s\n\n" : "\n%s\n", title);
}

/* In lines that fit, the first of which is moved to the right less. */
static void put_folded(Text *out, const char *s, int indent, int width)
{
    for (int at = indent; *s; at = indent + 4) {
        size_t n = strlen(s), room = 0, fits = 0, i = 0;
        for (; i < n && room < (size_t)(width - at); i++) {
            room += ((unsigned char)s[i] & 0xC0) != 0x80;
            if (s[i] == ' ')
                fits = i;
        }
        n = i == n ? n : fits ? fits : i + strcspn(s + i, " ");
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

/* What only a run knows has no name that could be said. */
static bool is_sayable(const Size *s)
{
    return s && !size_has_kind(s, ATOM_NODE) && !size_has_kind(s, ATOM_PARAM) &&
           !size_has_kind(s, ATOM_RESULT) && !size_is_opaque(s);
}

static const char unknown[] = "an unknown number of";

/* false: only a symbol stands there, or nothing is known. */
static bool put_number(Explain *e, Text *out, Size *s, double *n)
{
    bool known = s != NULL;
    *n = s ? explain_number(e, s, &known) : 0;
    if (!known && is_sayable(s))
        size_print(out, s);
    else if (!known)
        text_put(out, unknown);
    return known;
}

void explain_bytes(Explain *e, Text *out, Size *bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    double n;
    size_t unit = 0;
    bool known = put_number(e, out, bytes, &n);
    for (; known && n >= 1e3 && unit + 1 < COUNT_OF(units); n /= 1e3)
        unit++;
    if (known)
        text_printf(out, "%.*f", unit ? 1 : 0, n);
    text_printf(out, " %s", units[unit]);
}

/* "4", "2*T", "an unknown number of". */
static void put_count(Explain *e, Text *out, Size *s)
{
    double n;
    if (put_number(e, out, s, &n))
        text_printf(out, "%.0f", n);
}

void explain_type(Explain *e, Text *out, const Type *t)
{
    text_put(out, t->kind == TYPE_TENSOR ? dtype_name(t->dtype) : "tuple");
    for (int a = 0; a < t->rank; a++) {
        double n;
        text_put(out, a ? ", " : "[");
        Text dim = {0};
        bool known = put_number(e, &dim, t->dims[a], &n);
        text_put(out, known ? "" : is_sayable(t->dims[a]) ? text_str(&dim) : "?");
        if (known)
            text_printf(out, "%.0f", n);
        text_free(&dim);
    }
    text_put(out, t->rank ? "]" : "");
}

/* ---- operators ---- */

typedef struct {
    OpId op;
    u32 count;
} OpCount;

static int by_count(const void *a, const void *b)
{
    const OpCount *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1)
                                : strcmp(op_table[x->op].name, op_table[y->op].name);
}

/* What takes no time of its own is left out, and so are loops, which are told of elsewhere. */
static bool is_work(const Node *n)
{
    return n->op != OP_SCAN && n->op != OP_LOOP && n->op != OP_DIM &&
           op_table[n->op].cls != CLASS_STRUCTURAL;
}

void explain_operators(Text *out, const NodeVec *nodes)
{
    enum { MOST = 6 };
    OpCount counts[OP_COUNT];
    u32 rest = 0;
    int kinds = 0;
    for (int op = 0; op < OP_COUNT; op++)
        counts[op] = (OpCount){(OpId)op, 0};
    for (size_t i = 0; i < nodes->len; i++)
        counts[nodes->at[i]->op].count += is_work(nodes->at[i]);
    qsort(counts, OP_COUNT, sizeof *counts, by_count);
    for (; kinds < OP_COUNT && counts[kinds].count; kinds++)
        if (kinds < MOST)
            text_printf(out, "%s%u %s", kinds ? ", " : "", counts[kinds].count,
                        op_table[counts[kinds].op].name);
        else
            rest += counts[kinds].count;
    if (rest)
        text_printf(out, ", %u more", rest);
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
    put_count(e, out, steps);
    text_put(out, steps && size_is(steps, 1) ? " step" : " steps");
}

/* Where the loop was written; what a derivative is taken of keeps only the places of its parts. */
static bool put_place(Store *st, Text *out, const Node *scan)
{
    ScanShape s = scan_shape(scan);
    const Span *first = node_span(st, scan);
    NodeVec order = {0};
    nodes_topo(s.body->nouts, s.body->outs, &order);
    for (size_t i = 0; i < order.len && !node_span(st, scan); i++) {
        bool own = order.at[i]->op != OP_PARAM && order.at[i]->op != OP_CONST;
        const Span *span = own ? node_span(st, order.at[i]) : NULL;
        if (span && (!first || (span->src == first->src && span->start < first->start)))
            first = span;
    }
    vec_free(&order);
    if (!first)
        return false;
    explain_place(out, first);
    return true;
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
    explain_bytes(e, &size, state_bytes(e, &s));
    bool placed = l->written && put_place(e->st, &place, scan);
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
                 placed ? as(report_format(r, ", %s", where), text_of(where)) : absent(),
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
    Text none = {0};
    explain_heading(e, "loops");
    json_open(&e->c->data, "loops", '[');
    put_loops_of(e, &written, e->x->nroots, e->x->start);
    put_loops_of(e, &run, n, roots);
    if (!run.count)
        text_put(&none,
                 written.count ? "none runs: products, reductions and maps replace them" : "none");
    if (none.len)
        explain_point(e, 0, &none);
    json_end(&e->c->data, ']');
    map_free(&written.seen);
    map_free(&run.seen);
}

/* ---- before, in and after ---- */

static void put_work(Explain *e, const char *where, const NodeVec *nodes, Cost cost)
{
    Report *r = &e->c->report;
    Text what = {0}, flops = {0};
    explain_operators(&what, nodes);
    if (!what.len)
        return;
    bool known = cost.flops != NULL;
    double n = cost.flops ? explain_number(e, cost.flops, &known) : 0;
    put_count(e, &flops, cost.flops);
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

/* How many loops, one after the other, must have run before each node. */
static u32 find_stages(const NodeVec *order, u32 *stages)
{
    MAP(Node *, size_t) place = {0};
    u32 last = 0;
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        stages[i] = 0;
        for (u32 k = 0; k < n->nops; k++) {
            u32 below = stages[map_get(&place, n->ops[k]) - 1];
            stages[i] = below > stages[i] ? below : stages[i];
        }
        stages[i] += n->op == OP_SCAN;
        last = stages[i] > last ? stages[i] : last;
        map_put(&place, n, i + 1);
    }
    map_free(&place);
    return last;
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
    u32 last = find_stages(&order, stages);
    explain_heading(e, "what is computed");
    json_open(&e->c->data, "phases", '[');
    for (u32 stage = 0; stage <= last; stage++)
        put_stage(e, &order, stages, stage, last);
    if (nodes_any(n, roots, is_if)) {
        Text line = {0};
        text_put(&line,
                 "only one branch of an `if` runs; the estimate counts the more expensive one");
        explain_point(e, 0, &line);
    }
    json_end(&e->c->data, ']');
    free(stages);
    vec_free(&order);
}

/* ---- cost ---- */

static void put_size_field(Explain *e, const char *key, Size *s)
{
    Text t = {0};
    double n;
    bool known = put_number(e, &t, s, &n);
    report_field(&e->c->report, key,
                 known           ? int_of((i64)n)
                 : is_sayable(s) ? text_of(text_str(&t))
                                 : text_of(NULL));
    text_free(&t);
}

static void put_measured(Explain *e, const Timing *t, size_t peak)
{
    Text line = {0};
    text_printf(&line, "measured once: %.3f ms, peak %.1f KB", 1e3 * t->best, (double)peak / 1e3);
    explain_point(e, 0, &line);
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
    bool ok = call_measure(e->c, e->x->nroots, e->x->start, 1, 1, &t);
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
    put_count(e, &line, all.flops);
    text_put(&line, " operations; ");
    explain_bytes(e, &line, all.bytes);
    text_put(&line, " read and written");
    if (written.flops && written.flops != all.flops && all.flops) {
        text_put(&line, "; as written ");
        put_count(e, &line, written.flops);
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

/* ---- the page ---- */

/* The state before a pass of these names first ran; the last one if none did. */
static bool state_before(Exploration *x, const char *one, const char *other, Node **roots)
{
    u32 at = (u32)x->log.at.len;
    for (size_t i = x->passes.len; i-- > 0;) {
        const char *name = x->passes.at[i].name;
        if (strcmp(name, one) == 0 || strcmp(name, other) == 0)
            at = x->passes.at[i].first_step;
    }
    return exploration_replay(x, at, roots);
}

static bool put_page(Explain *e, bool times)
{
    Exploration *x = e->x;
    Node **plain = xcalloc((size_t)x->nroots + 1, sizeof *plain),
         **fused = xcalloc((size_t)x->nroots + 1, sizeof *fused);
    bool ok = state_before(x, "fuse", "lower", plain) && state_before(x, "lower", "lower", fused);
    text_printf(e->out, e->markdown ? "# `%s`\n" : "%s\n", e->c->text);
    if (ok) {
        put_loops(e, x->nroots, plain);
        explain_kept(e, x->nroots, plain);
        put_phases(e, x->nroots, plain);
        ok = put_cost(e, x->nroots, fused, times);
        explain_rewrites(e);
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
