/* A scene as text: the JSON that gradus-draw reads, and the description that
 * people who do not see the picture get.
 *
 * Invariant: both depend on the scene only, and name everything that is drawn;
 * where a long description stops, it says how much is left. */
#include "base/json.h"
#include "base/utf8.h"
#include "viz/scene/scene_words.h"

enum {
    MAX_FLOW_LINES = 60, /* nodes listed one by one in a description */
    MAX_NAME = 48        /* bytes of a label in a description */
};

/* ---- JSON: what has its zero value is left out ---- */

static void put_text(Json *j, const char *key, const char *s)
{
    if (!s)
        return;
    json_key(j, key);
    json_string(j, s);
}

static void put_int(Json *j, const char *key, i64 x)
{
    if (x == 0)
        return;
    json_key(j, key);
    json_int(j, x);
}

static void put_flag(Json *j, const char *key, bool b)
{
    if (!b)
        return;
    json_key(j, key);
    json_bool(j, true);
}

static void put_word(Json *j, const char *key, const char *const *words, int k)
{
    if (k != 0)
        put_text(j, key, words[k]);
}

/* By their kinds: where each begins, and how long it is. */
static void put_parts(Json *j, const char *key, const Phrase *p, bool parts)
{
    if (!p->nparts || !parts)
        return;
    json_key(j, key);
    json_begin(j, '{');
    for (PhraseKind kind = 0; kind < PHRASE_KINDS; kind++) {
        bool any = false;
        for (int i = 0; i < p->nparts; i++) {
            if (p->parts[i].kind != kind)
                continue;
            if (!any) {
                json_key(j, scene_part_words[kind]);
                json_begin(j, '[');
            }
            any = true;
            json_int(j, p->parts[i].at);
            json_int(j, p->parts[i].n);
        }
        if (any)
            json_end(j, ']');
    }
    json_end(j, '}');
}

static void put_node(Json *j, const SceneNode *n, bool parts)
{
    json_begin(j, '{');
    put_int(j, "id", n->id);
    put_text(j, "key", n->key);
    put_text(j, "op", n->op);
    put_text(j, "label", n->label);
    put_parts(j, "label_parts", &n->words, parts);
    put_text(j, "detail", n->detail);
    put_text(j, "value", n->value);
    put_text(j, "grad", n->grad);
    put_text(j, "amount", n->amount);
    put_int(j, "shade", n->shade);
    put_text(j, "link", n->link);
    put_text(j, "tooltip", n->tooltip);
    put_word(j, "class", scene_class_words, (int)n->cls);
    put_word(j, "role", scene_role_words, (int)n->role);
    put_word(j, "mark", scene_mark_words, (int)n->mark);
    put_flag(j, "focus", n->focus);
    put_flag(j, "lit", n->lit);
    put_int(j, "box", n->box);
    put_int(j, "output", n->output);
    put_int(j, "elided", n->elided);
    put_int(j, "row", n->row);
    put_int(j, "column", n->column);
    put_int(j, "place", n->place);
    json_end(j, '}');
}

static void put_box(Json *j, const SceneBox *b, bool parts)
{
    json_begin(j, '{');
    put_text(j, "key", b->key);
    put_text(j, "title", b->title);
    put_text(j, "subtitle", b->subtitle);
    put_parts(j, "title_parts", &b->title_words, parts);
    put_parts(j, "subtitle_parts", &b->subtitle_words, parts);
    put_text(j, "tooltip", b->tooltip);
    put_word(j, "kind", scene_box_words, (int)b->kind);
    put_word(j, "mark", scene_mark_words, (int)b->mark);
    put_flag(j, "focus", b->focus);
    put_flag(j, "lit", b->lit);
    put_int(j, "parent", b->parent);
    put_int(j, "owner", b->owner);
    put_int(j, "owner_id", b->owner_id);
    put_int(j, "repeat", b->repeat);
    put_flag(j, "closed", b->closed);
    put_int(j, "place", b->place);
    json_end(j, '}');
}

