/* A scan that is looked at step by step.  See looking.h. */
#include "repl/commands/looking.h"

#include "graph/print.h"
#include "repl/commands/brief.h"
#include "passes/passes.h"
#include "repl/commands/show.h"

enum { LABEL = 44 };

/* ---- values ---- */

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

/* ---- tables ---- */

static bool find_layout(Looking *l)
{
    Repl *r = l->c->r;
    i64 width, digits;
    if (!call_number(l->c, "width", repl_width(r), LEAST_WIDTH, MOST_WIDTH, &width) ||
        !call_number(l->c, "digits", r->digits ? r->digits : BRIEF_DIGITS, 1, MOST_DIGITS, &digits))
        return false;
    l->width = (int)width;
    l->digits = (int)digits;
    return true;
}

void looking_print(Looking *l, Grid *g)
{
    if (grid_print(g, &l->c->out))
        l->part = true;
}

void looking_cell(Looking *l, Grid *g, const Tensor *t)
{
    grid_value(g, t);
    if (t)
        show_json_elements(&l->c->data, t);
    else
        json_null(&l->c->data);
}

void looking_put_part(Looking *l)
{
    if (l->part)
        grid_note(&l->c->out,
                  "… is what there is no room for: a larger width= and fewer digits= make room, an "
                  "index, as in S.h[3], shows a value whole, --json has all",
                  l->width);
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

/* `from=`, which is of a step that there is; of a loop without steps only 0. */
static bool find_first(Looking *l)
{
    const Option *o = call_option(l->c, "from");
    l->from = -1;
    if (!o || !call_count(l->c, "from", 0, INT64_MAX, &l->from))
        return !o;
    i64 last = l->steps ? l->steps - 1 : 0;
    return l->from <= last ||
           call_fail(l->c, o->span, "usage", NULL,
                     "the loop takes %lld step%s, so from= goes up to %lld", (long long)l->steps,
                     l->steps == 1 ? "" : "s", (long long)last);
}

bool looking_begin(Looking *l)
{
    l->nroots = call_roots(l->c, NULL, &l->roots);
    return l->nroots > 0 && derivatives_expand(l->st, &l->c->r->s.rules, l->nroots, l->roots) &&
           (l->scan = looking_scan(l)) && count_steps(l) && find_first(l) && find_layout(l);
}

bool looking_unroll(Looking *l, i64 first)
{
    i64 left = l->steps - first;
    unroll_free(&l->u);
    return scan_unroll_from(l->st, l->scan, l->steps, first, (int)(left < l->rows ? left : l->rows),
                            &l->u);
}

void looking_end(Looking *l)
{
    unroll_free(&l->u);
    free(l->roots);
}

/* ---- what is left out ---- */

/* "… 40 steps before these (from=20)" */
static bool put_rest(Text *out, bool more, i64 n, const char *where, i64 from)
{
    if (n > 0)
        text_printf(out, "%s %lld%s step%s%s (from=%lld)", more ? "," : "…", (long long)n,
                    *where || more ? "" : " more", n == 1 ? "" : "s", where, (long long)from);
    return more || n > 0;
}

static i64 page_before(const Looking *l) { return l->u.first > l->rows ? l->u.first - l->rows : 0; }

static void put_note(Looking *l, Text *note)
{
    if (note->len)
        grid_note(&l->c->out, text_str(note), l->width);
    text_free(note);
}

void looking_put_end(Looking *l)
{
    Text note = {0}, *out = &note;
    i64 end = l->u.first + l->u.k;
    bool said = put_rest(out, false, l->u.first, " before", page_before(l));
    said = put_rest(out, said, l->steps - end, said ? " after" : "", end);
    if (l->stopped)
        text_printf(out, "%suntil stopped it after step %lld", said ? "; " : "",
                    (long long)l->steps);
    if (!l->steps)
        text_put(out, "the loop takes no step");
    put_note(l, &note);
    json_key(&l->c->data, "steps");
    json_int(&l->c->data, l->steps);
    json_key(&l->c->data, "stopped");
    json_bool(&l->c->data, l->stopped);
    json_key(&l->c->data, "from");
    json_int(&l->c->data, l->u.first);
}

void looking_put_way_back(Looking *l)
{
    Text note = {0};
    i64 end = l->u.first + l->u.k;
    bool said = put_rest(&note, false, l->steps - end, " after", end);
    put_rest(&note, said, l->u.first, said ? " before" : "", page_before(l));
    put_note(l, &note);
    json_key(&l->c->data, "backward_from");
    json_int(&l->c->data, l->u.first);
}
