/* Expressions over states, sequences, captures and inner scans. */
#include "scan_gen_body.h"

typedef struct {
    bool vector, reverse, has_seq;
    int reach, count;
    int order; /* executed step, from 1, when unrolled */
} Inner;

typedef struct {
    ScanCase *c;
    u64 rng;
    Text *out;
    int equation;
    int order; /* 0: as a scan */
    int nest;
    Inner inner[GEN_NEST];
} Writer;

static void scalar(Writer *w, int depth);
static void vector(Writer *w, int depth);

static u32 pick(Writer *w, u32 n) { return gen_pick(&w->rng, n); }
static void put(Writer *w, const char *s) { text_put(w->out, s); }
static void any(Writer *w, int depth, bool is_vector)
{
    is_vector ? vector(w, depth) : scalar(w, depth);
}

/* ---- leaves ---- */

void gen_state_at(const ScanCase *c, int i, int order, Text *out)
{
    const GenEquation *e = &c->equations[i];
    if (order > 0)
        text_printf(out, "%s_%d", e->name, order);
    else if (e->reach == 1)
        text_printf(out, "i_%s", e->name);
    else
        text_printf(out, "i_%s[%d]", e->name, c->reverse ? -order : e->reach - 1 + order);
}

static void state_tap(Writer *w, int i, int back)
{
    ScanCase *c = w->c;
    if (w->order) {
        gen_state_at(c, i, w->order - back, w->out);
        return;
    }
    c->tapped = true;
    if (back > c->equations[i].reach)
        c->equations[i].reach = back;
    text_printf(w->out, "%s[t%c%d]", c->equations[i].name, c->reverse ? '+' : '-', back);
}

static int time_of(const Writer *w)
{
    const ScanCase *c = w->c;
    return c->reverse ? c->t0 + c->n - w->order : c->t0 + w->order - 1;
}

static void sequence_tap(Writer *w, int i, int offset)
{
    GenSeq *s = &w->c->seqs[i];
    if (w->order) {
        text_printf(w->out, "q%d[%d]", i, time_of(w) + offset);
        return;
    }
    s->low = offset < s->low ? offset : s->low;
    s->high = offset > s->high ? offset : s->high;
    text_printf(w->out, offset ? "a%d[t%+d]" : "a%d[t]", i, offset);
}

static void inner_at(int level, int order, Text *out)
{
    text_printf(out, order > 0 ? "z%d_%d" : "z%d_m%d", level, order > 0 ? order : -order);
}

static void inner_tap(Writer *w, int level, int back)
{
    const Inner *in = &w->inner[level];
    if (w->order)
        inner_at(level, in->order - back, w->out);
    else
        text_printf(w->out, "z%d[%c%c%d]", level, "jk"[level], in -> reverse ? '+' : '-', back);
}

static void inner_element(Writer *w, int level)
{
    const Inner *in = &w->inner[level];
    if (w->order)
        text_printf(w->out, "x%d[%d]", level, in->reverse ? in->count - in->order : in->order - 1);
    else
        text_printf(w->out, "x%d[%c]", level, "jk"[level]);
}

/* A state of that kind, or -1. */
static int some_state(Writer *w, bool is_vector)
{
    int found = -1, k = (int)pick(w, GEN_EQUATIONS);
    for (int i = 0; i < w->c->nequations; i++) {
        const GenEquation *e = &w->c->equations[i];
        if (e->state && e->vector == is_vector && (found < 0 || k-- > 0))
            found = i;
    }
    return found;
}

static bool leaf_state(Writer *w, bool is_vector)
{
    int i = some_state(w, is_vector), back = pick(w, 3) ? 1 : 1 + (int)pick(w, 3);
    if (i >= 0)
        state_tap(w, i, back);
    return i >= 0;
}

static bool leaf_sequence(Writer *w, bool is_vector)
{
    int offset = pick(w, 2) ? 0 : (int)pick(w, 6) - 3;
    if (w->c->seqs[is_vector].used)
        sequence_tap(w, is_vector, offset);
    return w->c->seqs[is_vector].used;
}

/* A value of this step, of an equation above. */
static bool leaf_now(Writer *w, bool is_vector)
{
    for (int i = w->equation; i-- > 0;) {
        const GenEquation *e = &w->c->equations[i];
        if (e->vector != is_vector)
            continue;
        if (w->order)
            text_printf(w->out, "%s_%d", e->name, w->order);
        else
            text_printf(w->out, "%s[t]", e->name);
        return true;
    }
    return false;
}

static bool leaf_inner(Writer *w, bool is_vector)
{
    u32 which = pick(w, GEN_NEST), element = pick(w, 2);
    if (!w->nest)
        return false;
    int level = (int)which % w->nest;
    const Inner *in = &w->inner[level];
    if (element && in->has_seq && !is_vector) {
        inner_element(w, level);
        return true;
    }
    if (in->vector == is_vector)
        inner_tap(w, level, 1);
    return in->vector == is_vector;
}

