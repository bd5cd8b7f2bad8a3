/* einsum: sums of products by the letters of axes.
 *
 * Invariant: a Factor is a node and one label for each of its axes, no label twice.
 * Labels are the letters, and further ones for the axes of `...` counted from the right.
 * Operands are joined one after the other; a label is summed as soon as neither a later
 * operand nor the result has it, inside a matrix product where both operands have it. */
#include "lang/builtins.h"
#include "ops/definitions.h"

enum { LETTERS = 52, LABELS = LETTERS + MAX_RANK, MAX_FACTORS = 6 };

typedef struct {
    Node *node;
    int n;
    int labels[MAX_RANK];
} Factor;

typedef struct {
    Elab *e;
    Args *args;
    const char *spec;
    int nfactors;
    Factor factors[MAX_FACTORS];
    int nout;
    int out[MAX_RANK];
    Size *sizes[LABELS];
} Einsum;

/* ---- the text ---- */

static bool spec_error(Einsum *s, const char *why)
{
    return elab_error(s->e, s->args->spans[0], "einsum", "write it like \"ij,jk->ik\"", "%s", why),
           false;
}

static int letter(char c)
{
    return c >= 'a' && c <= 'z' ? 26 + c - 'a' : c >= 'A' && c <= 'Z' ? c - 'A' : -1;
}

/* The labels of one term; `dots` axes stand for `...`. Moves on to what follows; -1 after a
 * diagnostic. */
static int read_term(Einsum *s, const char **at, int dots, int *labels, bool *has_dots)
{
    int n = 0;
    *has_dots = false;
    for (const char *p = *at;; p++) {
        bool ellipsis = !strncmp(p, "...", 3);
        int more = ellipsis ? dots : 1;
        if (*p == ' ')
            continue;
        if (!*p || *p == ',' || !strncmp(p, "->", 2)) {
            *at = p;
            return n;
        }
        if (ellipsis ? *has_dots : letter(*p) < 0)
            return spec_error(s, ellipsis ? "a term can have only one `...`"
                                          : "a term is made of letters and `...`") -
                   1;
        if (n + more > MAX_RANK)
            return spec_error(s, "a term has more axes than a tensor can have") - 1;
        for (int i = 0; i < more; i++)
            labels[n++] = ellipsis ? LABELS - dots + i : letter(*p);
        *has_dots = *has_dots || ellipsis;
        p += ellipsis ? 2 : 0;
    }
}

static int letters_in(const char *p)
{
    int n = 0;
    for (; *p && *p != ',' && strncmp(p, "->", 2); p++)
        n += letter(*p) >= 0;
    return n;
}

static bool operand_ok(Einsum *s, int i, int letters, int n, bool has_dots)
{
    const Node *x = s->factors[i].node;
    if (x->type->rank == n)
        return true;
    elab_error(s->e, s->args->spans[i + 1], "rank", NULL,
               "einsum: operand %d has %s%d letter%s in \"%s\", but it is %s", i + 1,
               has_dots ? "at least " : "", letters, letters == 1 ? "" : "s", s->spec,
               shape_text(s->e->st, x->type));
    return false;
}

static bool read_inputs(Einsum *s, const char **at, int *dots)
{
    const char *p = s->spec;
    *dots = 0;
    for (int i = 0;; i++) {
        if (i == s->nfactors)
            return elab_error(s->e, s->args->spans[0], "arity", NULL,
                              "einsum: \"%s\" has more terms than the %d operand%s", s->spec, i,
                              i == 1 ? "" : "s"),
                   false;
        Factor *f = &s->factors[i];
        int letters = letters_in(p), extra = f->node->type->rank - letters;
        bool has_dots;
        f->n = read_term(s, &p, extra > 0 ? extra : 0, f->labels, &has_dots);
        if (f->n < 0 || !operand_ok(s, i, letters, f->n, has_dots))
            return false;
        if (has_dots && extra > *dots)
            *dots = extra;
        if (*p == ',') {
            p++;
            continue;
        }
        *at = p;
        if (i + 1 == s->nfactors)
            return true;
        return elab_error(s->e, s->args->spans[i + 2], "arity", NULL,
                          "einsum: \"%s\" has %d term%s for %d operands", s->spec, i + 1,
                          i ? "s" : "", s->nfactors),
               false;
    }
}

static void count_labels(const Einsum *s, int count[LABELS])
{
    memset(count, 0, LABELS * sizeof *count);
    for (int i = 0; i < s->nfactors; i++)
        for (int k = 0; k < s->factors[i].n; k++)
            count[s->factors[i].labels[k]]++;
}

