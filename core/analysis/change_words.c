/* Which words of the two lines of a change differ.  See step_change.h. */
#include "analysis/step_change.h"

#include <ctype.h>

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
