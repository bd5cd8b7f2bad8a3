/* What the line editor asks: is an entry complete, what may a word become, what is
 * there to say about it. */
#include "repl/commands/draw_options.h"
#include "repl/prompt/prompt.h"
#include "syntax/lex.h"
#include "repl/commands/help.h"
#include "repl/commands/show.h"

/* ---- incomplete entries ---- */

bool complete_is_partial(const char *text, void *ctx)
{
    (void)ctx;
    Source src = {
        .name = (char[]){"<entry>"}, .text = (char *)(uintptr_t)text, .len = strlen(text)};
    Arena arena = {0};
    Diags diags = {0};
    Parser p;
    ParseStatus status;
    Stmt *stmt;
    parser_init(&p, &src, &arena, &diags, true);
    do
        status = parse_statement(&p, &stmt);
    while (status == PARSE_OK);
    diags_free(&diags);
    arena_free(&arena);
    return status == PARSE_INCOMPLETE;
}

/* ---- completion ---- */

typedef struct {
    const char *word;
    VEC(char *) list;
} Candidates;

static void offer(Candidates *c, const char *before, const char *name, const char *after)
{
    Text full = {0};
    text_printf(&full, "%s%s%s", before, name, after);
    bool known = strncmp(text_str(&full), c->word, strlen(c->word)) != 0;
    for (size_t i = 0; i < c->list.len && !known; i++)
        known = strcmp(c->list.at[i], full.at) == 0;
    if (known)
        text_free(&full);
    else
        vec_push(&c->list, text_take(&full));
}

static void offer_list(Candidates *c, const char *words, const char *after)
{
    char word[64];
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        n = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, words);
        offer(c, "", word, after);
    }
}

static bool is_function(const Value *v)
{
    return v && (v->kind == V_FUNCTION || v->kind == V_DERIVED || v->kind == V_BUILTIN);
}

