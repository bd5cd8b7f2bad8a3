/* Fourier transforms of rows by one instruction set, for one dtype. Included by kernels_isa.h (see
 * there), with T        float or double      FT(name)  the name with the suffixes of both
 *
 * Invariant: every inner loop does the same to all its elements, so that vectors of any width give
 * the same bits. */

/* Both parts of complex numbers. */
typedef struct {
    T *re, *im;
} FT(Pair);
typedef struct {
    const T *re, *im;
} FT(Source);

static FT(Source) FT(from)(FT(Pair) p) { return (FT(Source)){p.re, p.im}; }
static FT(Source) FT(after)(FT(Source) p, i64 n) { return (FT(Source)){p.re + n, p.im + n}; }
static FT(Pair) FT(beyond)(FT(Pair) p, i64 n) { return (FT(Pair)){p.re + n, p.im + n}; }

ISA_FN static FourierRows FT(rows);

/* Root j of the table: exp(-2 pi i j / n). */
#define ROOT(j) const T c##j = cs[at * j % n], s##j = sn[at * j % n]

/* y[k len + ..] = root(at k) times output k of the transform of x[j gap + ..], two or four of them.
 */
ISA_FN static void FT(pass2)(const Fourier *f, i64 at, i64 len, i64 gap, FT(Source) x, FT(Pair) y)
{
    const T *cs = f->cos, *sn = f->sin;
    const T *restrict ar = x.re, *restrict ai = x.im, *restrict br = x.re + gap,
                      *restrict bi = x.im + gap;
    T *restrict yr = y.re, *restrict yi = y.im, *restrict zr = y.re + len,
                *restrict zi = y.im + len;
    const i64 n = f->n;
    ROOT(1);
    VECTOR_LOOP for (i64 i = 0; i < len; i++)
    {
        T dr = ar[i] - br[i], di = ai[i] - bi[i];
        yr[i] = ar[i] + br[i];
        yi[i] = ai[i] + bi[i];
        zr[i] = dr * c1 - di * s1;
        zi[i] = dr * s1 + di * c1;
    }
}

ISA_FN static void FT(pass4)(const Fourier *f, i64 at, i64 len, i64 gap, FT(Source) x, FT(Pair) y)
{
    const T *cs = f->cos, *sn = f->sin, *restrict xr = x.re, *restrict xi = x.im;
    T *restrict yr = y.re, *restrict yi = y.im;
    const i64 n = f->n;
    ROOT(1);
    ROOT(2);
    ROOT(3);
    VECTOR_LOOP for (i64 i = 0; i < len; i++)
    {
        T ar = xr[i] + xr[i + 2 * gap], ai = xi[i] + xi[i + 2 * gap];
        T br = xr[i] - xr[i + 2 * gap], bi = xi[i] - xi[i + 2 * gap];
        T cr = xr[i + gap] + xr[i + 3 * gap], ci = xi[i + gap] + xi[i + 3 * gap];
        T dr = xr[i + gap] - xr[i + 3 * gap], di = xi[i + gap] - xi[i + 3 * gap];
        T er = br + di, ei = bi - dr, gr = br - di, gi = bi + dr, hr = ar - cr, hi = ai - ci;
        yr[i] = ar + cr;
        yi[i] = ai + ci;
        yr[i + len] = er * c1 - ei * s1;
        yi[i + len] = er * s1 + ei * c1;
        yr[i + 2 * len] = hr * c2 - hi * s2;
        yi[i + 2 * len] = hr * s2 + hi * c2;
        yr[i + 3 * len] = gr * c3 - gi * s3;
        yi[i + 3 * len] = gr * s3 + gi * c3;
    }
}

/* y (+)= root x */
ISA_FN static void FT(gather)(i64 len, T c, T s, FT(Source) x, FT(Pair) y, bool first)
{
    const T *restrict xr = x.re, *restrict xi = x.im;
    T *restrict yr = y.re, *restrict yi = y.im;
    if (first)
        VECTOR_LOOP for (i64 i = 0; i < len; i++)
        {
            yr[i] = xr[i] * c - xi[i] * s;
            yi[i] = xr[i] * s + xi[i] * c;
        }
    else
        VECTOR_LOOP for (i64 i = 0; i < len; i++)
        {
            yr[i] += xr[i] * c - xi[i] * s;
            yi[i] += xr[i] * s + xi[i] * c;
        }
}

/* The same for any number r of them. */
ISA_FN static void FT(pass)(const Fourier *f, i64 r, i64 at, i64 len, i64 gap, FT(Source) x,
                            FT(Pair) y)
{
    const T *cs = f->cos, *sn = f->sin;
    const i64 n = f->n;
    for (i64 k = 0; k < r; k++)
        for (i64 j = 0; j < r; j++) {
            i64 root = (j * k % r * (n / r) + at * k) % n;
            FT(gather)
            (len, cs[root], sn[root], FT(after)(x, j * gap), FT(beyond)(y, k * len), j == 0);
        }
}

