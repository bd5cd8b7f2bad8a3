/* `gradus test FILE...`: runs files and compares what their statements give with the
 * comments `# => ...` behind them.
 *
 *   y            # => [1.0, 2.0]           an expression of the language, compared by value
 *   y            # => f64[2] = [1, 2]      the type too
 *   x + w        # => error shape-mismatch
 *   :type y      # => f64[2]               what a command prints
 *
 * The comment stands on the line where the statement ends or on lines of its own below
 * it; several belong to the results in order; open brackets go on in the next comment line.
 * Of a Markdown file (.md) the blocks fenced by ```gradus are checked, as the one program that
 * `gradus weave` makes of them (markdown.h). Invariant: a comment that nothing was compared with
 * counts as failed. */
#include "repl/commands/commands.h"
#include "repl/documents/check.h"
#include "repl/documents/check_rules.h"
#include "repl/documents/question.h"
#include "repl/documents/markdown.h"
#include "repl/commands/show.h"
#include "tensor/brief.h"
#include "base/file.h"
#include "session/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

typedef struct {
    Text text;    /* without "=>" */
    u32 at;       /* where it begins in the source */
    u32 from, to; /* of the text, which may go on in more comment lines */
} Expected;

/* What one result looked like. */
typedef struct {
    char *text;    /* as printed, without the last newline; of a value: with all digits */
    char *brief;   /* of a value as it is shown, or NULL */
    bool error;    /* text is then the code */
    char *message; /* of an error */
    int n;
    Tensor **tensors;
    char *type; /* "f64[2]" */
} Outcome;

typedef struct {
    Repl *r;
    const Source *src;
    VEC(Outcome) got;
    int errors;
    bool may_fail; /* errors that no comment expects are fine */
    int passed, failed, written;
    Edits *edits; /* gets what is actual where it is not as expected; NULL: that is a failure */
    Edit unmet;   /* the claim of the statement that runs, if it does not hold and can be written */
} Checker;

/* ---- collecting what a statement gives ---- */

static char *trimmed(Text *t)
{
    while (t->len && strchr("\n ", t->at[t->len - 1]))
        t->at[--t->len] = '\0';
    return text_take(t);
}

/* What is compared and written into files has all digits, unless the program asks for fewer. */
static char *in_full(Repl *r, const Result *res)
{
    Text text = {0};
    int digits = r->digits;
    r->digits = digits ? digits : MOST_DIGITS;
    show_result_text(r, &text, res);
    r->digits = digits;
    return trimmed(&text);
}

static void on_result(void *ctx, Result *res)
{
    Checker *k = ctx;
    Text text = {0}, type = {0};
    if (res->definition ||
        (res->kind != RESULT_VALUE && res->kind != RESULT_GRAPH && res->kind != RESULT_FUNCTION))
        return;
    show_result_text(k->r, &text, res);
    Outcome o = {.text = trimmed(&text)};
    if (res->kind == RESULT_VALUE) {
        o.brief = o.text;
        o.text = in_full(k->r, res);
        o.n = res->n;
        o.tensors = xcalloc((size_t)res->n + 1, sizeof *o.tensors);
        for (int i = 0; i < res->n; i++)
            o.tensors[i] = tensor_ref(res->tensors[i]);
    }
    if (res->kind == RESULT_VALUE && res->value && res->n == 1)
        tensor_type_print(&type, res->tensors[0]);
    else
        value_type_print(&k->r->s.elab, &type, res->value);
    o.type = text_take(&type);
    vec_push(&k->got, o);
}

static void on_diag(void *ctx, const Diag *d)
{
    Checker *k = ctx;
    if (d->note)
        return;
    vec_push(&k->got,
             ((Outcome){.text = xstrdup(d->code), .error = true, .message = xstrdup(d->message)}));
    k->errors++;
}

static void on_unmet(void *ctx, Span claim, const char *actual)
{
    Checker *k = ctx;
    if (k->edits && claim.src == k->src && !k->unmet.text)
        k->unmet = (Edit){claim.start, claim.end, xstrdup(actual)};
}

