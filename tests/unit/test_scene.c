/* The scene model: building, JSON, descriptions; and drawing through gradus-draw
 * where that program is built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "viz/scene/draw.h"
#include "viz/scene/scene.h"

static char *json_of(const Scene *s)
{
    Text t = {0};
    scene_json(&t, s);
    return text_take(&t);
}

static char *description_of(const Scene *s)
{
    Text t = {0};
    scene_describe(&t, s);
    return text_take(&t);
}

static void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in: %s", part, text);
}

static void assert_lacks(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is in: %s", part, text);
}

/* x -> scan { s -> * -> s } -> y */
static Scene *small_loop(void)
{
    Scene *s = scene_new("a loop");
    int x = scene_node(s, &(SceneNode){.id = 1,
                                       .op = "input",
                                       .label = "x",
                                       .detail = "f64[n]",
                                       .cls = CLS_INPUT,
                                       .role = ROLE_INPUT});
    int b = scene_box(s, &(SceneBox){.title = "scan t n=4", .kind = BOX_SCAN, .owner_id = 9});
    int st = scene_node(s, &(SceneNode){.id = 2,
                                        .op = "param",
                                        .label = "s[t-1]",
                                        .cls = CLS_INPUT,
                                        .role = ROLE_STATE,
                                        .box = b});
    int m = scene_node(s, &(SceneNode){.id = 3, .op = "mul", .cls = CLS_ELEMENTWISE, .box = b});
    int y = scene_node(s, &(SceneNode){.id = 4, .op = "proj", .label = "y", .role = ROLE_OUTPUT});
    scene_edge(s, &(SceneEdge){.from = x, .to = st, .kind = EDGE_STATE, .head = "init"});
    scene_edge(s, &(SceneEdge){.from = st, .to = m});
    scene_edge(s, &(SceneEdge){.from = m, .to = st, .kind = EDGE_LOOPBACK});
    scene_edge(s, &(SceneEdge){.from = m, .to = y, .kind = EDGE_STATE});
    scene_edge(s, &(SceneEdge){.from = m, .to_box = b, .kind = EDGE_UNTIL});
    return s;
}

/* ---- building ---- */

static void numbers_count_from_one(void **state)
{
    (void)state;
    Scene *s = scene_new(NULL);
    assert_int_equal(scene_node(s, &(SceneNode){.op = "a"}), 1);
    assert_int_equal(scene_node(s, &(SceneNode){.op = "b"}), 2);
    assert_int_equal(scene_box(s, &(SceneBox){.title = "c"}), 1);
    assert_int_equal(scene_edge(s, &(SceneEdge){.from = 1, .to = 2}), 1);
    assert_string_equal(scene_node_at(s, 2)->op, "b");
    scene_free(s);
    scene_free(NULL);
}

static void strings_are_copied(void **state)
{
    (void)state;
    char label[] = "before";
    Scene *s = scene_new(label);
    scene_node(s, &(SceneNode){.label = label});
    memcpy(label, "after!", 6);
    assert_string_equal(s->title, "before");
    assert_string_equal(scene_node_at(s, 1)->label, "before");
    scene_free(s);
}

static void edges_are_checked(void **state)
{
    (void)state;
    Scene *s = small_loop();
    assert_null(scene_edge_problem(s, &(SceneEdge){.from = 1, .to = 2}));
    assert_null(scene_edge_problem(s, &(SceneEdge){.from_box = 1, .to = 2}));
    assert_non_null(scene_edge_problem(s, &(SceneEdge){.from = 1, .to = 99}));
    assert_non_null(scene_edge_problem(s, &(SceneEdge){.from = 0, .to = 1}));
    assert_non_null(scene_edge_problem(s, &(SceneEdge){.from = 1, .to_box = 7}));
    assert_non_null(scene_edge_problem(s, &(SceneEdge){.from = -1, .to = 1}));
    scene_free(s);
}

static void closed_boxes_hide(void **state)
{
    (void)state;
    Scene *s = scene_new(NULL);
    int a = scene_box(s, &(SceneBox){.title = "a"});
    int b = scene_box(s, &(SceneBox){.title = "b", .parent = a, .closed = true});
    int c = scene_box(s, &(SceneBox){.title = "c", .parent = b, .closed = true});
    assert_int_equal(scene_hidden_by(s, 0), 0);
    assert_int_equal(scene_hidden_by(s, a), 0);
    assert_int_equal(scene_hidden_by(s, c), b);
    scene_free(s);
}

