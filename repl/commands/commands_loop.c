/* What loops do step by step: :unroll, :watch.
 *
 * Both write the first steps of a scan out (core/passes/loops/unroll.h) and evaluate the copies, so
 * what is shown is what the loop computes, before any rewriting. */
#include "grad/vjp.h"
#include "graph/print.h"
#include "passes/loops/unroll.h"
#include "repl/commands/commands.h"
#include "repl/commands/show.h"

#include <math.h>

enum { MOST_UNROLLED = 64, MOST_ROWS = 1000, MOST_BACKWARDS = 200, LABEL = 44 };

typedef struct {
    Call *c;
    Store *st;
    int nroots;
    Node **roots; /* calls and derivatives expanded */
    Node *scan;
    i64 steps; /* executed */
    bool stopped;
    Unroll u;
} Looking;

/* ---- which scan ---- */

static bool scan_is_named(Store *st, const Node *scan, const NodeVec *all, const char *name)
{
    Symbol s = node_name(st, scan);
    bool found = s && !strcmp(s, name);
    for (size_t i = 0; i < all->len && !found; i++) {
        const Node *p = all->at[i];
        s = p->op == OP_PROJ && p->ops[0] == scan ? node_name(st, p) : NULL;
        found = s && !strcmp(s, name);
    }
    Symbol *names = map_get(&st->param_names, scan->attrs[0].graph);
    for (int i = 0; names && i < scan_shape(scan).nstates && !found; i++)
        found = names[i] && !strncmp(names[i], name, strlen(name)) && names[i][strlen(name)] == '[';
    return found;
}

/* The scan that the value comes from last, or the last of that name. */
static bool find_scan(Looking *l)
{
    const Option *name = call_option(l->c, "scan");
    NodeVec order = {0};
    nodes_topo(l->nroots, l->roots, &order);
    for (size_t i = order.len; i-- > 0 && !l->scan;)
        if (order.at[i]->op == OP_SCAN &&
            (!name || scan_is_named(l->st, order.at[i], &order, name->value)))
            l->scan = order.at[i];
    vec_free(&order);
    if (l->scan)
        return true;
    if (name)
        return call_fail(l->c, name->span, "unknown-name",
                         "a scan is found by its name or that of one of its states",
                         "there is no scan %s outside other loops here", name->value);
    return call_fail(l->c, l->c->rest, "no-scan", NULL, "there is no scan in this expression");
}

/* ---- values ---- */

/* The values of nodes as they stand, in at[0] .. at[n - 1]; false after a diagnostic. */
static bool evaluate(Looking *l, const NodeVec *nodes, Tensor ***at)
{
    Node **roots = xmalloc((nodes->len + 1) * sizeof *roots);
    *at = xcalloc(nodes->len + 1, sizeof **at);
    bool ok = true;
    for (size_t i = 0; i < nodes->len; i++)
        ok = ok && (roots[i] = nodes->at[i]) != NULL;
    ok = ok && derivatives_expand(l->st, &l->c->r->s.rules, (int)nodes->len, roots) &&
         session_evaluate_raw(&l->c->r->s, (int)nodes->len, roots, NULL, *at);
    free(roots);
    return ok;
}

static void release(Tensor **at, size_t n)
{
    for (size_t i = 0; i < n && at; i++)
        tensor_unref(at[i]);
    free(at);
}

/* A value in the next cell of a table and of the data; NULL: an empty one. */
static void put_cell(Looking *l, Table *table, const Tensor *t, const char *after)
{
    Text cell = {0};
    if (t)
        show_brief(&cell, t);
    table_cell(table, "%s%s", text_str(&cell), after);
    text_free(&cell);
    if (t)
        show_json_elements(&l->c->data, t);
    else
        json_null(&l->c->data);
}

/* ---- labels ---- */

static void put_label(Looking *l, Text *out, Node *n)
{
    if (l->u.s.stop && n == l->u.s.body->outs[l->u.s.steps] && n->op != OP_PARAM) {
        text_put(out, "until");
        return;
    }
    Symbol name = node_name(l->st, n);
    Symbol *names = map_get(&l->st->param_names, l->u.s.body);
    if (n->op == OP_PARAM && names)
        name = names[n->attrs[0].i] ? names[n->attrs[0].i] : name;
    if (name) {
        text_put(out, name);
        return;
    }
    Numbering num = {.within = l->u.s.body};
    Text whole = {0};
    node_source_numbered(l->st, &whole, n, &num, 8);
    if (whole.len <= LABEL && !strchr(text_str(&whole), '\n')) {
        text_put(out, text_str(&whole));
    } else {
        text_printf(out, "%s of ", node_info(n)->name);
        type_print(out, n->type);
    }
    text_free(&whole);
    map_free(&num.of);
}

