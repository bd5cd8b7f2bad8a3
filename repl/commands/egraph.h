/* What :saturate, :draw and :explore share about equality saturation. */
#ifndef GRADUS_COMMANDS_EGRAPH_H
#define GRADUS_COMMANDS_EGRAPH_H

#include "session/equal.h"
#include "repl/commands/commands.h"

/* rules= iterations= nodes= cost= assume= n=; false after a diagnostic. (commands_saturate.c) */
bool call_saturating(Call *c, Saturating *how);
/* What a form costs by the measure of cost=, with its unit: "0.044 us". x is in ns if it is a time.
 * (commands_saturate.c) */
Datum cost_in_units(Report *r, int kind, double x);
/* best= and has= of :saturate; false after a diagnostic.  Free with several_free.
 * (commands_forms.c) */
bool call_several(Call *c, int n, Node *const *roots, SaturatedForms *f);
bool call_wants_several(const Call *c);
void put_forms(Call *c, const Saturating *how, const Exploration *x, const SaturatedForms *f);
/* An expression as one tensor of this node's type; NULL after a diagnostic. (commands_equal.c) */
Node *call_root_like(Call *c, Span part, Node *like);
/* Are keys of e-graphs given only beside egraph=on? false after a diagnostic. */
bool egraph_keys_fit(Call *c);
/* `:draw EXPR FILE egraph=on`, `:explore EXPR FILE.html egraph=on`. */
bool draw_egraph(Call *c);
bool explore_egraph(Call *c);

#endif
