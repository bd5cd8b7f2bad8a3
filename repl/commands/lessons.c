/* Lessons and progress.  See lessons.h.
 *
 * Invariant: the file of progress is read anew each time and replaced as a whole, so that two
 * programs never write half of it each. */
#include "repl/commands/lessons.h"

#include "base/file.h"
#include "embed/embed.h"
#include "repl/terminal/state_file.h"

#include <errno.h>
#include <unistd.h>

/* ---- lessons ---- */

size_t lesson_count(void) { return embed_lessons_count; }

ShelfLesson lesson_at(size_t k)
{
    const EmbedFile *file = &embed_lessons[k - 1];
    const char *name = file->name + strspn(file->name, "0123456789-");
    const char *title = file->text + strspn(file->text, "# ");
    Text n = {0}, t = {0};
    text_putn(&n, name, strcspn(name, "."));
    text_putn(&t, title, strcspn(title, "\n"));
    return (ShelfLesson){text_take(&n), text_take(&t), file->text, file->len};
}

void lesson_put_back(ShelfLesson *lesson)
{
    free(lesson->name);
    free(lesson->title);
}

size_t lesson_find(const char *word)
{
    char *end;
    unsigned long number = strtoul(word, &end, 10);
    if (*word >= '0' && *word <= '9' && !*end)
        return number <= lesson_count() ? number : 0;
    for (size_t k = 1; k <= lesson_count(); k++) {
        ShelfLesson l = lesson_at(k);
        bool same = strcmp(l.name, word) == 0;
        lesson_put_back(&l);
        if (same)
            return k;
    }
    return 0;
}

/* ---- progress ---- */

typedef struct {
    Progress p;
    const char *name;
} Line;

/* A line of the file, which is changed; false: it is none. */
static bool read_line(char *row, Line *line)
{
    int n = 0;
    bool ok = sscanf(row, "%d %d %n", &line->p.done, &line->p.screens, &n) == 2 && n > 0;
    line->name = row + n;
    return ok && *line->name;
}

/* Calls `each` for all lines. */
static void each_line(void (*each)(void *ctx, const Line *line), void *ctx)
{
    char *path = state_file("lessons");
    size_t len = 0;
    char *text = path ? read_file(path, &len, NULL) : NULL;
    for (char *row = text; row && *row;) {
        size_t n = strcspn(row, "\n");
        bool more = row[n] == '\n';
        row[n] = '\0';
        Line line;
        if (read_line(row, &line))
            each(ctx, &line);
        row += n + more;
    }
    free(text);
    free(path);
}

typedef struct {
    const char *name;
    Progress found;
    Text others; /* lines of other lessons */
} Search;

static void look(void *ctx, const Line *line)
{
    Search *s = ctx;
    if (strcmp(line->name, s->name) == 0)
        s->found = line->p;
    else
        text_printf(&s->others, "%d %d %s\n", line->p.done, line->p.screens, line->name);
}

static Search search(const char *name)
{
    Search s = {.name = name};
    each_line(look, &s);
    return s;
}

Progress progress_of(const char *name)
{
    Search s = search(name);
    text_free(&s.others);
    return s.found;
}

static bool write_lines(const Text *lines)
{
    char *path = state_file("lessons");
    if (!path)
        return true;
    make_folders_of(path);
    bool ok = write_file(path, lines->at, lines->len, NULL);
    free(path);
    return ok;
}

bool progress_keep(const char *name, Progress p)
{
    Search s = search(name);
    text_printf(&s.others, "%d %d %s\n", p.done, p.screens, name);
    bool ok = (s.found.done == p.done && s.found.screens == p.screens) || write_lines(&s.others);
    text_free(&s.others);
    return ok;
}

bool progress_forget(const char *name)
{
    Search s = search(name ? name : "");
    char *path = state_file("lessons");
    bool ok = true;
    if (name)
        ok = !s.found.screens || write_lines(&s.others);
    else if (path)
        ok = unlink(path) == 0 || errno == ENOENT;
    free(path);
    text_free(&s.others);
    return ok;
}
