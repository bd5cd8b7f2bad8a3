# args: --json
x : f64[3] = [0.3, -0.7, 1.1]
:reduce sum(sqrt(x) * exp(x)) while nan
:reduce sum(sqrt(x) * exp(x)) while audit
---
{"kind":"command","command":"reduce","text":"5 nodes -> 2 nodes; 18 tries\nx : f64[1] = [-1.0]\nresult = sqrt(x)\nresult\n","data":{"before":5,"after":2,"tries":18,"program":"x : f64[1] = [-1.0]\nresult = sqrt(x)\nresult\n"}}
{"kind":"error","code":"condition","message":"no step changes more than its classes allow","file":"input.gr","line":4,"column":37,"length":5,"hint":"the condition has to hold for the whole expression to begin with"}
exit 1
