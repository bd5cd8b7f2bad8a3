/* What calls of functions became, a box for each: group=calls.
 *
 * Invariant: a box stands in that of the call that its own call came from; inputs and parameters
 * stand outside. */
#include "rewrite/called.h"
#include "viz/scene/scene_parts.h"

static int box_of(const Builder *b, int around, const Thing *call)
{
    for (size_t i = 0; i < b->calls.len; i++)
        if (b->calls.at[i].around == around && b->calls.at[i].call == call)
            return b->calls.at[i].box;
    return 0;
}

static int call_box(Builder *b, int around, const Occurrence *call)
{
    int box = box_of(b, around, call->thing);
    Symbol name = call->node->attrs[1].name;
    if (box)
        return box;
    box = scene_box(b->scene, &(SceneBox){.kind = BOX_CALL,
                                          .title = name ? name : "call",
                                          .subtitle = "inlined",
                                          .parent = around});
    vec_push(&b->calls, ((CallBox){around, call->thing, box}));
    return box;
}

int called_box(Builder *b, int base, const Node *n)
{
    const Things *t = b->options->calls;
    const Occurrence *o = t ? thing_occurrence(t, b->graph, n) : NULL;
    Calls calls = {0};
    if (o)
        called_from(t, o, &calls);
    for (size_t i = 0; i < calls.len; i++)
        base = call_box(b, base, calls.at[i]);
    vec_free(&calls);
    return base;
}

bool is_called(const Builder *b, int box)
{
    bool found = false;
    for (size_t i = 0; i < b->calls.len; i++)
        found = found || b->calls.at[i].box == box;
    return found;
}
