/* Completion of the arguments of commands: keys and their values, rules, passes, settings, numbers.
 *
 * Invariant: what is offered comes from the tables that the commands run by. */
#include "repl/commands/arguments.h"
#include "repl/commands/help.h"
#include "repl/commands/lessons.h"
#include "repl/commands/reducing.h"
#include "repl/prompt/candidates.h"

#include "rewrite/exploration.h"
#include "session/by_hand.h"

#include <ctype.h>

static void offer_topic(void *ctx, const HelpEntry *e) { offer(ctx, "", e->name, ""); }

/* Names that :help knows. */
static void offer_topics(Candidates *c, Repl *r) { help_each(r, offer_topic, c); }

static void offer_passes(Candidates *c, Repl *r, const char *before)
{
    for (size_t i = 0; i < r->s.options.pipeline.len; i++)
        offer(c, before, r->s.options.pipeline.at[i].pass->name, "");
}

/* Those that fired in the steps that a command listed last, inside them too. */
static void offer_fired(Candidates *c, const StepLog *log)
{
    for (size_t i = 0; i < log->at.len; i++) {
        offer(c, "", step_rule(&log->at.at[i]), "");
        if (log->at.at[i].inner)
            offer_fired(c, log->at.at[i].inner);
    }
}

static void offer_rules(Candidates *c, Repl *r)
{
    for (size_t i = 0; i < r->s.rules->all.len; i++)
        offer(c, "", r->s.rules->all.at[i]->name, "");
}

/* Words of :set: the first, or what may follow it. */
static void offer_settings(Candidates *c, Repl *r, const char *row, int at)
{
    char before[32] = "", name[32] = "";
    int words = sscanf(row, ":%*s %31s %31s", before, name);
    bool first = words < 1 || (words == 1 && at > 0 && row[at - 1] != ' ');
    if (first)
        offer_list(
            c, "allow rule pass passes steps nodes tries memory print digits width color images",
            "");
    else if (strcmp(before, "rule") == 0)
        offer_rules(c, r);
    else if (strncmp(before, "pass", 4) == 0)
        for (size_t i = 0; i < pass_count(); i++)
            offer(c, "", pass_table[i].name, "");
    else if (strcmp(before, "allow") == 0)
        offer_list(c, "default E Z R N+ N- D S C O", "");
    else if (strcmp(before, "color") == 0)
        offer_list(c, "auto always never", "");
    else if (strcmp(before, "images") == 0)
        for (int i = 0; i < IMAGE_MODES; i++)
            offer(c, "", image_words[i], "");
    if (words > 1 && (strcmp(before, "rule") == 0 || strcmp(before, "pass") == 0))
        offer_list(c, "on off", "");
    else if (strcmp(before, "passes") == 0)
        offer_list(c, "default", "");
}

static void offer_branches(Candidates *c, Repl *r)
{
    const struct ByHand *h = r->s.by_hand;
    for (size_t i = 0; h && i < h->branches.len; i++)
        offer(c, "", h->branches.at[i].name, "");
}

/* Where the value begins in which row[at] is: after its `=`, of a list also after a comma; 0: in
 * none. */
static int value_start(const char *row, int at)
{
    int start = at;
    bool begins = at > 0 && strchr("=,", row[at - 1]);
    while (begins && start > 0 &&
           (isalnum((unsigned char)row[start - 1]) || strchr("_-,", row[start - 1])))
        start--;
    return begins && start > 0 && row[start - 1] == '=' ? start : 0;
}

/* What may follow `key=` at row[at]; false: no key of the command stands before it. */
static bool offer_values(Candidates *c, Repl *r, const Command *k, const char *row, int at)
{
    DeclaredOption o;
    int end = value_start(row, at) - 1, start = end;
    if (end < 1)
        return false;
    while (start > 0 && ((row[start - 1] >= 'a' && row[start - 1] <= 'z') || row[start - 1] == '_'))
        start--;
    char key[32], value[64];
    snprintf(key, sizeof key, "%.*s", end - start, row + start);
    if (!declared_find(k, key, strlen(key), &o))
        return false;
    const char *word;
    size_t n;
    for (int i = 0; declared_value(&o, i, &word, &n); i++)
        if (declared_is_word(word, n)) {
            snprintf(value, sizeof value, "%.*s", (int)n, word);
            offer(c, "", value, "");
        }
    if (declared_is_switch(&o))
        offer_list(c, "on off", "");
    if (strncmp(key, "pass", 4) == 0 || strcmp(key, "off") == 0)
        offer_passes(c, r, "");
    bool lists = strncmp(k->name, "step", 4) == 0; /* what fired; others want what may */
    bool rule = strcmp(key, "rule") == 0 || strcmp(key, "until") == 0 || strcmp(key, "hide") == 0;
    if (rule && r->s.listed && lists)
        offer_fired(c, &r->s.listed->log);
    else if (rule || strcmp(key, "off") == 0)
        offer_rules(c, r);
    if (strcmp(key, "grad") == 0 || strcmp(key, "scan") == 0)
        offer_names(c, r);
    if (strcmp(key, "branch") == 0)
        offer_branches(c, r);
    return true;
}

/* The keys, with = behind them. */
static void offer_keys(Candidates *c, const Command *k)
{
    for (DeclaredOption o = {0}; declared_next(k, &o);) {
        char key[48];
        bool off = declared_is_switch(&o); /* with what it is not anyhow */
        snprintf(key, sizeof key, "%.*s=%.*s", (int)o.length, o.key, off ? (int)o.extent : 0,
                 o.values);
        offer(c, "", key, "");
    }
}

