/* Scene JSON to Scene, with every reference checked.
 *
 * Invariant: what this returns satisfies the invariants of scene.h, whatever was
 * read; the first thing that is wrong is reported with its place. Unknown fields
 * are ignored, so older programs read newer scenes. */
#include "viz/draw/picture.h"
#include "viz/scene/look.h"

#include <jansson.h>

enum { MAX_DEPTH = 256, /* of boxes in boxes: layout recurses */ MOST_LINES = 100000 };

typedef struct {
    Text *error;
    Arena arena;
    bool bad;
    char place[64];
} Reader;

static void complain(Reader *r, const char *key, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void complain(Reader *r, const char *key, const char *fmt, ...)
{
    if (r->bad)
        return;
    r->bad = true;
    text_put(r->error, r->place);
    if (key)
        text_printf(r->error, "%s%s", r->place[0] ? "." : "", key);
    text_put(r->error, ": ");
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(r->error, fmt, ap);
    va_end(ap);
}

/* ---- fields; absent and null mean the zero value ---- */

static const char *get_text(Reader *r, const json_t *o, const char *key)
{
    const json_t *x = json_object_get(o, key);
    if (!x || json_is_null(x))
        return NULL;
    if (!json_is_string(x))
        complain(r, key, "should be a string");
    return json_string_value(x);
}

static i64 get_int(Reader *r, const json_t *o, const char *key)
{
    const json_t *x = json_object_get(o, key);
    if (!x || json_is_null(x))
        return 0;
    if (!json_is_integer(x))
        complain(r, key, "should be an integer");
    return (i64)json_integer_value(x);
}

static int get_number(Reader *r, const json_t *o, const char *key, size_t count)
{
    i64 x = get_int(r, o, key);
    if (x < 0 || (u64)x > count) {
        complain(r, key, "there is no number %lld before it (of %zu)", (long long)x, count);
        return 0;
    }
    return (int)x;
}

static bool get_flag(Reader *r, const json_t *o, const char *key)
{
    const json_t *x = json_object_get(o, key);
    if (x && !json_is_boolean(x) && !json_is_null(x))
        complain(r, key, "should be true or false");
    return json_is_true(x);
}

static int get_word(Reader *r, const json_t *o, const char *key, const char *const *words,
                    int count)
{
    const char *word = get_text(r, o, key);
    if (!word)
        return 0;
    int k = scene_word(words, count, word);
    if (k >= 0)
        return k;
    Text list = {0};
    for (int i = 0; i < count; i++)
        text_printf(&list, "%s%s", i ? " " : "", words[i]);
    complain(r, key, "should be one of: %s", text_str(&list));
    text_free(&list);
    return 0;
}

/* The parts of a text, which lives as long as what is read. */
static Phrase get_parts(Reader *r, const json_t *o, const char *text_key, const char *key)
{
    Phrase p = {.text = get_text(r, o, text_key)};
    const json_t *parts = json_object_get(o, key);
    PhrasePart *all = NULL;
    size_t length = p.text ? strlen(p.text) : 0, count = 0;
    if (!parts || !p.text)
        return p;
    for (int kind = 0; kind < PHRASE_KINDS; kind++)
        count += json_array_size(json_object_get(parts, scene_part_words[kind])) / 2;
    all = arena_alloc(&r->arena, (count + 1) * sizeof *all);
    for (int kind = 0; kind < PHRASE_KINDS; kind++) {
        const json_t *list = json_object_get(parts, scene_part_words[kind]);
        for (size_t i = 0; i + 1 < json_array_size(list); i += 2) {
            i64 at = json_integer_value(json_array_get(list, i)),
                n = json_integer_value(json_array_get(list, i + 1));
            if (at < 0 || n < 0 || (u64)at > length || n > INT32_MAX ||
                (kind != PHRASE_BREAK && (u64)n > length - (u64)at)) {
                complain(r, key, "there is no part at %lld", (long long)at);
                return p;
            }
            int k = p.nparts++;
            for (; k && all[k - 1].at > at; k--)
                all[k] = all[k - 1];
            all[k] = (PhrasePart){(PhraseKind)kind, (int)at, (int)n};
        }
    }
    p.parts = all;
    return p;
}

/* ---- nodes, boxes, edges ---- */

static void read_node(Reader *r, Scene *s, const json_t *o)
{
    SceneNode n = {
        .id = get_int(r, o, "id"),
        .key = get_text(r, o, "key"),
        .op = get_text(r, o, "op"),
        .words = get_parts(r, o, "label", "label_parts"),
        .detail = get_text(r, o, "detail"),
        .value = get_text(r, o, "value"),
        .grad = get_text(r, o, "grad"),
        .amount = get_text(r, o, "amount"),
        .shade = get_number(r, o, "shade", SCENE_SHADES),
        .link = get_text(r, o, "link"),
        .tooltip = get_text(r, o, "tooltip"),
        .cls = (SceneClass)get_word(r, o, "class", scene_class_words, CLS_COUNT),
        .role = (SceneRole)get_word(r, o, "role", scene_role_words, ROLE_COUNT),
        .mark = (SceneMark)get_word(r, o, "mark", scene_mark_words, MARK_COUNT),
        .focus = get_flag(r, o, "focus"),
        .lit = get_flag(r, o, "lit"),
        .box = get_number(r, o, "box", s->boxes.len),
        .output = get_number(r, o, "output", INT32_MAX),
        .elided = (int)get_number(r, o, "elided", INT32_MAX),
        .row = get_number(r, o, "row", SCENE_CELLS),
        .column = get_number(r, o, "column", SCENE_CELLS),
        .place = get_number(r, o, "place", INT32_MAX),
    };
    if (!r->bad)
        scene_node(s, &n);
}

static int depth_of(const Scene *s, int box)
{
    int depth = 0;
    for (; box && depth <= MAX_DEPTH; box = scene_box_at(s, box)->parent)
        depth++;
    return depth;
}

static void read_box(Reader *r, Scene *s, const json_t *o, size_t nodes)
{
    SceneBox b = {
        .key = get_text(r, o, "key"),
        .title_words = get_parts(r, o, "title", "title_parts"),
        .subtitle_words = get_parts(r, o, "subtitle", "subtitle_parts"),
        .tooltip = get_text(r, o, "tooltip"),
        .kind = (SceneBoxKind)get_word(r, o, "kind", scene_box_words, BOX_COUNT),
        .mark = (SceneMark)get_word(r, o, "mark", scene_mark_words, MARK_COUNT),
        .focus = get_flag(r, o, "focus"),
        .lit = get_flag(r, o, "lit"),
        .parent = get_number(r, o, "parent", s->boxes.len),
        .owner_id = get_int(r, o, "owner_id"),
        .repeat = get_number(r, o, "repeat", INT32_MAX),
        .closed = get_flag(r, o, "closed"),
        .place = get_number(r, o, "place", INT32_MAX),
    };
    int owner = get_number(r, o, "owner", nodes);
    if (depth_of(s, b.parent) >= MAX_DEPTH)
        complain(r, "parent", "boxes are nested more than %d deep", (int)MAX_DEPTH);
    if (r->bad)
        return;
    scene_box(s, &b);
    s->boxes.at[s->boxes.len - 1].owner = owner; /* the nodes are read after the boxes */
}

static void read_edge(Reader *r, Scene *s, const json_t *o)
{
    SceneEdge e = {
        .from = get_number(r, o, "from", s->nodes.len),
        .to = get_number(r, o, "to", s->nodes.len),
        .line = get_number(r, o, "line", MOST_LINES),
        .from_box = get_number(r, o, "from_box", s->boxes.len),
        .to_box = get_number(r, o, "to_box", s->boxes.len),
        .words = get_parts(r, o, "label", "label_parts"),
        .head = get_text(r, o, "head"),
        .tail = get_text(r, o, "tail"),
        .kind = (SceneEdgeKind)get_word(r, o, "kind", scene_edge_words, EDGE_KINDS),
        .mark = (SceneMark)get_word(r, o, "mark", scene_mark_words, MARK_COUNT),
        .key = get_text(r, o, "key"),
    };
    const char *problem = r->bad ? NULL : scene_edge_problem(s, &e);
    if (problem)
        complain(r, NULL, "%s", problem);
    if (!r->bad)
        scene_edge(s, &e);
}

/* ---- the whole ---- */

static const json_t *get_list(Reader *r, const json_t *root, const char *key)
{
    const json_t *x = json_object_get(root, key);
    r->place[0] = '\0';
    if (x && !json_is_array(x))
        complain(r, key, "should be a list");
    return x;
}

static const json_t *get_object(Reader *r, const json_t *list, const char *key, size_t i)
{
    const json_t *o = json_array_get(list, i);
    snprintf(r->place, sizeof r->place, "%s[%zu]", key, i);
    if (!json_is_object(o))
        complain(r, NULL, "should be an object");
    return o;
}

static void read_prefix(Reader *r, Scene *s, const json_t *root)
{
    const char *prefix = get_text(r, root, "prefix");
    for (const char *c = prefix; c && *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *c)) {
            complain(r, "prefix", "may hold letters, digits, - and _ only");
            return;
        }
    scene_set_prefix(s, prefix);
}

