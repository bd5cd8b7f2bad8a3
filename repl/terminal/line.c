/* The line editor, over GNU Readline.  See line.h.
 *
 * Readline edits, searches and binds keys; we draw (`paint`), because its own
 * drawing knows no prompt before the second and later rows of an entry.
 *
 * Readline's callbacks take no context, so the open editor is in `self`.
 *
 * Invariant: between two key presses the cursor is `self->row` rows below the first
 * row of the entry that is shown; 0 also stands for a fresh line. */
#include "repl/terminal/line.h"

#include "base/base.h"
#include "repl/terminal/entry_rows.h"
#include "repl/terminal/state_file.h"
#include "repl/terminal/term.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

enum { HISTORY_MAX = 10000, SHOW_HELP_MAX = 16, KEY_INTERRUPT = 3 };

struct Line {
    LineConfig config;
    char *history; /* the file, or NULL */
    int keys;      /* where they are read: the terminal, so that reading never blocks; -1: stdin */
    bool plain;    /* a dumb terminal: Readline draws, one row at a time */
    bool canceled; /* ^C ended the entry */
    bool browsing; /* the last key walked through the history */
    bool files;    /* the candidates are names of files */
    const char *continuation;
    int row;             /* see the invariant */
    HISTORY_STATE asked; /* the history of line_ask */
    char **candidates;
    int next; /* of the candidates to hand to Readline */
};

static Line *self;

/* ---- Drawing ---------------------------------------------------------------- */

/* Readline's rl_redisplay_function: shows prompt and entry, or as many rows around the
 * cursor as the screen holds. */
static void paint(void)
{
    int height, width;
    rl_get_screen_size(&height, &width);
    EntryRows rows = {.width = width > 8 ? width : 80};
    unsigned char *colors = NULL;
    if (self->config.colors) {
        colors = xcalloc((size_t)rl_end + 1, 1);
        self->config.colors(rl_line_buffer, colors, self->config.ctx);
    }
    entry_layout(&rows, rl_display_prompt ? rl_display_prompt : "", self->continuation,
                 rl_line_buffer, colors, rl_point);
    free(colors);
    int count = entry_rows_count(&rows);
    int shown = height > 0 && count > height ? height : count;
    int top = rows.cursor_row < shown ? 0 : rows.cursor_row - shown + 1;

    Text out = {0};
    text_putc(&out, '\r');
    if (self->row > 0)
        text_printf(&out, "\033[%dA", self->row);
    for (int r = top; r < top + shown; r++) {
        size_t from = rows.start.at[r];
        text_put(&out, r > top ? "\r\n\033[K" : "\033[K");
        text_putn(&out, text_str(&rows.text) + from, rows.start.at[r + 1] - from);
    }
    text_put(&out, "\033[J\r");
    self->row = rows.cursor_row - top;
    if (self->row < shown - 1)
        text_printf(&out, "\033[%dA", shown - 1 - self->row);
    if (rows.cursor_column > 0)
        text_printf(&out, "\033[%dC", rows.cursor_column);
    fwrite(text_str(&out), 1, out.len, rl_outstream);
    fflush(rl_outstream);
    text_free(&out);
    entry_rows_free(&rows);
}

/* The cursor moves behind the entry, where something else may be printed. */
static void paint_to_end(void)
{
    if (self->plain)
        return;
    int point = rl_point;
    rl_point = rl_end;
    paint();
    rl_point = point;
}

/* The cursor moves to a fresh line below the entry. */
static void leave(void)
{
    paint_to_end();
    fputs("\r\n", rl_outstream);
    fflush(rl_outstream);
    self->row = 0;
}

static void repaint(void)
{
    if (self->plain)
        rl_forced_update_display();
    else
        paint();
}

/* ---- Keys ------------------------------------------------------------------- */

/* The next byte typed.  ^C arrives here as a key like any other, so that whatever Readline
 * is in the middle of (a search, a count) ends in its own way. */
