/* From the users of a scan's results to the rows that they read. */
#include "passes/loops/reads.h"

enum { DEEP = 8, FEW_PLACES = 8 };

/* ---- sizes ---- */

static bool not_negative(Size *d)
{
    i64 low;
    return size_lower_bound(d, &low) && low >= 0;
}

/* d with the maximum or minimum of term i replaced by one of its two operands. */
static Size *with_choice(Store *st, Size *d, u32 i, bool second)
{
    const SizeAtom *a = d->terms[i].factors[0];
    Size *atom = a->kind == ATOM_MAX ? size_max(st, a->a, a->b) : size_min(st, a->a, a->b);
    Size *change = size_sub(st, second ? a->b : a->a, atom);
    return size_add(st, d, size_scale(st, change, d->terms[i].coef));
}

static bool natural(Store *st, Size *d, Size *count, int depth)
{
    if (not_negative(d) || (count->nterms && not_negative(size_sub(st, d, count))))
        return true;
    for (int both = 1; both >= 0 && depth < DEEP; both--)
        for (u32 i = 0; i < d->nterms; i++) {
            const SizeTerm *t = &d->terms[i];
            AtomKind kind = t->factors[0]->kind;
            if (t->nfactors != 1 || (kind != ATOM_MAX && kind != ATOM_MIN))
                continue;
            if (both != ((kind == ATOM_MIN) == (t->coef > 0))) /* else one of them is enough */
                continue;
            bool first = natural(st, with_choice(st, d, i, false), count, depth + 1);
            if (first != both)
                return first;
            return natural(st, with_choice(st, d, i, true), count, depth + 1);
        }
    return false;
}

bool size_is_natural(Store *st, Size *d, Size *count) { return natural(st, d, count, 0); }

Size *trace_rows(Store *st, Node *scan)
{
    ScanShape s = scan_shape(scan);
    return size_of_node(st, s.stop ? node_proj(st, scan, s.steps) : s.n);
}

int trace_state(const ScanShape *s, int out)
{
    for (int i = 0; i < s->nstates; i++)
        if (s->body->outs[i] == s->body->outs[s->nstates + out])
            return i;
    return -1;
}

bool scan_all_enough(Store *st, Node *scan, ScanShape *s)
{
    ScanEdit ed;
    if (!scan_open(st, scan, &ed))
        return false;
    Node **seqs = arena_alloc(&st->scratch, ((size_t)s->nseqs + 1) * sizeof *seqs);
    bool ok = true;
    for (int i = 0; i < s->nseqs && ok; i++)
        ok = (seqs[i] = scan_enough(&ed, i)) != NULL;
    scan_edit_free(&ed);
    s->seqs = seqs;
    return ok;
}

/* ---- rows ---- */

typedef struct {
    Store *st;
    Node *scan;
    Size *rows;
    RowReads *out;
} Find;

/* Row `first` of those that there are, counted from the end if it is negative. */
static Size *from_start(Find *f, Node *i)
{
    Store *st = f->st;
    Size *at = size_of_node(st, i);
    if (size_is_natural(st, at, f->rows))
        return at;
    if (size_is_natural(st, size_sub(st, size_const(st, -1), at), f->rows))
        return size_add(st, f->rows, at);
    Node *n = scan_length(st, f->scan, f->rows), *zero = node_i64(st, 0);
    Node *back = node2(st, OP_ADD, NULL, i, n);
    Node *where = node3(st, OP_WHERE, NULL, node2(st, OP_LT, NULL, i, zero), back, i);
    return where ? size_of_node(st, where) : NULL;
}

/* Between 0 and the number of rows. */
static Size *clamped(Find *f, Size *at)
{
    if (!size_is_natural(f->st, at, f->rows))
        at = size_max(f->st, at, size_const(f->st, 0));
    return size_is_natural(f->st, size_sub(f->st, f->rows, at), f->rows)
               ? at
               : size_min(f->st, at, f->rows);
}

static bool add_index(Find *f, Node *at, Node *i, int out)
{
    Store *st = f->st;
    RowRead r = {.at = at, .out = out};
    if (node_dtype(i) != DT_I64 || !(r.first = from_start(f, i)))
        return false;
    r.end = size_add(st, r.first, size_const(st, 1));
    r.there = size_is_natural(st, r.first, f->rows) &&
              size_is_natural(st, size_sub(st, f->rows, r.end), f->rows);
    if (!r.there) { /* whoever reads such a row asks first whether it exists */
        r.first = clamped(f, r.first);
        r.end = clamped(f, r.end);
    }
    vec_push(&f->out->at, r);
    return true;
}

