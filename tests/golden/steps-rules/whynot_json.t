# args: --json
x : f64 = 3
:whynot sin-neg sin(x)
---
{"kind":"command","command":"whynot","text":"sin-neg does not fire\n  at %2, sin(x): 1 of 3: `x` is input, not neg; the pattern has -x\n  `:help sin-neg`: what it matches, and when\n","data":{"rule":"sin-neg","fired":false,"places":[{"node":"%2","state":0,"verdict":"other","by":null,"matched":1,"of":3,"why":"1 of 3: `x` is input, not neg; the pattern has -x","action":null}]}}
