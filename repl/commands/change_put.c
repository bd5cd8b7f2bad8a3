/* Setting the lines of a change: words that differ marked, long lines broken; see change.h. */
#include "repl/commands/change.h"

#include "graph/print.h"

#include <ctype.h>
#include <unistd.h>

Marks call_marks(const Call *c)
{
    const Repl *r = c->r;
    bool color = !r->capture && !r->json && term_color(r->color_mode, STDOUT_FILENO);
    return color ? MARKS_COLOR : MARKS_SIGNS;
}

/* ---- words ---- */

typedef struct {
    const char *at;
    size_t n;
    bool differs;
} Word;
typedef VEC(Word) Words;

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || (c & 0x80) || c == '_' || c == '.';
}

static void words_of(Words *out, const char *s)
{
    while (*s) {
        size_t n = 1;
        if (is_word(*s))
            while (is_word(s[n]))
                n++;
        vec_push(out, ((Word){s, n, *s != ' '}));
        s += n;
    }
}

static bool same_word(const Word *a, const Word *b)
{
    return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

/* Words of the longest sequence that both have do not differ. */
static void compare_words(Words *a, Words *b)
{
    size_t width = b->len + 1;
    u32 *longest = xcalloc((a->len + 1) * width, sizeof *longest);
    for (size_t i = a->len; i-- > 0;)
        for (size_t k = b->len; k-- > 0;) {
            u32 down = longest[(i + 1) * width + k], right = longest[i * width + k + 1];
            longest[i * width + k] = same_word(&a->at[i], &b->at[k])
                                         ? longest[(i + 1) * width + k + 1] + 1
                                     : down > right ? down
                                                    : right;
        }
    for (size_t i = 0, k = 0; i < a->len && k < b->len;)
        if (same_word(&a->at[i], &b->at[k]))
            a->at[i++].differs = b->at[k++].differs = false;
        else if (longest[(i + 1) * width + k] >= longest[i * width + k + 1])
            i++;
        else
            k++;
    free(longest);
}

/* Where most is different, marks tell nothing. */
static bool worth_marking(const Words *w)
{
    size_t all = 0, differ = 0;
    for (size_t i = 0; i < w->len; i++) {
        all += w->at[i].n * (*w->at[i].at != ' ');
        differ += w->at[i].n * w->at[i].differs;
    }
    return differ && 2 * differ <= all;
}

/* Do signs alone stand between it and the next word that differs? */
static bool is_between(const Words *w, size_t i)
{
    while (i < w->len && !w->at[i].differs && !is_word(*w->at[i].at))
        i++;
    return i < w->len && w->at[i].differs;
}

static void put_marked_words(Text *out, const Words *w)
{
    bool open = false;
    for (size_t i = 0; i < w->len; i++) {
        bool now = w->at[i].differs || (open && is_between(w, i));
        if (now != open)
            text_putc(out, now ? MARK_OPEN : MARK_CLOSE);
        open = now;
        text_putn(out, w->at[i].at, w->at[i].n);
    }
    if (open)
        text_putc(out, MARK_CLOSE);
}

/* Both lines with marks, if they have much in common. */
static void mark_pair(Text *before, Text *after, const char *a, const char *b)
{
    enum { MOST_WORDS = 600 };
    Words words[2] = {{0}, {0}};
    words_of(&words[0], a);
    words_of(&words[1], b);
    bool marks = words[0].len < MOST_WORDS && words[1].len < MOST_WORDS;
    if (marks)
        compare_words(&words[0], &words[1]);
    marks = marks && (worth_marking(&words[0]) || worth_marking(&words[1]));
    for (int i = 0; i < 2; i++) {
        if (marks)
            put_marked_words(i ? after : before, &words[i]);
        else
            text_put(i ? after : before, i ? b : a);
        vec_free(&words[i]);
    }
}

/* ---- lines ---- */

/* Characters of the line from s that fit in `room`, broken at a blank where there is one. */
static size_t fitting(const char *s, int room)
{
    size_t blank = 0, i = 0;
    int used = 0;
    for (; s[i]; i++) {
        bool wide = s[i] != MARK_OPEN && s[i] != MARK_CLOSE && ((unsigned char)s[i] & 0xC0) != 0x80;
        if (used + wide > room && blank)
            return blank;
        used += wide;
        if (s[i] == ' ' && used > 1)
            blank = i;
    }
    return i;
}

static void put_part(Text *out, const char *s, size_t n, char sign, Marks marks)
{
    const char *const open[] = {"", "«", sign == '-' ? "\033[1;31m" : "\033[1;32m"},
                      *const close[] = {"", "»", "\033[0m"};
    for (size_t i = 0; i < n; i++)
        if (s[i] == MARK_OPEN)
            text_put(out, open[marks]);
        else if (s[i] == MARK_CLOSE)
            text_put(out, close[marks]);
        else
            text_putc(out, s[i]);
}

static void put_sign(Text *out, char sign, Marks marks)
{
    const char marked[] = {MARK_OPEN, sign, MARK_CLOSE, ' '};
    put_part(out, marked, sizeof marked, sign, marks == MARKS_COLOR ? marks : MARKS_NONE);
}

static void put_line(Text *out, char sign, const char *s, int indent, int width, Marks marks)
{
    enum { LEAST_ROOM = 20, HANGING = 4 };
    int own = sign == '-' || sign == '+' ? 2 : 0, more = 0;
    do {
        int room = width - indent - own - more - (marks == MARKS_SIGNS ? 2 : 0);
        size_t n = fitting(s, room > LEAST_ROOM ? room : LEAST_ROOM);
        text_printf(out, "%*s", indent + (more ? own : 0) + more, "");
        if (own && !more)
            put_sign(out, sign, marks);
        put_part(out, s, n, sign, marks);
        text_putc(out, '\n');
        s += n + (s[n] == ' ');
        more = HANGING;
    } while (*s);
}

void change_marked(const ChangeLines *lines, ChangeLines *out)
{
    for (size_t i = 0; i < lines->of.len; i++) {
        const ChangeLine *l = &lines->of.at[i], *next = l + 1;
        Text before = {0}, after = {0};
        if (l->sign == '-' && i + 1 < lines->of.len && next->sign == '+') {
            mark_pair(&before, &after, l->text, next->text);
            vec_push(&out->of, ((ChangeLine){'-', text_take(&before)}));
            vec_push(&out->of, ((ChangeLine){'+', text_take(&after)}));
            i++;
        } else {
            text_put(&before, l->text);
            vec_push(&out->of, ((ChangeLine){l->sign, text_take(&before)}));
        }
    }
}

void change_put(Text *out, const ChangeLines *lines, int indent, int width, Marks marks)
{
    ChangeLines marked = {.of = {0}};
    change_marked(lines, &marked);
    for (size_t i = 0; i < marked.of.len; i++)
        put_line(out, marked.of.at[i].sign, marked.of.at[i].text, indent, width, marks);
    change_free(&marked);
}
