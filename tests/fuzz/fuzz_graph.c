/* Fuzzer: bytes as the text of a graph. What is accepted must be well formed, and its own
 * text must read back as the same nodes. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Store st;
    Diags diags = {0};
    store_init(&st);
    st.diags = &diags;
    st.heap.limit = (size_t)64 << 20;
    char *copy = xmalloc(size + 1);
    memcpy(copy, data, size);
    copy[size] = 0;
    Source src = {.name = (char *)(uintptr_t) "fuzz", .text = copy, .len = size};
    Node **roots = NULL;
    int n = graph_read(&st, &src, &roots);
    if (n < 0 && !diags.errors)
        die("a text was refused without an error");
    if (n >= 0)
        fuzz_check_text(&st, n, roots);
    free(roots);
    diags_free(&diags);
    store_free(&st);
    free(copy);
    return 0;
}
