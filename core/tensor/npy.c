/* Reading and writing .npy files.
 *
 * Invariant: as npy.h. The header is a Python dict literal; only the three keys that
 * the format defines, each once, are accepted. */
#include "tensor/npy.h"

#include "base/file.h"
#include "tensor/kernels.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PREFIX = 12, MOST_HEADER = 1 << 20, CHUNK = 1 << 20 };

typedef struct {
    const char *name;     /* of the file */
    const char *at, *end; /* the rest of the header */
    char **error;
    const Interrupt *interrupt;
    char kind; /* b i u f */
    int width; /* bytes of an element in the file */
    bool big;  /* big endian */
    bool fortran;
    int rank;
    i64 shape[MAX_RANK];
    i64 count;
} Npy;

/* ---- the header's dict ---- */

static void skip_blanks(Npy *f)
{
    while (f->at < f->end && strchr(" \t\r\n", *f->at) && *f->at)
        f->at++;
}

static bool accept(Npy *f, char c)
{
    skip_blanks(f);
    if (f->at == f->end || *f->at != c)
        return false;
    f->at++;
    return true;
}

static bool accept_word(Npy *f, const char *word)
{
    size_t n = strlen(word);
    skip_blanks(f);
    if ((size_t)(f->end - f->at) < n || memcmp(f->at, word, n) != 0)
        return false;
    f->at += n;
    return true;
}

/* 'text' or "text" of less than `room` bytes */
static bool read_string(Npy *f, char *to, size_t room)
{
    char quote = accept(f, '\'') ? '\'' : accept(f, '"') ? '"' : 0;
    size_t n = 0;
    while (quote && f->at < f->end && *f->at != quote && *f->at != '\\' && n + 1 < room)
        to[n++] = *f->at++;
    to[n] = '\0';
    return quote && f->at < f->end && *f->at++ == quote;
}

static bool read_size(Npy *f, i64 *n)
{
    skip_blanks(f);
    const char *start = f->at;
    *n = 0;
    for (; f->at < f->end && *f->at >= '0' && *f->at <= '9'; f->at++)
        if (__builtin_mul_overflow(*n, 10, n) || __builtin_add_overflow(*n, *f->at - '0', n))
            return file_fail(f->error, f->name, "a size in the shape is too large");
    if (f->at == start)
        return file_fail(f->error, f->name, "bad shape");
    if (f->at < f->end && *f->at == 'L') /* written by Python 2 */
        f->at++;
    return true;
}

static bool read_shape(Npy *f)
{
    if (!accept(f, '('))
        return file_fail(f->error, f->name, "bad shape");
    while (!accept(f, ')')) {
        if (f->rank == MAX_RANK)
            return file_fail(f->error, f->name, "more than %d axes", MAX_RANK);
        if (!read_size(f, &f->shape[f->rank]))
            return false;
        f->rank++;
        if (!accept(f, ',') && (f->rank < 2 || f->at == f->end || *f->at != ')'))
            return file_fail(f->error, f->name, "bad shape");
    }
    return true;
}

static bool read_descr(Npy *f)
{
    char d[16];
    if (!read_string(f, d, sizeof d))
        return file_fail(f->error, f->name, "unsupported dtype (not a plain one)");
    const char *order = strchr("<>|=", d[0]);
    if (!d[0] || !order || !d[1] || !d[2] || d[3])
        return file_fail(f->error, f->name, "unsupported dtype '%s'", d);
    f->big = d[0] == '>';
    f->kind = d[1];
    f->width = d[2] - '0';
    static const char *const known[] = {"b1", "i1", "i2", "i4", "i8", "u1",
                                        "u2", "u4", "u8", "f4", "f8"};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (strcmp(d + 1, known[i]) == 0)
            return true;
    return file_fail(f->error, f->name, "unsupported dtype '%s'", d);
}

