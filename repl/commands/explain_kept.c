/* What loops keep for those that run backward, and why; see explain.h.
 *
 * A reason is a node of the source whose derivative reads the value that is kept. It is found by
 * deriving that node alone and looking at what the result reads, so that it is true of every
 * operator without a table. Values of the two loops correspond by name. */
#include "repl/commands/explain.h"

#include "grad/vjp.h"
#include "graph/names.h"
#include "graph/print.h"
#include "graph/walk.h"

/* A loop as it was written, and what in its body a derivative is taken through. */
typedef struct {
    Node *scan;
    PtrMap active; /* nodes of the body */
} Written;

typedef struct {
    Explain *e;
    VEC(Written) loops;
    Rows rows;
    PtrMap graphs;  /* those that were gone through */
    PtrMap counted; /* traces, each once though several loops may read it */
    i64 count;
    Size *bytes;
} Keeping;

/* ---- the source's loops ---- */

static void find_written(Keeping *k, int n, Node *const *roots, PtrMap *active);

static void find_active(int n, Node *const *roots, PtrMap *active)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *at = order.at[i];
        for (u32 k = 0; k < at->nops && at->op != OP_STOP_GRADIENT; k++)
            if (map_has(active, at->ops[k]) && type_has_floats(at->type))
                map_put(active, at, at);
    }
    vec_free(&order);
}

/* States are active if what they begin with is, or what they become. */
static void enter_scan(Keeping *k, Node *n, const PtrMap *outer)
{
    ScanShape s = scan_shape(n);
    Written w = {.scan = n};
    Node *const *params = s.body->param_nodes;
    for (int i = 0; i < s.nstates + s.nseqs + s.ncaptures; i++) {
        Node *from = i < s.nstates             ? s.inits[i]
                     : i < s.nstates + s.nseqs ? s.seqs[i - s.nstates]
                                               : s.captures[i - s.nstates - s.nseqs];
        if (map_has(outer, from))
            map_put(&w.active, params[i], n);
    }
    for (bool more = true; more;) {
        more = false;
        find_active(s.body->nouts, s.body->outs, &w.active);
        for (int i = 0; i < s.nstates; i++)
            if (map_has(&w.active, s.body->outs[i]) && !map_has(&w.active, params[i])) {
                map_put(&w.active, params[i], n);
                more = true;
            }
    }
    vec_push(&k->loops, w);
    find_written(k, s.body->nouts, s.body->outs, &w.active);
}

/* A derivative is with respect to the first parameters of its function; other functions and
 * branches may be of all of theirs. */
static void enter_graph(Keeping *k, const Node *n, const Graph *g)
{
    PtrMap active = {0};
    bool derivative = n->op == OP_GRAD || n->op == OP_VJP || n->op == OP_JVP;
    int wanted = derivative ? (int)n->attrs[1].i : g->nparams;
    for (int i = 0; i < wanted && i < g->nparams; i++)
        map_put(&active, g->param_nodes[i], g->param_nodes[i]);
    find_written(k, g->nouts, g->outs, &active);
    map_free(&active);
}

static void find_written(Keeping *k, int n, Node *const *roots, PtrMap *active)
{
    NodeVec order = {0};
    find_active(n, roots, active);
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *at = order.at[i];
        int slots[4], count = node_graphs(at, slots);
        for (int j = 0; j < count; j++) {
            const Graph *g = at->attrs[slots[j]].graph;
            if (map_has(&k->graphs, g))
                continue;
            map_put(&k->graphs, g, at);
            if (at->op == OP_SCAN)
                enter_scan(k, at, active);
            else
                enter_graph(k, at, g);
        }
    }
    vec_free(&order);
}

/* ---- which derivative reads a value ---- */

/* The value itself, not through `but`, and not its size alone. */
static bool reads_value(Node *from, const Node *value, const Node *but)
{
    Descent d = {0};
    bool found = false;
    descent_from(&d, from);
    for (Node *n; !found && (n = descent_next(&d)) != NULL;) {
        found = n == value;
        if (n != but && n->op != OP_DIM)
            descent_operands(&d, n);
    }
    descent_end(&d);
    return found;
}