static void take_errors(Checker *k)
{
    repl_report(k->r);
    diags_clear(&k->r->s.diags);
    k->r->reported = 0;
}

static void forget(Checker *k)
{
    for (size_t i = 0; i < k->got.len; i++) {
        Outcome *o = &k->got.at[i];
        for (int t = 0; t < o->n; t++)
            tensor_unref(o->tensors[t]);
        free(o->tensors);
        free(o->text);
        free(o->brief);
        free(o->type);
        free(o->message);
    }
    k->got.len = 0;
}

/* ---- the comments between statements ---- */

static bool brackets_open(const char *s)
{
    int depth = 0;
    for (; *s; s++)
        depth += (strchr("([{", *s) != NULL) - (strchr(")]}", *s) != NULL);
    return depth > 0;
}

typedef VEC(Expected) Expectations;

/* The comments in [from, to), which holds nothing else but blanks. */
static void find_expected(const Source *src, size_t from, size_t to, Expectations *out)
{
    for (size_t i = from; i < to; i++) {
        if (src->text[i] != '#')
            continue;
        size_t end = i, begin = i + 1;
        while (end < to && src->text[end] != '\n')
            end++;
        while (begin < end && strchr(" \t", src->text[begin]))
            begin++;
        bool fresh = begin + 2 <= end && strncmp(src->text + begin, "=>", 2) == 0;
        Expected *last = out->len ? &out->at[out->len - 1] : NULL;
        if (fresh) {
            vec_push(out, ((Expected){.at = (u32)i}));
            last = &out->at[out->len - 1];
            begin += 2;
        } else if (!last || !brackets_open(text_str(&last->text))) {
            i = end;
            continue;
        }
        while (begin < end && strchr(" \t", src->text[begin]))
            begin++;
        while (end > begin && strchr(" \t\r", src->text[end - 1]))
            end--;
        last->from = fresh ? (u32)begin : last->from;
        last->to = (u32)end;
        text_printf(&last->text, "%s%.*s", fresh ? "" : "\n", (int)(end - begin),
                    src->text + begin);
        i = end;
    }
}

/* ---- comparing ---- */

static bool blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

/* Equal up to blanks between words. */
static bool same_text(const char *a, const char *b)
{
    for (;;) {
        bool gap_a = blank(*a), gap_b = blank(*b);
        while (blank(*a))
            a++;
        while (blank(*b))
            b++;
        if (*a != *b)
            return false;
        if (!*a)
            return true;
        if (gap_a != gap_b && (strchr("[](),", *a) == NULL && strchr("[](),", a[-1]) == NULL))
            return false;
        a++;
        b++;
    }
}

static bool close_enough(double a, double b, bool single)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (a == b)
        return true;
    double scale = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return !isinf(scale) && fabs(a - b) <= (single ? 1e-6 : 1e-12) * scale;
}

static bool same_tensor(const Tensor *got, const Tensor *want)
{
    if (got->rank != want->rank ||
        memcmp(got->shape, want->shape, (size_t)got->rank * sizeof *got->shape) != 0)
        return false;
    if (got->dtype == DT_RNG || want->dtype == DT_RNG)
        return tensor_same_bits(got, want);
    if ((got->dtype == DT_BOOL) != (want->dtype == DT_BOOL))
        return false;
    bool whole = !dtype_is_float(got->dtype) && !dtype_is_float(want->dtype);
    for (i64 i = 0; i < got->count; i++)
        if (whole ? tensor_i64_at(got, i) != tensor_i64_at(want, i)
                  : !close_enough(tensor_f64_at(got, i), tensor_f64_at(want, i),
                                  got->dtype == DT_F32))
            return false;
    return true;
}

