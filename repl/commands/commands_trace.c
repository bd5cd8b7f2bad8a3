/* :trace nan EXPR: the first node that makes a NaN or an infinity out of numbers.
 *
 * From a value that is not finite it goes down to an operand that is not either, element by element
 * where the operator is elementwise, until all operands are numbers. A loop is entered at its first
 * step that gives such a value, which is written out; an `if` in the branch that was taken.
 *
 * Everything is evaluated as it was written, nothing rewritten. What only a branch needs that was
 * not taken is not evaluated. */
#include "graph/names.h"
#include "graph/print.h"
#include "ops/scan_edit.h"
#include "passes/loops/unroll.h"
#include "passes/passes.h"
#include "repl/commands/brief.h"
#include "repl/commands/commands.h"

#include <math.h>

enum { MOST_ELEMENTS = 6, LABEL_LEVELS = 8, LABEL = 60, MOST_PATH = 12 };

/* A loop that was entered, and the steps that were written out of it. */
typedef struct {
    Node *scan;
    i64 step;
    Unroll u;
} Entered;

typedef struct {
    Call *c;
    Store *st;
    PtrMap values;  /* node -> Tensor, owned */
    PtrMap of_body; /* what was written out -> the node of the body */
    PtrMap body;    /* the same -> its graph */
    VEC(Entered) entered;
    VEC(const char *) path; /* from the result down */
    Node *at;
    i64 element; /* of its value, that is not finite */
} Tracing;

/* ---- values ---- */

static bool is_float(const Node *n)
{
    return n->type->kind == TYPE_TENSOR && dtype_is_float(n->type->dtype);
}

/* The nodes that are computed for n whatever an `if` chooses, and have no value yet. */
static void find_computed(const Tracing *t, Node *n, PtrMap *seen, NodeVec *out)
{
    NodeVec stack = {0};
    vec_push(&stack, n);
    while (stack.len) {
        Node *m = stack.at[--stack.len];
        if (map_has(seen, m) || map_has(&t->values, m))
            continue;
        map_put(seen, m, m);
        if (m->type->kind == TYPE_TENSOR && m->type->dtype != DT_RNG)
            vec_push(out, m);
        for (u32 i = 0; i < m->nops && (m->op != OP_IFELSE || i == 0); i++)
            vec_push(&stack, m->ops[i]);
    }
    vec_free(&stack);
}

/* Gives n and what it is computed from their values. */
static bool evaluate(Tracing *t, Node *n)
{
    NodeVec asked = {0};
    PtrMap seen = {0};
    find_computed(t, n, &seen, &asked);
    Tensor **at = xcalloc(asked.len + 1, sizeof *at);
    Node **roots = xcalloc(asked.len + 1, sizeof *roots);
    for (size_t i = 0; i < asked.len; i++)
        roots[i] = asked.at[i];
    bool ok = derivatives_expand(t->st, &t->c->r->s.rules, (int)asked.len, roots) &&
              session_evaluate_raw(&t->c->r->s, (int)asked.len, roots, NULL, at);
    for (size_t i = 0; i < asked.len && ok; i++)
        map_put(&t->values, asked.at[i], at[i]);
    free(roots);
    free(at);
    map_free(&seen);
    vec_free(&asked);
    return ok;
}

/* The first element that is no number, or -1. */
static i64 first_bad(const Tensor *v)
{
    if (!v || !dtype_is_float(v->dtype))
        return -1;
    for (i64 i = 0; i < v->count; i++)
        if (!isfinite(tensor_f64_at(v, i)))
            return i;
    return -1;
}

/* ---- elements ---- */

/* Where an element of an elementwise result comes from in an operand: the last axes are aligned, an
 * axis of one element is repeated. */
static i64 element_of(const Tensor *result, i64 element, const Tensor *operand)
{
    i64 index = 0, stride = 1;
    for (int k = 1; k <= result->rank; k++) {
        i64 length = result->shape[result->rank - k], at = length ? element % length : 0;
        element = length ? element / length : 0;
        if (k > operand->rank)
            continue;
        i64 own = operand->shape[operand->rank - k];
        index += own == 1 ? 0 : at * stride;
        stride *= own;
    }
    return index;
}

