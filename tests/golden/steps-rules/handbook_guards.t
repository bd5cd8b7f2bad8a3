# Derivatives that have a value at points where the form of a book has none: they keep it, and are proved equal except there.
x : f64
y : f64
s : f64
a : f64
u : f64[n]
A : f64[n, n]
:equal grad(hypot(x, y), x), x / hypot(x, y)
:equal grad(norm(u), u), u / norm(u)
:equal grad(relu(x)^2, x), 2 * relu(x)
:equal grad(prod(u), u), prod(u) / u
:equal grad(det(A), A), det(A) * inv(A)'
# their programs keep the guard
:graph grad(hypot(x, y), x) pass=specialize
:graph grad(atan(x / a), x) pass=specialize
# the product cancels in log(prod(u)), the power of l in a normal density, and a guard that is subtracted again
:graph grad(log(prod(u)), u) pass=specialize
z : f64[3] = [2.0, 0.0, 4.0]
grad(log(prod(z)), z)
grad(prod(z), z)
:graph grad(log(det(A' @ A)), A) pass=specialize
:graph grad(exp(-a * sum(u^2)), u) pass=specialize
:set allow E R C N+ D O N-
:graph grad(x * atan(x) - 0.5 * log(1 + x^2), x) pass=specialize
---
equal except where nan differs: for x = 0.0, y = 0.0 the left side is 0.0, the right side is nan (by rules of class N-, which is off: guard-hides-back)
differentiate: 1 step, 9 -> 7 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
      grad(hypot(x, y), x) => d_x = where(hypot(x, y) == 0, 0, x / hypot(x, y))
saturate: 1 step, 7 -> 4 nodes, done
  1 iteration, 9 e-nodes in 7 classes, equal
  2  guard-hides-back [N-]    # the choice hides NaN or infinity
      d_x = where(hypot(x, y) == 0, 0, x / hypot(x, y)) => x / hypot(x, y)
nothing to do: inline
equal up to rounding except where nan differs or an operation overflows or underflows: for u = [0.0] the left side is [0.0], the right side is [nan] (by rules of class N-, which is off: guard-hides-back)
differentiate: 3 steps, 7 -> 9 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 2 nodes
      grad(norm(u), u) => d_u = u * expand_dims(where(norm(u) == 0, 0, 1 / norm(u)), axis=0)
  2  broadcast-expand [E]    # the added axes get their final length at once
      broadcast_to(expand_dims(%9, axis=0), (n,)) => broadcast_to(%9, (n,))
  3  broadcast-into [E]    # elementwise operators take scalars as they are
      d_u = u * broadcast_to(%9, (n,)) => u * %9
saturate: 3 steps, 9 -> 3 nodes, done
  1 iteration, 15 e-nodes in 9 classes, equal
  4  guard-hides-back [N-]    # the choice hides NaN or infinity
      where(norm(u) == 0, 0, 1 / norm(u)) => 1 / norm(u)
  5  one-over [E]  1 / norm(u) => reciprocal(norm(u))    # an inverse
  6  quotient-back [R N+ O]    # a quotient is a product
      d_u = u * reciprocal(norm(u)) => u / norm(u)
nothing to do: inline
equal except where nan differs: for x = nan the left side is 0.0, the right side is nan (by rules of classes Z N-, which are off: guard-hides-zero-back)
differentiate: 1 step, 10 -> 7 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 4 nodes
      grad(relu(x)^2, x) => d_x = where(x > 0, 2 * relu(x), 0)
saturate: 1 step, 7 -> 4 nodes, done
  1 iteration, 8 e-nodes in 6 classes, equal
  2  guard-hides-zero-back [Z N-]
      # 0 where it is 0 anyway, or NaN or infinite, which the choice hides
      d_x = where(x > 0, 2 * relu(x), 0) => 2 * relu(x)
nothing to do: inline
equal up to rounding except where nan differs or an operation overflows or underflows: for u = [0.0] the left side is [1.0], the right side is [nan]
differentiate: 4 steps, 7 -> 15 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 2 nodes
      - grad(prod(u), u)
      + d_u = broadcast_to(1.0, (n,)) * (cumprod(concat((broadcast_to(1.0, (1,)), u),
            axis=0)[:n]) * cumprod(concat((u, broadcast_to(1.0, (1,))), axis=0)[1:],
            reverse=true))
  2  broadcast-into [E]    # elementwise operators take scalars as they are
      d_u = broadcast_to(1.0, (n,)) * %16 => 1 * %16
  3  flatten-mul [R O]    # nested products become one product
      d_u = 1 * (%12 * %15) => 1 * %12 * %15
  4  mul-one [E]  d_u = 1 * %12 * %15 => %12 * %15    # 1 is neutral
saturate: 1 step, 15 -> 3 nodes, done
  1 iteration, 17 e-nodes in 15 classes, equal
  5  product-of-others-back [R N+ O]
      # the product of all elements over one is the product of the others
      - d_u = «cumprod(concat((broadcast_to(1.0, (1,)),» u)«, axis=0)[:n]) * cumprod(concat((»u«,
            broadcast_to(1.0, (1,))), axis=0)[1:], reverse=true)»
      + d_u = «prod»(u) «/» u
nothing to do: inline
equal up to rounding except where nan differs or an operation overflows or underflows or one side is an error: for A = [[0.0]] the left side is [[1.0]], the right side is an error (inv: singular matrix) (by rules of class S, which is off: cofactors-back)
differentiate: 4 steps, 9 -> 53 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 2 nodes
      - «grad(det»(A), A)
      + «d_A = 1 * (if slogdet»(A)«[1] <= 0.5 * sum(%13) - (f64(n) + 23) then
            det(transpose(reshape(%34, (%21, %22, %21, %22)), axes=(0, 2, 1, 3))) * f64(1 - 2 *
            %41) else det(»A) «* inv(A'))»
  2  inner [E]  in the then branch of if
    2.1-2  broadcast-expand [E]  2 times    # the added axes get their final length at once
        - broadcast_to(arange(size(A, 1))«[:, None],» (size(A, 1), size(A, 1) - 1))
        + broadcast_to(arange(size(A, 1)), (size(A, 1), size(A, 1) - 1)«, axis=0»)
  3  inner [R O]  in the else branch of if
    3.1  inv-transpose [R O]  inv(A') => inv(A)'    # the inverse of the transpose
  4  mul-one [E]    # 1 is neutral
      - d_A = 1 * %«50»
      + d_A = «if slogdet(A)[»1«] <= 0.5 * sum(%13) - (f64(n) + 23) then det(transpose(reshape(%34,
            (%21, %22, %21, %22)), axes=(0, 2, 1, 3))) * f64(1 - 2 * %41) else det(A) * inv(A)'»
saturate: 1 step, 53 -> 5 nodes, done
  1 iteration, 26 e-nodes in 22 classes, equal
  5  cofactors-back [R N+ S O]
      # the inverse times the determinant has the cofactors, which a singular matrix has, too
      - d_A = if slogdet(A)[1] <= 0.5 * sum(%13) - (f64(n) + 23) then det(transpose(reshape(%34,
            (%21, %22, %21, %22)), axes=(0, 2, 1, 3))) * f64(1 - 2 * %41) else det(A) * inv(A)'
      + d_A = det(A) * inv(A)'
nothing to do: inline
x : f64
y : f64
t1 = hypot(x, y)
where(t1 == 0, 0, x / t1)
x : f64
a : f64
t1 = x / a
where(isinf(t1), 0, reciprocal((1 + sqr(t1)) * a))
u : f64[n]
reciprocal(u)
f64[3] = [0.5, inf, 0.25]
f64[3] = [0.0, 8.0, 0.0]
A : f64[n, n]
2 * inv(A)'
a : f64
u : f64[n]
u * (a * exp(-(a * (u @ u))) * -2)
x : f64
atan(x)
