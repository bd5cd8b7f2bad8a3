/* Calls as formulas: functions by their row in surface/notation.def, derivatives, all others by
 * their name. */
#include "emit/math.h"

static const struct {
    const char *name;
    Tightness level;
    const char *form[2]; /* NULL: the operand itself */
} calls[] = {
#define CALL(NAME, LEVEL, LATEX, TYPST, FIGURE) {NAME, LEVEL_##LEVEL, {LATEX, TYPST}},
#include "surface/notation.def"
};

static bool is_called(const Expr *e, const char *name)
{
    return e->items[0]->kind == E_NAME && !strcmp(e->items[0]->text, name);
}

/* Is it a function of elements? */
static bool is_elementwise(const Expr *call)
{
    const Expr *f = call->items[0];
    OpId op = f->kind == E_NAME ? op_by_name(f->text) : OP_COUNT;
    static const char *const others[] = {"fused", "fits", "f64", "f32"};
    for (size_t i = 0; f->kind == E_NAME && i < COUNT_OF(others); i++)
        if (!strcmp(f->text, others[i]))
            return true;
    return op != OP_COUNT && op_is_elementwise(op);
}

/* ---- by name ---- */

static const char *argument(MathWriter *w, const Arg *a, const Indices *ix)
{
    return math_expr(w, a->value, ix).text;
}

/* Does the program give the name a meaning of its own? */
static bool is_own(const MathWriter *w, const char *name)
{
    return map_has(&w->bound, math_symbol(w, name));
}

/* The function's name: what TeX and Typst have as they are, of one's own, of the language. */
static const char *function_name(MathWriter *w, const Expr *f)
{
    static const char *const known[] = {"sin", "cos", "tan", "sinh", "cosh", "tanh",
                                        "log", "exp", "max", "min",  "det"};
    static const char *const arcs[] = {"asin", "acos", "atan"};
    if (f->kind != E_NAME)
        return math_at(w, math_expr(w, f, NULL), LEVEL_POSTFIX);
    if (is_own(w, f->text))
        return math_name(w, f->text).text;
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (!strcmp(f->text, known[i]))
            return math_text(w, "%s%s", w->typst ? "" : "\\", known[i]);
    for (size_t i = 0; i < COUNT_OF(arcs); i++)
        if (!strcmp(f->text, arcs[i]))
            return math_text(w, "%sarc%s", w->typst ? "" : "\\", arcs[i] + 1);
    return math_word(w, M_OPERATOR, f->text);
}

/* f(a, b), what is given by name as subscripts: cumsum_{axis = 0}(x). */
static Piece by_name(MathWriter *w, const Expr *e, const Indices *ix)
{
    const char *name = function_name(w, e->items[0]), *args = "", *named = "";
    for (int i = 0; i < e->nargs; i++) {
        const Arg *a = &e->args[i];
        const char *value = argument(w, a, ix);
        if (a->name)
            named = math_text(w, "%s%s%s", named, *named ? ", " : "",
                              math_form(w, M_EQUAL, math_word(w, M_WORD, a->name), value, NULL));
        else
            args = math_text(w, "%s%s%s", args, *args ? ", " : "", value);
    }
    if (*named)
        name = math_form(w, M_SUBSCRIPT, name, named, NULL);
    return math_piece(math_text(w, "%s%s", name, math_form(w, M_PARENTHESES, args, NULL, NULL)),
                      LEVEL_NEG);
}

/* A shape: n x 3. */
static Piece shape(MathWriter *w, const Expr *e)
{
    if (e->kind != E_TUPLE)
        return math_expr(w, e, NULL);
    const char *text = "";
    for (int i = 0; i < e->nitems; i++) {
        const char *size = math_at(w, math_expr(w, e->items[i], NULL), LEVEL_NEG);
        text = i ? math_form(w, M_TIMES, text, size, NULL) : size;
    }
    return math_piece(text, LEVEL_MUL);
}

/* How many operands a form has. */
static int operands_of(const char *form)
{
    int n = 0;
    for (const char *f = strchr(form, '@'); f; f = strchr(f + 1, '@')) {
        int k = f[1] >= 'a' ? f[1] - 'a' + 1 : f[1] - 'A' + 1;
        n = k > n ? k : n;
    }
    return n;
}

static bool is_made(const Expr *e) { return is_called(e, "zeros") || is_called(e, "ones"); }

static bool all_positional(const Expr *e)
{
    for (int i = 0; i < e->nargs; i++)
        if (e->args[i].name)
            return false;
    return true;
}

