/* The family of scans: header, loss and whole programs. Bodies are in scan_gen_body.c. */
#include "scan_gen_body.h"

const char *const gen_family_names[GEN_FAMILIES] = {
    "linear", "tanh", "products", "several states", "taps", "captures", "nested", "mixed"};
const char *const gen_end_names[GEN_ENDS] = {"never", "first", "middle", "last", "reverse"};

u32 gen_pick(u64 *rng, u32 n)
{
    *rng = *rng * 6364136223846793005ull + 1442695040888963407ull;
    return (u32)(*rng >> 33) % n;
}

static double number(u64 *rng) { return ((double)gen_pick(rng, 241) - 120) / 100; }

/* rows < 0: one element; rows of vectors or of scalars. */
static void literal(Text *out, u64 *rng, int rows, bool vector)
{
    if (rows == 0) {
        text_put(out, vector ? "zeros((0, 3))" : "zeros(0)");
        return;
    }
    if (rows > 0)
        text_put(out, "[");
    for (int i = 0; i < (rows > 0 ? rows : 1); i++) {
        text_put(out, i ? ", " : "");
        if (vector) {
            double a = number(rng), b = number(rng);
            text_printf(out, "[%.2f, %.2f, %.2f]", a, b, number(rng));
        } else {
            text_printf(out, "%.2f", number(rng));
        }
    }
    if (rows > 0)
        text_put(out, "]");
}

/* ---- choices ---- */

static void choose_steps(ScanCase *c, u64 *rng)
{
    static const int counts[GEN_COUNTS] = {0, 1, 2, 3, 7};
    u64 cell = c->seed % GEN_CELLS;
    c->family = (GenFamily)(cell % GEN_FAMILIES);
    c->n = counts[cell / GEN_FAMILIES % GEN_COUNTS];
    c->end = (GenEnd)(cell / GEN_FAMILIES / GEN_COUNTS);
    c->kind = (GenKind)gen_pick(rng, 3);
    c->reverse = c->end == GEN_REVERSE;
    bool unmet = gen_pick(rng, 2); /* a condition that is never met */
    c->stop = c->end == GEN_FIRST    ? 1
              : c->end == GEN_MIDDLE ? (c->n + 1) / 2
              : c->end == GEN_LAST   ? c->n
              : unmet && !c->reverse ? c->n + 2
                                     : 0;
    if (c->stop == c->n && c->n && gen_pick(rng, 2))
        c->kind = GEN_WHILE;
    c->runtime_count = gen_pick(rng, 2);
    c->symbolic = gen_pick(rng, 2);
    c->interior = gen_pick(rng, 5) == 0;
    c->width = gen_pick(rng, 3) ? '3' : 'V';
    c->checkpoint = gen_pick(rng, 6) ? 0 : (int)gen_pick(rng, 4);
    if (!c->checkpoint && gen_pick(rng, 12) == 0)
        c->checkpoint = -1;
}

static void choose_equations(ScanCase *c, u64 *rng)
{
    int states = 1 + (int)gen_pick(rng, GEN_STATES), outs = (int)gen_pick(rng, GEN_OUTS + 1);
    if (c->family == GEN_SEVERAL)
        states = GEN_STATES;
    if (gen_pick(rng, 3) == 0 && outs && c->family == GEN_MIXED)
        states = 0; /* a map */
    bool outs_first = gen_pick(rng, 4) == 0;
    c->nequations = states + outs;
    c->nstates = states;
    for (int i = 0; i < c->nequations; i++) {
        GenEquation *e = &c->equations[i];
        e->state = outs_first ? i >= outs : i < states;
        snprintf(e->name, sizeof e->name, "%c%u", e->state ? 's' : 'o', (unsigned)i % 100);
        e->vector = gen_pick(rng, 2);
        e->reach = 1;
        e->derived = gen_pick(rng, 3) == 0;
        e->seed = (u64)gen_pick(rng, 1u << 30) * 77 + 5;
    }
    for (int i = 0; i < GEN_SEQS; i++) {
        c->seqs[i].vector = i == 1;
        c->seqs[i].derived = gen_pick(rng, 3) == 0;
        c->seqs[i].used = (c->kind == GEN_OVER || c->kind == GEN_OVER_FOR) && gen_pick(rng, 4);
    }
    if ((c->kind == GEN_OVER || c->kind == GEN_OVER_FOR) && !c->seqs[0].used && !c->seqs[1].used)
        c->seqs[0].used = true;
}

