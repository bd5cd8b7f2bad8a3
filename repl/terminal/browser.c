/* Pages without a file of their own; see browser.h. */
#include "repl/terminal/browser.h"
#include "repl/terminal/state_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_LETTERS = 40 };

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* "explore-grad-loss-Uf": letters and digits of the title; what is cut off, or is neither, is told
 * by a number. */
static void put_name(Text *out, const char *title)
{
    size_t n = strlen(title), first = out->len;
    bool exact = n <= MOST_LETTERS;
    for (size_t i = 0; i < n && i < MOST_LETTERS; i++)
        if (is_plain(title[i]))
            text_putc(out, title[i]);
        else if (out->len > first && out->at[out->len - 1] != '-')
            text_putc(out, '-');
    for (size_t i = 0; i < n; i++)
        exact = exact && is_plain(title[i]);
    if (!exact)
        text_printf(out, "-%08x", (unsigned)hash_bytes(title, n, 1));
}

char *browser_page_path(const char *title)
{
    Text path = {0};
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        text_printf(&path, "%s/gradus/explore-", cache);
    else if (home && *home == '/')
        text_printf(&path, "%s/.cache/gradus/explore-", home);
    else
        return NULL;
    put_name(&path, title);
    text_put(&path, ".html");
    char *out = text_take(&path);
    make_folders_of(out);
    return out;
}

static bool has_screen(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
}

static bool on_path(const char *program)
{
    const char *at = getenv("PATH");
    bool found = false;
    while (at && *at && !found) {
        Text file = {0};
        size_t n = strcspn(at, ":");
        text_printf(&file, "%.*s/%s", (int)n, at, program);
        found = n && access(text_str(&file), X_OK) == 0;
        text_free(&file);
        at += n + (at[n] == ':');
    }
    return found;
}

/* Two processes: the one that is waited for ends at once, the other belongs to nobody. */
bool browser_open(const char *path)
{
    if (!has_screen() || !on_path("xdg-open"))
        return false;
    pid_t child = fork();
    if (child == 0) {
        int quiet = open("/dev/null", O_RDWR);
        setsid(); /* the terminal may be gone at once */
        if (fork() != 0)
            _exit(0);
        for (int fd = 0; quiet >= 0 && fd < 3; fd++)
            dup2(quiet, fd);
        execlp("xdg-open", "xdg-open", path, (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, NULL, 0) == child;
}
