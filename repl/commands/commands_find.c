/* :find: where a pattern matches, as text and data. */
#include "analysis/find_places.h"
#include "analysis/step_change.h"
#include "graph/provenance.h"
#include "repl/commands/finding.h"
#include "rewrite/history.h"
#include "surface/surface.h"

enum {
    SHOWN = 40,      /* places in the text; the data have all */
    TERM_BYTES = 60, /* of a place, of what a name stands for */
    MOST_NEAR = 1000
};

/* The pattern that the line begins with. False after a diagnostic; to be freed in any case. */
static bool call_query(Call *c, PatternQuery *q)
{
    return query_read(q, c->rest, c->r->s.st.diags);
}

bool option_query(Call *c, const char *key, PatternQuery *q)
{
    const Option *o = call_option(c, key);
    Session *s = &c->r->s;
    const Source *src = session_source(s, "pattern", o->value, strlen(o->value));
    Diags *ds = s->st.diags;
    size_t first = ds->list.len;
    bool ok = query_read(q, source_whole(src), ds);
    if (ok && q->end < src->len)
        ok = call_fail(c, o->span, "pattern", "the expression is that of the command",
                       "%s= takes a pattern and a condition: no `in`", key);
    for (size_t i = first; i < ds->list.len; i++) /* carets stand under the line that was typed */
        if (ds->list.at[i].span.src == src)
            ds->list.at[i].span = o->span;
    return ok;
}

/* ---- one place ---- */

static const char *term_of(Call *c, Node *n, const Graph *within)
{
    Text t = {0};
    node_source_within(&c->r->s.st, &t, n, TERM_BYTES, within);
    return report_take(&c->report, &t);
}

static const char *number_text(Call *c, Exploration *x, const Graph *within, const Node *n)
{
    Text t = {0};
    x->numbering.within = within;
    operand_print(&t, n, &x->numbering);
    x->numbering.within = NULL;
    return report_take(&c->report, &t);
}

/* "a = x, b = 2 * x" */
static bool put_bindings(Call *c, const PatternQuery *q, const Match *m, const Graph *within)
{
    BoundName b;
    int k = 0;
    json_open(&c->data, "bindings", '{');
    for (; query_bound(q, m, k, &b); k++) {
        Text value = {0};
        rule_value_put(&value, &c->r->s.st, b.value, within, TERM_BYTES);
        text_put(c->report.text, k ? ", " : "      ");
        report_named(&c->report, b.name, " = ", text_built(&c->report, &value));
    }
    json_end(&c->data, '}');
    return k > 0;
}

/* The state after a step, "4" or inside one "4.2"; `before`: the one before it. */
static Datum state_of(Call *c, const Origin *o, bool before)
{
    u32 k = o->number - before;
    if (!*o->log)
        return int_of(k);
    return text_of(report_format(&c->report, "%s.%u", o->log, k));
}

/* From which state to which, and what took it. */
static const char *put_states(Call *c, const FindQuestion *f, const FoundPlace *p)
{
    Report *r = &c->report;
    Datum last = p->taken ? state_of(c, p->taken, true) : int_of((i64)f->x->log.at.len);
    const char *from = p->made ? report_format(r, "from step %s", origin_text(&c->arena, p->made))
                               : "from the start";
    report_field(r, "state", p->made ? state_of(c, p->made, false) : int_of(0));
    report_field(r, "until", last);
    if (!p->taken) {
        report_field(r, "by", text_of(NULL));
        return report_format(r, "%s to the end", from);
    }
    const char *at = origin_text(&c->arena, p->taken), *rule = step_rule(p->taken->step);
    json_open(&c->data, "by", '{');
    report_field(r, "step", *p->taken->log ? text_of(at) : int_of(p->taken->number));
    json_pair(&c->data, "rule", rule);
    json_end(&c->data, '}');
    return report_format(r, "%s until step %s, %s [pass %s]%s", from, at, rule,
                         p->taken->step->pass,
                         p->taken->operands_only ? ", changed what it is made of" : ", took it");
}

/* By the names of the state in which it first was so. */
static void put_head(Call *c, Exploration *x, Node *n, const Graph *within, const Origin *made)
{
    Text where = {0};
    exploration_view(x, &(Place){1, {origin_outermost(made)}});
    const char *number = number_text(c, x, within, n), *term = term_of(c, n, within);
    put_where(&where, x, within);
    report_say(&c->report, "{node}  {source}", text_of(number), text_of(term));
    text_printf(c->report.text, where.len ? "   in %s\n" : "%s\n", text_str(&where));
    text_free(&where);
}

static void put_place(Call *c, FindQuestion *f, const FoundPlace *p)
{
    QueryTry t = {.reached = 0};
    json_begin(&c->data, '{');
    put_head(c, f->x, p->node, p->within, p->made);
    query_matches(f->query, f->x->st, p->within, p->node, &t);
    const char *states = put_states(c, f, p);
    bool any = put_bindings(c, f->query, &t.match, p->within);
    text_printf(c->report.text, "%s%s\n", any ? "; " : "      ", states);
    json_end(&c->data, '}');
}