/* Without `->`: the axes of `...`, then the letters that occur once, in order. */
static bool read_output(Einsum *s, const char *p, int dots)
{
    int count[LABELS], seen[LABELS] = {0};
    bool has_dots;
    count_labels(s, count);
    if (!*p) {
        for (int k = 0; k < LABELS; k++) {
            int label = (k + LETTERS) % LABELS; /* those of `...` first */
            if (label < LETTERS ? count[label] != 1 : !count[label])
                continue;
            if (s->nout == MAX_RANK)
                return spec_error(s, "the result has more axes than a tensor can have");
            s->out[s->nout++] = label;
        }
        return true;
    }
    p += 2;
    s->nout = read_term(s, &p, dots, s->out, &has_dots);
    if (s->nout < 0)
        return false;
    if (*p)
        return spec_error(s, "the result is one term");
    for (int k = 0; k < s->nout; k++) {
        if (seen[s->out[k]]++)
            return spec_error(s, "the result names an axis twice");
        if (!count[s->out[k]])
            return spec_error(s, "the result names an axis that no operand has");
    }
    return true;
}

/* ---- one operand ---- */

static int place_of(const Factor *f, int label)
{
    for (int i = 0; i < f->n; i++)
        if (f->labels[i] == label)
            return i;
    return -1;
}

static void drop_label(Factor *f, int at)
{
    memmove(f->labels + at, f->labels + at + 1, (size_t)(f->n - at - 1) * sizeof *f->labels);
    f->n--;
}

/* Of the last two axes of x, which become one. */
static Node *diagonal(Store *st, Node *x)
{
    return x->type->rank == 2 ? node1(st, OP_DIAG, &(Attr){.i = 0}, x) : build_diagonal(st, x, 0);
}

/* Two axes with one label become the diagonal. */
static bool take_diagonals(Einsum *s, int index)
{
    Factor *f = &s->factors[index];
    for (int i = 0; i < f->n; i++)
        for (int k = i + 1; k < f->n; k++) {
            if (f->labels[k] != f->labels[i])
                continue;
            Type *t = f->node->type;
            if (size_provably_different(s->e->st, t->dims[i], t->dims[k]))
                return elab_error(
                           s->e, s->args->spans[index + 1], "shape-mismatch", NULL,
                           "einsum: axes %d and %d of %s have the same letter but different sizes",
                           i, k, shape_text(s->e->st, t)),
                       false;
            int perm[MAX_RANK], n = 0, label = f->labels[i];
            for (int j = 0; j < f->n; j++)
                if (j != i && j != k)
                    perm[n++] = j;
            perm[n] = i, perm[n + 1] = k;
            f->node = build_transpose(s->e->st, f->node, perm);
            f->node = f->node ? diagonal(s->e->st, f->node) : NULL;
            if (!f->node)
                return false;
            drop_label(f, k);
            drop_label(f, i);
            f->labels[f->n++] = label;
            i = k = -1;
            break;
        }
    return true;
}

/* The size of each label; axes of length 1 next to longer ones stand for all. */
static bool agree_on_sizes(Einsum *s)
{
    for (int i = 0; i < s->nfactors; i++)
        for (int k = 0; k < s->factors[i].n; k++) {
            Size **have = &s->sizes[s->factors[i].labels[k]],
                 *own = s->factors[i].node->type->dims[k];
            if (*have && !size_is(*have, 1) && !size_is(own, 1) &&
                size_provably_different(s->e->st, *have, own))
                return elab_error(
                           s->e, s->args->spans[i + 1], "shape-mismatch", NULL,
                           "einsum: axis %d of %s has a different size from that letter before", k,
                           shape_text(s->e->st, s->factors[i].node->type)),
                       false;
            if (!*have || size_is(*have, 1))
                *have = own;
        }
    for (int i = 0; i < s->nfactors; i++)
        for (int k = s->factors[i].n; k-- > 0;) {
            Factor *f = &s->factors[i];
            if (!size_is(f->node->type->dims[k], 1) || size_is(s->sizes[f->labels[k]], 1))
                continue;
            f->node = build_squeeze(s->e->st, f->node, k);
            if (!f->node)
                return false;
            drop_label(f, k);
        }
    return true;
}

static bool in_output(const Einsum *s, int label)
{
    for (int i = 0; i < s->nout; i++)
        if (s->out[i] == label)
            return true;
    return false;
}

