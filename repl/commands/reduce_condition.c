/* The conditions of :reduce. */
#include "repl/commands/reducing.h"

enum { WORK = 1 << 28 }; /* elements and steps of a candidate: its loop may have no end any more */

/* ---- in a session of its own ---- */

static void no_diag(void *ctx, const Diag *d)
{
    (void)ctx;
    (void)d;
}

static Judgement ask(ReduceCondition *c, Repl *r, const char *program, Symbol result)
{
    Text quiet = {0};
    Node **roots = NULL;
    r->capture = &quiet;
    r->listener = (Listener){.diag = no_diag};
    r->s.work_limit = WORK;
    r->s.options.unrecorded = !c->steps;
    repl_run_text(r, "program", program, strlen(program));
    Source name = {.name = "result", .text = xstrdup(result), .len = strlen(result)};
    int n = r->interrupted ? -1 : session_roots_at(&r->s, source_whole(&name), &roots);
    bool holds = n > 0 && c->is.holds(&c->is, &r->s, n, roots);
    c->is.interrupted = c->is.interrupted || r->interrupted || term_interrupted();
    free(roots);
    diags_clear(&r->s.diags);
    text_free(&quiet);
    repl_free(r);
    free(name.text);
    return holds && !c->is.interrupted ? JUDGED_HOLDS : JUDGED_NOT;
}

Judgement condition_asked(ReduceCondition *c, const Repl *like, const char *program, Symbol result)
{
    Repl r;
    if (c->judge)
        return command_judges(c->judge, program, &c->exit_status);
    if (!repl_open_like(&r, like)) {
        repl_free(&r);
        return JUDGED_NOT;
    }
    return ask(c, &r, program, result);
}

Judgement condition_asked_afresh(ReduceCondition *c, const char *program, Symbol result)
{
    Repl r;
    if (c->judge)
        return command_judges(c->judge, program, &c->exit_status);
    if (!repl_init(&r)) {
        repl_free(&r);
        return JUDGED_NOT;
    }
    return ask(c, &r, program, result);
}

/* ---- reading ---- */

static bool take_error(Call *c, const char *word, Span span, ReduceCondition *out)
{
    (void)span;
    *out = (ReduceCondition){
        .is.holds = condition_gives_error,
        .is.code = word,
        .needs_values = true,
        .unmet = report_format(&c->report, "evaluating it gives no error with the code %s", word)};
    return true;
}

static bool take_fires(Call *c, const char *word, Span span, ReduceCondition *out)
{
    const char *check = report_format(&c->report, ":steps %%s rule=%s", word);
    *out = (ReduceCondition){
        .is.holds = condition_rule_fires,
        .is.rule = word,
        .is.wanted = true,
        .check = check,
        .unmet = report_format(&c->report, "%s fires at none of its nodes: `:whynot %s %s`", word,
                               word, c->text)};
    return call_rule(c, word, span) != NULL;
}

static bool take_not_fires(Call *c, const char *word, Span span, ReduceCondition *out)
{
    if (!take_fires(c, word, span, out))
        return false;
    out->is.wanted = false;
    out->unmet = report_format(&c->report, "%s fires: `:steps %s rule=%s`", word, c->text, word);
    out->check = report_format(&c->report, ":whynot %s %%s", word);
    return true;
}

static bool take_differs(Call *c, const char *word, Span span, ReduceCondition *out)
{
    (void)word;
    const Option *off = call_option(c, "off");
    if (!off)
        return call_fail(c, span, "usage", ":reduce EXPR while differs off=NAME",
                         "`differs` compares with the value without a rule or pass, and none is "
                         "named");
    *out = (ReduceCondition){.is.holds = condition_differs_without,
                             .is.off = off->value,
                             .needs_values = true,
                             .unmet = report_format(&c->report,
                                                    "without %s the value is the same, but for "
                                                    "rounding",
                                                    off->value),
                             .check = report_format(&c->report, ":compare %%s off=%s", off->value)};
    return pipeline_find(&c->r->s.options.pipeline, off->value) ||
           call_rule(c, off->value, off->span);
}

static const struct {
    const char *words; /* X: a word of its own follows */
    bool (*take)(Call *c, const char *word, Span span, ReduceCondition *out); /* NULL: as it is */
    ReduceCondition as_is;
} conditions[] = {
    {"audit",
     NULL,
     {.is.holds = condition_audit_breaks,
      .steps = true,
      .check = ":audit %s",
      .unmet = "no step changes more than its classes allow"}},
    {"nan",
     NULL,
     {.is.holds = condition_gives_nan, .needs_values = true, .unmet = "the value has no nan"}},
    {"error X", take_error, {.steps = false}},
    {"fires X", take_fires, {.steps = false}},
    {"not fires X", take_not_fires, {.steps = false}},
    {"differs", take_differs, {.steps = false}},
    {"unequal",
     NULL,
     {.is.holds = condition_is_undecided,
      .steps = true,
      .check = ":equal %s[0], %s[1]",
      .unmet = ":equal has an answer about the two"}},
};

const char *condition_words(size_t i)
{
    return i < COUNT_OF(conditions) ? conditions[i].words : NULL;
}

/* Do the words fit? Then *word is what stands for X, or NULL. */
static bool words_fit(Call *c, const char *text, const char *words, const char **word)
{
    size_t fixed = strcspn(words, "X");
    *word = NULL;
    if (!words[fixed])
        return strcmp(text, words) == 0;
    if (strncmp(text, words, fixed) != 0)
        return false;
    const char *rest = text + fixed + strspn(text + fixed, " \t");
    if (!*rest || rest[strcspn(rest, " \t")])
        return false;
    *word = report_format(&c->report, "%s", rest);
    return true;
}

bool condition_read(Call *c, const char *text, Span span, ReduceCondition *out, bool *paired)
{
    const char *word;
    if (c->r->judge) {
        *out = (ReduceCondition){.judge = c->r->judge};
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(conditions); i++)
        if (words_fit(c, text, conditions[i].words, &word)) {
            Span at = span;
            at.start = word ? at.end - (u32)strlen(word) : at.start;
            *out = conditions[i].as_is;
            *paired = out->is.holds == condition_is_undecided;
            return !conditions[i].take || conditions[i].take(c, word, at, out);
        }
    return call_fail(
        c, span, "usage",
        "audit, nan, error CODE, fires RULE, not fires RULE, differs off=NAME, unequal",
        "`%s` is not a condition of :reduce", text);
}
