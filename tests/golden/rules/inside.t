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
inline: 0 steps, 18 -> 18 nodes, saturated
canonicalize: 3 steps, 18 -> 11 nodes, saturated
  1  inner [E R]  %7 => %7    # rewrites inside the graph it owns; open it to see them
    1.1  sub-neg [E]  x[t] - -x[t] => x[t] + x[t]    # minus minus is plus
    1.2  mul-one [E]  1 * h[t-1] => h[t-1]    # one times anything
    1.3  flatten-add [R]    # one sum instead of nested sums
        h[t-1] + x[t] + (x[t] + x[t]) => h[t-1] + x[t] + x[t] + x[t]
  2  tail [E]    # the last row of a state's trace is its final value; the loop runs at least once
      %7.trace[-1] => %7.final
  3  mul-one [E]  log(1 + %14) * 1 => log(1 + %7.final)    # one times anything
stabilize: 1 step, 11 -> 10 nodes, saturated
  4  log1p [R]  log(1 + %7.final) => log1p(%7.final)    # accurate for small x
differentiate: 0 steps, 10 -> 10 nodes, saturated
expand: 0 steps, 10 -> 10 nodes, saturated
loops: 1 step, 10 -> 10 nodes, saturated
  5  dead-results [E]    # states and traces that nothing uses; 0 states and 1 trace
      %7 => %7
      %7 = scan(3, from=1.0, over=x)
specialize: 0 steps, 10 -> 10 nodes, saturated
fuse: 0 steps, 10 -> 10 nodes, saturated
lower: 2 steps, 10 -> 20 nodes, saturated
  6  inner [E]  %7 => %7    # rewrites inside the graph it owns; open it to see them
    6.1  order-sum [E]    # term by term, in the order that runs
        h[t-1] + x[t] + x[t] + x[t] => ((h[t-1] + x[t]) + x[t]) + x[t]
  7  lower-scan [E]
      # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs
      # from 0 to n-1, in place of 1 sequence
      %7.final => %7.final[0]
      %7 = loop(rows=3, go=true, from=(1.0, 0), using=x)
0/7  start
  = log(1 + scan(3, from=1.0, over=x).trace[-1]) * 1
  1.0/3  before the first step inside
    = tanh(1 * h[t-1] + x[t] + (x[t] - -x[t]))
  1.1/3  canonicalize, sub-neg [E]
      x[t] - -x[t] => x[t] + x[t]
      # minus minus is plus
    = tanh(1 * h[t-1] + x[t] + «(x[t] + x[t])»)
  1.2/3  canonicalize, mul-one [E]
      1 * h[t-1] => h[t-1]
      # one times anything
    = tanh(h[t-1] + x[t] + (x[t] + x[t]))
  1.3/3  canonicalize, flatten-add [R]
      h[t-1] + x[t] + (x[t] + x[t]) => h[t-1] + x[t] + x[t] + x[t]
      # one sum instead of nested sums
    = tanh(«h[t-1] + x[t] + x[t] + x[t]»)
1/7  canonicalize, inner [E R]
    %7 => %7
    # rewrites inside the graph it owns; open it to see them
  = log(1 + «scan(3, from=1.0, over=x)».trace[-1]) * 1
2/7  canonicalize, tail [E]
    %7.trace[-1] => %7.final
    # the last row of a state's trace is its final value; the loop runs at least once
  = log(1 + «scan(3, from=1.0, over=x).final») * 1
3/7  canonicalize, mul-one [E]
    log(1 + %14) * 1 => log(1 + %7.final)
    # one times anything
  = «log(1 + scan(3, from=1.0, over=x).final)»
4/7  stabilize, log1p [R]
    log(1 + %7.final) => log1p(%7.final)
    # accurate for small x
  = «log1p(scan(3, from=1.0, over=x).final)»
5/7  loops, dead-results [E]
    %7 => %7
    %7 = scan(3, from=1.0, over=x)
    # states and traces that nothing uses; 0 states and 1 trace
  = log1p(«scan(3, from=1.0, over=x).final»)
  6.0/1  before the first step inside
    = tanh(h[t-1] + x[t] + x[t] + x[t])
  6.1/1  lower, order-sum [E]
      h[t-1] + x[t] + x[t] + x[t] => ((h[t-1] + x[t]) + x[t]) + x[t]
      # term by term, in the order that runs
    = tanh(«h[t-1] + x[t] + x[t] + x[t]»)
