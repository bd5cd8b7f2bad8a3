/* Expressions -> values. Scans, calls and indexing have files of their own. */
#include "lang/elab_check.h"
#include "graph/provenance.h"
#include "lang/elab_prelude.h"
#include "lang/dimensions.h"
#include "lang/elab.h"
#include "syntax/lex.h"
#include "graph/op.h"
#include "graph/control.h"
#include "graph/names.h"
#include "tensor/kernels.h"
#include <errno.h>

enum { MAX_DEPTH = 2000 };

void *elab_error(Elab *e, Span span, const char *code, const char *hint, const char *fmt, ...)
{
    Text t = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    diag_add(e->st->diags, code, span, hint, "%s", text_str(&t));
    text_free(&t);
    return NULL;
}

/* ---- literals ---- */

static Value *elab_int(Elab *e, Expr *x)
{
    errno = 0;
    char *end;
    long long k = strtoll(x->text, &end, 10);
    if (errno || *end)
        return elab_error(e, x->span, "overflow",
                          lex_base(x->text[1]) == 10
                              ? "write it as a float, with a point, if that is meant"
                              : "whole numbers have a sign: the one with all bits set is -1",
                          "the number %.40s does not fit in 64 bits", x->text);
    return value_weak(e, node_i64(e->st, k));
}

static Value *elab_float(Elab *e, Expr *x)
{
    double d = strtod(x->text, NULL);
    if (d > 1.7976931348623157e308)
        return elab_error(e, x->span, "overflow", "write inf if infinity is meant",
                          "the number %.40s is too large for f64", x->text);
    return value_weak(e, node_f64(e->st, d));
}

/* ---- operators ---- */

static bool is_logic(AstOp op) { return op == AST_OR || op == AST_AND || op == AST_NOT; }
static bool is_bitwise(AstOp op) { return op == AST_BITOR || op == AST_BITAND; }

static bool need_bool(Elab *e, Node *n, Span span, AstOp op)
{
    if (n->type->kind == TYPE_TENSOR && n->type->dtype == DT_BOOL)
        return true;
    elab_error(e, span, "type-mismatch",
               "compare it first: x != 0; for the bits of integers: a & b, a | b, ~a",
               "`%s` works on bools, but this is %s", ast_op_text(op), shape_text(e->st, n->type));
    return false;
}

static bool has_bits(Elab *e, const Node *n, Span span, const char *what)
{
    if (!dtype_is_float(node_dtype(n)) && node_dtype(n) != DT_RNG)
        return true;
    elab_error(e, span, "type-mismatch", NULL, "`%s` works on integers and bools, but this is %s",
               what, shape_text(e->st, n->type));
    return false;
}

bool elab_have_bits(Elab *e, const Node *a, const Node *b, Span span, const char *what)
{
    if (!has_bits(e, a, span, what) || !has_bits(e, b, span, what))
        return false;
    if ((node_dtype(a) == DT_BOOL) == (node_dtype(b) == DT_BOOL))
        return true;
    bool sign = strlen(what) == 1;
    elab_error(e, span, "type-mismatch",
               sign ? "it binds more tightly than comparisons: (x > 0) & mask; a bool as a number "
                      "is i64(mask)"
                    : "a bool as a number is i64(mask)",
               "`%s` works on two integers or on two bools, but these are %s and %s", what,
               shape_text(e->st, a->type), shape_text(e->st, b->type));
    return false;
}

static Value *matmul(Elab *e, Node *a, Node *b)
{
    DType d = promote(a->type->dtype, b->type->dtype);
    if (d == DT_COUNT)
        return NULL;
    return value_node(e, matmul_broadcast(e, node_cast(e->st, a, d), node_cast(e->st, b, d)));
}

