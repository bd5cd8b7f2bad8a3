/* Atoms: what a form has no more to say about than where it is read. */
#include "algebra/parts.h"

#include <math.h>
#include <string.h>

/* ---- interning ---- */

static bool same_operator(const Node *a, const Node *b)
{
    if (!a || !b)
        return a == b;
    return a->op == b->op && a->nattrs == b->nattrs &&
           (!a->nattrs || !memcmp(a->attrs, b->attrs, a->nattrs * sizeof *a->attrs));
}

/* An operator on whole tensors depends on their shapes, too. */
static bool same_shapes(const FormAtom *a, const FormAtom *b)
{
    bool same = a->node->nops == b->node->nops;
    for (u32 i = 0; i < a->node->nops && same; i++)
        same = a->node->ops[i]->type == b->node->ops[i]->type;
    return same;
}

static bool same_atom(const void *x, const void *y)
{
    const FormAtom *a = x, *b = y;
    if (a->kind != b->kind || a->dtype != b->dtype || a->nargs != b->nargs || a->size != b->size)
        return false;
    for (u32 i = 0; i < a->nargs; i++)
        if (a->args[i] != b->args[i])
            return false;
    switch (a->kind) {
    case ATOM_LEAF: return a->node == b->node;
    case ATOM_OPAQUE: return same_operator(a->node, b->node) && same_shapes(a, b);
    case ATOM_FUNCTION: return same_operator(a->node, b->node);
    default: return true;
    }
}

static u64 atom_key(const Algebra *in, const FormAtom *a)
{
    u64 h = hash_mix((u64)a->kind, (u64)a->dtype);
    if (a->kind == ATOM_LEAF)
        return hash_mix(h, leaf_key(in, (Node *)(uintptr_t)a->node));
    h = hash_mix(h, a->size ? size_atom_key(in, a->size) : 0);
    h = hash_mix(h, a->node ? node_operator_hash(a->node) : 0);
    for (u32 i = 0; i < a->nargs; i++)
        h = hash_mix(h, a->args[i]->key);
    for (u32 i = 0; a->kind == ATOM_OPAQUE && i < a->node->nops; i++)
        h = hash_mix(h, a->node->ops[i]->type->hash);
    return h;
}

static const FormAtom *intern_atom(Algebra *a, FormAtom probe)
{
    probe.key = atom_key(a, &probe);
    FormAtom *found = intern_find(&a->atoms, probe.key, &probe, same_atom);
    if (found)
        return found;
    found = arena_alloc(&a->arena, sizeof *found);
    *found = probe;
    found->id = ++a->ids;
    for (u32 i = 0; i < probe.nargs; i++)
        if (probe.args[i]->depth >= found->depth)
            found->depth = probe.args[i]->depth + 1;
    found->args = arena_alloc(&a->arena, (probe.nargs + 1) * sizeof *found->args);
    if (probe.nargs)
        memcpy(found->args, probe.args, probe.nargs * sizeof *found->args);
    intern_add(&a->atoms, found->key, found);
    return found;
}

const FormAtom *atom_leaf(Algebra *a, Node *n)
{
    return intern_atom(
        a, (FormAtom){
               .kind = ATOM_LEAF, .node = n, .dtype = node_dtype(n), .arity = (u32)node_rank(n)});
}

static const FormAtom *atom_length(Algebra *a, const SizeAtom *size)
{
    return intern_atom(a, (FormAtom){.kind = ATOM_LENGTH, .size = size, .dtype = DT_I64});
}

const FormAtom *atom_delta(Algebra *a)
{
    return intern_atom(a, (FormAtom){.kind = ATOM_DELTA, .dtype = DT_I64, .arity = 2});
}

static const FormAtom *atom_place(Algebra *a)
{
    return intern_atom(a, (FormAtom){.kind = ATOM_PLACE, .dtype = DT_I64, .arity = 1});
}

const FormAtom *atom_opaque(Algebra *a, const Node *n, u32 nargs, const Form *const *args)
{
    FormAtom probe = {.kind = ATOM_OPAQUE,
                      .node = n,
                      .dtype = n->type->dtype,
                      .nargs = nargs,
                      .arity = (u32)n->type->rank};
    probe.args = (const Form **)(uintptr_t)args;
    return intern_atom(a, probe);
}

