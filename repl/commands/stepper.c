/* Walking through steps; see stepper.h. */
#include "rewrite/things.h"
#include "repl/commands/stepper.h"

#include "graph/print.h"
#include "repl/terminal/term.h"

#include <unistd.h>

enum { STATE_CHARS = 400 };

void stepper_init(Stepper *s, Call *c, Exploration *x)
{
    *s = (Stepper){.c = c, .x = x};
    s->levels[0] = (Level){.log = &x->log, .n = x->nroots, .start = x->start};
}

void stepper_free(Stepper *s)
{
    while (stepper_out(s)) {
    }
}

Level *stepper_level(Stepper *s) { return &s->levels[s->depth]; }

static const Step *present(Stepper *s)
{
    const Level *l = stepper_level(s);
    return l->at ? &l->log->at.at[l->at - 1] : NULL;
}

/* ---- moving ---- */

/* Into the child steps of one that opens. */
static bool enter_children(Stepper *s, const Step *step)
{
    Opened *o = xcalloc(1, sizeof *o);
    if (!step_open(&s->c->r->s.st, step, o)) {
        opened_free(o);
        free(o);
        return false;
    }
    const Graph *graph = stepper_level(s)->graph;
    things_of_states(s->x);
    s->levels[++s->depth] = (Level){&o->log, o->n, o->start, 0, graph, o, s->x->numbering};
    s->x->numbering = numbering_copy(&s->x->numbering);
    return true;
}

bool stepper_in(Stepper *s)
{
    const Step *step = present(s);
    if (!step || s->depth + 1 == PLACE_DEPTH)
        return false;
    if (step_opens(step))
        return enter_children(s, step);
    if (!step->inner)
        return false;
    Graph *g = step->inner_before;
    s->levels[++s->depth] =
        (Level){.log = step->inner, .n = g->nouts, .start = g->outs, .graph = g};
    return true;
}

bool stepper_out(Stepper *s)
{
    if (s->depth == 0)
        return false;
    Level *l = &s->levels[s->depth--];
    if (l->opened) {
        opened_free(l->opened);
        free(l->opened);
        map_free(&s->x->numbering.of);
        s->x->numbering = l->outside;
    }
    return true;
}

static bool is_of_rule(const Step *s, const char *rule, bool inside)
{
    bool found = strcmp(step_rule(s), rule) == 0;
    for (size_t i = 0; inside && s->inner && i < s->inner->at.len && !found; i++)
        found = is_of_rule(&s->inner->at.at[i], rule, true);
    return found;
}

/* The first step of a rule, or with one inside, after `from`; 0: none. */
static u32 next_of_rule(const StepLog *log, u32 from, const char *rule)
{
    for (u32 k = from; k < log->at.len; k++)
        if (is_of_rule(&log->at.at[k], rule, true))
            return k + 1;
    return 0;
}

bool stepper_until(Stepper *s, const char *rule)
{
    int depth = s->depth;
    u32 next = 0;
    while (depth >= 0 && !(next = next_of_rule(s->levels[depth].log, s->levels[depth].at, rule)))
        depth--;
    if (!next)
        return false;
    while (s->depth > depth)
        stepper_out(s);
    for (;; next = next_of_rule(stepper_level(s)->log, 0, rule)) {
        stepper_level(s)->at = next;
        if (is_of_rule(present(s), rule, false) || !stepper_in(s))
            return true;
    }
}

bool stepper_goto(Stepper *s, const Place *p)
{
    stepper_free(s);
    for (u32 i = 0; i < p->n; i++) {
        if (i && !stepper_in(s))
            return false;
        if (p->at[i] > stepper_level(s)->log->at.len)
            return false;
        stepper_level(s)->at = p->at[i];
    }
    return true;
}

/* ---- showing ---- */

/* "3/12", "3.1/4" */
static void put_place(Stepper *s, Text *out)
{
    for (int i = 0; i <= s->depth; i++)
        text_printf(out, "%s%u", i ? "." : "", s->levels[i].at);
    text_printf(out, "/%zu", stepper_level(s)->log->at.len);
}

