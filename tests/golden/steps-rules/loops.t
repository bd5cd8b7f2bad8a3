# Patterns over loops: a state replaced by what it is at each step, a final value by an expression.
x : f64[3] = [1, 2, 3]
k : i64 = 0
:rule keep [E]: scan t over us... from s = a:any, ss... { s[t] = s[t-1]; rest... } => scan t over us... from ss... { s[t-1] = a; rest... }
:steps scan t over x from s = 2.0, r = 0.0 { s[t] = s[t-1]; r[t] = r[t-1] + s[t-1] * x[t] } pass=canonicalize
:set rule keep off
:rule count [E]: scan t over us... from s = a:int, ss... { s[t] = s[t-1] + c:int; rest... } => scan t over us... from ss... { s[t-1] = a + c * t; rest... } if is_dtype(a, i64) and constant(c)
:steps scan t over x from s = 2, r = 0.0 { s[t] = s[t-1] + 3; r[t] = r[t-1] + f64(s[t-1]) * x[t] } pass=canonicalize
scan t over x from s = 2, r = 0.0 { s[t] = s[t-1] + 3; r[t] = r[t-1] + f64(s[t-1]) * x[t] }
(scan t for k from s = 2, r = 0.0 { s[t] = s[t-1] + 3; r[t] = r[t-1] + f64(s[t-1]) }).final
(scan t from s = 2, r = 0.0 { s[t] = s[t-1] + 3; r[t] = r[t-1] + f64(s[t-1]); until r[t] > 20 }).final
:whynot count scan t over x from s = 2.0 { s[t] = s[t-1] + x[t] }
:whynot count scan t for 3 from s = 2 { s[t] = s[t-1] + t }
:whynot count scan t for 3 from s = 2 { s[t] = s[t-1] + 6 // k }
:set rule count off
:rule total [R N+ O]: (scan t over x, us... from s = a, ss... { s[t] = s[t-1] + x[t]; rest... }).final => a + sum(x, axis=0)
:steps (scan t over x from s = 1.0 { s[t] = s[t-1] + x[t] }).final pass=canonicalize
(scan t over x from s = 1.0 { s[t] = s[t-1] + x[t] }).final
:whynot total (scan t over x for 2 from s = 1.0 { s[t] = s[t-1] + x[t] }).final
:whynot total (scan t over x from s = 1.0 { s[t] = s[t-1] + x[t]; until s[t] > 2 }).final
:whynot total (scan t over x from s = 1.0 { s[t] = s[t+1] + x[t] }).final
:whynot total sum(x)
:rule total [R]: (scan t over x, us... from s = a, ss... { s[t] = s[t-1] + x[t]; rest... }).final => sum(x, axis=0)
:rule drop [E]: scan t over us... from s = a, ss... { s[t] = e; rest... } => scan t over us... from ss... { s[t-1] = a; rest... }
:rule drop [E]: scan t over us... from s = a, ss... { s[t] = e; rest... } => scan t over us... from ss... { s[t-1] = e; rest... }
:rule late [E]: scan t over us... from s = a:int, ss... { s[t] = s[t-1] + c:int; rest... } => scan t over us... from ss... { s[t-1] = a + c * (t + 1); rest... } if is_dtype(a, i64) and constant(c)
:rule two [E]: scan t over us... from s = a, r = b { s[t] = r[t-1]; rest... } => scan t over us... { s[t-1] = a; rest... }
:rule none [E]: scan t over us... from ss... { rest... } => scan t over us... from ss... { rest... }
:rule stop [E]: scan t over us... from s = a { s[t] = s[t-1]; until s[t] > 3 } => scan t over us... { s[t-1] = a }
:rule far [E]: scan t over us... from s = a, ss... { s[t] = s[t-2]; rest... } => scan t over us... from ss... { s[t-1] = a; rest... }
:rule free [E]: scan t over us... from s = a, ss... { s[t] = s[t-1]; rest... } => scan t over us... from ss... { s[t-1] = b; rest... }
:rule other [E]: scan t over us... from s = a, ss... { s[t] = s[t-1]; rest... } => a
:rule again [E]: scan t over us... from s = a, ss... { s[t] = s[t-1]; rest... } => scan t over us... from s = a, ss... { s[t] = s[t-1]; rest... }
:rule names [E]: scan t over us... from s = a, ss... { s[t] = s[t-1]; rest... } => scan i over us... from ss... { s[i-1] = a; rest... }
:rule deep [E]: 1 + (scan t over us... from s = a, ss... { s[t] = s[t-1]; rest... }) => a
:rule clause [E]: scan t over us... for 3 from s = a { s[t] = s[t-1]; rest... } => scan t over us... for 3 { s[t-1] = a; rest... }
---
keep [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 12 -> 11 nodes, done
  1  keep [E]
      scan s, r: state s is gone
      trace s is no longer kept
      trace 2.0 is kept now
      - r[t] = r[t-1] + «s[t-1]» * x[t]
      + r[t] = r[t-1] + «2» * x[t]
      - %4.final.s
      + 2.0
count [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 3 steps, 15 -> 19 nodes, done
  1  count [E]    # c depends on nothing that varies there
      scan s, r: state s is gone
      at each step it reads iota[t], a row of arange(3)
      - s[t] = «s[t-1]» + 3
      + s[t] = «%13» + 3
      - r[t] = r[t-1] + f64(«s[t-1]») * x[t]
      + r[t] = r[t-1] + f64(«%13») * x[t]
      … and 1 more
      - %6.final.s
      + 2 + 3 * 3
  2  inner [R O]  in scan r
    2.1  flatten-add [R O]    # nested sums become one sum
        s[t] = (2 + 3 * iota[t]) + 3 => 2 + 3 * iota[t] + 3
    2.2  fold-add [R O]    # constant terms are added up
        s[t] = 2 + 3 * iota[t] + 3 => 3 * iota[t] + 5
  3  inner [R O]  in scan r
(s: i64[3], r: f64[3]) =
 s     r
 5   2.0
 8  12.0
11  36.0
.s : i64 = 2
.r : f64 = 0.0
.s : i64 = 14
.r : f64 = 26.0
count does not fire
  at %3, scan s: 1 of 5: `2.0` is f64, but a must be int; the pattern has a:int
  `:help count`: what it matches, and when
count does not fire
  at %3, scan s: the condition constant(c) does not hold, or cannot be proved, for c = `t`
  `:help count`: what it matches, and when
count does not fire
  at %4, scan s: c may fail, and the right side computes it where the left side might not
  `:help count`: what it matches, and when
total [R N+ O]: both sides agree on 1000 instances; a rule of the pass canonicalize now
canonicalize: 1 step, 8 -> 4 nodes, done
  1  total [R N+ O]
      scan s (%3) is gone
      - %3.final.s
      + 1 + sum(x)
f64 = 7.0
total does not fire
  at %4, %3.final: 4 of 5: `s[t-1] + x[t]` has no other matching operand; the pattern has x[t]
  `:help total`: what it matches, and when
total does not fire
  at %5, %4.final: `scan(3, from=1.0, over=x).final` has an `until`, so it may stop at any step; the pattern has scan t over x, us... from s = a, ss... { s[t] = s[t - 1] + x[t]; rest... }.final
  `:help total`: what it matches, and when
total does not fire
  at %4, %3.final: `scan(3, from=1.0, over=x, reverse=true).final` runs backwards; the pattern has scan t over x, us... from s = a, ss... { s[t] = s[t - 1] + x[t]; rest... }.final
  `:help total`: what it matches, and when
total does not fire
  there is no scan in it
input.gr:23:7: error: not accepted: for a = [1.974, 1.149, -1.623], x = [[2.569, -1.43, -0.13]] the left side is 4.543, the right side 2.569
    :rule total [R]: (scan t over x, us... from s = a, ss... { s[t] = s[t-1] + x[t]; rest... }).final =>…
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:24:7: error: not accepted: for a = [1.974, 1.149, -1.623] the left side is 2.362988551243548, the right side 1.974
    :rule drop [E]: scan t over us... from s = a, ss... { s[t] = e; rest... } => scan t over us... from …
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:25:7: error: not accepted: for a = 0.54, e = 2.0 the left side is 124.136, the right side 125.596
    :rule drop [E]: scan t over us... from s = a, ss... { s[t] = e; rest... } => scan t over us... from …
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:26:7: error: not accepted: for a = [0, 1, 2], c = [0, 1, 1] the left side is 2, the right side 3
    :rule late [E]: scan t over us... from s = a:int, ss... { s[t] = s[t-1] + c:int; rest... } => scan t…
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:27:16: error: a loop in a rule must have one state with its initial value
    :rule two [E]: scan t over us... from s = a, r = b { s[t] = r[t-1]; rest... } => scan t over us... {…
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: scan t over us... from s = a, ss... { s[t] = value; rest... }
input.gr:28:17: error: a loop in a rule must have one state with its initial value
    :rule none [E]: scan t over us... from ss... { rest... } => scan t over us... from ss... { rest... }
                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: scan t over us... from s = a, ss... { s[t] = value; rest... }
input.gr:29:17: error: a loop in a rule must have one equation, for its state
    :rule stop [E]: scan t over us... from s = a { s[t] = s[t-1]; until s[t] > 3 } => scan t over us... …
                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: scan t over us... from s = a, ss... { s[t] = value; rest... }
input.gr:30:61: error: in the loop of a rule its state is read at `t-1`, its sequences at `t`
    …t over us... from s = a, ss... { s[t] = s[t-2]; rest... } => scan t over us... from ss... { s[t-1] =…
                                             ^^^^^^
input.gr:31:123: error: b is not bound by the left side of the rule
    …scan t over us... from ss... { s[t-1] = b; rest... }
                                             ^
input.gr:32:84: error: the right side of a rule on a loop is that loop without its state, and what the state is
    :rule other [E]: scan t over us... from s = a, ss... { s[t] = s[t-1]; rest... } => a
                                                                                       ^
  hint: scan t over us... from ss... { s[t-1] = value; rest... }, with the names on the left
input.gr:33:84: error: the right side of a rule on a loop is that loop without its state, and what the state is
    … a, ss... { s[t] = s[t-1]; rest... } => scan t over us... from s = a, ss... { s[t] = s[t-1]; rest...…
                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: scan t over us... from ss... { s[t-1] = value; rest... }, with the names on the left
input.gr:34:84: error: the right side of a rule on a loop is that loop without its state, and what the state is
    … a, ss... { s[t] = s[t-1]; rest... } => scan i over us... from ss... { s[i-1] = a; rest... }
                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: scan t over us... from ss... { s[t-1] = value; rest... }, with the names on the left
input.gr:35:22: error: this is not allowed in a rule
    :rule deep [E]: 1 + (scan t over us... from s = a, ss... { s[t] = s[t-1]; rest... }) => a
                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:36:19: error: a loop in a rule has no other clauses
    :rule clause [E]: scan t over us... for 3 from s = a { s[t] = s[t-1]; rest... } => scan t over us...…
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: scan t over us... from s = a, ss... { s[t] = value; rest... }
exit 1
