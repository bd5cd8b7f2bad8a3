/* The system's C compiler, and the folder that keeps what it made.
 *
 * Invariant: only a library that this user wrote, into a folder that only this user can write, is
 * loaded, and only if it is whole: its last bytes are a hash of the others. A file gets its name
 * when it is complete. */
#include "exec/native_code.h"

#include "base/file.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
    LIMIT = 10,       /* seconds that a compiler may take */
    GRACE = 100,      /* looks at it after SIGTERM, on which it removes its own files */
    MOST_WORDS = 8,   /* of the compiler's command: "ccache gcc -m64" */
    MOST_PATH = 4096, /* bytes of a name of a file: PATH_MAX */
    DOZE = 500000,    /* nanoseconds between two looks at a compiler, which takes longer by far */
    MOST_TRIES = 3,   /* to make a file that somebody sweeps away */
    ROOM = 1 << 16    /* bytes: a folder with less is full */
};

static const char *const flags[] = {"-std=gnu11",
                                    "-O3",
                                    "-march=native",
                                    "-ffp-contract=off",
                                    "-fno-math-errno",
                                    "-fno-trapping-math",
                                    "-fPIC",
                                    "-shared",
                                    "-nostdlib",
                                    "-w",
                                    "-pipe"};

/* There is no native code from now on; said once. */
static void *give_up(Native *n, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void *give_up(Native *n, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (!n->noted)
        text_vprintf(&n->note, fmt, ap);
    va_end(ap);
    n->disabled = n->noted = true;
    return NULL;
}

/* ---- the compiler ---- */

typedef struct {
    char *words, *argv[MOST_WORDS + 1]; /* "ccache gcc" are two */
    int n;
    u64 identity; /* of the programs, the flags and the processor */
} Compiler;

/* Which file of that name is run: its size and age stand for its version. */
static u64 program_identity(const char *word, u64 seed)
{
    const char *path = strchr(word, '/') ? "" : getenv("PATH");
    for (const char *s = path ? path : ""; s; s = strchr(s, ':') ? strchr(s, ':') + 1 : NULL) {
        char file[MOST_PATH];
        struct stat st;
        int n = (int)strcspn(s, ":");
        snprintf(file, sizeof file, "%.*s%s%s", n, s, n ? "/" : "", word);
        if (stat(file, &st) == 0 && S_ISREG(st.st_mode) && access(file, X_OK) == 0) {
            i64 version[3] = {(i64)st.st_size, (i64)st.st_mtim.tv_sec, (i64)st.st_ino};
            return hash_bytes(version, sizeof version, hash_bytes(file, strlen(file), seed));
        }
    }
    return 0;
}

/* What -march=native looks at. */
static u64 processor_identity(u64 seed)
{
    static const char *const keys[] = {"model", "flags", "Features", "CPU", "isa", "vendor"};
    size_t len;
    char *text = read_file("/proc/cpuinfo", &len, NULL);
    u64 h = seed;
    for (char *line = text; line && *line && *line != '\n';) { /* the first processor */
        size_t n = strcspn(line, "\n");
        for (size_t k = 0; k < COUNT_OF(keys); k++)
            if (!strncmp(line, keys[k], strlen(keys[k])))
                h = hash_bytes(line, n, h);
        line += n + (line[n] == '\n');
    }
    free(text);
    return h;
}

static bool find_compiler(Compiler *cc)
{
    const char *name = getenv("GRADUS_CC");
    name = name && *name ? name : getenv("CC");
    cc->words = xstrdup(name && *name ? name : "cc");
    char *save = NULL;
    for (char *w = strtok_r(cc->words, " \t", &save); w && cc->n < MOST_WORDS;
         w = strtok_r(NULL, " \t", &save)) {
        u64 h =
            *w == '-' ? hash_bytes(w, strlen(w), cc->identity) : program_identity(w, cc->identity);
        if (!h) {
            free(cc->words);
            return false;
        }
        cc->argv[cc->n++] = w;
        cc->identity = h;
    }
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        cc->identity = hash_bytes(flags[i], strlen(flags[i]), cc->identity);
    cc->identity = processor_identity(cc->identity);
    return cc->n > 0;
}

static void doze(void) { nanosleep(&(struct timespec){.tv_nsec = DOZE}, NULL); }

/* Gently first: a compiler that is asked to end takes its files out of /tmp. */
static void end_compiler(pid_t pid)
{
    kill(-pid, SIGTERM);
    for (int i = 0; i < GRACE && waitpid(pid, NULL, WNOHANG) == 0; i++)
        doze();
    if (kill(-pid, SIGKILL) == 0)
        waitpid(pid, NULL, 0);
}

/* The status, or -1: it was not started, or was killed because it took too long or somebody
 * interrupted. */
static int wait_for(pid_t pid, const Native *n)
{
    double end = now_seconds() + LIMIT;
    for (;;) {
        int status;
        pid_t done = waitpid(pid, &status, WNOHANG);
        if (done == pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (done < 0 && errno != EINTR)
            return -1;
        if (now_seconds() > end || (interrupted(n->interrupt))) {
            end_compiler(pid);
            return -1;
        }
        doze();
    }
}

static int run_compiler(const Compiler *cc, const Native *n, const char *from, const char *to)
{
    const char *argv[MOST_WORDS + COUNT_OF(flags) + 8];
    size_t k = 0;
    for (int i = 0; i < cc->n; i++)
        argv[k++] = cc->argv[i];
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        argv[k++] = flags[i];
    argv[k++] = "-o";
    argv[k++] = to;
    argv[k++] = from;
    argv[k] = NULL;
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;
    pid_t pid;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    for (int fd = 0; fd < 3; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                       POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    int failed = posix_spawnp(&pid, argv[0], &files, &how, (char *const *)(uintptr_t)argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return failed ? -1 : wait_for(pid, n);
}

/* ---- the folder ---- */

/* Is it ours, and nobody else's to write? */
static bool is_ours(const struct stat *st, bool folder)
{
    return (folder ? S_ISDIR(st->st_mode) : S_ISREG(st->st_mode)) && st->st_uid == geteuid() &&
           !(st->st_mode & (S_IWGRP | S_IWOTH));
}

/* Makes PATH/NAME unless it is there; 0, or why it is not. */
static int below(Text *path, const char *name)
{
    text_put(path, name);
    return mkdir(text_str(path), 0700) == 0 || errno == EEXIST ? 0 : errno;
}

/* Made if it is not there; false after a note. */
static bool folder(Native *n, Text *path)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct stat st;
    if (cache && *cache == '/')
        text_put(path, cache);
    else if (home && *home == '/')
        text_printf(path, "%s/.cache", home);
    else
        return give_up(n, "no directory for compiled code: neither XDG_CACHE_HOME nor HOME is set");
    int why = below(path, ""), gradus = below(path, "/gradus"), native = below(path, "/native");
    if (lstat(text_str(path), &st) != 0)
        return give_up(n, "cannot create the directory %s for compiled code: %s", text_str(path),
                       strerror(why      ? why
                                : gradus ? gradus
                                : native ? native
                                         : errno));
    if (!is_ours(&st, true))
        return give_up(n, "the directory %s for compiled code %s", text_str(path),
                       st.st_uid != geteuid() ? "belongs to another user"
                                              : "is writable by other users");
    return true;
}

typedef struct {
    u64 magic, hash;
} Seal;
#define SEAL_MAGIC 0x6c6165736475720aU

static bool sealed(const char *file)
{
    struct stat st;
    size_t len;
    if (lstat(file, &st) != 0 || !is_ours(&st, false))
        return false;
    char *bytes = read_file(file, &len, NULL);
    Seal s = {0};
    bool ok = bytes && len > sizeof s;
    if (ok) {
        memcpy(&s, bytes + len - sizeof s, sizeof s);
        ok = s.magic == SEAL_MAGIC && s.hash == hash_bytes(bytes, len - sizeof s, 0);
    }
    free(bytes);
    return ok;
}

static bool seal(const char *file)
{
    size_t len;
    char *bytes = read_file(file, &len, NULL);
    FILE *f = bytes ? fopen(file, "ab") : NULL;
    Seal s = {SEAL_MAGIC, bytes ? hash_bytes(bytes, len, 0) : 0};
    bool ok = f && fwrite(&s, sizeof s, 1, f) == 1;
    ok = f && fclose(f) == 0 && ok;
    free(bytes);
    return ok;
}

/* ---- both ---- */

/* What is being compiled: NEW.c, locked as long as we live, and NEW.so beside it. */
typedef struct {
    Text from, made; /* their paths */
    int fd;          /* of NEW.c; -1: there is none */
} Work;

/* A name of files that are compiled: "new-", and the length of its stem; 0: it is none of ours. */
static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool ours = !strncmp(name, "new-", 4) && dot && (!strcmp(dot, ".c") || !strcmp(dot, ".so"));
    return ours ? (size_t)(dot - name) : 0;
}

/* Whoever compiles holds the lock of NEW.c; when a process is gone, so is its lock. */
static bool is_abandoned(const char *source)
{
    int fd = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return errno == ENOENT; /* a library is removed or renamed before its source */
    bool free_now = flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return free_now;
}

/* Removes what compilations left that were killed. */
static void sweep(const char *in)
{
    DIR *d = opendir(in);
    for (struct dirent *e; d && (e = readdir(d));) {
        Text source = {0}, file = {0};
        size_t n = stem_length(e->d_name);
        text_printf(&source, "%s/%.*s.c", in, (int)n, e->d_name);
        text_printf(&file, "%s/%s", in, e->d_name);
        if (n && is_abandoned(text_str(&source)))
            unlink(text_str(&file));
        text_free(&source);
        text_free(&file);
    }
    if (d)
        closedir(d);
}

/* Makes NEW.c, empty and ours; again if somebody swept it away before it was locked. */
static bool work_begin(Work *w, const char *in)
{
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        struct stat st;
        w->from.len = 0;
        text_printf(&w->from, "%s/new-XXXXXX.c", in);
        w->fd = mkostemps(w->from.at, 2, O_CLOEXEC);
        if (w->fd < 0)
            return false;
        if (flock(w->fd, LOCK_EX | LOCK_NB) == 0 && fstat(w->fd, &st) == 0 && st.st_nlink)
            break;
        close(w->fd);
        w->fd = -1;
        errno = EAGAIN;
    }
    text_putn(&w->made, w->from.at, w->from.len - 1);
    text_put(&w->made, "so");
    return w->fd >= 0;
}

static bool put_source(Work *w, const char *text, size_t len)
{
    FILE *f = fdopen(dup(w->fd), "w");
    bool ok = f && fwrite(text, 1, len, f) == len;
    return f && fclose(f) == 0 && ok;
}

/* The source goes last: it is what tells that the library is being made. */
static void work_end(Work *w)
{
    if (w->fd >= 0) {
        unlink(text_str(&w->made));
        unlink(text_str(&w->from));
        close(w->fd);
    }
    text_free(&w->from);
    text_free(&w->made);
}

/* A compiler whose output does not fit fails, too. */
static bool is_full(const char *in)
{
    struct statvfs disk;
    return statvfs(in, &disk) == 0 && (u64)disk.f_bavail * disk.f_frsize < ROOM;
}

static bool compile_to(Native *n, const Compiler *cc, const char *in, const char *text, size_t len,
                       const char *to)
{
    Work w = {.fd = -1};
    sweep(in);
    bool ok = work_begin(&w, in) && put_source(&w, text, len);
    if (!ok)
        give_up(n, "cannot write compiled code to %s: %s", in, strerror(errno));
    int status = ok ? run_compiler(cc, n, text_str(&w.from), text_str(&w.made)) : -1;
    if (!status && access(text_str(&w.made), R_OK) != 0)
        status = 1; /* it says that all is well, and made nothing */
    if (ok && status && !interrupted(n->interrupt))
        give_up(n,
                status < 0    ? "the C compiler %s did not start or took too long"
                : is_full(in) ? "the C compiler %s failed: no space left in %s"
                              : "the C compiler %s fails",
                cc->argv[0], in);
    ok = ok && !status;
    if (ok && (chmod(text_str(&w.made), 0600) != 0 || !seal(text_str(&w.made)) ||
               rename(text_str(&w.made), to) != 0)) {
        give_up(n, "cannot write compiled code to %s: %s", in, strerror(errno));
        ok = false;
    }
    work_end(&w);
    return ok;
}

static void *load(Native *n, const char *file)
{
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library)
        return library;
    unlink(file);
    return give_up(n, "cannot load the compiled code: %s", dlerror());
}

void *native_library(Native *n, const char *text, size_t len, bool compile, bool *cached)
{
    Compiler cc = {0};
    Text in = {0}, file = {0};
    void *library = NULL;
    if (!find_compiler(&cc))
        return give_up(n, "no C compiler was found");
    if (folder(n, &in)) {
        text_printf(&file, "%s/%016llx%016llx.so", text_str(&in),
                    (unsigned long long)hash_bytes(text, len, cc.identity),
                    (unsigned long long)hash_bytes(text, len, hash_mix(cc.identity, 1)));
        *cached = sealed(text_str(&file));
        if (*cached || (compile && compile_to(n, &cc, text_str(&in), text, len, text_str(&file))))
            library = load(n, text_str(&file));
    }
    text_free(&in);
    text_free(&file);
    free(cc.words);
    return library;
}
