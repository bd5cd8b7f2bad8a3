/* :derivation: the steps of an expression as a document: what it is, what each step changed as
 * :steps tells it, what comes out.
 *
 * Invariant: every step of the log is there, those inside bodies and child steps below their owner;
 * every number %k that is mentioned is defined below the item that mentions it first. */
#include "repl/commands/document.h"

#include "graph/control.h"
#include "graph/print.h"
#include "rewrite/bounds.h"
#include "rewrite/history.h"

#include <ctype.h>

enum { WIDTH = 96, MOST_CHANGES = 16 };

typedef struct {
    Exploration *x;
    Document d;
    const char *open; /* number of a step whose child steps are told, or "all"; NULL: none */
    bool opened;      /* there was such a step */
    PtrMap shown;     /* bodies' logs: each is told once */
    PtrMap defined;   /* numbers */
    const Graph *within;
    u32 count; /* of all steps */
} Deriver;

/* ---- what a number is ---- */

/* Is the state after the step whose number is `step` in the log of `log` one that `at` comes after,
 * or the one that it makes? */
static bool is_so_far(const Origin *o, const char *at)
{
    Text number = {0};
    Place made, here;
    if (!o)
        return true;
    text_printf(&number, "%s%s%u", o->log, *o->log ? "." : "", o->number);
    bool known = place_parse(text_str(&number), &made) && place_parse(at, &here);
    text_free(&number);
    for (u32 i = 0; known && i < made.n && i < here.n; i++)
        if (made.at[i] != here.at[i])
            return made.at[i] < here.at[i];
    return known;
}

/* What the thing is after the step `at`; what it is first, if it is not there yet. */
static const Occurrence *occurrence_at(const Thing *thing, const char *at)
{
    const Occurrence *found = thing->first;
    for (const Occurrence *o = found; o && is_so_far(o->origin, at); o = o->next)
        found = o;
    return found;
}

/* The graph that it stands in then; NULL: the outermost. */
static const Graph *graph_at(const Deriver *w, const Occurrence *occ, const char *at)
{
    const PtrMap *bodies = &exploration_things(w->x)->bodies;
    int slots[4];
    if (!occ->body->owner)
        return NULL;
    if (w->within && map_get(bodies, w->within) == occ->body)
        return w->within;
    Node *n = occurrence_at(occ->body->owner, at)->node;
    for (int i = node_graphs(n, slots); i-- > 0;)
        if (map_get(bodies, n->attrs[slots[i]].graph) == occ->body)
            return n->attrs[slots[i]].graph;
    return occ->body->graph;
}

static bool is_loop(const Node *n) { return n->op == OP_SCAN || n->op == OP_LOOP; }

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
    PtrMap leaves = {0};
    for (u32 i = 0; i < n->nops; i++)
        if (!node_is_inline(n->ops[i]))
            map_put(&leaves, n->ops[i], n);
    ListingOptions options = {&w->x->numbering, NULL, &leaves, within, WIDTH, true};
    Diags scratch = {0}, *saved = w->x->st->diags;
    w->x->st->diags = &scratch; /* what has no form in the language is called by its states */
    if (!is_of_a_function(occ) && listing_node(w->x->st, &listing, n, &options))
        put_last_definition(out, text_str(&listing));
    else
        put_called(out, w->x->st, n, &w->x->numbering);
    w->x->st->diags = saved;
    diags_free(&scratch);
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
        const Thing *thing = k && strncmp(end, " = ", 3) == 0 ? thing_numbered(w->x, k) : NULL;
        if (thing)
            map_put(&w->defined, thing, w);
    }
}

/* "where %5 = a @ b in scan h"; a loop takes lines of its own. */
static void add_definition(Deriver *w, const char *text, const char *place)
{
    bool lines = strchr(text, '\n') != NULL;
    document_begin(&w->d, BLOCK_PARAGRAPH);
    document_run(&w->d, RUN_PLAIN, "where");
    if (!lines)
        document_run(&w->d, RUN_CODE, text);
    if (*place) {
        document_run(&w->d, RUN_PLAIN, "in");
        document_run(&w->d, RUN_PLAIN, place);
    }
    if (lines)
        document_code(&w->d, text);
}

