/* Weaving: the blocks of a page run in order in one session, and behind each stands what it gives:
 * text, errors with their caret, drawings.
 *
 * The woven page is a page like its source, whose blocks carry their old results along; they are
 * replaced.  Invariant: weaving a woven page again, in place or elsewhere, gives the same bytes.
 * Nothing is written before every block has run and none failed that should not. */
#include "repl/documents/weave.h"

#include "base/file.h"
#include "repl/documents/check.h"
#include "repl/documents/question.h"
#include "repl/commands/show.h"

#include <errno.h>
#include <fcntl.h>
#include <strings.h>
#include <unistd.h>

typedef struct {
    Source doc;
    const char *eol;
    Diags diags; /* of the page, not yet told */
    bool color;
    int status;
    Woven made;
    Repl session;
    bool running;       /* there is a session */
    bool interrupted;   /* ^C */
    VEC(size_t) begins; /* block k + 1 of the page begins there */
    DrawQuestion draw;
    void *draw_ctx;
    size_t questions; /* so far */
    /* of the block that runs */
    Block block;
    int errors;
    Text text;  /* what was printed since the last drawing */
    Text parts; /* what stands behind the block */
} Weaver;

/* ---- places ---- */

/* The sources of blocks are called "block K", from 1 on. */
static bool block_of(const Weaver *w, const Source *src, size_t *k)
{
    int end = 0;
    return src && sscanf(src->name, "block %zu%n", k, &end) == 1 && !src->name[end] &&
           --*k < w->begins.len;
}

static Span span_in_page(const Weaver *w, Span s)
{
    size_t k;
    if (!block_of(w, s.src, &k))
        return s;
    u32 begin = (u32)w->begins.at[k];
    return (Span){&w->doc, begin + s.start, begin + s.end};
}

/* Shows one; at once, because the source of its place may go with the session. */
static void tell(Weaver *w, const Diag *d)
{
    Text out = {0};
    int status = strcmp(d->code, "io") == 0 ? EXIT_IO : EXIT_PROGRAM;
    diag_render(&out, d, w->color);
    fflush(stdout);
    fputs(text_str(&out), stderr);
    text_free(&out);
    if (!d->note && status > w->status)
        w->status = status;
}

static void tell_all(Weaver *w)
{
    for (size_t i = 0; i < w->diags.list.len; i++)
        tell(w, &w->diags.list.at[i]);
    diags_clear(&w->diags);
}

/* ---- parts of the page ---- */

static void put_lines(const Weaver *w, Text *out, const char *lines, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (lines[i] == '\n')
            text_put(out, w->eol);
        else
            text_putc(out, lines[i]);
    }
}

/* A fence longer than any inside. */
static void put_fence(Text *out, const char *inside)
{
    size_t longest = 2;
    for (const char *s = inside; *s; s++) {
        size_t n = strspn(s, "`");
        longest = n > longest ? n : longest;
        s += n ? n - 1 : 0;
    }
    for (size_t i = 0; i <= longest; i++)
        text_putc(out, '`');
}

static void flush_text(Weaver *w)
{
    Text *t = &w->text;
    if (t->len && !(w->block.words & BLOCK_QUIET)) {
        if (t->at[t->len - 1] != '\n')
            text_putc(t, '\n');
        text_put(&w->parts, w->eol);
        put_fence(&w->parts, text_str(t));
        text_printf(&w->parts, WOVEN_INFO "%s", w->eol);
        put_lines(w, &w->parts, t->at, t->len);
        put_fence(&w->parts, text_str(t));
        text_put(&w->parts, w->eol);
    }
    text_free(t);
}

/* Plain text as Markdown. */
static void put_plain(Text *out, const char *s)
{
    for (; *s; s++) {
        if (strchr("\\`*_[]<>&$~|!", *s))
            text_putc(out, '\\');
        text_putc(out, *s == '\n' ? ' ' : *s);
    }
}

static void put_link(Text *out, const char *path)
{
    for (; *path; path++)
        if ((u8)*path <= ' ' || strchr("()<>[]\"'\\%#?&*_`", *path))
            text_printf(out, "%%%02X", (unsigned)(u8)*path);
        else
            text_putc(out, *path);
}

