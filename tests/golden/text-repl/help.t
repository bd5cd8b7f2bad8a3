# :help of all kinds of names.
:help sum
:help @
:help hypot
:help map
:help until
:help over
:help weak
:help scan_
:help inline
:help finite
:help slogdet
:help broadcast
:help mul-one
# Twice v.
double(v, by=2) = by * v
:help double
:help :qu
:ops random
:ops randm
---
sum(x, axis=None, keepdims=false, where=None)
Sum over axes; with where=, only of the elements where that mask is true. The sum of bool or i32 is i64.
  class       reduce
  dtypes      bool, i32 give i64; i64, f32, f64 stay
  see also    mean, cumsum, prod, einsum
    A : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]
    sum(A)  # => 21.0
    sum(A, axis=0)  # => [5.0, 7.0, 9.0]
    sum(A, axis=-1, keepdims=true)  # => [[6.0], [15.0]]
    sum(A, axis=(0, 1))  # => 21.0
    sum(zeros(0))  # => 0.0
    sum([true, true, false])  # => 2
    sum(A, axis=1, where=A > 2)  # => [3.0, 15.0]
    sum(A, axis=2)  # => error axis
matmul(a, b)
Matrix product, like a @ b.
  class       linalg
  dtypes      bool gives i64; i32, i64, f32, f64 stay
  note        its result is saved for backward loops
  see also    dot, einsum, solve
    matmul([[1, 2], [3, 4]], [[0, 1], [1, 0]])  # => [[2, 1], [4, 3]]
    [[1, 2], [3, 4]] @ [1, 1]  # => [3, 7]
    x : f64[8, 2, 3]
    w : f64[3, 5]
    :type x @ w  # => f64[8, 2, 5]
hypot(x, z)
sqrt(x * x + z * z), without overflow.
  class       elementwise
  dtypes      bool, i32, i64 give f64; f32, f64 stay
  derivative  d hypot(x, z) = where(y == 0, 0, dx * (x / y)) + where(y == 0, 0, dz * (z / y)), y = hypot(x, z)
  see also    norm, atan2
    hypot(3, 4)  # => 5.0
    hypot(1e200, 1e200)  # => 1.414213562373095e+200
map(f, a)
f applied to each row of a, or to the rows of up to three arrays in parallel: map(f, a, b, c)
  class       prelude
  see also    scan, foldl
    map(v -> v * v, [1, 2, 3])  # => [1, 4, 9]
    map(sum, [[1, 2], [3, 4]])  # => [3, 7]
    map((a, b) -> a * b, [1, 2, 3], [4, 5, 6])  # => [4, 10, 18]
    map(v -> (v, v * v), [1, 2, 3])  # => ([1, 2, 3], [1, 4, 9])

rule map [R] of the pass loops
a loop without states is its body applied to all rows at once
fired 0 times; written in C
    try scan t over u { y1[t] = exp(u[t]) } => exp(u)
    not scan t over u from h = x { h[t] = tanh(h[t-1]) + u[t] }
until
`until c` is the last line of the body; c is a single bool, which may use the values of this step.
It is tested after the step, whose values are kept. Without `over` and `for` the scan is a while
loop.

    powers = scan t for 100 from p = 1 { p[t] = 2 * p[t-1]; until p[t] > 20 }
    powers  # => [2, 4, 8, 16, 32]
    (powers.steps, powers.stopped)  # => (5, true)
    root = scan t from x = 1.0 { x[t] = (x[t-1] + 2 / x[t-1]) / 2; until abs(x[t] ^ 2 - 2) < 1e-12 }
    root.final  # => 1.414213562373095
    root.steps  # => 5
scan
`scan t ... { ... }` writes a recurrence as on paper. Its clauses give the sequences it runs over,
the number of steps and the initial states:

    scan t over u, w = v            sequences, along their first axis; w is the name of v inside
           for n                    the number of steps (with until, the most steps)
           from x = x0, y = y0      states and their initial values
           using W, b               strict: the body may capture only these; using () captures nothing
           zip strict               sequences of unequal length are an error
           checkpoint k             a gradient keeps every k-th state only and computes the rest again
         { x[t] = ...               an equation: a state if x has an initial value, else an output
           h = ...                  a name inside the step
           until c }                stop after the step for which c is true

    A : f64[2] = [2, 3]
    k : i64 = 3
    power = scan t for k from r = ones_like(A) { r[t] = r[t-1] * A }
    power  # => [[2.0, 3.0], [4.0, 9.0], [8.0, 27.0]]
    power.final  # => [8.0, 27.0]
    c = [1, 2, 3]
    sum(scan i over c { term[i] = c[i] * 2 ^ i })  # => 17
    u = [1, 2, 3]
    scan t over u from s = 0 { s[t] = s[t-1] + u[t] }  # => [1, 3, 6]

