/* Reading patterns, and checking right sides and conditions against them, so that matching and
 * building meet no surprise. Every error stands at its own place in the rule. */
#include "graph/op.h"
#include "rewrite/pattern.h"

const char *const var_kind_names[5] = {"float", "any", "int", "bool", "const"};

bool var_kind_accepts(VarKind kind, const Node *n)
{
    if (n->type->kind != TYPE_TENSOR)
        return false;
    DType d = n->type->dtype;
    switch (kind) {
    case KIND_ANY: return true;
    case KIND_FLOAT: return dtype_is_float(d);
    case KIND_INT: return dtype_is_int(d);
    case KIND_BOOL: return d == DT_BOOL;
    case KIND_CONST: return node_is_const(n);
    }
    return false;
}

bool op_any_order(OpId op) { return op_table[op].flags & (COMMUTES | ANY_ORDER); }

/* ---- variables ---- */

static size_t bare_length(const char *name)
{
    const char *dots = strstr(name, "..."), *colon = strchr(name, ':');
    return dots ? (size_t)(dots - name) : colon ? (size_t)(colon - name) : strlen(name);
}

int rule_var(const RuleVars *v, const char *name)
{
    size_t n = bare_length(name);
    for (int i = 0; i < v->n; i++)
        if (strlen(v->names[i]) == n && !strncmp(v->names[i], name, n))
            return i;
    return -1;
}

static bool is_rest(const Expr *x) { return x->kind == E_NAME && strstr(x->text, "..."); }

static const char *kind_text(char kind)
{
    switch (kind) {
    case 'n': return "an operand";
    case 'r': return "the rest of the operands";
    case 'I': return "axes";
    case 'i': return "an integer";
    case 'd': return "a dtype";
    case 'b': return "a flag";
    case 'f': return "a number";
    default: return "an attribute";
    }
}

/* The slot of a variable, new or known; -1 after an error. */
static int declare(Arena *arena, RuleVars *v, const Expr *x, char kind, Diags *diags)
{
    int slot = rule_var(v, x->text);
    if (slot >= 0 && v->kinds[slot] != kind) {
        diag_add(diags, "rule", x->span, NULL, "%s is %s, but here it would be %s", v->names[slot],
                 kind_text(v->kinds[slot]), kind_text(kind));
        return -1;
    }
    if (slot >= 0)
        return slot;
    if (v->n == RULE_VARS) {
        diag_add(diags, "rule", x->span, NULL, "a rule has at most %d variables", RULE_VARS);
        return -1;
    }
    v->names[v->n] = arena_strndup(arena, x->text, bare_length(x->text));
    v->kinds[v->n] = kind;
    return v->n++;
}

static Pattern *pattern_new(Arena *arena, PatKind kind)
{
    Pattern *p = arena_alloc(arena, sizeof *p);
    p->kind = kind;
    p->slot = p->rest = -1;
    return p;
}

static Pattern *compile_var(Arena *arena, const Expr *x, RuleVars *vars, Diags *diags)
{
    Pattern *p = pattern_new(arena, is_rest(x) ? PAT_REST : PAT_VAR);
    const char *colon = strchr(x->text, ':');
    bool known = !colon;
    for (size_t i = 0; i < COUNT_OF(var_kind_names) && !known; i++)
        if (!strcmp(colon + 1, var_kind_names[i])) {
            p->var = (VarKind)i;
            known = true;
        }
    if (!known) {
        diag_add(diags, "rule", x->span, "any, int, bool, float or const",
                 "a variable cannot be `%s`", colon + 1);
        return NULL;
    }
    p->slot = declare(arena, vars, x, p->kind == PAT_REST ? 'r' : 'n', diags);
    if (p->slot >= 0 && colon)
        vars->types[p->slot] = p->var;
    return p->slot < 0 ? NULL : p;
}

/* An annotation holds for the variable wherever it stands. */
static void spread_types(Pattern *p, const RuleVars *vars)
{
    if (p->kind == PAT_VAR)
        p->var = vars->types[p->slot];
    for (int i = 0; i < p->n; i++)
        spread_types(p->args[i], vars);
}

