/* Which parts of a graph are formulas, which are circles, and the lines between them.
 *
 * Invariant: operands are drawn before users. What an author named, what is used more than once,
 * and what would make a formula too long is drawn by itself; all else is written into its user. */
#include "graph/print.h"
#include "graph/name.h"
#include "ops/elem.h"
#include "surface/surface.h"
#include "viz/scene/figure_parts.h"
#include "viz/scene/scene_cut.h"

enum { MOST_WEIGHT = 14, MOST_CIRCLES = 9 };

void figure_edge(Fig *f, int from, int to, SceneEdgeKind kind)
{
    scene_edge(f->scene, &(SceneEdge){.from = from, .to = to, .kind = kind});
}

void figure_set_title(Fig *f, int box, const Phrase *title)
{
    SceneBox *b = scene_box_at(f->scene, box);
    b->title_words = phrase_copy(&f->scene->arena, title);
    b->title = b->title_words.text;
}

int figure_end(Fig *f, int box, SceneRole role, const Phrase *text)
{
    return scene_node(f->scene, &(SceneNode){.op = scene_role_words[role],
                                             .words = *text,
                                             .cls = CLS_INPUT,
                                             .role = role,
                                             .box = box});
}

int figure_equation(Fig *f, int box, const Phrase *name, const Phrase *text)
{
    return scene_node(f->scene, &(SceneNode){.op = "formula",
                                             .words = scene_equation(f->scene, name, text),
                                             .cls = CLS_STRUCTURAL,
                                             .box = box});
}

bool figure_is_leaf(const Node *n)
{
    n = figure_core((Node *)n);
    return is_source(n) || n->op == OP_SIZE || n->op == OP_PARAM || n->op == OP_DIM ||
           figure_is_constant((Node *)n);
}

/* Has it a frame? */
static bool owns_frame(const Fig *f, const Node *n)
{
    int slots[4];
    return node_graphs(n, slots) > 0 && !figure_is_written(f, n);
}

static bool is_result(const Fig *f, const Node *n)
{
    return n->op == OP_PROJ && owns_frame(f, n->ops[0]);
}

/* Of a call or a choice that is. */
static bool is_written_result(const Fig *f, const Node *n)
{
    return n->op == OP_PROJ && figure_is_written(f, n->ops[0]);
}

Symbol level_name(Fig *f, const Level *l, const Node *n)
{
    Symbol name = l->foreign ? NULL : node_name_in(f->st, l->graph, n);
    return name && l->step ? level_in_step(f, l, name) : name;
}

/* ---- what is drawn by itself ---- */

/* h / 2, t + 1 */
static bool is_scaled_leaf(const Node *n)
{
    bool sign = n->op == OP_ADD || n->op == OP_SUB || n->op == OP_MUL || n->op == OP_DIV;
    return sign && n->nops == 2 && figure_is_leaf(n->ops[0]) && figure_is_leaf(n->ops[1]) &&
           (figure_is_constant(n->ops[0]) || figure_is_constant(n->ops[1]));
}

/* Written into its users even if there are several: as short as a name. */
static bool is_short(const Fig *f, const Level *l, Node *n)
{
    bool slight = n->op == OP_EXPAND_DIMS || n->op == OP_NEG || n->op == OP_INDEX ||
                  n->op == OP_SLICE || n->op == OP_TRANSPOSE;
    return is_scaled_leaf(n) ||
           (slight && (figure_is_leaf(n->ops[0]) || map_has(&l->item, n->ops[0]) ||
                       is_result(f, level_core(l, n->ops[0]))));
}

/* Operands that a figure draws: how often a loop runs is in its title, and where a part ends is
 * written out, since a part that is told by its name does not tell it. */
static u32 end_of_operands(const Node *n) { return n->op == OP_SLICE ? 1 : n->nops; }

/* How often each node is read by what is drawn. */
static void count_uses(Level *l, const NodeVec *order, int nroots, Node *const *roots)
{
    for (int i = 0; i < nroots; i++)
        map_put(&l->uses, roots[i], map_get(&l->uses, roots[i]) + 1);
    for (size_t i = order->len; i--;) {
        const Node *n = order->at[i];
        for (u32 k = (u32)border_operands(n); k < end_of_operands(n) && map_has(&l->uses, n); k++)
            if (!map_has(&l->form, n) || n->ops[k] == reading_operand_of(n))
                map_put(&l->uses, n->ops[k], map_get(&l->uses, n->ops[k]) + 1);
    }
}

