/* Runs gradus-draw as a child: the scene goes in through one pipe, the picture
 * and its remarks come out through two others.
 *
 * Invariant: all pipes are served together, so neither side can wait for the other
 * for ever; the child is always reaped; SIGPIPE is blocked meanwhile and taken back
 * if it came, so the caller's handlers and other threads are left alone. */
#include "viz/scene/draw.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { LOOK_EVERY = 100 }; /* milliseconds between looks at the interrupt flag */

static const double grace = 2; /* the program keeps the limit itself, usually */

const char *draw_format(const char *path)
{
#define ROW(NAME) #NAME,
    static const char *const formats[] = {DRAW_FORMATS(ROW)};
#undef ROW
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < COUNT_OF(formats); i++)
        if (strcasecmp(dot + 1, formats[i]) == 0)
            return formats[i];
    return NULL;
}

/* ---- where the program is ---- */

/* Beside this executable, or one directory above it (where tests run). NULL: not there. Caller
 * frees. */
static char *find_program(char **error)
{
    static const char *const places[] = {"/gradus-draw", "/../gradus-draw"};
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) {
        *error = xstrdup("cannot tell where gradus is installed, so not where gradus-draw is");
        return NULL;
    }
    path[n] = '\0';
    *strrchr(path, '/') = '\0';
    bool there = false;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        Text t = {0};
        text_printf(&t, "%s%s", path, places[i]);
        if (access(text_str(&t), X_OK) == 0)
            return text_take(&t);
        there = there || errno != ENOENT;
        text_free(&t);
    }
    Text m = {0};
    text_printf(&m, "drawing needs the program gradus-draw, which %s in %s",
                there ? "cannot be run" : "is not", path);
    *error = text_take(&m);
    return NULL;
}

/* ---- the child ---- */

typedef struct {
    pid_t pid;
    int in, out, err; /* our ends; -1: closed */
} Child;

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static bool open_pipes(int p[3][2])
{
    for (int i = 0; i < 3; i++)
        p[i][0] = p[i][1] = -1;
    for (int i = 0; i < 3; i++)
        if (pipe2(p[i], O_CLOEXEC) != 0)
            return false;
    return true;
}

/* After fork: only calls that are safe there. Does not return. */
static void become(const char *program, char *const *argv, int p[3][2], const sigset_t *mask)
{
    /* first out of the way of 0, 1 and 2, in case a pipe got one of these numbers */
    int fds[3] = {fcntl(p[0][0], F_DUPFD, 3), fcntl(p[1][1], F_DUPFD, 3),
                  fcntl(p[2][1], F_DUPFD, 3)};
    for (int i = 0; i < 3; i++) {
        if (fds[i] < 0 || dup2(fds[i], i) < 0)
            _exit(127);
        close(fds[i]);
    }
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execve(program, argv, environ);
    _exit(127);
}

static bool start(Child *c, const char *program, const char *format, double seconds,
                  const sigset_t *mask, char **error)
{
    int p[3][2];
    char limit[32];
    snprintf(limit, sizeof limit, "%.3f", seconds);
    char *argv[] = {(char[]){"gradus-draw"},
                    (char[]){"--format"},
                    (char *)(uintptr_t)format,
                    (char[]){"--time-limit"},
                    limit,
                    NULL};
    bool ok = open_pipes(p);
    pid_t pid = ok ? fork() : -1;
    if (pid == 0)
        become(program, argv, p, mask);
    if (pid < 0) {
        Text m = {0};
        text_printf(&m, "cannot start gradus-draw: %s", strerror(errno));
        *error = text_take(&m);
    }
    close_end(&p[0][0]);
    close_end(&p[1][1]);
    close_end(&p[2][1]);
    *c = (Child){pid, p[0][1], p[1][0], p[2][0]};
    if (pid < 0) {
        close_end(&c->in);
        close_end(&c->out);
        close_end(&c->err);
        return false;
    }
    fcntl(c->in, F_SETFL, O_NONBLOCK);
    fcntl(c->out, F_SETFL, O_NONBLOCK);
    fcntl(c->err, F_SETFL, O_NONBLOCK);
    return true;
}

/* ---- serving the pipes ---- */

static void feed(Child *c, const Text *in, size_t *done)
{
    ssize_t n = write(c->in, in->at + *done, in->len - *done);
    if (n > 0)
        *done += (size_t)n;
    bool again = n < 0 && (errno == EAGAIN || errno == EINTR);
    if ((n < 0 && !again) || *done == in->len)
        close_end(&c->in); /* EPIPE: it will tell us why through its messages and exit status */
}

/* What exceeds the limit is read and dropped, so that the child goes on. */
static void drain(int *fd, Text *out, size_t limit)
{
    char buf[65536];
    ssize_t n = read(*fd, buf, sizeof buf);
    if (n > 0 && out->len < limit)
        text_putn(out, buf, (size_t)n);
    bool again = n < 0 && (errno == EAGAIN || errno == EINTR);
    if (n <= 0 && !again)
        close_end(fd);
}

