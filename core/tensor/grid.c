/* Layout of tables of values. See grid.h.
 *
 * The values are written into a sheet of cells, with rows and columns as they are or exchanged; a
 * sheet is printed in bands, each with the labels in front and as many columns as fit. */
#include "tensor/grid.h"

#include "base/utf8.h"
#include "tensor/brief.h"

#define ELLIPSIS "…"
enum { GAP = 2, MOST_MORE = 2 }; /* blanks between columns; times the bands, for whole values */

/* ---- building ---- */

void grid_begin(Grid *g, const char *corner, int width, int digits)
{
    *g = (Grid){.width = width, .digits = digits, .corner = xstrdup(corner), .marked = -1};
}

void grid_column(Grid *g, const char *label) { vec_push(&g->columns, xstrdup(label)); }
void grid_row(Grid *g, const char *label) { vec_push(&g->rows, xstrdup(label)); }
void grid_value(Grid *g, const Tensor *value) { vec_push(&g->values, value); }

/* ---- cells ---- */

typedef struct {
    Text text;
    int width; /* on the screen */
    int left;  /* of a number: what stands before its decimal point; else -1 */
} Cell;

/* Row 0 and column 0 hold the labels. */
typedef struct {
    int rows, columns;
    Cell *cells;
    int *width, *left; /* by column; left: before the decimal points */
    bool aligned;      /* a column is of one quantity */
    bool shortened;
} Sheet;

static Cell *cell_at(const Sheet *s, int row, int column)
{
    return &s->cells[row * s->columns + column];
}

/* Cuts what goes beyond that many columns. */
static void cut(Cell *c, int most)
{
    if (c->width <= most)
        return;
    const char *s = text_str(&c->text);
    size_t keep = 0;
    for (u32 cp; keep < c->text.len;) {
        size_t step = (size_t)utf8_decode(s + keep, c->text.len - keep, &cp);
        step += !step;
        if (utf8_columns_n(s, keep + step) + 1 > most)
            break;
        keep += step;
    }
    c->text.len = keep;
    text_put(&c->text, ELLIPSIS);
    c->width = utf8_columns_n(text_str(&c->text), c->text.len);
    c->left = -1;
}

static void put_label(Cell *c, const char *label, int most)
{
    *c = (Cell){.left = -1};
    text_put(&c->text, label);
    c->width = utf8_columns_n(label, c->text.len);
    cut(c, most);
}

/* With fewer entries than asked for where it would go beyond `most` columns. */
static void put_value(Sheet *s, Cell *c, const Tensor *t, const Grid *g, int entries, int most)
{
    *c = (Cell){.left = -1};
    for (; t && entries > 0 && (!c->width || c->width > most); entries--) {
        text_free(&c->text);
        brief_put(&c->text, t, g->digits, entries);
        c->width = utf8_columns_n(text_str(&c->text), c->text.len);
    }
    if (s->aligned && t && t->rank == 0 && t->dtype != DT_BOOL && t->dtype != DT_RNG)
        c->left = (int)strcspn(text_str(&c->text), ".e");
    cut(c, most);
    s->shortened = s->shortened || strstr(text_str(&c->text), ELLIPSIS);
}

/* ---- sheets ---- */

static void measure(Sheet *s)
{
    for (int k = 0; k < s->columns; k++) {
        int right = 0;
        s->width[k] = s->left[k] = 0;
        for (int r = 0; r < s->rows; r++) {
            const Cell *c = cell_at(s, r, k);
            int behind = c->left < 0 ? 0 : c->width - c->left;
            s->left[k] = c->left > s->left[k] ? c->left : s->left[k];
            right = behind > right ? behind : right;
            s->width[k] = c->width > s->width[k] ? c->width : s->width[k];
        }
        if (s->left[k] + right > s->width[k])
            s->width[k] = s->left[k] + right;
    }
}

/* Column 0 takes half of the width at most, any other what that leaves. */
static void put_labels(const Grid *g, Sheet *s, bool turned)
{
    const char *const *down = (const char *const *)(turned ? g->columns.at : g->rows.at),
                      *const *across = (const char *const *)(turned ? g->rows.at : g->columns.at);
    put_label(cell_at(s, 0, 0), g->corner, g->width / 2);
    for (int r = 1; r < s->rows; r++)
        put_label(cell_at(s, r, 0), down[r - 1], g->width / 2);
    measure(s);
    for (int k = 1; k < s->columns; k++)
        put_label(cell_at(s, 0, k), across[k - 1], g->width - s->width[0] - GAP);
}

static Sheet sheet_make(const Grid *g, bool turned, int entries)
{
    int rows = (int)g->rows.len, columns = (int)g->columns.len;
    Sheet s = {.rows = 1 + (turned ? columns : rows),
               .columns = 1 + (turned ? rows : columns),
               .aligned = turned == g->across};
    s.cells = xcalloc((size_t)s.rows * (size_t)s.columns, sizeof *s.cells);
    s.width = xcalloc((size_t)s.columns, sizeof *s.width);
    s.left = xcalloc((size_t)s.columns, sizeof *s.left);
    put_labels(g, &s, turned);
    int most = g->width - s.width[0] - GAP;
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < columns; k++)
            put_value(&s, turned ? cell_at(&s, k + 1, r + 1) : cell_at(&s, r + 1, k + 1),
                      g->values.at[r * columns + k], g, entries, most);
    measure(&s);
    return s;
}

