/* What :help NAME shows.
 *
 * Invariant: everything comes from the tables that the program runs by, from the comments of
 * the prelude and from the embedded manual; each thing of that name is one entry of the data. */
#include "repl/commands/help.h"
#include "repl/commands/chapters.h"
#include "session/describe.h"
#include "repl/commands/renamed.h"
#include "repl/commands/show.h"
#include "rewrite/rule_example.h"

static char *words_text(Call *c, Words w)
{
    return report_format(&c->report, "%.*s", (int)w.len, w.at);
}

/* It ends where the next one begins, or all of them end. */
static void entry_begin(Call *c, const char *kind, const char *name)
{
    if (c->out.len)
        json_end(&c->data, '}');
    json_begin(&c->data, '{');
    report_say(&c->report, c->out.len ? "\n{=kind}{=name}" : "{=kind}{=name}", text_of(kind),
               text_of(name));
}

static void put_examples(Call *c, Words program)
{
    put_indented(&c->out, program.at, program.len, 4);
    json_pair(&c->data, "examples", words_text(c, program));
}

/* ---- functions ---- */

static void put_row(Call *c, const char *key, const char *text)
{
    if (!*text)
        return;
    report_say(&c->report, report_format(&c->report, "  %-11s {%s}\n", key, key), text_of(text));
}

static void put_related(Call *c, Words see)
{
    int n = 0;
    json_open(&c->data, "see", '[');
    for (Words word; words_next(&see, &word); n++)
        report_say(&c->report, n ? ", {}" : "  see also    {}", text_of(words_text(c, word)));
    json_end(&c->data, ']');
    text_put(&c->out, n ? "\n" : "");
}

static bool help_function(Call *c, const char *name)
{
    Session scratch;
    Description d;
    if (!session_init(&scratch))
        die("the embedded prelude or rules are broken");
    bool found = describe_function(&scratch, name, &d);
    if (found) {
        entry_begin(c, "function", d.name);
        report_say(&c->report, "{signature}\n{doc}\n", text_of(text_str(&d.call)),
                   text_of(text_str(&d.doc)));
        put_row(c, "class", d.cls);
        put_row(c, "dtypes", text_str(&d.types));
        put_row(c, "definition", text_str(&d.definition));
        put_row(c, "derivative", text_str(&d.derivative));
        put_row(c, "note", text_str(&d.facts));
        put_related(c, d.example.see);
        put_examples(c, d.example.program);
        description_free(&d);
    }
    session_free(&scratch);
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
        value_signature_print(&type, v);
    else
        value_type_print(&c->r->s.elab, &type, v);
    entry_begin(c, "name", name);
    report_say(&c->report, function ? "{-}{type}\n" : "{-} : {type}\n", text_of(name),
               text_built(&c->report, &type));
    if (v->doc)
        report_say(&c->report, "{doc}\n", text_of(v->doc));
    return true;
}

/* ---- operators of the graph ---- */

static void help_op(Call *c, OpId op)
{
    const OpInfo *info = &op_table[op];
    entry_begin(c, "operator", info->name);
    report_say(&c->report, "{-}, an operator of the graph\n{doc}\n", text_of(info->name),
               text_of(info->doc));
    put_row(c, "class", class_name(info->cls));
    Text attributes = {0};
    op_attrs_print(&attributes, op);
    put_row(c, "attributes", text_str(&attributes));
    text_free(&attributes);
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

void help_put_topic(const Pipeline *p, Text *out, const ManualTopic *topic)
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
        if (!fence && chapter_put(p, out, line, n, false))
            continue;
        text_printf(out, "%s%.*s\n", fence && n ? "    " : "", (int)n, line);
    }
}

static void help_topic(Call *c, const char *name, const ManualTopic *topic)
{
    Text text = {0};
    entry_begin(c, "topic", name);
    help_put_topic(&c->r->s.options.pipeline, &text, topic);
    report_say(&c->report, "{=text}", text_built(&c->report, &text));
    help_page_put(&c->report, &c->r->s.options.pipeline, topic);
}

/* The first name of each. */
static void help_subjects(Call *c)
{
    ManualTopic topic;
    Text text = {0};
    text_put(&text, "`:help` also explains these subjects:\n");
    for (size_t at = 0, count = 0; manual_next_topic(&at, &topic);) {
        Words first;
        if (words_next(&topic.names, &first))
            text_printf(&text, "%s%.*s", count++ ? ", " : "", (int)first.len, first.at);
    }
    text_put(&text, ".\n");
    text_putn(&c->out, text_str(&text), text.len);
    report_say(&c->report, "{=text}", text_built(&c->report, &text));
}

/* ---- commands, rules, passes, guards ---- */

