/* Arguments of commands, taken apart by declaration.  See arguments.h.
 *
 * Arguments are read from the right: options, the file among them; what is left is the expression,
 * or what stands in front of it.
 *
 * Invariant: whatever is wrong with an option's value in itself is said here, before the command
 * runs; a command is left with what depends on its expression. */
#include "repl/commands/arguments.h"

#include "repl/commands/renamed.h"

#include <ctype.h>

static Span span_of(const Call *c, Word w)
{
    return (Span){c->rest.src, c->rest.start + (u32)w.from, c->rest.start + (u32)w.to};
}

/* ---- values ---- */

/* "9", with `inside` also "9.1.2": how many characters; 0: none. */
static size_t number_length(const char *s, bool inside)
{
    size_t n = strspn(s, "0123456789");
    while (n && n < 19 && inside && s[n] == '.' && isdigit((unsigned char)s[n + 1]))
        n += 1 + strspn(s + n + 1, "0123456789");
    return n < 19 ? n : 0;
}

/* "3", "3..8", "3.."; with `list` several of them. */
static bool is_range(const char *s, bool inside, bool list)
{
    do {
        s += *s == ',';
        size_t n = number_length(s, inside);
        s += n;
        if (!n)
            return false;
        if (strncmp(s, "..", 2) == 0) {
            s += 2;
            s += number_length(s, inside);
        }
    } while (list && *s == ',');
    return !*s;
}

static bool is_nodes(const char *s, bool list)
{
    do {
        s += *s == ',';
        s += *s == '%';
        size_t n = number_length(s, false);
        s += n;
        if (!n)
            return false;
    } while (list && *s == ',');
    return !*s;
}

static bool all_digits(const char *s, size_t n) { return n && strspn(s, "0123456789") >= n; }

/* Is the value what this alternative of the declaration means? */
static bool value_fits(const char *value, const char *word, size_t n)
{
    if (declared_is_word(word, n))
        return span_is(word, n, value);
    if (span_is(word, n, "N") || all_digits(word, n))
        return *value && !value[number_length(value, false)] && number_length(value, false);
    if (span_is(word, n, "K"))
        return *value && !value[number_length(value, true)] && number_length(value, true);
    if (span_is(word, n, "N..M"))
        return is_range(value, false, false);
    if (span_is(word, n, "K..L"))
        return is_range(value, true, true);
    if (span_is(word, n, "%K") || span_is(word, n, "%K,%L"))
        return is_nodes(value, n > 2);
    return true;
}

/* "one of a, b, c", "a whole number", for a message. */
static void put_expected(Text *out, const char *key, const DeclaredOption *o)
{
    const char *word;
    size_t n;
    int count = 0;
    while (declared_value(o, count, &word, &n))
        count++;
    bool words = true;
    for (int i = 0; declared_value(o, i, &word, &n); i++)
        words = words && declared_is_word(word, n);
    text_printf(out, words ? "%s= is %s" : "%s= takes %s", key,
                words && count > 2 ? "one of " : "");
    for (int i = 0; declared_value(o, i, &word, &n); i++) {
        text_put(out, i == 0 ? "" : i + 1 == count && (count == 2 || !words) ? " or " : ", ");
        if (span_is(word, n, "N") || all_digits(word, n))
            text_put(out, "a whole number");
        else if (span_is(word, n, "K"))
            text_put(out, "a step: 7, or 9.1");
        else if (span_is(word, n, "N..M"))
            text_printf(out, "a step of the loop or several: %s=3, %s=3..8, %s=3..", key, key, key);
        else if (span_is(word, n, "K..L"))
            text_printf(out, "a step or several: %s=7, %s=9.1, %s=3..8", key, key, key);
        else if (span_is(word, n, "%K"))
            text_printf(out, "a node: %s=%%3", key);
        else if (span_is(word, n, "%K,%L"))
            text_printf(out, "numbers of nodes: %s=%%3,%%5", key);
        else
            text_putn(out, word, n);
    }
}

static bool is_on(const char *value) { return !strcmp(value, "on") || !strcmp(value, "yes"); }
static bool is_off(const char *value) { return !strcmp(value, "off") || !strcmp(value, "no"); }

static bool check_value(Call *c, Option *given, const DeclaredOption *o)
{
    const char *word;
    size_t n;
    if (declared_is_switch(o)) {
        given->choice = is_on(given->value);
        return given->choice || is_off(given->value) ||
               call_fail(c, given->span, "usage", NULL, "%s= is on or off", given->key);
    }
    for (given->choice = 0; declared_value(o, given->choice, &word, &n); given->choice++)
        if (value_fits(given->value, word, n))
            return true;
    Text expected = {0};
    put_expected(&expected, given->key, o);
    return call_fail(c, given->span, "usage", NULL, "%s", report_take(&c->report, &expected));
}

