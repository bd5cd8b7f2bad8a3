0xff
0XfF + 0b101 + 0o17
1_000_000
1_0.5_0e1_0
0x7fff_ffff_ffff_ffff
-0x8000000000000000
zeros(0x3)
x : f64[0b10]
x
scan t for 0x2 from s = 1 { s[t] = s[t-0b1] + 0xA }
i32(0xff)
arange(20)[0xf::2]
0xf==15
0xf<16
0x8000000000000000
0xffffffffffffffff
1__0
1_
_1
0x
0xg
0b12
0x1.5
---
i64 = 255
i64 = 275
i64 = 1000000
f64 = 105000000000.0
i64 = 9223372036854775807
i64 = -9223372036854775808
f64[3] = [0.0, 0.0, 0.0]
x : f64[2]    # x has no value
  x
i64[2] = [11, 21]
i32 = 255
i64[3] = [15, 17, 19]
bool = true
bool = true
input.gr:15:1: error: the number 9223372036854775808 does not fit in 64 bits
    0x8000000000000000
    ^^^^^^^^^^^^^^^^^^
  hint: write it as a float, with a point, if that is meant
input.gr:16:1: error: the number 0xffffffffffffffff does not fit in 64 bits
    0xffffffffffffffff
    ^^^^^^^^^^^^^^^^^^
  hint: whole numbers have a sign: the one with all bits set is -1
input.gr:17:1: error: `1__0` is not a number
    1__0
    ^^^^
  hint: numbers look like 12, 1_000, 1.5, .5, 1e-3, 0xff or 0b101; a product needs `*`
input.gr:18:1: error: `1_` is not a number
    1_
    ^^
  hint: numbers look like 12, 1_000, 1.5, .5, 1e-3, 0xff or 0b101; a product needs `*`
input.gr:19:1: error: `_1` is not defined
    _1
    ^^
input.gr:20:1: error: `0x` is not a number
    0x
    ^^
  hint: numbers look like 12, 1_000, 1.5, .5, 1e-3, 0xff or 0b101; a product needs `*`
input.gr:21:1: error: `0xg` is not a number
    0xg
    ^^^
  hint: numbers look like 12, 1_000, 1.5, .5, 1e-3, 0xff or 0b101; a product needs `*`
input.gr:22:1: error: `0b12` is not a number
    0b12
    ^^^^
  hint: numbers look like 12, 1_000, 1.5, .5, 1e-3, 0xff or 0b101; a product needs `*`
input.gr:23:1: error: `0x1.5` is not a number
    0x1.5
    ^^^^^
  hint: numbers look like 12, 1_000, 1.5, .5, 1e-3, 0xff or 0b101; a product needs `*`
exit 1