6/7  lower, inner [E]
    %7 => %7
    # rewrites inside the graph it owns; open it to see them
  = log1p(«scan(3, from=1.0, over=x)».final)
  7.0/3  before the first step inside
    = scan(3, from=1.0, over=x).final
  7.1/3  lower, counter [E]
      %7.final => %23.final[0]
      %23 = scan(3, from=(1.0, 0), over=x)
      # the number of the step is a state: 0, 1, ..., n-1
    = «scan(3, from=(1.0, 0), over=x).final[0]»
  7.2/3  lower, index x [E]
      %23.final[0] => %24.final[0]
      %24 = scan(3, from=(1.0, 0), using=x)
      # row i of the whole array, a capture, in place of a sequence
    = «scan(3, from=(1.0, 0), using=x).final[0]»
  7.3/3  lower, loop [E]
      %24.final[0] => %7.final[0]
      %7 = loop(rows=3, go=true, from=(1.0, 0), using=x)
      # a test before each step; traces are arrays with a place for each
    = «loop(rows=3, go=true, from=(1.0, 0), using=x).final[0]»
7/7  lower, lower-scan [E]
    %7.final => %7.final[0]
    %7 = loop(rows=3, go=true, from=(1.0, 0), using=x)
    # what runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from 0 to n-1, in place of 1 sequence
  = log1p(«loop(rows=3, go=true, from=(1.0, 0), using=x).final[0]»)
input.gr:6:7: error: the steps are 0 to 7 here
    :goto 2.1
          ^^^
  hint: one inside another is 9.1; :steps numbers them
1/7  canonicalize, inner [E R]
    %7 => %7
    # rewrites inside the graph it owns; open it to see them
  = log(1 + «scan(3, from=1.0, over=x)».trace[-1]) * 1
2/7  canonicalize, tail [E]
    %7.trace[-1] => %7.final
    # the last row of a state's trace is its final value; the loop runs at least once
  = log(1 + «scan(3, from=1.0, over=x).final») * 1
3/7  canonicalize, mul-one [E]
    log(1 + %14) * 1 => log(1 + %7.final)
    # one times anything
  = «log(1 + scan(3, from=1.0, over=x).final)»
input.gr:10:7: error: the steps are 0 to 7 here
    :goto 2.0
          ^^^
  hint: one inside another is 9.1; :steps numbers them
2/7  canonicalize, tail [E]
    %7.trace[-1] => %7.final
    # the last row of a state's trace is its final value; the loop runs at least once
  = log(1 + «scan(3, from=1.0, over=x).final») * 1
4/7  stabilize, log1p [R]
    log(1 + %7.final) => log1p(%7.final)
    # accurate for small x
  = «log1p(scan(3, from=1.0, over=x).final)»
input.gr:13:8: error: no step of mul-one comes after step 4
    :until mul-one
           ^^^^^^^
  hint: :goto 0 is the start
0/7  start
  = log(1 + scan(3, from=1.0, over=x).trace[-1]) * 1
1.2/3  canonicalize, mul-one [E]
    1 * h[t-1] => h[t-1]
    # one times anything
  = tanh(h[t-1] + x[t] + (x[t] + x[t]))
input.gr:16:7: error: the steps are 0 to 7 here
    :goto 7.7
          ^^^
  hint: one inside another is 9.1; :steps numbers them
input.gr:17:7: error: the steps are 0 to 7 here
    :goto 1.x
          ^^^
  hint: one inside another is 9.1; :steps numbers them
input.gr:18:19: error: there is no step 2.1 here
    :graph S[-1] step=2.1
                      ^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
input.gr:19:18: error: there is no step 2.0 here
    :diff S[-1] from=2.0 to=2.1
                     ^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
input.gr:20:18: error: there is no step 2.1 here
    :diff S[-1] from=2.1 to=2
                     ^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
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
1.1   canonicalize  sub-neg       [E]      0        0
1.2   canonicalize  mul-one       [E]      0        0
1.3   canonicalize  flatten-add   [R]      0        0
1     canonicalize  inner         [E R]    0        0
2     canonicalize  tail          [E]      0        0
3     stabilize     log1p         [R]      4.8e-16  3
4     loops         dead-results  [E]      0        0
5.1   lower         order-sum     [E]      0        0
5     lower         inner         [E]      0        0
6     lower         lower-scan    [E]      0        0
10 steps, 10 compared: all within what their classes allow; largest error 4.8e-16
10 steps, 10 compared: none differs more than its classes allow
input.gr:26:19: error: inner= is open or closed
    :step S[-1] inner=maybe
                      ^^^^^
x : f64[3]
vjp(sum(sin(x)), x, 1.0)
exit 1
