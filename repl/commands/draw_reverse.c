/* :draw EXPR FILE style=figure adjoint=on: reverse mode as it is taught. */
#include "repl/commands/draw_options.h"
#include "session/session.h"
#include "viz/scene/figure_reverse.h"

/* Keys that say something else of a graph than this figure does. */
static bool check_keys(Call *c)
{
    static const char *const others[] = {"pass",  "step",  "form", "focus",     "depth", "unroll",
                                         "inner", "types", "ids",  "highlight", "find",  "color"};
    if (!call_without(c, others, "leave it out, or draw the graph: style=graph adjoint=links",
                      "does not go with adjoint= in a figure, which shows the expression as it is "
                      "written, value by value"))
        return false;
    const Option *o = call_option(c, "adjoint");
    return strcmp(o->value, "beside") != 0 ||
           call_fail(
               c, o->span, "usage", "style=figure adjoint=on; or style=graph adjoint=beside",
               "adjoint=beside does not go with style=figure, where an adjoint is written in the "
               "box of its value");
}

Scene *draw_reverse(Call *c, const Exploration *x, const char *title, bool values)
{
    ReverseTrace t = {.valued = false};
    Evaluator e = session_evaluator(&c->r->s);
    Span span = call_option(c, "adjoint")->span;
    bool ok =
        check_keys(c) && reverse_trace(&e, x->nroots, x->start, FIGURE_REVERSE_MOST, span, &t);
    if (ok && values && !t.valued)
        ok = call_fail(c, call_option(c, "values")->span, "no-value",
                       "give inputs values with :=, or leave values= out",
                       "not all inputs have values");
    Scene *s = ok ? figure_of_reverse(&c->r->s.st, &t, title, values) : NULL;
    reverse_trace_free(&t);
    if (s)
        draw_check_scene(c, s, x->nroots, x->start);
    return s;
}
