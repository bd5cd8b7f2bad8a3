/* In a diff, what was removed stands beside what came in its place: the two that one reader read
 * before and reads now are joined by an invisible edge.
 *
 * Invariant: this is a wish. The edge may be flat, and its ends are in one cluster, so that nothing
 * stands between them; where rows keep them apart, it draws them together. */
#include "viz/draw/draw_dot.h"

/* The node or outermost box (negative) that edge k enters, as seen from where it comes. */
static int reader_of(const Scene *s, const SceneEdge *e, int from)
{
    int at = e->to_box ? -e->to_box : e->to;
    for (;;) {
        int box = at > 0 ? scene_node_at(s, at)->box : scene_box_at(s, -at)->parent;
        if (!box || box_holds(s, box, from))
            return at;
        at = -box;
    }
}

static SceneMark mark_of(const Scene *s, int code)
{
    return code > 0 ? scene_node_at(s, code)->mark : scene_box_at(s, -code)->mark;
}

/* Is it the edge of something that is itself new, or gone, as the edge is? */
static bool tells(const Build *b, size_t i, SceneMark mark)
{
    int from = b->p->from[i];
    return b->p->edges[i].drawn && from && b->s->edges.at[i].mark == mark &&
           mark_of(b->s, from) == mark && (b->s->edges.at[i].to || b->s->edges.at[i].to_box);
}

/* An invisible cluster keeps what is of one rank together; it may not hold what a row holds. */
static void enclose_pair(Build *b, int gone, int came)
{
    char name[48];
    snprintf(name, sizeof name, "cluster_pair_%d_%d", gone, came);
    Agraph_t *c = agsubg(home_of(b, home_of_code(b->s, gone)), name, 1);
    put_attr(b, c, "margin", "0");
    put_attr(b, c, "peripheries", "0");
    agsubnode(c, end_of(b, gone, 0, 0), 1);
    agsubnode(c, end_of(b, came, 0, 0), 1);
}

/* The first row of a box and the last one are fixed; all else gets one place. */
static void join(Build *b, int gone, int came)
{
    if (!has_row(b, gone) && !has_row(b, came))
        enclose_pair(b, gone, came);
    Agedge_t *e = agedge(b->g, end_of(b, gone, 0, 0), end_of(b, came, 0, 0), NULL, 1);
    put_attr(b, e, "style", "invis");
    put_attr(b, e, "minlen", "0");
    put_attr(b, e, "weight", "8");
    if (b->p->rows)
        put_attr(b, e, "constraint", "false");
}

void pair_ghosts(Build *b)
{
    const Scene *s = b->s;
    bool *paired = xcalloc(s->nodes.len + s->boxes.len + 1, sizeof *paired);
    bool *of = paired + s->boxes.len; /* by code */
    for (size_t i = 0; i < s->edges.len; i++) {
        int gone = b->p->from[i];
        if (!tells(b, i, MARK_REMOVED) || of[gone])
            continue;
        int reader = reader_of(s, &s->edges.at[i], gone);
        for (size_t j = 0; j < s->edges.len && !of[gone]; j++) {
            int came = b->p->from[j];
            if (!tells(b, j, MARK_ADDED) || of[came] ||
                home_of_code(s, came) != home_of_code(s, gone) ||
                reader_of(s, &s->edges.at[j], came) != reader)
                continue;
            of[gone] = of[came] = true;
            join(b, gone, came);
        }
    }
    free(paired);
}
