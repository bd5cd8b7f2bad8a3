/* The life of a node: where it was written, which steps made and changed it, which one ended it. */
#include "repl/commands/commands.h"
#include "analysis/state_diff.h"
#include "graph/provenance.h"
#include "rewrite/history.h"
#include "graph/print.h"

/* What the step did to this node alone. */
static void change_of(const Telling *t, const LifeStep *l)
{
    Telling own = *t;
    own.within = l->within;
    own.was = l->was_within;
    change_of_node(&own, l->was->node, l->at->node);
}

/* One step, in the text and in the data. */
static void why_step(Call *c, Exploration *x, const Graph *within, const LifeStep *l, Text *out)
{
    Report *r = &c->report;
    const Origin *o = l->at->origin;
    ChangeLines lines = {.of = {0}};
    Text why = {0}, all = {0};
    Telling t = {x, within, repl_width(c->r) - 8, 4, &lines, NULL, 0};
    bool same = l->was && l->was->thing == l->at->thing, changes = l->differs;
    put_why(&why, o->step);
    put_changes(&all, x->st, o->step, &x->numbering, ", ");
    if (why.len && changes) {
        Text reason = {0};
        text_printf(&reason, "# %s", text_str(&why));
        change_line(&t, '.', &reason);
    }
    if (changes)
        change_of(&t, l);
    report_item(r, "{=step}{=pass}{=rule}{=change}{=why}{=untried}",
                text_of(origin_text(&c->arena, o)), text_of(o->step->pass),
                text_of(step_rule(o->step)), text_built(r, &all), text_of(text_str(&why)),
                step_classes(o->step) & HAZARD_UNTRIED ? flag_of(true) : absent());
    if (changes || !same) /* else the step changed what it reads, or only where it stands */
        text_printf(out, "  %s step %s, %s: %s%s\n", same ? "changed by" : "made by",
                    origin_text(&c->arena, o), o->step->pass, step_rule(o->step),
                    step_mark(o->step));
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
    report_say(&c->report, "  gone at step {gone}, {pass}: {rule}{-}",
               text_of(origin_text(&c->arena, o)), text_of(s->pass), text_of(step_rule(s)),
               text_of(step_mark(s)));
    for (int i = 0; i < s->nchanges; i++)
        if (s->changes[i].before == thing->last->node)
            change_of_node(&t, s->changes[i].before, s->changes[i].after);
    text_put(&c->out, t.out->of.len ? "\n" : ", as nothing needs it after that\n");
    change_put(&c->out, t.out, 6, repl_width(c->r), call_marks(c));
    change_free(t.out);
}

/* The text tells it from the first step on. */
static void put_life(Call *c, Exploration *x, const Thing *thing, const Life *life, Text *out)
{
    VEC(char *) parts = {0};
    json_open(&c->data, "steps", '[');
    for (size_t i = 0; i < life->steps.len; i++) {
        Text part = {0};
        why_step(c, x, thing_graph(thing), &life->steps.at[i], &part);
        vec_push(&parts, report_take(&c->report, &part));
    }
    json_end(&c->data, ']');
    for (size_t i = parts.len; i-- > 0;)
        text_put(out, parts.at[i]);
    vec_free(&parts);
}

bool command_why(Call *c)
{
    Exploration *x = call_explore(c);
    const Thing *thing = x ? call_thing(c, x) : NULL;
    if (!thing)
        return false;
    Text life = {0}, where = {0};
    x->numbering.within = thing_graph(thing);
    node_print_line(x->st, &c->out, thing->last->node, &x->numbering);
    text_putc(&c->out, '\n');
    put_where(&where, x, thing_graph(thing));
    if (where.len)
        report_say(&c->report, "  in {where}\n", text_of(text_str(&where)));
    Life l;
    life_of(exploration_things(x), thing, &l);
    const Occurrence *first = l.first;
    put_life(c, x, thing, &l, &life);
    life_free(&l);
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