/* Matrices put together have a name that tells which; a part that has a name is read off the line
 * of the whole. */
static bool is_told(Fig *f, Level *l, Node *n)
{
    Symbol name = level_name(f, l, n);
    if (n->op == OP_SLICE && name && !map_has(&l->root, n)) {
        map_put(&l->text, n, figure_operand_name(f, name));
        return true;
    }
    bool leaves = n->op == OP_CONCAT;
    for (u32 i = 0; i < n->nops && leaves; i++)
        leaves = figure_is_leaf(n->ops[i]);
    name = leaves && !map_has(&l->root, n) ? node_composed(f->st, n) : NULL;
    if (!name)
        return false;
    const Phrase *text = figure_operand_name(f, name), *made = figure_formula(f, l, n, NULL);
    f->defined = f->defined ? figure_say(f, "@; @ = @", f->defined, text, made)
                            : figure_say(f, "@ = @", text, made);
    map_put(&l->text, n, text);
    return true;
}

static u32 weigh(const Level *l, const NodeCounts *weights, const Node *n)
{
    u32 w = 1;
    for (u32 k = 0; k < n->nops; k++)
        if (!map_has(&l->item, n->ops[k]))
            w += map_get(weights, n->ops[k]);
    return w;
}

static void note_deep(Level *l, Node *n)
{
    for (u32 k = 0; k < n->nops; k++)
        if (map_has(&l->item, n->ops[k]) || map_has(&l->deep, n->ops[k]))
            set_add(&l->deep, n);
}

void level_open(Level *l, Fig *f, int nroots, Node *const *roots)
{
    NodeCounts weights = {0};
    nodes_topo(nroots, roots, &l->order);
    level_find_forms(l, &l->order, nroots, roots);
    count_uses(l, &l->order, nroots, roots);
    figure_find_rungs(f, l, &l->order, nroots, roots);
    for (int i = 0; i < nroots; i++)
        set_add(&l->root, roots[i]);
    for (size_t i = 0; i < l->order.len; i++) {
        Node *n = l->order.at[i];
        if (figure_is_leaf(n) || n->op == OP_TUPLE || !map_has(&l->uses, n) ||
            (n->op == OP_PROJ && !is_written_result(f, n)) || map_has(&l->rung, n) ||
            is_told(f, l, n))
            continue;
        u32 weight = weigh(l, &weights, n);
        Symbol name = level_name(f, l, n);
        bool named = name != NULL;
        if (name &&
            name_is_word(f->st, name_base(f->st, name))) /* else it only says how it is made */
            set_add(&l->given, n);
        bool shared = map_get(&l->uses, n) > 1 && !is_short(f, l, n);
        bool seen_through = map_has(&l->form, n) || figure_is_written(f, n);
        if (owns_frame(f, n) ||
            (!seen_through && (named || shared || weight > MOST_WEIGHT || map_has(&l->root, n))))
            set_add(&l->item, n);
        map_put(&weights, n, weight);
        note_deep(l, n);
    }
    map_free(&weights);
}

void level_close(Level *l)
{
    vec_free(&l->order);
    map_free(&l->wire);
    map_free(&l->text);
    map_free(&l->whole);
    map_free(&l->loose);
    map_free(&l->next);
    map_free(&l->plain);
    map_free(&l->uses);
    map_free(&l->item);
    map_free(&l->deep);
    map_free(&l->root);
    map_free(&l->zero);
    map_free(&l->given);
    map_free(&l->rung);
    map_free(&l->form);
    map_free(&l->line);
    map_free(&l->stands);
    map_free(&l->sizes);
}

/* ---- what is to be looked at ---- */

static bool is_focus(Fig *f, const Level *l, const Node *n)
{
    return f->options->focus && figure_number(f, l, n) == f->options->focus;
}

bool figure_lights(Fig *f, const Level *l, const Node *n)
{
    NodeSet *of = f->options->lit;
    f->met |= is_focus(f, l, n);
    bool lit = of && map_has(of, n);
    if (lit)
        map_put(of, n, false);
    return lit;
}

bool figure_met(Fig *f)
{
    bool met = f->met;
    f->met = false;
    return met;
}