/* Both operands as nodes; a weak one takes the dtype of the other. */
static bool operands(Elab *e, AstOp op, Value *a, Value *b, Span sa, Span sb, Node **na, Node **nb)
{
    const char *what = ast_op_text(op);
    *na = value_to_node(e, a, sa, what);
    *nb = value_to_node(e, b, sb, what);
    if (!*na || !*nb)
        return false;
    if ((*na)->type->kind != TYPE_TENSOR || (*nb)->type->kind != TYPE_TENSOR)
        return elab_error(e, sa, "type-mismatch", NULL, "`%s` needs tensors", what), false;
    Value *both[] = {a, b};
    Node *out[] = {NULL, NULL};
    values_meet(e, 2, both, (Span[]){sa, sb}, what, out);
    *na = out[0], *nb = out[1];
    return *na && *nb;
}

/* What is certain to fail is noted in a branch of `if`, as an index out of range is. Elsewhere it
 * is an error when it is needed. */
static void note_certain_failure(Elab *e, const Node *n)
{
    Node *b = n && n->nops == 2 ? n->ops[1] : NULL;
    b = b && b->op == OP_NEG ? fold_node(e->st, b) : b;
    bool divides = n && (n->op == OP_FLOORDIV || n->op == OP_MOD);
    if (!e->in_branch || !b || b->op != OP_CONST || !dtype_is_int(node_dtype(n)) ||
        !(divides || n->op == OP_POW))
        return;
    const Tensor *t = b->attrs[0].value;
    bool fails = false;
    for (i64 i = 0; i < t->count && !fails; i++)
        fails = divides ? tensor_i64_at(t, i) == 0 : tensor_i64_at(t, i) < 0;
    int status = divides ? K_ZERO_DIVISOR : K_NEGATIVE_EXPONENT;
    if (fails)
        diag_note(e->st->diags, kstatus_code(status), e->st->span,
                  "%s: an error if this branch runs", kstatus_text(status));
}

Value *elab_binary(Elab *e, AstOp op, Value *a, Value *b, Span sa, Span sb, Span sop)
{
    Node *na, *nb;
    a = value_plain(e, a);
    b = value_plain(e, b);
    Value *same = in_prelude(e, sb) ? prelude_same(e, op, a, b) : NULL;
    if (same)
        return same;
    if (a && b && (a->kind == V_TUPLE || b->kind == V_TUPLE))
        return tuple_binary(e, op, a, b, (Span[]){sa, sb, sop});
    if (!a || !b || !operands(e, op, a, b, sa, sb, &na, &nb))
        return NULL;
    if (is_logic(op) && (!need_bool(e, na, sa, op) || !need_bool(e, nb, sb, op)))
        return NULL;
    e->st->span = span_join(sa, sb);
    if (is_bitwise(op) && !elab_have_bits(e, na, nb, e->st->span, ast_op_text(op)))
        return NULL;
    if (op == AST_MATMUL)
        return matmul(e, na, nb);
    Node *ops[] = {na, nb};
    Node *n = build_elementwise(e->st, op_of_sign(op), 2, ops);
    note_certain_failure(e, n);
    bool weak = a->weak && b->weak && n && node_dtype(n) != DT_BOOL;
    return weak ? value_weak(e, n) : value_node(e, n);
}

/* ---- a + b + c ---- */

/* A sum of three or more without parentheses, or a product. */
static bool is_chain(const Expr *x)
{
    const Expr *left = x->items[0];
    return (x->op == AST_ADD || x->op == AST_MUL) && left->kind == E_BINARY && left->op == x->op &&
           !x->flag;
}

/* A number that may take another dtype for the whole to be of one type? */
static bool is_number(const Value *v)
{
    return v->weak && v->node->op == OP_CONST && !v->node->type->rank;
}

/* One sum if no part of it is smaller, numbers taking the dtype of the others; else NULL. */
static Node *chain_node(Elab *e, const Expr *x, int n, Value *const *values, const Span *spans)
{
    const Node *like = NULL;
    Node **nodes = arena_alloc(e->arena, (size_t)n * sizeof *nodes);
    for (int i = 0; i < n; i++) {
        if (values[i]->kind != V_NODE || values[i]->node->type->kind != TYPE_TENSOR)
            return NULL;
        like = like || is_number(values[i]) ? like : values[i]->node;
    }
    if (!like || !dtype_is_number(node_dtype(like)))
        return NULL;
    for (int i = 0; i < n; i++) {
        nodes[i] = values[i]->node;
        bool fits = dtype_is_float(node_dtype(like)) || !dtype_is_float(node_dtype(nodes[i]));
        if (is_number(values[i]) && fits)
            nodes[i] = value_as(e, values[i], node_dtype(like), spans[i], ast_op_text(x->op));
        if (!nodes[i])
            return NULL;
    }
    e->st->span = x->span;
    return build_is_chain((u32)n, nodes)
               ? build_elementwise(e->st, op_of_sign(x->op), (u32)n, nodes)
               : NULL;
}

