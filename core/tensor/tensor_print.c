/* Tensors as people read them: NumPy's layout, with commas so that what is printed can
 * be typed in again.
 *
 * Invariant: every number has the fewest digits that read back to the same bits, or to
 * the number rounded to as many digits as were asked for.
 * Columns are aligned on the decimal point over the whole tensor; the blanks that
 * takes stand before a number or after its comma. */
#include "tensor/tensor.h"

#include "base/utf8.h"

#include <math.h>

enum {
    EDGE = 3,        /* elements kept at each end of a summarised axis */
    LINE_WIDTH = 75, /* as NumPy's */
    CELL = 64        /* more than the longest number */
};

typedef struct {
    Text *out;
    const Tensor *t;
    int digits;      /* significant ones at most; 0: as many as it takes */
    bool summary;    /* leave out the middle of long axes */
    bool scientific; /* d.ddde+xx */
    bool aligned;    /* pad to columns; a vector that fits one line is not */
    int left, right; /* the widest parts before the point, and from it on */
    int fraction;    /* scientific: digits after the point */
    int exponent;    /* scientific: digits of the exponent */
    int column;      /* where the line is */
} Printer;

/* ---- one number ---- */

/* |x| = 0.d1 d2 ... * 10^(point), finite and not 0; returns the number of digits. */
static int shortest_digits(double x, bool single, char *digits, int *point)
{
    char buf[CELL];
    int full = single ? 6 : 15; /* decimals of this length survive the way there and back */
    bool subnormal = x < (single ? 0x1p-126 : 0x1p-1022);
    for (int n = subnormal ? 1 : full; n <= 17; n++) {
        snprintf(buf, sizeof buf, "%.*e", n - 1, x);
        double back = single ? (double)strtof(buf, NULL) : strtod(buf, NULL);
        if (!(back < x || back > x))
            break;
    }
    char *e = strchr(buf, 'e');
    *point = atoi(e + 1) + 1;
    int len = 0;
    for (char *p = buf; p < e; p++)
        if (*p != '.')
            digits[len++] = *p;
    while (len > 1 && digits[len - 1] == '0')
        len--;
    digits[len] = '\0';
    return len;
}

/* "123.45" from digits; point is how many stand before the decimal point (or minus the zeros after
 * it). */
static void put_positional(char *to, const char *digits, int len, int point)
{
    if (point <= 0) {
        to += sprintf(to, "0.");
        for (int i = point; i < 0; i++)
            *to++ = '0';
        memcpy(to, digits, (size_t)len + 1);
        return;
    }
    for (int i = 0; i < point; i++)
        *to++ = i < len ? digits[i] : '0';
    *to++ = '.';
    if (point < len)
        memcpy(to, digits + point, (size_t)(len - point) + 1);
    else
        memcpy(to, "0", 2);
}

static void put_scientific(const Printer *p, char *to, const char *digits, int len, int point)
{
    *to++ = digits[0];
    *to++ = '.';
    for (int i = 1; i <= p->fraction; i++)
        *to++ = i < len ? digits[i] : '0';
    sprintf(to, "e%c%0*d", point < 1 ? '-' : '+', p->exponent, abs(point - 1));
}

static double round_to(double x, int digits)
{
    char buf[CELL];
    if (!digits || isnan(x) || isinf(x))
        return x;
    snprintf(buf, sizeof buf, "%.*e", digits - 1, x);
    return strtod(buf, NULL);
}

static double number_at(const Printer *p, i64 i)
{
    return round_to(tensor_f64_at(p->t, i), p->digits);
}

/* Would its last digits before the point be zeros that rounding made? */
static bool too_large(double x, int digits)
{
    return digits && fabs(x) >= pow(10, digits) && round_to(x, digits) != x;
}

/* What is rounded to decimal digits is printed as the double nearest to that. */
static bool is_single(const Printer *p) { return p->t->dtype == DT_F32 && !p->digits; }

static void float_cell(const Printer *p, double x, char *to)
{
    if (signbit(x) && !isnan(x))
        *to++ = '-';
    if (isnan(x) || isinf(x)) {
        strcpy(to, isnan(x) ? "nan" : "inf");
        return;
    }
    char digits[CELL] = "0";
    int point = 1, len = x == 0 ? 1 : shortest_digits(fabs(x), is_single(p), digits, &point);
    if (p->scientific)
        put_scientific(p, to, digits, len, point);
    else
        put_positional(to, digits, len, point);
}

/* The text of element i; returns how much of it stands left of the decimal point. */
static int make_cell(const Printer *p, i64 i, char *to)
{
    const Tensor *t = p->t;
    if (dtype_is_float(t->dtype)) {
        float_cell(p, number_at(p, i), to);
        return (int)strcspn(to, ".");
    }
    if (t->dtype == DT_BOOL) {
        strcpy(to, tensor_i64_at(t, i) ? "true" : "false");
    } else if (t->dtype == DT_RNG) {
        const RngState *r = (const RngState *)t->data + i;
        sprintf(to, "<rng %08x%08x at %08x%08x%08x%08x>", r->key[1], r->key[0], r->counter[3],
                r->counter[2], r->counter[1], r->counter[0]);
    } else {
        sprintf(to, "%lld", (long long)tensor_i64_at(t, i));
    }
    return (int)strlen(to);
}

