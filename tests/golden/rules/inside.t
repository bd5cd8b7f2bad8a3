# Steps inside steps: 2.1 is the first one inside step 2.
x : f64[3] = [0.1, 0.2, 0.3]
S = scan t over x from h = 1.0 { h[t] = tanh(1 * h[t-1] + x[t] + (x[t] - -x[t])) }
:steps log(1 + S[-1]) * 1
:step log(1 + S[-1]) * 1 inner=open
:goto 2.1
:next
:next
:next
:goto 2.0
:prev
:until log1p
:until mul-one
:goto 0
:until mul-one
:goto 7.7
:goto 1.x
:graph S[-1] step=2.1
:diff S[-1] from=2.0 to=2.1
:diff S[-1] from=2.1 to=2
:graph S[-1] step=2.99
:graph S[-1] step=1.
:diff S[-1] to=99.1
:audit log(1 + S[-1])
:bisect log(1 + S[-1])
:step S[-1] inner=maybe
:graph grad(sum(sin(x)), x) step=1.1
---
inline: 0 steps, 20 -> 20 nodes, saturated
canonicalize: 4 steps, 20 -> 11 nodes, saturated
  1  fold [E]  -1 => -1    # the value is known while the graph is built
  2  inner [E R]  %8 => %8    # rewrites inside the graph it owns; open it to see them
    2.1  sub-neg [E]  x[t] - -x[t] => x[t] + x[t]    # minus minus is plus
    2.2  mul-one [E]  1 * h[t-1] => h[t-1]    # one times anything
    2.3  flatten-add [R]    # one sum instead of nested sums
        (h[t-1] + x[t]) + (x[t] + x[t]) => h[t-1] + x[t] + x[t] + x[t]
  3  tail [E]    # the last row of a state's trace is its final value; the loop runs at least once
      %8.trace[-1] => %8.final
  4  mul-one [E]  log(1 + %16) * 1 => log(1 + %8.final)    # one times anything
stabilize: 1 step, 11 -> 10 nodes, saturated
  5  log1p [R]  log(1 + %8.final) => log1p(%8.final)    # accurate for small x
differentiate: 0 steps, 10 -> 10 nodes, saturated
expand: 0 steps, 10 -> 10 nodes, saturated
loops: 1 step, 10 -> 10 nodes, saturated
  6  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %8 => %8
      %8 = scan(3, from=1.0, over=x)
specialize: 0 steps, 10 -> 10 nodes, saturated
fuse: 0 steps, 10 -> 10 nodes, saturated
lower: 2 steps, 10 -> 20 nodes, saturated
  7  inner [E]  %8 => %8    # rewrites inside the graph it owns; open it to see them
    7.1  order-sum [E]    # term by term, in the order that runs
        h[t-1] + x[t] + x[t] + x[t] => ((h[t-1] + x[t]) + x[t]) + x[t]
  8  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %8.final => %8.final[0]
      %8 = loop(rows=3, go=true, from=(1.0, 0), using=x)
0/8  start
  = log(1 + scan(3, from=1.0, over=x).trace[-1]) * 1
1/8  canonicalize, fold [E]
    -1 => -1
    # the value is known while the graph is built
  = log(1 + scan(3, from=1.0, over=x).trace[«-1»]) * 1
  2.0/3  before the first step inside
    = tanh(1 * h[t-1] + x[t] + (x[t] - -x[t]))
  2.1/3  canonicalize, sub-neg [E]
      x[t] - -x[t] => x[t] + x[t]
      # minus minus is plus
    = tanh(1 * h[t-1] + x[t] + «(x[t] + x[t])»)
  2.2/3  canonicalize, mul-one [E]
      1 * h[t-1] => h[t-1]
      # one times anything
    = tanh(h[t-1] + x[t] + (x[t] + x[t]))
  2.3/3  canonicalize, flatten-add [R]
      (h[t-1] + x[t]) + (x[t] + x[t]) => h[t-1] + x[t] + x[t] + x[t]
      # one sum instead of nested sums
    = tanh(«h[t-1] + x[t] + x[t] + x[t]»)
2/8  canonicalize, inner [E R]
    %8 => %8
    # rewrites inside the graph it owns; open it to see them
  = log(1 + «scan(3, from=1.0, over=x)».trace[-1]) * 1
3/8  canonicalize, tail [E]
    %8.trace[-1] => %8.final
    # the last row of a state's trace is its final value; the loop runs at least once
  = log(1 + «scan(3, from=1.0, over=x).final») * 1
4/8  canonicalize, mul-one [E]
    log(1 + %16) * 1 => log(1 + %8.final)
    # one times anything
  = «log(1 + scan(3, from=1.0, over=x).final)»
5/8  stabilize, log1p [R]
    log(1 + %8.final) => log1p(%8.final)
    # accurate for small x
  = «log1p(scan(3, from=1.0, over=x).final)»
6/8  loops, dead-results [E]
    %8 => %8
    %8 = scan(3, from=1.0, over=x)
    # states and traces that nothing uses; 0 states and 1 trace
  = log1p(«scan(3, from=1.0, over=x).final»)
  7.0/1  before the first step inside
    = tanh(h[t-1] + x[t] + x[t] + x[t])
  7.1/1  lower, order-sum [E]
      h[t-1] + x[t] + x[t] + x[t] => ((h[t-1] + x[t]) + x[t]) + x[t]
      # term by term, in the order that runs
    = tanh(«h[t-1] + x[t] + x[t] + x[t]»)
