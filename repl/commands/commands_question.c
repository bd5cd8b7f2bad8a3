/* Questions about an exploration: :audit, :bisect, :diff. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "graph/print.h"
#include "graph/walk.h"
#include "repl/commands/change.h"
#include "repl/commands/colors.h"
#include "repl/commands/stepper.h"

#include <math.h>

/* ---- :diff ---- */

/* A state with all its graphs: node after node, and which thing is which of them. */
typedef struct {
    StandingVec all;
    MAP(const Thing *, size_t) at; /* thing -> place + 1 */
} Side;

static void side_fill(Exploration *x, Side *side, Node *const *roots)
{
    StandingVec all = {0};
    nodes_standing(x->nroots, roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++) {
        const Thing *thing = thing_of(x->things, all.at[i].within, all.at[i].node);
        if (node_is_inline(all.at[i].node))
            continue;
        vec_push(&side->all, all.at[i]);
        if (thing && !map_has(&side->at, thing))
            map_put(&side->at, thing, side->all.len);
    }
    vec_free(&all);
}

static void side_free(Side *s)
{
    vec_free(&s->all);
    map_free(&s->at);
}

static char *side_line(Exploration *x, const Side *s, size_t i)
{
    Text line = {0};
    x->numbering.within = s->all.at[i].within;
    node_print_line(x->st, &line, s->all.at[i].node, &x->numbering);
    x->numbering.within = NULL;
    return text_take(&line);
}

static void put_line(Call *c, char sign, const char *line)
{
    bool colored = call_marks(c) == MARKS_COLOR;
    const char *color = sign == '-' ? "1;31" : sign == '+' ? "1;32" : "1;33";
    if (colored)
        text_printf(&c->out, "\033[%sm%c\033[0m ", color, sign);
    else
        text_printf(&c->out, "%c ", sign);
    put_colored(&c->out, line, colored);
    text_putc(&c->out, '\n');
}

/* What is in one state and not in the other. */
static u32 put_missing(Call *c, Exploration *x, char sign, const Side *in, const Side *other)
{
    u32 count = 0;
    json_open(&c->data, sign == '-' ? "removed" : "added", '[');
    for (size_t i = 0; i < in->all.len; i++) {
        const Thing *thing = thing_of(x->things, in->all.at[i].within, in->all.at[i].node);
        if (thing && map_has(&other->at, thing))
            continue;
        char *line = side_line(x, in, i);
        put_line(c, sign, line);
        json_string(&c->data, line);
        free(line);
        count++;
    }
    json_end(&c->data, ']');
    return count;
}

/* What is in both, and does or reads something else. */
static u32 put_changed(Call *c, Exploration *x, const Side *before, const Side *after)
{
    u32 count = 0;
    json_open(&c->data, "changed", '[');
    for (size_t i = 0; i < after->all.len; i++) {
        const Thing *thing = thing_of(x->things, after->all.at[i].within, after->all.at[i].node);
        size_t was = thing ? map_get(&before->at, thing) : 0;
        if (!was ||
            !thing_differs(x->things, before->all.at[was - 1].within, before->all.at[was - 1].node,
                           after->all.at[i].within, after->all.at[i].node))
            continue;
        char *line[2] = {side_line(x, before, was - 1), side_line(x, after, i)};
        put_line(c, '~', line[1]);
        text_put(&c->out, "    was ");
        put_colored(&c->out, line[0], call_marks(c) == MARKS_COLOR);
        text_putc(&c->out, '\n');
        report_item(&c->report, "{=before}{=after}", text_of(line[0]), text_of(line[1]));
        count++;
        free(line[0]);
        free(line[1]);
    }
    json_end(&c->data, ']');
    return count;
}

static void put_return(Call *c, Exploration *x, char sign, Node *const *roots)
{
    text_printf(&c->out, "%c return ", sign);
    for (int i = 0; i < x->nroots; i++) {
        text_put(&c->out, i ? ", " : "");
        operand_print(&c->out, roots[i], &x->numbering);
    }
    text_putc(&c->out, '\n');
}

static void put_diff(Call *c, Exploration *x, Node *const *a, Node *const *b)
{
    Side before = {0}, after = {0};
    side_fill(x, &before, a);
    side_fill(x, &after, b);
    u32 gone = put_missing(c, x, '-', &before, &after);
    u32 fresh = put_missing(c, x, '+', &after, &before);
    u32 changed = put_changed(c, x, &before, &after);
    bool moved = false;
    for (int i = 0; i < x->nroots; i++)
        moved = moved || thing_of(x->things, NULL, a[i]) != thing_of(x->things, NULL, b[i]);
    if (moved) {
        put_return(c, x, '-', a);
        put_return(c, x, '+', b);
    }
    report_say(&c->report, "{- node} removed, {-} added, {-} changed\n", int_of(gone),
               int_of(fresh), int_of(changed));
    side_free(&before);
    side_free(&after);
}

/* A number; "9.1" of one inside another. */
static Datum place_datum(Report *r, const Place *p)
{
    Text at = {0};
    place_print(&at, p);
    const char *shown = report_take(r, &at);
    return as(shown, p->n > 1 ? text_of(shown) : int_of(p->at[0]));
}

