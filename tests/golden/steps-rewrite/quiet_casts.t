# A cast has an attribute, so its operand's broadcast is written.
A : f64[3, 3] = [[0.679, -0.768, 0.668], [0.329, 0.343, 0.609], [0.631, -0.787, -0.703]]
v : f32[3] = [1, 2, 3]
:graph A * f64(broadcast_to(v, (3, 3)))
---
A : f64[3, 3]
v : f32[3]
A * f64(broadcast_to(v, (3, 3)))
