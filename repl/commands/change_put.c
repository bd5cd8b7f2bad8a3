/* Setting the lines of a change: words that differ marked, long lines broken; see change.h. */
#include "repl/commands/change.h"

#include "surface/surface.h"

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

static void mark_words(ChangeLine *l, const Words *w)
{
    bool open = false;
    for (size_t i = 0; i < w->len; i++) {
        bool now = w->at[i].differs || (open && is_between(w, i));
        if (now != open)
            vec_push(&l->marks, ((Edge){(size_t)(w->at[i].at - l->text), now, NULL}));
        open = now;
    }
    if (open)
        vec_push(&l->marks, ((Edge){strlen(l->text), false, NULL}));
}

/* Both lines, if they have much in common. */
static void mark_pair(ChangeLine *before, ChangeLine *after)
{
    enum { MOST_WORDS = 600 };
    Words a = {0}, b = {0};
    words_of(&a, before->text);
    words_of(&b, after->text);
    before->marks.len = after->marks.len = 0;
    if (a.len < MOST_WORDS && b.len < MOST_WORDS) {
        compare_words(&a, &b);
        if (worth_marking(&a) || worth_marking(&b)) {
            mark_words(before, &a);
            mark_words(after, &b);
        }
    }
    vec_free(&a);
    vec_free(&b);
}

void change_mark(ChangeLines *lines)
{
    for (size_t i = 0; i + 1 < lines->of.len; i++) {
        ChangeLine *l = &lines->of.at[i];
        if (l->sign == '-' && l[1].sign == '+') {
            mark_pair(l, l + 1);
            i++;
        }
    }
}

/* ---- lines ---- */

/* Characters of the line from s that fit in `room`, broken at a blank where there is one. */
static size_t fitting(const char *s, int room)
{
    size_t blank = 0, i = 0;
    int used = 0;
    for (; s[i]; i++) {
        bool wide = ((unsigned char)s[i] & 0xC0) != 0x80;
        if (used + wide > room && blank)
            return blank;
        used += wide;
        if (s[i] == ' ' && used > 1)
            blank = i;
    }
    return i;
}

static void put_sign(Text *out, char sign, Marks marks)
{
    if (marks == MARKS_COLOR)
        text_printf(out, "\033[1;3%cm%c\033[0m ", sign == '-' ? '1' : '2', sign);
    else
        text_printf(out, "%c ", sign);
}

static void put_line(Text *out, const ChangeLine *l, int indent, int width, Marks marks)
{
    enum { LEAST_ROOM = 20, HANGING = 4 };
    const char *const open[] = {"", "«", l->sign == '-' ? "\033[1;31m" : "\033[1;32m"},
                      *const close[] = {"", "»", "\033[0m"};
    int own = l->sign == '-' || l->sign == '+' ? 2 : 0, more = 0;
    StyledPart p = {0};
    do {
        int room = width - indent - own - more - (marks == MARKS_SIGNS ? 2 : 0);
        size_t end = p.at + fitting(l->text + p.at, room > LEAST_ROOM ? room : LEAST_ROOM);
        text_printf(out, "%*s", indent + (more ? own : 0) + more, "");
        if (own && !more)
            put_sign(out, l->sign, marks);
        while (styled_next(&p, l->text, end, &l->marks))
            if (p.edge)
                text_put(out, p.edge->opens ? open[marks] : close[marks]);
            else
                text_putn(out, p.text, p.len);
        text_putc(out, '\n');
        p.at += l->text[p.at] == ' ';
        more = HANGING;
    } while (l->text[p.at]);
}

void change_put(Text *out, ChangeLines *lines, int indent, int width, Marks marks)
{
    change_mark(lines);
    for (size_t i = 0; i < lines->of.len; i++)
        put_line(out, &lines->of.at[i], indent, width, marks);
}
