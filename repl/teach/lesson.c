/* Lessons from pages.  See lesson.h.
 *
 * Invariant: items stand in the order of the page, and their screens do not go back. */
#include "repl/teach/lesson.h"

#include "repl/commands/show.h"

/* ---- lines ---- */

static size_t line_end(const Source *src, size_t at, size_t end)
{
    const char *nl = memchr(src->text + at, '\n', end - at);
    return nl ? (size_t)(nl - src->text) + 1 : end;
}

static bool starts(const Source *src, size_t at, size_t end, const char *word)
{
    size_t n = strlen(word);
    return end - at >= n && memcmp(src->text + at, word, n) == 0;
}

static bool is_blank(const Source *src, Part p)
{
    while (p.start < p.end && strchr(" \t\r\n", src->text[p.start]))
        p.start++;
    return p.start == p.end;
}

/* ---- items ---- */

typedef struct {
    Lesson *l;
    Diags *diags;
    bool filled; /* something stands on the present screen */
    bool failed;
} Reader;

static void add_item(Reader *r, Item item)
{
    Lesson *l = r->l;
    item.screen = l->screens - 1;
    r->filled = true;
    vec_push(&l->items, item);
}

static void add_text(Reader *r, size_t from, size_t to)
{
    if (!is_blank(&r->l->page, (Part){from, to}))
        add_item(r, (Item){.kind = ITEM_TEXT, .text = {from, to}});
}

static void set_title(Reader *r, size_t at, size_t end)
{
    Text t = {0};
    for (at += 2; end > at && strchr(" \t\r\n", r->l->page.text[end - 1]); end--)
        continue;
    text_putn(&t, r->l->page.text + at, end - at);
    r->l->title = text_take(&t);
}

/* Prose between blocks: the title is taken out, headings begin screens. */
static void read_prose(Reader *r, size_t from, size_t to)
{
    const Source *page = &r->l->page;
    bool fenced = false;
    size_t begin = from;
    for (size_t at = from, end; at < to; at = end) {
        end = line_end(page, at, to);
        if (starts(page, at, end, "```") || starts(page, at, end, "~~~"))
            fenced = !fenced;
        bool title = !fenced && !r->l->title && starts(page, at, end, "# ");
        bool heading = !fenced && starts(page, at, end, "## ");
        if (!title && !heading)
            continue;
        add_text(r, begin, at);
        begin = title ? end : at;
        if (title)
            set_title(r, at, end);
        else if (r->filled)
            r->l->screens++, r->filled = false;
    }
    add_text(r, begin, to);
}

static void read_block(Reader *r, const Block *b)
{
    Item item = {.kind = ITEM_BLOCK, .text = b->code, .words = b->words};
    if (b->words & BLOCK_QUESTION) {
        item.kind = ITEM_QUESTION;
        r->failed = !question_read(&r->l->page, b, r->diags, &item.question) || r->failed;
        item.mistakes = xcalloc(item.question.wrong.len + 1, sizeof *item.mistakes);
        r->l->questions++;
    }
    if (item.question.draws.len) {
        add_item(r, (Item){.kind = ITEM_BLOCK, .words = BLOCK_HIDDEN}); /* lesson_draw fills it */
        r->l->draws = true;
    }
    add_item(r, item);
}

bool lesson_read(Lesson *l, const char *name, const char *text, size_t len, Diags *ds)
{
    Text whole = {0};
    text_putn(&whole, text, len);
    text_put(&whole, len && text[len - 1] != '\n' ? "\n" : "");
    *l = (Lesson){.page = {.name = xstrdup(name), .len = whole.len}, .screens = 1};
    l->page.text = text_take(&whole);
    l->written = l->page.len;
    Reader r = {.l = l, .diags = ds};
    Markdown m = {.src = &l->page, .diags = ds};
    size_t done = 0, errors = ds->errors;
    for (Block b; markdown_next(&m, &b); done = b.woven.end) {
        read_prose(&r, done, b.all.start);
        read_block(&r, &b);
    }
    read_prose(&r, done, l->page.len);
    if (!l->title)
        l->title = xstrdup(name);
    if (!l->questions && !r.failed && ds->errors == errors)
        diag_add(ds, "lesson", (Span){&l->page, 0, 0}, "`:help lessons` shows how one is written",
                 "%s is not a lesson: it has no questions", name);
    return !r.failed && ds->errors == errors;
}

