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
# What cannot be shown.
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
     0            20             40
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
   0          5          10          15
  a: S[0]
  b: S[1]
input.gr:22:23: error: log= is of lines and points
    :plot t kind=bars log=x
                          ^
  hint: kind=lines or kind=points
input.gr:23:7: error: a plot needs more than one number
    :plot k
          ^
  hint: `over k from 0 to 1` shows it over an input k
input.gr:24:21: error: the range is empty: from 1 to 1
    :plot t over k from 1 to 1
                        ^
input.gr:25:7: error: over an input one number is shown, not an array
    :plot t over k from 0 to 1
          ^
  hint: sum(...) or an index makes one
input.gr:26:9: error: from where to where? for example `over k from 0 to 1`
    :plot t over k from 0
            ^^^^^^^^^^^^^
input.gr:27:14: error: it should be a vector of 50 numbers
    :plot t over L
                 ^
input.gr:28:14: error: `z` is not defined
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
input.gr:30:14: error: kind= is one of lines, points, bars, heat
    :plot t kind=pie
                 ^^^
input.gr:31:7: error: a heat map is of one matrix
    :plot t kind=heat
          ^
input.gr:32:7: error: :plot needs a numeric array
    :plot (t, t)
          ^^^^^^
  hint: give its parts, one after the other
input.gr:33:7: error: this has no rows
    :plot zeros(0)
          ^^^^^^^^
exit 1
