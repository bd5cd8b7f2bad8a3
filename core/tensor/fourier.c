/* What rows of one length have in common: factors and roots of unity.
 *
 * Invariant: the roots are rounded once, from sinpi and cospi, which are exact where the result is.
 */
#include "tensor/fourier.h"
#include "tensor/kernels_math.h"

enum {
    LARGEST_FACTOR = 61,  /* a larger prime takes longer than a convolution */
    LONGEST_ROW = 1 << 14 /* a longer one does not stay in the cache from pass to pass */
};

/* The elements of both tables, from their angles in units of pi. */
static void set_root(Fourier *f, i64 at, double angle)
{
    double c = math_cospi(angle), s = -math_sinpi(angle);
    if (f->dtype == DT_F64)
        ((double *)f->cos)[at] = c, ((double *)f->sin)[at] = s;
    else
        ((float *)f->cos)[at] = (float)c, ((float *)f->sin)[at] = (float)s;
}

static void new_tables(Fourier *f, i64 n)
{
    f->cos = xcalloc((size_t)n, dtype_size(f->dtype));
    f->sin = xcalloc((size_t)n, dtype_size(f->dtype));
}

static Fourier *begin(DType d, i64 n)
{
    Fourier *f = xcalloc(1, sizeof *f);
    f->dtype = d;
    f->n = n;
    return f;
}

/* Fours, then primes; what is left is above 1 if some prime is too large. 1 has itself as a factor.
 */
static i64 factors_of(i64 n, i64 *factors, int *count)
{
    *count = 0;
    for (; n % 4 == 0; n /= 4)
        factors[(*count)++] = 4;
    for (i64 p = 2; p <= LARGEST_FACTOR; p++)
        for (; n % p == 0; n /= p)
            factors[(*count)++] = p;
    if (!*count)
        factors[(*count)++] = 1;
    return n;
}

/* By passes: the tables have all n roots. */
static Fourier *new_passes(DType d, i64 n)
{
    Fourier *f = begin(d, n);
    factors_of(n, f->factors, &f->nfactors);
    new_tables(f, n);
    for (i64 j = 0; j < n; j++)
        set_root(f, j, 2.0 * (double)j / (double)n);
    return f;
}

/* The largest product of factors, the large ones first, that is at most the square root of n. */
static i64 rows_of_matrix(i64 n)
{
    i64 factors[FOURIER_FACTORS], m = 1;
    int count;
    factors_of(n, factors, &count);
    while (count-- > 0)
        if (m * factors[count] <= n / (m * factors[count]))
            m *= factors[count];
    return m;
}

/* As a matrix: root j is the product of element j % columns and, after these, of j / columns. */
static Fourier *new_matrix(DType d, i64 n)
{
    Fourier *f = begin(d, n);
    i64 n1 = rows_of_matrix(n), n2 = n / n1;
    f->columns = new_passes(d, n1);
    f->rows = new_passes(d, n2);
    new_tables(f, n1 + n2);
    for (i64 j = 0; j < n2; j++)
        set_root(f, j, 2.0 * (double)j / (double)n);
    for (i64 j = 0; j < n1; j++)
        set_root(f, n2 + j, 2.0 * (double)j / (double)n1);
    return f;
}

/* Element `to` of the filter before its transform is the conjugate of root `from`, divided by the
 * length. */
static void set_filter(const Fourier *f, void *re, void *im, i64 to, i64 from)
{
    i64 m = f->longer->n;
    if (f->dtype == DT_F64) {
        ((double *)re)[to] = ((double *)f->cos)[from] / (double)m;
        ((double *)im)[to] = -((double *)f->sin)[from] / (double)m;
    } else {
        ((float *)re)[to] = ((float *)f->cos)[from] / (float)m;
        ((float *)im)[to] = -((float *)f->sin)[from] / (float)m;
    }
}

static bool transform_filter(Fourier *f)
{
    i64 m = f->longer->n;
    size_t size = dtype_size(f->dtype);
    void *re = xcalloc((size_t)m, size), *im = xcalloc((size_t)m, size);
    f->filter_re = xcalloc((size_t)m, size);
    f->filter_im = xcalloc((size_t)m, size);
    for (i64 j = 0; j < f->n; j++) {
        set_filter(f, re, im, j, j);
        set_filter(f, re, im, (m - j) % m, j);
    }
    int status = fourier_rows(f->longer, 1, re, im, f->filter_re, f->filter_im, NULL);
    free(re);
    free(im);
    return status == K_OK;
}

/* By a convolution: the tables have exp(-pi i j^2 / n). */
static Fourier *new_convolution(DType d, i64 n)
{
    Fourier *f = begin(d, n);
    i64 m = 1, square = 0; /* j^2 modulo 2 n */
    while (m < 2 * n - 1)
        m *= 2;
    new_tables(f, n);
    for (i64 j = 0; j < n; j++) {
        set_root(f, j, (double)square / (double)n);
        square = (square + 2 * j + 1) % (2 * n);
    }
    f->longer = fourier_new(d, m);
    if (f->longer && transform_filter(f))
        return f;
    fourier_free(f);
    return NULL;
}

Fourier *fourier_new(DType d, i64 n)
{
    i64 factors[FOURIER_FACTORS];
    int count;
    if (factors_of(n, factors, &count) > 1)
        return new_convolution(d, n);
    return n > LONGEST_ROW ? new_matrix(d, n) : new_passes(d, n);
}

void fourier_free(Fourier *f)
{
    if (!f)
        return;
    fourier_free(f->columns);
    fourier_free(f->rows);
    fourier_free(f->longer);
    free(f->cos);
    free(f->sin);
    free(f->filter_re);
    free(f->filter_im);
    free(f);
}

int fourier_rows(const Fourier *f, i64 rows, const void *x, const void *y, void *re, void *im,
                 const Interrupt *interrupt)
{
    return fourier_kernel(f->dtype)(f, rows, x, y, re, im, interrupt);
}
