/* Examples of rules put to the test.  See example_check.h. */
#include "session/example_check.h"

#include "analysis/graph_diff.h"
#include "rewrite/history.h"
#include "session/equal.h"
#include "session/session.h"
#include "surface/surface.h"
#include "syntax/parse.h"

typedef struct {
    Session s;
    const RuleExample *e;
    ExampleOutcome *out;
    Span first, second; /* E and E2 */
    const char *pass;   /* the state of E that is meant; NULL: as written */
    bool both;          /* `<=>` */
} Trial;

/* ---- the parts of its text ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static Span trimmed(Span s)
{
    while (s.start < s.end && is_blank(s.src->text[s.start]))
        s.start++;
    while (s.end > s.start && is_blank(s.src->text[s.end - 1]))
        s.end--;
    return s;
}

/* Takes "pass=NAME" off the end. */
static void take_pass(Trial *t)
{
    static const char key[] = "pass=";
    const char *text = t->first.src->text;
    u32 at = t->first.end, n = (u32)strlen(key);
    while (at > t->first.start && !is_blank(text[at - 1]))
        at--;
    if (at + n >= t->first.end || strncmp(text + at, key, n) != 0)
        return;
    t->pass = arena_strndup(&t->s.arena, text + at + n, t->first.end - at - n);
    t->first.end = at;
    t->first = trimmed(t->first);
}

/* Statements, E and E2; where the statements end. */
static u32 read_parts(Trial *t)
{
    Span whole = t->e->text;
    const char *text = whole.src->text;
    u32 from = whole.start, arrow = whole.end, after = whole.end;
    int depth = 0;
    for (u32 i = whole.start; i < whole.end; i++) {
        depth += (strchr("([{", text[i]) != NULL) - (strchr(")]}", text[i]) != NULL);
        if (!depth && text[i] == ';')
            from = i + 1;
        if (!depth && text[i] == '=' && text[i + 1] == '>' && arrow == whole.end) {
            t->both = text[i - 1] == '<';
            arrow = i - t->both;
            after = i + 2;
        }
    }
    t->first = trimmed((Span){whole.src, from, arrow});
    t->second = t->out->expected = trimmed((Span){whole.src, after, whole.end});
    take_pass(t);
    return from;
}

/* ---- its session ---- */

static void ignore(void *ctx, Result *r) { (void)ctx, (void)r; }

static void run_text(Session *s, const char *text, size_t len)
{
    Parser p;
    Stmt *stmt;
    parser_init(&p, session_source(s, "<example>", text, len), &s->arena, &s->diags, false);
    while (parse_statement(&p, &stmt) == PARSE_OK)
        session_run(s, stmt, ignore, NULL);
}

static void declare_letters(Session *s)
{
    static const struct {
        const char *type, *letters;
    } families[] = {
#define F(NAME, TYPE, VARIABLES, ...) {TYPE, VARIABLES},
#include "session/families.def"
    };
    Text t = {0};
    for (size_t i = 0; i < COUNT_OF(families); i++)
        for (const char *c = families[i].letters; *c; c++)
            text_printf(&t, "%c : %s\n", *c, families[i].type);
    run_text(s, text_str(&t), t.len);
    text_free(&t);
}

/* The first error so far; false: there is none. */
static bool has_error(Trial *t)
{
    const Diags *ds = &t->s.diags;
    for (size_t i = 0; i < ds->list.len; i++)
        if (!ds->list.at[i].note) {
            text_printf(&t->out->says, "it cannot be read: %s", ds->list.at[i].message);
            return true;
        }
    return false;
}

/* ---- graphs ---- */

static int read_roots(Session *s, Span span, Node ***roots)
{
    Value *v = session_value(s, span);
    return v ? session_roots(s, v, span, roots) : -1;
}

/* The roots become those after a pass of the usual ones, or (alone) after that pass by itself. */
static bool move_to_pass(Session *s, int n, Node **roots, const char *pass, bool alone)
{
    Options o = s->options;
    if (alone) {
        pipeline_clear(&o.pipeline);
        pipeline_add(&o.pipeline, pass_named(pass));
    }
    Exploration *x = session_explore_apart(s, &o, n, roots);
    for (size_t i = 0; x && i < x->passes.len; i++)
        if (!strcmp(x->passes.at[i].name, pass))
            return exploration_replay(x, x->passes.at[i].first_step + x->passes.at[i].steps, roots);
    return false;
}

