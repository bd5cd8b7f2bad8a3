/* What loops do step by step: :unroll, :watch.
 *
 * Both write some steps of a scan out (core/passes/loops/unroll.h) and evaluate the copies, so
 * what is shown is what the loop computes, before any rewriting. */
#include "graph/names.h"
#include "repl/commands/show.h"
#include "repl/commands/watching.h"

enum { MOST_UNROLLED = 64, MOST_ROWS = 1000 };

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

/* Those of the values that `only=` asks for. */
static bool choose_values(Looking *l, NodeVec *rows)
{
    char **labels = xcalloc(rows->len + 1, sizeof *labels);
    bool *chosen = xcalloc(rows->len + 1, 1);
    for (size_t i = 0; i < rows->len; i++)
        labels[i] = looking_label(l, rows->at[i]);
    bool ok = looking_choose(l, rows->len, labels, chosen);
    size_t kept = 0;
    for (size_t i = 0; i < rows->len; i++)
        if (chosen[i])
            rows->at[kept++] = rows->at[i];
    rows->len = kept;
    free(labels);
    free(chosen);
    return ok;
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
    Grid g;
    grid_begin(&g, "step", l->width, l->digits);
    g.across = true;
    json_key(j, "columns");
    json_begin(j, '[');
    json_string(j, "value");
    for (int i = 0; i < k; i++) {
        char step[32];
        snprintf(step, sizeof step, "%lld", (long long)(l->u.first + i));
        grid_column(&g, step);
        json_int(j, l->u.first + i);
    }
    json_end(j, ']');
    json_key(j, "rows");
    json_begin(j, '[');
    for (size_t r = 0; r < rows->len; r++) {
        char *label = looking_label(l, rows->at[r]);
        grid_row(&g, label);
        json_begin(j, '[');
        json_string(j, label);
        for (int i = 0; i < k; i++)
            looking_cell(l, &g, at[(size_t)i * rows->len + r]);
        json_end(j, ']');
    }
    json_end(j, ']');
    looking_print(l, &g);
}

static bool unroll(Looking *l)
{
    if (!looking_begin(l) || !looking_unroll(l, l->from < 0 ? 0 : l->from))
        return false;
    NodeVec rows = {0}, values = {0};
    body_values(&l->u.s, &rows);
    bool ok = choose_values(l, &rows);
    for (int i = 0; i < l->u.k; i++)
        for (size_t r = 0; r < rows.len; r++)
            vec_push(&values, map_get(&l->u.of_body[i], rows.at[r]));
    Tensor **at = NULL;
    ok = ok && looking_evaluate(l, &values, &at);
    if (ok) {
        put_unrolled(l, &rows, at);
        looking_put_end(l);
        looking_put_part(l);
    }
    looking_release(at, values.len);
    vec_free(&rows);
    vec_free(&values);
    return ok;
}

bool command_unroll(Call *c)
{
    Looking l = {.c = c, .st = &c->r->s.st};
    bool ok = peel_steps(c, &l.rows) && unroll(&l);
    looking_end(&l);
    return ok;
}

/* ---- :watch ---- */

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
char *watched_state(Looking *l, int state)
{
    Symbol name = scan_roles(l->st, l->scan).names[state];
    name = name_shifted(l->st, name, l->u.s.reverse ? -1 : 1);
    return name ? arena_strndup(&l->c->arena, name, strlen(name))
                : looking_label(l, l->u.s.body->outs[state]);
}

static char *out_label(Looking *l, int out)
{
    const Unroll *u = &l->u;
    Symbol name = scan_roles(l->st, l->scan).outs[out];
    return name ? arena_strndup(&l->c->arena, name, strlen(name))
                : looking_label(l, u->s.body->outs[u->s.nstates + out]);
}

