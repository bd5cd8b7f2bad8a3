/* Scans, branches and calls in C.
 *
 * Invariant: states change only after everything of the step is computed, all at once; what only a
 * branch needs is computed in the branch. */
#include "emit/export_write.h"
#include "graph/names.h"

static bool wanted(CWriter *w, CScope *s, Node *tuple, int k)
{
    return uses_of(s, node_proj(w->st, tuple, k)) > 0;
}

static NodeCounts uses_in(const Graph *g)
{
    NodeCounts uses = {0};
    count_uses(&uses, g->nouts, g->outs);
    return uses;
}

/* A number or an array by its name: what a loop reads again and again. */
static CValue *steady(CWriter *w, CScope *s, Node *n)
{
    CValue *v = need_array(w, s, n);
    if (v->rank || (v->prec == PREC_ATOM && !strchr(v->text, '(') && !strchr(v->text, '[')))
        return v;
    const char *name = name_for(w, s, n);
    line(w, "const %s %s = %s;", c_type(v->dtype), name, v->text);
    CValue *settled = scalar_value(w, v->dtype, name, PREC_ATOM);
    bind(s, n, settled);
    return settled;
}

/* ---- scans ---- */

static bool one_word(const char *text)
{
    for (; *text; text++)
        if (strchr("()[]+-*/ .?<>=!", *text))
            return false;
    return true;
}

typedef struct {
    CWriter *w;
    CScope *s;
    Node *n;
    ScanShape sh;
    CScope in;         /* the body */
    const char *count; /* NULL: no limit */
    const char *t, *steps, *stopped;
    CValue **state, **trace;
    const char **next;
    u32 *room;   /* by trace */
    bool *grows; /* by trace: its room is not known before */
} Scan;

static void scan_counts(Scan *c)
{
    CWriter *w = c->w;
    i64 k;
    bool endless = node_const_i64(c->sh.n, &k) && k == SCAN_UNBOUNDED;
    if (endless)
        return;
    CValue *n = steady(w, c->s, c->sh.n);
    c->count = n->text;
    if (!node_const_i64(c->sh.n, &k) && c->sh.n->op != OP_SIZE && c->sh.n->op != OP_DIM) {
        line(w, "if (%s < 0) {", c->count);
        line(w, "    error = \"the number of steps is negative\";");
        line(w, "    goto end;");
        line(w, "}");
    }
}

static void scan_states(Scan *c)
{
    CWriter *w = c->w;
    for (int i = 0; i < c->sh.nstates; i++) {
        const Node *param = c->sh.body->param_nodes[i];
        CValue *init = need_array(w, c->s, c->sh.inits[i]),
               *v = value_new_c(w, init->dtype, init->rank);
        *v = *init;
        Symbol told = node_name_in(w->st, c->sh.body, param);
        const char *name = fresh_name(w, told ? name_base(w->st, told) : "state");
        v->prec = PREC_ATOM;
        if (init->rank) {
            v = array_named(w, name, init->dtype, init->rank, init->dim);
            line(w, "memcpy(%s, %s, %s);", v->text, init->text, bytes_of_array(w, v, 0));
        } else {
            v->text = name;
            line(w, "%s %s = %s;", c_type(v->dtype), name, init->text);
        }
        c->state[i] = v;
        bind(&c->in, param, v);
    }
}

static void scan_captures(Scan *c)
{
    for (int i = 0; i < c->sh.ncaptures; i++)
        bind(&c->in, c->sh.body->param_nodes[c->sh.nstates + c->sh.nseqs + i],
             steady(c->w, c->s, c->sh.captures[i]));
}

/* Before the loop: that there are enough rows. */
static CValue **scan_sequences(Scan *c)
{
    CWriter *w = c->w;
    CValue **seq = arena_alloc(&w->arena, ((size_t)c->sh.nseqs + 1) * sizeof *seq);
    for (int i = 0; i < c->sh.nseqs; i++) {
        seq[i] = need_array(w, c->s, c->sh.seqs[i]);
        if (c->count && strcmp(c->count, seq[i]->dim[0])) {
            line(w, "if (%s > %s) {", c->count, seq[i]->dim[0]);
            line(w, "    error = \"a sequence has fewer rows than the loop has steps\";");
            line(w, "    goto end;");
            line(w, "}");
        }
    }
    return seq;
}

