# Expanding a vmap, operator by operator; what is left of the function stays a vmap.
A : f64[4, 3] = [[1,2,3],[4,5,6],[7,8,9],[1,0,1]]
v : f64[3] = [1, 2, 3]
f(x, w) = tanh(x @ w) + sum(x) * w[0]
:steps vmap(f, in_axes=(0, None))(A, v) rule=expand-vmap open=all
:graph vmap(f, in_axes=(0, None))(A, v) step=2.2
# the lanes come first
:steps vmap(x -> sqrt(sum(x * x)), in_axes=1)(A) rule=expand-vmap open=all
# a loop for all lanes, then one over the lanes: its traces are of another length in each
:steps vmap(v -> { s = scan t for 10 from p = v { p[t] = p[t-1] * 2; until p[t] > 10 }; max(s) - s[-1] })([1.0, 2.0, 6.0]) rule=expand-vmap open=all
:audit vmap(v -> { s = scan t for 10 from p = v { p[t] = p[t-1] * 2; until p[t] > 10 }; max(s) - s[-1] })([1.0, 2.0, 6.0]) open=all
---
differentiate: 1 step, 13 -> 9 nodes, saturated
  2  expand-vmap [E]    # all lanes at once, operator by operator; 9 nodes for all lanes at once
      vmap(p0 -> tanh(%3) + %5 * %6)(A) => tanh(A @ v) + sum(A, axis=1) * v[0]
    2.1  vmap matmul [E]    # one product for all lanes
        vmap(p0 -> tanh(%3) + %5 * %6)(A) => vmap((p0, p1) -> tanh(p0) + %27 * %28)(A @ v, A)
    2.2  vmap tanh [E]    # element by element: the same operator over the elements of all lanes
        vmap((p0, p1) -> tanh(p0) + %27 * %28)(A @ v, A) => vmap((p0, p1) -> p0 + %27 * %28)(tanh(A @ v), A)
    2.3  vmap sum [E]    # its axes are one place further on, behind that of the lanes
        vmap((p0, p1) -> p0 + %27 * %28)(tanh(A @ v), A) => vmap((p0, p1) -> p0 + p1 * %28)(tanh(A @ v), sum(A, axis=1))
    2.4  vmap mul [E]    # element by element: the same operator over the elements of all lanes
        vmap((p0, p1) -> p0 + p1 * %28)(tanh(A @ v), sum(A, axis=1)) => vmap((p0, p1) -> p0 + p1)(tanh(A @ v), sum(A, axis=1) * v[0])
    2.5  vmap add [E]    # element by element: the same operator over the elements of all lanes
        vmap((p0, p1) -> p0 + p1)(tanh(A @ v), sum(A, axis=1) * v[0]) => tanh(A @ v) + sum(A, axis=1) * v[0]
%1 : f64[4, 3] = input{name=A}()
%2 : f64[3] = input{name=v}()
%3 : f64[4] = matmul(%1, %2)
%4 : f64[4] = tanh(%3)
@1 = graph(p0: f64, p1: f64[3], p2: f64[3]) {  # p0 "tanh x v", p1 x, p2 v
  %29 : f64 = sum{axes=(0,)}(p1)
  %30 : f64 = index{axis=0}(p2, 0)
  %31 : f64 = mul(%29, %30)
  %32 : f64 = add(p0, %31)
  return %32
}
%33 : (f64[4],) = vmap{body=@1, in_axes=(0, 0, -1), out_axes=(0,)}(%4, %1, %2)
%34 : f64[4] = %33.0
return %34
differentiate: 1 step, 7 -> 5 nodes, saturated
  1  expand-vmap [E]    # all lanes at once, operator by operator; 4 nodes for all lanes at once
      vmap(p0 -> sqrt(sum(%2)), in_axes=1)(A) => sqrt(sum(%7 * %7, axis=1))
    1.1  lanes [E]    # the lanes come first: each argument has them along axis 0
        vmap(p0 -> sqrt(sum(%2)), in_axes=1)(A) => vmap(p0 -> sqrt(sum(%2)))(A')
    1.2  vmap mul [E]    # element by element: the same operator over the elements of all lanes
        vmap(p0 -> sqrt(sum(%2)))(A') => vmap(p0 -> sqrt(sum(p0)))(A' * A')
    1.3  vmap sum [E]    # its axes are one place further on, behind that of the lanes
        vmap(p0 -> sqrt(sum(p0)))(A' * A') => vmap(p0 -> sqrt(p0))(sum(%7 * %7, axis=1))
    1.4  vmap sqrt [E]    # element by element: the same operator over the elements of all lanes
        vmap(p0 -> sqrt(p0))(sum(%7 * %7, axis=1)) => sqrt(sum(%7 * %7, axis=1))
differentiate: 1 step, 15 -> 16 nodes, saturated
  4  expand-vmap [E]    # all lanes at once, operator by operator; 12 nodes for all lanes at once
      vmap(p0 -> max(%6) - %5.final)([1.0, 2.0, 6.0]) => %13.trace
      %13 = scan(3, over=[1.0, 2.0, 6.0])
    4.1  vmap scan [E]    # one loop for all lanes: states, rows and traces have an axis of lanes
        vmap(p0 -> max(%6) - %5.final)([1.0, 2.0, 6.0]) => vmap((p0, p1) -> max(%23) - p1)([1.0, 2.0, 6.0], %24.final[0])
        %24 = scan(10, from=([1.0, 2.0, 6.0], broadcast_to(false, (3,)), broadcast_to(0, (3,))))
    4.2  vmap [E]    # a loop over the lanes for what has another shape in each
        vmap((p0, p1) -> max(%23) - p1)([1.0, 2.0, 6.0], %24.final[0]) => %13.trace
        %13 = scan(3, over=[1.0, 2.0, 6.0])
step   pass           rule             classes  error  ulp
1      canonicalize   fold             [E]      0      0
2      canonicalize   numbers-in-vmap  [E]      0      0
3.1    canonicalize   tail             [E]      0      0
3      canonicalize   inner            [E]      0      0
4.1    differentiate  vmap scan        [E]      0      0
4.2    differentiate  vmap             [E]      0      0
4      differentiate  expand-vmap      [E]      0      0
5.1.1  lower          counter          [E]      0      0
5.1.2  lower          loop             [E]      0      0
5.1    lower          lower-scan       [E]      0      0
5      lower          inner            [E]      0      0
6.1    lower          counter          [E]      0      0
6.2    lower          index value      [E]      0      0
6.3    lower          loop             [E]      0      0
6      lower          lower-scan       [E]      0      0
15 steps, 15 compared: all within what their classes allow; largest error 0
