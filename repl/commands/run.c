/* Running texts: files, -e arguments, stdin and what is typed at the prompt.
 *
 * Invariant: a statement that fails is reported and the next one runs; only ^C in a
 * program without a prompt, or :quit, ends a text early. */
#include "analysis/gradient_flow.h"
#include "base/file.h"
#include "base/threads.h"
#include "repl/commands/commands.h"
#include "repl/commands/repl.h"
#include "repl/commands/settings.h"
#include "repl/commands/show.h"
#include "rewrite/rule_example.h"
#include "session/keep.h"
#include "session/undo.h"
#include "syntax/lex.h"

#include <errno.h>
#include <unistd.h>

/* ---- progress ---- */

static void progress_show(void *ctx, double seconds, double fraction)
{
    Repl *r = ctx;
    double now = now_seconds();
    bool often = r->progress && now - r->progress_at < 0.1;
    if (often || !term_is_tty(STDERR_FILENO) || term_is_dumb())
        return;
    r->progress_at = now;
    fflush(stdout);
    if (fraction >= 0)
        fprintf(stderr, "\r%.1f s, %d %%\033[K", seconds, (int)(100 * fraction));
    else
        fprintf(stderr, "\r%.1f s\033[K", seconds);
    fflush(stderr);
    r->progress = true;
}

static void progress_clear(Repl *r)
{
    if (r->progress)
        fputs("\r\033[K", stderr);
    r->progress = false;
}

/* ---- diagnostics ---- */

static void note_status(Repl *r, const Diag *d)
{
    int status = strcmp(d->code, "io") == 0 ? EXIT_IO : EXIT_PROGRAM;
    if (!d->note && status > r->status)
        r->status = status;
}

void repl_report(Repl *r)
{
    Diags *ds = &r->s.diags;
    if (r->reported < ds->list.len)
        progress_clear(r);
    if (memory_short())
        diags_only(ds, r->reported, "memory");
    else if (term_interrupted())
        diags_only(ds, r->reported, "interrupted");
    while (r->reported < ds->list.len) {
        const Diag *d = &ds->list.at[r->reported++];
        if (r->listener.diag) {
            r->listener.diag(r->listener.ctx, d);
            continue;
        }
        note_status(r, d);
        show_diag(r, d);
    }
}

/* While a statement runs, the session counts its errors; they are forgotten only after it. */
static void forget_diags(Repl *r)
{
    repl_report(r);
    if (r->running)
        return;
    diags_clear(&r->s.diags);
    r->reported = 0;
}

void repl_set_color(Repl *r, ColorMode mode)
{
    r->color_mode = mode;
    r->color = term_color(mode, STDERR_FILENO);
}

/* ---- statements ---- */

static void on_result(void *ctx, Result *res)
{
    Repl *r = ctx;
    progress_clear(r);
    if (res->kind == RESULT_ERROR)
        store_stopped(&r->s.st, "here");
    repl_report(r);
    if (res->kind == RESULT_COMMAND)
        command_run(r, res->stmt);
    else if (r->listener.result)
        r->listener.result(r->listener.ctx, res);
    else
        show_result(r, res);
    if (res->kind == RESULT_VALUE && !r->listener.result && (!res->definition || r->at_prompt))
        flow_note_zeros(&r->s.st, res->n, res->roots, res->stmt->span);
    if (r->at_prompt && res->kind == RESULT_VALUE && !res->definition)
        session_set_last(&r->s, res);
    repl_report(r);
}

void repl_run_statement(Repl *r, Stmt *stmt)
{
    bool outermost = !r->running;
    if (outermost)
        undo_begin(&r->s);
    r->running++;
    if (stmt->kind == S_COMMAND)
        command_run(r, stmt);
    else
        session_run(&r->s, stmt, on_result, r);
    r->running--;
    if (outermost)
        undo_end(&r->s);
    progress_clear(r);
    repl_report(r);
    if (r->at_prompt)
        fflush(stdout);
}

