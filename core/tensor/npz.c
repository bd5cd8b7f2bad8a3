/* Reading and writing .npz: the parts of the zip format (PKWARE's APPNOTE.TXT 6.3) that they need.
 *
 * Invariant: as npz.h. What is read is found by the directory at the end of the archive; sizes that
 * the archive claims are compared with its own length before anything is allocated for them. */
#include "tensor/npz.h"

#include "base/file.h"
#include "tensor/npy.h"

#include <errno.h>
#include <zlib.h>

enum {
    LOCAL = 30,      /* bytes of the fixed part of an entry's head */
    CENTRAL = 46,    /* of an entry of the directory */
    END = 22,        /* of what stands behind the directory */
    COMMENT = 65535, /* at most, behind that */
    LOCATOR = 20,    /* before that, if numbers have 64 bits: where the long record is, */
    LONG_END = 56,   /* and the fixed part of it */
    LONG_EXTRA = 1,  /* the part of an entry that has its numbers of 64 bits */
    BITE = 1 << 30,  /* bytes that zlib, which counts in 32 bits, is given at a time */
    STORED = 0,
    DEFLATED = 8,
    RATIO = 1032 /* deflate makes nothing smaller than by this factor (zlib's documentation) */
};
static const u32 local_mark = 0x04034b50, central_mark = 0x02014b50, end_mark = 0x06054b50,
                 long_end_mark = 0x06064b50, locator_mark = 0x07064b50;

typedef struct {
    const char *name; /* of the file */
    const u8 *bytes;
    size_t len;
    char **error;
} Zip;

/* An entry of the directory. */
typedef struct {
    unsigned method, flags;
    u32 crc;
    u64 packed, size, at;
    const char *name;
    int nname;
} Entry;

static u32 word(const u8 *p, int width)
{
    u32 w = 0;
    for (int i = 0; i < width; i++)
        w |= (u32)p[i] << (8 * i);
    return w;
}

static u64 long_word(const u8 *p) { return word(p, 4) | (u64)word(p + 4, 4) << 32; }

/* ---- reading ---- */

/* Where the end record is; len: there is none. */
static size_t find_end(const Zip *z)
{
    if (z->len < END)
        return z->len;
    size_t at = z->len - END, first = at > COMMENT ? at - COMMENT : 0;
    while (at > first && word(z->bytes + at, 4) != end_mark)
        at--;
    return word(z->bytes + at, 4) == end_mark ? at : z->len;
}

/* The numbers that do not fit 32 bits, in their order; what is missing stays as it is. */
static void read_long_numbers(Entry *en, const u8 *extra, size_t n)
{
    u64 *numbers[] = {&en->size, &en->packed, &en->at};
    for (size_t at = 0, length; at + 4 <= n; at += 4 + length) {
        length = word(extra + at + 2, 2);
        if (word(extra + at, 2) != LONG_EXTRA || length > n - at - 4)
            continue;
        const u8 *p = extra + at + 4, *end = p + length;
        for (size_t i = 0; i < COUNT_OF(numbers); i++)
            if (*numbers[i] == UINT32_MAX && end - p >= 8) {
                *numbers[i] = long_word(p);
                p += 8;
            }
    }
}

static bool read_entry(Zip *z, size_t *at, Entry *en)
{
    const u8 *p = z->bytes + *at;
    if (z->len - *at < CENTRAL || word(p, 4) != central_mark)
        return file_fail(z->error, z->name, "its directory is damaged");
    *en = (Entry){.flags = word(p + 8, 2),
                  .method = word(p + 10, 2),
                  .crc = word(p + 16, 4),
                  .packed = word(p + 20, 4),
                  .size = word(p + 24, 4),
                  .at = word(p + 42, 4),
                  .name = (const char *)p + CENTRAL,
                  .nname = (int)word(p + 28, 2)};
    size_t length = CENTRAL + (size_t)en->nname + word(p + 30, 2) + word(p + 32, 2);
    if (z->len - *at < length)
        return file_fail(z->error, z->name, "its directory is damaged");
    read_long_numbers(en, p + CENTRAL + en->nname, word(p + 30, 2));
    *at += length;
    return true;
}

/* The entry's packed bytes; NULL after a message. */
static const u8 *entry_bytes(Zip *z, const Entry *en)
{
    if (en->flags & 1)
        return file_fail(z->error, z->name, "%.*s is encrypted", en->nname, en->name), NULL;
    if (z->len < LOCAL || en->at > z->len - LOCAL || word(z->bytes + en->at, 4) != local_mark)
        return file_fail(z->error, z->name, "%.*s is not where the directory says", en->nname,
                         en->name),
               NULL;
    const u8 *p = z->bytes + en->at;
    size_t start = en->at + (size_t)LOCAL + word(p + 26, 2) + word(p + 28, 2);
    if (start > z->len || z->len - start < en->packed)
        return file_fail(z->error, z->name, "it ends within %.*s", en->nname, en->name), NULL;
    return z->bytes + start;
}

