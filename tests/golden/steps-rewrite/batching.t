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
:graph vmap(r -> (scan t over w from s = r, k = 0.0 { k[t] = k[t-1] + w[t]; s[t] = s[t-1] * k[t] }).final.s)(x) ssa=on pass=differentiate
---
canonicalize: 1 step, 8 -> 6 nodes, done
  1  vmap-constant [E]
      # it is the same for every batch element: computed once; it depends on no batched argument
      vmap(p0 -> sum(w^2))(x) => broadcast_to(sum(w^2), (3,))
simplify: 1 step, 6 -> 4 nodes, done
  2  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      broadcast_to(sum(w^2), (3,)) => broadcast_to(w @ w, (3,))
nothing to do: inline, stabilize, differentiate, expand, loops, specialize, fuse, lower
differentiate: 1 step, 10 -> 6 nodes, done
  1  expand-vmap [E]    # batched operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> sum(w^2) * p0)(x) => sum(w^2) * x
simplify: 1 step, 6 -> 4 nodes, done
  2  simplify [R N+ O]
      # the same sum of products in fewer operations; contract in a different order
      sum(w^2) => w @ w
nothing to do: inline, canonicalize, stabilize, expand, loops, specialize, fuse, lower
differentiate: 1 step, 15 -> 11 nodes, done
  1  expand-vmap [E]    # batched operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> p0 + %5.final.s)(x) => x + %5.final.s
loops: 2 steps, 11 -> 12 nodes, done
  2  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan s: trace s is no longer kept
  3  unroll [E]    # a short loop is unrolled; 2 steps
      scan s (%5) is gone
      - %5.final.s
      + s[1] = tanh(tanh(0 + w[0]) + w[1])
      - %5.steps
      + 2
      … and 1 more
nothing to do: inline, canonicalize, stabilize, simplify, expand, specialize, fuse, lower
differentiate: 1 step, 7 -> 3 nodes, done
  1  expand-vmap [E]    # batched operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> p0 @ w)(A) => A @ w
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, specialize, fuse, lower
differentiate: 2 steps, 9 -> 3 nodes, done
  1  inner [E]  in the function of vmap
    1.1  expand-vmap [E]    # batched operator by operator; 3 nodes for all lanes at once
        vmap(A -> 2 * A)(A) => 2 * A
  2  expand-vmap [E]    # batched operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> 2 * p0)(A) => 2 * A
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, specialize, fuse, lower
differentiate: 2 steps, 8 -> 7 nodes, done
  1  expand-vmap [E]    # batched operator by operator; 3 nodes for all lanes at once
      vmap(p0 -> p0 * w, in_axes=1, out_axes=1)(A') => (A'' * w)'
  2  transpose-transpose [E]  A'' => A    # one transpose instead of two
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, specialize, fuse, lower
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