/* The transforms of w columns, row j of which begins at x[j pitch]; passes write to the buffers in
 * turn, of which the second may be x. The index of that with the result, rows of w. */
ISA_FN static int FT(columns)(const Fourier *f, i64 w, FT(Source) x, i64 pitch,
                              const FT(Pair) * buffer)
{
    i64 m = f->n, s = 1;
    for (int i = 0; i < f->nfactors; i++) {
        i64 r = f->factors[i], len = s * w;
        m /= r;
        for (i64 p = 0; p < m; p++) {
            FT(Source) from = FT(after)(x, p * pitch);
            FT(Pair) to = FT(beyond)(buffer[i % 2], r * p * len);
            if (r == 4)
                FT(pass4)(f, p * s, len, m * pitch, from, to);
            else if (r == 2)
                FT(pass2)(f, p * s, len, m * pitch, from, to);
            else
                FT(pass)(f, r, p * s, len, m * pitch, from, to);
        }
        s *= r;
        x = FT(from)(buffer[i % 2]);
        pitch = s * w;
    }
    return (f->nfactors - 1) % 2;
}

/* out[j w + i] = x[i pitch + j], for i < w. */
ISA_FN static void FT(turn)(i64 n, i64 w, const T *x, i64 pitch, T *restrict out)
{
    enum { TILE = 8 };
    for (i64 from = 0; from < n; from += TILE) {
        i64 to = from + TILE < n ? from + TILE : n;
        for (i64 i = 0; i < w; i++)
            for (i64 j = from; j < to; j++)
                out[j * w + i] = x[i * pitch + j];
    }
}

/* out[i pitch + j] = x[j w + i], for i < w. */
ISA_FN static void FT(turn_back)(i64 n, i64 w, const T *x, T *restrict out, i64 pitch)
{
    for (i64 i = 0; i < w; i++)
        for (i64 j = 0; j < n; j++)
            out[i * pitch + j] = x[j * w + i];
}

/* ---- the three ways ---- */

/* Rows of which each is one transform; `room`: 2 n lanes of pairs. */
ISA_FN static void FT(short_rows)(const Fourier *f, i64 rows, FT(Source) x, bool real, FT(Pair) out,
                                  T *room)
{
    const i64 n = f->n, lanes = FOURIER_LANES, half = n * lanes;
    FT(Pair) buffer[] = {{room, room + half}, {room + 2 * half, room + 3 * half}};
    for (i64 i = 0; i < rows; i += lanes) {
        i64 w = rows - i < lanes ? rows - i : lanes;
        FT(turn)(n, w, x.re + i * n, n, buffer[1].re);
        if (real)
            memset(buffer[1].im, 0, (size_t)half * sizeof(T));
        else
            FT(turn)(n, w, x.im + i * n, n, buffer[1].im);
        int k = FT(columns)(f, w, FT(from)(buffer[1]), w, buffer);
        FT(turn_back)(n, w, buffer[k].re, out.re + i * n, n);
        FT(turn_back)(n, w, buffer[k].im, out.im + i * n, n);
    }
}

/* One row by passes over it; `room`: a pair of rows. */
ISA_FN static void FT(long_row)(const Fourier *f, FT(Source) x, FT(Pair) out, T *room)
{
    FT(Pair) spare = {room, room + f->n}, buffer[2];
    int last = (f->nfactors - 1) % 2;
    buffer[last] = out;
    buffer[1 - last] = spare;
    FT(columns)(f, 1, x, 1, buffer);
}

/* out = x times a table of the same size times the root c + i s, rows of w. */
ISA_FN static void FT(twist)(i64 w, FT(Source) x, FT(Source) table, T c, T s, FT(Pair) out)
{
    const T *restrict xr = x.re, *restrict xi = x.im, *restrict tr = table.re,
                      *restrict ti = table.im;
    T *restrict yr = out.re, *restrict yi = out.im;
    VECTOR_LOOP for (i64 i = 0; i < w; i++)
    {
        T a = tr[i] * c - ti[i] * s, b = tr[i] * s + ti[i] * c;
        yr[i] = xr[i] * a - xi[i] * b;
        yi[i] = xr[i] * b + xi[i] * a;
    }
}

/* exp(-2 pi i j / n) from the two tables of a matrix: fourier.c. */
ISA_FN static void FT(root)(const Fourier *f, i64 j, T *c, T *s)
{
    const T *cs = f->cos, *sn = f->sin;
    i64 m = f->rows->n, lo = j % m, hi = m + j / m;
    *c = cs[lo] * cs[hi] - sn[lo] * sn[hi];
    *s = cs[lo] * sn[hi] + sn[lo] * cs[hi];
}

