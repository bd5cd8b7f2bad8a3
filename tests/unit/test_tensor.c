/* Tensors: the heap, references and views, casts, printing, .npy files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "tensor/npy.h"
#include "tensor/tensor.h"

/* ---- helpers ---- */

static Tensor *make_f64(Heap *h, int rank, const i64 *shape, const double *x)
{
    Tensor *t = tensor_new(h, DT_F64, rank, shape);
    memcpy(t->data, x, (size_t)t->count * sizeof *x);
    return t;
}

static Tensor *vector(Heap *h, i64 n, const double *x) { return make_f64(h, 1, &n, x); }

/* Prints t, compares, and gives the tensor back. */
static void prints(Tensor *t, i64 threshold, const char *expected)
{
    Text out = {0};
    tensor_print(&out, t, threshold, 0);
    assert_string_equal(text_str(&out), expected);
    text_free(&out);
    tensor_unref(t);
}

static void writes(void (*put)(Text *, const Tensor *), Tensor *t, const char *expected)
{
    Text out = {0};
    put(&out, t);
    assert_string_equal(text_str(&out), expected);
    text_free(&out);
    tensor_unref(t);
}

/* ---- heap and references ---- */

static void test_heap_counts(void **state)
{
    (void)state;
    Heap h = {0};
    i64 n = 1000;
    Tensor *a = tensor_new(&h, DT_F64, 1, &n), *b = tensor_new(&h, DT_I32, 1, &n);
    assert_int_equal(h.live, 12000);
    tensor_unref(a);
    assert_int_equal(h.live, 4000);
    assert_int_equal(h.peak, 12000);
    tensor_unref(b);
    assert_int_equal(h.live, 0);
    heap_free(&h);
}

static void test_heap_recycles_and_aligns(void **state)
{
    (void)state;
    Heap h = {0};
    for (i64 n = 0; n < 300; n += 7) {
        Tensor *a = tensor_new(&h, DT_F64, 1, &n);
        assert_int_equal((uintptr_t)a->data % 64, 0);
        memset(a->data, 1, (size_t)n * 8);
        void *block = a;
        tensor_unref(a);
        Tensor *b = tensor_new(&h, DT_F64, 1, &n);
        assert_ptr_equal(block, b);
        tensor_unref(b);
    }
    heap_free(&h);
    for (size_t i = 0; i < COUNT_OF(h.bins); i++)
        assert_null(h.bins[i]);
}

static void test_heap_limit_and_overflow(void **state)
{
    (void)state;
    Heap h = {.limit = 1000};
    const i64 fits[] = {100}, beyond[] = {126}, negative[] = {3, -1};
    const i64 huge[] = {INT64_MAX, INT64_MAX, 0}, wraps[] = {INT64_C(1) << 61, 8};
    Tensor *a = tensor_new(&h, DT_F64, 1, fits);
    assert_non_null(a);
    assert_null(tensor_new(&h, DT_F64, 1, fits));
    tensor_unref(a);
    assert_null(tensor_new(&h, DT_F64, 1, beyond));
    h.limit = 0;
    assert_null(tensor_new(&h, DT_F64, 2, negative));
    assert_null(tensor_new(&h, DT_F64, 2, wraps));
    assert_null(tensor_new(&h, DT_BOOL, 1, wraps)); /* 2^61 bytes: no such memory */
    Tensor *empty = tensor_new(&h, DT_F64, 3, huge);
    assert_int_equal(empty->count, 0);
    tensor_unref(empty);
    heap_free(&h);
}

static void test_views(void **state)
{
    (void)state;
    Heap h = {0};
    const double x[] = {1, 2, 3, 4, 5, 6};
    const i64 shape[] = {3, 2}, row[] = {2}, one[] = {1};
    Tensor *t = make_f64(&h, 2, shape, x);
    assert_true(tensor_writable(t));
    Tensor *v = tensor_view(t, 2, 1, row);
    assert_false(tensor_writable(t));
    assert_false(tensor_writable(v));
    Tensor *w = tensor_view(v, 1, 1, one);
    assert_ptr_equal(w->base, t);
    assert_true(tensor_f64_at(w, 0) == 4);
    tensor_unref(v);
    tensor_unref(t);
    assert_true(tensor_writable(w)); /* the last one that sees this memory */
    assert_int_equal(h.live, sizeof x);
    tensor_unref(w);
    assert_int_equal(h.live, 0);
    heap_free(&h);
}

/* ---- casts and comparison ---- */

