/* Steps as a document; see document_steps.h. */
#include "emit/document_steps.h"

#include "analysis/step_view.h"
#include "graph/control.h"
#include "graph/print.h"
#include "rewrite/pass.h"
#include "rewrite/things.h"
#include "rewrite/bounds.h"
#include "rewrite/history.h"
#include "surface/surface.h"

#include <ctype.h>

enum { WIDTH = 96, MOST_CHANGES = 16 };

typedef struct {
    StepView v;
    Document *d;
    SET(const Thing *) defined; /* numbers */
    u32 count;                  /* of all steps */
} Deriver;

/* ---- what a number is ---- */

/* Is the state after the step whose number is `step` in the log of `log` one that `at` comes after,
 * or the one that it makes? */
static bool is_so_far(const Deriver *w, const Origin *o, const char *at)
{
    Place made, here;
    if (!o)
        return true;
    bool known = place_parse(origin_text(w->v.arena, o), &made) && place_parse(at, &here);
    for (u32 i = 0; known && i < made.n && i < here.n; i++)
        if (made.at[i] != here.at[i])
            return made.at[i] < here.at[i];
    return known;
}

/* What the thing is after the step `at`; what it is first, if it is not there yet. */
static const Occurrence *occurrence_at(const Deriver *w, const Thing *thing, const char *at)
{
    const Occurrence *found = thing->first;
    for (const Occurrence *o = found; o && is_so_far(w, o->origin, at); o = o->next)
        found = o;
    return found;
}

/* The graph that it stands in then; NULL: the outermost. */
static const Graph *graph_at(const Deriver *w, const Occurrence *occ, const char *at)
{
    const BodiesByGraph *bodies = &exploration_things(w->v.x)->bodies;
    int slots[4];
    if (!occ->body->owner)
        return NULL;
    if (w->v.within && map_get(bodies, w->v.within) == occ->body)
        return w->v.within;
    Node *n = occurrence_at(w, occ->body->owner, at)->node;
    for (int i = node_graphs(n, slots); i-- > 0;)
        if (map_get(bodies, n->attrs[slots[i]].graph) == occ->body)
            return n->attrs[slots[i]].graph;
    return occ->body->graph;
}

/* Of what a derivative is of, or of a function of vmap: its parameters have no names that help. */
static bool is_of_a_function(const Occurrence *occ)
{
    const Thing *owner = occ->body->owner;
    return owner && op_table[owner->first->node->op].cls == CLASS_IMPLICIT;
}

/* From "%5 = .." on, which the last line of a listing says again. */
static void put_last_definition(Text *out, const char *listing)
{
    const char *result = strrchr(listing, '\n'), *from = listing;
    if (!result)
        return;
    Text begins = {0};
    text_printf(&begins, "\n%s = ", result + 1);
    for (const char *s = listing; s && s < result; s = strchr(s + 1, '\n'))
        if (strncmp(s, text_str(&begins) + (s == listing), begins.len - (s == listing)) == 0)
            from = s == listing ? s + begins.len - 1 : s + begins.len;
    text_putn(out, from, (size_t)(result - from));
    text_free(&begins);
}

/* A loop with its body; of what it reads the names and numbers. */
static void put_loop(Deriver *w, Text *out, const Occurrence *occ, const Graph *within)
{
    Node *n = occ->node;
    Text listing = {0};
    NodeSet leaves = {0};
    for (u32 i = 0; i < n->nops; i++)
        if (!node_is_inline(n->ops[i]))
            set_add(&leaves, n->ops[i]);
    ListingOptions options = {.num = &w->v.x->numbering,
                              .leaves = &leaves,
                              .within = within,
                              .width = WIDTH,
                              .declared = true};
    DiagTry trial;
    diag_try_begin(
        &trial, &w->v.x->st->diags); /* what has no form in the language is called by its states */
    if (!is_of_a_function(occ) && listing_node(w->v.x->st, &listing, n, &options))
        put_last_definition(out, text_str(&listing));
    else
        put_called(out, w->v.x->st, n, &w->v.x->numbering);
    diag_try_end(&trial);
    text_free(&listing);
    map_free(&leaves);
}

