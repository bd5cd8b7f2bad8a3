/* Writing recorded steps, and finding the state a command asks for. */
#include "rewrite/history.h"
#include "graph/name.h"
#include "graph/provenance.h"
#include "rewrite/things.h"

#include "graph/control.h"
#include "surface/surface.h"
#include "repl/commands/commands.h"

enum { SHORT_DEPTH = 3 }; /* levels of operators in a step's one-line form */

/* ---- one line ---- */

void put_short(Text *out, Store *st, Node *n, Numbering *num)
{
    Text s = {0};
    node_source_numbered(st, &s, n, num, SHORT_DEPTH);
    for (size_t i = 0; i < s.len; i++) /* a loop body would take several */
        if (s.at[i] != '\n')
            text_putc(out, s.at[i]);
        else if (out->len && out->at[out->len - 1] != ' ')
            text_putc(out, ' ');
    text_free(&s);
}

enum { MOST_STATES = 4 };

/* The states of a loop by their names, each once. */
static bool put_states(Text *out, Store *st, const Node *loop)
{
    bool scan = loop->op == OP_SCAN;
    int states = scan ? scan_shape(loop).nstates : loop_shape(loop).nstates, told = 0;
    const Graph *g = scan ? scan_shape(loop).body : loop_shape(loop).body;
    const Symbol *names = graph_names(st, g);
    for (int i = 0; i < states && names; i++) {
        Symbol name = name_base(st, names[i]);
        bool again = !name;
        for (int k = 0; k < i && !again; k++)
            again = name_base(st, names[k]) == name;
        if (again)
            continue;
        if (told == MOST_STATES) {
            text_put(out, ", …");
            return true;
        }
        text_printf(out, "%s%s", told++ ? ", " : "", name);
    }
    return told > 0;
}

void put_called(Text *out, Store *st, Node *n, Numbering *num)
{
    if (n->op != OP_SCAN && n->op != OP_LOOP) {
        put_short(out, st, n, num);
        return;
    }
    text_printf(out, "%s ", op_table[n->op].name);
    if (!put_states(out, st, n) && n->op == OP_SCAN)
        text_put(out, "without states");
}

/* The tuple whose results are what all changes replace (after: what they become), or NULL. */
static Node *common_tuple(const Step *s, bool after)
{
    Node *tuple = NULL;
    for (int i = 0; i < s->nchanges; i++) {
        Node *n = after ? s->changes[i].after : s->changes[i].before;
        if (n->op != OP_PROJ || (tuple && n->ops[0] != tuple))
            return NULL;
        tuple = n->ops[0];
    }
    /* a derivative has a form of its own for each result */
    return tuple && op_table[tuple->op].cls == CLASS_IMPLICIT ? NULL : tuple;
}

/* Loops and fused nodes that a change brings in are shown by number; this says what the numbers
 * stand for. */
static void put_new_owners(Text *out, Store *st, const Step *s, Numbering *num, const char *between)
{
    NodeSet seen = {0};
    NodeVec order = {0};
    for (int i = 0; i < s->nchanges; i++)
        nodes_topo(1, &s->changes[i].before, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&seen, order.at[i]);
    order.len = 0;
    for (int i = 0; i < s->nchanges; i++)
        nodes_topo(1, &s->changes[i].after, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if ((n->op != OP_SCAN && n->op != OP_LOOP && n->op != OP_FUSED) || map_has(&seen, n))
            continue;
        set_add(&seen, n);
        text_printf(out, "%s%%%u = ", between, number_of(num, n));
        put_short(out, st, n, num);
    }
    map_free(&seen);
    vec_free(&order);
}

void put_side(Text *out, Store *st, const Step *s, bool after, Numbering *num)
{
    Node *tuple = s->nchanges > 1 ? common_tuple(s, after) : NULL;
    if (tuple && common_tuple(s, !after)) {
        operand_print(out, tuple, num);
        return;
    }
    for (int i = 0; i < s->nchanges; i++) {
        text_put(out, i ? ", " : "");
        Node *n = after ? s->changes[i].after : s->changes[i].before;
        if (s->inner)
            operand_print(out, n, num);
        else
            put_short(out, st, n, num);
    }
}