static void help_command(Call *c, const Command *k)
{
    entry_begin(c, "command", k->name);
    report_say(&c->report,
               *k->more ? ":{-} {args}\n{help}\n{more}\n" : ":{-} {args}\n{help}\n{more}",
               text_of(k->name), text_of(k->args), text_of(k->help), text_of(k->more));
    ManualExample e;
    if (manual_command(k->name, &e))
        put_examples(c, e.program);
}

/* As they are written under the rule. */
static void put_rule_examples(Call *c, const Rule *k)
{
    Text all = {0};
    for (const RuleExample *e = rule_examples(k); e; e = e->next)
        text_printf(&all, "%s%s %.*s", all.len ? "\n" : "", e->fires ? "try" : "not",
                    (int)(e->text.end - e->text.start), e->text.src->text + e->text.start);
    if (all.len) {
        put_indented(&c->out, text_str(&all), all.len, 4);
        json_pair(&c->data, "examples", text_str(&all));
    }
    text_free(&all);
}

static void help_rule(Call *c, const Rule *k)
{
    Report *r = &c->report;
    const char *source = k->source ? k->source : ""; /* "loops.rules:3" or "in C" */
    entry_begin(c, "rule", k->name);
    report_say(r, "rule {-} {-} of the pass {pass}{=classes}{-}\n", text_of(k->name),
               classes_of(c, rule_shown_classes(k)), as(pass_of_rule(c, k), text_of(k->pass)),
               classes_of(c, k->classes),
               text_of(rule_is_off(&c->r->s.options, k) ? ", switched off" : ""));
    report_say(r, k->text ? "  {text}\n{reason}\n" : "{text}{reason}\n", text_of(k->text),
               text_of(k->reason));
    text_printf(r->text, "fired %llu times%s%s%s\n",
                (unsigned long long)session_rule_fired(&c->r->s, k), *source ? "; written " : "",
                strchr(source, ':') ? "in " : "", source);
    put_rule_examples(c, k);
}

static void help_class(Call *c, const HazardClass *k)
{
    bool open = k->bit & c->r->s.options.allowed;
    entry_begin(c, "class", k->name);
    report_say(&c->report,
               "{-}, a class of rules: {means}\n{doc}\n  example     {example}\n"
               "              {shows}\n  the audit   allows: {bound}\n",
               text_of(k->name), text_of(k->means), text_of(k->tells), text_of(k->rule),
               text_of(k->shows), text_of(k->bound));
    if (!open)
        text_printf(&c->out, "  not allowed; `:set allow %s` allows it\n", k->name);
}

static void help_pass(Call *c, const Pass *pass)
{
    const RuleSet *rs = c->r->s.rules;
    const PassUse *use = pipeline_find(&c->r->s.options.pipeline, pass->name);
    entry_begin(c, "pass", pass->name);
    report_say(&c->report,
               use && use->off ? "pass {-}, switched off\n{doc}\n" : "pass {-}\n{doc}\n",
               text_of(pass->name), text_of(pass->doc));
    json_open(&c->data, "rules", '[');
    int shown = 0;
    for (size_t i = 0; i < rs->all.len; i++)
        if (strcmp(rs->all.at[i]->pass, pass->name) == 0)
            report_say(&c->report, shown++ ? ", {}" : "  rules: {}", text_of(rs->all.at[i]->name));
    text_put(&c->out, shown ? "\n" : "");
    json_end(&c->data, ']');
}

static void help_of_rules(Call *c, const char *kind, const RuleFunction *g)
{
    Text call = {0};
    chapter_signature(&call, g);
    entry_begin(c, kind, g->name);
    report_say(&c->report, "{signature}, a {-} of rules: {doc}\n", text_built(&c->report, &call),
               text_of(kind), text_of(g->doc));
}

/* ---- all of one name ---- */

typedef struct {
    VEC(const char *) names;
} Names;

static void take_name(void *ctx, const HelpEntry *e)
{
    Names *n = ctx;
    vec_push(&n->names, e->name);
}

/* The first of its names has the text. */
static void each_topic(Repl *r, void (*take)(void *ctx, const HelpEntry *e), void *ctx)
{
    ManualTopic topic;
    for (size_t at = 0; manual_next_topic(&at, &topic);) {
        Text title = {0}, text = {0};
        const char *kind = "subject";
        Words names = topic.names;
        text_putn(&title, topic.title.at, topic.title.len);
        text_printf(&text, "%.*s\n%.*s", (int)names.len, names.at, (int)topic.body.len,
                    topic.body.at);
        for (Words word; words_next(&names, &word); kind = NULL)
            take(ctx, &(HelpEntry){kind, symbol_n(&r->s.st, word.at, word.len), text_str(&title),
                                   text_str(&text)});
        text_free(&title);
        text_free(&text);
    }
}

