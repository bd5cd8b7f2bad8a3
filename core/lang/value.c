/* Values of the elaborator and the environments that hold them. */
#include "graph/walk.h"
#include "lang/elab.h"

Value *value_of_kind(Elab *e, ValueKind kind)
{
    Value *v = arena_alloc(e->arena, sizeof *v);
    v->kind = kind;
    return v;
}

Value *value_node(Elab *e, Node *n)
{
    if (!n)
        return NULL;
    Value *v = value_of_kind(e, V_NODE);
    v->node = n;
    return v;
}

Value *value_weak(Elab *e, Node *n)
{
    Value *v = value_node(e, n);
    if (v)
        v->weak = true;
    return v;
}

Value *value_tuple(Elab *e, int n, Value **items)
{
    Value *v = value_of_kind(e, V_TUPLE);
    v->nitems = n;
    v->items = arena_alloc(e->arena, ((size_t)n + 1) * sizeof *v->items);
    for (int i = 0; i < n; i++)
        v->items[i] = items[i];
    return v;
}

Value *value_tuple_like(Elab *e, const Value *like, Value **items)
{
    Value *v = value_tuple(e, like->nitems, items);
    v->names = like->names;
    return v;
}

bool value_is_function(const Value *v)
{
    return v->kind == V_FUNCTION || v->kind == V_BUILTIN || v->kind == V_DERIVED;
}

Value *equation_value(Elab *e, const Record *r, const Equation *q, const int *results)
{
    Node **nodes = arena_alloc(e->arena, ((size_t)q->n + 1) * sizeof *nodes);
    int used = 0;
    for (int i = 0; i < q->n; i++)
        if (!(nodes[i] = node_proj(e->st, r->scan, results[i])))
            return NULL;
    return q->form ? value_in_form(e, q->form, nodes, &used) : value_node(e, nodes[0]);
}

static Value *record_trace(Elab *e, Record *r, int k)
{
    const Equation *q = &r->equations[k];
    Value *v = equation_value(e, r, q, q->traces);
    if (v && v->kind == V_NODE)
        node_set_name(e->st, v->node, q->name);
    return v;
}

Value *value_plain(Elab *e, Value *v)
{
    if (!v || v->kind != V_RECORD)
        return v;
    Record *r = v->record;
    Value **items = arena_alloc(e->arena, ((size_t)r->nequations + 1) * sizeof *items);
    Symbol *names = arena_alloc(e->arena, ((size_t)r->nequations + 1) * sizeof *names);
    int n = 0;
    for (int i = 0; i < r->nequations; i++) {
        if (!r->equations[i].traces)
            continue;
        names[n] = r->equations[i].name;
        if (!(items[n++] = record_trace(e, r, i)))
            return NULL;
    }
    if (!n)
        return elab_error(e, e->st->span, "no-state", "its final states are available: S.final",
                          "this scan keeps no rows");
    return n == 1 ? items[0] : value_tuple_like(e, &(Value){.nitems = n, .names = names}, items);
}

const char *value_describe(Elab *e, Value *v)
{
    switch (v->kind) {
    case V_NODE: return shape_text(e->st, v->node->type);
    case V_TUPLE: return v->names ? tuple_structure(e, v) : "a tuple";
    case V_RECORD: return "the record of a scan";
    case V_FUNCTION:
    case V_BUILTIN:
    case V_DERIVED: return "a function";
    case V_STRING: return "a string";
    case V_NONE: return "None";
    case V_TAPPED: return "a state or sequence of the scan";
    }
    return "a value";
}

/* What may be meant by a tuple where one tensor is needed. */
static const char *tuple_instead(Elab *e, const Value *v, const char *what, char hint[160])
{
    const Builtin *b = builtin_by_name(what);
    bool each = b && builtin_group_of(b) == builtin_group(0);
    const char *name = v->names && v->nitems ? v->names[0] : NULL;
    (void)e;
    if (each)
        snprintf(hint, 160, "map(%.40s, p) applies it to each part of p", what);
    else if (name && v->nitems == 1)
        snprintf(hint, 160, "to compare write `==`; its part is read with .%.80s", name);
    else
        snprintf(hint, 160,
                 name ? "take one of its parts with .%.80s" : "take one of its parts with [i]",
                 name);
    return hint;
}

