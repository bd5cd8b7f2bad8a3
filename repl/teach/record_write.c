/* Records as JSON; see record.h. */
#include "base/file.h"
#include "base/json.h"
#include "repl/teach/record.h"

static void put_wrong(Json *j, const QuestionRecord *q)
{
    json_open(j, "wrong", '[');
    for (size_t i = 0; i < q->wrong.len; i++) {
        json_begin(j, '{');
        json_pair(j, "typed", q->wrong.at[i].typed);
        json_pair(j, "reply", q->wrong.at[i].reply);
        json_end(j, '}');
    }
    json_end(j, ']');
}

static void put_question(Json *j, const QuestionRecord *q)
{
    json_begin(j, '{');
    json_pair(j, "asked", q->asked);
    json_count(j, "tries", q->tries);
    json_count(j, "hints", q->hints);
    json_flag(j, "answered", q->answered);
    json_flag(j, "skipped", q->skipped);
    put_wrong(j, q);
    json_end(j, '}');
}

bool record_write(const LessonRecord *r, const char *path)
{
    Text out = {0};
    Json j = {.out = &out};
    json_begin(&j, '{');
    json_pair(&j, "gradus", "lesson record");
    json_pair(&j, "lesson", r->lesson);
    json_pair(&j, "title", r->title);
    json_pair(&j, "page", r->page);
    json_pair(&j, "learner", r->learner);
    json_open(&j, "questions", '[');
    for (size_t i = 0; i < r->questions.len; i++)
        put_question(&j, &r->questions.at[i]);
    json_end(&j, ']');
    json_end(&j, '}');
    text_putc(&out, '\n');
    bool ok = write_file(path, text_str(&out), out.len, NULL);
    text_free(&out);
    return ok;
}

void record_wrong(QuestionRecord *q, const char *typed, const char *reply)
{
    vec_push(&q->wrong, ((WrongAnswer){xstrdup(typed), reply ? xstrdup(reply) : NULL}));
}

void record_free(LessonRecord *r)
{
    for (size_t i = 0; i < r->questions.len; i++) {
        QuestionRecord *q = &r->questions.at[i];
        for (size_t k = 0; k < q->wrong.len; k++) {
            free(q->wrong.at[k].typed);
            free(q->wrong.at[k].reply);
        }
        vec_free(&q->wrong);
        free(q->asked);
    }
    vec_free(&r->questions);
    free(r->lesson);
    free(r->title);
    free(r->page);
    free(r->learner);
    *r = (LessonRecord){0};
}
