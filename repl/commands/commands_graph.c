/* Commands on the graph of an expression: its type, its text, its program, its time. */
#include "analysis/step_view.h"
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "session/timing.h"
#include "surface/surface.h"
#include "graph/control.h"
#include "repl/terminal/colors.h"
#include "repl/commands/draw_options.h"
#include "repl/commands/screen.h"
#include "repl/commands/show.h"
#include "viz/scene/scene_build.h"

/* ---- :type, :graph ---- */

bool command_type(Call *c)
{
    Value *v = call_value(c);
    if (!v)
        return false;
    Text type = {0};
    value_type_print(&c->r->s.elab, &type, v);
    report_say(&c->report, "{type}", text_built(&c->report, &type));
    return true;
}

/* The graph as boxes and lines, if it fits. */
static bool put_boxes(Call *c, Exploration *x, Node *const *roots, Text *out)
{
    Scene *s = scene_from_graph(&c->r->s.st, &x->numbering, x->nroots, roots,
                                &(SceneOptions){.title = c->text, .bare = true});
    draw_check_scene(c, s, x->nroots, roots);
    bool ok = screen_boxes(c, s, out,
                           ":draw writes a picture of any size, :graph without boxes=on a text");
    scene_free(s);
    return ok;
}

/* Which state is asked for: as written, or where an interactive derivation or a form is. */
static bool find_state(Call *c, const Exploration *x, Place *place)
{
    const Option *step = call_option(c, "step"), *pass = call_option(c, "pass");
    const Session *s = &c->r->s;
    bool last = (c->recent && x == s->hand_steps) || call_option(c, "form");
    u32 k = last ? (u32)x->log.at.len : 0;
    if (step && !pass)
        return call_place(c, x, "step", 0, place);
    if (pass && !call_state(c, x, &k))
        return false;
    *place = (Place){1, {k}};
    return true;
}

/* ---- DIR/ pass=all ---- */

/* The state after so many steps, as a program for :load. */
static bool put_state(Call *c, Exploration *x, u32 k, const char *name, const char *told)
{
    Place place = {1, {k}};
    Node **roots = call_roots_at(c, x, "pass", &place);
    Text lines = {0};
    if (!roots)
        return false;
    text_printf(&lines, "# %s\n", told);
    bool ok = listing_print(x->st, &lines, x->nroots, roots, NULL);
    text_putc(&lines, '\n');
    ok = ok && call_put_file_in(c, name, &lines);
    if (ok)
        report_item(&c->report, "{file}: {state}{=nodes}\n",
                    text_of(report_format(&c->report, "%s%s", c->file, name)), text_of(told),
                    int_of(nodes_count(x->nroots, roots)));
    free(roots);
    text_free(&lines);
    return ok;
}

/* The graph as written, and after each pass that changed it. */
static bool put_states(Call *c, Exploration *x)
{
    Report *r = &c->report;
    things_of_states(x);
    json_open(r->data, "files", '[');
    bool ok = put_state(c, x, 0, "00-start.gr", "as written");
    for (size_t i = 0; i < x->passes.len && ok; i++) {
        const PassRun *p = &x->passes.at[i];
        Text told = {0};
        if (!p->steps)
            continue;
        text_printf(&told, "%s: ", p->name);
        pass_run_put(&told, p);
        ok = put_state(c, x, p->first_step + p->steps,
                       report_format(r, "%02zu-%s.gr", i + 1, p->name), report_take(r, &told));
    }
    json_end(r->data, ']');
    return ok;
}

/* pass=all and DIR/ go together, and with nothing else. */
static bool check_folder(Call *c)
{
    const Option *pass = call_option(c, "pass");
    bool all = pass && !strcmp(pass->value, "all"), folder = call_file_is_folder(c);
    if (all && !folder)
        return call_fail(c, pass->span, "usage", ":graph EXPR DIR/ pass=all",
                         "pass=all writes a file for each pass, to a folder");
    if (folder && !all)
        return call_fail(c, c->file_span, "usage", ":graph EXPR DIR/ pass=all",
                         "a folder takes the states of all passes");
    for (int i = 0; i < c->noptions && all; i++)
        if (strcmp(c->options[i].key, "pass") != 0 && strcmp(c->options[i].key, "form") != 0)
            return call_fail(c, c->options[i].span, "usage", NULL, "%s= does not go with pass=all",
                             c->options[i].key);
    return true;
}

