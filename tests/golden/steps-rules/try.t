x : f64[3] = [0.1, 0.2, 0.3]
:try log1p 2 * log(1 + x)
:try log1p 2 * log(2 + x)
:try log1p sin(x)
:try mul-zero 0 * x
:try fuse log(1 + x)
:try hoist scan t over x from s = 0.0 { s[t] = s[t-1] + x[t] * sum(exp(x)) }
:try log1p scan t over x from s = 0.0 { s[t] = s[t-1] + log(1 + x[t]) }
:try unchanged-state scan t over x from s = 0.0 { s[t] = s[t-1] + x[t] }
:try expand-derivative grad(sum(x * x), x)
:try log1q x
:try log1p
:whynot log1p log(1 - x)
:whynot log1p 2 * log(2 + x)
:whynot log1p 2 * log(1 + x)
:whynot mul-zero 0 * x
:whynot mul-zero-known 0 * x
:set allow Z
:whynot mul-zero-known 0 * x
:set allow default
:whynot expm1-log1p expm1(log1p(x))
:whynot sub-self-int x - x
:whynot maximum-self maximum(x, 2 * x)
:whynot add-neg x + 2 * x
:set rule log1p off
:whynot log1p log(1 + x)
:set rule log1p on
:set pass stabilize off
:whynot log1p log(1 + x)
:set pass stabilize on
:whynot unchanged-state scan t over x from s = 0.0 { s[t] = s[t-1] + x[t] }
:steps 2 * log(1 + x)
:whynot log1p %3
:whynot log1p %99
:whynot log1p %x
:whynot
---
log1p [R]  log(1 + x) => log1p(x)
  # accurate for small x
  before  2 * log(1 + x)
  after   2 * log1p(x)
log1p fires nowhere
  at %3, log(2 + x): 2 of 4: `2 + x` has no matching operand; the pattern has 1
  `:help log1p`: what it matches, and when
log1p fires nowhere
  there is no log in it
mul-zero [Z N-]  0 * x => broadcast_to(0.0, (3,))
  # 0 times anything is 0; hides NaN and infinity
  before  0 * x
  after   broadcast_to(0.0, (3,))
fuse [E]  log(1 + x) => %6, %6 = fused(x)
  # one pass, tile by tile; 2 operators over f64[3]; 24 bytes not stored
  before  log(1 + x)
  after   fused(log(1 + x))
hoist [E]  %6 => %6, %6 = scan(3, from=0.0, over=x, using=sum(exp(x)))
  # loop-invariant values are computed once, before the loop; 1 part; the loop runs at least once
  before  scan(3, from=0.0, over=x, using=x).trace
  after   scan(3, from=0.0, over=x, using=sum(exp(x))).trace
log1p [R]  log(1 + x[t]) => log1p(x[t])
  # accurate for small x
  before  scan(3, from=0.0, over=x).trace
  after   scan t over x from s = 0.0 {   s[t] = s[t-1] + log1p(x[t]) }
unchanged-state fires nowhere
  at %3, scan s: state s gets a new value at each step
  `:help unchanged-state`: what it matches, and when
expand-derivative [E]  grad(sum(x * x), x) => broadcast_to(2.0, (3,)) * x
  # operator by operator; reverse sweep over 3 nodes
  before  grad(sum(x * x), x)
  after   broadcast_to(2.0, (3,)) * x
input.gr:11:6: error: there is no rule log1q
    :try log1q x
         ^^^^^
  hint: did you mean log1p?
log1p fires nowhere
  there is no log in it
log1p does not fire
  at %3, log(1 - x): 1 of 4: `1 - x` is sub, not add; the pattern has 1 + x
  `:help log1p`: what it matches, and when
log1p does not fire
  at %3, log(2 + x): 2 of 4: `2 + x` has no matching operand; the pattern has 1
  `:help log1p`: what it matches, and when
log1p fires, step 1: log(1 + x) => log1p(x)
mul-zero does not fire
  at %2, 0 * x: it matches, but its class is not allowed: Z N-
    to see it fire: :set allow Z N-
mul-zero-known does not fire
  at %2, 0 * x: the condition finite(x) does not hold, or cannot be proved, for x = `x`
  `:help mul-zero-known`: what it matches, and when
mul-zero-known does not fire
  at %2, 0 * x: the condition finite(x) does not hold, or cannot be proved, for x = `x`
  `:help mul-zero-known`: what it matches, and when
expm1-log1p does not fire
  at %3, expm1(log1p(x)): the condition nonnegative(x) does not hold, or cannot be proved, for x = `x`
  `:help expm1-log1p`: what it matches, and when
sub-self-int does not fire
  at %2, x - x: 1 of 3: `x` is f64, but x must be int; the pattern has x:int
  `:help sub-self-int`: what it matches, and when
maximum-self does not fire
  at %3, maximum(x, 2 * x): 2 of 3: `maximum(x, 2 * x)` has no other matching operand; the pattern has x
  `:help maximum-self`: what it matches, and when
add-neg does not fire
  at %3, x + 2 * x: 2 of 4: `x + 2 * x` has no other matching operand; the pattern has -z:any
  `:help add-neg`: what it matches, and when
log1p does not fire
  at %3, log(1 + x): it matches, but the rule is switched off
    to see it fire: :set rule log1p on
log1p does not fire
  at %3, log(1 + x): it matches, but the pass stabilize is switched off
    to see it fire: :set pass stabilize on
unchanged-state does not fire
  at %3, scan s: state s gets a new value at each step; after step 1 it has no state
  `:help unchanged-state`: what it matches, and when
stabilize: 1 step, 6 -> 4 nodes, done
  1  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
fuse: 1 step, 4 -> 7 nodes, done
  2  fuse [E]    # one pass, tile by tile; 2 operators over f64[3]; 24 bytes not stored
      one kernel computes 2 * log1p(x) from x
nothing to do: inline, canonicalize, differentiate, simplify, expand, loops, specialize, lower
log1p
  at %3, log(1 + x): it fires, step 1
input.gr:34:15: error: there is no node %99
    :whynot log1p %99
                  ^^^
  hint: :graph ssa=on and :steps show the numbers
input.gr:35:15: error: :whynot takes a node, %3
    :whynot log1p %x
                  ^^
  hint: the numbers are those of :steps and :graph ssa=on
input.gr:36:1: error: :whynot needs the name of a rule
    :whynot
    ^^^^^^^
  hint: :rules lists them
exit 1
