# shows: g.gr
# A graph goes to a file as a program; loading it keeps the inputs that are there.
x : f64[4] = [1, 2, 3, 4]
shared w : f64 = 2
L = scan t over x from s = 0.5 { s[t] = tanh(s[t-1] * x[t]); o[t] = w * s[t]; until s[t] > 3 }
g = grad(sum(L.o), x)
g
:graph g g.gr pass=lower
:load g.gr
:graph g g.graph
:load g.graph
:graph g g.gr ssa=on
# what was read back as another graph, or not at all
f(u) = u * 2 + 1
:graph f(zeros_like(x)) + f(x[0])
y = { f(a) = 2 * a; h = f; f(u) = sum(h(u)) * h(u); f(x) }
:graph y
:graph flip(x, axis=())
v : f32
:graph (x[0] + -0.0, v + f32(-0.0))
z : f64[3 - 2 * n]
q : f64[d0]
:graph (z, size(q))
linspace(rng(1), 1, 3)
---
g : f64[4] = [1.63646, 0.499468, 0.0724976, 0.00319446]
f64[4] = [1.63646, 0.499468, 0.0724976, 0.00319446]
input.gr:10:10: error: :graph writes no such file as g.graph
    :graph g g.graph
             ^^^^^^^
  hint: end it in .gr
input.gr:11:7: error: g.graph: a file of numbered nodes cannot be read
    :load g.graph
          ^^^^^^^
  hint: `:graph EXPR FILE.gr` writes a graph as a program, which can be read
input.gr:12:10: error: numbered nodes are for the screen
    :graph g g.gr ssa=on
             ^^^^
  hint: without ssa=on the file can be read again
x : f64[4]
f(u) = u * 2 + 1
f_2(u) = u * 2 + 1
f(f64(broadcast_to(0.0, (4,)))) + f_2(x[0])
x : f64[4]
f_2(a) = 2 * a
f(u) = {
  t1 = f_2(u)
  sum(t1) * t1
}
f(x)
x : f64[4]
flip(x, axis=())
x : f64[4]
v : f32
(x[0] + -0.0, v + -0.0)
z : f64[-2*n+3]
_ : f64[d0]
(z, d0)
input.gr:24:1: error: linspace takes numbers
    linspace(rng(1), 1, 3)
    ^^^^^^^^^^^^^^^^^^^^^^
exit 3
