# Steps inside steps: 1.1 is the first one inside step 1.
x : f64[3] = [0.1, 0.2, 0.3]
S = scan t over x from h = 1.0 { h[t] = tanh(1 * h[t-1] + x[t] + (x[t] - -x[t])) }
:steps log(1 + S[-1]) * 1
:step log(1 + S[-1]) * 1 inner=open
:step step=1.1
:step step=+1
:step step=+1
:step step=+1
:step step=1.0
:step step=-1
:step until=log1p
:step until=mul-one
:step step=0
:step until=mul-one
:step step=7.7
:step step=1.x
:graph S[-1] step=1.1
:diff S[-1] step=1.1
:diff S[-1] step=1.2..1
:graph S[-1] step=1.99
:graph S[-1] step=1.
:diff S[-1] step=1..99.1
:audit log(1 + S[-1])
:bisect log(1 + S[-1])
:step S[-1] inner=maybe
:graph grad(sum(sin(x)), x) step=1.1
---
canonicalize: 3 steps, 18 -> 11 nodes, done
  1  inner [E R O]  in scan h
    1.1  sub-neg [E]  x[t] - -x[t] => x[t] + x[t]    # subtracting a negation adds
    1.2  mul-one [E]  1 * h[t-1] => h[t-1]    # 1 is neutral
    1.3  flatten-add [R O]    # nested sums become one sum
        h[t-1] + x[t] + (x[t] + x[t]) => h[t-1] + x[t] + x[t] + x[t]
  2  tail [E]    # the last row of a state's trace is its final value; the loop runs at least once
      %7.h[-1] => %7.final.h
  3  mul-one [E]  log(1 + %7.final.h) * 1 => log(1 + %7.final.h)    # 1 is neutral
stabilize: 1 step, 11 -> 10 nodes, done
  4  log1p [R]  log(1 + %7.final.h) => log1p(%7.final.h)    # accurate for small x
loops: 1 step, 10 -> 10 nodes, done
  5  dead-results [E]    # unused states and traces are removed; 0 states and 1 trace
      scan h: trace h is no longer kept
specialize: 1 step, 10 -> 10 nodes, done
  6  late-operands [R O]
      # the term that depends on the newest state is added or multiplied last; 1 sum or product
lower: 2 steps, 10 -> 20 nodes, done
  7  inner [E]  in scan h
    7.1  order-sum [E]    # term by term, in evaluation order
        x[t] + x[t] + x[t] + h[t-1] => ((x[t] + x[t]) + x[t]) + h[t-1]
  8  lower-scan [E]
      # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
      # counter runs from 0 to n-1, in place of 1 sequence
      scan h runs as loop h, row
nothing to do: inline, differentiate, simplify, expand, fuse
0/8  start
  = log(1 + scan(3, from=1.0, over=x).trace[-1]) * 1
  1.0/3  before the first step inside
    = tanh(1 * h[t-1] + x[t] + (x[t] - -x[t]))
  1.1/3  canonicalize, sub-neg [E] in scan h
      # subtracting a negation adds
      - x[t] «- -»x[t]
      + x[t] «+» x[t]
      used in 1 * h[t-1] + x[t] + %13
  1.2/3  canonicalize, mul-one [E] in scan h
      # 1 is neutral
      - «1 *» h[t-1]
      + h[t-1]
  1.3/3  canonicalize, flatten-add [R O] in scan h
      # nested sums become one sum
      - h[t-1] + x[t] + «(»x[t] + x[t]«)»
      + h[t-1] + x[t] + x[t] + x[t]
      used in h[t] = tanh(%5)
1/8  canonicalize, inner [E R O]
    in scan h: sub-neg, mul-one, flatten-add
2/8  canonicalize, tail [E]
    # the last row of a state's trace is its final value; the loop runs at least once
    - %7.h[-1]
    + %7.final.h
    used in 1 + %14
3/8  canonicalize, mul-one [E]
    # 1 is neutral
    - log(1 + %7.final.h) «* 1»
    + log(1 + %7.final.h)
4/8  stabilize, log1p [R]
    # accurate for small x
    - «log(1 +» %7.final.h)
    + «log1p»(%7.final.h)
5/8  loops, dead-results [E]
    # unused states and traces are removed; 0 states and 1 trace
    scan h: trace h is no longer kept
6/8  specialize, late-operands [R O]
    # the term that depends on the newest state is added or multiplied last; 1 sum or product
  7.0/1  before the first step inside
    = tanh(x[t] + x[t] + x[t] + h[t-1])
  7.1/1  lower, order-sum [E] in scan h
      # term by term, in evaluation order
      - x[t] + x[t] + x[t] + h[t-1]
      + «((»x[t] + x[t]«)» + x[t]«)» + h[t-1]
      used in h[t] = tanh(%5)
