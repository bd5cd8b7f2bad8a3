/* What people type where a number or an expression is asked for, and what to say of it.
 *
 * Invariant: an entry that can be an answer is left alone. */
#include "repl/teach/player.h"

#include <ctype.h>

static const char minus[] = "\u2212";

char *entry_plain(const char *entry)
{
    Text t = {0};
    for (const char *s = entry; *s; s++) {
        bool sign = strncmp(s, minus, sizeof minus - 1) == 0;
        text_putc(&t, sign ? '-' : *s);
        s += sign ? sizeof minus - 2 : 0;
    }
    text_put(&t, "");
    return t.at ? text_take(&t) : xstrdup("");
}

bool entry_defined(Player *p, const char *word)
{
    Session *s = &p->session.s;
    return env_own(s->elab.globals, symbol(&s->st, word)) != NULL;
}

/* "1,05" outside brackets. */
static bool has_decimal_comma(const char *s)
{
    int depth = 0;
    for (; *s; s++) {
        depth += (strchr("([{", *s) != NULL) - (strchr(")]}", *s) != NULL);
        if (depth == 0 && *s >= '0' && *s <= '9' && s[1] == ',' && s[2] >= '0' && s[2] <= '9')
            return true;
    }
    return false;
}

static bool is_letter(char c) { return isalpha((unsigned char)c) || (c & 0x80); }

/* A word of the language after a number: "1 if a else 2". */
static bool is_keyword(const char *word)
{
    static const char *const words[] = {"if", "and", "or", "in", "then", "else", "with"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* "9 m", "5 %", "2 km/h", "9 euros": a number and a unit that is no name here. */
static bool has_unit(Player *p, const char *entry)
{
    char *end, word[32];
    strtod(entry, &end);
    if (end == entry)
        return false;
    end += strspn(end, " ");
    if (*end == '%')
        return end[strspn(end, "% ")] == '\0';
    size_t n = 0, all = 0;
    while (is_letter(end[n]))
        n++;
    while (is_letter(end[all]) || isdigit((unsigned char)end[all]) ||
           (end[all] && strchr("/^. ", end[all])))
        all++;
    if (!n || end[all] || n >= sizeof word)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)n, end);
    return !entry_defined(p, word) && !is_keyword(word);
}

static bool has_currency(const char *s)
{
    static const char *const signs[] = {"$", "\u20ac", "\u00a3", "\u00a5"};
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        size_t n = strlen(signs[i]);
        if (strncmp(s, signs[i], n) == 0)
            return s[n + strspn(s + n, " ")] >= '0' && s[n + strspn(s + n, " ")] <= '9';
    }
    return false;
}

Source entry_source(const char *entry)
{
    static char name[] = "<entry>";
    return (Source){.name = name, .text = (char *)(uintptr_t)entry, .len = strlen(entry)};
}

static bool can_be_read(const char *entry)
{
    Source src = entry_source(entry);
    Arena arena = {0};
    Diags diags = {0};
    Parser parser;
    Stmt *stmt;
    parser_init(&parser, &src, &arena, &diags, true);
    while (parse_statement(&parser, &stmt) == PARSE_OK)
        continue;
    bool ok = !diags.errors;
    diags_free(&diags);
    arena_free(&arena);
    return ok;
}

/* Several words and the signs of a sentence, which are no expression. */
static bool is_prose(const char *entry)
{
    int words = 0;
    for (const char *s = entry; *s; s++) {
        if (!is_letter(*s) && !strchr(" ,.?!'-0123456789", *s))
            return false;
        words += is_letter(*s) && (s == entry || s[-1] == ' ');
    }
    return words > 1 && !can_be_read(entry);
}

const char *entry_advice(Player *p, const char *entry)
{
    if (has_decimal_comma(entry))
        return "A number is written with a point here: 1.5\n";
    if (has_unit(p, entry) || has_currency(entry))
        return "Type the number alone, without a unit.\n";
    if (is_prose(entry))
        return "An answer is a number or an expression. Press Enter for a hint; `skip` shows the "
               "answer.\n";
    return NULL;
}
