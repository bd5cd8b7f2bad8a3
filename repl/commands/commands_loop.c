/* What loops do step by step: :unroll, :watch.
 *
 * Both write the first steps of a scan out (core/passes/loops/unroll.h) and evaluate the copies, so
 * what is shown is what the loop computes, before any rewriting. */
#include "grad/vjp.h"
#include "graph/names.h"
#include "graph/print.h"
#include "passes/loops/unroll.h"
#include "repl/commands/commands.h"
#include "repl/commands/show.h"
#include "repl/commands/looking.h"

enum { MOST_UNROLLED = 64, MOST_ROWS = 1000, MOST_BACKWARDS = 200 };

/* ---- :unroll ---- */

/* What a step computes, operands first: what the body names or computes, constants left out. */
static void body_values(const ScanShape *s, NodeVec *out)
{
    NodeVec order = {0};
    PtrMap there = {0};
    for (int i = 0; i < s->nstates + s->nseqs; i++)
        vec_push(out, s->body->param_nodes[i]);
    for (size_t i = 0; i < out->len; i++)
        map_put(&there, out->at[i], out->at[i]);
    nodes_topo(s->body->nouts, s->body->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if (n->op != OP_PARAM && n->op != OP_CONST && n->type->kind == TYPE_TENSOR &&
            !map_has(&there, n))
            vec_push(out, n);
    }
    map_free(&there);
    vec_free(&order);
}

/* The last word of the rest if it is a number: taken off. */
static bool peel_steps(Call *c, i64 *k)
{
    size_t n = strlen(c->text), end = n;
    while (end && strchr(" \t", c->text[end - 1]))
        end--;
    size_t start = end;
    while (start && c->text[start - 1] >= '0' && c->text[start - 1] <= '9')
        start--;
    bool word = start < end && start && strchr(" \t", c->text[start - 1]);
    if (!word)
        return call_fail(c, c->rest, "usage", NULL, "how many steps? for example `:unroll S 3`");
    *k = strtoll(c->text + start, NULL, 10);
    if (*k < 1 || *k > MOST_UNROLLED)
        return call_fail(c, c->rest, "usage", NULL, "from 1 to %d steps are written out",
                         MOST_UNROLLED);
    c->rest.end -= (u32)(n - start);
    c->text[start] = '\0';
    return true;
}

static void put_unrolled(Looking *l, const NodeVec *rows, Tensor **at)
{
    Json *j = &l->c->data;
    int k = l->u.k;
    json_key(j, "columns");
    json_begin(j, '[');
    json_string(j, "value");
    for (int i = 0; i < k; i++)
        json_int(j, i);
    json_end(j, ']');
    json_key(j, "rows");
    json_begin(j, '[');
    for (size_t r = 0; r < rows->len; r++) {
        json_begin(j, '[');
        json_string(j, looking_label(l, rows->at[r]));
        for (int i = 0; i < k; i++)
            show_json_elements(j, at[(size_t)i * rows->len + r]);
        json_end(j, ']');
    }
    json_end(j, ']');
    enum { ACROSS = 8 }; /* steps beside each other; the next ones below */
    for (int first = 0; first < k; first += ACROSS) {
        int last = first + ACROSS < k ? first + ACROSS : k;
        Table t = {.columns = 1 + last - first};
        table_cell(&t, "step");
        for (int i = first; i < last; i++)
            table_cell(&t, "%d", i);
        for (size_t r = 0; r < rows->len; r++) {
            table_cell(&t, "%s", looking_label(l, rows->at[r]));
            for (int i = first; i < last; i++) {
                Text cell = {0};
                show_brief(&cell, at[(size_t)i * rows->len + r]);
                table_cell(&t, "%s", text_str(&cell));
                text_free(&cell);
            }
        }
        table_print(&t, &l->c->out, 0);
    }
}

