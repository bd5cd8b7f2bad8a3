/* What the parts of the program `gradus` share: one Session, how it prints, what it
 * was told to read.
 *
 * Invariant: every diagnostic goes through repl_report, which notes the exit status;
 * stdout gets data only, and is flushed before anything is written to stderr. */
#ifndef GRADUS_REPL_H
#define GRADUS_REPL_H

#include "session/session.h"
#include "repl/terminal/line.h"
#include "repl/terminal/images.h"
#include "repl/terminal/term.h"

enum {
    EXIT_FINE = 0,
    EXIT_PROGRAM = 1, /* an error in the program */
    EXIT_USAGE = 2,   /* of the command line */
    EXIT_IO = 3,      /* a file that cannot be read or written */
    EXIT_INTERRUPTED = 130
};

enum { MAX_LOAD_DEPTH = 16, PRINT_WHOLE = 1000 };

/* Gets what would be shown or written, for `gradus test` and `gradus weave`; a NULL leaves that
 * to the Repl. */
typedef struct {
    void *ctx;
    void (*result)(void *ctx, Result *result);
    void (*diag)(void *ctx, const Diag *d);
    /* A file that a command makes; `about` tells of a drawing in a few sentences, or is NULL. False
     * after a diagnostic. */
    bool (*file)(void *ctx, const char *path, const Text *bytes, const char *about, Span span);
    /* A claim of :expect that does not hold; what would hold in place of it, as text. */
    void (*unmet)(void *ctx, Span claim, const char *actual);
} Listener;

typedef struct Repl {
    Session s;
    bool json;
    bool at_prompt; /* what runs was typed: definitions print */
    bool prompting; /* there is a prompt: ^C ends a statement, not the program */
    bool color;     /* of diagnostics */
    ColorMode color_mode;
    i64 threshold;                  /* elements above which a tensor is printed in part; 0: never */
    int digits;                     /* of numbers, at most; 0: six in arrays and tables, else all */
    int width;                      /* of tables; 0: of the terminal */
    ImageMode images, images_found; /* as set; as found, IMAGES_AUTO: not asked yet */
    int status;                     /* the exit status so far */
    bool differs;                   /* the two graphs that :diff compared last */
    char *const *judge; /* the command of `gradus reduce`: is a candidate as wanted? else NULL */
    bool unmet;         /* the condition of :reduce did not hold for the whole */
    u32 held;           /* claims of :expect that held so far */
    bool checks_scenes; /* what scene_check.h finds in a drawing is an error */
    bool quit;
    bool reset;       /* :reset was given: the session begins anew when the statement has ended */
    const char *init; /* the file that the prompt began with, or NULL; not owned */
    int lesson;       /* :learn asked for this one (-1: lesson_file): it begins when the statement
                         has ended; 0: it did not */
    char *lesson_file;
    const char *seed, *record; /* of lessons: what draws their numbers, where what the learner does
                                  is written; NULL: as if "", nowhere */
    /* Plays it: from the prompt, or (not NULL) with these lines as what is typed.  Returns how much
     * of them was.  NULL: nobody is here to learn. */
    size_t (*tutor)(struct Repl *r, const char *lines);
    bool interrupted; /* ^C ended a statement */
    bool progress;    /* a progress line is on the screen */
    double progress_at;
    size_t reported; /* diagnostics of the session that were shown */
    int running;     /* statements that are under way, those of files that they load included */
    int depth;       /* of :load in files that :load */
    const char *loading[MAX_LOAD_DEPTH];
    u32 entries;            /* typed so far */
    Line *line;             /* the editor, or NULL */
    Text help;              /* the text that Alt-h shows */
    const char *completing; /* the command whose arguments are being completed, or NULL */
    VEC(char *) files;      /* read so far, for :load */
    const char *pass;       /* of rules typed or read now; NULL: canonicalize */
    VEC(char *) rules;      /* of one's own, as they were typed: what `:save` writes */
    Text *capture;          /* gets what would go to stdout; may be NULL */
    Listener listener;
} Repl;

/* ---- run.c ---- */
bool repl_init(Repl *r);
/* A fresh one with the rules, which it borrows, and the settings of another. */
bool repl_open_like(Repl *r, const Repl *like);
/* Begins anew: names, rules and settings of the session as at the start, init file included. */
void repl_reset(Repl *r);
/* Runs the init file, if there is one. */
void repl_run_init(Repl *r);
void repl_free(Repl *r);
/* Runs a text of any number of statements. */
void repl_run_text(Repl *r, const char *name, const char *text, size_t len);
void repl_run_source(Repl *r, const Source *src);
void repl_run_statement(Repl *r, Stmt *stmt);
/* Runs a file ("-": stdin); each line of one that ends in .rules is a rule, as of `:rule`, or
 * `pass NAME`. `span` is where it was asked for, for the message. */
bool repl_run_file(Repl *r, const char *path, Span span);
/* One line of such a file. *last: the rule that examples below it are about, NULL at first. */
void repl_run_rule_line(Repl *r, const Source *src, size_t from, size_t to, const Rule **last);
enum { LEAST_WIDTH = 20, MOST_WIDTH = 100000 };
/* Columns that a table may take: as set, else of the terminal, else 100. */
int repl_width(const Repl *r);
bool repl_is_rules(const char *path); /* ends in .rules */
/* Reads a whole file; NULL after an "io" diagnostic. */
char *repl_read_file(Repl *r, const char *path, Span span, size_t *len);
/* Shows the diagnostics that wait, or gives them to the listener. */
void repl_report(Repl *r);
void repl_set_color(Repl *r, ColorMode mode);

#endif
