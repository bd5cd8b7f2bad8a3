/* Calls: binding arguments, functions as Call nodes, builtins. */
#include "lang/dimensions.h"
#include "lang/foreign.h"
#include "lang/elab_prelude.h"
#include "graph/control.h"

/* An argument; of one that says along which axis, the names of dimensions of `first` count. */
static Value *elab_along(Elab *e, const Value *f, const char *parameter, Expr *x, Value *first)
{
    bool failed = false;
    Value *v = first ? dimensions_as_axis(e, f, parameter, x, first, &failed) : NULL;
    return v || failed ? v : elab_expr(e, x);
}

/* ---- functions of the program ---- */

typedef struct {
    Value **at;  /* by parameter */
    Span *spans; /* of the argument for each; no place: it is not written */
    int n;
} Bound;

static bool bind_params(Elab *e, Value *f, int npos, Value **pos, const Span *spans, int nargs,
                        const Arg *args, Span span, Bound *b)
{
    const char *name = f->text ? f->text : "the function";
    *b = (Bound){.at = arena_alloc(e->arena, ((size_t)f->nparams + 1) * sizeof *b->at),
                 .spans = arena_alloc(e->arena, ((size_t)f->nparams + 1) * sizeof *b->spans),
                 .n = f->nparams};
    memset(b->at, 0, ((size_t)f->nparams + 1) * sizeof *b->at);
    memset(b->spans, 0, ((size_t)f->nparams + 1) * sizeof *b->spans);
    if (npos > f->nparams)
        return elab_error(e, span, "arity", NULL, "%s takes %d argument%s, %d are given", name,
                          f->nparams, f->nparams == 1 ? "" : "s", npos),
               false;
    for (int i = 0; i < npos; i++) {
        b->at[i] = pos[i];
        b->spans[i] = spans ? spans[i] : span;
    }
    for (int i = 0; i < nargs; i++) {
        if (!args[i].name)
            continue;
        int k = 0;
        while (k < f->nparams && strcmp(f->params[k].name, args[i].name))
            k++;
        if (k == f->nparams)
            return elab_error(e, args[i].name_span, "unknown-name", NULL, "%s has no parameter %s",
                              name, args[i].name),
                   false;
        if (b->at[k])
            return elab_error(e, args[i].name_span, "arity", NULL, "%s is given twice",
                              args[i].name),
                   false;
        Value *first = f->nparams ? b->at[0] : NULL;
        if (!(b->at[k] = elab_along(e, f, args[i].name, args[i].value, first)))
            return false;
        b->spans[k] = args[i].value->span;
    }
    Env *saved = e->env;
    for (int i = 0; i < f->nparams; i++) {
        if (b->at[i])
            continue;
        if (!f->params[i].init)
            return elab_error(e, span, "arity", NULL, "%s needs a value for %s", name,
                              f->params[i].name),
                   false;
        Calling calling;
        e->env = f->env;
        env_call(e, f, &calling);
        b->at[i] = elab_expr(e, f->params[i].init);
        env_return(e);
        e->env = saved;
        if (!b->at[i])
            return false;
    }
    return true;
}

/* Node arguments become holes; numbers, functions and strings are passed through. */
static Value *open_argument(Elab *e, Value *v, Symbol hint, NodeVec *holes, NodeVec *actual,
                            OpenScope *open)
{
    if (v->kind == V_RECORD) { /* stays a record; what the body uses of it is captured */
        for (int i = 0; i < v->record->scan->type->nitems; i++) {
            Node *p = node_proj(e->st, v->record->scan, i);
            if (p)
                set_add(&open->outside.mentioned, p);
        }
        return v;
    }
    if (v->kind == V_TUPLE) {
        Value **items = arena_alloc(e->arena, ((size_t)v->nitems + 1) * sizeof *items);
        for (int i = 0; i < v->nitems; i++)
            if (!(items[i] = open_argument(e, v->items[i],
                                           v->names && hint ? tuple_path(e, hint, v, i) : NULL,
                                           holes, actual, open)))
                return NULL;
        return value_tuple_like(e, v, items);
    }
    if (v->kind != V_NODE || v->node->op == OP_CONST || value_is_number(v))
        return v;
    for (size_t i = 0; i < actual->len; i++)
        if (actual->at[i] == v->node) /* equal arguments are one capture */
            return v->weak ? value_weak(e, holes->at[i]) : value_node(e, holes->at[i]);
    Node *h = node_hole(e->st, v->node->type, hint);
    vec_push(holes, h);
    vec_push(actual, v->node);
    view_note(e, h, v->node, 0, NULL, 0);
    return v->weak ? value_weak(e, h) : value_node(e, h);
}