static void put_edge(Json *j, const SceneEdge *e, bool parts)
{
    json_begin(j, '{');
    put_int(j, "from", e->from);
    put_int(j, "to", e->to);
    put_int(j, "line", e->line);
    put_int(j, "from_box", e->from_box);
    put_int(j, "to_box", e->to_box);
    put_text(j, "label", e->label);
    put_parts(j, "label_parts", &e->words, parts);
    put_text(j, "head", e->head);
    put_text(j, "tail", e->tail);
    put_word(j, "kind", scene_edge_words, (int)e->kind);
    put_word(j, "mark", scene_mark_words, (int)e->mark);
    put_text(j, "key", e->key);
    json_end(j, '}');
}

static void put_look(Json *j, const Scene *s)
{
    if (!s->look.len)
        return;
    json_open(j, "look", '{');
    for (size_t i = 0; i < s->look.len; i++)
        json_pair(j, s->look.at[i].key, s->look.at[i].value);
    json_end(j, '}');
}

static void put_scene(Text *out, const Scene *s, bool parts)
{
    Json j = {.out = out};
    json_begin(&j, '{');
    put_int(&j, "scene", 1);
    put_text(&j, "title", s->title);
    put_text(&j, "desc", s->desc);
    put_text(&j, "note", s->note);
    put_text(&j, "caption", s->caption);
    put_text(&j, "notation", s->notation);
    put_text(&j, "prefix", s->prefix);
    put_text(&j, "background", s->background);
    put_int(&j, "dpi", s->dpi);
    if (s->scale != 0) {
        json_key(&j, "scale");
        json_double(&j, s->scale);
    }
    put_word(&j, "theme", scene_theme_words, (int)s->theme);
    put_word(&j, "direction", scene_direction_words, (int)s->direction);
    put_word(&j, "style", scene_style_words, (int)s->style);
    put_int(&j, "width_mm", s->width_mm);
    put_int(&j, "least_tenths", s->least_tenths);
    put_flag(&j, "untitled", s->untitled);
    put_flag(&j, "listed", s->listed);
    put_flag(&j, "no_legend", s->no_legend);
    put_flag(&j, "lowered", s->lowered);
    put_flag(&j, "no_types", s->no_types);
    put_flag(&j, "no_ids", s->no_ids);
    put_look(&j, s);
    json_key(&j, "nodes");
    json_begin(&j, '[');
    for (size_t i = 0; i < s->nodes.len && !interrupted(out->interrupt); i++)
        put_node(&j, &s->nodes.at[i], parts);
    json_end(&j, ']');
    json_key(&j, "boxes");
    json_begin(&j, '[');
    for (size_t i = 0; i < s->boxes.len; i++)
        put_box(&j, &s->boxes.at[i], parts);
    json_end(&j, ']');
    json_key(&j, "edges");
    json_begin(&j, '[');
    for (size_t i = 0; i < s->edges.len; i++)
        put_edge(&j, &s->edges.at[i], parts);
    json_end(&j, ']');
    json_end(&j, '}');
}

void scene_json(Text *out, const Scene *s) { put_scene(out, s, s->style == STYLE_FIGURE); }

u64 scene_hash(const Scene *s)
{
    Text json = {0};
    put_scene(&json, s, false);
    u64 hash = hash_bytes(text_str(&json), json.len, 0);
    text_free(&json);
    return hash;
}

/* ---- the description ---- */

void words_put(Text *out, const char *s, size_t n, size_t most, const char *line)
{
    size_t i = 0, start = out->len;
    int width = 0;
    while (i < n && out->len - start < most) {
        bool blank = i + 1 < n && strncmp(s + i, "\u00A0", 2) == 0;
        if (s[i] == '\n' || blank) {
            text_put(out, blank ? " " : line);
            i += 1 + blank;
        } else {
            i += utf8_put_visible(out, s + i, n - i, &width);
        }
    }
    text_put(out, i < n ? "..." : "");
}

