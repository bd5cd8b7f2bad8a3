/* Programs with all passes on against the same with none that is not needed, and native code
 * against the virtual machine: what random_programs.py asks, one program after the other.
 *
 * Read, line by line:
 * - head ROUND SEED [native|shuffled|PASS], then inputs and "end": the round of values to be tried,
 *   -1 for all; native code is compared, or the passes in random order, or the passes but for one
 * - round ROUND: that one from now on
 * - program NAMES, then the program and "end"
 * Answered: "same", "refused CODE" (both ways), "excused WHY", or "differ ROUND NAME WHY", the
 * values of the inputs, each on a line that begins with a blank, and "." */
#include "base/flags.h"
#include "moved.h"
#include "run_text.h"
#include "rewrite/history.h"
#include "passes/passes.h"
#include "exec/plan.h"

#include <math.h>

typedef enum { TAME, ZEROS, WIDE, TINY, HUGE_ONES, SPECIAL, ONE_SPECIAL, ROUNDS } Round;
enum { TIMES_MOVED = 16, INPUTS_STAY = 2, WITH_TERMS = 4, RENEW = 25, MOST_NAMES = 8 };

typedef struct {
    Session on, off;
    Text head;
    char without[20]; /* a pass that is left out of those that are on */
    int round;        /* -1: all */
    bool native;
    u32 programs; /* in these sessions */
    u64 seed;
    u32 compared; /* native: that ran as such */
} Server;

/* ---- sessions ---- */

/* Calls in place and derivatives expanded, no other rule. */
static void only_needed(const RuleSet *rs, Options *o)
{
    pipeline_clear(&o->pipeline);
    pipeline_add(&o->pipeline, pass_named("inline"));
    pipeline_add(&o->pipeline, pass_named("differentiate"));
    for (size_t i = 0; i < rs->all.len; i++) {
        const char *pass = rs->all.at[i]->pass;
        rule_switch(o, rs->all.at[i], !strcmp(pass, "canonicalize") || !strcmp(pass, "stabilize"));
    }
}

/* The order of the passes decides what the result looks like, never its value. */
static void shuffle(Pipeline *p, u64 seed)
{
    for (size_t i = p->len; i > 1; i--) {
        size_t j = hash_mix(seed, i) % i;
        PassUse kept = p->at[j];
        p->at[j] = p->at[i - 1];
        p->at[i - 1] = kept;
    }
}

static void leave_out(Pipeline *p, const char *name)
{
    Pipeline all = *p;
    pipeline_clear(p);
    for (u32 i = 0; i < all.len; i++)
        if (strcmp(all.at[i].pass->name, name))
            pipeline_add(p, all.at[i].pass);
}

static void forget_diags(Session *s)
{
    diags_free(&s->diags);
    memset(&s->diags, 0, sizeof s->diags);
}

static void begin(Server *v)
{
    if (!session_init(&v->on) || !session_init(&v->off))
        die("no session");
    only_needed(v->off.rules, &v->off.options);
    if (!strcmp(v->without, "shuffled"))
        shuffle(&v->on.options.pipeline, v->seed);
    else
        leave_out(&v->on.options.pipeline, v->without);
    native_set(&v->on.native, NATIVE_OFF);
    native_set(&v->off.native, NATIVE_OFF);
    if (!run_statements(&v->on, text_str(&v->head)) || !run_statements(&v->off, text_str(&v->head)))
        die("the inputs: %s", v->on.diags.list.at[0].message);
    v->programs = 0;
}

static void finish(Server *v)
{
    session_free(&v->on);
    session_free(&v->off);
}

static const char *error_of(const Session *s)
{
    for (size_t i = 0; i < s->diags.list.len; i++)
        if (!s->diags.list.at[i].note)
            return s->diags.list.at[i].code;
    return NULL;
}

/* ---- values of inputs ---- */

