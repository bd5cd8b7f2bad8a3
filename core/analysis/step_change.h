/* What a step changed, as people read it: lines in the surface language.
 *
 * `-` is what is no longer there, `+` what is there now, '.' words about what has no such form (a
 * loop that lost a state), ' ' what stands around it. What stays is written by its name or number,
 * unless it is short.
 *
 * Invariant: what is equal before and after is written equally in both lines; nothing that a step
 * left as it was is told. */
#ifndef GRADUS_STEP_CHANGE_H
#define GRADUS_STEP_CHANGE_H

#include "analysis/step_text.h"
#include "base/pretty.h"
#include "graph/node_map.h"
#include "rewrite/things.h"

typedef struct {
    char sign;
    char *text;
    size_t head; /* bytes of "name = " that it begins with */
    Edges marks; /* of the words that differ */
} ChangeLine;
typedef struct {
    VEC(ChangeLine) of;
} ChangeLines;

/* Where lines about one step are put together. */
typedef struct {
    Exploration *x;
    const Graph *within; /* whose nodes the step changes; NULL: the outermost */
    int width;           /* characters that a line may take, about */
    int most;            /* lines of one kind; the rest is counted */
    ChangeLines *out;
    const Graph *was; /* the graph before, if that is another one; else NULL */
    u32 time;         /* names as they were then (graph/provenance.h); 0: as they are */
} Telling;

/* What the step did; of one that rewrites inside a body only which rules did that. */
void change_of_step(const Telling *t, const Step *s);
/* One node that became another. */
void change_of_node(const Telling *t, Node *from, Node *to);
/* "in scan h, c": of a step that rewrites inside a body. */
void change_where(const Telling *t, const Step *s);
/* At most two users of what it put in, in the state after it, whose roots are given. */
void change_context(const Telling *t, const Step *s, int n, Node *const *roots);
/* "scan h, c of the function of grad": where the nodes of a body stand; nothing of NULL. */
void put_where(Text *out, Exploration *x, const Graph *within);
/* "before => after" in one line, where there is one change and that is all there is to say. */
bool change_in_a_line(Text *out, const ChangeLines *lines);
/* Marks the words that differ (change_words.c). */
void change_mark(ChangeLines *lines);
/* Marks them, and writes lines that are at most `width` wide where that is possible
 * (change_put.c). */
void change_put(Text *out, ChangeLines *lines, int indent, int width, Marks marks);
/* The same of lines that are marked already. */
void change_put_marked(Text *out, const ChangeLines *lines, int indent, int width, Marks marks);
void change_free(ChangeLines *lines);

/* ---- for loop_change.c ---- */

/* What is at most a few levels below n, n first. */
void nodes_near(Node *n, NodeFlags *near, NodeVec *order);

/* Adds a line, which takes the text; `head` bytes of it are "name = ". */
void change_definition(const Telling *t, char sign, size_t head, Text *text);
void change_line(const Telling *t, char sign, Text *text);
void change_more(const Telling *t, int more); /* "… and 3 more", if there are some */
/* "name = expression", what is a key of `leaves` by name or number; the expression alone if n has
 * no name. Returns the bytes of "name = ". */
size_t put_definition(const Telling *t, Text *out, Node *n, const NodeSet *leaves, int most_chars);
/* The step turns loops into others: says how. false: it does no such thing. */
bool change_of_loops(const Telling *t, const Step *s);

#endif
