/* Rounds of changes; see undo.h.
 *
 * Invariant: an old definition that a round needs is in the session's list (`kept` counts who needs
 * it), and the collector reaches its value; the old tensors are references. */
#include "session/undo.h"

#include "session/by_hand.h"
#include "session/definitions.h"
#include "session/keep.h"

/* Statements that can be taken back, and what they may keep for that. */
enum { MOST_ROUNDS = 100 };
static const size_t most_bytes = (size_t)64 << 20; /* of old tensors */

typedef struct {
    Symbol name;      /* given anew; NULL: a store */
    Value *old;       /* NULL: nothing bore the name */
    Definition *was;  /* its definition; NULL: none */
    const Node *leaf; /* stored to */
    Context *context; /* NULL: an input */
    Tensor *tensor;   /* NULL: it had no value */
    bool hand;        /* neither: the derivation by hand */
    HandMark mark;    /* where that stood */
    void *settings;   /* a snapshot; NULL: they did not change */
} Renewal;

typedef struct {
    VEC(Renewal) changes;
} Round;

struct Undo {
    VEC(Round) rounds;
    Round open;
    SymbolSet noted; /* the names that are in it */
    bool running;
    UndoSettings settings;
    void *before; /* of the settings, when the statement began; NULL: none runs */
};

static void change_free(Session *s, Renewal *c)
{
    tensor_unref(c->tensor);
    if (c->was)
        definitions_unkeep(s, c->was);
    if (c->hand)
        hand_unmark(s, &c->mark);
    if (c->settings)
        s->undo->settings.drop(c->settings);
}

/* Looks at the settings anew: what was before is not to be compared with any more. */
static void look(struct Undo *u, bool again)
{
    if (u->before)
        u->settings.drop(u->before);
    u->before = again && u->settings.take ? u->settings.take(u->settings.ctx) : NULL;
}

static void round_free(Session *s, Round *r)
{
    for (size_t i = 0; i < r->changes.len; i++)
        change_free(s, &r->changes.at[i]);
    vec_free(&r->changes);
}

void undo_forget(Session *s)
{
    struct Undo *u = s->undo;
    if (!u)
        return;
    for (size_t i = 0; i < u->rounds.len; i++)
        round_free(s, &u->rounds.at[i]);
    round_free(s, &u->open);
    look(u, false);
    vec_free(&u->rounds);
    map_free(&u->noted);
    free(u);
    s->undo = NULL;
}

void undo_watch(Session *s, UndoSettings settings)
{
    if (!s->undo)
        s->undo = xcalloc(1, sizeof *s->undo);
    s->undo->settings = settings;
}

void undo_begin(Session *s)
{
    if (!s->undo)
        s->undo = xcalloc(1, sizeof *s->undo);
    s->undo->running = true;
    look(s->undo, true);
}

/* The settings first: they are taken back last, and what they are compared with goes along. */
static void note_settings(struct Undo *u)
{
    if (!u->before || !u->settings.differs(u->settings.ctx, u->before))
        return;
    vec_push(&u->open.changes, ((Renewal){.settings = u->before}));
    u->before = NULL;
}

static size_t bytes_of(const struct Undo *u)
{
    size_t sum = 0;
    for (size_t i = 0; i < u->rounds.len; i++)
        for (size_t k = 0; k < u->rounds.at[i].changes.len; k++) {
            const Tensor *t = u->rounds.at[i].changes.at[k].tensor;
            sum += t ? (size_t)t->count * dtype_size(t->dtype) : 0;
        }
    return sum;
}

void undo_end(Session *s)
{
    struct Undo *u = s->undo;
    if (!u)
        return;
    u->running = false;
    note_settings(u);
    look(u, false);
    map_clear(&u->noted);
    if (!u->open.changes.len)
        return;
    vec_push(&u->rounds, u->open);
    u->open = (Round){.changes = {0}};
    while (u->rounds.len > MOST_ROUNDS || (u->rounds.len > 1 && bytes_of(u) > most_bytes)) {
        round_free(s, &u->rounds.at[0]);
        u->rounds.len--;
        memmove(u->rounds.at, u->rounds.at + 1, u->rounds.len * sizeof *u->rounds.at);
    }
}

void undo_note_name(Session *s, Symbol name, Value *old)
{
    struct Undo *u = s->undo;
    if (!u || !u->running)
        return;
    if (map_has(&u->noted, name))
        return;
    Definition *was = map_get(&s->defined, name);
    if (was && was->last_value)
        return;
    if (was)
        definitions_keep(was);
    set_add(&u->noted, name);
    vec_push(&u->open.changes, ((Renewal){.name = name, .old = old, .was = was}));
}