/* What is written out into the text of n, too. */
static bool lights_part(Fig *f, const Level *l, const Node *n)
{
    bool lit = figure_lights(f, l, n);
    const FigureOptions *o = f->options;
    for (u32 i = 0; ((o->lit && o->lit->len) || o->focus) && i < n->nops; i++) {
        const Node *op = n->ops[i];
        f->met |= figure_is_leaf(op) && is_focus(f, l, op);
        if (!map_has(&l->item, op) && !map_has(&l->wire, op) && !figure_is_leaf(op) &&
            op->op != OP_PROJ)
            lit |= lights_part(f, l, op);
    }
    return lit;
}

/* ---- circles ---- */

/* 1 - x is one circle. */
static bool takes_one(const Node *n, u32 i)
{
    double x;
    return n->op == OP_SUB && i == 0 && node_const_f64(figure_core(n->ops[0]), &x) && x == 1;
}

/* Do its lines tell which operand is which? */
static bool has_one_reading(const Node *n)
{
    return n->nops == 1 || op_table[n->op].flags & (COMMUTES | ANY_ORDER) ||
           (n->nops == 2 && takes_one(n, 0));
}

/* Does a line lead to n, or to what is written into it? */
static bool reads_line(const Level *l, const Node *n)
{
    bool reads = map_has(&l->wire, n) || map_has(&l->item, n);
    for (u32 i = 0; i < n->nops && !reads; i++)
        reads = reads_line(l, n->ops[i]);
    return reads;
}

/* An elementwise operator between values that have a line, as far down as anything of its own is
 * drawn; what an author named is a formula unless the line that leaves tells the name. */
static bool is_circle(const Level *l, const Node *n)
{
    bool wired_any = false;
    if (!l->circles || !op_is_elementwise(n->op) || !map_has(&l->deep, n) || n->nops > 3 ||
        !has_one_reading(n) || strlen(op_table[n->op].name) > 8 || op_attr_count(n->op))
        return false;
    if (map_has(&l->given, n) && !map_has(&l->root, n))
        return false;
    for (u32 i = 0; i < n->nops; i++) {
        const Node *op = level_core(l, n->ops[i]);
        wired_any = wired_any || map_has(&l->wire, op) || map_has(&l->item, op);
    }
    for (u32 i = 0; i < n->nops; i++) {
        Node *op = level_core(l, n->ops[i]);
        bool wired = map_has(&l->wire, op) || map_has(&l->item, op);
        bool told = figure_is_leaf(op) || !reads_line(l, op); /* by names alone */
        if (!wired && told && !takes_one(n, i))
            return false;
        if (!wired && !wired_any && map_has(&l->deep, op) && !is_circle(l, op))
            return false;
    }
    return true;
}

/* How many circles n would be, those below it that are no items included. */
static int count_circles(const Level *l, Node *n, int limit)
{
    int count = 1;
    for (u32 i = 0; i < n->nops && count <= limit; i++) {
        Node *op = n->ops[i];
        if (!map_has(&l->item, op) && !map_has(&l->wire, op) && is_circle(l, op))
            count += count_circles(l, op, limit - count);
    }
    return count;
}

static int draw_circle(Fig *f, Level *l, Node *n)
{
    const char *label = figure_circle(n);
    if (n->nops == 2 && takes_one(n, 0))
        label = "1\u2009\u2212";
    int from[8], count = 0;
    for (u32 i = 0; i < n->nops; i++)
        if (!takes_one(n, i))
            from[count++] = level_value(f, l, source_operand(f->st, n, i));
    int at = scene_node(f->scene, &(SceneNode){.op = op_table[n->op].name,
                                               .label = label,
                                               .tooltip = level_name(f, l, n),
                                               .lit = figure_lights(f, l, n),
                                               .focus = figure_met(f),
                                               .cls = CLS_ELEMENTWISE,
                                               .box = l->box});
    for (int i = 0; i < count; i++)
        if (from[i])
            figure_edge(f, from[i], at, EDGE_DATA);
    figure_tell(f, l, at, n, false);
    return at;
}

/* ---- formulas ---- */

static bool has_edge(const Fig *f, int from, int to)
{
    for (size_t k = 0; k < f->scene->edges.len; k++)
        if (f->scene->edges.at[k].from == from && f->scene->edges.at[k].to == to)
            return true;
    return false;
}

