# Lines over the index, over a vector, over an input; points, bars, a heat map; what is not finite.
t : f64[50] = linspace(0.0, 6.25, 50)
:plot sin(t), cos(t) over t width=60
k : f64 = 3.2
L = scan i for 60 from x = 0.3 { x[i] = k * x[i-1] * (1 - x[i-1]) }
:plot L kind=points height=6 width=50
:plot L[-1], L[-2] over k from 2.5 to 4 kind=points width=60 height=10
k
:plot L kind=bars width=50
:plot exp(-(expand_dims(t, 0) - 3) ^ 2 - (expand_dims(t, 1) - 2) ^ 2) width=40 height=8
:plot reshape(t, [10, 5]) kind=lines width=40 height=6
:plot log(t - 1) height=6 width=40
n : i64 = 3
:plot n * n over n from 0 to 4 width=30 height=5
:plot full([3], 2.0) width=30 height=4
# Logarithmic axes; a trace with few columns.
:plot [1, 10, 100, 1000, 0] log=y height=8 width=50
:plot arange(20) ^ 3 log=both height=8 width=50
S = scan i for 20 from x = [1.0, 2.0] { x[i] = 0.9 * x[i-1] }
:plot S width=50 height=8
# A part of it: lines are cut at the border. A row for each lane: medians and bands.
:plot L xrange=10..20 yrange=0.6..0.9 height=6 width=40
:plot t, -t over t xrange=-1..10 yrange=0..5 height=6 width=40
:plot t kind=points yrange=2..3 height=4 width=40
:plot arange(20) ^ 3 log=y yrange=10..1000 height=6 width=40
walk(s) = scan t for 12 from x = s { x[t] = 0.7 * x[t-1] }
X : f64[5] = [1, 2, 3, 4, 10]
:plot vmap(walk)(X) kind=bands width=50 height=8
:plot vmap(walk)(X), -vmap(walk)(X) kind=bands log=y xrange=3..8 width=50 height=8
# Each line in a field of its own, over the same x.
:plot t, 100 * sin(t) over t panels=on width=40 height=4
# What cannot be shown.
:plot t xrange=1
:plot t yrange=2..1
:plot t yrange=-1..1 log=y
:plot t kind=bars yrange=0..1
:plot t kind=bands
:plot vmap(walk)(X) over t kind=bands
:plot t kind=bars log=x
:plot k
:plot t over k from 1 to 1
:plot t over k from 0 to 1
:plot t over k from 0
:plot t over L
:plot L over z from 0 to 1
:plot t, kind=lines
:plot t kind=pie
:plot t kind=heat
:plot (t, t)
:plot zeros(0)
---
   1 ┤⠉⠑⠢⢄     ⢀⠔⠉⠉⠉⠒⠢⢄⡀                              ⢀⠔⠉⠉b
     │    ⠑⠢⡀⢀⠔⠁       ⠈⢢                           ⡠⠔⠁
     │      ⡱⡇           ⠱⡀                       ⢀⠜
     │    ⢀⠔⠁⠈⢆           ⠘⢄                     ⢠⠊
 0.5 ┤   ⢠⠃    ⢣           ⠈⢢                   ⢠⠃
     │  ⢠⠃      ⠣⡀           ⢣                 ⡰⠁
     │ ⡰⠁        ⠱⡀           ⢣               ⡰⠁
     │⡰⠁          ⠱⡀           ⠣⡀            ⡰⠁
   0 ┤⠁            ⠱⡀           ⠑⡄          ⡰⠁           ⡰a
     │              ⠱⡀           ⠘⡄        ⡰⠁           ⡔⠁
     │               ⠘⢄           ⠘⡄     ⢀⠜            ⡜
-0.5 ┤                ⠈⢆           ⠘⡄   ⢀⠎            ⡜
     │                 ⠈⢢           ⠈⢆ ⡠⠃           ⡠⠊
     │                   ⠱⡀           ⡷⡁          ⢀⠜
     │                    ⠘⢄        ⡠⠊ ⠑⢄        ⡠⠊
  -1 ┤                      ⠑⠢⢄⣀⣀⣀⠤⠊     ⠑⠢⢄⣀⣀⡠⠔⠊
     └┴───────────────┴────────────────┴───────────────┴──
      0               2                4               6  t
     a: sin(t)
     b: cos(t)
0.8 ┤      ⢀ ⠄⠐ ⠁⠁⠈ ⠁⠈ ⠁⠈ ⠁⠈ ⠁⠁⠈ ⠁⠈ ⠁⠈ ⠁⠈⠈ ⠁⠈ ⠁⠈
    │⡐ ⠂⠈ ⠁
