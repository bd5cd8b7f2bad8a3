:rule
:rule x / 1
:rule r [Q]: tanh(x) => x
:rule r [R] tanh(x) => x
:rule r [R]: tanh(x) => y
:rule r [R]: tanh(x) => x if nice(x)
:rule r [R]: tanh(x) => x if finite(x, x)
:rule r [R]: tanh(x:real) => x
:rule r [R]: tanh(x) =>
:rule r [R]: tanh(x) x
:rule r [R]: tanh(x) => x "why
:rule r [R]: tanh(x) => x nonsense
:rule r [R]: tanh(x) => x pass=canon
:rule log1p [R]: tanh(x) => x
:rule r: x => 2 * x
:rule r: sum(x, axis=A) => sum(x)
:rule r: sum(x, axis=0) => x
:rule r: sum(x, axis=A) => A
:rule r: exp(x, axis=A) => x
:rule r: sin(x) => x'
:rule r: sin(x) => zeros_like(x, x)
:rule r: sin(x) => nosuch(x)
:rule r: sin(x) => tile(x)
:rule r: sin(x) => softmax(x)
:rule r: sin(x, x) => x
:rule r: sin(x) => atan2(x)
:rule r: sin(x) + cos(x) => cos(x) + sin(x)
:rule r [E]: transpose(transpose(x)) => x
:rule r [R]: sqr(x) * sqr(z) => sqr(x * z)
:rule r [E]: scan(x) => x
:rule r [E]: x[0] => x
:rule r [E]: x:any == x => true
:rule r [E]: sin(x) => x
:rule r [E]: 0 + x => x
:rule r [E]: x / x => ones_like(x)
:rule r [R]: sum(x, axis=A) => prod(x, axis=A)
:rule r [E]: maximum(x, z) => z
:rule r [E]: x:int // z:int => x
:rule r [R]: x @ z => z @ x
:rule r [E]: c:const * x => x
:rule r [E]: where(c:bool, x:any, z:any) => where(not c, z, x)
:rule r [R]: sin(x) => sin(x + 0 * sin(x))
:rule r [D E]: abs(x) => x if nonnegative(x) and nonsense(x)
:rule r [D E]: round(x) => floor(x) if positive(x) and finite(x)
:rule a [R]: sinh(x) => sinh(abs(x)) if whole(x)
:rule one [R]: log10(exp2(x)) => x * 0.30102999566398120
:rule two [R]: x * 0.30102999566398120 => log10(exp2(x))
:rule self [E]: cosh(x) => cosh(x)
:rule three [E grows]: floor(x) => floor(floor(x))
:rule four [E grows]: floor(x) => -ceil(-x)
:rule five [E grows]: ceil(x) => -floor(-x)
---
input.gr:1:1: error: :rule needs the name of a rule
    :rule
    ^^^^^
  hint: :rules lists them
input.gr:2:9: error: a colon is missing after the name
    :rule x / 1
            ^
  hint: name [R]: log(1 + x) => log1p(x) if guard(x) "reason"
input.gr:3:11: error: the classes are E Z R N+ N- D S C O
    :rule r [Q]: tanh(x) => x
              ^
  hint: name [R]: log(1 + x) => log1p(x) if guard(x) "reason"
input.gr:4:13: error: a colon is missing after the name
    :rule r [R] tanh(x) => x
                ^
  hint: name [R]: log(1 + x) => log1p(x) if guard(x) "reason"
input.gr:5:25: error: y is not bound by the left side of the rule
    :rule r [R]: tanh(x) => y
                            ^
input.gr:6:30: error: there is no guard of that name as nice
    :rule r [R]: tanh(x) => x if nice(x)
                                 ^^^^^^^
  hint: :help guards lists them
input.gr:7:30: error: finite takes 1 argument
    :rule r [R]: tanh(x) => x if finite(x, x)
                                 ^^^^^^^^^^^^
input.gr:8:19: error: a variable cannot be `real`
    :rule r [R]: tanh(x:real) => x
                      ^^^^^^
  hint: any, int, bool, float or const
input.gr:9:24: error: expected an expression, but found the end of the text
    :rule r [R]: tanh(x) =>
                           ^
