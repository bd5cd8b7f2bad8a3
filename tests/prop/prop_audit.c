/* The classes of rules are kept: over every expression of the examples, and a gradient of each that
 * has one, no step changes more than its classes allow, with the classes that are allowed at first,
 * with exact rules alone and with all rules. */
#include <dirent.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "effort.h"
#include "rewrite/history.h"
#include "session/session.h"

typedef struct {
    const char *file;
    u32 allowed, expressions, steps, exact, broken;
    Session s;
} Run;

static void audit(Run *r, int n, Node *const *roots, const char *what)
{
    u32 allowed = r->s.options.allowed;
    r->s.options.allowed = r->allowed;
    Exploration *x = explore(&r->s.st, r->s.rules, &r->s.options, n, roots);
    Audit a = {0};
    bool ok = x && session_audit(&r->s, x, &a);
    for (size_t i = 0; i < a.rows.len && ok; i++) {
        const AuditRow *row = &a.rows.at[i];
        Text place = {0};
        place_print(&place, &row->place);
        r->exact += !(row->classes & ~(u32)(HAZARD_E | HAZARD_D | HAZARD_C));
        r->broken += row->breaks != NULL;
        if (row->breaks)
            print_error("%s, %s, step %s, %s: %s, %g ulp\n", r->file, what, text_str(&place),
                        step_rule(row->step), row->breaks, row->by.ulp);
        text_free(&place);
    }
    if (!ok)
        print_error("%s, %s: the audit does not run\n", r->file, what);
    r->broken += !ok;
    r->expressions++;
    r->steps += a.steps;
    audit_free(&a);
    exploration_free(x);
    r->s.options.allowed = allowed;
}

static void audit_value(Run *r, Value *v, const char *what)
{
    Node **roots = NULL;
    int n = v ? session_roots(&r->s, v, (Span){0}, &roots) : -1;
    if (n > 0)
        audit(r, n, roots, what);
    free(roots);
}

static void on_result(void *ctx, Result *result)
{
    Run *r = ctx;
    if (result->kind == RESULT_VALUE)
        audit_value(r, result->value, result->name ? result->name : "an expression");
}

static void run_text(Run *r, const char *text, size_t len)
{
    const Source *src = session_source(&r->s, r->file, text, len);
    Parser p;
    parser_init(&p, src, &r->s.arena, &r->s.diags, false);
    Stmt *stmt;
    while (parse_statement(&p, &stmt) == PARSE_OK)
        session_run(&r->s, stmt, on_result, r);
}

/* A training and a sampler, which take a minute each when they run at all states of their graphs.
 */
static bool takes_long(const char *name)
{
    return !strcmp(name, "digits.gr") || !strcmp(name, "hierarchical.gr");
}

static void run_file(Run *r, const char *more)
{
    Text text = {0};
    FILE *f = fopen(r->file, "r");
    assert_non_null(f);
    for (int c; (c = fgetc(f)) != EOF;)
        text_putc(&text, (char)c);
    fclose(f);
    assert_true(session_init(&r->s));
    run_text(r, text_str(&text), text.len);
    assert_int_equal(r->s.diags.errors, 0);
    if (more)
        run_text(r, more, strlen(more));
    assert_int_equal(r->s.diags.errors, 0);
    text_free(&text);
    session_free(&r->s);
}

/* What is asked of an example beside what stands in it. */
static const char *more_of(const char *name)
{
    static const char *const more[][2] = {
        {"lstm.gr", "grad(loss, [Wi, Wf, Wo, Wc, Ui, Uf, Uo, Uc, bi, bf, bo, bc])\nS\n"},
        {"rnn.gr", "grad(loss, [W, W1, W2, Wf, Wout, u, x0, y0])\nhessian(loss, Wf)\n"},
        {"tour.gr", "grad(loss, [W, W1, W2, Wf, Wout, u])\njvp(loss, W, W)\n"},
        {"power.gr", "grad(loss, A)\n"},
        {"polynomial.gr", "grad(poly, x)\n"},
        {"jacobian.gr", "jacobian(y, x)\n"},
    };
    for (size_t i = 0; i < COUNT_OF(more); i++)
        if (!strcmp(more[i][0], name))
            return more[i][1];
    return NULL;
}

static Run all_examples(u32 allowed)
{
    Run sum = {0};
    struct dirent **files;
    int n = scandir("examples", &files, NULL, alphasort);
    assert_true(n > 2);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(files[i]->d_name, '.');
        char path[300];
        snprintf(path, sizeof path, "examples/%s", files[i]->d_name);
        Run r = {.file = path, .allowed = allowed};
        if (dot && !strcmp(dot, ".gr") && !takes_long(files[i]->d_name) && effort_keeps((u32)i))
            run_file(&r, more_of(files[i]->d_name));
        sum.expressions += r.expressions;
        sum.steps += r.steps;
        sum.exact += r.exact;
        sum.broken += r.broken;
        free(files[i]);
    }
    free(files);
    print_message("%u expressions, %u steps, %u of them exact, %u broken\n", sum.expressions,
                  sum.steps, sum.exact, sum.broken);
    return sum;
}

static void test_examples(void **state)
{
    (void)state;
    Run r = all_examples(HAZARD_DEFAULT);
    assert_true((r.expressions > 40 && r.exact > 300) || !effort_keeps_all());
    assert_int_equal(r.broken, 0);
}

static void test_examples_exact_rules(void **state)
{
    (void)state;
    Run r = all_examples(HAZARD_E | HAZARD_D);
    assert_true(r.exact > 300 || !effort_keeps_all());
    assert_int_equal(r.broken, 0);
}

static void test_examples_all_rules(void **state)
{
    (void)state;
    assert_int_equal(all_examples(~0u).broken, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples),
                                       cmocka_unit_test(test_examples_exact_rules),
                                       cmocka_unit_test(test_examples_all_rules)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
