/* Expressions as mathematics, in LaTeX and Typst: a row for each definition, loops as recurrences.
 *
 * Invariant: what is written needs amsmath and amssymb, or nothing, and stands in a document of
 * one's own by \input or #include. */
#include "emit/math.h"

static const char *const forms[][2] = {
#define FORM(ID, LATEX, TYPST) [M_##ID] = {LATEX, TYPST},
#include "emit/math.def"
};

enum { WIDTH = 84 }; /* letters of a row, from which on it is broken */

const char *math_text(MathWriter *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vprintf(&w->arena, fmt, ap);
    va_end(ap);
    return text;
}

Piece math_piece(const char *text, Tightness level)
{
    return (Piece){.text = text, .level = level};
}

const char *math_fill(MathWriter *w, const char *form, const Piece *operands, int n)
{
    Text out = {0};
    for (const char *f = form; *f; f++) {
        bool tight = f[0] == '@' && f[1] >= 'A' && f[1] <= 'C';
        int k = f[0] != '@' ? -1 : tight ? f[1] - 'A' : f[1] - 'a';
        if (k < 0 || k > 2) {
            text_putc(&out, *f);
            continue;
        }
        f++;
        if (k < n)
            text_put(&out, math_at(w, operands[k], tight ? LEVEL_POSTFIX : LEVEL_ANY));
    }
    const char *text = arena_strndup(&w->arena, text_str(&out), out.len);
    text_free(&out);
    return text;
}

const char *math_form(MathWriter *w, MathForm form, const char *a, const char *b, const char *c)
{
    const Piece operands[] = {math_piece(a ? a : "", LEVEL_POSTFIX),
                              math_piece(b ? b : "", LEVEL_POSTFIX),
                              math_piece(c ? c : "", LEVEL_POSTFIX)};
    return math_fill(w, forms[form][w->typst], operands, 3);
}

const char *math_at(MathWriter *w, Piece p, Tightness need)
{
    return p.level < need ? math_form(w, M_PARENTHESES, p.text, NULL, NULL) : p.text;
}

Piece math_operand(MathWriter *w, Piece p, Tightness need)
{
    return p.level < need ? math_piece(math_at(w, p, need), LEVEL_POSTFIX) : p;
}

/* ---- rows ---- */

/* b, `by` bytes further on, after those of `first`. */
static const Break *moved(MathWriter *w, const Break *b, size_t by, const Break *first)
{
    if (!b)
        return first;
    Break *own = arena_alloc(&w->arena, sizeof *own);
    *own = (Break){b->at + by, moved(w, b->before, by, first)};
    return own;
}

Piece math_beside(MathWriter *w, Piece a, const char *b_begins, Piece b)
{
    Break *own = arena_alloc(&w->arena, sizeof *own);
    *own = (Break){strlen(a.text), a.breaks};
    return (Piece){.text = math_text(w, "%s %s%s", a.text, b_begins, b.text),
                   .breaks = moved(w, b.breaks, own->at + 1 + strlen(b_begins), own)};
}

Piece math_behind(MathWriter *w, const char *before, Piece p)
{
    return (Piece){.text = math_text(w, "%s%s", before, p.text),
                   .breaks = moved(w, p.breaks, strlen(before), NULL)};
}

/* The letters that a text shows, about: a command is one. */
static int letters(const char *s)
{
    int n = 0;
    for (; *s; s++)
        if (*s == '\\') {
            while ((s[1] >= 'a' && s[1] <= 'z') || (s[1] >= 'A' && s[1] <= 'Z'))
                s++;
            n++;
        } else {
            n += !strchr("{}_^ \"", *s) && ((unsigned char)*s & 0xC0) != 0x80;
        }
    return n;
}

/* Writes p before the break `last`, or all of it; breaks where the next part would be too long.
 * Returns how many letters are on the last line. */
static int put_broken(MathWriter *w, Piece p, const Break *last, size_t end, Text *out)
{
    int on_line = last ? put_broken(w, p, last->before, last->at, out) : 0;
    size_t from = last ? last->at + 1 : 0;
    const char *part = arena_strndup(&w->arena, p.text + from, end - from);
    int more = letters(part);
    bool far = last && on_line + more > WIDTH;
    if (last)
        text_put(out, far ? math_form(w, M_BROKEN, NULL, NULL, NULL) : " ");
    text_put(out, part);
    return more + (far ? 0 : on_line);
}