static Value *run_body(Elab *e, Value *f, Value **args, OpenScope *open)
{
    Env *saved = e->env;
    if (open)
        scope_enter(e, open, f->env);
    else
        e->env = env_new(e, f->env);
    for (int i = 0; i < f->nparams; i++)
        env_set(e, e->env, symbol(e->st, f->params[i].name), args[i]);
    Calling calling;
    env_call(e, f, &calling);
    f->active++;
    Value *v = elab_expr(e, f->body);
    f->active--;
    env_return(e);
    if (open)
        scope_leave(e, open, saved);
    else
        e->env = saved;
    return v;
}

static Value *call_node(Elab *e, Value *f, Value *result, OpenScope *open, NodeVec *holes,
                        NodeVec *actual)
{
    NodeVec outs = {0}, ops = {0};
    Value *r = NULL;
    Closed c;
    if (value_nodes(e, result, &outs) &&
        elab_close(e, open, 0, NULL, (int)holes->len, holes->at, (int)outs.len, outs.at, &c)) {
        for (int i = 0; i < c.nseqs; i++)
            vec_push(&ops, actual->at[c.seqs[i]]);
        for (int i = 0; i < c.ncaptures; i++)
            vec_push(&ops, c.captures[i]);
        Attr a[] = {{.graph = c.graph}, {.name = f->text}};
        Node *call = node_make(e->st, OP_CALL, a, (u32)ops.len, ops.at);
        Node **projs = arena_alloc(e->arena, (outs.len + 1) * sizeof *projs);
        bool ok = call != NULL;
        for (size_t i = 0; i < outs.len && ok; i++)
            ok = (projs[i] = node_proj(e->st, call, (i64)i)) != NULL;
        int used = 0;
        if (ok)
            r = value_rebuild(e, result, projs, &used);
    }
    vec_free(&outs);
    vec_free(&ops);
    return r;
}

static bool only_nodes(Elab *e, Value *v)
{
    v = value_plain(e, v);
    if (!v || v->kind == V_NODE)
        return v != NULL;
    bool ok = v->kind == V_TUPLE;
    for (int i = 0; ok && i < v->nitems; i++)
        ok = only_nodes(e, v->items[i]);
    return ok;
}

/* Scans keep their record, functions their closure: such a call is elaborated in place. */
static bool can_be_call(Elab *e, Value *result)
{
    return result->kind != V_RECORD && only_nodes(e, result);
}

enum { MAX_ACTIVE = 32 };    /* calls of one function inside each other */
enum { MAX_CALLS = 200000 }; /* functions that call one another twice need 2^depth */

static Value *apply_function(Elab *e, Value *f, Bound *b, Span span)
{
    if (f->active >= MAX_ACTIVE) /* map(v -> map(f, v), M) is fine */
        return elab_error(e, span, "recursion", hint_recursion(f),
                          "`%s` calls itself, but recursion is not supported: calls are expanded "
                          "while the graph is built",
                          f->text ? f->text : "the function");
    if (++e->calls > MAX_CALLS)
        return elab_error(e, span, "too-many",
                          "a body is built again for each call: name results that are used twice",
                          "this statement calls functions more than %d times", MAX_CALLS);
    if (!f->text) /* a lambda is what it says, in place */
        return run_body(e, f, b->at, NULL);
    NodeVec holes = {0}, actual = {0};
    Value **args = arena_alloc(e->arena, ((size_t)b->n + 1) * sizeof *args);
    bool ok = true;
    OpenScope open = {.span = span};
    for (int i = 0; i < b->n && ok; i++)
        ok = (args[i] = open_argument(e, b->at[i], symbol(e->st, f->params[i].name), &holes,
                                      &actual, &open)) != NULL;
    size_t errors = e->st->diags->errors, told = e->st->diags->list.len;
    Value *r = NULL, *result = ok ? run_body(e, f, args, &open) : NULL;
    bool placed = prelude_blame(e, f, b->spans, span, told);
    if (ok && !result && !placed && !f->active && e->st->diags->errors > errors && ++e->blamed < 4)
        diag_note(e->st->diags, "call", span, "in this call of %s", f->text);
    if (result)
        r = can_be_call(e, result) ? call_node(e, f, result, &open, &holes, &actual)
                                   : run_body(e, f, b->at, NULL);
    outside_end(&open.outside);
    vec_free(&holes);
    vec_free(&actual);
    return r;
}

/* ---- builtins: arguments by the signature ---- */

