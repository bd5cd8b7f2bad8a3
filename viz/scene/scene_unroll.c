/* A scan with its first steps one by one: the body in a box for each step, what a step leaves
 * entering the next one, and the steps that are not drawn as one closed box.
 *
 * Invariant: a step's box has nodes of its own for rows of sequences and for first states that are
 * constants; everything else enters it as an edge from where it was made. */
#include "viz/scene/scene_parts.h"

/* ---- what is known of a step ---- */

KnownValues known_in_step(const SceneUnroll *u, int step, const NodeTexts *data)
{
    return (KnownValues){data, u->grad ? &u->grad[step] : NULL, &u->u.of_body[step]};
}

const char *known_value(const KnownValues *k, const Node *n)
{
    const Node *copy = k->copy ? map_get(k->copy, n) : NULL;
    return k->data ? map_get(k->data, copy ? copy : n) : NULL;
}

const char *known_grad(const KnownValues *k, const Node *n)
{
    return k->grad ? map_get(k->grad, n) : NULL;
}

/* ---- a scan ---- */

/* Where an edge of that kind begins. */
static End plainly(End e, SceneEdgeKind kind)
{
    return (End){.node = e.node, .box = e.box, .kind = kind};
}

typedef struct {
    Builder *b;
    Frame *f; /* around the scan */
    Node *scan;
    const SceneUnroll *su;
    ScanShape s;
    int box;
    End *states; /* what the next step starts from; node and box 0: a constant */
    End *traces; /* by step and trace */
} Unrolling;

static const char *pill_value(Unrolling *u, Node *operand)
{
    return operand && label_folds(operand) ? label_node(u->b, operand) : NULL;
}

/* A node of the step's own for parameter p. */
static End pill(Unrolling *u, Frame *in, int p, Node *operand, SceneRole role)
{
    Graph *g = u->s.body;
    SceneNode n = {.op = "param",
                   .label = param_name(u->b, g, p),
                   .detail = label_type(u->b, g->params[p]),
                   .value = pill_value(u, operand),
                   .cls = CLS_INPUT,
                   .role = role,
                   .box = in->box};
    frame_value(in, g->param_nodes[p], &n);
    return (End){.node = scene_node(u->b->scene, &n)};
}

/* Where parameter p of a step begins. */
static End enter_step(Unrolling *u, Frame *in, int p, int step)
{
    Entry from = entry_of(u->scan, 0, p);
    bool drawn = operand_is_drawn(from.operand);
    if (from.role == ROLE_STATE && (u->states[p].node || u->states[p].box))
        return u->states[p];
    if (from.role == ROLE_CAPTURE && drawn)
        return plainly(frame_end(u->b, u->f, from.operand), EDGE_CAPTURE);
    End own = pill(u, in, p, from.operand, from.role);
    if (from.role == ROLE_SEQUENCE && drawn)
        draw_edge(u->b, frame_end(u->b, u->f, from.operand), own, from.operand,
                  u->s.reverse ? label_text(u->b, "row n-%d", step + 1)
                               : label_text(u->b, "row %d", step),
                  EDGE_SEQUENCE, MARK_NONE);
    return own;
}

static void put_step(Unrolling *u, int step)
{
    const ScanShape *s = &u->s;
    Builder *b = u->b;
    SceneBox box = {.kind = BOX_STEP,
                    .title = label_text(b, "step %d", step),
                    .parent = u->box,
                    .subtitle = s->reverse ? label_text(b, "row n-%d", step + 1) : NULL};
    Frame in = {.box = scene_box(b->scene, &box),
                .known = known_in_step(u->su, step, b->options->data)};
    for (int p = 0; p < s->body->nparams; p++)
        frame_set_end(b, &in, s->body->param_nodes[p], enter_step(u, &in, p, step));
    const Graph *outer = b->graph, *around = b->num->within;
    b->graph = b->num->within = s->body; /* names and numbers are those of the body */
    frame_draw(b, &in, s->body->nouts, s->body->outs);
    b->graph = outer;
    b->num->within = around;
    for (int i = 0; i < s->nstates; i++)
        u->states[i] = plainly(frame_end(b, &in, s->body->outs[i]), EDGE_STATE);
    for (int i = 0; i < s->nouts; i++)
        u->traces[step * s->nouts + i] =
            plainly(frame_end(b, &in, s->body->outs[s->nstates + i]), EDGE_DATA);
    if (s->stop)
        draw_edge(b, frame_end(b, &in, s->body->outs[s->body->nouts - 1]), (End){.box = in.box},
                  NULL, "until", EDGE_UNTIL, MARK_NONE);
    map_free(&in.ends);
    map_free(&in.results);
}

