/* One rule alone: :try applies it once, :whynot tells why it does not fire.
 *
 * Invariant: what is switched off for this is as it was before when the command ends. */
#include "rewrite/things.h"
#include "rewrite/history.h"
#include "graph/print.h"
#include "repl/commands/commands.h"

enum { SHOWN_PLACES = 3, STATE_CHARS = 400 };

/* The first word, which names a rule; the rest is the expression. */
static Rule *first_rule(Call *c)
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

static void find_inside(int n, Node *const *roots, PtrMap *seen, NodeVec *out)
{
    NodeVec order = {0};
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        int slots[4], count = node_graphs(order.at[i], slots);
        if (map_has(seen, order.at[i]))
            continue;
        map_put(seen, order.at[i], order.at[i]);
        for (int k = 0; k < count; k++) {
            Graph *g = order.at[i]->attrs[slots[k]].graph;
            find_inside(g->nouts, g->outs, seen, out);
        }
        vec_push(out, order.at[i]);
    }
    vec_free(&order);
}

void nodes_inside(int n, Node *const *roots, NodeVec *out)
{
    PtrMap seen = {0};
    find_inside(n, roots, &seen, out);
    map_free(&seen);
}

/* Rewrites copies of the roots with rule k alone, whatever is allowed; at most `limit` steps. */
static void run_alone(Call *c, Rule *k, int n, Node *const *roots, u32 limit, Exploration *x,
                      Refusals *why)
{
    *x = (Exploration){.st = &c->r->s.st, .nroots = n};
    x->start = xcalloc((size_t)n + 1, sizeof *x->start);
    x->roots = xcalloc((size_t)n + 1, sizeof *x->roots);
    for (int i = 0; i < n; i++)
        x->start[i] = x->roots[i] = roots[i];
    explore_rule(x, &c->r->s.rules, k, limit, why);
}

static void free_alone(Exploration *x)
{
    things_free(x->things);
    steplog_free(&x->log);
    loglist_free(&x->inner_logs);
    map_free(&x->numbering.of);
    free(x->start);
    free(x->roots);
}

/* ---- :whynot ---- */

/* The step that replaces n (NULL: any), inside inner graphs too; its number in `number`. */
static const Step *find_step(const StepLog *log, const char *rule, const Node *n, Text *number)
{
    for (size_t i = 0; i < log->at.len; i++) {
        const Step *s = &log->at.at[i];
        size_t len = number->len;
        text_printf(number, "%s%zu", len ? "." : "", i + 1);
        const Step *inside = s->inner && !s->again ? find_step(s->inner, rule, n, number) : NULL;
        if (inside)
            return inside;
        bool here = strcmp(step_rule(s), rule) == 0 && !n;
        for (int k = 0; k < s->nchanges && n && !s->inner; k++)
            here = here || s->changes[k].before == n;
        if (here)
            return s;
        number->len = len;
    }
    return NULL;
}

static bool pass_is_off(const RuleSet *rs, const Rule *k)
{
    const char *pass = rule_pass(k);
    bool some = false, off = true;
    for (size_t i = 0; i < rs->pipeline.len; i++) {
        bool own = strcmp(rs->pipeline.at[i].name, pass) == 0;
        some = some || own;
        off = off && (!own || rs->pipeline.at[i].off);
    }
    return some && off;
}

static bool is_shut(Call *c, const Rule *k, Text *why)
{
    const RuleSet *rs = &c->r->s.rules;
    u32 shut = k->classes & ~rs->allowed;
    if (k->off)
        text_printf(why, "it matches, but the rule is switched off: `:set rule %s on`", k->name);
    else if (shut)
        text_printf(why, "it matches, but its class is not allowed: `:set allow %s`",
                    classes_text(c, shut));
    else if (pass_is_off(rs, k))
        text_printf(why, "it matches, but the pass %s is switched off", k->pass);
    return why->len > 0;
}

/* The last condition that failed at n: the one that the rule came to latest. */
static bool put_refusal(const Refusals *refusals, const Node *n, Text *why)
{
    for (size_t i = refusals->all.len; i-- > 0;) {
        const Refused *r = &refusals->all.at[i];
        if (r->site != n)
            continue;
        text_put(why, r->why);
        if (r->at)
            text_printf(why, ": %s", op_table[r->at->op].name);
        return true;
    }
    return false;
}

