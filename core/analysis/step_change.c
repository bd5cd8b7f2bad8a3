/* What a step changed, node by node; see step_change.h. */
#include "analysis/step_change.h"

#include "graph/control.h"
#include "graph/provenance.h"
#include "rewrite/history.h"
#include "surface/surface.h"

enum {
    NEAR = 8,         /* levels of operators that are looked at */
    SHORT_CHARS = 28, /* what stays is written out if it takes no more */
    SHORT_LEVELS = 4,
    LONGEST_CHAR = 4 /* bytes, in UTF-8 */
};

/* ---- lines ---- */

void change_definition(const Telling *t, char sign, size_t head, Text *text)
{
    vec_push(&t->out->of, ((ChangeLine){.sign = sign, .text = text_take(text), .head = head}));
}

void change_line(const Telling *t, char sign, Text *text) { change_definition(t, sign, 0, text); }

void change_free(ChangeLines *lines)
{
    for (size_t i = 0; i < lines->of.len; i++) {
        free(lines->of.at[i].text);
        vec_free(&lines->of.at[i].marks);
    }
    vec_free(&lines->of);
}

bool change_in_a_line(Text *out, const ChangeLines *lines)
{
    if (lines->of.len != 2 || lines->of.at[0].sign != '-' || lines->of.at[1].sign != '+')
        return false;
    const char *before = lines->of.at[0].text, *after = lines->of.at[1].text;
    size_t head = lines->of.at[0].head;
    bool again = strncmp(before, after, head) == 0; /* it need not be said twice */
    text_printf(out, "%s => %s", before, again ? after + head : after);
    return true;
}

/* ---- one definition ---- */

static Symbol name_here(const Telling *t, const Node *n)
{
    if (node_is_inline(n) || n->op == OP_INPUT || n->op == OP_SHARED)
        return NULL;
    u32 view = provenance_view(t->x->st, t->time);
    Symbol name = node_name_in(t->x->st, t->within, n);
    provenance_view(t->x->st, view);
    return name;
}

/* With as many levels as fit; how many there are then. */
static int put_levels(const Telling *t, Text *out, Node *n, const NodeSet *leaves, int levels,
                      int most_chars)
{
    Numbering *num = &t->x->numbering;
    const Graph *around = num->within;
    num->within = t->within;
    u32 view = provenance_view(t->x->st, t->time);
    for (;; levels--) {
        Text trial = {0};
        size_t limit = levels == 1 ? 0 : LONGEST_CHAR * ((size_t)most_chars + 1);
        node_source_leaves(t->x->st, &trial, n, num, levels, leaves, limit);
        if (levels == 1 || pretty_columns(text_str(&trial), trial.len) <= most_chars) {
            text_put(out, text_str(&trial));
            text_free(&trial);
            break;
        }
        text_free(&trial);
    }
    provenance_view(t->x->st, view);
    num->within = around;
    return levels;
}

static size_t put_name(Text *out, Symbol name)
{
    size_t from = out->len;
    if (name)
        text_printf(out, "%s = ", name);
    return out->len - from;
}

size_t put_definition(const Telling *t, Text *out, Node *n, const NodeSet *leaves, int most_chars)
{
    size_t head = put_name(out, name_here(t, n));
    put_levels(t, out, n, leaves, NEAR, most_chars);
    return head;
}

/* ---- what two expressions share ---- */

void nodes_near(Node *n, NodeFlags *near, NodeVec *order)
{
    size_t from = 0, level_end = 1;
    vec_push(order, n);
    node_map_put(near, n, true);
    for (int level = 0; level < NEAR && from < order->len; level++) {
        for (; from < level_end; from++)
            for (u32 i = 0; i < order->at[from]->nops; i++) {
                Node *below = order->at[from]->ops[i];
                if (node_map_has(near, below))
                    continue;
                node_map_put(near, below, true);
                vec_push(order, below);
            }
        level_end = order->len;
    }
}

static bool is_long(const Telling *t, Node *n)
{
    Text text = {0};
    NodeSet none = {0};
    Numbering *num = &t->x->numbering;
    const Graph *around = num->within;
    num->within = t->within;
    u32 view = provenance_view(t->x->st, t->time);
    bool whole = node_source_leaves(t->x->st, &text, n, num, SHORT_LEVELS, &none,
                                    LONGEST_CHAR * (SHORT_CHARS + 1));
    provenance_view(t->x->st, view);
    num->within = around;
    bool is = !whole || pretty_columns(text_str(&text), text.len) > SHORT_CHARS;
    text_free(&text);
    return is;
}

