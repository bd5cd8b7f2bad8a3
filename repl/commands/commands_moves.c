/* Rewriting by hand: what every rule would do to an expression as it stands, and doing it, move by
 * move: :moves, :move, :branch, :goal.
 *
 * Invariant: the number of a move is that of its place among all moves of the state, whatever part
 * of them is listed; a command that fails leaves the derivation as it was. */
#include "egraph/extract.h"
#include "graph/print.h"
#include "repl/commands/change.h"
#include "repl/commands/derivation_by_hand.h"

enum { SIDE = 70, MOST_MOVES = 30 };

struct ByHand *call_by_hand(Call *c)
{
    struct ByHand *h = c->r->s.by_hand;
    if (!h)
        call_fail(c, c->span, "no-move", ":moves EXPR begins one",
                  "there is no derivation by hand");
    return h;
}

Exploration *call_hand_steps(Call *c)
{
    Exploration *x = hand_exploration(&c->r->s);
    things_renumber(x);
    return c->r->s.listed = x;
}

/* All moves of the present state; false after a diagnostic. */
static bool find_moves(Call *c, HandMoves *out)
{
    Session *s = &c->r->s;
    s->rules.interrupt = s->interrupt;
    Exploration *x = call_hand_steps(c);
    StopReason stop = hand_find(&s->st, &s->rules, x->nroots, x->roots, out);
    if (stop == STOP_INTERRUPTED)
        return call_fail(c, c->span, "interrupted", NULL, "interrupted while looking for moves");
    if (stop != STOP_SATURATED && stop != STOP_MEMORY)
        text_printf(&c->out, "%s: there may be more moves\n", stop_name(stop));
    return stop != STOP_MEMORY;
}

/* The number of the node at which it is made; 0: that has none. */
static u32 place_of(Exploration *x, const HandMove *m)
{
    const Thing *t = thing_of(exploration_things(x), m->within, m->node);
    return t ? t->number : 0;
}

/* ---- :moves ---- */

static char *side_text(Call *c, const HandMove *m, Node *n)
{
    Text t = {0};
    node_source_marked(&c->r->s.st, &t, n, SIDE, NULL, m->within);
    for (size_t i = 0; i < t.len; i++)
        t.at[i] = t.at[i] == '\n' ? ' ' : t.at[i];
    return report_take(&c->report, &t);
}

/* What looks the same afterwards is told by what it is now. */
static const char *after_text(Call *c, const HandMove *m, const char *before)
{
    const char *after = side_text(c, m, m->after);
    const Node *n = m->after->op == OP_PROJ ? m->after->ops[0] : m->after;
    return strcmp(before, after) == 0
               ? report_format(&c->report, "%s (%s)", after, op_table[n->op].name)
               : after;
}

typedef struct {
    i64 node; /* -1: any */
    const char *rule, *pass;
    i64 most;
} Filter;

static bool is_wanted(Exploration *x, const Filter *f, const HandMove *m)
{
    return (f->node < 0 || place_of(x, m) == (u64)f->node) &&
           (!f->rule || strcmp(f->rule, m->rule->name) == 0) &&
           (!f->pass || strcmp(f->pass, rule_pass(m->rule)) == 0);
}

static void add_move(Call *c, Rows *rows, Exploration *x, const HandMove *m, size_t number)
{
    u32 at = place_of(x, m);
    MoveBar bar = hand_bar(&c->r->s.rules, m);
    const char *before = side_text(c, m, m->before);
    rows_add(rows, int_of((i64)number), text_of(m->rule->name), classes_of(c, m->classes),
             at ? as(report_format(&c->report, "%%%u", at), int_of(at)) : text_of(NULL),
             text_of(before), text_of("=>"), text_of(after_text(c, m, before)), flag_of(!bar),
             text_of(bar == MOVE_CLASS     ? "not allowed"
                     : bar == MOVE_ONE_WAY ? "only in proofs"
                                           : ""));
}