static Pattern *compile_number(Arena *arena, const Expr *x, double sign)
{
    Pattern *p = pattern_new(arena, PAT_NUMBER);
    p->is_bool = x->kind == E_BOOL;
    p->number = p->is_bool ? x->flag : sign * strtod(x->text, NULL);
    return p;
}

/* ---- operands ---- */

typedef struct {
    Arena *arena;
    RuleVars *vars;
    Diags *diags;
} Compiler;

static Pattern *compile(Compiler *c, const Expr *x);

/* A sum in a sum, or a product in a product, is one with more operands, as in graphs. */
static bool compile_args(Compiler *c, Pattern *p, int n, Expr *const *items)
{
    VEC(Pattern *) all = {0};
    bool ok = true, nary = op_table[p->op].flags & NARY;
    for (int i = 0; i < n && ok; i++) {
        Pattern *a = compile(c, items[i]);
        ok = a != NULL;
        if (ok && nary && a->kind == PAT_OP && a->op == p->op)
            for (int k = 0; k < a->n; k++)
                vec_push(&all, a->args[k]);
        else if (ok)
            vec_push(&all, a);
    }
    p->n = (int)all.len;
    p->args = arena_alloc(c->arena, (all.len + 1) * sizeof *p->args);
    for (size_t i = 0; i < all.len; i++) {
        p->args[i] = all.at[i];
        if (all.at[i]->kind != PAT_REST || !ok)
            continue;
        bool many = nary || op_table[p->op].max_ops < 0;
        if (p->rest >= 0 || !many) {
            diag_add(c->diags, "rule", all.at[i]->written->span, NULL,
                     many ? "%s can have only one rest" : "%s has no rest", op_table[p->op].name);
            ok = false;
        }
        p->rest = (int)i;
    }
    vec_free(&all);
    return ok;
}

static bool arity_fits(OpId op, int n, int rests)
{
    int most = op_table[op].flags & NARY ? -1 : op_table[op].max_ops;
    return n + (rests ? 64 : 0) >= op_table[op].min_ops && (most < 0 || n <= most);
}

static bool arity_error(const Expr *x, const char *name, int n, Diags *diags)
{
    diag_add(diags, "rule", x->span, NULL, "%s does not take %d operand%s", name, n,
             n == 1 ? "" : "s");
    return false;
}

static int count_rests(int n, Expr *const *items)
{
    int rests = 0;
    for (int i = 0; i < n; i++)
        rests += is_rest(items[i]);
    return rests;
}

/* ---- attributes ---- */

static bool attr_is_open(char kind) { return kind && strchr("Iibd", kind); }

/* Axes, in the arena: a rule knows no store. */
static const IntList *int_list(Arena *arena, const Expr *x)
{
    int n = x->kind == E_TUPLE ? x->nitems : 1;
    IntList *l = arena_alloc(arena, sizeof *l + (size_t)(n + 1) * sizeof *l->at);
    l->n = (u32)n;
    for (int i = 0; i < n; i++) {
        const Expr *e = x->kind == E_TUPLE ? x->items[i] : x;
        if (e->kind != E_INT)
            return NULL;
        l->at[i] = strtoll(e->text, NULL, 10);
    }
    return l;
}

static bool dtype_from(const char *name, i64 *out)
{
    for (int d = 0; d < DT_COUNT; d++)
        if (!strcmp(dtype_name((DType)d), name)) {
            *out = d;
            return true;
        }
    return false;
}

static bool literal_attr(Arena *arena, const Expr *x, char kind, PatAttr *a)
{
    bool minus = x->kind == E_UNARY && x->op == AST_NEG && x->items[0]->kind == E_INT;
    switch (kind) {
    case 'I': return (a->ints = int_list(arena, x)) != NULL;
    case 'b': a->value = x->flag; return x->kind == E_BOOL;
    case 'd': return x->kind == E_NAME && dtype_from(x->text, &a->value);
    case 'i':
        if (x->kind == E_INT || minus)
            a->value = (minus ? -1 : 1) * strtoll(minus ? x->items[0]->text : x->text, NULL, 10);
        return x->kind == E_INT || minus;
    default: return false;
    }
}

