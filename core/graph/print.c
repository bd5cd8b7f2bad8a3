/* SSA text of graphs: one line a node, operands before users, each inner graph once.
 *
 * Invariant: nothing is left out that tells two graphs apart: every type that cannot be inferred,
 * every attribute that the operands do not determine, every bit of a constant; names are comments.
 */
#include "graph/print.h"
#include "graph/provenance.h"
#include "graph/control.h"

#include <math.h>

/* ---- numbers ---- */

const Thing *numbering_thing(const Numbering *num, const Node *n)
{
    return num->thing ? num->thing(num->things, num->within, n) : NULL;
}

u32 number_of(Numbering *num, const Node *n)
{
    const Thing *thing = numbering_thing(num, n);
    u32 told = thing ? num->thing_number(thing) : 0;
    if (told)
        return told;
    u32 k = map_get(&num->of, n);
    if (k == 0) {
        k = ++num->next + 1; /* the first is %1; stored as k + 1 */
        map_put(&num->of, n, k);
    }
    return k - 1;
}

/* Odd, so that it is told from a node. */
static const void *graph_key(const Graph *g) { return (const char *)g + 1; }

Graph *numbering_graph(const void *key)
{
    return (uintptr_t)key & 1 ? (Graph *)((uintptr_t)key - 1) : NULL;
}

u32 number_of_graph(Numbering *num, const Graph *g)
{
    u32 k = map_get(&num->of, graph_key(g));
    if (k == 0) {
        k = ++num->graphs;
        map_put(&num->of, graph_key(g), k);
    }
    return k;
}

/* ---- words ---- */

static bool is_word_byte(unsigned char c, bool first)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80 ||
           (!first && c >= '0' && c <= '9');
}

static bool is_word(const char *s)
{
    if (!is_word_byte((unsigned char)*s, true))
        return false;
    for (; *s; s++)
        if (!is_word_byte((unsigned char)*s, false))
            return false;
    return true;
}

void quoted_print(Text *out, const char *s)
{
    text_putc(out, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_putc(out, '\\');
        if (*s == '\n' || *s == '\t')
            text_put(out, *s == '\n' ? "\\n" : "\\t");
        else if ((unsigned char)*s < 0x20 || *s == 0x7f)
            text_printf(out, "\\x%02x", (unsigned)(unsigned char)*s);
        else
            text_putc(out, *s);
    }
    text_putc(out, '"');
}

void word_print(Text *out, const char *s)
{
    if (is_word(s))
        text_put(out, s);
    else
        quoted_print(out, s);
}

/* ---- sizes and types ---- */

static void size_name_print(Text *out, const char *name)
{
    if (name[0] == '.' && name[1] && name[1 + strspn(name + 1, "0123456789abcdef")] == 0)
        text_printf(out, "?%s", name + 1);
    else if (is_word(name))
        text_put(out, name);
    else
        quoted_print(out, name);
}

/* Without a numbering, what no author can write is "?". */
static void atom_print(Text *out, const SizeAtom *a, Numbering *num)
{
    const Node *n = a->node;
    switch (a->kind) {
    case ATOM_NAME:
        if (num)
            size_name_print(out, a->name);
        else
            text_put(out, strchr(a->name, '.') ? "?" : a->name);
        return;
    case ATOM_PARAM: text_printf(out, "d%lld", (long long)a->index); return;
    case ATOM_RESULT: text_printf(out, "r%lld", (long long)a->index); return;
    case ATOM_NODE:
        if (num)
            operand_print(out, a->node, num);
        else
            text_put(out, n->op == OP_INPUT || n->op == OP_SHARED ? n->attrs[0].name : "?");
        return;
    case ATOM_MAX:
    case ATOM_MIN:
    case ATOM_FLOORDIV:
        text_put(out, a->kind == ATOM_MAX ? "max(" : a->kind == ATOM_MIN ? "min(" : "floordiv(");
        size_print_numbered(out, a->a, num);
        text_put(out, ", ");
        size_print_numbered(out, a->b, num);
        text_putc(out, ')');
    }
}

