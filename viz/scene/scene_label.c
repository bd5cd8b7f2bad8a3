/* What is written on nodes, boxes and edges. */
#include "viz/scene/scene_parts.h"
#include "graph/name.h"
#include "graph/provenance.h"
#include "surface/surface.h"

enum { CONST_CHARS = 24, TOOLTIP_CHARS = 300 };

const char *label_text(Builder *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *kept = arena_vprintf(&b->arena, fmt, ap);
    va_end(ap);
    return kept;
}

static const char *keep(Builder *b, Text *t)
{
    const char *s = arena_strndup(&b->arena, text_str(t), t->len);
    text_free(t);
    return s;
}

SceneClass label_class(const Node *n)
{
    static const SceneClass of[CLASS_COUNT] = {
        [CLASS_STRUCTURAL] = CLS_STRUCTURAL, [CLASS_CONTROL] = CLS_CONTROL,
        [CLASS_IMPLICIT] = CLS_CONTROL,      [CLASS_ELEMENTWISE] = CLS_ELEMENTWISE,
        [CLASS_COMPOSITE] = CLS_COMPOSITE,   [CLASS_REDUCE] = CLS_REDUCE,
        [CLASS_SHAPE] = CLS_SHAPE,           [CLASS_INDEX] = CLS_INDEX,
        [CLASS_LINALG] = CLS_LINALG,         [CLASS_RANDOM] = CLS_RANDOM};
    if (is_source(n) || n->op == OP_PARAM)
        return CLS_INPUT;
    return n->op == OP_CONST ? CLS_CONST : of[op_table[n->op].cls];
}

bool label_folds(const Node *n)
{
    return (n->op == OP_CONST && n->type->rank == 0) || n->op == OP_SIZE;
}

Symbol label_name(Builder *b, const Node *n)
{
    bool leaf = is_source(n) || n->op == OP_PARAM;
    Symbol name = leaf ? leaf_symbol(b->st, b->graph, n) : node_name_in(b->st, b->graph, n);
    if (!name && n->op == OP_PROJ && n->ops[0]->op == OP_SCAN &&
        n->attrs[0].i == scan_shape(n->ops[0]).steps)
        name = symbol(b->st, "steps");
    return name;
}

/* A size as people call it: a body's by what it is outside, a node's value by its name. */
static Size *size_called(Store *st, SizeAtom *a, void *ctx)
{
    Builder *b = ctx;
    if (a->kind == ATOM_PARAM)
        return map_get(&b->sizes, a->index + 1);
    if (a->kind != ATOM_NODE)
        return NULL;
    Symbol name = label_name(b, a->node);
    return name ? size_name(st, name) : NULL;
}

static const char *type_label(Builder *b, const Type *t, const DimNames *names)
{
    Text out = {0};
    const Type *called = type_map_sizes(b->st, (Type *)(uintptr_t)t, size_called, b);
    dimensions_type_print(&out, called, names, b->num);
    return keep(b, &out);
}

const char *label_type(Builder *b, const Type *t) { return type_label(b, t, NULL); }

const char *label_type_of(Builder *b, Node *n)
{
    const DimNames *names = dimensions_exist(b->st) ? dimensions_of(b->dimensions, n) : NULL;
    return type_label(b, n->type, names);
}

Size *label_size(void *builder, Size *s)
{
    return size_map(((Builder *)builder)->st, s, size_called, builder);
}

const char *label_source(Builder *b, Node *n)
{
    Text out = {0};
    if (b->options->bare)
        return NULL;
    node_source_limited(b->st, &out, n, false, TOOLTIP_CHARS);
    return keep(b, &out);
}

/* ---- labels of operators ---- */

/* What the author calls it, if that is short and one word. */
static const char *short_name(Builder *b, const Node *n)
{
    enum { LONGEST = 12 };
    const Graph *g = b->num->within;
    Symbol name = is_source(n)                      ? n->attrs[0].name
                  : n->op != OP_PARAM               ? node_name_in(b->st, b->graph, n)
                  : g && n->attrs[0].i < g->nparams ? param_name(b, g, (int)n->attrs[0].i)
                                                    : NULL;
    return name && strlen(name) <= LONGEST && name_is_word(b->st, name_base(b->st, name)) ? name
                                                                                          : NULL;
}

