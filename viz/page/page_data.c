/* The data of the page as JSON: arrays rather than objects, and every text once.
 *
 *   strings  the texts; elsewhere a text is its index here
 *   rules    [name, text, reason, where it is written]
 *   passes   name, doc, steps, nodes before and after, how it ended; if it did something: in which
 *            view, the state at which it starts, rows, opened [number, rows, view] of steps that
 * open rows     number, depth, whole, rule, classes, evidence, again, states before and after,
 *            changes [%before, %after, text, text], slots of nodes and of boxes that hold the
 *            same thing before and after, changed; numbers of results that are there before and
 *            after but drawn in one of them only
 *   views    nodes [box, shows] (a show that is a number differs in that only from the one before),
 *            boxes, edges, states (what differs from the one before), texts (of each state a
 *            sentence, and the lines of its program as what differs from those of the state
 *            before), layout; where it is large and
 *            something repeats, folded (page_fold.h)
 *
 * Lists of numbers are in letters (page_layout.c).
 *
 *   nodes    page_nodes.c
 *   unfired  what whynot=on asks for: which rules came near at which %k, and what stopped them
 *   scale    what color= asks for: its name, its unit, and of which %k it is how much
 *
 * Invariant: no '<' stands in the JSON, so it may stand in a script element. */
#include "viz/page/page_parts.h"

#include <math.h>

static int string_index(Data *d, Store *st, const char *s)
{
    if (!s || !*s)
        return 0;
    Symbol key = symbol(st, s);
    int known = map_get(&d->index, key);
    if (!known) {
        Json j = {.out = &d->strings, .comma = d->count > 0};
        json_string(&j, s);
        known = ++d->count;
        map_put(&d->index, key, known);
    }
    return known - 1;
}

int data_string(Data *d, Pager *p, const char *s) { return string_index(d, p->st, s); }

void data_text(Data *d, Pager *p, const char *s) { json_int(&d->j, string_index(d, p->st, s)); }

/* The place of a step's rule in the table. Child steps made on demand have rules of their own each
 * time: the same name and reason are the same rule. */
static int rule_index(Data *d, Pager *p, const Step *s)
{
    Text key = {0};
    text_printf(&key, "%s\n%s", step_rule(s), s->rule ? s->rule->reason : "");
    Symbol at = symbol(p->st, text_str(&key));
    int known = map_get(&d->rules, at);
    text_free(&key);
    if (known)
        return known - 1;
    const char *say[] = {step_rule(s), s->rule ? s->rule->text : NULL,
                         s->rule ? s->rule->reason : NULL, s->rule ? s->rule->source : NULL};
    Json j = {.out = &d->rule_list, .comma = d->rule_count > 0};
    json_begin(&j, '[');
    for (size_t i = 0; i < COUNT_OF(say); i++)
        json_int(&j, string_index(d, p->st, say[i]));
    json_end(&j, ']');
    map_put(&d->rules, at, ++d->rule_count);
    return d->rule_count - 1;
}

static void put_pair(Json *j, i64 a, i64 b)
{
    json_int(j, a);
    json_int(j, b);
}

/* ---- rows ---- */

static void put_change(Data *d, Pager *p, const RowChange *c)
{
    json_begin(&d->j, '[');
    put_pair(&d->j, c->before, c->after);
    data_text(d, p, c->before_text);
    data_text(d, p, c->after_text);
    json_end(&d->j, ']');
}

static void put_list(Json *j, const int *at, size_t n)
{
    Text t = {0};
    for (size_t i = 0; i < n; i++)
        letters_put(&t, at[i]);
    json_letters(j, &t);
}

static void put_row(Data *d, Pager *p, const Row *r)
{
    Text classes = {0};
    hazard_print(&classes, step_classes(r->step));
    json_begin(&d->j, '[');
    data_text(d, p, r->number);
    put_pair(&d->j, r->depth, r->whole);
    json_int(&d->j, rule_index(d, p, r->step));
    data_text(d, p, text_str(&classes));
    data_text(d, p, r->step->evidence);
    json_int(&d->j, r->step->again);
    put_pair(&d->j, r->before, r->after);
    json_begin(&d->j, '[');
    for (size_t i = 0; i < r->changes.len; i++)
        put_change(d, p, &r->changes.at[i]);
    json_end(&d->j, ']');
    put_list(&d->j, r->changed_nodes.at, r->changed_nodes.len);
    put_list(&d->j, r->changed_boxes.at, r->changed_boxes.len);
    put_list(&d->j, r->kept.at, r->kept.len);
    json_end(&d->j, ']');
    text_free(&classes);
}

