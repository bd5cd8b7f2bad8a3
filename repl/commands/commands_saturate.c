/* Equality saturation at the prompt: :saturate, :equal.
 *
 * Invariant: passes and limits of the session are as before when a command ends; what was explored
 * meanwhile can be looked at, and is not used for anything else. */
#include "graph/print.h"
#include "ops/build.h"
#include "repl/commands/costs.h"
#include "repl/commands/egraph.h"
#include "session/equal.h"

/* ---- options ---- */

/* `rules=` names rules or passes. */
static bool read_rules(Call *c, Saturating *how)
{
    const Option *o = call_option(c, "rules");
    for (const char *s = o ? o->value : NULL; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL) {
        const char *name = arena_strndup(&c->arena, s, strcspn(s, ","));
        if (!pass_named(name) && !call_rule(c, name, o->span))
            return false;
    }
    how->rules = o ? o->value : NULL;
    return true;
}

/* `n=1000`: what stands for the name of a size where costs are compared. */
static bool read_sizes(Call *c, Saturating *how)
{
    if (!call_check_sizes(c))
        return false;
    SizeGiven *sizes = arena_alloc(&c->arena, COUNT_OF(c->options) * sizeof *sizes);
    how->sizes = sizes;
    how->nsizes = 0;
    for (int i = 0; i < c->noptions; i++)
        if (call_is_size(c, &c->options[i]))
            sizes[how->nsizes++] = (SizeGiven){symbol(&c->r->s.st, c->options[i].key),
                                               strtod(c->options[i].value, NULL)};
    return true;
}

bool call_saturating(Call *c, Saturating *how)
{
    i64 iterations, nodes, size;
    *how = c->r->s.rules.saturating;
    if (!call_number(c, "iterations", how->iterations, 1, 1000, &iterations) ||
        !call_number(c, "nodes", how->nodes, 1, 10000000, &nodes) ||
        !call_number(c, "assume", (i64)how->assumed, 1, 1000000000, &size) ||
        !call_choice(c, "cost", cost_names, COUNT_OF(cost_names), &how->cost))
        return false;
    how->iterations = (u32)iterations;
    how->nodes = (u32)nodes;
    how->assumed = (double)size;
    return read_sizes(c, how) && read_rules(c, how);
}

/* ---- what it did ---- */

static Datum number_of_cost(Report *r, double x)
{
    return as(report_format(r, "%.6g", x), real_of(x));
}

static void add_growth(Call *c, Rows *rows, const Growth *g, size_t i)
{
    const GrowthRow *row = &g->rows.at[i];
    rows_add(rows, int_of((i64)i + 1), int_of(row->nodes), int_of(row->classes),
             int_of(row->matches), number_of_cost(&c->report, row->best),
             int_of((i64)row->searched), report_milliseconds(&c->report, row->search_seconds),
             report_milliseconds(&c->report, row->seconds));
}

/* All iterations in the data; in the text the first and the last ones, where there are many. */
static void put_growth(Call *c, const Growth *g, bool all, bool times)
{
    enum { FIRST = 6, LAST = 3 };
    static const Column columns[] = {{"iteration", NULL},          {"e-nodes", "nodes"},
                                     {"classes", "classes"},       {"matches", "matches"},
                                     {"best cost", "best"},        {"searched", "searched"},
                                     {"search", "search_seconds"}, {"time", "seconds"}};
    size_t n = g->rows.len, width = COUNT_OF(columns) - (times ? 0 : 3);
    bool cut = !all && n > FIRST + LAST + 1;
    Rows data = rows_begin(&c->report, columns, width),
         text = rows_begin(&c->report, columns, width);
    const Datum none = as("", int_of(0));
    for (size_t i = 0; i < n; i++) {
        add_growth(c, &data, g, i);
        if (!cut || i < FIRST || i + LAST >= n)
            add_growth(c, &text, g, i);
        else if (i == FIRST)
            rows_add(&text, as("...", int_of(0)), none, none, none, none, none, none, none);
    }
    rows_put_data(&data, "iterations");
    rows_put(&text, NULL);
    if (cut)
        text_printf(&c->out, "%zu more iterations: all=yes shows them\n", n - FIRST - LAST);
}

static void put_result(Call *c, Exploration *x)
{
    for (int i = 0; i < x->nroots; i++) {
        Text t = {0};
        node_source_limited(x->st, &t, x->roots[i], true, 2000);
        text_printf(&c->out, "%s\n", text_str(&t));
        json_pair(&c->data, i ? "also" : "result", text_str(&t));
        text_free(&t);
    }
}

bool command_saturate(Call *c)
{
    Saturating how;
    Growth growth, *g = &growth;
    Node **roots = NULL;
    static const char *const words[] = {"no", "yes"};
    int all = 0;
    bool times;
    if (!call_saturating(c, &how) || !call_choice(c, "all", words, 2, &all) ||
        !call_times(c, &times))
        return false;
    int n = call_roots(c, NULL, &roots);
    if (n < 0)
        return false;
    c->r->s.st.span = c->rest;
    session_keep_proof(&c->r->s, NULL, "");
    Exploration *x = session_saturate(&c->r->s, &how, n, roots, g);
    free(roots);
    if (x) {
        put_growth(c, g, all, times);
        report_say(&c->report, "{stop}: cost {cost_before} -> {cost_after} ({-}, {-})\n",
                   text_of(saturate_stop_name(g->stop)), number_of_cost(&c->report, g->before),
                   number_of_cost(&c->report, g->after), text_of(cost_names[how.cost]),
                   text_of(g->exact ? "exact" : "nothing better was found"));
        report_field(&c->report, "exact", flag_of(g->exact));
        report_field(&c->report, "searched", int_of((i64)g->searched));
        put_result(c, x);
        call_list_steps(c, x, false);
        session_keep_proof(&c->r->s, x, c->text);
    }
    growth_free(g);
    return x != NULL;
}