input.gr:10:22: error: `=>` is missing after the pattern
    :rule r [R]: tanh(x) x
                         ^
  hint: name [R]: log(1 + x) => log1p(x) if guard(x) "reason"
input.gr:11:31: error: the reason's closing quote is missing
    :rule r [R]: tanh(x) => x "why
                                  ^
  hint: name [R]: log(1 + x) => log1p(x) if guard(x) "reason"
input.gr:12:27: error: nothing may follow a rule
    :rule r [R]: tanh(x) => x nonsense
                              ^
  hint: name [R]: log(1 + x) => log1p(x) if guard(x) "reason"
input.gr:13:32: error: there is no pass canon
    :rule r [R]: tanh(x) => x pass=canon
                                   ^^^^^
  hint: :passes lists them
input.gr:14:12: error: a rule with that name already exists
    :rule log1p [R]: tanh(x) => x
               ^
  hint: name [R]: log(1 + x) => log1p(x) if guard(x) "reason"
input.gr:15:10: error: a pattern must be an operation, not a name or a number alone
    :rule r: x => 2 * x
             ^
input.gr:16:28: error: sum needs its axes, from the left side
    :rule r: sum(x, axis=A) => sum(x)
                               ^^^^^^
  hint: axis=A
input.gr:17:7: error: it cannot be tried, as it does not fire on its own left side: the right side has a different type here
    :rule r: sum(x, axis=0) => x
          ^^^^^^^^^^^^^^^^^^^^^^
  hint: trial=off at the end of the line accepts it untried
input.gr:18:28: error: an operand is needed here, but this is axes
    :rule r: sum(x, axis=A) => A
                               ^
input.gr:19:17: error: exp has no attribute axis
    :rule r: exp(x, axis=A) => x
                    ^^^^
input.gr:20:7: error: not accepted: the left side is f32[n, 3], the right side f32[3, n]
    :rule r: sin(x) => x'
          ^^^^^^^^^^^^^^^
input.gr:21:20: error: zeros_like takes 1 argument
    :rule r: sin(x) => zeros_like(x, x)
                       ^^^^^^^^^^^^^^^^
input.gr:22:20: error: a right side can call only operators and functions of rules, and `nosuch` is neither
    :rule r: sin(x) => nosuch(x)
                       ^^^^^^
input.gr:23:20: error: a right side can call only operators and functions of rules, and `tile` is neither
    :rule r: sin(x) => tile(x)
                       ^^^^
input.gr:24:20: error: softmax needs its axes, from the left side
    :rule r: sin(x) => softmax(x)
                       ^^^^^^^^^^
  hint: axis=A
input.gr:25:10: error: sin does not take 2 operands
    :rule r: sin(x, x) => x
             ^^^^^^^^^
input.gr:26:20: error: atan2 does not take 1 operand
    :rule r: sin(x) => atan2(x)
                       ^^^^^^^^
input.gr:27:7: error: not accepted: flatten-add and r undo each other
    :rule r: sin(x) + cos(x) => cos(x) + sin(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
input.gr:28:14: error: transpose needs its axes, as a name or a value
    :rule r [E]: transpose(transpose(x)) => x
                 ^^^^^^^^^^^^^^^^^^^^^^^
  hint: axis=A
input.gr:29:7: error: not accepted: for x = -1e+300, z = 1e-300 the left side is nan, the right side 1.0
    :rule r [R]: sqr(x) * sqr(z) => sqr(x * z)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R N+]
input.gr:30:18: error: expected the index variable of the scan (`scan t ...`), but found `(`
    :rule r [E]: scan(x) => x
                     ^
input.gr:31:14: error: this is not allowed in a rule
    :rule r [E]: x[0] => x
                 ^^^^
input.gr:32:7: error: not accepted: for x = nan the left side is false, the right side true
    :rule r [E]: x:any == x => true
          ^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:33:7: error: not accepted: for x = 1.974 the left side is 0.9198087003672821, the right side 1.974
    :rule r [E]: sin(x) => x
          ^^^^^^^^^^^^^^^^^^
input.gr:34:7: error: not accepted: for x = -0.0 the left side is 0.0, the right side -0.0
    :rule r [E]: 0 + x => x
          ^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [Z]