/* An operand in the label of its user: its value, its name, else its number, as at its node; where
 * the edge that leads to it is in sight, no number. */
static void put_operand(Builder *b, Text *out, const Node *op)
{
    const char *name = short_name(b, op);
    if (op->op == OP_SIZE)
        size_print_numbered(out, op->attrs[0].size, b->num);
    else if (name)
        text_put(out, name);
    else if (label_folds(op) || (!node_is_inline(op) && !b->options->unnumbered))
        operand_print(out, op, b->num);
    else
        text_put(out, "\u2026");
}

static bool any_folds(const Node *n)
{
    for (u32 i = 0; i < n->nops; i++)
        if (label_folds(n->ops[i]))
            return true;
    return false;
}

/* "%0 + %1" with operands filled in, or only its sign. */
static void put_form(Builder *b, Text *out, const Node *n, const char *form)
{
    bool fill = any_folds(n);
    for (const char *s = form; *s; s++) {
        if (*s == '%' && s[1] >= '0' && s[1] <= '9') {
            if (fill && (u32)(s[1] - '0') < n->nops)
                put_operand(b, out, source_operand(b->st, n, (u32)(*++s - '0')));
            else
                s++;
        } else if (fill || *s != ' ') {
            text_putc(out, *s);
        }
    }
    if (fill && n->nops > 2 && strstr(form, "%1")) { /* n-ary: the operator again */
        const char *sign = strchr(form, ' ');
        for (u32 i = 2; sign && i < n->nops; i++) {
            text_putn(out, sign, strcspn(sign, "%"));
            put_operand(b, out, source_operand(b->st, n, i));
        }
    }
}

/* Are these the last axes of the result, in order? */
static bool are_last_axes(const Node *n, const IntList *axes)
{
    for (u32 i = 0; i < axes->n; i++)
        if (axes->at[i] != (i64)(n->type->rank - (int)axes->n + (int)i))
            return false;
    return true;
}

/* " axis=1", " stride=(2, 1)"; nothing where it is all axes of what is reduced, or as it would be
 * anyway. */
static void put_list(Text *out, const Node *n, const char *name, const IntList *axes)
{
    bool all = (int)axes->n == n->ops[0]->type->rank &&
               (op_table[n->op].cls == CLASS_REDUCE || node_swaps_last(n));
    all = all || (n->op == OP_BROADCAST && are_last_axes(n, axes));
    if (axes->n && !all)
        text_printf(out, " %s=%s", !strcmp(name, "axes") ? "axis" : name, axes->n > 1 ? "(" : "");
    for (u32 i = 0; i < axes->n && !all; i++)
        text_printf(out, i ? ", %lld" : "%lld", (long long)axes->at[i]);
    text_put(out, axes->n > 1 && !all ? ")" : "");
}

/* What is not usual, in words of the language. */
static void put_attrs(Text *out, const Node *n)
{
    for (int i = 0; i < op_attr_count(n->op); i++) {
        const char *name = op_attr_name(n->op, i);
        Attr a = n->attrs[i];
        i64 usual;
        switch (op_attr_kind(n->op, i)) {
        case 'b': text_printf(out, a.i ? " %s" : "", name); break;
        case 'd': text_printf(out, " to %s", dtype_name((DType)a.i)); break;
        case 'I': put_list(out, n, name, a.ints); break;
        case 'i':
            if (op_attr_default(n->op, i, &usual)
                    ? a.i != usual
                    : strcmp(name, "axis") != 0 || n->ops[0]->type->rank != 1)
                text_printf(out, " %s=%lld", name, (long long)a.i);
            break;
        default: break;
        }
    }
}

