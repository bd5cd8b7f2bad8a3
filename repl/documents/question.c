/* Reading questions of lessons.  See question.h.
 *
 * Invariant: all parts lie in the block, and none is empty. */
#include "repl/documents/question.h"

#include <math.h>

typedef enum {
    F_LET,
    F_ANSWER,
    F_FORMULA,
    F_TYPE,
    F_STEP,
    F_DERIVE,
    F_CHOICE,
    F_WITHIN,
    F_HINT,
    F_WRONG,
    F_RIGHT,
    F_SHOW,
    FIELDS
} Field;

static const char *const field_names[FIELDS] = {"let",  "answer", "formula", "type",
                                                "step", "derive", "choice",  "within",
                                                "hint", "wrong",  "right",   "show"};
static const char field_hint[] = "the fields are let, answer, formula, type, step, derive, choice, "
                                 "within, hint, wrong, right and show";

typedef struct {
    const Source *page;
    Diags *diags;
    Question *q;
    bool answered; /* a field says what is right */
    bool failed;
} Reader;

/* ---- lines ---- */

static size_t line_end(const Source *src, size_t at, size_t end)
{
    const char *nl = memchr(src->text + at, '\n', end - at);
    return nl ? (size_t)(nl - src->text) + 1 : end;
}

static Part trimmed(const Source *src, Part p)
{
    while (p.start < p.end && strchr(" \t\r\n", src->text[p.start]))
        p.start++;
    while (p.end > p.start && strchr(" \t\r\n", src->text[p.end - 1]))
        p.end--;
    return p;
}

static size_t word_length(const Source *src, size_t at, size_t end)
{
    size_t n = 0;
    while (at + n < end && src->text[at + n] >= 'a' && src->text[at + n] <= 'z')
        n++;
    return n;
}

/* Does a field begin in this line? */
static bool begins_field(const Source *src, size_t at, size_t end)
{
    size_t n = word_length(src, at, end);
    return n && at + n < end && src->text[at + n] == ':' &&
           (at + n + 1 >= end || strchr(" \t\r\n", src->text[at + n + 1]));
}

/* ---- mistakes of the teacher ---- */

static void fail(Reader *r, Part at, const char *hint, const char *fmt, const char *what)
{
    Span span = {r->page, (u32)at.start, (u32)at.end};
    Text message = {0};
    text_printf(&message, fmt, what); /* a format of this file */
    diag_add(r->diags, "lesson", span, hint, "%s", text_str(&message));
    text_free(&message);
    r->failed = true;
}

static void unknown_field(Reader *r, Part name)
{
    char word[32];
    Text hint = {0};
    snprintf(word, sizeof word, "%.*s", (int)(name.end - name.start), r->page->text + name.start);
    const char *close = closest_name(word, field_names, FIELDS);
    if (close)
        text_printf(&hint, "did you mean %s:?", close);
    else
        text_put(&hint, field_hint);
    fail(r, name, text_str(&hint), "a question has no field %s:", word);
    text_free(&hint);
}

/* ---- fields ---- */

/* "EXPR to EXPR": the last ` to ` separates them. */
static void set_derivation(Reader *r, Part value)
{
    static const char between[] = " to ";
    size_t n = sizeof between - 1, at = value.end > n ? value.end - n : value.start;
    while (at > value.start && strncmp(r->page->text + at, between, n) != 0)
        at--;
    r->q->from = trimmed(r->page, (Part){value.start, at});
    r->q->answer = trimmed(r->page, (Part){at + n, value.end});
    if (at <= value.start || r->q->from.start >= r->q->from.end ||
        r->q->answer.start >= r->q->answer.end)
        fail(r, value, "write `derive: (a + b)^2 to a^2 + 2*a*b + b^2`",
             "a derivation leads from one expression to another%s", "");
}

