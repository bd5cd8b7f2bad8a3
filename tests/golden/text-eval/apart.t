# Elements that lie apart are read where they lie, once for both results; what is computed of joined parts is computed
# with each part; what parts are read of is computed for each part and never stored.
x : f64[8192] = arange(8192) * 0.001 - 4.0
haar(a) = { p = reshape(a, (size(a) // 2, 2)); ((p[:, 0] + p[:, 1]) * 0.5, (p[:, 0] - p[:, 1]) * 0.5) }
u = haar(x)
v = haar(u[0])
y = concat((v[0], v[1], u[1]))
:steps y
:plan y
(sum(y), y[0], y[2047], y[2048], y[4095], y[4096], y[8191])
b : f64 = 3.0
h = b / 4000
f = exp(-(h * f64(iota(4001))) ^ 2)
area = h / 3 * (f[0] + 4 * sum(f[1:4000:2]) + 2 * sum(f[2:4000:2]) + f[4000])
:plan area
area
w = x * x
z = (w[0:8192:4] + w[2:8192:4], w[1], w[-3])
:plan z
(sum(z[0]), z[0][0], z[0][2047], z[1], z[2])
three = (sum(w[1:]), sum(w[:-1]), w[5])
:plan three
three
---
inline: 2 steps, 36 -> 24 nodes, done
  1-2  inline-call [E]  2 times    # a call is replaced with the function's body; the body of haar
      - «haar»(x)[0]
      + («reshape(»x«, (8192 // 2, 2))[:,» 0] «+ reshape(x, (8192 // 2, 2))[:, 1]) * 0.5»
      - «haar»(x)[1]
      + («reshape(»x«, (8192 // 2, 2))[:, 0] - reshape(x, (8192 // 2, 2))[:,» 1]«) * 0.5»
canonicalize: 3 steps, 24 -> 20 nodes, done
  3-4  fold [E]  2 times    # the value is known while the graph is built
      e.g. 8192 // 2 => 4096
  5  concat-once [E]    # computed once, for all parts
      - y = concat((%37 «* 0.5», %39 «* 0.5», %31 «* 0.5»), axis=0)
      + y = concat((%37, %39, %31), axis=0) «* 0.5»
fuse: 3 steps, 20 -> 33 nodes, done
  6  concat-apart [E]    # computed with each part
      - y = concat((%37, %39, %31), axis=0) «* 0.5»
      + y = concat((%37 «* 0.5», %39 «* 0.5», %31 «* 0.5»), axis=0)
  7  fuse [E]    # one pass, tile by tile; 4 operators over f64[4096]; 65536 bytes not stored
      one kernel computes (%27 + %28) * 0.5, (%27 - %28) * 0.5 from reshape(x, (4096, 2))[:, 1],
          reshape(x, (4096, 2))[:, 0]
  8  fuse [E]    # one pass, tile by tile; 4 operators over f64[2048]; 32768 bytes not stored
      one kernel computes (%35 + %36) * 0.5, (%35 - %36) * 0.5 from p[:, 0], p[:, 1]
nothing to do: stabilize, differentiate, simplify, expand, loops, specialize, lower
@0: 13 tensors, 6 scalars
    r0 : 4096
    r1 : 2
    r2 : 1
    r3 : 0
    r4 : 0.5
    r5 : 2048
   0  t0 = leaf x
   1  t1 = reshape(t0!, r0, r1)
   2  t2 = index(t1, r2)
   3  t3 = index(t1!, r3)
   4  t12 = room for concat
   5  t4, t5 in t12 = fused(r4, t2!, t3!)
        %1 in place
        %2 in place
        %3 = add %1, %2
        %4 = mul %0, %3
        %5 = sub %2, %1
        %6 = mul %0, %5
   6  t6 = reshape(t4!, r5, r1)
   7  t7 = index(t6, r3)
   8  t8 = index(t6!, r2)
   9  t9 in t12, t10 in t12 = fused(r4, t7!, t8!)
        %1 in place
        %2 in place
        %3 = add %1, %2
        %4 = mul %0, %3
        %5 = sub %1, %2
        %6 = mul %0, %5
  10  t11 in t12 = concat(t9!, t10!, t5!)
  11  drop t12
  12  end (t11!)
native: auto: compiled after about 0.1 s in the virtual machine
    fused groups as C: 2
[0] : f64 = 191.48799999999983
[1] : f64 = -3.9985
[2] : f64 = 4.189500000000001
[3] : f64 = -0.001000000000000112
[4] : f64 = -0.0009999999999998899
[5] : f64 = -0.0004999999999999449
[6] : f64 = -0.0005000000000006111
@0: 2 tensors, 31 scalars
    r1 : 4000.0
    r3 : 3.0
    r5 : 0
    r11 : 4.0
    r12 : 2000
    r13 : 1
    r14 : 2
    r18 : 2.0
    r19 : 1999
    r23 : 4000
   0  r0 = leaf b
   1  r2 = div.f64 r0, r1
   2  r4 = div.f64 r2, r3
   3  r6 = i64_f64 r5
   4  r7 = mul.f64 r6, r2
   5  r8 = sqr.f64 r7
   6  r9 = neg.f64 r8
   7  r10 = exp.f64 r9
   8  t0 = iota(r12)
   9  r15 = fused(r2, r13, r14, t0!)
        %3 made as it is read
        %4 = mul %2, %3
        %5 = add %1, %4
        %6 = cast %5
        %7 = mul %0, %6
        %8 = sqr %7
        %9 = neg %8
        %10 = exp %9
        sum %10
  10  r17 = mul_add_r r11, r15, r10
  11  t1 = iota(r19)
  12  r20 = fused(r2, r14, t1!)
        %2 made as it is read
        %3 = mul %1, %2
        %4 = add %1, %3
        %5 = cast %4
        %6 = mul %0, %5
        %7 = sqr %6
        %8 = neg %7
        %9 = exp %8
        sum %9
  13  r22 = mul_add_r r18, r20, r17
  14  r24 = i64_f64 r23
  15  r25 = mul.f64 r24, r2
  16  r26 = sqr.f64 r25
  17  r27 = neg.f64 r26
  18  r28 = exp.f64 r27
  19  r30 = add_mul_r r22, r28, r4
  20  end (r30)
native: auto: compiled after about 0.1 s in the virtual machine
    fused groups as C: 2
area : f64 = 0.8862073482595212
@0: 4 tensors, 9 scalars
    r0 : 2
    r1 : 2048
    r2 : 0
    r3 : 1
    r6 : -3
   0  t0 = leaf x
   1  t1 = slice(t0, r0, r1)
   2  t2 = slice(t0, r2, r1)
   3  t3 = fused(t1!, t2!)
        %0 in place
        %1 in place
        %2 = sqr %0
        %3 = sqr %1
        %4 = add %2, %3
   4  r4 = index8 t0, r3
   5  r5 = sqr.f64 r4
   6  r7 = index8 t0, r6
   7  drop t0
   8  r8 = sqr.f64 r7
   9  end (t3!, r5, r8)
native: auto: compiled after about 0.1 s in the virtual machine
    fused groups as C: 1
[0] : f64 = 22943.457280000002
[1] : f64 = 31.984004000000002
[2] : f64 = 35.095444
[3] : f64 = 15.992001
[4] : f64 = 17.547721
@0: 4 tensors, 7 scalars
    r0 : 1
    r1 : 8191
    r3 : 0
    r5 : 5
   0  t0 = leaf x
   1  t1 = sqr(t0!)
   2  t2 = slice(t1, r0, r1)
   3  r2 = sum(t2!)
   4  t3 = slice(t1, r3, r1)
   5  r4 = sum(t3!)
   6  r6 = index8 t1, r5
   7  drop t1
   8  end (r2, r4, r6)
native: nothing to compile: no loops and no fused groups
three[0] : f64 = 45871.69689600001
three[1] : f64 = 45870.132415
three[2] : f64 = 15.960025000000002