static u64 roll(const Server *v, int how, const char *name, i64 i, int what)
{
    u64 h = hash_bytes(name, strlen(name), v->seed);
    return hash_mix(hash_mix(h, (u64)how * 131 + (u64)what), (u64)i + 7);
}

static double unit(u64 h) { return (double)(h >> 11) * 0x1p-53; }

static double value_at(const Server *v, Round how, const char *name, i64 i, DType d)
{
    static const double zeros[] = {0.0, -0.0, 1.0, -1.0, 0.5, 2.0},
                        special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1.0};
    u64 h = roll(v, how, name, i, 0);
    double u = unit(roll(v, how, name, i, 1)), sign = h & 1 ? 1 : -1;
    double reach = d == DT_F32 ? 37 : 300, half = d == DT_F32 ? 19 : 150;
    double tame = sign * round(2000 * u) / 1000, wide = sign * pow(10, round(reach * (2 * u - 1)));
    switch (how) {
    case ZEROS: return h & 2 ? zeros[(h >> 8) % COUNT_OF(zeros)] : tame;
    case WIDE: return wide;
    case TINY: return sign * pow(10, -half - round(10 * u));
    case HUGE_ONES: return sign * pow(10, half + round(8 * u));
    case SPECIAL: return h & 6 ? wide : special[(h >> 8) % COUNT_OF(special)];
    case ONE_SPECIAL: return h % 7 ? tame : special[(h >> 8) % COUNT_OF(special)];
    default: return tame;
    }
}

static i64 integer_at(const Server *v, Round how, const char *name, i64 i)
{
    static const i64 ends[] = {INT64_MAX, INT64_MIN, INT64_MIN + 1, (i64)1 << 53, INT32_MIN, -1};
    u64 h = roll(v, how, name, i, 2);
    bool far = how == SPECIAL && h % 4 == 0;
    return far ? ends[(h >> 8) % COUNT_OF(ends)] : (i64)((h >> 8) % 10) - 3;
}

static void set_element(const Server *v, Round how, const Leaf *leaf, Tensor *t, i64 i)
{
    double x = value_at(v, how, leaf->name, i, t->dtype);
    switch (t->dtype) {
    case DT_F64: ((double *)t->data)[i] = x; break;
    case DT_F32: ((float *)t->data)[i] = (float)x; break;
    case DT_I64: ((i64 *)t->data)[i] = integer_at(v, how, leaf->name, i); break;
    case DT_BOOL: ((u8 *)t->data)[i] = roll(v, how, leaf->name, i, 3) & 1; break;
    default: break;
    }
}

/* A few units of the last place up or down; a zero, where what underflows is moved, by the smallest
 * normal number: off a kink. */
static void move_element(const Server *v, int move, const Leaf *leaf, Tensor *t, i64 i)
{
    u64 h = roll(v, 100 + move, leaf->name, i, 4);
    double by = (h & 1 ? 1 : -1) * (double)(1 + (h >> 8) % 2);
    bool off_zero = move >= TIMES_MOVED - WITH_TERMS && tensor_f64_at(t, i) == 0;
    double tiny = by * (double)(1 + (h >> 16) % 1000);
    if (t->dtype == DT_F64)
        ((double *)t->data)[i] =
            off_zero ? tiny * 0x1p-1022 : ((double *)t->data)[i] * (1 + by * 0x1p-52);
    if (t->dtype == DT_F32)
        ((float *)t->data)[i] =
            (float)(off_zero ? tiny * 0x1p-126 : ((float *)t->data)[i] * (1 + by * 0x1p-23));
}

static void give_values(Server *v, Session *s, Round how, int move)
{
    for (size_t k = 0; k < s->leaves.len; k++) {
        Leaf *leaf = &s->leaves.at[k];
        if (!leaf->value || leaf->shared)
            continue;
        Tensor *t = tensor_copy(&s->st.heap, leaf->value);
        for (i64 i = 0; i < t->count; i++) {
            set_element(v, how, leaf, t, i);
            if (move >= 0)
                move_element(v, move, leaf, t, i);
        }
        tensor_unref(leaf->value);
        leaf->value = t;
    }
}