/* grad(loss, [W, b]): the list is of nodes, not an array of them. */
static bool is_list(const Value *f, const Expr *x, int position, Value *const *before)
{
    static const char *const names[] = {"grad", "value_and_grad", "vjp",
                                        "jvp",  "jacobian",       "hessian"};
    if (position == 2 && f->kind == V_BUILTIN && !strcmp(f->builtin->name, "jvp"))
        return x->kind == E_ARRAY && before[1] && before[1]->kind == V_TUPLE;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (f->kind == V_BUILTIN && position == 1 && x->kind == E_ARRAY &&
            !strcmp(f->builtin->name, names[i]))
            return true;
    return false;
}

static const char *parameter_at(const Value *f, int position, char name[32]);

static Value *elab_argument(Elab *e, const Value *f, Expr *x, int position, Value *const *before)
{
    char name[32];
    if (!is_list(f, x, position, before))
        return elab_along(e, f, parameter_at(f, position, name), x, position ? before[0] : NULL);
    Expr list = *x;
    list.kind = E_TUPLE;
    return elab_expr(e, &list);
}

/* Parameter k of a signature "x, axis=None, ..." -> its name; false past the end. */
static bool signature_param(const char *sig, int k, char name[32], bool *optional, bool *rest)
{
    const char *p = sig;
    for (int i = 0; i < k; i++) {
        int depth = 0;
        while (*p && (*p != ',' || depth)) {
            depth += *p == '(';
            depth -= *p == ')';
            p++;
        }
        if (!*p)
            return false;
        p++;
    }
    while (*p == ' ')
        p++;
    if (!*p)
        return false;
    size_t n = strcspn(p, "=, ");
    *rest = !strncmp(p, "...", 3);
    snprintf(name, 32, "%.*s", (int)n, p);
    *optional = p[n] == '=' || *rest;
    return true;
}

/* What the parameter at this place is called; "": there is none. */
static const char *parameter_at(const Value *f, int position, char name[32])
{
    bool optional, rest;
    if (f->kind == V_FUNCTION && position < f->nparams)
        return f->params[position].name;
    bool has = f->kind == V_BUILTIN &&
               signature_param(f->builtin->signature, position, name, &optional, &rest);
    return has ? name : "";
}

static bool place_argument(Elab *e, Args *a, const char *sig, int npos, Value *v, Span span)
{
    char name[32];
    bool optional, rest;
    if (!signature_param(sig, npos, name, &optional, &rest))
        return elab_error(e, span, "arity",
                          strstr(sig, "shape") ? "a shape of several sizes is a tuple: (2, 3)"
                                               : NULL,
                          "%s(%s) is given too many arguments", a->builtin->name, sig),
               false;
    a->at[npos] = v;
    a->spans[npos] = span;
    return true;
}

static bool place_keyword(Elab *e, Args *a, const char *sig, const Arg *arg)
{
    char name[32];
    bool optional, rest;
    for (int k = 0; signature_param(sig, k, name, &optional, &rest); k++) {
        if (strcmp(name, arg->name))
            continue;
        if (a->at[k])
            return elab_error(e, arg->name_span, "arity", NULL, "%s is given twice", name), false;
        Value f = {.kind = V_BUILTIN, .builtin = a->builtin};
        a->spans[k] = arg->value->span;
        return (a->at[k] = elab_argument(e, &f, arg->value, k, a->at)) != NULL;
    }
    char names[12][32], hint[64];
    const char *list[12];
    int n = 0;
    while (n < 12 && signature_param(sig, n, names[n], &optional, &rest))
        list[n] = names[n], n++;
    const char *close = closest_name(arg->name, list, (size_t)n);
    snprintf(hint, sizeof hint, "did you mean %s?", close ? close : "");
    const char *foreign = foreign_parameter_of(arg->name);
    return elab_error(e, arg->name_span, "unknown-name", close ? hint : foreign,
                      "%s(%s) has no parameter %s", a->builtin->name, sig, arg->name),
           false;
}

static bool required_given(Elab *e, Args *a, const char *sig)
{
    char name[32];
    bool optional, rest;
    for (int k = 0; signature_param(sig, k, name, &optional, &rest); k++) {
        a->n = k + 1;
        if (!a->at[k] && !optional)
            return elab_error(e, a->span, "arity", NULL, "%s(%s) needs a value for %s",
                              a->builtin->name, sig, name),
                   false;
    }
    return true;
}

/* Does the signature say `...` from this place on? */
static bool is_rest(const char *signature, int i)
{
    char name[32];
    bool optional, rest = false;
    return signature_param(signature, i, name, &optional, &rest) && rest;
}

