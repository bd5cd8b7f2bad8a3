/* Values of inputs go where any would do; those that stay, and constants, get fewer digits. */
#include "reduce/parts.h"

#include <math.h>

/* ---- values that are not needed ---- */

static void drop_all(TensorMap *values)
{
    for (size_t i = 0; i < values->len; i++)
        tensor_unref(map_val(values, i));
    map_clear(values);
}

/* The program for any values of its inputs; else it keeps them all. */
void shrink_values(Reduction *r)
{
    Candidate c = {0};
    TensorMap kept = r->values;
    if (!kept.len)
        return;
    r->values = (TensorMap){0};
    for (size_t i = 0; i < r->roots.len; i++)
        vec_push(&c.roots, r->roots.at[i]);
    if (candidate_holds(r, &c))
        drop_all(&kept);
    else
        r->values = kept;
    if (r->values.len == 0)
        map_free(&kept);
}

/* ---- digits ---- */

/* What a float becomes, in this order; then itself with so many digits. */
static const double simple[] = {0, 1, -1, 2};
enum { MOST_DIGITS = 6 };

static double rounded(double x, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, x);
    return isfinite(x) ? strtod(text, NULL) : x;
}

/* The k-th simpler form; NULL after the last. */
static Tensor *simpler(Heap *h, const Tensor *t, size_t k)
{
    if (k >= COUNT_OF(simple) + MOST_DIGITS)
        return NULL;
    Tensor *f = tensor_new(h, DT_F64, t->rank, t->shape);
    double *at = f ? f->data : NULL;
    for (i64 i = 0; f && i < t->count; i++)
        at[i] = k < COUNT_OF(simple)
                    ? simple[k]
                    : rounded(tensor_f64_at(t, i), (int)(k - COUNT_OF(simple)) + 1);
    Tensor *out = f ? tensor_cast(h, f, t->dtype) : NULL;
    tensor_unref(f);
    return out;
}

static size_t length_of(const Tensor *t)
{
    Text text = {0};
    tensor_literal(&text, t);
    size_t n = text.len;
    text_free(&text);
    return n;
}

/* Is it a number that no other is simpler than? */
static bool is_simplest(const Tensor *t)
{
    for (i64 i = 0; i < t->count; i++)
        if (tensor_f64_at(t, i) != 0)
            return false;
    return true;
}

typedef bool (*TryValue)(Reduction *r, Node *n, const Graph *within, Tensor *value);

static bool try_constant(Reduction *r, Node *n, const Graph *within, Tensor *value)
{
    Candidate c = {0};
    NodeMap at = {0};
    Node *other = node_const(r->st, value);
    map_put(&at, n, other);
    bool made = candidate_replace(r, &c, within, &at);
    map_free(&at);
    if (made)
        return candidate_holds(r, &c);
    candidate_free(&c);
    return false;
}

static bool try_value(Reduction *r, Node *n, const Graph *within, Tensor *value)
{
    (void)within;
    Candidate c = {0};
    for (size_t i = 0; i < r->roots.len; i++)
        vec_push(&c.roots, r->roots.at[i]);
    Tensor *mine = tensor_ref(value);
    map_put(&c.values, n, mine);
    return candidate_holds(r, &c);
}

/* True: it has become simpler. */
static bool simplify(Reduction *r, const Standing *s, const Tensor *t, TryValue try)
{
    enum { LONG = 10000 }; /* elements: sizes come first */
    bool found = false;
    if (!dtype_is_float(t->dtype) || is_simplest(t) || t->count > LONG)
        return false;
    size_t length = length_of(t);
    for (size_t k = 0; !found && !shrink_stops(r); k++) {
        Tensor *less = simpler(&r->st->heap, t, k);
        if (!less)
            break;
        bool same = tensor_same_bits(less, t), shorter = length_of(less) < length;
        found = !same && (shorter || k < COUNT_OF(simple)) && try(r, s->node, s->within, less);
        tensor_unref(less);
        if (same)
            break;
    }
    return found;
}

static bool shorten_one(Reduction *r, NodeSet *done)
{
    StandingVec all = {0};
    bool found = false;
    nodes_standing((int)r->roots.len, r->roots.at, NULL, &all);
    for (size_t i = 0; i < all.len && !found && !shrink_stops(r); i++) {
        Node *n = all.at[i].node;
        Tensor *value = map_get(&r->values, n);
        if (n->op == OP_CONST && set_add(done, n))
            found = simplify(r, &all.at[i], n->attrs[0].value, try_constant);
        else if (value && set_add(done, n))
            found = simplify(r, &all.at[i], value, try_value);
    }
    vec_free(&all);
    return found;
}

bool shrink_digits(Reduction *r)
{
    NodeSet done = {0};
    bool any = false;
    while (shorten_one(r, &done))
        any = true;
    map_free(&done);
    return any;
}