static bool is_identifier(const char *s)
{
    return (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || *s == '_' || (*s & 0x80);
}

static void offer_names(Candidates *c, Repl *r)
{
    const char **names = NULL;
    size_t n = session_names(&r->s, &names);
    for (size_t i = 0; i < n; i++) {
        Value *v = env_own(r->s.elab.globals, symbol(&r->s.st, names[i]));
        offer(c, "", names[i], is_function(v) ? "(" : "");
    }
    free(names);
    for (size_t i = 0; i < builtin_count; i++)
        if (is_identifier(builtins[i].name) &&
            !env_own(r->s.elab.globals, symbol(&r->s.st, builtins[i].name)))
            offer(c, "", builtins[i].name, "(");
    for (size_t i = 0; i < r->s.sizes.len; i++)
        offer(c, "", r->s.sizes.at[i], "");
    for (size_t i = 0; *c->word && language_words[i]; i++) /* not after every operator */
        offer(c, "", language_words[i], "");
    if (*c->word)
        offer_list(c, "pi nan inf", "");
}

static void offer_topic(void *ctx, const char *name) { offer(ctx, "", name, ""); }

/* Names that :help knows. */
static void offer_topics(Candidates *c, Repl *r) { help_each_name(r, offer_topic, c); }

static void offer_passes(Candidates *c, Repl *r, const char *before)
{
    for (size_t i = 0; i < r->s.rules.pipeline.len; i++)
        offer(c, before, r->s.rules.pipeline.at[i].name, "");
}

static void offer_rules(Candidates *c, Repl *r)
{
    for (size_t i = 0; i < r->s.rules.all.len; i++)
        offer(c, "", r->s.rules.all.at[i]->name, "");
}

/* Words of :set: the first, or what may follow it. */
static void offer_settings(Candidates *c, Repl *r, const char *row, int at)
{
    char before[32] = "", name[32] = "";
    int words = sscanf(row, ":%*s %31s %31s", before, name);
    bool first = words < 1 || (words == 1 && at > 0 && row[at - 1] != ' ');
    if (first)
        offer_list(c, "allow rule pass passes steps nodes tries memory print color", "");
    else if (strcmp(before, "rule") == 0)
        offer_rules(c, r);
    else if (strncmp(before, "pass", 4) == 0)
        for (size_t i = 0; i < pass_count(); i++)
            offer(c, "", pass_table[i].name, "");
    else if (strcmp(before, "allow") == 0)
        offer_list(c, "default E Z R N+ N- D S C", "");
    else if (strcmp(before, "color") == 0)
        offer_list(c, "auto always never", "");
    if (words > 1 && (strcmp(before, "rule") == 0 || strcmp(before, "pass") == 0))
        offer_list(c, "on off", "");
    else if (strcmp(before, "passes") == 0)
        offer_list(c, "default", "");
}

/* What may follow `key=` at row[at]; false: no key of the command stands before it. */
static bool offer_values(Candidates *c, Repl *r, const Command *k, const char *row, int at)
{
    static const struct {
        const char *key, *values;
    } words[] = {{"times", "on off"}, {"by", "rule step"}, {"inner", "open"}, {"open", "all"}};
    char key[32];
    int start = at - 1;
    if (at < 2 || row[at - 1] != '=')
        return false;
    while (start > 0 && row[start - 1] >= 'a' && row[start - 1] <= 'z')
        start--;
    snprintf(key, sizeof key, "%.*s", at - 1 - start, row + start);
    size_t n = strlen(key);
    const char *known = k->keys;
    while ((known = strstr(known, key)) &&
           ((known != k->keys && known[-1] != ' ') || (known[n] && known[n] != ' ')))
        known += n;
    if (!known || !n)
        return false;
    bool draws = strcmp(k->name, "draw") == 0;
    offer_list(c, draws ? draw_words(key) : "", "");
    for (size_t i = 0; i < COUNT_OF(words) && !draws; i++)
        if (strcmp(words[i].key, key) == 0)
            offer_list(c, words[i].values, "");
    if (strncmp(key, "pass", 4) == 0 || strcmp(key, "off") == 0)
        offer_passes(c, r, "");
    if (strcmp(key, "rule") == 0 || strcmp(key, "off") == 0)
        offer_rules(c, r);
    if (strcmp(key, "grad") == 0 || strcmp(key, "scan") == 0)
        offer_names(c, r);
    return true;
}

/* Is the first word of the command, at row[at], a rule? */
static bool takes_rule(const Command *k, const char *row, int at)
{
    size_t n = strcspn(row, " ");
    n += strspn(row + n, " ");
    bool first = strncmp(k->args, "RULE", 4) == 0 || strcmp(k->name, "rule") == 0;
    return first && n >= (size_t)at;
}

static char **complete_argument(Repl *r, Candidates *c, const Command *k, const char *row, int at)
{
    bool only_file = (k->takes & NEED_FILE) && !(k->takes & NEED_EXPR);
    bool path = strchr(c->word, '/') != NULL;
    if (only_file || (path && (k->takes & NEED_FILE)))
        return line_complete_files(c->word);
    if (offer_values(c, r, k, row, at))
        return NULL;
    if (takes_rule(k, row, at))
        offer_rules(c, r);
    else if (strcmp(k->name, "help") == 0)
        offer_topics(c, r);
    else if (strcmp(k->name, "set") == 0)
        offer_settings(c, r, row, at);
    else if (strcmp(k->name, "ops") == 0)
        for (int i = 0; i < CLASS_COUNT; i++)
            offer(c, "", class_name((OpClass)i), "");
    else if (strcmp(k->name, "rules") == 0) {
        offer_passes(c, r, "");
        offer_list(c, "own off", "");
    } else if (k->takes & (TAKE_EXPR | NEED_EXPR))
        offer_names(c, r);
    offer_list(c, k->keys, "=");
    if (!c->list.len && (k->takes & NEED_FILE))
        return line_complete_files(c->word);
    return NULL;
}

static bool word_char(char c) { return is_identifier((char[]){c, '\0'}) || (c >= '0' && c <= '9'); }

/* Where the arguments begin that buffer[at] stands among: behind the innermost open "(" that
 * follows a name; 0 if there is none. */
static int call_open(const char *buffer, int at)
{
    int depth = 0;
    for (int i = at - 1; i > 0; i--) {
        char c = buffer[i];
        depth += (strchr(")]}", c) != NULL) - (strchr("([{", c) != NULL);
        if (depth < 0)
            return c == '(' && word_char(buffer[i - 1]) ? i + 1 : 0;
    }
    return 0;
}

/* "axis=" of "x, axis=None": the parameters of the function that is being called. */
static void offer_parameters(Candidates *c, Repl *r, const char *buffer, int at)
{
    int open = call_open(buffer, at), from = open - 1;
    char name[64];
    while (from > 0 && word_char(buffer[from - 1]))
        from--;
    if (!open || from == open - 1)
        return;
    snprintf(name, sizeof name, "%.*s", open - 1 - from, buffer + from);
    Value *v = env_own(r->s.elab.globals, symbol(&r->s.st, name));
    const Builtin *b = v ? NULL : builtin_by_name(name);
    for (int i = 0; v && v->kind == V_FUNCTION && i < v->nparams; i++)
        offer(c, "", v->params[i].name, "=");
    for (const char *s = b ? b->signature : ""; *s;) {
        char parameter[64];
        size_t n = strcspn(s, "=,");
        snprintf(parameter, sizeof parameter, "%.*s", (int)n, s);
        offer(c, "", parameter, "=");
        s += strcspn(s, ",");
        s += strspn(s, ", ");
    }
}

char **complete_word(const char *buffer, int start, int end, const char *word, void *ctx)
{
    (void)end;
    Repl *r = ctx;
    Candidates c = {.word = word};
    int row = start;
    offer_parameters(&c, r, buffer, start);
    while (row > 0 && buffer[row - 1] != '\n')
        row--;
    if (*word == ':') {
        for (size_t i = 0; i < command_count; i++)
            offer(&c, ":", commands[i].name, "");
    } else if (buffer[row] == ':') {
        char name[32] = "";
        sscanf(buffer + row, ":%31[a-z]", name);
        const Command *k = command_find(r, name, (Span){0}, false);
        char **files = k ? complete_argument(r, &c, k, buffer + row, start - row) : NULL;
        if (files)
            return files;
    } else {
        offer_names(&c, r);
    }
    if (!c.list.len)
        return NULL;
    vec_push(&c.list, NULL);
    return c.list.at;
}

/* ---- help on a word ---- */

static void help_on_value(Repl *r, const char *word, Value *v)
{
    text_printf(&r->help, "%s%s", word, is_function(v) ? "" : " : ");
    if (is_function(v)) {
        Text type = {0};
        show_value_type(r, &type, v);
        text_put(&r->help, text_str(&type) + strlen("function"));
        text_free(&type);
    } else {
        show_value_type(r, &r->help, v);
    }
    text_putc(&r->help, '\n');
}

static void help_on_command(Repl *r, const char *word)
{
    const Command *k = command_find(r, word, (Span){0}, false);
    if (!k)
        return;
    text_printf(&r->help, ":%s %s  %s\n", k->name, k->args, k->help);
    if (*k->more)
        text_printf(&r->help, "%s\n", k->more);
}

const char *complete_help(const char *word, void *ctx)
{
    Repl *r = ctx;
    r->help.len = 0;
    if (*word == ':') {
        help_on_command(r, word + 1);
        return r->help.len ? text_str(&r->help) : NULL;
    }
    Value *v = env_own(r->s.elab.globals, symbol(&r->s.st, word));
    const Builtin *b = builtin_by_name(word);
    OpId op = op_by_name(word);
    ManualTopic topic;
    if (v)
        help_on_value(r, word, v);
    else if (b)
        text_printf(&r->help, "%s(%s): %s\n", b->name, b->signature, b->doc);
    else if (manual_topic(word, &topic))
        help_put_topic(&r->s.rules, &r->help, &topic);
    else if (op != OP_COUNT)
        text_printf(&r->help, "%s: %s\n", word, op_table[op].doc);
    return r->help.len ? text_str(&r->help) : NULL;
}