/* Is operand i no number there? *element: which one of it. */
static bool operand_bad(const Tracing *t, u32 i, i64 *element)
{
    const Tensor *result = map_get(&t->values, t->at), *v = map_get(&t->values, t->at->ops[i]);
    if (!v || !is_float(t->at->ops[i]))
        return false;
    *element =
        result && op_is_elementwise(t->at->op) ? element_of(result, t->element, v) : first_bad(v);
    if (*element < 0 || isfinite(tensor_f64_at(v, *element)))
        return false;
    if (t->at->op != OP_WHERE)
        return true;
    const Tensor *c = map_get(&t->values, t->at->ops[0]);
    return c && (tensor_i64_at(c, element_of(result, t->element, c)) != 0) == (i == 1);
}

/* The operand to go on with: one with a NaN before one with an infinity; -1: all are numbers. */
static int bad_operand(const Tracing *t, i64 *element)
{
    int found = -1;
    for (u32 i = 0; i < t->at->nops; i++) {
        i64 e;
        if (!operand_bad(t, i, &e))
            continue;
        bool nan = isnan(tensor_f64_at(map_get(&t->values, t->at->ops[i]), e));
        if (found < 0 || nan) {
            found = (int)i;
            *element = e;
        }
        if (nan)
            break;
    }
    return found;
}

/* ---- what things are called ---- */

static char *label_of(const Tracing *t, Node *n)
{
    Node *inside = map_get(&t->of_body, n);
    const Graph *g = map_get(&t->body, n);
    n = inside ? inside : n;
    Text out = {0};
    Numbering num = {.within = g};
    Symbol name = n->op == OP_CONST ? NULL : node_name_in(t->st, g, n);
    if (name) {
        text_put(&out, name);
    } else if (n->op == OP_PROJ && n->ops[0]->op == OP_SCAN) {
        put_called(&out, t->st, n->ops[0], &num);
    } else {
        node_source_numbered(t->st, &out, n, &num, LABEL_LEVELS);
    }
    if (out.len > LABEL) {
        text_free(&out);
        text_printf(&out, "%s of ", node_info(n)->name);
        type_print(&out, n->type);
    }
    map_free(&num.of);
    char *s = arena_strndup(&t->c->arena, text_str(&out), out.len);
    text_free(&out);
    return s;
}

/* The expression itself, also of what has a name. */
static char *expression_of(const Tracing *t, Node *n)
{
    Node *inside = map_get(&t->of_body, n);
    Text out = {0};
    Numbering num = {.within = map_get(&t->body, n)};
    PtrMap named = {0};
    n = inside ? inside : n;
    for (u32 i = 0; i < n->nops; i++)
        if (node_name_in(t->st, num.within, n->ops[i]))
            map_put(&named, n->ops[i], n);
    node_source_leaves(t->st, &out, n, &num, LABEL_LEVELS, &named);
    map_free(&named);
    map_free(&num.of);
    char *s = arena_strndup(&t->c->arena, text_str(&out), out.len);
    text_free(&out);
    return s;
}

/* ---- into loops and branches ---- */

/* The scan with every next state as a trace; in traces[i] state i's. NULL after a diagnostic. */
static Node *with_all_traces(Tracing *t, Node *scan, Node **traces)
{
    ScanEdit ed;
    if (!scan_open(t->st, scan, &ed))
        return NULL;
    ScanShape s = scan_shape(scan);
    int *outs = xcalloc((size_t)s.nstates + 1, sizeof *outs);
    for (int i = 0; i < s.nstates; i++)
        outs[i] = scan_add_output(&ed, ed.states[i].next);
    Node *all = scan_close(&ed);
    for (int i = 0; i < s.nstates && all; i++)
        traces[i] = scan_trace(&ed, all, outs[i]);
    for (int o = 0; o < s.nouts && all; o++)
        traces[s.nstates + o] = scan_trace(&ed, all, o);
    free(outs);
    scan_edit_free(&ed);
    return all;
}