0.6 ┤ ⠈ ⠁⠐ ⠄
    │       ⠁⠠ ⡀
    │           ⠈ ⠁⠈ ⠁⠈⠈ ⠁⠈ ⠁⠈ ⠁⠈ ⠁⠈⠈ ⠁⠈ ⠁⠈ ⠁⠈ ⠁
0.4 ┤
    └┴─────────────┴──────────────┴─────────────
     0            20             40  i
  1 ┤                                           ⢀ ⠄⠄⠐⠔⠐⠠⢠⠤b
    │                         ⢀⣀⣀⣀⣀⠤⠤⠤⠤⣔⠒⠚⠑⠔⢒⢂ ⠤⢀⡡⠉  ⠄⠑⡠⠁
    │                  ⣀⡤⠔⠒⠚⠉⠉⠉            ⠁⠁⠠⣴⠐⡄  ⢂ ⢐ ⡀⠁
    │ ⣀⣀⣀⣀⣀⣀⠤⠤⠤⠤⠤⠤⠴⠒⠒⠒⠮⣅                     ⠈⠠⠰⠐⢁⣠⠂  ⠔ ⡂⡀
    │⠉                  ⠉⠒⠲⠤⢤⣀⣀            ⠂⢁⢀   ⢀⡀ ⢐⠄ ⢂
0.5 ┤                          ⠉⠉⠙⠒⠒⠒⠦⠖⠉   ⢁⡠⠄ ⠁⠈  ⠈⠁⠁⠑⢀⢀
    │                                  ⠈⠉⠒⠚⠈ ⠁   ⠁      ⢀
    │                                            ⢀⢀⠐     ⢀a
    │                                              ⠑⠊⠠⠂⠁ ⠂
  0 ┤                                                    ⠂
    └┴────────────────┴─────────────────┴────────────────┴
    2.5               3                3.5               4  k
    a: L[-1]
    b: L[-2]
k : f64 = 3.2
    0.513045 │███████████████████████▉ 23
     0.55396 │█ 1
    0.594876 │██▏ 2
    0.635792 │████▏ 4
    0.676708 │██▏ 2
    0.717624 │███▏ 3
     0.75854 │██████████████████████████ 25
│                                    │
│            ░░░░▒▒▒▒░░              │
│          ░░▒▒▓▓████▓▓░░            │
│            ░░▒▒▓▓▒▒▒▒░░            │
│                                    │
│                                    │
│                                    │
│                                    │
from 3.70101e-13 (blank) to 0.9946 (full)
means of blocks: 8 by 18 in place of 50 by 50
10 ┤
   │
   │                           ⣀⣀⣤⣤⣤⠶⠶abcde
 5 ┤                ⣀⣀⣤⣤⣴⡶⠶⠶⠞⠛⠛⠉⠉
   │     ⢀⣀⣀⣠⣤⣴⣶⠶⠿⠛⠛⠛⠉⠉⠁
 0 ┤⣤⣶⠶⠿⠟⠛⠋⠉⠉⠁
   └┴─────────────────┴───────────────
    0                 5
   a: reshape(t, [10, 5])[0]
   b: reshape(t, [10, 5])[1]
   c: reshape(t, [10, 5])[2]
   d: reshape(t, [10, 5])[3]
   e: reshape(t, [10, 5])[4]
 5 ┤
   │
   │      ⣀⣀⣀⡠⠤⠤⠤⠤⠤⠒⠒⠒⠒⠒⠒⠒⠒⠊⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
 0 ┤ ⢠⠤⠒⠉⠉
   │⢠⠃
-5 ┤⠁
   └──────────┴───────────────┴───────
             20              40
8 numbers are not finite and left out; :trace nan EXPR finds why
20 ┤
   │                    ⣀⠤⠒⠉
   │                ⣀⠤⠒⠉
   │           ⣀⣀⠤⠒⠉
 0 ┤⣀⣀⣀⠤⠤⠤⠤⠒⠒⠉⠉
   └┴───────────┴──────────┴
    0           2          4  n
4 ┤
  │
2 ┤⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉
0 ┤
  └┴───────────┴───────────┴
   0           1           2
10000 ┤
      │
      │                                   ⣀⡠⠤⠒⠒⠉
      │                            ⣀⣀⠤⠔⠒⠉⠉
  100 ┤                    ⢀⣀⡠⠤⠔⠒⠊⠉
      │             ⣀⡠⠤⠔⠒⠊⠉⠁
      │      ⣀⣀⠤⠔⠒⠉⠉
    1 ┤⣀⠤⠤⠒⠊⠉
      └┴────────────┴─────────────┴────────────┴
       0            1             2            3
