/* Loops of figures: recurrences, and the loops that these are lowered to.
 *
 * Invariant: every result of a loop that something reads has a text, and a line unless only loops
 * that run backwards read it. */
#include "viz/scene/figure_parts.h"
#include "graph/name.h"
#include "graph/reads.h"

int scan_rail_of(const ScanFigure *r, int i)
{
    while (i > 0 && r->roles.earlier && r->roles.earlier[i])
        i--;
    return i;
}

static const Phrase *count_text(Fig *f, Level *l, Node *n)
{
    n = n->op == OP_CHECK ? n->ops[1] : n; /* that it is not negative goes without saying */
    return figure_formula(f, l, n, NULL);
}

/* 0, 1, .., which is drawn nowhere else. */
static bool is_counter(const Level *l, Node *seq)
{
    return seq->op == OP_IOTA && !map_has(&l->item, seq) && !map_has(&l->text, seq);
}

/* "for t = 0, …, n − 1" */
static const Phrase *counter_text(ScanFigure *r)
{
    i64 count;
    Inner *in = &r->in;
    const Phrase *t = inner_param_text(in, r->s.nstates, r->s.seqs[0], false);
    Pretty head = {0};
    pretty_words(&head, "for ");
    pretty_phrase(&head, t);
    pretty_put(&head, " = 0, \u2026, "); /* in one line */
    if (node_const_i64(r->s.n, &count)) {
        pretty_printf(&head, "%lld", (long long)count - 1);
    } else {
        pretty_phrase(&head, count_text(in->f, in->outer, r->s.n));
        pretty_put(&head, " \u2212 1");
    }
    return figure_keep(in->f, &head);
}

void scan_put_title(ScanFigure *r, const Phrase *shown)
{
    Inner *in = &r->in;
    const ScanShape *s = &r->s;
    Pretty t = {0};
    i64 k;
    bool rows = s->nseqs && !s->reverse;
    bool counts = rows && s->nseqs == 1 && is_counter(in->outer, s->seqs[0]);
    if (counts)
        pretty_phrase(&t, counter_text(r));
    for (int i = 0; i < s->nseqs && rows && !counts; i++) {
        pretty_words(&t, i ? ", " : "for each ");
        pretty_phrase(&t, inner_param_text(in, s->nstates + i, s->seqs[i], false));
    }
    bool endless = node_const_i64(s->n, &k) && k == SCAN_UNBOUNDED;
    if (!rows && !s->reverse && !endless)
        pretty_phrase(&t, figure_say(in->f, s->stop ? "at most @ steps" : "@ steps",
                                     count_text(in->f, in->outer, s->n)));
    if (s->reverse)
        pretty_words(&t, "backwards");
    if (s->stop) {
        pretty_words(&t, t.text.len ? ", until " : "repeat until ");
        pretty_phrase(&t, figure_formula(in->f, &in->in, s->body->outs[s->body->nouts - 1], NULL));
    }
    if (s->checkpoint == CHECKPOINT_AUTO)
        pretty_words(&t, ", checkpoint auto");
    else if (s->checkpoint)
        pretty_phrase(&t, figure_text(in->f, ", checkpoint %lld", (long long)s->checkpoint));
    if (shown)
        pretty_phrase(&t, shown);
    figure_set_title(in->f, in->in.box, figure_keep(in->f, &t));
}

/* "x W": nothing of it is drawn, and its name says how it is made. */
static bool is_told_by_name(const Inner *in, Node *seq, int param)
{
    Store *st = in->f->st;
    Symbol name = in->names ? in->names[param] : NULL;
    if (!name || name_is_cotangent(st, name) || name_data(st, name).kind == NAME_TANGENT)
        return false;
    return seq->op != OP_PROJ && !map_has(&in->outer->item, seq) &&
           !map_has(&in->outer->deep, seq) && !name_is_word(st, name_base(st, name));
}

bool scan_names_sequence(const ScanFigure *r, int i)
{
    Node *seq = r->s.seqs[i];
    const Level *l = r->in.outer;
    return seq->op == OP_SLICE || is_told_by_name(&r->in, seq, r->s.nstates + i) ||
           (figure_is_leaf(seq) && !map_has(&l->wire, level_core(l, seq)));
}

