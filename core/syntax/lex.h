/* Tokens: what the lexer hands to the parser, one at a time.
 *
 * Invariant: newlines that do not end a statement are dropped here, except those
 * in a `scan` header, which only the parser can tell (see parse_internal.h).
 * Nothing is reported here: a bad stretch of text becomes a T_BAD_* token and is
 * explained by lex_explain() when the parser trips over it, so that one
 * statement gives one error. */
#ifndef GRADUS_LEX_H
#define GRADUS_LEX_H

#include "base/base.h"
#include "base/diag.h"

typedef enum {
    T_EOF,
    T_NEWLINE, /* ends a statement */
    T_SEMI,
    T_NAME, /* also the soft keywords: over for from using zip strict checkpoint auto in repeat
               shared keep reverse */
    T_INT,
    T_FLOAT,
    T_STRING,
    T_COMMAND, /* ':' and the rest of the line, without a comment or trailing space */
    /* hard keywords, in the order of the table in lex.c */
    T_AND,
    T_ELSE,
    T_FALSE,
    T_IF,
    T_NONE,
    T_NOT,
    T_OR,
    T_SCAN,
    T_THEN,
    T_TRUE,
    T_UNTIL,
    T_WITH,
    /* brackets */
    T_LPAREN,
    T_RPAREN,
    T_LBRACKET,
    T_RBRACKET,
    T_LBRACE,
    T_RBRACE,
/* operators between operands, and other marks */
#define WORD(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR)
#define INFIX(TREE, TOKEN, SIGN, LEVEL, LEFT, RIGHT, OPERATOR) T_##TOKEN,
#define PREFIX(TREE, TOKEN, SIGN, LEVEL, OPERAND, OPERATOR)
#include "syntax/syntax.def"
    T_TILDE,
    T_QUOTE,
    T_ASSIGN,
    /* = */ T_STORE,
    /* := */ T_INCREASE,
    /* += */ T_ARROW,
    /* -> */ T_FATARROW, /* => and <=> */
    T_COMMA,
    T_COLON,
    T_DOT,
    T_ELLIPSIS,
    T_QUESTION,
    T_WRONG,      /* an operator of other languages: ** && || ! ... */
    T_BAD_BYTE,   /* NUL, control bytes, invalid UTF-8 */
    T_BAD_CHAR,   /* a character that no token may hold */
    T_BAD_STRING, /* no closing quote on the line */
    T_BAD_ESCAPE,
    T_BAD_NUMBER
} TokenKind;

typedef struct Token Token;
struct Token {
    u32 start, end; /* bytes of the source */
    u32 open;       /* brackets open after this token */
    u8 kind;        /* TokenKind */
};

typedef struct Lexer {
    const Source *src; /* &part */
    Source part;       /* the source up to where the text ends */
    Arena *arena;
    size_t pos;
    TokenKind prev; /* the token before; T_NEWLINE where a statement may start */
    bool commands;  /* a ':' at the start of a statement starts a command */
    char *brackets; /* the open ones, innermost last */
    u32 nopen, cap;
    u32 counts[3]; /* open ( [ { */
} Lexer;

/* Reads that part of a source, which need not be all of it. `statements`: false if it is an
 * expression, so that no ':' starts a command. The lexer must stay where it is. */
void lexer_init(Lexer *lx, Span part, Arena *arena, bool statements);
Token lex_next(Lexer *lx);
/* Forgets the open brackets and goes on at byte `pos`, as at the start of a statement. */
void lexer_restart(Lexer *lx, size_t pos);

bool token_ends_expression(TokenKind kind);
/* All words that mean something by themselves, hard and soft; ends with NULL. */
extern const char *const language_words[];
bool token_is_word(TokenKind kind); /* a name or a keyword */
/* Bytes of the word at byte `at`: a name or a keyword; 0: there is none. */
size_t lex_word_length(const Source *src, size_t at);
bool lex_is_keyword(const char *word, size_t n);
bool token_is_bad(TokenKind kind);
/* Reports what is wrong with a T_BAD_* or T_WRONG token. */
void lex_explain(const Source *src, Token t, Diags *ds);
/* The value of a T_STRING token. */
const char *lex_unescape(const Source *src, Token t, Arena *arena);
/* The digits of a T_INT or T_FLOAT token, in decimal and without `_`; what does not fit in 64 bits
 * keeps its base. */
const char *lex_digits(const Source *src, Token t, Arena *arena);
int lex_base(char letter); /* 16 for the x of 0xff; 10: it begins no base */

#endif
