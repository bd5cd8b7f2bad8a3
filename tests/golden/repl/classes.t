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
:rule d [D]: abs(x) => x if nonnegative(x)
:rule d0 [D]: abs(x) => x
:rule s [S]: n:int // n => ones_like(n)
:rule s0 [E]: n:int // n => ones_like(n)
:rule c [C]: x * x => sqr(x)
---
Classes of rules
Each rule names the classes of what it may change; a step shows those of its rule, `:audit` holds it to them.
`:set allow Z S` allows more than the default, E R C N+ D; `:set allow default` goes back.

    E   The value stays the same to the last bit, whatever the inputs are.
        x * 1 => x: nan, infinities and both zeros included
    Z   A zero may come out with the other sign, and 1 / x then as the other infinity.
        x + 0 => x: of -0.0 the left side makes 0.0, the right side -0.0
    R   Both sides are one number on paper, and round differently.
        log(1 + x) => log1p(x): of 1e-20 the left side makes 0.0, the right side 1e-20
    N+  A nan or infinity that only the way of computing made gives way to the number on paper.
        log(exp(x)) => x: of 1000 the left side makes inf, the right side 1000
    N-  A nan or infinity that is the value may become a number, so that what went wrong is not seen.
        x - x => zeros_like(x): of nan the left side makes nan, the right side 0.0
    D   It is exact where something is known of the operands, and fires only where that is proved.
        abs(x) => x if nonnegative(x): it fires at abs(exp(a)), not at abs(a)
    S   An error that the source would have stopped with may not come.
        n:int // n => ones_like(n): of 0 the left side is an error, the right side 1
    C   The value stays the same to the last bit; only time or memory changes.
        x * x => sqr(x): one operand is read instead of two
E, a class of rules: exact: the same bits for every input
The value stays the same to the last bit, whatever the inputs are.
  example     x * 1 => x
              nan, infinities and both zeros included
  the audit   allows: no bit, 0 ulp
Z, a class of rules: may change the sign of a zero
A zero may come out with the other sign, and 1 / x then as the other infinity.
  example     x + 0 => x
              of -0.0 the left side makes 0.0, the right side -0.0
  the audit   allows: the sign of zeros; else no bit
  not allowed; `:set allow Z` allows it
R, a class of rules: may change rounding
Both sides are one number on paper, and round differently.
  example     log(1 + x) => log1p(x)
              of 1e-20 the left side makes 0.0, the right side 1e-20
  the audit   allows: 1e-9 (f32: 1e-4) of the result, or of every input; signs of zeros
N+, a class of rules: removes a nan or infinity that the source would have given
A nan or infinity that only the way of computing made gives way to the number on paper.
  example     log(exp(x)) => x
              of 1000 the left side makes inf, the right side 1000
  the audit   allows: nan and infinity of the source; else as R
N-, a class of rules: may hide a nan or infinity
A nan or infinity that is the value may become a number, so that what went wrong is not seen.
  example     x - x => zeros_like(x)
              of nan the left side makes nan, the right side 0.0
  the audit   allows: nan and infinity of the source; else as R
  not allowed; `:set allow N-` allows it
D, a class of rules: needs a proven fact
It is exact where something is known of the operands, and fires only where that is proved.
  example     abs(x) => x if nonnegative(x)
              it fires at abs(exp(a)), not at abs(a)
  the audit   allows: no bit
S, a class of rules: may hide an error
An error that the source would have stopped with may not come.
  example     n:int // n => ones_like(n)
              of 0 the left side is an error, the right side 1
  the audit   allows: a value where an error was; else no bit
  not allowed; `:set allow S` allows it
C, a class of rules: changes cost only
The value stays the same to the last bit; only time or memory changes.
  example     x * x => sqr(x)
              one operand is read instead of two
  the audit   allows: no bit
:rules [PASS|OP|own|off]
the rewrite rules, all or those of a pass or at an operator
own: those that were typed or loaded; off: those switched off.
    :rules stabilize
    :rules exp