static void print_values(Server *v, Round how)
{
    give_values(v, &v->on, how, -1);
    for (size_t k = 0; k < v->on.leaves.len; k++) {
        const Leaf *leaf = &v->on.leaves.at[k];
        Text t = {0};
        if (!leaf->value)
            continue;
        type_print(&t, leaf->node->type);
        printf(" %s : %s = ", leaf->name, text_str(&t));
        t.len = 0;
        tensor_literal(&t, leaf->value);
        printf("%s\n", text_str(&t));
        text_free(&t);
    }
}

/* ---- comparing ---- */

typedef struct {
    int n;
    Node **roots;
    Tensor **values; /* NULL: an error, which `code` tells */
    char code[40];
} Outcome;

static void drop(Tensor **t, int n)
{
    for (int i = 0; t && i < n; i++)
        tensor_unref(t[i]);
    free(t);
}

static void outcome_free(Outcome *o)
{
    drop(o->values, o->n);
    free(o->roots);
    *o = (Outcome){0};
}

static void outcome(Session *s, const char *name, Outcome *o)
{
    forget_diags(s);
    o->n = run_roots(s, name, &o->roots);
    o->values = o->n < 0 ? NULL : xcalloc((size_t)o->n + 1, sizeof *o->values);
    if (o->n >= 0 && session_evaluate(s, o->n, o->roots, o->values))
        return;
    free(o->values);
    o->values = NULL;
    snprintf(o->code, sizeof o->code, "%s", error_of(s) ? error_of(s) : "no error");
}

typedef enum { SAME, MADE, UNMADE, OTHER_SIGN, ROUNDING, OTHER } Difference;
static const char *const difference_names[] = {"same",
                                               "a number became nan or infinity",
                                               "nan or infinity became a number",
                                               "nan or another infinity",
                                               "beyond rounding",
                                               "another value"};

static int kind_of(double x) { return isnan(x) ? 2 : isinf(x) ? x > 0 ? 1 : -1 : 0; }

static bool one_shape(const Tensor *a, const Tensor *b)
{
    return a->dtype == b->dtype && a->rank == b->rank &&
           !memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape);
}

/* Products of matrices take subnormal numbers for zeros (tensor/blas.c). */
static Difference element(double off, double on, int nmoved, const double *moved, bool single,
                          double least_spread)
{
    double spread = least_spread, bound = single ? 1e-5 : 1e-12,
           least = single ? 0x1p-126 : 0x1p-1022;
    if (off == on || kind_of(off) * kind_of(on) == 4)
        return SAME;
    for (int m = 0; m < nmoved; m++) {
        bool underflow = m >= TIMES_MOVED - WITH_TERMS;
        if (kind_of(moved[m]) != kind_of(off) && (!underflow || (kind_of(off) && kind_of(on))))
            return SAME; /* a pole or an edge */
        if (kind_of(moved[m]) == 0)
            spread = fmax(spread, fabs(moved[m] - off));
    }
    if (kind_of(off) == 2 || (kind_of(off) && !kind_of(on)))
        return UNMADE;
    if (kind_of(on))
        return kind_of(off) ? OTHER_SIGN : MADE;
    if (off != 0 && spread > 1e3 * fabs(off))
        return SAME; /* not one digit of it is certain */
    return fabs(on - off) <= bound * fabs(off) + 64 * (spread + least) ? SAME : ROUNDING;
}

/* A unit in the last place of the largest of tame values: what cancels is certain to that. */
static double last_place(const Tensor *t)
{
    double most = 0;
    for (i64 i = 0; i < t->count; i++) {
        double x = fabs(tensor_f64_at(t, i));
        most = isfinite(x) ? fmax(most, x) : most;
    }
    return most > 1e6 ? 0 : most * (t->dtype == DT_F32 ? 0x1p-23 : 0x1p-52);
}

