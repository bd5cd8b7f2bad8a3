# a literal that leaves the range of numbers on the way is not folded before its stable form is found
log(erfc(30.0))
log(exp(-800.0))
log(erfc([30.0, 1]))
log(exp(f32(-200.0)))
exp(-1000.0)
erfc(30.0)
floor(2.5) + relu(-3.0)
---
f64 = -903.9741171106439
f64 = -800.0
f64[2] = [-903.974, -1.84961]
f32 = -200.0
f64 = 0.0
f64 = 0.0
f64 = 2.0
