/* What :help NAME shows.
 *
 * Invariant: everything comes from the tables that the program runs by, from the comments of
 * the prelude and from the embedded manual; each thing of that name is one entry of the data. */
#include "repl/commands/help.h"
#include "repl/commands/chapters.h"
#include "repl/commands/describe.h"
#include "repl/commands/show.h"

static void pair(Json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j, value);
}

static void pair_words(Json *j, const char *key, Words w)
{
    Text t = {0};
    text_putn(&t, w.at, w.len);
    pair(j, key, text_str(&t));
    text_free(&t);
}

static void entry_begin(Call *c, const char *kind, const char *name)
{
    if (c->out.len)
        text_putc(&c->out, '\n');
    json_begin(&c->data, '{');
    pair(&c->data, "kind", kind);
    pair(&c->data, "name", name);
}

/* ---- functions ---- */

static void put_indented(Text *out, Words text)
{
    for (size_t i = 0; i < text.len;) {
        const char *nl = memchr(text.at + i, '\n', text.len - i);
        size_t n = nl ? (size_t)(nl - text.at) - i : text.len - i;
        text_printf(out, "%s%.*s\n", n ? "    " : "", (int)n, text.at + i);
        i += n + 1;
    }
}

static void put_row(Call *c, const char *label, const char *key, const char *text)
{
    if (!*text)
        return;
    text_printf(&c->out, "  %-11s %s\n", label, text);
    pair(&c->data, key, text);
}

static void put_related(Call *c, Words see)
{
    Json *j = &c->data;
    int n = 0;
    json_key(j, "see");
    json_begin(j, '[');
    for (Words word; words_next(&see, &word); n++) {
        Text name = {0};
        text_putn(&name, word.at, word.len);
        text_printf(&c->out, n ? ", %s" : "  see also    %s", text_str(&name));
        json_string(j, text_str(&name));
        text_free(&name);
    }
    json_end(j, ']');
    text_put(&c->out, n ? "\n" : "");
}

static bool help_function(Call *c, const char *name)
{
    Repl scratch;
    Description d;
    if (!repl_init(&scratch))
        die("the embedded prelude or rules are broken");
    bool found = describe_function(&scratch, name, &d);
    if (found) {
        entry_begin(c, "function", d.name);
        text_printf(&c->out, "%s\n%s\n", text_str(&d.call), text_str(&d.doc));
        pair(&c->data, "signature", text_str(&d.call));
        pair(&c->data, "doc", text_str(&d.doc));
        put_row(c, "class", "class", d.cls);
        put_row(c, "dtypes", "dtypes", text_str(&d.types));
        put_row(c, "definition", "definition", text_str(&d.definition));
        put_row(c, "derivative", "derivative", text_str(&d.derivative));
        put_row(c, "note", "note", text_str(&d.facts));
        put_related(c, d.example.see);
        put_indented(&c->out, d.example.program);
        pair_words(&c->data, "examples", d.example.program);
        json_end(&c->data, '}');
        description_free(&d);
    }
    repl_free(&scratch);
    return found;
}

static bool help_user_name(Call *c, const char *name)
{
    Value *v = env_own(c->r->s.elab.globals, symbol(&c->r->s.st, name));
    if (!v || v->kind == V_BUILTIN)
        return false;
    Text type = {0};
    bool function = v->kind == V_FUNCTION || v->kind == V_DERIVED;
    if (function)
        show_signature(&type, v);
    else
        show_value_type(c->r, &type, v);
    entry_begin(c, "name", name);
    text_printf(&c->out, function ? "%s%s\n" : "%s : %s\n", name, text_str(&type));
    pair(&c->data, "type", text_str(&type));
    if (v->doc) {
        text_printf(&c->out, "%s\n", v->doc);
        pair(&c->data, "doc", v->doc);
    }
    json_end(&c->data, '}');
    text_free(&type);
    return true;
}

/* ---- operators of the graph ---- */

static void help_op(Call *c, OpId op)
{
    const OpInfo *info = &op_table[op];
    entry_begin(c, "operator", info->name);
    text_printf(&c->out, "%s, an operator of the graph\n%s\n", info->name, info->doc);
    pair(&c->data, "doc", info->doc);
    put_row(c, "class", "class", class_name(info->cls));
    Text attributes = {0};
    op_attrs_print(&attributes, op);
    put_row(c, "attributes", "attributes", text_str(&attributes));
    text_free(&attributes);
    json_end(&c->data, '}');
}

/* The operator that is written with a sign: "+", "@", "and". */
static OpId op_by_sign(const char *sign)
{
    for (int op = 0; op < OP_COUNT; op++) {
        const Sign *infix = op_infix((OpId)op);
        if (infix && strcmp(infix->sign, sign) == 0)
            return (OpId)op;
    }
    return OP_COUNT;
}