static bool compile_attr(Compiler *c, Pattern *p, const Arg *arg, u32 *given)
{
    int i = op_attr_index(p->op, arg->name);
    char kind = i < 0 ? 0 : op_attr_kind(p->op, i);
    if (!attr_is_open(kind) || *given >> i & 1) {
        diag_add(c->diags, "rule", arg->name_span, NULL,
                 i < 0                ? "%s has no attribute %s"
                 : attr_is_open(kind) ? "%s: %s is given twice"
                                      : "%s: a rule cannot say %s",
                 op_table[p->op].name, arg->name);
        return false;
    }
    *given |= 1u << i;
    PatAttr *a = &p->attrs[i];
    a->slot = -1;
    if (literal_attr(c->arena, arg->value, kind, a))
        return true;
    if (arg->value->kind != E_NAME || is_rest(arg->value)) {
        diag_add(c->diags, "rule", arg->value->span, NULL, "%s must be a name or %s", arg->name,
                 kind_text(kind));
        return false;
    }
    a->slot = declare(c->arena, c->vars, arg->value, kind, c->diags);
    return a->slot >= 0;
}

/* Every attribute must be said: a pattern that left one out would match whatever it is. */
static bool all_given(const Expr *x, OpId op, u32 given, const char *what, Diags *diags)
{
    for (int i = 0; i < op_attr_count(op); i++) {
        char kind = op_attr_kind(op, i);
        if (given >> i & 1)
            continue;
        const char *name = op_attr_name(op, i);
        Text hint = {0};
        text_printf(&hint, "%s=%c", strcmp(name, "axes") ? name : "axis", *name - 'a' + 'A');
        diag_add(diags, "rule", x->span, attr_is_open(kind) ? text_str(&hint) : NULL,
                 attr_is_open(kind) ? "%s needs its %s%s"
                                    : "a rule has no way to say the attributes of %s",
                 op_table[op].name, name, what);
        text_free(&hint);
        return false;
    }
    return true;
}

static bool can_be_matched(OpId op)
{
    OpClass k = op_table[op].cls;
    return k != CLASS_CONTROL && k != CLASS_IMPLICIT && !(op_table[op].flags & TUPLE_RESULT) &&
           (k != CLASS_STRUCTURAL || op == OP_STOP_GRADIENT || op == OP_MATCH_SHAPE);
}

static Pattern *compile_call(Compiler *c, const Expr *x)
{
    const Expr *f = x->items[0];
    Pattern *p = pattern_new(c->arena, PAT_OP);
    p->op = f->kind == E_NAME ? op_by_name(f->text) : OP_COUNT;
    if (p->op == OP_COUNT || !can_be_matched(p->op)) {
        diag_add(c->diags, "rule", f->span, NULL,
                 p->op == OP_COUNT ? "a pattern can only call operators; `%s` is none"
                                   : "a pattern cannot look into %s",
                 f->kind == E_NAME ? f->text : "this");
        return NULL;
    }
    p->attrs = arena_alloc(c->arena, ((size_t)op_attr_count(p->op) + 1) * sizeof *p->attrs);
    Expr **items = arena_alloc(c->arena, ((size_t)x->nargs + 1) * sizeof *items);
    int n = 0;
    u32 given = 0;
    for (int i = 0; i < x->nargs; i++)
        if (!x->args[i].name)
            items[n++] = x->args[i].value;
        else if (!compile_attr(c, p, &x->args[i], &given))
            return NULL;
    int rests = count_rests(n, items);
    if (!arity_fits(p->op, n - rests, rests))
        return arity_error(x, op_table[p->op].name, n, c->diags), NULL;
    if (!all_given(x, p->op, given, ", as a name or a value", c->diags))
        return NULL;
    return compile_args(c, p, n, items) ? p : NULL;
}

static Pattern *compile_operator(Compiler *c, const Expr *x)
{
    Pattern *p = pattern_new(c->arena, PAT_OP);
    p->swaps_last = x->op == AST_TRANSPOSE;
    p->op = p->swaps_last ? OP_TRANSPOSE : op_of_sign(x->op);
    return p->op != OP_COUNT && compile_args(c, p, x->nitems, x->items) ? p : NULL;
}

static bool is_number(const Expr *x) { return x->kind == E_INT || x->kind == E_FLOAT; }

