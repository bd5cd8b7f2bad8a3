/* A file of numbers by nodes: {"W": 1.5, "%3": 20}. */
#ifndef GRADUS_NUMBER_FILE_H
#define GRADUS_NUMBER_FILE_H

#include "viz/scene/scene.h"

/* A number for %id, or for all that bears the name. */
typedef struct {
    char *name;
    i64 id; /* 0: it is a name */
    double x;
    int line;
    bool found; /* some node was asked about that it is for */
} FileNumber;
typedef VEC(FileNumber) FileNumbers;

/* What is wrong, and in which line; NULL: nothing. To be freed in any case. */
const char *numbers_read(const char *text, FileNumbers *out, int *line);
/* The number of a node, the last one that is for it; nan: there is none. */
double numbers_find(FileNumbers *all, const SceneNode *n);
void numbers_free(FileNumbers *all);

#endif
