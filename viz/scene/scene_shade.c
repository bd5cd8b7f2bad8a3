/* Nodes filled by numbers, which they tell, too.
 *
 * Invariant: every node that has a number is filled on one scale, from 0 or the least number that
 * is below it to the largest. */
#include "viz/scene/scene.h"

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

void scene_set_shades(Scene *s, const double *numbers, const char *unit, const char *of)
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
        put_number(&t, x, unit);
        scene_set_shade(s, (int)i + 1, 1 + (int)(part * (SCENE_SHADES - 1) + 0.5), text_str(&t));
        text_free(&t);
    }
    Text note = {0};
    text_printf(&note, "filled by %s, from ", of);
    put_number(&note, least, unit);
    text_put(&note, " to ");
    put_number(&note, most, unit);
    scene_set_note(s, text_str(&note));
    text_free(&note);
}