static void term_print(Text *out, const SizeTerm *t, bool first, Numbering *num)
{
    u64 magnitude = t->coef < 0 ? 0 - (u64)t->coef : (u64)t->coef;
    if (!first || t->coef < 0)
        text_putc(out, t->coef < 0 ? '-' : '+');
    if (magnitude != 1)
        text_printf(out, "%llu*", (unsigned long long)magnitude);
    for (u32 k = 0; k < t->nfactors; k++) {
        if (k)
            text_putc(out, '*');
        atom_print(out, t->factors[k], num);
    }
}

/* Positive terms first, so that no 0 is needed in front: n-4, not -4+n. */
void size_print_numbered(Text *out, const Size *s, Numbering *num)
{
    bool first = true;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (u32 i = 0; i < s->nterms; i++)
            if ((s->terms[i].coef > 0) == (sign > 0)) {
                term_print(out, &s->terms[i], first, num);
                first = false;
            }
    if (first)
        text_printf(out, "%lld", (long long)s->constant);
    else if (s->constant)
        text_printf(out, "%+lld", (long long)s->constant);
}

void type_print_numbered(Text *out, const Type *t, Numbering *num)
{
    if (t->kind == TYPE_TUPLE) {
        text_putc(out, '(');
        for (int i = 0; i < t->nitems; i++) {
            text_put(out, i ? ", " : "");
            type_print_numbered(out, t->items[i], num);
        }
        text_put(out, t->nitems == 1 ? ",)" : ")");
        return;
    }
    text_put(out, dtype_name(t->dtype));
    for (int i = 0; i < t->rank; i++) {
        text_put(out, i ? ", " : "[");
        size_print_numbered(out, t->dims[i], num);
    }
    if (t->rank)
        text_putc(out, ']');
}

void size_print(Text *out, const Size *s) { size_print_numbered(out, s, NULL); }
void type_print(Text *out, const Type *t) { type_print_numbered(out, t, NULL); }

/* ---- constants ---- */

/* A NaN that neither `nan` nor `-nan` would read back as tells its bits. */
static void print_f64(Text *out, double x)
{
    double plain = (double)NAN;
    u64 bits, usual;
    memcpy(&bits, &x, sizeof bits);
    memcpy(&usual, &plain, sizeof usual);
    if (x < 0 || x >= 0 || bits == usual)
        text_double(out, x);
    else if (bits == (usual ^ (u64)1 << 63))
        text_put(out, "-nan");
    else
        text_printf(out, "nan(0x%llx)", (unsigned long long)bits);
}

static void print_f32(Text *out, float x)
{
    float plain = NAN;
    u32 bits, usual;
    memcpy(&bits, &x, sizeof bits);
    memcpy(&usual, &plain, sizeof usual);
    if (x < 0 || x >= 0 || bits == usual)
        text_float(out, x);
    else if (bits == (usual ^ (u32)1 << 31))
        text_put(out, "-nan");
    else
        text_printf(out, "nan(0x%x)", bits);
}

/* `state`: what a generator's state is written with. */
static void element_print(Text *out, const Tensor *t, i64 i, const char *state)
{
    switch (t->dtype) {
    case DT_BOOL: text_put(out, ((const u8 *)t->data)[i] ? "true" : "false"); return;
    case DT_I32: text_printf(out, "%d", ((const i32 *)t->data)[i]); return;
    case DT_I64: text_printf(out, "%lld", (long long)((const i64 *)t->data)[i]); return;
    case DT_F32: print_f32(out, ((const float *)t->data)[i]); return;
    case DT_F64: print_f64(out, ((const double *)t->data)[i]); return;
    case DT_RNG: {
        const RngState *r = (const RngState *)t->data + i;
        text_printf(out, "%s(%u, %u, %u, %u, %u, %u)", state, r->key[0], r->key[1], r->counter[0],
                    r->counter[1], r->counter[2], r->counter[3]);
        return;
    }
    case DT_COUNT: return;
    }
}

