/* Taps of a scan, read off the indices in its body before the body is elaborated, and its names. */
#include "lang/elab_scan.h"

Slot *slot_given(ScanBody *b, const char *name, i64 offset)
{
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        if (s->given && s->shift == offset && !strcmp(s->name, name))
            return s;
    }
    return NULL;
}

Slot *slot_find(ScanBody *b, const char *name)
{
    for (size_t i = 0; i < b->slots.len; i++)
        if (!strcmp(b->slots.at[i].name, name))
            return &b->slots.at[i];
    return NULL;
}

/* ---- taps ---- */

/* t, t-3, t+1: true and the offset. */
bool tap_offset(const Expr *x, const char *index, i64 *offset)
{
    if (x->kind == E_NAME && !strcmp(x->text, index)) {
        *offset = 0;
        return true;
    }
    if (x->kind != E_BINARY || (x->op != AST_ADD && x->op != AST_SUB) ||
        x->items[0]->kind != E_NAME || strcmp(x->items[0]->text, index) ||
        x->items[1]->kind != E_INT)
        return false;
    long long k = strtoll(x->items[1]->text, NULL, 10);
    *offset = x->op == AST_ADD ? k : -k;
    return true;
}

static bool slot_add_tap(ScanBody *b, Slot *s, i64 offset, Span span)
{
    if (offset > MAX_REACH || offset < -MAX_REACH)
        return elab_error(b->e, span, "tap", NULL, "taps reach at most %d steps", MAX_REACH), false;
    bool sequence = s->form && b->slots.at[s->first].sequence;
    if ((s->state || (s->form && !sequence)) && offset == 0) {
        s->read_now = true;
        return true;
    }
    if (offset > 0)
        s->ahead_at = span;
    for (size_t i = 0; i < s->offsets.len; i++)
        if (s->offsets.at[i] == offset)
            return true;
    vec_push(&s->offsets, offset);
    return true;
}

static bool tap_walk_index(ScanBody *b, const Expr *x)
{
    Slot *s = x->items[0]->kind == E_NAME ? slot_find(b, x->items[0]->text) : NULL;
    i64 offset;
    if (s && x->nsubs && x->subs[0].kind == SUB_INDEX && !x->subs[0].name &&
        tap_offset(x->subs[0].index, b->index, &offset)) {
        s = s->given ? slot_given(b, s->name, offset) : s;
        return !s || slot_add_tap(b, s, offset - s->shift, x->span);
    }
    return true;
}

static bool tap_walk_stmts(ScanBody *b, int n, Stmt *const *stmts)
{
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        if (stmts[i]->value)
            ok = tap_walk(b, stmts[i]->value);
        for (int k = 0; k < stmts[i]->nvalues && ok; k++)
            ok = tap_walk(b, stmts[i]->values[k]);
    }
    return ok;
}

static bool tap_walk_scan(ScanBody *b, const ScanExpr *s)
{
    bool ok = true;
    if (!strcmp(s->index, b->index))
        return elab_error(b->e, s->index_span, "tap", "choose another name for the inner index",
                          "an inner scan may not reuse the index name %s of the outer one",
                          s->index),
               false;
    for (int i = 0; i < s->nover && ok; i++)
        ok = !s->over[i].init || tap_walk(b, s->over[i].init);
    for (int i = 0; i < s->nfrom && ok; i++)
        ok = !s->from[i].init || tap_walk(b, s->from[i].init);
    if (ok && s->count)
        ok = tap_walk(b, s->count);
    for (int i = 0; i < s->nitems && ok; i++)
        ok = tap_walk_item(b, &s->items[i]);
    return ok;
}

bool tap_walk_item(ScanBody *b, const ScanItem *it)
{
    bool ok = tap_walk(b, it->value);
    for (int i = 0; it->function && i < it->function->nparams && ok; i++)
        ok = tap_walk(b, it->function->params[i].init);
    return ok;
}