/* The value without the quotes or brackets around it. */
static bool plain_value(Call *c, const char *key, const char *s, size_t n, Span span, char **out)
{
    Text t = {0};
    bool quoted = *s == '"', bracket = *s == '[' && s[n - 1] == ']';
    if (quoted && (n < 2 || s[n - 1] != '"'))
        return call_fail(c, span, "usage", NULL, "the quotes of %s= are not closed", key);
    size_t from = quoted || bracket;
    for (size_t i = from; i < n - from; i++) {
        i += quoted && s[i] == '\\' && i + 2 < n;
        bool gap = bracket && strchr(" \t", s[i]) && (t.len == 0 || t.at[t.len - 1] == ',');
        if (!gap)
            text_putc(&t, s[i]);
    }
    *out = report_take(&c->report, &t);
    return true;
}

/* ---- options ---- */

/* Length of the key of `key=value` or `key=`, or 0. `sizes`: it may have any name. */
static size_t key_length(const char *w, size_t n, bool sizes)
{
    size_t k = 0;
    while (k < n && (islower((unsigned char)w[k]) || w[k] == '_' ||
                     (sizes && (isupper((unsigned char)w[k]) || (w[k] & 0x80) ||
                                (k && isdigit((unsigned char)w[k]))))))
        k++;
    bool keyed = k > 0 && k < n && w[k] == '=';
    return keyed && (k + 1 == n || (w[k + 1] != '=' && w[k + 1] != '>')) ? k : 0;
}

static bool unknown_key(Call *c, const char *w, size_t k, Span span)
{
    char *key = arena_strndup(&c->arena, w, k);
    const char *hint = NULL;
    Text keys = {0};
    for (DeclaredOption o = {0}; declared_next(c->info, &o);) {
        const char *known = arena_strndup(&c->arena, o.key, o.length);
        text_printf(&keys, "%s%s=", keys.len ? ", " : "it takes ", known);
        if (!hint && closest_name(key, &known, 1))
            hint = report_format(&c->report, "did you mean %s=?", known);
    }
    const char *all = report_take(&c->report, &keys);
    return call_fail(c, span, "unknown-key",
                     hint   ? hint
                     : *all ? all
                            : NULL,
                     ":%s takes no %s=", c->info->name, key);
}

/* Of :draw and :explore they are those of the e-graph, and of what nodes cost. */
static bool takes_sizes(const Call *c)
{
    if (strstr(c->info->also, "SIZE="))
        return strstr(c->text, "egraph=") || strstr(c->text, "color=");
    return strstr(c->info->args, "SIZE=");
}

static bool read_option(Call *c, Word word, bool *taken)
{
    const char *w = c->text + word.from;
    size_t n = word.to - word.from, k = key_length(w, n, takes_sizes(c));
    DeclaredOption o;
    *taken = false;
    if (!k)
        return true;
    bool known = declared_find(c->info, w, k, &o);
    Span span = span_of(c, word);
    if (k + 1 == n && !known)
        return true; /* of the expression */
    if (!known && !takes_sizes(c))
        return unknown_key(c, w, k, span);
    if (k + 1 == n)
        return call_fail(c, span, "usage", NULL, "%.*s= needs a value", (int)k, w);
    char *key = arena_strndup(&c->arena, w, k), *value = NULL;
    if (call_option(c, key))
        return call_fail(c, span, "usage", NULL, "%s= is given twice", key);
    if (c->noptions == (int)COUNT_OF(c->options))
        return call_fail(c, span, "usage", NULL, "too many arguments");
    span.start += (u32)k + 1;
    if (!plain_value(c, key, w + k + 1, n - k - 1, span, &value))
        return false;
    Option *given = &c->options[c->noptions++];
    *given = (Option){.key = key, .value = value, .span = span, .size = !known};
    *taken = true;
    return !known || check_value(c, given, &o);
}

/* ---- the file ---- */

static const char *ending_of(const char *w, size_t n, size_t *length)
{
    size_t dot = n;
    while (dot > 0 && w[dot - 1] != '.')
        dot--;
    *length = n - dot;
    return dot > 1 ? w + dot : NULL;
}

