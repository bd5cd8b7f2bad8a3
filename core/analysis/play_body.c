/* Equations with values.  See play_body.h. */
#include "analysis/play_body.h"

#include "graph/names.h"
#include "graph/provenance.h"
#include "ops/build.h"
#include "surface/surface.h"
#include "tensor/brief.h"

#include <math.h>

enum { FORMULA = 600, SHORT = 4, RANGE_DIGITS = 4, BARS = 16 };

/* ---- lines ---- */

typedef struct {
    NodeMap of;     /* what stands for itself in the formulas to come: an input */
    NodeSet inputs; /* these, in the order of the places */
} Stands;

/* Notes that n stands for itself, by name, in the formulas after it. */
static void add_place(PlayBody *b, Node *n, Symbol name, Stands *stands)
{
    char label[24];
    snprintf(label, sizeof label, "{%zu}", b->places.len);
    Node *input = node_input(b->r->st, OP_INPUT, symbol(b->r->st, label), n->type);
    vec_push(&b->places, n);
    vec_push(&b->names, name);
    map_put(&stands->of, n, input);
    set_add(&stands->inputs, input);
    loop_probe_add(b->r, n);
}

static bool is_loop_inside(const Node *n)
{
    return n->op == OP_SCAN || (n->op == OP_PROJ && n->ops[0]->op == OP_SCAN);
}

/* Does a number that stands between these need no parentheses if it is negative? */
static bool stands_alone(const char *formula, const char *open, const char *after)
{
    bool left = open == formula || open[-1] == '(' || open[-1] == '[' ||
                (open - formula >= 2 && open[-2] == ',');
    return left && (!*after || !strchr("^['.", *after));
}

static int place_of(const NodeSet *inputs, const Node *input)
{
    size_t k = 0;
    while (map_key(inputs, k) != input)
        k++;
    return (int)k;
}

static void add_parts(Arena *arena, const char *s, const Edges *edges, const NodeSet *inputs,
                      PlayParts *out)
{
    bool inside = false;
    for (StyledPart p = {0}; styled_next(&p, s, strlen(s), edges);) {
        if (p.edge && p.edge->opens)
            vec_push(out, ((PlayPart){NULL, place_of(inputs, p.edge->of),
                                      stands_alone(s, s + p.at, s + edges->at[p.next].at)}));
        else if (!p.edge && !inside)
            vec_push(out, ((PlayPart){arena_strndup(arena, p.text, p.len), -1, false}));
        inside = p.edge && p.edge->opens;
    }
}

void play_parts(Store *st, Arena *arena, Node *n, const NodeSet *inputs, PlayParts *out)
{
    Styled s = {0};
    node_source_places(st, &s, n, FORMULA, inputs);
    for (size_t i = 0; i < s.text.len; i++)
        if (s.text.at[i] == '\n')
            s.text.at[i] = ' ';
    add_parts(arena, text_str(&s.text), &s.edges, inputs, out);
    styled_free(&s);
}

/* A line for n, with places for what it is made of. */
static void add_line(PlayBody *b, Node *n, Symbol name, bool kept, Stands *stands)
{
    Node *open = node_substitute(b->r->st, n, &stands->of);
    PlayLine l = {.of = n, .name = name, .kept = kept, .inside = is_loop_inside(n)};
    if (open)
        play_parts(b->r->st, b->arena, open, &stands->inputs, &l.formula);
    vec_push(&b->lines, l);
}

/* What the body's author calls output o; NULL: nothing. */
static Symbol name_of_output(const LoopProbe *r, const ScanRoles *roles, int o)
{
    if (o < r->s.nstates)
        return name_shifted(r->st, roles->names[o], r->s.reverse ? -1 : 1);
    return o < r->s.steps ? roles->outs[o - r->s.nstates] : symbol(r->st, "until");
}

static Symbol some_name(const LoopProbe *r, const ScanRoles *roles, int o)
{
    Symbol name = name_of_output(r, roles, o);
    Text t = {0};
    if (name)
        return name;
    text_printf(&t, o < r->s.nstates ? "state %d" : "output %d",
                o < r->s.nstates ? o : o - r->s.nstates);
    name = symbol(r->st, text_str(&t));
    text_free(&t);
    return name;
}

/* The index of a while loop counts itself; its name has no [t-1]. */
static bool is_index(const LoopProbe *r, const ScanRoles *roles, int state)
{
    Symbol name = roles->names[state];
    return name && !name_data(r->st, name).indexed &&
           r->s.body->params[state] == type_scalar(r->st, DT_I64);
}

/* A state without an equation of its own. */
static bool only_passed_on(const LoopProbe *r, const ScanRoles *roles, int o)
{
    return o < r->s.nstates && (roles->earlier[o] || is_index(r, roles, o));
}

