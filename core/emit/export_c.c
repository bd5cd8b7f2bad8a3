/* The file of C: its head, the function, and a main that evaluates and prints.
 *
 * Invariant: as export.h. */
#include "emit/export_write.h"
#include "graph/names.h"

#include <ctype.h>

typedef struct {
    CWriter w;
    VEC(Node *) inputs; /* in the order of their declaration */
    VEC(Symbol) sizes;  /* named ones */
    const char *function;
    CValue **out;
    const char **out_name, **shape_name;
    bool *fixed; /* by output: its sizes are known before, so the caller has the room */
} File;

/* ---- parameters ---- */

static void add_sizes(File *f, const Size *size)
{
    for (u32 i = 0; size && i < size->nterms; i++)
        for (u32 k = 0; k < size->terms[i].nfactors; k++) {
            const SizeAtom *a = size->terms[i].factors[k];
            bool there = a->kind != ATOM_NAME || *a->name == '.'; /* only a run knows it */
            for (size_t j = 0; j < f->sizes.len; j++)
                there = there || f->sizes.at[j] == a->name;
            if (!there) {
                vec_push(&f->sizes, a->name);
                size_named(&f->w, a->name);
            }
            add_sizes(f, a->a);
            add_sizes(f, a->b);
        }
}

/* A loop over it would overflow its own counter. */
static bool is_countable(const Type *t)
{
    i64 elements = 1, known;
    for (int a = 0; a < t->rank; a++)
        if (size_is_const(t->dims[a], &known) && __builtin_mul_overflow(elements, known, &elements))
            return false;
    return elements <= INT64_MAX / 8;
}

static void find_inputs(File *f)
{
    Export *x = f->w.x;
    NodeVec order = {0};
    nodes_topo(x->n, x->roots, &order);
    for (size_t i = 0; i < order.len; i++) {
        Node *n = order.at[i];
        if (n->op == OP_INPUT || n->op == OP_SHARED)
            vec_push(&f->inputs, n);
        if (n->op == OP_SIZE)
            add_sizes(f, n->attrs[0].size);
        if (n->type->kind == TYPE_TENSOR && !is_countable(n->type))
            cannot(&f->w, n, "an array would have too many elements to count");
        for (int a = 0; a < (n->type->kind == TYPE_TENSOR ? n->type->rank : 0); a++)
            add_sizes(f, n->type->dims[a]);
    }
    vec_free(&order);
    leaves_by_declaration(x->st, f->inputs.len, f->inputs.at);
}

static void bind_inputs(File *f, CScope *s)
{
    CWriter *w = &f->w;
    for (size_t i = 0; i < f->inputs.len; i++) {
        Node *n = f->inputs.at[i];
        if (n->type->dtype == DT_RNG)
            use_helper(w, "philox");
        CValue *v = value_new_c(w, n->type->dtype, n->type->rank);
        v->text = fresh_name(w, n->attrs[0].name);
        for (int a = 0; a < v->rank; a++)
            v->dim[a] = size_text(w, s, n->type->dims[a]);
        bind(s, n, v);
    }
}

static void put_params(File *f, CScope *s, Text *out)
{
    bool any = false;
    for (size_t i = 0; i < f->sizes.len; i++, any = true)
        text_printf(out, "%si64 %s", any ? ", " : "", size_named(&f->w, f->sizes.at[i]));
    for (size_t i = 0; i < f->inputs.len; i++, any = true) {
        const CValue *v = map_get(&s->values, f->inputs.at[i]);
        text_printf(out, v->rank ? "%sconst %s *%s" : "%s%s %s", any ? ", " : "", c_type(v->dtype),
                    v->text);
    }
    for (int k = 0; k < f->w.x->n; k++, any = true) {
        const CValue *v = f->out[k];
        text_printf(out, "%s%s %s%s", any ? ", " : "", c_type(v->dtype), f->fixed[k] ? "*" : "**",
                    f->out_name[k]);
        if (!f->fixed[k])
            text_printf(out, ", i64 %s[%d]", f->shape_name[k], v->rank);
    }
    text_put(out, any ? "" : "void");
}

/* ---- results ---- */

