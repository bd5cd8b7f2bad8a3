# Short branches of scalars run both sides and take one; quotients by powers of two are shifts.
K = scan t for 40 from k = 27 { k[t] = if k[t-1] % 2 == 0 then k[t-1] // 2 else 3 * k[t-1] + 1 }
K
:plan K
# every remainder and quotient by a constant is that of arrays
n = 9223372036854775807
xs = [-n - 1, -n, -9, -8, -7, -1, 0, 1, 7, 8, 9, n]
S = scan t over xs from s = 0 {
  x = xs[t]
  s[t] = x
  a[t] = x % 8
  b[t] = x // 8
  c[t] = x % 1
  d[t] = x // 1
  e[t] = x % 4611686018427387904
  f[t] = x // 4611686018427387904
  g[t] = x % -8
  h[t] = x // -8
  i[t] = x // -1
  j[t] = x % -1
  k[t] = x // 7
  l[t] = x % 7
}
[all(S.a == xs % 8), all(S.b == xs // 8), all(S.c == xs % 1), all(S.d == xs // 1)]
[all(S.e == xs % 4611686018427387904), all(S.f == xs // 4611686018427387904)]
[all(S.g == xs % -8), all(S.h == xs // -8), all(S.i == xs // -1), all(S.j == xs % -1)]
[all(S.k == xs // 7), all(S.l == xs % 7)]
S.a
S.b
# what may fail runs only where it is taken
D = scan t for 3 from k = 2, s = 0 {
  k[t] = k[t-1] - 1
  s[t] = if k[t-1] == 0 then 7 else 12 // k[t-1]
}
D.s
E = scan t for 3 from k = 2, s = 0 {
  k[t] = k[t-1] - 1
  s[t] = if k[t-1] == 1 then 7 else 12 // k[t-1]
}
E.s
F = scan t for 3 from k = 2, s = 0 {
  k[t] = k[t-1] - 1
  s[t] = if k[t-1] == 1 then 7 else 12 % k[t-1]
}
F.s
G = scan t for 4 from k = 2, s = 0 {
  k[t] = k[t-1] - 1
  s[t] = if k[t-1] == 1 then 7 else 12 ^ k[t-1]
}
G.s
# branches of branches
f(x) = if x > 2.0 then x * x else if x > 1.0 then -x else x + 0.5
ys = [0.5, 1.5, 2.5, 0.0 / 0.0]
H = scan t over ys from s = 0.0 { s[t] = f(ys[t]) }
H.s
:plan H.s
---
K : i64[40] =
[  82,   41,  124,   62,   31,   94,   47,  142,   71,  214,  107,  322,
  161,  484,  242,  121,  364,  182,   91,  274,  137,  412,  206,  103,
  310,  155,  466,  233,  700,  350,  175,  526,  263,  790,  395, 1186,
  593, 1780,  890,  445]
@0: 1 tensors, 2 scalars
    r0 : 40
    r1 : 27
   0  _, t0, _, _ = loop @3(r0, r1)
   1  end (t0!)
@3 loop: 0 tensors, 11 scalars
    states r0
    r1 : 2
    r3 : 0
    r6 : 1
    r7 : 3
   0  r2 = mask r0, 1
   1  r4 = eq.i64 r2, r3
   2  r5 = shift r0, 1
   3  r8 = mul.i64 r7, r0
   4  r9 = add.i64 r6, r8
   5  r0 = select r4, r5, r9
   6  loop_row8 r10, r0
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @3
bool[4] = [true, true, true, true]
bool[2] = [true, true]
bool[4] = [true, true, true, true]
bool[2] = [true, true]
i64[12] = [0, 1, 7, 0, 1, 7, 0, 1, 7, 0, 1, 7]
i64[12] =
[-1152921504606846976, -1152921504606846976,                   -2,
                   -1,                   -1,                   -1,
                    0,                    0,                    0,
                    1,                    1,  1152921504606846975]
i64[3] = [6, 12, 7]
input.gr:38:37: error: integer division by zero, in row 2 of the loop
      s[t] = if k[t-1] == 1 then 7 else 12 // k[t-1]
                                        ^^^^^^^^^^^^
input.gr:40:1: note: its value is needed here
    E.s
    ^^^
input.gr:43:37: error: integer division by zero, in row 2 of the loop
      s[t] = if k[t-1] == 1 then 7 else 12 % k[t-1]
                                        ^^^^^^^^^^^
input.gr:45:1: note: its value is needed here
    F.s
    ^^^
input.gr:48:37: error: integer to a negative power, in row 3 of the loop
      s[t] = if k[t-1] == 1 then 7 else 12 ^ k[t-1]
                                        ^^^^^^^^^^^
input.gr:50:1: note: its value is needed here
    G.s
    ^^^
f64[4] = [1.0, -1.5, 6.25, nan]
@0: 2 tensors, 1 scalars
    r0 : 4
    t0 : [0.5, 1.5, 2.5, nan]
   0  t1, _, _ = loop @5(r0, t0)
   1  end (t1!)
@5 loop: 1 tensors, 12 scalars
    elements r0
    r2 : 2.0
    r6 : 1.0
    r7 : 0.5
   0  r0 = seq8 r1
   1  r5 = sqr.f64 r0
   2  r8 = neg.f64 r0
   3  r9 = add.f64 r7, r0
   4  r10 = select_gt r0, r6, r8, r9
   5  r4 = select_gt r0, r2, r5, r10
   6  loop_row8 r11, r4
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @5
exit 1