Node *value_to_node(Elab *e, Value *v, Span span, const char *what)
{
    if (!v)
        return NULL;
    v = value_plain(e, v);
    if (v && v->kind == V_NODE)
        return v->node;
    if (v && v->kind == V_TAPPED)
        return elab_error(e, span, "tap", "write it with the scan's index, like x[t-1]",
                          "a state of a scan has no value of its own inside the body");
    char hint[160];
    if (v)
        elab_error(e, span, "type-mismatch",
                   v->kind == V_TUPLE ? tuple_instead(e, v, what, hint) : NULL,
                   "%s needs a tensor here, but this is %s", what, value_describe(e, v));
    return NULL;
}

bool value_nodes(Elab *e, Value *v, NodeVec *out)
{
    v = value_plain(e, v);
    if (!v)
        return false;
    if (v->kind == V_NODE) {
        vec_push(out, v->node);
        return true;
    }
    bool ok = v->kind == V_TUPLE;
    for (int i = 0; ok && i < v->nitems; i++)
        ok = value_nodes(e, v->items[i], out);
    return ok;
}

bool value_is_number(const Value *v) { return v->weak && node_is_number(v->node); }

/* The same structure over other nodes. Weak numbers stay as they are: they are constants. */
Value *value_rebuild(Elab *e, Value *like, Node *const *nodes, int *used)
{
    like = value_plain(e, like);
    if (!like)
        return NULL;
    if (like->kind == V_NODE) {
        Node *n = nodes[(*used)++];
        return value_is_number(like) ? like : like->weak ? value_weak(e, n) : value_node(e, n);
    }
    Value **items = arena_alloc(e->arena, ((size_t)like->nitems + 1) * sizeof *items);
    for (int i = 0; i < like->nitems; i++)
        if (!(items[i] = value_rebuild(e, like->items[i], nodes, used)))
            return NULL;
    return value_tuple_like(e, like, items);
}

Value *value_in_form(Elab *e, Value *like, Node *const *nodes, int *used)
{
    like = value_plain(e, like);
    if (!like || like->kind == V_NODE)
        return like ? value_node(e, nodes[(*used)++]) : NULL;
    Value **items = arena_alloc(e->arena, ((size_t)like->nitems + 1) * sizeof *items);
    for (int i = 0; i < like->nitems; i++)
        if (!(items[i] = value_in_form(e, like->items[i], nodes, used)))
            return NULL;
    return value_tuple_like(e, like, items);
}

Value *value_of_leaves(Elab *e, Value *like, Value *const *leaves, int *used)
{
    like = value_plain(e, like);
    if (!like || like->kind == V_NODE)
        return like ? leaves[(*used)++] : NULL;
    Value **items = arena_alloc(e->arena, ((size_t)like->nitems + 1) * sizeof *items);
    for (int i = 0; i < like->nitems; i++)
        if (!(items[i] = value_of_leaves(e, like->items[i], leaves, used)))
            return NULL;
    return value_tuple_like(e, like, items);
}

bool value_leaves(Elab *e, Value *v, ValueVec *out)
{
    v = value_plain(e, v);
    bool ok = v && (v->kind == V_NODE || v->kind == V_TUPLE);
    if (ok && v->kind == V_NODE)
        vec_push(out, v);
    for (int i = 0; ok && v->kind == V_TUPLE && i < v->nitems; i++)
        ok = value_leaves(e, v->items[i], out);
    return ok;
}

/* Weak numbers are constants, arrays made of them and arithmetic on them: rebuild with every
 * constant in dtype d. What no arithmetic made is cast; a condition stays. */
static bool is_weak_leaf(const Node *n, DType d)
{
    DType own = n->type->dtype;
    return own == d || own == DT_BOOL || n->op == OP_CONST || n->nops > 8 ||
           (n->op == OP_CAST && n->ops[0]->type->dtype == DT_BOOL) || !op_is_elementwise(n->op);
}

static bool is_repeated_number(const Node *n)
{
    return n->op == OP_BROADCAST && n->ops[0]->op == OP_CONST;
}

