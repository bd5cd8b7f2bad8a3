/* Loops of figures.
 *
 * Invariant: every result of a loop that something reads has a text, and a line unless only loops
 * that run backwards read it. */
#include "viz/scene/figure_parts.h"
#include "graph/name.h"

/* The state that state i is only an earlier row of. */
int scan_rail_of(const ScanRoles *roles, int i)
{
    while (i > 0 && roles->earlier && roles->earlier[i])
        i--;
    return i;
}

static const Phrase *count_text(Fig *f, Level *l, Node *n)
{
    Wires wires = {0};
    n = n->op == OP_CHECK ? n->ops[1] : n; /* that it is not negative goes without saying */
    const Phrase *text = figure_formula(f, l, n, &wires);
    vec_free(&wires);
    return text;
}

/* 0, 1, .., which is drawn nowhere else. */
static bool is_counter(const Level *l, Node *seq)
{
    return seq->op == OP_IOTA && !map_has(&l->item, seq) && !map_has(&l->text, seq);
}

/* "for t = 0, …, n − 1" */
static const Phrase *counter_text(Inner *in, const ScanShape *s)
{
    i64 count;
    const Phrase *t = inner_param_text(in, s->nstates, s->seqs[0], false);
    Pretty head = {0};
    pretty_words(&head, "for ");
    pretty_phrase(&head, t);
    pretty_put(&head, " = 0, \u2026, "); /* in one line */
    if (node_const_i64(s->n, &count)) {
        pretty_printf(&head, "%lld", (long long)count - 1);
    } else {
        pretty_phrase(&head, count_text(in->f, in->outer, s->n));
        pretty_put(&head, " \u2212 1");
    }
    return figure_keep(in->f, &head);
}

/* "for each x[t]", "50 steps", "until ..": what people say of the loop. */
void scan_put_head(Inner *in, const ScanShape *s, Pretty *t)
{
    i64 k;
    bool wired = false;
    if (s->nseqs == 1 && !s->reverse && is_counter(in->outer, s->seqs[0])) {
        pretty_phrase(t, counter_text(in, s));
        wired = true;
    }
    for (int i = 0; i < s->nseqs && !s->reverse && !wired; i++) {
        pretty_words(t, i ? ", " : "for each ");
        pretty_phrase(t, inner_param_text(in, s->nstates + i, s->seqs[i], false));
    }
    wired = wired || (s->nseqs && !s->reverse);
    bool endless = node_const_i64(s->n, &k) && k == SCAN_UNBOUNDED;
    if (!wired && !s->reverse && !endless)
        pretty_phrase(t, figure_say(in->f, s->stop ? "at most @ steps" : "@ steps",
                                    count_text(in->f, in->outer, s->n)));
    if (s->reverse)
        pretty_words(t, "backwards");
    if (s->stop) {
        Wires wires = {0};
        pretty_words(t, t->text.len ? ", until " : "repeat until ");
        pretty_phrase(t, figure_formula(in->f, &in->in, s->body->outs[s->body->nouts - 1], &wires));
        vec_free(&wires);
    }
    if (s->checkpoint == CHECKPOINT_AUTO)
        pretty_words(t, ", checkpoint auto");
    else if (s->checkpoint)
        pretty_phrase(t, figure_text(in->f, ", checkpoint %lld", (long long)s->checkpoint));
}

/* "x W": nothing of it is drawn, and its name says how it is made. */
bool scan_is_told_by_name(const Inner *in, Node *seq, int param)
{
    Store *st = in->f->st;
    Symbol name = in->names ? in->names[param] : NULL;
    if (!name || name_is_cotangent(st, name) || name_data(st, name).kind == NAME_TANGENT)
        return false;
    return seq->op != OP_PROJ && !map_has(&in->outer->item, seq) &&
           !map_has(&in->outer->deep, seq) && !name_is_word(st, name_base(st, name));
}

/* The rows that begin taps, where each is given by itself and told by its text: the oldest first,
 * or what they are rows of. */
