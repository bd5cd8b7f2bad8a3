# Passes in another order, some left out, some twice.
x : f64[3] = [0.1, 0.2, 0.3]
S = scan t over x from h = 1.0 { h[t] = tanh(1 * h[t-1] + x[t]) }
:set passes inline canonicalize differentiate stabilize canonicalize lower
:passes
:passes grad(S[-1] + log(1 + x[0]), x)
grad(S[-1] + log(1 + x[0]), x)
:graph log(1 + x) * 1 ssa=on pass=canonicalize
:graph log(1 + x) * 1 ssa=on pass=loops
:set pass canonicalize off
:steps log(1 + x) * 1
:set pass canonicalize on
:set pass loops off
:set
:set passes lower
grad(S[-1], x)
S[-1]
:set passes
:set passes inline nosuch
:set passes canonicalise
:set passes default
:passes
:rules only=own
:rules only=off
:set rule mul-one off
:set rule mul-one maybe
:set rule mul-noe off
:rules only=off
:steps log(1 + x) * 1
:set allow N- S Z
:set
---
inline         on       function bodies in place of their calls
canonicalize   on       one normal form: constants folded, signs and nesting straightened, shapes lifted
differentiate  on       implicit derivatives expanded, innermost first, and the result straightened
stabilize      on       the same functions without cancellation or overflow
canonicalize   on       one normal form: constants folded, signs and nesting straightened, shapes lifted
lower          on       scans as the loops that run: counters, indices and tests spelled out
simplify       not run  sums of products in fewer operations: like terms, common factors, orders of products
expand         not run  composites opened: nothing is left to say about them as a whole
loops          not run  loops that do less, run together, or become products, reductions and maps
specialize     not run  cheaper operators for special cases
fuse           not run  elementwise operators over the same elements in one pass over them
saturate       not run  all forms that the rules give, and the cheapest of them
census         not run  how many nodes of each class there are; it changes none
pass           steps  nodes before  after  stop
inline         0      21            21     done
canonicalize   1      21            17     done
differentiate  1      17            25     done
stabilize      0      25            25     done
canonicalize   0      25            25     done
lower          2      25            40     done
f64[3] = [0.966621, 0.160161, 0.381649]
%1 : f64[3] = input{name=x}()
%5 : f64[3] = log1p(%1)
return %5
input.gr:9:35: error: the pass loops is not among the passes that run
    :graph log(1 + x) * 1 ssa=on pass=loops
                                      ^^^^^
  hint: :set passes puts it back
canonicalize: 0 steps, 5 -> 5 nodes, off
stabilize: 1 step, 5 -> 4 nodes, done
  1  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
canonicalize: 0 steps, 4 -> 4 nodes, off
nothing to do: inline, differentiate, lower
input.gr:13:11: error: the pass loops is not among the passes that run
    :set pass loops off
              ^^^^^
  hint: :set passes puts it back
allow    E R N+ D C O
steps    200000
nodes    20000000
tries    100000000
memory   0
print    1000
digits   default
width    0
color    auto
images   auto
native   auto
threads  1
passes   inline canonicalize differentiate stabilize canonicalize lower
input.gr:16:1: error: a derivative (grad) is still in the graph
    grad(S[-1], x)
    ^^^^^^^^^^^^^^
  hint: the pass `differentiate` is off or hit a limit: see :passes and :set
f64 = 0.7863531975719313
passes  lower
input.gr:19:20: error: there is no pass nosuch
    :set passes inline nosuch
                       ^^^^^^
  hint: :passes lists them
input.gr:20:13: error: there is no pass canonicalise
    :set passes canonicalise
                ^^^^^^^^^^^^
  hint: did you mean canonicalize?
inline         on       function bodies in place of their calls
canonicalize   on       one normal form: constants folded, signs and nesting straightened, shapes lifted
stabilize      on       the same functions without cancellation or overflow
differentiate  on       implicit derivatives expanded, innermost first, and the result straightened
simplify       on       sums of products in fewer operations: like terms, common factors, orders of products
expand         on       composites opened: nothing is left to say about them as a whole
loops          on       loops that do less, run together, or become products, reductions and maps
specialize     on       cheaper operators for special cases
fuse           on       elementwise operators over the same elements in one pass over them
lower          on       scans as the loops that run: counters, indices and tests spelled out
saturate       not run  all forms that the rules give, and the cheapest of them
census         not run  how many nodes of each class there are; it changes none
0 rules; allowed classes: E R N+ D C O
0 rules; allowed classes: E R N+ D C O
input.gr:26:19: error: this is on or off, not maybe
    :set rule mul-one maybe
                      ^^^^^
input.gr:27:11: error: there is no rule mul-noe
    :set rule mul-noe off
              ^^^^^^^
  hint: did you mean mul-one?
canonicalize  mul-one  [E]  off  1 * x:any => x
1 rule; allowed classes: E R N+ D C O
stabilize: 1 step, 5 -> 4 nodes, done
  1  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
fuse: 1 step, 4 -> 7 nodes, done
  2  fuse [E]    # one pass, tile by tile; 2 operators over f64[3]; 24 bytes not stored
      one kernel computes log1p(x) * 1 from x
nothing to do: inline, canonicalize, differentiate, simplify, expand, loops, specialize, lower
allow    E Z R N+ N- D S C O
steps    200000
nodes    20000000
tries    100000000
memory   0
print    1000
digits   default
width    0
color    auto
images   auto
native   auto
threads  1
passes   inline canonicalize stabilize differentiate simplify expand loops specialize fuse lower
rule mul-one off
exit 1
