/* The tables: all operators, all passes, all rules in C. The one file that knows everything.
 *
 * Each table is declared by the room that reads it (graph/op.h, rewrite/site.h) and defined
 * here, above all rooms whose functions it names; scripts/layers.sh knows these as the only names
 * that are read from below.
 *
 * Invariant: the rows of elem.def come last among the operators, and in their own order. */
#include "batch/batch.h"
#include "egraph/saturate.h"
#include "ops/elem.h"
#include "ops/functions.h"
#include "passes/passes.h"
#include "rewrite/facts_step.h"

_Static_assert(OP_COUNT - OP_NEG == EL_COUNT, "the rows of elem.def come last");
_Static_assert((int)OP_RIGHT_SHIFT - (int)OP_NEG == (int)EL_RIGHT_SHIFT, "and in one order");

#define ATTR(NAME, KIND) {#NAME, ATTR_KIND_##KIND, false, 0},
#define USUAL(NAME, KIND, VALUE) {#NAME, ATTR_KIND_##KIND, true, VALUE},

#define FORM_named(WORD) FORM_call, .word = #WORD

const OpInfo op_table[OP_COUNT] = {
#define OP(ID, NAME, MIN, MAX, CLS, FLAGS, ATTRS, INFER, VJP, JVP, BATCH, EVAL, SURE, FACTS, FORM, \
           RULE, DOC)                                                                              \
    [OP_##ID] = {NAME,                                                                             \
                 MIN,                                                                              \
                 MAX,                                                                              \
                 CLS,                                                                              \
                 FLAGS,                                                                            \
                 COUNT_OF(((const OpAttr[]){ATTRS{0}})) - 1,                                       \
                 (const OpAttr[]){ATTRS{0}},                                                       \
                 infer_##INFER,                                                                    \
                 vjp_##VJP,                                                                        \
                 jvp_##JVP,                                                                        \
                 batch_##BATCH,                                                                    \
                 eval_##EVAL,                                                                      \
                 total_##SURE,                                                                     \
                 facts_##FACTS,                                                                    \
                 RULE,                                                                             \
                 DOC,                                                                              \
                 .form = FORM_##FORM},
#include "ops/all.def"
#undef OP
};
#undef ATTR
#undef USUAL
#undef FORM_named

/* ---- passes, in the order in which they run ---- */

/* Global rules: `rows` has what loops need not keep; `merge` finds loops that are the same, before
 * dead results go, as long as equal loops look alike; `join` puts loops together that are not, once
 * each is in its normal form; `last` has what would be in their way. */
const Pass pass_table[] = {
    {"inline", "function bodies in place of their calls", pass_saturate,
     .phases = {{.groups = "inline"}}},
    {"canonicalize",
     "one normal form: constants folded, signs and nesting straightened, shapes lifted",
     pass_canonicalize,
     .phases = {{.groups = "canonicalize"},
                {.groups = "canonicalize rows", .after = {"rows"}, .shortens = true}},
     .also = "branches share lift", .tells = true},
    {"stabilize", "the same functions without cancellation or overflow", pass_stabilize,
     .phases = {{.groups = "stabilize", .after = {"halves"}},
                {.groups = "canonicalize", .follows = true}}},
    {"differentiate", "implicit derivatives expanded, innermost first, and the result straightened",
     pass_differentiate,
     .phases = {{.groups = "lanes"},
                {.groups = "differentiate"},
                {.groups = "canonicalize stabilize", .after = {"halves"}, .follows = true}},
     .also = "branches"},
    {"simplify",
     "sums of products in fewer operations: like terms, common factors, orders of products",
     pass_simplify, .phases = {{.groups = "simplify"}}},
    {"expand", "composites opened: nothing is left to say about them as a whole", pass_saturate,
     .phases = {{.groups = "expand canonicalize"}}},
    {"loops", "loops that do less, run together, or become products, reductions and maps",
     pass_loops,
     .phases = {{.groups = "loops canonicalize",
                 .before = "merge",
                 .after = {"rows", "merge", "join", "last"}},
                {.groups = "expand canonicalize", .follows = true}},
     .also = "branches lift simplify", .tells = true},
    {"specialize", "cheaper operators for special cases", pass_specialize,
     .phases = {{.groups = "specialize"}, {.groups = "canonicalize stabilize", .follows = true}},
     .also = "share accumulate", .tells = true},
    {"fuse", "elementwise operators over the same elements in one pass over them", fuse_groups,
     .phases = {{.groups = "fuse"}}, .also = "order lift"},
    {"lower", "scans as the loops that run: counters, indices and tests spelled out", pass_lower,
     .phases = {{.groups = "lower", .runs = true}}, .also = "order"},
    {"saturate", "all forms that the rules give, and the cheapest of them", pass_equalities,
     .phases = {{.groups = "saturate"}},
     .also = "canonicalize stabilize expand specialize loops equate", .aside = true},
    {"census", "how many nodes of each class there are; it changes none", pass_census,
     .aside = true},
    {0}};

/* ---- rules in C, in the order in which they are tried ---- */

const CodeRule *const rule_tables[] = {
    elementwise_rules, structural_rules, derivative_rules, loop_rules,     product_rules,
    fuse_rules,        branch_rules,     view_rules,       through_rules,  position_rules,
    choice_rules,      write_rules,      quotient_rules,   diagonal_rules, simplify_rules,
    determinant_rules, one_hot_rules,    padded_rules,     reshaped_rules, kron_rules,
    whole_power_rules, textbook_rules,   equality_rules,   NULL,
};
