/* A loop of a figure as a row of its steps: what a step leaves enters the next one, rows come in
 * from below, and what each step gives leaves above it.
 *
 * Invariant: a name with the loop's index has the number of the step in its place, so each name is
 * one value; the steps that are not drawn are one box, through which the states pass. */
#include "graph/name.h"
#include "viz/scene/figure_parts.h"

enum { MOST_CELLS = 64 };

typedef struct {
    Fig *f;
    Level *l; /* around the loop */
    ScanFigure of;
    Inner *frame; /* of it */
    const ScanShape *s;
    const SceneUnroll *su; /* or NULL */
    int k;
    i64 n, rest; /* of all steps, and of those that are not drawn; -1: not known */
    int *states; /* the node that each one leaves at last */
    int *traces; /* by step and trace */
    int *rows; /* by sequence: where it comes in at the frame, if it is computed; 0: by its name */
    int *ends; /* by trace: in the box of the steps that are not drawn */
} Row;

/* ---- what is drawn ---- */

static Symbol letter_of(Row *r)
{
    const Symbol *names = r->of.roles.names;
    for (int i = 0; names && i < r->s->nstates + r->s->nseqs; i++)
        if (names[i] && name_has_index(r->f->st, names[i]))
            return name_data(r->f->st, names[i]).letter;
    return symbol(r->f->st, "t");
}

/* How many steps there are, and of these are drawn. */
static void count_steps(Row *r, Node *scan, const ScanShape *s)
{
    i64 n = -1;
    r->su = r->f->options->unrolled ? map_get(r->f->options->unrolled, scan) : NULL;
    if (r->su)
        n = r->su->rest < 0 ? -1 : r->su->u.k + r->su->rest;
    else if (!node_const_i64(s->n, &n) || n == SCAN_UNBOUNDED || s->stop)
        n = -1;
    i64 k = r->f->options->unroll < MOST_CELLS ? r->f->options->unroll : MOST_CELLS;
    r->k = (int)(n >= 0 && n < k ? n : r->su && r->su->u.k < k ? r->su->u.k : k);
    r->n = n;
    r->rest = n < 0 ? -1 : n - r->k;
}

/* A row of a state is drawn with that, each in a place of its own. */
static bool is_drawn(const Row *r, int i) { return r->of.drawn[scan_rail_of(&r->of, i)]; }

static i64 row_of(const Row *r, int step) { return r->s->reverse ? r->n - 1 - step : step; }

/* ---- the frame around all ---- */

static void enter_states(Row *r)
{
    r->frame->in.step = true; /* the first one, as to names */
    for (int i = 0; i < r->s->nstates; i++) {
        if (!is_drawn(r, i))
            continue;
        r->states[i] = inner_port(r->frame, ROLE_PARAM, i, NULL);
        inner_feed(r->frame, i, r->s->inits[i], r->states[i], EDGE_STATE);
    }
    r->frame->in.step = false;
}

/* Is row t of it t? */
static bool counts(Node *seq) { return figure_core(seq)->op == OP_IOTA; }

/* What is computed comes in by one line for all steps. */
static void enter_rows(Row *r)
{
    for (int i = 0; i < r->s->nseqs; i++) {
        int p = r->s->nstates + i;
        Node *seq = r->s->seqs[i];
        bool read = map_has(&r->frame->in.uses, r->s->body->param_nodes[p]);
        int from =
            !read || map_has(&r->l->rung, seq) || counts(seq) || scan_names_sequence(&r->of, i)
                ? 0
                : level_value(r->f, r->l, seq);
        if (!from)
            continue;
        const Phrase *text = inner_operand_text(r->frame, seq);
        r->rows[i] = figure_end(r->f, r->frame->in.box, ROLE_SEQUENCE, text);
        figure_edge(r->f, from, r->rows[i], EDGE_SEQUENCE);
    }
}

/* ---- a step ---- */

static void step_captures(Row *r, Level *in)
{
    for (int i = r->s->nstates + r->s->nseqs; i < r->s->body->nparams; i++) {
        Node *p = r->s->body->param_nodes[i];
        const Phrase *whole = map_get(&r->frame->in.whole, p);
        map_put(&in->text, p, map_get(&r->frame->in.text, p));
        if (whole)
            map_put(&in->whole, p, whole);
        if (map_has(&r->frame->in.zero, p))
            set_add(&in->zero, p);
    }
}

/* Where a state passes that its line tells. */
static int blank_end(Row *r, int box, SceneRole role)
{
    return figure_end(r->f, box, role, &(Phrase){.text = ""});
}

