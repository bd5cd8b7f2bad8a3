/* Equality by index forms (core/algebra) in an e-graph: see forms.c. */
#ifndef GRADUS_EGRAPH_FORMS_H
#define GRADUS_EGRAPH_FORMS_H

#include "algebra/form.h"
#include "egraph/saturator.h"

/* Unites classes of which terms have the same form; the roots are looked at first. */
void saturator_unite_forms(Saturator *s, int n, Node *const *roots, bool relations);
/* The first limit that a form met; its `what` is NULL if none did. */
FormLimit saturator_form_limit(const Saturator *s);
void saturator_forms_close(Saturator *s);

#endif
