/* What lasts between statements; see keep.h.
 *
 * Invariant: the nodes that a global name's value holds are in use exactly as long as the
 * name stands for it. */
#include "session/keep.h"

#include "graph/collect.h"
#include "graph/provenance.h"
#include "session/by_hand.h"
#include "session/definitions.h"
#include "session/undo.h"

#include <malloc.h>

/* ---- walking through values ---- */

typedef struct {
    void *ctx;
    void (*node)(void *ctx, Node *n);
    void (*symbol)(void *ctx, Symbol name);   /* may be NULL */
    void (*memory)(void *ctx, const void *p); /* what lies in some chapter; may be NULL */
    const Env *globals;
    SET(const void *) seen; /* values and environments */
} ValueWalk;

static void walk_value(ValueWalk *w, Value *v);

static void met(ValueWalk *w, const void *p)
{
    if (w->memory && p)
        w->memory(w->ctx, p);
}

static void named(ValueWalk *w, Symbol name)
{
    if (w->symbol)
        w->symbol(w->ctx, name);
}

static bool first_time(ValueWalk *w, const void *p)
{
    if (!p || !set_add(&w->seen, p))
        return false;
    met(w, p);
    return true;
}

static void walk_env(ValueWalk *w, const Env *env)
{
    for (; env && env != w->globals && first_time(w, env); env = env->parent) {
        met(w, env->at);
        met(w, env->slots);
        for (int i = 0; i < env->len; i++) {
            named(w, env->at[i].name);
            walk_value(w, env->at[i].value);
        }
    }
}

static void walk_function(ValueWalk *w, Value *v)
{
    met(w, v->params);
    met(w, v->body);
    met(w, v->doc);
    named(w, v->text);
    walk_env(w, v->env);
    walk_value(w, v->more);
}

static void walk_part_names(ValueWalk *w, const Value *v)
{
    met(w, v->names);
    for (int i = 0; v->names && i < v->nitems; i++)
        named(w, v->names[i]);
}

/* Only the structure of a form counts, not what stood in it. */
static void walk_form(ValueWalk *w, const Value *form)
{
    if (!form)
        return;
    met(w, form);
    met(w, form->items);
    walk_part_names(w, form);
    for (int i = 0; i < form->nitems; i++)
        walk_form(w, form->items[i]);
}

static void walk_record(ValueWalk *w, const Record *r)
{
    met(w, r);
    met(w, r->equations);
    for (int i = 0; i < r->nequations; i++) {
        const Equation *q = &r->equations[i];
        named(w, q->name);
        walk_form(w, q->form);
        met(w, q->traces);
        met(w, q->finals);
    }
    w->node(w->ctx, r->scan);
}

static void walk_value(ValueWalk *w, Value *v)
{
    if (!first_time(w, v))
        return;
    switch (v->kind) {
    case V_NODE: w->node(w->ctx, v->node); break;
    case V_TUPLE:
        met(w, v->items);
        walk_part_names(w, v);
        for (int i = 0; i < v->nitems; i++)
            walk_value(w, v->items[i]);
        break;
    case V_RECORD: walk_record(w, v->record); break;
    case V_FUNCTION: walk_function(w, v); break;
    case V_DERIVED:
        walk_value(w, v->function);
        walk_value(w, v->in_axes);
        walk_value(w, v->out_axes);
        break;
    case V_STRING: met(w, v->text); break;
    default: break;
    }
}

/* ---- copies that last ---- */

static bool is_plain(const Value *v)
{
    bool plain = v->kind == V_NODE || v->kind == V_TUPLE || v->kind == V_RECORD ||
                 v->kind == V_STRING || v->kind == V_BUILTIN || v->kind == V_NONE;
    for (int i = 0; v->kind == V_TUPLE && i < v->nitems && plain; i++)
        plain = is_plain(v->items[i]);
    return plain;
}

static void *copy_block(Arena *to, const void *from, size_t bytes)
{
    return from ? memcpy(arena_alloc(to, bytes + 1), from, bytes) : NULL;
}

static Value *copy_form(Arena *to, const Value *form)
{
    if (!form)
        return NULL;
    Value *c = copy_block(to, form, sizeof *form);
    c->node = NULL;
    c->items = copy_block(to, form->items, (size_t)form->nitems * sizeof *form->items);
    c->names = copy_block(to, form->names, (size_t)form->nitems * sizeof *form->names);
    for (int i = 0; i < form->nitems; i++)
        c->items[i] = copy_form(to, form->items[i]);
    return c;
}

