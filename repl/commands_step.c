/* :step: walking through the states of an expression, one step at a time.
 *
 * The walk is a stack: the steps of the expression at the bottom, those of inner
 * graphs that were entered above.  At a terminal keys are words on a line of their
 * own; elsewhere every state is printed. */
#include "rewrite/history.h"
#include "graph/print.h"
#include "repl/commands.h"
#include "repl/show.h"

#include <unistd.h>

enum { MAX_INSIDE = 32, STATE_CHARS = 400 };

typedef struct {
    const StepLog *log;
    int n;
    Node *const *start;
    u32 at;             /* steps done */
    const Graph *graph; /* whose steps these are; NULL: the expression's */
} Level;

typedef struct {
    Call *c;
    Exploration *x;
    Level levels[MAX_INSIDE];
    int depth;                     /* index of the innermost */
    Opened *opened[MAX_INSIDE];    /* the child steps that a level shows, or NULL */
    Numbering outside[MAX_INSIDE]; /* numbers as they were before it was opened */
} Stepper;

static Level *level(Stepper *s) { return &s->levels[s->depth]; }

static const char *pass_of(const Stepper *s, const Step *step)
{
    return step->pass        ? step->pass
           : s->levels[0].at ? s->x->log.at.at[s->levels[0].at - 1].pass
                             : "";
}

/* "3/12", "3/12 inside: 1/4" */
static void put_place(Text *out, Stepper *s)
{
    for (int i = 0; i <= s->depth; i++)
        text_printf(out, "%s%u/%zu", i ? " inside " : "", s->levels[i].at,
                    s->levels[i].log->at.len);
}

static bool put_state(Text *out, Stepper *s, bool whole)
{
    Level *l = level(s);
    Store *st = &s->c->r->s.st;
    Node **roots = xmalloc(((size_t)l->n + 1) * sizeof *roots);
    bool ok = log_replay(st, l->log, l->at, l->n, l->start, roots);
    if (ok && whole)
        exploration_number_states(s->x);
    if (ok && whole)
        graph_print(st, out, l->n, roots, &s->x->numbering);
    for (int i = 0; i < l->n && ok && !whole; i++) {
        text_put(out, i ? "  " : "  = ");
        Text source = {0};
        node_source_limited(st, &source, roots[i], false, STATE_CHARS);
        for (size_t k = 0; k < source.len; k++)
            text_putc(out, source.at[k] == '\n' ? ' ' : source.at[k]);
        text_free(&source);
        text_putc(out, '\n');
    }
    free(roots);
    return ok;
}

static void put_step(Text *out, Stepper *s)
{
    Level *l = level(s);
    put_place(out, s);
    if (l->at == 0) {
        text_put(out, "  start\n");
        return;
    }
    const Step *step = &l->log->at.at[l->at - 1];
    text_printf(out, "  %s, %s [", pass_of(s, step), step_rule(step));
    hazard_print(out, step_classes(step));
    text_put(out, "]\n    ");
    s->x->numbering.within = l->graph;
    put_changes(out, &s->c->r->s.st, step, &s->x->numbering);
    s->x->numbering.within = NULL;
    text_putc(out, '\n');
    Text why = {0};
    put_why(&why, step);
    if (why.len)
        text_printf(out, "    # %s\n", text_str(&why));
    text_free(&why);
}

static void step_json(Json *j, Stepper *s)
{
    Text shown = {0}, state = {0};
    put_step(&shown, s);
    put_state(&state, s, false);
    json_begin(j, '{');
    json_key(j, "step");
    json_int(j, level(s)->at);
    json_key(j, "text");
    json_string(j, text_str(&shown));
    json_key(j, "state");
    json_string(j, text_str(&state));
    json_end(j, '}');
    text_free(&shown);
    text_free(&state);
}

static bool print_all(Stepper *s)
{
    Call *c = s->c;
    bool ok = true;
    json_key(&c->data, "states");
    json_begin(&c->data, '[');
    for (u32 k = 0; k <= level(s)->log->at.len && ok && !term_interrupted(); k++) {
        level(s)->at = k;
        put_step(&c->out, s);
        ok = put_state(&c->out, s, false);
        step_json(&c->data, s);
    }
    json_end(&c->data, ']');
    return ok || call_fail(c, c->span, "replay", NULL, "the steps cannot be replayed");
}

/* ---- at a terminal ---- */