static void scan_rows(Scan *c, CValue *const *seq)
{
    CWriter *w = c->w;
    for (int i = 0; i < c->sh.nseqs; i++) {
        const Node *param = c->sh.body->param_nodes[c->sh.nstates + i];
        CValue *row = value_new_c(w, seq[i]->dtype, seq[i]->rank - 1);
        row->text = name_for(w, &c->in, param);
        for (int a = 0; a < row->rank; a++)
            row->dim[a] = seq[i]->dim[a + 1];
        if (row->rank)
            line(w, "const %s *const %s = %s + %s * %s;", c_type(row->dtype), row->text,
                 seq[i]->text, c->t, count_of(w, row, 0, row->rank));
        else
            line(w, "const %s %s = %s[%s];", c_type(row->dtype), row->text, seq[i]->text, c->t);
        bind(&c->in, param, row);
    }
}

/* Is that a dim outside of the body, or a number that it captures? */
static bool stands_outside(const Scan *c, CValue *const *seq, const char *dim)
{
    for (int i = 0; i < c->sh.nstates; i++)
        for (int a = 0; a < c->state[i]->rank; a++)
            if (!strcmp(c->state[i]->dim[a], dim))
                return true;
    for (int i = 0; i < c->sh.nseqs; i++)
        for (int a = 0; a < seq[i]->rank; a++)
            if (!strcmp(seq[i]->dim[a], dim))
                return true;
    for (int i = 0; i < c->sh.ncaptures; i++) {
        const CValue *v = need(c->w, c->s, c->sh.captures[i]);
        for (int a = 0; a < v->rank; a++)
            if (!strcmp(v->dim[a], dim))
                return true;
        if (!v->rank && !strcmp(v->text, dim))
            return true;
    }
    return false;
}

