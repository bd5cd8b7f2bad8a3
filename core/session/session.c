/* Sessions: inputs, shared variables, contexts, evaluation. Statements are in statements.c. */
#include "session/session.h"
#include "session/definitions.h"
#include "session/keep.h"
#include "session/by_hand.h"
#include "session/undo.h"
#include "emit/program_c.h"
#include "lang/random_use.h"

#include "embed/embed.h"

static bool size_is_known(void *session, Symbol name)
{
    return map_has(&((Session *)session)->size_known, name);
}

static bool has_failed(void *session, Symbol name)
{
    return map_has(&((Session *)session)->failed, name);
}

enum { LONG_TEXT = 1 << 16 }; /* bytes: from there on it may be refused */

const Source *session_source(Session *s, const char *name, const char *text, size_t len)
{
    Source *src = xcalloc(1, sizeof *src);
    src->name = xstrdup(name);
    src->text = len < LONG_TEXT ? xmalloc(len + 1) : memory_try(NULL, len + 1);
    if (!src->text) { /* an empty one stands for it */
        src->text = xcalloc(1, 1);
        len = 0;
        diag_memory(&s->diags, (Span){.src = src}, "for this text");
    }
    memcpy(src->text, text, len);
    src->text[len] = 0;
    src->len = len;
    source_index(src);
    vec_push(&s->sources, src);
    s->kept_bytes += source_bytes(src);
    return src;
}

static Context *context_find(Session *s, Symbol name)
{
    for (size_t i = 0; i < s->contexts.len; i++)
        if (s->contexts.at[i]->name == name)
            return s->contexts.at[i];
    return NULL;
}

Context *session_context(Session *s, Symbol name)
{
    Context *c = context_find(s, name);
    if (!c) {
        c = xcalloc(1, sizeof *c);
        c->name = name;
        vec_push(&s->contexts, c);
    }
    return c;
}

/* A function of the prelude may be defined several times, for more and more arguments. */
static bool define_prelude(Elab *e, const Stmt *stmt)
{
    Symbol name = symbol(e->st, stmt->names[0].name);
    Value *first = env_own(e->globals, name), *last = first;
    if (!elab_define(e, stmt))
        return false;
    while (last && last->more)
        last = last->more;
    if (last) {
        last->more = env_own(e->globals, name);
        env_set(e, e->globals, name, first);
    }
    return true;
}

static const char prelude_name[] = "prelude.gr";

static bool run_prelude(Session *s)
{
    const Source *src = session_source(s, prelude_name, embed_prelude_gr, embed_prelude_gr_len);
    Parser p;
    parser_init(&p, src, &s->arena, &s->diags, false);
    Stmt *stmt;
    ParseStatus status;
    while ((status = parse_statement(&p, &stmt)) == PARSE_OK)
        if (stmt->kind == S_FUNCTION &&
            !define_prelude(&s->elab, stmt)) /* others: ops/composite.c */
            return false;
    return status == PARSE_END;
}

static bool is_missing(void *session, Node *x, Node **first)
{
    return session_missing(session, 1, &x, first);
}

static Tensor *value_now(void *session, Node *x)
{
    Tensor *t = NULL;
    return session_evaluate(session, 1, &x, &t) ? t : NULL;
}

/* Bytes of nodes and types, after which building is refused with an error instead of taking the
 * machine down. */
#define GRAPH_MEMORY ((size_t)8 << 30)

bool session_init(Session *s)
{
    if (!memory_short()) /* of the statement that wants one more session */
        memory_refill();
    memset(s, 0, sizeof *s);
    store_init(&s->st);
    s->st.diags = &s->diags;
    s->st.limit = GRAPH_MEMORY;
    s->elab = (Elab){.st = &s->st, .arena = &s->arena, .host = &s->host};
    s->host = (ElabHost){.session = s,
                         .size_known = size_is_known,
                         .name_failed = has_failed,
                         .missing = is_missing,
                         .evaluate = value_now};
    s->elab.globals = s->elab.env = env_new(&s->elab, NULL, NULL);
    s->elab.globals->lasts = true;
    s->context = session_context(s, symbol(&s->st, "default"));
    bool ok = ruleset_init(&s->rules, &s->diags) && run_prelude(s);
    s->native.write = program_write_c;
    s->host.numbered = session_numbered;
    s->host.keep = session_keep;
    s->host.used = definitions_used;
    s->host.older = definitions_older;
    store_epoch(&s->st);
    return ok;
}

