/* The rule of an operator's derivative in words: for steps, and for the manual.
 *
 * An elementwise derivative is a text that is linear in dy: "dy * (1 - y * y)". Where dy is a
 * factor of it, what multiplies dy is shown as the coefficient of dx: "(1 - y * y) dx". */
#include "grad/derivation.h"
#include "tensor/kernels.h"
#include "syntax/parse.h"
#include "ops/elem.h"

typedef struct {
    bool negative, found;
    VEC(const Expr *) over, under;
} Factors;

static void factors_of(const Expr *e, bool under, Factors *f)
{
    if (e->kind == E_UNARY && e->op == AST_NEG) {
        f->negative = !f->negative;
        factors_of(e->items[0], under, f);
    } else if (e->kind == E_BINARY && e->op == AST_MUL && !under) {
        factors_of(e->items[0], under, f);
        factors_of(e->items[1], under, f);
    } else if (e->kind == E_BINARY && e->op == AST_DIV && !under) {
        factors_of(e->items[0], under, f);
        factors_of(e->items[1], true, f);
    } else if (e->kind == E_NAME && !under && !strcmp(e->text, "dy")) {
        f->found = true;
    } else if (under) {
        vec_push(&f->under, e);
    } else {
        vec_push(&f->over, e);
    }
}

static void put_factor(Text *out, const Expr *e)
{
    bool sum = e->kind == E_BINARY;
    text_put(out, sum ? "(" : "");
    ast_print_expr(out, e);
    text_put(out, sum ? ")" : "");
}

/* "-(0.5 / y) dx" */
static void put_coefficient(Text *out, const Factors *f, const char *dx)
{
    size_t count = f->over.len + f->under.len;
    bool group = count > 1 || f->under.len;
    text_printf(out, "%s%s", f->negative ? "-" : "", group ? "(" : "");
    if (!f->over.len && f->under.len)
        text_put(out, "1");
    for (size_t i = 0; i < f->over.len; i++) {
        text_put(out, i ? " * " : "");
        put_factor(out, f->over.at[i]);
    }
    for (size_t i = 0; i < f->under.len; i++) {
        text_put(out, " / ");
        put_factor(out, f->under.at[i]);
    }
    text_printf(out, "%s%s%s", group ? ")" : "", count ? " " : "", dx);
}

static bool word_at(const char *text, const char *p)
{
    bool before = p > text && (p[-1] == '_' || (p[-1] >= 'a' && p[-1] <= 'z'));
    return !before && p[0] == 'd' && p[1] == 'y' && !(p[2] == '_' || (p[2] >= 'a' && p[2] <= 'z'));
}

/* The part of the differential that comes from one operand. */
static void put_part(Store *st, Text *out, const char *text, const char *dx)
{
    Factors f = {0};
    const Expr *tree = elem_derivative_tree(st, text);
    factors_of(tree, false, &f);
    if (f.found)
        put_coefficient(out, &f, dx);
    else
        for (const char *p = text; *p; p++)
            if (word_at(text, p))
                text_put(out, dx), p++;
            else
                text_putc(out, *p);
    vec_free(&f.over);
    vec_free(&f.under);
}

static bool has_part(const char *text) { return text && *text && strcmp(text, "zero") != 0; }

void elem_put_applied(Text *out, OpId op)
{
    const ElemInfo *info = elem_info(elem_of(op));
    char form[16];
    if (!*op_form(op, form))
        text_printf(out, "%s(x%s)", info->name, info->arity > 1 ? ", z" : "");
    for (const char *p = form; *p; p++)
        if (*p == '%' && (p[1] == '0' || p[1] == '1'))
            text_putc(out, *++p == '0' ? 'x' : 'z');
        else
            text_putc(out, *p);
}

void elem_put_differential(Store *st, Text *out, OpId op)
{
    const ElemInfo *info = elem_info(elem_of(op));
    char form[16];
    bool sign = *op_form(op, form) != '\0', first = has_part(info->dx);
    text_put(out, sign ? "d (" : "d ");
    elem_put_applied(out, op);
    text_put(out, sign ? ") = " : " = ");
    if (first)
        put_part(st, out, info->dx, "dx");
    if (info->arity > 1 && has_part(info->dz)) {
        Text second = {0};
        put_part(st, &second, info->dz, "dz");
        const char *s = text_str(&second);
        bool minus = first && *s == '-';
        text_printf(out, "%s%s", minus ? " - " : first ? " + " : "", s + minus);
        text_free(&second);
    } else if (!first) {
        text_put(out, "0");
    }
}

static bool mentions(const Expr *e, const char *name)
{
    bool found = e->kind == E_NAME && !strcmp(e->text, name);
    for (int i = 0; i < e->nitems && !found; i++)
        found = mentions(e->items[i], name);
    for (int i = 0; i < e->nargs && !found; i++)
        found = mentions(e->args[i].value, name);
    return found;
}

bool elem_differential_reads_result(Store *st, OpId op)
{
    const ElemInfo *info = elem_info(elem_of(op));
    const char *parts[] = {info->dx, info->arity > 1 ? info->dz : NULL};
    bool reads = false;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        reads = reads || (has_part(parts[i]) && mentions(elem_derivative_tree(st, parts[i]), "y"));
    return reads;
}

const char *derivative_rule(Store *st, const Node *n)
{
    if (!op_is_elem_row(n->op))
        return op_table[n->op].rule;
    Text out = {0};
    elem_put_differential(st, &out, n->op);
    const char *copy = arena_strndup(&st->scratch, text_str(&out), out.len);
    text_free(&out);
    return copy;
}
