/* What rules change over a corpus of programs.  See impact.h. */
#include "repl/documents/impact.h"

#include "base/file.h"
#include "repl/commands/commands.h"
#include "repl/commands/show.h"
#include "repl/documents/impact_run.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <sys/stat.h>

enum {
    SHOWN = 20,     /* rows of a table in the text; the data have all */
    MOST_DEPTH = 32 /* folders in folders */
};

/* Of the largest number of a result: less is rounding, as for :audit. */
static const double rounding = 1e-9, rounding_single = 1e-4;
/* Of a predicted cost: less is the order in which terms were added up. */
static const double same_cost = 1e-9;

typedef struct {
    const char *path;
    ProgramRun run[2]; /* as it is, and changed */
    bool ran;          /* both runs were made, and the first had no error */
    double by;         /* the largest difference of its values, of the largest number there */
    bool differs;      /* beyond rounding, or in nan, infinity, a shape or an error */
} Compared;

typedef struct {
    Repl r; /* has the rules of the file */
    RulesUsed used[2];
    VEC(char *) paths;
    VEC(Compared) programs;
    VEC(const Rule *) subject; /* the rules that are added or switched off */
    int status;
} Impact;

/* ---- arguments ---- */

static bool fail(Impact *m, int status, const char *fmt, const char *what)
{
    fflush(stdout);
    fputs("gradus: ", stderr);
    fprintf(stderr, fmt, what); /* a format of this file */
    fputc('\n', stderr);
    m->status = m->status > status ? m->status : status;
    return false;
}

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n > k && strcmp(path + n - k, ending) == 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_folder(Impact *m, const char *path, int depth);

/* `given`: on the command line, so that it counts whatever its name is. */
static void add_path(Impact *m, const char *path, bool given, int depth)
{
    struct stat st;
    if (stat(path, &st) != 0)
        fail(m, EXIT_IO, "%s cannot be read", path);
    else if (S_ISDIR(st.st_mode) && depth < MOST_DEPTH)
        add_folder(m, path, depth + 1);
    else if (given || ends_in(path, ".gr"))
        vec_push(&m->paths, xstrdup(path));
}

/* Its programs and those of folders in it, in order of their names. */
static void add_folder(Impact *m, const char *path, int depth)
{
    VEC(char *) names = {0};
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            vec_push(&names, xstrdup(e->d_name));
    if (dir)
        closedir(dir);
    else
        fail(m, EXIT_IO, "%s cannot be read", path);
    if (names.len)
        qsort(names.at, names.len, sizeof *names.at, by_name);
    for (size_t i = 0; i < names.len; i++) {
        Text t = {0};
        text_printf(&t, "%s/%s", path, names.at[i]);
        add_path(m, text_str(&t), false, depth);
        text_free(&t);
        free(names.at[i]);
    }
    vec_free(&names);
}

static bool read_rules(Impact *m, const char *path)
{
    Repl *r = &m->r;
    Text quiet = {0};
    r->capture = &quiet;
    repl_run_file(r, path, (Span){0});
    repl_report(r);
    r->capture = NULL;
    text_free(&quiet);
    if (r->status != EXIT_FINE)
        return fail(m, r->status == EXIT_IO ? EXIT_IO : EXIT_USAGE, "%s was not read", path);
    return true;
}

static bool switch_off(Impact *m, const char *list)
{
    char *names = xstrdup(list);
    bool ok = true;
    for (char *s = names, *next; s && ok; s = next) {
        next = strchr(s, ',');
        if (next)
            *next++ = '\0';
        const Rule *k = rule_by_name(m->r.s.rules, s);
        ok = k || fail(m, EXIT_USAGE, "off=: there is no rule %s", s);
        if (k)
            vec_push(&m->used[1].off, k);
    }
    free(names);
    return ok;
}

