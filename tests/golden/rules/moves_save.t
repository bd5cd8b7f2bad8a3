# a derivation as a script that replays; one that cannot be saved; one that does not replay
# shows: proof.gr
x : f64[3] = [1, 2, 3]
L = scan t over x from s = 0.0 { s[t] = s[t-1] * 1 + x[t] }
:moves sum(log(1 + x)) * 1 + sum(x * 1)
:move rule=mul-one nth=2
:move rule=log1p
:save proof.gr
:load proof.gr
:steps
k = 2 * sum(x)
:moves k * 1
k = 3 * sum(x)
:move rule=mul-one
:save again.gr
:load again.gr
:moves L
:move rule=mul-one
:save loop.gr
:load loop.gr
x : f64[2] = [1, 2]
:save older.gr
:load older.gr
:moves log(1 + x)
:set rule log1p off
:save off.gr
:goal digest=0123
---
1  mul-one         [E]  %6  x * 1                =>  x
2  fuse            [E]  %7  sum(x * 1)           =>  sum(x * 1) (fused)
3  sum-scale       [R]  %7  sum(x * 1)           =>  1 * sum(x)
4  sum-scale-many  [R]  %7  sum(x * 1)           =>  1 * sum(x)
5  fuse            [E]  %3  log(1 + x)           =>  log(1 + x) (fused)
6  log1p           [R]  %3  log(1 + x)           =>  log1p(x)
7  fuse            [E]  %4  sum(log(1 + x))      =>  sum(log(1 + x)) (fused)
8  mul-one         [E]  %5  sum(log(1 + x)) * 1  =>  sum(log(1 + x))
9  sum-scale-back  [R]  %5  sum(log(1 + x)) * 1  =>  sum(1 * log(1 + x))
  1  mul-one [E]  sum(log(1 + x)) * 1 => sum(log(1 + x))    # one times anything
sum(log(1 + x)) + sum(x * 1)
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
sum(log1p(x)) + sum(x * 1)
2 statements and 2 moves in proof.gr
1  mul-one         [E]  %6  x * 1                =>  x
2  fuse            [E]  %7  sum(x * 1)           =>  sum(x * 1) (fused)
3  sum-scale       [R]  %7  sum(x * 1)           =>  1 * sum(x)
4  sum-scale-many  [R]  %7  sum(x * 1)           =>  1 * sum(x)
5  fuse            [E]  %3  log(1 + x)           =>  log(1 + x) (fused)
6  log1p           [R]  %3  log(1 + x)           =>  log1p(x)
7  fuse            [E]  %4  sum(log(1 + x))      =>  sum(log(1 + x)) (fused)
8  mul-one         [E]  %5  sum(log(1 + x)) * 1  =>  sum(log(1 + x))
9  sum-scale-back  [R]  %5  sum(log(1 + x)) * 1  =>  sum(1 * log(1 + x))
  1  mul-one [E]  sum(log(1 + x)) * 1 => sum(log(1 + x))    # one times anything
sum(log(1 + x)) + sum(x * 1)
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
sum(log1p(x)) + sum(x * 1)
sum(log1p(x)) + sum(x * 1)
by hand: 2 steps, 9 -> 7 nodes, so far
  1  mul-one [E]  sum(log(1 + x)) * 1 => sum(log(1 + x))    # one times anything
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
1  term-twice-back  [R]  %3  2 * sum(x)      =>  sum(x) + sum(x)
2  sum-scale-back   [R]  %3  2 * sum(x)      =>  sum(2 * x)
3  flatten-mul      [R]  %4  2 * sum(x) * 1  =>  2 * sum(x) * 1 (mul)
4  mul-one          [E]  %4  2 * sum(x) * 1  =>  2 * sum(x)
  1  mul-one [E]  (2 * sum(x)) * 1 => 2 * sum(x)    # one times anything
2 * sum(x)
3 statements and 1 move in again.gr
1  term-twice-back  [R]  %3  2 * sum(x)      =>  sum(x) + sum(x)
2  sum-scale-back   [R]  %3  2 * sum(x)      =>  sum(2 * x)
3  flatten-mul      [R]  %4  2 * sum(x) * 1  =>  2 * sum(x) * 1 (mul)
4  mul-one          [E]  %4  2 * sum(x) * 1  =>  2 * sum(x)
  1  mul-one [E]  (2 * sum(x)) * 1 => 2 * sum(x)    # one times anything
2 * sum(x)
2 * sum(x)
1  lower-scan  [E]  %4  scan(3, from=0.0, over=x).trace  =>  loop(rows=3, go=true, from=(0.0, 0), using=x).trace
2  mul-one     [E]  %2  s[t-1] * 1                       =>  s[t-1]
  1  inner [E]  in scan s
    1.1  mul-one [E]  s[t-1] * 1 => s[t-1]    # one times anything
scan t over x from s = 0.0 {
  s[t] = s[t-1] + x[t]
}
3 statements and 1 move in loop.gr
1  lower-scan  [E]  %4  scan(3, from=0.0, over=x).trace  =>  loop(rows=3, go=true, from=(0.0, 0), using=x).trace
2  mul-one     [E]  %2  s[t-1] * 1                       =>  s[t-1]
  1  inner [E]  in scan s
    1.1  mul-one [E]  s[t-1] * 1 => s[t-1]    # one times anything
scan t over x from s = 0.0 {
  s[t] = s[t-1] + x[t]
}
scan t over x from s = 0.0 {
  s[t] = s[t-1] + x[t]
}
4 statements and 1 move in older.gr
1  lower-scan  [E]  %4  scan(3, from=0.0, over=x).trace  =>  loop(rows=3, go=true, from=(0.0, 0), using=x).trace
2  mul-one     [E]  %2  s[t-1] * 1                       =>  s[t-1]
older.gr:4:1: note: these definitions still use the older x: L, k
    x : f64[2] = [1.0, 2.0]
    ^^^^^^^^^^^^^^^^^^^^^^^
  1  inner [E]  in scan s
    1.1  mul-one [E]  s[t-1] * 1 => s[t-1]    # one times anything
scan t over x from s = 0.0 {
  s[t] = s[t-1] + x[t]
}
scan t over x from s = 0.0 {
  s[t] = s[t-1] + x[t]
}
1  fuse   [E]  %3  log(1 + x)  =>  log(1 + x) (fused)
2  log1p  [R]  %3  log(1 + x)  =>  log1p(x)
4 statements in off.gr
input.gr:27:14: error: this is not the goal
    :goal digest=0123
                 ^^^^
  hint: the derivation ends in another graph: see :steps
exit 1
