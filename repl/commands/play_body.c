/* Equations with values.  See play_body.h. */
#include "repl/commands/play_body.h"

#include "graph/names.h"
#include "graph/print.h"
#include "repl/commands/brief.h"

#include <math.h>

enum { PLACE_OPEN = 3, PLACE_CLOSE = 4 };
enum { FORMULA = 600, SHORT = 4, RANGE_DIGITS = 4, BARS = 16 };

/* ---- lines ---- */

/* Notes that n stands for itself, by name, in the formulas after it. */
static int add_place(PlayBody *b, Node *n, Symbol name, PtrMap *memo)
{
    int k = (int)b->places.len;
    Text label = {0};
    text_printf(&label, "%c%d%c", PLACE_OPEN, k, PLACE_CLOSE);
    vec_push(&b->places, n);
    vec_push(&b->names, name);
    if (memo)
        map_put(memo, n,
                node_input(b->r->st, OP_INPUT, symbol(b->r->st, text_str(&label)), n->type));
    text_free(&label);
    reel_show(b->r, n);
    return k;
}

static bool is_loop_inside(const Node *n)
{
    return n->op == OP_SCAN || (n->op == OP_PROJ && n->ops[0]->op == OP_SCAN);
}

/* A line for n, of which `memo` has what it is made of. */
static void add_line(PlayBody *b, Node *n, Symbol name, bool kept, PtrMap *memo)
{
    Text text = {0};
    Node *open = node_substitute(b->r->st, n, memo);
    if (open)
        node_source_limited(b->r->st, &text, open, false, FORMULA);
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '\n')
            text.at[i] = ' ';
    PlayLine l = {.of = n, .name = name, .kept = kept, .inside = is_loop_inside(n)};
    l.formula = arena_strndup(&b->r->c->arena, text_str(&text), text.len);
    vec_push(&b->lines, l);
    text_free(&text);
}

/* What the body's author calls output o; NULL: nothing. */
static Symbol name_of_output(const Reel *r, const ScanRoles *roles, int o)
{
    if (o < r->s.nstates)
        return name_shifted(r->st, roles->names[o], r->s.reverse ? -1 : 1);
    return o < r->s.steps ? roles->outs[o - r->s.nstates] : symbol(r->st, "until");
}

static Symbol some_name(const Reel *r, const ScanRoles *roles, int o)
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
static bool is_index(const Reel *r, const ScanRoles *roles, int state)
{
    Symbol name = roles->names[state];
    return name && !strchr(name, '[') && r->s.body->params[state] == type_scalar(r->st, DT_I64);
}

/* A state without an equation of its own. */
static bool only_passed_on(const Reel *r, const ScanRoles *roles, int o)
{
    return o < r->s.nstates && (roles->earlier[o] || is_index(r, roles, o));
}

/* The output that n is first: a state, else a trace; -1: it is none. */
static int output_of(const Reel *r, const ScanRoles *roles, const Node *n)
{
    const Graph *g = r->s.body;
    for (int o = 0; o < g->nouts; o++)
        if (g->outs[o] == n && !only_passed_on(r, roles, o))
            return o;
    return -1;
}

static void add_equations(PlayBody *b, const ScanRoles *roles, PtrMap *memo)
{
    const Reel *r = b->r;
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
        add_line(b, n, name, o >= 0, memo);
        add_place(b, n, name, memo);
    }
    vec_free(&order);
}

/* Equations that give what stands there already, under another name. */
static void add_aliases(PlayBody *b, const ScanRoles *roles, PtrMap *memo)
{
    const Reel *r = b->r;
    for (int o = 0; o < r->s.body->nouts; o++) {
        Symbol name = name_of_output(r, roles, o);
        bool there = !name || only_passed_on(r, roles, o);
        for (size_t i = 0; i < b->lines.len && !there; i++)
            there = b->lines.at[i].name == name;
        if (!there)
            add_line(b, r->s.body->outs[o], name, true, memo);
    }
}

/* Is it a state of the loop whose derivative this one is: h for "d h"? Its rows before are none of
 * a sequence. */
static bool has_derivative(const Reel *r, const ScanRoles *roles, Symbol name)
{
    Symbol d = name_with(r->st, "d ", name_base(r->st, name));
    bool found = false;
    for (int j = 0; j < r->s.nstates && !found; j++)
        found = roles->names[j] && name_base(r->st, roles->names[j]) == d;
    return found;
}

/* Rows are counted from the first t for which there is a row of every tap: x[t-4] begins at 4. */
static i64 first_index(const Reel *r, const ScanRoles *roles)
{
    i64 most = 0;
    for (int p = r->s.nstates; p < r->s.nstates + r->s.nseqs; p++) {
        bool tapped = roles->names[p] && !has_derivative(r, roles, roles->names[p]);
        const char *tap = tapped ? strrchr(roles->names[p], '[') : NULL;
        const char *minus = tap ? strchr(tap, '-') : NULL;
        i64 back = minus ? strtoll(minus + 1, NULL, 10) : 0;
        most = back > most ? back : most;
    }
    return most;
}

/* ---- order ---- */

