/* Building a scene.
 *
 * Invariant: every number stored in a scene refers to something added before, and
 * every string lives in the scene's own arena. */
#include "viz/scene/scene.h"

const char *const scene_class_words[CLS_COUNT] = {
    [CLS_STRUCTURAL] = "structural", [CLS_INPUT] = "input",
    [CLS_CONST] = "const",           [CLS_ELEMENTWISE] = "elementwise",
    [CLS_COMPOSITE] = "composite",   [CLS_REDUCE] = "reduce",
    [CLS_SHAPE] = "shape",           [CLS_IMPLICIT] = "implicit",
    [CLS_INDEX] = "index",           [CLS_LINALG] = "linalg",
    [CLS_RANDOM] = "random",         [CLS_CONTROL] = "control",
};
const char *const scene_role_words[ROLE_COUNT] = {
    [ROLE_NONE] = "none",       [ROLE_INPUT] = "input",   [ROLE_SHARED] = "shared",
    [ROLE_PARAM] = "param",     [ROLE_STATE] = "state",   [ROLE_SEQUENCE] = "sequence",
    [ROLE_CAPTURE] = "capture", [ROLE_OUTPUT] = "output", [ROLE_CONST] = "const",
};
const char *const scene_mark_words[MARK_COUNT] = {[MARK_NONE] = "none",
                                                  [MARK_ADDED] = "added",
                                                  [MARK_REMOVED] = "removed",
                                                  [MARK_CHANGED] = "changed"};
const char *const scene_box_words[BOX_COUNT] = {
    [BOX_GROUP] = "group",     [BOX_SCAN] = "scan",       [BOX_LOOP] = "loop",
    [BOX_IF] = "if",           [BOX_THEN] = "if-then",    [BOX_ELSE] = "if-else",
    [BOX_CALL] = "call",       [BOX_FUSED] = "fused",     [BOX_GRAD] = "grad",
    [BOX_VJP] = "vjp",         [BOX_JVP] = "jvp",         [BOX_VMAP] = "vmap",
    [BOX_FORWARD] = "forward", [BOX_ADJOINT] = "adjoint", [BOX_STEP] = "step",
    [BOX_FRAME] = "frame",     [BOX_CLASS] = "class",     [BOX_LAYERS] = "layers",
};
const char *const scene_edge_words[EDGE_KINDS] = {
    [EDGE_DATA] = "data",          [EDGE_STATE] = "state",       [EDGE_LOOPBACK] = "loopback",
    [EDGE_CAPTURE] = "capture",    [EDGE_SEQUENCE] = "sequence", [EDGE_UNTIL] = "until",
    [EDGE_ADJOINT] = "adjoint-of", [EDGE_CHOSEN] = "chosen",
};
const char *const scene_theme_words[THEME_COUNT] = {
    [THEME_AUTO] = "auto", [THEME_LIGHT] = "light", [THEME_DARK] = "dark"};
const char *const scene_direction_words[DIR_COUNT] = {[DIR_TB] = "TB", [DIR_LR] = "LR"};
const char *const scene_style_words[STYLE_COUNT] = {
    [STYLE_GRAPH] = "graph", [STYLE_FIGURE] = "figure"};
const char *const scene_part_words[PHRASE_KINDS] = {
    [PHRASE_NAME] = "name",   [PHRASE_VARIABLE] = "variable", [PHRASE_SIGMOID] = "sigmoid",
    [PHRASE_INDEX] = "index", [PHRASE_BELOW] = "below",       [PHRASE_ABOVE] = "above",
    [PHRASE_BREAK] = "break"};

int scene_word(const char *const *words, int count, const char *word)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static const char *keep(Scene *s, const char *text)
{
    return text ? arena_strndup(&s->arena, text, strlen(text)) : NULL;
}

/* Copies a text, or its words. */
static const char *keep_words(Scene *s, const char *text, Phrase *words)
{
    *words = phrase_copy(&s->arena, words);
    if (!words->text)
        words->text = keep(s, text);
    return words->text;
}

Scene *scene_new(const char *title)
{
    Scene *s = xcalloc(1, sizeof *s);
    s->title = keep(s, title);
    return s;
}

void scene_free(Scene *s)
{
    if (!s)
        return;
    vec_free(&s->look);
    vec_free(&s->nodes);
    vec_free(&s->boxes);
    vec_free(&s->edges);
    arena_free(&s->arena);
    free(s);
}

static bool is_node(const Scene *s, int k) { return k >= 1 && (size_t)k <= s->nodes.len; }
static bool is_box(const Scene *s, int k) { return k >= 1 && (size_t)k <= s->boxes.len; }

