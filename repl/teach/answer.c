/* Answers.  See answer.h.
 *
 * Numbers are compared as people write them: whole ones exactly, others up to a small part of
 * them. */
#include "repl/teach/answer.h"

#include "repl/commands/show.h"
#include "session/keep.h"
#include "tensor/philox.h"

#include <math.h>

enum { TRIALS = 9, FREE_SIZE = 3 };

/* ---- numbers ---- */

#define USUALLY_WITHIN 5e-4

static bool same_number(double got, double want, double within)
{
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want);
    if (got == want)
        return true;
    if (within < 0)
        within = floor(want) == want ? 1e-9 : USUALLY_WITHIN;
    return isfinite(want) && fabs(got - want) <= within * fmax(fabs(want), 1e-9);
}

static bool same_shape(const Tensor *a, const Tensor *b)
{
    return a->rank == b->rank &&
           memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape) == 0;
}

static Mark compare_tensors(const Tensor *got, const Tensor *want, double within)
{
    if ((got->dtype == DT_BOOL) != (want->dtype == DT_BOOL) ||
        (got->dtype == DT_RNG) != (want->dtype == DT_RNG))
        return MARK_KIND;
    if (!same_shape(got, want))
        return MARK_SHAPE;
    if (got->dtype == DT_RNG)
        return tensor_same_bits(got, want) ? MARK_RIGHT : MARK_WRONG;
    Mark v = MARK_RIGHT;
    for (i64 i = 0; i < got->count && v != MARK_WRONG; i++) {
        double a = tensor_f64_at(got, i), b = tensor_f64_at(want, i);
        if (same_number(a, b, within))
            continue;
        bool near = floor(b) != b && same_number(a, b, 0.03);
        v = near ? MARK_NEAR : MARK_WRONG;
    }
    return v;
}

static Mark compare_all(int n, Tensor *const *got, int m, Tensor *const *want, double within)
{
    Mark v = n == m ? MARK_RIGHT : MARK_SHAPE;
    for (int i = 0; i < n && i < m && v == MARK_RIGHT; i++)
        v = compare_tensors(got[i], want[i], within);
    return v;
}

/* ---- formulas: the same on other inputs, too ---- */

static Tensor *random_input(Session *s, const Node *leaf, const Tensor *given, int round)
{
    const Type *t = leaf->type;
    i64 shape[MAX_RANK];
    for (int a = 0; a < t->rank; a++)
        if (given)
            shape[a] = given->shape[a];
        else if (!size_is_const(t->dims[a], &shape[a]))
            shape[a] = FREE_SIZE + t->dims[a]->constant;
    Tensor *f = t->dtype == DT_RNG ? NULL : tensor_new(&s->st.heap, DT_F64, t->rank, shape);
    if (!f)
        return given ? tensor_ref((Tensor *)(uintptr_t)given) : NULL;
    rng_uniform(rng_seed(100 * round + (i64)leaf_place(&s->st, leaf) + 1), DT_F64, f->count,
                f->data);
    double *at = f->data;
    for (i64 i = 0; i < f->count; i++) /* some functions ask for positive ones */
        at[i] = dtype_is_int(t->dtype) ? 1 + floor(5 * at[i])
                : t->dtype == DT_BOOL  ? at[i] > 0.5
                : round % 3 == 0       ? 0.3 + 2 * at[i]
                : round % 3 == 1       ? -0.3 - 2 * at[i]
                                       : 5 * at[i] - 2.5;
    Tensor *r = tensor_cast(&s->st.heap, f, t->dtype);
    tensor_unref(f);
    return r;
}

static Tensor *given_value(Session *s, const Leaf *leaf)
{
    return leaf->shared ? map_get(&s->contexts.at[0]->values, leaf->node) : leaf->value;
}

/* Evaluates as rewritten, with the inputs of a trial; results are references.  NULL: an error,
 * which is forgotten. */
static Tensor **evaluate_trial(Session *s, int n, Node *const *roots, const Trial *t)
{
    TensorMap values = {0};
    Tensor **out = xcalloc((size_t)n + 1, sizeof *out);
    DiagTry trial;
    diag_try_begin(&trial, &s->st.diags);
    for (size_t i = 0; i < t->names.len; i++) {
        Value *v = env_own(s->elab.globals, symbol(&s->st, t->names.at[i]));
        bool leaf = v && v->kind == V_NODE && (v->node->op == OP_INPUT || v->node->op == OP_SHARED);
        if (leaf && v->node->type->dtype == t->inputs.at[i]->dtype &&
            v->node->type->rank == t->inputs.at[i]->rank)
            map_put(&values, v->node, t->inputs.at[i]);
    }
    Exploration *x = session_explore(s, n, roots);
    bool ok = x && x->nroots == n && session_evaluate_raw(s, n, x->roots, &values, out);
    diag_try_end(&trial);
    map_free(&values);
    if (ok)
        return out;
    free(out);
    return NULL;
}