/* The rows that begin taps, where each is given by itself and told by its text: the oldest first,
 * or what they are rows of. */
static bool feed_taps(ScanFigure *r, int first, int port)
{
    Inner *in = &r->in;
    Node **inits = r->s.inits;
    int last = first;
    bool leaves = true, zero = true, rows = true;
    const Phrase *one = map_get(&in->outer->whole, inits[first]);
    for (; last < r->s.nstates && (last == first || scan_rail_of(r, last) == first); last++) {
        const Phrase *whole = map_get(&in->outer->whole, inits[last]);
        leaves = leaves && figure_is_leaf(inits[last]) &&
                 !map_has(&in->outer->wire, level_core(in->outer, inits[last]));
        zero = zero && inner_is_zero(in, inits[last]);
        rows = rows && one && whole && strcmp(whole->text, one->text) == 0;
    }
    if (!leaves || zero || in->f->folded == FIGURE_FOLDS)
        return zero;
    if (!rows) {
        one = figure_say(in->f, "[@", inner_operand_text(in, inits[last - 1]));
        for (int i = last - 1; i-- > first;)
            one = figure_say(in->f, "@, @", one, inner_operand_text(in, inits[i]));
        one = figure_say(in->f, "@]", one);
    }
    figure_edge(in->f, figure_end(in->f, in->outer->box, ROLE_INPUT, one), port, EDGE_STATE);
    return true;
}

/* The place of its declaration among others: an input is made when it is declared. What is none
 * comes last. */
static u32 declared_at(const ScanFigure *r, int i)
{
    const Node *n = figure_core(r->s.captures[i]);
    return is_source(n) && !r->lowered ? n->id : UINT32_MAX;
}

/* In the order in which they were declared. */
static void enter_captures(ScanFigure *r)
{
    VEC(int) order = {0};
    for (int i = 0; i < r->s.ncaptures; i++) {
        size_t at = order.len;
        vec_push(&order, i);
        for (; at && declared_at(r, order.at[at - 1]) > declared_at(r, i); at--)
            order.at[at] = order.at[at - 1];
        order.at[at] = i;
    }
    for (size_t i = 0; i < order.len; i++)
        inner_capture(&r->in, r->s.nstates + r->s.nseqs + order.at[i], r->s.captures[order.at[i]]);
    vec_free(&order);
}

static void enter_state(ScanFigure *r, int i, int *ports)
{
    Inner *in = &r->in;
    int rail = scan_rail_of(r, i);
    bool tapped = i + 1 < r->s.nstates && scan_rail_of(r, i + 1) == i;
    Node *init = r->s.inits[i];
    if (!r->drawn[rail])
        return;
    if (rail != i) {
        inner_call_param(in, i, NULL);
        map_put(&in->in.wire, r->s.body->param_nodes[i], ports[rail]);
        return;
    }
    ports[i] = inner_port(in, ROLE_STATE, i, NULL);
    if (tapped && init->op == OP_INDEX) /* its rows begin all the taps */
        inner_feed(in, i, init->ops[0], ports[i], EDGE_STATE);
    else if (!tapped || !feed_taps(r, i, ports[i]))
        inner_feed(in, i, init, ports[i], EDGE_STATE);
}

static void enter_sequence(ScanFigure *r, int i)
{
    Inner *in = &r->in;
    int k = r->s.nstates + i;
    Node *seq = r->s.seqs[i];
    if (is_counter(in->outer, seq) || !map_has(&in->in.uses, r->s.body->param_nodes[k])) {
        inner_call_param(in, k, seq); /* only the title may tell it */
        return;
    }
    bool known = map_has(&in->outer->rung, seq);
    int from = known || scan_names_sequence(r, i) ? 0 : level_value(in->f, in->outer, seq);
    if (from)
        inner_tell(in, k, seq, "of");
    if (known || (from && r->s.reverse && !in->outer->graph)) {
        inner_call_param(in, k, seq);
        if (!known)
            scene_edge(in->f->scene, &(SceneEdge){.from = from,
                                                  .to_box = in->in.box,
                                                  .words = *inner_param_text(in, k, seq, false),
                                                  .kind = EDGE_SEQUENCE});
        return;
    }
    int at = inner_port(in, ROLE_SEQUENCE, k, seq);
    if (from)
        figure_edge(in->f, from, at, EDGE_SEQUENCE);
}

