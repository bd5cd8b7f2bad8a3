# Loops over matrices whose states are rolled, padded and joined along both axes: no copies, the same bits
start = reshape(iota(35) * 7 % 5 % 2, (5, 7))
L = scan t for 6 from a = i32(start) {
    row = a[t-1] + roll(a[t-1], 1, axis=0) + roll(a[t-1], -1, axis=0)
    n = row + roll(row, 1, axis=1) + roll(row, -1, axis=1) - a[t-1]
    a[t] = i32(n == 3 or (n == 2 and a[t-1] == 1))
}
L.final
:plan L.final
H = scan t for 4 from u = f64(start) {
    v = u[t-1]
    inner = v[1:-1, 1:-1] + 0.2 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4 * v[1:-1, 1:-1])
    u[t] = pad(inner, 1)
}
H.final
# a frame that is not constant, exp in between, and all rows kept
F = scan t for 3 from u = f32(start) {
    inner = exp(-u[t-1][1:-1, 2:-2]) + u[t-1][:-2, 4:]
    u[t] = concat((u[t-1][:1], concat((u[t-1][1:-1, :2], inner, u[t-1][1:-1, -2:] + 1), axis=1), u[t-1][-1:] * 2), axis=0)
}
F
# two states of other shapes, and three axes, where only the first is cut
T = scan t for 3 from x = reshape(f64(iota(12)), (3, 2, 2)), y = f64(iota(5)) {
    x[t] = concat((x[t-1][1:], x[t-1][:1] * 0.5), axis=0)
    y[t] = roll(y[t-1], 2) + y[t-1]
}
T.final
# rolled along the second of three axes: by copies
S = scan t for 3 from x = reshape(iota(12), (2, 3, 2)) { x[t] = roll(x[t-1], 1, axis=1) + x[t-1] }
S.final
# positions one after the other are copied as they lie; others, and those at the ends, are not
P = scan t for 4 from d = f64(iota(9)) {
    d[t] = maximum(d[t-1], gather(d[t-1], maximum(iota(9) - t, 0))) + gather(d[t-1], iota(9) - 9)
}
P.final
G = scan t for 4 from d = f64(iota(1100)) { d[t] = 0.5 * d[t-1] + gather(d[t-1], maximum(iota(1100) - 3 * t, -2)) }
G.final[::157]
# within bounds they are read where they lie, part by part, if they rise by one there and all are inside
places = iota(1100)
far = [0, 3, 600, 5000, 1099, 513, 1]
R = scan t over far from d = sqrt(places + 0.5) {
    d[t] = where(places >= far[t], maximum(d[t-1], gather(d[t-1], maximum(places - far[t], 0)) + far[t] * 0.5), d[t-1])
}
R.final[::157]
uneven = minimum(iota(1100) * 2, 1099)
U = scan t over far from d = sqrt(places + 0.5) {
    near = gather(d[t-1], minimum(maximum(places - far[t], 5), 1000)) - 0.25 * gather(d[t-1], minimum(uneven + far[t], 1099))
    d[t] = near + exp(-gather(d[t-1], minimum(7 + places, far[t] % 1100)))
}
U.final[::157]
V = scan t over far from d = sqrt(places + 0.5) { d[t] = 0.5 * d[t-1] + gather(d[t-1], maximum(places - far[t], -7)) }
V.final[::157]
big = [9223372036854775807, 9223372036854775000, 1]
W = scan t over big from d = sqrt(places + 0.5) { d[t] = 0.5 * d[t-1] + gather(d[t-1], maximum(minimum(places + big[t], 1099), 0)) }
W.final[::157]
X = scan t over far from d = f64(places) { d[t] = 2 * d[t-1] + gather(d[t-1], minimum(places + far[t], 1100)) }
X.final # outside
# masks that compare places with scalars: parts on one side of them do without
M = scan t over far from d = sqrt(places + 0.5) {
    inside = places > t * 100 and far[t] + 300 >= places or places <= 40 - far[t]
    d[t] = where(inside, 1.25 * d[t-1] - d[t-1][7], d[t-1])
}
M.final[::157]
O = scan t over far from d = sqrt(places + 0.5) { d[t] = where(uneven >= far[t], d[t-1] + d[t-1][9], where(places < far[t], d[t-1] / 3, 0)) }
O.final[::157]
Q = scan t for 4 from d = f64(iota(9)) { d[t] = gather(d[t-1], iota(9) + t) }
Q.final # outside
---
i32[5, 7] =
[[0, 1, 1, 1, 0, 0, 0],
 [1, 0, 1, 0, 0, 0, 0],
 [0, 0, 0, 0, 1, 0, 1],
 [0, 0, 0, 1, 1, 1, 0],
 [0, 0, 0, 0, 0, 0, 0]]
@0: 5 tensors, 5 scalars
    r0 : 6
    r1 : 35
    r2 : 7
    r3 : 5
    r4 : 2
   0  t0 = iota(r1)
   1  t1 = fused(r2, t0!, r3, r4)
        %1 made as it is read
        %4 = mul %0, %1
        %5 = mod %4, %2
        %6 = mod %5, %3
   2  t2 = reshape(t1!, r3, r2)
   3  t3 = cast(t2!)
   4  t4, _, _ = loop @1(r0, t3!)
   5  end (t4!)
