# :undo takes back what the last statement changed, settings too.
a = 1
:set rule mul-one off
:undo
:set steps 7
:set digits 4
1 / 3
:undo
1 / 3
:undo 2
a
a = 1
:set passes inline canonicalize
:set pass inline off
:undo
:undo
:set allow Z N+
:undo
:rule twice: sin(x) + sin(x) => 2 * sin(x)
:undo
:rule twice
:rule again: cos(x) + cos(x) => 2 * cos(x)
:rule again drop=on
:undo
# A file of settings is one statement.
:set steps 9
:set allow Z
:save undo_settings.gr
:undo
:set steps 7
:load undo_settings.gr
:undo
---
rule mul-one is on again
f64 = 0.3333
digits is again 0
f64 = 0.3333333333333333
a has no meaning any more
steps is again 200000
input.gr:11:1: error: `a` is not defined
    a
    ^
pass inline is on again
the passes are again: inline canonicalize stabilize differentiate simplify expand loops specialize fuse lower
allowed again: E R N+ D C O
twice [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
the rule twice no longer exists
input.gr:21:7: error: there is no rule twice
    :rule twice
          ^^^^^
  hint: :rules lists them
again [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
again is no longer a rule
there is a rule again again
2 statements in undo_settings.gr
allowed again: E R N+ D C O
again [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
a is again: a = 1
allowed again: E R N+ D C O
steps is again 7
the rule again no longer exists
there is a rule again again
exit 1
