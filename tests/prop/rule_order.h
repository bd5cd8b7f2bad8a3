/* The canonical order of rules; see rule_order.c. */
#ifndef GRADUS_RULE_ORDER_H
#define GRADUS_RULE_ORDER_H

#include "rewrite/rules.h"

/* Is the right side simpler? If not, `why` tells. */
bool rule_decreases(const Rule *r, Text *why);

#endif