/* ---- comparing ---- */

static void put_part(const GraphDiff *d, Text *out, const DiffPath *p, int side)
{
    enum { MOST = 60 };
    if (!p->side[side]) {
        text_put(out, "nothing");
        return;
    }
    Standing at = diff_stands(d, side, p->side[side]);
    node_source_within(d->st, out, at.node, MOST, at.within);
}

static void put_difference(Trial *t, const GraphDiff *d)
{
    const DiffPath *p = d->places.at[0];
    Text *says = &t->out->says, path = {0};
    diff_put_path(d, &path, p);
    text_printf(says, "%s%s", text_str(&path), path.len ? ": " : "");
    put_part(d, says, p, 0);
    text_put(says, " against ");
    put_part(d, says, p, 1);
    text_free(&path);
}

/* What it gives against what is expected; at a difference `says` tells the first place. */
static bool same_graphs(Trial *t, int n, Node *const *roots, int m, Node *const *wanted, bool tell)
{
    GraphDiff d = {.st = &t->s.st, .nroots = {n, m}, .roots = {roots, wanted}, .names = true};
    bool same = graph_diff(&d) && !d.places.len;
    if (!same && tell && d.places.len)
        put_difference(t, &d);
    graph_diff_free(&d);
    return same;
}

static bool is_expected(Trial *t, int n, Node *const *roots, Span expected)
{
    Node **wanted = NULL;
    int m = read_roots(&t->s, expected, &wanted);
    bool same = m >= 0 && same_graphs(t, n, roots, m, wanted, false);
    if (m >= 0 && !same && move_to_pass(&t->s, m, wanted, "inline", true))
        same = same_graphs(t, n, roots, m, wanted, true);
    free(wanted);
    return same;
}

/* ---- one way ---- */

static void put_gives(Trial *t, const Exploration *x)
{
    Text *gives = &t->out->gives;
    for (int i = 0; i < x->nroots; i++) {
        text_put(gives, i ? ", " : x->nroots > 1 ? "(" : "");
        node_source(&t->s.st, gives, x->roots[i], false);
    }
    text_put(gives, x->nroots > 1 ? ")" : "");
    for (size_t i = 0; i < gives->len; i++)
        gives->at[i] = gives->at[i] == '\n' ? ' ' : gives->at[i];
}

static bool does_not_hold(Trial *t, const Rule *k, const char *what)
{
    Text why = t->out->says;
    t->out->says = (Text){0};
    text_printf(&t->out->says, "%s %s", k->name, what);
    if (t->out->gives.len)
        text_printf(&t->out->says, ": it gives %s", text_str(&t->out->gives));
    if (why.len)
        text_printf(&t->out->says, "\n    %s", text_str(&why));
    text_free(&why);
    return false;
}

static bool log_has(const StepLog *log, const Rule *k)
{
    RulesFired fired = {0};
    bool found = false;
    size_t len = strlen(k->name);
    steplog_fired(log, true, &fired);
    for (size_t i = 0; i < fired.len; i++) {
        const char *rule = fired.at[i].rule;
        bool back = !strncmp(rule, k->name, len) && !strcmp(rule + len, "-back");
        found = found || !strcmp(rule, k->name) || (back && rule_is_of_proofs(k));
    }
    vec_free(&fired);
    return found;
}

/* Some rules prepare a place for others, and fire only where those are on, or only in a state that
 * another rule of their pass has made. */
static bool fires_in_passes(Trial *t, const Rule *k, const Exploration *alone)
{
    Exploration *x = session_explore_apart(&t->s, &t->s.options, alone->nroots, alone->start);
    return x && log_has(&x->log, k);
}

