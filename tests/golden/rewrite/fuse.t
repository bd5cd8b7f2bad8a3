# the pass fuse: what runs together, and why
:set pass lower off
x : f64[n] = [0.1, 0.2, 0.3]
y : f64[n] = [1, 2, 3]
A : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]
k : i64 = 2
# several results, one of them used by the others; a reduction at the end
a = tanh(x * y + 1)
:graph (a * x, a, sum(a)) ssa pass=fuse
# not through a reduction and back: two groups
:steps exp(x - max(x * x)) * y
:graph exp(x - max(x * x)) * y ssa pass=fuse
# sums over the last axes end a group, others do not; mixed dtypes; scalars
:graph (sum(A * 2.0 + 1.0, axis=1), sum(A * 3.0 - 1.0, axis=0)) ssa pass=fuse
:graph where(x > f64(k), f32(x), f32(y) * 2) ssa pass=fuse
# a sum of many is spelled out first
:steps (x + y + exp(x) + 1) * 2
# inside a body and a branch
H = scan t over A from h = zeros(3) { h[t] = tanh(h[t-1] * x + A[t]) }
:graph H.final ssa pass=fuse
:graph (if k > 1 then sum(tanh(x) * y) else 0.0) ssa pass=fuse
# alone is no group; what can fail on integers is none
:steps tanh(x)
:steps (arange(3) * 2 + 1) // k
# off: the same values
[a * x, tanh(x - sum(x)), sqrt(x) + 1]
:set pass fuse off
[a * x, tanh(x - sum(x)), sqrt(x) + 1]
:set pass fuse on
:try fuse tanh(x) + 1
:try fuse tanh(x)
:audit exp(x - max(x * x)) * y + x + a
:why %9
---
%1 : f64[n] = input{name=x}()
%2 : f64[n] = input{name=y}()
@1 = graph(p0: f64[d0], p1: f64[d0]) {  # p0 x, p1 y
  %8 : f64[d0] = mul(p0, p1)
  %9 : f64[d0] = add(%8, 1.0)
  %10 : f64[d0] = tanh(%9)  # a
  %11 : f64[d0] = mul(%10, p0)
  %12 : f64 = sum{axes=(0,)}(%10)
  return %10, %11, %12
}
%13 : (f64[n], f64[n], f64) = fused{body=@1}(%1, %2)
%15 : f64[n] = %13.1
%14 : f64[n] = %13.0  # a
%16 : f64 = %13.2
return %15, %14, %16
specialize: 1 step, 7 -> 7 nodes, saturated
  1  mul-self [E]  x * x => sqr(x)    # a square
fuse: 2 steps, 7 -> 15 nodes, saturated
  2  fuse [E]
      # one pass over the elements, a tile at a time; 1 operator and 1 reduction over f64[n]; 8
      # bytes an element need not be stored
      one pass computes max(sqr(x)) from x
  3  fuse [E]
      # one pass over the elements, a tile at a time; 3 operators over f64[n]; 16 bytes an element
      # need not be stored
      one pass computes exp(%4) * y from y, x, %11
lower: 0 steps, 15 -> 15 nodes, off
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops
%6 : f64[n] = input{name=y}()
%1 : f64[n] = input{name=x}()
@1 = graph(p0: f64[d0]) {  # p0 x
  %9 : f64[d0] = sqr(p0)
  %10 : f64 = max{axes=(0,)}(%9)
  return %10
}
%11 : (f64,) = fused{body=@1}(%1)
%12 : f64 = %11.0
@2 = graph(p0: f64[d0], p1: f64[d0], p2: f64) {  # p0 y, p1 x, p2 proj
  %13 : f64[d0] = sub(p1, p2)
  %14 : f64[d0] = exp(%13)
  %15 : f64[d0] = mul(%14, p0)
  return %15
}
%16 : (f64[n],) = fused{body=@2}(%6, %1, %12)
%17 : f64[n] = %16.0
return %17
%1 : f64[2, 3] = input{name=A}()
@1 = graph(p0: f64[2, 3]) {  # p0 A
  %8 : f64[2, 3] = mul(p0, 2.0)
  %9 : f64[2, 3] = add(%8, 1.0)
  %10 : f64[2] = sum{axes=(1,)}(%9)
  return %10
}
%11 : (f64[2],) = fused{body=@1}(%1)
%12 : f64[2] = %11.0
@2 = graph(p0: f64[2, 3]) {  # p0 A
  %13 : f64[2, 3] = mul(p0, 3.0)
  %14 : f64[2, 3] = sub(%13, 1.0)
  return %14
}
%15 : (f64[2, 3],) = fused{body=@2}(%1)
%16 : f64[2, 3] = %15.0
%7 : f64[3] = sum{axes=(0,)}(%16)
return %12, %7
%1 : f64[n] = input{name=x}()
%2 : i64 = input{name=k}()
%3 : f64 = cast{dtype=f64}(%2)
%6 : f64[n] = input{name=y}()
@1 = graph(p0: f64[d0], p1: f64, p2: f64[d0]) {  # p0 x, p1 "cast k", p2 y
  %10 : bool[d0] = gt(p0, p1)
  %11 : f32[d0] = cast{dtype=f32}(p0)
  %12 : f32[d0] = cast{dtype=f32}(p2)
  %13 : f32[d0] = mul(%12, f32(2.0))
  %14 : f32[d0] = where(%10, %11, %13)
  return %14
}
%15 : (f32[n],) = fused{body=@1}(%1, %3, %6)
%16 : f32[n] = %15.0
return %16
canonicalize: 2 steps, 9 -> 7 nodes, saturated
  1-2  flatten-add [R]  2 times    # one sum instead of nested sums
      e.g. (x + y) + exp(x) => x + y + exp(x)
