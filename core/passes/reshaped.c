/* Elements and rows of what was reshaped, read where they lie in the array before; and what is read
 * of a sum, less what the same reading finds in one of its terms.
 *
 * In C, as this is arithmetic on sizes, and on whatever operator reads. */
#include "passes/code_rules.h"
#include "passes/places.h"

/* How many elements stand behind one place along the first axis; false: it is not known. */
static bool row_length(const Type *t, i64 *out)
{
    i64 size;
    *out = 1;
    for (int i = 1; i < t->rank; i++)
        if (!size_is_const(t->dims[i], &size) || size < 1 || size > INT32_MAX ||
            (*out *= size) > INT32_MAX)
            return false;
    return true;
}

/* `count` elements of x from number `from` on, which are some of its rows or a part of one: those,
 * in whatever shape; NULL: they are not. */
static Node *run_of_elements(Store *st, Node *x, i64 from, i64 count)
{
    i64 row;
    while (x && x->type->rank && row_length(x->type, &row)) {
        i64 first = from / row, rows = count / row;
        if (rows && !(from % row) && !(count % row))
            return rows == 1 ? build_index(st, x, 0, node_i64(st, first))
                             : build_slice(st, x, 0, node_i64(st, first), node_i64(st, rows), 1);
        if (rows || from % row + count > row)
            return NULL;
        x = build_index(st, x, 0, node_i64(st, first));
        from %= row;
    }
    return NULL;
}

/* reshape(x, (24,))[7] is x[1, 1] if x has rows of 6. */
static bool index_reshaped(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *shaped = n->ops[0], *dims[MAX_RANK];
    i64 at, size, row;
    if (shaped->op != OP_RESHAPE || n->attrs[0].i || !node_const_i64(n->ops[1], &at) ||
        !size_is_const(shaped->type->dims[0], &size) || !row_length(shaped->type, &row))
        return site_refuse(site, shaped, "it is not a known place of a reshaped array");
    at += at < 0 ? size : 0;
    if (at < 0 || at >= size || size > INT32_MAX)
        return site_refuse(site, n->ops[1], place_not_there);
    Node *run = run_of_elements(st, shaped->ops[0], at * row, row);
    if (!run)
        return site_refuse(site, shaped, "its elements are neither rows nor a part of one");
    for (int i = 0; i < n->type->rank; i++)
        dims[i] = shaped->ops[2 + i];
    return site_put_alike(site,
                          run->type == n->type ? run : build_reshape(st, run, n->type->rank, dims));
}

/* ---- differences of what was read ---- */

static bool only_reads(OpId op)
{
    return op == OP_RESHAPE || op == OP_GATHER || op == OP_TRANSPOSE || op == OP_SLICE ||
           op == OP_INDEX || op == OP_FLIP;
}

static bool read_alike(const Node *a, const Node *b)
{
    bool same = a->op == b->op && a->nops == b->nops && a->type == b->type;
    for (u32 i = 1; same && i < a->nops; i++)
        same = a->ops[i] == b->ops[i];
    for (u32 i = 0; same && i < a->nattrs; i++)
        same = memcmp(&a->attrs[i], &b->attrs[i], sizeof a->attrs[i]) == 0;
    return same;
}

/* The sum without that term; NULL: it is none, or has no such term. */
static Node *without_term(Store *st, const Node *sum, const Node *term)
{
    Node *rest = NULL;
    bool gone = false;
    for (u32 i = 0; sum->op == OP_ADD && i < sum->nops; i++) {
        if (!gone && sum->ops[i] == term)
            gone = true;
        else
            rest = rest ? build_add(st, rest, sum->ops[i]) : sum->ops[i];
    }
    return gone && rest && rest->type == sum->type ? rest : NULL;
}

/* (x + z)[i] - z[i] is x[i]. */
static bool less_what_is_read(Site *site)
{
    Store *st = site->st;
    Node *n = site->node, *a = n->ops[0], *b = n->ops[1], *ops[MAX_RANK + 2];
    if (!only_reads(a->op) || !read_alike(a, b) || a->nops > COUNT_OF(ops))
        return site_refuse(site, a, "its two sides do not read alike");
    memcpy(ops, a->ops, a->nops * sizeof *ops);
    if (!(ops[0] = without_term(st, a->ops[0], b->ops[0])))
        return site_refuse(site, a->ops[0], "it has no term that the other side reads");
    return site_put_alike(site, node_with_operands(st, a, ops));
}

#define CANON(NAME, CLASSES, OP_, FN, REASON)                \
    {                                                        \
        NAME, "canonicalize", CLASSES, OP_, FN, REASON, NULL \
    }
const CodeRule reshaped_rules[] = {
    CANON("index-reshaped", HAZARD_D, OP_INDEX, index_reshaped,
          "read where it lies in the array before"),
    CANON("less-what-is-read", HAZARD_R | HAZARD_NPLUS | HAZARD_NMINUS | HAZARD_O, OP_SUB,
          less_what_is_read, "what is read of the other terms is left; hides NaN"),
    {0}};