/* What lines of a loop's body begin with is defined by them. */
static void note_defined(Deriver *w, const char *listing)
{
    for (const char *s = listing; s; s = strchr(s, '\n')) {
        char *end;
        s += strspn(s, " \n");
        u32 k = *s == '%' ? (u32)strtoul(s + 1, &end, 10) : 0;
        const Thing *thing = k && strncmp(end, " = ", 3) == 0 ? thing_numbered(w->v.x, k) : NULL;
        if (thing)
            set_add(&w->defined, thing);
    }
}

/* "where %5 = a @ b in scan h"; a loop takes lines of its own. */
static void add_definition(Deriver *w, const char *text, const char *place)
{
    bool lines = strchr(text, '\n') != NULL;
    document_put(w->d, BLOCK_PARAGRAPH, "where");
    if (!lines)
        document_run(w->d, RUN_CODE, text);
    if (*place) {
        document_run(w->d, RUN_PLAIN, "in");
        document_run(w->d, RUN_PLAIN, place);
    }
    if (lines)
        document_code(w->d, text);
}

static void define(Deriver *w, u32 k, const char *at)
{
    const Thing *thing = thing_numbered(w->v.x, k);
    if (!thing || map_has(&w->defined, thing))
        return;
    const Occurrence *occ = occurrence_at(w, thing, at);
    const Graph *within = graph_at(w, occ, at);
    Text text = {0}, place = {0};
    NodeSet none = {0};
    Telling t = {w->v.x, within, WIDTH, MOST_CHANGES, NULL, NULL, 0};
    text_printf(&text, "%%%u = ", k);
    if (node_is_loop(occ->node))
        put_loop(w, &text, occ, within);
    else
        put_definition(&t, &text, occ->node, &none, WIDTH);
    note_defined(w, text_str(&text));
    put_where(&place, w->v.x, within);
    add_definition(w, text_str(&text), text_str(&place));
    text_free(&text);
    text_free(&place);
}

static void define_mentioned(Deriver *w, const char *text, const char *at)
{
    for (const char *s = strchr(text, '%'); s; s = strchr(s + 1, '%'))
        if (isdigit((unsigned char)s[1]))
            define(w, (u32)strtoul(s + 1, NULL, 10), at);
}

/* Of the blocks from this one on; a definition may mention more. */
static void define_all(Deriver *w, size_t from, const char *at)
{
    for (size_t i = from; i < w->d->blocks.len; i++) {
        for (size_t k = 0; k < w->d->blocks.at[i].runs.len; k++)
            define_mentioned(w, w->d->blocks.at[i].runs.at[k].text, at);
        for (size_t k = 0; k < w->d->blocks.at[i].lines.of.len; k++)
            define_mentioned(w, w->d->blocks.at[i].lines.of.at[k].text, at);
    }
}

/* ---- a step ---- */

/* "E, exact: the same bits for every input" */
static void add_classes(Deriver *w, u32 classes)
{
    Text text = {0};
    for (size_t i = 0; i < hazard_class_count; i++)
        if (classes & hazard_classes[i].bit)
            text_printf(&text, "%s%s, %s", text.len ? "; " : "", hazard_classes[i].name,
                        hazard_classes[i].means);
    document_run(w->d, RUN_FAINT, text_str(&text));
    text_free(&text);
}

/* Lines with signs in one block, words in paragraphs. */
static void add_lines(Deriver *w, ChangeLines *lines)
{
    bool diff = false;
    change_mark(lines);
    for (size_t i = 0; i < lines->of.len; i++) {
        ChangeLine *l = &lines->of.at[i];
        bool words = l->sign == '.';
        if (words || !diff)
            document_begin(w->d, words ? BLOCK_PARAGRAPH : BLOCK_DIFF);
        diff = !words;
        if (words)
            document_run(w->d, RUN_PLAIN, l->text);
        else
            document_line(w->d, l);
    }
}

static void add_change(Deriver *w, const Step *s)
{
    ChangeLines lines = {.of = {0}};
    Telling t = {w->v.x, w->v.within, WIDTH, MOST_CHANGES, &lines, NULL, 0};
    if (step_rewrites_inside(s) && view_enters(&w->v, s))
        change_where(&t, s);
    else
        change_of_step(&t, s);
    add_lines(w, &lines);
    change_free(&lines);
}

