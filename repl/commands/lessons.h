/* The lessons that come with the program, and how far someone got in each.
 *
 * Lessons are the files repl/teach/lessons/NN-NAME.md, in order.  Progress is a line for each
 * lesson in $XDG_STATE_HOME/gradus/lessons: how many screens were seen, of how many, its name. */
#ifndef GRADUS_LESSONS_H
#define GRADUS_LESSONS_H

#include "base/base.h"

typedef struct {
    char *name;  /* "scan"; the caller frees it */
    char *title; /* the same */
    const char *text;
    size_t len;
} ShelfLesson;

size_t lesson_count(void);
/* The k-th one, from 1 on. */
ShelfLesson lesson_at(size_t k);
void lesson_put_back(ShelfLesson *lesson); /* frees its texts */
/* The place of a lesson, by its number or name; 0: there is none. */
size_t lesson_find(const char *word);

typedef struct {
    int done, screens;
} Progress;

/* None: zeros. */
Progress progress_of(const char *name);
/* False and errno: it cannot be written.  Where there is no place for it nothing is kept. */
bool progress_keep(const char *name, Progress p);
/* Forgets all, or that of one lesson; false and errno as above. */
bool progress_forget(const char *name);

#endif
