/* Two terms with the same values: known, a candidate, or only nearly equal. */
#include "discover/discovering.h"

enum { FEW_NODES = 500, FEW_ITERATIONS = 8 }; /* most proofs of small terms take less */

/* A pair as it is shown. */
typedef struct {
    const char *left, *right;
    Node *nodes[2];
    bool same; /* it agrees at all points, not only at the positive ones */
} Sides;

/* ---- counterexamples ---- */

static void put_value(Text *out, const Witness *w, int side)
{
    if (w->sides[side])
        tensor_print(out, w->sides[side], 20, 6);
    else
        text_printf(out, "an error (%s)", w->error[side]);
}

/* "for x = -1.0 the left side is 1.0, the right side is -1.0", on one line. */
static const char *counterexample(Discoverer *d, const Witness *w)
{
    Text t = {0};
    for (size_t i = 0; i < w->inputs.len; i++) {
        text_printf(&t, "%s%s = ", i ? ", " : "for ", w->inputs.at[i].leaf->attrs[0].name);
        tensor_print(&t, w->inputs.at[i].value, 20, 0);
    }
    text_put(&t, " the left side is ");
    put_value(&t, w, 0);
    text_put(&t, ", the right side is ");
    put_value(&t, w, 1);
    for (size_t i = 0; i < t.len; i++)
        t.at[i] = t.at[i] == '\n' ? ' ' : t.at[i];
    const char *r = arena_strndup(&d->out->arena, text_str(&t), t.len);
    text_free(&t);
    return r;
}

/* ---- what it holds under ---- */

static Assumptions signs_of_all(const Evidence *e, AssumedSign sign)
{
    Assumptions a = {0};
    for (size_t i = 0; i < e->points.own && a.n < MOST_ASSUMED; i++)
        if (e->points.leaves.at[i]->type->dtype != DT_BOOL)
            a.at[a.n++] = (Assumption){e->points.leaves.at[i], sign};
    return a;
}

/* Signs of as few inputs as may be, where no difference was seen; false: there are none. */
static bool find_signs(const Evidence *e, Assumptions *out)
{
    *out = signs_of_all(e, AT_LEAST_ZERO);
    if (!out->n || !evidence_agrees_given(e, out))
        *out = signs_of_all(e, ABOVE_ZERO);
    if (!out->n || !evidence_agrees_given(e, out))
        return false;
    for (int i = 0; out->n > 1 && i < out->n;) {
        Assumptions fewer = assumptions_without(out, i);
        if (evidence_agrees_given(e, &fewer))
            *out = fewer;
        else
            i++;
    }
    return true;
}

/* ---- one pair ---- */

/* What `:equal` says; `soon`: with few e-nodes. */
static bool ask(Discoverer *d, const Sides *p, bool soon, SidesCompared *e)
{
    Saturating how = d->s.options.saturating;
    DiagTry trial;
    if (soon) {
        how.nodes = FEW_NODES;
        how.iterations = FEW_ITERATIONS;
    }
    diag_try_begin(&trial, &d->s.st.diags);
    bool ok = session_equal(&d->s, &how, p->nodes, e) && !store_stops(&d->s.st);
    diag_try_end(&trial);
    return ok;
}

/* With few e-nodes it was not proved: would it be with as many as `:equal` takes? */
static bool proved_at_last(Discoverer *d, const Sides *p, const SidesCompared *before)
{
    SidesCompared e;
    if (before->growth.stop == SATURATE_DONE)
        return false;
    bool proved = ask(d, p, false, &e) && e.verdict <= VERDICT_IF;
    equal_free(&e);
    return proved;
}

static void add(Discoverer *d, const Found *f)
{
    vec_push(&d->out->found, *f);
    if (f->kind != FOUND_RULE)
        return;
    d->rules++;
    candidate_join(d, f);
}

static void judge(Discoverer *d, const Sides *p, const SidesCompared *e)
{
    Assumptions given;
    Found f = {.kind = FOUND_NEARLY, .left = p->left, .right = p->right};
    bool differ = e->verdict == VERDICT_DIFFERENT,
         signs = differ && e->seen.differs.len && find_signs(&e->seen, &given);
    if (differ && !signs && !p->same)
        return; /* it was compared for what it is at some points only */
    if (!differ || signs)
        candidate_try(d, p->left, p->right, signs ? &given : NULL, &f);
    else
        f.says = counterexample(d, e->against);
    if (f.kind == FOUND_RULE && proved_at_last(d, p, e))
        d->out->proved++;
    else
        add(d, &f);
}

/* Is it new? Its variables are in order, so that it is written in one way. */
static bool is_new(Discoverer *d, const Sides *p)
{
    u64 h = hash_mix(p->nodes[0]->id + 1, p->nodes[1]->id + 1);
    return set_add(&d->compared, h ? h : 1);
}

static void compare(Discoverer *d, Sides *p)
{
    SidesCompared e;
    d->out->compared++;
    bool ok = ask(d, p, true, &e);
    if (ok && e.verdict <= VERDICT_IF)
        d->out->proved++;
    else if (ok)
        judge(d, p, &e);
    equal_free(&e);
}

void pair_compare(Discoverer *d, const Pair *p)
{
    const FoundTerm *t = &p->term, *small = &d->terms.at[p->small];
    if (t->node->type != small->node->type)
        return;
    bool turned = !mentions_all(d, t->text, small->text);
    const char *texts[2] = {turned ? small->text : t->text, turned ? t->text : small->text};
    if (turned && !(small->composed && mentions_all(d, small->text, t->text)))
        return; /* each has a variable of its own: both are one constant */
    Sides sides = {.same = p->same};
    rename_variables(d, texts, &sides.left, &sides.right);
    sides.nodes[0] = term_node(d, sides.left);
    sides.nodes[1] = term_node(d, sides.right);
    if (sides.nodes[0] && sides.nodes[1] && is_new(d, &sides))
        compare(d, &sides);
}