static void end_statement(Repl *r, Chapter *outer)
{
    forget_diags(r);
    session_end(&r->s, outer);
    if (!term_take_interrupt())
        return;
    r->interrupted = true;
    clearerr(stdout); /* a write that ^C cut short is no failure of the file */
}

static size_t skip_blanks(const Source *src, size_t at)
{
    while (at < src->len && src->text[at] && strchr(" \t\r\n;#", src->text[at]))
        if (src->text[at] == '#')
            at += strcspn(src->text + at, "\n");
        else
            at++;
    return at;
}

/* ^C came when a statement was done: what comes behind it will not run, which is to be told. */
static void tell_left_out(Repl *r, const Source *src, size_t from)
{
    size_t at = skip_blanks(src, from);
    Span span = {src, (u32)at, (u32)at};
    if (term_interrupted() && !r->s.diags.errors && (at < src->len || r->running))
        diag_interrupted(&r->s.diags, span, "before this");
}

/* A statement that could not be read still tells what it would have defined, so that
 * those who use the name are not told that it is unknown. */
static void mark_failed(Repl *r, const Source *src, size_t from)
{
    size_t at = skip_blanks(src, from);
    VEC(Symbol) names = {0};
    if (strncmp(src->text + at, "shared ", 7) == 0)
        at += 7;
    for (size_t n; (n = lex_word_length(src, at)) > 0;) {
        vec_push(&names, symbol_n(&r->s.st, src->text + at, n));
        at += n;
        at += strspn(src->text + at, " \t");
        if (src->text[at] != ',')
            break;
        at++;
        at += strspn(src->text + at, " \t");
    }
    const char *s = src->text + at;
    bool defines = (*s == '=' && s[1] != '=') || *s == ':';
    for (size_t i = 0; i < names.len && defines; i++)
        session_failed(&r->s, names.at[i]);
    vec_free(&names);
}

void repl_run_text(Repl *r, const char *name, const char *text, size_t len)
{
    repl_run_source(r, session_source(&r->s, name, text, len));
}

/* What comes behind :reset in a text, in the session that begins anew; or behind :learn, typed in
 * the lesson, as far as that goes. */
static void run_rest(Repl *r, const Source *src, size_t from)
{
    char *name = xstrdup(src->name), *rest = xstrdup(src->text + from);
    size_t used = 0;
    if (r->reset)
        repl_reset(r);
    else
        used = r->tutor(r, r->at_prompt ? NULL : rest);
    if (rest[used])
        repl_run_text(r, name, rest + used, strlen(rest + used));
    free(name);
    free(rest);
}

void repl_run_source(Repl *r, const Source *src)
{
    Parser p;
    Arena tokens = {0};
    parser_init(&p, src, &tokens, &r->s.diags, false);
    source_open(&r->s, src);
    session_recover(&r->s); /* should it have run out between the statements */
    while (!r->quit && !(r->interrupted && !r->prompting)) {
        Stmt *stmt = NULL;
        Chapter *outer;
        size_t from = p.last_end;
        ParseStatus status = session_parse(&r->s, &p, &stmt, &outer);
        if (status == PARSE_OK)
            repl_run_statement(r, stmt);
        else if (status == PARSE_ERROR)
            mark_failed(r, src, from);
        tell_left_out(r, src, p.last_end);
        end_statement(r, outer);
        if (status == PARSE_END || status == PARSE_INCOMPLETE || r->reset || r->lesson ||
            (r->interrupted && r->prompting))
            break;
    }
    size_t end = p.last_end;
    source_close(&r->s);
    forget_diags(r);
    arena_free(&tokens);
    if (r->reset || r->lesson)
        run_rest(r, src, end);
}

/* ---- files ---- */

enum { MOST_TEXT = 1 << 29 }; /* bytes; places in it are 32 bits wide */