/* ---- functions and the names that they are of ---- */

typedef struct {
    u32 nargs;
    const Form *const *args;
    u64 colours[FORM_BOUND], sums[FORM_BOUND];
    u64 bound[FORM_MOST_BOUND];
} Colouring;

static void colour_term(Colouring *c, u32 arg, const FormTerm *t)
{
    u64 whole = hash_mix(hash_mix(arg, (u64)t->c.num), (u64)t->c.den);
    for (u32 i = 0; i < t->of->nfactors; i++)
        whole += factor_hash(&t->of->factors[i], c->colours, c->bound);
    for (u32 i = 0; i < t->of->nfactors; i++) {
        const FormFactor *f = &t->of->factors[i];
        u64 h = hash_mix(whole, factor_hash(f, c->colours, c->bound));
        for (u32 k = 0; k < f->arity; k++)
            if (f->index[k].name >= 0 && f->index[k].name < FORM_BOUND)
                c->sums[f->index[k].name] += hash_mix(h, k + 1);
    }
}

static void colour_names(Colouring *c, u32 rounds)
{
    for (u32 r = 0; r < rounds; r++) {
        memset(c->sums, 0, sizeof c->sums);
        for (u32 i = 0; i < c->nargs; i++)
            for (u32 t = 0; t < c->args[i]->nterms; t++)
                colour_term(c, i, &c->args[i]->terms[t]);
        for (int i = 0; i < FORM_BOUND; i++)
            c->colours[i] = hash_mix(c->colours[i], c->sums[i]);
    }
}

/* The names in use, by what they are in these forms; alike ones as they are numbered outside, which
 * makes a function that is symmetric in them the same either way. */
static u32 function_names(u32 nargs, const Form *const *args, int *names)
{
    Colouring c = {.nargs = nargs, .args = args};
    u64 used = 0;
    u32 n = 0;
    for (u32 i = 0; i < nargs; i++)
        used |= form_free_names(args[i]);
    for (int i = 0; i < FORM_BOUND; i++)
        if (used >> i & 1)
            names[n++] = i;
    if (n > 1)
        colour_names(&c, n);
    for (u32 i = 1; i < n; i++)
        for (u32 k = i; k && c.colours[names[k]] < c.colours[names[k - 1]]; k--) {
            int t = names[k];
            names[k] = names[k - 1];
            names[k - 1] = t;
        }
    return n;
}

enum { MOST_ARGS = 16 };

/* A function of forms, as the probe says it, in its own names. */
static bool function_of(Algebra *a, FormAtom probe, u32 nargs, const Form *const *args,
                        FormFactor *factor)
{
    int names[FORM_BOUND];
    const Form *own[MOST_ARGS];
    FormIndex to[FORM_BOUND] = {{0}};
    for (u32 i = 0; i < nargs; i++)
        if (nargs > MOST_ARGS || args[i]->depth >= FORM_MOST_DEPTH)
            return algebra_limit(a, FORM_MOST_DEPTH, "functions in functions") != NULL;
    u32 n = function_names(nargs, args, names);
    for (u32 i = 0; i < n; i++)
        to[names[i]] = index_name((int)i);
    for (u32 i = 0; i < nargs; i++)
        if (!(own[i] = form_substitute(a, args[i], to, 0, NULL)))
            return false;
    probe.nargs = nargs;
    probe.args = own;
    probe.arity = n;
    *factor = (FormFactor){.atom = intern_atom(a, probe), .power = 1, .arity = n};
    factor->index = arena_alloc(&a->arena, (n + 1) * sizeof *factor->index);
    for (u32 i = 0; i < n; i++)
        factor->index[i] = index_name(names[i]);
    return true;
}

bool atom_function(Algebra *a, const Node *like, u32 nargs, const Form *const *args,
                   FormFactor *factor)
{
    FormAtom probe = {.kind = like ? ATOM_FUNCTION : ATOM_SUM,
                      .node = like,
                      .dtype = like ? like->type->dtype : args[0]->dtype};
    return function_of(a, probe, nargs, args, factor);
}

