/* Source text of trees, with as few parentheses as the grammar allows, and
 * structural equality.
 *
 * Invariant: parsing what is printed gives an equal tree, and printing that gives
 * the same text. Trees are at most AST_MAX_HEIGHT high, so recursion is safe. */
#include "syntax/ast.h"

static void print_at(Text *t, const Expr *e, Tightness place);
static void print_stmt_inline(Text *t, const Stmt *s);

const Sign *ast_sign(AstOp op)
{
    static const Sign signs[] = {
#define INFIX(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR) \
    [AST_##TREE] = {SIGN, LEVEL_##LEVEL, LEVEL_##LEFT, LEVEL_##RIGHT},
#define WORD INFIX
#define PREFIX(TREE, TOKEN, SIGN, LEVEL, OPERAND, OPERATOR) \
    [AST_##TREE] = {SIGN, LEVEL_##LEVEL, LEVEL_ANY, LEVEL_##OPERAND},
#include "syntax/syntax.def"
        [AST_TRANSPOSE] = {"'", LEVEL_POSTFIX, LEVEL_POSTFIX, LEVEL_ANY},
    };
    return &signs[op];
}

const char *ast_op_text(AstOp op) { return ast_sign(op)->sign; }

static Tightness expr_level(const Expr *e)
{
    switch (e->kind) {
    case E_UNARY:
    case E_BINARY: return ast_sign(e->op)->level;
    case E_WITH: return LEVEL_WITH;
    case E_IF:
    case E_LAMBDA: return LEVEL_ANY;
    default: return LEVEL_POSTFIX;
    }
}

/* ---- pieces ---- */

static void print_list(Text *t, Expr *const *items, int n)
{
    for (int i = 0; i < n; i++) {
        text_put(t, i ? ", " : "");
        print_at(t, items[i], LEVEL_ANY);
    }
}

static void print_string(Text *t, const char *s)
{
    text_putc(t, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_putc(t, '\\');
        if (*s == '\n')
            text_put(t, "\\n");
        else if (*s == '\t')
            text_put(t, "\\t");
        else
            text_putc(t, *s);
    }
    text_putc(t, '"');
}

static void print_args(Text *t, const Arg *args, int n)
{
    text_putc(t, '(');
    for (int i = 0; i < n; i++) {
        text_put(t, i ? ", " : "");
        if (args[i].name)
            text_printf(t, "%s=", args[i].name);
        print_at(t, args[i].value, LEVEL_ANY);
    }
    text_putc(t, ')');
}

static void print_sub(Text *t, const Sub *s)
{
    switch (s->kind) {
    case SUB_ELLIPSIS: text_put(t, "..."); break;
    case SUB_NEWAXIS: text_put(t, "None"); break;
    case SUB_INDEX:
        /* `None` alone would read as a new axis */
        if (s->index->kind == E_NAME && strcmp(s->index->text, "None") == 0)
            text_put(t, "(None)");
        else
            print_at(t, s->index, LEVEL_ANY);
        break;
    case SUB_SLICE:
        if (s->start)
            print_at(t, s->start, LEVEL_ANY);
        text_putc(t, ':');
        if (s->stop)
            print_at(t, s->stop, LEVEL_ANY);
        if (s->step) {
            text_putc(t, ':');
            print_at(t, s->step, LEVEL_ANY);
        }
        break;
    }
}

static void print_subs(Text *t, const Expr *e)
{
    text_putc(t, '[');
    for (int i = 0; i < e->nsubs; i++) {
        text_put(t, i ? ", " : "");
        print_sub(t, &e->subs[i]);
    }
    text_putc(t, ']');
}

/* NAME [= value], ...; `tight`: without spaces, as in parameters. */
static void print_binds(Text *t, const Bind *b, int n, bool tight)
{
    for (int i = 0; i < n; i++) {
        text_printf(t, "%s%s", i ? ", " : "", b[i].name);
        if (!b[i].init)
            continue;
        text_put(t, tight ? "=" : " = ");
        print_at(t, b[i].init, LEVEL_ANY);
    }
}

/* ---- scan ---- */

static void print_tap(Text *t, const char *index, i64 offset)
{
    text_printf(t, "[%s", index);
    if (offset)
        text_printf(t, " %c %lld", offset < 0 ? '-' : '+', llabs((long long)offset));
    text_putc(t, ']');
}

static void print_item(Text *t, const ScanExpr *s, const ScanItem *item)
{
    if (item->until)
        text_put(t, s->loop ? "while " : "until ");
    for (int i = 0; i < item->ntargets; i++) {
        text_printf(t, "%s%s", i ? ", " : "", item->targets[i].name);
        if (item->targets[i].indexed)
            print_tap(t, s->index, item->targets[i].offset);
    }
    if (item->ntargets)
        text_put(t, " = ");
    print_at(t, item->value, LEVEL_ANY);
}

static bool is_word_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* A variable named `auto` is not the word `auto`. */
static void print_checkpoint(Text *t, const ScanExpr *s)
{
    if (s->checkpoint_auto)
        text_put(t, " checkpoint auto");
    if (!s->checkpoint)
        return;
    text_put(t, " checkpoint ");
    size_t start = t->len;
    print_at(t, s->checkpoint, LEVEL_ANY);
    const char *text = text_str(t) + start;
    if (strncmp(text, "auto", 4) != 0 || is_word_char(text[4]))
        return;
    char *copy = xstrdup(text);
    t->len = start;
    text_printf(t, "(%s)", copy);
    free(copy);
}

static void print_clause(Text *t, const char *word, const Expr *e)
{
    if (!e)
        return;
    text_put(t, word);
    print_at(t, e, LEVEL_ANY);
}

static void print_over(Text *t, const ScanExpr *s)
{
    for (int i = 0; i < s->nover; i++) {
        const Bind *b = &s->over[i];
        text_printf(t, "%s%s", i ? ", " : " over ", b->name);
        if (b->indexed)
            print_tap(t, s->index, b->offset);
        print_clause(t, " = ", b->init);
    }
}

static void print_scan(Text *t, const ScanExpr *s)
{
    text_printf(t, "%s %s", s->loop ? "loop" : "scan", s->index);
    print_over(t, s);
    print_clause(t, " for ", s->count);
    print_clause(t, " if ", s->go);
    if (s->nfrom) {
        text_put(t, " from ");
        print_binds(t, s->from, s->nfrom, false);
    }
    if (s->has_using) {
        text_put(t, s->nusing ? " using " : " using ()");
        print_binds(t, s->using_names, s->nusing, false);
    }
    if (s->has_keep) {
        text_put(t, s->nkeep ? " keep " : " keep ()");
        print_binds(t, s->keep, s->nkeep, false);
    }
    text_put(t, s->reverse ? " reverse" : "");
    text_put(t, s->down ? " down" : "");
    text_put(t, s->grows ? " grows" : "");
    text_put(t, s->zip_strict ? " zip strict" : "");
    print_checkpoint(t, s);
    text_put(t, " { ");
    for (int i = 0; i < s->nitems; i++) {
        text_put(t, i ? "; " : "");
        print_item(t, s, &s->items[i]);
    }
    text_put(t, " }");
}

/* ---- expressions ---- */

static void print_binary(Text *t, const Expr *e)
{
    const Sign *sign = ast_sign(e->op);
    print_at(t, e->items[0], (int)sign->left + e->flag);
    text_printf(t, e->op == AST_POW ? "%s" : " %s ", sign->sign);
    print_at(t, e->items[1], sign->right);
}

static void print_unary(Text *t, const Expr *e)
{
    const Sign *sign = ast_sign(e->op);
    if (e->op == AST_TRANSPOSE) {
        print_at(t, e->items[0], sign->left);
        text_put(t, sign->sign);
        return;
    }
    text_printf(t, e->op == AST_NOT ? "%s " : "%s", sign->sign);
    print_at(t, e->items[0], sign->right);
}

/* A point after digits would join the number. */
static void print_field(Text *t, const Expr *e)
{
    bool number = e->items[0]->kind == E_INT || e->items[0]->kind == E_FLOAT;
    text_put(t, number ? "(" : "");
    print_at(t, e->items[0], LEVEL_POSTFIX);
    text_printf(t, number ? ").%s" : ".%s", e->text);
}

static void print_lambda(Text *t, const Expr *e)
{
    text_put(t, e->nparams == 1 ? "" : "(");
    print_binds(t, e->params, e->nparams, true);
    text_put(t, e->nparams == 1 ? " -> " : ") -> ");
    print_at(t, e->items[0], LEVEL_ANY);
}

static void print_tuple(Text *t, const Expr *e)
{
    text_putc(t, '(');
    print_list(t, e->items, e->nitems);
    text_put(t, e->nitems == 1 ? ",)" : ")");
}

static void print_block(Text *t, const Expr *e)
{
    text_put(t, "{ ");
    for (int i = 0; i < e->nstmts; i++) {
        print_stmt_inline(t, e->stmts[i]);
        text_put(t, "; ");
    }
    print_at(t, e->items[0], LEVEL_ANY);
    text_put(t, " }");
}

static void print_bare(Text *t, const Expr *e)
{
    switch (e->kind) {
    case E_INT:
    case E_FLOAT:
    case E_NAME: text_put(t, e->text); break;
    case E_BOOL: text_put(t, e->flag ? "true" : "false"); break;
    case E_STRING: print_string(t, e->text); break;
    case E_UNKNOWN_SIZE: text_putc(t, '?'); break;
    case E_TUPLE: print_tuple(t, e); break;
    case E_ARRAY:
        text_putc(t, '[');
        print_list(t, e->items, e->nitems);
        text_putc(t, ']');
        break;
    case E_UNARY: print_unary(t, e); break;
    case E_BINARY: print_binary(t, e); break;
    case E_IF:
        text_put(t, "if ");
        print_at(t, e->items[0], LEVEL_ANY);
        text_put(t, " then ");
        print_at(t, e->items[1], LEVEL_ANY);
        text_put(t, " else ");
        print_at(t, e->items[2], LEVEL_ANY);
        break;
    case E_LAMBDA: print_lambda(t, e); break;
    case E_CALL:
        print_at(t, e->items[0], LEVEL_POSTFIX);
        print_args(t, e->args, e->nargs);
        break;
    case E_INDEX:
        print_at(t, e->items[0], LEVEL_POSTFIX);
        print_subs(t, e);
        break;
    case E_FIELD: print_field(t, e); break;
    case E_WITH:
        print_at(t, e->items[0], LEVEL_WITH);
        text_put(t, " with ");
        print_subs(t, e);
        text_put(t, e->flag ? " += " : " = ");
        print_at(t, e->items[1], LEVEL_ADD);
        break;
    case E_BLOCK: print_block(t, e); break;
    case E_SCAN: print_scan(t, e->scan); break;
    }
}

static void print_at(Text *t, const Expr *e, Tightness place)
{
    bool parens = expr_level(e) < place;
    if (parens)
        text_putc(t, '(');
    print_bare(t, e);
    if (parens)
        text_putc(t, ')');
}

void ast_print_expr(Text *out, const Expr *e) { print_at(out, e, LEVEL_ANY); }

/* ---- statements ---- */

static void print_type(Text *t, const TypeExpr *type)
{
    text_put(t, type->dtype);
    if (type->ndims == 0)
        return;
    text_putc(t, '[');
    print_list(t, type->dims, type->ndims);
    text_putc(t, ']');
}

static void print_names(Text *t, const Stmt *s)
{
    for (int i = 0; i < s->nnames; i++)
        text_printf(t, "%s%s", i ? ", " : "", s->names[i].name);
}

/* A command takes the rest of its line, so it and what is around it need lines of their own. */
static bool holds_command(const Stmt *s)
{
    bool found = s->kind == S_COMMAND;
    for (int i = 0; i < s->nbody && !found; i++)
        found = holds_command(s->body[i]);
    return found;
}

static void print_body(Text *t, const Stmt *s)
{
    bool lines = holds_command(s);
    text_put(t, s->nbody == 0 ? " {" : lines ? " {\n" : " { ");
    for (int i = 0; i < s->nbody; i++) {
        text_put(t, i == 0 ? "" : lines ? "\n" : "; ");
        print_stmt_inline(t, s->body[i]);
    }
    text_put(t, s->nbody == 0 ? " }" : lines ? "\n}" : " }");
}

/* `repeat -n {` and `repeat [1] {` would read as expressions on a variable `repeat`. */
static void print_repeat(Text *t, const Stmt *s)
{
    Text count = {0};
    ast_print_expr(&count, s->value);
    const char *c = text_str(&count);
    text_printf(t, is_word_char(*c) ? "repeat %s" : "repeat (%s)", c);
    text_free(&count);
    print_body(t, s);
}

static void print_declaration(Text *t, const Stmt *s)
{
    text_printf(t, "%s%s : ", s->kind == S_SHARED ? "shared " : "", s->names[0].name);
    print_type(t, s->type);
    if (!s->value)
        return;
    text_put(t, " = ");
    ast_print_expr(t, s->value);
}

static void print_stmt_inline(Text *t, const Stmt *s)
{
    switch (s->kind) {
    case S_INPUT:
    case S_SHARED: print_declaration(t, s); break;
    case S_DEFINE:
        print_names(t, s);
        text_put(t, " = ");
        ast_print_expr(t, s->value);
        break;
    case S_FUNCTION:
    case S_COMPOSITE:
    case S_DERIVATIVE:
        text_put(t, s->kind == S_COMPOSITE    ? "composite "
                    : s->kind == S_DERIVATIVE ? "derivative "
                                              : "");
        text_printf(t, "%s(", s->names[0].name);
        print_binds(t, s->params, s->nparams, true);
        text_put(t, ") = ");
        ast_print_expr(t, s->value);
        break;
    case S_ASSIGN:
        print_names(t, s);
        text_put(t, " := ");
        print_list(t, s->values, s->nvalues);
        break;
    case S_REPEAT: print_repeat(t, s); break;
    case S_IN:
        text_printf(t, "in %s", s->names[0].name);
        print_body(t, s);
        break;
    case S_EXPR: ast_print_expr(t, s->value); break;
    case S_COMMAND: text_printf(t, *s->rest ? ":%s %s" : ":%s", s->command, s->rest); break;
    }
}

static void print_doc(Text *t, const char *doc)
{
    while (*doc) {
        size_t n = strcspn(doc, "\n");
        text_printf(t, n ? "# %.*s\n" : "#\n", (int)n, doc);
        doc += n + (doc[n] == '\n');
    }
}

void ast_print_stmt(Text *out, const Stmt *s)
{
    if (s->doc)
        print_doc(out, s->doc);
    print_stmt_inline(out, s);
}
