/* A screen of our own.  See screen.h.
 *
 * Signal handlers take no argument, so what they have to give back is in `self`. They call nothing
 * but what a handler may call. */
#include "repl/terminal/screen.h"

#include "base/utf8.h"
#include "repl/terminal/term.h"

#include <errno.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

enum { PART_OF_A_KEY = 50 /* ms until the rest of an escape sequence is there */ };

static const int caught[] = {SIGTSTP, SIGWINCH, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGINT};

static struct {
    struct termios before, ours;
    struct sigaction old[COUNT_OF(caught)];
    volatile sig_atomic_t changed; /* to be drawn again */
} self;

static void put(const char *s, size_t n)
{
    while (n) {
        ssize_t k = write(STDOUT_FILENO, s, n);
        if (k < 0 && errno != EINTR && errno != EAGAIN)
            return;
        s += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
}

/* ---- taking over and giving back ---- */

static void take(void)
{
    static const char enter[] = "\033[?1049h\033[?25l\033[H\033[2J";
    tcsetattr(STDIN_FILENO, TCSADRAIN, &self.ours);
    put(enter, sizeof enter - 1);
}

static void give_back(void)
{
    static const char leave[] = "\033[0m\033[2J\033[?25h\033[?1049l";
    put(leave, sizeof leave - 1);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &self.before);
}

static void on_signal(int sig);

static void catch_one(int sig)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(sig, &action, NULL);
}

/* Dies of, or stops by, the signal as if nobody had caught it. */
static void obey(int sig)
{
    sigset_t set;
    signal(sig, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, sig);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(sig);
}

static void on_signal(int sig)
{
    int saved = errno;
    if (sig == SIGWINCH) {
        self.changed = 1;
    } else if (sig == SIGINT) {
        *term_interrupt_flag() = 1; /* however often: the session is not to be lost */
    } else {
        give_back();
        obey(sig);
        catch_one(sig); /* it was stopped, and goes on */
        take();
        self.changed = 1;
    }
    errno = saved;
}

bool screen_open(void)
{
    if (!term_is_interactive() || term_is_dumb() || tcgetattr(STDIN_FILENO, &self.before) != 0)
        return false;
    self.ours = self.before;
    self.ours.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
    self.ours.c_iflag &= ~(tcflag_t)(IXON | ICRNL);
    self.ours.c_cc[VMIN] = 1;
    self.ours.c_cc[VTIME] = 0;
    self.changed = 0;
    fflush(stdout);
    for (size_t i = 0; i < COUNT_OF(caught); i++) {
        sigaction(caught[i], NULL, &self.old[i]);
        catch_one(caught[i]);
    }
    take();
    return true;
}

void screen_close(void)
{
    give_back();
    for (size_t i = 0; i < COUNT_OF(caught); i++)
        sigaction(caught[i], &self.old[i], NULL);
}

void screen_size(int *columns, int *rows)
{
    *columns = term_width(STDOUT_FILENO);
    *rows = term_height(STDOUT_FILENO);
    *columns = *columns < 1 ? 80 : *columns;
    *rows = *rows < 1 ? 24 : *rows;
}

/* ---- keys ---- */

/* Waits so many ms (-1: for ever); signals come in meanwhile only. */
static bool wait_for_byte(int ms)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    struct timespec limit = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    sigset_t block, old;
    sigemptyset(&block);
    for (size_t i = 0; i < COUNT_OF(caught); i++)
        if (caught[i] != SIGABRT)
            sigaddset(&block, caught[i]);
    sigprocmask(SIG_BLOCK, &block, &old);
    bool now = !self.changed && !term_interrupted();
    int ready = now || ms >= 0 ? ppoll(&in, 1, ms < 0 ? NULL : &limit, &old) : -1;
    sigprocmask(SIG_SETMASK, &old, NULL);
    return ready > 0;
}

/* The next byte, -1 at the end of input. */
static int read_byte(void)
{
    unsigned char byte;
    ssize_t n;
    do
        n = read(STDIN_FILENO, &byte, 1);
    while (n < 0 && errno == EINTR);
    return n == 1 ? byte : -1;
}