fuse: 2 steps, 7 -> 13 nodes, saturated
  3  order-sum [E]    # term by term, in the order that runs
      x + y + exp(x) + 1 => ((x + y) + exp(x)) + 1
  4  fuse [E]
      # one pass over the elements, a tile at a time; 5 operators over f64[n]; 32 bytes an element
      # need not be stored
      one pass computes (%5 + 1) * 2 from x, y
lower: 0 steps, 13 -> 13 nodes, off
nothing to do: inline, stabilize, differentiate, expand, loops, specialize
%2 : f64[2, 3] = input{name=A}()
%19 : f64[3] = index{axis=0}(%2, 1)
%3 : f64[n] = input{name=x}()
%1 : f64[3] = broadcast{axes=()}(0.0, 3)
%12 : f64[3] = match_shape(%3, %1)
%14 : f64[3] = index{axis=0}(%2, 0)
@1 = graph(p0: f64[3], p1: f64[3]) {  # p0 "match_shape x", p1 "index A"
  %22 : f64[3] = mul(0.0, p0)
  %23 : f64[3] = add(%22, p1)
  %24 : f64[3] = tanh(%23)  # "h[0]"
  return %24
}
%25 : (f64[3],) = fused{body=@1}(%12, %14)
%26 : f64[3] = %25.0  # "h[0]"
%17 : f64[3] = match_shape(%3, %26)
@2 = graph(p0: f64[3], p1: f64[3], p2: f64[3]) {  # p0 "index A", p1 "h[0]", p2 "match_shape x"
  %27 : f64[3] = mul(p1, p2)
  %28 : f64[3] = add(%27, p0)
  %29 : f64[3] = tanh(%28)  # "h[1]"
  return %29
}
%30 : (f64[3],) = fused{body=@2}(%19, %26, %17)
%31 : f64[3] = %30.0  # "h[1]"
return %31
%1 : i64 = input{name=k}()
%2 : bool = gt(%1, 1)
%3 : f64[n] = input{name=x}()
%4 : f64[n] = input{name=y}()
@1 = graph(p0: f64[d0], p1: f64[d0]) {  # p0 y, p1 x
  %10 : f64[d0] = tanh(p1)
  %11 : f64[d0] = mul(%10, p0)
  %12 : f64 = sum{axes=(0,)}(%11)
  return %12
}
@2 = graph(p0: f64[d0], p1: f64[d0]) {  # p0 x, p1 y
  %13 : (f64,) = fused{body=@1}(p1, p0)
  %14 : f64 = %13.0
  return %14
}
@3 = graph() {
  return 0.0
}
%8 : (f64,) = ifelse{then=@2, else=@3, then_args=(0, 1), else_args=()}(%2, %3, %4)
%9 : f64 = %8.0
return %9
lower: 0 steps, 2 -> 2 nodes, off
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize, fuse
fuse: 1 step, 8 -> 11 nodes, saturated
  1  fuse [E]
      # one pass over the elements, a tile at a time; 2 operators over i64[3]; 24 bytes need not be
      # stored
      one pass computes %1 * 2 + 1 from arange(3)
lower: 0 steps, 11 -> 11 nodes, off
nothing to do: inline, canonicalize, stabilize, differentiate, expand, loops, specialize
f64[3, 3] =
[[ 0.08004990217606298,  0.1770703296404525,   0.2868712374383217],
 [-0.4621171572600098,  -0.37994896225522495, -0.29131261245159096],
 [ 1.316227766016838,    1.4472135954999579,   1.547722557505166]]
f64[3, 3] =
[[ 0.08004990217606298,  0.1770703296404525,   0.2868712374383217],
 [-0.4621171572600098,  -0.37994896225522495, -0.29131261245159096],
 [ 1.316227766016838,    1.4472135954999579,   1.547722557505166]]
fuse [E]  tanh(x) + 1 => %6, %6 = fused(x)
  # one pass over the elements, a tile at a time; 2 operators over f64[n]; 8 bytes an element need not be stored
  before  tanh(x) + 1
  after   tanh(x) + 1
fuse fires nowhere
  at %2, tanh(x): no operand is elementwise over the same elements
step  pass        rule       classes  error  ulp
1     specialize  mul-self   [E]      0      0
2     fuse        order-sum  [E]      0      0
3     fuse        fuse       [E]      0      0
4     fuse        fuse       [E]      0      0
4 steps, 4 compared: all within what their classes allow; largest error 0
%9 : f64[n] = add(%8, 1.0)
  from the source: x * y + 1
  written at input.gr:8:10: x * y + 1
  gone at step 4, fuse: fuse, as nothing needs it after that
