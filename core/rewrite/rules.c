/* Sets of rules: read from text, joined by the rules in C, indexed by root operator.
 *
 * A line of a .rules file:
 *   name [CLASSES]: pattern => replacement if guard(x) and guard(y)  "reason"
 * `<=>` reads it both ways, for equality saturation.
 * The classes may end in the word `grows`: the right side is not simpler in the canonical order.
 * `pass NAME` sets the pass for the lines after it; `#` starts a comment. Indented lines that begin
 * with `try` or `not` are examples of the rule above them (rule_example.h), or of the one that
 * `rule NAME` names. */
#include "graph/op.h"
#include "rewrite/pass.h"
#include "rewrite/pattern_parts.h"
#include "rewrite/rule_example.h"

#include "embed/embed.h"
#include "syntax/parse.h"

bool rule_is_on_loop(const Rule *r) { return r->vars && r->vars->loop; }

const char *rule_root_name(const Rule *r)
{
    const Pattern *p = r->pattern;
    return p && p->kind == PAT_SCAN ? "scan"
           : p && p->kind == PAT_IF ? "`if`"
                                    : op_table[p && p->kind == PAT_INNER ? p->inner : r->root].name;
}

const Rule *rule_by_name(const RuleSet *rs, const char *name)
{
    for (size_t i = 0; i < rs->all.len; i++)
        if (!strcmp(rs->all.at[i]->name, name))
            return rs->all.at[i];
    return NULL;
}

enum { MOST_GROUPS = 32 }; /* a bit of a u32 each */

static u32 group_bit(RuleSet *rs, const char *name)
{
    u32 known = rule_groups(rs, name);
    if (known)
        return known;
    if (rs->groups.len == MOST_GROUPS)
        die("more than %d groups of rules", MOST_GROUPS);
    vec_push(&rs->groups, arena_strndup(&rs->arena, name, strlen(name)));
    return 1u << (rs->groups.len - 1);
}

static Rule *rule_add(RuleSet *rs, const Rule *probe)
{
    Rule *r = arena_alloc(&rs->arena, sizeof *r);
    if (rs->ids == RULES_MOST)
        die("more than %d rules", RULES_MOST);
    *r = *probe;
    r->id = rs->ids++;
    r->group = group_bit(rs, r->pass);
    r->examples = arena_alloc(&rs->arena, sizeof *r->examples);
    *r->examples = (RuleExamples){NULL, NULL};
    vec_push(&rs->all, r);
    return r;
}

const Rule *ruleset_add(RuleSet *rs, const Rule *probe)
{
    const Rule *r = rule_add(rs, probe);
    rule_index_build(rs);
    return r;
}

typedef struct {
    RuleSet *rs;
    const Source *src;
    Diags *diags;
    size_t at, line_end;
    int line;
    const char *pass;
    bool untried;
    const Rule *last; /* that examples are about; NULL: they are passed over */
} Reader;

static void skip_blanks(Reader *r)
{
    while (r->at < r->line_end && (r->src->text[r->at] == ' ' || r->src->text[r->at] == '\t'))
        r->at++;
}

static bool reader_error(Reader *r, const char *what)
{
    Span s = {r->src, (u32)r->at, (u32)(r->at < r->line_end ? r->at + 1 : r->at)};
    diag_add(r->diags, "rule", s, "name [R]: log(1 + x) => log1p(x) if guard(x) \"reason\"", "%s",
             what);
    return false;
}

static bool eat(Reader *r, const char *text)
{
    skip_blanks(r);
    size_t n = strlen(text);
    if (r->at + n > r->line_end || strncmp(r->src->text + r->at, text, n))
        return false;
    r->at += n;
    return true;
}

static char *read_until(Reader *r, char stop)
{
    size_t start = r->at;
    while (r->at < r->line_end && r->src->text[r->at] != stop)
        r->at++;
    return arena_strndup(&r->rs->arena, r->src->text + start, r->at - start);
}

