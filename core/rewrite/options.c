/* Options: see options.h. */
#include "rewrite/options.h"

Options options_usual(void)
{
    Options o = {.allowed = HAZARD_DEFAULT,
                 .step_limit = STEP_LIMIT,
                 .node_limit = NODE_LIMIT,
                 .try_limit = TRY_LIMIT,
                 .saturating = {.iterations = SATURATE_ITERATIONS,
                                .nodes = SATURATE_NODES,
                                .assumed = SATURATE_SIZE}};
    for (const Pass *p = pass_table; p->name; p++)
        if (!p->aside)
            pipeline_add(&o.pipeline, p);
    return o;
}

void pipeline_clear(Pipeline *p) { p->len = 0; }

void pipeline_add(Pipeline *p, const Pass *pass)
{
    if (p->len == PIPELINE_MOST)
        die("more than %d passes", PIPELINE_MOST);
    p->at[p->len++] = (PassUse){.pass = pass};
}

const PassUse *pipeline_find(const Pipeline *p, const char *name)
{
    for (u32 i = 0; i < p->len; i++)
        if (!strcmp(p->at[i].pass->name, name))
            return &p->at[i];
    return NULL;
}

bool pipeline_switch(Pipeline *p, const char *name, bool off)
{
    bool found = false;
    for (u32 i = 0; i < p->len; i++)
        if (!strcmp(p->at[i].pass->name, name)) {
            p->at[i].off = off;
            found = true;
        }
    return found;
}

void rule_switch(Options *o, const Rule *r, bool off)
{
    u64 bit = 1ull << r->id % 64;
    o->off[r->id / 64] = off ? o->off[r->id / 64] | bit : o->off[r->id / 64] & ~bit;
}

void rule_only(Options *o, const Rule *r)
{
    memset(o->off, 0xff, sizeof o->off);
    rule_switch(o, r, false);
}