input.gr:35:7: error: not accepted: for x = 0.0 the left side is nan, the right side 1.0
    :rule r [E]: x / x => ones_like(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [N+]
input.gr:36:7: error: not accepted: for A = (0, 2), x = [[[1.974, 1.149, -1.623], [1.094, -0.695, 0.308], [-2.13, -0.386, 2.569]], [[-1.43, -0.13, -1.052], [2.081, -0.51, -2.732], [1.636, -2.975, -1.385]], [[2.978, 2.13, -0.233], [-2.116, -0.392, -1.085], [2.51, 0.209, -1.682]]] the left side is 3.763000000000001, the right side -1.0639985701109427
    :rule r [R]: sum(x, axis=A) => prod(x, axis=A)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:37:7: error: not accepted: for x = -2.145, z = 1.974 the left side is 1.974, the right side -2.145
    :rule r [E]: maximum(x, z) => z
          ^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:38:7: error: not accepted: for x = [[[6, 3, -6], [3, -3, 1], [-8, -2, 8]], [[-5, -1, -4], [6, -2, -10], [5, -10, -5]], [[9, 7, -1], [-8, -2, -4], [8, 0, -6]]], z = [[[-8, -7, -8], [2, -2, -7], [-5, 8, -7]], [[1, 4, 0], [1, 6, -5], [-1, 4, 2]], [[1, 0, 1], [4, 4, -5], [8, -3, 6]]] only the left side fails (integer division by zero); the right side is [[[6, 3, -6], [3, -3, 1], [-8, -2, 8]], [[-5, -1, -4], [6, -2, -10], [5, -10, -5]], [[9, 7, -1], [-8, -2, -4], [8, 0, -6]]]
    :rule r [E]: x:int // z:int => x
          ^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [S]
input.gr:39:7: error: not accepted: the left side is f64[0, n], the right side f64[0, 0]
    :rule r [R]: x @ z => z @ x
          ^^^^^^^^^^^^^^^^^^^^^
input.gr:40:7: error: not accepted: for c = -1.7, x = -2.577 the left side is 4.3809, the right side -2.577
    :rule r [E]: c:const * x => x
          ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:41:7: error: not accepted: r and where-not undo each other
    :rule r [E]: where(c:bool, x:any, z:any) => where(not c, z, x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
input.gr:42:7: error: not accepted: rewriting with flatten-add and r does not come to an end: after 300 steps 2 nodes have become 459
    :rule r [R]: sin(x) => sin(x + 0 * sin(x))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
input.gr:43:50: error: there is no guard of that name as nonsense
    :rule r [D E]: abs(x) => x if nonnegative(x) and nonsense(x)
                                                     ^^^^^^^^^^^
  hint: :help guards lists them
input.gr:44:7: error: not accepted: for x = 0.988 the left side is 1.0, the right side 0.0
    :rule r [D E]: round(x) => floor(x) if positive(x) and finite(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:45:7: error: not accepted: for x = -inf the left side is -inf, the right side inf
    :rule a [R]: sinh(x) => sinh(abs(x)) if whole(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R N+]
input.gr:46:7: error: not accepted: for x = -1e+300 the left side is -inf, the right side -3.010299956639812e+299
    :rule one [R]: log10(exp2(x)) => x * 0.30102999566398120
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R N+]
input.gr:47:7: error: not accepted: for x = -1e+300 the left side is -3.010299956639812e+299, the right side -inf
    :rule two [R]: x * 0.30102999566398120 => log10(exp2(x))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R O]
input.gr:48:7: error: it cannot be tried, as it does not fire on its own left side: both sides are the same here
    :rule self [E]: cosh(x) => cosh(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: trial=off at the end of the line accepts it untried
input.gr:49:7: error: not accepted: three and floor-whole undo each other
    :rule three [E grows]: floor(x) => floor(floor(x))
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
input.gr:50:7: error: not accepted: four, ceil-neg and neg-neg undo each other
    :rule four [E grows]: floor(x) => -ceil(-x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
input.gr:51:7: error: not accepted: five, floor-neg and neg-neg undo each other
    :rule five [E grows]: ceil(x) => -floor(-x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: a rule must make its expression simpler than it was
exit 1
