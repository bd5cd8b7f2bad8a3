/* Structural equality of trees: what the printer's round trip is tested by.
 *
 * Invariant: places (spans) and comments never matter; every other field does. */
#include "ast_equal.h"

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool equal_all(Expr *const *a, Expr *const *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!ast_equal(a[i], b[i]))
            return false;
    return true;
}

static bool equal_binds(const Bind *a, const Bind *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!same_text(a[i].name, b[i].name) || !ast_equal(a[i].init, b[i].init))
            return false;
    return true;
}

static bool equal_args(const Arg *a, const Arg *b, int n)
{
    for (int i = 0; i < n; i++)
        if (!same_text(a[i].name, b[i].name) || !ast_equal(a[i].value, b[i].value))
            return false;
    return true;
}

static bool equal_subs(const Sub *a, const Sub *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i].kind != b[i].kind || !ast_equal(a[i].index, b[i].index) ||
            !ast_equal(a[i].start, b[i].start) || !ast_equal(a[i].stop, b[i].stop) ||
            !ast_equal(a[i].step, b[i].step))
            return false;
    return true;
}

static bool equal_items(const ScanItem *a, const ScanItem *b)
{
    if (!a->function != !b->function || a->until != b->until || a->ntargets != b->ntargets ||
        !ast_equal(a->value, b->value))
        return false;
    for (int i = 0; i < a->ntargets; i++)
        if (!same_text(a->targets[i].name, b->targets[i].name) ||
            a->targets[i].indexed != b->targets[i].indexed)
            return false;
    return true;
}

static bool equal_scans(const ScanExpr *a, const ScanExpr *b)
{
    if (!a || !b)
        return a == b;
    if (!same_text(a->index, b->index) || a->nover != b->nover || a->nfrom != b->nfrom ||
        a->has_using != b->has_using || a->nusing != b->nusing || a->zip_strict != b->zip_strict ||
        a->checkpoint_auto != b->checkpoint_auto || a->has_keep != b->has_keep ||
        a->nkeep != b->nkeep || a->reverse != b->reverse || a->loop != b->loop ||
        a->down != b->down || a->grows != b->grows || a->nitems != b->nitems)
        return false;
    if (!equal_binds(a->over, b->over, a->nover) || !equal_binds(a->from, b->from, a->nfrom) ||
        !equal_binds(a->using_names, b->using_names, a->nusing) ||
        !equal_binds(a->keep, b->keep, a->nkeep) || !ast_equal(a->go, b->go) ||
        !ast_equal(a->count, b->count) || !ast_equal(a->checkpoint, b->checkpoint))
        return false;
    for (int i = 0; i < a->nitems; i++)
        if (!equal_items(&a->items[i], &b->items[i]))
            return false;
    return true;
}

static bool has_op(const Expr *e) { return e->kind == E_UNARY || e->kind == E_BINARY; }

bool ast_equal(const Expr *a, const Expr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || !same_text(a->text, b->text) || a->flag != b->flag ||
        (has_op(a) && a->op != b->op) || a->nitems != b->nitems || a->nargs != b->nargs ||
        a->nsubs != b->nsubs || a->nparams != b->nparams || a->nstmts != b->nstmts)
        return false;
    for (int i = 0; i < a->nstmts; i++)
        if (!ast_stmt_equal(a->stmts[i], b->stmts[i]))
            return false;
    return equal_all(a->items, b->items, a->nitems) && equal_args(a->args, b->args, a->nargs) &&
           equal_subs(a->subs, b->subs, a->nsubs) &&
           equal_binds(a->params, b->params, a->nparams) && equal_scans(a->scan, b->scan);
}

static bool equal_types(const TypeExpr *a, const TypeExpr *b)
{
    if (!a || !b)
        return a == b;
    return same_text(a->dtype, b->dtype) && a->ndims == b->ndims &&
           equal_all(a->dims, b->dims, a->ndims);
}

bool ast_stmt_equal(const Stmt *a, const Stmt *b)
{
    if (a->kind != b->kind || a->nnames != b->nnames || a->nvalues != b->nvalues ||
        a->nparams != b->nparams || a->nbody != b->nbody || !same_text(a->command, b->command) ||
        !same_text(a->rest, b->rest))
        return false;
    for (int i = 0; i < a->nbody; i++)
        if (!ast_stmt_equal(a->body[i], b->body[i]))
            return false;
    return equal_binds(a->names, b->names, a->nnames) && equal_types(a->type, b->type) &&
           ast_equal(a->value, b->value) && equal_all(a->values, b->values, a->nvalues) &&
           equal_binds(a->params, b->params, a->nparams);
}
