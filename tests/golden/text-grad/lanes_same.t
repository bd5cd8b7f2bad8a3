# a lane's vector product by one of two values that are the same outside: the listing is of that derivative alone
u : f64[3] = [1, 2, 3]
w = 2 * u
J = jacobian((x, y) -> x * y)(u, u)
J
:graph J
:graph jacobian(x -> u, unconnected=zero)(u)
:graph jacobian(x -> x * w)(u)
jacobian(x -> x * w)(u)
:graph scan t for 2 { j[t] = jacobian((x, y) -> x * y)(u, u)[0] }
---
J : f64[3, 3] =
[[1.0, 0.0, 0.0],
 [0.0, 2.0, 0.0],
 [0.0, 0.0, 3.0]]
u : f64[3]
vmap(ybar -> vjp(value -> value * u)(u, ybar))(eye(3))
u : f64[3]
vmap(ybar -> vjp(value -> u)(u, ybar))(eye(3))
u : f64[3]
w = 2 * u
vmap(ybar -> vjp(value -> value * w)(u, ybar))(eye(3))
f64[3, 3] =
[[2.0, 0.0, 0.0],
 [0.0, 4.0, 0.0],
 [0.0, 0.0, 6.0]]
u : f64[3]
scan t for 2 {
  j[t] = vmap(ybar -> vjp(value -> value * u)(u, ybar))(eye(3))[0]
}