/* The output that n is first: a state, else a trace; -1: it is none. */
static int output_of(const LoopProbe *r, const ScanRoles *roles, const Node *n)
{
    const Graph *g = r->s.body;
    for (int o = 0; o < g->nouts; o++)
        if (g->outs[o] == n && !only_passed_on(r, roles, o))
            return o;
    return -1;
}

static void add_equations(PlayBody *b, const ScanRoles *roles, Stands *stands)
{
    const LoopProbe *r = b->r;
    Graph *g = r->s.body;
    NodeVec order = {0};
    nodes_topo(g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        int o = output_of(r, roles, n);
        Symbol name = o >= 0 ? some_name(r, roles, o) : node_name_in(r->st, g, n);
        if (!name || n->op == OP_PARAM || n->type->kind != TYPE_TENSOR ||
            (o < 0 && node_is_const(n)))
            continue;
        add_line(b, n, name, o >= 0, stands);
        add_place(b, n, name, stands);
    }
    vec_free(&order);
}

/* Equations that give what stands there already, under another name. */
static void add_aliases(PlayBody *b, const ScanRoles *roles, Stands *stands)
{
    const LoopProbe *r = b->r;
    for (int o = 0; o < r->s.body->nouts; o++) {
        Symbol name = name_of_output(r, roles, o);
        bool there = !name || only_passed_on(r, roles, o);
        for (size_t i = 0; i < b->lines.len && !there; i++)
            there = b->lines.at[i].name == name;
        if (!there)
            add_line(b, r->s.body->outs[o], name, true, stands);
    }
}

/* Is it a state of the loop whose derivative this one is: h for "d_h"? Its rows before are none of
 * a sequence. */
static bool has_derivative(const LoopProbe *r, const ScanRoles *roles, Symbol name)
{
    Symbol of = name_base(r->st, name);
    bool found = false;
    for (int j = 0; j < r->s.nstates && !found; j++) {
        Name state = roles->names[j] ? name_data(r->st, roles->names[j]) : (Name){0};
        bool cotangent = state.kind == NAME_COTANGENT || state.kind == NAME_CARRIED;
        found = cotangent && state.base == of && !state.tap && !state.again;
    }
    return found;
}

/* Rows are counted from the first t for which there is a row of every tap: x[t-4] begins at 4. */
static i64 first_index(const LoopProbe *r, const ScanRoles *roles)
{
    i64 most = 0;
    for (int p = r->s.nstates; p < r->s.nstates + r->s.nseqs; p++) {
        bool tapped = roles->names[p] && !has_derivative(r, roles, roles->names[p]);
        i64 back = tapped ? -name_data(r->st, roles->names[p]).offset : 0;
        most = back > most ? back : most;
    }
    return most;
}

/* ---- order ---- */

/* Does a line read what the other computes? */
static bool reads(const PlayBody *b, const PlayLine *l, const PlayLine *other)
{
    bool found = false;
    for (size_t i = 0; i < l->formula.len && !found; i++) {
        int k = l->formula.at[i].place;
        found = k >= 0 && b->places.at[k] == other->of;
    }
    return found;
}

/* Which of the lines from `first` on, none of which may wait for another, was written first. */
static size_t next_line(const PlayBody *b, size_t first)
{
    size_t best = first;
    for (size_t i = first + 1; i < b->lines.len; i++) {
        const PlayLine *l = &b->lines.at[i];
        const Span *here = node_span(b->r->st, l->of),
                   *there = node_span(b->r->st, b->lines.at[best].of);
        bool waits = !here || !there || here->src != there->src || here->start >= there->start;
        for (size_t k = first; k < i && !waits; k++)
            waits = reads(b, l, &b->lines.at[k]);
        best = waits ? best : i;
    }
    return best;
}

/* As they were written, where that is an order to compute them in. */
static void sort_lines(PlayBody *b)
{
    for (size_t i = 0; i < b->lines.len; i++) {
        size_t k = next_line(b, i);
        PlayLine l = b->lines.at[k];
        memmove(&b->lines.at[i + 1], &b->lines.at[i], (k - i) * sizeof l);
        b->lines.at[i] = l;
    }
}

