/* Random numbers, special functions and orders in C: the functions that compute them here, taken
 * from their sources as they are, so that they give the same bits.
 *
 * Invariant: what is taken stands on C11 and math.h alone, but for numbers of 128 bits (gcc,
 * clang); all of it is static. */
#include "emit/export_write.h"

#include "embed/embed.h"

#include <ctype.h>

/* ---- sources ---- */

/* A line that begins a function or a table which others would see. */
static bool is_public(const char *line, size_t len)
{
    static const char *const not_these[] = {"static", "typedef", "enum", "__extension__"};
    for (size_t i = 0; i < COUNT_OF(not_these); i++)
        if (!strncmp(line, not_these[i], strlen(not_these[i])))
            return false;
    return len && isalpha((unsigned char)*line) && memchr(line, '(', len);
}

/* The lines [from, to) of a source without what is for its own compiler. */
static void put_source(Text *out, const char *from, const char *to)
{
    bool macro = false;
    for (const char *s = from; s < to;) {
        const char *end = memchr(s, '\n', (size_t)(to - s));
        size_t len = end ? (size_t)(end - s) : (size_t)(to - s);
        bool directive = !macro && *s == '#' && strncmp(s, "#define", 7);
        if (!directive) {
            text_put(out, !macro && is_public(s, len) ? "static " : "");
            text_putn(out, s, len);
            text_putc(out, '\n');
        }
        macro = len && s[len - 1] == '\\';
        s += len + (end != NULL);
    }
}

static void put_between(Text *out, const char *source, const char *from, const char *to)
{
    const char *a = strstr(source, from), *b = a ? strstr(a, to) : NULL;
    if (!b)
        die("a source has no %s before %s", from, to);
    put_source(out, a, b);
}

void put_philox(Text *out)
{
    text_put(out, "/* Philox4x32-10 and what is drawn from it, as in Gradus. */\n"
                  "typedef struct {\n    u32 key[2];\n    u32 counter[4];\n} RngState;\n"
                  "typedef enum { DT_F32, DT_F64 } DType;\n");
    static const char include[] = "#include \"tensor/philox_isa.h\"";
    const char *first = strstr(embed_philox_c, include);
    const char *rest =
        first ? strstr(first, "static const PhiloxBatches *chosen(void) { return") : NULL;
    if (!rest)
        die("philox.c has no form for any processor");
    put_source(out, strstr(embed_philox_c, "__extension__"), first);
    put_source(out, embed_philox_isa_h, embed_philox_isa_h + embed_philox_isa_h_len);
    put_source(out, rest, embed_philox_c + embed_philox_c_len);
}

void put_special(Text *out)
{
    text_put(out, "double lgamma_r(double x, int *sign); /* POSIX */\n\n");
    put_between(out, embed_kernels_math_c, "/* ---- special functions", "/* ---- division");
}

void put_sorts(Text *out)
{
    put_between(out, embed_kernels_sort_c, "enum { RUN", "DEFINE_SORTS(u8)");
}