static void put_moves(Call *c, const HandMoves *moves, const Filter *f)
{
    static const Column columns[] = {{"", "move"},  {"", "rule"},      {"", "classes"},
                                     {"", "at"},    {"", "before"},    {"", NULL},
                                     {"", "after"}, {NULL, "allowed"}, {"", NULL}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    Exploration *x = c->r->s.listed;
    i64 shown = 0, left = 0;
    for (size_t i = 0; i < moves->len; i++) {
        if (!is_wanted(x, f, &moves->at[i]))
            continue;
        if (shown < f->most)
            add_move(c, &rows, x, &moves->at[i], i + 1);
        left += shown >= f->most;
        shown += shown < f->most;
    }
    rows_put(&rows, "moves");
    if (left)
        report_say(&c->report,
                   "and {left} more: most= lists them, :moves %K, rule= and pass= some of them\n",
                   int_of(left));
    report_field(&c->report, "count", int_of((i64)moves->len));
    if (!shown)
        text_printf(&c->out, "no rule fires %s\n", moves->len ? "there" : "here");
}

/* "%12" alone is a node of the derivation, if there is one. */
static bool names_node(const Call *c, i64 *node)
{
    char *end;
    if (c->text[0] != '%' || c->text[1] < '0' || c->text[1] > '9' || !c->r->s.by_hand)
        return false;
    *node = strtoll(c->text + 1, &end, 10);
    return !*end;
}

static bool begin_derivation(Call *c)
{
    Node **roots = NULL;
    int n = call_roots(c, NULL, &roots);
    if (n < 0)
        return false;
    hand_begin(&c->r->s, c->text, n, roots);
    free(roots);
    return true;
}

static bool read_filter(Call *c, Filter *f)
{
    const Option *rule = call_option(c, "rule"), *pass = call_option(c, "pass");
    *f = (Filter){.node = -1};
    if (!call_number(c, "most", MOST_MOVES, 1, 1000000, &f->most))
        return false;
    if (rule && !call_rule(c, rule->value, rule->span))
        return false;
    if (pass && !pass_named(pass->value))
        return call_unknown_pass(c, pass->value, pass->span);
    f->rule = rule ? rule->value : NULL;
    f->pass = pass ? pass->value : NULL;
    return true;
}

bool command_moves(Call *c)
{
    Filter f;
    HandMoves moves = {0};
    if (!read_filter(c, &f))
        return false;
    bool node = names_node(c, &f.node);
    if (call_has_expr(c) && !node && !begin_derivation(c))
        return false;
    if (!call_by_hand(c))
        return false;
    if (node && !thing_numbered(call_hand_steps(c), (u32)f.node))
        return call_fail(c, c->rest, "no-move", ":graph ssa shows the numbers",
                         "the derivation has no node %%%lld", (long long)f.node);
    bool ok = find_moves(c, &moves);
    if (ok)
        put_moves(c, &moves, &f);
    vec_free(&moves);
    return ok;
}

/* ---- :goal ---- */

static bool has_graphs(int n, Node *const *roots)
{
    NodeVec order = {0};
    int slots[4];
    bool any = false;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len && !any; i++)
        any = node_graphs(order.at[i], slots) > 0;
    vec_free(&order);
    return any;
}

void put_goal(Call *c)
{
    Session *s = &c->r->s;
    Node *const *roots = hand_roots(s->by_hand, hand_state(s->by_hand));
    int n = s->by_hand->start->nroots;
    Text t = {0};
    ListingOptions how = {.declared = true, .width = repl_width(c->r)};
    bool listed = (has_graphs(n, roots) || n != 1) && listing_print(&s->st, &t, n, roots, &how);
    for (int i = 0; i < n && !listed; i++)
        node_source(&s->st, &t, roots[i], false);
    text_printf(&c->out, "%s\n", text_str(&t));
    json_text(&c->data, "goal", &t);
    text_free(&t);
}

static bool check_goal(Call *c)
{
    struct ByHand *h = c->r->s.by_hand;
    Node *const *roots = hand_roots(h, hand_state(h));
    int n = h->start->nroots;
    const Option *o = call_option(c, "digest");
    Text digest = {0};
    put_digest(&digest, n, roots);
    bool same = !o || strcmp(o->value, text_str(&digest)) == 0;
    text_free(&digest);
    if (!same)
        return call_fail(c, o->span, "goal", "the derivation ends in another graph: see :steps",
                         "this is not the goal");
    Node **wanted = NULL;
    int count = call_has_expr(c) ? call_roots(c, NULL, &wanted) : 0;
    same = count == n && memcmp(wanted, roots, (size_t)n * sizeof *roots) == 0;
    free(wanted);
    return !call_has_expr(c) || same ||
           (count >= 0 &&
            call_fail(c, c->rest, "goal", "the derivation ends in another graph: see :steps",
                      "this is not the goal"));
}

