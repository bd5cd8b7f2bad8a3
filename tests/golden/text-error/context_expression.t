shared W : f64 = 2
loss = W * W
in a { W := 5 }
d = in a { loss }
d - in b { loss }
in a { W := 7 }
d
(in a { grad(loss, W) }) + W
(in a { (in b { W }) * W })
shared p : (u: f64, v: f64) = (u=1, v=2)
in a { p.u := 10 }
(in a { p }).u + (in c { p }).u
f(x) = (in a { W * x })
f(3)
:graph d
y = in W { W }
y = in a { v -> v }
y = in a { W := 3; W }
---
f64 = 21.0
d : f64 = 49.0
f64 = 16.0
f64 = 14.0
f64 = 11.0
f64 = 21.0
shared a_W : f64
a_W * a_W
input.gr:16:5: error: W is a value, so it cannot be a context in an expression
    y = in W { W }
        ^^^^^^^^^^
  hint: give the context another name
input.gr:17:5: error: `in a { .. }` must give a value, but this is a function
    y = in a { v -> v }
        ^^^^^^^^^^^^^^^
input.gr:18:12: error: a block may contain only definitions and the final expression
    y = in a { W := 3; W }
               ^^^^^^
  hint: a block is `{ name = e; ...; result }`
exit 1