/* Files of rules first, as off= may name one of theirs. */
static bool read_arguments(Impact *m, int n, char *const *args)
{
    for (int i = 0; i < n; i++)
        if (ends_in(args[i], ".rules") && !read_rules(m, args[i]))
            return false;
    for (int i = 0; i < n; i++)
        if (!strncmp(args[i], "off=", 4) && !switch_off(m, args[i] + 4))
            return false;
    for (int i = 0; i < n; i++)
        if (!ends_in(args[i], ".rules") && strncmp(args[i], "off=", 4) != 0)
            add_path(m, args[i], true, 0);
    m->used[1].rules = m->r.s.rules;
    for (size_t i = 0; i < m->r.s.rules->all.len; i++)
        if (m->r.s.rules->all.at[i]->own)
            vec_push(&m->subject, m->r.s.rules->all.at[i]);
    for (size_t i = 0; i < m->used[1].off.len; i++)
        vec_push(&m->subject, m->used[1].off.at[i]);
    if (m->status != EXIT_FINE)
        return false;
    if (!m->subject.len)
        return fail(m, EXIT_USAGE, "%s needs a .rules file with a rule, or off=RULE", "impact");
    return m->paths.len ||
           fail(m, EXIT_USAGE, "%s needs programs: files, or folders with .gr files", "impact");
}

/* ---- values ---- */

static bool alike(double x, double y)
{
    return isnan(x) == isnan(y) && isinf(x) == isinf(y) && (!isinf(x) || x == y);
}

static void compare_tensors(Compared *p, const Tensor *a, const Tensor *b)
{
    bool shape = a->dtype == b->dtype && a->rank == b->rank &&
                 !memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape);
    if (!shape || a->dtype == DT_RNG) {
        p->differs = p->differs || !shape || !tensor_same_bits(a, b);
        return;
    }
    double most = fmax(tensor_largest(a), tensor_largest(b)), by = 0;
    for (i64 i = 0; i < a->count; i++) {
        double x = tensor_f64_at(a, i), y = tensor_f64_at(b, i);
        p->differs = p->differs || !alike(x, y);
        by = isfinite(x) && isfinite(y) ? fmax(by, fabs(x - y)) : by;
    }
    by = most > 0 ? by / most : 0;
    double bound = !dtype_is_float(a->dtype) ? 0 : a->dtype == DT_F32 ? rounding_single : rounding;
    p->differs = p->differs || by > bound;
    p->by = fmax(p->by, by);
}

static void compare_values(Compared *p)
{
    const ProgramRun *a = &p->run[0], *b = &p->run[1];
    p->differs = b->error != NULL || a->values.len != b->values.len;
    for (size_t i = 0; i < a->values.len && !p->differs; i++)
        if (a->values.at[i] && b->values.at[i])
            compare_tensors(p, a->values.at[i], b->values.at[i]);
}

/* ---- programs ---- */

static void run_program(Impact *m, const char *path)
{
    ReadLimits limits = {.most = 1 << 29, .text = true, .interrupt = term_interrupt_flag()};
    size_t len = 0;
    char *text = read_file(path, &len, &limits);
    Compared p = {.path = path};
    if (!text) {
        fail(m, EXIT_IO, "%s cannot be read", path);
        return;
    }
    for (int side = 0; side < 2 && !p.run[0].error && !term_interrupted(); side++)
        program_run(&m->used[side], path, text, len, &p.run[side]);
    p.ran = !p.run[0].error && !term_interrupted();
    if (p.run[0].error && !term_interrupted()) {
        Text t = {0};
        text_printf(&t, "%s:%s", path, p.run[0].error);
        fail(m, p.run[0].memory ? EXIT_IO : EXIT_USAGE, "%s; this program is left out",
             text_str(&t));
        text_free(&t);
    }
    if (p.ran)
        compare_values(&p);
    for (int side = 0; side < 2; side++)
        program_values_free(&p.run[side]);
    vec_push(&m->programs, p);
    free(text);
}

/* Firings of the rules in question, whichever side has them. */
static u32 subject_fired(const Impact *m, const Compared *p)
{
    u32 n = 0;
    for (size_t i = 0; i < m->subject.len; i++)
        for (int side = 0; side < 2; side++)
            n += program_fired(&p->run[side], m->subject.at[i]->name);
    return n;
}

static bool same_fired(const Compared *p)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < p->run[side].fired.len; i++) {
            const RuleFired *f = &p->run[side].fired.at[i];
            if (program_fired(&p->run[!side], f->rule) != f->times)
                return false;
        }
    return true;
}

