/* The parts of graph text: words, whole numbers, sizes, types.
 *
 * Invariant: the text is not trusted; nesting, lengths and indices are bounded before
 * they can cost memory or stack. */
#include "graph/read.h"

enum {
    MAX_NESTING = 64,   /* of tuple types and of max, min, floordiv */
    MAX_FACTORS = 32,   /* of a term of a size */
    MAX_TERMS = 4096,   /* of a size */
    MAX_INDEX = 1 << 16 /* of d0, r0 */
};

/* ---- characters and words ---- */

static Span span_here(const Reader *r, size_t start)
{
    size_t end = r->at > start ? r->at : start + (start < r->src->len);
    return (Span){r->src, (u32)start, (u32)end};
}

bool read_fail(Reader *r, size_t start, const char *fmt, ...)
{
    if (!r->failed && r->st->diags) {
        Text t = {0};
        va_list ap;
        va_start(ap, fmt);
        text_vprintf(&t, fmt, ap);
        va_end(ap);
        diag_add(r->st->diags, "graph-text", span_here(r, start), NULL, "%s", text_str(&t));
        text_free(&t);
    }
    r->failed = true;
    return false;
}

char read_peek(const Reader *r) { return r->at < r->src->len ? r->src->text[r->at] : '\0'; }

char read_skip(Reader *r)
{
    while (r->at < r->src->len) {
        char c = read_peek(r);
        if (c == '#') {
            while (r->at < r->src->len && read_peek(r) != '\n')
                r->at++;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            r->at++;
        } else {
            break;
        }
    }
    return read_peek(r);
}

bool read_accept(Reader *r, char c)
{
    if (r->failed || read_skip(r) != c || r->at >= r->src->len)
        return false;
    r->at++;
    return true;
}

bool read_expect(Reader *r, char c, const char *where)
{
    if (read_accept(r, c))
        return true;
    return read_fail(r, r->at, "`%c` is missing %s", c, where);
}

/* The next word's length, 0 if there is none. */
size_t read_word_length(Reader *r, const char **word)
{
    size_t end = is_letter(read_skip(r)) ? r->at : r->src->len, start = r->at;
    while (end < r->src->len && (is_letter(r->src->text[end]) || is_digit(r->src->text[end])))
        end++;
    *word = r->src->text + start;
    return is_letter(read_peek(r)) ? end - start : 0;
}

static bool word_is(const char *word, size_t n, const char *is)
{
    return strlen(is) == n && !memcmp(word, is, n);
}

bool read_accept_word(Reader *r, const char *is)
{
    const char *word;
    size_t n = read_word_length(r, &word);
    if (r->failed || !word_is(word, n, is))
        return false;
    r->at += n;
    return true;
}

DType read_dtype_of(const char *word, size_t n)
{
    for (int d = 0; d < DT_COUNT; d++)
        if (word_is(word, n, dtype_name((DType)d)))
            return (DType)d;
    return DT_COUNT;
}

static bool read_u64(Reader *r, u64 *out)
{
    size_t start = r->at;
    u64 x = 0;
    if (r->failed || !is_digit(read_skip(r)))
        return read_fail(r, r->at, "a whole number is missing");
    for (; is_digit(read_peek(r)); r->at++)
        if (__builtin_mul_overflow(x, 10u, &x) ||
            __builtin_add_overflow(x, (u64)(read_peek(r) - '0'), &x))
            return read_fail(r, start, "this number is too large");
    *out = x;
    return true;
}

bool read_i64(Reader *r, i64 *out)
{
    size_t start = r->at;
    bool negative = read_accept(r, '-');
    u64 x;
    if (!read_u64(r, &x))
        return false;
    if (x > (u64)INT64_MAX + negative)
        return read_fail(r, start, "this number does not fit in 64 bits");
    *out = (i64)(negative ? 0 - x : x);
    return true;
}

/* `%12`, `@3`, `p0`: a letter and the number that follows. */
bool read_number_after(Reader *r, char sign, u64 limit, u64 *out)
{
    size_t start = r->at;
    if (!read_expect(r, sign, "here"))
        return false;
    if (!is_digit(read_peek(r)) || !read_u64(r, out))
        return read_fail(r, start, "`%c` needs a number right after it", sign);
    return *out < limit || read_fail(r, start, "this number is too large");
}

/* p0, d1, r2: the letter alone is a word like any other. */
bool read_indexed_word(const char *word, size_t n, char letter)
{
    if (n < 2 || word[0] != letter)
        return false;
    for (size_t i = 1; i < n; i++)
        if (!is_digit(word[i]))
            return false;
    return true;
}

/* A plain word or a quoted string, as word_print writes them. */
Symbol read_word(Reader *r, const char *what)
{
    const char *word;
    size_t n = read_word_length(r, &word), start = r->at;
    if (n) {
        r->at += n;
        return symbol_n(r->st, word, n);
    }
    if (!read_accept(r, '"')) {
        read_fail(r, r->at, "%s is missing", what);
        return NULL;
    }
    Text t = {0};
    while (r->at < r->src->len && read_peek(r) != '"' && read_peek(r)) {
        char c = read_peek(r);
        r->at++;
        if (c == '\\' && r->at < r->src->len) {
            c = read_peek(r);
            r->at++;
            if (c == 'x' && r->src->len - r->at >= 2) {
                int code = 16 * hex_digit(read_peek(r)) + hex_digit(r->src->text[r->at + 1]);
                c = code > 0 ? (char)code : '?';
                r->at += 2;
            }
        }
        text_putc(&t, c);
    }
    Symbol s = NULL;
    if (read_peek(r) != '"')
        read_fail(r, start, "this string does not end");
    else if (memchr(text_str(&t), 0, t.len))
        read_fail(r, start, "a string cannot hold a zero byte");
    else
        s = symbol_n(r->st, text_str(&t), t.len);
    r->at += s != NULL;
    text_free(&t);
    return s;
}

/* ---- sizes and types ---- */

Node *read_node_number(Reader *r)
{
    size_t start = r->at;
    u64 k;
    if (!read_number_after(r, '%', UINT32_MAX, &k))
        return NULL;
    Node *n = map_get(&r->nodes, read_key(k));
    if (!n)
        read_fail(r, start, "%%%llu is used before the line that defines it",
                  (unsigned long long)k);
    return n;
}

Node *read_param(Reader *r)
{
    size_t start = r->at;
    u64 k;
    if (!read_number_after(r, 'p', UINT32_MAX, &k))
        return NULL;
    Node *n = map_get(&r->params, read_key(k));
    if (!n)
        read_fail(r, start, "there is no parameter p%llu here", (unsigned long long)k);
    return n;
}

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
    return kind == ATOM_MAX   ? size_max(r->st, a, b)
           : kind == ATOM_MIN ? size_min(r->st, a, b)
                              : size_floordiv(r->st, a, b);
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