/* Those of the columns that `only=` asks for. */
static bool choose_columns(Looking *l, Columns *c)
{
    size_t states = c->states.len, n = states + c->outs.len, kept = 0;
    char **labels = xcalloc(n + 1, sizeof *labels);
    bool *chosen = xcalloc(n + 1, 1);
    for (size_t i = 0; i < n; i++)
        labels[i] =
            i < states ? watched_state(l, c->states.at[i]) : out_label(l, c->outs.at[i - states]);
    bool ok = looking_choose(l, n, labels, chosen);
    for (size_t i = 0; i < states; i++)
        if (chosen[i])
            c->states.at[kept++] = c->states.at[i];
    c->states.len = kept;
    kept = 0;
    for (size_t i = states; i < n; i++)
        if (chosen[i])
            c->outs.at[kept++] = c->outs.at[i - states];
    c->outs.len = kept;
    free(labels);
    free(chosen);
    return ok;
}

static void put_column(Looking *l, Grid *g, const char *prefix, const char *label)
{
    Text heading = {0};
    text_printf(&heading, "%s%s", prefix, label);
    grid_column(g, text_str(&heading));
    text_free(&heading);
    json_string(&l->c->data, label);
}

void watched_heading(Looking *l, Grid *g, const char *prefix, const Columns *c, bool stop)
{
    Json *j = &l->c->data;
    json_begin(j, '[');
    json_string(j, g->corner);
    for (size_t i = 0; i < c->states.len; i++)
        put_column(l, g, prefix, watched_state(l, c->states.at[i]));
    for (size_t i = 0; i < c->outs.len; i++)
        put_column(l, g, prefix, out_label(l, c->outs.at[i]));
    if (stop)
        put_column(l, g, "", "until");
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
bool watched_values(Looking *l, const NodeVec *cells, Tensor ***at)
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

void watched_row(Looking *l, Grid *g, int i, Tensor **at)
{
    i64 step = l->u.first + i, row = l->u.s.reverse ? l->steps - 1 - step : step;
    char name[32] = "init";
    if (i >= 0)
        snprintf(name, sizeof name, "%lld", (long long)row);
    json_begin(&l->c->data, '[');
    grid_row(g, name);
    json_string(&l->c->data, name);
    for (size_t k = 0; k < g->columns.len; k++)
        looking_cell(l, g, at[k]);
    json_end(&l->c->data, ']');
}

static void put_rows(Looking *l, const Columns *c, int first, Tensor **at)
{
    bool stop = l->u.s.stop;
    Grid g;
    grid_begin(&g, "row", l->width, l->digits);
    json_key(&l->c->data, "columns");
    watched_heading(l, &g, "", c, stop);
    json_key(&l->c->data, "rows");
    json_begin(&l->c->data, '[');
    for (int i = first; i < l->u.k; i++, at += g.columns.len) {
        watched_row(l, &g, i, at);
        if (stop && l->stopped && l->u.first + i + 1 == l->steps) {
            g.mark = "<- stops here";
            g.marked = i - first;
        }
    }
    json_end(&l->c->data, ']');
    looking_print(l, &g);
    looking_put_end(l);
}

static bool put_forward(Looking *l, const Columns *c)
{
    NodeVec cells = {0};
    Tensor **at;
    int first = l->u.first ? 0 : -1;
    for (int i = first; i < l->u.k; i++)
        push_row(&l->u, c, i, &cells);
    bool ok = watched_values(l, &cells, &at);
    if (ok)
        put_rows(l, c, first, at);
    looking_release(at, cells.len);
    vec_free(&cells);
    return ok;
}

static bool watch(Looking *l)
{
    bool grad = call_option(l->c, "grad") != NULL;
    if (!call_count(l->c, "rows", 20, MOST_ROWS, &l->rows) || !looking_begin(l))
        return false;
    Node *x = grad && looking_loss(l) ? watched_variable(l) : NULL;
    if (grad && !x)
        return false;
    if (!looking_unroll(l, l->from < 0 ? 0 : l->from))
        return false;
    Columns c = {0};
    find_columns(l, &c);
    bool ok = choose_columns(l, &c) && put_forward(l, &c) && (!grad || watched_way_back(l, &c, x));
    looking_put_part(l);
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
