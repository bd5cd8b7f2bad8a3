/* Reading back what graph_print wrote.
 *
 * Grammar: { LINE | BLOCK } "return" operands
 *   BLOCK = @k = graph(p0: TYPE, ...) "{" { LINE } "return" operands "}"
 *   LINE  = %k [: TYPE] = op{attributes}(operands) | %k [: TYPE] = %j.index
 *         | pK : TYPE = param{index=K}()
 * Line ends are white space and `#` starts a comment. Numbers hold for the whole text.
 *
 * Invariant: the text is not trusted. Whatever it says, the outcome is either nodes that
 * node_make agreed to, or one diagnostic; the first mistake ends the reading. */
#include "graph/read.h"
#include "graph/provenance.h"
#include "graph/control.h"

enum { MAX_ATTRS = 8 };
typedef VEC(Type *) TypeVec;

/* One line while it is read. */
typedef struct {
    size_t start;
    OpId op;
    Type *type; /* told after the colon, or NULL */
    Attr attrs[MAX_ATTRS];
    bool given[MAX_ATTRS];
    NodeVec ops;
    i64 roles[4]; /* how many operands had no role, init=, seq=, or one that comes last */
} Line;

/* ---- attributes ---- */

static const IntList *read_intlist(Reader *r)
{
    VEC(i64) list = {0};
    i64 x;
    read_expect(r, '(', "before a list of numbers");
    while (!r->failed && !read_accept(r, ')')) {
        if (read_i64(r, &x))
            vec_push(&list, x);
        if (!r->failed && read_skip(r) != ')')
            read_expect(r, ',', "between two numbers");
    }
    const IntList *ints = r->failed ? NULL : intlist(r->st, (u32)list.len, list.at);
    vec_free(&list);
    return ints;
}

static Graph *read_graph_number(Reader *r)
{
    return read_reference(r, '@', &r->graphs, "", " is used before it is defined");
}

static bool read_flag(Reader *r, Attr *a)
{
    a->i = read_accept_word(r, "true");
    return a->i || read_accept_word(r, "false") || read_fail(r, r->at, "true or false is missing");
}

static bool read_dtype(Reader *r, Attr *a)
{
    const char *word;
    size_t n = read_word_length(r, &word);
    DType d = read_dtype_of(word, n);
    if (d == DT_COUNT)
        return read_fail(r, r->at, "a dtype is missing: bool, i32, i64, f32, f64 or rng");
    r->at += n;
    a->i = d;
    return true;
}

static bool read_value(Reader *r, const Line *l, Attr *a)
{
    Node *c = read_constant(r, l->type);
    a->value = c ? c->attrs[0].value : NULL;
    return c != NULL;
}

static bool read_attr(Reader *r, Line *l, int i)
{
    Attr *a = &l->attrs[i];
    switch (op_attr_kind(l->op, i)) {
    case 'i': return read_i64(r, &a->i);
    case 'p': a->i = CHECKPOINT_AUTO; return read_accept_word(r, "auto") || read_i64(r, &a->i);
    case 'b': return read_flag(r, a);
    case 'd': return read_dtype(r, a);
    case 'I': return (a->ints = read_intlist(r)) != NULL;
    case 's': return (a->name = read_word(r, "a word")) != NULL;
    case 'v': return read_value(r, l, a);
    case 'g': return (a->graph = read_graph_number(r)) != NULL;
    case 'z': return (a->size = read_size(r, 0)) != NULL;
    default: return read_fail(r, r->at, "this attribute is told by the type before it");
    }
}

static int attr_slot(Reader *r, const Line *l)
{
    const char *word;
    size_t n = read_word_length(r, &word);
    for (int i = 0; i < op_attr_count(l->op); i++) {
        const char *name = op_attr_name(l->op, i);
        if (strlen(name) == n && !memcmp(name, word, n)) {
            if (l->given[i])
                read_fail(r, r->at, "`%s` is given twice", name);
            r->at += n;
            return i;
        }
    }
    read_fail(r, r->at, "%s has no such attribute", op_table[l->op].name);
    return 0;
}

