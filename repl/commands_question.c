/* Questions about an exploration: :bisect, :diff, :compare, and walking it command by command:
 * :goto, :next, :prev, :until.
 *
 * Invariant: what :compare switches off is on again, and forgotten, when it ends. */
#include "rewrite/history.h"
#include "graph/print.h"
#include "repl/commands.h"

#include <math.h>

enum { STATE_CHARS = 400, RUNS = 5, MAX_OFF = 32 };

static void json_pair(Json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j, value);
}

static void json_count(Json *j, const char *key, i64 value)
{
    json_key(j, key);
    json_int(j, value);
}

/* The roots after k steps (caller frees), or NULL after a diagnostic. */
static Node **roots_after(Call *c, Exploration *x, u32 k)
{
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    if (exploration_replay(x, k, roots))
        return roots;
    free(roots);
    call_fail(c, c->span, "replay", NULL, "the steps cannot be replayed up to %u", k);
    return NULL;
}

/* ---- walking ---- */

static void put_step(Text *out, Exploration *x, u32 k)
{
    text_printf(out, "%u/%zu", k, x->log.at.len);
    if (k == 0) {
        text_put(out, "  start\n");
        return;
    }
    const Step *s = &x->log.at.at[k - 1];
    text_printf(out, "  %s, %s [", s->pass, step_rule(s));
    hazard_print(out, step_classes(s));
    text_put(out, "]\n    ");
    put_changes(out, x->st, s, &x->numbering);
    Text why = {0};
    put_why(&why, s);
    text_printf(out, why.len ? "\n    # %s\n" : "\n", text_str(&why));
    text_free(&why);
}

static void put_state(Text *out, Store *st, int n, Node *const *roots)
{
    for (int i = 0; i < n; i++) {
        Text source = {0};
        node_source_limited(st, &source, roots[i], false, STATE_CHARS);
        for (size_t k = 0; k < source.len; k++)
            if (source.at[k] == '\n')
                source.at[k] = ' ';
        text_printf(out, "  %s%s\n", i ? "  " : "= ", text_str(&source));
        text_free(&source);
    }
}

static bool show_position(Call *c, Exploration *x, u32 k)
{
    Node **roots = roots_after(c, x, k);
    if (!roots)
        return false;
    Text state = {0};
    exploration_history(x);
    x->at = k;
    put_step(&c->out, x, k);
    json_count(&c->data, "step", k);
    json_count(&c->data, "steps", (i64)x->log.at.len);
    json_pair(&c->data, "text", text_str(&c->out));
    put_state(&state, x->st, x->nroots, roots);
    json_pair(&c->data, "state", text_str(&state));
    text_put(&c->out, text_str(&state));
    text_free(&state);
    free(roots);
    return true;
}

static Exploration *last_explored(Call *c)
{
    if (!c->r->s.last)
        call_fail(c, c->span, "usage", ":steps EXPR shows one", "nothing was explored yet");
    return c->r->s.last;
}

bool command_goto(Call *c)
{
    const char *word;
    Span span;
    if (!call_word(c, &word, &span))
        return call_fail(c, c->span, "usage", ":goto K", "to which step?");
    Exploration *x = last_explored(c);
    if (!x)
        return false;
    char *end;
    i64 k = *word >= '0' && *word <= '9' ? strtoll(word, &end, 10) : -1;
    if (k < 0 || *end || k > (i64)x->log.at.len)
        return call_fail(c, span, "usage", NULL, "the steps are 0 to %zu here", x->log.at.len);
    return show_position(c, x, (u32)k);
}

bool command_next(Call *c)
{
    Exploration *x = last_explored(c);
    if (x && x->at >= x->log.at.len)
        return call_fail(c, c->span, "usage", ":goto 0 is the start", "this is the last step");
    return x && show_position(c, x, x->at + 1);
}

bool command_prev(Call *c)
{
    Exploration *x = last_explored(c);
    if (x && x->at == 0)
        return call_fail(c, c->span, "usage", NULL, "this is the start");
    return x && show_position(c, x, x->at - 1);
}

/* Is the step of that rule, or one inside it? */
static bool of_rule(const Step *s, const char *rule)
{
    bool found = strcmp(step_rule(s), rule) == 0;
    for (size_t i = 0; s->inner && i < s->inner->at.len && !found; i++)
        found = of_rule(&s->inner->at.at[i], rule);
    return found;
}

