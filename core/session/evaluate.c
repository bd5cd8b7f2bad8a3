/* Evaluating: exploring, planning and running roots with the values of the session; what was
 * planned is kept for the next time.
 *
 * Invariant: the collector leaves the nodes of an exploration in the cache alone. */
#include "session/keep.h"
#include "graph/provenance.h"
#include "session/overflow.h"
#include "session/saturated.h"
#include "base/flags.h"
#include "base/threads.h"
#include "graph/walk.h"
#include "lang/random_use.h"

typedef struct {
    Session *s;
    const TensorMap *values;
    Overwrite *over; /* NULL: nothing is changed in place */
    bool empty;      /* it met a value without an element, or the size 0 */
} LeafCtx;

static Tensor *vm_leaf(void *ctx, const Node *n)
{
    LeafCtx *c = ctx;
    Tensor *t = c->values ? map_get(c->values, n) : NULL;
    t = t ? t : session_leaf_value(c->s, n);
    c->empty = c->empty || (t && t->count == 0);
    return t;
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
    LeafCtx c = {.s = s};
    return vm_size(&c, size, out);
}

/* ---- compiling and running ---- */

enum { CACHE = 8 }; /* explorations: as many as somebody goes back and forth between */

static void compiled_free(Compiled *c)
{
    free(c->roots);
    program_free(c->program);
    exploration_free(c->exploration);
    free(c);
}

/* What the statement that runs knows of nodes; an exploration of it refers to that. */
static Provenance *statement_provenance(Session *s)
{
    return s->chapter ? s->chapter->provenance : s->st.provenance;
}

static Compiled *cache_find(Session *s, int n, Node *const *roots)
{
    for (size_t i = 0; i < s->cache.len; i++) {
        Compiled *c = s->cache.at[i];
        if (!c->outdated && !c->apart && c->n == n &&
            provenance_same(c->exploration->around, statement_provenance(s)) &&
            (!n || !memcmp(c->roots, roots, (size_t)n * sizeof *roots))) {
            provenance_serve(&s->st, c->exploration->provenance, statement_provenance(s));
            return c;
        }
    }
    return NULL;
}

static void set_recent(Session *s, Exploration *x)
{
    s->recent = x;
    if (s->saturated && s->saturated->x != x)
        s->saturated->x = NULL;
}

void session_forget(Session *s)
{
    for (size_t i = 0; i < s->cache.len; i++)
        compiled_free(s->cache.at[i]);
    s->cache.len = 0;
    session_note_last(s, NULL);
    s->listed = s->walked = s->hand_steps = NULL;
    set_recent(s, NULL);
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
    for (size_t i = 0; i < s->cache.len; i++)
        if (s->cache.at[i]->exploration == s->last)
            return s->cache.at[i]->outdated && !s->cache.at[i]->apart;
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
            diag_memory(s->st.diags, s->st.span, where);
        else
            diag_interrupted(s->st.diags, s->st.span, where);
        exploration_free(x);
        return true;
    }
    return false;
}

static void forget_one(Session *s, size_t k)
{
    compiled_free(s->cache.at[k]);
    s->cache.len--;
    memmove(s->cache.at + k, s->cache.at + k + 1, (s->cache.len - k) * sizeof *s->cache.at);
}

/* Of those that nobody wants to stay; false: there is none. */
static bool cache_drop_oldest(Session *s)
{
    for (size_t i = 0; i < s->cache.len; i++) {
        Compiled *c = s->cache.at[i];
        if (c->pins || c->exploration == s->listed || c->exploration == s->walked ||
            c->exploration == s->hand_steps || c->exploration == s->recent)
            continue;
        forget_one(s, i);
        return true;
    }
    return false;
}

/* Into the cache, where the oldest makes room for it. */
static Compiled *remember(Session *s, Exploration *x)
{
    Compiled *c = xcalloc(1, sizeof *c);
    c->n = x->nroots;
    c->roots = xmalloc(((size_t)c->n + 1) * sizeof *c->roots);
    memcpy(c->roots, x->start, (size_t)c->n * sizeof *c->roots);
    c->exploration = x;
    c->watched = overflow_risk(x).flags;
    if (s->cache.len >= CACHE)
        cache_drop_oldest(s);
    vec_push(&s->cache, c);
    session_note_last(s, x);
    return c;
}

