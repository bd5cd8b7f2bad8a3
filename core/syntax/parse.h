/* Text -> statements. One statement at a time, so that a file with a mistake in
 * one statement still runs the others. */
#ifndef GRADUS_PARSE_H
#define GRADUS_PARSE_H

#include "syntax/ast.h"

typedef enum {
    PARSE_OK,        /* *out is the statement */
    PARSE_END,       /* nothing left */
    PARSE_ERROR,     /* diagnostics were added; the parser has moved past the bad statement */
    PARSE_INCOMPLETE /* the text ends inside a statement (open bracket, trailing operator, ...):
                        only for `Parser.interactive`; a file that ends so is a PARSE_ERROR with the
                        opening bracket shown */
} ParseStatus;

typedef struct Token Token;
typedef struct {
    const Source *src;
    Arena *arena; /* the trees live here; may be another one for each statement */
    Diags *diags;
    const Interrupt *interrupt; /* ^C ends a long text with an error; may be NULL */
    bool interactive;
    /* private */
    Arena *own; /* tokens, for as long as the parser */
    Token *tokens;
    size_t count, pos;
    int depth;
    bool lexed;
    size_t cap;
    struct Lexer *lexer;
    size_t stmt_start; /* index of the first token of the innermost statement */
    u32 last_end;      /* where the last consumed token ends */
    u32 bracket;       /* the innermost open bracket, UINT32_MAX if none */
    bool header;       /* in a scan header: newlines are skipped */
    bool rule_mode;    /* `x:any` and `rest...` are names */
    bool failed, failed_in_header, incomplete, gave_up;
    int failures;
} Parser;

/* src and arena must outlive the trees. */
void parser_init(Parser *p, const Source *src, Arena *arena, Diags *diags, bool interactive);
ParseStatus parse_statement(Parser *p, Stmt **out);
/* A single expression that is all of that part of a source (arguments of commands, rules,
 * derivatives); NULL on error. */
Expr *parse_expression(Span part, Arena *arena, Diags *diags);
/* An expression starting at byte `start` of src; *end is set to where it stopped (used by the rule
 * reader). */
Expr *parse_expression_at(const Source *src, size_t start, size_t *end, Arena *arena, Diags *diags);

#endif
