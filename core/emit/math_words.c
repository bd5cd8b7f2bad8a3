/* Names as in mathematics: Greek letters, subscripts, several letters upright; numbers; types. */
#include "emit/math.h"

#include "base/tex.h"
#include "base/utf8.h"
#include "graph/name.h"
#include "graph/print.h"

#include <ctype.h>

Symbol math_symbol(const MathWriter *w, const char *name) { return symbol(w->st, name); }

static i64 bound(const MathWriter *w, const char *name)
{
    return map_get(&w->bound, math_symbol(w, name));
}

/* ---- letters ---- */

const char *math_word(MathWriter *w, MathForm form, const char *word)
{
    Text out = {0};
    if (!w->typst)
        tex_words(&out, word);
    for (const char *s = word; w->typst && *s; s++)
        text_printf(&out, "%s%c", strchr("\"\\", *s) ? "\\" : "", *s);
    bool foreign = false;
    for (const char *s = word; *s; s++)
        foreign = foreign || (unsigned char)*s >= 0x80;
    const char *text = math_form(w, foreign ? M_TEXT : form, text_str(&out), NULL, NULL);
    text_free(&out);
    return text;
}

/* A Greek letter. */
static const char *greek(MathWriter *w, u32 code)
{
    const char *name = tex_greek(code);
    if (w->typst || !name)
        return math_text(w, "%c%c", 0xC0 | (int)(code >> 6), 0x80 | (int)(code & 63));
    return math_text(w, "\\%s", name);
}

