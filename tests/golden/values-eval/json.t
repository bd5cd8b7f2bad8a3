# args: --json
x : f64[3] = [1, nan, -inf]
x
x > 1
(1, zeros((0, 2)))
n : i64
n + 1
y = x * 2
x + [1, 2]
nope
x
"text"
---
{"kind":"value","name":"x","type":"f64[3]","dtype":"f64","shape":[3],"value":[1.0, "nan", "-inf"]}
{"kind":"value","name":null,"type":"bool[3]","dtype":"bool","shape":[3],"value":[false, false, false]}
{"kind":"value","name":null,"type":"(i64, f64[0, 2])","values":[{"kind":"value","name":null,"type":"i64","dtype":"i64","shape":[],"value":1},{"kind":"value","name":null,"type":"f64[0, 2]","dtype":"f64","shape":[0,2],"value":[]}]}
{"kind":"graph","name":null,"type":"i64","text":"n : i64\nn + 1\n"}
{"kind":"error","code":"shape-mismatch","message":"add: shapes f64[3] and f64[2] do not match: axis 0 is 3 and 2","file":"input.gr","line":9,"column":1,"length":10,"hint":"for all pairs, give one of them an axis of length 1: x[:, None]"}
{"kind":"error","code":"unknown-name","message":"`nope` is not defined","file":"input.gr","line":10,"column":1,"length":4,"hint":null}
{"kind":"value","name":"x","type":"f64[3]","dtype":"f64","shape":[3],"value":[1.0, "nan", "-inf"]}
{"kind":"error","code":"type-mismatch","message":"this is a string, not a tensor","file":"input.gr","line":12,"column":1,"length":6,"hint":null}
exit 1
