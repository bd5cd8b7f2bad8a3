/* Rewriting by hand, :move: what every rule would do to an expression as it stands, and doing it,
 * move by move; the branches; and the check of what came of it, :expect.
 *
 * Invariant: the number of a move is that of its place among all moves of the state, whatever part
 * of them is listed; a command that fails leaves the derivation as it was. */
#include "egraph/extract.h"
#include "surface/surface.h"
#include "repl/commands/derivation_by_hand.h"
#include "repl/commands/egraph.h"
#include "session/save.h"

enum { SIDE = 70, MOST_MOVES = 30 };

/* The one that is under way; NULL after a diagnostic. */
static struct ByHand *by_hand(Call *c)
{
    struct ByHand *h = c->r->s.by_hand;
    if (!h)
        call_fail(c, c->span, "no-move", ":move EXPR begins one",
                  "no interactive derivation is in progress");
    return h;
}

Exploration *call_hand_steps(Call *c)
{
    Exploration *x = hand_exploration(&c->r->s);
    things_renumber(x);
    session_note_recent(&c->r->s, x, c->r->s.by_hand->text);
    return c->r->s.listed = x;
}

/* All moves of the present state; false after a diagnostic. */
static bool find_moves(Call *c, HandMoves *out)
{
    Session *s = &c->r->s;
    Exploration *x = call_hand_steps(c);
    StopReason stop = hand_find(&s->st, s->rules, &s->options, x->nroots, x->roots, out);
    if (stop == STOP_INTERRUPTED)
        return call_fail(c, c->span, "interrupted", NULL, "interrupted while looking for moves");
    if (stop != STOP_SATURATED && stop != STOP_MEMORY)
        text_printf(&c->out, "%s: there may be more moves\n", stop_name(stop));
    return stop != STOP_MEMORY;
}

/* ---- the moves that there are ---- */

