/* Walking through steps; see step_view.h. */
#include "analysis/step_view.h"

#include "analysis/step_text.h"

#include "rewrite/history.h"
#include "rewrite/things.h"

static const char *number_at(StepView *v, const char *above, u32 i)
{
    return arena_printf(v->arena, "%s%s%u", above, *above ? "." : "", i + 1);
}

/* Is it a run of its own, whatever stands beside it? */
static bool is_apart(StepView *v, const Step *s, const char *above, u32 i)
{
    return v->apart || (v->open && (step_opens(s) || strcmp(v->open, number_at(v, above, i)) == 0));
}

void view_log(StepView *v, const StepLog *log, u32 from, u32 count, const char *number)
{
    u32 end = from + count < log->at.len ? from + count : (u32)log->at.len;
    for (u32 i = from, n; i < end && !store_stops(v->x->st); i += n) {
        const Step *s = &log->at.at[i];
        bool alone = is_apart(v, s, number, i);
        for (n = 1; !alone && i + n < end && !is_apart(v, s + n, number, i + n) &&
                    steps_alike(s + n - 1, s + n);)
            n++;
        StepRun run = {s, i + 1, n, number_at(v, number, i), NULL};
        run.range = n == 1 ? run.number : arena_printf(v->arena, "%s-%u", run.number, i + n);
        v->show(v, &run);
    }
}

bool view_enters(const StepView *v, const Step *s)
{
    return s->inner && !s->again && s->inner->at.len && !map_has(&v->shown, s->inner);
}

void view_inside(StepView *v, const StepRun *run)
{
    const Step *s = run->step;
    const Graph *outer = v->within;
    if (!view_enters(v, s))
        return;
    set_add(&v->shown, s->inner);
    v->x->numbering.within = v->within = s->inner_before;
    view_log(v, s->inner, 0, (u32)s->inner->at.len, run->number);
    v->x->numbering.within = v->within = outer;
}

bool view_opens(const StepView *v, const StepRun *run)
{
    return v->open && step_opens(run->step) &&
           (!strcmp(v->open, "all") || !strcmp(v->open, run->number));
}

void view_children(StepView *v, const StepRun *run)
{
    const Opened *o = view_opens(v, run) ? exploration_opened(v->x, run->step) : NULL;
    v->opened = v->opened || view_opens(v, run);
    if (!o)
        return;
    things_open(v->x);
    view_log(v, &o->log, 0, (u32)o->log.at.len, run->number);
}

void view_hide(StepView *v, const char *rule)
{
    for (size_t i = 0; i < v->hidden.len; i++)
        if (strcmp(v->hidden.at[i].rule, rule) == 0)
            return;
    vec_push(&v->hidden, ((HiddenRule){rule, 0}));
}

bool view_hides(StepView *v, const StepRun *run)
{
    for (size_t i = 0; i < v->hidden.len; i++)
        if (strcmp(v->hidden.at[i].rule, step_rule(run->step)) == 0) {
            v->hidden.at[i].steps += run->count;
            return true;
        }
    return false;
}

/* ---- passes ---- */

const char *view_passes(StepView *v, const char *name, bool all,
                        void (*show)(StepView *v, const PassRun *p))
{
    Text idle = {0};
    for (size_t i = 0; i < v->x->passes.len; i++) {
        const PassRun *p = &v->x->passes.at[i];
        if (name && strcmp(name, p->name) != 0)
            continue;
        if (all || p->steps || p->stop != STOP_SATURATED || p->told)
            show(v, p);
        else
            text_printf(&idle, "%s%s", idle.len ? ", " : "", p->name);
    }
    return text_keep(&idle, v->arena);
}

void pass_run_put(Text *out, const PassRun *p)
{
    text_printf(out, "%u step%s, %u -> %u nodes, %s", p->steps, p->steps == 1 ? "" : "s",
                p->nodes_before, p->nodes_after, stop_name(p->stop));
}

void view_end(StepView *v)
{
    map_free(&v->shown);
    vec_free(&v->hidden);
}
