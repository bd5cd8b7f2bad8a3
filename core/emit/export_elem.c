/* Elementwise operators and reductions in C.
 *
 * Invariant: an elementwise array is an expression of one element until something needs it whole.
 */
#include "emit/export_write.h"
#include "ops/fused.h"
#include "ops/ops.h"

#include <ctype.h>

/* ---- functions that C's library has by another name, or not ---- */

static const struct {
    const char *ours, *c; /* NULL: a helper of our name, or none */
} functions[] = {{"round", "rint"}, {"exp2", "exp2"}};

static void put_casts(Text *out) { text_put(out, cast_helpers()); }

static const struct {
    const char *name;
    void (*put)(Text *out); /* or NULL: the text */
    const char *text;
} helpers[] = {
    {"philox", put_philox, NULL},
    {"extremes", put_extremes, NULL},
    {"special", put_special, NULL},
    {"sorts", put_sorts, NULL},
    {"sorts_u8", NULL, "DEFINE_SORTS(u8)\n"},
    {"sorts_i32", NULL, "DEFINE_SORTS(i32)\n"},
    {"sorts_i64", NULL, "DEFINE_SORTS(i64)\n"},
    {"sorts_float", NULL, "DEFINE_SORTS(float)\n"},
    {"sorts_double", NULL, "DEFINE_SORTS(double)\n"},
    {"sigmoid", NULL,
     "static double sigmoid(double x)\n{\n    const double e = exp(x < 0 ? x : -x);\n"
     "    return (x >= 0 ? 1 : e) / (1 + e);\n}\n"},
    {"softplus", NULL,
     "static double softplus(double x) { return (x > 0 ? x : 0) + log1p(exp(x < 0 ? x : -x)); }\n"},
    {"rsqrt", NULL, "static double rsqrt(double x) { return 1 / sqrt(x); }\n"},
    {"log1mexp", NULL,
     "static double log1mexp(double x)\n{\n"
     "    return x > -0.6931471805599453 ? log(-expm1(x)) : log1p(-exp(x));\n}\n"},
    {"logaddexp", NULL,
     "static double logaddexp(double x, double z)\n{\n"
     "    return x == z ? x + 0.6931471805599453 : (x > z ? x : z) + log1p(exp(x < z ? x - z : z - "
     "x));\n}\n"},
    {"xlogy", NULL,
     "static double xlogy(double x, double z) { return x == 0 && z == z ? 0 : x * log(z); }\n"},
    {"float_mod", NULL,
     "static double float_mod(double x, double z)\n{\n    const double m = fmod(x, z);\n"
     "    return z == 0 ? m : m == 0 ? copysign(0, z) : (z < 0) != (m < 0) ? m + z : m;\n}\n"},
    {"float_floordiv", NULL,
     "static double float_floordiv(double x, double z)\n{\n    if (z == 0)\n        return x / z;\n"
     "    const double m = fmod(x, z);\n"
     "    const double q = (x - m) / z - (m != 0 && (z < 0) != (m < 0));\n"
     "    const double f = floor(q);\n"
     "    return q == 0 ? copysign(0, x / z) : q - f > 0.5 ? f + 1 : f;\n}\n"},
    {"floordiv", NULL,
     "static i64 floordiv(i64 x, i64 z)\n{\n    return z == 0 ? 0 : z == -1 ? (i64)(0 - (u64)x) : "
     "x / z - (x % z != 0 && (x < 0) != (z < 0));\n}\n"},
    {"mod", NULL,
     "static i64 mod(i64 x, i64 z)\n{\n    const i64 m = z == 0 || z == -1 ? 0 : x % z;\n"
     "    return m != 0 && (m < 0) != (z < 0) ? m + z : m;\n}\n"},
    {"power", NULL,
     "static i64 power(i64 x, i64 z)\n{\n    u64 y = 1;\n"
     "    for (u64 square = (u64)x, e = (u64)z; e; e >>= 1, square *= square)\n"
     "        y *= e & 1 ? square : 1;\n    return (i64)y;\n}\n"},
    {"shift_left", NULL,
     "static i64 shift_left(i64 x, i64 z) { return (i64)((u64)x << (z & 63)); }\n"},
    {"shift_right", NULL,
     "static i64 shift_right(i64 x, i64 z) { return x < 0 ? (i64)~(~(u64)x >> (z & 63)) : x >> (z "
     "& 63); }\n"},
    {"larger", NULL, "static i64 larger(i64 x, i64 z) { return x > z ? x : z; }\n"},
    {"smaller", NULL, "static i64 smaller(i64 x, i64 z) { return x < z ? x : z; }\n"},
#include "emit/export_matrices.def"
    {"saturate", put_casts, NULL}};

