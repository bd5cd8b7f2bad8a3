/* color= of :draw: nodes filled by a number, which they tell, too: what they would take
 * (core/exec/cost.h), or what a file says of them. */
#include "repl/commands/costs.h"
#include "repl/commands/draw_options.h"

#include <math.h>

enum { MOST_FILE = 1 << 20 }; /* bytes of a file of numbers */

typedef struct {
    Call *c;
    Scene *scene;
    const Option *option;
    const char *unit;
    double *numbers; /* by node - 1; nan: none */
} Coloring;

/* ---- costs ---- */

/* What was found of a node, and its number in the picture. */
typedef struct {
    Coloring *k;
    Numbering *num;
    const Graph *graph;
    double amount;
} Row;

static void add_part(void *ctx, const Node *n, double part)
{
    Row *r = ctx;
    const Graph *around = r->num->within;
    r->num->within = r->graph;
    i64 id = (i64)number_of(r->num, n);
    r->num->within = around;
    for (size_t i = 0; i < r->k->scene->nodes.len; i++)
        if (r->k->scene->nodes.at[i].id == id) {
            double *x = &r->k->numbers[i];
            *x = (isnan(*x) ? 0 : *x) + part * r->amount;
            return;
        }
}

static double amount_of(const CostRow *row, int what)
{
    return what == 0 ? row->seconds : what == 1 ? row->flops : row->bytes;
}

/* Is there a derivative, or a batch, that nothing expanded yet? */
static bool is_implicit(int n, Node *const *roots)
{
    NodeVec order = {0};
    bool found = false;
    nodes_topo(n, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        found = found || node_info(order.at[i])->cls == CLASS_IMPLICIT;
    vec_free(&order);
    return found;
}

static bool color_costs(Coloring *k, Numbering *num, int n, Node *const *roots, int what)
{
    static const char *const units[] = {"s", "", "bytes"};
    if (is_implicit(n, roots))
        return call_fail(k->c, k->option->span, "usage", "pass=differentiate is after that",
                         "color=%s is of what runs, and a derivative or vmap here is not expanded",
                         k->option->value);
    SizeNumbers sizes;
    ProgramCost cost;
    k->unit = units[what];
    bool ok = cost_numbers_begin(&sizes, k->c);
    Program *p = ok ? plan_build(&k->c->r->s.st, n, roots) : NULL;
    if (p) {
        program_cost(p, size_number, &sizes, &cost);
        for (u32 i = 0; i < cost.n; i++) {
            Row row = {k, num, cost.rows[i].graph, amount_of(&cost.rows[i], what)};
            if (cost.rows[i].node && !cost.rows[i].loop)
                cost_parts(&cost.rows[i], add_part, &row);
        }
        program_cost_free(&cost);
    }
    program_free(p);
    size_numbers_free(&sizes);
    return p != NULL;
}

/* ---- a file of numbers ---- */

/* Where the reader of `{"name": 1.5, "%3": 2}` stands. */
typedef struct {
    const char *at, *start;
} Reader;

static char next_sign(Reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
    return *r->at;
}

static int line_of(const Reader *r)
{
    int line = 1;
    for (const char *s = r->start; s < r->at; s++)
        line += *s == '\n';
    return line;
}

static bool file_fault(Coloring *k, const Reader *r, const char *what)
{
    return call_fail(k->c, k->option->span, "usage", "{\"W\": 1.5, \"%3\": 20}", "%s:%d: %s",
                     k->option->value, line_of(r), what);
}

/* A text in quotes, with \" and \\ in it, to *out. */
static bool read_key(Reader *r, Text *out)
{
    if (next_sign(r) != '"')
        return false;
    for (r->at++; *r->at && *r->at != '"'; r->at++) {
        r->at += *r->at == '\\' && r->at[1];
        text_putc(out, *r->at);
    }
    return *r->at++ == '"';
}

/* The number goes to all that bears the name, only where it is defined if that is drawn. */
static bool put_named(Coloring *k, const Reader *r, const char *name, double x)
{
    char *end = NULL;
    i64 id = *name == '%' ? strtoll(name + 1, &end, 10) : 0;
    bool number = end && end > name + 1 && !*end, found = false;
    for (size_t i = 0; i < k->scene->nodes.len; i++) {
        const SceneNode *n = &k->scene->nodes.at[i];
        if (number ? n->id != id : !scene_node_bears(n, name))
            continue;
        k->numbers[i] = x;
        found = true;
    }
    Text what = {0};
    if (!found)
        text_printf(&what, "nothing in this drawing is %.60s", name);
    bool ok = found || file_fault(k, r, text_str(&what));
    text_free(&what);
    return ok;
}

static bool read_pair(Coloring *k, Reader *r)
{
    Text name = {0};
    bool ok = read_key(r, &name) && next_sign(r) == ':';
    if (ok) {
        char *end;
        r->at++;
        next_sign(r);
        double x = strtod(r->at, &end);
        ok = end > r->at && isfinite(x);
        if (ok)
            ok = put_named(k, r, text_str(&name), x);
        else
            file_fault(k, r, "a finite number has to follow the name");
        r->at = end;
    } else {
        file_fault(k, r, "a name in quotes and : are expected");
    }
    text_free(&name);
    return ok;
}

static bool color_file(Coloring *k)
{
    size_t len = 0;
    char *text = repl_read_file(k->c->r, k->option->value, k->option->span, &len);
    Reader r = {text, text};
    bool ok = text != NULL;
    if (ok && len > MOST_FILE)
        ok = file_fault(k, &r, "the file is too large");
    else if (ok && next_sign(&r) != '{')
        ok = file_fault(k, &r, "{ is expected");
    for (char c = '{'; ok && c != '}';) {
        r.at++;
        if (c == '{' && next_sign(&r) == '}')
            break;
        ok = read_pair(k, &r);
        c = ok ? next_sign(&r) : '}';
        if (c != ',' && c != '}')
            ok = file_fault(k, &r, ", or } is expected");
    }
    free(text);
    return ok;
}

/* ---- all ---- */

bool draw_colors(Call *c, Numbering *num, int n, Node *const *roots, Scene *s)
{
    static const char *const words[] = {"time", "flops", "bytes"};
    Coloring k = {.c = c, .scene = s, .option = call_option(c, "color"), .unit = ""};
    int what = 0;
    if (!k.option)
        return true;
    while (what < 3 && strcmp(k.option->value, words[what]) != 0)
        what++;
    const char *dot = strrchr(k.option->value, '.');
    if (what == 3 && !(dot && !strcmp(dot, ".json")))
        return call_fail(c, k.option->span, "usage", "color=bytes; or color=numbers.json",
                         "color= is time, flops, bytes or a file that ends in .json");
    if (what < 3 && s->style == STYLE_FIGURE)
        return call_fail(c, k.option->span, "usage",
                         "color=FILE.json fills formulas by their names",
                         "color=%s is of single operators, and a figure has formulas", words[what]);
    k.numbers = xcalloc(s->nodes.len + 1, sizeof *k.numbers);
    for (size_t i = 0; i < s->nodes.len; i++)
        k.numbers[i] = NAN;
    bool ok = what < 3 ? color_costs(&k, num, n, roots, what) : color_file(&k);
    const char *slash = strrchr(k.option->value, '/');
    if (ok)
        scene_set_shades(s, k.numbers, k.unit, slash ? slash + 1 : k.option->value);
    free(k.numbers);
    return ok;
}
