/* Forms as texts: "2 * sum(k) x[i, k] * y[k, j] + 1". */
#include "algebra/parts.h"

static void put_name(Text *out, int name)
{
    static const char letters[] = "ijklmnpq";
    if (name < FORM_BOUND)
        text_putc(out, letters[name % 8]);
    else
        text_printf(out, "b%d", name - FORM_BOUND);
}

static void put_index(const Algebra *a, const FormIndex *x, Text *out)
{
    if (x->scale == -1)
        text_putc(out, '-');
    else if (x->name >= 0 && x->scale != 1)
        text_printf(out, "%lld ", (long long)x->scale);
    if (x->name >= 0)
        put_name(out, x->name);
    if (x->name >= 0 && x->at)
        text_put(out, " + ");
    if (x->at)
        form_print(a, x->at, out);
    else if (x->name < 0)
        text_putc(out, '0');
}

static void put_atom(const Algebra *a, const FormAtom *atom, Text *out)
{
    if (atom->kind == ATOM_DELTA || atom->kind == ATOM_PLACE || atom->kind == ATOM_ORDER)
        text_put(out, atom->kind == ATOM_DELTA   ? "delta"
                      : atom->kind == ATOM_PLACE ? "place"
                                                 : "order");
    else if (atom->kind == ATOM_LENGTH)
        size_print(out, &(Size){.nterms = 1,
                                .terms = &(SizeTerm){
                                    1, 1, (SizeAtom *[]){(SizeAtom *)(uintptr_t)atom->size}}});
    else if (atom->node && atom->kind == ATOM_LEAF)
        text_put(out, node_name(a->st, atom->node) ? node_name(a->st, atom->node)
                                                   : op_word(atom->node->op));
    else if (atom->node)
        text_put(out, op_word(atom->node->op));
    for (u32 i = 0; i < atom->nargs; i++) {
        text_put(out, i ? ", " : "(");
        form_print(a, atom->args[i], out);
    }
    text_put(out, atom->nargs ? ")" : "");
}

static void put_factor(const Algebra *a, const FormFactor *f, Text *out)
{
    put_atom(a, f->atom, out);
    for (u32 k = 0; k < f->arity; k++) {
        text_put(out, k ? ", " : "[");
        put_index(a, &f->index[k], out);
    }
    text_put(out, f->arity ? "]" : "");
    if (f->power != 1)
        text_printf(out, "^%d", f->power);
}

static void put_term(const Algebra *a, const FormTerm *t, Text *out)
{
    bool number = !coef_is(t->c, 1) || !t->of->nfactors;
    if (number)
        text_printf(out, "%lld", (long long)t->c.num);
    if (t->c.den != 1)
        text_printf(out, "/%lld", (long long)t->c.den);
    if (t->of->nbound)
        text_put(out, number ? " * sum(" : "sum(");
    for (u32 i = 0; i < t->of->nbound; i++) {
        text_put(out, i ? ", " : "");
        put_name(out, FORM_BOUND + (int)i);
    }
    text_put(out, t->of->nbound ? ") " : number && t->of->nfactors ? " * " : "");
    for (u32 i = 0; i < t->of->nfactors; i++) {
        text_put(out, i ? " * " : "");
        put_factor(a, &t->of->factors[i], out);
    }
}

/* "{x: a below 0, b, nan: c}" */
static void put_choice(const Algebra *a, const FormChoice *c, Text *out)
{
    text_putc(out, '{');
    form_print(a, c->of, out);
    text_put(out, ": ");
    for (u32 i = 0; i <= c->ncuts; i++) {
        form_print(a, c->values[i], out);
        if (i < c->ncuts)
            text_printf(out, c->cuts[i].after ? " up to %g, " : " below %g, ", c->cuts[i].at);
    }
    if (c->nan)
        text_put(out, ", nan: ");
    if (c->nan)
        form_print(a, c->nan, out);
    text_putc(out, '}');
}

void form_print(const Algebra *a, const Form *f, Text *out)
{
    if (f->choice)
        put_choice(a, f->choice, out);
    else if (!f->nterms)
        text_putc(out, '0');
    for (u32 i = 0; i < f->nterms; i++) {
        text_put(out, i ? " + " : "");
        put_term(a, &f->terms[i], out);
    }
}
