# vmap: all lanes at once, or lane by lane where that is what is right.
x : f64[3, 2] = [[1,2],[3,4],[5,6]]
w : f64[2] = [10, 20]
f(a, b) = sum(a * b) + 1
vmap(f, in_axes=(0, None))(x, w)
:graph vmap(f, in_axes=(0, None))(x, w) ssa=on
vmap(a -> a @ w)(x)
vmap(a -> (a, sum(a)), in_axes=1, out_axes=(1, 0))(x)
grad(sum(vmap(a -> tanh(a @ w))(x)), w)
vmap(grad(a -> sum(a^3)))(x)
vmap(vmap(a -> a * 2))(x)
A : f64[3,2,2] = [[[2,1],[1,3]],[[4,0],[0,2]],[[1,2],[3,4]]]
vmap(solve)(A, x)
vmap(solve, in_axes=(0, None))(A, w)
vmap(solve, in_axes=(None, 0))(A[0], x)
vmap((a, i) -> a[i])(x, [1, 0, 1])
vmap((a, i) -> a with [i] = 7.0)(x, [1, 0, 1])
vmap(a -> if a[0] > 2 then a * 2 else a - 1)(x)
vmap(v -> { s = scan t for 4 from p = v { p[t] = p[t-1] * 2 }; s })([1.0, 2.0, 3.0])
vmap(v -> { s = scan t for 10 from p = v { p[t] = p[t-1] * 2; until p[t] > 10 }; (s, s.steps, s.final.p, s.stopped) })([1.0, 2.0, 6.0])
vmap(v -> { s = scan t for 10 from p = v { p[t] = p[t-1] * 2; until p[t] > 10 }; max(s) - s[-1] + mean(s)})([1.0, 2.0, 6.0])
vmap(n -> { s = scan t for n from p = 1.0 { p[t] = p[t-1] * 2 }; (s, s.final.p) })([1, 0, 3])
rs = split(rng(3), 3)
u, r1 = vmap(r -> uniform(r, (2,)))(rs)
all(u == stack((uniform(rs[0], (2,))[0], uniform(rs[1], (2,))[0], uniform(rs[2], (2,))[0])))
vmap(v -> { r = rng(3); q = scan t for 3 from u = 0.0, r = r { u[t], r[t] = uniform(r[t-1]) ; until u[t] > v }; (q.u, q.steps) })([0.5, 0.1])
---
f64[3] = [51.0, 111.0, 171.0]
%1 : f64[3, 2] = input{name=x}()
%2 : f64[2] = input{name=w}()
@1 = graph(p0: f64[2], p1: f64[2]) {  # p0 b, p1 a
  %3 : f64[2] = mul(p1, p0)
  %4 : f64 = sum{axes=(0,)}(%3)
  %5 : f64 = add(%4, 1.0)
  return %5
}
@2 = graph(p0: f64[2], p1: f64[2]) {  # p0 x, p1 w
  %6 : (f64,) = call{body=@1, name=f}(p1, p0)
  %7 : f64 = %6.0
  return %7
}
%8 : (f64[3],) = vmap{body=@2, in_axes=(0, -1), out_axes=(0,)}(%1, %2)
%9 : f64[3] = %8.0
return %9
f64[3] = [50.0, 110.0, 170.0]
[0] : f64[3, 2] =
[[1.0, 2.0],
 [3.0, 4.0],
 [5.0, 6.0]]
[1] : f64[2] = [9.0, 12.0]
f64[2] = [0.0, 0.0]
f64[3, 2] =
[[  3.0,  12.0],
 [ 27.0,  48.0],
 [ 75.0, 108.0]]
f64[3, 2] =
[[ 2.0,  4.0],
 [ 6.0,  8.0],
 [10.0, 12.0]]
f64[3, 2] =
[[ 0.2,   0.6],
 [ 0.75,  2.0],
 [-4.0,   4.5]]
f64[3, 2] =
[[ 2.0,  6.0],
 [ 2.5, 10.0],
 [ 0.0,  5.0]]
f64[3, 2] =
[[0.2, 0.6],
 [1.0, 1.0],
 [1.8, 1.4]]
f64[3] = [2.0, 3.0, 6.0]
f64[3, 2] =
[[1.0, 7.0],
 [7.0, 4.0],
 [5.0, 7.0]]
f64[3, 2] =
[[ 0.0,  1.0],
 [ 6.0,  8.0],
 [10.0, 12.0]]
f64[3, 4] =
[[ 2.0,  4.0,  8.0, 16.0],
 [ 4.0,  8.0, 16.0, 32.0],
 [ 6.0, 12.0, 24.0, 48.0]]
[0] : f64[3, 4] =
[[ 2.0,  4.0,  8.0, 16.0],
 [ 4.0,  8.0, 16.0,  0.0],
 [12.0,  0.0,  0.0,  0.0]]
[1] : i64[3] = [4, 3, 1]
[2] : f64[3] = [16.0, 16.0, 12.0]
[3] : bool[3] = [true, true, true]
f64[3] = [7.5, 9.33333, 12.0]
[0] : f64[3, 3] =
[[2.0, 0.0, 0.0],
 [0.0, 0.0, 0.0],
 [2.0, 4.0, 8.0]]
[1] : f64[3] = [2.0, 1.0, 8.0]
bool = true
[0] : f64[2, 2] =
[[0.116826, 0.551533],
 [0.116826, 0.0]]
[1] : i64[2] = [2, 1]
