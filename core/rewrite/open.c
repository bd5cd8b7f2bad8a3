/* Opening a step: the child steps of one that expands a derivative, a rule each.
 *
 * Invariant: the child log replays by substitution from what the step replaced to what it put
 * there; a state between is a graph like any other. Nothing of this is recorded: it is made again
 * when asked for. */
#include "grad/derivation.h"
#include "rewrite/steps.h"

static const Rule *rule_of(Arena *arena, const DerivationState *s)
{
    Rule *r = arena_alloc(arena, sizeof *r);
    char name[64];
    snprintf(name, sizeof name, "d %.60s", s->op);
    *r = (Rule){.name = arena_strndup(arena, name, strlen(name)),
                .pass = "differentiate",
                .classes = HAZARD_E,
                .reason = arena_strndup(arena, s->rule, strlen(s->rule)),
                .root = OP_PROJ,
                .source = "one rule of a derivative"};
    return r;
}

/* The steps of a derivation as they change the results at `places`, which are `now`. */
static bool fill_log(Store *st, const Derivation *d, int n, const i64 *places, Node **now,
                     StepLog *log, LogList *inner)
{
    for (size_t k = 0; k < d->states.len; k++) {
        const DerivationState *state = &d->states.at[k];
        Step s = {.seq = (u32)log->at.len + 1,
                  .pass = "differentiate",
                  .rule = rule_of(&log->arena, state),
                  .changes = arena_alloc(&log->arena, ((size_t)n + 1) * sizeof *s.changes)};
        for (int i = 0; i < n; i++) {
            Node *after = state->results[places[i]];
            if (now[i] != after)
                s.changes[s.nchanges++] = (Change){now[i], after};
            now[i] = after;
        }
        if (!s.nchanges)
            continue;
        if (state->body) {
            s.inner = xcalloc(1, sizeof *s.inner);
            s.inner_before = s.inner_after = state->body;
            vec_push(inner, s.inner);
            if (!derivation_steps(st, state->inside, s.inner, inner))
                return false;
        }
        vec_push(&log->at, s);
    }
    return true;
}

bool derivation_steps(Store *st, Node *n, StepLog *log, LogList *inner)
{
    Derivation d;
    int count = n->type->nitems;
    i64 *places = xcalloc((size_t)count + 1, sizeof *places);
    Node **now = xcalloc((size_t)count + 1, sizeof *now);
    for (int i = 0; i < count; i++) {
        places[i] = i;
        now[i] = node_proj(st, n, i);
    }
    bool ok = derivation_open(st, n, &d) && fill_log(st, &d, count, places, now, log, inner);
    derivation_free(&d);
    free(places);
    free(now);
    return ok;
}

bool step_opens(const Step *s)
{
    return s->rule && s->nchanges && !strcmp(s->rule->name, "expand-derivative") &&
           s->changes[0].before->op == OP_PROJ &&
           op_table[s->changes[0].before->ops[0]->op].cls == CLASS_IMPLICIT;
}

bool step_open(Store *st, const Step *s, Opened *out)
{
    *out = (Opened){.n = s->nchanges};
    if (!step_opens(s))
        return false;
    Diags scratch = {0}, *saved = st->diags;
    st->diags = &scratch;
    Derivation d;
    i64 *places = xcalloc((size_t)out->n + 1, sizeof *places);
    Node **now = xcalloc((size_t)out->n + 1, sizeof *now);
    out->start = arena_alloc(&out->log.arena, (size_t)out->n * sizeof *out->start);
    for (int i = 0; i < out->n; i++) {
        out->start[i] = now[i] = s->changes[i].before;
        places[i] = now[i]->attrs[0].i;
    }
    bool ok = derivation_open(st, s->changes[0].before->ops[0], &d) &&
              fill_log(st, &d, out->n, places, now, &out->log, &out->inner);
    derivation_free(&d);
    free(places);
    free(now);
    st->diags = saved;
    diags_free(&scratch);
    return ok;
}

void opened_free(Opened *o)
{
    steplog_free(&o->log);
    loglist_free(&o->inner);
}
