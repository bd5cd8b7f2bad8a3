/* Rules in text: compiling patterns, matching, building replacements.
 *
 * A pattern is an expression of the language. A name is a variable: of float dtype unless
 * written x:any, x:int, x:bool or c:const. A number matches a scalar constant of that value.
 * Operands of + and * match in any order; at the root, operands that no pattern took stay.
 * `axis=A` binds the attribute of a reduction. A replacement is built by the operators'
 * own constructors; its numbers take the dtype of what is replaced. */
#include "graph/print.h"
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
    const Expr *written;
};

enum {
    MATCH_BUDGET = 50000
}; /* places one attempt may look at: operands in any order are many ways */
static const char *const kind_names[] = {"float", "any", "int", "bool", "const"};

/* ---- compiling ---- */

static Pattern *pattern_new(Arena *arena, PatKind kind)
{
    Pattern *p = arena_alloc(arena, sizeof *p);
    p->kind = kind;
    return p;
}

static Pattern *compile_var(Arena *arena, const Expr *x, Diags *diags)
{
    Pattern *p = pattern_new(arena, PAT_VAR);
    const char *colon = strchr(x->text, ':');
    p->name = colon ? arena_strndup(arena, x->text, (size_t)(colon - x->text)) : x->text;
    if (!colon)
        return p;
    for (size_t i = 0; i < COUNT_OF(kind_names); i++)
        if (!strcmp(colon + 1, kind_names[i])) {
            p->var = (VarKind)i;
            return p;
        }
    diag_add(diags, "rule", x->span, "any, int, bool, float or const", "a variable cannot be `%s`",
             colon + 1);
    return NULL;
}

static Pattern *compile_number(Arena *arena, const Expr *x)
{
    Pattern *p = pattern_new(arena, PAT_NUMBER);
    p->is_bool = x->kind == E_BOOL;
    p->number = p->is_bool ? x->flag : strtod(x->text, NULL);
    return p;
}

/* Operands; a sum in a sum, or a product in a product, is one with more operands, as in graphs. */
static bool compile_args(Arena *arena, Pattern *p, int n, Expr *const *items, Diags *diags)
{
    VEC(Pattern *) all = {0};
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        Pattern *a = pattern_compile(arena, items[i], diags, NULL);
        ok = a != NULL;
        if (ok && a->kind == PAT_OP && a->op == p->op && (op_table[p->op].flags & NARY))
            for (int k = 0; k < a->n; k++)
                vec_push(&all, a->args[k]);
        else if (ok)
            vec_push(&all, a);
    }
    p->n = (int)all.len;
    p->args = arena_alloc(arena, (all.len + 1) * sizeof *p->args);
    for (size_t i = 0; i < all.len; i++)
        p->args[i] = all.at[i];
    vec_free(&all);
    return ok;
}

static bool arity_fits(OpId op, int n)
{
    int most = op_table[op].flags & NARY ? -1 : op_table[op].max_ops;
    return n >= op_table[op].min_ops && (most < 0 || n <= most);
}

static bool arity_error(const Expr *x, OpId op, int n, Diags *diags)
{
    diag_add(diags, "rule", x->span, NULL, "%s does not take %d operand%s", op_table[op].name, n,
             n == 1 ? "" : "s");
    return false;
}

static Pattern *compile_call(Arena *arena, const Expr *x, Diags *diags)
{
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
        if (!x->args[i].name) {
            items[n++] = x->args[i].value;
            continue;
        }
        if (x->args[i].value->kind != E_NAME || op_attr_count(p->op) < 1 ||
            op_attr_kind(p->op, 0) != 'I' || p->name) {
            diag_add(diags, "rule", x->args[i].name_span, "axis=A",
                     "only the axes of %s can be given, as a name", op_table[p->op].name);
            return NULL;
        }
        p->name = x->args[i].value->text;
    }
    if (!arity_fits(p->op, n))
        return arity_error(x, p->op, n, diags), NULL;
    if (op_attr_count(p->op) > (p->name ? 1 : 0)) { /* it would match whatever they are */
        bool axes = !p->name && op_attr_count(p->op) == 1 && op_attr_kind(p->op, 0) == 'I';
        diag_add(diags, "rule", x->span, axes ? "axis=A" : NULL,
                 axes ? "%s needs its axes, as a name"
                      : "a rule has no way to say the attributes of %s",
                 op_table[p->op].name);
        return NULL;
    }
    return compile_args(arena, p, n, items, diags) ? p : NULL;
}

