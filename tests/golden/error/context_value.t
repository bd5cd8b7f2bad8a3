shared W : f64 = 1
in a { W := 5 }
z = in a { W * 2 }
1 + in a { W }
in a { W * 2 }
in = 3
in + 1
---
input.gr:3:5: error: `in a { ... }` is a statement: it has no value
    z = in a { W * 2 }
        ^^
  hint: run it as a statement of its own: in a { x } prints x of that context
input.gr:4:5: error: `in a { ... }` is a statement: it has no value
    1 + in a { W }
        ^^
  hint: run it as a statement of its own: in a { x } prints x of that context
f64 = 10.0
i64 = 4
exit 1