static Value *elab_chain(Elab *e, Expr *x)
{
    VEC(Expr *) parts = {0};
    Expr *first = x;
    do { /* the part on the left goes on where it is of the chain, too */
        vec_push(&parts, first);
        first = first->items[0];
    } while (first->kind == E_BINARY && first->op == x->op && !parts.at[parts.len - 1]->flag);
    int n = (int)parts.len + 1;
    Value **values = arena_alloc(e->arena, (size_t)n * sizeof *values);
    Span *spans = arena_alloc(e->arena, (size_t)n * sizeof *spans);
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        Expr *part = i ? parts.at[n - 1 - i]->items[1] : first;
        spans[i] = part->span;
        ok = (values[i] = value_plain(e, elab_expr(e, part))) != NULL;
    }
    Node *all = ok ? chain_node(e, x, n, values, spans) : NULL;
    bool weak = ok;
    for (int i = 0; i < n && weak; i++)
        weak = values[i]->weak;
    Value *v = all ? (weak ? value_weak(e, all) : value_node(e, all)) : ok ? values[0] : NULL;
    for (int i = 1; i < n && v && !all; i++) {
        Expr *sum = parts.at[n - 1 - i];
        v = elab_binary(e, x->op, v, values[i], sum->items[0]->span, spans[i], sum->op_span);
        if (v && v->kind == V_NODE && !e->unplaced && sum != x)
            node_set_span(e->st, v->node, sum->span);
    }
    vec_free(&parts);
    return v;
}

Value *elab_prefixed(Elab *e, AstOp op, Value *v, Span at, Span span)
{
    if (v->kind == V_TUPLE)
        return tuple_unary(e, op, v, at, span);
    Node *n = value_to_node(e, v, at, ast_op_text(op));
    if (!n)
        return NULL;
    e->st->span = span;
    if (op == AST_NEG && v->weak && n->op == OP_CONST && !n->type->rank)
        return value_weak(e, fold_node(e->st, node1(e->st, OP_NEG, NULL, n)));
    if (op == AST_TRANSPOSE) {
        if (n->type->kind != TYPE_TENSOR || n->type->rank < 2)
            return elab_error(
                e, span, "rank", "a vector has no transpose; use expand_dims(x, 0) for a row",
                "x' swaps the last two axes, but this is %s", shape_text(e->st, n->type));
        n = build_swap_last(e->st, n);
        return v->weak ? value_weak(e, n) : value_node(e, n);
    }
    if ((op == AST_NOT && !need_bool(e, n, at, AST_NOT)) ||
        (op == AST_BITNOT && !has_bits(e, n, at, ast_op_text(op))))
        return NULL;
    Node *r = build_elementwise(e->st, op_of_sign(op), 1, &n);
    return v->weak && op != AST_NOT ? value_weak(e, r) : value_node(e, r);
}

static Value *elab_unary(Elab *e, Expr *x)
{
    if (x->op == AST_NEG && x->items[0]->kind == E_INT &&
        !strcmp(x->items[0]->text, "9223372036854775808"))
        return value_weak(e, node_i64(e->st, INT64_MIN)); /* its absolute value does not fit */
    Value *v = value_plain(e, elab_expr(e, x->items[0]));
    return v ? elab_prefixed(e, x->op, v, x->items[0]->span, x->span) : NULL;
}

/* ---- if ---- */