static Value *apply_builtin(Elab *e, const Builtin *b, int npos, Value **pos, const Span *spans,
                            int nargs, const Arg *args, Span span)
{
    Args a = {.builtin = b, .span = span};
    for (int i = 0; i < npos; i++) {
        if (is_rest(b->signature, i)) {
            a.nrest = npos - i;
            a.rest = pos + i;
            break;
        }
        if (i >= 12 || !place_argument(e, &a, b->signature, i, pos[i], spans ? spans[i] : span))
            return NULL;
    }
    for (int i = 0; i < nargs; i++)
        if (args[i].name && !place_keyword(e, &a, b->signature, &args[i]))
            return NULL;
    if (!required_given(e, &a, b->signature))
        return NULL;
    e->st->span = span;
    return weak_where_all_are(e, &a, b->apply(e, &a));
}

/* Calls a builtin on values directly. */
static Value *builtin_apply(Elab *e, const Builtin *b, int n, Value **pos, Span span)
{
    return apply_builtin(e, b, n, pos, NULL, 0, NULL, span);
}

/* The function of this name that takes so many arguments. */
static Value *with_arguments(Value *f, int n)
{
    while (f->kind == V_FUNCTION && f->more && n > f->nparams)
        f = f->more;
    return f;
}

/* map, foldl .. of tuples; false: this is no such call. */
static bool leaves_tuples(Elab *e, const Value *f, int n, Value **args)
{
    bool any = false;
    for (int i = 1; i < n && f->kind == V_FUNCTION && f->of_tuples; i++) {
        const Value *v = value_plain(e, args[i]);
        any = any || (v && v->kind == V_TUPLE);
    }
    return any;
}

Value *elab_apply(Elab *e, Value *f, int n, Value **args, Span span)
{
    if (leaves_tuples(e, f, n, args))
        return f->of_tuples(e, n, args, span);
    f = with_arguments(f, n);
    if (f->kind == V_BUILTIN)
        return builtin_apply(e, f->builtin, n, args, span);
    if (f->kind == V_DERIVED)
        return derive_apply(e, f, n, args, span);
    if (f->kind != V_FUNCTION)
        return elab_error(e, span, "type-mismatch", NULL, "this is %s, not a function",
                          value_describe(e, f));
    Bound b = {0};
    return bind_params(e, f, n, args, NULL, 0, NULL, span, &b) ? apply_function(e, f, &b, span)
                                                               : NULL;
}

Value *elab_call(Elab *e, Expr *x)
{
    Value *f = elab_called(e, x->items[0]);
    if (!f)
        return NULL;
    if (f->kind == V_BUILTIN && !strcmp(f->builtin->name, "fused"))
        return elab_fused(e, x);
    if (f->kind == V_BUILTIN && !strcmp(f->builtin->name, "fits"))
        return elab_fits(e, x);
    int n = 0, keywords = 0;
    Value **pos = arena_alloc(e->arena, ((size_t)x->nargs + 1) * sizeof *pos);
    Span *spans = arena_alloc(e->arena, ((size_t)x->nargs + 1) * sizeof *spans);
    for (int i = 0; i < x->nargs; i++) {
        if (x->args[i].name) {
            keywords++;
            continue;
        }
        spans[n] = x->args[i].value->span;
        pos[n] = elab_argument(e, f, x->args[i].value, n, pos);
        if (!pos[n++])
            return NULL;
    }
    if (!keywords && leaves_tuples(e, f, n, pos))
        return f->of_tuples(e, n, pos, x->span);
    f = with_arguments(f, n);
    if (f->kind == V_BUILTIN)
        return apply_builtin(e, f->builtin, n, pos, spans, x->nargs, x->args, x->span);
    if (f->kind == V_FUNCTION) {
        Bound b = {0};
        return bind_params(e, f, n, pos, spans, x->nargs, x->args, x->span, &b)
                   ? apply_function(e, f, &b, x->span)
                   : NULL;
    }
    if (f->kind == V_DERIVED && keywords)
        return elab_error(e, x->span, "arity", "write the values in the order of the parameters",
                          "%s(f) takes its arguments by position", f->builtin->name);
    if (f->kind == V_DERIVED)
        return derive_apply(e, f, n, pos, x->span);
    return elab_not_callable(e, x->items[0], f);
}

/* ---- what builtins ask of their arguments ---- */

const char *arg_name(const Args *a, int i, char name[32])
{
    bool optional, rest;
    if (!signature_param(a->builtin->signature, i, name, &optional, &rest))
        name[0] = 0;
    return name;
}

Node *arg_node(Elab *e, Args *a, int i)
{
    return a->at[i] ? value_to_node(e, a->at[i], a->spans[i], a->builtin->name) : NULL;
}

