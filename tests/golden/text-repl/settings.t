# Settings leave what was explored; what has changed since is said.
x : f64 = 2
:steps log(1 + x) * 1
:set digits 4
:set print 10
:set memory 0
:step step=1
:set rule log1p off
:step step=+1
:why %3
:whynot log1p
:rule own [R]: x * 1.5 + x => 2.5 * x
:step step=1
:steps log(1 + x) * 1
:step step=1
:set rule log1p on
:save "s.gr"
:set
:step step=1
---
canonicalize: 1 step, 5 -> 4 nodes, done
  1  mul-one [E]  log(1 + x) * 1 => log(1 + x)    # 1 is neutral
stabilize: 1 step, 4 -> 2 nodes, done
  2  log1p [R]  log(1 + x) => log1p(x)    # accurate for small x
nothing to do: inline, differentiate, simplify, expand, loops, specialize, fuse, lower
1/2  canonicalize, mul-one [E]
    # 1 is neutral
    - log(1 + x) «* 1»
    + log(1 + x)
2/2  stabilize, log1p [R]
    # accurate for small x
    - log(1 + x)
    + log1p(x)
input.gr:9:1: note: as explored before the settings changed; `:steps EXPR` explores again
    :step step=+1
    ^^^^^
%3 : f64 = log(%2)
  from the source: log(1 + x)
  written at input.gr:3:8: log(1 + x)
  gone at step 2, stabilize: log1p
      - log(1 + x)
      + log1p(x)
input.gr:10:1: note: as explored before the settings changed; `:steps EXPR` explores again
    :why %3
    ^^^^
log1p fires, step 2: log(1 + x) => log1p(x)
input.gr:11:1: note: as explored before the settings changed; `:steps EXPR` explores again
    :whynot log1p
    ^^^^^^^
own [R]: both sides agree on 1000 instances; a rule of the pass canonicalize now
1/2  canonicalize, mul-one [E]
    # 1 is neutral
    - log(1 + x) «* 1»
    + log(1 + x)
input.gr:13:1: note: as explored before the settings changed; `:steps EXPR` explores again
    :step step=1
    ^^^^^
canonicalize: 1 step, 5 -> 4 nodes, done
  1  mul-one [E]  log(1 + x) * 1 => log(1 + x)    # 1 is neutral
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
1/1  canonicalize, mul-one [E]
    # 1 is neutral
    - log(1 + x) «* 1»
    + log(1 + x)
2 statements in s.gr
allow    E R N+ D C O
steps    200000
nodes    20000000
tries    100000000
memory   0
print    10
digits   4
width    0
color    auto
images   auto
native   auto
threads  1
passes   inline canonicalize stabilize differentiate simplify expand loops specialize fuse lower
1/1  canonicalize, mul-one [E]
    # 1 is neutral
    - log(1 + x) «* 1»
    + log(1 + x)
input.gr:19:1: note: as explored before the settings changed; `:steps EXPR` explores again
    :step step=1
    ^^^^^
