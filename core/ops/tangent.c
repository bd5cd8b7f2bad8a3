/* Handing tangents on. */
#include "ops/tangent.h"

Node *jvp_tangent(const Jvp *j, const Node *n) { return map_get(&j->tangents, n); }

bool jvp_give(Jvp *j, Node *n, Node *tangent)
{
    if (tangent && tangent->type != n->type)
        tangent = build_like(j->st, tangent, n);
    if (tangent)
        map_put(&j->tangents, n, tangent);
    return tangent != NULL;
}

void jvp_result(Jvp *j, Node *tuple, i64 k, Node *value, Node *tangent)
{
    Node *p = node_proj(j->st, tuple, k);
    if (value)
        map_put(&j->moved, p, value);
    if (tangent)
        map_put(&j->tangents, value ? value : p, tangent);
}
