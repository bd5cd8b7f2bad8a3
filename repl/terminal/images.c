/* Protocols of pictures in terminals.  See images.h.
 *
 *   kitty   graphics protocol: APC G, the PNG in base64 in parts of 4096 (kitty, Ghostty, Konsole)
 *   iterm   OSC 1337 File=inline (iTerm2, WezTerm)
 *   sixel   DCS q (foot, mlterm, xterm -ti vt340, ..)
 *
 * A terminal that is unknown is asked by kitty's question and by "what are you" (DA1), which all
 * answer, so that the wait has an end. */
#include "repl/terminal/images.h"
#include "repl/terminal/term.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

const char *const image_words[IMAGE_MODES] = {"auto", "kitty", "iterm", "sixel", "off"};

/* ---- what the environment says ---- */

/* A variable, and how it or a part of it begins; NULL: that it is set. */
typedef struct {
    const char *name, *begins;
    ImageMode mode;
} Sign;

/* The first that holds decides.  A multiplexer passes no pictures on unless told to. */
static const Sign signs[] = {
    {"TMUX", NULL, IMAGES_OFF},
    {"STY", NULL, IMAGES_OFF},
    {"TERM", "tmux", IMAGES_OFF},
    {"TERM", "screen", IMAGES_OFF},
    {"TERM", "linux", IMAGES_OFF},
    {"KITTY_WINDOW_ID", NULL, IMAGES_KITTY},
    {"TERM", "xterm-kitty", IMAGES_KITTY},
    {"TERM", "xterm-ghostty", IMAGES_KITTY},
    {"TERM_PROGRAM", "ghostty", IMAGES_KITTY},
    {"KONSOLE_VERSION", NULL, IMAGES_KITTY},
    {"TERM_PROGRAM", "iTerm.app", IMAGES_ITERM},
    {"LC_TERMINAL", "iTerm2", IMAGES_ITERM},
    {"TERM_PROGRAM", "WezTerm", IMAGES_ITERM},
    {"TERM", "foot", IMAGES_SIXEL},
    {"TERM", "mlterm", IMAGES_SIXEL},
};

static ImageMode images_told(void)
{
    for (size_t i = 0; i < COUNT_OF(signs); i++) {
        const char *value = getenv(signs[i].name), *begins = signs[i].begins;
        if (value && *value && (!begins || strncmp(value, begins, strlen(begins)) == 0))
            return signs[i].mode;
    }
    return IMAGES_AUTO;
}

/* ---- what it answers ---- */

/* What comes until the answer to DA1 ends, which is the second question. */
static void read_answer(char *answer, size_t room)
{
    size_t n = 0;
    double end = now_seconds() + IMAGES_PATIENCE / 1000.0;
    for (;;) {
        struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
        double left = end - now_seconds();
        if (left <= 0 || n + 1 >= room || poll(&in, 1, (int)(left * 1000) + 1) <= 0)
            break;
        if (read(STDIN_FILENO, answer + n, 1) != 1)
            break;
        answer[++n] = '\0';
        const char *told = strstr(answer, "\033[?");
        if (told && answer[n - 1] == 'c')
            break;
    }
}

/* Is 4 among the numbers of "ESC [ ? 62 ; 4 c"? */
static bool tells_sixel(const char *answer)
{
    const char *at = strstr(answer, "\033[?");
    for (at = at ? at + 3 : ""; *at; at += strcspn(at, ";") + (at[strcspn(at, ";")] == ';'))
        if (at[0] == '4' && (at[1] == ';' || at[1] == 'c'))
            return true;
    return false;
}

static ImageMode images_asked(void)
{
    static const char question[] = "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c";
    struct termios before, raw;
    struct pollfd typed = {.fd = STDIN_FILENO, .events = POLLIN};
    char answer[256] = "";
    if (poll(&typed, 1, 0) != 0 || tcgetattr(STDIN_FILENO, &before) != 0)
        return IMAGES_OFF;
    raw = before;
    raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    fflush(stdout);
    if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0)
        return IMAGES_OFF;
    if (write(STDOUT_FILENO, question, sizeof question - 1) == (ssize_t)sizeof question - 1)
        read_answer(answer, sizeof answer);
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return strstr(answer, "\033_Gi=31;OK") ? IMAGES_KITTY
           : tells_sixel(answer)           ? IMAGES_SIXEL
                                           : IMAGES_OFF;
}

ImageMode images_found(void)
{
    if (!term_is_interactive() || term_is_dumb())
        return IMAGES_OFF;
    ImageMode told = images_told();
    return told != IMAGES_AUTO ? told : images_asked();
}

ScreenSize images_screen(void)
{
    struct winsize w = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0)
        return (ScreenSize){0};
    return (ScreenSize){w.ws_col, w.ws_row, w.ws_xpixel, w.ws_ypixel};
}

/* ---- showing ---- */

static void put_base64(Text *out, const char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        u32 v = 0;
        for (size_t k = 0; k < 3; k++)
            v = v << 8 | (i + k < n ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            text_putc(out, i + k <= n ? digits[v >> (18 - 6 * k) & 63] : '=');
    }
}

/* q=2: it does not answer, as nobody would read that. */
static void put_kitty(Text *out, const Text *png, int columns)
{
    enum { PART = 3072 /* bytes, 4096 digits */ };
    for (size_t i = 0; i < png->len; i += PART) {
        size_t n = png->len - i < PART ? png->len - i : PART;
        text_put(out, "\033_G");
        if (i == 0) {
            text_put(out, "a=T,f=100,q=2,");
            if (columns)
                text_printf(out, "c=%d,", columns);
        }
        text_printf(out, "m=%d;", i + n < png->len);
        put_base64(out, png->at + i, n);
        text_put(out, "\033\\");
    }
}

static void put_iterm(Text *out, const Text *png, int columns)
{
    text_printf(out, "\033]1337;File=inline=1;size=%zu;", png->len);
    if (columns)
        text_printf(out, "width=%d;", columns);
    text_put(out, "preserveAspectRatio=1:");
    put_base64(out, png->at, png->len);
    text_putc(out, '\a');
}

void image_put(Text *out, ImageMode mode, const Text *bytes, int columns)
{
    if (mode == IMAGES_KITTY)
        put_kitty(out, bytes, columns);
    else if (mode == IMAGES_ITERM)
        put_iterm(out, bytes, columns);
    else
        text_putn(out, bytes->at, bytes->len);
    text_putc(out, '\n');
}