static bool unroll(Looking *l, i64 k)
{
    if (!looking_begin(l))
        return false;
    int shown = (int)(k < l->steps ? k : l->steps);
    if (!scan_unroll(l->st, l->scan, shown, &l->u))
        return false;
    NodeVec rows = {0}, values = {0};
    body_values(&l->u.s, &rows);
    for (int i = 0; i < shown; i++)
        for (size_t r = 0; r < rows.len; r++)
            vec_push(&values, map_get(&l->u.of_body[i], rows.at[r]));
    Tensor **at;
    bool ok = looking_evaluate(l, &values, &at);
    if (ok) {
        put_unrolled(l, &rows, at);
        looking_put_end(l, shown);
    }
    looking_release(at, values.len);
    vec_free(&rows);
    vec_free(&values);
    return ok;
}

bool command_unroll(Call *c)
{
    Looking l = {.c = c, .st = &c->r->s.st};
    i64 k = 0;
    bool ok = peel_steps(c, &k) && unroll(&l, k);
    looking_end(&l);
    return ok;
}

/* ---- :watch ---- */

/* The columns: states that a step computes (taps further back are earlier rows of them), then
 * traces that are no states. */
typedef struct {
    VEC(int) states, outs;
} Columns;

/* The index of a while loop counts itself; its name has no [t-1]. */
static bool is_index(Looking *l, int state)
{
    const Symbol *names = scan_roles(l->st, l->scan).names;
    Type *t = l->u.s.body->params[state];
    return names[state] && !strchr(names[state], '[') && t == type_scalar(l->st, DT_I64);
}

static void find_columns(Looking *l, Columns *c)
{
    const ScanShape *s = &l->u.s;
    ScanRoles roles = scan_roles(l->st, l->scan);
    bool *shown = xcalloc((size_t)s->nouts + 1, 1);
    for (int i = 0; i < s->nstates; i++) {
        if (roles.traces[i] >= 0)
            shown[roles.traces[i]] = true;
        if (!roles.earlier[i] && !is_index(l, i))
            vec_push(&c->states, i);
    }
    for (int o = 0; o < s->nouts; o++)
        if (!shown[o])
            vec_push(&c->outs, o);
    free(shown);
}

/* The state after the step: "h[t]" of what the body knows as h[t-1], "d h[t-1]" of d h[t]. */
static const char *state_label(Looking *l, int state)
{
    Symbol name = scan_roles(l->st, l->scan).names[state];
    return name ? name_shifted(l->st, name, l->u.s.reverse ? -1 : 1)
                : looking_label(l, l->u.s.body->outs[state]);
}

static void put_heading(Looking *l, Table *t, const char *first, const char *prefix,
                        const Columns *c, bool stop)
{
    Json *j = &l->c->data;
    Graph *g = l->u.s.body;
    json_begin(j, '[');
    table_cell(t, "%s", first);
    json_string(j, first);
    for (size_t i = 0; i < c->states.len + c->outs.len; i++) {
        size_t o = i - c->states.len;
        Symbol out = i < c->states.len ? NULL : scan_roles(l->st, l->scan).outs[c->outs.at[o]];
        const char *label = i < c->states.len ? state_label(l, c->states.at[i])
                            : out             ? out
                                  : looking_label(l, g->outs[l->u.s.nstates + c->outs.at[o]]);
        table_cell(t, "%s%s", prefix, label);
        json_string(j, label);
    }
    if (stop) {
        table_cell(t, "until");
        json_string(j, "until");
    }
    json_end(j, ']');
}

/* The nodes of row i (-1: before the first step) in order of the columns; NULL: an empty cell. */
static void push_row(const Unroll *u, const Columns *c, int i, NodeVec *out)
{
    for (size_t s = 0; s < c->states.len; s++)
        vec_push(out, u->states.at[(i + 1) * u->s.nstates + c->states.at[s]]);
    for (size_t o = 0; o < c->outs.len; o++)
        vec_push(out, i < 0 ? NULL : u->outs.at[i * u->s.nouts + c->outs.at[o]]);
    if (u->s.stop)
        vec_push(out, i < 0 ? NULL : u->stops.at[i]);
}

/* The values of those of `cells` that are nodes. */
static bool evaluate_cells(Looking *l, const NodeVec *cells, Tensor ***at)
{
    NodeVec there = {0};
    Tensor **values;
    for (size_t i = 0; i < cells->len; i++)
        if (cells->at[i])
            vec_push(&there, cells->at[i]);
    bool ok = looking_evaluate(l, &there, &values);
    *at = xcalloc(cells->len + 1, sizeof **at);
    for (size_t i = 0, k = 0; i < cells->len; i++)
        if (cells->at[i])
            (*at)[i] = values[k++];
    free(values);
    vec_free(&there);
    return ok;
}

