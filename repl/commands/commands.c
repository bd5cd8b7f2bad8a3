/* Dispatch of commands: finding the row, taking the arguments apart, printing.
 *
 * Arguments are peeled off from the right: key=value with a key of the command, then
 * a word that is quoted or has a known extension (the file); the rest is the expression.  A
 * word inside brackets belongs to the expression. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "repl/commands/commands.h"
#include "repl/commands/derivation_by_hand.h"
#include "repl/commands/draw_options.h"
#include "repl/commands/show.h"
#include "viz/scene/draw.h"

#include <errno.h>

const Command commands[] = {
#define C(NAME, ARGS, TAKES, KEYS, FILES, HELP, MORE) \
    {#NAME, ARGS, TAKES, KEYS, FILES, command_##NAME, HELP, MORE},
#include "repl/commands/commands.def"
#undef C
};
const size_t command_count = COUNT_OF(commands);

bool call_fail(Call *c, Span span, const char *code, const char *hint, const char *fmt, ...)
{
    Text message = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&message, fmt, ap);
    va_end(ap);
    diag_add(&c->r->s.diags, code, span, hint, "%s", text_str(&message));
    text_free(&message);
    return false;
}

bool call_unknown(Call *c, Span span, const char *what, const char *name, const char *const *names,
                  size_t n, const char *otherwise)
{
    const char *close = closest_name(name, names, n);
    return call_fail(c, span, "unknown-name",
                     close ? report_format(&c->report, "did you mean %s?", close) : otherwise,
                     "%s %s", what, name);
}

bool call_put_file(Call *c, const Text *bytes, const char *about)
{
    const Listener *to = &c->r->listener;
    c->collected = to->file != NULL;
    if (store_short(&c->r->s.st, "here"))
        return false; /* parts may be missing */
    if (to->file)
        return to->file(to->ctx, c->file, bytes, about, c->file_span);
    return write_file(c->file, bytes->at, bytes->len) ||
           call_fail(c, c->file_span, "io", NULL, "%s cannot be written: %s", c->file,
                     strerror(errno));
}

/* ---- finding a command ---- */

static void unknown_command(Repl *r, const char *word, Span span)
{
    const char *names[COUNT_OF(commands)];
    for (size_t i = 0; i < command_count; i++)
        names[i] = commands[i].name;
    const char *close = closest_name(word, names, command_count);
    Text hint = {0};
    text_printf(&hint, close ? "did you mean :%s?" : ":help lists the commands", close);
    diag_add(&r->s.diags, "unknown-command", span, text_str(&hint), "there is no command :%s",
             word);
    text_free(&hint);
}

/* What a short beginning of several commands means: the one that is used most. Nothing that cannot
 * be taken back. */
static const char often[] = "help type graph steps draw why explain vars load set next prev plan "
                            "compare until rules history moves goto";

/* The first of these that the word begins; NULL: none. */
static const Command *used_most(const char *word)
{
    for (const char *s = often; *s; s += *s == ' ') {
        size_t n = strcspn(s, " ");
        for (size_t i = 0; *word && i < command_count && strncmp(s, word, strlen(word)) == 0; i++)
            if (strlen(commands[i].name) == n && strncmp(commands[i].name, s, n) == 0)
                return &commands[i];
        s += n;
    }
    return NULL;
}

const Command *command_find(Repl *r, const char *word, Span span, bool error)
{
    const Command *found = NULL;
    Text several = {0};
    int count = 0;
    for (size_t i = 0; i < command_count; i++) {
        if (strncmp(commands[i].name, word, strlen(word)) != 0)
            continue;
        found = &commands[i];
        if (strcmp(found->name, word) == 0) {
            count = 1;
            break;
        }
        text_printf(&several, "%s:%s", count++ ? ", " : "", found->name);
    }
    if (count > 1 && used_most(word)) {
        found = used_most(word);
        Text told = {0};
        if (error && r->at_prompt && !r->json)
            text_printf(&told, "(:%s is :%s; also %s)\n", word, found->name, text_str(&several));
        show_put(r, &told);
        count = 1;
    }
    if (count > 1 && error)
        diag_add(&r->s.diags, "unknown-command", span, NULL, ":%s could be %s", word,
                 text_str(&several));
    if (count == 0 && error)
        unknown_command(r, word, span);
    text_free(&several);
    return count == 1 ? found : NULL;
}

