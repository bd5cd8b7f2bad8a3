/* Gathering cotangents. */
#include "ops/cotangent.h"
#include "ops/mask.h"
#include "tensor/kernels.h"

bool vjp_active(const Vjp *v, const Node *operand) { return map_has(&v->active, operand); }

/* `part` adds into zeros, perhaps several times: the same into `a`; NULL if it is no such thing. */
static Node *add_into(Store *st, Node *a, Node *part)
{
    if (part->op != OP_SET_INDEX && part->op != OP_SET_SLICE && part->op != OP_SCATTER)
        return NULL;
    if (part->attrs[part->nattrs - 1].i != STORE_ADD || part->type != a->type)
        return NULL;
    Node *base = node_is_zeros(part->ops[0]) ? a : add_into(st, a, part->ops[0]);
    return base ? node3(st, part->op, part->attrs, base, part->ops[1], part->ops[2]) : NULL;
}

Node *cotangent_sum(Store *st, Node *a, Node *b)
{
    Node *sum = add_into(st, a, b);
    sum = sum ? sum : add_into(st, b, a);
    return sum ? sum : build_add(st, a, b);
}

bool vjp_add(Vjp *v, Node *operand, Node *contribution)
{
    if (v->mask)
        contribution = mask_apply(v->st, v->mask, contribution);
    if (!contribution)
        return false;
    if (v->added) {
        vec_push(v->added, operand);
        vec_push(v->added, contribution);
    }
    Node *old = map_get(&v->cotangents, operand);
    Node *sum = old ? cotangent_sum(v->st, old, contribution) : contribution;
    if (sum)
        map_put(&v->cotangents, operand, sum);
    return sum != NULL;
}

Node *vjp_result(const Vjp *v, Node *tuple, int k)
{
    Node *p = node_proj(v->st, tuple, k);
    return p ? map_get(&v->cotangents, p) : NULL;
}

bool vjp_give(Vjp *v, Node *operand, Node *contribution)
{
    if (contribution && contribution->type != operand->type)
        contribution = build_like(v->st, contribution, operand);
    return vjp_add(v, operand, contribution);
}
