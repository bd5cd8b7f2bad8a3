/* The lexer: bytes to tokens, with the newline rules of the language.
 *
 * Invariant: every call of lex_next moves forward or returns T_EOF, and takes
 * time proportional to the bytes it passes (amortised), whatever they are. */
#include "syntax/lex.h"

#include "base/utf8.h"

/* ---- characters ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_ascii_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Beyond ASCII every code point counts as a letter except spaces, punctuation, signs, arrows, emoji
 * and what cannot be seen. A fixed table, so that a program means the same in every locale. */
static bool is_letter(u32 c)
{
    static const struct {
        u32 first, last;
    } never[] = {
        {0x80, 0xA9},       {0xAB, 0xB4},     {0xB6, 0xB9},     {0xBB, 0xBF},
        {0xD7, 0xD7},       {0xF7, 0xF7},     {0x61C, 0x61C},   {0x115F, 0x1160},
        {0x1680, 0x1680},   {0x180E, 0x180E}, {0x2000, 0x206F}, {0x20A0, 0x20CF},
        {0x2190, 0x2BFF},   {0x3000, 0x3004}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},
        {0xFEFF, 0xFEFF},   {0xFF00, 0xFF0F}, {0xFFF0, 0xFFFF}, {0x1F000, 0x1FAFF},
        {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < COUNT_OF(never); i++)
        if (c >= never[i].first && c <= never[i].last)
            return false;
    return c >= 0x80;
}

/* Bytes of the identifier character at `pos`, or 0. */
static size_t letter_at(const Source *src, size_t pos)
{
    if (pos >= src->len)
        return 0;
    char c = src->text[pos];
    if ((u8)c < 0x80)
        return is_ascii_letter(c) || is_digit(c);
    u32 cp;
    int n = utf8_decode(src->text + pos, src->len - pos, &cp);
    return n > 0 && is_letter(cp) ? (size_t)n : 0;
}

static char char_at(const Source *src, size_t pos)
{
    return pos < src->len ? src->text[pos] : '\0';
}

/* Bytes of a control character or of a stretch that is not UTF-8, or 0. A CR before a newline and
 * tabs pass. */
static size_t bad_byte_at(const Source *src, size_t pos)
{
    u8 c = (u8)src->text[pos];
    if (c >= 0x80) {
        u32 cp;
        return utf8_decode(src->text + pos, src->len - pos, &cp) == 0;
    }
    if (c == '\r')
        return char_at(src, pos + 1) != '\n';
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
}

static size_t bad_run_end(const Source *src, size_t pos)
{
    while (pos < src->len && bad_byte_at(src, pos))
        pos++;
    return pos;
}

/* ---- kinds ---- */

bool token_ends_expression(TokenKind kind)
{
    switch (kind) {
    case T_NAME:
    case T_INT:
    case T_FLOAT:
    case T_STRING:
    case T_COMMAND:
    case T_TRUE:
    case T_FALSE:
    case T_NONE:
    case T_RPAREN:
    case T_RBRACKET:
    case T_RBRACE:
    case T_QUOTE:
    case T_QUESTION:
    case T_ELLIPSIS:
    case T_WRONG: /* after a mistake a newline helps to find the next statement */ return true;
    default: return token_is_bad(kind);
    }
}

bool token_is_word(TokenKind kind) { return kind == T_NAME || (kind >= T_AND && kind <= T_WITH); }

bool token_is_bad(TokenKind kind) { return kind >= T_BAD_BYTE; }

/* First the keywords, in the order of the kinds from T_AND on, then words that are names elsewhere.
 */
const char *const language_words[] = {
    "and",        "else",  "false",  "if",   "None",   "not",  "or",      "scan", "then",
    "true",       "until", "with",   "over", "for",    "from", "using",   "zip",  "strict",
    "checkpoint", "auto",  "repeat", "in",   "shared", "keep", "reverse", NULL};
enum { KEYWORDS = T_WITH - T_AND + 1 };

