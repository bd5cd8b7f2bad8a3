# shows: part.json
# :draw egraph=on draw=N focus=%K: so many classes of an e-graph, near a node.
x : f64
y : f64
:graph sin(x + y) * exp(y) ssa=on
:draw sin(x + y) * exp(y) egraph=on nodes=200 first.json draw=2
:draw sin(x + y) * exp(y) egraph=on nodes=200 part.json draw=3 focus=%3
---
%1 : f64 = input{name=x}()
%2 : f64 = input{name=y}()
%3 : f64 = add(%1, %2)
%4 : f64 = sin(%3)
%5 : f64 = exp(%2)
%6 : f64 = mul(%4, %5)
return %6
first.json: 4 e-nodes, 1 edges
input.gr:6:1: note: 4 of 18 e-nodes, 2 of 14 classes: those of the cheapest term, then what is nearest to the result
    :draw sin(x + y) * exp(y) egraph=on nodes=200 first.json draw=2
    ^^^^^
part.json: 3 e-nodes, 2 edges
input.gr:7:1: note: 3 of 18 e-nodes, 3 of 14 classes: those nearest to the focus
    :draw sin(x + y) * exp(y) egraph=on nodes=200 part.json draw=3 focus=%3
    ^^^^^
==> part.json
{"scene":1,"title":"sin(x + y) * exp(y), e-graph after iteration 3","note":"3 of 18 e-nodes, 3 of 14 classes: those nearest to the focus","nodes":[{"op":"add","label":"· + ·","tooltip":"x + y","class":"elementwise","focus":true,"box":1},{"op":"input","label":"x","tooltip":"x","class":"input","role":"input","focus":true,"box":2},{"op":"input","label":"y","tooltip":"y","class":"input","role":"input","focus":true,"box":3}],"boxes":[{"title":"class 3","subtitle":"f64","kind":"class"},{"title":"class 2","subtitle":"f64","kind":"class"},{"title":"class 0","subtitle":"f64","kind":"class"}],"edges":[{"to":1,"from_box":2,"kind":"chosen"},{"to":1,"from_box":3,"kind":"chosen"}],"layout":{"width":262.0,"height":212.0,"nodes":[[99.9,153.2,62.1,28.5],[75.0,59.2,38.0,28.5],[149.0,59.2,38.0,28.5]],"boxes":[[76.0,110.0,111.0,86.0],[16.0,16.0,111.0,86.0],[135.0,16.0,111.0,86.0]],"edges":[[105.1,102.0,110.8,116.2,117.6,133.3,122.9,146.3,125.5,152.9],[156.9,102.0,151.2,116.2,144.4,133.3,139.1,146.3,136.5,152.9]]}}