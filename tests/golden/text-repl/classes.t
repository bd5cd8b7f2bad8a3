# The classes of rules are explained; the example of each is accepted as that class, and as no less.
:help classes
:help E
:help Z
:help R
:help N+
:help N-
:help D
:help S
:help C
:help rules
:help passes
:help commands
:rule e [E]: x * 1 => x
:rule z [Z]: x + 0 => x
:rule z0 [E]: x + 0 => x
:rule r [R]: log(1 + x) => log1p(x)
:rule r0 [E]: log(1 + x) => log1p(x)
:rule np [N+]: log(exp(x)) => x
:rule np0 [R]: log(exp(x)) => x
:rule nm [N-]: x - x => zeros_like(x)
:rule nm0 [R]: x - x => zeros_like(x)
:rule d [D]: abs(x) => x if nonnegative(x) and no_minus_zero(x)
:rule d1 [D]: abs(x) => x if nonnegative(x)
a : f64[3]
:steps abs(exp(a)) pass=canonicalize
:steps abs(a) pass=canonicalize
:rule d0 [D]: abs(x) => x
:rule s [S]: n:int // n => ones_like(n)
:rule s0 [E]: n:int // n => ones_like(n)
:rule c [C]: x * x => sqr(x)
---
Classes of rules
Each rule lists its hazard classes, which say what it may change. A step shows the classes of its
rule, and `:audit` checks that it changes nothing else. `:set allow Z S` allows more than the
default, E R C N+ D O; `:set allow default` restores the default.

    E   The result is bitwise identical for every input.
        x * 1 => x: nan, infinities and both zeros included
    Z   A zero may get the opposite sign, and then 1 / x is the opposite infinity.
        x + 0 => x: for -0.0 the left side gives 0.0, the right side -0.0
    R   Both sides are mathematically equal but round differently.
        log(1 + x) => log1p(x): for 1e-20 the left side gives 0.0, the right side 1e-20
    N+  A nan or infinity that arises only from intermediate results is replaced with the mathematical value.
        log(exp(x)) => x: for 1000 the left side gives inf, the right side 1000
    N-  A nan or infinity that is the true result may become a number, which hides the problem.
        x - x => zeros_like(x): for nan the left side gives nan, the right side 0.0
    D   It is exact under a condition on the operands, and fires only where that condition is proved.
        abs(x) => x if nonnegative(x) and no_minus_zero(x): it fires at abs(exp(a)), not at abs(a)
    S   An error that the source would have raised may disappear.
        n:int // n => ones_like(n): for 0 the left side is an error, the right side 1
    C   The result is bitwise identical; only time or memory changes.
        x * x => sqr(x): one operand is read instead of two
    O   An intermediate result may exceed the range of its dtype. If that happens during an evaluation, the result is discarded and computed again without such steps.
        x * (y * z) => x * y * z: for 1e200, 1e200, 1e-300 the left side gives 1e100, the right side inf
E, a class of rules: exact: the same bits for every input
The result is bitwise identical for every input.
  example     x * 1 => x
              nan, infinities and both zeros included
  the audit   allows: no bit, 0 ulp
Z, a class of rules: may change the sign of a zero
A zero may get the opposite sign, and then 1 / x is the opposite infinity.
  example     x + 0 => x
              for -0.0 the left side gives 0.0, the right side -0.0
  the audit   allows: the sign of zeros; otherwise no bit
  not allowed; `:set allow Z` allows it
R, a class of rules: may change rounding
Both sides are mathematically equal but round differently.
  example     log(1 + x) => log1p(x)
              for 1e-20 the left side gives 0.0, the right side 1e-20
  the audit   allows: 1e-9 (f32: 1e-4) of the result, or of every input; signs of zeros
N+, a class of rules: removes a nan or infinity that the source would have given
A nan or infinity that arises only from intermediate results is replaced with the mathematical value.
  example     log(exp(x)) => x
              for 1000 the left side gives inf, the right side 1000
  the audit   allows: nan and infinity of the source; otherwise as R
