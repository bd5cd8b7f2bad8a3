/* Files that are written as a whole: what was there stays, or all is new. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *in_folder(const char *folder, const char *name)
{
    Text t = {0};
    text_printf(&t, "%s/%s", folder, name);
    return text_take(&t);
}

static void assert_holds(const char *path, const char *text)
{
    size_t n = 0;
    char *s = read_file(path, &n, NULL);
    assert_non_null(s);
    assert_string_equal(s, text);
    free(s);
}

static int count_entries(const char *folder)
{
    int count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));)
        count += e->d_name[0] != '.' || strlen(e->d_name) > 2;
    closedir(d);
    return count;
}

/* What write_file says of a path, as a user who is not root: an errno, 0 for written. */
static int write_as_a_user(const char *path)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        enum { NOBODY = 65534 };
        bool user = geteuid() != 0 || (setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
        _exit(!user ? 255 : write_file(path, "new", 3, NULL) ? 0 : errno);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* In a folder that may not be changed, a file stays, even one that may be written. */
static void folders_that_are_read_only(void **state)
{
    (void)state;
    char folder[] = "/tmp/gradus_test_XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = in_folder(folder, "a"), *fresh = in_folder(folder, "b");
    assert_true(write_file(path, "old", 3, NULL));
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    assert_int_equal(write_as_a_user(path), EACCES);
    assert_int_equal(write_as_a_user(fresh), EACCES);
    assert_holds(path, "old");
    assert_int_equal(count_entries(folder), 1);
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(write_as_a_user(path), 0);
    assert_holds(path, "new");
    unlink(path);
    rmdir(folder);
    free(path);
    free(fresh);
}

/* Kills a process that writes over the file again and again, in the middle of it. */
static void kill_a_writer(const char *path, const char *text, size_t len, unsigned after_us)
{
    pid_t child = fork();
    if (child == 0)
        for (;;)
            if (!write_file(path, text, len, NULL))
                _exit(1);
    assert_true(child > 0);
    usleep(after_us);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

/* A process that is killed leaves the old file or the whole new one. */
static void killed_writers(void **state)
{
    (void)state;
    enum { LENGTH = 4 << 20, KILLS = 12, STEP_US = 1700 };
    char folder[] = "/tmp/gradus_test_XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = in_folder(folder, "a"), *text = xmalloc(LENGTH + 1);
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    assert_true(write_file(path, "old", 3, NULL));
    for (unsigned i = 1; i <= KILLS; i++) {
        kill_a_writer(path, text, LENGTH, i * STEP_US);
        size_t n = 0;
        char *now = read_file(path, &n, NULL);
        assert_non_null(now);
        assert_true(n == 3 ? !strcmp(now, "old") : n == LENGTH && !memcmp(now, text, LENGTH));
        free(now);
    }
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));) {
        char *each = in_folder(folder, e->d_name);
        unlink(each); /* what was not finished */
        free(each);
    }
    closedir(d);
    rmdir(folder);
    free(path);
    free(text);
}

/* A write that fails, or is interrupted, leaves the old file and nothing beside it. */
static void old_files_stay(void **state)
{
    (void)state;
    char folder[] = "/tmp/gradus_test_XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = in_folder(folder, "a"), *link = in_folder(folder, "l");
    struct rlimit old, small;
    struct stat st;
    assert_true(write_file(path, "old", 3, NULL));
    assert_int_equal(chmod(path, 0640), 0);
    Interrupt pressed = 1;
    assert_false(write_file(path, "new", 3, &pressed));
    assert_int_equal(errno, EINTR);
    assert_holds(path, "old");
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 2;
    setrlimit(RLIMIT_FSIZE, &small);
    bool ok = write_file(path, "newer", 5, NULL);
    int code = errno;
    setrlimit(RLIMIT_FSIZE, &old);
    assert_false(ok);
    assert_int_equal(code, EFBIG);
    assert_holds(path, "old");
    assert_int_equal(count_entries(folder), 1);
    assert_int_equal(symlink("a", link), 0);
    assert_true(write_file(link, "new", 3, NULL));
    assert_holds(path, "new");
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(count_entries(folder), 2);
    assert_false(write_file("/dev/full", "x", 1, NULL));
    assert_int_equal(errno, ENOSPC);
    unlink(link);
    unlink(path);
    rmdir(folder);
    free(path);
    free(link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_that_are_read_only),
        cmocka_unit_test(killed_writers),
        cmocka_unit_test(old_files_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