/* Until the child has closed its ends; false if `deadline` or ^C (see *got) came first. */
static bool serve(Child *c, const Text *in, Text *out, Text *err, double deadline)
{
    size_t done = 0;
    while (c->out >= 0 || c->err >= 0) {
        struct pollfd p[3] = {{c->in, POLLOUT, 0}, {c->out, POLLIN, 0}, {c->err, POLLIN, 0}};
        double left = deadline - now_seconds();
        if (left <= 0 || interrupted(out->interrupt))
            return false;
        if (poll(p, 3, (int)fmin(left * 1000 + 1, LOOK_EVERY)) < 0 && errno != EINTR)
            return false;
        if (c->in >= 0 && p[0].revents)
            feed(c, in, &done);
        if (c->out >= 0 && p[1].revents)
            drain(&c->out, out, SIZE_MAX);
        if (c->err >= 0 && p[2].revents)
            drain(&c->err, err, 1);
    }
    return true;
}

/* ---- how it ended ---- */

/* Its messages without the program's name and the last newline. Caller frees. */
static char *remarks(Text *err)
{
    static const char name[] = "gradus-draw: ";
    Text t = {0};
    for (const char *line = text_str(err); *line && t.len < 4000;) {
        size_t n = strcspn(line, "\n");
        size_t skip = strncmp(line, name, sizeof name - 1) == 0 ? sizeof name - 1 : 0;
        if (t.len && n)
            text_put(&t, "; ");
        text_putn(&t, line + skip, n - skip < 2000 ? n - skip : 2000);
        line += n + (line[n] == '\n');
    }
    return text_take(&t);
}

static void explain(Text *m, int status, bool in_time, double seconds, const char *said)
{
    if (!in_time)
        text_printf(m, "the drawing was not ready after %.3g s and was stopped", seconds);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)
        text_put(m, "drawing was interrupted");
    else if (WIFSIGNALED(status))
        text_printf(m, "gradus-draw crashed (%s)", strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) == 127)
        text_put(m, "gradus-draw cannot be run (is Graphviz's library libgvc installed?)");
    else
        text_put(m, *said ? "" : "gradus-draw failed without a message");
    if (*said)
        text_printf(m, "%s%s", m->len ? ": " : "", said);
}

/* Waits for the end of the child; kills it if that does not come before `deadline`. */
static int reap(pid_t pid, double deadline, bool *in_time)
{
    int status = 0;
    for (;;) {
        pid_t got = waitpid(pid, &status, *in_time ? WNOHANG : 0);
        if (got == pid)
            return status;
        if (got < 0 && errno != EINTR)
            return 0; /* the caller ignores SIGCHLD: the status is lost, the output decides */
        if (*in_time && now_seconds() > deadline) {
            *in_time = false;
            kill(pid, SIGKILL);
        } else if (got == 0) {
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        }
    }
}

static bool run(const char *program, const Text *in, const char *format, double seconds, Text *out,
                const sigset_t *mask, char **error)
{
    Child c;
    if (!start(&c, program, format, seconds, mask, error))
        return false;
    Text got = {.interrupt = out->interrupt}, err = {0};
    double deadline = now_seconds() + DRAW_PATIENCE * seconds + grace;
    bool in_time = serve(&c, in, &got, &err, deadline);
    close_end(&c.in);
    close_end(&c.out);
    close_end(&c.err);
    if (!in_time)
        kill(c.pid, SIGKILL);
    int status = reap(c.pid, deadline, &in_time);
    bool pressed = interrupted(out->interrupt);
    bool ok = !pressed && in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0 && got.len > 0;
    char *said = remarks(&err);
    if (ok) {
        text_putn(out, got.at, got.len);
        *error = *said ? xstrdup(said) : NULL;
    } else {
        Text m = {0};
        if (pressed)
            text_put(&m, "drawing was interrupted");
        else
            explain(&m, status, in_time, DRAW_PATIENCE * seconds, said);
        *error = text_take(&m);
    }
    free(said);
    text_free(&got);
    text_free(&err);
    return ok;
}

/* Was SIGPIPE raised by our own writes? Then it is pending for this thread: take it back. */
static void forget_sigpipe(const sigset_t *pipe_only)
{
    struct timespec no_time = {0, 0};
    while (sigtimedwait(pipe_only, NULL, &no_time) < 0 && errno == EINTR)
        continue;
}

bool draw_run(const Scene *s, const char *format, double seconds, Text *out, char **error)
{
    *error = NULL;
    char *program = find_program(error);
    if (!program)
        return false;
    Text in = {.interrupt = out->interrupt};
    scene_json(&in, s);
    sigset_t pipe_only, before, pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    bool ok = run(program, &in, format, seconds > 0 ? seconds : DRAW_SECONDS, out, &before, error);
    if (!sigismember(&pending, SIGPIPE))
        forget_sigpipe(&pipe_only);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    text_free(&in);
    free(program);
    return ok;
}