Pattern *pattern_compile(Arena *arena, const Expr *x, Diags *diags, OpId *root)
{
    Pattern *p = NULL;
    size_t errors = diags->errors;
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
    if (!p && diags->errors == errors)
        diag_add(diags, "rule", x->span, NULL, "this cannot stand in a rule");
    if (p)
        p->written = x;
    if (p && root) {
        *root = p->kind == PAT_OP ? p->op : OP_COUNT;
        if (p->kind != PAT_OP)
            return diag_add(diags, "rule", x->span, NULL,
                            "a rule's left side must be an operation"),
                   NULL;
    }
    return p;
}

static bool pattern_binds(const Pattern *p, const char *name)
{
    if (p->name && !strcmp(p->name, name))
        return true;
    for (int i = 0; i < p->n; i++)
        if (pattern_binds(p->args[i], name))
            return true;
    return false;
}

bool template_check(const Expr *x, const Pattern *p, Diags *diags)
{
    if (x->kind == E_NAME && !pattern_binds(p, x->text)) {
        diag_add(diags, "rule", x->span, NULL, "%s is not bound by the left side of the rule",
                 x->text);
        return false;
    }
    bool ok = true;
    for (int i = x->kind == E_CALL ? 1 : 0; i < x->nitems && ok; i++)
        ok = template_check(x->items[i], p, diags);
    for (int i = 0; i < x->nargs && ok; i++)
        ok = template_check(x->args[i].value, p, diags);
    return ok;
}

static bool is_like(const char *f) { return !strcmp(f, "zeros_like") || !strcmp(f, "ones_like"); }

/* Can `f` with these arguments be built without anything that a rule does not say? */
static bool check_call(const Expr *x, Diags *diags)
{
    const Expr *f = x->items[0];
    const char *name = f->kind == E_NAME ? f->text : "this";
    OpId op = f->kind == E_NAME ? op_by_name(name) : OP_COUNT;
    bool like = f->kind == E_NAME && is_like(name);
    int named = 0;
    for (int i = 0; i < x->nargs; i++)
        named += x->args[i].name != NULL;
    if (!like &&
        (op == OP_COUNT || op_table[op].cls <= CLASS_IMPLICIT || op_table[op].flags & TUPLE_RESULT))
        return diag_add(diags, "rule", f->span, NULL,
                        "a replacement can only call operators; `%s` is none", name),
               false;
    int n = x->nargs - named, attrs = like ? 0 : op_attr_count(op);
    if (n > 8 || (like ? n != 1 : !arity_fits(op, n)))
        return diag_add(diags, "rule", x->span, NULL, "%s does not take %d operand%s", name, n,
                        n == 1 ? "" : "s"),
               false;
    if (attrs > 1 || (attrs == 1 && op_attr_kind(op, 0) != 'I') || named > attrs)
        return diag_add(diags, "rule", x->span, NULL,
                        "a rule has no way to say the attributes of %s", name),
               false;
    if (named < attrs)
        return diag_add(diags, "rule", x->span, "axis=A, with A bound on the left side",
                        "%s needs its axes", name),
               false;
    return true;
}

bool replacement_check(const Expr *x, Diags *diags)
{
    bool operation = x->kind == E_UNARY || x->kind == E_BINARY;
    bool plain = x->kind == E_NAME || x->kind == E_INT || x->kind == E_FLOAT || x->kind == E_BOOL;
    if (x->kind == E_CALL ? !check_call(x, diags)
                          : !plain && (!operation || ast_operator(x->op) == OP_COUNT)) {
        if (x->kind != E_CALL)
            diag_add(diags, "rule", x->span, NULL, "this cannot stand on the right side of a rule");
        return false;
    }
    bool ok = true;
    for (int i = 0; i < x->nitems && operation && ok; i++)
        ok = replacement_check(x->items[i], diags);
    for (int i = 0; i < x->nargs && x->kind == E_CALL && ok; i++)
        ok = x->args[i].name ? x->args[i].value->kind == E_NAME
                             : replacement_check(x->args[i].value, diags);
    return ok;
}

/* ---- matching ---- */

/* One attempt. With `why`, it notes what failed where most of the pattern had been found. */
typedef struct {
    Store *st;
    Bindings b;
    u32 budget;
    int done, best; /* parts of the pattern found: now, and where `why` was noted */
    Text *why;
} Matcher;