/* Does a line read what the other computes? */
static bool reads(const PlayBody *b, const PlayLine *l, const PlayLine *other)
{
    PlayPart p = {.at = l->formula};
    while (play_next_part(l, &p))
        if (p.place >= 0 && b->places.at[p.place] == other->of)
            return true;
    return false;
}

/* Which of the lines from `first` on, none of which may wait for another, was written first. */
static size_t next_line(const PlayBody *b, size_t first)
{
    size_t best = first;
    for (size_t i = first + 1; i < b->lines.len; i++) {
        const PlayLine *l = &b->lines.at[i];
        bool waits = l->of->span.src != b->lines.at[best].of->span.src ||
                     l->of->span.start >= b->lines.at[best].of->span.start;
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

void play_body_open(PlayBody *b, Reel *r)
{
    *b = (PlayBody){.r = r, .digits = r->c->r->digits ? r->c->r->digits : BRIEF_DIGITS};
    ScanRoles roles = scan_roles(r->st, r->scan);
    Graph *g = r->s.body;
    NameScope *around = r->st->scope;
    PtrMap memo = {0};
    r->st->scope = NULL;
    b->offset = first_index(r, &roles);
    for (int p = 0; p < g->nparams; p++)
        add_place(b, g->param_nodes[p], roles.names[p] ? roles.names[p] : symbol(r->st, "…"),
                  &memo);
    add_equations(b, &roles, &memo);
    sort_lines(b);
    add_aliases(b, &roles, &memo);
    r->st->scope = around;
    map_free(&memo);
    for (int j = 0; j < r->s.nstates; j++)
        if (!only_passed_on(r, &roles, j)) {
            vec_push(&b->states, j);
            vec_push(&b->state_names, some_name(r, &roles, j));
        }
}

void play_body_free(PlayBody *b)
{
    vec_free(&b->places);
    vec_free(&b->names);
    vec_free(&b->lines);
    vec_free(&b->states);
    vec_free(&b->state_names);
}

/* ---- names and values ---- */

i64 play_index(const PlayBody *b, i64 step) { return b->offset + reel_row(b->r, step); }

Symbol play_name(const PlayBody *b, Symbol name)
{
    const char *index = strchr(name, '['), *by = index ? strpbrk(index, "+-") : NULL;
    if (!index || index[1] == '\0' || (index[1] >= '0' && index[1] <= '9'))
        return name;
    i64 at = play_index(b, b->r->at) + (by ? strtoll(by, NULL, 10) : 0);
    Text here = {0};
    text_printf(&here, "%.*s[%lld]", (int)(index - name), name, (long long)at);
    Symbol s = symbol(b->r->st, text_str(&here));
    text_free(&here);
    return s;
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

void play_value(const PlayBody *b, const Tensor *t, Text *out)
{
    if (!t) {
        text_put(out, "?");
        return;
    }
    brief_put(out, t, b->digits, t->rank <= 1 ? SHORT : 3);
    if (t->count > 2 * SHORT && t->dtype != DT_RNG && t->dtype != DT_BOOL)
        put_bars(t, out);
}

/* Does a number that stands between these need parentheses if it is negative? */
static bool stands_alone(const char *formula, const char *open, const char *after)
{
    bool left = open == formula || open[-1] == '(' || open[-1] == '[' ||
                (open - formula >= 2 && open[-2] == ',');
    return left && (!*after || !strchr("^['.", *after));
}

static void put_place(const PlayBody *b, int k, PlayFill fill, bool alone, Text *out)
{
    const Tensor *t = reel_value(b->r, b->places.at[k]);
    if (fill == PLAY_NAMES || !play_is_short(t)) {
        text_put(out, play_name(b, b->names.at[k]));
        return;
    }
    Text v = {0};
    brief_put(&v, t, b->digits, SHORT);
    bool paren = *text_str(&v) == '-' && !alone;
    text_printf(out, paren ? "(%s)" : "%s", text_str(&v));
    text_free(&v);
}

bool play_next_part(const PlayLine *l, PlayPart *p)
{
    p->text = p->at;
    p->place = -1;
    if (*p->at == PLACE_OPEN) {
        char *end;
        p->place = (int)strtol(p->at + 1, &end, 10);
        p->alone = stands_alone(l->formula, p->at, end + 1);
        p->at = end + 1;
        return true;
    }
    while (*p->at && *p->at != PLACE_OPEN)
        p->at++;
    p->len = (size_t)(p->at - p->text);
    return p->len > 0;
}

void play_formula(const PlayBody *b, const PlayLine *l, PlayFill fill, Text *out)
{
    PlayPart p = {.at = l->formula};
    while (play_next_part(l, &p))
        if (p.place < 0)
            text_putn(out, p.text, p.len);
        else
            put_place(b, p.place, fill, p.alone, out);
}

Node *play_named(const PlayBody *b, const char *name, size_t n)
{
    bool index = memchr(name, '[', n) != NULL;
    for (size_t i = b->places.len; i-- > 0;) { /* of two with a name, what the step gives */
        size_t whole = strlen(b->names.at[i]), bare = strcspn(b->names.at[i], "[");
        if (n == (index ? whole : bare) && !strncmp(b->names.at[i], name, n))
            return map_get(&b->r->copy, b->places.at[i]);
    }
    return NULL;
}