static bool read_attrs(Reader *r, Line *l)
{
    if (!read_accept(r, '{'))
        return true;
    while (!r->failed && !read_accept(r, '}')) {
        int i = attr_slot(r, l);
        if (!r->failed && read_expect(r, '=', "after the name of an attribute"))
            l->given[i] = read_attr(r, l, i);
        if (!r->failed && read_skip(r) != '}')
            read_expect(r, ',', "between two attributes");
    }
    return !r->failed;
}

/* Fills in what the text leaves to the type and to the roles of the operands. */
static bool complete_attrs(Reader *r, Line *l)
{
    for (int i = 0; i < op_attr_count(l->op); i++) {
        char kind = op_attr_kind(l->op, i);
        i64 usual;
        const char *name = op_attr_name(l->op, i);
        if (l->given[i])
            continue;
        if (kind == 't' && !l->type)
            return read_fail(r, l->start, "%s needs its type", op_table[l->op].name);
        if (kind == 't')
            l->attrs[i].type = l->type;
        else if ((l->op == OP_SCAN && (i == 1 || i == 2)) || (l->op == OP_LOOP && i == 1))
            l->attrs[i].i = l->roles[i];
        else if (l->op == OP_LOOP && kind == 'I')
            l->attrs[i].ints = intlist(r->st, 0, NULL);
        else if (op_attr_default(l->op, i, &usual))
            l->attrs[i].i = usual;
        else if (l->op == OP_CALL || l->op == OP_CHECK || l->op == OP_HOLE)
            l->attrs[i].name = NULL;
        else
            return read_fail(r, l->start, "%s needs the attribute `%s`", op_table[l->op].name,
                             name);
    }
    return true;
}

/* ---- operands ---- */

static Node *read_operand(Reader *r)
{
    const char *word;
    char c = read_skip(r);
    size_t n = read_word_length(r, &word);
    Node *node = c == '%'                          ? read_node_number(r)
                 : read_indexed_word(word, n, 'p') ? read_param(r)
                 : c == '"' || c == '[' || !c      ? NULL
                                                   : read_constant(r, NULL);
    if (!node)
        read_fail(r, r->at, "an operand is missing: %%1, p0 or a number");
    return node;
}

static bool read_role(Reader *r, Line *l)
{
    static const char *const first[] = {"n", "rows", "go"};
    static const char *const init[] = {"init"}, *const seq[] = {"seq"};
    static const char *const last[] = {"capture", "cotangent", "tangent"};
    const struct {
        const char *const *names;
        size_t count;
    } roles[] = {{first, COUNT_OF(first)}, {init, 1}, {seq, 1}, {last, COUNT_OF(last)}};
    size_t start = r->at;
    int role = 0;
    bool named = false;
    for (int k = 0; k < 4 && !named; k++)
        for (size_t i = 0; i < roles[k].count && !named; i++)
            if ((named = read_accept_word(r, roles[k].names[i])))
                role = k;
    if (named && !read_expect(r, '=', "after the role of an operand"))
        return false;
    for (int k = role + 1; k < 4; k++)
        if (l->roles[k])
            return read_fail(r, start,
                             "operands come in the order n or rows, go, init, seq, capture");
    l->roles[role]++;
    return true;
}

static bool read_operands(Reader *r, Line *l)
{
    if (!read_expect(r, '(', "before the operands"))
        return false;
    while (!r->failed && !read_accept(r, ')')) {
        if (!read_role(r, l))
            return false;
        Node *n = read_operand(r);
        if (!n)
            return false;
        vec_push(&l->ops, n);
        if (read_skip(r) != ')')
            read_expect(r, ',', "between two operands");
    }
    return !r->failed;
}