bool elab_close(Elab *e, OpenScope *open, int nfixed, Node *const *fixed, int nseqs,
                Node *const *seqs, int nouts, Node *const *outs, Closed *out)
{
    CloseRequest rq = {.nfixed = nfixed,
                       .fixed = fixed,
                       .nseqs = nseqs,
                       .seqs = seqs,
                       .nouts = nouts,
                       .outs = outs,
                       .mentioned = &open->outside.mentioned,
                       .outside = &open->outside};
    bool ok = graph_close(e->st, &rq, out);
    for (int i = 0; ok && i < out->ncaptures; i++) /* a name was noted up to where it stands */
        if (!map_has(&open->outside.mentioned, out->captures[i]))
            env_mention_captured(e, out->captures[i]);
    return ok;
}

static Value *elab_branch(Elab *e, Expr *x, OpenScope *open)
{
    *open = (OpenScope){.span = x->span};
    Env *saved = e->env;
    scope_enter(e, open, saved);
    e->in_branch++;
    Value *v = value_plain(e, elab_expr(e, x));
    e->in_branch--;
    scope_leave(e, open, saved);
    return v;
}

static bool join_leaves(Elab *e, Expr *x, Value *a, Value *b, NodeVec *na, NodeVec *nb)
{
    Value *both[] = {a, b};
    Node *out[] = {a->node, b->node};
    Span spans[] = {x->items[1]->span, x->items[2]->span};
    DType da = a->node->type->dtype, db = b->node->type->dtype, d = da;
    if (da != db && (d = values_meet(e, 2, both, spans, "`if`", out)) == DT_COUNT)
        return elab_error(e, x->span, "type-mismatch", NULL,
                          "the branches of `if` have types %s and %s",
                          shape_text(e->st, a->node->type), shape_text(e->st, b->node->type)),
               false;
    if (a->node->type->kind == TYPE_TENSOR && b->node->type->kind == TYPE_TENSOR &&
        !dimensions_same(e, a->node, b->node, x->span,
                         "the branches of `if` have different dimensions"))
        return false;
    vec_push(na, da == db ? out[0] : node_cast(e->st, out[0], d));
    vec_push(nb, da == db ? out[1] : node_cast(e->st, out[1], d));
    return na->at[na->len - 1] && nb->at[nb->len - 1];
}

static bool join_branches(Elab *e, Expr *x, Value *a, Value *b, NodeVec *na, NodeVec *nb)
{
    ValueVec va = {0}, vb = {0};
    bool ok =
        tuple_check(e, a, b, x->span, "both branches give one tensor, or tuples of equal form",
                    "the branches of `if` are %s and %s") &&
        tuple_leaves(e, a, x->items[1]->span, "a branch of `if`", &va) &&
        tuple_leaves(e, b, x->items[2]->span, "a branch of `if`", &vb);
    for (size_t i = 0; ok && i < va.len; i++)
        ok = join_leaves(e, x, va.at[i], vb.at[i], na, nb);
    vec_free(&va);
    vec_free(&vb);
    return ok;
}

static Value *joined(Elab *e, Node *cond, const Closed *a, const Closed *b, Value *like)
{
    IfParts p;
    if_open(&p, cond);
    if_closed_branch(e->st, &p, 0, a);
    if_closed_branch(e->st, &p, 1, b);
    Node *n = if_node(e->st, &p);
    if_parts_free(&p);
    if (!n)
        return NULL;
    Node **projs = arena_alloc(e->arena, ((size_t)n->type->nitems + 1) * sizeof *projs);
    for (int i = 0; i < n->type->nitems; i++)
        projs[i] = node_proj(e->st, n, i);
    int used = 0;
    return value_in_form(e, like, projs, &used);
}

