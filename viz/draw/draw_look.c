/* What a look changes in drawings: each color that a canvas is given by name, fonts, lines. */
#include "viz/draw/picture.h"
#include "viz/scene/look.h"

/* The key of a color: "color.linalg" of the fill of its nodes, "color.text" of the ink. */
static void key_of(Color color, char key[40])
{
    const char *word = color.word;
    if (!color.word) /* of a figure, which calls letters ink */
        word = strcmp(color.of, "ink") ? color.of : "text";
    else if (!strcmp(color.of, "edge") && (!strcmp(word, "data") || !strcmp(word, "capture")))
        word = "line";
    else if (strcmp(color.of, "ink") && (strcmp(color.of, "op") || strcmp(color.part, "fill")))
        word = "";
    snprintf(key, 40, "color.%s", word);
}

static const char *own_color(const void *scene, Color color)
{
    char key[40];
    key_of(color, key);
    return look_value(scene, key);
}

void look_apply(Canvas *c, const Scene *s)
{
    const char *font = look_value(s, "font");
    c->own = s->look.len ? own_color : NULL;
    c->own_of = s;
    c->thick = look_number(s, "line.width", 1);
    c->serif = font && !strcmp(font, "serif");
    c->mono = font && !strcmp(font, "mono");
}

void look_family(const Scene *s, const char *usual, Text *out)
{
    static const struct {
        const char *word, *families;
    } known[] = {{"sans", "sans-serif"},
                 {"serif", "'DejaVu Serif',Georgia,'Times New Roman',serif"},
                 {"mono", MONO_FAMILY}};
    const char *font = look_value(s, "font");
    for (size_t i = 0; font && i < COUNT_OF(known); i++)
        if (!strcmp(font, known[i].word)) {
            text_put(out, i ? known[i].families : usual);
            return;
        }
    if (font)
        text_printf(out, "'%s',", font);
    text_put(out, usual);
}
