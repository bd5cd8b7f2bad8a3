/* :expect: claims about what rewriting makes of an expression.
 *
 * Invariant: a claim that holds prints nothing and counts in Repl.held; one that fails adds exactly
 * one error, and shows the difference before it. */
#include "repl/commands/arguments.h"
#include "repl/commands/costs.h"
#include "repl/commands/derivation_by_hand.h"
#include "repl/commands/finding.h"
#include "repl/commands/sides.h"

#include "graph/control.h"
#include "graph/provenance.h"
#include "rewrite/history.h"
#include "surface/surface.h"

#include <errno.h>

typedef struct {
    SideText subject;
    Span rest;   /* what follows the claim's word */
    bool failed; /* the claim does not hold; a diagnostic about its text is no failure */
} Claim;

static Span part(const Call *c, size_t from, size_t to)
{
    u32 start = c->rest.start;
    return rest_trimmed(c, (Span){c->rest.src, start + (u32)from, start + (u32)to});
}

static const char *times(Call *c, i64 n)
{
    return n == 1 ? "once" : report_format(&c->report, "%lld times", (long long)n);
}

/* "after the pass simplify" */
static const char *state_text(Call *c, const SideText *t)
{
    if (t->step)
        return report_format(&c->report, "after step %s", t->step->value);
    return t->pass ? report_format(&c->report, "after the pass %s", t->pass->value)
                   : "after all passes";
}

/* It does not hold: what it differs in comes next. */
static void begin_difference(Call *c, Claim *k)
{
    k->failed = true;
    report_field(&c->report, "held", flag_of(false));
    json_open(&c->data, "diff", '{');
}

/* What would hold in place of the claim. */
static void note_actual(Call *c, const Claim *k, const char *actual)
{
    const Listener *to = &c->r->listener;
    if (to->unmet)
        to->unmet(to->ctx, k->rest, actual);
}

