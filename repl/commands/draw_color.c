/* color= of :draw: nodes filled by a number (color_numbers.h), which they tell, too. */
#include "repl/commands/color_numbers.h"
#include "repl/commands/draw_options.h"

/* What costs is told of nodes, not of formulas. */
static bool fits_style(Call *c, const ColorNumbers *k, const Scene *s)
{
    if (k->by == COLOR_FILE || s->style != STYLE_FIGURE)
        return true;
    return call_fail(c, k->option->span, "usage", "color=FILE.json fills formulas by their names",
                     "color=%s is of single operators, and a figure has formulas", k->name);
}

bool draw_colors(Call *c, Numbering *num, int n, Node *const *roots, Scene *s)
{
    ColorNumbers k;
    if (!call_option(c, "color"))
        return true;
    double *numbers = xcalloc(s->nodes.len + 1, sizeof *numbers);
    bool ok = color_numbers_begin(&k, c, num, n, roots) && fits_style(c, &k, s);
    for (size_t i = 0; i < s->nodes.len && ok; i++)
        numbers[i] = color_number(&k, &s->nodes.at[i]);
    ok = ok && color_numbers_used(&k, "in this drawing");
    if (ok)
        scene_set_shades(s, numbers, k.unit, k.name);
    color_numbers_free(&k);
    free(numbers);
    return ok;
}
