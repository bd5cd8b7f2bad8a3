/* A graph as one function in Python: NumPy, Numba, JAX or PyTorch.
 *
 * Invariant: texts stand for values, not for places: a node is read by name, or its text stands
 * where its only reader is. States of loops are the only names that change. */
#include "emit/python.h"
#include "graph/name.h"

#include "ops/ops.h"

#include <ctype.h>

enum { WIDEST = 72 }; /* texts that are longer get a name */

/* ---- texts ---- */

const char *py_text(Py *py, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *kept = arena_vprintf(&py->arena, fmt, ap);
    va_end(ap);
    return kept;
}

const char *py_quoted(Py *py, const char *text)
{
    Text t = {0};
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            text_printf(&t, "\\%c", *text);
        else if (*text == '\n')
            text_put(&t, "\\n");
        else if ((unsigned char)*text < ' ' || *text == 127)
            text_printf(&t, "\\x%02x", (unsigned)(unsigned char)*text);
        else
            text_putc(&t, *text);
    const char *kept = py_text(py, "\"%s\"", text_str(&t));
    text_free(&t);
    return kept;
}

void py_line(Scope *s, const char *fmt, ...)
{
    Text *out = &s->py->body;
    va_list ap;
    text_printf(out, "%*s", 4 * s->indent, "");
    va_start(ap, fmt);
    text_vprintf(out, fmt, ap);
    va_end(ap);
    text_putc(out, '\n');
}

const char *py_library(const Py *py)
{
    static const char *const names[PYTHON_TARGETS] = {"np", "np", "jnp", "torch"};
    return names[py->target];
}

const char *py_dtype(const Py *py, DType d)
{
    static const char *const plain[DT_COUNT] = {"np.bool_",   "np.int32",   "np.int64",
                                                "np.float32", "np.float64", NULL};
    static const char *const jax[DT_COUNT] = {"jnp.bool_",   "jnp.int32",   "jnp.int64",
                                              "jnp.float32", "jnp.float64", NULL};
    static const char *const torch[DT_COUNT] = {"torch.bool",    "torch.int32",   "torch.int64",
                                                "torch.float32", "torch.float64", NULL};
    return (py->target == PYTHON_TORCH ? torch : py->target == PYTHON_JAX ? jax : plain)[d];
}

bool py_cannot(Scope *s, const Node *n, const char *why)
{
    Export *x = s->py->x;
    if (x->fault)
        return false;
    x->fault = n;
    text_put(&x->why, why ? why : "it has no equivalent");
    return false;
}

/* ---- names ---- */

/* Words of Python, and what lines of a program may use: libraries, and of Python's own functions
 * and classes those that are called. Functions of helpers.def and of main: python_reserve. */
static const char *const reserved[] = {
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "None",
    "True",
    "False",
    "np",
    "jnp",
    "jax",
    "lax",
    "torch",
    "math",
    "numba",
    "njit",
    "json",
    "range",
    "min",
    "max",
    "len",
    "slice",
    "tuple",
    "list",
    "map",
    "str",
    "int",
    "float",
    "bool",
    "print",
    "isinstance",
    "ValueError",
    "IndexError",
    "ZeroDivisionError",
};

void py_reserve(Py *py, const char *name) { map_put(&py->taken, symbol(py->st, name), 1); }

const char *name_taken(Py *py, const char *wanted)
{
    Text t = {0};
    for (const char *c = wanted; *c && *c != '['; c++)
        if (isalnum((unsigned char)*c) || *c == '_')
            text_putc(&t, *c);
        else if ((*c == ' ' || *c == '.') && t.len)
            text_putc(&t, '_');
    if (!t.len || isdigit((unsigned char)*text_str(&t))) {
        text_free(&t);
        text_put(&t, "v");
    }
    size_t len = t.len;
    Symbol root = symbol(py->st, text_str(&t)), name = root;
    int k = map_get(&py->taken, root);
    for (k = k ? k : 1; map_has(&py->taken, name); k++) {
        t.len = len;
        text_printf(&t, "_%d", k);
        name = symbol(py->st, text_str(&t));
    }
    map_put(&py->taken, root, k);
    if (name != root)
        map_put(&py->taken, name, 1);
    text_free(&t);
    return name;
}

const char *name_wanted(const Scope *s, const Node *n, const char *otherwise)
{
    Symbol name = node_name_in(s->py->st, s->graph, n);
    return name && isalpha((unsigned char)*name) ? name : otherwise;
}

/* ---- scopes ---- */

