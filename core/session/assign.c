/* `:=`: values that inputs and shared variables are given, and what `repeat` does but once.
 *
 * Invariant: a statement stores all its values or, after a diagnostic, none. A tensor is changed in
 * place only if the variable that it is the value of is about to be given the result, and nothing
 * else refers to it. */
#include <ctype.h>

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

/* The value that the leaf has once all of the statement's are given; NULL: none. */
static const Tensor *value_then(Session *s, const Leaf *leaf, int n, const Given *given)
{
    for (int i = 0; i < n; i++)
        if (given[i].node == leaf->node)
            return given[i].value;
    return leaf->shared ? map_get(&s->contexts.at[0]->values, leaf->node) : leaf->value;
}

/* Does t, the value of o, give the size that name another length than k? */
static bool disagrees(Session *s, const Given *g, Symbol name, i64 k, Symbol by, const Type *type,
                      const Tensor *t)
{
    Symbol sym;
    i64 other;
    for (int b = 0; b < type->rank; b++)
        if (binds(type->dims[b], t->shape[b], &sym, &other) && sym == name && other != k)
            return elab_error(&s->elab, g->span, "size-mismatch",
                              "assign a matching value to the other in the same statement; "
                              "`:reset` forgets everything",
                              "%s is %lld by %s but %lld by %s", name, (long long)k, g->name,
                              (long long)other, by),
                   true;
    return false;
}

/* No other input's value gives a size another length; those that are given together count as they
 * are given. */
