/* :draw EXPR FILE style=figure cells=on: the cells of a loop in a loop, or the states of a loop,
 * and what each is computed from. */
#include "repl/commands/draw_options.h"
#include "viz/scene/figure_grid.h"

#include <ctype.h>

/* Keys that say something of formulas, which are not drawn. */
static bool check_keys(Call *c)
{
    static const char *const others[] = {"pass",      "step",    "form",  "focus", "depth",
                                         "values",    "adjoint", "inner", "types", "ids",
                                         "highlight", "find",    "color", "repeat"};
    return call_without(c, others, "leave it out",
                        "does not go with cells=on, which draws the cells of a loop as it is "
                        "written, and no formulas");
}

/* unroll=R,C or N; 0: it is not such. */
static int read_size(const char **s)
{
    char *end;
    long n = isdigit((unsigned char)**s) ? strtol(*s, &end, 10) : 0;
    *s = n ? end : *s;
    return n <= FIGURE_GRID_MOST ? (int)n : 0;
}

static bool find_size(Call *c, int *rows, int *columns)
{
    const Option *o = call_option(c, "unroll");
    const char *s = o ? o->value : "3";
    *rows = *columns = read_size(&s);
    if (*s == ',') {
        s++;
        *columns = read_size(&s);
    }
    return (*rows && *columns && !*s) ||
           call_fail(
               c, o->span, "usage", "unroll=3,4; the rest is shown as dots",
               "with cells=on, unroll= takes the rows and columns of a grid, up to %d, or one "
               "number for both",
               FIGURE_GRID_MOST);
}

Scene *draw_grid(Call *c, const Exploration *x, const char *title)
{
    int rows, columns;
    if (!check_keys(c) || !find_size(c, &rows, &columns))
        return NULL;
    Scene *s = figure_of_grid(&c->r->s.st, x->nroots, x->start, title, rows, columns);
    if (!s)
        call_fail(c, call_option(c, "cells")->span, "usage",
                  "leave cells= out for its formulas: style=figure unroll=3",
                  "no loop in this is a grid (a scan in a scan, whose rows are the states of the "
                  "outer one, read by [j] or [j+1]) or a trellis (a scan whose state is a vector "
                  "that is multiplied by a matrix)");
    return s;
}
