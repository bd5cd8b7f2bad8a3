/* What core/analysis evaluates by: the values and the settings of a session. */
#include "session/session.h"

static bool run(void *ctx, Program *p, const TensorMap *values, u64 work, Tensor **out)
{
    return session_run_program(ctx, p, values, work, out);
}

static bool has_value(void *ctx, const Node *leaf)
{
    i64 size;
    return leaf->op == OP_SIZE ? session_size(ctx, leaf, &size)
                               : session_leaf_value(ctx, leaf) != NULL;
}

static void progress(void *ctx, double began, double fraction)
{
    session_progress(ctx, began, fraction);
}

Evaluator session_evaluator(Session *s)
{
    return (Evaluator){.st = &s->st,
                       .rules = s->rules,
                       .options = &s->options,
                       .plan_flags = s->plan_flags,
                       .ctx = s,
                       .run = run,
                       .has_value = has_value,
                       .progress = progress};
}
