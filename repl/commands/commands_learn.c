/* :learn: the list of lessons, and which one is to be played.
 *
 * The lesson itself is played when the statement has ended (repl/teach), where someone is there to
 * answer: it has a session of its own. */
#include "repl/commands/commands.h"
#include "repl/commands/lessons.h"

#include <errno.h>

static char *progress_text(Call *c, Progress p)
{
    if (!p.screens || !p.done)
        return report_format(&c->report, "%s", "");
    if (p.done >= p.screens)
        return report_format(&c->report, "done");
    return report_format(&c->report, "%d of %d", p.done, p.screens);
}

static bool list_lessons(Call *c)
{
    static const Column columns[] = {{"", "number"}, {"", "name"}, {"", "title"}, {"", "progress"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    size_t next = 0;
    for (size_t k = 1; k <= lesson_count(); k++) {
        ShelfLesson l = lesson_at(k);
        Progress p = progress_of(l.name);
        if (!next && (!p.screens || p.done < p.screens))
            next = k;
        rows_add(&rows, int_of((i64)k), text_of(l.name), text_of(l.title),
                 text_of(progress_text(c, p)));
        lesson_put_back(&l);
    }
    rows_put(&rows, "lessons");
    if (next)
        text_printf(&c->out, "`:learn %zu` begins; Enter asks for a hint, quit leaves.\n", next);
    else
        text_put(&c->out, "All done. `:learn reset` forgets that.\n");
    return true;
}

static bool reset(Call *c)
{
    const char *word = NULL;
    Span span;
    size_t k = 0;
    if (call_word(c, &word, &span) && !(k = lesson_find(word)))
        return call_fail(c, span, "unknown-name", ":learn lists them", "there is no lesson %s",
                         word);
    ShelfLesson l = k ? lesson_at(k) : (ShelfLesson){0};
    bool ok = progress_forget(k ? l.name : NULL);
    if (k)
        lesson_put_back(&l);
    if (!ok)
        return call_fail(c, c->span, "io", NULL, "progress cannot be forgotten: %s",
                         strerror(errno));
    text_put(&c->out, k ? "that lesson starts over\n" : "all lessons start over\n");
    return true;
}

static bool unknown_lesson(Call *c, const char *word, Span span)
{
    const char *names[64];
    size_t n = 0;
    for (size_t k = 1; k <= lesson_count() && n < COUNT_OF(names); k++) {
        ShelfLesson l = lesson_at(k);
        names[n++] = report_format(&c->report, "%s", l.name);
        lesson_put_back(&l);
    }
    return call_unknown(c, span, "there is no lesson", word, names, n, ":learn lists them");
}

/* It is played where someone answers. */
static bool ask_for(Call *c, int lesson, const char *file)
{
    Repl *r = c->r;
    if (!r->tutor || r->json)
        return call_fail(c, c->span, "usage", NULL, "a lesson is for people, at the prompt");
    r->lesson = lesson;
    r->lesson_file = file ? xstrdup(file) : NULL;
    return true;
}

bool command_learn(Call *c)
{
    const char *word;
    Span span;
    if (c->file)
        return c->text[0] ? call_fail(c, c->rest, "usage", NULL, ":learn takes one lesson")
                          : ask_for(c, -1, c->file);
    if (!call_word(c, &word, &span))
        return list_lessons(c);
    if (strcmp(word, "reset") == 0)
        return reset(c);
    size_t k = lesson_find(word);
    return k ? ask_for(c, (int)k, NULL) : unknown_lesson(c, word, span);
}