static Difference tensors(const Tensor *off, const Tensor *on, int nmoved, Tensor **moved)
{
    bool real = dtype_is_float(off->dtype);
    if (tensor_same_bits(off, on))
        return SAME;
    for (int m = 0; m < nmoved; m++)
        if (!one_shape(off, moved[m]))
            return SAME;
    if (!one_shape(off, on))
        return OTHER;
    for (i64 i = 0; i < off->count; i++) {
        double near[TIMES_MOVED];
        bool edge = false;
        Difference d = SAME;
        for (int m = 0; m < nmoved; m++) {
            near[m] = tensor_f64_at(moved[m], i);
            edge = edge || (!real && tensor_i64_at(moved[m], i) != tensor_i64_at(off, i));
        }
        if (real)
            d = element(tensor_f64_at(off, i), tensor_f64_at(on, i), nmoved, near,
                        off->dtype == DT_F32, last_place(off));
        else if (tensor_i64_at(off, i) != tensor_i64_at(on, i) && !edge)
            d = OTHER;
        if (d != SAME)
            return d;
    }
    return SAME;
}

static Difference outcomes(const Outcome *off, const Outcome *on, int nmoved, const Outcome *moved)
{
    if (off->n != on->n)
        return OTHER;
    for (int i = 0; i < off->n; i++) {
        Tensor *near[TIMES_MOVED];
        for (int m = 0; m < nmoved; m++)
            near[m] = moved[m].values[i];
        Difference d = tensors(off->values[i], on->values[i], nmoved, near);
        if (d != SAME)
            return d;
    }
    return SAME;
}

static void print_outcome(const char *title, const Outcome *o)
{
    enum { LONGEST = 300 };
    for (int i = 0; i < o->n; i++) {
        Text t = {0};
        tensor_literal(&t, o->values[i]);
        printf(" # %s: %.*s\n", title, LONGEST, text_str(&t));
        text_free(&t);
    }
}

/* ---- whose fault it is ---- */

/* The first step after which the graph's value differs, too. */
static const Step *culprit(Session *s, const Outcome *off, int nmoved, const Outcome *moved)
{
    Exploration *x = session_last(s);
    const Step *found = NULL;
    Outcome at = {.n = x->nroots};
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    for (u32 k = 1; k <= x->log.at.len && !found; k++) {
        at.values = xcalloc((size_t)at.n + 1, sizeof *at.values);
        if (exploration_replay(x, k, roots) &&
            derivatives_expand(&s->st, s->rules, &s->options, at.n, roots) &&
            session_evaluate_raw(s, at.n, roots, NULL, at.values)) {
            if (outcomes(off, &at, nmoved, moved) != SAME)
                found = &x->log.at.at[k - 1];
            drop(at.values, at.n);
        } else {
            free(at.values);
        }
        forget_diags(s);
    }
    free(roots);
    return found;
}

static void print_step(const Step *s)
{
    Text classes = {0};
    if (!s) {
        printf(", by no step (the plan)");
        return;
    }
    hazard_print(&classes, step_classes(s));
    printf(", by %s [%s]", step_rule(s), text_str(&classes));
    for (size_t i = 0; s->inner && i < s->inner->at.len; i++)
        printf("%s%s", i ? " " : ", inside ", step_rule(&s->inner->at.at[i]));
    text_free(&classes);
}

/* Does the difference go away without these classes? */
static bool explained(Session *s, const char *name, const Outcome *off, u32 classes)
{
    u32 allowed = s->options.allowed;
    Outcome on = {0};
    s->options.allowed &= ~classes;
    session_outdate(s);
    outcome(s, name, &on);
    bool same = on.values && outcomes(off, &on, 0, NULL) == SAME;
    outcome_free(&on);
    s->options.allowed = allowed;
    session_outdate(s);
    return same;
}

/* ---- a program ---- */

typedef struct {
    int nnames;
    char *names[MOST_NAMES];
    Text text;
} Case;