@1 loop: 15 tensors, 7 scalars
    states t0
    r0 : 4
    r1 : 1
    r2 : 0
    r3 : 6
    r4 : i32(3)
    r5 : i32(2)
    r6 : i32(1)
    in place: slices and joins are read and written where they lie, in 9 parts
   0  t1 = slice(t0, r0, r1)
   1  t2 = slice(t0, r2, r0)
   2  t3 = concat(t1!, t2!)
   3  t4 = slice(t0, r1, r0)
   4  t5 = slice(t0, r2, r1)
   5  t6 = concat(t4!, t5!)
   6  t7 = fused(t6, t0, t3)
        %3 = add %1, %2
        %4 = add %0, %3
   7  t8 = slice(t7, r1, r3)
   8  t9 = slice(t7, r2, r1)
   9  t10 = concat(t8!, t9!)
  10  t11 = slice(t7, r3, r1)
  11  t12 = slice(t7!, r2, r3)
  12  t13 = concat(t11!, t12!)
  13  t14 = fused(t10!, t13!, t3!, t6!, r4, r5, t0!, r6)
        %8 = add %2, %3
        %9 = add %1, %8
        %10 = add %0, %9
        %11 = eq %10, %4
        %12 = eq %10, %5
        %13 = eq %6, %7
        %14 = and %12, %13
        %15 = or %11, %14
        %16 = cast %15
  14  t0 = take t14
  15  loop
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1
    fused groups as C: 1
f64[5, 7] =
[[0.0,    0.0,    0.0,    0.0,    0.0,    0.0,    0.0],
 [0.0,    0.1344, 0.2112, 0.2304, 0.2112, 0.1344, 0.0],
 [0.0,    0.1888, 0.2944, 0.3232, 0.2944, 0.1888, 0.0],
 [0.0,    0.1344, 0.2112, 0.2304, 0.2112, 0.1344, 0.0],
 [0.0,    0.0,    0.0,    0.0,    0.0,    0.0,    0.0]]
F : f32[3, 5, 7] =
[[[0.0,      0.0,      0.0,      1.0,      1.0,      0.0,      0.0],
  [0.0,      1.0,      1.36788,  1.0,      1.0,      1.0,      2.0],
  [1.0,      0.0,      1.0,      1.0,      1.36788,  2.0,      1.0],
  [0.0,      0.0,      1.36788,  1.36788,  1.0,      1.0,      1.0],
  [2.0,      2.0,      0.0,      0.0,      0.0,      2.0,      2.0]],

 [[0.0,      0.0,      0.0,      1.0,      1.0,      0.0,      0.0],
  [0.0,      1.0,      1.25465,  0.367879, 0.367879, 2.0,      3.0],
  [1.0,      0.0,      1.36788,  1.36788,  2.25465,  3.0,      2.0],
  [0.0,      0.0,      1.62253,  2.25465,  1.36788,  2.0,      2.0],
  [4.0,      4.0,      0.0,      0.0,      0.0,      4.0,      4.0]],

 [[0.0,      0.0,      0.0,      1.0,      1.0,      0.0,      0.0],
  [0.0,      1.0,      1.28518,  0.692201, 0.692201, 3.0,      4.0],
  [1.0,      0.0,      0.622526, 2.25465,  3.10491,  4.0,      3.0],
  [0.0,      0.0,      2.45205,  3.10491,  2.25465,  3.0,      3.0],
  [8.0,      8.0,      0.0,      0.0,      0.0,      8.0,      8.0]]]
.x : f64[3, 2, 2] =
[[[0.0, 0.5],
  [1.0, 1.5]],

 [[2.0, 2.5],
  [3.0, 3.5]],

 [[4.0, 4.5],
  [5.0, 5.5]]]
.y : f64[5] = [16.0, 19.0, 12.0, 20.0, 13.0]
i64[2, 3, 2] =
[[[18, 26],
  [16, 24],
  [14, 22]],

 [[66, 74],
  [64, 72],
  [62, 70]]]
f64[9] = [0.0, 16.0, 32.0, 48.0, 64.0, 80.0, 96.0, 112.0, 128.0]
f64[8] = [5330.25, 734.062, 1528.88, 2323.69, 3118.5, 3913.31, 4708.12, 5502.94]
f64[8] = [0.707107, 14.3895, 19.621, 23.6217, 306.95, 315.472, 320.398, 550.207]
f64[8] = [21.4247, 24.2205, 24.2657, 24.2657, 24.0852, 24.0851, 24.0851, 24.0851]
f64[8] = [448.251, 440.98, 442.08, 442.923, 431.5, 438.135, 442.558, 447.833]
f64[8] = [34.9675, 31.1762, 33.1174, 34.6085, 35.8662, 36.9745, 62.3154, 63.2332]
input.gr:56:64: error: index 1100 is out of range for axis 0 of f64[1100], in row 1 of the loop
    …m d = f64(places) { d[t] = 2 * d[t-1] + gather(d[t-1], minimum(places + far[t], 1100)) }
                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:57:1: note: its value is needed here
    X.final # outside
    ^^^^^^^
f64[8] = [-3.92499, 15.5013, 27.3245, 41.7577, 60.219, 67.4379, 47.5839, 51.4254]
f64[8] =
[5.19796e-03, 4.21301e-01, 4.97656e+00, 5.41878e+00, 1.75272e+01,
 1.85128e+01, 1.94039e+01, 2.02234e+01]
input.gr:66:49: error: index 9 is out of range for axis 0 of f64[9], in row 1 of the loop
    Q = scan t for 4 from d = f64(iota(9)) { d[t] = gather(d[t-1], iota(9) + t) }
                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:67:1: note: its value is needed here
    Q.final # outside
    ^^^^^^^
exit 1
