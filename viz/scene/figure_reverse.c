/* Reverse mode as a figure.  See figure_reverse.h. */
#include "viz/scene/figure_reverse.h"

#include "surface/surface.h"
#include "tensor/brief.h"

enum { MOST_TEXT = 200, DIGITS = 4, MOST_ELEMENTS = 3 };

typedef struct {
    Store *st;
    const ReverseTrace *t;
    Scene *scene;
    Arena arena;
    bool values;
} Reverse;

/* ---- texts ---- */

/* What stands for a value or an adjoint is an input. */
static const Phrase *called(void *context, Node *n, bool *loose)
{
    Reverse *r = context;
    *loose = false;
    if (n->op != OP_INPUT && n->op != OP_SHARED)
        return NULL;
    Pretty l = {0};
    Phrase *kept = arena_alloc(&r->arena, sizeof *kept);
    pretty_variable(&l, n->attrs[0].name);
    *kept = phrase_of(&r->arena, &l);
    pretty_free(&l);
    return kept;
}

/* true: it needs no parentheses. */
static bool put_formula(Reverse *r, Pretty *out, Node *n)
{
    return reading_print(out, r->st, n, &(Reading){called, r}, MOST_TEXT);
}

static void put_number(Pretty *out, const Tensor *value)
{
    Text t = {0}, signs = {0};
    brief_put(&t, value, DIGITS, MOST_ELEMENTS);
    for (const char *s = text_str(&t); *s; s++)
        text_put(&signs, *s == '-' ? "\u2212" : (char[]){*s, '\0'});
    pretty_words(out, text_str(&signs));
    text_free(&t);
    text_free(&signs);
}

/* ---- nodes ---- */

/* A name that the rest of the line is the value of. */
static void put_defined(Pretty *out, Symbol name)
{
    size_t part = pretty_part(out, PHRASE_NAME);
    pretty_variable(out, name);
    pretty_part_end(out, part);
}

/* "f = v3 = v1 + v2 = 2.579" */
static void put_value(Reverse *r, Pretty *out, const TracedValue *v)
{
    if (v->given) {
        put_defined(out, v->given);
        pretty_words(out, " = ");
    }
    (v->local || (r->values && v->value) ? put_defined : pretty_variable)(out, v->name);
    if (v->local) {
        pretty_words(out, " = ");
        put_formula(r, out, v->local);
    }
    if (r->values && v->value) {
        pretty_words(out, " = ");
        put_number(out, v->value);
    }
}

/* A number given to all elements of an operand is a product with the factor, a vector of ones. */
static Node *readable_sum(Reverse *r, const TracedValue *of)
{
    NodeMap memo = {0};
    for (size_t i = 0; i < r->t->values.len; i++)
        for (size_t k = 0; k < r->t->values.at[i].reads.len; k++) {
            const TracedRead *read = &r->t->values.at[i].reads.at[k];
            if (read->term && read->factor && read->term->op == OP_BROADCAST)
                map_put(&memo, read->term,
                        node2(r->st, OP_MUL, NULL, r->t->values.at[i].named_bar, read->factor));
        }
    Node *sum = node_substitute(r->st, of->sum, &memo);
    map_free(&memo);
    return sum ? sum : of->sum;
}

/* The adjoint: its number, else what it is the sum of. */
static void put_adjoint(Reverse *r, Pretty *out, const TracedValue *v)
{
    put_defined(out, v->bar_name);
    pretty_words(out, " = ");
    if (r->values && v->bar_value)
        put_number(out, v->bar_value);
    else if (v->sum->op == OP_CONST)
        put_number(out, v->sum->attrs[0].value);
    else
        put_formula(r, out, readable_sum(r, v));
}

static int add_value(Reverse *r, const TracedValue *v)
{
    Pretty first = {0}, second = {0};
    put_value(r, &first, v);
    int at = scene_node(r->scene, &(SceneNode){.op = "formula",
                                               .words = phrase_of(&r->arena, &first),
                                               .cls = CLS_STRUCTURAL});
    pretty_free(&first);
    if (v->sum) {
        put_adjoint(r, &second, v);
        Phrase line = phrase_of(&r->arena, &second);
        scene_add_line(r->scene, at, &line);
        pretty_free(&second);
    }
    return at;
}

