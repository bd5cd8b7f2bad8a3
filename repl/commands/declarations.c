/* Declarations of arguments, and the words of a line.  See arguments.h. */
#include "repl/commands/arguments.h"

#include <ctype.h>

/* ---- declarations ---- */

static bool is_key_char(char ch) { return (ch >= 'a' && ch <= 'z') || ch == '_'; }

/* The first option of a text. */
static bool first_option(const char *text, DeclaredOption *o)
{
    for (const char *s = text; *s; s++) {
        size_t n = 0;
        while (is_key_char(s[n]))
            n++;
        if (n && s[n] == '=') {
            o->key = s;
            o->length = n;
            o->values = s + n + 1;
            o->extent = strcspn(o->values, " ]");
            return true;
        }
        s += n;
        if (!*s)
            break;
    }
    return false;
}

bool declared_next(const Command *k, DeclaredOption *o)
{
    const char *rest = o->key ? o->values + o->extent : k->args;
    if (first_option(rest, o))
        return true;
    bool more = !o->also;
    o->also = true;
    return more && first_option(k->also, o);
}

bool declared_find(const Command *k, const char *key, size_t n, DeclaredOption *o)
{
    *o = (DeclaredOption){0};
    while (declared_next(k, o))
        if (o->length == n && strncmp(o->key, key, n) == 0)
            return true;
    return false;
}

bool declared_value(const DeclaredOption *o, int i, const char **word, size_t *n)
{
    const char *s = o->values, *end = s + o->extent;
    for (; s < end; s += *n + 1) {
        const char *bar = memchr(s, '|', (size_t)(end - s));
        *n = (size_t)((bar ? bar : end) - s);
        *word = s;
        if (i-- == 0)
            return true;
    }
    return false;
}

bool span_is(const char *s, size_t n, const char *word)
{
    return n == strlen(word) && strncmp(s, word, n) == 0;
}

bool declared_is_switch(const DeclaredOption *o)
{
    return span_is(o->values, o->extent, "on") || span_is(o->values, o->extent, "off");
}

bool list_has(const char *list, const char *word, size_t n)
{
    for (size_t len; *list; list += len + (list[len] == ' ')) {
        len = strcspn(list, " ");
        if (len == n && strncmp(word, list, n) == 0)
            return true;
    }
    return false;
}

bool declared_is_word(const char *s, size_t n)
{
    static const char kinds[] = "K N X A B NAME RULE PASS HEX TEXT COLOR EXPR FILE LESSON CLASS OP";
    bool plain = n > 0 && !isdigit((unsigned char)*s) && !list_has(kinds, s, n);
    for (size_t i = 0; i < n; i++)
        plain = plain && (isalnum((unsigned char)s[i]) || strchr("_+-", s[i]));
    return plain;
}

bool declared_front(const char **at, const char **word, size_t *n, bool *optional)
{
    const char *s = *at + strspn(*at, " ");
    *optional = *s == '[';
    s += *optional;
    *word = s;
    *n = *optional ? strcspn(s, "]") : strcspn(s, " ");
    *at = s + *n + (*optional && s[*n] == ']');
    return *n > 0 && !memchr(s, '=', *n);
}

bool span_begins(const char *word, size_t n, const char *what)
{
    return n >= strlen(what) && strncmp(word, what, strlen(what)) == 0;
}

bool declared_takes(const Command *k, const char *what, bool *needed)
{
    const char *at = k->args, *word;
    bool optional;
    for (size_t n; declared_front(&at, &word, &n, &optional);)
        for (const char *s = word; s < word + n; s += strcspn(s, "|"), s += *s == '|')
            if (span_begins(s, (size_t)(word + n - s), what)) {
                *needed = !optional;
                return true;
            }
    return false;
}

bool declared_endings(const Command *k, char *out, size_t most)
{
    const char *at = k->args, *word;
    bool optional;
    for (size_t n; declared_front(&at, &word, &n, &optional);) {
        if (!span_begins(word, n, "FILE"))
            continue;
        size_t len = 0;
        for (size_t i = 4; i < n && len + 1 < most; i++)
            if (word[i] == '.' && len)
                out[len++] = ' ';
            else if (word[i] != '.' && word[i] != '|')
                out[len++] = word[i];
        out[len] = '\0';
        return true;
    }
    return false;
}

bool declared_sides(const Command *k) { return strstr(k->args, "EXPR|A, B") != NULL; }

bool declared_claim(const Command *k) { return strstr(k->args, "EXPR CLAIM") != NULL; }

/* ---- words ---- */

const char *comma_of(const char *s)
{
    int depth = 0;
    for (bool text = false; *s; s++) {
        text = text != (*s == '"');
        depth += text ? 0 : (strchr("([{", *s) != NULL) - (strchr(")]}", *s) != NULL);
        if (*s == ',' && !depth && !text)
            return s;
    }
    return NULL;
}

int words_of(const char *text, Word *out)
{
    int n = 0, depth = 0;
    bool quoted = false, inside = false;
    for (size_t i = 0; text[i]; i++) {
        bool blank = !quoted && depth <= 0 && strchr(" \t", text[i]);
        if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
            quoted = !quoted;
        else if (!quoted)
            depth += (strchr("([{", text[i]) != NULL) - (strchr(")]}", text[i]) != NULL);
        if (!blank && !inside) {
            if (n == MOST_WORDS) {
                out[0].to = out[1].to;
                memmove(out + 1, out + 2, (MOST_WORDS - 2) * sizeof *out);
                n--;
            }
            out[n++].from = i;
        }
        if (!blank)
            out[n - 1].to = i + 1;
        inside = !blank;
    }
    return n;
}

/* ---- claims ---- */

/* The arrow outside of brackets and strings; NULL: there is none. */
static const char *arrow_of(const char *s)
{
    int depth = 0;
    for (bool text = false; *s; s++) {
        text = text != (*s == '"');
        depth += text ? 0 : (strchr("([{", *s) != NULL) - (strchr(")]}", *s) != NULL);
        if (!depth && !text && s[0] == '=' && s[1] == '>')
            return s;
    }
    return NULL;
}

const char *const claim_words[CLAIM_NONE] = {[CLAIM_GRAPH] = "=>",
                                             [CLAIM_FIRES] = "fires",
                                             [CLAIM_HAS] = "has",
                                             [CLAIM_LOOPS] = "loops",
                                             [CLAIM_COST] = "cost"};

/* The claim that a word begins. */
static ClaimKind claim_word(const char *s, size_t n)
{
    ClaimKind kind = CLAIM_GRAPH;
    while (kind < CLAIM_NONE && !span_is(s, n, claim_words[kind]))
        kind++;
    return kind;
}

/* Can an expression end in this character? After an operator, a claim's word is a name. */
static bool ends_expression(char c)
{
    return isalnum((unsigned char)c) || (c & 0x80) || strchr("_)]}'\"", c);
}

ClaimText claim_of(const char *text)
{
    Word words[MOST_WORDS];
    const char *arrow = arrow_of(text);
    ClaimText found = {.kind = CLAIM_NONE};
    if (arrow)
        return (ClaimText){CLAIM_GRAPH, (size_t)(arrow - text), (size_t)(arrow - text) + 2};
    int n = words_of(text, words);
    for (int i = 1; i < n && found.kind == CLAIM_NONE; i++) {
        ClaimKind kind = claim_word(text + words[i].from, words[i].to - words[i].from);
        if (kind != CLAIM_NONE && ends_expression(text[words[i - 1].to - 1]))
            found = (ClaimText){kind, words[i].from, words[i].to};
    }
    return found;
}
