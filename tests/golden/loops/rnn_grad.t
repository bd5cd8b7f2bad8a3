# The gradients of a naive RNN's weights are products outside the loops.
x : f64[T, 2] = [[0.5, -1.0], [1.5, 0.3], [-0.2, 0.8]]
W : f64[2, 3] = [[0.4, -0.3, 0.1], [0.2, 0.7, 0.5]]
U : f64[3, 3] = [[0.1, 0.2, 0.3], [-0.3, 0.4, 0.2], [0.6, -0.5, 0.1]]
V : f64[3, 2] = [[0.1, 0.2], [0.3, -0.1], [0.2, 0.2]]
S = scan t over x from h = zeros(3) { h[t] = tanh(x[t] @ W + h[t-1] @ U); y[t] = h[t] @ V }
g = grad(sum(sqr(S.y)), (W, U, V))
:graph g ssa=on pass=specialize
g
:audit g
---
%5 : f64[T, 2] = input{name=x}()
%6 : i64 = dim{axis=0}(%5)
%4 : f64[3] = broadcast{axes=()}(0.0, 3)
%1 : f64[2, 3] = input{name=W}()
%55 : f64[T, 3] = matmul(%5, %1)
%2 : f64[3, 3] = input{name=U}()
@1 = graph(p0: f64[3], p1: f64[3], p2: f64[3, 3]) {  # p0 "h[t-1]", p1 "x_W[t]", p2 U
  %8 : f64[3] = matmul(p0, p2)
  %9 : f64[3] = add(p1, %8)
  %10 : f64[3] = tanh(%9)  # "h[t]"
  return %10, p0, %10
}
%12 : (f64[3], f64[T, 3], f64[T, 3], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=%6, init=%4, seq=%55, capture=%2)
%59 : f64[T, 3] = %12.2
%77 : f64[T, 3] = sqr(%59)
%62 : f64[T, 3] = sub(1.0, %77)
%3 : f64[3, 2] = input{name=V}()
%60 : f64[T, 2] = matmul(%59, %3)
%26 : f64[T, 2] = mul(2.0, %60)
%76 : f64[T, 3] = gemm{ta=false, tb=true}(%26, %3)
@2 = graph(p0: f64[3], p1: f64[3], p2: f64[3], p3: f64[3, 3]) {  # p0 "carry_h[t]", p1 "one_minus_sqr_h[t]", p2 "V_d_y[t]", p3 U
  %33 : f64[3] = add(p0, p2)  # "d_h[t]"
  %34 : f64[3] = mul(%33, p1)
  %35 : f64[3] = matmul(p3, %34)  # "carry_h[t-1]"
  return %35, %34
}
%51 : (f64[3], f64[T, 3], i64, bool) = scan{body=@2, reverse=true, stop=false}(n=%6, init=%4, seq=%62, seq=%76, capture=%2)
%52 : f64[T, 3] = %51.1
%78 : f64[2, 3] = gemm{ta=true, tb=false}(%5, %52)  # d_W
%13 : f64[T, 3] = %12.1
%79 : f64[3, 3] = gemm{ta=true, tb=false}(%13, %52)  # d_U
%73 : f64[T, 3] = matmul(%13, %2)
%74 : f64[T, 3] = add(%55, %73)
%75 : f64[T, 3] = tanh(%74)
%80 : f64[3, 2] = gemm{ta=true, tb=false}(%75, %26)  # d_V
return %78, %79, %80
g[0] : f64[2, 3] =
[[ 0.10029065172186176,  -0.06752406785362312,   0.055756746518948894],
 [ 0.13007105297580268,   0.18223359914144915,   0.16587532935441573]]
g[1] : f64[3, 3] =
[[ 0.04712209964672389,   0.05847337918552818,   0.06389313386149031],
 [-0.08755201748694823,  -0.03260013931851726,  -0.082913923326345],
 [-0.02761560226438486,   0.012156030111783305, -0.015589193697000403]]
g[2] : f64[3, 2] =
[[0.1440865876938228,  0.2350170148705362],
 [0.6812146043797079,  0.02401256122518443],
 [0.4927958753347875,  0.14274781156571148]]
step  pass           rule               classes  error    ulp
1     differentiate  expand-derivative  [E]      0        0
2     differentiate  dim-known          [E]      0        0
3     differentiate  broadcast-into     [E]      0        0
4     differentiate  flatten-mul        [R O]    0        0
5     differentiate  fold-mul           [R O]    0        0
6     loops          sequence-dot       [R]      0        0
7     loops          sink               [R]      0        0
8     loops          accumulate         [R]      2.8e-16  2
9     loops          sequence-dot       [R]      0        0
10    loops          sequence-dot       [R]      0        0
11    loops          sequence-dot       [R]      0        0
12    loops          sink               [R]      0        0
13    loops          sequence-dot       [R]      0        0
14    specialize     gemm               [R]      0        0
15    specialize     mul-self           [E]      0        0
16    specialize     gemm               [R]      0        0
17    specialize     gemm               [R]      0        0
18    specialize     gemm               [R]      0        0
19.1  fuse           fuse               [E]      0        0
19    fuse           inner              [E]      0        0
20    fuse           fuse               [E]      0        0
21    fuse           fuse               [E]      0        0
22.1  fuse           fuse               [E]      0        0
22    fuse           inner              [E]      0        0
23    lower          lower-scan         [E]      0        0
24    lower          lower-scan         [E]      0        0
26 steps, 26 compared: all within what their classes allow; largest error 2.8e-16
