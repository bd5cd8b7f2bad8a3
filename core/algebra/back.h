/* From a form back to a program: the cheapest that is found over nodes that are there anyway.
 *
 * Like terms are one in a form. Sums are factored (back.c), each term is a contraction in an order
 * that is looked for (back_order.c), and is put together by operators that people write
 * (back_build.c): elementwise, repeated along axes, summed, products of vectors and matrices.
 *
 * Invariant: a node that comes back is made by the ordinary builders and has the type that was
 * asked for. That its form is the one it was made of is for the caller to ask, which proves all
 * that is done here. */
#ifndef GRADUS_FORM_BACK_H
#define GRADUS_FORM_BACK_H

#include "algebra/form.h"

/* The nodes that a form is of, in the author's order, all of them atoms (ATOM_LEAF). */
typedef struct {
    NodeVec nodes;
    NodeMap stop;      /* each of them: itself */
    NodeCounts places; /* each of them: its place, from 1 */
    NodeMap mirrored;  /* one that is f(-x): the one that is f(x), of which its form is made */
    u32 number;        /* the place of the first number that is added, before the source of that
                          place; 0: none is */
} Sources;
void sources_add(Sources *s, Node *n);
/* All of them are there: how do they hang together? */
void sources_relate(Sources *s);
void sources_clear(Sources *s);
void sources_free(Sources *s);
/* From here on forms are parts of something of this type, over these, and have room for so many
 * terms. */
void algebra_read_over(Algebra *a, const Type *whole, const Sources *from, u32 work);
/* How many of them were made since. */
u32 algebra_worked(const Algebra *a, u32 work);

/* Common factors are taken out if `factors`. NULL: it has something in it that no operator here
 * makes, or more than is looked at. */
Node *form_back(Algebra *a, const Form *f, Type *type, const Sources *from, bool factors);

/* The work of the nodes between n and its sources, sizes that are not known taken for the same
 * length; and how many there are, without numbers. */
typedef struct {
    double work;
    u32 nodes, reads, sums; /* reads: of sources; sums: passes that add elements up */
    u32 scaled; /* operands of products of matrices that are first multiplied by a number */
    u32 signs;  /* what is negated, or multiplied by a negative number */
    u32 powers; /* products that small powers stand for, beyond one each */
} BackCost;
BackCost back_cost(Store *st, Node *n, const Sources *from);

#endif