static bool read_head(Reader *r, Rule *rule)
{
    size_t start = r->at;
    while (r->at < r->line_end && !strchr(" [:\t", r->src->text[r->at]))
        r->at++;
    rule->name = arena_strndup(&r->rs->arena, r->src->text + start, r->at - start);
    if (!*rule->name)
        return reader_error(r, "a rule must start with its name");
    if (rule_by_name(r->rs, rule->name))
        return reader_error(r, "a rule with that name already exists");
    rule->classes = HAZARD_R;
    if (eat(r, "[")) {
        char *classes = read_until(r, ']');
        char *mark = strstr(classes, "grows");
        rule->grows = mark && strspn(mark + 5, " ") == strlen(mark + 5);
        rule->classes =
            hazard_parse(classes, rule->grows ? (size_t)(mark - classes) : strlen(classes));
        if (!rule->classes || !eat(r, "]"))
            return reader_error(r, "the classes are E Z R N+ N- D S C O");
    }
    return eat(r, ":") || reader_error(r, "a colon is missing after the name");
}

static Expr *read_expr(Reader *r)
{
    size_t end = r->at;
    size_t errors = r->diags->errors;
    Expr *x = parse_expression_at(r->src, r->at, &end, &r->rs->arena, r->diags);
    if (x && end > r->line_end) {
        reader_error(r, "a rule must be on one line");
        return NULL;
    }
    if (!x && r->diags->errors == errors)
        reader_error(r, "an expression is missing here");
    r->at = end;
    return x;
}

/* Variables that are operands of x; of some functions only the shape of one counts. `always`: not
 * those that only a branch of an `if`, a derivative or a map has. */
static u32 operands_of(const RuleVars *vars, const Expr *x, bool always)
{
    static const char *const shape_only[] = {"zeros_like", "ones_like", "size",
                                             "count",      "dtype_of",  "last_axis"};
    u32 used = 0;
    int slot = x->kind == E_NAME ? rule_var(vars, x->text) : -1;
    bool call = x->kind == E_CALL;
    InnerCall inner;
    if (call && expr_inner_call(x, &inner) && inner.op != OP_COUNT)
        return (always ? 0 : operands_of(vars, inner.body, false)) |
               operands_of(vars, inner.at, always) |
               (inner.with ? operands_of(vars, inner.with, always) : 0);
    call = call && x->items[0]->kind == E_NAME;
    for (size_t i = 0; call && i < COUNT_OF(shape_only); i++)
        if (!strcmp(x->items[0]->text, shape_only[i]))
            return 0;
    int items = always && x->kind == E_IF ? 1 : x->nitems;
    for (int i = call; i < items; i++)
        used |= operands_of(vars, x->items[i], always);
    int nargs = call && !strcmp(x->items[0]->text, "like") ? 1 : x->nargs;
    for (int i = 0; i < nargs; i++)
        used |= operands_of(vars, x->args[i].value, always);
    return slot >= 0 ? used | 1u << slot : used;
}

static u32 dropped_operands(const RuleVars *vars, const Expr *replacement)
{
    u32 operands = 0;
    for (int i = 0; i < vars->n; i++)
        operands |= vars->kinds[i] == 'n' ? 1u << i : 0;
    return operands & (vars->always | vars->chosen) & ~operands_of(vars, replacement, false);
}

/* Those that only a branch of the left side computes, and the right side always does. */
static u32 hoisted_operands(const RuleVars *vars, const Expr *replacement)
{
    u32 attributes = 0;
    for (int i = 0; i < vars->n; i++)
        attributes |= vars->kinds[i] != 'n' && vars->kinds[i] != 'r' ? 1u << i : 0;
    return operands_of(vars, replacement, true) & ~vars->always & ~attributes;
}

/* A line's parts after its name and classes. */
typedef struct {
    Expr *left, *right, *guard;
    bool both; /* `<=>` */
    const char *reason;
} RuleParts;

static bool read_parts(Reader *r, RuleParts *p)
{
    skip_blanks(r);
    if (!(p->left = read_expr(r)))
        return false;
    p->both = eat(r, "<=>");
    if (!p->both && !eat(r, "=>"))
        return reader_error(r, "`=>` is missing after the pattern");
    if (!(p->right = read_expr(r)))
        return false;
    if (eat(r, "if ") && !(p->guard = read_expr(r)))
        return false;
    p->reason = "";
    if (eat(r, "\"")) {
        p->reason = read_until(r, '"');
        if (!eat(r, "\""))
            return reader_error(r, "the reason's closing quote is missing");
    }
    skip_blanks(r);
    return r->at >= r->line_end || r->src->text[r->at] == '#' ||
           reader_error(r, "nothing may follow a rule");
}