static TokenKind word_kind(const char *s, size_t n)
{
    if (n < 2 || n > 5)
        return T_NAME;
    for (size_t i = 0; i < KEYWORDS; i++)
        if (language_words[i][0] == s[0] && strlen(language_words[i]) == n &&
            memcmp(language_words[i], s, n) == 0)
            return (TokenKind)((size_t)T_AND + i);
    return T_NAME;
}

bool lex_is_keyword(const char *word, size_t n) { return word_kind(word, n) != T_NAME; }

size_t lex_word_length(const Source *src, size_t at)
{
    size_t end = at;
    if (at >= src->len || is_digit(src->text[at]))
        return 0;
    for (size_t n; (n = letter_at(src, end)) > 0;)
        end += n;
    return end - at;
}

/* ---- brackets ---- */

static int bracket_class(char c) { return c == '(' || c == ')' ? 0 : c == '[' || c == ']' ? 1 : 2; }

static void bracket_open(Lexer *lx, char c)
{
    if (lx->nopen == lx->cap) {
        u32 cap = lx->cap ? lx->cap * 2 : 32;
        char *more = arena_alloc(lx->arena, cap);
        if (lx->nopen)
            memcpy(more, lx->brackets, lx->nopen);
        lx->brackets = more;
        lx->cap = cap;
    }
    lx->brackets[lx->nopen++] = c;
    lx->counts[bracket_class(c)]++;
}

static void bracket_pop(Lexer *lx) { lx->counts[bracket_class(lx->brackets[--lx->nopen])]--; }

/* A closing bracket of the wrong kind is an error for the parser; here it should do the least harm
 * to what follows: `(1, 2]` closes the `(`, and anything else closes down to its own kind, if that
 * is open at all. */
static void bracket_close(Lexer *lx, char c)
{
    if (lx->nopen == 0)
        return;
    int wanted = bracket_class(c);
    int top = bracket_class(lx->brackets[lx->nopen - 1]);
    if (top != wanted && top < 2 && wanted < 2) {
        bracket_pop(lx);
        return;
    }
    if (lx->counts[wanted] == 0)
        return;
    while (bracket_class(lx->brackets[lx->nopen - 1]) != wanted)
        bracket_pop(lx);
    bracket_pop(lx);
}

static bool newlines_count(const Lexer *lx)
{
    return lx->nopen == 0 || lx->brackets[lx->nopen - 1] == '{';
}

/* ---- starting ---- */

void lexer_init(Lexer *lx, Span part, Arena *arena, bool statements)
{
    const Source *src = part.src;
    size_t end = part.end < src->len ? part.end : src->len;
    *lx = (Lexer){.src = &lx->part, .part = *src, .arena = arena, .commands = statements};
    lx->part.len = end;
    lx->pos = part.start < end ? part.start : end;
    lx->prev = T_NEWLINE;
    if (part.start == 0 && end >= 3 && memcmp(src->text, "\xEF\xBB\xBF", 3) == 0)
        lx->pos = 3; /* a byte order mark */
}

void lexer_restart(Lexer *lx, size_t pos)
{
    lx->pos = pos;
    lx->prev = T_NEWLINE;
    lx->nopen = 0;
    memset(lx->counts, 0, sizeof lx->counts);
}

static Token token_end(Lexer *lx, size_t start, size_t end, TokenKind kind)
{
    lx->prev = kind;
    return (Token){.start = (u32)start, .end = (u32)end, .open = lx->nopen, .kind = (u8)kind};
}

/* ---- one token each ---- */

static Token lex_word(Lexer *lx)
{
    size_t start = lx->pos;
    lx->pos += lex_word_length(lx->src, start);
    /* After a point any word is a field's name, so that it can end a line. */
    TokenKind kind = lx->prev == T_DOT ? T_NAME : word_kind(lx->src->text + start, lx->pos - start);
    return token_end(lx, start, lx->pos, kind);
}

static bool is_digit_of(char c, int base)
{
    bool letter = base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
    return letter || (is_digit(c) && c - '0' < base);
}

