/* What is different between two states of a loop.  See loop_diff.h. */
#include "analysis/loop_diff.h"

#include "graph/control.h"
#include "graph/names.h"
#include "graph/op.h"
#include "graph/print.h"

/* ---- the parts of a loop ---- */

static void add_part(Exploration *x, LoopParts *l, LoopPartKind kind, Symbol name, Node *inside,
                     Node *outside)
{
    const Thing *thing = thing_of(x->things, l->body, inside);
    if (!name && inside->op != OP_PARAM)
        name = node_name_in(x->st, l->body, inside);
    vec_push(&l->parts[kind], ((LoopPart){name, thing, inside, outside}));
}

static void read_scan(Exploration *x, LoopParts *l)
{
    ScanShape s = scan_shape(l->n);
    ScanRoles roles = scan_roles(x->st, l->n);
    Node *const *params = s.body->param_nodes;
    int seq = s.nstates, capture = s.nstates + s.nseqs;
    for (int i = 0; i < s.body->nparams; i++)
        if (i < seq)
            add_part(x, l, PART_STATES, roles.names[i], params[i], s.inits[i]);
        else if (i < capture)
            add_part(x, l, PART_SEQUENCES, roles.names[i], params[i], s.seqs[i - seq]);
        else
            add_part(x, l, PART_CAPTURES, roles.names[i], params[i], s.captures[i - capture]);
    for (int o = 0; o < s.nouts; o++)
        add_part(x, l, PART_TRACES, roles.outs[o], s.body->outs[s.nstates + o], NULL);
}

void loop_parts_read(Exploration *x, Node *n, LoopParts *l)
{
    *l = (LoopParts){.n = n, .scan = n->op == OP_SCAN};
    l->body = l->scan ? scan_shape(n).body : loop_shape(n).body;
    if (l->scan)
        read_scan(x, l);
}

void loop_parts_free(LoopParts *l)
{
    for (int k = 0; k < PART_KINDS; k++)
        vec_free(&l->parts[k]);
}

static bool same_part(const LoopPart *a, const LoopPart *b)
{
    return a->thing && b->thing ? thing_same(a->thing, b->thing)
                                : a->name && b->name && strcmp(a->name, b->name) == 0;
}

const LoopPart *loop_part_in(const LoopPartVec *in, const LoopPart *p)
{
    for (size_t i = 0; i < in->len; i++)
        if (same_part(&in->at[i], p))
            return &in->at[i];
    return NULL;
}

/* ---- the bodies ---- */

Symbol body_diff_name(const BodyDiff *b, const Node *n)
{
    return node_is_inline(n) ? NULL : node_name_in(b->x->st, b->g, n);
}

u32 body_diff_uses(const BodyDiff *b, const Node *n) { return map_get(&b->uses, n); }

static void count_use(BodyDiff *b, Node *n, Node *user)
{
    map_put(&b->uses, n, body_diff_uses(b, n) + 1);
    if (user)
        map_put(&b->user, n, user);
}

static void read_body(BodyDiff *b, Exploration *x, const Graph *g)
{
    *b = (BodyDiff){.x = x, .g = g};
    nodes_topo(b->g->nouts, b->g->outs, &b->nodes);
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *n = b->nodes.at[i];
        const Thing *thing = thing_of(x->things, b->g, n);
        if (thing && !node_is_inline(n)) {
            map_put(&b->at, thing, n);
            if (thing->of)
                map_put(&b->at, thing->of, n);
        }
        for (u32 k = 0; k < n->nops; k++)
            count_use(b, n->ops[k], n);
    }
    for (int i = 0; i < b->g->nouts; i++)
        count_use(b, b->g->outs[i], NULL);
}

/* The node of that thing, or of the one it is a copy of. */
Node *body_diff_node(const BodyDiff *b, const Thing *thing)
{
    Node *n = thing ? map_get(&b->at, thing) : NULL;
    return n || !thing || !thing->of ? n : map_get(&b->at, thing->of);
}

void body_diff_free(BodyDiff *b)
{
    map_free(&b->at);
    map_free(&b->uses);
    map_free(&b->user);
    map_free(&b->different);
    map_free(&b->leaves);
    vec_free(&b->nodes);
    vec_free(&b->listed);
}

static bool same_operand(const BodyDiff *a, const Node *n, const BodyDiff *b, const Node *m)
{
    const Things *things = a->x->things;
    const Thing *p = thing_of(things, a->g, n), *q = thing_of(things, b->g, m);
    return p && q ? p == q : n == m && n->op == OP_CONST;
}

/* The order in which the operands are written is that of the node, whatever graph it stands in. */
static bool only_reordered(const BodyDiff *a, const Node *n, const BodyDiff *b, const Node *m)
{
    u64 taken = 0;
    bool same =
        n->op == m->op && n->nops == m->nops && op_table[n->op].flags & COMMUTES && n->nops <= 64;
    for (u32 i = 0; i < n->nops && same; i++) {
        u32 k = 0;
        while (k < m->nops && (taken >> k & 1 || !same_operand(a, n->ops[i], b, m->ops[k])))
            k++;
        same = k < m->nops;
        taken |= same ? (u64)1 << k : 0;
    }
    return same;
}

static void find_different(BodyDiff *b, const BodyDiff *other)
{
    const Things *things = b->x->things;
    for (size_t i = 0; i < b->nodes.len; i++) {
        Node *n = b->nodes.at[i];
        if (node_is_inline(n))
            continue;
        Node *there = body_diff_node(other, thing_of(things, b->g, n));
        if (!there || (thing_differs(things, b->g, n, other->g, there) &&
                       !only_reordered(b, n, other, there)))
            set_add(&b->different, n);
    }
}

/* What shows n: the one that uses it, as long as nobody else does and it has no name. */
static Node *shown_by(const BodyDiff *b, Node *n)
{
    while (!body_diff_name(b, n) && body_diff_uses(b, n) == 1 && map_has(&b->user, n))
        n = map_get(&b->user, n);
    return n;
}

static void find_listed(BodyDiff *b)
{
    NodeSet listed = {0};
    for (size_t i = 0; i < b->nodes.len; i++)
        if (map_has(&b->different, b->nodes.at[i])) {
            Node *n = shown_by(b, b->nodes.at[i]);
            if (!map_has(&listed, n))
                vec_push(&b->listed, n);
            set_add(&listed, n);
        }
    for (size_t i = 0; i < b->nodes.len; i++)
        if (body_diff_name(b, b->nodes.at[i]) || map_has(&listed, b->nodes.at[i]))
            set_add(&b->leaves, b->nodes.at[i]);
    map_free(&listed);
}

/* Which of `listed` is the same thing, or has the same name; NULL: none. */
Node *body_diff_counterpart(const BodyDiff *b, Node *n, const BodyDiff *other)
{
    const Thing *thing = thing_of(b->x->things, b->g, n);
    Symbol name = body_diff_name(b, n);
    for (size_t i = 0; i < other->listed.len; i++) {
        Node *m = other->listed.at[i];
        if ((thing && thing_of(b->x->things, other->g, m) == thing) ||
            (name && name == body_diff_name(other, m)))
            return m;
    }
    return NULL;
}

void body_diff(Exploration *x, const Graph *before, const Graph *after, BodyDiff of[2])
{
    read_body(&of[0], x, before);
    read_body(&of[1], x, after);
    for (int i = 0; i < 2; i++) {
        find_different(&of[i], &of[1 - i]);
        find_listed(&of[i]);
    }
}
