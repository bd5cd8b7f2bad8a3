# The cotangent of sum(trace) is the same in every row: one row, captured, with no memory of its own.
u : f64[n] = [1, 2, 3]
x0 : f64 = 0.5
S = scan t over u from x = x0 { x[t] = tanh(x[t-1] + u[t]) }
grad(sum(S), x0)
:steps grad(sum(S), x0)
:plan grad(sum(S), x0)
# rows of a matrix; a scan that stops; no proof that there are enough rows
v : f64[2] = [1, 10]
k : i64 = 2
A = scan t over w = broadcast_to(v, (3, 2)) from s = zeros(2) { s[t] = 2 * s[t-1] + w[t] }
A
:steps A
B = scan t over w = broadcast_to(v, (3, 2)) for k from s = zeros(2) { s[t] = 2 * s[t-1] + w[t]; until s[t][0] > 9 }
B
:graph B ssa=on pass=loops
---
f64 = 0.18286261770213846
differentiate: 1 step, 14 -> 22 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 10 nodes
      new: scan x (%6) and scan carry_x (%18)
      d_x0 = %18.final.carry_x
specialize: 1 step, 22 -> 22 nodes, done
  2  inner [E]  in scan carry_x
    2.1  mul-self [E]  x[t] * x[t] => sqr(x[t])    # a square
lower: 2 steps, 22 -> 40 nodes, done
  3  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan x runs as loop x, row
  4  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from n-1 down to 0, in place of 2 sequences
      scan carry_x runs as loop carry_x, row
      - %18.stopped
      + false
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, fuse
@0: 2 tensors, 4 scalars
    r1 : 0.0
   0  r0 = size n
   1  r2 = leaf x0
   2  t0 = leaf u
   3  _, t1, _, _ = loop @2(r0, r2, t0)
   4  r3, _, _ = loop @1(r0, r1, t1!, t0!)
   5  end (r3)
@1 loop, reverse: 2 tensors, 11 scalars
    states r0
    elements r1, r2
    r5 : 1.0
   0  r1 = seq8 r3
   1  r2 = seq8 r4
   2  r7 = add.f64 r1, r2
   3  r8 = tanh.f64 r7
   4  r9 = sqr.f64 r8
   5  r10 = sub.f64 r5, r9
   6  r0 = add_mul r5, r0, r10
   7  loop
@2 loop: 1 tensors, 5 scalars
    states r0
    elements r1
   0  r1 = seq8 r2
   1  row8 r3, r0
   2  r4 = add.f64 r0, r1
   3  r0 = tanh.f64 r4
   4  loop
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1 @2
A : f64[3, 2] =
[[ 1.0, 10.0],
 [ 3.0, 30.0],
 [ 7.0, 70.0]]
loops: 1 step, 13 -> 12 nodes, done
  1  repeated-sequence [E]    # a sequence of equal rows is one row, captured; 1 sequence
      scan s: it no longer reads w[t] step by step
      it reads v
fuse: 1 step, 12 -> 16 nodes, done
  2  inner [E]  in scan s
    2.1  fuse [E]    # one pass, tile by tile; 2 operators over f64[2]; 16 bytes not stored
        one kernel computes s[t] from w[t], s[t-1]
lower: 1 step, 16 -> 23 nodes, done
  3  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1
      scan s runs as loop s, row
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, specialize
B : f64[2, 2] =
[[ 1.0, 10.0],
 [ 3.0, 30.0]]
%1 : i64 = input{name=k}()
%2 : f64[2] = broadcast{axes=()}(0.0, 2)
%3 : f64[2] = input{name=v}()
%4 : f64[3, 2] = broadcast{axes=(1,)}(%3, 3, 2)  # w
@1 = graph(p0: f64[2], p1: f64[2]) {  # p0 "s[t-1]", p1 "w[t]"
  %5 : f64[2] = mul(2.0, p0)
  %6 : f64[2] = add(%5, p1)  # "s[t]"
  %7 : f64 = index{axis=0}(%6, 0)
  %8 : bool = gt(%7, 9.0)
  return %6, %6, %8
}
%9 : (f64[2], f64[r2, 2], i64, bool) = scan{body=@1, reverse=false, stop=true}(n=%1, init=%2, seq=%4)
%24 : i64 = %9.2
%10 : f64[%24, 2] = %9.1  # s
return %10