/* What stands in both is written by name or number, unless it has no name and is short. */
static void find_leaves(const Telling *t, Node *before, Node *after, NodeSet *leaves)
{
    NodeFlags near[2] = {{{0}}, {{0}}};
    NodeVec order[2] = {{0}, {0}};
    nodes_near(before, &near[0], &order[0]);
    nodes_near(after, &near[1], &order[1]);
    for (size_t i = 0; i < order[0].len; i++) {
        Node *n = order[0].at[i];
        bool stays = node_map_has(&near[1], n);
        if (stays && name_here(t, n))
            set_add(leaves, n);
        for (u32 k = 0; !stays && k < n->nops; k++) {
            Node *below = n->ops[k];
            if (node_map_has(&near[1], below) && !node_is_inline(below) &&
                !map_has(leaves, below) && is_long(t, below))
                set_add(leaves, below);
        }
    }
    for (int i = 0; i < 2; i++) {
        node_map_free(&near[i]);
        vec_free(&order[i]);
    }
}

/* ---- one replacement ---- */

static bool is_result_of_loop(const Node *n) { return n->op == OP_PROJ && node_is_loop(n->ops[0]); }

/* A name that is a result of a loop, which goes on: nothing changed but where it is found. */
static bool only_moved(const Telling *t, const Change *c)
{
    const Things *things = t->x->things;
    const Thing *a = thing_of(things, t->within, c->before),
                *b = thing_of(things, t->within, c->after);
    return is_result_of_loop(c->before) && is_result_of_loop(c->after) && a && a == b;
}

/* The same text, but for the loop whose result it is: "%42.final.h" and "%92.final.h". */
static bool same_result(const char *a, const char *b)
{
    static const char digits[] = "0123456789";
    bool numbers = *a == '%' && *b == '%';
    const char *x = numbers ? a + 1 + strspn(a + 1, digits) : a,
               *y = numbers ? b + 1 + strspn(b + 1, digits) : b;
    return strcmp(*x == '.' ? x : a, *y == '.' ? y : b) == 0;
}

/* In two graphs no node is the same: what has a name is called by it. */
static void find_named(const Telling *t, Node *n, NodeSet *leaves)
{
    NodeFlags near = {0};
    NodeVec order = {0};
    nodes_near(n, &near, &order);
    for (size_t i = 1; i < order.len; i++)
        if (name_here(t, order.at[i]))
            set_add(leaves, order.at[i]);
    node_map_free(&near);
    vec_free(&order);
}

static void put_pair(const Telling *t, const Telling *was, const Change *c, Text *before,
                     Text *after)
{
    NodeSet leaves[2] = {{0}, {0}};
    int most = 2 * t->width - 12;
    if (was->within != t->within) {
        find_named(was, c->before, &leaves[0]);
        find_named(t, c->after, &leaves[1]);
    } else {
        find_leaves(t, c->before, c->after, &leaves[0]);
    }
    const NodeSet *there = was->within != t->within ? &leaves[1] : &leaves[0];
    int levels = put_levels(was, before, c->before, &leaves[0], NEAR, most);
    int fewer = put_levels(t, after, c->after, there, levels, most);
    if (fewer < levels) {
        text_free(before);
        put_levels(was, before, c->before, &leaves[0], fewer, most);
    }
    map_free(&leaves[0]);
    map_free(&leaves[1]);
}

static void add_side(const Telling *t, char sign, Symbol name, Text *expression)
{
    Text line = {0};
    size_t head = put_name(&line, name);
    text_put(&line, text_str(expression));
    change_definition(t, sign, head, &line);
}

void change_of_node(const Telling *t, Node *from, Node *to)
{
    Text before = {0}, after = {0};
    Telling was = *t;
    was.within = t->was ? t->was : t->within;
    was.time = t->time ? t->time - 1 : 0;
    put_pair(t, &was, &(Change){from, to}, &before, &after);
    if (!same_result(text_str(&before), text_str(&after))) {
        Symbol old = name_here(&was, from), name = name_here(t, to);
        old = old || name != name_here(t, from) ? old : name; /* it got the name on the way */
        add_side(&was, '-', old, &before);
        add_side(name ? t : &was, '+', name ? name : old, &after);
    }
    text_free(&before);
    text_free(&after);
}

/* Is it one of the results of a derivative by something? */
static bool is_derivative(const Node *n)
{
    const Node *of = n->op == OP_PROJ ? n->ops[0] : NULL;
    return of && (of->op == OP_GRAD || of->op == OP_VJP) && n->attrs[0].i < of->attrs[1].i;
}