/* start + max(a, b) as the larger of two ends: of a slice from start to stop that is stop. */
static Size *end_after(Find *f, Size *start, Size *len)
{
    const SizeAtom *atom = size_as_atom(len);
    Size *end = size_add(f->st, start, len);
    if (!atom || atom->kind != ATOM_MAX || end->weight < len->weight)
        return end;
    Size *a = size_add(f->st, start, atom->a), *b = size_add(f->st, start, atom->b);
    return size_is_natural(f->st, size_sub(f->st, a, b), f->rows)   ? a
           : size_is_natural(f->st, size_sub(f->st, b, a), f->rows) ? b
                                                                    : size_max(f->st, a, b);
}

/* As slices are written they are cut to the rows that there are; any other is left alone. */
static bool add_slice(Find *f, Node *n, int out)
{
    Store *st = f->st;
    i64 step = n->attrs[1].i, len;
    bool known = node_const_i64(n->ops[2], &len);
    Size *start = size_of_node(st, n->ops[1]), *one = size_const(st, 1), *zero = size_const(st, 0);
    RowRead r = {.at = n, .out = out, .first = start, .there = true};
    if (step == 1) {
        r.count = size_of_node(st, n->ops[2]);
        r.end = end_after(f, start, r.count);
    } else if (step > 0)
        r.end =
            known && len > 0 ? size_add(st, start, size_const(st, (len - 1) * step + 1)) : f->rows;
    else {
        r.first = known && len > 0 ? size_add(st, start, size_const(st, (len - 1) * step)) : zero;
        r.end = size_add(st, start, one);
    }
    if (!size_is_natural(st, r.first, f->rows) ||
        !size_is_natural(st, size_sub(st, r.end, r.first), f->rows) ||
        !size_is_natural(st, size_sub(st, f->rows, r.end), f->rows))
        return false;
    vec_push(&f->out->at, r);
    return true;
}

static bool add_gather(Find *f, Node *n, int out)
{
    const Node *at = n->ops[1];
    if (!node_is_const(at) || node_rank(at) != 1 || node_dtype(at) != DT_I64)
        return false;
    const Tensor *t = at->attrs[0].value;
    if (t->count < 1 || t->count > FEW_PLACES)
        return false;
    for (i64 i = 0; i < t->count; i++) {
        Node *place = node_i64(f->st, ((const i64 *)t->data)[i]);
        Node *row = build_index(f->st, n->ops[0], 0, place);
        if (!row || !add_index(f, row, place, out))
            return false;
    }
    vec_push(&f->out->gathers, n);
    return true;
}

static bool add_read(Find *f, Node *n, u32 operand, int out)
{
    if (operand)
        return false;
    if (n->op == OP_DIM && n->attrs[0].i == 0) {
        vec_push(&f->out->lengths, n);
        return true;
    }
    if ((n->op != OP_INDEX && n->op != OP_SLICE && n->op != OP_GATHER) || n->attrs[0].i != 0)
        return false;
    return n->op == OP_INDEX   ? add_index(f, n, n->ops[1], out)
           : n->op == OP_SLICE ? add_slice(f, n, out)
                               : add_gather(f, n, out);
}

static bool is_trace(const ScanShape *s, const Node *n, const Node *scan)
{
    return n->op == OP_PROJ && n->ops[0] == scan && n->attrs[0].i >= s->nstates &&
           n->attrs[0].i < s->steps;
}

void reads_find(Store *st, Node *scan, int nroots, Node *const *roots, const NodeVec *order,
                RowReads *out)
{
    ScanShape s = scan_shape(scan);
    Find f = {st, scan, trace_rows(st, scan), out};
    *out = (RowReads){.others = xcalloc((size_t)s.nresults + 1, 1)};
    for (size_t i = 0; i < order->len && !out->whole; i++) {
        Node *n = order->at[i];
        for (u32 k = 0; k < n->nops && !out->whole; k++) {
            Node *o = n->ops[k];
            if (is_trace(&s, o, scan))
                out->whole = !add_read(&f, n, k, (int)o->attrs[0].i - s.nstates);
            else if (o == scan && n->op == OP_PROJ && !is_trace(&s, n, scan))
                out->others[n->attrs[0].i] = out->any_others = true;
            else if (o == scan && n->op != OP_PROJ)
                out->whole = true;
        }
    }
    for (int i = 0; i < nroots; i++)
        out->whole = out->whole || roots[i] == scan || is_trace(&s, roots[i], scan);
}

void reads_at(const Site *site, RowReads *out)
{
    Node *const *roots;
    int nroots = site_roots(site, 0, &roots);
    reads_find(site->st, site->node, nroots, roots, site_order(site), out);
}

void reads_free(RowReads *r)
{
    vec_free(&r->at);
    vec_free(&r->gathers);
    vec_free(&r->lengths);
    free(r->others);
}
