/* Replacing parts of a text.  See edits.h. */
#include "repl/documents/edits.h"

void edits_add(Edits *e, size_t from, size_t to, const char *text)
{
    vec_push(&e->of, ((Edit){from, to, xstrdup(text)}));
}

void edits_apply(const Edits *e, const char *text, size_t len, Text *out)
{
    size_t at = 0;
    for (size_t i = 0; i < e->of.len; i++) {
        const Edit *x = &e->of.at[i];
        text_putn(out, text + at, x->from - at);
        text_put(out, x->text);
        at = x->to;
    }
    text_putn(out, text + at, len - at);
}

void edits_free(Edits *e)
{
    for (size_t i = 0; i < e->of.len; i++)
        free(e->of.at[i].text);
    vec_free(&e->of);
}