static void elements_print(Text *out, const Tensor *t, const char *state)
{
    if (t->count == 0 && t->rank) {
        text_put(out, "[]"); /* the shape is in the type */
        return;
    }
    for (i64 i = 0; i < t->count; i++) {
        i64 block = 1, opened = 0, closed = 0; /* axes that begin and end at this element */
        for (int a = t->rank; a-- > 0;) {
            block *= t->shape[a];
            opened += i % block == 0;
            closed += (i + 1) % block == 0;
        }
        text_put(out, i ? ", " : "");
        while (opened-- > 0)
            text_putc(out, '[');
        element_print(out, t, i, state);
        while (closed-- > 0)
            text_putc(out, ']');
    }
}

void constant_print(Text *out, const Tensor *t)
{
    bool plain = t->dtype == DT_F64 || t->dtype == DT_I64 || t->dtype == DT_BOOL;
    if (!plain)
        text_printf(out, "%s(", dtype_name(t->dtype));
    elements_print(out, t, "");
    if (!plain)
        text_putc(out, ')');
}

void constant_source(Text *out, const Tensor *t)
{
    bool empty = !t->count && (t->rank > 1 || t->dtype != DT_F64);
    if (t->dtype == DT_RNG && !empty) {
        elements_print(out, t, "rng_state");
    } else if (empty) {
        text_put(out, "empty((");
        for (int i = 0; i < t->rank; i++)
            text_printf(out, "%lld, ", (long long)t->shape[i]);
        out->len -= t->rank > 1 ? 2 : 1;
        text_putc(out, ')');
        if (t->dtype != DT_F64)
            text_printf(out, ", dtype=%s", dtype_name(t->dtype));
        text_putc(out, ')');
    } else {
        constant_print(out, t);
    }
}

/* ---- operands and attributes ---- */

bool node_is_inline(const Node *n)
{
    return n->op == OP_PARAM || (n->op == OP_CONST && n->type->rank == 0);
}

void operand_print(Text *out, const Node *n, Numbering *num)
{
    if (n->op == OP_PARAM)
        text_printf(out, "p%lld", (long long)n->attrs[0].i);
    else if (node_is_inline(n))
        constant_print(out, n->attrs[0].value);
    else if (num)
        text_printf(out, "%%%u", number_of(num, n));
    else
        text_putc(out, '?');
}

Node *source_operand(Store *st, const Node *n, u32 i)
{
    const IntList *order = n->nops > 1 ? node_order(st, n) : NULL;
    return order ? n->ops[order->at[i]] : n->ops[i];
}

static void attr_print(Text *out, char kind, Attr a, Numbering *num)
{
    switch (kind) {
    case 'b': text_put(out, a.i ? "true" : "false"); return;
    case 'd': text_put(out, dtype_name((DType)a.i)); return;
    case 'I':
        text_putc(out, '(');
        for (u32 i = 0; i < a.ints->n; i++)
            text_printf(out, "%s%lld", i ? ", " : "", (long long)a.ints->at[i]);
        text_put(out, a.ints->n == 1 ? ",)" : ")");
        return;
    case 's': word_print(out, a.name); return;
    case 'v': constant_print(out, a.value); return;
    case 'g': text_printf(out, "@%u", number_of_graph(num, a.graph)); return;
    case 'z': size_print_numbered(out, a.size, num); return;
    case 'p':
        if (a.i == CHECKPOINT_AUTO) {
            text_put(out, "auto");
            return;
        }
        /* fallthrough */
    default: text_printf(out, "%lld", (long long)a.i);
    }
}

/* What the type after the colon or the roles of the operands tell is left out, and so is what is
 * usual. */
static bool attr_is_told(const Node *n, int i, char kind)
{
    return kind == 't' || (kind == 's' && !n->attrs[i].name) ||
           (n->op == OP_SCAN && (i == 1 || i == 2)) ||
           (n->op == OP_LOOP && (i == 1 || (kind == 'I' && !n->attrs[i].ints->n))) ||
           node_attr_is_usual(n, i);
}