static Node *retype_leaf(Store *st, Node *n, DType d)
{
    if (n->type->dtype == DT_BOOL)
        return n;
    if (n->op == OP_CAST && n->ops[0]->type->dtype == DT_BOOL)
        return node_cast(st, n->ops[0], d);
    if (is_repeated_number(n) && n->type->dtype != d) {
        Node **ops = arena_alloc(&st->scratch, (n->nops + 1) * sizeof *ops);
        memcpy(ops, n->ops, n->nops * sizeof *ops);
        ops[0] = retype_leaf(st, n->ops[0], d);
        return ops[0] ? node_make(st, OP_BROADCAST, n->attrs, n->nops, ops) : NULL;
    }
    if (n->type->dtype == d || n->op != OP_CONST)
        return node_cast(st, n, d);
    Tensor *t = tensor_cast(&st->heap, n->attrs[0].value, d);
    if (!t)
        return store_error(st, "memory", NULL, "out of memory: could not allocate a constant");
    Node *c = node_const(st, t);
    tensor_unref(t);
    return c;
}

/* `n` with operands that are done; NULL with *wait set to one that is not. */
static Node *retype_one(Store *st, Node *n, DType d, const NodeMap *done, Node **wait)
{
    *wait = NULL;
    if (is_weak_leaf(n, d))
        return retype_leaf(st, n, d);
    if (n->op == OP_CAST) {
        Node *inner = map_get(done, n->ops[0]);
        return inner ? inner : (*wait = n->ops[0], NULL);
    }
    Node **ops = arena_alloc(&st->scratch, (n->nops + 1) * sizeof *ops);
    for (u32 i = 0; i < n->nops && !*wait; i++)
        if (!(ops[i] = map_get(done, n->ops[i])))
            *wait = n->ops[i];
    return *wait ? NULL : build_elementwise(st, n->op, n->nops, ops);
}

static bool counts(const Node *n) { return n->op == OP_IOTA; }

/* Without recursion: a chain of definitions can be as long as a program. What counts (arange,
 * linspace) is computed as it is, and rounded once. */
Node *weak_retype(Store *st, Node *n, DType d)
{
    if (!n || n->type->dtype == d)
        return n;
    if (!is_weak_leaf(n, d) && nodes_any(1, &n, counts))
        return node_cast(st, n, d);
    NodeVec stack = {0};
    NodeMap done = {0};
    Node *r = NULL;
    vec_push(&stack, n);
    while (stack.len) {
        Node *wait, *top = stack.at[stack.len - 1];
        r = retype_one(st, top, d, &done, &wait);
        if (wait) {
            vec_push(&stack, wait);
            continue;
        }
        if (!r)
            break;
        map_put(&done, top, r);
        stack.len--;
    }
    map_free(&done);
    vec_free(&stack);
    return r;
}

Node *value_as(Elab *e, Value *v, DType d, Span span, const char *what)
{
    Node *n = value_to_node(e, v, span, what);
    v = value_plain(e, v);
    if (!n || !v->weak || n->type->dtype == d)
        return n;
    bool to_int = !dtype_is_float(d);
    if (to_int && dtype_is_float(n->type->dtype))
        return n; /* 0.5 next to integers stays f64: promotion decides */
    if (d == DT_BOOL || d == DT_RNG)
        return n;
    return weak_retype(e->st, n, d);
}

DType values_meet(Elab *e, int n, Value *const *v, const Span *spans, const char *what, Node **out)
{
    DType strong = DT_COUNT, weak = DT_COUNT, d = DT_COUNT;
    bool typed = false, any = false;
    for (int i = 0; i < n; i++) {
        Value *plain = value_plain(e, v[i]);
        if (!(out[i] = value_to_node(e, plain, spans[i], what)))
            return DT_COUNT;
        DType own = out[i]->type->dtype;
        if (plain->weak)
            weak = any ? promote(weak, own) : own, any = true;
        else
            strong = typed ? promote(strong, own) : own, typed = true;
    }
    DType common = typed ? strong : weak;
    if (typed && strong == DT_F64)
        note_widening(e, n, v, out, spans);
    for (int i = 0; i < n; i++) {
        if (common != DT_COUNT && !(out[i] = value_as(e, v[i], common, spans[i], what)))
            return DT_COUNT;
        d = i ? promote(d, out[i]->type->dtype) : out[i]->type->dtype;
    }
    return typed && strong == DT_COUNT ? DT_COUNT : d;
}