void use_helper(CWriter *w, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(helpers); i++)
        if (!strcmp(helpers[i].name, name))
            w->helpers[i] = true;
}

bool uses_helper(const CWriter *w, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(helpers); i++)
        if (!strcmp(helpers[i].name, name))
            return w->helpers[i];
    return false;
}

void put_helpers(const CWriter *w, Text *out)
{
    for (size_t i = 0; i < COUNT_OF(helpers); i++)
        if (w->helpers[i]) {
            text_putc(out, '\n');
            if (helpers[i].put)
                helpers[i].put(out);
            else
                text_put(out, helpers[i].text);
        }
}

bool is_helper(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(helpers); i++)
        if (!strcmp(helpers[i].name, name))
            return true;
    return false;
}

/* Functions of kernels_math.c, which are written into the file (export_random.c). */
static const char *special_function(CWriter *w, ElemId id)
{
    const char *name = elem_function(id);
    if (!name || strncmp(name, "math_", 5))
        return NULL;
    use_helper(w, "special");
    return name;
}

/* The C function for an operator on floats; NULL: there is none. */
static const char *float_function(CWriter *w, ElemId id)
{
    static const char *const library[] = {
        "exp",  "exp2",   "expm1", "log",   "log2",  "log10", "log1p", "sin",   "cos",   "tan",
        "asin", "acos",   "atan",  "sinh",  "cosh",  "tanh",  "asinh", "acosh", "atanh", "erf",
        "erfc", "lgamma", "pow",   "atan2", "hypot", "floor", "ceil",  "trunc"};
    const char *name = elem_info(id)->name;
    name = id == EL_FLOORDIV ? "float_floordiv" : id == EL_MOD ? "float_mod" : name;
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        if (!strcmp(functions[i].ours, name))
            return functions[i].c;
    for (size_t i = 0; i < COUNT_OF(library); i++)
        if (!strcmp(library[i], name))
            return library[i];
    if (!is_helper(name))
        return special_function(w, id);
    use_helper(w, name);
    return name;
}

/* ---- expressions ---- */

typedef struct {
    const char *text;
    int prec;
} Expr;

static const struct {
    const char *text;
    int prec, left, right;
} signs[] = {
#define SIGN(TEXT, LEVEL, LEFT, RIGHT) {TEXT, LEVEL, LEFT, RIGHT},
#include "emit/c_signs.def"
#undef SIGN
};

/* Integers do not overflow in C as they do here: they wrap. Where an operand occurs twice it is a
 * name. */
static bool repeats(const char *text, char letter)
{
    int n = 0;
    for (const char *s = text; *s; s++)
        n += *s == letter && (s == text || !isalnum((unsigned char)s[-1])) &&
             !isalnum((unsigned char)s[1]);
    return n > 1;
}

/* minimum and maximum of floats are functions; of integers they are not. */
static bool is_extreme(const char *text)
{
    return !strncmp(text, "minimum_", 8) || !strncmp(text, "maximum_", 8);
}

static Expr apply_text(CWriter *w, const char *text, DType d, Expr x, Expr z)
{
    Expr e = {"", PREC_OTHER};
    int left = PREC_ATOM, right = PREC_ATOM;
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (!strcmp(signs[i].text, text))
            e.prec = signs[i].prec, left = signs[i].left, right = signs[i].right;
    if (!strncmp(text, "sqrt", 4) || !strncmp(text, "rint", 4) ||
        strstr(text, "(x)") == text + strlen(text) - 3)
        e.prec = PREC_ATOM, left = PREC_OTHER;
    if (is_extreme(text)) {
        use_helper(w, "extremes");
        e.prec = PREC_ATOM, left = right = PREC_OTHER;
    }
    if (!strncmp(text, "1 / sqrt", 8) || text[0] == '(')
        e.prec = PREC_OTHER;
    Text out = {0};
    elem_put(&out, text, d, wrapped(w, x.text, x.prec, left), wrapped(w, z.text, z.prec, right));
    e.text = word(w, "%s", text_str(&out));
    text_free(&out);
    return e;
}

