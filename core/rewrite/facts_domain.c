/* Where an operator has a value on paper: the column of facts that is about the numbers themselves,
 * not about how they are computed. NaN that was put in is none of its business. */
#include "rewrite/facts_step.h"

#include <math.h>

static bool at_least(const Fact *x, double bound) { return x->lo >= bound; }
static bool between(const Fact *x, double lo, double hi) { return x->lo >= lo && x->hi <= hi; }

/* Of elementwise operators; a pole counts as a value where its sign is known. */
static bool in_domain(Facts *f, const Node *n)
{
    const Fact *x = fact_of(f, n->ops[0]), *z = n->nops > 1 ? fact_of(f, n->ops[1]) : NULL;
    switch (n->op) {
    case OP_LOG:
    case OP_LOG2:
    case OP_LOG10:
    case OP_SQRT: return at_least(x, 0);
    case OP_LOG1P: return at_least(x, -1);
    case OP_RSQRT: return x->lo > 0;
    case OP_RECIPROCAL: return x->nonzero;
    case OP_ASIN:
    case OP_ACOS:
    case OP_ATANH:
    case OP_ERFINV: return between(x, -1, 1);
    case OP_ACOSH: return at_least(x, 1);
    case OP_LOG1MEXP: return x->hi <= 0;
    case OP_TAN:
    case OP_LGAMMA:
    case OP_DIGAMMA:
    case OP_POLYGAMMA:
    case OP_IERFCX:
    case OP_XLOGY: return false;
    case OP_DIV:
    case OP_FLOORDIV:
    case OP_MOD: return z->nonzero;
    case OP_POW: return x->lo > 0 || (z->whole && z->lo >= 0) || (x->lo >= 0 && z->lo > 0);
    default: return true;
    }
}

static bool is_zero(const Fact *k) { return k->lo == 0 && k->hi == 0; }

/* Are all elements beyond what floats hold, so that what is known is of the overflow, or of the 0
 * that was made of them? */
static bool left_floats(Facts *f, const Node *n, const Fact *k)
{
    bool zero = op_table[n->op].cls == CLASS_ELEMENTWISE && is_zero(k) &&
                op_traits[n->op] & (UNDERFLOWS | NEVER_ZERO);
    for (u32 i = 0; i < n->nops; i++)
        zero = zero && ((i && n->op == OP_DIV) || !is_zero(fact_of(f, n->ops[i])));
    return k->lo == INFINITY || k->hi == -INFINITY || zero;
}

bool fact_may_be_undefined(Facts *f, const Node *n, const Fact *k)
{
    for (u32 i = 0; i < n->nops; i++)
        if (fact_of(f, n->ops[i])->partial)
            return true;
    switch (op_table[n->op].cls) {
    case CLASS_STRUCTURAL:
    case CLASS_SHAPE:
    case CLASS_INDEX:
    case CLASS_REDUCE: return false;
    case CLASS_ELEMENTWISE: return !in_domain(f, n) || left_floats(f, n, k);
    case CLASS_COMPOSITE: return n->op == OP_MEAN || n->op == OP_VAR || n->op == OP_STD;
    default: return true;
    }
}
