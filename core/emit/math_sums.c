/* Arrays element by element: sums and the like with indices, which go down to the names.
 *
 * Invariant: indices count from 0 as everywhere in the language, and stand for the last axes. */
#include "emit/math.h"

/* "i, j", of something whose first row bears that number */
static const char *indices_text(MathWriter *w, const Indices *ix, int first)
{
    const char *text = "";
    for (int i = 0; i < ix->n; i++)
        text = math_text(w, "%s%s%s", text, i ? ", " : "",
                         i ? ix->at[i] : math_row_number(w, ix->at[i], first));
    return text;
}

Piece math_with_indices(MathWriter *w, Piece p, const Indices *ix)
{
    return ix && ix->n ? math_indexed(w, p, indices_text(w, ix, p.first)) : p;
}

const Indices *math_reaching(MathWriter *w, const Expr *e, const Indices *ix)
{
    int rank = math_rank(e);
    const Type *t = math_type(e);
    if (!rank || rank > ix->n)
        return NULL;
    if (rank < 0)
        return ix;
    Indices *own = arena_alloc(&w->arena, sizeof *own);
    own->n = rank;
    for (int i = 0; i < rank; i++) {
        int k = ix->n - rank + i;
        bool one = t && size_is(t->dims[i], 1) && ix->size[k] && !size_is(ix->size[k], 1);
        own->at[i] = one ? "0" : ix->at[k];
        own->size[i] = t ? t->dims[i] : ix->size[k];
    }
    return own;
}

/* ---- x[..] ---- */

/* i + a of x[a:b] at i; NULL: not from a number on, or with steps. */
static const char *shifted(MathWriter *w, const Sub *s, const char *index)
{
    if (s->step || (s->start && s->start->kind != E_INT))
        return NULL;
    return s->start && strcmp(s->start->text, "0") ? math_text(w, "%s+%s", index, s->start->text)
                                                   : index;
}

/* How many axes of the base the subscripts before and after an ellipsis take. */
static int axes_taken(const Expr *e)
{
    int n = 0;
    for (int i = 0; i < e->nsubs; i++)
        n += e->subs[i].kind == SUB_INDEX || e->subs[i].kind == SUB_SLICE;
    return n;
}

typedef struct {
    Indices of; /* the base */
    int next;   /* of the indices given */
} Element;

static bool take_index(Element *el, const Indices *ix, const char *text)
{
    if (el->of.n >= MAX_RANK || (!text && el->next >= ix->n))
        return false;
    el->of.at[el->of.n] = text ? text : ix->at[el->next];
    el->of.size[el->of.n++] = NULL;
    el->next += !text;
    return true;
}

static bool take_sub(MathWriter *w, Element *el, const Sub *s, const Indices *ix, int others)
{
    bool ok = true;
    switch (s->kind) {
    case SUB_NEWAXIS: return el->next++ < ix->n;
    case SUB_INDEX:
        return math_rank(s->index) == 0 && take_index(el, ix, math_expr(w, s->index, NULL).text);
    case SUB_ELLIPSIS:
        for (int i = 0; i < others && ok; i++)
            ok = take_index(el, ix, NULL);
        return ok;
    case SUB_SLICE: {
        const char *text = el->next < ix->n ? shifted(w, s, ix->at[el->next]) : NULL;
        ok = text && take_index(el, ix, text);
        el->next++;
        return ok;
    }
    }
    return false;
}

bool math_element(MathWriter *w, const Expr *e, const Indices *ix, Piece *out)
{
    const Expr *base = e->items[0];
    int rank = math_rank(base);
    Element el = {.next = 0};
    if (rank < 0)
        return false; /* such as a row of a loop: its subscripts are not positions alone */
    for (int i = 0; i < e->nsubs; i++)
        if (!take_sub(w, &el, &e->subs[i], ix, rank - axes_taken(e)))
            return false;
    while (el.next < ix->n)
        if (!take_index(&el, ix, NULL))
            return false;
    if (el.of.n != rank)
        return false;
    *out = math_expr(w, base, &el.of);
    return true;
}

/* Which of the indices of a view reach its operand's axis k; -1: none that can be read. */
static int axis_in_view(const Expr *e, int k)
{
    const Expr *axes = e->args[e->nargs - 1].value;
    bool made = !strcmp(e->items[0]->text, "expand_dims");
    const Expr *axis = axes->kind != E_TUPLE ? axes : k < axes->nitems ? axes->items[k] : NULL;
    if (!axis || axis->kind != E_INT)
        return -1;
    int at = (int)strtol(axis->text, NULL, 10);
    return !made ? at : axes->kind == E_TUPLE ? -1 : k < at ? k : k + 1;
}

