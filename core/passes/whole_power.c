/* Powers with a whole exponent as a few products. */
#include "passes/code_rules.h"
#include "passes/places.h"

enum { LEAST = 5, MOST = 16 }; /* smaller ones have rules of their own (specialize.rules) */

/* Squares, and a factor where the exponent is odd: Knuth, "The Art of Computer Programming", volume
 * 2, 4.6.3. */
static Node *whole_power(Store *st, Node *x, i64 k)
{
    if (k == 1)
        return x;
    Node *rest = whole_power(st, x, k % 2 ? k - 1 : k / 2);
    return rest ? k % 2 ? build_mul(st, x, rest) : build_elementwise(st, OP_SQR, 1, &rest) : NULL;
}

static bool power_by_products(Site *site)
{
    Node *n = site->node;
    double k;
    if (!dtype_is_float(node_dtype(n)) || !node_const_f64(n->ops[1], &k))
        return site_refuse(site, n->ops[1], "the exponent is not a known number");
    if (!(k >= LEAST && k <= MOST && k == (double)(i64)k))
        return site_refuse(site, n->ops[1], "the exponent is not a whole number from %d to %d",
                           LEAST, MOST);
    return site_put_alike(site, whole_power(site->st, n->ops[0], (i64)k));
}

const CodeRule whole_power_rules[] = {{"pow-whole", "specialize", HAZARD_R, OP_POW,
                                       power_by_products, "a few products instead of a power",
                                       NULL},
                                      {0}};
