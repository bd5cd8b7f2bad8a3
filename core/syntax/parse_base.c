/* The ground of the parser: tokens on demand, errors with hints, recovery.
 *
 * Invariant: tokens are read only as far as the parser looks, and those of one
 * statement are kept together at p->tokens[0..count), so looking back is cheap
 * and recovery can restart the lexer anywhere. */
#include "syntax/parse_internal.h"

#include "base/utf8.h"

enum { LONG_TEXT = 1 << 16 }; /* bytes */

/* ---- tokens ---- */

void parser_start(Parser *p, Span part, bool statements)
{
    p->lexer = arena_alloc(p->own, sizeof *p->lexer);
    p->lexed = true;
    p->bracket = UINT32_MAX;
    p->last_end = part.start;
    lexer_init(p->lexer, part, p->own, statements);
    if (p->src->len > (1u << 30)) {
        diag_add(p->diags, "syntax", (Span){p->src, 0, 0}, NULL, "the text is longer than 1 GB");
        p->lexer->pos = p->lexer->src->len;
        p->gave_up = p->failed = true;
    }
}

/* A long statement need not be kept: its first two tokens, the last consumed one and those ahead
 * will do. */
static bool drop_tokens(Parser *p)
{
    size_t kept = p->stmt_start + 2;
    if (p->pos < kept + 16)
        return false;
    size_t n = p->count - (p->pos - 1);
    if (n > p->cap / 2)
        return false;
    memmove(p->tokens + kept, p->tokens + p->pos - 1, n * sizeof *p->tokens);
    p->pos = kept + 1;
    p->count = kept + n;
    return true;
}

static void read_token(Parser *p)
{
    if (p->count == p->cap && !drop_tokens(p)) {
        size_t cap = p->cap ? p->cap * 2 : 64;
        Token *more = arena_alloc(p->own, cap * sizeof *more);
        if (p->count)
            memcpy(more, p->tokens, p->count * sizeof *more);
        p->tokens = more;
        p->cap = cap;
    }
    p->tokens[p->count++] = lex_next(p->lexer);
}

Token parser_ahead(Parser *p, size_t k)
{
    while (p->pos + k >= p->count)
        read_token(p);
    return p->tokens[p->pos + k];
}

Token parser_peek(Parser *p)
{
    Token t = parser_ahead(p, 0);
    while (p->header && t.kind == T_NEWLINE) {
        p->pos++;
        t = parser_ahead(p, 0);
    }
    return t;
}

TokenKind parser_kind(Parser *p) { return (TokenKind)parser_peek(p).kind; }

Token parser_take(Parser *p)
{
    Token t = parser_peek(p);
    if (t.kind != T_EOF) {
        p->pos++;
        p->last_end = t.end;
    }
    return t;
}

bool parser_accept(Parser *p, TokenKind kind)
{
    if (parser_kind(p) != kind)
        return false;
    parser_take(p);
    return true;
}

bool parser_expect(Parser *p, TokenKind kind, const char *what)
{
    if (parser_accept(p, kind))
        return true;
    parser_unexpected(p, what);
    return false;
}

bool token_is(const Parser *p, Token t, const char *word)
{
    size_t n = strlen(word);
    return token_is_word((TokenKind)t.kind) && t.end - t.start == n &&
           memcmp(p->src->text + t.start, word, n) == 0;
}

bool parser_at_word(Parser *p, const char *word) { return token_is(p, parser_peek(p), word); }

/* Single digits are shared, for long array literals. */
const char *parser_text(Parser *p, Token t)
{
    static const char digits[][2] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    const char *s = p->src->text + t.start;
    if (t.end - t.start == 1 && *s >= '0' && *s <= '9')
        return digits[*s - '0'];
    return arena_strndup(p->arena, s, t.end - t.start);
}

Span parser_span(const Parser *p, Token t) { return (Span){p->src, t.start, t.end}; }

Span parser_span_from(const Parser *p, u32 start)
{
    return (Span){p->src, start, p->last_end > start ? p->last_end : start};
}

void *parser_keep(Parser *p, void *at, size_t len, size_t size)
{
    void *kept = NULL;
    if (len) {
        kept = arena_alloc(p->arena, len * size);
        memcpy(kept, at, len * size);
    }
    free(at);
    return kept;
}

/* ---- errors ---- */

static void *fail_at(Parser *p, Span at, const char *hint, const char *fmt, va_list ap)
{
    Text message = {0};
    text_vprintf(&message, fmt, ap);
    diag_add(p->diags, "syntax", at, hint, "%s", text_str(&message));
    text_free(&message);
    p->failed = true;
    p->failed_in_header = p->header;
    return NULL;
}

