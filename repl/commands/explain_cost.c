/* What graphs cost, and which steps changed that most; see explain.h.
 *
 * Costs are sizes, counted by ops/cost.c node by node; sizes of a body are put in terms of its
 * owner's operands, so that they can be added up. Steps are compared by one number: an operation
 * counts one, and so does a number that is read or written. */
#include "repl/commands/explain.h"

#include "repl/commands/known_values.h"
#include "rewrite/history.h"

#include <math.h>

/* ---- sizes ---- */

static bool find_atom(Explain *e, const SizeAtom *a, double *x)
{
    if (a->kind == ATOM_NAME)
        return *a->name != '.' &&
               known_number(&e->c->r->s, size_to_node(e->st, size_name(e->st, a->name)), x);
    return a->kind == ATOM_NODE && known_number(&e->c->r->s, a->node, x);
}

typedef struct {
    Explain *e;
    bool *known;
} SizeNumber;

static double atom_number(void *ctx, const SizeAtom *a)
{
    Explain *e = ((SizeNumber *)ctx)->e;
    void *found = map_get(&e->numbers, a), *unknown = (void *)(uintptr_t)a;
    if (!found) {
        double *x = arena_alloc(&e->arena, sizeof *x);
        found = find_atom(e, a, x) ? (void *)x : unknown;
        map_put(&e->numbers, a, found);
    }
    *((SizeNumber *)ctx)->known &= found != unknown;
    return found == unknown ? ASSUMED : *(double *)found;
}

double size_number(Explain *e, const Size *s, bool *known)
{
    return size_estimate(s, atom_number, &(SizeNumber){e, known});
}

/* The dimension outside that is this size parameter of the graph. */
static Size *outer_dim(Store *st, SizeAtom *atom, void *ctx)
{
    const Owner *o = ctx;
    return body_size_outside(st, o->n, o->g, atom);
}

static Size *put_outside(Store *st, Node *owner, const Graph *g, Size *s)
{
    Owner o = {owner, g};
    return s ? size_map(st, s, outer_dim, &o) : NULL;
}

Size *size_outside(Explain *e, Size *s)
{
    for (size_t i = e->owners.len; s && i-- > 0;)
        s = size_map(e->st, s, outer_dim, &e->owners.at[i]);
    return s;
}

Type *type_outside(Explain *e, Type *t)
{
    for (size_t i = e->owners.len; i-- > 0;)
        t = type_map_sizes(e->st, t, outer_dim, &e->owners.at[i]);
    return t;
}

/* ---- costs ---- */

Cost cost_add(Store *st, Cost a, Cost b)
{
    return (Cost){a.flops && b.flops ? size_add(st, a.flops, b.flops) : NULL,
                  a.bytes && b.bytes ? size_add(st, a.bytes, b.bytes) : NULL};
}

static Cost cost_of_graph(Explain *e, const Graph *g)
{
    Cost *known = map_get(&e->costs, g);
    if (!known) {
        known = arena_alloc(&e->arena, sizeof *known);
        *known = cost_of_roots(e, g->nouts, g->outs);
        map_put(&e->costs, g, known);
    }
    return *known;
}

static Cost cost_of_body(Explain *e, Node *n, const Graph *g)
{
    Cost c = cost_of_graph(e, g);
    return (Cost){put_outside(e->st, n, g, c.flops), put_outside(e->st, n, g, c.bytes)};
}

static Cost cost_of_branches(Explain *e, Node *n)
{
    IfShape f = if_shape(n);
    Cost a = cost_of_body(e, n, f.then_graph), b = cost_of_body(e, n, f.else_graph);
    return (Cost){a.flops && b.flops ? size_max(e->st, a.flops, b.flops) : NULL,
                  a.bytes && b.bytes ? size_max(e->st, a.bytes, b.bytes) : NULL};
}

