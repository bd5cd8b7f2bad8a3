# what has no other form: states of generators, arrays without elements, sizes that are known to fit
:graph [rng_state(1, 2, 3, 4, 5, 6), rng_state(6, 5, 4, 3, 2, 1)]
:graph [[rng_state(1, 2, 3, 4, 5, 6)]] ssa=on
:graph empty((0, 3))
:graph (empty((2, 0), dtype=f32), empty(0, dtype=rng), [])
a : f64[n] = [1, 2]
b : f64[m] = [3, 4]
c : f64[k]
:graph fits(a * b) + a
:graph fits(a * b) ssa=on
:graph fits(where(a > 1, a, b)) ssa=on
:graph fused(a * b + sin(c)) ssa=on
fits(a * b)
fits(a * [1, 2, 3])
empty(2)
empty((n, 0))
fits(sum(a))
fits(a, b)
:graph reshape(a, (n,)) ssa=on
:graph reshape(c, (k // 2, 2))[:, 0] ssa=on
# what a branch computes is no capture of the next one that computes it, too
x : f64[n]
:graph if x[0] > 0 then { t = dim(x, axis=0); broadcast_to(0.0, (t,)) } else { t = dim(x, axis=0); if x[1] > 0 then sqr(x) else broadcast_to(0.0, (t,)) } ssa=on
---
[rng_state(1, 2, 3, 4, 5, 6), rng_state(6, 5, 4, 3, 2, 1)]
%1 : rng[1, 1] = const{value=rng([[(1, 2, 3, 4, 5, 6)]])}()
return %1
empty((0, 3))
(empty((2, 0), dtype=f32), empty((0,), dtype=rng), [])
a : f64[n]
b : f64[m]
fits(fits(a * b) + a)
%1 : f64[n] = input{name=a}()
%2 : f64[m] = input{name=b}()
%3 : f64[n] = mul(%1, %2)
return %3
%1 : f64[n] = input{name=a}()
%2 : bool[n] = gt(%1, 1.0)
%3 : f64[m] = input{name=b}()
%4 : f64[n] = where(%2, %1, %3)
return %4
%1 : f64[n] = input{name=a}()
%2 : f64[k] = input{name=c}()
%3 : f64[m] = input{name=b}()
@1 = graph(p0: f64[d0], p1: f64[d0], p2: f64[d0]) {  # p0 a, p1 c, p2 b
  %4 : f64[d0] = mul(p0, p2)
  %5 : f64[d0] = sin(p1)
  %6 : f64[d0] = add(%4, %5)
  return %6
}
%7 : (f64[n],) = fused{body=@1}(%1, %2, %3)
%8 : f64[n] = %7.0
return %8
f64[2] = [3.0, 8.0]
input.gr:14:1: error: shapes (3,) and (2,) do not match
    fits(a * [1, 2, 3])
    ^^^^^^^^^^^^^^^^^^^
input.gr:15:7: error: empty makes arrays without elements: one of the sizes must be 0
    empty(2)
          ^
  hint: zeros(shape)
input.gr:16:7: error: empty takes a shape of whole numbers from 0
    empty((n, 0))
          ^^^^^^
input.gr:17:1: error: fits takes an elementwise operator, as in fits(a + b)
    fits(sum(a))
    ^^^^^^^^^^^^
input.gr:18:1: error: fits(x) takes one expression
    fits(a, b)
    ^^^^^^^^^^
%1 : f64[n] = input{name=a}()
%2 : i64 = size{size=n}()
%3 : f64[n] = reshape(%1, %2)
return %3
%1 : f64[k] = input{name=c}()
%2 : i64 = size{size=k}()
%3 : i64 = floordiv(%2, 2)
%4 : f64[floordiv(k, 2), 2] = reshape(%1, %3, 2)
%5 : f64[floordiv(k, 2)] = index{axis=1}(%4, 0)
return %5
%1 : f64[n] = input{name=x}()
%2 : f64 = index{axis=0}(%1, 0)
%3 : bool = gt(%2, 0.0)
@1 = graph(p0: f64[d0]) {  # p0 x
  %4 : i64 = dim{axis=0}(p0)  # t
  %5 : f64[d0] = broadcast{axes=()}(0.0, %4)
  return %5
}
@2 = graph(p0: f64[d0]) {  # p0 x
  %9 : f64[d0] = sqr(p0)
  return %9
}
@3 = graph(p0: i64) {  # p0 t
  %10 : f64[p0] = broadcast{axes=()}(0.0, p0)
  return %10
}
@4 = graph(p0: f64[d0]) {  # p0 x
  %6 : f64 = index{axis=0}(p0, 1)
  %7 : bool = gt(%6, 0.0)
  %8 : i64 = dim{axis=0}(p0)  # t
  %11 : (f64[d0],) = ifelse{then=@2, else=@3, then_args=(0,), else_args=(1,)}(%7, p0, %8)
  %12 : f64[d0] = %11.0
  return %12
}
%13 : (f64[n],) = ifelse{then=@1, else=@4, then_args=(0,), else_args=(0,)}(%3, %1)
%14 : f64[n] = %13.0
return %14
exit 1
