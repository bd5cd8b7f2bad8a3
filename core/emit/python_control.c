/* Loops and branches in Python.
 *
 * With NumPy, Numba and PyTorch a scan is a `for` (or, without a number of steps, a `while`) whose
 * states are variables; with JAX it is lax.scan, or lax.while_loop where something may end it.
 * Invariant: all states change in one assignment, so that each next one reads the ones before. */
#include "emit/python.h"
#include "graph/name.h"

#include "graph/op.h"

#include <ctype.h>

typedef struct {
    Scope *o; /* around it */
    Node *n;
    ScanShape s;
    ScanRoles roles;
    Node **results;      /* by result: the node that reads it, or NULL */
    const char *count;   /* its text; NULL: no end but its own */
    const char *index;   /* of the step */
    const char **states; /* names */
    const char **rows;   /* names of traces; NULL: nobody reads it */
    const char *steps, *stopped;
    bool *is_index; /* by sequence: it is the number of the step */
} Loop;

static bool wants(const Loop *l, int result) { return l->results[result] != NULL; }

static Node *last_of(const Loop *l) { return l->s.body->outs[l->s.body->nouts - 1]; }

static Node *row_of(const Loop *l, int k) { return l->s.body->outs[l->s.nstates + k]; }

/* ---- what is read of a node with several results ---- */

Node **py_results_of(Scope *s, Node *n, int count)
{
    Node **results = arena_alloc(&s->py->arena, ((size_t)count + 1) * sizeof *results);
    for (int k = 0; k < count; k++) {
        Node *x = node_proj(s->py->st, n, k);
        results[k] = map_has(&s->uses, x) ? x : NULL;
    }
    return results;
}

static void say_results(Loop *l, int first, int count, const char *const *names)
{
    for (int i = 0; i < count; i++)
        if (wants(l, first + i) && names[i])
            py_say(l->o, l->results[first + i], names[i], CALL);
}

/* For Numba a variable has one layout and one dtype wherever it is assigned; its literals would
 * make f64 of f32. */
static const char *one_type(const Scope *s, const Type *t, const char *text)
{
    bool single = t->dtype == DT_F32;
    if (!is_for(s, PYTHON_NUMBA) || (t->rank < 2 && !single))
        return text;
    if (!t->rank)
        return py_text(s->py, "np.float32(%s)", text);
    return py_text(
        s->py, single ? "np.ascontiguousarray(%s).astype(np.float32)" : "np.ascontiguousarray(%s)",
        text);
}

/* A parameter of a body or branch means what it is given. */
static void say_given(Scope *inner, const Node *param, Scope *o, const Node *arg)
{
    const Said *said = map_get(&o->said, arg);
    if (arg->op == OP_CONST && is_for(o, PYTHON_TORCH))
        py_say(inner, param, constant_said(o, arg->attrs[0].value, false), CALL);
    else
        py_say(inner, param, said->text, said->level);
}

/* ---- names ---- */

static void name_parts(Loop *l)
{
    Py *py = l->o->py;
    const Symbol *given = l->roles.names;
    Symbol index = NULL;
    for (int i = 0; given && i < l->s.nstates + l->s.nseqs && !index; i++)
        index = given[i] ? name_data(py->st, given[i]).letter : NULL;
    l->index = name_taken(py, index ? index : "t");
    for (int i = 0; i < l->s.nstates; i++)
        l->states[i] = name_taken(py, given && given[i] ? given[i] : "s");
    for (int k = 0; k < l->s.nouts; k++) {
        Symbol name = l->roles.outs ? l->roles.outs[k] : NULL;
        Symbol base = name ? name_base(py->st, name) : NULL;
        l->rows[k] = wants(l, l->s.nstates + k)
                         ? name_taken(py, py_text(py, "%s rows", base ? base : "y"))
                         : NULL;
    }
}

