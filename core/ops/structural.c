/* Structural operators: leaves, tuples and their parts, checks.
 *
 * Invariant: none of them computes; a value passes through or is looked up. */
#include "ops/family.h"
#include "graph/provenance.h"

/* ---- shared by all families: what does not exist ---- */

/* Nothing flows through integers, bools and generator states. */
bool vjp_none(Vjp *v, Node *n, Node *dy)
{
    (void)dy;
    if (!type_has_floats(n->type) || node_info(n)->cls == CLASS_RANDOM)
        return true;
    return derivative_missing(v->st, n, NULL);
}

int eval_none(EvalArgs *e) { die("%s cannot be evaluated by itself", node_info(e->node)->name); }

/* ---- leaves ---- */

Type *infer_param(Store *st, Node *n)
{
    (void)st;
    return n->attrs[1].type;
}

Type *infer_input(Store *st, Node *n)
{
    (void)st;
    return n->attrs[1].type;
}

Type *infer_const(Store *st, Node *n)
{
    const Tensor *t = n->attrs[0].value;
    Size *dims[MAX_RANK];
    for (int i = 0; i < t->rank; i++)
        dims[i] = size_const(st, t->shape[i]);
    return type_tensor(st, t->dtype, t->rank, dims);
}

int eval_const(EvalArgs *e)
{
    e->out[0] = tensor_ref(e->node->attrs[0].value);
    return 0;
}

Type *infer_size(Store *st, Node *n)
{
    (void)n;
    return type_scalar(st, DT_I64);
}

/* ---- tuples ---- */

Type *infer_tuple(Store *st, Node *n)
{
    Type *small[16] = {NULL}, **items = small;
    if (n->nops > COUNT_OF(small))
        items = xmalloc(n->nops * sizeof *items);
    for (u32 i = 0; i < n->nops; i++)
        items[i] = n->ops[i]->type;
    Type *t = type_tuple(st, (int)n->nops, items);
    if (items != small)
        free(items);
    return t;
}

/* Sizes known only when the tuple's owner has run become values of its other results. */
static Size *result_size(Store *st, SizeAtom *atom, void *ctx)
{
    if (atom->kind != ATOM_RESULT)
        return NULL;
    Node *value = node_proj(st, ctx, atom->index);
    return value ? size_of_node(st, value) : NULL;
}

Type *infer_proj(Store *st, Node *n)
{
    Node *tuple = n->ops[0];
    i64 index = n->attrs[0].i;
    if (tuple->type->kind != TYPE_TUPLE)
        return wrong_type(st, n, 0, "a tuple");
    if (index < 0 || index >= tuple->type->nitems)
        return store_error(st, "index", NULL, "there is no item %lld in a tuple of %d",
                           (long long)index, tuple->type->nitems);
    return type_map_sizes(st, tuple->type->items[index], result_size, tuple);
}

/* ---- checks ---- */

Type *infer_check(Store *st, Node *n)
{
    if (n->ops[0]->type->kind != TYPE_TENSOR || node_dtype(n->ops[0]) != DT_BOOL)
        return store_error(st, "type-mismatch", "compare: x > 0", "a check takes bools");
    return n->ops[1]->type;
}

bool vjp_check(Vjp *v, Node *n, Node *dy)
{
    if (!vjp_active(v, n->ops[1]))
        return true;
    /* where there is no value there is no derivative */
    Node *checked = node2(v->st, OP_CHECK, n->attrs, n->ops[0], dy);
    if (checked)
        node_carry_span(v->st, n, checked);
    return vjp_give(v, n->ops[1], checked);
}

static Node *check_node(Store *st, Symbol message, bool index, Node *holds, Node *x)
{
    Attr attrs[] = {{.name = message}, {.i = index}};
    return holds && x ? node2(st, OP_CHECK, attrs, holds, x) : NULL;
}

Node *node_check(Store *st, Symbol message, Node *holds, Node *x)
{
    return check_node(st, message, false, holds, x);
}

Node *node_check_index(Store *st, Symbol message, Node *holds, Node *x)
{
    return check_node(st, message, true, holds, x);
}

const char *check_code(const Node *check) { return check->attrs[1].i ? "index" : "check"; }

bool check_tells_sides(const Node *check)
{
    return check->attrs[0].name && strstr(check->attrs[0].name, "{a}");
}

