/* Frames of backpropagation through code without a loop, as text and data. */
#include "viz/film/film.h"

#include "base/utf8.h"

enum { INDENT = 2 };

/* ---- text ---- */

void straight_place(const PlayTrack *t, Text *out)
{
    const Backprop *b = t->straight;
    text_printf(out, "%s %lld of 0..%lld", t->backward ? "edge" : "node", (long long)t->step,
                (long long)t->r.steps - 1);
    if (!t->backward)
        return;
    const BackEdge *e = &b->edges.at[t->step];
    text_printf(out, ", from %s back to %s", b->nodes.at[e->to].name, b->nodes.at[e->from].name);
}

/* "x * y = 0.5 * 2 = 1" */
static void put_equation(const PlayTrack *t, int k, Text *out)
{
    const Backprop *b = t->straight;
    Text names = {0}, filled = {0}, value = {0};
    int digits = t->digits;
    backprop_formula(b, k, PLAY_NAMES, digits, &names);
    backprop_formula(b, k, PLAY_VALUES, digits, &filled);
    play_put_value(b->nodes.at[k].value, digits, &value);
    if (names.len)
        text_printf(out, "%s = ", text_str(&names));
    if (strcmp(text_str(&names), text_str(&filled)) && strcmp(text_str(&filled), text_str(&value)))
        text_printf(out, "%s = ", text_str(&filled));
    text_put(out, text_str(&value));
    text_free(&names);
    text_free(&filled);
    text_free(&value);
}

static void put_row(const char *name, Text *side, Text *out, int label, int width, bool now,
                    Marks marks)
{
    bool color = now && marks == MARKS_COLOR;
    int room = label - utf8_columns(name);
    text_printf(out, "%s%s %s%*s = ", color ? "\x1b[1m" : "", now ? "▸" : " ", name,
                room > 0 ? room : 0, "");
    play_wrap(out, text_str(side), label + INDENT + 3, width);
    if (color && out->len && out->at[out->len - 1] == '\n') {
        out->len--;
        text_put(out, "\x1b[0m\n");
    }
    text_free(side);
}

static int widest_name(const Backprop *b)
{
    int most = 0;
    for (size_t i = 0; i < b->nodes.len; i++) {
        int n = utf8_columns(b->nodes.at[i].name);
        most = n > most ? n : most;
    }
    return most;
}

static void put_forward(const PlayTrack *t, Text *out, int width, Marks marks)
{
    int label = widest_name(t->straight);
    for (int k = 0; k <= t->step; k++) {
        Text side = {0};
        put_equation(t, k, &side);
        put_row(t->straight->nodes.at[k].name, &side, out, label, width, k == t->step, marks);
    }
}

/* What comes in, times the local derivative, and what there is by now. */
static void put_edge(const PlayTrack *t, const BackEdge *e, Text *out)
{
    const char *to = t->straight->nodes.at[e->to].name;
    int digits = t->digits;
    text_printf(out, "d %s", to);
    if (e->local) {
        text_put(out, " * ");
        play_put_value(e->local, digits, out);
        text_put(out, " = ");
        play_put_value(e->in, digits, out);
        text_put(out, " * ");
        play_put_value(e->local, digits, out);
    }
    text_put(out, e->local ? " = " : " through it = ");
    play_put_value(e->part, digits, out);
    if (e->adds) {
        text_put(out, ", added up ");
        play_put_value(e->sum, digits, out);
    }
}

static void put_backward(const PlayTrack *t, Text *out, int width, Marks marks)
{
    const Backprop *b = t->straight;
    const BackEdge *e = &b->edges.at[t->step];
    int label = widest_name(b) + 2;
    Text name = {0}, side = {0};
    if (*e->rule)
        play_wrap(out, e->rule, 0, width);
    text_printf(&name, "d %s", b->nodes.at[e->from].name);
    put_edge(t, e, &side);
    put_row(text_str(&name), &side, out, label, width, true, marks);
    text_putc(out, '\n');
    for (int k = (int)b->nodes.len - 1; k >= 0; k--) {
        const Tensor *d = backprop_cotangent(b, k, (size_t)t->step + 1);
        if (!d)
            continue;
        name.len = 0;
        text_printf(&name, "d %s", b->nodes.at[k].name);
        play_put_value(d, t->digits, &side);
        put_row(text_str(&name), &side, out, label, width, k == e->from, MARKS_NONE);
    }
    text_free(&name);
}

void straight_put(const PlayTrack *t, Text *out, int width, Marks marks)
{
    Text head = {0};
    play_wrap(out, t->title, 0, width);
    straight_place(t, &head);
    play_wrap(out, text_str(&head), 0, width);
    text_putc(out, '\n');
    text_free(&head);
    if (t->backward)
        put_backward(t, out, width, marks);
    else
        put_forward(t, out, width, marks);
}

/* ---- data ---- */

static void put_number(Json *j, const char *key, const Tensor *value)
{
    if (!value)
        return;
    json_key(j, key);
    json_elements(j, value);
}

static void put_node_json(const PlayTrack *t, Json *j)
{
    const BackNode *n = &t->straight->nodes.at[t->step];
    Text formula = {0};
    backprop_formula(t->straight, (int)t->step, PLAY_NAMES, t->digits, &formula);
    json_pair(j, "name", n->name);
    json_pair(j, "formula", text_str(&formula));
    put_number(j, "value", n->value);
    text_free(&formula);
}

static void put_edge_json(const PlayTrack *t, Json *j)
{
    const BackEdge *e = &t->straight->edges.at[t->step];
    json_pair(j, "from", t->straight->nodes.at[e->from].name);
    json_pair(j, "to", t->straight->nodes.at[e->to].name);
    json_pair(j, "rule", e->rule);
    put_number(j, "local", e->local);
    put_number(j, "in", e->in);
    put_number(j, "part", e->part);
    put_number(j, "sum", e->sum);
}

void straight_put_json(const PlayTrack *t, Json *j)
{
    json_begin(j, '{');
    json_pair(j, "direction", t->backward ? "backward" : "forward");
    json_count(j, "step", t->step);
    if (t->backward)
        put_edge_json(t, j);
    else
        put_node_json(t, j);
    json_end(j, '}');
}
