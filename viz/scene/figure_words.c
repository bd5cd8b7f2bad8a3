/* A figure in words: what people who do not see it get.
 *
 * Invariant: it names the results in order, and of each loop what it carries, reads and gives. */
#include "viz/scene/scene_words.h"

enum { MOST_BYTES = 160, MOST_LISTED = 40 };

static void put_words(Text *out, const char *s)
{
    words_put(out, s, s ? strlen(s) : 0, MOST_BYTES, "; ");
}

/* "loss" of "loss = sum(x)". */
static void put_name(Text *out, const SceneNode *n)
{
    const PhrasePart *given = scene_node_given(n);
    const char *text = scene_node_name(n);
    words_put(out, text, given ? (size_t)given->n : strlen(text), MOST_BYTES, "; ");
}

static const char *kind_word(const SceneBox *b)
{
    switch (b->kind) {
    case BOX_SCAN:
    case BOX_ADJOINT: return "A loop";
    case BOX_GROUP: return "A choice";
    case BOX_LAYERS: return "A chain";
    case BOX_THEN: return "One branch";
    case BOX_ELSE: return "The other branch";
    default: return "A part";
    }
}

/* The edge that brings a state its first value, or NULL. */
static const SceneEdge *edge_into(const Scene *s, int node, bool loopback)
{
    for (size_t k = 0; k < s->edges.len; k++) {
        const SceneEdge *e = &s->edges.at[k];
        if (!e->to_box && e->to == node && (e->kind == EDGE_LOOPBACK) == loopback)
            return e;
    }
    return NULL;
}

static bool is_carried_on(const Scene *s, int node)
{
    for (size_t k = 0; k < s->edges.len; k++)
        if (s->edges.at[k].kind == EDGE_LOOPBACK && s->edges.at[k].from == node)
            return true;
    return false;
}

static void put_states(Text *out, const Scene *s, int box)
{
    int count = 0;
    for (int k = 1; (size_t)k <= s->nodes.len; k++) {
        const SceneNode *n = scene_node_at(s, k);
        if (n->box != box || n->role != ROLE_STATE)
            continue;
        const SceneEdge *next = edge_into(s, k, true), *first = edge_into(s, k, false);
        text_put(out, count++ ? ", " : ". It carries ");
        put_words(out, n->label);
        if (next) {
            text_put(out, " to ");
            put_words(out, scene_node_at(s, next->from)->label);
        }
        if (first && !first->from_box) {
            text_put(out, " (at first ");
            put_name(out, scene_node_at(s, first->from));
            text_putc(out, ')');
        }
    }
}

static void put_reads(Text *out, const Scene *s, int box)
{
    int count = 0;
    for (size_t k = 0; k < s->nodes.len; k++)
        if (s->nodes.at[k].box == box && s->nodes.at[k].role == ROLE_SEQUENCE) {
            text_put(out, count++ ? ", " : ". It reads ");
            put_words(out, s->nodes.at[k].label);
        }
    count = 0;
    for (size_t k = 0; k < s->edges.len; k++) {
        const SceneEdge *e = &s->edges.at[k];
        if (e->to_box != box || e->kind != EDGE_SEQUENCE || !e->label)
            continue;
        text_put(out, count++ ? ", " : ". From outside come ");
        put_words(out, e->label);
    }
}

static void put_gives(Text *out, const Scene *s, int box)
{
    int count = 0;
    for (int k = 1; (size_t)k <= s->nodes.len; k++) {
        const SceneNode *n = scene_node_at(s, k);
        if (n->box != box || n->role != ROLE_OUTPUT || is_carried_on(s, k) || !n->label ||
            !*n->label)
            continue;
        text_put(out, count++ ? ", " : ". It gives ");
        put_words(out, n->label);
    }
}

void figure_box_words(Text *out, const Scene *s, int box)
{
    const SceneBox *b = scene_box_at(s, box);
    text_put(out, kind_word(b));
    if (b->title && *b->title) {
        text_put(out, ", ");
        put_words(out, b->title);
    }
    if (b->subtitle && *b->subtitle) {
        text_put(out, ", with ");
        put_words(out, b->subtitle);
    }
    put_states(out, s, box);
    put_reads(out, s, box);
    put_gives(out, s, box);
    text_put(out, ". ");
}

static void put_results(Text *out, const Scene *s)
{
    int last = 0, count = 0;
    for (size_t i = 0; i < s->nodes.len; i++)
        last = s->nodes.at[i].output > last ? s->nodes.at[i].output : last;
    for (int place = 1; place <= last && count <= MOST_LISTED; place++)
        for (size_t i = 0; i < s->nodes.len; i++) {
            if (s->nodes.at[i].output != place)
                continue;
            text_put(out, count++ ? ", " : last > 1 ? "Results in order: " : "Result: ");
            if (count > MOST_LISTED)
                text_put(out, "and more");
            else
                put_name(out, &s->nodes.at[i]);
            break;
        }
    text_put(out, count ? ". " : "");
}

static void put_count(Text *out, size_t n, const char *one, const char *many, const char *before)
{
    if (n)
        text_printf(out, "%s%zu %s", before, n, n == 1 ? one : many);
}

void figure_words(Text *out, const Scene *s)
{
    size_t formulas = 0, loops = 0;
    bool turned = false;
    for (size_t i = 0; i < s->nodes.len; i++)
        formulas += scene_node_is_formula(&s->nodes.at[i]);
    for (size_t i = 0; i < s->boxes.len; i++) {
        SceneBoxKind kind = s->boxes.at[i].kind;
        loops += kind == BOX_SCAN || kind == BOX_ADJOINT;
        turned = turned || kind == BOX_ADJOINT;
    }
    text_put(out, "A figure of ");
    put_count(out, loops, "loop", "loops", "");
    put_count(out, formulas, "formula", "formulas", loops ? " and " : "");
    text_put(out, loops + formulas ? s->listed ? ", as a list. "
                                     : turned
                                         ? ", drawn from left to right, backward loops from right "
                                           "to left. "
                                         : ", drawn from left to right. "
                                   : "values only. ");
    put_results(out, s);
}

void figure_formulas(Text *out, const Scene *s)
{
    int count = 0;
    for (size_t i = 0; i < s->nodes.len && count <= MOST_LISTED; i++) {
        if (!scene_node_is_formula(&s->nodes.at[i]))
            continue;
        text_put(out, count++ ? "\n- " : "\nFormulas:\n- ");
        if (count > MOST_LISTED)
            text_put(out, "and more");
        else
            put_words(out, s->nodes.at[i].label);
    }
    if (s->notation)
        text_printf(out, "\n%s", s->notation);
}