static bool known_before(const Type *t)
{
    for (int a = 0; a < t->rank; a++)
        for (u32 i = 0; i < t->dims[a]->nterms; i++)
            for (u32 k = 0; k < t->dims[a]->terms[i].nfactors; k++)
                if (t->dims[a]->terms[i].factors[k]->kind != ATOM_NAME ||
                    *t->dims[a]->terms[i].factors[k]->name == '.')
                    return false;
    return true;
}

static void store_result(File *f, int k)
{
    CWriter *w = &f->w;
    const CValue *v = f->out[k];
    const char *name = f->out_name[k], *count = count_of(w, v, 0, v->rank);
    if (!v->rank) {
        line(w, "*%s = %s;", name, v->text);
        return;
    }
    if (!f->fixed[k]) {
        line(w, "*%s = malloc((size_t)(%s) * sizeof **%s + 1);", name, count, name);
        line(w, "if (!*%s)", name);
        line(w, "    goto no_memory;");
        for (int a = 0; a < v->rank; a++)
            line(w, "%s[%d] = %s;", f->shape_name[k], a, v->dim[a]);
    }
    line(w, "for (i64 i = 0; i < %s; i++)", count);
    line(w, f->fixed[k] ? "    %s[i] = %s;" : "    (*%s)[i] = %s;", name, element_of(w, v));
}

static void write_results(File *f, CScope *s)
{
    CWriter *w = &f->w;
    Export *x = w->x;
    for (int k = 0; k < x->n && !w->failed; k++) {
        Symbol name = node_result_name(x->st, x->roots[k]);
        f->out_name[k] = fresh_name(w, word(w, "%s out", name ? name : "result"));
        f->fixed[k] = known_before(x->roots[k]->type);
        if (!f->fixed[k])
            f->shape_name[k] = fresh_name(w, word(w, "%s_shape", f->out_name[k]));
        w->result = x->roots[k];
        f->out[k] = need(w, s, x->roots[k]);
        w->result = NULL;
    }
    for (int k = 0; k < x->n && !w->failed; k++)
        store_result(f, k);
}

/* ---- the file ---- */

/* What would end a comment, begin another one, or a trigraph, is set apart. */
static void put_commented(Text *out, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char next = i + 1 < n ? p[i + 1] : ' ';
        bool apart = (p[i] == '*' && next == '/') || (p[i] == '/' && next == '*') ||
                     (p[i] == '?' && next == '?');
        text_printf(out, p[i] == '\n' ? " " : apart ? "%c " : "%c", p[i]);
    }
}

static void put_comment(const Export *x, Text *out)
{
    text_put(out, "/* ");
    put_commented(out, x->source, strlen(x->source));
    text_put(out, ", written by Gradus");
    if (x->definitions && *x->definitions) {
        text_put(out, " from\n *\n");
        for (const char *p = x->definitions; *p;) {
            size_t n = strcspn(p, "\n");
            text_put(out, " *     ");
            put_commented(out, p, n);
            text_putc(out, '\n');
            p += n + (p[n] == '\n');
        }
        text_put(out, " *\n");
    } else {
        text_put(out, ".\n *\n");
    }
    text_put(out, " * Returns NULL, or an error message.  Arrays are in row-major order. */\n");
}

static void put_head(const CWriter *w, Text *out)
{
    text_put(out, uses_helper(w, "product_f64") || uses_helper(w, "product_f32")
                      ? "#include <cblas.h>\n"
                      : "");
    text_put(
        out,
        "#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n#include <stdio.h>\n"
        "#include <stdlib.h>\n#include <string.h>\n\n"
        "typedef int64_t i64;\ntypedef int32_t i32;\ntypedef uint64_t u64;\ntypedef uint32_t u32;\n"
        "typedef uint8_t u8;\n");
    if (w->rooms)
        text_put(
            out,
            "\n/* A buffer that is reused each time this point of the program is reached. */\n"
            "typedef struct {\n    void *at;\n    size_t bytes;\n} Room;\n\n"
            "static inline void *grow(Room *r, i64 count, size_t size)\n{\n"
            "    const size_t bytes = (size_t)count * size + 1;\n"
            "    if (count < 0 || (size_t)count > SIZE_MAX / 4 / size)\n        return NULL;\n"
            "    if (bytes > r->bytes) {\n"
            "        void *at = realloc(r->at, 2 * bytes);\n        if (!at)\n            return "
            "NULL;\n"
            "        r->at = at;\n        r->bytes = 2 * bytes;\n    }\n    return r->at;\n}\n\n"
            "static inline void *room(Room *r, i64 count, size_t size)\n{\n"
            "    const size_t bytes = (size_t)count * size + 1;\n"
            "    if (count < 0 || (size_t)count > SIZE_MAX / 4 / size)\n        return NULL;\n"
            "    if (bytes > r->bytes) {\n        free(r->at);\n        r->at = malloc(bytes);\n"
            "        r->bytes = r->at ? bytes : 0;\n    }\n    return r->at;\n}\n");
    put_helpers(w, out);
}

