:rule log1p
:rule log1q
:rule fold-exp [R]: exp(a) * exp(b) => exp(a + b)
:rule fold-exp [R N+]: exp(a) * exp(b) => exp(a + b) "one exponential" pass=stabilize
:rule fold-exp
x : f64[3] = [0.5, 1.0, 1.5]
:steps 2 * exp(x) * exp(2 * x)
:rule fold-exp
:set rule fold-exp off
:passes exp(x) * exp(2 * x)
:rule flip [Z]: 0 - a => -a pass=specialize
:rule ab [R]: tanh(x) => 1 - 2 * sigmoid(-2 * x)
:rule ba [R]: 1 - 2 * sigmoid(-2 * x) => tanh(x)
:rule ab [R]: tanh(x) => 1 - 2 * sigmoid(-(2 * x)) "written again"
:rule ab [R]: tanh(x) => x
:rule ab
:rule flip drop=on
:rule flip
:rule log1p drop=on
:rule many [R N+ O]: a + b + c + d + e + f + g + exp(sin(h)) => exp(sin(h)) + g + f + e + d + c + b + a + 0 * 1
:rule wide [R N+ O]: a + b + c + d + e + f + g + exp(sin(h)) * 3 => a + b + c + d + e + f + g + 3 * exp(sin(1 * h))
:rule deep [R N+ O]: a + b + c + d + e + f + g + exp(sin(h)) * sin(h) => a + b + c + d + e + f + g + 2 * (exp(sin(h)) * sin(h)) / 2
:rule slow [R N+ O]: a + b + c + d + e + f + g + exp(sin(h)) * exp(h) => exp(sin(h) + h) + a + b + c + d + e + f + g
:passes x + 1 + x*2 + x*3 + x*4 + x*5 + x*6 + x*7 + x*8 + x*9 + x*10 + x*11 + x*12 + x*13 + x*14 + x*15
:save out.gr
:load out.gr
---
log1p [R] of the pass stabilize
  log(1 + x) => log1p(x)
  accurate for small x
  R: may change rounding
  stabilize.rules:5; on; fired 0 times
input.gr:2:7: error: there is no rule log1q
    :rule log1q
          ^^^^^
  hint: did you mean log1p?
input.gr:3:7: error: not accepted: for a = -800.0, b = 800.0 the left side is nan, the right side 1.0
    :rule fold-exp [R]: exp(a) * exp(b) => exp(a + b)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R N+]
fold-exp [R N+]: both sides agree on 1000 instances; a rule of the pass stabilize now
fold-exp [R N+] of the pass stabilize
  exp(a) * exp(b) => exp(a + b)
  one exponential
  R: may change rounding
  N+: removes a nan or infinity that the source would have given
  input.gr:4; on; fired 0 times
canonicalize: 1 step, 6 -> 6 nodes, done
  1  exp-exp [R N+ O]    # one exponential instead of two
      2 * exp(x) * exp(2 * x) => 2 * exp(x + 2 * x)
simplify: 1 step, 6 -> 6 nodes, done
  2  simplify [R N+ O]    # the same sum of products in fewer operations; collect x
      x + 2 * x => 3 * x
fuse: 1 step, 6 -> 9 nodes, done
  3  fuse [E]    # one pass, tile by tile; 3 operators over f64[3]; 48 bytes not stored
      one kernel computes 2 * exp(%7) from x
nothing to do: inline, stabilize, differentiate, expand, loops, specialize, lower
fold-exp [R N+] of the pass stabilize
  exp(a) * exp(b) => exp(a + b)
  one exponential
  R: may change rounding
  N+: removes a nan or infinity that the source would have given
  input.gr:4; on; fired 0 times
pass           steps  nodes before  after  stop
inline         0      6             6      done
canonicalize   1      6             5      done
stabilize      0      5             5      done
differentiate  0      5             5      done
simplify       1      5             4      done
expand         0      4             4      done
loops          0      4             4      done
specialize     0      4             4      done
fuse           1      4             7      done
lower          0      7             7      done
flip [Z]: both sides agree on 1000 instances; a rule of the pass specialize now
it does not fire yet: `:set allow Z` opens its class
ab [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:13:7: error: not accepted: ba and ab undo each other
    :rule ba [R]: 1 - 2 * sigmoid(-2 * x) => tanh(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
ab [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:15:7: error: not accepted: for x = 1.974 the left side is 0.9621438683726397, the right side 1.974
    :rule ab [R]: tanh(x) => x
          ^^^^^^^^^^^^^^^^^^^^
ab [R] of the pass canonicalize
  tanh(x) => 1 - 2 * sigmoid(-(2 * x))
  written again
  R: may change rounding
  input.gr:14; on; fired 0 times
flip is no longer a rule
input.gr:18:7: error: there is no rule flip
    :rule flip
          ^^^^
  hint: :rules lists them
input.gr:19:7: error: only rules of your own can be dropped; log1p can be switched off
    :rule log1p drop=on
          ^^^^^
  hint: :set rule NAME off
input.gr:20:7: error: not accepted: flatten-add, add-zero-known, fold and many undo each other
    :rule many [R N+ O]: a + b + c + d + e + f + g + exp(sin(h)) => exp(sin(h)) + g + f + e + d + c + b …
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
input.gr:21:7: error: not accepted: flatten-add, mul-one and wide undo each other
    :rule wide [R N+ O]: a + b + c + d + e + f + g + exp(sin(h)) * 3 => a + b + c + d + e + f + g + 3 * …
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
deep [R N+ O]: both sides agree on 1000 instances; a rule of the pass canonicalize now
slow [R N+ O]: both sides agree on 1000 instances; a rule of the pass canonicalize now
pass           steps  nodes before  after  stop
inline         0      31            31     done
canonicalize   0      31            31     done
stabilize      0      31            31     done
differentiate  0      31            31     done
simplify       1      31            5      done
expand         0      5             5      done
loops          0      5             5      done
specialize     0      5             5      done
fuse           1      5             8      done
lower          0      8             8      done
5 statements in out.gr
fold-exp [R N+]: both sides agree on 1000 instances; a rule of the pass stabilize now
ab [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
deep [R N+ O]: both sides agree on 1000 instances; a rule of the pass canonicalize now
slow [R N+ O]: both sides agree on 1000 instances; a rule of the pass canonicalize now
exit 1
