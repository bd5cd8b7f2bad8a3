/* What NumPy does along axes and by positions, for Numba, which does it for vectors, or not at all.
 *
 * Invariant: a helper (helpers.def) sees the axes that it goes along last, as rows of a matrix; the
 * text around it moves them there and back. */
#include "emit/python.h"

#include "graph/op.h"

/* "x.transpose((0, 2, 1))": axis k of the text is axis order[k] of x. */
static const char *permuted(Py *py, const char *x, int rank, const int *order)
{
    Text t = {0};
    bool moved = false;
    for (int k = 0; k < rank; k++) {
        text_printf(&t, "%s%d", k ? ", " : "", order[k]);
        moved |= order[k] != k;
    }
    const char *text = moved ? py_text(py, "%s.transpose((%s))", x, text_str(&t)) : x;
    text_free(&t);
    return text;
}

/* "(x.shape[0], x.shape[2])" */
static const char *shape_along(Py *py, const char *x, int n, const int *axes)
{
    Text t = {0};
    for (int k = 0; k < n; k++)
        text_printf(&t, "%s%s.shape[%d]", k ? ", " : "", x, axes[k]);
    const char *text = py_text(py, n == 1 ? "(%s,)" : "(%s)", text_str(&t));
    text_free(&t);
    return text;
}

/* order: the axes that stay, then those of n; back: where each is found again. How many stay. */
static int order_of(const Node *n, int rank, int *order, int *back)
{
    int axes = op_attr_index(n->op, "axes"), axis = op_attr_index(n->op, "axis"), kept = 0;
    bool gone[MAX_RANK] = {false};
    for (u32 i = 0; axes >= 0 && i < n->attrs[axes].ints->n; i++)
        gone[n->attrs[axes].ints->at[i]] = true;
    if (axes < 0)
        gone[n->attrs[axis].i] = true;
    for (int a = 0; a < rank; a++)
        if (!gone[a])
            order[kept++] = a;
    for (int a = 0, k = kept; a < rank; a++)
        if (gone[a])
            order[k++] = a;
    for (int k = 0; k < rank; k++)
        back[order[k]] = k;
    return kept;
}

static bool reduces(OpId op)
{
    return op == OP_PROD || op == OP_MAX || op == OP_MIN || op == OP_PTP || op == OP_ANY ||
           op == OP_ALL || op == OP_PEAK || op == OP_ARGMAX || op == OP_ARGMIN;
}

bool numba_along(Scope *s, Node *n)
{
    int order[MAX_RANK], back[MAX_RANK], rank = n->ops[0]->type->rank;
    int kept = order_of(n, rank, order, back);
    bool failed = false;
    if (!is_for(s, PYTHON_NUMBA) || (kept == 0 && n->op != OP_RECURRENCE))
        return say_by_row(s, n, &failed) || (!failed && py_cannot(s, n, NULL));
    Py *py = s->py;
    const char *x = said_by_name(s, n->ops[0], "x");
    const char *rest = shape_along(py, x, kept, order), *dtype = py_dtype(py, n->type->dtype);
    const char *moved = permuted(py, x, rank, order), *name = op_table[n->op].name;
    int reverse = op_attr_index(n->op, "reverse");
    bool backwards = reverse >= 0 && n->attrs[reverse].i;
    const char *text;
    if (reduces(n->op)) {
        text = py_text(py, "reduce_lanes(%s_of, %s, %s, %s)", name, moved, rest, dtype);
    } else if (n->op == OP_RECURRENCE) {
        const char *z = permuted(py, said_at(s, n->ops[1], CALL), rank, order);
        text = py_text(py, "recurrence_lanes(%s, %s, %s)", moved, z, backwards ? "True" : "False");
    } else {
        text = py_text(py, "map_lanes(%s_of, %s, %s, %s)", name, moved,
                       backwards ? "True" : "False", dtype);
    }
    if (!reduces(n->op))
        text = permuted(py, text, rank, back);
    py_say(s, n, text, CALL);
    return true;
}

/* Positions in an array of any rank: those of a vector, and the shape made again. */
bool numba_gather(Scope *s, Node *n, int axis)
{
    Py *py = s->py;
    const char *x = said_by_name(s, n->ops[0], "x"), *at = said_by_name(s, n->ops[1], "places");
    Text before = {0}, shape = {0};
    for (int a = 0; a < axis; a++) {
        text_put(&before, ":, ");
        text_printf(&shape, "%s.shape[%d], ", x, a);
    }
    for (int a = 0; a < n->ops[1]->type->rank; a++)
        text_printf(&shape, "%s.shape[%d], ", at, a);
    for (int a = axis + 1; a < n->ops[0]->type->rank; a++)
        text_printf(&shape, "%s.shape[%d], ", x, a);
    py_say(s, n,
           py_text(py, "np.ascontiguousarray(%s[%s%s.ravel()]).reshape((%.*s))", x,
                   text_str(&before), at, (int)shape.len - 2, text_str(&shape)),
           CALL);
    text_free(&before);
    text_free(&shape);
    return true;
}

/* Where some are numbers and some arrays. */
bool numba_where(Scope *s, Node *n)
{
    py_say(s, n,
           py_text(s->py, "choose(%s, %s, %s)", said_at(s, n->ops[0], ANYTHING),
                   said_at(s, n->ops[1], ANYTHING), said_at(s, n->ops[2], ANYTHING)),
           CALL);
    return true;
}

/* name[.., at] += value, also where a place occurs twice. */
void numba_add_at(Scope *s, const Node *n, int axis, const char *name, const char *at,
                  const char *value)
{
    Py *py = s->py;
    int rank = n->type->rank, order[MAX_RANK];
    order[0] = axis;
    for (int a = 0, k = 1; a < rank; a++)
        if (a != axis)
            order[k++] = a;
    bool number = !n->ops[2]->type->rank;
    py_line(s, "%s(%s, %s, %s)", number ? "add_number" : "add_rows",
            permuted(py, name, rank, order), at, number ? value : permuted(py, value, rank, order));
}
