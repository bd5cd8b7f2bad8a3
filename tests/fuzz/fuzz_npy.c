/* Fuzzer: bytes as an .npy file. Nothing beyond it may be read. */
#include "tensor/npy.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Heap heap = {.limit = (size_t)64 << 20};
    char *error = NULL;
    char *copy = xmalloc(size + 1); /* exactly as long as it is, so that reading beyond is seen */
    memcpy(copy, data, size);
    Tensor *t = npy_parse(&heap, "fuzz.npy", copy, size, &error);
    if (!t && !(error && *error))
        die("a file was refused without a message");
    if (t) {
        Text text = {0};
        for (i64 i = 0; i < t->count && i < 16; i++)
            text_double(&text, tensor_f64_at(t, i));
        text_free(&text);
    }
    tensor_unref(t);
    free(error);
    free(copy);
    heap_free(&heap);
    return 0;
}