/* Adds the error, and ends what it differs in. False. */
static bool claim_fails(Call *c, Claim *k, const char *hint, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
static bool claim_fails(Call *c, Claim *k, const char *hint, const char *fmt, ...)
{
    Text t = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    const char *says = report_take(&c->report, &t);
    if (!k->failed)
        begin_difference(c, k);
    json_pair(&c->data, "says", says);
    json_end(&c->data, '}');
    return call_fail(c, k->rest, "expect", hint, "%s", says);
}

/* ---- => EXPR2 ---- */

static const Option simplify = {.key = "pass", .value = "simplify"};

/* The state that is compared where no key names one. */
static void by_default(Call *c, Claim *k)
{
    Option *o = arena_alloc(&c->arena, sizeof *o);
    *o = simplify;
    o->span = k->subject.span;
    if (!k->subject.pass && !k->subject.step)
        k->subject.pass = o;
}

/* One side as an expression. */
static const char *side_source(Call *c, Sides *s, int side)
{
    Text t = {0};
    const GraphSide *g = &s->of[side];
    sides_see(s, side);
    for (int i = 0; i < g->n; i++) {
        text_put(&t, i ? ", " : g->n > 1 ? "(" : "");
        node_source(&c->r->s.st, &t, g->roots[i], false);
    }
    text_put(&t, g->n > 1 ? ")" : "");
    sides_see(s, -1);
    text_join_lines(&t);
    return report_take(&c->report, &t);
}

static bool check_graph(Call *c, Claim *k)
{
    Sides s = {.names = *rest_text(c, k->rest) != '"'}; /* one of a file has inputs of its own */
    by_default(c, k);
    SideText of[2] = {k->subject, {.span = k->rest, .inlined = true}};
    bool ok = sides_compare_texts(c, of, &s);
    if (ok && s.diff.places.len) {
        Text first = {0};
        begin_difference(c, k);
        sides_put(c, &s);
        sides_put_first(c, &s, &first);
        note_actual(c, k, side_source(c, &s, 0));
        ok = claim_fails(c, k, ":steps EXPR lists the rewrites that led to this",
                         "%s, this is not `%s`: %s", state_text(c, &k->subject),
                         rest_copy(c, k->rest), text_str(&first));
        text_free(&first);
    }
    sides_free(&s);
    return ok;
}

/* ---- has PATTERN ---- */

/* Takes "no" off the front. */
static bool take_no(Call *c, Claim *k)
{
    const char *s = rest_text(c, k->rest);
    bool no = strncmp(s, "no", 2) == 0 && strchr(" \t", s[2]) && s[2];
    if (no)
        k->rest = part(c, k->rest.start - c->rest.start + 2, k->rest.end - c->rest.start);
    return no;
}

/* "exp(x), exp(y) and 3 more" */
static const char *places_text(Call *c, const GraphSide *g, const StandingVec *found)
{
    enum { SHOWN = 3, MOST = 40 };
    Text t = {0};
    provenance_enter(&c->r->s.st, g->provenance);
    for (size_t i = 0; i < found->len && i < SHOWN; i++) {
        text_put(&t, i ? ", " : "");
        node_source_within(&c->r->s.st, &t, found->at[i].node, MOST, found->at[i].within);
    }
    if (found->len > SHOWN)
        text_printf(&t, " and %zu more", found->len - SHOWN);
    return report_take(&c->report, &t);
}

static bool check_found(Call *c, Claim *k, const GraphSide *g, const StandingVec *found, bool none)
{
    const char *state = state_text(c, &k->subject), *pattern = rest_copy(c, k->rest);
    if (none != (found->len > 0))
        return true;
    if (!none)
        return claim_fails(c, k, report_format(&c->report, ":find %s in EXPR near=5", pattern),
                           "%s, nothing matches `%s`", state, pattern);
    return claim_fails(c, k, NULL, "%s, `%s` matches %s: %s", state, pattern,
                       times(c, (i64)found->len), places_text(c, g, found));
}

static bool check_pattern(Call *c, Claim *k)
{
    PatternQuery q;
    GraphSide g = {0};
    StandingVec found = {0};
    bool none = take_no(c, k);
    by_default(c, k);
    bool ok = query_read(&q, k->rest, c->r->s.st.diags) && side_take(c, &k->subject, &g);
    if (ok && q.end < k->rest.end)
        ok = call_fail(c, (Span){k->rest.src, (u32)q.end, k->rest.end}, "usage",
                       ":expect EXPR has no exp(a)", "nothing follows the pattern");
    if (ok) {
        struct Provenance *around = c->r->s.st.provenance;
        query_find(&q, &c->r->s.st, g.n, g.roots, &found);
        ok = check_found(c, k, &g, &found, none);
        provenance_enter(&c->r->s.st, around);
    }
    vec_free(&found);
    query_free(&q);
    free(g.roots);
    return ok;
}

/* ---- numbers ---- */

/* A whole number that is all of a text. */
static bool read_count(Call *c, Span span, i64 *out)
{
    const char *s = rest_copy(c, span);
    size_t n = strspn(s, "0123456789");
    *out = strtoll(s, NULL, 10);
    return (n && !s[n] && n < 18) ||
           call_fail(c, span, "usage", NULL, "this must be a whole number, but it is `%s`", s);
}

/* The subject's steps; with a key those up to its state. */
static Exploration *explore_subject(Call *c, Claim *k, u32 *steps)
{
    Session *s = &c->r->s;
    Node **roots = NULL;
    Span span = k->subject.span;
    int n = session_roots_at(s, span, &roots);
    s->st.span = span;
    Exploration *x = n < 0 ? NULL : session_explore(s, n, roots);
    free(roots);
    *steps = x ? (u32)x->log.at.len : 0;
    return x && side_state(c, x, &k->subject, steps) ? x : NULL;
}

/* ---- fires RULE [N] ---- */

/* In these steps, those inside them too. */
static i64 count_fired(const StepLog *log, u32 steps, const Rule *rule)
{
    i64 n = 0;
    for (u32 i = 0; i < steps; i++) {
        const Step *s = &log->at.at[i];
        if (s->inner)
            n += count_fired(s->inner, (u32)s->inner->at.len, rule);
        else
            n += s->rule == rule;
    }
    return n;
}

static bool check_fires(Call *c, Claim *k)
{
    const char *s = rest_text(c, k->rest);
    size_t from = k->rest.start - c->rest.start, n = strcspn(s, " \t");
    n = n < k->rest.end - k->rest.start ? n : k->rest.end - k->rest.start;
    Span name = part(c, from, from + n), count = part(c, from + n, k->rest.end - c->rest.start);
    const Rule *rule = call_rule(c, rest_copy(c, name), name);
    bool given = count.end > count.start;
    i64 want = 0;
    u32 steps;
    if (!rule || (given && !read_count(c, count, &want)))
        return false;
    Exploration *x = explore_subject(c, k, &steps);
    if (!x)
        return false;
    i64 fired = count_fired(&x->log, steps, rule);
    if (given ? fired == want : fired > 0)
        return true;
    note_actual(c, k, report_format(&c->report, "%s %lld", rule->name, (long long)fired));
    const char *hint = report_format(&c->report, ":whynot %s EXPR explains why", rule->name);
    if (!fired)
        return claim_fails(c, k, hint, "%s does not fire", rule->name);
    return claim_fails(c, k, ":steps EXPR by=rule counts the steps of each rule",
                       "%s fires %s, not %s", rule->name, times(c, fired), times(c, want));
}

/* ---- loops N ---- */

static bool check_loops(Call *c, Claim *k)
{
    i64 want;
    u32 steps;
    Exploration *x = read_count(c, k->rest, &want) ? explore_subject(c, k, &steps) : NULL;
    Node **roots = x ? xcalloc((size_t)x->nroots + 1, sizeof *roots) : NULL;
    bool ok = x && exploration_replay(x, steps, roots);
    i64 loops = ok ? loops_count(x->nroots, roots) : 0;
    free(roots);
    if (!ok || loops == want)
        return ok;
    note_actual(c, k, report_format(&c->report, "%lld", (long long)loops));
    return claim_fails(c, k, ":explain EXPR lists the loops", "%s, there %s %lld loop%s, not %lld",
                       state_text(c, &k->subject), loops == 1 ? "is" : "are", (long long)loops,
                       loops == 1 ? "" : "s", (long long)want);
}

/* ---- cost <= C ---- */

static bool read_bound(Call *c, Claim *k, double *most)
{
    const char *s = rest_copy(c, k->rest);
    char *end = NULL;
    bool sign = strncmp(s, "<=", 2) == 0;
    errno = 0;
    *most = sign ? strtod(s + 2, &end) : 0;
    return (sign && end != s + 2 && !*end && !errno && *most >= 0) ||
           call_fail(c, k->rest, "usage", ":expect EXPR cost <= 1e-6",
                     "after `cost` come `<=` and a number of seconds");
}

static bool check_cost(Call *c, Claim *k)
{
    double most;
    u32 steps;
    if (!read_bound(c, k, &most))
        return false;
    if (k->subject.pass || k->subject.step)
        return call_fail(c, k->subject.pass ? k->subject.pass->span : k->subject.step->span,
                         "usage", NULL, "a cost is that of what runs, after all passes");
    Exploration *x = explore_subject(c, k, &steps);
    double seconds = x ? predicted_seconds(c, x) : -1;
    if (x && seconds < 0)
        return call_fail(c, k->subject.span, "usage", NULL,
                         "this has no cost: it cannot be planned");
    if (!x || seconds <= most)
        return x != NULL;
    return claim_fails(c, k, ":cost EXPR shows what takes how long",
                       "the predicted cost is %.4g s, not at most %.4g s", seconds, most);
}

/* ---- all ---- */

static bool read_claim(Call *c, const ClaimText *t, Claim *k)
{
    const Option *late = call_option(c, "pass") ? call_option(c, "pass") : call_option(c, "step");
    *k = (Claim){.subject = {.span = part(c, 0, t->at)}, .rest = part(c, t->rest, strlen(c->text))};
    if (call_option(c, "digest"))
        return call_fail(c, call_option(c, "digest")->span, "usage", NULL,
                         "digest= is for an interactive derivation, not for a claim");
    if (late)
        return call_fail(c, late->span, "usage", ":expect EXPR pass=canonicalize => EXPR2",
                         "%s= goes directly after the expression, before the claim", late->key);
    if (k->rest.start == k->rest.end)
        return call_fail(c, c->rest, "usage", ":expect EXPR => EXPR2", "the claim is not complete");
    if (!side_keys(c, &k->subject))
        return false;
    return k->subject.span.start < k->subject.span.end ||
           call_fail(c, c->rest, "usage", ":expect EXPR => EXPR2", "the expression is missing");
}

bool command_expect(Call *c)
{
    static bool (*const checks[CLAIM_NONE])(Call *, Claim *) = {[CLAIM_GRAPH] = check_graph,
                                                                [CLAIM_FIRES] = check_fires,
                                                                [CLAIM_HAS] = check_pattern,
                                                                [CLAIM_LOOPS] = check_loops,
                                                                [CLAIM_COST] = check_cost};
    ClaimText t = claim_of(c->text);
    Claim k;
    if (t.kind == CLAIM_NONE)
        return expect_derivation(c);
    if (!read_claim(c, &t, &k))
        return false;
    bool held = checks[t.kind](c, &k);
    if (held)
        report_say(&c->report, "{=held}{=diff}", flag_of(true), text_of(NULL));
    c->r->held += held;
    return held || k.failed;
}
