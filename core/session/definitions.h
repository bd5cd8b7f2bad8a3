/* What was written: the definitions and declarations that still matter, in the order in which they
 * were made, each with those it was built from.
 *
 * A definition matters while a name stands for it or one that matters was built from it. So they
 * say how to build the session again (`:save`), and which definitions keep an older meaning of a
 * name, in proportion to what there is and not to what there was. */
#ifndef GRADUS_DEFINITIONS_H
#define GRADUS_DEFINITIONS_H

#include "session/session.h"

typedef struct Use Use;
struct Use { /* `user` was built from `used` */
    Definition *user, *used;
    Use *next;           /* of what the user uses */
    Use *before, *after; /* among the users of `used` */
};

struct Definition {
    u64 serial;
    char *text; /* as `:save` writes it, comments above it included; a leaf without its value */
    const Node
        *leaf; /* the input or shared variable that it declares, or NULL; of a tuple the first: */
    int nleaves;
    const Node **leaves;
    char *dimensions; /* the names of theirs, a line for each; see definitions.c */
    char *form;       /* a value without its tensors: "", "(W=, b=)" */
    size_t *gaps;     /* in it, of each of them */
    int nnames;
    Symbol *names;
    u32 current; /* how many of its names stand for it */
    u32 kept;    /* how many rounds of :undo may want it back */
    Use *uses, *users;
    bool last_value; /* `ans`, which nobody wrote */
    bool stale; /* a name it was built from means something else now, and that was not told yet */
    u64 stamp;
    struct Provenance *provenance; /* what its statement knows of nodes */
    Definition *before, *after;    /* in order */
};

/* Names are looked up from here on for one statement. */
void definitions_start(Session *s);
/* A global name is looked up; false: what this text said of it failed. */
bool definitions_used(void *session, Symbol name);
/* The statement gave its names their values. */
void definitions_add(Session *s, const Stmt *stmt);
/* So did a declaration, or a store (then stmt declares nothing by itself); v is the input or shared
 * variable, or a tuple of them. */
void definitions_add_leaves(Session *s, const Stmt *stmt, Symbol name, Value *v);
/* The one that `name` has as the value that was shown last, made now; NULL: it is no such name. */
Definition *definitions_last(Session *s, Symbol name);
/* The same, with this text, which is taken over. */
Definition *definitions_add_last(Session *s, Symbol name, Text *text);
/* The name no longer stands for it, and nobody is told. */
void definitions_forget(Session *s, Definition *d, Symbol name);
/* The name of a definition that is in use in this statement and was built from an older meaning of
 * `name`, or NULL. */
Symbol definitions_older(void *session, Symbol name);
/* Tells of definitions that keep an older meaning of a name that was given anew. */
void definitions_tell(Session *s);
/* One round of :undo more that may want it back; one less. */
void definitions_keep(Definition *d);
void definitions_unkeep(Session *s, Definition *d);
/* The name stands for d again (NULL: for nothing). */
void definitions_restore(Session *s, Symbol name, Definition *d);
typedef SET(const Definition *) DefinitionSet;
/* Those that count: a name stands for it, or one that counts was built from it. The others are
 * kept for :undo alone. */
void definitions_counting(const Session *s, DefinitionSet *out);
void definitions_free(Session *s);

#endif
