/* Finding what a pattern matches (core/rewrite/find.h): as a matcher by brute force does, which
 * knows nothing of ours, on random graphs; and for each rule in text the places where it fires. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus.h"
#include "graph/op.h"
#include "rewrite/exploration.h"
#include "rewrite/find.h"
#include "rewrite/history.h"
#include "session/session.h"
#include "syntax/ast_print.h"

#include "../effort.h"
#include "../run_text.h"

enum { GRAPHS = 10000, TERMS = 24, PARTS = 24, NAMES = 3, MOST_NODES = 300 };

typedef struct {
    Session s;
    u64 state;
} World;

static u32 roll(World *w, u32 n)
{
    w->state = hash_mix(w->state, 0x7f31);
    return (u32)(w->state >> 20) % n;
}

/* ---- patterns, as the brute force has them ---- */

typedef struct Part {
    enum { NAME, NUMBER, OPERATOR } kind;
    int name;
    double number;
    OpId op;
    int n;
    struct Part *args[2];
} Part;

typedef struct {
    Part parts[PARTS];
    int n;
    Text text;
} Tree;

static const struct {
    OpId op;
    const char *before, *between, *after;
    int n;
    bool any_order;
} forms[] = {{OP_ADD, "(", " + ", ")", 2, true},
             {OP_MUL, "(", " * ", ")", 2, true},
             {OP_SUB, "(", " - ", ")", 2, false},
             {OP_EXP, "exp(", "", ")", 1, false},
             {OP_TANH, "tanh(", "", ")", 1, false}};

static int form_of(OpId op)
{
    for (size_t i = 0; i < COUNT_OF(forms); i++)
        if (forms[i].op == op)
            return (int)i;
    return -1;
}

/* No sum right below a sum: that would be read as one with more operands. */
static Part *make_part(World *w, Tree *t, int depth, OpId above)
{
    Part *p = &t->parts[t->n++];
    u32 f = roll(w, COUNT_OF(forms));
    *p = (Part){.kind = NAME, .name = (int)roll(w, NAMES)};
    if (depth == 0 || (above != OP_COUNT && roll(w, 3) == 0) || forms[f].op == above) {
        if (above != OP_COUNT && roll(w, 6) == 0)
            *p = (Part){.kind = NUMBER, .number = 2};
        text_printf(&t->text, p->kind == NUMBER ? "2" : "%c", 'a' + p->name);
        return p;
    }
    *p = (Part){.kind = OPERATOR, .op = forms[f].op, .n = forms[f].n};
    text_put(&t->text, forms[f].before);
    for (int i = 0; i < p->n; i++) {
        text_put(&t->text, i ? forms[f].between : "");
        p->args[i] = make_part(w, t, depth - 1, p->op);
    }
    text_put(&t->text, forms[f].after);
    return p;
}

/* ---- brute force: every way to give operands to parts is tried ---- */

typedef struct {
    const Part *p;
    Node *n;
} Want;

static bool all_match(Want *wants, int n, Node **names, bool root);

static bool operands_match(Want *wants, int n, Node **names, bool root)
{
    const Part *p = wants[0].p;
    Node *at = wants[0].n;
    bool any = forms[form_of(p->op)].any_order, more = any && root;
    if (at->op != p->op || (more ? (int)at->nops < p->n : (int)at->nops != p->n))
        return false;
    for (u32 i = 0; i < at->nops; i++)
        for (u32 k = 0; k < (p->n == 2 ? at->nops : 1); k++) {
            Want next[PARTS];
            int m = 0;
            if ((!any && (i != 0 || (p->n == 2 && k != 1))) || (p->n == 2 && i == k))
                continue;
            next[m++] = (Want){p->args[0], at->ops[i]};
            if (p->n == 2)
                next[m++] = (Want){p->args[1], at->ops[k]};
            for (int j = 1; j < n; j++)
                next[m++] = wants[j];
            Node *kept[NAMES];
            memcpy(kept, names, sizeof kept);
            if (all_match(next, m, names, false))
                return true;
            memcpy(names, kept, sizeof kept);
        }
    return false;
}

static bool all_match(Want *wants, int n, Node **names, bool root)
{
    double x;
    if (!n)
        return true;
    const Part *p = wants[0].p;
    if (p->kind == OPERATOR)
        return operands_match(wants, n, names, root);
    if (p->kind == NUMBER)
        return node_const_f64(wants[0].n, &x) && x == p->number &&
               all_match(wants + 1, n - 1, names, false);
    if (names[p->name])
        return names[p->name] == wants[0].n && all_match(wants + 1, n - 1, names, false);
    names[p->name] = wants[0].n;
    if (all_match(wants + 1, n - 1, names, false))
        return true;
    names[p->name] = NULL;
    return false;
}

/* ---- random graphs ---- */

static Node *make_graph(World *w)
{
    Store *st = &w->s.st;
    Node *at[TERMS];
    int n = 0;
    for (; n < 3; n++) {
        char name[2] = {(char)('p' + n), 0};
        at[n] = node_input(st, OP_INPUT, symbol(st, name), type_scalar(st, DT_F64));
    }
    at[n++] = node_f64(st, 2);
    while (n < TERMS) {
        Node *ops[3];
        u32 f = roll(w, COUNT_OF(forms)), count = (u32)forms[f].n;
        if (forms[f].any_order)
            count += roll(w, 2);
        for (u32 k = 0; k < count; k++)
            ops[k] = at[roll(w, (u32)n)];
        at[n++] = node_make(st, forms[f].op, NULL, count, ops);
    }
    Node *all = node_make(st, OP_ADD, NULL, TERMS - 4, at + 4);
    return all;
}

