/* :explore: all steps of an expression as one HTML page. */
#include "rewrite/history.h"
#include "repl/commands.h"
#include "repl/show.h"
#include "viz/page_build.h"

#include <errno.h>

static bool write_page(Call *c, const Text *page)
{
    FILE *f = fopen(c->file, "wb");
    bool ok = f && fwrite(page->at, 1, page->len, f) == page->len;
    int error = errno;
    if (f && fclose(f) != 0 && ok) {
        ok = false;
        error = errno;
    }
    return ok || call_fail(c, c->file_span, "io", NULL, "%s cannot be written: %s", c->file,
                           strerror(error));
}

static void say_count(Call *c, const char *key, i64 value)
{
    json_key(&c->data, key);
    json_int(&c->data, value);
}

static void say(Call *c, const PageStats *stats, size_t bytes)
{
    text_printf(&c->out, "%s: %d step%s, %zu bytes\n", c->file, stats->rows,
                stats->rows == 1 ? "" : "s", bytes);
    json_key(&c->data, "file");
    json_string(&c->data, c->file);
    say_count(c, "steps", stats->rows);
    say_count(c, "states", stats->states);
    say_count(c, "nodes", stats->nodes);
    say_count(c, "bytes", (i64)bytes);
}

bool command_explore(Call *c)
{
    Exploration *x = call_explore(c);
    if (!x)
        return false;
    exploration_number_states(x);
    Text page = {0};
    PageOptions options = {.title = c->text};
    PageStats stats;
    char *error = NULL;
    bool ok = page_build(x, &options, &page, &stats, &error);
    if (!ok)
        call_fail(c, c->span, "draw", NULL, "%s", error ? error : "the page failed");
    else if (stats.notes)
        diag_note(&c->r->s.diags, "draw", c->span, "%s", stats.notes);
    ok = ok && write_page(c, &page);
    if (ok)
        say(c, &stats, page.len);
    free(stats.notes);
    free(error);
    text_free(&page);
    return ok;
}
