# What draw= and focus= of an e-graph do not take.
x : f64
y : f64
:draw sin(x + y) egraph=on a.json focus=%1
:graph sin(x + y) ssa=on
:draw sin(x + y) egraph=on a.json focus=%99
:draw sin(x + y) egraph=on a.json draw=0
:draw sin(x + y) egraph=on a.json draw=many
:draw sin(x + y) egraph=on a.json focus=%1 depth=2
:draw sin(x + y) a.json draw=4
:draw cos(y) * x egraph=on a.json focus=%3
---
input.gr:4:41: error: there is no node %1
    :draw sin(x + y) egraph=on a.json focus=%1
                                            ^^
  hint: `:graph EXPR ssa=on` shows the numbers first
%1 : f64 = input{name=x}()
%2 : f64 = input{name=y}()
%3 : f64 = add(%1, %2)
%4 : f64 = sin(%3)
return %4
input.gr:6:41: error: there is no node %99
    :draw sin(x + y) egraph=on a.json focus=%99
                                            ^^^
  hint: `:graph EXPR ssa=on` shows the numbers first
input.gr:7:40: error: draw= goes from 1 to 500
    :draw sin(x + y) egraph=on a.json draw=0
                                           ^
input.gr:8:40: error: draw= takes a whole number
    :draw sin(x + y) egraph=on a.json draw=many
                                           ^^^^
input.gr:9:50: error: depth= does not go with egraph=on
    :draw sin(x + y) egraph=on a.json focus=%1 depth=2
                                                     ^
  hint: :help draw
input.gr:10:30: error: draw= goes with egraph=on
    :draw sin(x + y) a.json draw=4
                                 ^
  hint: :help draw
input.gr:11:41: error: the e-graph has no such node as %3
    :draw cos(y) * x egraph=on a.json focus=%3
                                            ^^
exit 1
