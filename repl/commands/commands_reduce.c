/* :reduce: the smallest program for which a condition still holds. */
#include "emit/export.h"
#include "graph/control.h"
#include "reduce/reduce.h"
#include "repl/commands/reducing.h"
#include "surface/surface.h"

/* One reduction and the texts of its candidates. */
typedef struct {
    Call *c;
    ReduceCondition condition;
    Symbol result;   /* what the program defines */
    char *settings;  /* what was switched, statements */
    VEC(bool) rules; /* of one's own: does the program have them? */
    u32 skipped;
} Task;

/* ---- programs as texts ---- */

static void put_check(Text *out, const char *check, Symbol result)
{
    for (const char *s = check; *s; s++)
        if (s[0] == '%' && s[1] == 's') {
            text_put(out, result);
            s++;
        } else {
            text_putc(out, *s);
        }
    text_putc(out, '\n');
}

/* The definitions; false if it was interrupted. */
static bool put_definitions(const Task *t, Text *out, int n, Node *const *roots,
                            const TensorMap *values)
{
    ListingOptions how = {.given = values, .result = t->result};
    bool ok = listing_print(&t->c->r->s.st, out, n, roots, &how);
    text_putc(out, '\n');
    return ok;
}

static void put_rules(const Task *t, Text *out)
{
    for (size_t i = 0; i < t->rules.len; i++)
        if (t->rules.at[i])
            text_printf(out, ":rule %s\n", t->c->r->rules.at[i]);
    text_put(out, t->settings);
}

/* All that shows it in a fresh session. */
static bool put_program(const Task *t, Text *out, int n, Node *const *roots,
                        const TensorMap *values)
{
    put_rules(t, out);
    bool ok = put_definitions(t, out, n, roots, values);
    put_check(out, t->condition.check ? t->condition.check : "%s", t->result);
    return ok;
}

/* ---- asking ---- */

static bool holds(void *ctx, int n, Node *const *roots, const TensorMap *values)
{
    Task *t = ctx;
    Text program = {0};
    Judgement j = JUDGED_NOT;
    bool whole = t->condition.judge ? put_program(t, &program, n, roots, values)
                                    : put_definitions(t, &program, n, roots, values);
    if (whole)
        j = condition_asked(&t->condition, t->c->r, text_str(&program), t->result);
    t->skipped += j == JUDGED_SKIPPED;
    text_free(&program);
    return j == JUDGED_HOLDS;
}

static bool stopped(void *ctx)
{
    const Task *t = ctx;
    return t->condition.is.interrupted || term_interrupted();
}

static bool holds_afresh(Task *t, const Reduction *r, Text *program)
{
    text_free(program);
    return put_program(t, program, (int)r->roots.len, r->roots.at, &r->values) &&
           condition_asked_afresh(&t->condition, text_str(program), t->result) == JUDGED_HOLDS;
}

/* The program that is shown: with those rules of one's own that it needs. */
static bool finish_program(Task *t, const Reduction *r, Text *program)
{
    bool ok = !stopped(t) && holds_afresh(t, r, program);
    for (size_t i = 0; ok && i < t->rules.len && !stopped(t); i++) {
        t->rules.at[i] = false;
        t->rules.at[i] = !holds_afresh(t, r, program);
    }
    text_free(program);
    return put_program(t, program, (int)r->roots.len, r->roots.at, &r->values) && ok;
}

/* ---- the line ---- */

/* "EXPR while CONDITION": what is left of the text is EXPR. */
static bool split_line(Call *c, const char **condition, Span *span)
{
    static const char word[] = " while ";
    char *at = NULL;
    for (char *next = c->text; (next = strstr(next, word)) != NULL; next++)
        at = next;
    if (!at || at == c->text)
        return call_fail(c, c->rest, "usage", ":reduce EXPR while audit",
                         ":reduce needs an expression and, after `while`, a condition that "
                         "holds for it");
    const char *rest = at + strlen(word);
    rest += strspn(rest, " \t");
    *condition = report_format(&c->report, "%s", rest);
    *span = (Span){c->rest.src, c->rest.start + (u32)(rest - c->text), c->rest.end};
    while (at > c->text && strchr(" \t", at[-1]))
        at--;
    *at = '\0';
    c->rest.end = c->rest.start + (u32)(at - c->text);
    return true;
}

static bool read_roots(Call *c, bool paired, NodeVec *out)
{
    Node **roots = NULL, *sides[2];
    if (paired) {
        if (!call_two_sides(c, sides))
            return false;
        vec_push(out, sides[0]);
        vec_push(out, sides[1]);
        return true;
    }
    int n = call_roots(c, &roots);
    for (int i = 0; i < n; i++)
        vec_push(out, roots[i]);
    free(roots);
    return n > 0 || (n == 0 && call_fail(c, c->rest, "usage", NULL, "there is nothing to reduce"));
}

/* ---- begin and end ---- */

static void take_values(Session *s, Reduction *r)
{
    for (size_t i = 0; i < s->leaves.len; i++) {
        Tensor *t = session_leaf_value(s, s->leaves.at[i].node);
        if (!t)
            continue;
        t = tensor_ref(t);
        map_put(&r->values, s->leaves.at[i].node, t);
    }
    for (size_t i = 0; i < s->sizes.len; i++)
        set_add(&r->taken, s->sizes.at[i]);
}

