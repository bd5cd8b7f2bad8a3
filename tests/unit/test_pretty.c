/* Tests of the pretty printer: where lines break, and where marked parts begin and end.
 *
 * Invariant: every test frees what it allocates, so a leak checker stays silent. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pretty.h"

/* Marked parts are shown between angle brackets. */
static void expect_written(const Pretty *l, int width, const char *want)
{
    Styled out = {0};
    Text shown = {0};
    pretty_write(&out.text, &out.edges, l, width);
    for (StyledPart p = {0}; styled_next(&p, text_str(&out.text), out.text.len, &out.edges);)
        if (p.edge)
            text_put(&shown, p.edge->opens ? "<" : ">");
        else
            text_putn(&shown, p.text, p.len);
    assert_string_equal(text_str(&shown), want);
    styled_free(&out);
    text_free(&shown);
}

/* Lines are broken in as few groups as possible, and late; behind `=` only if nothing else does. */
static void pretty_breaks_outside(void **state)
{
    (void)state;
    Pretty l = {0};
    pretty_put(&l, "y =");
    pretty_blank(&l, true);
    pretty_put(&l, "f");
    pretty_open(&l, "(");
    pretty_literal(&l, "[1, 2], [3, 4]");
    pretty_close(&l, ")");
    pretty_put(&l, " +");
    pretty_blank(&l, false);
    pretty_edge(&l, true, NULL);
    pretty_put(&l, "δx");
    pretty_edge(&l, false, NULL);
    expect_written(&l, 0, "y = f([1, 2], [3, 4]) + <δx>");
    expect_written(&l, 26, "y = f([1, 2], [3, 4]) + <δx>");
    expect_written(&l, 25, "y = f([1, 2], [3, 4]) +\n    <δx>");
    expect_written(&l, 20, "y = f([1, 2],\n    [3, 4]) + <δx>");
    pretty_free(&l);
}

static void pretty_indents(void **state)
{
    (void)state;
    Pretty l = {0};
    pretty_open(&l, "{");
    l.indent = 2;
    pretty_line(&l);
    pretty_put(&l, "abc +");
    pretty_blank(&l, false);
    pretty_put(&l, "defghij");
    l.indent = 0;
    pretty_line(&l);
    pretty_close(&l, "}");
    expect_written(&l, 0, "{\n  abc + defghij\n}");
    expect_written(&l, 12, "{\n  abc +\n      defghij\n}");
    pretty_free(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pretty_breaks_outside),
        cmocka_unit_test(pretty_indents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