static bool derive_alone(Store *st, Node *f, NodeVec *xs, Node **found)
{
    Diags said = *st->diags;
    *st->diags = (Diags){.errors = 0};
    Node *bar = node_temp(st, f->type, NULL);
    bool ok = vjp_pull(st, 1, &f, &bar, (int)xs->len, xs->at, found);
    diags_free(st->diags);
    *st->diags = said;
    return ok;
}

/* Does the derivative of f alone, by what is active, read the value? */
static bool derivative_reads(Keeping *k, const Written *w, Node *f, const Node *value)
{
    Store *st = k->e->st;
    u32 temps = st->temp_count;
    NodeVec xs = {0};
    bool reads = false;
    if (op_table[f->op].cls == CLASS_CONTROL)
        return f != value && map_has(&w->active, f);
    if (f->type->kind != TYPE_TENSOR || !type_has_floats(f->type) || !f->nops)
        return false;
    for (u32 i = 0; i < f->nops; i++) {
        bool again = !map_has(&w->active, f->ops[i]);
        for (size_t j = 0; j < xs.len && !again; j++)
            again = xs.at[j] == f->ops[i];
        if (!again)
            vec_push(&xs, f->ops[i]);
    }
    Node **found = xcalloc(xs.len + 1, sizeof *found);
    if (xs.len && derive_alone(st, f, &xs, found))
        for (size_t i = 0; i < xs.len && !reads; i++)
            reads = found[i] && reads_value(found[i], value, f == value ? NULL : f);
    st->temp_count = temps;
    free(found);
    vec_free(&xs);
    return reads;
}

/* ---- reasons ---- */

typedef VEC(const Node *) Reasons;

/* The nodes of a body that bear a name, or would. */
static void find_named(Store *st, const Graph *g, Symbol name, NodeVec *out)
{
    NodeVec order = {0};
    NameScope scope;
    nodes_topo(g->nouts, g->outs, &order);
    names_open(st, &scope, g);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        Symbol own = n->op == OP_CONST ? NULL : node_name_in(st, g, n);
        if ((own ? own : n->op == OP_CONST ? NULL : node_told(st, n)) == name)
            vec_push(out, n);
    }
    names_close(st, &scope, NULL);
    vec_free(&order);
}

static void add_reasons(Keeping *k, const Written *w, const Node *value, Reasons *out)
{
    ScanShape s = scan_shape(w->scan);
    NodeVec order = {0};
    nodes_topo(s.body->nouts, s.body->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *f = order.at[i];
        bool near = f == value;
        for (u32 j = 0; j < f->nops; j++)
            near = near || f->ops[j] == value;
        if (near && node_span(f) && derivative_reads(k, w, f, value))
            vec_push(out, f);
    }
    vec_free(&order);
}

/* "one minus f" and "f tap 2" are kept because f is. */
static Symbol source_name(Store *st, Symbol name)
{
    static const char minus[] = "one minus ";
    return name && strncmp(name, minus, sizeof minus - 1) == 0 ? symbol(st, name + sizeof minus - 1)
                                                               : name;
}

static void find_reasons(Keeping *k, Symbol name, Reasons *out)
{
    Store *st = k->e->st;
    Symbol source = source_name(st, name);
    for (size_t i = 0; i < k->loops.len && source && !out->len; i++) {
        const Written *w = &k->loops.at[i];
        NodeVec values = {0};
        find_named(st, scan_shape(w->scan).body, source, &values);
        for (size_t j = 0; j < values.len; j++)
            add_reasons(k, w, values.at[j], out);
        vec_free(&values);
    }
}

/* Its words, on one line, cut if they are many. */
static void put_source(Text *out, const Span *s)
{
    enum { MOST = 19 };
    Text words = {0};
    for (u32 i = s->start; i < s->end; i++) {
        char c = s->src->text[i];
        bool blank = c == '\n' || c == ' ' || c == '\t';
        if (!blank || (words.len && words.at[words.len - 1] != ' '))
            text_putc(&words, blank ? ' ' : c);
    }
    size_t n = words.len <= MOST ? words.len : MOST - 1;
    while (n && n < words.len && ((unsigned char)words.at[n] & 0xC0) == 0x80)
        n--;
    text_printf(out, "`%.*s%s`", (int)n, text_str(&words), n < words.len ? "…" : "");
    text_free(&words);
}