static Expr call_text(CWriter *w, const Node *n, ElemId id, DType d, Expr x, Expr z)
{
    const char *f = dtype_is_float(d)            ? float_function(w, id)
                    : d != DT_I64 && d != DT_I32 ? NULL
                    : id == EL_FLOORDIV          ? "floordiv"
                    : id == EL_MOD               ? "mod"
                    : id == EL_POW               ? "power"
                    : id == EL_LEFT_SHIFT        ? "shift_left"
                    : id == EL_RIGHT_SHIFT       ? "shift_right"
                                                 : NULL;
    if (!f) {
        cannot(w, n, "`%s` is not defined for %s", elem_info(id)->name, dtype_name(d));
        return x;
    }
    if (!dtype_is_float(d))
        use_helper(w, f);
    bool one = elem_info(id)->arity == 1;
    const char *cast = d == DT_F32 ? "(float)" : d == DT_I32 ? "(i32)" : "";
    return (Expr){one ? word(w, "%s%s(%s)", cast, f, x.text)
                      : word(w, "%s%s(%s, %s)", cast, f, x.text, z.text),
                  PREC_ATOM};
}

static Expr apply(CWriter *w, const Node *n, ElemId id, DType d, Expr x, Expr z)
{
    if (id == EL_ABS && dtype_is_float(d))
        return apply_text(w, d == DT_F64 ? "fabs(x)" : "fabsf(x)", d, x, z);
    char buffer[128];
    const char *text = elem_text(id, d, buffer, sizeof buffer);
    if (id == EL_LOGICAL_AND && (!strcmp(x.text, "0") || !strcmp(z.text, "0")))
        return (Expr){"0", PREC_ATOM};
    if (!text)
        return call_text(w, n, id, d, x, z);
    bool plain_int = d == DT_I64 && (id == EL_ADD || id == EL_SUB || id == EL_MUL);
    return apply_text(w,
                      plain_int ? (id == EL_ADD   ? "x + z"
                                   : id == EL_SUB ? "x - z"
                                                  : "x * z")
                                : text,
                      d, x, z);
}

/* ---- operands ---- */

/* The array operand that gives the shape; NULL: all are scalars. */
static const CValue *shape_like(CWriter *w, CScope *s, Node *n)
{
    const CValue *like = NULL;
    const Type *type = NULL;
    for (u32 k = 0; k < n->nops; k++) {
        const CValue *v = need(w, s, n->ops[k]);
        for (int a = 0; like && a < v->rank; a++) /* not proved when it was built */
            if (n->ops[k]->type->dims[a] != type->dims[a] && strcmp(v->dim[a], like->dim[a])) {
                line(w, "if (%s != %s) {", v->dim[a], like->dim[a]);
                line(w, "    error = \"shapes do not match\";");
                line(w, "    goto end;");
                line(w, "}");
            }
        if (v->rank && !like) {
            like = v;
            type = n->ops[k]->type;
        }
    }
    return like;
}

/* An operand that is to occur in a loop, or twice, is a name. */
static Expr operand(CWriter *w, CScope *s, Node *x, bool loop, bool twice)
{
    CValue *v = need(w, s, x);
    bool plain = v->prec == PREC_ATOM && !strchr(v->text, '(');
    bool long_one = strlen(v->text) > 12;
    if (v->rank && v->element && twice && long_one)
        v = need_array(w, s, x);
    if (!v->rank && !plain && (loop || (twice && long_one))) {
        const char *name = name_for(w, s, x);
        line(w, "const %s %s = %s;", c_type(v->dtype), name, v->text);
        v = scalar_value(w, v->dtype, name, PREC_ATOM);
        bind(s, x, v);
    }
    return (Expr){element_of(w, v), v->rank && !v->element ? PREC_ATOM : v->prec};
}

