/* :export: an expression as a program in another language (core/emit/export.h). */
#include "emit/export.h"
#include "graph/print.h"
#include "lang/composite.h"
#include "repl/commands/commands.h"
#include "rewrite/history.h"
#include "session/reading.h"

static Tensor *leaf(void *ctx, const Node *n) { return session_leaf_value(ctx, n); }

static bool size(void *ctx, Symbol name, i64 *out)
{
    Session *s = ctx;
    Attr attr = {.size = size_name(&s->st, name)};
    return session_size(s, node0(&s->st, OP_SIZE, &attr), out);
}

/* By to=, else by the end of the file's name. */
static const ExportTarget *target(Call *c)
{
    const char *end = strrchr(c->file, '.');
    const char *names[16];
    int n = 0, chosen = -1;
    for (size_t i = 0; i < export_target_count && i < COUNT_OF(names); i++) {
        names[n++] = export_targets[i].name;
        if (chosen < 0 && end && !strcmp(end + 1, export_targets[i].extension))
            chosen = (int)i;
    }
    if (!call_choice(c, "to", names, n, &chosen))
        return NULL;
    return &export_targets[chosen < 0 ? 0 : chosen];
}

/* The first pass that an export is not about: derivatives are expanded unless the target takes
 * them; loops have not been lowered, nothing is fused or made for BLAS. */
static bool is_too_late(const char *pass, bool native)
{
    return !strcmp(pass, "specialize") || !strcmp(pass, "fuse") || !strcmp(pass, "lower") ||
           (native && !strcmp(pass, "differentiate"));
}

/* The last step before it. */
static u32 last_step(const Exploration *x, bool native)
{
    u32 at = (u32)x->log.at.len;
    for (size_t i = x->passes.len; i-- > 0;)
        if (is_too_late(x->passes.at[i].name, native))
            at = x->passes.at[i].first_step;
    return at;
}

static bool readable_roots(Exploration *x, const ExportTarget *t, bool native, Node **roots)
{
    return exploration_replay(x, last_step(x, native), roots) &&
           (t->composites || composites_open(x->st, x->nroots, roots, roots));
}

/* The expression if it is a name, else that of the file. */
static char *function_name(Call *c)
{
    const char *slash = strrchr(c->file, '/'), *from = slash ? slash + 1 : c->file;
    bool word = true;
    Text name = {0};
    for (const char *p = c->text; *p; p++)
        word = word && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' ||
                        (*p >= '0' && *p <= '9'));
    if (word && *c->text && !(*c->text >= '0' && *c->text <= '9'))
        from = c->text;
    for (; *from && (*from != '.' || from == c->text); from++)
        text_putc(&name, (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') ||
                                 (*from >= '0' && *from <= '9')
                             ? *from
                             : '_');
    bool digit = name.len && name.at[0] >= '0' && name.at[0] <= '9';
    char *out = report_format(&c->report, digit || !name.len ? "f_%s" : "%s", text_str(&name));
    text_free(&name);
    return out;
}

static bool cannot_say(Call *c, Export *x, const ExportTarget *t)
{
    const Span *at = x->fault ? node_span(x->fault) : NULL;
    return call_fail(c, at ? *at : c->rest, "export",
                     x->native ? "grad=expanded writes derivatives out" : NULL, "%s cannot say: %s",
                     t->name, text_str(&x->why));
}

/* grad=native: does the target take derivatives? */
static bool read_grad(Call *c, const ExportTarget *t, int *native)
{
    static const char *const words[] = {"expanded", "native"};
    if (!call_choice(c, "grad", words, 2, native))
        return false;
    if (!*native || t->differentiates)
        return true;
    return call_fail(c, c->rest, "export", "to=jax and to=torch do",
                     "%s does not take derivatives itself", t->name);
}

static bool has_derivative(const Exploration *x)
{
    for (size_t i = 0; i < x->passes.len; i++)
        if (!strcmp(x->passes.at[i].name, "differentiate") && x->passes.at[i].steps)
            return true;
    return false;
}

/* Formulas are of what was written, unless a derivative is to be written out. */
static bool formula_roots(Exploration *x, const ExportTarget *t, bool native, Node **roots)
{
    if (!native && has_derivative(x))
        return readable_roots(x, t, false, roots);
    memcpy(roots, x->start, (size_t)x->nroots * sizeof *roots);
    return true;
}

/* ---- formulas ---- */

/* The text of definitions as trees, with the types that they have. */
static ExportTrees read_trees(const Export *job, const char *definitions, Reading *r, Arena *arena)
{
    Diags quiet = {0};
    Source *src = arena_alloc(arena, sizeof *src);
    *src = (Source){.name = arena_strndup(arena, "", 0),
                    .text = arena_strndup(arena, job->source, strlen(job->source)),
                    .len = strlen(job->source)};
    reading_open(r, definitions);
    ExportTrees t = {.st = &r->session.st,
                     .n = (int)r->statements.len,
                     .statements = r->statements.at,
                     .values = &r->values,
                     .asked = parse_expression(source_whole(src), arena, &quiet)};
    diags_free(&quiet);
    return t;
}

