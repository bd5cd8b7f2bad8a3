/* Finding the blocks of Gradus in Markdown.  See markdown.h.
 *
 * Only as much of CommonMark as is needed to know what is code: fences, which may show other
 * fences, and comments.  A fence inside a list or a quotation (indented by more than three
 * blanks, or behind `>`) is not looked at.
 * Invariant: the position only moves forward, by whole lines. */
#include "repl/documents/markdown.h"

static const struct {
    const char *name;
    u32 bit;
} block_words[] = {{"hidden", BLOCK_HIDDEN}, {"quiet", BLOCK_QUIET}, {"fail", BLOCK_FAIL},
                   {"fresh", BLOCK_FRESH},   {"guess", BLOCK_GUESS}, {"question", BLOCK_QUESTION}};

/* ---- lines ---- */

static size_t line_end(const Source *src, size_t at)
{
    const char *nl = memchr(src->text + at, '\n', src->len - at);
    return nl ? (size_t)(nl - src->text) + 1 : src->len;
}

/* The line without its end and the blanks before that. */
static size_t trimmed_end(const Source *src, size_t at, size_t end)
{
    while (end > at && strchr(" \t\r\n", src->text[end - 1]))
        end--;
    return end;
}

/* Past up to three blanks. */
static size_t skip_indent(const Source *src, size_t at)
{
    size_t n = 0;
    while (n < 4 && at + n < src->len && src->text[at + n] == ' ')
        n++;
    return n < 4 ? at + n : at;
}

static bool starts(const Source *src, size_t at, const char *word)
{
    size_t n = strlen(word);
    return at + n <= src->len && memcmp(src->text + at, word, n) == 0;
}

static bool is_word_end(const Source *src, size_t at)
{
    return at >= src->len || strchr(" \t\r\n", src->text[at]);
}

/* ---- fences ---- */

typedef struct {
    char mark;
    size_t count;
    Part info;
} Fence;

/* Does a fence open in the line at `at`? */
static bool fence_opens(const Source *src, size_t at, Fence *f)
{
    size_t i = skip_indent(src, at), end = trimmed_end(src, at, line_end(src, at));
    *f = (Fence){.mark = i < end ? src->text[i] : '\0'};
    if (f->mark != '`' && f->mark != '~')
        return false;
    while (i < end && src->text[i] == f->mark) {
        i++;
        f->count++;
    }
    while (i < end && strchr(" \t", src->text[i]))
        i++;
    f->info = (Part){i, end};
    bool ticks = f->mark == '`' && memchr(src->text + i, '`', end - i);
    return f->count >= 3 && !ticks;
}

static bool fence_closes(const Source *src, size_t at, const Fence *f)
{
    size_t i = skip_indent(src, at), end = trimmed_end(src, at, line_end(src, at)), n = 0;
    while (i < end && src->text[i] == f->mark) {
        i++;
        n++;
    }
    return n >= f->count && i == end;
}

static bool comment_closes(const Source *src, size_t at)
{
    size_t i = skip_indent(src, at), end = trimmed_end(src, at, line_end(src, at));
    return end - i == 3 && starts(src, i, "-->");
}

/* From the line after the opening one: the code and the end of all.  Without a fence it is a
 * comment. */
static void find_close(Markdown *m, const Fence *f, size_t opened, Block *b)
{
    const Source *src = m->src;
    b->code.start = b->code.end = line_end(src, opened);
    while (b->code.end < src->len &&
           !(f ? fence_closes(src, b->code.end, f) : comment_closes(src, b->code.end)))
        b->code.end = line_end(src, b->code.end);
    b->all = (Part){opened, line_end(src, b->code.end)};
    if (b->code.end < src->len)
        return;
    Span where = {src, (u32)opened, (u32)trimmed_end(src, opened, line_end(src, opened))};
    diag_add(m->diags, "document", where,
             f ? "end it with the same number of the same character on a line of its own"
               : "end it with --> on a line of its own",
             f ? "this fence is never closed" : "this comment is never closed");
}

static bool is_info(const Source *src, Part info, const char *text)
{
    return info.end - info.start == strlen(text) && starts(src, info.start, text);
}

/* ---- what was woven ---- */

static bool is_woven_line(const Source *src, size_t at)
{
    size_t end = trimmed_end(src, at, line_end(src, at)), n = strlen(WOVEN_MARK);
    return end - at > n && starts(src, end - n, WOVEN_MARK) && strchr("![<>", src->text[at]);
}

/* The end of the woven part that begins at `at`, or `at` if there is none. */
static size_t woven_part(Markdown *m, size_t at)
{
    Fence f;
    Block b;
    if (is_woven_line(m->src, at))
        return line_end(m->src, at);
    if (!fence_opens(m->src, at, &f) || !is_info(m->src, f.info, WOVEN_INFO))
        return at;
    find_close(m, &f, at, &b);
    return b.all.end;
}

