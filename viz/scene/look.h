/* How pictures look, as a file of lines `key = value` says: fonts, colors, lines.
 *
 * Invariant: a look that is taken has letters that can be read: a contrast of 4.5:1 with whatever
 * they stand on. */
#ifndef GRADUS_LOOK_H
#define GRADUS_LOOK_H

#include "viz/scene/scene.h"

/* Reads a look into the scene. false: nothing is set, and *why says where (from 1; 0: of the whole)
 * and what. */
typedef struct {
    int line;
    Text what;
    const char *hint;
} LookFault;
bool look_read(Scene *s, const char *text, LookFault *why);
/* Sets one key; NULL, or what is wrong with its value. */
const char *look_set(Scene *s, const char *key, const char *value);
/* What was set for a key, or NULL. */
const char *look_value(const Scene *s, const char *key);
bool look_has_colors(const Scene *s);
/* A number that was set, else `usual`. */
double look_number(const Scene *s, const char *key, double usual);

#endif
