/* :diff: what steps changed, or what two graphs differ in. */
#include "analysis/state_diff.h"
#include "graph/print.h"
#include "repl/terminal/colors.h"
#include "repl/commands/sides.h"
#include "rewrite/history.h"
#include "surface/surface.h"

enum { SHOWN = 20 /* places in the text; the data have all */ };

/* ---- two graphs ---- */

/* The part around a place, of one side, what differs in it marked. */
static void add_line(Call *c, Sides *sides, const DiffPath *place, int side, ChangeLines *out)
{
    const GraphDiff *d = &sides->diff;
    const DiffPath *context = diff_context(d, place);
    NodeSet marked = {0};
    Styled s = {0};
    if (!place->side[side])
        return;
    Standing at = diff_stands(d, side, context->side[side]);
    Node *part = context == place ? NULL : diff_part_in_context(d, place, side);
    if (part)
        set_add(&marked, part);
    sides_see(sides, side);
    node_source_marked(d->st, &s, at.node, repl_width(c->r) - 4, &marked, at.within);
    ChangeLine line = {.sign = side ? '+' : '-', .text = text_take(&s.text), .marks = s.edges};
    vec_push(&out->of, line);
    sides_see(sides, -1);
    map_free(&marked);
}

/* What is there, alone. */
static const char *part_of(Call *c, Sides *s, const DiffPath *place, int side)
{
    enum { MOST = 40 };
    Text t = {0};
    if (!place->side[side])
        return NULL;
    Standing at = diff_stands(&s->diff, side, place->side[side]);
    sides_see(s, side);
    node_source_within(s->diff.st, &t, at.node, MOST, at.within);
    sides_see(s, -1);
    return report_take(&c->report, &t);
}

/* "x : f64[3]", if the other side has another type. */
static const char *typed_part(Call *c, const DiffPath *place, int side, const char *part)
{
    Text t = {0};
    bool other = place->side[0] && place->side[1] && place->side[0]->type != place->side[1]->type;
    if (!other)
        return part;
    text_printf(&t, "%s : ", part);
    type_print(&t, place->side[side]->type);
    return report_take(&c->report, &t);
}

/* Both sides as they are read; unless they are what was just told. */
static void put_lines(Call *c, Sides *s, const DiffPath *p, const char *const *of)
{
    const GraphDiff *d = &s->diff;
    ChangeLines lines = {0};
    bool new = false;
    for (int side = 0; side < 2; side++)
        add_line(c, s, p, side, &lines);
    for (size_t i = 0; i < lines.of.len; i++)
        new = new || strcmp(lines.of.at[i].text, of[lines.of.at[i].sign == '+']) != 0;
    if (new &&diff_context(d, p) == p)
        change_mark(&lines);
    if (new)
        change_put_marked(&c->out, &lines, 2, repl_width(c->r), call_marks(c));
    change_free(&lines);
}

/* Where it is, and what is there on both sides. */
typedef struct {
    Text path;
    const char *of[2], *typed[2];
} PlaceText;

static void place_text(Call *c, Sides *s, const DiffPath *p, PlaceText *out)
{
    *out = (PlaceText){.path = {0}};
    sides_see(s, p->side[0] ? 0 : 1);
    diff_put_path(&s->diff, &out->path, p);
    for (int side = 0; side < 2; side++) {
        out->of[side] = part_of(c, s, p, side);
        out->typed[side] = typed_part(c, p, side, out->of[side]);
    }
}

static void put_head(Text *out, PlaceText *p)
{
    text_printf(out, "%s%s%s against %s", text_str(&p->path), p->path.len ? ": " : "",
                p->typed[0] ? p->typed[0] : "nothing", p->typed[1] ? p->typed[1] : "nothing");
}

void sides_put_first(Call *c, Sides *s, Text *out)
{
    PlaceText p;
    place_text(c, s, s->diff.places.at[0], &p);
    put_head(out, &p);
    text_free(&p.path);
}

static void put_place(Call *c, Sides *s, const DiffPath *p, bool shown)
{
    PlaceText t;
    place_text(c, s, p, &t);
    report_item(&c->report, "{=path}{=a}{=b}", text_of(text_str(&t.path)), text_of(t.typed[0]),
                text_of(t.typed[1]));
    if (shown) {
        put_head(&c->out, &t);
        text_putc(&c->out, '\n');
        put_lines(c, s, p, t.of);
    }
    text_free(&t.path);
}