/* Lengths for which exactly n steps exist. */
static void choose_lengths(ScanCase *c, u64 *rng)
{
    for (int i = 0; i < GEN_SEQS; i++)
        if (c->seqs[i].used && -c->seqs[i].low > c->t0)
            c->t0 = -c->seqs[i].low;
    bool exact = false;
    for (int i = GEN_SEQS; i-- > 0;) {
        GenSeq *s = &c->seqs[i];
        if (!s->used)
            continue;
        bool last = i == 0 || !c->seqs[0].used;
        int extra = (int)gen_pick(rng, 3);
        if (c->kind == GEN_OVER && last && !exact)
            extra = 0;
        exact = exact || extra == 0;
        s->length = c->t0 + c->n + s->high + extra;
        if (c->kind == GEN_OVER && c->n == 0 && extra == 0 && s->length && gen_pick(rng, 2))
            s->length--; /* too short for even one step, by more than one row */
    }
}

/* ---- texts ---- */

static void want(ScanCase *c, const char *name)
{
    snprintf(c->wanted[c->nwanted++], sizeof c->wanted[0], "%s", name);
}

static void write_inputs(ScanCase *c, u64 *rng)
{
    Text *h = &c->inputs;
    text_put(h, "c : f64 = ");
    literal(h, rng, -1, false);
    text_printf(h, "\nv : f64[%c] = ", c->width);
    literal(h, rng, -1, true);
    text_printf(h, "\nM : f64[%c, %c] = ", c->width, c->width);
    literal(h, rng, 3, true);
    text_printf(h, "\nk : i64 = %d\n", c->n);
    text_put(&c->definitions, "d = 0.5 * c + sum(v) * 0.3\n");
    want(c, "c");
    want(c, "v");
    want(c, "M");
}

/* The equation or sequence that an input belongs to; -1 for c, v, M. */
static int equation_of(const ScanCase *c, const char *name)
{
    for (int i = 0; i < c->nequations && (name[0] == 'p' || name[0] == 'i'); i++)
        if (!strcmp(name + 2, c->equations[i].name))
            return i;
    return -1;
}

static const GenSeq *sequence_of(const ScanCase *c, const char *name)
{
    bool is_one = name[0] == 'u' || name[0] == 'w' || name[0] == 'q';
    return is_one ? &c->seqs[name[0] == 'w' || name[1] == '1'] : NULL;
}

void scan_case_input_sizes(const ScanCase *c, int wanted, Text *out)
{
    const char *name = c->wanted[wanted];
    int i = equation_of(c, name);
    const GenEquation *e = i < 0 ? NULL : &c->equations[i];
    const GenSeq *s = sequence_of(c, name);
    bool vector = e ? e->vector : s ? s->vector : name[0] != 'c';
    int rows = e && e->reach > 1 ? e->reach : s && !c->symbolic ? s->length : -1;
    if (s && c->symbolic)
        text_printf(out, "T%d%s", (int)(s - c->seqs), vector ? ", " : "");
    if (rows >= 0)
        text_printf(out, "%d%s", rows, vector ? ", " : "");
    if (vector)
        text_printf(out, name[0] == 'M' ? "%c, %c" : "%c", c->width, c->width);
}

static void put_sizes(const ScanCase *c, int wanted, Text *out)
{
    Text sizes = {0};
    scan_case_input_sizes(c, wanted, &sizes);
    if (sizes.len)
        text_printf(out, "[%s]", text_str(&sizes));
    text_free(&sizes);
}

static void write_init(ScanCase *c, GenEquation *e, u64 *rng)
{
    Text *h = &c->inputs;
    char name[8];
    snprintf(name, sizeof name, "%c_%s", c->interior ? 'i' : 'p', e->name);
    want(c, name);
    text_printf(h, "p_%s : f64", e->name);
    put_sizes(c, c->nwanted - 1, h);
    text_put(h, " = ");
    literal(h, rng, e->reach > 1 ? e->reach : -1, e->vector);
    text_put(h, "\n");
    text_printf(&c->definitions, e->derived ? "i_%s = sin(p_%s) * d\n" : "i_%s = p_%s\n", e->name,
                e->name);
}

