/* Measuring a run: each instruction that works on tensors or runs a block is timed, without what
 * ran inside of it. Instructions on scalars are not: reading the clock takes longer than they do.
 * What their block took beside the rest is shared out among them by what the model says.
 *
 * Invariant: a program that is not profiled has none of these instructions. */
#include "exec/cost.h"
#include "exec/plan_work.h"
#include "exec/vm_run.h"

static bool can_measure(InsOp op)
{
    return op == I_ARRAY || op == I_PUT || op == I_FUSED || op == I_SINKS || op == I_CALL ||
           op == I_IF || op == I_SCAN;
}

void program_profile(Program *p)
{
    for (size_t i = 0; i < p->blocks.len; i++)
        for (u32 k = 0; k < p->blocks.at[i]->ncode; k++) {
            Ins *ins = &p->blocks.at[i]->code[k];
            if (!can_measure((InsOp)ins->op))
                continue;
            ins->a = ins->op;
            ins->op = I_PROFILED;
        }
}

static bool run_measured(Vm *vm, InsOp op, const Wide *w, Reg *r)
{
    switch (op) {
    case I_PUT: return vm_put(vm, w, r);
    case I_FUSED: return vm_tiles(vm, w, r);
    case I_SINKS: return vm_sinks(vm, w, r);
    case I_CALL: return vm_call(vm, w, r);
    case I_IF: return vm_if(vm, w, r);
    case I_SCAN: return vm_scan(vm, w, r);
    default: return vm_array(vm, w, r);
    }
}

bool vm_profiled(Vm *vm, const Block *b, const Ins *ins, Reg *r)
{
    Profile *f = vm->env->profile;
    const Wide *w = ins->u.wide;
    InsOp op = ins_op(ins);
    if (!f)
        return run_measured(vm, op, w, r);
    ProfileRow *row = &f->rows[f->first[b->id] + (u32)(ins - b->code)];
    double outside = f->inside, start = now_seconds();
    u64 steps = vm->env->steps, steps_outside = f->steps_inside;
    if (op == I_IF)
        row->taken[r[w->in[0].reg].b ? 0 : 1]++;
    f->inside = 0;
    f->steps_inside = 0;
    bool ok = run_measured(vm, op, w, r);
    double spent = now_seconds() - start;
    steps = vm->env->steps - steps;
    row->calls++;
    row->steps += steps - f->steps_inside;
    row->seconds += spent - f->inside;
    f->inside = outside + spent;
    f->steps_inside = steps_outside + steps;
    return ok;
}

void profile_begin(const Program *p, Profile *out)
{
    u32 n;
    *out = (Profile){.first = program_rows(p, &n)};
    out->rows = xcalloc((size_t)n + 1, sizeof *out->rows);
}

void profile_free(Profile *p)
{
    free(p->rows);
    free((u32 *)(uintptr_t)p->first);
}

/* How often the body k of a row ran. */
static double runs_of(const ProfileRow *m, InsOp op, int k)
{
    return (double)(op == I_SCAN ? m->steps : op == I_IF ? m->taken[k] : m->calls);
}

/* The scalars of a block have what its owner took beside the rest, the owner its own part of it. */
static void share_block(const Profile *f, const ProgramCost *c, const Block *b, u32 owner,
                        double runs, double *seconds, double *calls)
{
    double own = c->rows[owner].seconds, all = own, took = seconds[owner];
    for (u32 i = 0; i < b->ncode; i++) {
        u32 row = f->first[b->id] + i;
        if (c->rows[row].node && c->rows[row].scalar)
            all += c->rows[row].seconds;
    }
    for (u32 i = 0; i < b->ncode; i++) {
        u32 row = f->first[b->id] + i;
        if (!c->rows[row].node || !c->rows[row].scalar)
            continue;
        calls[row] += runs;
        seconds[row] += all > 0 ? took * c->rows[row].seconds / all : 0;
    }
    seconds[owner] = all > 0 ? took * own / all : took;
}

void profile_share(const Program *p, const Profile *f, const ProgramCost *c, double *seconds,
                   double *calls)
{
    for (u32 i = 0; i < c->n; i++) {
        seconds[i] = f->rows[i].seconds;
        calls[i] = (double)f->rows[i].calls;
    }
    for (size_t i = 0; i < p->blocks.len; i++) {
        const Block *b = p->blocks.at[i];
        for (u32 k = 0; k < b->ncode; k++) {
            u32 row = f->first[b->id] + k;
            const Wide *w = b->code[k].op == I_PROFILED ? b->code[k].u.wide : NULL;
            for (int side = 0; w && side < 2; side++)
                if (w->body[side])
                    share_block(f, c, w->body[side], row,
                                runs_of(&f->rows[row], ins_op(&b->code[k]), side), seconds, calls);
        }
    }
    for (u32 i = 0; i < p->root->ncode; i++)
        calls[f->first[p->root->id] + i] += c->rows[f->first[p->root->id] + i].scalar;
}