static void put_short(Text *out, const char *s) { words_put(out, s, strlen(s), MAX_NAME, " "); }

static void put_plural(Text *out, size_t n, const char *one)
{
    text_printf(out, "%zu %s%s", n, one, n == 1 ? "" : one[strlen(one) - 1] == 'x' ? "es" : "s");
}

static void name_node(Text *out, const SceneNode *n)
{
    if (n->id)
        text_printf(out, "%%%lld ", (long long)n->id);
    put_short(out, scene_node_name(n));
}

static void name_box(Text *out, const SceneBox *b)
{
    put_short(out, b->title && *b->title ? b->title : scene_box_words[b->kind]);
}

static void name_value(Text *out, const SceneNode *n)
{
    if (n->value) {
        text_put(out, " = ");
        put_short(out, n->value);
    }
    if (n->grad) {
        text_put(out, ", derivative ");
        put_short(out, n->grad);
    }
}

static void name_typed(Text *out, const SceneNode *n)
{
    put_short(out, scene_node_name(n));
    if (n->detail && *n->detail) {
        text_put(out, " (");
        put_short(out, n->detail);
        text_putc(out, ')');
    }
    name_value(out, n);
}

/* Is node i an input that stands only in the boxes that capture it, and in the first of these? */
static bool is_brought_input(const Scene *s, size_t i)
{
    const SceneNode *n = &s->nodes.at[i];
    if (n->role != ROLE_CAPTURE || !n->id)
        return false;
    for (size_t k = 0; k < s->nodes.len; k++)
        if (s->nodes.at[k].id == n->id && k != i && (s->nodes.at[k].box == 0 || k < i))
            return false;
    return true;
}

/* "Inputs: x (f64[n]), W (f64[2, 2])." for the nodes of one role in one box; nothing if there are
 * none. */
static void list_role(Text *out, const Scene *s, int box, SceneRole role, const char *heading)
{
    size_t found = 0;
    for (size_t i = 0; i < s->nodes.len; i++) {
        const SceneNode *n = &s->nodes.at[i];
        if (found > MAX_FLOW_LINES)
            break;
        bool there = n->role == role && n->box == box && !n->output;
        if (!there && !(role == ROLE_INPUT && box == 0 && is_brought_input(s, i)))
            continue;
        text_put(out, found == 0 ? heading : ", ");
        if (found++ == MAX_FLOW_LINES) {
            text_put(out, "and more");
            continue;
        }
        name_typed(out, n);
    }
    if (found)
        text_put(out, ". ");
}

static const SceneNode *output_at(const Scene *s, int place)
{
    for (size_t i = 0; i < s->nodes.len; i++)
        if (s->nodes.at[i].output == place)
            return &s->nodes.at[i];
    return NULL;
}

/* Several results in the order in which they are asked for. */
static void list_outputs(Text *out, const Scene *s)
{
    int last = 0;
    for (size_t i = 0; i < s->nodes.len; i++)
        last = s->nodes.at[i].output > last ? s->nodes.at[i].output : last;
    for (int place = 1; place <= last; place++) {
        const SceneNode *n = place <= MAX_FLOW_LINES ? output_at(s, place) : NULL;
        if (!n && place <= MAX_FLOW_LINES)
            continue;
        text_put(out, place == 1 ? "Results in order: " : ", ");
        if (!n) {
            text_printf(out, "and %d more", last - MAX_FLOW_LINES);
            break;
        }
        name_typed(out, n);
    }
    text_put(out, last ? ". " : "");
}

static void list_all_roles(Text *out, const Scene *s, int box)
{
    list_role(out, s, box, ROLE_INPUT, "Inputs: ");
    list_role(out, s, box, ROLE_SHARED, "Shared state: ");
    list_role(out, s, box, ROLE_PARAM, "Parameters: ");
    list_role(out, s, box, ROLE_STATE, "States carried from step to step: ");
    list_role(out, s, box, ROLE_SEQUENCE, "Sequences: ");
    list_role(out, s, box, ROLE_CAPTURE, "Captures: ");
    list_role(out, s, box, ROLE_OUTPUT, "Outputs: ");
}

