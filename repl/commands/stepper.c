/* Walking through steps; see stepper.h. */
#include <limits.h>

#include "rewrite/things.h"
#include "repl/commands/stepper.h"

#include "surface/surface.h"
#include "repl/commands/change.h"
#include "repl/commands/colors.h"

enum { STATE_CHARS = 400, MOST_CHANGES = 5 };

void stepper_init(Stepper *s, Call *c, Exploration *x)
{
    *s = (Stepper){.c = c, .x = x, .began = now_seconds()};
    s->levels[0] = (Level){.log = &x->log, .n = x->nroots, .start = x->start};
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
    const Opened *o = exploration_opened(s->x, step);
    if (!o)
        return false;
    const Graph *graph = stepper_level(s)->graph;
    things_open(s->x);
    s->levels[++s->depth] = (Level){&o->log, o->n, o->start, 0, graph};
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
    s->depth--;
    return true;
}

/* What is looked for: the steps of a rule, or those with a text in them. */
typedef struct {
    Stepper *s;
    const char *rule, *text;
} Wanted;

static bool has_text(const Wanted *w, const Step *step, const Graph *within)
{
    ChangeLines lines = {.of = {0}};
    Telling t = {w->s->x, within, repl_width(w->s->c->r), INT_MAX, &lines, NULL, 0};
    Text why = {0};
    put_why(&why, step);
    bool found = strstr(step_rule(step), w->text) || strstr(text_str(&why), w->text);
    if (!found && !step_rewrites_inside(step))
        change_of_step(&t, step);
    for (size_t i = 0; i < lines.of.len && !found; i++)
        found = strstr(lines.of.at[i].text, w->text) != NULL;
    change_free(&lines);
    text_free(&why);
    return found;
}

/* Is it one, or with `inside` one that has one inside? */
static bool is_wanted(const Wanted *w, const Step *step, const Graph *within, bool inside)
{
    bool found = w->rule ? strcmp(step_rule(step), w->rule) == 0 : has_text(w, step, within);
    for (size_t i = 0; inside && step->inner && i < step->inner->at.len && !found; i++)
        found = is_wanted(w, &step->inner->at.at[i], step->inner_before, true);
    return found;
}

/* The first wanted step, or with one inside, after `from`; 0: none. */
static u32 next_wanted(const Wanted *w, const Level *l, u32 from)
{
    for (u32 k = from; k < l->log->at.len; k++)
        if (is_wanted(w, &l->log->at.at[k], l->graph, true))
            return k + 1;
    return 0;
}

/* From where it stands, or from the start. */
static bool go_to_wanted(const Wanted *w, bool from_start)
{
    Stepper *s = w->s;
    int depth = from_start ? 0 : s->depth;
    u32 next = 0;
    while (depth >= 0 &&
           !(next = next_wanted(w, &s->levels[depth], from_start ? 0 : s->levels[depth].at)))
        depth--;
    if (!next)
        return false;
    while (s->depth > depth)
        stepper_out(s);
    for (;; next = next_wanted(w, stepper_level(s), 0)) {
        stepper_level(s)->at = next;
        if (is_wanted(w, present(s), stepper_level(s)->graph, false) || !stepper_in(s))
            return true;
    }
}

bool stepper_until(Stepper *s, const char *rule)
{
    return go_to_wanted(&(Wanted){s, rule, NULL}, false);
}

bool stepper_find(Stepper *s, const char *text)
{
    Wanted w = {s, NULL, text};
    return go_to_wanted(&w, false) || go_to_wanted(&w, true);
}

void stepper_place(const Stepper *s, Place *out)
{
    out->n = 0;
    for (int i = 0; i <= s->depth; i++)
        out->at[out->n++] = s->levels[i].at;
}

