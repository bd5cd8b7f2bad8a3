/* Reading records with jansson, whose names clash with those of base/json.h: hence a file of its
 * own.
 *
 * Invariant: every field is checked, because anyone may have edited the file. */
#include "base/file.h"
#include "repl/teach/record.h"

#include <errno.h>
#include <jansson.h>

enum { MOST_BYTES = 1 << 24, MOST_COUNT = 1000000 };

/* The text of a field; NULL: it is absent or not a text. */
static char *text_field(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? xstrdup(s) : NULL;
}

static bool count_field(const json_t *o, const char *key, u32 *out)
{
    const json_t *x = json_object_get(o, key);
    json_int_t k = json_is_integer(x) ? json_integer_value(x) : -1;
    *out = k >= 0 && k <= MOST_COUNT ? (u32)k : 0;
    return k >= 0 && k <= MOST_COUNT;
}

static bool flag_field(const json_t *o, const char *key, bool *out)
{
    const json_t *x = json_object_get(o, key);
    *out = json_is_true(x);
    return json_is_boolean(x);
}

static bool read_wrong(const json_t *list, QuestionRecord *q)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *w = json_array_get(list, i);
        WrongAnswer answer = {text_field(w, "typed"), text_field(w, "reply")};
        if (!answer.typed) {
            free(answer.reply);
            return false;
        }
        vec_push(&q->wrong, answer);
    }
    return json_is_array(list);
}

/* The record owns what was read even if it is not whole. */
static bool read_question(const json_t *o, LessonRecord *r)
{
    vec_push(&r->questions, ((QuestionRecord){.asked = text_field(o, "asked")}));
    QuestionRecord *q = &r->questions.at[r->questions.len - 1];
    return q->asked && count_field(o, "tries", &q->tries) && count_field(o, "hints", &q->hints) &&
           flag_field(o, "answered", &q->answered) && flag_field(o, "skipped", &q->skipped) &&
           read_wrong(json_object_get(o, "wrong"), q);
}

static bool read_record(const json_t *o, LessonRecord *r)
{
    const char *kind = json_string_value(json_object_get(o, "gradus"));
    const json_t *questions = json_object_get(o, "questions");
    bool ok = kind && !strcmp(kind, "lesson record") && json_is_array(questions);
    *r = (LessonRecord){.lesson = text_field(o, "lesson"),
                        .title = text_field(o, "title"),
                        .page = text_field(o, "page"),
                        .learner = text_field(o, "learner")};
    ok = ok && r->lesson && r->title && r->page && r->learner;
    for (size_t i = 0; ok && i < json_array_size(questions); i++)
        ok = read_question(json_array_get(questions, i), r);
    return ok;
}

bool record_read(LessonRecord *r, const char *path, Text *why)
{
    size_t len = 0;
    json_error_t error;
    *r = (LessonRecord){0};
    char *text = read_file(path, &len, &(ReadLimits){.most = MOST_BYTES, .text = true});
    if (!text) {
        text_printf(why, "%s cannot be read: %s", path, strerror(errno));
        return false;
    }
    json_t *whole = json_loadb(text, len, 0, &error);
    bool ok = whole && read_record(whole, r);
    if (!whole)
        text_printf(why, "%s is not JSON (line %d: %s)", path, error.line, error.text);
    else if (!ok)
        text_printf(why, "%s is not the record of a lesson, as --record writes it", path);
    if (!ok)
        record_free(r);
    json_decref(whole);
    free(text);
    return ok;
}