DType args_meet(Elab *e, Args *a, int first, int n, Node **out)
{
    for (int i = 0; i < n; i++)
        out[i] = NULL;
    return values_meet(e, n, a->at + first, a->spans + first, a->builtin->name, out);
}

bool value_const_int(Elab *e, Value *v, i64 *out, Span span, const char *what)
{
    Node *n = value_to_node(e, v, span, what);
    if (!n)
        return false;
    if (node_const_i64(n, out) && n->type->dtype != DT_BOOL)
        return true;
    i64 x;
    if (n->op == OP_NEG && node_const_i64(n->ops[0], &x)) {
        *out = (i64)(0 - (u64)x);
        return true;
    }
    Size *s = n->type == type_scalar(e->st, DT_I64) ? size_of_node(e->st, n) : NULL;
    if (s && size_is_const(s, out))
        return true;
    elab_error(e, span, "not-constant",
               !strcmp(what, "axis") && node_rank(n) ? "several axes are a tuple: axis=(0, 1)"
                                                     : NULL,
               "%s must be a whole number known while the graph is built", what);
    return false;
}

/* ---- environments ---- */

Env *env_new(Elab *e, Env *parent)
{
    Env *env = arena_alloc(e->arena, sizeof *env);
    env->parent = parent;
    env->serial = ++e->env_count;
    return env;
}

enum { FEW_NAMES = 16 };

static int *env_slot(const Env *env, Symbol name)
{
    u64 mask = (u64)env->nslots - 1, i = hash_mix((u64)(uintptr_t)name, 0) & mask;
    while (env->slots[i] && env->at[env->slots[i] - 1].name != name)
        i = (i + 1) & mask;
    return &env->slots[i];
}

/* Where the name stands, or -1. */
static int env_find(const Env *env, Symbol name)
{
    if (env->nslots)
        return *env_slot(env, name) - 1;
    int i = env->len;
    while (i-- > 0 && env->at[i].name != name) {
    }
    return i;
}

static void env_grow(Elab *e, Env *env)
{
    size_t was = (size_t)env->cap * sizeof *env->at;
    env->cap = env->cap ? 2 * env->cap : 8;
    if (env->lasts) {
        env->at = xrealloc(env->at, (size_t)env->cap * sizeof *env->at);
    } else {
        void *at = arena_alloc(e->arena, (size_t)env->cap * sizeof *env->at);
        if (was)
            memcpy(at, env->at, was);
        env->at = at;
    }
    if (env->cap <= FEW_NAMES)
        return;
    env->nslots = 2 * env->cap;
    size_t bytes = (size_t)env->nslots * sizeof *env->slots;
    if (env->lasts)
        env->slots = memset(xrealloc(env->slots, bytes), 0, bytes);
    else
        env->slots = arena_alloc(e->arena, bytes);
    for (int i = 0; i < env->len; i++)
        *env_slot(env, env->at[i].name) = i + 1;
}

void env_set(Elab *e, Env *env, Symbol name, Value *v)
{
    int i = env_find(env, name);
    if (i < 0) {
        if (env->len == env->cap)
            env_grow(e, env);
        i = env->len++;
        env->at[i].name = name;
        env->at[i].value = NULL;
        if (env->nslots)
            *env_slot(env, name) = i + 1;
    }
    if (e->host && e->host->keep && env == e->globals)
        v = e->host->keep(e->host->session, name, v, env->at[i].value);
    env->at[i].value = v;
}

void env_restore(Env *env, Symbol name, Value *v) { env->at[env_find(env, name)].value = v; }

Value *env_own(const Env *env, Symbol name)
{
    int i = env_find(env, name);
    return i < 0 ? NULL : env->at[i].value;
}