static void open_loop(Loop *l, Scope *o, Node *n)
{
    Arena *a = &o->py->arena;
    i64 count;
    *l = (Loop){.o = o, .n = n, .s = scan_shape(n), .roles = scan_roles(o->py->st, n)};
    l->results = py_results_of(o, n, l->s.nresults);
    l->states = arena_alloc(a, ((size_t)l->s.nstates + 1) * sizeof *l->states);
    l->rows = arena_alloc(a, ((size_t)l->s.nouts + 1) * sizeof *l->rows);
    l->is_index = arena_alloc(a, (size_t)l->s.nseqs + 1);
    bool endless = node_const_i64(l->s.n, &count) && count == SCAN_UNBOUNDED;
    if (!endless) {
        said_by_name(o, l->s.n, "count");
        l->count = said_at(o, l->s.n, NUMBER);
        if (is_for(o, PYTHON_TORCH) && l->s.n->op != OP_CONST)
            l->count = py_text(o->py, "int(%s)", l->count);
    }
    for (int i = 0; i < l->s.nseqs; i++) {
        l->is_index[i] = l->s.seqs[i]->op == OP_IOTA;
        if (!l->is_index[i])
            said_by_name(o, l->s.seqs[i], "x");
    }
    name_parts(l);
}

/* ---- the body ---- */

static void open_body(Loop *l, Scope *body, int indent)
{
    const ScanShape *s = &l->s;
    py_scope_open(body, l->o->py, s->body, indent);
    for (int i = 0; i < s->nstates; i++)
        py_say(body, s->body->param_nodes[i], l->states[i], CALL);
    for (int i = 0; i < s->ncaptures; i++) {
        Node *p = s->body->param_nodes[s->nstates + s->nseqs + i];
        Node *c = s->captures[i];
        if (c->op != OP_CONST)
            said_by_name(l->o, c, "v");
        say_given(body, p, l->o, c);
    }
}

/* The elements by which a `for` goes: x[t], t. */
static void say_elements(Loop *l, Scope *body)
{
    const ScanShape *s = &l->s;
    for (int i = 0; i < s->nseqs; i++) {
        Node *p = s->body->param_nodes[s->nstates + i];
        const char *text = py_text(body->py, "%s[%s]",
                                   l->is_index[i] ? "" : said_at(l->o, s->seqs[i], CALL), l->index);
        if (l->is_index[i])
            text = is_for(body, PYTHON_TORCH)   ? py_text(body->py, "torch.tensor(%s)", l->index)
                   : is_for(body, PYTHON_NUMPY) ? py_text(body->py, "np.int64(%s)", l->index)
                                                : l->index;
        py_say(body, p, text, CALL);
    }
}

static const char *initial(Loop *l, int i)
{
    Scope *o = l->o;
    Node *x = l->s.inits[i];
    if (x->op == OP_CONST && (is_for(o, PYTHON_TORCH) || x->type->rank))
        return constant_said(o, x->attrs[0].value, false);
    const char *text = said_at(o, x, ANYTHING);
    if (x->op == OP_CONST)
        return py_text(o->py, "%s(%s)", py_dtype(o->py, node_dtype(x)), text);
    return text;
}

static const char *next_of(Loop *l, Scope *body, int i)
{
    Node *x = l->s.body->outs[i];
    if (x->op == OP_CONST && is_for(body, PYTHON_TORCH))
        return constant_said(body, x->attrs[0].value, false);
    return said_at(body, x, ANYTHING);
}

/* "a, b = c, d"; with `tuple` "(a, b)" of one, too. */
static const char *listed(Py *py, int n, const char *const *texts, bool tuple)
{
    Text t = {0};
    for (int i = 0; i < n; i++)
        text_printf(&t, "%s%s", i ? ", " : "", texts[i]);
    if (tuple && n == 1)
        text_putc(&t, ',');
    const char *text = py_text(py, tuple ? "(%s)" : "%s", text_str(&t));
    text_free(&t);
    return text;
}

