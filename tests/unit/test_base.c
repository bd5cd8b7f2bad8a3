/* Tests of core/base: arenas, texts, numbers, maps, hashes, files, diagnostics, JSON, UTF-8.
 *
 * Invariant: every test frees what it allocates, so a leak checker stays silent. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

/* ---- memory ---- */

static void arena_is_zeroed_and_aligned(void **state)
{
    (void)state;
    Arena a = {0};
    for (size_t n = 0; n < 3000; n += 7) {
        unsigned char *p = arena_alloc(&a, n);
        assert_int_equal((uintptr_t)p % 16, 0);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xAB, n);
    }
    unsigned char *huge = arena_alloc(&a, 5u << 20);
    assert_int_equal(huge[(5u << 20) - 1], 0);
    char *s = arena_strndup(&a, "hello", 3);
    assert_string_equal(s, "hel");
    arena_free(&a);
    assert_int_equal(a.total, 0);
    assert_non_null(arena_alloc(&a, 1));
    arena_free(&a);
}

/* Where memory is short, all of these get by with less, and say so. */
static void memory_runs_short(void **state)
{
    (void)state;
    memory_refill();
    assert_false(memory_short());
    assert_null(memory_try(NULL, (size_t)1 << 60));
    assert_true(memory_short());
    assert_null(memory_try(NULL, (size_t)1 << 20)); /* what is left is to end with */
    char *small = memory_try(NULL, 100);
    assert_non_null(small);
    free(small);
    Text text = {0};
    PtrMap map = {0};
    VEC(int) numbers = {0};
    Arena arena = {0};
    for (int i = 0; i < 200000; i++) {
        text_putc(&text, 'x');
        vec_push(&numbers, i);
        int *own = arena_alloc(&arena, sizeof *own);
        *own = i;
        map_put(&map, own, &arena);
        assert_true(map_has(&map, own));
    }
    assert_int_equal(strlen(text_str(&text)), 200000);
    assert_int_equal(numbers.at[199999], 199999);
    assert_int_equal(map.len, 200000);
    assert_true(memory_short());
    text_free(&text);
    vec_free(&numbers);
    map_free(&map);
    arena_free(&arena);
    memory_refill();
    assert_false(memory_short());
}

/* Whatever failed for want of memory, one error tells of it. */
static void one_error_of_memory(void **state)
{
    (void)state;
    Diags ds = {0};
    diag_add(&ds, "syntax", (Span){0}, NULL, "before");
    diag_note(&ds, "stale", (Span){0}, "a note");
    diags_only(&ds, 1, "memory"); /* no error: nothing to say */
    assert_int_equal(ds.list.len, 2);
    diag_add(&ds, "no-value", (Span){0}, NULL, "a consequence");
    diags_only(&ds, 1, "memory");
    assert_int_equal(ds.list.len, 2);
    assert_int_equal(ds.errors, 2);
    assert_string_equal(ds.list.at[1].code, "memory");
    diag_memory(&ds, (Span){0}, "here"); /* it was told already */
    diag_add(&ds, "no-value", (Span){0}, NULL, "a consequence");
    diags_only(&ds, 1, "memory");
    assert_int_equal(ds.errors, 2);
    assert_string_equal(ds.list.at[1].code, "memory");
    diags_free(&ds);
}

static void vec_grows(void **state)
{
    (void)state;
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        vec_push(&v, i * i);
    assert_int_equal(v.len, 1000);
    assert_int_equal(v.at[999], 999 * 999);
    vec_free(&v);
    assert_null(v.at);
}

static void map_keeps_what_was_put(void **state)
{
    (void)state;
    enum { N = 5000 };
    static char cells[N];
    PtrMap m = {0};
    assert_null(map_get(&m, cells));
    for (int i = 0; i < N; i++)
        map_put(&m, &cells[i], &cells[N - 1 - i]);
    map_put(&m, &cells[7], NULL);
    assert_int_equal(m.len, N);
    for (int i = 0; i < N; i++)
        assert_ptr_equal(map_get(&m, &cells[i]), i == 7 ? NULL : &cells[N - 1 - i]);
    assert_true(map_has(&m, &cells[7]));
    assert_false(map_has(&m, &m));
    map_clear(&m);
    assert_false(map_has(&m, &cells[7]));
    assert_int_equal(m.len, 0);
    map_put(&m, &cells[1], &cells[2]);
    assert_ptr_equal(map_get(&m, &cells[1]), &cells[2]);
    map_free(&m);
}