/* "{axes=(0, 1), reverse=true}", or nothing if there are none to tell. */
static void attrs_print(Text *out, const Node *n, Numbering *num)
{
    bool any = false;
    for (int i = 0; i < (int)n->nattrs; i++) {
        char kind = op_attr_kind(n->op, i);
        if (attr_is_told(n, i, kind))
            continue;
        const char *name = op_attr_name(n->op, i);
        text_printf(out, "%s%s=", any ? ", " : "{", name);
        attr_print(out, kind, n->attrs[i], num);
        any = true;
    }
    if (any)
        text_putc(out, '}');
}

static const char *operand_role(const Node *n, u32 i)
{
    if (n->op == OP_SCAN) {
        i64 k = i, states = n->attrs[1].i, seqs = n->attrs[2].i;
        return k == 0 ? "n=" : k <= states ? "init=" : k <= states + seqs ? "seq=" : "capture=";
    }
    if (n->op == OP_LOOP)
        return i == 0 ? "rows=" : i == 1 ? "go=" : i < 2 + n->attrs[1].i ? "init=" : "capture=";
    if ((n->op == OP_VJP || n->op == OP_JVP) && i >= (u32)n->attrs[0].graph->nparams)
        return n->op == OP_VJP ? "cotangent=" : "tangent=";
    return "";
}

void node_print_line(Store *st, Text *out, const Node *n, Numbering *num)
{
    operand_print(out, n, num);
    text_put(out, " : ");
    type_print_numbered(out, n->type, num);
    if (n->op == OP_PROJ) {
        text_put(out, " = ");
        operand_print(out, n->ops[0], num);
        text_printf(out, ".%lld", (long long)n->attrs[0].i);
        return;
    }
    text_printf(out, " = %s", op_table[n->op].name);
    attrs_print(out, n, num);
    text_putc(out, '(');
    for (u32 i = 0; i < n->nops; i++) {
        text_printf(out, "%s%s", i ? ", " : "", operand_role(n, i));
        operand_print(out, source_operand(st, n, i), num);
    }
    text_putc(out, ')');
}

/* ---- order: operands, and nodes that sizes in types stand for, before users ---- */

/* The *skip-th node that a size mentions; NULL and *skip reduced if there are fewer. */
static Node *size_mention(const Size *s, u32 *skip)
{
    for (u32 i = 0; i < s->nterms; i++)
        for (u32 k = 0; k < s->terms[i].nfactors; k++) {
            const SizeAtom *a = s->terms[i].factors[k];
            Node *found = NULL;
            if (a->kind == ATOM_NODE) {
                if ((*skip)-- == 0)
                    return a->node;
            } else if (a->a) {
                found = size_mention(a->a, skip);
                found = found ? found : size_mention(a->b, skip);
            }
            if (found)
                return found;
        }
    return NULL;
}

static Node *type_mention(const Type *t, u32 *skip)
{
    Node *found = NULL;
    for (int i = 0; i < t->nitems && !found; i++)
        found = type_mention(t->items[i], skip);
    for (int i = 0; t->kind == TYPE_TENSOR && i < t->rank && !found; i++)
        found = size_mention(t->dims[i], skip);
    return found;
}

/* What must be printed before n: NULL after the last. */
static Node *dependency(Store *st, const Node *n, u32 i)
{
    if (i < n->nops)
        return source_operand(st, n, i);
    u32 skip = i - n->nops;
    Node *found = type_mention(n->type, &skip);
    if (!found && n->op == OP_SIZE)
        found = size_mention(n->attrs[0].size, &skip);
    return found;
}

typedef struct {
    Node *node;
    u32 next;
} Frame;