static void advance(Loop *l, Scope *body)
{
    const char **next = arena_alloc(&body->py->arena, ((size_t)l->s.nstates + 1) * sizeof *next);
    const char **names = arena_alloc(&body->py->arena, ((size_t)l->s.nstates + 1) * sizeof *names);
    int n = 0;
    for (int i = 0; i < l->s.nstates; i++) {
        const char *text = next_of(l, body, i);
        if (strcmp(text, l->states[i]) != 0)
            next[n] = one_type(body, l->s.inits[i]->type, text), names[n++] = l->states[i];
    }
    if (n)
        py_line(body, "%s = %s", listed(body->py, n, names, false),
                listed(body->py, n, next, false));
}

/* ---- for and while ---- */

static const char *row_shape(Loop *l, int k, const char *rows)
{
    Type *t = l->n->type->items[l->s.nstates + k];
    Text shape = {0};
    text_printf(&shape, "(%s,", rows);
    const char *size = "";
    for (int a = 1; a < t->rank && size; a++) {
        size = size_said(l->o, l->n, t->dims[a], ANYTHING);
        text_printf(&shape, "%s%s", a > 1 ? ", " : " ", size ? size : "");
    }
    const char *text = !size          ? NULL
                       : t->rank == 1 ? rows
                                      : py_text(l->o->py, "%s)", text_str(&shape));
    text_free(&shape);
    return text;
}

/* Where rows go: an array of the right length, a list (PyTorch), or an array that grows. */
static bool open_rows(Loop *l, int k)
{
    Scope *o = l->o;
    Type *t = l->n->type->items[l->s.nstates + k];
    const char *shape = row_shape(l, k, l->count ? l->count : "8");
    if (is_for(o, PYTHON_TORCH))
        return py_line(o, "%s = []", l->rows[k]), true;
    if (shape)
        py_line(o, "%s = np.empty(%s, dtype=%s)", l->rows[k], shape, py_dtype(o->py, t->dtype));
    return shape != NULL;
}

static void put_row(Loop *l, Scope *body, int k)
{
    const char *rows = l->rows[k], *row = said_at(body, row_of(l, k), ANYTHING);
    if (is_for(body, PYTHON_TORCH)) {
        if (row_of(l, k)->op == OP_CONST)
            row = constant_said(body, row_of(l, k)->attrs[0].value, false);
        py_line(body, "%s.append(%s)", rows, row);
        return;
    }
    if (!l->count) {
        py_line(body, "if %s == len(%s):", l->index, rows);
        py_line(body, "    %s = np.concatenate((%s, np.empty_like(%s)))", rows, rows, rows);
    }
    py_line(body, "%s[%s] = %s", rows, l->index, row);
}

static bool close_rows(Loop *l, int k)
{
    Scope *o = l->o;
    const char *rows = l->rows[k];
    Type *t = l->n->type->items[l->s.nstates + k];
    if (is_for(o, PYTHON_TORCH)) {
        const char *shape = row_shape(l, k, "0");
        if (shape)
            py_line(o, "%s = stack_rows(%s%s, %s, %s)", rows, rows, l->s.reverse ? "[::-1]" : "",
                    t->rank == 1 ? "(0,)" : shape, py_dtype(o->py, t->dtype));
        return shape != NULL;
    }
    if (l->s.stop)
        py_line(o, "%s = %s[:%s]", rows, rows, l->steps);
    return true;
}

static void put_header(Loop *l)
{
    Scope *o = l->o;
    if (!l->count) {
        py_line(o, "%s = 0", l->index);
        py_line(o, "while True:");
    } else if (l->s.reverse) {
        py_line(o, "for %s in range(%s - 1, -1, -1):", l->index, l->count);
    } else {
        py_line(o, "for %s in range(%s):", l->index, l->count);
    }
}

