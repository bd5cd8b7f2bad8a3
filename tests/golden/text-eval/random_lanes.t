# Draws of many lanes at once are those of each lane alone, also where lanes are no multiple of a batch.
one(r) = { z, q = normal(r); u, s = uniform(q); (z, u, normal(s)[0]) }
lanes = split(rng(5), 37)
a, b, c = vmap(one)(lanes)
(one(lanes[0])[0] == a[0], one(lanes[36])[1] == b[36], one(lanes[17])[2] == c[17])
path(r0) = (scan t for 5 from w = 0.0, r = r0 { d, r[t] = normal(r[t-1]); w[t] = w[t-1] + d }).final.w
w = vmap(path)(lanes)
(path(lanes[36]) == w[36], mean(w))
:plan vmap(r -> normal(r)[0])(lanes)
---
[0] : bool = true
[1] : bool = true
[2] : bool = true
[0] : bool = true
[1] : f64 = -0.05407909767629447
@0: 3 tensors, 2 scalars
    r0 : 37
    r1 : 5
   0  t0 = rng(r1)
   1  t1 = split_rng(t0!, r0)
   2  t2, _, _ = loop @1(r0, t1!)
   3  end (t2!)
@1 loop: 2 tensors, 2 scalars
    elements t0
    all lanes at once: a number from each state
   0  t0 = seqt t1
   1  r0, _ = normal(t0)
   2  loop_row8 r1, r0
native: auto: compiled after about 0.1 s in the virtual machine
    loops as C: @1