static bool by_row(MathWriter *w, const Expr *e, const Indices *ix, Piece *out)
{
    Piece operands[3] = {{0}};
    int n = 0;
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        const char *form = calls[i].form[w->typst];
        if (!is_called(e, calls[i].name) || is_own(w, calls[i].name) || !all_positional(e))
            continue;
        for (int k = 0; k < e->nargs && n < 3; k++)
            operands[n++] =
                is_made(e) ? shape(w, e->args[k].value) : math_expr(w, e->args[k].value, ix);
        if (n != (form ? operands_of(form) : 1))
            return false;
        *out = form ? math_piece(math_fill(w, form, operands, n), calls[i].level) : operands[0];
        return true;
    }
    return false;
}

/* ---- derivatives ---- */

/* A list of wanted values, or one. */
static int wanted(Expr **arg, Expr ***items)
{
    bool list = (*arg)->kind == E_ARRAY || (*arg)->kind == E_TUPLE;
    *items = list ? (*arg)->items : arg;
    return list ? (*arg)->nitems : 1;
}

/* dL/da, or (dL/da, dL/db) */
static const char *partials(MathWriter *w, Piece of, int n, Expr *const *by)
{
    const char *text = "", *top = math_at(w, of, LEVEL_POSTFIX);
    for (int i = 0; i < n; i++)
        text = math_text(w, "%s%s%s", text, i ? ", " : "",
                         math_form(w, M_PARTIAL, top,
                                   math_at(w, math_expr(w, by[i], NULL), LEVEL_POSTFIX), NULL));
    return n == 1 ? text : math_form(w, M_PARENTHESES, text, NULL, NULL);
}

static Piece gradient(MathWriter *w, Piece of, int n, Expr *const *by)
{
    if (of.base || of.level == LEVEL_POSTFIX)
        return math_piece(partials(w, of, n, by), LEVEL_POW);
    const char *body = math_form(w, M_PARENTHESES, of.text, NULL, NULL);
    return math_piece(math_form(w, M_NABLA, math_list(w, by, n), body, NULL), LEVEL_NEG);
}

static bool derivative(MathWriter *w, const Expr *e, Piece *out)
{
    bool valued = is_called(e, "value_and_grad"), pulls = is_called(e, "vjp"),
         pushes = is_called(e, "jvp");
    Expr **by;
    if (!valued && !pulls && !pushes && !is_called(e, "grad"))
        return false;
    if (e->nargs < 2 || !all_positional(e) || is_own(w, e->items[0]->text))
        return false;
    int n = wanted(&e->args[1].value, &by);
    Piece of = math_inside(w, e, 0, e->args[0].value, NULL);
    if (!pulls && !pushes) {
        *out = gradient(w, of, n, by);
        if (valued)
            *out = math_piece(
                math_form(w, M_PARENTHESES, math_text(w, "%s, %s", of.text, out->text), NULL, NULL),
                LEVEL_POSTFIX);
        return true;
    }
    if (e->nargs < 3)
        return false;
    const char *by_all = partials(w, of, n, by);
    const char *with = math_at(w, math_expr(w, e->args[2].value, NULL), LEVEL_POSTFIX);
    with = pulls ? math_form(w, M_TRANSPOSED, with, NULL, NULL) : with;
    *out =
        math_piece(math_form(w, M_SIDE_BY_SIDE, pulls ? with : by_all, pulls ? by_all : with, NULL),
                   LEVEL_MUL);
    return true;
}

/* vmap(x -> e)(xs): [e] for each x of xs */
static bool lanes(MathWriter *w, const Expr *e, Piece *out)
{
    const Expr *f = e->items[0];
    if (f->kind != E_CALL || !is_called(f, "vmap") || f->nargs != 1 ||
        f->args[0].value->kind != E_LAMBDA || f->args[0].value->nparams != e->nargs)
        return false;
    const Expr *lambda = f->args[0].value;
    const char *each = "";
    for (int i = 0; i < e->nargs; i++)
        each =
            math_text(w, "%s%s%s", each, i ? ", " : "",
                      math_form(w, M_ELEMENT, math_name(w, lambda->params[i].name).text,
                                math_at(w, math_expr(w, e->args[i].value, NULL), LEVEL_ADD), NULL));
    const char *body = math_inside(w, e, 0, lambda->items[0], NULL).text;
    *out = math_piece(math_form(w, M_FOR_EACH, body, each, NULL), LEVEL_POSTFIX);
    return true;
}

