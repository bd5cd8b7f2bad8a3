x : f64[3] = [0.1, 0.2, 0.3]
w : f64 = 2
y = sin(x) * w
# several tangents; a tuple for y; a function
jvp(y, (x, w), ([1.0, 0, 0], 1.0))
jvp(y, [x, w], [[1.0, 0, 0], 1.0])
jvp((y, sum(y)), x, [1.0, 0, 0])
jvp((a, b) -> sin(a) * b)(x, w, [1.0, 0, 0])
jvp((a, b) -> sin(a) * b)(x, w, ([1.0, 0, 0], 1.0))
jvp(z -> (z, z * z))(2.0, 1.0)
jvp(jvp(z -> z ^ 3))(2.0, 1.0, 1.0)
# y depends on w: each derivative is the total one
jvp(sum(y) * w, (y, w), ([1.0, 0, 0], 1.0))
# nothing leaks from the branch not taken, at any order
m = where(x > 0.15, x - 0.15, 0)
jvp(where(m > 0, sqrt(m), 0), x, [1.0, 1, 1])
jvp(sqrt(m), x, [1.0, 1, 1])
jvp(jvp(where(m > 0, sqrt(m), 0), x, [1.0, 1, 1]), x, [1.0, 1, 1])
jvp(grad(sum(where(m > 0, sqrt(m), 0)), x), x, [1.0, 1, 1])
jvp(if w > 3 then log(w - 2) else w * w, w, 1.0)
# values and tangents in one loop, under until, without a Hessian
W : f64[3, 3] = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]]
S = scan t for 9 from h = x { h[t] = tanh(W @ h[t-1]); until sum(h[t]) > 2.1 }
(S.steps, S.final, jvp(S.final, x, [1.0, 0, 0]))
:graph jvp(S.final, x, [1.0, 0, 0]) ssa=on pass=specialize
jvp(grad(sum(S.final), x), x, [1.0, 0, 0])
# what cannot be
jvp(y, (x, w), ([1.0, 0, 0],))
jvp(y, x, ([1.0, 0, 0], 1.0))
jvp(y, x, [1.0, 0])
jvp(z -> z * z)(2.0)
jvp(z -> z * z)(2.0, (1.0, 2.0))
jvp("a", x, x)
jvp(y, 3.0, 1.0)
---
f64[3] = [2.08984, 0.198669, 0.29552]
f64[3] = [2.08984, 0.198669, 0.29552]
[0] : f64[3] = [1.99001, 0.0, 0.0]
[1] : f64 = 1.9900083305560514
f64[3] = [1.99001, 0.0, 0.0]
f64[3] = [2.08984, 0.198669, 0.29552]
[0] : f64 = 1.0
[1] : f64 = 4.0
f64 = 12.0
f64 = 4.376091816412917
f64[3] = [0.0, 2.23607, 1.29099]
f64[3] = [0.0, 2.23607, 1.29099]
f64[3] = [0.0, -22.3607, -4.30331]
f64[3] = [0.0, -22.3607, -4.30331]
f64 = 4.0
[0] : i64 = 5
[1] : f64[3] = [0.418423, 0.776714, 0.925817]
[2] : f64[3] = [0.0981158, 0.118463, 0.0683279]
%1 : f64[3] = input{name=x}()
%3 : f64[3] = const{value=[1.0, 0.0, 0.0]}()
%2 : f64[3, 3] = input{name=W}()
@1 = graph(p0: f64[3], p1: f64[3], p2: f64[3, 3]) {  # p0 "h[t-1]", p1 "dot_h[t-1]", p2 W
  %4 : f64[3] = matmul(p2, p0)
  %5 : f64[3] = tanh(%4)  # "h[t]"
  %12 : f64[3] = matmul(p2, p1)
  %17 : f64[3] = sqr(%5)
  %14 : f64[3] = sub(1.0, %17)
  %15 : f64[3] = mul(%12, %14)  # "dot_h[t]"
  %6 : f64 = sum{axes=(0,)}(%5)
  %7 : bool = gt(%6, 2.1)
  return %5, %15, %7
}
%8 : (f64[3], f64[3], i64, bool) = scan{body=@1, reverse=false, stop=true}(n=9, init=%1, init=%3, capture=%2)
%16 : f64[3] = %8.1
return %16
f64[3] = [-0.99242, -1.22075, -1.44909]
input.gr:28:16: error: jvp of (f64[3], f64) needs a vector for each part, but this is (f64[3],)
    jvp(y, (x, w), ([1.0, 0, 0],))
                   ^^^^^^^^^^^^^^
  hint: jvp(y, (x, w), (dx, dw))
input.gr:29:11: error: jvp of f64[3] needs one vector, but this is (f64[3], f64)
    jvp(y, x, ([1.0, 0, 0], 1.0))
              ^^^^^^^^^^^^^^^^^^
  hint: jvp(y, x, dx)
input.gr:30:11: error: this vector has type f64[2] but f64[3] is needed
    jvp(y, x, [1.0, 0])
              ^^^^^^^^
input.gr:31:1: error: jvp(f) takes the arguments of f, then the tangent of the first
    jvp(z -> z * z)(2.0)
    ^^^^^^^^^^^^^^^^^^^^
  hint: jvp(f)(x, dx)
input.gr:32:1: error: 2 tangents for 1 argument of the function
    jvp(z -> z * z)(2.0, (1.0, 2.0))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: jvp(f)(x, w, (dx, dw))
input.gr:33:5: error: jvp differentiates tensors, but this is a string
    jvp("a", x, x)
        ^^^
input.gr:34:1: error: there is no derivative with respect to a constant
    jvp(y, 3.0, 1.0)
    ^^^^^^^^^^^^^^^^
  hint: declare it as an input: x : f64 = 2
exit 1