const Phrase *level_text(Fig *f, Level *l, Node *n)
{
    const Phrase *text = map_get(&l->text, n);
    int at = map_get(&l->plain, n);
    if (text || !at)
        return text;
    text = figure_letter(f);
    map_put(&l->text, n, text);
    scene_name_line(f->scene, at, text); /* which had no name */
    return text;
}

void level_call(Level *l, Node *n, const Phrase *text, bool loose)
{
    map_put(&l->text, n, text);
    if (loose)
        set_add(&l->loose, n);
}

Symbol level_name_to_draw(Fig *f, Level *l, Node *n)
{
    Symbol name = level_name(f, l, n);
    bool result = !l->graph && map_get(&l->uses, n) == 1;
    return name || !result ? name : node_result_name(f->st, n);
}

static int count_lines(const SceneNode *n)
{
    int count = 1;
    for (const char *s = n->words.text; s && *s; s++)
        count += *s == '\n';
    return count;
}

static int draw_formula(Fig *f, Level *l, Node *n)
{
    Wires wires = {0};
    const Phrase *text = figure_formula(f, l, n, &wires);
    Symbol name = level_name_to_draw(f, l, n);
    const Phrase *next = map_get(&l->next, n);
    bool listed = l->lists && l->list, item = map_has(&l->item, n);
    const Phrase *called = name                                ? figure_name(f, name)
                           : next                              ? next
                           : item && l->lists && !l->alone     ? figure_letter(f)
                           : item && f->folded == FIGURE_FOLDS ? figure_letter(f)
                                                               : NULL;
    if (listed || l->lists || f->folded == FIGURE_FOLDS)
        text = figure_with_shape(f, l, text, n->type);
    if (listed) {
        Phrase line = scene_equation(f->scene, called, text);
        map_put(&l->line, n, count_lines(scene_node_at(f->scene, l->list)) + 1);
        scene_add_line(f->scene, l->list, &line);
    } else {
        map_put(&l->line, n, l->lists);
        l->list = figure_equation(f, l->box, called, text);
    }
    int at = l->list;
    scene_node_at(f->scene, at)->lit |= lights_part(f, l, n);
    scene_node_at(f->scene, at)->focus |= figure_met(f);
    for (size_t i = 0; i < wires.len; i++)
        if (wires.at[i] != at && !has_edge(f, wires.at[i], at))
            figure_edge(f, wires.at[i], at, EDGE_DATA);
    vec_free(&wires);
    if (called)
        map_put(&l->text, n, name ? figure_operand_name(f, name) : called);
    else if (item)
        map_put(&l->plain, n, at);
    figure_tell(f, l, at, n, true);
    return at;
}

int level_value(Fig *f, Level *l, Node *n)
{
    int known = map_get(&l->wire, n);
    if (!known && n->op == OP_SLICE && map_has(&l->text, n))
        return level_value(f, l, n->ops[0]);
    if (known || map_has(&l->text, n))
        return known;
    Node *core = level_core(l, n);
    if (core != n)
        return level_value(f, l, core);
    if (figure_is_leaf(n) || n->op == OP_TUPLE)
        return 0;
    bool circle = is_circle(l, n) && count_circles(l, n, MOST_CIRCLES) <= MOST_CIRCLES;
    int at = circle ? draw_circle(f, l, n) : draw_formula(f, l, n);
    map_put(&l->wire, n, at);
    if (circle && map_has(&l->item, n)) {
        Symbol name = level_name(f, l, n);
        const Phrase *text = name ? figure_operand_name(f, name) : figure_letter(f);
        map_put(&l->text, n, text);
    }
    return at;
}

void level_draw(Fig *f, Level *l)
{
    for (size_t i = 0; i < l->order.len && !(l->graph && f->options->closed); i++) {
        Node *n = l->order.at[i];
        if (owns_frame(f, n)) {
            figure_control(f, l, n);
            l->list =
                f->folded == FIGURE_FOLDS ? 0 : l->list; /* a list ends where a frame begins */
        } else if (map_has(&l->item, n)) {
            level_value(f, l, n);
        }
    }
}

/* ---- the outermost graph ---- */

/* The word that the line from a node ends in already, or 0. */
static int end_of_line(const Fig *f, int from)
{
    for (size_t k = 0; k < f->scene->edges.len; k++) {
        const SceneEdge *e = &f->scene->edges.at[k];
        const SceneNode *to = e->to_box ? NULL : scene_node_at(f->scene, e->to);
        if (e->from == from && to && to->box == 0 && to->role == ROLE_OUTPUT)
            return e->to;
    }
    return 0;
}

