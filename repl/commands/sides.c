/* Two graphs that a command is about.  See sides.h. */
#include "repl/commands/sides.h"

#include "graph/provenance.h"
#include "repl/commands/arguments.h"
#include "rewrite/history.h"
#include "session/undo.h"

bool call_has_sides(const Call *c) { return declared_sides(c->info) && comma_of(c->text); }

/* ---- the texts ---- */

/* Where the last word of a side begins, outside of brackets and quotes. */
static u32 last_word(Call *c, Span s)
{
    Word words[MOST_WORDS];
    char *text = rest_copy(c, s);
    int n = words_of(text, words);
    return n ? s.start + (u32)words[n - 1].from : s.end;
}

bool side_keys(Call *c, SideText *t)
{
    static const char *const keys[] = {"pass=", "step="};
    const Option **to[] = {&t->pass, &t->step};
    t->span = rest_trimmed(c, t->span);
    for (bool more = true; more;) {
        u32 at = last_word(c, t->span);
        const char *w = c->text + (at - c->rest.start);
        more = false;
        for (size_t k = 0; k < COUNT_OF(keys); k++) {
            size_t n = strlen(keys[k]);
            if (at + n > t->span.end || strncmp(w, keys[k], n))
                continue;
            Option *o = arena_alloc(&c->arena, sizeof *o);
            Span value = {c->rest.src, at + (u32)n, t->span.end};
            if (*to[k])
                return call_fail(c, value, "usage", NULL, "%s is given twice", keys[k]);
            *o = (Option){.key = k ? "step" : "pass", .span = value};
            o->value = arena_strndup(&c->arena, w + n, value.end - value.start);
            *to[k] = o;
            t->span.end = at;
            t->span = rest_trimmed(c, t->span);
            more = true;
        }
    }
    return true;
}

/* One state, not two. */
static bool one_key(Call *c, const SideText *t)
{
    return !t->pass || !t->step ||
           call_fail(c, t->step->span, "usage", NULL, "give either pass= or step=");
}

static bool read_texts(Call *c, SideText of[2])
{
    u32 comma = c->rest.start + (u32)(comma_of(c->text) - c->text);
    of[0] = (SideText){.span = {c->rest.src, c->rest.start, comma}};
    of[1] = (SideText){.span = {c->rest.src, comma + 1, c->rest.end},
                       .pass = call_option(c, "pass"),
                       .step = call_option(c, "step")};
    of[1].span = rest_trimmed(c, of[1].span);
    if (!side_keys(c, &of[0]))
        return false;
    for (int i = 0; i < 2; i++) {
        if (of[i].span.start == of[i].span.end)
            return call_fail(c, c->rest, "usage", ":diff sin(x), \"last\"",
                             "the %s of the two graphs is missing", i ? "second" : "first");
        if (comma_of(rest_copy(c, of[i].span)))
            return call_fail(c, of[i].span, "usage", "several results are one tuple: (a, b)",
                             "two graphs are compared, and this is a third");
    }
    return true;
}

/* ---- states ---- */

/* How many steps lead to it. */
static bool find_state(Call *c, const Exploration *x, const SideText *t, u32 *k)
{
    *k = 0;
    if (t->pass && !call_state_after_pass(c, x, t->pass, k))
        return false;
    if (!t->step)
        return true;
    char *end;
    unsigned long n = strtoul(t->step->value, &end, 10);
    bool number = end != t->step->value && !*end;
    *k = (u32)n;
    if (!number)
        return call_fail(c, t->step->span, "usage", NULL, "a graph is one state: step=7");
    return n <= x->log.at.len ||
           call_fail(c, t->step->span, "usage", NULL, "step= goes up to %zu here", x->log.at.len);
}

static bool replay_to(Exploration *x, u32 k, GraphSide *out)
{
    out->n = x->nroots;
    out->roots = xcalloc((size_t)x->nroots + 1, sizeof *out->roots);
    out->provenance = x->provenance;
    return exploration_replay(x, k, out->roots);
}

static bool take_state(Call *c, Exploration *x, const SideText *t, GraphSide *out)
{
    u32 k;
    return find_state(c, x, t, &k) && replay_to(x, k, out);
}

/* As written, with bodies in place of calls. */
static Exploration *inline_calls(Session *s, int n, Node *const *roots)
{
    Options o = s->options;
    pipeline_clear(&o.pipeline);
    pipeline_add(&o.pipeline, pass_named("inline"));
    return session_explore_apart(s, &o, n, roots);
}

static bool take_expression(Call *c, const SideText *t, Span span, GraphSide *out)
{
    Session *s = &c->r->s;
    Node **roots = NULL;
    int n = session_roots_at(s, span, &roots);
    bool ok = n >= 0;
    if (ok && (t->pass || t->step || t->inlined)) {
        s->st.span = span;
        Exploration *x = t->inlined ? inline_calls(s, n, roots) : session_explore(s, n, roots);
        ok = x && (t->inlined ? replay_to(x, (u32)x->log.at.len, out) : take_state(c, x, t, out));
        free(roots);
    } else if (ok) {
        *out = (GraphSide){n, roots, s->st.provenance, NULL};
    }
    return ok;
}

/* ---- files ---- */