/* Is a dim of a row known outside of the body: itself, or all that it is computed from? */
static bool dim_is_outer(const Scan *c, CValue *const *seq, const char *dim)
{
    if (stands_outside(c, seq, dim))
        return true;
    for (const char *s = dim; *s;) {
        size_t len = strspn(s, "_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        bool number = *s >= '0' && *s <= '9';
        if (len && !number && !stands_outside(c, seq, word(c->w, "%.*s", (int)len, s)))
            return false;
        s += len ? len : 1;
    }
    return true;
}

/* A row goes to its place; the declaration of the trace, before the loop, is put to `before`. */
static void scan_trace(Scan *c, CValue *const *seq, int k, Text *before)
{
    CWriter *w = c->w;
    Node *out = c->sh.body->outs[c->sh.nstates + k];
    CValue *row = need_array(w, &c->in, out), *v = value_new_c(w, row->dtype, row->rank + 1);
    bool grows = c->sh.stop || !c->count;
    v->text = fresh_name(
        w, word(w, "%s_rows", one_word(row->text) ? row->text : told_name(w, &c->in, out)));
    v->dim[0] = grows ? c->steps : c->count;
    for (int a = 0; a < row->rank; a++) {
        v->dim[a + 1] = row->dim[a];
        if (dim_is_outer(c, seq, row->dim[a]))
            continue;
        v->dim[a + 1] = fresh_name(w, word(w, "%s_size", v->text));
        text_printf(before, "i64 %s = 0;\n", v->dim[a + 1]);
        line(w, "if (%s && %s != %s) {",
             c->sh.reverse ? word(w, "%s < %s - 1", c->t, c->count) : word(w, "%s > 0", c->t),
             v->dim[a + 1], row->dim[a]);
        line(w, "    error = \"a traced value changes shape between steps\";");
        line(w, "    goto end;");
        line(w, "}");
        line(w, "%s = %s;", v->dim[a + 1], row->dim[a]);
        grows = true;
    }
    const char *count = count_of(w, v, 1, v->rank);
    u32 room = w->rooms++;
    if (grows) {
        text_printf(before, "%s *%s = NULL;\n", c_type(v->dtype), v->text);
        const char *rows = c->sh.reverse ? c->count : word(w, "(%s + 1)", c->t);
        line(w, "%s = grow(&rooms[%u], %s, sizeof *%s);", v->text, room,
             strcmp(count, "1") ? word(w, "%s * %s", rows, count) : rows, v->text);
    } else {
        text_printf(before, "%s *%s = room(&rooms[%u], %s, sizeof *%s);\n", c_type(v->dtype),
                    v->text, room, count_of(w, v, 0, v->rank), v->text);
    }
    Text *at = grows ? &w->body : before;
    int depth = grows ? 4 * w->depth : 0;
    text_printf(at, "%*sif (!%s)\n%*s    goto no_memory;\n", depth, "", v->text, depth, "");
    if (row->rank)
        line(w, "memcpy(%s + %s * %s, %s, %s);", v->text, c->t, count, row->text,
             bytes_of_array(w, v, 1));
    else
        line(w, "%s[%s] = %s;", v->text, c->t, row->text);
    c->trace[k] = v;
}

static bool is_state(const Scan *c, const CValue *v)
{
    for (int i = 0; i < c->sh.nstates; i++)
        if (!strcmp(c->state[i]->text, v->text))
            return true;
    return false;
}

/* All next values first, then all states. */
static void scan_update(Scan *c)
{
    CWriter *w = c->w;
    int changed = 0;
    for (int i = 0; i < c->sh.nstates; i++)
        changed += need(w, &c->in, c->sh.body->outs[i]) != c->state[i];
    const char *stop = NULL;
    if (c->sh.stop) {
        CValue *v = need(w, &c->in, c->sh.body->outs[c->sh.steps]);
        stop = fresh_name(w, "stop");
        line(w, "const bool %s = %s;", stop, v->text);
    }
    for (int i = 0; i < c->sh.nstates; i++) {
        CValue *v = need_array(w, &c->in, c->sh.body->outs[i]), *state = c->state[i];
        c->next[i] = v == state ? NULL : v->text;
        if (v == state || changed < 2)
            continue;
        if (v->rank) {
            CValue *next =
                array_value(w, &c->in, c->sh.body->outs[i], v->dtype, v->rank, state->dim);
            line(w, "memcpy(%s, %s, %s);", next->text, v->text, bytes_of_array(w, state, 0));
            c->next[i] = next->text;
        } else if (is_state(c, v) || !one_word(v->text)) {
            c->next[i] = fresh_name(w, word(w, "next_%s", state->text));
            line(w, "const %s %s = %s;", c_type(v->dtype), c->next[i], v->text);
        }
    }
    for (int i = 0; i < c->sh.nstates; i++) {
        const CValue *state = c->state[i];
        if (!c->next[i])
            continue;
        if (state->rank)
            line(w, "memmove(%s, %s, %s);", state->text, c->next[i], bytes_of_array(w, state, 0));
        else
            line(w, "%s = %s;", state->text, c->next[i]);
    }
    if (c->steps)
        line(w, "%s++;", c->steps);
    if (stop) {
        if (c->stopped)
            line(w, "%s = %s;", c->stopped, stop);
        line(w, "if (%s)", stop);
        line(w, "    break;");
    }
}

static void scan_head(Scan *c)
{
    CWriter *w = c->w;
    if (!c->count)
        line(w, "for (i64 %s = 0;; %s++) {", c->t, c->t);
    else if (c->sh.reverse)
        line(w, "for (i64 %s = %s - 1; %s >= 0; %s--) {", c->t, c->count, c->t, c->t);
    else
        line(w, "for (i64 %s = 0; %s < %s; %s++) {", c->t, c->t, c->count, c->t);
}

/* The body is written aside, because what stands before the loop depends on it. */
static void scan_body(Scan *c, CValue *const *seq)
{
    CWriter *w = c->w;
    Text before = {0}, outside = w->body;
    w->body = (Text){0};
    w->depth++;
    scan_rows(c, seq);
    for (int k = 0; k < c->sh.nouts; k++)
        if (wanted(w, c->s, c->n, c->sh.nstates + k))
            scan_trace(c, seq, k, &before);
    scan_update(c);
    w->depth--;
    Text body = w->body;
    w->body = outside;
    for (const char *p = text_str(&before); *p;) {
        size_t n = strcspn(p, "\n");
        line(w, "%.*s", (int)n, p);
        p += n + 1;
    }
    scan_head(c);
    text_put(&w->body, text_str(&body));
    line(w, "}");
    text_free(&before);
    text_free(&body);
}

static CValue **write_scan(CWriter *w, CScope *s, Node *n)
{
    Scan c = {.w = w, .s = s, .n = n, .sh = scan_shape(n)};
    size_t most = (size_t)c.sh.nresults + (size_t)c.sh.nstates + 2;
    c.state = arena_alloc(&w->arena, most * sizeof *c.state);
    c.trace = arena_alloc(&w->arena, most * sizeof *c.trace);
    c.next = arena_alloc(&w->arena, most * sizeof *c.next);
    NodeCounts uses = uses_in(c.sh.body);
    c.in = (CScope){.graph = c.sh.body, .uses = &uses};
    scan_counts(&c);
    scan_captures(&c);
    CValue **seq = scan_sequences(&c);
    scan_states(&c);
    c.t = fresh_name(w, "t");
    if (c.sh.stop || !c.count || wanted(w, s, n, c.sh.steps)) {
        c.steps = fresh_name(w, "steps");
        line(w, "i64 %s = 0;", c.steps);
    }
    if (wanted(w, s, n, c.sh.steps + 1)) {
        c.stopped = fresh_name(w, "stopped");
        line(w, "bool %s = false;", c.stopped);
    }
    if (!w->failed)
        scan_body(&c, seq);
    CValue **results = arena_alloc(&w->arena, most * sizeof *results);
    memcpy(results, c.state, (size_t)c.sh.nstates * sizeof *results);
    memcpy(results + c.sh.nstates, c.trace, (size_t)c.sh.nouts * sizeof *results);
    results[c.sh.steps] = scalar_value(w, DT_I64, c.steps ? c.steps : "0", PREC_ATOM);
    results[c.sh.steps + 1] = scalar_value(w, DT_BOOL, c.stopped ? c.stopped : "false", PREC_ATOM);
    scope_end(&c.in);
    map_free(&uses);
    return results;
}

/* ---- branches and calls ---- */

typedef struct {
    CWriter *w;
    CScope *s;
    Node *n;
    CValue **result;
} Choice;

/* A block of the text in the scope: what is written in it, also of the graphs around whose
 * parameters are computed there, is known there alone. */
static CScope *block_in(CWriter *w, CScope *s)
{
    CScope *block = arena_alloc(&w->arena, sizeof *block);
    *block = *s;
    block->up = s;
    block->values = (PtrMap){0};
    block->outer = s->outer ? block_in(w, s->outer) : NULL;
    return block;
}

/* A branch's results go to the variables that stand before. */
static void write_branch(Choice *c, Graph *g, const IntList *args, Text *before, bool first)
{
    CWriter *w = c->w;
    IfShape sh = if_shape(c->n);
    Node **ops = arena_alloc(&w->arena, ((size_t)g->nparams + 1) * sizeof *ops);
    for (int i = 0; i < g->nparams; i++)
        ops[i] = sh.operands[args->at[i]];
    NodeCounts uses = uses_in(g);
    CScope *block = block_in(w, c->s);
    CScope in = {.graph = g, .uses = &uses, .outer = block, .args = ops};
    for (int k = 0; k < g->nouts; k++) {
        if (!wanted(w, c->s, c->n, k))
            continue;
        CValue *v = need_array(w, &in, g->outs[k]);
        if (first) {
            CValue *r = c->result[k] = value_new_c(w, v->dtype, v->rank);
            r->text = fresh_name(w, node_name(w->st, node_proj(w->st, c->n, k)) && !c->s->graph
                                        ? node_name(w->st, node_proj(w->st, c->n, k))
                                        : "chosen");
            text_printf(before, v->rank ? "const %s *%s = NULL;\n" : "%s %s = 0;\n",
                        c_type(v->dtype), r->text);
            for (int a = 0; a < v->rank; a++) {
                i64 size;
                bool fixed = size_is_const(c->n->type->items[k]->dims[a], &size);
                r->dim[a] = fixed ? word(w, "%lld", (long long)size) : fresh_name(w, "size");
                if (!fixed)
                    text_printf(before, "i64 %s = 0;\n", r->dim[a]);
            }
        }
        const CValue *r = c->result[k];
        line(w, "%s = %s;", r->text, v->text);
        for (int a = 0; a < v->rank; a++)
            if (!size_is_const(c->n->type->items[k]->dims[a], NULL))
                line(w, "%s = %s;", r->dim[a], v->dim[a]);
    }
    scope_end(&in);
    for (; block; block = block->outer)
        scope_end(block);
    map_free(&uses);
}

static CValue **write_if(CWriter *w, CScope *s, Node *n)
{
    IfShape sh = if_shape(n);
    Choice c = {.w = w, .s = s, .n = n};
    c.result = arena_alloc(&w->arena, ((size_t)sh.then_graph->nouts + 1) * sizeof *c.result);
    CValue *condition = need(w, s, sh.condition);
    Text before = {0}, outside = w->body, branch[2] = {{0}, {0}};
    w->depth++;
    w->branches++;
    for (int k = 0; k < 2; k++) {
        w->body = (Text){0};
        write_branch(&c, k ? sh.else_graph : sh.then_graph, k ? sh.else_args : sh.then_args,
                     &before, !k);
        branch[k] = w->body;
    }
    w->depth--;
    w->branches--;
    w->body = outside;
    for (const char *p = text_str(&before); *p;) {
        size_t len = strcspn(p, "\n");
        line(w, "%.*s", (int)len, p);
        p += len + 1;
    }
    line(w, "if (%s) {", condition->text);
    text_put(&w->body, text_str(&branch[0]));
    line(w, "} else {");
    text_put(&w->body, text_str(&branch[1]));
    line(w, "}");
    text_free(&before);
    text_free(&branch[0]);
    text_free(&branch[1]);
    return c.result;
}

static CValue **write_call(CWriter *w, CScope *s, Node *n)
{
    Graph *g = n->attrs[0].graph;
    NodeCounts uses = uses_in(g);
    CScope in = {.graph = g, .uses = &uses, .outer = s, .args = n->ops};
    CValue **results = arena_alloc(&w->arena, ((size_t)g->nouts + 1) * sizeof *results);
    for (int k = 0; k < g->nouts; k++)
        if (wanted(w, s, n, k))
            results[k] = need(w, &in, g->outs[k]);
    scope_end(&in);
    map_free(&uses);
    return results;
}

CValue *result_of(CWriter *w, CScope *s, Node *tuple, i64 index)
{
    if (tuple->op == OP_TUPLE)
        return need(w, s, tuple->ops[index]);
    CValue **results = NULL;
    for (CScope *at = s; at && !results; at = at->up)
        results = map_get(&at->values, tuple);
    if (!results) {
        results = tuple->op == OP_SCAN      ? write_scan(w, s, tuple)
                  : tuple->op == OP_IFELSE  ? write_if(w, s, tuple)
                  : tuple->op == OP_CALL    ? write_call(w, s, tuple)
                  : tuple->op == OP_SLOGDET ? write_slogdet(w, s, tuple)
                  : tuple->op == OP_DFT     ? write_dft(w, s, tuple)
                  : op_table[tuple->op].cls == CLASS_RANDOM
                      ? write_draw(w, s, tuple)
                      : cannot(w, tuple, "it has no equivalent of `%s`", node_info(tuple)->name);
        if (!results)
            return NULL;
        map_put(&s->values, tuple, results);
    }
    return results[index];
}