static void describe_marks(Text *out, const Scene *s)
{
    size_t count[MARK_COUNT] = {0};
    for (size_t i = 0; i < s->nodes.len; i++)
        count[s->nodes.at[i].mark]++;
    for (size_t i = 0; i < s->boxes.len; i++)
        count[s->boxes.at[i].mark]++;
    bool any = false;
    for (int m = MARK_ADDED; m < MARK_COUNT; m++) {
        if (!count[m])
            continue;
        text_put(out, any ? ", " : "Compared with before: ");
        text_printf(out, "%zu %s", count[m], scene_mark_words[m]);
        any = true;
    }
    if (any)
        text_put(out, ". ");
}

static void describe_stop(Text *out, const Scene *s, int box)
{
    for (size_t i = 0; i < s->edges.len; i++) {
        const SceneEdge *e = &s->edges.at[i];
        if (e->kind != EDGE_UNTIL || e->to_box != box || !e->from)
            continue;
        bool stops = scene_box_at(s, box)->kind == BOX_SCAN;
        text_put(out, stops ? "Stops on " : "Goes on while ");
        name_node(out, scene_node_at(s, e->from));
        text_put(out, ". ");
    }
}

static void describe_box(Text *out, const Scene *s, int k)
{
    const SceneBox *b = scene_box_at(s, k);
    size_t inside = 0;
    for (size_t i = 0; i < s->nodes.len; i++)
        inside += s->nodes.at[i].box == k;
    name_box(out, b);
    if (b->subtitle && *b->subtitle) {
        text_put(out, ", ");
        put_short(out, b->subtitle);
    }
    text_put(out, ": ");
    put_plural(out, inside, "node");
    if (b->repeat > 1)
        text_printf(out, ", the same body %d times", b->repeat);
    if (b->mark != MARK_NONE)
        text_printf(out, ", %s", scene_mark_words[b->mark]);
    text_put(out, b->closed ? ", drawn closed. " : ". ");
    list_all_roles(out, s, k);
    describe_stop(out, s, k);
}

static void describe_boxes(Text *out, const Scene *s, int parent, int depth)
{
    for (int k = 1; (size_t)k <= s->boxes.len; k++) {
        if (scene_box_at(s, k)->parent != parent)
            continue;
        text_printf(out, "\n%*s- ", 2 * (depth < 20 ? depth : 20), "");
        (s->style == STYLE_FIGURE ? figure_box_words : describe_box)(out, s, k);
        describe_boxes(out, s, k, depth + 1);
    }
}

static const char *const edge_phrases[EDGE_KINDS] = {
    [EDGE_DATA] = "",
    [EDGE_STATE] = "state ",
    [EDGE_LOOPBACK] = "for the next step ",
    [EDGE_CAPTURE] = "captured ",
    [EDGE_SEQUENCE] = "row by row ",
    [EDGE_UNTIL] = "stops on ",
    [EDGE_ADJOINT] = "adjoint of ",
    [EDGE_CHOSEN] = "chosen ",
};

/* Where an edge comes from; for adjoint links, which point at what they belong to, where it goes.
 */
static void name_origin(Text *out, const Scene *s, const SceneEdge *e)
{
    text_put(out, edge_phrases[e->kind]);
    bool forward = e->kind != EDGE_ADJOINT;
    int node = forward ? e->from : e->to, box = forward ? e->from_box : e->to_box;
    if (node)
        name_node(out, scene_node_at(s, node));
    else
        name_box(out, scene_box_at(s, box));
}

/* Edges grouped by the node they are told with: the consumer, or the derivative of an adjoint link.
 */
typedef struct {
    int *first, *next; /* by node; by edge */
} Incoming;