A scan without a state is a map. A scan without `over`, `for` or `until` would never end, so it is
an error:

    scan i for 3 { square[i] = i * i }  # => [0, 1, 4]
    scan t from x = 0.0 { x[t] = x[t-1] + 1 }  # => error scan
Numbers without a type of their own
Numbers are written `12`, `1_000_000`, `1.5`, `1e-3`, `0xff`, `0o17`, `0b101`.

Literal numbers, arrays of them, expressions computed only from them and names for these are *weak*:
they adopt the dtype of their context, and are `i64` or `f64` if the context does not decide. The
constant arrays (`zeros`, `ones`, `full` of a number, `eye`, `one_hot`, `arange`, `linspace`), sizes
and the index of a scan are weak too, so a program over `f32` stays `f32`. `dtype=` gives such an
array a type.

    x : f32[2] = [1, 2]
    c = 2 * 0.25
    :type x * c  # => f32[2]
    :type x / sqrt(2 * pi)  # => f32[2]
    :type x + zeros(2)  # => f32[2]
    :type x * arange(2) / size(x)  # => f32[2]
    :type x + zeros(2, dtype=f64)  # => f64[2]
    :type x + ones(2, dtype=f32)  # => f32[2]
    :type x * f64(0.5)  # => f64[2]
    k : i32[2] = [1, 2]
    :type k + 1  # => i32[2]
    :type k + 0.5  # => f64[2]
    [1, 2]  # => [1, 2]
    [1, 2.5]  # => [1.0, 2.5]
    0xff + 0b101  # => 260
input.gr:9:7: error: nothing is called scan_
    :help scan_
          ^^^^^
  hint: did you mean scan?
pass inline
function bodies in place of their calls
  rules: inline-call
finite(x), a condition of rules: no element is NaN or infinite
slogdet(A)
Sign and logarithm of the absolute value of the determinant.
  class       linalg
  dtypes      bool, i32, i64 give (f64, f64); f32 gives (f32, f32); f64 gives (f64, f64)
  note        its result is saved for backward loops
  see also    det
    slogdet([[0, 1], [2, 0]])  # => (-1.0, 0.6931471805599453)
    slogdet([[1, 1], [1, 1]])  # => (0.0, -inf)
broadcast(x, shape, axes)
x broadcast to a shape; axis i of x becomes axis axes[i].
  class       shape
  note        may fail at run time
  see also    broadcast_to
    broadcast([1, 2], (2, 3), axes=0)  # => [[1, 1, 1], [2, 2, 2]]

Broadcasting
Shapes align from the right, as in NumPy. A scalar broadcasts to any shape; an axis stretches only
if its size is *known to be* 1 when the graph is built. An axis whose size merely happens to be 1 at
run time does not stretch.

    x : f64[3] = [1, 2, 3]
    x + 10  # => [11.0, 12.0, 13.0]
    x[:, None] * x  # => [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [3.0, 6.0, 9.0]]
    x + x[:2]  # => error shape-mismatch
    m : f64[k] = [5]
    x + m  # => error shape-mismatch
rule mul-one [E] of the pass canonicalize
  1 * x:any => x
1 is neutral
fired 0 times; written in canonicalize.rules:6
    try 1 * x => x
    not 2 * x
double(v, by=2)
Twice v.
:quit [N]
leave Gradus
N is the exit status.
    :quit
rng          random  1 operand           A generator state from an integer seed (Philox4x32-10).
split_rng    random  2 operands          k independent generator states from one.
uniform      random  1 or more operands  Uniform random numbers in [0, 1), and the next state.
normal       random  1 or more operands  Standard normal random numbers, and the next state.
bernoulli    random  2 operands          true with probability p (elementwise), and the next state.
randint      random  3 or more operands  Random integers in [low, high), and the next state.
permutation  random  2 operands          0 .. n-1 in a random order, and the next state.
categorical  random  2 operands          An index for each row, chosen with probability p[..., i] / sum(p), and the next state.
input.gr:20:6: error: there is no class randm of operators
    :ops randm
         ^^^^^
  hint: elementwise, reduce, shape, index, linalg, random, control, implicit, structural, composite, prelude
exit 1
