/* What the program is connected to: terminals, colour, width, and the signals a
 * terminal sends.
 *
 * Invariant: the interrupt flag is the only thing a signal handler changes. */
#ifndef GRADUS_TERM_H
#define GRADUS_TERM_H

#include <signal.h>
#include <stdbool.h>

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

/* --color=auto|always|never; false if the word is none of these. */
bool term_color_mode(const char *word, ColorMode *mode);
/* Whether to colour what goes to `fd`: auto means a terminal other than TERM=dumb, and no NO_COLOR.
 */
bool term_color(ColorMode mode, int fd);

bool term_is_tty(int fd);
int term_width(int fd);         /* columns of that terminal, else of $COLUMNS; 0: not known */
int term_height(int fd);        /* rows of that terminal; 0: not known */
bool term_is_dumb(void);        /* TERM is unset, empty or "dumb": no cursor movement */
bool term_is_interactive(void); /* someone types and reads: stdin and stdout are terminals */

/* ^C sets the interrupt flag; a third ^C before the flag was taken ends the program, after
 * term_keep_session, which is for prompts, the ninth.
 * Writing to a closed stdout (`gradus ... | head`) ends it quietly; a write to any other
 * closed pipe fails with EPIPE. */
void term_catch_signals(void);
void term_keep_session(void);
bool term_interrupted(void);    /* ^C was pressed: cheap, to be polled while evaluating */
bool term_take_interrupt(void); /* the same, and clears the flag */
volatile sig_atomic_t *term_interrupt_flag(void); /* for those who poll it themselves */

#endif