static void enter_all(ScanFigure *r, int *ports)
{
    for (int i = 0; i < r->s.nstates; i++)
        enter_state(r, i, ports);
    for (int i = 0; i < r->s.nseqs; i++)
        enter_sequence(r, i);
    enter_captures(r);
}

void scan_draw_rungs(ScanFigure *r)
{
    Inner *in = &r->in;
    const ScanShape *s = &r->s;
    VEC(const Phrase *) told = {0};
    const Symbol *names = in->names;
    for (int i = 0; i < s->nseqs; i++) {
        NodeVec traces = {0};
        if (map_has(&in->outer->rung, s->seqs[i]))
            figure_rung_traces(in->outer, s->seqs[i], &traces);
        Symbol name = names ? names[s->nstates + i] : NULL;
        for (size_t k = 0; k < traces.len; k++) {
            Symbol rung = name && traces.len == 1              ? figure_rung_base(in->f, name)
                          : name && traces.at[k] == s->seqs[i] ? name
                                                               : NULL;
            const Phrase *base =
                rung ? figure_name(in->f, rung) : inner_operand_text(in, traces.at[k]);
            int from = map_get(&in->outer->wire, traces.at[k]->ops[0]);
            bool known = false;
            for (size_t j = 0; j < told.len; j++)
                known = known || strcmp(told.at[j]->text, base->text) == 0;
            if (known || !from)
                continue;
            vec_push(&told, base);
            scene_edge(in->f->scene, &(SceneEdge){.from_box = from,
                                                  .to_box = in->in.box,
                                                  .words = *base,
                                                  .kind = EDGE_SEQUENCE});
        }
        vec_free(&traces);
    }
    vec_free(&told);
}

/* Does one of the nodes of the body read a row of that state? */
static bool is_read(const ScanFigure *r, const NodeVec *by, int state)
{
    const GraphReads *reads = graph_reads(r->s.body);
    int end = state + 1;
    bool read = false;
    while (end < r->s.nstates && scan_rail_of(r, end) == state)
        end++;
    for (size_t i = 0; i < by->len && !read; i++)
        read = reads_among(reads, by->at[i], state, end);
    return read;
}

/* States that what is drawn needs. `needed`: what that is so far, to which next values are added.
 */
static void find_states(ScanFigure *r, NodeVec *needed)
{
    Node *const *outs = r->s.body->outs;
    for (int i = 0; i < r->s.nstates; i++)
        if (r->drawn[i])
            vec_push(needed, outs[i]);
    if (r->s.stop)
        vec_push(needed, outs[r->s.body->nouts - 1]);
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < r->s.nstates; i++)
            if (!r->drawn[i] && scan_rail_of(r, i) == i && is_read(r, needed, i)) {
                r->drawn[i] = more = true;
                vec_push(needed, outs[i]);
            }
    }
}

/* States, and traces that more than rungs read; of a loop that runs, all. */
static void find_roots(ScanFigure *r)
{
    NodeVec traces = {0}, needed = {0};
    const Level *outer = r->in.outer;
    Node *const *outs = r->s.body->outs;
    for (int k = 0; k < r->s.steps; k++) {
        const Node *result = level_result(outer, r->in.owner, k);
        bool state = k < r->s.nstates, told = result && !map_has(&outer->rung, result);
        if (state && (result || r->lowered))
            r->drawn[scan_rail_of(r, k)] = true;
        if (!state && (result || r->lowered)) /* rungs start from it, too */
            vec_push(&needed, outs[k]);
        if (!state && (told || r->lowered))
            vec_push(&traces, outs[k]);
    }
    find_states(r, &needed);
    for (int i = 0; i < r->s.nstates; i++)
        if (r->drawn[i])
            vec_push(&r->roots, outs[i]);
    for (size_t i = 0; i < traces.len; i++)
        vec_push(&r->roots, traces.at[i]);
    vec_free(&traces);
    vec_free(&needed);
}

