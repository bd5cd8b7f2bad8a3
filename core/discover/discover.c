/* Discovering rules: see discover.h. */
#include "discover/discovering.h"

#include "graph/walk.h"

enum { MOST_TERMS = 20000 }; /* beyond, nobody waits for the end */

/* ---- which pairs ---- */

/* What is special follows from what is general, so that comes first. */
static u32 generality(Node *root)
{
    enum { CONSTANTS = 8 };
    NodeVec all = {0};
    u32 variables = 0, constants = 0;
    nodes_topo(1, &root, &all);
    for (size_t i = 0; i < all.len; i++) {
        variables += all.at[i]->op == OP_INPUT;
        constants += all.at[i]->op == OP_CONST;
    }
    vec_free(&all);
    return CONSTANTS * variables - (constants < CONSTANTS ? constants : CONSTANTS - 1);
}

static int by_generality(const void *a, const void *b)
{
    const Pair *x = a, *y = b;
    u32 m = x->term.node->id, n = y->term.node->id;
    return x->generality != y->generality ? (x->generality < y->generality ? 1 : -1)
                                          : (m > n) - (m < n);
}

static bool meet(Discoverer *d, FoundTerm *t)
{
    Discovery *out = d->out;
    if (out->terms == MOST_TERMS) {
        out->stop = DISCOVER_TERMS;
        return false;
    }
    out->terms++;
    values_of_term(d, t);
    if (!t->number)
        return true;
    u32 same = map_get(&d->by_value, t->everywhere),
        alike = t->positive_number ? map_get(&d->by_positive, t->positive) : 0;
    u32 small = same ? same : alike;
    if (small)
        vec_push(&d->pairs, ((Pair){*t, small - 1, generality(t->node), same != 0}));
    if (same)
        return true;
    vec_push(&d->terms, *t);
    map_put(&d->by_value, t->everywhere, (u32)d->terms.len);
    if (!alike && t->positive_number)
        map_put(&d->by_positive, t->positive, (u32)d->terms.len);
    return true;
}

/* ---- all of it ---- */

static bool may_go_on(Discoverer *d)
{
    if (d->rules >= d->how->candidates)
        d->out->stop = DISCOVER_CANDIDATES;
    else if (store_stops(&d->s.st))
        d->out->stop = DISCOVER_INTERRUPTED;
    return d->out->stop == DISCOVER_DONE;
}

static void compare_pairs(Discoverer *d)
{
    if (d->pairs.len)
        qsort(d->pairs.at, d->pairs.len, sizeof *d->pairs.at, by_generality);
    for (size_t i = 0; i < d->pairs.len && may_go_on(d); i++)
        pair_compare(d, &d->pairs.at[i]);
    d->pairs.len = 0;
}

static void search(Discoverer *d)
{
    for (size_t i = 0; i < d->terms.len; i++) {
        FoundTerm *t = &d->terms.at[i];
        values_of_term(d, t);
        map_put(&d->by_value, t->everywhere, (u32)i + 1);
        map_put(&d->by_positive, t->positive, (u32)i + 1);
    }
    d->out->terms = (u32)d->terms.len;
    for (u32 size = 2; size <= d->how->size && may_go_on(d); size++) {
        terms_of_size(d, size, meet);
        DiscoverStop stop = d->out->stop;
        d->out->stop = DISCOVER_DONE; /* what was met is compared in any case */
        compare_pairs(d);
        if (d->out->stop == DISCOVER_DONE)
            d->out->stop = stop;
        if (d->out->stop != DISCOVER_DONE)
            return;
    }
}

static void note_unused(Discoverer *d)
{
    for (int i = 0; i < d->how->noperators && !d->out->unused; i++) {
        bool used = false;
        for (size_t k = 0; k < d->forms.len; k++)
            used = used || (d->forms.at[k].of == i && d->forms.at[k].used);
        d->out->unused = used ? NULL : d->how->operators[i];
    }
}

bool discover(Session *s, const DiscoverHow *how, Discovery *out)
{
    Discoverer d = {.how = how, .out = out};
    *out = (Discovery){.stop = DISCOVER_DONE};
    bool ok = session_open(&d.s, s->rules);
    d.s.st.interrupt = s->st.interrupt;
    d.s.options = s->options;
    ok = ok && terms_open(&d);
    if (ok) {
        values_open(&d);
        search(&d);
        note_unused(&d);
    }
    out->values = (u32)d.terms.len;
    values_close(&d);
    vec_free(&d.forms);
    vec_free(&d.terms);
    vec_free(&d.begins);
    vec_free(&d.pairs);
    map_free(&d.nodes);
    map_free(&d.by_value);
    map_free(&d.by_positive);
    map_free(&d.compared);
    session_free(&d.s);
    return ok;
}

void discovery_free(Discovery *d)
{
    vec_free(&d->found);
    arena_free(&d->arena);
}
