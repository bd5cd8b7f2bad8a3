/* Every rule in text, without a line of code per rule: its left side is built on random and on
 * hard values (NaN, infinities, zeros of both signs), the rule fires, and both sides have one
 * type and, within the rule's classes, one value. A rule that never fires is a failure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lang/session.h"
#include <math.h>

enum { LENGTH = 12, ROUNDS = 8 };

typedef struct {
    Session s;
    const Rule *rule;
    Text expr;              /* the left side, in the language */
    const char *names[16];  /* its variables */
    char kinds[16];         /* f, a (any), i, b, c */
    int n;
    int made;               /* variables are 0: inputs, 1: squares, 2: integers as reals (for rules that need a fact) */
} Case;

static void ignore(void *ctx, Result *r) { (void)ctx, (void)r; }

static void run_text(Session *s, const char *text) {
    const Source *src = session_source(s, "rule", text, strlen(text));
    Parser p;
    parser_init(&p, src, &s->arena, &s->diags, false);
    Stmt *stmt;
    while (parse_statement(&p, &stmt) == PARSE_OK)
        session_run(s, stmt, ignore, NULL);
}

static bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

static void add_variable(Case *c, const char *at, size_t n, char kind) {
    for (int i = 0; i < c->n; i++)
        if (strlen(c->names[i]) == n && !strncmp(c->names[i], at, n)) {
            if (kind != 'f')
                c->kinds[i] = kind;
            return;
        }
    c->names[c->n] = arena_strndup(&c->s.arena, at, n);
    c->kinds[c->n++] = kind;
}

/* The pattern without annotations: `where(c:bool, x:any, x)` is `where(c, x, x)`; axis=A is axis=0. */
static void read_pattern(Case *c) {
    const char *p = c->rule->text, *end = strstr(p, "=>");
    while (p < end) {
        if (!is_word(*p)) {
            text_putc(&c->expr, *p++);
            continue;
        }
        const char *word = p;
        while (p < end && (is_word(*p) || (*p == '.' && *word >= '0' && *word <= '9')))
            p++;
        size_t n = (size_t)(p - word);
        char kind = 'f';
        if (*p == ':') {
            kind = p[1];
            while (p < end && (is_word(*++p)))
                ;
        }
        bool keyword = (n == 3 && (!strncmp(word, "not", 3) || !strncmp(word, "and", 3))) || (n == 2 && !strncmp(word, "or", 2)) ||
                       (n == 4 && !strncmp(word, "true", 4)) || (n == 5 && !strncmp(word, "false", 5));
        bool number = *word >= '0' && *word <= '9';
        if (n == 1 && *word == 'A')
            text_put(&c->expr, "0");
        else if (!keyword && !number && *p != '(' && *p != '=')
            add_variable(c, word, n, kind), text_putn(&c->expr, word, n);
        else
            text_putn(&c->expr, word, n);
    }
}

static void declare_variables(Case *c, bool integers) {
    static const char *const made[] = {"", "sqr", "f64"};
    Text t = {0};
    for (int i = 0; i < c->n; i++) {
        const char *name = c->names[i];
        bool whole = c->made == 2 || c->kinds[i] == 'i' || (integers && c->kinds[i] == 'a');
        const char *type = c->kinds[i] == 'b' ? "bool" : whole ? "i64" : "f64";
        if (c->made)
            text_printf(&t, "v%s : %s[%d]\n%s = %s(v%s)\n", name, type, LENGTH, name, made[c->made], name);
        else
            text_printf(&t, "%s : %s[%d]\n", name, type, LENGTH);
    }
    run_text(&c->s, text_str(&t));
    text_free(&t);
}

static Tensor *value_of(Case *c, const Node *leaf, int round, u64 *state) {
    static const double hard[] = {0.0, -0.0, 1.0, -1.0, 1e300, -1e300, 1e-300, 0.5, 800.0, -800.0};
    i64 shape[] = {LENGTH};
    Tensor *t = tensor_new(&c->s.st.heap, DT_F64, 1, shape);
    double *at = t->data;
    bool real = dtype_is_float(leaf->type->dtype);
    for (int i = 0; i < LENGTH; i++) {
        *state = *state * 6364136223846793005ull + 1442695040888963407ull;
        double u = (double)(*state >> 11) / 9007199254740992.0;
        at[i] = leaf->type->dtype == DT_BOOL ? u < 0.5 : real ? 6 * u - 3 : floor(20 * u) - 10;
        if (real && round == 1)
            at[i] = hard[(*state >> 40) % COUNT_OF(hard)];
        if (real && round == 2)
            at[i] = u < 0.2 ? NAN : u < 0.4 ? INFINITY : u < 0.6 ? -INFINITY : at[i];
    }
    Tensor *r = tensor_cast(&c->s.st.heap, t, leaf->type->dtype);
    tensor_unref(t);
    return r;
}

