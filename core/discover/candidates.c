/* A candidate as a rule: the text of it, the classes that it needs, and whether it joins the rules
 * by which what comes later is proved.
 *
 * Invariant: as the variables of a rule stand for more than those of the terms (arrays for numbers,
 * arrays of other sizes), a rule is accepted only by the trial of its own text. */
#include "discover/discovering.h"

#include "session/rule_check.h"

enum {
    INSTANCES = 1000, /* as for a rule that is typed */
    NARROWER = 3      /* sign_guards on ranks: none, on what vanishes, on all */
};

typedef struct {
    Discoverer *d;
    const char *left, *right;
    const Assumptions *given;
    int narrow; /* how much its guard asks of ranks */
    u32 classes;
} Candidate;

static const Family *family(const Discoverer *d, char variable)
{
    return &families[family_of_variable(d, variable)];
}

/* ---- the text of a rule ---- */

/* A variable says once what it stands for. */
static void put_pattern(Text *out, const Discoverer *d, const char *text)
{
    char said[MOST_VARIABLES];
    size_t n = 0;
    for (const char *at = text, *from = text;; from = at) {
        char v = next_variable(d, &at);
        text_putn(out, from, (size_t)(at - from));
        if (!v) {
            text_put(out, at);
            return;
        }
        if (!memchr(said, v, n))
            text_put(out, family(d, v)->kind);
        said[n] = v;
        n += n + 1 < sizeof said;
    }
}

/* A constant alone has no shape. */
static bool is_constant(const Candidate *c)
{
    char all[MOST_VARIABLES];
    return !variables_in(c->d, c->right, all);
}

static void put_replacement(Text *out, const Candidate *c, const char *variables)
{
    if (!is_constant(c)) {
        text_put(out, c->right);
        return;
    }
    double x = strcmp(c->right, "true") == 0 ? 1 : strtod(c->right, NULL);
    if (x == 0 || x == 1)
        text_printf(out, "%s_like(%c)", x == 0 ? "zeros" : "ones", *variables);
    else
        text_printf(out, "%s * ones_like(%c)", c->right, *variables);
}

static void put_condition(Text *out, const char *name, char variable)
{
    text_printf(out, "%s%s(%c)", out->len ? " and " : "", name, variable);
}

/* What it asks of ranks. */
static void put_ranks(Text *out, const Candidate *c, const char *variables, int n)
{
    const Discoverer *d = c->d;
    for (int i = 0; i < n; i++) {
        const char *asks = family(d, variables[i])->guard;
        bool vanishes =
            is_constant(c) ? i > 0 : !mentions_all(d, c->right, (char[]){variables[i], 0});
        if (*asks)
            put_condition(out, asks, variables[i]);
        else if (c->narrow > 1 || (c->narrow == 1 && vanishes))
            put_condition(out, "scalar", variables[i]);
        for (int k = 0; k < i && *asks; k++)
            if (family(d, variables[k]) == family(d, variables[i])) {
                text_printf(out, " and same_type(%c, %c)", variables[k], variables[i]);
                break;
            }
    }
}

static void put_signs(Text *out, const Assumptions *given)
{
    static const char *const sign_guards[] = {
        [AT_LEAST_ZERO] = "nonnegative", [ABOVE_ZERO] = "positive", [AT_MOST_ZERO] = "nonpositive"};
    for (int i = 0; given && i < given->n; i++)
        put_condition(out, sign_guards[given->at[i].sign], *given->at[i].leaf->attrs[0].name);
}

static const char *rule_text(const Candidate *c, const char *name)
{
    char variables[MOST_VARIABLES];
    int n = variables_in(c->d, c->left, variables);
    Text t = {0}, guard = {0};
    text_printf(&t, "%s [", name);
    hazard_print(&t, c->classes);
    text_put(&t, "]: ");
    put_pattern(&t, c->d, c->left);
    text_put(&t, " => ");
    put_replacement(&t, c, variables);
    put_ranks(&guard, c, variables, n);
    put_signs(&guard, c->given);
    if (guard.len)
        text_printf(&t, " if %s", text_str(&guard));
    const char *r = arena_strndup(&c->d->out->arena, text_str(&t), t.len);
    text_free(&t);
    text_free(&guard);
    return r;
}

/* ---- trial ---- */