/* Digits, which may stand in groups: 1_000_000. */
static void skip_digits(Lexer *lx, int base)
{
    for (size_t start = lx->pos;; lx->pos++) {
        char c = char_at(lx->src, lx->pos);
        bool joins = c == '_' && lx->pos > start &&
                     is_digit_of(char_at(lx->src, lx->pos - 1), base) &&
                     is_digit_of(char_at(lx->src, lx->pos + 1), base);
        if (!is_digit_of(c, base) && !joins)
            return;
    }
}

/* A point belongs to the number unless it begins `...` or a field. */
static bool fraction_here(const Lexer *lx)
{
    char a = char_at(lx->src, lx->pos), b = char_at(lx->src, lx->pos + 1);
    if (a != '.' || b == '.')
        return false;
    if (is_digit(b) || !letter_at(lx->src, lx->pos + 1))
        return true;
    char c = char_at(lx->src, lx->pos + 2);
    return (b == 'e' || b == 'E') && (is_digit(c) || c == '-' || c == '+');
}

static TokenKind skip_decimal(Lexer *lx)
{
    TokenKind kind = T_INT;
    skip_digits(lx, 10);
    if (fraction_here(lx)) {
        kind = T_FLOAT;
        lx->pos++;
        skip_digits(lx, 10);
    }
    char e = char_at(lx->src, lx->pos), sign = char_at(lx->src, lx->pos + 1);
    size_t digits = lx->pos + 1 + (sign == '+' || sign == '-');
    if ((e == 'e' || e == 'E') && is_digit(char_at(lx->src, digits))) {
        kind = T_FLOAT;
        lx->pos = digits;
        skip_digits(lx, 10);
    }
    return kind;
}

static Token lex_number(Lexer *lx)
{
    const Source *src = lx->src;
    size_t start = lx->pos;
    TokenKind kind = T_INT;
    int base = char_at(src, start) == '0' ? lex_base(char_at(src, start + 1)) : 10;
    if (base != 10 && is_digit_of(char_at(src, start + 2), base)) {
        lx->pos += 2;
        skip_digits(lx, base);
    } else {
        kind = skip_decimal(lx);
    }
    /* What follows at once belongs to the mistake: 12ab, 1__0, 0xg, 1.2.3 */
    bool again = char_at(src, lx->pos) == '.' && is_digit(char_at(src, lx->pos + 1));
    if (again || letter_at(src, lx->pos)) {
        kind = T_BAD_NUMBER;
        for (size_t n; (n = letter_at(src, lx->pos)) > 0 || char_at(src, lx->pos) == '.';)
            lx->pos += n ? n : 1;
    }
    return token_end(lx, start, lx->pos, kind);
}

/* Goes to the end of the string even if something in it is wrong; the first mistake is the token.
 */
static Token lex_string(Lexer *lx)
{
    const Source *src = lx->src;
    size_t start = lx->pos++, bad_start = 0, bad_end = 0;
    TokenKind bad = T_EOF;
    for (;;) {
        char c = char_at(src, lx->pos);
        if (lx->pos >= src->len || c == '\n')
            return token_end(lx, start, lx->pos, T_BAD_STRING);
        if (c == '"')
            break;
        size_t at = lx->pos++;
        if (c == '\\') {
            char next = char_at(src, lx->pos);
            if (next && strchr("\"\\nt", next)) {
                lx->pos++;
            } else if (bad == T_EOF) {
                u32 cp;
                int n = utf8_decode(src->text + lx->pos, src->len - lx->pos, &cp);
                bad = T_BAD_ESCAPE;
                bad_start = at;
                bad_end = next == '\n' || n == 0 ? lx->pos : lx->pos + (size_t)n;
            }
        } else if (bad_byte_at(src, at)) {
            if (bad == T_EOF) {
                bad = T_BAD_BYTE;
                bad_start = at;
                bad_end = bad_run_end(src, at);
            }
        } else if ((u8)c >= 0x80) {
            u32 cp;
            lx->pos = at + (size_t)utf8_decode(src->text + at, src->len - at, &cp);
        }
    }
    lx->pos++;
    return bad == T_EOF ? token_end(lx, start, lx->pos, T_STRING)
                        : token_end(lx, bad_start, bad_end, bad);
}

