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
%20 : i64 = dim{axis=0}(%5)
%4 : f64[3] = broadcast{axes=()}(0.0, 3)
%1 : f64[2, 3] = input{name=W}()
%88 : f64[T, 3] = matmul(%5, %1)
%2 : f64[3, 3] = input{name=U}()
@1 = graph(p0: f64[3], p1: f64[3], p2: f64[3, 3]) {  # p0 "h[t-1]", p2 U
  %75 : f64[3] = matmul(p0, p2)
  %89 : f64[3] = add(p1, %75)
  %90 : f64[3] = tanh(%89)  # "h[t]"
  return %90, p0, %90
}
%101 : (f64[3], f64[T, 3], f64[T, 3], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=%20, init=%4, seq=%88, capture=%2)
%102 : f64[T, 3] = %101.2
%192 : f64[T, 3] = sqr(%102)
%193 : f64[T, 3] = sub(1.0, %192)
%3 : f64[3, 2] = input{name=V}()
%103 : f64[T, 2] = matmul(%102, %3)
%110 : f64[T, 2] = mul(2.0, %103)
%191 : f64[T, 3] = gemm{ta=false, tb=true}(%110, %3)
@2 = graph(p0: f64[3], p1: f64[3], p2: f64[3], p3: f64[3, 3]) {  # p0 "d h[t-1]", p3 U
  %138 : f64[3] = add(p0, p2)
  %139 : f64[3] = mul(%138, p1)
  %173 : f64[3] = matmul(p3, %139)
  return %173, %139
}
%194 : (f64[3], f64[T, 3], i64, bool) = scan{body=@2, reverse=true, stop=false}(n=%20, init=%4, seq=%193, seq=%191, capture=%2)
%195 : f64[T, 3] = %194.1
%197 : f64[2, 3] = gemm{ta=true, tb=false}(%5, %195)
%198 : f64[2, 3] = add(0.0, %197)
%107 : f64[T, 3] = %101.1
%200 : f64[3, 3] = gemm{ta=true, tb=false}(%107, %195)
%201 : f64[3, 3] = add(0.0, %200)
%159 : f64[T, 3] = matmul(%107, %2)
%171 : f64[T, 3] = add(%88, %159)
%172 : f64[T, 3] = tanh(%171)
%202 : f64[3, 2] = gemm{ta=true, tb=false}(%172, %110)
%203 : f64[3, 2] = add(0.0, %202)
return %198, %201, %203
g[0] : f64[2, 3] =
[[ 0.10029065172186177, -0.06752406785362312,  0.05575674651894892],
 [ 0.13007105297580268,  0.18223359914144915,  0.16587532935441573]]
g[1] : f64[3, 3] =
[[ 0.0471220996467239,    0.05847337918552818,   0.06389313386149031],
 [-0.08755201748694824,  -0.03260013931851726,  -0.08291392332634501],
 [-0.027615602264384857,  0.012156030111783308, -0.015589193697000412]]
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
8     loops          sequence-dot       [R]      1.1e-15  9
9     loops          sink               [R]      8e-16    5
10    loops          accumulate         [R]      2.8e-16  2
11    loops          sequence-dot       [R]      4e-16    2
12    loops          sequence-dot       [R]      1.3e-16  1
13    loops          sequence-dot       [R]      2e-16    1
14    loops          sink               [R]      0        0
15    loops          broadcast-into     [E]      0        0
16    loops          sequence-dot       [R]      0        0
17    loops          broadcast-into     [E]      0        0
18    loops          broadcast-into     [E]      0        0
19    specialize     gemm               [R]      0        0
20    specialize     mul-self           [E]      0        0
21    specialize     gemm               [R]      0        0
22    specialize     gemm               [R]      0        0
23    specialize     gemm               [R]      0        0
24.1  fuse           fuse               [E]      0        0
24    fuse           inner              [E]      0        0
25    fuse           fuse               [E]      0        0
26    fuse           fuse               [E]      0        0
27.1  fuse           fuse               [E]      0        0
27    fuse           inner              [E]      0        0
28    lower          lower-scan         [E]      0        0
29    lower          lower-scan         [E]      0        0
31 steps, 31 compared: all within what their classes allow; largest error 1.1e-15
