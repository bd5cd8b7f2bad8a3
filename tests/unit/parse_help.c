/* A text being read by the parser, for its tests. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "parse_help.h"
#include "ast_equal.h"

void reading_begin_n(Reading *r, const char *text, size_t len, bool interactive)
{
    *r = (Reading){0};
    r->src.name = (char *)"t.gr";
    r->src.text = xmalloc(len + 1);
    memcpy(r->src.text, text, len);
    r->src.text[len] = '\0';
    r->src.len = len;
    parser_init(&r->parser, &r->src, &r->arena, &r->diags, interactive);
}

void reading_begin(Reading *r, const char *text) { reading_begin_n(r, text, strlen(text), false); }

void reading_end(Reading *r)
{
    diags_free(&r->diags);
    arena_free(&r->arena);
    free(r->src.text);
}

void show_diags(const Reading *r)
{
    Text t = {0};
    for (size_t i = 0; i < r->diags.list.len; i++)
        diag_render(&t, &r->diags.list.at[i], false);
    print_error("%s", text_str(&t));
    text_free(&t);
}

Stmt *next_stmt(Reading *r)
{
    Stmt *s;
    if (parse_statement(&r->parser, &s) != PARSE_OK) {
        show_diags(r);
        fail_msg("not parsed: %s", r->src.text);
    }
    return s;
}

void assert_round_trip(const Stmt *s)
{
    Text once = {0}, twice = {0};
    ast_print_stmt(&once, s);
    Reading r;
    reading_begin(&r, text_str(&once));
    Stmt *again = next_stmt(&r);
    ast_print_stmt(&twice, again);
    assert_string_equal(text_str(&once), text_str(&twice));
    assert_true(ast_stmt_equal(s, again));
    assert_int_equal(parse_statement(&r.parser, &again), PARSE_END);
    reading_end(&r);
    text_free(&once);
    text_free(&twice);
}

void assert_prints(const char *text, const char *wanted)
{
    Reading r;
    reading_begin(&r, text);
    Text t = {0};
    Stmt *s;
    ParseStatus st;
    while ((st = parse_statement(&r.parser, &s)) == PARSE_OK) {
        assert_round_trip(s);
        text_put(&t, t.len ? "\n" : "");
        ast_print_stmt(&t, s);
    }
    if (st != PARSE_END)
        show_diags(&r);
    assert_int_equal(st, PARSE_END);
    assert_string_equal(text_str(&t), wanted);
    text_free(&t);
    reading_end(&r);
}

void assert_same(const char *text) { assert_prints(text, text); }

void assert_error(const char *text, int line, int column, const char *message, const char *hint)
{
    Reading r;
    reading_begin(&r, text);
    Stmt *s;
    assert_int_equal(parse_statement(&r.parser, &s), PARSE_ERROR);
    assert_int_equal(r.diags.errors, 1);
    const Diag *d = &r.diags.list.at[0];
    int l, c, n;
    span_locate(d->span, &l, &c, &n);
    if (l != line || c != column || !strstr(d->message, message) ||
        (hint && (!d->hint || !strstr(d->hint, hint)))) {
        show_diags(&r);
        fail_msg("wanted %d:%d: %s (%s)", line, column, message, hint ? hint : "");
    }
    reading_end(&r);
}

void assert_statuses(const char *text, bool interactive, const char *wanted)
{
    Reading r;
    reading_begin_n(&r, text, strlen(text), interactive);
    char got[64] = "";
    Stmt *s;
    ParseStatus st;
    for (size_t n = 0; n < 60 && (st = parse_statement(&r.parser, &s)) != PARSE_END; n++)
        got[n] = st == PARSE_OK ? '.' : st == PARSE_ERROR ? 'x' : '?';
    if (strcmp(got, wanted) != 0) {
        show_diags(&r);
        print_error("in: %s\n", text);
    }
    assert_string_equal(got, wanted);
    reading_end(&r);
}
