/* Snapshots of settings; see settings.h. */
#include "repl/commands/settings.h"

#include "repl/commands/commands.h"

enum { MOST_NUMBERS = 16 };

typedef struct {
    Options options;
    double numbers[MOST_NUMBERS]; /* in the order of setting_number */
    char *words[WORD_SETTINGS];
    VEC(const Rule *) rules;
    VEC(char *) texts; /* of rules of one's own, for :save */
} Settings;

static void *take(void *ctx)
{
    Repl *r = ctx;
    const RuleSet *rs = r->s.rules;
    Settings *s = xcalloc(1, sizeof *s);
    Setting number;
    s->options = r->s.options;
    for (size_t k = 0; k < MOST_NUMBERS && setting_number(r, k, &number); k++)
        s->numbers[k] = number.value;
    for (size_t k = 0; k < WORD_SETTINGS; k++) {
        Text word = {0};
        word_settings[k].put(r, &word);
        s->words[k] = text_take(&word);
    }
    for (size_t i = 0; i < rs->all.len; i++)
        vec_push(&s->rules, rs->all.at[i]);
    for (size_t i = 0; i < r->rules.len; i++)
        vec_push(&s->texts, xstrdup(r->rules.at[i]));
    return s;
}

static void drop(void *snapshot)
{
    Settings *s = snapshot;
    for (size_t i = 0; i < s->texts.len; i++)
        free(s->texts.at[i]);
    for (size_t k = 0; k < WORD_SETTINGS; k++)
        free(s->words[k]);
    vec_free(&s->texts);
    vec_free(&s->rules);
    free(s);
}

static bool same_passes(const Pipeline *a, const Pipeline *b)
{
    bool same = a->len == b->len;
    for (u32 i = 0; same && i < a->len; i++)
        same = a->at[i].pass == b->at[i].pass;
    return same;
}

/* ---- telling, of what is (`now`) what it was ---- */

static void tell_numbers(Repl *r, const Settings *old, const Settings *now, Text *out)
{
    Setting number;
    for (size_t k = 0; k < MOST_NUMBERS && setting_number(r, k, &number); k++)
        if (old->numbers[k] < now->numbers[k] || old->numbers[k] > now->numbers[k])
            text_printf(out, "%s is again %.15g\n", number.name, old->numbers[k]);
}

static void tell_passes(const Pipeline *old, const Pipeline *now, Text *out)
{
    bool same = same_passes(old, now);
    text_put(out, same ? "" : "the passes are again:");
    for (u32 i = 0; i < old->len && !same; i++)
        text_printf(out, " %s", old->at[i].pass->name);
    text_put(out, same ? "" : "\n");
    for (u32 i = 0; i < old->len && same; i++)
        if (old->at[i].off != now->at[i].off)
            text_printf(out, "pass %s is %s again\n", old->at[i].pass->name,
                        old->at[i].off ? "off" : "on");
}

static bool same_rules(const Settings *a, const Settings *b)
{
    size_t n = a->rules.len;
    bool same = n == b->rules.len && !memcmp(a->rules.at, b->rules.at, n * sizeof *a->rules.at);
    for (size_t i = 0; i < n && same; i++)
        same = rule_is_off(&a->options, a->rules.at[i]) == rule_is_off(&b->options, b->rules.at[i]);
    return same;
}

/* The rules of one that the other does not have, or has switched; which is told by a verb. */
static void tell_rules(const Settings *old, const Settings *now, Text *out)
{
    SET(const Rule *) was = {0}, is = {0};
    if (same_rules(old, now)) /* after nearly every statement */
        return;
    for (size_t i = 0; i < old->rules.len; i++)
        set_add(&was, old->rules.at[i]);
    for (size_t i = 0; i < now->rules.len; i++)
        set_add(&is, now->rules.at[i]);
    for (size_t i = 0; i < now->rules.len; i++)
        if (!map_has(&was, now->rules.at[i]))
            text_printf(out, "the rule %s no longer exists\n", now->rules.at[i]->name);
    for (size_t i = 0; i < old->rules.len; i++) {
        const Rule *k = old->rules.at[i];
        bool off = rule_is_off(&old->options, k);
        if (!map_has(&is, k))
            text_printf(out, "there is a rule %s again\n", k->name);
        else if (off != rule_is_off(&now->options, k))
            text_printf(out, "rule %s is %s again\n", k->name, off ? "off" : "on");
    }
    map_free(&was);
    map_free(&is);
}

static void tell(Repl *r, const Settings *old, const Settings *now, Text *out)
{
    if (old->options.allowed != now->options.allowed) {
        text_put(out, "allowed again: ");
        hazard_print(out, old->options.allowed);
        text_putc(out, '\n');
    }
    tell_numbers(r, old, now, out);
    for (size_t k = 0; k < WORD_SETTINGS; k++)
        if (strcmp(old->words[k], now->words[k]) != 0)
            text_printf(out, "%s is again %s\n", word_settings[k].name, old->words[k]);
    tell_passes(&old->options.pipeline, &now->options.pipeline, out);
    tell_rules(old, now, out);
}

/* ---- what undo.c asks ---- */

static bool differs(void *ctx, const void *snapshot)
{
    Settings *now = take(ctx);
    Text told = {0};
    tell(ctx, snapshot, now, &told);
    bool any = told.len > 0;
    text_free(&told);
    drop(now);
    return any;
}

static void restore_rules(Repl *r, const Settings *old, const Settings *now)
{
    size_t n = old->rules.len;
    if (n != now->rules.len || memcmp(old->rules.at, now->rules.at, n * sizeof *old->rules.at) != 0)
        ruleset_set(session_own_rules(&r->s), n, old->rules.at);
    while (r->rules.len)
        free(r->rules.at[--r->rules.len]);
    for (size_t i = 0; i < old->texts.len; i++)
        vec_push(&r->rules, xstrdup(old->texts.at[i]));
}

static void restore(void *ctx, const void *snapshot, Text *told)
{
    Repl *r = ctx;
    const Settings *old = snapshot;
    Settings *now = take(r);
    Setting number;
    tell(r, old, now, told);
    r->s.options = old->options;
    for (size_t k = 0; k < MOST_NUMBERS && setting_number(r, k, &number); k++)
        setting_put(r, k, old->numbers[k]);
    for (size_t k = 0; k < WORD_SETTINGS; k++)
        if (strcmp(old->words[k], now->words[k]) != 0)
            word_settings[k].set(r, old->words[k]);
    restore_rules(r, old, now);
    session_outdate(&r->s);
    drop(now);
}

UndoSettings settings_of(Repl *r)
{
    return (UndoSettings){
        .ctx = r, .take = take, .differs = differs, .restore = restore, .drop = drop};
}
