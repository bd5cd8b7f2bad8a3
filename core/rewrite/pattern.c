/* Reading patterns. Every error stands at its own place in the rule. */
#include "rewrite/pattern_parts.h"

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

bool expr_is_rest(const Expr *x) { return x->kind == E_NAME && strstr(x->text, "..."); }

const char *rule_kind_text(char kind)
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

/* The slot of a variable, new or known, or of something without a name (NULL); -1 after an error.
 */
static int declare(Arena *arena, RuleVars *v, const char *name, char kind, Span span, Diags *diags)
{
    int slot = name ? rule_var(v, name) : -1;
    if (slot >= 0 && v->kinds[slot] != kind) {
        diag_add(diags, "rule", span, NULL, "%s is %s, but here it is used as %s", v->names[slot],
                 rule_kind_text(v->kinds[slot]), rule_kind_text(kind));
        return -1;
    }
    if (slot >= 0)
        return slot;
    if (v->n == RULE_VARS) {
        diag_add(diags, "rule", span, NULL, "a rule has at most %d variables", RULE_VARS);
        return -1;
    }
    v->names[v->n] = name ? arena_strndup(arena, name, bare_length(name)) : "";
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
    Pattern *p = pattern_new(arena, expr_is_rest(x) ? PAT_REST : PAT_VAR);
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
    p->slot = declare(arena, vars, x->text, p->kind == PAT_REST ? 'r' : 'n', x->span, diags);
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
    const ScanForm *loop; /* whose body this is, or NULL */
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

bool rule_arity_fits(OpId op, int n, int rests)
{
    int most = op_table[op].flags & NARY ? -1 : op_table[op].max_ops;
    return n + (rests ? 64 : 0) >= op_table[op].min_ops && (most < 0 || n <= most);
}

bool rule_arity_error(const Expr *x, const char *name, int n, Diags *diags)
{
    diag_add(diags, "rule", x->span, NULL, "%s does not take %d operand%s", name, n,
             n == 1 ? "" : "s");
    return false;
}

static int count_rests(int n, Expr *const *items)
{
    int rests = 0;
    for (int i = 0; i < n; i++)
        rests += expr_is_rest(items[i]);
    return rests;
}

/* ---- attributes ---- */

bool attr_is_open(char kind) { return kind && strchr("Iibd", kind); }

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

bool dtype_from_name(const char *name, i64 *out)
{
    for (int d = 0; d < DT_COUNT; d++)
        if (!strcmp(dtype_name((DType)d), name)) {
            *out = d;
            return true;
        }
    return false;
}

bool attr_from_literal(Arena *arena, const Expr *x, char kind, PatAttr *a)
{
    bool minus = x->kind == E_UNARY && x->op == AST_NEG && x->items[0]->kind == E_INT;
    switch (kind) {
    case 'I': return (a->ints = int_list(arena, x)) != NULL;
    case 'b': a->value = x->flag; return x->kind == E_BOOL;
    case 'd': return x->kind == E_NAME && dtype_from_name(x->text, &a->value);
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
                                      : "%s: a rule cannot specify %s",
                 op_table[p->op].name, arg->name);
        return false;
    }
    *given |= 1u << i;
    PatAttr *a = &p->attrs[i];
    a->slot = -1;
    if (attr_from_literal(c->arena, arg->value, kind, a))
        return true;
    if (arg->value->kind != E_NAME || expr_is_rest(arg->value)) {
        diag_add(c->diags, "rule", arg->value->span, NULL, "%s must be a name or %s", arg->name,
                 rule_kind_text(kind));
        return false;
    }
    a->slot = declare(c->arena, c->vars, arg->value->text, kind, arg->value->span, c->diags);
    return a->slot >= 0;
}

/* Every attribute must be said: a pattern that left one out would match whatever it is. */
bool attrs_all_given(const Expr *x, OpId op, u32 given, const char *what, Diags *diags)
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
                                    : "a rule cannot specify the attributes of %s",
                 op_table[op].name, name, what);
        text_free(&hint);
        return false;
    }
    return true;
}

bool op_can_be_matched(OpId op)
{
    OpClass k = op_table[op].cls;
    return k != CLASS_CONTROL && k != CLASS_IMPLICIT && !(op_table[op].flags & TUPLE_RESULT) &&
           (k != CLASS_STRUCTURAL || op == OP_STOP_GRADIENT || op == OP_MATCH_SHAPE);
}

static Pattern *compile_inner(Compiler *c, const Expr *x, const InnerCall *call);