/* ---- nodes ---- */

static bool args_in_range(const IntList *args, u32 noperands)
{
    for (u32 i = 0; i < args->n; i++)
        if (args->at[i] < 0 || args->at[i] >= noperands)
            return false;
    return true;
}

/* What node_make and the type rules take for granted about operators that own graphs. */
static bool is_plausible(Reader *r, const Line *l)
{
    const Attr *a = l->attrs;
    size_t n = l->ops.len;
    if (n && (l->op == OP_INPUT || l->op == OP_SHARED || l->op == OP_HOLE))
        return read_fail(r, l->start, "%s has no operands", op_table[l->op].name);
    if ((i64)n < op_table[l->op].min_ops)
        return read_fail(r, l->start, "%s needs more operands", op_table[l->op].name);
    if (l->op == OP_SCAN && l->roles[0] != 1)
        return read_fail(r, l->start, "a scan needs one operand n=");
    if (l->op == OP_LOOP && (l->roles[0] != 2 || l->roles[2] || !a[0].graph->nouts))
        return read_fail(r, l->start,
                         "a loop needs the operands rows= and go=, and a body that gives go");
    if (l->op == OP_IFELSE &&
        (n == 0 || !args_in_range(a[2].ints, (u32)n - 1) || !args_in_range(a[3].ints, (u32)n - 1)))
        return read_fail(r, l->start, "then_args and else_args say which operands to use");
    if (op_table[l->op].cls != CLASS_IMPLICIT)
        return true;
    size_t params = (size_t)a[0].graph->nparams, outs = (size_t)a[0].graph->nouts;
    if (l->op == OP_VMAP)
        return (n == params && a[1].ints->n == params && a[2].ints->n == outs) ||
               read_fail(r, l->start, "vmap needs an axis for each of %zu operands and %zu results",
                         params, outs);
    if (a[1].i < 0 || (u64)a[1].i > params)
        return read_fail(r, l->start, "wrt must be between 0 and the number of parameters, %zu",
                         params);
    size_t want = params + (l->op == OP_VJP ? outs : l->op == OP_JVP ? (size_t)a[1].i : 0);
    if (n != want)
        return read_fail(r, l->start, "%s needs %zu operands for this graph, not %zu",
                         op_table[l->op].name, want, n);
    return l->op != OP_GRAD || outs == 1 || read_fail(r, l->start, "grad needs one output");
}

static Node *make_node(Reader *r, const Line *l)
{
    Store *st = r->st;
    size_t before = st->diags ? st->diags->errors : 0;
    st->span = (Span){r->src, (u32)l->start, (u32)r->at};
    Node *n = l->op == OP_INPUT || l->op == OP_SHARED
                  ? node_input(st, l->op, l->attrs[0].name, l->type)
              : l->op == OP_HOLE ? node_hole(st, l->type, NULL)
              : l->op == OP_PROJ && l->ops.len == 1 && l->ops.at[0]->op == OP_TUPLE &&
                      l->attrs[0].i >= 0 && l->attrs[0].i < l->ops.at[0]->nops
                  ? node_proj(st, l->ops.at[0], l->attrs[0].i)
                  : node_make(st, l->op, l->attrs, (u32)l->ops.len, l->ops.at);
    if (!n && st->diags && st->diags->errors == before)
        read_fail(r, l->start, "%s cannot have these operands", op_table[l->op].name);
    if (n && n->op == OP_LOOP && n->attrs[4].i != l->attrs[4].i)
        read_fail(r, l->start, "state %lld is not the number of the step",
                  (long long)l->attrs[4].i);
    if (n && n->op != OP_CONST && !node_span(st, n))
        node_set_span(st, n, st->span);
    r->failed = r->failed || !n;
    return n;
}