static void tell(int round, const char *name, const char *why)
{
    printf("differ %d %s %s", round, name, why);
}

static void tell_values(int how, const char *name, Difference d, const Step *step,
                        const Outcome *off, const Outcome *on, int nmoved, const Outcome *moved)
{
    tell(how, name, difference_names[d]);
    print_step(step);
    putchar('\n');
    print_outcome("without passes", off);
    print_outcome("with them", on);
    for (int m = 0; m < nmoved; m++)
        print_outcome("without, moved", &moved[m]);
}

/* What moving the inputs, and what is made of them, makes of the value; how often that went well.
 * The last times what underflows is moved, too. */
static int move(Server *v, Round how, const Outcome *off, Outcome *moved)
{
    Session *s = &v->off;
    Exploration *x = session_explore(s, off->n, off->roots);
    int n = 0;
    for (int m = 0; x && m < TIMES_MOVED; m++) {
        Outcome *o = &moved[n];
        o->n = off->n;
        o->roots = xcalloc((size_t)o->n + 1, sizeof *o->roots);
        o->values = xcalloc((size_t)o->n + 1, sizeof *o->values);
        memcpy(o->roots, x->roots, (size_t)o->n * sizeof *o->roots);
        give_values(v, s, how, m < INPUTS_STAY ? -1 : m);
        if (graph_moved(&s->st, o->n, o->roots, (u64)m, m >= TIMES_MOVED - WITH_TERMS) &&
            session_evaluate_raw(s, o->n, o->roots, NULL, o->values)) {
            n++;
            continue;
        }
        o->n = 0;
        outcome_free(o);
        forget_diags(s);
    }
    return n;
}

/* True if nothing is wrong. */
static bool compare(Server *v, const char *name, Round how, bool *excused)
{
    Outcome off = {0}, on = {0}, moved[TIMES_MOVED] = {{0}};
    int nmoved = 0;
    bool fine = true;
    give_values(v, &v->off, how, -1);
    give_values(v, &v->on, how, -1);
    outcome(&v->off, name, &off);
    bool left = v->off.run_raised & (FLAG_OVERFLOW | FLAG_UNDERFLOW);
    outcome(&v->on, name, &on);
    if (!off.values || !on.values) {
        /* a gradient need not compute what only its loss needs */
        bool unneeded = on.values && strstr(name, "_g");
        fine = unneeded || (!off.values && !on.values && !strcmp(off.code, on.code));
        *excused = *excused || unneeded;
        if (!fine)
            tell(how, name, on.values ? "an error became a value: " : "an error: "),
                printf("%s, %s without passes\n", on.values ? "a value" : on.code,
                       off.values ? "a value" : off.code);
    } else if (outcomes(&off, &on, 0, NULL) != SAME) {
        nmoved = move(v, how, &off, moved);
        Difference d = outcomes(&off, &on, nmoved, moved);
        give_values(v, &v->on, how, -1);
        if (d == UNMADE && explained(&v->on, name, &off, HAZARD_NPLUS | HAZARD_O)) {
            *excused = true;
            d = SAME;
        }
        if (d != SAME) {
            outcome_free(&on);
            outcome(&v->on, name, &on);
            const Step *step = culprit(&v->on, &off, nmoved, moved);
            /* as written it left its range: a form that stays there is better */
            *excused =
                (d == UNMADE || left) && step && step_classes(step) & (HAZARD_NPLUS | HAZARD_O);
            fine = *excused;
            if (!fine)
                tell_values(how, name, d, step, &off, &on, nmoved, moved);
        }
    }
    outcome_free(&off);
    outcome_free(&on);
    for (int m = 0; m < TIMES_MOVED; m++)
        outcome_free(&moved[m]);
    return fine;
}

