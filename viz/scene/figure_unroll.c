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
    ScanShape s;
    ScanRoles roles;
    const SceneUnroll *su; /* or NULL */
    int k;
    i64 n, rest; /* of all steps, and of those that are not drawn; -1: not known */
    bool *drawn; /* states */
    Inner frame;
    int *states; /* the node that each one leaves at last */
    int *traces; /* by step and trace */
    int *rows; /* by sequence: where it comes in at the frame, if it is computed; 0: by its name */
    int *ends; /* by trace: in the box of the steps that are not drawn */
    Symbol letter;
} Row;

/* ---- what is drawn ---- */

static Symbol letter_of(Row *r)
{
    const Symbol *names = r->roles.names;
    for (int i = 0; names && i < r->s.nstates + r->s.nseqs; i++)
        if (names[i] && name_has_index(r->f->st, names[i]))
            return name_data(r->f->st, names[i]).letter;
    return symbol(r->f->st, "t");
}

/* How many steps there are, and of these are drawn. */
static void count_steps(Row *r, Node *scan)
{
    i64 n = -1;
    r->su = r->f->options->unrolled ? map_get(r->f->options->unrolled, scan) : NULL;
    if (r->su)
        n = r->su->rest < 0 ? -1 : r->su->u.k + r->su->rest;
    else if (!node_const_i64(r->s.n, &n) || n == SCAN_UNBOUNDED || r->s.stop)
        n = -1;
    i64 k = r->f->options->unroll < MOST_CELLS ? r->f->options->unroll : MOST_CELLS;
    r->k = (int)(n >= 0 && n < k ? n : r->su && r->su->u.k < k ? r->su->u.k : k);
    r->n = n;
    r->rest = n < 0 ? -1 : n - r->k;
}

static i64 row_of(const Row *r, int step) { return r->s.reverse ? r->n - 1 - step : step; }

/* ---- the frame around all ---- */

static void enter_states(Row *r)
{
    r->frame.in.step = true; /* the first one, as to names */
    for (int i = 0; i < r->s.nstates; i++) {
        if (!r->drawn[i])
            continue;
        r->states[i] = inner_port(&r->frame, ROLE_PARAM, i, NULL);
        inner_feed(&r->frame, i, r->s.inits[i], r->states[i], EDGE_STATE);
    }
    r->frame.in.step = false;
}

/* Is row t of it t? */
static bool counts(Node *seq) { return figure_core(seq)->op == OP_IOTA; }

static bool is_named(Row *r, Node *seq, int param)
{
    return counts(seq) || seq->op == OP_SLICE || scan_is_told_by_name(&r->frame, seq, param) ||
           (figure_is_leaf(seq) && !map_has(&r->l->wire, level_core(r->l, seq)));
}

/* What is computed comes in by one line for all steps. */
static void enter_rows(Row *r)
{
    for (int i = 0; i < r->s.nseqs; i++) {
        int p = r->s.nstates + i;
        Node *seq = r->s.seqs[i];
        bool read = map_has(&r->frame.in.uses, r->s.body->param_nodes[p]);
        int from = !read || map_has(&r->l->rung, seq) || is_named(r, seq, p)
                       ? 0
                       : level_value(r->f, r->l, seq);
        if (!from)
            continue;
        const Phrase *text = inner_operand_text(&r->frame, seq);
        r->rows[i] = figure_end(r->f, r->frame.in.box, ROLE_SEQUENCE, text);
        figure_edge(r->f, from, r->rows[i], EDGE_SEQUENCE);
    }
}

/* ---- a step ---- */

static void step_captures(Row *r, Level *in)
{
    for (int i = r->s.nstates + r->s.nseqs; i < r->s.body->nparams; i++) {
        Node *p = r->s.body->param_nodes[i];
        const Phrase *whole = map_get(&r->frame.in.whole, p);
        map_put(&in->text, p, map_get(&r->frame.in.text, p));
        if (whole)
            map_put(&in->whole, p, whole);
        if (map_has(&r->frame.in.zero, p))
            set_add(&in->zero, p);
    }
}

