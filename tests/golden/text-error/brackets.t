x = 1
y = sum([1, 2, 3)
x
z = scan t for 3 from s = 0 { s[t] = s[t-1] + 1
x
---
input.gr:2:17: error: expected `]` for the `[` of line 2, column 9, but found `)`
    y = sum([1, 2, 3)
                    ^
input.gr:5:2: error: expected `=` after the left side of an equation
    x
     ^
  hint: an item of a scan is `s[t] = e`, `name = e`, `f(x) = e`, `check(c, "message")` or `until c`
exit 1