static void words_are_found(void **state)
{
    (void)state;
    assert_int_equal(scene_word(scene_class_words, CLS_COUNT, "linalg"), CLS_LINALG);
    assert_int_equal(scene_word(scene_edge_words, EDGE_KINDS, "adjoint-of"), EDGE_ADJOINT);
    assert_int_equal(scene_word(scene_role_words, ROLE_COUNT, "nonsense"), -1);
    for (int i = 0; i < BOX_COUNT; i++)
        assert_non_null(scene_box_words[i]);
}

static void notes_add_up(void **state)
{
    (void)state;
    Scene *s = scene_new(NULL);
    scene_set_note(s, "one");
    scene_set_note(s, "two");
    assert_string_equal(s->note, "one; two");
    scene_free(s);
}

/* ---- JSON ---- */

static void json_is_exact(void **state)
{
    (void)state;
    Scene *s = scene_new("t");
    scene_box(s, &(SceneBox){.title = "f", .kind = BOX_CALL, .closed = true, .repeat = 3});
    scene_node(s, &(SceneNode){
                      .id = 7, .op = "tanh", .cls = CLS_ELEMENTWISE, .mark = MARK_ADDED, .box = 1});
    scene_edge(s, &(SceneEdge){.from = 1, .to = 1, .kind = EDGE_CAPTURE, .label = "f64"});
    char *json = json_of(s);
    assert_string_equal(
        json, "{\"scene\":1,\"title\":\"t\","
              "\"nodes\":[{\"id\":7,\"op\":\"tanh\",\"class\":\"elementwise\",\"mark\":\"added\","
              "\"box\":1}],"
              "\"boxes\":[{\"title\":\"f\",\"kind\":\"call\",\"repeat\":3,\"closed\":true}],"
              "\"edges\":[{\"from\":1,\"to\":1,\"label\":\"f64\",\"kind\":\"capture\"}]}");
    free(json);
    scene_free(s);
}

static void json_escapes(void **state)
{
    (void)state;
    Scene *s = scene_new("</script> \"q\" \\ \n \x01 \xF0\x9F\x98\x80 \xFF");
    char *json = json_of(s);
    assert_holds(json, "\\\"q\\\" \\\\ \\n \\u0001 \xF0\x9F\x98\x80 \xEF\xBF\xBD");
    assert_null(strchr(json, '\n'));
    free(json);
    scene_free(s);
}

static void empty_scene_has_lists(void **state)
{
    (void)state;
    Scene *s = scene_new(NULL);
    char *json = json_of(s);
    assert_string_equal(json, "{\"scene\":1,\"nodes\":[],\"boxes\":[],\"edges\":[]}");
    free(json);
    scene_free(s);
}

/* ---- descriptions ---- */

static void description_tells_the_loop(void **state)
{
    (void)state;
    Scene *s = small_loop();
    char *d = description_of(s);
    assert_holds(d, "A graph of 4 nodes and 1 inner graph");
    assert_holds(d, "Inputs: x (f64[n])");
    assert_holds(d, "Outputs: y");
    assert_holds(d, "scan t n=4: 2 nodes. States carried from step to step: s[t-1]");
    assert_holds(d, "%2 s[t-1] from state %1 x, for the next step %3 mul");
    assert_holds(d, "Stops on %3 mul");
    assert_lacks(d, "Compared");
    free(d);
    scene_free(s);
}

static void description_tells_marks(void **state)
{
    (void)state;
    Scene *s = scene_new(NULL);
    scene_node(s, &(SceneNode){.op = "a", .mark = MARK_ADDED});
    scene_node(s, &(SceneNode){.op = "b", .mark = MARK_REMOVED});
    scene_node(s, &(SceneNode){.op = "c", .mark = MARK_REMOVED});
    char *d = description_of(s);
    assert_holds(d, "Compared with before: 1 added, 2 removed.");
    free(d);
    scene_free(s);
}