static void step_states(Row *r, Inner *st)
{
    for (int i = 0; i < r->s.nstates; i++) {
        if (!r->drawn[i])
            continue;
        int at = figure_end(r->f, st->in.box, ROLE_STATE, figure_text(r->f, "%s", ""));
        map_put(&st->in.wire, r->s.body->param_nodes[i], at);
        inner_call_param(st, i, NULL);
        figure_edge(r->f, r->states[i], at, EDGE_STATE);
    }
}

static void step_rows(Row *r, Inner *st)
{
    for (int i = 0; i < r->s.nseqs; i++) {
        int p = r->s.nstates + i;
        Node *seq = r->s.seqs[i], *param = r->s.body->param_nodes[p];
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

/* What state i is called behind the step. */
static const Phrase *next_name(Row *r, Level *in, int i)
{
    Symbol name = r->roles.names ? r->roles.names[i] : NULL;
    Symbol next = name ? name_shifted(r->f->st, name, r->s.reverse ? -1 : 1) : NULL;
    next = level_in_step(r->f, in, next);
    return next ? figure_name(r->f, next) : figure_text(r->f, "state %d", i);
}

/* What trace t is called in the step. */
static const Phrase *trace_name(Row *r, Inner *st, int t)
{
    Symbol name = level_in_step(r->f, &st->in, r->roles.outs ? r->roles.outs[t] : NULL);
    const Phrase *inside =
        name ? NULL : level_text(r->f, &st->in, r->s.body->outs[r->s.nstates + t]);
    return name     ? figure_name(r->f, name)
           : inside ? inside
                    : figure_text(r->f, "result %d[%lld]", t, (long long)st->in.row);
}

static bool is_read(Row *r, const Node *result)
{
    return result && (i64)map_get(&r->l->uses, (Node *)result) > map_has(&r->l->root, result);
}

/* The result of the loop that trace t is, if something is drawn of it, or NULL. */
static Node *result_of(Row *r, int t)
{
    NodeVec results = {0};
    Node *found = NULL;
    level_results(r->l, r->frame.owner, &results);
    for (size_t i = 0; i < results.len; i++)
        if (results.at[i]->attrs[0].i == r->s.nstates + t && !map_has(&r->l->rung, results.at[i]))
            found = results.at[i];
    vec_free(&results);
    return found;
}

static void step_leaves(Row *r, Inner *st, int step)
{
    for (int i = 0; i < r->s.nstates; i++)
        if (r->drawn[i])
            r->states[i] =
                inner_leave(st, r->s.body->outs[i], next_name(r, &st->in, i), EDGE_STATE);
    for (int t = 0; t < r->s.nouts; t++) {
        int *at = &r->traces[step * r->s.nouts + t];
        Node *out = r->s.body->outs[r->s.nstates + t];
        if (!result_of(r, t))
            continue;
        for (int i = 0; i < r->s.nstates && !*at; i++)
            *at = r->drawn[i] && r->s.body->outs[i] == out ? r->states[i] : 0;
        if (!*at)
            *at = inner_leave(st, out, trace_name(r, st, t), EDGE_DATA);
    }
}

/* A step that is not drawn in the outer level, but in the box of the loop. */
static Inner step_begin(Row *r, int step)
{
    Inner st =
        inner_begin(r->f, &r->frame.in, r->frame.owner, r->s.body, &(SceneBox){.kind = BOX_STEP});
    scene_box_at(r->f->scene, st.in.box)->lit = false;
    st.outer = r->l;
    st.in.step = true;
    st.in.letter = r->letter;
    st.in.row = row_of(r, step);
    st.in.copy = r->su && step < r->su->u.k ? &r->su->u.of_body[step] : NULL;
    st.in.grad = r->su && r->su->grad && step < r->su->u.k ? &r->su->grad[step] : NULL;
    return st;
}

static void put_step(Row *r, const NodeVec *roots, int step)
{
    Inner st = step_begin(r, step);
    level_open(&st.in, r->f, (int)roots->len, roots->at);
    step_captures(r, &st.in);
    step_states(r, &st);
    step_rows(r, &st);
    for (int i = 0; i < r->s.nstates && st.in.foreign; i++)
        map_put(&st.in.next, r->s.body->outs[i], next_name(r, &st.in, i));
    level_draw(r->f, &st.in, (int)roots->len, roots->at);
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
    int box = scene_box(f->scene, &(SceneBox){.kind = BOX_STEP, .parent = r->frame.in.box});
    figure_set_title(f, box, title);
    static const Phrase dots = {.text = "\u22EF"};
    for (int i = 0; i < r->s.nstates; i++) {
        if (!r->drawn[i])
            continue;
        int in = figure_end(f, box, ROLE_STATE, figure_text(f, "%s", "")),
            at = figure_equation(f, box, NULL, &dots),
            out = figure_end(f, box, ROLE_OUTPUT, figure_text(f, "%s", ""));
        figure_edge(f, r->states[i], in, EDGE_STATE);
        figure_edge(f, in, at, EDGE_DATA);
        figure_edge(f, at, out, EDGE_STATE);
        r->states[i] = out;
    }
    for (int t = 0; t < r->s.nouts; t++) {
        Node *result = result_of(r, t);
        for (int i = 0; i < r->s.nstates && result && !r->ends[t]; i++)
            if (r->drawn[i] && r->s.body->outs[i] == r->s.body->outs[r->s.nstates + t])
                r->ends[t] = r->states[i];
        if (r->ends[t] || !is_read(r, result))
            continue;
        r->ends[t] = figure_end(f, box, ROLE_OUTPUT, figure_text(f, "%s", ""));
        figure_edge(f, figure_equation(f, box, NULL, &dots), r->ends[t], EDGE_DATA);
    }
    for (int i = 0; i < r->s.nseqs; i++)
        if (r->rows[i])
            scene_edge(f->scene, &(SceneEdge){.from = r->rows[i], .to_box = box});
}

/* ---- results ---- */

static const Phrase *base_name(Row *r, Symbol name, const char *word, int i)
{
    Symbol base = name ? name_base(r->f->st, name) : NULL;
    return base ? figure_operand_name(r->f, base) : figure_text(r->f, "%s %d", word, i);
}

/* The final state leaves the frame. */
static void leave_state(Row *r, Node *result, int i)
{
    Symbol name = r->roles.names ? r->roles.names[i] : NULL;
    const Phrase *text = base_name(r, name, "state", i);
    bool sum = name && name_data(r->f->st, name_base(r->f->st, name)).kind == NAME_GATHERED;
    text = sum || r->s.reverse ? text : figure_say(r->f, "final\u00A0@", text);
    int end = figure_end(r->f, r->frame.in.box, ROLE_OUTPUT, text);
    figure_edge(r->f, r->states[i], end, EDGE_STATE);
    level_name_result(r->l, result, text, end);
}

/* "[h[0], h[1], ..]": the rows put together, for those who read them all. */
static void leave_rows(Row *r, Node *result, int t)
{
    Fig *f = r->f;
    const Phrase *name = base_name(r, r->roles.outs ? r->roles.outs[t] : NULL, "result", t);
    const Phrase *rows = figure_text(f, "[");
    for (int k = 0; k < r->k; k++) {
        const SceneNode *from = scene_node_at(f->scene, r->traces[k * r->s.nouts + t]);
        rows = k ? figure_say(f, "@, @", rows, &from->words) : figure_say(f, "[@", &from->words);
    }
    rows = figure_say(f, !r->rest ? "@]" : r->k ? "@, \u22EF]" : "@\u22EF]", rows);
    int at = figure_equation(f, r->frame.in.box, name, rows);
    for (int k = 0; k < r->k; k++)
        figure_edge(f, r->traces[k * r->s.nouts + t], at, EDGE_DATA);
    if (r->ends[t])
        figure_edge(f, r->ends[t], at, EDGE_DATA);
    int end = figure_end(f, r->frame.in.box, ROLE_OUTPUT, name);
    figure_edge(f, at, end, EDGE_DATA);
    level_name_result(r->l, result, name, end);
}

static void leave_all(Row *r)
{
    NodeVec results = {0};
    level_results(r->l, r->frame.owner, &results);
    for (size_t i = 0; i < results.len; i++) {
        Node *result = results.at[i];
        int k = (int)result->attrs[0].i, t = k - r->s.nstates;
        if (map_has(&r->l->rung, result))
            continue;
        if (k >= r->s.steps)
            map_put(&r->l->text, result, figure_text(r->f, k == r->s.steps ? "steps" : "stopped"));
        else if (t < 0)
            leave_state(r, result, k);
        else if (is_read(r, result) || !r->k)
            leave_rows(r, result, t);
        else
            map_put(&r->l->stands, result, r->traces[t]);
    }
    vec_free(&results);
}

/* ---- all ---- */

static void put_title(Row *r)
{
    Pretty head = {0};
    scan_put_head(&r->frame, &r->s, &head);
    if (r->rest > 0)
        pretty_phrase(&head, figure_text(r->f, ": %d of %lld steps", r->k, (long long)r->n));
    else if (r->rest < 0)
        pretty_phrase(&head,
                      figure_text(r->f, ": the first %d step%s", r->k, r->k == 1 ? "" : "s"));
    figure_set_title(r->f, r->frame.in.box, figure_keep(r->f, &head));
}

static void put_row(Row *r)
{
    NodeVec roots = {0};
    figure_scan_roots(&r->frame, &r->s, &r->roles, &roots, r->drawn);
    for (int i = 0; i < r->s.nstates; i++)
        r->drawn[i] = r->drawn[scan_rail_of(&r->roles, i)];
    level_open(&r->frame.in, r->f, (int)roots.len, roots.at);
    enter_states(r);
    enter_rows(r);
    for (int i = 0; i < r->s.ncaptures; i++)
        inner_capture(&r->frame, r->s.nstates + r->s.nseqs + i, r->s.captures[i]);
    put_title(r);
    for (int step = 0; step < r->k; step++)
        put_step(r, &roots, step);
    if (r->rest)
        put_rest(r);
    leave_all(r);
    scan_draw_rungs(&r->frame, &r->s);
    vec_free(&roots);
}

bool figure_unrolled(Fig *f, Level *l, Node *n)
{
    Row r = {.f = f, .l = l, .s = scan_shape(n), .roles = scan_roles(f->st, n)};
    count_steps(&r, n);
    if (l->graph || f->folded == FIGURE_FOLDS || !r.k || (r.s.reverse && r.n < 0))
        return false;
    SceneBoxKind kind = r.s.reverse ? BOX_ADJOINT : BOX_SCAN;
    r.letter = letter_of(&r);
    r.drawn = xcalloc((size_t)r.s.nstates + 1, sizeof *r.drawn);
    r.states = xcalloc((size_t)r.s.nstates + 1, sizeof *r.states);
    r.traces = xcalloc((size_t)(r.k * r.s.nouts) + 1, sizeof *r.traces);
    r.rows = xcalloc((size_t)r.s.nseqs + 1, sizeof *r.rows);
    r.ends = xcalloc((size_t)r.s.nouts + 1, sizeof *r.ends);
    r.frame = inner_begin(f, l, n, r.s.body, &(SceneBox){.kind = kind});
    r.frame.in.letter = r.letter;
    r.frame.in.row = row_of(&r, 0);
    map_put(&l->wire, n, r.frame.in.box);
    put_row(&r);
    inner_end(&r.frame);
    free(r.drawn);
    free(r.states);
    free(r.traces);
    free(r.rows);
    free(r.ends);
    return true;
}
