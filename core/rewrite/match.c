/* Rules in text: compiling patterns, matching, building replacements.
 *
 * A pattern is an expression of the language. A name is a variable: of float dtype unless
 * written x:any, x:int, x:bool or c:const. A number matches a scalar constant of that value.
 * Operands of + and * match in any order; at the root, operands that no pattern took stay.
 * `axis=A` binds the attribute of a reduction. A replacement is built by the operators'
 * own constructors; its numbers take the dtype of what is replaced. */
#include "lang/operators.h"
#include "rewrite/rewrite.h"
#include <math.h>

typedef enum { PAT_VAR, PAT_NUMBER, PAT_OP } PatKind;
typedef enum { KIND_FLOAT, KIND_ANY, KIND_INT, KIND_BOOL, KIND_CONST } VarKind;

struct Pattern {
    PatKind kind;
    const char *name; /* PAT_VAR; PAT_OP: the variable of an attribute, or NULL */
    VarKind var;
    double number;
    bool is_bool;
    OpId op;
    int n;
    Pattern **args;
};

/* ---- compiling ---- */

static Pattern *pattern_new(Arena *arena, PatKind kind) {
    Pattern *p = arena_alloc(arena, sizeof *p);
    p->kind = kind;
    return p;
}

static Pattern *compile_var(Arena *arena, const Expr *x, Diags *diags) {
    static const char *const kinds[] = {"float", "any", "int", "bool", "const"};
    Pattern *p = pattern_new(arena, PAT_VAR);
    const char *colon = strchr(x->text, ':');
    p->name = colon ? arena_strndup(arena, x->text, (size_t)(colon - x->text)) : x->text;
    if (!colon)
        return p;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (!strcmp(colon + 1, kinds[i])) {
            p->var = (VarKind)i;
            return p;
        }
    diag_add(diags, "rule", x->span, "any, int, bool, float or const", "a variable cannot be `%s`", colon + 1);
    return NULL;
}

static Pattern *compile_number(Arena *arena, const Expr *x) {
    Pattern *p = pattern_new(arena, PAT_NUMBER);
    p->is_bool = x->kind == E_BOOL;
    p->number = p->is_bool ? x->flag : strtod(x->text, NULL);
    return p;
}

static bool compile_args(Arena *arena, Pattern *p, int n, Expr *const *items, Diags *diags) {
    p->args = arena_alloc(arena, ((size_t)n + 1) * sizeof *p->args);
    for (int i = 0; i < n; i++)
        if (!(p->args[p->n++] = pattern_compile(arena, items[i], diags, NULL)))
            return false;
    return true;
}

static Pattern *compile_call(Arena *arena, const Expr *x, Diags *diags) {
    const Expr *f = x->items[0];
    Pattern *p = pattern_new(arena, PAT_OP);
    p->op = f->kind == E_NAME ? op_by_name(f->text) : OP_COUNT;
    if (p->op == OP_COUNT) {
        diag_add(diags, "rule", f->span, NULL, "a pattern can only call operators; `%s` is none",
                 f->kind == E_NAME ? f->text : "this");
        return NULL;
    }
    Expr **items = arena_alloc(arena, ((size_t)x->nargs + 1) * sizeof *items);
    int n = 0;
    for (int i = 0; i < x->nargs; i++) {
        if (x->args[i].name && x->args[i].value->kind == E_NAME && op_attr_count(p->op) >= 1)
            p->name = x->args[i].value->text;
        else
            items[n++] = x->args[i].value;
    }
    return compile_args(arena, p, n, items, diags) ? p : NULL;
}

Pattern *pattern_compile(Arena *arena, const Expr *x, Diags *diags, OpId *root) {
    Pattern *p = NULL;
    switch (x->kind) {
    case E_NAME: p = compile_var(arena, x, diags); break;
    case E_INT:
    case E_FLOAT:
    case E_BOOL: p = compile_number(arena, x); break;
    case E_CALL: p = compile_call(arena, x, diags); break;
    case E_UNARY:
        if (x->op == AST_NEG && (x->items[0]->kind == E_INT || x->items[0]->kind == E_FLOAT)) {
            p = compile_number(arena, x->items[0]);
            p->number = -p->number;
            break;
        }
        /* fall through */
    case E_BINARY:
        p = pattern_new(arena, PAT_OP);
        p->op = ast_operator(x->op);
        if (p->op == OP_COUNT || !compile_args(arena, p, x->nitems, x->items, diags))
            p = NULL;
        break;
    default: break;
    }
    if (!p && !diags->errors)
        diag_add(diags, "rule", x->span, NULL, "this cannot stand in a rule");
    if (p && root) {
        *root = p->kind == PAT_OP ? p->op : OP_COUNT;
        if (p->kind != PAT_OP)
            return diag_add(diags, "rule", x->span, NULL, "a rule's left side must be an operation"), NULL;
    }
    return p;
}