static void leaf_capture(Writer *w, bool is_vector)
{
    static const char *const scalars[] = {"c", "d", "v[1]", "M[2, 0]", "0.7", "sum(v)", "cos(c)"};
    static const char *const vectors[] = {"v",       "M[1]",         "sin(v)", "(M @ v)",
                                          "(v @ M)", "ones_like(v)", "(c * v)"};
    u32 k = pick(w, COUNT_OF(scalars));
    put(w, is_vector ? vectors[k] : scalars[k]);
}

static void leaf(Writer *w, bool is_vector)
{
    u32 kind = pick(w, 8);
    switch (w->c->family == GEN_CAPTURES ? 7 : kind) {
    case 0:
    case 1:
        if (leaf_state(w, is_vector))
            return;
        break;
    case 2:
    case 3:
        if (leaf_sequence(w, is_vector))
            return;
        break;
    case 4:
        if (leaf_now(w, is_vector))
            return;
        break;
    case 5:
        if (leaf_inner(w, is_vector))
            return;
        break;
    case 6:
        if (is_vector)
            break;
        if (w->order)
            text_printf(w->out, "(f64(%d) * 0.1)", time_of(w));
        else
            put(w, "(f64(t) * 0.1)");
        return;
    default: break;
    }
    leaf_capture(w, is_vector);
}

/* ---- inner scans ---- */

static void inner_equation(Writer *w, int depth, int level)
{
    Inner *in = &w->inner[level];
    u32 form = pick(w, 3);
    static const char *const opening[] = {"tanh(", "0.5 * ", ""}, *const middle[] = {
                                                                      " * ", " + 0.3 * ", " * "};
    put(w, opening[form]);
    inner_tap(w, level, in->reach);
    put(w, middle[form]);
    any(w, depth, in->vector);
    if (form == 0) {
        put(w, " + ");
        any(w, depth, in->vector);
        put(w, ")");
    }
}

static void inner_result(Writer *w, int level, int executed, bool total)
{
    Inner *in = &w->inner[level];
    if (!w->order) {
        text_printf(w->out, total ? in->vector ? "sum(Z%d, axis=0)" : "sum(Z%d)" : "Z%d.final",
                    level);
    } else if (!total) {
        inner_at(level, executed, w->out);
    } else {
        put(w, executed ? "" : in->vector ? "zeros(3)" : "0.0");
        for (int k = 1; k <= executed; k++) {
            put(w, k > 1 ? " + " : "");
            inner_at(level, k, w->out);
        }
    }
}

static void inner_unrolled(Writer *w, int depth, int level, int executed)
{
    u64 start = w->rng, end;
    Text scratch = {0}, *out = w->out;
    w->out = &scratch; /* the choices of a body that never runs are made too */
    inner_equation(w, depth, level);
    w->out = out;
    end = w->rng;
    for (int k = 1; k <= executed; k++) {
        w->rng = start;
        w->inner[level].order = k;
        inner_at(level, k, w->out);
        put(w, " = ");
        inner_equation(w, depth, level);
        put(w, "; ");
    }
    w->rng = end;
    text_free(&scratch);
}

static void inner_inits(Writer *w, int depth, int level, const Inner *in)
{
    bool rows = in->reach > 1;
    if (!w->order)
        text_printf(w->out, " from z%d = %s", level, rows ? "[" : "(");
    for (int i = 0; i < in->reach; i++) {
        if (w->order) {
            inner_at(level, in->reverse ? -i : i - in->reach + 1, w->out);
            put(w, " = ");
        } else {
            put(w, i ? ", " : "");
        }
        any(w, depth, in->vector);
        put(w, w->order ? "; " : "");
    }
    if (!w->order)
        put(w, rows ? "] {" : ") {");
}

/* What comes before the body: there an inner scan of the same level may stand. */
static void inner_opening(Writer *w, int depth, int level, const Inner *in)
{
    char index = "jk"[level];
    put(w, "{ ");
    if (w->order && in->has_seq)
        text_printf(w->out, "x%d = ", level);
    if (!w->order && in->has_seq)
        text_printf(w->out, "Z%d = scan %c over x%d = (", level, index, level);
    if (!w->order && !in->has_seq)
        text_printf(w->out, "Z%d = scan %c for %d", level, index, in->count);
    if (in->has_seq) {
        vector(w, depth);
        put(w, w->order ? "; " : ")");
    }
    inner_inits(w, depth, level, in);
}

static void inner_scan(Writer *w, int depth, bool is_vector)
{
    int level = w->nest, count = (int)pick(w, 4);
    Inner in = {.vector = is_vector, .has_seq = pick(w, 2), .reverse = pick(w, 4) == 0, .order = 1};
    in.reach = pick(w, 3) == 0 ? 2 : 1;
    int stop = pick(w, 3) == 0 && !in.reverse ? 1 + (int)pick(w, 3) : 0;
    bool total = pick(w, 2);
    in.count = in.has_seq ? 3 : count;
    int executed = stop && stop < in.count ? stop : in.count;
    inner_opening(w, depth, level, &in);
    w->inner[level] = in;
    w->nest++;
    if (w->order) {
        inner_unrolled(w, depth, level, executed);
    } else {
        text_printf(w->out, " z%d[%c] = ", level, "jk"[level]);
        inner_equation(w, depth, level);
        if (stop)
            text_printf(w->out, "; until %c >= %d", "jk"[level], stop - 1);
        put(w, " }; ");
    }
    w->nest--;
    inner_result(w, level, executed, total);
    put(w, " }");
}

