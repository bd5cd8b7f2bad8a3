/* Rewriting by hand: :moves lists what every rule would do to an expression as it stands.
 *
 * Invariant: nothing is rewritten; classes that are not allowed are listed, too, and marked. */
#include "graph/print.h"
#include "repl/commands/commands.h"
#include "rewrite/engine.h"

enum { SIDE = 70 };

typedef struct {
    const Rule *rule;
    Node *before, *after;
    u32 extra;
} HandMove;
typedef VEC(HandMove) MoveList;

/* What the rules that can match at n would put in its place, or in that of its results. */
static void moves_at(Engine *e, Node *n, u32 groups, RuleList *rules, MoveList *out)
{
    Site site;
    u32 extra;
    site_open(&site, e, n);
    rule_candidates(e->rs, n, groups, rules);
    for (size_t i = 0; i < rules->len; i++) {
        const Rule *r = e->rs->all.at[rules->at[i]];
        if (r->off || rule_is_global(r) || !engine_try(r, &site, &extra))
            continue;
        const Change *c = &site.changes.at[0];
        if (c->after && c->after != c->before)
            vec_push(out, ((HandMove){r, c->before, c->after, extra}));
    }
    site_close(&site);
}

static void find_moves(Session *s, int n, Node **roots, MoveList *out)
{
    Engine e;
    NodeVec order = {0};
    RuleList rules = {0};
    Diags scratch = {0}, *saved = s->st.diags;
    u32 groups = 0;
    for (size_t i = 0; i < pass_count(); i++)
        groups |= rule_groups(&s->rules, pass_table[i].name);
    engine_open(&e, &s->st, &s->rules, "by hand", n, roots);
    engine_count_uses(&e);
    s->st.diags = &scratch;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        moves_at(&e, order.at[i], groups, &rules, out);
    s->st.diags = saved;
    map_free(&e.used);
    engine_close(&e);
    diags_free(&scratch);
    vec_free(&order);
    vec_free(&rules);
}

static char *side_text(Call *c, Node *n)
{
    Text t = {0};
    node_source_limited(&c->r->s.st, &t, n, true, SIDE);
    for (size_t i = 0; i < t.len; i++)
        t.at[i] = t.at[i] == '\n' ? ' ' : t.at[i];
    return report_take(&c->report, &t);
}

static void put_moves(Call *c, const MoveList *moves)
{
    static const Column columns[] = {{"", "move"}, {"", "rule"},  {"", "classes"},   {"", "before"},
                                     {"", NULL},   {"", "after"}, {NULL, "allowed"}, {"", NULL}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    for (size_t i = 0; i < moves->len; i++) {
        const HandMove *m = &moves->at[i];
        u32 classes = m->rule->classes | m->extra;
        bool allowed = !(classes & ~c->r->s.rules.allowed);
        rows_add(&rows, int_of((i64)i + 1), text_of(m->rule->name), classes_of(c, classes),
                 text_of(side_text(c, m->before)), text_of("=>"), text_of(side_text(c, m->after)),
                 flag_of(allowed), text_of(allowed ? "" : "not allowed"));
    }
    rows_put(&rows, "moves");
    if (!moves->len)
        text_put(&c->out, "no rule fires here\n");
}

/* The whole expression after move K. */
static void put_moved(Call *c, const HandMove *m, int n, Node *const *roots)
{
    PtrMap memo = {0};
    map_put(&memo, m->before, m->after);
    json_open(&c->data, "result", '[');
    for (int i = 0; i < n; i++) {
        Node *r = node_substitute(&c->r->s.st, roots[i], &memo);
        Text t = {0};
        node_source(&c->r->s.st, &t, r ? r : roots[i], false);
        text_printf(&c->out, "%s\n", text_str(&t));
        json_string(&c->data, text_str(&t));
        text_free(&t);
    }
    json_end(&c->data, ']');
    map_free(&memo);
}

bool command_moves(Call *c)
{
    Node **roots = NULL;
    MoveList moves = {0};
    i64 chosen;
    if (!call_number(c, "move", 0, 1, 1000000, &chosen))
        return false;
    int n = call_roots(c, NULL, &roots);
    if (n < 0)
        return false;
    find_moves(&c->r->s, n, roots, &moves);
    bool ok = true;
    if (!call_option(c, "move"))
        put_moves(c, &moves);
    else if ((size_t)chosen <= moves.len)
        put_moved(c, &moves.at[chosen - 1], n, roots);
    else
        ok = call_fail(c, call_option(c, "move")->span, "usage", ":moves EXPR lists them",
                       "there are %zu moves", moves.len);
    vec_free(&moves);
    free(roots);
    return ok;
}