static bool mentions(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = strstr(text, name); p; p = strstr(p + 1, name)) {
        bool before = p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_');
        if (!before && !isalnum((unsigned char)p[n]) && p[n] != '_')
            return true;
    }
    return false;
}

/* Compilers warn of parameters that are not used. */
static void put_unused(File *f, CScope *s, Text *out, const char *body)
{
    for (size_t i = 0; i < f->sizes.len; i++) {
        const char *name = size_named(&f->w, f->sizes.at[i]);
        if (!mentions(body, name))
            text_printf(out, "    (void)%s;\n", name);
    }
    for (size_t i = 0; i < f->inputs.len; i++) {
        const CValue *v = map_get(&s->values, f->inputs.at[i]);
        if (!mentions(body, v->text))
            text_printf(out, "    (void)%s;\n", v->text);
    }
}

static void put_function(File *f, CScope *s, Text *out)
{
    CWriter *w = &f->w;
    text_putc(out, '\n');
    put_comment(w->x, out);
    text_printf(out, "const char *%s(", f->function);
    put_params(f, s, out);
    text_put(out, ")\n{\n    const char *error = NULL;\n");
    if (w->rooms)
        text_printf(out, "    Room rooms[%u] = {{0}};\n", w->rooms);
    put_unused(f, s, out, text_str(&w->body));
    text_put(out, text_str(&w->body));
    bool short_of = strstr(text_str(&w->body), "goto no_memory;");
    if (short_of)
        text_put(out, "    goto end;\nno_memory:\n    error = \"out of memory\";\n");
    if (short_of || strstr(text_str(&w->body), "goto end;"))
        text_put(out, "end:\n");
    if (w->rooms)
        text_printf(out, "    for (int k = 0; k < %u; k++)\n        free(rooms[k].at);\n",
                    w->rooms);
    text_put(out, "    return error;\n}\n");
}

/* ---- main ---- */

static void put_value(CWriter *w, Text *out, const Tensor *t)
{
    for (i64 i = 0; i < t->count; i++) {
        text_put(out, i ? ", " : "");
        if (t->dtype == DT_RNG)
            text_put(out, state_literal(w, t, i));
        else if (!literal_put(out, t->dtype,
                              (const char *)t->data + (size_t)i * dtype_size(t->dtype)))
            text_put(out, dtype_is_int(t->dtype)    ? "INT64_MIN"
                          : tensor_f64_at(t, i) > 0 ? "INFINITY"
                          : tensor_f64_at(t, i) < 0 ? "-INFINITY"
                                                    : "NAN");
    }
    text_put(out, t->count ? "" : "0");
}

