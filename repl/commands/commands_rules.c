/* :rule: adds a rule to the session, shows or drops one.
 *
 * Invariant: a rule that was typed is part of the session only after it held on every instance that
 * was tried and rewriting with it came to an end, unless trial=off was said; then it is marked. */
#include "repl/commands/commands.h"
#include "session/rule_check.h"

enum { INSTANCES = 1000 };

/* ---- names of rules ---- */

const char *pass_of_rule(Call *c, const Rule *k)
{
    const char *within = pass_with_group(k->pass);
    return within ? report_format(&c->report, "%s (%s)", within, k->pass) : k->pass;
}

const Rule *call_rule(Call *c, const char *name, Span span)
{
    const RuleSet *rs = c->r->s.rules;
    const Rule *rule = rule_by_name(rs, name);
    if (rule)
        return rule;
    VEC(const char *) names = {0};
    for (size_t i = 0; i < rs->all.len; i++)
        vec_push(&names, rs->all.at[i]->name);
    call_unknown(c, span, "there is no rule", name, names.at, names.len, ":rules lists them");
    vec_free(&names);
    return NULL;
}

char *classes_text(Call *c, u32 classes)
{
    Text t = {0};
    hazard_print(&t, classes);
    return report_take(&c->report, &t);
}

Datum classes_of(Call *c, u32 classes)
{
    char *text = classes_text(c, classes);
    return as(report_format(&c->report, "[%s]", text),
              text_of(classes_text(c, classes & ~(u32)HAZARD_UNTRIED)));
}

/* ---- :rule NAME ---- */

static void put_classes(const Call *c, Text *out, u32 classes)
{
    for (size_t i = 0; i < hazard_class_count; i++) {
        const HazardClass *k = &hazard_classes[i];
        if (classes & k->bit)
            text_printf(out, "  %s: %s%s\n", k->name, k->means,
                        k->bit & c->r->s.options.allowed ? "" : " (not allowed now)");
    }
}

static void put_rule(Call *c, Report *r, const Rule *k)
{
    const Options *o = &c->r->s.options;
    bool off = rule_is_off(o, k);
    report_say(r, "{name} {-} of the pass {pass}{=classes}\n", text_of(k->name),
               classes_of(c, rule_shown_classes(k)), as(pass_of_rule(c, k), text_of(k->pass)),
               classes_of(c, k->classes));
    report_say(r, k->text ? "  {text}\n" : "{=text}", text_of(k->text));
    report_say(r, k->reason && *k->reason ? "  {reason}\n" : "{=reason}", text_of(k->reason));
    put_classes(c, r->text, k->classes);
    if (k->untried)
        text_put(r->text, "  untried: it was accepted without a trial\n");
    report_say(r, "  {source}; {on}{=allowed}{=untried}; fired {fired time}\n", text_of(k->source),
               as(off ? "off" : "on", flag_of(!off)), flag_of(!(k->classes & ~o->allowed)),
               flag_of(k->untried), int_of((i64)session_rule_fired(&c->r->s, k)));
}

static bool show_rule(Call *c, const Rule *k)
{
    put_rule(c, &c->report, k);
    return true;
}

/* ---- :rule NAME: PATTERN => REPLACEMENT ---- */

/* The text of the rule at its own place, so that messages point into what was typed. */
static const Source *rule_source(Call *c)
{
    const Source *whole = c->rest.src;
    char *text = xmalloc((size_t)c->rest.end + 1);
    for (u32 i = 0; i < c->rest.end; i++)
        text[i] = i >= c->rest.start || whole->text[i] == '\n' ? whole->text[i] : ' ';
    text[c->rest.end] = '\0';
    const Source *src = session_source(&c->r->s, whole->name, text, c->rest.end);
    free(text);
    return src;
}

static const Rule *read_rule(Call *c, const char *pass, bool untried)
{
    RuleSet *rs = session_own_rules(&c->r->s);
    Diags *ds = &c->r->s.diags;
    size_t rules = rs->all.len, first = ds->list.len;
    const Source *src = rule_source(c);
    bool ok = (untried ? ruleset_add_untried : ruleset_add_text)(rs, src, pass, ds);
    for (size_t i = first; i < ds->list.len; i++)
        if (ds->list.at[i].span.src == src)
            ds->list.at[i].span.src = c->rest.src;
    if (ok && rs->all.len == rules + 1)
        return rs->all.at[rules];
    if (ok)
        call_fail(c, c->rest, "usage", ":rule name [R]: log(1 + x) => log1p(x)",
                  "this is not a rule");
    return NULL;
}

static void forget_saved(Repl *r, const Rule *k)
{
    size_t n = strlen(k->name);
    for (size_t i = 0; i < r->rules.len; i++) {
        const char *text = r->rules.at[i];
        if (strncmp(text, k->name, n) != 0 || !strchr(" \t[:", text[n]))
            continue;
        free(r->rules.at[i]);
        r->rules.len--;
        memmove(r->rules.at + i, r->rules.at + i + 1, (r->rules.len - i) * sizeof *r->rules.at);
        return;
    }
}

/* A rule of one's own may be written again, as a name may be defined again. */
static const Rule *older_rule(Call *c)
{
    char *name = arena_strndup(&c->arena, c->text, strcspn(c->text, " [:\t"));
    const Rule *k = rule_by_name(c->r->s.rules, name);
    return k && k->own ? k : NULL;
}