static bool feed_taps(Inner *in, const ScanShape *s, const ScanRoles *roles, int first, int port)
{
    int last = first;
    bool leaves = true, zero = true, rows = true;
    const Phrase *one = map_get(&in->outer->whole, s->inits[first]);
    for (; last < s->nstates && (last == first || scan_rail_of(roles, last) == first); last++) {
        const Phrase *whole = map_get(&in->outer->whole, s->inits[last]);
        leaves = leaves && figure_is_leaf(s->inits[last]) &&
                 !map_has(&in->outer->wire, level_core(in->outer, s->inits[last]));
        zero = zero && inner_is_zero(in, s->inits[last]);
        rows = rows && one && whole && strcmp(whole->text, one->text) == 0;
    }
    if (!leaves || zero || in->f->folded == FIGURE_FOLDS)
        return zero;
    if (!rows) {
        one = figure_say(in->f, "[@", inner_operand_text(in, s->inits[last - 1]));
        for (int i = last - 1; i-- > first;)
            one = figure_say(in->f, "@, @", one, inner_operand_text(in, s->inits[i]));
        one = figure_say(in->f, "@]", one);
    }
    figure_edge(in->f, figure_end(in->f, in->outer->box, ROLE_INPUT, one), port, EDGE_STATE);
    return true;
}

/* The place of its declaration among others: an input is made when it is declared. What is none
 * comes last. */
static u32 declared_at(const ScanShape *s, int i)
{
    const Node *n = figure_core(s->captures[i]);
    return n->op == OP_INPUT || n->op == OP_SHARED ? n->id : UINT32_MAX;
}

/* In the order in which they were declared. */
static void enter_captures(Inner *in, const ScanShape *s)
{
    typedef struct {
        u32 at;
        int i;
    } Declared;
    VEC(Declared) order = {0};
    for (int i = 0; i < s->ncaptures; i++) {
        Declared p = {declared_at(s, i), i};
        vec_push(&order, p);
        for (size_t k = order.len - 1; k && order.at[k - 1].at > p.at; k--) {
            order.at[k] = order.at[k - 1];
            order.at[k - 1] = p;
        }
    }
    for (size_t i = 0; i < order.len; i++) {
        int k = order.at[i].i;
        inner_capture(in, s->nstates + s->nseqs + k, s->captures[k]);
    }
    vec_free(&order);
}

static void scan_enter(Inner *in, const ScanShape *s, const ScanRoles *roles, const bool *drawn,
                       int *ports)
{
    for (int i = 0; i < s->nstates; i++) {
        int rail = scan_rail_of(roles, i);
        bool tapped = i + 1 < s->nstates && scan_rail_of(roles, i + 1) == i;
        Node *init = s->inits[i];
        if (tapped && init->op == OP_INDEX) /* its rows begin all the taps */
            init = init->ops[0];
        if (!drawn[rail])
            continue;
        if (rail != i) {
            inner_call_param(in, i, NULL);
            map_put(&in->in.wire, s->body->param_nodes[i], ports[rail]);
            continue;
        }
        ports[i] = inner_port(in, ROLE_STATE, i, NULL);
        if (!tapped || s->inits[i]->op == OP_INDEX || !feed_taps(in, s, roles, i, ports[i]))
            inner_feed(in, i, init, ports[i], EDGE_STATE);
    }
    for (int i = 0; i < s->nseqs; i++) {
        int k = s->nstates + i;
        Node *seq = s->seqs[i];
        if (is_counter(in->outer, seq) || !map_has(&in->in.uses, s->body->param_nodes[k])) {
            inner_call_param(in, k, seq); /* only the title may tell it */
            continue;
        }
        bool known = map_has(&in->outer->rung, seq);
        bool named =
            known || seq->op == OP_SLICE || scan_is_told_by_name(in, seq, k) ||
            (figure_is_leaf(seq) && !map_has(&in->outer->wire, level_core(in->outer, seq)));
        int from = named ? 0 : level_value(in->f, in->outer, seq);
        if (from)
            inner_tell(in, k, seq, "of");
        if (known || (from && s->reverse && !in->outer->graph)) {
            inner_call_param(in, k, seq);
            if (!known)
                scene_edge(in->f->scene, &(SceneEdge){.from = from,
                                                      .to_box = in->in.box,
                                                      .words = *inner_param_text(in, k, seq, false),
                                                      .kind = EDGE_SEQUENCE});
            continue;
        }
        int at = inner_port(in, ROLE_SEQUENCE, k, seq);
        if (from)
            figure_edge(in->f, from, at, EDGE_SEQUENCE);
    }
    enter_captures(in, s);
}