bool math_view(MathWriter *w, const Expr *e, const Indices *ix, Piece *out)
{
    const char *name = e->items[0]->text;
    bool made = !strcmp(name, "expand_dims") && e->nargs == 2;
    bool repeated = !strcmp(name, "broadcast") && e->nargs == 3;
    int rank = made || repeated ? math_rank(e->args[0].value) : -1;
    Indices of = {.n = rank};
    for (int k = 0; k < rank; k++) {
        int at = axis_in_view(e, k);
        if (at < 0 || at >= ix->n)
            return false;
        of.at[k] = ix->at[at];
        of.size[k] = ix->size[at];
    }
    if (rank < 0)
        return false;
    *out = math_expr(w, e->args[0].value, rank ? &of : NULL);
    return true;
}

/* ---- sums ---- */

static const char *fresh_index(MathWriter *w)
{
    static const char *const letters[] = {"i", "j", "k", "l", "m", "p", "q"};
    int round = w->sums / (int)COUNT_OF(letters);
    for (;; w->sums++) {
        const char *letter = letters[w->sums % (int)COUNT_OF(letters)];
        if (round || w->sums >= (int)COUNT_OF(letters)) {
            int k = w->sums++ / (int)COUNT_OF(letters);
            return math_form(w, M_SUBSCRIPT, letter, math_text(w, "%d", k), NULL);
        }
        if (!map_has(&w->bound, math_symbol(w, letter))) {
            w->sums++;
            return letter;
        }
    }
}

static bool axis_number(const Expr *e, int rank, bool *reduced)
{
    bool minus = e->kind == E_UNARY && e->op == AST_NEG;
    const Expr *digits = minus ? e->items[0] : e;
    if (digits->kind != E_INT)
        return false;
    long k = strtol(digits->text, NULL, 10);
    k = minus ? rank - k : k;
    if (k < 0 || k >= rank)
        return false;
    reduced[k] = true;
    return true;
}

/* The axes and whether they stay with length 1; false: more is asked for. */
static bool read_axes(const Expr *e, int rank, bool *reduced, bool *keeps)
{
    const Expr *axes = NULL;
    bool ok = true;
    for (int i = 1; i < e->nargs; i++) {
        const Arg *a = &e->args[i];
        if (i == 1 && (!a->name || !strcmp(a->name, "axis")))
            axes = a->value;
        else if (a->name && !strcmp(a->name, "keepdims") && a->value->kind == E_BOOL)
            *keeps = a->value->flag;
        else
            return false;
    }
    if (!axes || (axes->kind == E_NAME && !strcmp(axes->text, "None"))) {
        for (int i = 0; i < rank; i++)
            reduced[i] = true;
        return true;
    }
    for (int i = 0; axes->kind == E_TUPLE && i < axes->nitems && ok; i++)
        ok = axis_number(axes->items[i], rank, reduced);
    return axes->kind == E_TUPLE ? ok : axis_number(axes, rank, reduced);
}

static MathForm big_form(const Expr *e)
{
    static const struct {
        const char *name;
        MathForm form;
    } rows[] = {{"sum", M_BIG_SUM}, {"prod", M_BIG_PROD}, {"mean", M_BIG_MEAN}, {"max", M_BIG_MAX},
                {"min", M_BIG_MIN}, {"any", M_BIG_ANY},   {"all", M_BIG_ALL}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(e->items[0]->text, rows[i].name))
            return rows[i].form;
    return MATH_FORMS;
}

/* The indices of the operand, and those of them that are summed over, as a list. */
static const char *operand_indices(MathWriter *w, const Type *t, const bool *reduced, bool keeps,
                                   const Indices *ix, Indices *of)
{
    const char *over = "";
    for (int i = 0, k = 0; i < t->rank; i++) {
        of->at[i] = reduced[i] ? fresh_index(w) : ix->at[k];
        of->size[i] = t->dims[i];
        if (reduced[i])
            over = math_text(w, "%s%s%s", over, *over ? ", " : "", of->at[i]);
        k += !reduced[i] || keeps;
    }
    of->n = t->rank;
    return over;
}

bool math_reduction(MathWriter *w, const Expr *e, const Indices *ix, Piece *out)
{
    MathForm form = big_form(e);
    const Type *t = e->nargs && !e->args[0].name ? math_type(e->args[0].value) : NULL;
    bool reduced[MAX_RANK] = {false}, keeps = false;
    if (form == MATH_FORMS || !t || !t->rank || !read_axes(e, t->rank, reduced, &keeps))
        return false;
    int kept = 0, before = w->sums;
    for (int i = 0; i < t->rank; i++)
        kept += keeps || !reduced[i];
    Indices own = {.n = kept}, of = {.n = 0};
    bool whole = !ix && kept;
    for (int i = 0; whole && i < kept; i++)
        own.at[i] = fresh_index(w);
    if (!whole && kept != (ix ? ix->n : 0))
        return false;
    const char *over = operand_indices(w, t, reduced, keeps, whole ? &own : ix, &of);
    const char *body = math_at(w, math_expr(w, e->args[0].value, &of), LEVEL_MUL);
    *out = (Piece){.text = math_form(w, form, over, body, NULL), .level = LEVEL_MUL, .big = true};
    if (whole)
        *out = math_piece(math_form(w, M_FOR_EACH, out->text, indices_text(w, &own, 0), NULL),
                          LEVEL_POSTFIX);
    w->sums = before;
    return true;
}
