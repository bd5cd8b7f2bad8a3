/* Source text of trees, with as few parentheses as the grammar allows.
 *
 * Invariant: parsing what is printed gives an equal tree, and printing that gives
 * the same text. Trees are at most AST_MAX_HEIGHT high, so recursion is safe. */
#include "syntax/ast_print.h"

enum { INDENT = 2 };

static void print_stmt_inline(Printer *p, const Stmt *s);

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

Tightness ast_level(const Expr *e)
{
    switch (e->kind) {
    case E_UNARY:
    case E_BINARY: return ast_sign(e->op)->level;
    case E_WITH: return LEVEL_WITH;
    case E_SIZE: return e->flag ? LEVEL_ADD : LEVEL_POSTFIX;
    case E_IF:
    case E_LAMBDA: return LEVEL_ANY;
    default: return LEVEL_POSTFIX;
    }
}

/* ---- pieces ---- */

static void put(Printer *p, const char *s) { pretty_put(p->l, s); }

/* Between the items of a list. */
static void comma(Printer *p, int i)
{
    if (!i)
        return;
    put(p, ",");
    pretty_blank(p->l, false);
}

static void equals(Printer *p, const char *sign)
{
    put(p, sign);
    pretty_blank(p->l, true);
}

static void print_list(Printer *p, Expr *const *items, int n)
{
    for (int i = 0; i < n; i++) {
        comma(p, i);
        ast_put(p, items[i], LEVEL_ANY);
    }
}

