# Masks that keep all but a box of a state: both tiers give the same (tests/native.py).
i = iota(5)
A = reshape(f64(iota(25) * 7 % 11 - 5), (5, 5)) + 12 * eye(5)
L = scan k for 5 from a = A {
    x = a[k-1]
    f = where(i > k, x[:, k] / x[k, k], 0.0)
    below = x - reshape(f, (5, 1)) * reshape(where(i >= k, x[k], 0.0), (1, 5))
    a[k] = where(reshape(i > k, (5, 1)) and reshape(i == k, (1, 5)), broadcast_to(reshape(f, (5, 1)), (5, 5)), below)
}
L.final
S = A @ A'
C = scan k for 5 from a = S, l = zeros((5, 5)) {
    c = where(i >= k, a[k-1][:, k] / sqrt(a[k-1][k, k]), 0.0)
    a[k] = a[k-1] - outer(c, c)
    l[k] = set_index(l[k-1], k, c)
}
max(abs(C.final.l' @ C.final.l - S)) < 1e-9
# a zero with a sign, and an infinity, that the products of the masked part change
Z = where(A == 2, -0.0, A)
F = scan k for 3 from a = Z { a[k] = a[k-1] - where(i > k, a[k-1][:, k], 0.0)[:, None] * (-abs(a[k-1][k]))[None, :] }
1 / F.final[0, 1]
G = scan k for 2 from a = where(A == 7, inf, A) { a[k] = a[k-1] + outer(where(i > k, 1.0, 0.0), a[k-1][k]) }
G.final
# rows before the counter stay
H = scan k for 4 from a = A { a[k] = where(reshape(i < k, (5, 1)), a[k-1], a[k-1] * 2 + 1) }
H.final
# a scan whose rows another one reads
x = [3.0, 1, 4, 1, 5]; y = [2.0, 7, 1, 8, 2]
W = scan t over x from row = full(5, 1e300) {
    best = minimum(row[t-1], concat((full(1, where(t == 0, 0.0, 1e300)), row[t-1][:-1])))
    R = scan j over y, best from d = 1e300 { d[j] = abs(x[t] - y[j]) + minimum(best[j], d[j-1]) }
    row[t] = R
}
W.final
---
f64[5, 5] =
[[ 7.0,        2.0,       -2.0,        5.0,        1.0],
 [-0.428571,  16.8571,    -0.857143,  -1.85714,    3.42857],
 [-0.142857,  -0.279661,  13.4746,    -1.80508,    6.10169],
 [ 0.142857,  -0.194915,   0.30566,   11.4755,    -5.33962],
 [ 0.428571,  -0.110169,  -0.314465,  -0.0797435, 11.4421]]
bool = true
f64 = inf
f64[5, 5] =
[[nan,     2.0,  -2.0,   5.0,   1.0],
 [nan,    18.0,  -2.0,   1.0,   4.0],
 [inf,    15.0,  10.0,   4.0,  10.0],
 [inf,    17.0,   0.0,  18.0,   1.0],
 [inf,    19.0,  -9.0,   8.0,  15.0]]
f64[5, 5] =
[[ 15.0,   5.0,  -3.0,  11.0,   3.0],
 [ -9.0,  67.0,   3.0, -13.0,  15.0],
 [ -1.0, -33.0, 119.0,  -9.0,  47.0],
 [ 31.0, -33.0,  79.0, 207.0, -49.0],
 [ 63.0,  -1.0, -65.0,  47.0, 175.0]]
f64[5] = [8.0, 7.0, 9.0, 8.0, 11.0]