1 number is left out: an axis is logarithmic, and not everything is positive and finite
10000 ┤                                     ⢀⡠⠤⠔
      │                                ⢀⡠⠤⠒⠉⠁
      │                          ⢀⣀⠤⠔⠒⠉⠁
      │                     ⢀⣀⠤⠒⠊⠁
  100 ┤                ⣀⠤⠔⠒⠉⠁
      │          ⢀⣀⠤⠒⠊⠉
      │     ⣀⡠⠔⠒⠉⠁
    1 ┤⣀⠤⠔⠊⠉
      └┴──────────────────────────────┴─────────
       1                             10
1 number is left out: an axis is logarithmic, and not everything is positive and finite
2 ┤⡀
  │⠈⠑⠢⣀
  │    ⠉⠒⠤⣀
  │        ⠉⠒⠤⣀⣀
1 ┤⠒⠢⠤⣀         ⠉⠉⠒⠤⢄⣀⣀
  │    ⠉⠉⠒⠒⠢⠤⢄⣀⣀       ⠉⠉⠑⠒⠒⠤⠤⣀⣀⡀
  │             ⠉⠉⠉⠉⠑⠒⠒⠤⠤⠤⠤⠤⣀⣀⣀⣀⣈⣉⣉⠒⠒⠒⠒⠢⠤⠤⠤⠤⣀⣀⣀⣀b
0 ┤                                ⠉⠉⠉⠉⠉⠉⠉⠒⠒⠒⠒⠒⠒a
  └┴──────────┴───────────┴───────────┴─────────
   0          5          10          15  i
  a: S[0]
  b: S[1]
    │
    │
0.8 ┤   ⣠     ⢀⢆     ⡜⡄    ⢠⢣     ⡜⡄
    │  ⡰⠁⢣   ⢀⠎⠸⡀   ⢰⠁⢣    ⡎⠘⡄   ⢰⠁⢣
    │ ⡰⠁ ⠈⡆  ⡜  ⢣  ⢀⠇ ⠘⡄  ⡸  ⢣  ⢀⠇ ⠘⡄
0.6 ┤⡰⠁   ⠘⡄⡜   ⠘⡄ ⡜   ⢣ ⢠⠃  ⠘⡄ ⡜   ⢣
    └┴───────────────┴───────────────┴
    10              15              20  i
  │                ⢀⠤⠚⠁               a
4 ┤              ⣠⠒⠉
  │           ⣀⠴⠉
2 ┤        ⢀⠤⠊
  │     ⢀⡠⠒⠁
0 ┤   ⡠⠔⠁                             b
  └───┴───────────────┴──────────────┴
      0               5             10  t
  a: t
  b: -t
3 ┤               ⢀⠂
  │              ⡀⠂
  │            ⢀⠐
2 ┤           ⠠⠁
  └┴─────────────┴─────────────┴──────
   0            20            40
1000 ┤            ⣀⡠⠔⠊⠁
     │         ⢀⠔⠉
     │      ⢀⠔⠊⠁
 100 ┤     ⡠⠊
     │   ⡠⠊
  10 ┤  ⡰⠁
     └───────┴────────┴───────┴───────
             5       10      15
1 number is left out: an axis is logarithmic, and not everything is positive and finite
10 ┤
   │
   │
   │⠁
 5 ┤    ⠄
   │        ⠄
   │⠉⠒⠒⠤⠤⣀⣀     ⠁   ⠄
 0 ┤⠁   ⠂  ⠉⠍⠉⠒⠒⠖⠒⠒⠒⠖⠒⠤⠤⡥⠤⠤⢴⠤⠤⠤⢴⠤⢄⣀⣠⣀⣀⣀⣠⣀⣀⣀⣠⣀⣀⣀⣀
   └┴───────────────────┴──────────────────┴────
    0                   5                 10
   lines: medians of 5 lanes; dots: nine tenths are between them
 100 ┤
     │
     │
     │⠂       ⠠       ⢀
   1 ┤⠒⠒⠒⠒⠢⠤⠤⠤⠤⠤⠤⠤⢄⣀⣀⣀⣀⣀⣀⣀⣀    ⠂       ⠄       ⢀
     │⠁       ⠐       ⠠    ⠉⠉⠉⠉⡉⠉⠉⠉⠒⠒⠒⠒⠒⠒⠢⠤⠤⠤⢄⣀⣀a
     │                                 ⠁       ⠠
