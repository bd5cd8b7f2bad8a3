/* Fuzzer: bytes as the text of a graph. What is accepted must be well formed, and its own
 * text must read back as the same nodes. */
#include "fuzz.h"

static void check_round(Store *st, int n, Node *const *roots)
{
    Text text = {0}, why = {0};
    if (!graph_verify(st, n, roots, &why))
        die("graph_read made a graph that is not well formed: %s", text_str(&why));
    Numbering num = {0};
    graph_print(st, &text, n, roots, &num);
    map_free(&num.of);
    Source src = {.name = (char *)(uintptr_t) "again", .text = text.at, .len = text.len};
    Node **back = NULL;
    int m = graph_read(st, &src, &back);
    if (m != n)
        die("what was printed does not read back:\n%s\n%s", text_str(&text),
            st->diags->list.len ? st->diags->list.at[0].message : "");
    for (int i = 0; i < n; i++)
        if (back[i] != roots[i])
            die("root %d is another node after:\n%s", i, text_str(&text));
    free(back);
    text_free(&text);
    text_free(&why);
}

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
        check_round(&st, n, roots);
    free(roots);
    diags_free(&diags);
    store_free(&st);
    free(copy);
    return 0;
}
