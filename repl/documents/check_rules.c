/* `gradus test FILE.rules`: reads the rules as :load does, and runs the `try` and `not` lines under
 * each (session/example_check.h).
 *
 * Invariant: a rule of a shipped file is the built-in one if it is written as that is; so the
 * shipped files test the program that runs. */
#include "repl/documents/check_rules.h"

#include "rewrite/rule_example.h"
#include "session/example_check.h"
#include "session/keep.h"

typedef struct {
    Repl *r;
    const Source *src;
    Tally *tally;
    const Rule *last;
    int errors; /* of the line that runs */
} RuleChecker;

static void complain(RuleChecker *k, size_t at, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void complain(RuleChecker *k, size_t at, const char *fmt, ...)
{
    int line, column, length;
    va_list ap;
    span_locate((Span){k->src, (u32)at, (u32)at}, &line, &column, &length);
    printf("%s:%d: ", k->src->name, line);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    k->tally->failed++;
}

static void on_diag(void *ctx, const Diag *d)
{
    RuleChecker *k = ctx;
    if (d->note)
        return;
    k->errors++;
    complain(k, d->span.src == k->src ? d->span.start : 0, "error %s: %s", d->code, d->message);
}

/* ---- rules that are built in ---- */

/* Equal but for blanks; "<=>" is kept as "=>". */
static bool same_letters(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t");
        b += strspn(b, " \t");
        a += strncmp(a, "<=>", 3) == 0;
        if (!*b)
            return !*a || *a == '"' || *a == '#';
        if (*a != *b)
            return false;
    }
}

/* The built-in rule that this line [from, to) is, or NULL. */
static const Rule *built_in(const RuleChecker *k, size_t from, size_t to)
{
    Arena arena = {0};
    const char *line = arena_strndup(&arena, k->src->text + from, to - from);
    const char *name = arena_strndup(&arena, line, strcspn(line, " \t[:"));
    const char *colon = strchr(line, ':');
    const Rule *rule = rule_by_name(k->r->s.rules, name);
    bool same = rule && !rule->own && rule->text && colon && same_letters(colon + 1, rule->text);
    arena_free(&arena);
    return same ? rule : NULL;
}

/* ---- lines ---- */

static void check_example(RuleChecker *k, const Rule *rule, bool fires, Span text)
{
    RuleExample e = {.rule = rule, .fires = fires, .text = text};
    ExampleOutcome o;
    example_check(k->r->s.rules, &e, &o);
    bool writable = fires && o.gives.len && o.expected.end > o.expected.start;
    if (o.held) {
        k->tally->passed++;
    } else if (k->tally->edits && writable) {
        edits_add(k->tally->edits, o.expected.start, o.expected.end, text_str(&o.gives));
        k->tally->written++;
    } else {
        complain(k, text.start, "%s %.*s\n    %s", fires ? "try" : "not",
                 (int)(text.end - text.start), text.src->text + text.start, text_str(&o.says));
    }
    example_outcome_free(&o);
}

static void check_line(RuleChecker *k, size_t from, size_t to)
{
    size_t at = from, end = to;
    while (end > from && strchr(" \t\r", k->src->text[end - 1]))
        end--;
    RuleLineKind kind = rule_line(k->src->text, &at, end);
    const Rule *same = kind == LINE_RULE ? built_in(k, at, end) : NULL;
    bool example = kind == LINE_TRY || kind == LINE_NOT;
    k->errors = 0;
    if (same)
        k->last = same;
    else
        repl_run_rule_line(k->r, k->src, from, to, &k->last);
    repl_report(k->r);
    if (kind == LINE_RULE && k->errors)
        k->last = NULL;
    if (example && k->last)
        check_example(k, k->last, kind == LINE_TRY, (Span){k->src, (u32)at, (u32)end});
    else if (example)
        complain(k, at, "there is no rule above this line that it could be about");
}

void check_rules(Repl *r, const char *path, const Text *text, Tally *tally)
{
    RuleChecker k = {.r = r, .tally = tally};
    Text quiet = {0};
    k.src = session_source(&r->s, path, text->len ? text->at : "", text->len);
    r->capture = &quiet;
    r->listener.ctx = &k;
    r->listener.diag = on_diag;
    source_open(&r->s, k.src);
    for (size_t from = 0, to; from < k.src->len && !term_interrupted(); from = to + 1) {
        to = from + strcspn(k.src->text + from, "\n");
        Chapter *outer = session_begin(&r->s, k.src);
        check_line(&k, from, to);
        diags_clear(&r->s.diags);
        r->reported = 0;
        session_end(&r->s, outer);
    }
    source_close(&r->s);
    r->capture = NULL;
    text_free(&quiet);
}