/* Below 0: less than it was; 0: the same. */
static int cost_change(const Compared *p)
{
    double a = p->run[0].cost, b = p->run[1].cost;
    return fabs(a - b) <= same_cost * fmax(a, b) ? 0 : b < a ? -1 : 1;
}

static bool changes(const Compared *p)
{
    return p->ran && (p->differs || cost_change(p) || !same_fired(p));
}

/* ---- the report ---- */

static Datum cost_datum(Report *r, double seconds)
{
    return as(report_format(r, "%.4g us", seconds * 1e6), real_of(seconds));
}

static double cost_share(const Compared *p)
{
    return p->run[0].cost > 0 ? p->run[1].cost / p->run[0].cost - 1 : 0;
}

/* "+12 %" */
static const char *share_text(Report *r, const Compared *p)
{
    double share = 100 * cost_share(p);
    if (!cost_change(p))
        return "";
    return report_format(r, "%+.3g %%", share);
}

static void put_programs(const Impact *m, Report *r)
{
    const Column columns[] = {{"program", NULL}, {"fired", NULL}, {"steps", NULL}, {"then", NULL},
                              {"cost", NULL},    {"then", NULL},  {"", NULL}};
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    size_t shown = 0, changed = 0;
    json_open(r->data, "programs", '[');
    for (size_t i = 0; i < m->programs.len; i++) {
        const Compared *p = &m->programs.at[i];
        const ProgramRun *a = &p->run[0], *b = &p->run[1];
        if (!p->ran)
            continue;
        u32 fired = subject_fired(m, p);
        report_item(r, "{=file}{=fired}{=steps}{=steps_then}{=cost}{=cost_then}{=differs}{=by}",
                    text_of(p->path), int_of(fired), int_of(a->steps), int_of(b->steps),
                    real_of(a->cost), real_of(b->cost), flag_of(p->differs), real_of(p->by));
        changed += changes(p);
        if (changes(p) && shown++ < SHOWN)
            rows_add(&rows, text_of(p->path), int_of(fired), int_of(a->steps), int_of(b->steps),
                     cost_datum(r, a->cost), cost_datum(r, b->cost), text_of(share_text(r, p)));
    }
    json_end(r->data, ']');
    report_say(r, "{count program}, {changed} of which change\n", int_of((i64)m->programs.len),
               int_of((i64)changed));
    if (changed)
        rows_put(&rows, NULL);
    if (changed > SHOWN)
        text_printf(r->text, "and %zu more: --json lists all\n", changed - SHOWN);
}

/* Over all programs, by name. */
static void sum_fired(const Impact *m, RulesFired *all, u32 (**times)[2])
{
    for (size_t i = 0; i < m->programs.len; i++)
        for (int side = 0; side < 2 && m->programs.at[i].ran; side++)
            for (size_t k = 0; k < m->programs.at[i].run[side].fired.len; k++) {
                const RuleFired *f = &m->programs.at[i].run[side].fired.at[k];
                size_t at = 0;
                while (at < all->len && strcmp(all->at[at].rule, f->rule) != 0)
                    at++;
                if (at == all->len) {
                    vec_push(all, ((RuleFired){.rule = f->rule}));
                    *times = xrealloc(*times, all->len * sizeof **times);
                    (*times)[at][0] = (*times)[at][1] = 0;
                }
                (*times)[at][side] += f->times;
            }
}

/* Rules that fire more or less often over all programs. */
static void put_rules(const Impact *m, Report *r)
{
    const Column columns[] = {{"rule", NULL}, {"fired", NULL}, {"then", NULL}};
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    RulesFired all = {0};
    u32(*times)[2] = NULL;
    size_t shown = 0;
    sum_fired(m, &all, &times);
    json_open(r->data, "rules", '[');
    for (size_t i = 0; i < all.len; i++) {
        if (times[i][0] == times[i][1])
            continue;
        Datum of[] = {int_of(times[i][0]), int_of(times[i][1])};
        report_item(r, "{=rule}{=fired}{=fired_then}", text_of(all.at[i].rule), of[0], of[1]);
        if (shown++ < SHOWN)
            rows_add(&rows, text_of(all.at[i].rule), of[0], of[1]);
    }
    json_end(r->data, ']');
    if (shown)
        rows_put(&rows, NULL);
    if (shown > SHOWN)
        text_printf(r->text, "and %zu more rules: --json lists all\n", shown - SHOWN);
    vec_free(&all);
    free(times);
}

