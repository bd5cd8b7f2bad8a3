/* Whole files; see file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHUNK = 1 << 20, /* bytes between two looks at the interrupt flag */
    MOST_LINKS = 40,
    MOST_PATH = 4096,
    MOST_TRIES = 100 /* of names beside a file */
};

/* ---- reading ---- */

/* Why to stop before the end, as an errno; 0: go on. */
static int stop_reading(const ReadLimits *limits, size_t used)
{
    if (interrupted(limits->interrupt))
        return EINTR;
    return limits->most && used > limits->most ? EFBIG : 0;
}

/* Pipes and /dev/stdin have no size, so this reads until the end instead of asking. */
char *read_stream(FILE *f, size_t *len, const ReadLimits *limits)
{
    static const ReadLimits none = {0};
    limits = limits ? limits : &none;
    size_t cap = 1u << 14, used = 0;
    char *buf = xmalloc(cap);
    for (int why = 0;;) {
        size_t room = cap - 1 - used;
        size_t got = fread(buf + used, 1, room < CHUNK ? room : CHUNK, f);
        bool ends = feof(f) || (limits->text && memchr(buf + used, '\0', got));
        used += got;
        why = ferror(f) ? errno : stop_reading(limits, used);
        char *larger = !why && !ends && used == cap - 1 ? memory_try(buf, cap *= 2) : buf;
        if (why || !larger) {
            free(buf);
            errno = why ? why : ENOMEM;
            return NULL;
        }
        buf = larger;
        if (ends)
            break;
    }
    buf[used] = '\0';
    if (len)
        *len = used;
    return buf;
}

char *read_file(const char *path, size_t *len, const ReadLimits *limits)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    struct stat st;
    char *buf = NULL;
    if (fstat(fileno(f), &st) == 0) {
        bool large =
            limits && limits->most && S_ISREG(st.st_mode) && (u64)st.st_size > (u64)limits->most;
        if (S_ISDIR(st.st_mode) || large)
            errno = large ? EFBIG : EISDIR;
        else
            buf = read_stream(f, len, limits);
    }
    int saved = errno;
    fclose(f);
    errno = saved;
    return buf;
}

/* ---- the place of a new file ---- */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Links of the system's that stand for open files: what they say is no place to put a file at. */
static bool is_open_file(const char *path)
{
    return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

/* Where a path ends after all links, whether or not there is a file; NULL and errno. A link to an
 * open file is not followed. */
static char *follow(const char *path)
{
    char *at = xstrdup(path), to[MOST_PATH];
    for (int i = 0; i < MOST_LINKS; i++) {
        ssize_t n = is_open_file(at) ? -1 : readlink(at, to, sizeof to - 1);
        if (n < 0)
            return at; /* no link, or nothing there: opening it tells */
        to[n] = '\0';
        Text next = {0};
        if (*to != '/')
            text_putn(&next, at, folder_length(at));
        text_put(&next, to);
        free(at);
        at = text_take(&next);
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

/* Is it what our standard output goes to? That is to be written where it stands. */
static bool is_stdout(const struct stat *st)
{
    struct stat out;
    return fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == st->st_dev && out.st_ino == st->st_ino;
}

static bool open_directly(NewFile *f, bool ours)
{
    fflush(stdout); /* what was printed before comes first */
    f->fd = ours ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                 : open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return f->fd >= 0;
}

/* A name that nobody can foresee: the folder may be everybody's. */
static bool open_beside(NewFile *f)
{
    for (int i = 0; i < MOST_TRIES; i++) {
        u64 word = 0;
        if (getrandom(&word, sizeof word, 0) != (ssize_t)sizeof word)
            return false;
        Text name = {0};
        text_putn(&name, f->path, folder_length(f->path));
        text_printf(&name, ".gradus-%016llx.new", (unsigned long long)word);
        f->fd = open(text_str(&name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (f->fd >= 0) {
            f->fresh = text_take(&name);
            return true;
        }
        text_free(&name);
        if (errno != EEXIST)
            return false;
    }
    return false;
}

/* Owner and permissions of the file that it replaces, as far as we may give them. */
static bool take_after(const NewFile *f, const struct stat *old)
{
    struct stat now;
    if (fstat(f->fd, &now) == 0 && (now.st_uid != old->st_uid || now.st_gid != old->st_gid) &&
        fchown(f->fd, old->st_uid, old->st_gid) != 0)
        errno = 0; /* it becomes ours */
    return fchmod(f->fd, old->st_mode & 07777) == 0;
}

static bool new_file_fail(NewFile *f)
{
    int saved = errno;
    if (f->fd >= 0)
        close(f->fd);
    if (f->fresh)
        unlink(f->fresh);
    free(f->fresh);
    free(f->path);
    *f = (NewFile){.fd = -1, .error = saved};
    errno = saved;
    return false;
}

bool new_file_open(NewFile *f, const char *path, const Interrupt *interrupt)
{
    struct stat old;
    *f = (NewFile){.fd = -1, .path = follow(path), .interrupt = interrupt};
    bool there = f->path && stat(f->path, &old) == 0, ours = there && is_stdout(&old);
    bool direct = there && (ours || !S_ISREG(old.st_mode) || is_open_file(f->path));
    bool ok = f->path && (direct                                ? open_directly(f, ours)
                          : there && access(f->path, W_OK) != 0 ? false
                                                                : open_beside(f));
    return (ok && (!f->fresh || !there || take_after(f, &old))) || new_file_fail(f);
}

/* ---- writing it ---- */

void new_file_put(NewFile *f, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len && !f->error) {
        ssize_t n = interrupted(f->interrupt) ? -1 : write(f->fd, at, len < CHUNK ? len : CHUNK);
        if (interrupted(f->interrupt)) {
            f->error = EINTR;
        } else if (n < 0 && errno != EINTR) {
            f->error = errno;
        } else if (n > 0) {
            at += n;
            len -= (size_t)n;
        }
    }
}

bool new_file_close(NewFile *f)
{
    if (f->fd < 0) {
        errno = f->error;
        return false;
    }
    if (close(f->fd) != 0 && !f->error)
        f->error = errno;
    f->fd = -1;
    if (!f->error && f->fresh && rename(f->fresh, f->path) != 0)
        f->error = errno;
    if (f->error) {
        errno = f->error;
        return new_file_fail(f);
    }
    free(f->fresh);
    free(f->path);
    *f = (NewFile){.fd = -1};
    return true;
}

bool write_file(const char *path, const void *bytes, size_t len, const Interrupt *interrupt)
{
    NewFile f;
    if (!new_file_open(&f, path, interrupt))
        return false;
    new_file_put(&f, bytes, len);
    return new_file_close(&f);
}

void new_file_sink(void *new_file, const void *bytes, size_t len)
{
    new_file_put(new_file, bytes, len);
}

/* ---- messages ---- */

bool file_fail(char **error, const char *path, const char *fmt, ...)
{
    Text t = {0};
    va_list ap;
    text_printf(&t, "%s: ", path);
    va_start(ap, fmt);
    text_vprintf(&t, fmt, ap);
    va_end(ap);
    *error = text_take(&t);
    return false;
}
