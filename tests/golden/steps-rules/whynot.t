# The last word on a rule that does not fire: one verdict for each place, and what would show it fire.
x : f64
y : f64
# A rule of one's own, which never fires (PyTensor, issue 1476): another pass had the form before.
:rule log-minus [R N+]: log(b - (-a)) => log(a + b)  pass=stabilize
:whynot log-minus log(y - (-x))
:compare log(y - (-x)) off=sub-neg
# taken in its own pass; what it matches is itself made by a step
:rule log-scaled [R N+]: log(2 * (3 * a)) => log(6) + log(a)  pass=stabilize
:whynot log-scaled log(2 * (3 * x))
# off, the pass off, not in the order, of another kind, of a class that is not allowed
:set rule log1p off
:whynot log1p log(1 + x)
:set rule log1p on
:set pass stabilize off
:whynot log1p log(1 + x)
:set pass stabilize on
:set passes canonicalize fuse
:whynot log1p log(1 + x)
:compare log(1 + x) passes=canonicalize,stabilize,fuse
:set passes default
:whynot factor-back x * y + x * 2
:whynot mul-zero 0 * x
# near misses, those of which more matched first
:whynot log1p log(2 + x) + log(x * y) + log(y)
# in a loop's body; a rule in C
S = scan t for 3 from s = x { s[t] = s[t-1] - (-y) }
:whynot log-minus S.final
:whynot unroll S.final
# one node, one state
:whynot log-minus %5 log(y - (-x))
:whynot log-minus log(y - (-x)) step=0
:whynot log-minus log(y - (-x)) step=1
# moves by hand
:move log(1 + x)
:whynot log1p
# bad input
:whynot
:whynot nosuch x
:whynot log1p log(
:whynot log1p %99 log(1 + x)
:whynot log1p log(1 + x) step=9
:whynot log1p unknown + 1
---
log-minus [R N+]: both sides agree on 1000 instances; a rule of the pass stabilize now
log-minus does not fire
  at %5, log(y - -x): taken by step 1, sub-neg (canonicalize), which made `log(y + x)` of it, before the pass stabilize ran
    to see it fire: :compare log(y - (-x)) off=sub-neg
                     as set     without sub-neg
steps                1          1
  pass canonicalize  1          0
  pass stabilize     0          1
  rule sub-neg       1          0
  rule log-minus     0          1
nodes                4          4
predicted            0.2094 us  0.2094 us
not evaluated: y has no value
log-scaled [R N+]: both sides agree on 1000 instances; a rule of the pass stabilize now
log-scaled does not fire
  at %4, log(2 * 3 * x) (after step 1): taken by step 2, fold-mul (canonicalize), which made `log(x * 6)` of it, before the pass stabilize ran
    to see it fire: :compare log(2 * (3 * x)) off=fold-mul
log1p does not fire
  at %3, log(1 + x): it matches, but the rule is switched off
    to see it fire: :set rule log1p on
log1p does not fire
  at %3, log(1 + x): it matches, but the pass stabilize is switched off
    to see it fire: :set pass stabilize on
log1p does not fire
  at %3, log(1 + x): it matches, but the pass stabilize is not among those that run
    to see it fire: :compare log(1 + x) passes=canonicalize,stabilize,fuse
                  as set     passes canonicalize,stabilize,fuse
steps             0          1
  pass stabilize  0          1
  rule log1p      0          1
nodes             4          2
predicted         0.2094 us  0.2107 us
not evaluated: x has no value
factor-back does not fire
  at %7, x * (y + 2) (after step 1): it matches, but the rule is of equality saturation alone
    to see it fire: :saturate x * y + x * 2
  at %3, x * y: 2 of 5: `x * y` has no other matching operand; the pattern has x + z
  at %4, x * 2: 2 of 5: `x * 2` has no other matching operand; the pattern has x + z
mul-zero does not fire
  at %2, 0 * x: it matches, but its class is not allowed: Z N-
    to see it fire: :set allow Z N-
log1p does not fire
  at %3, log(2 + x): 2 of 4: `2 + x` has no matching operand; the pattern has 1
  at %6, log(x * y): 1 of 4: `x * y` is mul, not add; the pattern has 1 + x
  at %7, log(y): 1 of 4: `y` is input, not add; the pattern has 1 + x
  `:help log1p`: what it matches, and when
log-minus does not fire
  there is no log in it
unroll does not fire
  at %5, scan s: it takes 3 steps
  `:help unroll`: what it matches, and when
log-minus
  at %5, log(y - -x): taken by step 1, sub-neg (canonicalize), which made `log(y + x)` of it, before the pass stabilize ran
    to see it fire: :compare log(y - (-x)) off=sub-neg
log-minus does not fire
  at %5, log(y - -x): taken by step 1, sub-neg (canonicalize), which made `log(y + x)` of it, before the pass stabilize ran
    to see it fire: :compare log(y - (-x)) off=sub-neg
log-minus does not fire
  at %5, log(y + x): 1 of 5: `y + x` is add, not sub; the pattern has b - -a
  `:help log-minus`: what it matches, and when
1  log1p  [R]  %3  log(1 + x)  =>  log1p(x)
log1p does not fire
  at %3, log(1 + x): this rewrite was not applied in the interactive derivation
    to see it fire: :move rule=log1p
input.gr:38:1: error: :whynot needs the name of a rule
    :whynot
    ^^^^^^^
  hint: :rules lists them
input.gr:39:9: error: there is no rule nosuch
    :whynot nosuch x
            ^^^^^^
  hint: :rules lists them
input.gr:40:18: error: this `(` is never closed
    :whynot log1p log(
                     ^
input.gr:41:15: error: there is no node %99
    :whynot log1p %99 log(1 + x)
                  ^^^
  hint: :graph ssa=on and :steps show the numbers
input.gr:42:31: error: step= goes up to 1 here
    :whynot log1p log(1 + x) step=9
                                  ^
input.gr:43:15: error: `unknown` is not defined
    :whynot log1p unknown + 1
                  ^^^^^^^
exit 1
