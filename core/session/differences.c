/* Gradients by differences: see differences.h. */
#include "session/differences.h"

#include "session/sample_points.h"
#include "tensor/philox.h"

#include <float.h>
#include <math.h>

/* Rounding of a value of this type, and the width at which that and what differences leave out are
 * about as large. */
static double rounding_of(const Type *t) { return t->dtype == DT_F32 ? FLT_EPSILON : DBL_EPSILON; }
/* How much of the slope a difference may miss. */
static double tolerance_of(const Type *t) { return t->dtype == DT_F32 ? 2e-2 : 1e-5; }

typedef struct {
    Session *s;
    Node *gradient, *leaf; /* the leaf stands for what the derivative is by */
    Node *value;           /* the function over it */
    Node *x;
    TensorMap values;
    VEC(Tensor *) made;  /* of them those at random */
    Tensor *at, *slopes; /* of x and of the gradient, f64 */
} Differences;

static bool make_nodes(Differences *w, const DerivativeAt *d)
{
    Store *st = &w->s->st;
    const Graph *g = d->node->attrs[0].graph;
    Node **args = xmalloc((d->node->nops + 1) * sizeof *args),
         **outs = xcalloc((size_t)g->nouts + 1, sizeof *outs);
    memcpy(args, d->node->ops, d->node->nops * sizeof *args);
    w->x = args[d->by];
    w->leaf = args[d->by] = node_input(st, OP_INPUT, symbol(st, "(moved)"), w->x->type);
    w->gradient = node_proj(st, d->node, d->by);
    bool ok = w->leaf && w->gradient && graph_instantiate(st, d->node->attrs[0].graph, args, outs);
    w->value = ok ? outs[0] : NULL;
    free(args);
    free(outs);
    return ok;
}

/* Where some leaf has no value, all get one at random. */
static bool choose_values(Differences *w)
{
    Node *missing = NULL, *roots[] = {w->gradient};
    session_missing(w->s, 1, roots, &missing);
    if (!missing)
        return true;
    Sampler p;
    SamplePoint point = {.kind = ORDINARY, .fill = FILL_MIXED, .leaf = {-1, -1}, .seed = 1};
    sampler_open(&p, w->s, 1, roots);
    for (size_t i = 0; i < p.leaves.len; i++) {
        Tensor *t = sampler_value(&p, &point, i);
        if (!t)
            continue;
        map_put(&w->values, p.leaves.at[i], t);
        vec_push(&w->made, t);
    }
    sampler_close(&p);
    return false;
}

/* Its value, as f64; NULL after a diagnostic. */
static Tensor *value_of(Differences *w, Node *root)
{
    Session *s = w->s;
    Tensor *t = NULL, *r = NULL;
    Exploration *x = session_explore(s, 1, &root);
    if (x && session_evaluate_raw(s, 1, x->roots, &w->values, &t))
        r = tensor_cast(&s->st.heap, t, DT_F64);
    tensor_unref(t);
    return r;
}

/* The function at x + width * direction. */
static bool value_at(Differences *w, const double *direction, double width, double *out)
{
    Heap *h = &w->s->st.heap;
    Tensor *moved = tensor_copy(h, w->at);
    double *at = moved ? moved->data : NULL;
    for (i64 i = 0; moved && i < moved->count; i++)
        at[i] += width * direction[i];
    Tensor *typed = moved ? tensor_cast(h, moved, w->leaf->type->dtype) : NULL, *value = NULL;
    if (typed) {
        map_put(&w->values, w->leaf, typed);
        value = value_of(w, w->value);
    }
    *out = value ? tensor_f64_at(value, 0) : NAN;
    bool ok = value != NULL;
    tensor_unref(moved);
    tensor_unref(typed);
    tensor_unref(value);
    return ok;
}

/* What two sides of x say. */
typedef struct {
    double slope, size;
    double bend; /* the slope above x less that below it */
} Sides;

static bool sides_at(Differences *w, const double *direction, double width, Sides *out)
{
    double above, below, middle;
    if (!value_at(w, direction, width, &above) || !value_at(w, direction, -width, &below) ||
        !value_at(w, direction, 0, &middle))
        return false;
    out->slope = (above - below) / (2 * width);
    out->size = fmax(fabs(above), fabs(below));
    out->bend = fabs(above - 2 * middle + below) / width;
    return true;
}

/* Of a smooth function the bend is less in half the width, and both slopes are about the same. */
static bool is_smooth(const Sides *wide, const Sides *fine, double tolerance)
{
    return isfinite(wide->slope) && isfinite(fine->slope) &&
           fabs(wide->slope - fine->slope) <= tolerance &&
           (fine->bend <= 10 * tolerance || fine->bend <= 0.75 * wide->bend);
}

/* Two widths, and what they say of the limit (Richardson). */
static bool find_slope(Differences *w, int k, SlopeRow *row)
{
    const Type *t = w->leaf->type;
    double *direction = xcalloc((size_t)w->at->count + 1, sizeof *direction), most = 1;
    rng_normal(rng_seed(k + 1), DT_F64, w->at->count, direction);
    *row = (SlopeRow){0};
    for (i64 i = 0; i < w->at->count; i++) {
        most = fmax(most, fabs(tensor_f64_at(w->at, i)));
        row->along += direction[i] * tensor_f64_at(w->slopes, i);
    }
    Sides wide, fine;
    double width = most * cbrt(rounding_of(t));
    row->width = width / 2;
    bool ok = sides_at(w, direction, width, &wide) && sides_at(w, direction, width / 2, &fine);
    free(direction);
    if (!ok)
        return false;
    row->slope = (4 * fine.slope - wide.slope) / 3;
    double scale = fmax(fmax(fabs(row->slope), fabs(row->along)), fine.size),
           tolerance = tolerance_of(t) * scale + 10 * rounding_of(t) * fine.size / width;
    row->verdict = fabs(row->slope - row->along) <= tolerance ? SLOPE_AGREES
                   : is_smooth(&wide, &fine, tolerance)       ? SLOPE_DIFFERS
                                                              : SLOPE_UNSURE;
    return true;
}

bool session_differences(Session *s, const DerivativeAt *d, SlopeRow rows[DIRECTIONS], bool *given)
{
    Differences w = {.s = s};
    bool ok = make_nodes(&w, d);
    *given = ok && choose_values(&w);
    ok = ok && (w.at = value_of(&w, w.x)) && (w.slopes = value_of(&w, w.gradient));
    for (int k = 0; k < DIRECTIONS && ok; k++)
        ok = find_slope(&w, k, &rows[k]);
    for (size_t i = 0; i < w.made.len; i++)
        tensor_unref(w.made.at[i]);
    vec_free(&w.made);
    map_free(&w.values);
    tensor_unref(w.at);
    tensor_unref(w.slopes);
    return ok;
}