bool command_goal(Call *c)
{
    if (!call_by_hand(c) || !check_goal(c))
        return false;
    put_goal(c);
    return true;
}

/* ---- :move ---- */

typedef struct {
    i64 number; /* 0: by rule */
    const char *rule;
    i64 at, nth; /* 0: not given */
    Span span;
} Wanted;

static bool read_number(Call *c, Wanted *w)
{
    char *end;
    w->number = c->text[0] >= '0' && c->text[0] <= '9' ? strtoll(c->text, &end, 10) : -1;
    w->span = c->rest;
    if (w->number >= 0 && !*end && w->number <= INT32_MAX)
        return true;
    return call_fail(c, c->rest, "usage",
                     strcmp(c->text, "undo") == 0 ? ":undo takes the last move back"
                                                  : ":move 3, or :move rule=NAME at=%K",
                     ":move takes the number of a move");
}

static bool read_wanted(Call *c, Wanted *w)
{
    const Option *rule = call_option(c, "rule"), *at = call_option(c, "at");
    *w = (Wanted){.span = c->span};
    if (!call_number(c, "nth", 0, 1, 1000000, &w->nth))
        return false;
    if (!rule && !call_has_expr(c))
        return call_fail(c, c->span, "usage", ":moves lists the moves, :move 1 makes the first",
                         ":move needs the number of a move, or rule=NAME");
    if (!rule)
        return read_number(c, w);
    if (call_has_expr(c))
        return call_fail(c, c->rest, "usage", NULL, "either a number or rule=NAME");
    if (!call_rule(c, rule->value, rule->span))
        return false;
    w->rule = rule->value;
    w->span = rule->span;
    char *end = NULL;
    if (at)
        w->at = at->value[0] == '%' ? strtoll(at->value + 1, &end, 10) : 0;
    return !at || (w->at > 0 && !*end) ||
           call_fail(c, at->span, "usage", ":moves lists them", "at= takes a node, %%3");
}

static bool fits(Exploration *x, const Wanted *w, const HandMove *m)
{
    return strcmp(m->rule->name, w->rule) == 0 && (!w->at || place_of(x, m) == (u64)w->at);
}

/* How many moves fit up to the place `to`. */
static size_t count_fitting(Exploration *x, const Wanted *w, const HandMoves *moves, size_t to)
{
    size_t n = 0;
    for (size_t i = 0; i < to; i++)
        n += fits(x, w, &moves->at[i]);
    return n;
}

static bool several_fit(Call *c, const Wanted *w, const HandMoves *moves)
{
    Exploration *x = c->r->s.listed;
    Text places = {0};
    for (size_t i = 0; i < moves->len; i++)
        if (fits(x, w, &moves->at[i]))
            text_printf(&places, "%s%%%u", places.len ? ", " : "", place_of(x, &moves->at[i]));
    return call_fail(c, w->span, "no-move", "at=%K or nth=K says which one",
                     "%s fires in several places: %s", w->rule, report_take(&c->report, &places));
}

static bool none_fits(Call *c, const Wanted *w)
{
    char *where = w->at ? report_format(&c->report, " at %%%lld", (long long)w->at) : "";
    return call_fail(
        c, w->span, "no-move",
        report_format(&c->report, ":moves lists what does; :whynot %s tells why", w->rule),
        "%s does not fire%s", w->rule, where);
}

static const HandMove *choose(Call *c, const Wanted *w, const HandMoves *moves)
{
    size_t k = (size_t)w->number;
    if (!w->rule && (k < 1 || k > moves->len)) {
        call_fail(c, w->span, "no-move", ":moves lists them",
                  moves->len == 1 ? "there is one move" : "there are %zu moves", moves->len);
        return NULL;
    }
    if (!w->rule)
        return &moves->at[k - 1];
    size_t n = count_fitting(c->r->s.listed, w, moves, moves->len);
    if (n < (size_t)(w->nth ? w->nth : 1)) {
        none_fits(c, w);
        return NULL;
    }
    if (n > 1 && !w->nth) {
        several_fit(c, w, moves);
        return NULL;
    }
    for (k = 0; count_fitting(c->r->s.listed, w, moves, k + 1) < (size_t)(w->nth ? w->nth : 1);)
        k++;
    return &moves->at[k];
}

