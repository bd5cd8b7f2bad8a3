/* A lesson: a Markdown page as a row of screens with texts, programs and questions.
 *
 * The page begins with a title, `# Title`; each `## Heading` begins a screen.  Programs are the
 * blocks that `gradus weave` runs, questions are blocks ```gradus question (question.h).
 *
 * Numbers that a question draws become a hidden program before it (`a = 4`), so that they are
 * defined wherever the programs of the page run.  Texts that are made later are kept after the end
 * of the page. */
#ifndef GRADUS_LESSON_H
#define GRADUS_LESSON_H

#include "repl/documents/question.h"
#include "repl/documents/weave.h"
#include "repl/teach/answer.h"

typedef enum { ITEM_TEXT, ITEM_BLOCK, ITEM_QUESTION } ItemKind;

typedef struct {
    ItemKind kind;
    int screen; /* from 0 */
    Part text;  /* of the page: prose, or the statements of a block */
    u32 words;  /* of a block */
    Question question;
    Answer answer;    /* worked out by lesson_prepare */
    Answer *mistakes; /* one for each `wrong:` */
} Item;

typedef struct {
    Source page;    /* its name and text belong to the lesson */
    size_t written; /* bytes of the page as it was written */
    char *title;
    VEC(Item) items;
    int screens, questions;
    bool draws;  /* some question draws numbers */
    Repl judge;  /* in which the answers were worked out; they live in its memory */
    bool judged; /* there is one */
} Lesson;

/* Takes the page apart; takes over neither text.  Mistakes become diagnostics with lines of the
 * page, and false; the lesson is to be freed all the same. */
bool lesson_read(Lesson *l, const char *name, const char *text, size_t len, Diags *ds);
/* Draws the numbers of `let:` fields; the same for the same seed. Before lesson_prepare. */
void lesson_draw(Lesson *l, const char *seed);
/* Runs all programs, unseen, and works out all answers.  False after diagnostics: programs or
 * answers with errors, a `wrong:` that is right; after ^C. */
bool lesson_prepare(Lesson *l, Diags *ds);
void lesson_free(Lesson *l);
/* Prepares the lesson of a page, with many seeds if it draws numbers.  False after messages on
 * stderr, which name the seed.  A page without questions is not a lesson and has no mistakes. */
bool lesson_try(const char *name, const char *text, size_t len, bool color);

/* Weaves a page; what its questions draw is drawn for one seed. */
int lesson_weave(const WeaveOptions *o, const char *text, size_t len);

/* ---- draw.c ---- */
/* "a = 4, b = 2", or "" if the question draws nothing; to be freed. */
char *lesson_drawn(const Lesson *l, const Item *question);
/* Replaces every {EXPR} in the texts of a question by its value.  False after diagnostics of the
 * judge. */
bool lesson_fill(Lesson *l, Item *question);

/* ---- lesson_text.c ---- */
/* Markdown for a terminal: paragraphs broken at `width`, programs of other languages as they are,
 * no comments.  With colours code is cyan and headings are bold. */
void lesson_put_markdown(Text *out, const char *text, size_t len, int width, bool color);

#endif
