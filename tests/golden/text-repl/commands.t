# Commands on one expression.
x : f64[n]
y = sum(log(1 + x * 1))
:type y
:type (x, y)
:graph y ssa=on
:graph y ssa=on pass=canonicalize
:steps y
:step y
:why %5 y
:graph f(1, step=3)
f(a, step=1) = a + step
:type f(1, step=3)
:help tanh
:help type
shared W : f64[2] = [1, 2]
in alt { W := W * 2 }
:vars
---
f64
(f64[n], f64)
%1 : f64[n] = input{name=x}()
%2 : f64[n] = mul(%1, 1.0)
%3 : f64[n] = add(1.0, %2)
%4 : f64[n] = log(%3)
%5 : f64 = sum{axes=(0,)}(%4)  # y
return %5
%1 : f64[n] = input{name=x}()
%3 : f64[n] = add(1.0, %1)
%4 : f64[n] = log(%3)
%5 : f64 = sum{axes=(0,)}(%4)  # y
return %5
canonicalize: 1 step, 6 -> 5 nodes, done
  1  mul-one [E]  x * 1 => x    # 1 is neutral
stabilize: 1 step, 5 -> 3 nodes, done
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
fuse: 1 step, 3 -> 6 nodes, done
  3  fuse [E]
      # one pass, tile by tile; 1 operator and 1 reduction over f64[n]; 8 bytes per element not
      # stored
      one kernel computes y from x
nothing to do: inline, differentiate, simplify, expand, loops, specialize, lower
0/3  start
  = sum(log(1 + x * 1))
1/3  canonicalize, mul-one [E]
    # 1 is neutral
    - x * 1
    + x
    used in 1 + x
2/3  stabilize, log1p [R]
    # accurate for small x
    - log(1 + x)
    + log1p(x)
    used in y = sum(%6)
3/3  fuse, fuse [E]
    # one pass, tile by tile; 1 operator and 1 reduction over f64[n]; 8 bytes per element not stored
    one kernel computes y from x
    y = sum(log1p(x))
%5 : f64 = sum{axes=(0,)}(%6)
  from the source: sum(log(1 + %2))
  written at input.gr:3:5: sum(log(1 + x * 1))
  changed by step 2, stabilize: log1p
      # accurate for small x
      - y = sum(«log(1 +» x))
      + y = sum(«log1p»(x))
  gone at step 3, fuse: fuse
      - y = «sum(log1p(x))»
      + y = «%9»
input.gr:11:8: error: `f` is not defined
    :graph f(1, step=3)
           ^
i64
tanh(x)
Hyperbolic tangent.
  class       elementwise
  dtypes      bool, i32, i64 give f64; f32, f64 stay
  derivative  d tanh(x) = (1 - y * y) dx, y = tanh(x)
  see also    atanh, sigmoid
    tanh([0, 0.5, 100])  # => [0.0, 0.46211715726000974, 1.0]
    x : f64 = 0.5
    grad(tanh(x), x) == 1 - tanh(x) ^ 2  # => true
:type [EXPR]
show the type of an expression
Nothing is evaluated; sizes stay symbolic.
    x : f64[n]
    :type grad(sum(x ^ 3), x)

Types
A type consists of a dtype and sizes, and appears only after `:`. The dtypes are `bool i32 i64 f32
f64`, and `rng` for the state of a random generator. `f64` is a scalar, `f64[n, 3]` a matrix,
`f64[n+1]` one longer than n, `f64[?]` of unknown length. A cast is a function: `f32(x)`.

    x : f64[n, 3]
    :type x  # => f64[n, 3]
    :type x @ x'  # => f64[n, n]
    :type i64(x) + 1  # => i64[n, 3]
    :type argmax(x, axis=1)  # => i64[n]
x  input       f64[n]
y  definition  f64                  sum(log(1 + x * 1))
f  function    function(a, step=1)  a + step
W  shared      f64[2]               [1, 2]
in default:
  W : f64[2] = [1.0, 2.0]
in alt:
  W : f64[2] = [2.0, 4.0]
exit 1
