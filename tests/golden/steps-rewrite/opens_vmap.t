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
differentiate: 1 step, 13 -> 9 nodes, done
  2  expand-vmap [E]    # batched operator by operator; 9 nodes for all lanes at once
      vmap(p0 -> tanh(p0 @ v) + sum(p0) * v[0])(A) => tanh(A @ v) + sum(A, axis=1) * v[0]
    2.1  vmap matmul [E]    # one product for the whole batch
        - vmap(p0 -> tanh(p0 «@ v») + sum(«p0») * v[0])(A)
        + vmap(«(»p0«, p1)» -> tanh(p0) + sum(«p1») * v[0])(A «@ v, A»)
    2.2  vmap tanh [E]    # elementwise: the same operator on the whole batch
        - vmap((p0, p1) -> «tanh(»p0«)» + sum(p1) * v[0])(A @ v, A)
        + vmap((p0, p1) -> p0 + sum(p1) * v[0])(«tanh(»A @ v«)», A)
    2.3  vmap sum [E]    # its axes move by one, after the batch axis
        - vmap((p0, p1) -> p0 + «sum(»p1«)» * v[0])(tanh(A @ v), A)
        + vmap((p0, p1) -> p0 + p1 * v[0])(tanh(A @ v), «sum(»A«, axis=1))»
    2.4  vmap mul [E]    # elementwise: the same operator on the whole batch
        - vmap((p0, p1) -> p0 + p1 «* v[0]»)(tanh(A @ v), sum(A, axis=1))
        + vmap((p0, p1) -> p0 + p1)(tanh(A @ v), sum(A, axis=1) «* v[0]»)
    2.5  vmap add [E]    # elementwise: the same operator on the whole batch
        - «vmap((p0, p1) -> p0 + p1)(»tanh(A @ v)«,» sum(A, axis=1) * v[0]«)»
        + tanh(A @ v) «+» sum(A, axis=1) * v[0]
A : f64[4, 3]
v : f64[3]
vmap((tanh_x_v, x) -> tanh_x_v + sum(x) * v[0])(tanh(A @ v), A)
differentiate: 3 steps, 7 -> 4 nodes, done
  1  expand-vmap [E]    # batched operator by operator; 4 nodes for all lanes at once
      vmap(p0 -> sqrt(sum(p0 * p0)), in_axes=1)(A) => sqrt(sum(A' * A', axis=1))
    1.1  lanes [E]    # the batch axis comes first: each argument has it as axis 0
        vmap(p0 -> sqrt(sum(p0 * p0)), in_axes=1)(A) => vmap(p0 -> sqrt(sum(p0 * p0)))(A')
    1.2  vmap mul [E]    # elementwise: the same operator on the whole batch
        vmap(p0 -> sqrt(sum(p0 * p0)))(A') => vmap(p0 -> sqrt(sum(p0)))(A' * A')
    1.3  vmap sum [E]    # its axes move by one, after the batch axis
        vmap(p0 -> sqrt(sum(p0)))(A' * A') => vmap(p0 -> sqrt(p0))(sum(A' * A', axis=1))
    1.4  vmap sqrt [E]    # elementwise: the same operator on the whole batch
        vmap(p0 -> sqrt(p0))(sum(A' * A', axis=1)) => sqrt(sum(A' * A', axis=1))
differentiate: 1 step, 15 -> 16 nodes, done
  2  expand-vmap [E]    # batched operator by operator; 12 nodes for all lanes at once
      new: scan without states (%12)
      - vmap(p0 -> max(%4.p) - %4.final.p)([1.0, 2.0, 6.0])
      + %12.trace
    2.1  vmap scan [E]
        # one loop for the whole batch: states, rows and traces have a batch axis
        new: scan p, stopped, steps (%4)
        - vmap(p0 -> max(%4.p) - «%4.final.p»)([1.0, 2.0, 6.0])
        + vmap(«(»p0«, p1)» -> max(%4.p) - «p1»)([1.0, 2.0, 6.0]«, %4.final.p»)
    2.2  vmap [E]    # a loop over the batch elements, because their shapes differ
        new: scan without states (%12)
        - vmap((p0, p1) -> max(%4.p) - p1)([1.0, 2.0, 6.0], %4.final.p)
        + %12.trace
step   pass           rule         classes  error  ulp
1.1    canonicalize   tail         [E]      0      0
1      canonicalize   inner        [E]      0      0
2.1    differentiate  vmap scan    [E]      0      0
2.2    differentiate  vmap         [E]      0      0
2      differentiate  expand-vmap  [E]      0      0
3.1.1  lower          counter      [E]      0      0
3.1.2  lower          loop         [E]      0      0
3.1    lower          lower-scan   [E]      0      0
3      lower          inner        [E]      0      0
4.1    lower          counter      [E]      0      0
4.2    lower          index value  [E]      0      0
4.3    lower          loop         [E]      0      0
4      lower          lower-scan   [E]      0      0
13 steps, 13 compared: all within what their classes allow; largest error 0