static void put_call(Builder *b, Text *out, const Node *n)
{
    OpClass cls = op_table[n->op].cls;
    text_put(out, op_table[n->op].name);
    if (any_folds(n)) {
        text_putc(out, '(');
        for (u32 i = 0; i < n->nops; i++) {
            text_put(out, i ? ", " : "");
            put_operand(b, out, source_operand(b->st, n, i));
        }
        text_putc(out, ')');
    }
    if (cls != CLASS_CONTROL && cls != CLASS_IMPLICIT)
        put_attrs(out, n);
}

/* "x[:, 3]", "x[6:8]", "x[k]"; false: not of this form. */
static bool put_subscript(Builder *b, Text *out, const Node *n)
{
    i64 start = 0, len = 0, step = n->op == OP_SLICE ? n->attrs[1].i : 1;
    bool slice = n->op == OP_SLICE && step > 0;
    if (n->op != OP_INDEX && !slice)
        return false;
    put_operand(b, out, n->ops[0]);
    text_putc(out, '[');
    for (i64 i = 0; i < n->attrs[0].i; i++)
        text_put(out, ":, ");
    put_operand(b, out, n->ops[1]);
    if (slice && node_const_i64(n->ops[1], &start) && node_const_i64(n->ops[2], &len))
        text_printf(out, ":%lld", (long long)(start + len * step));
    else if (slice)
        text_put(out, ":\u2026");
    if (slice && step != 1)
        text_printf(out, ":%lld", (long long)step);
    text_putc(out, ']');
    return true;
}

/* "zeros(2, n)", "ones", "3.0 everywhere", "broadcast". */
static void put_broadcast(Builder *b, Text *out, const Node *n)
{
    const Node *of = n->ops[0];
    bool sizes = n->nops > 1;
    double x = of->op == OP_CONST && of->type->rank == 0 ? tensor_f64_at(of->attrs[0].value, 0) : 2;
    for (u32 i = 1; i < n->nops; i++)
        sizes = sizes && label_folds(n->ops[i]);
    if (x != 0 && x != 1) {
        if (label_folds(of))
            put_operand(b, out, of);
        text_put(out, label_folds(of) ? " everywhere" : "broadcast");
        put_list(out, n, "axes", n->attrs[0].ints);
        return;
    }
    text_put(out, x == 0 ? "zeros" : "ones");
    for (u32 i = 1; i < n->nops && sizes; i++) {
        text_put(out, i > 1 ? ", " : "(");
        put_operand(b, out, source_operand(b->st, n, i));
    }
    text_put(out, sizes ? ")" : "");
}

/* "put 2 at i of axis 1" */
static void put_store(Builder *b, Text *out, const Node *n)
{
    static const char *const words[] = {"put ", "add ", "maximum with ", "minimum with "};
    text_put(out, words[n->attrs[1].i]);
    if (label_folds(n->ops[2]))
        put_operand(b, out, n->ops[2]);
    text_put(out, label_folds(n->ops[2]) ? " at " : "at ");
    put_operand(b, out, n->ops[1]);
    if (n->attrs[0].i)
        text_printf(out, " of axis %lld", (long long)n->attrs[0].i);
}

/* Operators that the language has no name for, in words; false: not one of these. */
static bool put_hidden(Builder *b, Text *out, const Node *n)
{
    switch (n->op) {
    case OP_BROADCAST: put_broadcast(b, out, n); return true;
    case OP_CHECK:
        text_printf(out, "check%s: %s", n->attrs[1].i ? " of an index" : "",
                    n->attrs[0].name ? n->attrs[0].name : "it holds");
        return true;
    case OP_DIM: text_printf(out, "size of axis %lld", (long long)n->attrs[0].i); return true;
    case OP_GEMM:
    case OP_GEMV: {
        bool first = n->attrs[0].i, second = n->op == OP_GEMM && n->attrs[1].i;
        text_printf(out, "%s%s", op_table[n->op].name,
                    first && second ? ", both transposed"
                    : first         ? ", first transposed"
                    : second        ? ", second transposed"
                                    : "");
        return true;
    }
    case OP_SET_INDEX: put_store(b, out, n); return true;
    default: return false;
    }
}

