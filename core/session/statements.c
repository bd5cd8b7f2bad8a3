/* Running statements. */
#include "session/statements.h"
#include "lang/elab_check.h"
#include "lang/foreign.h"
#include "session/definitions.h"
#include "session/undo.h"
#include "session/keep.h"

#include <errno.h>

static void result_free(Result *r)
{
    for (int i = 0; i < r->n && r->tensors; i++)
        tensor_unref(r->tensors[i]);
    free(r->tensors);
    free(r->roots);
    r->tensors = NULL;
    r->roots = NULL;
}

typedef struct {
    Session *s;
    Emit emit;
    void *ctx;
} Runner;

static void emit_simple(Runner *r, ResultKind kind, const Stmt *stmt, Symbol name)
{
    Result out = {.kind = kind, .stmt = stmt, .name = name, .definition = kind == RESULT_NONE};
    r->emit(r->ctx, &out);
}

static void fail(Runner *r, const Stmt *stmt) { emit_simple(r, RESULT_ERROR, stmt, NULL); }

/* ---- types ---- */

static void note_size(Session *s, const Size *z)
{
    for (u32 i = 0; i < z->nterms; i++)
        for (u32 k = 0; k < z->terms[i].nfactors; k++) {
            SizeAtom *a = z->terms[i].factors[k];
            if (a->kind != ATOM_NAME || map_has(&s->size_known, a->name))
                continue;
            map_put(&s->size_known, a->name, s);
            vec_push(&s->sizes, a->name);
        }
}

void session_note_sizes(Session *s, const Type *t)
{
    for (int a = 0; a < t->rank; a++)
        note_size(s, t->dims[a]);
}

#define MAX_SIZE ((i64)1 << 31) /* in a type: products of two stay exact */

static void *too_large(Session *s, const Expr *x)
{
    return elab_error(&s->elab, x->span, "overflow", NULL, "a size in a type is at most 2^31");
}

static Size *elab_size(Session *s, const Expr *x, Symbol input, int axis)
{
    Store *st = &s->st;
    if (x->kind == E_UNKNOWN_SIZE) {
        char name[128];
        snprintf(name, sizeof name, "%.100s.%d", input, axis);
        return size_name(st, symbol(st, name));
    }
    if (x->kind == E_INT) {
        errno = 0;
        i64 k = strtoll(x->text, NULL, 10);
        if (errno == ERANGE || k > MAX_SIZE)
            return too_large(s, x);
        return size_const(st, k);
    }
    if (x->kind == E_NAME)
        return size_name(st, symbol(st, x->text));
    if (x->kind == E_BINARY && (x->op == AST_ADD || x->op == AST_SUB || x->op == AST_MUL)) {
        Size *a = elab_size(s, x->items[0], input, axis),
             *b = a ? elab_size(s, x->items[1], input, axis) : NULL;
        if (!b)
            return NULL;
        if ((u64)a->weight * b->weight > 64)
            return elab_error(&s->elab, x->span, "syntax", "write a name instead, as in f64[m]",
                              "this size is too long");
        Size *r = x->op == AST_ADD   ? size_add(st, a, b)
                  : x->op == AST_SUB ? size_sub(st, a, b)
                                     : size_mul(st, a, b);
        for (u32 i = 0; i < r->nterms; i++)
            if (r->terms[i].coef > MAX_SIZE || r->terms[i].coef < -MAX_SIZE)
                return too_large(s, x);
        return r->constant > MAX_SIZE || r->constant < -MAX_SIZE ? too_large(s, x) : r;
    }
    return elab_error(&s->elab, x->span, "syntax", NULL,
                      "a size is a whole number, a name, or + - * of those");
}

/* `input` names unknown sizes. */
static Type *elab_type(Elab *e, const TypeExpr *t, Symbol input)
{
    Session *s = e->host->session;
    Size *dims[MAX_RANK];
    DType d = DT_COUNT;
    const char *names[DT_COUNT];
    for (int i = 0; i < DT_COUNT; i++) {
        names[i] = dtype_name((DType)i);
        if (!strcmp(names[i], t->dtype))
            d = (DType)i;
    }
    if (d == DT_COUNT) {
        const char *best = foreign_dtype_of(t->dtype);
        best = best ? best : closest_name(t->dtype, names, DT_COUNT);
        return elab_error(e, t->span, "unknown-name",
                          best ? best : "the dtypes are bool i32 i64 f32 f64 rng",
                          "there is no dtype %s", t->dtype);
    }
    if (t->ndims > MAX_RANK)
        return elab_error(e, t->span, "rank", NULL, "a tensor can have at most %d axes", MAX_RANK);
    for (int i = 0; i < t->ndims; i++) {
        if (!(dims[i] = elab_size(s, t->dims[i], input, i)))
            return NULL;
        i64 k;
        if (size_is_const(dims[i], &k) && k < 0)
            return elab_error(e, t->dims[i]->span, "shape-mismatch", NULL,
                              "a size cannot be negative");
        note_size(s, dims[i]);
    }
    return type_tensor(e->st, d, t->ndims, dims);
}