void math_row(MathWriter *w, Piece p)
{
    Text row = {0};
    for (int i = 0; i < w->depth; i++)
        text_put(&row, math_form(w, M_INDENT, NULL, NULL, NULL));
    put_broken(w, p, p.breaks, strlen(p.text), &row);
    vec_push(&w->rows, ((MathRow){arena_strndup(&w->arena, text_str(&row), row.len), w->depth}));
    text_free(&row);
}

/* ---- statements ---- */

/* What is defined as a comparison stands in parentheses: a = (b = c). */
Piece math_equation(MathWriter *w, const char *left, Piece right)
{
    bool logic = right.level > LEVEL_ANY && right.level <= LEVEL_COMPARE;
    return math_behind(w, math_text(w, "%s = ", left),
                       logic ? math_operand(w, right, LEVEL_POSTFIX) : right);
}

static void define_names(MathWriter *w, const Stmt *s)
{
    const char *left = "";
    for (int i = 0; i < s->nnames; i++)
        left = math_text(w, "%s%s%s", left, i ? ", " : "", math_name(w, s->names[i].name).text);
    if (s->nnames > 1)
        left = math_form(w, M_PARENTHESES, left, NULL, NULL);
    math_row(w, math_equation(w, left, math_expr(w, s->value, NULL)));
}

static void define_function(MathWriter *w, const Stmt *s)
{
    const char *params = "";
    for (int i = 0; i < s->nparams; i++)
        params =
            math_text(w, "%s%s%s", params, i ? ", " : "", math_name(w, s->params[i].name).text);
    const char *left = math_text(w, "%s%s", math_name(w, s->names[0].name).text,
                                 math_form(w, M_PARENTHESES, params, NULL, NULL));
    w->place = s->of;
    math_row(w, math_equation(w, left, math_expr(w, s->value, NULL)));
    w->place = NULL;
}

void math_define(MathWriter *w, const Stmt *s)
{
    const char *length = s->kind == S_DEFINE && s->nnames == 1 ? math_length(w, s->value) : NULL;
    if (length) /* it stands where it is used */
        map_put(&w->lengths, math_symbol(w, s->names[0].name), length);
    else if (s->kind == S_FUNCTION)
        define_function(w, s);
    else if (s->kind == S_DEFINE && s->nnames == 1 && s->value->kind == E_SCAN)
        math_loop(w, s->value, s->names[0].name);
    else if (s->kind == S_DEFINE)
        define_names(w, s);
}

/* Inputs in a row or several. */
static void put_declared(MathWriter *w)
{
    Piece row = math_piece("", LEVEL_ANY);
    for (int i = 0; i < w->trees.n; i++) {
        const Stmt *s = w->trees.statements[i];
        if (s->kind != S_INPUT && s->kind != S_SHARED)
            continue;
        Piece one = math_piece(math_declared(w, s), LEVEL_ANY);
        if (*row.text) {
            row.text = math_text(w, "%s,", row.text);
            one = math_beside(w, row, math_form(w, M_INDENT, NULL, NULL, NULL), one);
        }
        row = one;
    }
    if (*row.text)
        math_row(w, row);
}

/* "grad(loss, W) = ..": what was asked for, if that is short and says something else. */
static void put_result(MathWriter *w, const Expr *e)
{
    const Expr *asked = w->asked;
    Piece right = math_expr(w, e, NULL);
    const char *left = NULL;
    bool plain = asked && (asked->kind == E_NAME || asked->kind == E_CALL ||
                           asked->kind == E_FIELD || asked->kind == E_INDEX);
    if (plain && asked->height < 5) {
        size_t before = w->rows.len;
        left = math_expr(w, asked, NULL).text;
        left = w->rows.len == before && letters(left) < WIDTH / 2 && strcmp(left, right.text)
                   ? left
                   : NULL;
        w->rows.len = before;
    }
    math_row(w, left ? math_equation(w, left, right) : right);
}

static void put_statements(MathWriter *w)
{
    for (int i = 0; i < w->trees.n; i++)
        math_note(w, w->trees.statements[i]);
    put_declared(w);
    for (int i = 0; i < w->trees.n; i++) {
        const Stmt *s = w->trees.statements[i];
        if (s->kind == S_EXPR)
            put_result(w, s->value);
        else
            math_define(w, s);
    }
}