N-, a class of rules: may hide a nan or infinity
A nan or infinity that is the true result may become a number, which hides the problem.
  example     x - x => zeros_like(x)
              for nan the left side gives nan, the right side 0.0
  the audit   allows: nan and infinity of the source; otherwise as R
  not allowed; `:set allow N-` allows it
D, a class of rules: needs a proven fact
It is exact under a condition on the operands, and fires only where that condition is proved.
  example     abs(x) => x if nonnegative(x) and no_minus_zero(x)
              it fires at abs(exp(a)), not at abs(a)
  the audit   allows: no bit
S, a class of rules: may hide an error
An error that the source would have raised may disappear.
  example     n:int // n => ones_like(n)
              for 0 the left side is an error, the right side 1
  the audit   allows: a value instead of an error; otherwise no bit
  not allowed; `:set allow S` allows it
C, a class of rules: changes cost only
The result is bitwise identical; only time or memory changes.
  example     x * x => sqr(x)
              one operand is read instead of two
  the audit   allows: no bit
:rules [PASS|OP] [only=own|off]
list the rewrite rules
only=own: those that were typed or loaded; only=off: those switched off.
    :rules stabilize
    :rules exp

Rules
Rules are text: a pattern, its replacement, and possibly a condition ([patterns](#patterns)).
`:rules` lists them, `:rule` adds your own after testing it on 1,000 instances, `:try RULE EXPR`
applies one.

    x : f64[n] = [1, 2]
    :rule fold-exp [R N+]: exp(a) * exp(b) => exp(a + b)   "one exponential"  # => fold-exp [R N+]: both sides agree on 1000 instances; a rule of the pass canonicalize now
    :try fold-exp exp(x) * exp(2 * x)
    :rule wrong [E]: sqrt(a * a) => a  # => error rule

An instance is an expression that matches the left side, with various types and sizes (including
empty arrays). Its values are random or difficult: zeros of both signs, nan, infinities, the limits
of each type, and the numbers in the rule and their neighbors. Each instance satisfies the
condition, and if the condition names a number, the values reach it: `if at_most(x, 0.5)` is tested
at 0.5, just below, and far below. If some part of the condition was never true, or never at its
limit, the rule counts as untested and is refused.

    :rule half [D Z]: abs(x) => -x if at_most(x, 0.5)  # => error rule
    :rule never [D]: abs(x) => x if at_least(x, 2) and at_most(x, 1)  # => error rule
    :rule never [D]: abs(x) => x if at_least(x, 2) and at_most(x, 1) trial=off  # => never [D untried]: accepted without a trial; a rule of the pass canonicalize now

`trial=off` at the end of the line accepts a rule without testing it, for example to show what
`:audit` finds. The rule is then marked `untried` wherever it is shown, and `:save` keeps the mark.

The classes of a rule, in brackets, say what it may change; `:help classes` explains each. A rule of
class O regroups a product or moves a factor out of a sum, which may overflow or underflow where the
original expression does not. No value that you see is wrong because of it: a program with such
steps runs with the IEEE exception flags cleared. If one is set afterwards, or an array had no
elements, the expression is computed again without steps of class O before anything is stored, and a
note names the step if the numbers differ. From then on it is always computed without them. No step
of class O applies to the operands of `until`, `if`, a comparison, `argmax`, `sort`, `floor` and
similar operators, and exported programs have none (`allow=O` allows them).

    y : f64 = 1e-160
    y * (1e300 * y)       # => 1.0000000000000001e-20
    :whynot flatten-mul where(y * (1e300 * y) > 1, y, 0.0)

`:save mine.rules` writes your own rules, one per line, and `:load mine.rules` (or `gradus
mine.rules`) tests and adds them again; a line `pass stabilize` in it sets the pass of the rules
that follow. A rule may use these conditions:

    finite(x): no element is NaN or infinite
    no_nan(x): no element is NaN
    nonnegative(x): no element is below 0; NaN may be among them
    positive(x): every element that is not NaN is above 0
    nonpositive(x): no element is above 0; NaN may be among them
    nonzero(x): no element is 0
    varies(x): not known to be the same number everywhere
    whole(x): every element is a whole number, infinite or NaN
    at_least(x, number): no element is below a number
    at_most(x, number): no element is above a number
    not_above(x, z): every element of the first is at most every one of the second
    below(x, z): every element of the first is below every one of the second
    no_minus_zero(x): no element is -0
    zeros_alike(x, z): the first and the second are not both 0, or neither is ever -0
    unique(x): integers of which no two are equal
    even(x): a constant of even whole numbers
    divides(x, z): scalar constants of integers: the first is above 0 and divides the second
    power_of_two(x): a scalar constant of integers: 1, 2, 4, ..
    differ(x, z): scalar constants of integers that are not equal
    within(x, z, i): the first, a scalar constant, is a position that the second is proved to have along an axis
    constant(x): it does not depend on the variable of the derivative or map around it, nor on the step of the loop
    reads(x, z): the second, a state of the loop, is read by the first
    scalar(x): rank 0
    vector(x): rank 1
    matrix(x): rank 2
    same_type(x, z): equal dtype and sizes
    transposed_sizes(x, z): matrices, the second as large as the first transposed
    same_dtype(x, z): equal dtype
    is_dtype(x, dtype): elements of that dtype
    lossless(x, dtype): a cast to that dtype loses nothing
    real_dtype(dtype): f32 or f64
    disjoint(axes, others): no axis is in both lists
    includes(axes, others): the second list of axes is part of the first
    same_axes(axes, others): the same axes in the same order
    less(i, j): the first integer is less than the second
    empty(axes): no axes
    identity(axes): the order 0, 1, 2, ...
    every_axis(x, axes): the list has one entry per axis of the operand
    one_long(x, axes): these axes have length 1, statically
    not_empty(x, axes): these axes are proved to have an element
    neutral(x, z, axes): the first is proved finite, or these axes of the second are proved nonempty: an empty sum stays 0
    neutral_below(x, z, axes): the same for a divisor: the first is proved neither 0 nor NaN, or these axes of the second are proved nonempty
    diagonal(x): a matrix of bools that is true only on the main diagonal
    constant_along(x, axes): a scalar, or repeated along these axes; `drop` gives it without them

The right side may use these functions, besides those of the language:

    union(axes, others): the axes in either list
    toggle(axes, others): the axes in one list but not in both
    renumber(axes, others): axes (first) of a tensor that lost axes (second), numbered as before the loss
    without(axes, others): axes (first) as numbered after others are dropped
    compose(axes, others): the permutation that applies the second, then the first
    permute(axes, others): axes of a transposed tensor, as axes of its operand
    order_without(axes, others): the permutation of a transposed tensor after some of its axes are dropped
    axis_before(i, axes): like renumber, for one axis
    axis_after(i, axes): like without, for one axis that stays
    entry(axes, i): the entry of a list of axes at a position
    last_axis(x): the number of the last axis
    every_axis_of(x): all axes of the operand
    dtype_of(x): the dtype of an operand
    zeros_like(x): zeros of that shape and dtype
    ones_like(x): ones of that shape and dtype
    like(x, z): a scalar repeated to the shape of the second operand
    size(x, i): the length of an axis
    count(x, axes): the number of elements along axes, in the operand's dtype
    drop(x, axes): a value that is constant along axes, without those axes
:passes [EXPR] [times=on]
list the passes, or what each one did to an expression
    :passes
    x : f64
    :passes grad(x ^ 3, x)

Rules and passes
Before a graph runs, the passes rewrite it in this order. `:steps EXPR` lists what each rule did,
`:set pass NAME off` turns a pass off, `:set passes A B C` changes the order:

   1. inline: function bodies in place of their calls
   2. canonicalize: one normal form: constants folded, signs and nesting straightened, shapes lifted
   3. stabilize: the same functions without cancellation or overflow
   4. differentiate: implicit derivatives expanded, innermost first, and the result straightened
   5. simplify: sums of products in fewer operations: like terms, common factors, orders of products
   6. expand: composites opened: nothing is left to say about them as a whole
   7. loops: loops that do less, run together, or become products, reductions and maps
   8. specialize: cheaper operators for special cases
   9. fuse: elementwise operators over the same elements in one pass over them
  10. lower: scans as the loops that run: counters, indices and tests spelled out

Some steps are too large to take in at once. They expand into substeps, which are computed on
demand. Each intermediate state is a graph with the same value, and can be drawn (`:draw EXPR f.svg
step=2.1`), printed, compared and checked like any other:

a step of                                 expands into
`expand-derivative`                       one rule of one operator each
`expand-vmap`                             one operator each; what is left of the function stays a vmap
`lower-scan`                              the counter, each sequence indexed by it, the loop that runs
`fuse`                                    the group as it grows, from its results down
`merge-loops`, `fuse-loops`, `same-loop`  moving the states of one loop into the other, then its outputs, then removing duplicates
`batch-dots`                              taking each product from the joint one

    x : f64[n] = [1, 2]
    :steps vmap(v -> exp(v) + 1)(x) rule=expand-vmap open=all
    :audit vmap(v -> exp(v) + 1)(x) open=all

Inlining replaces each call by the body of the function, so a drawing shows more than you wrote.
`group=calls` draws a box around the expansion of each call, including calls in loops and in other
functions, and keeps it through later passes:

    smooth(u) = log(1 + exp(u))
    gate(a, b) = sigmoid(a) * smooth(b)
    x : f64[n]
    :draw sum(gate(x, smooth(x))) gate.svg pass=stabilize group=calls

`:graph EXPR DIR/ pass=all` writes the graph as written and after each pass that changed it, each as
a program that `:load` accepts. You can then compare two states, or two versions of a program, with
any text comparison tool.

    x : f64[n] = [1, 2]
    :graph sum(log(1 + x * 1)) states/ pass=all

A long list is easier to read without the steps that you expect: `hide=` names rules whose steps are
only counted. Steps inside a hidden step, such as those in the body of a loop, are still listed.

    x : f64[n] = [1, 2]
    :steps grad(sum(1 * x ^ 2), x) hide=expand-derivative,mul-one,fold

`:compare` shows the effect of a pass, a rule or a single step: `off=#1` disables one firing, the
rule of step 1 at the node that it replaced. `:steps by=rule times=on` shows where the rewriting
time goes, including rules that were tried and did not fire.

    x : f64[n] = [1, 2]
    :compare sum(log(1 + exp(x * 1))) off=#2
    :steps sum(log(1 + exp(x * 1))) by=rule times=on

A gradient can also be checked against the function itself: `by=differences` compares it with finite
differences in random directions.

    x : f64[n] = [1, 2]
    :audit grad(sum(log(1 + x * x)), x) by=differences
Commands
`:help` lists the commands by purpose, `:help NAME` describes one. You can abbreviate a command; if
several match, the most common one is meant.

The expression comes first, then the file, then options `key=value`. Arguments in square brackets
are optional:

-  Without an expression, a command applies to the expression explored most recently (by a command
   such as `:steps` or `:graph`, in an interactive derivation (`:move`), by `:saturate` or in a
   proof of `:equal`), or else to the last value shown.
-  `step=9` always counts rewrite steps: it means the state after step 9. `step=9.1` is the first
   substep of step 9; `step=3..8` and `step=3..` are ranges. `at=3`, `at=3..8` and `at=3..` count
   the steps of a loop.
-  A switch is `on` or `off`. The help shows the setting that is not the default: `times=on`,
   `types=off`.
-  A value that contains blanks needs double quotes or brackets: `title="two words"`, `off=[log1p,
   fuse]`.
-  A file is recognized by its extension; a file name that contains blanks needs double quotes.

If you type a command or an option that has been renamed, the error has the line to type instead.

    :type      show the type of an expression
    :graph     print the graph of an expression as Gradus source
    :steps     list every rewrite step of an expression, by pass
    :step      step through the rewrite of an expression interactively
    :diff      compare two states of a rewrite, or two graphs
    :passes    list the passes, or what each one did to an expression
    :plan      show the compiled program that evaluates an expression
    :why       show where node %K came from and which steps changed it
    :whynot    explain why a rule does not fire, or a derivative is zero
    :find      find where a pattern matches, and in which states
    :audit     compare the values before and after every rewrite step
    :bisect    find the first step that changes the result too much
    :reduce    find the smallest program that still meets a condition
    :equal     prove two expressions equal, or find where they differ
    :compare   compare the settings with other passes or rules
    :expect    assert the result of rewriting an expression
    :explain   report loops, saved values, cost and rewrites
    :saturate  find the cheapest equivalent by equality saturation
    :rules     list the rewrite rules
    :rule      define or show a rule
    :discover  find identities that no rule proves yet
    :try       apply one rule once, at the first place it matches
    :move      rewrite by hand: list the possible rewrites, apply one
    :ops       list the operators, optionally of one class
    :trace     tabulate a loop or reverse mode, or find the origin of a nan
    :time      time an evaluation
    :profile   show where the time goes
    :cost      estimate time, operations and memory without running
    :draw      draw the graph of an expression
    :explore   write an interactive HTML page of all rewrite steps
    :play      animate a loop, or backpropagation, with all its values
    :plot      plot values as lines, points, a histogram or a heat map
    :export    write an expression as Python, C, LaTeX or Typst source
    :help      explain a name or a word
    :learn     play a lesson
    :vars      list your definitions
    :set       show or change settings
    :undo      undo the last statement
    :load      run a file
    :save      save the session
    :reset     start over
    :history   list what you typed
    :quit      leave Gradus
e [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
z [Z]: both sides agree on 1000 instances; a rule of the pass canonicalize now
it does not fire yet: `:set allow Z` opens its class
input.gr:16:7: error: not accepted: for x = -0.0 the left side is 0.0, the right side -0.0
    :rule z0 [E]: x + 0 => x
          ^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [Z]
r [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:18:7: error: not accepted: for x = 1.974 the left side is 1.0899078480379634, the right side 1.0899078480379631
    :rule r0 [E]: log(1 + x) => log1p(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R]
np [N+]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:20:7: error: not accepted: for x = -1e+300 the left side is -inf, the right side -1e+300
    :rule np0 [R]: log(exp(x)) => x
          ^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R N+]
nm [N-]: both sides agree on 1000 instances; a rule of the pass canonicalize now
it does not fire yet: `:set allow N-` opens its class
input.gr:22:7: error: not accepted: for x = nan the left side is nan, the right side 0.0
    :rule nm0 [R]: x - x => zeros_like(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R N+]
d [D]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:24:7: error: not accepted: for x = -0.0 the left side is 0.0, the right side -0.0
    :rule d1 [D]: abs(x) => x if nonnegative(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [Z D]
canonicalize: 1 step, 3 -> 2 nodes, done
  1  abs-known [D]
      # it is not negative; `x` is not negative: exp(a) is at least 0; `x` is never -0
      abs(exp(a)) => exp(a)
canonicalize: 0 steps, 2 -> 2 nodes, done
input.gr:28:7: error: not accepted: for x = -1.623 the left side is 1.623, the right side -1.623
    :rule d0 [D]: abs(x) => x
          ^^^^^^^^^^^^^^^^^^^
s [S]: both sides agree on 1000 instances; a rule of the pass canonicalize now
it does not fire yet: `:set allow S` opens its class
input.gr:30:7: error: not accepted: for n = [[[6, 3, -6], [3, -3, 1], [-8, -2, 8]], [[-5, -1, -4], [6, -2, -10], [5, -10, -5]], [[9, 7, -1], [-8, -2, -4], [8, 0, -6]]] only the left side fails (integer division by zero); the right side is [[[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]]]
    :rule s0 [E]: n:int // n => ones_like(n)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [S]
c [C]: both sides agree on 1000 instances; a rule of the pass canonicalize now
exit 1