static void compiled_free(Compiled *c)
{
    free(c->roots);
    program_free(c->program);
    exploration_release(c->exploration);
    exploration_free(c->exploration);
    free(c);
}

static void drop_index(Session *s);

void session_free(Session *s)
{
    for (size_t i = 0; i < s->cache.len; i++)
        compiled_free(s->cache.at[i]);
    for (size_t i = 0; i < s->leaves.len; i++)
        tensor_unref(s->leaves.at[i].value);
    for (size_t i = 0; i < s->contexts.len; i++) {
        PtrMap *m = &s->contexts.at[i]->values;
        for (size_t k = 0; k < m->cap; k++)
            if (m->keys && m->keys[k])
                tensor_unref(m->vals[k]);
        map_free(m);
        free(s->contexts.at[i]);
    }
    vec_free(&s->cache);
    native_free(&s->native);
    vec_free(&s->leaves);
    vec_free(&s->contexts);
    vec_free(&s->sizes);
    map_free(&s->size_known);
    drop_index(s);
    map_free(&s->leaf_of);
    map_free(&s->by_size);
    undo_forget(s);
    hand_free(s);
    definitions_free(s);
    session_keep_free(s);
    map_free(&s->failed);
    map_free(&s->failed_anew);
    map_free(&s->random_reported);
    map_free(&s->elab.drawn);
    map_free(&s->elab.views);
    ruleset_free(&s->rules);
    arena_free(&s->arena);
    store_free(&s->st);
    diags_free(&s->diags);
}

/* ---- leaves ---- */

typedef VEC(u32) LeafList;

Leaf *session_leaf(Session *s, const Node *n)
{
    size_t place = (size_t)(uintptr_t)map_get(&s->leaf_of, n);
    return place ? &s->leaves.at[place - 1] : NULL;
}

bool leaf_in_force(const Leaf *leaf) { return leaf->node->held[HOLD_NAMES] > 0; }

static void index_sizes(Session *s, const Size *z, u32 leaf)
{
    for (u32 i = 0; i < z->nterms; i++)
        for (u32 k = 0; k < z->terms[i].nfactors; k++) {
            Symbol name = z->terms[i].factors[k]->name;
            LeafList *list = name ? map_get(&s->by_size, name) : NULL;
            if (name && !list)
                map_put(&s->by_size, name, list = xcalloc(1, sizeof *list));
            if (name)
                vec_push(list, leaf);
        }
}

static void index_leaf(Session *s, u32 i)
{
    const Node *n = s->leaves.at[i].node;
    map_put(&s->leaf_of, n, (void *)(uintptr_t)(i + 1));
    for (int a = 0; a < n->type->rank; a++)
        index_sizes(s, n->type->dims[a], i);
}

Leaf *session_add_leaf(Session *s, Leaf leaf)
{
    vec_push(&s->leaves, leaf);
    index_leaf(s, (u32)s->leaves.len - 1);
    return &s->leaves.at[s->leaves.len - 1];
}

static void drop_index(Session *s)
{
    for (size_t i = 0; i < s->by_size.cap; i++)
        if (s->by_size.keys[i]) {
            vec_free((LeafList *)s->by_size.vals[i]);
            free(s->by_size.vals[i]);
        }
    map_clear(&s->by_size);
    map_clear(&s->leaf_of);
}

void session_index_leaves(Session *s)
{
    drop_index(s);
    for (size_t i = 0; i < s->leaves.len; i++)
        index_leaf(s, (u32)i);
}

