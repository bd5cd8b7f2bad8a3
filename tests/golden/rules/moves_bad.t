# moves that cannot be made
x : f64; y : f64
:moves
:move
:move 1
:goal
:branch
:steps
:moves x * 1 + y * 1
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
:moves %77
:moves rule=no-such
:moves pass=no-such
:moves most=0
:moves q * 2
:branch two words
:branch a+b
:goal x + y
:goal x + y * 2
:goal digest=0
:goal q
:undo 0
:undo x
:moves x - x
:move rule=sub-self
:set allow N-
:move rule=sub-self
:goal 0.0
---
input.gr:3:1: error: there is no derivation by hand
    :moves
    ^^^^^^
  hint: :moves EXPR begins one
input.gr:4:1: error: there is no derivation by hand
    :move
    ^^^^^
  hint: :moves EXPR begins one
input.gr:5:1: error: there is no derivation by hand
    :move 1
    ^^^^^
  hint: :moves EXPR begins one
input.gr:6:1: error: there is no derivation by hand
    :goal
    ^^^^^
  hint: :moves EXPR begins one
input.gr:7:1: error: there is no derivation by hand
    :branch
    ^^^^^^^
  hint: :moves EXPR begins one
input.gr:8:1: error: :steps needs an expression
    :steps
    ^^^^^^
  hint: :steps [EXPR] [pass=NAME] [rule=NAME] [by=rule] [open=K|all] [times=on]
1  mul-one  [E]  %2  x * 1          =>  x
2  mul-one  [E]  %4  y * 1          =>  y
3  factor   [R]  %5  x * 1 + y * 1  =>  1 * (x + y)
input.gr:10:1: error: :move needs the number of a move, or rule=NAME
    :move
    ^^^^^
  hint: :moves lists the moves, :move 1 makes the first
input.gr:11:7: error: there are 3 moves
    :move 0
          ^
  hint: :moves lists them
input.gr:12:7: error: there are 3 moves
    :move 99
          ^^
  hint: :moves lists them
input.gr:13:7: error: :move takes the number of a move
    :move -1
          ^^
  hint: :move 3, or :move rule=NAME at=%K
input.gr:14:7: error: :move takes the number of a move
    :move 3x
          ^^
  hint: :move 3, or :move rule=NAME at=%K
input.gr:15:7: error: :move takes the number of a move
    :move undo
          ^^^^
  hint: :undo takes the last move back
input.gr:16:7: error: either a number or rule=NAME
    :move 1 rule=mul-one
          ^
input.gr:17:12: error: mul-one fires in several places: %2, %4
    :move rule=mul-one
               ^^^^^^^
  hint: at=%K or nth=K says which one
input.gr:18:23: error: at= takes a node, %3
    :move rule=mul-one at=3
                          ^
  hint: :moves lists them
input.gr:19:12: error: mul-one does not fire at %9
    :move rule=mul-one at=%9
               ^^^^^^^
  hint: :moves lists what does; :whynot mul-one tells why
input.gr:20:12: error: mul-one does not fire at %3
    :move rule=mul-one at=%3 nth=2
               ^^^^^^^
  hint: :moves lists what does; :whynot mul-one tells why
input.gr:21:12: error: there is no rule no-such
    :move rule=no-such
               ^^^^^^^
  hint: :rules lists them
input.gr:22:12: error: log1p does not fire
    :move rule=log1p
               ^^^^^
  hint: :moves lists what does; :whynot log1p tells why
input.gr:23:24: error: nth= goes from 1 to 1000000
    :move rule=mul-one nth=0
                           ^
input.gr:24:8: error: the derivation has no node %77
    :moves %77
           ^^^
  hint: :graph ssa shows the numbers
input.gr:25:13: error: there is no rule no-such
    :moves rule=no-such
                ^^^^^^^
  hint: :rules lists them
input.gr:26:13: error: there is no pass no-such
    :moves pass=no-such
                ^^^^^^^
  hint: :passes lists them
input.gr:27:13: error: most= goes from 1 to 1000000
    :moves most=0
                ^
input.gr:28:8: error: nothing is named q here
    :moves q * 2
           ^
input.gr:29:12: error: a branch is named by one word of letters and digits
    :branch two words
               ^^^^^^
  hint: :branch other
input.gr:30:12: error: a branch is named by one word of letters and digits
    :branch a+b
               ^
  hint: :branch other
input.gr:31:7: error: this is not the goal
    :goal x + y
          ^^^^^
  hint: the derivation ends in another graph: see :steps
input.gr:32:7: error: this is not the goal
    :goal x + y * 2
          ^^^^^^^^^
  hint: the derivation ends in another graph: see :steps
input.gr:33:14: error: this is not the goal
    :goal digest=0
                 ^
  hint: the derivation ends in another graph: see :steps
input.gr:34:7: error: nothing is named q here
    :goal q
          ^
input.gr:35:1: error: there is no statement to take back
    :undo 0
    ^^^^^
input.gr:36:7: error: this takes a whole number from 0 to 1000
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