static bool pattern_binds(const Pattern *p, const char *name) {
    if (p->name && !strcmp(p->name, name))
        return true;
    for (int i = 0; i < p->n; i++)
        if (pattern_binds(p->args[i], name))
            return true;
    return false;
}

bool template_check(const Expr *x, const Pattern *p, Diags *diags) {
    if (x->kind == E_NAME && !pattern_binds(p, x->text)) {
        diag_add(diags, "rule", x->span, NULL, "%s is not bound by the left side of the rule", x->text);
        return false;
    }
    bool ok = true;
    for (int i = x->kind == E_CALL ? 1 : 0; i < x->nitems && ok; i++)
        ok = template_check(x->items[i], p, diags);
    for (int i = 0; i < x->nargs && ok; i++)
        ok = template_check(x->args[i].value, p, diags);
    return ok;
}

/* ---- matching ---- */

static bool var_accepts(VarKind kind, const Node *n) {
    if (n->type->kind != TYPE_TENSOR)
        return false;
    switch (kind) {
    case KIND_FLOAT: return dtype_is_float(n->type->dtype);
    case KIND_ANY: return true;
    case KIND_INT: return dtype_is_int(n->type->dtype);
    case KIND_BOOL: return n->type->dtype == DT_BOOL;
    case KIND_CONST: return n->op == OP_CONST;
    }
    return false;
}

static Binding1 *bound(Bindings *b, const char *name) {
    for (int i = 0; i < b->n; i++)
        if (!strcmp(b->at[i].name, name))
            return &b->at[i];
    return NULL;
}

static bool bind(Bindings *b, const char *name, Node *node, const IntList *ints) {
    Binding1 *old = bound(b, name);
    if (old)
        return old->node == node && old->ints == ints;
    if (b->n == (int)COUNT_OF(b->at))
        return false;
    b->at[b->n++] = (Binding1){.name = name, .node = node, .ints = ints};
    return true;
}

static bool match(const Pattern *p, Node *n, Bindings *b, bool root, u64 *taken);

/* Pattern operands [k, p->n) each take one operand not yet taken; backtracks over bindings. */
static bool match_any_order(const Pattern *p, int k, Node *n, Bindings *b, u64 *taken) {
    if (k == p->n)
        return true;
    for (u32 i = 0; i < n->nops && i < 64; i++) {
        if (*taken >> i & 1)
            continue;
        Bindings saved = *b;
        u64 before = *taken;
        if (match(p->args[k], n->ops[i], b, false, NULL)) {
            *taken |= 1ull << i;
            if (match_any_order(p, k + 1, n, b, taken))
                return true;
        }
        *b = saved;
        *taken = before;
    }
    return false;
}

static bool match_number(const Pattern *p, const Node *n) {
    double x;
    if (!node_const_f64(n, &x) || (n->type->dtype == DT_BOOL) != p->is_bool)
        return false;
    return x == p->number && (x != 0 || !signbit(x)); /* a pattern's 0 is +0 */
}

static bool match_op(const Pattern *p, Node *n, Bindings *b, bool root, u64 *taken) {
    if (n->op != p->op)
        return false;
    if (p->name && (op_attr_kind(n->op, 0) != 'I' || !bind(b, p->name, NULL, n->attrs[0].ints)))
        return false;
    if (op_table[n->op].flags & COMMUTES) {
        u64 mine = 0;
        if ((int)n->nops < p->n || n->nops > 60 || (!root && (int)n->nops != p->n) ||
            !match_any_order(p, 0, n, b, &mine))
            return false;
        if (taken)
            *taken = mine;
        return true;
    }
    if ((int)n->nops != p->n)
        return false;
    for (int i = 0; i < p->n; i++)
        if (!match(p->args[i], n->ops[i], b, false, NULL))
            return false;
    return true;
}

static bool match(const Pattern *p, Node *n, Bindings *b, bool root, u64 *taken) {
    switch (p->kind) {
    case PAT_VAR: /* a later occurrence takes what the first one, which has the annotation, took */
        return (bound(b, p->name) || var_accepts(p->var, n)) && bind(b, p->name, n, NULL);
    case PAT_NUMBER: return match_number(p, n);
    case PAT_OP: return match_op(p, n, b, root, taken);
    }
    return false;
}

/* ---- replacements ---- */

