# :explain: an expression without loops, sizes unknown and known.
v : f64[n]
w : f64[n]
:explain exp(v) * w + tanh(exp(v)) * 0
w := [1, 2, 3]
:explain sum(sqr(w))
:explain sum(sqr(w)) page.md
# Taps, and what is read outside of the loop.
u    : f64[T, 2] = [[0.1, 0.9], [0.4, -0.2], [-0.7, 0.5], [0.3, 0.3], [0.8, -0.6],
                    [-0.5, 0.2], [0.6, 0.7], [-0.1, -0.4], [0.2, 0.1]]
W    : f64[3, 3] = [[0.2, -0.4, 0.1], [0.5, 0.3, -0.2], [-0.3, 0.1, 0.4]]
W1   : f64[2, 3] = [[0.6, -0.1, 0.2], [-0.3, 0.7, 0.1]]
W2   : f64[2, 3] = [[-0.2, 0.4, 0.5], [0.1, -0.6, 0.3]]
Wf   : f64[1, 3] = [[0.3, -0.2, 0.6]]
Wout : f64[3, 1] = [[0.5], [-0.7], [0.9]]

# x is read as far back as x[t-3]: its initial value holds the three rows before the first
# step, oldest first. y is read at t-1 only: its initial value is one y, with no time axis.
x0   : f64[3, 3] = [[0.1, 0.2, 0.3], [0.0, -0.1, 0.2], [0.3, 0.1, -0.2]]
y0   : f64[1] = [0.5]

x, y = scan t over u from x = x0, y = y0 {
  x[t] = tanh(x[t-1] @ W + u[t] @ W1 + u[t-4] @ W2 + y[t-1] @ Wf)
  y[t] = x[t-3] @ Wout
}
loss = sum(sqr(y - 1)) + 0.1 * sum(sqr(x))
:explain grad(loss, W)
# A loop that keeps every fourth state; one of segments that a run finds.
A : f64[m] = [0.5, 1, 1.5, 2]
thrifty = scan t for 12 from r = ones_like(A) checkpoint 4 { r[t] = sin(r[t-1]) * A }
:explain grad(sum(thrifty.final), A)
k : f64 = 3.2
long = scan t for 10000 from s = 0.3 checkpoint auto { s[t] = k * s[t-1] * (1 - s[t-1]) }
:explain grad(long.final, k)
# Branches, and a loop that nobody knows the steps of.
z = scan t over u from q = 1.0 { q[t] = if q[t-1] > 2 then tanh(q[t-1] * k) else q[t-1] * 2 }
:explain grad(sum(z), k)
:explain (scan t from q = 1.0 { q[t] = q[t-1] * 2; until q[t] > 100 }).final
# A loop that no longer is one, and the number of steps a symbol.
X : f64[N, 2]
:explain (scan t over X from q = zeros(2) { q[t] = q[t-1] + X[t] }).final
:explain grad(sum((scan t over X from q = zeros(2) { q[t] = tanh(q[t-1] * X[t]) }).final), X)
# Without an expression: what was explored last.
:explain last.md
:explain v + u
:explain w times=maybe
:explain w page.txt
---
exp(v) * w + tanh(exp(v)) * 0

loops
  none

saved for the backward pass, and whose derivative reads it (+1: one more)
  nothing: no derivative reads a value that is computed before

what is computed
  in all: 2 mul, 1 add, 1 exp, 1 tanh; 5*n operations

cost
  5*n operations; 24*n bytes read and written

rewrites that made the difference
  1 of 1 steps changed the cost: operations, and numbers read and written, with
      100 in place of what is not known
    1 fuse: -53 %, 1701 to 800; one kernel computes %2 * w + %5 * 0 from w, v
sum(sqr(w))

loops
  none

saved for the backward pass, and whose derivative reads it (+1: one more)
  nothing: no derivative reads a value that is computed before

what is computed
  in all: 1 matmul; 6 operations

cost
  6 operations; 56 bytes read and written

rewrites that made the difference
  1 of 1 steps changed the cost: operations, and numbers read and written
    1 simplify: -19 %, 16 to 13; sum(sqr(w)) => w @ w
page.md: 451 bytes
grad(loss, W)

loops
  written: scan x, y, 5 steps forward, 4 states (80 bytes), input.gr:22
  run: scan x, y, 5 steps forward, 4 states (80 bytes)
  run: scan carry_x, d_x_tap_2, d_x_tap_3, carry_y, 5 steps backward, 4 states
      (80 bytes)

saved for the backward pass, and whose derivative reads it (+1: one more)
  for scan carry_x, d_x_tap_2, d_x_tap_3, carry_y
    x[t-1]  f64[5, 3], 120 bytes: `x[t-1] @ W` input.gr:23, after the loop
    x[t]  f64[5, 3], 120 bytes: `tanh(x[t-1] @ W + …` input.gr:23
    y[t]  f64[5, 1], 40 bytes: what it captures is made from it
  `y - 1`  f64[5, 1], 40 bytes: `sqr(y - 1)` input.gr:26
  4 values, in all 320 bytes

