/* What the text of the prelude may do that no other text may.  See elab_prelude.h. */
#include "lang/elab_prelude.h"
#include "ops/build.h"

#include <ctype.h>

bool in_prelude(const Elab *e, Span at) { return at.src && at.src == e->prelude; }

/* ---- what is known while the graph is built ---- */

/* The constant that n is; NULL: it is none. */
static Node *known(Store *st, Node *n)
{
    enum { MOST = 4 };
    Node *ops[MOST];
    if (!n || n->op == OP_CONST)
        return n;
    if (!n->nops || n->nops > MOST)
        return NULL;
    for (u32 i = 0; i < n->nops; i++)
        if (!(ops[i] = known(st, n->ops[i])))
            return NULL;
    Node *same = node_make(st, n->op, n->attrs, n->nops, ops);
    return same && can_fold(same) ? fold_node(st, same) : NULL;
}

int prelude_known(Elab *e, Node *condition)
{
    i64 k;
    Node *n = known(e->st, condition);
    return n && type_is_scalar(n->type) && node_const_i64(n, &k) ? k != 0 : -1;
}

/* A whole number that is known, as a constant: what comes of it is small, and reads well. */
static Value *fold_known(Elab *e, Value *v)
{
    bool number = v && v->kind == V_NODE && type_is_scalar(v->node->type) &&
                  dtype_is_int(v->node->type->dtype);
    Node *n = number && v->node->op != OP_CONST ? known(e->st, v->node) : NULL;
    return !n ? v : v->weak ? value_weak(e, n) : value_node(e, n);
}

Value *prelude_if(Elab *e, Expr *x)
{
    Node *c = elab_node(e, x->items[0], "the condition of `if`");
    int way = c ? prelude_known(e, c) : -1;
    if (c && way < 0)
        return elab_error(e, x->items[0]->span, "not-constant", NULL,
                          "this has to be a constant, known before anything runs");
    return c ? fold_known(e, elab_expr(e, x->items[way ? 1 : 2])) : NULL;
}

Value *prelude_same(Elab *e, AstOp op, const Value *a, const Value *b)
{
    if ((op != AST_EQ && op != AST_NE) || !a || !b || (b->kind != V_NONE && b->kind != V_STRING))
        return NULL;
    bool same = a->kind == b->kind && (a->kind == V_NONE || !strcmp(a->text, b->text));
    return value_node(e, node_bool(e->st, same == (op == AST_EQ)));
}

/* ---- where a mistake is told ---- */

const char *prelude_caller(const Elab *e, const char *name)
{
    for (const Calling *c = e->calling; c; c = c->caller) {
        if (!c->function->body || !in_prelude(e, c->function->body->span))
            break;
        name = c->function->text ? c->function->text : name;
    }
    return name;
}

static bool name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The first parameter of f that the text mentions; -1: none. */
static int first_mentioned(const Value *f, Span at)
{
    const char *text = at.src->text;
    for (u32 i = at.start; i < at.end;) {
        u32 len = 0;
        while (i + len < at.end && name_char(text[i + len]))
            len++;
        for (int k = 0; k < f->nparams && len; k++)
            if (strlen(f->params[k].name) == len && !memcmp(f->params[k].name, text + i, len))
                return k;
        i += len ? len : 1;
    }
    return -1;
}

static void drop(Diags *ds, size_t i)
{
    free(ds->list.at[i].message);
    free(ds->list.at[i].hint);
    ds->list.len--;
    memmove(ds->list.at + i, ds->list.at + i + 1, (ds->list.len - i) * sizeof *ds->list.at);
}

bool prelude_blame(Elab *e, const Value *f, const Span *arguments, Span call, size_t first)
{
    Diags *ds = e->st->diags;
    bool moved = false;
    for (size_t i = first; i < ds->list.len && in_prelude(e, f->body->span);) {
        Diag *d = &ds->list.at[i];
        bool here = in_prelude(e, d->span);
        moved = moved || here;
        if (here && d->note && !strcmp(d->code, "call")) {
            drop(ds, i);
            continue;
        }
        int k = here ? first_mentioned(f, d->span) : -1;
        if (here)
            d->span = k >= 0 && arguments && arguments[k].src ? arguments[k] : call;
        i++;
    }
    return moved;
}
