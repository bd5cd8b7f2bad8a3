/* How the passes go through a graph; the pipeline itself is a table in core/registry.c. */
#include "passes/passes.h"
#include "rewrite/exploration.h"

bool pass_saturate(Engine *e, const Phase *phases) { return engine_phase(e, phases, PASS_SWEEPS); }

/* What sums of the same terms have in common may show only once they are one, what a read leaves
 * only once it is next to what it reads. */
static bool straighten(Engine *e, const Phase *phase)
{
    bool changed = engine_phase(e, phase, PASS_SWEEPS), more = true;
    while (more && e->stop == STOP_SATURATED) {
        more = order_share(e);
        more = index_lift(e) || more;
        if (more)
            engine_phase(e, phase, PASS_SWEEPS);
        changed = changed || more;
    }
    return changed;
}

/* Is there a loop, or a graph that may hold one? */
static bool owns_graphs(Engine *e) { return engine_reached(e)->bodies; }

/* What only a branch needs goes there first, so that the rules see it there. Last, when equal
 * bodies look alike, what loops keep: derivatives are still to come, and take over what is kept. */
bool pass_canonicalize(Engine *e, const Phase *phases)
{
    bool changed = branches_sink(e);
    changed = straighten(e, &phases[0]) || changed;
    if (!owns_graphs(e) || e->stop != STOP_SATURATED)
        return changed;
    return engine_phase(e, &phases[1], PASS_SWEEPS) || changed;
}

/* Is the pass among those that the session runs? */
static bool session_runs(const Engine *e, const char *pass)
{
    const PassUse *use = pipeline_find(&e->options->pipeline, pass);
    return use && !use->off;
}

/* What a stable form leaves may be half of another one only once it is straight: -log(exp(x)[1]).
 */
bool pass_stabilize(Engine *e, const Phase *phases)
{
    bool changed = false, straight = !session_runs(e, "canonicalize");
    while (e->stop == STOP_SATURATED && engine_phase(e, &phases[0], PASS_SWEEPS)) {
        changed = true;
        if (straight || e->stop != STOP_SATURATED || !engine_phase(e, &phases[1], PASS_SWEEPS))
            break;
    }
    return changed;
}

/* Expands what is innermost, then straightens what that brought in, until none is left. Lanes come
 * before the derivatives around them: those are of the stable forms that only then are seen. */
bool pass_differentiate(Engine *e, const Phase *phases)
{
    bool changed = branches_sink(e), more = true;
    for (int round = 0; round < PASS_ROUNDS && more && e->stop == STOP_SATURATED; round++) {
        more = false;
        for (int k = 0; k < 2; k++)
            if (engine_phase(e, &phases[k], 1)) {
                more = changed = true;
                engine_phase(e, &phases[2], PASS_SWEEPS);
            }
    }
    return branches_sink(e) || changed;
}

/* What becomes of a loop may be a sum of products: those are simplified once more, and composites
 * that this makes are opened. */
bool pass_loops(Engine *e, const Phase *phases)
{
    bool sunk = branches_sink(e), changed = engine_phase(e, phases, PASS_SWEEPS);
    if (e->stop == STOP_SATURATED && index_lift(e)) {
        engine_phase(e, phases, PASS_SWEEPS);
        changed = true;
    }
    bool simpler = changed && e->stop == STOP_SATURATED && session_runs(e, "simplify") &&
                   pass_simplify(e, phases);
    if (simpler && e->stop == STOP_SATURATED && session_runs(e, "expand"))
        engine_phase(e, &phases[1], PASS_SWEEPS);
    return changed || sunk;
}

/* What a cheaper operator leaves may be half of a form that earlier passes know: log(exp(x) *
 * exp(y)) is log(exp(x + y)) only here. */
bool pass_specialize(Engine *e, const Phase *phases)
{
    bool changed = engine_phase(e, &phases[0], PASS_SWEEPS);
    for (int round = 0; changed && round < SPECIAL_ROUNDS && e->stop == STOP_SATURATED; round++)
        if (!engine_phase(e, &phases[1], PASS_SWEEPS) || !engine_phase(e, &phases[0], PASS_SWEEPS))
            break;
    changed = (e->stop == STOP_SATURATED && order_share(e)) || changed;
    return (e->stop == STOP_SATURATED && products_add(e)) || changed;
}

/* First the order of sums is fixed, so that lowering itself changes no bits. */
bool pass_lower(Engine *e, const Phase *phases)
{
    if (!owns_graphs(e))
        return false;
    bool changed = order_fix(e);
    return (e->stop == STOP_SATURATED && engine_phase(e, phases, PASS_SWEEPS)) || changed;
}

bool derivatives_expand(Store *st, const RuleSet *rs, const Options *options, int nroots,
                        Node **roots)
{
    static const Phase expand = {.groups = "inline lanes differentiate"};
    Engine e;
    engine_open(&e, st, rs, options, "differentiate", nroots, roots);
    for (int round = 0; round < PASS_ROUNDS && engine_phase(&e, &expand, 1); round++)
        ;
    engine_close(&e);
    return !e.failed && e.stop == STOP_SATURATED;
}