static bool read_value(Npy *f, const char *key, unsigned *seen)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    unsigned k = 0;
    while (k < COUNT_OF(keys) && strcmp(key, keys[k]) != 0)
        k++;
    if (k == COUNT_OF(keys) || (*seen & 1U << k))
        return file_fail(f->error, f->name, "unexpected '%s' in the header", key);
    *seen |= 1U << k;
    if (k == 0)
        return read_descr(f);
    if (k == 2)
        return read_shape(f);
    f->fortran = accept_word(f, "True");
    return f->fortran || accept_word(f, "False") ||
           file_fail(f->error, f->name, "bad fortran_order");
}

static bool read_header(Npy *f)
{
    unsigned seen = 0;
    if (!accept(f, '{'))
        return file_fail(f->error, f->name, "bad header");
    while (!accept(f, '}')) {
        char key[20];
        if (!read_string(f, key, sizeof key) || !accept(f, ':'))
            return file_fail(f->error, f->name, "bad header");
        if (!read_value(f, key, &seen))
            return false;
        if (!accept(f, ',')) {
            if (!accept(f, '}'))
                return file_fail(f->error, f->name, "bad header");
            break;
        }
    }
    return seen == 7 || file_fail(f->error, f->name, "incomplete header");
}

/* ---- the data ---- */

/* Computes count and checks that `len` bytes hold it. */
static bool check_size(Npy *f, size_t len)
{
    i64 bytes = f->width, count = 1;
    for (int i = 0; i < f->rank; i++)
        if (f->shape[i] == 0)
            return f->count = 0, true;
    for (int i = 0; i < f->rank; i++)
        if (__builtin_mul_overflow(count, f->shape[i], &count))
            return file_fail(f->error, f->name, "the shape is too large");
    if (__builtin_mul_overflow(count, bytes, &bytes) || (u64)bytes > (u64)len)
        return file_fail(f->error, f->name, "the file is too short for its shape");
    f->count = count;
    return true;
}

static u64 read_word(const u8 *p, int width, bool big)
{
    u64 w = 0;
    for (int i = 0; i < width; i++)
        w |= (u64)p[big ? width - 1 - i : i] << (8 * i);
    return w;
}

static DType dtype_of(const Npy *f)
{
    if (f->kind == 'b')
        return DT_BOOL;
    if (f->kind == 'f')
        return f->width == 4 ? DT_F32 : DT_F64;
    return f->kind == 'i' && f->width == 4 ? DT_I32 : DT_I64;
}

/* Element i of the file into element i of out. */
static bool convert(Npy *f, const u8 *data, DType d, void *out)
{
    for (i64 i = 0; i < f->count; i++) {
        if (i % CHUNK == 0 && interrupted(f->interrupt))
            return file_fail(f->error, f->name, "interrupted");
        u64 w = read_word(data + i * f->width, f->width, f->big);
        u32 half = (u32)w;
        switch (d) {
        case DT_BOOL: ((u8 *)out)[i] = w != 0; break;
        case DT_I32:
        case DT_F32: memcpy((u32 *)out + i, &half, sizeof half); break;
        case DT_F64: memcpy((u64 *)out + i, &w, sizeof w); break;
        default:
            if (f->kind == 'i' && f->width < 8) { /* extend the sign */
                int shift = 64 - 8 * f->width;
                u64 sign = (u64)1 << (8 * f->width - 1);
                w = (((w << shift) >> shift) ^ sign) - sign;
            } else if (f->kind == 'u' && w > INT64_MAX) {
                return file_fail(f->error, f->name, "%llu does not fit i64", (unsigned long long)w);
            }
            memcpy((u64 *)out + i, &w, sizeof w);
        }
    }
    return true;
}

