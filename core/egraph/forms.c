/* Sums of products: e-nodes with one index form are equal, however far apart they are by rules.
 *
 * Forms are made of terms as they stand, and of the smallest term of each class, so that what other
 * rules found counts too, each in a step of its own. A union by a form is a step like any other.
 *
 * Invariant: two terms are united only if their own forms agree, so the step that puts one in place
 * of the other needs nothing else that the e-graph knows. */
#include "egraph/forms.h"

#include "ops/ops.h"

enum {
    MOST_FORMED = 4000 /* terms of one e-graph whose forms are made, and up to how many the smallest
                          terms of classes are looked for: milliseconds */
};

/* How much is told of operators in a form: the less, the fewer classes it needs. */
enum { PLAIN, RELATIONS, LOOSE, KINDS };

typedef struct {
    Algebra algebra;
    MAP(const Form *, TermId) first; /* form -> the first term that has it + 1 */
    VEC(TermId) others;              /* by term: the next one with the same form and another type,
                                        + 1 */
    size_t seen;                     /* terms that were looked at */
    TermId compared[2];              /* the sides that were, last */
} FormsOfKind;

struct SaturatorForms {
    FormsOfKind kinds[KINDS];
};

void saturator_forms_close(Saturator *s)
{
    if (!s->forms)
        return;
    for (int k = 0; k < KINDS; k++) {
        algebra_free(&s->forms->kinds[k].algebra);
        map_free(&s->forms->kinds[k].first);
        vec_free(&s->forms->kinds[k].others);
    }
    free(s->forms);
    s->forms = NULL;
}

FormLimit saturator_form_limit(const Saturator *s)
{
    FormLimit none = {0};
    for (int k = 0; s->forms && k < KINDS; k++)
        if (s->forms->kinds[k].algebra.limited.what)
            return s->forms->kinds[k].algebra.limited;
    return none;
}

static SaturatorForms *forms_of(Saturator *s)
{
    if (s->forms)
        return s->forms;
    s->forms = xcalloc(1, sizeof *s->forms);
    for (int k = 0; k < KINDS; k++) {
        Algebra *a = &s->forms->kinds[k].algebra;
        algebra_init(a, s->e->st);
        a->relations = k >= RELATIONS;
        a->loose = k >= LOOSE;
    }
    return s->forms;
}

/* The term that has this form and this type; t itself, noted as that, if it is the first. */
static TermId same_form(Saturator *s, FormsOfKind *f, TermId t, const Form *form)
{
    TermId at = map_get(&f->first, form), last = 0;
    for (; at; at = f->others.at[at - 1]) {
        if (eg_node(&s->g, at - 1)->type == eg_node(&s->g, t)->type)
            return at - 1;
        last = at;
    }
    while (f->others.len <= t)
        vec_push(&f->others, 0u);
    if (last)
        f->others.at[last - 1] = t + 1;
    else
        map_put(&f->first, form, t + 1);
    return t;
}

static const Rule *rule_for(Saturator *s, u32 classes)
{
    return engine_rule(s->e,
                       classes & (HAZARD_R | HAZARD_O) ? "same-sum-of-products" : "same-elements");
}

/* Has `in` an operator that may fail for each that may below `from`? A form does not say what was
 * multiplied by 0; operands may have another form, so nodes are not compared. */
static bool keeps_errors(Saturator *s, Node *from, Node *in)
{
    u64 kept[OP_WORDS] = {0};
    NodeVec order = {0};
    bool keeps = true;
    if (nodes_are_total(s->e->st, from))
        return true;
    nodes_topo(1, &in, &order);
    for (size_t i = 0; i < order.len; i++)
        if (!node_is_total(s->e->st, order.at[i]))
            kept[order.at[i]->op / 64] |= 1ull << order.at[i]->op % 64;
    order.len = 0;
    nodes_topo(1, &from, &order);
    for (size_t i = 0; i < order.len && keeps; i++)
        keeps = node_is_total(s->e->st, order.at[i]) ||
                kept[order.at[i]->op / 64] >> order.at[i]->op % 64 & 1;
    vec_free(&order);
    return keeps;
}

static void unite_by_form(Saturator *s, FormsOfKind *f, TermId t)
{
    Node *n = eg_node(&s->g, t);
    FormOf mine = algebra_form(&f->algebra, n);
    if (!mine.form)
        return;
    TermId other = same_form(s, f, t, mine.form);
    if (other == t || eg_find(&s->g, other) == eg_find(&s->g, t))
        return;
    FormOf its = algebra_form(&f->algebra, eg_node(&s->g, other));
    u32 classes = form_hazards(mine.classes | its.classes);
    Node *known = eg_node(&s->g, other);
    if (!keeps_errors(s, n, known) || !keeps_errors(s, known, n))
        classes |= HAZARD_S;
    const Rule *rule = rule_for(s, classes);
    Equality why = {.a = t, .b = other, .rule = rule, .extra = classes, .both = true};
    if (rule && saturator_may_use(s, rule->classes | why.extra))
        eg_union(&s->g, &why);
}