void play_body_open(PlayBody *b, LoopProbe *r, Arena *arena, int digits)
{
    *b = (PlayBody){.r = r, .arena = arena, .digits = digits ? digits : BRIEF_DIGITS};
    ScanRoles roles = scan_roles(r->st, r->scan);
    Graph *g = r->s.body;
    NameScope *around = r->st->scope;
    Stands stands = {0};
    r->st->scope = NULL;
    b->offset = first_index(r, &roles);
    for (int p = 0; p < g->nparams; p++)
        add_place(b, g->param_nodes[p], roles.names[p] ? roles.names[p] : symbol(r->st, "…"),
                  &stands);
    add_equations(b, &roles, &stands);
    sort_lines(b);
    add_aliases(b, &roles, &stands);
    r->st->scope = around;
    map_free(&stands.of);
    map_free(&stands.inputs);
    for (int j = 0; j < r->s.nstates; j++)
        if (!only_passed_on(r, &roles, j)) {
            vec_push(&b->states, j);
            vec_push(&b->state_names, some_name(r, &roles, j));
        }
}

void play_body_free(PlayBody *b)
{
    for (size_t i = 0; i < b->lines.len; i++)
        vec_free(&b->lines.at[i].formula);
    vec_free(&b->places);
    vec_free(&b->names);
    vec_free(&b->lines);
    vec_free(&b->states);
    vec_free(&b->state_names);
}

/* ---- names and values ---- */

i64 play_index(const PlayBody *b, i64 step) { return b->offset + loop_probe_row(b->r, step); }

Symbol play_name(const PlayBody *b, Symbol name)
{
    Store *st = b->r->st;
    i64 at = play_index(b, b->r->at) + name_data(st, name).offset;
    return name_has_index(st, name) ? name_at(st, name, NULL, at) : name;
}

bool play_is_short(const Tensor *t)
{
    return t && t->rank <= 1 && t->count <= SHORT && t->dtype != DT_RNG;
}

static void put_bars(const Tensor *t, Text *out)
{
    static const char *const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double low = INFINITY, high = -INFINITY;
    for (i64 i = 0; i < t->count; i++) {
        double v = tensor_f64_at(t, i);
        low = isfinite(v) && v < low ? v : low;
        high = isfinite(v) && v > high ? v : high;
    }
    i64 n = t->count < BARS ? t->count : BARS;
    text_put(out, low < high ? " " : "");
    for (i64 k = 0; k < n && low < high; k++) {
        double v = tensor_f64_at(t, k * t->count / n);
        text_put(out, isfinite(v) ? bars[(int)((v - low) / (high - low) * 7.999)] : "?");
    }
    text_printf(out, " %lld numbers", (long long)t->count);
    if (low < high)
        text_printf(out, ", %.*g to %.*g", RANGE_DIGITS, low, RANGE_DIGITS, high);
}

void play_put_value(const Tensor *t, int digits, Text *out)
{
    if (!t) {
        text_put(out, "?");
        return;
    }
    brief_put(out, t, digits ? digits : BRIEF_DIGITS, t->rank <= 1 ? SHORT : 3);
    if (t->count > 2 * SHORT && t->dtype != DT_RNG && t->dtype != DT_BOOL)
        put_bars(t, out);
}

void play_value(const PlayBody *b, const Tensor *t, Text *out)
{
    play_put_value(t, b->digits, out);
}

static void put_place(const PlayBody *b, const PlayPart *p, PlayFill fill, Text *out)
{
    const Tensor *t = loop_probe_value(b->r, b->places.at[p->place]);
    if (fill == PLAY_NAMES || !play_is_short(t)) {
        text_put(out, play_name(b, b->names.at[p->place]));
        return;
    }
    Text v = {0};
    brief_put(&v, t, b->digits, SHORT);
    bool paren = *text_str(&v) == '-' && !p->alone;
    text_printf(out, paren ? "(%s)" : "%s", text_str(&v));
    text_free(&v);
}

void play_formula(const PlayBody *b, const PlayLine *l, PlayFill fill, Text *out)
{
    for (size_t i = 0; i < l->formula.len; i++)
        if (l->formula.at[i].text)
            text_put(out, l->formula.at[i].text);
        else
            put_place(b, &l->formula.at[i], fill, out);
}

/* Is it t, of a body with names as h[t]? */
static bool is_letter_of(const PlayBody *b, const char *name, size_t n)
{
    for (size_t i = 0; i < b->names.len; i++) {
        Symbol letter = name_data(b->r->st, b->names.at[i]).letter;
        if (letter && n == strlen(letter) && !strncmp(letter, name, n))
            return true;
    }
    return false;
}

Node *play_named(const PlayBody *b, const char *name, size_t n)
{
    bool index = memchr(name, '[', n) != NULL;
    for (size_t i = b->places.len; i-- > 0;) { /* of two with a name, what the step gives */
        Symbol known = index ? b->names.at[i] : name_base(b->r->st, b->names.at[i]);
        if (n == strlen(known) && !strncmp(known, name, n))
            return map_get(&b->r->copy, b->places.at[i]);
    }
    if (!is_letter_of(b, name, n))
        return NULL;
    return build_add(b->r->st, b->r->row, node_i64(b->r->st, b->offset));
}
