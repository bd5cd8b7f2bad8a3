/* A box being filled: how values come in, and how they leave.
 *
 * Invariant: what comes in has a text in the box, and a line there if it is drawn by one. */
#include "viz/scene/figure_parts.h"
#include "graph/name.h"
#include "graph/provenance.h"

/* A body may be that of several loops, and is named after one of them. */
static void find_names(Inner *in)
{
    const Graph *g = in->in.graph;
    const Symbol *own = g ? graph_names(in->f->st, g) : NULL;
    in->names = own;
    if (!g || in->owner->op != OP_SCAN)
        return;
    in->names = scan_roles(in->f->st, in->owner).names;
    for (int i = 0; i < g->nparams && own && in->names; i++)
        in->in.foreign = in->in.foreign || own[i] != in->names[i];
}

Inner inner_begin(Fig *f, Level *outer, Node *owner, const Graph *g, const SceneBox *box)
{
    SceneBox b = *box;
    b.parent = outer->box;
    b.lit = figure_lights(f, outer, owner);
    b.focus = figure_met(f);
    Inner in = {.f = f, .outer = outer, .owner = owner};
    in.in.box = scene_box(f->scene, &b);
    in.in.graph = g;
    in.in.outer = outer;
    in.in.owner = owner;
    find_names(&in);
    if (g && owner->op != OP_IFELSE && owner->op != OP_LOOP)
        figure_bind_sizes(f, outer, &in.in, owner);
    in.in.circles = node_is_loop(owner) && !f->folded;
    in.in.lists = node_is_loop(owner) && f->folded >= 2;
    return in;
}

void inner_end(Inner *in)
{
    SceneBox *b = scene_box_at(in->f->scene, in->in.box);
    if (in->weights.text.len)
        b->subtitle_words = phrase_of(&in->f->scene->arena, &in->weights);
    b->subtitle = b->subtitle_words.text;
    pretty_free(&in->weights);
    level_close(&in->in);
}

const Phrase *inner_operand_text(Inner *in, Node *operand)
{
    const Phrase *text = level_text(in->f, in->outer, operand);
    return text ? text : figure_formula(in->f, in->outer, operand, NULL);
}

/* A row of an input is called after the input: u[i], whatever a function that was given u says. */
static Symbol row_of_input(const Inner *in, int i, const Node *operand, Symbol name)
{
    Store *st = in->f->st;
    if (!name || !operand || operand->op != OP_INPUT || in->owner->op != OP_SCAN)
        return name;
    Symbol base = name_base(st, name), input = operand->attrs[0].name;
    if (entry_of(in->owner, 0, i).role != ROLE_SEQUENCE || base == name || !name_is_word(st, base))
        return name;
    return name_with_index(st, input, name);
}

Symbol level_in_step(Fig *f, const Level *l, Symbol name)
{
    Name n = name ? name_data(f->st, name) : (Name){0};
    if (!l->step || !n.indexed || n.letter != l->letter)
        return name;
    return name_at(f->st, name_base(f->st, name), NULL, l->row + n.offset);
}

/* What parameter i is called in the box, or NULL. */
static Symbol name_of_param(Inner *in, int i, Node *operand)
{
    Symbol name = row_of_input(in, i, operand, in->names ? in->names[i] : NULL);
    return level_in_step(in->f, &in->in, name);
}

const Phrase *inner_param_text(Inner *in, int i, Node *operand, bool as_operand)
{
    Symbol name = name_of_param(in, i, operand);
    if (name)
        return as_operand ? figure_operand_name(in->f, name) : figure_name(in->f, name);
    return operand ? inner_operand_text(in, operand) : figure_text(in->f, "p%d", i);
}

static bool is_zero(const Level *l, Node *n)
{
    return figure_is_zero(n) || map_has(&l->zero, figure_core(n));
}

bool inner_is_zero(const Inner *in, Node *operand) { return is_zero(in->outer, operand); }

void inner_call_param(Inner *in, int i, Node *operand)
{
    Node *param = in->in.graph->param_nodes[i];
    Symbol name = name_of_param(in, i, operand);
    map_put(&in->in.text, param, inner_param_text(in, i, operand, true));
    if (name && name_data(in->f->st, name).indexed)
        map_put(&in->in.whole, param, figure_name(in->f, name_base(in->f->st, name)));
}

/* Is it a formula of its own, to which a line can lead? Without lines it is told where it is read.
 */
static bool has_line(const Inner *in, Node *operand)
{
    return in->f->folded < FIGURE_FOLDS ||
           map_has(&in->outer->item, level_core(in->outer, operand));
}

static void add_weight(Inner *in, const Phrase *text)
{
    pretty_words(&in->weights, in->weights.text.len ? "  " : "");
    pretty_phrase(&in->weights, text);
}

