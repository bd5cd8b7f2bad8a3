/* The program around an exported function: the helpers that it calls, and a `main` that prints its
 * value as `gradus --json` does. */
#include "emit/python.h"

typedef struct {
    const char *name;
    const char *texts[PYTHON_TARGETS];
} Helper;

#define SAME ""
#define NO NULL
#define HELPER(NAME, NUMPY, NUMBA, JAX, TORCH) {#NAME, {NUMPY, NUMBA, JAX, TORCH}},
static const Helper helpers[] = {
#include "emit/helpers.def"
};
#undef HELPER

void python_reserve(Py *py)
{
    static const char *const of_main[] = {"main", "plain", "described"};
    static const char *const of_steps[] = {"carry", "at", "loop"}; /* what lax.scan gives them */
    for (size_t i = 0; i < COUNT_OF(of_main); i++)
        py_reserve(py, of_main[i]);
    for (size_t i = 0; py->target == PYTHON_JAX && i < COUNT_OF(of_steps); i++)
        py_reserve(py, of_steps[i]);
    for (size_t i = 0; i < COUNT_OF(helpers); i++)
        if (helpers[i].texts[py->target])
            py_reserve(py, helpers[i].name);
}

/* Names of helpers mean nothing else (python_reserve). Some are handed to other helpers. */
static bool calls(const char *body, const char *name)
{
    size_t len = strlen(name);
    for (const char *c = strstr(body, name); c; c = strstr(c + 1, name)) {
        bool begins = c == body || !strchr("._abcdefghijklmnopqrstuvwxyz", c[-1]);
        bool given =
            c > body && c[-1] == '(' && c[len] == ',' && len > 3 && !strcmp(name + len - 3, "_of");
        if (begins && (c[len] == '(' || given))
            return true;
    }
    return false;
}

/* NumPy's text with the name of the target's library. */
static void put_same(Text *out, const Py *py, const char *text)
{
    for (const char *c = text; *c; c++)
        if (strncmp(c, "np.", 3) == 0 && py->target != PYTHON_NUMBA) {
            text_printf(out, "%s.", py_library(py));
            c += 2;
        } else {
            text_putc(out, *c);
        }
}

/* A helper may call those above it. */
static bool is_called(const Py *py, const char *body, size_t helper)
{
    bool called = calls(body, helpers[helper].name);
    for (size_t i = helper + 1; i < COUNT_OF(helpers) && !called; i++) {
        const char *own = helpers[i].texts[py->target];
        const char *text = own && !*own ? helpers[i].texts[PYTHON_NUMPY] : own;
        called = text && calls(text, helpers[helper].name) && is_called(py, body, i);
    }
    return called;
}

void python_helpers(Py *py, Text *out, const char *body)
{
    for (size_t i = 0; i < COUNT_OF(helpers); i++) {
        const char *text = helpers[i].texts[py->target];
        if (!text || !is_called(py, body, i))
            continue;
        if (py->target == PYTHON_NUMBA && *text != '@')
            text_put(out, "@njit(error_model=\"numpy\", boundscheck=True)\n");
        if (*text)
            text_put(out, text);
        else
            put_same(out, py, helpers[i].texts[PYTHON_NUMPY]);
        text_put(out, "\n\n");
    }
}

static const char show[] =
    "def plain(x):\n"
    "    if isinstance(x, list):\n"
    "        return [plain(e) for e in x]\n"
    "    if isinstance(x, float) and not math.isfinite(x):\n"
    "        return \"nan\" if x != x else \"inf\" if x > 0 else \"-inf\"\n"
    "    return x\n"
    "\n\n"
    "def described(name, x, dtype):\n"
    "    x = np.asarray(x)\n"
    "    shape = list(x.shape)\n"
    "    kind = dtype + (\"[\" + \", \".join(map(str, shape)) + \"]\" if shape else \"\")\n"
    "    return {\"kind\": \"value\", \"name\": name, \"type\": kind, \"dtype\": dtype, \"shape\": "
    "shape,\n"
    "            \"value\": plain(x.tolist())}\n"
    "\n\n";

static void put_value(Text *out, Scope *s, const Node *leaf, const char *name)
{
    Tensor *t = s->py->x->leaf(s->py->x->ctx, leaf);
    if (!t)
        return;
    const char *text = constant_said(s, t, false);
    if (is_for(s, PYTHON_NUMBA) && !t->rank)
        text = py_text(s->py, "%s(%s)", py_dtype(s->py, t->dtype), text);
    text_printf(out, "    %s = %s\n", name, text);
}

static void put_size(Text *out, const Py *py, Symbol name, bool more)
{
    i64 k = 0;
    py->x->size(py->x->ctx, name, &k);
    text_printf(out, "%s%lld", more ? ", " : "", (long long)k);
}

void python_main(Py *py, Text *out, int nleaves, Node *const *leaves, const char *const *names,
                 const char *function)
{
    const Export *x = py->x;
    Scope s;
    py_scope_open(&s, py, NULL, 1);
    text_put(out, "\n\n");
    text_put(out, show);
    text_put(out, "def main():\n");
    for (int i = 0; i < nleaves; i++)
        put_value(out, &s, leaves[i], names[i]);
    text_printf(out, "    value = %s(", function);
    for (int i = 0; i < nleaves; i++)
        text_printf(out, "%s%s", i ? ", " : "", names[i]);
    for (size_t i = 0; i < py->given.len; i++)
        put_size(out, py, py->given.at[i], i || nleaves);
    text_put(out, ")\n    name = ");
    if (export_is_name(x->source))
        text_printf(out, "\"%s\"\n", x->source);
    else
        text_put(out, "None\n");
    if (x->n == 1) {
        text_printf(out, "    print(json.dumps(described(name, value, \"%s\")))\n",
                    dtype_name(node_dtype(x->roots[0])));
    } else {
        text_put(out, "    parts = [\n");
        for (int i = 0; i < x->n; i++)
            text_printf(out, "        described(None, value[%d], \"%s\"),\n", i,
                        dtype_name(node_dtype(x->roots[i])));
        text_put(out, "    ]\n    kind = \"(\" + \", \".join(p[\"type\"] for p in parts) + \")\"\n"
                      "    print(json.dumps({\"kind\": \"value\", \"name\": name, \"type\": kind, "
                      "\"values\": parts}))\n");
    }
    text_put(out, "\n\nif __name__ == \"__main__\":\n    main()\n");
    py_scope_close(&s);
}