/* The first row of a trace that is no number, in the order of the steps; -1: none. */
static i64 first_bad_step(const Tensor *v, bool reverse)
{
    i64 rows = v && v->rank ? v->shape[0] : 0, size = rows ? v->count / rows : 0;
    for (i64 k = 0; k < rows && dtype_is_float(v->dtype); k++) {
        i64 row = reverse ? rows - 1 - k : k;
        for (i64 i = 0; i < size; i++)
            if (!isfinite(tensor_f64_at(v, row * size + i)))
                return k;
    }
    return -1;
}

/* The first step of the loop that gives something that is no number, and which result of its body
 * that is; -1: none. false after a diagnostic. */
static bool find_step(Tracing *t, Node *scan, i64 *step, int *which)
{
    ScanShape s = scan_shape(scan);
    int n = s.nstates + s.nouts;
    Node **traces = xcalloc((size_t)n + 1, sizeof *traces);
    Tensor **at = xcalloc((size_t)n + 1, sizeof *at);
    bool ok = with_all_traces(t, scan, traces) != NULL &&
              derivatives_expand(t->st, &t->c->r->s.rules, n, traces) &&
              session_evaluate_raw(&t->c->r->s, n, traces, NULL, at);
    *step = -1;
    for (int i = 0; i < n && ok; i++) {
        i64 k = first_bad_step(at[i], s.reverse);
        if (k >= 0 && (*step < 0 || k < *step)) {
            *step = k;
            *which = i;
        }
        tensor_unref(at[i]);
    }
    free(traces);
    free(at);
    return ok;
}

/* Notes what the copies stand for. */
static void note_copies(Tracing *t, const Unroll *u)
{
    for (size_t i = 0; i < u->of_body[0].cap; i++) {
        Node *inside = u->of_body[0].keys ? (Node *)u->of_body[0].keys[i] : NULL;
        Node *copy = inside ? u->of_body[0].vals[i] : NULL;
        bool captured =
            inside && inside->op == OP_PARAM && inside->attrs[0].i >= u->s.nstates + u->s.nseqs;
        if (!copy || map_has(&t->of_body, copy) || captured || node_is_inline(copy))
            continue;
        map_put(&t->of_body, copy, inside);
        map_put(&t->body, copy, u->s.body);
    }
}

/* Goes from a result of a loop to what gave it first in its body. *entered: false if all its steps
 * give numbers. false after a diagnostic. */
static bool enter_scan(Tracing *t, Node *scan, bool *entered)
{
    i64 step, total;
    int which = 0;
    Node *steps = node_proj(t->st, scan, scan_shape(scan).steps);
    *entered = false;
    if (!find_step(t, scan, &step, &which) || !evaluate(t, steps))
        return false;
    if (step < 0)
        return true;
    total = tensor_i64_at(map_get(&t->values, steps), 0);
    Entered e = {.scan = scan, .step = step};
    bool ok = scan_unroll_from(t->st, scan, total, step, 1, &e.u);
    vec_push(&t->entered, e);
    if (!ok)
        return false;
    note_copies(t, &e.u);
    t->at = which < e.u.s.nstates ? e.u.states.at[e.u.s.nstates + which]
                                  : e.u.outs.at[which - e.u.s.nstates];
    if (!evaluate(t, t->at))
        return false;
    t->element = first_bad(map_get(&t->values, t->at));
    *entered = t->element >= 0;
    return true;
}

/* Goes from a result of an `if` to that of the branch that was taken. */
static bool enter_branch(Tracing *t, Node *choice, int result)
{
    IfShape s = if_shape(choice);
    if (!evaluate(t, s.condition))
        return false;
    bool chosen = tensor_i64_at(map_get(&t->values, s.condition), 0) != 0;
    Graph *g = chosen ? s.then_graph : s.else_graph;
    const IntList *args = chosen ? s.then_args : s.else_args;
    Node **in = xcalloc((size_t)g->nparams + 1, sizeof *in);
    Node **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    for (int i = 0; i < g->nparams; i++)
        in[i] = s.operands[args->at[i]];
    bool ok = graph_instantiate(t->st, g, in, outs);
    t->at = ok ? outs[result] : t->at;
    ok = ok && evaluate(t, t->at);
    free(in);
    free(outs);
    return ok;
}