/* One row as a matrix; `room`: 5 lanes of a row or column and the matrix, of pairs. */
ISA_FN static bool FT(matrix)(const Fourier *f, FT(Source) x, FT(Pair) out, T *room,
                              const Interrupt *interrupt)
{
    const i64 n1 = f->columns->n, n2 = f->rows->n, lanes = FOURIER_LANES;
    const i64 half = (n1 > n2 ? n1 : n2) * lanes;
    FT(Pair) buffer[] = {{room, room + half}, {room + 2 * half, room + 3 * half}};
    FT(Pair) table = {room + 4 * half, room + 5 * half};
    FT(Pair) t = {room + 6 * half, room + 6 * half + f->n};
    for (i64 k = 0; k < n1; k++)
        for (i64 i = 0; i < lanes; i++)
            FT(root)(f, k * i, table.re + k * lanes + i, table.im + k * lanes + i);
    for (i64 j = 0; j < n2; j += lanes) {
        i64 w = n2 - j < lanes ? n2 - j : lanes;
        FT(Source) y = FT(from)(buffer[FT(columns)(f->columns, w, FT(after)(x, j), n2, buffer)]);
        for (i64 k = 0; k < n1; k++) {
            T c, s;
            FT(root)(f, k * j, &c, &s);
            FT(twist)
            (w, FT(after)(y, k * w), FT(after)(FT(from)(table), k * lanes), c, s,
             FT(beyond)(t, k * n2 + j));
        }
        if (interrupted(interrupt))
            return false;
    }
    for (i64 k = 0; k < n1; k += lanes) {
        i64 w = n1 - k < lanes ? n1 - k : lanes;
        FT(turn)(n2, w, t.re + k * n2, n2, buffer[1].re);
        FT(turn)(n2, w, t.im + k * n2, n2, buffer[1].im);
        FT(Pair) y = buffer[FT(columns)(f->rows, w, FT(from)(buffer[1]), w, buffer)];
        for (i64 j = 0; j < n2; j++) {
            memcpy(out.re + j * n1 + k, y.re + j * w, (size_t)w * sizeof(T));
            memcpy(out.im + j * n1 + k, y.im + j * w, (size_t)w * sizeof(T));
        }
        if (interrupted(interrupt))
            return false;
    }
    return true;
}

/* One row by a convolution, which is divided by its length m in the filter; `room`: two pairs of
 * that length. The inverse transform is the transform with real and imaginary part exchanged,
 * before and after. */
ISA_FN static int FT(convolution)(const Fourier *f, FT(Source) x, FT(Pair) out, T *room,
                                  const Interrupt *interrupt)
{
    const i64 n = f->n, m = f->longer->n;
    FT(Pair) a = {room, room + m}, b = {room + 2 * m, room + 3 * m};
    FT(Source) chirp = {f->cos, f->sin}, filter = {f->filter_re, f->filter_im};
    memset(room, 0, (size_t)(2 * m) * sizeof(T));
    FT(twist)(n, x, chirp, 1, 0, a);
    int status = FT(rows)(f->longer, 1, a.re, a.im, b.re, b.im, interrupt);
    if (status != K_OK)
        return status;
    FT(twist)(m, FT(from)(b), filter, 1, 0, a);
    status = FT(rows)(f->longer, 1, a.im, a.re, b.im, b.re, interrupt);
    if (status == K_OK)
        FT(twist)(n, FT(from)(b), chirp, 1, 0, out);
    return status;
}

/* Elements of memory that the way needs, but for the zeros of a missing part. */
static i64 FT(room)(const Fourier *f, i64 rows)
{
    if (f->longer)
        return 4 * f->longer->n;
    if (f->columns) {
        i64 longest = f->columns->n > f->rows->n ? f->columns->n : f->rows->n;
        return 6 * longest * FOURIER_LANES + 2 * f->n;
    }
    return rows > 1 && f->n < FOURIER_ALONE ? 4 * f->n * FOURIER_LANES : 2 * f->n;
}

ISA_FN static int FT(rows)(const Fourier *f, i64 rows, const void *x, const void *y, void *re,
                           void *im, const Interrupt *interrupt)
{
    const i64 n = f->n;
    FT(Pair) out = {re, im};
    bool together = f->nfactors && rows > 1 && n < FOURIER_ALONE;
    T *room = malloc((size_t)FT(room)(f, rows) * sizeof(T));
    T *zeros = y || together ? NULL : calloc((size_t)n, sizeof(T));
    int status = room && (y || together || zeros) ? K_OK : K_MEMORY;
    if (status == K_OK && together)
        FT(short_rows)(f, rows, (FT(Source)){x, y}, !y, out, room);
    for (i64 i = 0; i < rows && status == K_OK && !together; i++) {
        FT(Source) row = {(const T *)x + i * n, y ? (const T *)y + i * n : zeros};
        FT(Pair) to = FT(beyond)(out, i * n);
        if (f->longer)
            status = FT(convolution)(f, row, to, room, interrupt);
        else if (f->nfactors)
            FT(long_row)(f, row, to, room);
        else if (!FT(matrix)(f, row, to, room, interrupt))
            status = K_INTERRUPTED;
    }
    free(room);
    free(zeros);
    return status;
}

#undef ROOT
