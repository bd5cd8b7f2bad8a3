/* Recorded steps in words.  See step_text.h. */
#include "analysis/step_text.h"

#include "graph/control.h"
#include "graph/name.h"
#include "graph/provenance.h"
#include "surface/surface.h"

enum { SHORT_DEPTH = 3 }; /* levels of operators in a step's one-line form */

/* ---- one line ---- */

void put_short(Text *out, Store *st, Node *n, Numbering *num)
{
    Text s = {0};
    node_source_numbered(st, &s, n, num, SHORT_DEPTH);
    for (size_t i = 0; i < s.len; i++) /* a loop body would take several */
        if (s.at[i] != '\n')
            text_putc(out, s.at[i]);
        else if (out->len && out->at[out->len - 1] != ' ')
            text_putc(out, ' ');
    text_free(&s);
}

enum { MOST_STATES = 4 };

/* The states of a loop by their names, each once. */
static bool put_states(Text *out, Store *st, const Node *loop)
{
    bool scan = loop->op == OP_SCAN;
    int states = scan ? scan_shape(loop).nstates : loop_shape(loop).nstates, told = 0;
    const Graph *g = scan ? scan_shape(loop).body : loop_shape(loop).body;
    const Symbol *names = graph_names(st, g);
    for (int i = 0; i < states && names; i++) {
        Symbol name = name_base(st, names[i]);
        bool again = !name;
        for (int k = 0; k < i && !again; k++)
            again = name_base(st, names[k]) == name;
        if (again)
            continue;
        if (told == MOST_STATES) {
            text_put(out, ", …");
            return true;
        }
        text_printf(out, "%s%s", told++ ? ", " : "", name);
    }
    return told > 0;
}

void put_called(Text *out, Store *st, Node *n, Numbering *num)
{
    if (n->op != OP_SCAN && n->op != OP_LOOP) {
        put_short(out, st, n, num);
        return;
    }
    text_printf(out, "%s ", op_table[n->op].name);
    if (!put_states(out, st, n) && n->op == OP_SCAN)
        text_put(out, "without states");
}

/* The tuple whose results are what all changes replace (after: what they become), or NULL. */
static Node *common_tuple(const Step *s, bool after)
{
    Node *tuple = NULL;
    for (int i = 0; i < s->nchanges; i++) {
        Node *n = after ? s->changes[i].after : s->changes[i].before;
        if (n->op != OP_PROJ || (tuple && n->ops[0] != tuple))
            return NULL;
        tuple = n->ops[0];
    }
    /* a derivative has a form of its own for each result */
    return tuple && op_table[tuple->op].cls == CLASS_IMPLICIT ? NULL : tuple;
}

/* Loops and fused nodes that a change brings in are shown by number; this says what the numbers
 * stand for. */
static void put_new_owners(Text *out, Store *st, const Step *s, Numbering *num, const char *between)
{
    NodeSet seen = {0};
    NodeVec order = {0};
    for (int i = 0; i < s->nchanges; i++)
        nodes_topo(1, &s->changes[i].before, &order);
    for (size_t i = 0; i < order.len; i++)
        set_add(&seen, order.at[i]);
    order.len = 0;
    for (int i = 0; i < s->nchanges; i++)
        nodes_topo(1, &s->changes[i].after, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if ((n->op != OP_SCAN && n->op != OP_LOOP && n->op != OP_FUSED) || map_has(&seen, n))
            continue;
        set_add(&seen, n);
        text_printf(out, "%s%%%u = ", between, number_of(num, n));
        put_short(out, st, n, num);
    }
    map_free(&seen);
    vec_free(&order);
}

void put_side(Text *out, Store *st, const Step *s, bool after, Numbering *num)
{
    Node *tuple = s->nchanges > 1 ? common_tuple(s, after) : NULL;
    if (tuple && common_tuple(s, !after)) {
        operand_print(out, tuple, num);
        return;
    }
    for (int i = 0; i < s->nchanges; i++) {
        text_put(out, i ? ", " : "");
        Node *n = after ? s->changes[i].after : s->changes[i].before;
        if (s->inner)
            operand_print(out, n, num);
        else
            put_short(out, st, n, num);
    }
}