/* Is it a name as a file has one, where the expression before it has ended? "x.txt" */
static bool looks_like_file(const Call *c, Word word)
{
    const char *w = c->text + word.from;
    size_t n = word.to - word.from, length, at = word.from;
    const char *ending = ending_of(w, n, &length);
    while (at && strchr(" \t", c->text[at - 1]))
        at--;
    bool ended =
        at && (isalnum((unsigned char)c->text[at - 1]) || strchr(")]}_'\"", c->text[at - 1]));
    size_t word_start = at;
    while (word_start && isalpha((unsigned char)c->text[word_start - 1]))
        word_start--;
    bool keyword = list_has("if then else and or not over from to for in", c->text + word_start,
                            at - word_start);
    for (size_t i = 0; ending && i < n; i++)
        if (!isalnum((unsigned char)w[i]) && !strchr("._-/~+", w[i]))
            return false;
    return ending && ended && !keyword && length && isalpha((unsigned char)*ending) &&
           (isalpha((unsigned char)*w) || strchr("./~", *w));
}

/* "end it in .md, .html or .tex" */
static char *endings_hint(Call *c, const char *endings)
{
    Text t = {0};
    text_put(&t, "end it in ");
    for (const char *s = endings; *s;) {
        size_t n = strcspn(s, " ");
        const char *next = s + n + (s[n] == ' ');
        text_printf(&t, "%s.%.*s", s == endings ? "" : *next ? ", " : " or ", (int)n, s);
        s = next;
    }
    return report_take(&c->report, &t);
}

static bool wrong_ending(Call *c, Word word, const char *endings)
{
    return call_fail(c, span_of(c, word), "usage", endings_hint(c, endings),
                     ":%s writes no such file as %.*s", c->info->name, (int)(word.to - word.from),
                     c->text + word.from);
}

static bool take_file(Call *c, Word word, const char *endings)
{
    const char *w = c->text + word.from;
    size_t n = word.to - word.from, length;
    bool quoted = n >= 2 && *w == '"' && w[n - 1] == '"';
    Text name = {0};
    for (size_t i = quoted; i < n - quoted; i++) {
        i += quoted && w[i] == '\\' && i + 2 < n;
        text_putc(&name, w[i]);
    }
    c->file = report_take(&c->report, &name);
    c->file_span = span_of(c, word);
    if (!*c->file)
        return call_fail(c, c->file_span, "usage", NULL, "the name of the file is empty");
    const char *ending = ending_of(c->file, strlen(c->file), &length);
    return !*endings || (ending && list_has(endings, ending, length)) ||
           wrong_ending(c, word, endings);
}

/* "DIR/", where the command writes several files. */
static bool is_folder(const Call *c, const char *w, size_t n)
{
    bool needed, quoted = n > 2 && *w == '"' && w[n - 1] == '"';
    return n - quoted > 1 && w[n - 1 - quoted] == '/' && declared_takes(c->info, "DIR/", &needed);
}

static bool read_file_word(Call *c, Word word, bool *taken)
{
    char endings[128];
    const char *w = c->text + word.from;
    size_t n = word.to - word.from, length;
    bool needed;
    if (!c->file && is_folder(c, w, n)) {
        *taken = true;
        return take_file(c, word, "");
    }
    if (!declared_endings(c->info, endings, sizeof endings))
        return true;
    bool only = !declared_takes(c->info, "EXPR", &needed) && !*endings;
    const char *ending = ending_of(w, n, &length);
    bool quoted = n >= 2 && *w == '"' && w[n - 1] == '"';
    if (declared_sides(c->info) && span_is(w, n, "\"last\""))
        return true; /* a graph */
    bool known = quoted || only || (ending && list_has(endings, ending, length));
    if (known && c->file)
        return call_fail(c, span_of(c, word), "usage",
                         only ? "a name with blanks is put in quotes" : NULL, ":%s takes one file",
                         c->info->name);
    *taken = known;
    if (known)
        return take_file(c, word, endings);
    return c->file || !looks_like_file(c, word) || wrong_ending(c, word, endings);
}

/* ---- from the right ---- */

static void end_text(Call *c, size_t end)
{
    while (end > 0 && strchr(" \t", c->text[end - 1]))
        end--;
    c->text[end] = '\0';
    c->rest.end = c->rest.start + (u32)end;
}

static bool read_options(Call *c)
{
    Word words[MOST_WORDS];
    int n = words_of(c->text, words);
    bool more = true;
    bool needed, keyed = declared_next(c->info, &(DeclaredOption){0}) ||
                         declared_takes(c->info, "EXPR", &needed);
    while (n > 0 && more) {
        bool taken = false;
        if (keyed && !read_option(c, words[n - 1], &taken))
            return false;
        if (!taken && !read_file_word(c, words[n - 1], &taken))
            return false;
        more = taken;
        n -= taken;
        if (taken)
            end_text(c, words[n].from);
    }
    end_text(c, strlen(c->text));
    return true;
}

