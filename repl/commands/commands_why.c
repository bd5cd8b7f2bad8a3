/* The life of a node: where it was written, which steps made and changed it, which one ended it. */
#include "repl/commands/change.h"
#include "graph/provenance.h"
#include "rewrite/history.h"
#include "graph/print.h"

enum { MOST_ORIGINS = 1000 };

static const char *origin_number(Call *c, const Origin *o)
{
    return report_format(&c->report, "%s%s%u", o->log, *o->log ? "." : "", o->number);
}

/* Were they in one graph? Else the step made something else of what was there. */
static bool is_beside(const Occurrence *was, const Occurrence *at)
{
    return was && was->thing->body == at->thing->body;
}

static bool reaches(const Graph *g, const Node *n)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len && !found; i++)
        found = order.at[i] == n;
    vec_free(&order);
    return found;
}

/* The first graph that it stood in as that node; NULL: the outermost. */
static const Graph *graph_of(const Things *t, const Occurrence *o)
{
    const Graph *found = NULL;
    if (thing_occurrence(t, NULL, o->node) == o)
        return NULL;
    for (size_t i = 0; i < t->bodies.len; i++) {
        const Graph *g = map_key(&t->bodies, i);
        if (g && thing_occurrence(t, g, o->node) == o && (!found || g->id < found->id) &&
            reaches(g, o->node))
            found = g;
    }
    return found;
}

/* Does it do or read something else than before? */
static bool is_change(const Things *t, const Occurrence *at, const Occurrence *was)
{
    return is_beside(was, at) && was->node != at->node &&
           (was->thing != at->thing ||
            thing_differs(t, graph_of(t, was), was->node, graph_of(t, at), at->node));
}

/* What the step did to this node alone. */
static void change_of(const Telling *t, const Occurrence *at, const Occurrence *was)
{
    Telling own = *t;
    const Things *things = t->x->things;
    own.within = graph_of(things, at);
    own.was = graph_of(things, was);
    change_of_node(&own, was->node, at->node);
}

/* Does its life before tell something of the node: was it in the same graph, or is it part of a
 * derivative that was expanded? */
static bool goes_back(const Occurrence *was, const Occurrence *at)
{
    const Node *n = was ? was->node : NULL;
    n = n && n->op == OP_PROJ ? n->ops[0] : n;
    return n && (is_beside(was, at) || op_table[n->op].cls == CLASS_IMPLICIT);
}

/* One step, in the text and in the data. */
static void why_step(Call *c, Exploration *x, const Graph *within, const Occurrence *at,
                     const Occurrence *was, Text *out)
{
    Report *r = &c->report;
    const Origin *o = at->origin;
    ChangeLines lines = {.of = {0}};
    Text why = {0}, all = {0};
    Telling t = {x, within, repl_width(c->r) - 8, 4, &lines, NULL, 0};
    bool same = was && was->thing == at->thing, changes = is_change(x->things, at, was);
    put_why(&why, o->step);
    put_changes(&all, x->st, o->step, &x->numbering, ", ");
    if (why.len && changes) {
        Text reason = {0};
        text_printf(&reason, "# %s", text_str(&why));
        change_line(&t, '.', &reason);
    }
    if (changes)
        change_of(&t, at, was);
    report_item(r, "{=step}{=pass}{=rule}{=change}{=why}{=untried}", text_of(origin_number(c, o)),
                text_of(o->step->pass), text_of(step_rule(o->step)), text_of(report_take(r, &all)),
                text_of(text_str(&why)),
                step_classes(o->step) & HAZARD_UNTRIED ? flag_of(true) : absent());
    if (changes || !same) /* else the step changed what it reads, or only where it stands */
        text_printf(out, "  %s step %s, %s: %s%s\n", same ? "changed by" : "made by",
                    origin_number(c, o), o->step->pass, step_rule(o->step), step_mark(o->step));
    change_put(out, &lines, 6, repl_width(c->r), call_marks(c));
    text_free(&why);
    change_free(&lines);
}

/* Why it is there no longer. */
static void put_end(Call *c, Exploration *x, const Thing *thing)
{
    const Origin *o = thing->gone;
    const Step *s = o->step;
    Telling t = {x, thing_graph(thing), repl_width(c->r) - 8, 4, &(ChangeLines){.of = {0}}, NULL,
                 0};
    report_say(&c->report, "  gone at step {gone}, {pass}: {rule}{-}", text_of(origin_number(c, o)),
               text_of(s->pass), text_of(step_rule(s)), text_of(step_mark(s)));
    for (int i = 0; i < s->nchanges; i++)
        if (s->changes[i].before == thing->last->node)
            change_of_node(&t, s->changes[i].before, s->changes[i].after);
    text_put(&c->out, t.out->of.len ? "\n" : ", as nothing needs it after that\n");
    change_put(&c->out, t.out, 6, repl_width(c->r), call_marks(c));
    change_free(t.out);
}

/* What it was before: of the same thing, else what that was made of; NULL: nothing. */
static const Occurrence *before_that(const Things *t, const Occurrence *at)
{
    for (const Occurrence *o = at->thing->first; o && o != at; o = o->next)
        if (o->next == at)
            return o;
    return thing_before(t, at);
}

/* From the last step back to the first node; the text tells it the other way round. */
static const Occurrence *put_life(Call *c, Exploration *x, const Thing *thing, Text *life)
{
    VEC(char *) parts = {0};
    const Occurrence *at = thing->last;
    json_open(&c->data, "steps", '[');
    for (int i = 0; at->origin && i < MOST_ORIGINS; i++) {
        const Occurrence *was = before_that(x->things, at);
        Text part = {0};
        why_step(c, x, thing_graph(thing), at, was, &part);
        vec_push(&parts, text_take(&part));
        if (!goes_back(was, at))
            break;
        at = was;
    }
    json_end(&c->data, ']');
    for (size_t i = parts.len; i-- > 0;) {
        text_put(life, parts.at[i]);
        free(parts.at[i]);
    }
    vec_free(&parts);
    return at;
}

bool command_why(Call *c)
{
    Exploration *x = call_explore(c);
    const Thing *thing = x ? thing_numbered(x, (u32)c->number) : NULL;
    if (x && !thing)
        return call_fail(c, c->number_span, "unknown-name",
                         ":graph ssa=on and :steps show the numbers", "there is no node %%%lld",
                         (long long)c->number);
    if (!x)
        return false;
    Text life = {0}, where = {0};
    x->numbering.within = thing_graph(thing);
    node_print_line(x->st, &c->out, thing->last->node, &x->numbering);
    text_putc(&c->out, '\n');
    put_where(&where, x, thing_graph(thing));
    if (where.len)
        report_say(&c->report, "  in {where}\n", text_of(text_str(&where)));
    const Occurrence *first = put_life(c, x, thing, &life);
    if (!first->origin) {
        const Graph *within = NULL; /* as it was then: its parameters may have become others */
        thing_in_state(x, first->thing, x->nroots, x->start, &within);
        x->numbering.within = within;
        text_put(&c->out, "  from the source: ");
        put_short(&c->out, x->st, first->node, &x->numbering);
        text_putc(&c->out, '\n');
    }
    put_written(c, node_span(x->st, first->node));
    text_put(&c->out, text_str(&life));
    if (thing->gone)
        put_end(c, x, thing);
    x->numbering.within = NULL;
    text_free(&life);
    text_free(&where);
    return true;
}