/* ---- all ---- */

static void put_places(Call *c, FindQuestion *f)
{
    json_open(&c->data, "places", '[');
    for (size_t i = 0; i < f->places.len; i++) {
        report_hide(&c->report, i >= SHOWN);
        put_place(c, f, &f->places.at[i]);
    }
    report_hide(&c->report, false);
    json_end(&c->data, ']');
    if (f->places.len > SHOWN)
        text_printf(&c->out, "and at %zu more: --json has all\n", f->places.len - SHOWN);
    if (!f->places.len)
        text_put(&c->out, "it matches nowhere, in no state\n");
}

static void put_misses(Call *c, FindQuestion *f)
{
    if (!f->near)
        return;
    if (f->misses.len)
        text_put(&c->out, "nearest misses:\n");
    else if (f->query->rule.root < OP_COUNT)
        text_printf(&c->out, "there is no other %s in it\n", rule_root_name(&f->query->rule));
    json_open(&c->data, "misses", '[');
    for (size_t i = 0; i < f->misses.len; i++) {
        const NearMiss *m = &f->misses.at[i];
        json_begin(&c->data, '{');
        put_head(c, f->x, m->node, m->within, m->made);
        report_field(&c->report, "state", m->made ? state_of(c, m->made, false) : int_of(0));
        report_say(&c->report, "      {matched} of {of}: {why}\n", int_of(m->reached),
                   int_of(f->query->parts), text_of(m->why));
        json_end(&c->data, '}');
    }
    json_end(&c->data, ']');
}

/* What stands behind `in`; without it, what was explored most recently. */
static Exploration *find_subject(Call *c, const PatternQuery *q)
{
    size_t n = q->end - c->rest.start;
    const char *s = c->text + n;
    if (*s)
        s += strlen("in");
    s += strspn(s, " \t");
    if (c->text[n] && !*s) {
        call_fail(c, (Span){c->rest.src, (u32)q->end, c->rest.end}, "usage", NULL,
                  "an expression is missing after `in`");
        return NULL;
    }
    c->rest.start += (u32)(s - c->text);
    c->text += s - c->text;
    return call_explore(c);
}

bool command_find(Call *c)
{
    PatternQuery q;
    i64 near = 0;
    bool ok = call_number(c, "near", 0, 0, MOST_NEAR, &near) && call_query(c, &q);
    Exploration *x = ok ? find_subject(c, &q) : NULL;
    if (x) {
        FindQuestion f = {.x = x, .query = &q, .near = (size_t)near};
        find_places(&f);
        put_places(c, &f);
        put_misses(c, &f);
        provenance_view(x->st, 0);
        find_places_free(&f);
    }
    query_free(&q);
    return x != NULL;
}

/* ---- for pictures ---- */

bool found_in_states(Call *c, Exploration *x, FoundNodes *out)
{
    const Option *o = call_option(c, "find");
    PatternQuery q;
    if (!o)
        return true;
    bool ok = option_query(c, "find", &q);
    if (ok) {
        FindQuestion f = {.x = x, .query = &q};
        find_places(&f);
        out->pattern = o->value;
        for (size_t i = 0; i < f.places.len; i++) {
            const FoundPlace *p = &f.places.at[i];
            u32 last = p->taken ? origin_outermost(p->taken) - 1 : (u32)x->log.at.len;
            if (p->thing->number)
                vec_push(&out->at,
                         ((PageFound){p->thing->number, origin_outermost(p->made), last}));
        }
        if (!f.places.len)
            diag_note(&c->r->s.diags, "find", o->span, "this matches nowhere, in no state");
        find_places_free(&f);
    }
    query_free(&q);
    return ok;
}

bool found_in_state(Call *c, Exploration *x, Node *const *roots, FoundHere *out)
{
    const Option *o = call_option(c, "find");
    PatternQuery q;
    StandingVec found = {0};
    if (!o)
        return true;
    bool ok = option_query(c, "find", &q);
    if (ok)
        query_find(&q, &c->r->s.st, x->nroots, roots, &found);
    for (size_t i = 0; i < found.len; i++) {
        Node *n = found.at[i].node;
        n = n->op == OP_PROJ ? n->ops[0] : n; /* what gives the result is what is drawn */
        x->numbering.within = found.at[i].within;
        vec_push(&out->numbers, (i64)number_of(&x->numbering, n));
        set_add(&out->nodes, n);
    }
    x->numbering.within = NULL;
    if (ok && !found.len)
        diag_note(&c->r->s.diags, "find", o->span, "this matches nowhere in this graph");
    vec_free(&found);
    query_free(&q);
    return ok;
}

void found_here_free(FoundHere *f)
{
    vec_free(&f->numbers);
    map_free(&f->nodes);
}
