/* The bodies of generated scans: one equation, as it stands in the scan or at one step. */
#ifndef GRADUS_SCAN_GEN_BODY_H
#define GRADUS_SCAN_GEN_BODY_H

#include "scan_gen.h"

u32 gen_pick(u64 *rng, u32 n);
/* The right side of equation i. order 0: as in the scan, and taps are noted in c; else at that
 * executed step, from 1. */
void gen_equation(ScanCase *c, int i, int order, Text *out);
/* The unrolled state i after `order` executed steps; 0 and below: rows of the init. */
void gen_state_at(const ScanCase *c, int i, int order, Text *out);

#endif