/* ---- giving values ---- */

static bool binds(const Size *z, i64 length, Symbol *name, i64 *value)
{
    if (z->nterms != 1 || z->terms[0].nfactors != 1 || z->terms[0].factors[0]->kind != ATOM_NAME)
        return false;
    *name = z->terms[0].factors[0]->name;
    i64 rest = length - z->constant;
    *value = rest / z->terms[0].coef;
    return rest % z->terms[0].coef == 0;
}

/* Does the tensor fit the declared type, its own repeated sizes included? */
static bool fits_type(Session *s, const Type *t, const Tensor *v, Span span, const char *name)
{
    Text want = {0};
    type_print(&want, t);
    Symbol seen[MAX_RANK];
    i64 values[MAX_RANK];
    int n = 0;
    bool ok = t->rank == v->rank;
    for (int a = 0; a < t->rank && ok; a++) {
        i64 k;
        Symbol sym = NULL;
        if (size_is_const(t->dims[a], &k)) {
            ok = k == v->shape[a];
        } else if (binds(t->dims[a], v->shape[a], &sym, &k)) {
            ok = k >= 0;
            for (int i = 0; i < n && ok; i++)
                ok = seen[i] != sym || values[i] == k;
            seen[n] = sym;
            values[n++] = k;
        }
    }
    if (!ok) {
        Text got = {0};
        text_put(&got, dtype_name(v->dtype));
        for (int a = 0; a < v->rank; a++)
            text_printf(&got, "%s%lld", a ? ", " : "[", (long long)v->shape[a]);
        if (v->rank)
            text_putc(&got, ']');
        elab_error(&s->elab, span, "shape-mismatch", NULL,
                   "%s is declared as %s but this value is %s", name, text_str(&want),
                   text_str(&got));
        text_free(&got);
    }
    text_free(&want);
    return ok;
}

/* Another input whose present value gives a size another length. */
static bool sizes_agree(Session *s, const Leaf *leaf, const Tensor *v, Span span)
{
    for (int a = 0; a < leaf->node->type->rank; a++) {
        Symbol name;
        i64 k, other;
        if (!binds(leaf->node->type->dims[a], v->shape[a], &name, &k))
            continue;
        size_t at = 0;
        for (Leaf *o; (o = session_next_of_size(s, name, &at)) != NULL;) {
            const Tensor *t = o->shared ? map_get(&s->contexts.at[0]->values, o->node) : o->value;
            if (o->node == leaf->node || !t)
                continue;
            for (int b = 0; b < o->node->type->rank; b++) {
                Symbol sym;
                if (binds(o->node->type->dims[b], t->shape[b], &sym, &other) && sym == name &&
                    other != k)
                    return elab_error(&s->elab, span, "size-mismatch",
                                      "give the other a value that fits in the same statement; "
                                      "`:reset` forgets what there is",
                                      "%s is %lld by %s but %lld by %s", name, (long long)k,
                                      leaf->name, (long long)other, o->name),
                           false;
            }
        }
    }
    return true;
}

