x : f64[2] = [1, 2]
f(a) = a * a
vjp(f, x, [1.0, 1])
jvp(f, x, [1.0, 1])
grad(sum, x)
jacobian(v -> v * v, x)
hessian(f, x)
vjp(f)(x, [1.0, 1])
---
input.gr:3:5: error: vjp of a function takes that function alone and gives another one, which takes the rest
    vjp(f, x, [1.0, 1])
        ^
  hint: vjp(f)(x, v)
input.gr:4:5: error: jvp of a function takes that function alone and gives another one, which takes the rest
    jvp(f, x, [1.0, 1])
        ^
  hint: jvp(f)(x, v)
input.gr:5:6: error: grad of a function takes that function alone and gives another one, which takes the rest
    grad(sum, x)
         ^^^
  hint: grad(sum)(x)
input.gr:6:10: error: jacobian of a function takes that function alone and gives another one, which takes the rest
    jacobian(v -> v * v, x)
             ^^^^^^^^^^
  hint: jacobian(f)(x)
input.gr:7:9: error: hessian of a function takes that function alone and gives another one, which takes the rest
    hessian(f, x)
            ^
  hint: hessian(f)(x)
f64[2] = [2.0, 4.0]
exit 1
