/* See scene_check.h.
 *
 * Names are looked for in words: an identifier, in letters of any script, that is followed by no
 * parenthesis. A name is told where a formula gives it, at an end of a line, at an edge, in the
 * title or subtitle of a box, or in the notation below.
 *
 * Invariant: only the scene is read, and of the graph the names of inputs. */
#include "viz/scene/scene_check.h"

#include "base/utf8.h"
#include "graph/control.h"
#include "graph/op.h"

const char *const scene_rule_words[SCENE_RULES] = {"name", "value", "input", "operand", "end"};

typedef struct {
    Store *st; /* of names */
    const Scene *s;
    SceneFaults faults;
    SymbolSet told;  /* words that stand where a value is named */
    SymbolSet shown; /* words that stand anywhere */
    VEC(Symbol) inputs;
} Check;

static void fault(Check *c, SceneRule rule, int node, const char *what)
{
    vec_push(&c->faults.at,
             ((SceneFault){rule, node, arena_strndup(&c->faults.arena, what, strlen(what))}));
}

/* ---- words ---- */

/* Of any script; also what tells a derivative or an inverse (\u2202, a superscript plus). */
static bool is_letter(u32 u)
{
    return (u | 32) - 'a' < 26 || u == '_' || u == 0x2202 || u == 0x207A ||
           (u >= 0xC0 && u < 0x1D00 && u != 0xD7 && u != 0xF7) || (u >= 0x3040 && u < 0xFE00);
}

static bool is_digit(u32 u) { return u - '0' < 10; }
/* Of a field: "p.W". */
static bool is_point(const char *s, size_t i)
{
    return s[i] == '.' && (is_letter((u32)s[i + 1]) || is_digit((u32)s[i + 1]));
}

/* The end of a text in quotes that begins at i. */
static size_t after_quotes(const char *s, size_t i)
{
    for (i++; s[i] && s[i] != '"'; i++)
        i += s[i] == '\\' && s[i + 1];
    return s[i] ? i + 1 : i;
}

/* The next name in a text, its length in *len, or NULL; *call: it is that of a function or of an
 * argument, f( or axis=. */
static const char *next_name(const char *s, size_t *len, bool *call)
{
    for (size_t n = strlen(s), i = 0; i < n;) {
        u32 u = 0;
        size_t from = i, step = (size_t)utf8_decode(s + i, n - i, &u);
        while (i < n && (is_letter(u) || (i > from && (is_digit(u) || is_point(s, i))))) {
            i += step;
            step = i < n ? (size_t)utf8_decode(s + i, n - i, &u) : 0;
        }
        if (i > from) {
            *len = i - from;
            *call = s[i] == '(' || (s[i] == '=' && s[i + 1] != '=');
            return s + from;
        }
        if (u == '"')
            i = after_quotes(s, i);
        else if (is_digit(u)) /* 1e5 is no name */
            while (i < n && (is_digit((u32)s[i]) || strchr(".eE", s[i])))
                i++;
        else
            i += step > 0 ? step : 1;
    }
    return NULL;
}

static bool is_word_of_ours(const char *w)
{
    static const char *const words[] = {
        "if",    "then",  "else",  "for",   "each",    "until", "and", "or",  "not",
        "axis",  "final", "const", "steps", "stopped", "in",    "inf", "nan", "true",
        "false", "None",  "with",  "bool",  "i32",     "i64",   "f32", "f64"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcmp(words[i], w) == 0)
            return true;
    return false;
}

/* Puts the names of a text, which may be NULL, into a set. */
static void collect(Check *c, SymbolSet *set, const char *text)
{
    size_t n;
    bool call;
    for (const char *at = text ? next_name(text, &n, &call) : NULL; at;
         at = next_name(at + n, &n, &call))
        set_add(set, symbol_n(c->st, at, n));
}

static void tell(Check *c, const char *text) { collect(c, &c->told, text); }

static Symbol given_name(Check *c, const SceneNode *n, int part)
{
    const PhrasePart *p = &n->words.parts[part];
    return symbol_n(c->st, n->words.text + p->at, (size_t)p->n);
}

static void collect_told(Check *c)
{
    const Scene *s = c->s;
    for (size_t i = 0; i < s->nodes.len; i++) {
        const SceneNode *n = &s->nodes.at[i];
        for (int k = -1; (k = scene_next_given(n, k)) >= 0;)
            tell(c, given_name(c, n, k));
        tell(c, n->role != ROLE_NONE ? n->label : NULL);
    }
    for (size_t i = 0; i < s->edges.len; i++)
        tell(c, s->edges.at[i].label);
    for (size_t i = 0; i < s->boxes.len; i++) {
        tell(c, s->boxes.at[i].title);
        tell(c, s->boxes.at[i].subtitle);
    }
    tell(c, s->notation);
}

/* ---- inputs ---- */

/* Names of sizes stand in types. */
static void tell_sizes(Check *c, const Type *type)
{
    Text t = {0};
    type_print(&t, type);
    tell(c, text_str(&t));
    text_free(&t);
}

static void collect_inputs(Check *c, GraphSet *seen, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        const Node *n = order.at[i];
        int slots[4], count = node_graphs(n, slots);
        if (n->op == OP_INPUT || n->op == OP_SHARED) {
            set_add(&c->told, n->attrs[0].name);
            vec_push(&c->inputs, n->attrs[0].name);
            tell_sizes(c, n->type);
        } else if (n->op == OP_SIZE) {
            Text size = {0};
            size_print(&size, n->attrs[0].size);
            tell(c, text_str(&size));
            text_free(&size);
        }
        for (int k = 0; k < count; k++) {
            const Graph *g = n->attrs[slots[k]].graph;
            if (set_add(seen, g))
                collect_inputs(c, seen, g->nouts, g->outs);
        }
    }
    vec_free(&order);
}

