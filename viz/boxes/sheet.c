/* The sheet: which sign shows how lines and borders meet. */
#include "viz/boxes/sheet.h"
#include "base/utf8.h"

void sheet_init(Sheet *c, int w, int h, bool ascii)
{
    *c = (Sheet){xcalloc((size_t)w * (size_t)h + 1, sizeof(Spot)), w, h, ascii};
    for (int i = 0; i < w * h; i++)
        c->at[i].border = -1;
}

void sheet_free(Sheet *c) { free(c->at); }

static Spot *spot_at(Sheet *c, int x, int y)
{
    return x >= 0 && x < c->w && y >= 0 && y < c->h ? &c->at[y * c->w + x] : NULL;
}

void sheet_sign(Sheet *c, int x, int y, const char *letter, size_t n)
{
    Spot *s = spot_at(c, x, y);
    if (!s || n >= sizeof s->letter)
        return;
    memcpy(s->letter, letter, n);
    s->letter[n] = '\0';
}

void sheet_arrow(Sheet *c, int x, int y)
{
    const char *tip = c->ascii ? "v" : "▼";
    sheet_sign(c, x, y, tip, strlen(tip));
}

/* Bytes and columns of the letter at s; *shown is a question mark for what cannot be shown. */
static size_t next_letter(const char *s, size_t n, const char **shown, int *columns)
{
    u32 letter;
    size_t step = (size_t)utf8_decode(s, n, &letter);
    bool plain = step && letter >= ' ' && letter != 127;
    *shown = plain ? s : "?";
    *columns = plain ? utf8_width(letter) : 1;
    return step ? step : 1;
}

int text_columns(const char *text)
{
    int columns = 0, width;
    const char *shown;
    for (size_t i = 0, n = strlen(text); i < n; columns += width)
        i += next_letter(text + i, n - i, &shown, &width);
    return columns;
}

void sheet_text(Sheet *c, int x, int y, const char *text)
{
    int width;
    const char *shown;
    for (size_t i = 0, n = strlen(text), step; i < n; i += step, x += width) {
        step = next_letter(text + i, n - i, &shown, &width);
        if (width)
            sheet_sign(c, x, y, shown, *shown == '?' ? 1 : step);
        Spot *right = width > 1 ? spot_at(c, x + 1, y) : NULL;
        if (right)
            right->covered = true;
    }
}

void sheet_border(Sheet *c, int x, int y, int w, int h, Border kind)
{
    for (int i = 0; i < w; i++)
        for (int k = 0; k < h; k++) {
            bool level = k == 0 || k == h - 1, upright = i == 0 || i == w - 1;
            Spot *s = level || upright ? spot_at(c, x + i, y + k) : NULL;
            if (!s)
                continue;
            s->border = (signed char)kind;
            s->level = level;
            if (level && upright) /* a corner */
                s->ways = (unsigned char)((i ? LEFT : RIGHT) | (k ? UP : DOWN));
        }
}

/* ---- lines ---- */

static int way_to(Point a, Point b)
{
    return b.x > a.x ? RIGHT : b.x < a.x ? LEFT : b.y > a.y ? DOWN : b.y < a.y ? UP : 0;
}

static void add_ways(Sheet *c, Point p, int ways, u64 value, bool dashed)
{
    enum { UPRIGHT = UP | DOWN, LEVEL = LEFT | RIGHT };
    Spot *s = spot_at(c, p.x, p.y);
    if (!s)
        return;
    bool other = s->ways && s->value != value && s->border < 0;
    if (other && s->ways == UPRIGHT && ways == LEVEL)
        return;
    bool over = other && s->ways == LEVEL && ways == UPRIGHT;
    s->ways = (unsigned char)(over ? ways : s->ways | ways);
    s->dashed = dashed;
    s->value = value;
}

void sheet_way(Sheet *c, const Point *at, int n, u64 value, bool dashed)
{
    Point p = at[0];
    int back = 0;
    for (int i = 1; i < n; i++)
        for (int way; (way = way_to(p, at[i])); back = way < DOWN ? way << 2 : way >> 2) {
            add_ways(c, p, back | way, value, dashed);
            p.x += (way == RIGHT) - (way == LEFT);
            p.y += (way == DOWN) - (way == UP);
        }
    add_ways(c, p, back, value, dashed);
}

/* ---- signs ---- */

/* By the ways of a line: bit 0 up, 1 right, 2 down, 3 left. */
static const char *const lines[2][16] = {
    {" ", "│", "─", "└", "│", "│", "┌", "├", "─", "┘", "─", "┴", "┐", "┤", "┬", "┼"},
    {" ", "|", "-", "+", "|", "|", "+", "+", "-", "+", "-", "+", "+", "+", "+", "+"}};

/* Of a border: its sides, upper and lower ones that a line leaves upwards, downwards, both, and
 * corners as in `lines`. */
typedef struct {
    const char *upright, *level[4], *corners[4];
} Signs;
static const Signs borders[2][BORDERS] = {{{"│", {"─", "┴", "┬", "┼"}, {"└", "┌", "┘", "┐"}},
                                           {"│", {"─", "┴", "┬", "┼"}, {"╰", "╭", "╯", "╮"}},
                                           {"┃", {"━", "┷", "┯", "┿"}, {"┗", "┏", "┛", "┓"}},
                                           {"║", {"═", "╧", "╤", "╪"}, {"╚", "╔", "╝", "╗"}}},
                                          {{"|", {"-", "+", "+", "+"}, {"+", "+", "+", "+"}},
                                           {"|", {"-", "+", "+", "+"}, {"'", ".", "'", "."}},
                                           {"|", {"=", "+", "+", "+"}, {"+", "+", "+", "+"}},
                                           {"|", {"=", "+", "+", "+"}, {"#", "#", "#", "#"}}}};

static const char *border_sign(const Spot *s, bool ascii)
{
    const Signs *b = &borders[ascii][(int)s->border];
    bool side = s->ways & (LEFT | RIGHT);
    if (side)
        return b->corners[(s->ways & LEFT ? 2 : 0) + (s->ways & DOWN ? 1 : 0)];
    return s->level ? b->level[(s->ways & UP ? 1 : 0) + (s->ways & DOWN ? 2 : 0)] : b->upright;
}

static const char *sign_of(const Spot *s, bool ascii)
{
    if (s->border >= 0)
        return border_sign(s, ascii);
    if (s->dashed && s->ways == (UP | DOWN))
        return ascii ? ":" : "╎";
    if (s->dashed && s->ways == (LEFT | RIGHT))
        return ascii ? "." : "╌";
    return lines[ascii][s->ways];
}

void sheet_print(const Sheet *c, Text *out)
{
    for (int y = 0; y < c->h; y++) {
        const Spot *row = &c->at[y * c->w];
        int end = c->w;
        while (end && !*row[end - 1].letter && !row[end - 1].covered && !row[end - 1].ways &&
               row[end - 1].border < 0)
            end--;
        for (int x = 0; x < end; x++)
            if (*row[x].letter)
                text_put(out, row[x].letter);
            else if (!row[x].covered)
                text_put(out, sign_of(&row[x], c->ascii));
        text_putc(out, '\n');
    }
}