static void put_printer(Text *out)
{
    text_put(
        out,
        "\n/* Nested brackets, as JSON has them. */\n"
        "static void print_part(char kind, const void *x, int rank, const i64 *shape, i64 *at)\n{\n"
        "    if (rank) {\n        putchar('[');\n        for (i64 i = 0; i < shape[0]; i++) {\n"
        "            fputs(i ? \", \" : \"\", stdout);\n"
        "            print_part(kind, x, rank - 1, shape + 1, at);\n        }\n        "
        "putchar(']');\n"
        "        return;\n    }\n    const i64 i = (*at)++;\n"
        "    if (kind == 'r') {\n        for (int k = 0; k < 6; k++)\n"
        "            printf(\"%s%lu%s\", k ? \", \" : \"[\", (unsigned long)((const u32 *)x)[6 * i "
        "+ k], k < 5 ? \"\" : \"]\");\n"
        "    } else if (kind == 'b') {\n        fputs(((const u8 *)x)[i] ? \"true\" : \"false\", "
        "stdout);\n"
        "    } else if (kind == 'i' || kind == 'l') {\n"
        "        printf(\"%lld\", kind == 'i' ? (long long)((const i32 *)x)[i] : (long "
        "long)((const i64 *)x)[i]);\n"
        "    } else {\n        const double v = kind == 'f' ? (double)((const float *)x)[i] : "
        "((const double *)x)[i];\n"
        "        if (isnan(v) || isinf(v))\n            fputs(isnan(v) ? \"\\\"nan\\\"\" : v > 0 ? "
        "\"\\\"inf\\\"\" : \"\\\"-inf\\\"\", stdout);\n"
        "        else\n            printf(kind == 'f' ? \"%.9g\" : \"%.17g\", v);\n    }\n}\n\n"
        "static void print_value(const char *name, const char *dtype, char kind, const void *x, "
        "int rank, const i64 *shape)\n{\n"
        "    i64 at = 0;\n    printf(\"{\\\"kind\\\": \\\"value\\\", \\\"name\\\": %s, "
        "\\\"type\\\": \\\"%s\", name, dtype);\n"
        "    for (int a = 0; a < rank; a++)\n        printf(\"%s%lld\", a ? \", \" : \"[\", (long "
        "long)shape[a]);\n"
        "    printf(\"%s\\\", \\\"dtype\\\": \\\"%s\\\", \\\"shape\\\": [\", rank ? \"]\" : \"\", "
        "dtype);\n"
        "    for (int a = 0; a < rank; a++)\n        printf(\"%s%lld\", a ? \", \" : \"\", (long "
        "long)shape[a]);\n"
        "    fputs(\"], \\\"value\\\": \", stdout);\n    print_part(kind, x, rank, shape, &at);\n  "
        "  puts(\"}\");\n}\n");
}

static char kind_letter(DType d)
{
    return d == DT_RNG    ? 'r'
           : d == DT_BOOL ? 'b'
           : d == DT_I32  ? 'i'
           : d == DT_I64  ? 'l'
           : d == DT_F32  ? 'f'
                          : 'd';
}

static bool put_main_inputs(File *f, CScope *s, Text *out, Text *args)
{
    Export *x = f->w.x;
    for (size_t i = 0; i < f->sizes.len; i++) {
        i64 n;
        if (!x->size || !x->size(x->ctx, f->sizes.at[i], &n)) {
            cannot(&f->w, NULL, "the size %s has no value", f->sizes.at[i]);
            return false;
        }
        const char *name = size_named(&f->w, f->sizes.at[i]);
        text_printf(out, "    const i64 %s = %lld;\n", name, (long long)n);
        text_printf(args, "%s%s", args->len ? ", " : "", name);
    }
    for (size_t i = 0; i < f->inputs.len; i++) {
        const CValue *v = map_get(&s->values, f->inputs.at[i]);
        const Tensor *t = x->leaf ? x->leaf(x->ctx, f->inputs.at[i]) : NULL;
        if (!t) {
            cannot(&f->w, f->inputs.at[i], "%s has no value",
                   (const char *)f->inputs.at[i]->attrs[0].name);
            return false;
        }
        text_printf(out, v->rank ? "    static const %s %s[] = {" : "    const %s %s = ",
                    c_type(v->dtype), v->text);
        put_value(&f->w, out, t);
        text_put(out, v->rank ? "};\n" : ";\n");
        text_printf(args, "%s%s", args->len ? ", " : "", v->text);
    }
    return true;
}

/* The result with its dims as the caller knows them: by the names of sizes, not of variables. */
static const CValue *outside(File *f, CScope *s, int k)
{
    const Type *t = f->w.x->roots[k]->type;
    CValue *v = value_new_c(&f->w, t->dtype, t->rank);
    for (int a = 0; a < t->rank && f->fixed[k]; a++)
        v->dim[a] = size_text(&f->w, s, t->dims[a]);
    return v;
}