static char *label_text(Looking *l, Node *n)
{
    Text t = {0};
    put_label(l, &t, n);
    char *s = arena_strndup(&l->c->arena, text_str(&t), t.len);
    text_free(&t);
    return s;
}

/* ---- begin ---- */

static bool loss_is_fine(Looking *l)
{
    Type *t = l->roots[0]->type;
    if (l->nroots == 1 && t->kind == TYPE_TENSOR && t->rank == 0 && dtype_is_float(t->dtype))
        return true;
    return call_fail(l->c, l->c->rest, "type-mismatch", "sum(...) makes a scalar of an array",
                     "a gradient is of one real number");
}

static bool count_steps(Looking *l)
{
    ScanShape s = scan_shape(l->scan);
    NodeVec asked = {0};
    Tensor **at;
    vec_push(&asked, node_proj(l->st, l->scan, s.steps));
    vec_push(&asked, node_proj(l->st, l->scan, s.steps + 1));
    bool ok = evaluate(l, &asked, &at);
    if (ok) {
        l->steps = tensor_i64_at(at[0], 0);
        l->stopped = tensor_i64_at(at[1], 0) != 0;
    }
    release(at, asked.len);
    vec_free(&asked);
    return ok;
}

static bool look(Looking *l)
{
    l->nroots = call_roots(l->c, NULL, &l->roots);
    return l->nroots > 0 && derivatives_expand(l->st, &l->c->r->s.rules, l->nroots, l->roots) &&
           find_scan(l) && count_steps(l);
}

static void look_away(Looking *l)
{
    unroll_free(&l->u);
    free(l->roots);
}

static void put_end(Looking *l, i64 shown)
{
    if (shown < l->steps)
        text_printf(&l->c->out, "… %lld more step%s", (long long)(l->steps - shown),
                    l->steps - shown == 1 ? "" : "s");
    if (l->stopped)
        text_printf(&l->c->out, "%suntil stopped it after step %lld", shown < l->steps ? "; " : "",
                    (long long)l->steps);
    if (!l->steps)
        text_put(&l->c->out, "the loop takes no step");
    if (shown < l->steps || l->stopped || !l->steps)
        text_putc(&l->c->out, '\n');
    json_key(&l->c->data, "steps");
    json_int(&l->c->data, l->steps);
    json_key(&l->c->data, "stopped");
    json_bool(&l->c->data, l->stopped);
}

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
        json_string(j, label_text(l, rows->at[r]));
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
            table_cell(&t, "%s", label_text(l, rows->at[r]));
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
    if (!look(l))
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
    bool ok = evaluate(l, &values, &at);
    if (ok) {
        put_unrolled(l, &rows, at);
        put_end(l, shown);
    }
    release(at, values.len);
    vec_free(&rows);
    vec_free(&values);
    return ok;
}

bool command_unroll(Call *c)
{
    Looking l = {.c = c, .st = &c->r->s.st};
    i64 k = 0;
    bool ok = peel_steps(c, &k) && unroll(&l, k);
    look_away(&l);
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
    Symbol *names = map_get(&l->st->param_names, l->u.s.body);
    Type *t = l->u.s.body->params[state];
    return names && names[state] && !strchr(names[state], '[') && t == type_scalar(l->st, DT_I64);
}

static void find_columns(Looking *l, Columns *c)
{
    const ScanShape *s = &l->u.s;
    for (int i = 0; i < s->nstates; i++) {
        const Node *next = s->body->outs[i];
        bool older = next->op == OP_PARAM && next->attrs[0].i < s->nstates && next->attrs[0].i != i;
        if (!older && !is_index(l, i))
            vec_push(&c->states, i);
    }
    for (int o = 0; o < s->nouts; o++) {
        bool state = false;
        for (int i = 0; i < s->nstates; i++)
            state = state || s->body->outs[i] == s->body->outs[s->nstates + o];
        if (!state)
            vec_push(&c->outs, o);
    }
}