bool command_until(Call *c)
{
    const char *word;
    Span span;
    if (!call_word(c, &word, &span))
        return call_fail(c, c->span, "usage", ":until RULE", "until which rule?");
    Exploration *x = last_explored(c);
    if (!x || (strcmp(word, "inner") != 0 && !call_rule(c, word, span)))
        return false;
    for (u32 k = x->at; k < x->log.at.len; k++)
        if (of_rule(&x->log.at.at[k], word))
            return show_position(c, x, k + 1);
    return call_fail(c, span, "usage", ":goto 0 is the start", "no step of %s comes after step %u",
                     word, x->at);
}

/* ---- :diff ---- */

static void put_line(Call *c, Exploration *x, char sign, Node *n)
{
    Text line = {0};
    node_print_line(x->st, &line, n, &x->numbering);
    text_printf(&c->out, "%c %s\n", sign, text_str(&line));
    json_string(&c->data, text_str(&line));
    text_free(&line);
}

static u32 put_missing(Call *c, Exploration *x, char sign, const NodeVec *in, const NodeVec *out)
{
    PtrMap have = {0};
    u32 count = 0;
    for (size_t i = 0; i < out->len; i++)
        map_put(&have, out->at[i], out->at[i]);
    json_key(&c->data, sign == '-' ? "removed" : "added");
    json_begin(&c->data, '[');
    for (size_t i = 0; i < in->len; i++)
        if (!map_has(&have, in->at[i]) && !node_is_inline(in->at[i])) {
            put_line(c, x, sign, in->at[i]);
            count++;
        }
    json_end(&c->data, ']');
    map_free(&have);
    return count;
}

static void put_return(Call *c, Exploration *x, char sign, Node *const *roots)
{
    text_printf(&c->out, "%c return ", sign);
    for (int i = 0; i < x->nroots; i++) {
        text_put(&c->out, i ? ", " : "");
        operand_print(&c->out, roots[i], &x->numbering);
    }
    text_putc(&c->out, '\n');
}

static void put_diff(Call *c, Exploration *x, Node *const *a, Node *const *b)
{
    NodeVec before = {0}, after = {0};
    nodes_inside(x->nroots, a, &before);
    nodes_inside(x->nroots, b, &after);
    bool moved = memcmp(a, b, (size_t)x->nroots * sizeof *a) != 0;
    u32 gone = put_missing(c, x, '-', &before, &after);
    if (moved)
        put_return(c, x, '-', a);
    u32 fresh = put_missing(c, x, '+', &after, &before);
    if (moved)
        put_return(c, x, '+', b);
    text_printf(&c->out, "%u node%s removed, %u added\n", gone, gone == 1 ? "" : "s", fresh);
    vec_free(&before);
    vec_free(&after);
}

bool command_diff(Call *c)
{
    Exploration *x = call_explore(c);
    i64 from, to, last = x ? (i64)x->log.at.len : 0;
    if (!x || !call_count(c, "from", 0, last, &from) || !call_count(c, "to", last, last, &to))
        return false;
    Node **a = roots_after(c, x, (u32)from), **b = a ? roots_after(c, x, (u32)to) : NULL;
    exploration_number_states(x);
    json_count(&c->data, "from", from);
    json_count(&c->data, "to", to);
    if (b)
        put_diff(c, x, a, b);
    free(a);
    free(b);
    return b != NULL;
}

/* ---- :bisect ---- */

/* Do the first k steps hold one that differs beyond its classes? -1: the audit failed. */
static int differs_within(Call *c, const Exploration *x, size_t k, Audit *a)
{
    Exploration part = *x;
    part.log.at.len = k;
    audit_free(a);
    if (!session_audit(&c->r->s, &part, a))
        return -1;
    return a->differing > 0;
}

static void put_guilty(Call *c, Exploration *x, const AuditRow *row)
{
    const Step *s = &x->log.at.at[row->seq - 1];
    text_printf(&c->out, "step %u changes the value more than its classes allow:\n", row->seq);
    put_step(&c->out, x, row->seq);
    text_printf(&c->out, "  error %.2g, %.3g units in the last place%s%s\n", row->max_error,
                row->max_ulp, row->nan_changed ? ", the pattern of nan differs" : "",
                row->shape_changed ? ", the shape differs" : "");
    json_count(&c->data, "step", row->seq);
    json_pair(&c->data, "rule", step_rule(s));
    json_pair(&c->data, "pass", s->pass);
    json_key(&c->data, "max_error");
    json_double(&c->data, row->max_error);
    json_key(&c->data, "nan_changed");
    json_bool(&c->data, row->nan_changed);
}

