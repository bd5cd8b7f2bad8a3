/* A number from each state of a sequence (plan_draws.c): the blocks of several lanes are made side
 * by side.
 *
 * Invariant: a lane's number and its next state are those of a draw from its state alone. */
#include "exec/vm_run.h"
#include "tensor/philox.h"

enum {
    PIECE = 1 << 12, /* lanes until the next poll, and for a thread */
    NANOSECONDS = 8  /* of a draw */
};

typedef struct {
    const Loop *loop;
    const RngState *from;
    double *value;  /* NULL: not wanted */
    RngState *next; /* the same */
} DrawWork;

static bool draw_piece(Vm *vm, void *ctx, int thread, i64 from, i64 to)
{
    const DrawWork *w = ctx;
    const Draws *d = w->loop->block->draws;
    (void)thread;
    for (i64 at = from, n; at < to; at += n) {
        n = to - at < PIECE ? to - at : PIECE;
        rng_lanes(d->node->op == OP_NORMAL, n, w->from + at, w->next ? w->next + at : NULL,
                  w->value ? w->value + at : NULL);
        if (!vm_poll(vm, d->node, n))
            return false;
    }
    return true;
}

bool vm_draws(Vm *vm, Reg *r, Loop *loop)
{
    const Block *b = loop->block;
    Trace *traces = loop->frame->traces;
    DrawWork w = {.loop = loop, .from = r[b->params[0].source].t->data};
    for (u32 k = 0; k < b->ntraces; k++) {
        if (!traces[k].rows && !loop_known_row(vm, loop, k))
            return false;
        if (b->draws->state[k])
            w.next = traces[k].rows->data;
        else
            w.value = traces[k].rows->data;
    }
    int threads = vm_threads(vm, (double)loop->n * NANOSECONDS);
    bool ok = vm_spread(vm, loop->wide->node, threads, loop->n, PIECE, draw_piece, &w);
    loop->done = loop->n;
    loop->chunk = 0;
    return ok;
}
