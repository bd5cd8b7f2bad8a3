/* Scenes of all programs that tests have, as written and after the passes, as graphs and as
 * figures: each name that is read stands somewhere and is one value, each input is there, operators
 * have their operands, lines lead somewhere (scene_check.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rewrite/history.h"
#include "rewrite/things.h"
#include "corpus.h"
#include "effort.h"
#include "viz/scene/scene_check.h"
#include "viz/scene/figure.h"
#include "viz/scene/scene_build.h"

typedef struct {
    u32 scenes[STYLE_COUNT];
    u32 faults[STYLE_COUNT][SCENE_RULES];
} Found;

/* What is known, in so many of 1,000 scenes at most: inputs that nothing drawn reads (counts of
 * loops, what only a derivative as written names), cotangents that are read off a line by another
 * name, sizes that only the type of an inner graph names (d0), paths of a named tuple that a loop
 * has under another spelling; one name for a value before and after a rule. */
static const u32 known[STYLE_COUNT][SCENE_RULES] = {
    [STYLE_GRAPH] = {[FAULT_INPUT] = 6},
    [STYLE_FIGURE] = {[FAULT_NAME] = 14, [FAULT_VALUE] = 9, [FAULT_INPUT] = 13},
};

static void check(Corpus *c, Scene *s, int n, Node *const *roots, const char *how)
{
    Found *f = c->ctx;
    SceneFaults faults = scene_check(&c->s.st, s, n, roots);
    f->scenes[s->style]++;
    for (size_t i = 0; i < faults.at.len; i++) {
        const SceneFault *x = &faults.at.at[i];
        f->faults[s->style][x->rule]++;
        if (getenv("GRADUS_VERBOSE") || !known[s->style][x->rule])
            print_message("%s: %s %s: %s: %s (%s)\n", c->file, scene_style_words[s->style], how,
                          scene_rule_words[x->rule], x->what,
                          x->node ? scene_node_name(scene_node_at(s, x->node)) : "");
    }
    scene_faults_free(&faults);
    scene_free(s);
}

static void check_both(Corpus *c, Numbering *num, int n, Node *const *roots, const char *how,
                       const Things *calls)
{
    SceneOptions so = {.title = "a scene", .calls = calls};
    check(c, scene_from_graph(&c->s.st, num, n, roots, &so), n, roots, how);
    for (int folded = 0; folded < FIGURE_FOLDS; folded += 2)
        check(c,
              figure_from_graph(&c->s.st, n, roots, "steps",
                                &(FigureOptions){.folded = folded, .types = true, .unroll = 2}),
              n, roots, "unrolled");
    for (int folded = 0; folded <= FIGURE_FOLDS; folded++)
        check(c,
              figure_from_graph(&c->s.st, n, roots, "a figure", &(FigureOptions){.folded = folded}),
              n, roots, folded == FIGURE_FOLDS ? "list" : how);
    check(c, figure_from_graph(&c->s.st, n, roots, "each", &(FigureOptions){.each = true}), n,
          roots, "each layer");
}

static void look(Corpus *c, int n, Node *const *roots)
{
    enum { LARGE = 2000 };
    Exploration *x = session_explore(&c->s, n, roots);
    if (!x || nodes_count(n, roots) > LARGE || nodes_count(x->nroots, x->roots) > LARGE)
        return;
    exploration_view(x, &(Place){1, {0}});
    check_both(c, &x->numbering, n, x->start, "as written", NULL);
    exploration_view(x, &(Place){1, {(u32)x->log.at.len}});
    check_both(c, &x->numbering, x->nroots, x->roots, "after the passes", exploration_things(x));
}

static void test_scenes(void **state)
{
    (void)state;
    Found f = {0};
    Corpus c = {.on_roots = look, .ctx = &f, .affordable = true};
    corpus_run(&c);
    for (int k = 0; k < STYLE_COUNT; k++)
        for (int r = 0; r < SCENE_RULES; r++) {
            u32 most = known[k][r] ? known[k][r] * f.scenes[k] / 1000 + 2 : 0;
            print_message("%s, %u scenes: %s %u\n", scene_style_words[k], f.scenes[k],
                          scene_rule_words[r], f.faults[k][r]);
            /* a sample may hold just those programs that have them */
            assert_true(f.faults[k][r] <= (effort_keeps_all() || !most ? most : 8 * most));
        }
    assert_true(f.scenes[STYLE_GRAPH] > 3000 || !effort_is_full());
}

static void expect(const SceneFaults *f, size_t at, SceneRule rule, const char *what)
{
    assert_true(at < f->at.len);
    assert_int_equal(f->at.at[at].rule, rule);
    assert_string_equal(f->at.at[at].what, what);
}

/* What is wrong in a scene by hand is found, and nothing else. */
static void test_faults(void **state)
{
    (void)state;
    Session session;
    assert_true(session_init(&session));
    Store *st = &session.st;
    Node *x = node_input(st, OP_INPUT, symbol(st, "x"), type_scalar(st, DT_F64)),
         *lost = node_input(st, OP_INPUT, symbol(st, "lost"), x->type);
    Node *roots[] = {x, lost};
    Scene *s = scene_new("faults");
    s->style = STYLE_FIGURE;
    int box = scene_box(s, &(SceneBox){.kind = BOX_SCAN, .title = "for each u[t]"});
    static const Phrase first = {.text = "x = x"}, y = {.text = "y"}, z = {.text = "z"},
                        tanh_x = {.text = "tanh(x) + k1 \u00B7 u[t]"}, ten = {.text = "1e5 x"};
    Phrase line = scene_equation(s, &y, &tanh_x);
    scene_node(s, &(SceneNode){.op = "formula", .words = line, .box = box});
    int list = scene_node(s, &(SceneNode){.op = "formula", .words = first, .box = box});
    line = scene_equation(s, &y, &ten);
    scene_add_line(s, list, &line);
    line = scene_equation(s, &z, &y);
    scene_add_line(s, list, &line);
    scene_node(s, &(SceneNode){.op = "mul", .label = "\u00D7", .box = box});
    scene_node(s, &(SceneNode){.op = "state", .role = ROLE_STATE, .label = "h[t-1]", .box = box});
    SceneFaults f = scene_check(st, s, 2, roots);
    expect(&f, 0, FAULT_NAME, "k1");
    expect(&f, 1, FAULT_OPERAND, "mul");
    expect(&f, 2, FAULT_END, "h[t-1]");
    expect(&f, 3, FAULT_VALUE, "y");
    expect(&f, 4, FAULT_INPUT, "lost");
    assert_int_equal(f.at.len, 5);
    scene_faults_free(&f);
    scene_free(s);
    session_free(&session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults),
                                       cmocka_unit_test(test_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
