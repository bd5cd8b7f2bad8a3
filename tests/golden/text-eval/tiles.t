# What runs tile by tile across steps, what in place, what is repeated without being made; and the same values as
# operator by operator.
v : f64[2000] = arange(2000) * 0.001
w : f64[8] = sin(arange(8) * 0.5)
X : f64[2, 3] = [[1.0, 2.0, 4.0], [0.5, 0.25, 0.0]]
A = scan t for 3 from p = v, q = v { p[t] = q[t-1]; q[t] = p[t-1] * v }
H = scan t for 4 from q = w {
  q[t] = concat((q[t-1][:1], q[t-1][1:-1] + 0.1 * (q[t-1][:-2] - 2 * q[t-1][1:-1] + q[t-1][2:]), q[t-1][-1:]))
}
:plan A.final.q
A.final.q[1999]
:plan H.final
H.final
T = scan t for 40 from h = X { h[t] = softmax(h[t-1] + X, axis=1) }
:plan softmax(X)
softmax(X)
:plan T[-1]
T[-1]
---
@0: 2 tensors, 1 scalars
    r0 : 3
   0  t0 = leaf v
   1  _, t1, _, _ = loop @1(r0, t0, t0, t0!)
   2  end (t1!)
@1 loop: 5 tensors, 0 scalars
    states t0, t1
    captures t2
    lane by lane: all steps on up to 1024 elements, then on the next
   0  t3 = mul(t0!, t2)
   1  t4 = take t1
   2  t0 = take t4
   3  t1 = take t3
   4  loop
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1
f64 = 7.988005999000001
@0: 2 tensors, 1 scalars
    r0 : 4
   0  t0 = leaf w
   1  t1, _, _ = loop @1(r0, t0!)
   2  end (t1!)
@1 loop: 8 tensors, 7 scalars
    states t0
    r0 : 0
    r1 : 1
    r2 : 6
    r3 : 2
    r4 : 0.1
    r5 : 2.0
    r6 : 7
    in place: slices and joins are read and written where they lie, in 3 parts
   0  t1 = slice(t0, r0, r1)
   1  t2 = slice(t0, r0, r2)
   2  t3 = slice(t0, r1, r2)
   3  t4 = slice(t0, r3, r2)
   4  t5 = fused(t3!, r4, t4!, t2!, r5)
        %0 in place
        %2 in place
        %3 in place
        %5 = mul %4, %0
        %6 = sub %3, %5
        %7 = add %2, %6
        %8 = mul %1, %7
        %9 = add %0, %8
   5  t6 = slice(t0!, r6, r1)
   6  t7 = concat(t1!, t5!, t6!)
   7  t0 = take t7
   8  loop
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1
f64[8] = [0.0, 0.43417, 0.76204, 0.903336, 0.823455, 0.541672, 0.123369, -0.350783]
@0: 6 tensors, 3 scalars
    r0 : 2
    r1 : 3
    r2 : 1.0
   0  t0 = leaf X
   1  rows the next 4, on a few at a time, in one loop
   2  t1 = peak(t0)
   3  t2, t3 = fused(t0!, t1!)
        %1 repeated, each element
        %2 = sub %0, %1
        %3 = exp %2
        sum %3
   4  t4 = maximum(t3!, r2)
   5  t5 = div(t2!, t4!)
        %1 repeated, each element
        %2 = div %0, %1
   6  end (t5!)
native: auto: compiled after about 0.1 s in the virtual machine
    fused groups as C: 2
    rows as C: 1 part, up to 8192 elements a row
f64[2, 3] =
[[0.0420101, 0.114195,  0.843795],
 [0.419229,  0.326496,  0.254275]]
@0: 2 tensors, 1 scalars
    r0 : 40
   0  t0 = leaf X
   1  t1, _, _ = loop @1(r0, t0, t0!)
   2  end (t1!)
@1 loop: 8 tensors, 3 scalars
    states t0
    captures t1
    r0 : 2
    r1 : 3
    r2 : 1.0
   0  rows the next 5, on a few at a time, in one loop
   1  t2 = add(t0!, t1)
   2  t3 = peak(t2)
   3  t4, t5 = fused(t2!, t3!)
        %1 repeated, each element
        %2 = sub %0, %1
        %3 = exp %2
        sum %3
   4  t6 = maximum(t5!, r2)
   5  t7 = div(t4!, t6!)
        %1 repeated, each element
        %2 = div %0, %1
   6  t0 = take t7
   7  loop
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1
    fused groups as C: 2
    rows as C: 1 part, up to 8192 elements a row
f64[2, 3] =
[[0.0186105, 0.052323,  0.929066],
 [0.467077,  0.311282,  0.221641]]
