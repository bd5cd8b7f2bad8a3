/* The child steps of one that expands a derivative: an operator's rule each (grad/derivation.h).
 *
 * Invariant: a child on a loop whose body has a derivative of its own has that one's steps inside.
 */
#include "passes/openers.h"

#include "grad/derivation.h"

static bool implicit_steps(Store *st, Node *n, const Opening *around, StepLog *log);

/* A step is named after the operator whose derivative it applies: "d tanh". */
static const char prefix[] = "d ";

bool is_derivative_step(const char *name)
{
    size_t n = strlen(prefix);
    return !strncmp(name, prefix, n) &&
           (op_by_name(name + n) != OP_COUNT || !strcmp(name + n, DERIVATION_SEED) ||
            !strcmp(name + n, DERIVATION_END));
}

/* The steps of a derivation as they change the results at `places`. */
static bool put_states(Opening *o, const Derivation *d, const i64 *places)
{
    bool ok = true;
    Node **to = xmalloc(((size_t)o->n + 1) * sizeof *to);
    for (size_t k = 0; k < d->states.len && ok; k++) {
        const DerivationState *state = &d->states.at[k];
        char name[64];
        snprintf(name, sizeof name, "%s%.60s", prefix, state->op);
        for (int i = 0; i < o->n; i++)
            to[i] = state->results[places[i]];
        Step *s = open_part(o, name, state->rule, to);
        if (s) /* on the way contributions are added up in another order */
            s->extra |= HAZARD_R;
        if (!s || !state->body)
            continue;
        StepLog *inside = s->inner = xcalloc(1, sizeof *inside);
        s->inner_before = s->inner_after = state->body;
        vec_push(o->inner, inside);
        ok = implicit_steps(o->st, state->inside, o, inside);
    }
    free(to);
    return ok;
}

/* The child steps of an implicit node itself, all results of it. */
static bool implicit_steps(Store *st, Node *n, const Opening *around, StepLog *log)
{
    Derivation d;
    Opening o = *around;
    o.log = log;
    o.n = n->type->nitems;
    size_t room = (size_t)o.n + 1;
    i64 *places = xcalloc(room, sizeof *places);
    o.start = xcalloc(2 * room, sizeof *o.start);
    o.now = o.start + room;
    for (int i = 0; i < o.n; i++) {
        places[i] = i;
        o.start[i] = o.now[i] = node_proj(st, n, i);
    }
    bool ok = derivation_open(st, n, NULL, &d) && put_states(&o, &d, places);
    derivation_free(&d);
    free(places);
    free(o.start);
    return ok;
}

static bool derivative_opens(const Step *s)
{
    const Node *n = s->changes[0].before;
    return n->op == OP_PROJ && op_table[n->ops[0]->op].cls == CLASS_IMPLICIT;
}

static bool derivative_open(Opening *o)
{
    Derivation d;
    Node *n = o->start[0]->ops[0];
    i64 *places = xcalloc((size_t)o->n + 1, sizeof *places);
    bool *wanted = xcalloc((size_t)n->type->nitems + 1, sizeof *wanted);
    for (int i = 0; i < o->n; i++) {
        places[i] = o->start[i]->attrs[0].i;
        wanted[places[i]] = true;
    }
    bool ok = derivation_open(o->st, n, wanted, &d) && put_states(o, &d, places);
    derivation_free(&d);
    free(wanted);
    free(places);
    return ok;
}

const Opener open_derivative = {derivative_opens, derivative_open};