static bool sizes_agree(Session *s, int n, const Given *given, int i)
{
    const Given *g = &given[i];
    const Type *type = g->node->type;
    for (int a = 0; a < type->rank; a++) {
        Symbol name;
        i64 k;
        if (!binds(type->dims[a], g->value->shape[a], &name, &k))
            continue;
        for (int j = 0; j < i; j++) /* new ones are no leaves yet */
            if (disagrees(s, g, name, k, given[j].name, given[j].node->type, given[j].value))
                return false;
        size_t at = 0;
        for (Leaf *o; (o = session_next_of_size(s, name, &at)) != NULL;) {
            const Tensor *t = value_then(s, o, n, given);
            if (o->node != g->node && t && disagrees(s, g, name, k, o->name, o->node->type, t))
                return false;
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

/* What stands at the path of a part, or under a name; NULL: nothing. */
static Value *value_at(Session *s, const char *path)
{
    Text first = {0};
    size_t n = strcspn(path, ".");
    text_putn(&first, path, n);
    Value *v = env_own(s->elab.globals, symbol(&s->st, text_str(&first)));
    text_free(&first);
    while (v && path[n]) {
        path += n + 1;
        n = strcspn(path, ".");
        int i = 0;
        while (v->kind == V_TUPLE && i < v->nitems &&
               (v->names ? strncmp(v->names[i], path, n) || v->names[i][n] : i != atoi(path)))
            i++;
        v = v->kind == V_TUPLE && i < v->nitems ? v->items[i] : NULL;
    }
    return v;
}

static Leaf *leaf_named(Session *s, Symbol name)
{
    Value *v = value_at(s, name);
    return v && v->kind == V_NODE ? session_leaf(s, v->node) : NULL;
}

/* Is v a tuple that was declared: are its parts leaves of their own names? */
static bool is_declared(Session *s, Symbol name, const Value *v)
{
    if (v->kind == V_NODE) {
        const Leaf *leaf = session_leaf(s, v->node);
        return leaf && leaf->name == name;
    }
    bool ok = v->kind == V_TUPLE && v->nitems;
    for (int i = 0; ok && i < v->nitems; i++)
        ok = is_declared(s, tuple_path(&s->elab, name, v, i), v->items[i]);
    return ok;
}

/* ---- := ---- */

/* One tensor that is stored. */
typedef struct {
    Symbol name; /* or the path of a part of a tuple */
    Leaf *leaf;  /* NULL: an undeclared name */
    Span span;
} Store1;

/* What stands left of `:=`, and the value that it gets. */
typedef struct {
    Symbol name;
    Span span, value_span;
    Value *form; /* declared as a tuple */
    Value *value;
} Target1;

typedef struct {
    VEC(Store1) to;
    NodeVec nodes;
} Stores;

static bool no_target(Session *s, const Target1 *t)
{
    const char *dot = strrchr(t->name, '.');
    if (dot && dot[1] >= '0' && dot[1] <= '9')
        return elab_error(
                   &s->elab, t->span, "type-mismatch",
                   "values do not change; write `y = x with [i] = v` or `x := x with [i] = v`",
                   "only a part of a declared tuple can be stored by its index"),
               false;
    return elab_error(&s->elab, t->span, "type-mismatch",
                      dot ? "declare the tuple with this part: p : (W: f64[2], b: f64)"
                          : "declare it as an input, x : f64 = 1",
                      dot ? "%s is not part of a declared tuple"
                          : "%s is a definition; only inputs and shared variables can be given "
                            "values",
                      t->name),
           false;
}

static bool assign_targets(Session *s, const Stmt *stmt, Target1 *to)
{
    for (int i = 0; i < stmt->nnames; i++) {
        Target1 *t = &to[i];
        *t = (Target1){.name = symbol(&s->st, stmt->names[i].name), .span = stmt->names[i].span};
        Value *v = value_at(s, t->name);
        if (!strcmp(t->name, "_"))
            continue;
        bool part = strchr(t->name, '.') != NULL; /* of a definition it may be another leaf */
        if (v && v->kind == V_TUPLE && is_declared(s, t->name, v))
            t->form = v;
        else if (v ? v->kind != V_NODE || !session_leaf(s, v->node) ||
                         (part && !is_declared(s, t->name, v))
                   : part)
            return no_target(s, t);
    }
    return true;
}

static bool assign_sources(Session *s, const Stmt *stmt, Target1 *to)
{
    Elab *e = &s->elab;
    if (stmt->nvalues == 1 && stmt->nnames > 1) {
        Value *v = value_plain(e, elab_expr(e, stmt->values[0]));
        if (!v)
            return false;
        if (v->kind != V_TUPLE || v->nitems != stmt->nnames)
            return elab_error(e, stmt->span, "arity", NULL,
                              "%d names on the left but the right side is %s", stmt->nnames,
                              value_describe(e, v)),
                   false;
        for (int i = 0; i < stmt->nnames; i++) {
            to[i].value = v->items[i];
            to[i].value_span = stmt->span;
        }
        return true;
    }
    if (stmt->nvalues != stmt->nnames)
        return elab_error(e, stmt->span, "arity", NULL,
                          "%d names on the left but %d values on the right", stmt->nnames,
                          stmt->nvalues),
               false;
    for (int i = 0; i < stmt->nnames; i++) {
        if (!(to[i].value = elab_expr(e, stmt->values[i])))
            return false;
        to[i].value_span = stmt->values[i]->span;
    }
    return true;
}

/* ---- one store for each tensor ---- */

static bool add_store(Session *s, const Target1 *t, Symbol name, Value *v, bool inside_in,
                      Stores *out)
{
    Leaf *leaf = strcmp(t->name, "_") ? leaf_named(s, name) : NULL;
    if (inside_in && strcmp(t->name, "_") && !(leaf && leaf->shared))
        return elab_error(&s->elab, t->span, "context", NULL,
                          "inside `in` only shared variables are stored; %s is not one", name),
               false;
    for (size_t k = 0; k < out->to.len; k++)
        if (out->to.at[k].name == name && strcmp(name, "_"))
            return elab_error(&s->elab, t->span, "assign", NULL,
                              "%s is stored twice in one statement", name),
                   false;
    Node *n = leaf ? session_as_declared(s, v, leaf->node->type, t->value_span, name)
                   : value_to_node(&s->elab, v, t->value_span, ":=");
    vec_push(&out->to, ((Store1){name, leaf, t->span}));
    vec_push(&out->nodes, n);
    return n != NULL;
}

static bool add_stores(Session *s, const Target1 *t, Symbol name, Value *v, bool inside_in,
                       Stores *out)
{
    v = value_plain(&s->elab, v);
    if (!v || v->kind != V_TUPLE || (name == t->name && !t->form && leaf_named(s, name)))
        return v && add_store(s, t, name, v, inside_in, out);
    bool ok = true;
    for (int i = 0; ok && i < v->nitems; i++)
        ok = add_stores(s, t, strcmp(t->name, "_") ? tuple_path(&s->elab, name, v, i) : name,
                        v->items[i], inside_in, out);
    return ok;
}

static bool stores_of(Session *s, int n, const Target1 *to, bool inside_in, Stores *out)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        size_t before = out->to.len;
        Text what = {0};
        text_printf(&what, "%s is declared as %%s but this value is %%s", to[i].name);
        ok = (!to[i].form ||
              tuple_check(&s->elab, to[i].form, to[i].value, to[i].value_span,
                          "its value is a tuple of these names in this order", text_str(&what))) &&
             add_stores(s, &to[i], to[i].name, to[i].value, inside_in, out);
        text_free(&what);
        if (ok && out->to.len == before)
            ok = elab_error(&s->elab, to[i].value_span, "type-mismatch", NULL,
                            "%s cannot be given a tuple without tensors", to[i].name);
    }
    return ok;
}

/* The type that an undeclared name on the left takes: the value's dtype and rank, sizes unknown to
 * others. */
static Type *type_of_tensor(Session *s, const Tensor *t)
{
    Size *dims[MAX_RANK];
    for (int a = 0; a < t->rank; a++)
        dims[a] = size_const(&s->st, t->shape[a]);
    return type_tensor(&s->st, t->dtype, t->rank, dims);
}

/* Undeclared names become inputs, of a tuple its parts; `k` goes along the stores. */
static Value *declared_like(Session *s, Value *v, Symbol name, Tensor *const *values, int *k)
{
    v = value_plain(&s->elab, v);
    if (v->kind != V_TUPLE) {
        Node *leaf = node_input(&s->st, OP_INPUT, name, type_of_tensor(s, values[(*k)++]));
        if (leaf)
            leaf_name_dimensions(&s->st, leaf, NULL);
        return value_node(&s->elab, leaf);
    }
    Value **items = arena_alloc(s->elab.arena, ((size_t)v->nitems + 1) * sizeof *items);
    for (int i = 0; i < v->nitems; i++)
        if (!(items[i] =
                  declared_like(s, v->items[i], tuple_path(&s->elab, name, v, i), values, k)))
            return NULL;
    return value_tuple_like(&s->elab, v, items);
}

/* True if the names differ only in digits and case, as W1 and W2 do. */
static bool is_numbered_like(const char *a, const char *b)
{
    while (*a || *b) {
        a += strspn(a, "0123456789_");
        b += strspn(b, "0123456789_");
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        a += *a != 0;
        b += *b != 0;
    }
    return true;
}

/* A name that is almost that of an input may be a slip: the store declares a new input. */
static void note_new_name(Session *s, Symbol name, Span span)
{
    VEC(const char *) known = {0};
    for (size_t i = 0; i < s->leaves.len; i++)
        if (leaf_in_force(s, &s->leaves.at[i]))
            vec_push(&known, s->leaves.at[i].node->attrs[0].name);
    const char *close = closest_name(name, known.at, known.len);
    if (close && !is_numbered_like(close, name))
        diag_note(s->st.diags, "new-name", span, "`%s` is a new input; did you mean `%s`?", name,
                  close);
    vec_free(&known);
}

static bool declare_new(Session *s, const Stmt *stmt, const Target1 *to, Tensor *const *values)
{
    int k = 0;
    for (int i = 0; i < stmt->nnames; i++) {
        NodeVec nodes = {0};
        value_nodes(&s->elab, to[i].value, &nodes);
        int n = (int)nodes.len;
        vec_free(&nodes);
        if (strcmp(to[i].name, "_") && !value_at(s, to[i].name)) {
            int used = k;
            note_new_name(s, to[i].name, to[i].span);
            Value *v = declared_like(s, to[i].value, to[i].name, values, &used);
            if (!v || !session_declare(s, stmt, to[i].name, v, false))
                return false;
        }
        k += n;
    }
    return true;
}

bool session_values_fit(Session *s, int n, const Given *given)
{
    for (int i = 0; i < n; i++)
        if (!fits_type(s, given[i].node->type, given[i].value, given[i].span, given[i].name) ||
            !sizes_agree(s, n, given, i))
            return false;
    return true;
}

/* Several names may be given values that only later ones agree with. */
static bool stores_fit(Session *s, const Stmt *stmt, int n, const Store1 *to, Tensor **values)
{
    Given *given = xcalloc((size_t)n + 1, sizeof *given);
    int known = 0;
    bool alone = stmt->nnames == 1, ok = true;
    for (int i = 0; i < n && ok; i++) {
        if (!to[i].leaf)
            continue;
        given[known++] = (Given){to[i].leaf->node, values[i], to[i].name, to[i].span};
        alone = alone && !to[i].leaf->shared;
        ok = fits_type(s, to[i].leaf->node->type, values[i], to[i].span, to[i].name);
    }
    ok = ok && (!alone || session_values_fit(s, known, given));
    free(given);
    return ok;
}

/* What is stored nowhere is let go. */
static void store_all(Session *s, int n, const Store1 *to, Tensor **values, bool ok)
{
    for (int i = 0; i < n; i++) {
        Leaf *leaf = ok && strcmp(to[i].name, "_") ? leaf_named(s, to[i].name) : NULL;
        if (leaf)
            session_store(s, leaf, values[i]);
        else
            tensor_unref(values[i]);
    }
}

/* ---- again ---- */

/* A statement that is repeated: its targets and what computes their values, as long as no name got
 * another meaning. */
typedef struct Settled {
    u32 names, forgotten; /* as of the session, when it was elaborated */
    int n;
    Pinned *program;
    Store1 *to;
    Tensor **values;
    bool in_place; /* types alone say that the values fit */
} Settled;

static bool same_types(const Stores *all)
{
    bool same = true;
    for (size_t i = 0; i < all->to.len; i++)
        same =
            same && all->to.at[i].leaf && all->to.at[i].leaf->node->type == all->nodes.at[i]->type;
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
    for (size_t i = 0; i < s->settled.len; i++)
        settled_free(s, map_val(&s->settled, i));
    map_free(&s->settled);
}

/* The next rounds need neither elaborate nor look for the program. */
static void settle(Session *s, const Stmt *stmt, const Stores *all, u32 names)
{
    size_t n = all->to.len;
    Pinned *program = s->repeating && names == s->names_changed && !map_has(&s->settled, stmt)
                          ? session_pin(s, (int)n, all->nodes.at)
                          : NULL;
    if (!program)
        return;
    Settled *t = xcalloc(1, sizeof *t);
    *t = (Settled){.names = names,
                   .forgotten = s->forgotten,
                   .program = program,
                   .to = xmalloc((n + 1) * sizeof *t->to),
                   .values = xcalloc(n + 1, sizeof(Tensor *)),
                   .n = (int)n,
                   .in_place = same_types(all)};
    memcpy(t->to, all->to.at, n * sizeof *t->to);
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
static Overwrite overwrite_of(Session *s, const Settled *t)
{
    Overwrite o = {.n = 0};
    for (int i = 0; i < t->n && t->in_place && o.n < MOST_OVERWRITTEN; i++) {
        Leaf *leaf = leaf_named(s, t->to[i].name);
        if (leaf && undo_has_store(s, leaf->node, leaf->shared ? s->context : NULL))
            o.leaves[o.n++] = leaf->node;
    }
    return o;
}

static bool assign_again(Session *s, const Stmt *stmt, Settled *t)
{
    Overwrite o = overwrite_of(s, t);
    s->st.span = stmt->span;
    if (!session_run_pinned(s, t->program, &o, t->values))
        return false;
    for (int i = 0; i < t->n; i++)
        t->to[i].leaf = leaf_named(s, t->to[i].name);
    bool ok = t->in_place || stores_fit(s, stmt, t->n, t->to, t->values);
    store_all(s, t->n, t->to, t->values, ok);
    return ok;
}

/* Evaluates all, then stores all. */
static bool run_stores(Session *s, const Stmt *stmt, const Target1 *targets, Stores *all)
{
    int n = (int)all->to.len;
    Node *missing;
    Tensor **values = arena_alloc(s->elab.arena, ((size_t)n + 1) * sizeof *values);
    if (session_missing(s, n, all->nodes.at, &missing)) {
        Symbol name = missing->op == OP_SIZE ? "a size" : missing->attrs[0].name;
        return elab_error(&s->elab, stmt->span, "no-value",
                          "give it one with :=", "%s has no value", name),
               false;
    }
    if (!session_evaluate_stored(s, n, all->nodes.at, values))
        return false;
    bool ok = stores_fit(s, stmt, n, all->to.at, values) && declare_new(s, stmt, targets, values);
    for (int i = 0; i < n && ok; i++) /* a new leaf moves the others */
        all->to.at[i].leaf = leaf_named(s, all->to.at[i].name);
    store_all(s, n, all->to.at, values, ok);
    return ok;
}

bool session_assign(Session *s, const Stmt *stmt, bool inside_in)
{
    Settled *again = settled_of(s, stmt);
    if (again)
        return assign_again(s, stmt, again);
    size_t n = (size_t)stmt->nnames, told = s->st.diags->list.len;
    u32 names = s->names_changed, files = s->elab.files;
    Target1 *to = arena_alloc(s->elab.arena, n * sizeof *to);
    Stores all = {0};
    s->st.span = stmt->span;
    bool ok = assign_targets(s, stmt, to) && assign_sources(s, stmt, to) &&
              stores_of(s, stmt->nnames, to, inside_in, &all) && run_stores(s, stmt, to, &all);
    if (ok && told == s->st.diags->list.len && files == s->elab.files)
        settle(s, stmt, &all, names);
    vec_free(&all.to);
    vec_free(&all.nodes);
    return ok;
}
