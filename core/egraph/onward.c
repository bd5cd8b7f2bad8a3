/* What a program may become: see onward.h. */
#include "egraph/onward.h"

typedef struct {
    EGraph *g;
    u32 nterms;
    TermId *stands; /* union-find: which term stands for the part */
    struct Arc {
        TermId from, to;
        u32 next; /* place + 1 of the next one of the part */
    } * arcs;
    u32 narcs, carcs;
    struct ArcList {
        u32 first, last;          /* place + 1 */
    } * arcs_of;                  /* of what stands for a part */
    u32 *seen, *met, mark, walks; /* of what stands for a part: the walk in which it was met, and
                                     the part whose arcs were followed last when it was */
    TermList work;
} Parter;

static TermId part_find(Parter *p, TermId t)
{
    while (p->stands[t] != t)
        t = p->stands[t] = p->stands[p->stands[t]];
    return t;
}

static void join_parts(Parter *p, TermId a, TermId b)
{
    TermId x = part_find(p, a), y = part_find(p, b), to = x < y ? x : y, from = x < y ? y : x;
    struct ArcList *l = &p->arcs_of[to], *m = &p->arcs_of[from];
    if (x == y)
        return;
    p->stands[from] = to;
    if (l->last && m->first)
        p->arcs[l->last - 1].next = m->first;
    l->first = l->first ? l->first : m->first;
    l->last = m->last ? m->last : l->last;
}

static void add_arc(Parter *p, TermId from, TermId to)
{
    struct ArcList *l = &p->arcs_of[part_find(p, from)];
    if (p->narcs == p->carcs) {
        p->carcs = p->carcs ? 2 * p->carcs : 64;
        p->arcs = xrealloc(p->arcs, p->carcs * sizeof *p->arcs);
    }
    p->arcs[p->narcs++] = (struct Arc){from, to, l->first};
    l->first = p->narcs;
    l->last = l->last ? l->last : p->narcs;
}

/* ---- walks ---- */

static void meet_part(Parter *p, TermId part)
{
    if (p->seen[part] == p->walks)
        return;
    p->seen[part] = p->walks;
    vec_push(&p->work, part);
}

/* Arcs that stay in the part, or lead where another one does, are taken out of its list. */
static void follow_arcs(Parter *p, TermId part)
{
    struct ArcList *l = &p->arcs_of[part];
    u32 *link = &l->first, last = 0;
    p->met[part] = ++p->mark;
    for (u32 k = l->first; k; k = p->arcs[k - 1].next) {
        TermId to = part_find(p, p->arcs[k - 1].to);
        if (p->met[to] == p->mark)
            continue;
        p->met[to] = p->mark;
        *link = last = k;
        link = &p->arcs[k - 1].next;
        meet_part(p, to);
    }
    *link = 0;
    l->last = last;
}

/* Parts that this one leads to are put behind it in p->work; stops once `to` is there, if that is
 * not NO_TERM. */
static bool walk_from(Parter *p, TermId part, TermId to)
{
    p->work.len = 0;
    p->walks++;
    meet_part(p, part);
    for (size_t i = 0; i < p->work.len; i++) {
        if (p->work.at[i] == to)
            return true;
        follow_arcs(p, p->work.at[i]);
    }
    return false;
}

static bool leads(Parter *p, TermId a, TermId b)
{
    a = part_find(p, a), b = part_find(p, b);
    return a == b || walk_from(p, a, b);
}

/* Does each operand of the one end lead to the one of the other end that it goes with? */
static bool operands_lead(Parter *p, const Equality *e, bool back)
{
    const Term *a = eg_term(p->g, e->a), *b = eg_term(p->g, e->b);
    for (u32 i = 0; i < a->node->nops; i++) {
        TermId x = a->kids[i], y = b->kids[e->with ? e->with[i] : i];
        if (!leads(p, back ? y : x, back ? x : y))
            return false;
    }
    return true;
}

/* ---- the relation ---- */