static Value *elab_if(Elab *e, Expr *x)
{
    if (in_prelude(e, x->span))
        return prelude_if(e, x);
    Node *cond = elab_node(e, x->items[0], "the condition of `if`");
    if (!cond)
        return NULL;
    if (!type_is_scalar(cond->type) || cond->type->dtype != DT_BOOL)
        return elab_error(e, x->items[0]->span, "type-mismatch",
                          cond->type->rank ? "to choose element by element, use where(c, a, b)"
                                           : "compare it: x != 0",
                          "the condition of `if` must be a single bool, but this is %s",
                          shape_text(e->st, cond->type));
    OpenScope then_open, else_open = {0};
    Value *a = elab_branch(e, x->items[1], &then_open);
    Value *b = a ? elab_branch(e, x->items[2], &else_open) : NULL;
    NodeVec na = {0}, nb = {0};
    Closed ca, cb;
    Value *r = NULL;
    e->st->span = x->span;
    if (a && b && join_branches(e, x, a, b, &na, &nb) &&
        elab_close(e, &then_open, 0, NULL, 0, NULL, (int)na.len, na.at, &ca) &&
        elab_close(e, &else_open, 0, NULL, 0, NULL, (int)nb.len, nb.at, &cb))
        r = joined(e, cond, &ca, &cb, a);
    if (r && r->kind == V_NODE && value_plain(e, a)->weak && value_plain(e, b)->weak)
        r->weak = true;
    outside_end(&then_open.outside);
    outside_end(&else_open.outside);
    vec_free(&na);
    vec_free(&nb);
    return r;
}

/* ---- blocks and dispatch ---- */

static Value *elab_block(Elab *e, Expr *x)
{
    Env *saved = e->env;
    e->env = env_new(e, saved);
    bool ok = true;
    Guards guards = {0};
    for (int i = 0; i < x->nstmts && ok; i++)
        ok = x->stmts[i]->kind == S_EXPR ? elab_guard(e, x->stmts[i]->value, &guards)
                                         : elab_define(e, x->stmts[i]);
    Value *v = ok ? elab_expr(e, x->items[0]) : NULL;
    v = guarded_value(e, v, &guards, x->items[0]->span);
    vec_free(&guards);
    e->env = saved;
    return v;
}

/* The shared variable of that context, which a session finds by its name, `alt.W`. What is one of
 * a context already stays it; a part of a shared tuple has a point in its name, too. */
static Node *in_context(Elab *e, Node *n, const char *context)
{
    const char *point = strchr(n->attrs[0].name, '.');
    Text name = {0};
    if (point) {
        text_putn(&name, n->attrs[0].name, (size_t)(point - n->attrs[0].name));
        bool part = env_own(e->globals, symbol(e->st, text_str(&name))) != NULL;
        text_free(&name);
        if (!part)
            return n;
    }
    text_printf(&name, "%s.%s", context, n->attrs[0].name);
    Node *r = node_input(e->st, OP_SHARED, symbol(e->st, text_str(&name)), n->type);
    text_free(&name);
    return r;
}

/* `in NAME { .. }`: the block's value over the shared variables of that context. */
static Value *elab_context(Elab *e, Expr *x)
{
    Value *v = elab_block(e, x);
    ValueVec leaves = {0};
    bool ok = v && (value_leaves(e, v, &leaves) ||
                    elab_error(e, x->span, "type-mismatch", NULL,
                               "`in %s { .. }` must give a value, but this is %s", x->text,
                               value_describe(e, v)));
    if (ok && env_own(e->globals, symbol(e->st, x->text)))
        ok = elab_error(e, x->span, "name", "give the context another name",
                        "%s is a value, so it cannot be a context in an expression", x->text);
    Node **nodes = arena_alloc(e->arena, (leaves.len + 1) * sizeof *nodes);
    NodeMap memo = {0};
    NodeVec order = {0};
    for (size_t i = 0; i < leaves.len; i++)
        nodes[i] = leaves.at[i]->node;
    nodes_topo((int)leaves.len, nodes, &order);
    for (size_t i = 0; ok && i < order.len; i++)
        if (order.at[i]->op == OP_SHARED)
            map_put(&memo, order.at[i], in_context(e, order.at[i], x->text));
    for (size_t i = 0; ok && i < leaves.len; i++)
        ok = (nodes[i] = node_substitute(e->st, nodes[i], &memo)) != NULL;
    int used = 0;
    v = ok ? value_in_form(e, v, nodes, &used) : NULL;
    vec_free(&leaves);
    vec_free(&order);
    map_free(&memo);
    return v;
}