char *repl_read_file(Repl *r, const char *path, Span span, size_t *len)
{
    ReadLimits limits = {.most = MOST_TEXT, .text = true, .interrupt = r->s.st.interrupt};
    bool standard = strcmp(path, "-") == 0;
    errno = 0;
    char *text = standard ? read_stream(stdin, len, &limits) : read_file(path, len, &limits);
    const char *what = standard ? "standard input" : path;
    if (!text && errno == EISDIR)
        diag_add(&r->s.diags, "io", span, NULL, "%s is a directory, not a file", path);
    else if (!text && errno == EFBIG)
        diag_add(&r->s.diags, "io", span,
                 "a source file holds a program; load reads numbers from a .npy file",
                 "%s is longer than %d MB, the most that a source file may be", what,
                 MOST_TEXT >> 20);
    else if (!text && errno == ENOMEM)
        diag_add(&r->s.diags, "memory", span, memory_hint,
                 "out of memory: could not allocate the text of %s", what);
    else if (!text && !term_interrupted())
        diag_add(&r->s.diags, "io", span, NULL, "%s cannot be read: %s", what, strerror(errno));
    return text;
}

static void remember_file(Repl *r, const char *path)
{
    for (size_t i = 0; i < r->files.len; i++)
        if (strcmp(r->files.at[i], path) == 0)
            return;
    vec_push(&r->files, xstrdup(path));
}

static bool can_load(Repl *r, const char *path, Span span)
{
    for (int i = 0; i < r->depth; i++)
        if (strcmp(r->loading[i], path) == 0) {
            diag_add(&r->s.diags, "depth", span, NULL, "%s is already being loaded", path);
            return false;
        }
    if (r->depth < MAX_LOAD_DEPTH)
        return true;
    diag_add(&r->s.diags, "depth", span, NULL, "more than %d files load one another",
             MAX_LOAD_DEPTH);
    return false;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n > k && strcmp(path + n - k, ending) == 0;
}

bool repl_is_rules(const char *path) { return ends_in(path, ".rules"); }

/* `pass NAME` for the rules after it. */
static void run_pass(Repl *r, const char *name, Span span)
{
    if (pass_named(name))
        r->pass = pass_named(name)->name;
    else
        diag_add(r->s.st.diags, "unknown-name", span, ":passes lists them", "there is no pass %s",
                 name);
}

/* As :rule; the rule that it makes, or NULL. */
static const Rule *run_rule(Repl *r, const char *line, Span span)
{
    Stmt *stmt = arena_alloc(r->s.elab.arena, sizeof *stmt);
    *stmt = (Stmt){.kind = S_COMMAND, .command = "rule", .rest = line};
    stmt->span = stmt->rest_span = span;
    repl_run_statement(r, stmt);
    const Rule *k =
        rule_by_name(r->s.rules, arena_strndup(r->s.elab.arena, line, strcspn(line, " \t[:")));
    return k && k->own ? k : NULL;
}

void repl_run_rule_line(Repl *r, const Source *src, size_t from, size_t to, const Rule **last)
{
    while (to > from && strchr(" \t\r", src->text[to - 1]))
        to--;
    RuleLineKind kind = rule_line(src->text, &from, to);
    Span span = {src, (u32)from, (u32)to};
    const char *line = arena_strndup(r->s.elab.arena, src->text + from, to - from);
    if (kind == LINE_PASS)
        run_pass(r, line, span);
    else if (kind == LINE_NAMES_RULE && !(*last = rule_by_name(r->s.rules, line)))
        diag_add(r->s.st.diags, "unknown-name", span, ":rules lists them", "there is no rule %s",
                 line);
    else if (kind == LINE_RULE)
        *last = run_rule(r, line, span);
    else if ((kind == LINE_TRY || kind == LINE_NOT) && *last && (*last)->own)
        rule_add_example(session_own_rules(&r->s), *last, kind == LINE_TRY, span);
}

static void run_rules(Repl *r, const char *name, const char *text, size_t len)
{
    const Source *src = session_source(&r->s, name, text, len);
    const Rule *last = NULL;
    source_open(&r->s, src);
    for (size_t from = 0, to; from < len && !r->interrupted; from = to + 1) {
        to = from + strcspn(src->text + from, "\n");
        Chapter *outer = session_begin(&r->s, src);
        repl_run_rule_line(r, src, from, to, &last);
        end_statement(r, outer);
    }
    source_close(&r->s);
    r->pass = NULL;
}

