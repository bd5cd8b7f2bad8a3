# A store whose name is almost that of an input declares a new one, and a note asks.
learning_rate : f64
learnig_rate := 0.1
W1 : f64
W2 := 2
w1 := 3
x : f64
y := 3
S = scan t for 3 from v = 1.0 { back = v[t-1] * 2; v[t] = back }
S.back
---
input.gr:3:1: note: `learnig_rate` is a new input; did you mean `learning_rate`?
    learnig_rate := 0.1
    ^^^^^^^^^^^^
input.gr:10:1: error: this scan has no field `back`
    S.back
    ^^^^^^
  hint: the fields are its equations, final, steps and stopped; to keep a value of the body, write back[t] = .. there
exit 1