static void put_written(Text *out, const Reader *r, const Expr *x)
{
    text_putn(out, r->src->text + x->span.start, x->span.end - x->span.start);
}

/* "left => right if guard", as it was written. */
static char *rule_text(Reader *r, const Expr *left, const Expr *right, const Expr *guard)
{
    Text t = {0};
    put_written(&t, r, left);
    text_put(&t, " => ");
    put_written(&t, r, right);
    if (guard) {
        text_put(&t, " if ");
        put_written(&t, r, guard);
    }
    char *made = arena_strndup(&r->rs->arena, text_str(&t), t.len);
    text_free(&t);
    return made;
}

static Rule *make_rule(Reader *r, const Rule *head, Expr *left, Expr *right, Expr *guard)
{
    Rule rule = *head;
    rule.vars = arena_alloc(&r->rs->arena, sizeof *rule.vars);
    rule.pattern = pattern_compile(&r->rs->arena, left, rule.vars, r->diags);
    if (!rule.pattern ||
        !(rule.vars->loop ? scan_edit_check : template_check)(right, rule.vars, r->diags))
        return NULL;
    rule.replacement = rule.vars->loop ? (Expr *)(uintptr_t)scan_edit_value(right) : right;
    rule.root = rule.pattern->op;
    rule.guard = guard;
    if (guard && !guard_check(guard, rule.vars, r->diags))
        return NULL;
    rule.dropped = dropped_operands(rule.vars, rule.replacement);
    rule.kept = operands_of(rule.vars, rule.replacement, true);
    rule.hoisted = hoisted_operands(rule.vars, rule.replacement);
    rule.text = rule_text(r, left, right, guard);
    return rule_add(r->rs, &rule);
}

/* `a <=> b` is two rules: the second is called after the first, and `-back`. */
static bool read_rule(Reader *r)
{
    Rule head = {.pass = r->pass, .own = r->rs->complete, .untried = r->untried};
    RuleParts p = {0};
    r->last = NULL;
    if (r->rs->ids + 2 > RULES_MOST)
        return reader_error(r, "the limit on the number of rules is reached");
    if (!read_head(r, &head) || !read_parts(r, &p))
        return false;
    Text where = {0}, name = {0};
    text_printf(&where, "%s:%d", r->src->name, r->line);
    text_printf(&name, "%s-back", head.name);
    head.source = arena_strndup(&r->rs->arena, text_str(&where), where.len);
    head.reason = p.reason;
    Rule *rule = make_rule(r, &head, p.left, p.right, p.guard), *back = NULL;
    head.name = arena_strndup(&r->rs->arena, text_str(&name), name.len);
    text_free(&where);
    text_free(&name);
    if (rule && p.both && rule_by_name(r->rs, head.name))
        return reader_error(r, "a rule with the name of the reverse direction already exists");
    if (rule && p.both && (back = make_rule(r, &head, p.right, p.left, p.guard))) {
        rule->back = back;
        back->back = rule;
        back->backwards = (head.classes & (HAZARD_NPLUS | HAZARD_NMINUS | HAZARD_S)) != 0;
    }
    r->last = rule;
    return rule && (back || !p.both);
}

static bool read_example(Reader *r, bool fires)
{
    size_t end = r->line_end;
    while (end > r->at && strchr(" \t\r", r->src->text[end - 1]))
        end--;
    if (r->last)
        rule_add_example(r->rs, r->last, fires, (Span){r->src, (u32)r->at, (u32)end});
    return true;
}

static bool name_rule(Reader *r)
{
    r->last = rule_by_name(r->rs, read_until(r, ' '));
    return r->last || reader_error(r, "no rule has that name");
}

static bool read_pass(Reader *r)
{
    r->last = NULL;
    r->pass = read_until(r, ' ');
    return pass_named(r->pass) || reader_error(r, "no pass has that name");
}