/* Does the result or an operand from `next` on have the label? */
static bool needed(const Einsum *s, int label, int next)
{
    for (int i = next; i < s->nfactors; i++)
        if (place_of(&s->factors[i], label) >= 0)
            return true;
    return in_output(s, label);
}

/* Sums these axes (ascending) in f's own dtype. */
static bool sum_axes(Einsum *s, Factor *f, u32 n, const i64 *axes)
{
    DType d = f->node->type->dtype;
    f->node = build_sum(s->e->st, f->node, intlist(s->e->st, n, axes));
    f->node = f->node ? node_cast(s->e->st, f->node, d) : NULL;
    for (u32 k = n; k-- > 0;)
        drop_label(f, (int)axes[k]);
    return f->node != NULL;
}

/* Sums the labels that only f has. */
static bool sum_alone(Einsum *s, Factor *f, const Factor *other, int next)
{
    i64 axes[MAX_RANK] = {0};
    u32 n = 0;
    for (int k = 0; k < f->n; k++)
        if (!needed(s, f->labels[k], next) && !(other && place_of(other, f->labels[k]) >= 0))
            axes[n++] = k;
    return sum_axes(s, f, n, axes);
}

/* ---- two operands ---- */

typedef struct {
    int n;
    int at[MAX_RANK];
} Labels;

static void labels_add(Labels *l, int label) { l->at[l->n++] = label; }

static Size *extent(Einsum *s, const Factor *f, const Labels *l)
{
    Size *n = size_const(s->e->st, 1);
    for (int i = 0; i < l->n; i++)
        n = size_mul(s->e->st, n, f->node->type->dims[place_of(f, l->at[i])]);
    return n;
}

/* f with its axes in the order of the groups, each group one axis (none if `drop` and it is empty).
 */
static Node *grouped(Einsum *s, const Factor *f, const Labels *const *groups, unsigned drop)
{
    int perm[MAX_RANK], n = 0, rank = 0;
    Node *dims[3];
    for (int g = 0; g < 3; g++) {
        for (int i = 0; i < groups[g]->n; i++)
            perm[n++] = place_of(f, groups[g]->at[i]);
        if (groups[g]->n || !(drop >> g & 1))
            dims[rank++] = size_to_node(s->e->st, extent(s, f, groups[g]));
    }
    return build_reshape(s->e->st, build_transpose(s->e->st, f->node, perm), rank, dims);
}

/* Both have labels to sum: a matrix product, of batches where both have labels that stay. */
static Node *product(Einsum *s, const Factor *a, const Factor *b, const Labels *batch,
                     const Labels *left, const Labels *right, const Labels *sum)
{
    const Labels *ga[] = {batch, left, sum}, *gb[] = {batch, sum, right};
    bool batched = batch->n > 0;
    Node *x = grouped(s, a, ga, batched ? 0 : 3), *y = grouped(s, b, gb, batched ? 0 : 5);
    Node *r = x && y ? node2(s->e->st, OP_MATMUL, NULL, x, y) : NULL;
    Node *dims[MAX_RANK];
    int n = 0;
    for (int i = 0; i < batch->n; i++)
        dims[n++] = node_dim(s->e->st, a->node, place_of(a, batch->at[i]));
    for (int i = 0; i < left->n; i++)
        dims[n++] = node_dim(s->e->st, a->node, place_of(a, left->at[i]));
    for (int i = 0; i < right->n; i++)
        dims[n++] = node_dim(s->e->st, b->node, place_of(b, right->at[i]));
    return r ? build_reshape(s->e->st, r, n, dims) : NULL;
}

/* Nothing to sum: factors with axes of length 1 where they lack a label. */
static Node *elementwise(Einsum *s, const Factor *a, const Factor *b, const Labels *order)
{
    const Factor *from[] = {a, b};
    Node *wide[2];
    for (int w = 0; w < 2; w++) {
        int perm[MAX_RANK], n = 0;
        for (int i = 0; i < order->n; i++)
            if (place_of(from[w], order->at[i]) >= 0)
                perm[n++] = place_of(from[w], order->at[i]);
        wide[w] = build_transpose(s->e->st, from[w]->node, perm);
        for (int i = 0; i < order->n; i++)
            if (place_of(from[w], order->at[i]) < 0)
                wide[w] = build_expand(s->e->st, wide[w], i);
    }
    return build_mul(s->e->st, wide[0], wide[1]);
}

