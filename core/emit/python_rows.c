/* Operators by the texts of python.def.
 *
 * Invariant: a word in braces that is not known here is a bug of the table (die). */
#include "emit/python.h"

#include "graph/op.h"

#include <math.h>

typedef struct {
    int level;
    const char *texts[PYTHON_TARGETS];
} Row;

#define SAME ""
#define NO NULL
#define PY(ID, LEVEL, NUMPY, NUMBA, JAX, TORCH) [OP_##ID] = {LEVEL, {NUMPY, NUMBA, JAX, TORCH}},
static const Row rows[OP_COUNT] = {
#include "emit/python.def"
};
#undef PY

/* ---- constants ---- */

static void put_number(Text *out, const Py *py, const Tensor *t, i64 i)
{
    double x = t->dtype == DT_BOOL || dtype_is_int(t->dtype) ? 0 : tensor_f64_at(t, i);
    if (t->dtype == DT_BOOL)
        text_put(out, tensor_i64_at(t, i) ? "True" : "False");
    else if (dtype_is_int(t->dtype))
        text_printf(out, "%lld", (long long)tensor_i64_at(t, i));
    else if (isnan(x))
        text_printf(out, "%s.nan", py_library(py));
    else if (isinf(x))
        text_printf(out, "%s%s.inf", x < 0 ? "-" : "", py_library(py));
    else if (t->dtype == DT_F32)
        text_float(out, (float)x);
    else
        text_double(out, x);
}

static void put_elements(Text *out, const Py *py, const Tensor *t, int axis, i64 *at)
{
    if (axis == t->rank) {
        put_number(out, py, t, (*at)++);
        return;
    }
    text_putc(out, '[');
    for (i64 k = 0; k < t->shape[axis]; k++) {
        text_put(out, k ? ", " : "");
        put_elements(out, py, t, axis + 1, at);
    }
    text_putc(out, ']');
}

static bool is_uniform(const Tensor *t)
{
    size_t size = dtype_size(t->dtype);
    for (i64 i = 1; i < t->count; i++)
        if (memcmp(t->data, (const char *)t->data + (size_t)i * size, size) != 0)
            return false;
    return t->count > 1;
}

static void put_shape(Text *out, const Tensor *t)
{
    text_putc(out, '(');
    for (int a = 0; a < t->rank; a++)
        text_printf(out, "%s%lld", a ? ", " : "", (long long)t->shape[a]);
    text_put(out, t->rank == 1 ? ",)" : ")");
}

const char *constant_said(Scope *s, const Tensor *t, bool bare)
{
    const Py *py = s->py;
    const char *lib = py_library(py), *dtype = py_dtype(py, t->dtype);
    const char *array = is_for(s, PYTHON_TORCH) ? "tensor" : "array";
    /* NumPy and Numba would compute with f64 and i64 else. */
    bool plain = t->dtype != DT_F32 && t->dtype != DT_I32;
    bare = bare && (plain || is_for(s, PYTHON_JAX) || is_for(s, PYTHON_TORCH));
    Text out = {0};
    if (!t->rank && (bare || !is_for(s, PYTHON_TORCH)) && (plain || bare)) {
        put_number(&out, py, t, 0);
    } else if (!t->rank && !is_for(s, PYTHON_TORCH)) {
        text_printf(&out, "%s(", dtype);
        put_number(&out, py, t, 0);
        text_putc(&out, ')');
    } else if (t->rank && (is_uniform(t) || !t->count)) {
        text_printf(&out, "%s.full(", lib);
        put_shape(&out, t);
        text_put(&out, ", ");
        if (t->count)
            put_number(&out, py, t, 0);
        else
            text_put(&out, "0");
        text_printf(&out, ", dtype=%s)", dtype);
    } else {
        text_printf(&out, "%s.%s(", lib, array);
        put_elements(&out, py, t, 0, &(i64){0});
        text_printf(&out, ", dtype=%s)", dtype);
    }
    const char *text = py_text(s->py, "%s", text_str(&out));
    text_free(&out);
    return text;
}

/* ---- operands ---- */

/* Bools count as integers in arithmetic; for NumPy their sum is a bool, and their product. */
static bool counts_bools(const Node *n, const Node *x)
{
    bool counts =
        op_is_elementwise(n->op) || n->op == OP_MATMUL || n->op == OP_ARGMAX || n->op == OP_ARGMIN;
    return counts && n->op != OP_WHERE && node_dtype(x) == DT_BOOL && n->type->dtype != DT_BOOL;
}