static void step_states(Row *r, Inner *st)
{
    for (int i = 0; i < r->s->nstates; i++) {
        if (!is_drawn(r, i))
            continue;
        int at = blank_end(r, st->in.box, ROLE_STATE);
        map_put(&st->in.wire, r->s->body->param_nodes[i], at);
        inner_call_param(st, i, NULL);
        figure_edge(r->f, r->states[i], at, EDGE_STATE);
    }
}

static void step_rows(Row *r, Inner *st)
{
    for (int i = 0; i < r->s->nseqs; i++) {
        int p = r->s->nstates + i;
        Node *seq = r->s->seqs[i], *param = r->s->body->param_nodes[p];
        bool named = st->names && st->names[p];
        if (counts(seq)) {
            map_put(&st->in.text, param, figure_text(r->f, "%lld", (long long)st->in.row));
            continue;
        }
        if (!map_has(&st->in.uses, param) || map_has(&r->l->rung, seq)) {
            inner_call_param(st, p, seq);
        } else {
            int at = inner_port(st, ROLE_SEQUENCE, p, seq);
            if (r->rows[i])
                figure_edge(r->f, r->rows[i], at, EDGE_SEQUENCE);
        }
        if (!named)
            map_put(&st->in.text, param,
                    figure_say(r->f, "@@", map_get(&st->in.text, param),
                               figure_text(r->f, "[%lld]", (long long)st->in.row)));
    }
}

static bool is_read(Row *r, const Node *result)
{
    return result && (i64)map_get(&r->l->uses, (Node *)result) > map_has(&r->l->root, result);
}

/* The node that a state leaves at which is trace t, too; 0: none is. */
static int state_of_trace(const Row *r, int t)
{
    Node *const *outs = r->s->body->outs;
    for (int i = 0; i < r->s->nstates; i++)
        if (is_drawn(r, i) && outs[i] == outs[r->s->nstates + t])
            return r->states[i];
    return 0;
}

static void step_leaves(Row *r, Inner *st, int step)
{
    for (int i = 0; i < r->s->nstates; i++)
        if (is_drawn(r, i))
            r->states[i] =
                inner_leave(st, r->s->body->outs[i], scan_next_name(&r->of, st, i), EDGE_STATE);
    for (int t = 0; t < r->s->nouts; t++) {
        int *at = &r->traces[step * r->s->nouts + t];
        if (!scan_result(&r->of, r->s->nstates + t))
            continue;
        *at = state_of_trace(r, t);
        if (!*at)
            *at = inner_leave(st, r->s->body->outs[r->s->nstates + t],
                              scan_trace_name(&r->of, st, t), EDGE_DATA);
    }
}

/* A step that is not drawn in the outer level, but in the box of the loop. */
static Inner step_begin(Row *r, int step)
{
    Inner st = inner_begin(r->f, &r->frame->in, r->frame->owner, r->s->body,
                           &(SceneBox){.kind = BOX_STEP});
    scene_box_at(r->f->scene, st.in.box)->lit = false;
    st.outer = r->l;
    st.in.step = true;
    st.in.letter = r->frame->in.letter;
    st.in.row = row_of(r, step);
    if (r->su)
        st.in.known = known_in_step(r->su, step, r->f->options->data);
    return st;
}

static void put_step(Row *r, int step)
{
    const NodeVec *roots = &r->of.roots;
    Inner st = step_begin(r, step);
    level_open(&st.in, r->f, (int)roots->len, roots->at);
    step_captures(r, &st.in);
    step_states(r, &st);
    step_rows(r, &st);
    scan_name_next(&r->of, &st);
    level_draw(r->f, &st.in);
    step_leaves(r, &st, step);
    inner_end(&st);
}

/* ---- the steps that are not drawn ---- */

static void put_rest(Row *r)
{
    Fig *f = r->f;
    const Phrase *title = r->rest < 0    ? figure_text(f, "and so on")
                          : r->rest == 1 ? figure_text(f, "1 more step")
                                         : figure_text(f, "%lld more", (long long)r->rest);
    int box = scene_box(f->scene, &(SceneBox){.kind = BOX_STEP, .parent = r->frame->in.box});
    figure_set_title(f, box, title);
    static const Phrase dots = {.text = "\u22EF"};
    for (int i = 0; i < r->s->nstates; i++) {
        if (!is_drawn(r, i))
            continue;
        int in = blank_end(r, box, ROLE_STATE), at = figure_equation(f, box, NULL, &dots),
            out = blank_end(r, box, ROLE_OUTPUT);
        figure_edge(f, r->states[i], in, EDGE_STATE);
        figure_edge(f, in, at, EDGE_DATA);
        figure_edge(f, at, out, EDGE_STATE);
        r->states[i] = out;
    }
    for (int t = 0; t < r->s->nouts; t++) {
        Node *result = scan_result(&r->of, r->s->nstates + t);
        r->ends[t] = result ? state_of_trace(r, t) : 0;
        if (r->ends[t] || !is_read(r, result))
            continue;
        r->ends[t] = blank_end(r, box, ROLE_OUTPUT);
        figure_edge(f, figure_equation(f, box, NULL, &dots), r->ends[t], EDGE_DATA);
    }
    for (int i = 0; i < r->s->nseqs; i++)
        if (r->rows[i])
            scene_edge(f->scene, &(SceneEdge){.from = r->rows[i], .to_box = box});
}

