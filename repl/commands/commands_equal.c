/* :equal: are two expressions equal, and how much so? */
#include "graph/print.h"
#include "ops/build.h"
#include "repl/commands/arguments.h"
#include "repl/commands/egraph.h"
#include "session/equal.h"

/* ---- the two sides ---- */

static Node *one_root(Call *c, Span part)
{
    Node **roots = NULL, *r = NULL;
    int n = session_roots_at(&c->r->s, part, &roots);
    if (n == 1)
        r = roots[0];
    else if (n >= 0)
        call_fail(c, part, "type-mismatch", "compare its parts one by one",
                  "this is not one tensor");
    free(roots);
    return r;
}

static bool check_types(Call *c, Span span, const char *first, const Node *left, const char *second,
                        const Node *right)
{
    Text a = {0}, b = {0};
    type_print(&a, left->type);
    type_print(&b, right->type);
    bool same = left->type == right->type;
    if (!same)
        call_fail(c, span, "type-mismatch", NULL, "%s is %s, %s %s", first, text_str(&a), second,
                  text_str(&b));
    text_free(&a);
    text_free(&b);
    return same;
}

bool call_two_sides(Call *c, Node *sides[2])
{
    const char *comma = comma_of(c->text);
    if (!comma)
        return call_fail(c, c->rest, "usage", ":equal sin(x)^2 + cos(x)^2, 1",
                         "two expressions with a comma between them are compared");
    Span left = c->rest, right = c->rest;
    left.end = c->rest.start + (u32)(comma - c->text);
    right.start = left.end + 1;
    if (!(sides[0] = one_root(c, left)) || !(sides[1] = one_root(c, right)))
        return false;
    sides[0] = equal_adapt(&c->r->s.st, sides[0], sides[1]);
    sides[1] = sides[0] ? equal_adapt(&c->r->s.st, sides[1], sides[0]) : NULL;
    if (!sides[0] || !sides[1])
        return false;
    return check_types(c, c->rest, "the left side", sides[0], "the right side", sides[1]);
}

Node *call_root_like(Call *c, Span part, Node *like)
{
    Node *n = one_root(c, part);
    n = n ? equal_adapt(&c->r->s.st, n, like) : NULL;
    return n && check_types(c, part, "the expression", like, "this", n) ? n : NULL;
}

/* On one line; digits as of tensor_print. */
static void put_tensor(Text *out, const Tensor *t, int digits)
{
    Text rows = {0};
    tensor_print(&rows, t, 20, digits);
    for (size_t i = 0; i < rows.len; i++) {
        bool blank = rows.at[i] == ' ' || rows.at[i] == '\n';
        if (!blank || (i && out->at[out->len - 1] != ' ' && out->at[out->len - 1] != '['))
            text_putc(out, blank ? ' ' : rows.at[i]);
    }
    text_free(&rows);
}

/* ---- inputs that show something ---- */

static void put_inputs(Call *c, const Witness *w)
{
    json_open(&c->data, "inputs", '{');
    for (size_t i = 0; i < w->inputs.len; i++) {
        Text t = {0};
        const char *name = w->inputs.at[i].leaf->attrs[0].name;
        put_tensor(&t, w->inputs.at[i].value, 0);
        text_put(&c->out, i ? ", " : "for ");
        report_named(&c->report, name, " = ", text_built(&c->report, &t));
    }
    text_put(&c->out, w->inputs.len ? " " : "for any input ");
    json_end(&c->data, '}');
}

/* Six digits, if they show a difference. */
static int digits_of(const Witness *w)
{
    Text t[2] = {{0}, {0}};
    bool same = w->sides[0] && w->sides[1];
    for (int k = 0; k < 2 && same; k++)
        put_tensor(&t[k], w->sides[k], 6);
    same = same && !strcmp(text_str(&t[0]), text_str(&t[1]));
    text_free(&t[0]);
    text_free(&t[1]);
    return same ? 0 : 6;
}

