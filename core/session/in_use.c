/* Counting what is in use; see in_use.h. With stacks of its own: a chain of 10^6 nodes must not
 * overflow that of the program. */
#include "session/in_use.h"
#include "graph/op.h"

typedef struct {
    NodeVec nodes;
    VEC(Graph *) graphs;
} Todo;

/* ---- what a node refers to ---- */

static void size_parts(const Size *s, Todo *out)
{
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            if (a->node)
                vec_push(&out->nodes, a->node);
            if (a->a) {
                size_parts(a->a, out);
                size_parts(a->b, out);
            }
        }
}

static void type_parts(const Type *t, Todo *out)
{
    for (int i = 0; t->kind == TYPE_TENSOR && i < t->rank; i++)
        size_parts(t->dims[i], out);
    for (int i = 0; i < t->nitems; i++)
        type_parts(t->items[i], out);
}

static void node_parts(const Node *n, Todo *out)
{
    for (u32 i = 0; i < n->nops; i++)
        vec_push(&out->nodes, n->ops[i]);
    for (u32 i = 0; i < n->nattrs; i++) {
        char kind = op_attr_kind(n->op, (int)i);
        if (kind == 'g' && n->attrs[i].graph)
            vec_push(&out->graphs, n->attrs[i].graph);
        if (kind == 't' && n->attrs[i].type)
            type_parts(n->attrs[i].type, out);
        if (kind == 'z' && n->attrs[i].size)
            size_parts(n->attrs[i].size, out);
    }
    type_parts(n->type, out);
}

static void graph_parts(const Graph *g, Todo *out)
{
    for (int i = 0; i < g->nouts; i++)
        vec_push(&out->nodes, g->outs[i]);
    for (int i = 0; i < g->nparams; i++)
        vec_push(&out->nodes, g->param_nodes[i]);
}

/* ---- counting ---- */

/* Is it the first use, or was it the last? Then its parts follow. */
static bool node_turns(InUse *u, const Node *n, bool more)
{
    u32 count = node_map_get(&u->nodes, n);
    if (more || count > 1)
        node_map_put(&u->nodes, n, more ? count + 1 : count - 1);
    else
        node_map_remove(&u->nodes, n);
    return count == (more ? 0 : 1);
}

static bool graph_turns(InUse *u, const Graph *g, bool more)
{
    u32 count = map_get(&u->graphs, g);
    if (more || count > 1)
        map_put(&u->graphs, g, more ? count + 1 : count - 1);
    else
        map_remove(&u->graphs, g);
    return count == (more ? 0 : 1);
}

static void count(InUse *u, Node *n, bool more)
{
    Todo todo = {0};
    vec_push(&todo.nodes, n);
    while (todo.nodes.len || todo.graphs.len)
        if (todo.nodes.len) {
            const Node *part = todo.nodes.at[--todo.nodes.len];
            if (node_turns(u, part, more))
                node_parts(part, &todo);
        } else {
            const Graph *part = todo.graphs.at[--todo.graphs.len];
            if (graph_turns(u, part, more))
                graph_parts(part, &todo);
        }
    vec_free(&todo.nodes);
    vec_free(&todo.graphs);
}

void in_use_add(InUse *u, Node *n) { count(u, n, true); }
void in_use_remove(InUse *u, Node *n) { count(u, n, false); }
bool in_use_has(const InUse *u, const Node *n) { return node_map_has(&u->nodes, n); }
void in_use_trim(InUse *u) { node_map_trim(&u->nodes); }

void in_use_free(InUse *u)
{
    node_map_free(&u->nodes);
    map_free(&u->graphs);
}
