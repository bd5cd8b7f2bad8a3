/* What the files of the parser share; nobody else includes this.
 *
 * Invariant: a parse function returns NULL (or false) exactly if p->failed or
 * p->incomplete is set; callers just return. After the first failure of a
 * statement nothing more is reported for it. In a `scan` header parser_peek()
 * skips newlines, as the language wants. */
#ifndef GRADUS_PARSE_INTERNAL_H
#define GRADUS_PARSE_INTERNAL_H

#include "syntax/lex.h"
#include "syntax/parse.h"

#define PARSE_MAX_DEPTH 2000   /* calls of parse functions inside each other; a bracket takes two */
#define PARSE_MAX_FAILURES 100 /* statements with errors per text */
#define PARSE_MAX_PARAMS 255

/* ---- tokens (parse_base.c) ---- */
Token parser_peek(Parser *p);            /* the next token */
TokenKind parser_kind(Parser *p);        /* its kind */
Token parser_ahead(Parser *p, size_t k); /* the k-th after it; newlines are not skipped */
Token parser_take(Parser *p);            /* consumes the next token (never past T_EOF) */
bool parser_accept(Parser *p, TokenKind kind);
bool parser_expect(Parser *p, TokenKind kind, const char *what);
bool parser_at_word(Parser *p, const char *word); /* the next token is this soft keyword or name */
bool token_is(const Parser *p, Token t, const char *word);
const char *parser_text(Parser *p, Token t); /* a copy in the arena */
Span parser_span(const Parser *p, Token t);
Span parser_span_from(const Parser *p, u32 start); /* up to the last consumed token */
void parser_start(Parser *p, Span part, bool statements);

/* ---- errors (parse_base.c); all return NULL ---- */
void *parser_fail(Parser *p, Token at, const char *hint, const char *fmt, ...) PRINTF_LIKE(4, 5);
void *parser_fail_span(Parser *p, Span at, const char *hint, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
void *parser_unexpected(Parser *p, const char *expected);
bool parser_enter(
    Parser *p); /* one level deeper; false: too deep (parser_leave is due all the same) */
void parser_leave(Parser *p);
/* Consumes the bracket that closes `open`, and goes back to the bracket outside it. */
bool parser_close(Parser *p, Token open, u32 outside);
/* Did memory run out, or was ^C pressed, in a long text? Then there was an error. */
bool parser_stops(Parser *p);
u32 parser_open(Parser *p, Token *open); /* consumes an opening bracket; returns the one outside */
void parser_recover(Parser *p);          /* to the next statement at depth 0 */
void *parser_keep(Parser *p, void *at, size_t len,
                  size_t size); /* moves a Vec's memory into the arena */

/* ---- grammar ---- */
Expr *parse_expr(Parser *p);   /* parse_expr.c: any expression */
Expr *parse_scan(Parser *p);   /* parse_scan.c: from the word `scan` */
Expr *parse_block(Parser *p);  /* parse.c: from the `{` */
Stmt *parse_simple(Parser *p); /* parse.c: an expression, a definition or a store */
TypeExpr *parse_type(Parser *p);
Expr *parse_if(Parser *p);                            /* parse_forms.c */
Expr *parse_lambda(Parser *p, Expr *left, u32 start); /* at `->`, after `left` */
Expr *expr_new(Parser *p, ExprKind kind, u32 start);
Expr *expr_finish(Parser *p, Expr *e); /* sets span and height; NULL if the tree is too high */
Expr *expr_tuple_rest(Parser *p, Expr *first); /* at a comma: `first, e, e` without parentheses */
Expr **expr_operands(Parser *p, int n);        /* an array for n operands */

#endif
