# The gradients of a naive RNN's weights are products outside the loops.
x : f64[T, 2] = [[0.5, -1.0], [1.5, 0.3], [-0.2, 0.8]]
W : f64[2, 3] = [[0.4, -0.3, 0.1], [0.2, 0.7, 0.5]]
U : f64[3, 3] = [[0.1, 0.2, 0.3], [-0.3, 0.4, 0.2], [0.6, -0.5, 0.1]]
V : f64[3, 2] = [[0.1, 0.2], [0.3, -0.1], [0.2, 0.2]]
S = scan t over x from h = zeros(3) { h[t] = tanh(x[t] @ W + h[t-1] @ U); y[t] = h[t] @ V }
g = grad(sum(sqr(S.y)), (W, U, V))
:graph g ssa pass=specialize
g
:audit g
---
%5 : f64[T, 2] = input{name=x}()
%6 : i64 = dim{axis=0}(%5)
%4 : f64[3] = broadcast{axes=()}(0.0, 3)
%1 : f64[2, 3] = input{name=W}()
%64 : f64[T, 3] = matmul(%5, %1)
%2 : f64[3, 3] = input{name=U}()
@1 = graph(p0: f64[3], p1: f64[3], p2: f64[3, 3]) {  # p0 "h[t-1]", p1 "x W[t]", p2 U
  %28 : f64[3] = matmul(p0, p2)
  %29 : f64[3] = add(p1, %28)
  %30 : f64[3] = tanh(%29)  # "h[t]"
  return %30, p0, %30
}
%34 : (f64[3], f64[T, 3], f64[T, 3], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=%6, init=%4, seq=%64, capture=%2)
%65 : f64[T, 3] = %34.2
%83 : f64[T, 3] = sqr(%65)
%68 : f64[T, 3] = sub(1.0, %83)
%3 : f64[3, 2] = input{name=V}()
%66 : f64[T, 2] = matmul(%65, %3)
%23 : f64[T, 2] = mul(2.0, %66)
%82 : f64[T, 3] = gemm{ta=false, tb=true}(%23, %3)
@2 = graph(p0: f64[3], p1: f64[3], p2: f64[3], p3: f64[3, 3]) {  # p0 "d h[t]", p1 "one minus sqr h[t]", p2 "V d y[t]", p3 U
  %38 : f64[3] = add(p0, p2)  # "total d h[t]"
  %39 : f64[3] = mul(%38, p1)
  %40 : f64[3] = matmul(p3, %39)  # "d h[t-1]"
  return %40, %39
}
%56 : (f64[3], f64[T, 3], i64, bool) = scan{body=@2, reverse=true, stop=false}(n=%6, init=%4, seq=%68, seq=%82, capture=%2)
%57 : f64[T, 3] = %56.1
%84 : f64[2, 3] = gemm{ta=true, tb=false}(%5, %57)  # dW
%36 : f64[T, 3] = %34.1
%85 : f64[3, 3] = gemm{ta=true, tb=false}(%36, %57)  # dU
%79 : f64[T, 3] = matmul(%36, %2)
%80 : f64[T, 3] = add(%64, %79)
%81 : f64[T, 3] = tanh(%80)
%86 : f64[3, 2] = gemm{ta=true, tb=false}(%81, %23)  # dV
return %84, %85, %86
g[0] : f64[2, 3] =
[[ 0.10029065172186177,  -0.06752406785362314,   0.055756746518948935],
 [ 0.13007105297580268,   0.18223359914144915,   0.1658753293544157]]
g[1] : f64[3, 3] =
[[ 0.0471220996467239,    0.05847337918552818,   0.06389313386149031],
 [-0.08755201748694824,  -0.032600139318517254, -0.08291392332634501],
 [-0.027615602264384857,  0.012156030111783308, -0.015589193697000413]]
g[2] : f64[3, 2] =
[[0.1440865876938228,  0.23501701487053617],
 [0.6812146043797079,  0.02401256122518443],
 [0.49279587533478747, 0.1427478115657115]]
step  pass           rule               classes  error    ulp
1     differentiate  expand-derivative  [E]      0        0
2     differentiate  dim-known          [E]      0        0
3     differentiate  broadcast-into     [E]      0        0
4     differentiate  flatten-mul        [R]      0        0
5     differentiate  fold-mul           [R]      0        0
6     loops          same-loop          [E]      0        0
7     loops          dead-results       [E]      0        0
8     loops          sequence-dot       [R]      1.8e-16  1
9     loops          sink               [R]      8e-16    5
10    loops          accumulate         [R]      2.8e-16  2
11    loops          sequence-dot       [R]      5e-16    4
12    loops          sequence-dot       [R]      0        0
13    loops          sequence-dot       [R]      2e-16    1
14    loops          sink               [R]      0        0
15    loops          sequence-dot       [R]      0        0
16    specialize     gemm               [R]      0        0
17    specialize     mul-self           [E]      0        0
18    specialize     gemm               [R]      0        0
19    specialize     gemm               [R]      0        0
20    specialize     gemm               [R]      0        0
21.1  fuse           fuse               [E]      0        0
21    fuse           inner              [E]      0        0
22    fuse           fuse               [E]      0        0
23    fuse           fuse               [E]      0        0
24.1  fuse           fuse               [E]      0        0
24    fuse           inner              [E]      0        0
25    lower          lower-scan         [E]      0        0
26    lower          lower-scan         [E]      0        0
28 steps, 28 compared: all within what their classes allow; largest error 8e-16