static void read_look(Reader *r, Scene *s, const json_t *look)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)look, key, value)
    {
        const char *wrong = look_set(s, key, json_is_string(value) ? json_string_value(value) : "");
        if (wrong)
            complain(r, "look", "%s: %s", key, wrong);
    }
}

/* How it is to look. */
static void read_looks(Reader *r, Scene *s, const json_t *root)
{
    s->theme = (SceneTheme)get_word(r, root, "theme", scene_theme_words, THEME_COUNT);
    s->direction = (SceneDirection)get_word(r, root, "direction", scene_direction_words, DIR_COUNT);
    s->style = (SceneStyle)get_word(r, root, "style", scene_style_words, STYLE_COUNT);
    s->width_mm = get_number(r, root, "width_mm", INT32_MAX);
    s->least_tenths = get_number(r, root, "least_tenths", INT32_MAX);
    s->untitled = get_flag(r, root, "untitled");
    s->listed = get_flag(r, root, "listed");
    s->no_legend = get_flag(r, root, "no_legend");
    s->lowered = get_flag(r, root, "lowered");
    s->no_types = get_flag(r, root, "no_types");
    s->no_ids = get_flag(r, root, "no_ids");
    read_look(r, s, json_object_get(root, "look"));
    scene_set_caption(s, get_text(r, root, "caption"));
    scene_set_notation(s, get_text(r, root, "notation"));
    if (!scene_set_background(s, get_text(r, root, "background")))
        complain(r, "background", "should be none or #rrggbb");
    s->dpi = get_number(r, root, "dpi", SCENE_MOST_DPI);
    const json_t *scale = json_object_get(root, "scale");
    s->scale = json_number_value(scale); /* 0 if it is none */
    if (scale && !(s->scale >= SCENE_LEAST_SCALE && s->scale <= SCENE_MOST_SCALE))
        complain(r, "scale", "should be a number from %g to %g", SCENE_LEAST_SCALE,
                 SCENE_MOST_SCALE);
}