/* Would k fire at n, a node of the graph of the roots? If not, why not. */
static bool explain(Call *c, Rule *k, Node *n, int nroots, Node *const *roots, Text *why)
{
    bool fires = false;
    if (k->root < OP_COUNT && n->op != k->root) {
        text_printf(why, "it is %s, the rule is for %s", op_table[n->op].name,
                    op_table[k->root].name);
        return false;
    }
    if (k->text) {
        fires = rule_explain_text(&c->r->s.st, k, n, why);
    } else {
        Exploration x;
        Text number = {0};
        Refusals refusals = {0};
        run_alone(c, k, nroots, roots, c->r->s.rules.step_limit, &x, &refusals);
        fires = find_step(&x.log, k->name, n, &number) != NULL;
        free_alone(&x);
        text_free(&number);
        if (!fires && !put_refusal(&refusals, n, why))
            text_printf(why, "its conditions do not hold here (%s)", k->reason);
        refusals_free(&refusals);
    }
    if (fires && !is_shut(c, k, why))
        text_put(why, "it would fire");
    return fires && strcmp(text_str(why), "it would fire") == 0;
}

static bool put_reason(Call *c, Exploration *x, Rule *k, Node *n, Node *const *roots)
{
    Text why = {0};
    bool fires = explain(c, k, n, x->nroots, roots, &why);
    text_put(&c->out, "  at ");
    size_t from = c->out.len;
    operand_print(&c->out, n, &x->numbering);
    char *name = arena_strndup(&c->arena, c->out.at + from, c->out.len - from);
    text_put(&c->out, ", ");
    put_short(&c->out, &c->r->s.st, n, &x->numbering);
    text_printf(&c->out, ": %s\n", text_str(&why));
    json_begin(&c->data, '{');
    json_pair(&c->data, "node", name);
    json_key(&c->data, "fires");
    json_bool(&c->data, fires);
    json_pair(&c->data, "why", text_str(&why));
    json_end(&c->data, '}');
    text_free(&why);
    return fires;
}

/* The root, and other nodes of the rule's operator. */
static void put_reasons(Call *c, Exploration *x, Rule *k, Node *const *roots, bool root)
{
    NodeVec all = {0};
    int shown = 0, more = 0;
    nodes_inside(x->nroots, roots, &all);
    for (int i = 0; i < x->nroots && root; i++)
        put_reason(c, x, k, roots[i], roots);
    for (size_t i = 0; i < all.len; i++) {
        bool is_root = false;
        for (int r = 0; r < x->nroots; r++)
            is_root = is_root || (root && all.at[i] == roots[r]);
        if (is_root || all.at[i]->op != k->root)
            continue;
        if (shown++ < SHOWN_PLACES)
            put_reason(c, x, k, all.at[i], roots);
        else
            more++;
    }
    if (!shown && !root && k->root < OP_COUNT)
        text_printf(&c->out, "  there is no %s in it\n", op_table[k->root].name);
    else if (!shown && !root)
        text_printf(&c->out, "  its conditions hold nowhere in it (%s)\n", k->reason);
    if (more)
        text_printf(&c->out, "  and %d more\n", more);
    vec_free(&all);
}

static bool whynot_number(Call *c, i64 *k, Span *span)
{
    char *end;
    *k = -1;
    if (*c->text != '%')
        return true;
    *k = c->text[1] >= '0' && c->text[1] <= '9' ? strtoll(c->text + 1, &end, 10) : -1;
    if (*k < 0 || (*end && !strchr(" \t", *end)))
        return call_fail(c, c->rest, "usage", "the numbers are those of :steps and :graph",
                         "a node is %%3");
    const char *word;
    call_word(c, &word, span);
    return true;
}

/* The step at which the rule's pass begins; of the normal form, where it ends. */
static u32 state_of_pass(const Exploration *x, const Rule *k)
{
    const char *pass = rule_pass(k);
    bool normal = strcmp(pass, "canonicalize") == 0;
    for (size_t i = 0; i < x->passes.len; i++)
        if (strcmp(x->passes.at[i].name, pass) == 0)
            return x->passes.at[i].first_step + (normal ? x->passes.at[i].steps : 0);
    return 0;
}

static bool whynot_at(Call *c, Exploration *x, Rule *k, i64 number, Span span)
{
    const Thing *thing = thing_numbered(x, (u32)number);
    Node *n = thing ? thing->last->node : NULL;
    if (!n)
        return call_fail(c, span, "unknown-name", ":graph and :steps show the numbers",
                         "there is no node %%%lld", (long long)number);
    json_key(&c->data, "places");
    json_begin(&c->data, '[');
    text_printf(&c->out, "%s\n", k->name);
    put_reason(c, x, k, n, n->type->kind == TYPE_TENSOR && x->nroots == 1 ? &n : x->start);
    json_end(&c->data, ']');
    return true;
}