Node *arg_tensor(Elab *e, Args *a, int i)
{
    Node *n = arg_node(e, a, i);
    if (n && n->type->kind != TYPE_TENSOR)
        return elab_error(e, a->spans[i], "type-mismatch", NULL, "%s needs a tensor",
                          a->builtin->name);
    return n;
}

bool arg_int(Elab *e, Args *a, int i, i64 fallback, i64 *out)
{
    char name[32];
    *out = fallback;
    return !a->at[i] || value_const_int(e, a->at[i], out, a->spans[i], arg_name(a, i, name));
}

bool arg_bool(Elab *e, Args *a, int i, bool fallback, bool *out)
{
    *out = fallback;
    if (!a->at[i])
        return true;
    Node *n = arg_node(e, a, i);
    i64 k;
    char name[32];
    if (!n)
        return false;
    if (n->type->dtype != DT_BOOL || !node_const_i64(n, &k))
        return elab_error(e, a->spans[i], "type-mismatch", NULL, "%s is true or false",
                          arg_name(a, i, name)),
               false;
    *out = k != 0;
    return true;
}

static bool fix_axis(Elab *e, const Args *a, Span span, i64 k, int rank, i64 *out)
{
    *out = k < 0 ? k + rank : k;
    if (*out >= 0 && *out < rank)
        return true;
    elab_error(e, span, "axis", rank ? NULL : foreign_axis_of(a->builtin->name),
               "%s: there is no axis %lld, the tensor has %d ax%s",
               prelude_caller(e, a->builtin->name), (long long)k, rank, rank == 1 ? "is" : "es");
    return false;
}

bool arg_axis(Elab *e, Args *a, int i, i64 fallback, int rank, int *out)
{
    i64 k, fixed;
    if (!arg_int(e, a, i, fallback, &k) ||
        !fix_axis(e, a, a->at[i] ? a->spans[i] : a->span, k, rank, &fixed))
        return false;
    *out = (int)fixed;
    return true;
}

static int compare_i64(const void *pa, const void *pb)
{
    i64 a = *(const i64 *)pa, b = *(const i64 *)pb;
    return a < b ? -1 : a > b;
}

/* One axis; max(x, y) is an error that tells of maximum. */
static bool axis_number(Elab *e, const Args *a, Value *v, Span span, i64 *out)
{
    const char *hint = foreign_axis_of(a->builtin->name);
    Type *t = v && v->kind == V_NODE ? v->node->type : NULL;
    if (!hint || !t || t->kind != TYPE_TENSOR || (!t->rank && dtype_is_int(t->dtype)))
        return value_const_int(e, v, out, span, "axis");
    elab_error(e, span, "not-constant", hint, "axis must be a whole number, but this is %s",
               shape_text(e->st, t));
    return false;
}

const IntList *arg_axes(Elab *e, Args *a, int i, int rank)
{
    Value *v = a->at[i];
    if (!v || v->kind == V_NONE)
        return all_axes(e->st, rank);
    v = value_plain(e, v);
    i64 at[MAX_RANK];
    int n = v->kind == V_TUPLE ? v->nitems : 1;
    if (n > MAX_RANK)
        return elab_error(e, a->spans[i], "axis", NULL, "%d axes are too many", n);
    for (int k = 0; k < n; k++) {
        i64 x;
        Value *item = v->kind == V_TUPLE ? v->items[k] : v;
        if (!axis_number(e, a, value_plain(e, item), a->spans[i], &x) ||
            !fix_axis(e, a, a->spans[i], x, rank, &at[k]))
            return NULL;
    }
    qsort(at, (size_t)n, sizeof *at, compare_i64);
    for (int k = 1; k < n; k++)
        if (at[k] == at[k - 1])
            return elab_error(e, a->spans[i], "axis", NULL, "axis %lld is given twice",
                              (long long)at[k]);
    return intlist(e->st, (u32)n, at);
}

bool arg_dtype(Elab *e, Args *a, int i, DType fallback, DType *out)
{
    *out = fallback;
    Value *v = a->at[i];
    if (!v || v->kind == V_NONE)
        return true;
    const char *name = v->kind == V_BUILTIN ? v->builtin->name : "";
    for (int d = 0; d < DT_RNG; d++)
        if (!strcmp(name, dtype_name((DType)d))) {
            *out = (DType)d;
            return true;
        }
    return elab_error(e, a->spans[i], "type-mismatch",
                      v->weak ? "a shape of several sizes is a tuple: zeros((2, 3)); the dtypes "
                                "are bool, i32, i64, f32, f64"
                              : "one of bool, i32, i64, f32, f64",
                      "this is not a dtype"),
           false;
}