/* ---- what is shown, and how wide it is ---- */

/* Whether the k-th of n entries of an axis stands for the ones left out; they are then skipped. */
static bool is_gap(const Printer *p, i64 k, i64 n)
{
    return p->summary && n > 2 * EDGE && k == EDGE;
}
static i64 next_entry(const Printer *p, i64 k, i64 n) { return is_gap(p, k, n) ? n - EDGE : k + 1; }

/* Elements under one entry of an axis. */
static i64 pitch_of(const Tensor *t, int axis)
{
    i64 pitch = 1;
    for (int i = axis + 1; i < t->rank; i++)
        pitch *= t->shape[i];
    return pitch;
}

typedef void Visit(Printer *p, i64 element, double range[2]);

static void each_shown(Printer *p, int axis, i64 offset, Visit *visit, double range[2])
{
    const Tensor *t = p->t;
    if (axis == t->rank) {
        visit(p, offset, range);
        return;
    }
    i64 n = t->shape[axis], pitch = pitch_of(t, axis);
    for (i64 k = 0; k < n && !interrupted(p->out->interrupt); k = next_entry(p, k, n))
        if (!is_gap(p, k, n))
            each_shown(p, axis + 1, offset + k * pitch, visit, range);
}

/* The smallest and largest magnitude but 0. */
static void visit_range(Printer *p, i64 i, double range[2])
{
    double x = fabs(number_at(p, i));
    if (x == 0 || isnan(x) || isinf(x))
        return;
    range[0] = range[0] == 0 || x < range[0] ? x : range[0];
    range[1] = x > range[1] ? x : range[1];
}

static void visit_large(Printer *p, i64 i, double range[2])
{
    (void)range;
    p->scientific = p->scientific || too_large(tensor_f64_at(p->t, i), p->digits);
}

static void visit_scientific(Printer *p, i64 i, double range[2])
{
    char digits[CELL];
    int point;
    double x = fabs(number_at(p, i));
    (void)range;
    if (x == 0 || isnan(x) || isinf(x))
        return;
    int len = shortest_digits(x, is_single(p), digits, &point);
    p->fraction = len - 1 > p->fraction ? len - 1 : p->fraction;
    p->exponent = abs(point - 1) >= 100 ? 3 : p->exponent;
}

static void visit_width(Printer *p, i64 i, double total[2])
{
    char cell[CELL];
    int left = make_cell(p, i, cell), right = (int)strlen(cell) - left;
    p->left = left > p->left ? left : p->left;
    p->right = right > p->right ? right : p->right;
    total[0] += left + right + 2;
}

/* NumPy's rule for the scientific form (FloatingFormat.fillFormat, numpy/core/arrayprint.py). */
static void choose_format(Printer *p)
{
    double range[2] = {0, 0}, total[2] = {0, 0};
    if (dtype_is_float(p->t->dtype)) {
        each_shown(p, 0, 0, visit_range, range);
        p->scientific =
            range[1] >= 1e8 || (range[0] != 0 && (range[0] < 1e-4 || range[1] / range[0] > 1000));
    }
    if (dtype_is_float(p->t->dtype))
        each_shown(p, 0, 0, visit_large, range);
    if (p->scientific) {
        p->exponent = 2;
        p->fraction = 1;
        each_shown(p, 0, 0, visit_scientific, range);
    }
    each_shown(p, 0, 0, visit_width, total);
    p->aligned = p->t->rank > 1 || total[0] > LINE_WIDTH;
}

/* ---- the whole ---- */

static void put_blanks(Printer *p, int n)
{
    text_printf(p->out, "%*s", n, "");
    p->column += n;
}

static void new_line(Printer *p, int indent)
{
    text_putc(p->out, '\n');
    p->column = 0;
    put_blanks(p, indent);
}

static void print_row(Printer *p, i64 offset)
{
    int indent = p->t->rank, width = p->left + p->right, owed = 0; /* blanks after the last comma */
    i64 n = p->t->shape[p->t->rank - 1];
    for (i64 k = 0; k < n && !interrupted(p->out->interrupt); k = next_entry(p, k, n)) {
        char cell[CELL] = "...";
        int left = is_gap(p, k, n) ? 3 : make_cell(p, offset + k, cell);
        int len = (int)strlen(cell);
        bool pad = p->aligned && !is_gap(p, k, n);
        if (k > 0 && p->aligned && p->column + 1 + owed + width + 1 > LINE_WIDTH)
            new_line(p, indent);
        else if (k > 0)
            put_blanks(p, 1 + owed);
        put_blanks(p, pad ? p->left - left : 0);
        text_put(p->out, cell);
        p->column += len;
        owed = pad ? p->right - (len - left) : 0;
        if (next_entry(p, k, n) < n) {
            text_putc(p->out, ',');
            p->column++;
        }
    }
}