/* How the steps were counted, and what ended them. */
static void put_end(Loop *l, Scope *body)
{
    const char *stop = l->s.stop ? said_at(body, last_of(l), ANYTHING) : NULL;
    if (l->s.stop) {
        py_line(body, "%s = %s", l->stopped, stop);
        py_line(body, "%s = %s + 1", l->steps, l->index);
    }
    advance(l, body);
    if (l->s.stop) {
        py_line(body, "if %s:", l->stopped);
        py_line(body, "    break");
    }
    if (!l->count)
        py_line(body, "%s += 1", l->index);
}

static bool plain_loop(Loop *l)
{
    Scope *o = l->o, body;
    Py *py = o->py;
    bool ok = true;
    if (l->s.stop) {
        l->steps = name_taken(py, "steps");
        l->stopped = name_taken(py, "stopped");
        py_line(o, "%s = 0", l->steps);
        py_line(o, "%s = False", l->stopped);
    }
    for (int i = 0; i < l->s.nstates; i++)
        py_line(o, "%s = %s", l->states[i], one_type(o, l->s.inits[i]->type, initial(l, i)));
    for (int k = 0; k < l->s.nouts && ok; k++)
        ok = !l->rows[k] || open_rows(l, k);
    open_body(l, &body, o->indent + 1);
    say_elements(l, &body);
    put_header(l);
    ok = ok && py_scope_write(&body, l->s.body->nouts, l->s.body->outs);
    for (int k = 0; k < l->s.nouts && ok; k++)
        if (l->rows[k])
            put_row(l, &body, k);
    if (ok)
        put_end(l, &body);
    py_scope_close(&body);
    for (int k = 0; k < l->s.nouts && ok; k++)
        ok = !l->rows[k] || close_rows(l, k);
    if (!l->s.stop) {
        l->steps = l->count;
        l->stopped = "False";
    } else if (is_for(o, PYTHON_TORCH)) {
        py_line(o, "%s = torch.tensor(%s)", l->steps, l->steps);
        py_line(o, "%s = torch.as_tensor(%s)", l->stopped, l->stopped);
    }
    return ok;
}

/* ---- JAX ---- */

static bool jax_scan(Loop *l)
{
    Scope *o = l->o, body;
    Py *py = o->py;
    const ScanShape *s = &l->s;
    const char *step = name_taken(py, "step");
    const char **elements = arena_alloc(&py->arena, ((size_t)s->nseqs + 1) * sizeof *elements);
    const char **given = arena_alloc(&py->arena, ((size_t)s->nseqs + 1) * sizeof *given);
    const char **inits = arena_alloc(&py->arena, ((size_t)s->nstates + 1) * sizeof *inits);
    const char **next = arena_alloc(&py->arena, ((size_t)s->nstates + 1) * sizeof *next);
    const char **rows = arena_alloc(&py->arena, ((size_t)s->nouts + 1) * sizeof *rows);
    const char **names = arena_alloc(&py->arena, ((size_t)s->nouts + 1) * sizeof *names);
    open_body(l, &body, o->indent + 1);
    for (int i = 0; i < s->nseqs; i++) {
        Node *p = s->body->param_nodes[s->nstates + i];
        elements[i] = l->is_index[i] ? l->index : name_taken(py, name_wanted(&body, p, "x"));
        given[i] = l->is_index[i] ? py_text(py, "jnp.arange(%s)", l->count)
                                  : py_text(py, "%s[:%s]", said_at(o, s->seqs[i], CALL), l->count);
        py_say(&body, p, elements[i], CALL);
    }
    py_line(o, "def %s(carry, at):", step);
    if (s->nstates)
        py_line(&body, "%s = carry", listed(py, s->nstates, l->states, true));
    if (s->nseqs)
        py_line(&body, "%s = at", listed(py, s->nseqs, elements, true));
    bool ok = py_scope_write(&body, s->body->nouts, s->body->outs);
    int kept = 0;
    for (int k = 0; k < s->nouts && ok; k++)
        if (l->rows[k]) {
            rows[kept] = said_at(&body, row_of(l, k), ANYTHING);
            names[kept++] = l->rows[k];
        }
    for (int i = 0; i < s->nstates && ok; i++) {
        next[i] = next_of(l, &body, i);
        inits[i] = initial(l, i);
    }
    if (ok) {
        py_line(&body, "return %s, %s", listed(py, s->nstates, next, true),
                listed(py, kept, rows, true));
        text_putc(&py->body, '\n');
        py_line(o, "%s, %s = lax.scan(%s, %s, %s, length=%s%s)",
                listed(py, s->nstates, l->states, true), listed(py, kept, names, true), step,
                listed(py, s->nstates, inits, true), listed(py, s->nseqs, given, true), l->count,
                s->reverse ? ", reverse=True" : "");
    }
    py_scope_close(&body);
    l->steps = l->count;
    l->stopped = "False";
    return ok;
}