/* What stays is found after each removal, and the entries have no gap. */
static void check_entries(const PtrMap *m, char *const *cells, size_t n, const bool *there)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(map_has(m, cells[i]), there[i]);
        assert_ptr_equal(map_get(m, cells[i]), there[i] ? cells[n - 1 - i] : NULL);
        count += there[i];
    }
    assert_int_equal(m->len, count);
    for (size_t i = 0; i < m->len; i++)
        assert_int_equal(map_key(m, i) != NULL, i < count);
}

/* Few keys and many, near to each other and far apart. */
static void map_loses_what_was_removed(void **state)
{
    (void)state;
    enum { MANY = 6000 };
    static const size_t counts[] = {3, 20, MANY}, apart[] = {1, 16, 176, 5000};
    for (size_t c = 0; c < COUNT_OF(counts); c++)
        for (size_t a = 0; a < COUNT_OF(apart); a++) {
            size_t n = counts[c];
            char *memory = xmalloc(n * apart[a]), **cells = xmalloc(n * sizeof *cells);
            bool *there = xcalloc(n, sizeof *there);
            PtrMap m = {0};
            for (size_t i = 0; i < n; i++)
                cells[i] = memory + i * apart[a];
            for (size_t i = 0; i < n; i++) {
                map_put(&m, cells[i], cells[n - 1 - i]);
                there[i] = true;
                assert_ptr_equal(map_key(&m, i), cells[i]); /* in the order in which they came */
            }
            check_entries(&m, cells, n, there);
            for (size_t i = 0; i < n; i += 3) {
                map_remove(&m, cells[i]);
                map_remove(&m, cells[i]);
                there[i] = false;
                if (n < MANY)
                    check_entries(&m, cells, n, there);
            }
            check_entries(&m, cells, n, there);
            map_free(&m);
            free(there);
            free(cells);
            free(memory);
        }
}

static void hashes_are_fixed(void **state)
{
    (void)state;
    assert_true(hash_bytes("", 0, 0) == 0x2D06800538D394C2u); /* XXH3, so the same everywhere */
    assert_true(hash_bytes("abc", 3, 0) != hash_bytes("abc", 3, 1));
    assert_true(hash_bytes("abc", 3, 0) != hash_bytes("abd", 3, 0));
    assert_true(hash_mix(1, 2) != hash_mix(2, 1));
    assert_true(hash_mix(1, 2) == hash_mix(1, 2));
}

static void distances(void **state)
{
    (void)state;
    assert_int_equal(edit_distance("", "", 3), 0);
    assert_int_equal(edit_distance("abc", "abc", 3), 0);
    assert_int_equal(edit_distance("abc", "acb", 3), 1);
    assert_int_equal(edit_distance("kitten", "sitting", 5), 3);
    assert_int_equal(edit_distance("kitten", "sitting", 2), 3);
    assert_int_equal(edit_distance("a", "abcdefgh", 2), 3);
    assert_int_equal(edit_distance("abcdef", "uvwxyz", 2), 3);
}

static void suggestions(void **state)
{
    (void)state;
    static const char *const names[] = {"sigmoid", "sum", "softmax", NULL, "x"};
    assert_string_equal(closest_name("sigmiod", names, COUNT_OF(names)), "sigmoid");
    assert_string_equal(closest_name("SUM", names, COUNT_OF(names)), "sum");
    assert_string_equal(closest_name("softmx", names, COUNT_OF(names)), "softmax");
    assert_null(closest_name("y", names, COUNT_OF(names)));
    assert_null(closest_name("banana", names, COUNT_OF(names)));
}

/* ---- texts and numbers ---- */