static void put_sides(Call *c, const Witness *w)
{
    int digits = digits_of(w);
    for (int k = 0; k < 2; k++) {
        Text t = {0};
        if (w->sides[k])
            put_tensor(&t, w->sides[k], digits);
        else
            text_printf(&t, "an error (%s)", w->error[k]);
        report_say(&c->report, k ? ", the right side is {right}" : "the left side is {left}",
                   text_built(&c->report, &t));
    }
}

/* "for x = 0.0 the left side is nan, the right side is 1.0" */
static void put_witness(Call *c, const Witness *w, const char *key, Datum kind, const char *before)
{
    if (!w) {
        report_field(&c->report, key, text_of(NULL));
        return;
    }
    text_put(&c->out, before);
    json_open(&c->data, key, '{');
    report_field(&c->report, "kind", kind);
    put_inputs(c, w);
    put_sides(c, w);
    json_end(&c->data, '}');
}

/* ---- what the answer is ---- */

static const char *const verdicts[VERDICTS] = {"equal", "rounding",  "except",
                                               "if",    "different", "unknown"};

/* "nan, infinity or the sign of a zero differs" */
static void put_kinds(Text *t, u32 kinds)
{
    static const struct {
        DifferKind kind;
        const char *name;
    } that_differ[] = {
        {DIFFER_NAN, "nan"}, {DIFFER_INFINITY, "infinity"}, {DIFFER_ZERO, "the sign of a zero"}};
    int n = 0, i = 0;
    for (size_t k = 0; k < COUNT_OF(that_differ); k++)
        n += (kinds >> that_differ[k].kind & 1) != 0;
    for (size_t k = 0; k < COUNT_OF(that_differ); k++)
        if (kinds >> that_differ[k].kind & 1) {
            text_printf(t, "%s%s", !i ? "" : i + 1 < n ? ", " : " or ", that_differ[k].name);
            i++;
        }
    text_put(t, n ? " differs" : "");
    if (kinds >> DIFFER_OVERFLOW & 1)
        text_printf(t, "%san operation overflows or underflows", n++ ? " or " : "");
    if (kinds >> DIFFER_ERROR & 1)
        text_printf(t, "%sone side is an error", n ? " or " : "");
}

/* "equal up to rounding except where nan differs" */
static void put_equal(Text *t, const SidesCompared *e)
{
    u32 kinds = e->verdict == VERDICT_IF ? 0 : e->kinds;
    bool range = kinds == 1u << DIFFER_OVERFLOW && e->classes & HAZARD_O;
    text_put(t, "equal");
    if (e->rounds || range)
        text_put(t, range ? " up to rounding and overflow" : " up to rounding");
    if (!kinds || range)
        return;
    text_put(t, " except where ");
    put_kinds(t, kinds);
}

static const char *assumption_text(Call *c, const Assumption *a)
{
    static const char *const signs[] = {
        [AT_LEAST_ZERO] = ">=", [ABOVE_ZERO] = ">", [AT_MOST_ZERO] = "<="};
    return report_format(&c->report, "%s %s 0", a->leaf->attrs[0].name, signs[a->sign]);
}

/* " if x >= 0 and y >= 0" */
static void put_assumptions(Call *c, const SidesCompared *e)
{
    json_open(&c->data, "if", '[');
    for (int i = 0; i < e->given.n; i++)
        report_say(&c->report,
                   !i                   ? " if {}"
                   : i + 1 < e->given.n ? ", {}"
                                        : " and {}",
                   text_of(assumption_text(c, &e->given.at[i])));
    json_end(&c->data, ']');
}

/* ---- rules that are off ---- */

