x : f64[3]
y : f64[3]
W : f64[3, 3]
f(a) = sin(a) * sin(a)
h = scan t for 50 from s = x { s[t] = tanh(s[t-1] @ W) }
g = scan t for 50 from r = x { r[t] = tanh(r[t-1] @ W') }
# claims that hold print nothing
:expect log(1 + x) => log1p(x)
:expect log(1 + x) pass=canonicalize => log(1 + x)
:expect log(1 + x) step=1 => log1p(x)
:expect sin(y) + log(1 + x) => log1p(x) + sin(y)
:expect f(x) => f(x)
:expect h => (scan t for 50 from z = x { z[t] = tanh(z[t-1] @ W) })
:expect log(1 + x) has log1p(a)
:expect log(1 + x) has no log(a)
:expect log(1 + x) pass=canonicalize has log(a)
:expect log(1 + x) fires log1p
:expect log(1 + x) fires log1p 1
:expect log(1 + x) pass=canonicalize fires log1p 0
:expect h loops 1
:expect x + y cost <= 1e-3
# claims that fail
:expect log(1 + x) => log1p(y)
:expect sin(x) + sum(log(1 + x)) => sin(x) + sum(log(x))
:expect h => g
:expect x => sum(x)
:expect f(x) => exp(2 * x)
:expect log(1 + x) has log(a)
:expect log(x) + log(y) + log(x + y) + log(x * y) has no log(a)
:expect exp(x) * exp(y) fires exp-exp 3
:expect log(1 + x) fires expm1
:expect h loops 2
:expect x + y cost <= 1e-12
# what is no claim
:expect
:expect x
:expect => x
:expect x =>
:expect x => y z
:expect x => (
:expect x => x pass=simplify
:expect x pass=simplify step=1 => x
:expect x pass=nope => x
:expect x step=99 => x
:expect x step=two => x
:expect x digest=0 => x
:expect x has no
:expect x has exp(
:expect x has exp(a) exp(b)
:expect x fires
:expect x fires log1q
:expect x fires log1p two
:expect x fires log1p -1
:expect x loops many
:expect x cost 3
:expect x cost <= now
:expect x pass=simplify cost <= 1
:expect z => x
:expect x => z
---
1 of 2 nodes differs, in 1 place
operand 1 of log1p: x against y
  - log1p(«x»)
  + log1p(«y»)
input.gr:23:23: error: after the pass simplify, this is not `log1p(y)`: operand 1 of log1p: x against y
    :expect log(1 + x) => log1p(y)
                          ^^^^^^^^
  hint: :steps EXPR lists the rewrites that led to this
1 of 5 nodes differs, in 1 place
operand 1 of sum: log1p(x) against log(x)
  - sin(x) + sum(«log1p(x)»)
  + sin(x) + sum(«log(x)»)
input.gr:24:37: error: after the pass simplify, this is not `sin(x) + sum(log(x))`: operand 1 of sum: log1p(x) against log(x)
    :expect sin(x) + sum(log(1 + x)) => sin(x) + sum(log(x))
                                        ^^^^^^^^^^^^^^^^^^^^
  hint: :steps EXPR lists the rewrites that led to this
1 of 7 nodes differs, in 1 place
in scan s, equation of s[t], operand 2 of @: W against W'
  - tanh(s[t-1] @ «W»)
  + tanh(r[t-1] @ «W'»)
input.gr:25:14: error: after the pass simplify, this is not `g`: in scan s, equation of s[t], operand 2 of @: W against W'
    :expect h => g
                 ^
  hint: :steps EXPR lists the rewrites that led to this
1 of 2 nodes differs, in 1 place
x : f64[3] against sum(x) : f64
input.gr:26:14: error: after the pass simplify, this is not `sum(x)`: x : f64[3] against sum(x) : f64
    :expect x => sum(x)
                 ^^^^^^
  hint: :steps EXPR lists the rewrites that led to this
3 of 4 nodes differ, in 1 place
sin(x) * sin(x) against exp(2 * x)
input.gr:27:17: error: after the pass simplify, this is not `exp(2 * x)`: sin(x) * sin(x) against exp(2 * x)
    :expect f(x) => exp(2 * x)
                    ^^^^^^^^^^
  hint: :steps EXPR lists the rewrites that led to this
input.gr:28:24: error: after the pass simplify, nothing matches `log(a)`
    :expect log(1 + x) has log(a)
                           ^^^^^^
  hint: :find log(a) in EXPR near=5
input.gr:29:58: error: after the pass simplify, `log(a)` matches 4 times: log(x), log(y), log(x + y) and 1 more
    :expect log(x) + log(y) + log(x + y) + log(x * y) has no log(a)
                                                             ^^^^^^
input.gr:30:31: error: exp-exp fires once, not 3 times
    :expect exp(x) * exp(y) fires exp-exp 3
                                  ^^^^^^^^^
  hint: :steps EXPR by=rule counts the steps of each rule
input.gr:31:26: error: expm1 does not fire
    :expect log(1 + x) fires expm1
                             ^^^^^
  hint: :whynot expm1 EXPR explains why
input.gr:32:17: error: after all passes, there is 1 loop, not 2
    :expect h loops 2
                    ^
  hint: :explain EXPR lists the loops
input.gr:33:20: error: the predicted cost is 2.507e-07 s, not at most 1e-12 s
    :expect x + y cost <= 1e-12
                       ^^^^^^^^
  hint: :cost EXPR shows what takes how long
input.gr:35:1: error: no interactive derivation is in progress
    :expect
    ^^^^^^^
  hint: :move EXPR begins one
input.gr:36:1: error: no interactive derivation is in progress
    :expect x
    ^^^^^^^
  hint: :move EXPR begins one
input.gr:37:9: error: the expression is missing
    :expect => x
            ^^^^
  hint: :expect EXPR => EXPR2
input.gr:38:9: error: the claim is not complete
    :expect x =>
            ^^^^
  hint: :expect EXPR => EXPR2
input.gr:39:16: error: expected the end of the expression, but found `z`
    :expect x => y z
                   ^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:40:14: error: this `(` is never closed
    :expect x => (
                 ^
input.gr:41:21: error: pass= goes directly after the expression, before the claim
    :expect x => x pass=simplify
                        ^^^^^^^^
  hint: :expect EXPR pass=canonicalize => EXPR2
input.gr:42:30: error: give either pass= or step=
    :expect x pass=simplify step=1 => x
                                 ^
input.gr:43:16: error: there is no pass nope
    :expect x pass=nope => x
                   ^^^^
  hint: :passes lists them
input.gr:44:16: error: step= goes up to 0 here
    :expect x step=99 => x
                   ^^
input.gr:45:16: error: a graph is one state: step=7
    :expect x step=two => x
                   ^^^
input.gr:46:11: error: expected the end of the expression, but found `digest`
    :expect x digest=0 => x
              ^^^^^^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:47:15: error: a pattern must be an operation, not a name or a number alone
    :expect x has no
                  ^^
input.gr:48:18: error: this `(` is never closed
    :expect x has exp(
                     ^
input.gr:49:22: error: only `if` or `in` may follow the pattern
    :expect x has exp(a) exp(b)
                         ^^^^^^
  hint: exp(a) * exp(b) if finite(a) in y
input.gr:50:9: error: the claim is not complete
    :expect x fires
            ^^^^^^^
  hint: :expect EXPR => EXPR2
input.gr:51:17: error: there is no rule log1q
    :expect x fires log1q
                    ^^^^^
  hint: did you mean log1p?
input.gr:52:23: error: this must be a whole number, but it is `two`
    :expect x fires log1p two
                          ^^^
input.gr:53:23: error: this must be a whole number, but it is `-1`
    :expect x fires log1p -1
                          ^^
input.gr:54:17: error: this must be a whole number, but it is `many`
    :expect x loops many
                    ^^^^
input.gr:55:16: error: after `cost` come `<=` and a number of seconds
    :expect x cost 3
                   ^
  hint: :expect EXPR cost <= 1e-6
input.gr:56:16: error: after `cost` come `<=` and a number of seconds
    :expect x cost <= now
                   ^^^^^^
  hint: :expect EXPR cost <= 1e-6
input.gr:57:16: error: a cost is that of what runs, after all passes
    :expect x pass=simplify cost <= 1
                   ^^^^^^^^
input.gr:58:9: error: `z` is not defined
    :expect z => x
            ^
input.gr:59:14: error: `z` is not defined
    :expect x => z
                 ^
exit 1
