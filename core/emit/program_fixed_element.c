/* The element at work in the loops of a group (program_fixed_nest.c): its values, where its
 * operands are, and what is called before it.
 *
 * Invariant: as there. */
#include "emit/elem_text.h"
#include "emit/program_fixed_nest.h"

enum {
    MOST_LINED = 4096, /* elements of an operand that is put into lines */
    LINES_WORTH = 4    /* times that it is read */
};

/* The place of the element at work, with these strides. */
Word nest_place(const Nest *n, const i64 *stride, i64 offset)
{
    Word w = {"0"};
    size_t at = 0;
    for (int i = 0; i < n->rank; i++)
        if (stride[i])
            at += (size_t)snprintf(w.at + at, sizeof w.at - at, "%sa%d * %lld", at ? " + " : "", i,
                                   (long long)stride[i]);
    if (offset)
        snprintf(w.at + at, sizeof w.at - at, "%s%lld", at ? " + " : "", (long long)offset);
    return w;
}

static Text *text_of(const Nest *n) { return &n->f->s->w->out->c; }

/* ---- lines: an operand that has elements of other columns between those of a vector, and is read
 * again and again, is put into gREG column after column ---- */

/* How far elements lie from the first of the line. */
static i64 last_row(const Nest *n, const NestColumn *c)
{
    i64 row = c->offset;
    for (int i = 0; i < n->rank; i++)
        row += i == n->line - 1 ? 0 : c->stride[i] * (n->shape[i] - 1);
    return row;
}

static bool is_lined(const Nest *n, const NestColumn *c)
{
    const int line = n->line - 1;
    if (line < 0 || c->is != NEST_OPERAND || c->scalar || c->stride[line] < 2 ||
        last_row(n, c) >= c->stride[line] || n->shape[line] * c->stride[line] > MOST_LINED)
        return false;
    i64 times = 1;
    for (int i = 0; i < n->rank; i++)
        if (i != line && i != n->over && i != n->rank - 1) {
            times *= n->shape[i];
            if (c->stride[i])
                return false;
        }
    for (u32 i = 0; i < n->column.len; i++) /* one layout of it */
        if (n->column.at[i].is == NEST_OPERAND && n->column.at[i].reg == c->reg &&
            n->column.at[i].stride[line] > 1 && n->column.at[i].stride[line] != c->stride[line])
            return false;
    return times >= LINES_WORTH;
}

void write_nest_lines(const Nest *n)
{
    for (u32 i = 0; i < n->column.len; i++) {
        const NestColumn *c = &n->column.at[i];
        bool lined = is_lined(n, c);
        i64 rows = lined ? last_row(n, c) + 1 : 0;
        for (u32 k = 0; k < n->column.len && lined; k++) {
            const NestColumn *x = &n->column.at[k];
            if (!is_lined(n, x) || x->reg != c->reg)
                continue;
            lined = k >= i;
            rows = last_row(n, x) + 1 > rows ? last_row(n, x) + 1 : rows;
        }
        if (!lined)
            continue;
        const long long length = n->shape[n->line - 1], apart = c->stride[n->line - 1];
        say(n->f->s, "%s g%u[%lld];", c_type(c->dtype), c->reg, (long long)rows * length);
        say(n->f->s, "for (i64 i = 0; i < %lld; i++) for (i64 j = 0; j < %lld; j++)", length,
            (long long)rows);
        say(n->f->s, "    g%u[j * %lld + i] = t%u[i * %lld + j];", c->reg, length, c->reg, apart);
    }
}

/* Where an operand is in its lines. */
static Word place_in_line(const Nest *n, const NestColumn *c)
{
    const i64 length = n->shape[n->line - 1];
    i64 stride[MAX_RANK];
    for (int i = 0; i < n->rank; i++)
        stride[i] = i == n->line - 1 ? 1 : c->stride[i] * length;
    return nest_place(n, stride, c->offset * length);
}

/* ---- values ---- */

/* One of a few elements onto what there is so far; a sum is never -0. */
static void write_gathered(const Nest *n, const NestColumn *c, u32 column)
{
    Text *out = text_of(n);
    const char *type = c_type(c->dtype);
    text_printf(out, "        %s v%u; { const %s e = ", type, column, type);
    if (c->is == NEST_DONE)
        text_printf(out, "v%u%s", c->before, c->fold.op == RED_SUM ? " + 0" : "");
    else
        put_fold_element(out, &c->fold);
    text_put(out, "; ");
    if (c->is == NEST_NEXT) {
        text_printf(out, "const %s a = v%u; v%u = ", type, c->before, column);
        put_fold_combined(out, &c->fold);
    } else {
        text_printf(out, "v%u = e", column);
    }
    text_put(out, "; }\n");
}

bool nest_is_call(const NestColumn *c) { return c->is == NEST_STEP && tile_is_call(&c->step); }

/* The axis whose elements array functions take at once. */
int nest_row_axis(const Nest *n) { return n->nfolds && !n->apart ? n->over : n->rank - 1; }

/* A vector has fewer numbers than bytes, so compilers take loops over both in poor steps. */
static bool is_widened(const Nest *n, const NestColumn *c)
{
    return n->wide && c->is == NEST_OPERAND && !c->scalar && c->dtype == DT_BOOL &&
           c->stride[n->over] && !(n->few && c->varies);
}

/* Vectors of comparisons are masks, which compilers do not convert. */
static bool counts_truth(const TileStep *s)
{
    return s->kind == TILE_CAST && s->from == DT_BOOL && dtype_is_float(s->to);
}

