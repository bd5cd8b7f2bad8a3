/* Blocks of random bits and what is made of them, many at once, for one instruction set: included
 * by philox.c with PHILOX_ISA(name), PHILOX_FN, and a vector PHILOX_W of as many u64 as
 * PHILOX_LANES with PHILOX_MUL(a, b), the products of their lower halves.
 *
 * Invariant: integers, and + - * / sqrt of IEEE on elements that have nothing to do with each
 * other, so the bits are those of any other instruction set. */

/* Ten rounds on BATCH counters, each under its key. Only the lower halves of words count. */
static PHILOX_FN void PHILOX_ISA(rounds)(u64 key[2][BATCH], u64 word[4][BATCH])
{
    const u64 multiplier0 = MULTIPLIER0, multiplier1 = MULTIPLIER1;
    for (int j = 0; j < BATCH; j += PHILOX_LANES) {
        PHILOX_W c0, c1, c2, c3, k0, k1;
        memcpy(&c0, &word[0][j], sizeof c0);
        memcpy(&c1, &word[1][j], sizeof c1);
        memcpy(&c2, &word[2][j], sizeof c2);
        memcpy(&c3, &word[3][j], sizeof c3);
        memcpy(&k0, &key[0][j], sizeof k0);
        memcpy(&k1, &key[1][j], sizeof k1);
        for (int round = 0; round < ROUNDS; round++) {
            PHILOX_W p0 = PHILOX_MUL(c0, multiplier0), p1 = PHILOX_MUL(c2, multiplier1);
            c0 = (p1 >> 32) ^ c1 ^ k0;
            c1 = p1;
            c2 = (p0 >> 32) ^ c3 ^ k1;
            c3 = p0;
            k0 += WEYL0;
            k1 += WEYL1;
        }
        memcpy(&word[0][j], &c0, sizeof c0);
        memcpy(&word[1][j], &c1, sizeof c1);
        memcpy(&word[2][j], &c2, sizeof c2);
        memcpy(&word[3][j], &c3, sizeof c3);
    }
}

/* Blocks k to k + BATCH of a draw: word i of block j is out[i][j]. */
static PHILOX_FN void PHILOX_ISA(batch)(RngState start, i64 k, u64 out[4][BATCH])
{
    u64 key[2][BATCH];
    RngState s = rng_advance(start, (u64)k);
    bool carries = s.counter[0] > UINT32_MAX - BATCH;
    for (int j = 0; j < BATCH; j++) {
        RngState at = carries ? rng_advance(s, (u64)j) : s;
        out[0][j] = at.counter[0] + (carries ? 0 : (u32)j);
        out[1][j] = at.counter[1], out[2][j] = at.counter[2], out[3][j] = at.counter[3];
        key[0][j] = s.key[0], key[1][j] = s.key[1];
    }
    PHILOX_ISA(rounds)(key, out);
}

/* Of states that have nothing to do with each other. */
static PHILOX_FN void PHILOX_ISA(batch_lanes)(const RngState *s, i64 n, u64 out[4][BATCH])
{
    u64 key[2][BATCH];
    for (int j = 0; j < BATCH; j++) {
        const RngState *at = &s[j < n ? j : 0];
        key[0][j] = at->key[0], key[1][j] = at->key[1];
        out[0][j] = at->counter[0], out[1][j] = at->counter[1];
        out[2][j] = at->counter[2], out[3][j] = at->counter[3];
    }
    PHILOX_ISA(rounds)(key, out);
}

/* Numbers 2 * k and up to m more of a draw, m <= 2 * BATCH, two per block. */
static PHILOX_FN void PHILOX_ISA(units)(RngState start, i64 k, i64 m, double *out)
{
    u64 w[4][BATCH];
    double pair[2 * BATCH];
    PHILOX_ISA(batch)(start, k, w);
    for (int j = 0; j < BATCH; j++) {
        pair[2 * j] = unit53(w[0][j], w[1][j]);
        pair[2 * j + 1] = unit53(w[2][j], w[3][j]);
    }
    memcpy(out, pair, (size_t)m * sizeof *out);
}

static PHILOX_FN void PHILOX_ISA(normals)(RngState start, i64 k, i64 m, double *out)
{
    u64 w[4][BATCH];
    double pair[2 * BATCH];
    PHILOX_ISA(batch)(start, k, w);
    for (int j = 0; j < BATCH; j++)
        normal_pair(unit53(w[0][j], w[1][j]), unit53(w[2][j], w[3][j]), &pair[2 * j],
                    &pair[2 * j + 1]);
    memcpy(out, pair, (size_t)m * sizeof *out);
}

/* From each of m <= BATCH states a number. */
static PHILOX_FN void PHILOX_ISA(lanes)(bool normal, i64 m, const RngState *from, double *out)
{
    u64 w[4][BATCH];
    double x[BATCH], y[BATCH];
    PHILOX_ISA(batch_lanes)(from, m, w);
    if (normal)
        for (int j = 0; j < BATCH; j++)
            normal_pair(unit53(w[0][j], w[1][j]), unit53(w[2][j], w[3][j]), &x[j], &y[j]);
    else
        for (int j = 0; j < BATCH; j++)
            x[j] = unit53(w[0][j], w[1][j]);
    memcpy(out, x, (size_t)m * sizeof *x);
}

static const PhiloxBatches PHILOX_ISA(batches) = {PHILOX_ISA(batch), PHILOX_ISA(units),
                                                  PHILOX_ISA(normals), PHILOX_ISA(lanes)};
#undef PHILOX_ISA
#undef PHILOX_FN
#undef PHILOX_W
#undef PHILOX_LANES
#undef PHILOX_MUL
