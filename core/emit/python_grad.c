/* Derivatives by the library that runs the program: jax.grad, torch.autograd (`grad=native`).
 *
 * What is differentiated becomes a function of all that its graph is given. PyTorch takes
 * derivatives by copies, so that other ways to the same value do not count; they are differentiable
 * themselves where a derivative stands inside of another. */
#include "emit/python.h"

#include "graph/op.h"

static bool is_constant_of_torch(const Scope *s, const Node *n)
{
    return n->op == OP_CONST && is_for(s, PYTHON_TORCH);
}

static const char *given(Scope *s, const Node *n)
{
    return is_constant_of_torch(s, n) ? constant_said(s, n->attrs[0].value, false)
                                      : said_at(s, n, ANYTHING);
}

/* "def loss(w, x):", with its lines; what it is called. NULL after a diagnostic. */
static const char *write_function(Scope *o, const Node *n)
{
    const Graph *g = n->attrs[0].graph;
    Py *py = o->py;
    Scope s;
    Text params = {0};
    py_scope_open(&s, py, g, o->indent + 1);
    const char *name = name_taken(py, name_wanted(&s, g->outs[0], "loss"));
    for (int i = 0; i < g->nparams; i++) {
        const char *wanted = name_wanted(o, n->ops[i], "x");
        const char *param = name_taken(py, name_wanted(&s, g->param_nodes[i], wanted));
        py_say(&s, g->param_nodes[i], param, CALL);
        text_printf(&params, "%s%s", i ? ", " : "", param);
    }
    text_putc(&py->body, '\n');
    py_line(o, "def %s(%s):", name, text_str(&params));
    text_free(&params);
    py->derived++;
    bool ok = py_scope_write(&s, 1, g->outs);
    py->derived--;
    if (ok) {
        py_line(&s, "return %s", given(&s, g->outs[0]));
        text_putc(&py->body, '\n');
    }
    py_scope_close(&s);
    return ok ? name : NULL;
}

/* Results of the node that are read, and their names: derivatives by the first operands, the value.
 */
typedef struct {
    Node **result;
    const char **name;
    int wrt, wanted; /* of these so many are read */
} Results;

static Results find_results(Scope *o, Node *n)
{
    Py *py = o->py;
    Results r = {.wrt = (int)n->attrs[1].i};
    r.result = py_results_of(o, n, r.wrt + 1);
    r.name = arena_alloc(&py->arena, ((size_t)r.wrt + 1) * sizeof *r.name);
    for (int i = 0; i <= r.wrt; i++) {
        if (!r.result[i])
            continue;
        const char *by = i < r.wrt ? name_wanted(o, n->ops[i], "x") : NULL;
        const char *otherwise = by ? py_text(py, "d_%s", by) : "result";
        r.name[i] = name_taken(py, name_wanted(o, r.result[i], otherwise));
        r.wanted += i < r.wrt;
        py_say(o, r.result[i], r.name[i], CALL);
    }
    return r;
}

/* "x, w": all operands, those that derivatives are taken by under these names if there are any. */
static const char *arguments(Scope *o, const Node *n, const char *const *copies)
{
    Text t = {0};
    for (u32 i = 0; i < n->nops; i++)
        text_printf(&t, "%s%s", i ? ", " : "",
                    copies && copies[i] ? copies[i] : given(o, n->ops[i]));
    const char *text = py_text(o->py, "%s", text_str(&t));
    text_free(&t);
    return text;
}

/* "a, b"; one with a comma, as a tuple. */
static const char *wanted_names(Scope *o, const Results *r, const char *const *names)
{
    Text t = {0};
    for (int i = 0; i < r->wrt; i++)
        if (r->result[i])
            text_printf(&t, "%s%s", t.len ? ", " : "", names[i]);
    text_put(&t, r->wanted == 1 ? "," : "");
    const char *text = py_text(o->py, "%s", text_str(&t));
    text_free(&t);
    return text;
}

static void jax_derivative(Scope *o, const Node *n, const Results *r, const char *function)
{
    Text places = {0};
    for (int i = 0; i < r->wrt; i++)
        if (r->result[i])
            text_printf(&places, "%s%d", places.len ? ", " : "", i);
    text_put(&places, r->wanted == 1 ? "," : "");
    const char *value = r->name[r->wrt], *names = wanted_names(o, r, r->name);
    if (!value)
        py_line(o, "(%s) = jax.grad(%s, argnums=(%s))(%s)", names, function, text_str(&places),
                arguments(o, n, NULL));
    else
        py_line(o, "%s, (%s) = jax.value_and_grad(%s, argnums=(%s))(%s)", value, names, function,
                text_str(&places), arguments(o, n, NULL));
    text_free(&places);
}

static void torch_derivative(Scope *o, const Node *n, const Results *r, const char *function)
{
    Py *py = o->py;
    const char **copies = arena_alloc(&py->arena, ((size_t)n->nops + 1) * sizeof *copies);
    for (int i = 0; i < r->wrt; i++) {
        if (!r->result[i])
            continue;
        copies[i] = name_taken(py, name_wanted(o, n->ops[i], "x"));
        py_line(o, "%s = varied(%s)", copies[i], given(o, n->ops[i]));
    }
    const char *kept = r->name[r->wrt];
    const char *value = kept ? kept : name_taken(py, "value");
    py_line(o, "%s = %s(%s)", value, function, arguments(o, n, copies));
    py_line(o, "%s = derivatives(%s, (%s), %s)", wanted_names(o, r, r->name), value,
            wanted_names(o, r, copies), py->derived ? "True" : "False");
    if (kept && !py->derived)
        py_line(o, "%s = %s.detach()", kept, kept);
}

bool py_grad(Scope *o, Node *n)
{
    if (!o->py->x->native)
        return py_cannot(o, n, "a graph before the pass `differentiate`");
    for (u32 i = 0; i < n->nops; i++)
        if (n->ops[i]->op != OP_CONST)
            said_by_name(o, n->ops[i], "x");
    const char *function = write_function(o, n);
    if (!function)
        return false;
    Results r = find_results(o, n);
    if (!r.wanted && r.name[r.wrt])
        py_line(o, "%s = %s(%s)", r.name[r.wrt], function, arguments(o, n, NULL));
    else if (is_for(o, PYTHON_JAX))
        jax_derivative(o, n, &r, function);
    else
        torch_derivative(o, n, &r, function);
    return true;
}