static bool is_barred(Call *c, const HandMove *m)
{
    u32 more = m->classes & ~c->r->s.rules.allowed;
    if (hand_bar(&c->r->s.rules, m) == MOVE_ONE_WAY)
        return call_fail(c, c->span, "no-move", ":equal uses it in proofs",
                         "%s, read from right to left, would make nan of a number", m->rule->name);
    return call_fail(c, c->span, "no-move",
                     report_format(&c->report, ":set allow %s", classes_text(c, more)),
                     "%s is of a class that is not allowed", m->rule->name);
}

static bool make_move(Call *c, const HandMoves *moves, const HandMove *m)
{
    Session *s = &c->r->s;
    Exploration *x = s->listed;
    if (hand_bar(&s->rules, m))
        return is_barred(c, m);
    u32 at = place_of(x, m), from = (u32)x->log.at.len;
    Wanted same = {.rule = m->rule->name, .at = at};
    size_t all = count_fitting(x, &same, moves, moves->len);
    size_t nth = count_fitting(x, &same, moves, (size_t)(m - moves->at) + 1);
    s->st.span = c->span;
    if (!hand_move(s, m, at, all > 1 ? (u32)nth : 0))
        return memory_short() ? false
                              : call_fail(c, c->span, "no-move", NULL, "%s leads to no graph here",
                                          m->rule->name);
    x = call_hand_steps(c);
    call_list_from(c, x, from);
    put_goal(c);
    report_field(&c->report, "moves", int_of(hand_length(s->by_hand, hand_state(s->by_hand))));
    return true;
}

bool command_move(Call *c)
{
    Wanted w;
    HandMoves moves = {0};
    if (!call_by_hand(c) || !read_wanted(c, &w))
        return false;
    const HandMove *m = find_moves(c, &moves) ? choose(c, &w, &moves) : NULL;
    bool ok = m && make_move(c, &moves, m);
    vec_free(&moves);
    return ok;
}

/* ---- :branch ---- */

static char *short_goal(Call *c, int n, Node *const *roots)
{
    Text t = {0};
    for (int i = 0; i < n; i++) {
        text_put(&t, i ? ", " : "");
        node_source_limited(&c->r->s.st, &t, roots[i], true, SIDE);
    }
    for (size_t i = 0; i < t.len; i++)
        t.at[i] = t.at[i] == '\n' ? ' ' : t.at[i];
    return report_take(&c->report, &t);
}

static void list_branches(Call *c, const struct ByHand *h)
{
    static const Column columns[] = {{"", NULL},       {"branch", "name"}, {"moves", "moves"},
                                     {"cost", "cost"}, {"goal", "goal"},   {NULL, "current"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    CostModel model = cost_model(&c->r->s.rules.saturating);
    int n = h->start->nroots;
    for (u32 i = 0; i < h->branches.len; i++) {
        const HandBranch *b = &h->branches.at[i];
        Node *const *roots = hand_roots(h, b->state);
        double cost = roots_cost(&c->r->s.st, &model, n, roots);
        bool here = i == h->branch;
        rows_add(&rows, text_of(here ? "*" : ""), text_of(b->name),
                 int_of(hand_length(h, b->state)),
                 as(report_format(&c->report, "%.6g", cost), real_of(cost)),
                 text_of(short_goal(c, n, roots)), flag_of(here));
    }
    rows_put(&rows, "branches");
}

static bool is_name(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return n && !s[n];
}

bool command_branch(Call *c)
{
    const char *name;
    Span span;
    struct ByHand *h = call_by_hand(c);
    if (!h)
        return false;
    if (!call_word(c, &name, &span)) {
        list_branches(c, h);
        return true;
    }
    if (!is_name(name) || call_has_expr(c))
        return call_fail(c, c->rest, "usage", ":branch other",
                         "a branch is named by one word of letters and digits");
    bool made = hand_branch(&c->r->s, name);
    call_hand_steps(c);
    report_say(&c->report,
               made ? "{branch} begins after {moves move}{=made}\n"
                    : "{branch}, after {moves move}{=made}\n",
               text_of(name), int_of(hand_length(h, hand_state(h))), flag_of(made));
    put_goal(c);
    return true;
}