/* " (by rules of class N-, which is off: sub-self)" */
static void put_off(Call *c, const SidesCompared *e)
{
    RulesFired rules = {0};
    Text classes = {0};
    size_t n = 0; /* how many of them are off */
    if (e->off)
        steplog_fired(&e->x->log, true, &rules);
    hazard_print(&classes, e->off);
    bool many = strchr(text_str(&classes), ' ') != NULL;
    for (size_t i = 0; i < rules.len; i++)
        if (rules.at[i].classes & e->off)
            rules.at[n++] = rules.at[i];
    if (n)
        text_printf(&c->out, " (by rules of class%s %s, which %s off: ", many ? "es" : "",
                    text_str(&classes), many ? "are" : "is");
    json_open(&c->data, "off", '[');
    for (size_t i = 0; i < n; i++)
        report_say(&c->report, i ? ", {}" : "{}", text_of(rules.at[i].rule));
    json_end(&c->data, ']');
    if (n)
        text_put(&c->out, e->but ? ")" : "; no input was found for which that matters)");
    text_free(&classes);
    vec_free(&rules);
}

/* ---- the answer ---- */

static void put_exception(Call *c, const SidesCompared *e, const char *before)
{
    put_witness(c, e->but, "except", text_of(e->but ? differ_names[e->kind] : NULL), before);
}

static void put_against(Call *c, const SidesCompared *e, const char *before)
{
    put_witness(c, e->against, "counterexample", absent(), before);
}

/* Where the assumptions hold, and the two differ all the same. */
static void put_exception_within(Call *c, const SidesCompared *e)
{
    Text t = {0};
    if (e->but)
        put_kinds(&t, e->kinds);
    put_exception(
        c, e, report_format(&c->report, "\nwith that assumed, except where %s: ", text_str(&t)));
    text_free(&t);
}

static void put_proved(Call *c, const SidesCompared *e)
{
    put_equal(&c->out, e);
    put_assumptions(c, e);
    put_against(c, e, "; otherwise, ");
    if (e->verdict == VERDICT_IF) {
        put_off(c, e);
        put_exception_within(c, e);
        return;
    }
    put_exception(c, e, ": ");
    put_off(c, e);
}

static void put_unknown(Call *c, const SidesCompared *e)
{
    const Growth *g = &e->growth;
    text_printf(&c->out,
                "unknown: neither proved nor refuted after %zu iterations, %u e-nodes (%s)",
                g->rows.len, g->rows.len ? g->rows.at[g->rows.len - 1].nodes : 0,
                saturate_stop_name(g->stop));
    growth_put_form_limit(&c->out, g);
    put_exception(c, e, "; ");
}

static void put_unproved(Call *c, const SidesCompared *e)
{
    if (e->verdict == VERDICT_UNKNOWN)
        put_unknown(c, e);
    else {
        text_put(&c->out, "different");
        put_exception(c, e, "");
    }
    put_against(c, e, ": ");
    put_assumptions(c, e);
    put_off(c, e);
}

static void put_answer(Call *c, const SidesCompared *e)
{
    bool proved = e->verdict <= VERDICT_IF;
    json_pair(&c->data, "answer",
              verdict_is_equal(e->verdict)    ? "equal"
              : e->verdict == VERDICT_UNKNOWN ? "unknown"
                                              : "different");
    json_pair(&c->data, "verdict", verdicts[e->verdict]);
    if (proved)
        put_proved(c, e);
    else
        put_unproved(c, e);
    text_putc(&c->out, '\n');
    if (proved) {
        call_list_steps(c, e->x, false);
        session_note_recent(&c->r->s, e->x, c->text);
        return;
    }
    json_open(&c->data, "steps", '[');
    json_end(&c->data, ']');
}

bool command_equal(Call *c)
{
    Saturating how;
    SidesCompared e;
    Node *sides[2];
    if (!call_saturating(c, &how) || !call_two_sides(c, sides))
        return false;
    c->r->s.st.span = c->rest;
    bool ok = session_equal(&c->r->s, &how, sides, &e);
    if (ok)
        put_answer(c, &e);
    equal_free(&e);
    return ok;
}
