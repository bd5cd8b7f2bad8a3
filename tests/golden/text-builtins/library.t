# functions of the language in the language: calls by their names, until inline puts their bodies in place
x : f64[n, 4]
y = gelu(x)
:type y
:graph y
:type quantile(x, [0.1, 0.9], axis=0)
:type median(x, axis=1, keepdims=true)
:type top_k(x, 2)
:type meshgrid(x[0], x[:, 0])
:type segment_sum(x, i64(x[:, 0]), 5)
:type layer_norm(f32(x))
:type kron(x, x')
:type histogram(x, 3)
:graph grad(cross_entropy(x, i64(x[:, 0])), x)
:graph vmap(v -> diff(v))(x)
---
f64[n, 4]
x : f64[n, 4]
gelu(x) = 0.5 * x * erfc(x * -0.7071067811865476)
gelu(x)
f64[2, 4]
f64[n, 1]
(f64[n, 2], i64[n, 2])
(f64[n, 4], f64[n, 4])
f64[5, 4]
f32[n, 4]
f64[4*n, 4*n]
(i64[3], f64[4])
x : f64[n, 4]
cross_entropy(target, logits) =
    check(target >= 0 and target < 4,
    mean(-sum(where(one_hot(target, 4) > 0, log_softmax(logits, axis=1), 0), axis=1)),
    message="a class of the target of cross_entropy is not one of the columns")
grad(cross_entropy(i64(x[:, 0]), x), x)
x : f64[n, 4]
diff(x) = x[1:] - x[:3]
vmap(x_2 -> diff(x_2))(x)