void explain_place(Text *out, const Span *s)
{
    int line, column, length;
    const char *name = s->src->name ? s->src->name : "line", *slash = strrchr(name, '/');
    span_locate(*s, &line, &column, &length);
    text_printf(out, "%s:%d", slash ? slash + 1 : name, line);
}

static void put_reasons(Text *out, const Reasons *reasons)
{
    const Span *s = node_span(reasons->at[0]);
    put_source(out, s);
    text_putc(out, ' ');
    explain_place(out, s);
    if (reasons->len > 1)
        text_printf(out, ", +%zu", reasons->len - 1);
}

/* ---- what is read ---- */

/* The nodes that depend on one, loops passed over or not. */
static void find_dependent(const NodeVec *order, const Node *from, const PtrMap *but, bool loops,
                           PtrMap *out)
{
    map_put(out, from, out);
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        bool depends = false;
        for (u32 k = 0; k < n->nops && !depends; k++)
            depends = map_has(out, n->ops[k]);
        if (depends && (loops || n->op != OP_SCAN) && !(but && map_has(but, n)))
            map_put(out, n, out);
    }
}

/* How a trace is used: by the loop backward, by what follows that. */
typedef struct {
    bool inside, after;
    bool direct; /* it is a sequence itself */
} Use;

static Use use_of(const NodeVec *order, const Node *trace, const Node *back, const PtrMap *behind)
{
    PtrMap reach = {0};
    Use u = {false, false, false};
    find_dependent(order, trace, behind, false, &reach);
    for (size_t i = 0; i < order->len; i++) {
        const Node *n = order->at[i];
        for (u32 k = 0; k < n->nops; k++)
            if (map_has(&reach, n->ops[k])) {
                u.inside = u.inside || n == back;
                u.after = u.after || (n->op != OP_SCAN && (!back || map_has(behind, n)));
                u.direct = u.direct || (n == back && n->ops[k] == trace);
            }
    }
    map_free(&reach);
    return u;
}

typedef struct {
    Node *fwd, *trace;
    Symbol name, source; /* of the value that it is read off */
    Type *type;          /* as outside */
    Size *bytes;
    Use use;
    bool told;
} Kept;
typedef VEC(Kept) KeptList;

static void put_reason(Text *out, const Kept *one, const Reasons *reasons)
{
    if (reasons->len)
        put_reasons(out, reasons);
    else
        text_put(out, one->use.direct   ? "read at each step"
                      : one->use.inside ? "what it gets from outside is made of it"
                                        : "read");
    if (!one->use.inside)
        text_put(out, ", after the loop");
}

static void put_row(Keeping *k, const Kept *one, Node *back, const char *why)
{
    Explain *e = k->e;
    Report *r = &e->c->report;
    Text type = {0}, size = {0}, of = {0}, by = {0};
    bool known = true;
    double count = size_number(e, one->bytes, &known);
    explain_type(e, &type, one->type);
    explain_bytes(e, &size, one->bytes);
    put_called(&of, e->st, one->fwd, &e->x->numbering);
    if (back)
        put_called(&by, e->st, back, &e->x->numbering);
    rows_add(&k->rows, text_of(report_take(r, &of)),
             back ? text_of(report_take(r, &by)) : text_of(NULL), text_of(one->name),
             text_of(report_take(r, &type)), known ? int_of((i64)count) : absent(),
             text_of(report_take(r, &size)), text_of(why));
    if (map_has(&k->counted, one->trace))
        return;
    map_put(&k->counted, one->trace, k);
    k->count++;
    k->bytes = size_add(e->st, k->bytes, one->bytes);
}

