# args: --json
x : f64 = 3
:set digits 3
1 / x
S = scan t for 2 from a = 1.0 { a[t] = a[t-1] / x }
:trace S
:trace S.final grad=x rows=1
:trace S at=1 all=on digits=2 only=a
---
{"kind":"value","name":null,"type":"f64","dtype":"f64","shape":[],"value":0.3333333333333333}
{"kind":"command","command":"trace","text":"row   a[t]\ninit  1\n0     0.333\n1     0.111\n","data":{"columns":["row","a[t]"],"rows":[["init",1.0],["0",0.3333333333333333],["1",0.1111111111111111]],"steps":2,"stopped":false,"from":0}}
{"kind":"command","command":"trace","text":"row   a[t]\ninit  1\n0     0.333\n… 1 more step (at=1..)\nbackwards: the derivative of the value with respect to each state\nrow  d_a[t]\n1    1\n… 1 more step (at=0..)\nd_x = -0.0741\n","data":{"columns":["row","a[t]"],"rows":[["init",1.0],["0",0.3333333333333333]],"steps":2,"stopped":false,"from":0,"backward_columns":["row","a[t]"],"backward_rows":[["1",1.0]],"backward_from":1,"gradient":-0.07407407407407407}}
{"kind":"command","command":"trace","text":"step    1\na[t-1]  0.33\na[t]    0.11\n… 1 step before (at=0..)\n","data":{"columns":["value",1],"rows":[["a[t-1]",0.3333333333333333],["a[t]",0.1111111111111111]],"steps":2,"stopped":false,"from":1}}