bool command_graph(Call *c)
{
    bool boxes = call_switch(c, "boxes"), ssa = call_switch(c, "ssa");
    if (boxes && c->file)
        return call_fail(c, c->file_span, "usage", ":draw writes pictures to files",
                         "boxes are for the screen");
    if (ssa && c->file)
        return call_fail(c, c->file_span, "usage", "without ssa=on the file can be read again",
                         "numbered nodes are for the screen");
    Exploration *x = check_folder(c) ? call_explore(c) : NULL;
    Place place;
    if (x && call_file_is_folder(c))
        return put_states(c, x);
    if (!x || !find_state(c, x, &place))
        return false;
    if (place.at[0] < x->log.at.len)
        things_of_states(x);
    Node **roots = call_roots_at(c, x, "step", &place);
    if (!roots)
        return false;
    exploration_view(x, &place);
    Text lines = {0};
    bool ok = true;
    if (boxes)
        ok = put_boxes(c, x, roots, &lines);
    else if (ssa)
        graph_print(&c->r->s.st, &lines, x->nroots, roots, &x->numbering);
    else if ((ok = listing_print(&c->r->s.st, &lines, x->nroots, roots, NULL)))
        text_putc(&lines, '\n');
    report_say(&c->report, "{=step}{=steps}{=nodes}", int_of(place.at[0]),
               int_of((i64)x->log.at.len), int_of(nodes_count(x->nroots, roots)));
    free(roots);
    ok = ok && (!c->file || call_put_file(c, &lines, NULL));
    if (!c->file)
        put_colored(&c->out, text_str(&lines), !boxes && call_marks(c) == MARKS_COLOR);
    text_free(&lines);
    return ok;
}

/* ---- :plan, :time ---- */

bool command_plan(Call *c)
{
    Exploration *x = call_explore(c);
    Program *p = x ? plan_build(&c->r->s.st, x->nroots, x->roots) : NULL;
    if (!p)
        return false;
    program_print(&c->out, p);
    if (c->r->s.native.mode != NATIVE_OFF)
        native_print(&c->out, &c->r->s.native, p);
    ProgramStats stats = program_stats(p);
    program_free(p);
    report_say(&c->report, "{=blocks}{=instructions}{=registers}", int_of(stats.blocks),
               int_of(stats.instructions), int_of(stats.registers));
    return true;
}

bool call_has_values(Call *c, int n, Node *const *roots)
{
    Node *missing;
    return !session_missing(&c->r->s, n, roots, &missing) ||
           call_fail(c, c->rest, "no-value", "give it one with :=", "%s has no value",
                     missing->op == OP_SIZE ? "a size" : missing->attrs[0].name);
}

bool command_time(Call *c)
{
    enum { RUNS = 1000 };
    Node **roots = NULL;
    Timing t = {0};
    double started = now_seconds();
    int n = call_roots(c, &roots);
    Session *s = &c->r->s;
    s->st.span = c->rest;
    session_outdate(s); /* the first one plans */
    size_t live = s->st.heap.live;
    bool ok = n >= 0 && call_has_values(c, n, roots) && session_measure(s, n, roots, 1, 1, &t);
    double first = now_seconds() - started;
    size_t peak = s->st.heap.peak > live ? s->st.heap.peak - live : 0;
    ok = ok && session_measure(s, n, roots, 3, RUNS, &t);
    i64 steps = (i64)s->run_steps;
    if (ok)
        report_say(&c->report,
                   steps ? "first {first_s}, median {median_s}, best {best_s} of {runs run}, peak "
                           "{peak_bytes}, {loop_steps} steps of loops, {tier}"
                         : "first {first_s}, median {median_s}, best {best_s} of {runs run}, peak "
                           "{peak_bytes}{=loop_steps}, {tier}",
                   seconds_of(first), seconds_of(t.median), seconds_of(t.best), int_of(t.runs),
                   bytes_of(peak), int_of(steps), text_of(native_state_name(s->run_native)));
    timing_free(&t);
    free(roots);
    return ok;
}
