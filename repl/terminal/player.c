/* A film by keys; see player.h.
 *
 * Invariant: whatever a key makes fail, an error or ^C, is told in the last row; the film goes on.
 */
#include "repl/terminal/player.h"

#include "base/utf8.h"
#include "session/loop_search.h"
#include "repl/terminal/paging.h"
#include "repl/terminal/screen.h"
#include "repl/terminal/term.h"

#include <unistd.h>

enum { PAGE = 10, MOST_WIDTH_SHOWN = 160, ASKED = 200, FRAME_MS = 600 };

typedef struct {
    Session *s;
    Film *f;
    Marks marks;
    int top, height;        /* the first row that is shown; the rows there are */
    Text told;              /* in the last row, until the next key */
    DiagTry tried;          /* what the key made fail, told in the last row only */
    char sought[ASKED + 1]; /* the last condition */
    bool keys, done;        /* the list of keys is shown; somebody leaves */
} Player;

/* ---- what is told ---- */

static void tell_failure(Player *p)
{
    Diags *ds = &p->tried.found;
    if (ds->list.len) {
        const Diag *d = &ds->list.at[ds->list.len - 1];
        p->told.len = 0;
        text_printf(&p->told, "%s%s%s", d->message, d->hint ? "; " : "", d->hint ? d->hint : "");
    }
    diags_clear(ds);
    if (term_take_interrupt()) {
        p->told.len = 0;
        text_put(&p->told, "stopped");
    }
}

static void on_progress(void *ctx, double seconds, double fraction)
{
    (void)ctx;
    Text t = {0};
    if (fraction >= 0)
        text_printf(&t, "%d %%, %.0f s; ^C stops", (int)(100 * fraction), seconds);
    else
        text_printf(&t, "%.0f s; ^C stops", seconds);
    screen_foot(text_str(&t));
    text_free(&t);
}

/* ---- drawing ---- */

static const char keys_text[] = "  → or space   the next step\n"
                                "  ←            the step before\n"
                                "  PgDn, PgUp   ten steps on, ten back\n"
                                "  Home, End    the first step, the last\n"
                                "  p            plays step after step; any key stops it\n"
                                "  Tab          the backward pass (grad=x), or forward again\n"
                                "  g            goes to a step\n"
                                "  /            until a condition holds: x[t] > 3\n"
                                "  n            on to the first nan or infinity\n"
                                "  Enter        into a loop inside this one\n"
                                "  Esc          out of it\n"
                                "  ↑, ↓         rows that do not fit\n"
                                "  q            leaves\n";

/* As many of the keys as there is room for, the more important first. */
static void put_foot(const Player *p, Text *out, int width)
{
    const Film *f = p->f;
    PlayTrack *t = film_track(f);
    const struct {
        bool there;
        const char *text;
    } all[] = {{true, "? keys"},
               {true, "q leave"},
               {t->r.steps > 1, "←→ step"},
               {t->r.steps > 1, "p play"},
               {f->tracks[1] && !f->inner.len, t->backward ? "Tab forward" : "Tab backward"},
               {f->inner.len > 0, "Esc out"},
               {true, "g go to"},
               {!t->straight, "/ until"},
               {!t->straight, "n nan"}};
    int used = 0;
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        int n = utf8_columns(all[i].text);
        if (!all[i].there || used + n + 3 > width)
            continue;
        text_printf(out, "%s%s", used ? "   " : "", all[i].text);
        used += n + (used ? 3 : 0);
    }
}

static void draw(Player *p, const char *asking)
{
    Text lines = {0}, foot = {0};
    int width, height;
    screen_size(&width, &height);
    int room = width > MOST_WIDTH_SHOWN ? MOST_WIDTH_SHOWN : width;
    if (p->keys)
        paging_wrap(&lines, keys_text, room);
    else if (!play_put_frame(film_track(p->f), &lines, room, height - 1, p->marks))
        tell_failure(p);
    int most = text_lines(&lines) - (height - 1);
    p->top = p->top > most ? most : p->top;
    p->top = p->top < 0 ? 0 : p->top;
    if (asking)
        text_put(&foot, asking);
    else if (p->told.len)
        text_put(&foot, text_str(&p->told));
    else if (p->keys)
        text_put(&foot, "any key goes back");
    else
        put_foot(p, &foot, width);
    screen_draw(text_str(&lines), p->top, text_str(&foot), asking != NULL);
    text_free(&lines);
    text_free(&foot);
}