/* ---- peeling arguments off the right ---- */

static bool word_in(const char *word, size_t n, const char *list)
{
    for (size_t len; *list; list += len + (list[len] == ' ')) {
        len = strcspn(list, " ");
        if (len == n && strncmp(word, list, n) == 0)
            return true;
    }
    return false;
}

/* The last word of text[0, *end): its start; SIZE_MAX if there is none or it is inside brackets. */
static size_t last_word(const char *text, size_t *end)
{
    size_t start = SIZE_MAX, stop = 0;
    int depth = 0, depth_at_start = 0;
    bool quoted = false, inside = false;
    for (size_t i = 0; i < *end; i++) {
        char ch = text[i];
        if (!inside && ch != ' ' && ch != '\t') {
            inside = true;
            start = i;
            depth_at_start = depth;
        }
        if (ch == '"' && (i == 0 || text[i - 1] != '\\'))
            quoted = !quoted;
        if (inside && !quoted && (ch == ' ' || ch == '\t'))
            inside = false;
        if (inside)
            stop = i + 1;
        if (!quoted)
            depth += (strchr("([{", ch) != NULL) - (strchr(")]}", ch) != NULL);
    }
    *end = start == SIZE_MAX ? 0 : stop;
    return depth_at_start == 0 && depth == 0 ? start : SIZE_MAX;
}

static Span part_of(const Call *c, size_t start, size_t end)
{
    return (Span){c->rest.src, c->rest.start + (u32)start, c->rest.start + (u32)end};
}

/* Of a key of commands; `sizes`: or of any name. */
static bool is_of_key(const char *w, size_t k, bool sizes)
{
    char ch = w[k];
    return (ch >= 'a' && ch <= 'z') || ch == '_' ||
           (sizes && ((ch >= 'A' && ch <= 'Z') || (ch & 0x80) || (k && ch >= '0' && ch <= '9')));
}

/* Length of the key of `key=value` or `key=`, or 0. */
static size_t key_length(const char *w, size_t n, bool sizes)
{
    size_t k = 0;
    while (k < n && is_of_key(w, k, sizes))
        k++;
    bool keyed = k > 0 && k < n && w[k] == '=';
    return keyed && (k + 1 == n || (w[k + 1] != '=' && w[k + 1] != '>')) ? k : 0;
}

static bool unknown_key(Call *c, const char *w, size_t k, Span span)
{
    char *key = arena_strndup(&c->arena, w, k);
    const char *hint = NULL;
    Text keys = {0};
    for (const char *s = c->info->keys; *s;) {
        size_t n = strcspn(s, " ");
        const char *known = arena_strndup(&c->arena, s, n);
        text_printf(&keys, "%s%s=", keys.len ? ", " : "it takes ", known);
        if (!hint && closest_name(key, &known, 1))
            hint = report_format(&c->report, "did you mean %s=?", known);
        s += n + (s[n] == ' ');
    }
    const char *all = report_take(&c->report, &keys);
    return call_fail(c, span, "unknown-key",
                     hint   ? hint
                     : *all ? all
                            : NULL,
                     ":%s takes no %s=", c->info->name, key);
}

/* Is it a key of any name here? Those of e-graphs are told by their word, which stands before. */
static bool takes_sizes(const Call *c, size_t before)
{
    static const char word[] = " egraph ";
    if (!(c->info->takes & EGRAPH_SIZES))
        return (c->info->takes & TAKE_SIZES) != 0;
    const char *at = strstr(c->text, word);
    return at && (size_t)(at - c->text) < before;
}