static void put_drawing(Weaver *w, const char *path, const char *about)
{
    const char *dot = strrchr(path, '.');
    bool picture = dot && (strcasecmp(dot, ".svg") == 0 || strcasecmp(dot, ".png") == 0);
    flush_text(w);
    if (w->block.words & BLOCK_QUIET)
        return;
    text_printf(&w->parts, "%s%s", w->eol, picture ? "![" : "[");
    put_plain(&w->parts, picture && about ? about : path);
    text_put(&w->parts, "](");
    put_link(&w->parts, path);
    text_printf(&w->parts, ")" WOVEN_MARK "%s", w->eol);
}

/* ---- what is folded ---- */

static void begin_fold(Weaver *w, Text *out, const char *summary)
{
    text_printf(out, "%s<details><summary>%s</summary> " WOVEN_MARK "%s", w->eol, summary, w->eol);
}

static void end_fold(Weaver *w, Text *out)
{
    text_printf(out, "%s</details> " WOVEN_MARK "%s", w->eol, w->eol);
}

static void fold_parts(Weaver *w)
{
    Text inside = w->parts;
    w->parts = (Text){0};
    if (inside.len) {
        begin_fold(w, &w->parts, "Guess first, then look");
        text_putn(&w->parts, inside.at, inside.len);
        end_fold(w, &w->parts);
    }
    text_free(&inside);
}

/* A part of a page as a quotation, each row of it one of ours. */
static void put_quoted(Weaver *w, const char *text, Part p, const char *before)
{
    for (size_t at = p.start, n; at < p.end; at += n + 1, before = "") {
        n = strcspn(text + at, "\n");
        n = at + n < p.end ? n : p.end - at;
        int shown = (int)(n && text[at + n - 1] == '\r' ? n - 1 : n);
        text_printf(&w->parts, "> %s%.*s " WOVEN_MARK "%s", before, shown, text + at, w->eol);
    }
}

static bool has_fence(const char *text, Part p)
{
    return memmem(text + p.start, p.end - p.start, "```", 3) != NULL;
}

/* A row between two paragraphs of a quotation. */
static void put_between(Weaver *w) { text_printf(&w->parts, ">" WOVEN_MARK "%s", w->eol); }

/* `a + 2 * b`, and what it is if numbers were drawn for it. */
static void put_answer(Weaver *w, const Question *q, const char *text, const char *value)
{
    begin_fold(w, &w->parts, "Answer");
    text_printf(&w->parts, "%s> `%.*s`", w->eol, (int)(q->answer.end - q->answer.start),
                text + q->answer.start);
    bool same = value && strlen(value) == q->answer.end - q->answer.start &&
                memcmp(value, text + q->answer.start, strlen(value)) == 0;
    if (value && !same)
        text_printf(&w->parts, ", here `%s`", value);
    text_printf(&w->parts, " " WOVEN_MARK "%s", w->eol);
    for (size_t i = 0; i < q->right.len; i++) {
        put_between(w);
        put_quoted(w, text, q->right.at[i], "");
    }
    end_fold(w, &w->parts);
}

/* The question, and its answer folded. */
static void put_asked(Weaver *w, const Question *q, const char *text, const char *value)
{
    text_put(&w->parts, w->eol);
    put_quoted(w, text, q->asked, has_fence(text, q->asked) ? "" : "**Question.** ");
    for (size_t i = 0; i < q->choices.len; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu. ", i + 1);
        put_between(w);
        put_quoted(w, text, q->choices.at[i], number);
    }
    put_answer(w, q, text, value);
}

/* Nothing of a question is run, but the numbers that it draws are defined from here on. */
static void put_question(Weaver *w)
{
    Question q;
    size_t k = w->questions++;
    if (question_read(&w->doc, &w->block, &w->diags, &q)) {
        DrawnQuestion d = w->draw ? w->draw(w->draw_ctx, k) : (DrawnQuestion){0};
        if (d.drawn && *d.drawn)
            repl_run_text(&w->session, "let", d.drawn, strlen(d.drawn));
        text_free(&w->text);
        if (d.question)
            put_asked(w, d.question, d.page->text, d.answer);
        else
            put_asked(w, &q, w->doc.text, NULL);
        free(d.drawn);
    }
    question_free(&q);
}

