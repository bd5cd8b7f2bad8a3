/* What lasts between statements.
 *
 * A statement's tree and what the elaborator makes of it live in a chapter of their own, which ends
 * with the statement. A global name keeps a copy of its value; where that holds functions, which
 * refer to trees, the whole chapter stays. Collections (graph/collect.h) run when a statement has
 * ended and what is held has doubled since the last one, so that they cost O(1) per statement. */
#ifndef GRADUS_KEEP_H
#define GRADUS_KEEP_H

#include "session/session.h"

/* A statement of `src` begins (or a round of one); returns what session_end needs. */
Chapter *session_begin(Session *s, const Source *src);
void session_end(Session *s, Chapter *outer);
/* The next statement of a text, in a chapter that session_end ends. Between source_open and
 * source_close the text is kept alive. */
ParseStatus session_parse(Session *s, Parser *p, Stmt **out, Chapter **outer);
void source_open(Session *s, const Source *src);
void source_close(Session *s);

typedef struct {
    size_t nodes, bytes;     /* freed; bytes: of graphs, trees, texts, tensors and programs */
    size_t kept, kept_bytes; /* that stay */
} Collected;
/* Frees at once what no name, no kept exploration and no running text reaches. */
Collected session_collect(Session *s);

/* Elab.keep of a session. */
Value *session_keep(void *session, Symbol name, Value *v, Value *old);
/* v, kept before, is to stand for the name again: its nodes are held instead of those of what the
 * name stands for now. Returns v. */
Value *session_held(Session *s, Symbol name, Value *v);
void session_keep_free(Session *s);
/* What a text takes in memory: at the prompt its own bytes are the least of it. */
size_t source_bytes(const Source *src);

#endif