/* "d_W = %9.final.sum_d_W, d_b = ...": what it is of stands there anyway. */
static void tell_derivatives(const Telling *t, const Step *s)
{
    enum { MOST_RESULTS = 16 };
    Text line = {0};
    NodeSet leaves = {0};
    int told = 0, left = 0;
    for (int i = 0; i < s->nchanges; i++) {
        const Node *n = s->changes[i].before;
        if (!is_derivative(n))
            continue;
        if (told == MOST_RESULTS) {
            left++;
            continue;
        }
        text_put(&line, told++ ? ", d_" : "d_");
        put_levels(t, &line, n->ops[0]->ops[n->attrs[0].i], &leaves, 1, SHORT_CHARS);
        text_put(&line, " = ");
        put_levels(t, &line, s->changes[i].after, &leaves, SHORT_LEVELS, t->width);
    }
    if (told)
        change_line(t, '.', &line);
    change_more(t, left);
    map_free(&leaves);
}

/* The tuple that all results of which become those of *after, if both are derivatives; or NULL. */
static Node *common_derivative(const Step *s, Node **after)
{
    Node *before = NULL;
    int derivatives = 0;
    *after = NULL;
    for (int i = 0; i < s->nchanges; i++) {
        Node *a = s->changes[i].before, *b = s->changes[i].after;
        if (!is_derivative(a) && a->op != OP_PROJ)
            return NULL;
        if (!is_derivative(a) && before == a->ops[0] && b->op != OP_PROJ)
            continue; /* the value itself, which is no derivative of anything */
        derivatives++;
        if (b->op != OP_PROJ || op_table[b->ops[0]->op].cls != CLASS_IMPLICIT ||
            op_table[a->ops[0]->op].cls != CLASS_IMPLICIT || (before && before != a->ops[0]) ||
            (*after && *after != b->ops[0]))
            return NULL;
        before = a->ops[0];
        *after = b->ops[0];
    }
    return derivatives > 1 ? before : NULL;
}

/* ---- a step ---- */

/* The fused node whose results all replacements are, or NULL. */
static Node *common_kernel(const Step *s)
{
    Node *kernel = NULL;
    for (int i = 0; i < s->nchanges; i++) {
        Node *n = s->changes[i].after;
        n = n->op == OP_PROJ ? n->ops[0] : n;
        if (n->op != OP_FUSED || (kernel && n != kernel))
            return NULL;
        kernel = n;
    }
    return kernel;
}

/* What the results are, where there is room. */
static void tell_fused(const Telling *t, const Step *s)
{
    enum { FEW = 2 };
    int told = 0;
    for (int i = 0; i < s->nchanges && t->most > FEW && told < t->most; i++) {
        Text line = {0};
        NodeSet leaves = {0};
        if (!name_here(t, s->changes[i].before))
            continue;
        find_named(t, s->changes[i].before, &leaves);
        put_definition(t, &line, s->changes[i].before, &leaves, t->width);
        change_line(t, ' ', &line);
        map_free(&leaves);
        told++;
    }
}

/* "one pass computes i, f, c[t] and 2 more from bc, p2, h[t-1]" */
static void tell_fusion(const Telling *t, const Step *s, Node *kernel)
{
    NodeSet leaves = {0};
    Text made = {0};
    int told = 0;
    text_put(&made, "one kernel computes ");
    for (int i = 0; i < s->nchanges; i++) {
        Node *n = s->changes[i].before;
        Symbol name = name_here(t, n);
        if (!name && s->nchanges > 2)
            continue;
        text_put(&made, told++ ? ", " : "");
        if (name)
            text_put(&made, name);
        else
            put_levels(t, &made, n, &leaves, 2, t->width / 2);
    }
    if (told < s->nchanges)
        text_printf(&made, told ? " and %d more" : "%d values", s->nchanges - told);
    text_put(&made, " from ");
    for (u32 i = 0; i < kernel->nops; i++) {
        text_put(&made, i ? ", " : "");
        if (name_here(t, kernel->ops[i]))
            text_put(&made, name_here(t, kernel->ops[i]));
        else
            put_levels(t, &made, kernel->ops[i], &leaves, 2, SHORT_CHARS);
    }
    change_line(t, '.', &made);
    map_free(&leaves);
    tell_fused(t, s);
}

void change_more(const Telling *t, int more)
{
    Text text = {0};
    if (more <= 0)
        return;
    text_printf(&text, "… and %d more", more);
    change_line(t, '.', &text);
}