static bool inflate_into(const u8 *packed, size_t npacked, u8 *out, size_t size)
{
    z_stream s = {.next_in = (z_const Bytef *)packed, .next_out = out};
    if (inflateInit2(&s, -MAX_WBITS) != Z_OK)
        return false;
    int status = Z_OK;
    while (status == Z_OK) {
        size_t in = npacked - (size_t)(s.next_in - packed),
               room = size - (size_t)(s.next_out - out);
        s.avail_in = in < BITE ? (uInt)in : BITE;
        s.avail_out = room < BITE ? (uInt)room : BITE;
        status = inflate(&s, Z_NO_FLUSH);
    }
    inflateEnd(&s);
    return status == Z_STREAM_END && s.next_out == out + size;
}

/* A deflated entry as it was, which the caller frees; NULL after a message. */
static u8 *unpack(Zip *z, const Entry *en, const u8 *packed)
{
    if (en->size / RATIO > en->packed)
        return file_fail(z->error, z->name, "%.*s is damaged", en->nname, en->name), NULL;
    u8 *out = memory_try(NULL, (size_t)en->size + 1);
    if (!out)
        return file_fail(z->error, z->name, "not enough memory for %.*s", en->nname, en->name),
               NULL;
    if (inflate_into(packed, en->packed, out, en->size))
        return out;
    free(out);
    return file_fail(z->error, z->name, "%.*s is damaged", en->nname, en->name), NULL;
}

static Tensor *parse_entry(Heap *h, Zip *z, const Entry *en, const u8 *bytes)
{
    if (crc32_z(0, bytes, en->size) != en->crc)
        return file_fail(z->error, z->name, "%.*s is damaged: its checksum is another", en->nname,
                         en->name),
               NULL;
    Text name = {0};
    text_printf(&name, "%s: %.*s", z->name, en->nname, en->name);
    Tensor *t = npy_parse(h, text_str(&name), (const char *)bytes, en->size, z->error);
    text_free(&name);
    return t;
}

static Tensor *read_tensor(Heap *h, Zip *z, const Entry *en)
{
    const u8 *packed = entry_bytes(z, en);
    if (!packed)
        return NULL;
    if (en->method == STORED && en->size == en->packed)
        return parse_entry(h, z, en, packed);
    if (en->method != DEFLATED)
        return file_fail(z->error, z->name, "%.*s is packed by a method other than deflate",
                         en->nname, en->name),
               NULL;
    u8 *bytes = unpack(z, en, packed);
    Tensor *t = bytes ? parse_entry(h, z, en, bytes) : NULL;
    free(bytes);
    return t;
}

/* What stands at the end: how many entries there are, and where their directory begins; with 64
 * bits where 32 do not do. */
static bool read_end(const Zip *z, size_t end, u64 *n, u64 *start)
{
    const u8 *p = z->bytes + end;
    *n = word(p + 10, 2);
    *start = word(p + 16, 4);
    if (*n == UINT16_MAX || *start == UINT32_MAX) {
        if (end < LOCATOR || word(p - LOCATOR, 4) != locator_mark)
            return *n < UINT16_MAX;
        u64 at = long_word(p - LOCATOR + 8);
        if (end < LONG_END || at > end - LONG_END || word(z->bytes + at, 4) != long_end_mark)
            return false;
        *n = long_word(z->bytes + at + 32);
        *start = long_word(z->bytes + at + 48);
    }
    return *start <= end && *n <= (end - *start) / CENTRAL;
}

static bool read_entries(Heap *h, Zip *z, size_t at, int n, Npz *out)
{
    static const char ending[] = ".npy";
    enum { LENGTH = sizeof ending - 1 };
    for (int i = 0; i < n; i++) {
        Entry en;
        if (!read_entry(z, &at, &en))
            return false;
        Tensor *t = read_tensor(h, z, &en);
        if (!t)
            return false;
        int stem = en.nname - LENGTH;
        if (stem < 0 || memcmp(en.name + stem, ending, LENGTH) != 0)
            stem = en.nname;
        Text name = {0};
        text_putn(&name, en.name, (size_t)stem);
        out->names[out->n] = text_take(&name);
        out->tensors[out->n++] = t;
    }
    return true;
}

void npz_free(Npz *z)
{
    for (int i = 0; i < z->n; i++) {
        free(z->names[i]);
        tensor_unref(z->tensors[i]);
    }
    free(z->names);
    free(z->tensors);
    *z = (Npz){0};
}