static Record *copy_record(Arena *to, const Record *r)
{
    Record *c = copy_block(to, r, sizeof *r);
    c->equations = copy_block(to, r->equations, (size_t)r->nequations * sizeof *r->equations);
    for (int i = 0; i < r->nequations; i++) {
        Equation *q = &c->equations[i];
        q->form = copy_form(to, q->form);
        q->traces = copy_block(to, q->traces, (size_t)q->n * sizeof *q->traces);
        q->finals = copy_block(to, q->finals, (size_t)q->n * sizeof *q->finals);
    }
    return c;
}

static Value *copy_value(Arena *to, const Value *v)
{
    Value *c = arena_alloc(to, sizeof *c);
    *c = *v;
    if (v->kind == V_TUPLE) {
        c->names = copy_block(to, v->names, (size_t)v->nitems * sizeof *v->names);
        c->items = arena_alloc(to, ((size_t)v->nitems + 1) * sizeof *c->items);
        for (int i = 0; i < v->nitems; i++)
            c->items[i] = copy_value(to, v->items[i]);
    }
    if (v->kind == V_RECORD)
        c->record = copy_record(to, v->record);
    if (v->kind == V_STRING)
        c->text = arena_strndup(to, v->text, strlen(v->text));
    return c;
}

static void hold(void *ctx, Node *n) { in_use_add(ctx, n); }
static void release(void *ctx, Node *n) { in_use_remove(ctx, n); }

static void each_node(Session *s, Value *v, void (*f)(void *ctx, Node *n))
{
    ValueWalk w = {.ctx = &s->in_use, .node = f, .globals = s->elab.globals};
    walk_value(&w, v);
    map_free(&w.seen);
}

enum { SMALL_BLOCK = 320 }; /* bytes of a first block: most chapters that are kept hold little */

static bool same_value(const Value *a, const Value *b)
{
    return a->kind == V_NODE && b->kind == V_NODE && a->node == b->node && a->weak == b->weak;
}

Value *session_held(Session *s, Symbol name, Value *v)
{
    Value *now = env_own(s->elab.globals, name);
    s->names_changed++;
    if (v)
        each_node(s, v, hold);
    if (now)
        each_node(s, now, release);
    return v;
}

Value *session_keep(void *session, Symbol name, Value *v, Value *old)
{
    Session *s = session;
    s->names_changed++;
    undo_note_name(s, name, old);
    map_remove(&s->failed_anew, name);
    s->same_value = s->same_value && old && same_value(v, old);
    if (is_plain(v)) {
        Chapter *own = xcalloc(1, sizeof *own);
        own->arena.first = SMALL_BLOCK;
        v = copy_value(&own->arena, v);
        vec_push(&s->chapters, own);
        s->kept_bytes += own->arena.total;
    } else if (s->chapter) {
        s->chapter->kept = true;
    }
    each_node(s, v, hold);
    if (old)
        each_node(s, old, release);
    return v;
}

/* ---- collecting ---- */

typedef struct {
    const char *from, *to;
    Chapter *chapter;
} Block;

typedef struct {
    Session *s;
    Collection c;
    VEC(Block) blocks; /* of the chapters that were kept, by address */
} Collector;

static int by_address(const void *pa, const void *pb)
{
    const Block *a = pa, *b = pb;
    return a->from < b->from ? -1 : a->from > b->from;
}

static void list_blocks(Collector *k)
{
    Block b;
    size_t bytes;
    for (size_t i = 0; i < k->s->chapters.len; i++) {
        b.chapter = k->s->chapters.at[i];
        for (const void *it = NULL;
             (it = arena_block(&b.chapter->arena, it, &b.from, &bytes)) != NULL;) {
            b.to = b.from + bytes;
            vec_push(&k->blocks, b);
        }
    }
    if (k->blocks.len)
        qsort(k->blocks.at, k->blocks.len, sizeof *k->blocks.at, by_address);
}

static void mark_memory(void *ctx, const void *p)
{
    Collector *k = ctx;
    const char *at = p;
    size_t low = 0, high = k->blocks.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (k->blocks.at[middle].to <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == k->blocks.len || at < k->blocks.at[low].from || k->blocks.at[low].chapter->mark)
        return;
    k->blocks.at[low].chapter->mark = true;
    collect_source(k->blocks.at[low].chapter->src);
}