bool inner_tell(Inner *in, int i, Node *operand, const char *word)
{
    const Phrase *name = inner_param_text(in, i, operand, false);
    const Phrase *text = inner_operand_text(in, operand);
    bool lines = in->f->folded < FIGURE_FOLDS && node_is_loop(in->owner);
    if (lines || strcmp(name->text, text->text) == 0)
        return false;
    Pretty told = {0};
    pretty_phrase(&told, name);
    pretty_printf(&told, " %s ", word); /* in one line */
    pretty_phrase(&told, text);
    add_weight(in, figure_keep(in->f, &told));
    return true;
}

/* As short as a name. */
static bool is_part_of_leaf(const Node *n)
{
    return (n->op == OP_INDEX || n->op == OP_SLICE) && figure_is_leaf(n->ops[0]);
}

/* A value from outside that the formulas inside name: told at the box, with a line to it if it is
 * computed. */
void inner_capture(Inner *in, int i, Node *operand)
{
    Node *param = in->in.graph->param_nodes[i];
    inner_call_param(in, i, operand);
    if (is_zero(in->outer, operand))
        set_add(&in->in.zero, param);
    if (figure_is_constant(operand) || (!node_is_loop(in->owner) && is_part_of_leaf(operand))) {
        map_put(&in->in.text, param, inner_operand_text(in, operand));
        if (is_part_of_leaf(operand))
            map_put(&in->in.whole, param, inner_operand_text(in, operand->ops[0]));
        return;
    }
    bool told = map_has(&in->in.zero, param);
    if (!told && !inner_tell(in, i, operand, node_is_loop(in->owner) ? "is" : "=") &&
        node_is_loop(in->owner))
        add_weight(in, inner_param_text(in, i, operand, false));
    int from = has_line(in, operand) ? level_value(in->f, in->outer, operand) : 0;
    if (from)
        scene_edge(in->f->scene,
                   &(SceneEdge){.from = from, .to_box = in->in.box, .kind = EDGE_CAPTURE});
}

int inner_port(Inner *in, SceneRole role, int i, Node *operand)
{
    if (role == ROLE_SEQUENCE && in->f->options->closed) /* nothing in the frame reads it there */
        role = ROLE_PARAM;
    const Phrase *text = inner_param_text(in, i, operand, false);
    text = figure_with_shape(in->f, &in->in, text, in->in.graph->params[i]);
    int at = figure_end(in->f, in->in.box, role, text);
    map_put(&in->in.wire, in->in.graph->param_nodes[i], at);
    inner_call_param(in, i, operand);
    return at;
}

void inner_feed(Inner *in, int i, Node *operand, int to, SceneEdgeKind kind)
{
    if (is_zero(in->outer, operand)) {
        if (!in->f->scene->listed && in->owner->op == OP_SCAN && !scan_shape(in->owner).reverse)
            figure_edge(in->f,
                        figure_end(in->f, in->outer->box, ROLE_INPUT, figure_text(in->f, "0")), to,
                        kind);
        return;
    }
    inner_tell(in, i, operand, "from");
    bool slight = is_part_of_leaf(operand) || !has_line(in, operand);
    int from = slight ? 0 : level_value(in->f, in->outer, operand);
    if (!from)
        from = figure_end(in->f, in->outer->box, ROLE_INPUT, inner_operand_text(in, operand));
    figure_edge(in->f, from, to, kind);
}

/* Where a value of the body leaves; text: what it is called there. */
int inner_leave(Inner *in, Node *value, const Phrase *text, SceneEdgeKind kind)
{
    if (in->f->options->closed)
        return figure_end(in->f, in->in.box, ROLE_OUTPUT, text);
    int from = level_value(in->f, &in->in, value);
    if (!from) { /* only ever named: it has to stand somewhere */
        const Phrase *formula = figure_formula(in->f, &in->in, value, NULL);
        bool named = in->f->folded == FIGURE_FOLDS && *text->text;
        from = figure_equation(in->f, in->in.box, named ? text : NULL, formula);
    }
    int at = figure_end(in->f, in->in.box, ROLE_OUTPUT, text);
    int line = map_get(&in->in.line, level_core(&in->in, value));
    scene_edge(in->f->scene, &(SceneEdge){.from = from, .line = line, .to = at, .kind = kind});
    return at;
}

Node *level_result(const Level *l, const Node *owner, int k)
{
    for (size_t i = 0; i < l->order.len; i++) {
        Node *n = l->order.at[i];
        if (n->op == OP_PROJ && n->ops[0] == owner && n->attrs[0].i == k && map_has(&l->uses, n))
            return n;
    }
    return NULL;
}

void level_name_result(Level *l, Node *result, const Phrase *text, int at)
{
    map_put(&l->text, result, text);
    if (at)
        map_put(&l->wire, result, at);
}

void wire_add(Wires *wires, int w)
{
    for (size_t i = 0; wires && i < wires->len; i++)
        if (wires->at[i] == w)
            return;
    if (wires && w)
        vec_push(wires, w);
}

void wires_draw(Fig *f, Wires *wires, const SceneEdge *like)
{
    for (size_t i = 0; i < wires->len; i++) {
        SceneEdge e = *like;
        e.from = wires->at[i];
        scene_edge(f->scene, &e);
    }
    vec_free(wires);
}
