/* Numbers by nodes, from costs or a file.  See color_numbers.h. */
#include "repl/commands/color_numbers.h"
#include "repl/commands/costs.h"

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

static bool file_fault(const ColorNumbers *k, int line, const char *what)
{
    return call_fail(k->c, k->option->span, "usage", "{\"W\": 1.5, \"%3\": 20}", "%s:%d: %s",
                     k->option->value, line, what);
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

static void add_number(ColorNumbers *k, char *name, double x, int line)
{
    char *end = NULL;
    i64 id = *name == '%' ? strtoll(name + 1, &end, 10) : 0;
    bool number = end && end > name + 1 && !*end;
    vec_push(&k->file, ((FileNumber){.name = name, .id = number ? id : 0, .x = x, .line = line}));
}

static bool read_pair(ColorNumbers *k, Reader *r)
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
            add_number(k, text_take(&name), x, line_of(r));
        else
            file_fault(k, line_of(r), "a finite number has to follow the name");
        r->at = end;
    } else {
        file_fault(k, line_of(r), "a name in quotes and : are expected");
    }
    text_free(&name);
    return ok;
}

static bool read_file(ColorNumbers *k)
{
    size_t len = 0;
    char *text = repl_read_file(k->c->r, k->option->value, k->option->span, &len);
    Reader r = {text, text};
    bool ok = text != NULL;
    if (ok && len > MOST_FILE)
        ok = file_fault(k, 1, "the file is too large");
    else if (ok && next_sign(&r) != '{')
        ok = file_fault(k, line_of(&r), "{ is expected");
    for (char c = '{'; ok && c != '}';) {
        r.at++;
        if (c == '{' && next_sign(&r) == '}')
            break;
        ok = read_pair(k, &r);
        c = ok ? next_sign(&r) : '}';
        if (c != ',' && c != '}')
            ok = file_fault(k, line_of(&r), ", or } is expected");
    }
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

/* The last line that is for a node counts. */
static double file_number(ColorNumbers *k, const SceneNode *n)
{
    double x = NAN;
    for (size_t i = 0; i < k->file.len; i++) {
        FileNumber *f = &k->file.at[i];
        if (f->id ? n->id != f->id : !scene_node_bears(n, f->name))
            continue;
        f->found = true;
        x = f->x;
    }
    return x;
}

double color_number(ColorNumbers *k, const SceneNode *n)
{
    if (k->by == COLOR_FILE)
        return file_number(k, n);
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
    for (size_t i = 0; i < k->file.len; i++)
        free(k->file.at[i].name);
    vec_free(&k->file);
    vec_free(&k->costs);
}
