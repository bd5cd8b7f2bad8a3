/* What stands for itself in graph text: words, numbers, references, constants.
 *
 * Invariant: the text is not trusted; memory grows with the length of the text only, whatever a
 * type claims, and literals give back every bit. */
#include "graph/read.h"

#include <math.h>

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

bool read_u64(Reader *r, u64 *out)
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
            } else if (c == 'n' || c == 't') {
                c = c == 'n' ? '\n' : '\t';
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

void *read_reference(Reader *r, char sign, const NumberMap *where, const char *before,
                     const char *after)
{
    size_t start = r->at;
    u64 k;
    if (!read_number_after(r, sign, UINT32_MAX, &k))
        return NULL;
    void *found = map_get(where, k + 1);
    if (!found)
        read_fail(r, start, "%s%c%llu%s", before, sign, (unsigned long long)k, after);
    return found;
}

Node *read_node_number(Reader *r)
{
    return read_reference(r, '%', &r->nodes, "", " is used before the line that defines it");
}

Node *read_param(Reader *r)
{
    return read_reference(r, 'p', &r->params, "there is no parameter ", " here");
}

/* ---- constants ---- */

enum { MAX_DIGITS = 1100 }; /* of a number; the longest exact double has 1074 */

typedef struct {
    DType dtype; /* DT_COUNT: not known yet */
    int rank;    /* -1: not known yet */
    i64 shape[MAX_RANK];
    i64 count;
    VEC(u8) bytes;
} Literal;

static void push_bytes(Literal *l, const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        vec_push(&l->bytes, ((const u8 *)p)[i]);
}

static bool read_hex(Reader *r, u64 *out)
{
    size_t start = r->at;
    u64 x = 0;
    bool prefix = read_accept(r, '0') && read_accept(r, 'x');
    for (; prefix && hex_digit(read_peek(r)) >= 0; r->at++)
        x = x << 4 | (u64)hex_digit(read_peek(r));
    *out = x;
    return prefix || read_fail(r, start, "0x and hexadecimal digits are missing");
}

/* nan, -nan, nan(0x...), inf, -inf */
static bool read_special(Reader *r, Literal *l, bool negative)
{
    u64 bits = 0;
    double x = negative ? -(double)INFINITY : (double)INFINITY;
    if (read_accept_word(r, "nan")) {
        x = negative ? -(double)NAN : (double)NAN;
        if (read_accept(r, '(')) {
            if (!read_hex(r, &bits) || !read_expect(r, ')', "after the bits of a NaN"))
                return false;
            u32 low = (u32)bits;
            push_bytes(l, l->dtype == DT_F32 ? (void *)&low : (void *)&bits, dtype_size(l->dtype));
            return true;
        }
    } else if (!read_accept_word(r, "inf")) {
        return read_fail(r, r->at, "a number is missing");
    }
    float f = (float)x;
    push_bytes(l, l->dtype == DT_F32 ? (void *)&f : (void *)&x, dtype_size(l->dtype));
    return true;
}

/* The characters of a decimal number without its sign; *real: it has a fraction or an exponent. */
static size_t number_length(const Reader *r, size_t at, bool *real)
{
    const char *s = r->src->text;
    size_t i = at, n = r->src->len;
    *real = false;
    while (i < n && is_digit(s[i]))
        i++;
    if (i < n && s[i] == '.')
        for (*real = true, i++; i < n && is_digit(s[i]);)
            i++;
    if (i > at && i < n && (s[i] == 'e' || s[i] == 'E')) {
        size_t k = i + 1 + (i + 1 < n && (s[i + 1] == '-' || s[i + 1] == '+'));
        if (k < n && is_digit(s[k])) {
            for (*real = true, i = k; i < n && is_digit(s[i]);)
                i++;
        }
    }
    return i - at;
}

static bool read_real(Reader *r, Literal *l)
{
    char digits[MAX_DIGITS + 2];
    bool real, negative = read_accept(r, '-');
    if (is_letter(read_skip(r)))
        return read_special(r, l, negative);
    size_t start = r->at, n = number_length(r, start, &real);
    if (n == 0 || n > MAX_DIGITS || (n == 1 && read_peek(r) == '.'))
        return read_fail(r, start,
                         n > MAX_DIGITS ? "this number is too long" : "a number is missing");
    digits[0] = negative ? '-' : '+';
    memcpy(digits + 1, r->src->text + start, n);
    digits[n + 1] = 0;
    r->at += n;
    double d = l->dtype == DT_F64 ? strtod(digits, NULL) : 0;
    float f = l->dtype == DT_F32 ? strtof(digits, NULL) : 0;
    push_bytes(l, l->dtype == DT_F32 ? (void *)&f : (void *)&d, dtype_size(l->dtype));
    return true;
}

static bool read_integer(Reader *r, Literal *l)
{
    size_t start = r->at;
    i64 x;
    if (!read_i64(r, &x))
        return false;
    if (l->dtype == DT_I32 && (x < INT32_MIN || x > INT32_MAX))
        return read_fail(r, start, "this number does not fit in 32 bits");
    i32 low = (i32)x;
    push_bytes(l, l->dtype == DT_I32 ? (void *)&low : (void *)&x, dtype_size(l->dtype));
    return true;
}

static bool read_bool(Reader *r, Literal *l)
{
    u8 yes = read_accept_word(r, "true");
    if (!yes && !read_accept_word(r, "false"))
        return read_fail(r, r->at, "true or false is missing");
    push_bytes(l, &yes, 1);
    return true;
}

static bool read_rng(Reader *r, Literal *l)
{
    _Static_assert(sizeof(RngState) == 6 * sizeof(u32), "a generator's state is six words");
    for (int i = 0; i < 6; i++) {
        size_t start = r->at;
        i64 x;
        if (!read_expect(r, i ? ',' : '(', "in the state of a generator") || !read_i64(r, &x))
            return false;
        if (x < 0 || x > UINT32_MAX)
            return read_fail(r, start, "this number does not fit in 32 bits");
        u32 word = (u32)x;
        push_bytes(l, &word, sizeof word);
    }
    return read_expect(r, ')', "after six numbers");
}

/* What a literal without a dtype says it is. */
static DType guess_dtype(Reader *r)
{
    const char *word;
    bool real = false;
    size_t n = read_word_length(r, &word);
    if (n)
        return *word == 't' || *word == 'f' ? DT_BOOL : DT_F64;
    bool negative = read_peek(r) == '-';
    if (negative && r->at + 1 < r->src->len && is_letter(r->src->text[r->at + 1]))
        return DT_F64;
    number_length(r, r->at + negative, &real);
    return real ? DT_F64 : DT_I64;
}

static bool read_element(Reader *r, Literal *l, int depth)
{
    if (l->rank >= 0 && l->rank != depth)
        return read_fail(r, r->at, "the brackets do not make a rectangle");
    l->rank = depth;
    l->count++;
    if (l->dtype == DT_COUNT)
        l->dtype = guess_dtype(r);
    switch (l->dtype) {
    case DT_BOOL: return read_bool(r, l);
    case DT_I32:
    case DT_I64: return read_integer(r, l);
    case DT_F32:
    case DT_F64: return read_real(r, l);
    default: return read_rng(r, l);
    }
}

static bool read_nested(Reader *r, Literal *l, int depth)
{
    read_skip(r);
    size_t start = r->at;
    if (!read_accept(r, '['))
        return !r->failed && read_element(r, l, depth);
    if (depth == MAX_RANK)
        return read_fail(r, start, "a constant can have at most %d axes", MAX_RANK);
    i64 n = 0;
    while (!read_accept(r, ']')) {
        if ((n && !read_expect(r, ',', "between two elements")) || !read_nested(r, l, depth + 1))
            return false;
        n++;
    }
    if (l->shape[depth] >= 0 && l->shape[depth] != n)
        return read_fail(r, start,
                         "the brackets do not make a rectangle: %lld elements here, %lld before",
                         (long long)n, (long long)l->shape[depth]);
    l->shape[depth] = n;
    if (n == 0 && l->rank < depth + 1)
        l->rank = depth + 1;
    return true;
}

/* An empty constant has the shape of its type; any other one must agree with it. */
static bool shape_fits(Reader *r, Literal *l, const Type *want, size_t start)
{
    if (!want)
        return true;
    bool fits = want->kind == TYPE_TENSOR && want->dtype == l->dtype, empty = false;
    i64 told[MAX_RANK];
    for (int i = 0; fits && i < want->rank; i++) {
        fits = size_is_const(want->dims[i], &told[i]) && told[i] >= 0;
        empty = empty || (fits && told[i] == 0);
    }
    if (fits && empty && l->count == 0) {
        l->rank = want->rank;
        memcpy(l->shape, told, sizeof told[0] * (size_t)want->rank);
        return true;
    }
    fits = fits && want->rank == l->rank;
    for (int i = 0; fits && i < l->rank; i++)
        fits = told[i] == l->shape[i];
    return fits || read_fail(r, start, "this constant does not have the type before it");
}

static Node *constant_node(Reader *r, Literal *l, size_t start)
{
    Tensor *t = tensor_new(&r->st->heap, l->dtype, l->rank, l->shape);
    if (!t) {
        read_fail(r, start, "no memory for this constant");
        return NULL;
    }
    if (l->bytes.len)
        memcpy(t->data, l->bytes.at, l->bytes.len);
    Node *n = node_const(r->st, t);
    tensor_unref(t);
    return n;
}

Node *read_constant(Reader *r, Type *want)
{
    const char *word;
    Literal l = {.dtype = want && want->kind == TYPE_TENSOR ? want->dtype : DT_COUNT, .rank = -1};
    for (int i = 0; i < MAX_RANK; i++)
        l.shape[i] = -1;
    size_t n = read_word_length(r, &word), start = r->at;
    DType d = read_dtype_of(word, n);
    bool wrapped = d != DT_COUNT;
    if (wrapped) {
        r->at += n;
        l.dtype = d;
        read_expect(r, '(', "after the dtype of a constant");
    }
    bool ok = !r->failed && read_nested(r, &l, 0) &&
              (!wrapped || read_expect(r, ')', "after a constant"));
    l.dtype = l.dtype == DT_COUNT ? DT_F64 : l.dtype;
    Node *c = ok && shape_fits(r, &l, want, start) ? constant_node(r, &l, start) : NULL;
    vec_free(&l.bytes);
    return c;
}