/* Evaluates the expected text where it is an expression, and compares. */
static bool same_value(Checker *k, const Outcome *o, const char *text)
{
    Session *s = &k->r->s;
    const Source *src = session_source(s, "<expected>", text, strlen(text));
    Value *v = session_value(s, source_whole(src));
    Node **roots = NULL;
    int n = v ? session_roots(s, v, (Span){src, 0, (u32)strlen(text)}, &roots) : -1;
    Tensor **want = xcalloc((size_t)(n > 0 ? n : 0) + 1, sizeof *want);
    Node *missing;
    bool ok =
        n == o->n && !session_missing(s, n, roots, &missing) && session_evaluate(s, n, roots, want);
    bool same = ok;
    for (int i = 0; i < n && ok; i++) {
        same = same && same_tensor(o->tensors[i], want[i]);
        tensor_unref(want[i]);
    }
    free(want);
    free(roots);
    diags_clear(&s->diags);
    return same;
}

/* The place of a ` = ` outside brackets, behind which the value stands; NULL if there is none. */
static const char *value_part(const char *text)
{
    int depth = 0;
    for (const char *s = text; *s; s++) {
        depth += (strchr("([{", *s) != NULL) - (strchr(")]}", *s) != NULL);
        if (depth == 0 && s > text && blank(s[-1]) && *s == '=' && blank(s[1]))
            return s;
    }
    return NULL;
}

static bool matches(Checker *k, const Outcome *o, const char *text)
{
    if (o->error) {
        bool named = strncmp(text, "error ", 6) == 0 && same_text(text + 6, o->text);
        return named || strcmp(text, "error") == 0;
    }
    if (same_text(o->text, text) || (o->type && same_text(o->type, text)))
        return true;
    if (!o->tensors)
        return false;
    if (same_text(o->brief, text))
        return true;
    const char *value = value_part(text), *shown = strchr(o->brief, '=');
    if (!value)
        return same_value(k, o, text) || (shown && same_text(shown + 1, text));
    Text head = {0};
    const char *colon = memchr(text, ':', (size_t)(value - text));
    const char *type = colon ? colon + 1 : text;
    while (blank(*type))
        type++;
    text_putn(&head, type, (size_t)(value - type));
    bool same = same_text(text_str(&head), o->type) && same_value(k, o, value + 1);
    text_free(&head);
    return same;
}

/* ---- one statement ---- */

