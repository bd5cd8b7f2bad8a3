/* Going through a lesson.  See learn.h. */
#include "repl/teach/player.h"

#include "repl/commands/lessons.h"
#include "repl/commands/show.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

enum { WIDTH = 80, LEAST = 20, DIGITS = 6 };

/* ---- telling ---- */

/* Prints a text and frees it. */
static void put(Player *p, Text *text)
{
    show_put(&p->session, text);
    fflush(stdout);
}

void player_say(Player *p, const char *fmt, ...)
{
    Text out = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&out, fmt, ap);
    va_end(ap);
    put(p, &out);
}

static int columns(void)
{
    int width = term_is_tty(STDOUT_FILENO) ? term_width(STDOUT_FILENO) : 0;
    return width < 1 || width > WIDTH ? WIDTH : width < LEAST ? LEAST : width;
}

static bool in_color(const Player *p) { return term_color(p->r->color_mode, STDOUT_FILENO); }

void player_show(Player *p, const char *before, Part text)
{
    Text all = {0}, out = {0};
    text_put(&all, before);
    text_putn(&all, p->lesson.page.text + text.start, text.end - text.start);
    lesson_put_markdown(&out, text_str(&all), all.len, columns(), in_color(p));
    text_free(&all);
    put(p, &out);
}

/* ---- programs of the lesson ---- */

/* Rows of code as they would have been typed. */
static void echo(Player *p, const char *rows)
{
    Text out = {0};
    bool first = true;
    for (size_t n; *rows; rows += n + (rows[n] == '\n'), first = false) {
        n = strcspn(rows, "\n");
        text_printf(&out, "%s%.*s\n", first ? "> " : "... ", (int)n, rows);
    }
    put(p, &out);
}

static void run_entry(Player *p, const char *text)
{
    Repl *s = &p->session;
    char name[32];
    snprintf(name, sizeof name, "<input %u>", ++s->entries);
    s->interrupted = false;
    repl_run_text(s, name, text, strlen(text));
}

/* The next rows of a text that are whole statements, or blank; the caller frees them. */
static char *next_entry(Player *p, const char **text, const char *end)
{
    Text rows = {0};
    do {
        size_t n = strcspn(*text, "\n");
        n = *text + n < end ? n + 1 : (size_t)(end - *text);
        text_putn(&rows, *text, n);
        *text += n;
    } while (*text < end && p->host->partial(text_str(&rows), &p->session));
    while (rows.len && strchr(" \t\r\n", rows.at[rows.len - 1]))
        rows.at[--rows.len] = '\0';
    return text_take(&rows);
}

void player_run(Player *p, Part code, u32 words)
{
    const char *at = p->lesson.page.text + code.start, *end = p->lesson.page.text + code.end;
    Text sink = {0};
    bool hidden = words & BLOCK_HIDDEN, quiet = words & (BLOCK_HIDDEN | BLOCK_QUIET);
    p->session.listener = (Listener){0};
    p->session.capture = quiet ? &sink : NULL;
    while (at < end && !p->session.quit) {
        char *entry = next_entry(p, &at, end);
        p->session.capture = NULL;
        if (!hidden && *entry)
            echo(p, entry);
        p->session.capture = quiet ? &sink : NULL;
        run_entry(p, entry);
        free(entry);
    }
    p->session.capture = NULL;
    p->session.lesson = 0;
    text_free(&sink);
    fflush(stdout);
}

/* ---- the session of the lesson ---- */

static size_t note_lesson(Repl *r, const char *lines)
{
    (void)r, (void)lines;
    return 0; /* it is played when this one is left */
}

static void begin_session(Player *p)
{
    Repl *s = &p->session, *r = p->r;
    if (!repl_init(s))
        die("the embedded prelude or rules are broken");
    s->prompting = true;
    s->line = r->line;
    s->color = r->color;
    s->color_mode = r->color_mode;
    s->threshold = r->threshold;
    s->digits = r->digits ? r->digits : DIGITS;
    s->width = r->width;
    s->tutor = note_lesson;
}

static void ignore_result(void *ctx, Result *res) { (void)ctx, (void)res; }
static void ignore_diag(void *ctx, const Diag *d) { (void)ctx, (void)d; }
static bool ignore_file(void *ctx, const char *path, const Text *bytes, const char *about, Span at)
{
    (void)ctx, (void)path, (void)bytes, (void)about, (void)at;
    return true;
}