/* The raw rest of the line; a comment begins at a `#` after a space, outside quotes. */
static Token lex_command(Lexer *lx)
{
    const Source *src = lx->src;
    size_t start = lx->pos, comment = SIZE_MAX, bad = SIZE_MAX;
    bool quoted = false;
    for (; lx->pos < src->len && src->text[lx->pos] != '\n'; lx->pos++) {
        char c = src->text[lx->pos];
        if ((u8)c >= 0x80) {
            u32 cp;
            int n = utf8_decode(src->text + lx->pos, src->len - lx->pos, &cp);
            if (n > 0) {
                lx->pos += (size_t)n - 1;
                continue;
            }
        }
        if (bad == SIZE_MAX && bad_byte_at(src, lx->pos))
            bad = lx->pos;
        char before = src->text[lx->pos - (lx->pos > start)];
        if (c == '"' && before != '\\')
            quoted = !quoted;
        if (c == '#' && !quoted && comment == SIZE_MAX && (before == ' ' || before == '\t'))
            comment = lx->pos;
    }
    if (bad != SIZE_MAX)
        return token_end(lx, bad, bad_run_end(src, bad), T_BAD_BYTE);
    size_t end = comment < lx->pos ? comment : lx->pos;
    while (end > start && strchr(" \t\r", src->text[end - 1]))
        end--;
    return token_end(lx, start, end, T_COMMAND);
}

/* Neither a word nor a mark: a bad byte or a character that has no place. */
static Token lex_bad(Lexer *lx)
{
    const Source *src = lx->src;
    size_t start = lx->pos;
    u32 cp;
    if (bad_byte_at(src, start)) {
        lx->pos = bad_run_end(src, start);
        return token_end(lx, start, lx->pos, T_BAD_BYTE);
    }
    lx->pos += (size_t)utf8_decode(src->text + start, src->len - start, &cp);
    return token_end(lx, start, lx->pos, T_BAD_CHAR);
}

typedef struct {
    char text[4];
    TokenKind kind;
} Mark;

/* The longest that fits is taken. */
static const Mark marks[] = {
#define WORD(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR)
#define INFIX(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR) {SIGN, T_##TOKEN},
#define PREFIX(TREE, TOKEN, SIGN, LEVEL, OPERAND, OPERATOR)
#include "syntax/syntax.def"
    {"(", T_LPAREN},
    {")", T_RPAREN},
    {"[", T_LBRACKET},
    {"]", T_RBRACKET},
    {"{", T_LBRACE},
    {"}", T_RBRACE},
    {",", T_COMMA},
    {";", T_SEMI},
    {"~", T_TILDE},
    {"'", T_QUOTE},
    {"?", T_QUESTION},
    {"=", T_ASSIGN},
    {":=", T_STORE},
    {"+=", T_INCREASE},
    {"->", T_ARROW},
    {"=>", T_FATARROW},
    {"<=>", T_FATARROW},
    {":", T_COLON},
    {".", T_DOT},
    {"...", T_ELLIPSIS},
    /* of other languages */
    {"**", T_WRONG},
    {"-=", T_WRONG},
    {"*=", T_WRONG},
    {"/=", T_WRONG},
    {"===", T_WRONG},
    {"!", T_WRONG},
    {"<>", T_WRONG},
    {".*", T_WRONG},
    {"./", T_WRONG},
    {".^", T_WRONG},
    {".+", T_WRONG},
    {".-", T_WRONG},
    {".(", T_WRONG},
    {"%*%", T_WRONG},
    {"%%", T_WRONG},
    {"%/%", T_WRONG},
    {"&&", T_WRONG},
    {"||", T_WRONG},
    {"&=", T_WRONG},
    {"|=", T_WRONG},
    {"|>", T_WRONG},
    {"~=", T_WRONG},
    {"$", T_WRONG},
    {"\\", T_WRONG},
    {"`", T_WRONG},
};

static bool mark_matches(const Lexer *lx, const Mark *m)
{
    if (m->kind == T_WRONG && !strcmp(m->text, ".(") && char_at(lx->src, lx->pos + 2) == '"')
        return false; /* S.("last") */
    for (size_t i = 0; m->text[i]; i++)
        if (char_at(lx->src, lx->pos + i) != m->text[i])
            return false;
    return true;
}