static void define(Deriver *w, u32 k, const char *at)
{
    const Thing *thing = thing_numbered(w->x, k);
    if (!thing || map_has(&w->defined, thing))
        return;
    const Occurrence *occ = occurrence_at(thing, at);
    const Graph *within = graph_at(w, occ, at);
    Text text = {0}, place = {0};
    PtrMap none = {0};
    Telling t = {w->x, within, WIDTH, MOST_CHANGES, NULL, NULL};
    text_printf(&text, "%%%u = ", k);
    if (is_loop(occ->node))
        put_loop(w, &text, occ, within);
    else
        put_definition(&t, &text, occ->node, &none, WIDTH);
    note_defined(w, text_str(&text));
    put_where(&place, w->x, within);
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
    for (size_t i = from; i < w->d.blocks.len; i++) {
        for (size_t k = 0; k < w->d.blocks.at[i].runs.len; k++)
            define_mentioned(w, w->d.blocks.at[i].runs.at[k].text, at);
        for (size_t k = 0; k < w->d.blocks.at[i].lines.of.len; k++)
            define_mentioned(w, w->d.blocks.at[i].lines.of.at[k].text, at);
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
    document_run(&w->d, RUN_FAINT, text_str(&text));
    text_free(&text);
}

/* Lines with signs in one block, words in paragraphs. */
static void add_lines(Deriver *w, const ChangeLines *lines)
{
    ChangeLines marked = {.of = {0}};
    bool diff = false;
    change_marked(lines, &marked);
    for (size_t i = 0; i < marked.of.len; i++) {
        const ChangeLine *l = &marked.of.at[i];
        bool words = l->sign == '.';
        if (words || !diff)
            document_begin(&w->d, words ? BLOCK_PARAGRAPH : BLOCK_DIFF);
        diff = !words;
        if (words)
            document_run(&w->d, RUN_PLAIN, l->text);
        else
            document_line(&w->d, l->sign, l->text);
    }
    change_free(&marked);
}

static bool lists_inside(const Deriver *w, const Step *s)
{
    return s->inner && !s->again && s->inner->at.len && !map_has(&w->shown, s->inner);
}

static void add_change(Deriver *w, const Step *s)
{
    ChangeLines lines = {.of = {0}};
    Telling t = {w->x, w->within, WIDTH, MOST_CHANGES, &lines, NULL};
    if (step_rewrites_inside(s) && lists_inside(w, s))
        change_where(&t, s);
    else
        change_of_step(&t, s);
    add_lines(w, &lines);
    change_free(&lines);
}

/* "9.1", or "9.1-4" for equal steps in a row. */
static void add_head(Deriver *w, const Step *s, const char *number, u32 from, u32 count)
{
    Text text = {0}, where = {0};
    document_begin(&w->d, BLOCK_ITEM);
    text_put(&text, number);
    if (count > 1)
        text_printf(&text, "-%u", from + count);
    document_run(&w->d, RUN_PLAIN, text_str(&text));
    document_run(&w->d, RUN_STRONG, step_rule(s));
    text_free(&text);
    if (count > 1) {
        text_printf(&text, "%u times", count);
        document_run(&w->d, RUN_PLAIN, text_str(&text));
    }
    exploration_things(w->x);
    put_where(&where, w->x, w->within);
    if (where.len) {
        document_run(&w->d, RUN_PLAIN, "in");
        document_run(&w->d, RUN_PLAIN, text_str(&where));
    }
    add_classes(w, step_classes(s));
    text_free(&text);
    text_free(&where);
}

static void add_log(Deriver *w, const StepLog *log, u32 from, u32 count, const char *number);

static void add_inside(Deriver *w, const Step *s, const char *number)
{
    if (!lists_inside(w, s))
        return;
    map_put(&w->shown, s->inner, w);
    const Graph *outer = w->within;
    w->x->numbering.within = w->within = s->inner_before;
    add_log(w, s->inner, 0, (u32)s->inner->at.len, number);
    w->x->numbering.within = w->within = outer;
}

static void add_children(Deriver *w, const Step *s, const char *number)
{
    bool asked = w->open && (!strcmp(w->open, "all") || !strcmp(w->open, number));
    const Opened *o = asked ? exploration_opened(w->x, s) : NULL;
    w->opened = w->opened || o;
    if (o)
        add_log(w, &o->log, 0, (u32)o->log.at.len, number);
}

/* So many equal steps, of which this is the first. */
static void add_steps(Deriver *w, const Step *s, const char *number, u32 from, u32 count)
{
    Text why = {0};
    size_t first = w->d.blocks.len;
    w->count += count;
    add_head(w, s, number, from, count);
    if (!step_rewrites_inside(s))
        put_why(&why, s);
    if (why.len) {
        document_begin(&w->d, BLOCK_PARAGRAPH);
        document_run(&w->d, RUN_PLAIN, text_str(&why));
    }
    add_change(w, s);
    define_all(w, first, number);
    add_inside(w, s, number);
    add_children(w, s, number);
    document_begin(&w->d, BLOCK_END);
    text_free(&why);
}

static void add_log(Deriver *w, const StepLog *log, u32 from, u32 count, const char *number)
{
    u32 end = from + count < log->at.len ? from + count : (u32)log->at.len;
    for (u32 i = from, same; i < end; i += same) {
        Text own = {0};
        const Step *s = &log->at.at[i];
        bool alone = w->open && step_opens(s);
        for (same = 1; !alone && i + same < end && steps_alike(s, &log->at.at[i + same]);)
            same++;
        text_printf(&own, "%s%s%u", number, *number ? "." : "", i + 1);
        add_steps(w, s, text_str(&own), i, same);
        text_free(&own);
    }
}

/* ---- passes ---- */

static const char *pass_doc(const char *name)
{
    for (size_t i = 0; i < pass_count(); i++)
        if (strcmp(pass_table[i].name, name) == 0)
            return pass_table[i].doc;
    return "";
}

static void add_words(Deriver *w, const char *text)
{
    document_begin(&w->d, BLOCK_PARAGRAPH);
    document_run(&w->d, RUN_PLAIN, text);
}

static void add_section(Deriver *w, const char *name)
{
    document_begin(&w->d, BLOCK_SECTION);
    document_run(&w->d, RUN_PLAIN, name);
}

static void add_pass(Deriver *w, const PassRun *p)
{
    Text text = {0};
    add_section(w, p->name);
    if (*pass_doc(p->name))
        add_words(w, pass_doc(p->name));
    text_printf(&text, "%u step%s, %u -> %u nodes, %s", p->steps, p->steps == 1 ? "" : "s",
                p->nodes_before, p->nodes_after, stop_name(p->stop));
    add_words(w, text_str(&text));
    if (p->told)
        add_words(w, p->told);
    add_log(w, &w->x->log, p->first_step, p->steps, "");
    text_free(&text);
}

static void add_passes(Deriver *w)
{
    Text idle = {0};
    for (size_t i = 0; i < w->x->passes.len; i++) {
        const PassRun *p = &w->x->passes.at[i];
        if (!p->steps && p->stop == STOP_SATURATED && !p->told)
            text_printf(&idle, "%s %s", idle.len ? "," : "Nothing to do:", p->name);
        else
            add_pass(w, p);
    }
    if (idle.len)
        add_words(w, text_str(&idle));
    text_free(&idle);
}

/* ---- the document ---- */

/* In the language; what has no form in it, as text of a graph. */
static void add_graph(Deriver *w, Node *const *roots, bool declared)
{
    Text text = {0}, graph = {0};
    Store *st = w->x->st;
    ListingOptions options = {NULL, NULL, NULL, NULL, WIDTH, declared};
    Diags scratch = {0}, *saved = st->diags;
    st->diags = &scratch;
    bool ok = listing_print(st, &text, w->x->nroots, roots, &options);
    st->diags = saved;
    diags_free(&scratch);
    if (!ok)
        graph_print(st, &graph, w->x->nroots, roots, &w->x->numbering);
    document_code(&w->d, ok ? text_str(&text) : text_str(&graph));
    text_free(&text);
    text_free(&graph);
}

static void add_start(Deriver *w, const char *expression)
{
    Node **roots = xcalloc((size_t)w->x->nroots + 1, sizeof *roots);
    document_begin(&w->d, BLOCK_TITLE);
    document_run(&w->d, RUN_PLAIN, "Derivation of");
    document_run(&w->d, RUN_CODE, expression);
    if (exploration_replay(w->x, 0, roots))
        add_graph(w, roots, false);
    free(roots);
}

static void add_document(Deriver *w, const char *expression)
{
    add_start(w, expression);
    add_passes(w);
    add_section(w, "result");
    add_graph(w, w->x->roots, true);
}

bool command_derivation(Call *c)
{
    const Option *open = call_option(c, "open");
    DocumentWriter write = document_writer(c->file);
    if (!write)
        return call_fail(c, c->file_span, "usage", "name it .md, .html or .tex",
                         "%s does not say what kind of document it is", c->file);
    Text out = {0};
    Deriver w = {.x = call_explore(c), .open = open ? open->value : NULL};
    bool ok = w.x != NULL;
    if (ok) {
        things_of_states(w.x);
        if (open)
            things_open(w.x);
        add_document(&w, c->text);
        ok = !open || w.opened || call_no_opening(c, open);
    }
    if (ok) {
        write(&out, &w.d);
        ok = call_put_file(c, &out, NULL);
    }
    if (ok)
        report_say(&c->report, "{file}: {steps step}", text_of(c->file), int_of(w.count));
    document_free(&w.d);
    map_free(&w.shown);
    map_free(&w.defined);
    text_free(&out);
    return ok;
}