bool repl_run_file(Repl *r, const char *path, Span span)
{
    size_t len = 0;
    if (ends_in(path, ".graph")) {
        diag_add(&r->s.diags, "io", span,
                 "`:graph EXPR FILE.gr` writes a graph as a program, which can be read",
                 "%s: a file of numbered nodes cannot be read", path);
        return false;
    }
    char *text = can_load(r, path, span) ? repl_read_file(r, path, span, &len) : NULL;
    if (!text)
        return false;
    bool typed = r->at_prompt;
    r->at_prompt = false;
    r->loading[r->depth++] = path;
    if (r->depth == 1 && strcmp(path, "-") != 0)
        remember_file(r, path);
    if (repl_is_rules(path))
        run_rules(r, path, text, len);
    else
        repl_run_text(r, strcmp(path, "-") == 0 ? "<stdin>" : path, text, len);
    r->depth--;
    r->at_prompt = typed;
    free(text);
    return true;
}

/* ---- life ---- */

static bool begin(Repl *r)
{
    bool ok = session_init(&r->s);
    undo_watch(&r->s, settings_of(r));
    r->s.st.interrupt = term_interrupt_flag();
    r->s.progress = progress_show;
    r->s.progress_ctx = r;
    const char *native = getenv("GRADUS_NATIVE"); /* as :set native; the tests set it */
    if (!native || !native_mode_parse(native, &r->s.native.mode))
        r->s.native.mode = NATIVE_AUTO;
    const char *threads = getenv("GRADUS_THREADS"); /* as :set threads; the tests set it */
    if (threads && threads_parse(threads, &r->s.threads))
        threads_least(0);
    const char *every = getenv("GRADUS_COLLECT_EVERY");       /* statements; the tests set it */
    r->checks_scenes = getenv("GRADUS_CHECK_SCENES") != NULL; /* the tests set it */
    r->s.gc_every = every ? (u32)strtoul(every, NULL, 10) : 0;
    return ok;
}

bool repl_init(Repl *r)
{
    *r = (Repl){.threshold = PRINT_WHOLE};
    return begin(r);
}

bool repl_open_like(Repl *r, const Repl *like)
{
    *r = (Repl){.threshold = PRINT_WHOLE};
    bool ok = session_open(&r->s, like->s.rules);
    undo_watch(&r->s, settings_of(r));
    r->s.options = like->s.options;
    r->s.native.mode = like->s.native.mode;
    r->s.threads = like->s.threads;
    r->s.st.interrupt = term_interrupt_flag();
    return ok;
}

static void end(Repl *r)
{
    for (size_t i = 0; i < r->files.len; i++)
        free(r->files.at[i]);
    vec_free(&r->files);
    for (size_t i = 0; i < r->rules.len; i++)
        free(r->rules.at[i]);
    vec_free(&r->rules);
    session_free(&r->s);
}

void repl_free(Repl *r)
{
    end(r);
    text_free(&r->help);
    free(r->lesson_file);
}

void repl_run_init(Repl *r)
{
    if (!r->init)
        return;
    repl_run_file(r, r->init, (Span){0});
    repl_report(r);
    while (r->files.len) /* :load is for what was asked for */
        free(r->files.at[--r->files.len]);
}

void repl_reset(Repl *r)
{
    r->reset = false;
    end(r);
    if (!begin(r))
        die("the embedded prelude or rules are broken");
    r->reported = 0;
    repl_run_init(r);
}

int repl_width(const Repl *r)
{
    enum { NO_TERMINAL = 100 };
    int width = r->width                                   ? r->width
                : r->capture || r->json || !term_is_tty(1) ? NO_TERMINAL
                                                           : term_width(1);
    return width >= LEAST_WIDTH ? width : width > 0 ? LEAST_WIDTH : NO_TERMINAL;
}
