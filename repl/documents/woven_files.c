/* A woven page and its drawings against what is on the disk: written where different, or compared.
 *
 * The drawings are named relative to the folder of the page.  The folder that has the name of the
 * page without its ending belongs to it: a drawing in there that no block draws is surplus. */
#include "repl/documents/weave.h"

#include "base/file.h"
#include "viz/scene/draw.h"

#include <dirent.h>
#include <errno.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---- */

/* Where a file of the page is: caller frees. */
static char *place_of(const Woven *w, const char *path)
{
    const char *page = w->page.path, *slash = strrchr(page, '/');
    Text t = {0};
    text_putn(&t, page, slash ? (size_t)(slash - page) + 1 : 0);
    text_put(&t, path);
    return text_take(&t);
}

/* "scan" of "pages/scan.md"; caller frees. */
static char *stem_of(const Woven *w)
{
    const char *slash = strrchr(w->page.path, '/'), *name = slash ? slash + 1 : w->page.path;
    const char *dot = strrchr(name, '.');
    Text t = {0};
    text_putn(&t, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
    return text_take(&t);
}

static bool is_drawing(const char *name)
{
    const char *dot = strrchr(name, '.');
    return draw_format(name) || (dot && strcasecmp(dot, ".html") == 0);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef VEC(char *) Names;

static bool is_drawn(const Woven *w, const char *path)
{
    for (size_t i = 0; i < w->files.len; i++)
        if (strcmp(w->files.at[i].path, path) == 0)
            return true;
    return false;
}

/* The drawings in the page's own folder that no block draws, in order. */
static void find_surplus(const Woven *w, Names *out)
{
    char *stem = stem_of(w), *folder = place_of(w, stem);
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        Text path = {0};
        text_printf(&path, "%s/%s", stem, e->d_name);
        if (is_drawing(e->d_name) && !is_drawn(w, text_str(&path)))
            vec_push(out, place_of(w, text_str(&path)));
        text_free(&path);
    }
    if (dir)
        closedir(dir);
    if (out->len)
        qsort(out->at, out->len, sizeof *out->at, by_name);
    free(stem);
    free(folder);
}

static void names_free(Names *names)
{
    for (size_t i = 0; i < names->len; i++)
        free(names->at[i]);
    vec_free(names);
}

/* ---- comparing ---- */

typedef struct {
    const char *at;
    size_t len;
} Row;
typedef VEC(Row) Rows;

static Rows rows_of(const char *text, size_t len)
{
    Rows rows = {0};
    for (size_t i = 0; i < len;) {
        const char *nl = memchr(text + i, '\n', len - i);
        size_t n = nl ? (size_t)(nl - text) - i + 1 : len - i;
        vec_push(&rows, ((Row){text + i, n}));
        i += n;
    }
    return rows;
}

static bool same_row(Row a, Row b) { return a.len == b.len && memcmp(a.at, b.at, a.len) == 0; }

/* One row of the difference, long ones in part; line ends that are not alike must be seen. */
static void put_row(char sign, Row r)
{
    enum { SHOWN = 160 };
    bool ends = r.len && r.at[r.len - 1] == '\n', cr = ends && r.len > 1 && r.at[r.len - 2] == '\r';
    size_t n = r.len - ends - cr, part = n;
    if (n > SHOWN)
        for (part = SHOWN; part && ((u8)r.at[part] & 0xC0) == 0x80;)
            part--;
    printf("%c%.*s%s%s\n", sign, (int)part, r.at, part < n ? "…" : "", cr ? "\\r" : "");
    if (!ends)
        puts("\\ no newline at the end");
}

/* How the middle of the pages, where they differ, is cut: table[i][j] is the number of rows that
 * old[i..] and new[j..] have in common. */
typedef struct {
    const Row *old, *new;
    size_t n, m;
    u16 *common;
} Difference;

static u16 *common_at(const Difference *d, size_t i, size_t j)
{
    return &d->common[i * (d->m + 1) + j];
}

static void fill_common(Difference *d)
{
    d->common = xcalloc((d->n + 1) * (d->m + 1), sizeof *d->common);
    for (size_t i = d->n; i-- > 0;)
        for (size_t j = d->m; j-- > 0;) {
            u16 down = *common_at(d, i + 1, j), right = *common_at(d, i, j + 1);
            u16 both = (u16)(*common_at(d, i + 1, j + 1) + 1);
            *common_at(d, i, j) = same_row(d->old[i], d->new[j]) ? both
                                  : down >= right                ? down
                                                                 : right;
        }
}

/* The next run of rows that differ, from (*i, *j) on: up to (*p, *q). */
static void next_change(const Difference *d, size_t *i, size_t *j, size_t *p, size_t *q)
{
    while (*i < d->n && *j < d->m && same_row(d->old[*i], d->new[*j])) {
        ++*i;
        ++*j;
    }
    *p = *i;
    *q = *j;
    while ((*p < d->n || *q < d->m) &&
           !(*p < d->n && *q < d->m && same_row(d->old[*p], d->new[*q]))) {
        bool drop = *p < d->n && (*q >= d->m || !d->common ||
                                  *common_at(d, *p + 1, *q) >= *common_at(d, *p, *q + 1));
        *p += drop;
        *q += !drop;
    }
}

/* In the form of `diff`: what is there with -, what would be woven with +. */
static void put_difference(const char *old, size_t old_len, const Text *new)
{
    enum { MOST_ROWS = 2000, MOST_RUNS = 5, MOST_SHOWN = 12 };
    Rows a = rows_of(old, old_len), b = rows_of(new->at, new->len);
    size_t head = 0, tail = 0, least = a.len < b.len ? a.len : b.len;
    while (head < least && same_row(a.at[head], b.at[head]))
        head++;
    while (tail < least - head && same_row(a.at[a.len - 1 - tail], b.at[b.len - 1 - tail]))
        tail++;
    Difference d = {.old = a.at + head, .new = b.at + head};
    d.n = a.len - head - tail;
    d.m = b.len - head - tail;
    if (d.n <= MOST_ROWS && d.m <= MOST_ROWS)
        fill_common(&d);
    size_t i = 0, j = 0, p, q;
    for (int runs = 0; i < d.n || j < d.m; i = p, j = q) {
        next_change(&d, &i, &j, &p, &q);
        if (p == i && q == j)
            break;
        if (runs++ == MOST_RUNS) {
            puts("… and more");
            break;
        }
        size_t before = head + i > 0; /* a row that is alike leads there */
        printf("@@ -%zu,%zu +%zu,%zu @@\n", head + i + 1 - before, p - i + before,
               head + j + 1 - before, q - j + before);
        if (before)
            put_row(' ', a.at[head + i - 1]);
        for (size_t k = i; k < p && k < i + MOST_SHOWN; k++)
            put_row('-', d.old[k]);
        for (size_t k = j; k < q && k < j + MOST_SHOWN; k++)
            put_row('+', d.new[k]);
        if (p - i > MOST_SHOWN || q - j > MOST_SHOWN)
            puts("…");
    }
    free(d.common);
    vec_free(&a);
    vec_free(&b);
}

typedef struct {
    int stale, missing, surplus;
    bool unreadable;
} Findings;

static void compare_one(const WovenFile *f, const char *place, Findings *found)
{
    size_t len = 0;
    struct stat about;
    bool device = stat(place, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
    char *old = device ? NULL : read_file(place, &len, NULL);
    if (device) {
        printf("%s is not a file\n", place);
        found->missing++;
    } else if (!old && errno != ENOENT && errno != ENOTDIR) {
        fflush(stdout);
        fprintf(stderr, "gradus: %s cannot be read: %s\n", place, strerror(errno));
        found->unreadable = true;
    } else if (!old) {
        printf("%s is missing\n", place);
        found->missing++;
    } else if (len != f->bytes.len || (len && memcmp(old, f->bytes.at, len) != 0)) {
        printf("%s is out of date (- the file, + what the page produces now):\n", place);
        put_difference(old, len, &f->bytes);
        found->stale++;
    }
    free(old);
}

static void put_counts(const Woven *w, const char *rest)
{
    printf("%s: %d block%s, %zu file%s%s\n", w->page.path, w->blocks, w->blocks == 1 ? "" : "s",
           w->files.len, w->files.len == 1 ? "" : "s", rest);
}

int woven_compare(const Woven *w, const char *in)
{
    Findings found = {0};
    Names surplus = {0};
    compare_one(&w->page, w->page.path, &found);
    for (size_t i = 0; i < w->files.len; i++) {
        char *place = place_of(w, w->files.at[i].path);
        compare_one(&w->files.at[i], place, &found);
        free(place);
    }
    find_surplus(w, &surplus);
    for (size_t i = 0; i < surplus.len; i++)
        printf("%s is surplus: no block draws it\n", surplus.at[i]);
    found.surplus = (int)surplus.len;
    names_free(&surplus);
    if (found.unreadable)
        return EXIT_IO;
    if (!found.stale && !found.missing && !found.surplus) {
        put_counts(w, ", all up to date");
        return EXIT_FINE;
    }
    printf("%s: %d stale, %d missing, %d surplus", w->page.path, found.stale, found.missing,
           found.surplus);
    if (found.stale || found.missing)
        printf("; to update it: gradus weave '%s' -o '%s'", in, w->page.path);
    putchar('\n');
    return EXIT_PROGRAM;
}

/* ---- writing ---- */

static int cannot_write(const char *place)
{
    fflush(stdout);
    fprintf(stderr, "gradus: %s cannot be written: %s\n", place, strerror(errno));
    return EXIT_IO;
}

static bool is_as_woven(const char *place, const Text *bytes)
{
    struct stat about;
    size_t len = 0;
    if (stat(place, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    char *old = read_file(place, &len, NULL);
    bool same = old && len == bytes->len && (!len || memcmp(old, bytes->at, len) == 0);
    free(old);
    return same;
}

/* The folders on the way to a drawing. */
static bool make_folders(char *place, const char *path)
{
    size_t skip = strlen(place) - strlen(path);
    for (char *slash = strchr(place + skip, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool ok = mkdir(place, 0777) == 0 || errno == EEXIST;
        *slash = '/';
        if (!ok)
            return false;
    }
    return true;
}

int woven_write(const Woven *w)
{
    Names surplus = {0};
    for (size_t i = 0; i < w->files.len; i++) {
        const WovenFile *f = &w->files.at[i];
        char *place = place_of(w, f->path);
        bool ok =
            is_as_woven(place, &f->bytes) ||
            (make_folders(place, f->path) && write_file(place, f->bytes.at, f->bytes.len, NULL));
        int status = ok ? EXIT_FINE : cannot_write(place);
        free(place);
        if (!ok)
            return status;
    }
    if (!is_as_woven(w->page.path, &w->page.bytes) &&
        !write_file(w->page.path, w->page.bytes.at, w->page.bytes.len, NULL))
        return cannot_write(w->page.path);
    put_counts(w, "");
    fflush(stdout);
    find_surplus(w, &surplus);
    for (size_t i = 0; i < surplus.len; i++)
        fprintf(stderr, "gradus: %s is surplus: no block draws it\n", surplus.at[i]);
    names_free(&surplus);
    return EXIT_FINE;
}

void woven_free(Woven *w)
{
    free(w->page.path);
    text_free(&w->page.bytes);
    for (size_t i = 0; i < w->files.len; i++) {
        free(w->files.at[i].path);
        text_free(&w->files.at[i].bytes);
    }
    vec_free(&w->files);
}