/* Into the child steps of a derivative: what they show does not move other numbers. */
static bool enter_children(Stepper *s, const Step *step)
{
    Opened *o = xcalloc(1, sizeof *o);
    if (!step_open(&s->c->r->s.st, step, o)) {
        opened_free(o);
        free(o);
        return false;
    }
    const Graph *graph = level(s)->graph;
    s->levels[++s->depth] = (Level){&o->log, o->n, o->start, 0, graph};
    s->opened[s->depth] = o;
    exploration_number_states(s->x);
    s->outside[s->depth] = s->x->numbering;
    s->x->numbering = numbering_copy(&s->x->numbering);
    return true;
}

static bool leave_inner(Stepper *s)
{
    if (s->depth == 0)
        return false;
    Opened *o = s->opened[s->depth];
    if (o) {
        opened_free(o);
        free(o);
        s->opened[s->depth] = NULL;
        map_free(&s->x->numbering.of);
        s->x->numbering = s->outside[s->depth];
    }
    s->depth--;
    return true;
}

static bool enter_inner(Stepper *s)
{
    Level *l = level(s);
    const Step *step = l->at ? &l->log->at.at[l->at - 1] : NULL;
    if (!step || s->depth + 1 == MAX_INSIDE)
        return false;
    if (step_opens(step))
        return enter_children(s, step);
    if (!step->inner)
        return false;
    s->levels[++s->depth] = (Level){step->inner, step->inner_before->nouts,
                                    step->inner_before->outs, 0, step->inner_before};
    return true;
}

static bool go_until(Stepper *s, const char *rule)
{
    Level *l = level(s);
    for (u32 k = l->at; k < l->log->at.len; k++)
        if (strcmp(step_rule(&l->log->at.at[k]), rule) == 0) {
            l->at = k + 1;
            return true;
        }
    return false;
}

/* One key. Returns a message, or NULL if the place is to be shown. */
static const char *press(Stepper *s, const char *key, const char *argument, bool *whole)
{
    Level *l = level(s);
    char *end;
    *whole = false;
    if (!*key || !strcmp(key, "n") || !strcmp(key, "next")) {
        if (l->at == l->log->at.len)
            return "this is the last step";
        l->at++;
    } else if (!strcmp(key, "p") || !strcmp(key, "prev")) {
        if (l->at == 0)
            return "this is the start";
        l->at--;
    } else if (!strcmp(key, "until") || !strcmp(key, "u")) {
        if (!*argument)
            return "until which rule?";
        if (!go_until(s, argument))
            return "no further step of that rule";
    } else if (!strcmp(key, "in") || !strcmp(key, "i")) {
        if (!enter_inner(s))
            return "this step has no steps inside";
    } else if (!strcmp(key, "out") || !strcmp(key, "o")) {
        if (!leave_inner(s))
            return "this is the outermost graph";
    } else if (!strcmp(key, "g") || !strcmp(key, "graph")) {
        *whole = true;
    } else if (*key >= '0' && *key <= '9' && strtol(key, &end, 10) <= (long)l->log->at.len &&
               !*end) {
        l->at = (u32)strtol(key, NULL, 10);
    } else {
        return "n next, p previous, until RULE, in, out, a number, g graph, q quit";
    }
    return NULL;
}

static void interact(Stepper *s)
{
    char line[256], key[64], argument[128];
    bool whole = false;
    const char *message = NULL;
    for (;;) {
        Text out = {0};
        if (message) {
            text_printf(&out, "%s\n", message);
        } else {
            put_step(&out, s);
            put_state(&out, s, whole);
        }
        show_put(s->c->r, &out);
        printf("step> ");
        fflush(stdout);
        if (!fgets(line, sizeof line, stdin)) {
            putchar('\n');
            clearerr(stdin);
            return;
        }
        key[0] = argument[0] = '\0';
        sscanf(line, "%63s %127s", key, argument);
        if (!strcmp(key, "q") || !strcmp(key, "quit"))
            return;
        message = press(s, key, argument, &whole);
    }
}

bool command_step(Call *c)
{
    Exploration *x = call_explore(c);
    if (!x)
        return false;
    Stepper s = {.c = c, .x = x};
    s.levels[0] = (Level){&x->log, x->nroots, x->start, 0, NULL};
    if (c->r->json || !term_is_interactive())
        return print_all(&s);
    interact(&s);
    while (leave_inner(&s)) {
    }
    return true;
}