/* ---- questions in the last row ---- */

/* What was typed behind the question; false: nothing is wanted after all. */
static bool ask(Player *p, const char *question, char *answer)
{
    Text line = {0};
    size_t n = 0;
    for (;;) {
        line.len = 0;
        text_printf(&line, "%s%.*s", question, (int)n, answer);
        draw(p, text_str(&line));
        int key = screen_key(-1);
        if (key == '\r' || key == '\n')
            break;
        if (key == KEY_BREAK || key == KEY_ESCAPE || key == KEY_FINISHED || key == 4) {
            n = 0;
            p->done = key == KEY_FINISHED;
            text_free(&line);
            return false;
        }
        if (key == 127 || key == 8)
            while (n && (answer[--n] & 0xC0) == 0x80)
                continue;
        else if (key >= ' ' && key < 256 && n < ASKED)
            answer[n++] = (char)key;
        else if (key == 21) /* ^U */
            n = 0;
    }
    answer[n] = '\0';
    text_free(&line);
    return true;
}

static void go(Player *p, i64 step)
{
    PlayTrack *t = film_track(p->f);
    i64 last = t->r.steps ? t->r.steps - 1 : 0;
    if (step < 0 || step > last)
        text_put(&p->told, step < 0 ? "this is the first step" : "this is the last step");
    t->step = step < 0 ? 0 : step > last ? last : step;
}

static void ask_step(Player *p)
{
    char answer[ASKED + 1], *end;
    if (!ask(p, "go to step: ", answer) || !answer[strspn(answer, " ")])
        return;
    i64 step = strtoll(answer, &end, 10);
    PlayTrack *t = film_track(p->f);
    if (!t->r.steps)
        text_put(&p->told, "the loop takes no steps");
    else if (end[strspn(end, " ")] || step < 0 || step >= t->r.steps)
        text_printf(&p->told, "the steps are 0 to %lld", (long long)t->r.steps - 1);
    else
        t->step = step;
}

/* To the step that a search found. */
static void found_at(Player *p, bool ok, i64 found, const char *what)
{
    PlayTrack *t = film_track(p->f);
    if (!ok)
        tell_failure(p);
    else if (found < 0)
        text_printf(&p->told, "no later step has %s", what);
    else
        t->step = found;
}

static void ask_condition(Player *p)
{
    char answer[ASKED + 1];
    PlayTrack *t = film_track(p->f);
    i64 found;
    if (t->straight || !ask(p, *p->sought ? "until (Enter: as before): " : "until: ", answer))
        return;
    if (answer[strspn(answer, " ")])
        memcpy(p->sought, answer, sizeof answer);
    if (!*p->sought)
        return;
    bool ok = session_search_loop(p->s, &t->b, p->sought, t->step + 1, &found);
    found_at(p, ok, found, p->sought);
}

static void find_bad(Player *p)
{
    PlayTrack *t = film_track(p->f);
    i64 found;
    if (t->straight)
        return;
    bool ok = search_not_finite(&t->b, t->step + (t->step > 0), &found);
    if (ok && found == t->step)
        ok = search_not_finite(&t->b, t->step + 1, &found);
    found_at(p, ok, found, "a nan or an infinity");
}

/* ---- keys ---- */

/* Frame after frame, until a key is pressed or the last one is there; that key. */
static int play_on(Player *p)
{
    PlayTrack *t = film_track(p->f);
    int key = KEY_NOTHING;
    while (t->step + 2 < t->r.steps && (key == KEY_NOTHING || key == KEY_RESIZE)) {
        t->step += key == KEY_NOTHING;
        text_put(&p->told, "any key stops");
        draw(p, NULL);
        p->told.len = 0;
        key = screen_key(FRAME_MS);
    }
    t->step += key == KEY_NOTHING && t->step + 1 < t->r.steps;
    return key;
}