static void read_scene(Reader *r, Scene *s, const json_t *root)
{
    if (!json_is_object(root) || !json_object_get(root, "nodes")) {
        complain(r, NULL,
                 "not a scene: an object with \"nodes\", \"boxes\" and \"edges\" is expected");
        return;
    }
    if (get_int(r, root, "scene") > 1)
        complain(r, "scene", "version %lld is newer than this program",
                 (long long)get_int(r, root, "scene"));
    scene_set_title(s, get_text(r, root, "title"));
    scene_set_desc(s, get_text(r, root, "desc"));
    scene_set_note(s, get_text(r, root, "note"));
    read_prefix(r, s, root);
    read_looks(r, s, root);
    const json_t *nodes = get_list(r, root, "nodes"), *boxes = get_list(r, root, "boxes"),
                 *edges = get_list(r, root, "edges");
    for (size_t i = 0; !r->bad && i < json_array_size(boxes); i++)
        read_box(r, s, get_object(r, boxes, "boxes", i), json_array_size(nodes));
    for (size_t i = 0; !r->bad && i < json_array_size(nodes); i++)
        read_node(r, s, get_object(r, nodes, "nodes", i));
    for (size_t i = 0; !r->bad && i < json_array_size(edges); i++)
        read_edge(r, s, get_object(r, edges, "edges", i));
}

Scene *scene_read(const char *text, size_t len, Text *error)
{
    json_error_t e;
    json_set_alloc_funcs(xmalloc, free); /* so that what is missing is not taken for wrong */
    json_t *root = json_loadb(text, len, 0, &e);
    if (!root) {
        text_printf(error, "not JSON: %s at line %d, column %d", e.text, e.line, e.column);
        return NULL;
    }
    Reader r = {.error = error};
    Scene *s = scene_new(NULL);
    read_scene(&r, s, root);
    json_decref(root);
    arena_free(&r.arena);
    if (!r.bad)
        return s;
    scene_free(s);
    return NULL;
}
