/* Sessions: inputs, shared variables, contexts, evaluation. Statements are in statements.c. */
#include "session/session.h"
#include "lang/dimensions.h"
#include "session/definitions.h"
#include "session/keep.h"
#include "session/saturated.h"
#include "session/by_hand.h"
#include "session/undo.h"
#include "emit/program_c.h"

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
        diag_memory(s->st.diags, (Span){.src = src}, "for this text");
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
    Value *first = env_own(e->env, name), *last = first;
    if (!elab_define(e, stmt))
        return false;
    env_own(e->env, name)->of_tuples = tuple_form_of(name);
    while (last && last->more)
        last = last->more;
    if (last) {
        last->more = env_own(e->env, name);
        env_set(e, e->env, name, first);
    }
    return true;
}

/* The functions of the prelude see each other and what is built in, not what the program calls by
 * the same names; those that begin with _ are for the others alone. */
static void offer_prelude(Elab *e, const Env *own)
{
    for (int i = 0; i < own->len; i++)
        if (own->at[i].name[0] != '_')
            env_set(e, e->globals, own->at[i].name, own->at[i].value);
    e->env = e->globals;
}

static bool run_prelude(Session *s)
{
    const Source *src = session_source(s, "prelude.gr", embed_prelude_gr, embed_prelude_gr_len);
    s->elab.prelude = src;
    Env *own = s->elab.env = env_new(&s->elab, NULL);
    Parser p;
    parser_init(&p, src, &s->arena, s->st.diags, false);
    Stmt *stmt;
    ParseStatus status;
    while ((status = parse_statement(&p, &stmt)) == PARSE_OK)
        if (stmt->kind == S_FUNCTION &&
            !define_prelude(&s->elab, stmt)) /* others: ops/composite.c */
            return false;
    offer_prelude(&s->elab, own);
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

static bool read_rules(Session *s)
{
    s->rules = s->own = xcalloc(1, sizeof *s->own);
    return ruleset_init(s->own, s->st.diags);
}

RuleSet *session_own_rules(Session *s)
{
    if (!s->own) {
        s->own = xcalloc(1, sizeof *s->own);
        ruleset_extend(s->own, s->rules);
        s->rules = s->own;
    }
    return s->own;
}

void session_count_rules(Session *s, const Exploration *x)
{
    for (size_t i = 0; i < x->counts.fired.len; i++) {
        if (i == s->fired.len)
            vec_push(&s->fired, 0);
        s->fired.at[i] += x->counts.fired.at[i];
    }
}

u64 session_rule_fired(const Session *s, const Rule *r)
{
    return r->id < s->fired.len ? s->fired.at[r->id] : 0;
}

bool session_init(Session *s) { return session_open(s, NULL); }

bool session_open(Session *s, const RuleSet *rules)
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
    s->elab.globals = s->elab.env = env_new(&s->elab, NULL);
    s->elab.globals->lasts = true;
    s->context = session_context(s, symbol(&s->st, "default"));
    s->options = options_usual();
    s->rules = rules;
    bool ok = (rules || read_rules(s)) && run_prelude(s);
    s->native.write = program_write_c;
    s->threads = 1;
    s->host.numbered = session_numbered;
    s->host.keep = session_keep;
    s->host.used = definitions_used;
    s->host.older = definitions_older;
    return ok;
}

static void drop_index(Session *s);

void session_free(Session *s)
{
    session_forget(s);
    for (size_t i = 0; i < s->leaves.len; i++)
        tensor_unref(s->leaves.at[i].value);
    for (size_t i = 0; i < s->contexts.len; i++) {
        TensorMap *m = &s->contexts.at[i]->values;
        for (size_t k = 0; k < m->len; k++)
            tensor_unref(map_val(m, k));
        map_free(m);
        free(s->contexts.at[i]);
    }
    vec_free(&s->cache);
    vec_free(&s->last_taken);
    native_free(&s->native);
    vec_free(&s->leaves);
    vec_free(&s->contexts);
    vec_free(&s->sizes);
    map_free(&s->size_known);
    drop_index(s);
    map_free(&s->leaf_of);
    map_free(&s->by_size);
    undo_forget(s);
    free(s->recent_text);
    session_saturated_free(s);
    hand_free(s);
    in_use_free(&s->in_use);
    definitions_free(s);
    session_keep_free(s);
    map_free(&s->failed);
    map_free(&s->failed_anew);
    map_free(&s->random_reported);
    map_free(&s->elab.drawn);
    map_free(&s->elab.views);
    dimensions_forget(&s->elab);
    if (s->own)
        ruleset_free(s->own);
    free(s->own);
    vec_free(&s->fired);
    arena_free(&s->arena);
    store_free(&s->st);
    diags_free(&s->diags);
}

/* ---- leaves ---- */

Leaf *session_leaf(Session *s, const Node *n)
{
    size_t place = map_get(&s->leaf_of, n);
    return place ? &s->leaves.at[place - 1] : NULL;
}

bool leaf_in_force(const Session *s, const Leaf *leaf)
{
    return in_use_has(&s->in_use, leaf->node);
}

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
    map_put(&s->leaf_of, n, i + 1);
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
    for (size_t i = 0; i < s->by_size.len; i++) {
        vec_free(map_val(&s->by_size, i));
        free(map_val(&s->by_size, i));
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
        if (leaf_in_force(s, leaf))
            return leaf;
    }
    return NULL;
}

/* `alt.W` is W as the context alt has it (`in alt { W }`), or as it is by default. */
static Tensor *value_in_context(Session *s, const Node *n)
{
    const char *name = n->attrs[0].name, *point = strchr(name, '.');
    if (!point)
        return NULL;
    Text context = {0};
    text_putn(&context, name, (size_t)(point - name));
    Context *c = context_find(s, symbol(&s->st, text_str(&context)));
    text_free(&context);
    Node *own = node_input(&s->st, OP_SHARED, symbol(&s->st, point + 1), n->type);
    Tensor *t = c ? map_get(&c->values, own) : NULL;
    return t ? t : map_get(&s->contexts.at[0]->values, own);
}

static Tensor *shared_value(Session *s, const Node *n)
{
    Tensor *t = map_get(&s->context->values, n);
    t = t ? t : map_get(&s->contexts.at[0]->values, n);
    return t ? t : value_in_context(s, n);
}

Tensor *session_leaf_value(Session *s, const Node *n)
{
    if (n->op == OP_SHARED)
        return shared_value(s, n);
    Leaf *leaf = session_leaf(s, n);
    return leaf ? leaf->value : NULL;
}

bool session_missing(Session *s, int n, Node *const *roots, Node **first)
{
    Evaluator e = session_evaluator(s);
    *first = probe_missing(&e, n, roots);
    return *first != NULL;
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
    Expr *x = parse_expression(part, s->elab.arena, s->st.diags);
    elab_start(&s->elab);
    definitions_start(s);
    return x ? value_plain(&s->elab, elab_expr(&s->elab, x)) : NULL;
}

int session_roots_at(Session *s, Span part, Node ***roots)
{
    Value *v = session_value(s, part);
    return v ? session_roots(s, v, part, roots) : -1;
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