static void add_rules(Parter *p)
{
    for (size_t i = 0; i < p->g->why.len; i++) {
        const Equality *e = &p->g->why.at[i];
        if (!e->rule)
            continue;
        if (!equality_is_one_way(e))
            join_parts(p, e->a, e->b);
        else
            add_arc(p, e->rule->backwards ? e->b : e->a, e->rule->backwards ? e->a : e->b);
    }
}

/* What is not known yet of a congruence: bit 0, that a leads to b; bit 1, back. */
static bool add_congruence(Parter *p, const Equality *e, u8 *open)
{
    bool onward = *open & 1 && operands_lead(p, e, false),
         back = *open & 2 && operands_lead(p, e, true);
    if (!onward && !back)
        return false;
    *open &= (u8) ~(onward | back << 1);
    if (!*open)
        join_parts(p, e->a, e->b);
    else if (onward)
        add_arc(p, e->a, e->b);
    else
        add_arc(p, e->b, e->a);
    return true;
}

static void add_congruences(Parter *p)
{
    size_t n = p->g->why.len;
    u8 *open = xmalloc(n + 1);
    memset(open, 3, n);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < n; i++) {
            const Equality *e = &p->g->why.at[i];
            if (!e->rule && open[i])
                more = add_congruence(p, e, &open[i]) || more;
        }
    }
    free(open);
}

/* Parts that lead to each other are one. */
static void join_circles(Parter *p)
{
    for (u32 i = 0; i < p->narcs; i++)
        if (leads(p, p->arcs[i].to, p->arcs[i].from))
            join_parts(p, p->arcs[i].to, p->arcs[i].from);
}

static bool has_one_way(const EGraph *g)
{
    for (size_t i = 0; i < g->why.len; i++)
        if (equality_is_one_way(&g->why.at[i]))
            return true;
    return false;
}

static void parter_open(Parter *p, EGraph *g)
{
    size_t n = g->terms.len;
    *p = (Parter){.g = g, .nterms = (u32)n};
    p->stands = xmalloc((n + 1) * sizeof *p->stands);
    p->arcs_of = xcalloc(n + 1, sizeof *p->arcs_of);
    p->seen = xcalloc(n + 1, sizeof *p->seen);
    p->met = xcalloc(n + 1, sizeof *p->met);
    for (TermId i = 0; i < n; i++)
        p->stands[i] = i;
}

static void parter_close(Parter *p)
{
    free(p->stands);
    free(p->arcs);
    free(p->arcs_of);
    free(p->seen);
    free(p->met);
    vec_free(&p->work);
}

/* ---- what is kept of it ---- */

static void number_parts(Onward *o, Parter *p)
{
    for (TermId t = 0; t < o->nterms; t++) { /* the least term stands for a part */
        TermId s = part_find(p, t);
        o->part[t] = s == t ? o->nparts++ : o->part[s];
    }
}

typedef VEC(u32) Pairs; /* i and a member of its list, one after the other */

/* Lists in the order of the pairs. */
static PartLists lists_of(u32 n, const Pairs *pairs)
{
    PartLists l = {xcalloc((size_t)n + 2, sizeof *l.first),
                   xmalloc((pairs->len / 2 + 1) * sizeof *l.at)};
    for (size_t i = 0; i < pairs->len; i += 2)
        l.first[pairs->at[i] + 2]++;
    for (u32 i = 2; i < n + 2; i++)
        l.first[i] += l.first[i - 1];
    for (size_t i = 0; i < pairs->len; i += 2) /* first[i + 1] moves on to where i's end */
        l.at[l.first[pairs->at[i] + 1]++] = pairs->at[i + 1];
    return l;
}

static void add_pair(Pairs *pairs, u32 a, u32 b)
{
    vec_push(pairs, a);
    vec_push(pairs, b);
}

static bool in_list(const PartLists *l, u32 i, u32 x)
{
    for (u32 k = l->first[i]; k < l->first[i + 1]; k++)
        if (l->at[k] == x)
            return true;
    return false;
}

