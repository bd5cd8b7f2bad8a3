x : f64[n, 2] = [[1, 2], [3, 4], [5, 6]]
y : f64[n] = [1, 2, 3]
shared p : (W: f64[2], b: f64) = (W=[0.1, 0.2], b=0)
p
loss(p) = mean((x @ p.W + p.b - y) ^ 2)
p := p - 0.01 * grad(loss)(p)
p
repeat 100 { p := p - 0.01 * grad(loss)(p) }
p
p.b := 7
p.W := [1, 2]
p
p.W, p.b := p.W * p.b, sum(p.W)
p
in alt { p := 2 * p; p; p.b := 0 }
p
in alt { p }
q : (f64, i64[3]) = (1, [1, 2, 3])
q
q[0] := 5
q[1] := [4, 5, 6]
q
:type q
r : (a: f64[m], b: f64[m]) = (a=[1, 2], b=[3, 4])
r := (a=[1, 2, 3], b=[1, 2, 4])
r
V, v := (p.W * 2, 5)
V
v
(V, v) := (V + 1, v + 1)
V
s, t := (p, 3)
s
s.b := 11
s
N : (inner: (a: f64, b: f64), c: i64) = (inner=(a=1, b=2), c=3)
N.inner.a := 9
N
N.inner := (a=4, b=5)
N
_, k := (p, 3)
k
:vars
:undo 1
N.inner.a
p : (W: f64[2], b: f64)
p
p + p
p := (W=[1, 2], b=3)
p
p : (W: f64[2], b: f64)
p
p : (W: f64[2])
p
# mistakes
p := (W=[1.0, 2.0], b=3)
p := 3
p.W := [1, 2, 3]
p.W := true
p.z := 3
z.w := 3
r.a := [1.0]
r := (a=[1, 2, 3], b=[1, 2])
r : (a: f64[m], b: f64[m]) = (a=[1, 2], b=[1, 2, 3])
r : (a: f64, b: f64) = (1, 2)
x[0] := 3
d = (W=x, b=y)
d := (W=1.0, b=1.0)
d.W := 1.0
p, p.W := p, [1, 2]
in alt { N := N }
shared u : (W: f64)
u : (W: f64, W: f64)
u : (W: f64, f64)
u : (f64)
u : ()
u : (W: float)
u : (W: f64[2, b: f64)
---
p.W : f64[2] = [0.1, 0.2]
p.b : f64 = 0.0
p.W : f64[2] = [0.164667, 0.282667]
p.b : f64 = 0.017999999999999995
p.W : f64[2] = [0.175667, 0.346516]
p.b : f64 = 0.07084878000998408
p.W : f64[2] = [1.0, 2.0]
p.b : f64 = 7.0
p.W : f64[2] = [7.0, 14.0]
p.b : f64 = 3.0
p.W : f64[2] = [14.0, 28.0]
p.b : f64 = 6.0
p.W : f64[2] = [7.0, 14.0]
p.b : f64 = 3.0
p.W : f64[2] = [14.0, 28.0]
p.b : f64 = 0.0
q[0] : f64 = 1.0
q[1] : i64[3] = [1, 2, 3]
q[0] : f64 = 5.0
q[1] : i64[3] = [4, 5, 6]
(f64, i64[3])
r : (a: f64[3], b: f64[3]) =
  a    b
1.0  1.0
2.0  2.0
3.0  4.0
V : f64[2] = [14.0, 28.0]
v : i64 = 5
V : f64[2] = [15.0, 29.0]
s.W : f64[2] = [7.0, 14.0]
s.b : f64 = 3.0
s.W : f64[2] = [7.0, 14.0]
s.b : f64 = 11.0
N.inner.a : f64 = 9.0
N.inner.b : f64 = 2.0
N.c : i64 = 3
N.inner.a : f64 = 4.0
N.inner.b : f64 = 5.0
N.c : i64 = 3
k : i64 = 3
x     input     f64[n, 2]                          [[1, 2], [3, 4], [5, 6]]
y     input     f64[n]                             [1, 2, 3]
p     shared    (W: f64[2], b: f64)                (W=[7, 14], b=3)
loss  function  function(p)                        mean((x @ p.W + p.b - y)^2)
q     input     (f64, i64[3])                      (5, [4, 5, 6])
r     input     (a: f64[m], b: f64[m])             (a=[1, 2, 3], b=[1, 2, 4])
V     input     f64[2]                             [15, 29]
v     input     i64                                6
s     input     (W: f64[2], b: f64)                (W=[7, 14], b=11)
t     input     i64                                3
N     input     (inner: (a: f64, b: f64), c: i64)  (inner=(a=4, b=5), c=3)
k     input     i64                                3
in default:
  p.W : f64[2] = [7.0, 14.0]
  p.b : f64 = 3.0
in alt:
  p.W : f64[2] = [14.0, 28.0]
  p.b : f64 = 0.0
k has no meaning any more
f64 = 4.0
p : (W: f64[2], b: f64)    # p.W has no value
  (p.W, p.b)
(W: f64[2], b: f64)    # p.W has no value
  (p.W + p.W, p.b + p.b)
p.W : f64[2] = [1.0, 2.0]
p.b : f64 = 3.0
p.W : f64[2] = [1.0, 2.0]
p.b : f64 = 3.0
p : (W: f64[2])    # p.W has no value
  p.W
input.gr:56:6: error: p is declared as (W: f64[2]) but this value is (W: f64[2], b: i64)
    p := (W=[1.0, 2.0], b=3)
         ^^^^^^^^^^^^^^^^^^^
  hint: its value is a tuple of these names in this order
input.gr:57:6: error: p is declared as (W: f64[2]) but this value is i64
    p := 3
         ^
  hint: its value is a tuple of these names in this order
input.gr:58:1: error: p.W is declared as f64[2] but this value is f64[3]
    p.W := [1, 2, 3]
    ^^^
input.gr:59:8: error: p.W is declared as f64 but this value is bool
    p.W := true
           ^^^^
  hint: write f64(...) to convert it
input.gr:60:1: error: p.z is not part of a declared tuple
    p.z := 3
    ^^^
  hint: declare the tuple with this part: p : (W: f64[2], b: f64)
input.gr:61:1: error: z.w is not part of a declared tuple
    z.w := 3
    ^^^
  hint: declare the tuple with this part: p : (W: f64[2], b: f64)
input.gr:62:1: error: m is 1 by r.a but 3 by r.b
    r.a := [1.0]
    ^^^
  hint: assign a matching value to the other in the same statement; `:reset` forgets everything
input.gr:63:1: error: m is 3 by r.a but 2 by r.b
    r := (a=[1, 2, 3], b=[1, 2])
    ^
  hint: assign a matching value to the other in the same statement; `:reset` forgets everything
input.gr:64:30: error: m is 2 by r.a but 3 by r.b
    r : (a: f64[m], b: f64[m]) = (a=[1, 2], b=[1, 2, 3])
                                 ^^^^^^^^^^^^^^^^^^^^^^^
  hint: assign a matching value to the other in the same statement; `:reset` forgets everything
input.gr:65:24: error: r is declared as (a: f64, b: f64) but this value is (i64, i64)
    r : (a: f64, b: f64) = (1, 2)
                           ^^^^^^
  hint: its value is a tuple of these names in this order
input.gr:66:1: error: only a part of a declared tuple can be stored by its index
    x[0] := 3
    ^^^^
  hint: values do not change; write `y = x with [i] = v` or `x := x with [i] = v`
input.gr:68:1: error: d is a definition; only inputs and shared variables can be given values
    d := (W=1.0, b=1.0)
    ^
  hint: declare it as an input, x : f64 = 1
input.gr:69:1: error: d.W is not part of a declared tuple
    d.W := 1.0
    ^^^
  hint: declare the tuple with this part: p : (W: f64[2], b: f64)
input.gr:70:4: error: p.W is stored twice in one statement
    p, p.W := p, [1, 2]
       ^^^
input.gr:71:10: error: inside `in` only shared variables are stored; N.inner.a is not one
    in alt { N := N }
             ^
input.gr:72:1: error: the shared variable u needs a value
    shared u : (W: f64)
    ^^^^^^^^^^^^^^^^^^^
  hint: write shared W : f64[2] = [1, 2]
input.gr:73:14: error: two parts of this tuple have the name `W`
    u : (W: f64, W: f64)
                 ^
  hint: give one of them another name
input.gr:74:14: error: either all parts of a tuple have names or none
    u : (W: f64, f64)
                 ^^^
  hint: name all of them: `(W: f64[2, 2], b: f64)`
input.gr:75:5: error: a tuple of one part has a name or a comma
    u : (f64)
        ^^^^^
  hint: name it, `(W: f64)`, or write a comma, `(f64,)`
input.gr:76:5: error: the type of a tuple has at least one part
    u : ()
        ^^
  hint: name it, `(W: f64)`, or write a comma, `(f64,)`
input.gr:77:9: error: there is no dtype float
    u : (W: float)
            ^^^^^
  hint: write f64, with sizes f64[n]; the dtypes are bool i32 i64 f32 f64 rng
input.gr:78:17: error: expected `]` for the `[` of line 78, column 12, but found `:`
    u : (W: f64[2, b: f64)
                    ^
  hint: `name : type` declares an input; only a single name is allowed before `:`
exit 1
