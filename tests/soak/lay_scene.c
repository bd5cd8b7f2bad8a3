/* Lays a scene (JSON) out as the page does, for crossings.py: a line for each edge that has an
 * influence on places, its points.
 *
 *   lay_scene SCENE.json */
#include <jansson.h>

#include "viz/page/lay.h"

static const char *text_of(const json_t *o, const char *key)
{
    const json_t *x = json_object_get(o, key);
    return json_is_string(x) ? json_string_value(x) : "";
}

static int number_of(const json_t *o, const char *key)
{
    return (int)json_integer_value(json_object_get(o, key));
}

static bool is_one_of(const char *word, int n, const char *const *words)
{
    for (int i = 0; i < n; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* About the room that a text takes, an even number of pixels. */
static int room(const char *a, const char *b)
{
    size_t n = strlen(a) > strlen(b) ? strlen(a) : strlen(b);
    return 8 * (int)n + 40;
}

static LayBox read_box(const json_t *o)
{
    enum { CLOSED_H = 44 };
    bool closed = json_is_true(json_object_get(o, "closed"));
    return (LayBox){.box = number_of(o, "parent"),
                    .w = room(text_of(o, "title"), text_of(o, "subtitle")),
                    .h = closed ? CLOSED_H : 0};
}

static LayNode read_node(const json_t *o)
{
    static const char *const first[] = {"param", "state", "sequence", "capture"};
    enum { H = 46 };
    return (LayNode){.box = number_of(o, "box"),
                     .w = room(text_of(o, "label"), text_of(o, "detail")),
                     .h = H,
                     .head = number_of(o, "box") &&
                             is_one_of(text_of(o, "role"), (int)COUNT_OF(first), first)};
}

static LayEdge read_edge(const json_t *o)
{
    const char *kind = text_of(o, "kind");
    return (LayEdge){.from = number_of(o, "from"),
                     .to = number_of(o, "to"),
                     .from_box = number_of(o, "from_box"),
                     .to_box = number_of(o, "to_box"),
                     .weight = 1,
                     .kind = strcmp(kind, "loopback") == 0     ? LAY_BACK
                             : strcmp(kind, "adjoint-of") == 0 ? LAY_LOOSE
                                                               : LAY_FLOW};
}

static void read_scene(const json_t *scene, LayGraph *g)
{
    size_t i;
    const json_t *o;
    json_array_foreach(json_object_get(scene, "boxes"), i, o) vec_push(&g->boxes, read_box(o));
    json_array_foreach(json_object_get(scene, "nodes"), i, o) vec_push(&g->nodes, read_node(o));
    json_array_foreach(json_object_get(scene, "edges"), i, o) vec_push(&g->edges, read_edge(o));
}

int main(int argc, char **argv)
{
    json_error_t error;
    json_t *scene = argc == 2 ? json_load_file(argv[1], 0, &error) : NULL;
    if (!scene) {
        fprintf(stderr, "lay_scene SCENE.json: %s\n", argc == 2 ? error.text : "one file");
        return 2;
    }
    LayGraph g = {0};
    Layout l;
    read_scene(scene, &g);
    lay_out(&g, &l);
    for (size_t i = 0; i < g.edges.len; i++) {
        const Places *at = &l.edges.at[i];
        for (size_t k = 0; g.edges.at[i].kind != LAY_LOOSE && k < at->len; k++)
            printf("%d%c", at->at[k], k + 1 < at->len ? ' ' : '\n');
    }
    layout_free(&l);
    lay_graph_free(&g);
    json_decref(scene);
    return 0;
}