/* ---- going down ---- */

static void note_path(Tracing *t)
{
    const char *label = label_of(t, t->at);
    if (!t->path.len || strcmp(t->path.at[t->path.len - 1], label) != 0)
        vec_push(&t->path, label);
}

/* One way down from t->at; *more: there was one. false after a diagnostic. */
static bool go_down(Tracing *t, bool *more)
{
    Node *n = t->at, *of = n->op == OP_PROJ ? n->ops[0] : n;
    i64 element;
    *more = false;
    if (of->op == OP_IFELSE) {
        *more = true;
        return enter_branch(t, of, n->op == OP_PROJ ? (int)n->attrs[0].i : 0);
    }
    t->at = of;
    int next = bad_operand(t, &element);
    t->at = n;
    if (next >= 0) {
        t->at = of->ops[next];
        t->element = element;
        *more = true;
        return true;
    }
    return of->op != OP_SCAN || enter_scan(t, of, more);
}

/* An infinity that somebody wrote is no news: what made something of it is. */
static bool is_given(const Node *n)
{
    return n->op == OP_CONST || n->op == OP_INPUT || n->op == OP_SHARED;
}

static bool go_to_origin(Tracing *t)
{
    bool more = true, ok = true;
    Node *before = t->at;
    i64 element = t->element;
    while (more && ok) {
        note_path(t);
        before = t->at;
        element = t->element;
        ok = go_down(t, &more);
        if (more && ok && t->at->op == OP_CONST) {
            t->at = before;
            t->element = element;
            return true;
        }
    }
    return ok;
}

/* ---- telling ---- */

static void put_index(Text *out, const Tensor *v, i64 element)
{
    i64 index[MAX_RANK];
    for (int k = v->rank; k-- > 0; element /= v->shape[k])
        index[k] = element % v->shape[k];
    text_putc(out, '[');
    for (int k = 0; k < v->rank; k++)
        text_printf(out, "%s%lld", k ? ", " : "", (long long)index[k]);
    text_putc(out, ']');
}

static char *element_text(const Tracing *t, const Tensor *v, i64 element)
{
    Text out = {0};
    if (v->rank) {
        text_put(&out, " at ");
        put_index(&out, v, element);
    }
    char *s = arena_strndup(&t->c->arena, text_str(&out), out.len);
    text_free(&out);
    return s;
}

static const char *kind_of(double x) { return isnan(x) ? "nan" : x > 0 ? "inf" : "-inf"; }

static void tell_place(Tracing *t)
{
    Report *r = &t->c->report;
    json_key(r->data, "loops");
    json_begin(r->data, '[');
    for (size_t i = 0; i < t->entered.len; i++) {
        Text called = {0};
        Numbering num = {0};
        put_called(&called, t->st, t->entered.at[i].scan, &num);
        map_free(&num.of);
        json_begin(r->data, '{');
        report_say(r, "  in step {step} of {loop}\n", int_of(t->entered.at[i].step),
                   text_of(report_take(r, &called)));
        json_end(r->data, '}');
    }
    json_end(r->data, ']');
}

/* Equal bodies are one graph, written where the first of them was: then the loop says where. */
static const Span *place_of(const Tracing *t)
{
    Node *inside = map_get(&t->of_body, t->at);
    const Span *span = node_span(inside ? inside : t->at);
    const Span *around =
        inside && t->entered.len ? node_span(t->entered.at[t->entered.len - 1].scan) : NULL;
    bool here = span && around && span->src == around->src && span->start >= around->start &&
                span->end <= around->end;
    return around && !here ? around : span;
}

