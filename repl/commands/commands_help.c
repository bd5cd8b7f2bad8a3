/* Commands that read tables: :help without a name, :rules, :ops. */
#include "repl/commands/commands.h"
#include "repl/commands/help.h"

/* ---- :help ---- */

static void help_commands(Call *c)
{
    static const Column columns[] = {{"", NULL}, {NULL, "name"}, {NULL, "args"}, {"", "help"}};
    Report *r = &c->report;
    Rows rows = rows_begin(r, columns, COUNT_OF(columns));
    for (size_t i = 0; i < command_count; i++) {
        const Command *k = &commands[i];
        bool keys = strchr(k->args, '=') != NULL; /* those are told by :help NAME */
        int shown = keys ? (int)(strchr(k->args, '[') - k->args) : (int)strlen(k->args);
        char *call = report_format(r, ":%s %.*s%s", k->name, shown, k->args, keys ? "..." : "");
        rows_add(&rows, text_of(call), text_of(k->name), text_of(k->args), text_of(k->help));
    }
    rows_put(&rows, "commands");
    text_put(&c->out, "\nBeginnings work: :t is :type, :st :steps.  `:help NAME` tells more of a "
                      "command, a function, an\n"
                      "operator, a word of the language, a rule or a pass; Alt-h the same of the "
                      "word at the cursor,\n"
                      "Tab completes.  Subjects: ");
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
    char *all = c->text;
    Span whole = c->rest;
    if (!call_word(c, &name, &span)) {
        help_commands(c);
        return true;
    }
    if (!call_has_expr(c))
        return help_name(c, name, span);
    return help_apropos(c, all) || help_unknown(c, all, whole);
}

/* ---- :rules ---- */

static void add_rule(Call *c, Rows *rows, const Rule *k)
{
    bool shut = (k->classes & ~c->r->s.rules.allowed) != 0;
    rows_add(rows, text_of(k->pass), text_of(k->name), text_of(k->pass), classes_of(c, k->classes),
             text_of(k->off ? "off"
                     : shut ? "not allowed"
                            : ""),
             as(k->text ? k->text : k->reason, text_of(k->text)), text_of(k->reason),
             flag_of(!k->off && !shut), int_of((i64)k->fired));
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
    static const Column columns[] = {{"", NULL},       {"", "name"}, {NULL, "pass"},
                                     {"", "classes"},  {"", NULL},   {"", "text"},
                                     {NULL, "reason"}, {NULL, "on"}, {NULL, "fired"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    for (size_t i = 0; i < rs->all.len; i++) {
        const Rule *k = rs->all.at[i];
        if (!word || (own && k->own) || (off && k->off) || (pass && strcmp(k->pass, word) == 0) ||
            (op != OP_COUNT && k->root == op)) {
            add_rule(c, &rows, k);
            shown++;
        }
    }
    rows_put(&rows, "rules");
    text_printf(&c->out, "%zu rule%s; allowed classes: %s\n", shown, shown == 1 ? "" : "s",
                classes_text(c, rs->allowed));
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

static void add_op(Report *r, Rows *rows, OpId op)
{
    const OpInfo *info = &op_table[op];
    Text operands = {0};
    put_operands(&operands, info);
    rows_add(rows, text_of(info->name), text_of(class_name(info->cls)),
             text_of(report_take(r, &operands)), flag_of((info->flags & PARTIAL) != 0),
             text_of(info->doc));
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
    static const Column columns[] = {
        {"", "name"}, {"", "class"}, {"", NULL}, {NULL, "partial"}, {"", "doc"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    for (int k = 0; k < CLASS_COUNT; k++)
        for (int op = 0; op < OP_COUNT; op++)
            if ((int)op_table[op].cls == k && (!word || k == cls) && op != OP_HOLE)
                add_op(&c->report, &rows, (OpId)op);
    rows_put(&rows, "ops");
    return true;
}
