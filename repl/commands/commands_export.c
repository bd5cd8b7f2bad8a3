/* :export: an expression as a program in another language (core/emit/export.h). */
#include "emit/document_steps.h"
#include "emit/export.h"
#include "emit/export_state.h"
#include "graph/provenance.h"
#include "surface/surface.h"
#include "repl/commands/commands.h"
#include "rewrite/things.h"
#include "session/overflow.h"

static Tensor *leaf(void *ctx, const Node *n) { return session_leaf_value(ctx, n); }

static bool size(void *ctx, Symbol name, i64 *out)
{
    Session *s = ctx;
    Attr attr = {.size = size_name(&s->st, name)};
    return session_size(s, node0(&s->st, OP_SIZE, &attr), out);
}

/* In the author's words: the operator as it was written, else the expression that needs it. */
static bool cannot_say(Call *c, Export *x, const ExportTarget *t)
{
    const Span *place = x->fault ? node_span(&c->r->s.st, x->fault) : NULL;
    Span at = place ? *place : c->rest;
    Text written = {0};
    span_put_words(&written, at, 60);
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

/* ---- formulas ---- */

/* steps=on: the derivation, up to where formulas are taken from. */
static bool count_states(Call *c, const Exploration *x, bool native, u32 *n)
{
    enum { MOST_STATES = 300 };
    u32 last = export_last_step(x, native);
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

/* The steps, to the file that is given. */
static bool export_document(Call *c)
{
    const Option *open = call_option(c, "open");
    DocumentWriter write = document_writer(c->file);
    if (!write)
        return call_fail(c, c->file_span, "usage", "end it in .md, .html or .tex",
                         "%s does not say what kind of document it is", c->file);
    Text out = {0};
    Document d = {.blocks = {0}};
    Exploration *x = call_explore(c);
    bool opened;
    if (!x)
        return false;
    u32 steps = document_of_steps(&d, x, c->text, open ? open->value : NULL, &opened);
    bool ok = !open || opened || call_no_opening(c, open);
    if (ok) {
        write(&out, &d);
        ok = call_put_file(c, &out, NULL);
    }
    if (ok)
        report_say(&c->report, "{file}: {steps step}", text_of(c->file), int_of(steps));
    document_free(&d);
    text_free(&out);
    return ok;
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
    const Option *to = call_option(c, "to");
    const ExportTarget *t = export_target_of(to ? to->value : NULL, c->file);
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
    Text definitions = {0}, out = {0}, function = {0};
    bool ok =
        export_roots(x, t, native || steps, roots) &&
        listing_print(x->st, &definitions, x->nroots, t->mathematics ? roots : x->start, NULL);
    if (ok) {
        export_function_name(&function, c->text, c->file);
        Export job = {.st = x->st,
                      .n = x->nroots,
                      .roots = roots,
                      .source = c->text,
                      .definitions = text_str(&definitions),
                      .function = text_str(&function),
                      .nstates = nstates,
                      .state = export_state,
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
    text_free(&function);
    text_free(&out);
    free(roots);
    return ok;
}