static Pattern *compile(Compiler *c, const Expr *x)
{
    Pattern *p = NULL;
    size_t errors = c->diags->errors;
    bool minus = x->kind == E_UNARY && x->op == AST_NEG && is_number(x->items[0]);
    switch (x->kind) {
    case E_NAME: p = compile_var(c->arena, x, c->vars, c->diags); break;
    case E_INT:
    case E_FLOAT:
    case E_BOOL: p = compile_number(c->arena, x, 1); break;
    case E_CALL: p = compile_call(c, x); break;
    case E_UNARY:
    case E_BINARY:
        p = minus ? compile_number(c->arena, x->items[0], -1) : compile_operator(c, x);
        break;
    default: break;
    }
    if (!p && c->diags->errors == errors)
        diag_add(c->diags, "rule", x->span, NULL, "this cannot stand in a rule");
    if (p)
        p->written = x;
    return p;
}

Pattern *pattern_compile(Arena *arena, const Expr *x, RuleVars *vars, Diags *diags)
{
    Compiler c = {arena, vars, diags};
    Pattern *p = compile(&c, x);
    if (p && p->kind != PAT_OP) {
        diag_add(diags, "rule", x->span, NULL, "a rule's left side must be an operation");
        return NULL;
    }
    if (p)
        spread_types(p, vars);
    return p;
}

/* ---- right sides and conditions ---- */

typedef struct {
    const RuleVars *vars;
    Diags *diags;
} Checker;

static bool check_node(Checker *c, const Expr *x);

static bool check_name(Checker *c, const Expr *x, char *kind)
{
    int slot = rule_var(c->vars, x->text);
    if (slot < 0) {
        diag_add(c->diags, "rule", x->span, NULL, "%s is not bound by the left side of the rule",
                 x->text);
        return false;
    }
    *kind = c->vars->kinds[slot];
    return true;
}

static bool wrong_kind(Checker *c, const Expr *x, char wanted, char kind)
{
    diag_add(c->diags, "rule", x->span, NULL, "%s is needed here, but this is %s",
             kind_text(wanted), kind_text(kind));
    return false;
}

static bool check_function(Checker *c, const Expr *x, const RuleFunction *f);

/* An argument that must be of the kind `wanted`; an integer is good for axes. */
static bool check_value(Checker *c, const Expr *x, char wanted)
{
    char kind = 0;
    PatAttr a;
    i64 d;
    if (wanted == 'n' || wanted == 'f')
        return (wanted == 'f' && is_number(x)) || check_node(c, x);
    if (x->kind == E_NAME && wanted == 'd' && dtype_from(x->text, &d))
        return true;
    if (x->kind == E_NAME) {
        if (!check_name(c, x, &kind))
            return false;
        return kind == wanted || (wanted == 'I' && kind == 'i') || wrong_kind(c, x, wanted, kind);
    }
    if (x->kind == E_CALL && x->items[0]->kind == E_NAME) {
        const RuleFunction *f = rule_function_by_name(x->items[0]->text);
        if (f && f->result != wanted && !(wanted == 'I' && f->result == 'i'))
            return wrong_kind(c, x, wanted, f->result);
        if (f)
            return check_function(c, x, f);
    }
    if (wanted == 'I') {
        bool ok = is_number(x) && x->kind == E_INT;
        for (int i = 0; x->kind == E_TUPLE && i < x->nitems; i++)
            ok = x->items[i]->kind == E_INT && (ok || i == 0);
        if (ok)
            return true;
    } else if (literal_attr(NULL, x, wanted, &a)) {
        return true;
    }
    diag_add(c->diags, "rule", x->span, NULL, "%s is needed here", kind_text(wanted));
    return false;
}

static bool check_function(Checker *c, const Expr *x, const RuleFunction *f)
{
    int params = (int)strlen(f->params);
    if (x->nargs != params) {
        diag_add(c->diags, "rule", x->span, NULL, "%s takes %d argument%s", f->name, params,
                 params == 1 ? "" : "s");
        return false;
    }
    for (int i = 0; i < params; i++) {
        if (x->args[i].name) {
            diag_add(c->diags, "rule", x->args[i].name_span, NULL, "%s takes no keywords", f->name);
            return false;
        }
        if (!check_value(c, x->args[i].value, f->params[i]))
            return false;
    }
    return true;
}