static bool judge(Trial *t, const Rule *k, const Exploration *x, Span expected)
{
    bool fired = x->log.at.len > 0, any = expected.start == expected.end;
    if (fired)
        put_gives(t, x);
    if (!t->e->fires)
        return !fired || does_not_hold(t, k, "fires");
    if (!fired && any && fires_in_passes(t, k, x))
        return true;
    if (!fired)
        return does_not_hold(t, k, "does not fire");
    if (any || is_expected(t, x->nroots, x->roots, expected))
        return true;
    return !has_error(t) && does_not_hold(t, k, "fires, but does not give this");
}

/* ---- rules that only proofs of equality saturation have ---- */

/* Does the proof that the two are equal have a step of the rule? */
static bool judge_proof(Trial *t, const Rule *k, Node *a, Node *b)
{
    SidesCompared e;
    bool wanted = t->e->fires,
         answered = session_equal(&t->s, &t->s.options.saturating, (Node *[2]){a, b}, &e);
    bool proved = answered && verdict_is_equal(e.verdict), has = proved && log_has(&e.x->log, k);
    equal_free(&e);
    if (!answered)
        return false;
    if (wanted && !proved)
        text_put(&t->out->says, "no proof that these are equal was found");
    else if (has != wanted)
        text_printf(&t->out->says, "%s is %s the proof", k->name, has ? "in" : "not in");
    return has == wanted;
}

static bool check_proof(Trial *t, const Rule *k)
{
    Node **a = NULL, **b = NULL;
    int n = read_roots(&t->s, t->first, &a), m = n == 1 ? read_roots(&t->s, t->second, &b) : 0;
    bool held = n == 1 && m == 1 && judge_proof(t, k, a[0], b[0]);
    if (!held && !has_error(t) && !t->out->says.len)
        text_put(&t->out->says, "a single expression is needed on each side of `=>`");
    free(a);
    free(b);
    return held;
}

/* ---- both ways ---- */

/* The rule on the expression at `from`. */
static bool check_way(Trial *t, const Rule *k, Span from, Span expected)
{
    Session *s = &t->s;
    Exploration x;
    Node **roots = NULL;
    int n = read_roots(s, from, &roots);
    bool there = n >= 0 && (!t->pass || move_to_pass(s, n, roots, t->pass, false)), held = false;
    text_free(&t->out->gives);
    if (!there && !has_error(t))
        text_printf(&t->out->says, "no pass %s runs", t->pass);
    if (there) {
        explore_rule(&x, &s->st, s->rules, &s->options, k, n, roots, 1, NULL);
        held = judge(t, k, &x, expected);
        exploration_clear(&x);
    }
    free(roots);
    return held;
}

static bool check_ways(Trial *t)
{
    const Rule *k = t->e->rule, *back = k->back;
    if (rule_is_of_proofs(k))
        return check_proof(t, k);
    if (t->both && !back) {
        text_printf(&t->out->says, "%s applies in one direction only: write `=>`", k->name);
        return false;
    }
    bool ways = t->both || (!t->e->fires && back && !rule_is_back(k));
    return check_way(t, k, t->first, t->second) &&
           (!ways || check_way(t, back, t->both ? t->second : t->first, t->first));
}

void example_check(const RuleSet *rules, const RuleExample *e, ExampleOutcome *out)
{
    Trial t = {.e = e, .out = out};
    *out = (ExampleOutcome){.held = false};
    if (!session_open(&t.s, rules))
        die("the embedded prelude or rules are broken");
    declare_letters(&t.s);
    u32 from = read_parts(&t);
    run_text(&t.s, e->text.src->text + e->text.start, from - e->text.start);
    if (t.first.start == t.first.end)
        text_put(&out->says, "an expression is missing");
    else if (rule_is_of_proofs(e->rule) && t.second.start == t.second.end)
        text_put(&out->says, "this rule exists only in proofs: write `E => E2`");
    else if (!rule_is_of_proofs(e->rule) && !e->fires && t.second.end > t.second.start)
        text_put(&out->says, "`not` takes an expression alone, without `=>`");
    else if (!has_error(&t))
        out->held = check_ways(&t);
    session_free(&t.s);
}

void example_outcome_free(ExampleOutcome *o)
{
    text_free(&o->says);
    text_free(&o->gives);
}