/* Why a command did not say yes to the whole program. */
static bool not_judged(Call *c, const ReduceCondition *k, Span span)
{
    const char *name = k->judge[0];
    if (k->exit_status == JUDGE_MISSING)
        return call_fail(c, span, "condition", "the command has to be one that the shell finds",
                         "%s cannot be run", name);
    if (k->exit_status == JUDGE_LATE)
        return call_fail(c, span, "condition", NULL, "%s took more than 10 s for the whole program",
                         name);
    return call_fail(c, span, "condition",
                     k->exit_status >= 125
                         ? "a status of 125 or more says that the command cannot tell"
                         : "exit status 0 says that a program is as wanted",
                     "%s ended with status %d for the whole program", name, k->exit_status);
}

static bool unmet(Call *c, const Task *t, const Reduction *r, Span span)
{
    const ReduceCondition *k = &t->condition;
    Node *missing = NULL;
    c->r->unmet = true;
    if (k->judge)
        return not_judged(c, k, span);
    if (k->needs_values && session_missing(&c->r->s, (int)r->roots.len, r->roots.at, &missing))
        return call_fail(c, span, "condition", "`NAME := VALUE` gives an input a value",
                         "the condition is about the value, but %s has none",
                         missing->op == OP_SIZE ? "a size" : missing->attrs[0].name);
    return call_fail(c, span, "condition",
                     "the condition has to hold for the whole expression to begin with", "%s",
                     k->unmet);
}

static const char *loops_of(Call *c, const NodeVec *roots)
{
    u32 n = loops_count((int)roots->len, roots->at);
    return n ? report_format(&c->report, ", %u loop%s", n, n == 1 ? "" : "s") : "";
}

static bool put_result(Call *c, Task *t, Reduction *r, u32 before, const char *loops)
{
    Text program = {0};
    bool ok = finish_program(t, r, &program), interrupted = t->condition.is.interrupted;
    u32 after = nodes_count((int)r->roots.len, r->roots.at);
    if (!ok && !interrupted)
        call_fail(c, c->span, "condition", "the settings of this session decide about it: :save",
                  "read by itself, the smaller program does not meet the condition");
    if (ok || interrupted) {
        report_say(&c->report, "{before node}{-} -> {after node}{-}; {tries}{-}", int_of(before),
                   text_of(loops), int_of(after), text_of(loops_of(c, &r->roots)),
                   as(report_format(&c->report, "%u tries", r->tries), int_of(r->tries)),
                   text_of(interrupted ? "; interrupted: the smallest so far" : ""));
        json_pair(&c->data, "program", text_str(&program));
    }
    ok = ok || interrupted;
    if (ok && c->file && (ok = call_put_file(c, &program, NULL)))
        text_printf(&c->out, "; in %s\n", c->file);
    else if (ok)
        text_printf(&c->out, "\n%s", text_str(&program));
    text_free(&program);
    return ok;
}

static bool run(Call *c, Task *t, Reduction *r, Span span)
{
    Session *s = &c->r->s;
    Text settings = {0};
    settings_put(c->r, &settings);
    t->settings = report_take(&c->report, &settings);
    for (size_t i = 0; i < c->r->rules.len; i++)
        vec_push(&t->rules, true);
    take_values(s, r);
    t->result = reduction_name(r, export_is_name(c->text) ? c->text : "result");
    set_add(&r->taken, t->result);
    u32 before = nodes_count((int)r->roots.len, r->roots.at);
    const char *loops = loops_of(c, &r->roots);
    if (!holds(t, (int)r->roots.len, r->roots.at, &r->values) && !stopped(t))
        return unmet(c, t, r, span);
    if (!stopped(t))
        reduce(r);
    bool interrupted = stopped(t);
    t->condition.is.interrupted = interrupted;
    if (term_take_interrupt() || interrupted)
        c->r->interrupted = true; /* what follows does not run, but this is shown */
    return put_result(c, t, r, before, loops);
}

void put_reduction(Call *c, const char *condition)
{
    enum { SHORT = 60 }; /* characters of an expression that is worth repeating */
    bool repeat = *c->text && strlen(c->text) <= SHORT;
    text_printf(&c->out,
                "  hint: `:reduce %s while %s` finds the smallest program with this fault\n",
                repeat ? c->text : "EXPR", condition);
}

bool command_reduce(Call *c)
{
    const char *condition = NULL;
    Span span;
    bool paired = false;
    Task t = {.c = c};
    Session *s = &c->r->s;
    Reduction r = {
        .st = &s->st, .eval = session_evaluator(s), .holds = holds, .stopped = stopped, .ctx = &t};
    bool ok = split_line(c, &condition, &span) &&
              condition_read(c, condition, span, &t.condition, &paired) &&
              read_roots(c, paired, &r.roots);
    r.paired = paired;
    ok = ok && run(c, &t, &r, span);
    vec_free(&t.rules);
    reduction_free(&r);
    return ok;
}