/* Runs it quietly; whatever it tells of errors is shown. */
static bool run_file(Call *c, const char *path, Span span)
{
    Repl *r = c->r;
    Text quiet = {0}, *capture = r->capture;
    Listener listener = r->listener;
    bool json = r->json, quit = r->quit, reset = r->reset;
    int status = r->status;
    size_t files = r->files.len;
    r->capture = &quiet;
    r->listener = (Listener){.diag = listener.diag, .ctx = listener.ctx};
    r->json = false;
    r->status = 0;
    bool read = repl_run_file(r, path, span), fine = read && !r->status;
    while (r->files.len > files) /* :load is for what was asked for */
        free(r->files.at[--r->files.len]);
    r->capture = capture;
    r->listener = listener;
    r->json = json;
    r->quit = quit;
    r->reset = reset;
    r->status = r->status > status ? r->status : status;
    text_free(&quiet);
    return fine || (read && call_fail(c, span, "program", "its errors are shown above",
                                      "%s has an error, so it is not compared", path));
}

/* "F.gr" EXPR */
static bool take_from_file(Call *c, const SideText *t, GraphSide *out)
{
    const char *s = rest_text(c, t->span), *close = strchr(s + 1, '"');
    Span name = t->span, expr = t->span;
    if (!close || close >= s + (t->span.end - t->span.start))
        return call_fail(c, t->span, "usage", NULL, "the quotes are not closed");
    name.end = name.start + (u32)(close - s) + 1;
    expr.start = name.end;
    expr = rest_trimmed(c, expr);
    if (expr.start == expr.end)
        return call_fail(c, name, "usage", ":diff \"old.gr\" y, y",
                         "the name of an expression must follow the name of the file");
    const char *path = arena_strndup(&c->arena, s + 1, (size_t)(close - s) - 1);
    bool ok = run_file(c, path, name) && take_expression(c, t, expr, out);
    session_undo_open(&c->r->s);
    return ok;
}

/* ---- both ---- */

static bool is_last(const Call *c, const SideText *t)
{
    return span_is(rest_text(c, t->span), t->span.end - t->span.start, "\"last\"");
}

static bool take_last(Call *c, Exploration *last, const SideText *t, GraphSide *out)
{
    if (!last)
        return call_fail(c, t->span, "usage", ":steps EXPR explores one",
                         "nothing was explored before");
    if (t->pass || t->step)
        return take_state(c, last, t, out);
    return take_state(c, last, &(SideText){.span = t->span}, out);
}

static bool take_side(Call *c, Exploration *last, const SideText *t, GraphSide *out)
{
    if (!one_key(c, t))
        return false;
    bool ok = is_last(c, t)                   ? take_last(c, last, t, out)
              : *rest_text(c, t->span) == '"' ? take_from_file(c, t, out)
                                              : take_expression(c, t, t->span, out);
    out->text = rest_copy(c, t->span);
    return ok;
}

static Exploration *explored_before(Session *s) { return s->recent ? s->recent : session_last(s); }

/* One exploration that has both: nothing of it is collected while files run. */
static bool take_sides(Call *c, const SideText of[2], Sides *s)
{
    Session *session = &c->r->s;
    Exploration *last = explored_before(session), *walked = session->walked, *first = NULL;
    if (!take_side(c, last, &of[0], &s->of[0]))
        return false;
    first = exploration_new(&session->st, s->of[0].n, s->of[0].roots);
    provenance_refer(&session->st, s->of[0].provenance);
    session_adopt(session, first);
    session->walked = first;
    bool ok = take_side(c, last, &of[1], &s->of[1]);
    session->walked = walked;
    s->of[0].provenance = first->provenance;
    return ok;
}

bool sides_step(Call *c, Sides *s)
{
    if (s->of[0].n != s->of[1].n)
        return call_fail(c, c->rest, "usage", "compare their results one by one",
                         "one has %d results, the other %d", s->of[0].n, s->of[1].n);
    diff_add_step(&s->diff, s->x);
    return true;
}

bool side_state(Call *c, const Exploration *x, const SideText *t, u32 *k)
{
    return (!t->pass && !t->step) || (one_key(c, t) && find_state(c, x, t, k));
}

bool side_take(Call *c, const SideText *t, GraphSide *out)
{
    return take_side(c, explored_before(&c->r->s), t, out);
}

bool sides_compare(Call *c, Sides *s)
{
    SideText of[2];
    *s = (Sides){.x = NULL};
    s->names = declared_find(c->info, "names", 5, &(DeclaredOption){0}) && call_switch(c, "names");
    return read_texts(c, of) && sides_compare_texts(c, of, s);
}

bool sides_compare_texts(Call *c, const SideText of[2], Sides *s)
{
    Store *st = &c->r->s.st;
    if (!take_sides(c, of, s))
        return false;
    s->x = exploration_new(st, s->of[0].n, s->of[0].roots);
    for (int i = 0; i < 2; i++)
        provenance_refer(st, s->of[i].provenance);
    s->diff = (GraphDiff){.st = st,
                          .nroots = {s->of[0].n, s->of[1].n},
                          .roots = {s->of[0].roots, s->of[1].roots},
                          .names = s->names};
    return graph_diff(&s->diff);
}

void sides_see(Sides *s, int side)
{
    provenance_enter(s->x->st, side < 0 ? s->x->provenance : s->of[side].provenance);
}

void sides_free(Sides *s)
{
    graph_diff_free(&s->diff);
    for (int i = 0; i < 2; i++)
        free(s->of[i].roots);
    if (s->x) {
        provenance_enter(s->x->st, s->x->around);
        exploration_free(s->x);
    }
}
