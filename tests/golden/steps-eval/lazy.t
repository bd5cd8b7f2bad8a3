k : i64 = 0
if k == 0 then 2 else 1 // 0
if k == 0 then 2 else k + 7 % 0 + 2 ^ -1
h = 6 // k
if k == 0 then 0 else h
f(c, v) = if c then v else 1
f(k > 0, 1 // 0)
(if k > 0 then h else 1) + (if k > 1 then h * 2 else 1)
big : f64[3] = [1, 2, 3]
e = sum(exp(big))
if k == 0 then 0.0 else e
:steps if k == 0 then 0.0 else e
:try sink-branch if k == 0 then e else e * 2
:rule sink-branch
:plan (if k > 0 then h else 1) + (if k > 1 then h * 2 else 1)
h
---
input.gr:2:23: note: integer division by zero: an error if this branch runs
    if k == 0 then 2 else 1 // 0
                          ^^^^^^
i64 = 2
input.gr:3:27: note: integer division by zero: an error if this branch runs
    if k == 0 then 2 else k + 7 % 0 + 2 ^ -1
                              ^^^^^
input.gr:3:35: note: integer to a negative power: an error if this branch runs
    if k == 0 then 2 else k + 7 % 0 + 2 ^ -1
                                      ^^^^^^
i64 = 2
i64 = 0
i64 = 1
i64 = 2
f64 = 0.0
canonicalize: 1 step, 10 -> 10 nodes, done
  1  sink-branch [E]
      # a value that only one branch uses is computed inside that branch; 2 operators that nothing
      # else uses
      if k == 0 then 0.0 else sum(exp(big)), which is printed as before
fuse: 1 step, 10 -> 13 nodes, done
  2  inner [E]  in the else branch of if
    2.1  fuse [E]
        # one pass, tile by tile; 1 operator and 1 reduction over f64[3]; 24 bytes not stored
        one kernel computes e from big
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, lower
sink-branch fires nowhere
  at %8, if k == 0 then sum(exp(big)) else sum(%4) * 2: nothing computed before it is used by only one branch
  `:help sink-branch`: what it matches, and when
sink-branch [E] of the pass branches
  a value that only one branch uses is computed inside that branch
  E: exact: the same bits for every input
  in C; on; fired 3 times
@0: 0 tensors, 11 scalars
    r1 : 0
    r3 : 6
    r7 : 1
   0  r0 = leaf k
   1  r2 = gt.i64 r0, r1
   2  r4 = delay @4(r0)
   3  r6 = ifelse @3/@2(r2, r5)
   4  r8 = gt.i64 r0, r7
   5  r9 = ifelse @1/@2(r8, r5)
   6  r10 = add.i64 r6, r9
   7  end (r10)
@1: 0 tensors, 3 scalars
    parameters r0
    r1 : 2
   0  r2 = mul.i64 r1, r0
   1  end (r2)
@2: 0 tensors, 1 scalars
    r0 : 1
   0  end (r0)
@3: 0 tensors, 1 scalars
    parameters r0
   0  end (r0)
@4: 0 tensors, 3 scalars
    parameters r0
    r1 : 6
   0  r2 = floordiv.i64 r1, r0
   1  end (r2)
native: nothing to compile: no loops and no fused groups
input.gr:4:5: error: integer division by zero
    h = 6 // k
        ^^^^^^
input.gr:16:1: note: its value is needed here
    h
    ^
exit 1