/* `many`: how many there are of an array; NULL: it is one number. */
static void check_divisor(CWriter *w, ElemId id, int bits, const char *many, Expr z)
{
    bool shift = id == EL_LEFT_SHIFT || id == EL_RIGHT_SHIFT;
    const char *text = wrapped(w, z.text, z.prec, PREC_ATOM);
    const char *bad = shift          ? word(w, "%s < 0 || %s >= %d", text, text, bits)
                      : id == EL_POW ? word(w, "%s < 0", text)
                                     : word(w, "%s == 0", text);
    if (many)
        line(w, "for (i64 i = 0; i < %s; i++)", many);
    w->depth += many != NULL;
    line(w, "if (%s) {", bad);
    line(w, "    error = \"%s\";",
         kstatus_text(shift          ? K_SHIFT_RANGE
                      : id == EL_POW ? K_NEGATIVE_EXPONENT
                                     : K_ZERO_DIVISOR));
    line(w, "    goto end;");
    line(w, "}");
    w->depth -= many != NULL;
}

static Expr fold_operands(CWriter *w, CScope *s, Node *n, bool loop)
{
    ElemId id = (ElemId)((int)n->op - (int)OP_NEG);
    DType d = node_dtype(n->ops[0]);
    char buffer[128];
    const char *text = elem_text(id, d, buffer, sizeof buffer);
    Expr x = operand(w, s, n->ops[0], loop, text && repeats(text, 'x'));
    if (n->nops == 1)
        return apply(w, n, id, d, x, (Expr){"", PREC_ATOM});
    for (u32 k = 1; k < n->nops; k++) {
        Expr z = operand(w, s, n->ops[k], loop, text && repeats(text, 'z'));
        const CValue *v = need(w, s, n->ops[k]);
        i64 divisor, bits = d == DT_I32 ? 32 : 64;
        if ((d == DT_I64 || d == DT_I32) && elem_info(id)->may_fail &&
            !(node_const_i64(n->ops[k], &divisor) && divisor > 0 && divisor < bits))
            check_divisor(w, id, (int)bits, v->rank ? count_of(w, v, 0, v->rank) : NULL, z);
        x = apply(w, n, id, d, x, z);
    }
    return x;
}

CValue *write_elementwise(CWriter *w, CScope *s, Node *n)
{
    if (!op_is_elementwise(n->op))
        return NULL;
    const CValue *like = shape_like(w, s, n);
    Expr e;
    if (n->op == OP_WHERE) {
        Expr c = operand(w, s, n->ops[0], like, false), a = operand(w, s, n->ops[1], like, false),
             b = operand(w, s, n->ops[2], like, false);
        bool known = !strcmp(c.text, "0") || !strcmp(c.text, "1");
        if (known)
            e = *c.text == '1' ? a : b;
        else
            e = (Expr){word(w, "%s ? %s : %s", wrapped(w, c.text, c.prec, PREC_SUM),
                            wrapped(w, a.text, a.prec, PREC_SUM),
                            wrapped(w, b.text, b.prec, PREC_SUM)),
                       PREC_OTHER};
    } else if (n->op == OP_CAST) {
        Expr x = operand(w, s, n->ops[0], like, false);
        Text t = {0};
        DType from = node_dtype(n->ops[0]), to = node_dtype(n);
        cast_put(&t, from, to, wrapped(w, x.text, x.prec, PREC_ATOM));
        if (dtype_is_float(from) && dtype_is_int(to))
            use_helper(w, "saturate");
        e = (Expr){word(w, "%s", text_str(&t)), to == DT_BOOL ? PREC_OTHER : PREC_ATOM};
        text_free(&t);
    } else {
        e = fold_operands(w, s, n, like != NULL);
    }
    CValue *v = scalar_value(w, node_dtype(n), e.text, e.prec);
    if (like) {
        v->rank = like->rank;
        v->element = true;
        memcpy(v->dim, like->dim, sizeof v->dim);
    }
    return v;
}

