x : f64[3] = [0.1, 0.2, 0.3]
y = log(1 + exp(x))
:steps y
:why %7
:why %99
:graph y ssa=on step=1
:graph y step=99
:set rule softplus off
:steps y
:set rule nonsense off
:set pass stabilize off
:passes y
---
stabilize: 2 steps, 5 -> 2 nodes, done
  1  log1p [R]  y = log(1 + exp(x)) => log1p(exp(x))    # accurate for small x
  2  softplus [R N+]  y = log1p(exp(x)) => softplus(x)    # no overflow in exp
nothing to do: inline, canonicalize, differentiate, simplify, expand, loops, specialize, fuse, lower
input.gr:4:6: error: there is no node %7
    :why %7
         ^^
  hint: :graph ssa=on and :steps show the numbers
input.gr:5:6: error: there is no node %99
    :why %99
         ^^^
  hint: :graph ssa=on and :steps show the numbers
%1 : f64[3] = input{name=x}()
%2 : f64[3] = exp(%1)
%5 : f64[3] = log1p(%2)  # y
return %5
input.gr:7:15: error: step= goes up to 2 here
    :graph y step=99
                  ^^
stabilize: 1 step, 5 -> 3 nodes, done
  1  log1p [R]  y = log(1 + exp(x)) => log1p(exp(x))    # accurate for small x
fuse: 1 step, 3 -> 6 nodes, done
  2  fuse [E]    # one pass, tile by tile; 2 operators over f64[3]; 24 bytes not stored
      one kernel computes y from x
nothing to do: inline, canonicalize, differentiate, simplify, expand, loops, specialize, lower
input.gr:10:11: error: there is no rule nonsense
    :set rule nonsense off
              ^^^^^^^^
  hint: :rules lists them
pass           steps  nodes before  after  stop
inline         0      5             5      done
canonicalize   0      5             5      done
stabilize      0      5             5      off
differentiate  0      5             5      done
simplify       0      5             5      done
expand         0      5             5      done
loops          0      5             5      done
specialize     0      5             5      done
fuse           1      5             8      done
lower          0      8             8      done
exit 1
