/* A lesson that is being played; shared by the files that play it. */
#ifndef GRADUS_PLAYER_H
#define GRADUS_PLAYER_H

#include "repl/teach/learn.h"
#include "repl/teach/lesson.h"
#include "repl/teach/record.h"

typedef struct {
    Repl *r; /* who asked for the lesson */
    const LearnHost *host;
    Lesson lesson;
    char *name; /* of its progress */
    int place;  /* on the shelf; 0: a file */
    Repl session;
    size_t at;          /* the next item */
    VEC(char *) typed;  /* what defined something */
    bool dirty;         /* the session is not what the programs of the lesson make of it */
    int answered, told; /* questions */
    bool unkept;        /* it was said that progress cannot be kept */
    /* of the question that is pending; NULL: none is */
    const Item *asked;
    size_t hints; /* given */
    int tries;
    bool literal; /* what is tried is a plain number */
    bool looking; /* it is the name of something */
    bool judged;  /* what was typed was an answer: */
    Mark mark;
    int mistake;           /* which of the listed ones, or -1 */
    const char *typed_now; /* the entry that is being judged */
    LessonRecord record;   /* kept in any case, written if there is a file for it */
    bool unrecorded;       /* it was said that it cannot be written */
    const char *entry;     /* what was typed, while it runs */
    char *line;            /* of a derivation: the last line that was accepted, as typed */
    int lines;             /* how many were accepted */
} Player;

typedef enum { TURN_STAY, TURN_NEXT, TURN_BACK, TURN_AGAIN, TURN_START, TURN_LEAVE } Turn;

void player_say(Player *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Markdown of the page, as wide as the terminal, with `before` in front of it. */
void player_show(Player *p, const char *before, Part text);
/* Statements of the page: shown as if they were typed, with what they give. */
void player_run(Player *p, Part code, u32 words);
/* Asks the present question (NULL: nothing, Enter goes on) until there is something to do. */
Turn player_ask(Player *p, const Item *item);

/* ---- recorder.c: what the learner does, in p->record ---- */

/* Begins a record, or goes on with the one in the file; false after a diagnostic: that is the
 * record of something else. */
bool recorder_begin(Player *p);
void recorder_hint(Player *p);
void recorder_right(Player *p);
void recorder_skip(Player *p);
/* A wrong answer; `reply`: of the listed mistake, or NULL. */
void recorder_wrong(Player *p, const Part *reply);

/* ---- entry.c: what people type instead of an answer ---- */

Source entry_source(const char *entry); /* for a parser; it lives as long as the entry */
/* The entry with a minus that is a minus; the caller frees it. */
char *entry_plain(const char *entry);
/* What to say of a unit, a currency, a decimal comma or prose; NULL: it may be an answer. `own`
 * says whether the session defines a word. */
const char *entry_advice(Player *p, const char *entry);
/* Does the learner's session define this? */
bool entry_defined(Player *p, const char *word);

/* ---- derive.c: a derivation, line by line ---- */

/* The question begins: its first expression is the line to continue. */
void derive_begin(Player *p);
/* Judges a line that was typed: its result must equal the line before.  Says why or why not; true
 * if the derivation has reached its end. */
bool derive_line(Player *p, const Result *res);
/* Is it proved that both are one value (but for rounding and exceptions)? */
bool lines_equal(Session *s, Node *a, Node *b);

/* ---- fault.c: the part of a line that is wrong ---- */

/* Names the smallest part of a wrong line that the line before or, if that is of another form, the
 * end of the derivation has otherwise; nothing if that is the whole line. What the end has instead
 * is not said. */
void put_fault(Player *p, Node *before, Node *end, Node *now);

#endif
