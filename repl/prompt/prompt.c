/* The prompt: entries from the line editor, or plain lines where there is none. */
#include "repl/prompt/prompt.h"
#include "repl/terminal/colors.h"

#include <unistd.h>

/* One row, its newline too; false at the end, and after ^C, which leaves nothing of it. */
static bool read_row(Text *out)
{
    int c = EOF;
    size_t before = out->len;
    while (c != '\n' && (c = getc(stdin)) != EOF)
        text_putc(out, (char)c);
    if (ferror(stdin))
        out->len = before;
    return out->len > before;
}

/* Where there is no line editor (stdin or stdout is no terminal): an entry of as many rows as
 * it takes. */
static char *read_plain(Repl *r, const char *prompt)
{
    Text entry = {0};
    bool tell = term_is_tty(STDIN_FILENO);
    do {
        fflush(stdout);
        if (tell)
            fputs(entry.len ? "... " : prompt, stderr);
        if (!read_row(&entry))
            break;
    } while (complete_is_partial(text_str(&entry), r));
    bool any = entry.len > 0;
    char *text = text_take(&entry);
    if (any)
        return text;
    free(text);
    return NULL;
}

/* What there is to try: a loop, its derivative, the steps that make that. 80 columns. */
static void put_banner(void)
{
    printf("Gradus %s: help, :learn, ^D leaves. Try this, then :steps grad(s.final, x)\n"
           "x : f64 = 2; s = scan t for 3 from y = x {y[t] = y[t-1]^2}; s; grad(s.final, x)\n",
           GRADUS_VERSION);
}

static void run_entry(Repl *r, const char *entry)
{
    char name[32];
    snprintf(name, sizeof name, "<input %u>", ++r->entries);
    char *meant = words_meant(r, entry);
    const char *text = meant ? meant : entry;
    r->at_prompt = true;
    repl_run_text(r, name, text, strlen(text));
    r->at_prompt = false;
    fflush(stdout);
    free(meant);
}

void prompt_open(Repl *r)
{
    LineConfig config = {.incomplete = complete_is_partial,
                         .complete = complete_word,
                         .help = complete_help,
                         .colors =
                             term_color(r->color_mode, STDOUT_FILENO) ? colors_of_entry : NULL,
                         .ctx = r};
    r->line = line_open(&config);
    r->prompting = true;
    term_keep_session();
}

char *prompt_read(Line *line, Repl *session, const char *prompt)
{
    if (line)
        return line_read(line, prompt, "... ");
    for (;;) {
        char *entry = read_plain(session, prompt);
        bool idle = term_take_interrupt(); /* ^C while nothing ran is not for what comes */
        if (entry || !idle)
            return entry;
        clearerr(stdin);
    }
}

void repl_prompt(Repl *r)
{
    prompt_open(r);
    if (r->line && !r->json)
        put_banner();
    while (!r->quit) {
        r->interrupted = false;
        char *entry = prompt_read(r->line, r, "> ");
        if (!entry)
            break;
        run_entry(r, entry);
        free(entry);
    }
    if (r->line && !r->quit)
        fflush(stdout);
    line_close(r->line);
    r->line = NULL;
}