/* Two sides that agree over one denominator, or element by element. */
static void unite_agreeing(Saturator *s, FormsOfKind *f, TermId x, TermId y)
{
    Node *nx = eg_node(&s->g, x), *ny = eg_node(&s->g, y);
    bool again = f->compared[0] == x && f->compared[1] == y && x != y;
    f->compared[0] = x;
    f->compared[1] = y;
    if (again || eg_find(&s->g, x) == eg_find(&s->g, y) || nx->type != ny->type)
        return;
    FormOf fx = algebra_form(&f->algebra, nx), fy = algebra_form(&f->algebra, ny);
    u32 extra;
    if (!fx.form || !fy.form || !form_agrees(&f->algebra, fx.form, fy.form, &extra))
        return;
    extra |= form_hazards(fx.classes | fy.classes);
    const Rule *rule = rule_for(s, extra);
    if (!keeps_errors(s, nx, ny) || !keeps_errors(s, ny, nx))
        extra |= HAZARD_S;
    Equality why = {.a = x, .b = y, .rule = rule, .extra = extra, .both = true};
    if (rule && saturator_may_use(s, rule->classes | extra))
        eg_union(&s->g, &why);
}

/* ---- the smallest term of each class ---- */

/* A loop is an atom of a form, which says nothing of its steps: written out they come first. */
enum { TOO_LARGE = 1 << 20, SIZE_OF_LOOP = 200 };

/* By term that stands for a class: how large its smallest term is, and which that is. */
typedef struct {
    VEC(u32) size;
    VEC(TermId) term;
    VEC(Node *) node;
} Smallest;

static u32 size_of_term(Saturator *s, const Smallest *m, TermId t)
{
    const Term *x = eg_term(&s->g, t);
    u32 size = x->node->op == OP_SCAN ? SIZE_OF_LOOP : 1;
    for (u32 i = 0; i < x->node->nops && size < TOO_LARGE; i++)
        size += m->size.at[eg_find(&s->g, x->kids[i])];
    return size < TOO_LARGE ? size : TOO_LARGE;
}

static void find_smallest(Saturator *s, Smallest *m)
{
    for (size_t i = 0; i < s->g.terms.len; i++) {
        vec_push(&m->size, (u32)TOO_LARGE);
        vec_push(&m->term, (TermId)NO_TERM);
        vec_push(&m->node, (Node *)NULL);
    }
    for (bool better = true; better;) {
        better = false;
        for (TermId t = 0; t < s->g.terms.len; t++) {
            TermId c = eg_find(&s->g, t);
            u32 size = size_of_term(s, m, t);
            if (size >= m->size.at[c])
                continue;
            m->size.at[c] = size;
            m->term.at[c] = t;
            better = true;
        }
    }
}

/* Operands are smaller, so this ends; forms of a class that is as deep as that are not made. */
static Node *smallest_node(Saturator *s, Smallest *m, TermId class, int depth)
{
    enum { MOST_OPS = 32, MOST_DEPTH = 200 };
    TermId t = m->term.at[class];
    if (m->node.at[class] || t == NO_TERM || depth > MOST_DEPTH)
        return m->node.at[class];
    Node *n = eg_node(&s->g, t), *ops[MOST_OPS];
    if (n->nops > MOST_OPS)
        return NULL;
    bool same = true;
    for (u32 i = 0; i < n->nops; i++) {
        ops[i] = smallest_node(s, m, eg_find(&s->g, eg_term(&s->g, t)->kids[i]), depth + 1);
        if (!ops[i])
            return NULL;
        same = same && ops[i] == n->ops[i];
    }
    Node *out = same ? n : node_with_operands(s->e->st, n, ops);
    return m->node.at[class] = out && out->type == n->type ? out : NULL;
}

static void unite_smallest(Saturator *s, FormsOfKind *f, int n, Node *const *roots)
{
    Smallest m = {0};
    Node *sides[2] = {0};
    bool compares = s->how->equate && n == 2 && f->algebra.relations && !f->algebra.loose;
    size_t end = s->g.terms.len;
    find_smallest(s, &m);
    for (int i = 0; i < n && compares && i < 2; i++)
        sides[i] = smallest_node(s, &m, eg_find(&s->g, eg_add(&s->g, roots[i])), 0);
    for (TermId c = 0; c < end && !store_stops(s->e->st); c++) {
        Node *small = s->g.classes.at[c] ? smallest_node(s, &m, c, 0) : NULL;
        if (small && !map_has(&s->g.of, small))
            unite_by_form(s, f, eg_add(&s->g, small));
    }
    if (sides[0] && sides[1])
        unite_agreeing(s, f, eg_add(&s->g, sides[0]), eg_add(&s->g, sides[1]));
    vec_free(&m.size);
    vec_free(&m.term);
    vec_free(&m.node);
}

static void unite_of_kind(Saturator *s, FormsOfKind *f, int n, Node *const *roots)
{
    for (int i = 0; i < n; i++) /* first: they may need all that there is room for */
        unite_by_form(s, f, eg_add(&s->g, roots[i]));
    for (; f->seen < s->g.terms.len && f->seen < MOST_FORMED; f->seen++)
        unite_by_form(s, f, (TermId)f->seen);
    if (s->g.terms.len <= MOST_FORMED)
        unite_smallest(s, f, n, roots);
    eg_rebuild(&s->g);
}

void saturator_unite_forms(Saturator *s, int n, Node *const *roots, bool relations)
{
    if (s->closed || s->how->rules || !engine_rule(s->e, "same-elements"))
        return;
    SaturatorForms *f = forms_of(s);
    for (int k = 0; k < (relations ? KINDS : RELATIONS); k++)
        unite_of_kind(s, &f->kinds[k], n, roots);
}