/* ---- reductions ---- */

static const char *start_of(ReduceOp op) { return op == RED_PROD || op == RED_ALL ? "1" : "0"; }

static const char *extreme_start(ReduceOp op, DType d)
{
    bool low = op == RED_MAX;
    return dtype_is_float(d) ? (low ? "-INFINITY" : "INFINITY")
           : d == DT_I64     ? (low ? "INT64_MIN" : "INT64_MAX")
           : d == DT_I32     ? (low ? "INT32_MIN" : "INT32_MAX")
                             : (low ? "0" : "1");
}

/* One more element x for the result y; `first`: y is the first one. */
static void combine(CWriter *w, ReduceOp op, DType d, const char *y, const CValue *v)
{
    const char *x = element_at(w, v, op == RED_ANY || op == RED_ALL ? PREC_SUM : PREC_OTHER);
    switch (op) {
    case RED_SUM: line(w, "%s += %s;", y, x); return;
    case RED_PROD: line(w, "%s *= %s;", y, x); return;
    case RED_ANY: line(w, "%s = %s || %s != 0;", y, y, x); return;
    case RED_ALL: line(w, "%s = %s && %s != 0;", y, y, x); return;
    default: break;
    }
    line(w, "const %s x_ = %s;", c_type(d), x);
    if (dtype_is_float(d))
        line(w, "%s = x_ %c %s || x_ != x_ ? x_ : %s;", y, op == RED_MAX ? '>' : '<', y, y);
    else
        line(w, "%s = x_ %c %s ? x_ : %s;", y, op == RED_MAX ? '>' : '<', y, y);
}

/* Axes in a row become one: (outer, axis, inner). */
static bool axes_of(const Node *n, int rank, int *from, int *to)
{
    const IntList *axes = n->attrs[0].ints;
    *from = axes->n ? (int)axes->at[0] : 0;
    *to = axes->n ? (int)axes->at[axes->n - 1] + 1 : 0;
    for (u32 k = 0; k < axes->n; k++)
        if (axes->at[k] != *from + (i64)k)
            return false;
    return *to <= rank;
}

/* What is there to be shifted by: nothing where it is no number, or none. */
static void settle_peak(CWriter *w, const char *y)
{
    line(w, "%s = %s > -INFINITY ? %s : 0;", y, y, y);
}

static CValue *reduce_all(CWriter *w, CScope *s, Node *n, const CValue *x, ReduceOp op)
{
    const char *name = name_for(w, s, n), *count = count_of(w, x, 0, x->rank);
    DType d = node_dtype(n);
    bool extreme = op == RED_MIN || op == RED_MAX;
    if (extreme)
        line(w, "%s %s = %s;", c_type(d), name, extreme_start(op, d));
    else
        line(w, "%s %s = %s;", c_type(d), name, start_of(op));
    line(w, "for (i64 i = 0; i < %s; i++) {", count);
    w->depth++;
    combine(w, op, d, name, x);
    close_brace(w, "");
    if (n->op == OP_PEAK)
        settle_peak(w, name);
    return scalar_value(w, d, name, PREC_ATOM);
}

static CValue *reduce_some(CWriter *w, CScope *s, Node *n, const CValue *x, ReduceOp op, int from,
                           int to)
{
    const char *dims[MAX_RANK];
    int rank = 0;
    for (int a = 0; a < x->rank; a++)
        if (a < from || a >= to)
            dims[rank++] = x->dim[a];
    DType d = node_dtype(n);
    CValue *y = array_value(w, s, n, d, rank, dims);
    const char *axis = count_of(w, x, from, to), *inner = count_of(w, x, to, x->rank);
    bool extreme = op == RED_MIN || op == RED_MAX;
    line(w, "for (i64 o = 0; o < %s; o++) {", count_of(w, x, 0, from));
    w->depth++;
    line(w, "for (i64 j = 0; j < %s; j++) {", inner);
    w->depth++;
    if (extreme)
        line(w, "%s y_ = %s;", c_type(d), extreme_start(op, d));
    else
        line(w, "%s y_ = %s;", c_type(d), start_of(op));
    line(w, "for (i64 k = 0; k < %s; k++) {", axis);
    w->depth++;
    line(w, "const i64 i = (o * %s + k) * %s + j;", axis, inner);
    combine(w, op, d, "y_", x);
    close_brace(w, "");
    if (n->op == OP_PEAK)
        settle_peak(w, "y_");
    line(w, "%s[o * %s + j] = y_;", y->text, inner);
    close_brace(w, "");
    close_brace(w, "");
    return y;
}