static Matcher matcher(Store *st, Text *why)
{
    return (Matcher){.st = st, .budget = MATCH_BUDGET, .why = why};
}

static bool no_match(Matcher *m, const Pattern *p, Node *n, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* "`y * 2` FMT" and what the pattern has there. */
static bool no_match(Matcher *m, const Pattern *p, Node *n, const char *fmt, ...)
{
    if (!m->why || m->done < m->best)
        return false;
    m->best = m->done;
    m->why->len = 0;
    text_putc(m->why, '`');
    node_source_limited(m->st, m->why, n, true, 60);
    text_put(m->why, "` ");
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(m->why, fmt, ap);
    va_end(ap);
    if (p->written) {
        text_put(m->why, "; the pattern has ");
        ast_print_expr(m->why, p->written);
    }
    return false;
}

static bool var_accepts(VarKind kind, const Node *n)
{
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

static Binding1 *bound(Bindings *b, const char *name)
{
    for (int i = 0; i < b->n; i++)
        if (!strcmp(b->at[i].name, name))
            return &b->at[i];
    return NULL;
}

static bool bind(Bindings *b, const char *name, Node *node, const IntList *ints)
{
    Binding1 *old = bound(b, name);
    if (old)
        return old->node == node && old->ints == ints;
    if (b->n == (int)COUNT_OF(b->at))
        return false;
    b->at[b->n++] = (Binding1){.name = name, .node = node, .ints = ints};
    return true;
}

static bool match(Matcher *m, const Pattern *p, Node *n, bool root, u64 *taken);

/* Pattern operands [k, p->n) each take one operand not yet taken; backtracks over bindings. */
static bool match_any_order(Matcher *m, const Pattern *p, int k, Node *n, u64 *taken)
{
    if (k == p->n)
        return true;
    Bindings saved = m->b;
    u64 before = *taken;
    int done = m->done;
    for (u32 i = 0; i < n->nops && i < 64; i++) {
        if (*taken >> i & 1)
            continue;
        if (match(m, p->args[k], n->ops[i], false, NULL)) {
            *taken |= 1ull << i;
            if (match_any_order(m, p, k + 1, n, taken))
                return true;
        }
        m->b = saved;
        m->done = done;
        *taken = before;
    }
    return no_match(m, p->args[k], n,
                    before ? "has no further operand that fits" : "has no operand that fits");
}

static bool match_number(Matcher *m, const Pattern *p, Node *n)
{
    double x;
    if (!node_const_f64(n, &x))
        return no_match(m, p, n, "is not a number");
    bool same = (n->type->dtype == DT_BOOL) == p->is_bool && x == p->number;
    if (!same || (x == 0 && signbit(x))) /* a pattern's 0 is +0 */
        return no_match(m, p, n, "is another number");
    m->done++;
    return true;
}

static bool match_var(Matcher *m, const Pattern *p, Node *n)
{
    Binding1 *old = bound(&m->b, p->name);
    if (!old &&
        !var_accepts(
            p->var,
            n)) { /* a later occurrence takes what the first one, which has the annotation, took */
        const char *what = n->type->kind == TYPE_TENSOR ? dtype_name(n->type->dtype) : "a tuple";
        if (p->var == KIND_CONST)
            return no_match(m, p, n, "is not a constant");
        return no_match(m, p, n, "is %s, but %s must be %s", what, p->name, kind_names[p->var]);
    }
    if (!bind(&m->b, p->name, n, NULL))
        return no_match(m, p, n,
                        old ? "is not what %s stood for before" : "is one variable too many: %s",
                        p->name);
    m->done++;
    return true;
}

static bool match_op(Matcher *m, const Pattern *p, Node *n, bool root, u64 *taken)
{
    if (n->op != p->op)
        return no_match(m, p, n, "is %s, not %s", op_table[n->op].name, op_table[p->op].name);
    if (p->name && (op_attr_kind(n->op, 0) != 'I' || !bind(&m->b, p->name, NULL, n->attrs[0].ints)))
        return no_match(m, p, n, "has other axes than %s", p->name);
    m->done++;
    bool any_order = op_table[n->op].flags & COMMUTES;
    if (any_order && root && (int)n->nops >= p->n ? n->nops > 60 : (int)n->nops != p->n)
        return no_match(m, p, n, "has %u operands", n->nops);
    if (any_order) {
        u64 mine = 0;
        if (!match_any_order(m, p, 0, n, &mine))
            return false;
        if (taken)
            *taken = mine;
        return true;
    }
    for (int i = 0; i < p->n; i++)
        if (!match(m, p->args[i], n->ops[i], false, NULL))
            return false;
    return true;
}

static bool match(Matcher *m, const Pattern *p, Node *n, bool root, u64 *taken)
{
    if (!m->budget)
        return no_match(m, p, n, "could match in too many ways");
    m->budget--;
    switch (p->kind) {
    case PAT_VAR: return match_var(m, p, n);
    case PAT_NUMBER: return match_number(m, p, n);
    case PAT_OP: return match_op(m, p, n, root, taken);
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

static Node *template_call(Template *t, const Expr *x)
{
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

static Node *template_build(Template *t, const Expr *x)
{
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
static Node *with_rest(Store *st, Node *n, u64 taken, Node *part)
{
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

/* With `failed`, tells which condition does not hold. */
static bool guard_holds(Store *st, const Expr *g, Bindings *b, Text *why, Text *failed)
{
    if (g->kind == E_BINARY && g->op == AST_AND)
        return guard_holds(st, g->items[0], b, why, failed) &&
               guard_holds(st, g->items[1], b, why, failed);
    const Guard *f = g->kind == E_CALL ? guard_by_name(g->items[0]->text) : NULL;
    if (!f)
        return false;
    Expr *args[8];
    for (int i = 0; i < g->nargs && i < 8; i++)
        args[i] = g->args[i].value;
    if (f->test(st, b, args, why))
        return true;
    if (!failed)
        return false;
    text_put(failed, "the condition ");
    ast_print_expr(failed, g);
    text_put(failed, " does not hold, or cannot be proved");
    for (int i = 0; i < g->nargs && i < 8; i++) {
        Binding1 *v = args[i]->kind == E_NAME ? bound(b, args[i]->text) : NULL;
        if (!v || !v->node)
            continue;
        text_printf(failed, "%s %s = `", i ? "," : ", for", args[i]->text);
        node_source_limited(st, failed, v->node, true, 60);
        text_putc(failed, '`');
    }
    return false;
}

static Node *replace_matched(Matcher *m, const Rule *r, Node *n, u64 taken, u32 *extra)
{
    Store *st = m->st;
    Bindings *b = &m->b;
    Template t = {.st = st, .b = b, .dtype = n->type->dtype, .like = n};
    if (t.dtype == DT_BOOL) /* comparisons: numbers on the right have the dtype of the operands */
        for (int i = 0; i < b->n; i++)
            if (b->at[i].node)
                t.dtype = b->at[i].node->type->dtype;
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
    bool fits = part && part->type->kind == TYPE_TENSOR && part->type->dtype == n->type->dtype &&
                type_compatible(st, part->type, n->type);
    return fits ? part : NULL;
}

Node *rule_apply_text(Store *st, const Rule *r, Node *n, Text *why, u32 *extra)
{
    Matcher m = matcher(st, NULL);
    u64 taken = 0;
    if (n->type->kind != TYPE_TENSOR || !match(&m, r->pattern, n, true, &taken))
        return NULL;
    if (r->guard && !guard_holds(st, r->guard, &m.b, why, NULL))
        return NULL;
    return replace_matched(&m, r, n, taken, extra);
}

bool rule_explain_text(Store *st, const Rule *r, Node *n, Text *why)
{
    Matcher m = matcher(st, why);
    Text evidence = {0};
    Diags scratch = {0}, *saved = st->diags;
    u64 taken = 0;
    u32 extra = 0;
    bool fires = match(&m, r->pattern, n, true, &taken);
    if (fires) {
        why->len = 0;
        fires = !r->guard || guard_holds(st, r->guard, &m.b, &evidence, why);
    }
    if (fires) {
        st->diags = &scratch;
        Node *after = replace_matched(&m, r, n, taken, &extra);
        st->diags = saved;
        fires = after && after != n;
        if (!after)
            text_printf(why, "the right side has another type here%s%s", scratch.errors ? ": " : "",
                        scratch.errors ? scratch.list.at[0].message : "");
        else if (!fires)
            text_put(why, "both sides are the same here");
    }
    diags_free(&scratch);
    text_free(&evidence);
    return fires;
}
