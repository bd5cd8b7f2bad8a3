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
            set_add(&s->size_known, a->name);
            vec_push(&s->sizes, a->name);
        }
}

#define MAX_SIZE ((i64)1 << 31) /* in a type: products of two stay exact */
enum { MOST_SIZE_WEIGHT = 64 }; /* of a size in a type, multiplied out: types are compared often */

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
    if (x->kind == E_NAME && name_is_value(x->text))
        return elab_error(&s->elab, x->span, "syntax", "give the size another name",
                          "%s has a value of its own, so it cannot name a size", x->text);
    if (x->kind == E_NAME)
        return size_name(st, symbol(st, x->text));
    if (x->kind == E_UNARY && x->op == AST_NEG) {
        Size *a = elab_size(s, x->items[0], input, axis);
        return a ? size_scale(st, a, -1) : NULL;
    }
    if (x->kind == E_BINARY && (x->op == AST_ADD || x->op == AST_SUB || x->op == AST_MUL)) {
        Size *a = elab_size(s, x->items[0], input, axis),
             *b = a ? elab_size(s, x->items[1], input, axis) : NULL;
        if (!b)
            return NULL;
        if ((u64)a->weight * b->weight > MOST_SIZE_WEIGHT)
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
    return elab_error(&s->elab, x->span, "syntax",
                      x->kind == E_CALL
                          ? "after the name of a dimension a size begins with a name or a number: "
                            "batch n+1"
                          : NULL,
                      "a size is an integer, a name, or + - * of those");
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

/* Does the name stand for these already? */
static bool stands_for(Session *s, Symbol name, Value *v, const NodeVec *nodes)
{
    Value *now = env_own(s->elab.globals, name);
    NodeVec was = {0};
    bool same = now && (now->kind == V_NODE || now->kind == V_TUPLE) &&
                tuple_same(&s->elab, now, v) && value_nodes(&s->elab, now, &was);
    for (size_t i = 0; i < nodes->len && same; i++)
        same = was.at[i] == nodes->at[i];
    vec_free(&was);
    return same;
}

bool session_declare(Session *s, const Stmt *stmt, Symbol name, Value *v, bool shared)
{
    NodeVec nodes = {0};
    value_nodes(&s->elab, v, &nodes);
    bool same = stands_for(s, name, v, &nodes);
    for (size_t i = 0; i < nodes.len; i++) {
        Node *n = nodes.at[i];
        Leaf *leaf = session_leaf(s, n);
        if (!leaf)
            session_add_leaf(s, (Leaf){.name = n->attrs[0].name, .node = n, .shared = shared});
        else if (!same)
            leaf_reset(s, leaf);
    }
    vec_free(&nodes);
    env_set(&s->elab, s->elab.globals, name, v);
    definitions_add_leaves(s, stmt, name, v);
    return true;
}

static bool evaluate_one(Session *s, Node *n, Tensor **out)
{
    return session_evaluate(s, 1, &n, out);
}

/* The names of dimensions that a type gives its leaves. */
static void name_dimensions(Session *s, const TypeExpr *t, const Value *v)
{
    Symbol names[MAX_RANK];
    for (int i = 0; i < t->ndims && t->dim_names; i++)
        names[i] = t->dim_names[i] ? symbol(&s->st, t->dim_names[i]) : NULL;
    if (t->dtype)
        leaf_name_dimensions(&s->st, v->node, t->dim_names ? names : NULL);
    for (int i = 0; i < t->nparts; i++)
        name_dimensions(s, t->parts[i], v->items[i]);
}

/* The leaves that a type declares under that name or path; NULL after a diagnostic. */
static Value *declared(Session *s, const TypeExpr *t, Symbol path, bool shared)
{
    Elab *e = &s->elab;
    if (t->dtype) {
        Type *type = elab_type(e, t, path);
        OpId op = shared ? OP_SHARED : OP_INPUT;
        return type ? value_node(e, node_input(&s->st, op, path, type)) : NULL;
    }
    Value **items = arena_alloc(e->arena, ((size_t)t->nparts + 1) * sizeof *items);
    Value like = {.kind = V_TUPLE, .nitems = t->nparts};
    if (t->names)
        like.names = arena_alloc(e->arena, (size_t)t->nparts * sizeof *like.names);
    for (int i = 0; i < t->nparts && t->names; i++)
        like.names[i] = symbol(&s->st, t->names[i]);
    for (int i = 0; i < t->nparts; i++)
        if (!(items[i] = declared(s, t->parts[i], tuple_path(e, path, &like, i), shared)))
            return NULL;
    return value_tuple_like(e, &like, items);
}

/* The nodes of the value in the declared types; false after a diagnostic. */
static bool values_as_declared(Session *s, Value *form, Value *v, Span span, Symbol name,
                               NodeVec *out)
{
    ValueVec leaves = {0};
    NodeVec to = {0};
    Text what = {0};
    text_printf(&what, "%s is declared as %%s but this value is %%s", name);
    bool tuple = form->kind == V_TUPLE;
    bool ok = v && value_nodes(&s->elab, form, &to) &&
              (!tuple ||
               (tuple_check(&s->elab, form, v, span,
                            "its value is a tuple of these names in this order", text_str(&what)) &&
                tuple_leaves(&s->elab, v, span, name, &leaves)));
    if (!tuple)
        vec_push(&leaves, v);
    for (size_t i = 0; i < to.len && ok; i++) {
        vec_push(out, session_as_declared(s, leaves.at[i], to.at[i]->type, span,
                                          to.at[i]->attrs[0].name));
        ok = out->at[i] != NULL;
    }
    text_free(&what);
    vec_free(&leaves);
    vec_free(&to);
    return ok;
}

/* Evaluates the value of a declaration; *out: a reference for each leaf. */
static bool first_values(Session *s, const Stmt *stmt, Value *form, Symbol name, Tensor **out)
{
    NodeVec nodes = {0}, to = {0};
    Span span = stmt->value->span;
    bool ok = values_as_declared(s, form, elab_expr(&s->elab, stmt->value), span, name, &nodes) &&
              session_evaluate_stored(s, (int)nodes.len, nodes.at, out) &&
              value_nodes(&s->elab, form, &to);
    if (ok) {
        Given *given = xcalloc(to.len + 1, sizeof *given);
        for (size_t i = 0; i < to.len; i++)
            given[i] = (Given){to.at[i], out[i], to.at[i]->attrs[0].name, span};
        ok = session_values_fit(s, (int)to.len, given);
        free(given);
        for (size_t i = 0; i < to.len && !ok; i++)
            tensor_unref(out[i]);
    }
    vec_free(&nodes);
    vec_free(&to);
    return ok;
}

static bool run_declaration(Session *s, const Stmt *stmt)
{
    bool shared = stmt->kind == S_SHARED;
    Symbol name = symbol(&s->st, stmt->names[0].name);
    s->st.span = stmt->span;
    Value *form = declared(s, stmt->type, name, shared);
    NodeVec nodes = {0};
    bool ok = form && value_nodes(&s->elab, form, &nodes);
    Tensor **values = arena_alloc(s->elab.arena, (nodes.len + 1) * sizeof *values);
    if (ok && stmt->value)
        ok = first_values(s, stmt, form, name, values);
    else if (ok && shared && !stands_for(s, name, form, &nodes))
        ok = elab_error(&s->elab, stmt->span, "no-value", "write shared W : f64[2] = [1, 2]",
                        "the shared variable %s needs a value", name);
    s->st.span = stmt->span;
    if (ok)
        name_dimensions(s, stmt->type, form);
    ok = ok && session_declare(s, stmt, name, form, shared);
    for (size_t i = 0; i < nodes.len && ok && stmt->value; i++)
        session_store(s, session_leaf(s, nodes.at[i]), values[i]);
    vec_free(&nodes);
    return ok;
}

/* ---- expressions ---- */

static Symbol bare_name(Session *s, const Stmt *stmt)
{
    return stmt->value->kind == E_NAME ? symbol(&s->st, stmt->value->text) : NULL;
}

/* The value as the result of a statement: evaluated, or as a graph where an input has no value. */
static void emit_value(Session *s, const Stmt *stmt, Symbol name, Value *v, Emit emit, void *ctx)
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
        diag_note(s->st.diags, "check", stmt->span,
                  "check not evaluated: an input has no value yet");
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
    emit_value(s, stmt, bare_name(s, stmt), v, r->emit, r->ctx);
}