static void mark_node(void *ctx, Node *n) { collect_node(&((Collector *)ctx)->c, n); }
static void mark_symbol(void *ctx, Symbol name) { collect_symbol(&((Collector *)ctx)->c, name); }

typedef struct {
    Collector *k;
    ValueWalk *walk;
} UndoMark;

static void mark_undo_value(void *ctx, Value *v) { walk_value(((UndoMark *)ctx)->walk, v); }
static void mark_undo_node(void *ctx, Node *n) { mark_node(((UndoMark *)ctx)->k, n); }
static void mark_undo_name(void *ctx, Symbol name) { mark_symbol(((UndoMark *)ctx)->k, name); }

static void mark_names(Collector *k)
{
    Session *s = k->s;
    ValueWalk w = {.ctx = k,
                   .node = mark_node,
                   .symbol = mark_symbol,
                   .memory = mark_memory,
                   .globals = s->elab.globals};
    for (int i = 0; i < s->elab.globals->len; i++) {
        mark_symbol(k, s->elab.globals->at[i].name);
        walk_value(&w, s->elab.globals->at[i].value);
    }
    UndoMark mark = {k, &w};
    undo_visit(s, &(UndoVisit){&mark, mark_undo_value, mark_undo_node, mark_undo_name});
    map_free(&w.seen);
    for (size_t i = 0; i < s->contexts.len; i++)
        mark_symbol(k, s->contexts.at[i]->name);
    for (size_t i = 0; i < s->sizes.len; i++)
        mark_symbol(k, s->sizes.at[i]);
    for (size_t i = 0; i < s->failed.len; i++)
        mark_symbol(k, map_key(&s->failed, i));
    for (size_t i = 0; i < s->failed_anew.len; i++)
        mark_symbol(k, map_key(&s->failed_anew, i));
}

/* Programs refer to nodes that they made themselves; they are planned anew when they are needed. */
static void mark_cache(Collector *k)
{
    Session *s = k->s;
    for (size_t i = 0; i < s->cache.len; i++) {
        Compiled *c = s->cache.at[i];
        program_free(c->program);
        c->program = NULL;
        for (int j = 0; j < c->n; j++)
            collect_node(&k->c, c->roots[j]);
        exploration_collect(c->exploration, &k->c);
    }
    for (size_t i = 0; i < s->last_taken.len; i++)
        collect_node(&k->c, s->last_taken.at[i]);
}

static void mark_written(Collector *k)
{
    for (const Definition *d = k->s->first_definition; d; d = d->after) {
        provenance_collect(&k->c, d->provenance);
        collect_node(&k->c, d->leaf);
        for (int i = 0; i < d->nnames; i++)
            mark_symbol(k, d->names[i]);
    }
    for (size_t i = 0; i < k->s->pending.len; i++)
        collect_source(k->s->pending.at[i].span.src);
}

static void mark_texts(Collector *k)
{
    Session *s = k->s;
    for (size_t i = 0; i < s->running.len; i++)
        collect_source(s->running.at[i]);
    for (size_t i = 0; i < s->diags.list.len; i++)
        collect_source(s->diags.list.at[i].span.src);
    for (size_t i = 0; s->own && i < s->own->texts.len; i++) /* :undo brings dropped rules back */
        collect_source(s->own->texts.at[i]);
    if (s->st.span.src && !s->st.span.src->mark)
        s->st.span = (Span){0};
    if (s->elab.drawn_in && !s->elab.drawn_in->mark)
        s->elab.drawn_in = NULL;
}

static bool is_marked(const void *node) { return ((const Node *)node)->mark; }
static void drop_tensor(void *t) { tensor_unref(t); }

static void drop_leaves(Session *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->contexts.len; i++)
        map_keep(&s->contexts.at[i]->values, is_marked, drop_tensor);
    for (size_t i = 0; i < s->leaves.len; i++)
        if (s->leaves.at[i].node->mark)
            s->leaves.at[n++] = s->leaves.at[i];
        else
            tensor_unref(s->leaves.at[i].value);
    if (n == s->leaves.len)
        return;
    s->leaves.len = n;
    session_index_leaves(s);
}

