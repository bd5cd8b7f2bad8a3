/* Reading a listing back; see reading.h. */
#include "session/reading.h"

static void note_value(void *session, const Expr *x, Value *v)
{
    map_put(&((Reading *)session)->values, x, v);
}

static void ignore(void *ctx, Result *r)
{
    (void)ctx;
    (void)r;
}

/* The value of a shared variable stands elsewhere; to read with, it is an input. */
static void read_statement(Session *s, Stmt *stmt)
{
    if (stmt->kind != S_EXPR) {
        Stmt declared = *stmt;
        declared.kind = stmt->kind == S_SHARED ? S_INPUT : stmt->kind;
        session_run(s, &declared, ignore, NULL);
        return;
    }
    elab_start(&s->elab);
    elab_expr(&s->elab, stmt->value);
}

bool reading_open(Reading *r, const char *listing)
{
    Session *s = &r->session;
    *r = (Reading){.values = {0}};
    bool ok = session_init(s);
    s->host.gave = note_value;
    const Source *src = session_source(s, "listing", listing, strlen(listing));
    Parser p;
    Stmt *stmt = NULL;
    parser_init(&p, src, &r->trees, &s->diags, false);
    while (ok && parse_statement(&p, &stmt) == PARSE_OK) {
        vec_push(&r->statements, stmt);
        read_statement(s, stmt);
    }
    return ok && !s->diags.errors && !memory_short();
}

void reading_free(Reading *r)
{
    session_free(&r->session);
    vec_free(&r->statements);
    map_free(&r->values);
    arena_free(&r->trees);
}
