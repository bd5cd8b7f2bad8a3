:step step=+1
x : f64[3] = [0.1, 0.2, 0.3]
:steps ((2 * log(1 + x)) * x) * x
:step step=+1
:step step=+1
:step step=-1
:step step=0
:step until=log1p
:step until=log1p
:step until=nosuch
:step step=-1
:step step=99
:step step=K
:step step=3
:step step=+1
:diff 2 * log(1 + x)
:diff (2 * log(1 + x)) * x step=2
:diff 2 * log(1 + x) step=8..
:diff x
:bisect grad(sum(log(1 + x) * 2), x)
y : f64[n]
:bisect log(y + 1) * 1
:compare log(1 + y) * 1 off=stabilize,mul-one
:compare log(1 + y) off=log1q
:compare log(1 + y)
---
input.gr:1:1: error: :step needs an expression, because nothing was explored yet
    :step step=+1
    ^^^^^
  hint: :step [EXPR] [step=K|+1|-1] [until=RULE] [inner=open|closed] [form=N]
canonicalize: 2 steps, 8 -> 6 nodes, done
  1-2  flatten-mul [R O]  2 times    # nested products become one product
      e.g. (2 * log(1 + x)) * x => 2 * log(1 + x) * x
stabilize: 1 step, 6 -> 4 nodes, done
  3  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
specialize: 1 step, 4 -> 5 nodes, done
  4  mul-self [E R O]  2 * log1p(x) * x * x => 2 * log1p(x) * sqr(x)    # a square
fuse: 2 steps, 5 -> 9 nodes, done
  5  order-product [E]    # factor by factor, in evaluation order
      2 * log1p(x) * sqr(x) => (2 * log1p(x)) * sqr(x)
  6  fuse [E]    # one pass, tile by tile; 4 operators over f64[3]; 72 bytes not stored
      one kernel computes (2 * %7) * sqr(x) from x
nothing to do: inline, differentiate, simplify, expand, loops, lower
1/6  canonicalize, flatten-mul [R O]
    # nested products become one product
    - «(»2 * log(1 + x)«)» * x
    + 2 * log(1 + x) * x
    used in %5 * x
2/6  canonicalize, flatten-mul [R O]
    # nested products become one product
    - «(»2 * log(1 + x) * x«)» * x
    + 2 * log(1 + x) * x * x
1/6  canonicalize, flatten-mul [R O]
    # nested products become one product
    - «(»2 * log(1 + x)«)» * x
    + 2 * log(1 + x) * x
    used in %5 * x
0/6  start
  = 2 * log(1 + x) * x * x
3/6  stabilize, log1p [R]
    # accurate for small x
    - log(1 + x)
    + log1p(x)
    used in 2 * %7 * x * x
input.gr:9:13: error: no step of log1p comes after step 3
    :step until=log1p
                ^^^^^
  hint: step=0 is the start
input.gr:10:13: error: there is no rule nosuch
    :step until=nosuch
                ^^^^^^
  hint: :rules lists them
2/6  canonicalize, flatten-mul [R O]
    # nested products become one product
    - «(»2 * log(1 + x) * x«)» * x
    + 2 * log(1 + x) * x * x
input.gr:12:12: error: the steps are 0 to 6 here
    :step step=99
               ^^
  hint: one inside another is 9.1; :steps numbers them
input.gr:13:12: error: step= takes a step: 7, or 9.1, +1 or -1
    :step step=K
               ^
3/6  stabilize, log1p [R]
    # accurate for small x
    - log(1 + x)
    + log1p(x)
    used in 2 * %7 * x * x
4/6  specialize, mul-self [E R O]
    # a square
    - 2 * log1p(x) * «x *» x
    + 2 * log1p(x) * «sqr(»x«)»
- %2 : f64[3] = add(1.0, %1)
- %3 : f64[3] = log(%2)
- %4 : f64[3] = mul(2.0, %3)
+ %6 : f64[3] = log1p(p0)
+ %7 : f64[3] = mul(2.0, %6)
+ %8 : (f64[3],) = fused{body=@1}(%1)
+ %9 : f64[3] = %8.0
- return %4
+ return %9
3 nodes removed, 4 added, 0 changed
- %2 : f64[3] = add(1.0, %1)
- %3 : f64[3] = log(%2)
+ %6 : f64[3] = log1p(%1)
~ %5 : f64[3] = mul(2.0, %6, %1)
    was %5 : f64[3] = mul(2.0, %3, %1)
2 nodes removed, 1 added, 1 changed
input.gr:18:27: error: step= goes up to 2 here
    :diff 2 * log(1 + x) step=8..
                              ^^^
0 nodes removed, 0 added, 0 changed
8 steps, 8 compared: none differs more than its classes allow
2 steps, 2 compared: none differs more than its classes allow
                     as set   without stabilize,mul-one
steps                2        1
  pass canonicalize  1        0
  pass stabilize     1        0
  pass fuse          0        1
  rule mul-one       1        0
  rule log1p         1        0
  rule fuse          0        1
nodes                2        8
predicted            0.41 us  0.44 us
not evaluated: y has no value
input.gr:24:25: error: there is no rule log1q
    :compare log(1 + y) off=log1q
                            ^^^^^
  hint: did you mean log1p?
input.gr:25:1: error: :compare needs off=, what is left out, or passes=, what runs instead
    :compare log(1 + y)
    ^^^^^^^^
  hint: :compare EXPR off=stabilize
exit 1
