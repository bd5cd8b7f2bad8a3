/* :explain: sizes as numbers, and which steps changed the cost most; see explain.h. */
#include "repl/commands/explain.h"

#include "rewrite/history.h"

enum { MOST_TOLD = 5 };

/* ---- the steps that made the difference ---- */

/* ": fuse, map, 2 more": the rules of steps inside, however deep, each once. */
static void put_rules(Text *out, const StepLog *log)
{
    enum { MOST = 3 };
    RulesFired rules = {0};
    steplog_fired(log, true, &rules);
    for (size_t i = 0; i < rules.len && i < MOST; i++)
        text_printf(out, "%s%s", i ? ", " : ": ", rules.at[i].rule);
    if (rules.len > MOST)
        text_printf(out, ", %zu more", rules.len - MOST);
    vec_free(&rules);
}

static void put_did(Explain *e, Text *out, const Step *s)
{
    ChangeLines lines = {0};
    Telling t = {e->x, NULL, repl_width(e->c->r) - 12, 1, &lines, NULL, 0};
    bool inside = step_rewrites_inside(s);
    Text line = {0};
    if (inside)
        change_where(&t, s);
    else
        change_of_step(&t, s);
    if (change_in_a_line(&line, &lines))
        text_put(out, text_str(&line));
    else if (lines.of.len)
        text_put(out, lines.of.at[0].text);
    if (inside)
        put_rules(out, s->inner);
    text_free(&line);
    change_free(&lines);
}

/* What is too long for a page ends with "…". */
static const char *part_of(Report *r, const char *s)
{
    enum { MOST = 96 };
    size_t n = strlen(s), part = n;
    if (n > MOST)
        for (part = MOST; part && s[part] != ' ';)
            part--;
    return report_format(r, "%.*s%s", (int)part, s, part < n ? " …" : "");
}

static void put_difference(Explain *e, const CostChange *d)
{
    const Step *s = &e->x->log.at.at[d->to - 1];
    Report *r = &e->c->report;
    Text did = {0}, why = {0};
    bool one = d->to == d->from + 1;
    if (one) {
        put_did(e, &did, s);
        if (!step_rewrites_inside(s))
            put_why(&why, s);
    }
    double percent = d->before > 0 ? 100 * (d->after / d->before - 1) : 0;
    const char *changed = report_take(r, &did), *reason = report_take(r, &why);
    explain_item(
        e, 1, "{-}{step} {rule}: {-}, {before} to {after}; {-}{=changed}{=why}",
        text_of(one ? "" : report_format(r, "%u-", d->from + 1)), int_of(d->to),
        text_of(one ? step_rule(s) : s->pass), text_of(report_format(r, "%+.0f %%", percent)),
        as(report_format(r, "%.0f", d->before), real_of(d->before)),
        as(report_format(r, "%.0f", d->after), real_of(d->after)),
        text_of(part_of(r, *changed ? changed : reason)), text_of(changed), text_of(reason));
}

void explain_rewrites(Explain *e)
{
    Exploration *x = e->x;
    CostChanges all = {0};
    Text head = {0};
    e->numbers.known = true;
    bool known = cost_changes(x, &e->costs, &e->numbers, &all), assumed = !e->numbers.known;
    explain_heading(e, "rewrites that made the difference");
    text_printf(&head,
                all.len ? "%zu of %zu steps changed the cost: operations, and numbers read "
                          "and written"
                : known ? "none of the steps changed the cost"
                        : "not known: the cost shows when it runs",
                all.len, x->log.at.len);
    if (all.len && assumed)
        text_printf(&head, ", with %d in place of what is not known", ASSUMED);
    explain_point(e, 0, &head);
    json_open(&e->c->data, "rewrites", '[');
    for (size_t i = 0; i < all.len && i < MOST_TOLD; i++)
        put_difference(e, &all.at[i]);
    json_end(&e->c->data, ']');
    vec_free(&all);
}
