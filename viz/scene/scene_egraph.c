/* E-graphs as scenes: see scene_egraph.h. */
#include "viz/scene/scene_egraph.h"

#include "surface/surface.h"
#include "viz/scene/scene_parts.h"

enum { MOST_LABEL = 40 };

typedef struct {
    Store *st;
    Scene *s;
    const EgPicture *p;
    int frame;
    MAP(TermId, int) boxes; /* class, by its term + 1 -> box */
} Drawer;

/* Is operand i of the class that the e-node is in? */
static bool is_own_class(const Drawer *d, const PictureNode *x, u32 i)
{
    return x->kids[i] == d->p->at.at[x->class].term;
}

/* The operator with dots for its operands, as their classes are where the edges come from, and a
 * turning arrow for one of its own class, which gets none. */
static const char *put_label(const Drawer *d, Text *t, const PictureNode *x)
{
    Node *n = x->node, *small[16], *form = n;
    if (n->nops && n->nops <= COUNT_OF(small)) {
        for (u32 i = 0; i < n->nops; i++)
            small[i] =
                node_temp(d->st, n->ops[i]->type,
                          symbol(d->st, is_own_class(d, x, i) ? "\xE2\x86\xBA" : "\xC2\xB7"));
        form = node_with_operands(d->st, n, small);
    }
    bool whole = form && (form != n || !n->nops);
    if (whole)
        node_source_limited(d->st, t, form, true, MOST_LABEL);
    else
        text_put(t, op_table[n->op].name);
    return text_str(t);
}

static int draw_term(const Drawer *d, const PictureNode *x, int box, u32 elided)
{
    Text label = {0}, all = {0};
    put_label(d, &label, x);
    node_source_limited(d->st, &all, x->node, true, 400);
    int k = scene_node(d->s, &(SceneNode){.op = op_table[x->node->op].name,
                                          .label = text_str(&label),
                                          .tooltip = text_str(&all),
                                          .cls = label_class(x->node),
                                          .role = scene_role_of(x->node),
                                          .focus = x->chosen,
                                          .elided = (int)elided,
                                          .box = box});
    text_free(&label);
    text_free(&all);
    return k;
}

static void draw_class(Drawer *d, const PictureClass *c)
{
    Text title = {0}, type = {0};
    type_print(&type, d->p->terms.at[c->first].node->type);
    text_printf(&title, "class %u", c->term);
    int box = scene_box(d->s, &(SceneBox){.title = text_str(&title),
                                          .subtitle = text_str(&type),
                                          .tooltip = c->root ? "the result" : NULL,
                                          .kind = BOX_CLASS,
                                          .focus = c->root,
                                          .parent = d->frame});
    map_put(&d->boxes, c->term + 1, box);
    text_free(&title);
    text_free(&type);
}

/* How many operands from the i-th on are of its class; 0: an earlier one is. */
static u32 count_alike(const PictureNode *x, u32 i)
{
    u32 count = 0;
    for (u32 k = 0; k < x->node->nops; k++) {
        if (k < i && x->kids[k] == x->kids[i])
            return 0;
        count += x->kids[k] == x->kids[i];
    }
    return count;
}

/* One edge from each class, with the place of the operand where that counts, or how many they are.
 */
static void draw_operands(const Drawer *d, const PictureNode *x, int node)
{
    bool any_order = eg_any_order(x->node->op, x->node->nops);
    for (u32 i = 0; i < x->node->nops; i++) {
        char at[16];
        u32 alike = any_order ? count_alike(x, i) : 1;
        snprintf(at, sizeof at, any_order ? "\xC3\x97%u" : "%u", any_order ? alike : i);
        int box = map_get(&d->boxes, x->kids[i] + 1);
        bool told = any_order ? alike > 1 : x->node->nops > 1;
        if (box && alike && !is_own_class(d, x, i))
            scene_edge(d->s, &(SceneEdge){.from_box = box,
                                          .to = node,
                                          .head = told ? at : NULL,
                                          .kind = x->chosen ? EDGE_CHOSEN : EDGE_DATA});
    }
}

static void draw(Drawer *d)
{
    const EgPicture *p = d->p;
    int *nodes = xcalloc(p->terms.len + 1, sizeof *nodes);
    for (size_t i = 0; i < p->at.len; i++)
        draw_class(d, &p->at.at[i]);
    for (size_t i = 0; i < p->at.len; i++) {
        const PictureClass *c = &p->at.at[i];
        int box = map_get(&d->boxes, c->term + 1);
        for (u32 k = 0; k < c->count; k++)
            nodes[c->first + k] =
                draw_term(d, &p->terms.at[c->first + k], box, k + 1 == c->count ? c->left_out : 0);
    }
    for (size_t i = 0; i < p->terms.len; i++)
        draw_operands(d, &p->terms.at[i], nodes[i]);
    free(nodes);
    map_free(&d->boxes);
}

static void note_rest(Scene *s, const EgPicture *p, bool focused)
{
    if (p->terms.len >= p->nodes)
        return;
    Text t = {0};
    text_printf(&t, "%zu of %u e-nodes, %zu of %u classes: %s", p->terms.len, p->nodes, p->at.len,
                p->classes,
                focused ? "those nearest to the focus"
                        : "those of the cheapest term, then what is nearest to the result");
    scene_set_note(s, text_str(&t));
    text_free(&t);
}

void egraph_picture_title(Text *out, const EgPicture *p)
{
    if (p->iteration)
        text_printf(out, "after iteration %u", p->iteration);
    else
        text_put(out, "before the first iteration");
}

void egraph_picture_size(Text *out, const EgPicture *p)
{
    text_printf(out, "%u e-nodes, %u classes, cost %.6g", p->nodes, p->classes, p->cost);
}

Scene *scene_from_egraph(Store *st, const EgPictures *pictures, const char *title)
{
    Scene *s = scene_new(title);
    for (size_t i = 0; i < pictures->at.len; i++) {
        Drawer d = {.st = st, .s = s, .p = pictures->at.at[i]};
        Text head = {0}, size = {0};
        egraph_picture_title(&head, d.p);
        egraph_picture_size(&size, d.p);
        if (pictures->at.len > 1)
            d.frame = scene_box(s, &(SceneBox){.kind = BOX_FRAME,
                                               .title = text_str(&head),
                                               .subtitle = text_str(&size)});
        draw(&d);
        if (i + 1 == pictures->at.len)
            note_rest(s, d.p, pictures->focus != NULL);
        text_free(&head);
        text_free(&size);
    }
    if (pictures->at.len > 1)
        scene_find_places(s);
    return s;
}
