# sizes whose product cannot be counted
x : f64[4611686018427387904, 4611686018427387904]
:steps tanh(x) * x + 1
---
input.gr:2:9: error: a size in a type is at most 2^31
    x : f64[4611686018427387904, 4611686018427387904]
            ^^^^^^^^^^^^^^^^^^^
input.gr:3:13: note: skipped: x could not be defined
    :steps tanh(x) * x + 1
                ^
exit 1