static void print_string(Printer *p, const char *text)
{
    put(p, "\"");
    for (const char *s = text; *s; s++) {
        if (*s == '\n' || *s == '\t')
            put(p, *s == '\n' ? "\\n" : "\\t");
        else if (*s == ' ' && s > text && !strchr(",=", s[-1]))
            pretty_words(p->l, " "); /* where a figure may break it, a program never */
        else
            pretty_printf(p->l, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
    }
    put(p, "\"");
}

static void print_args(Printer *p, const Arg *args, int n)
{
    pretty_open(p->l, "(");
    for (int i = 0; i < n; i++) {
        comma(p, i);
        if (args[i].name)
            pretty_printf(p->l, "%s=", args[i].name);
        ast_put(p, args[i].value, LEVEL_ANY);
    }
    pretty_close(p->l, ")");
}

static void print_slice(Printer *p, const Sub *s)
{
    if (s->start)
        ast_put(p, s->start, LEVEL_ANY);
    put(p, ":");
    if (s->stop)
        ast_put(p, s->stop, LEVEL_ANY);
    if (s->step) {
        put(p, ":");
        ast_put(p, s->step, LEVEL_ANY);
    }
}

static void print_sub(Printer *p, const Sub *s)
{
    if (s->name)
        pretty_printf(p->l, "%s=", s->name);
    switch (s->kind) {
    case SUB_ELLIPSIS: put(p, "..."); break;
    case SUB_NEWAXIS: put(p, "None"); break;
    case SUB_INDEX:
        /* `None` alone would read as a new axis */
        if (s->index->kind == E_NAME && strcmp(s->index->text, "None") == 0)
            put(p, "(None)");
        else
            ast_put(p, s->index, LEVEL_ANY);
        break;
    case SUB_SLICE: print_slice(p, s); break;
    }
}

static void print_subs(Printer *p, const Expr *e)
{
    pretty_open(p->l, "[");
    for (int i = 0; i < e->nsubs; i++) {
        comma(p, i);
        print_sub(p, &e->subs[i]);
    }
    pretty_close(p->l, "]");
}

/* NAME [= value], ...; `tight`: without spaces, as in parameters. */
static void print_binds(Printer *p, const Bind *b, int n, bool tight)
{
    for (int i = 0; i < n; i++) {
        comma(p, i);
        put(p, b[i].name);
        if (!b[i].init)
            continue;
        if (tight)
            put(p, "=");
        else
            equals(p, " =");
        ast_put(p, b[i].init, LEVEL_ANY);
    }
}

/* Between braces: lines, or items with a semicolon and a blank. */
static void brace(Printer *p)
{
    pretty_open(p->l, p->lines ? "{" : "{ ");
    p->l->indent += INDENT;
}

static void next_item(Printer *p, bool first)
{
    if (p->lines)
        pretty_line(p->l);
    else
        put(p, first ? "" : "; ");
}

static void unbrace(Printer *p)
{
    p->l->indent -= INDENT;
    if (p->lines)
        pretty_line(p->l);
    pretty_close(p->l, p->lines ? "}" : " }");
}

/* ---- scan ---- */

static void print_tap(Printer *p, const char *index, i64 offset)
{
    pretty_printf(p->l, "[%s", index);
    if (offset)
        pretty_printf(p->l, " %c %lld", offset < 0 ? '-' : '+', llabs((long long)offset));
    put(p, "]");
}

static void print_function(Printer *p, const Stmt *s)
{
    put(p, s->kind == S_COMPOSITE ? "composite " : s->kind == S_DERIVATIVE ? "derivative " : "");
    put(p, s->names[0].name);
    pretty_open(p->l, "(");
    print_binds(p, s->params, s->nparams, true);
    pretty_close(p->l, ")");
    equals(p, " =");
    ast_put(p, s->value, LEVEL_ANY);
}

static void print_item(Printer *p, const ScanExpr *s, const ScanItem *item)
{
    if (item->function) {
        print_function(p, item->function);
        return;
    }
    if (item->until)
        put(p, s->loop ? "while " : "until ");
    for (int i = 0; i < item->ntargets; i++) {
        comma(p, i);
        put(p, item->targets[i].name);
        if (item->targets[i].indexed)
            print_tap(p, s->index, item->targets[i].offset);
    }
    if (item->ntargets)
        equals(p, " =");
    ast_put(p, item->value, LEVEL_ANY);
}

static bool is_word_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* e, in parentheses where what it begins with would be read otherwise. */
static void print_guarded(Printer *p, const Expr *e, bool (*misread)(const char *))
{
    Text plain = {0};
    ast_print_expr(&plain, e);
    bool parens = misread(text_str(&plain));
    text_free(&plain);
    if (parens)
        pretty_open(p->l, "(");
    ast_put(p, e, LEVEL_ANY);
    if (parens)
        pretty_close(p->l, ")");
}

static bool is_auto(const char *s) { return !strncmp(s, "auto", 4) && !is_word_char(s[4]); }

/* A variable named `auto` is not the word `auto`. */
static void print_checkpoint(Printer *p, const ScanExpr *s)
{
    if (s->checkpoint_auto)
        put(p, " checkpoint auto");
    if (!s->checkpoint)
        return;
    put(p, " checkpoint ");
    print_guarded(p, s->checkpoint, is_auto);
}

static void print_clause(Printer *p, const char *word, const Expr *e)
{
    if (!e)
        return;
    put(p, word);
    ast_put(p, e, LEVEL_ANY);
}

static void print_over(Printer *p, const ScanExpr *s)
{
    for (int i = 0; i < s->nover; i++) {
        const Bind *b = &s->over[i];
        put(p, i ? "" : " over ");
        comma(p, i);
        put(p, b->name);
        if (b->indexed)
            print_tap(p, s->index, b->offset);
        if (b->init)
            equals(p, " =");
        print_clause(p, "", b->init);
    }
}

static void print_header(Printer *p, const ScanExpr *s)
{
    pretty_printf(p->l, "%s %s", s->loop ? "loop" : "scan", s->index);
    print_over(p, s);
    print_clause(p, " for ", s->count);
    print_clause(p, " if ", s->go);
    if (s->nfrom) {
        put(p, " from ");
        print_binds(p, s->from, s->nfrom, false);
    }
    if (s->has_using) {
        put(p, s->nusing ? " using " : " using ()");
        print_binds(p, s->using_names, s->nusing, false);
    }
    put(p, s->reverse ? " reverse" : "");
    put(p, s->down ? " down" : "");
    put(p, s->grows ? " grows" : "");
    put(p, s->zip_strict ? " zip strict" : "");
    print_checkpoint(p, s);
    if (s->has_keep) {
        put(p, s->nkeep ? " keep " : " keep ()");
        print_binds(p, s->keep, s->nkeep, false);
    }
}

static void print_scan(Printer *p, const ScanExpr *s)
{
    print_header(p, s);
    put(p, " ");
    brace(p);
    for (int i = 0; i < s->nitems; i++) {
        next_item(p, !i);
        print_item(p, s, &s->items[i]);
    }
    unbrace(p);
}

/* ---- expressions ---- */

static void print_binary(Printer *p, const Expr *e)
{
    const Sign *sign = ast_sign(e->op);
    ast_put(p, e->items[0], (Tightness)((int)sign->left + e->flag));
    for (int i = 1; i < e->nitems; i++) {
        pretty_printf(p->l, e->op == AST_POW ? "%s" : " %s", sign->sign);
        if (e->op != AST_POW)
            pretty_blank(p->l, strchr(sign->sign, '=') != NULL);
        ast_put(p, e->items[i], sign->right);
    }
}

static void print_unary(Printer *p, const Expr *e)
{
    const Sign *sign = ast_sign(e->op);
    if (e->op == AST_TRANSPOSE) {
        ast_put(p, e->items[0], sign->left);
        put(p, sign->sign);
        return;
    }
    pretty_printf(p->l, e->op == AST_NOT ? "%s " : "%s", sign->sign);
    ast_put(p, e->items[0], (Tightness)((int)sign->right + e->flag));
}

static void print_if(Printer *p, const Expr *e)
{
    Tightness inner = e->flag ? LEVEL_OR : LEVEL_ANY;
    pretty_words(p->l, "if ");
    ast_put(p, e->items[0], inner);
    pretty_words(p->l, " then ");
    ast_put(p, e->items[1], inner);
    pretty_words(p->l, " else ");
    ast_put(p, e->items[2], LEVEL_ANY);
}

/* A point after digits would join the number. */
static void print_field(Printer *p, const Expr *e)
{
    bool number = e->items[0]->kind == E_INT || e->items[0]->kind == E_FLOAT;
    put(p, number ? "(" : "");
    ast_put(p, e->items[0], LEVEL_POSTFIX);
    put(p, number ? ")." : ".");
    pretty_printf(p->l, e->flag ? "(\"%s\")" : "%s", e->text);
}

static void print_lambda(Printer *p, const Expr *e)
{
    if (e->nparams != 1)
        pretty_open(p->l, "(");
    print_binds(p, e->params, e->nparams, true);
    if (e->nparams != 1)
        pretty_close(p->l, ")");
    put(p, " -> ");
    ast_put(p, e->items[0], LEVEL_ANY);
}

static void print_tuple(Printer *p, const Expr *e)
{
    pretty_open(p->l, "(");
    print_list(p, e->items, e->nitems);
    pretty_close(p->l, e->nitems == 1 ? ",)" : ")");
}

static void print_array(Printer *p, const Expr *e)
{
    if (e->text) {
        pretty_literal(p->l, e->text);
        return;
    }
    pretty_open(p->l, "[");
    print_list(p, e->items, e->nitems);
    pretty_close(p->l, "]");
}

static void print_with(Printer *p, const Expr *e)
{
    ast_put(p, e->items[0], LEVEL_WITH);
    pretty_words(p->l, " with ");
    pretty_printf(p->l, "%s%s", e->text ? "." : "", e->text ? e->text : "");
    if (!e->text)
        print_subs(p, e);
    if (e->flag)
        put(p, " += ");
    else
        equals(p, " =");
    ast_put(p, e->items[1], LEVEL_ADD);
}

static void print_block(Printer *p, const Expr *e)
{
    if (e->text)
        pretty_printf(p->l, "in %s ", e->text);
    brace(p);
    for (int i = 0; i < e->nstmts; i++) {
        next_item(p, !i);
        print_stmt_inline(p, e->stmts[i]);
    }
    next_item(p, !e->nstmts);
    ast_put(p, e->items[0], LEVEL_ANY);
    unbrace(p);
}

static void print_bare(Printer *p, const Expr *e)
{
    switch (e->kind) {
    case E_INT:
    case E_FLOAT:
    case E_NAME: put(p, e->text); break;
    case E_SIZE: pretty_literal(p->l, e->text); break;
    case E_BOOL: put(p, e->flag ? "true" : "false"); break;
    case E_STRING: print_string(p, e->text); break;
    case E_UNKNOWN_SIZE: put(p, "?"); break;
    case E_TUPLE: e->nargs ? print_args(p, e->args, e->nargs) : print_tuple(p, e); break;
    case E_ARRAY: print_array(p, e); break;
    case E_UNARY: print_unary(p, e); break;
    case E_BINARY: print_binary(p, e); break;
    case E_IF: print_if(p, e); break;
    case E_LAMBDA: print_lambda(p, e); break;
    case E_CALL:
        ast_put(p, e->items[0], LEVEL_POSTFIX);
        print_args(p, e->args, e->nargs);
        break;
    case E_INDEX:
        ast_put(p, e->items[0], LEVEL_POSTFIX);
        print_subs(p, e);
        break;
    case E_FIELD: print_field(p, e); break;
    case E_WITH: print_with(p, e); break;
    case E_BLOCK: print_block(p, e); break;
    case E_SCAN: print_scan(p, e->scan); break;
    }
}

void ast_put(Printer *p, const Expr *e, Tightness place)
{
    const Notation *own = p->notation;
    bool parens = (own ? own->level(e) : ast_level(e)) < place;
    bool mark = p->marked && e->of && hashtable_has(p->marked, e->of);
    if (mark)
        pretty_edge(p->l, true, e->of);
    if (parens)
        pretty_open(p->l, "(");
    if (!own || !own->put(p, e))
        print_bare(p, e);
    if (parens)
        pretty_close(p->l, ")");
    if (mark)
        pretty_edge(p->l, false, e->of);
}

void ast_put_args(Printer *p, const Expr *call) { print_args(p, call->args, call->nargs); }

void ast_print_expr(Text *out, const Expr *e)
{
    Pretty l = {0};
    ast_put(&(Printer){.l = &l}, e, LEVEL_ANY);
    text_put(out, text_str(&l.text));
    pretty_free(&l);
}

/* ---- statements ---- */

static void print_type(Printer *p, const TypeExpr *type)
{
    if (!type->dtype) {
        pretty_open(p->l, "(");
        for (int i = 0; i < type->nparts; i++) {
            comma(p, i);
            if (type->names)
                pretty_printf(p->l, "%s: ", type->names[i]);
            print_type(p, type->parts[i]);
        }
        pretty_close(p->l, type->nparts == 1 && !type->names ? ",)" : ")");
        return;
    }
    put(p, type->dtype);
    if (type->ndims == 0)
        return;
    pretty_open(p->l, "[");
    for (int i = 0; i < type->ndims; i++) {
        comma(p, i);
        if (type->dim_names && type->dim_names[i])
            pretty_printf(p->l, "%s ", type->dim_names[i]);
        ast_put(p, type->dims[i], LEVEL_ANY);
    }
    pretty_close(p->l, "]");
}

static void print_names(Printer *p, const Stmt *s, const char *sign)
{
    for (int i = 0; i < s->nnames; i++) {
        comma(p, i);
        put(p, s->names[i].name);
    }
    equals(p, sign);
}

/* A command takes the rest of its line, so it and what is around it need lines of their own. */
static bool holds_command(const Stmt *s)
{
    bool found = s->kind == S_COMMAND;
    for (int i = 0; i < s->nbody && !found; i++)
        found = holds_command(s->body[i]);
    return found;
}

static void print_body(Printer *p, const Stmt *s)
{
    bool lines = holds_command(s), empty = s->nbody == 0 && !s->until;
    put(p, empty ? " {" : lines ? " {\n" : " { ");
    for (int i = 0; i < s->nbody; i++) {
        put(p, i == 0 ? "" : lines ? "\n" : "; ");
        print_stmt_inline(p, s->body[i]);
    }
    if (s->until) {
        put(p, !s->nbody ? "until " : lines ? "\nuntil " : "; until ");
        ast_put(p, s->until, LEVEL_ANY);
    }
    put(p, lines ? "\n}" : " }");
}

static bool is_no_word(const char *s) { return !is_word_char(*s); }

static void print_declaration(Printer *p, const Stmt *s)
{
    pretty_printf(p->l, "%s%s : ", s->kind == S_SHARED ? "shared " : "", s->names[0].name);
    print_type(p, s->type);
    if (s->value)
        equals(p, " =");
    print_clause(p, "", s->value);
}

static void print_stmt_inline(Printer *p, const Stmt *s)
{
    switch (s->kind) {
    case S_INPUT:
    case S_SHARED: print_declaration(p, s); break;
    case S_DEFINE:
        print_names(p, s, " =");
        ast_put(p, s->value, LEVEL_ANY);
        break;
    case S_FUNCTION:
    case S_COMPOSITE:
    case S_DERIVATIVE: print_function(p, s); break;
    case S_ASSIGN:
        print_names(p, s, " :=");
        print_list(p, s->values, s->nvalues);
        break;
    case S_REPEAT: /* `repeat -n {` and `repeat [1] {` would read as expressions on a variable */
        put(p, "repeat ");
        print_guarded(p, s->value, is_no_word);
        print_body(p, s);
        break;
    case S_IN:
        pretty_printf(p->l, "in %s", s->names[0].name);
        print_body(p, s);
        break;
    case S_EXPR: ast_put(p, s->value, LEVEL_ANY); break;
    case S_COMMAND: pretty_printf(p->l, *s->rest ? ":%s %s" : ":%s", s->command, s->rest); break;
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
    Pretty l = {0};
    if (s->doc)
        print_doc(out, s->doc);
    print_stmt_inline(&(Printer){.l = &l}, s);
    text_put(out, text_str(&l.text));
    pretty_free(&l);
}

/* ---- laid out ---- */

void ast_lay_expr(Pretty *l, const Expr *e, Tightness place, const HashTable *marked)
{
    ast_put(&(Printer){.l = l, .marked = marked}, e, place);
}

void ast_lay_stmt(Pretty *l, const Stmt *s, const HashTable *marked)
{
    print_stmt_inline(&(Printer){.l = l, .marked = marked, .lines = true}, s);
}