/* Weak numbers and arrays of them take the dtype that is declared; others must have it. */
static Node *to_declared(Session *s, Value *v, Type *t, Span span, const char *name)
{
    Elab *e = &s->elab;
    Node *n = value_to_node(e, v, span, name);
    if (!n)
        return NULL;
    v = value_plain(e, v);
    if (n->type->kind != TYPE_TENSOR)
        return elab_error(e, span, "type-mismatch", NULL, "%s takes one tensor", name);
    bool lossy = v->weak && dtype_is_float(n->type->dtype) && !dtype_is_float(t->dtype) &&
                 !(n->op == OP_CONST && n->attrs[0].value->count == 0);
    if (v->weak && !lossy && t->dtype != DT_RNG) {
        i64 k;
        if (t->dtype == DT_I32 && node_const_i64(n, &k) && (k > INT32_MAX || k < INT32_MIN))
            return elab_error(e, span, "overflow", NULL, "%lld does not fit in i32", (long long)k);
        n = weak_retype(e->st, n, t->dtype);
    }
    if (n && n->type->dtype != t->dtype) {
        char hint[64];
        snprintf(hint, sizeof hint, "write %s(...) to convert it", dtype_name(t->dtype));
        return elab_error(e, span, "type-mismatch",
                          t->dtype == DT_RNG ? "make one with rng(seed)" : hint,
                          "%s is declared as %s but this value is %s", name, dtype_name(t->dtype),
                          dtype_name(n->type->dtype));
    }
    if (n && n->op == OP_CONST && n->attrs[0].value->count == 0 && t->rank != n->type->rank) {
        i64 shape[MAX_RANK] = {0}; /* [] takes the type that is declared */
        for (int a = 0; a < t->rank; a++)
            size_is_const(t->dims[a], &shape[a]);
        Tensor *empty = tensor_new(&e->st->heap, t->dtype, t->rank, shape);
        if (empty && empty->count == 0)
            n = node_const(e->st, empty);
        tensor_unref(empty);
    }
    return n;
}

static void store_value(Session *s, Leaf *leaf, Tensor *t)
{
    undo_note_store(s, leaf->node, leaf->shared ? s->context : NULL,
                    leaf->shared ? map_get(&s->context->values, leaf->node) : leaf->value);
    if (!leaf->shared) {
        tensor_unref(leaf->value);
        leaf->value = t;
        return;
    }
    Tensor *old = map_get(&s->context->values, leaf->node);
    map_put(&s->context->values, leaf->node, t);
    tensor_unref(old);
}

/* ---- declarations ---- */

/* The name meant something else in between: it begins anew, as if the leaf had never been. */
static void leaf_reset(Session *s, Leaf *leaf)
{
    undo_note_store(s, leaf->node, NULL, leaf->value);
    tensor_unref(leaf->value);
    leaf->value = NULL;
    for (size_t i = 0; i < s->contexts.len; i++) {
        Context *c = s->contexts.at[i];
        if (map_get(&c->values, leaf->node))
            undo_note_store(s, leaf->node, c, map_get(&c->values, leaf->node));
        tensor_unref(map_get(&c->values, leaf->node));
        map_remove(&c->values, leaf->node);
    }
}

static Leaf *leaf_by_name(Session *s, Symbol name)
{
    Value *v = env_own(s->elab.globals, name);
    return v && v->kind == V_NODE ? session_leaf(s, v->node) : NULL;
}

Leaf *session_declare(Session *s, const Stmt *stmt, Symbol name, Type *type, bool shared)
{
    Node *n = node_input(&s->st, shared ? OP_SHARED : OP_INPUT, name, type);
    if (!n)
        return NULL;
    Leaf *leaf = session_leaf(s, n);
    if (!leaf)
        leaf = session_add_leaf(s, (Leaf){.name = name, .node = n, .shared = shared});
    else if (leaf_by_name(s, name) != leaf)
        leaf_reset(s, leaf);
    env_set(&s->elab, s->elab.globals, name, value_node(&s->elab, n));
    definitions_add_leaf(s, stmt, leaf);
    return leaf;
}

static bool evaluate_one(Session *s, Node *n, Tensor **out)
{
    return session_evaluate(s, 1, &n, out);
}

static bool run_declaration(Session *s, const Stmt *stmt)
{
    bool shared = stmt->kind == S_SHARED;
    Symbol name = symbol(&s->st, stmt->names[0].name);
    s->st.span = stmt->span;
    Type *type = elab_type(&s->elab, stmt->type, name);
    if (!type)
        return false;
    Tensor *t = NULL;
    Node *probe = node_input(&s->st, shared ? OP_SHARED : OP_INPUT, name, type);
    if (!probe)
        return false;
    if (stmt->value) {
        Value *v = elab_expr(&s->elab, stmt->value);
        Node *n = v ? to_declared(s, v, type, stmt->value->span, name) : NULL;
        if (!n || !evaluate_one(s, n, &t))
            return false;
        Leaf trial = {.name = name, .node = probe};
        if (!fits_type(s, type, t, stmt->value->span, name) ||
            !sizes_agree(s, &trial, t, stmt->value->span)) {
            tensor_unref(t);
            return false;
        }
    } else if (shared &&
               (!session_leaf(s, probe) || leaf_by_name(s, name) != session_leaf(s, probe))) {
        return elab_error(&s->elab, stmt->span, "no-value", "write shared W : f64[2] = [1, 2]",
                          "the shared variable %s needs a value", name),
               false;
    }
    s->st.span = stmt->span;
    Leaf *leaf = session_declare(s, stmt, name, type, shared);
    if (leaf && t)
        store_value(s, leaf, t);
    return leaf != NULL;
}

