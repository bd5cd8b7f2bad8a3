# Ifs in ifs in a loop: what all branches need is found in a time that does not double with each.
a0 : i64 = 0
a1 : i64 = 1
a2 : i64 = 2
a3 : i64 = 3
a4 : i64 = 4
a5 : i64 = 5
a6 : i64 = 6
a7 : i64 = 7
a8 : i64 = 8
a9 : i64 = 9
a10 : i64 = 10
a11 : i64 = 11
a12 : i64 = 12
a13 : i64 = 13
a14 : i64 = 14
a15 : i64 = 15
b : f64 = 0.5
S = scan i for 3 from s = 1.0 { s[i] = (if a15 > i then (if a14 > i then (if a13 > i then (if a12 > i then (if a11 > i then (if a10 > i then (if a9 > i then (if a8 > i then (if a7 > i then (if a6 > i then (if a5 > i then (if a4 > i then (if a3 > i then (if a2 > i then (if a1 > i then (if a0 > i then s[i-1] * a0 + b else exp(b) * a0) * a1 + b else exp(b) * a1) * a2 + b else exp(b) * a2) * a3 + b else exp(b) * a3) * a4 + b else exp(b) * a4) * a5 + b else exp(b) * a5) * a6 + b else exp(b) * a6) * a7 + b else exp(b) * a7) * a8 + b else exp(b) * a8) * a9 + b else exp(b) * a9) * a10 + b else exp(b) * a10) * a11 + b else exp(b) * a11) * a12 + b else exp(b) * a12) * a13 + b else exp(b) * a13) * a14 + b else exp(b) * a14) * a15 + b else exp(b) * a15) }
S.final
---
f64 = 2298711321708.9473