static Cost cost_of_scan(Explain *e, Node *n)
{
    Size *steps = size_of_node(e->st, n->ops[0]);
    Cost c = cost_of_body(e, n, scan_shape(n).body);
    if (!steps || size_is(steps, SCAN_UNBOUNDED))
        return (Cost){NULL, NULL};
    return (Cost){c.flops ? size_mul(e->st, steps, c.flops) : NULL,
                  c.bytes ? size_mul(e->st, steps, c.bytes) : NULL};
}

static Cost find_cost(Explain *e, Node *n)
{
    switch (n->op) {
    case OP_SCAN: return cost_of_scan(e, n);
    case OP_IFELSE: return cost_of_branches(e, n);
    case OP_CALL: return cost_of_body(e, n, n->attrs[0].graph);
    case OP_FUSED: return (Cost){cost_of_body(e, n, n->attrs[0].graph).flops, node_bytes(e->st, n)};
    default: return (Cost){node_flops(e->st, n), node_bytes(e->st, n)};
    }
}

Cost cost_of_node(Explain *e, Node *n)
{
    Cost *known = map_get(&e->costs, n);
    if (!known) {
        known = arena_alloc(&e->arena, sizeof *known);
        *known = find_cost(e, n);
        map_put(&e->costs, n, known);
    }
    return *known;
}

Cost cost_of_roots(Explain *e, int n, Node *const *roots)
{
    NodeVec order = {0};
    Cost sum = {size_const(e->st, 0), size_const(e->st, 0)};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        sum = cost_add(e->st, sum, cost_of_node(e, order.at[i]));
    vec_free(&order);
    return sum;
}

/* ---- the steps that made the difference ---- */

typedef struct {
    u32 from, to; /* after so many steps */
    double before, after;
} Difference;
typedef VEC(Difference) Differences;

enum { MOST_WORK = 1000000, BYTES_OF_NUMBER = 8, MOST_TOLD = 5 };

/* Negative: not known. */
static double weight(Explain *e, int n, Node *const *roots)
{
    Cost c = cost_of_roots(e, n, roots);
    bool known = true;
    double all = c.flops && c.bytes ? size_number(e, c.flops, &known) +
                                          size_number(e, c.bytes, &known) / BYTES_OF_NUMBER
                                    : -1;
    e->assumed = e->assumed || !known;
    return all;
}

/* The next state whose cost is asked for: of an exploration that is long only those between passes.
 */
static u32 next_state(const Exploration *x, u32 at, bool each)
{
    u32 next = (u32)x->log.at.len;
    for (size_t i = 0; i < x->passes.len; i++)
        if (x->passes.at[i].first_step > at && x->passes.at[i].first_step < next)
            next = x->passes.at[i].first_step;
    return each ? at + 1 : next;
}

/* Loops that are lowered are counted in another way than scans. */
static u32 first_lowering(const Exploration *x)
{
    for (size_t i = 0; i < x->passes.len; i++)
        if (strcmp(x->passes.at[i].name, "lower") == 0)
            return x->passes.at[i].first_step;
    return (u32)x->log.at.len;
}

/* false: no two states that follow each other have costs that are known. */
static bool find_differences(Explain *e, Differences *out, bool each)
{
    Exploration *x = e->x;
    u32 end = first_lowering(x);
    Node **roots = xmalloc(((size_t)x->nroots + 1) * sizeof *roots);
    bool known = false;
    Difference d = {0, 0, weight(e, x->nroots, x->start), 0};
    while (d.to < end) {
        d.to = next_state(x, d.from, each);
        if (!exploration_replay(x, d.to, roots))
            break;
        d.after = weight(e, x->nroots, roots);
        known = known || (d.before >= 0 && d.after >= 0);
        if (d.before >= 0 && d.after >= 0 && d.before != d.after)
            vec_push(out, d);
        d = (Difference){d.to, d.to, d.after, 0};
    }
    free(roots);
    return known || !end;
}

static int by_change(const void *a, const void *b)
{
    const Difference *x = a, *y = b;
    double p = fabs(x->after - x->before), q = fabs(y->after - y->before);
    return p != q ? (p < q ? 1 : -1) : (x->from > y->from) - (x->from < y->from);
}