static void put_main_results(File *f, CScope *s, Text *out, Text *args, Text *print, Text *end)
{
    Export *x = f->w.x;
    for (int k = 0; k < x->n; k++) {
        const CValue *v = f->out[k];
        const char *type = c_type(v->dtype), *name = f->out_name[k];
        const char *dtype = dtype_name(v->dtype);
        Text quoted = {0};
        c_string(&quoted, x->n == 1 && export_is_name(x->source) ? word(&f->w, "\"%s\"", x->source)
                                                                 : "null");
        const CValue *known = outside(f, s, k);
        if (!v->rank)
            text_printf(out, "    %s %s;\n", type, name);
        else if (f->fixed[k])
            text_printf(out, "    %s *%s = calloc((size_t)(%s) + 1, sizeof *%s);\n", type, name,
                        count_of(&f->w, known, 0, v->rank), name);
        else
            text_printf(out, "    %s *%s = NULL;\n    i64 %s[%d] = {0};\n", type, name,
                        f->shape_name[k], v->rank);
        text_printf(args, "%s%s%s", args->len ? ", " : "", v->rank && f->fixed[k] ? "" : "&", name);
        if (v->rank && !f->fixed[k])
            text_printf(args, ", %s", f->shape_name[k]);
        text_printf(print, "        print_value(%s, \"%s\", '%c', %s%s, %d, ", text_str(&quoted),
                    dtype, kind_letter(v->dtype), v->rank ? "" : "&", name, v->rank);
        if (!v->rank || !f->fixed[k]) {
            text_put(print, v->rank ? f->shape_name[k] : "NULL");
        } else {
            text_put(print, "(const i64[]){");
            for (int a = 0; a < v->rank; a++)
                text_printf(print, "%s%s", a ? ", " : "", known->dim[a]);
            text_put(print, "}");
        }
        text_put(print, ");\n");
        if (v->rank)
            text_printf(end, "    free(%s);\n", name);
        text_free(&quoted);
    }
}

static void put_main(File *f, CScope *s, Text *out)
{
    Text args = {0}, print = {0}, end = {0};
    put_printer(out);
    text_put(out, "\nint main(void)\n{\n");
    if (put_main_inputs(f, s, out, &args)) {
        put_main_results(f, s, out, &args, &print, &end);
        text_printf(out, "    const char *error = %s(%s);\n", f->function, text_str(&args));
        text_printf(out,
                    "    if (error)\n        fprintf(stderr, \"%%s\\n\", error);\n    if (!error) "
                    "{\n%s    }\n",
                    text_str(&print));
        text_put(out, text_str(&end));
        text_put(out, "    return error != NULL;\n}\n");
    }
    text_free(&args);
    text_free(&print);
    text_free(&end);
}

/* POSIX has all names that end so for types, which its headers declare beside the function. */
static const char *function_name_taken(CWriter *w, const char *name)
{
    size_t len = strlen(name);
    bool other = len > 2 && !strcmp(name + len - 2, "_t");
    other = other || is_function_taken_over(name);
    return fresh_name(w, other ? word(w, "%s_", name) : name);
}

bool export_c(Export *x, Text *out)
{
    File f = {.w = {.x = x, .st = x->st, .depth = 1}};
    CWriter *w = &f.w;
    NodeCounts uses = {0};
    CScope s = {.uses = &uses};
    size_t n = (size_t)x->n + 1;
    f.out = arena_alloc(&w->arena, n * sizeof *f.out);
    f.out_name = arena_alloc(&w->arena, n * sizeof *f.out_name);
    f.shape_name = arena_alloc(&w->arena, n * sizeof *f.shape_name);
    f.fixed = arena_alloc(&w->arena, n);
    f.function = function_name_taken(w, x->function);
    count_uses(&uses, x->n, x->roots);
    find_inputs(&f);
    bind_inputs(&f, &s);
    if (!w->failed)
        write_results(&f, &s);
    Text function_text = {0};
    if (!w->failed) {
        put_function(&f, &s, &function_text);
        put_head(w, out);
        text_put(out, text_str(&function_text));
        if (x->values)
            put_main(&f, &s, out);
    }
    text_free(&function_text);
    text_free(&w->body);
    scope_end(&s);
    map_free(&uses);
    map_free(&w->taken);
    map_free(&w->sizes);
    vec_free(&f.inputs);
    vec_free(&f.sizes);
    arena_free(&w->arena);
    return !w->failed;
}
