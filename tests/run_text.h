/* Running pieces of text in a session. */
#ifndef GRADUS_RUN_TEXT_H
#define GRADUS_RUN_TEXT_H

#include "session/session.h"

static inline void run_nothing(void *ctx, Result *r) { (void)ctx, (void)r; }

/* Statements; false after a diagnostic. */
static inline bool run_statements(Session *s, const char *text)
{
    const Source *src = session_source(s, "case", text, strlen(text));
    Parser p;
    parser_init(&p, src, &s->arena, &s->diags, false);
    Stmt *stmt;
    ParseStatus status;
    while ((status = parse_statement(&p, &stmt)) == PARSE_OK)
        session_run(s, stmt, run_nothing, NULL);
    return status == PARSE_END && !s->diags.list.len;
}

/* The nodes of an expression, to be freed; -1 after a diagnostic. */
static inline int run_roots(Session *s, const char *text, Node ***roots)
{
    const Source *src = session_source(s, "case", text, strlen(text));
    Value *v = session_value(s, source_whole(src));
    return v ? session_roots(s, v, (Span){0}, roots) : -1;
}

/* What all passes make of an expression; NULL if it cannot be built. Free with exploration_free. */
static inline Exploration *run_pipeline(Session *s, const char *text)
{
    Node **roots = NULL;
    int n = run_roots(s, text, &roots);
    Exploration *x = n >= 0 ? session_explore(s, n, roots) : NULL;
    free(roots);
    return x;
}

#endif
