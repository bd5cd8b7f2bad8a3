# A context reads through to `default` until it stores a value of its own.
shared a : i64 = 1
shared b : i64 = 2
in trial { a := 10 ; (a, b) }
(a, b)
b := 5
in trial { (a, b) }
in trial { c : i64 = 3 }
in trial { d := 4 }
:vars
---
[0] : i64 = 10
[1] : i64 = 2
[0] : i64 = 1
[1] : i64 = 2
[0] : i64 = 10
[1] : i64 = 5
input.gr:9:12: error: inside `in` only shared variables are stored; d is not one
    in trial { d := 4 }
               ^
a  shared  i64  1
b  shared  i64  5
c  input   i64  3
in default:
  a : i64 = 1
  b : i64 = 5
in trial:
  a : i64 = 10
exit 1