/* ---- subjects of the manual ---- */

void help_put_topic(const RuleSet *rs, Text *out, const ManualTopic *topic)
{
    size_t fence = 0; /* how many backticks opened the code that we are in */
    text_printf(out, "%.*s\n", (int)topic->title.len, topic->title.at);
    for (size_t i = 0; i < topic->body.len;) {
        const char *line = topic->body.at + i, *nl = memchr(line, '\n', topic->body.len - i);
        size_t n = nl ? (size_t)(nl - line) : topic->body.len - i;
        i += n + 1;
        size_t ticks = strspn(line, "`");
        if (ticks >= 3 && (!fence || ticks == fence)) {
            fence = fence ? 0 : ticks;
            continue;
        }
        if (!fence && chapter_put(rs, out, line, n, false))
            continue;
        text_printf(out, "%s%.*s\n", fence && n ? "    " : "", (int)n, line);
    }
}

static void help_topic(Call *c, const char *name, const ManualTopic *topic)
{
    Text text = {0};
    entry_begin(c, "topic", name);
    help_put_topic(&c->r->s.rules, &text, topic);
    text_put(&c->out, text_str(&text));
    pair(&c->data, "text", text_str(&text));
    json_end(&c->data, '}');
    text_free(&text);
}

/* ---- commands, rules, passes, guards ---- */

static void help_command(Call *c, const Command *k)
{
    entry_begin(c, "command", k->name);
    text_printf(&c->out, ":%s %s\n%s\n", k->name, k->args, k->help);
    if (*k->more)
        text_printf(&c->out, "%s\n", k->more);
    pair(&c->data, "args", k->args);
    pair(&c->data, "help", k->help);
    pair(&c->data, "more", k->more);
    json_end(&c->data, '}');
}

static void help_rule(Call *c, const Rule *k)
{
    Text classes = {0};
    hazard_print(&classes, k->classes);
    entry_begin(c, "rule", k->name);
    text_printf(&c->out, "rule %s [%s] of the pass %s%s\n", k->name, text_str(&classes), k->pass,
                k->off ? ", switched off" : "");
    if (k->text)
        text_printf(&c->out, "  %s\n", k->text);
    text_printf(&c->out, "%s\nfired %llu times", k->reason ? k->reason : "",
                (unsigned long long)k->fired);
    const char *source = k->source ? k->source : ""; /* "loops.rules:3" or "in C" */
    text_printf(&c->out, "%s%s%s\n", *source ? "; written " : "", strchr(source, ':') ? "in " : "",
                source);
    pair(&c->data, "pass", k->pass);
    pair(&c->data, "classes", text_str(&classes));
    pair(&c->data, "text", k->text);
    pair(&c->data, "reason", k->reason);
    json_end(&c->data, '}');
    text_free(&classes);
}

static void help_class(Call *c, const HazardClass *k)
{
    bool open = k->bit & c->r->s.rules.allowed;
    entry_begin(c, "class", k->name);
    text_printf(&c->out, "%s, a class of rules: %s\n%s\n  example     %s\n              %s\n",
                k->name, k->means, k->tells, k->rule, k->shows);
    text_printf(&c->out, "  the audit   allows: %s\n", k->bound);
    if (!open)
        text_printf(&c->out, "  not allowed; `:set allow %s` allows it\n", k->name);
    pair(&c->data, "means", k->means);
    pair(&c->data, "doc", k->tells);
    pair(&c->data, "example", k->rule);
    pair(&c->data, "shows", k->shows);
    pair(&c->data, "bound", k->bound);
    json_end(&c->data, '}');
}

static void help_pass(Call *c, const Pass *pass)
{
    const RuleSet *rs = &c->r->s.rules;
    entry_begin(c, "pass", pass->name);
    text_printf(&c->out, "pass %s%s\n%s\n", pass->name, pass->off ? ", switched off" : "",
                pass->doc);
    pair(&c->data, "doc", pass->doc);
    json_key(&c->data, "rules");
    json_begin(&c->data, '[');
    int shown = 0;
    for (size_t i = 0; i < rs->all.len; i++)
        if (strcmp(rs->all.at[i]->pass, pass->name) == 0) {
            text_printf(&c->out, "%s%s", shown++ ? ", " : "  rules: ", rs->all.at[i]->name);
            json_string(&c->data, rs->all.at[i]->name);
        }
    text_put(&c->out, shown ? "\n" : "");
    json_end(&c->data, ']');
    json_end(&c->data, '}');
}

