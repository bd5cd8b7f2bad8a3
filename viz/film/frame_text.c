/* A frame as rows of text: the head, the equations, the states as curves. */
#include "viz/film/film.h"
#include "graph/name.h"

#include "base/utf8.h"
#include "tensor/brief.h"
#include "viz/plot/dots.h"

#include <math.h>

enum { MOST_LABEL = 18, MOST_CURVE = 60, LEAST_CURVE = 8, CURVE_ROWS = 2, MOST_ROWS = 4 };

enum { ANY_HEIGHT = -1 };

static const char *const colors[] = {"34", "31", "32"};

/* ---- rows ---- */

/* Bytes of s that fit, to a blank if there is one to break at. */
static size_t fitting(const char *s, int room)
{
    size_t n = strlen(s), at = 0, blank = 0, k;
    for (int used = 0; at < n; at += k) {
        u32 c;
        k = (size_t)utf8_decode(s + at, n - at, &c);
        int w = k ? utf8_width(c) : 1;
        k = k ? k : 1;
        if (used + w > room)
            return blank ? blank : at ? at : k;
        if (s[at] == ' ' && at)
            blank = at;
        used += w;
    }
    return n;
}

void play_wrap(Text *out, const char *s, int column, int width)
{
    int room = width - column > LEAST_CURVE ? width - column : LEAST_CURVE;
    for (bool first = true; *s; first = false) {
        size_t n = fitting(s, room);
        if (!first)
            text_printf(out, "%*s", column, "");
        text_printf(out, "%.*s\n", (int)n, s);
        s += n + strspn(s + n, " ");
    }
}

static void put_cut(Text *out, const char *s, int columns)
{
    if (utf8_columns(s) <= columns) {
        text_printf(out, "%s%*s", s, columns - utf8_columns(s), "");
        return;
    }
    int used = 0;
    for (size_t n = strlen(s), at = 0, k; at < n; at += k) {
        u32 c;
        k = (size_t)utf8_decode(s + at, n - at, &c);
        used += k ? utf8_width(c) : 1;
        k = k ? k : 1;
        if (used > columns - 1)
            break;
        text_putn(out, s + at, k);
    }
    text_put(out, "…");
}

/* ---- the head ---- */

void play_put_title(const PlayTrack *t, Text *out)
{
    text_printf(out, "%s%s", t->title, t->backward ? ", backward pass" : "");
}

void play_put_step(const PlayTrack *t, Text *out)
{
    text_printf(out, "step %lld of 0..%lld, t = %lld", (long long)t->step,
                (long long)t->r.steps - 1, (long long)play_index(&t->b, t->step));
}

static void put_head(const PlayTrack *t, Text *out, int width, Marks marks)
{
    Text head = {0};
    play_put_title(t, &head);
    play_wrap(out, text_str(&head), 0, width);
    head.len = 0;
    if (!t->r.steps) {
        play_wrap(out, "the loop takes no steps: its states keep their initial values", 0, width);
        text_free(&head);
        return;
    }
    play_put_step(t, &head);
    if (t->r.stopped && t->step + 1 == t->r.steps)
        text_put(&head, ", until stops here");
    int room = width - utf8_columns(text_str(&head)) - 2;
    if (room >= 10) {
        room = room > 40 ? 40 : room;
        int full = (int)((t->step + 1) * room / t->r.steps);
        text_put(&head, marks == MARKS_COLOR ? "  \x1b[36m" : "  ");
        for (int k = 0; k < room; k++)
            text_put(&head, k < full ? "━" : "╌");
        text_printf(&head, "%s\n", marks == MARKS_COLOR ? "\x1b[0m" : "");
        text_put(out, text_str(&head));
    } else {
        play_wrap(out, text_str(&head), 0, width);
    }
    text_free(&head);
}

/* ---- equations ---- */

typedef struct {
    Text name, names, values, value;
    bool filled, bad;
} Parts;

static bool any_bad(const Tensor *v)
{
    for (i64 i = 0; v && dtype_is_float(v->dtype) && i < v->count; i++)
        if (!isfinite(tensor_f64_at(v, i)))
            return true;
    return false;
}