0.01 ┤
     └┴───────┴───────┴────────┴───────┴───────┴
      3       4       5        6       7       8
     a: vmap(walk)(X)
     b: -vmap(walk)(X)
     lines: medians of 5 lanes; dots: nine tenths are between them
12 numbers are left out: an axis is logarithmic, and not everything is positive and finite
t
10 ┤
   │                           ⣀⣀⣀⡠⠤⠤⠤
   │             ⣀⣀⣀⠤⠤⠤⠔⠒⠒⠒⠉⠉⠉⠉
 0 ┤⣀⣀⠤⠤⠤⠔⠒⠒⠒⠊⠉⠉⠉
   └┴──────────────────────────┴──────
    0                          5  t
100 * sin(t)
 200 ┤
     │⢀⣀⠤⠒⠒⠉⠉⠉⠉⠉⠉⠑⠒⠢⢄⣀
   0 ┤⠁               ⠉⠒⠒⠤⢄⣀⣀⣀⣀⣀⣀⠤⠤⠒⠊⠉
-200 ┤
     └┴────────────────────────┴──────
      0                        5  t
input.gr:33:16: error: xrange= goes from one number to another: xrange=-1..2.5
    :plot t xrange=1
                   ^
input.gr:34:16: error: yrange= goes from the smaller to the larger number
    :plot t yrange=2..1
                   ^^^^
input.gr:35:16: error: on a logarithmic axis, yrange= is of positive numbers
    :plot t yrange=-1..1 log=y
                   ^^^^^
input.gr:36:26: error: yrange= is of lines, points and bands
    :plot t kind=bars yrange=0..1
                             ^^^^
  hint: kind=lines or kind=points
input.gr:37:7: error: bands are of a matrix with a row for each lane
    :plot t kind=bands
          ^
  hint: transpose(H) has a row for each column of H
input.gr:38:26: error: it should be a vector of 12 numbers
    :plot vmap(walk)(X) over t kind=bands
                             ^
input.gr:39:23: error: log= is of lines, points and bands
    :plot t kind=bars log=x
                          ^
  hint: kind=lines or kind=points
input.gr:40:7: error: a plot needs more than one number
    :plot k
          ^
  hint: `over k from 0 to 1` shows it over an input k
input.gr:41:21: error: the range is empty: from 1 to 1
    :plot t over k from 1 to 1
                        ^
input.gr:42:7: error: over an input one number is shown, not an array
    :plot t over k from 0 to 1
          ^
  hint: sum(...) or an index makes one
input.gr:43:9: error: from where to where? for example `over k from 0 to 1`
    :plot t over k from 0
            ^^^^^^^^^^^^^
input.gr:44:14: error: it should be a vector of 50 numbers
    :plot t over L
                 ^
input.gr:45:14: error: `z` is not defined
    :plot L over z from 0 to 1
                 ^
8 ┤
  │
  │
  │                                                                                           ⢀⣀⡠⠤
6 ┤                                                                                    ⣀⣀⠤⠤⠒⠊⠉⠁
  │                                                                            ⣀⣀⠤⠤⠒⠒⠉⠉
  │                                                                    ⢀⣀⡠⠤⠔⠒⠊⠉
  │                                                             ⣀⡠⠤⠔⠒⠊⠉⠁
4 ┤                                                     ⣀⣀⠤⠤⠒⠒⠉⠉
  │                                             ⢀⣀⡠⠤⠒⠒⠉⠉
  │                                     ⢀⣀⡠⠤⠔⠒⠊⠉⠁
2 ┤                              ⣀⣀⠤⠤⠒⠊⠉⠁
  │                      ⣀⣀⠤⠤⠒⠒⠉⠉
  │              ⢀⣀⡠⠤⠔⠒⠊⠉
  │       ⣀⡠⠤⠔⠒⠊⠉⠁
0 ┤⣀⠤⠤⠒⠒⠉⠉
  └┴────────┴─────────┴─────────┴────────┴─────────┴─────────┴────────┴─────────┴─────────┴───────
   0        5        10        15       20        25        30       35        40        45
input.gr:47:14: error: kind= is one of lines, points, bars, heat, bands
    :plot t kind=pie
                 ^^^
input.gr:48:7: error: a heat map is of one matrix
    :plot t kind=heat
          ^
input.gr:49:7: error: :plot needs a numeric array
    :plot (t, t)
          ^^^^^^
  hint: give its parts, one after the other
input.gr:50:7: error: this has no rows
    :plot zeros(0)
          ^^^^^^^^
exit 1
