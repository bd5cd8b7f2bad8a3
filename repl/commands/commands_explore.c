/* :explore: all steps of an expression as one HTML page. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "repl/commands/commands.h"
#include "repl/commands/known_values.h"
#include "repl/commands/show.h"
#include "viz/page/page_build.h"

enum { VALUE_WORK = 200000000 }; /* elements, for the values on a page */

static void page_values(void *ctx, int n, Node *const *nodes, char **texts)
{
    Call *c = ctx;
    Tensor **at = xcalloc((size_t)n + 1, sizeof *at);
    known_values(&c->r->s, n, nodes, VALUE_WORK, at);
    for (int i = 0; i < n; i++) {
        Text t = {0};
        if (!at[i])
            continue;
        show_brief(c->r, &t, at[i]);
        texts[i] = text_take(&t);
        tensor_unref(at[i]);
    }
    free(at);
}

static void say(Call *c, const PageStats *stats, size_t bytes)
{
    report_say(&c->report, "{file}: {steps step}, {=states}{=nodes}{bytes} bytes", text_of(c->file),
               int_of(stats->rows), int_of(stats->states), int_of(stats->nodes),
               int_of((i64)bytes));
}

bool command_explore(Call *c)
{
    Exploration *x = call_explore(c);
    if (!x)
        return false;
    Text page = {0};
    PageOptions options = {.title = c->text, .values = page_values, .ctx = c};
    PageStats stats;
    char *error = NULL;
    bool ok = page_build(x, &options, &page, &stats, &error);
    if (!ok)
        call_fail(c, c->span, "draw", NULL, "%s", error ? error : "the page failed");
    else if (stats.notes)
        diag_note(&c->r->s.diags, "draw", c->span, "%s", stats.notes);
    ok = ok && call_put_file(c, &page, NULL);
    if (ok)
        say(c, &stats, page.len);
    free(stats.notes);
    free(error);
    text_free(&page);
    return ok;
}
