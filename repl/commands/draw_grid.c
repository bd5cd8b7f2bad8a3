/* :draw EXPR FILE style=figure cells=on: the cells of a loop in a loop, or the states of a loop,
 * and what each is computed from. */
#include "repl/commands/draw_options.h"
#include "viz/scene/figure_grid.h"

/* Keys that say something of formulas, which are not drawn. */
static bool check_keys(Call *c)
{
    static const char *const others[] = {"pass",      "step",    "form",  "focus", "depth",
                                         "values",    "adjoint", "inner", "types", "ids",
                                         "highlight", "find",    "color", "repeat"};
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (call_option(c, others[i]))
            return call_fail(c, call_option(c, others[i])->span, "usage", "leave it out",
                             "%s= does not go with cells=on, which draws the cells of a loop as it "
                             "is written, and no formulas",
                             others[i]);
    return true;
}

Scene *draw_grid(Call *c, const Exploration *x, const char *title, i64 steps)
{
    enum { USUAL = 3 };
    const Option *unroll = call_option(c, "unroll");
    if (!check_keys(c))
        return NULL;
    if (steps > FIGURE_GRID_MOST) {
        call_fail(c, unroll->span, "usage", "give a smaller number: the rest is shown as dots",
                  "cells=on draws up to %d steps", FIGURE_GRID_MOST);
        return NULL;
    }
    Scene *s = figure_of_grid(&c->r->s.st, x->nroots, x->start, title, unroll ? (int)steps : USUAL);
    if (!s)
        call_fail(c, call_option(c, "cells")->span, "usage",
                  "leave cells= out for its formulas: style=figure unroll=3",
                  "no loop in this is a grid (a scan in a scan, whose rows are the states of the "
                  "outer one, read by [j] or [j+1]) or a trellis (a scan whose state is a vector "
                  "that is multiplied by a matrix)");
    return s;
}
