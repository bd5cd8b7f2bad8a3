/* Playing a lesson: texts are shown, programs run, questions asked, answers judged.
 *
 * What is typed runs in a session of the lesson's own, so that the one that asked for the lesson is
 * as it was when the lesson is left. */
#ifndef GRADUS_LEARN_H
#define GRADUS_LEARN_H

#include "repl/commands/repl.h"

/* Where entries come from. */
typedef struct {
    void *ctx;
    /* The next entry (the caller frees it), perhaps of several rows; NULL at the end. */
    char *(*read)(void *ctx, Repl *session, const char *prompt);
    /* What an entry means, as at the prompt (words.c); NULL: itself. */
    char *(*meant)(Repl *session, const char *entry);
    bool (*partial)(const char *text, void *ctx); /* does a statement end behind the text? */
} LearnHost;

/* Plays the lesson that :learn asked for (r->lesson), and those that are asked for in it, until
 * they end or are left. */
void learn_play(Repl *r, const LearnHost *host);

#endif