void py_scope_open(Scope *s, Py *py, const Graph *g, int indent)
{
    *s = (Scope){.py = py, .graph = g, .indent = indent};
}

void py_scope_close(Scope *s)
{
    map_free(&s->said);
    map_free(&s->uses);
    map_free(&s->results);
    map_free(&s->later);
}

void py_say(Scope *s, const Node *n, const char *text, int level)
{
    Said *said = arena_alloc(&s->py->arena, sizeof *said);
    *said = (Said){text, level};
    map_put(&s->said, n, said);
}

const char *leveled(Py *py, Said said, int level)
{
    return said.level >= level ? said.text : py_text(py, "(%s)", said.text);
}

static Said said_of(const Scope *s, const Node *n)
{
    const Said *said = map_get(&s->said, n);
    if (!said)
        die("a node that was not written: %s", op_table[n->op].name);
    return *said;
}

const char *said_at(Scope *s, const Node *n, int level)
{
    return leveled(s->py, said_of(s, n), level);
}

/* A bare constant would not be an array where nothing is done with it. */
void py_say_through(Scope *s, const Node *n, const Node *x)
{
    Said said = said_of(s, x);
    if (x->op == OP_CONST)
        said = (Said){constant_said(s, x->attrs[0].value, false), CALL};
    py_say(s, n, said.text, said.level);
}

static bool is_simple(const char *text)
{
    for (; *text; text++)
        if (!isalnum((unsigned char)*text) && *text != '_' && *text != '.')
            return false;
    return true;
}

const char *said_by_name(Scope *s, Node *n, const char *otherwise)
{
    const char *text = said_at(s, n, ANYTHING);
    if (is_simple(text) || map_has(&s->later, n))
        return text;
    const char *name = name_taken(s->py, name_wanted(s, n, otherwise));
    py_line(s, "%s = %s", name, text);
    py_say(s, n, name, CALL);
    return name;
}

/* ---- nodes ---- */

static void count_use(Scope *s, const Node *n) { map_put(&s->uses, n, map_get(&s->uses, n) + 1); }

/* Branches run one at a time: what both may need and may fail must wait until one of them does. */
static void find_later(Scope *s, const NodeVec *order)
{
    NodeSet now = {0};
    for (size_t i = order->len; i-- > 0;) {
        Node *n = order->at[i];
        bool needed = map_has(&s->results, n) || map_has(&now, n);
        if (!needed && !node_is_total(s->py->st, n))
            set_add(&s->later, n);
        for (u32 k = 0; k < n->nops; k++)
            if (needed && (n->op != OP_IFELSE || k == 0))
                set_add(&now, n->ops[k]);
    }
    map_free(&now);
}

static void settle_later(Scope *s, Node *n)
{
    const char *name = name_taken(s->py, name_wanted(s, n, "later"));
    py_line(s, "def %s():", name);
    py_line(s, "    return %s", said_at(s, n, ANYTHING));
    text_putc(&s->py->body, '\n');
    py_say(s, n, py_text(s->py, "%s()", name), CALL);
}

/* A node that several read, that its author named, or whose text is long, gets a line. */
static void settle(Scope *s, Node *n)
{
    const Said *said = map_get(&s->said, n);
    if (!said || is_simple(said->text) || n->op == OP_CONST)
        return;
    if (map_has(&s->later, n)) {
        settle_later(s, n);
        return;
    }
    Symbol name = node_name_in(s->py->st, s->graph, n);
    u32 uses = map_get(&s->uses, n);
    if (!s->graph && uses == 1 && map_has(&s->results, n))
        return;
    if (uses > 1 || strlen(said->text) > WIDEST ||
        (name && isalpha((unsigned char)*name) &&
         name_is_word(s->py->st, name_base(s->py->st, name))))
        said_by_name(s, n, "v");
}

static bool write_node(Scope *s, Node *n)
{
    PyForm form = python_form(n->op);
    bool failed = false;
    if (form)
        return form(s, n);
    if (say_by_row(s, n, &failed))
        return true;
    return failed
               ? false
               : py_cannot(s, n, py_text(s->py, "it has no function `%s`", op_table[n->op].name));
}