Leaf *session_next_of_size(Session *s, Symbol name, size_t *at)
{
    const LeafList *list = map_get(&s->by_size, name);
    while (list && *at < list->len) {
        Leaf *leaf = &s->leaves.at[list->at[(*at)++]];
        if (leaf_in_force(leaf))
            return leaf;
    }
    return NULL;
}

static Tensor *shared_value(Session *s, const Node *n)
{
    Tensor *t = map_get(&s->context->values, n);
    return t ? t : map_get(&s->contexts.at[0]->values, n);
}

Tensor *session_leaf_value(Session *s, const Node *n)
{
    if (n->op == OP_SHARED)
        return shared_value(s, n);
    Leaf *leaf = session_leaf(s, n);
    return leaf ? leaf->value : NULL;
}

typedef struct {
    Session *s;
    const PtrMap *values;
} LeafCtx;

static Tensor *vm_leaf(void *ctx, const Node *n)
{
    LeafCtx *c = ctx;
    Tensor *t = c->values ? map_get(c->values, n) : NULL;
    return t ? t : session_leaf_value(c->s, n);
}

/* The value of the one unknown name in an affine size, from an actual length. */
static bool solve_size(const Size *z, i64 length, Symbol name, i64 *out)
{
    if (z->nterms != 1 || z->terms[0].nfactors != 1 || z->terms[0].factors[0]->kind != ATOM_NAME ||
        z->terms[0].factors[0]->name != name)
        return false;
    i64 rest = length - z->constant;
    if (rest % z->terms[0].coef)
        return false;
    *out = rest / z->terms[0].coef;
    return true;
}

static bool size_from_leaf(const Node *n, const Tensor *t, Symbol name, i64 *out)
{
    for (int a = 0; t && a < n->type->rank; a++)
        if (solve_size(n->type->dims[a], t->shape[a], name, out))
            return true;
    return false;
}

static bool vm_size(void *ctx, const Node *n, i64 *out)
{
    LeafCtx *c = ctx;
    SizeAtom *atom = size_as_atom(n->attrs[0].size);
    if (!atom || atom->kind != ATOM_NAME)
        return false;
    size_t at = 0;
    for (const Leaf *leaf; (leaf = session_next_of_size(c->s, atom->name, &at)) != NULL;)
        if (size_from_leaf(leaf->node, vm_leaf(ctx, leaf->node), atom->name, out))
            return true;
    return false;
}

bool session_size(Session *s, const Node *size, i64 *out)
{
    LeafCtx c = {s, NULL};
    return vm_size(&c, size, out);
}

bool session_missing(Session *s, int n, Node *const *roots, Node **first)
{
    NodeVec order = {0};
    i64 size;
    nodes_topo(n, roots, &order);
    *first = NULL;
    for (size_t i = 0; i < order.len && !*first; i++) {
        Node *x = order.at[i];
        bool leaf = x->op == OP_INPUT || x->op == OP_SHARED;
        if ((leaf && !session_leaf_value(s, x)) || (x->op == OP_SIZE && !session_size(s, x, &size)))
            *first = x;
    }
    vec_free(&order);
    return *first != NULL;
}

/* ---- compiling and running ---- */

enum { CACHE = 8 };

static Compiled *cache_find(Session *s, int n, Node *const *roots)
{
    for (size_t i = 0; i < s->cache.len; i++) {
        Compiled *c = s->cache.at[i];
        if (!c->outdated && c->n == n &&
            (!n || !memcmp(c->roots, roots, (size_t)n * sizeof *roots)))
            return c;
    }
    return NULL;
}

void session_forget(Session *s)
{
    for (size_t i = 0; i < s->cache.len; i++)
        compiled_free(s->cache.at[i]);
    s->cache.len = 0;
    s->last = s->listed = s->walked = s->hand_steps = NULL;
    s->forgotten++;
}

void session_outdate(Session *s)
{
    for (size_t i = 0; i < s->cache.len; i++) {
        program_free(s->cache.at[i]->program);
        s->cache.at[i]->program = NULL;
        s->cache.at[i]->outdated = true;
    }
}