static void complain(Checker *k, u32 at, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void complain(Checker *k, u32 at, const char *fmt, ...)
{
    int line, column, length;
    Text out = {0};
    va_list ap;
    span_locate((Span){k->src, at, at}, &line, &column, &length);
    text_printf(&out, "%s:%d: ", k->src->name, line);
    va_start(ap, fmt);
    text_vprintf(&out, fmt, ap);
    va_end(ap);
    text_putc(&out, '\n');
    show_put(NULL, &out);
    k->failed++;
}

/* Puts what is actual in place of what was expected; false: not asked for, or it takes lines. */
static bool write_actual(Checker *k, Expected *want, const Outcome *o)
{
    Text actual = {0};
    bool bare = o->tensors && !value_part(text_str(&want->text));
    const char *value = bare ? strchr(o->text, '=') : NULL;
    text_printf(&actual, "%s%s", o->error ? "error " : "", value ? value + 2 : o->text);
    bool lines = strchr(text_str(&actual), '\n') && !o->tensors;
    for (size_t i = 0; i < actual.len && !lines; i++)
        actual.at[i] = actual.at[i] == '\n' ? ' ' : actual.at[i];
    bool ok = k->edits && !lines;
    if (ok)
        edits_add(k->edits, want->from, want->to, text_str(&actual));
    k->written += ok;
    text_free(&actual);
    return ok;
}

/* What a claim printed beside its error. */
static void put_printed(const Checker *k, size_t i)
{
    const Outcome *o = i + 1 < k->got.len ? &k->got.at[i + 1] : NULL;
    if (!o || o->error || o->tensors || o->type)
        return;
    for (const char *s = o->text, *end; *s; s = *end ? end + 1 : end) {
        end = s + strcspn(s, "\n");
        printf("    %.*s\n", (int)(end - s), s);
    }
}

/* An error that no comment expects. */
static void put_error(Checker *k, u32 at, size_t i)
{
    const Outcome *o = &k->got.at[i];
    if (k->unmet.text && !strcmp(o->text, "expect")) {
        edits_add(k->edits, k->unmet.from, k->unmet.to, k->unmet.text);
        k->written++;
    } else {
        complain(k, at, "error %s: %s", o->text, o->message);
        put_printed(k, i);
    }
}

static void compare(Checker *k, const Expectations *want, u32 at)
{
    for (size_t i = 0; i < want->len; i++) {
        Text *text = &want->at[i].text;
        const Outcome *o = i < k->got.len ? &k->got.at[i] : NULL;
        if (o && matches(k, o, text_str(text)))
            k->passed++;
        else if (!o)
            complain(k, want->at[i].at, "expected %s, but nothing was printed", text_str(text));
        else if (!write_actual(k, &want->at[i], o))
            complain(k, want->at[i].at, "expected %s\n    got %s%s%s%s", text_str(text),
                     o->error ? "error " : "", o->text, o->error ? ": " : "",
                     o->error ? o->message : "");
    }
    for (size_t i = 0; i < k->got.len; i++)
        if (k->got.at[i].error && i >= want->len && !k->may_fail)
            put_error(k, at, i);
    free(k->unmet.text);
    k->unmet.text = NULL;
}

/* A comment inside a statement is compared with nothing. */
static void check_inside(Checker *k, const Stmt *stmt)
{
    const char *text = k->src->text;
    for (u32 i = stmt->span.start; i + 1 < stmt->span.end; i++) {
        if (text[i] == '"')
            for (i++; i + 1 < stmt->span.end && text[i] != '"'; i++)
                i += text[i] == '\\';
        if (text[i] != '#')
            continue;
        u32 j = i + 1;
        while (text[j] == ' ')
            j++;
        if (strncmp(text + j, "=>", 2) == 0)
            complain(k, i,
                     "a `# =>` inside a statement is not checked; move it after the statement");
        while (i + 1 < stmt->span.end && text[i] != '\n')
            i++;
    }
}

/* What a command prints is one outcome. */
static void run_command(Checker *k, Stmt *stmt)
{
    Text out = {0};
    u32 held = k->r->held;
    k->r->capture = &out;
    repl_run_statement(k->r, stmt);
    k->r->capture = NULL;
    k->passed += (int)(k->r->held - held);
    if (out.len)
        vec_push(&k->got, ((Outcome){.text = trimmed(&out)}));
    text_free(&out);
}

/* The first byte of the next statement. */
static size_t skip_to_statement(const Source *src, size_t at)
{
    for (; at < src->len; at++)
        if (src->text[at] == '#')
            while (at < src->len && src->text[at] != '\n')
                at++;
        else if (!strchr(" \t\r\n;", src->text[at]) || !src->text[at])
            break;
    return at < src->len ? at : src->len;
}

/* Behind a statement that cannot be read: the rest of its row up to the comment. */
static size_t skip_wreck(const Source *src, size_t at)
{
    while (at < src->len && src->text[at] != '#' && src->text[at] != '\n') {
        const char *row = src->text + at;
        size_t n = *row == '"' ? 1 + strcspn(row + 1, "\"\n") : 0;
        at += n && row[n] == '"' ? n + 1 : 1;
    }
    return at;
}

static void compare_after(Checker *k, size_t start, size_t end)
{
    Expectations want = {0};
    find_expected(k->src, end, skip_to_statement(k->src, end), &want);
    compare(k, &want, (u32)start);
    for (size_t i = 0; i < want.len; i++)
        text_free(&want.at[i].text);
    vec_free(&want);
    forget(k);
}

static void check_source(Checker *k)
{
    Parser p;
    Session *s = &k->r->s;
    Arena tokens = {0};
    parser_init(&p, k->src, &tokens, &s->diags, false);
    source_open(s, k->src);
    while (!k->r->quit && !term_interrupted()) {
        Stmt *stmt = NULL;
        Chapter *outer;
        size_t start = skip_to_statement(k->src, p.last_end);
        ParseStatus status = session_parse(s, &p, &stmt, &outer);
        bool ends = status == PARSE_END || status == PARSE_INCOMPLETE;
        if (stmt && !ends) {
            check_inside(k, stmt);
            if (stmt->kind == S_COMMAND)
                run_command(k, stmt);
            else
                repl_run_statement(k->r, stmt);
        }
        if (!ends) {
            take_errors(k);
            compare_after(k, start, stmt ? p.last_end : skip_wreck(k->src, p.last_end));
        }
        session_end(s, outer);
        if (ends)
            break;
    }
    source_close(s);
    arena_free(&tokens);
    vec_free(&k->got);
}

static void begin(Repl *r)
{
    if (!repl_init(r))
        die("the embedded prelude or rules are broken");
}

/* One program in this session; `fails`: it must give an error, expected or not. */
static void check_in(Repl *r, const char *path, const Text *text, bool fails, Tally *tally)
{
    Checker k = {.r = r, .may_fail = fails, .edits = tally->edits};
    k.src = session_source(&r->s, path, text->len ? text->at : "", text->len);
    r->listener.ctx = &k;
    r->listener.result = on_result;
    r->listener.diag = on_diag;
    r->listener.unmet = on_unmet;
    check_source(&k);
    if (fails && !k.errors)
        complain(&k, (u32)skip_to_statement(k.src, 0), "expected an error, but there was none");
    tally->passed += k.passed + (fails && k.errors);
    tally->failed += k.failed;
    tally->written += k.written;
}

static void check_program(const char *path, const Text *text, bool fails, Tally *tally)
{
    Repl r;
    begin(&r);
    check_in(&r, path, text, fails, tally);
    repl_free(&r);
}

void check_text(const char *name, const char *program, int *passed, int *failed)
{
    Text text = {0};
    Tally tally = {.passed = *passed, .failed = *failed};
    text_put(&text, program);
    check_program(name, &text, false, &tally);
    *passed = tally.passed;
    *failed = tally.failed;
    text_free(&text);
}

/* What a woven page draws is there already; `gradus weave --check` compares it. */
static bool on_file(void *ctx, const char *path, const Text *bytes, const char *about, Span span)
{
    (void)ctx, (void)path, (void)bytes, (void)about, (void)span;
    return true;
}

typedef VEC(Block) Blocks;

/* The numbers that a question draws, the lowest of each range, as a program: `a = 2; b = 0.5`. */
static void put_drawn(Text *out, const Source *src, const Block *b)
{
    Question q;
    Diags diags = {0}; /* `gradus weave` and the trial of the lesson report them */
    if (question_read(src, b, &diags, &q))
        for (size_t k = 0; k < q.draws.len; k++) {
            const NumberDraw *d = &q.draws.at[k];
            text_printf(out, "%s%.*s = %.*f", k ? "; " : "", (int)(d->name.end - d->name.start),
                        src->text + d->name.start, d->decimals, d->from);
        }
    question_free(&q);
    diags_free(&diags);
}

/* The program of a block. The text before it is given as empty lines, so that messages name the
 * right ones. */
static Text block_program(const Source *src, const Block *b)
{
    Text program = {0};
    for (size_t i = 0; i < b->code.start; i++)
        if (src->text[i] == '\n')
            text_putc(&program, '\n');
    if (b->words & BLOCK_QUESTION)
        put_drawn(&program, src, b);
    else
        text_putn(&program, src->text + b->code.start, b->code.end - b->code.start);
    return program;
}

/* The blocks one after the other, as `gradus weave` runs them: in one session until one is
 * `fresh`. */
static void check_blocks(const Source *src, const Blocks *all, Tally *tally)
{
    Repl r;
    begin(&r);
    for (size_t k = 0; k < all->len && !term_interrupted(); k++) {
        const Block *b = &all->at[k];
        Text program = block_program(src, b);
        if (k && (b->words & BLOCK_FRESH)) {
            repl_free(&r);
            begin(&r);
        }
        r.listener.file = on_file;
        check_in(&r, src->name, &program, b->words & BLOCK_FAIL, tally);
        text_free(&program);
    }
    repl_free(&r);
}

/* The blocks of a Markdown text, run in its folder, from which they name files. */
static void check_markdown(const char *path, const char *text, size_t len, Tally *tally)
{
    Diags diags = {0};
    Source src = {.name = (char *)(uintptr_t)path, .text = (char *)(uintptr_t)text, .len = len};
    Markdown m = {.src = &src, .diags = &diags};
    Blocks all = {0};
    for (Block b; markdown_next(&m, &b);)
        vec_push(&all, b);
    const char *slash = strrchr(path, '/');
    char *folder = slash ? xstrdup(path) : NULL;
    int here = folder ? open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (folder)
        folder[slash == path ? 1 : slash - path] = '\0';
    bool moved = folder && here >= 0 && chdir(folder) == 0;
    check_blocks(&src, &all, tally);
    if (moved && fchdir(here) != 0)
        die("the folder that the program began in is gone");
    if (here >= 0)
        close(here);
    free(folder);
    for (size_t i = 0; i < diags.list.len; i++) {
        int line, column, length;
        span_locate(diags.list.at[i].span, &line, &column, &length);
        printf("%s:%d: %s\n", path, line, diags.list.at[i].message);
        tally->failed++;
    }
    diags_free(&diags);
    printf("%s: %zu block%s\n", path, all.len, all.len == 1 ? "" : "s");
    vec_free(&all);
}

static void check_rule_file(const char *path, const Text *text, Tally *tally)
{
    Repl r;
    begin(&r);
    check_rules(&r, path, text, tally);
    repl_free(&r);
}

/* With what is actual in place of what was expected. */
static int write_edits(const char *path, const Text *text, const Edits *edits)
{
    Text out = {0};
    if (!edits->of.len)
        return EXIT_FINE;
    edits_apply(edits, text->at, text->len, &out);
    bool ok = write_file(path, out.at, out.len, NULL);
    if (!ok)
        fprintf(stderr, "gradus: %s cannot be written: %s\n", path, strerror(errno));
    text_free(&out);
    return ok ? EXIT_FINE : EXIT_IO;
}

static int check_file(const char *path, bool bless, Tally *tally)
{
    Text text = {0};
    Edits edits = {0};
    size_t len = 0, n = strlen(path);
    Repl reader;
    begin(&reader);
    text.at = repl_read_file(&reader, path, (Span){0}, &len);
    text.len = text.cap = len;
    repl_report(&reader);
    repl_free(&reader);
    if (!text.at)
        return EXIT_IO;
    bool page = n > 3 && strcmp(path + n - 3, ".md") == 0;
    tally->edits = bless && !page ? &edits : NULL; /* of a page `gradus weave` writes the results */
    if (page)
        check_markdown(path, text.at, len, tally);
    else if (repl_is_rules(path))
        check_rule_file(path, &text, tally);
    else
        check_program(path, &text, false, tally);
    int status = write_edits(path, &text, &edits);
    edits_free(&edits);
    free(text.at);
    return status;
}

int check_files(int n, char *const *paths, bool bless)
{
    Tally tally = {0};
    int status = EXIT_FINE;
    for (int i = 0; i < n && !term_interrupted(); i++)
        if (check_file(paths[i], bless, &tally) != EXIT_FINE)
            status = EXIT_IO;
    if (tally.failed && !term_interrupted())
        puts("hint: `gradus reduce FILE EXPR -- COMMAND` finds the smallest program that still "
             "fails");
    if (tally.written)
        printf("%d written\n", tally.written);
    printf("%d passed, %d failed\n", tally.passed, tally.failed);
    if (term_interrupted())
        return EXIT_INTERRUPTED;
    return tally.failed && status == EXIT_FINE ? EXIT_PROGRAM : status;
}