/* ---- views ---- */

static bool same_text(const char *a, const char *b)
{
    return a == b || strcmp(a ? a : "", b ? b : "") == 0;
}

/* The number of what is shown, or, negative, which thing without a number it is. */
static i64 name_of(i64 number, u32 thing) { return number ? number : -(i64)thing; }

/* Nothing but that differs. */
static bool looks_alike(const SceneNode *a, const SceneNode *b)
{
    return a->cls == b->cls && a->role == b->role && same_text(a->label, b->label) &&
           same_text(a->detail, b->detail) && same_text(a->value, b->value) &&
           same_text(a->op, b->op);
}

/* The number that color= gives it. */
static void read_number(Data *d, const SceneNode *n)
{
    if (!d->options->number || n->id <= 0)
        return;
    while ((i64)d->numbers.len <= n->id)
        vec_push(&d->numbers, NAN);
    double x = d->options->number(d->options->ctx, n);
    if (!isnan(x))
        d->numbers.at[n->id] = x;
}

static void put_node_slot(Data *d, Pager *p, const Slot *s)
{
    json_begin(&d->j, '[');
    json_int(&d->j, s->box);
    for (size_t i = 0; i < s->shows.len; i++) {
        const SceneNode *n = &s->shows.at[i];
        read_number(d, n);
        if (i && looks_alike(n, n - 1)) {
            json_int(&d->j, name_of(n->id, n->thing));
            continue;
        }
        json_begin(&d->j, '[');
        json_int(&d->j, name_of(n->id, n->thing));
        data_text(d, p, scene_node_name(n));
        data_text(d, p, n->detail);
        data_text(d, p, n->value);
        put_pair(&d->j, n->cls, n->role);
        data_text(d, p, n->op);
        json_end(&d->j, ']');
    }
    json_end(&d->j, ']');
}

static void put_box_slot(Data *d, Pager *p, const Slot *s)
{
    json_begin(&d->j, '[');
    json_int(&d->j, s->box);
    for (size_t i = 0; i < s->titles.len; i++) {
        const SceneBox *b = &s->titles.at[i];
        json_begin(&d->j, '[');
        json_int(&d->j, name_of(b->owner_id, b->thing));
        data_text(d, p, b->title && *b->title ? b->title : scene_box_words[b->kind]);
        data_text(d, p, b->subtitle);
        put_pair(&d->j, b->repeat, b->closed);
        json_int(&d->j, b->kind);
        json_end(&d->j, ']');
    }
    json_end(&d->j, ']');
}

static void put_edges(Data *d, Pager *p, const Union *u)
{
    Text t = {0};
    for (size_t i = 0; i < u->edges.len; i++) {
        const SceneEdge *e = &u->edges.at[i].edge;
        const i64 say[] = {e->from,
                           e->from_box,
                           e->to,
                           e->to_box,
                           e->kind,
                           string_index(d, p->st, e->head),
                           string_index(d, p->st, e->tail)};
        for (size_t k = 0; k < COUNT_OF(say); k++)
            letters_put(&t, say[k]);
    }
    json_letters(&d->j, &t);
}

/* Slots, each as the way from the one before, and what they show. */
#define PUT_SHOWS(j, list)                                \
    do {                                                  \
        Text t_ = {0};                                    \
        int last_ = 0;                                    \
        for (size_t i_ = 0; i_ < (list).len; i_++) {      \
            letters_put(&t_, (list).at[i_].slot - last_); \
            letters_put(&t_, (list).at[i_].shows);        \
            last_ = (list).at[i_].slot;                   \
        }                                                 \
        json_letters(j, &t_);                             \
    } while (0)

static void put_state(Json *j, const Delta *s)
{
    json_begin(j, '[');
    PUT_SHOWS(j, s->nodes);
    PUT_SHOWS(j, s->boxes);
    PUT_SHOWS(j, s->edges);
    json_end(j, ']');
}

