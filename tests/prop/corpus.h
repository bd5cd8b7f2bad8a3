/* Every expression of the examples and of the golden tests. */
#ifndef GRADUS_CORPUS_H
#define GRADUS_CORPUS_H

#include "session/session.h"

typedef struct Corpus {
    Session s; /* in which the file runs */
    const char *file;
    u32 seen, files;
    void (*visit)(struct Corpus *c, int n, Node *const *roots);
    void *ctx;
} Corpus;

/* Visits the roots of each, in a folder that is removed afterwards. */
void corpus_run(Corpus *c);

#endif