static void run_before(Player *p)
{
    for (size_t i = 0; i < p->at; i++) {
        const Item *item = &p->lesson.items.at[i];
        Text code = {0};
        text_putn(&code, p->lesson.page.text + item->text.start, item->text.end - item->text.start);
        if (item->kind == ITEM_BLOCK)
            run_entry(p, text_str(&code));
        text_free(&code);
    }
}

/* The session as the programs before the next item make it, with the names that the learner gave
 * beside them. */
static void rebuild(Player *p)
{
    Text sink = {0};
    u32 entries = p->session.entries;
    repl_free(&p->session);
    begin_session(p);
    Repl *s = &p->session;
    s->capture = &sink;
    s->listener =
        (Listener){.ctx = p, .result = ignore_result, .diag = ignore_diag, .file = ignore_file};
    run_before(p);
    for (size_t i = 0; i < p->typed.len; i++)
        run_entry(p, p->typed.at[i]);
    if (p->typed.len)
        run_before(p);
    s->capture = NULL;
    s->listener = (Listener){0};
    s->interrupted = s->quit = s->reset = false;
    s->lesson = 0;
    s->entries = entries;
    p->dirty = false;
    text_free(&sink);
}

/* ---- screens ---- */

static int screen_at(const Player *p, size_t item)
{
    return item < p->lesson.items.len ? p->lesson.items.at[item].screen : p->lesson.screens;
}

static void go_to_screen(Player *p, int screen)
{
    p->at = 0;
    while (screen_at(p, p->at) < screen)
        p->at++;
    rebuild(p);
}

static void put_rule(Player *p)
{
    Text out = {0};
    char place[48];
    int n = snprintf(place, sizeof place, "%d of %d ", screen_at(p, p->at) + 1, p->lesson.screens);
    text_printf(&out, "\n%s", place);
    for (; n < columns() - 1; n++)
        text_putc(&out, '-');
    text_putc(&out, '\n');
    put(p, &out);
}

static void keep_progress(Player *p, int done)
{
    bool kept = progress_keep(p->name, (Progress){done, p->lesson.screens});
    if (!kept && !p->unkept) {
        fflush(stdout);
        fprintf(stderr, "gradus: your progress cannot be kept: %s\n", strerror(errno));
        p->unkept = true;
    }
}

static void show_choices(Player *p, const Question *q)
{
    char before[32];
    for (size_t i = 0; i < q->choices.len; i++) {
        snprintf(before, sizeof before, "  %zu  ", i + 1);
        player_show(p, before, q->choices.at[i]);
    }
}

static Turn show_item(Player *p, const Item *item)
{
    bool unseen = item->kind == ITEM_BLOCK && item->words & BLOCK_HIDDEN;
    player_say(p, unseen ? "" : "\n");
    if (item->kind == ITEM_TEXT) {
        player_show(p, "", item->text);
        return TURN_NEXT;
    }
    if (item->kind == ITEM_QUESTION) {
        player_show(p, "", item->question.asked);
        show_choices(p, &item->question);
        return player_ask(p, item);
    }
    if (item->words & BLOCK_FRESH) {
        repl_free(&p->session);
        begin_session(p);
    }
    Turn move = TURN_NEXT;
    if (item->words & BLOCK_GUESS && !(item->words & BLOCK_HIDDEN)) {
        Text code = {0};
        text_putn(&code, p->lesson.page.text + item->text.start, item->text.end - item->text.start);
        echo(p, text_str(&code));
        text_free(&code);
        player_say(p, "What will it give? Guess first.\n");
        move = player_ask(p, NULL);
    }
    if (move == TURN_NEXT)
        player_run(p, item->text, item->words);
    return move;
}

static void move_on(Player *p, Turn move)
{
    int screen = screen_at(p, p->at);
    switch (move) {
    case TURN_NEXT: p->at++; break;
    case TURN_BACK: go_to_screen(p, screen > 0 ? screen - 1 : 0); return;
    case TURN_AGAIN: go_to_screen(p, screen); return;
    case TURN_START: go_to_screen(p, 0); return;
    case TURN_LEAVE:
    case TURN_STAY: return;
    }
    if (p->dirty)
        rebuild(p);
}