/* ---- what a block gives ---- */

static void on_diag(void *ctx, const Diag *d)
{
    Weaver *w = ctx;
    Diag shown = *d;
    Source bare;
    size_t k;
    if (block_of(w, d->span.src, &k)) { /* where in the page it stands is to be seen */
        bare = *d->span.src;
        bare.name = NULL;
        shown.span.src = &bare;
    }
    bool of_drawing = d->note && strcmp(d->code, "draw") == 0; /* the picture has it too */
    if (!of_drawing)
        diag_render(&w->text, &shown, false);
    w->errors += !d->note;
    if (of_drawing || (!d->note && !(w->block.words & BLOCK_FAIL))) {
        shown = *d;
        shown.span = span_in_page(w, d->span);
        tell(w, &shown);
    }
}

static bool is_beside(const char *path)
{
    for (const char *part = path; *part;
         part += part[strcspn(part, "/")] ? strcspn(part, "/") + 1 : strcspn(part, "/"))
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]))
            return false;
    return *path != '/';
}

static bool on_file(void *ctx, const char *path, const Text *bytes, const char *about, Span span)
{
    Weaver *w = ctx;
    Diags *ds = &w->session.s.diags;
    if (!is_beside(path)) {
        diag_add(ds, "document", span, "name it relative to the page",
                 "%s is not in the folder of the page or below it", path);
        return false;
    }
    for (size_t i = 0; i < w->made.files.len; i++) {
        const WovenFile *old = &w->made.files.at[i];
        if (strcmp(old->path, path) != 0)
            continue;
        if (old->bytes.len == bytes->len && memcmp(old->bytes.at, bytes->at, bytes->len) == 0) {
            put_drawing(w, path, about);
            return true;
        }
        diag_add(ds, "document", span, NULL, "the page has another drawing of the name %s", path);
        return false;
    }
    WovenFile file = {.path = xstrdup(path)};
    text_putn(&file.bytes, bytes->at, bytes->len);
    vec_push(&w->made.files, file);
    put_drawing(w, path, about);
    return true;
}

/* ---- blocks ---- */

static void end_session(Weaver *w)
{
    if (w->running)
        repl_free(&w->session);
    w->running = false;
}

static void begin_session(Weaver *w)
{
    end_session(w);
    if (!repl_init(&w->session))
        die("the embedded prelude or rules are broken");
    w->running = true;
    w->session.capture = &w->text;
    w->session.listener = (Listener){.ctx = w, .diag = on_diag, .file = on_file};
}

static void run_block(Weaver *w)
{
    const Block *b = &w->block;
    char name[32];
    if (!w->running || b->words & BLOCK_FRESH)
        begin_session(w);
    vec_push(&w->begins, b->code.start);
    if (b->words & BLOCK_QUESTION) {
        put_question(w);
        return;
    }
    snprintf(name, sizeof name, "block %zu", w->begins.len);
    w->errors = 0;
    repl_run_source(&w->session, session_source(&w->session.s, name, w->doc.text + b->code.start,
                                                b->code.end - b->code.start));
    flush_text(w);
    if (b->words & BLOCK_GUESS)
        fold_parts(w);
    Span info = {&w->doc, (u32)b->info.start, (u32)b->info.end};
    w->interrupted = w->session.interrupted || term_interrupted();
    if (b->words & BLOCK_FAIL && !w->errors && !w->interrupted)
        diag_add(&w->diags, "document", info, "remove `fail` if that is right",
                 "this block is marked `fail`, but it gives no error");
    if (w->session.quit) {
        diag_add(&w->diags, "document", info, NULL, "a block cannot leave with :quit");
        w->session.quit = false;
    }
}

/* A block that is not shown stands in a comment. */
static void put_hidden(Weaver *w, Text *out)
{
    const Block *b = &w->block;
    const char *text = w->doc.text;
    text_printf(out, "<!-- %.*s%s", (int)(b->info.end - b->info.start), text + b->info.start,
                w->eol);
    text_putn(out, text + b->code.start, b->code.end - b->code.start);
    text_printf(out, "-->%s", w->eol);
    const char *end = memmem(text + b->code.start, b->code.end - b->code.start, "-->", 3);
    if (end) {
        u32 at = (u32)(end - text);
        diag_add(&w->diags, "document", (Span){&w->doc, at, at + 3}, "put a blank between",
                 "a hidden block becomes a comment, which --> would end");
    }
}