static void make_parts(const PlayTrack *t, const PlayLine *l, Parts *p)
{
    const Tensor *v = loop_probe_value(&t->r, l->of);
    *p = (Parts){.bad = any_bad(v)};
    text_put(&p->name, play_name(&t->b, l->name));
    play_formula(&t->b, l, PLAY_NAMES, &p->names);
    play_formula(&t->b, l, PLAY_VALUES, &p->values);
    play_value(&t->b, v, &p->value);
    p->filled = strcmp(text_str(&p->names), text_str(&p->values)) != 0 &&
                strcmp(text_str(&p->value), text_str(&p->values)) != 0;
}

static void parts_free(Parts *p)
{
    Text *all[] = {&p->name, &p->names, &p->values, &p->value};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        text_free(all[i]);
}

static void put_equation(const PlayTrack *t, const PlayLine *l, Text *out, int label, int width,
                         Marks marks)
{
    bool color = marks == MARKS_COLOR;
    Parts p;
    make_parts(t, l, &p);
    const char *on = !color ? "" : p.bad ? "\x1b[1;31m" : "\x1b[32m", *off = color ? "\x1b[0m" : "";
    int name = utf8_columns(text_str(&p.name)), at = (name > label ? name : label) + 1;
    int whole = at + 2 + utf8_columns(text_str(&p.names)) + 3 + utf8_columns(text_str(&p.value)) +
                (p.filled ? 3 + utf8_columns(text_str(&p.values)) : 0);
    text_printf(out, "%s%s%s%*s= ", color && l->kept ? "\x1b[1m" : "", text_str(&p.name),
                color && l->kept ? off : "", at - name, "");
    if (whole <= width) {
        text_put(out, text_str(&p.names));
        if (p.filled)
            text_printf(out, " = %s", text_str(&p.values));
        text_printf(out, " = %s%s%s\n", on, text_str(&p.value), off);
    } else {
        int column = at + 2 < width / 2 ? at : 2;
        play_wrap(out, text_str(&p.names), at + 2 < width / 2 ? at + 2 : 4, width);
        if (p.filled) {
            text_printf(out, "%*s= ", column, "");
            play_wrap(out, text_str(&p.values), column + 2, width);
        }
        text_printf(out, "%*s= %s", column, "", on);
        play_wrap(out, text_str(&p.value), column + 2, width);
        if (color) {
            out->len--;
            text_printf(out, "%s\n", off);
        }
    }
    parts_free(&p);
}

void play_put_equations(const PlayTrack *t, Text *out, int width, Marks marks)
{
    int label = 0;
    for (size_t i = 0; i < t->b.lines.len; i++) {
        int w = utf8_columns(play_name(&t->b, t->b.lines.at[i].name));
        label = w > label && w <= MOST_LABEL && w < width / 3 ? w : label;
    }
    for (size_t i = 0; i < t->b.lines.len; i++)
        put_equation(t, &t->b.lines.at[i], out, label, width, marks);
}

/* ---- curves ---- */

static void draw_state(const PlayTrack *t, int state, Dots *dots)
{
    for (int e = 0; e < PLAY_ELEMENTS; e++) {
        PlayPoints points = {.at = NULL};
        bool drawn = false;
        int x0 = 0, y0 = 0;
        play_points(t, state, e, &points);
        for (size_t i = 0; i < points.len; i++) {
            const PlayPoint *p = &points.at[i];
            int x = (int)lround(p->x * (2 * dots->columns - 1));
            int y = (int)lround((1 - p->y) * (4 * dots->rows - 1));
            if (p->there && drawn)
                dots_line(dots, x0, y0, x, y, (size_t)e);
            else if (p->there)
                dots_put(dots, x, y, (size_t)e);
            drawn = p->there;
            x0 = x;
            y0 = y;
        }
        vec_free(&points);
    }
}