/* ---- lines ---- */

/* "∂v3/∂v1": of what has no short form. */
static void put_symbol(Pretty *out, const TracedValue *v, const TracedValue *of)
{
    pretty_put(out, "\u2202");
    pretty_variable(out, v->name);
    pretty_put(out, "/\u2202");
    pretty_variable(out, of->name);
}

/* "I", "−I", "2 I" */
static void put_multiple(Pretty *out, const Tensor *number)
{
    double x = tensor_f64_at(number, 0);
    if (x == -1)
        pretty_put(out, "\u2212");
    else if (x != 1)
        put_number(out, number);
    pretty_put(out, x == 1 || x == -1 ? "I" : "\u00A0I");
}

static void put_factor(Reverse *r, Pretty *out, const TracedValue *v, const TracedRead *read)
{
    bool constant = read->factor && read->factor->op == OP_CONST;
    if (!read->factor) {
        put_symbol(out, v, &r->t->values.at[read->of]);
    } else if (read->diagonal && constant && node_rank(read->factor) == 0) {
        put_multiple(out, read->factor->attrs[0].value);
    } else if (read->diagonal) {
        pretty_put(out, "diag(");
        put_formula(r, out, read->factor);
        pretty_put(out, ")");
    } else if (constant && node_rank(read->factor) == 0) {
        put_number(out, read->factor->attrs[0].value);
    } else {
        put_formula(r, out, read->factor);
        if (r->values && read->number) {
            pretty_put(out, " = ");
            put_number(out, read->number);
        }
    }
}

static void add_lines(Reverse *r, const TracedValue *v, int to)
{
    for (size_t k = 0; k < v->reads.len; k++) {
        const TracedRead *read = &v->reads.at[k];
        int from = read->of + 1;
        Pretty factor = {0};
        scene_edge(r->scene, &(SceneEdge){.from = from, .to = to, .kind = EDGE_DATA});
        if (!read->term)
            continue;
        put_factor(r, &factor, v, read);
        scene_edge(r->scene, &(SceneEdge){.from = to,
                                          .to = from,
                                          .words = phrase_of(&r->arena, &factor),
                                          .kind = EDGE_ADJOINT});
        pretty_free(&factor);
    }
}

/* For readers who do not see it: each value with its adjoint, then the factors. */
static void describe(Reverse *r)
{
    Text out = {0};
    text_printf(&out, "Reverse mode over %zu values:", r->t->values.len);
    for (size_t i = 0; i < r->scene->nodes.len; i++) {
        const char *words = r->scene->nodes.at[i].words.text;
        text_put(&out, i ? "; " : " ");
        for (; *words; words++)
            text_put(&out, *words == '\n' ? ", " : (char[]){*words, '\0'});
    }
    text_put(&out, ". Factors:");
    const char *between = " ";
    for (size_t i = 0; i < r->scene->edges.len; i++) {
        const SceneEdge *e = &r->scene->edges.at[i];
        if (e->kind != EDGE_ADJOINT)
            continue;
        text_printf(&out, "%s%s to %s %s", between, r->t->values.at[e->from - 1].name,
                    r->t->values.at[e->to - 1].name, e->words.text);
        between = "; ";
    }
    text_put(&out, ".");
    scene_set_desc(r->scene, text_str(&out));
    text_free(&out);
}

Scene *figure_of_reverse(Store *st, const ReverseTrace *t, const char *title, bool values)
{
    Reverse r = {.st = st, .t = t, .scene = scene_new(title), .values = values && t->valued};
    r.scene->style = STYLE_FIGURE;
    for (size_t i = 0; i < t->values.len; i++)
        add_value(&r, &t->values.at[i]);
    for (size_t i = 0; i < t->values.len; i++)
        add_lines(&r, &t->values.at[i], (int)i + 1);
    describe(&r);
    arena_free(&r.arena);
    return r.scene;
}