void lesson_free(Lesson *l)
{
    for (size_t i = 0; i < l->items.len; i++) {
        Item *item = &l->items.at[i];
        for (size_t k = 0; k < item->question.wrong.len; k++)
            answer_free(&item->mistakes[k]);
        answer_free(&item->answer);
        question_free(&item->question);
        free(item->mistakes);
    }
    vec_free(&l->items);
    if (l->judged)
        repl_free(&l->judge);
    free(l->title);
    free(l->page.name);
    free(l->page.text);
}

/* ---- working the answers out ---- */

/* A part of the page as a text that begins with as many empty lines and blanks as stand before it
 * in the page, so that messages name the right place. */
static void put_padded(Text *out, const Source *page, Part p)
{
    size_t row = 0;
    for (size_t i = 0; i < p.start; i++)
        if (page->text[i] == '\n')
            text_putc(out, '\n'), row = i + 1;
    for (size_t i = row; i < p.start; i++)
        text_putc(out, ' ');
    text_putn(out, page->text + p.start, p.end - p.start);
}

/* Diagnostics of the judge, for those who wrote the lesson. */
typedef struct {
    Lesson *l;
    Diags *diags;
    int errors;
    bool quiet; /* they are expected */
} Judging;

static void on_diag(void *ctx, const Diag *d)
{
    Judging *j = ctx;
    if (d->note)
        return;
    j->errors++;
    if (j->quiet)
        return;
    Span at = {0};
    if (d->span.src && strcmp(d->span.src->name, j->l->page.name) == 0) {
        int line, column, length;
        span_locate(d->span, &line, &column, &length);
        size_t row = 0;
        for (const char *text = j->l->page.text; line > 1; line--)
            row += strcspn(text + row, "\n") + 1;
        size_t start = row + (size_t)column - 1;
        at = (Span){&j->l->page, (u32)start, (u32)(start + (size_t)length)};
    }
    diag_add(j->diags, d->code, at, d->hint, "%s", d->message);
}

static void on_result(void *ctx, Result *res) { (void)ctx, (void)res; }

static bool on_file(void *ctx, const char *path, const Text *bytes, const char *about, Span span)
{
    (void)ctx, (void)path, (void)bytes, (void)about, (void)span;
    return true;
}

static void begin_judge(Lesson *l, Judging *j, Text *sink)
{
    if (l->judged)
        repl_free(&l->judge);
    if (!repl_init(&l->judge))
        die("the embedded prelude or rules are broken");
    l->judged = true;
    l->judge.capture = sink;
    l->judge.listener = (Listener){.ctx = j, .result = on_result, .diag = on_diag, .file = on_file};
}

static void run_block(Lesson *l, Judging *j, const Item *item)
{
    Text code = {0};
    put_padded(&code, &l->page, item->text);
    j->errors = 0;
    j->quiet = item->words & BLOCK_FAIL;
    repl_run_text(&l->judge, l->page.name, text_str(&code), code.len);
    if (j->quiet && !j->errors)
        diag_add(j->diags, "lesson", (Span){&l->page, (u32)item->text.start, (u32)item->text.start},
                 "remove `fail` if that is right",
                 "this block is marked `fail`, but it gives no error");
    j->quiet = false;
    text_free(&code);
}

/* A mistake that is not one, perhaps only with the numbers that were drawn. */
static void tell_right(Lesson *l, Judging *j, const Item *item, const Part *what)
{
    Text hint = {0};
    char *drawn = lesson_drawn(l, item);
    if (*drawn)
        text_printf(&hint, "so it is with %s: change the range of `let:`, or the answer", drawn);
    diag_add(j->diags, "lesson", (Span){&l->page, (u32)what->start, (u32)what->end},
             *drawn ? text_str(&hint) : NULL, "this is listed as wrong, but it is the answer");
    text_free(&hint);
    free(drawn);
}

