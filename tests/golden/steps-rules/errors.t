# An operand that may fail does not vanish, unless class S is allowed.
d : i64 = 0
Z : i64[0] = []
1 // zeros(0, dtype=i64)
zeros(0, dtype=i64) // d
where(true, 1, 2 // d)
0 * (2 // d)
:whynot mul-zero-int 0 * (2 // d)
:steps 0 * (2 // d)
concat(([1, 2], [3 // d]))[0]
(scan t for -1 from s = 1.0 { s[t] = s[t-1] }).final
k : i64 = -1
(scan t for k from s = 1.0 { s[t] = s[t-1] }).final
(scan t for k from s = 0.0 { s[t] = s[t-1] * 2 }).final
map(v -> v + 1 // d, Z)
---
i64[0] = []
i64[0] = []
input.gr:6:16: error: integer division by zero
    where(true, 1, 2 // d)
                   ^^^^^^
input.gr:7:6: error: integer division by zero
    0 * (2 // d)
         ^^^^^^
mul-zero-int does not fire
  at %3, 0 * (2 // d): x may fail, and the right side does without it
  `:help mul-zero-int`: what it matches, and when
nothing to do: inline, canonicalize, stabilize, differentiate, simplify, expand, loops, specialize,
fuse, lower
input.gr:10:18: error: integer division by zero
    concat(([1, 2], [3 // d]))[0]
                     ^^^^^^
input.gr:11:13: error: a scan cannot take -1 steps
    (scan t for -1 from s = 1.0 { s[t] = s[t-1] }).final
                ^^
input.gr:13:1: error: the number of steps is negative
    (scan t for k from s = 1.0 { s[t] = s[t-1] }).final
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:14:1: error: the number of steps is negative
    (scan t for k from s = 0.0 { s[t] = s[t-1] * 2 }).final
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
i64[0] = []
exit 1