/* To the same row of the other way. */
static void turn(Player *p)
{
    Film *f = p->f;
    PlayTrack *from = film_track(f);
    if (f->inner.len || !f->tracks[1]) {
        text_put(&p->told, f->inner.len ? "leave the loop inside first (Esc)"
                                        : "`:play EXPR grad=x` shows the backward pass");
        return;
    }
    f->which = !f->which;
    PlayTrack *to = film_track(f);
    if (to->straight)
        return;
    i64 row = from->r.steps ? loop_probe_row(&from->r, from->step) : 0;
    i64 step = to->r.s.reverse ? to->r.steps - 1 - row : row;
    to->step = step < 0 || !to->r.steps ? 0 : step >= to->r.steps ? to->r.steps - 1 : step;
}

static void enter(Player *p)
{
    bool none;
    if (film_track(p->f)->r.steps && film_enter(p->f, &none))
        return;
    tell_failure(p);
    if (!p->told.len)
        text_put(&p->told, "there is no loop inside this one");
}

static void press(Player *p, int key)
{
    PlayTrack *t = film_track(p->f);
    switch (key) {
    case KEY_RIGHT:
    case ' ':
    case 'l': go(p, t->step + 1); break;
    case KEY_LEFT:
    case 127:
    case 'h': go(p, t->step - 1); break;
    case KEY_PAGE_DOWN: go(p, t->step + PAGE); break;
    case KEY_PAGE_UP: go(p, t->step - PAGE); break;
    case KEY_HOME: t->step = 0; break;
    case KEY_END: t->step = t->r.steps ? t->r.steps - 1 : 0; break;
    case KEY_DOWN:
    case 'j': p->top++; break;
    case KEY_UP:
    case 'k': p->top--; break;
    case '\t':
    case KEY_BACK_TAB: turn(p); break;
    case 'g': ask_step(p); break;
    case '/': ask_condition(p); break;
    case 'n': find_bad(p); break;
    case '\r':
    case '\n': enter(p); break;
    case KEY_ESCAPE: film_leave(p->f); break;
    case '?':
        p->keys = true;
        p->top = 0;
        break;
    case 'p': p->done = play_on(p) == KEY_FINISHED; break;
    case KEY_RESIZE: break;
    case 'q':
    case 4: /* ^D */
    case KEY_BREAK:
    case KEY_FINISHED: p->done = true; break;
    default: text_put(&p->told, "? shows the keys"); break;
    }
}

bool film_put_last(const Film *f, Marks marks, int width, Text *out)
{
    int height = term_height(STDOUT_FILENO) - 2, row = 0;
    if (!play_put_frame(film_track(f), out, width, 0, marks))
        return false;
    for (size_t i = 0; i < out->len && height > 0; i++)
        if (out->at[i] == '\n' && ++row == height)
            out->len = i + 1;
    return true;
}

bool film_by_keys(Session *s, Film *f, Span span, Marks marks)
{
    Player p = {.s = s, .f = f, .marks = marks};
    void (*progress)(void *, double, double) = s->progress;
    void *ctx = s->progress_ctx;
    if (!screen_open()) {
        diag_add(s->st.diags, "io", span, "at=0..5 prints frames",
                 "the terminal cannot be taken over");
        return false;
    }
    s->progress = on_progress;
    diag_try_begin(&p.tried, &s->st.diags);
    while (!p.done) {
        draw(&p, NULL);
        int key = screen_key(-1);
        p.told.len = 0;
        diags_clear(&p.tried.found);
        bool scrolls = key == KEY_UP || key == KEY_DOWN || key == KEY_RESIZE;
        if (p.keys && !scrolls && key != KEY_FINISHED) {
            p.keys = false;
            p.top = 0;
        } else {
            press(&p, key);
        }
    }
    diag_try_end(&p.tried);
    screen_close();
    s->progress = progress;
    s->progress_ctx = ctx;
    text_free(&p.told);
    while (film_leave(f))
        continue;
    return true;
}
