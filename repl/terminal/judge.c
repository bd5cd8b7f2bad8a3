/* A command of the shell that judges candidates: `gradus reduce F.gr NAME -- COMMAND`. */
#include "base/file.h"
#include "repl/terminal/judge.h"
#include "repl/terminal/term.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    SECONDS = 10,     /* that a command may take */
    CANNOT_TELL = 125 /* as of git bisect: this status and those beyond it */
};

/* In a group of its own, so that it can be ended with all that it started; *failed is where it
 * tells that it could not be run. */
static void become(char *const *command, const char *path, int failed)
{
    int n = 0, nothing = open("/dev/null", O_RDWR);
    while (command[n])
        n++;
    char **args = xcalloc((size_t)n + 2, sizeof *args);
    for (int i = 0; i < n; i++)
        args[i] = command[i];
    args[n] = xstrdup(path);
    setpgid(0, 0);
    for (int fd = 0; fd < 3 && nothing >= 0; fd++)
        dup2(nothing, fd);
    execvp(args[0], args);
    int error = errno;
    ssize_t written = write(failed, &error, sizeof error);
    _exit(written < 0 ? CANNOT_TELL + 1 : CANNOT_TELL + 2);
}

static void end_group(pid_t pid)
{
    int status;
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
}

/* Its exit status; JUDGE_LATE also if ^C ended it. */
static int wait_for(pid_t pid)
{
    struct timespec nap = {0, 1000000};
    double began = now_seconds();
    for (;;) {
        int status;
        pid_t got = waitpid(pid, &status, WNOHANG);
        if (got == pid) {
            kill(-pid, SIGKILL); /* what it left behind */
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (term_interrupted() || now_seconds() - began > SECONDS) {
            end_group(pid);
            return JUDGE_LATE;
        }
        nanosleep(&nap, NULL);
        nap.tv_nsec = nap.tv_nsec < 20000000 ? nap.tv_nsec * 2 : nap.tv_nsec;
    }
}

static int status_of(char *const *command, const char *path)
{
    int failed[2], error = 0;
    if (pipe(failed) != 0)
        return JUDGE_MISSING;
    fcntl(failed[1], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(command, path, failed[1]);
    close(failed[1]);
    bool ran = pid > 0 && read(failed[0], &error, sizeof error) != (ssize_t)sizeof error;
    close(failed[0]);
    int status = pid > 0 ? wait_for(pid) : JUDGE_MISSING;
    return ran ? status : JUDGE_MISSING;
}

Judgement command_judges(char *const *command, const char *program, int *status)
{
    const char *tmp = getenv("TMPDIR");
    Text folder = {0}, path = {0};
    text_printf(&folder, "%s/gradus-reduce-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    *status = JUDGE_MISSING;
    text_str(&folder);
    if (mkdtemp(folder.at)) {
        text_printf(&path, "%s/candidate.gr", text_str(&folder));
        if (write_file(text_str(&path), program, strlen(program), NULL))
            *status = status_of(command, text_str(&path));
        unlink(text_str(&path));
        rmdir(text_str(&folder));
    }
    text_free(&folder);
    text_free(&path);
    return *status == 0                            ? JUDGED_HOLDS
           : *status < 0 || *status >= CANNOT_TELL ? JUDGED_SKIPPED
                                                   : JUDGED_NOT;
}
