# Unknown names, with suggestions; what depends on a failure is skipped, the rest runs.
weight : f64[2] = [1, 2]
weigth * 2
sgmoid(weight)
weight.final
zzzzzz
broken = weigth + 1
broken * 2
also = broken
weight
sum(weight, axsi=0)
sum()
sum(weight, 0, true, 3)
weight := [1, 2, 3]
weight := "text"
undeclared[0] := 3
for = 3
scan = 3
sum = 3
sum
---
input.gr:3:1: error: `weigth` is not defined
    weigth * 2
    ^^^^^^
  hint: did you mean `weight`?
input.gr:4:1: error: `sgmoid` is not defined
    sgmoid(weight)
    ^^^^^^
  hint: did you mean `sigmoid`?
input.gr:5:1: error: only a tuple with names and the result of a scan have fields, but this is f64[2]
    weight.final
    ^^^^^^^^^^^^
input.gr:6:1: error: `zzzzzz` is not defined
    zzzzzz
    ^^^^^^
input.gr:7:10: error: `weigth` is not defined
    broken = weigth + 1
             ^^^^^^
  hint: did you mean `weight`?
input.gr:8:1: note: skipped, because the definition of `broken` failed
    broken * 2
    ^^^^^^
input.gr:9:8: note: skipped, because the definition of `broken` failed
    also = broken
           ^^^^^^
weight : f64[2] = [1.0, 2.0]
input.gr:11:13: error: sum(x, axis=None, keepdims=false, where=None) has no parameter axsi
    sum(weight, axsi=0)
                ^^^^
  hint: did you mean axis?
input.gr:12:1: error: sum(x, axis=None, keepdims=false, where=None) needs a value for x
    sum()
    ^^^^^
input.gr:13:22: error: the mask of sum must be made of bools, but this is i64
    sum(weight, 0, true, 3)
                         ^
  hint: compare: where=x > 0
input.gr:14:1: error: weight is declared as f64[2] but this value is f64[3]
    weight := [1, 2, 3]
    ^^^^^^
input.gr:15:11: error: weight needs a tensor here, but this is a string
    weight := "text"
              ^^^^^^
input.gr:16:1: error: only a part of a declared tuple can be stored by its index
    undeclared[0] := 3
    ^^^^^^^^^^^^^
  hint: values do not change; write `y = x with [i] = v` or `x := x with [i] = v`
input.gr:18:6: error: expected the index variable of the scan (`scan t ...`), but found `=`
    scan = 3
         ^
sum : i64 = 3
exit 1