/* ---- := ---- */

typedef struct {
    Symbol name;
    Leaf *leaf; /* NULL: an undeclared name */
    Span span;
} Store1;

static bool assign_targets(Session *s, const Stmt *stmt, Store1 *to, bool inside_in)
{
    for (int i = 0; i < stmt->nnames; i++) {
        to[i].name = symbol(&s->st, stmt->names[i].name);
        to[i].span = stmt->names[i].span;
        to[i].leaf = leaf_by_name(s, to[i].name);
        if (!strcmp(to[i].name, "_"))
            continue;
        if (!to[i].leaf && env_own(s->elab.globals, to[i].name))
            return elab_error(
                       &s->elab, to[i].span, "type-mismatch", "declare it as an input, x : f64 = 1",
                       "%s is a definition; only inputs and shared variables can be given values",
                       to[i].name),
                   false;
        if (inside_in && !(to[i].leaf && to[i].leaf->shared))
            return elab_error(&s->elab, to[i].span, "context", NULL,
                              "inside `in` only shared variables are stored; %s is none",
                              to[i].name),
                   false;
        for (int k = 0; k < i; k++)
            if (to[k].name == to[i].name)
                return elab_error(&s->elab, to[i].span, "assign", NULL,
                                  "%s is stored twice at once", to[i].name),
                       false;
    }
    return true;
}

static bool assign_sources(Session *s, const Stmt *stmt, Store1 *to, Node **nodes)
{
    Elab *e = &s->elab;
    Value **values = arena_alloc(s->elab.arena, ((size_t)stmt->nnames + 1) * sizeof *values);
    if (stmt->nvalues == 1 && stmt->nnames > 1) {
        Value *v = value_plain(e, elab_expr(e, stmt->values[0]));
        if (!v)
            return false;
        if (v->kind != V_TUPLE || v->nitems != stmt->nnames)
            return elab_error(e, stmt->span, "arity", NULL,
                              "%d names on the left but the right side is %s", stmt->nnames,
                              value_describe(e, v)),
                   false;
        for (int i = 0; i < stmt->nnames; i++)
            values[i] = v->items[i];
    } else {
        if (stmt->nvalues != stmt->nnames)
            return elab_error(e, stmt->span, "arity", NULL,
                              "%d names on the left but %d values on the right", stmt->nnames,
                              stmt->nvalues),
                   false;
        for (int i = 0; i < stmt->nnames; i++)
            if (!(values[i] = elab_expr(e, stmt->values[i])))
                return false;
    }
    for (int i = 0; i < stmt->nnames; i++) {
        Span span = stmt->nvalues == stmt->nnames ? stmt->values[i]->span : stmt->span;
        nodes[i] = to[i].leaf ? to_declared(s, values[i], to[i].leaf->node->type, span, to[i].name)
                              : value_to_node(e, values[i], span, ":=");
        if (!nodes[i])
            return false;
    }
    return true;
}

/* The type that an undeclared name on the left takes: the value's dtype and rank, sizes unknown to
 * others. */
static Leaf *declare_from(Session *s, const Stmt *stmt, Symbol name, const Tensor *t)
{
    Size *dims[MAX_RANK];
    for (int a = 0; a < t->rank; a++)
        dims[a] = size_const(&s->st, t->shape[a]);
    return session_declare(s, stmt, name, type_tensor(&s->st, t->dtype, t->rank, dims), false);
}

static bool stores_fit(Session *s, const Stmt *stmt, Store1 *to, Tensor **values)
{
    for (int i = 0; i < stmt->nnames; i++)
        if (to[i].leaf && !fits_type(s, to[i].leaf->node->type, values[i], to[i].span, to[i].name))
            return false;
    if (stmt->nnames == 1 && to[0].leaf && !to[0].leaf->shared)
        return sizes_agree(s, to[0].leaf, values[0], to[0].span);
    return true;
}

