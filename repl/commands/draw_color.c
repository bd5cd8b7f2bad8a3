/* color= of :draw: nodes filled by a number (color_numbers.h), which they tell, too.
 *
 * Invariant: every node that has a number is filled on one scale, from 0 or the least number that
 * is below it to the largest. */
#include "repl/commands/color_numbers.h"
#include "repl/commands/draw_options.h"

#include <math.h>

static void put_number(Text *out, double x, const char *unit)
{
    if (!strcmp(unit, "s") && x > 0) {
        static const char *const units[] = {"us", "ms", "s"};
        int k = x < 1e-3 ? 0 : x < 1 ? 1 : 2;
        text_printf(out, "%.3g %s", x * pow(10, 6 - 3 * k), units[k]);
    } else {
        bool whole = x == floor(x) && fabs(x) < 1e7; /* more digits than that nobody reads */
        text_printf(out, whole ? "%.0f%s%s" : "%.4g%s%s", x, *unit ? " " : "", unit);
    }
}

static void put_shades(const ColorNumbers *k, Scene *s, const double *numbers)
{
    double least = 0, most = 0;
    for (size_t i = 0; i < s->nodes.len; i++) {
        least = fmin(least, numbers[i]); /* of a nan and a number: the number */
        most = fmax(most, numbers[i]);
    }
    for (size_t i = 0; i < s->nodes.len; i++) {
        double x = numbers[i], part = most > least ? (x - least) / (most - least) : 0;
        Text t = {0};
        if (isnan(x))
            continue;
        put_number(&t, x, k->unit);
        scene_set_shade(s, (int)i + 1, 1 + (int)(part * (SCENE_SHADES - 1) + 0.5), text_str(&t));
        text_free(&t);
    }
    Text note = {0};
    text_printf(&note, "filled by %s, from ", k->name);
    put_number(&note, least, k->unit);
    text_put(&note, " to ");
    put_number(&note, most, k->unit);
    scene_set_note(s, text_str(&note));
    text_free(&note);
}

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
        put_shades(&k, s, numbers);
    color_numbers_free(&k);
    free(numbers);
    return ok;
}