typedef struct {
    Export *job;
    Exploration *x;
    Reading *reading; /* of the present state; NULL: none yet */
    Arena arena;
} States;

static bool step_said(States *s, u32 k, const char **said)
{
    const Step *step = k ? &s->x->log.at.at[k - 1] : NULL;
    *said = NULL;
    if (!step)
        return true;
    Text t = {0};
    const char *why = step->rule && step->rule->reason ? step->rule->reason : "";
    text_printf(&t, "%u. %s: %s%s%s", k, step->pass, step_rule(step), *why ? ", " : "", why);
    *said = arena_strndup(&s->arena, text_str(&t), t.len);
    text_free(&t);
    return !memory_short();
}

static void forget_reading(States *s)
{
    if (s->reading)
        reading_free(s->reading);
    free(s->reading);
    s->reading = NULL;
    arena_free(&s->arena);
    s->arena = (Arena){0};
}

/* Trees of a listing, in the place of those before. */
static ExportTrees read_listing(States *s, const char *listing)
{
    s->reading = xcalloc(1, sizeof *s->reading);
    return read_trees(s->job, listing, s->reading, &s->arena);
}

static bool read_state(void *states, u32 k, ExportState *out)
{
    States *s = states;
    Node **roots = xcalloc((size_t)s->x->nroots + 1, sizeof *roots);
    Text listing = {0};
    forget_reading(s);
    bool ok = exploration_replay(s->x, k, roots) &&
              listing_print(s->x->st, &listing, s->x->nroots, roots, NULL) &&
              step_said(s, k, &out->step);
    if (ok)
        out->trees = read_listing(s, text_str(&listing));
    else
        text_printf(&s->job->why, "the state after step %u", k);
    text_free(&listing);
    free(roots);
    return ok;
}

static bool write_formulas(Export *job, const ExportTarget *t, Exploration *x, Text *out)
{
    States s = {.job = job, .x = x};
    job->state = read_state;
    job->states = &s;
    if (!job->nstates)
        job->trees = read_listing(&s, job->definitions);
    bool ok = t->write(job, out);
    forget_reading(&s);
    return ok;
}

/* steps=yes: the derivation, up to where formulas are taken from. */
static bool count_states(Call *c, const Exploration *x, bool native, u32 *n)
{
    enum { MOST_STATES = 300 };
    u32 last = last_step(x, native);
    *n = last + 1;
    return *n <= MOST_STATES || call_fail(c, c->rest, "export", ":derivation writes them all",
                                          "formulas of %u steps would be too many to read", last);
}

static bool write_job(Call *c, Export *job, const ExportTarget *t, Exploration *x, Text *out)
{
    bool ok = t->mathematics ? write_formulas(job, t, x, out) : t->write(job, out);
    ok = ok ? call_put_file(c, out, NULL) : cannot_say(c, job, t);
    text_free(&job->why);
    return ok;
}

bool command_export(Call *c)
{
    static const char *const yes_no[] = {"no", "yes"};
    int values = 0, native = 0, blas = 0, steps = 0;
    const ExportTarget *t = target(c);
    if (!t || !call_choice(c, "values", yes_no, 2, &values) || !read_grad(c, t, &native) ||
        !call_choice(c, "blas", yes_no, 2, &blas) || !call_choice(c, "steps", yes_no, 2, &steps))
        return false;
    if (steps && !t->mathematics)
        return call_fail(c, c->rest, "export", "f.tex and f.typ do, and :derivation",
                         "%s does not tell steps", t->name);
    if (blas && t->write != export_c)
        return call_fail(c, c->rest, "export", "f.c and to=c do", "%s does not call BLAS itself",
                         t->name);
    if (t->mathematics && values)
        return call_fail(c, c->rest, "export", "programs do: f.c, f.py",
                         "%s is not run, so it shows no values", t->name);
    Exploration *x = call_explore(c);
    u32 nstates = 0;
    if (!x || x->failed || (steps && !count_states(c, x, native, &nstates)))
        return false;
    Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
    Text definitions = {0}, out = {0};
    bool ok =
        (t->mathematics ? formula_roots : readable_roots)(x, t, native || steps, roots) &&
        listing_print(x->st, &definitions, x->nroots, t->mathematics ? roots : x->start, NULL);
    if (ok) {
        Export job = {.st = x->st,
                      .n = x->nroots,
                      .roots = roots,
                      .source = c->text,
                      .definitions = text_str(&definitions),
                      .function = function_name(c),
                      .nstates = nstates,
                      .native = native,
                      .values = values == 1,
                      .blas = blas == 1,
                      .leaf = leaf,
                      .size = size,
                      .ctx = &c->r->s};
        ok = write_job(c, &job, t, x, &out);
    }
    if (ok)
        report_say(&c->report, "{=target}{=file}{=bytes}", text_of(t->name), text_of(c->file),
                   int_of((i64)out.len));
    text_free(&definitions);
    text_free(&out);
    free(roots);
    return ok;
}