static void set_answer(Reader *r, Field f, Part name, Part value)
{
    static const AskKind kinds[] = {[F_ANSWER] = ASK_VALUE,
                                    [F_FORMULA] = ASK_FORMULA,
                                    [F_TYPE] = ASK_TYPE,
                                    [F_STEP] = ASK_STEP,
                                    [F_DERIVE] = ASK_DERIVE};
    if (r->answered)
        fail(r, name, "remove one of them", "this question has two answers%s", "");
    r->answered = true;
    r->q->kind = kinds[f];
    r->q->answer = value;
    if (f == F_DERIVE)
        set_derivation(r, value);
    if (f != F_STEP)
        return;
    char *end;
    long k = strtol(r->page->text + value.start, &end, 10);
    Part rest = trimmed(r->page, (Part){(size_t)(end - r->page->text), value.end});
    if (k < 1 || k > 1000000 || rest.start >= rest.end)
        fail(r, value, "write `step: 3 EXPR` for the rule of step 3 of EXPR",
             "a step is a number and an expression%s", "");
    r->q->step = (u32)k;
    r->q->answer = rest;
}

static void set_within(Reader *r, Part value)
{
    char *end;
    double x = strtod(r->page->text + value.start, &end);
    if (end != r->page->text + value.end || !(x >= 0 && x < 1))
        fail(r, value, "0.01 lets an answer be off by one hundredth of it",
             "within is a number from 0 to 1%s", "");
    r->q->within = x;
}

/* A bound of a range, in [from, to); its decimals, or -1: it is not a number. */
static int read_bound(const char *text, Part p, double *out)
{
    char digits[24], *end;
    size_t n = p.end - p.start;
    if (!n || n >= sizeof digits)
        return -1;
    snprintf(digits, sizeof digits, "%.*s", (int)n, text + p.start);
    *out = strtod(digits, &end);
    const char *point = strchr(digits, '.');
    bool plain = !*end && strspn(digits, "-0123456789.") == n;
    return plain ? (point ? (int)strlen(point) - 1 : 0) : -1;
}

enum { MOST_DECIMALS = 6, MOST_NUMBERS = 1000000 };

/* NAME in LOW..HIGH */
static void add_draw(Reader *r, Part value)
{
    const char *text = r->page->text, *dots = NULL;
    size_t n = word_length(r->page, value.start, value.end), in = value.start + n;
    for (size_t i = in; i + 1 < value.end && !dots; i++)
        dots = strncmp(text + i, "..", 2) == 0 ? text + i : NULL;
    size_t middle = dots ? (size_t)(dots - text) : 0;
    double low = 0, high = 0;
    bool ok = n && dots && middle >= in + 4 && strncmp(text + in, " in ", 4) == 0;
    Part bounds[2] = {{0}, {0}};
    if (ok) {
        bounds[0] = trimmed(r->page, (Part){in + 4, middle});
        bounds[1] = trimmed(r->page, (Part){middle + 2, value.end});
    }
    int a = ok ? read_bound(text, bounds[0], &low) : -1;
    int b = ok ? read_bound(text, bounds[1], &high) : -1;
    int decimals = a > b ? a : b;
    double count = 1 + rint((high - low) * pow(10, decimals));
    if (a < 0 || b < 0 || decimals > MOST_DECIMALS || !(count >= 2 && count <= MOST_NUMBERS))
        fail(r, value, "write `let: a in 2..9`, or `let: a in 0.5..2.0` for numbers with a decimal",
             "a drawn number has a name and a range%s", "");
    else
        vec_push(&r->q->draws, ((NumberDraw){.name = {value.start, in},
                                             .from = low,
                                             .count = (i64)count,
                                             .decimals = decimals}));
}