static bool jax_while(Loop *l)
{
    if (l->o->py->derived)
        return py_cannot(l->o, l->n, "JAX cannot differentiate a loop that may stop early");
    Scope *o = l->o, body;
    Py *py = o->py;
    const ScanShape *s = &l->s;
    int n = 2 + s->nstates + s->nouts, kept = 2 + s->nstates;
    const char **names = arena_alloc(&py->arena, (size_t)n * sizeof *names);
    const char **inits = arena_alloc(&py->arena, (size_t)n * sizeof *inits);
    const char **next = arena_alloc(&py->arena, (size_t)n * sizeof *next);
    const char *going = name_taken(py, "going"), *step = name_taken(py, "step");
    l->steps = l->index;
    l->stopped = name_taken(py, "stopped");
    names[0] = l->index, inits[0] = "0", next[0] = py_text(py, "%s + 1", l->index);
    names[1] = l->stopped, inits[1] = "False";
    for (int i = 0; i < s->nstates; i++)
        names[2 + i] = l->states[i], inits[2 + i] = initial(l, i);
    py_line(o, "def %s(loop):", going);
    py_line(o, l->count ? "    return (loop[0] < %s) & ~loop[1]" : "    return ~loop[1]", l->count);
    text_putc(&py->body, '\n');
    open_body(l, &body, o->indent + 1);
    say_elements(l, &body);
    for (int k = 0; k < s->nouts; k++)
        if (l->rows[k]) {
            const char *shape = l->count ? row_shape(l, k, l->count) : NULL;
            if (!shape)
                return py_scope_close(&body),
                       py_cannot(o, l->n, "the trace of a loop without a step count");
            inits[kept] = py_text(py, "jnp.zeros(%s, dtype=%s)", shape,
                                  py_dtype(py, l->n->type->items[s->nstates + k]->dtype));
            names[kept++] = l->rows[k];
        }
    py_line(o, "def %s(loop):", step);
    py_line(&body, "%s = loop", listed(py, kept, names, true));
    bool ok = py_scope_write(&body, s->body->nouts, s->body->outs);
    for (int i = 0; i < s->nstates && ok; i++)
        next[2 + i] = next_of(l, &body, i);
    for (int k = 0, at = 2 + s->nstates; k < s->nouts && ok; k++)
        if (l->rows[k])
            next[at++] = py_text(py, "%s.at[%s].set(%s)", l->rows[k], l->index,
                                 said_at(&body, row_of(l, k), ANYTHING));
    if (ok) {
        next[1] = said_at(&body, last_of(l), ANYTHING);
        py_line(&body, "return %s", listed(py, kept, next, true));
        text_putc(&py->body, '\n');
        py_line(o, "%s = lax.while_loop(%s, %s, %s)", listed(py, kept, names, true), going, step,
                listed(py, kept, inits, true));
        for (int k = 0; k < s->nouts; k++)
            if (l->rows[k])
                py_line(o, "%s = %s[:%s]", l->rows[k], l->rows[k], l->index);
    }
    py_scope_close(&body);
    return ok;
}