void *parser_fail_span(Parser *p, Span at, const char *hint, const char *fmt, ...)
{
    if (p->failed || p->incomplete)
        return NULL;
    va_list ap;
    va_start(ap, fmt);
    fail_at(p, at, hint, fmt, ap);
    va_end(ap);
    return NULL;
}

/* A mistake seen at a token: if that token is no token at all, this is the mistake; if the text
 * just ends, an open bracket explains more than the end does. */
void *parser_fail(Parser *p, Token at, const char *hint, const char *fmt, ...)
{
    if (p->failed || p->incomplete)
        return NULL;
    if (token_is_bad((TokenKind)at.kind) || at.kind == T_WRONG) {
        lex_explain(p->src, at, p->diags);
        p->failed = true;
        p->failed_in_header = p->header;
        return NULL;
    }
    if (at.kind == T_EOF && p->interactive) {
        p->incomplete = true;
        return NULL;
    }
    if (at.kind == T_EOF && p->bracket != UINT32_MAX) {
        Span open = {p->src, p->bracket, p->bracket + 1};
        return parser_fail_span(p, open, NULL, "this `%c` is never closed",
                                p->src->text[p->bracket]);
    }
    va_list ap;
    va_start(ap, fmt);
    fail_at(p, parser_span(p, at), hint, fmt, ap);
    va_end(ap);
    return NULL;
}

static const char *const other_languages[][2] = {
    {"def", "a function is defined by `f(x) = expression`"},
    {"function", "a function is defined by `f(x) = expression`"},
    {"fn", "a function is defined by `f(x) = expression`"},
    {"lambda", "a nameless function is written `x -> expression`"},
    {"for", "a loop is written `scan t for n from s = s0 { s[t] = ... s[t-1] ... }`; `repeat n { "
            "... }` repeats "
            "statements"},
    {"while", "a loop with a condition is written `scan t from s = s0 { s[t] = ... ; until ... }`"},
    {"let", "a definition is just `name = expression`"},
    {"var", "a definition is just `name = expression`"},
    {"const", "a definition is just `name = expression`"},
    {"return", "a function's value is its expression; the last expression of a block is its value"},
    {"import", "nothing has to be imported: functions stand alone, sum(x); another file is run by "
               "`:load FILE`"},
    {"assert", "a function checks with `check(condition, \"message\")` before its result; a line "
               "is compared with `# => value`"},
    {"print", "an expression alone on its line prints its value"},
    {"println", "an expression alone on its line prints its value"},
    {"from", "nothing has to be imported: functions stand alone, sum(x); another file is run by "
             "`:load FILE`"},
    {"using", "another file is run by `:load FILE`; nothing has to be imported"},
    {"library", "another file is run by `:load FILE`; nothing has to be imported"},
    {"end", "nothing ends with a keyword: a loop's body is in braces, `scan t for n { ... }`"},
};

static const char *foreign_word(const Parser *p, Token t)
{
    for (size_t i = 0; i < COUNT_OF(other_languages); i++)
        if (t.kind == T_NAME && token_is(p, t, other_languages[i][0]))
            return other_languages[i][1];
    return NULL;
}

/* `//` between what could be operands, and words that cannot follow: a comment of C. */
static bool looks_like_comment(const Parser *p)
{
    for (size_t i = p->stmt_start; i < p->pos; i++)
        if (p->tokens[i].kind == T_FLOORDIV)
            return true;
    return false;
}

/* The statement begins, or the token before is, a word that other languages have; only where a name
 * cannot be followed by what follows it. */
static const char *foreign_hint(Parser *p, Token t)
{
    if (p->stmt_start + 1 < p->count && p->stmt_start < p->pos) {
        Token second = p->tokens[p->stmt_start + 1];
        const char *hint = foreign_word(p, p->tokens[p->stmt_start]);
        if (hint && (second.kind == T_NAME || second.kind == T_STRING || second.kind == T_LPAREN ||
                     second.kind == T_INT || second.kind == T_NOT || second.kind == T_TRUE))
            return hint;
    }
    bool operand = token_is_word((TokenKind)t.kind) || t.kind == T_COLON || t.kind == T_STRING;
    if (p->pos > 0 && operand)
        return foreign_word(p, p->tokens[p->pos - 1]);
    return NULL;
}

static const char *hint_at_operand(TokenKind kind)
{
    switch (kind) {
    case T_PLUS: return "a sign `+` is not needed";
    case T_QUOTE: return "strings are written in double quotes";
    case T_IF: return "put the `if` in parentheses";
    case T_NOT: return "put the `not` in parentheses";
    case T_ASSIGN: return "to compare write `==`";
    case T_GT:
    case T_RSHIFT: return "a pasted prompt? Leave out what comes before the expression";
    case T_FLOORDIV: return "a comment begins with `#`; `//` divides";
    case T_SLASH: return "a comment begins with `#`";
    case T_PERCENT:
        return "a comment begins with `#`; `%3`, without a blank, is node 3 of a listing";
    case T_AT: return "`@` multiplies matrices; `:time EXPR` shows how long something takes";
    case T_STAR: return "`*` has no meaning in front of an operand; a power is written `^`";
    case T_RPAREN:
    case T_RBRACKET:
    case T_RBRACE: return "something is missing before this bracket";
    default: return NULL;
    }
}

