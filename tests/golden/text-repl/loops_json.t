# args: --json
u : f64[3] = [1, 2, nan]
S = scan t over u from s = 0.0, r = rng(1) { s[t] = s[t-1] + u[t]; r[t] = r[t-1]; until t >= 1 }
:trace S.s at=0..1 all=on
:trace S.s
:trace S.final.s grad=u
---
{"kind":"command","command":"trace","text":"step    0             1\ns[t-1]  0             1\nr[t-1]  <rng 1 at 0>  <rng 1 at 0>\nu[t]    1             2\nt       0             1\ns[t]    1             3\nuntil   false         true\nuntil stopped it after step 2\n","data":{"columns":["value",0,1],"rows":[["s[t-1]",0.0,1.0],["r[t-1]",[1, 0, 0, 0, 0, 0],[1, 0, 0, 0, 0, 0]],["u[t]",1.0,2.0],["t",0,1],["s[t]",1.0,3.0],["until",false,true]],"steps":2,"stopped":true,"from":0}}
{"kind":"command","command":"trace","text":"row   s[t]  r[t]          until\ninit  0     <rng 1 at 0>\n0     1     <rng 1 at 0>  false\n1     3     <rng 1 at 0>  true  <- stops here\nuntil stopped it after step 2\n","data":{"columns":["row","s[t]","r[t]","until"],"rows":[["init",0.0,[1, 0, 0, 0, 0, 0],null],["0",1.0,[1, 0, 0, 0, 0, 0],false],["1",3.0,[1, 0, 0, 0, 0, 0],true]],"steps":2,"stopped":true,"from":0}}
{"kind":"command","command":"trace","text":"row   s[t]  r[t]          until\ninit  0     <rng 1 at 0>\n0     1     <rng 1 at 0>  false\n1     3     <rng 1 at 0>  true  <- stops here\nuntil stopped it after step 2\nbackwards: the derivative of the value with respect to each state\nrow  d_s[t]\n1    1\n0    1\nd_u = [1, 1, 0]\n","data":{"columns":["row","s[t]","r[t]","until"],"rows":[["init",0.0,[1, 0, 0, 0, 0, 0],null],["0",1.0,[1, 0, 0, 0, 0, 0],false],["1",3.0,[1, 0, 0, 0, 0, 0],true]],"steps":2,"stopped":true,"from":0,"backward_columns":["row","s[t]"],"backward_rows":[["1",1.0],["0",1.0]],"backward_from":0,"gradient":[1.0, 1.0, 0.0]}}
