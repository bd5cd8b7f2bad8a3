# A rule that says E and is not exact, at a place that no trial comes to: the audit finds it there.
:rule odd [E]: where(sin(1e8 * x) > 0.9999999999999, x + 1, x) => x  "wrong near pi / 2 * 1e-8"
x : f64 = 2
:audit 2 * where(sin(1e8 * x) > 0.9999999999999, x + 1, x)
x := 1.5707963267948966e-08
:audit 2 * where(sin(1e8 * x) > 0.9999999999999, x + 1, x)
:bisect 2 * where(sin(1e8 * x) > 0.9999999999999, x + 1, x)
---
odd [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now
step  pass          rule  classes  error  ulp
1     canonicalize  odd   [E]      0      0
1 step, 1 compared: all within what their classes allow; largest error 0
step  pass          rule  classes  error  ulp
1     canonicalize  odd   [E]      1      1.17e+17  broken: not the same bits
1 step, 1 compared: 1 broke its class; largest error 1
  hint: `:reduce 2 * where(sin(1e8 * x) > 0.9999999999999, x + 1, x) while audit` finds the smallest program with this fault
step 1 changes the value more than its classes allow:
1/1  canonicalize, odd [E]
    # wrong near pi / 2 * 1e-8
    - where(sin(100000000 * x) > 0.9999999999999, x + 1, x)
    + x
    used in 2 * x
  not the same bits; error 1, 1.17e+17 units in the last place
  hint: `:reduce 2 * where(sin(1e8 * x) > 0.9999999999999, x + 1, x) while audit` finds the smallest program with this fault
exit 1
