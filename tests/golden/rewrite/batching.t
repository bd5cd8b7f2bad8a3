# What is the same in every lane is not batched, and what is no batch at all goes.
x : f64[3] = [1, 2, 3]
w : f64[2] = [1, 10]
A : f64[3, 2] = [[1, 2], [3, 4], [5, 6]]
:steps vmap(r -> sum(w ^ 2))(x)
:steps vmap(r -> sum(w ^ 2) * r)(x)
:steps vmap(r -> (scan t over w from s = 0.0 { s[t] = tanh(s[t-1] + w[t]) }).final + r)(x)
# one product for all lanes; lanes in place, not cut and stacked
:steps vmap(r -> r @ w)(A)
:steps vmap(vmap(r -> 2 * r))(A)
:steps vmap(r -> r * w, in_axes=1, out_axes=1)(A')
# the time stays first, and only the states with lanes get them
:graph vmap(r -> (scan t over w from s = r, k = 0.0 { k[t] = k[t-1] + w[t]; s[t] = s[t-1] * k[t] }).final.s)(x) ssa pass=differentiate
---
inline: 0 steps, 8 -> 8 nodes, saturated
canonicalize: 1 step, 8 -> 6 nodes, saturated
  1  vmap-constant [E]    # the same in every lane: computed once; it depends on no batched argument
      vmap(p0 -> sum(w^2))(x) => broadcast_to(sum(w^2), (3,))
stabilize: 0 steps, 6 -> 6 nodes, saturated
differentiate: 0 steps, 6 -> 6 nodes, saturated
expand: 0 steps, 6 -> 6 nodes, saturated
loops: 0 steps, 6 -> 6 nodes, saturated
specialize: 1 step, 6 -> 5 nodes, saturated
  2  pow-two [R]  w^2 => sqr(w)    # a square
fuse: 1 step, 5 -> 8 nodes, saturated
  3  fuse [E]
      # one pass over the elements, a tile at a time; 1 operator and 1 reduction over f64[2]; 16 bytes
      # need not be stored
      sum(sqr(w)) => %11
      %11 = fused(w)
lower: 0 steps, 8 -> 8 nodes, saturated
inline: 0 steps, 10 -> 10 nodes, saturated
canonicalize: 0 steps, 10 -> 10 nodes, saturated
stabilize: 0 steps, 10 -> 10 nodes, saturated
differentiate: 1 step, 10 -> 6 nodes, saturated
  1  expand-vmap [E]    # all lanes at once, operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> sum(%3) * p0)(x) => sum(w^2) * x
expand: 0 steps, 6 -> 6 nodes, saturated
loops: 0 steps, 6 -> 6 nodes, saturated
specialize: 1 step, 6 -> 5 nodes, saturated
  2  pow-two [R]  w^2 => sqr(w)    # a square
fuse: 1 step, 5 -> 8 nodes, saturated
  3  fuse [E]
      # one pass over the elements, a tile at a time; 1 operator and 1 reduction over f64[2]; 16 bytes
      # need not be stored
      sum(sqr(w)) => %11
      %11 = fused(w)
lower: 0 steps, 8 -> 8 nodes, saturated
inline: 0 steps, 15 -> 15 nodes, saturated
canonicalize: 0 steps, 15 -> 15 nodes, saturated
stabilize: 0 steps, 15 -> 15 nodes, saturated
differentiate: 1 step, 15 -> 11 nodes, saturated
  1  expand-vmap [E]    # all lanes at once, operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> p0 + %5.final)(x) => x + %5.final
expand: 0 steps, 11 -> 11 nodes, saturated
loops: 2 steps, 11 -> 12 nodes, saturated
  2  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %5 => %5
      %5 = scan(2, from=0.0, over=w)
  3  unroll [E]    # a short loop is written out; 2 steps
      %5.final => tanh(tanh(%13) + w[1])
      %5.steps => 2
      %5.stopped => false
specialize: 0 steps, 12 -> 12 nodes, saturated
fuse: 0 steps, 12 -> 12 nodes, saturated
lower: 0 steps, 12 -> 12 nodes, saturated
inline: 0 steps, 7 -> 7 nodes, saturated
canonicalize: 0 steps, 7 -> 7 nodes, saturated
stabilize: 0 steps, 7 -> 7 nodes, saturated
differentiate: 1 step, 7 -> 3 nodes, saturated
  1  expand-vmap [E]    # all lanes at once, operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> p0 @ w)(A) => A @ w
expand: 0 steps, 3 -> 3 nodes, saturated
loops: 0 steps, 3 -> 3 nodes, saturated
specialize: 0 steps, 3 -> 3 nodes, saturated
fuse: 0 steps, 3 -> 3 nodes, saturated
lower: 0 steps, 3 -> 3 nodes, saturated
inline: 0 steps, 9 -> 9 nodes, saturated
canonicalize: 0 steps, 9 -> 9 nodes, saturated
stabilize: 0 steps, 9 -> 9 nodes, saturated
differentiate: 2 steps, 9 -> 3 nodes, saturated
  1  inner [E]  %5 => %5    # rewrites inside the graph it owns; open it to see them
    1.1  expand-vmap [E]    # all lanes at once, operator by operator; 3 nodes for all lanes at once
        vmap(A -> 2 * A)(A) => 2 * A
  2  expand-vmap [E]    # all lanes at once, operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> 2 * p0)(A) => 2 * A
expand: 0 steps, 3 -> 3 nodes, saturated
loops: 0 steps, 3 -> 3 nodes, saturated
specialize: 0 steps, 3 -> 3 nodes, saturated
fuse: 0 steps, 3 -> 3 nodes, saturated
lower: 0 steps, 3 -> 3 nodes, saturated
inline: 0 steps, 8 -> 8 nodes, saturated
canonicalize: 0 steps, 8 -> 8 nodes, saturated
stabilize: 0 steps, 8 -> 8 nodes, saturated
differentiate: 2 steps, 8 -> 7 nodes, saturated
  1  expand-vmap [E]    # all lanes at once, operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> p0 * w, in_axes=1, out_axes=1)(A') => (%2' * broadcast_to(w, (3, 2)))'
  2  transpose-transpose [E]  A'' => A    # one order of axes instead of two
expand: 0 steps, 7 -> 7 nodes, saturated
loops: 0 steps, 7 -> 7 nodes, saturated
specialize: 0 steps, 7 -> 7 nodes, saturated
fuse: 0 steps, 7 -> 7 nodes, saturated
lower: 0 steps, 7 -> 7 nodes, saturated
%1 : f64[3] = input{name=x}()
%2 : f64[2] = input{name=w}()
@1 = graph(p0: f64[3], p1: f64, p2: f64) {  # p0 "s[t-1]", p1 "k[t-1]", p2 "w[t]"
  %3 : f64 = add(p1, p2)  # "k[t]"
  %4 : f64[3] = mul(p0, %3)  # "s[t]"
  return %4, %3, %3, %4
}
%5 : (f64[3], f64, f64[2], f64[2, 3], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=2, init=%1, init=0.0, seq=%2)
%6 : f64[3] = %5.0
return %6