/* The assignment of R, `x <- 3`: with a blank behind it, where nobody compares with -3 so. */
static bool is_left_arrow(const Lexer *lx)
{
    const Source *src = lx->src;
    return char_at(src, lx->pos) == '<' && char_at(src, lx->pos + 1) == '-' &&
           char_at(src, lx->pos + 2) == ' ';
}

static Token lex_mark(Lexer *lx)
{
    size_t start = lx->pos;
    const Mark *m = NULL;
    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (mark_matches(lx, &marks[i]) && (!m || strlen(marks[i].text) > strlen(m->text)))
            m = &marks[i];
    if (!m)
        return lex_bad(lx);
    if (is_left_arrow(lx))
        return token_end(lx, start, lx->pos += 2, T_WRONG);
    lx->pos += strlen(m->text);
    if (m->kind == T_LPAREN || m->kind == T_LBRACKET || m->kind == T_LBRACE)
        bracket_open(lx, m->text[0]);
    else if (m->kind == T_RPAREN || m->kind == T_RBRACKET || m->kind == T_RBRACE)
        bracket_close(lx, m->text[0]);
    return token_end(lx, start, lx->pos, m->kind);
}

/* ---- between tokens ---- */

/* Skips blanks and a comment on this line; true with *bad set if the comment holds bytes that are
 * no text. */
static bool skip_blanks(Lexer *lx, Token *bad)
{
    const Source *src = lx->src;
    for (;;) {
        char c = char_at(src, lx->pos);
        if (c == ' ' || c == '\t' || (c == '\r' && char_at(src, lx->pos + 1) == '\n'))
            lx->pos++;
        else
            break;
    }
    if (char_at(src, lx->pos) != '#')
        return false;
    size_t from = lx->pos;
    const char *nl = memchr(src->text + from, '\n', src->len - from);
    lx->pos = nl ? (size_t)(nl - src->text) : src->len;
    for (size_t i = from; i < lx->pos;) {
        if (bad_byte_at(src, i)) {
            *bad = token_end(lx, i, bad_run_end(src, i), T_BAD_BYTE);
            return true;
        }
        u32 cp;
        i += (size_t)utf8_decode(src->text + i, lx->pos - i, &cp);
    }
    return false;
}

/* A line may go on with `then` or `else`. Looks past blank lines and comments. */
static bool then_or_else_follows(const Lexer *lx)
{
    const Source *src = lx->src;
    size_t pos = lx->pos;
    for (;;) {
        char c = char_at(src, pos);
        if (c == '#') {
            const char *nl = memchr(src->text + pos, '\n', src->len - pos);
            if (!nl)
                return false;
            pos = (size_t)(nl - src->text);
        } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
            break;
        }
        pos++;
    }
    if (src->len - pos < 4 || letter_at(src, pos + 4))
        return false;
    return memcmp(src->text + pos, "then", 4) == 0 || memcmp(src->text + pos, "else", 4) == 0;
}

Token lex_next(Lexer *lx)
{
    const Source *src = lx->src;
    Token bad;
    for (;;) {
        if (skip_blanks(lx, &bad))
            return bad;
        if (lx->pos >= src->len)
            return token_end(lx, src->len, src->len, T_EOF);
        if (src->text[lx->pos] != '\n')
            break;
        size_t at = lx->pos++;
        if (newlines_count(lx) && token_ends_expression(lx->prev) && !then_or_else_follows(lx))
            return token_end(lx, at, at + 1, T_NEWLINE);
    }
    char c = src->text[lx->pos];
    bool start = lx->prev == T_NEWLINE || lx->prev == T_SEMI || lx->prev == T_LBRACE;
    if (c == ':' && lx->commands && start && newlines_count(lx) && char_at(src, lx->pos + 1) != '=')
        return lex_command(lx);
    if (is_digit(c) || (c == '.' && is_digit(char_at(src, lx->pos + 1))))
        return lex_number(lx);
    if (letter_at(src, lx->pos))
        return lex_word(lx);
    return c == '"' ? lex_string(lx) : lex_mark(lx);
}
