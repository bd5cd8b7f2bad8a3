/* :export: an expression as a program in another language (core/emit/export.h). */
#include "emit/export.h"
#include "graph/provenance.h"
#include "surface/surface.h"
#include "lang/composite.h"
#include "repl/commands/commands.h"
#include "rewrite/history.h"
#include "rewrite/things.h"
#include "session/overflow.h"

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
    const Option *to = call_option(c, "to");
    for (size_t i = 0; i < export_target_count; i++)
        if (to ? !strcmp(to->value, export_targets[i].name)
               : end && !strcmp(end + 1, export_targets[i].extension))
            return &export_targets[i];
    return &export_targets[0];
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
           (t->mathematics || composites_open(x->st, x->nroots, roots, !t->composites, roots));
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

/* The text of a place on one line, as far as a message has room for it. */
static void put_author_text(Text *out, Span at)
{
    enum { ROOM = 60 };
    const char *text = at.src->text + at.start;
    size_t n = at.end - at.start, line = strcspn(text, "\n");
    size_t shown = n < line ? n : line;
    while (shown > ROOM || (shown < n && shown && (text[shown] & 0xC0) == 0x80))
        shown--;
    text_printf(out, "%.*s%s", (int)shown, text, shown < n ? " …" : "");
}

/* In the author's words: the operator as it was written, else the expression that needs it. */
static bool cannot_say(Call *c, Export *x, const ExportTarget *t)
{
    const Span *place = x->fault ? node_span(&c->r->s.st, x->fault) : NULL;
    Span at = place ? *place : c->rest;
    Text written = {0};
    put_author_text(&written, at);
    bool ok = call_fail(c, at, "export",
                        x->native ? "without grad=native it writes derivatives out" : NULL,
                        "%s cannot express %s: %s", t->name, text_str(&written), text_str(&x->why));
    text_free(&written);
    return ok;
}

/* grad=native: does the target take derivatives? */
static bool read_grad(Call *c, const ExportTarget *t, bool *native)
{
    *native = call_option(c, "grad") != NULL;
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

static void say_step(const Exploration *x, u32 k, Text *out)
{
    const Step *step = &x->log.at.at[k - 1];
    const char *why = step->rule && step->rule->reason ? step->rule->reason : "";
    text_printf(out, "%u. %s: %s%s%s%s", k, step->pass, step_rule(step), step_mark(step),
                *why ? ", " : "", why);
}

static bool read_state(void *exploration, u32 k, Node **roots, Text *step)
{
    Exploration *x = exploration;
    if (k)
        say_step(x, k, step);
    return exploration_replay(x, k, roots);
}

/* steps=on: the derivation, up to where formulas are taken from. */
static bool count_states(Call *c, const Exploration *x, bool native, u32 *n)
{
    enum { MOST_STATES = 300 };
    u32 last = last_step(x, native);
    *n = last + 1;
    return *n <= MOST_STATES || call_fail(c, c->rest, "export", "`FILE.md steps=on` shows them all",
                                          "formulas of %u steps would be too many to read", last);
}

static bool write_job(Call *c, Export *job, const ExportTarget *t, Text *out)
{
    bool ok = t->write(job, out);
    ok = ok ? call_put_file(c, out, NULL) : cannot_say(c, job, t);
    text_free(&job->why);
    return ok;
}

/* Flags are not read elsewhere: without steps of class O, unless allow=O asks for them. Formulas
 * compute nothing. */
static Exploration *explore_for_export(Call *c, const ExportTarget *t, bool overflows)
{
    Session *s = &c->r->s;
    Exploration *x = call_explore(c);
    if (overflows || t->mathematics || !x || x->failed || session_is_apart(s, x) ||
        !overflow_risk(x).step)
        return x;
    Options o = s->options;
    o.allowed &= ~(u32)HAZARD_O;
    x = session_explore_apart(s, &o, x->nroots, x->start);
    s->listed = x ? x : s->listed;
    if (x)
        things_renumber(x);
    return x;
}

/* Is it the steps as a document, not the expression in another language? */
static bool is_document(const Call *c)
{
    const char *end = strrchr(c->file, '.');
    const Option *to = call_option(c, "to");
    return to ? !strcmp(to->value, "document")
              : end && (!strcmp(end, ".md") || !strcmp(end, ".html"));
}

static bool document(Call *c, bool steps)
{
    if (!steps && !call_option(c, "to"))
        return call_fail(c, c->span, "usage", "add steps=on", "a document shows the steps");
    for (int i = 0; i < c->noptions; i++)
        if (!strstr(" to steps open ", c->options[i].key))
            return call_fail(c, c->options[i].span, "usage", NULL,
                             "%s= does not go with a document", c->options[i].key);
    return export_document(c);
}

bool command_export(Call *c)
{
    bool values = call_switch(c, "values"), blas = call_switch(c, "blas"),
         steps = call_switch(c, "steps"), native;
    if (is_document(c))
        return document(c, steps);
    const ExportTarget *t = target(c);
    if (!read_grad(c, t, &native))
        return false;
    if (call_option(c, "open"))
        return call_fail(c, call_option(c, "open")->span, "usage", "f.md steps=on open=all",
                         "open= goes with a document");
    if (steps && !t->mathematics)
        return call_fail(c, c->rest, "export", "f.tex and f.typ do, and f.md and f.html",
                         "%s does not tell steps", t->name);
    if (blas && t->write != export_c)
        return call_fail(c, c->rest, "export", "f.c and to=c do", "%s does not call BLAS itself",
                         t->name);
    if (t->mathematics && values)
        return call_fail(c, c->rest, "export", "programs do: f.c, f.py",
                         "%s is not run, so it shows no values", t->name);
    Exploration *x = explore_for_export(c, t, call_option(c, "allow") != NULL);
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
                      .state = read_state,
                      .states = x,
                      .native = native,
                      .values = values,
                      .blas = blas,
                      .leaf = leaf,
                      .size = size,
                      .ctx = &c->r->s};
        ok = write_job(c, &job, t, &out);
    }
    if (ok)
        report_say(&c->report, "{=target}{=file}{=bytes}", text_of(t->name), text_of(c->file),
                   int_of((i64)out.len));
    text_free(&definitions);
    text_free(&out);
    free(roots);
    return ok;
}