static bool peel_option(Call *c, const char *w, size_t n, size_t start, bool *taken)
{
    bool sizes = takes_sizes(c, start);
    size_t k = key_length(w, n, sizes);
    *taken = false;
    if (!k)
        return true;
    Span span = part_of(c, start, start + n);
    if (k + 1 == n && !word_in(w, k, c->info->keys))
        return true; /* of the expression */
    if (!word_in(w, k, c->info->keys) && !sizes)
        return unknown_key(c, w, k, span);
    if (k + 1 == n)
        return call_fail(c, span, "usage", NULL, "%.*s= needs a value", (int)k, w);
    char *key = arena_strndup(&c->arena, w, k);
    if (call_option(c, key))
        return call_fail(c, span, "usage", NULL, "%s= is given twice", key);
    if (c->noptions == (int)COUNT_OF(c->options))
        return call_fail(c, span, "usage", NULL, "too many arguments");
    span.start += (u32)k + 1;
    c->options[c->noptions++] = (Option){key, arena_strndup(&c->arena, w + k + 1, n - k - 1), span};
    *taken = true;
    return true;
}

static bool is_file(const Command *info, const char *w, size_t n)
{
    if (n >= 2 && w[0] == '"' && w[n - 1] == '"')
        return true;
    size_t dot = n;
    while (dot > 0 && w[dot - 1] != '.')
        dot--;
    return dot > 1 && word_in(w + dot, n - dot, info->files);
}

static void take_file(Call *c, const char *w, size_t n, size_t start)
{
    Text name = {0};
    bool quoted = n >= 2 && w[0] == '"' && w[n - 1] == '"';
    for (size_t i = quoted; i < n - quoted; i++) {
        i += quoted && w[i] == '\\' && i + 2 < n;
        text_putc(&name, w[i]);
    }
    c->file = report_take(&c->report, &name);
    c->file_span = part_of(c, start, start + n);
}

/* Options and the file; what is left is text[0, end). */
static bool peel(Call *c)
{
    size_t end = strlen(c->text);
    bool wants_file = (c->info->takes & (TAKE_FILE | NEED_FILE)) != 0;
    bool only_file = wants_file && !(c->info->takes & (TAKE_EXPR | NEED_EXPR | TAKE_WORDS));
    for (;;) {
        size_t stop = end, start = last_word(c->text, &stop);
        if (stop == 0 || start == SIZE_MAX)
            break;
        const char *w = c->text + start;
        bool taken = false;
        bool keyed = !(c->info->takes & TAKE_WORDS) && !only_file;
        if (keyed && !peel_option(c, w, stop - start, start, &taken))
            return false;
        if (!taken && wants_file && !c->file && (only_file || is_file(c->info, w, stop - start))) {
            take_file(c, w, stop - start, start);
            taken = true;
        }
        if (!taken)
            break;
        end = start;
    }
    while (end > 0 && strchr(" \t", c->text[end - 1]))
        end--;
    c->text[end] = '\0';
    c->rest.end = c->rest.start + (u32)end;
    return true;
}

static bool peel_number(Call *c)
{
    c->number = -1;
    if (!(c->info->takes & TAKE_NUMBER))
        return true;
    const char *s = c->text;
    char *end = NULL;
    i64 k = s[0] == '%' && s[1] >= '0' && s[1] <= '9' ? strtoll(s + 1, &end, 10) : -1;
    if (k < 0 || (*end && !strchr(" \t", *end)))
        return call_fail(c, part_of(c, 0, strcspn(s, " \t")), "usage",
                         "the numbers are those of :steps and :graph", ":%s takes a node, %%3",
                         c->info->name);
    c->number = k;
    c->number_span = part_of(c, 0, (size_t)(end - s));
    size_t skip = (size_t)(end - s) + strspn(end, " \t");
    c->text += skip;
    c->rest.start += (u32)skip;
    return true;
}

