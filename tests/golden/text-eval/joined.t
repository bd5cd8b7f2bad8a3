# What is joined is computed where it belongs: results of groups, of operators and of loops, also through other
# shapes and joins in joins. What is needed afterwards, or is short, is copied.
x : f64[3000] = arange(3000) * 0.001
z : f64[2000] = 1.0 - arange(2000) * 0.0005
m : f64[40, 100] = reshape(arange(4000) * 0.0002, (40, 100))
a = concat((x * x + 1.0, cumsum(z), x[:10], concat((z * z, z - 1.0))))
:plan a
(sum(a), a[0], a[2999], a[3000], a[4999], a[5000], a[5009], a[5010], a[7010], a[9009])
S = scan t for 2000 from s = 1.0 { s[t] = 0.5 * s[t-1] + z[t] }
b = stack((S, z * 3.0))
:plan b
(sum(b), b[0, 0], b[0, 1999], b[1, 0], b[1, 1999])
c = concat((m * softmax(m), m - 1.0), axis=0)
:plan c
(sum(c), c[0, 99], c[39, 99], c[40, 0], c[79, 99])
g = z * 2.0
d = concat((z, g)) + concat((g, z))
:plan d
(sum(d), d[0], d[3999])
C = scan t for 3 from h = x { h[t] = concat((h[t-1][1500:] + 1.0, cumsum(h[t-1][:1500]) * 0.001)) }
:plan C.final
(sum(C.final), C.final[0], C.final[1499], C.final[1500], C.final[2999])
---
@0: 10 tensors, 3 scalars
    r0 : 1.0
    r1 : 0
    r2 : 10
   0  t0 = leaf x
   1  t9 = room for concat
   2  t1 in t9 = fused(r0, t0)
        %2 = sqr %1
        %3 = add %0, %2
   3  t2 = leaf z
   4  t3 in t9 = cumsum(t2)
   5  t4 = slice(t0!, r1, r2)
   6  t5 in t9 = sqr(t2)
   7  t6 in t9 = sub(t2!, r0)
   8  t7 in t9 = concat(t5!, t6!)
   9  t8 in t9 = concat(t1!, t3!, t4!, t7!)
  10  drop t9
  11  end (t8!)
native: auto: compiled after about 0.1 s in the virtual machine
    fused groups as C: 1
[0] : f64 = 1345996.7122499999
[1] : f64 = 1.0
[2] : f64 = 9.994001
[3] : f64 = 1.0
[4] : f64 = 1000.5
[5] : f64 = 0.0
[6] : f64 = 0.009000000000000001
[7] : f64 = 1.0
[8] : f64 = 0.0
[9] : f64 = -0.9995
@0: 7 tensors, 3 scalars
    r0 : 2000
    r1 : 1.0
    r2 : 3.0
   0  t0 = leaf z
   1  t6 = room for concat
   2  _, t1 in t6, _, _ = loop @1(r0, r1, t0)
   3  t2 = expand_dims(t1!)
   4  t3 in t6 = mul(r2, t0!)
   5  t4 = expand_dims(t3!)
   6  t5 in t6 = concat(t2!, t4!)
   7  drop t6
   8  end (t5!)
@1 loop: 1 tensors, 6 scalars
    states r0
    elements r1
    r3 : 0.5
   0  r1 = seq8 r2
   1  r0 = mul_add_r r3, r0, r1
   2  loop_row8 r5, r0
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1
[0] : f64 = 5003.498
[1] : f64 = 1.5
[2] : f64 = 0.0019999999999999276
[3] : f64 = 3.0
[4] : f64 = 0.0014999999999998348
@0: 9 tensors, 3 scalars
    r0 : 40
    r1 : 100
    r2 : 1.0
   0  t0 = leaf m
   1  t8 = room for concat
   2  rows the next 5, on a few at a time, in one loop
   3  t1 = peak(t0)
   4  t2, t3 = fused(t0, t1!)
        %1 repeated, each element
        %2 = sub %0, %1
        %3 = exp %2
        sum %3
   5  t4 = maximum(t3!, r2)
   6  t5 in t8 = fused(t0, t2!, t4!)
        %2 repeated, each element
        %3 = div %1, %2
        %4 = mul %0, %3
   7  t6 in t8 = sub(t0!, r2)
   8  t7 in t8 = concat(t5!, t6!)
   9  drop t8
  10  end (t7!)
native: auto: compiled after about 0.1 s in the virtual machine
    fused groups as C: 2
    rows as C: 1 part, up to 8192 elements a row
[0] : f64 = -2384.402666808889
[1] : f64 = 0.00019996660262918214
[2] : f64 = 0.008077438827415144
[3] : f64 = -1.0
[4] : f64 = -0.20019999999999993
@0: 6 tensors, 1 scalars
    r0 : 2.0
   0  t0 = leaf z
   1  t5 = room for concat
   2  t1 in t5 = mul(r0, t0)
   3  t2 = concat(t0, t1)
   4  t3 in t5 = concat(t1!, t0!)
   5  drop t5
   6  t4 = add(t2!, t3!)
   7  end (t4!)
native: nothing to compile: no loops and no fused groups
[0] : f64 = 6003.0
[1] : f64 = 3.0
[2] : f64 = 0.0014999999999998348
@0: 2 tensors, 1 scalars
    r0 : 3
   0  t0 = leaf x
   1  t1, _, _ = loop @1(r0, t0!)
   2  end (t1!)
@1 loop: 8 tensors, 4 scalars
    states t0
    r0 : 1.0
    r1 : 1500
    r2 : 0.001
    r3 : 0
   0  t1 = slice(t0, r1, r1)
   1  t7 = room for concat
   2  t2 in t7 = add(r0, t1!)
   3  t3 = slice(t0!, r3, r1)
   4  t4 = cumsum(t3!)
   5  t5 in t7 = mul(r2, t4!)
   6  t6 in t7 = concat(t2!, t5!)
   7  drop t7
   8  t0 = take t6
   9  loop
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1
    by the virtual machine: slice in @1
    by the virtual machine: add in @1
    by the virtual machine: slice in @1
    by the virtual machine: cumsum in @1
    by the virtual machine: mul in @1
    by the virtual machine: concat in @1
[0] : f64 = 6213.843406124999
[1] : f64 = 1.0025
[2] : f64 = 5.874249999999999
[3] : f64 = 0.001
[4] : f64 = 2.06249975
