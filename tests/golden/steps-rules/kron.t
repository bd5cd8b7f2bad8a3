# Kronecker products: what is asked of the whole is asked of the factors.
A : f64[n, n]
B : f64[m, m]
C : f64[n, n]
D : f64[m, m]
:steps kron(A, B) @ kron(C, D)
:graph trace(kron(A, B)) pass=simplify
:graph det(kron(A, B)) pass=simplify
:equal kron(A, B)', kron(A', B')
:equal inv(kron(A, B)), kron(inv(A), inv(B))
a = [[1.0, 2.0], [3.0, 4.0]]
b = [[0.0, 1.0, 2.0], [1.0, 1.0, 0.0], [2.0, 0.0, 3.0]]
trace(kron(a, b))
det(kron(a, b))
sum(abs(kron(a, b) @ kron(inv(a), inv(b)) - eye(6))) < 1e-12
---
inline: 2 steps, 35 -> 24 nodes, done
  1-2  inline-call [E]  2 times    # a call is replaced with the function's body; the body of kron
      e.g. kron(D, C) => reshape(C[:, None, :, None] * D[None, :, :][:, :, None, :], (n * m, n * m))
canonicalize: 13 steps, 24 -> 13 nodes, done
  3-10  broadcast-expand [E]  8 times    # the added axes get their final length at once
      - broadcast_to(C[:, None, :«, None»], (n, m, n, m))
      + broadcast_to(C[:, None, :], (n, m, n, m)«, axis=(0, 1, 2))»
  11  kron-product [R N+ O]    # the product of Kronecker products is that of their factors
      - reshape(%32 * %33, (n * m, n * m)) @ reshape(%25 * %28, (n * m, n * m))
      + reshape(%37[:, :, :, None] * %41[:, :, None, :], (n * m, n * m))
  12-15  broadcast-expand [E]  4 times    # the added axes get their final length at once
      - broadcast_to((B @ D)[None, :, :]«[:, :, None, :], (»n, m, «n, m»))
      + broadcast_to((B @ D)[None, :, :], «(n, m», n, m«), axis=(0, 1, 3»))
nothing to do: stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
A : f64[n, n]
B : f64[m, m]
trace(A) * trace(B)
A : f64[n, n]
B : f64[m, m]
det(A)^f64(m) * det(B)^f64(n)
equal
inline: 2 steps, 35 -> 24 nodes, done
  1-2  inline-call [E]  2 times    # a call is replaced with the function's body; the body of kron
      e.g. kron(B, A) => reshape(A[:, None, :, None] * B[None, :, :][:, :, None, :], (n * m, n * m))
saturate: 1 step, 24 -> 15 nodes, done
  1 iteration, 28 e-nodes in 23 classes, equal
  3  kron-transpose [E]    # the transpose of a Kronecker product
      - reshape(A[:, None, :, None] * B[None, :, :][:, :, None, :], (n * m, n * m))«'»
      + reshape(A«'»[:, None, :, None] * B«'»[None, :, :][:, :, None, :], (n * m, n * m))
nothing to do: differentiate
equal up to rounding except where nan differs or an operation overflows or underflows or one side is an error: for A = [[0.0]], B = [[inf]] the left side is [[nan]], the right side is an error (inv: singular matrix) (by rules of class S, which is off: kron-inverse)
inline: 2 steps, 35 -> 24 nodes, done
  1-2  inline-call [E]  2 times    # a call is replaced with the function's body; the body of kron
      e.g. kron(B, A) => reshape(A[:, None, :, None] * B[None, :, :][:, :, None, :], (n * m, n * m))
saturate: 1 step, 24 -> 15 nodes, done
  1 iteration, 28 e-nodes in 23 classes, equal
  3  kron-inverse [R N+ S O]
      # the inverse of a Kronecker product; a singular matrix may go unnoticed
      - «inv(»reshape(A[:, None, :, None] * B[None, :, :][:, :, None, :], (n * m, n * m))«)»
      + reshape(«inv(»A«)»[:, None, :, None] * «inv(»B«)»[None, :, :][:, :, None, :], (n * m, n * m))
nothing to do: differentiate
f64 = 20.0
f64 = -392.0000000000001
bool = true