static size_t woven_end(Markdown *m, size_t at)
{
    for (size_t next = at, end; next < m->src->len; next = end) {
        while (next < m->src->len && trimmed_end(m->src, next, line_end(m->src, next)) == next)
            next = line_end(m->src, next);
        if (next >= m->src->len || (end = woven_part(m, next)) == next)
            break;
        at = end;
    }
    return at;
}

/* ---- blocks ---- */

static void unknown_word(Markdown *m, size_t at, size_t end)
{
    const char *names[COUNT_OF(block_words)], *close;
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)(end - at), m->src->text + at);
    for (size_t i = 0; i < COUNT_OF(block_words); i++)
        names[i] = block_words[i].name;
    close = closest_name(word, names, COUNT_OF(names));
    Text hint = {0};
    if (close)
        text_printf(&hint, "did you mean %s?", close);
    else
        text_put(&hint, "the words are hidden, quiet, fail, fresh, guess and question");
    diag_add(m->diags, "document", (Span){m->src, (u32)at, (u32)end}, text_str(&hint),
             "a block of gradus cannot be %s", word);
    text_free(&hint);
}

static u32 read_words(Markdown *m, Part info)
{
    u32 words = 0;
    for (size_t at = info.start + strlen("gradus"), end; at < info.end; at = end) {
        while (at < info.end && strchr(" \t", m->src->text[at]))
            at++;
        for (end = at; end < info.end && !strchr(" \t", m->src->text[end]);)
            end++;
        u32 bit = 0;
        for (size_t i = 0; i < COUNT_OF(block_words); i++)
            if (strlen(block_words[i].name) == end - at && starts(m->src, at, block_words[i].name))
                bit = block_words[i].bit;
        if (!bit && end > at)
            unknown_word(m, at, end);
        words |= bit;
    }
    return words;
}

static bool is_gradus(const Source *src, size_t at)
{
    return starts(src, at, "gradus") && is_word_end(src, at + strlen("gradus"));
}

/* Past a comment that is none of ours: up to and with the line that holds its end. */
static size_t skip_comment(Markdown *m, size_t at)
{
    const Source *src = m->src;
    for (size_t i = at; i + 3 <= src->len; i++)
        if (starts(src, i, "-->"))
            return line_end(src, i);
    diag_add(m->diags, "document", (Span){src, (u32)at, (u32)at + 4}, NULL,
             "this comment is never closed");
    return src->len;
}

/* A comment at `at`: true if it is a block. */
static bool read_comment(Markdown *m, size_t at, Block *b)
{
    const Source *src = m->src;
    size_t word = at + strlen("<!--"), end = line_end(src, at);
    while (word < end && src->text[word] == ' ')
        word++;
    Part info = {word, trimmed_end(src, word, end)};
    if (!is_gradus(src, word) || memchr(src->text + word, '>', end - word)) {
        m->at = skip_comment(m, at);
        return false;
    }
    find_close(m, NULL, at, b);
    b->info = info;
    b->comment = true;
    b->words = BLOCK_HIDDEN | read_words(m, info);
    m->at = b->all.end;
    return true;
}

static void complain_of_orphan(Markdown *m, size_t at)
{
    size_t end = trimmed_end(m->src, at, line_end(m->src, at));
    diag_add(m->diags, "document", (Span){m->src, (u32)at, (u32)end},
             "take it away, or put the block back before it",
             "this was woven, but no block of gradus stands before it");
}

/* What begins in the line at m->at: true if it is a block of ours. */
static bool read_line(Markdown *m, Block *b)
{
    const Source *src = m->src;
    size_t at = m->at, text = skip_indent(src, at);
    Fence f;
    if (starts(src, text, "<!--"))
        return read_comment(m, text, b);
    if (is_woven_line(src, at))
        complain_of_orphan(m, at);
    m->at = line_end(src, at);
    if (!fence_opens(src, at, &f))
        return false;
    if (is_info(src, f.info, WOVEN_INFO))
        complain_of_orphan(m, at);
    find_close(m, &f, at, b);
    m->at = b->all.end;
    if (!is_gradus(src, f.info.start))
        return false;
    b->info = f.info;
    b->words = read_words(m, f.info);
    return true;
}

bool markdown_next(Markdown *m, Block *b)
{
    while (m->at < m->src->len) {
        *b = (Block){0};
        if (!read_line(m, b))
            continue;
        b->woven = (Part){b->all.end, woven_end(m, b->all.end)};
        m->at = b->woven.end;
        return true;
    }
    return false;
}
