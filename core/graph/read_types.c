/* Sizes and types in graph text.
 *
 * Invariant: the text is not trusted; nesting, lengths and indices are bounded before they can cost
 * memory or stack. */
#include "graph/read.h"

enum {
    MAX_NESTING = 64,   /* of tuple types and of max, min, floordiv */
    MAX_FACTORS = 32,   /* of a term of a size */
    MAX_TERMS = 4096,   /* of a size */
    MAX_INDEX = 1 << 16 /* of d0, r0 */
};

static Size *read_size_call(Reader *r, AtomKind kind, int depth)
{
    if (!read_expect(r, '(', "after this name"))
        return NULL;
    Size *a = read_size(r, depth + 1);
    if (!a || !read_expect(r, ',', "between two sizes"))
        return NULL;
    Size *b = read_size(r, depth + 1);
    if (!b || !read_expect(r, ')', "after two sizes"))
        return NULL;
    return size_pair(r->st, kind, a, b);
}

/* ?0123abcd stands for the name ".0123abcd", which no program can write. */
static Size *read_hidden_name(Reader *r)
{
    size_t start = r->at++;
    Text t = {0};
    text_putc(&t, '.');
    for (; hex_digit(read_peek(r)) >= 0; r->at++)
        text_putc(&t, read_peek(r));
    Size *s = NULL;
    if (t.len == 1)
        read_fail(r, start, "`?` needs the digits of a hidden size");
    else
        s = size_name(r->st, symbol(r->st, text_str(&t)));
    text_free(&t);
    return s;
}

static Size *read_factor(Reader *r, int depth)
{
    const char *word;
    char c = read_skip(r);
    size_t start = r->at, n = read_word_length(r, &word);
    u64 k;
    if (is_digit(c))
        return read_u64(r, &k) ? size_const(r->st, (i64)k) : NULL;
    if (c == '?')
        return read_hidden_name(r);
    if (c == '%' || read_indexed_word(word, n, 'p')) {
        Node *node = c == '%' ? read_node_number(r) : read_param(r);
        if (node && (!type_is_scalar(node->type) || !dtype_is_int(node->type->dtype)))
            read_fail(r, start, "only an integer can be a size");
        return r->failed ? NULL : size_of_node(r->st, node);
    }
    if (read_indexed_word(word, n, 'd'))
        return read_number_after(r, 'd', MAX_INDEX, &k) ? size_param(r->st, (i64)k) : NULL;
    if (read_indexed_word(word, n, 'r'))
        return read_number_after(r, 'r', MAX_INDEX, &k) ? size_result(r->st, (i64)k) : NULL;
    static const AtomKind kinds[] = {ATOM_MAX, ATOM_MIN, ATOM_FLOORDIV};
    static const char *const names[] = {"max", "min", "floordiv"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (read_accept_word(r, names[i]))
            return read_size_call(r, kinds[i], depth);
    Symbol name = read_word(r, "a size");
    return name ? size_name(r->st, name) : NULL;
}

static Size *read_term(Reader *r, int depth)
{
    size_t start = r->at;
    Size *s = read_factor(r, depth);
    for (int i = 0; s && read_accept(r, '*'); i++) {
        Size *f = read_factor(r, depth);
        if (f && (i == MAX_FACTORS || (u64)s->nterms * (f->nterms + 1) > MAX_TERMS))
            read_fail(r, start, "this size is too long");
        s = f && !r->failed ? size_mul(r->st, s, f) : NULL;
    }
    return s;
}

Size *read_size(Reader *r, int depth)
{
    size_t start = r->at;
    if (depth > MAX_NESTING) {
        read_fail(r, start, "this size is nested too deeply");
        return NULL;
    }
    Size *sum = NULL;
    bool minus = read_accept(r, '-');
    for (;;) {
        Size *t = read_term(r, depth);
        if (!t)
            return NULL;
        t = minus ? size_scale(r->st, t, -1) : t;
        sum = sum ? size_add(r->st, sum, t) : t;
        if (sum->nterms > MAX_TERMS) {
            read_fail(r, start, "this size is too long");
            return NULL;
        }
        minus = read_accept(r, '-');
        if (!minus && !read_accept(r, '+'))
            return sum;
    }
}

static Type *read_tuple_type(Reader *r, int depth)
{
    VEC(Type *) items = {0};
    while (!read_accept(r, ')') && !r->failed) {
        Type *t = read_type(r, depth + 1);
        if (!t)
            break;
        vec_push(&items, t);
        if (read_skip(r) != ')')
            read_expect(r, ',', "between two types");
    }
    Type *t = r->failed ? NULL : type_tuple(r->st, (int)items.len, items.at);
    vec_free(&items);
    return t;
}

Type *read_type(Reader *r, int depth)
{
    const char *word;
    if (depth > MAX_NESTING) {
        read_fail(r, r->at, "this type is nested too deeply");
        return NULL;
    }
    if (read_accept(r, '('))
        return read_tuple_type(r, depth);
    size_t n = read_word_length(r, &word), start = r->at;
    DType d = read_dtype_of(word, n);
    if (d == DT_COUNT) {
        r->at += n;
        read_fail(r, start, "a type is missing: bool, i32, i64, f32, f64, rng or a tuple");
        return NULL;
    }
    r->at += n;
    Size *dims[MAX_RANK];
    int rank = 0;
    if (read_accept(r, '[')) {
        do {
            Size *s = read_size(r, 0);
            if (s && rank == MAX_RANK)
                read_fail(r, start, "a type can have at most %d axes", MAX_RANK);
            if (r->failed)
                return NULL;
            dims[rank++] = s;
        } while (read_accept(r, ','));
        if (!read_expect(r, ']', "after the sizes"))
            return NULL;
    }
    return type_tensor(r->st, d, rank, dims);
}