static void drop(Tensor **values, int n)
{
    for (int i = 0; values && i < n; i++)
        tensor_unref(values[i]);
    free(values);
}

static void add_trial(Answer *a, Session *s, int n, Node *const *roots, int round)
{
    Trial t = {{0}, {0}, NULL};
    for (size_t i = 0; i < s->leaves.len; i++) {
        const Leaf *leaf = &s->leaves.at[i];
        Tensor *x = leaf_in_force(s, leaf)
                        ? random_input(s, leaf->node, given_value(s, leaf), round)
                        : NULL;
        if (!x)
            continue;
        vec_push(&t.names, leaf->name);
        vec_push(&t.inputs, x);
    }
    t.results = evaluate_trial(s, n, roots, &t);
    vec_push(&a->trials, t);
}

/* ---- working out ---- */

static void show_values(Answer *a, Repl *r)
{
    Text out = {0};
    for (int i = 0; i < a->n; i++) {
        text_put(&out, i ? ", " : "");
        show_brief(r, &out, a->values[i]);
    }
    a->text = text_take(&out);
}

static bool work_out_value(Answer *a, Repl *r, const Question *q, Span at)
{
    Session *s = &r->s;
    Node **roots = NULL, *missing;
    int n = session_roots_at(s, at, &roots);
    bool formula = q->kind == ASK_FORMULA, ok = n >= 0;
    if (!ok)
        return false;
    a->n = n;
    bool waits = session_missing(s, n, roots, &missing);
    if (waits && !formula)
        diag_add(&s->diags, "lesson", at, "give it one, or ask with `formula:`",
                 "this answer has no value: an input has none");
    ok = !waits || formula;
    a->values = !waits && ok ? xcalloc((size_t)n + 1, sizeof *a->values) : NULL;
    ok = ok && (!a->values || session_evaluate(s, n, roots, a->values));
    for (int round = 0; ok && formula && round < TRIALS; round++)
        add_trial(a, s, n, roots, round);
    if (ok && !formula)
        show_values(a, r);
    free(roots);
    return ok;
}

static bool work_out_type(Answer *a, Repl *r, Span at)
{
    Value *v = session_value(&r->s, at);
    Text type = {0};
    if (v)
        value_type_print(&r->s.elab, &type, v);
    a->text = text_take(&type);
    return v != NULL;
}

static bool work_out_step(Answer *a, Repl *r, const Question *q, Span at)
{
    Session *s = &r->s;
    Node **roots = NULL;
    int n = session_roots_at(s, at, &roots);
    Exploration *x = n >= 0 ? session_explore(s, n, roots) : NULL;
    free(roots);
    if (!x)
        return false;
    if (q->step > x->log.at.len)
        diag_add(&s->diags, "lesson", at, ":steps lists them", "this has %zu steps, not %u",
                 x->log.at.len, q->step);
    else
        a->text = xstrdup(step_rule(&x->log.at.at[q->step - 1]));
    return a->text != NULL;
}

char *part_text(const Source *page, Part p)
{
    Text t = {0};
    text_putn(&t, page->text + p.start, p.end - p.start);
    return text_take(&t);
}

bool answer_work_out(Answer *a, Repl *judge, const Source *page, const Question *q, Part what)
{
    Session *s = &judge->s;
    bool words = q->kind == ASK_TYPE || q->kind == ASK_STEP, answer = what.start == q->answer.start;
    *a = (Answer){0};
    if (words && !answer) { /* a mistake is a type or a rule itself */
        a->text = part_text(page, what);
        return true;
    }
    Text padded = {0};
    size_t before = what.start;
    for (size_t i = 0; i < what.start; i++)
        if (page->text[i] == '\n')
            text_putc(&padded, '\n'), before = what.start - i - 1;
    for (size_t i = 0; i < before; i++)
        text_putc(&padded, ' ');
    u32 start = (u32)padded.len;
    text_putn(&padded, page->text + what.start, what.end - what.start);
    const Source *src = session_source(s, page->name, text_str(&padded), padded.len);
    source_open(s, src);
    Chapter *outer = session_begin(s, src);
    Span at = {src, start, (u32)padded.len};
    text_free(&padded);
    bool ok = q->kind == ASK_TYPE   ? work_out_type(a, judge, at)
              : q->kind == ASK_STEP ? work_out_step(a, judge, q, at)
                                    : work_out_value(a, judge, q, at);
    if (ok && q->kind == ASK_FORMULA)
        a->text = part_text(page, what);
    repl_report(judge);
    diags_clear(&s->diags);
    judge->reported = 0;
    session_end(s, outer);
    source_close(s);
    return ok;
}

