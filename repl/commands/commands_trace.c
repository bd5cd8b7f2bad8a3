/* :trace, by its first word; :trace nan EXPR: the first node that makes a NaN or an infinity out of
 * numbers (core/analysis/origin.h), as text. */
#include "analysis/origin.h"
#include "repl/commands/looking.h"
#include "tensor/brief.h"
#include "repl/commands/commands.h"

#include <math.h>

enum { MOST_ELEMENTS = 6, MOST_PATH = 12 };

typedef struct {
    Call *c;
    Store *st;
    NanOrigin o;
} Tracing;

static const char *label_of(const Tracing *t, OriginPlace p)
{
    Text out = {0};
    origin_put_label(&out, t->st, p);
    return report_take(&t->c->report, &out);
}

static Datum expression_of(const Tracing *t, Node *n)
{
    Text out = {0};
    origin_put_expression(&out, t->st, &t->o, n);
    return text_built(&t->c->report, &out);
}

static Datum element_of(const Tracing *t, const Tensor *v, i64 element)
{
    Text out = {0};
    origin_put_element(&out, v, element);
    return text_built(&t->c->report, &out);
}

/* ---- telling ---- */

/* It was given, not made. */
static bool is_given(const Node *n)
{
    return n->op == OP_CONST || n->op == OP_INPUT || n->op == OP_SHARED;
}

static const char *kind_of(double x) { return isnan(x) ? "nan" : x > 0 ? "inf" : "-inf"; }

static void tell_loop(Tracing *t, const OriginLoop *l)
{
    Report *r = &t->c->report;
    Text called = {0};
    Numbering num = {0};
    put_called(&called, t->st, l->scan, &num);
    map_free(&num.of);
    i64 forward = origin_forward_step(t->st, l);
    if (forward >= 0)
        report_item(r, "  in step {step} of {loop}, which goes back through step {forward}\n",
                    int_of(l->step), text_built(r, &called), int_of(forward));
    else
        report_item(r, "  in step {step} of {loop}\n", int_of(l->step), text_built(r, &called));
}

static void tell_place(Tracing *t)
{
    Report *r = &t->c->report;
    json_open(r->data, "loops", '[');
    for (size_t i = 0; i < t->o.loops.len; i++)
        tell_loop(t, &t->o.loops.at[i]);
    json_end(r->data, ']');
}

static void tell_operation(Tracing *t, const Span *of)
{
    Report *r = &t->c->report;
    int line, column, length;
    Text words = {0};
    span_locate(*of, &line, &column, &length);
    text_putn(&words, of->src->text + of->start, of->end - of->start);
    text_join_lines(&words);
    report_say(r, "  in the derivative of {derivative_of}, {=line}{=column}{-}\n",
               text_built(r, &words), int_of(line), int_of(column),
               text_of(report_format(r, "%s:%d:%d", of->src->name ? of->src->name : "line", line,
                                     column)));
}

/* What it was computed from. */
static void tell_operands(Tracing *t)
{
    Report *r = &t->c->report;
    const Tensor *result = origin_value(&t->o, t->o.at);
    json_open(r->data, "operands", '[');
    for (u32 i = 0; i < t->o.at->nops; i++) {
        const Tensor *v = origin_value(&t->o, t->o.at->ops[i]);
        if (!v || t->o.at->ops[i]->op == OP_CONST)
            continue;
        Text value = {0};
        bool part = op_is_elementwise(t->o.at->op) && v->count > MOST_ELEMENTS;
        i64 element = part ? origin_element(result, t->o.element, v) : 0;
        if (part)
            text_printf(&value, "%.17g", tensor_f64_at(v, element));
        else
            brief_put(&value, v, BRIEF_DIGITS, MOST_ELEMENTS);
        report_item(r, "  where {operand}{-} = {value}\n",
                    text_of(label_of(t, origin_place(&t->o, t->o.at->ops[i]))),
                    part ? element_of(t, v, element) : text_of(""), text_built(r, &value));
    }
    json_end(r->data, ']');
}

/* The labels on the way, each once where it repeats at once. */
static size_t path_labels(const Tracing *t, const char **out)
{
    size_t n = 0;
    for (size_t i = 0; i < t->o.path.len; i++) {
        const char *label = label_of(t, t->o.path.at[i]);
        if (!n || strcmp(out[n - 1], label) != 0)
            out[n++] = label;
    }
    return n;
}

static void tell_path(Tracing *t)
{
    Report *r = &t->c->report;
    Text line = {0};
    const char **path = xcalloc(t->o.path.len + 1, sizeof *path);
    size_t n = path_labels(t, path);
    json_open(r->data, "path", '[');
    for (size_t i = n; i-- > 0;) {
        report_field(r, NULL, text_of(path[i]));
        if (n > MOST_PATH && i == n - MOST_PATH / 2)
            text_printf(&line, " -> … %zu more", n - MOST_PATH);
        if (n <= MOST_PATH || i >= n - MOST_PATH / 2 || i < MOST_PATH / 2)
            text_printf(&line, "%s%s", line.len ? " -> " : "", path[i]);
    }
    json_end(r->data, ']');
    if (n > 1)
        text_printf(&t->c->out, "  on its way to the result: %s\n", text_str(&line));
    text_free(&line);
    free(path);
}

static void tell(Tracing *t)
{
    Report *r = &t->c->report;
    const Tensor *v = origin_value(&t->o, t->o.at);
    const char *kind = kind_of(tensor_f64_at(v, t->o.element));
    if (is_given(t->o.at))
        report_say(r, "{node} has {kind}{-}: it was given\n",
                   text_of(label_of(t, origin_place(&t->o, t->o.at))), text_of(kind),
                   element_of(t, v, t->o.element));
    else
        report_say(r, "{node} makes {kind}{-}\n", expression_of(t, t->o.at), text_of(kind),
                   element_of(t, v, t->o.element));
    const Span *of = origin_derived_from(&t->o, t->st);
    if (of)
        tell_operation(t, of);
    tell_place(t);
    tell_operands(t);
    if (!of)
        put_written(t->c, origin_span(&t->o, t->st));
    tell_path(t);
}

static bool trace_nan(Call *c)
{
    if (c->noptions)
        return call_fail(c, c->options[0].span, "usage", NULL, "%s= does not go with nan",
                         c->options[0].key);
    Tracing t = {.c = c, .st = &c->r->s.st};
    Node **roots = NULL;
    int n = call_roots(c, &roots);
    Evaluator e = session_evaluator(&c->r->s);
    bool ok = n > 0 && origin_expand(&e, n, roots) && origin_find(&e, n, roots, &t.o);
    report_field(&c->report, "found", flag_of(t.o.found));
    if (ok && t.o.found)
        tell(&t);
    else if (ok)
        text_put(&c->out, "no nan and no infinity in the value\n");
    origin_free(&t.o);
    free(roots);
    return ok;
}

bool command_trace(Call *c)
{
    if (!c->word)
        return call_switch(c, "all") ? trace_values(c) : trace_states(c);
    return strcmp(c->word, "nan") == 0 ? trace_nan(c)
                                       : trace_modes(c, strcmp(c->word, "backward") == 0);
}