/* ---- names ---- */

const Phrase *scan_next_name(const ScanFigure *r, const Inner *in, int i)
{
    Fig *f = in->f;
    Symbol name = in->names ? in->names[i] : NULL;
    Symbol next = name ? name_shifted(f->st, name, r->s.reverse ? -1 : 1) : NULL;
    next = level_in_step(f, &in->in, next);
    if (r->lowered && next && next == name)
        return figure_say(f, "@\u2032", figure_name(f, name));
    return next          ? figure_name(f, next)
           : r->lowered  ? figure_say(f, "")
           : in->in.step ? figure_text(f, "state %d", i)
                         : figure_text(f, "next %d", i);
}

void scan_name_next(const ScanFigure *r, Inner *in)
{
    for (int i = 0; i < r->s.nstates; i++) {
        Node *out = r->s.body->outs[i];
        const Phrase *name = in->in.foreign || r->lowered ? scan_next_name(r, in, i) : NULL;
        if (name && *name->text && (in->in.foreign || !level_name(in->f, &in->in, out)))
            map_put(&in->in.next, out, name);
    }
}

static Symbol trace_symbol(const ScanFigure *r, const Inner *in, int t)
{
    if (r->lowered)
        return level_name(in->f, &in->in, r->s.body->outs[r->s.nstates + t]);
    return level_in_step(in->f, &in->in, r->roles.outs ? r->roles.outs[t] : NULL);
}

const Phrase *scan_trace_name(const ScanFigure *r, Inner *in, int t)
{
    Fig *f = in->f;
    int k = r->s.nstates + t;
    Symbol name = trace_symbol(r, in, t);
    const Phrase *inside = name ? NULL : level_text(f, &in->in, r->s.body->outs[k]);
    return name          ? figure_name(f, name)
           : inside      ? inside
           : in->in.step ? figure_text(f, "result %d[%lld]", t, (long long)in->in.row)
                         : figure_text(f, "result %d", r->lowered ? k : t);
}

const Phrase *scan_rows_name(const ScanFigure *r, int t)
{
    Symbol name = trace_symbol(r, &r->in, t);
    return name ? figure_operand_name(r->in.f, name_base(r->in.f->st, name)) : NULL;
}

const Phrase *scan_final_name(ScanFigure *r, int i)
{
    Fig *f = r->in.f;
    Node *out = r->s.body->outs[i];
    const Symbol *names = r->in.names;
    Symbol name = names ? names[i] : r->lowered ? level_name(f, &r->in.in, out) : NULL;
    Symbol base = name ? name_base(f->st, name) : NULL;
    const Phrase *inside = r->lowered && !base ? level_text(f, &r->in.in, out) : NULL;
    const Phrase *text = base     ? figure_operand_name(f, base)
                         : inside ? inside
                                  : figure_text(f, r->lowered ? "result %d" : "state %d", i);
    bool sum = base && !r->lowered && name_data(f->st, base).kind == NAME_GATHERED;
    return sum || r->s.reverse ? text : figure_say(f, "final\u00A0@", text);
}

Node *scan_result(const ScanFigure *r, int k)
{
    Level *outer = r->in.outer;
    Node *result = level_result(outer, r->in.owner, k);
    Exit e = exit_of(r->in.owner, k);
    if (result && e.out < 0)
        map_put(&outer->text, result, figure_text(r->in.f, "%s", e.word));
    return e.out < 0 || (result && map_has(&outer->rung, result)) ? NULL : result;
}

/* ---- what leaves ---- */