/* "h[t]" of the state that the body knows as h[t-1]. */
static char *state_label(Looking *l, int state)
{
    Symbol *names = map_get(&l->st->param_names, l->u.s.body);
    const char *name = names ? names[state] : NULL, *bracket = name ? strchr(name, '[') : NULL;
    if (!bracket)
        return label_text(l, l->u.s.body->outs[state]);
    size_t n = (size_t)(bracket - name) + 1 + strcspn(bracket + 1, "+-]");
    char *s = arena_alloc(&l->c->arena, n + 2);
    memcpy(s, name, n);
    memcpy(s + n, "]", 2);
    return s;
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
        char *label = i < c->states.len ? state_label(l, c->states.at[i])
                                        : label_text(l, g->outs[l->u.s.nstates + c->outs.at[o]]);
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
    bool ok = evaluate(l, &there, &values);
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
        put_cell(l, t, at[i], i == t->columns - 2 ? mark : "");
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
        put_end(l, shown);
    }
    release(at, cells.len);
    vec_free(&cells);
    return ok;
}

/* ---- :watch EXPR grad=x ---- */

/* What the loss changes by with x; NULL with *ok true: by nothing. */
static Node *total(Looking *l, Node *loss, Node *x, bool *ok)
{
    Node *one = node_number(l->st, node_dtype(loss), 1), *bar = NULL;
    Type *t = x->type;
    if (t->kind == TYPE_TENSOR && dtype_is_float(t->dtype))
        *ok = *ok && vjp_pull(l->st, 1, &loss, &one, 1, &x, &bar);
    return bar;
}

static Node *wanted_node(Looking *l)
{
    const Option *o = call_option(l->c, "grad");
    const Source *src = session_source(&l->c->r->s, "grad=", o->value, strlen(o->value));
    Value *v = session_value(&l->c->r->s, src);
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
    text_printf(&l->c->out, "d %s = ", call_option(l->c, "grad")->value);
    show_brief(&l->c->out, *at);
    text_putc(&l->c->out, '\n');
    json_key(j, "gradient");
    show_json_elements(j, *at);
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
    Node *loss = unroll_replace(l->st, &l->u, l->roots[0]);
    bool ok = loss && derivatives_expand(l->st, &l->c->r->s.rules, 1, &loss);
    Columns states = {0};
    real_states(l, all, &states);
    size_t width = states.states.len;
    NodeVec cells = {0};
    for (int i = (int)l->steps - 1; i >= -1 && ok; i--)
        for (size_t s = 0; s < width; s++) {
            Node *state = l->u.states.at[(i + 1) * l->u.s.nstates + states.states.at[s]];
            vec_push(&cells, node_is_const(state) ? NULL : total(l, loss, state, &ok));
        }
    Node *dx = ok ? total(l, loss, x, &ok) : NULL;
    vec_push(&cells, dx ? dx : ok ? build_zeros_like(l->st, x) : NULL);
    Tensor **at = NULL;
    ok = ok && evaluate_cells(l, &cells, &at);
    if (ok)
        put_way_back(l, &states, at);
    release(at, at ? cells.len : 0);
    vec_free(&cells);
    vec_free(&states.states);
    return ok;
}

static bool watch(Looking *l)
{
    i64 rows;
    bool grad = call_option(l->c, "grad") != NULL;
    if (!call_count(l->c, "rows", 20, MOST_ROWS, &rows) || !look(l))
        return false;
    Node *x = grad && loss_is_fine(l) ? wanted_node(l) : NULL;
    if (grad && !x)
        return false;
    int shown = (int)(rows < l->steps ? rows : l->steps);
    if (!scan_unroll(l->st, l->scan, shown, &l->u))
        return false;
    Columns c = {0};
    find_columns(l, &c);
    bool ok = c.states.len + c.outs.len + 2 <= 16;
    if (!ok)
        call_fail(l->c, l->c->rest, "limit", NULL, "a loop of more than 14 equations is not shown");
    ok = ok && put_forward(l, &c, shown) && (!grad || put_backward(l, &c, x));
    vec_free(&c.states);
    vec_free(&c.outs);
    return ok;
}

bool command_watch(Call *c)
{
    Looking l = {.c = c, .st = &c->r->s.st};
    bool ok = watch(&l);
    look_away(&l);
    return ok;
}