what is computed
  before the loops: 3 index, 2 broadcast, 2 matmul, 2 slice, 1 concat, 1
      maximum, 1 more; 122 operations
  in scan x, y (5 steps): 2 add, 2 matmul, 1 gemv, 1 tanh; 195 operations
  between them: 2 mul, 2 sub, 1 sqr; 55 operations
  in scan carry_x, d_x_tap_2, d_x_tap_3, carry_y (5 steps): 3 add, 2 matmul, 2
      slice, 1 mul; 200 operations
  after the loops: 1 gemm; 90 operations

cost
  662 operations; 6.4 KB read and written

rewrites that made the difference
  16 of 20 steps changed the cost: operations, and numbers read and written
    10 accumulate: -14 %, 1819 to 1561; scan carry_x, d_x_tap_2, d_x_tap_3,
        carry_y, …: state sum_d_W is gone
    11 batch-dots: +4 %, 1561 to 1630; scan carry_x, d_x_tap_2, d_x_tap_3,
        carry_y: it no longer reads W, Wf
    15 inner: -4 %, 1600 to 1540; in scan x, y: fuse
    4 broadcast-into: -2 %, 1927 to 1895; (2 * x) * broadcast_to(0.1,
        (maximum(T - 4, 0), 3)) => (2 * x) * 0.1
    16 fuse: -2 %, 1540 to 1509; one kernel computes 1 - sqr(x) from x
grad(sum(thrifty.final), A)

loops
  written: scan r, 12 steps forward, 1 state (32 bytes), input.gr:30
  run: scan r, 3 steps forward, 1 state (32 bytes)
    in it: scan r, 4 steps forward, 1 state (32 bytes)
  run: scan d_r, sum_d_A, 3 steps backward, 2 states (64 bytes)
    in it: scan r, 4 steps forward, 1 state (32 bytes)
    in it: scan d_r, sum_d_A, 4 steps backward, 2 states (64 bytes)

saved for the backward pass, and whose derivative reads it (+1: one more)
  scan r, checkpoint 4: every 4th state is kept, the rest computed again
  for scan d_r, sum_d_A
    r[t-1]  f64[3, 4], 96 bytes: `sin(r[t-1])` input.gr:30
  for scan d_r, sum_d_A
    r[t-1]  f64[4, 4], 128 bytes: `sin(r[t-1])` input.gr:30
    computed again at each step: 1 cos, 1 sin
  2 values, in all 224 bytes

what is computed
  before the loops: 2 broadcast; 0 operations
  in scan r (3 steps): 1 mul, 1 sin; 96 operations
  in scan d_r, sum_d_A (3 steps): 3 mul, 2 add, 2 sin, 1 cos; 396 operations

cost
  492 operations; 5.8 KB read and written

rewrites that made the difference
  5 of 13 steps changed the cost: operations, and numbers read and written
    9 inner: -28 %, 1692 to 1212; in scan d_r, sum_d_A: fuse
    3 inner: -5 %, 1812 to 1716; in scan d_r, sum_d_A: flatten-mul
    7 inner: +6 %, 1692 to 1788; in scan d_r, sum_d_A: order-product
    8 inner: -5 %, 1788 to 1692; in scan r: fuse
    6 hoist: -1 %, 1716 to 1692; scan d_r, sum_d_A: it reads zeros =
        broadcast_to(0.0, (m,))
grad(long.final, k)

loops
  written: scan s, 10000 steps forward, 1 state (8 bytes), input.gr:33
  run: scan s, 100 steps forward, 1 state (8 bytes)
    in it: scan s, 100 steps forward, 1 state (8 bytes)
  run: scan d_s, sum_d_k, 100 steps backward, 2 states (16 bytes)
    in it: scan s, 100 steps forward, 1 state (8 bytes)
    in it: scan d_s, sum_d_k, 100 steps backward, 2 states (16 bytes)

saved for the backward pass, and whose derivative reads it (+1: one more)
  scan s, checkpoint auto: one state in about the square root of the steps is
      kept, the rest computed again
  for scan d_s, sum_d_k
    s[t-1]  f64[100], 800 bytes: `k * s[t-1] * (1 - …` input.gr:33
  for scan d_s, sum_d_k
    s[t-1]  f64[100], 800 bytes: `k * s[t-1] * (1 - …` input.gr:33
    computed again at each step: 2 sub
  2 values, in all 1.6 KB

what is computed
  in scan s (100 steps): 1 mul, 1 sub; 30000 operations
  in scan d_s, sum_d_k (100 steps): 3 mul, 3 sub, 2 add; 100100 operations

cost
  130100 operations; 2.5 MB read and written