static bool is_latin(u32 c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* One letter, or a word that is the name of a Greek one; NULL: something else. */
static const char *one_letter(MathWriter *w, const char *word, size_t len)
{
    u32 c = 0;
    const char *copy = arena_strndup(&w->arena, word, len);
    if (len && (size_t)utf8_decode(word, len, &c) == len && (is_latin(c) || tex_greek(c)))
        return is_latin(c) ? copy : greek(w, c);
    c = tex_greek_named(copy);
    return c ? greek(w, c) : NULL;
}

/* "W_out", "h0": where the letter before ends, or 0. */
static size_t letter_before(const char *name, const char **rest)
{
    size_t len = strcspn(name, "_0123456789");
    const char *after = name + len + (name[len] == '_');
    bool number = *after != 0;
    for (const char *s = after; *s; s++)
        number = number && isdigit((unsigned char)*s);
    bool word = name[len] == '_' && *after && !strchr(after, '_');
    *rest = after;
    return number || word ? len : 0;
}

/* A name of one word.  A subscript is part of it only where nothing else has the letter before it:
 * else h0 would look like a row of h. */
static Piece plain_name(MathWriter *w, const char *name)
{
    const char *rest, *letter = one_letter(w, name, strlen(name));
    if (letter)
        return (Piece){.text = letter, .level = LEVEL_POSTFIX, .base = letter};
    size_t len = letter_before(name, &rest);
    letter = len ? one_letter(w, name, len) : NULL;
    if (letter && !bound(w, arena_strndup(&w->arena, name, len))) {
        const char *sub = isdigit((unsigned char)*rest) ? rest : one_letter(w, rest, strlen(rest));
        sub = sub ? sub : math_word(w, M_WORD, rest);
        return math_piece(math_form(w, M_SUBSCRIPT, letter, sub, NULL), LEVEL_POSTFIX);
    }
    const char *word = math_word(w, M_WORD, name);
    return (Piece){.text = word, .level = LEVEL_POSTFIX, .base = word};
}

static Piece derived_name(MathWriter *w, Symbol name);

/* NULL: it has no sign, and is written as a word. */
static const char *kind_text(MathWriter *w, const Name *n)
{
    Symbol cotangent = name_derived(w->st, NAME_COTANGENT, n->base);
    switch (n->kind) {
    case NAME_COTANGENT:
        return math_form(w, M_COTANGENT, derived_name(w, n->base).text, NULL, NULL);
    case NAME_TANGENT: return math_form(w, M_TANGENT, derived_name(w, n->base).text, NULL, NULL);
    case NAME_GATHERED:
        return math_form(w, M_GATHERED, derived_name(w, cotangent).text, NULL, NULL);
    case NAME_GIVEN:
    case NAME_CARRIED:
        return math_form(w, M_PART_OF, derived_name(w, cotangent).text, name_word(n->kind), NULL);
    case NAME_GRADIENT: return plain_name(w, name_gradient_text(w->st, n)).text;
    default: return NULL;
    }
}

/* What graph/name.h derives. */
static Piece derived_name(MathWriter *w, Symbol name)
{
    Symbol known = map_get(&w->derived, math_symbol(w, name)); /* of a text that was read again */
    Name n = name_data(w->st, known ? known : name);
    bool sign = n.kind == NAME_COTANGENT || n.kind == NAME_TANGENT || n.kind == NAME_GRADIENT;
    const char *text = n.again || (n.tap && !sign) ? NULL : kind_text(w, &n);
    if (!text)
        return plain_name(w, name);
    if (n.tap)
        text = math_form(w, M_PART_OF, text, math_text(w, "%d", n.tap), NULL);
    return (Piece){.text = text, .level = n.tap || !sign ? LEVEL_POW : LEVEL_POSTFIX, .base = text};
}

/* ---- what a name means ---- */

Piece math_part(MathWriter *w, const ScanExpr *scan, const char *record, const char *name)
{
    (void)scan;
    Piece p = derived_name(w, name);
    if (!record || bound(w, name) < 2)
        return p;
    p.text =
        math_form(w, M_STATE_OF, math_at(w, p, LEVEL_POSTFIX), derived_name(w, record).text, NULL);
    return (Piece){.text = p.text, .level = LEVEL_POW, .base = p.text};
}

/* A sequence that bears the name of the trace of another loop that it is. */
static const Expr *same_trace(const Bind *b)
{
    bool same = b->init && !b->indexed && b->init->kind == E_FIELD &&
                b->init->items[0]->kind == E_NAME && !strcmp(b->init->text, b->name);
    return same ? b->init : NULL;
}

/* Does the loop give the name a meaning of its own? *alias: the trace that it is. */
static bool means_here(const ScanExpr *s, const char *name, const Expr **alias)
{
    for (int i = 0; i < s->nfrom; i++)
        if (!strcmp(s->from[i].name, name))
            return true;
    for (int i = 0; i < s->nitems; i++)
        for (int k = 0; k < s->items[i].ntargets; k++)
            if (!strcmp(s->items[i].targets[k].name, name))
                return true;
    for (int i = 0; i < s->nover; i++)
        if (s->over[i].init && !strcmp(s->over[i].name, name)) {
            *alias = same_trace(&s->over[i]);
            return true;
        }
    return false;
}

Piece math_name(MathWriter *w, const char *name)
{
    for (const MathLoop *l = w->in_size ? NULL : w->loop; l; l = l->outer) {
        const Expr *alias = NULL;
        if (means_here(l->scan, name, &alias))
            return alias ? math_field(w, alias) : math_part(w, l->scan, l->record, name);
    }
    static const char *const words[] = {"true", "false", "None", "nan"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (!strcmp(name, words[i]))
            return math_piece(math_word(w, M_WORD, name), LEVEL_POSTFIX);
    const char *length = map_get(&w->lengths, math_symbol(w, name));
    if (length)
        return math_piece(length, LEVEL_POSTFIX);
    if (w->in_size && bound(w, name))
        return math_piece(math_word(w, M_WORD, name), LEVEL_POSTFIX);
    if (!strcmp(name, "inf") && !bound(w, name))
        return math_piece(math_form(w, M_INFINITE, NULL, NULL, NULL), LEVEL_POSTFIX);
    Piece p = derived_name(w, name);
    p.trace = map_has(&w->records, math_symbol(w, name));
    return p;
}

Piece math_indexed(MathWriter *w, Piece p, const char *subs)
{
    if (!*subs)
        return p;
    const char *base = p.base ? p.base : math_form(w, M_PARENTHESES, p.text, NULL, NULL);
    const char *all = p.base && p.subs ? math_text(w, "%s, %s", p.subs, subs) : subs;
    return (Piece){.text = math_form(w, M_SUBSCRIPT, base, all, NULL),
                   .level = p.base ? p.level : LEVEL_POSTFIX,
                   .base = base,
                   .subs = all};
}

/* ---- numbers ---- */

Piece math_number(MathWriter *w, const char *text)
{
    size_t len = strcspn(text, "eE");
    size_t shown = len;
    if (memchr(text, '.', len)) {
        while (shown > 1 && text[shown - 1] == '0')
            shown--;
        shown -= text[shown - 1] == '.';
    }
    const char *digits = shown ? arena_strndup(&w->arena, text, shown) : "0";
    if (!text[len])
        return math_piece(digits, LEVEL_POSTFIX);
    long power = strtol(text + len + 1, NULL, 10);
    if (!strcmp(digits, "1"))
        return math_piece(math_form(w, M_POWER, "10", math_text(w, "%ld", power), NULL), LEVEL_POW);
    return math_piece(math_form(w, M_SCIENTIFIC, digits, math_text(w, "%ld", power), NULL),
                      LEVEL_MUL);
}

/* ---- types ---- */

const Type *math_type(const Expr *e)
{
    const Node *n = e->of;
    return n && n->type->kind == TYPE_TENSOR ? n->type : NULL;
}

int math_rank(const Expr *e)
{
    const Type *t = math_type(e);
    if (t)
        return t->rank;
    if (e->kind == E_INT || e->kind == E_FLOAT || e->kind == E_BOOL)
        return 0;
    if (e->kind == E_UNARY)
        return math_rank(e->items[0]);
    if (e->kind != E_BINARY || e->op == AST_MATMUL)
        return -1;
    int a = math_rank(e->items[0]), b = math_rank(e->items[1]); /* a part of a + b + c */
    return a < 0 || b < 0 ? -1 : a > b ? a : b;
}

static bool has_text(const Size *s) { return size_is_global(s) && !size_has_kind(s, ATOM_NODE); }

/* A name that means something else, too, stands upright as a size. */
static const char *size_text(MathWriter *w, const Expr *e, Tightness need)
{
    bool before = w->in_size;
    w->in_size = true;
    const char *text = math_at(w, math_expr(w, e, NULL), need);
    w->in_size = before;
    return text;
}

/* What parameter i is given by a loop or for lanes; *lanes: the axis of these, or -1. */
static const Node *given(const GraphPlace *p, int i, i64 *lanes)
{
    *lanes = p->owner->op == OP_VMAP ? p->owner->attrs[1].ints->at[i] : -1;
    if (p->owner->op == OP_VMAP)
        return p->owner->ops[i];
    LoopShape s = loop_shape(p->owner);
    return i < s.nstates ? s.inits[i] : s.captures[i - s.nstates];
}

static Size *size_given(const GraphPlace *p, const SizeAtom *atom)
{
    i64 lanes;
    for (int i = 0; i < p->graph->nparams; i++)
        for (int a = 0; a < p->graph->params[i]->rank; a++)
            if (size_as_atom(p->graph->params[i]->dims[a]) == atom) {
                const Type *outside = given(p, i, &lanes)->type;
                return outside->dims[a + (lanes >= 0 && a >= lanes)];
            }
    return NULL;
}

static Size *size_outside(Store *st, SizeAtom *atom, void *place)
{
    const GraphPlace *p = place;
    bool state = atom->kind == ATOM_NODE && p->owner->op == OP_SCAN && atom->node->op == OP_PARAM &&
                 atom->node->attrs[0].i < scan_shape(p->owner).nstates;
    if (state) /* it begins with that value, and does not keep it */
        return NULL;
    return p->owner->op == OP_VMAP || p->owner->op == OP_LOOP
               ? size_given(p, atom)
               : body_size_outside(st, p->owner, p->graph, atom);
}

const char *math_size(MathWriter *w, Size *size, Tightness need)
{
    Text text = {0};
    for (const GraphPlace *g = w->place; g; g = g->outer)
        size = size_map(w->st, size, size_outside, (void *)(uintptr_t)g);
    if (!has_text(size))
        return NULL;
    size_print(&text, size);
    const Expr *e = tree_read(text_str(&text), &w->arena);
    text_free(&text);
    return e ? size_text(w, e, need) : NULL;
}

const char *math_length(MathWriter *w, const Expr *e)
{
    bool call = e->kind == E_CALL && e->items[0]->kind == E_NAME && e->nargs == 2 &&
                !strcmp(e->items[0]->text, "dim") && e->args[1].value->kind == E_INT;
    const Type *t = call ? math_type(e->args[0].value) : NULL;
    long axis = call ? strtol(e->args[1].value->text, NULL, 10) : -1;
    return t && axis >= 0 && axis < t->rank ? math_size(w, t->dims[axis], LEVEL_POSTFIX) : NULL;
}

static const char *set_of(MathWriter *w, const TypeExpr *type)
{
    static const struct {
        const char *dtype;
        MathForm set;
    } sets[] = {{"f64", M_REALS},
                {"f32", M_REALS},
                {"i64", M_INTEGERS},
                {"i32", M_INTEGERS},
                {"bool", M_TRUTHS}};
    const char *set = NULL, *sizes = "";
    for (int i = 0; i < type->nparts; i++) /* a tuple is of the product of their sets */
        set = i ? math_form(w, M_TIMES, set, set_of(w, type->parts[i]), NULL)
                : set_of(w, type->parts[i]);
    if (type->nparts)
        return set;
    for (size_t i = 0; i < COUNT_OF(sets); i++)
        if (!strcmp(type->dtype, sets[i].dtype))
            set = math_form(w, sets[i].set, NULL, NULL, NULL);
    set = set ? set : math_word(w, M_WORD, type->dtype);
    for (int i = 0; i < type->ndims; i++) {
        const Expr *dim = type->dims[i];
        const char *size = dim->kind == E_UNKNOWN_SIZE ? math_form(w, M_DOT, "", "", NULL)
                                                       : size_text(w, dim, LEVEL_NEG);
        sizes = i ? math_form(w, M_TIMES, sizes, size, NULL) : size;
    }
    return type->ndims ? math_form(w, M_POWER, set, sizes, NULL) : set;
}

const char *math_declared(MathWriter *w, const Stmt *s)
{
    return math_form(w, M_ELEMENT, math_name(w, s->names[0].name).text, set_of(w, s->type), NULL);
}

/* ---- which names there are ---- */

static void note(MathWriter *w, const char *name)
{
    if (!strcmp(name, "_")) /* what is thrown away */
        return;
    map_put(&w->bound, math_symbol(w, name), bound(w, name) + 1);
    if (name_is_made(w->st, name))
        map_put(&w->derived, math_symbol(w, name), name);
}

static void note_expr(MathWriter *w, const Expr *e);

static void note_if(MathWriter *w, const Expr *e)
{
    if (e)
        note_expr(w, e);
}

static bool told_before(const ScanExpr *s, int item, const char *name)
{
    for (int i = 0; i < s->nfrom; i++)
        if (!strcmp(s->from[i].name, name))
            return true;
    for (int i = 0; i < item; i++)
        for (int k = 0; k < s->items[i].ntargets; k++)
            if (!strcmp(s->items[i].targets[k].name, name))
                return true;
    return false;
}

static void note_scan(MathWriter *w, const ScanExpr *s)
{
    note(w, s->index);
    note_if(w, s->count);
    note_if(w, s->go);
    for (int i = 0; i < s->nover; i++) {
        if (s->over[i].init && !same_trace(&s->over[i]))
            note(w, s->over[i].name);
        if (!same_trace(&s->over[i]))
            note_if(w, s->over[i].init);
    }
    for (int i = 0; i < s->nfrom; i++) {
        note(w, s->from[i].name);
        note_if(w, s->from[i].init);
    }
    for (int i = 0; i < s->nitems; i++) {
        const ScanItem *item = &s->items[i];
        for (int k = 0; k < item->ntargets; k++)
            if (!told_before(s, i, item->targets[k].name))
                note(w, item->targets[k].name);
        if (item->ntargets == 1 && item->value->kind == E_SCAN)
            map_put(&w->records, math_symbol(w, item->targets[0].name), item->value->scan);
        note_if(w, item->value);
    }
}

/* Only what is not of a field is used as a whole. */
static void note_expr(MathWriter *w, const Expr *e)
{
    if (e->kind == E_NAME)
        set_add(&w->whole, math_symbol(w, e->text));
    for (int i = 0; i < e->nitems; i++)
        if (e->kind != E_FIELD || e->items[i]->kind != E_NAME)
            note_if(w, e->items[i]);
    for (int i = 0; i < e->nargs; i++)
        note_if(w, e->args[i].value);
    for (int i = 0; i < e->nsubs; i++) {
        note_if(w, e->subs[i].index);
        note_if(w, e->subs[i].start);
        note_if(w, e->subs[i].stop);
        note_if(w, e->subs[i].step);
    }
    for (int i = 0; i < e->nparams; i++)
        note(w, e->params[i].name);
    for (int i = 0; i < e->nstmts; i++)
        math_note(w, e->stmts[i]);
    if (e->scan)
        note_scan(w, e->scan);
}

void math_note(MathWriter *w, const Stmt *s)
{
    for (int i = 0; i < s->nnames; i++)
        note(w, s->names[i].name);
    for (int i = 0; i < s->nparams; i++)
        note(w, s->params[i].name);
    if (s->kind == S_DEFINE && s->nnames == 1 && s->value->kind == E_SCAN)
        map_put(&w->records, math_symbol(w, s->names[0].name), s->value->scan);
    note_if(w, s->value);
}
