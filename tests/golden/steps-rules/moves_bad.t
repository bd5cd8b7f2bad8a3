# moves that cannot be made
x : f64; y : f64
:move
:move
:move 1
:graph
:move branches=on
:steps
:move x * 1 + y * 1
:move
:move 0
:move 99
:move -1
:move 3x
:move undo
:move 1 rule=mul-one
:move rule=mul-one
:move rule=mul-one at=3
:move rule=mul-one at=%9
:move rule=mul-one at=%3 nth=2
:move rule=no-such
:move rule=log1p
:move rule=mul-one nth=0
:move at=%77
:move rule=no-such list=on
:move pass=no-such
:move most=0
:move q * 2
:move branch=two words
:move branches=on a+b
:expect x + y
:expect x + y * 2
:expect digest=0
:expect q
:undo 0
:undo x
:move x - x
:move rule=sub-self
:set allow N-
:move rule=sub-self
:expect 0.0
---
input.gr:3:1: error: no interactive derivation is in progress
    :move
    ^^^^^
  hint: :move EXPR begins one
input.gr:4:1: error: no interactive derivation is in progress
    :move
    ^^^^^
  hint: :move EXPR begins one
input.gr:5:1: error: no interactive derivation is in progress
    :move 1
    ^^^^^
  hint: :move EXPR begins one
input.gr:6:1: error: :graph needs an expression, because nothing was explored yet
    :graph
    ^^^^^^
  hint: :graph [EXPR] [FILE.gr] [DIR/] [pass=NAME|all] [step=K] [form=N] [boxes=on] [ssa=on]
input.gr:7:1: error: no interactive derivation is in progress
    :move branches=on
    ^^^^^
  hint: :move EXPR begins one
input.gr:8:1: error: :steps needs an expression, because nothing was explored yet
    :steps
    ^^^^^^
  hint: :steps [EXPR] [pass=NAME] [rule=NAME] [by=rule] [hide=A,B] [open=K|all] [form=N] [times=on]
1  mul-one   [E]         %2  x * 1          =>  x
2  mul-one   [E]         %4  y * 1          =>  y
3  simplify  [R N+ O]    %5  x * 1 + y * 1  =>  x + y
4  factor    [Z R N+ O]  %5  x * 1 + y * 1  =>  1 * (x + y)  not allowed
1  mul-one   [E]         %2  x * 1          =>  x
2  mul-one   [E]         %4  y * 1          =>  y
3  simplify  [R N+ O]    %5  x * 1 + y * 1  =>  x + y
4  factor    [Z R N+ O]  %5  x * 1 + y * 1  =>  1 * (x + y)  not allowed
input.gr:11:7: error: there are 4 moves
    :move 0
          ^
  hint: :move lists them
input.gr:12:7: error: there are 4 moves
    :move 99
          ^^
  hint: :move lists them
input.gr:13:7: error: :move takes the number of a move
    :move -1
          ^^
  hint: :move 3, or :move rule=NAME at=%K
input.gr:14:7: error: `3x` is not a number
    :move 3x
          ^^
  hint: numbers look like 12, 1_000, 1.5, .5, 1e-3, 0xff or 0b101; a product needs `*`
input.gr:15:7: error: :move takes an expression or the number of a move
    :move undo
          ^^^^
  hint: :undo takes the last move back
input.gr:16:14: error: the number of a move says all: no rule=
    :move 1 rule=mul-one
                 ^^^^^^^
  hint: :move rule=NAME at=%K
input.gr:17:12: error: mul-one fires in several places: %2, %4
    :move rule=mul-one
               ^^^^^^^
  hint: at=%K or nth=K says which one
input.gr:18:12: error: mul-one does not fire at %3
    :move rule=mul-one at=3
               ^^^^^^^
  hint: :move lists what does; :whynot mul-one says why
input.gr:19:12: error: mul-one does not fire at %9
    :move rule=mul-one at=%9
               ^^^^^^^
  hint: :move lists what does; :whynot mul-one says why
input.gr:20:12: error: mul-one does not fire at %3
    :move rule=mul-one at=%3 nth=2
               ^^^^^^^
  hint: :move lists what does; :whynot mul-one says why
input.gr:21:12: error: there is no rule no-such
    :move rule=no-such
               ^^^^^^^
  hint: :rules lists them
input.gr:22:12: error: log1p does not fire
    :move rule=log1p
               ^^^^^
  hint: :move lists what does; :whynot log1p says why
input.gr:23:24: error: nth= goes from 1 to 1000000
    :move rule=mul-one nth=0
                           ^
input.gr:24:10: error: the derivation has no node %77
    :move at=%77
             ^^^
  hint: :graph ssa=on shows the numbers
input.gr:25:12: error: there is no rule no-such
    :move rule=no-such list=on
               ^^^^^^^
  hint: :rules lists them
input.gr:26:12: error: there is no pass no-such
    :move pass=no-such
               ^^^^^^^
  hint: :passes lists them
input.gr:27:12: error: most= goes from 1 to 1000000
    :move most=0
               ^
input.gr:28:7: error: `q` is not defined
    :move q * 2
          ^
input.gr:29:7: error: branch= belongs at the end, after the expression
    :move branch=two words
          ^^^^^^^^^^
  hint: a value with blanks is put in quotes or brackets
input.gr:30:7: error: branches= belongs at the end, after the expression
    :move branches=on a+b
          ^^^^^^^^^^^
  hint: a value with blanks is put in quotes or brackets
input.gr:31:9: error: this is not what the derivation led to
    :expect x + y
            ^^^^^
  hint: the derivation ends in another graph: see :steps
input.gr:32:9: error: this is not what the derivation led to
    :expect x + y * 2
            ^^^^^^^^^
  hint: the derivation ends in another graph: see :steps
input.gr:33:16: error: this is not what the derivation led to
    :expect digest=0
                   ^
  hint: the derivation ends in another graph: see :steps
input.gr:34:9: error: `q` is not defined
    :expect q
            ^
input.gr:35:1: error: there is nothing to undo
    :undo 0
    ^^^^^
input.gr:36:7: error: :undo takes a whole number
    :undo x
          ^
1  sub-self     [N-]  %2  x - x  =>  0.0     not allowed
2  sub-add-neg  [E]   %2  x - x  =>  x + -x
input.gr:38:1: error: sub-self is of a class that is not allowed
    :move rule=sub-self
    ^^^^^
  hint: :set allow N-
  1  sub-self [N-]  x - x => 0.0    # hides inf - inf and NaN
0.0
0.0
exit 1