static bool run_assign(Session *s, const Stmt *stmt, bool inside_in)
{
    size_t n = (size_t)stmt->nnames;
    Store1 *to = arena_alloc(s->elab.arena, n * sizeof *to);
    Node **nodes = arena_alloc(s->elab.arena, n * sizeof *nodes), *missing;
    Tensor **values = arena_alloc(s->elab.arena, n * sizeof *values);
    s->st.span = stmt->span;
    if (!assign_targets(s, stmt, to, inside_in) || !assign_sources(s, stmt, to, nodes))
        return false;
    if (session_missing(s, stmt->nnames, nodes, &missing)) {
        Symbol name = missing->op == OP_SIZE ? "a size" : missing->attrs[0].name;
        return elab_error(&s->elab, stmt->span, "no-value",
                          "give it one with :=", "%s has no value", name),
               false;
    }
    if (!session_evaluate(s, stmt->nnames, nodes, values))
        return false;
    bool ok = stores_fit(s, stmt, to, values);
    for (int i = 0; i < stmt->nnames; i++) {
        if (ok && !to[i].leaf && strcmp(to[i].name, "_"))
            to[i].leaf = declare_from(s, stmt, to[i].name, values[i]);
        else if (ok && to[i].leaf) /* declaring others may have moved the list */
            to[i].leaf = leaf_by_name(s, to[i].name);
    }
    for (int i = 0; i < stmt->nnames; i++) {
        Leaf *leaf = ok && strcmp(to[i].name, "_") ? leaf_by_name(s, to[i].name) : NULL;
        if (leaf)
            store_value(s, leaf, values[i]);
        else
            tensor_unref(values[i]);
    }
    return ok;
}

/* ---- expressions ---- */

static Symbol bare_name(Session *s, const Stmt *stmt)
{
    return stmt->value->kind == E_NAME ? symbol(&s->st, stmt->value->text) : NULL;
}

void session_emit_value(Session *s, const Stmt *stmt, Symbol name, Value *v, Emit emit, void *ctx)
{
    Result out = {.kind = RESULT_ERROR, .stmt = stmt, .name = name};
    v = v ? value_plain(&s->elab, v) : NULL;
    out.value = v;
    Node *missing;
    if (v && (v->kind == V_FUNCTION || v->kind == V_BUILTIN || v->kind == V_DERIVED)) {
        out.kind = RESULT_FUNCTION;
    } else if (v && (out.n = session_roots(s, v, stmt->span, &out.roots)) >= 0) {
        s->st.span = stmt->span;
        out.tensors = xcalloc((size_t)out.n + 1, sizeof *out.tensors);
        if (session_missing(s, out.n, out.roots, &missing))
            out.kind = RESULT_GRAPH;
        else if (session_evaluate(s, out.n, out.roots, out.tensors))
            out.kind = RESULT_VALUE;
        else
            memset(out.tensors, 0, (size_t)out.n * sizeof *out.tensors);
    }
    if (out.n == 0 && out.kind == RESULT_VALUE)
        out.kind = RESULT_NONE; /* an empty tuple, as save() gives: nothing to show */
    if (out.n < 0)
        out.n = 0;
    emit(ctx, &out);
    result_free(&out);
}

/* `check(c, "message")`: at once, with the values that there are. */
static bool run_check(Session *s, const Stmt *stmt)
{
    Guards guards = {0};
    Node *n = elab_guard(&s->elab, stmt->value, &guards)
                  ? guarded(&s->elab, node_bool(&s->st, true), &guards)
                  : NULL;
    Node *missing;
    Tensor *t = NULL;
    bool ok = n != NULL;
    vec_free(&guards);
    s->st.span = stmt->span;
    if (ok && session_missing(s, 1, &n, &missing))
        diag_note(&s->diags, "check", stmt->span, "not checked: an input has no value yet");
    else if (ok)
        ok = session_evaluate(s, 1, &n, &t);
    tensor_unref(t);
    return ok;
}

static void run_expression(Runner *r, const Stmt *stmt)
{
    Session *s = r->s;
    if (expr_is_check(stmt->value) && !env_own(s->elab.globals, symbol(&s->st, "check"))) {
        bool ok = run_check(s, stmt);
        emit_simple(r, ok ? RESULT_NONE : RESULT_ERROR, stmt, NULL);
        return;
    }
    s->elab.statement = stmt->value;
    Value *v = elab_expr(&s->elab, stmt->value);
    session_emit_value(s, stmt, bare_name(s, stmt), v, r->emit, r->ctx);
}

/* ---- dispatch ---- */

static void run_statement(Runner *r, Stmt *stmt, bool inside_in);