/* The axes of a file in Fortran order are stored last first. */
static Tensor *from_fortran(Heap *h, Tensor *t, const i64 *shape)
{
    int perm[MAX_RANK];
    for (int i = 0; i < t->rank; i++)
        perm[i] = t->rank - 1 - i;
    Tensor *c = tensor_new(h, t->dtype, t->rank, shape);
    if (c)
        kernel_transpose(dtype_size(t->dtype), t->rank, t->shape, perm, t->data, c->data);
    tensor_unref(t);
    return c;
}

static Tensor *read_data(Heap *h, Npy *f, const u8 *data)
{
    i64 stored[MAX_RANK];
    for (int i = 0; i < f->rank; i++)
        stored[i] = f->shape[f->fortran ? f->rank - 1 - i : i];
    DType d = dtype_of(f);
    Tensor *t = tensor_new(h, d, f->rank, stored);
    if (t && !convert(f, data, d, t->data)) {
        tensor_unref(t);
        return NULL;
    }
    if (t && f->fortran && f->rank > 1)
        t = from_fortran(h, t, f->shape);
    if (!t)
        file_fail(f->error, f->name, "not enough memory for %lld elements", (long long)f->count);
    return t;
}

/* Of the first bytes of a file, `len` but at most PREFIX: where the header begins and its length.
 */
static bool read_prefix(Npy *f, const u8 *b, size_t len, size_t *start, size_t *header)
{
    if (len < 10 || memcmp(b, "\x93NUMPY", 6) != 0)
        return file_fail(f->error, f->name, "not a .npy file");
    int version = b[6];
    *start = version == 1 ? 10 : PREFIX;
    if (version < 1 || version > 3 || len < *start)
        return file_fail(f->error, f->name, "unsupported .npy version %d", version);
    *header = (size_t)read_word(b + 8, version == 1 ? 2 : 4, false);
    return true;
}

Tensor *npy_parse(Heap *h, const char *name, const char *bytes, size_t len, char **error)
{
    Npy f = {.name = name, .error = error};
    const u8 *b = (const u8 *)bytes;
    size_t start, header;
    if (!read_prefix(&f, b, len < PREFIX ? len : PREFIX, &start, &header))
        return NULL;
    if (header > len - start) {
        file_fail(f.error, f.name, "the file ends in its header");
        return NULL;
    }
    f.at = bytes + start;
    f.end = f.at + header;
    if (!read_header(&f) || !check_size(&f, len - start - header))
        return NULL;
    return read_data(h, &f, b + start + header);
}

/* ---- from a file ---- */