/* "{a}", "{b}", "{b+3}" at s: its length, and what to write. */
static size_t placeholder(const char *s, const i64 *sides, i64 *value)
{
    const char *end = strchr(s, '}');
    bool known = s[0] == '{' && (s[1] == 'a' || s[1] == 'b') && end;
    if (!known)
        return 0;
    i64 more = s[2] == '+' ? strtoll(s + 3, NULL, 10) : 0;
    *value = sides ? sides[s[1] - 'a'] + more : 0;
    *value = *value < 0 ? 0 : *value;
    return (size_t)(end - s) + 1;
}

void check_message(Text *out, const Node *check, const i64 *sides)
{
    const char *s = check->attrs[0].name ? check->attrs[0].name : "a check failed";
    bool vague = !sides && check_tells_sides(check);
    for (size_t n; *s && !(vague && *s == ','); s += n) {
        i64 value;
        n = placeholder(s, sides, &value);
        if (n && sides)
            text_printf(out, "%lld", (long long)value);
        else if (n)
            text_put(out, s[1] == 'a' ? "too many" : "the");
        else
            text_putn(out, s, n = 1);
    }
}

/* Are all of them true?  If not, where the first is that is not: ", at [2, 0]". */
static bool check_holds(const Tensor *condition, Text *where)
{
    const u8 *at = condition->data, *no = memchr(at, 0, (size_t)condition->count);
    i64 k = no ? no - at : 0, index[MAX_RANK];
    if (!no)
        return true;
    for (int a = condition->rank; a-- > 0; k /= condition->shape[a])
        index[a] = k % condition->shape[a];
    for (int a = 0; a < condition->rank; a++)
        text_printf(where, "%s%lld", a ? ", " : ", at [", (long long)index[a]);
    text_put(where, condition->rank ? "]" : "");
    return false;
}

int eval_check(EvalArgs *e)
{
    Text where = {0};
    if (!check_holds(e->in[0], &where)) {
        Text text = {0};
        check_message(&text, e->node, NULL);
        text_put(&text, text_str(&where));
        text_free(&where);
        eval_fail(e, check_code(e->node), "%s", text_str(&text));
        text_free(&text);
        return -1;
    }
    e->out[0] = tensor_ref(e->in[1]);
    return 0;
}

Type *infer_match_shape(Store *st, Node *n)
{
    if (!tensors_only(st, n))
        return NULL;
    Type *x = n->ops[0]->type, *y = n->ops[1]->type;
    if (x->rank != y->rank)
        return store_error(st, "shape-mismatch", NULL,
                           "match_shape: shapes %s and %s have %d and %d axes", shape_text(st, x),
                           shape_text(st, y), x->rank, y->rank);
    for (int i = 0; i < x->rank; i++)
        if (!sizes_agree(st, n, x, i, y, i))
            return NULL;
    return type_with_dtype(st, y, x->dtype);
}

bool vjp_first(Vjp *v, Node *n, Node *dy)
{
    return !vjp_active(v, n->ops[0]) || vjp_give(v, n->ops[0], dy);
}

int eval_match_shape(EvalArgs *e)
{
    const Tensor *x = e->in[0], *y = e->in[1];
    for (int i = 0; i < x->rank; i++)
        if (x->shape[i] != y->shape[i]) {
            Text a = {0}, b = {0};
            text_shape(&a, x->rank, x->shape);
            text_shape(&b, y->rank, y->shape);
            int r = eval_fail(
                e, "shape-mismatch", "shapes %s and %s do not match: axis %d is %lld and %lld",
                text_str(&a), text_str(&b), i, (long long)x->shape[i], (long long)y->shape[i]);
            text_free(&a);
            text_free(&b);
            return r;
        }
    e->out[0] = tensor_ref(e->in[0]);
    return 0;
}

/* ---- stop_gradient ---- */

Type *infer_same(Store *st, Node *n)
{
    (void)st;
    return n->ops[0]->type;
}

bool vjp_stop(Vjp *v, Node *n, Node *dy)
{
    (void)v, (void)n, (void)dy;
    return true;
}

int eval_identity(EvalArgs *e)
{
    e->out[0] = tensor_ref(e->in[0]);
    return 0;
}
