x : f64[n, c, h, w]
K : f64[o, c, 3, 3]
y = conv2d(x, K, pad=1)
:type y
:type conv2d(x, K, stride=2)
:type max_pool(y, (2, 3))
:steps grad(sum(y), K) pass=differentiate
:graph grad(sum(y ^ 2) / 2, x) pass=differentiate
:graph jvp(y, (x, K), (K, x))
a : f64[h, w]
k : f64[2, 2]
:graph grad(sum(conv2d(a, k) ^ 2) / 2, k) pass=differentiate
:graph max_pool(a, 2, stride=1, pad=1)
# a stride, or kernels whose size is not known: through the definition
k : f64[p, q]
:graph conv2d(a, k, stride=(2, 1))
conv2d(ones((3, 4)), ones((2, 2)), stride=2, pad=1)
b = ones((2, 2))
grad(sum(conv2d(ones((3, 4)), b, stride=2) * [[1, 2]]), b)
# bad input
conv2d(ones((2, 4, 4)), ones((1, 3, 2, 2)))
conv2d(ones((4, 4)), ones((2, 5)))
conv2d(ones((4, 4)), ones((2, 2)), stride=0)
conv2d(ones((2, 4, 4)), ones((3, 1, 2, 2)), groups=2)
conv2d(ones((4, 4)), ones((2, 2)), groups=2)
max_pool(ones(4), 2)
max_pool(ones((4, 4)), 2, pad=2)
max_pool(ones((4, 4)), (1, 2, 3))
---
f64[n, o, h, w]
f64[n, o, floordiv(h-1, 2), floordiv(w-1, 2)]
f64[n, o, floordiv(h, 2), floordiv(w, 3)]
differentiate: 1 step, 8 -> 11 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 4 nodes
      - «grad(sum»(conv2d(x, «K, pad»=1)), «K»)
      + «d_K = transpose»(conv2d(«transpose(»x, «axes=(1, 0, 2, 3)), transpose(broadcast_to(1.0, (n,
            o, h, w)), axes=(»1«, 0, 2, 3)), pad=1), axes=(1, 0, 2, 3))»
x : f64[n, c, h, w]
K : f64[o, c, 3, 3]
y = conv2d(x, K, pad=1)
conv2d(y, transpose(flip(K, axis=(2, 3)), axes=(1, 0, 2, 3)), pad=1)
x : f64[n, c, h, w]
K : f64[o, c, 3, 3]
jvp(conv2d(x, K, pad=1), (x, K), (match_shape(K, x), match_shape(x, K)))
a : f64[h, w]
k : f64[2, 2]
conv2d(a, conv2d(a, k))
a : f64[h, w]
max_pool(a, size=2, stride=1, pad=1)
a : f64[h, w]
k : f64[p, q]
conv2d(a, k, stride=(2, 1))
f64[2, 3] =
[[1.0, 2.0, 1.0],
 [2.0, 4.0, 2.0]]
f64[2, 2] =
[[3.0, 3.0],
 [3.0, 3.0]]
input.gr:21:25: error: the kernels f64[1, 3, 2, 2] do not fit the channels of f64[2, 4, 4]
    conv2d(ones((2, 4, 4)), ones((1, 3, 2, 2)))
                            ^^^^^^^^^^^^^^^^^^
  hint: kernels are [outputs, channels / groups, rows, columns]
input.gr:22:22: error: a window of 5 columns does not fit into 4
    conv2d(ones((4, 4)), ones((2, 5)))
                         ^^^^^^^^^^^^
  hint: pad=K puts K zeros around x
input.gr:23:43: error: stride cannot be 0
    conv2d(ones((4, 4)), ones((2, 2)), stride=0)
                                              ^
input.gr:24:52: error: 3 outputs cannot be dealt to 2 groups
    conv2d(ones((2, 4, 4)), ones((3, 1, 2, 2)), groups=2)
                                                       ^
input.gr:25:43: error: images without channels have no groups
    conv2d(ones((4, 4)), ones((2, 2)), groups=2)
                                              ^
input.gr:26:10: error: max_pool takes images [.., rows, columns], but this is f64[4]
    max_pool(ones(4), 2)
             ^^^^^^^
input.gr:27:31: error: a border of 2 is more than half a window of 2
    max_pool(ones((4, 4)), 2, pad=2)
                                  ^
input.gr:28:24: error: size is a number, or (rows, columns)
    max_pool(ones((4, 4)), (1, 2, 3))
                           ^^^^^^^^^
exit 1