static Incoming gather_edges(const Scene *s)
{
    Incoming in = {xcalloc(s->nodes.len + 1, sizeof(int)), xcalloc(s->edges.len + 1, sizeof(int))};
    for (int k = (int)s->edges.len; k >= 1; k--) {
        const SceneEdge *e = scene_edge_at(s, k);
        int at = e->kind == EDGE_ADJOINT ? e->from : e->to;
        in.next[k] = in.first[at];
        in.first[at] = k;
    }
    return in;
}

static void describe_flow(Text *out, const Scene *s)
{
    Incoming in = gather_edges(s);
    size_t told = 0, left = 0;
    for (int n = 1; (size_t)n <= s->nodes.len; n++) {
        if (!in.first[n])
            continue;
        if (told >= MAX_FLOW_LINES) {
            left++;
            continue;
        }
        text_put(out, told++ == 0 ? "\nWhat flows where:\n- " : "\n- ");
        name_node(out, scene_node_at(s, n));
        if (scene_node_at(s, n)->mark != MARK_NONE)
            text_printf(out, " (%s)", scene_mark_words[scene_node_at(s, n)->mark]);
        name_value(out, scene_node_at(s, n));
        text_put(out, " from ");
        for (int k = in.first[n]; k; k = in.next[k]) {
            name_origin(out, s, scene_edge_at(s, k));
            text_put(out, in.next[k] ? ", " : "");
        }
    }
    if (left)
        text_printf(out, "\n- and %zu more", left);
    free(in.first);
    free(in.next);
}

static void describe_parts(Text *out, const Scene *s)
{
    if (s->style == STYLE_FIGURE) {
        figure_words(out, s);
        describe_boxes(out, s, 0, 0);
        return;
    }
    text_put(out, "A graph of ");
    put_plural(out, s->nodes.len, "node");
    if (s->boxes.len) {
        text_put(out, " and ");
        put_plural(out, s->boxes.len, "inner graph");
    }
    bool right = s->direction == DIR_LR, mirrored = false;
    for (size_t i = 0; i < s->boxes.len; i++)
        mirrored = mirrored || s->boxes.at[i].kind == BOX_ADJOINT;
    text_put(out, right ? ", drawn from left to right" : ", drawn from top to bottom");
    if (mirrored)
        text_put(out, right ? ", and below that its adjoint from right to left"
                            : ", and beside that its adjoint from bottom to top");
    text_put(out, ". ");
    describe_marks(out, s);
    list_all_roles(out, s, 0);
    list_outputs(out, s);
    if (s->boxes.len)
        text_put(out, "\nInner graphs:");
    describe_boxes(out, s, 0, 0);
}

void scene_describe(Text *out, const Scene *s)
{
    if (s->desc) {
        text_put(out, s->desc);
        return;
    }
    describe_parts(out, s);
    if (s->style == STYLE_FIGURE)
        figure_formulas(out, s);
    else
        describe_flow(out, s);
}

void scene_summary(Text *out, const Scene *s)
{
    Text parts = {0};
    const char *end = s->desc ? strstr(s->desc, ". ") : NULL; /* its own: the first sentence */
    if (s->desc)
        text_putn(&parts, s->desc, end ? (size_t)(end - s->desc) + 1 : strlen(s->desc));
    else
        describe_parts(&parts, s);
    if (s->title && *s->title) {
        text_put(out, s->title);
        text_put(out, ". ");
    }
    /* Lines of the list become sentences: blanks and the dash in front of them go. */
    for (const char *at = text_str(&parts); *at; at++) {
        if (*at != '\n') {
            text_putc(out, *at);
            continue;
        }
        at += strspn(at, "\n -") - 1;
        if (out->len && out->at[out->len - 1] != ' ')
            text_putc(out, ' ');
    }
    while (out->len && out->at[out->len - 1] == ' ')
        out->at[--out->len] = '\0';
    text_free(&parts);
}
