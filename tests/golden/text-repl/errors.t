# Diagnostics: place, caret, hint; what follows still runs.
x : f64[3] = [1, 2, 3]
lenght = 3
lenghht + 1
x + [1, 2]
bad = nope
bad * 2
:frobnicate
:typ
:rel x
:type x + nope
:graph x stpe=3
:graph x step=99
:draw x out.bmp
:load missing.gr
:set allow Q
:help sinn
:diff tanh(x) * 2 + 0 step=2.2..2.1
w = 1 +* 2
w
v = (1 +
y = 2
y
---
input.gr:4:1: error: `lenghht` is not defined
    lenghht + 1
    ^^^^^^^
  hint: did you mean `lenght`?
input.gr:5:1: error: add: shapes f64[3] and f64[2] do not match: axis 0 is 3 and 2
    x + [1, 2]
    ^^^^^^^^^^
  hint: for all pairs, give one of them an axis of length 1: x[:, None]
input.gr:6:7: error: `nope` is not defined
    bad = nope
          ^^^^
input.gr:7:1: note: skipped, because the definition of `bad` failed
    bad * 2
    ^^^
input.gr:8:1: error: there is no command :frobnicate
    :frobnicate
    ^^^^^^^^^^^
  hint: :help lists the commands
f64[3]
input.gr:10:1: error: the command :reload was removed
    :rel x
    ^^^^
  hint: type `:load x`
input.gr:11:11: error: `nope` is not defined
    :type x + nope
              ^^^^
input.gr:12:10: error: :graph takes no stpe=
    :graph x stpe=3
             ^^^^^^
  hint: did you mean step=?
input.gr:13:15: error: step= goes up to 0 here
    :graph x step=99
                  ^^
input.gr:14:9: error: :draw writes no such file as out.bmp
    :draw x out.bmp
            ^^^^^^^
  hint: end it in .svg, .png, .pdf, .dot, .json, .tex, .mmd or .sixel
input.gr:15:7: error: missing.gr cannot be read: No such file or directory
    :load missing.gr
          ^^^^^^^^^^
input.gr:16:12: error: there is no class Q of rules
    :set allow Q
               ^
  hint: the classes are E Z R N+ N- D S C O
input.gr:17:7: error: nothing is called sinn
    :help sinn
          ^^^^
  hint: did you mean sign?
input.gr:18:28: error: step= goes from the earlier to the later step
    :diff tanh(x) * 2 + 0 step=2.2..2.1
                               ^^^^^^^^
input.gr:19:8: error: expected an expression, but found `*`
    w = 1 +* 2
           ^
  hint: `*` has no meaning in front of an operand; a power is written `^`
input.gr:20:1: note: skipped, because the definition of `w` failed
    w
    ^
input.gr:22:3: error: expected `)` for the `(` of line 21, column 5, but found `=`
    y = 2
      ^
  hint: to compare write `==`; a definition `name = expression` is a statement of its own
input.gr:22:3: note: the 1 line after this one is not read: the bracket is still open
    y = 2
      ^
exit 3