/* ---- over X from A to B ---- */

static bool is_at(const Call *c, Word w, const char *word)
{
    return span_is(c->text + w.from, w.to - w.from, word);
}

/* The last one of these words in [from, to), or -1. */
static int last_word(const Call *c, const Word *words, int from, int to, const char *word)
{
    while (to > from && !is_at(c, words[to - 1], word))
        to--;
    return to > from ? to - 1 : -1;
}

static Span words_span(const Call *c, const Word *words, int from, int to)
{
    return span_of(c, (Word){words[from].from, words[to - 1].to});
}

/* Takes the clause off the end; `over x from h = 0 { .. }` is that of a scan. */
static bool read_over(Call *c)
{
    Word words[MOST_WORDS];
    int n = words_of(c->text, words), over = last_word(c, words, 1, n, "over");
    if (!strstr(c->info->args, "[over ") || over < 0)
        return true;
    int from = last_word(c, words, over + 1, n, "from"),
        to = from < 0 ? -1 : last_word(c, words, from + 1, n, "to"), end = from < 0 ? n : from;
    if (from >= 0 && to < 0 && strstr(c->text, "scan "))
        return true;
    if (end == over + 1 || (from >= 0 && (to <= from + 1 || to + 1 == n)))
        return call_fail(c, words_span(c, words, over, n), "usage", NULL,
                         "from where to where? for example `over k from 0 to 1`");
    c->over = (OverClause){true, from >= 0, words_span(c, words, over + 1, end), {0}, {0}};
    if (from >= 0) {
        c->over.low = words_span(c, words, from + 1, to);
        c->over.high = words_span(c, words, to + 1, n);
    }
    end_text(c, words[over].from);
    return read_options(c); /* the file may stand before it */
}

/* Is an option left inside of what should be the expression? */
static bool no_option_left(Call *c)
{
    Word words[MOST_WORDS];
    int n = words_of(c->text, words);
    DeclaredOption o;
    if (declared_sides(c->info) && comma_of(c->text))
        return true; /* those of its first side */
    if (declared_claim(c->info) && claim_of(c->text).kind != CLAIM_NONE)
        return true; /* those of the expression */
    for (int i = 0; i < n; i++) {
        const char *w = c->text + words[i].from;
        size_t k = key_length(w, words[i].to - words[i].from, false);
        if (k && declared_find(c->info, w, k, &o))
            return call_fail(c, span_of(c, words[i]), "usage",
                             "a value with blanks is put in quotes or brackets",
                             "%.*s= belongs at the end, after the expression", (int)k, w);
    }
    return true;
}

/* ---- in front ---- */

static void skip_front(Call *c, size_t n)
{
    n += strspn(c->text + n, " \t");
    c->text += n;
    c->rest.start += (u32)n;
}

static bool read_node(Call *c, bool optional)
{
    const char *s = c->text;
    size_t n = *s == '%' ? number_length(s + 1, false) : 0;
    if (n && (!s[n + 1] || strchr(" \t", s[n + 1]))) {
        c->number = strtoll(s + 1, NULL, 10);
        c->number_span = span_of(c, (Word){0, n + 1});
        skip_front(c, n + 1);
        return true;
    }
    return (optional && (*s != '%' || n)) ||
           call_fail(c, *s ? span_of(c, (Word){0, strcspn(s, " \t")}) : c->span, "usage",
                     "the numbers are those of :steps and :graph ssa=on", ":%s takes a node, %%3",
                     c->info->name);
}

static bool read_number(Call *c, bool alone)
{
    size_t n = number_length(c->text, false);
    if (n && !c->text[n]) {
        c->number = strtoll(c->text, NULL, 10);
        c->number_span = c->rest;
        skip_front(c, n);
        return true;
    }
    return !alone || !*c->text ||
           call_fail(c, c->rest, "usage", NULL, ":%s takes a whole number", c->info->name);
}

static bool read_rule(Call *c)
{
    size_t n = strcspn(c->text, " \t");
    if (!n)
        return call_fail(c, c->span, "usage", ":rules lists them", ":%s needs the name of a rule",
                         c->info->name);
    c->word = arena_strndup(&c->arena, c->text, n);
    c->word_span = span_of(c, (Word){0, n});
    skip_front(c, n);
    return true;
}