static char *side_text(Call *c, const HandMove *m, Node *n)
{
    Text t = {0};
    node_source_within(&c->r->s.st, &t, n, SIDE, m->within);
    text_join_lines(&t);
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

/* Which moves are asked for. */
typedef struct {
    i64 number, at;          /* of the move, of the node; -1: any */
    const char *rule, *pass; /* NULL: any */
    i64 nth, most;           /* of those that fit; 0: not given */
    Span span;
} Wanted;

static bool read_wanted(Call *c, Wanted *w)
{
    const Option *rule = call_option(c, "rule"), *pass = call_option(c, "pass");
    *w = (Wanted){.number = c->number,
                  .rule = rule ? rule->value : NULL,
                  .pass = pass ? pass->value : NULL,
                  .span = rule ? rule->span : c->number_span};
    if (!call_number(c, "most", MOST_MOVES, 1, 1000000, &w->most) ||
        !call_number(c, "nth", 0, 1, 1000000, &w->nth) ||
        !call_number(c, "at", -1, 0, UINT32_MAX, &w->at))
        return false;
    if (c->number >= 0 && c->noptions)
        return call_fail(c, c->options[0].span, "usage", ":move rule=NAME at=%K",
                         "the number of a move says all: no %s=", c->options[0].key);
    if (rule && !call_rule(c, rule->value, rule->span))
        return false;
    return !pass || pass_named(pass->value) || call_unknown_pass(c, pass->value, pass->span);
}

static bool fits(Exploration *x, const Wanted *w, const HandMove *m)
{
    return (w->at < 0 || hand_place(x, m) == (u64)w->at) &&
           (!w->rule || strcmp(w->rule, m->rule->name) == 0) &&
           (!w->pass || strcmp(w->pass, rule_pass(m->rule)) == 0);
}

static void add_move(Call *c, Rows *rows, Exploration *x, const HandMove *m, size_t number)
{
    u32 at = hand_place(x, m);
    MoveBar bar = hand_bar(&c->r->s.options, m);
    const char *before = side_text(c, m, m->before);
    rows_add(rows, int_of((i64)number), text_of(m->rule->name),
             classes_of(c, m->classes | rule_shown_classes(m->rule)),
             at ? as(report_format(&c->report, "%%%u", at), int_of(at)) : text_of(NULL),
             text_of(before), text_of("=>"), text_of(after_text(c, m, before)), flag_of(!bar),
             text_of(bar == MOVE_CLASS     ? "not allowed"
                     : bar == MOVE_ONE_WAY ? "only in proofs"
                                           : ""));
}

static void put_moves(Call *c, const HandMoves *moves, const Wanted *f)
{
    static const Column columns[] = {{"", "move"},  {"", "rule"},      {"", "classes"},
                                     {"", "at"},    {"", "before"},    {"", NULL},
                                     {"", "after"}, {NULL, "allowed"}, {"", NULL}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    Exploration *x = c->r->s.listed;
    i64 shown = 0, left = 0;
    for (size_t i = 0; i < moves->len; i++) {
        if (!fits(x, f, &moves->at[i]))
            continue;
        if (shown < f->most)
            add_move(c, &rows, x, &moves->at[i], i + 1);
        left += shown >= f->most;
        shown += shown < f->most;
    }
    rows_put(&rows, "moves");
    if (left)
        report_say(
            &c->report,
            "and {left} more: most= lists them, at=%K, pass= and rule=NAME list=on some of them\n",
            int_of(left));
    report_field(&c->report, "count", int_of((i64)moves->len));
    if (!shown)
        text_printf(&c->out, "no rule fires %s\n", moves->len ? "there" : "here");
}

static bool begin_derivation(Call *c)
{
    Node **roots = NULL;
    int n = call_roots(c, &roots);
    if (n < 0)
        return false;
    hand_begin(&c->r->s, c->text, n, roots);
    free(roots);
    return true;
}

static bool list_moves(Call *c)
{
    Wanted f;
    HandMoves moves = {0};
    if (!read_wanted(c, &f) || (call_has_expr(c) && !begin_derivation(c)) || !by_hand(c))
        return false;
    if (f.at >= 0 && !thing_numbered(call_hand_steps(c), (u32)f.at))
        return call_fail(c, call_option(c, "at")->span, "no-move",
                         ":graph ssa=on shows the numbers", "the derivation has no node %%%lld",
                         (long long)f.at);
    bool ok = find_moves(c, &moves);
    if (ok)
        put_moves(c, &moves, &f);
    vec_free(&moves);
    return ok;
}

/* ---- what it has led to: :expect without a claim ---- */

static bool has_graph(const Node *n)
{
    int slots[4];
    return node_graphs(n, slots) > 0;
}

void put_goal(Call *c)
{
    Session *s = &c->r->s;
    Node *const *roots = hand_roots(s->by_hand, hand_state(s->by_hand));
    int n = s->by_hand->start->nroots;
    Text t = {0};
    ListingOptions how = {.declared = true, .width = repl_width(c->r)};
    bool listed =
        (n != 1 || nodes_any(n, roots, has_graph)) && listing_print(&s->st, &t, n, roots, &how);
    for (int i = 0; i < n && !listed; i++)
        node_source(&s->st, &t, roots[i], false);
    report_say(&c->report, "{goal}\n", text_built(&c->report, &t));
}

static bool check_goal(Call *c)
{
    struct ByHand *h = c->r->s.by_hand;
    Node *const *roots = hand_roots(h, hand_state(h));
    int n = h->start->nroots;
    const Option *o = call_option(c, "digest");
    Text digest = {0};
    hand_digest(&digest, n, roots);
    bool same = !o || strcmp(o->value, text_str(&digest)) == 0;
    text_free(&digest);
    if (!same)
        return call_fail(c, o->span, "goal", "the derivation ends in another graph: see :steps",
                         "this is not what the derivation led to");
    Node **wanted = NULL;
    int count = call_has_expr(c) ? call_roots(c, &wanted) : 0;
    same = count == n && memcmp(wanted, roots, (size_t)n * sizeof *roots) == 0;
    free(wanted);
    return !call_has_expr(c) || same ||
           (count >= 0 &&
            call_fail(c, c->rest, "goal", "the derivation ends in another graph: see :steps",
                      "this is not what the derivation led to"));
}

bool expect_derivation(Call *c)
{
    if (!by_hand(c) || !check_goal(c))
        return false;
    put_goal(c);
    return true;
}

/* ---- :move ---- */

static bool several_fit(Call *c, const Wanted *w, const HandMoves *moves)
{
    Exploration *x = c->r->s.listed;
    Text places = {0};
    for (size_t i = 0; i < moves->len; i++)
        if (fits(x, w, &moves->at[i]))
            text_printf(&places, "%s%%%u", places.len ? ", " : "", hand_place(x, &moves->at[i]));
    return call_fail(c, w->span, "no-move", "at=%K or nth=K says which one",
                     "%s fires in several places: %s", w->rule, report_take(&c->report, &places));
}

static bool none_fits(Call *c, const Wanted *w)
{
    char *where = w->at >= 0 ? report_format(&c->report, " at %%%lld", (long long)w->at) : "";
    return call_fail(
        c, w->span, "no-move",
        report_format(&c->report, ":move lists what does; :whynot %s says why", w->rule),
        "%s does not fire%s", w->rule, where);
}

static const HandMove *choose(Call *c, const Wanted *w, const HandMoves *moves)
{
    size_t k = (size_t)w->number;
    if (!w->rule && (k < 1 || k > moves->len)) {
        call_fail(c, w->span, "no-move", ":move lists them",
                  moves->len == 1 ? "there is one move" : "there are %zu moves", moves->len);
        return NULL;
    }
    if (!w->rule)
        return &moves->at[k - 1];
    const HandMove *found = NULL;
    i64 n = 0, nth = w->nth ? w->nth : 1;
    for (k = 0; k < moves->len; k++)
        if (fits(c->r->s.listed, w, &moves->at[k]) && ++n == nth)
            found = &moves->at[k];
    if (!found)
        none_fits(c, w);
    else if (n > 1 && !w->nth)
        return several_fit(c, w, moves), NULL;
    return found;
}

static bool is_barred(Call *c, const HandMove *m)
{
    u32 more = m->classes & ~c->r->s.options.allowed;
    if (hand_bar(&c->r->s.options, m) == MOVE_ONE_WAY)
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
    if (hand_bar(&s->options, m))
        return is_barred(c, m);
    u32 at = hand_place(x, m), from = (u32)x->log.at.len;
    s->st.span = c->span;
    if (!hand_move(s, m, at, hand_nth(x, moves, m)))
        return memory_short() ? false
                              : call_fail(c, c->span, "no-move", NULL, "%s leads to no graph here",
                                          m->rule->name);
    x = call_hand_steps(c);
    call_list_from(c, x, from);
    put_goal(c);
    report_field(&c->report, "moves", int_of(hand_length(s->by_hand, hand_state(s->by_hand))));
    return true;
}

static bool one_move(Call *c)
{
    Wanted w;
    HandMoves moves = {0};
    if (!by_hand(c) || !read_wanted(c, &w))
        return false;
    const HandMove *m = find_moves(c, &moves) ? choose(c, &w, &moves) : NULL;
    bool ok = m && make_move(c, &moves, m);
    vec_free(&moves);
    return ok;
}

/* ---- branches ---- */

static char *short_goal(Call *c, int n, Node *const *roots)
{
    Text t = {0};
    put_sources(&t, &c->r->s.st, n, roots, true, SIDE);
    return report_take(&c->report, &t);
}

static void list_branches(Call *c, const struct ByHand *h)
{
    static const Column columns[] = {{"", NULL},       {"branch", "name"}, {"moves", "moves"},
                                     {"cost", "cost"}, {"goal", "goal"},   {NULL, "current"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    CostModel model = cost_model(&c->r->s.options.saturating);
    int n = h->start->nroots;
    for (u32 i = 0; i < h->branches.len; i++) {
        const HandBranch *b = &h->branches.at[i];
        Node *const *roots = hand_roots(h, b->state);
        double cost = roots_cost(&c->r->s.st, &model, n, roots);
        bool here = i == h->branch;
        rows_add(&rows, text_of(here ? "*" : ""), text_of(b->name),
                 int_of(hand_length(h, b->state)),
                 cost_in_units(&c->report, c->r->s.options.saturating.cost, cost),
                 text_of(short_goal(c, n, roots)), flag_of(here));
    }
    rows_put(&rows, "branches");
}

static bool is_name(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    return n && !s[n];
}

static bool branch(Call *c, const Option *o)
{
    struct ByHand *h = by_hand(c);
    if (!h)
        return false;
    if (!is_name(o->value))
        return call_fail(c, o->span, "usage", ":move branch=other",
                         "a branch is named by one word of letters and digits");
    bool made = hand_branch(&c->r->s, o->value);
    call_hand_steps(c);
    report_say(&c->report,
               made ? "{branch} begins after {moves move}{=made}\n"
                    : "{branch}, after {moves move}{=made}\n",
               text_of(o->value), int_of(hand_length(h, hand_state(h))), flag_of(made));
    put_goal(c);
    return true;
}

/* ---- :move ---- */

static bool beside_nothing(Call *c, const Option *o)
{
    return (c->noptions == 1 && !call_has_expr(c) && c->number < 0) ||
           call_fail(c, o->span, "usage", NULL, "%s= stands alone", o->key);
}

bool command_move(Call *c)
{
    const Option *to = call_option(c, "branch"), *all = call_option(c, "branches");
    if (to)
        return beside_nothing(c, to) && branch(c, to);
    if (all && call_switch(c, "branches")) {
        struct ByHand *h = beside_nothing(c, all) ? by_hand(c) : NULL;
        if (h)
            list_branches(c, h);
        return h != NULL;
    }
    size_t digits = strspn(c->text + (*c->text == '-'), "0123456789");
    if (digits && strlen(c->text) == digits + (*c->text == '-')) /* no number in front */
        return call_fail(c, c->rest, "usage", ":move 3, or :move rule=NAME at=%K",
                         ":move takes the number of a move");
    if (!strcmp(c->text, "undo"))
        return call_fail(c, c->rest, "usage", ":undo takes the last move back",
                         ":move takes an expression or the number of a move");
    bool makes = c->number >= 0 || (call_option(c, "rule") && !call_switch(c, "list"));
    if (makes && call_has_expr(c))
        return call_fail(c, c->rest, "usage", ":move EXPR begins a derivation, then :move 3",
                         "either an expression or a move");
    return makes ? one_move(c) : list_moves(c);
}