static void texts_grow(void **state)
{
    (void)state;
    Text t = {0};
    assert_string_equal(text_str(&t), "");
    for (int i = 0; i < 200; i++)
        text_printf(&t, "%d,", i);
    text_put(&t, "end");
    text_putc(&t, '!');
    assert_int_equal(t.len, strlen(text_str(&t)));
    assert_non_null(strstr(text_str(&t), "198,199,end!"));
    char *s = text_take(&t);
    assert_int_equal(t.len, 0);
    free(s);
    text_putn(&t, "a\0b", 3);
    assert_int_equal(t.len, 3);
    text_free(&t);
    text_free(&t);
}

static void assert_double_text(double x, const char *wanted)
{
    Text t = {0};
    text_double(&t, x);
    assert_string_equal(text_str(&t), wanted);
    text_free(&t);
}

static void doubles(void **state)
{
    (void)state;
    assert_double_text(0.0, "0.0");
    assert_double_text(-0.0, "-0.0");
    assert_double_text(1.0, "1.0");
    assert_double_text(0.1, "0.1");
    assert_double_text(0.1 + 0.2, "0.30000000000000004");
    assert_double_text(1e300, "1e+300");
    assert_double_text(5e-324, "4.94065645841247e-324");
    assert_double_text(123456789012345680.0, "1.2345678901234568e+17");
    assert_double_text((double)NAN, "nan");
    assert_double_text(-(double)NAN, "nan");
    assert_double_text((double)INFINITY, "inf");
    assert_double_text(-(double)INFINITY, "-inf");
}

static void doubles_read_back(void **state)
{
    (void)state;
    u64 bits = 1;
    for (int i = 0; i < 20000; i++) {
        bits = hash_mix(bits, (u64)i);
        double x, y;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        Text t = {0};
        text_double(&t, x);
        y = strtod(text_str(&t), NULL);
        assert_memory_equal(&x, &y, sizeof x);
        assert_non_null(strpbrk(text_str(&t), ".e"));
        text_free(&t);
    }
}

/* Numbers of few digits are put together by hand, as printf writes them. */
static void short_doubles(void **state)
{
    (void)state;
    for (int i = 0; i < 40000; i++) {
        static const double units[] = {1, 10, 1e3, 1e4, 1e5, 1e-3, 7};
        double x = (i % 3 ? 1 : -1) * (double)(hash_mix((u64)i, 7) % 1000000) / units[i % 7];
        char want[40];
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(want, sizeof want, "%.*g", digits, x);
            if (strtod(want, NULL) == x)
                break;
        }
        strcat(want, strpbrk(want, ".e") ? "" : ".0");
        assert_double_text(x, want);
    }
}

static void floats(void **state)
{
    (void)state;
    Text t = {0};
    text_float(&t, 0.1f);
    text_putc(&t, ' ');
    text_float(&t, 16777216.0f);
    text_putc(&t, ' ');
    text_float(&t, 3.0f);
    text_putc(&t, ' ');
    text_float(&t, -INFINITY);
    assert_string_equal(text_str(&t), "0.1 16777216.0 3.0 -inf");
    text_free(&t);
}

/* ---- files ---- */

static void files(void **state)
{
    (void)state;
    char path[] = "/tmp/gradus_test_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    size_t n = 99;
    char *s = read_file(path, &n, NULL);
    assert_non_null(s);
    assert_int_equal(n, 0);
    assert_string_equal(s, "");
    free(s);
    assert_int_equal(write(fd, "a\0b\n", 4), 4);
    close(fd);
    s = read_file(path, &n, NULL);
    assert_int_equal(n, 4);
    assert_memory_equal(s, "a\0b\n", 5);
    free(s);
    unlink(path);
    assert_null(read_file(path, &n, NULL));
    assert_int_equal(errno, ENOENT);
    assert_null(read_file("/tmp", &n, NULL));
    assert_int_equal(errno, EISDIR);
}

static void streams_without_end(void **state)
{
    (void)state;
    size_t n = 0;
    Interrupt pressed = 1;
    assert_null(read_file("/dev/zero", &n, &(ReadLimits){.most = 100000}));
    assert_int_equal(errno, EFBIG);
    assert_null(read_file("/dev/zero", &n, &(ReadLimits){.interrupt = &pressed}));
    assert_int_equal(errno, EINTR);
    char *s = read_file("/dev/zero", &n, &(ReadLimits){.text = true});
    assert_non_null(s);
    assert_true(n > 0);
    free(s);
}