static bool same_bits(const Outcome *a, const Outcome *b)
{
    for (int i = 0; i < a->n; i++) {
        const Tensor *x = a->values[i], *y = b->values[i];
        if (tensor_same_bits(x, y))
            continue;
        if (!one_shape(x, y) || !dtype_is_float(x->dtype))
            return false;
        for (i64 k = 0; k < x->count; k++) {
            double p = tensor_f64_at(x, k), q = tensor_f64_at(y, k);
            if (!(isnan(p) && isnan(q)) && (p != q || signbit(p) != signbit(q)))
                return false;
        }
    }
    return a->n == b->n;
}

/* The tiers, bit by bit. */
static bool compare_tiers(Server *v, const char *name, Round how)
{
    Outcome machine = {0}, native = {0};
    give_values(v, &v->on, how, -1);
    native_set(&v->on.native, NATIVE_OFF);
    outcome(&v->on, name, &machine);
    native_set(&v->on.native, NATIVE_ON);
    outcome(&v->on, name, &native);
    v->compared += v->on.run_native == NATIVE_COMPILED || v->on.run_native == NATIVE_CACHED;
    bool fine = machine.values && native.values
                    ? same_bits(&machine, &native)
                    : !machine.values == !native.values && !strcmp(machine.code, native.code);
    if (!fine)
        tell(how, name, "the tiers differ\n");
    outcome_free(&machine);
    outcome_free(&native);
    return fine;
}

static void answer(Server *v, Case *c)
{
    bool excused = false;
    if (v->programs++ >= RENEW) {
        finish(v);
        begin(v);
    }
    forget_diags(&v->on);
    forget_diags(&v->off);
    run_statements(&v->on, text_str(&c->text));
    run_statements(&v->off, text_str(&c->text));
    const char *a = error_of(&v->on), *b = error_of(&v->off);
    if (a || b) {
        printf("refused %s %s\n", a ? a : "not", b ? b : "not");
        return;
    }
    for (int r = 0; r < ROUNDS; r++) {
        if (v->round >= 0 && v->round != r)
            continue;
        for (int i = 0; i < c->nnames; i++) {
            bool fine = v->native ? compare_tiers(v, c->names[i], (Round)r)
                                  : compare(v, c->names[i], (Round)r, &excused);
            if (fine)
                continue;
            print_values(v, (Round)r);
            puts(".");
            return;
        }
    }
    puts(excused ? "excused" : "same");
}

/* ---- reading ---- */

/* Lines up to one that is one of the words; false: the input ends. */
static bool read_until(const char *a, Text *out)
{
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    out->len = 0;
    while (!found && getline(&line, &room, stdin) > 0) {
        found = !strncmp(line, a, strlen(a)) && line[strlen(a)] == '\n';
        if (!found)
            text_put(out, line);
    }
    free(line);
    return found;
}

static void read_names(Case *c, char *words)
{
    c->nnames = 0;
    for (char *w = strtok(words, " \n"); w && c->nnames < MOST_NAMES; w = strtok(NULL, " \n"))
        c->names[c->nnames++] = w;
}

int main(void)
{
    Server v = {.round = -1};
    char *line = NULL;
    size_t room = 0;
    bool open = false, ok = true;
    while (ok && getline(&line, &room, stdin) > 0) {
        unsigned long long seed = 0;
        Case c = {0};
        char how[20] = "";
        if (sscanf(line, "head %d %llu %19s", &v.round, &seed, how) >= 2) {
            v.native = !strcmp(how, "native");
            snprintf(v.without, sizeof v.without, "%s", how);
            v.seed = seed;
            if (open)
                finish(&v);
            ok = read_until("end", &v.head);
            begin(&v);
            open = true;
        } else if (!strncmp(line, "round ", 6)) {
            v.round = atoi(line + 6);
        } else if (!strncmp(line, "program ", 8)) {
            read_names(&c, line + 8);
            ok = open && read_until("end", &c.text);
            answer(&v, &c);
            fflush(stdout);
        }
        text_free(&c.text);
    }
    fprintf(stderr, "%u evaluations ran as native code\n", v.compared);
    if (open)
        finish(&v);
    text_free(&v.head);
    free(line);
    return 0;
}