static void write_sequence(ScanCase *c, int i, u64 *rng)
{
    Text *h = &c->inputs;
    GenSeq *s = &c->seqs[i];
    const char *name = i ? "w" : "u";
    want(c, !c->interior ? name : i ? "q1" : "q0");
    text_printf(h, "%s : f64", name);
    put_sizes(c, c->nwanted - 1, h);
    text_put(h, " = ");
    literal(h, rng, s->length, s->vector);
    text_put(h, "\n");
    text_printf(&c->definitions, s->derived ? "q%d = %s * c\n" : "q%d = %s\n", i, name);
}

static void write_scan(ScanCase *c)
{
    Text *s = &c->scan;
    text_put(s, "S = scan t");
    for (int i = 0, k = 0; i < GEN_SEQS; i++)
        if (c->seqs[i].used)
            text_printf(s, "%s a%d = q%d", k++ ? "," : " over", i, i);
    if (c->kind == GEN_FOR || c->kind == GEN_OVER_FOR) {
        if (c->runtime_count)
            text_put(s, c->lane >= 0 && !c->stop && c->n ? " for lane" : " for k");
        else
            text_printf(s, " for %d", c->n);
    }
    for (int i = 0, k = 0; i < c->nequations; i++)
        if (c->equations[i].state)
            text_printf(s, "%s %s = i_%s", k++ ? "," : " from", c->equations[i].name,
                        c->equations[i].name);
    if (c->checkpoint)
        text_printf(s, c->checkpoint < 0 ? " checkpoint auto" : " checkpoint %d", c->checkpoint);
    text_put(s, " {\n");
    for (int i = 0; i < c->nequations; i++) {
        text_printf(s, "  %s[t] = ", c->equations[i].name);
        gen_equation(c, i, 0, s);
        text_put(s, "\n");
    }
    if (c->stop) {
        if (c->lane >= 0 && scan_case_ragged(c))
            text_put(s, "  until t >= lane");
        else
            text_printf(s, "  until t >= %d", c->t0 + c->stop - 1);
        const GenEquation *e = &c->equations[0];
        if (e->seed % 2)
            text_printf(s, " or sum(%s[t] * ones(3)) > 1e30", e->name);
        text_put(s, "\n");
    }
    text_put(s, "}\n");
}

static void write_unrolled(ScanCase *c)
{
    Text *s = &c->unrolled;
    for (int order = 1; order <= c->executed; order++)
        for (int i = 0; i < c->nequations; i++) {
            text_printf(s, "%s_%d = ", c->equations[i].name, order);
            gen_equation(c, i, order, s);
            text_put(s, "\n");
        }
    for (int i = 0; i < c->nequations; i++) {
        const GenEquation *e = &c->equations[i];
        text_printf(s, "%s_TR = ", e->name);
        if (!c->executed)
            text_put(s, e->vector ? "zeros((0, 3))" : "zeros(0)");
        for (int k = 1; k <= c->executed; k++)
            text_printf(s, "%s%s_%d%s", k == 1 ? "[" : ", ", e->name,
                        c->reverse ? c->executed + 1 - k : k, k == c->executed ? "]" : "");
        text_put(s, "\n");
        if (e->state) {
            text_printf(s, "%s_FIN = ", e->name);
            gen_state_at(c, i, c->executed, s);
            text_put(s, "\n");
        }
    }
}

void scan_case_trace(const ScanCase *c, int i, bool unrolled, Text *out)
{
    text_printf(out, unrolled ? "%s_TR" : "S.%s", c->equations[i].name);
}

void scan_case_final(const ScanCase *c, int i, bool unrolled, Text *out)
{
    text_printf(out, unrolled ? "%s_FIN" : "S.final.%s", c->equations[i].name);
}