bool session_last_outdated(const Session *s)
{
    for (size_t i = 0; i < s->cache.len && s->last != s->hand_steps; i++)
        if (s->cache.at[i]->exploration == s->last)
            return s->cache.at[i]->outdated;
    return false;
}

void session_recover(Session *s)
{
    if (!memory_short())
        return;
    session_forget(s);
    memory_refill(); /* of what the statement's own memory was: a collection needs some, too */
    session_collect(s);
    heap_free(&s->st.heap);
    memory_refill();
}

/* Half rewritten is of no use, and must not be found again. */
static bool was_interrupted(Session *s, Exploration *x)
{
    for (size_t i = 0; i < x->passes.len; i++) {
        const PassRun *p = &x->passes.at[i];
        if (p->stop != STOP_INTERRUPTED && p->stop != STOP_MEMORY)
            continue;
        char where[64];
        snprintf(where, sizeof where, "in the pass %s", p->name);
        if (p->stop == STOP_MEMORY)
            diag_memory(&s->diags, s->st.span, where);
        else
            diag_add(&s->diags, "interrupted", s->st.span, NULL, "interrupted %s", where);
        exploration_free(x);
        return true;
    }
    return false;
}

/* Somebody looks at it, or is about to. */
static bool is_kept(const Session *s, const Exploration *x)
{
    return x == s->listed || x == s->walked || x == s->hand_steps;
}

static void forget_one(Session *s, size_t k)
{
    compiled_free(s->cache.at[k]);
    s->cache.len--;
    memmove(s->cache.at + k, s->cache.at + k + 1, (s->cache.len - k) * sizeof *s->cache.at);
}

/* Into the cache, where the oldest makes room for it. */
static Compiled *remember(Session *s, Exploration *x)
{
    Compiled *c = xcalloc(1, sizeof *c);
    c->n = x->nroots;
    c->roots = xmalloc(((size_t)c->n + 1) * sizeof *c->roots);
    memcpy(c->roots, x->start, (size_t)c->n * sizeof *c->roots);
    c->exploration = x;
    exploration_hold(x);
    if (s->cache.len == CACHE) {
        size_t oldest = 0;
        while (is_kept(s, s->cache.at[oldest]->exploration))
            oldest++;
        forget_one(s, oldest);
    }
    vec_push(&s->cache, c);
    s->last = x;
    return c;
}

static Compiled *compiled(Session *s, int n, Node *const *roots)
{
    Compiled *c = cache_find(s, n, roots);
    if (c) {
        s->last = c->exploration;
        return c;
    }
    random_use_check(&s->st, &s->random_reported, n, roots);
    s->rules.interrupt = s->interrupt;
    Exploration *x = explore(&s->st, &s->rules, n, roots);
    if (!x || was_interrupted(s, x))
        return NULL;
    return remember(s, x);
}

void session_adopt(Session *s, Exploration *x) { remember(s, x)->outdated = true; }

void session_disown(Session *s, const Exploration *x)
{
    for (size_t i = 0; x != s->walked && i < s->cache.len; i++)
        if (s->cache.at[i]->exploration == x) {
            s->last = s->last == x ? NULL : s->last;
            s->listed = s->listed == x ? NULL : s->listed;
            forget_one(s, i);
        }
}

Exploration *session_explore(Session *s, int n, Node *const *roots)
{
    Compiled *c = compiled(s, n, roots);
    return c ? c->exploration : NULL;
}

/* At the place where the failing operation was written; if that is not in the statement that is
 * being evaluated, a note shows the statement too. */
static void report_fault(Session *s, VmEnv *env)
{
    const Span *at = env->fault ? node_span(env->fault) : NULL, asked = s->st.span;
    if (at && strcmp(at->src->name, prelude_name) == 0)
        at = NULL; /* which is no place in a program */
    const char *code = env->code ? env->code : "check";
    diag_add(&s->diags, code, at ? *at : asked, strcmp(code, "memory") ? NULL : memory_hint, "%s",
             text_str(&env->error));
    if (at && asked.src &&
        (at->src != asked.src || at->end <= asked.start || at->start >= asked.end))
        diag_note(&s->diags, code, asked, "its value is needed here");
}

