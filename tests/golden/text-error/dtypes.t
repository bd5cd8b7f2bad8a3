x : f64[3] = [1, 2, 3]
k : i64 = 2
p : bool = true
not x
x and true
x[1.5]
x[x > 1]
x[p]
if k then 1 else 2
if x > 1 then 1 else 2
where(x, 1, 2)
arange(3, dtype=i64) with [0] = 1.5
bitwise_and(x, 1)
left_shift(1, 70)
i : i64 = 2.5
j : i32 = 3000000000
y : f64[2] = [1, 2, 3]
z : f64[2, 2] = [1, 2]
t : complex = 1
t : f64[q
99999999999999999999
randint(k, 0, 10)
rng(1) + 1
uniform(3)
shared r : rng = 3
x + "text"
x(1)
(1, 2) + 1
(1, 2)[2]
(1, 2)[k]
a, b = (1, 2, 3)
a, b = x
---
input.gr:4:5: error: `not` works on bools, but this is f64[3]
    not x
        ^
  hint: compare it first: x != 0; for the bits of integers: a & b, a | b, ~a
input.gr:5:1: error: `and` works on bools, but this is f64[3]
    x and true
    ^
  hint: compare it first: x != 0; for the bits of integers: a & b, a | b, ~a
input.gr:6:3: error: an index must be whole numbers, but this is f64
    x[1.5]
      ^^^
  hint: cast it with i64(...)
f64[2] = [2.0, 3.0]
input.gr:8:3: error: an index must be whole numbers, but this is bool
    x[p]
      ^
  hint: cast it with i64(...)
input.gr:9:4: error: the condition of `if` must be a single bool, but this is i64
    if k then 1 else 2
       ^
  hint: compare it: x != 0
input.gr:10:4: error: the condition of `if` must be a single bool, but this is bool[3]
    if x > 1 then 1 else 2
       ^^^^^
  hint: to choose element by element, use where(c, a, b)
input.gr:11:7: error: the condition of where must be made of bools, but this is f64[3]
    where(x, 1, 2)
          ^
  hint: compare it: x != 0
input.gr:12:33: error: storing f64 in an array of i64 would lose precision or range
    arange(3, dtype=i64) with [0] = 1.5
                                    ^^^
  hint: cast the value or, before the write, the array
input.gr:13:1: error: bitwise_and is not defined for f64[3]
    bitwise_and(x, 1)
    ^^^^^^^^^^^^^^^^^
input.gr:14:1: error: shift by a negative number or by all bits
    left_shift(1, 70)
    ^^^^^^^^^^^^^^^^^
input.gr:15:11: error: i is declared as i64 but this value is f64
    i : i64 = 2.5
              ^^^
  hint: write i64(...) to convert it
input.gr:16:11: error: 3000000000 does not fit in i32
    j : i32 = 3000000000
              ^^^^^^^^^^
input.gr:17:14: error: y is declared as f64[2] but this value is f64[3]
    y : f64[2] = [1, 2, 3]
                 ^^^^^^^^^
input.gr:18:17: error: z is declared as f64[2, 2] but this value is f64[2]
    z : f64[2, 2] = [1, 2]
                    ^^^^^^
input.gr:19:5: error: there is no dtype complex
    t : complex = 1
        ^^^^^^^
  hint: the dtypes are bool i32 i64 f32 f64 rng
input.gr:22:1: error: expected `]` for the `[` of line 20, column 8, but found `randint`
    randint(k, 0, 10)
    ^^^^^^^
  hint: an operator, a comma, a bracket or a newline may be missing here
input.gr:25:18: error: r is declared as rng but this value is i64
    shared r : rng = 3
                     ^
  hint: make one with rng(seed)
input.gr:26:5: error: + needs a tensor here, but this is a string
    x + "text"
        ^^^^^^
input.gr:27:1: error: this is f64[3], not a function
    x(1)
    ^
  hint: use [ ] to index
input.gr:28:1: error: `+` of a tuple and i64: tuples are added, subtracted and scaled by one number
    (1, 2) + 1
    ^^^^^^^^^^
  hint: for each part: map(a -> a + c, p)
input.gr:29:8: error: the tuple has 2 items, there is no item 2
    (1, 2)[2]
           ^
input.gr:30:8: error: the index of a tuple must be a whole number known while the graph is built
    (1, 2)[k]
           ^
input.gr:31:1: error: 2 names on the left but a tuple of another length on the right
    a, b = (1, 2, 3)
    ^^^^^^^^^^^^^^^^
  hint: there must be one name for each value; `_` discards one
input.gr:32:1: error: 2 names on the left but f64[3] on the right
    a, b = x
    ^^^^^^^^
  hint: there must be one name for each value; `_` discards one
exit 1