/* The text of what the command is about if there is no expression; NULL: nothing. */
static const char *at_hand(const Call *c)
{
    const Session *s = &c->r->s;
    if (!(c->info->takes & OR_AT_HAND))
        return NULL;
    return s->proof ? s->proof_of : s->by_hand ? s->by_hand->text : NULL;
}

static bool check_arity(Call *c)
{
    u32 takes = c->info->takes;
    const char *name = c->info->name,
               *hint = report_format(&c->report, ":%s %s", name, c->info->args);
    if (*c->text && !(takes & (TAKE_EXPR | NEED_EXPR | TAKE_WORDS)))
        return call_fail(c, c->rest, "usage", hint,
                         takes & NEED_FILE
                             ? ":%s takes one file; a name with blanks is put in quotes"
                             : ":%s takes no arguments",
                         name);
    if ((takes & NEED_EXPR) && !*c->text && !at_hand(c))
        return call_fail(c, c->span, "usage", hint, ":%s needs an expression", name);
    return !(takes & NEED_FILE) || c->file ||
           call_fail(c, c->span, "usage", hint, ":%s needs a file", name);
}

/* ---- arguments for the functions ---- */

const Option *call_option(const Call *c, const char *key)
{
    for (int i = 0; i < c->noptions; i++)
        if (strcmp(c->options[i].key, key) == 0)
            return &c->options[i];
    return NULL;
}

bool call_count(Call *c, const char *key, i64 fallback, i64 limit, i64 *out)
{
    const Option *o = call_option(c, key);
    *out = fallback;
    if (!o)
        return true;
    const char *digits = o->value + (*o->value == '%' && strcmp(key, "focus") == 0);
    char *end;
    i64 k = *digits >= '0' && *digits <= '9' ? strtoll(digits, &end, 10) : -1;
    if (k < 0 || *end)
        return call_fail(c, o->span, "usage", NULL, "%s= takes a whole number", key);
    if (k > limit)
        return call_fail(c, o->span, "usage", NULL, "%s= goes up to %lld here", key,
                         (long long)limit);
    *out = k;
    return true;
}

bool call_choice(Call *c, const char *key, const char *const *words, int count, int *out)
{
    const Option *o = call_option(c, key);
    Text all = {0};
    for (int i = 0; o && i < count; i++) {
        text_printf(&all, "%s%s", i == 0 ? "" : count == 2 ? " or " : ", ", words[i]);
        if (strcmp(o->value, words[i]) == 0)
            *out = i, o = NULL;
    }
    char *known = report_take(&c->report, &all);
    return !o || call_fail(c, o->span, "usage", NULL, "%s= is %s%s", key,
                           count > 2 ? "one of " : "", known);
}

bool call_number(Call *c, const char *key, i64 fallback, i64 least, i64 most, i64 *out)
{
    const Option *o = call_option(c, key);
    if (!call_count(c, key, fallback, INT64_MAX, out))
        return false;
    return !o || (*out >= least && *out <= most) ||
           call_fail(c, o->span, "usage", NULL, "%s= goes from %lld to %lld", key, (long long)least,
                     (long long)most);
}

bool call_text(Call *c, const char *key, const char **text)
{
    const Option *o = call_option(c, key);
    if (!o)
        return true;
    Text t = {0};
    size_t n = strlen(o->value);
    bool quoted = o->value[0] == '"';
    if (quoted && (n < 2 || o->value[n - 1] != '"'))
        return call_fail(c, o->span, "usage", NULL, "the quotes of %s= are not closed", key);
    for (size_t i = quoted; i < n - quoted; i++) {
        i += quoted && o->value[i] == '\\' && i + 2 < n;
        text_putc(&t, o->value[i]);
    }
    *text = report_take(&c->report, &t);
    return true;
}

bool call_word(Call *c, const char **word, Span *span)
{
    size_t blank = strspn(c->text, " \t"), n = strcspn(c->text + blank, " \t");
    if (!n)
        return false;
    *word = arena_strndup(&c->arena, c->text + blank, n);
    *span = part_of(c, blank, blank + n);
    c->text += blank + n;
    c->rest.start += (u32)(blank + n);
    return true;
}