/* What is read off one value of the source is told together. */
static void put_kept(Keeping *k, KeptList *all, size_t from, Node *back)
{
    Explain *e = k->e;
    Kept *first = &all->at[from];
    Text line = {0}, type = {0}, why = {0};
    Reasons reasons = {0};
    Size *bytes = size_const(e->st, 0);
    u32 count = 0;
    find_reasons(k, first->source, &reasons);
    put_reason(&why, first, &reasons);
    for (size_t i = from; i < all->len; i++) {
        Kept *one = &all->at[i];
        if (one->told || (i > from && (!one->source || one->source != first->source ||
                                       one->type != first->type || one->fwd != first->fwd)))
            continue;
        one->told = true;
        text_printf(&line, "%s%s", count++ ? ", " : "", one->name ? one->name : "a value");
        bytes = size_add(e->st, bytes, one->bytes);
        put_row(k, one, back, text_str(&why));
    }
    explain_type(e, &type, first->type);
    text_printf(&line, "  %s, ", text_str(&type));
    explain_bytes(e, &line, bytes);
    text_printf(&line, ": %s", text_str(&why));
    explain_point(e, 1, &line);
    text_free(&type);
    text_free(&why);
    vec_free(&reasons);
}

/* ---- what is computed again ---- */

static bool is_cotangent(Symbol name)
{
    return name && (!strncmp(name, "d ", 2) || !strncmp(name, "sum d ", 6) ||
                    !strncmp(name, "given d ", 8) || !strncmp(name, "total d ", 8));
}

/* Does the loop carry cotangents? */
static bool runs_back(Store *st, const Node *scan)
{
    ScanShape s = scan_shape(scan);
    const Symbol *names = scan_roles(st, scan).names;
    for (int i = 0; i < s.nstates; i++)
        if (is_cotangent(names[i]))
            return true;
    return false;
}

/* Values of the body that no cotangent enters. */
static void find_again(Explain *e, const Node *back, NodeVec *out)
{
    ScanShape s = scan_shape(back);
    ScanRoles roles = scan_roles(e->st, back);
    NodeVec order = {0};
    PtrMap cotangent = {0}, value = {0};
    for (int i = 0; i < s.body->nparams; i++)
        if (i < s.nstates || is_cotangent(roles.names[i]))
            map_put(&cotangent, s.body->param_nodes[i], e);
        else if (i < s.nstates + s.nseqs)
            map_put(&value, s.body->param_nodes[i], e);
    nodes_topo(s.body->nouts, s.body->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        for (u32 k = 0; k < n->nops; k++) {
            if (map_has(&cotangent, n->ops[k]))
                map_put(&cotangent, n, e);
            if (map_has(&value, n->ops[k]))
                map_put(&value, n, e);
        }
        if (n->nops && map_has(&value, n) && !map_has(&cotangent, n))
            vec_push(out, n);
    }
    map_free(&cotangent);
    map_free(&value);
    vec_free(&order);
}

/* ---- pairs of loops ---- */

static void find_pair(Keeping *k, const NodeVec *order, Node *fwd, Node *back, const PtrMap *behind,
                      KeptList *out)
{
    ScanShape s = scan_shape(fwd);
    ScanRoles roles = scan_roles(k->e->st, fwd);
    for (size_t i = 0; i < order->len; i++) {
        Node *n = order->at[i];
        int trace = n->op == OP_PROJ && n->ops[0] == fwd ? (int)n->attrs[0].i - s.nstates : -1;
        if (trace < 0 || trace >= s.nouts)
            continue;
        Use use = use_of(order, n, back, behind);
        Symbol name = roles.outs[trace];
        Type *type = type_outside(k->e, n->type);
        if (use.inside || use.after)
            vec_push(out, ((Kept){fwd, n, name, source_name(k->e->st, name), type,
                                  type_bytes(k->e->st, type), use, false}));
    }
}

static void put_back_loop(Keeping *k, KeptList *kept, Node *back)
{
    Explain *e = k->e;
    Text head = {0}, again = {0}, line = {0};
    NodeVec nodes = {0};
    find_again(e, back, &nodes);
    explain_operators(&again, &nodes);
    if (kept->len || again.len) {
        text_put(&head, "for ");
        put_called(&head, e->st, back, &e->x->numbering);
        explain_point(e, 0, &head);
    }
    for (size_t i = 0; i < kept->len; i++)
        if (!kept->at[i].told)
            put_kept(k, kept, i, back);
    if (again.len) {
        text_printf(&line, "computed again at each step: %s", text_str(&again));
        explain_point(e, 1, &line);
    }
    text_free(&again);
    vec_free(&nodes);
}