/* A formula tells its own name; what a loop gives ends in one. */
static void draw_root(Fig *f, Level *l, Node *n, int nroots, int index)
{
    int stands = map_get(&l->stands, n);
    if (stands) {
        scene_node_at(f->scene, stands)->output = index + 1;
        return;
    }
    int from = level_value(f, l, n);
    SceneNode *at = from ? scene_node_at(f->scene, from) : NULL;
    Symbol name = node_result_name(f->st, n);
    const Phrase *text = name ? figure_name(f, name) : map_get(&l->text, n);
    Wires wires = {0};
    if (!text)
        text = !from         ? figure_formula(f, l, n, &wires)
               : nroots == 1 ? figure_text(f, "result")
                             : figure_text(f, "result %d", index);
    if (at && at->box == l->box && scene_node_is_formula(at)) {
        at->output = at->output ? at->output : index + 1;
        return;
    }
    int same = from ? end_of_line(f, from) : 0;
    if (same) { /* one line has one end */
        SceneNode *end = scene_node_at(f->scene, same);
        end->words = phrase_copy(&f->scene->arena, figure_say(f, "@, @", &end->words, text));
        end->label = end->words.text;
        return;
    }
    int end = figure_end(f, l->box, ROLE_OUTPUT, text);
    scene_node_at(f->scene, end)->output = index + 1;
    wire_add(&wires, from);
    wires_draw(f, &wires, &(SceneEdge){.to = end});
}

/* Where a figure of formulas alone begins, which no loop tells: at the input that is declared
 * first. */
static void draw_input(Fig *f, Level *l)
{
    Node *first = NULL;
    bool frames = false;
    for (size_t i = 0; i < l->order.len; i++) {
        Node *n = l->order.at[i];
        frames = frames || owns_frame(f, n);
        if (n->op == OP_INPUT && map_has(&l->uses, n) && (!first || n->id < first->id))
            first = n;
    }
    if (!first || frames || l->item.len < 2 || map_has(&l->root, first) || f->scene->listed)
        return;
    const Phrase *text = figure_operand_name(f, first->attrs[0].name);
    const Phrase *shape = figure_shape(f, l, first->type);
    int at = figure_equation(f, 0, NULL, text);
    if (shape)
        scene_node_at(f->scene, at)->detail =
            arena_strndup(&f->scene->arena, shape->text, strlen(shape->text));
    map_put(&l->wire, first, at);
    map_put(&l->text, first, text);
}

/* What the notation means, below the figure. */
static void explain(Fig *f, Level *l)
{
    Text t = {0};
    text_put(&t, f->defined ? f->defined->text : "");
    book_names_explain(&f->names, &t);
    figure_tell_inputs(f, l, &t);
    scene_set_notation(f->scene, t.len ? text_str(&t) : NULL);
    text_free(&t);
}

static const char *const fold_notes[FIGURE_FOLDS] = {
    "folded to keep the width: operators between formulas stand in them",
    "folded to keep the width: the formulas of a loop are one list",
    "folded to keep the width: the whole is a list, and the name says which entry is read"};

Scene *figure_from_graph(Store *st, int nroots, Node *const *roots, const char *title,
                         const FigureOptions *options)
{
    Fig f = {.st = st,
             .names.st = st,
             .scene = scene_new(title),
             .options = options,
             .folded = options->folded};
    Level l = {.known = {options->data, options->grad, NULL}};
    f.scene->style = STYLE_FIGURE;
    f.scene->listed = f.folded == FIGURE_FOLDS;
    if (f.folded)
        scene_set_note(f.scene, fold_notes[f.folded - 1]);
    book_names_collect(&f.names, nroots, roots);
    level_open(&l, &f, nroots, roots);
    draw_input(&f, &l);
    level_draw(&f, &l);
    for (int i = 0; i < nroots; i++)
        draw_root(&f, &l, roots[i], nroots, i);
    if (!options->each && !f.scene->listed)
        f.scene = figure_fold_layers(&f, f.scene);
    explain(&f, &l);
    level_close(&l);
    book_names_free(&f.names);
    arena_free(&f.arena);
    vec_free(&f.calls);
    return options->focus ? scene_cut(f.scene, options->focus, options->depth) : f.scene;
}
