/* What a learner did in a lesson, question by question: `--record FILE` writes it as JSON, and
 * `gradus learn report FILE...` reads it. */
#ifndef GRADUS_RECORD_H
#define GRADUS_RECORD_H

#include "base/base.h"

typedef struct {
    char *typed;
    char *reply; /* the lesson's text for this mistake, or NULL: it lists no such mistake */
} WrongAnswer;

typedef struct {
    char *asked; /* the question, on one line */
    u32 tries, hints;
    bool answered, skipped;
    VEC(WrongAnswer) wrong; /* in the order in which they were typed */
} QuestionRecord;

typedef struct {
    char *lesson, *title; /* the name of the page, and its title */
    char *page;           /* sixteen digits of its text: another version is another lesson */
    char *learner;        /* the name given as --seed, or "" */
    VEC(QuestionRecord) questions;
} LessonRecord;

/* Reads one; false: `why` says what is wrong with the file, which is then as good as empty. */
bool record_read(LessonRecord *r, const char *path, Text *why);
/* Replaces the file as a whole; false and errno: it is as it was. */
bool record_write(const LessonRecord *r, const char *path);
void record_wrong(QuestionRecord *q, const char *typed, const char *reply);
void record_free(LessonRecord *r);

/* Prints tries, hints and the most common wrong answers for each question of each lesson; the exit
 * status. Files that are not records are named, and the others still count. */
int learn_report(size_t n, char *const *paths);

#endif