static void find_sources(Onward *o, Parter *p)
{
    Pairs pairs = {0};
    for (TermId t = 0; t < o->nterms; t++) {
        if (part_find(p, t) != t)
            continue;
        walk_from(p, t, NO_TERM);
        for (size_t i = 0; i < p->work.len; i++)
            add_pair(&pairs, o->part[p->work.at[i]], o->part[t]);
    }
    o->from = lists_of(o->nparts, &pairs);
    vec_free(&pairs);
}

static int by_number(const void *a, const void *b)
{
    u32 x = *(const u32 *)a, y = *(const u32 *)b;
    return (x > y) - (x < y);
}

static void parts_of_operands(const Onward *o, EGraph *g, TermId t, u32 *out)
{
    const Term *x = eg_term(g, t);
    for (u32 i = 0; i < x->node->nops; i++)
        out[i] = o->part[x->kids[i]];
    if (eg_any_order(x->node->op, x->node->nops))
        qsort(out, x->node->nops, sizeof *out, by_number);
}

/* Has a dup the form of its e-node by parts, too? */
static bool is_dup(const Onward *o, EGraph *g, TermId t)
{
    TermId living = eg_living(g, t);
    u32 n = eg_node(g, t)->nops, small[2][16], *big = n > 16 ? xmalloc(2 * n * sizeof *big) : NULL,
        *a = big ? big : small[0], *b = big ? big + n : small[1];
    bool same =
        living < o->nterms && o->part[living] == o->part[t] && eg_node(g, living)->nops == n;
    if (same) {
        parts_of_operands(o, g, t, a);
        parts_of_operands(o, g, living, b);
        same = !n || !memcmp(a, b, n * sizeof *a);
    }
    free(big);
    return same;
}

static void add_form(Onward *o, EGraph *g, TermId t, Pairs *forms, Pairs *users)
{
    const Term *x = eg_term(g, t);
    u32 part = o->part[t];
    for (u32 k = o->from.first[part]; k < o->from.first[part + 1]; k++)
        add_pair(forms, o->from.at[k], t);
    for (u32 i = 0; i < x->node->nops; i++)
        add_pair(users, o->part[x->kids[i]], t);
}

/* In the order of classes, and of the e-nodes in each of them; what is an e-node by parts only
 * comes last. */
static void list_forms(Onward *o, EGraph *g)
{
    Pairs forms = {0}, users = {0};
    for (TermId c = 0; c < o->nterms; c++)
        for (size_t i = 0; g->classes.at[c] && i < g->classes.at[c]->terms.len; i++)
            add_form(o, g, g->classes.at[c]->terms.at[i], &forms, &users);
    for (TermId t = 0; t < o->nterms; t++)
        if (eg_term(g, t)->dup && !is_dup(o, g, t))
            add_form(o, g, t, &forms, &users);
    o->forms = lists_of(o->nparts, &forms);
    o->users = lists_of(o->nparts, &users);
    vec_free(&forms);
    vec_free(&users);
}

void onward_open(Onward *o, EGraph *g, bool freely)
{
    Parter p;
    parter_open(&p, g);
    *o = (Onward){.nterms = p.nterms, .part = xmalloc(((size_t)p.nterms + 1) * sizeof *o->part)};
    if (freely || !has_one_way(g)) {
        for (TermId t = 0; t < p.nterms; t++)
            join_parts(&p, t, eg_find(g, t));
    } else {
        add_rules(&p);
        add_congruences(&p);
        join_circles(&p);
    }
    number_parts(o, &p);
    find_sources(o, &p);
    list_forms(o, g);
    parter_close(&p);
}

static void lists_free(PartLists *l)
{
    free(l->first);
    free(l->at);
}

void onward_close(Onward *o)
{
    free(o->part);
    lists_free(&o->forms);
    lists_free(&o->from);
    lists_free(&o->users);
}

bool onward_leads(const Onward *o, TermId a, TermId b)
{
    return in_list(&o->from, o->part[b], o->part[a]);
}