static void put_const(Text *out, const Tensor *t)
{
    if (t->count > CONST_CHARS) {
        text_put(out, "constant");
        return;
    }
    Text value = {0};
    constant_print(&value, t);
    if (value.len > CONST_CHARS)
        text_put(out, "constant");
    else
        text_put(out, text_str(&value));
    text_free(&value);
}

Phrase label_words(Builder *b, const Node *n)
{
    bool own = is_source(n) || n->op == OP_PARAM || n->op == OP_HOLE;
    Symbol name = own ? NULL : node_name_in(b->st, b->graph, n);
    bool tells = name && strcmp(name, op_table[n->op].name) != 0;
    Phrase given = {.text = tells ? name : NULL}, text = {.text = label_node(b, n)};
    return scene_equation(b->scene, &given, &text);
}

const char *label_node(Builder *b, const Node *n)
{
    Text out = {0};
    if (is_source(n)) {
        text_put(&out, n->attrs[0].name);
        return keep(b, &out);
    }
    if (n->op == OP_PARAM) { /* of the body that is shown by itself, if it is one */
        const Graph *g = b->num->within;
        bool named = g && n->attrs[0].i < g->nparams;
        return named ? param_name(b, g, (int)n->attrs[0].i)
                     : label_text(b, "p%lld", (long long)n->attrs[0].i);
    }
    char form[16];
    if (n->op == OP_CONST)
        put_const(&out, n->attrs[0].value);
    else if (n->op == OP_SIZE)
        size_print_numbered(&out, n->attrs[0].size, b->num);
    else if (*op_form(n->op, form))
        put_form(b, &out, n, form);
    else if (!put_hidden(b, &out, n) && !put_subscript(b, &out, n))
        put_call(b, &out, n);
    return keep(b, &out);
}

const char *label_short(Builder *b, const Node *n)
{
    char form[16];
    Symbol name = label_name(b, n);
    if (name)
        return name;
    bool call = !*op_form(n->op, form) && n->op != OP_CONST && op_word(n->op);
    return call ? op_word(n->op) : label_node(b, n);
}

const char *label_operand(Builder *b, const Node *n, u32 i)
{
    u32 drawn = 0;
    for (u32 k = 0; k < n->nops; k++)
        drawn += !label_folds(n->ops[k]);
    if (drawn < 2 || (op_table[n->op].flags & COMMUTES))
        return NULL;
    return label_text(b, "%u", i);
}

const char *label_steps(Builder *b, const Node *loop)
{
    if (loop->op == OP_LOOP)
        return loop_shape(loop).down ? "backwards" : NULL;
    ScanShape s = scan_shape(loop);
    const char *way = s.reverse ? "backwards" : s.stop ? "until" : NULL;
    if (!s.checkpoint)
        return way;
    const char *policy = s.checkpoint > 0
                             ? label_text(b, "checkpoint %lld", (long long)s.checkpoint)
                             : "checkpoint auto";
    return way ? label_text(b, "%s, %s", way, policy) : policy;
}

const char *label_loop(Builder *b, const Node *loop)
{
    bool is_scan = loop->op == OP_SCAN;
    const Node *n = loop->ops[0];
    bool open = is_scan ? scan_shape(loop).stop : loop_shape(loop).grows;
    const char *kind = is_scan ? "scan" : "loop";
    i64 k;
    if (node_const_i64(n, &k) && k == SCAN_UNBOUNDED)
        return label_text(b, "%s while", kind);
    Symbol name = label_folds(n) ? NULL : label_name(b, n);
    if (!label_folds(n) && !name) /* the edge from it tells */
        return kind;
    Text out = {0};
    text_printf(&out, "%s n%s", kind, open ? "<=" : "=");
    if (name)
        text_put(&out, name);
    else
        put_operand(b, &out, n);
    return keep(b, &out);
}