bool py_scope_write(Scope *s, int nroots, Node *const *roots)
{
    NodeVec order = {0};
    bool ok = true;
    for (int i = 0; i < nroots; i++)
        count_use(s, roots[i]), set_add(&s->results, roots[i]);
    nodes_topo(nroots, roots, &order);
    for (size_t i = 0; i < order.len; i++)
        for (u32 k = 0; k < order.at[i]->nops && !map_has(&s->said, order.at[i]); k++)
            count_use(s, order.at[i]->ops[k]);
    find_later(s, &order);
    for (size_t i = 0; i < order.len && ok; i++) {
        if (map_has(&s->said, order.at[i]))
            continue;
        ok = write_node(s, order.at[i]);
        if (ok)
            settle(s, order.at[i]);
    }
    vec_free(&order);
    return ok;
}

/* ---- the function ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const Symbol *)a, *(const Symbol *)b);
}

static void find_leaves(const Export *x, NodeVec *leaves)
{
    NodeVec order = {0};
    nodes_topo(x->n, x->roots, &order);
    for (size_t i = 0; i < order.len; i++)
        if (order.at[i]->op == OP_INPUT || order.at[i]->op == OP_SHARED)
            vec_push(leaves, order.at[i]);
    leaves_by_declaration(x->st, leaves->len, leaves->at);
    vec_free(&order);
}

/* "n = x.shape[0]" for the sizes that were mentioned; those that no input has become parameters. */
static void bind_sizes(Scope *s, Text *out, const NodeVec *leaves, const char *const *names)
{
    SymbolSet *left = &s->py->sizes;
    for (size_t i = 0; i < leaves->len; i++) {
        const Type *t = leaves->at[i]->type;
        for (int a = 0; a < t->rank; a++) {
            SizeAtom *atom = size_as_atom(t->dims[a]);
            if (!atom || atom->kind != ATOM_NAME || !map_has(left, atom->name))
                continue;
            map_remove(left, atom->name);
            text_printf(out, "    %s = %s.shape[%d]\n", py_size_name(s->py, atom->name), names[i],
                        a);
        }
    }
    for (size_t i = 0; i < left->len; i++)
        vec_push(&s->py->given, map_key(left, i));
    if (s->py->given.len)
        qsort(s->py->given.at, s->py->given.len, sizeof *s->py->given.at, by_text);
}

/* Arguments may be plain numbers and lists. */
static void put_conversions(Py *py, Text *out, const NodeVec *leaves, const char *const *names)
{
    for (size_t i = 0; i < leaves->len && py->target != PYTHON_NUMBA; i++) {
        const Type *t = leaves->at[i]->type;
        const char *scalar = py->target == PYTHON_NUMPY && !t->rank ? "[()]" : "";
        const char *dtype = py_dtype(py, t->dtype);
        if (py->target == PYTHON_NUMPY)
            text_printf(out, "    %s = np.asarray(%s, dtype=%s)%s\n", names[i], names[i], dtype,
                        scalar);
        else if (py->target == PYTHON_JAX)
            text_printf(out, "    %s = jnp.asarray(%s, dtype=%s)\n", names[i], names[i], dtype);
        else
            text_printf(out, "    %s = torch.as_tensor(%s, dtype=%s)\n", names[i], names[i], dtype);
    }
}

static void put_docstring(Py *py, Text *out, const NodeVec *leaves, const char *const *names)
{
    text_put(out, "    \"\"\"");
    for (const char *c = py->x->source; *c; c++)
        if (*c == '\\' || *c == '"')
            text_printf(out, "\\%c", *c);
        else
            text_putc(out, *c);
    text_put(out, leaves->len ? "\n\n" : "");
    for (size_t i = 0; i < leaves->len; i++) {
        text_printf(out, "    %s: ", names[i]);
        type_print(out, leaves->at[i]->type);
        text_putc(out, '\n');
    }
    text_put(out, leaves->len ? "    \"\"\"\n" : "\"\"\"\n");
}

static void put_imports(const Py *py, Text *out, const char *rest)
{
    static const char *const imports[PYTHON_TARGETS] = {
        [PYTHON_NUMPY] = "import numpy as np\n",
        [PYTHON_NUMBA] = "import numba\nimport numpy as np\nfrom numba import njit\n",
        [PYTHON_JAX] = ("import jax\nimport jax.numpy as jnp\nfrom jax import lax\n\n"
                        "jax.config.update(\"jax_enable_x64\", True)\n"),
        [PYTHON_TORCH] = "import torch\n\ntorch.set_default_dtype(torch.float64)\n",
    };
    bool shows = py->x->values, math = strstr(rest, "math.") != NULL;
    text_put(out, shows ? "import json\n" : "");
    text_put(out, math ? "import math\n" : "");
    text_put(out, shows || math ? "\n" : "");
    text_put(out, shows && py->target > PYTHON_NUMBA ? "import numpy as np\n" : "");
    text_put(out, imports[py->target]);
}

