/* Commands that read tables: :help without a name, :rules, :ops. */
#include "repl/commands/commands.h"
#include "repl/commands/help.h"

/* ---- :help ---- */

static void help_commands(Call *c)
{
    Table t = {.columns = 2};
    json_key(&c->data, "commands");
    json_begin(&c->data, '[');
    for (size_t i = 0; i < command_count; i++) {
        const Command *k = &commands[i];
        bool keys = strchr(k->args, '=') != NULL; /* those are told by :help NAME */
        int shown = keys ? (int)(strchr(k->args, '[') - k->args) : (int)strlen(k->args);
        table_cell(&t, ":%s %.*s%s", k->name, shown, k->args, keys ? "..." : "");
        table_cell(&t, "%s", k->help);
        json_begin(&c->data, '{');
        json_pair(&c->data, "name", k->name);
        json_pair(&c->data, "args", k->args);
        json_pair(&c->data, "help", k->help);
        json_end(&c->data, '}');
    }
    json_end(&c->data, ']');
    table_print(&t, &c->out, 0);
    text_put(
        &c->out,
        "\nUnique prefixes work.  `:help NAME` tells more of a command, a function, an operator,\n"
        "a word of the language, a rule or a pass; Alt-h the same of the word at the cursor, Tab\n"
        "completes.  Subjects: ");
    ManualTopic topic;
    int shown = 0;
    for (size_t at = 0; manual_next_topic(&at, &topic);) {
        Words first;
        if (words_next(&topic.names, &first))
            text_printf(&c->out, "%s%.*s", shown++ ? ", " : "", (int)first.len, first.at);
    }
    text_put(&c->out, ".\n");
}

bool command_help(Call *c)
{
    const char *name;
    Span span;
    if (call_word(c, &name, &span))
        return help_name(c, name, span);
    help_commands(c);
    return true;
}

/* ---- :rules ---- */

static void json_classes(Json *j, u32 classes)
{
    Text t = {0};
    hazard_print(&t, classes);
    json_pair(j, "classes", text_str(&t));
    text_free(&t);
}

static void rule_row(Call *c, Table *t, const Rule *k)
{
    Text classes = {0};
    hazard_print(&classes, k->classes);
    bool shut = (k->classes & ~c->r->s.rules.allowed) != 0;
    table_cell(t, "%s", k->pass);
    table_cell(t, "%s", k->name);
    table_cell(t, "[%s]", text_str(&classes));
    table_cell(t, "%s", k->off ? "off" : shut ? "not allowed" : "");
    table_cell(t, "%s", k->text ? k->text : k->reason ? k->reason : "");
    Json *j = &c->data;
    json_begin(j, '{');
    json_pair(j, "name", k->name);
    json_pair(j, "pass", k->pass);
    json_classes(j, k->classes);
    json_pair(j, "text", k->text);
    json_pair(j, "reason", k->reason);
    json_key(j, "on");
    json_bool(j, !k->off && !shut);
    json_key(j, "fired");
    json_int(j, (i64)k->fired);
    json_end(j, '}');
    text_free(&classes);
}

bool command_rules(Call *c)
{
    const RuleSet *rs = &c->r->s.rules;
    const char *word = NULL;
    Span span;
    OpId op = OP_COUNT;
    size_t shown = 0;
    if (call_word(c, &word, &span))
        op = op_by_name(word);
    bool own = word && strcmp(word, "own") == 0, off = word && strcmp(word, "off") == 0;
    bool pass = own || off || (word && pass_named(word) != NULL);
    for (size_t i = 0; i < rs->all.len && word; i++)
        pass = pass || strcmp(rs->all.at[i]->pass, word) == 0;
    if (word && !pass && op == OP_COUNT)
        return call_fail(c, span, "unknown-name", ":passes and :ops list them",
                         "%s is neither a pass nor an operator", word);
    Table t = {.columns = 5};
    json_key(&c->data, "rules");
    json_begin(&c->data, '[');
    for (size_t i = 0; i < rs->all.len; i++) {
        const Rule *k = rs->all.at[i];
        if (!word || (own && k->own) || (off && k->off) || (pass && strcmp(k->pass, word) == 0) ||
            (op != OP_COUNT && k->root == op)) {
            rule_row(c, &t, k);
            shown++;
        }
    }
    json_end(&c->data, ']');
    table_print(&t, &c->out, 0);
    text_printf(&c->out, "%zu rule%s; allowed classes: ", shown, shown == 1 ? "" : "s");
    hazard_print(&c->out, rs->allowed);
    text_putc(&c->out, '\n');
    return true;
}

/* ---- :ops ---- */

/* "1", "1 to 3", "1 or more" */
static void put_operands(Text *out, const OpInfo *info)
{
    text_printf(out, "%d", info->min_ops);
    if (info->max_ops < 0)
        text_put(out, " or more");
    else if (info->max_ops != info->min_ops)
        text_printf(out, " to %d", info->max_ops);
    text_put(out, info->max_ops == 1 ? " operand" : " operands");
}

static void op_row(Call *c, Table *t, OpId op)
{
    const OpInfo *info = &op_table[op];
    Text operands = {0};
    put_operands(&operands, info);
    table_cell(t, "%s", info->name);
    table_cell(t, "%s", class_name(info->cls));
    table_cell(t, "%s", text_str(&operands));
    table_cell(t, "%s", info->doc);
    json_begin(&c->data, '{');
    json_pair(&c->data, "name", info->name);
    json_pair(&c->data, "class", class_name(info->cls));
    json_key(&c->data, "partial");
    json_bool(&c->data, (info->flags & PARTIAL) != 0);
    json_pair(&c->data, "doc", info->doc);
    json_end(&c->data, '}');
    text_free(&operands);
}

bool command_ops(Call *c)
{
    const char *word = NULL;
    Span span;
    int cls = CLASS_COUNT;
    if (call_word(c, &word, &span)) {
        for (cls = 0; cls < CLASS_COUNT && strcmp(class_name((OpClass)cls), word) != 0;)
            cls++;
        if (cls == CLASS_COUNT)
            return call_fail(
                c, span, "unknown-name",
                "elementwise, reduce, shape, index, linalg, random, control, implicit, "
                "structural, composite",
                "there is no class %s of operators", word);
    }
    Table t = {.columns = 4};
    json_key(&c->data, "ops");
    json_begin(&c->data, '[');
    for (int k = 0; k < CLASS_COUNT; k++)
        for (int op = 0; op < OP_COUNT; op++)
            if ((int)op_table[op].cls == k && (!word || k == cls) && op != OP_HOLE)
                op_row(c, &t, (OpId)op);
    json_end(&c->data, ']');
    table_print(&t, &c->out, 0);
    return true;
}
