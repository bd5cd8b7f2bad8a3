/* Questions `derive: EXPR to EXPR`: a derivation, line by line.
 *
 * Invariant: every accepted line is proved equal to the one before (session/equal.h), so the last
 * one is equal to the first. A line that is neither proved nor refuted is not accepted. */
#include "repl/teach/player.h"

#include "analysis/graph_diff.h"
#include "repl/commands/show.h"
#include "session/equal.h"
#include "session/keep.h"

enum { MOST_RULES = 4 };

/* ---- expressions ---- */

/* The page, and after it the line before, as one source: nodes made of its parts live until it is
 * closed. */
typedef struct {
    Session *s;
    const Source *src;
    Chapter *outer;
    Part line;
} Sheet;

static Sheet sheet_open(Session *s, const Source *page, const char *line)
{
    Text all = {0};
    text_putn(&all, page->text, page->len);
    Sheet sheet = {.s = s, .line = {all.len, all.len + strlen(line)}};
    text_put(&all, line);
    sheet.src = session_source(s, page->name, text_str(&all), all.len);
    text_free(&all);
    source_open(s, sheet.src);
    sheet.outer = session_begin(s, sheet.src);
    return sheet;
}

static void sheet_close(Sheet *sheet)
{
    session_end(sheet->s, sheet->outer);
    source_close(sheet->s);
}

/* The value of one expression as a node; NULL after a diagnostic. */
static Node *part_node(Sheet *sheet, Part part)
{
    Span at = {sheet->src, (u32)part.start, (u32)part.end};
    Node **roots = NULL, *n = NULL;
    if (session_roots_at(sheet->s, at, &roots) == 1)
        n = roots[0];
    free(roots);
    return n;
}

/* Compares them as :equal does; false if they cannot be compared. To be freed. */
static bool compare(Session *s, Node *before, Node *now, SidesCompared *e)
{
    Node *sides[2] = {before, now};
    *e = (SidesCompared){0};
    sides[0] = before && now ? equal_adapt(&s->st, before, now) : NULL;
    sides[1] = sides[0] ? equal_adapt(&s->st, now, sides[0]) : NULL;
    return sides[1] && sides[0]->type == sides[1]->type &&
           session_equal(s, &s->options.saturating, sides, e);
}

static bool is_different(Session *s, Node *before, Node *now)
{
    SidesCompared e;
    bool different = compare(s, before, now, &e) && e.verdict == VERDICT_DIFFERENT;
    equal_free(&e);
    return different;
}

/* Are they one graph, whatever the order of operands that commute? */
static bool is_same(Session *s, Node *a, Node *b)
{
    Node *one[1] = {a}, *other[1] = {b};
    GraphDiff d = {.st = &s->st, .nroots = {1, 1}, .roots = {one, other}, .names = true};
    bool same = a && b && (a == b || (graph_diff(&d) && !d.places.len));
    if (a && b && a != b)
        graph_diff_free(&d);
    return same;
}

bool lines_equal(Session *s, Node *a, Node *b)
{
    SidesCompared e = {0};
    bool equal = is_same(s, a, b) || (compare(s, a, b, &e) && e.verdict <= VERDICT_IF);
    equal_free(&e);
    return equal;
}

/* ---- what is wrong with a line ---- */

static void put_side(Player *p, Text *out, const Witness *w, int side)
{
    if (w->sides[side])
        show_brief(&p->session, out, w->sides[side]);
    else
        text_put(out, "an error");
}

/* "No: for x = 2.0 the line before is 4.0, and this one is 6.0." */
static void put_witness(Player *p, const Witness *w)
{
    Text t = {0};
    text_put(&t, "No: ");
    for (size_t i = 0; i < w->inputs.len; i++) {
        text_printf(&t, "%s%s = ", i ? ", " : "for ", w->inputs.at[i].leaf->attrs[0].name);
        show_brief(&p->session, &t, w->inputs.at[i].value);
    }
    text_put(&t, w->inputs.len ? " the line before is " : "the line before is ");
    put_side(p, &t, w, 0);
    text_put(&t, ", and this one is ");
    put_side(p, &t, w, 1);
    player_say(p, "%s.\n", text_str(&t));
    text_free(&t);
}

