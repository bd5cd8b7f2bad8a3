# args: --json
y : f64[n]
:rule log1p
:rule r [R N+]: exp(x) * exp(z) => exp(x + z) "demo" pass=stabilize
:rule r [R]: exp(x) * exp(z) => exp(x + z)
:try log1p 2 * log(1 + y)
:try log1p sin(y)
:whynot log1p 2 * log(2 + y)
:diff log(1 + y)
:step step=1
:step step=+1
:compare log(y + 1) off=log1p
:bisect log(y + 1)
---
{"kind":"command","command":"rule","text":"log1p [R] of the pass stabilize\n  log(1 + x) => log1p(x)\n  accurate for small x\n  R: may change rounding\n  stabilize.rules:5; on; fired 0 times\n","data":{"name":"log1p","pass":"stabilize","classes":"R","text":"log(1 + x) => log1p(x)","reason":"accurate for small x","source":"stabilize.rules:5","on":true,"allowed":true,"untried":false,"fired":0}}
{"kind":"command","command":"rule","text":"r [R N+]: both sides agree on 1000 instances; a rule of the pass stabilize now\n","data":{"name":"r","pass":"stabilize","classes":"R N+","text":"exp(x) * exp(z) => exp(x + z)","reason":"demo","source":"input.gr:4","on":true,"allowed":true,"untried":false,"fired":0,"instances":1000}}
{"kind":"error","code":"rule","message":"not accepted: for x = -800.0, z = 800.0 the left side is nan, the right side 1.0","file":"input.gr","line":5,"column":7,"length":36,"hint":"if that may be, its classes are [R N+]"}
{"kind":"command","command":"try","text":"log1p [R]  log(1 + y) => log1p(y)\n  # accurate for small x\n  before  2 * log(1 + y)\n  after   2 * log1p(y)\n","data":{"rule":"log1p","fired":true,"before":"2 * log(1 + y)","after":"2 * log1p(y)","classes":"R","change":"log(1 + y) => log1p(y)","why":"accurate for small x"}}
{"kind":"command","command":"try","text":"log1p fires nowhere\n  there is no log in it\n","data":{"rule":"log1p","fired":false,"places":[]}}
{"kind":"command","command":"whynot","text":"log1p does not fire\n  at %3, log(2 + y): 2 of 4: `2 + y` has no matching operand; the pattern has 1\n  `:help log1p`: what it matches, and when\n","data":{"rule":"log1p","fired":false,"places":[{"node":"%3","state":0,"verdict":"near miss","by":null,"matched":2,"of":4,"why":"2 of 4: `2 + y` has no matching operand; the pattern has 1","action":null}]}}
{"kind":"command","command":"diff","text":"- %2 : f64[n] = add(1.0, %1)\n- %3 : f64[n] = log(%2)\n+ %4 : f64[n] = log1p(%1)\n- return %3\n+ return %4\n2 nodes removed, 1 added, 0 changed\n","data":{"from":0,"to":1,"removed":["%2 : f64[n] = add(1.0, %1)","%3 : f64[n] = log(%2)"],"added":["%4 : f64[n] = log1p(%1)"],"changed":[]}}
{"kind":"command","command":"step","text":"1/1  stabilize, log1p [R]\n    # accurate for small x\n    - log(1 + y)\n    + log1p(y)\n","data":{"steps":1,"step":1,"place":"1","text":"1/1  stabilize, log1p [R]\n    # accurate for small x\n","state":"  = log1p(y)\n","marked":"  = «log1p(y)»\n","change":"    - log(1 + y)\n    + log1p(y)\n"}}
{"kind":"error","code":"usage","message":"this is the last step","file":"input.gr","line":11,"column":12,"length":2,"hint":"step=0 is the start"}
{"kind":"command","command":"compare","text":"                  as set   without log1p\nsteps             1        1\n  pass stabilize  1        0\n  pass fuse       0        1\n  rule log1p      1        0\n  rule fuse       0        1\nnodes             2        7\npredicted         0.41 us  0.412 us\nnot evaluated: y has no value\n","data":{"passes":[{"pass":"stabilize","as_set":1,"other":0},{"pass":"fuse","as_set":0,"other":1}],"rules":[{"rule":"log1p","as_set":1,"other":0},{"rule":"fuse","as_set":0,"other":1}],"as_set":{"steps":1,"nodes":2,"predicted":4.1e-07,"seconds":null},"without":{"steps":1,"nodes":7,"predicted":4.1200000000000004e-07,"seconds":null}}}
{"kind":"command","command":"bisect","text":"1 step, 1 compared: none differs more than its classes allow\n","data":{"steps":1,"step":null}}
exit 1