/* What was done inside a body, rule by rule. */
static void tell_inside(const Telling *t, const Step *s)
{
    RulesFired rules = {0};
    Text text = {0};
    steplog_fired(s->inner, false, &rules);
    text_put(&text, "in ");
    put_where(&text, t->x, s->inner_before);
    for (size_t i = 0; i < rules.len; i++) {
        text_printf(&text, i ? ", %s" : ": %s", rules.at[i].rule);
        if (rules.at[i].times > 1)
            text_printf(&text, " %u times", rules.at[i].times);
    }
    change_line(t, '.', &text);
    vec_free(&rules);
}

void change_where(const Telling *t, const Step *s)
{
    Text text = {0};
    exploration_things(t->x);
    text_put(&text, "in ");
    put_where(&text, t->x, s->inner_before);
    change_line(t, '.', &text);
}

void change_of_step(const Telling *around, const Step *s)
{
    Telling now = *around, *t = &now;
    now.time = s->time;
    bool inside = step_rewrites_inside(s);
    Node *kernel = inside ? NULL : common_kernel(s);
    exploration_things(t->x);
    if (inside) {
        tell_inside(t, s);
        return;
    }
    if (kernel) {
        tell_fusion(t, s, kernel);
        return;
    }
    Node *after, *before = common_derivative(s, &after);
    if (before) {
        change_of_node(t, before, after);
        return;
    }
    bool loops = change_of_loops(t, s);
    if (loops)
        tell_derivatives(t, s);
    int told = 0, left = 0;
    for (int i = 0; i < s->nchanges; i++) {
        if (only_moved(t, &s->changes[i]) || (loops && is_derivative(s->changes[i].before)))
            continue;
        if (told == t->most) {
            left++;
            continue;
        }
        size_t lines = t->out->of.len;
        change_of_node(t, s->changes[i].before, s->changes[i].after);
        told += t->out->of.len > lines;
    }
    change_more(t, left);
    if (!t->out->of.len && s->nchanges == 1 && !node_is_inline(s->changes[0].after)) {
        Text line = {0};
        NodeSet leaves = {0};
        put_levels(t, &line, s->changes[0].after, &leaves, NEAR, t->width - 28);
        text_put(&line, ", which is printed as before");
        change_line(t, '.', &line);
        map_free(&leaves);
    }
}

/* ---- what stands around ---- */

void change_context(const Telling *t, const Step *s, int n, Node *const *roots)
{
    enum { MOST_USERS = 2 };
    NodeVec order = {0};
    NodeSet put = {0};
    int told = 0;
    if (step_rewrites_inside(s))
        return;
    nodes_topo(n, roots, &order);
    for (int i = 0; i < s->nchanges; i++)
        if (!node_is_inline(s->changes[i].after) && !only_moved(t, &s->changes[i]))
            set_add(&put, s->changes[i].after);
    for (size_t i = 0; i < order.len && told < MOST_USERS; i++) {
        Node *user = order.at[i];
        bool uses = false;
        for (u32 k = 0; k < user->nops; k++)
            uses = uses || map_get(&put, user->ops[k]);
        int slots[4];
        if (!uses || map_get(&put, user) || node_graphs(user, slots))
            continue;
        Text text = {0};
        text_put(&text, "used in ");
        put_definition(t, &text, user, &put, t->width - 12);
        change_line(t, ' ', &text);
        told++;
    }
    map_free(&put);
    vec_free(&order);
}

/* ---- where ---- */

/* The node that owned the body when it had this graph. */
static Node *owner_with(const Thing *owner, const Graph *g)
{
    for (const Occurrence *o = owner->first; o; o = o->next) {
        int slots[4], count = node_graphs(o->node, slots);
        for (int i = 0; i < count; i++)
            if (o->node->attrs[slots[i]].graph == g)
                return o->node;
    }
    return owner->first->node;
}

static void put_owner(Text *out, Store *st, Node *n, const Graph *g)
{
    Numbering none = {0};
    if (n->op == OP_IFELSE)
        text_printf(out, "the %s branch of if", n->attrs[0].graph == g ? "then" : "else");
    else if (n->op == OP_CALL)
        text_printf(out, "function %s", n->attrs[1].name ? n->attrs[1].name : "f");
    else if (n->op == OP_SCAN || n->op == OP_LOOP)
        put_called(out, st, n, &none);
    else
        text_printf(out, "the function of %s", op_table[n->op].name);
}

void put_where(Text *out, Exploration *x, const Graph *within)
{
    const Things *t = exploration_things(x);
    const Body *body = within ? map_get(&t->bodies, within) : NULL;
    for (int level = 0; body && body->owner; level++) {
        const Thing *owner = body->owner;
        text_put(out, level ? ", in " : "");
        put_owner(out, x->st, owner_with(owner, level ? body->graph : within), within);
        body = owner->body;
        within = body->graph;
    }
}