bool command_bisect(Call *c)
{
    Exploration *x = call_explore(c);
    Audit a = {0};
    size_t low = 0, high = x ? x->log.at.len : 0;
    int found = x ? differs_within(c, x, high, &a) : -1;
    json_count(&c->data, "steps", (i64)high);
    if (found == 0) {
        text_printf(&c->out, "%u step%s, %u compared: none differs more than its classes allow\n",
                    a.steps, a.steps == 1 ? "" : "s", a.compared);
        json_key(&c->data, "step");
        json_null(&c->data);
    }
    bool bad = found == 1;
    while (found >= 0 && bad && high - low > 1 && !term_interrupted()) { /* (low, high] has it */
        size_t middle = low + (high - low) / 2;
        found = differs_within(c, x, middle, &a);
        if (found > 0)
            high = middle;
        else
            low = middle;
    }
    if (bad && found >= 0 && (found = differs_within(c, x, high, &a)) > 0 && a.rows.len)
        put_guilty(c, x, &a.rows.at[a.rows.len - 1]);
    audit_free(&a);
    return found >= 0;
}

/* ---- :compare ---- */

typedef struct {
    u32 steps, nodes;
    bool evaluated;
    double seconds; /* the median */
    Tensor **values;
    int n;
} Outcome;

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool evaluate_runs(Call *c, int n, Node *const *roots, Outcome *o)
{
    Session *s = &c->r->s;
    double seconds[RUNS], spent = 0;
    int runs = 0;
    o->n = n;
    o->values = xcalloc((size_t)n + 1, sizeof *o->values);
    while (runs < RUNS && spent < 1) {
        for (int i = 0; i < n; i++)
            tensor_unref(o->values[i]);
        memset(o->values, 0, (size_t)n * sizeof *o->values);
        if (!session_evaluate(s, n, roots, o->values)) {
            o->n = 0;
            return false;
        }
        spent += s->run_seconds;
        seconds[runs++] = s->run_seconds;
    }
    qsort(seconds, (size_t)runs, sizeof *seconds, by_size);
    o->seconds = seconds[runs / 2];
    o->evaluated = true;
    return true;
}

static bool run_pipeline(Call *c, int n, Node *const *roots, bool evaluate, Outcome *o)
{
    Session *s = &c->r->s;
    session_forget(s);
    s->st.span = c->rest;
    Exploration *x = session_explore(s, n, roots);
    if (!x)
        return false;
    o->steps = (u32)x->log.at.len;
    o->nodes = nodes_count(x->nroots, x->roots);
    return !evaluate || evaluate_runs(c, n, roots, o);
}

/* The switches that off= names. */
typedef struct {
    bool *at[MAX_OFF], was[MAX_OFF];
    int n;
} Switches;

static bool find_switch(Call *c, const char *name, Span span, Switches *w)
{
    RuleSet *rs = &c->r->s.rules;
    bool found = false;
    for (size_t i = 0; i < rs->pipeline.len; i++)
        if (strcmp(rs->pipeline.at[i].name, name) == 0 && w->n < MAX_OFF) {
            w->at[w->n++] = &rs->pipeline.at[i].off;
            found = true;
        }
    if (found)
        return true;
    Rule *k = call_rule(c, name, span);
    if (k && w->n < MAX_OFF)
        w->at[w->n++] = &k->off;
    return k != NULL;
}

static bool read_switches(Call *c, Switches *w)
{
    const Option *o = call_option(c, "off");
    if (!o)
        return call_fail(c, c->span, "usage", ":compare EXPR off=stabilize",
                         "without which pass or rule?");
    Span span = o->span;
    for (const char *s = o->value;;) {
        size_t n = strcspn(s, ",");
        span.end = span.start + (u32)n;
        char *name = arena_strndup(&c->arena, s, n);
        if (!find_switch(c, name, span, w))
            return false;
        if (!s[n])
            break;
        s += n + 1;
        span.start += (u32)n + 1;
    }
    return true;
}

