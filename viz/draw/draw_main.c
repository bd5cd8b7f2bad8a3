/* gradus-draw: reads one scene as JSON on stdin, writes its picture on stdout.
 *
 *   gradus-draw [--format FORMAT] [--time-limit SECONDS] [--verbose]
 *   gradus-draw --version
 *
 * Exit status: 0 fine; 1 not a scene; 2 usage; 3 input or output failed, or no memory; 4 the
 * layout failed or did not end in time.
 *
 * How much is asked of Graphviz is decided by the work that the scene will be (draw_work.c), and
 * the picture says so. Graphviz may crash, so it works in a child process; if that does not
 * deliver, another tries with less effort. It may also take very long: then there is an error.
 * The limit is on processor time; on the clock it may be some times as much.
 *
 * Invariant: stdout holds a whole picture or nothing; which one depends on the scene alone, never
 * on time. */
#include "viz/draw/figure.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OK = 0, BAD_SCENE = 1, BAD_USAGE = 2, BAD_IO = 3, BAD_LAYOUT = 4 };

typedef struct {
    const char *name;
    bool (*draw)(Picture *p, Text *out, Text *error);
} Format;

#define ROW(NAME) {#NAME, draw_##NAME},
static const Format formats[] = {DRAW_FORMATS(ROW)};
#undef ROW

typedef struct {
    const Format *format;
    double seconds;
    bool verbose; /* lets Graphviz's own messages through */
} Options;

static const char usage[] = "usage: gradus-draw [--format FORMAT] [--time-limit SECONDS] "
                            "[--verbose] < SCENE.json > PICTURE\n"
                            "       gradus-draw --version   the version of Graphviz\n"
                            "FORMAT is one of" DRAW_WORDS "\n";

/* ---- options ---- */

static const Format *known_format(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

/* The value of option `name` at argv[*i], in either form; NULL if it is another option or has no
 * value. */
static const char *option_value(const char *name, int argc, char **argv, int *i)
{
    size_t n = strlen(name);
    if (strncmp(argv[*i], name, n) != 0)
        return NULL;
    if (argv[*i][n] == '=')
        return argv[*i] + n + 1;
    if (argv[*i][n] == '\0' && *i + 1 < argc)
        return argv[++*i];
    return NULL;
}

static bool parse_options(Options *o, int argc, char **argv)
{
    *o = (Options){&formats[0], DRAW_SECONDS, false};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0) {
            o->verbose = true;
            continue;
        }
        const char *v = option_value("--format", argc, argv, &i);
        if (v) {
            if (!(o->format = known_format(v)))
                return false;
            continue;
        }
        v = option_value("--time-limit", argc, argv, &i);
        char *end = NULL;
        double x = v ? strtod(v, &end) : 0;
        if (!v || end == v || *end || !(x > 0) || x > 1e6)
            return false;
        o->seconds = x;
    }
    return true;
}

/* ---- bytes in and out ---- */

static bool read_all(int fd, Text *out)
{
    char buf[65536];
    for (;;) {
        ssize_t n = read(fd, buf, sizeof buf);
        if (n == 0)
            return true;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        text_putn(out, buf, (size_t)n);
    }
}