/* One closed box for the steps that are not drawn: everything goes into it, the results come out.
 */
static End put_rest(Unrolling *u)
{
    const ScanShape *s = &u->s;
    Builder *b = u->b;
    const char *title = u->su->rest < 0 ? "the steps after these"
                        : u->su->rest == 1
                            ? "1 more step"
                            : label_text(b, "%lld more steps", (long long)u->su->rest);
    SceneBox box = {.kind = BOX_SCAN, .title = title, .parent = u->box, .closed = true};
    End rest = {.box = scene_box(b->scene, &box)};
    for (int p = 0; p < s->body->nparams; p++) {
        Entry from = entry_of(u->scan, 0, p);
        if (from.role == ROLE_STATE && (u->states[p].node || u->states[p].box))
            draw_edge(b, u->states[p], rest, NULL, param_name(b, s->body, p), EDGE_STATE,
                      MARK_NONE);
        else if (from.role != ROLE_STATE && operand_is_drawn(from.operand))
            draw_edge(b, frame_end(b, u->f, from.operand), rest, from.operand, NULL, from.kind,
                      MARK_NONE);
    }
    return rest;
}

/* The rows of trace i, from every step. */
static End put_trace(Unrolling *u, int i, const End *rest)
{
    Builder *b = u->b;
    Node *whole = node_proj(b->st, u->scan, u->s.nstates + i);
    if (!map_has(&b->used, whole))
        return (End){.box = u->box, .tail = "trace"};
    SceneNode n = {.op = "trace",
                   .label = "rows",
                   .detail = label_type_of(b, whole),
                   .tooltip = "what every step gives, one row each",
                   .cls = CLS_STRUCTURAL,
                   .box = u->box};
    frame_value(u->f, whole, &n);
    End to = {.node = scene_node(b->scene, &n)};
    for (int k = 0; k < u->su->u.k; k++)
        draw_edge(b, u->traces[k * u->s.nouts + i], to, NULL, label_text(b, "%d", k), EDGE_DATA,
                  MARK_NONE);
    if (rest)
        draw_edge(b, *rest, to, NULL, "the others", EDGE_DATA, MARK_NONE);
    return to;
}

static void put_results(Unrolling *u, const End *rest)
{
    const ScanShape *s = &u->s;
    Results *r = results_new(u->b, u->f, u->scan, s->nresults);
    for (int i = 0; i < s->nstates; i++) {
        r->at[i] = rest ? *rest : u->states[i];
        if (!r->at[i].node && !r->at[i].box)
            r->at[i].box = u->box; /* no step at all: the init, a constant */
        r->at[i].kind = EDGE_STATE;
        r->at[i].tail = "final";
    }
    for (int i = 0; i < s->nouts; i++)
        r->at[s->nstates + i] = put_trace(u, i, rest);
    for (int k = s->steps; k < s->nresults; k++)
        r->at[k] = (End){.box = u->box, .tail = exit_of(u->scan, k).word};
}

void unrolled_draw(Builder *b, Frame *f, Node *scan, const SceneUnroll *su)
{
    int k = su->u.k;
    Unrolling u = {.b = b, .f = f, .scan = scan, .su = su, .s = scan_shape(scan)};
    const char *how =
        su->rest == 0  ? label_text(b, "unrolled: all %d steps", k)
        : su->rest > 0 ? label_text(b, "unrolled: %d of %lld steps", k, (long long)(k + su->rest))
                       : label_text(b, "unrolled: the first %d steps", k);
    SceneBox box = {.kind = BOX_SCAN,
                    .title = label_loop(b, scan),
                    .subtitle = how,
                    .tooltip = label_source(b, scan),
                    .parent = f->box,
                    .owner_id = (i64)number_of(b->num, scan)};
    u.box = scene_box(b->scene, &box);
    u.states = xcalloc((size_t)u.s.nstates + 1, sizeof *u.states);
    u.traces = xcalloc((size_t)(k * u.s.nouts) + 1, sizeof *u.traces);
    for (int i = 0; i < u.s.nstates; i++)
        if (operand_is_drawn(u.s.inits[i])) {
            u.states[i] = frame_end(b, f, u.s.inits[i]);
            u.states[i].kind = EDGE_STATE;
        }
    for (int i = 0; i < k; i++)
        put_step(&u, i);
    End rest = {0};
    if (su->rest != 0)
        rest = put_rest(&u);
    put_results(&u, su->rest != 0 ? &rest : NULL);
    free(u.states);
    free(u.traces);
}