static void put_parts(Data *d, Pager *p, const Union *u)
{
    json_key(&d->j, "nodes");
    json_begin(&d->j, '[');
    for (size_t i = 0; i < u->nodes.len; i++)
        put_node_slot(d, p, &u->nodes.at[i]);
    json_end(&d->j, ']');
    json_key(&d->j, "boxes");
    json_begin(&d->j, '[');
    for (size_t i = 0; i < u->boxes.len; i++)
        put_box_slot(d, p, &u->boxes.at[i]);
    json_end(&d->j, ']');
    json_key(&d->j, "edges");
    put_edges(d, p, u);
    json_key(&d->j, "states");
    json_begin(&d->j, '[');
    for (size_t i = 0; i < u->states.len; i++)
        put_state(&d->j, &u->states.at[i]);
    json_end(&d->j, ']');
}

static void read_lines(Data *d, Pager *p, const char *text, Places *out)
{
    out->len = 0;
    for (const char *at = text; at && *at;) {
        size_t n = strcspn(at, "\n");
        Text line = {0};
        text_putn(&line, at, n);
        vec_push(out, data_string(d, p, text_str(&line)));
        text_free(&line);
        at += n + (at[n] != 0);
    }
}

/* Lines as places in the table of texts. */
static void put_program(Data *d, const Places *was, const Places *is)
{
    Text t = {0};
    letters_put_since(&t, was, is);
    json_letters(&d->j, &t);
}

static void put_texts(Data *d, Pager *p, const View *v)
{
    Places was = {0}, is = {0};
    json_key(&d->j, "texts");
    json_begin(&d->j, '[');
    for (size_t i = 0; i < v->states.len; i++) {
        json_begin(&d->j, '[');
        data_text(d, p, v->states.at[i].sentence);
        read_lines(d, p, v->states.at[i].program, &is);
        put_program(d, &was, &is);
        json_end(&d->j, ']');
        Places spare = was;
        was = is;
        is = spare;
    }
    json_end(&d->j, ']');
    vec_free(&was);
    vec_free(&is);
}

/* ---- passes ---- */

static void put_run(Data *d, const PassRun *run)
{
    const char *doc = "";
    for (size_t i = 0; i < pass_count(); i++)
        if (strcmp(pass_table[i].name, run->name) == 0)
            doc = pass_table[i].doc;
    json_key(&d->j, "doc");
    json_string(&d->j, doc);
    json_key(&d->j, "steps");
    json_int(&d->j, run->steps);
    json_key(&d->j, "sizes");
    json_begin(&d->j, '[');
    put_pair(&d->j, run->nodes_before, run->nodes_after);
    json_end(&d->j, ']');
    json_key(&d->j, "stop");
    json_string(&d->j, stop_name(run->stop));
}

static void put_rows(Data *d, Pager *p, const View *v, size_t first, size_t end)
{
    json_begin(&d->j, '[');
    for (size_t i = first; i < end; i++)
        put_row(d, p, &v->rows.at[i]);
    json_end(&d->j, ']');
}

void data_pass(Data *d, Pager *p, const View *v, const Part *part)
{
    json_begin(&d->j, '{');
    json_key(&d->j, "name");
    json_string(&d->j, part->run ? part->run->name : part->name);
    if (part->run)
        put_run(d, part->run);
    if (part->at >= 0) {
        json_key(&d->j, "view");
        json_int(&d->j, part->view);
        json_key(&d->j, "at");
        json_int(&d->j, part->at);
        json_key(&d->j, "rows");
        put_rows(d, p, v, part->first, part->end);
        json_key(&d->j, "opened");
        json_raw(&d->j, part->opened ? part->opened : "[]");
    }
    json_end(&d->j, '}');
}

void data_view(Data *d, Pager *p, const View *v, const Union *u, const char *layout,
               const char *folded)
{
    json_begin(&d->j, '{');
    put_parts(d, p, u);
    put_texts(d, p, v);
    json_key(&d->j, "layout");
    json_raw(&d->j, layout);
    if (*folded) {
        json_key(&d->j, "folded");
        json_raw(&d->j, folded);
    }
    json_end(&d->j, '}');
}

