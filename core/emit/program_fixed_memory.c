/* Memory of a loop over arrays of known shapes (program_fixed.c): each that is stored has its own.
 *
 * Invariant: as there. */
#include "emit/program_fixed.h"

enum {
    MOST_BYTES = 1 << 19 /* of all arrays of a step: larger ones are not in a hurry */
};

i64 fixed_bytes(i64 count, DType d) { return (count * (i64)dtype_size(d) + 63) / 64 * 64; }

/* Of a group that is no loops over axes: room for what is spread, then for what is reduced. */
static void place_scratch(Fixed *f, const Wide *w)
{
    const Tiles *t = w->tiles;
    const Tensor like = fixed_group_like(f, w);
    f->v[w->out[0].reg].scratch = f->bytes;
    const bool nests = fixed_nests(f, w, &like);
    if (nests && !fixed_reduces_apart(f, w, &like))
        return;
    for (u32 k = 0; k < w->nin && !nests; k++)
        if (fixed_is_spread(f, w, k))
            f->bytes += fixed_bytes(like.count, f->v[w->in[k].reg].like.dtype);
    for (u32 i = 0; i < t->nfolds; i++)
        f->bytes += fixed_bytes(like.count, t->folds[i].from);
}

bool fixed_place(Fixed *f)
{
    for (u32 r = 0; r < f->b->nregs && f->bytes <= MOST_BYTES; r++) {
        FixedValue *v = &f->v[r];
        if (!v->own || f->fresh[r])
            continue;
        v->offset = f->bytes;
        f->bytes += fixed_bytes(v->like.count, v->like.dtype);
    }
    for (u32 i = 0; i < f->b->ncode && f->bytes <= MOST_BYTES; i++)
        if (f->b->code[i].op == I_FUSED)
            place_scratch(f, f->b->code[i].u.wide);
    return f->bytes <= MOST_BYTES;
}