static void sheet_free(Sheet *s)
{
    for (int i = 0; i < s->rows * s->columns; i++)
        text_free(&s->cells[i].text);
    free(s->cells);
    free(s->width);
    free(s->left);
    *s = (Sheet){0};
}

/* The column after the last that fits beside the labels if `first` is the first. */
static int band_end(const Sheet *s, int first, int width)
{
    int used = s->width[0], k = first;
    for (; k < s->columns; k++) {
        used += GAP + s->width[k];
        if (used > width && k > first)
            break;
    }
    return k;
}

static int bands_of(const Sheet *s, int width)
{
    int n = 0;
    for (int k = 1; k < s->columns; k = band_end(s, k, width))
        n++;
    return n;
}

/* ---- the choice ---- */

/* Arrays are shortened if that brings all into one band, or makes the bands a good deal fewer. */
static int choose_entries(const Grid *g)
{
    int bands[BRIEF_ENTRIES + 1];
    for (int entries = BRIEF_ENTRIES; entries > 0; entries--) {
        Sheet s = sheet_make(g, false, entries);
        bool fits = bands_of(&s, g->width) <= 1;
        bands[entries] = bands_of(&s, g->width);
        sheet_free(&s);
        if (fits)
            return entries;
    }
    int chosen = BRIEF_ENTRIES;
    while (chosen > 1 && bands[chosen] > MOST_MORE * bands[1])
        chosen--;
    return chosen;
}

/* Rows and columns change places if that brings all into one band, or saves a good part of the
 * lines.
 */
static bool better_turned(const Grid *g, const Sheet *straight, const Sheet *turned)
{
    int bands = bands_of(turned, g->width), lines = bands * (turned->rows + 1);
    return bands <= 1 || 4 * lines <= 3 * bands_of(straight, g->width) * (straight->rows + 1);
}

static Sheet choose_sheet(const Grid *g, bool *turned)
{
    int entries = choose_entries(g);
    Sheet straight = sheet_make(g, false, entries);
    *turned = false;
    if (bands_of(&straight, g->width) <= 1)
        return straight;
    Sheet other = sheet_make(g, true, entries);
    *turned = better_turned(g, &straight, &other);
    sheet_free(*turned ? &straight : &other);
    return *turned ? other : straight;
}

/* ---- printing ---- */

/* A number is moved so that its decimal point stands below the others. */
static void put_cell(const Sheet *s, Text *out, int row, int column)
{
    Cell *c = cell_at(s, row, column);
    int before = c->left < 0 ? 0 : s->left[column] - c->left;
    text_printf(out, "%*s%s", before, "", text_str(&c->text));
    text_printf(out, "%*s", s->width[column] - before - c->width, "");
}

static void put_band(const Grid *g, const Sheet *s, Text *out, int first, int end, int marked)
{
    for (int row = 0; row < s->rows; row++) {
        size_t start = out->len;
        put_cell(s, out, row, 0);
        for (int k = first; k < end; k++) {
            text_printf(out, "%*s", GAP, "");
            put_cell(s, out, row, k);
        }
        while (out->len > start && out->at[out->len - 1] == ' ')
            out->at[--out->len] = '\0';
        int used = utf8_columns_n(out->at + start, out->len - start);
        if (row == marked && used + GAP + (int)strlen(g->mark) <= g->width)
            text_printf(out, "%*s%s", GAP, "", g->mark);
        text_putc(out, '\n');
    }
}

static void grid_free(Grid *g)
{
    for (size_t i = 0; i < g->columns.len; i++)
        free(g->columns.at[i]);
    for (size_t i = 0; i < g->rows.len; i++)
        free(g->rows.at[i]);
    free(g->corner);
    vec_free(&g->columns);
    vec_free(&g->rows);
    vec_free(&g->values);
}

bool grid_print(Grid *g, Text *out)
{
    bool turned;
    Sheet s = choose_sheet(g, &turned);
    for (int k = 1, end; k < s.columns; k = end) {
        end = band_end(&s, k, g->width);
        text_put(out, k > 1 ? "\n" : "");
        bool marks = g->mark && end == s.columns && !turned;
        put_band(g, &s, out, k, end, marks ? g->marked + 1 : -1);
    }
    bool shortened = s.shortened;
    sheet_free(&s);
    grid_free(g);
    return shortened;
}

void grid_note(Text *out, const char *text, int width)
{
    for (int used = 0; *text;) {
        size_t n = strcspn(text, " ");
        int word = utf8_columns_n(text, n);
        bool first = used == 0, next = !first && used + 1 + word > width;
        text_put(out, next ? "\n" : first ? "" : " ");
        text_putn(out, text, n);
        used = (first || next ? 0 : used + 1) + word;
        text += n + (text[n] == ' ');
    }
    text_putc(out, '\n');
}

void grid_value_line(Text *out, const char *label, const Tensor *value, int width, int digits)
{
    Text line = {0};
    for (int entries = BRIEF_ENTRIES; entries > 0; entries--) {
        text_free(&line);
        text_printf(&line, "%s = ", label);
        brief_put(&line, value, digits, entries);
        if (utf8_columns_n(text_str(&line), line.len) <= width)
            break;
    }
    grid_note(out, text_str(&line), width);
    text_free(&line);
}