static int key_of(int final, int number)
{
    static const struct {
        int final, number, key;
    } keys[] = {
        {'A', 0, KEY_UP},        {'B', 0, KEY_DOWN},     {'C', 0, KEY_RIGHT}, {'D', 0, KEY_LEFT},
        {'H', 0, KEY_HOME},      {'F', 0, KEY_END},      {'~', 1, KEY_HOME},  {'~', 4, KEY_END},
        {'~', 5, KEY_PAGE_UP},   {'~', 7, KEY_HOME},     {'~', 8, KEY_END},   {'~', 3, KEY_DELETE},
        {'~', 6, KEY_PAGE_DOWN}, {'Z', 0, KEY_BACK_TAB},
    };
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (keys[i].final == final && (final != '~' || keys[i].number == number))
            return keys[i].key;
    return KEY_UNKNOWN;
}

/* What comes behind ESC. */
static int escape_key(void)
{
    if (!wait_for_byte(PART_OF_A_KEY))
        return KEY_ESCAPE;
    int byte = read_byte(), number = 0;
    if (byte != '[' && byte != 'O')
        return byte < 0 ? KEY_FINISHED : KEY_UNKNOWN;
    while (wait_for_byte(PART_OF_A_KEY)) {
        byte = read_byte();
        if (byte < 0)
            return KEY_FINISHED;
        if (byte >= '0' && byte <= '9')
            number = number < 1000 ? 10 * number + byte - '0' : number;
        else if (byte >= '@')
            return key_of(byte, number);
    }
    return KEY_UNKNOWN;
}

int screen_key(int ms)
{
    for (;;) {
        bool ready = wait_for_byte(ms);
        if (term_take_interrupt())
            return KEY_BREAK;
        if (self.changed) {
            self.changed = 0;
            return KEY_RESIZE;
        }
        if (!ready && ms >= 0)
            return KEY_NOTHING;
        if (!ready)
            continue;
        int byte = read_byte();
        return byte < 0 ? KEY_FINISHED : byte == 27 ? escape_key() : byte;
    }
}

/* ---- drawing ---- */

/* One line without its newline, as far as there is room. Returns its columns. */
static int put_line(Text *out, const char *s, size_t n, int columns)
{
    int used = 0;
    for (size_t at = 0, k; at < n; at += k) {
        if (s[at] == '\033') {
            const char *end = memchr(s + at, 'm', n - at);
            k = end ? (size_t)(end - (s + at)) + 1 : n - at;
            text_putn(out, s + at, k);
            continue;
        }
        u32 c;
        k = (size_t)utf8_decode(s + at, n - at, &c);
        int w = k ? utf8_width(c) : 1;
        if (used + w <= columns)
            utf8_put_visible(out, s + at, n - at, &used);
        else
            used = columns;
        k = k ? k : 1;
    }
    text_put(out, "\033[0m\033[K");
    return used;
}

static void put_foot(Text *out, const char *foot, int columns, int rows, bool asking)
{
    text_printf(out, "\033[%d;1H", rows);
    int used = put_line(out, foot, strlen(foot), columns - 1);
    text_printf(out, "\033[%d;%dH\033[?25%c", rows, used + 1, asking ? 'h' : 'l');
}

void screen_draw(const char *lines, int top, const char *foot, bool asking)
{
    Text out = {0};
    int columns, rows, row = 1;
    screen_size(&columns, &rows);
    text_put(&out, "\033[?25l");
    for (const char *s = lines; *s && row < rows;) {
        size_t n = strcspn(s, "\n");
        if (top-- <= 0) {
            text_printf(&out, "\033[%d;1H", row++);
            put_line(&out, s, n, columns);
        }
        s += n + (s[n] == '\n');
    }
    for (; row < rows; row++)
        text_printf(&out, "\033[%d;1H\033[K", row);
    put_foot(&out, foot, columns, rows, asking);
    put(text_str(&out), out.len);
    text_free(&out);
}

void screen_foot(const char *foot)
{
    Text out = {0};
    int columns, rows;
    screen_size(&columns, &rows);
    put_foot(&out, foot, columns, rows, false);
    put(text_str(&out), out.len);
    text_free(&out);
}
