# branches of a derivation, what is taken back, what it is after that
x : f64[3] = [1, 2, 3]; y : f64
:move sum(log(1 + x * 1))
:move branch=plain
:move rule=mul-one
:move branch=main
:move rule=log1p
:move branches=on
:move branch=plain
:move at=%3
:move at=%4 rule=log1p list=on
:move pass=stabilize
:move most=1
:undo
:undo 2
:move branches=on
x : f64 = 5
:move
:move rule=log1p
:move rule=mul-one
:steps
:step
:graph
:diff
:audit
:bisect
:step step=1
:why %4
:export d.md steps=on
:undo 40
:move
---
1  mul-one     [E]         %2  x * 1                =>  x
2  fuse        [E]         %3  1 + x * 1            =>  1 + x * 1 (fused)
3  factor-one  [Z R N+ O]  %3  1 + x * 1            =>  (1 + x) * 1                  not allowed
4  fuse        [E]         %4  log(1 + x * 1)       =>  log(1 + x * 1) (fused)
5  log1p       [R]         %4  log(1 + x * 1)       =>  log1p(x * 1)
6  fuse        [E]         %5  sum(log(1 + x * 1))  =>  sum(log(1 + x * 1)) (fused)
plain begins after 0 moves
sum(log(1 + x * 1))
  1  mul-one [E]  x * 1 => x    # 1 is neutral
sum(log(1 + x))
main, after 0 moves
sum(log(1 + x * 1))
  1  log1p [R]  log(1 + x * 1) => log1p(x * 1)    # accurate for small x
sum(log1p(x * 1))
   branch  moves  cost        goal
*  main    1      0.07976 us  sum(log1p(x * 1))
   plain   1      0.07832 us  sum(log(1 + x))
plain, after 1 move
sum(log(1 + x))
no rule fires there
2  log1p  [R]  %4  log(1 + x)  =>  log1p(x)
2  log1p  [R]  %4  log(1 + x)  =>  log1p(x)
1  fuse  [E]  %4  log(1 + x)  =>  log(1 + x) (fused)
and 2 more: most= lists them, at=%K, pass= and rule=NAME list=on some of them
again on the branch main, after 1 move
sum(log1p(x * 1))
again on the branch plain, after 1 move
sum(log(1 + x))
   branch  moves  cost        goal
   main    0      0.0908 us   sum(log(1 + x * 1))
*  plain   1      0.07832 us  sum(log(1 + x))
1  fuse   [E]  %4  log(1 + x)       =>  log(1 + x) (fused)
2  log1p  [R]  %4  log(1 + x)       =>  log1p(x)
3  fuse   [E]  %5  sum(log(1 + x))  =>  sum(log(1 + x)) (fused)
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
sum(log1p(x))
input.gr:20:12: error: mul-one does not fire
    :move rule=mul-one
               ^^^^^^^
  hint: :move lists what does; :whynot mul-one says why
by hand: 2 steps, 6 -> 3 nodes, so far
  1  mul-one [E]  x * 1 => x    # 1 is neutral
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
0/2  start
  = sum(log(1 + x * 1))
1/2  by hand, mul-one [E]
    # 1 is neutral
    - x * 1
    + x
    used in 1 + x
2/2  by hand, log1p [R]
    # accurate for small x
    - log(1 + x)
    + log1p(x)
    used in sum(%6)
x : f64[3]
sum(log1p(x))
- %2 : f64[3] = mul(%1, 1.0)
- %3 : f64[3] = add(1.0, %2)
- %4 : f64[3] = log(%3)
+ %6 : f64[3] = log1p(%1)
~ %5 : f64 = sum{axes=(0,)}(%6)
    was %5 : f64 = sum{axes=(0,)}(%4)
3 nodes removed, 1 added, 1 changed
step  pass     rule     classes  error    ulp
1     by hand  mul-one  [E]      0        0
2     by hand  log1p    [R]      1.8e-16  1
2 steps, 2 compared: all within what their classes allow; largest error 1.8e-16
2 steps, 2 compared: none differs more than its classes allow
1/2  by hand, mul-one [E]
    # 1 is neutral
    - x * 1
    + x
    used in 1 + x
%4 : f64[3] = log(%3)
  from the source: log(1 + x * 1)
  written at input.gr:3:11: log(1 + x * 1)
  gone at step 2, by hand: log1p
      - log(1 + x)
      + log1p(x)
d.md: 2 steps
y has no meaning any more
x has no meaning any more
the interactive derivation has ended
input.gr:31:1: error: no interactive derivation is in progress
    :move
    ^^^^^
  hint: :move EXPR begins one
exit 1
