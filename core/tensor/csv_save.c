/* Writing tables.
 *
 * Invariant: as csv.h: what is written reads back to the same numbers, and the file appears
 * complete or not at all. */
#include "base/file.h"
#include "tensor/csv.h"

#include <errno.h>
#include <math.h>

enum { PIECE = 1 << 16 }; /* bytes that are written at once */

static void put_element(Text *out, const Tensor *t, i64 i)
{
    switch (t->dtype) {
    case DT_BOOL: text_put(out, ((const u8 *)t->data)[i] ? "true" : "false"); break;
    case DT_F32: text_float(out, ((const float *)t->data)[i]); break;
    case DT_F64: text_double(out, ((const double *)t->data)[i]); break;
    default: text_printf(out, "%lld", (long long)tensor_i64_at(t, i));
    }
}

/* Names of the language need no quotes. */
static void put_names(Text *out, int n, char *const *names, char separator)
{
    for (int k = 0; k < n; k++) {
        if (k)
            text_putc(out, separator);
        text_put(out, names[k]);
    }
    text_putc(out, '\n');
}

bool csv_save(int n, char *const *names, Tensor *const *columns, const char *path, char separator,
              const Interrupt *interrupt, char **error)
{
    NewFile file;
    Text out = {0};
    i64 rows = n ? columns[0]->count : 0;
    bool open = new_file_open(&file, path, interrupt);
    if (open && names)
        put_names(&out, n, names, separator);
    for (i64 i = 0; open && i < rows; i++) {
        for (int k = 0; k < n; k++) {
            if (k)
                text_putc(&out, separator);
            put_element(&out, columns[k], i);
        }
        text_putc(&out, '\n');
        if (out.len > PIECE) {
            new_file_put(&file, out.at, out.len);
            out.len = 0;
        }
    }
    if (open)
        new_file_put(&file, text_str(&out), out.len);
    text_free(&out);
    if (open && new_file_close(&file))
        return true;
    text_printf(&out, "%s: %s", path, strerror(errno));
    *error = text_take(&out);
    return false;
}