/* ---- dispatch ---- */

static void run_statement(Runner *r, Stmt *stmt, bool inside_in);

static void run_in(Runner *r, Stmt *stmt)
{
    Session *s = r->s;
    Context *saved = s->context;
    s->context = session_context(s, symbol(&s->st, stmt->names[0].name));
    size_t before = s->st.diags->errors;
    for (int i = 0; i < stmt->nbody && s->st.diags->errors == before; i++)
        run_statement(r, stmt->body[i], true);
    s->context = saved;
}

/* Whether the condition holds now; false after a diagnostic. */
static bool run_until(Session *s, Expr *until, bool *holds)
{
    elab_start(&s->elab);
    s->st.span = until->span;
    Node *n = elab_node(&s->elab, until, "`until`");
    Tensor *t = NULL;
    if (n && n->type != type_scalar(&s->st, DT_BOOL))
        n = elab_error(&s->elab, until->span, "type-mismatch",
                       "compare, or use any(...) or all(...)",
                       "`until` takes one bool, but this is %s", shape_text(&s->st, n->type));
    if (!n || !evaluate_one(s, n, &t))
        return false;
    *holds = tensor_i64_at(t, 0) != 0;
    tensor_unref(t);
    return true;
}

/* One round; *stop: it was the last. */
static void run_round(Runner *r, Stmt *stmt, bool inside_in, bool *stop)
{
    Session *s = r->s;
    size_t before = s->st.diags->errors;
    Chapter *outer = session_begin(s, stmt->span.src);
    for (int i = 0; i < stmt->nbody && s->st.diags->errors == before; i++)
        run_statement(r, stmt->body[i], inside_in);
    if (stmt->until && s->st.diags->errors == before && !run_until(s, stmt->until, stop))
        fail(r, stmt);
    session_end(s, outer);
}