static void test_casts(void **state)
{
    (void)state;
    Heap h = {0};
    const double x[] = {1.9, -1.9, 1e300, -1e300, NAN, 3e9, -0.0, 0.5};
    const i64 want64[] = {1, -1, INT64_MAX, INT64_MIN, 0, 3000000000, 0, 0};
    const i64 want32[] = {1, -1, INT32_MAX, INT32_MIN, 0, INT32_MAX, 0, 0};
    const i64 wantb[] = {1, 1, 1, 1, 1, 1, 0, 1};
    Tensor *t = vector(&h, 8, x), *single = tensor_cast(&h, t, DT_F32);
    Tensor *a = tensor_cast(&h, t, DT_I64), *b = tensor_cast(&h, t, DT_I32),
           *c = tensor_cast(&h, t, DT_BOOL);
    Tensor *d = tensor_cast(&h, single, DT_I32), *wrapped = tensor_cast(&h, a, DT_I32);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(tensor_i64_at(a, i), want64[i]);
        assert_int_equal(tensor_i64_at(b, i), want32[i]);
        assert_int_equal(tensor_i64_at(c, i), wantb[i]);
        assert_int_equal(tensor_i64_at(d, i), want32[i]);
        assert_int_equal(tensor_i64_at(wrapped, i), (i32)(u32)(u64)want64[i]);
    }
    Tensor *all[] = {t, single, a, b, c, d, wrapped};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        tensor_unref(all[i]);
    heap_free(&h);
}

static void test_same_bits_and_hash(void **state)
{
    (void)state;
    Heap h = {0};
    Tensor *a = tensor_scalar_f64(&h, 0.0), *b = tensor_scalar_f64(&h, -0.0),
           *c = tensor_copy(&h, a);
    Tensor *i = tensor_scalar_i64(&h, 0);
    assert_true(tensor_same_bits(a, c));
    assert_true(tensor_hash(a) == tensor_hash(c));
    assert_false(tensor_same_bits(a, b));
    assert_false(tensor_same_bits(a, i));
    assert_true(tensor_hash(a) != tensor_hash(i));
    tensor_unref(a), tensor_unref(b), tensor_unref(c), tensor_unref(i);
    heap_free(&h);
}

/* ---- printing ---- */

static void test_print_scalars(void **state)
{
    (void)state;
    Heap h = {0};
    prints(tensor_scalar_f64(&h, 6), 0, "6.0");
    prints(tensor_scalar_f64(&h, 0.1), 0, "0.1");
    prints(tensor_scalar_f64(&h, NAN), 0, "nan");
    prints(tensor_scalar_f64(&h, -(double)INFINITY), 0, "-inf");
    prints(tensor_scalar_i64(&h, -42), 0, "-42");
    prints(tensor_scalar_bool(&h, true), 0, "true");
    Tensor *x = tensor_scalar_f64(&h, 0.1);
    prints(tensor_cast(&h, x, DT_F32), 0, "0.1");
    tensor_unref(x);
    heap_free(&h);
}

static void test_print_vectors(void **state)
{
    (void)state;
    Heap h = {0};
    const double small[] = {0, 1, 4}, mixed[] = {1.5, -10, 0.25}, wide[] = {1, 1e-5},
                 big[] = {1e8, 2.5}, special[] = {NAN, INFINITY, -0.0}, tiny[] = {5e-324, 1e100};
    prints(vector(&h, 3, small), 0, "[0.0, 1.0, 4.0]");
    prints(vector(&h, 3, mixed), 0, "[1.5, -10.0, 0.25]");
    prints(vector(&h, 2, wide), 0, "[1.0e+00, 1.0e-05]");
    prints(vector(&h, 2, big), 0, "[1.0e+08, 2.5e+00]");
    prints(vector(&h, 3, special), 0, "[nan, inf, -0.0]");
    prints(vector(&h, 2, tiny), 0, "[5.0e-324, 1.0e+100]");
    prints(vector(&h, 0, small), 0, "[]");
    const i64 none[] = {2, 0, 3};
    prints(tensor_new(&h, DT_I64, 3, none), 0, "[]");
    heap_free(&h);
}

