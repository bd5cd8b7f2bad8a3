# a script whose rule fires no more so
x : f64
:move log(1 + x) * 1
:move rule=mul-one at=%2
:move rule=mul-one at=%4
:move rule=log1p at=%3
:expect log(1 + x)
---
1  log1p    [R]  %3  log(1 + x)      =>  log1p(x)
2  mul-one  [E]  %4  log(1 + x) * 1  =>  log(1 + x)
input.gr:4:12: error: mul-one does not fire at %2
    :move rule=mul-one at=%2
               ^^^^^^^
  hint: :move lists what does; :whynot mul-one says why
  1  mul-one [E]  log(1 + x) * 1 => log(1 + x)    # 1 is neutral
log(1 + x)
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
log1p(x)
input.gr:7:9: error: this is not what the derivation led to
    :expect log(1 + x)
            ^^^^^^^^^^
  hint: the derivation ends in another graph: see :steps
exit 1