/* Was a statement since then left out, because what it reads could not be defined? That is no error
 * of its own. */
static bool was_skipped(const Diags *ds, size_t from)
{
    for (size_t i = from; i < ds->list.len; i++)
        if (strcmp(ds->list.at[i].code, "skipped") == 0)
            return true;
    return false;
}

static void run_repeat(Runner *r, Stmt *stmt, bool inside_in)
{
    Session *s = r->s;
    Node *n = elab_node(&s->elab, stmt->value, "repeat");
    Tensor *t = NULL;
    if (n && (!type_is_scalar(n->type) || !dtype_is_int(n->type->dtype)))
        n = elab_error(&s->elab, stmt->value->span, "type-mismatch", NULL,
                       "repeat takes one integer");
    if (!n || !evaluate_one(s, n, &t)) {
        fail(r, stmt);
        return;
    }
    i64 count = tensor_i64_at(t, 0);
    tensor_unref(t);
    size_t before = s->st.diags->errors;
    double start = now_seconds();
    bool stop = false, skipped = false;
    i64 k = 0;
    session_repeat_begin(s);
    for (; k < count && !stop && !skipped && s->st.diags->errors == before; k++) {
        size_t told = s->st.diags->list.len;
        run_round(r, stmt, inside_in, &stop);
        skipped = was_skipped(s->st.diags, told);
        session_progress(s, start, (double)(k + 1) / (double)count);
        if (interrupted(s->st.interrupt) && s->st.diags->errors == before) {
            elab_error(&s->elab, stmt->span, "interrupted", NULL,
                       "interrupted after %lld of %lld rounds", (long long)(k + 1),
                       (long long)count);
            fail(r, stmt);
        }
    }
    session_repeat_end(s);
    if (stmt->until && k && !skipped && !s->repeating && s->st.diags->errors == before)
        diag_note(s->st.diags, "repeat", stmt->until->span,
                  stop ? "this holds after %lld of at most %lld rounds"
                       : "this still does not hold after %lld of %lld rounds",
                  (long long)k, (long long)count);
}

enum { FAILED = 4096 }; /* names; then it begins anew */

void session_failed(Session *s, Symbol name)
{
    if (s->failed.len == FAILED)
        map_clear(&s->failed);
    set_add(&s->failed, name);
    if (env_own(s->elab.globals, name))
        set_add(&s->failed_anew, name);
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
    case S_ASSIGN: ok = session_assign(s, stmt, inside_in); break;
    case S_REPEAT: run_repeat(r, stmt, inside_in); return;
    case S_IN: run_in(r, stmt); return;
    case S_EXPR: run_expression(r, stmt); return;
    case S_COMMAND:
        emit_simple(r, RESULT_COMMAND, stmt, NULL);
        s->names_changed++; /* it may have done anything */
        return;
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
