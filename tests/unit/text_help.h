/* Small worlds and graphs for the tests of graphs and their texts. */
#ifndef TEXT_HELP_H
#define TEXT_HELP_H

#include "graph/print.h"
#include "ops/build.h"
#include "graph/control.h"

typedef struct {
    Store st;
    Diags diags;
} World;

World *world_new(void);
void world_free(World *w);
void world_is_fine(World *w);
char *print_text(Store *st, int n, Node *const *roots);
Node *input_of(Store *st, const char *name, DType d, int rank, Size *const *dims);
Node *vector_input(Store *st, const char *name, const char *size);
Node *scalar_input(Store *st, const char *name);
Node *reduce_axis(Store *st, OpId op, Node *x, i64 axis);
Node *tensor_node(Store *st, DType d, int rank, const i64 *shape, const void *data);
Graph *close_body(Store *st, int nfixed, Node *const *fixed, int nseqs, Node *const *seqs,
                  int nouts, Node *const *outs, Closed *closed);
Node *rnn_scan(Store *st, Node *s0, Node *u, Node *W, Node *limit, Node *n);
Node *sequence_input(Store *st, const char *name);
Node *nested_scan(Store *st, Node *x, Node *u, Node *W, Node *n);
Node *square_gradient(Store *st, OpId op, Node *x, Node *y, Node *seed);
Node *choice_node(Store *st, Node *c, Node *x, Node *y);

#endif