void answer_free(Answer *a)
{
    for (size_t k = 0; k < a->trials.len; k++) {
        Trial *t = &a->trials.at[k];
        for (size_t i = 0; i < t->inputs.len; i++)
            tensor_unref(t->inputs.at[i]);
        drop(t->results, a->n);
        vec_free(&t->inputs);
        vec_free(&t->names);
    }
    vec_free(&a->trials);
    drop(a->values, a->n);
    free(a->text);
    *a = (Answer){0};
}

/* ---- judging ---- */

Mark answer_to_result(const Answer *a, const Question *q, Repl *r, const Result *res)
{
    bool value = res->kind == RESULT_VALUE;
    if (!value && res->kind != RESULT_GRAPH)
        return MARK_KIND;
    Mark here = value && a->values ? compare_all(res->n, res->tensors, a->n, a->values, q->within)
                                   : MARK_RIGHT;
    if (q->kind != ASK_FORMULA)
        return value ? here : MARK_KIND;
    Mark v = here;
    for (size_t k = 0; k < a->trials.len && v == MARK_RIGHT; k++) {
        const Trial *t = &a->trials.at[k];
        Tensor **got = evaluate_trial(&r->s, res->n, res->roots, t);
        if (t->results)
            v = got ? compare_all(res->n, got, a->n, t->results, 1e-6) : MARK_WRONG;
        drop(got, res->n);
    }
    return v != MARK_RIGHT && here == MARK_RIGHT && value && a->values ? MARK_HERE : v;
}

bool answers_same(const Answer *a, const Answer *b, const Question *q)
{
    if (q->kind == ASK_TYPE || q->kind == ASK_STEP)
        return answer_to_words(a, q, b->text);
    bool same = !a->values || !b->values ||
                compare_all(b->n, b->values, a->n, a->values, q->within) == MARK_RIGHT;
    for (size_t k = 0; k < a->trials.len && k < b->trials.len && same; k++)
        if (a->trials.at[k].results && b->trials.at[k].results)
            same = compare_all(b->n, b->trials.at[k].results, a->n, a->trials.at[k].results,
                               1e-6) == MARK_RIGHT;
    return same;
}

/* ---- words ---- */

static void put_bare(Text *out, const char *s)
{
    for (; *s; s++)
        if (!strchr(" \t\r\n`", *s))
            text_putc(out, *s);
}

/* "(3,)" as "[3]". */
static char *as_shape(const char *typed)
{
    Text t = {0};
    put_bare(&t, typed);
    if (t.len >= 2 && t.at[0] == '(' && t.at[t.len - 1] == ')') {
        bool comma = t.at[t.len - 2] == ',';
        t.len -= comma ? 2 : 1;
        t.at[t.len] = '\0';
        text_putc(&t, ']');
        t.at[0] = '[';
    }
    return text_take(&t);
}

bool answer_is_type(const char *typed)
{
    char *s = as_shape(typed);
    bool is = s[0] == '[';
    for (DType d = 0; d < DT_COUNT && !is; d++) {
        size_t n = strlen(dtype_name(d));
        is = strncmp(s, dtype_name(d), n) == 0 && (!s[n] || s[n] == '[');
    }
    free(s);
    return is;
}

bool answer_to_words(const Answer *a, const Question *q, const char *typed)
{
    char *got = as_shape(typed);
    Text want = {0};
    put_bare(&want, a->text);
    const char *shape = text_str(&want) + strcspn(text_str(&want), "[");
    bool same = strcmp(got, text_str(&want)) == 0;
    if (q->kind == ASK_TYPE && got[0] == '[')
        same = strcmp(got, *shape ? shape : "[]") == 0;
    text_free(&want);
    free(got);
    return same;
}