Rules
Rules are text: a pattern, what replaces it, and perhaps a condition ([patterns](#patterns)). `:rules` lists them, `:rule` adds one of
yours after trying it on 1,000 instances, random and hard ones, `:try RULE EXPR` applies one.

    x : f64[n] = [1, 2]
    :rule fold-exp [R N+]: exp(a) * exp(b) => exp(a + b)   "one exponential"  # => fold-exp [R N+]: both sides agree on 1000 instances; a rule of the pass canonicalize now
    :try fold-exp exp(x) * exp(2 * x)
    :rule wrong [E]: sqrt(a * a) => a  # => error rule

The classes of a rule, in brackets, say what it may change; `:help classes` explains each.
`:save mine.rules` writes the rules of your own, a line each, and `:load mine.rules` (or `gradus mine.rules`) tries
and adds them again; a line `pass stabilize` there sets the pass of the rules after it. Conditions that rules may ask for:

    finite(x): no element is NaN or infinite
    no_nan(x): no element is NaN
    nonnegative(x): no element is below 0; NaN may be among them
    positive(x): every element that is not NaN is above 0
    nonpositive(x): no element is above 0; NaN may be among them
    nonzero(x): no element is 0
    whole(x): every element is a whole number, infinite or NaN
    at_least(x, number): no element is below a number
    at_most(x, number): no element is above a number
    not_above(x, z): every element of the first is at most every one of the second
    below(x, z): every element of the first is below every one of the second
    unique(x): integers of which no two are equal
    even(x): a constant of even whole numbers
    constant(x): it does not depend on the variable of the derivative or map around it, nor on the step of the loop
    reads(x, z): the second, a state of the loop, is read by the first
    scalar(x): rank 0
    vector(x): rank 1
    matrix(x): rank 2
    same_type(x, z): equal dtype and sizes
    same_dtype(x, z): equal dtype
    is_dtype(x, dtype): elements of that dtype
    lossless(x, dtype): a cast to that dtype loses nothing
    real_dtype(dtype): f32 or f64
    disjoint(axes, others): no axis is among both
    includes(axes, others): the second axes are among the first
    same_axes(axes, others): the same axes in the same order
    less(i, j): the first integer is less than the second
    empty(axes): no axes
    identity(axes): the order 0, 1, 2, ...
    every_axis(x, axes): as many axes as the operand has
    one_long(x, axes): these axes have length 1, statically
    not_empty(x, axes): these axes are proved to have an element
    diagonal(x): a matrix of truths, true on the main diagonal alone
    constant_along(x, axes): a scalar, or repeated along these axes; `drop` gives it without them

Functions for right sides, beside those of the language:

    union(axes, others): the axes of either
    toggle(axes, others): the axes of one but not both
    renumber(axes, others): axes (first) of a tensor that lost axes (second), as they were numbered before
    without(axes, others): axes (first) as they are numbered once others are dropped
    compose(axes, others): the order of axes that first the second, then the first makes
    permute(axes, others): axes of a transposed tensor as axes of what was transposed
    order_without(axes, others): the order of axes of a transposed tensor once some of its places are dropped
    axis_before(i, axes): renumber, of one axis
    axis_after(i, axes): without, of one axis that stays
    entry(axes, i): the entry of a list of axes at a place
    last_axis(x): the number of the last axis
    dtype_of(x): the dtype of an operand
    zeros_like(x): zeros of that shape and dtype
    ones_like(x): ones of that shape and dtype
    like(x, z): a scalar repeated to the shape of the second operand
    size(x, i): the length of an axis
    count(x, axes): the number of elements along axes, in the operand's dtype
    drop(x, axes): what is constant along axes, without them
:passes [EXPR] [times=on]
the passes; with an expression: what each did to it
    :passes
    x : f64
    :passes grad(x ^ 3, x)

Rules and passes
Before it runs, a graph goes through the passes, in this order; `:steps EXPR` lists what each rule did, `:set pass
NAME off` leaves one out, `:set passes A B C` gives another order:

   1. inline: function bodies in place of their calls
   2. canonicalize: one normal form: constants folded, signs and nesting straightened, shapes lifted
   3. stabilize: the same functions without cancellation or overflow
   4. differentiate: implicit derivatives expanded, innermost first, and the result straightened
   5. expand: composites opened: nothing is left to say about them as a whole
   6. loops: loops that do less, run together, or become products, reductions and maps
   7. specialize: cheaper operators for special cases
   8. fuse: elementwise operators over the same elements in one pass over them
   9. lower: scans as the loops that run: counters, indices and tests spelled out

Some steps are too large for one look. They open into child steps, made when they are asked for; each state between is a
graph with the same value, which can be drawn (`:draw EXPR f.svg step=2.1`), printed, compared and checked like any other:

| a step of | opens into |
|---|---|
| `expand-derivative` | one rule of one operator each |
| `expand-vmap` | one operator each; what is left of the function stays a vmap |
| `lower-scan` | the counter, each sequence indexed by it, the loop that runs |
| `fuse` | the group as it grows, from its results down |
| `merge-loops`, `fuse-loops`, `same-loop` | the states of one loop beside those of the other, its outputs, then what is there twice goes |
| `batch-dots` | each product read off the joint one |

    x : f64[n] = [1, 2]
    :steps vmap(v -> exp(v) + 1)(x) rule=expand-vmap open=all
    :audit vmap(v -> exp(v) + 1)(x) open=all
Commands
The beginning of a name is enough; of several commands it is the one that is used most. The key=value arguments and the file come last.

    :help        commands, or all about one name, or what tells of a text
    :type        the type of an expression
    :graph       the graph of an expression, in the language
    :passes      the passes; with an expression: what each did to it
    :steps       every rewrite step of an expression, by pass
    :step        walk through the steps of an expression one by one
    :why         the life of node %K: where it was written, which steps made, changed and ended it
    :saturate    all forms that the rules give at once, the cheapest of them, and the steps to it
    :equal       are two expressions equal: proved by steps, refuted by an input, or neither
    :moves       rewriting by hand: every rule that can fire, with what it would do
    :move        make a move of a derivation by hand
    :branch      the branches of a derivation by hand, or go to one
    :goal        what a derivation by hand has led to
    :audit       evaluate before and after every step, and compare
    :bisect      the first step that changes the value more than its classes allow
    :diff        the nodes that steps removed (-) and added (+)
    :compare     as set, and without some passes or rules or with other passes, side by side
    :goto        the state after step K of what was explored last
    :next        the next step of what was explored last
    :prev        the step before, of what was explored last
    :until       on to the next step of a rule
    :whynot      why a rule does not fire
    :try         apply one rule once, where it matches first
    :rule        add a rewrite rule, or show one
    :rules       the rewrite rules, all or those of a pass or at an operator
    :ops         the operators, all or those of a class
    :draw        draw the graph of an expression
    :derivation  the steps of an expression as a document
    :explore     all steps of an expression as one page for a browser
    :unroll      K steps of a loop, side by side, with values
    :watch       a table of the states of a loop, step by step
    :play        a loop as a film: its equations with the values of each step put in
    :plot        lines, points, bars or a heat map of values
    :trace       the first node, and step of a loop, that makes a nan or an infinity
    :explain     a page about an expression: loops, what gradients keep and why, cost, rewrites
    :time        how long an evaluation takes
    :profile     where the time of an evaluation goes: by node, and by line
    :cost        what an evaluation would take: time, operations, bytes, memory
    :plan        the program that evaluates an expression
    :learn       lessons that run here: predict a value, a shape, a derivative, and see
    :export      write an expression as a program in another language, or as formulas
    :load        run the statements of a file
    :reload      run again the files loaded so far
    :save        write inputs, shared variables, definitions, rules and moves to a file
    :set         settings, or change one
    :vars        the names of your own: what each is, its type, its value
    :undo        take back what the last statement defined, declared or stored, or the last move
    :reset       start over: forget all names, rules and settings of the session
    :contexts    the contexts and what shared variables hold in them
    :history     the last N entries typed (20)
    :gc          free what no name needs, and say how much that was
    :quit        leave, with an exit status
e [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
z [Z]: both sides agree on 1000 instances; a rule of the pass canonicalize now
it does not fire yet: `:set allow Z` opens its class
input.gr:16:7: error: not accepted: for x = -0.0 the left side is 0.0, the right side -0.0
    :rule z0 [E]: x + 0 => x
          ^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [Z]
r [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:18:7: error: not accepted: for x = 0.9621438683726397 the left side is 0.6740376858619024, the right side 0.6740376858619023
    :rule r0 [E]: log(1 + x) => log1p(x)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [R]
np [N+]: both sides agree on 1000 instances; a rule of the pass canonicalize now
input.gr:20:7: error: not accepted: for x = 1e+300 the left side is inf, the right side 1e+300
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
input.gr:24:7: error: not accepted: for x = -2.577 the left side is 2.577, the right side -2.577
    :rule d0 [D]: abs(x) => x
          ^^^^^^^^^^^^^^^^^^^
s [S]: both sides agree on 1000 instances; a rule of the pass canonicalize now
it does not fire yet: `:set allow S` opens its class
input.gr:26:7: error: not accepted: for n = [[[-1, -2, -2], [5, -8, 7], [0, -10, -7]], [[-9, -10, 2], [-2, 2, -2], [-4, 0, 9]], [[5, 9, -7], [9, -9, 2], [6, -3, -5]]] only the left side fails (integer division by zero); the right side is [[[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]], [[1, 1, 1], [1, 1, 1], [1, 1, 1]]]
    :rule s0 [E]: n:int // n => ones_like(n)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: if that may be, its classes are [S]
c [C]: both sides agree on 1000 instances; a rule of the pass canonicalize now
exit 1