bool stepper_goto(Stepper *s, const Place *p)
{
    s->depth = 0;
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

/* "stabilize, log1p [R] in scan h, c", and below the reason. */
static void put_step(Stepper *s, Text *out)
{
    const Step *step = present(s);
    const Graph *within = stepper_level(s)->graph;
    put_place(s, out);
    if (!step) {
        text_put(out, s->depth ? "  before the first step inside\n" : "  start\n");
        return;
    }
    text_printf(out, "  %s, %s [", step->pass, step_rule(step));
    hazard_print(out, step_classes(step));
    text_putc(out, ']');
    if (within) {
        text_put(out, " in ");
        put_where(out, s->x, within);
    }
    text_putc(out, '\n');
    Text why = {0};
    ChangeLines lines = {.of = {0}};
    Telling t = {s->x, within, 0, 0, &lines, NULL, 0};
    put_why(&why, step);
    Text reason = {0};
    text_printf(&reason, "# %s", text_str(&why));
    if (why.len && !step_rewrites_inside(step))
        change_line(&t, '.', &reason);
    change_put(out, &lines, 4, repl_width(s->c->r), MARKS_NONE);
    change_free(&lines);
    text_free(&why);
    text_free(&reason);
}

static void put_change(Stepper *s, Text *out, Node *const *roots, Marks marks)
{
    Level *l = stepper_level(s);
    int width = repl_width(s->c->r);
    ChangeLines lines = {.of = {0}};
    Telling t = {s->x, l->graph, width - 6, MOST_CHANGES, &lines, NULL, 0};
    change_of_step(&t, present(s));
    if (l->n)
        change_context(&t, present(s), l->n, roots);
    change_put(out, &lines, 4, width, marks);
    change_free(&lines);
}

/* What the present step put in, marked; inputs and parameters would be marked wherever they are. */
static void find_marked(Stepper *s, NodeSet *marked)
{
    const Step *step = present(s);
    for (int i = 0; step && i < step->nchanges; i++) {
        Node *n = step->changes[i].after;
        if (n->op != OP_INPUT && n->op != OP_SHARED && n->op != OP_PARAM)
            set_add(marked, n);
    }
}

/* The whole state in the language; false: a part of it cannot be written so. */
static bool put_listing(Stepper *s, Styled *out, Node *const *roots)
{
    const Level *l = stepper_level(s);
    DiagTry trial;
    NodeSet marked = {0};
    if (!s->sought)
        find_marked(s, &marked);
    ListingOptions options = {.num = &s->x->numbering,
                              .marked = &marked,
                              .edges = &out->edges,
                              .within = l->graph,
                              .width = repl_width(s->c->r),
                              .declared = true};
    diag_try_begin(&trial, &s->x->st->diags);
    bool ok = listing_print(s->x->st, &out->text, l->n, roots, &options);
    text_put(&out->text, ok ? "\n" : "");
    diag_try_end(&trial);
    map_free(&marked);
    return ok;
}

/* The text that is looked for, wherever it stands. */
static void mark_sought(Styled *state, const char *sought)
{
    Edges out = {0};
    const char *s = text_str(&state->text);
    size_t n = strlen(sought);
    for (StyledPart p = {0}; styled_next(&p, s, state->text.len, &state->edges);) {
        if (p.edge)
            vec_push(&out, *p.edge);
        for (size_t i = 0; i + n <= p.len;) {
            bool found = strncmp(p.text + i, sought, n) == 0;
            if (found) {
                vec_push(&out, ((Edge){(size_t)(p.text - s) + i, true, NULL}));
                vec_push(&out, ((Edge){(size_t)(p.text - s) + i + n, false, NULL}));
            }
            i += found ? n : 1;
        }
    }
    vec_free(&state->edges);
    state->edges = out;
}

/* As expressions of one line each. `all`: of them, however many; else the first ones, shortened. */
static void put_expressions(Stepper *s, Styled *out, Node *const *roots, bool all)
{
    enum { FEW = 3 };
    const Level *l = stepper_level(s);
    NodeSet marked = {0};
    int told = 0, left = 0;
    find_marked(s, &marked);
    for (int i = 0; i < l->n; i++) {
        Styled source = {0};
        if (i && roots[i] == roots[i - 1]) /* a state and its trace */
            continue;
        if (!all && told == FEW) {
            left++;
            continue;
        }
        node_source_marked(s->x->st, &source, roots[i],
                           all ? STATE_CHARS : 2 * repl_width(s->c->r) - 12, &marked, l->graph);
        text_join_lines(&source.text);
        text_put(&out->text, told++ ? "    " : "  = ");
        styled_put(&out->text, &out->edges, &source);
        text_putc(&out->text, '\n');
        styled_free(&source);
    }
    if (left)
        text_printf(&out->text, "    … and %d more\n", left);
    map_free(&marked);
}

static void put_marked(Text *out, const Styled *state, Marks marks)
{
    static const char *const opens[] = {"", "«", "\033[1;32m"}, *const closes[] = {"", "»", ""};
    int depth = 0;
    for (StyledPart p = {0}; styled_next(&p, state->text.at, state->text.len, &state->edges);) {
        depth += !p.edge ? 0 : p.edge->opens ? 1 : -1;
        if (!p.edge)
            text_putn(out, p.text, p.len);
        else if (p.edge->opens)
            text_put(out, opens[marks]);
        else
            text_put(out, depth || marks != MARKS_COLOR ? closes[marks] : "\033[0m");
    }
}

static bool put_state(Stepper *s, Text *out, Shown what, Marks marks)
{
    Level *l = stepper_level(s);
    Node **roots = xmalloc(((size_t)l->n + 1) * sizeof *roots);
    bool ok = log_replay(s->x->st, l->log, l->at, l->n, l->start, roots);
    Styled state = {0};
    s->x->numbering.within = l->graph;
    if (ok && what == SHOW_GRAPH) {
        things_of_states(s->x);
        if (s->depth == 0)
            things_of_state(s->x, l->at);
        graph_print(s->x->st, &state.text, l->n, roots, &s->x->numbering);
        put_colored(out, text_str(&state.text), marks == MARKS_COLOR);
    } else if (ok && what == SHOW_CHANGE && present(s)) {
        put_change(s, out, roots, marks);
    } else if (ok) {
        if (what != SHOW_STATE || !put_listing(s, &state, roots)) {
            state.text.len = state.edges.len = 0;
            put_expressions(s, &state, roots, what == SHOW_EXPRESSIONS);
        }
        if (s->sought && *s->sought)
            mark_sought(&state, s->sought);
        put_marked(out, &state, marks);
    }
    s->x->numbering.within = NULL;
    styled_free(&state);
    free(roots);
    return ok || call_fail(s->c, s->c->span, "replay", NULL, "the steps cannot be replayed");
}

static bool state_has(Stepper *s, const char *text)
{
    Text state = {0};
    s->sought = ""; /* no marks, which would part words */
    bool found = put_state(s, &state, SHOW_STATE, MARKS_NONE) && strstr(text_str(&state), text);
    s->sought = NULL;
    text_free(&state);
    return found;
}

bool stepper_find_state(Stepper *s, const char *text)
{
    Place here;
    stepper_place(s, &here);
    bool found = state_has(s, text);
    if (!found) {
        stepper_goto(s, &(Place){.n = 1});
        found = state_has(s, text);
    }
    if (found)
        s->sought = text;
    else
        stepper_goto(s, &here);
    return found;
}

bool stepper_put(Stepper *s, Text *out, Shown what)
{
    put_step(s, out);
    return put_state(s, out, what, call_marks(s->c));
}

bool stepper_json(Stepper *s)
{
    Report *r = &s->c->report;
    Text step = {0}, plain = {0}, marked = {0}, change = {0}, place = {0};
    Place at;
    put_step(s, &step);
    bool ok = put_state(s, &plain, SHOW_EXPRESSIONS, MARKS_NONE) &&
              put_state(s, &marked, SHOW_EXPRESSIONS, MARKS_SIGNS) &&
              (!present(s) || put_state(s, &change, SHOW_CHANGE, MARKS_NONE));
    stepper_place(s, &at);
    place_print(&place, &at);
    report_say(r, "{=step}{=place}{=text}{=state}{=marked}{=change}", int_of(s->levels[0].at),
               text_built(r, &place), text_built(r, &step), text_built(r, &plain),
               text_built(r, &marked), text_built(r, &change));
    return ok;
}