/* `%7.1`, or `%7` alone: another number for the same node. */
static Node *read_projection(Reader *r, Line *l)
{
    Node *n = read_node_number(r);
    if (!n || !read_accept(r, '.'))
        return n;
    l->op = OP_PROJ;
    vec_push(&l->ops, n);
    return read_i64(r, &l->attrs[0].i) ? make_node(r, l) : NULL;
}

static Node *read_application(Reader *r, Line *l)
{
    const char *word;
    char name[32];
    size_t n = read_word_length(r, &word);
    memcpy(name, word, n < sizeof name ? n : 0);
    name[n < sizeof name ? n : 0] = 0;
    l->op = op_by_name(name);
    if (!n || l->op == OP_COUNT) {
        r->at += n;
        read_fail(r, r->at - n, "the name of an operator is missing");
        return NULL;
    }
    r->at += n;
    bool ok = read_attrs(r, l) && read_operands(r, l) && complete_attrs(r, l) && is_plausible(r, l);
    return ok ? make_node(r, l) : NULL;
}

static bool check_type(Reader *r, const Line *l, const Node *n)
{
    if (!l->type || l->type == n->type)
        return true;
    Text told = {0}, found = {0};
    type_print(&told, l->type);
    type_print(&found, n->type);
    read_fail(r, l->start, "the type is said to be %s, but it is %s", text_str(&told),
              text_str(&found));
    text_free(&told);
    text_free(&found);
    return false;
}

static bool define(Reader *r, NumberMap *where, u64 k, void *what, size_t start)
{
    void *old = map_get(where, k + 1);
    if (old && old != what)
        return read_fail(r, start, "this number stands for something else already");
    map_put(where, k + 1, what);
    return true;
}

/* A line that defines %k, or a parameter of an open graph. */
static bool read_line(Reader *r, bool in_block)
{
    Line l = {.start = r->at};
    u64 k;
    bool param = read_peek(r) == 'p';
    if (!read_number_after(r, param ? 'p' : '%', UINT32_MAX - 1, &k))
        return false;
    if (read_accept(r, ':'))
        l.type = read_type(r, 0);
    Node *n = NULL;
    if (!r->failed && read_expect(r, '=', "before what a line defines"))
        n = read_skip(r) == '%' ? read_projection(r, &l) : read_application(r, &l);
    bool ok = n && check_type(r, &l, n);
    vec_free(&l.ops);
    if (!ok)
        return false;
    if (param && (in_block || n->op != OP_PARAM || (u64)n->attrs[0].i != k))
        return read_fail(r, l.start, "only a parameter outside of graphs is defined like this");
    return define(r, param ? &r->params : &r->nodes, k, n, l.start);
}

static bool read_return(Reader *r, NodeVec *outs)
{
    char c = read_skip(r);
    const char *word;
    if (!c || c == '}' || c == '@' ||
        (c != '%' && read_word_length(r, &word) == 0 && c != '-' && !is_digit(c)))
        return !r->failed;
    do {
        Node *n = read_operand(r);
        if (!n)
            return false;
        vec_push(outs, n);
    } while (read_accept(r, ','));
    return !r->failed;
}

/* ---- graphs ---- */

/* Scalar parameters first: a size may be the value of a parameter further on. */
static void declare_scalars(Reader *r)
{
    size_t start = r->at;
    int depth = 0;
    for (u64 k = 0; !r->failed; k++) {
        const char *word;
        size_t n = read_word_length(r, &word);
        if (!read_indexed_word(word, n, 'p'))
            break;
        r->at += n;
        if (read_skip(r) != ':')
            break;
        r->at++;
        n = read_word_length(r, &word);
        DType d = read_dtype_of(word, n);
        r->at += n;
        if (d != DT_COUNT && read_skip(r) != '[')
            map_put(&r->params, k + 1, node_param(r->st, (i64)k, type_scalar(r->st, d)));
        for (char c; (c = read_skip(r)) != 0 && c != '{'; r->at++) {
            depth += (c == '(' || c == '[') - (c == ')' || c == ']');
            if (depth < 0 || (depth == 0 && c == ','))
                break;
        }
        if (depth < 0 || !read_accept(r, ','))
            break;
    }
    r->at = start;
}

