# Lanes that stop at different steps: a group of them takes no more steps than it needs
f(n) = (scan t for 200 from k = n, c = 0 { k[t] = if k[t-1] % 2 == 0 then k[t-1] // 2 else 3 * k[t-1] + 1; c[t] = c[t-1] + 1; until k[t] <= 1 })
g(n) = { S = f(n); (S.final.c, S.steps, S.stopped) }
vmap(g)([1, 2, 7, 27, 6, 97, 0, -3])
# As each lane alone
vmap(g)([27, 97])[0][0] == f(27).final.c and vmap(g)([27, 97])[1][1] == f(97).steps
:plan vmap(g)(iota(3000) + 2)
# A trace is kept for all steps
vmap(n -> f(n).k)([3, 5])
---
[0] : i64[8] = [3, 1, 16, 111, 8, 118, 1, 1]
[1] : i64[8] = [3, 1, 16, 111, 8, 118, 1, 1]
[2] : bool[8] = [true, true, true, true, true, true, true, true]
bool = true
@0: 7 tensors, 5 scalars
    r0 : 200
    r1 : 2
    r2 : 3000
    r3 : 0
    r4 : false
   0  t0 = iota(r2)
   1  t1 = add(r1, t0!)
   2  t2 = broadcast(r3, r2)
   3  t3 = broadcast(r4, r2)
   4  _, t4, t5, t6, _, _ = loop @1(r0, t1!, t2, t3!, t2!)
   5  end (t4!, t6!, t5!)
@1 loop, until: 8 tensors, 5 scalars
    states t0, t1, t2, t3
    r0 : 2
    r1 : 0
    r2 : 1
    r3 : 3
    lane by lane: steps until all of them are done on up to 1024 elements, then on the next
   0  t4, t5, r4 = fused(t2, t0!, r0, r1, r2, r3)
        %6 = mod %1, %2
        %7 = eq %6, %3
        %8 = floordiv %1, %2
        %9 = mul %5, %1
        %10 = add %4, %9
        %11 = where %7, %8, %10
        %12 = where %0, %1, %11
        %13 = le %11, %4
        %14 = where %0, %0, %13
        all %14
   1  t6 = fused(t2, t1!, r2)
        %3 = add %2, %1
        %4 = where %0, %1, %3
   2  t7 = fused(t3!, t2!)
        %2 = not %1
        %3 = cast %2
        %4 = add %0, %3
   3  t0 = take t4
   4  t1 = take t6
   5  t2 = take t5
   6  t3 = take t7
   7  stop r4
   8  loop
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1
i64[2, 7] =
[[10,  5, 16,  8,  4,  2,  1],
 [16,  8,  4,  2,  1,  0,  0]]