int scene_node(Scene *s, const SceneNode *n)
{
    if (n->box != 0 && !is_box(s, n->box))
        die("scene node in box %d of %zu", n->box, s->boxes.len);
    if (s->nodes.len >= INT32_MAX / 2)
        die("scene with too many nodes");
    SceneNode c = *n;
    c.key = keep(s, n->key);
    c.op = keep(s, n->op);
    c.label = keep_words(s, n->label, &c.words);
    c.detail = keep(s, n->detail);
    c.value = keep(s, n->value);
    c.grad = keep(s, n->grad);
    c.link = keep(s, n->link);
    c.amount = keep(s, n->amount);
    c.tooltip = keep(s, n->tooltip);
    vec_push(&s->nodes, c);
    return (int)s->nodes.len;
}

Phrase scene_equation(Scene *s, const Phrase *name, const Phrase *text)
{
    Pretty l = {0};
    if (name && name->text) {
        size_t part = pretty_part(&l, PHRASE_NAME);
        pretty_phrase(&l, name);
        pretty_part_end(&l, part);
        pretty_words(&l, " = ");
    }
    pretty_phrase(&l, text);
    Phrase words = phrase_of(&s->arena, &l);
    pretty_free(&l);
    return words;
}

static void set_words(Scene *s, int node, Phrase words)
{
    SceneNode *n = scene_node_at(s, node);
    n->words = words;
    n->label = words.text;
}

void scene_add_line(Scene *s, int node, const Phrase *line)
{
    Pretty l = {0};
    pretty_phrase(&l, &scene_node_at(s, node)->words);
    pretty_put(&l, "\n");
    pretty_phrase(&l, line);
    set_words(s, node, phrase_of(&s->arena, &l));
    pretty_free(&l);
}

void scene_name_line(Scene *s, int node, const Phrase *name)
{
    set_words(s, node, scene_equation(s, name, &scene_node_at(s, node)->words));
}

int scene_box(Scene *s, const SceneBox *b)
{
    if (b->parent != 0 && !is_box(s, b->parent))
        die("scene box in box %d of %zu", b->parent, s->boxes.len);
    if (b->owner != 0 && !is_node(s, b->owner))
        die("scene box owned by node %d of %zu", b->owner, s->nodes.len);
    SceneBox c = *b;
    c.key = keep(s, b->key);
    c.title = keep_words(s, b->title, &c.title_words);
    c.subtitle = keep_words(s, b->subtitle, &c.subtitle_words);
    c.tooltip = keep(s, b->tooltip);
    vec_push(&s->boxes, c);
    return (int)s->boxes.len;
}

const char *scene_edge_problem(const Scene *s, const SceneEdge *e)
{
    if (e->from_box ? !is_box(s, e->from_box) : !is_node(s, e->from))
        return "the edge starts at what is not in the scene";
    if (e->to_box ? !is_box(s, e->to_box) : !is_node(s, e->to))
        return "the edge ends at what is not in the scene";
    if ((e->from && !is_node(s, e->from)) || (e->to && !is_node(s, e->to)))
        return "the edge names a node that is not in the scene";
    return NULL;
}

int scene_edge(Scene *s, const SceneEdge *e)
{
    const char *problem = scene_edge_problem(s, e);
    if (problem)
        die("%s", problem);
    SceneEdge c = *e;
    c.label = keep_words(s, e->label, &c.words);
    c.head = keep(s, e->head);
    c.tail = keep(s, e->tail);
    c.key = keep(s, e->key);
    vec_push(&s->edges, c);
    return (int)s->edges.len;
}

void scene_set_title(Scene *s, const char *text) { s->title = keep(s, text); }
void scene_set_desc(Scene *s, const char *text) { s->desc = keep(s, text); }
void scene_set_caption(Scene *s, const char *text) { s->caption = keep(s, text); }
void scene_set_notation(Scene *s, const char *text) { s->notation = keep(s, text); }
void scene_set_prefix(Scene *s, const char *text) { s->prefix = keep(s, text); }

bool scene_set_background(Scene *s, const char *text)
{
    bool color = text && text[0] == '#' && strlen(text) == 7 &&
                 strspn(text + 1, "0123456789abcdefABCDEF") == 6;
    if (text && !color && strcmp(text, "none") != 0)
        return false;
    s->background = keep(s, text);
    return true;
}

void scene_set_link(Scene *s, int node, const char *link)
{
    scene_node_at(s, node)->link = keep(s, link);
}

/* Is what stands at `at` that name, perhaps with an index: h, h[t-1]? */
static bool bears(const char *at, size_t n, const char *name)
{
    size_t len = strlen(name);
    return n >= len && !strncmp(at, name, len) && (n == len || at[len] == '[');
}

int scene_next_given(const SceneNode *n, int after)
{
    for (int k = after + 1; k < n->words.nparts; k++)
        if (n->words.parts[k].kind == PHRASE_NAME)
            return k;
    return -1;
}