static bool refuse(Call *c, const Rule *k, const char *hint, const char *what, Text *says)
{
    ruleset_drop(session_own_rules(&c->r->s), k);
    call_fail(c, c->rest, "rule", hint, "%s%s", what, text_str(says));
    return false;
}

static const char untried_hint[] = "trial=off at the end of the line accepts it untried";

/* Tries it. */
static bool hold(Call *c, const Rule *k, u32 *instances)
{
    RuleCheck check;
    Text loop = {0};
    rule_check(k, c->r->s.rules, INSTANCES, &check);
    *instances = check.instances;
    bool ok = false;
    if (store_short(&c->r->s.st, "where the rule is tried")) {
        ruleset_drop(session_own_rules(&c->r->s), k);
    } else if (check.refuted) {
        char *classes = classes_text(c, (k->classes | check.allow) & ~(u32)HAZARD_E);
        refuse(c, k,
               check.allow
                   ? report_format(&c->report, "if that may be, its classes are [%s]", classes)
                   : NULL,
               "not accepted: ", &check.says);
    } else if (!check.fired) {
        refuse(c, k, untried_hint,
               "it cannot be tried, as it does not fire on its own left side: ", &check.says);
    } else if (check.untested) {
        refuse(c, k, untried_hint,
               "not accepted, as it cannot be tried well enough: ", &check.says);
    } else if (!rule_check_ends(k, c->r->s.rules, &c->r->s.options, &loop)) {
        refuse(c, k, "a rule must make its expression simpler than it was",
               "not accepted: ", &loop);
    } else {
        ok = true;
    }
    text_free(&check.says);
    text_free(&loop);
    return ok;
}

/* `:save` writes it as it was typed. */
static void keep(Call *c, const Rule *k)
{
    Text line = {0};
    text_put(&line, c->text);
    if (strcmp(k->pass, "canonicalize") != 0)
        text_printf(&line, " pass=%s", k->pass);
    if (k->untried)
        text_put(&line, " trial=off");
    vec_push(&c->r->rules, text_take(&line));
}

static bool add_rule(Call *c)
{
    bool untried = !call_switch(c, "trial");
    const Option *o = call_option(c, "pass");
    const char *pass = o ? o->value : c->r->pass ? c->r->pass : "canonicalize";
    if (!pass_named(pass))
        return call_fail(c, o->span, "unknown-name", ":passes lists them", "there is no pass %s",
                         pass);
    pass = pass_named(pass)->name; /* it outlives the call */
    const Rule *old = older_rule(c), *k;
    u32 instances = 0;
    if (old)
        ruleset_drop(session_own_rules(&c->r->s), old);
    k = read_rule(c, pass, untried);
    if (!k || (!untried && !hold(c, k, &instances))) {
        if (old)
            ruleset_put(session_own_rules(&c->r->s), old);
        return false;
    }
    if (old)
        session_forget(&c->r->s); /* its steps are of that rule */
    session_outdate(&c->r->s);
    if (old)
        forget_saved(c->r, old);
    keep(c, k);
    text_printf(&c->out, "%s [%s]: ", k->name, classes_text(c, rule_shown_classes(k)));
    if (untried)
        text_put(&c->out, "accepted without a trial");
    else
        text_printf(&c->out, "both sides agree on %u instances", instances);
    text_printf(&c->out, "; a rule of the pass %s now\n", k->pass);
    if (k->classes & ~c->r->s.options.allowed) {
        char *shut = classes_text(c, k->classes & ~c->r->s.options.allowed);
        text_printf(&c->out, "it does not fire yet: `:set allow %s` opens its class\n", shut);
    }
    Text unsaid = {0};
    put_rule(c, &(Report){.text = &unsaid, .data = &c->data, .arena = &c->arena}, k);
    text_free(&unsaid);
    json_count(&c->data, "instances", instances);
    return true;
}

static bool drop_rule(Call *c, const Rule *k, Span name)
{
    Repl *r = c->r;
    if (!k->own)
        return call_fail(c, name, "usage", ":set rule NAME off",
                         "only rules of your own can be dropped; %s can be switched off", k->name);
    forget_saved(r, k);
    session_forget(&r->s);
    ruleset_drop(session_own_rules(&r->s), k);
    report_say(&c->report, "{dropped} is no longer a rule", text_of(k->name));
    return true;
}

bool command_rule(Call *c)
{
    char *text = c->text;
    Span rest = c->rest, at = c->rest, span = c->rest;
    const char *name = NULL, *more = NULL;
    bool drop = call_switch(c, "drop");
    if (!call_word(c, &name, &at))
        return call_fail(c, c->span, "usage", ":rules lists them",
                         ":rule needs the name of a rule");
    if (strcmp(name, "drop") == 0 && !strchr(c->text, ':') && call_word(c, &more, &span))
        return call_fail(c, at, "usage", report_format(&c->report, ":rule %s drop=on", more),
                         "the name of the rule comes first");
    bool only = !strchr(name, ':') && !call_word(c, &more, &span);
    if (drop && !only)
        return call_fail(c, rest, "usage", ":rule NAME drop=on", "drop= takes the name of a rule");
    if (only) {
        const Rule *k = call_rule(c, name, at);
        return k && (drop ? drop_rule(c, k, at) : show_rule(c, k));
    }
    c->text = text;
    c->rest = rest;
    return add_rule(c);
}