void data_views_begin(Data *d)
{
    json_end(&d->j, ']');
    json_key(&d->j, "views");
    json_begin(&d->j, '[');
}

void data_views_end(Data *d) { json_end(&d->j, ']'); }

void data_opening(Data *d, Pager *p, const char *number, const View *v, const Union *u,
                  const char *layout, const char *folded)
{
    json_begin(&d->j, '[');
    json_string(&d->j, number);
    put_rows(d, p, v, 0, v->rows.len);
    data_view(d, p, v, u, layout, folded);
    json_end(&d->j, ']');
}

/* ---- all ---- */

static void put_words(Json *j, const char *key, const char *const *words, int n)
{
    json_key(j, key);
    json_begin(j, '[');
    for (int i = 0; i < n; i++)
        json_string(j, words[i]);
    json_end(j, ']');
}

/* What a pattern matches, and from which state to which. */
static void put_found(Json *j, const PageOptions *options)
{
    if (!options->pattern)
        return;
    json_open(j, "found", '{');
    json_pair(j, "pattern", options->pattern);
    json_open(j, "places", '[');
    for (size_t i = 0; i < options->nfound; i++) {
        const PageFound *f = &options->found[i];
        json_begin(j, '[');
        json_int(j, f->number);
        json_int(j, f->from);
        json_int(j, f->until);
        json_end(j, ']');
    }
    json_end(j, ']');
    json_end(j, '}');
}

void data_begin(Data *d, const PageOptions *options, Text *out)
{
    *d = (Data){.j = {.out = out}, .options = options};
    text_put(&d->strings, "\"\"");
    d->count = 1;
    json_begin(&d->j, '{');
    json_key(&d->j, "title");
    json_string(&d->j, options->title);
    put_found(&d->j, options);
    put_words(&d->j, "classes", scene_class_words, CLS_COUNT);
    put_words(&d->j, "roles", scene_role_words, ROLE_COUNT);
    put_words(&d->j, "kinds", scene_box_words, BOX_COUNT);
    put_words(&d->j, "edges", scene_edge_words, EDGE_KINDS);
    json_key(&d->j, "passes");
    json_begin(&d->j, '[');
}

/* [%k, rule, why it did not fire, step], by %k. */
static void put_unfired(Data *d, Pager *p)
{
    const PageOptions *o = d->options;
    if (!o->whynot)
        return;
    json_open(&d->j, "unfired", '[');
    for (size_t i = 0; i < o->nunfired; i++) {
        const PageUnfired *u = &o->unfired[i];
        json_begin(&d->j, '[');
        json_int(&d->j, u->number);
        data_text(d, p, u->rule);
        data_text(d, p, u->why);
        data_text(d, p, u->step);
        json_end(&d->j, ']');
    }
    json_end(&d->j, ']');
}

/* %k and its number, of those that have one. */
static void put_scale(Data *d)
{
    if (!d->options->number)
        return;
    json_open(&d->j, "scale", '{');
    json_pair(&d->j, "name", d->options->scale);
    json_pair(&d->j, "unit", d->options->unit);
    json_open(&d->j, "of", '[');
    for (size_t i = 0; i < d->numbers.len; i++) {
        if (isnan(d->numbers.at[i]))
            continue;
        Text pair = {0};
        text_printf(&pair, "[%zu,%.4g]", i, d->numbers.at[i]);
        json_raw(&d->j, text_str(&pair));
        text_free(&pair);
    }
    json_end(&d->j, ']');
    json_end(&d->j, '}');
}

static void put_table(Data *d, Text *rows)
{
    Text all = {0};
    text_printf(&all, "[%s]", text_str(rows));
    json_raw(&d->j, text_str(&all));
    text_free(&all);
}

void data_end(Data *d, Pager *p, const char *notes)
{
    data_nodes(d, p);
    put_scale(d);
    put_unfired(d, p);
    json_key(&d->j, "rules");
    put_table(d, &d->rule_list);
    json_key(&d->j, "notes");
    json_string(&d->j, notes);
    json_key(&d->j, "strings");
    put_table(d, &d->strings);
    json_end(&d->j, '}');
    text_free(&d->strings);
    map_free(&d->index);
    map_free(&d->rules);
    text_free(&d->rule_list);
    vec_free(&d->numbers);
}
