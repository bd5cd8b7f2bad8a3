/* Looks: reading them, and what they have to be. */
#include "viz/scene/look.h"

#include <ctype.h>
#include <math.h>

typedef enum { LOOK_FONT, LOOK_SIZE, LOOK_FACTOR, LOOK_COLOR, LOOK_FIXED } LookKind;

static const struct {
    const char *key;
    LookKind kind;
    const char *usual;
} rows[] = {
#define L(KEY, KIND, USUAL) {KEY, LOOK_##KIND, USUAL},
#include "viz/scene/look.def"
#define FILL(ID, WORD, LIGHT, LINE, DARK, DARK_LINE) {"color." WORD, LOOK_COLOR, LIGHT},
#include "viz/canvas/palette.def"
};

#define LEAST_CONTRAST 4.5
static const double least_size = 4, most_size = 72, most_factor = 10;

static int row_of(const char *key)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].key, key))
            return (int)i;
    return -1;
}

/* ---- values ---- */

static bool is_color(const char *s)
{
    bool ok = s[0] == '#' && strlen(s) == 7;
    for (int i = 1; i < 7 && ok; i++)
        ok = isxdigit((unsigned char)s[i]);
    return ok;
}

/* Letters, digits and blanks: what a style sheet takes between quotes. */
static bool is_font(const char *s)
{
    bool ok = *s && strlen(s) <= 60;
    for (; *s && ok; s++)
        ok = isalnum((unsigned char)*s) || strchr(" -", *s) || (unsigned char)*s >= 0x80;
    return ok;
}

static bool is_number(const char *s, double least, double most)
{
    char *end;
    double x = strtod(s, &end);
    return end > s && !*end && x >= least && x <= most;
}

static const char *wrong_value(LookKind kind, const char *value)
{
    switch (kind) {
    case LOOK_FONT:
        return is_font(value) ? NULL
                              : "a font is sans, serif, mono or a name of letters and digits";
    case LOOK_SIZE:
        return is_number(value, least_size, most_size) ? NULL : "a size goes from 4 to 72 points";
    case LOOK_FACTOR:
        return is_number(value, 0.1, most_factor) ? NULL : "a factor goes from 0.1 to 10";
    case LOOK_COLOR: return is_color(value) ? NULL : "a color is written #rrggbb";
    case LOOK_FIXED: return "there is no such key";
    }
    return NULL;
}

const char *look_set(Scene *s, const char *key, const char *value)
{
    int k = row_of(key);
    const char *wrong = k < 0 ? "there is no such key" : wrong_value(rows[k].kind, value);
    if (!wrong)
        vec_push(&s->look,
                 ((SceneLook){rows[k].key, arena_strndup(&s->arena, value, strlen(value))}));
    return wrong;
}

const char *look_value(const Scene *s, const char *key)
{
    for (size_t i = s->look.len; i--;) /* what was set last */
        if (!strcmp(s->look.at[i].key, key))
            return s->look.at[i].value;
    return NULL;
}

double look_number(const Scene *s, const char *key, double usual)
{
    const char *value = look_value(s, key);
    return value ? strtod(value, NULL) : usual;
}

bool look_has_colors(const Scene *s)
{
    for (size_t i = 0; i < s->look.len; i++)
        if (!strncmp(s->look.at[i].key, "color.", 6))
            return true;
    return false;
}

/* ---- contrast (WCAG 2.1, 1.4.3) ---- */

static double luminance(const char *color)
{
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    unsigned part[3] = {0};
    double sum = 0;
    sscanf(color, "#%2x%2x%2x", &part[0], &part[1], &part[2]);
    for (int i = 0; i < 3; i++) {
        double x = part[i] / 255.0;
        sum += weights[i] * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(const char *a, const char *b)
{
    double x = luminance(a), y = luminance(b);
    return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

static bool is_of_letters(int row)
{
    return !strcmp(rows[row].key, "color.text") || !strcmp(rows[row].key, "color.muted");
}

/* Does it lie under letters? */
static bool is_ground(int row)
{
    return rows[row].usual && !is_of_letters(row) && strcmp(rows[row].key, "color.line") != 0;
}

static const char *color_of(const Scene *s, int row)
{
    const char *own = look_value(s, rows[row].key);
    return own ? own : rows[row].usual;
}

static bool can_be_read(const Scene *s, LookFault *why)
{
    for (int i = 0; i < (int)COUNT_OF(rows); i++)
        for (int k = 0; k < (int)COUNT_OF(rows); k++) {
            bool set = look_value(s, rows[i].key) || look_value(s, rows[k].key);
            if (!set || !is_of_letters(i) || !is_ground(k))
                continue;
            double c = contrast(color_of(s, i), color_of(s, k));
            if (c >= LEAST_CONTRAST)
                continue;
            text_printf(&why->what,
                        "%s %s on %s %s cannot be read: their contrast is %.1f, and %.1f is needed",
                        rows[i].key, color_of(s, i), rows[k].key, color_of(s, k), c,
                        LEAST_CONTRAST);
            why->hint = "make the one lighter or the other darker";
            return false;
        }
    return true;
}

/* ---- files ---- */

static char *trimmed(const char *s, size_t n)
{
    while (n && isspace((unsigned char)*s))
        s++, n--;
    while (n && isspace((unsigned char)s[n - 1]))
        n--;
    Text t = {0};
    text_putn(&t, s, n);
    return text_take(&t);
}

/* One line, which may be empty or a comment. */
static bool read_line(Scene *s, const char *line, size_t n, LookFault *why)
{
    const char *equals = memchr(line, '=', n);
    char *key = trimmed(line, equals ? (size_t)(equals - line) : n);
    char *value = equals ? trimmed(equals + 1, n - (size_t)(equals + 1 - line)) : xstrdup("");
    bool empty = !*key || (*key == '#' && !equals) || *key == '#';
    const char *wrong = empty ? NULL : !equals ? "a line is key = value" : look_set(s, key, value);
    if (wrong) {
        text_printf(&why->what, "%.60s%s%.60s: %s", key, equals ? " = " : "", value, wrong);
        why->hint = ":help look has all keys";
    }
    free(key);
    free(value);
    return !wrong;
}

bool look_read(Scene *s, const char *text, LookFault *why)
{
    *why = (LookFault){0};
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        why->line++;
        if (!read_line(s, at, n, why))
            return false;
        at += n + (at[n] == '\n');
    }
    why->line = 0;
    return can_be_read(s, why);
}
