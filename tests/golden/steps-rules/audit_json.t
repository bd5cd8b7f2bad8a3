# args: --json
:rule odd [E]: where(sin(1e8 * x) > 0.9999999999999, x + 1, x) => x  "wrong near pi / 2 * 1e-8"
x : f64 = 1.5707963267948966e-08
:audit where(sin(1e8 * x) > 0.9999999999999, x + 1, x)
:audit x * x * x
---
{"kind":"command","command":"rule","text":"odd [E]: both sides agree on 1000 instances; a rule of the pass canonicalize now\n","data":{"name":"odd","pass":"canonicalize","classes":"E","text":"where(sin(1e8 * x) > 0.9999999999999, x + 1, x) => x","reason":"wrong near pi / 2 * 1e-8","source":"input.gr:2","on":true,"allowed":true,"untried":false,"fired":0,"instances":1000}}
{"kind":"command","command":"audit","text":"step  pass          rule  classes  error  ulp\n1     canonicalize  odd   [E]      1      1.17e+17  broken: not the same bits\n1 step, 1 compared: 1 broke its class; largest error 1\n  hint: `:reduce where(sin(1e8 * x) > 0.9999999999999, x + 1, x) while audit` finds the smallest program with this fault\n","data":{"rows":[{"seq":1,"place":"1","rule":"odd","classes":"E","max_error":0.9999999842920368,"max_ulp":1.1684974941770035e+17,"nan_changed":false,"zero_changed":false,"shape_changed":false,"error_changed":false,"evaluated":true,"differs":true,"breaks":"not the same bits"}],"ok":false,"steps":1,"compared":1,"differing":1,"worst":0.9999999842920368}}
{"kind":"command","command":"audit","text":"step  pass        rule      classes  error  ulp\n1     specialize  mul-self  [E R O]  0      0\n1 step, 1 compared: all within what their classes allow; largest error 0\n","data":{"rows":[{"seq":1,"place":"1","rule":"mul-self","classes":"E R O","max_error":0.0,"max_ulp":0.0,"nan_changed":false,"zero_changed":false,"shape_changed":false,"error_changed":false,"evaluated":true,"differs":false,"breaks":null}],"ok":true,"steps":1,"compared":1,"differing":0,"worst":0.0}}
exit 1