/* Is the first word of the command, at row[at], a rule? */
static bool takes_rule(const Command *k, const char *row, int at)
{
    size_t n = strcspn(row, " ");
    n += strspn(row + n, " ");
    bool first = strncmp(k->args, "RULE", 4) == 0 || strcmp(k->name, "rule") == 0;
    return first && n >= (size_t)at;
}

/* The word before the one at row[at] is `fires`. */
static bool after_fires(const char *row, int at)
{
    const char *word = claim_words[CLAIM_FIRES];
    int n = (int)strlen(word);
    while (at > 0 && row[at - 1] == ' ')
        at--;
    return at > n && row[at - n - 1] == ' ' && strncmp(row + at - n, word, (size_t)n) == 0;
}

static void offer_claim(Candidates *c, Repl *r, const char *row, int at)
{
    if (after_fires(row, at))
        offer_rules(c, r);
    for (int i = 0; i < CLAIM_NONE && !after_fires(row, at); i++)
        offer(c, "", claim_words[i], "");
}

/* Does a word before row[at] name a file that the command writes or reads? */
static bool has_file(const Command *k, const char *row, int at)
{
    char endings[128];
    if (!declared_endings(k, endings, sizeof endings))
        return false;
    for (int end = 0, start; end < at; end++) {
        start = end;
        while (end < at && row[end] != ' ')
            end++;
        const char *dot = memchr(row + start, '.', (size_t)(end - start));
        for (const char *ending = dot ? endings : ""; *ending; ending += *ending == ' ') {
            size_t n = strcspn(ending, " ");
            if (end < at && (size_t)(end - start) > n && strncmp(row + end - n, ending, n) == 0 &&
                row[end - (int)n - 1] == '.')
                return true;
            ending += n;
        }
    }
    return false;
}

static void offer_lessons(Candidates *c)
{
    for (size_t k = 1; k <= lesson_count(); k++) {
        ShelfLesson l = lesson_at(k);
        offer(c, "", l.name, "");
        lesson_put_back(&l);
    }
    offer(c, "", "reset", "");
}

/* What may follow at row[at]: a name or `while`, then a condition, of some a rule. */
static void offer_reduction(Candidates *c, Repl *r, const char *row, int at)
{
    Text t = {0};
    text_putn(&t, row, (size_t)at);
    const char *before = text_str(&t), *condition = strstr(before, " while ");
    size_t fires = strlen(" fires ");
    if (condition && t.len > fires && !strcmp(before + t.len - fires, " fires "))
        offer_rules(c, r);
    for (size_t i = 0; condition && condition_words(i); i++) {
        char words[32];
        snprintf(words, sizeof words, "%.*s", (int)strcspn(condition_words(i), " "),
                 condition_words(i));
        offer(c, "", words, "");
    }
    if (!condition) {
        offer_names(c, r);
        offer(c, "", "while", "");
    }
    text_free(&t);
}

char **complete_argument(Repl *r, Candidates *c, const Command *k, const char *row, int at)
{
    bool needed = false,
         expr = declared_takes(k, "EXPR", &needed) || declared_takes(k, "OP", &needed);
    bool file = declared_takes(k, "FILE", &needed), path = strchr(c->word, '/') != NULL;
    if (file && (path || (!expr && strcmp(k->name, "learn") != 0)))
        return line_complete_files(c->word);
    if (offer_values(c, r, k, row, at))
        return NULL;
    if (at > 0 && row[at - 1] == '%') {
        offer_numbers(c, r);
        return NULL;
    }
    if (has_file(k, row, at)) {
        offer_keys(c, k);
        return NULL;
    }
    if (takes_rule(k, row, at))
        offer_rules(c, r);
    else if (strcmp(k->name, "reduce") == 0)
        offer_reduction(c, r, row, at);
    else if (strcmp(k->name, "help") == 0)
        offer_topics(c, r);
    else if (strcmp(k->name, "learn") == 0)
        offer_lessons(c);
    else if (strcmp(k->name, "set") == 0)
        offer_settings(c, r, row, at);
    else if (strcmp(k->name, "ops") == 0)
        for (int i = 0; i < CLASS_COUNT; i++)
            offer(c, "", class_name((OpClass)i), "");
    else if (strcmp(k->name, "rules") == 0) {
        offer_passes(c, r, "");
    } else if (expr)
        offer_names(c, r);
    if (declared_claim(k))
        offer_claim(c, r, row, at);
    if (strcmp(k->name, "trace") == 0)
        offer_list(c, "nan forward backward", "");
    offer_keys(c, k);
    if (!c->list.len && file && needed)
        return line_complete_files(c->word);
    return NULL;
}

const char *argument_help(const char *command, const char *key, size_t *n)
{
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(commands[i].name, command) != 0)
            continue;
        size_t len = strlen(key);
        for (const char *line = commands[i].more; line; line = strchr(line, '\n')) {
            line += *line == '\n';
            const char *at = line + strspn(line, " ");
            *n = strcspn(at, "\n");
            const char *found = strstr(at, key);
            if (found && found < at + *n && (found == at || found[-1] == ' ' || found[-1] == '|'))
                return strncmp(at, key, len) == 0 ? at : found;
            line = at;
        }
    }
    return NULL;
}