/* ---- expressions ---- */

static void call(Writer *w, int depth, bool is_vector)
{
    static const char *const names[] = {"tanh", "sin",  "cos", "sigmoid",
                                        "neg",  "tanh", "sqr", "softplus"};
    text_printf(w->out, "%s(", names[pick(w, COUNT_OF(names))]);
    any(w, depth - 1, is_vector);
    put(w, ")");
}

static void binary(Writer *w, int depth, bool left_vector, bool right_vector)
{
    static const char *const ops[] = {" + ", " - ", " * ", " * "};
    put(w, "(");
    any(w, depth - 1, left_vector);
    put(w, ops[pick(w, COUNT_OF(ops))]);
    any(w, depth - 1, right_vector);
    put(w, ")");
}

static void choice(Writer *w, int depth, bool is_vector)
{
    bool where = pick(w, 2);
    put(w, where ? "where(" : "(if ");
    scalar(w, depth - 1);
    put(w, where ? " > 0.0513, " : " > 0.0513 then ");
    any(w, depth - 1, is_vector);
    put(w, where ? ", " : " else ");
    any(w, depth - 1, is_vector);
    put(w, ")");
}

static void shared_case(Writer *w, int depth, u32 form, bool is_vector)
{
    switch (form) {
    case 0:
    case 1: call(w, depth, is_vector); break;
    case 2:
    case 3: binary(w, depth, is_vector, is_vector); break;
    case 4:
        if (depth > 1 && w->nest < GEN_NEST)
            inner_scan(w, depth - 2, is_vector);
        else
            leaf(w, is_vector);
        break;
    case 5: choice(w, depth, is_vector); break;
    default: leaf(w, is_vector);
    }
}

static void scalar(Writer *w, int depth)
{
    u32 form = pick(w, 9);
    if (depth <= 0) {
        leaf(w, false);
    } else if (form == 7) {
        put(w, "(");
        vector(w, depth - 1);
        put(w, " @ ");
        vector(w, depth - 1);
        put(w, ")");
    } else if (form == 8) {
        put(w, "(0.4 * sum(");
        vector(w, depth - 1);
        put(w, "))");
    } else {
        shared_case(w, depth, form, false);
    }
}

static void vector(Writer *w, int depth)
{
    u32 form = pick(w, 9);
    if (depth <= 0) {
        leaf(w, true);
    } else if (form == 7) {
        bool left = pick(w, 2);
        put(w, left ? "(M @ " : "(");
        vector(w, depth - 1);
        put(w, left ? ")" : " @ M)");
    } else if (form == 8) {
        binary(w, depth, false, true);
    } else {
        shared_case(w, depth, form, true);
    }
}

/* tanh(s M + e), a linear step, a product with the state, or anything: by the family. */
static u32 whole_form(Writer *w, const GenEquation *e)
{
    u32 two = pick(w, 2), any_form = pick(w, 6);
    if (!e->state)
        return 5;
    switch (w->c->family) {
    case GEN_LINEAR: return two ? 4 : 1;
    case GEN_TANH: return two ? 3 : 0;
    case GEN_PRODUCTS: return 2;
    case GEN_TAPS:
    case GEN_CAPTURES:
    case GEN_NESTED: return any_form % 5;
    default: return any_form;
    }
}

static void whole_operand(Writer *w, const GenEquation *e)
{
    if (w->c->family == GEN_NESTED)
        inner_scan(w, 1, e->vector);
    else
        any(w, w->c->family == GEN_LINEAR ? 1 : 2, e->vector);
}

static void whole(Writer *w, const GenEquation *e)
{
    u32 form = whole_form(w, e), far = pick(w, 3);
    int back = w->c->family == GEN_TAPS ? 2 + (int)far % 2 : pick(w, 4) ? 1 : 1 + (int)far;
    static const char *const opening[] = {"tanh(", "0.5 * ", "", "tanh(M @ ", "0.9 * "};
    static const char *const middle[] = {" * ", " + 0.3 * ", " * ", " + ", " + "};
    if (form == 3 && !e->vector)
        form = 0;
    if (form == 5) {
        put(w, pick(w, 2) ? "tanh(" : "(");
        any(w, 3, e->vector);
        put(w, ")");
        return;
    }
    put(w, opening[form]);
    state_tap(w, w->equation, back);
    put(w, middle[form]);
    whole_operand(w, e);
    put(w, form == 0 || form == 3 ? ")" : "");
}

void gen_equation(ScanCase *c, int i, int order, Text *out)
{
    const GenEquation *e = &c->equations[i];
    Writer w = {.c = c, .rng = e->seed, .out = out, .equation = i, .order = order};
    whole(&w, e);
}