rewrites that made the difference
  3 of 14 steps changed the cost: operations, and numbers read and written
    4 inner: -8 %, 500400 to 460400; in scan d_s, sum_d_k: simplify
    3 inner: -6 %, 530400 to 500400; in scan d_s, sum_d_k: add-neg
    5 inner: -4 %, 460400 to 440400; in scan d_s, sum_d_k: flatten-mul
grad(sum(z), k)

loops
  written: scan q, 9 steps forward, 1 state (8 bytes), input.gr:36
  run: scan q, 9 steps forward, 1 state (8 bytes)
  run: scan carry_q, sum_d_k, 9 steps backward, 2 states (16 bytes)

saved for the backward pass, and whose derivative reads it (+1: one more)
  for scan carry_q, sum_d_k
    q[t-1]  f64[9], 72 bytes: read at each step
    computed again at each step: 1 gt

what is computed
  in scan q (9 steps): 2 mul, 1 gt, 1 ifelse, 1 tanh; 27 operations
  in scan carry_q, sum_d_k (9 steps): 4 mul, 2 add, 1 gt, 1 ifelse, 1 sqr, 1
      sub, 1 more; 99 operations
  only one branch of an `if` runs; the estimate counts the more expensive one

cost
  126 operations; 2.4 KB read and written

rewrites that made the difference
  1 of 6 steps changed the cost: operations, and numbers read and written
    3 inner: -2 %, 434 to 425; in scan carry_q, sum_d_k: mul-self
(scan t from q = 1.0 { q[t] = q[t-1] * 2; until q[t] > 100 }).final

loops
  written: scan q, t, any number of steps forward until its condition holds, 2
      states (16 bytes), input.gr:38
  run: scan q, any number of steps forward until its condition holds, 1 state
      (8 bytes)

saved for the backward pass, and whose derivative reads it (+1: one more)
  nothing: no derivative reads a value that is computed before

what is computed
  in scan q (any number of steps): 1 gt, 1 mul; an unknown number of operations

cost
  an unknown number of operations; an unknown number of bytes read and written

rewrites that made the difference
  not known: the cost shows when it runs
(scan t over X from q = zeros(2) { q[t] = q[t-1] + X[t] }).final

loops
  written: scan q, N steps forward, 1 state (16 bytes), input.gr:41
  none runs: products, reductions and maps replace them

saved for the backward pass, and whose derivative reads it (+1: one more)
  nothing: no derivative reads a value that is computed before

what is computed
  in all: 1 sum; 2*N operations

cost
  2*N operations; 16*N+16 bytes read and written

rewrites that made the difference
  1 of 2 steps changed the cost: operations, and numbers read and written, with
      100 in place of what is not known
    2 reduce: -50 %, 804 to 402; scan q (%5) is gone
grad(sum((scan t over X from q = zeros(2) { q[t] = tanh(q[t-1] * X[t]) }).final), X)

loops
  written: scan q, N steps forward, 1 state (16 bytes), input.gr:42
  run: scan q, N steps forward, 1 state (16 bytes)

saved for the backward pass, and whose derivative reads it (+1: one more)
    q[t-1]  f64[N, 2], 16*N bytes: `q[t-1] * X[t]` input.gr:42, after the loop

what is computed
  before the loops: 2 broadcast, 1 expand_dims; 0 operations
  in scan q (N steps): 1 mul, 1 tanh; 4*N operations
  after the loops: 3 mul, 1 concat, 1 cumprod, 1 slice, 1 sqr, 1 sub, 1 more;
      16*N operations

cost
  20*N operations; 272*N+144 bytes read and written

rewrites that made the difference
  7 of 10 steps changed the cost: operations, and numbers read and written,
      with 100 in place of what is not known
    3 running: +57 %, 6708 to 10519; scan d_q: state d_q is gone
    4 map: -28 %, 10519 to 7619; scan without states (%21) is gone
    8 fuse: -22 %, 7419 to 5818; one kernel computes 1 - sqr(%24), (1 - %36) *
        X from X, %6.q
    6 order-product: +5 %, 7419 to 7819; d_X = %31 * %26 * %6.q => (%31 * %26)
        * %6.q
    7 inner: -5 %, 7819 to 7419; in scan q: fuse
last.md: 1203 bytes
v + u

loops
  none

saved for the backward pass, and whose derivative reads it (+1: one more)
  nothing: no derivative reads a value that is computed before

what is computed
  in all: 1 add, 1 broadcast; 18 operations

cost
  18 operations; 1.2 KB read and written

rewrites that made the difference
  none of the steps changed the cost
input.gr:46:18: error: times= is on or off
    :explain w times=maybe
                     ^^^^^
input.gr:47:12: error: :explain writes no such file as page.txt
    :explain w page.txt
               ^^^^^^^^
  hint: end it in .md
exit 1
