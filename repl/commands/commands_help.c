/* Commands that read tables: :help without a name, :rules, :ops. */
#include "repl/commands/arguments.h"
#include "repl/commands/help.h"

/* ---- :help ---- */

/* "pass=NAME step=K": all that it takes, also those that its line has no room for. */
static char *options_text(Report *r, const Command *k)
{
    Text all = {0};
    for (DeclaredOption o = {0}; declared_next(k, &o);)
        text_printf(&all, "%s%.*s=%.*s", all.len ? " " : "", (int)o.length, o.key, (int)o.extent,
                    o.values);
    return report_take(r, &all);
}

static const char *const group_titles[GROUP_COUNT] = {[GROUP_LOOK] = "Look",
                                                      [GROUP_QUESTION] = "Question",
                                                      [GROUP_REWRITE] = "Rewrite",
                                                      [GROUP_VALUES] = "Values",
                                                      [GROUP_DOCUMENTS] = "Pictures and documents",
                                                      [GROUP_SESSION] = "Session"};

/* The overview fits on a screen of 40 rows and 80 columns: the title of a group is left of its
 * first command, and commands with short texts share a row. */
enum { TITLE = 10, NAME = 10, HALF = 36, SHORT = HALF - NAME - 2 };

typedef struct {
    Text *out;
    const char *title; /* what is left of it; words go below each other */
    int used;          /* columns of the row; 0: it is empty */
} Overview;

static void end_row(Overview *o)
{
    text_put(o->out, o->used ? "\n" : "");
    o->used = 0;
}

static void begin_row(Overview *o)
{
    size_t n = strcspn(o->title, " ");
    text_printf(o->out, "%-*.*s", TITLE, (int)n, o->title);
    o->title += n + (o->title[n] == ' ');
    o->used = TITLE;
}

/* `next`: the command after it in its group, or NULL. */
static void put_command(Overview *o, const Command *k, const Command *next)
{
    bool second = o->used > 0, brief = strlen(k->help) <= SHORT;
    bool shared = !second && brief && next && strlen(next->help) <= SHORT;
    if (!second)
        begin_row(o);
    text_printf(o->out, ":%-*s%-*s", NAME - 1, k->name, shared ? HALF - NAME : 0, k->help);
    if (!shared)
        end_row(o);
}

static const Command *next_of(const Command *k, int group)
{
    for (k++; k < commands + command_count; k++)
        if (k->group == (CommandGroup)group)
            return k;
    return NULL;
}

static void help_commands(Call *c)
{
    Report *r = &c->report;
    text_put(&c->out,
             "Type an expression to evaluate it; `x = 3.0` defines a name. See `:help "
             "start`.\n"
             "`:help NAME` explains a command, function or rule; `:help subjects` lists more.\n\n");
    json_open(r->data, "commands", '[');
    for (int g = 0; g < GROUP_COUNT; g++) {
        Overview o = {&c->out, group_titles[g], 0};
        for (const Command *k = next_of(commands - 1, g); k; k = next_of(k, g)) {
            put_command(&o, k, next_of(k, g));
            report_item(r, "{=name}{=group}{=args}{=options}{=help}", text_of(k->name),
                        text_of(group_titles[g]), text_of(k->args), text_of(options_text(r, k)),
                        text_of(k->help));
        }
    }
    json_end(r->data, ']');
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
    if (!call_has_expr(c) || help_word(all))
        return help_name(c, call_has_expr(c) ? all : name, span);
    return help_apropos(c, all) || help_unknown(c, all, whole);
}

/* ---- :rules ---- */

static void add_rule(Call *c, Rows *rows, const Rule *k)
{
    bool off = rule_is_off(&c->r->s.options, k),
         shut = (k->classes & ~c->r->s.options.allowed) != 0;
    rows_add(rows, text_of(k->pass), text_of(k->name), text_of(k->pass),
             classes_of(c, rule_shown_classes(k)),
             text_of(off    ? "off"
                     : shut ? "not allowed"
                            : ""),
             as(k->text ? k->text : k->reason, text_of(k->text)), text_of(k->reason),
             flag_of(!off && !shut), flag_of(k->untried),
             int_of((i64)session_rule_fired(&c->r->s, k)));
}