static void description_nests(void **state)
{
    (void)state;
    Scene *s = scene_new(NULL);
    int a = scene_box(s, &(SceneBox){.title = "outer", .kind = BOX_SCAN});
    int b = scene_box(s, &(SceneBox){.title = "inner", .kind = BOX_GRAD, .parent = a});
    scene_box(s, &(SceneBox){.kind = BOX_FUSED, .parent = b, .closed = true, .repeat = 2});
    char *d = description_of(s);
    assert_holds(d, "\n- outer: 0 nodes");
    assert_holds(d, "\n  - inner: 0 nodes");
    assert_holds(d, "\n    - fused: 0 nodes, the same body 2 times, drawn closed");
    free(d);
    scene_free(s);
}

static void description_stays_short(void **state)
{
    (void)state;
    Scene *s = scene_new(NULL);
    char *label = xmalloc(10001);
    memset(label, 'x', 10000);
    label[10000] = '\0';
    for (int i = 0; i < 500; i++) {
        int n = scene_node(s, &(SceneNode){.id = i + 1, .label = label, .role = ROLE_INPUT});
        if (i > 0)
            scene_edge(s, &(SceneEdge){.from = n - 1, .to = n});
    }
    char *d = description_of(s);
    assert_true(strlen(d) < 20000);
    assert_holds(d, "and 439 more");
    free(d);
    free(label);
    scene_free(s);
}

/* ---- drawing, if the program is there ---- */

static bool draw(const Scene *s, const char *format, Text *out)
{
    char *error = NULL;
    bool ok = draw_run(s, format, 10, out, &error);
    if (!ok) {
        assert_non_null(error);
        if (!strstr(error, "needs the program gradus-draw"))
            fail_msg("drawing failed: %s", error);
    }
    free(error);
    return ok;
}

static void drawing_works(void **state)
{
    (void)state;
    Scene *s = small_loop();
    scene_set_prefix(s, "p-");
    Text svg = {0}, png = {0}, again = {0};
    if (draw(s, "svg", &svg)) {
        assert_holds(text_str(&svg), "<title id=\"p-title\">a loop</title>");
        assert_holds(text_str(&svg), "id=\"p-n3\"");
        assert_true(draw(s, "svg", &again));
        assert_string_equal(text_str(&svg), text_str(&again));
        assert_true(draw(s, "png", &png));
        assert_memory_equal(png.at, "\x89PNG", 4);
    }
    text_free(&svg);
    text_free(&png);
    text_free(&again);
    scene_free(s);
}

/* "g1234abcd-" of a drawing; caller frees. */
static char *prefix_of(const Scene *s)
{
    Text svg = {0}, prefix = {0};
    if (draw(s, "svg", &svg)) {
        const char *id = strstr(text_str(&svg), "<title id=\"") + strlen("<title id=\"");
        text_putn(&prefix, id, strcspn(id, "\"") - strlen("title"));
    }
    text_free(&svg);
    return text_take(&prefix);
}

static void drawings_do_not_collide(void **state)
{
    (void)state;
    Scene *light = small_loop(), *dark = small_loop(), *same = small_loop();
    dark->theme = THEME_DARK;
    char *a = prefix_of(light), *b = prefix_of(dark), *c = prefix_of(same);
    if (*a) { /* there is a program that draws */
        assert_string_not_equal(a, b);
        assert_string_equal(a, c);
    }
    free(a);
    free(b);
    free(c);
    scene_free(light);
    scene_free(dark);
    scene_free(same);
}

static void drawing_reports_failure(void **state)
{
    (void)state;
    Scene *s = small_loop();
    s->prefix = "not an id";
    Text out = {0};
    char *error = NULL;
    assert_false(draw_run(s, "svg", 10, &out, &error));
    assert_non_null(error);
    if (!strstr(error, "needs the program"))
        assert_holds(error, "prefix: may hold letters");
    assert_int_equal(out.len, 0);
    free(error);
    text_free(&out);
    scene_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_count_from_one),  cmocka_unit_test(strings_are_copied),
        cmocka_unit_test(edges_are_checked),       cmocka_unit_test(closed_boxes_hide),
        cmocka_unit_test(words_are_found),         cmocka_unit_test(notes_add_up),
        cmocka_unit_test(json_is_exact),           cmocka_unit_test(json_escapes),
        cmocka_unit_test(empty_scene_has_lists),   cmocka_unit_test(description_tells_the_loop),
        cmocka_unit_test(description_tells_marks), cmocka_unit_test(description_nests),
        cmocka_unit_test(description_stays_short), cmocka_unit_test(drawing_works),
        cmocka_unit_test(drawings_do_not_collide), cmocka_unit_test(drawing_reports_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