/* NULL: it was interrupted. */
static Exploration *explored_by(Session *s, const Options *o, int n, Node *const *roots)
{
    provenance_enter(&s->st, statement_provenance(s));
    Exploration *x = explore(&s->st, s->rules, o, n, roots);
    session_count_rules(s, x);
    return was_interrupted(s, x) ? NULL : x;
}

static Compiled *explored(Session *s, const Options *o, int n, Node *const *roots)
{
    random_use_check(&s->st, &s->random_reported, n, roots);
    Exploration *x = explored_by(s, o, n, roots);
    return x ? remember(s, x) : NULL;
}

static Compiled *compiled(Session *s, int n, Node *const *roots)
{
    Compiled *c = cache_find(s, n, roots);
    if (!c)
        return explored(s, &s->options, n, roots);
    session_note_last(s, c->exploration);
    return c;
}

Exploration *session_explore_apart(Session *s, const Options *o, int n, Node *const *roots)
{
    Compiled *c = explored(s, o, n, roots);
    if (!c)
        return NULL;
    c->apart = true;
    return c->exploration;
}

void session_note_recent(Session *s, Exploration *x, const char *text)
{
    char *kept = xstrdup(text); /* which may be the old one */
    free(s->recent_text);
    set_recent(s, x);
    s->recent_text = kept;
}

bool session_is_apart(const Session *s, const Exploration *x)
{
    for (size_t i = 0; i < s->cache.len; i++)
        if (s->cache.at[i]->exploration == x)
            return s->cache.at[i]->apart;
    return false;
}

void session_adopt(Session *s, Exploration *x) { remember(s, x)->apart = true; }

void session_disown(Session *s, const Exploration *x)
{
    for (size_t i = 0; x != s->walked && i < s->cache.len; i++)
        if (s->cache.at[i]->exploration == x) {
            s->last = s->last == x ? NULL : s->last;
            s->listed = s->listed == x ? NULL : s->listed;
            set_recent(s, s->recent == x ? NULL : s->recent);
            forget_one(s, i);
        }
}

Exploration *session_explore(Session *s, int n, Node *const *roots)
{
    Compiled *c = compiled(s, n, roots);
    return c ? c->exploration : NULL;
}

void session_note_last(Session *s, Exploration *x)
{
    s->last = x;
    s->last_taken.len = 0;
    if (x)
        provenance_enter(&s->st, x->provenance);
}

Exploration *session_last(Session *s)
{
    if (s->last_taken.len) {
        s->last = NULL;
        session_explore(s, (int)s->last_taken.len, s->last_taken.at);
    }
    return s->last;
}

/* At the place where the failing operation was written; if that is not in the statement that is
 * being evaluated, a note shows the statement too. */