bool py_scan(Scope *o, Node *n)
{
    Loop l;
    open_loop(&l, o, n);
    bool ok = !is_for(o, PYTHON_JAX) ? plain_loop(&l) : l.s.stop ? jax_while(&l) : jax_scan(&l);
    if (!ok)
        return false;
    say_results(&l, 0, l.s.nstates, l.states);
    say_results(&l, l.s.nstates, l.s.nouts, l.rows);
    say_results(&l, l.s.steps, 1, &l.steps);
    say_results(&l, l.s.steps + 1, 1, &l.stopped);
    return true;
}

/* ---- branches ---- */

static bool write_branch(Scope *o, const IfShape *c, bool otherwise, const char *const *results)
{
    const Graph *g = otherwise ? c->else_graph : c->then_graph;
    const IntList *args = otherwise ? c->else_args : c->then_args;
    Py *py = o->py;
    Scope s;
    py_scope_open(&s, py, g, o->indent + 1);
    for (int i = 0; i < g->nparams; i++) {
        say_given(&s, g->param_nodes[i], o, c->operands[args->at[i]]);
    }
    const char **texts = arena_alloc(&py->arena, ((size_t)g->nouts + 1) * sizeof *texts);
    const char **wanted = arena_alloc(&py->arena, ((size_t)g->nouts + 1) * sizeof *wanted);
    int n = 0;
    bool ok = py_scope_write(&s, g->nouts, g->outs);
    for (int i = 0; ok && i < g->nouts; i++)
        if (results[i]) {
            bool constant = g->outs[i]->op == OP_CONST;
            texts[n] = constant ? constant_said(&s, g->outs[i]->attrs[0].value, false)
                                : said_at(&s, g->outs[i], ANYTHING);
            texts[n] = one_type(&s, g->outs[i]->type, texts[n]);
            wanted[n++] = results[i];
        }
    if (ok && is_for(o, PYTHON_JAX))
        py_line(&s, "return %s", listed(py, n, texts, true));
    else if (ok)
        py_line(&s, "%s = %s", listed(py, n, wanted, false), listed(py, n, texts, false));
    py_scope_close(&s);
    return ok;
}

bool py_choice(Scope *o, Node *n)
{
    IfShape c = if_shape(n);
    Py *py = o->py;
    int count = c.then_graph->nouts, kept = 0;
    Node **results = py_results_of(o, n, count);
    const char **names = arena_alloc(&py->arena, ((size_t)count + 1) * sizeof *names);
    const char **all = arena_alloc(&py->arena, ((size_t)count + 1) * sizeof *all);
    bool jax = is_for(o, PYTHON_JAX);
    for (int i = 0; i < c.noperands; i++)
        if (c.operands[i]->op != OP_CONST)
            said_by_name(o, c.operands[i], "v");
    for (int i = 0; i < count; i++)
        if (results[i])
            all[kept++] = names[i] = name_taken(py, name_wanted(o, results[i], "r"));
    const char *condition = said_at(o, c.condition, ANYTHING);
    const char *then_name = jax ? name_taken(py, "then") : NULL,
               *else_name = jax ? name_taken(py, "otherwise") : NULL;
    if (jax)
        py_line(o, "def %s():", then_name);
    else
        py_line(o, "if %s:", condition);
    if (!write_branch(o, &c, false, names))
        return false;
    if (jax) {
        text_putc(&py->body, '\n');
        py_line(o, "def %s():", else_name);
    } else {
        py_line(o, "else:");
    }
    if (!write_branch(o, &c, true, names))
        return false;
    if (jax) {
        text_putc(&py->body, '\n');
        py_line(o, "%s = lax.cond(%s, %s, %s)", listed(py, kept, all, true), condition, then_name,
                else_name);
    }
    for (int i = 0; i < count; i++)
        if (results[i])
            py_say(o, results[i], names[i], CALL);
    return true;
}