/* Reads until there are `want` bytes in *t, or the file ends; false after an error. */
static bool read_until(Npy *f, int fd, Text *t, size_t want)
{
    while (t->len < want) {
        size_t most = want - t->len < CHUNK ? want - t->len : CHUNK;
        if (t->cap < t->len + most + 1) { /* doubled as bytes come: a header may lie */
            size_t cap = t->cap * 2 > t->len + most + 1 ? t->cap * 2 : t->len + most + 1;
            char *larger = memory_try(t->at, cap);
            if (!larger)
                return file_fail(f->error, f->name, "not enough memory for %zu bytes", want);
            t->at = larger;
            t->cap = cap;
        }
        ssize_t n = interrupted(f->interrupt) ? -1 : read(fd, t->at + t->len, most);
        if (interrupted(f->interrupt))
            return file_fail(f->error, f->name, "interrupted");
        if (n < 0 && errno != EINTR)
            return file_fail(f->error, f->name, "%s", strerror(errno));
        if (n == 0)
            break;
        t->len += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* How many bytes the file may have in all; SIZE_MAX: a stream, whose end nobody knows. */
static bool file_size(Npy *f, int fd, size_t *size)
{
    struct stat st;
    if (fstat(fd, &st) != 0)
        return file_fail(f->error, f->name, "%s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return file_fail(f->error, f->name, "%s", strerror(EISDIR));
    *size = S_ISREG(st.st_mode) ? (size_t)st.st_size : SIZE_MAX;
    return true;
}

/* Magic, header, and only then the data. */
static Tensor *load_from(Heap *h, Npy *f, int fd, Text *bytes)
{
    size_t size = 0, start = 0, header = 0;
    if (!file_size(f, fd, &size) || !read_until(f, fd, bytes, PREFIX) ||
        !read_prefix(f, (const u8 *)bytes->at, bytes->len, &start, &header))
        return NULL;
    if (header > MOST_HEADER) {
        file_fail(f->error, f->name, "the header is longer than %d bytes", MOST_HEADER);
        return NULL;
    }
    if (!read_until(f, fd, bytes, start + header))
        return NULL;
    if (bytes->len < start + header) {
        file_fail(f->error, f->name, "the file ends in its header");
        return NULL;
    }
    f->at = bytes->at + start;
    f->end = f->at + header;
    if (!read_header(f) || !check_size(f, size - start - header))
        return NULL;
    f->at = f->end = NULL; /* the bytes move as more come */
    size_t need = start + header + (size_t)f->count * (size_t)f->width;
    if (!read_until(f, fd, bytes, need))
        return NULL;
    if (bytes->len < need) {
        file_fail(f->error, f->name, "the file is too short for its shape");
        return NULL;
    }
    return read_data(h, f, (const u8 *)bytes->at + start + header);
}

Tensor *npy_load(Heap *h, const char *path, const Interrupt *interrupt, char **error)
{
    Npy f = {.name = path, .error = error, .interrupt = interrupt};
    Text bytes = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        file_fail(f.error, f.name, "%s", strerror(errno));
        return NULL;
    }
    Tensor *t = load_from(h, &f, fd, &bytes);
    close(fd);
    text_free(&bytes);
    return t;
}

/* ---- writing ---- */

/* Magic, version 1.0, and the dict padded so that the data start at a multiple of 64. */
static void put_header(Text *out, const Tensor *t)
{
    static const char *const descr[] = {"|b1", "<i4", "<i8", "<f4", "<f8"};
    Text dict = {0};
    text_printf(&dict, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr[t->dtype]);
    for (int i = 0; i < t->rank; i++)
        text_printf(&dict, "%s%lld", i > 0 ? ", " : "", (long long)t->shape[i]);
    text_put(&dict, t->rank == 1 ? ",), }" : "), }");
    while ((10 + dict.len + 1) % 64 != 0)
        text_putc(&dict, ' ');
    text_putc(&dict, '\n');
    text_putn(out, "\x93NUMPY\x01\x00", 8);
    text_putc(out, (char)(dict.len & 0xff));
    text_putc(out, (char)(dict.len >> 8));
    text_putn(out, text_str(&dict), dict.len);
    text_free(&dict);
}

static void put_data(const Tensor *t, void (*put)(void *, const void *, size_t), void *to)
{
    size_t size = dtype_size(t->dtype);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    put(to, t->data, size * (size_t)t->count);
#else
    u8 turned[8];
    for (i64 i = 0; i < t->count; i++) {
        for (size_t b = 0; b < size; b++)
            turned[b] = ((const u8 *)t->data)[(size_t)i * size + size - 1 - b];
        put(to, turned, size);
    }
#endif
}

void npy_put(const Tensor *t, void (*put)(void *to, const void *bytes, size_t n), void *to)
{
    Text header = {0};
    put_header(&header, t);
    put(to, header.at, header.len);
    put_data(t, put, to);
    text_free(&header);
}

bool npy_save(const Tensor *t, const char *path, const Interrupt *interrupt, char **error)
{
    Npy f = {.name = path, .error = error};
    NewFile file;
    if (t->dtype == DT_RNG)
        return file_fail(f.error, f.name, "a random state cannot be saved");
    if (!new_file_open(&file, path, interrupt))
        return file_fail(f.error, f.name, "%s", strerror(errno));
    npy_put(t, new_file_sink, &file);
    return new_file_close(&file) || file_fail(f.error, f.name, "%s", strerror(errno));
}