bool npz_parse(Heap *h, const char *name, const char *bytes, size_t len, Npz *out, char **error)
{
    Zip z = {.name = name, .bytes = (const u8 *)bytes, .len = len, .error = error};
    size_t end = find_end(&z);
    *out = (Npz){0};
    if (end == len)
        return file_fail(z.error, z.name, "not a .npz file");
    u64 n, start;
    if (!read_end(&z, end, &n, &start) || n > INT32_MAX)
        return file_fail(z.error, z.name, "its directory is damaged");
    out->names = xcalloc((size_t)n + 1, sizeof *out->names);
    out->tensors = xcalloc((size_t)n + 1, sizeof *out->tensors);
    if (read_entries(h, &z, start, (int)n, out))
        return true;
    npz_free(out);
    return false;
}

bool npz_load(Heap *h, const char *path, const Interrupt *interrupt, Npz *out, char **error)
{
    Zip z = {.name = path, .error = error};
    size_t len;
    char *bytes = read_file(path, &len, &(ReadLimits){.interrupt = interrupt});
    if (!bytes)
        return file_fail(z.error, z.name, "%s", strerror(errno));
    bool ok = npz_parse(h, path, bytes, len, out, error);
    free(bytes);
    return ok;
}

/* ---- writing ---- */

typedef struct {
    u32 crc;
    size_t size;
} Sum;

static void sum_bytes(void *to, const void *bytes, size_t n)
{
    Sum *s = to;
    s->crc = (u32)crc32_z(s->crc, bytes, n);
    s->size += n;
}

static void put_word(Text *out, u32 w, int width)
{
    for (int i = 0; i < width; i++)
        text_putc(out, (char)(w >> (8 * i) & 0xff));
}

/* What the head of an entry and its entry in the directory have in common. Its date is the first
 * that the format knows, so that equal arrays make equal files. */
static void put_common(Text *out, const char *name, Sum s)
{
    enum { VERSION = 20, FIRST_OF_1980 = 1 << 5 | 1 };
    put_word(out, VERSION, 2);
    put_word(out, 0, 2); /* flags */
    put_word(out, STORED, 2);
    put_word(out, 0, 2); /* midnight */
    put_word(out, FIRST_OF_1980, 2);
    put_word(out, s.crc, 4);
    put_word(out, (u32)s.size, 4);
    put_word(out, (u32)s.size, 4);
    put_word(out, (u32)strlen(name) + 4, 2);
    put_word(out, 0, 2); /* extra field */
}

static void put_local(Text *out, const char *name, Sum s)
{
    put_word(out, local_mark, 4);
    put_common(out, name, s);
    text_printf(out, "%s.npy", name);
}

static void put_central(Text *out, const char *name, Sum s, size_t at)
{
    enum { VERSION = 20 };
    put_word(out, central_mark, 4);
    put_word(out, VERSION, 2); /* of what made it */
    put_common(out, name, s);
    put_word(out, 0, 2); /* comment */
    put_word(out, 0, 4); /* disk, inner attributes */
    put_word(out, 0, 4); /* outer attributes */
    put_word(out, (u32)at, 4);
    text_printf(out, "%s.npy", name);
}

static void put_end(Text *out, int n, size_t directory, size_t at)
{
    put_word(out, end_mark, 4);
    put_word(out, 0, 4); /* disks */
    put_word(out, (u32)n, 2);
    put_word(out, (u32)n, 2);
    put_word(out, (u32)directory, 4);
    put_word(out, (u32)at, 4);
    put_word(out, 0, 2); /* comment */
}

static void put_text(NewFile *file, Text *t, size_t *at)
{
    new_file_put(file, text_str(t), t->len);
    *at += t->len;
    text_free(t);
}

/* How large the archive is, but for its directory: may it be written? */
static bool fits(Zip *z, int n, Tensor *const *tensors)
{
    u64 all = 0;
    for (int i = 0; i < n; i++)
        all += (u64)tensors[i]->count * dtype_size(tensors[i]->dtype) + COMMENT;
    return (n < UINT16_MAX && all < UINT32_MAX) ||
           file_fail(z->error, z->name,
                     "an archive holds less than 4 GiB and %d arrays; save each as .npy",
                     UINT16_MAX);
}

bool npz_save(int n, char *const *names, Tensor *const *tensors, const char *path,
              const Interrupt *interrupt, char **error)
{
    Zip z = {.name = path, .error = error};
    NewFile file;
    if (!fits(&z, n, tensors))
        return false;
    if (!new_file_open(&file, path, interrupt))
        return file_fail(z.error, z.name, "%s", strerror(errno));
    Text directory = {0};
    size_t at = 0;
    for (int i = 0; i < n; i++) {
        Text head = {0};
        Sum s = {0};
        npy_put(tensors[i], sum_bytes, &s);
        put_central(&directory, names[i], s, at);
        put_local(&head, names[i], s);
        put_text(&file, &head, &at);
        npy_put(tensors[i], new_file_sink, &file);
        at += s.size;
    }
    size_t length = directory.len, start = at;
    put_end(&directory, n, length, start);
    put_text(&file, &directory, &at);
    return new_file_close(&file) || file_fail(z.error, z.name, "%s", strerror(errno));
}
