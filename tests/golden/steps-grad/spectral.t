A : f64[3, 2] = [[1, 2], [3, 4], [5, 7]]
S : f64[n, n] = [[2, 1], [1, 3]]
B : f64[n, m]
:type qr(B)
:type svd(B)
:type eigh(S)
:type pinv(B)
:steps grad(sum(eigh(S)[0]), S) pass=differentiate
:graph grad(eigh(S)[1][0, 0], S) pass=differentiate
:graph grad(sum(svd(B)[1]), B)
round(1e6 * grad(sum(svd(A)[1]), A))
round(1e6 * grad(eigvalsh(S)[0], S))
round(1e6 * grad(sum(qr(A)[1]), A))
round(1e6 * grad(sum(pinv(A)), A))
# equal values: the vectors are no function of the matrix
round(1e6 * grad(sum(eigh(S)[0]), S))
S := [[1, 0], [0, 1]]
round(1e6 * grad(sum(eigh(S)[0]), S))
any(isnan(grad(eigh(S)[1][0, 0], S)))
---
(f64[n, min(m, n)], f64[min(m, n), m])
(f64[n, min(m, n)], f64[min(m, n)], f64[min(m, n), m])
(f64[n], f64[n, n])
f64[m, n]
differentiate: 4 steps, 7 -> 18 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 4 nodes
      - grad(sum(eigh(S)[0]), S)
      + d_S = (triangle(%7 * %10 @ %7' + (%12 @ %13)', lower=true, k=0) + triangle(%7 * %10 @ %7'
            + (%12 @ %13)', lower=true, k=-1)) * 0.5
  2  broadcast-expand [E]    # the added axes get their final length at once
      - broadcast_to(broadcast_to(1.0, (n,))«[None, :],» (n, n))
      + broadcast_to(broadcast_to(1.0, (n,)), (n, n))
  3  transpose-product [R N+ O]
      # the transpose of a product; rounding in the order that the product sums
      (%12 @ eigh(S)[1]')' => eigh(S)[1]'' @ %12'
  4  transpose-transpose [E]  eigh(S)[1]'' => eigh(S)[1]    # one transpose instead of two
S : f64[n, n]
t1, t2 = eigh(S)
t3 = eye(n)
t4 = broadcast_to(t1, (n, n)) - broadcast(t1, (n, n), axes=0) + t3
t5 = t2'
t6 = where(t4 == 0, nan, (1 - t3) / t4) *
    (t5 @ (broadcast_to(0.0, (n, n)) with [0] += (broadcast_to(0.0, (n,)) with [0] += 1.0)))
t7 = t2 @ t6 @ t5 + t2 @ (t6' @ t5)
(tril(t7) + tril(t7, k=-1)) * 0.5
B : f64[n, m]
grad({
  _, t1, _ = svd(B)
  sum(t1)
}, B)
f64[3, 2] =
[[-639346.0,  720977.0],
 [ 562564.0,  201653.0],
 [ 524174.0,  662969.0]]
f64[2, 2] =
[[ 723607.0,       0.0],
 [-894427.0,  276393.0]]
f64[3, 2] =
[[-1.05771e+06,  1.11771e+06],
 [ 9.16005e+05,  1.90865e+05],
 [ 8.45154e+05,  8.45154e+05]]
f64[3, 2] =
[[-448980.0,  428571.0],
 [ 938776.0, -714286.0],
 [-244898.0,  142857.0]]
f64[2, 2] =
[[1000000.0,       0.0],
 [      0.0, 1000000.0]]
f64[2, 2] =
[[1000000.0,       0.0],
 [      0.0, 1000000.0]]
bool = true