static bool write_all(int fd, const char *at, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

/* ---- one attempt, in the child ---- */

static const char *const effort_notes[EFFORT_COUNT] = {
    NULL,
    "big or difficult graph: laid out with less effort, so edges may cross more than they need to",
    "difficult graph: laid out plainly, so parameters and results may stand anywhere in their box",
    "big or difficult graph: laid out in haste, with straight lines",
    "big or difficult graph: its inner graphs are drawn closed, and what is left is laid out in "
    "haste",
    "big or difficult graph: laid out in plain rows, with straight lines that may cross nodes"};

static const char folded_rows[] =
    "big or difficult graph: its inner graphs are drawn closed, and what is left is laid out in "
    "plain rows, with straight lines that may cross nodes";

static const char *note_of(Effort effort, bool folded)
{
    return effort == EFFORT_ROWS && folded ? folded_rows : effort_notes[effort];
}

/* What a picture is laid out with once the scene is folded. */
static Effort picture_effort(Effort e) { return e == EFFORT_FOLDED ? EFFORT_LEAST : e; }

/* What the child sends comes after one of these; a picture after a remark that ends in NUL. */
enum { SENDS_MESSAGE, SENDS_PICTURE };

static void render(Scene *s, const Format *format, Effort effort, Text *out)
{
    Picture p;
    Text picture = {0}, error = {0};
    picture_init(&p, s, picture_effort(effort));
    if (s->style == STYLE_FIGURE ? figure_draw(s, format->name, &picture, &p.remark, &error)
                                 : format->draw(&p, &picture, &error)) {
        text_putc(out, SENDS_PICTURE);
        text_put(out, text_str(&p.remark));
        text_putc(out, '\0');
        text_putn(out, text_str(&picture), picture.len);
    } else {
        text_putc(out, SENDS_MESSAGE);
        text_put(out, text_str(&error));
    }
    picture_free(&p);
    text_free(&picture);
    text_free(&error);
}

static int work(Scene *s, const Format *format, Effort effort, const char *note, int fd)
{
    Text out = {0};
    if (note)
        scene_set_note(s, note);
    render(s, format, effort, &out);
    bool ok = write_all(fd, out.at, out.len);
    text_free(&out);
    return ok ? OK : BAD_IO;
}

/* ---- watching it ---- */

/* When to give up: after so much time of the child's, and whatever happens at a time of the clock.
 */
typedef struct {
    clockid_t work;
    double seconds, deadline;
} Patience;

static bool is_over(const Patience *p)
{
    struct timespec t;
    bool known = clock_gettime(p->work, &t) == 0; /* not once the child has ended */
    return now_seconds() > p->deadline ||
           (known && (double)t.tv_sec + 1e-9 * (double)t.tv_nsec > p->seconds);
}

/* Reads all that the child writes; false if time is up. */
static bool collect(int fd, const Patience *patience, Text *out)
{
    char buf[65536];
    for (;;) {
        struct pollfd p = {.fd = fd, .events = POLLIN};
        int ready = poll(&p, 1, 20);
        if (ready <= 0) {
            if ((ready < 0 && errno != EINTR) || is_over(patience))
                return false;
            continue;
        }
        ssize_t n = read(fd, buf, sizeof buf);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return true;
        text_putn(out, buf, (size_t)n);
    }
}

static void explain(Text *why, int status, double seconds, bool in_time, const Text *got)
{
    if (!in_time)
        text_printf(why, "not ready after %.2g s of work", seconds);
    else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_MEMORY)
        text_put(why, "memory ran out");
    else if (WIFSIGNALED(status))
        text_printf(why, "Graphviz crashed (%s)", strsignal(WTERMSIG(status)));
    else if (got->len > 1 && got->at[0] == SENDS_MESSAGE)
        text_putn(why, got->at + 1, got->len - 1);
    else
        text_put(why, "Graphviz ended without a picture");
}

/* The child's crash is reported by us: no messages of C library or Graphviz, no core file. */
static void silence(void)
{
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null >= 0)
        dup2(null, STDERR_FILENO);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* What came after SENDS_PICTURE: the remark to stderr, the picture to *out. False: not all is
 * there. */
static bool take_picture(const Text *got, Text *out)
{
    const char *remark = got->at + 1, *end = memchr(remark, '\0', got->len - 1);
    if (!end || end + 1 == got->at + got->len)
        return false;
    if (end > remark)
        fprintf(stderr, "gradus-draw: %s\n", remark);
    text_putn(out, end + 1, got->len - (size_t)(end + 1 - got->at));
    return true;
}

/* DREW with the picture in *out, or a reason in *why. */
typedef enum { DREW, FAILED, TOO_LATE } Outcome;

static Outcome attempt(Scene *s, const Options *o, Effort effort, const char *note, double deadline,
                       Text *out, Text *why)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        text_printf(why, "cannot make a pipe: %s", strerror(errno));
        return FAILED;
    }
    pid_t child = fork();
    if (child < 0) {
        text_printf(why, "cannot start a process: %s", strerror(errno));
        close(ends[0]);
        close(ends[1]);
        return FAILED;
    }
    if (child == 0) {
        close(ends[0]);
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* never outlive this program */
        if (!o->verbose)
            silence();
        _exit(work(s, o->format, effort, note, ends[1]));
    }
    close(ends[1]);
    Text got = {0};
    Patience patience = {.seconds = o->seconds, .deadline = deadline};
    if (clock_getcpuclockid(child, &patience.work) != 0)
        patience.work = CLOCK_PROCESS_CPUTIME_ID; /* ours, which stands still */
    bool in_time = collect(ends[0], &patience, &got);
    close(ends[0]);
    if (!in_time)
        kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    bool ok = in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0 && got.len > 1 &&
              got.at[0] == SENDS_PICTURE && take_picture(&got, out);
    if (!ok)
        explain(why, status, o->seconds, in_time, &got);
    text_free(&got);
    return ok ? DREW : in_time ? FAILED : TOO_LATE;
}

