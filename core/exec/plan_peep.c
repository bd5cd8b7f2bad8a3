/* Superinstructions.
 *
 * Invariant: the bits of every result stay the same; nothing is contracted or reordered. */
#include "exec/plan_work.h"

void plan_peephole(Emit *e) {
    (void)e;
}