/* The same function of others. */
bool atom_again(Algebra *a, const FormAtom *like, const Form *const *args, FormFactor *factor)
{
    FormAtom probe = {.kind = like->kind, .node = like->node, .dtype = like->dtype};
    return function_of(a, probe, like->nargs, args, factor);
}

/* An operator of that name, of numbers; only its operator and dtypes are looked at. */
static const Node *operator_like(Algebra *a, OpId op, DType d, u32 nargs, const Form *const *args)
{
    Node *ops[MOST_ARGS];
    for (u32 i = 0; i < nargs; i++)
        ops[i] = node_cast(a->st, node_f64(a->st, i + 1.0), args[i]->dtype);
    const Node *n = node_make(a->st, op, NULL, nargs, ops);
    return n && node_dtype(n) == d ? n : NULL;
}

const Form *form_of_function(Algebra *a, OpId op, DType d, u32 nargs, const Form *const *args)
{
    FormFactor f;
    const Node *like = nargs <= MOST_ARGS ? operator_like(a, op, d, nargs, args) : NULL;
    return like && atom_function(a, like, nargs, args, &f) ? form_of_factor(a, d, &f) : NULL;
}

const Form *form_of_order(Algebra *a, const Form *x, const Form *y)
{
    const Form *args[] = {x, y};
    FormFactor f;
    FormAtom probe = {.kind = ATOM_ORDER, .dtype = DT_I64};
    return function_of(a, probe, 2, args, &f) ? form_of_factor(a, DT_I64, &f) : NULL;
}

/* ---- forms of one atom ---- */

const Form *form_of_factor(Algebra *a, DType d, const FormFactor *f)
{
    FormDraft draft = {0};
    vec_push(&draft.factors, *f);
    const Form *out = form_of_product(a, d, draft_close(a, &draft));
    draft_free(&draft);
    return out;
}

const Form *form_nan(Algebra *a, DType d)
{
    FormFactor f = {.power = 1};
    f.atom = atom_leaf(a, node_cast(a->st, node_f64(a->st, NAN), d));
    return form_of_factor(a, d, &f);
}

bool factor_is_nan(const FormFactor *f)
{
    double x;
    return f->atom->kind == ATOM_LEAF && node_const_f64(f->atom->node, &x) && x != x;
}

bool form_is_nan(const Form *f)
{
    const FormProduct *p = f->nterms == 1 ? f->terms[0].of : NULL;
    return p && p->nfactors == 1 && factor_is_nan(&p->factors[0]);
}

const Form *form_of_place(Algebra *a, int name)
{
    FormIndex index = index_name(name);
    FormFactor f = {.atom = atom_place(a), .power = 1, .arity = 1, .index = &index};
    return form_of_factor(a, DT_I64, &f);
}

const Form *form_of_atom(Algebra *a, const FormAtom *atom, const Type *t)
{
    FormFactor f = {.atom = atom, .power = 1, .arity = atom->arity};
    f.index = arena_alloc(&a->arena, (f.arity + 1) * sizeof *f.index);
    for (u32 i = 0; i < f.arity; i++)
        f.index[i] = size_is(t->dims[i], 1) ? (FormIndex){-1, 0, NULL} : index_name((int)i);
    return form_of_factor(a, t->dtype, &f);
}

const Form *form_of_size(Algebra *a, DType d, const Size *s)
{
    FormTerms terms = {0};
    bool ok = true;
    if (s->constant)
        vec_push(&terms, ((FormTerm){a->one, {s->constant, 1}}));
    for (u32 i = 0; i < s->nterms && ok; i++) {
        FormDraft draft = {0};
        for (u32 k = 0; k < s->terms[i].nfactors; k++)
            vec_push(&draft.factors,
                     ((FormFactor){.atom = atom_length(a, s->terms[i].factors[k]), .power = 1}));
        FormTerm t = {draft_close(a, &draft), {s->terms[i].coef, 1}};
        draft_free(&draft);
        ok = t.of != NULL;
        vec_push(&terms, t);
    }
    const Form *f = ok ? form_make(a, d, &terms) : NULL;
    vec_free(&terms);
    return f;
}
