/* Terminals and signals.  See term.h. */
#include "repl/terminal/term.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Signal handlers take no argument, so these cannot hang on a session. */
static volatile sig_atomic_t interrupted; /* how often, since it was taken */
/* Presses that a program may leave unanswered; two, as one ^C can come both to the process
 * and to its group (timeout(1) sends it so). */
static volatile sig_atomic_t patience = 2;

bool term_color_mode(const char *word, ColorMode *mode)
{
    static const char *const words[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(word, words[i]) == 0) {
            *mode = (ColorMode)i;
            return true;
        }
    }
    return false;
}

bool term_is_tty(int fd) { return isatty(fd) == 1; }

int term_width(int fd)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return columns ? atoi(columns) : 0;
}

int term_height(int fd)
{
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

bool term_is_dumb(void)
{
    const char *term = getenv("TERM");
    return !term || !*term || strcmp(term, "dumb") == 0;
}

bool term_is_interactive(void) { return term_is_tty(STDIN_FILENO) && term_is_tty(STDOUT_FILENO); }

bool term_color(ColorMode mode, int fd)
{
    const char *no = getenv("NO_COLOR");
    if (mode != COLOR_AUTO)
        return mode == COLOR_ALWAYS;
    return !(no && *no) && term_is_tty(fd) && !term_is_dumb();
}

static void on_interrupt(int sig)
{
    int saved = errno;
    if (interrupted >= patience) {
        signal(sig, SIG_DFL);
        raise(sig);
    }
    interrupted++;
    errno = saved;
}

/* Only a stdout that nobody reads any more ends the program; a drawing program that went
 * away must not. */
static void on_broken_pipe(int sig)
{
    int saved = errno;
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&out, 1, 0) > 0 && (out.revents & POLLERR)) {
        signal(sig, SIG_DFL);
        raise(sig);
    }
    errno = saved;
}

void term_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL); /* no SA_RESTART: ^C ends a blocking read */
    action.sa_handler = on_broken_pipe;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPIPE, &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* past `ulimit -f` a write fails, as on a full disk */
}

void term_keep_session(void) { patience = 8; }

bool term_interrupted(void) { return interrupted != 0; }

volatile sig_atomic_t *term_interrupt_flag(void) { return &interrupted; }

bool term_take_interrupt(void)
{
    bool was = interrupted != 0;
    interrupted = 0;
    return was;
}
