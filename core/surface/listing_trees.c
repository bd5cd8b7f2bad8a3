/* The statements of a graph as trees for those who write them in another way.
 *
 * In a listing a name, a size or a constant is a text, and a sum has all its terms. Invariant: here
 * these are trees as the parser builds them, and what stands for a node still refers to it. */
#include "surface/listing.h"
#include "syntax/parse.h"

typedef struct {
    Store *st;
    Arena *arena;
} Settling;

typedef void (*Visit)(Settling *s, Expr *e);

static void visit(Settling *s, Expr *e, Visit f)
{
    if (e)
        f(s, e);
}

static void visit_stmt(Settling *s, Stmt *stmt, Visit f)
{
    for (int i = 0; stmt->type && i < stmt->type->ndims; i++)
        visit(s, stmt->type->dims[i], f);
    visit(s, stmt->value, f);
}

static void visit_scan(Settling *s, ScanExpr *scan, Visit f)
{
    for (int i = 0; i < scan->nover; i++)
        visit(s, scan->over[i].init, f);
    visit(s, scan->count, f);
    visit(s, scan->go, f);
    for (int i = 0; i < scan->nfrom; i++)
        visit(s, scan->from[i].init, f);
    for (int i = 0; i < scan->nitems; i++)
        visit(s, scan->items[i].value, f);
}

/* All trees directly below e. */
static void visit_below(Settling *s, Expr *e, Visit f)
{
    for (int i = 0; i < e->nitems; i++)
        visit(s, e->items[i], f);
    for (int i = 0; i < e->nargs; i++)
        visit(s, e->args[i].value, f);
    for (int i = 0; i < e->nsubs; i++) {
        visit(s, e->subs[i].index, f);
        visit(s, e->subs[i].start, f);
        visit(s, e->subs[i].stop, f);
        visit(s, e->subs[i].step, f);
    }
    for (int i = 0; i < e->nstmts; i++)
        visit_stmt(s, e->stmts[i], f);
    if (e->scan)
        visit_scan(s, e->scan, f);
}

/* The place of an operator is where a node would be. */
static void forget_place(Settling *s, Expr *e)
{
    e->of = NULL;
    visit_below(s, e, forget_place);
}

Expr *tree_read(const char *text, Arena *arena)
{
    Diags quiet = {0};
    Source *src = arena_alloc(arena, sizeof *src);
    size_t len = strlen(text);
    *src = (Source){
        .name = arena_strndup(arena, "", 0), .text = arena_strndup(arena, text, len), .len = len};
    Expr *e = parse_expression(source_whole(src), arena, &quiet);
    diags_free(&quiet);
    if (e)
        forget_place(NULL, e);
    return e;
}

/* ---- texts ---- */

static bool is_text(const Expr *e)
{
    return e->kind == E_SIZE || e->kind == E_FLOAT || (e->kind == E_ARRAY && e->text) ||
           (e->kind == E_NAME && !is_name_text(e->text));
}

static void read_text(Settling *s, Expr *e)
{
    const void *of = e->of;
    bool open = !strcmp(e->text, "?");
    const Expr *read = open ? NULL : tree_read(e->text, s->arena);
    if (read)
        *e = *read;
    else if (open)
        e->kind = E_UNKNOWN_SIZE;
    e->of = of;
}

/* ---- sums ---- */

/* Does e, the first operand of `op`, stand in parentheses, though it is a text? */
static bool is_enclosed(const Expr *e, AstOp op)
{
    return (e->kind == E_SIZE && e->flag && ast_sign(op)->left > LEVEL_ADD) ||
           (e->kind == E_NAME && e->text[0] == '(');
}

/* a + b + c is (a + b) + c; only the whole is a node. */
static void nest(Settling *s, Expr *e)
{
    while (e->nitems > 2) {
        Expr *first = arena_alloc(s->arena, sizeof *first);
        *first = (Expr){.kind = E_BINARY, .op = e->op, .flag = e->flag, .nitems = 2};
        first->items = arena_alloc(s->arena, 2 * sizeof *first->items);
        memcpy(first->items, e->items, 2 * sizeof *first->items);
        e->items++, e->nitems--;
        e->items[0] = first;
        e->flag = false;
    }
}

/* ---- loops ---- */

/* "h[t-1]" of a loop's own: name, whether it is indexed, offset. */
static void split_tap(Settling *s, const char **name, bool *indexed, i64 *offset)
{
    Symbol base, index;
    if (!tap_of(s->st, *name, &base, &index, offset))
        return;
    *name = base;
    *indexed = true;
}

static void settle_scan(Settling *s, ScanExpr *scan)
{
    for (int i = 0; i < scan->nover; i++)
        split_tap(s, &scan->over[i].name, &scan->over[i].indexed, &scan->over[i].offset);
    for (int i = 0; i < scan->nitems; i++)
        for (int k = 0; k < scan->items[i].ntargets; k++) {
            Target *t = &scan->items[i].targets[k];
            split_tap(s, &t->name, &t->indexed, &t->offset);
        }
}

/* ---- all ---- */

static void settle(Settling *s, Expr *e)
{
    if (is_text(e)) {
        read_text(s, e);
        return;
    }
    bool binary = e->kind == E_BINARY, enclosed = binary && is_enclosed(e->items[0], e->op);
    visit_below(s, e, settle);
    if (binary) {
        e->flag =
            (e->flag || enclosed) && e->items[0]->kind == E_BINARY && e->items[0]->op == e->op;
        nest(s, e);
    }
    if (e->scan)
        settle_scan(s, e->scan);
    if (e->kind == E_BLOCK && !e->of)
        e->of = e->items[0]->of;
}

static void add_statements(GraphTrees *t, Settling *s, const Expr *block)
{
    for (int i = 0; i < block->nstmts; i++) {
        visit_stmt(s, block->stmts[i], settle);
        t->statements[t->n++] = block->stmts[i];
    }
}

bool graph_trees(Store *st, GraphTrees *t, int nroots, Node *const *roots)
{
    Listing l;
    Frame f;
    listing_begin(&l, &f, st, NULL);
    listing_whole(&f, nroots, roots);
    *t = (GraphTrees){.arena = l.b.arena};
    l.b.arena = (Arena){0};
    Settling s = {st, &t->arena};
    int n = l.inputs->nstmts + l.called->nstmts + f.block->nstmts;
    t->statements = arena_alloc(&t->arena, (size_t)n * sizeof *t->statements);
    add_statements(t, &s, l.inputs);
    add_statements(t, &s, l.called);
    add_statements(t, &s, f.block);
    return listing_end(&l, &f);
}

void graph_trees_free(GraphTrees *t) { arena_free(&t->arena); }