static double difference(const Tensor *a, const Tensor *b, bool *nan_changed)
{
    double worst = 0;
    if (a->count != b->count || a->dtype == DT_RNG) {
        *nan_changed = *nan_changed || a->count != b->count;
        return 0;
    }
    for (i64 i = 0; i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        if (isnan(x) != isnan(y) || isinf(x) != isinf(y) || (isinf(x) && x != y))
            *nan_changed = true;
        else if (isfinite(x) && x != y)
            worst = fmax(worst, fabs(x - y) / fmax(fabs(x), fabs(y)));
    }
    return worst;
}

static void put_agreement(Call *c, const Outcome *a, const Outcome *b)
{
    double worst = 0;
    bool nan_changed = false;
    for (int i = 0; i < a->n && i < b->n; i++)
        worst = fmax(worst, difference(a->values[i], b->values[i], &nan_changed));
    json_key(&c->data, "max_error");
    json_double(&c->data, worst);
    json_key(&c->data, "nan_changed");
    json_bool(&c->data, nan_changed);
    if (nan_changed)
        text_put(&c->out, "the values differ: nan or infinity in one where the other has none\n");
    if (worst > 0)
        text_printf(&c->out, "the largest relative difference of the values is %.2g\n", worst);
    else if (!nan_changed)
        text_put(&c->out, "the values are the same\n");
}

static void cell_seconds(Table *t, const Outcome *o)
{
    double s = o->seconds;
    table_cell(t,
               s < 1e-3 ? "%.1f us"
               : s < 1  ? "%.2f ms"
                        : "%.3f s",
               s < 1e-3 ? s * 1e6
               : s < 1  ? s * 1e3
                        : s);
}

static void json_outcome(Json *j, const char *key, const Outcome *o)
{
    json_key(j, key);
    json_begin(j, '{');
    json_count(j, "steps", o->steps);
    json_count(j, "nodes", o->nodes);
    json_key(j, "seconds");
    if (o->evaluated)
        json_double(j, o->seconds);
    else
        json_null(j);
    json_end(j, '}');
}

static void put_outcomes(Call *c, const Outcome o[2], const Node *missing)
{
    Table t = {.columns = 3};
    table_cell(&t, "%s", "");
    table_cell(&t, "as set");
    table_cell(&t, "without %s", call_option(c, "off")->value);
    table_cell(&t, "steps");
    table_cell(&t, "%u", o[0].steps);
    table_cell(&t, "%u", o[1].steps);
    table_cell(&t, "nodes");
    table_cell(&t, "%u", o[0].nodes);
    table_cell(&t, "%u", o[1].nodes);
    if (!missing) {
        table_cell(&t, "median time");
        cell_seconds(&t, &o[0]);
        cell_seconds(&t, &o[1]);
    }
    table_print(&t, &c->out, 0);
    json_outcome(&c->data, "as_set", &o[0]);
    json_outcome(&c->data, "without", &o[1]);
    if (!missing)
        put_agreement(c, &o[0], &o[1]);
    else if (missing->op == OP_SIZE)
        text_put(&c->out, "not evaluated: a size is not known\n");
    else
        text_printf(&c->out, "not evaluated: %s has no value\n", missing->attrs[0].name);
}

bool command_compare(Call *c)
{
    Switches w = {0};
    Outcome o[2] = {{0}};
    Node **roots = NULL, *missing = NULL;
    int n = read_switches(c, &w) ? call_roots(c, NULL, &roots) : -1;
    if (n < 0)
        return false;
    session_missing(&c->r->s, n, roots, &missing);
    bool ok = run_pipeline(c, n, roots, !missing, &o[0]);
    for (int i = 0; i < w.n && ok; i++) {
        w.was[i] = *w.at[i];
        *w.at[i] = true;
    }
    bool both = ok && run_pipeline(c, n, roots, !missing, &o[1]);
    for (int i = w.n; i-- > 0 && ok;)
        *w.at[i] = w.was[i];
    session_forget(&c->r->s);
    if (both)
        put_outcomes(c, o, missing);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < o[k].n; i++)
            tensor_unref(o[k].values[i]);
        free(o[k].values);
    }
    free(roots);
    return both;
}