/* Axes that are not neighbours: loops over those that stay, and in them over the others. */
static CValue *reduce_apart(CWriter *w, CScope *s, Node *n, const CValue *x, ReduceOp op)
{
    const IntList *axes = n->attrs[0].ints;
    const char *dims[MAX_RANK], *at[MAX_RANK];
    int rank = 0, kept[MAX_RANK], gone[MAX_RANK], nkept = 0, ngone = 0;
    for (int a = 0; a < x->rank; a++) {
        bool goes = (u32)ngone < axes->n && axes->at[ngone] == a;
        at[a] = word(w, "i%d", a);
        if (goes)
            gone[ngone++] = a;
        else
            kept[nkept++] = a, dims[rank++] = x->dim[a];
    }
    DType d = node_dtype(n);
    CValue *y = array_value(w, s, n, d, rank, dims);
    for (int k = 0; k < nkept; k++) {
        line(w,
             k ? "for (i64 %s = 0; %s < %s; %s++) {" : "for (i64 o = 0, %s = 0; %s < %s; %s++) {",
             at[kept[k]], at[kept[k]], x->dim[kept[k]], at[kept[k]]);
        w->depth++;
    }
    bool extreme = op == RED_MIN || op == RED_MAX;
    line(w, "%s y_ = %s;", c_type(d), extreme ? extreme_start(op, d) : start_of(op));
    for (int k = 0; k < ngone; k++) {
        line(w, "for (i64 %s = 0; %s < %s; %s++) {", at[gone[k]], at[gone[k]], x->dim[gone[k]],
             at[gone[k]]);
        w->depth++;
    }
    line(w, "const i64 i = %s;", place_in(w, x, at));
    combine(w, op, d, "y_", x);
    for (int k = 0; k < ngone; k++)
        close_brace(w, "");
    if (n->op == OP_PEAK)
        settle_peak(w, "y_");
    line(w, "%s[o++] = y_;", y->text);
    for (int k = 0; k < nkept; k++)
        close_brace(w, "");
    return y;
}

/* How many elements each result is of. */
static const char *reduced_count(CWriter *w, const Node *n, const CValue *x)
{
    CValue *v = value_new_c(w, x->dtype, (int)n->attrs[0].ints->n);
    for (int k = 0; k < v->rank; k++)
        v->dim[k] = x->dim[n->attrs[0].ints->at[k]];
    return count_of(w, v, 0, v->rank);
}

static CValue *arg_reduce(CWriter *w, CScope *s, Node *n, const CValue *x)
{
    int axis = (int)n->attrs[0].i, rank = 0;
    const char *dims[MAX_RANK];
    for (int a = 0; a < x->rank; a++)
        if (a != axis)
            dims[rank++] = x->dim[a];
    CValue *y = array_value(w, s, n, DT_I64, rank, dims);
    const char *length = x->dim[axis], *inner = count_of(w, x, axis + 1, x->rank);
    line(w, "for (i64 o = 0; o < %s; o++) {", count_of(w, x, 0, axis));
    w->depth++;
    line(w, "for (i64 j = 0; j < %s; j++) {", inner);
    w->depth++;
    line(w, "const %s *const x_ = %s + o * %s * %s + j;", c_type(x->dtype), x->text, length, inner);
    line(w, "i64 best_ = 0;");
    line(w, "for (i64 k = 1; k < %s; k++) {", length);
    w->depth++;
    line(w, "const %s a_ = x_[k * %s], b_ = x_[best_ * %s];", c_type(x->dtype), inner, inner);
    line(w, "if (a_ %c b_ || (a_ != a_ && b_ == b_))", n->op == OP_ARGMAX ? '>' : '<');
    line(w, "    best_ = k;");
    close_brace(w, "");
    line(w, "%s[o * %s + j] = best_;", y->text, inner);
    close_brace(w, "");
    close_brace(w, "");
    if (rank)
        return y;
    return scalar_value(w, DT_I64, word(w, "%s[0]", y->text), PREC_ATOM);
}

