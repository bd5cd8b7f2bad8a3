/* Numbers by nodes, from costs or a file.  See color_numbers.h. */
#include "repl/commands/color_numbers.h"
#include "repl/commands/costs.h"
#include "repl/commands/draw_options.h"

#include <math.h>

enum { MOST_FILE = 1 << 20 }; /* bytes of a file of numbers */

/* ---- costs ---- */

/* What was found of a node. */
typedef struct {
    ColorNumbers *k;
    Numbering *num;
    const CostRow *row;
    double amount;
} Row;

static void add_part(void *ctx, const Node *n, double part)
{
    Row *r = ctx;
    const Graph *around = r->num->within;
    bool fused = n != r->row->node; /* it is in the body of a fused node */
    r->num->within = fused ? r->row->node->attrs[0].graph : r->row->graph;
    u32 id = number_of(r->num, n);
    r->num->within = around;
    while (r->k->costs.len <= id)
        vec_push(&r->k->costs, NAN);
    double *x = &r->k->costs.at[id];
    *x = (isnan(*x) ? 0 : *x) + part * r->amount;
}

static double amount_of(const CostRow *row, ColorBy by)
{
    return by == COLOR_TIME ? row->seconds : by == COLOR_FLOPS ? row->flops : row->bytes;
}

static bool read_costs(ColorNumbers *k, Numbering *num, int n, Node *const *roots)
{
    if (nodes_any(n, roots, node_is_implicit))
        return call_fail(k->c, k->option->span, "usage", "pass=differentiate is after that",
                         "color=%s is of what runs, and a derivative or vmap here is not expanded",
                         k->option->value);
    SizeNumbers sizes;
    ProgramCost cost;
    bool ok = cost_numbers_begin(&sizes, k->c);
    Program *p = ok ? plan_build(&k->c->r->s.st, n, roots) : NULL;
    if (p) {
        program_cost(p, size_number, &sizes, &cost);
        for (u32 i = 0; i < cost.n; i++) {
            const CostRow *c = &cost.rows[i];
            Row row = {k, num, c, amount_of(c, k->by)};
            if (c->node && !c->loop)
                cost_parts(c, add_part, &row);
        }
        program_cost_free(&cost);
    }
    program_free(p);
    size_numbers_free(&sizes);
    return p != NULL;
}

/* ---- a file of numbers ---- */

static bool file_fault(const ColorNumbers *k, int line, const char *what)
{
    return call_fail(k->c, k->option->span, "usage", "{\"W\": 1.5, \"%3\": 20}", "%s:%d: %s",
                     k->option->value, line, what);
}

static bool read_file(ColorNumbers *k)
{
    size_t len = 0;
    int line = 1;
    char *text = repl_read_file(k->c->r, k->option->value, k->option->span, &len);
    const char *wrong = !text             ? NULL
                        : len > MOST_FILE ? "the file is too large"
                                          : numbers_read(text, &k->file, &line);
    bool ok = text && (!wrong || file_fault(k, line, wrong));
    free(text);
    return ok;
}

/* ---- all ---- */

bool color_numbers_begin(ColorNumbers *k, Call *c, Numbering *num, int n, Node *const *roots)
{
    static const char *const words[] = {"time", "flops", "bytes"};
    static const char *const units[] = {"s", "", "bytes", ""};
    *k = (ColorNumbers){.c = c, .option = call_option(c, "color"), .by = COLOR_TIME};
    while (k->by < COLOR_FILE && strcmp(k->option->value, words[k->by]) != 0)
        k->by++;
    const char *slash = strrchr(k->option->value, '/'), *dot = strrchr(k->option->value, '.');
    k->name = slash ? slash + 1 : k->option->value;
    k->unit = units[k->by];
    if (k->by < COLOR_FILE)
        return read_costs(k, num, n, roots);
    if (!dot || strcmp(dot, ".json") != 0)
        return call_fail(c, k->option->span, "usage", "color=bytes; or color=numbers.json",
                         "color= is time, flops, bytes or a file that ends in .json");
    return read_file(k);
}

double color_number(ColorNumbers *k, const SceneNode *n)
{
    if (k->by == COLOR_FILE)
        return numbers_find(&k->file, n);
    return n->id > 0 && (size_t)n->id < k->costs.len ? k->costs.at[n->id] : NAN;
}

bool color_numbers_used(const ColorNumbers *k, const char *where)
{
    for (size_t i = 0; i < k->file.len; i++) {
        const FileNumber *f = &k->file.at[i];
        Text what = {0};
        if (f->found)
            continue;
        text_printf(&what, "nothing %s is %.60s", where, f->name);
        file_fault(k, f->line, text_str(&what));
        text_free(&what);
        return false;
    }
    return true;
}

void color_numbers_free(ColorNumbers *k)
{
    numbers_free(&k->file);
    vec_free(&k->costs);
}

/* ---- color= of :draw ---- */

/* What costs is told of nodes, not of formulas. */
static bool fits_style(Call *c, const ColorNumbers *k, const Scene *s)
{
    if (k->by == COLOR_FILE || s->style != STYLE_FIGURE)
        return true;
    return call_fail(c, k->option->span, "usage", "color=FILE.json fills formulas by their names",
                     "color=%s is of single operators, and a figure has formulas", k->name);
}

bool draw_colors(Call *c, Numbering *num, int n, Node *const *roots, Scene *s)
{
    ColorNumbers k;
    if (!call_option(c, "color"))
        return true;
    double *numbers = xcalloc(s->nodes.len + 1, sizeof *numbers);
    bool ok = color_numbers_begin(&k, c, num, n, roots) && fits_style(c, &k, s);
    for (size_t i = 0; i < s->nodes.len && ok; i++)
        numbers[i] = color_number(&k, &s->nodes.at[i]);
    ok = ok && color_numbers_used(&k, "in this drawing");
    if (ok)
        scene_set_shades(s, numbers, k.unit, k.name);
    color_numbers_free(&k);
    free(numbers);
    return ok;
}
