/* Reports: one description gives text and data, and a table fits the width there is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "repl/commands/report.h"

typedef struct {
    Text text, json;
    Json data;
    Arena arena;
    Report r;
} Told;

static Report *begin(Told *t)
{
    *t = (Told){.text = {0}};
    t->data.out = &t->json;
    t->r = (Report){.text = &t->text, .data = &t->data, .arena = &t->arena};
    json_begin(&t->data, '{');
    return &t->r;
}

static void expect(Told *t, int width, const char *text, const char *json)
{
    Text out = {0};
    json_end(&t->data, '}');
    report_write(&t->r, &out, width, false);
    assert_string_equal(text_str(&out), text);
    if (json)
        assert_string_equal(text_str(&t->json), json);
    report_free(&t->r);
    text_free(&out);
    text_free(&t->text);
    text_free(&t->json);
    arena_free(&t->arena);
}

static void a_template_says_both(void **state)
{
    (void)state;
    Told t;
    Report *r = begin(&t);
    report_say(r, "{file}: {steps step}, {loops loop}, {time} of {size}{ok}\n", text_of("a\"b"),
               int_of(1), int_of(0), seconds_of(0.0025), bytes_of(12345), as("", flag_of(true)));
    report_say(r, "{nothing}{worst}{=hidden} {-}\n", text_of(NULL), as("2.5e-07", real_of(2.5e-7)),
               int_of(3), text_of("shown"));
    expect(
        &t, 0, "a\"b: 1 step, 0 loops, 2.50 ms of 12.3 KB\n2.5e-07 shown\n",
        "{\"file\":\"a\\\"b\",\"steps\":1,\"loops\":0,\"time\":0.0025,\"size\":12345,\"ok\":true,"
        "\"nothing\":null,\"worst\":2.5e-07,\"hidden\":3}");
}

static const Column columns[] = {
    {"name", "name"}, {"", NULL}, {NULL, "on"}, {"what it does", "doc"}};

static void put_rows(Report *r, size_t width)
{
    Rows rows = rows_begin(r, columns, width);
    text_put(r->text, "before\n");
    rows_add(&rows, text_of("é"), int_of(12), flag_of(false), text_of("nothing"));
    rows_add(&rows, text_of("first"), int_of(3), flag_of(true),
             text_of("a sentence that is longer than a narrow screen"));
    rows_put(&rows, "rows");
    text_put(r->text, "after\n");
}

static void rows_are_a_table_and_a_list(void **state)
{
    (void)state;
    Told t;
    put_rows(begin(&t), 4);
    expect(&t, 0,
           "before\nname       what it does\né      12  nothing\n"
           "first  3   a sentence that is longer than a narrow screen\nafter\n",
           "{\"rows\":[{\"name\":\"é\",\"on\":false,\"doc\":\"nothing\"},{\"name\":\"first\","
           "\"on\":true,\"doc\":\"a sentence that is longer than a narrow screen\"}]}");
    put_rows(begin(&t), 2);
    expect(&t, 0, "before\nname\né      12\nfirst  3\nafter\n",
           "{\"rows\":[{\"name\":\"é\"},{\"name\":\"first\"}]}");
}

static void a_hidden_row_is_in_the_data(void **state)
{
    (void)state;
    static const Column two[] = {{"k", "k"}, {NULL, "v"}};
    Told t;
    Report *r = begin(&t);
    Rows shown = rows_begin(r, two, 2), not_shown = rows_begin(r, two, 2);
    for (int i = 0; i < 3; i++) {
        shown.hidden = i == 1;
        rows_add(&shown, int_of(i), absent());
    }
    rows_put(&shown, "some");
    not_shown.hidden = true;
    rows_add(&not_shown, int_of(7), text_of(NULL));
    rows_put(&not_shown, "none");
    expect(&t, 0, "k\n0\n2\n",
           "{\"some\":[{\"k\":0},{\"k\":1},{\"k\":2}],\"none\":[{\"k\":7,\"v\":null}]}");
}

static void a_long_cell_is_folded(void **state)
{
    (void)state;
    Told t;
    put_rows(begin(&t), 4);
    expect(&t, 40,
           "before\nname       what it does\né      12  nothing\n"
           "first  3   a sentence that is longer\n           than a narrow screen\nafter\n",
           NULL);
}

/* Every line fits, and every cell is there, the first of its row before it. */
static void columns_that_do_not_fit_stand_below(void **state)
{
    (void)state;
    static const Column many[] = {{"t", NULL}, {"h[t]", NULL}, {"c[t]", NULL}, {"o[t]", NULL}};
    Told t;
    Report *r = begin(&t);
    Rows rows = rows_begin(r, many, COUNT_OF(many));
    rows_add(&rows, int_of(0), text_of("0.25"), text_of("-0.125"), text_of("1"));
    rows_add(&rows, int_of(1), text_of("0.5"), text_of("-0.25"), text_of("1.0625"));
    rows_put(&rows, "rows");
    expect(&t, 16, "t  h[t]  c[t]\n0  0.25  -0.125\n1  0.5   -0.25\n\nt  o[t]\n0  1\n1  1.0625\n",
           "{\"rows\":[[0,\"0.25\",\"-0.125\",\"1\"],[1,\"0.5\",\"-0.25\",\"1.0625\"]]}");
}

/* A grid in the text, where arrays are shortened; in the data all elements. */
static void tensors_are_a_grid_and_lists(void **state)
{
    (void)state;
    static const double x[] = {1.5, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    static const i64 shape[] = {10};
    Heap heap = {0};
    Told t;
    Report *r = begin(&t);
    Tensor *v[4] = {tensor_scalar_f64(&heap, -0.25), tensor_scalar_f64(&heap, 12),
                    tensor_new(&heap, DT_F64, 1, shape), NULL};
    memcpy(v[2]->data, x, sizeof x);
    Cells c = cells_begin(r, as("step", text_of("value")), 32, 4);
    cells_column(&c, int_of(7));
    cells_column(&c, as("d h", text_of("h")));
    cells_row(&c, "a", v, 2);
    cells_row(&c, "b", v + 1, 2);
    assert_true(cells_put(&c, "columns", "rows"));
    report_say(r, "all: {all} {none}\n", tensor_of(v[2]), tensor_of(NULL));
    json_open(r->data, "items", '[');
    report_item(r, "{n step} of {x}", int_of(1), text_of("x"));
    report_item(r, "{=n}{-}\n", int_of(2), absent());
    json_end(r->data, ']');
    expect(&t, 0,
           "step  7      d h\na     -0.25  [1.5, 2, 3, …]\nb     12\n"
           "all: [1.5, 2, 3, …] \n1 step of x\n",
           "{\"columns\":[\"value\",7,\"h\"],\"rows\":[[\"a\",-0.25,"
           "[1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]],[\"b\",12.0,null]],"
           "\"all\":[1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0],\"none\":null,"
           "\"items\":[{\"n\":1,\"x\":\"x\"},{\"n\":2}]}");
    for (int i = 0; i < 3; i++)
        tensor_unref(v[i]);
    heap_free(&heap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_template_says_both),
        cmocka_unit_test(rows_are_a_table_and_a_list),
        cmocka_unit_test(a_hidden_row_is_in_the_data),
        cmocka_unit_test(a_long_cell_is_folded),
        cmocka_unit_test(columns_that_do_not_fit_stand_below),
        cmocka_unit_test(tensors_are_a_grid_and_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
