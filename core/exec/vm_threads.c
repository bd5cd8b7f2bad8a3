/* A group, a part by rows or lanes spread over threads (base/threads.h): each thread has a machine
 * of its own, with columns and tiles, that works on the same operands and results.
 *
 * Invariant: a helping machine makes no tensor and fills no error; it stops where the first would
 * have to, and the first finds out why. */
#include "base/threads.h"
#include "exec/vm_run.h"

typedef struct {
    Vm *vm;
    VmPiece *run;
    void *ctx;
    bool failed; /* the first machine, with a message */
} Spread;

int vm_threads(const Vm *vm, double nanoseconds)
{
    bool alone = vm->helps || vm->env->work_limit || vm->env->profile;
    return alone ? 1 : threads_for(nanoseconds);
}

static size_t scratch_bytes(const Vm *vm) { return ((size_t)vm->p->max_buffers + 1) * 8 * TILE; }

/* A machine for each helping thread, which has its scratch memory from job to job. */
static void make_helpers(Vm *vm, int count)
{
    if (vm->nhelpers >= count)
        return;
    vm->helpers = xrealloc(vm->helpers, (size_t)count * sizeof *vm->helpers);
    for (; vm->nhelpers < count; vm->nhelpers++) {
        Vm *h = &vm->helpers[vm->nhelpers];
        *h = (Vm){.p = vm->p};
        vm_scratch(h);
    }
}

/* As the first machine stands: what it has in its scratch memory, the helper has in its own. */
static void set_helper(const Vm *vm, Vm *h)
{
    char **column = h->column, *scratch = h->scratch;
    i64 *pace = h->pace;
    *h = *vm;
    h->helps = true;
    h->column = column;
    h->pace = pace;
    h->scratch = scratch;
    for (u32 k = 0; k <= vm->p->max_columns; k++) {
        uintptr_t at = (uintptr_t)vm->column[k] - (uintptr_t)vm->scratch;
        column[k] = at < scratch_bytes(vm) ? scratch + at : vm->column[k];
        pace[k] = vm->pace[k];
    }
}

void vm_free_helpers(Vm *vm)
{
    for (int i = 0; i < vm->nhelpers; i++) {
        free(vm->helpers[i].column);
        free(vm->helpers[i].pace);
        free(vm->helpers[i].scratch);
    }
    free(vm->helpers);
}

static bool run_piece(void *ctx, int thread, i64 from, i64 to)
{
    Spread *s = ctx;
    bool ok = s->run(thread ? &s->vm->helpers[thread - 1] : s->vm, s->ctx, thread, from, to);
    if (!ok && !thread) /* the only one that writes it */
        s->failed = true;
    return ok;
}

bool vm_spread(Vm *vm, const Node *at, int threads, i64 n, i64 piece, VmPiece *run, void *ctx)
{
    Spread s = {.vm = vm, .run = run, .ctx = ctx};
    if (threads < 2)
        return run(vm, ctx, 0, 0, n);
    vm_scratch(vm);
    make_helpers(vm, threads - 1);
    for (int i = 0; i < threads - 1; i++)
        set_helper(vm, &vm->helpers[i]);
    if (threads_spread(threads, n, piece, run_piece, &s))
        return true;
    return !s.failed && vm_poll(vm, at, 0) ? vm_fail(vm, at, "interrupted", "interrupted") : false;
}
