n := 0
repeat 10 { n := n + 1; until n >= 5 }
n
repeat 10 { n := n + 1; until n >= 50 }
n
shared W : f64 = 1
loss = (W - 3) ^ 2
repeat 1000 {
  W := W - 0.1 * grad(loss, W)
  check(W < 100, "W runs away")
  until loss < 1e-9
}
loss < 1e-9
repeat 3 { until true }
repeat 0 { until true }
in alt { repeat 9 { W := W + 1; until W > 5 } ; W }
W
repeat 2 { repeat 5 { n := n + 1; until n % 4 == 0 } ; until n > 17 }
n
# Mistakes
repeat 10 { n := n + 1; until n }
repeat 10 { n := n + 1; until [true, false] }
repeat 10 { until n > 3; n := n + 1 }
repeat 10 { n := n + 1; until nothing > 3 }
x : f64
repeat 10 { n := n + 1; until x > 3 }
n
in alt { n := 1; until n > 3 }
repeat 10 { check(n < 0, "n is not negative"); until n > 3 }
repeat 10 { n := n + 1 until n > 3 }
---
input.gr:2:31: note: this holds after 5 of at most 10 rounds
    repeat 10 { n := n + 1; until n >= 5 }
                                  ^^^^^^
n : i64 = 5
input.gr:4:31: note: this still does not hold after 10 of 10 rounds
    repeat 10 { n := n + 1; until n >= 50 }
                                  ^^^^^^^
n : i64 = 15
input.gr:11:9: note: this holds after 50 of at most 1000 rounds
      until loss < 1e-9
            ^^^^^^^^^^^
bool = true
input.gr:14:18: note: this holds after 1 of at most 3 rounds
    repeat 3 { until true }
                     ^^^^
input.gr:16:39: note: this holds after 3 of at most 9 rounds
    in alt { repeat 9 { W := W + 1; until W > 5 } ; W }
                                          ^^^^^
W : f64 = 5.999971455046147
W : f64 = 2.999971455046147
input.gr:18:62: note: this holds after 2 of at most 2 rounds
    repeat 2 { repeat 5 { n := n + 1; until n % 4 == 0 } ; until n > 17 }
                                                                 ^^^^^^
n : i64 = 20
input.gr:21:31: error: `until` takes one bool, but this is i64
    repeat 10 { n := n + 1; until n }
                                  ^
  hint: compare, or use any(...) or all(...)
input.gr:22:31: error: `until` takes one bool, but this is bool[2]
    repeat 10 { n := n + 1; until [true, false] }
                                  ^^^^^^^^^^^^^
  hint: compare, or use any(...) or all(...)
input.gr:23:26: error: nothing can follow `until`
    repeat 10 { until n > 3; n := n + 1 }
                             ^
  hint: move `until` to the end
input.gr:24:31: error: `nothing` is not defined
    repeat 10 { n := n + 1; until nothing > 3 }
                                  ^^^^^^^
  hint: Gradus has no null value; a missing number is nan
input.gr:26:31: error: `x` has no value
    repeat 10 { n := n + 1; until x > 3 }
                                  ^^^^^
n : i64 = 24
input.gr:28:18: error: expected an expression, but found `until`
    in alt { n := 1; until n > 3 }
                     ^^^^^
input.gr:29:13: error: n is not negative
    repeat 10 { check(n < 0, "n is not negative"); until n > 3 }
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:30:24: error: expected `}` for the `{` of line 30, column 11, but found `until`
    repeat 10 { n := n + 1 until n > 3 }
                           ^^^^^
  hint: `until` is an item of its own, in a scan or in `repeat`: put `;` or a newline before it
exit 1