static void work_out(Lesson *l, Judging *j, Item *item)
{
    const Question *q = &item->question;
    if (l->draws && !lesson_fill(l, item))
        return;
    if (q->kind == ASK_DERIVE) {
        derive_prepare(&item->answer, &l->judge, &l->page, q);
        return;
    }
    if (!answer_work_out(&item->answer, &l->judge, &l->page, q, q->answer))
        return;
    for (size_t k = 0; k < q->wrong.len; k++) {
        const Part *what = &q->wrong.at[k].what;
        if (answer_work_out(&item->mistakes[k], &l->judge, &l->page, q, *what) &&
            answers_same(&item->answer, &item->mistakes[k], q))
            tell_right(l, j, item, what);
    }
}

bool lesson_prepare(Lesson *l, Diags *ds)
{
    size_t errors = ds->errors;
    Text sink = {0};
    Judging j = {.l = l, .diags = ds};
    begin_judge(l, &j, &sink);
    for (size_t i = 0; i < l->items.len && !term_interrupted(); i++) {
        Item *item = &l->items.at[i];
        if (item->kind == ITEM_BLOCK)
            run_block(l, &j, item);
        else if (item->kind == ITEM_QUESTION)
            work_out(l, &j, item);
        text_free(&sink);
    }
    l->judge.capture = NULL;
    text_free(&sink);
    if (l->judge.interrupted || term_take_interrupt())
        return false;
    return ds->errors == errors;
}

enum { TRIED_SEEDS = 50 };

static void tell(const Diags *ds, bool color)
{
    for (size_t i = 0; i < ds->list.len; i++) {
        Text out = {0};
        diag_render(&out, &ds->list.at[i], color);
        fflush(stdout);
        fputs(text_str(&out), stderr);
        text_free(&out);
    }
}

/* Once; a mistake that only some numbers show is named with its seed. */
static bool try_seed(const char *name, const char *text, size_t len, int seed, bool color,
                     bool *again)
{
    Lesson l;
    Diags ds = {0};
    char word[16];
    snprintf(word, sizeof word, "%d", seed);
    bool ok = lesson_read(&l, name, text, len, &ds);
    lesson_draw(&l, word);
    ok = ok && lesson_prepare(&l, &ds);
    *again = ok && l.draws;
    if (ds.errors && l.draws)
        diag_note(&ds, "lesson", (Span){0}, "`gradus learn --seed %s %s` has these numbers", word,
                  name);
    tell(&ds, color);
    diags_free(&ds);
    lesson_free(&l);
    return ok;
}

static bool has_question(const char *name, const char *text, size_t len)
{
    Diags ds = {0};
    Source page = {.name = (char *)(uintptr_t)name, .text = (char *)(uintptr_t)text, .len = len};
    Markdown m = {.src = &page, .diags = &ds};
    bool found = false;
    for (Block b; !found && markdown_next(&m, &b);)
        found = b.words & BLOCK_QUESTION;
    diags_free(&ds);
    return found;
}

bool lesson_try(const char *name, const char *text, size_t len, bool color)
{
    bool again = has_question(name, text, len), ok = true;
    for (int seed = 1; seed <= TRIED_SEEDS && again; seed++)
        ok = try_seed(name, text, len, seed, color, &again);
    return ok;
}

/* ---- the page as a document ---- */

/* A DrawQuestion; ctx: a Lesson. */
static DrawnQuestion drawn_question(void *ctx, size_t k)
{
    const Lesson *l = ctx;
    for (size_t i = 0; i < l->items.len; i++) {
        const Item *item = &l->items.at[i];
        if (item->kind == ITEM_QUESTION && k-- == 0)
            return (DrawnQuestion){&item->question, &l->page, item->answer.text,
                                   lesson_drawn(l, item)};
    }
    return (DrawnQuestion){0};
}

int lesson_weave(const WeaveOptions *o, const char *text, size_t len)
{
    Lesson l;
    Diags ds = {0};
    WeaveOptions with = *o;
    if (lesson_read(&l, o->in, text, len, &ds) && l.draws) {
        lesson_draw(&l, "1");
        if (lesson_prepare(&l, &ds)) {
            with.draw = drawn_question;
            with.ctx = &l;
        }
    }
    diags_free(&ds);
    int status = weave(&with);
    lesson_free(&l);
    return status;
}