static void put_back(Keeping *k, const NodeVec *order, Node *back)
{
    PtrMap behind = {0};
    KeptList kept = {0};
    find_dependent(order, back, NULL, true, &behind);
    for (size_t i = 0; i < order->len; i++)
        if (order->at[i]->op == OP_SCAN && !map_has(&behind, order->at[i]))
            find_pair(k, order, order->at[i], back, &behind, &kept);
    put_back_loop(k, &kept, back);
    vec_free(&kept);
    map_free(&behind);
}

/* No loop runs backward (any more), and yet derivatives read what one keeps. */
static void keep_alone(Keeping *k, const NodeVec *order)
{
    KeptList kept = {0};
    PtrMap none = {0};
    for (size_t i = 0; i < order->len; i++)
        if (order->at[i]->op == OP_SCAN)
            find_pair(k, order, order->at[i], NULL, &none, &kept);
    for (size_t i = 0; i < kept.len; i++) {
        Reasons reasons = {0};
        find_reasons(k, kept.at[i].source, &reasons);
        if (reasons.len && !kept.at[i].told)
            put_kept(k, &kept, i, NULL);
        vec_free(&reasons);
    }
    vec_free(&kept);
}

static bool takes_derivatives(const Node *n) { return n->op == OP_GRAD || n->op == OP_VJP; }

static void keep_level(Keeping *k, int n, Node *const *roots)
{
    Explain *e = k->e;
    NodeVec order = {0};
    u32 back = 0;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_SCAN && runs_back(e->st, order.at[i])) {
            put_back(k, &order, order.at[i]);
            back++;
        }
    if (!back && !e->owners.len && nodes_any(e->x->nroots, e->x->start, takes_derivatives))
        keep_alone(k, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Graph *body = order.at[i]->op == OP_SCAN ? scan_shape(order.at[i]).body : NULL;
        if (!body)
            continue;
        vec_push(&e->owners, ((Owner){order.at[i], body}));
        keep_level(k, body->nouts, body->outs);
        e->owners.len--;
    }
    vec_free(&order);
}

static void put_policy(Keeping *k, const Written *w)
{
    Text line = {0};
    i64 every = scan_shape(w->scan).checkpoint;
    if (every == CHECKPOINT_NONE)
        return;
    put_called(&line, k->e->st, w->scan, &k->e->x->numbering);
    if (every == CHECKPOINT_AUTO)
        text_put(&line, ", checkpoint auto: one state in about the square root of the steps is "
                        "kept, the rest computed again");
    else if (every == CHECKPOINT_STATES)
        text_put(&line, ", checkpoint 1: its states are kept, the rest computed again");
    else
        text_printf(&line, ", checkpoint %lld: every %lldth state is kept, the rest computed again",
                    (long long)every, (long long)every);
    explain_point(k->e, 0, &line);
}

void explain_kept(Explain *e, int n, Node *const *roots)
{
    static const Column columns[] = {{NULL, "of"},   {NULL, "for"},   {NULL, "name"},
                                     {NULL, "type"}, {NULL, "bytes"}, {NULL, "size"},
                                     {NULL, "why"}};
    Keeping k = {.e = e, .bytes = size_const(e->st, 0)};
    PtrMap none = {0};
    Text all = {0};
    k.rows = rows_begin(&e->c->report, columns, COUNT_OF(columns));
    find_written(&k, e->x->nroots, e->x->start, &none);
    explain_heading(e, "kept for the way back, and whose derivative reads it (+1: one more)");
    for (size_t i = 0; i < k.loops.len; i++)
        put_policy(&k, &k.loops.at[i]);
    keep_level(&k, n, roots);
    if (k.count > 1) {
        text_printf(&all, "%lld values, in all ", (long long)k.count);
        explain_bytes(e, &all, k.bytes);
    } else if (!k.count) {
        text_put(&all, "nothing: no loop keeps its steps for a derivative");
    }
    if (all.len)
        explain_point(e, 0, &all);
    rows_put_data(&k.rows, "kept");
    for (size_t i = 0; i < k.loops.len; i++)
        map_free(&k.loops.at[i].active);
    vec_free(&k.loops);
    map_free(&k.graphs);
    map_free(&k.counted);
    map_free(&none);
}