static int read_key(FILE *in)
{
    struct pollfd fd = {.fd = self->keys < 0 ? fileno(in) : self->keys, .events = POLLIN};
    sigset_t block, old;
    sigemptyset(&block);
    for (int i = 0; i < 5; i++)
        sigaddset(&block, (const int[]){SIGINT, SIGWINCH, SIGTSTP, SIGTERM, SIGHUP}[i]);
    for (;;) {
        sigprocmask(SIG_BLOCK, &block, &old);
        /* Signals are delivered inside ppoll only, so none is missed. */
        int ready = rl_pending_signal() || term_interrupted() ? -1 : ppoll(&fd, 1, NULL, &old);
        sigprocmask(SIG_SETMASK, &old, NULL);
        if (ready < 0) {
            bool stopped = rl_pending_signal() == SIGTSTP;
            rl_check_signals();
            if (term_take_interrupt())
                return KEY_INTERRUPT;
            if (stopped) { /* and continued */
                self->row = 0;
                repaint();
            }
            continue;
        }
        /* ^C takes back what was typed before it, also after it was seen to be there. */
        unsigned char c;
        ssize_t n = read(fd.fd, &c, 1);
        if (n == 1)
            return c;
        if (n == 0 || (errno != EINTR && errno != EAGAIN))
            return EOF;
    }
}

static int row_start(int at)
{
    while (at > 0 && rl_line_buffer[at - 1] != '\n')
        at--;
    return at;
}

static int row_end(int at)
{
    while (at < rl_end && rl_line_buffer[at] != '\n')
        at++;
    return at;
}

static int key_newline(int count, int key)
{
    (void)count, (void)key;
    if (!self->plain)
        rl_insert_text("\n");
    return 0;
}

/* Braces that are open before the cursor, those in strings and comments left out. */
static int open_braces(void)
{
    int depth = 0;
    bool quoted = false;
    for (int i = 0; i < rl_point; i++) {
        char c = rl_line_buffer[i];
        if (c == '"')
            quoted = !quoted;
        else if (c == '#' && !quoted)
            while (i + 1 < rl_point && rl_line_buffer[i + 1] != '\n')
                i++;
        else if (!quoted)
            depth += (c == '{') - (c == '}');
    }
    return depth > 0 ? depth : 0;
}

enum { INDENT = 2 };

static void indent(void)
{
    for (int i = INDENT * open_braces(); i > 0; i--)
        rl_insert_text(" ");
}

/* A `}` that begins a row stands further left. */
static int key_brace(int count, int key)
{
    int at = row_start(rl_point);
    if (at > 0 && rl_point - at >= INDENT &&
        (int)strspn(rl_line_buffer + at, " ") >= rl_point - at && open_braces())
        rl_delete_text(rl_point - INDENT, rl_point), rl_point -= INDENT;
    return rl_insert_close(count, key);
}

static int key_return(int count, int key)
{
    if (!self->plain && self->config.incomplete &&
        self->config.incomplete(rl_line_buffer, self->config.ctx)) {
        key_newline(count, key);
        indent();
        return 0;
    }
    leave();
    rl_done = 1;
    return 0;
}

static int key_interrupt(int count, int key)
{
    (void)count, (void)key;
    paint_to_end();
    fputs("^C\r\n", rl_outstream);
    self->row = 0;
    self->canceled = true;
    rl_done = 1;
    return 0;
}

static int key_clear_screen(int count, int key)
{
    (void)count, (void)key;
    fputs("\033[H\033[2J", rl_outstream);
    self->row = 0;
    repaint();
    return 0;
}

/* To the row that begins at `start`, in the column of the cursor or at its end. */
static void move_to_row(int start)
{
    int column = 0, at = start;
    for (int i = row_start(rl_point); i < rl_point; i++)
        column += (rl_line_buffer[i] & 0xC0) != 0x80;
    for (int end = row_end(start); at < end && column > 0; column--) {
        do
            at++;
        while (at < end && (rl_line_buffer[at] & 0xC0) == 0x80);
    }
    rl_point = at;
}

/* Walks through the history: entries that begin with what was before the cursor at the first step.
 * Readline tells a further step from a first one by the last function, which would be ours. */
