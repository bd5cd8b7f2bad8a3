/* The pool of threads; see threads.h. A job is a counter from which each thread takes the next
 * piece, so that one that is held up takes fewer. A thread that wakes when all pieces are taken
 * finds no job and sleeps on: nobody waits for it. */
#include "base/threads.h"

#include "base/flags.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

enum { STACK = 8 << 20 }; /* bytes: native code keeps tiles there */

static const double USUAL_LEAST = 2e5, /* nanoseconds: to wake a thread takes a tenth of that */
    SHARE = 1e5,                       /* what a thread has to have to do, at least */
    PIECE = 2e6;                       /* what a piece takes, at most */

typedef struct {
    ThreadPiece *run;
    void *ctx;
    i64 n, piece;
    int helpers, joined;
    Flags mode; /* of the caller's arithmetic */
    atomic_llong next;
    atomic_bool stop;
    atomic_uint raised;
} Job;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    Job *job; /* NULL: nothing to do */
    u64 jobs;
    int started, busy, wanted;
    double least;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .begin = PTHREAD_COND_INITIALIZER,
          .end = PTHREAD_COND_INITIALIZER,
          .wanted = 1,
          .least = USUAL_LEAST};

static _Thread_local bool inside;

/* ---- how many ---- */

static int processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return n < 1 ? 1 : n > THREADS_MOST ? THREADS_MOST : n;
}

void threads_set(int n) { pool.wanted = n; }

bool threads_parse(const char *word, int *n)
{
    char *end;
    long x = strtol(word, &end, 10);
    bool automatic = !strcmp(word, "auto");
    if (!automatic && (end == word || *end || x < 1 || x > THREADS_MOST))
        return false;
    *n = automatic ? THREADS_AUTO : (int)x;
    return true;
}

void threads_print(Text *out, int n)
{
    if (n == THREADS_AUTO)
        text_put(out, "auto");
    else
        text_printf(out, "%d", n);
}

void threads_least(double nanoseconds) { pool.least = nanoseconds; }

int threads_for(double nanoseconds)
{
    if (pool.wanted == 1 || inside || nanoseconds < pool.least)
        return 1;
    int most = pool.wanted == THREADS_AUTO ? processors() : pool.wanted;
    double share = pool.least < USUAL_LEAST ? 1 : SHARE, fit = nanoseconds / share;
    return fit >= most ? most : fit < 1 ? 1 : (int)fit;
}

i64 threads_piece(int threads, i64 n, i64 unit, double nanoseconds_each)
{
    enum { PIECES = 4 }; /* of each thread, so that none waits long for another */
    i64 fair = n / (threads * PIECES) + 1;
    double each = nanoseconds_each > 0.01 ? nanoseconds_each : 0.01, most = PIECE / each;
    i64 piece = (double)fair < most ? fair : (i64)most + 1;
    return (piece + unit - 1) / unit * unit;
}

/* ---- the threads ---- */

static void take_pieces(Job *job, int thread)
{
    while (!atomic_load_explicit(&job->stop, memory_order_relaxed)) {
        i64 from = atomic_fetch_add_explicit(&job->next, job->piece, memory_order_relaxed);
        if (from >= job->n)
            return;
        i64 to = job->n - from < job->piece ? job->n : from + job->piece;
        if (!job->run(job->ctx, thread, from, to))
            atomic_store(&job->stop, true);
    }
}

static void help(Job *job, int thread)
{
    flags_restore(job->mode);
    take_pieces(job, thread);
    atomic_fetch_or(&job->raised, flags_raised());
}

static NORETURN void *thread_main(void *unused)
{
    u64 seen = 0;
    (void)unused;
    inside = true;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.job || pool.jobs == seen || pool.job->joined == pool.job->helpers)
            pthread_cond_wait(&pool.begin, &pool.lock);
        Job *job = pool.job;
        seen = pool.jobs;
        int thread = ++job->joined;
        pool.busy++;
        pthread_mutex_unlock(&pool.lock);
        help(job, thread);
        pthread_mutex_lock(&pool.lock);
        if (!--pool.busy)
            pthread_cond_signal(&pool.end);
    }
}

/* A child of the process has none of its threads. */
static void forget_threads(void)
{
    pool.started = pool.busy = 0;
    pool.job = NULL;
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.begin, NULL);
    pthread_cond_init(&pool.end, NULL);
}

/* As many as the system gives. */
static void start(int helpers)
{
    static bool watched;
    sigset_t all, before;
    pthread_attr_t attr;
    pthread_t thread;
    if (pool.started >= helpers)
        return;
    if (!watched)
        watched = !pthread_atfork(NULL, NULL, forget_threads);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    while (pool.started < helpers && !pthread_create(&thread, &attr, thread_main, NULL))
        pool.started++;
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- a job ---- */

static void post(Job *job)
{
    pthread_mutex_lock(&pool.lock);
    pool.job = job;
    pool.jobs++;
    pthread_cond_broadcast(&pool.begin);
    pthread_mutex_unlock(&pool.lock);
}

/* Whoever has not begun does not any more. */
static void finish(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.job = NULL;
    while (pool.busy)
        pthread_cond_wait(&pool.end, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

bool threads_spread(int threads, i64 n, i64 piece, ThreadPiece *run, void *ctx)
{
    Job job = {.run = run,
               .ctx = ctx,
               .n = n,
               .piece = piece,
               .helpers = threads - 1,
               .mode = flags_save()};
    bool alone = inside || threads < 2 || n <= piece;
    if (!alone) {
        start(job.helpers);
        post(&job);
    }
    bool was = inside;
    inside = true;
    take_pieces(&job, 0);
    inside = was;
    if (!alone)
        finish();
    flags_raise(atomic_load(&job.raised));
    return !atomic_load(&job.stop);
}