static Value *elab_tuple(Elab *e, Expr *x)
{
    int n = x->nargs ? x->nargs : x->nitems;
    Value **items = arena_alloc(e->arena, ((size_t)n + 1) * sizeof *items);
    for (int i = 0; i < n; i++)
        if (!(items[i] = elab_expr(e, x->nargs ? x->args[i].value : x->items[i])))
            return NULL;
    Value *v = value_tuple(e, n, items);
    if (x->nargs)
        v->names = arena_alloc(e->arena, (size_t)n * sizeof *v->names);
    for (int i = 0; i < x->nargs; i++)
        v->names[i] = symbol(e->st, x->args[i].name);
    return v;
}

static Value *elab_lambda(Elab *e, Expr *x)
{
    Value *f = value_of_kind(e, V_FUNCTION);
    f->text = NULL;
    f->nparams = x->nparams;
    f->params = x->params;
    f->body = x->items[0];
    f->env = e->env;
    return f;
}

static Value *elab_string(Elab *e, Expr *x)
{
    Value *v = value_of_kind(e, V_STRING);
    v->text = x->text;
    return v;
}

/* A^T, as on paper, is a power where T is a size. */
static void note_transpose(Elab *e, const Expr *x, Value *a, const Value *b)
{
    a = value_plain(e, a);
    bool matrix =
        a && a->kind == V_NODE && a->node->type->kind == TYPE_TENSOR && node_rank(a->node) >= 2;
    if (x->op == AST_POW && matrix && b->kind == V_NODE && b->node->op == OP_SIZE &&
        x->items[1]->kind == E_NAME && !strcmp(x->items[1]->text, "T"))
        diag_note(e->st->diags, "power", x->span,
                  "this is each element to the power T, a size; the transpose is written A'");
}

static Value *elab_kind(Elab *e, Expr *x)
{
    switch (x->kind) {
    case E_INT: return elab_int(e, x);
    case E_FLOAT: return elab_float(e, x);
    case E_BOOL: return value_node(e, node_bool(e->st, x->flag));
    case E_STRING: return elab_string(e, x);
    case E_NAME: {
        Value *v = elab_name(e, x);
        return v && v->kind == V_TAPPED ? elab_whole(e, v, x->span) : v;
    }
    case E_TUPLE: return elab_tuple(e, x);
    case E_ARRAY: return elab_array(e, x);
    case E_UNARY: return elab_unary(e, x);
    case E_BINARY: {
        if (is_chain(x))
            return elab_chain(e, x);
        Value *a = elab_expr(e, x->items[0]);
        Value *b = a ? elab_expr(e, x->items[1]) : NULL;
        if (b)
            note_transpose(e, x, a, b);
        return elab_binary(e, x->op, a, b, x->items[0]->span, x->items[1]->span, x->op_span);
    }
    case E_IF: return elab_if(e, x);
    case E_LAMBDA: return elab_lambda(e, x);
    case E_CALL: return elab_call(e, x);
    case E_INDEX: return elab_index(e, x);
    case E_FIELD: return elab_field(e, x);
    case E_WITH: return elab_with(e, x);
    case E_BLOCK: return x->text ? elab_context(e, x) : elab_block(e, x);
    case E_SCAN: return elab_scan(e, x);
    case E_SIZE: die("the tree of a graph is elaborated");
    case E_UNKNOWN_SIZE: break;
    }
    return elab_error(e, x->span, "syntax", NULL, "`?` stands for an unknown size, only in types");
}

void elab_start(Elab *e)
{
    e->env = e->globals;
    e->depth = 0;
    e->in_branch = 0;
    e->calls = 0;
    e->statement = NULL;
    e->blamed = 0;
    e->open = NULL;
    e->calling = NULL;
    map_clear(&e->views);
}

/* s[t] after its equation is what that made, f(x) in the prelude what a function of the author's
 * made: it has a place. */
static bool is_mention(Elab *e, const Expr *x, const Node *n)
{
    OpClass cls = op_table[n->op].cls;
    bool tap =
        x->kind == E_INDEX && cls != CLASS_INDEX && cls != CLASS_SHAPE && cls != CLASS_STRUCTURAL;
    return (tap || (x->span.src && x->span.src == e->prelude)) && node_span(e->st, n);
}