static void report_fault(Session *s, VmEnv *env)
{
    const Span *at = env->fault ? node_span(&s->st, env->fault) : NULL, asked = s->st.span;
    if (at && at->src == s->sources.at[0]) /* the prelude, */
        at = NULL;                         /* which is no place in a program */
    const char *code = env->code ? env->code : "check";
    diag_add(s->st.diags, code, at ? *at : asked, strcmp(code, "memory") ? NULL : memory_hint, "%s",
             text_str(&env->error));
    if (at && asked.src &&
        (at->src != asked.src || at->end <= asked.start || at->start >= asked.end))
        diag_note(s->st.diags, code, asked, "its value is needed here");
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

/* A value that only its variable and the machine refer to becomes the machine's own: of another
 * context's no, which is only read through to. */
static void lend_values(void *ctx, bool back)
{
    Session *s = ((LeafCtx *)ctx)->s;
    Overwrite *o = ((LeafCtx *)ctx)->over;
    for (int i = 0; o && i < o->n; i++) {
        const Node *n = o->leaves[i];
        Tensor *t = n->op == OP_SHARED ? map_get(&s->context->values, n) : session_leaf_value(s, n);
        if (back && o->lent[i])
            o->lent[i]->refs++;
        o->lent[i] = !back && t && t->refs == 2 ? t : NULL;
        if (o->lent[i])
            t->refs--;
    }
}

/* What was lent is no longer the variable's. */
static void forget_lent(Session *s, const Overwrite *o)
{
    for (int i = 0; i < o->n; i++)
        if (o->lent[i] && o->leaves[i]->op == OP_SHARED)
            map_remove(&s->context->values, o->leaves[i]);
        else if (o->lent[i])
            session_leaf(s, o->leaves[i])->value = NULL;
}

typedef struct {
    const TensorMap *values; /* of leaves, before the session's; may be NULL */
    u64 work_limit;
    Overwrite *over;         /* may be NULL */
    bool machine;            /* no native code */
    struct Profile *profile; /* may be NULL */
    u32 watched;             /* flags that make the run doubtful: it fails without a word then */
    u32 *raised;             /* those that were raised of them */
    bool blind;              /* nobody asks for flags */
} RunHow;

/* Not because of a value. */
static bool was_stopped(const VmEnv *env)
{
    static const char *const codes[] = {"interrupted", "memory", "work"};
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        if (env->code && !strcmp(env->code, codes[i]))
            return true;
    return false;
}

static bool run(Session *s, Program *p, const RunHow *how, Tensor **out)
{
    LeafCtx ctx = {s, how->values, how->over, false};
    VmEnv env = {.st = &s->st,
                 .heap = &s->st.heap,
                 .native = how->machine ? NULL : &s->native,
                 .profile = how->profile,
                 .leaf = vm_leaf,
                 .lend = how->over ? lend_values : NULL,
                 .size = vm_size,
                 .ctx = &ctx,
                 .interrupt = s->st.interrupt,
                 .work_limit = how->work_limit ? how->work_limit : s->work_limit,
                 .progress = s->progress ? vm_progress : NULL};
    s->st.heap.peak = s->st.heap.live;
    s->native.interrupt = s->st.interrupt;
    threads_set(s->threads);
    double start = now_seconds();
    flags_clear();
    if (how->blind)
        flags_raise_overflow(); /* who has to look for an overflow need not */
    bool ok = vm_run(p, &env, out);
    s->run_raised = flags_raised();
    if (how->watched) {
        u32 empty = ctx.empty ? FLAG_INVALID : 0; /* sums over nothing raise none */
        *how->raised = was_stopped(&env) ? 0 : (s->run_raised | empty) & how->watched;
    }
    s->run_seconds = now_seconds() - start;
    s->run_steps = env.steps;
    s->run_native = program_native(p);
    if (s->native.note.len)
        diag_note(s->st.diags, "native", s->st.span, "%s; the virtual machine runs",
                  text_str(&s->native.note));
    text_free(&s->native.note);
    if (!ok && !(how->watched && *how->raised))
        report_fault(s, &env);
    text_free(&env.error);
    return ok;
}

/* ---- without steps of class O ---- */

static Exploration *explored_without_o(Session *s, const Compiled *c)
{
    Options o = s->options;
    o.allowed &= ~(u32)HAZARD_O;
    return explored_by(s, &o, c->n, c->roots);
}

/* From now on c is the expression without steps of class O; the exploration with them can still be
 * looked at. */
static bool give_up_o(Session *s, Compiled *c)
{
    Exploration *with = c->exploration, *without = explored_without_o(s, c);
    if (!without)
        return false;
    c->pins++; /* it does not make room for the other */
    Compiled *other = remember(s, without);
    c->pins--;
    other->exploration = with;
    other->outdated = true;
    other->watched = c->watched;
    c->exploration = without;
    c->watched = 0;
    program_free(c->program);
    c->program = NULL;
    return !without->failed;
}

static void drop_results(int n, Tensor **results)
{
    for (int i = 0; i < n; i++)
        tensor_unref(results[i]);
}

/* But for rounding. */
static bool same_results(int n, Tensor *const *a, Tensor *const *b)
{
    bool same = true;
    for (int i = 0; i < n && same; i++) {
        Deviation d = {0};
        deviation_add(&d, a[i], b[i], NULL, 0);
        same = !d.made && !d.unmade && !d.overflow && !d.zero && !d.shape &&
               d.error <= rounding_bound(a[i]->dtype);
    }
    return same;
}

static void note_overflow(Session *s, const Exploration *with, u32 raised)
{
    Text told = {0};
    overflow_tell(&told, with, overflow_risk(with).step);
    diag_note(s->st.diags, "overflow", s->st.span,
              "a step of class O made a number %s: the value was computed again without %s",
              raised & FLAG_OVERFLOW    ? "overflow"
              : raised & FLAG_UNDERFLOW ? "underflow"
                                        : "nan",
              text_str(&told));
    text_free(&told);
}

static bool plan(Session *s, Compiled *c)
{
    if (!c->program)
        c->program = plan_build(&s->st, c->exploration->nroots, c->exploration->roots);
    return c->program != NULL;
}

/* A value with steps of class O counts if nothing overflowed, underflowed or became nan meanwhile:
 * else that of the expression without them does, now and from now on. */
static bool run_watched(Session *s, Compiled *c, Tensor **out)
{
    u32 raised = 0;
    RunHow how = {.watched = c->watched, .raised = &raised, .blind = !c->watched};
    bool ok = run(s, c->program, &how, out);
    if (!raised)
        return ok;
    const Exploration *with = c->exploration;
    int n = c->n;
    Tensor **doubtful = xcalloc((size_t)n + 1, sizeof *doubtful);
    if (ok)
        memcpy(doubtful, out, (size_t)n * sizeof *out);
    double seconds = s->run_seconds;
    bool again = give_up_o(s, c) && plan(s, c) && run(s, c->program, &(RunHow){.blind = true}, out);
    s->run_seconds += seconds;
    if (again && (!ok || !same_results(n, doubtful, out)))
        note_overflow(s, with, raised);
    drop_results(ok ? n : 0, doubtful);
    free(doubtful);
    return again;
}

bool session_evaluate(Session *s, int n, Node *const *roots, Tensor **out)
{
    size_t errors = s->st.diags->errors;
    Compiled *c = cache_find(s, n, roots);
    if (c && c->exploration->failed) /* it tells why once more */
        c->outdated = true;
    c = compiled(s, n, roots);
    if (c && c->exploration->failed && s->st.diags->errors > errors)
        return false;
    return c && plan(s, c) && run_watched(s, c, out);
}

/* In a `repeat` constants are evaluated, too: its next rounds pin the program that this leaves in
 * the cache, and need not elaborate the statement again. */
bool session_evaluate_stored(Session *s, int n, Node *const *roots, Tensor **out)
{
    bool constant = n && !s->repeating;
    for (int i = 0; i < n && constant; i++)
        constant = roots[i]->op == OP_CONST;
    if (!constant)
        return session_evaluate(s, n, roots, out);
    s->last_taken.len = 0;
    for (int i = 0; i < n; i++) {
        out[i] = tensor_ref(roots[i]->attrs[0].value);
        vec_push(&s->last_taken, roots[i]);
    }
    return true;
}

static bool writes_elements(const Node *n) { return n->op == OP_SET_INDEX || n->op == OP_SCATTER; }

Pinned *session_pin(Session *s, int n, Node *const *roots)
{
    Compiled *c = cache_find(s, n, roots);
    if (!c || c->exploration->failed)
        return NULL;
    /* What is watched is lent nothing, and copying an array for a few elements costs more than such
     * a step gains. */
    if (c->watched && nodes_any(c->exploration->nroots, c->exploration->roots, writes_elements) &&
        !give_up_o(s, c))
        return NULL;
    c->pins++;
    program_free(c->program);
    c->program = NULL; /* with the instruction that lends */
    return c;
}

void session_unpin(Session *s, Pinned *c)
{
    c->pins--;
    while (s->cache.len > CACHE && cache_drop_oldest(s)) {
    }
}

bool session_run_pinned(Session *s, Pinned *c, Overwrite *o, Tensor **out)
{
    session_note_last(s, c->exploration);
    if (c->watched) {
        bool ok = plan(s, c) && run_watched(s, c, out);
        if (!c->watched) { /* the next round's lends */
            program_free(c->program);
            c->program = NULL;
        }
        return ok;
    }
    if (!c->program && plan(s, c))
        program_lends(c->program);
    if (!c->program || !run(s, c->program, &(RunHow){.over = o, .blind = true}, out))
        return false;
    forget_lent(s, o);
    return true;
}

bool session_evaluate_raw(Session *s, int n, Node *const *roots, const TensorMap *values,
                          Tensor **out)
{
    Program *p = plan_build_with(&s->st, n, roots, s->plan_flags);
    if (!p)
        return false;
    bool ok = run(s, p, &(RunHow){.values = values}, out);
    program_free(p);
    return ok;
}

bool session_run_program(Session *s, Program *p, const TensorMap *values, u64 work_limit,
                         Tensor **out)
{
    return run(s, p, &(RunHow){.values = values, .work_limit = work_limit}, out);
}

bool session_run_measured(Session *s, Program *p, struct Profile *profile, Tensor **out)
{
    return run(s, p, &(RunHow){.machine = true, .profile = profile}, out);
}