bool undo_has_store(const Session *s, const Node *leaf, const Context *context)
{
    const struct Undo *u = s->undo;
    if (!u || !u->running)
        return true;
    for (size_t i = 0; i < u->open.changes.len; i++)
        if (u->open.changes.at[i].leaf == leaf && u->open.changes.at[i].context == context)
            return true;
    return false;
}

void undo_note_store(Session *s, const Node *leaf, Context *context, Tensor *old)
{
    struct Undo *u = s->undo;
    if (undo_has_store(s, leaf, context))
        return;
    vec_push(&u->open.changes,
             ((Renewal){.leaf = leaf, .context = context, .tensor = old ? tensor_ref(old) : NULL}));
}

void undo_note_hand(Session *s)
{
    struct Undo *u = s->undo;
    if (u && u->running)
        vec_push(&u->open.changes, ((Renewal){.hand = true, .mark = hand_mark(s)}));
}

/* A part p.W of a tuple is told as p. */
static Symbol name_of_whole(Session *s, Symbol name)
{
    Text whole = {0};
    text_putn(&whole, name, strcspn(name, "."));
    Symbol found = symbol(&s->st, text_str(&whole));
    text_free(&whole);
    return found;
}

static Symbol take_back(Session *s, Renewal *c)
{
    if (c->name) {
        env_restore(s->elab.globals, c->name, session_held(s, c->name, c->old));
        definitions_restore(s, c->name, c->was);
        return c->name;
    }
    Leaf *leaf = session_leaf(s, c->leaf);
    if (!leaf)
        return NULL;
    Tensor *now = leaf->value;
    if (c->context) {
        now = map_get(&c->context->values, c->leaf);
        if (c->tensor)
            map_put(&c->context->values, c->leaf, c->tensor);
        else
            map_remove(&c->context->values, c->leaf);
    } else {
        leaf->value = c->tensor;
    }
    tensor_unref(now);
    c->tensor = NULL; /* given away */
    return name_of_whole(s, leaf->name);
}

bool session_undo(Session *s, Undone *out)
{
    SymbolVec *names = &out->names;
    struct Undo *u = s->undo;
    if (!u || !u->rounds.len)
        return false;
    Round last = u->rounds.at[--u->rounds.len];
    for (size_t i = last.changes.len; i-- > 0;) {
        if (last.changes.at[i].hand) {
            hand_restore(s, &last.changes.at[i].mark);
            out->hand = true;
            continue;
        }
        if (last.changes.at[i].settings) {
            u->settings.restore(u->settings.ctx, last.changes.at[i].settings, &out->settings);
            look(u, u->running);
            continue;
        }
        Symbol name = take_back(s, &last.changes.at[i]);
        bool told = !name;
        for (size_t k = 0; k < names->len && !told; k++)
            told = names->at[k] == name;
        if (!told)
            vec_push(names, name);
    }
    round_free(s, &last);
    return true;
}

void session_undo_open(Session *s)
{
    Undone out = {.hand = false};
    struct Undo *u = s->undo;
    size_t rounds = u ? u->rounds.len : 0;
    if (!u || !u->running)
        return;
    note_settings(u);
    vec_push(&u->rounds, u->open);
    u->open = (Round){.changes = {0}};
    map_clear(&u->noted);
    session_undo(s, &out);
    if (u->rounds.len != rounds)
        die("taking back a statement left %zu rounds of %zu", u->rounds.len, rounds);
    look(u, true);
    vec_free(&out.names);
    text_free(&out.settings);
}

/* ---- for the collector ---- */

static void visit(const UndoVisit *v, const Renewal *c)
{
    if (c->old)
        v->value(v->ctx, c->old);
    if (c->leaf)
        v->node(v->ctx, (Node *)(uintptr_t)c->leaf);
    if (c->name)
        v->name(v->ctx, c->name);
}

void undo_visit(Session *s, const UndoVisit *v)
{
    struct Undo *u = s->undo;
    for (size_t i = 0; u && i <= u->rounds.len; i++) {
        const Round *r = i < u->rounds.len ? &u->rounds.at[i] : &u->open;
        for (size_t k = 0; k < r->changes.len; k++)
            visit(v, &r->changes.at[k]);
    }
}
