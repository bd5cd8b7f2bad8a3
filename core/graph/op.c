/* Operators by name, and attributes read off the schema "axes:I keepdims:b". */
#include "graph/op.h"

const char *class_name(OpClass c)
{
    static const char *const names[CLASS_COUNT] = {
        "structural", "control", "implicit", "elementwise", "composite",
        "reduce",     "shape",   "index",    "linalg",      "random",
    };
    return (unsigned)c < CLASS_COUNT ? names[c] : "?";
}

OpId op_by_name(const char *name)
{
    for (int op = 0; op < OP_COUNT; op++)
        if (!strcmp(op_table[op].name, name))
            return (OpId)op;
    return OP_COUNT;
}

int op_attr_count(OpId op)
{
    int count = 0;
    for (const char *s = op_table[op].schema; *s; s++)
        count += *s == ':';
    return count;
}

/* The i-th "name:kind"; NULL if there is none. */
static const char *schema_item(OpId op, int i)
{
    const char *s = op_table[op].schema;
    while (s && i-- > 0) {
        s = strchr(s, ' ');
        if (s)
            s++;
    }
    return s && *s ? s : NULL;
}

char op_attr_kind(OpId op, int i)
{
    const char *s = schema_item(op, i);
    const char *colon = s ? strchr(s, ':') : NULL;
    return colon ? colon[1] : 0;
}

void op_attr_name(OpId op, int i, char out[32])
{
    const char *s = schema_item(op, i);
    size_t n = s ? strcspn(s, ":") : 0;
    n = n < 31 ? n : 31;
    if (n)
        memcpy(out, s, n);
    out[n] = 0;
}

int op_attr_index(OpId op, const char *keyword)
{
    char name[32];
    for (int i = 0; i < op_attr_count(op); i++) {
        op_attr_name(op, i, name);
        if (!strcmp(name, keyword) || (!strcmp(keyword, "axis") && !strcmp(name, "axes")))
            return i;
    }
    return -1;
}

bool op_attr_default(OpId op, int i, i64 *value)
{
    const char *s = schema_item(op, i), *end = s ? s + strcspn(s, " ") : NULL;
    const char *mark = s ? strchr(s, '?') : NULL;
    if (!mark || mark >= end)
        return false;
    *value = strtoll(mark + 1, NULL, 10);
    return true;
}

bool type_has_floats(const Type *t)
{
    if (t->kind == TYPE_TENSOR)
        return dtype_is_float(t->dtype);
    for (int i = 0; i < t->nitems; i++)
        if (type_has_floats(t->items[i]))
            return true;
    return false;
}

/* ---- signs ---- */

static const struct {
    AstOp sign;
    OpId op;
    bool infix;
} signs[] = {
#define INFIX(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR) {AST_##TREE, OP_##OPERATOR, true},
#define WORD INFIX
#define PREFIX(TREE, TOKEN, SIGN, LEVEL, OPERAND, OPERATOR) {AST_##TREE, OP_##OPERATOR, false},
#include "syntax/syntax.def"
};

OpId op_of_sign(AstOp sign)
{
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (signs[i].sign == sign)
            return signs[i].op;
    return OP_COUNT;
}

static const Sign *sign_of(OpId op, bool infix)
{
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (signs[i].op == op && signs[i].infix == infix)
            return ast_sign(signs[i].sign);
    return NULL;
}

const Sign *op_infix(OpId op) { return sign_of(op, true); }
const Sign *op_prefix(OpId op) { return sign_of(op, false); }

const char *op_form(OpId op, char out[16])
{
    const Sign *infix = op_infix(op), *prefix = op_prefix(op);
    out[0] = 0;
    if (infix)
        snprintf(out, 16, "%%0 %s %%1", infix->sign);
    else if (prefix)
        snprintf(out, 16, "%s%s%%0", prefix->sign, op == OP_LOGICAL_NOT ? " " : "");
    return out;
}
