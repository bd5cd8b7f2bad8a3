# args: --json
x : f64[2] = [1, 0.1]
x
(x, true)
zeros((0, 2))
[nan, inf]
y : f64[n]
y * 2
nope
:type x
:steps y * 1
---
{"kind":"value","name":"x","type":"f64[2]","dtype":"f64","shape":[2],"value":[1.0, 0.1]}
{"kind":"value","name":null,"type":"(f64[2], bool)","values":[{"kind":"value","name":null,"type":"f64[2]","dtype":"f64","shape":[2],"value":[1.0, 0.1]},{"kind":"value","name":null,"type":"bool","dtype":"bool","shape":[],"value":true}]}
{"kind":"value","name":null,"type":"f64[0, 2]","dtype":"f64","shape":[0,2],"value":[]}
{"kind":"value","name":null,"type":"f64[2]","dtype":"f64","shape":[2],"value":["nan", "inf"]}
{"kind":"graph","name":null,"type":"f64[n]","text":"y : f64[n]\ny * 2\n"}
{"kind":"error","code":"unknown-name","message":"`nope` is not defined","file":"input.gr","line":9,"column":1,"length":4,"hint":null}
{"kind":"command","command":"type","text":"f64[2]\n","data":{"type":"f64[2]"}}
{"kind":"command","command":"steps","text":"canonicalize: 1 step, 3 -> 1 nodes, done\n  1  mul-one [E]  y * 1 => y    # 1 is neutral\nnothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower\n","data":{"passes":[{"name":"inline","steps":0,"nodes_before":3,"nodes_after":3,"stop":"done"},{"name":"canonicalize","steps":1,"nodes_before":3,"nodes_after":1,"stop":"done"},{"name":"stabilize","steps":0,"nodes_before":1,"nodes_after":1,"stop":"done"},{"name":"differentiate","steps":0,"nodes_before":1,"nodes_after":1,"stop":"done"},{"name":"simplify","steps":0,"nodes_before":1,"nodes_after":1,"stop":"done"},{"name":"expand","steps":0,"nodes_before":1,"nodes_after":1,"stop":"done"},{"name":"loops","steps":0,"nodes_before":1,"nodes_after":1,"stop":"done"},{"name":"specialize","steps":0,"nodes_before":1,"nodes_after":1,"stop":"done"},{"name":"fuse","steps":0,"nodes_before":1,"nodes_after":1,"stop":"done"},{"name":"lower","steps":0,"nodes_before":1,"nodes_after":1,"stop":"done"}],"steps":[{"seq":1,"pass":"canonicalize","rule":"mul-one","classes":"E","path":"","before":"y * 1","after":"y","why":"1 is neutral"}]}}
exit 1
