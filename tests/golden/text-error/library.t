# what the arguments of functions in the prelude may not be: told at the argument
x : f64[3, 4] = [[1, 2, 4, 8], [1, 3, 9, 27], [1, 5, 25, 125]]
n : i64 = 2
diff(x, axis=5)
diff(3)
diff(x, n)
quantile(x, 1.5)
quantile(zeros(0), 0.5)
cross_entropy(x, [0, 1, 4])
cross_entropy(x, [0, 1])
conv1d(x, ones((2, 2, 2)))
conv1d(x, ones((2, 3, 7)))
interp(1.0, [2, 1], [0, 1])
bincount([1, -2])
segment_sum(x, [0, 3, 1], 3)
histogram([1.0, nan], 2)
cross(x, x)
matrix_power(x, 2)
lstsq(x, ones(2))
top_k(x, 5)
normal_logpdf(x[0], 0, -1)
bernoulli_logpmf(1, [0.5, 1.5])
gelu(rng(1))
layer_norm(x, scale=ones(3))
eigvalsh(x)
svd(x[0])
f(v) = median(v, axis=2)
f(x)
# a name of the program does not change what a function of the prelude means
sum = 3
sqrt = 4
layer_norm(x[0], eps=0)
---
input.gr:4:14: error: diff: there is no axis 5, the tensor has 2 axes
    diff(x, axis=5)
                 ^
input.gr:5:6: error: diff takes an array
    diff(3)
         ^
input.gr:6:9: error: this has to be a constant, known before anything runs
    diff(x, n)
            ^
input.gr:7:13: error: the share of a quantile must be from 0 to 1
    quantile(x, 1.5)
                ^^^
input.gr:8:1: error: quantile needs at least one element
    quantile(zeros(0), 0.5)
    ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:9:1: error: a class of the target of cross_entropy is not one of the columns, at [2]
    cross_entropy(x, [0, 1, 4])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:10:18: error: where: shapes bool[2, 4] and f64[3, 4] do not match: axis 0 is 2 and 3
    cross_entropy(x, [0, 1])
                     ^^^^^^
input.gr:11:11: error: conv1d: the kernels [outputs, channels / groups, n] do not fit the channels of the signals
    conv1d(x, ones((2, 2, 2)))
              ^^^^^^^^^^^^^^^
input.gr:12:11: error: a window of 7 columns does not fit into 4
    conv1d(x, ones((2, 3, 7)))
              ^^^^^^^^^^^^^^^
  hint: pad=K puts K zeros around x
input.gr:13:1: error: the places of interp have to be in ascending order, at [0]
    interp(1.0, [2, 1], [0, 1])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:14:1: error: bincount counts whole numbers from 0 on, at [1]
    bincount([1, -2])
    ^^^^^^^^^^^^^^^^^
input.gr:15:1: error: a number of a segment is not in 0 .. n-1, at [1]
    segment_sum(x, [0, 3, 1], 3)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:16:1: error: histogram takes finite numbers; range=(low, high) leaves the others out
    histogram([1.0, nan], 2)
    ^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:17:7: error: cross takes vectors of three numbers along the last axis
    cross(x, x)
          ^
input.gr:18:14: error: matrix_power takes square matrices
    matrix_power(x, 2)
                 ^
input.gr:19:7: error: @: shapes f64[4, 3] and f64[2] do not fit: the last axis of the first is 3, axis 0 of the second is 2
    lstsq(x, ones(2))
          ^
input.gr:20:10: error: top_k takes from 0 to as many elements as a row has
    top_k(x, 5)
             ^
input.gr:21:24: error: the standard deviation of a normal distribution must be above 0
    normal_logpdf(x[0], 0, -1)
                           ^^
input.gr:22:1: error: a probability must be from 0 to 1, at [1]
    bernoulli_logpmf(1, [0.5, 1.5])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:23:6: error: mul: rng and f64 have no common type
    gelu(rng(1))
         ^^^^^^
input.gr:24:12: error: mul: shapes f64[3, 4] and f64[3] do not match: axis 1 is 4 and 3
    layer_norm(x, scale=ones(3))
               ^
  hint: give the shorter one an axis of length 1 at the end: x[:, None]
input.gr:25:10: error: eigh needs a square matrix, but this is f64[3, 4]
    eigvalsh(x)
             ^
input.gr:26:5: error: svd needs a matrix, but this is f64[4]
    svd(x[0])
        ^^^^
input.gr:27:23: error: median: there is no axis 2, the tensor has 2 axes
    f(v) = median(v, axis=2)
                          ^
input.gr:28:1: note: in this call of f
    f(x)
    ^^^^
f64[4] = [-1.02576, -0.652753, 0.0932505, 1.58526]
exit 1