void put_changes(Text *out, Store *st, const Step *s, Numbering *num, const char *between)
{
    bool whole = s->inner || (s->nchanges > 1 && common_tuple(s, false) && common_tuple(s, true));
    for (int i = 0; i < (whole ? 1 : s->nchanges); i++) {
        Step one = *s;
        if (!whole)
            one.changes = &s->changes[i], one.nchanges = 1;
        text_put(out, i ? between : "");
        put_side(out, st, &one, false, num);
        text_put(out, " => ");
        put_side(out, st, &one, true, num);
    }
    if (!s->inner)
        put_new_owners(out, st, s, num, between);
}

void put_why(Text *out, const Step *s)
{
    const char *reason = s->rule && s->rule->reason ? s->rule->reason : "";
    text_put(out, reason);
    if (s->evidence)
        text_printf(out, "%s%s", *reason ? "; " : "", s->evidence);
    if (s->again)
        text_printf(out, "%sas before", *reason || s->evidence ? "; " : "");
}

/* Each loop is told of by itself. */
static bool is_of_loop(const Step *s)
{
    for (int i = 0; i < s->nchanges; i++) {
        const Node *n = s->changes[i].before;
        n = n->op == OP_PROJ ? n->ops[0] : n;
        if (n->op == OP_SCAN || n->op == OP_LOOP)
            return true;
    }
    return false;
}

bool steps_alike(const Step *a, const Step *b)
{
    Text why[2] = {{0}, {0}};
    if (a->inner || b->inner || is_of_loop(a) || a->rule != b->rule ||
        step_classes(a) != step_classes(b))
        return false;
    put_why(&why[0], a);
    put_why(&why[1], b);
    bool same = strcmp(text_str(&why[0]), text_str(&why[1])) == 0;
    text_free(&why[0]);
    text_free(&why[1]);
    return same;
}

/* ---- which state ---- */

const char *pass_with_group(const char *name)
{
    for (size_t i = 0; i < pass_count(); i++) {
        const Phase *phase = &pass_table[i].phases[0];
        bool holds = phase->before && strcmp(phase->before, name) == 0;
        for (int k = 0; k < PHASE_AFTER && phase->after[k]; k++)
            holds = holds || strcmp(phase->after[k], name) == 0;
        if (holds && !pass_named(name))
            return pass_table[i].name;
    }
    return NULL;
}

bool call_unknown_pass(Call *c, const char *name, Span span)
{
    const char *names[32], *within = pass_with_group(name);
    if (within)
        return call_fail(
            c, span, "usage",
            report_format(&c->report,
                          ":rules %s lists them; `:set pass %s off` or `:set rule NAME off`", name,
                          within),
            "%s is no pass by itself: its rules run in the pass %s", name, within);
    if (pass_named(name))
        return call_fail(c, span, "usage", ":set passes puts it back",
                         "the pass %s is not among the passes that run", name);
    for (size_t i = 0; i < pass_count() && i < COUNT_OF(names); i++)
        names[i] = pass_table[i].name;
    const char *close = closest_name(name, names, pass_count());
    Text hint = {0};
    text_printf(&hint, close ? "did you mean %s?" : ":passes lists them", close);
    call_fail(c, span, "unknown-name", text_str(&hint), "there is no pass %s", name);
    text_free(&hint);
    return false;
}

bool call_no_opening(Call *c, const Option *open)
{
    const RuleSet *rules = c->r->s.rules;
    Text hint = {0};
    text_put(&hint, "these open, where they have more than one part:");
    for (size_t i = 0, n = 0; i < rules->all.len; i++)
        if (rules->all.at[i]->opener)
            text_printf(&hint, "%s %s", n++ ? "," : "", rules->all.at[i]->name);
    bool all = !strcmp(open->value, "all");
    call_fail(c, open->span, "usage", text_str(&hint), all ? "no step%s opens" : "no step %s opens",
              all ? "" : open->value);
    text_free(&hint);
    return false;
}

static bool state_after_pass(Call *c, const Exploration *x, const Option *o, u32 *k)
{
    bool found = false;
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *p = &x->passes.at[i];
        if (strcmp(p->name, o->value) == 0) {
            *k = p->first_step + p->steps;
            found = true;
        }
    }
    return found || call_unknown_pass(c, o->value, o->span);
}