static void add_head(Deriver *w, const StepRun *run)
{
    Text text = {0}, where = {0};
    document_put(w->d, BLOCK_ITEM, run->range);
    document_run(w->d, RUN_STRONG, step_rule(run->step));
    if (run->count > 1) {
        text_printf(&text, "%u times", run->count);
        document_run(w->d, RUN_PLAIN, text_str(&text));
    }
    exploration_things(w->v.x);
    put_where(&where, w->v.x, w->v.within);
    if (where.len) {
        document_run(w->d, RUN_PLAIN, "in");
        document_run(w->d, RUN_PLAIN, text_str(&where));
    }
    add_classes(w, step_classes(run->step));
    text_free(&text);
    text_free(&where);
}

static void add_run(StepView *v, const StepRun *run)
{
    Deriver *w = v->ctx;
    Text why = {0};
    size_t first = w->d->blocks.len;
    w->count += run->count;
    add_head(w, run);
    if (!step_rewrites_inside(run->step))
        put_why(&why, run->step);
    if (why.len)
        document_put(w->d, BLOCK_PARAGRAPH, text_str(&why));
    add_change(w, run->step);
    define_all(w, first, run->number);
    view_inside(v, run);
    view_children(v, run);
    document_begin(w->d, BLOCK_END);
    text_free(&why);
}

/* ---- passes ---- */

static void add_pass(StepView *v, const PassRun *p)
{
    Deriver *w = v->ctx;
    const Pass *pass = pass_named(p->name);
    Text told = {0};
    document_put(w->d, BLOCK_SECTION, p->name);
    if (pass && *pass->doc)
        document_put(w->d, BLOCK_PARAGRAPH, pass->doc);
    pass_run_put(&told, p);
    document_put(w->d, BLOCK_PARAGRAPH, text_str(&told));
    text_free(&told);
    if (p->told)
        document_put(w->d, BLOCK_PARAGRAPH, p->told);
    view_log(v, &v->x->log, p->first_step, p->steps, "");
}

/* ---- the document ---- */

/* In the language; what has no form in it, as text of a graph. */
static void add_graph(Deriver *w, Node *const *roots, bool declared)
{
    Text text = {0}, graph = {0};
    Store *st = w->v.x->st;
    ListingOptions options = {.width = WIDTH, .declared = declared};
    DiagTry trial;
    diag_try_begin(&trial, &st->diags);
    bool ok = listing_print(st, &text, w->v.x->nroots, roots, &options);
    diag_try_end(&trial);
    if (!ok)
        graph_print(st, &graph, w->v.x->nroots, roots, &w->v.x->numbering);
    document_code(w->d, ok ? text_str(&text) : text_str(&graph));
    text_free(&text);
    text_free(&graph);
}

static void add_start(Deriver *w, const char *expression)
{
    Node **roots = xcalloc((size_t)w->v.x->nroots + 1, sizeof *roots);
    document_put(w->d, BLOCK_TITLE, "Derivation of");
    document_run(w->d, RUN_CODE, expression);
    if (exploration_replay(w->v.x, 0, roots))
        add_graph(w, roots, false);
    free(roots);
}

static void add_document(Deriver *w, const char *expression)
{
    add_start(w, expression);
    const char *idle = view_passes(&w->v, NULL, false, add_pass);
    if (*idle)
        document_put(w->d, BLOCK_PARAGRAPH, arena_printf(w->v.arena, "Nothing to do: %s", idle));
    document_put(w->d, BLOCK_SECTION, "result");
    add_graph(w, w->v.x->roots, true);
}

u32 document_of_steps(Document *d, Exploration *x, const char *expression, const char *open,
                      bool *opened)
{
    Arena arena = {0};
    Deriver w = {.v = {x, &arena, add_run, &w, .open = open}, .d = d};
    things_of_states(x);
    if (open)
        things_open(x);
    add_document(&w, expression);
    *opened = w.v.opened;
    view_end(&w.v);
    map_free(&w.defined);
    arena_free(&arena);
    return w.count;
}