static void help_of_rules(Call *c, const char *kind, const RuleFunction *g)
{
    Text call = {0};
    chapter_signature(&call, g);
    entry_begin(c, kind, g->name);
    text_printf(&c->out, "%s, a %s of rules: %s\n", text_str(&call), kind, g->doc);
    pair(&c->data, "signature", text_str(&call));
    text_free(&call);
    pair(&c->data, "doc", g->doc);
    json_end(&c->data, '}');
}

/* ---- all of one name ---- */

typedef struct {
    VEC(const char *) names;
} Names;

static void take_name(void *ctx, const char *name)
{
    Names *n = ctx;
    vec_push(&n->names, name);
}

void help_each_name(Repl *r, void (*take)(void *ctx, const char *name), void *ctx)
{
    ManualTopic topic;
    for (size_t i = 0; i < command_count; i++)
        take(ctx, commands[i].name);
    for (size_t i = 0; i < builtin_count; i++)
        take(ctx, builtins[i].name);
    for (int i = 0; i < r->s.elab.globals->len; i++)
        take(ctx, r->s.elab.globals->at[i].name);
    for (int op = 0; op < OP_COUNT; op++)
        take(ctx, op_table[op].name);
    for (size_t i = 0; i < r->s.rules.all.len; i++)
        take(ctx, r->s.rules.all.at[i]->name);
    for (size_t i = 0; i < r->s.rules.pipeline.len; i++)
        take(ctx, r->s.rules.pipeline.at[i].name);
    for (size_t i = 0; i < hazard_class_count; i++)
        take(ctx, hazard_classes[i].name);
    for (size_t i = 0; i < guard_count; i++)
        take(ctx, guards[i].name);
    for (size_t i = 0; i < rule_function_count; i++)
        take(ctx, rule_functions[i].name);
    for (size_t at = 0; manual_next_topic(&at, &topic);)
        for (Words word; words_next(&topic.names, &word);) {
            char name[64];
            snprintf(name, sizeof name, "%.*s", (int)word.len, word.at);
            take(ctx, symbol(&r->s.st, name));
        }
}

static bool help_unknown(Call *c, const char *name, Span span)
{
    Names all = {0};
    help_each_name(c->r, take_name, &all);
    const char *close = closest_name(name, all.names.at, all.names.len);
    Text hint = {0};
    if (close)
        text_printf(&hint, "did you mean %s?", close);
    else
        text_put(&hint, ":help lists commands and subjects, :ops the operators, :rules the rules");
    call_fail(c, span, "unknown-name", text_str(&hint), "nothing is called %s", name);
    text_free(&hint);
    vec_free(&all.names);
    return false;
}

/* Whatever is called so, but for commands by a prefix; false if nothing is. */
static bool help_everything(Call *c, const char *name)
{
    ManualTopic topic;
    RuleSet *rs = &c->r->s.rules;
    OpId op = op_by_name(name), sign = op_by_sign(name);
    Rule *rule = rule_by_name(rs, name);
    const Pass *pass = pass_named(name);
    const RuleFunction *guard = guard_by_name(name), *maker = rule_function_by_name(name);
    Value *v = env_own(c->r->s.elab.globals, symbol(&c->r->s.st, name));
    bool prelude = v && v->kind == V_FUNCTION && manual_example(name, &(ManualExample){0});
    bool own = !prelude && help_user_name(c, name);
    bool function = !own && help_function(c, sign != OP_COUNT ? op_table[sign].name : name);
    if (manual_topic(name, &topic))
        help_topic(c, name, &topic);
    if (op != OP_COUNT && !function)
        help_op(c, op);
    if (rule)
        help_rule(c, rule);
    if (pass)
        help_pass(c, pass);
    for (size_t i = 0; i < hazard_class_count; i++)
        if (strcmp(hazard_classes[i].name, name) == 0)
            help_class(c, &hazard_classes[i]);
    if (guard)
        help_of_rules(c, "condition", guard);
    if (maker && !function)
        help_of_rules(c, "function", maker);
    return c->out.len > 0;
}

bool help_name(Call *c, const char *name, Span span)
{
    bool colon = *name == ':';
    const char *bare = name + colon;
    const Command *k = command_find(c->r, bare, span, colon);
    if (colon && !k)
        return false;
    pair(&c->data, "name", bare);
    json_key(&c->data, "entries");
    json_begin(&c->data, '[');
    bool whole = k && strcmp(k->name, bare) == 0;
    if (colon || whole)
        help_command(c, k);
    bool found = (!colon && help_everything(c, name)) || c->out.len > 0;
    if (!found && k) {
        help_command(c, k);
        found = true;
    }
    json_end(&c->data, ']');
    return found || help_unknown(c, name, span);
}