7/8  lower, inner [E]
    %8 => %8
    # rewrites inside the graph it owns; open it to see them
  = log1p(«scan(3, from=1.0, over=x)».final)
8/8  lower, lower-scan [E]
    %8.final => %8.final[0]
    %8 = loop(rows=3, go=true, from=(1.0, 0), using=x)
    # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from 0 to n-1, in place of 1 sequence
  = log1p(«loop(rows=3, go=true, from=(1.0, 0), using=x).final[0]»)
2.1/3  canonicalize, sub-neg [E]
    x[t] - -x[t] => x[t] + x[t]
    # minus minus is plus
  = tanh(1 * h[t-1] + x[t] + «(x[t] + x[t])»)
2.2/3  canonicalize, mul-one [E]
    1 * h[t-1] => h[t-1]
    # one times anything
  = tanh(h[t-1] + x[t] + (x[t] + x[t]))
2.3/3  canonicalize, flatten-add [R]
    (h[t-1] + x[t]) + (x[t] + x[t]) => h[t-1] + x[t] + x[t] + x[t]
    # one sum instead of nested sums
  = tanh(«h[t-1] + x[t] + x[t] + x[t]»)
2/8  canonicalize, inner [E R]
    %8 => %8
    # rewrites inside the graph it owns; open it to see them
  = log(1 + «scan(3, from=1.0, over=x)».trace[-1]) * 1
2.0/3  before the first step inside
  = tanh(1 * h[t-1] + x[t] + (x[t] - -x[t]))
1/8  canonicalize, fold [E]
    -1 => -1
    # the value is known while the graph is built
  = log(1 + scan(3, from=1.0, over=x).trace[«-1»]) * 1
5/8  stabilize, log1p [R]
    log(1 + %8.final) => log1p(%8.final)
    # accurate for small x
  = «log1p(scan(3, from=1.0, over=x).final)»
input.gr:13:8: error: no step of mul-one comes after step 5
    :until mul-one
           ^^^^^^^
  hint: :goto 0 is the start
0/8  start
  = log(1 + scan(3, from=1.0, over=x).trace[-1]) * 1
2.2/3  canonicalize, mul-one [E]
    1 * h[t-1] => h[t-1]
    # one times anything
  = tanh(h[t-1] + x[t] + (x[t] + x[t]))
input.gr:16:7: error: the steps are 0 to 8 here
    :goto 7.7
          ^^^
  hint: one inside another is 9.1; :steps numbers them
input.gr:17:7: error: the steps are 0 to 8 here
    :goto 1.x
          ^^^
  hint: one inside another is 9.1; :steps numbers them
%1 : f64[3] = input{name=x}()
@1 = graph(p0: f64, p1: f64) {  # p0 "h[t-1]", p1 "x[t]"
  %2 : f64 = mul(1.0, p0)
  %3 : f64 = add(%2, p1)
  %12 : f64 = add(p1, p1)
  %6 : f64 = add(%3, %12)
  %7 : f64 = tanh(%6)  # "h[t]"
  return %7, %7
}
%8 : (f64, f64[3], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=3, init=1.0, seq=%1)
%9 : f64[3] = %8.1  # h
%11 : f64 = index{axis=0}(%9, -1)
return %11
- %4 : f64 = neg(p1)
- %5 : f64 = sub(p1, %4)
+ %12 : f64 = add(p1, p1)
~ %6 : f64 = add(%3, %12)
    was %6 : f64 = add(%3, %5)
2 nodes removed, 1 added, 1 changed
- %12 : f64 = add(p1, p1)
- %2 : f64 = mul(1.0, p0)
- %3 : f64 = add(%2, p1)
~ %6 : f64 = add(p0, p1, p1, p1)
    was %6 : f64 = add(%3, %12)
3 nodes removed, 0 added, 1 changed
input.gr:21:19: error: there is no step 2.99 here
    :graph S[-1] step=2.99
                      ^^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
input.gr:22:19: error: step= takes a step: 7, or 9.1
    :graph S[-1] step=1.
                      ^^
  hint: :steps numbers them
input.gr:23:16: error: there is no step 99.1 here
    :diff S[-1] to=99.1
                   ^^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
step  pass          rule          classes  error    ulp
1     canonicalize  fold          [E]      0        0
2.1   canonicalize  sub-neg       [E]      0        0
2.2   canonicalize  mul-one       [E]      0        0
2.3   canonicalize  flatten-add   [R]      0        0
2     canonicalize  inner         [E R]    0        0
3     canonicalize  tail          [E]      0        0
4     stabilize     log1p         [R]      4.8e-16  3
5     loops         dead-results  [E]      0        0
6.1   lower         order-sum     [E]      0        0
6     lower         inner         [E]      0        0
7     lower         lower-scan    [E]      0        0
11 steps, 11 compared: all within what their classes allow; largest error 4.8e-16
11 steps, 11 compared: none differs more than its classes allow
input.gr:26:19: error: inner= is open or closed
    :step S[-1] inner=maybe
                      ^^^^^
%1 : f64[3] = input{name=x}()
@1 = graph(p0: f64[3]) {  # p0 x
  %2 : f64[3] = sin(p0)
  %3 : f64 = sum{axes=(0,)}(%2)
  return %3
}
%10 : (f64[3], f64) = vjp{body=@1, wrt=1}(%1, cotangent=1.0)
%11 : f64[3] = %10.0
return %11
exit 1
