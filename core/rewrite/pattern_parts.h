/* What reading a pattern and checking a right side share: what attributes and operands may be
 * written, and what the kinds of RuleValue are called. */
#ifndef GRADUS_PATTERN_PARTS_H
#define GRADUS_PATTERN_PARTS_H

#include "graph/op.h"
#include "rewrite/pattern.h"

bool expr_is_rest(const Expr *x); /* `rest...` */
bool expr_is_number(const Expr *x);
const char *rule_kind_text(char kind); /* "an operand" */
/* n operands beside so many rests. */
bool rule_arity_fits(OpId op, int n, int rests);
bool rule_arity_error(const Expr *x, const char *name, int n, Diags *diags); /* false */
bool attr_is_open(char kind);                                                /* to rules */
bool dtype_from_name(const char *name, i64 *out);
bool attr_from_literal(Arena *arena, const Expr *x, char kind, PatAttr *a);
/* Every attribute must be said: a pattern that left one out would match whatever it is. */
bool attrs_all_given(const Expr *x, OpId op, u32 given, const char *what, Diags *diags);
bool op_can_be_matched(OpId op);
/* Numbers the parts from `next` on, and notes where any order matches; the number after the last.
 */
int pattern_number(Pattern *p, int next);

/* grad(body, x), vjp(body, x, with), jvp(body, x, with), vmap(x -> body)(at). */
typedef struct {
    OpId op;
    const Expr *body, *at, *with;
    const char *parameter; /* x; NULL: what stands there is no name */
} InnerCall;
/* False: x calls something else; out->op OP_COUNT: it does, but not in one of these forms. */
bool expr_inner_call(const Expr *x, InnerCall *out);
extern const char inner_forms[];
/* The loop of a left side: its state, what the equation gives. False after a diagnostic. */
bool scan_form_read(const Expr *x, ScanForm *form, const Bind **state, const Expr **value,
                    Diags *diags);

#endif
