/* Colours by the lexer's view, as the parser may not have a whole entry yet; see colors.h. */
#include "repl/terminal/colors.h"
#include "repl/terminal/entry_rows.h"
#include "syntax/lex.h"
#include "tensor/tensor.h"

static bool is_language_word(const char *s, size_t n)
{
    for (size_t i = 0; language_words[i]; i++)
        if (strlen(language_words[i]) == n && strncmp(language_words[i], s, n) == 0)
            return true;
    return false;
}

static unsigned char color_of(const char *text, Token t)
{
    if (t.kind == T_STRING || t.kind == T_BAD_STRING) /* one that is being typed */
        return ENTRY_STRING;
    if (token_is_bad((TokenKind)t.kind) || t.kind == T_WRONG)
        return ENTRY_BAD;
    if (t.kind == T_INT || t.kind == T_FLOAT)
        return ENTRY_NUMBER;
    if (t.kind == T_COMMAND)
        return ENTRY_COMMAND;
    bool word = token_is_word((TokenKind)t.kind);
    return word && is_language_word(text + t.start, t.end - t.start) ? ENTRY_KEYWORD : ENTRY_PLAIN;
}

static void color_comment(const char *text, u32 from, u32 to, unsigned char *colors)
{
    bool comment = false;
    for (u32 i = from; i < to; i++) {
        comment = text[i] != '\n' && (comment || text[i] == '#');
        if (comment)
            colors[i] = ENTRY_COMMENT;
    }
}

static bool is_type(const char *s, size_t n)
{
    for (int d = 0; d < DT_COUNT; d++)
        if (strlen(dtype_name((DType)d)) == n && memcmp(dtype_name((DType)d), s, n) == 0)
            return true;
    return false;
}

/* Is it "%" or "@" of a number, or the number, of "%12"? */
static bool is_numbered(const char *text, Token t)
{
    bool number = t.kind == T_INT || t.kind == T_FLOAT;
    u32 sign = number ? t.start - 1 : t.start;
    if ((number && !t.start) || (text[sign] != '%' && text[sign] != '@'))
        return false;
    return text[sign + 1] >= '0' && text[sign + 1] <= '9';
}

/* What is coloured only where a text is shown. */
static unsigned char more_color_of(const char *text, Token t)
{
    size_t n = t.end - t.start;
    if (t.kind == T_NAME && is_type(text + t.start, n))
        return ENTRY_TYPE;
    if (t.kind == T_NAME && text[t.end] == '(')
        return ENTRY_CALL;
    return t.kind > T_RBRACE && t.kind <= T_FATARROW && t.kind != T_QUOTE ? ENTRY_SIGN
                                                                          : ENTRY_PLAIN;
}

static void find_colors(const char *entry, unsigned char *colors, bool more)
{
    Source src = {
        .name = (char[]){"<entry>"}, .text = (char *)(uintptr_t)entry, .len = strlen(entry)};
    Arena arena = {0};
    Lexer lx;
    lexer_init(&lx, source_whole(&src), &arena, true);
    u32 end = 0;
    for (Token t = lex_next(&lx);; t = lex_next(&lx)) {
        color_comment(entry, end, t.start, colors);
        if (t.kind == T_EOF || t.end <= end)
            break;
        u32 stop = t.kind == T_COMMAND ? t.start + (u32)strcspn(entry + t.start, " \n") : t.end;
        unsigned char color = color_of(entry, t);
        if (more)
            color = is_numbered(entry, t)  ? ENTRY_PLAIN
                    : color == ENTRY_PLAIN ? more_color_of(entry, t)
                                           : color;
        memset(colors + t.start, color, (stop < t.end ? stop : t.end) - t.start);
        end = t.end;
    }
    arena_free(&arena);
}

void colors_of_entry(const char *entry, unsigned char *colors, void *ctx)
{
    (void)ctx;
    find_colors(entry, colors, false);
}

void put_colored(Text *out, const char *text, bool colored)
{
    size_t n = strlen(text);
    if (!colored) {
        text_putn(out, text, n);
        return;
    }
    unsigned char *colors = xcalloc(n + 1, 1), now = ENTRY_PLAIN;
    find_colors(text, colors, true);
    for (size_t i = 0; i < n; i++) {
        /* no colour goes on over the end of a line: pagers begin anywhere */
        unsigned char next = text[i] == '\n' || colors[i] == ENTRY_BAD ? ENTRY_PLAIN : colors[i];
        if (next != now && now != ENTRY_PLAIN)
            text_put(out, "\033[0m");
        if (next != now && next != ENTRY_PLAIN)
            text_printf(out, "\033[%sm", entry_colors[next]);
        now = next;
        text_putc(out, text[i]);
    }
    text_put(out, now == ENTRY_PLAIN ? "" : "\033[0m");
    free(colors);
}