/* A trace that is a next state leaves with it. */
static void leave_result(ScanFigure *r, int k, int *ends)
{
    Level *outer = r->in.outer;
    Node *const *outs = r->s.body->outs;
    Node *result = scan_result(r, k);
    int t = k - r->s.nstates;
    if (!result)
        return;
    if (t < 0) {
        level_name_result(outer, result, scan_final_name(r, k), ends[scan_rail_of(r, k)]);
        return;
    }
    const Phrase *each = scan_trace_name(r, &r->in, t);
    for (int i = 0; i < r->s.nstates && !ends[k]; i++)
        ends[k] = outs[i] == outs[k] ? ends[i] : 0;
    if (!ends[k])
        ends[k] = inner_leave(&r->in, outs[k], each, EDGE_DATA);
    const Phrase *rows = scan_rows_name(r, t);
    level_name_result(outer, result, rows ? rows : each, ends[k]);
}

static void leave_all(ScanFigure *r, const int *ports)
{
    int *ends = xcalloc((size_t)r->s.steps + 1, sizeof *ends);
    for (int i = 0; i < r->s.nstates; i++)
        if (r->drawn[i]) {
            ends[i] =
                inner_leave(&r->in, r->s.body->outs[i], scan_next_name(r, &r->in, i), EDGE_STATE);
            figure_edge(r->in.f, ends[i], ports[i], EDGE_LOOPBACK);
        }
    for (int k = 0; k < r->in.owner->type->nitems; k++)
        leave_result(r, k, ends);
    free(ends);
}

/* ---- all ---- */

/* A loop that runs, as the recurrence that it is. */
static ScanShape shape_of(const Node *n)
{
    if (n->op == OP_SCAN)
        return scan_shape(n);
    LoopShape s = loop_shape(n);
    return (ScanShape){.body = s.body,
                       .nstates = s.nstates,
                       .ncaptures = s.ncaptures,
                       .nouts = s.ntraces,
                       .reverse = s.down,
                       .inits = s.inits,
                       .captures = s.captures,
                       .n = s.rows,
                       .steps = s.steps};
}

ScanFigure scan_begin(Fig *f, Level *l, Node *n)
{
    ScanFigure r = {.s = shape_of(n), .lowered = n->op == OP_LOOP};
    SceneBoxKind kind = r.s.reverse && !r.lowered ? BOX_ADJOINT : BOX_SCAN;
    r.in = inner_begin(f, l, n, r.s.body, &(SceneBox){.kind = kind});
    r.drawn = xcalloc((size_t)r.s.nstates + 1, sizeof *r.drawn);
    map_put(&l->wire, n, r.in.in.box);
    r.roles = r.lowered ? (ScanRoles){0} : scan_roles(f->st, n);
    find_roots(&r);
    level_open(&r.in.in, f, (int)r.roots.len, r.roots.at);
    return r;
}

void scan_end(ScanFigure *r)
{
    vec_free(&r->roots);
    free(r->drawn);
    inner_end(&r->in);
}

/* "repeat while i < n" */
static void put_loop_title(ScanFigure *r)
{
    Fig *f = r->in.f;
    LoopShape s = loop_shape(r->in.owner);
    const Phrase *runs = figure_formula(f, &r->in.in, s.body->outs[s.body->nouts - 1], NULL);
    const Phrase *rows = figure_formula(f, r->in.outer, s.rows, NULL);
    figure_set_title(f, r->in.in.box,
                     s.grows ? figure_say(f, "repeat while @, at most @ steps", runs, rows)
                             : figure_say(f, "repeat while @", runs));
}

void figure_loop(Fig *f, Level *l, Node *n)
{
    if (map_has(&l->wire, n) || (f->options->unroll && figure_unrolled(f, l, n)))
        return;
    ScanFigure r = scan_begin(f, l, n);
    int *ports = xcalloc((size_t)r.s.nstates + 1, sizeof *ports);
    enter_all(&r, ports);
    scan_name_next(&r, &r.in);
    level_draw(f, &r.in.in);
    leave_all(&r, ports);
    if (r.lowered) {
        put_loop_title(&r);
    } else {
        scan_put_title(&r, NULL);
        scan_draw_rungs(&r);
    }
    free(ports);
    scan_end(&r);
}