static void test_print_matrices(void **state)
{
    (void)state;
    Heap h = {0};
    const double x[] = {1, 2, 3, 4}, y[] = {1, 2.25, -13.5, 4};
    const i64 shape[] = {2, 2}, cube[] = {2, 1, 2};
    prints(make_f64(&h, 2, shape, x), 0, "[[1.0, 2.0],\n [3.0, 4.0]]");
    prints(make_f64(&h, 2, shape, y), 0, "[[  1.0,    2.25],\n [-13.5,    4.0]]");
    prints(make_f64(&h, 3, cube, x), 0, "[[[1.0, 2.0]],\n\n [[3.0, 4.0]]]");
    Tensor *t = make_f64(&h, 2, shape, y);
    prints(tensor_cast(&h, t, DT_I32), 0, "[[  1,   2],\n [-13,   4]]");
    tensor_unref(t);
    const double b[] = {1, 0, 0, 1};
    t = make_f64(&h, 2, shape, b);
    prints(tensor_cast(&h, t, DT_BOOL), 0, "[[ true, false],\n [false,  true]]");
    tensor_unref(t);
    heap_free(&h);
}

static void test_print_summary_and_wrap(void **state)
{
    (void)state;
    Heap h = {0};
    double x[100];
    for (int i = 0; i < 100; i++)
        x[i] = i;
    const i64 shape[] = {10, 10};
    prints(vector(&h, 100, x), 50, "[0.0, 1.0, 2.0, ..., 97.0, 98.0, 99.0]");
    prints(make_f64(&h, 2, shape, x), 50,
           "[[ 0.0,  1.0,  2.0, ...,  7.0,  8.0,  9.0],\n"
           " [10.0, 11.0, 12.0, ..., 17.0, 18.0, 19.0],\n"
           " [20.0, 21.0, 22.0, ..., 27.0, 28.0, 29.0],\n"
           " ...,\n"
           " [70.0, 71.0, 72.0, ..., 77.0, 78.0, 79.0],\n"
           " [80.0, 81.0, 82.0, ..., 87.0, 88.0, 89.0],\n"
           " [90.0, 91.0, 92.0, ..., 97.0, 98.0, 99.0]]");
    prints(vector(&h, 16, x), 0,
           "[ 0.0,  1.0,  2.0,  3.0,  4.0,  5.0,  6.0,  7.0,  8.0,  9.0, 10.0, 11.0,\n"
           " 12.0, 13.0, 14.0, 15.0]");
    heap_free(&h);
}

static void test_json_and_literal(void **state)
{
    (void)state;
    Heap h = {0};
    const double x[] = {1, NAN, -(double)INFINITY, 0.1};
    const i64 shape[] = {2, 2}, none[] = {0, 3}, empty[] = {0};
    writes(tensor_json, make_f64(&h, 2, shape, x), "[[1.0, \"nan\"], [\"-inf\", 0.1]]");
    writes(tensor_literal, make_f64(&h, 2, shape, x), "[[1.0, nan], [-inf, 0.1]]");
    writes(tensor_literal, tensor_scalar_bool(&h, true), "true");
    writes(tensor_literal, tensor_scalar_i64(&h, INT64_MIN), "-9223372036854775807 - 1");
    writes(tensor_literal, tensor_new(&h, DT_F32, 2, none), "zeros((0, 3), dtype=f32)");
    writes(tensor_literal, tensor_new(&h, DT_I64, 1, empty), "zeros((0,), dtype=i64)");
    writes(tensor_json, tensor_new(&h, DT_I64, 2, none), "[]");
    Tensor *t = tensor_scalar_f64(&h, 0.1);
    writes(tensor_literal, tensor_cast(&h, t, DT_F32), "f32(0.1)");
    tensor_unref(t);
    t = tensor_new(&h, DT_RNG, 0, NULL);
    *(RngState *)t->data = (RngState){{7, 0}, {0, 0, 0, 0}};
    writes(tensor_literal, tensor_ref(t), "rng(7)");
    writes(tensor_json, t, "[7, 0, 0, 0, 0, 0]");
    heap_free(&h);
}

/* ---- .npy ---- */

/* A file of the given version with this dict and these data bytes. */
static size_t npy_bytes(char *to, int version, const char *dict, const void *data, size_t len)
{
    size_t n = strlen(dict), at = version == 1 ? 10 : 12;
    memcpy(to, "\x93NUMPY", 6);
    to[6] = (char)version, to[7] = 0;
    for (size_t i = 8; i < at; i++)
        to[i] = (char)(n >> (8 * (i - 8)));
    memcpy(to + at, dict, n);
    memcpy(to + at + n, data, len);
    return at + n + len;
}

static Tensor *parse(Heap *h, int version, const char *dict, const void *data, size_t len)
{
    char bytes[1000], *error = NULL;
    size_t n = npy_bytes(bytes, version, dict, data, len);
    Tensor *t = npy_parse(h, "x.npy", bytes, n, &error);
    assert_true((t == NULL) == (error != NULL));
    free(error);
    return t;
}

