# What people write who come from Julia, R, Haskell, C and Python.
x : f64 = 3
A : f64[2, 2] = [[1, 2], [3, 4]]
x > 2 ? 1 : 0
[i for i in A]
(i for i in A)
sum(A, dims=1)
rand(3)
A .* A
A .^ 2
sin.(A)
y : float
y : Float64[3]
y : str
y :: f64
> x + 1
>>> x + 1
julia> x + 1
:rule drop sin-2x
x ** 2
lambda x: x + 1
\x -> x + 1
def f(x): x + 1
function f(x) x + 1 end
x <- 3
x <-3
import numpy as np
from numpy import sin
None
using LinearAlgebra
np.sin(x)
for i in A
True
TRUE
x = NULL
x > 1 && x < 2
x > 1 || x < 2
!x
x // the first input
// a comment
% a comment
/* a comment
println(x)
c(1, 2, 3)
A %*% A
5 %% 3
A \ x
@time x
let z = 3
end
---
input.gr:4:7: error: expected the end of the statement, but found `?`
    x > 2 ? 1 : 0
          ^
  hint: a choice is written `if c then a else b`; `?` is an unknown size, in types
input.gr:5:4: error: expected `]` for the `[` of line 5, column 1, but found `for`
    [i for i in A]
       ^^^
  hint: a value for each is `map(i -> e, xs)`, or a loop: `scan i over xs { y[i] = e }`
input.gr:6:4: error: expected `)` for the `(` of line 6, column 1, but found `for`
    (i for i in A)
       ^^^
  hint: a value for each is `map(i -> e, xs)`, or a loop: `scan i over xs { y[i] = e }`
input.gr:7:8: error: sum(x, axis=None, keepdims=false, where=None) has no parameter dims
    sum(A, dims=1)
           ^^^^
  hint: write axis=0 or axis=(0, 1), counted from 0
input.gr:8:1: error: `rand` is not defined
    rand(3)
    ^^^^
  hint: write uniform(r, 3); the numbers and the next state; the first state is r = rng(0)
input.gr:9:3: error: `.*` is not an operator of this language
    A .* A
      ^^
  hint: operators work element by element: `A * A`; the product of matrices is `A @ A`
input.gr:10:3: error: `.^` is not an operator of this language
    A .^ 2
      ^^
  hint: operators work element by element: `A ^ 2`
input.gr:11:4: error: `.(` is not an operator of this language
    sin.(A)
       ^^
  hint: functions work element by element: `sin(x)`
input.gr:12:5: error: there is no dtype float
    y : float
        ^^^^^
  hint: write f64, with sizes f64[n]; the dtypes are bool i32 i64 f32 f64 rng
input.gr:13:5: error: there is no dtype Float64
    y : Float64[3]
        ^^^^^^^^^^
  hint: write f64, with sizes f64[n]; the dtypes are bool i32 i64 f32 f64 rng
input.gr:14:5: error: there is no dtype str
    y : str
        ^^^
  hint: Gradus has no string type
input.gr:15:4: error: expected a type after `:`, but found `:`
    y :: f64
       ^
  hint: one colon is enough: `x : f64[n]`
input.gr:16:1: error: expected an expression, but found `>`
    > x + 1
    ^
  hint: a pasted prompt? Leave out what comes before the expression
input.gr:17:1: error: expected an expression, but found `>>`
    >>> x + 1
    ^^
  hint: a pasted prompt? Leave out what comes before the expression
input.gr:18:1: error: `julia` is not defined
    julia> x + 1
    ^^^^^
  hint: a pasted prompt? Leave out what comes before the expression
input.gr:19:7: error: the name of the rule comes first
    :rule drop sin-2x
          ^^^^
  hint: :rule sin-2x drop=on
input.gr:20:3: error: `**` is not an operator of this language
    x ** 2
      ^^
  hint: the power operator is `^`
input.gr:21:8: error: expected the end of the statement, but found `x`
    lambda x: x + 1
           ^
  hint: a nameless function is written `x -> expression`
input.gr:22:1: error: `\` is not an operator of this language
    \x -> x + 1
    ^
  hint: a function is written `x -> e`, the solution of A x = b `solve(A, b)`; a line goes on by itself after an operator or inside brackets
input.gr:23:5: error: expected the end of the statement, but found `f`
    def f(x): x + 1
        ^
  hint: a function is defined by `f(x) = expression`
input.gr:24:10: error: expected the end of the statement, but found `f`
    function f(x) x + 1 end
             ^
  hint: a function is defined by `f(x) = expression`
input.gr:25:3: error: `<-` is not an operator of this language
    x <- 3
      ^^
  hint: a definition is written `x = e`; less than minus: `x < (-e)`
bool = false
input.gr:27:8: error: expected the end of the statement, but found `numpy`
    import numpy as np
           ^^^^^
  hint: nothing has to be imported: functions stand alone, sum(x); another file is run by `:load FILE`
input.gr:28:6: error: expected the end of the statement, but found `numpy`
    from numpy import sin
         ^^^^^
  hint: nothing has to be imported: functions stand alone, sum(x); another file is run by `:load FILE`
input.gr:29:1: error: this is None, not a tensor
    None
    ^^^^
input.gr:30:7: error: expected the end of the statement, but found `LinearAlgebra`
    using LinearAlgebra
          ^^^^^^^^^^^^^
  hint: another file is run by `:load FILE`; nothing has to be imported
input.gr:31:1: error: `np` is not defined
    np.sin(x)
    ^^
  hint: functions stand alone, without a module: sum(x), log(x)
input.gr:32:5: error: expected the end of the statement, but found `i`
    for i in A
        ^
  hint: a loop is written `scan t for n from s = s0 { s[t] = ... s[t-1] ... }`; `repeat n { ... }` repeats statements
input.gr:33:1: error: `True` is not defined
    True
    ^^^^
  hint: write true
input.gr:34:1: error: `TRUE` is not defined
    TRUE
    ^^^^
  hint: write true
input.gr:35:5: error: `NULL` is not defined
    x = NULL
        ^^^^
  hint: Gradus has no null value; a missing number is nan
input.gr:36:7: error: `&&` is not an operator of this language
    x > 1 && x < 2
          ^^
  hint: write `and`
input.gr:37:7: error: `||` is not an operator of this language
    x > 1 || x < 2
          ^^
  hint: write `or`
input.gr:38:1: error: `!` is not an operator of this language
    !x
    ^
  hint: write `not x`; unequal is `!=`; shell commands do not run here: ^Z leaves for the shell, `fg` comes back
input.gr:39:10: error: expected the end of the statement, but found `first`
    x // the first input
             ^^^^^
  hint: a comment begins with `#`; `//` divides
input.gr:40:1: error: expected an expression, but found `//`
    // a comment
    ^^
  hint: a comment begins with `#`; `//` divides
input.gr:41:1: error: expected an expression, but found `%`
    % a comment
    ^
  hint: a comment begins with `#`; `%3`, without a blank, is node 3 of a listing
input.gr:42:1: error: expected an expression, but found `/`
    /* a comment
    ^
  hint: a comment begins with `#`
input.gr:43:1: error: `println` is not defined
    println(x)
    ^^^^^^^
  hint: an expression alone on its line prints its value
input.gr:44:1: error: `c` is not defined
    c(1, 2, 3)
    ^
  hint: write [1, 2, 3]
input.gr:45:3: error: `%*%` is not an operator of this language
    A %*% A
      ^^^
  hint: the product of matrices is `A @ B`
input.gr:46:3: error: `%%` is not an operator of this language
    5 %% 3
      ^^
  hint: the remainder is `a % b`
input.gr:47:3: error: `\` is not an operator of this language
    A \ x
      ^
  hint: a function is written `x -> e`, the solution of A x = b `solve(A, b)`; a line goes on by itself after an operator or inside brackets
input.gr:48:1: error: expected an expression, but found `@`
    @time x
    ^
  hint: `@` multiplies matrices; `:time EXPR` shows how long something takes
input.gr:49:5: error: expected the end of the statement, but found `z`
    let z = 3
        ^
  hint: a definition is just `name = expression`
input.gr:50:1: error: `end` is not defined
    end
    ^^^
  hint: nothing ends with a keyword: the body of a loop is in braces
exit 1