/* ---- :equal ---- */

/* Where the comma between the two expressions is, outside of brackets and strings. */
static const char *comma_of(const char *s)
{
    int depth = 0;
    for (bool text = false; *s; s++) {
        text = text != (*s == '"');
        depth += text ? 0 : (strchr("([{", *s) != NULL) - (strchr(")]}", *s) != NULL);
        if (*s == ',' && !depth && !text)
            return s;
    }
    return NULL;
}

static Node *one_root(Call *c, Span part)
{
    Node **roots = NULL, *r = NULL;
    Value *v = session_value(&c->r->s, part);
    int n = v ? session_roots(&c->r->s, v, part, &roots) : -1;
    if (n == 1)
        r = roots[0];
    else if (n >= 0)
        call_fail(c, part, "type-mismatch", "compare its parts one by one",
                  "this is not one tensor");
    free(roots);
    return r;
}

/* A number beside an array is as many of it, and takes its dtype. */
static Node *adapt(Call *c, Node *n, Node *like)
{
    Store *st = &c->r->s.st;
    double x;
    if (node_const_f64(n, &x) && n->type->dtype != DT_BOOL && like->type->dtype != DT_BOOL)
        n = node_number(st, like->type->dtype, x);
    if (n && n->type != like->type && !n->type->rank && n->type->dtype == like->type->dtype)
        n = build_like(st, n, like);
    return n;
}

static bool two_sides(Call *c, Node *sides[2])
{
    const char *comma = comma_of(c->text);
    if (!comma)
        return call_fail(c, c->rest, "usage", ":equal sin(x)^2 + cos(x)^2, 1",
                         "two expressions with a comma between them are compared");
    Span left = c->rest, right = c->rest;
    left.end = c->rest.start + (u32)(comma - c->text);
    right.start = left.end + 1;
    if (!(sides[0] = one_root(c, left)) || !(sides[1] = one_root(c, right)))
        return false;
    sides[0] = adapt(c, sides[0], sides[1]);
    sides[1] = sides[0] ? adapt(c, sides[1], sides[0]) : NULL;
    if (!sides[0] || !sides[1])
        return false;
    Text a = {0}, b = {0};
    type_print(&a, sides[0]->type);
    type_print(&b, sides[1]->type);
    bool same = sides[0]->type == sides[1]->type;
    if (!same)
        call_fail(c, c->rest, "type-mismatch", NULL, "the left side is %s, the right side %s",
                  text_str(&a), text_str(&b));
    text_free(&a);
    text_free(&b);
    return same;
}

/* On one line. */
static void put_tensor(Text *out, const Tensor *t)
{
    Text rows = {0};
    tensor_print(&rows, t, 20, 6);
    for (size_t i = 0; i < rows.len; i++) {
        bool blank = rows.at[i] == ' ' || rows.at[i] == '\n';
        if (!blank || (i && out->at[out->len - 1] != ' ' && out->at[out->len - 1] != '['))
            text_putc(out, blank ? ' ' : rows.at[i]);
    }
    text_free(&rows);
}

static void put_counterexample(Call *c, const Counterexample *x)
{
    static const char *const names[] = {"left", "right"};
    json_open(&c->data, "counterexample", '{');
    json_open(&c->data, "inputs", '{');
    text_put(&c->out, ": for ");
    for (size_t i = 0; i < x->inputs.len; i++) {
        Text t = {0};
        const char *name = x->inputs.at[i].leaf->attrs[0].name;
        put_tensor(&t, x->inputs.at[i].value);
        text_printf(&c->out, "%s%s = %s", i ? ", " : "", name, text_str(&t));
        json_pair(&c->data, name, text_str(&t));
        text_free(&t);
    }
    text_put(&c->out, x->inputs.len ? " " : "any input ");
    json_end(&c->data, '}');
    for (int k = 0; k < 2; k++) {
        Text t = {0};
        put_tensor(&t, x->sides[k]);
        text_printf(&c->out, "%sthe %s side is %s", k ? ", " : "", names[k], text_str(&t));
        json_pair(&c->data, names[k], text_str(&t));
        text_free(&t);
    }
    json_end(&c->data, '}');
}

static void put_answer(Call *c, const SidesCompared *e)
{
    static const char *const answers[] = {"equal", "different", "unknown"};
    const Growth *g = &e->growth;
    report_say(&c->report, "{answer}", text_of(answers[e->answer]));
    if (e->answer == DIFFERENT)
        put_counterexample(c, &e->against);
    else
        report_field(&c->report, "counterexample", text_of(NULL));
    if (e->answer == UNKNOWN)
        text_printf(&c->out, ": neither proved nor refuted after %zu iterations, %u e-nodes (%s)",
                    g->rows.len, g->rows.len ? g->rows.at[g->rows.len - 1].nodes : 0,
                    saturate_stop_name(g->stop));
    text_putc(&c->out, '\n');
    if (e->answer == EQUAL) {
        call_list_steps(c, e->x, false);
        session_keep_proof(&c->r->s, e->x, c->text);
        return;
    }
    json_open(&c->data, "steps", '[');
    json_end(&c->data, ']');
}

bool command_equal(Call *c)
{
    Saturating how;
    SidesCompared e;
    Node *sides[2];
    if (!call_saturating(c, &how) || !two_sides(c, sides))
        return false;
    c->r->s.st.span = c->rest;
    session_keep_proof(&c->r->s, NULL, "");
    bool ok = session_equal(&c->r->s, &how, sides, &e);
    if (ok)
        put_answer(c, &e);
    equal_free(&e);
    return ok;
}