static bool read_line(Reader *r)
{
    RuleLineKind kind = rule_line(r->src->text, &r->at, r->line_end);
    switch (kind) {
    case LINE_EMPTY: return true;
    case LINE_PASS: return read_pass(r);
    case LINE_NAMES_RULE: return name_rule(r);
    case LINE_TRY:
    case LINE_NOT: return read_example(r, kind == LINE_TRY);
    case LINE_RULE: break;
    }
    return read_rule(r);
}

/* The index is left as it was. */
static bool add_text(RuleSet *rs, const Source *src, const char *pass, bool untried, Diags *diags)
{
    Reader r = {.rs = rs, .src = src, .diags = diags, .pass = pass, .untried = untried};
    bool ok = true;
    if (rs->complete)
        vec_push(&rs->texts, src);
    for (size_t start = 0; start < src->len; start = r.line_end + 1) {
        const char *nl = memchr(src->text + start, '\n', src->len - start);
        r.line_end = nl ? (size_t)(nl - src->text) : src->len;
        r.at = start;
        r.line++;
        ok = read_line(&r) && ok;
    }
    return ok;
}

bool ruleset_add_text(RuleSet *rs, const Source *src, const char *pass, Diags *diags)
{
    bool ok = add_text(rs, src, pass, false, diags);
    rule_index_build(rs);
    return ok;
}

bool ruleset_add_untried(RuleSet *rs, const Source *src, const char *pass, Diags *diags)
{
    bool ok = add_text(rs, src, pass, true, diags);
    rule_index_build(rs);
    return ok;
}

void ruleset_drop(RuleSet *rs, const Rule *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < rs->all.len; i++)
        if (rs->all.at[i] != r)
            rs->all.at[kept++] = rs->all.at[i];
    rs->all.len = kept;
    rule_index_build(rs);
}

void ruleset_put(RuleSet *rs, const Rule *r)
{
    vec_push(&rs->all, r);
    rule_index_build(rs);
}

void ruleset_set(RuleSet *rs, size_t n, const Rule *const *rules)
{
    rs->all.len = 0;
    for (size_t i = 0; i < n; i++)
        vec_push(&rs->all, rules[i]);
    rule_index_build(rs);
}

void rule_print(Text *out, const Rule *r)
{
    text_printf(out, "%s [", r->name);
    hazard_print(out, r->classes);
    text_printf(out, "%s]: %s", r->grows ? " grows" : "", r->text);
    if (*r->reason)
        text_printf(out, "  \"%s\"", r->reason);
}

static void add_code_rules(RuleSet *rs, const CodeRule *table)
{
    for (const CodeRule *c = table; c->name; c++) {
        Rule r = {.name = c->name,
                  .pass = c->pass,
                  .classes = c->classes,
                  .root = c->root,
                  .fn = c->fn,
                  .opener = c->opener,
                  .reason = c->reason,
                  .source = "in C"};
        rule_add(rs, &r);
    }
}

bool ruleset_init(RuleSet *rs, Diags *diags)
{
    memset(rs, 0, sizeof *rs);
    for (const CodeRule *const *t = rule_tables; *t; t++)
        add_code_rules(rs, *t);
    bool ok = true;
    for (size_t i = 0; i < embed_rules_count; i++) {
        Source *src = arena_alloc(&rs->arena, sizeof *src);
        src->name = arena_strndup(&rs->arena, embed_rules[i].name, strlen(embed_rules[i].name));
        src->len = embed_rules[i].len;
        src->text = arena_strndup(&rs->arena, embed_rules[i].text, src->len);
        ok = add_text(rs, src, "canonicalize", false, diags) && ok;
    }
    rs->complete = true;
    rule_index_build(rs);
    return ok;
}

void ruleset_extend(RuleSet *rs, const RuleSet *base)
{
    *rs = (RuleSet){.ids = base->ids, .complete = true};
    for (size_t i = 0; i < base->groups.len; i++)
        vec_push(&rs->groups, base->groups.at[i]);
    ruleset_set(rs, base->all.len, base->all.at);
}

void ruleset_free(RuleSet *rs)
{
    vec_free(&rs->all);
    vec_free(&rs->groups);
    vec_free(&rs->texts);
    rule_index_free(&rs->index);
    arena_free(&rs->arena);
}