static bool check_operator_call(Checker *c, const Expr *x, OpId op)
{
    int n = 0, rests = 0;
    u32 given = 0;
    for (int i = 0; i < x->nargs; i++) {
        const Arg *a = &x->args[i];
        int k = a->name ? op_attr_index(op, a->name) : -1;
        if (a->name && (k < 0 || !attr_is_open(op_attr_kind(op, k)))) {
            diag_add(c->diags, "rule", a->name_span, NULL, "%s: a rule cannot say %s",
                     op_table[op].name, a->name);
            return false;
        }
        if (!check_value(c, a->value,
                         !a->name ? (is_rest(a->value) ? 'r' : 'n') : op_attr_kind(op, k)))
            return false;
        given |= a->name ? 1u << k : 0;
        rests += !a->name && is_rest(a->value);
        n += !a->name;
    }
    if (!arity_fits(op, n - rests, rests))
        return arity_error(x, op_table[op].name, n, c->diags);
    return all_given(x, op, given, ", from the left side", c->diags);
}

static bool check_call(Checker *c, const Expr *x)
{
    const Expr *f = x->items[0];
    const char *name = f->kind == E_NAME ? f->text : "this";
    const RuleFunction *own = f->kind == E_NAME ? rule_function_by_name(name) : NULL;
    if (own && own->result != 'n')
        return wrong_kind(c, x, 'n', own->result);
    if (own)
        return check_function(c, x, own);
    OpId op = f->kind == E_NAME ? op_by_name(name) : OP_COUNT;
    if (op != OP_COUNT && can_be_matched(op))
        return check_operator_call(c, x, op);
    diag_add(c->diags, "rule", f->span, NULL,
             "a right side can only call operators and functions of rules; `%s` is none", name);
    return false;
}

static bool check_node(Checker *c, const Expr *x)
{
    char kind = 0;
    switch (x->kind) {
    case E_INT:
    case E_FLOAT:
    case E_BOOL: return true;
    case E_NAME: return check_name(c, x, &kind) && (kind == 'n' || wrong_kind(c, x, 'n', kind));
    case E_CALL: return check_call(c, x);
    case E_UNARY:
    case E_BINARY:
        if (x->op != AST_TRANSPOSE && op_of_sign(x->op) == OP_COUNT)
            break;
        for (int i = 0; i < x->nitems; i++) {
            bool rest = is_rest(x->items[i]) && x->kind == E_BINARY &&
                        op_table[op_of_sign(x->op)].flags & NARY;
            if (!(rest ? check_value(c, x->items[i], 'r') : check_node(c, x->items[i])))
                return false;
        }
        return true;
    default: break;
    }
    diag_add(c->diags, "rule", x->span, NULL, "this cannot stand in a rule");
    return false;
}

bool template_check(const Expr *x, const RuleVars *vars, Diags *diags)
{
    return check_node(&(Checker){vars, diags}, x);
}

bool guard_check(const Expr *x, const RuleVars *vars, Diags *diags)
{
    Checker c = {vars, diags};
    if ((x->kind == E_BINARY && (x->op == AST_AND || x->op == AST_OR)) ||
        (x->kind == E_UNARY && x->op == AST_NOT))
        return guard_check(x->items[0], vars, diags) &&
               (x->kind == E_UNARY || guard_check(x->items[1], vars, diags));
    bool named = x->kind == E_CALL && x->items[0]->kind == E_NAME;
    const RuleFunction *g = named ? guard_by_name(x->items[0]->text) : NULL;
    if (g)
        return check_function(&c, x, g);
    VEC(const char *) names = {0};
    for (size_t i = 0; i < guard_count; i++)
        vec_push(&names, guards[i].name);
    const char *close = named ? closest_name(x->items[0]->text, names.at, names.len) : NULL;
    Text hint = {0};
    text_printf(&hint, close ? "did you mean %s?" : ":help guards lists them", close);
    diag_add(diags, "rule", x->span, text_str(&hint), "there is no such guard%s%s",
             named ? " as " : "", named ? x->items[0]->text : "");
    text_free(&hint);
    vec_free(&names);
    return false;
}