/* NULL: it is no rule; *says tells why. */
static const Rule *read_rule(Discoverer *d, const char *text, const char *pass, Text *says)
{
    RuleSet *rs = session_own_rules(&d->s);
    size_t before = rs->all.len;
    DiagTry trial;
    diag_try_begin(&trial, &d->s.st.diags);
    const Source *src = session_source(&d->s, "found.rules", text, strlen(text));
    bool ok = ruleset_add_text(rs, src, pass, d->s.st.diags);
    if (!ok && trial.found.list.len && says)
        text_put(says, trial.found.list.at[0].message);
    diag_try_end(&trial);
    return ok && rs->all.len > before ? rs->all.at[before] : NULL;
}

typedef enum { TRIAL_HOLDS, TRIAL_REFUTED, TRIAL_NOT_RUN } Held;

static Held check(Candidate *c, const Rule *k, Text *says, bool *ends)
{
    RuleCheck result;
    Text loop = {0};
    Discoverer *d = c->d;
    rule_check(k, d->s.rules, INSTANCES, &result);
    bool holds = !result.refuted && result.fired && !result.untested;
    if (!holds)
        text_put(says, text_str(&result.says));
    *ends = holds && rule_check_ends(k, d->s.rules, &d->s.options, &loop);
    u32 wider = c->classes | result.allow;
    bool again = result.refuted && wider != c->classes;
    c->classes = (wider & ~(u32)HAZARD_E) ? wider & ~(u32)HAZARD_E : HAZARD_E;
    text_free(&result.says);
    text_free(&loop);
    return holds ? TRIAL_HOLDS : again || result.refuted ? TRIAL_REFUTED : TRIAL_NOT_RUN;
}

/* With classes that are added as counterexamples ask for them. */
static Held try_classes(Candidate *c, const char *name, Text *says, bool *ends)
{
    for (;;) {
        u32 classes = c->classes;
        says->len = 0;
        const Rule *k = read_rule(c->d, rule_text(c, name), "canonicalize", says);
        if (!k)
            return TRIAL_NOT_RUN;
        Held held = check(c, k, says, ends);
        ruleset_drop(session_own_rules(&c->d->s), k);
        if (held != TRIAL_REFUTED || c->classes == classes)
            return held;
    }
}

/* What is found later may follow from it, read either way. */
void candidate_join(Discoverer *d, const Found *f)
{
    Text both = {0};
    const char *arrow = strstr(f->rule, " => ");
    if (strpbrk(f->right, " (") && mentions_all(d, f->right, f->left))
        text_printf(&both, "%.*s <=> %s", (int)(arrow - f->rule), f->rule, arrow + strlen(" => "));
    if (!both.len || !read_rule(d, text_str(&both), "saturate", NULL))
        read_rule(d, f->rule, "saturate", NULL);
    text_free(&both);
}

static const char *condition(Discoverer *d, const Assumptions *given)
{
    static const char *const signs[] = {
        [AT_LEAST_ZERO] = ">= 0", [ABOVE_ZERO] = "> 0", [AT_MOST_ZERO] = "<= 0"};
    Text t = {0};
    for (int i = 0; given && i < given->n; i++)
        text_printf(&t, "%s%s %s", i ? " and " : "", given->at[i].leaf->attrs[0].name,
                    signs[given->at[i].sign]);
    const char *r = t.len ? arena_strndup(&d->out->arena, text_str(&t), t.len) : NULL;
    text_free(&t);
    return r;
}

/* "found-3": no other rule is called so. */
static void put_name(const Discoverer *d, Text *out)
{
    u32 k = d->rules;
    do {
        out->len = 0;
        text_printf(out, "found-%u", ++k);
    } while (rule_by_name(d->s.rules, text_str(out)));
}

void candidate_try(Discoverer *d, const char *left, const char *right, const Assumptions *given,
                   Found *out)
{
    Candidate c = {.d = d, .left = left, .right = right, .given = given};
    Text says = {0}, name = {0};
    Held held = TRIAL_NOT_RUN;
    bool ends = false;
    put_name(d, &name);
    *out = (Found){.left = left, .right = right, .when = condition(d, given)};
    for (c.narrow = 0; c.narrow < NARROWER && held != TRIAL_HOLDS; c.narrow++) {
        c.classes = given ? HAZARD_D : HAZARD_E;
        held = try_classes(&c, text_str(&name), &says, &ends);
        if (held == TRIAL_HOLDS)
            out->rule = rule_text(&c, text_str(&name));
    }
    out->kind = held == TRIAL_HOLDS     ? FOUND_RULE
                : held == TRIAL_REFUTED ? FOUND_NEARLY
                                        : FOUND_UNSAID;
    out->classes = c.classes;
    out->both = !ends;
    out->says = out->rule ? NULL : arena_strndup(&d->out->arena, text_str(&says), says.len);
    text_free(&says);
    text_free(&name);
}
