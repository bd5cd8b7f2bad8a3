/* A union of states as a graph to be laid out: how large each place has to be for all that it
 * shows, and how long each edge lives.
 *
 * Invariant: what page_sheet.js writes into a place fits there; its fonts may be a little wider
 * than ours. */
#include "base/utf8.h"
#include "viz/page/page_parts.h"

enum { WRAP = 34, WRAP_TYPE = 44, LABEL_LINES = 3, OTHER_LINES = 2 };
enum {
    SIDE = 12,
    PILL_SIDE = 17,
    ABOVE = 7,
    LEAST_W = 34,
    LEAST_H = 28,
    MOST_TITLE = 430,
    SHUT_H = 44
};
static const double mono = 6.7, mono_small = 6.1, title_letter = 8.3, title_small = 6.2;
static const double line_h = 17.5, type_h = 14.5;

/* ---- texts ---- */

static double bold_width(u32 c)
{
    static const char narrow[] = "ijl.,:;'|!()[] ftr", wide[] = "mwMW@%";
    if (c < 128 && strchr(narrow, (int)c))
        return 6.2;
    if (c < 128 && strchr(wide, (int)c))
        return 14.5;
    return c >= 'A' && c <= 'Z' ? 11 : c < 0x1100 ? 9.6 : 17;
}

/* How a text breaks: its lines, and the width of the longest. */
typedef struct {
    int lines;
    double width, last;
} Block;

/* The letters of s, at most n. */
static int letters_of(const char *s, u32 *out, int n)
{
    int count = 0;
    for (size_t i = 0, len = strlen(s); i < len && count < n;) {
        int step = utf8_decode(s + i, len - i, &out[count]);
        i += step ? (size_t)step : 1;
        count++;
    }
    return count;
}

static bool breaks_after(u32 c) { return c < 128 && c && strchr(" ,;)]", (int)c); }

static Block measure(const char *s, int wrap, int lines, bool bold)
{
    u32 at[512] = {0};
    int n = letters_of(s ? s : "", at, (int)COUNT_OF(at)), i = 0;
    Block b = {0};
    while (i < n && b.lines < lines) {
        int cut = n - i <= wrap ? n - i : wrap;
        for (int k = wrap; cut < n - i && k > wrap / 2; k--)
            if (breaks_after(at[i + k - 1])) {
                cut = k;
                break;
            }
        double w = 0;
        for (int k = 0; k < cut; k++)
            w += bold ? bold_width(at[i + k]) : mono;
        i += cut;
        b.lines++;
        b.last = w + (i < n && b.lines == lines ? mono : 0);
        b.width = b.last > b.width ? b.last : b.width;
    }
    return b;
}

static double id_width(i64 id)
{
    char text[32];
    return id > 0 ? (snprintf(text, sizeof text, "%lld", (long long)id) + 2) * mono_small : 0;
}

/* ---- places ---- */

static void fit(int *at, double need)
{
    if (need > *at)
        *at = (int)(need + 0.99);
}

LayNode node_room(const Slot *s, int box)
{
    LayNode n = {.box = box, .w = LEAST_W, .h = LEAST_H};
    for (size_t i = 0; i < s->shows.len; i++) {
        const SceneNode *v = &s->shows.at[i];
        Block label = measure(scene_node_name(v), WRAP, LABEL_LINES, true);
        Block type = measure(v->detail, WRAP_TYPE, OTHER_LINES, false);
        Block value = measure(v->value, WRAP_TYPE - 2, OTHER_LINES, false);
        bool pill = v->role >= ROLE_INPUT && v->role <= ROLE_CAPTURE;
        double w = label.last + id_width(v->id);
        w = label.width > w ? label.width : w;
        w = type.width > w ? type.width : w;
        w = value.lines && value.width + 2 * mono > w ? value.width + 2 * mono : w;
        fit(&n.w, w + 2 * (pill ? PILL_SIDE : SIDE));
        fit(&n.h, label.lines * line_h + (type.lines + value.lines) * type_h + 2 * ABOVE);
        n.head = n.head || (box && v->role >= ROLE_PARAM && v->role <= ROLE_CAPTURE);
    }
    n.w += n.w % 2; /* the middle is a whole number */
    return n;
}

LayBox box_room(const Slot *s, int parent)
{
    LayBox b = {.box = parent};
    bool closed = true;
    for (size_t i = 0; i < s->titles.len; i++) {
        const SceneBox *t = &s->titles.at[i];
        double w = 40 + title_letter * (t->title ? (double)strlen(t->title) : 6) +
                   id_width(t->owner_id) +
                   title_small * (t->subtitle ? (double)strlen(t->subtitle) : 0);
        fit(&b.w, w > MOST_TITLE ? MOST_TITLE : w);
        closed = closed && t->closed;
    }
    b.w += b.w % 2;
    b.h = closed ? SHUT_H : 0;
    return b;
}

/* ---- the graph ---- */

LayKind edge_room(SceneEdgeKind k)
{
    return k == EDGE_LOOPBACK ? LAY_BACK : k == EDGE_ADJOINT ? LAY_LOOSE : LAY_FLOW;
}

/* The edges that live long want to be straight. */
static int weight_of(const Union *u, const EdgeSlot *s)
{
    enum { MOST = 6 };
    int states = (int)u->states.len;
    return 1 + (states ? MOST * s->life / states : 0);
}

/* Nodes in an outermost box. */
static size_t nodes_in(const Union *u, int box)
{
    size_t n = 0;
    for (size_t i = 0; i < u->nodes.len; i++) {
        int b = u->nodes.at[i].box;
        while (b && u->boxes.at[b - 1].box)
            b = u->boxes.at[b - 1].box;
        n += b == box;
    }
    return n;
}

/* A large box that is there for at most half of the states and gone at the end, or for a third,
 * such as a derivative before it is expanded: its place, empty most of the time, is at the side. */
static bool is_brief(const Union *u, int box)
{
    enum { LEAST_NODES = 8 };
    const Slot *s = &u->boxes.at[box - 1];
    int states = (int)u->states.len;
    bool leaves = s->last < states - 1;
    return s->box == 0 && s->life * (leaves ? 2 : 3) <= states && nodes_in(u, box) >= LEAST_NODES;
}

void union_layout(const Union *u, Layout *out)
{
    LayGraph g = {0};
    for (size_t i = 0; i < u->boxes.len; i++) {
        LayBox b = box_room(&u->boxes.at[i], u->boxes.at[i].box);
        b.side = is_brief(u, (int)i + 1);
        vec_push(&g.boxes, b);
    }
    for (size_t i = 0; i < u->nodes.len; i++)
        vec_push(&g.nodes, node_room(&u->nodes.at[i], u->nodes.at[i].box));
    for (size_t i = 0; i < u->edges.len; i++) {
        const SceneEdge *e = &u->edges.at[i].edge;
        vec_push(&g.edges, ((LayEdge){.from = e->from,
                                      .to = e->to,
                                      .from_box = e->from_box,
                                      .to_box = e->to_box,
                                      .weight = weight_of(u, &u->edges.at[i]),
                                      .kind = edge_room(e->kind)}));
    }
    lay_out(&g, out);
    lay_graph_free(&g);
}
