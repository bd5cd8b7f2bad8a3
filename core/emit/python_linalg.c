/* Products and factorisations of matrices.
 *
 * Invariant: Numba has them for one matrix of floats only, so there batches, and products of whole
 * numbers, go through loops over lanes (helpers.def); the other targets know batches. */
#include "emit/python.h"

#include "graph/op.h"

static const char *leading_axis(Py *py, const char *x, int axis)
{
    return py_text(py, "np.expand_dims(%s, %d)", x, axis);
}

/* An operand as a batch of matrices: a vector is a row on the left and a column on the right. */
static const char *as_lanes(Scope *s, const Node *n, int side)
{
    const Node *x = n->ops[side];
    const char *text = said_at(s, x, ANYTHING);
    if (x->type->rank == 1)
        text = leading_axis(s->py, text, side);
    return x->type->rank <= 2 ? leading_axis(s->py, text, 0) : text;
}

/* What takes the axes of vectors away from the product again; `lone` if there is no batch. */
static const char *without_vectors(const Node *n, bool lone)
{
    bool row = n->ops[0]->type->rank == 1, column = n->ops[1]->type->rank == 1;
    if (lone)
        return row && column ? "[0, 0, 0]" : row ? "[0, 0]" : column ? "[0, :, 0]" : "[0]";
    return row ? "[..., 0, :]" : column ? "[..., 0]" : "";
}

bool py_matmul(Scope *s, Node *n)
{
    Node *a = n->ops[0], *b = n->ops[1];
    Node *batch = a->type->rank > 2 ? a : b->type->rank > 2 ? b : NULL;
    bool failed = false, whole = !dtype_is_float(n->type->dtype);
    if (!is_for(s, PYTHON_NUMBA) || !(batch || whole))
        return say_by_row(s, n, &failed) || (!failed && py_cannot(s, n, NULL));
    const char *lanes =
        batch ? py_text(s->py, "%s.shape[:-2]", said_by_name(s, batch, "a")) : "(1,)";
    const char *text =
        py_text(s->py, "%s(%s, %s, %s)%s", whole ? "matmul_whole" : "matmul_lanes",
                as_lanes(s, n, 0), as_lanes(s, n, 1), lanes, without_vectors(n, !batch));
    if (n->type->dtype == DT_I32)
        text = n->type->rank ? py_text(s->py, "%s.astype(np.int32)", text)
                             : py_text(s->py, "np.int32(%s)", text);
    py_say(s, n, text, CALL);
    return true;
}

/* Numba's function of a batch has the operator's name and `_lanes`. */
bool py_by_lanes(Scope *s, Node *n)
{
    bool failed = false;
    if (!is_for(s, PYTHON_NUMBA) || n->ops[0]->type->rank == 2)
        return say_by_row(s, n, &failed) || (!failed && py_cannot(s, n, NULL));
    Text t = {0};
    for (u32 i = 0; i < n->nops; i++)
        text_printf(&t, "%s%s", i ? ", " : "", said_at(s, n->ops[i], ANYTHING));
    py_say(s, n, py_text(s->py, "%s_lanes(%s)", op_table[n->op].name, text_str(&t)), CALL);
    text_free(&t);
    return true;
}

bool py_slogdet(Scope *s, Node *n)
{
    const char *x = said_at(s, n->ops[0], ANYTHING);
    bool lanes = is_for(s, PYTHON_NUMBA) && n->ops[0]->type->rank > 2;
    py_say(s, n,
           lanes ? py_text(s->py, "slogdet_lanes(%s)", x)
                 : py_text(s->py, "%s.linalg.slogdet(%s)", py_library(s->py), x),
           CALL);
    said_by_name(s, n, "v");
    return true;
}

/* What has several results is one name. */
bool py_several(Scope *s, Node *n)
{
    bool failed = false;
    if (!say_by_row(s, n, &failed))
        return !failed &&
               py_cannot(s, n, py_text(s->py, "it has no function `%s`", op_table[n->op].name));
    said_by_name(s, n, "v");
    return true;
}

/* The last two axes exchanged. */
static const char *turned(Scope *s, const Node *x, const char *text)
{
    int rank = x->type->rank;
    if (rank == 2)
        return py_text(s->py, "%s.T", text);
    if (is_for(s, PYTHON_TORCH))
        return py_text(s->py, "%s.mT", text);
    if (!is_for(s, PYTHON_NUMBA))
        return py_text(s->py, "%s.swapaxes(%s, -1, -2)", py_library(s->py), text);
    Text axes = {0};
    for (int a = 0; a < rank - 2; a++)
        text_printf(&axes, "%d, ", a);
    const char *out =
        py_text(s->py, "%s.transpose((%s%d, %d))", text, text_str(&axes), rank - 1, rank - 2);
    text_free(&axes);
    return out;
}

bool py_solve_triangular(Scope *s, Node *n)
{
    const char *lib = py_library(s->py), *a = said_at(s, n->ops[0], ANYTHING);
    bool lower = n->attrs[0].i, trans = n->attrs[1].i, unit = n->attrs[2].i;
    bool lanes = is_for(s, PYTHON_NUMBA) && n->ops[0]->type->rank > 2;
    if (unit)
        return py_cannot(s, n, "a unit diagonal");
    a = py_text(s->py, "%s.%s(%s)", lib, lower ? "tril" : "triu", a);
    if (trans)
        a = turned(s, n->ops[0], a);
    const char *solve = lanes ? "solve_lanes" : py_text(s->py, "%s.linalg.solve", lib);
    py_say(s, n, py_text(s->py, "%s(%s, %s)", solve, a, said_at(s, n->ops[1], ANYTHING)), CALL);
    return true;
}
