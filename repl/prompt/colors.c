/* The colours of what is being typed: a lexer's view, as the parser may not have a whole entry yet.
 *
 * Invariant: what is neither a token nor a blank is a comment. */
#include "repl/prompt/prompt.h"
#include "repl/terminal/entry_rows.h"
#include "syntax/lex.h"

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

void colors_of_entry(const char *entry, unsigned char *colors, void *ctx)
{
    (void)ctx;
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
        memset(colors + t.start, color_of(entry, t), (stop < t.end ? stop : t.end) - t.start);
        end = t.end;
    }
    arena_free(&arena);
}