static void put_curve(const PlayTrack *t, size_t i, Text *out, int label, int curve, int rows,
                      Marks marks)
{
    int state = t->b.states.at[i];
    Dots dots;
    Text value = {0};
    const Tensor *v = loop_probe_after(&t->r, state);
    dots_begin(&dots, curve, rows);
    draw_state(t, state, &dots);
    brief_put(&value, v, 4, PLAY_ELEMENTS);
    for (int row = 0; row < rows; row++) {
        bool told = row == rows - 1;
        put_cut(out, told ? play_name(&t->b, t->b.state_names.at[i]) : "", label);
        text_put(out, " │");
        dots_put_row(&dots, out, row, marks == MARKS_COLOR ? colors : NULL, COUNT_OF(colors));
        text_printf(out, "│%s%s\n", told ? " " : "", told ? text_str(&value) : "");
    }
    text_free(&value);
    dots_free(&dots);
}

/* One for each state, higher where there is room. */
static void put_curves(const PlayTrack *t, Text *out, int width, int room, Marks marks)
{
    int label = 0, value = 0, n = 0;
    for (size_t i = 0; i < t->b.states.len; i++) {
        Text brief = {0};
        const Tensor *v = loop_probe_after(&t->r, t->b.states.at[i]);
        if (!play_has_curve(v))
            continue;
        int w = utf8_columns(play_name(&t->b, t->b.state_names.at[i]));
        brief_put(&brief, v, 4, PLAY_ELEMENTS);
        label = w > label ? w : label;
        value = utf8_columns(text_str(&brief)) > value ? utf8_columns(text_str(&brief)) : value;
        text_free(&brief);
        n++;
    }
    label = label > MOST_LABEL ? MOST_LABEL : label;
    int curve = width - label - 4 - value;
    if (!n || curve < LEAST_CURVE)
        return;
    int rows = room == ANY_HEIGHT ? CURVE_ROWS : (room - 1) / n;
    rows = rows > MOST_ROWS ? MOST_ROWS : rows < 1 ? 1 : rows;
    text_putc(out, '\n');
    for (size_t i = 0; i < t->b.states.len; i++)
        if (play_has_curve(loop_probe_after(&t->r, t->b.states.at[i])))
            put_curve(t, i, out, label, curve > MOST_CURVE ? MOST_CURVE : curve, rows, marks);
}

/* ---- the whole ---- */

/* What the states of a loop without steps are. */
static void put_starts(const PlayTrack *t, Text *out, int width)
{
    for (size_t i = 0; i < t->b.states.len; i++) {
        Text line = {0};
        Symbol name = t->b.state_names.at[i];
        text_printf(&line, "%s = ", name_base(t->r.st, name));
        play_value(&t->b, loop_probe_mark(&t->r, 0, t->b.states.at[i]), &line);
        play_wrap(out, text_str(&line), 2, width);
        text_free(&line);
    }
}

bool play_put_frame(PlayTrack *t, Text *out, int width, int height, Marks marks)
{
    if (t->straight) {
        straight_put(t, out, width, marks);
        return true;
    }
    if (t->r.steps && !loop_probe_go(&t->r, t->step))
        return false;
    put_head(t, out, width, marks);
    text_putc(out, '\n');
    if (!t->r.steps) {
        put_starts(t, out, width);
        return true;
    }
    play_put_equations(t, out, width, marks);
    put_curves(t, out, width, height ? height - text_lines(out) : ANY_HEIGHT, marks);
    return true;
}

bool play_put_json(PlayTrack *t, Json *j)
{
    if (t->straight) {
        straight_put_json(t, j);
        return true;
    }
    if (t->r.steps && !loop_probe_go(&t->r, t->step))
        return false;
    json_begin(j, '{');
    json_pair(j, "direction", t->backward ? "backward" : "forward");
    json_count(j, "step", t->step);
    if (t->r.steps)
        json_count(j, "index", play_index(&t->b, t->step));
    json_open(j, "equations", '[');
    for (size_t i = 0; i < t->b.lines.len && t->r.steps; i++) {
        const PlayLine *l = &t->b.lines.at[i];
        Parts p;
        make_parts(t, l, &p);
        json_begin(j, '{');
        json_pair(j, "name", text_str(&p.name));
        json_pair(j, "formula", text_str(&p.names));
        json_pair(j, "filled", text_str(&p.values));
        json_key(j, "value");
        json_elements(j, loop_probe_value(&t->r, l->of));
        json_end(j, '}');
        parts_free(&p);
    }
    json_end(j, ']');
    json_end(j, '}');
    return true;
}
