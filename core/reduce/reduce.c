/* The order in which a program is made smaller.  See reduce.h. */
#include "reduce/parts.h"

#include "graph/op.h"
#include "rewrite/exploration.h"

static u64 weight(const Reduction *r) { return reduce_weight((int)r->roots.len, r->roots.at); }

/* Until no part of it goes. */
static void shrink_graph(Reduction *r)
{
    static void (*const ways[])(Reduction *) = {
        shrink_results, shrink_owners, shrink_cut,   shrink_results,
        shrink_owners,  shrink_scans,  shrink_hoist, shrink_bodies,
    };
    for (u64 before = 0; before != weight(r) && !shrink_stops(r);) {
        before = weight(r);
        for (size_t i = 0; i < COUNT_OF(ways); i++)
            ways[i](r);
    }
}

/* ---- with derivatives written out ---- */

static bool is_implicit(const Node *n)
{
    return op_table[n->op].cls == CLASS_IMPLICIT || n->op == OP_CALL;
}

static Options expanding(const Options *of)
{
    Options o = *of;
    pipeline_clear(&o.pipeline);
    pipeline_add(&o.pipeline, pass_named("inline"));
    pipeline_add(&o.pipeline, pass_named("differentiate"));
    o.unrecorded = true;
    return o;
}

/* The program without functions and derivatives; false: the condition does not hold for that. */
static bool expand(Reduction *of, Reduction *r)
{
    Options o = expanding(of->eval.options);
    Candidate c = {0};
    DiagTry trial;
    diag_try_begin(&trial, &of->st->diags);
    Exploration *x = explore(of->st, of->eval.rules, &o, (int)of->roots.len, of->roots.at);
    for (int i = 0; i < x->nroots && !x->failed; i++)
        vec_push(&c.roots, x->roots[i]);
    exploration_free(x);
    diag_try_end(&trial);
    *r = *of;
    r->roots = (NodeVec){0};
    r->values = (TensorMap){0};
    r->failed.table = (HashTable){0};
    r->apart = true;
    for (size_t i = 0; i < of->values.len; i++) {
        Tensor *t = tensor_ref(map_val(&of->values, i));
        map_put(&r->values, map_key(&of->values, i), t);
    }
    if (c.roots.len)
        return candidate_holds(r, &c);
    candidate_free(&c);
    return false;
}

static void release(Reduction *r)
{
    for (size_t i = 0; i < r->values.len; i++)
        tensor_unref(map_val(&r->values, i));
    map_free(&r->values);
    vec_free(&r->roots);
    map_free(&r->failed);
}

/* What a derivative is expanded to may hold the whole reason, and can be cut to pieces. */
static bool shrink_expanded(Reduction *r)
{
    Reduction other;
    if (r->apart || !nodes_any((int)r->roots.len, r->roots.at, is_implicit))
        return false;
    bool holds = expand(r, &other);
    if (holds)
        shrink_graph(&other);
    r->tries = other.tries;
    bool better = holds && weight(&other) < weight(r);
    if (better) {
        release(r);
        r->roots = other.roots;
        r->values = other.values;
        r->failed = other.failed;
    } else {
        release(&other);
    }
    return better;
}

void reduce(Reduction *r)
{
    shrink_values(r);
    shrink_sizes(r);
    for (u64 before = 0; before != weight(r) && !shrink_stops(r);) {
        before = weight(r);
        shrink_graph(r);
        shrink_expanded(r);
        shrink_sizes(r);
    }
    shrink_values(r);
    shrink_digits(r);
}

void reduction_free(Reduction *r)
{
    release(r);
    map_free(&r->taken);
}
