x : f64[3] = [0.1, 0.2, 0.3]
:steps grad(sum(tanh(x)), x)
:graph grad(sum(tanh(x)), x) ssa=on
:graph grad(sum(tanh(x)), x) ssa=on pass=specialize
:audit grad(sum(tanh(x)), x)
---
differentiate: 1 step, 6 -> 5 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
      grad(sum(tanh(x)), x) => d_x = 1 - tanh(x) * tanh(x)
specialize: 1 step, 5 -> 5 nodes, done
  2  mul-self [E]  tanh(x) * tanh(x) => sqr(tanh(x))    # a square
fuse: 1 step, 5 -> 8 nodes, done
  3  fuse [E]    # one pass, tile by tile; 3 operators over f64[3]; 48 bytes not stored
      one kernel computes d_x from x
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, lower
%1 : f64[3] = input{name=x}()
@1 = graph(p0: f64[3]) {  # p0 x
  %2 : f64[3] = tanh(p0)
  %3 : f64 = sum{axes=(0,)}(%2)
  return %3
}
%4 : (f64[3], f64) = grad{body=@1, wrt=1}(%1)
%5 : f64[3] = %4.0
return %5
%1 : f64[3] = input{name=x}()
%2 : f64[3] = tanh(%1)
%8 : f64[3] = sqr(%2)
%7 : f64[3] = sub(1.0, %8)  # d_x
return %7
step  pass           rule               classes  error  ulp
1     differentiate  expand-derivative  [E]      0      0
2     specialize     mul-self           [E]      0      0
3     fuse           fuse               [E]      0      0
3 steps, 3 compared: all within what their classes allow; largest error 0
