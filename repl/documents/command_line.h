/* What `gradus` takes on its command line: one table for reading it, for --help, the manual page
 * and the completions of shells. */
#ifndef GRADUS_COMMAND_LINE_H
#define GRADUS_COMMAND_LINE_H

#include "base/base.h"

typedef enum {
    OPT_STATEMENT,
    OPT_INTERACTIVE,
    OPT_JSON,
    OPT_COLOR,
    OPT_NO_INIT,
    OPT_OUT,
    OPT_CHECK,
    OPT_BLESS,
    OPT_SEED,
    OPT_RECORD,
    OPT_VERSION,
    OPT_LANGUAGE,
    OPT_MAN,
    OPT_COMPLETION,
    OPT_HELP
} OptionId;

typedef struct {
    OptionId id;
    const char *name, *word; /* word: of the value, or NULL */
    const char *values;      /* those that it may have, blank-separated, or "" */
    const char *doc;
} ProgramOption;

/* A way to call the program: "gradus test FILE..." and what it is for. */
typedef struct {
    const char *job, *args; /* job: "" runs programs */
    const char *doc;
} ProgramUse;

/* What the exit status says. */
typedef struct {
    int status;
    const char *doc;
} ProgramStatus;

extern const ProgramOption program_options[];
extern const ProgramUse program_uses[];
extern const ProgramStatus program_statuses[];
extern const size_t program_option_count, program_use_count, program_status_count;

/* gradus --help. */
void program_help(Text *out);
/* gradus(1), for man: roff with the macros of man(7). */
void program_man(Text *out);
/* What bash, zsh or fish needs to complete options, jobs and files. false: no such shell. */
bool program_completion(Text *out, const char *shell);

#endif
