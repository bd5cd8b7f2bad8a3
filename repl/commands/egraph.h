/* What :saturate, :draw and :explore share about equality saturation. */
#ifndef GRADUS_COMMANDS_EGRAPH_H
#define GRADUS_COMMANDS_EGRAPH_H

#include "egraph/saturate.h"
#include "repl/commands/commands.h"

/* rules= iterations= nodes= cost= assume= n=; false after a diagnostic. (commands_saturate.c) */
bool call_saturating(Call *c, Saturating *how);
/* `:draw EXPR egraph FILE`, `:explore EXPR egraph FILE.html`: the word was taken off. */
bool draw_egraph(Call *c);
bool explore_egraph(Call *c);

#endif
