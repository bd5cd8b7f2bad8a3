# What cannot be parsed; the statements around it still run.
1
x = (1 + 2
y = [1, 2
2
z = 1 +* 2
3
a < b < c
1 == 1 == 1
4
"open string
5
x := 
f(x = 3
6
{ t = 1
}
7
1 2
@
$
8
x' '
:draw
if 1 then 2
if true then 2
9
s[t] = 3
repeat { 1 }
repeat 2 { 1 + }
10
---
i64 = 1
input.gr:4:1: error: expected `)` for the `(` of line 3, column 5, but found `y`
    y = [1, 2
    ^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:5:1: error: expected `]` for the `[` of line 4, column 5, but found `2`
    2
    ^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:6:8: error: expected an expression, but found `*`
    z = 1 +* 2
           ^
  hint: `*` has no meaning in front of an operand; a power is written `^`
i64 = 3
input.gr:8:7: error: comparisons cannot be chained
    a < b < c
          ^
  hint: write `a < b and b < c`
input.gr:9:8: error: comparisons cannot be chained
    1 == 1 == 1
           ^^
  hint: write `a < b and b < c`
i64 = 4
input.gr:11:1: error: this string has no closing `"`
    "open string
    ^^^^^^^^^^^^
  hint: strings end on the line they begin on; `x'` with one quote is a transpose
i64 = 5
input.gr:15:1: error: expected `)` for the `(` of line 14, column 2, but found `6`
    6
    ^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:15:1: note: the 16 lines after this one are not read: the bracket is still open
    6
    ^
exit 1