void put_changes(Text *out, Store *st, const Step *s, Numbering *num, const char *between)
{
    bool whole = s->inner || (s->nchanges > 1 && common_tuple(s, false) && common_tuple(s, true));
    for (int i = 0; i < (whole ? 1 : s->nchanges); i++) {
        Step one = *s;
        if (!whole)
            one.changes = &s->changes[i], one.nchanges = 1;
        text_put(out, i ? between : "");
        put_side(out, st, &one, false, num);
        text_put(out, " => ");
        put_side(out, st, &one, true, num);
    }
    if (!s->inner)
        put_new_owners(out, st, s, num, between);
}

void put_why(Text *out, const Step *s)
{
    const char *reason = s->rule && s->rule->reason ? s->rule->reason : "";
    text_put(out, reason);
    if (s->evidence)
        text_printf(out, "%s%s", *reason ? "; " : "", s->evidence);
    if (s->again)
        text_printf(out, "%sas before", *reason || s->evidence ? "; " : "");
}

/* Each loop is told of by itself. */
static bool is_of_loop(const Step *s)
{
    for (int i = 0; i < s->nchanges; i++) {
        const Node *n = s->changes[i].before;
        n = n->op == OP_PROJ ? n->ops[0] : n;
        if (n->op == OP_SCAN || n->op == OP_LOOP)
            return true;
    }
    return false;
}

bool steps_alike(const Step *a, const Step *b)
{
    Text why[2] = {{0}, {0}};
    if (a->inner || b->inner || is_of_loop(a) || a->rule != b->rule ||
        step_classes(a) != step_classes(b))
        return false;
    put_why(&why[0], a);
    put_why(&why[1], b);
    bool same = strcmp(text_str(&why[0]), text_str(&why[1])) == 0;
    text_free(&why[0]);
    text_free(&why[1]);
    return same;
}

typedef struct {
    OpId op;
    u32 count;
} OpCount;

static int by_count(const void *a, const void *b)
{
    const OpCount *x = a, *y = b;
    return x->count != y->count ? (x->count < y->count ? 1 : -1)
                                : strcmp(op_table[x->op].name, op_table[y->op].name);
}

/* What takes no time of its own is left out, and so are loops, which are told of elsewhere. */
static bool is_work(const Node *n)
{
    return n->op != OP_SCAN && n->op != OP_LOOP && n->op != OP_DIM &&
           op_table[n->op].cls != CLASS_STRUCTURAL;
}

void put_operators(Text *out, const NodeVec *nodes)
{
    enum { MOST = 6 };
    OpCount counts[OP_COUNT];
    u32 rest = 0;
    int kinds = 0;
    for (int op = 0; op < OP_COUNT; op++)
        counts[op] = (OpCount){(OpId)op, 0};
    for (size_t i = 0; i < nodes->len; i++)
        counts[nodes->at[i]->op].count += is_work(nodes->at[i]);
    qsort(counts, OP_COUNT, sizeof *counts, by_count);
    for (; kinds < OP_COUNT && counts[kinds].count; kinds++)
        if (kinds < MOST)
            text_printf(out, "%s%u %s", kinds ? ", " : "", counts[kinds].count,
                        op_table[counts[kinds].op].name);
        else
            rest += counts[kinds].count;
    if (rest)
        text_printf(out, ", %u more", rest);
}

void put_sources(Text *out, Store *st, int n, Node *const *nodes, bool named, int bytes)
{
    Text t = {0};
    for (int i = 0; i < n; i++) {
        text_put(&t, i ? ", " : "");
        node_source_limited(st, &t, nodes[i], named, bytes);
    }
    text_join_lines(&t);
    text_put(out, text_str(&t));
    text_free(&t);
}
