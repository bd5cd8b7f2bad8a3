/* Keeping the record of a lesson (record.h) while it is played.
 *
 * Invariant: the file is whole after every answer, so that nothing is lost when the learner leaves
 * or the power goes. */
#include "repl/teach/player.h"

#include <errno.h>
#include <unistd.h>

/* The n-th question of the lesson is the one that is asked. */
static QuestionRecord *now(Player *p)
{
    size_t k = 0;
    for (const Item *item = p->lesson.items.at; item < p->asked; item++)
        k += item->kind == ITEM_QUESTION;
    return &p->record.questions.at[k];
}

/* The part on one line, without marks. */
static char *one_line(Player *p, const Part *part)
{
    Text shown = {0};
    const char *text = p->lesson.page.text + part->start;
    lesson_put_markdown(&shown, text, part->end - part->start, INT32_MAX, false);
    while (shown.len && strchr(" \n", shown.at[shown.len - 1]))
        shown.at[--shown.len] = '\0';
    for (size_t i = 0; i < shown.len; i++)
        shown.at[i] = shown.at[i] == '\n' ? ' ' : shown.at[i];
    return text_take(&shown);
}

static void save(Player *p)
{
    if (!p->r->record || record_write(&p->record, p->r->record) || p->unrecorded)
        return;
    fflush(stdout);
    fprintf(stderr, "gradus: %s cannot be written: %s; the lesson goes on\n", p->r->record,
            strerror(errno));
    p->unrecorded = true;
}

/* Before numbers are drawn, so that all learners have the same version. */
static char *version_of(const Lesson *l)
{
    char digits[20];
    size_t len = l->written;
    snprintf(digits, sizeof digits, "%016llx",
             (unsigned long long)hash_bytes(l->page.text, len, 0));
    return xstrdup(digits);
}

static void start(Player *p)
{
    const char *slash = strrchr(p->name, '/');
    const char *seed = p->r->seed ? p->r->seed : "";
    p->record = (LessonRecord){.lesson = xstrdup(slash ? slash + 1 : p->name),
                               .title = xstrdup(p->lesson.title),
                               .page = version_of(&p->lesson),
                               .learner = xstrdup(seed)};
    for (size_t i = 0; i < p->lesson.items.len; i++) {
        const Item *item = &p->lesson.items.at[i];
        if (item->kind == ITEM_QUESTION)
            vec_push(&p->record.questions,
                     ((QuestionRecord){.asked = one_line(p, &item->question.asked)}));
    }
}

/* Is what the file holds the record of this lesson and this learner? */
static bool goes_on(const LessonRecord *old, const LessonRecord *new)
{
    return !strcmp(old->page, new->page) && !strcmp(old->learner, new->learner) &&
           old->questions.len == new->questions.len;
}

static bool refuse(Player *p, const char *what)
{
    diag_add(&p->r->s.diags, "lesson", (Span){0},
             "give --record another file; this one, and your place in the lesson, are as they were",
             "%s", what);
    return false;
}

bool recorder_begin(Player *p)
{
    LessonRecord old;
    Text why = {0};
    start(p);
    if (!p->r->record || access(p->r->record, F_OK) != 0)
        return true;
    bool ok = record_read(&old, p->r->record, &why);
    if (!ok)
        refuse(p, text_str(&why));
    else if (!goes_on(&old, &p->record)) {
        text_printf(&why, "%s is the record of another lesson, version or learner: %s%s%s",
                    p->r->record, old.title, *old.learner ? ", " : "", old.learner);
        ok = refuse(p, text_str(&why));
        record_free(&old);
    } else {
        record_free(&p->record);
        p->record = old;
    }
    text_free(&why);
    return ok;
}

void recorder_hint(Player *p)
{
    now(p)->hints++;
    save(p);
}

void recorder_right(Player *p)
{
    now(p)->tries++;
    now(p)->answered = true;
    save(p);
}

void recorder_skip(Player *p)
{
    now(p)->skipped = true;
    save(p);
}

void recorder_wrong(Player *p, const Part *reply)
{
    char *text = reply ? one_line(p, reply) : NULL;
    now(p)->tries++;
    record_wrong(now(p), p->typed_now ? p->typed_now : "", text);
    free(text);
    save(p);
}