static void write_column(const Nest *n, u32 column)
{
    const NestColumn *c = &n->column.at[column];
    if (is_widened(n, c)) {
        say(n->f->s, "const i64 v%u = w%u[a%d];", column, column, n->over);
    } else if (c->is == NEST_OPERAND && !c->scalar) {
        const bool lined = is_lined(n, c);
        text_printf(text_of(n), "        const %s v%u = %c%u[%s];\n", c_type(c->dtype), column,
                    lined ? 'g' : 't', c->reg,
                    lined ? place_in_line(n, c).at : nest_place(n, c->stride, c->offset).at);
    } else if (nest_is_call(c)) {
        say(n->f->s, "const %s v%u = b%u[a%d];", c_type(c->dtype), column, column,
            nest_row_axis(n));
    } else if (c->is == NEST_STEP && n->telling && n->told == column + 1) {
        say(n->f->s, "const u8 v%u = %d;", column, n->truth);
    } else if (c->is == NEST_STEP && counts_truth(&c->step)) {
        say(n->f->s, "const %s v%u = v%u ? 1 : 0;", c_type(c->dtype), column, c->step.arg[0]);
    } else if (c->is == NEST_STEP) {
        text_put(text_of(n), "        ");
        write_tile_value(text_of(n), &c->step, column);
    } else if (c->is != NEST_OPERAND) {
        write_gathered(n, c, column);
    }
}

/* ---- array functions: on a row of what they take, before what they give is used ---- */

static void mark_needed(const Nest *n, u32 column, bool *needed)
{
    const NestColumn *c = &n->column.at[column];
    if (needed[column])
        return;
    needed[column] = true;
    for (u32 k = 0; c->is == NEST_STEP && !nest_is_call(c) && k < tile_arity(&c->step); k++)
        mark_needed(n, c->step.arg[k], needed);
    if (c->is == NEST_FIRST || c->is == NEST_NEXT)
        mark_needed(n, c->fold.arg, needed);
    if (c->is == NEST_NEXT || c->is == NEST_DONE)
        mark_needed(n, c->before, needed);
}

/* bK and, of a second operand, eK. */
static void write_row_call(const Nest *n, u32 column)
{
    const NestColumn *c = &n->column.at[column];
    const int axis = nest_row_axis(n);
    const long long length = (long long)n->shape[axis];
    const char *type = c_type(c->dtype);
    const bool two = c->step.kind == TILE_2;
    bool *needed = xcalloc(n->column.len + 1, 1);
    for (u32 k = 0; k < tile_arity(&c->step); k++)
        mark_needed(n, c->step.arg[k], needed);
    say(n->f->s, "%s b%u[%lld];", type, column, length);
    if (two)
        say(n->f->s, "%s e%u[%lld];", type, column, length);
    text_put(text_of(n), "#pragma GCC ivdep\n");
    say(n->f->s, "for (i64 a%d = 0; a%d < %lld; a%d++) {", axis, axis, length, axis);
    for (u32 i = 0; i < column; i++)
        if (needed[i])
            write_column(n, i);
    for (u32 k = 0; k <= two; k++)
        say(n->f->s, "%c%u[a%d] = v%u;", k ? 'e' : 'b', column, axis, c->step.arg[k]);
    say(n->f->s, "}");
    if (two)
        say(n->f->s, "((kernel2)T[%u])(%lld, b%u, 1, e%u, 1, b%u);",
            place_of_function(n->f->s->w, (AnyFunction)c->step.f2), length, column, column, column);
    else
        say(n->f->s, "((kernel1)T[%u])(%lld, b%u, b%u); /* %s */",
            place_of_function(n->f->s->w, (AnyFunction)c->step.f1), length, column, column,
            node_info(c->step.node)->name);
    free(needed);
}

static void write_widened(const Nest *n, u32 column)
{
    const NestColumn *c = &n->column.at[column];
    const long long length = (long long)n->shape[n->over];
    say(n->f->s, "i64 w%u[%lld];", column, length);
    say(n->f->s, "for (i64 a%d = 0; a%d < %lld; a%d++) w%u[a%d] = t%u[%s];", n->over, n->over,
        length, n->over, column, n->over, c->reg, nest_place(n, c->stride, c->offset).at);
}

void write_nest_calls(const Nest *n)
{
    for (u32 i = 0; i < n->column.len; i++)
        if (is_widened(n, &n->column.at[i]))
            write_widened(n, i);
    for (u32 i = 0; i < n->column.len; i++)
        if (nest_is_call(&n->column.at[i]))
            write_row_call(n, i);
}

/* The columns of the element at work: those that vary along the last axis, or the others. */
void write_nest_columns(const Nest *n, bool varying)
{
    for (u32 i = 0; i < n->column.len; i++)
        if (n->column.at[i].varies == varying)
            write_column(n, i);
}

void write_nest_given(const Nest *n)
{
    for (u32 k = 0; k < n->w->nout; k++)
        if (n->given[k] != NO_REG)
            text_printf(text_of(n), "        t%u[%s] = v%u;\n", n->w->out[k].reg,
                        nest_place(n, n->whole, 0).at, n->given[k]);
    for (u32 i = 0; i < n->nfolds && n->apart; i++)
        text_printf(text_of(n), "        f%u[%s] = v%u;\n", i, nest_place(n, n->whole, 0).at,
                    n->fold[i].arg);
}

/* All columns, and the results that it is in. */
void write_nest_element(const Nest *n)
{
    for (u32 i = 0; i < n->column.len; i++)
        write_column(n, i);
    write_nest_given(n);
}

void write_nest_scalars(const Nest *n)
{
    for (u32 i = 0; i < n->column.len; i++)
        if (n->column.at[i].is == NEST_OPERAND && n->column.at[i].scalar)
            say(n->f->s, "const %s v%u = %s;", c_type(n->column.at[i].dtype), i,
                value_of_reg(n->f->s, n->column.at[i].reg).at);
}