/* Is b an allowed replacement for a? */
static bool agrees(double a, double b, u32 classes) {
    if (isnan(a) && isnan(b))
        return true;
    if (!isfinite(a) && classes & (HAZARD_NPLUS | HAZARD_NMINUS) && a != b)
        return true;
    if (isnan(a) != isnan(b) || isinf(a) != isinf(b))
        return false;
    if (isinf(a))
        return a == b;
    if (a == b)
        return signbit(a) == signbit(b) || (classes & (HAZARD_Z | HAZARD_R | HAZARD_NPLUS));
    /* the unstable side of a stabilising rule has lost digits: compare on an absolute scale too */
    return classes & (HAZARD_R | HAZARD_NPLUS) && fabs(a - b) <= 1e-11 * fmax(fmax(fabs(a), fabs(b)), 1);
}

static bool compare_round(Case *c, Node *before, Node *after, int round) {
    PtrMap values = {0};
    NodeVec order = {0};
    u64 state = (u64)round * 977 + 5;
    nodes_topo(1, &before, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT)
            map_put(&values, order.at[i], value_of(c, order.at[i], round, &state));
    Tensor *a = NULL, *b = NULL;
    bool ok = session_evaluate_raw(&c->s, 1, &before, &values, &a) && session_evaluate_raw(&c->s, 1, &after, &values, &b);
    ok = ok && a->count == b->count;
    for (i64 i = 0; ok && i < a->count; i++)
        if (!agrees(tensor_f64_at(a, i), tensor_f64_at(b, i), c->rule->classes)) {
            print_error("%s (%s), round %d: %.17g became %.17g\n", c->rule->name, c->rule->text, round,
                        tensor_f64_at(a, i), tensor_f64_at(b, i));
            ok = false;
        }
    for (size_t i = 0; i < order.len; i++)
        tensor_unref(map_get(&values, order.at[i]));
    tensor_unref(a);
    tensor_unref(b);
    map_free(&values);
    vec_free(&order);
    return ok;
}

/* A negative number is the negation of a number until it is folded; patterns mean the number. */
static Node *fold_numbers(Store *st, Node *root) {
    PtrMap memo = {0};
    NodeVec order = {0};
    nodes_topo(1, &root, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_NEG && order.at[i]->ops[0]->op == OP_CONST)
            map_put(&memo, order.at[i], fold_node(st, order.at[i]));
    Node *r = node_substitute(st, root, &memo);
    map_free(&memo);
    vec_free(&order);
    return r;
}

/* 1: fired and agrees; 0: did not fire; -1: wrong. */
static int try_case(const char *name, int made, bool integers, unsigned *compared) {
    Case c = {.made = made};
    int result = -1;
    assert_true(session_init(&c.s));
    c.rule = rule_by_name(&c.s.rules, name);
    read_pattern(&c);
    declare_variables(&c, integers);
    const Source *src = session_source(&c.s, name, text_str(&c.expr), c.expr.len);
    Value *v = session_value(&c.s, src);
    Text why = {0};
    u32 extra = 0;
    Node *before = v && v->kind == V_NODE ? v->node : NULL;
    before = before ? fold_numbers(&c.s.st, before) : NULL;
    if (before && before->op != c.rule->root)
        before = NULL;
    Node *after = before ? rule_apply_text(&c.s.st, c.rule, before, &why, &extra) : NULL;
    if (after) {
        result = after->type == before->type ? 1 : -1;
        for (int r = 0; r < ROUNDS && result > 0; r++, ++*compared)
            if (!compare_round(&c, before, after, r))
                result = -1;
    } else {
        result = 0;
    }
    if (result < 0)
        for (size_t i = 0; i < c.s.diags.list.len; i++)
            print_error("  %s\n", c.s.diags.list.at[i].message);
    text_free(&why);
    text_free(&c.expr);
    session_free(&c.s);
    return result;
}

static void test_each_rule(void **state) {
    (void)state;
    Session s;
    assert_true(session_init(&s));
    unsigned compared = 0, fired = 0, bad = 0, rules = 0;
    for (size_t i = 0; i < s.rules.all.len; i++) {
        const Rule *r = s.rules.all.at[i];
        if (r->fn)
            continue;
        rules++;
        int plain = try_case(r->name, 0, false, &compared), ints = try_case(r->name, 0, true, &compared);
        int positive = plain || ints ? 0 : try_case(r->name, 1, false, &compared);
        int whole = plain || ints || positive ? 0 : try_case(r->name, 2, false, &compared);
        if (plain < 0 || ints < 0 || positive < 0 || whole < 0)
            bad++;
        else if (plain || ints || positive || whole)
            fired++;
        else
            print_error("%s (%s) does not fire on its own left side\n", r->name, r->text);
    }
    print_message("%u rules, %u fired, %u comparisons\n", rules, fired, compared);
    assert_int_equal(bad, 0);
    assert_int_equal(fired, rules);
    session_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_rule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