/* EXPR "TEXT": the text is the last thing in quotes. */
static void add_wrong(Reader *r, Part value)
{
    const char *text = r->page->text;
    size_t open = value.end - 1;
    bool quoted = value.end - value.start > 3 && text[open] == '"';
    while (quoted && open > value.start && text[open - 1] != '"')
        open--;
    Part what = trimmed(r->page, (Part){value.start, quoted && open ? open - 1 : value.end});
    Part said = trimmed(r->page, (Part){open, value.end - 1});
    if (!quoted || open <= value.start || what.start >= what.end || said.start >= said.end)
        fail(r, value, "write `wrong: 105 \"That is one year.\"`",
             "a wrong answer is an expression and what to say of it, in quotes%s", "");
    else
        vec_push(&r->q->wrong, ((Mistake){what, said}));
}

static void take_field(Reader *r, Part name, Part value)
{
    size_t n = name.end - name.start;
    int f = 0;
    while (f < FIELDS && (strlen(field_names[f]) != n ||
                          strncmp(field_names[f], r->page->text + name.start, n) != 0))
        f++;
    if (f == FIELDS) {
        unknown_field(r, name);
        return;
    }
    if (value.start >= value.end) {
        fail(r, name, NULL, "%s: has no value", field_names[f]);
        return;
    }
    switch ((Field)f) {
    case F_ANSWER:
    case F_FORMULA:
    case F_TYPE:
    case F_DERIVE:
    case F_STEP: set_answer(r, (Field)f, name, value); break;
    case F_LET: add_draw(r, value); break;
    case F_CHOICE: vec_push(&r->q->choices, value); break;
    case F_WITHIN: set_within(r, value); break;
    case F_HINT: vec_push(&r->q->hints, value); break;
    case F_WRONG: add_wrong(r, value); break;
    case F_RIGHT: vec_push(&r->q->right, value); break;
    default: vec_push(&r->q->shows, value); break;
    }
}

/* Lines that go on with the field that begins at `at`. */
static size_t field_end(const Source *src, size_t at, size_t end)
{
    size_t next = line_end(src, at, end);
    while (next < end && strchr(" \t", src->text[next]))
        next = line_end(src, next, end);
    return next;
}

/* The answer to a choice is the number of one of its lines. */
static void check_choices(Reader *r)
{
    const Question *q = r->q;
    char *end;
    long k = strtol(r->page->text + q->answer.start, &end, 10);
    bool number = q->kind == ASK_VALUE && end == r->page->text + q->answer.end;
    if (q->choices.len < 2)
        fail(r, q->choices.at[0], "give it another one", "there is only one choice%s", "");
    else if (!r->answered || !number || k < 1 || (size_t)k > q->choices.len)
        fail(r, r->answered ? q->answer : q->choices.at[0], "write `answer: 2` for the second",
             "the answer to a choice is the number of one of its lines%s", "");
}

bool question_read(const Source *page, const Block *b, Diags *ds, Question *out)
{
    *out = (Question){.within = -1};
    Reader r = {page, ds, out, false, false};
    size_t at = b->code.start, end = b->code.end;
    while (at < end && !begins_field(page, at, end))
        at = line_end(page, at, end);
    out->asked = trimmed(page, (Part){b->code.start, at});
    while (at < end) {
        size_t n = word_length(page, at, end), next = field_end(page, at, end);
        Part name = {at, at + n}, line = trimmed(page, (Part){at, next});
        if (begins_field(page, at, end))
            take_field(&r, name, trimmed(page, (Part){at + n + 1, next}));
        else if (line.start < line.end)
            fail(&r, line, "begin the line with a blank if it goes on with the one before",
                 "after the first field of a question each line is a field%s", "");
        at = next;
    }
    if (out->asked.start >= out->asked.end)
        fail(&r, b->info, "write it before the fields", "this question asks nothing%s", "");
    if (out->choices.len && !r.failed)
        check_choices(&r);
    if (!r.answered && !r.failed)
        fail(&r, b->info, "give it a line `answer: EXPR`", "this question has no answer%s", "");
    return !r.failed;
}

void question_free(Question *q)
{
    vec_free(&q->draws);
    vec_free(&q->hints);
    vec_free(&q->right);
    vec_free(&q->shows);
    vec_free(&q->choices);
    vec_free(&q->wrong);
}