bool tap_walk(ScanBody *b, const Expr *x)
{
    if (!x)
        return true;
    bool ok = true;
    if (x->kind == E_INDEX)
        ok = tap_walk_index(b, x);
    if (x->kind == E_SCAN)
        return ok && tap_walk_scan(b, x->scan);
    for (int i = 0; i < x->nitems && ok; i++)
        ok = tap_walk(b, x->items[i]);
    for (int i = 0; i < x->nargs && ok; i++)
        ok = tap_walk(b, x->args[i].value);
    for (int i = 0; i < x->nsubs && ok; i++) {
        const Sub *s = &x->subs[i];
        ok = tap_walk(b, s->index) && tap_walk(b, s->start) && tap_walk(b, s->stop) &&
             tap_walk(b, s->step);
    }
    return ok && tap_walk_stmts(b, x->nstmts, x->stmts);
}

i64 slot_min(const Slot *s)
{
    i64 m = 0;
    for (size_t i = 0; i < s->offsets.len; i++)
        m = s->offsets.at[i] < m ? s->offsets.at[i] : m;
    return m;
}

i64 slot_max(const Slot *s)
{
    i64 m = 0;
    for (size_t i = 0; i < s->offsets.len; i++)
        m = s->offsets.at[i] > m ? s->offsets.at[i] : m;
    return m;
}

bool find_direction(ScanBody *b)
{
    const Slot *back = NULL, *ahead = NULL;
    for (size_t i = 0; i < b->slots.len; i++) {
        Slot *s = &b->slots.at[i];
        if (!s->state)
            continue;
        if (slot_min(s) < 0)
            back = s;
        if (slot_max(s) > 0)
            ahead = s;
        i64 reach = slot_max(s) > 0 ? slot_max(s) : -slot_min(s);
        s->reach = reach > 1 ? (int)reach : 1;
    }
    b->reverse = ahead != NULL || b->x->reverse;
    if (b->x->reverse && back)
        return elab_error(b->e, back->span, "tap", NULL,
                          "%s reads the past, but this scan runs backwards", back->name),
               false;
    if (back && ahead)
        return elab_error(b->e, ahead->ahead_at, "tap",
                          "split it into one scan that runs forward and one backward",
                          "%s reads the past and %s reads ahead: a scan runs in one direction",
                          back->name, ahead->name),
               false;
    return true;
}

/* ---- names ---- */

static bool is_sequence_name(const ScanExpr *x, const char *name)
{
    for (int i = 0; i < x->nover; i++)
        if (!strcmp(x->over[i].name, name))
            return true;
    return false;
}

/* What `using` lists exists: outside, or as a sequence whose whole is meant. */
static bool check_using(ScanBody *b)
{
    Elab *e = b->e;
    for (int i = 0; i < b->x->nusing; i++) {
        const Bind *u = &b->x->using_names[i];
        Symbol name = symbol(e->st, u->name);
        const Env *env = e->env;
        while (env && !env_own(env, name))
            env = env->parent;
        if (!env && !is_sequence_name(b->x, name))
            return elab_error(e, u->span, "unknown-name", NULL, "`%s` is not defined", name), false;
    }
    return true;
}

/* Nothing else in the scan may bear the name of its index. */
static bool check_index(ScanBody *b)
{
    const ScanExpr *x = b->x;
    Span at = {0};
    for (int i = 0; i < x->nover; i++)
        at = strcmp(x->over[i].name, x->index) ? at : x->over[i].span;
    for (int i = 0; i < x->nfrom; i++)
        at = strcmp(x->from[i].name, x->index) ? at : x->from[i].span;
    for (int i = 0; i < x->nitems; i++)
        for (int k = 0; k < x->items[i].ntargets; k++)
            at = strcmp(x->items[i].targets[k].name, x->index) ? at : x->items[i].targets[k].span;
    return !at.src || (elab_error(b->e, at, "duplicate-name", "choose another name",
                                  "%s is the index of this scan", x->index),
                       false);
}

bool check_scan_names(ScanBody *b) { return check_index(b) && check_using(b); }
