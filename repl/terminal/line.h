/* The line editor: reads one entry, of one row or many, from a terminal.
 *
 * Return ends the entry if it is complete and starts a new row if it is not;
 * Alt-Return always starts a new row.  Up and Down move between rows and, from the first and
 * last, through the history (entries that begin like the text before the cursor).
 * Tab completes, Alt-h shows help on the word under the cursor, ^C drops the
 * entry, ^D on an empty one ends the session.  Knows nothing of the language. */
#ifndef GRADUS_LINE_H
#define GRADUS_LINE_H

#include <stdbool.h>

typedef struct LineConfig {
    /* Where entries are kept: NULL means $XDG_STATE_HOME/gradus/history (by default
     * ~/.local/state/gradus/history), "" nowhere. */
    const char *history_path;
    /* Whether Return starts a new row; NULL: never. */
    bool (*incomplete)(const char *text, void *ctx);
    /* What the word buffer[start, end) may become: a malloc'd, NULL-terminated list of malloc'd
     * strings (NULL: none), each beginning with `word`.  A space is put after a `:command`.
     * File names are completed inside double quotes without asking; elsewhere see
     * line_complete_files. */
    char **(*complete)(const char *buffer, int start, int end, const char *word, void *ctx);
    /* The colour of each byte of the entry (entry_rows.h), all 0 at first; NULL: it has none. */
    void (*colors)(const char *entry, unsigned char *colors, void *ctx);
    /* A few lines on a name or a `:command`, or NULL.  Valid until the next call. */
    const char *(*help)(const char *word, void *ctx);
    void *ctx;
} LineConfig;

typedef struct Line Line;

/* NULL unless stdin and stdout are terminals.  At most one may be open. */
Line *line_open(const LineConfig *config);
/* The next entry (caller frees), or NULL at the end of input.  `continuation` stands before
 * every row but the first.  Bytes of a prompt between \001 and \002 take no room (colours). */
char *line_read(Line *line, const char *prompt, const char *continuation);
/* The same with other callbacks, on one row and with a history of its own that lasts as long as the
 * editor: what a command asks while it runs. */
char *line_ask(Line *line, const LineConfig *config, const char *prompt);
const LineConfig *line_config(const Line *line); /* as it was opened with */
/* The callbacks get this context from now on. */
void line_serve(Line *line, void *ctx);
void line_close(Line *line);

/* For LineConfig.complete: names of files beginning with `word`. */
char **line_complete_files(const char *word);

/* Entries of the history, oldest first: NULL when `index` is past the last. */
const char *line_history(Line *line, int index);

#endif
