/* The parts of :explain: what an expression costs, what its gradients keep.
 *
 * Invariant: every number is counted from the graph. A size that is not known stays a symbol; where
 * costs are compared, and only there, a number stands for it, which is said. */
#ifndef GRADUS_EXPLAIN_H
#define GRADUS_EXPLAIN_H

#include "repl/commands/commands.h"
#include "analysis/graph_cost.h"
#include "graph/control.h"

typedef struct {
    Call *c;
    Store *st;
    Exploration *x;
    Text *out;
    bool markdown;
    SizeNumbers numbers; /* ASSUMED for what is not known */
    Costs costs;
    Owners owners; /* of the graph that is gone through */
} Explain;

/* ---- the page (commands_explain.c) ---- */

void explain_heading(Explain *e, const char *title);
/* A point of the page, folded at its width; the text is freed. */
void explain_point(Explain *e, int level, Text *text);
/* The same of a text in pieces. */
void explain_say(Explain *e, int level, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The same of a template, whose data is the next item of the list that is open. */
#define explain_item(e, level, template, ...)                                   \
    explain_item_((e), (level), (template), COUNT_OF(((Datum[]){__VA_ARGS__})), \
                  (Datum[]){__VA_ARGS__})
void explain_item_(Explain *e, int level, const char *template, size_t n, const Datum *values);
/* "scan h, c" */
Datum explain_called(Explain *e, Node *n);
/* What stands for a size that is not known where costs are compared. */
enum { ASSUMED = 100 };

/* ---- what is kept (explain_kept.c) ---- */

/* For each loop that runs backward, what it reads of the loop forward; data `kept`. */
void explain_kept(Explain *e, int n, Node *const *roots);

#endif