static void drop_chapters(Session *s)
{
    size_t n = 0;
    s->kept_bytes = 0;
    for (size_t i = 0; i < s->chapters.len; i++) {
        Chapter *c = s->chapters.at[i];
        if (c->mark) {
            c->mark = false;
            s->kept_bytes += c->arena.total;
            s->chapters.at[n++] = c;
        } else {
            arena_free(&c->arena);
            free(c);
        }
    }
    s->chapters.len = n;
}

size_t source_bytes(const Source *src)
{
    enum { BLOCKS = 4, BLOCK = 16 /* what an allocation takes beside its bytes */ };
    return sizeof *src + strlen(src->name) + src->len + src->nlines * sizeof *src->lines +
           BLOCKS * BLOCK;
}

static void source_free(Source *src)
{
    free(src->name);
    free(src->text);
    free(src->lines);
    free(src);
}

/* The first one is the prelude's. */
static void drop_sources(Session *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->sources.len; i++) {
        Source *src = s->sources.at[i];
        if (src->mark || i == 0) {
            src->mark = false;
            s->kept_bytes += source_bytes(src);
            s->sources.at[n++] = src;
        } else {
            source_free(src);
        }
    }
    s->sources.len = n;
}

static size_t in_use(const Session *s) { return s->st.bytes + s->kept_bytes + s->st.heap.live; }

Collected session_collect(Session *s)
{
    Collector k = {.s = s};
    size_t before = in_use(s);
    arena_free(&s->st.scratch);
    collect_begin(&k.c, &s->st);
    list_blocks(&k);
    mark_names(&k);
    mark_cache(&k);
    hand_collect(s, &k.c);
    mark_written(&k);
    collect_reach(&k.c);
    mark_texts(&k);
    drop_leaves(s);
    collect_end(&k.c);
    drop_chapters(s);
    drop_sources(s);
    in_use_trim(&s->in_use);
    vec_free(&k.blocks);
    s->base_bytes = in_use(s);
    return (Collected){.nodes = k.c.nodes,
                       .bytes = before > s->base_bytes ? before - s->base_bytes : 0,
                       .kept = s->st.nodes.len,
                       .kept_bytes = s->base_bytes};
}

/* ---- statements ---- */

enum { SLACK = 4 << 20 /* bytes below which nothing is collected */ };

static bool is_due(Session *s)
{
    if (s->gc_every)
        return ++s->gc_count % s->gc_every == 0;
    return in_use(s) > 2 * s->base_bytes + SLACK;
}

Chapter *session_begin(Session *s, const Source *src)
{
    Chapter *outer = s->chapter;
    s->chapter = xcalloc(1, sizeof *s->chapter);
    s->chapter->src = src;
    s->chapter->provenance = provenance_open(&s->st);
    provenance_running(s->chapter->provenance, true);
    s->elab.arena = &s->chapter->arena;
    return outer;
}

void session_end(Session *s, Chapter *outer)
{
    Chapter *c = s->chapter;
    provenance_running(c->provenance, false);
    if (outer)
        provenance_enter(&s->st, outer->provenance);
    if (c->kept) {
        vec_push(&s->chapters, c);
        s->kept_bytes += c->arena.total;
    } else {
        arena_free(&c->arena);
        free(c);
    }
    s->chapter = outer;
    s->elab.arena = outer ? &outer->arena : &s->arena;
    arena_free(&s->st.scratch);
    if (memory_short())
        session_recover(s);
    else if (is_due(s))
        session_collect(s);
}

ParseStatus session_parse(Session *s, Parser *p, Stmt **out, Chapter **outer)
{
    *outer = session_begin(s, p->src);
    p->arena = s->elab.arena;
    p->interrupt = s->st.interrupt;
    return parse_statement(p, out);
}

void source_open(Session *s, const Source *src) { vec_push(&s->running, src); }

void source_close(Session *s)
{
    if (--s->running.len)
        return;
    map_clear(&s->failed_anew);
    definitions_tell(s);
}

void session_keep_free(Session *s)
{
    for (size_t i = 0; i < s->chapters.len; i++) {
        arena_free(&s->chapters.at[i]->arena);
        free(s->chapters.at[i]);
    }
    for (size_t i = 0; i < s->sources.len; i++)
        source_free(s->sources.at[i]);
    vec_free(&s->chapters);
    vec_free(&s->sources);
    vec_free(&s->running);
    free(s->elab.globals->at);
    free(s->elab.globals->slots);
}