static void print_order(Store *st, int nroots, Node *const *roots, NodeVec *out)
{
    NodeSet seen = {0};
    VEC(Frame)
    stack = {0};
    for (int i = 0; i < nroots; i++) {
        Node *next = roots[i];
        do {
            if (next && set_add(&seen, next)) {
                vec_push(&stack, ((Frame){next, 0}));
            } else if (!next) {
                vec_push(out, stack.at[--stack.len].node);
            }
            if (stack.len) {
                Frame *top = &stack.at[stack.len - 1];
                next = dependency(st, top->node, top->next++);
            }
        } while (stack.len);
    }
    vec_free(&stack);
    map_free(&seen);
}

/* ---- blocks ---- */

typedef struct {
    Store *st;
    Text *out;
    Numbering *num;
    SET(const void *) done; /* graphs, and constants of more than a few elements */
} Printer;

enum { SMALL_CONSTANT = 16 };

static void print_graph(Printer *p, Graph *g);

static void print_graphs_of(Printer *p, const Node *n)
{
    int slots[4], count = node_graphs(n, slots);
    for (int i = 0; i < count; i++)
        print_graph(p, n->attrs[slots[i]].graph);
}

static void print_line(Printer *p, const Graph *g, Node *n, const char *indent)
{
    if (n->op == OP_CONST && n->attrs[0].value->count > SMALL_CONSTANT) {
        const Thing *thing = numbering_thing(p->num, n);
        const void *key = thing ? (const void *)thing : n;
        if (!set_add(&p->done, key))
            return; /* numbers hold for the whole text */
    }
    text_put(p->out, indent);
    node_print_line(p->st, p->out, n, p->num);
    Symbol name = node_name_in(p->st, g, n);
    if (name && n->op != OP_INPUT && n->op != OP_SHARED && n->op != OP_PARAM) {
        text_put(p->out, "  # ");
        word_print(p->out, name);
    }
    text_putc(p->out, '\n');
}

static void print_return(Printer *p, int n, Node *const *outs)
{
    text_put(p->out, "return");
    for (int i = 0; i < n; i++) {
        text_put(p->out, i ? ", " : " ");
        operand_print(p->out, outs[i], p->num);
    }
    text_putc(p->out, '\n');
}

static void print_header(Printer *p, const Graph *g)
{
    text_printf(p->out, "@%u = graph(", number_of_graph(p->num, g));
    for (int i = 0; i < g->nparams; i++) {
        text_printf(p->out, "%sp%d: ", i ? ", " : "", i);
        type_print_numbered(p->out, g->params[i], p->num);
    }
    text_put(p->out, ") {");
    const Symbol *names = graph_names(p->st, g);
    bool any = false;
    for (int i = 0; names && i < g->nparams; i++)
        if (names[i]) {
            text_printf(p->out, "%sp%d ", any ? ", " : "  # ", i);
            word_print(p->out, names[i]);
            any = true;
        }
    text_putc(p->out, '\n');
}

static void print_graph(Printer *p, Graph *g)
{
    if (!set_add(&p->done, g))
        return;
    NodeVec order = {0};
    print_order(p->st, g->nouts, g->outs, &order);
    for (size_t i = 0; i < order.len; i++)
        print_graphs_of(p, order.at[i]);
    const Graph *around = p->num->within;
    p->num->within = g;
    print_header(p, g);
    for (size_t i = 0; i < order.len; i++)
        if (!node_is_inline(order.at[i]))
            print_line(p, g, order.at[i], "  ");
    text_put(p->out, "  ");
    print_return(p, g->nouts, g->outs);
    text_put(p->out, "}\n");
    p->num->within = around;
    vec_free(&order);
}

void graph_print(Store *st, Text *out, int nroots, Node *const *roots, Numbering *num)
{
    Printer p = {.st = st, .out = out, .num = num};
    Numbering own = {0};
    if (!num)
        p.num = &own;
    NodeVec order = {0};
    print_order(st, nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        print_graphs_of(&p, order.at[i]);
        if (!node_is_inline(order.at[i]) || order.at[i]->op == OP_PARAM)
            print_line(&p, NULL, order.at[i], "");
    }
    print_return(&p, nroots, roots);
    vec_free(&order);
    map_free(&p.done);
    map_free(&own.of);
}