static void put_block(Weaver *w, Text *out)
{
    const Block *b = &w->block;
    const char *text = w->doc.text;
    if (b->words & (BLOCK_HIDDEN | BLOCK_QUESTION) && !b->comment)
        put_hidden(w, out);
    else
        text_putn(out, text + b->all.start, b->all.end - b->all.start);
    text_putn(out, text_str(&w->parts), w->parts.len);
    /* A paragraph that follows a drawing is no part of its line. */
    bool drawing = w->parts.len && w->parts.at[w->parts.len - 1 - strlen(w->eol)] == '>';
    if (drawing && b->woven.end < w->doc.len && !strchr("\r\n", text[b->woven.end]))
        text_put(out, w->eol);
    text_free(&w->parts);
}

static void weave_blocks(Weaver *w, Text *out)
{
    Markdown m = {.src = &w->doc, .diags = &w->diags};
    size_t done = 0;
    while (!w->interrupted && markdown_next(&m, &w->block)) {
        tell_all(w);
        text_putn(out, w->doc.text + done, w->block.all.start - done);
        run_block(w);
        put_block(w, out);
        done = w->block.woven.end;
        w->made.blocks++;
        tell_all(w);
    }
    text_putn(out, w->doc.text + done, w->doc.len - done);
    end_session(w);
}

/* ---- the page ---- */

/* Runs the blocks in the folder of the page, so that it means the same wherever it is woven. */
static void weave_there(Weaver *w, const char *in, Text *out)
{
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *slash = strrchr(in, '/');
    char *folder = slash ? xstrdup(in) : NULL;
    if (folder)
        folder[slash == in ? 1 : slash - in] = '\0';
    if (folder && (here < 0 || chdir(folder) != 0))
        diag_add(&w->diags, "io", (Span){0}, NULL, "the folder %s cannot be entered: %s", folder,
                 strerror(errno));
    else
        weave_blocks(w, out);
    if (folder && here >= 0 && fchdir(here) != 0)
        die("cannot return to the directory of the page");
    if (here >= 0)
        close(here);
    free(folder);
}

/* The last line may lack its end; while weaving it has one. */
static void weave_page(Weaver *w, const char *in, const char *text, size_t len)
{
    const char *nl = memchr(text, '\n', len);
    bool crlf = nl && nl > text && nl[-1] == '\r', ends = !len || text[len - 1] == '\n';
    Text whole = {0}, *out = &w->made.page.bytes;
    w->eol = crlf ? "\r\n" : "\n";
    text_putn(&whole, text, len);
    text_put(&whole, ends ? "" : w->eol);
    w->doc = (Source){.name = (char *)(uintptr_t)in, .len = whole.len};
    w->doc.text = text_take(&whole);
    if (len)
        weave_there(w, in, out);
    if (!ends && out->len >= strlen(w->eol))
        out->len -= strlen(w->eol);
}

enum { MOST_PAGE = 1 << 26 }; /* bytes */

int weave(const WeaveOptions *o)
{
    Weaver w = {.color = term_color(o->color, STDERR_FILENO), .draw = o->draw, .draw_ctx = o->ctx};
    size_t len = 0;
    ReadLimits limits = {.most = MOST_PAGE, .text = true, .interrupt = term_interrupt_flag()};
    char *text = read_file(o->in, &len, &limits);
    if (text)
        weave_page(&w, o->in, text, len);
    else
        diag_add(&w.diags, "io", (Span){0}, NULL, "%s cannot be read: %s", o->in, strerror(errno));
    tell_all(&w);
    w.made.page.path = xstrdup(o->out);
    int status = w.interrupted ? EXIT_INTERRUPTED : w.status;
    if (status == EXIT_FINE)
        status = o->check ? woven_compare(&w.made, o->in) : woven_write(&w.made);
    woven_free(&w.made);
    vec_free(&w.begins);
    text_free(&w.text);
    free(w.doc.text);
    free(text);
    diags_free(&w.diags);
    return status;
}