bool command_whynot(Call *c)
{
    Rule *k = first_rule(c);
    i64 number;
    Span span = c->rest;
    if (!k || !whynot_number(c, &number, &span))
        return false;
    bool last = !call_has_expr(c);
    Exploration *x = last ? call_last(c) : call_explore(c);
    if (!x)
        return last ? call_fail(c, c->span, "usage", ":whynot RULE EXPR", "of which expression?")
                    : false;
    exploration_things(x);
    json_pair(&c->data, "rule", k->name);
    if (number >= 0)
        return whynot_at(c, x, k, number, span);
    Text at = {0};
    const Step *s = find_step(&x->log, k->name, NULL, &at);
    json_key(&c->data, "fired");
    json_bool(&c->data, s != NULL);
    if (s) {
        text_printf(&c->out, "%s fires, step %s: ", k->name, text_str(&at));
        put_changes(&c->out, &c->r->s.st, s, &x->numbering, ", ");
        text_putc(&c->out, '\n');
        json_pair(&c->data, "step", text_str(&at));
    } else {
        Node **roots = xcalloc((size_t)x->nroots + 1, sizeof *roots);
        exploration_replay(x, state_of_pass(x, k), roots);
        text_printf(&c->out, "%s does not fire\n", k->name);
        json_key(&c->data, "places");
        json_begin(&c->data, '[');
        put_reasons(c, x, k, roots, true);
        json_end(&c->data, ']');
        free(roots);
    }
    text_free(&at);
    return true;
}

/* ---- :try ---- */

static void put_roots(Call *c, const char *key, int n, Node *const *roots)
{
    Text all = {0};
    for (int i = 0; i < n; i++) {
        Text source = {0};
        node_source_limited(&c->r->s.st, &source, roots[i], false, STATE_CHARS);
        for (size_t k = 0; k < source.len; k++)
            if (source.at[k] == '\n')
                source.at[k] = ' ';
        text_printf(&all, "%s%s", i ? ", " : "", text_str(&source));
        text_free(&source);
    }
    text_printf(&c->out, "  %-6s  %s\n", key, text_str(&all));
    json_pair(&c->data, key, text_str(&all));
    text_free(&all);
}

static void put_tried(Call *c, Exploration *x, const Rule *k)
{
    Text at = {0}, change = {0}, why = {0};
    const Step *s = find_step(&x->log, k->name, NULL, &at);
    s = s ? s : &x->log.at.at[0];
    exploration_things(x);
    put_changes(&change, x->st, s, &x->numbering, ", ");
    put_why(&why, s);
    char *classes = classes_text(c, step_classes(s));
    text_printf(&c->out, "%s [%s]  %s\n", k->name, classes, text_str(&change));
    if (why.len)
        text_printf(&c->out, "  # %s\n", text_str(&why));
    put_roots(c, "before", x->nroots, x->start);
    put_roots(c, "after", x->nroots, x->roots);
    json_pair(&c->data, "classes", classes);
    json_pair(&c->data, "change", text_str(&change));
    json_pair(&c->data, "why", text_str(&why));
    text_free(&at);
    text_free(&change);
    text_free(&why);
}

bool command_try(Call *c)
{
    Rule *k = first_rule(c);
    if (!k)
        return false;
    if (!call_has_expr(c))
        return call_fail(c, c->span, "usage", ":try RULE EXPR", "on which expression?");
    Node **roots = NULL;
    int n = call_roots(c, NULL, &roots);
    if (n < 0)
        return false;
    Exploration x;
    run_alone(c, k, n, roots, 1, &x, NULL);
    json_pair(&c->data, "rule", k->name);
    json_key(&c->data, "fired");
    json_bool(&c->data, x.log.at.len > 0);
    if (x.log.at.len) {
        put_tried(c, &x, k);
    } else {
        exploration_things(&x);
        text_printf(&c->out, "%s fires nowhere\n", k->name);
        json_key(&c->data, "places");
        json_begin(&c->data, '[');
        put_reasons(c, &x, k, roots, false);
        json_end(&c->data, ']');
    }
    free_alone(&x);
    free(roots);
    return true;
}
