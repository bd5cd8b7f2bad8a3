/* Trees put together piece by piece.
 *
 * Invariant: what a tree holds is in the arena of its builder, or lives as long as the store. */
#include "surface/tree.h"

Expr *tree_new(Builder *b, ExprKind kind, const char *text)
{
    Expr *e = arena_alloc(&b->arena, sizeof *e);
    e->kind = kind;
    e->text = text;
    b->width += text ? strlen(text) : 1;
    return e;
}

Expr *tree_text(Builder *b, ExprKind kind, Text *text)
{
    Expr *e = tree_new(b, kind, arena_strndup(&b->arena, text_str(text), text->len));
    text_free(text);
    return e;
}

Expr *tree_int(Builder *b, i64 k)
{
    Text t = {0};
    text_printf(&t, "%lld", (long long)k);
    return tree_text(b, E_INT, &t);
}

Expr *tree_size(Builder *b, const Size *s)
{
    Text t = {0};
    size_print_numbered(&t, s, b->num);
    Expr *e = b->reading ? tree_read(text_str(&t), &b->arena) : NULL;
    if (e) {
        text_free(&t);
        return e;
    }
    e = tree_text(b, E_SIZE, &t);
    e->flag = !size_as_atom(s);
    return e;
}

/* Room for one more of n things: doubled where they fill a power of two. */
static void *grown(Builder *b, void *old, int n, size_t item)
{
    if (n & (n - 1))
        return old;
    void *at = arena_alloc(&b->arena, item * (n ? 2 * (size_t)n : 1));
    if (n)
        memcpy(at, old, item * (size_t)n);
    return at;
}

void tree_item(Builder *b, Expr *e, Expr *item)
{
    e->items = grown(b, e->items, e->nitems, sizeof(Expr *));
    e->items[e->nitems++] = item;
}

void tree_bind(Builder *b, Bind **binds, int *n, const char *name, Expr *init)
{
    *binds = grown(b, *binds, *n, sizeof(Bind));
    (*binds)[(*n)++] = (Bind){.name = name, .init = init};
}

Stmt *tree_stmt(Builder *b, Expr *block, StmtKind kind, Expr *value)
{
    Stmt *s = arena_alloc(&b->arena, sizeof *s);
    s->kind = kind;
    s->value = value;
    block->stmts = grown(b, block->stmts, block->nstmts, sizeof(Stmt *));
    block->stmts[block->nstmts++] = s;
    return s;
}

void tree_param(Builder *b, Expr *lambda, const char *name)
{
    tree_bind(b, &lambda->params, &lambda->nparams, name, NULL);
}

void tree_arg(Builder *b, Expr *call, const char *name, Expr *value)
{
    call->args = grown(b, call->args, call->nargs, sizeof(Arg));
    call->args[call->nargs++] = (Arg){.name = name, .value = value};
}

void tree_arg_int(Builder *b, Expr *call, const char *name, i64 value)
{
    tree_arg(b, call, name, tree_int(b, value));
}

void tree_arg_text(Builder *b, Expr *call, const char *name, const char *value)
{
    tree_arg(b, call, name, tree_new(b, E_NAME, value));
}

Expr *tree_call(Builder *b, const char *name)
{
    Expr *e = tree_new(b, E_CALL, NULL);
    tree_item(b, e, tree_new(b, E_NAME, name));
    return e;
}

Expr *tree_operator(Builder *b, AstOp op, Expr *x, Expr *y)
{
    Expr *e = tree_new(b, y ? E_BINARY : E_UNARY, NULL);
    e->op = op;
    tree_item(b, e, x);
    if (y)
        tree_item(b, e, y);
    return e;
}

Expr *tree_field(Builder *b, Expr *of, const char *field)
{
    Expr *e = tree_new(b, E_FIELD, field);
    tree_item(b, e, of);
    return e;
}

Expr *tree_index(Builder *b, Expr *of, i64 k)
{
    Expr *e = tree_new(b, E_INDEX, NULL);
    tree_item(b, e, of);
    e->subs = arena_alloc(&b->arena, sizeof *e->subs);
    e->nsubs = 1;
    e->subs[0] = (Sub){.kind = SUB_INDEX, .index = tree_int(b, k)};
    return e;
}