static const char *hint_at_operator(TokenKind kind)
{
    switch (kind) {
    case T_ASSIGN:
        return "to compare write `==`; a definition `name = expression` is a statement of its own";
    case T_STORE: return "`name := expression` is a statement of its own";
    case T_INCREASE: return "write `x := x + e`, or `a with [i] += e` for a part";
    case T_COLON:
        return "`name : type` declares an input; only a single name is allowed before `:`";
    case T_ARROW:
        return "a function is written `x -> e` or `(x, y) -> e`; put it in parentheses inside an "
               "expression";
    case T_FATARROW: return "a function is written `x -> e`; `=>` belongs to rules";
    case T_ELSE:
    case T_THEN: return "a choice is written `if c then a else b`";
    case T_RPAREN:
    case T_RBRACKET:
    case T_RBRACE: return "there is no open bracket that this could close";
    case T_COMMA: return "a tuple is written in parentheses: `(a, b)`";
    case T_UNTIL:
        return "`until` is an item of its own, in a scan or in `repeat`: put `;` or a newline "
               "before it";
    case T_IF: return "a choice is written `if c then a else b`";
    case T_LPAREN: return "sizes go in square brackets: f64[3]";
    case T_QUESTION:
        return "a choice is written `if c then a else b`; `?` is an unknown size, in types";
    case T_LBRACE: return "a choice is written `if c then a else b`, a loop `scan t for n { ... }`";
    case T_NAME:
    case T_INT:
    case T_FLOAT:
    case T_STRING:
    case T_TRUE:
    case T_FALSE:
    case T_NONE:
    case T_NOT:
    case T_SCAN: return "an operator, a comma, a bracket or a newline may be missing here";
    default: return NULL;
    }
}

static void describe(Text *out, const Parser *p, Token t)
{
    u32 n = t.end - t.start;
    if (t.kind == T_EOF) {
        text_put(out, "the end of the text");
    } else if (t.kind == T_NEWLINE) {
        text_put(out, "the end of the line");
    } else {
        u32 shown = n > 24 ? 24 : n;
        while (shown < n && shown > 0 && ((u8)p->src->text[t.start + shown] & 0xC0) == 0x80)
            shown--; /* not through the middle of a character */
        text_printf(out, "`%.*s%s`", (int)shown, p->src->text + t.start, shown < n ? "..." : "");
    }
}

/* "abs x": a name, a blank, an operand. */
static bool looks_like_call(const Parser *p, Token t)
{
    Token before = p->tokens[p->pos - 1];
    bool operand = t.kind == T_NAME || t.kind == T_INT || t.kind == T_FLOAT;
    return operand && !p->header && before.kind == T_NAME && t.start == before.end + 1 &&
           p->src->text[before.end] == ' ';
}

/* `close`: a closing bracket was expected. */
static void unexpected(Parser *p, const char *expected, bool close)
{
    Token t = parser_peek(p);
    bool operand = p->pos == 0 || !token_ends_expression((TokenKind)p->tokens[p->pos - 1].kind);
    const char *hint = foreign_hint(p, t);
    bool end = strcmp(expected, "the end of the statement") == 0;
    if (!hint && !operand && end && looks_like_call(p, t))
        hint = looks_like_comment(p)
                   ? "a comment begins with `#`; `//` divides"
                   : "a function is called with brackets, f(x); or an operator is missing here";
    if (!hint && close && token_is(p, t, "for"))
        hint = "a value for each is `map(i -> e, xs)`, or a loop: `scan i over xs { y[i] = e }`";
    if (!hint && !p->header)
        hint = operand ? hint_at_operand((TokenKind)t.kind) : hint_at_operator((TokenKind)t.kind);
    bool closes = t.kind == T_RPAREN || t.kind == T_RBRACKET || t.kind == T_RBRACE;
    if (close && closes)
        hint = NULL;
    Text found = {0};
    describe(&found, p, t);
    parser_fail(p, t, hint, "expected %s, but found %s", expected, text_str(&found));
    text_free(&found);
}

void *parser_unexpected(Parser *p, const char *expected)
{
    unexpected(p, expected, false);
    return NULL;
}

/* ---- nesting ---- */

