/* The numbers that color= of :draw and :explore fills nodes by: what each would take
 * (core/exec/cost.h), or what a file says of them.
 *
 * Invariant: a name in a file that no node bears is an error. */
#ifndef GRADUS_COLOR_NUMBERS_H
#define GRADUS_COLOR_NUMBERS_H

#include "repl/commands/commands.h"
#include "viz/scene/number_file.h"

typedef enum { COLOR_TIME, COLOR_FLOPS, COLOR_BYTES, COLOR_FILE } ColorBy;

typedef struct {
    Call *c;
    const Option *option;
    ColorBy by;
    const char *name; /* "time", or that of the file without its directory */
    const char *unit;
    VEC(double) costs; /* by %id; nan: none */
    FileNumbers file;
} ColorNumbers;

/* Reads color=, which has to be given; costs are those of the graph with these roots. False after a
 * diagnostic; to be freed in any case. */
bool color_numbers_begin(ColorNumbers *k, Call *c, Numbering *num, int n, Node *const *roots);
/* nan: none. */
double color_number(ColorNumbers *k, const SceneNode *n);
/* Whether all names of the file were found, else false after a diagnostic; "in this drawing". */
bool color_numbers_used(const ColorNumbers *k, const char *where);
void color_numbers_free(ColorNumbers *k);

#endif