static const char *operand(Scope *s, const Node *n, u32 i, int level)
{
    Node *x = n->ops[i];
    bool torch = is_for(s, PYTHON_TORCH);
    if (counts_bools(n, x)) {
        const char *text = said_at(s, x, torch ? CALL : ANYTHING);
        return torch ? py_text(s->py, "%s.to(torch.int64)", text)
                     : py_text(s->py, "%s.asarray(%s).astype(%s)", py_library(s->py), text,
                               py_dtype(s->py, DT_I64));
    }
    if (x->op == OP_CONST && !x->type->rank && torch && (level == ANYTHING || level == CALL))
        return constant_said(s, x->attrs[0].value, false);
    return said_at(s, x, level);
}

const char *axes_said(Py *py, const IntList *axes)
{
    if (axes->n == 1)
        return py_text(py, "%lld", (long long)axes->at[0]);
    Text t = {0};
    for (u32 i = 0; i < axes->n; i++)
        text_printf(&t, "%s%lld", i ? ", " : "(", (long long)axes->at[i]);
    const char *text = py_text(py, "%s)", axes->n ? text_str(&t) : "(");
    text_free(&t);
    return text;
}

/* ---- words in braces ---- */

typedef struct {
    Scope *s;
    Node *n;
    int level;
    bool
        backwards; /* from the last element to the first: what is read and the result are flipped */
    const char *lacks; /* why the target cannot say this node */
} Filling;

static const IntList *axes_of(const Node *n)
{
    int i = op_attr_index(n->op, "axes");
    return i >= 0 ? n->attrs[i].ints : NULL;
}

static bool over_all(const Node *n)
{
    const IntList *axes = axes_of(n);
    return axes && (i64)axes->n == n->ops[0]->type->rank;
}

static const char *all_axes(Py *py, int rank)
{
    Text t = {0};
    for (int a = 0; a < rank; a++)
        text_printf(&t, "%s%d", a ? ", " : "", a);
    const char *text = py_text(py, rank == 1 ? "(%s,)" : "(%s)", text_str(&t));
    text_free(&t);
    return text;
}

static const char *along(Filling *f, const char *word)
{
    Py *py = f->s->py;
    const IntList *axes = axes_of(f->n);
    int rank = f->n->ops[0]->type->rank;
    bool all = axes && over_all(f->n);
    if (strcmp(word, "vector") == 0) {
        f->lacks = rank == 1 ? f->lacks : "only for vectors";
        return "";
    }
    if (strcmp(word, "whole") == 0) {
        f->lacks = all ? f->lacks : "only over all axes";
        return "";
    }
    if (strcmp(word, "dim1") == 0) {
        f->lacks = all || (axes && axes->n == 1) ? f->lacks : "over one axis or all of them";
        return all ? "" : py_text(py, ", dim=%s", axes_said(py, axes));
    }
    if (strcmp(word, "dim") == 0)
        return !rank ? "" : py_text(py, ", dim=%s", all ? all_axes(py, rank) : axes_said(py, axes));
    return all ? "" : py_text(py, ", axis=%s", axes_said(py, axes));
}

static const char *all_operands(Filling *f, const char *between, int level)
{
    Text t = {0};
    for (u32 i = 0; i < f->n->nops; i++)
        text_printf(&t, "%s%s", i ? between : "",
                    operand(f->s, f->n, i, i && level ? level + 1 : level));
    const char *text = py_text(f->s->py, "%s", text_str(&t));
    text_free(&t);
    return text;
}

static const char *sizes(Filling *f)
{
    const Node *n = f->n;
    bool torch = is_for(f->s, PYTHON_TORCH);
    u32 first = (u32)op_table[n->op].min_ops, count = n->nops - first;
    Text t = {0};
    for (u32 i = first; i < n->nops; i++)
        text_printf(&t, torch && n->ops[i]->op != OP_CONST ? "%sint(%s)" : "%s%s",
                    i > first ? ", " : "", said_at(f->s, n->ops[i], ANYTHING));
    const char *text = py_text(f->s->py, count == 1 ? "(%s,)" : "(%s)", text_str(&t));
    text_free(&t);
    return text;
}

