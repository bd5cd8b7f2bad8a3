# Threads are a setting like others; values do not depend on it.
:set threads
:set threads 3
x = sin(iota(300000) * 0.1)
sum(x * x)
softmax(reshape(x, (3000, 100)), axis=1)[2999, 99]
:set threads auto
:set threads
sum(x * x)
softmax(reshape(x, (3000, 100)), axis=1)[2999, 99]
:undo
:undo
:set threads 0
:set threads many
:set threads 65
:set threads 2 3
---
threads  1
f64 = 149997.2921814329
f64 = 0.0033151539304900803
threads  auto
f64 = 149997.2921814329
f64 = 0.0033151539304900803
threads is again 3
x has no meaning any more
input.gr:13:14: error: threads is auto or a number from 1 to 64
    :set threads 0
                 ^
input.gr:14:14: error: threads is auto or a number from 1 to 64
    :set threads many
                 ^^^^
input.gr:15:14: error: threads is auto or a number from 1 to 64
    :set threads 65
                 ^^
input.gr:16:16: error: this is one too many
    :set threads 2 3
                   ^
exit 1