static Pattern *compile_call(Compiler *c, const Expr *x)
{
    InnerCall call;
    if (expr_inner_call(x, &call))
        return compile_inner(c, x, &call);
    const Expr *f = x->items[0];
    Pattern *p = pattern_new(c->arena, PAT_OP);
    p->op = f->kind == E_NAME ? op_by_name(f->text) : OP_COUNT;
    if (p->op == OP_COUNT || !op_can_be_matched(p->op)) {
        diag_add(c->diags, "rule", f->span, NULL,
                 p->op == OP_COUNT ? "a pattern can call only operators, and `%s` is not one"
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
    if (!rule_arity_fits(p->op, n - rests, rests))
        return rule_arity_error(x, op_table[p->op].name, n, c->diags), NULL;
    if (!attrs_all_given(x, p->op, given, ", as a name or a value", c->diags))
        return NULL;
    return compile_args(c, p, n, items) ? p : NULL;
}

/* A variable that stands for a truth is a bool without saying so. */
static void must_be_bool(Compiler *c, const Pattern *p)
{
    if (p->kind == PAT_VAR && c->vars->types[p->slot] == KIND_FLOAT &&
        !strchr(p->written->text, ':'))
        c->vars->types[p->slot] = KIND_BOOL;
}

static Pattern *compile_operator(Compiler *c, const Expr *x)
{
    Pattern *p = pattern_new(c->arena, PAT_OP);
    p->swaps_last = x->op == AST_TRANSPOSE;
    p->op = p->swaps_last ? OP_TRANSPOSE : op_of_sign(x->op);
    if (p->op == OP_COUNT || !compile_args(c, p, x->nitems, x->items))
        return NULL;
    bool truths = p->op == OP_LOGICAL_NOT || p->op == OP_LOGICAL_AND || p->op == OP_LOGICAL_OR;
    for (int i = 0; i < p->n && truths; i++)
        must_be_bool(c, p->args[i]);
    return p;
}

/* ---- loops ---- */

/* s[t-1] and x[t]. */
static Pattern *compile_row(Compiler *c, const Expr *x)
{
    const ScanExpr *s = c->loop ? c->loop->written : NULL;
    const Expr *at = x->nsubs == 1 && x->subs[0].kind == SUB_INDEX ? x->subs[0].index : NULL;
    if (!s || !at || x->items[0]->kind != E_NAME)
        return NULL;
    const char *name = x->items[0]->text;
    bool state = c->loop->state == rule_var(c->vars, name), row = false;
    for (int i = 0; i < s->nover; i++)
        row = row || (!strcmp(s->over[i].name, name) && !strstr(name, "..."));
    bool now = at->kind == E_NAME && !strcmp(at->text, s->index);
    if (!(state && expr_is_step_before(at, s->index)) && !(row && now)) {
        diag_add(c->diags, "rule", x->span, NULL,
                 "in the loop of a rule its state is read at `%s-1`, its sequences at `%s`",
                 s->index, s->index);
        return NULL;
    }
    Pattern *p = pattern_new(c->arena, PAT_VAR);
    p->slot = declare(c->arena, c->vars, name, 'n', x->span, c->diags);
    p->row = row;
    return p->slot < 0 ? NULL : p;
}

static bool declare_loop(Compiler *c, const Expr *x, ScanForm *form, const char *state)
{
    const ScanExpr *s = x->scan;
    form->state = declare(c->arena, c->vars, state, 'n', x->span, c->diags);
    form->index = declare(c->arena, c->vars, s->index, 'n', s->index_span, c->diags);
    if (form->state < 0 || form->index < 0)
        return false;
    if (s->count)
        form->count = declare(c->arena, c->vars, s->count->text, 'n', s->count->span, c->diags);
    c->vars->types[form->state] = c->vars->types[form->index] = KIND_ANY;
    if (form->count >= 0)
        c->vars->types[form->count] = KIND_INT;
    return !s->count || form->count >= 0;
}

static Pattern *compile_scan(Compiler *c, const Expr *x, bool final)
{
    ScanForm *form = arena_alloc(c->arena, sizeof *form);
    const Bind *state;
    const Expr *value;
    if (!scan_form_read(x, form, &state, &value, c->diags))
        return NULL;
    Pattern *p = pattern_new(c->arena, PAT_SCAN);
    p->scan = form;
    p->op = final ? OP_PROJ : OP_SCAN;
    p->n = 2;
    p->args = arena_alloc(c->arena, 2 * sizeof *p->args);
    form->final = final;
    p->args[0] = compile(c, state->init);
    p->slot = declare(c->arena, c->vars, NULL, 'l', x->span, c->diags);
    if (!p->args[0] || p->slot < 0 || !declare_loop(c, x, form, state->name))
        return NULL;
    c->loop = form;
    p->args[1] = compile(c, value);
    c->loop = NULL;
    return p->args[1] ? p : NULL;
}

static Pattern *compile_field(Compiler *c, const Expr *x)
{
    bool loop = x->items[0]->kind == E_SCAN && !strcmp(x->text, "final");
    return loop && !c->loop ? compile_scan(c, x->items[0], true) : NULL;
}

/* ---- derivatives and maps ---- */

const char inner_forms[] = "grad(loss, x), vjp(y, x, dy), jvp(y, x, dx) or vmap(v -> y)(x)";

static bool inner_map(const Expr *x, InnerCall *out)
{
    const Expr *f = x->items[0];
    if (f->kind != E_CALL || f->items[0]->kind != E_NAME || strcmp(f->items[0]->text, "vmap"))
        return false;
    const Expr *l = f->nargs == 1 && !f->args[0].name ? f->args[0].value : NULL;
    if (x->nargs == 1 && !x->args[0].name && l && l->kind == E_LAMBDA && l->nparams == 1)
        *out = (InnerCall){OP_VMAP, l->items[0], x->args[0].value, NULL, l->params[0].name};
    return true;
}

bool expr_inner_call(const Expr *x, InnerCall *out)
{
    static const OpId ops[] = {OP_GRAD, OP_VJP, OP_JVP, OP_VMAP};
    const Expr *f = x->items[0];
    *out = (InnerCall){.op = OP_COUNT};
    if (inner_map(x, out))
        return true;
    OpId op = OP_COUNT;
    for (size_t i = 0; i < COUNT_OF(ops) && f->kind == E_NAME; i++)
        op = !strcmp(op_table[ops[i]].name, f->text) ? ops[i] : op;
    int n = op == OP_GRAD ? 2 : 3;
    bool plain = x->nargs == n && op != OP_VMAP;
    for (int i = 0; i < x->nargs; i++)
        plain = plain && !x->args[i].name;
    if (op == OP_COUNT || !plain)
        return op != OP_COUNT;
    const Expr *at = x->args[1].value;
    bool name = at->kind == E_NAME && !expr_is_rest(at);
    *out = (InnerCall){op, x->args[0].value, at, n == 3 ? x->args[2].value : NULL,
                       name ? at->text : NULL};
    return true;
}

/* Inside the derivative its variable is no longer the operand. */
static bool mark_inside(Pattern *p, int slot)
{
    if (p->kind == PAT_VAR && p->slot == slot)
        p->inside = true;
    bool ok = p->kind != PAT_INNER || p->slot != slot;
    for (int i = 0; i < p->n && ok; i++)
        ok = mark_inside(p->args[i], slot);
    return ok;
}

static Pattern *inner_error(Compiler *c, const Expr *x, const char *what)
{
    diag_add(c->diags, "rule", x->span, inner_forms, "%s", what);
    return NULL;
}

static Pattern *compile_inner(Compiler *c, const Expr *x, const InnerCall *call)
{
    Pattern *p = pattern_new(c->arena, PAT_INNER);
    const Expr *parts[] = {call->at, call->body, call->with};
    if (call->op == OP_COUNT)
        return inner_error(c, x, "this derivative or map is not allowed in a rule");
    if (!call->parameter)
        return inner_error(c, call->at, "the variable of a derivative must be a name");
    p->op = OP_PROJ;
    p->inner = call->op;
    p->n = call->with ? 3 : 2;
    p->args = arena_alloc(c->arena, 3 * sizeof *p->args);
    for (int i = 0; i < p->n; i++) {
        if (i == 1)
            p->slot = declare(c->arena, c->vars, call->parameter, 'n', x->span, c->diags);
        if ((i == 1 && p->slot < 0) || !(p->args[i] = compile(c, parts[i])))
            return NULL;
    }
    if (call->op == OP_VMAP)
        c->vars->types[p->slot] = KIND_ANY;
    c->vars->parameters |= 1u << p->slot;
    if (call->op != OP_VMAP && !mark_inside(p->args[1], p->slot))
        return inner_error(c, x, "two nested derivatives have the same variable");
    return p;
}

static Pattern *compile_if(Compiler *c, const Expr *x)
{
    Pattern *p = pattern_new(c->arena, PAT_IF);
    p->op = OP_PROJ;
    p->n = 3;
    p->args = arena_alloc(c->arena, 3 * sizeof *p->args);
    p->slot = declare(c->arena, c->vars, NULL, 'g', x->span, c->diags);
    for (int i = 0; i < 3 && p->slot >= 0; i++)
        if (!(p->args[i] = compile(c, x->items[i])))
            return NULL;
    if (p->slot < 0)
        return NULL;
    must_be_bool(c, p->args[0]);
    VarKind kind = p->args[0]->kind == PAT_VAR ? c->vars->types[p->args[0]->slot] : KIND_BOOL;
    if (kind == KIND_FLOAT || kind == KIND_INT ||
        (p->args[0]->kind == PAT_NUMBER && !p->args[0]->is_bool)) {
        diag_add(c->diags, "rule", x->items[0]->span, "if c then a else b",
                 "a condition must be a bool");
        return NULL;
    }
    return p;
}

bool expr_is_number(const Expr *x) { return x->kind == E_INT || x->kind == E_FLOAT; }

static Pattern *compile(Compiler *c, const Expr *x)
{
    Pattern *p = NULL;
    size_t errors = c->diags->errors;
    bool minus = x->kind == E_UNARY && x->op == AST_NEG && expr_is_number(x->items[0]);
    switch (x->kind) {
    case E_NAME: p = compile_var(c->arena, x, c->vars, c->diags); break;
    case E_INT:
    case E_FLOAT:
    case E_BOOL: p = compile_number(c->arena, x, 1); break;
    case E_CALL: p = compile_call(c, x); break;
    case E_IF: p = compile_if(c, x); break;
    case E_INDEX: p = compile_row(c, x); break;
    case E_FIELD: p = compile_field(c, x); break;
    case E_UNARY:
    case E_BINARY:
        p = minus ? compile_number(c->arena, x->items[0], -1) : compile_operator(c, x);
        break;
    default: break;
    }
    if (!p && c->diags->errors == errors)
        diag_add(c->diags, "rule", x->span, NULL, "this is not allowed in a rule");
    if (p)
        p->written = x;
    return p;
}

/* ---- what is computed when ---- */

/* Where a branch of an `if` runs, seen from what is around it. */
typedef enum { BRANCH_ALWAYS, BRANCH_CHOSEN, BRANCH_NEVER } BranchRuns;

/* The conditions of the branches around a place, innermost first. */
typedef struct Chosen {
    const Pattern *condition;
    int branch;
    const struct Chosen *outer;
} Chosen;

static BranchRuns branch_runs(const Pattern *condition, int branch, const Chosen *outer)
{
    if (condition->kind == PAT_NUMBER)
        return (condition->number != 0) == (branch == 0) ? BRANCH_ALWAYS : BRANCH_NEVER;
    for (; outer; outer = outer->outer)
        if (condition->kind == PAT_VAR && outer->condition->kind == PAT_VAR &&
            condition->slot == outer->condition->slot)
            return branch == outer->branch ? BRANCH_ALWAYS : BRANCH_NEVER;
    return BRANCH_CHOSEN;
}

/* Notes where variables stand: always computed, or only perhaps: in a branch, in a derivative that
 * may not need them, in a map that may have no lane. */
static void note_places(const Pattern *p, BranchRuns here, const Chosen *outer, RuleVars *vars)
{
    if (p->kind == PAT_VAR || p->kind == PAT_REST) {
        u32 bit = here == BRANCH_NEVER ? 0 : 1u << p->slot;
        *(here == BRANCH_ALWAYS ? &vars->always : &vars->chosen) |= bit;
    }
    for (int i = 0; i < p->n; i++) {
        bool branch = p->kind == PAT_IF && i > 0;
        Chosen inner = {p->args[0], i - 1, outer};
        BranchRuns r = branch ? branch_runs(p->args[0], i - 1, outer)
                       : (p->kind == PAT_INNER || p->kind == PAT_SCAN) && i == 1 ? BRANCH_CHOSEN
                                                                                 : BRANCH_ALWAYS;
        note_places(p->args[i], here > r ? here : r, branch ? &inner : outer, vars);
    }
}

Pattern *pattern_compile(Arena *arena, const Expr *x, RuleVars *vars, Diags *diags)
{
    Compiler c = {arena, vars, diags, NULL};
    Pattern *p = x->kind == E_SCAN ? compile_scan(&c, x, false) : compile(&c, x);
    if (p && p->kind == PAT_SCAN && !p->scan->final)
        vars->loop = p->scan;
    if (!p)
        return NULL;
    p->written = x;
    if (p->kind == PAT_VAR || p->kind == PAT_REST || p->kind == PAT_NUMBER) {
        diag_add(diags, "rule", x->span, NULL,
                 "a pattern must be an operation, not a name or a number alone");
        return NULL;
    }
    pattern_number(p, 0);
    spread_types(p, vars);
    note_places(p, BRANCH_ALWAYS, NULL, vars);
    return p;
}