/* Where the name begins that a node gives to what it says; -1: it gives another, or none. */
static int place_of_name(const SceneNode *n, const char *name)
{
    for (int k = -1; (k = scene_next_given(n, k)) >= 0;) {
        const PhrasePart *p = &n->words.parts[k];
        if (bears(n->label + p->at, (size_t)p->n, name))
            return p->at;
    }
    bool whole = n->label && !scene_node_given(n) && bears(n->label, strlen(n->label), name);
    return whole ? 0 : -1;
}

bool scene_node_bears(const SceneNode *n, const char *name) { return place_of_name(n, name) >= 0; }

void scene_set_shade(Scene *s, int node, int shade, const char *amount)
{
    scene_node_at(s, node)->shade = shade;
    scene_node_at(s, node)->amount = keep(s, amount);
}

/* "text: " inserted into the label of a node. */
static void insert_words(Scene *s, SceneNode *n, int at, const char *text)
{
    PhrasePart *parts = arena_alloc(&s->arena, ((size_t)n->words.nparts + 1) * sizeof *parts);
    Text t = {0};
    text_printf(&t, "%.*s%s: %s", at, n->label, text, n->label + at);
    for (int i = 0; i < n->words.nparts; i++) {
        parts[i] = n->words.parts[i];
        parts[i].at += parts[i].at >= at ? (int)strlen(text) + 2 : 0;
    }
    n->label = n->words.text = keep(s, text_str(&t));
    n->words.parts = parts;
    text_free(&t);
}

/* Where the text goes in that node; -1: nowhere. */
static int place_of_label(const SceneNode *n, i64 id, const char *name)
{
    return name ? place_of_name(n, name) : n->id == id && n->label ? 0 : -1;
}

/* Does it say how that is made? */
static bool defines(const SceneNode *n) { return scene_next_given(n, -1) >= 0; }

int scene_add_labels(Scene *s, i64 id, const char *name, const char *text)
{
    int found = 0;
    bool defined = false;
    for (size_t i = 0; i < s->nodes.len; i++)
        defined =
            defined || (defines(&s->nodes.at[i]) && place_of_label(&s->nodes.at[i], id, name) >= 0);
    for (size_t i = 0; i < s->nodes.len; i++) {
        SceneNode *n = &s->nodes.at[i];
        int at = place_of_label(n, id, name);
        if (at < 0 || (defined && !defines(n)))
            continue;
        insert_words(s, n, at, text);
        found++;
    }
    return found;
}

int scene_light(Scene *s, i64 id)
{
    int found = 0;
    for (size_t i = 0; i < s->nodes.len; i++)
        if (s->nodes.at[i].id == id)
            s->nodes.at[i].lit = true, found++;
    for (size_t i = 0; i < s->boxes.len; i++)
        if (s->boxes.at[i].owner_id == id)
            s->boxes.at[i].lit = true, found++;
    return found;
}

void scene_set_note(Scene *s, const char *text)
{
    if (!s->note || !text) {
        s->note = keep(s, text);
        return;
    }
    Text both = {0};
    text_printf(&both, "%s; %s", s->note, text);
    s->note = keep(s, text_str(&both));
    text_free(&both);
}

void scene_put(Scene *to, const Scene *from, int box)
{
    int nodes = (int)to->nodes.len, boxes = (int)to->boxes.len;
    for (size_t i = 0; i < from->boxes.len; i++) {
        SceneBox b = from->boxes.at[i];
        b.parent = b.parent ? b.parent + boxes : box;
        b.owner = 0; /* nodes come later */
        scene_box(to, &b);
    }
    for (size_t i = 0; i < from->nodes.len; i++) {
        SceneNode n = from->nodes.at[i];
        n.box = n.box ? n.box + boxes : box;
        scene_node(to, &n);
    }
    for (size_t i = 0; i < from->boxes.len; i++)
        if (from->boxes.at[i].owner)
            to->boxes.at[(size_t)boxes + i].owner = from->boxes.at[i].owner + nodes;
    for (size_t i = 0; i < from->edges.len; i++) {
        SceneEdge e = from->edges.at[i];
        e.from += e.from ? nodes : 0;
        e.to += e.to ? nodes : 0;
        e.from_box += e.from_box ? boxes : 0;
        e.to_box += e.to_box ? boxes : 0;
        scene_edge(to, &e);
    }
}

int scene_outermost(const Scene *s, int box)
{
    while (box && scene_box_at(s, box)->parent)
        box = scene_box_at(s, box)->parent;
    return box;
}

int scene_hidden_by(const Scene *s, int box)
{
    int by = 0;
    for (; box; box = scene_box_at(s, box)->parent)
        if (scene_box_at(s, box)->closed)
            by = box;
    return by;
}

const char *scene_node_name(const SceneNode *n)
{
    if (n->label && *n->label)
        return n->label;
    return n->op && *n->op ? n->op : "node";
}
