/* Fuzzer: bytes as a table, and as an archive of arrays. Nothing beyond them may be read. */
#include "tensor/csv.h"
#include "tensor/npz.h"
#include "fuzz.h"

static void look_at(const Tensor *t)
{
    Text text = {0};
    for (i64 i = 0; i < t->count && i < 16; i++)
        text_double(&text, tensor_f64_at(t, i));
    text_free(&text);
}

static void check_refusal(bool ok, char *error)
{
    if (!ok && !(error && *error))
        die("a file was refused without a message");
    free(error);
}

static void try_table(Heap *heap, const char *bytes, size_t size, CsvOptions o)
{
    CsvTable t;
    char *error = NULL;
    bool ok = csv_parse(heap, "fuzz.csv", bytes, size, o, &t, &error);
    for (int i = 0; ok && i < t.n; i++) {
        if (t.columns[i]->count != t.columns[0]->count)
            die("columns of different lengths");
        look_at(t.columns[i]);
    }
    Tensor *m = ok ? csv_matrix(heap, &t) : NULL;
    if (m)
        look_at(m);
    tensor_unref(m);
    if (ok)
        csv_free(&t);
    check_refusal(ok, error);
}

static void try_archive(Heap *heap, const char *bytes, size_t size)
{
    Npz z;
    char *error = NULL;
    bool ok = npz_parse(heap, "fuzz.npz", bytes, size, &z, &error);
    for (int i = 0; ok && i < z.n; i++)
        look_at(z.tensors[i]);
    if (ok)
        npz_free(&z);
    check_refusal(ok, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Heap heap = {.limit = (size_t)64 << 20};
    char *copy = xmalloc(size + 1); /* a table ends with a zero, an archive exactly where it ends */
    memcpy(copy, data, size);
    copy[size] = 0;
    for (int words = CSV_WORDS_REFUSED; words <= CSV_WORDS_CODED; words++)
        try_table(&heap, copy, size, (CsvOptions){.words = (CsvWordUse)words});
    try_table(&heap, copy, size, (CsvOptions){.separator = ' ', .header = HEADER_NONE});
    char *exact = xmalloc(size + !size);
    memcpy(exact, data, size);
    try_archive(&heap, exact, size);
    free(exact);
    free(copy);
    heap_free(&heap);
    return 0;
}