static void put_step(Stepper *s, Text *out)
{
    const Step *step = present(s);
    put_place(s, out);
    if (!step) {
        text_put(out, s->depth ? "  before the first step inside\n" : "  start\n");
        return;
    }
    text_printf(out, "  %s, %s [", step->pass, step_rule(step));
    hazard_print(out, step_classes(step));
    text_put(out, "]\n    ");
    s->x->numbering.within = stepper_level(s)->graph;
    put_changes(out, s->x->st, step, &s->x->numbering, "\n    ");
    s->x->numbering.within = NULL;
    Text why = {0};
    put_why(&why, step);
    text_printf(out, why.len ? "\n    # %s\n" : "\n", text_str(&why));
    text_free(&why);
}

/* What the present step put in, marked; inputs and parameters would be marked wherever they are. */
static void find_marked(Stepper *s, PtrMap *marked)
{
    const Step *step = present(s);
    for (int i = 0; step && i < step->nchanges; i++) {
        Node *n = step->changes[i].after;
        if (n->op != OP_INPUT && n->op != OP_SHARED && n->op != OP_PARAM)
            map_put(marked, n, n);
    }
}

static void put_expressions(Stepper *s, Text *out, Node *const *roots)
{
    PtrMap marked = {0};
    find_marked(s, &marked);
    for (int i = 0; i < stepper_level(s)->n; i++) {
        Text source = {0};
        if (i && roots[i] == roots[i - 1]) /* a state and its trace */
            continue;
        node_source_marked(s->x->st, &source, roots[i], STATE_CHARS, &marked,
                           stepper_level(s)->graph);
        for (size_t k = 0; k < source.len; k++)
            if (source.at[k] == '\n')
                source.at[k] = ' ';
        text_printf(out, "  %s%s\n", i ? "  " : "= ", text_str(&source));
        text_free(&source);
    }
    map_free(&marked);
}

static bool put_state(Stepper *s, Text *out, bool whole)
{
    Level *l = stepper_level(s);
    Node **roots = xmalloc(((size_t)l->n + 1) * sizeof *roots);
    bool ok = log_replay(s->x->st, l->log, l->at, l->n, l->start, roots);
    s->x->numbering.within = l->graph;
    if (ok && whole) {
        things_of_states(s->x);
        graph_print(s->x->st, out, l->n, roots, &s->x->numbering);
    } else if (ok) {
        put_expressions(s, out, roots);
    }
    s->x->numbering.within = NULL;
    free(roots);
    return ok || call_fail(s->c, s->c->span, "replay", NULL, "the steps cannot be replayed");
}

typedef enum { MARKS_NONE, MARKS_SIGNS, MARKS_COLOR } Marks;

static void put_marked(Text *out, const Text *text, Marks marks)
{
    static const char *const opens[] = {"", "«", "\033[1;32m"}, *const closes[] = {"", "»", ""};
    int depth = 0;
    for (size_t i = 0; i < text->len; i++)
        if (text->at[i] == MARK_OPEN) {
            text_put(out, opens[marks]);
            depth++;
        } else if (text->at[i] == MARK_CLOSE) {
            text_put(out, --depth || marks != MARKS_COLOR ? closes[marks] : "\033[0m");
        } else {
            text_putc(out, text->at[i]);
        }
}

bool stepper_put(Stepper *s, Text *out, bool whole)
{
    Text state = {0};
    Repl *r = s->c->r;
    bool color = !r->capture && !r->json && term_color(r->color_mode, STDOUT_FILENO);
    put_step(s, out);
    bool ok = put_state(s, &state, whole);
    put_marked(out, &state, color ? MARKS_COLOR : MARKS_SIGNS);
    text_free(&state);
    return ok;
}

bool stepper_json(Stepper *s, Json *j)
{
    Text step = {0}, state = {0}, plain = {0}, marked = {0}, place = {0};
    put_step(s, &step);
    bool ok = put_state(s, &state, false);
    put_marked(&plain, &state, MARKS_NONE);
    put_marked(&marked, &state, MARKS_SIGNS);
    for (int i = 0; i <= s->depth; i++)
        text_printf(&place, "%s%u", i ? "." : "", s->levels[i].at);
    json_count(j, "step", s->levels[0].at);
    json_pair(j, "place", text_str(&place));
    json_pair(j, "text", text_str(&step));
    json_pair(j, "state", text_str(&plain));
    json_pair(j, "marked", text_str(&marked));
    Text *const all[] = {&step, &state, &plain, &marked, &place};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        text_free(all[i]);
    return ok;
}