static bool join(Einsum *s, Factor *a, Factor *b, int next)
{
    Labels batch = {0}, left = {0}, right = {0}, sum = {0}, order = {0};
    if (!sum_alone(s, a, b, next) || !sum_alone(s, b, a, next))
        return false;
    for (int i = 0; i < a->n; i++) {
        bool both = place_of(b, a->labels[i]) >= 0;
        labels_add(!both ? &left : needed(s, a->labels[i], next) ? &batch : &sum, a->labels[i]);
    }
    for (int i = 0; i < b->n; i++)
        if (place_of(a, b->labels[i]) < 0)
            labels_add(&right, b->labels[i]);
    if (batch.n + left.n + right.n > MAX_RANK)
        return spec_error(s, "a product on the way has more axes than a tensor can have");
    for (int i = 0; i < batch.n; i++)
        labels_add(&order, batch.at[i]);
    for (int i = 0; i < left.n; i++)
        labels_add(&order, left.at[i]);
    for (int i = 0; i < right.n; i++)
        labels_add(&order, right.at[i]);
    bool dots = sum.n && batch.n && !left.n && !right.n; /* many short inner products */
    for (int i = 0; dots && i < sum.n; i++)
        labels_add(&order, sum.at[i]);
    bool outer = a->n == 1 && b->n == 1 && left.n && right.n;
    a->node = (sum.n && !dots) || outer ? product(s, a, b, &batch, &left, &right, &sum)
                                        : elementwise(s, a, b, &order);
    a->n = order.n;
    memcpy(a->labels, order.at, sizeof a->labels);
    return a->node && (!dots || sum_alone(s, a, NULL, next));
}

/* ---- whole ---- */

static bool operands(Einsum *s, DType *d)
{
    Args *a = s->args;
    *d = DT_COUNT;
    for (int i = 0; i < MAX_FACTORS && a->at[i + 1] && a->at[i + 1]->kind != V_NONE; i++) {
        Node *x = arg_node(s->e, a, i + 1);
        if (!x)
            return false;
        if (x->type->kind != TYPE_TENSOR || x->type->dtype == DT_RNG)
            return elab_error(s->e, a->spans[i + 1], "type-mismatch", NULL,
                              "einsum needs numbers, but this is %s",
                              shape_text(s->e->st, x->type)),
                   false;
        s->factors[s->nfactors++].node = x;
    }
    for (int i = s->nfactors; i < MAX_FACTORS; i++)
        if (a->at[i + 1] && a->at[i + 1]->kind != V_NONE)
            return elab_error(s->e, a->spans[i + 1], "arity", NULL,
                              "einsum has no operand before this one"),
                   false;
    Node *x[MAX_FACTORS];
    if (!s->nfactors)
        return elab_error(s->e, a->span, "arity", "write einsum(\"ij,jk->ik\", a, b)",
                          "einsum has no operand"),
               false;
    if ((*d = args_meet(s->e, a, 1, s->nfactors, x)) == DT_COUNT)
        return false;
    for (int i = 0; i < s->nfactors; i++)
        s->factors[i].node = x[i];
    *d = *d == DT_BOOL ? DT_I64 : *d;
    for (int i = 0; i < s->nfactors; i++)
        s->factors[i].node = node_cast(s->e->st, s->factors[i].node, *d);
    return true;
}

static Node *finish(Einsum *s, DType d)
{
    Factor *f = &s->factors[0];
    int perm[MAX_RANK];
    for (int i = 1; i < s->nfactors; i++)
        if (!join(s, f, &s->factors[i], i + 1))
            return NULL;
    if (!sum_alone(s, f, NULL, s->nfactors))
        return NULL;
    for (int i = 0; i < s->nout; i++)
        perm[i] = place_of(f, s->out[i]);
    return node_cast(s->e->st, build_transpose(s->e->st, f->node, perm), d);
}

BUILTIN(einsum)
{
    Einsum s = {.e = e, .args = a};
    const char *rest;
    int dots;
    DType d;
    if (a->at[0]->kind != V_STRING)
        return elab_error(e, a->spans[0], "type-mismatch", "write it like \"ij,jk->ik\"",
                          "einsum begins with a string of the letters of axes");
    s.spec = a->at[0]->text;
    if (!operands(&s, &d))
        return NULL;
    if (!read_inputs(&s, &rest, &dots) || !read_output(&s, rest, dots))
        return NULL;
    e->st->span = a->span;
    for (int i = 0; i < s.nfactors; i++)
        if (!take_diagonals(&s, i))
            return NULL;
    return agree_on_sizes(&s) ? value_node(e, finish(&s, d)) : NULL;
}