static void test_npy_reads(void **state)
{
    (void)state;
    Heap h = {0};
    const u8 data[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
    prints(parse(&h, 1, "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }", data, 12), 0,
           "[[1, 2, 3],\n [4, 5, 6]]");
    prints(parse(&h, 2, "{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3), }", data, 12), 0,
           "[[1, 3, 5],\n [2, 4, 6]]");
    prints(parse(&h, 3, "{\"shape\":(12L,),\"descr\":\"|i1\",\"fortran_order\":False}\n", data, 12),
           0, "[0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]");
    const u8 minus[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    prints(parse(&h, 1, "{'descr': '<i2', 'fortran_order': False, 'shape': (), }", minus, 2), 0,
           "-1");
    prints(parse(&h, 1, "{'descr': '<u4', 'fortran_order': False, 'shape': (), }", minus, 4), 0,
           "4294967295");
    assert_null(parse(&h, 1, "{'descr': '<u8', 'fortran_order': False, 'shape': (), }", minus, 8));
    const double x = 2.5;
    prints(parse(&h, 1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", &x, 8), 0,
           "[2.5]");
    prints(parse(&h, 1,
                 "{'descr': '<f8', 'fortran_order': True, 'shape': (4611686018427387904, 0, 9)}",
                 &x, 0),
           0, "[]");
    assert_int_equal(h.live, 0);
    heap_free(&h);
}

static void test_npy_refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "{",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", /* too short */
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1), }",
        "{'descr': '<f8', 'fortran_order': False, }",
        "{'descr': '<f8', 'descr': '<f8'}",
        "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
    };
    Heap h = {0};
    const double x = 2.5;
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_null(parse(&h, 1, bad[i], &x, 8));
    heap_free(&h);
}

/* Every prefix of a good file, and every single byte of it changed: an answer, never a crash. */
static void test_npy_survives_damage(void **state)
{
    (void)state;
    Heap h = {.limit = 1 << 20};
    char good[200];
    const double x[] = {1, 2};
    size_t n =
        npy_bytes(good, 1, "{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2), }", x, 16);
    for (size_t i = 0; i < n * 257; i++) {
        size_t at = i / 257, len = i % 257 == 256 ? at : n;
        char *bytes = xmalloc(len ? len : 1),
             *error = NULL; /* exact length, so that a sanitizer sees overruns */
        memcpy(bytes, good, len);
        if (at < len)
            bytes[at] = (char)(i % 257);
        tensor_unref(npy_parse(&h, "x", bytes, len, &error));
        free(error);
        free(bytes);
    }
    assert_int_equal(h.live, 0);
    heap_free(&h);
}

static void test_npy_round_trip(void **state)
{
    (void)state;
    Heap h = {0};
    char path[] = "/tmp/gradus_test_XXXXXX", *error = NULL;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    const i64 shape[] = {3, 1, 2};
    for (int rank = 0; rank <= 3; rank++)
        for (DType d = DT_BOOL; d <= DT_F64; d++) {
            Tensor *t = tensor_new(&h, d, rank, shape);
            for (size_t i = 0; i < (size_t)t->count * dtype_size(d); i++)
                ((u8 *)t->data)[i] = (u8)(d == DT_BOOL ? i % 2 : 7 * i + 1);
            assert_true(npy_save(t, path, NULL, &error));
            Tensor *back = npy_load(&h, path, NULL, &error);
            assert_non_null(back);
            assert_true(tensor_same_bits(t, back));
            tensor_unref(t);
            tensor_unref(back);
        }
    unlink(path);
    assert_null(npy_load(&h, path, NULL, &error));
    assert_non_null(error);
    free(error);
    Tensor *t = tensor_scalar_i64(&h, 1);
    assert_false(npy_save(t, "/nonexistent/x.npy", NULL, &error));
    free(error);
    tensor_unref(t);
    heap_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heap_counts),
        cmocka_unit_test(test_heap_recycles_and_aligns),
        cmocka_unit_test(test_heap_limit_and_overflow),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_casts),
        cmocka_unit_test(test_same_bits_and_hash),
        cmocka_unit_test(test_print_scalars),
        cmocka_unit_test(test_print_vectors),
        cmocka_unit_test(test_print_matrices),
        cmocka_unit_test(test_print_summary_and_wrap),
        cmocka_unit_test(test_json_and_literal),
        cmocka_unit_test(test_npy_reads),
        cmocka_unit_test(test_npy_refuses),
        cmocka_unit_test(test_npy_survives_damage),
        cmocka_unit_test(test_npy_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
