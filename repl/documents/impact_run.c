/* One program under one set of rules.  See impact_run.h. */
#include "repl/documents/impact_run.h"

#include "analysis/size_numbers.h"
#include "exec/cost.h"
#include "exec/plan.h"
#include "repl/terminal/term.h"
#include "session/keep.h"
#include "syntax/parse.h"

typedef struct {
    Session *s;
    ProgramRun *out;
    bool printed;
    Span last; /* the right side of the last definition */
} Run;

/* ---- results ---- */

u32 program_fired(const ProgramRun *r, const char *rule)
{
    for (size_t i = 0; i < r->fired.len; i++)
        if (!strcmp(r->fired.at[i].rule, rule))
            return r->fired.at[i].times;
    return 0;
}

static void add_fired(ProgramRun *r, const RuleFired *f)
{
    size_t i = 0;
    while (i < r->fired.len && strcmp(r->fired.at[i].rule, f->rule) != 0)
        i++;
    if (i == r->fired.len)
        vec_push(&r->fired, ((RuleFired){.rule = f->rule}));
    r->fired.at[i].times += f->times;
}

/* Sizes that are not known count as :cost has them. */
static double predict(Session *s, const Exploration *x)
{
    SizeNumbers numbers = {.e = session_evaluator(s), .assumed = SATURATE_SIZE, .known = true};
    ProgramCost cost;
    Program *p = x->failed ? NULL : plan_build(&s->st, x->nroots, x->roots);
    double seconds = 0;
    if (p) {
        program_cost(p, size_number, &numbers, &cost);
        seconds = cost.seconds;
        program_cost_free(&cost);
    }
    size_numbers_free(&numbers);
    program_free(p);
    return seconds;
}

static void note_rewriting(Run *r, int n, Node *const *roots)
{
    RulesFired fired = {0};
    ProgramRun *out = r->out;
    const Exploration *x = session_explore(r->s, n, roots);
    if (!x)
        return;
    steplog_fired(&x->log, true, &fired);
    for (size_t i = 0; i < fired.len; i++)
        add_fired(out, &fired.at[i]);
    vec_free(&fired);
    out->steps += (u32)x->log.at.len;
    out->cost += predict(r->s, x);
    for (size_t i = 0; i < x->passes.len; i++)
        out->seconds += x->passes.at[i].seconds;
}

static void note_values(ProgramRun *out, int n, Tensor *const *values)
{
    for (int i = 0; i < n; i++)
        vec_push(&out->values, values ? tensor_ref(values[i]) : NULL);
}

static void on_result(void *ctx, Result *res)
{
    Run *r = ctx;
    bool graph = res->kind == RESULT_VALUE || res->kind == RESULT_GRAPH;
    if (!graph || res->definition)
        return;
    r->printed = true;
    note_rewriting(r, res->n, res->roots);
    note_values(r->out, res->n, res->kind == RESULT_VALUE ? res->tensors : NULL);
}

/* ---- the last definition ---- */

static void remember_definition(Run *r, const Stmt *stmt)
{
    if (stmt->kind == S_DEFINE && stmt->value)
        r->last = stmt->value->span;
}

static void run_definition(Run *r)
{
    Session *s = r->s;
    Node **roots = NULL, *missing;
    int n = r->last.src ? session_roots_at(s, r->last, &roots) : -1;
    if (n < 0)
        diags_clear(&s->diags); /* it is a function */
    Tensor **values = n > 0 ? xcalloc((size_t)n, sizeof *values) : NULL;
    bool known = n > 0 && !session_missing(s, n, roots, &missing);
    if (n > 0)
        note_rewriting(r, n, roots);
    if (n > 0 && (!known || session_evaluate(s, n, roots, values)))
        note_values(r->out, n, known ? values : NULL);
    for (int i = 0; i < n; i++)
        tensor_unref(values[i]);
    free(values);
    free(roots);
}

/* ---- the program ---- */

static void note_error(Run *r)
{
    const Diags *ds = &r->s->diags;
    for (size_t i = 0; i < ds->list.len && !r->out->error; i++) {
        const Diag *d = &ds->list.at[i];
        int line, column, length;
        Text t = {0};
        if (d->note)
            continue;
        span_locate(d->span, &line, &column, &length);
        text_printf(&t, "%d: %s: %s", line, d->code, d->message);
        r->out->memory = !strcmp(d->code, "memory");
        r->out->error = text_take(&t);
    }
    diags_clear(&r->s->diags);
}

static void run_statements(Run *r, const Source *src)
{
    Parser p;
    Arena tokens = {0};
    Session *s = r->s;
    bool ends = false;
    parser_init(&p, src, &tokens, &s->diags, false);
    source_open(s, src);
    while (!ends && !r->out->error && !term_interrupted()) {
        Stmt *stmt = NULL;
        Chapter *outer;
        ParseStatus status = session_parse(s, &p, &stmt, &outer);
        ends = status == PARSE_END || status == PARSE_INCOMPLETE;
        if (status == PARSE_OK && stmt->kind != S_COMMAND) {
            session_run(s, stmt, on_result, r);
            remember_definition(r, stmt);
        }
        note_error(r);
        if (ends && !r->printed)
            run_definition(r);
        note_error(r);
        session_end(s, outer);
    }
    source_close(s);
    arena_free(&tokens);
}

void program_run(const RulesUsed *used, const char *path, const char *text, size_t len,
                 ProgramRun *out)
{
    Session *s = xcalloc(1, sizeof *s);
    Run r = {.s = s, .out = out};
    *out = (ProgramRun){.session = s};
    if (!session_open(s, used->rules))
        die("the embedded prelude or rules are broken");
    s->st.interrupt = term_interrupt_flag();
    s->native.mode = NATIVE_OFF;
    for (size_t i = 0; i < used->off.len; i++)
        rule_switch(&s->options, used->off.at[i], true);
    run_statements(&r, session_source(s, path, text, len));
}

void program_values_free(ProgramRun *r)
{
    for (size_t i = 0; i < r->values.len; i++)
        tensor_unref(r->values.at[i]);
    vec_free(&r->values);
    if (r->session)
        session_free(r->session);
    free(r->session);
    r->session = NULL;
}

void program_run_free(ProgramRun *r)
{
    program_values_free(r);
    vec_free(&r->fired);
    free(r->error);
}
