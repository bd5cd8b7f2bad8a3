# :diff A, B: places, paths, both sides; passes, files, "last"; other names, other inputs; what cannot be
x : f64[3]
z : f64[3]
w : f64[4]
u : f64[T, n]
V : f64[n, n]
W : f64[n, n]
H = scan t over u from h = zeros(n) { h[t] = tanh(h[t-1] @ V + u[t]) }
G = scan t over u from g = zeros(n) { g[t] = tanh(u[t] + g[t-1] @ V') }
K = scan t over u from h = ones(n) { h[t] = tanh(h[t-1] @ V + u[t]); until sum(h[t]) > 3 }
:diff tanh(x) + exp(x) * z, z * sin(x) + tanh(x)
:diff sum(H.h * 2), sum(G.g * 3)
:diff H.h, K.h
:diff grad(sum(H.h), V), grad(sum(G.g), V)
:diff sum(H.h @ W), sum(H.h @ V)
:diff exp(x) * exp(2 * x), exp(x) * exp(2 * x) pass=specialize
:diff "last" step=0, "last"
:diff tanh(x), tanh(z)
:diff tanh(x), tanh(z) names=on
:diff exp(x), exp(w)
:diff x - z, z - x
:diff (x, z), x
:diff x + z + 1, 1 + z + x
:diff if sum(x) > 0 then x else z, if sum(x) > 1 then x else 2 * z
:graph sum(u @ V) old.gr
V : f64[n, n]
:diff "old.gr" sum(u @ V), sum(u @ V)
:diff "old.gr" sum(u @ V), sum(V' @ u')
:vars
:diff exp(x),
:diff , exp(x)
:diff exp(x), exp(x), x
:diff exp(x) pass=nopass, x
:diff exp(x) step=99, x
:diff exp(x) step=1 pass=lower, x
:diff exp(x), nothing
:diff "none.gr" y, x
:diff "old.gr", x
:diff exp(x) names=on
:draw tanh(x) + z, sin(x) + z two.json
:draw tanh(x), sin(x) two.json film=on
:draw (x, z), x two.json
:explore exp(x) page.html pass=lower
:explore exp(x), "last" page.html
---
1 of 6 nodes differs, in 1 place
operand 1 of *: exp(x) against sin(x)
  - tanh(x) + «exp(x)» * z
  + z * «sin(x)» + tanh(x)
2 of 14 nodes differ, in 2 places
in scan h, equation of h[t], operand 2 of @: V against V'
  - tanh(h[t-1] @ «V» + u[t])
  + tanh(u[t] + g[t-1] @ «V'»)
operand 2 of *: 2.0 against 3.0
  - sum(scan(T, from=broadcast_to(0.0, (n,)), over=u, using=V).trace * «2»)
  + sum(scan(T, from=broadcast_to(0.0, (n,)), over=u, using=V).trace * «3»)
4 of 13 nodes differ, in 2 places
in scan h, until: nothing against sum(tanh(h[t-1] @ V + u[t])) > 3
in scan h, initial value of h, operand 1 of broadcast: 0.0 against 1.0
  - broadcast_to(«0.0», (n,))
  + broadcast_to(«1.0», (n,))
1 of 13 nodes differs, in 1 place
in the function of grad, scan h, equation of h[t], operand 2 of @: V against V'
  - tanh(h[t-1] @ «V» + u[t])
  + tanh(u[t] + g[t-1] @ «V'»)
1 of 13 nodes differs, in 1 place
operand 2 of @: W against V
  - sum(scan(T, from=broadcast_to(0.0, (n,)), over=u, using=V).trace @ «W»)
  + sum(scan(T, from=broadcast_to(0.0, (n,)), over=u, using=«V»).trace @ «V»)
3 of 6 nodes differ, in 2 places
exp(x) * exp(2 * x) against exp(3 * x)
operand 1 of *: 2.0 against 3.0
  - exp(x) * exp(«2» * x)
  + exp(«3» * x)
6 nodes, all the same
2 nodes, all the same
x is z in the second
1 of 2 nodes differs, in 1 place
operand 1 of tanh: x against z
  - tanh(«x»)
  + tanh(«z»)
1 of 2 nodes differs, in 1 place
operand 1 of exp: x : f64[3] against w : f64[4]
  - exp(«x»)
  + exp(«w»)
2 of 3 nodes differ, in 2 places
operand 1 of -: x against z
  - «x» - z
  + «z» - x
operand 2 of -: z against x
  - x - «z»
  + z - «x»
1 of 2 nodes differs, in 1 place
result 2: z against nothing
4 nodes, the same but for the order of operands where it does not matter
3 of 8 nodes differ, in 2 places
operand 2 of >: 0.0 against 1.0
  - sum(x) > «0»
  + sum(x) > «1»
in `else` of the if: x against 2 * z
4 nodes, all the same
2 of 6 nodes differ, in 2 places
operand 1 of @: u : f64[T, n] against V' : f64[n, n]
  - sum(«u» @ V)
  + sum(«V'» @ u')
operand 2 of @: V : f64[n, n] against u' : f64[n, T]
  - sum(u @ «V»)
  + sum(V' @ «u'»)
x  input       f64[3]
z  input       f64[3]
w  input       f64[4]
u  input       f64[T, n]
V  input       f64[n, n]
W  input       f64[n, n]
H  definition  f64[T, n]  scan t over u from h = zeros(n) { h[t] = tanh(h[t - 1] @ V +…
G  definition  f64[T, n]  scan t over u from g = zeros(n) { g[t] = tanh(u[t] + g[t - 1…
K  definition  f64[?, n]  scan t over u from h = ones(n) { h[t] = tanh(h[t - 1] @ V + …
input.gr:30:7: error: the second of the two graphs is missing
    :diff exp(x),
          ^^^^^^^
  hint: :diff sin(x), "last"
input.gr:31:7: error: the first of the two graphs is missing
    :diff , exp(x)
          ^^^^^^^^
  hint: :diff sin(x), "last"
input.gr:32:15: error: two graphs are compared, and this is a third
    :diff exp(x), exp(x), x
                  ^^^^^^^^^
  hint: several results are one tuple: (a, b)
input.gr:33:19: error: there is no pass nopass
    :diff exp(x) pass=nopass, x
                      ^^^^^^
  hint: :passes lists them
input.gr:34:19: error: step= goes up to 0 here
    :diff exp(x) step=99, x
                      ^^
input.gr:35:19: error: give either pass= or step=
    :diff exp(x) step=1 pass=lower, x
                      ^
input.gr:36:15: error: `nothing` is not defined
    :diff exp(x), nothing
                  ^^^^^^^
  hint: Gradus has no null value; a missing number is nan
input.gr:37:7: error: none.gr cannot be read: No such file or directory
    :diff "none.gr" y, x
          ^^^^^^^^^
input.gr:38:7: error: the name of an expression must follow the name of the file
    :diff "old.gr", x
          ^^^^^^^^
  hint: :diff "old.gr" y, y
input.gr:39:20: error: names= goes with two graphs, between which there is a comma
    :diff exp(x) names=on
                       ^^
  hint: :diff A pass=NAME, B
two.json: 5 nodes, 5 edges
input.gr:41:37: error: a film shows steps, not two graphs
    :draw tanh(x), sin(x) two.json film=on
                                        ^^
input.gr:42:7: error: one has 2 results, the other 1
    :draw (x, z), x two.json
          ^^^^^^^^^
  hint: compare their results one by one
input.gr:43:32: error: pass= goes with two graphs; the page of one has all its states
    :explore exp(x) page.html pass=lower
                                   ^^^^^
  hint: :explore A pass=NAME, B
page.html: 1 step, 150665 bytes
exit 3