static const char *attribute(Filling *f, const char *word)
{
    const Node *n = f->n;
    int i = op_attr_index(n->op, word);
    if (i < 0)
        die("python.def: {%s} of %s", word, op_table[n->op].name);
    if (op_attr_kind(n->op, i) == 'I')
        return axes_said(f->s->py, n->attrs[i].ints);
    if (op_attr_kind(n->op, i) == 'b')
        return n->attrs[i].i ? "True" : "False";
    return py_text(f->s->py, "%lld", (long long)n->attrs[i].i);
}

static const char *flipped(Filling *f, const char *text)
{
    long long axis = f->n->attrs[op_attr_index(f->n->op, "axis")].i;
    return is_for(f->s, PYTHON_TORCH) ? py_text(f->s->py, "torch.flip(%s, (%lld,))", text, axis)
           : is_for(f->s, PYTHON_NUMBA)
               ? py_text(f->s->py, "np.flip(%s)", text)
               : py_text(f->s->py, "%s.flip(%s, %lld)", py_library(f->s->py), text, axis);
}

static const char *filled(Filling *f, const char *word)
{
    static const char *const ways[] = {"along", "dim", "dim1", "whole", "vector"};
    if (*word >= '0' && *word <= '9') {
        int level = word[1] == 'l'   ? f->level
                    : word[1] == 'r' ? f->level + (f->level < UNARY)
                    : word[1] == '.' ? CALL
                                     : ANYTHING;
        const char *text = operand(f->s, f->n, (u32)(*word - '0'), level);
        return f->backwards ? flipped(f, text) : text;
    }
    for (size_t i = 0; i < COUNT_OF(ways); i++)
        if (strcmp(word, ways[i]) == 0)
            return along(f, word);
    if (strncmp(word, "chain", 5) == 0)
        return all_operands(f, word + 5, f->level);
    if (strcmp(word, "x*") == 0)
        return all_operands(f, ", ", ANYTHING);
    if (strcmp(word, "sizes") == 0)
        return sizes(f);
    return attribute(f, word);
}

static bool begins_library(const char *text, const char *at)
{
    return strncmp(at, "np.", 3) == 0 && (at == text || !(at[-1] == '_' || at[-1] == 'j'));
}

static const char *fill(Filling *f, const char *row)
{
    Text out = {0};
    bool jax = is_for(f->s, PYTHON_JAX);
    for (const char *c = row; *c; c++) {
        const char *end = *c == '{' ? strchr(c, '}') : NULL;
        if (end) {
            text_put(&out, filled(f, py_text(f->s->py, "%.*s", (int)(end - c - 1), c + 1)));
            c = end;
        } else {
            text_put(&out, jax && begins_library(row, c) ? "j" : "");
            text_putc(&out, *c);
        }
    }
    const char *text = py_text(f->s->py, "%s", text_str(&out));
    text_free(&out);
    return text;
}

/* Numba sums over one axis at a time. */
static const char *nested_sums(Scope *s, const Node *n)
{
    const IntList *axes = axes_of(n);
    const char *text = said_at(s, n->ops[0], ANYTHING);
    if (over_all(n))
        return py_text(s->py, "np.sum(%s)", text);
    for (u32 i = axes->n; i-- > 0;)
        text = py_text(s->py, "np.sum(%s, axis=%lld)", text, (long long)axes->at[i]);
    return text;
}

bool say_by_row(Scope *s, Node *n, bool *failed)
{
    const Row *row = &rows[n->op];
    const char *text = row->texts[s->py->target];
    if (!row->level || !text)
        return false;
    if (!*text)
        text = row->texts[PYTHON_NUMPY];
    if (*text == '=') {
        py_say_through(s, n, n->ops[text[1] - '0']);
        return true;
    }
    if (n->op == OP_SUM && is_for(s, PYTHON_NUMBA)) {
        py_say(s, n, nested_sums(s, n), CALL);
        return true;
    }
    Filling f = {.s = s, .n = n, .level = row->level};
    int reverse = op_attr_index(n->op, "reverse");
    f.backwards = reverse >= 0 && n->attrs[reverse].i;
    const char *said = fill(&f, text);
    if (f.backwards)
        said = flipped(&f, said);
    if (axes_of(n) && !axes_of(n)->n && n->ops[0]->type->rank)
        f.lacks = "over an empty list of axes";
    if (f.lacks)
        return *failed = true, py_cannot(s, n, f.lacks);
    py_say(s, n, said, row->level);
    return true;
}