/* ---- UTF-8 ---- */

static void utf8_is_strict(void **state)
{
    (void)state;
    static const struct {
        const char *s;
        int len;
        u32 cp;
    } cases[] = {
        {"a", 1, 'a'},
        {"\xC3\xA9", 2, 0xE9},
        {"\xE2\x82\xAC", 3, 0x20AC},
        {"\xF0\x9F\x98\x80", 4, 0x1F600},
        {"\x80", 0, 0},
        {"\xC0\x80", 0, 0},
        {"\xC3", 0, 0},
        {"\xC3(", 0, 0},
        {"\xE0\x80\x80", 0, 0},
        {"\xED\xA0\x80", 0, 0},
        {"\xF4\x90\x80\x80", 0, 0},
        {"\xFF", 0, 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        u32 cp = 0;
        assert_int_equal(utf8_decode(cases[i].s, strlen(cases[i].s), &cp), cases[i].len);
        assert_int_equal(cp, cases[i].cp);
    }
    assert_int_equal(utf8_width('a'), 1);
    assert_int_equal(utf8_width(0x4E2D), 2);
    assert_int_equal(utf8_width(0x301), 0);
}

/* ---- diagnostics ---- */

static void assert_rendered(const char *text, size_t len, u32 start, u32 end, const char *wanted)
{
    char *copy = xmalloc(len + 1); /* exact, so that reading beyond it is noticed */
    memcpy(copy, text, len);
    copy[len] = '\0';
    Source src = {.name = (char *)"t.gr", .text = copy, .len = len};
    Diags ds = {0};
    diag_add(&ds, "syntax", (Span){&src, start, end}, NULL, "bad");
    Text t = {0};
    diag_render(&t, &ds.list.at[0], false);
    assert_string_equal(text_str(&t), wanted);
    text_free(&t);
    diags_free(&ds);
    free(copy);
}

static void rendering(void **state)
{
    (void)state;
    assert_rendered("a\nbcd ef\n", 9, 6, 8, "t.gr:2:5: error: bad\n    bcd ef\n        ^^\n");
    assert_rendered("ab", 2, 2, 2, "t.gr:1:3: error: bad\n    ab\n      ^\n");
    assert_rendered("", 0, 0, 0, "t.gr:1:1: error: bad\n    \n    ^\n");
    assert_rendered("\tx\ty", 4, 3, 4, "t.gr:1:4: error: bad\n        x   y\n            ^\n");
    assert_rendered("\xC3\xA9 \xE4\xB8\xAD x", 8, 7, 8,
                    "t.gr:1:5: error: bad\n    \xC3\xA9 \xE4\xB8\xAD x\n         ^\n");
    assert_rendered("a\x1b[31m\xFF z", 9, 8, 9,
                    "t.gr:1:9: error: bad\n    a\\x1b[31m\xEF\xBF\xBD z\n               ^\n");
    assert_rendered("a\0b", 3, 2, 3, "t.gr:1:3: error: bad\n    a\\x00b\n         ^\n");
    assert_rendered("ab\r\ncd", 6, 1, 6, "t.gr:1:2: error: bad\n    ab\n     ^\n");
}

/* Characters of a line. */
static size_t columns(const char *line, size_t n)
{
    size_t c = 0;
    for (size_t i = 0; i < n; i++)
        c += ((unsigned char)line[i] & 0xC0) != 0x80;
    return c;
}

static void long_lines_are_clipped(void **state)
{
    (void)state;
    enum { N = 1000000 };
    char *line = xmalloc(N + 1);
    memset(line, 'x', N);
    line[N] = '\0';
    for (u32 at = 0; at < N; at += at < 5000 ? 37 : 99991) {
        line[at] = '@';
        Source src = {.name = (char *)"t", .text = line, .len = N};
        Diags ds = {0};
        diag_add(&ds, "syntax", (Span){&src, at, at + 1}, NULL, "bad");
        Text t = {0};
        diag_render(&t, &ds.list.at[0], false);
        const char *shown = strchr(text_str(&t), '\n') + 1, *carets = strchr(shown, '\n') + 1;
        assert_true(columns(shown, (size_t)(carets - shown)) <= 110);
        const char *mark = strchr(shown, '@');
        assert_non_null(mark);
        assert_int_equal(columns(shown, (size_t)(mark - shown)), strcspn(carets, "^"));
        text_free(&t);
        diags_free(&ds);
        line[at] = 'x';
    }
    free(line);
}

static void messages_and_hints_are_safe(void **state)
{
    (void)state;
    Diags ds = {0};
    diag_add(&ds, "x", (Span){0}, "do \x07 this", "evil \x1b[2J \xFF");
    diag_note(&ds, "x", (Span){0}, "just %d", 5);
    assert_int_equal(ds.errors, 1);
    assert_int_equal(ds.list.len, 2);
    Text t = {0};
    diag_render(&t, &ds.list.at[0], false);
    diag_render(&t, &ds.list.at[1], false);
    assert_string_equal(text_str(&t),
                        "error: evil \\x1b[2J \xEF\xBF\xBD\n  hint: do \\x07 this\nnote: just 5\n");
    t.len = 0;
    diag_render(&t, &ds.list.at[1], true);
    assert_non_null(strstr(text_str(&t), "\033["));
    text_free(&t);
    diags_clear(&ds);
    assert_int_equal(ds.errors, 0);
    diags_free(&ds);
}

static void diags_as_json(void **state)
{
    (void)state;
    Source src = {.name = (char *)"a\"b.gr", .text = (char *)"x\nyy zz", .len = 7};
    Diags ds = {0};
    diag_add(&ds, "shape-mismatch", (Span){&src, 5, 7}, "try", "no \"%s\"", "fit");
    diag_add(&ds, "other", (Span){0}, NULL, "m");
    Text t = {0};
    diag_json(&t, &ds.list.at[0]);
    assert_string_equal(
        text_str(&t),
        "{\"kind\":\"error\",\"code\":\"shape-mismatch\",\"message\":\"no \\\"fit\\\"\","
        "\"file\":\"a\\\"b.gr\",\"line\":2,\"column\":4,\"length\":2,\"hint\":\"try\"}");
    t.len = 0;
    diag_json(&t, &ds.list.at[1]);
    assert_string_equal(text_str(&t),
                        "{\"kind\":\"error\",\"code\":\"other\",\"message\":\"m\",\"file\":null,"
                        "\"line\":null,\"column\":null,\"length\":null,\"hint\":null}");
    text_free(&t);
    diags_free(&ds);
}

static void spans_join(void **state)
{
    (void)state;
    Source src = {.name = (char *)"t", .text = (char *)"abcdef", .len = 6};
    Span s = span_join((Span){&src, 1, 2}, (Span){&src, 4, 5});
    assert_int_equal(s.start, 1);
    assert_int_equal(s.end, 5);
    s = span_join((Span){0}, (Span){&src, 4, 5});
    assert_int_equal(s.start, 4);
    s = span_join((Span){&src, 1, 2}, (Span){0});
    assert_int_equal(s.end, 2);
}

/* ---- JSON ---- */

static void json_commas_and_escapes(void **state)
{
    (void)state;
    Text t = {0};
    Json j = {.out = &t};
    json_begin(&j, '{');
    json_key(&j, "a");
    json_begin(&j, '[');
    json_int(&j, INT64_MIN);
    json_double(&j, 0.5);
    json_double(&j, (double)NAN);
    json_double(&j, -(double)INFINITY);
    json_begin(&j, '[');
    json_end(&j, ']');
    json_bool(&j, true);
    json_end(&j, ']');
    json_key(&j, "k\"");
    json_string(&j, "q\"\\\n\t\r\x01\x7F\xC3\xA9\xFF.");
    json_key(&j, "n");
    json_string(&j, NULL);
    json_key(&j, "r");
    json_raw(&j, "{}");
    json_end(&j, '}');
    assert_string_equal(text_str(&t),
                        "{\"a\":[-9223372036854775808,0.5,\"nan\",\"-inf\",[],true],"
                        "\"k\\\"\":\"q\\\"\\\\\\n\\t\\r\\u0001\\u007f\xC3\xA9\xEF\xBF\xBD.\","
                        "\"n\":null,\"r\":{}}");
    text_free(&t);
}

/* Values come back as what they were put as; a set tells what is new; {0} is empty. */
static void maps_are_typed(void **state)
{
    (void)state;
    MAP(const char *, int) numbers = {0};
    SET(u64) hashes = {0};
    const char *key = "a", *other = "b";
    assert_int_equal(map_get(&numbers, key), 0);
    map_put(&numbers, key, -7);
    map_put(&numbers, other, map_get(&numbers, key) + 1);
    assert_int_equal(map_get(&numbers, key), -7);
    assert_int_equal(map_val(&numbers, 1), -6);
    assert_ptr_equal(map_key(&numbers, 1), other);
    assert_true(set_add(&hashes, UINT64_MAX));
    assert_true(set_add(&hashes, 1));
    assert_false(set_add(&hashes, UINT64_MAX));
    assert_int_equal(hashes.len, 2);
    map_free(&numbers);
    map_free(&hashes);
    assert_int_equal(numbers.len, 0);
}

static bool is_even(const void *key) { return *(const int *)key % 2 == 0; }

static void maps_keep_what_is_asked_for(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    int keys[COUNT];
    MAP(int *, char *) texts = {0};
    for (int i = 0; i < COUNT; i++) {
        keys[i] = i;
        map_put(&texts, &keys[i], xstrdup("text"));
    }
    map_keep(&texts, is_even, free);
    assert_int_equal(texts.len, COUNT / 2);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(map_has(&texts, &keys[i]), i % 2 == 0);
    for (size_t i = 0; i < texts.len; i++)
        free(map_val(&texts, i));
    map_free(&texts);
}

/* What a trial finds is forgotten at its end, also one inside another; what was there stays. */
static void trials_are_forgotten(void **state)
{
    (void)state;
    Diags mine = {0}, *where = &mine;
    DiagTry outer, inner;
    diag_add(where, "first", (Span){0}, NULL, "mine");
    diag_try_begin(&outer, &where);
    diag_add(where, "second", (Span){0}, NULL, "tried");
    diag_try_begin(&inner, &where);
    diag_add(where, "third", (Span){0}, NULL, "tried inside");
    assert_int_equal(inner.found.errors, 1);
    diag_try_end(&inner);
    assert_int_equal(outer.found.errors, 1);
    assert_string_equal(where->list.at[0].message, "tried");
    diag_try_end(&outer);
    assert_ptr_equal(where, &mine);
    assert_int_equal(mine.list.len, 1);
    assert_string_equal(mine.list.at[0].message, "mine");
    diags_free(&mine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_is_zeroed_and_aligned),
        cmocka_unit_test(maps_are_typed),
        cmocka_unit_test(trials_are_forgotten),
        cmocka_unit_test(maps_keep_what_is_asked_for),
        cmocka_unit_test(memory_runs_short),
        cmocka_unit_test(one_error_of_memory),
        cmocka_unit_test(vec_grows),
        cmocka_unit_test(map_keeps_what_was_put),
        cmocka_unit_test(map_loses_what_was_removed),
        cmocka_unit_test(hashes_are_fixed),
        cmocka_unit_test(distances),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(texts_grow),
        cmocka_unit_test(doubles),
        cmocka_unit_test(doubles_read_back),
        cmocka_unit_test(short_doubles),
        cmocka_unit_test(floats),
        cmocka_unit_test(files),
        cmocka_unit_test(streams_without_end),
        cmocka_unit_test(utf8_is_strict),
        cmocka_unit_test(rendering),
        cmocka_unit_test(long_lines_are_clipped),
        cmocka_unit_test(messages_and_hints_are_safe),
        cmocka_unit_test(diags_as_json),
        cmocka_unit_test(spans_join),
        cmocka_unit_test(json_commas_and_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
