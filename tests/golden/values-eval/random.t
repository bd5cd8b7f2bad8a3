r = rng(7)
a, r1 = uniform(r, 2)
a
uniform(r, 2)[0]
b, _ = normal(r, 2)
a + b
a * b
rng(7)
# a note within a loop, and for a loop that draws the same in every step
scan t for 2 from s = r1 { x[t], s[t] = uniform(s[t-1]); y[t] = x[t] + normal(s[t-1])[0] }
scan t for 2 { x[t] = uniform(r1)[0] }
# functions and branches: one branch runs
f(s) = normal(s)[0]
q = split(r1, 2)
f(q[0]) + uniform(q[0])[0]
if a[0] > 0 then uniform(q[1])[0] else normal(q[1])[0]
# derivatives compute again what was drawn
x : f64[3] = [1, 2, 3]
m, r2 = bernoulli(r1, sigmoid(x))
value_and_grad(sum(where(m, x, 0)), x)
# as it should be
c, r3 = uniform(r2)
d, r4 = uniform(r3)
d - c
scan t for 3 from s = r4 { k[t], s[t] = randint(s[t-1], 1, 7) }
---
a : f64[2] = [0.750152, 0.0856579]
input.gr:4:1: note: the same draw from the same state is in the program already: it gives the same numbers
    uniform(r, 2)[0]
    ^^^^^^^^^^^^^
f64[2] = [0.750152, 0.0856579]
input.gr:5:8: note: uniform and normal draw from the same state r, so their numbers are not independent; draw from the state that the first one returns, or split it
    b, _ = normal(r, 2)
           ^^^^^^^^^^^^
f64[2] = [2.18018, 0.939372]
f64[2] = [1.07274, 0.0731273]
rng = <rng 0000000000000007 at 00000000000000000000000000000000>
input.gr:10:72: note: uniform and normal draw from the same state, so their numbers are not independent; draw from the state that the first one returns, or split it
    scan t for 2 from s = r1 { x[t], s[t] = uniform(s[t-1]); y[t] = x[t] + normal(s[t-1])[0] }
                                                                           ^^^^^^^^^^^^^^
.x : f64[2] = [0.795284, 0.00845311]
.s : rng[2] =
[<rng 0000000000000007 at 00000000000000000000000000000002>,
 <rng 0000000000000007 at 00000000000000000000000000000003>]
.y : f64[2] = [2.51428, 0.084165]
input.gr:11:1: note: every step of this loop draws from the same state, so it gets the same numbers; make it a state of the loop
    scan t for 2 { x[t] = uniform(r1)[0] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
f64[2] = [0.795284, 0.795284]
input.gr:15:1: note: uniform and f(...) draw from the same state, so their numbers are not independent; draw from the state that the first one returns, or split it
    f(q[0]) + uniform(q[0])[0]
    ^^^^^^^^^^^^^^^^^^^^^^^^^^
f64 = 0.26221177006330665
f64 = 0.4857277730383618
[0] : f64 = 3.0
[1] : f64[3] = [0.0, 0.0, 1.0]
f64 = 0.7394649607361596
.k : i64[3] = [5, 3, 4]
.s : rng[3] =
[<rng 0000000000000007 at 00000000000000000000000000000006>,
 <rng 0000000000000007 at 00000000000000000000000000000007>,
 <rng 0000000000000007 at 00000000000000000000000000000008>]
