/* See corpus.h. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/file.h"
#include "corpus.h"
#include "effort.h"

#include <dirent.h>
#include <unistd.h>

static void on_result(void *ctx, Result *r)
{
    if (r->kind == RESULT_VALUE || r->kind == RESULT_GRAPH)
        ((Corpus *)ctx)->on_roots(ctx, r->n, r->roots);
}

/* The expression of a command, without its last words as long as it cannot be read. */
static void run_command(Corpus *c, const Stmt *stmt)
{
    char *text = xmalloc(strlen(stmt->rest) + 1);
    strcpy(text, stmt->rest);
    for (Value *v = NULL; !v && *text;) {
        Node **roots = NULL;
        v = session_value(&c->s,
                          source_whole(session_source(&c->s, "command", text, strlen(text))));
        int n = v ? session_roots(&c->s, v, (Span){0}, &roots) : -1;
        if (n > 0)
            c->on_roots(c, n, roots);
        free(roots);
        diags_clear(&c->s.diags);
        char *blank = strrchr(text, ' ');
        *(blank ? blank : text) = '\0';
    }
    free(text);
}

static void run_file(Corpus *c, const char *path)
{
    size_t len = 0;
    char *text = read_file(path, &len, NULL);
    assert_non_null(text);
    char *end = strstr(text, "\n---\n");
    const Source *src;
    Parser p;
    assert_true(session_init(&c->s));
    c->file = path;
    c->files++;
    src = session_source(&c->s, path, text, end ? (size_t)(end - text) : len);
    parser_init(&p, src, &c->s.arena, &c->s.diags, false);
    for (ParseStatus status = PARSE_OK; status != PARSE_END && status != PARSE_INCOMPLETE;) {
        Stmt *stmt = NULL;
        status = parse_statement(&p, &stmt);
        if (status == PARSE_OK && stmt->kind == S_COMMAND)
            run_command(c, stmt);
        else if (status == PARSE_OK && stmt->kind != S_REPEAT) /* they train for long */
            session_run(&c->s, stmt, on_result, c);
        diags_clear(&c->s.diags);
    }
    free(text);
    session_free(&c->s);
}

static int wanted(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return (n > 3 && !strcmp(d->d_name + n - 3, ".gr")) ||
           (n > 2 && !strcmp(d->d_name + n - 2, ".t"));
}

static int visible(const struct dirent *d) { return d->d_name[0] != '.'; }

static void run_folder(Corpus *c, const char *folder)
{
    struct dirent **names = NULL;
    int n = scandir(folder, &names, wanted, alphasort);
    char path[512];
    assert_true(n >= 0);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (effort_takes(c->seen++) || (c->affordable && effort_keeps_all()))
            run_file(c, path);
        free(names[i]);
    }
    free(names);
}

/* With the files in it. */
static void remove_folder(const char *folder)
{
    struct dirent **names = NULL;
    int n = scandir(folder, &names, visible, alphasort);
    for (int i = 0; i < n; i++) {
        assert_int_equal(unlink(names[i]->d_name), 0);
        free(names[i]);
    }
    free(names);
    assert_int_equal(rmdir(folder), 0);
}

void corpus_run(Corpus *c)
{
    struct dirent **names = NULL;
    char root[256], path[1024], apart[] = "/tmp/gradus-corpus-XXXXXX";
    assert_non_null(getcwd(root, sizeof root));
    assert_non_null(mkdtemp(apart));
    assert_int_equal(chdir(apart), 0); /* programs of the corpus save files */
    snprintf(path, sizeof path, "%s/examples", root);
    run_folder(c, path);
    snprintf(path, sizeof path, "%s/tests/golden", root);
    int n = scandir(path, &names, visible, alphasort);
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/tests/golden/%s", root, names[i]->d_name);
        run_folder(c, path);
        free(names[i]);
    }
    free(names);
    remove_folder(apart);
    assert_int_equal(chdir(root), 0);
}