static void put_refusal(Player *p, Sheet *sheet, const SidesCompared *e, Node *before, Node *now)
{
    const Question *q = &p->asked->question;
    if (e->verdict != VERDICT_DIFFERENT) {
        player_say(p, "Whether that equals the line before could not be decided. Take a smaller "
                      "step.\n");
        return;
    }
    if (e->against)
        put_witness(p, e->against);
    for (size_t k = 0; k < q->wrong.len; k++) {
        Node *mistake = part_node(sheet, q->wrong.at[k].what);
        if (!is_same(&p->session.s, mistake, now))
            continue;
        p->mistake = (int)k;
        player_show(p, "", q->wrong.at[k].text);
        return;
    }
    put_fault(p, before, part_node(sheet, q->answer), now);
}

/* ---- accepting a line ---- */

/* "Right, by collect and exp-log." */
static void put_rules(Player *p, const SidesCompared *e)
{
    RulesFired rules = {0};
    Text t = {0};
    steplog_fired(&e->x->log, true, &rules);
    for (size_t i = 0; i < rules.len && i < MOST_RULES; i++)
        text_printf(&t, "%s%s", i ? ", " : " by ", rules.at[i].rule);
    if (rules.len > MOST_RULES)
        text_printf(&t, " and %zu more rules", rules.len - MOST_RULES);
    player_say(p, "Right%s.\n", text_str(&t));
    text_free(&t);
    vec_free(&rules);
}

static void accept(Player *p, const SidesCompared *e)
{
    free(p->line);
    p->line = xstrdup(p->entry);
    p->lines++;
    put_rules(p, e);
    if (e->verdict == VERDICT_IF)
        player_say(p, "(It holds only where some inputs have the right sign.)\n");
}

void derive_begin(Player *p)
{
    const Question *q = &p->asked->question;
    free(p->line);
    p->line = part_text(&p->lesson.page, q->from);
    p->lines = 0;
}

bool derive_line(Player *p, const Result *res)
{
    Session *s = &p->session.s;
    SidesCompared e = {0};
    DiagTry trial;
    bool done = false;
    p->mistake = -1;
    diag_try_begin(&trial, &s->st.diags);
    Sheet sheet = sheet_open(s, &p->lesson.page, p->line);
    Node *before = part_node(&sheet, sheet.line), *now = res->n == 1 ? res->roots[0] : NULL;
    if (!compare(s, before, now, &e)) {
        player_say(p, "No: a line must be one expression of the same type as the line before.\n");
    } else if (e.verdict <= VERDICT_IF) {
        accept(p, &e);
        done = is_same(s, now, part_node(&sheet, p->asked->question.answer));
    } else {
        put_refusal(p, &sheet, &e, before, now);
    }
    equal_free(&e);
    sheet_close(&sheet);
    diag_try_end(&trial);
    p->tries += !done;
    return done;
}

/* ---- the question itself ---- */

static void fail(Session *s, Sheet *sheet, Part from, Part to, const char *hint, const char *what)
{
    Span at = {sheet->src, (u32)from.start, (u32)to.end};
    diag_add(&s->diags, "lesson", at, hint, "%s", what);
}

static bool sides_are_equal(Sheet *sheet, const Question *q)
{
    Node *from = part_node(sheet, q->from), *to = from ? part_node(sheet, q->answer) : NULL;
    SidesCompared e = {0};
    bool ok = to && compare(sheet->s, from, to, &e) && e.verdict <= VERDICT_IF;
    if (to && !ok)
        fail(sheet->s, sheet, q->from, q->answer, "`:equal A, B` compares them",
             "the two sides of this derivation are not proved equal");
    equal_free(&e);
    return ok;
}

bool derive_prepare(Answer *a, Repl *judge, const Source *page, const Question *q)
{
    Session *s = &judge->s;
    Sheet sheet = sheet_open(s, page, "");
    bool ok = sides_are_equal(&sheet, q);
    for (size_t k = 0; k < q->wrong.len && ok; k++) {
        Part what = q->wrong.at[k].what;
        Node *mistake = part_node(&sheet, what);
        ok = mistake && is_different(s, part_node(&sheet, q->answer), mistake);
        if (mistake && !ok)
            fail(s, &sheet, what, what, NULL,
                 "this line is listed as wrong, but it is not different");
    }
    a->text = part_text(page, q->answer);
    repl_report(judge);
    diags_clear(&s->diags);
    judge->reported = 0;
    sheet_close(&sheet);
    return ok;
}