static void loss_term(const ScanCase *c, int i, u32 form, bool unrolled, Text *out)
{
    static const char *const forms[][2] = {{"0.5 * sum(sqr(", "))"},
                                           {"sum(sin(", "))"},
                                           {"sum(sqr(", "[-1]))"},
                                           {"sum(", "[0] * 0.7)"},
                                           {"sum(sqr(", "[1:]))"}};
    bool final = form == 0 && c->equations[i].state;
    if (!final && form > 1 && !c->executed)
        form = 1;
    text_put(out, form == 0 ? "sum(sqr(" : forms[form - 1][0]);
    (final ? scan_case_final : scan_case_trace)(c, i, unrolled, out);
    text_put(out, form == 0 ? "))" : forms[form - 1][1]);
}

static void write_loss(ScanCase *c, u64 *rng)
{
    for (int unrolled = 0; unrolled < 2; unrolled++) {
        u64 mine = *rng;
        Text *out = &c->loss[unrolled];
        for (int i = 0; i < c->nequations; i++)
            for (int k = 0; k < 2; k++) {
                u32 form = k ? 1 + gen_pick(&mine, 5) : 0;
                if (gen_pick(&mine, 3) == 0)
                    continue;
                text_put(out, out->len ? " + " : "");
                loss_term(c, i, form, unrolled, out);
            }
        if (!out->len)
            loss_term(c, 0, 0, unrolled, out);
    }
}

void scan_case_trace_vector(const ScanCase *c, int i, u64 seed, Text *out)
{
    literal(out, &seed, c->executed, c->equations[i].vector);
}

void scan_case_input_vector(const ScanCase *c, int wanted, u64 seed, Text *out)
{
    const char *name = c->wanted[wanted];
    int i = equation_of(c, name);
    const GenSeq *s = sequence_of(c, name);
    if (i >= 0)
        literal(out, &seed, c->equations[i].reach > 1 ? c->equations[i].reach : -1,
                c->equations[i].vector);
    else if (s)
        literal(out, &seed, s->length, s->vector);
    else
        literal(out, &seed, name[0] == 'M' ? 3 : -1, name[0] != 'c');
}

bool scan_case_ragged(const ScanCase *c)
{
    bool counted = c->runtime_count && (c->kind == GEN_FOR || c->kind == GEN_OVER_FOR);
    return c->n && (c->stop || counted);
}

int scan_case_lane_value(const ScanCase *c) { return c->stop ? c->t0 + c->lane - 1 : c->lane; }

/* After everything random: how many steps there are. */
static void settle_steps(ScanCase *c)
{
    bool own = c->lane >= 0 && scan_case_ragged(c);
    if (own && (!c->stop || c->kind == GEN_WHILE))
        c->n = c->lane;
    if (own && c->stop)
        c->stop = c->lane;
    c->executed = c->stop && c->stop < c->n ? c->stop : c->n;
}

static void make(ScanCase *c, u64 seed, int lane)
{
    memset(c, 0, sizeof *c);
    c->seed = seed;
    c->lane = lane;
    u64 rng = seed * 7919 + 17;
    choose_steps(c, &rng);
    c->interior = c->interior && lane < 0;
    choose_equations(c, &rng);
    Text scratch = {0}; /* once for the taps */
    for (int i = 0; i < c->nequations; i++)
        gen_equation(c, i, 0, &scratch);
    text_free(&scratch);
    c->reverse = c->reverse && c->tapped;
    choose_lengths(c, &rng);
    settle_steps(c);
    write_inputs(c, &rng);
    for (int i = 0; i < c->nequations; i++)
        if (c->equations[i].state)
            write_init(c, &c->equations[i], &rng);
    for (int i = 0; i < GEN_SEQS; i++)
        if (c->seqs[i].used)
            write_sequence(c, i, &rng);
    write_scan(c);
    write_unrolled(c);
    write_loss(c, &rng);
}

void scan_case_make(ScanCase *c, u64 seed) { make(c, seed, -1); }

void scan_case_make_lane(ScanCase *c, u64 seed, int steps) { make(c, seed, steps); }

void scan_case_free(ScanCase *c)
{
    text_free(&c->inputs);
    text_free(&c->definitions);
    text_free(&c->scan);
    text_free(&c->unrolled);
    text_free(&c->loss[0]);
    text_free(&c->loss[1]);
}
