/* `gradus learn report`: what a class did, question by question.
 *
 * Records of one version of a page are counted together. Wrong answers count as equal if the
 * lesson replies the same to them, or else if the same was typed. */
#include "repl/teach/record.h"

#include <stdio.h>

enum { MOST_SHOWN = 3, ASKED_CHARS = 60, EXIT_SOME_BAD = 1 };

typedef struct {
    const WrongAnswer *first;
    u32 count;
} Common;

typedef struct {
    VEC(Common) all;
} Tally;

static bool is_same_mistake(const WrongAnswer *a, const WrongAnswer *b)
{
    if (a->reply && b->reply)
        return !strcmp(a->reply, b->reply);
    return !a->reply && !b->reply && !strcmp(a->typed, b->typed);
}

static void count_wrong(Tally *t, const WrongAnswer *w)
{
    for (size_t i = 0; i < t->all.len; i++)
        if (is_same_mistake(t->all.at[i].first, w)) {
            t->all.at[i].count++;
            return;
        }
    vec_push(&t->all, ((Common){w, 1}));
}

/* The most frequent first; among equals the one that was typed first. */
static const Common *take_most(Tally *t)
{
    Common *most = NULL;
    for (size_t i = 0; i < t->all.len; i++)
        if (t->all.at[i].count && (!most || t->all.at[i].count > most->count))
            most = &t->all.at[i];
    return most;
}

static void put_common(Text *out, Tally *t)
{
    const Common *c;
    for (int n = 0; n < MOST_SHOWN && (c = take_most(t)); n++) {
        text_printf(out, "     %4u x  %s", c->count, c->first->typed);
        if (c->first->reply)
            text_printf(out, "   (%s)", c->first->reply);
        text_putc(out, '\n');
        t->all.at[c - t->all.at].count = 0;
    }
    vec_free(&t->all);
}

typedef struct {
    VEC(LessonRecord) all;
} Records;

static bool is_same_page(const LessonRecord *a, const LessonRecord *b)
{
    return !strcmp(a->page, b->page) && !strcmp(a->lesson, b->lesson);
}

/* Question `k` of all records of the page of `of`. */
static void put_question(Text *out, const Records *rs, const LessonRecord *of, size_t k)
{
    u32 seen = 0, answered = 0, skipped = 0, tries = 0, hints = 0;
    Tally tally = {0};
    for (size_t i = 0; i < rs->all.len; i++) {
        const LessonRecord *r = &rs->all.at[i];
        if (!is_same_page(r, of) || k >= r->questions.len)
            continue;
        const QuestionRecord *q = &r->questions.at[k];
        seen += q->tries || q->hints || q->answered || q->skipped;
        answered += q->answered;
        skipped += q->skipped;
        tries += q->tries;
        hints += q->hints;
        for (size_t w = 0; w < q->wrong.len; w++)
            count_wrong(&tally, &q->wrong.at[w]);
    }
    const char *asked = of->questions.at[k].asked;
    bool cut = strlen(asked) > ASKED_CHARS;
    text_printf(out, "%3zu  %.*s%s\n", k + 1, cut ? ASKED_CHARS : (int)strlen(asked), asked,
                cut ? " .." : "");
    text_printf(out, "     reached by %u, answered by %u, skipped by %u; tries: %u, hints: %u\n",
                seen, answered, skipped, tries, hints);
    put_common(out, &tally);
}

static void put_page(Text *out, const Records *rs, size_t first)
{
    const LessonRecord *of = &rs->all.at[first];
    size_t learners = 0;
    for (size_t i = 0; i < first; i++)
        if (is_same_page(&rs->all.at[i], of))
            return; /* it has been reported */
    for (size_t i = first; i < rs->all.len; i++)
        learners += is_same_page(&rs->all.at[i], of);
    text_printf(out, "%s%s (%s): %zu learner%s\n", out->len ? "\n" : "", of->title, of->lesson,
                learners, learners == 1 ? "" : "s");
    for (size_t k = 0; k < of->questions.len; k++)
        put_question(out, rs, of, k);
}

int learn_report(size_t n, char *const *paths)
{
    Records rs = {0};
    Text out = {0}, why = {0};
    for (size_t i = 0; i < n; i++) {
        LessonRecord r;
        if (record_read(&r, paths[i], &why))
            vec_push(&rs.all, r);
        else
            fprintf(stderr, "gradus: %s; it is left out\n", text_str(&why));
        text_free(&why);
    }
    for (size_t i = 0; i < rs.all.len; i++)
        put_page(&out, &rs, i);
    fputs(text_str(&out), stdout);
    int status = rs.all.len == n ? 0 : EXIT_SOME_BAD;
    for (size_t i = 0; i < rs.all.len; i++)
        record_free(&rs.all.at[i]);
    vec_free(&rs.all);
    text_free(&out);
    return status;
}