static void put_row(Looking *l, Table *t, const char *name, Tensor **at, const char *mark)
{
    json_begin(&l->c->data, '[');
    table_cell(t, "%s", name);
    json_string(&l->c->data, name);
    for (int i = 0; i < t->columns - 1; i++)
        looking_cell(l, t, at[i], i == t->columns - 2 ? mark : "");
    json_end(&l->c->data, ']');
}

static void row_name(const Looking *l, i64 step, char out[32])
{
    i64 row = l->u.s.reverse ? l->steps - 1 - step : step;
    if (step < 0)
        snprintf(out, 32, "init");
    else
        snprintf(out, 32, "%lld", (long long)row);
}

static bool put_forward(Looking *l, const Columns *c, int shown)
{
    NodeVec cells = {0};
    Tensor **at;
    for (int i = -1; i < shown; i++)
        push_row(&l->u, c, i, &cells);
    bool ok = evaluate_cells(l, &cells, &at);
    if (ok) {
        bool stop = l->u.s.stop;
        Table t = {.columns = 1 + (int)(c->states.len + c->outs.len) + stop};
        json_key(&l->c->data, "columns");
        put_heading(l, &t, "row", "", c, stop);
        json_key(&l->c->data, "rows");
        json_begin(&l->c->data, '[');
        for (int i = -1; i < shown; i++) {
            char name[32];
            row_name(l, i, name);
            bool end = stop && l->stopped && i + 1 == l->steps;
            put_row(l, &t, name, at + (size_t)(i + 1) * (size_t)(t.columns - 1),
                    end ? "  <- stops here" : "");
        }
        json_end(&l->c->data, ']');
        table_print(&t, &l->c->out, 0);
        looking_put_end(l, shown);
    }
    looking_release(at, cells.len);
    vec_free(&cells);
    return ok;
}

/* ---- :watch EXPR grad=x ---- */

/* What the loss changes by with x, a tensor of reals; NULL after a diagnostic. */
static Node *total(Looking *l, Node *loss, Node *x)
{
    Node *one = node_number(l->st, node_dtype(loss), 1), *bar = NULL;
    if (!vjp_pull(l->st, 1, &loss, &one, 1, &x, &bar))
        return NULL;
    return bar ? bar : build_zeros_like(l->st, x);
}

static Node *wanted_node(Looking *l)
{
    const Option *o = call_option(l->c, "grad");
    const Source *src = session_source(&l->c->r->s, "grad=", o->value, strlen(o->value));
    Value *v = session_value(&l->c->r->s, source_whole(src));
    Node **roots = NULL;
    int n = v ? session_roots(&l->c->r->s, v, o->span, &roots) : -1;
    Node *x = n == 1 ? roots[0] : NULL;
    free(roots);
    if (n >= 0 && !x)
        call_fail(l->c, o->span, "usage", NULL, "grad= takes one tensor");
    if (x && (x->type->kind != TYPE_TENSOR || !dtype_is_float(node_dtype(x)))) {
        call_fail(l->c, o->span, "no-derivative", NULL, "there is no derivative with respect to %s",
                  o->value);
        x = NULL;
    }
    return x;
}

static bool any_value(Tensor *const *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (at[i])
            return true;
    return false;
}

static void real_states(const Looking *l, const Columns *all, Columns *real)
{
    for (size_t i = 0; i < all->states.len; i++) {
        const Type *t = l->u.s.body->params[all->states.at[i]];
        if (dtype_is_float(t->dtype))
            vec_push(&real->states, all->states.at[i]);
    }
}