void scope_enter(Elab *e, OpenScope *open, Env *parent)
{
    open->env = e->env = env_new(e, parent);
    open->enclosing = e->open;
    e->open = open;
}

void scope_leave(Elab *e, OpenScope *open, Env *saved)
{
    e->open = open->enclosing;
    e->env = saved;
}

void env_mention(Elab *e, const Env *home, Node *n)
{
    for (OpenScope *s = e->open; s && s->env->serial > home->serial; s = s->enclosing)
        if (n->op != OP_CONST)
            set_add(&s->outside.mentioned, n);
}

void env_mention_captured(Elab *e, Node *n)
{
    for (OpenScope *s = e->open; s; s = s->enclosing)
        if (outside_has(&s->outside, n))
            set_add(&s->outside.mentioned, n);
}

static void mention_value(Elab *e, const Env *home, Value *v)
{
    switch (v->kind) {
    case V_NODE: env_mention(e, home, v->node); break;
    case V_TUPLE:
        for (int i = 0; i < v->nitems; i++)
            mention_value(e, home, v->items[i]);
        break;
    case V_RECORD:
        for (int i = 0; i < v->record->scan->type->nitems; i++) {
            Node *p = node_proj(e->st, v->record->scan, i);
            if (p)
                env_mention(e, home, p);
        }
        break;
    default: break;
    }
}

static bool is_tensor_like(const Value *v)
{
    return v->kind == V_TUPLE || v->kind == V_RECORD ||
           (v->kind == V_NODE && v->node->op != OP_CONST);
}

static const Env *home_of(const Env *env, Symbol name)
{
    while (env && !env_own(env, name))
        env = env->parent;
    return env;
}

/* Listed, and what the list means by the name is this one. */
static bool allowed_by_using(const OpenScope *open, const Env *home, Symbol name)
{
    for (int i = 0; i < open->nusing; i++)
        if (!strcmp(open->using_names[i].name, name))
            return home_of(open->env->parent, name) == home;
    return false;
}

void env_call(Elab *e, const Value *function, Calling *calling)
{
    *calling = (Calling){function, ++e->env_count, e->calling};
    e->calling = calling;
}

void env_return(Elab *e) { e->calling = e->calling->caller; }

static bool stands_in(const Env *env, const OpenScope *body)
{
    while (env && env != body->env)
        env = env->parent;
    return env != NULL;
}

/* The function by which the body comes to what is mentioned now; one without a name is told as the
 * one that made it. NULL: it stands in the body itself. */
static const Calling *came_by(const Elab *e, const OpenScope *body)
{
    const Calling *found = NULL;
    for (const Calling *c = e->calling; c && c->serial > body->env->serial; c = c->caller) {
        if (stands_in(c->function->env, body))
            return found;
        found = c;
        if (c->function->text)
            return c;
    }
    return found;
}

bool env_may_capture(Elab *e, const Env *home, Symbol name, Span span)
{
    for (const OpenScope *s = e->open; s; s = s->enclosing) {
        if (!s->strict || home->serial >= s->env->serial || allowed_by_using(s, home, name))
            continue;
        const Calling *c = came_by(e, s);
        const char *function = c && c->function->text ? c->function->text : "a function";
        elab_error(e, span, "capture",
                   c ? "add it to `using`, or give it to the function as an argument"
                     : "add it to `using`, or drop `using` to allow every capture",
                   "the scan's body captures %s%s%s, which its `using` does not list", name,
                   c ? " through " : "", c ? function : "");
        return false;
    }
    return true;
}

Value *env_lookup(Elab *e, Symbol name, Span span, bool *refused)
{
    for (Env *env = e->env; env; env = env->parent) {
        Value *v = env_own(env, name);
        if (!v)
            continue;
        if (is_tensor_like(v) && !env_may_capture(e, env, name, span)) {
            *refused = true;
            return NULL;
        }
        bool asks = e->host && e->host->used && env == e->globals;
        if (asks && !e->host->used(e->host->session, name)) {
            diag_note(e->st->diags, "skipped", span,
                      "skipped, because the definition of `%s` failed", name);
            *refused = true;
            return NULL;
        }
        mention_value(e, env, v);
        return v;
    }
    return NULL;
}
