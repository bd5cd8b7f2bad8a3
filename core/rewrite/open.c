/* Opening a step; see open.h. */
#include "graph/provenance.h"
#include "rewrite/open.h"

#include "graph/names.h"

static const Rule *part_rule(const Opening *o, const char *name, const char *reason)
{
    Arena *arena = &o->log->arena;
    Rule *r = arena_alloc(arena, sizeof *r);
    *r = (Rule){.name = arena_strndup(arena, name, strlen(name)),
                .pass = o->pass,
                .classes = o->classes,
                .reason = arena_strndup(arena, reason, strlen(reason)),
                .root = OP_COUNT,
                .source = "a part of a step"};
    return r;
}

static bool fits(const Opening *o, int i, const Node *to)
{
    return !to || type_compatible(o->st, to->type, o->start[i]->type);
}

/* What a replay makes of the roots: those that stand over a change are built again. */
static bool apply(Opening *o, const Step *s)
{
    NodeMap memo = {0};
    Node **now = xmalloc(((size_t)o->n + 1) * sizeof *now);
    bool ok = true;
    for (int i = 0; i < s->nchanges; i++)
        map_put(&memo, s->changes[i].before, s->changes[i].after);
    for (int i = 0; i < o->n && ok; i++)
        ok = (now[i] = node_substitute(o->st, o->now[i], &memo)) != NULL;
    if (ok)
        memcpy(o->now, now, (size_t)o->n * sizeof *now);
    free(now);
    map_free(&memo);
    return ok;
}

Step *open_part(Opening *o, const char *name, const char *reason, Node *const *to)
{
    Step s = {.seq = (u32)o->log->at.len + 1,
              .time = provenance_tick(o->st),
              .pass = o->pass,
              .extra = o->extra};
    s.changes = arena_alloc(&o->log->arena, ((size_t)o->n + 1) * sizeof *s.changes);
    for (int i = 0; i < o->n; i++) {
        if (!fits(o, i, to[i]))
            return NULL;
        bool there = false; /* two of them may have become one */
        for (int k = 0; k < s.nchanges; k++)
            there = there || s.changes[k].before == o->now[i];
        if (!to[i] || to[i] == o->now[i] || there)
            continue;
        node_carry_name(o->st, o->now[i], to[i]);
        s.changes[s.nchanges++] = (Change){o->now[i], to[i]};
    }
    if (!s.nchanges || !apply(o, &s))
        return NULL;
    s.rule = part_rule(o, name, reason);
    vec_push(&o->log->at, s);
    return &o->log->at.at[o->log->at.len - 1];
}

bool open_last(Opening *o, const char *name, const char *reason)
{
    Node **to = xmalloc(((size_t)o->n + 1) * sizeof *to);
    for (int i = 0; i < o->n; i++)
        to[i] = o->step->changes[i].after;
    open_part(o, name, reason, to);
    free(to);
    return o->log->at.len > 0;
}

static const Opener *opener(const Step *s) { return s->rule ? s->rule->opener : NULL; }

bool step_opens(const Step *s) { return opener(s) && s->nchanges && opener(s)->opens(s); }

bool step_open(Store *st, const Step *s, Opened *out)
{
    *out = (Opened){.n = s->nchanges};
    if (!step_opens(s))
        return false;
    DiagTry trial;
    diag_try_begin(&trial, &st->diags);
    Opening o = {.st = st,
                 .step = s,
                 .pass = s->pass,
                 .classes = s->rule->classes,
                 .extra = s->extra,
                 .n = out->n,
                 .log = &out->log,
                 .inner = &out->inner};
    size_t room = ((size_t)out->n + 1) * sizeof(Node *);
    out->start = o.start = arena_alloc(&out->log.arena, room);
    o.now = xmalloc(room);
    for (int i = 0; i < out->n; i++)
        o.start[i] = o.now[i] = s->changes[i].before;
    bool ok = opener(s)->open(&o);
    free(o.now);
    diag_try_end(&trial);
    return ok;
}

void opened_free(Opened *o)
{
    steplog_free(&o->log);
    loglist_free(&o->inner);
}