/* Which of two equations that give one node the rest of the step means cannot be told. */
static void put_twins(Looking *l, const Columns *states)
{
    Node *const *outs = l->u.s.body->outs;
    for (size_t i = 1; i < states->states.len; i++) {
        int state = states->states.at[i];
        size_t k = 0;
        while (outs[states->states.at[k]] != outs[state])
            k++;
        if (k < i && outs[state]->op != OP_PARAM)
            text_printf(&l->c->out,
                        "%s is the same value as %s; what the step itself does with it "
                        "counts for %s\n",
                        state_label(l, state), state_label(l, states->states.at[k]),
                        state_label(l, states->states.at[k]));
    }
}

/* The rows from the last one to what was there before the first, then the gradient. */
static void put_way_back(Looking *l, const Columns *states, Tensor **at)
{
    size_t width = states->states.len;
    Table t = {.columns = 1 + (int)width};
    Json *j = &l->c->data;
    json_key(j, "backward_columns");
    text_put(&l->c->out, "backwards: what the value changes by with each state\n");
    put_heading(l, &t, "row", "d ", states, false);
    json_key(j, "backward_rows");
    json_begin(j, '[');
    for (i64 i = l->steps - 1; i >= -1; i--, at += width) {
        char name[32];
        row_name(l, i, name);
        if (any_value(at, width)) /* not an init that is a constant */
            put_row(l, &t, name, at, "");
    }
    json_end(j, ']');
    table_print(&t, &l->c->out, 0);
    put_twins(l, states);
    text_printf(&l->c->out, "d %s = ", call_option(l->c, "grad")->value);
    show_brief(&l->c->out, *at);
    text_putc(&l->c->out, '\n');
    json_key(j, "gradient");
    show_json_elements(j, *at);
}

/* What the loss changes by: after each step from the last on, before the first, then with x. */
static bool cotangents(Looking *l, const Columns *states, const UnrollBack *back, Node *x,
                       NodeVec *cells)
{
    const ScanShape *s = &l->u.s;
    for (int i = l->u.k - 1; i >= -1; i--)
        for (size_t c = 0; c < states->states.len; c++) {
            int state = states->states.at[c];
            bool known = i < 0 && node_is_const(s->inits[state]); /* nothing changes it */
            vec_push(cells, known    ? NULL
                            : i >= 0 ? back->next.at[i * s->nstates + state]
                                     : back->before.at[state]);
        }
    Node *dx = total(l, l->roots[0], x);
    vec_push(cells, dx);
    return dx != NULL;
}

static bool put_backward(Looking *l, const Columns *all, Node *x)
{
    if (l->steps > MOST_BACKWARDS)
        return call_fail(l->c, l->c->rest, "limit", NULL,
                         "the backward pass is shown of at most %d steps; this loop takes %lld",
                         MOST_BACKWARDS, (long long)l->steps);
    unroll_free(&l->u);
    if (!scan_unroll(l->st, l->scan, (int)l->steps, &l->u))
        return false;
    Columns states = {0};
    real_states(l, all, &states);
    NodeVec cells = {0};
    UnrollBack back;
    Tensor **at = NULL;
    bool ok = unroll_back(l->st, &l->u, l->roots[0], &back) &&
              cotangents(l, &states, &back, x, &cells) && evaluate_cells(l, &cells, &at);
    if (ok)
        put_way_back(l, &states, at);
    unroll_back_free(&l->u, &back);
    looking_release(at, at ? cells.len : 0);
    vec_free(&cells);
    vec_free(&states.states);
    return ok;
}

static bool watch(Looking *l)
{
    i64 rows;
    bool grad = call_option(l->c, "grad") != NULL;
    if (!call_count(l->c, "rows", 20, MOST_ROWS, &rows) || !looking_begin(l))
        return false;
    Node *x = grad && looking_loss(l) ? wanted_node(l) : NULL;
    if (grad && !x)
        return false;
    int shown = (int)(rows < l->steps ? rows : l->steps);
    if (!scan_unroll(l->st, l->scan, shown, &l->u))
        return false;
    Columns c = {0};
    find_columns(l, &c);
    bool ok = put_forward(l, &c, shown) && (!grad || put_backward(l, &c, x));
    vec_free(&c.states);
    vec_free(&c.outs);
    return ok;
}

bool command_watch(Call *c)
{
    Looking l = {.c = c, .st = &c->r->s.st};
    bool ok = watch(&l);
    looking_end(&l);
    return ok;
}