/* Free in any case. */
static bool find_rows(MathWriter *w, const Export *x, bool typst, Node *const *roots)
{
    *w = (MathWriter){.st = x->st, .typst = typst};
    if (!graph_trees(x->st, &w->trees, x->n, roots))
        return false;
    w->asked = tree_read(x->source, &w->arena);
    put_statements(w);
    return true;
}

static void writer_free(MathWriter *w)
{
    graph_trees_free(&w->trees);
    vec_free(&w->rows);
    map_free(&w->bound);
    map_free(&w->derived);
    map_free(&w->records);
    map_free(&w->whole);
    map_free(&w->lengths);
    arena_free(&w->arena);
}

/* ---- states ---- */

static void put_row(MathWriter *w, const char *row, Text *out)
{
    if (out->len)
        text_put(out, math_form(w, M_END_OF_ROW, NULL, NULL, NULL));
    text_printf(out, "  & %s", row);
}

static bool has_row(const MathWriter *w, const char *row)
{
    for (size_t i = 0; i < w->rows.len; i++)
        if (!strcmp(w->rows.at[i].text, row))
            return true;
    return false;
}

/* Row i and those that say in which loops it stands, from `from` on. */
static size_t put_with_loops(MathWriter *w, size_t i, size_t from, Text *out)
{
    for (size_t k = from; k < i; k++) {
        bool around = w->rows.at[k].depth < w->rows.at[i].depth;
        for (size_t j = k + 1; j < i && around; j++)
            around = w->rows.at[j].depth > w->rows.at[k].depth;
        if (around)
            put_row(w, w->rows.at[k].text, out);
    }
    put_row(w, w->rows.at[i].text, out);
    return i + 1;
}

/* What is written in another way than before; before: NULL is nothing. */
static void put_changed(MathWriter *w, const MathWriter *before, Text *out)
{
    size_t done = 0;
    for (size_t i = 0; i < w->rows.len; i++)
        if (!before || !has_row(before, w->rows.at[i].text))
            done = put_with_loops(w, i, done, out);
    if (!done)
        put_row(w, math_word(w, M_TEXT, "written as before"), out);
}

static bool put_states(Export *x, bool typst, Text *out)
{
    MathWriter before = {0}, w;
    Node **roots = xcalloc((size_t)x->n + 1, sizeof *roots);
    bool ok = true;
    for (u32 k = 0; k < x->nstates && ok; k++) {
        Text step = {0};
        w = (MathWriter){0};
        ok = x->state(x->states, k, roots, &step) && find_rows(&w, x, typst, roots);
        if (!ok)
            text_printf(&x->why, "the state after step %u", k);
        if (ok && step.len)
            put_row(&w, math_word(&w, M_TEXT, text_str(&step)), out);
        if (ok)
            put_changed(&w, k ? &before : NULL, out);
        text_free(&step);
        writer_free(&before);
        before = w;
    }
    writer_free(&before);
    free(roots);
    return ok;
}

static bool put_all(Export *x, bool typst, Text *out)
{
    MathWriter w;
    bool ok = find_rows(&w, x, typst, x->roots);
    if (ok)
        put_changed(&w, NULL, out);
    else
        text_put(&x->why, "it was interrupted");
    writer_free(&w);
    return ok;
}

/* ---- the file ---- */

static void put_remarks(Text *out, const char *sign, const char *before, const char *s)
{
    for (size_t len; *s; s += len + (s[len] == '\n')) {
        len = strcspn(s, "\n");
        text_printf(out, "%s%s%.*s\n", sign, len ? before : "", (int)len, s);
    }
}

static bool write_math(Export *x, bool typst, Text *out)
{
    const char *sign = typst ? "//" : "%";
    Text rows = {0};
    bool ok = (x->nstates ? put_states : put_all)(x, typst, &rows);
    put_remarks(out, sign, " ", x->source);
    text_printf(out, "%s\n%s Written by Gradus from\n%s\n", sign, sign, sign);
    put_remarks(out, sign, "     ", x->definitions ? x->definitions : "");
    text_printf(out, "%s\n", sign);
    if (typst)
        text_printf(out, "$\n%s\n$\n", text_str(&rows));
    else
        text_printf(out,
                    "%% To \\input; needs amsmath and amssymb.\n"
                    "{\\allowdisplaybreaks\n\\begin{align*}\n%s\n\\end{align*}}\n",
                    text_str(&rows));
    text_free(&rows);
    return ok;
}

bool export_latex(Export *x, Text *out) { return write_math(x, false, out); }
bool export_typst(Export *x, Text *out) { return write_math(x, true, out); }