bool is_taken_over(const char *name)
{
    static const char *const words[] = {"PhiloxBatches", "RngState", "DType",   "DT_F32",
                                        "DT_F64",        "u128",     "RUN",     "LESS",
                                        "BATCH",         "ROUNDS",   "LESS_KEY"};
    static const char *const prefixes[] = {
        "rng_",    "math_",   "sort_",   "argsort_", "search_",    "column_", "DEFINE_",
        "philox_", "PHILOX_", "f64_to_", "f32_to_",  "MULTIPLIER", "WEYL"};
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (!strcmp(name, words[i]))
            return true;
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

/* Does a line of the source begin a function of that name? */
static bool defines(const char *source, const char *name)
{
    size_t len = strlen(name);
    for (const char *p = strstr(source, name); p; p = strstr(p + 1, name)) {
        const char *start = p;
        while (start > source && start[-1] != '\n')
            start--;
        if (p[len] == '(' && p > start && strchr(" *", p[-1]) && isalpha((unsigned char)*start))
            return true;
    }
    return false;
}

bool is_function_taken_over(const char *name)
{
    return defines(embed_philox_c, name) || defines(embed_kernels_math_c, name);
}

/* ---- states ---- */

const char *state_literal(CWriter *w, const Tensor *t, i64 i)
{
    RngState s;
    memcpy(&s, (const char *)t->data + (size_t)i * sizeof s, sizeof s);
    return word(w, "{{%uU, %uU}, {%uU, %uU, %uU, %uU}}", s.key[0], s.key[1], s.counter[0],
                s.counter[1], s.counter[2], s.counter[3]);
}

/* A size as one word, not negative. */
static const char *drawn_size(CWriter *w, CScope *s, Node *n)
{
    const CValue *v = need(w, s, n);
    const char *text = v->text;
    bool number = strspn(text, "0123456789") == strlen(text);
    if (v->prec != PREC_ATOM || strchr(text, '(')) {
        const char *name = fresh_name(w, "size");
        line(w, "const i64 %s = %s;", name, text);
        text = name;
    }
    if (!number)
        failing(w, word(w, "%s < 0", text), "a size is negative");
    return text;
}

CValue *write_generator(CWriter *w, CScope *s, Node *n)
{
    const char *of = need(w, s, n->ops[0])->text;
    use_helper(w, "philox");
    if (n->op == OP_RNG)
        return scalar_value(w, DT_RNG, word(w, "rng_seed(%s)", of), PREC_ATOM);
    const char *count = drawn_size(w, s, n->ops[1]);
    CValue *y = array_value(w, s, n, DT_RNG, 1, &count);
    line(w, "rng_split(%s, %s, %s);", of, count, y->text);
    return y;
}

/* ---- draws ---- */

typedef struct {
    CWriter *w;
    CScope *s;
    Node *n;
    const char *state, *next;
} DrawC;

/* Room for the numbers, an array or one of them; *at: where they go, *count: how many. */
static CValue *drawn(DrawC *d, DType type, int rank, const char *const *dims, const char **at,
                     const char **count)
{
    CWriter *w = d->w;
    CValue *y =
        array_value(w, d->s, d->n, type, rank ? rank : 1, rank ? dims : (const char *[]){"1"});
    *at = y->text;
    *count = rank ? count_of(w, y, 0, rank) : "1";
    return rank ? y : scalar_value(w, type, word(w, "%s[0]", y->text), PREC_ATOM);
}

static CValue *draw_sized(DrawC *d, u32 first, DType type, const char *call)
{
    const char *dims[MAX_RANK], *at, *count;
    for (u32 k = first; k < d->n->nops; k++)
        dims[k - first] = drawn_size(d->w, d->s, d->n->ops[k]);
    CValue *y = drawn(d, type, (int)(d->n->nops - first), dims, &at, &count);
    line(d->w, "const RngState %s = %s%s, %s);", d->next, call, count, at);
    return y;
}

static CValue *draw_integers(DrawC *d)
{
    CWriter *w = d->w;
    const char *low = wrapped(w, need(w, d->s, d->n->ops[1])->text, PREC_OTHER, PREC_ATOM);
    const char *high = wrapped(w, need(w, d->s, d->n->ops[2])->text, PREC_OTHER, PREC_ATOM);
    failing(w, word(w, "%s >= %s", low, high), "randint: no integer lies in [low, high)");
    return draw_sized(d, 3, DT_I64, word(w, "rng_randint(%s, %s, %s, ", d->state, low, high));
}

static CValue *draw_truths(DrawC *d)
{
    CWriter *w = d->w;
    CValue *p = need(w, d->s, d->n->ops[1]);
    const char *at, *count, *from;
    if (p->rank) {
        p = need_array(w, d->s, d->n->ops[1]);
        from = p->text;
    } else {
        from = fresh_name(w, "p");
        line(w, "const double %s[1] = {%s};", from, p->text);
    }
    failing(w,
            word(w, "!rng_are_chances(%s, %s)", p->rank ? count_of(w, p, 0, p->rank) : "1", from),
            "bernoulli: each probability must be between 0 and 1");
    CValue *y = drawn(d, DT_BOOL, p->rank, p->dim, &at, &count);
    line(w, "const RngState %s = rng_bernoulli(%s, %s, %s, 1, %s);", d->next, d->state, count, from,
         at);
    return y;
}

static CValue *draw_classes(DrawC *d)
{
    CWriter *w = d->w;
    CValue *p = need_array(w, d->s, d->n->ops[1]);
    const char *at, *count, *classes = p->dim[p->rank - 1];
    failing(w, word(w, "%s == 0", classes), "categorical: there are no categories to sample from");
    failing(w,
            word(w, "!rng_are_weights(%s, %s, %s)",
                 p->rank > 1 ? count_of(w, p, 0, p->rank - 1) : "1", classes, p->text),
            "categorical: probabilities must be at least 0, and those of a row must have a sum "
            "that is positive and finite");
    CValue *y = drawn(d, DT_I64, p->rank - 1, p->dim, &at, &count);
    line(w, "const RngState %s = rng_categorical(%s, %s, %s, %s, %s);", d->next, d->state, count,
         classes, p->text, at);
    return y;
}

CValue **write_draw(CWriter *w, CScope *s, Node *n)
{
    CValue **results = arena_alloc(&w->arena, 2 * sizeof *results);
    DrawC d = {w, s, n, need(w, s, n->ops[0])->text, fresh_name(w, "next")};
    use_helper(w, "philox");
    switch (n->op) {
    case OP_UNIFORM:
        results[0] = draw_sized(&d, 1, DT_F64, word(w, "rng_uniform(%s, DT_F64, ", d.state));
        break;
    case OP_NORMAL:
        results[0] = draw_sized(&d, 1, DT_F64, word(w, "rng_normal(%s, DT_F64, ", d.state));
        break;
    case OP_PERMUTATION:
        results[0] = draw_sized(&d, 1, DT_I64, word(w, "rng_permutation(%s, ", d.state));
        break;
    case OP_RANDINT: results[0] = draw_integers(&d); break;
    case OP_BERNOULLI: results[0] = draw_truths(&d); break;
    default: results[0] = draw_classes(&d); break;
    }
    results[1] = scalar_value(w, DT_RNG, d.next, PREC_ATOM);
    return results;
}

/* ---- orders ---- */

static const char *const sort_helpers[] = {[DT_BOOL] = "sorts_u8",
                                           [DT_I32] = "sorts_i32",
                                           [DT_I64] = "sorts_i64",
                                           [DT_F32] = "sorts_float",
                                           [DT_F64] = "sorts_double"};

/* The functions of one dtype, and its name in theirs. */
static const char *use_sorts(CWriter *w, DType d)
{
    use_helper(w, "sorts");
    use_helper(w, sort_helpers[d]);
    return c_type(d);
}

/* Memory of so many bytes that nobody else uses. */
static const char *scratch(CWriter *w, const char *bytes)
{
    const char *name = fresh_name(w, "scratch");
    line(w, "void *%s = room(&rooms[%u], %s, 1);", name, w->rooms++, bytes);
    line(w, "if (!%s)", name);
    line(w, "    goto no_memory;");
    return name;
}

CValue *write_sort(CWriter *w, CScope *s, Node *n)
{
    CValue *x = need_array(w, s, n->ops[0]);
    int axis = (int)n->attrs[0].i;
    bool order = n->op == OP_ARGSORT;
    const char *type = use_sorts(w, x->dtype), *length = x->dim[axis];
    CValue *y = array_value(w, s, n, order ? DT_I64 : x->dtype, x->rank, x->dim);
    const char *room = scratch(w, word(w, "%s * (i64)(%s + 2 * sizeof *%s)", length,
                                       order ? word(w, "sizeof *%s", x->text) : "0", y->text));
    const char *outer = count_of(w, x, 0, axis), *inner = count_of(w, x, axis + 1, x->rank);
    const char *columns = axis == 0             ? inner
                          : axis == x->rank - 1 ? outer
                                                : word(w, "%s * %s", outer, inner);
    line(w, "%s_all_%s(0, %s, %s, %s, %s, %s, %s);", order ? "argsort" : "sort", type, columns,
         length, inner, x->text, y->text, room);
    return y;
}

CValue *write_search(CWriter *w, CScope *s, Node *n)
{
    CValue *a = need_array(w, s, n->ops[0]), *v = need(w, s, n->ops[1]);
    const char *type = use_sorts(w, a->dtype);
    const char *call = word(w, "search_%s(%s, %s, %s, %d)", type, a->dim[0], a->text,
                            element_of(w, v), n->attrs[0].i != 0);
    CValue *y = scalar_value(w, DT_I64, call, PREC_ATOM);
    y->rank = v->rank;
    y->element = v->rank > 0;
    memcpy(y->dim, v->dim, sizeof y->dim);
    return y;
}