bool command_rules(Call *c)
{
    const RuleSet *rs = c->r->s.rules;
    const Options *o = &c->r->s.options;
    const char *word = NULL;
    Span span;
    OpId op = OP_COUNT;
    size_t shown = 0;
    if (call_word(c, &word, &span))
        op = op_by_name(word);
    int only = call_choice(c, "only", -1);
    bool pass = word && pass_named(word) != NULL;
    for (size_t i = 0; i < rs->all.len && word; i++)
        pass = pass || strcmp(rs->all.at[i]->pass, word) == 0;
    if (word && !pass && op == OP_COUNT)
        return call_fail(c, span, "unknown-name", ":passes and :ops list them",
                         "%s is neither a pass nor an operator", word);
    static const Column columns[] = {
        {"", NULL},   {"", "name"},     {NULL, "pass"}, {"", "classes"},   {"", NULL},
        {"", "text"}, {NULL, "reason"}, {NULL, "on"},   {NULL, "untried"}, {NULL, "fired"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    for (size_t i = 0; i < rs->all.len; i++) {
        const Rule *k = rs->all.at[i];
        bool wanted =
            !word || (pass && strcmp(k->pass, word) == 0) || (op != OP_COUNT && k->root == op);
        if (wanted && (only < 0 || (only == 0 ? k->own : rule_is_off(o, k)))) {
            add_rule(c, &rows, k);
            shown++;
        }
    }
    rows_put(&rows, "rules");
    text_printf(&c->out, "%zu rule%s; allowed classes: %s\n", shown, shown == 1 ? "" : "s",
                classes_text(c, o->allowed));
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
    rows_add(rows, text_of(info->name), text_of(class_name(info->cls)), text_built(r, &operands),
             flag_of((info->flags & PARTIAL) != 0), text_of(info->doc));
}

/* Functions of the language in the language itself are no operators, but what one looks for. */
static void add_prelude(Call *c, Rows *rows)
{
    const Env *globals = c->r->s.elab.globals;
    for (int i = 0; i < globals->len; i++) {
        const Value *f = globals->at[i].value;
        if (!f || f->kind != V_FUNCTION || f->body->span.src != c->r->s.elab.prelude)
            continue;
        Text operands = {0}, doc = {0};
        text_printf(&operands, "%d argument%s", f->nparams, f->nparams == 1 ? "" : "s");
        for (const char *p = f->doc ? f->doc : ""; *p; p++)
            text_putc(&doc, *p == '\n' ? ' ' : *p);
        rows_add(rows, text_of(f->text), text_of("prelude"), text_built(&c->report, &operands),
                 flag_of(false), text_built(&c->report, &doc));
    }
}

bool command_ops(Call *c)
{
    const char *word = NULL;
    Span span;
    int cls = CLASS_COUNT;
    bool prelude = true;
    if (call_word(c, &word, &span) && !(prelude = strcmp(word, "prelude") == 0)) {
        for (cls = 0; cls < CLASS_COUNT && strcmp(class_name((OpClass)cls), word) != 0;)
            cls++;
        if (cls == CLASS_COUNT)
            return call_fail(
                c, span, "unknown-name",
                "elementwise, reduce, shape, index, linalg, random, control, implicit, "
                "structural, composite, prelude",
                "there is no class %s of operators", word);
    }
    static const Column columns[] = {
        {"", "name"}, {"", "class"}, {"", NULL}, {NULL, "partial"}, {"", "doc"}};
    Rows rows = rows_begin(&c->report, columns, COUNT_OF(columns));
    for (int k = 0; k < CLASS_COUNT; k++)
        for (int op = 0; op < OP_COUNT; op++)
            if ((int)op_table[op].cls == k && (!word || k == cls) && op != OP_HOLE)
                add_op(&c->report, &rows, (OpId)op);
    if (prelude)
        add_prelude(c, &rows);
    rows_put(&rows, "ops");
    return true;
}