/* What it was computed from. */
static void tell_operands(Tracing *t)
{
    Report *r = &t->c->report;
    const Tensor *result = map_get(&t->values, t->at);
    json_key(r->data, "operands");
    json_begin(r->data, '[');
    for (u32 i = 0; i < t->at->nops; i++) {
        const Tensor *v = map_get(&t->values, t->at->ops[i]);
        if (!v || t->at->ops[i]->op == OP_CONST)
            continue;
        Text value = {0};
        bool part = op_is_elementwise(t->at->op) && v->count > MOST_ELEMENTS;
        i64 element = part ? element_of(result, t->element, v) : 0;
        if (part)
            text_printf(&value, "%.17g", tensor_f64_at(v, element));
        else
            brief_put(&value, v, BRIEF_DIGITS, MOST_ELEMENTS);
        json_begin(r->data, '{');
        report_say(r, "  where {operand}{-} = {value}\n", text_of(label_of(t, t->at->ops[i])),
                   text_of(part ? element_text(t, v, element) : ""),
                   text_of(report_take(r, &value)));
        json_end(r->data, '}');
    }
    json_end(r->data, ']');
}

static void tell_path(Tracing *t)
{
    Report *r = &t->c->report;
    Text line = {0};
    json_key(r->data, "path");
    json_begin(r->data, '[');
    for (size_t i = t->path.len; i-- > 0;) {
        report_field(r, NULL, text_of(t->path.at[i]));
        if (t->path.len > MOST_PATH && i == t->path.len - MOST_PATH / 2)
            text_printf(&line, " -> … %zu more", t->path.len - MOST_PATH);
        if (t->path.len <= MOST_PATH || i >= t->path.len - MOST_PATH / 2 || i < MOST_PATH / 2)
            text_printf(&line, "%s%s", line.len ? " -> " : "", t->path.at[i]);
    }
    json_end(r->data, ']');
    if (t->path.len > 1)
        text_printf(&t->c->out, "  on its way to the result: %s\n", text_str(&line));
    text_free(&line);
}

static void tell(Tracing *t)
{
    Report *r = &t->c->report;
    const Tensor *v = map_get(&t->values, t->at);
    const char *kind = kind_of(tensor_f64_at(v, t->element));
    char *expression = expression_of(t, t->at);
    if (is_given(t->at))
        report_say(r, "{node} has {kind}{-}: it was given\n", text_of(label_of(t, t->at)),
                   text_of(kind), text_of(element_text(t, v, t->element)));
    else
        report_say(r, "{node} makes {kind}{-}\n", text_of(expression), text_of(kind),
                   text_of(element_text(t, v, t->element)));
    tell_place(t);
    tell_operands(t);
    put_written(t->c, place_of(t));
    tell_path(t);
}

static void tracing_free(Tracing *t)
{
    for (size_t i = 0; i < t->values.cap; i++)
        if (t->values.keys && t->values.keys[i])
            tensor_unref(t->values.vals[i]);
    map_free(&t->values);
    map_free(&t->of_body);
    map_free(&t->body);
    for (size_t i = 0; i < t->entered.len; i++)
        unroll_free(&t->entered.at[i].u);
    vec_free(&t->entered);
    vec_free(&t->path);
}

/* The first of the results that is no number, in t->at; false: none, or after a diagnostic. */
static bool find_result(Tracing *t, int n, Node **roots, bool *found)
{
    *found = false;
    for (int i = 0; i < n && !*found; i++) {
        if (!is_float(roots[i]))
            continue;
        if (!evaluate(t, roots[i]))
            return false;
        t->element = first_bad(map_get(&t->values, roots[i]));
        t->at = roots[i];
        *found = t->element >= 0;
    }
    return true;
}

bool command_trace(Call *c)
{
    Tracing t = {.c = c, .st = &c->r->s.st};
    const char *what = "";
    Span span;
    if (!call_word(c, &what, &span) || strcmp(what, "nan") != 0)
        return call_fail(
            c, c->rest, "usage", NULL,
            "what is looked for? `:trace nan EXPR` finds what makes a nan or an infinity");
    Node **roots = NULL;
    bool found = false;
    int n = call_roots(c, NULL, &roots);
    bool ok = n > 0 && derivatives_expand(t.st, &c->r->s.rules, n, roots) &&
              find_result(&t, n, roots, &found);
    json_key(&c->data, "found");
    json_bool(&c->data, found);
    if (ok && found && (ok = go_to_origin(&t)))
        tell(&t);
    else if (ok)
        text_put(&c->out, "no nan and no infinity in the value\n");
    tracing_free(&t);
    free(roots);
    return ok;
}
