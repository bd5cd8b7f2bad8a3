# trial=off accepts a rule untried; it is marked wherever it is shown, saved and read back.
x : f64[3] = [-0.4, 0.2, 1.5]
:rule wrong [E]: floor(x) => zeros_like(x) "not true" trial=off
:rule lost [D]: abs(x) => x if nonnegative(x) pass=stabilize trial=off
:rule wrong
:rules only=own
:help wrong
:steps floor(x) + 1
:why %2 floor(x) + 1
:step floor(x)
:try wrong floor(x)
:move floor(x)
:audit floor(x) + 1
:export (floor(x) + 1) out.tex steps=on
:save out.gr
:save out.rules
:rule wrong drop=on
:rule lost drop=on
:load out.rules
:rules only=own
:rule wrong drop=on
:rule lost drop=on
:load out.gr
:rules only=own
:rule wrong [E]: floor(x) => trunc(x) trial=perhaps
:rule wrong [E]: floor(x) => trunc(x) trial=on
:rule wrong [E]: floor(x) => -ceil(-x) trial=on
:rule wrong
---
wrong [E untried]: accepted without a trial; a rule of the pass canonicalize now
lost [D untried]: accepted without a trial; a rule of the pass stabilize now
wrong [E untried] of the pass canonicalize
  floor(x) => zeros_like(x)
  not true
  E: exact: the same bits for every input
  untried: it was accepted without a trial
  input.gr:3; on; fired 0 times
canonicalize  wrong  [E untried]    floor(x) => zeros_like(x)
stabilize     lost   [D untried]    abs(x) => x if nonnegative(x)
2 rules; allowed classes: E R N+ D C O
rule wrong [E untried] of the pass canonicalize
  floor(x) => zeros_like(x)
not true
fired 0 times; written in input.gr:3
canonicalize: 3 steps, 4 -> 3 nodes, done
  1  wrong [E untried]  floor(x) => broadcast_to(0.0, (3,))    # not true
  2  broadcast-out [E]    # compute once, then repeat
      broadcast_to(0.0, (3,)) + 1 => broadcast_to(0.0 + 1.0, (3,))
  3  fold [E]  0.0 + 1.0 => 1.0    # the value is known while the graph is built
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
%2 : f64[3] = floor(%1)
  from the source: floor(x)
  written at input.gr:9:9: floor(x)
  gone at step 1, canonicalize: wrong (untried)
      - floor(x)
      + broadcast_to(0.0, (3,))
0/1  start
  = floor(x)
1/1  canonicalize, wrong [E untried]
    # not true
    - floor(x)
    + broadcast_to(0.0, (3,))
wrong [E untried]  floor(x) => broadcast_to(0.0, (3,))
  # not true
  before  floor(x)
  after   broadcast_to(0.0, (3,))
1  wrong  [E untried]  %2  floor(x)  =>  broadcast_to(0.0, (3,))
step  pass          rule           classes      error  ulp
1     canonicalize  wrong          [E untried]  2      9.21e+18  broken: not the same bits
2     canonicalize  broadcast-out  [E]          0      0
3     canonicalize  fold           [E]          0      0
3 steps, 3 compared: 1 broke its class; largest error 2
  hint: `:reduce floor(x) + 1 while audit` finds the smallest program with this fault
3 statements in out.gr
2 rules in out.rules
wrong is no longer a rule
lost is no longer a rule
wrong [E untried]: accepted without a trial; a rule of the pass canonicalize now
lost [D untried]: accepted without a trial; a rule of the pass stabilize now
canonicalize  wrong  [E untried]    floor(x) => zeros_like(x)
stabilize     lost   [D untried]    abs(x) => x if nonnegative(x)
2 rules; allowed classes: E R N+ D C O
wrong is no longer a rule
lost is no longer a rule
wrong [E untried]: accepted without a trial; a rule of the pass canonicalize now
lost [D untried]: accepted without a trial; a rule of the pass stabilize now
1  wrong  [E untried]  %2  floor(x)  =>  broadcast_to(0.0, (3,))
floor(x)
canonicalize  wrong  [E untried]    floor(x) => zeros_like(x)
stabilize     lost   [D untried]    abs(x) => x if nonnegative(x)
2 rules; allowed classes: E R N+ D C O
input.gr:25:45: error: trial= is on or off
    :rule wrong [E]: floor(x) => trunc(x) trial=perhaps
                                                ^^^^^^^
input.gr:26:7: error: not accepted: for x = -1.623 the left side is -2.0, the right side -1.0
    :rule wrong [E]: floor(x) => trunc(x) trial=on
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:27:7: error: not accepted: wrong, ceil-neg and neg-neg undo each other
    :rule wrong [E]: floor(x) => -ceil(-x) trial=on
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
wrong [E untried] of the pass canonicalize
  floor(x) => zeros_like(x)
  not true
  E: exact: the same bits for every input
  untried: it was accepted without a trial
  out.gr:2; on; fired 0 times
exit 1
