/* One rule alone: :try applies it once.
 *
 * Invariant: what is switched off for this is as it was before when the command ends. */
#include "graph/print.h"
#include "repl/commands/alone.h"

enum { STATE_CHARS = 400, SHORT_STATE = 88 };

/* The first word, which names a rule; the rest is the expression. */
Rule *call_first_rule(Call *c)
{
    const char *name;
    Span span = c->span;
    if (!call_word(c, &name, &span)) {
        call_fail(c, span, "usage", ":rules lists them", "which rule?");
        return NULL;
    }
    size_t blank = strspn(c->text, " \t");
    c->text += blank;
    c->rest.start += (u32)blank;
    return call_rule(c, name, span);
}

/* ---- one rule alone ---- */

/* Rewrites copies of the roots with rule k alone, whatever is allowed; at most `limit` steps. */
void alone_run(Call *c, Rule *k, int n, Node *const *roots, u32 limit, Exploration *x,
               Refusals *why)
{
    *x = (Exploration){.st = &c->r->s.st, .nroots = n};
    x->start = xcalloc((size_t)n + 1, sizeof *x->start);
    x->roots = xcalloc((size_t)n + 1, sizeof *x->roots);
    for (int i = 0; i < n; i++)
        x->start[i] = x->roots[i] = roots[i];
    explore_rule(x, &c->r->s.rules, k, limit, why);
}

const Step *step_of_rule(const StepLog *log, const char *rule, const Node *n, Text *number,
                         const Graph **within)
{
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        size_t len = number->len;
        const Graph *around = *within;
        text_printf(number, "%s%zu", len ? "." : "", i + 1);
        *within = s->inner_before;
        const Step *inside =
            s->inner && !s->again ? step_of_rule(s->inner, rule, n, number, within) : NULL;
        if (inside)
            return inside;
        *within = around;
        bool here = strcmp(step_rule(s), rule) == 0 && !n;
        for (int k = 0; k < s->nchanges && n && !s->inner; k++)
            here = here || s->changes[k].before == n ||
                   (s->changes[k].before->op == OP_PROJ && s->changes[k].before->ops[0] == n);
        if (here)
            return s;
        number->len = len;
    }
    return NULL;
}

/* ---- :try ---- */

/* The whole before and after: as data always, in the text if they are short. */
static void put_roots(Call *c, const Exploration *x)
{
    Text side[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < x->nroots; i++) {
            Node *root = k ? x->roots[i] : x->start[i];
            Text source = {0};
            node_source_limited(&c->r->s.st, &source, root, false, STATE_CHARS);
            for (size_t j = 0; j < source.len; j++)
                if (source.at[j] == '\n')
                    source.at[j] = ' ';
            text_printf(&side[k], "%s%s", i ? ", " : "", text_str(&source));
            text_free(&source);
        }
    static const char *const keys[] = {"before", "after"};
    bool shown = side[0].len <= SHORT_STATE && side[1].len <= SHORT_STATE;
    for (int k = 0; k < 2; k++) {
        if (shown)
            text_printf(&c->out, "  %-6s  %s\n", keys[k], text_str(&side[k]));
        json_pair(&c->data, keys[k], text_str(&side[k]));
        text_free(&side[k]);
    }
}

static void put_tried(Call *c, Exploration *x, const Rule *k)
{
    Text at = {0}, change = {0}, why = {0};
    const Graph *within = NULL;
    const Step *s = step_of_rule(&x->log, k->name, NULL, &at, &within);
    s = s ? s : &x->log.at.at[0];
    exploration_things(x);
    x->numbering.within = within;
    put_changes(&change, x->st, s, &x->numbering, ", ");
    x->numbering.within = NULL;
    put_why(&why, s);
    char *classes = classes_text(c, step_classes(s));
    text_printf(&c->out, "%s [%s]  %s\n", k->name, classes, text_str(&change));
    if (why.len)
        text_printf(&c->out, "  # %s\n", text_str(&why));
    put_roots(c, x);
    json_pair(&c->data, "classes", classes);
    json_pair(&c->data, "change", text_str(&change));
    json_pair(&c->data, "why", text_str(&why));
    text_free(&at);
    text_free(&change);
    text_free(&why);
}

/* The expression, or what it is after step=K. */
static int tried_roots(Call *c, Node ***roots)
{
    i64 step;
    if (!call_option(c, "step"))
        return call_roots(c, NULL, roots);
    Exploration *x = call_explore(c);
    if (!x || !call_count(c, "step", 0, (i64)x->log.at.len, &step))
        return -1;
    *roots = call_roots_at(c, x, "step", &(Place){1, {(u32)step}});
    return *roots ? x->nroots : -1;
}

bool command_try(Call *c)
{
    Rule *k = call_first_rule(c);
    if (!k)
        return false;
    if (!call_has_expr(c))
        return call_fail(c, c->span, "usage", ":try RULE EXPR", "on which expression?");
    Node **roots = NULL;
    int n = tried_roots(c, &roots);
    if (n < 0)
        return false;
    Exploration x;
    alone_run(c, k, n, roots, 1, &x, NULL);
    json_pair(&c->data, "rule", k->name);
    json_key(&c->data, "fired");
    json_bool(&c->data, x.log.at.len > 0);
    bool ok = true;
    if (x.log.at.len) {
        put_tried(c, &x, k);
    } else {
        text_printf(&c->out, "%s fires nowhere\n", k->name);
        ok = put_whynot(c, &x, k, 0);
    }
    exploration_clear(&x);
    free(roots);
    return ok;
}
