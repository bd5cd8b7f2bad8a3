# args: --json
(W=[1.0, 2.0], b=(u=1, v=true))
p : (W: f64[2], b: f64)
p
p := (W=[1, 2], b=3)
p
:type p
:vars
(scan t for 2 from a = 0, b = 1 { a[t] = b[t-1]; b[t] = a[t-1] }).final
p.q
---
{"kind":"value","name":null,"type":"(W: f64[2], b: (u: i64, v: bool))","names":["W","b"],"values":[{"kind":"value","name":null,"type":"f64[2]","dtype":"f64","shape":[2],"value":[1.0, 2.0]},{"kind":"value","name":null,"type":"(u: i64, v: bool)","names":["u","v"],"values":[{"kind":"value","name":null,"type":"i64","dtype":"i64","shape":[],"value":1},{"kind":"value","name":null,"type":"bool","dtype":"bool","shape":[],"value":true}]}]}
{"kind":"graph","name":"p","type":"(W: f64[2], b: f64)","text":"p_W : f64[2]\np_b : f64\n(p_W, p_b)\n"}
{"kind":"value","name":"p","type":"(W: f64[2], b: f64)","names":["W","b"],"values":[{"kind":"value","name":null,"type":"f64[2]","dtype":"f64","shape":[2],"value":[1.0, 2.0]},{"kind":"value","name":null,"type":"f64","dtype":"f64","shape":[],"value":3.0}]}
{"kind":"command","command":"type","text":"(W: f64[2], b: f64)\n","data":{"type":"(W: f64[2], b: f64)"}}
{"kind":"command","command":"vars","text":"p  input  (W: f64[2], b: f64)  (W=[1, 2], b=3)\n","data":{"vars":[{"name":"p","kind":"input","type":"(W: f64[2], b: f64)","brief":"(W=[1, 2], b=3)"}]}}
{"kind":"value","name":null,"type":"(a: i64, b: i64)","names":["a","b"],"values":[{"kind":"value","name":null,"type":"i64","dtype":"i64","shape":[],"value":0},{"kind":"value","name":null,"type":"i64","dtype":"i64","shape":[],"value":1}]}
{"kind":"error","code":"unknown-field","message":"the tuple (W: f64[2], b: f64) has no part q","file":"input.gr","line":10,"column":1,"length":3,"hint":null}
exit 1