static int browse(rl_command_func_t *search, int count, int key)
{
    if (self->browsing)
        rl_last_func = search;
    search(count, key);
    self->browsing = true;
    return 0;
}

static int key_down(int count, int key);

static int key_up(int count, int key)
{
    self->browsing = self->browsing && (rl_last_func == key_up || rl_last_func == key_down);
    int start = row_start(rl_point);
    if (start > 0 && !self->plain && !self->browsing) {
        move_to_row(row_start(start - 1));
        return 0;
    }
    browse(rl_history_search_backward, count, key);
    rl_point = rl_end;
    return 0;
}

static int key_down(int count, int key)
{
    self->browsing = self->browsing && (rl_last_func == key_up || rl_last_func == key_down);
    int end = row_end(rl_point);
    if (end < rl_end && !self->plain && !self->browsing) {
        move_to_row(end + 1);
        return 0;
    }
    browse(rl_history_search_forward, count, key);
    rl_point = rl_end;
    return 0;
}

static int key_home(int count, int key)
{
    (void)count, (void)key;
    rl_point = row_start(rl_point);
    return 0;
}

static int key_end(int count, int key)
{
    (void)count, (void)key;
    rl_point = row_end(rl_point);
    return 0;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

/* The open parenthesis of the call around the cursor that follows a name, or -1. */
static int enclosing_call(int at)
{
    int depth = 0;
    while (--at >= 0) {
        char c = rl_line_buffer[at];
        depth += (c == ')' || c == ']' || c == '}') - (c == '(' || c == '[' || c == '{');
        if (depth < 0 && c == '(' && at > 0 && is_word(rl_line_buffer[at - 1]))
            return at;
        depth = depth < 0 ? 0 : depth;
    }
    return -1;
}

static int word_start(int end)
{
    while (end > 0 && is_word(rl_line_buffer[end - 1]))
        end--;
    return end;
}

/* Prints the help on the word in [start, end), after leaving the entry; false if there is none. */
static bool put_help(int start, int end, bool left)
{
    char *word = rl_copy_text(start, end);
    const char *help =
        self->config.help && *word ? self->config.help(word, self->config.ctx) : NULL;
    free(word);
    if (!help || !*help)
        return false;
    if (!left)
        leave();
    fputs(help, rl_outstream);
    if (help[strlen(help) - 1] != '\n')
        fputs("\n", rl_outstream);
    return true;
}

/* Help on the word at the cursor, then on the function whose arguments it is in. */
static int key_help(int count, int key)
{
    (void)count, (void)key;
    int start = word_start(rl_point), end = rl_point, call = enclosing_call(rl_point);
    while (end < rl_end && is_word(rl_line_buffer[end]))
        end++;
    if (start > 0 && rl_line_buffer[start - 1] == ':' && row_start(start) == start - 1)
        start--;
    bool shown = put_help(start, end, false);
    if (call >= 0)
        shown |= put_help(word_start(call), call, shown);
    if (!shown)
        return rl_ding();
    repaint();
    return 0;
}

/* ---- Completion ------------------------------------------------------------- */

/* In strings and commands, words may be file names; elsewhere `/` and `-` are operators. */
static char *word_breaks(void)
{
    static char in_string[] = "\"";
    static char in_command[] = " \t\n;,()[]{}+*%@^<>=!\"'#";
    static char elsewhere[] = " \t\n;,()[]{}+*%@^<>=!\"'#/-:|&~?";
    int start = row_start(rl_point);
    bool quoted = false;
    for (int i = start; i < rl_point; i++)
        quoted ^= rl_line_buffer[i] == '"';
    return quoted ? in_string : rl_line_buffer[start] == ':' ? in_command : elsewhere;
}

static char *next_candidate(const char *word, int state)
{
    (void)word, (void)state;
    char *c = self->candidates[self->next];
    if (c)
        self->next++;
    return c; /* Readline frees it */
}

static char **attempt(const char *word, int start, int end)
{
    rl_attempted_completion_over = 1;
    self->files = false;
    char **list = NULL;
    if (rl_completion_quote_character == '"')
        list = line_complete_files(word);
    else if (self->config.complete)
        list = self->config.complete(rl_line_buffer, start, end, word, self->config.ctx);
    if (!list)
        return NULL;
    rl_filename_completion_desired = self->files;
    rl_completion_append_character = list[0] && list[0][0] == ':' ? ' ' : '\0';
    self->candidates = list;
    self->next = 0;
    char **matches = rl_completion_matches(word, next_candidate);
    free(list);
    self->candidates = NULL;
    return matches;
}

/* A few matches are shown with the first line of their help. */
static void show_matches(char **matches, int count, int longest)
{
    paint_to_end();
    bool help = self->config.help && !self->files && count <= SHOW_HELP_MAX;
    if (!help) {
        rl_display_match_list(matches, count, longest);
    } else {
        fputs("\r\n", rl_outstream);
        for (int i = 1; i <= count; i++) {
            size_t bare = strcspn(matches[i], "( ");
            char *name = xstrdup(matches[i]);
            name[bare] = '\0';
            const char *text = self->config.help(name, self->config.ctx);
            int length = text ? (int)strcspn(text, "\n") : 0;
            if (text && strncmp(text, name, bare) == 0) /* "exp(x): e^x" needs no name before it */
                fprintf(rl_outstream, "%.*s\n", length, text);
            else
                fprintf(rl_outstream, "%-*s  %.*s\n", longest, matches[i], length,
                        text ? text : "");
            free(name);
        }
    }
    self->row = 0;
    repaint();
}

/* Tab: indents in the blank start of a row, else completes. */
static int key_tab(int count, int key)
{
    int at = row_start(rl_point);
    while (at < rl_point && rl_line_buffer[at] == ' ')
        at++;
    if (at == rl_point && rl_end > 0 && !self->plain) {
        rl_insert_text("  ");
        return 0;
    }
    /* Readline shows the list at the second Tab if its last function was itself. */
    return rl_complete(count, key);
}

char **line_complete_files(const char *word)
{
    VEC(char *) list = {0};
    for (char *name; (name = rl_filename_completion_function(word, list.len > 0));)
        vec_push(&list, name);
    vec_push(&list, NULL);
    if (self)
        self->files = true;
    return list.at;
}

/* ---- History ---------------------------------------------------------------- */

/* Folders and file are made if need be; a failure only means that nothing is kept. */
static void history_begin(Line *line)
{
    const char *wanted = line->config.history_path;
    line->history = wanted ? (*wanted ? xstrdup(wanted) : NULL) : state_file("history");
    using_history();
    stifle_history(HISTORY_MAX);
    /* Time stamps between entries keep those of several rows together.  They are marked by a
     * byte that cannot begin a row of a program, as a comment (`#1`) could. */
    history_write_timestamps = 1;
    history_comment_char = '\036';
    if (!line->history)
        return;
    make_folders_of(line->history);
    int fd = open(line->history, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd >= 0) {
        close(fd);
        read_history(line->history);
    }
}

static void history_add(Line *line, const char *entry)
{
    if (entry[strspn(entry, " \t\n")] == '\0')
        return;
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (last && strcmp(last->line, entry) == 0)
        return;
    add_history(entry);
    if (line->history)
        append_history(1, line->history);
}

const char *line_history(Line *line, int index)
{
    (void)line;
    HIST_ENTRY *entry = index >= 0 ? history_get(history_base + index) : NULL;
    return entry ? entry->line : NULL;
}

/* ---- The interface ---------------------------------------------------------- */

static void bind_keys(void)
{
    static const struct {
        const char *keys;
        rl_command_func_t *function;
    } bindings[] = {
        {"\\C-m", key_return},     {"\\C-j", key_return},    {"\\e\\C-m", key_newline},
        {"\\e\\C-j", key_newline}, {"\\C-c", key_interrupt}, {"\\C-l", key_clear_screen},
        {"}", key_brace},          {"\\C-i", key_tab},       {"\\eh", key_help},
        {"\\C-p", key_up},         {"\\C-n", key_down},      {"\\e[A", key_up},
        {"\\eOA", key_up},         {"\\e[B", key_down},      {"\\eOB", key_down},
        {"\\C-a", key_home},       {"\\e[H", key_home},      {"\\eOH", key_home},
        {"\\C-e", key_end},        {"\\e[F", key_end},       {"\\eOF", key_end},
    };
    Keymap maps[] = {emacs_standard_keymap, vi_insertion_keymap};
    for (size_t m = 0; m < COUNT_OF(maps); m++)
        for (size_t i = 0; i < COUNT_OF(bindings); i++)
            if (m == 0 || bindings[i].keys[1] != 'e')
                rl_bind_keyseq_in_map(bindings[i].keys, bindings[i].function, maps[m]);
}

Line *line_open(const LineConfig *config)
{
    if (self || !term_is_interactive())
        return NULL;
    self = xcalloc(1, sizeof *self);
    self->config = *config;
    self->plain = term_is_dumb();
    const char *terminal = ttyname(STDIN_FILENO);
    self->keys = terminal ? open(terminal, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    /* Where no locale is chosen (containers), what is typed is UTF-8. */
    if (!getenv("LC_ALL") && !getenv("LANG"))
        setenv("LC_CTYPE", "C.UTF-8", 0);

    rl_readline_name = "gradus";
    rl_initialize(); /* before rl_redisplay_function: else it takes the terminal for a dumb one */
    if (!self->plain)
        rl_redisplay_function = paint;
    rl_getc_function = read_key;
    rl_attempted_completion_function = attempt;
    rl_completion_word_break_hook = word_breaks;
    rl_completion_display_matches_hook = show_matches;
    rl_completer_quote_characters = "\"";
    static const char *const settings[][2] = {
        {"blink-matching-paren", "on"},     {"show-all-if-ambiguous", "on"},
        {"page-completions", "off"},        {"completion-query-items", "-1"},
        {"echo-control-characters", "off"},
    };
    for (size_t i = 0; i < COUNT_OF(settings); i++)
        rl_variable_bind(settings[i][0], settings[i][1]);
    rl_variable_bind("enable-bracketed-paste", self->plain ? "off" : "on");
    bind_keys();
    history_begin(self);
    return self;
}

/* One entry as it was typed; on a dumb terminal, one row. NULL at the end of input or after ^C. */
static char *read_entry(Line *line, const char *prompt)
{
    line->row = 0;
    line->canceled = line->browsing = false;
    char *text = readline(prompt);
    if (text && line->canceled) {
        free(text);
        text = NULL;
    }
    return text;
}

char *line_read(Line *line, const char *prompt, const char *continuation)
{
    line->continuation = continuation;
    fflush(stdout);
    term_take_interrupt();
    char *entry;
    do {
        entry = read_entry(line, prompt);
        while (entry && line->plain && line->config.incomplete &&
               line->config.incomplete(entry, line->config.ctx)) {
            char *more = read_entry(line, continuation);
            Text both = {0};
            if (more)
                text_printf(&both, "%s\n%s", entry, more);
            free(entry);
            free(more);
            entry = more ? text_take(&both) : NULL;
        }
    } while (!entry && line->canceled);
    if (entry)
        history_add(line, entry);
    return entry;
}

char *line_ask(Line *line, const LineConfig *config, const char *prompt)
{
    LineConfig outer = line->config;
    char *file = line->history;
    HISTORY_STATE *kept = history_get_history_state();
    history_set_history_state(&line->asked);
    line->config = *config;
    line->history = NULL;
    char *entry = line_read(line, prompt, "");
    HISTORY_STATE *asked = history_get_history_state();
    line->asked = *asked;
    line->config = outer;
    line->history = file;
    history_set_history_state(kept);
    free(asked);
    free(kept);
    return entry;
}

const LineConfig *line_config(const Line *line) { return &line->config; }

void line_serve(Line *line, void *ctx) { line->config.ctx = ctx; }

void line_close(Line *line)
{
    if (!line)
        return;
    clear_history();
    history_set_history_state(&line->asked);
    clear_history();
    free(line->history);
    if (line->keys >= 0)
        close(line->keys);
    free(line);
    self = NULL;
}