void help_each(Repl *r, void (*take)(void *ctx, const HelpEntry *e), void *ctx)
{
#define TAKE(KIND, NAME, DOC, MORE) take(ctx, &(HelpEntry){KIND, NAME, DOC, MORE})
    for (const Command *k = commands; k < commands + command_count; k++)
        TAKE("command", k->name, k->help, k->more);
    for (size_t i = 0; i < builtin_count; i++)
        TAKE("function", builtins[i].name, builtins[i].doc, NULL);
    for (int i = 0; i < r->s.elab.globals->len; i++)
        TAKE(NULL, r->s.elab.globals->at[i].name, NULL, NULL);
    for (const OpInfo *op = op_table; op < op_table + OP_COUNT; op++)
        TAKE(builtin_by_name(op->name) ? NULL : "operator", op->name, op->doc, NULL);
    for (size_t i = 0; i < r->s.rules->all.len; i++) {
        const Rule *k = r->s.rules->all.at[i];
        TAKE("rule", k->name, k->reason, k->text);
    }
    for (size_t i = 0; i < pass_count(); i++)
        TAKE("pass", pass_table[i].name, pass_table[i].doc, NULL);
    for (size_t i = 0; i < hazard_class_count; i++)
        TAKE(NULL, hazard_classes[i].name, NULL, NULL);
    for (size_t i = 0; i < guard_count; i++)
        TAKE(NULL, guards[i].name, NULL, NULL);
    for (size_t i = 0; i < rule_function_count; i++)
        TAKE(NULL, rule_functions[i].name, NULL, NULL);
    each_topic(r, take, ctx);
#undef TAKE
}

bool help_unknown(Call *c, const char *name, Span span)
{
    Names all = {0};
    help_each(c->r, take_name, &all);
    call_unknown(c, span, "nothing is called", name, all.names.at, all.names.len,
                 ":help lists commands and subjects, :ops the operators, :rules the rules");
    vec_free(&all.names);
    return false;
}

/* Whatever is called so, but for commands. */
static void help_everything(Call *c, const char *name)
{
    ManualTopic topic;
    const RuleSet *rs = c->r->s.rules;
    OpId op = op_by_name(name), sign = op_by_sign(name);
    const Rule *rule = rule_by_name(rs, name);
    const Pass *pass = pass_named(name);
    const RuleFunction *guard = guard_by_name(name), *maker = rule_function_by_name(name);
    Value *v = env_own(c->r->s.elab.globals, symbol(&c->r->s.st, name));
    bool prelude = v && v->kind == V_FUNCTION && manual_example(name, &(ManualExample){0});
    bool own = !prelude && help_user_name(c, name);
    const char *called = sign != OP_COUNT ? op_table[sign].name : name;
    bool has_example = manual_example(called, &(ManualExample){0}); /* as every function has */
    bool function = !own && has_example && help_function(c, called);
    if (manual_topic(name, &topic))
        help_topic(c, name, &topic);
    if (!strcmp(name, "subjects") || !strcmp(name, "topics")) {
        entry_begin(c, "topic", name);
        help_subjects(c);
    }
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
}

/* "step" of ":step step=+1". */
static char *word_of(Call *c, const char *line)
{
    return report_format(&c->report, "%.*s", (int)strcspn(line + 1, " "), line + 1);
}

/* An entry for each thing of that name; false if there is none, for a command with a diagnostic. */
static bool put_entries(Call *c, const char *name, Span span)
{
    bool colon = *name == ':';
    const char *bare = name + colon;
    const Command *k = command_named(
        c->r, bare, colon ? &(Stmt){.command = bare, .rest = "", .span = span} : NULL);
    bool whole = k && strcmp(k->name, bare) == 0;
    size_t before = c->out.len;
    if (k && (colon || whole))
        help_command(c, k);
    if (!colon)
        help_everything(c, name);
    if (k && c->out.len == before)
        help_command(c, k);
    return c->out.len > before;
}

/* What a newcomer's word stands for here. */
static bool put_word(Call *c, const char *name, Span span)
{
    const HelpWord *w = help_word(name);
    if (w && w->say) {
        entry_begin(c, "answer", name);
        report_say(&c->report, "{text}\n", text_of(w->say));
    }
    return w && (w->say || put_entries(c, w->sees, span));
}

bool help_name(Call *c, const char *name, Span span)
{
    bool colon = *name == ':';
    json_pair(&c->data, "name", name + colon);
    json_open(&c->data, "entries", '[');
    bool found = put_entries(c, name, span) || (!colon && put_word(c, name, span));
    if (found)
        json_end(&c->data, '}');
    json_end(&c->data, ']');
    if (found || colon)
        return found;
    const char *old = NULL, *line = renamed_command(&c->arena, name, "", &old);
    if (line && *line && strcmp(old, name) == 0)
        return call_fail(c, span, "renamed",
                         report_format(&c->report, ":help %s", word_of(c, line)),
                         "%s is written `%s` now", name, line);
    return help_apropos(c, name) || help_unknown(c, name, span);
}
