/* What the line editor asks: is an entry complete, what may a word become, what is
 * there to say about it. */
#include "repl/commands.h"
#include "repl/show.h"

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
    if (*c->word) /* not after every operator */
        offer_list(c,
                   "scan over for from using zip strict until checkpoint if then else with and or "
                   "not true false None repeat shared in pi",
                   "");
}

/* Names that :help knows. */
static void offer_topics(Candidates *c, Repl *r)
{
    offer_names(c, r);
    for (size_t i = 0; i < command_count; i++)
        offer(c, "", commands[i].name, "");
    for (int op = 0; op < OP_COUNT; op++)
        offer(c, "", op_table[op].name, "");
    for (size_t i = 0; i < r->s.rules.all.len; i++)
        offer(c, "", r->s.rules.all.at[i]->name, "");
    for (size_t i = 0; i < r->s.rules.pipeline.len; i++)
        offer(c, "", r->s.rules.pipeline.at[i].name, "");
}

static void offer_passes(Candidates *c, Repl *r, const char *before)
{
    for (size_t i = 0; i < r->s.rules.pipeline.len; i++)
        offer(c, before, r->s.rules.pipeline.at[i].name, "");
}

/* Words of :set: the first, or what may follow it. */
static void offer_settings(Candidates *c, Repl *r, const char *row, int at)
{
    char before[32] = "", name[32] = "";
    int words = sscanf(row, ":%*s %31s %31s", before, name);
    bool first = words < 1 || (words == 1 && at > 0 && row[at - 1] != ' ');
    if (first)
        offer_list(c, "allow rule pass steps nodes seconds memory print color", "");
    else if (strcmp(before, "rule") == 0)
        for (size_t i = 0; i < r->s.rules.all.len; i++)
            offer(c, "", r->s.rules.all.at[i]->name, "");
    else if (strcmp(before, "pass") == 0)
        offer_passes(c, r, "");
    else if (strcmp(before, "allow") == 0)
        offer_list(c, "default E Z R N+ N- D S C", "");
    else if (strcmp(before, "color") == 0)
        offer_list(c, "auto always never", "");
    offer_list(c, words > 1 ? "on off" : "", "");
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
    if (takes_rule(k, row, at))
        for (size_t i = 0; i < r->s.rules.all.len; i++)
            offer(c, "", r->s.rules.all.at[i]->name, "");
    else if (strcmp(k->name, "help") == 0)
        offer_topics(c, r);
    else if (strcmp(k->name, "set") == 0)
        offer_settings(c, r, row, at);
    else if (strcmp(k->name, "ops") == 0)
        for (int i = 0; i < CLASS_COUNT; i++)
            offer(c, "", class_name((OpClass)i), "");
    else if (strcmp(k->name, "rules") == 0)
        offer_passes(c, r, "");
    else if (k->takes & (TAKE_EXPR | NEED_EXPR))
        offer_names(c, r);
    offer_list(c, k->keys, "=");
    if (strstr(k->keys, "pass"))
        offer_passes(c, r, "pass=");
    if (!c->list.len && (k->takes & NEED_FILE))
        return line_complete_files(c->word);
    return NULL;
}

char **complete_word(const char *buffer, int start, int end, const char *word, void *ctx)
{
    (void)end;
    Repl *r = ctx;
    Candidates c = {.word = word};
    int row = start;
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
    if (v)
        help_on_value(r, word, v);
    else if (b)
        text_printf(&r->help, "%s(%s): %s\n", b->name, b->signature, b->doc);
    else if (op != OP_COUNT)
        text_printf(&r->help, "%s: %s\n", word, op_table[op].doc);
    return r->help.len ? text_str(&r->help) : NULL;
}