/* The most work (layout_work) that each effort is given: some seconds of a slow machine. */
static const double most_work[EFFORT_COUNT] = {16e6, 16e6, 16e6, 6e8, 6e8, INFINITY};

static bool is_too_much(const Scene *s, Effort effort)
{
    Picture p;
    if (effort == EFFORT_ROWS || s->style == STYLE_FIGURE)
        return false;
    picture_init(&p, s, picture_effort(effort));
    bool too_much = picture_work(&p) > most_work[effort];
    picture_free(&p);
    return too_much;
}

/* JSON is read by those who know what is open. */
static bool can_fold(const Scene *s, const Options *o)
{
    bool open = false;
    for (size_t i = 0; i < s->boxes.len; i++)
        open = open || (!s->boxes.at[i].closed && s->boxes.at[i].kind != BOX_FRAME);
    return open && strcmp(o->format->name, "json") != 0;
}

static int draw(Scene *s, const Options *o)
{
    double deadline = now_seconds() + DRAW_PATIENCE * o->seconds;
    Text out = {0}, why = {0};
    Outcome came = FAILED;
    bool folded = false;
    int efforts = s->style == STYLE_FIGURE ? EFFORT_FULL + 1 : EFFORT_COUNT; /* no Graphviz */
    for (int e = EFFORT_FULL; e < efforts && came == FAILED; e++) {
        if (e == EFFORT_FOLDED && !can_fold(s, o))
            continue;
        if (e == EFFORT_FOLDED) {
            scene_close(s);
            folded = true;
        }
        if (is_too_much(s, (Effort)e))
            continue;
        const char *note = note_of((Effort)e, folded);
        why.len = 0;
        came = attempt(s, o, (Effort)e, note, deadline, &out, &why);
        if (came == DREW && note)
            fprintf(stderr, "gradus-draw: %s\n", note);
    }
    int rc = OK;
    if (came == FAILED && s->style == STYLE_FIGURE) {
        fprintf(stderr, "gradus-draw: %s\n", text_str(&why));
        rc = BAD_LAYOUT;
    } else if (came != DREW) {
        fprintf(stderr,
                "gradus-draw: no picture of %zu nodes and %zu edges: %s (time limit %g s)%s\n",
                s->nodes.len, s->edges.len, text_str(&why), o->seconds,
                came == TOO_LATE ? "; draw less of it: inner=closed, or focus=%K" : "");
        rc = BAD_LAYOUT;
    } else if (!write_all(STDOUT_FILENO, out.at, out.len)) {
        fprintf(stderr, "gradus-draw: cannot write: %s\n", strerror(errno));
        rc = BAD_IO;
    }
    text_free(&out);
    text_free(&why);
    return rc;
}

int main(int argc, char **argv)
{
    Options o;
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return fflush(stdout) == 0 ? OK : BAD_IO;
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("Graphviz %s\n", layout_version());
        _exit(fflush(stdout) == 0 ? OK : BAD_IO); /* Graphviz does not free all that it loads */
    }
    if (!parse_options(&o, argc, argv)) {
        fputs(usage, stderr);
        return BAD_USAGE;
    }
    memory_refill();
    signal(SIGPIPE, SIG_IGN);
    Text in = {0}, error = {0};
    if (!read_all(STDIN_FILENO, &in)) {
        fprintf(stderr, "gradus-draw: cannot read: %s\n", strerror(errno));
        return BAD_IO;
    }
    Scene *s = scene_read(text_str(&in), in.len, &error);
    text_free(&in);
    int rc = BAD_SCENE;
    if (s)
        rc = draw(s, &o);
    else
        fprintf(stderr, "gradus-draw: %s\n", text_str(&error));
    text_free(&error);
    scene_free(s);
    return rc;
}
