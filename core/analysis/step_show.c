/* Where a cursor stands, as text; see step_show.h. */
#include "analysis/step_show.h"

#include "analysis/step_change.h"
#include "graph/print.h"
#include "rewrite/history.h"
#include "surface/surface.h"

enum { STATE_CHARS = 400, MOST_CHANGES = 5 };

/* "3/12", "3.1/4" */
static void put_place(const StepShow *s, Text *out)
{
    for (int i = 0; i <= s->at->depth; i++)
        text_printf(out, "%s%u", i ? "." : "", s->at->levels[i].at);
    text_printf(out, "/%zu", cursor_level(s->at)->log->at.len);
}

/* "stabilize, log1p [R] in scan h, c", and below the reason. */
void step_put_head(const StepShow *s, Text *out)
{
    const Step *step = cursor_step(s->at);
    const Graph *within = cursor_level(s->at)->graph;
    put_place(s, out);
    if (!step) {
        text_put(out, s->at->depth ? "  before the first step inside\n" : "  start\n");
        return;
    }
    text_printf(out, "  %s, %s [", step->pass, step_rule(step));
    hazard_print(out, step_classes(step));
    text_putc(out, ']');
    if (within) {
        text_put(out, " in ");
        put_where(out, s->at->x, within);
    }
    text_putc(out, '\n');
    Text why = {0};
    ChangeLines lines = {.of = {0}};
    Telling t = {s->at->x, within, 0, 0, &lines, NULL, 0};
    put_why(&why, step);
    Text reason = {0};
    text_printf(&reason, "# %s", text_str(&why));
    if (why.len && !step_rewrites_inside(step))
        change_line(&t, '.', &reason);
    change_put(out, &lines, 4, s->width, MARKS_NONE);
    change_free(&lines);
    text_free(&why);
    text_free(&reason);
}

static void put_change(const StepShow *s, Text *out, Node *const *roots)
{
    StepLevel *l = cursor_level(s->at);
    int width = s->width;
    ChangeLines lines = {.of = {0}};
    Telling t = {s->at->x, l->graph, width - 6, MOST_CHANGES, &lines, NULL, 0};
    change_of_step(&t, cursor_step(s->at));
    if (l->n)
        change_context(&t, cursor_step(s->at), l->n, roots);
    change_put(out, &lines, 4, width, s->marks);
    change_free(&lines);
}

/* What the present step put in, marked; inputs and parameters would be marked wherever they are. */
static void find_marked(const StepShow *s, NodeSet *marked)
{
    const Step *step = cursor_step(s->at);
    for (int i = 0; step && i < step->nchanges; i++) {
        Node *n = step->changes[i].after;
        if (n->op != OP_INPUT && n->op != OP_SHARED && n->op != OP_PARAM)
            set_add(marked, n);
    }
}

/* The whole state in the language; false: a part of it cannot be written so. */
static bool put_listing(const StepShow *s, Styled *out, Node *const *roots)
{
    const StepLevel *l = cursor_level(s->at);
    DiagTry trial;
    NodeSet marked = {0};
    if (!s->sought)
        find_marked(s, &marked);
    ListingOptions options = {.num = &s->at->x->numbering,
                              .marked = &marked,
                              .edges = &out->edges,
                              .within = l->graph,
                              .width = s->width,
                              .declared = true};
    diag_try_begin(&trial, &s->at->x->st->diags);
    bool ok = listing_print(s->at->x->st, &out->text, l->n, roots, &options);
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
static void put_expressions(const StepShow *s, Styled *out, Node *const *roots, bool all)
{
    enum { FEW = 3 };
    const StepLevel *l = cursor_level(s->at);
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
        node_source_marked(s->at->x->st, &source, roots[i], all ? STATE_CHARS : 2 * s->width - 12,
                           &marked, l->graph);
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

bool step_put_state(const StepShow *s, Text *out, StepShown what)
{
    Exploration *x = s->at->x;
    const StepLevel *l = cursor_level(s->at);
    Node **roots = xmalloc(((size_t)l->n + 1) * sizeof *roots);
    bool ok = log_replay(x->st, l->log, l->at, l->n, l->start, roots);
    Styled state = {0};
    x->numbering.within = l->graph;
    if (ok && what == SHOW_GRAPH) {
        things_of_states(x);
        if (s->at->depth == 0)
            things_of_state(x, l->at);
        graph_print(x->st, out, l->n, roots, &x->numbering);
    } else if (ok && what == SHOW_CHANGE && cursor_step(s->at)) {
        put_change(s, out, roots);
    } else if (ok) {
        if (what != SHOW_STATE || !put_listing(s, &state, roots)) {
            state.text.len = state.edges.len = 0;
            put_expressions(s, &state, roots, what == SHOW_EXPRESSIONS);
        }
        if (s->sought && *s->sought)
            mark_sought(&state, s->sought);
        put_marked(out, &state, s->marks);
    }
    x->numbering.within = NULL;
    styled_free(&state);
    free(roots);
    return ok;
}

static bool state_has(const StepShow *s, const char *text)
{
    StepShow plain = {s->at, s->width, MARKS_NONE, ""}; /* marks would part words */
    Text state = {0};
    bool found = step_put_state(&plain, &state, SHOW_STATE) && strstr(text_str(&state), text);
    text_free(&state);
    return found;
}

bool step_find_state(const StepShow *s, const char *text)
{
    Place here;
    cursor_place(s->at, &here);
    bool found = state_has(s, text);
    if (!found) {
        cursor_goto(s->at, &(Place){.n = 1});
        found = state_has(s, text);
    }
    if (!found)
        cursor_goto(s->at, &here);
    return found;
}
