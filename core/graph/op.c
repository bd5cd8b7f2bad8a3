/* Operators by name and by sign, and their attributes. */
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

void op_attrs_print(Text *out, OpId op)
{
    for (int i = 0; i < op_table[op].nattrs; i++) {
        const OpAttr *a = &op_table[op].attrs[i];
        text_printf(out, "%s%s:%c", i ? " " : "", a->name, a->kind);
        if (a->optional && a->kind == ATTR_KIND_d)
            text_printf(out, "?%s", dtype_name((DType)a->usual));
        else if (a->optional)
            text_printf(out, "?%lld", (long long)a->usual);
    }
}

int op_attr_index(OpId op, const char *keyword)
{
    for (int i = 0; i < op_attr_count(op); i++) {
        const char *name = op_attr_name(op, i);
        if (!strcmp(name, keyword) || (!strcmp(keyword, "axis") && !strcmp(name, "axes")))
            return i;
    }
    return -1;
}

bool op_attr_default(OpId op, int i, i64 *value)
{
    if (i >= op_attr_count(op) || !op_table[op].attrs[i].optional)
        return false;
    *value = op_table[op].attrs[i].usual;
    return true;
}

bool node_attr_is_usual(const Node *n, int i)
{
    i64 usual;
    return op_attr_default(n->op, i, &usual) &&
           (op_attr_kind(n->op, i) == 'I' ? !n->attrs[i].ints->n : n->attrs[i].i == usual);
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

bool op_sign(OpId op, bool infix, AstOp *sign)
{
    for (size_t i = 0; i < COUNT_OF(signs); i++)
        if (signs[i].op == op && signs[i].infix == infix) {
            *sign = signs[i].sign;
            return true;
        }
    return false;
}

static const Sign *sign_of(OpId op, bool infix)
{
    AstOp sign;
    return op_sign(op, infix, &sign) ? ast_sign(sign) : NULL;
}

const Sign *op_infix(OpId op) { return sign_of(op, true); }

const char *op_form(OpId op, char out[16])
{
    const Sign *infix = op_infix(op), *prefix = sign_of(op, false);
    out[0] = 0;
    if (infix)
        snprintf(out, 16, "%%0 %s %%1", infix->sign);
    else if (prefix)
        snprintf(out, 16, "%s%s%%0", prefix->sign, op == OP_LOGICAL_NOT ? " " : "");
    return out;
}