/* ---- shapes ---- */

/* c 1_n: one number everywhere. */
static bool repeated(MathWriter *w, const Expr *e, Piece *out)
{
    if (!is_called(e, "broadcast_to") || e->nargs != 2 || math_rank(e->args[0].value))
        return false;
    const Expr *number = e->args[0].value;
    bool literal = number->kind == E_FLOAT || number->kind == E_INT;
    double c = literal ? strtod(number->text, NULL) : 2;
    const char *of = shape(w, e->args[1].value).text;
    const char *ones = math_form(w, c == 0 ? M_ALL_ZERO : M_ALL_ONE, of, NULL, NULL);
    *out = math_piece(ones, LEVEL_POW);
    if (c != 0 && c != 1)
        *out = math_piece(math_form(w, M_SIDE_BY_SIDE,
                                    math_at(w, math_expr(w, number, NULL), LEVEL_NEG), ones, NULL),
                          LEVEL_MUL);
    return true;
}

static const Expr *given(const Expr *e, const char *name)
{
    for (int i = 0; i < e->nargs; i++)
        if (e->args[i].name && !strcmp(e->args[i].name, name))
            return e->args[i].value;
    return NULL;
}

/* x_{:, a:a+n} of slice(x, a, n, axis=1, step=1) */
static bool part(MathWriter *w, const Expr *e, Piece *out)
{
    const Expr *axis = given(e, "axis"), *step = given(e, "step");
    if (!is_called(e, "slice") || e->nargs < 3 || (axis && axis->kind != E_INT) ||
        (step && (step->kind != E_INT || strcmp(step->text, "1"))))
        return false;
    const char *subs = "", *from = math_at(w, math_expr(w, e->args[1].value, NULL), LEVEL_ADD);
    const char *len = math_at(w, math_expr(w, e->args[2].value, NULL), LEVEL_MUL);
    Piece whole = math_expr(w, e->args[0].value, NULL);
    if (!axis || !strcmp(axis->text, "0"))
        from = math_row_number(w, from, whole.first);
    for (long k = axis ? strtol(axis->text, NULL, 10) : 0; k > 0; k--)
        subs = math_text(w, "%s%s, ", subs, math_form(w, M_ALL_OF, NULL, NULL, NULL));
    const char *to = strcmp(from, "0") ? math_text(w, "%s + %s", from, len) : len;
    subs = math_text(w, "%s%s", subs, math_form(w, M_RANGE, from, to, NULL));
    *out = math_indexed(w, whole, subs);
    out->base = NULL;
    return true;
}

/* What is only the form in which the operator around takes its operand: that one; else NULL. */
static const Expr *seen_through(const MathWriter *w, const Expr *e)
{
    const Node *n = e->of;
    bool evident = n && w->user && reading_is_evident(w->user, n);
    return !evident                             ? NULL
           : n->op == OP_CAST                   ? e->args[0].value
           : n->op == OP_CHECK && e->nargs == 3 ? e->args[1].value
                                                : NULL;
}

/* ---- all ---- */

Piece math_call(MathWriter *w, const Expr *e, const Indices *ix)
{
    Piece p;
    bool named = e->items[0]->kind == E_NAME && !is_own(w, e->items[0]->text);
    const char *length = named ? math_length(w, e) : NULL;
    if (length)
        return math_piece(length, LEVEL_POSTFIX);
    const Expr *core = named ? seen_through(w, e) : NULL;
    if (core)
        return math_expr(w, core, ix);
    if (named && ix && is_called(e, "broadcast_to") && e->nargs == 2)
        return math_expr(w, e->args[0].value, ix);
    if (named && (is_called(e, "add") || is_called(e, "mul")) && e->nargs > 1)
        return math_chain(w, e, is_called(e, "add") ? AST_ADD : AST_MUL, ix);
    if (named && is_elementwise(e))
        return by_row(w, e, ix, &p) ? p : by_name(w, e, ix);
    if (named && ((ix && math_view(w, e, ix, &p)) || math_reduction(w, e, ix, &p)))
        return p;
    if ((named && (repeated(w, e, &p) || part(w, e, &p))) || derivative(w, e, &p) ||
        lanes(w, e, &p) || (named && by_row(w, e, NULL, &p)))
        return math_with_indices(w, p, ix);
    return math_with_indices(w, by_name(w, e, NULL), ix);
}
