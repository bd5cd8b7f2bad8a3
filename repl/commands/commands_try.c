/* One rule alone: :try applies it once.
 *
 * Invariant: what is switched off for this is as it was before when the command ends. */
#include "surface/surface.h"
#include "repl/commands/commands.h"
#include "rewrite/history.h"

enum { STATE_CHARS = 400, SHORT_STATE = 88 };

/* One side in one line; `exact`: also what a reader need not know, such as that operators run as
 * one. */
static void put_side_of(Call *c, Text *out, int n, Node *const *roots, bool exact)
{
    Store *st = &c->r->s.st;
    out->len = 0;
    if (!exact)
        put_sources(out, st, n, roots, false, STATE_CHARS);
    else if (listing_print(st, out, n, roots, &(ListingOptions){.declared = true}))
        text_join_lines(out);
}

/* The whole before and after: as data always, in the text if they are short. */
static void put_roots(Call *c, const Exploration *x)
{
    Text side[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++)
        put_side_of(c, &side[k], x->nroots, k ? x->roots : x->start, false);
    if (strcmp(text_str(&side[0]), text_str(&side[1])) == 0)
        put_side_of(c, &side[1], x->nroots, x->roots, true);
    bool shown = side[0].len <= SHORT_STATE && side[1].len <= SHORT_STATE;
    report_say(&c->report, shown ? "  before  {before}\n  after   {after}\n" : "{=before}{=after}",
               text_built(&c->report, &side[0]), text_built(&c->report, &side[1]));
}

static void put_tried(Call *c, Exploration *x, const Rule *k)
{
    Report *r = &c->report;
    Text at = {0}, change = {0}, why = {0};
    const Graph *within = NULL;
    const Step *s = step_of_rule(&x->log, k->name, NULL, &at, &within);
    s = s ? s : &x->log.at.at[0];
    exploration_things(x);
    x->numbering.within = within;
    put_changes(&change, x->st, s, &x->numbering, ", ");
    x->numbering.within = NULL;
    put_why(&why, s);
    const char *classes = classes_text(c, step_classes(s)), *changed = report_take(r, &change),
               *reason = report_take(r, &why);
    text_printf(r->text, *reason ? "%s [%s]  %s\n  # %s\n" : "%s [%s]  %s\n", k->name, classes,
                changed, reason);
    put_roots(c, x);
    report_say(r, "{=classes}{=change}{=why}", text_of(classes), text_of(changed), text_of(reason));
    text_free(&at);
}

/* The expression, or what it is after step=K. */
static int tried_roots(Call *c, Node ***roots)
{
    i64 step;
    if (!call_option(c, "step"))
        return call_roots(c, roots);
    Exploration *x = call_explore(c);
    if (!x || !call_count(c, "step", 0, (i64)x->log.at.len, &step))
        return -1;
    *roots = call_roots_at(c, x, "step", &(Place){1, {(u32)step}});
    return *roots ? x->nroots : -1;
}

bool command_try(Call *c)
{
    const Rule *k = call_rule(c, c->word, c->word_span);
    if (!k)
        return false;
    Node **roots = NULL;
    int n = tried_roots(c, &roots);
    if (n < 0)
        return false;
    Exploration x;
    explore_rule(&x, &c->r->s.st, c->r->s.rules, &c->r->s.options, k, n, roots, 1, NULL);
    bool fired = x.log.at.len > 0;
    report_say(&c->report, fired ? "{=rule}{=fired}" : "{rule} fires nowhere{=fired}\n",
               text_of(k->name), flag_of(fired));
    if (fired)
        put_tried(c, &x, k);
    else
        put_whynot(c, &x, k);
    exploration_clear(&x);
    free(roots);
    return true;
}
