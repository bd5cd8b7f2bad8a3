/* The conditions of :reduce. */
#include "repl/commands/reducing.h"
#include "rewrite/bounds.h"
#include "session/equal.h"

#include <math.h>

enum { WORK = 1 << 28 }; /* elements and steps of a candidate: its loop may have no end any more */

/* ---- what they ask ---- */

static bool audit_breaks(ReduceCondition *c, Session *s, int n, Node *const *roots)
{
    Exploration *x = session_explore(s, n, roots);
    Audit a = {0};
    bool holds = false;
    if (!x || !session_audit(s, x, &a))
        return false;
    for (size_t i = 0; i < a.rows.len && !holds; i++) {
        const char *rule = step_rule(a.rows.at[i].step);
        holds = a.rows.at[i].breaks && (!c->rule || !strcmp(rule, c->rule));
        if (holds && !c->rule)
            c->rule = rule; /* what is smaller is to break the same */
    }
    audit_free(&a);
    return holds;
}

static void release(Tensor **values, int n)
{
    for (int i = 0; i < n; i++)
        tensor_unref(values[i]);
    free(values);
}

/* NULL: it cannot be evaluated. */
static Tensor **evaluated(Session *s, int n, Node *const *roots)
{
    Tensor **values = xcalloc((size_t)n + 1, sizeof *values);
    Node *missing;
    if (!session_missing(s, n, roots, &missing) && session_evaluate(s, n, roots, values))
        return values;
    release(values, n);
    return NULL;
}

/* Is a nan or an infinity given to it? */
static bool is_given_special(Session *s)
{
    for (size_t i = 0; i < s->leaves.len; i++) {
        const Tensor *t = session_leaf_value(s, s->leaves.at[i].node);
        for (i64 k = 0; t && dtype_is_float(t->dtype) && k < t->count; k++)
            if (!isfinite(tensor_f64_at(t, k)))
                return true;
    }
    return false;
}

/* Where a nan comes from is what is asked, so none is given, nor an infinity, unless the whole
 * program was given some. */
static bool gives_nan(ReduceCondition *c, Session *s, int n, Node *const *roots)
{
    bool special = is_given_special(s), found = false;
    if (special && c->asked && !c->special)
        return false;
    c->special = c->special || special;
    c->asked = true;
    Tensor **values = evaluated(s, n, roots);
    for (int i = 0; values && i < n; i++)
        for (i64 k = 0; k < values[i]->count && dtype_is_float(values[i]->dtype); k++)
            found = found || isnan(tensor_f64_at(values[i], k));
    if (values)
        release(values, n);
    return found;
}

static bool gives_error(ReduceCondition *c, Session *s, int n, Node *const *roots)
{
    Tensor **values = evaluated(s, n, roots);
    bool found = false;
    if (values)
        release(values, n);
    for (size_t i = 0; i < s->diags.list.len && !values; i++)
        found = found || (!s->diags.list.at[i].note && !strcmp(s->diags.list.at[i].code, c->code));
    return found;
}

static bool rule_fires(ReduceCondition *c, Session *s, int n, Node *const *roots)
{
    const Rule *rule = rule_by_name(s->rules, c->rule);
    const Exploration *x = rule ? session_explore(s, n, roots) : NULL;
    bool fires = x && rule->id < x->counts.fired.len && x->counts.fired.at[rule->id];
    return x && !x->failed && fires == c->wanted;
}

static bool values_differ(const Tensor *a, const Tensor *b)
{
    double largest = 0, worst = 0;
    if (a->count != b->count || a->dtype == DT_RNG)
        return a->count != b->count;
    for (i64 i = 0; i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        if (isnan(x) != isnan(y) || isinf(x) != isinf(y) || (isinf(x) && x != y))
            return true;
        if (isfinite(x) && isfinite(y)) {
            largest = fmax(largest, fmax(fabs(x), fabs(y)));
            worst = fmax(worst, fabs(x - y));
        }
    }
    return worst > largest * rounding_bound(a->dtype);
}

static bool switch_off(Session *s, const char *name)
{
    const Rule *rule = rule_by_name(s->rules, name);
    if (pipeline_switch(&s->options.pipeline, name, true))
        return true;
    if (rule)
        rule_switch(&s->options, rule, true);
    return rule != NULL;
}

static bool differs_without(ReduceCondition *c, Session *s, int n, Node *const *roots)
{
    Options mine = s->options;
    Tensor **a = evaluated(s, n, roots), **b = NULL;
    bool differs = false;
    if (a && switch_off(s, c->off)) {
        session_forget(s);
        b = evaluated(s, n, roots);
    }
    s->options = mine;
    session_forget(s);
    for (int i = 0; b && i < n; i++)
        differs = differs || values_differ(a[i], b[i]);
    if (a)
        release(a, n);
    if (b)
        release(b, n);
    return differs || (a && !b && !c->interrupted && !store_stops(&s->st));
}

static bool is_undecided(ReduceCondition *c, Session *s, int n, Node *const *roots)
{
    (void)c;
    return n == 2 && roots[0]->type == roots[1]->type &&
           session_undecided(s, &s->options.saturating, (Node *const[2]){roots[0], roots[1]});
}

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
    Value *v = r->interrupted ? NULL : session_value(&r->s, source_whole(&name));
    int n = v ? session_roots(&r->s, v, source_whole(&name), &roots) : -1;
    bool holds = n > 0 && c->holds(c, &r->s, n, roots);
    c->interrupted = c->interrupted || r->interrupted || term_interrupted();
    free(roots);
    diags_clear(&r->s.diags);
    text_free(&quiet);
    repl_free(r);
    free(name.text);
    return holds && !c->interrupted ? JUDGED_HOLDS : JUDGED_NOT;
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
        .holds = gives_error,
        .code = word,
        .needs_values = true,
        .unmet = report_format(&c->report, "evaluating it gives no error with the code %s", word)};
    return true;
}

static bool take_fires(Call *c, const char *word, Span span, ReduceCondition *out)
{
    const char *check = report_format(&c->report, ":steps %%s rule=%s", word);
    *out = (ReduceCondition){
        .holds = rule_fires,
        .rule = word,
        .wanted = true,
        .check = check,
        .unmet = report_format(&c->report, "%s fires at none of its nodes: `:whynot %s %s`", word,
                               word, c->text)};
    return call_rule(c, word, span) != NULL;
}

static bool take_not_fires(Call *c, const char *word, Span span, ReduceCondition *out)
{
    if (!take_fires(c, word, span, out))
        return false;
    out->wanted = false;
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
    *out = (ReduceCondition){.holds = differs_without,
                             .off = off->value,
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
    ReduceCondition is;
} conditions[] = {
    {"audit",
     NULL,
     {.holds = audit_breaks,
      .steps = true,
      .check = ":audit %s",
      .unmet = "no step changes more than its classes allow"}},
    {"nan", NULL, {.holds = gives_nan, .needs_values = true, .unmet = "the value has no nan"}},
    {"error X", take_error, {0}},
    {"fires X", take_fires, {0}},
    {"not fires X", take_not_fires, {0}},
    {"differs", take_differs, {0}},
    {"unequal",
     NULL,
     {.holds = is_undecided,
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
            *out = conditions[i].is;
            *paired = out->holds == is_undecided;
            return !conditions[i].take || conditions[i].take(c, word, at, out);
        }
    return call_fail(
        c, span, "usage",
        "audit, nan, error CODE, fires RULE, not fires RULE, differs off=NAME, unequal",
        "`%s` is not a condition of :reduce", text);
}
