/* Which steps and which state a command asks for. */
#include "graph/provenance.h"
#include "repl/commands/commands.h"
#include "rewrite/history.h"

bool call_unknown_pass(Call *c, const char *name, Span span)
{
    const char *names[32], *within = pass_with_group(name);
    if (within)
        return call_fail(
            c, span, "usage",
            report_format(&c->report,
                          ":rules %s lists them; `:set pass %s off` or `:set rule NAME off`", name,
                          within),
            "%s is not a pass by itself: its rules run in the pass %s", name, within);
    if (pass_named(name))
        return call_fail(c, span, "usage", ":set passes puts it back",
                         "the pass %s is not among the passes that run", name);
    for (size_t i = 0; i < pass_count() && i < COUNT_OF(names); i++)
        names[i] = pass_table[i].name;
    return call_unknown(c, span, "there is no pass", name, names, pass_count(),
                        ":passes lists them");
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

bool call_state_after_pass(Call *c, const Exploration *x, const Option *o, u32 *k)
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
    return !pass || call_state_after_pass(c, x, pass, k);
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
    if (place_is_later(before, after))
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

const Thing *call_thing(Call *c, Exploration *x)
{
    const Thing *thing = thing_numbered(x, (u32)c->number);
    if (!thing)
        call_fail(c, c->number_span, "unknown-name", ":graph ssa=on and :steps show the numbers",
                  "there is no node %%%lld", (long long)c->number);
    return thing;
}

void put_written(Call *c, const Span *span)
{
    enum { MOST_SHOWN = 60 };
    if (!span || !span->src)
        return;
    int line, column, length;
    Text words = {0};
    span_locate(*span, &line, &column, &length);
    span_put_words(&words, *span, MOST_SHOWN);
    report_say(&c->report, "  written at {file}:{line}:{column}: {source}\n",
               text_of(span->src->name), int_of(line), int_of(column),
               text_built(&c->report, &words));
}

Datum report_place(Report *r, const Place *p)
{
    Text at = {0};
    place_print(&at, p);
    const char *shown = report_take(r, &at);
    return as(shown, p->n > 1 ? text_of(shown) : int_of(p->at[0]));
}