bool command_diff(Call *c)
{
    Exploration *x = call_explore(c);
    Place from, to;
    if (!x || !call_step_range(c, x, &from, &to))
        return false;
    things_of_states(x);
    Node **a = call_roots_at(c, x, "step", &from),
         **b = a ? call_roots_at(c, x, "step", &to) : NULL;
    report_say(&c->report, "{=from}{=to}", place_datum(&c->report, &from),
               place_datum(&c->report, &to));
    if (b)
        put_diff(c, x, a, b);
    free(a);
    free(b);
    return b != NULL;
}

/* ---- :audit ---- */

static const char *remark(const AuditRow *a)
{
    return a->unevaluated   ? "not evaluated"
           : a->by.passed   ? "an error became a value"
           : a->by.unmade   ? "nan or infinity is gone"
           : a->by.overflow ? "nan became infinity, or back"
                            : "";
}

static Datum measured(Report *r, const AuditRow *a, int digits, double x)
{
    return as(a->unevaluated ? "" : report_format(r, "%.*g", digits, x), real_of(x));
}

static void add_audit(Report *r, Rows *rows, const AuditRow *a)
{
    Text classes = {0}, place = {0};
    hazard_print(&classes, a->classes);
    place_print(&place, &a->place);
    char *said = report_take(r, &classes);
    rows_add(rows, int_of(a->place.at[0]), text_of(report_take(r, &place)), text_of(a->step->pass),
             text_of(step_rule(a->step)), as(report_format(r, "[%s]", said), text_of(said)),
             measured(r, a, 2, a->by.error), measured(r, a, 3, a->by.ulp),
             text_of(a->breaks ? report_format(r, "broken: %s", a->breaks) : remark(a)),
             flag_of(a->by.made || a->by.unmade || a->by.overflow), flag_of(a->by.zero),
             flag_of(a->by.shape), flag_of(a->by.failed || a->by.passed), flag_of(!a->unevaluated),
             flag_of(a->breaks != NULL), text_of(a->breaks));
}

bool command_audit(Call *c)
{
    static const Column columns[] = {{NULL, "seq"},           {"step", "place"},
                                     {"pass", NULL},          {"rule", "rule"},
                                     {"classes", "classes"},  {"error", "max_error"},
                                     {"ulp", "max_ulp"},      {"", NULL},
                                     {NULL, "nan_changed"},   {NULL, "zero_changed"},
                                     {NULL, "shape_changed"}, {NULL, "error_changed"},
                                     {NULL, "evaluated"},     {NULL, "differs"},
                                     {NULL, "breaks"}};
    const Option *open = call_option(c, "open");
    Place of = {0};
    if (open && strcmp(open->value, "all") != 0 && !place_parse(open->value, &of))
        return call_no_opening(c, open);
    Exploration *x = call_explore(c);
    Report *r = &c->report;
    Audit a = {0};
    if (!x || !session_audit_open(&c->r->s, x, open ? &of : NULL, &a))
        return false;
    if (open && of.n && !a.opened) {
        audit_free(&a);
        return call_no_opening(c, open);
    }
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    for (size_t i = 0; i < a.rows.len; i++)
        add_audit(r, &rows, &a.rows.at[i]);
    rows_put(&rows, "rows");
    char *verdict = a.differing ? report_format(r, "%u broke %s class", a.differing,
                                                a.differing == 1 ? "its" : "their")
                                : "all within what their classes allow";
    report_say(r,
               "{=ok}{steps step}, {compared} compared: {-}; {=differing}largest error {worst}\n",
               flag_of(!a.differing), int_of(a.steps), int_of(a.compared), text_of(verdict),
               int_of(a.differing), as(report_format(r, "%.2g", a.worst), real_of(a.worst)));
    if (a.differing && c->r->status < EXIT_PROGRAM)
        c->r->status = EXIT_PROGRAM;
    audit_free(&a);
    return true;
}

/* ---- :bisect ---- */

static bool put_guilty(Call *c, Exploration *x, const Audit *a, const AuditRow *row)
{
    Stepper at;
    Report *r = &c->report;
    report_say(r, "{=steps}step {step} changes the value more than its classes allow:\n",
               int_of(a->steps), place_datum(r, &row->place));
    stepper_init(&at, c, x);
    bool ok = stepper_goto(&at, &row->place) && stepper_put(&at, &c->out, SHOW_CHANGE);
    report_say(r,
               "  {=rule}{=pass}{-}; error {max_error}{=nan_changed}{=breaks}, {-} units in the "
               "last place\n",
               text_of(step_rule(row->step)), text_of(row->step->pass), text_of(row->breaks),
               measured(r, row, 2, row->by.error),
               flag_of(row->by.made || row->by.unmade || row->by.overflow), text_of(row->breaks),
               measured(r, row, 3, row->by.ulp));
    return ok;
}

bool command_bisect(Call *c)
{
    Exploration *x = call_explore(c);
    Audit a = {0};
    if (!x || !session_audit(&c->r->s, x, &a))
        return false;
    size_t i = 0;
    while (i < a.rows.len && !a.rows.at[i].breaks)
        i++;
    bool ok = true;
    if (i < a.rows.len)
        ok = put_guilty(c, x, &a, &a.rows.at[i]);
    else
        report_say(&c->report,
                   "{steps step}, {-} compared: none differs more than its classes allow{=step}\n",
                   int_of(a.steps), int_of(a.compared), text_of(NULL));
    audit_free(&a);
    return ok;
}
