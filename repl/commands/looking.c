/* A scan that is looked at step by step.  See looking.h. */
#include "repl/commands/looking.h"

#include "graph/print.h"
#include "passes/passes.h"
#include "repl/commands/show.h"

enum { LABEL = 44 };

/* ---- which scan ---- */

static bool scan_is_named(Store *st, const Node *scan, const NodeVec *all, const char *name)
{
    Symbol s = node_name(st, scan);
    bool found = s && !strcmp(s, name);
    for (size_t i = 0; i < all->len && !found; i++) {
        const Node *p = all->at[i];
        s = p->op == OP_PROJ && p->ops[0] == scan ? node_name(st, p) : NULL;
        found = s && !strcmp(s, name);
    }
    const Symbol *names = scan_roles(st, scan).names;
    for (int i = 0; i < scan_shape(scan).nstates && !found; i++)
        found = names[i] && !strncmp(names[i], name, strlen(name)) && names[i][strlen(name)] == '[';
    return found;
}

/* The scan that the value comes from last, or the last of that name. */
static bool find_scan(Looking *l)
{
    const Option *name = call_option(l->c, "scan");
    NodeVec order = {0};
    nodes_topo(l->nroots, l->roots, &order);
    for (size_t i = order.len; i-- > 0 && !l->scan;)
        if (order.at[i]->op == OP_SCAN &&
            (!name || scan_is_named(l->st, order.at[i], &order, name->value)))
            l->scan = order.at[i];
    vec_free(&order);
    if (l->scan)
        return true;
    if (name)
        return call_fail(l->c, name->span, "unknown-name",
                         "a scan is found by its name or that of one of its states",
                         "there is no scan %s outside other loops here", name->value);
    return call_fail(l->c, l->c->rest, "no-scan", NULL, "there is no scan in this expression");
}

/* ---- values ---- */

/* The values of nodes as they stand, in at[0] .. at[n - 1]; false after a diagnostic. */
bool looking_evaluate(Looking *l, const NodeVec *nodes, Tensor ***at)
{
    Node **roots = xmalloc((nodes->len + 1) * sizeof *roots);
    *at = xcalloc(nodes->len + 1, sizeof **at);
    bool ok = true;
    for (size_t i = 0; i < nodes->len; i++)
        ok = ok && (roots[i] = nodes->at[i]) != NULL;
    ok = ok && derivatives_expand(l->st, &l->c->r->s.rules, (int)nodes->len, roots) &&
         session_evaluate_raw(&l->c->r->s, (int)nodes->len, roots, NULL, *at);
    free(roots);
    return ok;
}

void looking_release(Tensor **at, size_t n)
{
    for (size_t i = 0; i < n && at; i++)
        tensor_unref(at[i]);
    free(at);
}

/* A value in the next cell of a table and of the data; NULL: an empty one. */
void looking_cell(Looking *l, Table *table, const Tensor *t, const char *after)
{
    Text cell = {0};
    if (t)
        show_brief(&cell, t);
    table_cell(table, "%s%s", text_str(&cell), after);
    text_free(&cell);
    if (t)
        show_json_elements(&l->c->data, t);
    else
        json_null(&l->c->data);
}

/* ---- labels ---- */

static void put_label(Looking *l, Text *out, Node *n)
{
    if (l->u.s.stop && n == l->u.s.body->outs[l->u.s.steps] && n->op != OP_PARAM) {
        text_put(out, "until");
        return;
    }
    ScanRoles roles = scan_roles(l->st, l->scan);
    Symbol name = node_name_in(l->st, l->u.s.body, n);
    if (n->op == OP_PARAM)
        name = roles.names[n->attrs[0].i] ? roles.names[n->attrs[0].i] : name;
    for (int o = l->u.s.nouts; o-- > 0 && n->op != OP_PARAM;) /* of two equations, the first */
        if (n == l->u.s.body->outs[l->u.s.nstates + o] && roles.outs[o])
            name = roles.outs[o];
    if (name) {
        text_put(out, name);
        return;
    }
    Numbering num = {.within = l->u.s.body};
    Text whole = {0};
    node_source_numbered(l->st, &whole, n, &num, 8);
    if (whole.len <= LABEL && !strchr(text_str(&whole), '\n')) {
        text_put(out, text_str(&whole));
    } else {
        text_printf(out, "%s of ", node_info(n)->name);
        type_print(out, n->type);
    }
    text_free(&whole);
    map_free(&num.of);
}

char *looking_label(Looking *l, Node *n)
{
    Text t = {0};
    put_label(l, &t, n);
    char *s = arena_strndup(&l->c->arena, text_str(&t), t.len);
    text_free(&t);
    return s;
}

/* ---- begin ---- */

bool looking_loss(Looking *l)
{
    Type *t = l->roots[0]->type;
    if (l->nroots == 1 && t->kind == TYPE_TENSOR && t->rank == 0 && dtype_is_float(t->dtype))
        return true;
    return call_fail(l->c, l->c->rest, "type-mismatch", "sum(...) makes a scalar of an array",
                     "a gradient is of one real number");
}

static bool count_steps(Looking *l)
{
    ScanShape s = scan_shape(l->scan);
    NodeVec asked = {0};
    Tensor **at;
    vec_push(&asked, node_proj(l->st, l->scan, s.steps));
    vec_push(&asked, node_proj(l->st, l->scan, s.steps + 1));
    bool ok = looking_evaluate(l, &asked, &at);
    if (ok) {
        l->steps = tensor_i64_at(at[0], 0);
        l->stopped = tensor_i64_at(at[1], 0) != 0;
    }
    looking_release(at, asked.len);
    vec_free(&asked);
    return ok;
}

bool looking_begin(Looking *l)
{
    l->nroots = call_roots(l->c, NULL, &l->roots);
    return l->nroots > 0 && derivatives_expand(l->st, &l->c->r->s.rules, l->nroots, l->roots) &&
           find_scan(l) && count_steps(l);
}

void looking_end(Looking *l)
{
    unroll_free(&l->u);
    free(l->roots);
}

void looking_put_end(Looking *l, i64 shown)
{
    if (shown < l->steps)
        text_printf(&l->c->out, "… %lld more step%s", (long long)(l->steps - shown),
                    l->steps - shown == 1 ? "" : "s");
    if (l->stopped)
        text_printf(&l->c->out, "%suntil stopped it after step %lld", shown < l->steps ? "; " : "",
                    (long long)l->steps);
    if (!l->steps)
        text_put(&l->c->out, "the loop takes no step");
    if (shown < l->steps || l->stopped || !l->steps)
        text_putc(&l->c->out, '\n');
    json_key(&l->c->data, "steps");
    json_int(&l->c->data, l->steps);
    json_key(&l->c->data, "stopped");
    json_bool(&l->c->data, l->stopped);
}