static CValue *cumulate(CWriter *w, CScope *s, Node *n, const CValue *x)
{
    int axis = (int)n->attrs[0].i;
    bool reverse = n->attrs[1].i;
    DType d = node_dtype(n);
    const char *b = n->op == OP_RECURRENCE ? need_array(w, s, n->ops[1])->text : NULL;
    CValue *y = array_value(w, s, n, d, x->rank, x->dim);
    const char *length = x->dim[axis], *inner = count_of(w, x, axis + 1, x->rank);
    line(w, "for (i64 o = 0; o < %s; o++) {", count_of(w, x, 0, axis));
    w->depth++;
    line(w, "for (i64 j = 0; j < %s; j++) {", inner);
    w->depth++;
    line(w, "for (i64 k = 0; k < %s; k++) {", length);
    w->depth++;
    line(w, "const i64 i = (o * %s + %s) * %s + j;", length,
         reverse ? word(w, "%s - 1 - k", length) : "k", inner);
    const char *before =
        word(w, "%s[%s]", y->text,
             word(w, strcmp(inner, "1") ? "i %c %s" : "i %c 1", reverse ? '+' : '-', inner));
    const char *e = element_of(w, x);
    if (b)
        line(w, "%s[i] = k ? %s * %s + %s[i] : %s[i];", y->text, element_at(w, x, PREC_PRODUCT),
             before, b, b);
    else if (n->op == OP_CUMMAX)
        line(w, "%s[i] = k && (%s >= %s || %s != %s) ? %s : %s;", y->text, before,
             element_at(w, x, PREC_SUM), before, before, before, e);
    else if (n->op == OP_CUMSUM)
        line(w, "%s[i] = (k ? %s : 0) + %s;", y->text, before, element_at(w, x, PREC_PRODUCT));
    else
        line(w, "%s[i] = k ? %s * %s : %s;", y->text, before, element_at(w, x, PREC_ATOM), e);
    close_brace(w, "");
    close_brace(w, "");
    close_brace(w, "");
    return y;
}

CValue *write_reduction(CWriter *w, CScope *s, Node *n)
{
    int from, to;
    if (n->op == OP_ARGMAX || n->op == OP_ARGMIN)
        return arg_reduce(w, s, n, need_array(w, s, n->ops[0]));
    if (n->op == OP_CUMSUM || n->op == OP_CUMPROD || n->op == OP_CUMMAX)
        return cumulate(w, s, n, need(w, s, n->ops[0]));
    if (n->op == OP_RECURRENCE)
        return cumulate(w, s, n, need_array(w, s, n->ops[0]));
    if (n->op == OP_PTP) {
        Node *x = n->ops[0], *max = node1(w->st, OP_MAX, n->attrs, x);
        return need(w, s, node2(w->st, OP_SUB, NULL, max, node1(w->st, OP_MIN, n->attrs, x)));
    }
    bool peak = n->op == OP_PEAK;
    if (n->op != OP_SUM && n->op != OP_PROD && n->op != OP_MAX && n->op != OP_MIN &&
        n->op != OP_ANY && n->op != OP_ALL && !peak)
        return NULL;
    const CValue *x = need(w, s, n->ops[0]);
    ReduceOp op = peak ? RED_MAX : reduce_of(n->op);
    bool apart = !axes_of(n, x->rank, &from, &to);
    if ((op == RED_MIN || op == RED_MAX) && !peak && !cannot_fail(w, n)) {
        line(w, "if (%s == 0) {", reduced_count(w, n, x));
        line(w, "    error = \"there is no element to choose from\";");
        line(w, "    goto end;");
        line(w, "}");
    }
    if (apart)
        return reduce_apart(w, s, n, x, op);
    if (from == 0 && to == x->rank)
        return reduce_all(w, s, n, x, op);
    return reduce_some(w, s, n, x, op, from, to);
}
