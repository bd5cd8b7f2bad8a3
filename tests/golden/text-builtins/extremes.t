# min and max of no elements are `initial`, whether that is known when they are written or not.
z : f64[m] = zeros(0)
A : f64[p, q] = zeros((0, 3))
x : f64[n] = [1, 4, 2]
i : f64 = 3
max(zeros(0), initial=3.0)
min(arange(0), initial=7)
max(z, initial=i)
min(z + 1, initial=i)
max(A, axis=0, initial=i)
max(A, axis=0, keepdims=true, initial=i)
max(A, axis=1, initial=i)
max(A, initial=-1)
max(A, axis=(), initial=-1)
max(x, initial=i)
max(x, where=x > 5, initial=-inf)
max(z, where=z > 5, initial=0)
max(7, initial=9)
grad(max(z, initial=i), [z, i])
grad(max(x, initial=i), [x, i])
vmap(v -> max(z, initial=v))([1.0, 9.0])
vmap(r -> max(r, initial=2.0))([[1.0, 3.0], [0.0, 1.0]])
scan t for 2 { r[t] = max(z, initial=f64(t)) }
a : f32[k] = []
max(a, initial=2)
# where there must be some, nothing is asked while it runs
:graph max([i, 2], initial=i) ssa=on
max(z)
---
f64 = 3.0
i64 = 7
f64 = 3.0
f64 = 3.0
f64[3] = [3.0, 3.0, 3.0]
f64[1, 3] = [[3.0, 3.0, 3.0]]
f64[0] = []
f64 = -1.0
f64[0, 3] = []
f64 = 4.0
f64 = -inf
f64 = 0.0
i64 = 9
[0] : f64[0] = []
[1] : f64 = 1.0
[0] : f64[3] = [0.0, 1.0, 0.0]
[1] : f64 = 0.0
f64[2] = [1.0, 9.0]
f64[2] = [3.0, 2.0]
f64[2] = [0.0, 1.0]
f32 = 2.0
%1 : f64 = input{name=i}()
%2 : f64[1] = expand_dims{axes=(0,)}(%1)
%3 : f64[1] = expand_dims{axes=(0,)}(2.0)
%4 : f64[2] = concat{axis=0}(%2, %3)
%5 : f64 = max{axes=(0,)}(%4)
%6 : f64 = maximum(%5, %1)
return %6
input.gr:28:1: error: max: there is no element to choose from
    max(z)
    ^^^^^^
exit 1