typedef struct {
    PtrMap seen;
    u32 told, left;
} Rules;

/* ": fuse, map, 2 more": the rules of steps inside, however deep, each once. */
static void put_rules_of(Text *out, const StepLog *log, Rules *r)
{
    enum { MOST = 3 };
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        if (step_rewrites_inside(s)) {
            put_rules_of(out, s->inner, r);
            continue;
        }
        if (map_has(&r->seen, s->rule))
            continue;
        map_put(&r->seen, s->rule, out);
        if (r->told == MOST)
            r->left++;
        else
            text_printf(out, "%s%s", r->told++ ? ", " : ": ", step_rule(s));
    }
}

static void put_rules(Text *out, const StepLog *log)
{
    Rules r = {.told = 0};
    put_rules_of(out, log, &r);
    if (r.left)
        text_printf(out, ", %u more", r.left);
    map_free(&r.seen);
}

static void put_did(Explain *e, Text *out, const Step *s)
{
    ChangeLines lines = {0};
    Telling t = {e->x, NULL, repl_width(e->c->r) - 12, 1, &lines, NULL};
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
static void put_part(Text *out, const char *s)
{
    enum { MOST = 96 };
    size_t n = strlen(s), part = n;
    if (n > MOST)
        for (part = MOST; part && s[part] != ' ';)
            part--;
    text_printf(out, "%.*s%s", (int)part, s, part < n ? " …" : "");
}

static void put_difference(Explain *e, Rows *rows, const Difference *d)
{
    const Step *s = &e->x->log.at.at[d->to - 1];
    Report *r = &e->c->report;
    Text head = {0}, did = {0}, why = {0};
    bool one = d->to == d->from + 1;
    if (one) {
        put_did(e, &did, s);
        if (!step_rewrites_inside(s))
            put_why(&why, s);
    }
    double percent = d->before > 0 ? 100 * (d->after / d->before - 1) : 0;
    text_printf(&head, one ? "%u " : "%u-", one ? d->to : d->from + 1);
    text_printf(&head, one ? "" : "%u ", d->to);
    text_printf(&head, "%s: %+.0f %%, %.0f to %.0f", one ? step_rule(s) : s->pass, percent,
                d->before, d->after);
    text_put(&head, "; ");
    put_part(&head, text_str(did.len ? &did : &why));
    rows_add(rows, int_of(d->to), text_of(one ? step_rule(s) : s->pass), real_of(d->before),
             real_of(d->after), text_of(report_format(r, "%s", text_str(&did))),
             text_of(report_format(r, "%s", text_str(&why))));
    explain_point(e, 1, &head);
    text_free(&did);
    text_free(&why);
}

void explain_rewrites(Explain *e)
{
    static const Column columns[] = {{NULL, "step"},  {NULL, "rule"},    {NULL, "before"},
                                     {NULL, "after"}, {NULL, "changed"}, {NULL, "why"}};
    Exploration *x = e->x;
    Differences all = {0};
    Text head = {0};
    double nodes = nodes_count(x->nroots, x->roots) + nodes_count(x->nroots, x->start);
    bool known = find_differences(e, &all, (double)x->log.at.len * nodes < MOST_WORK);
    Rows rows = rows_begin(&e->c->report, columns, COUNT_OF(columns));
    if (all.len)
        qsort(all.at, all.len, sizeof *all.at, by_change);
    explain_heading(e, "rewrites that made the difference");
    text_printf(&head,
                all.len ? "%zu of %zu steps changed the cost: operations, and numbers read "
                          "and written"
                : known ? "none of the steps changed the cost"
                        : "not known: the cost shows when it runs",
                all.len, x->log.at.len);
    if (all.len && e->assumed)
        text_printf(&head, ", with %d in place of what is not known", ASSUMED);
    explain_point(e, 0, &head);
    for (size_t i = 0; i < all.len && i < MOST_TOLD; i++)
        put_difference(e, &rows, &all.at[i]);
    rows_put_data(&rows, "rewrites");
    vec_free(&all);
}