/* A rule's name has no brackets: what has some is an expression. */
static bool read_rule_or(Call *c, bool *expression)
{
    size_t n = strcspn(c->text, " \t");
    *expression = n && memchr(c->text, '(', n);
    return *expression || read_rule(c);
}

static void read_keyword(Call *c, const char *word, size_t n)
{
    if (strncmp(c->text, word, n) == 0 && (!c->text[n] || strchr(" \t", c->text[n]))) {
        c->word = arena_strndup(&c->arena, word, n);
        c->word_span = span_of(c, (Word){0, n});
        skip_front(c, n);
    }
}

/* "nan|forward|backward": the next of these words, `at` being where it ends. */
static bool next_keyword(const char *words, size_t n, size_t *at, const char **word, size_t *length)
{
    if (*at >= n)
        return false;
    const char *bar = memchr(words + *at, '|', n - *at);
    *word = words + *at;
    *length = (size_t)((bar ? bar : words + n) - *word);
    *at += *length + 1;
    return true;
}

static bool are_keywords(const char *words, size_t n)
{
    const char *word;
    bool all = true;
    for (size_t at = 0, length; all && next_keyword(words, n, &at, &word, &length);)
        all = islower((unsigned char)*word) && declared_is_word(word, length);
    return all;
}

static void read_keywords(Call *c, const char *words, size_t n)
{
    const char *word;
    for (size_t at = 0, length; !c->word && next_keyword(words, n, &at, &word, &length);)
        read_keyword(c, word, length);
}

static bool read_front(Call *c, bool *words)
{
    const char *at = c->info->args, *word;
    bool ok = true, optional;
    *words = false;
    for (size_t n; ok && declared_front(&at, &word, &n, &optional);) {
        if (span_is(word, n, "RULE"))
            ok = read_rule(c);
        else if (span_begins(word, n, "RULE|"))
            ok = read_rule_or(c, words);
        else if (span_is(word, n, "%K"))
            ok = read_node(c, optional);
        else if (span_is(word, n, "N"))
            ok = read_number(c, true);
        else if (span_begins(word, n, "K|")) {
            *words = true;
            ok = read_number(c, false);
        } else if (are_keywords(word, n))
            read_keywords(c, word, n);
        else
            *words = *words || !span_begins(word, n, "FILE");
    }
    return ok;
}

static bool check_arity(Call *c, bool words)
{
    const char *name = c->info->name,
               *hint = report_format(&c->report, ":%s %s", name, c->info->args);
    char endings[128];
    bool needed;
    if (*c->text && !words)
        return call_fail(c, c->rest, "usage", *c->info->args ? hint : NULL,
                         *c->info->args ? ":%s takes no more than that" : ":%s takes no arguments",
                         name);
    if (declared_takes(c->info, "EXPR", &needed) && needed && !*c->text)
        return call_fail(c, c->span, "usage", hint, ":%s needs an expression", name);
    if (!declared_takes(c->info, "FILE", &needed) || !needed || c->file)
        return true;
    declared_endings(c->info, endings, sizeof endings);
    return call_fail(c, c->span, "usage", hint,
                     *endings ? ":%s needs a file that ends in %s" : ":%s needs a file%s", name,
                     *endings ? endings_hint(c, endings) + strlen("end it in ") : "");
}

bool arguments_read(Call *c)
{
    char *line = renamed_options(&c->arena, c->info->name, c->text);
    if (line)
        return call_fail(c, c->rest, "renamed", report_format(&c->report, "type `%s`", line),
                         "this is now written in another way");
    bool words;
    c->number = -1;
    return read_options(c) && read_over(c) && no_option_left(c) && read_front(c, &words) &&
           check_arity(c, words);
}

/* ---- words, for commands that read them ---- */

bool call_word(Call *c, const char **word, Span *span)
{
    size_t blank = strspn(c->text, " \t"), n = strcspn(c->text + blank, " \t");
    if (!n)
        return false;
    *word = arena_strndup(&c->arena, c->text + blank, n);
    *span = span_of(c, (Word){blank, blank + n});
    c->text += blank + n;
    c->rest.start += (u32)(blank + n);
    return true;
}

/* ---- parts of the rest ---- */

const char *rest_text(const Call *c, Span part) { return c->text + (part.start - c->rest.start); }

char *rest_copy(Call *c, Span part)
{
    return arena_strndup(&c->arena, rest_text(c, part), part.end - part.start);
}

Span rest_trimmed(const Call *c, Span part)
{
    while (part.start < part.end && strchr(" \t", *rest_text(c, part)))
        part.start++;
    while (part.end > part.start && strchr(" \t", c->text[part.end - c->rest.start - 1]))
        part.end--;
    return part;
}