static void put_result(Scope *s)
{
    const Export *x = s->py->x;
    Text result = {0};
    for (int i = 0; i < x->n; i++) {
        const char *text = said_at(s, x->roots[i], ANYTHING);
        if (x->roots[i]->op == OP_CONST)
            text = constant_said(s, x->roots[i]->attrs[0].value, false);
        text_printf(&result, "%s%s", i ? ", " : "", text);
    }
    py_line(s, "return %s", text_str(&result));
    text_free(&result);
}

static bool put_function(Py *py, Text *out, const NodeVec *leaves, const char **names,
                         const char *function)
{
    Scope s;
    Text head = {0};
    py_scope_open(&s, py, NULL, py->target == PYTHON_NUMPY ? 2 : 1);
    for (size_t i = 0; i < leaves->len; i++)
        py_say(&s, leaves->at[i], names[i], CALL);
    bool ok = py_scope_write(&s, py->x->n, py->x->roots);
    if (ok)
        put_result(&s);
    bind_sizes(&s, &head, leaves, names);
    py_scope_close(&s);
    if (ok) {
        if (py->target == PYTHON_NUMBA)
            text_put(out, "@njit(error_model=\"numpy\", boundscheck=True)\n");
        text_printf(out, "def %s(", function);
        for (size_t i = 0; i < leaves->len; i++)
            text_printf(out, "%s%s", i ? ", " : "", names[i]);
        for (size_t i = 0; i < py->given.len; i++)
            text_printf(out, "%s%s", i || leaves->len ? ", " : "",
                        py_size_name(py, py->given.at[i]));
        text_put(out, "):\n");
        put_docstring(py, out, leaves, names);
        put_conversions(py, out, leaves, names);
        text_put(out, text_str(&head));
        if (py->target == PYTHON_NUMPY)
            text_put(out, "    with np.errstate(all=\"ignore\"):\n");
        text_put(out, text_str(&py->body));
    }
    text_free(&head);
    return ok;
}

static bool write_python(Export *x, PythonTarget target, Text *out)
{
    static const char *const libraries[PYTHON_TARGETS] = {"NumPy", "Numba", "JAX", "PyTorch"};
    Py py = {.x = x, .st = x->st, .target = target};
    NodeVec leaves = {0};
    Text function = {0};
    for (size_t i = 0; i < COUNT_OF(reserved); i++)
        py_reserve(&py, reserved[i]);
    python_reserve(&py);
    find_leaves(x, &leaves);
    const char **names = arena_alloc(&py.arena, (leaves.len + 1) * sizeof *names);
    for (size_t i = 0; i < leaves.len; i++)
        for (int a = 0; a < leaves.at[i]->type->rank; a++) {
            SizeAtom *atom = size_as_atom(leaves.at[i]->type->dims[a]);
            if (atom && atom->kind == ATOM_NAME)
                py_size_name(&py, atom->name);
        }
    for (size_t i = 0; i < leaves.len; i++)
        names[i] = name_taken(&py, leaves.at[i]->attrs[0].name);
    const char *name = name_taken(&py, x->function);
    bool ok = put_function(&py, &function, &leaves, names, name);
    if (ok) {
        Text rest = {0};
        python_helpers(&py, &rest, text_str(&function));
        text_put(&rest, text_str(&function));
        if (x->values)
            python_main(&py, &rest, (int)leaves.len, leaves.at, names, name);
        text_printf(out, "# Written by gradus :export, with %s.\n", libraries[target]);
        if (py.unchecked)
            text_put(out, "# Checks of sizes and counts are omitted: under jax.jit they could not "
                          "raise an error.\n");
        put_imports(&py, out, text_str(&rest));
        text_printf(out, "\n\n%s", text_str(&rest));
        text_free(&rest);
    }
    text_free(&function);
    text_free(&py.body);
    map_free(&py.taken);
    map_free(&py.sizes);
    map_free(&py.size_names);
    vec_free(&py.given);
    vec_free(&leaves);
    arena_free(&py.arena);
    return ok;
}

bool export_numpy(Export *x, Text *out) { return write_python(x, PYTHON_NUMPY, out); }
bool export_numba(Export *x, Text *out) { return write_python(x, PYTHON_NUMBA, out); }
bool export_jax(Export *x, Text *out) { return write_python(x, PYTHON_JAX, out); }
bool export_torch(Export *x, Text *out) { return write_python(x, PYTHON_TORCH, out); }