/* What the loop backwards reads of the one forward, each value once. */
void scan_draw_rungs(Inner *in, const ScanShape *s)
{
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

static bool reads_state(const NodeVec *nodes, const ScanShape *s, const ScanRoles *roles, int state)
{
    for (size_t i = 0; i < nodes->len; i++) {
        const Node *n = nodes->at[i];
        if (n->op == OP_PARAM && n->attrs[0].i < s->nstates &&
            scan_rail_of(roles, (int)n->attrs[0].i) == state)
            return true;
    }
    return false;
}

/* Which states are drawn: those that a result or another drawn one needs. `roots`: what is needed
 * so far, to which their next values are added. */
static void drawn_states(const ScanShape *s, const ScanRoles *roles, const NodeVec *results,
                         NodeVec *roots, bool *drawn)
{
    for (size_t i = 0; i < results->len; i++) {
        int k = (int)results->at[i]->attrs[0].i;
        if (k < s->nstates)
            drawn[scan_rail_of(roles, k)] = true;
    }
    for (int i = 0; i < s->nstates; i++)
        if (drawn[i])
            vec_push(roots, s->body->outs[i]);
    if (s->stop)
        vec_push(roots, s->body->outs[s->body->nouts - 1]);
    for (bool more = true; more;) {
        NodeVec nodes = {0};
        more = false;
        nodes_topo((int)roots->len, roots->at, &nodes);
        for (int i = 0; i < s->nstates; i++)
            if (!drawn[i] && scan_rail_of(roles, i) == i && reads_state(&nodes, s, roles, i)) {
                drawn[i] = more = true;
                vec_push(roots, s->body->outs[i]);
            }
        vec_free(&nodes);
    }
}

/* Roots of the body that are drawn: next states, and traces that more than rungs read. */
void figure_scan_roots(Inner *in, const ScanShape *s, const ScanRoles *roles, NodeVec *out,
                       bool *drawn)
{
    NodeVec results = {0}, needed = {0};
    level_results(in->outer, in->owner, &results);
    for (size_t i = 0; i < results.len; i++) {
        int k = (int)results.at[i]->attrs[0].i;
        if (k >= s->nstates && k < s->steps && !map_has(&in->outer->rung, results.at[i]))
            vec_push(&needed, s->body->outs[k]);
    }
    size_t traces = needed.len;
    for (size_t i = 0; i < results.len; i++) /* what rungs start from */
        if (map_has(&in->outer->rung, results.at[i]))
            vec_push(&needed, s->body->outs[results.at[i]->attrs[0].i]);
    drawn_states(s, roles, &results, &needed, drawn);
    for (int i = 0; i < s->nstates; i++)
        if (drawn[i])
            vec_push(out, s->body->outs[i]);
    for (size_t i = 0; i < traces; i++)
        vec_push(out, needed.at[i]);
    vec_free(&results);
    vec_free(&needed);
}

static const Phrase *next_name(Inner *in, const ScanShape *s, int i)
{
    const Symbol *names = in->names;
    Symbol after = names ? name_shifted(in->f->st, names[i], s->reverse ? -1 : 1) : NULL;
    return after ? figure_name(in->f, after) : figure_text(in->f, "next %d", i);
}

/* In a body that is another loop's, too, only what its states become has a name. */
static void name_next_states(Inner *in, const ScanShape *s)
{
    for (int i = 0; i < s->nstates && in->in.foreign; i++)
        map_put(&in->in.next, s->body->outs[i], next_name(in, s, i));
}

static void scan_result(Inner *in, const ScanShape *s, const ScanRoles *roles, Node *r,
                        const int *outs, int *traces)
{
    Fig *f = in->f;
    int k = (int)r->attrs[0].i;
    if (map_has(&in->outer->rung, r))
        return;
    if (k >= s->steps) {
        map_put(&in->outer->text, r, figure_text(f, k == s->steps ? "steps" : "stopped"));
        return;
    }
    if (k < s->nstates) {
        const Symbol *names = in->names;
        Symbol base = names && names[k] ? name_base(f->st, names[k]) : NULL;
        const Phrase *text = base ? figure_operand_name(f, base) : figure_text(f, "state %d", k);
        bool sum = base && name_data(f->st, base).kind == NAME_GATHERED;
        level_name_result(in->outer, r,
                          sum || s->reverse ? text : figure_say(f, "final\u00A0@", text),
                          outs[scan_rail_of(roles, k)]);
        return;
    }
    int t = k - s->nstates, at = 0;
    for (int i = 0; i < s->nstates && !at; i++)
        if (s->body->outs[i] == s->body->outs[k] && outs[i])
            at = outs[i];
    Symbol name = roles->outs ? roles->outs[t] : NULL;
    const Phrase *inside = name ? NULL : level_text(f, &in->in, s->body->outs[k]);
    const Phrase *each = name     ? figure_name(f, name)
                         : inside ? inside
                                  : figure_text(f, "result %d", t);
    if (!at && !traces[t])
        traces[t] = inner_leave(in, s->body->outs[k], each, EDGE_DATA);
    Symbol base = name ? name_base(f->st, name) : NULL;
    level_name_result(in->outer, r, base ? figure_operand_name(f, base) : each,
                      at ? at : traces[t]);
}

static void scan_leave(Inner *in, const ScanShape *s, const ScanRoles *roles, const bool *drawn,
                       const int *ports)
{
    NodeVec results = {0};
    int *outs = xcalloc((size_t)s->nstates + 1, sizeof *outs);
    int *traces = xcalloc((size_t)s->nouts + 1, sizeof *traces);
    for (int i = 0; i < s->nstates; i++)
        if (drawn[i]) {
            outs[i] = inner_leave(in, s->body->outs[i], next_name(in, s, i), EDGE_STATE);
            figure_edge(in->f, outs[i], ports[i], EDGE_LOOPBACK);
        }
    level_results(in->outer, in->owner, &results);
    for (size_t i = 0; i < results.len; i++)
        scan_result(in, s, roles, results.at[i], outs, traces);
    vec_free(&results);
    free(outs);
    free(traces);
}

void figure_scan(Fig *f, Level *l, Node *n)
{
    if (map_has(&l->wire, n) || (f->options->unroll && figure_unrolled(f, l, n)))
        return;
    ScanShape s = scan_shape(n);
    ScanRoles roles = scan_roles(f->st, n);
    Inner in =
        inner_begin(f, l, n, s.body, &(SceneBox){.kind = s.reverse ? BOX_ADJOINT : BOX_SCAN});
    int *ports = xcalloc((size_t)s.nstates + 1, sizeof *ports);
    bool *drawn = xcalloc((size_t)s.nstates + 1, sizeof *drawn);
    NodeVec roots = {0};
    Pretty head = {0};
    map_put(&l->wire, n, in.in.box);
    figure_scan_roots(&in, &s, &roles, &roots, drawn);
    level_open(&in.in, f, (int)roots.len, roots.at);
    scan_enter(&in, &s, &roles, drawn, ports);
    name_next_states(&in, &s);
    level_draw(f, &in.in, (int)roots.len, roots.at);
    scan_leave(&in, &s, &roles, drawn, ports);
    scan_put_head(&in, &s, &head);
    scan_draw_rungs(&in, &s);
    figure_set_title(f, in.in.box, figure_keep(f, &head));
    vec_free(&roots);
    free(ports);
    free(drawn);
    inner_end(&in);
}