static void print_axis(Printer *p, int axis, i64 offset)
{
    const Tensor *t = p->t;
    i64 n = t->shape[axis], pitch = pitch_of(t, axis);
    text_putc(p->out, '[');
    p->column++;
    if (axis == t->rank - 1)
        print_row(p, offset);
    for (i64 k = 0; k < n && axis < t->rank - 1 && !interrupted(p->out->interrupt);
         k = next_entry(p, k, n)) {
        if (k > 0) {
            text_putc(p->out, ',');
            for (int i = axis + 2; i < t->rank; i++)
                text_putc(p->out, '\n');
            new_line(p, axis + 1);
        }
        if (is_gap(p, k, n))
            text_put(p->out, "...");
        else
            print_axis(p, axis + 1, offset + k * pitch);
    }
    text_putc(p->out, ']');
    p->column++;
}

/* Any number as the scalar it is. */
static void print_scalar(Text *out, const Tensor *t, int digits)
{
    char cell[CELL];
    Printer p = {.t = t, .digits = digits};
    if (dtype_is_float(t->dtype) && too_large(tensor_f64_at(t, 0), digits)) {
        text_printf(out, "%.*g", digits, tensor_f64_at(t, 0));
    } else if (t->dtype == DT_F64 || (t->dtype == DT_F32 && digits)) {
        text_double(out, number_at(&p, 0));
    } else if (t->dtype == DT_F32) {
        text_float(out, *(const float *)t->data);
    } else {
        make_cell(&p, 0, cell);
        text_put(out, cell);
    }
}

void tensor_print(Text *out, const Tensor *t, i64 threshold, int digits)
{
    if (t->rank == 0) {
        print_scalar(out, t, digits);
    } else if (t->count == 0) {
        text_put(out, "[]");
    } else {
        Printer p = {
            .out = out, .t = t, .digits = digits, .summary = threshold > 0 && t->count > threshold};
        choose_format(&p);
        print_axis(&p, 0, 0);
    }
}

/* ---- tables: vectors of one length side by side ---- */

/* A column: how its numbers are written, and its name. */
typedef struct {
    Printer p;
    const char *name;
    int width;
} TableColumn;

static TableColumn table_column(Text *out, const char *name, const Tensor *t, i64 threshold,
                                int digits)
{
    TableColumn c = {.p = {.out = out, .t = t, .digits = digits, .summary = threshold > 0},
                     .name = name};
    choose_format(&c.p);
    int numbers = c.p.left + c.p.right, head = utf8_columns(name);
    c.width = numbers > head ? numbers : head;
    return c;
}

static void put_table_cell(const TableColumn *c, i64 row)
{
    char cell[CELL];
    int left = make_cell(&c->p, row, cell), right = (int)strlen(cell) - left;
    int behind = right ? c->p.right - right : 0; /* nan and inf end where the numbers do */
    text_printf(c->p.out, "%*s%s%*s", c->width - left - right - behind, "", cell, behind, "");
}

/* Columns first .. last - 1, a line for each row; the middle of many is left out. */
static void put_band(Text *out, const TableColumn *columns, int first, int last)
{
    i64 n = columns[0].p.t->count;
    for (int k = first; k < last; k++)
        text_printf(out, "%s%*s%s", k > first ? "  " : "",
                    columns[k].width - utf8_columns(columns[k].name), "", columns[k].name);
    text_putc(out, '\n');
    for (i64 i = 0; i < n && !interrupted(out->interrupt); i = next_entry(&columns[0].p, i, n)) {
        for (int k = first; k < last; k++) {
            text_put(out, k > first ? "  " : "");
            if (is_gap(&columns[k].p, i, n))
                text_printf(out, "%*s", columns[k].width, "...");
            else
                put_table_cell(&columns[k], i);
        }
        while (out->len && out->at[out->len - 1] == ' ')
            out->at[--out->len] = '\0';
        text_putc(out, '\n');
    }
}

void tensor_table_print(Text *out, int n, const char *const *names, Tensor *const *columns,
                        i64 threshold, int digits)
{
    TableColumn *all = xcalloc((size_t)n + 1, sizeof *all);
    if (columns[0]->count * n <= threshold)
        threshold = 0;
    for (int k = 0; k < n; k++)
        all[k] = table_column(out, names[k], columns[k], threshold, digits);
    for (int first = 0, last; first < n; first = last) {
        int width = all[first].width;
        for (last = first + 1; last < n && width + 2 + all[last].width <= LINE_WIDTH; last++)
            width += 2 + all[last].width;
        if (first)
            text_putc(out, '\n');
        put_band(out, all, first, last);
    }
    free(all);
}
