# Where derivatives stop: paths, what ends each, on which line.
x : f64 = 2.5
v : f64[4] = [1.0, -2.0, 3.0, 0.5]
p = floor(3 * x)
:whynot grad(p * p, x)
:whynot grad(sign(x) + round(x), x)
:whynot grad(where(x > 1, 2.0, 3.0), x)
:whynot grad(2 * stop_gradient(x), x)
:whynot grad(f64(i64(x)) * 2, x)
:whynot grad(f64(argmax(v)), v)
# only `until` reads it; the states that it counts flow nowhere
S = scan t for 9 from h = 0.0 {
  h[t] = h[t-1] + 1
  until h[t] > x
}
:whynot grad(S.final, x)
# truncated; the whole of it
T = scan t for 6 from g = x { g[t] = 0.5 * g[t-1] }
:whynot grad(T.final, x, truncate=2)
:whynot grad(T.final, x)
# at these values: a branch that does not run, relu of negative numbers, what is not chosen
:whynot grad(if x > 3 then sin(x) else 1.0, x)
:whynot grad(relu(x - 4), x)
:whynot grad(where(x > 3, x, 1.0), x)
# in functions and maps, some lanes and none
f(a) = 2 * floor(a) + 1
:whynot grad(f(x) * f(x), x)
:whynot grad(sum(map(a -> relu(a) + floor(a), v)), v)
:whynot grad(sum(map(a -> relu(a - 9), v)), v)
# several derivatives; it flows on one path and stops on another
:whynot grad(x * sum(v) + floor(x), [x, v])
# of a definition
g = grad(floor(x), x)
:whynot (g)
# without a value only the structure speaks
z : f64
:whynot grad(relu(z) + floor(z), z)
# The note: where the value is shown, once, and only if it is zero whatever the inputs are.
grad(p, x)
g
grad(relu(x - 4), x)
grad(x * floor(x), x)
1 + grad(p, x)
# A nan: the operation, its line, what it was of, the step.
:trace nan grad(sum(sqrt(v * v - 1)), v)
w : f64[4] = [1, 4, 0, 9]
R = scan t over w from r = 1.0 {
  r[t] = 0.9 * r[t-1] +
         sqrt(w[t])
}
:trace nan grad(R.final, w)
:trace nan grad(if x > 1 then sum(w ^ 0.5) else 0.0, w)
:trace nan grad(x * x, x)
# what derivatives read, without a loop
h = tanh(v * x)
:explain grad(sum(exp(h) * h), v)
# bad input
:whynot sin(x)
:whynot grad(x, v)
:whynot grad(
---
the derivative with respect to x is 0 for all inputs
  x -> 3 * x -> p (input.gr:4:5): floor is flat wherever it is smooth
the derivative with respect to x is 0 for all inputs
  x -> sign(x) (input.gr:6:14): sign is flat wherever it is smooth
  x -> round(x) (input.gr:6:24): round is flat wherever it is smooth
the derivative with respect to x is 0 for all inputs
  x -> x > 1 (input.gr:7:20): a truth value has no derivative
the derivative with respect to x is 0 for all inputs
  x -> stop_gradient(x) (input.gr:8:18): stop_gradient
the derivative with respect to x is 0 for all inputs
  x -> i64(x) (input.gr:9:18): cast to i64, which has no derivative
the derivative with respect to v is 0 for all inputs
  v -> argmax(v) (input.gr:10:18): argmax gives a whole number
the derivative with respect to x is 0 for all inputs
  x -> h[t-1] + 1 > x (input.gr:14:9): only `until` reads it
the derivative with respect to x is 0 for all inputs
  x -> g[t-1] (input.gr:18:5): truncate= lets nothing flow from before the last steps
the derivative with respect to x flows
  x -> g[t-1] -> g[t] -> scan(6, from=x).final: it flows
the derivative with respect to x is 0 at these values
  x -> sin(x) -> if x > 3 then sin(x) else 1.0 (input.gr:22:17): this branch does not run
  x -> x > 3 (input.gr:22:17): a truth value has no derivative
the derivative with respect to x is 0 at these values
  x -> x - 4 -> relu(x - 4) (input.gr:23:14): the derivative of relu is 0 there: x - 4 = -1.5
the derivative with respect to x is 0 at these values
  x -> where(x > 3, x, 1) (input.gr:24:14): the derivative of where is 0 there: x = 2.5
  x -> x > 3 (input.gr:24:20): a truth value has no derivative
the derivative with respect to x is 0 for all inputs
  x -> a -> floor(a) (input.gr:26:12): floor is flat wherever it is smooth
the derivative with respect to v flows
  v -> a[i] -> relu(a[i]) -> out[i] -> out -> sum(scan(4, over=v).trace): it flows
  v -> a[i] -> floor(a[i]) (input.gr:28:37): floor is flat wherever it is smooth
the derivative with respect to v is 0 at these values
  v -> a[i] -> a[i] - 9 -> out[i] (input.gr:29:27): the derivative of relu is 0 there: a[i] - 9 = [-8, -11, -6, -8.5]
the derivative with respect to x flows
  x -> x * sum(v) -> x * sum(v) + floor(x): it flows
  x -> floor(x) (input.gr:31:27): floor is flat wherever it is smooth
the derivative with respect to v flows
  v -> sum(v) -> x * sum(v) -> x * sum(v) + floor(x): it flows
the derivative with respect to x is 0 for all inputs
  x -> floor(x) (input.gr:33:10): floor is flat wherever it is smooth
the derivative with respect to z flows
  z -> relu(z) -> relu(z) + floor(z): it flows
  z -> floor(z) (input.gr:37:24): floor is flat wherever it is smooth
f64 = 0.0
input.gr:39:1: note: the derivative with respect to x is 0 for all inputs; p (input.gr:4:5): floor is flat wherever it is smooth
    grad(p, x)
    ^^^^^^^^^^
g : f64 = 0.0
input.gr:40:1: note: the derivative with respect to x is 0 for all inputs; floor(x) (input.gr:33:10): floor is flat wherever it is smooth
    g
    ^
f64 = 0.0
f64 = 2.0
f64 = 1.0
broadcast_to(0.5, (4,)) / sqrt(v * v - 1) makes inf at [0]
  in the derivative of sqrt(v * v - 1), input.gr:45:21
  where broadcast_to(0.5, (4,)) = [0.5, 0.5, 0.5, 0.5]
  where sqrt(v * v - 1) = [0, 1.73205, 2.82843, nan]
  on its way to the result: broadcast_to(0.5, (4,)) / sqrt(v * v - 1) -> d_v
0.5 * d_r[t] / sqrt(w[t]) makes inf
  in the derivative of sqrt(w[t]), input.gr:49:10
  in step 1 of scan d_r, which goes back through step 2
  where 0.5 * d_r[t] = 0.45
  where sqrt(w[t]) = 0
  on its way to the result: d_w[t] -> d_w
w^-0.5 makes inf at [2]
  in the derivative of w ^ 0.5, input.gr:52:35
  where w = [1, 4, 0, 9]
  on its way to the result: w^-0.5 -> (0.5 * broadcast_to(1.0, (4,))) * w^-0.5 -> d_w
no nan and no infinity in the value
grad(sum(exp(h) * h), v)

loops
  none

saved for the backward pass, and whose derivative reads it (+1: one more)
  h  f64[4], 32 bytes: `tanh(v * x)` input.gr:55, +1
  `exp(h)`  f64[4], 32 bytes: `exp(h)` input.gr:56, +1
  2 values, in all 64 bytes

what is computed
  in all: 3 mul, 1 add, 1 exp, 1 sqr, 1 sub, 1 tanh; 36 operations

cost
  36 operations; 72 bytes read and written

rewrites that made the difference
  8 of 9 steps changed the cost: operations, and numbers read and written
    9 fuse: -63 %, 123 to 45; one kernel computes d_v from x, v
    3 mul-one: -8 %, 162 to 149; 1 * exp(h) => exp(h)
    5 mul-one: -9 %, 140 to 127; 1 * h => h = tanh(v * x)
    4 broadcast-into: -6 %, 149 to 140; broadcast_to(1.0, (4,)) * h => 1 * h
    6 flatten-mul: -6 %, 127 to 119; d_v = (%14 * %16) * x => %14 * %16 * x
input.gr:58:9: error: :whynot takes the name of a rule, or a derivative: grad(E, x)
    :whynot sin(x)
            ^^^^^^
  hint: :rules lists the rules
input.gr:59:9: error: this value does not depend on v, so there is nothing to differentiate
    :whynot grad(x, v)
            ^^^^^^^^^^
  hint: if a zero gradient is intended, pass unconnected=zero
input.gr:60:13: error: this `(` is never closed
    :whynot grad(
                ^
exit 1
