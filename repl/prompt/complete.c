/* What the line editor asks: is an entry complete, what may a word become, what is
 * there to say about it. */
#include "repl/commands/commands.h"
#include "repl/prompt/candidates.h"
#include "repl/prompt/prompt.h"
#include "syntax/lex.h"
#include "repl/commands/help.h"
#include "repl/commands/show.h"

#include "graph/print.h"
#include "rewrite/things.h"

/* ---- incomplete entries ---- */

/* "1,05 * 2": no statement begins so, whatever follows. */
static bool begins_with_comma(const char *text)
{
    text += strspn(text, " \t");
    size_t digits = strspn(text, "0123456789.");
    return digits && text[digits] == ',';
}

/* "5 %": a percentage, not the beginning of a remainder. */
static bool is_percentage(const char *text)
{
    size_t n = strspn(text, "0123456789. ");
    return n && text[n] == '%' && !text[n + 1 + strspn(text + n + 1, " \r\n")];
}

bool complete_is_partial(const char *text, void *ctx)
{
    (void)ctx;
    if (begins_with_comma(text) || is_percentage(text))
        return false;
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

void offer(Candidates *c, const char *before, const char *name, const char *after)
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

void offer_list(Candidates *c, const char *words, const char *after)
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

void offer_names(Candidates *c, Repl *r)
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

enum { MOST_NUMBERS = 2000 };

void offer_numbers(Candidates *c, Repl *r)
{
    const Thing *thing;
    char number[16];
    for (u32 k = 1; k < MOST_NUMBERS && r->s.listed && (thing = thing_numbered(r->s.listed, k));
         k++) {
        snprintf(number, sizeof number, "%u", k);
        offer(c, "", number, "");
    }
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

/* The parts of a tuple, or of one inside it: p., p.a. */
static bool offer_parts(Candidates *c, const Value *v, const char *path, const char *last,
                        const char *before)
{
    while (v && path < last) {
        char name[64];
        size_t n = strcspn(path + 1, ".");
        snprintf(name, sizeof name, "%.*s", (int)n, path + 1);
        int i = tuple_part(v, name);
        v = i < 0 ? NULL : v->items[i];
        path += n + 1;
    }
    for (int i = 0; v && v->kind == V_TUPLE && v->names && i < v->nitems; i++)
        offer(c, before, v->names[i], "");
    return v && v->kind == V_TUPLE && v->names;
}

/* The word is `name.` and perhaps more of a field, `name.final.` and perhaps more of a state, or a
 * part of a tuple; false: it is no result of a scan and no tuple with names. */
static bool offer_fields(Candidates *c, Repl *r)
{
    const char *dot = strchr(c->word, '.'), *last = strrchr(c->word, '.');
    char name[64], before[80];
    if (!dot || (size_t)(last - c->word) >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)(dot - c->word), c->word);
    snprintf(before, sizeof before, "%.*s", (int)(last + 1 - c->word), c->word);
    const Value *v = env_own(r->s.elab.globals, symbol(&r->s.st, name));
    if (v && v->kind == V_TUPLE)
        return offer_parts(c, v, dot, last, before);
    bool states = last != dot;
    if (states && (last - dot != 6 || strncmp(dot, ".final", 6) != 0))
        return false;
    if (!v || v->kind != V_RECORD)
        return false;
    for (int i = 0; i < v->record->nequations; i++)
        if (!states || v->record->equations[i].finals)
            offer(c, before, v->record->equations[i].name, "");
    if (states)
        return true;
    offer(c, before, "final", "");
    offer(c, before, "steps", "");
    if (v->record->scan->op == OP_SCAN)
        offer(c, before, "stopped", "");
    return true;
}

char **complete_word(const char *buffer, int start, int end, const char *word, void *ctx)
{
    (void)end;
    Repl *r = ctx;
    Candidates c = {.word = word};
    int row = start;
    r->completing = NULL;
    offer_parameters(&c, r, buffer, start);
    while (row > 0 && buffer[row - 1] != '\n')
        row--;
    if (*word == ':') {
        for (size_t i = 0; i < command_count; i++)
            offer(&c, ":", commands[i].name, "");
    } else if (offer_fields(&c, r)) {
        ;
    } else if (buffer[row] == ':') {
        char name[32] = "";
        sscanf(buffer + row, ":%31[a-z]", name);
        const Command *k = command_named(r, name, NULL);
        r->completing = k ? k->name : NULL;
        char **files = k ? complete_argument(r, &c, k, buffer + row, start - row) : NULL;
        if (files)
            return files;
    } else {
        if (start > 0 && buffer[start - 1] == '%')
            offer_numbers(&c, r);
        if (!c.list.len)
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
        value_type_print(&r->s.elab, &type, v);
        text_put(&r->help, text_str(&type) + strlen("function"));
        text_free(&type);
    } else {
        value_type_print(&r->s.elab, &r->help, v);
    }
    text_putc(&r->help, '\n');
}

static void help_on_command(Repl *r, const char *word)
{
    const Command *k = command_named(r, word, NULL);
    if (!k)
        return;
    text_printf(&r->help, ":%s %s  %s\n", k->name, k->args, k->help);
    if (*k->more)
        text_printf(&r->help, "%s\n", k->more);
}

/* Node 12 of the last listing, as it was first. */
static void help_on_number(Repl *r, const char *word)
{
    Exploration *x = r->s.listed;
    const Thing *thing = x ? thing_numbered(x, (u32)strtoul(word, NULL, 10)) : NULL;
    if (!thing)
        return;
    x->numbering.within = thing_graph(thing);
    node_print_line(x->st, &r->help, thing->last->node, &x->numbering);
    x->numbering.within = NULL;
    text_putc(&r->help, '\n');
}

static void help_on_key(Repl *r, const char *word)
{
    size_t n;
    const char *line = r->completing ? argument_help(r->completing, word, &n) : NULL;
    if (line)
        text_printf(&r->help, "%.*s\n", (int)strcspn(line, "\n"), line);
}

const char *complete_help(const char *word, void *ctx)
{
    Repl *r = ctx;
    r->help.len = 0;
    if (*word >= '0' && *word <= '9')
        help_on_number(r, word);
    if (word[0] && word[strlen(word) - 1] == '=')
        help_on_key(r, word);
    if (*word == ':') {
        help_on_command(r, word + 1);
        return r->help.len ? text_str(&r->help) : NULL;
    }
    Value *v = env_own(r->s.elab.globals, symbol(&r->s.st, word));
    const Builtin *b = builtin_by_name(word);
    OpId op = op_by_name(word);
    ManualTopic topic;
    const Rule *rule = rule_by_name(r->s.rules, word);
    if (r->help.len)
        return text_str(&r->help);
    if (v)
        help_on_value(r, word, v);
    else if (b)
        text_printf(&r->help, "%s(%s): %s\n", b->name, b->signature, b->doc);
    else if (manual_topic(word, &topic))
        help_put_topic(&r->s.options.pipeline, &r->help, &topic);
    else if (op != OP_COUNT)
        text_printf(&r->help, "%s: %s\n", word, op_table[op].doc);
    else if (rule)
        text_printf(&r->help, "%s: %s\n", word, rule->text ? rule->text : rule->reason);
    return r->help.len ? text_str(&r->help) : NULL;
}
