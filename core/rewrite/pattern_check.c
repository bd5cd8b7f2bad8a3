/* Checking right sides and conditions against what a pattern binds, so that building meets no
 * surprise. Every error stands at its own place in the rule. */
#include "rewrite/pattern_parts.h"

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
             rule_kind_text(wanted), rule_kind_text(kind));
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
        return (wanted == 'f' && expr_is_number(x)) || check_node(c, x);
    if (x->kind == E_NAME && wanted == 'd' && dtype_from_name(x->text, &d))
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
        bool ok = expr_is_number(x) && x->kind == E_INT;
        for (int i = 0; x->kind == E_TUPLE && i < x->nitems; i++)
            ok = x->items[i]->kind == E_INT && (ok || i == 0);
        if (ok)
            return true;
    } else if (attr_from_literal(NULL, x, wanted, &a)) {
        return true;
    }
    diag_add(c->diags, "rule", x->span, NULL, "%s is needed here", rule_kind_text(wanted));
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
            diag_add(c->diags, "rule", a->name_span, NULL, "%s: a rule cannot specify %s",
                     op_table[op].name, a->name);
            return false;
        }
        if (!check_value(c, a->value,
                         !a->name ? (expr_is_rest(a->value) ? 'r' : 'n') : op_attr_kind(op, k)))
            return false;
        given |= a->name ? 1u << k : 0;
        rests += !a->name && expr_is_rest(a->value);
        n += !a->name;
    }
    if (!rule_arity_fits(op, n - rests, rests))
        return rule_arity_error(x, op_table[op].name, n, c->diags);
    return attrs_all_given(x, op, given, ", from the left side", c->diags);
}

/* The variable must be one of a derivative or map of the left side: what depends on it there is
 * known. */
static bool check_inner(Checker *c, const Expr *x, const InnerCall *call)
{
    int slot = call->parameter ? rule_var(c->vars, call->parameter) : -1;
    if (call->op == OP_COUNT || slot < 0 || !(c->vars->parameters >> slot & 1)) {
        diag_add(c->diags, "rule", x->span, inner_forms,
                 call->op == OP_COUNT
                     ? "this derivative or map is not allowed in a rule"
                     : "%s is not the variable of a derivative or map on the left side",
                 call->parameter ? call->parameter : "this");
        return false;
    }
    return check_node(c, call->body) && check_node(c, call->at) &&
           (!call->with || check_node(c, call->with));
}

static bool check_call(Checker *c, const Expr *x)
{
    InnerCall call;
    if (expr_inner_call(x, &call))
        return check_inner(c, x, &call);
    const Expr *f = x->items[0];
    const char *name = f->kind == E_NAME ? f->text : "this";
    const RuleFunction *own = f->kind == E_NAME ? rule_function_by_name(name) : NULL;
    if (own && own->result != 'n')
        return wrong_kind(c, x, 'n', own->result);
    if (own)
        return check_function(c, x, own);
    OpId op = f->kind == E_NAME ? op_by_name(name) : OP_COUNT;
    if (op != OP_COUNT && op_can_be_matched(op))
        return check_operator_call(c, x, op);
    diag_add(c->diags, "rule", f->span, NULL,
             "a right side can call only operators and functions of rules, and `%s` is neither",
             name);
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
    case E_IF:
        return check_node(c, x->items[0]) && check_node(c, x->items[1]) &&
               check_node(c, x->items[2]);
    case E_UNARY:
    case E_BINARY:
        if (x->op != AST_TRANSPOSE && op_of_sign(x->op) == OP_COUNT)
            break;
        for (int i = 0; i < x->nitems; i++) {
            bool rest = expr_is_rest(x->items[i]) && x->kind == E_BINARY &&
                        op_table[op_of_sign(x->op)].flags & NARY;
            if (!(rest ? check_value(c, x->items[i], 'r') : check_node(c, x->items[i])))
                return false;
        }
        return true;
    default: break;
    }
    diag_add(c->diags, "rule", x->span, NULL, "this is not allowed in a rule");
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
    diag_add(diags, "rule", x->span, text_str(&hint), "there is no guard of that name%s%s",
             named ? " as " : "", named ? x->items[0]->text : "");
    text_free(&hint);
    vec_free(&names);
    return false;
}

int pattern_number(Pattern *p, int next)
{
    p->id = next++;
    p->any_order = p->kind == PAT_OP && op_any_order(p->op);
    p->height = p->kind == PAT_OP;
    for (int i = 0; i < p->n; i++) {
        next = pattern_number(p->args[i], next);
        if (p->height <= p->args[i]->height)
            p->height = p->args[i]->height + 1;
    }
    p->end = next;
    return next;
}