static void show(Check *c, const char *text) { collect(c, &c->shown, text); }

/* W5 where W stands with the index of equal layers, which are drawn once. */
static bool is_indexed(Check *c, Symbol name)
{
    size_t n = strlen(name);
    bool layers = false;
    for (size_t i = 0; i < c->s->boxes.len; i++)
        layers = layers || c->s->boxes.at[i].kind == BOX_LAYERS;
    while (n && (is_digit((u32)name[n - 1]) || name[n - 1] == '_'))
        n--;
    return layers && map_has(&c->shown, symbol_n(c->st, name, n));
}

static void check_inputs(Check *c)
{
    const Scene *s = c->s;
    for (size_t i = 0; i < s->nodes.len; i++)
        show(c, s->nodes.at[i].label);
    for (size_t i = 0; i < s->boxes.len; i++) {
        show(c, s->boxes.at[i].title);
        show(c, s->boxes.at[i].subtitle);
    }
    for (size_t i = 0; i < s->edges.len; i++)
        show(c, s->edges.at[i].label);
    show(c, s->notation);
    for (size_t i = 0; i < c->inputs.len; i++)
        if (!map_has(&c->shown, c->inputs.at[i]) && !is_indexed(c, c->inputs.at[i]))
            fault(c, FAULT_INPUT, 0, c->inputs.at[i]);
}

/* ---- names and values ---- */

static void check_names(Check *c, int k, const char *text)
{
    size_t n;
    bool call;
    for (const char *at = next_name(text, &n, &call); at; at = next_name(at + n, &n, &call)) {
        Symbol w = symbol_n(c->st, at, n);
        if (!call && !map_has(&c->told, w) && !is_word_of_ours(w))
            fault(c, FAULT_NAME, k, w);
    }
}

/* What a formula names and one before it in the same box, too, is two values. */
static void check_values(Check *c)
{
    const Scene *s = c->s;
    SymbolSet given = {0};
    for (size_t i = 0; i < s->nodes.len; i++) {
        const SceneNode *n = &s->nodes.at[i];
        for (int k = -1; (k = scene_next_given(n, k)) >= 0;) {
            Text name = {0};
            text_printf(&name, "%d %s", n->box, given_name(c, n, k));
            Symbol w = symbol(c->st, text_str(&name));
            if (!set_add(&given, w))
                fault(c, FAULT_VALUE, (int)i + 1, strchr(w, ' ') + 1);
            text_free(&name);
        }
    }
    map_free(&given);
}

/* ---- lines ---- */

static int lines_to(const Scene *s, int k, SceneEdgeKind kind, bool any)
{
    int count = 0;
    for (size_t i = 0; i < s->edges.len; i++)
        count += s->edges.at[i].to == k && (any || s->edges.at[i].kind == kind);
    return count;
}

/* 1 - x is one circle with one operand; the same line may bring both. */
static void check_circle(Check *c, int k)
{
    const SceneNode *n = scene_node_at(c->s, k);
    bool one = n->label && strncmp(n->label, "1\u2009", strlen("1\u2009")) == 0;
    for (int op = 0; op < OP_COUNT; op++)
        if (n->op && strcmp(op_table[op].name, n->op) == 0) {
            int arity = op_table[op].min_ops;
            if (arity > 0 && lines_to(c->s, k, EDGE_DATA, true) < arity - one)
                fault(c, FAULT_OPERAND, k, n->op);
            return;
        }
}

/* Its results leave the frame, since nothing in it is their value. */
static bool is_derivative(const SceneBox *b)
{
    return b->kind == BOX_GRAD || b->kind == BOX_VJP || b->kind == BOX_JVP;
}

static void check_ends(Check *c, int k)
{
    const Scene *s = c->s;
    const SceneNode *n = scene_node_at(s, k);
    bool figure = s->style == STYLE_FIGURE;
    bool step = n->box && scene_box_at(s, n->box)->kind == BOX_STEP;
    bool state = n->role == ROLE_STATE && n->box;
    if (state && !step && !lines_to(s, k, EDGE_LOOPBACK, false))
        fault(c, FAULT_END, k, scene_node_name(n));
    else if (state && (step || !figure) && !n->value && !lines_to(s, k, EDGE_STATE, false))
        fault(c, FAULT_END, k, scene_node_name(n));
    else if (n->role == ROLE_OUTPUT && figure && n->box &&
             !is_derivative(scene_box_at(s, n->box)) && !lines_to(s, k, EDGE_DATA, true))
        fault(c, FAULT_END, k, scene_node_name(n));
}

SceneFaults scene_check(Store *st, const Scene *s, int nroots, Node *const *roots)
{
    Check c = {.st = st, .s = s};
    GraphSet seen = {0};
    bool figure = s->style == STYLE_FIGURE;
    collect_inputs(&c, &seen, nroots, roots);
    collect_told(&c);
    for (size_t i = 0; i < s->nodes.len; i++) {
        const SceneNode *n = &s->nodes.at[i];
        if (figure && scene_node_is_formula(n))
            check_names(&c, (int)i + 1, n->label);
        if (figure && n->role == ROLE_NONE && !scene_node_is_formula(n) && !s->listed)
            check_circle(&c, (int)i + 1);
        check_ends(&c, (int)i + 1);
    }
    if (figure)
        check_values(&c);
    check_inputs(&c);
    map_free(&seen);
    map_free(&c.told);
    map_free(&c.shown);
    vec_free(&c.inputs);
    return c.faults;
}

void scene_faults_free(SceneFaults *f)
{
    vec_free(&f->at);
    arena_free(&f->arena);
}
