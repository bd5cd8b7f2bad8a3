/* Terms over the operators that were asked for, by size. An operator is whatever the language takes
 * as one: a form of it is a text with places for operands, which is tried. */
#include "discover/discovering.h"

#include <ctype.h>

const Family families[FAMILIES] = {
#define F(NAME, TYPE, VARIABLES, KIND, GUARD, CONSTANTS, ABOUT) \
    {#NAME, TYPE, VARIABLES, KIND, GUARD, CONSTANTS, ABOUT},
#include "session/families.def"
};

enum { MOST_OPERANDS = 3 };

static bool has_family(const Discoverer *d, int f) { return d->how->families >> f & 1; }

static u32 variables_of(const Discoverer *d, int f)
{
    u32 most = (u32)strlen(families[f].variables);
    return !has_family(d, f) ? 0 : d->how->variables < most ? d->how->variables : most;
}

int family_of_variable(const Discoverer *d, char name)
{
    for (int f = 0; f < FAMILIES; f++)
        if (memchr(families[f].variables, name, variables_of(d, f)))
            return f;
    return -1;
}

/* ---- one term ---- */

static Node *read_node(Discoverer *d, const Source *src)
{
    Session *s = &d->s;
    DiagTry trial;
    diag_try_begin(&trial, &s->st.diags);
    Node **roots = NULL, *r = NULL;
    Value *v = session_value(s, source_whole(src));
    if (v && session_roots(s, v, source_whole(src), &roots) == 1 &&
        roots[0]->type->kind == TYPE_TENSOR)
        r = roots[0];
    free(roots);
    diag_try_end(&trial);
    return r;
}

/* As it is written with few parentheses. */
static const char *tidy(Discoverer *d, const Source *src)
{
    Text t = {0};
    ast_print_expr(&t, parse_expression(source_whole(src), &d->s.arena, d->s.st.diags));
    const char *r = arena_strndup(&d->out->arena, text_str(&t), t.len);
    text_free(&t);
    return r;
}

Node *term_node(Discoverer *d, const char *text)
{
    return read_node(d, session_source(&d->s, "<term>", text, strlen(text)));
}

/* False: it is no term, or was met before. */
static bool term_read(Discoverer *d, const char *text, FoundTerm *out)
{
    const Source *src = session_source(&d->s, "<term>", text, strlen(text));
    Node *n = read_node(d, src);
    if (!n || !set_add(&d->nodes, n))
        return false;
    *out = (FoundTerm){.text = tidy(d, src), .node = n};
    return true;
}

/* ---- forms ---- */

static void add_form(Discoverer *d, int of, u32 arity, const char *before, const char *between,
                     const char *after)
{
    Text t = {0};
    text_put(&t, before);
    for (u32 k = 0; k < arity; k++)
        text_put(&t, k ? between : "?");
    text_put(&t, after);
    vec_push(&d->forms,
             ((TermForm){arena_strndup(&d->out->arena, text_str(&t), t.len), arity, of, false}));
    text_free(&t);
}

/* All ways in which a word can stand with operands; which of them the language takes is found out.
 * A rule has to say along which axis an operator works. */
static void add_forms(Discoverer *d, int of)
{
    const char *word = d->how->operators[of];
    bool name = isalpha((unsigned char)*word) || *word == '_';
    Arena *a = &d->out->arena;
    Text t = {0};
    text_printf(&t, name ? "%s(" : "%s", word);
    const char *before = arena_strndup(a, text_str(&t), t.len);
    t.len = 0;
    text_printf(&t, " %s ?", word);
    const char *between = arena_strndup(a, text_str(&t), t.len);
    text_free(&t);
    add_form(d, of, 2, "", between, "");
    if (!name) {
        add_form(d, of, 1, before, "", "");
        add_form(d, of, 1, "", "", word);
        return;
    }
    add_form(d, of, 1, before, "", ", axis=0)");
    for (u32 arity = 1; arity <= MOST_OPERANDS; arity++)
        add_form(d, of, arity, before, ", ?", ")");
}

/* ---- all of a size ---- */

/* Operands in the places of a form. */
static void put_term(Text *out, const TermForm *f, const FoundTerm *const *operands)
{
    u32 k = 0;
    for (const char *c = f->text; *c; c++)
        if (*c != '?')
            text_putc(out, *c);
        else {
            const FoundTerm *t = operands[k++];
            text_printf(out, t->composed ? "(%s)" : "%s", t->text);
        }
}

static bool offer(Discoverer *d, TermForm *f, u32 size, const FoundTerm *const *operands,
                  TermFound found)
{
    Text t = {0};
    FoundTerm term;
    bool constant = true;
    for (u32 k = 0; k < f->arity; k++)
        constant = constant && operands[k]->node->op == OP_CONST;
    if (constant)
        return true; /* folding says what it is */
    put_term(&t, f, operands);
    bool ok = term_read(d, text_str(&t), &term);
    text_free(&t);
    if (!ok)
        return true;
    f->used = true;
    term.size = size;
    term.composed = true;
    return found(d, &term);
}

/* The operands from the k-th on have `left` places together. */
static bool fill(Discoverer *d, TermForm *f, u32 size, u32 k, u32 left, const FoundTerm **operands,
                 TermFound found)
{
    if (k == f->arity)
        return left || offer(d, f, size, operands, found);
    u32 later = f->arity - k - 1;
    for (u32 mine = 1; mine + later <= left; mine++) {
        if (k + 1 == f->arity && mine != left)
            continue;
        u32 end = d->begins.at[mine + 1];
        for (u32 i = d->begins.at[mine]; i < end; i++) {
            FoundTerm copy = d->terms.at[i]; /* terms may move when one is found */
            operands[k] = &copy;
            if (store_stops(&d->s.st) || !fill(d, f, size, k + 1, left - mine, operands, found))
                return false;
        }
    }
    return true;
}

bool terms_of_size(Discoverer *d, u32 size, TermFound found)
{
    bool going = true;
    for (size_t i = 0; i < d->forms.len && going; i++) {
        const FoundTerm *operands[MOST_OPERANDS];
        going = size <= d->forms.at[i].arity ||
                fill(d, &d->forms.at[i], size, 0, size - 1, operands, found);
    }
    vec_push(&d->begins, (u32)d->terms.len);
    return going;
}

/* ---- of size 1 ---- */

static void ignore(void *ctx, Result *r) { (void)ctx, (void)r; }

static void declare(Discoverer *d, int f, char name)
{
    Text t = {0};
    text_printf(&t, "%c : %s\n", name, families[f].type);
    const Source *src = session_source(&d->s, "<term>", text_str(&t), t.len);
    Parser p;
    Stmt *stmt;
    parser_init(&p, src, &d->s.arena, d->s.st.diags, false);
    while (parse_statement(&p, &stmt) == PARSE_OK)
        session_run(&d->s, stmt, ignore, NULL);
    text_free(&t);
}

static void add_leaf(Discoverer *d, const char *text)
{
    FoundTerm t;
    if (term_read(d, text, &t)) {
        t.size = 1;
        vec_push(&d->terms, t);
    }
}

static void add_constants(Discoverer *d, int f)
{
    for (const char *c = families[f].constants; *c;) {
        size_t n = strcspn(c, " ");
        Text t = {0};
        /* of a dtype: a plain number takes that of what it meets */
        text_putn(&t, c, n);
        text_put(&t, families[f].type[0] == 'f' ? ".0" : "");
        add_leaf(d, text_str(&t));
        text_free(&t);
        c += n + strspn(c + n, " ");
    }
}

bool terms_open(Discoverer *d)
{
    for (int f = 0; f < FAMILIES; f++)
        for (u32 k = 0; k < variables_of(d, f); k++)
            declare(d, f, families[f].variables[k]);
    vec_push(&d->begins, 0);
    vec_push(&d->begins, 0);
    for (int f = 0; f < FAMILIES; f++)
        for (u32 k = 0; k < variables_of(d, f); k++)
            add_leaf(d, (char[]){families[f].variables[k], 0});
    for (int f = 0; f < FAMILIES; f++)
        if (has_family(d, f))
            add_constants(d, f);
    vec_push(&d->begins, (u32)d->terms.len);
    for (int i = 0; i < d->how->noperators; i++)
        add_forms(d, i);
    return !d->s.st.diags->errors;
}