/* The items of one screen, and Enter behind the last. */
static Turn play_screen(Player *p)
{
    int screen = screen_at(p, p->at);
    Turn move = TURN_NEXT;
    put_rule(p);
    while (move == TURN_NEXT && screen_at(p, p->at) == screen) {
        move = show_item(p, &p->lesson.items.at[p->at]);
        if (move == TURN_NEXT && screen_at(p, p->at + 1) != screen) {
            player_say(p, "\n");
            move = player_ask(p, NULL);
            if (move == TURN_NEXT)
                keep_progress(p, screen + 1);
        }
        move_on(p, move);
    }
    return move;
}

static void put_sum(Player *p)
{
    Text out = {0};
    int n = p->answered + p->told;
    text_printf(&out, "\nThe end of \"%s\": %d of %d question%s answered.\n", p->lesson.title,
                p->answered, n, n == 1 ? "" : "s");
    if (p->place && (size_t)p->place < lesson_count()) {
        ShelfLesson next = lesson_at((size_t)p->place + 1);
        text_printf(&out, "The next one: :learn %d (%s)\n", p->place + 1, next.title);
        lesson_put_back(&next);
    }
    put(p, &out);
}

static void put_leaving(Player *p)
{
    int screen = screen_at(p, p->at);
    Progress before = progress_of(p->name);
    if (before.done < before.screens)
        keep_progress(p, screen);
    if (p->r->quit || p->r->lesson)
        return;
    if (p->place)
        player_say(p, "Left at screen %d of %d: `:learn %s` goes on there.\n", screen + 1,
                   p->lesson.screens, p->name);
    else
        player_say(p, "Left at screen %d of %d.\n", screen + 1, p->lesson.screens);
}

static void play(Player *p)
{
    Turn move = TURN_NEXT;
    Progress before = progress_of(p->name);
    begin_session(p);
    player_say(p, "%s\n", p->lesson.title);
    if (before.done > 0 && before.done < p->lesson.screens && before.screens == p->lesson.screens) {
        go_to_screen(p, before.done);
        player_say(p, "You were here before; type `start` to start over.\n");
    } else {
        player_say(p, "Press Enter to continue; `help` lists what else you can type.\n");
    }
    while (move != TURN_LEAVE && p->at < p->lesson.items.len)
        move = play_screen(p);
    if (move == TURN_LEAVE)
        put_leaving(p);
    else
        put_sum(p);
    p->session.line = NULL;
    repl_free(&p->session);
}

/* ---- lessons ---- */

static bool read_shelf(Player *p)
{
    ShelfLesson l = lesson_at((size_t)p->place);
    bool ok = lesson_read(&p->lesson, l.name, l.text, l.len, &p->r->s.diags);
    p->name = l.name;
    free(l.title);
    return ok;
}

static bool read_page(Player *p, const char *path)
{
    size_t len = 0;
    char *text = repl_read_file(p->r, path, (Span){0}, &len), *whole = realpath(path, NULL);
    p->name = whole ? whole : xstrdup(path);
    bool ok = text && lesson_read(&p->lesson, path, text, len, &p->r->s.diags);
    free(text);
    return ok;
}

static void play_one(Repl *r, const LearnHost *host, int place, const char *path)
{
    Player p = {.r = r, .host = host, .place = place > 0 ? place : 0, .mistake = -1};
    bool ok = p.place ? read_shelf(&p) : read_page(&p, path);
    if (ok)
        lesson_draw(&p.lesson, r->seed ? r->seed : "");
    ok = ok && lesson_prepare(&p.lesson, &r->s.diags) && recorder_begin(&p);
    repl_report(r);
    if (ok)
        play(&p);
    for (size_t i = 0; i < p.typed.len; i++)
        free(p.typed.at[i]);
    vec_free(&p.typed);
    record_free(&p.record);
    lesson_free(&p.lesson);
    free(p.name);
    free(p.line);
}

void learn_play(Repl *r, const LearnHost *host)
{
    while (r->lesson && !r->quit) {
        int place = r->lesson;
        char *file = r->lesson_file;
        r->lesson = 0;
        r->lesson_file = NULL;
        play_one(r, host, place, file);
        free(file);
    }
}