bool call_state(Call *c, const Exploration *x, u32 *k)
{
    const Option *pass = call_option(c, "pass"), *step = call_option(c, "step");
    i64 count = 0;
    if (pass && step)
        return call_fail(c, step->span, "usage", NULL, "give either pass= or step=");
    if (!call_count(c, "step", 0, (i64)x->log.at.len, &count))
        return false;
    *k = (u32)count;
    return !pass || state_after_pass(c, x, pass, k);
}

bool call_place(Call *c, const Exploration *x, const char *key, u32 fallback, Place *out)
{
    const Option *o = call_option(c, key);
    i64 k;
    *out = (Place){1, {fallback}};
    if (o && strchr(o->value, '.'))
        return place_parse(o->value, out) || call_fail(c, o->span, "usage", ":steps numbers them",
                                                       "%s= takes a step: 7, or 9.1", key);
    if (!call_count(c, key, fallback, (i64)x->log.at.len, &k))
        return false;
    out->at[0] = (u32)k;
    return true;
}

/* "9.1" of n characters. */
static bool read_place(Call *c, const Option *o, const char *s, size_t n, Place *out)
{
    return place_parse(arena_strndup(&c->arena, s, n), out) ||
           call_fail(c, o->span, "usage", ":steps numbers them",
                     "%s= takes steps: 7, 9.1, 3..8 or 3..", o->key);
}

/* A step and one inside it have no order. */
static bool is_later(const Place *a, const Place *b)
{
    u32 i = 0;
    while (i < a->n && i < b->n && a->at[i] == b->at[i])
        i++;
    return i < a->n && i < b->n && a->at[i] > b->at[i];
}

bool call_step_range(Call *c, const Exploration *x, Place *before, Place *after)
{
    const Option *o = call_option(c, "step");
    *before = (Place){1, {0}};
    *after = (Place){1, {(u32)x->log.at.len}};
    if (!o)
        return true;
    const char *dots = strstr(o->value, "..");
    size_t n = dots ? (size_t)(dots - o->value) : strlen(o->value);
    if (!read_place(c, o, o->value, n, before))
        return false;
    if (!dots)
        *after = *before;
    else if (dots[2] && !read_place(c, o, dots + 2, strlen(dots + 2), after))
        return false; /* "9.1..": to the end of the outermost */
    if (before->n == 1 && before->at[0] > x->log.at.len)
        return call_fail(c, o->span, "usage", NULL, "step= goes up to %zu here", x->log.at.len);
    if (is_later(before, after))
        return call_fail(c, o->span, "usage", NULL, "%s= goes from the earlier to the later step",
                         o->key);
    before->at[before->n - 1] -= before->at[before->n - 1] > 0;
    return true;
}

Node **call_roots_at(Call *c, Exploration *x, const char *key, const Place *p)
{
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    if (exploration_state(x, p, roots)) {
        if (p->n == 1)
            things_of_state(x, p->at[0]);
        return roots;
    }
    free(roots);
    Text at = {0};
    const Option *o = call_option(c, key);
    place_print(&at, p);
    call_fail(c, o ? o->span : c->span, "usage",
              "the steps inside step 9 begin with 9.1; :steps numbers them",
              "there is no step %s here", text_str(&at));
    text_free(&at);
    return NULL;
}

void put_written(Call *c, const Span *span)
{
    enum { MOST_SHOWN = 60 };
    if (!span || !span->src)
        return;
    int line, column, length;
    span_locate(*span, &line, &column, &length);
    const char *text = span->src->text + span->start;
    int shown = (int)(span->end - span->start), row = (int)strcspn(text, "\n");
    shown = shown > row ? row : shown;
    bool cut = shown > MOST_SHOWN || (int)(span->end - span->start) > row;
    shown = shown > MOST_SHOWN ? MOST_SHOWN : shown;
    report_say(&c->report, "  written at {file}:{line}:{column}: {source}\n",
               text_of(span->src->name), int_of(line), int_of(column),
               text_of(report_format(&c->report, "%.*s%s", shown, text, cut ? " …" : "")));
}