bool call_has_expr(const Call *c) { return *c->text != '\0'; }

bool call_last_word(Call *c, const char *word)
{
    size_t end = strlen(c->text), start = last_word(c->text, &end);
    bool alone = at_hand(c) != NULL;
    if (start == SIZE_MAX || (start == 0 && !alone) || end - start != strlen(word) ||
        strncmp(c->text + start, word, end - start) != 0)
        return false;
    while (start > 0 && strchr(" \t", c->text[start - 1]))
        start--;
    c->text[start] = '\0';
    c->rest.end = c->rest.start + (u32)start;
    return alone || *c->text != '\0';
}

Value *call_value(Call *c) { return session_value(&c->r->s, c->rest); }

int call_roots(Call *c, Value **value, Node ***roots)
{
    Value *v = call_value(c);
    if (value)
        *value = v;
    return v ? session_roots(&c->r->s, v, c->rest, roots) : -1;
}

static bool is_at_hand(const Call *c) { return !call_has_expr(c) && at_hand(c); }

static Exploration *explore_at_hand(Call *c)
{
    Session *s = &c->r->s;
    const char *text = at_hand(c);
    c->text = arena_strndup(&c->arena, text, strlen(text));
    if (!s->proof)
        return call_hand_steps(c);
    things_renumber(s->proof);
    return s->last = s->listed = s->proof;
}

Exploration *call_steps(Call *c)
{
    Node **roots = NULL;
    if (is_at_hand(c))
        return explore_at_hand(c);
    int n = call_roots(c, NULL, &roots);
    if (n < 0)
        return NULL;
    c->r->s.st.span = c->rest;
    Exploration *x = session_explore(&c->r->s, n, roots);
    free(roots);
    c->r->s.listed = x ? x : c->r->s.listed;
    return x;
}

Exploration *call_explore(Call *c)
{
    bool numbered = is_at_hand(c);
    Exploration *x = call_steps(c);
    if (x && !numbered)
        things_renumber(x);
    return x;
}

Exploration *call_last(Call *c)
{
    if (c->r->s.last && session_last_outdated(&c->r->s)) {
        text_put(&c->out,
                 "as explored before the settings changed; `:steps EXPR` explores again\n");
        json_key(&c->data, "outdated");
        json_bool(&c->data, true);
    }
    return c->r->s.last;
}

/* ---- running ---- */

static bool run_call(Call *c, const Stmt *stmt)
{
    c->rest = stmt->rest_span;
    c->text = arena_strndup(&c->arena, stmt->rest, strlen(stmt->rest));
    c->rest.end = c->rest.start + (u32)strlen(stmt->rest);
    c->number = -1;
    c->data.out = &c->data_text;
    c->report = (Report){.text = &c->out, .data = &c->data, .arena = &c->arena};
    if (!peel(c) || !peel_number(c) || !check_arity(c))
        return false;
    json_begin(&c->data, '{');
    bool ok = c->info->run(c);
    json_end(&c->data, '}');
    return ok;
}

void command_run(Repl *r, const Stmt *stmt)
{
    Span word = stmt->span;
    word.end = word.start + 1 + (u32)strlen(stmt->command);
    Call c = {.r = r, .span = word, .info = command_find(r, stmt->command, word, true)};
    if (!c.info)
        return;
    bool ok = run_call(&c, stmt);
    ok = !store_short(&r->s.st, "here") && ok; /* parts may be missing, whatever it says */
    bool says = c.out.len || c.report.tables.len || c.data_text.len > 2;
    if (ok && says && !c.collected)
        show_command(r, c.info->name, &c.report);
    if (ok && c.image.len)
        show_put(r, &c.image);
    report_free(&c.report);
    text_free(&c.out);
    text_free(&c.image);
    text_free(&c.data_text);
    arena_free(&c.arena);
}