typedef struct {
    Store *st;
    Bindings *b;
    DType dtype; /* of numbers */
    Node *like;
} Template;

static Node *template_build(Template *t, const Expr *x);

static Node *template_call(Template *t, const Expr *x) {
    const char *f = x->items[0]->text;
    Node *args[8];
    int n = 0;
    const IntList *axes = NULL;
    for (int i = 0; i < x->nargs && n < 8; i++) {
        const Expr *v = x->args[i].value;
        if (x->args[i].name) {
            Binding1 *b = v->kind == E_NAME ? bound(t->b, v->text) : NULL;
            axes = b ? b->ints : NULL;
        } else if (!(args[n++] = template_build(t, v))) {
            return NULL;
        }
    }
    if (!strcmp(f, "zeros_like") || !strcmp(f, "ones_like"))
        return *f == 'z' ? build_zeros_like(t->st, args[0]) : build_ones_like(t->st, args[0]);
    OpId op = op_by_name(f);
    if (op == OP_COUNT)
        return NULL;
    Attr a = {.ints = axes};
    return op_is_elementwise(op) ? build_elementwise(t->st, op, (u32)n, args)
                                 : node_make(t->st, op, axes ? &a : NULL, (u32)n, args);
}

static Node *template_build(Template *t, const Expr *x) {
    Node *ops[2];
    switch (x->kind) {
    case E_NAME: {
        Binding1 *b = bound(t->b, x->text);
        return b ? b->node : NULL;
    }
    case E_INT:
    case E_FLOAT: return node_number(t->st, t->dtype, strtod(x->text, NULL));
    case E_BOOL: return node_bool(t->st, x->flag);
    case E_CALL: return template_call(t, x);
    case E_UNARY:
    case E_BINARY:
        for (int i = 0; i < x->nitems; i++)
            if (!(ops[i] = template_build(t, x->items[i])))
                return NULL;
        if (x->op == AST_MATMUL)
            return node2(t->st, OP_MATMUL, NULL, ops[0], ops[1]);
        return build_elementwise(t->st, ast_operator(x->op), (u32)x->nitems, ops);
    default: return NULL;
    }
}

/* What was not matched stays: the replacement joins the remaining operands, in source order. */
static Node *with_rest(Store *st, Node *n, u64 taken, Node *part) {
    Node *ops[64];
    u32 count = 0;
    const IntList *order = map_get(&st->order, n);
    bool placed = false;
    for (u32 k = 0; k < n->nops; k++) {
        u32 i = order ? (u32)order->at[k] : k;
        if (!(taken >> i & 1))
            ops[count++] = n->ops[i];
        else if (!placed) {
            ops[count++] = part;
            placed = true;
        }
    }
    return count == 1 ? ops[0] : node_make(st, n->op, NULL, count, ops);
}

static bool guard_holds(Store *st, const Expr *g, const Bindings *b, Text *why) {
    if (g->kind == E_BINARY && g->op == AST_AND)
        return guard_holds(st, g->items[0], b, why) && guard_holds(st, g->items[1], b, why);
    const Guard *f = g->kind == E_CALL ? guard_by_name(g->items[0]->text) : NULL;
    if (!f)
        return false;
    Expr *args[8];
    for (int i = 0; i < g->nargs && i < 8; i++)
        args[i] = g->args[i].value;
    return f->test(st, b, args, why);
}

Node *rule_apply_text(Store *st, const Rule *r, Node *n, Text *why, u32 *extra) {
    Bindings b = {0};
    u64 taken = 0;
    if (n->type->kind != TYPE_TENSOR || !match(r->pattern, n, &b, true, &taken))
        return NULL;
    if (r->guard && !guard_holds(st, r->guard, &b, why))
        return NULL;
    Template t = {.st = st, .b = &b, .dtype = n->type->dtype, .like = n};
    if (t.dtype == DT_BOOL) /* comparisons: numbers on the right have the dtype of the operands */
        for (int i = 0; i < b.n; i++)
            if (b.at[i].node)
                t.dtype = b.at[i].node->type->dtype;
    Node *part = template_build(&t, r->replacement);
    if (!part)
        return NULL;
    if (taken && (u32)__builtin_popcountll(taken) < n->nops) {
        part = with_rest(st, n, taken, part);
        *extra |= HAZARD_R;
    }
    if (part && part->type != n->type && part->type->kind == TYPE_TENSOR && part->type->rank == 0 &&
        part->type->dtype == n->type->dtype)
        part = build_like(st, part, n);
    if (!part || part->type->kind != TYPE_TENSOR || part->type->dtype != n->type->dtype ||
        !type_compatible(st, part->type, n->type))
        return NULL;
    return part;
}