Value *elab_expr(Elab *e, Expr *x)
{
    if (e->depth >= MAX_DEPTH)
        return elab_error(e, x->span, "nesting", "give parts of it their own names",
                          "the expression is nested more than %d levels deep", MAX_DEPTH);
    if (!e->unplaced && store_stops(e->st))
        return e->st->span = x->span, store_stopped(e->st, "here"), NULL;
    e->depth++;
    if (!e->unplaced)
        e->st->span = x->span;
    Value *v = elab_kind(e, x);
    e->depth--;
    bool own = x->kind != E_NAME && x->kind != E_BLOCK;
    if (v && v->kind == V_NODE && !e->unplaced && own && !is_mention(e, x, v->node))
        node_set_span(e->st, v->node, x->span); /* errors at run time show it */
    return !v || dimensions_agree(e, x, v) ? v : NULL;
}

Node *elab_node(Elab *e, Expr *x, const char *what)
{
    Value *v = elab_expr(e, x);
    return v ? value_to_node(e, v, x->span, what) : NULL;
}

/* ---- definitions ---- */

static bool define_function(Elab *e, const Stmt *s)
{
    Value *f = value_of_kind(e, V_FUNCTION);
    f->text = symbol(e->st, s->names[0].name);
    f->doc = s->doc;
    f->nparams = s->nparams;
    f->params = s->params;
    f->body = s->value;
    f->env = e->env;
    env_set(e, e->env, symbol(e->st, s->names[0].name), f);
    return true;
}

/* One node has the name: what had it before, and may be part of this, has none. The parts of a
 * tuple with names are called p.W. */
static void name_value(Elab *e, Value *v, const Value *old, Symbol name)
{
    if (old && old->kind == V_NODE && (v->kind != V_NODE || old->node != v->node) &&
        node_name(e->st, old->node) == name)
        node_rename(e->st, old->node, NULL);
    if (v->kind == V_NODE && v->node->op != OP_CONST)
        node_set_name(e->st, v->node, name);
    for (int i = 0; v->kind == V_TUPLE && v->names && i < v->nitems; i++) {
        int was = old && old->kind == V_TUPLE && old->names ? tuple_part(old, v->names[i]) : -1;
        name_value(e, v->items[i], was < 0 ? NULL : old->items[was], tuple_path(e, name, v, i));
    }
}

static const Value *meant_before(const Elab *e, Symbol name)
{
    return e->env == e->globals ? env_own(e->env, name) : NULL;
}

bool elab_define(Elab *e, const Stmt *s)
{
    if (s->kind == S_FUNCTION)
        return define_function(e, s);
    if (s->kind == S_COMPOSITE || s->kind == S_DERIVATIVE) {
        elab_error(e, s->span, "syntax", "a function: f(x) = ...",
                   "composite operators are declared in the prelude only");
        return false;
    }
    if (s->kind != S_DEFINE) {
        elab_error(e, s->span, "syntax", NULL,
                   "a block may contain only definitions before its last expression");
        return false;
    }
    Value *v = elab_expr(e, s->value);
    if (!v)
        return false;
    note_hidden(e, s);
    if (s->nnames == 1) {
        Symbol name = symbol(e->st, s->names[0].name);
        if (strcmp(name, "_")) {
            name_value(e, v, meant_before(e, name), name);
            env_set(e, e->env, name, v);
        }
        return true;
    }
    v = value_plain(e, v);
    if (!v || v->kind != V_TUPLE || v->nitems != s->nnames) {
        if (v)
            elab_error(e, s->span, "arity",
                       "there must be one name for each value; `_` discards one",
                       "%d names on the left but %s on the right", s->nnames,
                       v->kind == V_TUPLE ? "a tuple of another length" : value_describe(e, v));
        return false;
    }
    for (int i = 0; i < s->nnames; i++) {
        Symbol name = symbol(e->st, s->names[i].name);
        if (!strcmp(name, "_"))
            continue;
        name_value(e, v->items[i], meant_before(e, name), name);
        env_set(e, e->env, name, v->items[i]);
    }
    return true;
}