static void run_in(Runner *r, Stmt *stmt)
{
    Session *s = r->s;
    Context *saved = s->context;
    s->context = session_context(s, symbol(&s->st, stmt->names[0].name));
    size_t before = s->diags.errors;
    for (int i = 0; i < stmt->nbody && s->diags.errors == before; i++)
        run_statement(r, stmt->body[i], true);
    s->context = saved;
}

static void run_repeat(Runner *r, Stmt *stmt, bool inside_in)
{
    Session *s = r->s;
    Node *n = elab_node(&s->elab, stmt->value, "repeat");
    Tensor *t = NULL;
    if (n && (!type_is_scalar(n->type) || !dtype_is_int(n->type->dtype)))
        n = elab_error(&s->elab, stmt->value->span, "type-mismatch", NULL,
                       "repeat takes one whole number");
    if (!n || !evaluate_one(s, n, &t)) {
        fail(r, stmt);
        return;
    }
    i64 count = tensor_i64_at(t, 0);
    tensor_unref(t);
    size_t before = s->diags.errors;
    double start = now_seconds();
    for (i64 k = 0; k < count && s->diags.errors == before; k++) {
        Chapter *outer = session_begin(s, stmt->span.src);
        for (int i = 0; i < stmt->nbody && s->diags.errors == before; i++)
            run_statement(r, stmt->body[i], inside_in);
        session_end(s, outer);
        session_progress(s, start, (double)(k + 1) / (double)count);
        if (s->interrupt && *s->interrupt && s->diags.errors == before) {
            elab_error(&s->elab, stmt->span, "interrupted", NULL,
                       "interrupted after %lld of %lld rounds", (long long)(k + 1),
                       (long long)count);
            fail(r, stmt);
        }
    }
}

enum { FAILED = 4096 }; /* names; then it begins anew */

void session_failed(Session *s, Symbol name)
{
    if (s->failed.len == FAILED)
        map_clear(&s->failed);
    map_put(&s->failed, name, s);
    if (env_own(s->elab.globals, name))
        map_put(&s->failed_anew, name, s);
}

static void remember_failure(Session *s, const Stmt *stmt)
{
    for (int i = 0; i < stmt->nnames; i++)
        if (stmt->kind == S_DEFINE || stmt->kind == S_INPUT || stmt->kind == S_SHARED ||
            stmt->kind == S_FUNCTION)
            session_failed(s, symbol(&s->st, stmt->names[i].name));
}

static void run_definition(Runner *r, Stmt *stmt)
{
    Session *s = r->s;
    Symbol name = stmt->nnames ? symbol(&s->st, stmt->names[0].name) : NULL;
    s->same_value = true;
    if (!elab_define(&s->elab, stmt)) {
        remember_failure(s, stmt);
        fail(r, stmt);
        return;
    }
    s->st.span = stmt->span;
    definitions_add(s, stmt);
    Result out = {.kind = RESULT_NONE, .definition = true, .stmt = stmt, .name = name};
    Value *v = stmt->nnames == 1 ? env_own(s->elab.globals, name) : NULL;
    out.value = v && v->kind == V_NODE ? v : NULL;
    r->emit(r->ctx, &out);
}

static void run_statement(Runner *r, Stmt *stmt, bool inside_in)
{
    Session *s = r->s;
    elab_start(&s->elab);
    definitions_start(s);
    s->st.span = stmt->span;
    bool ok = true;
    switch (stmt->kind) {
    case S_INPUT:
    case S_SHARED: ok = run_declaration(s, stmt); break;
    case S_DEFINE:
    case S_FUNCTION: run_definition(r, stmt); return;
    case S_COMPOSITE:
    case S_DERIVATIVE: ok = elab_define(&s->elab, stmt); break;
    case S_ASSIGN: ok = run_assign(s, stmt, inside_in); break;
    case S_REPEAT: run_repeat(r, stmt, inside_in); return;
    case S_IN: run_in(r, stmt); return;
    case S_EXPR: run_expression(r, stmt); return;
    case S_COMMAND: emit_simple(r, RESULT_COMMAND, stmt, NULL); return;
    }
    if (!ok)
        remember_failure(s, stmt);
    emit_simple(r, ok ? RESULT_NONE : RESULT_ERROR, stmt,
                stmt->nnames ? symbol(&s->st, stmt->names[0].name) : NULL);
}

void session_run(Session *s, Stmt *stmt, Emit emit, void *ctx)
{
    Runner r = {s, emit, ctx};
    run_statement(&r, stmt, false);
}