static void test_brute_force(void **state)
{
    (void)state;
    World w = {.state = from_env("GRADUS_SEED", 1)};
    u32 cases = effort_cases(GRAPHS), places = 0, patterns = 0;
    assert_true(session_init(&w.s));
    for (u32 i = 0; i < cases; i++) {
        Node *root = make_graph(&w);
        Tree t = {.n = 0};
        const Part *p = make_part(&w, &t, 3, OP_COUNT);
        PatternQuery q;
        if (p->kind != OPERATOR) {
            text_free(&t.text);
            continue;
        }
        const Source src = {
            .name = "pattern", .text = (char *)text_str(&t.text), .len = t.text.len};
        assert_true(query_read(&q, source_whole(&src), w.s.st.diags));
        StandingVec found = {0}, all = {0};
        NodeSet ours = {0};
        query_find(&q, &w.s.st, 1, &root, &found);
        for (size_t k = 0; k < found.len; k++)
            set_add(&ours, found.at[k].node);
        nodes_standing(1, &root, NULL, &all);
        for (size_t k = 0; k < all.len; k++) {
            Node *names[NAMES] = {NULL};
            bool theirs = all_match((Want[PARTS]){{p, all.at[k].node}}, 1, names, true);
            if (theirs != map_has(&ours, all.at[k].node))
                print_error("graph %u: %s at a %s: brute force says %d\n", i, src.text,
                            op_table[all.at[k].node->op].name, theirs);
            assert_int_equal(theirs, map_has(&ours, all.at[k].node));
            places += theirs;
        }
        patterns++;
        map_free(&ours);
        vec_free(&found);
        vec_free(&all);
        query_free(&q);
        text_free(&t.text);
    }
    print_message("%u graphs, %u places\n", patterns, places);
    assert_true(places > patterns / 10);
    session_free(&w.s);
}

/* ---- rules ---- */

/* "left if guard" of "left => right if guard" */
static bool read_left(PatternQuery *q, const Rule *r, Session *s)
{
    const char *arrow = strstr(r->text, " => "), *guard = r->guard ? strstr(arrow, " if ") : NULL;
    for (const char *next = guard; next && (next = strstr(next + 1, " if ")) != NULL;)
        guard = next; /* the right side may have one, too */
    Text t = {0};
    text_putn(&t, r->text, (size_t)(arrow - r->text));
    if (guard) {
        Text g = {0};
        ast_print_expr(&g, r->guard);
        text_printf(&t, " if %s", text_str(&g));
        text_free(&g);
    }
    const Source *src = session_source(s, "left", text_str(&t), t.len);
    text_free(&t);
    return query_read(q, source_whole(src), s->st.diags);
}

/* Only the right side, which a pattern has not, keeps the rule from firing. */
static bool is_of_right_side(const char *why)
{
    return strstr(why, "right side") || strstr(why, "both sides are the same");
}

typedef struct {
    u32 rules, places, fired, tried;
} Count;

static void compare_rule(Session *s, const Rule *r, int n, Node *const *roots, Count *c)
{
    PatternQuery q;
    StandingVec found = {0}, all = {0};
    NodeSet ours = {0};
    assert_true(read_left(&q, r, s));
    query_find(&q, &s->st, n, roots, &found);
    for (size_t i = 0; i < found.len; i++)
        set_add(&ours, found.at[i].node);
    nodes_standing(n, roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++) {
        const Standing *at = &all.at[i];
        Text why = {0};
        if (at->node->op != r->root)
            continue;
        bool fires = rule_explain_text(&s->st, r, at->within, at->node, &why, NULL),
             here = map_has(&ours, at->node);
        bool agree = fires ? here : !here || at->within || is_of_right_side(text_str(&why));
        if (!agree)
            print_error("%s: fires %d, found %d: %s\n", r->name, fires, here, text_str(&why));
        assert_true(agree);
        c->places += here;
        text_free(&why);
    }
    Exploration x; /* what :try does */
    c->tried++;
    explore_rule(&x, &s->st, s->rules, &s->options, r, n, roots, 1, NULL);
    if (x.log.at.len && !x.log.at.at[0].inner) {
        Node *before = x.log.at.at[0].changes[0].before;
        c->fired++;
        assert_true(map_has(&ours, before) ||
                    (before->op == OP_PROJ && map_has(&ours, before->ops[0])));
    }
    exploration_clear(&x);
    map_free(&ours);
    vec_free(&found);
    vec_free(&all);
    query_free(&q);
}

/* Rules for operators that are there. */
static void compare_rules(Session *s, int n, Node *const *roots, Count *c)
{
    StandingVec all = {0};
    bool has[OP_COUNT] = {false};
    nodes_standing(n, roots, NULL, &all);
    for (size_t i = 0; i < all.len; i++)
        has[all.at[i].node->op] = true;
    for (size_t k = 0; k < s->rules->all.len; k++) {
        const Rule *r = s->rules->all.at[k];
        if (r->text && has[r->root])
            compare_rule(s, r, n, roots, c);
    }
    vec_free(&all);
}

static void look(Corpus *c, int n, Node *const *roots)
{
    if (nodes_count(n, roots) < MOST_NODES)
        compare_rules(&c->s, n, roots, c->ctx);
}

/* Each rule has a golden in which it fires. */
static void test_rules(void **state)
{
    (void)state;
    Count c = {0};
    Corpus corpus = {.on_roots = look, .ctx = &c};
    corpus_run(&corpus);
    print_message("%u files: %u rules tried, %u places, %u times one fired outside of bodies\n",
                  corpus.files, c.tried, c.places, c.fired);
    assert_true(c.fired > corpus.files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brute_force),
                                       cmocka_unit_test(test_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
