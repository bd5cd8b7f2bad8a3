f = (g=sin, h=cos)
f.g(1.0)
f + f
grad(1.0, f)
(a=f, b=1)
p : (a: (), b: f64)
p : (a: f64 = 3)
x : f64
p = (a=x)
p.a.b
p with .a = (b=1)
p with . = 1
p with .a
().a
(a=1).a
-(a=1, b=true)
2 * ()
() + ()
map(sin, ())
grad(q -> 1.0, ())
scan t for 3 from s = () { s[t] = s[t-1] }
scan t over d = () { s[t] = 1 }
q : (a: rng, b: i64) = (a=rng(1), b=2)
q
2 * q
q := q
vmap(v -> v)((a=[1, 2], b=[3, 4]))
if true then (a=1) else (a=2.0)
h(p) = p
h((a=1, b=(c=x, d=2)))
h(S)
foldl(1, (x, x), 0)
map(1, (a=1))
map((a, b) -> a, (a=1))
S = scan t for 3 from v = 1.0, w = 2.0 { v[t] = w[t-1]; w[t] = v[t-1] }
S + S
-S
S - S.final
h(S).v
S.final with .v = 3
S with .v = [1, 2, 3]
map(sum, S)
u : (W: f64[n], b: f64[?]) = (W=[1, 2], b=[1, 2, 3])
u
u := (W=[1, 2, 3], b=[1])
u
repeat 3 { u := 2 * u }
u
u.W := u.b
(u.W, u.b) := (u.W, u.b)
u.W, u.b := u
u
in a { u.W := [1] }
y = u.W[0] + u.b[0]
u : (W: f64[2])
y
_ := u
z := ()
(a, b), c := ((1, 2), 3)
(a=1) := 3
p.a() := 3
p = (a=1) with .a += 2
p
---
f64 = 0.8414709848078965
input.gr:3:1: error: + needs a tensor here, but this is a function
    f + f
    ^
input.gr:3:5: error: + needs a tensor here, but this is a function
    f + f
        ^
input.gr:4:11: error: grad needs a tensor here, but this is a function
    grad(1.0, f)
              ^
input.gr:5:1: error: this is (a: (g: a function, h: a function), b: i64), not a tensor
    (a=f, b=1)
    ^^^^^^^^^^
input.gr:6:9: error: the type of a tuple has at least one part
    p : (a: (), b: f64)
            ^^
  hint: name it, `(W: f64)`, or write a comma, `(f64,)`
input.gr:7:13: error: expected `)` for the `(` of line 7, column 5, but found `=`
    p : (a: f64 = 3)
                ^
  hint: to compare write `==`; a definition `name = expression` is a statement of its own
input.gr:10:1: error: only a tuple with names and the result of a scan have fields, but this is f64
    p.a.b
    ^^^^^
input.gr:11:13: error: with needs a tensor here, but this is (b: i64)
    p with .a = (b=1)
                ^^^^^
  hint: to compare write `==`; its part is read with .b
input.gr:12:10: error: expected the name of a part after `.`, but found `=`
    p with . = 1
             ^
  hint: to compare write `==`
input.gr:13:10: error: expected `=` or `+=` after `with .part`, but found the end of the line
    p with .a
             ^
input.gr:14:1: error: only a tuple with names and the result of a scan have fields, but this is a tuple
    ().a
    ^^^^
i64 = 1
.a : i64 = -1
.b : i64 = -1
input.gr:20:6: error: grad of a function takes that function alone and gives another one, which takes the rest
    grad(q -> 1.0, ())
         ^^^^^^^^
  hint: grad(f)(x)
input.gr:21:23: error: a state of a scan must be made of tensors, but this is a tuple
    scan t for 3 from s = () { s[t] = s[t-1] }
                          ^^
input.gr:22:13: error: an output of a scan must be made of tensors, but this is a tuple
    scan t over d = () { s[t] = 1 }
                ^
q.a : rng = <rng 0000000000000001 at 00000000000000000000000000000000>
q.b : i64 = 2
input.gr:25:1: error: mul: i64 and rng have no common type
    2 * q
    ^^^^^
(a: i64[2], b: i64[2]) =
a  b
1  3
2  4
.a : f64 = 1.0
(a: i64, b: (c: f64, d: i64))    # x has no value
  h(p_b_c) = (1, p_b_c, 2)
  _, t1, _ = h(x)
  (1, t1, 2)
input.gr:31:3: error: `S` is not defined
    h(S)
      ^
input.gr:32:1: error: `over` runs along axis 0, but xs.0 is f64
    foldl(1, (x, x), 0)
    ^^^^^^^^^^^^^^^^^^^
  hint: `for` gives a number of steps
input.gr:33:1: error: this is i64, not a function
    map(1, (a=1))
    ^^^^^^^^^^^^^
input.gr:34:1: error: the function needs a value for b
    map((a, b) -> a, (a=1))
    ^^^^^^^^^^^^^^^^^^^^^^^
(v: f64[3], w: f64[3]) =
  v    w
4.0  2.0
2.0  4.0
4.0  2.0
(v: f64[3], w: f64[3]) =
   v     w
-2.0  -1.0
-1.0  -2.0
-2.0  -1.0
(v: f64[3], w: f64[3]) =
   v    w
 0.0  0.0
-1.0  1.0
 0.0  0.0
f64[3] = [2.0, 1.0, 2.0]
.v : f64 = 3.0
.w : f64 = 1.0
(v: f64[3], w: f64[3]) =
  v    w
1.0  1.0
2.0  2.0
3.0  1.0
.v : f64 = 5.0
.w : f64 = 4.0
u.W : f64[2] = [1.0, 2.0]
u.b : f64[3] = [1.0, 2.0, 3.0]
u.W : f64[3] = [1.0, 2.0, 3.0]
u.b : f64[1] = [1.0]
u.W : f64[3] = [8.0, 16.0, 24.0]
u.b : f64[1] = [8.0]
u.W : f64[1] = [8.0]
u.b : f64[1] = [8.0]
input.gr:53:8: error: inside `in` only shared variables are stored; u.W is not one
    in a { u.W := [1] }
           ^^^
input.gr:55:1: note: these definitions still refer to the previous `u`: y
    u : (W: f64[2])
    ^^^^^^^^^^^^^^^
y : f64 = 16.0
input.gr:57:1: error: u.W has no value
    _ := u
    ^^^^^^
  hint: give it one with :=
input.gr:58:6: error: z cannot be given a tuple without tensors
    z := ()
         ^^
input.gr:59:1: error: only names are allowed to the left of `:=`
    (a, b), c := ((1, 2), 3)
    ^^^^^^
input.gr:60:1: error: only names are allowed to the left of `:=`
    (a=1) := 3
    ^^^^^
input.gr:61:1: error: only names are allowed to the left of `:=`
    p.a() := 3
    ^^^^^
  hint: a function is defined by `f(x, y=1) = expression`
p.a : i64 = 3
exit 1