static void put_renamed(Call *c, const GraphDiff *d)
{
    bool told = false;
    json_open(&c->data, "renamed", '{');
    for (size_t i = 0; i < d->renamed.len; i++) {
        const InputPair *p = &d->renamed.at[i];
        const char *a = diff_input_name(p->side[0]), *b = diff_input_name(p->side[1]);
        if (a == b) /* it is a size that is called otherwise */
            continue;
        text_put(&c->out, told ? ", " : "");
        report_named(&c->report, a, " is ", text_of(b));
        told = true;
    }
    json_end(&c->data, '}');
    text_put(&c->out, told ? " in the second\n" : "");
}

void sides_put(Call *c, Sides *s)
{
    const GraphDiff *d = &s->diff;
    Report *r = &c->report;
    if (d->places.len)
        report_say(r, "{differ} of {nodes node} {-}, in {-}\n", int_of(d->differ), int_of(d->nodes),
                   text_of(d->differ == 1 ? "differs" : "differ"),
                   as(report_format(r, "%zu place%s", d->places.len, d->places.len == 1 ? "" : "s"),
                      int_of(0)));
    else
        report_say(r, "{nodes node}, {-}{=differ}\n", int_of(d->nodes),
                   text_of(d->reordered ? "the same but for the order of operands where it does "
                                          "not matter"
                                        : "all the same"),
                   int_of(0));
    put_renamed(c, d);
    json_open(&c->data, "places", '[');
    for (size_t i = 0; i < d->places.len; i++)
        put_place(c, s, d->places.at[i], i < SHOWN);
    json_end(&c->data, ']');
    if (d->places.len > SHOWN)
        text_printf(&c->out, "and in %zu more: --json has all\n", d->places.len - SHOWN);
}

static bool diff_sides(Call *c)
{
    Sides s;
    bool ok = sides_compare(c, &s);
    if (ok) {
        sides_put(c, &s);
        c->r->differs = s.diff.places.len > 0;
    }
    sides_free(&s);
    return ok;
}

/* ---- steps of one expression ---- */

static char *line_of(Call *c, Exploration *x, const Standing *s)
{
    Text line = {0};
    x->numbering.within = s->within;
    node_print_line(x->st, &line, s->node, &x->numbering);
    x->numbering.within = NULL;
    return report_take(&c->report, &line);
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
static void put_missing(Call *c, Exploration *x, char sign, const StandingVec *nodes)
{
    json_open(&c->data, sign == '-' ? "removed" : "added", '[');
    for (size_t i = 0; i < nodes->len; i++) {
        const char *line = line_of(c, x, &nodes->at[i]);
        put_line(c, sign, line);
        report_field(&c->report, NULL, text_of(line));
    }
    json_end(&c->data, ']');
}

/* What is in both, and does or reads something else. */
static void put_changed(Call *c, Exploration *x, const StateDiff *d)
{
    json_open(&c->data, "changed", '[');
    for (size_t i = 0; i < d->changed.len; i++) {
        const char *before = line_of(c, x, &d->changed.at[i].before),
                   *after = line_of(c, x, &d->changed.at[i].after);
        put_line(c, '~', after);
        text_put(&c->out, "    was ");
        put_colored(&c->out, before, call_marks(c) == MARKS_COLOR);
        report_item(&c->report, "{=before}{=after}\n", text_of(before), text_of(after));
    }
    json_end(&c->data, ']');
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
    StateDiff d;
    state_diff(x, a, b, &d);
    put_missing(c, x, '-', &d.removed);
    put_missing(c, x, '+', &d.added);
    put_changed(c, x, &d);
    if (d.other_results) {
        put_return(c, x, '-', a);
        put_return(c, x, '+', b);
    }
    report_say(&c->report, "{- node} removed, {-} added, {-} changed\n", int_of((i64)d.removed.len),
               int_of((i64)d.added.len), int_of((i64)d.changed.len));
    state_diff_free(&d);
}

/* What goes with two graphs only. */
static bool one_graph(Call *c)
{
    static const char *const keys[] = {"pass", "names"};
    return call_without(c, keys, ":diff A pass=NAME, B",
                        "goes with two graphs, between which there is a comma");
}

static bool diff_steps(Call *c)
{
    Exploration *x = one_graph(c) ? call_explore(c) : NULL;
    Place from, to;
    if (!x || !call_step_range(c, x, &from, &to))
        return false;
    things_of_states(x);
    Node **a = call_roots_at(c, x, "step", &from),
         **b = a ? call_roots_at(c, x, "step", &to) : NULL;
    report_say(&c->report, "{=from}{=to}", report_place(&c->report, &from),
               report_place(&c->report, &to));
    if (b)
        put_diff(c, x, a, b);
    free(a);
    free(b);
    return b != NULL;
}

bool command_diff(Call *c) { return call_has_sides(c) ? diff_sides(c) : diff_steps(c); }