static void put_cost(const Impact *m, Report *r)
{
    i64 better = 0, worse = 0;
    for (size_t i = 0; i < m->programs.len; i++) {
        const Compared *p = &m->programs.at[i];
        better += p->ran && cost_change(p) < 0;
        worse += p->ran && cost_change(p) > 0;
    }
    report_say(r, "predicted cost: better in {better}, worse in {worse}\n", int_of(better),
               int_of(worse));
}

static void put_values(const Impact *m, Report *r)
{
    i64 differ = 0;
    for (size_t i = 0; i < m->programs.len; i++)
        differ += m->programs.at[i].differs;
    report_say(r, "values differ in {differ}\n", int_of(differ));
    for (size_t i = 0, shown = 0; i < m->programs.len && shown < SHOWN; i++) {
        const Compared *p = &m->programs.at[i];
        if (!p->differs)
            continue;
        shown++;
        if (p->run[1].error)
            text_printf(r->text, "  %s:%s\n", p->path, p->run[1].error);
        else
            text_printf(r->text, "  %s: by %.2g of the largest number\n", p->path, p->by);
    }
}

static void put_times(const Impact *m, Report *r)
{
    double seconds[2] = {0, 0};
    for (size_t i = 0; i < m->programs.len; i++)
        for (int side = 0; side < 2; side++)
            seconds[side] += m->programs.at[i].ran ? m->programs.at[i].run[side].seconds : 0;
    report_say(r, "rewriting took {seconds}, then {seconds_then}\n", seconds_of(seconds[0]),
               seconds_of(seconds[1]));
}

static void put_report(Impact *m)
{
    Text text = {0}, data = {0};
    Arena arena = {0};
    Json json = {.out = &data};
    Report r = {.text = &text, .data = &json, .arena = &arena};
    json_begin(&json, '{');
    put_programs(m, &r);
    put_rules(m, &r);
    put_cost(m, &r);
    put_values(m, &r);
    put_times(m, &r);
    json_end(&json, '}');
    show_command(&m->r, "impact", &r);
    report_free(&r);
    text_free(&text);
    text_free(&data);
    arena_free(&arena);
}

/* ---- all ---- */

static void impact_free(Impact *m, RuleSet *shipped, Diags *diags)
{
    for (size_t i = 0; i < m->programs.len; i++)
        for (int side = 0; side < 2; side++)
            program_run_free(&m->programs.at[i].run[side]);
    for (size_t i = 0; i < m->paths.len; i++)
        free(m->paths.at[i]);
    vec_free(&m->programs);
    vec_free(&m->paths);
    vec_free(&m->subject);
    vec_free(&m->used[1].off);
    repl_free(&m->r);
    ruleset_free(shipped);
    diags_free(diags);
}

static int outcome(const Impact *m)
{
    if (term_interrupted())
        return EXIT_INTERRUPTED;
    if (m->status != EXIT_FINE)
        return m->status;
    for (size_t i = 0; i < m->programs.len; i++)
        if (changes(&m->programs.at[i]))
            return EXIT_PROGRAM;
    return EXIT_FINE;
}

int impact(int n, char *const *args, bool json, ColorMode color)
{
    Impact m = {.status = EXIT_FINE};
    RuleSet shipped;
    Diags diags = {0};
    if (!repl_init(&m.r) || !ruleset_init(&shipped, &diags))
        die("the embedded prelude or rules are broken");
    m.r.json = json;
    repl_set_color(&m.r, color);
    m.used[0].rules = &shipped;
    bool ok = read_arguments(&m, n, args);
    for (size_t i = 0; ok && i < m.paths.len && !term_interrupted(); i++)
        run_program(&m, m.paths.at[i]);
    if (ok && m.programs.len)
        put_report(&m);
    int status = outcome(&m);
    impact_free(&m, &shipped, &diags);
    return status;
}
