x : i64[3] = [1, 2, 3]
x & 3 | 8
~x
-~x
~-x
~x ^ 2
1 << 2 & 6 | 1 + 1
x & 1 == 1
m = x > 1
m & (x < 3)
m | ~m
xor(x, 1)
xor(m, true)
xor(f32(1), 1)
i32(12) & 0b1010
(x & 3) with [0] = 7
v : i64[3]
v & (v | 1)
w = ~(v & 6) | v << 1 & -~v
w
:steps (v & 6) & 3
c : bool[3]
c & ~c | xor(c, v > 1)
# Mistakes
x > 0 & x < 2
x > 0 & m
m | x < 3
xor(m, 1)
1.5 & 2
~1.5
p = (a=1, b=2)
p & p
~p
x ~= 3
x &= 3
x |> sin
---
i64[3] = [9, 10, 11]
i64[3] = [-2, -3, -4]
i64[3] = [2, 3, 4]
i64[3] = [0, 1, 2]
i64[3] = [-2, -5, -10]
i64 = 6
bool[3] = [true, false, true]
bool[3] = [false, true, false]
bool[3] = [true, true, true]
i64[3] = [0, 3, 2]
bool[3] = [true, false, false]
input.gr:14:1: error: `xor` works on integers and bools, but this is f32
    xor(f32(1), 1)
    ^^^^^^^^^^^^^^
i32 = 8
i64[3] = [7, 2, 3]
i64[3]    # v has no value
  v & (v | 1)
w : i64[3]    # v has no value
  ~(v & 6) | v << 1 & -(~v)
canonicalize: 2 steps, 5 -> 3 nodes, done
  1  band-const [E]  v & 6 & 3 => v & (6 & 3)    # constants combined
  2  fold [E]  6 & 3 => 2    # the value is known while the graph is built
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
bool[3]    # c has no value
  c & ~c | bitwise_xor(c, v > 1)
input.gr:25:11: error: comparisons cannot be chained
    x > 0 & x < 2
              ^
  hint: `&` and `|` bind more tightly than comparisons: write `a < b and c < d`, or `(a < b) & (c < d)`
input.gr:26:5: error: `&` works on two integers or on two bools, but these are i64 and bool[3]
    x > 0 & m
        ^^^^^
  hint: it binds more tightly than comparisons: (x > 0) & mask; a bool as a number is i64(mask)
input.gr:27:1: error: `|` works on two integers or on two bools, but these are bool[3] and i64[3]
    m | x < 3
    ^^^^^
  hint: it binds more tightly than comparisons: (x > 0) & mask; a bool as a number is i64(mask)
input.gr:28:1: error: `xor` works on two integers or on two bools, but these are bool[3] and i64
    xor(m, 1)
    ^^^^^^^^^
  hint: a bool as a number is i64(mask)
input.gr:29:1: error: `&` works on integers and bools, but this is f64
    1.5 & 2
    ^^^^^^^
input.gr:30:2: error: `~` works on integers and bools, but this is f64
    ~1.5
     ^^^
input.gr:32:1: error: `&` of (a: i64, b: i64) and (a: i64, b: i64): tuples are added, subtracted and scaled by one number
    p & p
    ^^^^^
  hint: part by part: map((a, b) -> a & b, p, q)
input.gr:33:1: error: `~` of (a: i64, b: i64): tuples are added, subtracted and scaled by one number
    ~p
    ^^
  hint: for each part: map(a -> ~a, p)
input.gr:34:3: error: `~=` is not an operator of this language
    x ~= 3
      ^^
  hint: write `!=`
input.gr:35:3: error: `&=` is not an operator of this language
    x &= 3
      ^^
  hint: write `x := x & e`
input.gr:36:3: error: `|>` is not an operator of this language
    x |> sin
      ^^
  hint: write `f(x)`
exit 1