/* Short texts, among them our own, are read to their end. */
bool parser_stops(Parser *p)
{
    bool pressed = interrupted(p->interrupt);
    if (p->src->len < LONG_TEXT || !(pressed || memory_short()))
        return false;
    if (!p->failed && !p->incomplete && pressed)
        diag_interrupted(p->diags, parser_span(p, parser_peek(p)), NULL);
    else if (!p->failed && !p->incomplete)
        diag_memory(p->diags, parser_span(p, parser_peek(p)), "in this text");
    p->failed = true;
    return true;
}

bool parser_enter(Parser *p)
{
    if (parser_stops(p))
        return ++p->depth, false;
    if (++p->depth <= PARSE_MAX_DEPTH)
        return true;
    parser_fail_span(p, parser_span(p, parser_peek(p)), "split it with definitions",
                     "this is nested too deeply");
    return false;
}

void parser_leave(Parser *p) { p->depth--; }

u32 parser_open(Parser *p, Token *open)
{
    u32 outside = p->bracket;
    *open = parser_take(p);
    p->bracket = open->start;
    return outside;
}

bool parser_close(Parser *p, Token open, u32 outside)
{
    TokenKind wanted = (TokenKind)(open.kind + 1); /* each closing kind follows its opening one */
    Token t = parser_peek(p);
    if (t.kind == wanted) {
        parser_take(p);
        p->bracket = outside;
        return true;
    }
    char o = p->src->text[open.start];
    char c = o == '(' ? ')' : o == '[' ? ']' : '}';
    int line, column, length;
    span_locate(parser_span(p, open), &line, &column, &length);
    Text expected = {0};
    text_printf(&expected, "`%c` for the `%c` of line %d, column %d", c, o, line, column);
    unexpected(p, text_str(&expected), true);
    text_free(&expected);
    return false;
}

/* ---- recovery ---- */

/* After a mistake in a scan header its other lines must not be taken for statements. */
static bool header_goes_on(Parser *p)
{
    static const char *const clauses[] = {"over", "for", "from", "using", "zip", "checkpoint"};
    Token t = parser_ahead(p, 1);
    if (t.kind == T_LBRACE)
        return true;
    if (parser_ahead(p, 2).kind == T_ASSIGN)
        return false;
    for (size_t i = 0; i < COUNT_OF(clauses); i++)
        if (token_is(p, t, clauses[i]))
            return true;
    return false;
}

/* A bracket that is never closed would swallow all that follows. A line that begins at the left
 * margin with `name =`, `name :=` or `name :` is taken for the next statement. */
static bool statement_restarts(Parser *p, Token t)
{
    if (t.kind != T_NAME || t.open == 0 || p->lexer->counts[2] > 0)
        return false;
    if (t.start > 0 && p->src->text[t.start - 1] != '\n')
        return false;
    TokenKind next = (TokenKind)parser_ahead(p, 1).kind;
    return next == T_ASSIGN || next == T_STORE || next == T_COLON ||
           (token_is(p, t, "shared") && next == T_NAME);
}

/* A bracket that stays open to the end of the text takes whole lines with it: say so. */
static void note_skipped(Parser *p, Token first, Token end)
{
    size_t lines = 0;
    for (size_t i = first.start; i < end.start && i < p->src->len; i++)
        lines += p->src->text[i] == '\n' && i + 1 < p->src->len && p->src->text[i + 1] != '\n';
    if (lines && !p->interactive)
        diag_note(p->diags, "skipped", parser_span(p, first),
                  "the %zu line%s after this one %s not read: the bracket is still open", lines,
                  lines == 1 ? "" : "s", lines == 1 ? "is" : "are");
}

void parser_recover(Parser *p)
{
    p->header = false;
    p->bracket = UINT32_MAX;
    if (++p->failures >= PARSE_MAX_FAILURES && !p->gave_up) {
        p->gave_up = true;
        diag_note(p->diags, "syntax", parser_span(p, parser_peek(p)),
                  "too many errors; the rest of the file was not read");
    }
    Token first = parser_ahead(p, 0);
    p->gave_up = p->gave_up || interrupted(p->interrupt);
    while (!p->gave_up) {
        Token t = parser_ahead(p, 0);
        bool ends = (t.kind == T_NEWLINE || t.kind == T_SEMI) && t.open == 0;
        if (ends && t.kind == T_NEWLINE && p->failed_in_header && header_goes_on(p))
            ends = false;
        if (t.kind == T_EOF)
            note_skipped(p, first, t);
        if (ends || t.kind == T_EOF)
            return;
        if (statement_restarts(p, t)) {
            lexer_restart(p->lexer, t.start);
            p->count = p->pos = 0;
            return;
        }
        p->last_end = t.end;
        if (++p->pos == p->count) /* what is skipped need not be kept */
            p->count = p->pos = 0;
    }
}