/* ---- results ---- */

/* The final state leaves the frame. */
static void leave_state(Row *r, Node *result, int i)
{
    const Phrase *text = scan_final_name(&r->of, i);
    int end = figure_end(r->f, r->frame->in.box, ROLE_OUTPUT, text);
    figure_edge(r->f, r->states[i], end, EDGE_STATE);
    level_name_result(r->l, result, text, end);
}

/* "[h[0], h[1], ..]": the rows put together, for those who read them all. */
static void leave_rows(Row *r, Node *result, int t)
{
    Fig *f = r->f;
    const Phrase *name = scan_rows_name(&r->of, t), *rows = figure_text(f, "[");
    name = name ? name : figure_text(f, "result %d", t);
    for (int k = 0; k < r->k; k++) {
        const SceneNode *from = scene_node_at(f->scene, r->traces[k * r->s->nouts + t]);
        rows = k ? figure_say(f, "@, @", rows, &from->words) : figure_say(f, "[@", &from->words);
    }
    rows = figure_say(f, !r->rest ? "@]" : r->k ? "@, \u22EF]" : "@\u22EF]", rows);
    int at = figure_equation(f, r->frame->in.box, name, rows);
    for (int k = 0; k < r->k; k++)
        figure_edge(f, r->traces[k * r->s->nouts + t], at, EDGE_DATA);
    if (r->ends[t])
        figure_edge(f, r->ends[t], at, EDGE_DATA);
    int end = figure_end(f, r->frame->in.box, ROLE_OUTPUT, name);
    figure_edge(f, at, end, EDGE_DATA);
    level_name_result(r->l, result, name, end);
}

static void leave_all(Row *r)
{
    for (int k = 0; k < r->s->nresults; k++) {
        Node *result = scan_result(&r->of, k);
        int t = k - r->s->nstates;
        if (!result)
            continue;
        if (t < 0)
            leave_state(r, result, k);
        else if (is_read(r, result) || !r->k)
            leave_rows(r, result, t);
        else
            map_put(&r->l->stands, result, r->traces[t]);
    }
}

/* ---- all ---- */

static void put_title(Row *r)
{
    const Phrase *shown = NULL;
    if (r->rest > 0)
        shown = figure_text(r->f, ": %d of %lld steps", r->k, (long long)r->n);
    else if (r->rest < 0)
        shown = figure_text(r->f, ": the first %d step%s", r->k, r->k == 1 ? "" : "s");
    scan_put_title(&r->of, shown);
}

static void put_row(Row *r)
{
    enter_states(r);
    enter_rows(r);
    for (int i = 0; i < r->s->ncaptures; i++)
        inner_capture(r->frame, r->s->nstates + r->s->nseqs + i, r->s->captures[i]);
    put_title(r);
    for (int step = 0; step < r->k; step++)
        put_step(r, step);
    if (r->rest)
        put_rest(r);
    leave_all(r);
    scan_draw_rungs(&r->of);
}

bool figure_unrolled(Fig *f, Level *l, Node *n)
{
    Row r = {.f = f, .l = l};
    if (n->op != OP_SCAN || l->graph || f->folded == FIGURE_FOLDS)
        return false;
    ScanShape s = scan_shape(n);
    count_steps(&r, n, &s);
    if (!r.k || (s.reverse && r.n < 0))
        return false;
    r.of = scan_begin(f, l, n);
    r.frame = &r.of.in;
    r.s = &r.of.s;
    r.frame->in.letter = letter_of(&r);
    r.frame->in.row = row_of(&r, 0);
    r.states = xcalloc((size_t)s.nstates + 1, sizeof *r.states);
    r.traces = xcalloc((size_t)(r.k * s.nouts) + 1, sizeof *r.traces);
    r.rows = xcalloc((size_t)s.nseqs + 1, sizeof *r.rows);
    r.ends = xcalloc((size_t)s.nouts + 1, sizeof *r.ends);
    put_row(&r);
    scan_end(&r.of);
    free(r.states);
    free(r.traces);
    free(r.rows);
    free(r.ends);
    return true;
}