void session_progress(const Session *s, double began, double fraction)
{
    enum { PATIENCE = 500 }; /* milliseconds without a word */
    double seconds = now_seconds() - began;
    if (s->progress && 1e3 * seconds > PATIENCE)
        s->progress(s->progress_ctx, seconds, fraction);
}

static void vm_progress(void *ctx, double seconds, double fraction)
{
    Session *s = ((LeafCtx *)ctx)->s;
    s->progress(s->progress_ctx, seconds, fraction);
}

static bool run(Session *s, Program *p, const PtrMap *values, u64 work_limit, Tensor **out)
{
    LeafCtx ctx = {s, values};
    VmEnv env = {.st = &s->st,
                 .heap = &s->st.heap,
                 .native = &s->native,
                 .leaf = vm_leaf,
                 .size = vm_size,
                 .ctx = &ctx,
                 .interrupt = s->interrupt,
                 .work_limit = work_limit ? work_limit : s->work_limit,
                 .progress = s->progress ? vm_progress : NULL};
    s->st.heap.peak = s->st.heap.live;
    s->native.interrupt = s->interrupt;
    double start = now_seconds();
    bool ok = vm_run(p, &env, out);
    s->run_seconds = now_seconds() - start;
    s->run_steps = env.steps;
    s->run_native = program_native(p);
    if (s->native.note.len)
        diag_note(&s->diags, "native", s->st.span, "%s; the virtual machine runs",
                  text_str(&s->native.note));
    text_free(&s->native.note);
    if (!ok)
        report_fault(s, &env);
    text_free(&env.error);
    return ok;
}

bool session_evaluate(Session *s, int n, Node *const *roots, Tensor **out)
{
    size_t errors = s->diags.errors;
    Compiled *c = compiled(s, n, roots);
    if (c && c->exploration->failed && s->diags.errors > errors)
        return false;
    if (c && !c->program)
        c->program = plan_build(&s->st, c->exploration->nroots, c->exploration->roots);
    return c && c->program && run(s, c->program, NULL, 0, out);
}

bool session_evaluate_raw(Session *s, int n, Node *const *roots, const PtrMap *values, Tensor **out)
{
    Program *p = plan_build_with(&s->st, n, roots, s->plan_flags);
    if (!p)
        return false;
    bool ok = run(s, p, values, 0, out);
    program_free(p);
    return ok;
}

bool session_run_program(Session *s, Program *p, const PtrMap *values, u64 work_limit, Tensor **out)
{
    return run(s, p, values, work_limit, out);
}

/* ---- values ---- */

int session_roots(Session *s, Value *v, Span span, Node ***roots)
{
    NodeVec nodes = {0};
    if (!value_nodes(&s->elab, v, &nodes)) {
        vec_free(&nodes);
        elab_error(&s->elab, span, "type-mismatch", NULL, "this is %s, not a tensor",
                   value_describe(&s->elab, v));
        return -1;
    }
    *roots = nodes.at ? nodes.at : xcalloc(1, sizeof *nodes.at); /* `()` has none */
    return (int)nodes.len;
}

Value *session_value(Session *s, Span part)
{
    Expr *x = parse_expression(part, s->elab.arena, &s->diags);
    elab_start(&s->elab);
    definitions_start(s);
    return x ? value_plain(&s->elab, elab_expr(&s->elab, x)) : NULL;
}

size_t session_names(Session *s, const char ***names)
{
    VEC(const char *) all = {0};
    for (int i = 0; i < s->elab.globals->len; i++)
        if (s->elab.globals->at[i].value)
            vec_push(&all, s->elab.globals->at[i].name);
    *names = all.at;
    return all.len;
}
