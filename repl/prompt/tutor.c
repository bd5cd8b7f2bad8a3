/* Lessons at the prompt, or with lines of a text as what is typed. */
#include "repl/prompt/prompt.h"
#include "repl/teach/learn.h"

static char *read_typed(void *ctx, Repl *session, const char *prompt)
{
    Repl *r = ctx;
    if (r->line)
        line_serve(r->line, session);
    char *entry = prompt_read(r->line, session, prompt);
    if (r->line)
        line_serve(r->line, r);
    return entry;
}

/* Entries of a text, each of as many rows as it takes. */
typedef struct {
    const char *text;
    size_t at;
} Lines;

static char *read_line(void *ctx, Repl *session, const char *prompt)
{
    Lines *l = ctx;
    Text entry = {0};
    (void)prompt;
    if (!l->text[l->at] || term_interrupted())
        return NULL;
    do {
        size_t n = strcspn(l->text + l->at, "\n");
        n += l->text[l->at + n] == '\n';
        text_putn(&entry, l->text + l->at, n);
        l->at += n;
    } while (l->text[l->at] && complete_is_partial(text_str(&entry), session));
    return text_take(&entry);
}

size_t repl_tutor(Repl *r, const char *lines)
{
    /* What is left of the row of :learn is no answer. */
    Lines text = {lines ? lines : "", 0};
    text.at = strspn(text.text, " \t\r;");
    text.at += text.text[text.at] == '\n';
    LearnHost host = {lines ? (void *)&text : (void *)r, lines ? read_line : read_typed,
                      words_meant, complete_is_partial};
    learn_play(r, &host);
    return lines ? text.at : 0;
}