static bool read_params(Reader *r, TypeVec *params)
{
    declare_scalars(r);
    while (!r->failed && !read_accept(r, ')')) {
        size_t start = r->at;
        u64 k;
        if (!read_number_after(r, 'p', UINT32_MAX, &k) ||
            !read_expect(r, ':', "before the type of a parameter"))
            return false;
        if (k != params->len)
            return read_fail(r, start, "parameters are named p0, p1, ... in this order");
        Type *t = read_type(r, 0);
        if (!t)
            return false;
        vec_push(params, t);
        map_put(&r->params, k + 1, node_param(r->st, (i64)k, t));
        if (read_skip(r) != ')')
            read_expect(r, ',', "between two parameters");
    }
    return !r->failed;
}

/* Nothing but its own parameters and constants may be reached. */
static bool is_closed(Reader *r, const NodeVec *outs, size_t start)
{
    NodeVec order = {0};
    nodes_topo((int)outs->len, outs->at, &order);
    for (size_t i = 0; i < order.len && !r->failed; i++) {
        Node *n = order.at[i];
        if (n->op == OP_PARAM && map_get(&r->params, (u64)n->attrs[0].i + 1) != n)
            read_fail(r, start, "this graph uses a parameter of another one");
        else if (n->op == OP_INPUT || n->op == OP_SHARED || n->op == OP_HOLE)
            read_fail(r, start, "a graph cannot use anything from outside");
    }
    vec_free(&order);
    return !r->failed;
}

static bool read_statements(Reader *r, NodeVec *outs, bool in_block);

static bool read_block(Reader *r)
{
    size_t start = r->at;
    TypeVec params = {0};
    NodeVec outs = {0};
    NumberMap outer = r->params;
    u64 k;
    r->params = (NumberMap){0};
    bool ok = read_number_after(r, '@', UINT32_MAX - 1, &k) &&
              read_expect(r, '=', "after the number of a graph") &&
              (read_accept_word(r, "graph") || read_fail(r, r->at, "`graph` is missing")) &&
              read_expect(r, '(', "before the parameters") && read_params(r, &params) &&
              read_expect(r, '{', "before the lines of a graph") &&
              read_statements(r, &outs, true) && read_expect(r, '}', "after a graph") &&
              is_closed(r, &outs, start);
    if (ok)
        ok = define(r, &r->graphs, k,
                    graph_make(r->st, (int)params.len, params.at, (int)outs.len, outs.at), start);
    map_free(&r->params);
    r->params = outer;
    vec_free(&params);
    vec_free(&outs);
    return ok;
}

static bool read_statements(Reader *r, NodeVec *outs, bool in_block)
{
    while (!r->failed) {
        char c = read_skip(r);
        if (read_accept_word(r, "return"))
            return read_return(r, outs);
        if (c == '@' && in_block)
            return read_fail(r, r->at, "a graph cannot be defined inside another one");
        if (c == '@')
            read_block(r);
        else if (c == '%' || c == 'p')
            read_line(r, in_block);
        else
            read_fail(r, r->at, "a line starts with %%, @ or `return`");
    }
    return false;
}

int graph_read(Store *st, const Source *src, Node ***roots)
{
    Reader r = {.st = st, .src = src};
    NodeVec outs = {0};
    Span span = st->span;
    bool ok = read_statements(&r, &outs, false);
    read_skip(&r);
    if (ok && r.at < src->len)
        ok = read_fail(&r, r.at, "nothing may follow the last `return`");
    st->span = span;
    map_free(&r.nodes);
    map_free(&r.graphs);
    map_free(&r.params);
    if (!ok)
        vec_free(&outs);
    *roots = outs.at;
    return ok ? (int)outs.len : -1;
}
