/* Putting a document together; see document.h. */
#include "emit/document.h"

void document_begin(Document *d, BlockKind kind) { vec_push(&d->blocks, ((Block){.kind = kind})); }

void document_run(Document *d, RunStyle style, const char *text)
{
    Block *last = &d->blocks.at[d->blocks.len - 1];
    vec_push(&last->runs, ((Run){style, xstrdup(text)}));
}

void document_put(Document *d, BlockKind kind, const char *text)
{
    document_begin(d, kind);
    document_run(d, RUN_PLAIN, text);
}

void document_line(Document *d, ChangeLine *line)
{
    Block *last = &d->blocks.at[d->blocks.len - 1];
    vec_push(&last->lines.of, *line);
    *line = (ChangeLine){.sign = line->sign};
}

void document_code(Document *d, const char *text)
{
    document_begin(d, BLOCK_CODE);
    while (*text) {
        size_t n = strcspn(text, "\n");
        Text line = {0};
        text_putn(&line, text, n);
        document_line(d, &(ChangeLine){.sign = ' ', .text = text_take(&line)});
        text += n + (text[n] == '\n');
    }
}

void document_free(Document *d)
{
    for (size_t i = 0; i < d->blocks.len; i++) {
        Block *b = &d->blocks.at[i];
        for (size_t k = 0; k < b->runs.len; k++)
            free(b->runs.at[k].text);
        vec_free(&b->runs);
        change_free(&b->lines);
    }
    vec_free(&d->blocks);
}

DocumentWriter document_writer(const char *file)
{
    static const struct {
        const char *extension;
        DocumentWriter put;
    } formats[] = {
        {".md", document_put_markdown}, {".html", document_put_html}, {".tex", document_put_latex}};
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; dot && i < COUNT_OF(formats); i++)
        if (strcasecmp(dot, formats[i].extension) == 0)
            return formats[i].put;
    return NULL;
}
