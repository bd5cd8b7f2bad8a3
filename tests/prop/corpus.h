/* The programs that tests have at hand: the examples, and those of the golden tests. */
#ifndef GRADUS_CORPUS_H
#define GRADUS_CORPUS_H

#include "session/session.h"

typedef struct Corpus {
    Session s;        /* of the file that is being run */
    const char *file; /* its path */
    u32 seen, files;
    bool affordable; /* all of them from 40 percent on */
    /* Called for what each statement and command of the file is about. */
    void (*on_roots)(struct Corpus *c, int n, Node *const *roots);
    void *ctx;
} Corpus;

/* Runs them all, as far as effort_takes() wants them, in a folder of their own. */
void corpus_run(Corpus *c);

#endif
