/* `:=`: values that inputs and shared variables are given, and what `repeat` does but once.
 *
 * Invariant: a statement stores all its values or, after a diagnostic, none. A tensor is changed in
 * place only if the variable that it is the value of is about to be given the result, and nothing
 * else refers to it. */
#include "session/statements.h"
#include "session/definitions.h"
#include "session/undo.h"

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
Node *session_as_declared(Session *s, Value *v, Type *t, Span span, const char *name)
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

void session_store(Session *s, Leaf *leaf, Tensor *t)
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

Leaf *session_leaf_named(Session *s, Symbol name)
{
    Value *v = env_own(s->elab.globals, name);
    return v && v->kind == V_NODE ? session_leaf(s, v->node) : NULL;
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
        to[i].leaf = session_leaf_named(s, to[i].name);
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
        nodes[i] = to[i].leaf
                       ? session_as_declared(s, values[i], to[i].leaf->node->type, span, to[i].name)
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

bool session_value_fits(Session *s, const Leaf *leaf, const Tensor *t, Span span)
{
    return fits_type(s, leaf->node->type, t, span, leaf->name) && sizes_agree(s, leaf, t, span);
}

static bool stores_fit(Session *s, const Stmt *stmt, const Store1 *to, Tensor **values)
{
    for (int i = 0; i < stmt->nnames; i++)
        if (to[i].leaf && !fits_type(s, to[i].leaf->node->type, values[i], to[i].span, to[i].name))
            return false;
    if (stmt->nnames == 1 && to[0].leaf && !to[0].leaf->shared)
        return sizes_agree(s, to[0].leaf, values[0], to[0].span);
    return true;
}

/* What is stored nowhere is let go. */
static void store_all(Session *s, const Stmt *stmt, const Store1 *to, Tensor **values, bool ok)
{
    for (int i = 0; i < stmt->nnames; i++) {
        Leaf *leaf = ok && strcmp(to[i].name, "_") ? session_leaf_named(s, to[i].name) : NULL;
        if (leaf)
            session_store(s, leaf, values[i]);
        else
            tensor_unref(values[i]);
    }
}

/* ---- again ---- */

/* A statement that is repeated: its targets and what computes their values, as long as no name got
 * another meaning. */
typedef struct {
    u32 names, forgotten; /* as of the session, when it was elaborated */
    Pinned *program;
    Store1 *to;
    Tensor **values;
    bool in_place; /* types alone say that the values fit */
} Settled;

static bool same_types(const Stmt *stmt, const Store1 *to, Node *const *nodes)
{
    bool same = true;
    for (int i = 0; i < stmt->nnames; i++)
        same = same && to[i].leaf && to[i].leaf->node->type == nodes[i]->type;
    return same;
}

static void settled_free(Session *s, Settled *t)
{
    if (t->forgotten == s->forgotten)
        session_unpin(s, t->program);
    free(t->to);
    free(t->values);
    free(t);
}

void session_repeat_begin(Session *s) { s->repeating++; }

void session_repeat_end(Session *s)
{
    if (--s->repeating)
        return;
    for (size_t i = 0; i < s->settled.cap; i++)
        if (s->settled.keys && s->settled.keys[i])
            settled_free(s, s->settled.vals[i]);
    map_free(&s->settled);
}

/* The next rounds need neither elaborate nor look for the program. */
static void settle(Session *s, const Stmt *stmt, const Store1 *to, Node *const *nodes, u32 names)
{
    size_t n = (size_t)stmt->nnames;
    Pinned *program = s->repeating && names == s->names_changed && !map_has(&s->settled, stmt)
                          ? session_pin(s, stmt->nnames, nodes)
                          : NULL;
    if (!program)
        return;
    Settled *t = xcalloc(1, sizeof *t);
    *t = (Settled){.names = names,
                   .forgotten = s->forgotten,
                   .program = program,
                   .to = xmalloc((n + 1) * sizeof *t->to),
                   .values = xcalloc(n + 1, sizeof(Tensor *)),
                   .in_place = same_types(stmt, to, nodes)};
    memcpy(t->to, to, n * sizeof *to);
    map_put(&s->settled, stmt, t);
}

/* NULL: there is none, or it no longer holds. */
static Settled *settled_of(Session *s, const Stmt *stmt)
{
    Settled *t = s->repeating ? map_get(&s->settled, stmt) : NULL;
    if (t && (t->names != s->names_changed || t->forgotten != s->forgotten)) {
        map_remove(&s->settled, stmt);
        settled_free(s, t);
        t = NULL;
    }
    return t;
}

/* The present values of the targets may be changed in place if :undo does not want them. */
static Overwrite overwrite_of(Session *s, const Stmt *stmt, const Settled *t)
{
    Overwrite o = {.n = 0};
    for (int i = 0; i < stmt->nnames && t->in_place && o.n < MOST_OVERWRITTEN; i++) {
        Leaf *leaf = session_leaf_named(s, t->to[i].name);
        if (leaf && undo_has_store(s, leaf->node, leaf->shared ? s->context : NULL))
            o.leaves[o.n++] = leaf->node;
    }
    return o;
}

static bool assign_again(Session *s, const Stmt *stmt, Settled *t)
{
    Overwrite o = overwrite_of(s, stmt, t);
    s->st.span = stmt->span;
    if (!session_run_pinned(s, t->program, &o, t->values))
        return false;
    for (int i = 0; i < stmt->nnames; i++)
        t->to[i].leaf = session_leaf_named(s, t->to[i].name);
    bool ok = t->in_place || stores_fit(s, stmt, t->to, t->values);
    store_all(s, stmt, t->to, t->values, ok);
    return ok;
}

bool session_assign(Session *s, const Stmt *stmt, bool inside_in)
{
    Settled *again = settled_of(s, stmt);
    if (again)
        return assign_again(s, stmt, again);
    size_t n = (size_t)stmt->nnames, told = s->diags.list.len;
    u32 names = s->names_changed, files = s->elab.files;
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
    for (int i = 0; i < stmt->nnames && ok; i++)
        if (!to[i].leaf && strcmp(to[i].name, "_"))
            to[i].leaf = declare_from(s, stmt, to[i].name, values[i]);
    if (ok && told == s->diags.list.len && files == s->elab.files)
        settle(s, stmt, to, nodes, names);
    store_all(s, stmt, to, values, ok);
    return ok;
}