7/8  lower, inner [E]
    in scan h: order-sum
  8.0/3  before the first step inside
    = scan(3, from=1.0, over=x).final
  8.1/3  lower, counter [E]
      # the step number becomes a state: 0, 1, ..., n-1
      scan h: state row is new
      + row + 1
  8.2/3  lower, index x [E]
      # the sequence becomes row i of a captured array
      scan h, row: it no longer reads x[t] step by step
      it reads x
      + x[t] = x[row]
  8.3/3  lower, loop [E]
      # a test before each step; traces are arrays with one row per step
      scan h, row runs as loop h, row
8/8  lower, lower-scan [E]
    # the loop that runs: a counter, a test before each step, arrays indexed by the counter; the
        counter runs from 0 to n-1, in place of 1 sequence
    scan h runs as loop h, row
1.1/3  canonicalize, sub-neg [E] in scan h
    # subtracting a negation adds
    - x[t] «- -»x[t]
    + x[t] «+» x[t]
    used in 1 * h[t-1] + x[t] + %13
1.2/3  canonicalize, mul-one [E] in scan h
    # 1 is neutral
    - «1 *» h[t-1]
    + h[t-1]
1.3/3  canonicalize, flatten-add [R O] in scan h
    # nested sums become one sum
    - h[t-1] + x[t] + «(»x[t] + x[t]«)»
    + h[t-1] + x[t] + x[t] + x[t]
    used in h[t] = tanh(%5)
1/8  canonicalize, inner [E R O]
    in scan h: sub-neg, mul-one, flatten-add
1.0/3  before the first step inside
  = tanh(1 * h[t-1] + x[t] + (x[t] - -x[t]))
0/8  start
  = log(1 + scan(3, from=1.0, over=x).trace[-1]) * 1
4/8  stabilize, log1p [R]
    # accurate for small x
    - «log(1 +» %7.final.h)
    + «log1p»(%7.final.h)
input.gr:13:13: error: no step of mul-one comes after step 4
    :step until=mul-one
                ^^^^^^^
  hint: step=0 is the start
0/8  start
  = log(1 + scan(3, from=1.0, over=x).trace[-1]) * 1
1.2/3  canonicalize, mul-one [E] in scan h
    # 1 is neutral
    - «1 *» h[t-1]
    + h[t-1]
input.gr:16:12: error: the steps are 0 to 8 here
    :step step=7.7
               ^^^
  hint: one inside another is 9.1; :steps numbers them
input.gr:17:12: error: step= takes a step: 7, or 9.1, +1 or -1
    :step step=1.x
               ^^^
x : f64[3]
S = scan t over x from h = 1.0 {
  h[t] = tanh(1 * h[t-1] + x[t] + (x[t] + x[t]))
}
S[-1]
- %3 : f64 = neg(p1)
- %4 : f64 = sub(p1, %3)
+ %10 : f64 = add(p1, p1)
~ %5 : f64 = add(%2, p1, %10)
    was %5 : f64 = add(%2, p1, %4)
2 nodes removed, 1 added, 1 changed
- %2 : f64 = mul(1.0, p0)
- %10 : f64 = add(p1, p1)
~ %5 : f64 = add(p0, p1, p1, p1)
    was %5 : f64 = add(%2, p1, %10)
2 nodes removed, 0 added, 1 changed
input.gr:21:19: error: there is no step 1.99 here
    :graph S[-1] step=1.99
                      ^^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
input.gr:22:19: error: step= takes a step: 7, or 9.1
    :graph S[-1] step=1.
                      ^^
input.gr:23:18: error: there is no step 99.1 here
    :diff S[-1] step=1..99.1
                     ^^^^^^^
  hint: the steps inside step 9 begin with 9.1; :steps numbers them
step  pass          rule           classes  error    ulp
1.1   canonicalize  sub-neg        [E]      0        0
1.2   canonicalize  mul-one        [E]      0        0
1.3   canonicalize  flatten-add    [R O]    0        0
1     canonicalize  inner          [E R O]  0        0
2     canonicalize  tail           [E]      0        0
3     stabilize     log1p          [R]      4.8e-16  3
4     loops         dead-results   [E]      0        0
5     specialize    late-operands  [R O]    0        0
6.1   lower         order-sum      [E]      0        0
6     lower         inner          [E]      0        0
7     lower         lower-scan     [E]      0        0
11 steps, 11 compared: all within what their classes allow; largest error 4.8e-16
11 steps, 11 compared: none differs more than its classes allow
input.gr:26:19: error: inner= is open or closed
    :step S[-1] inner=maybe
                      ^^^^^
x : f64[3]
vjp(sum(sin(x)), x, 1.0)
exit 1
