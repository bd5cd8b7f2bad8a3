# names, places and orders belong to the definition that gave them, whatever nodes it shares with others
x : f64[3] = [0.5, 1, 2]
a : f64 = 2
b : f64 = 3
S = scan t over x from price = 0.5 { low = price[t-1] + 1; price[t] = tanh(low) * x[t] }
R = scan t over x from voltage = 0.5 { drop = voltage[t-1] + 1; voltage[t] = tanh(drop) * x[t] }
:graph R
:graph S
:steps grad(sum(sqr(R)), x) by=rule
:graph grad(sum(sqr(S)), x)
p = a + b
q = b + a
:graph q
:graph p
:steps (b + a) * 1
# a step shows names as they are at that step
g = grad(sum(tanh(x)), x)
:steps g
:graph g step=2
:graph g
# a name that was given anew
p = p * 2
:graph p
# an error is shown where the statement that fails wrote it
k : i64 = 0
u = (scan i for 3 from s = 1 { s[i] = s[i-1] + 6 // k }).final
v = (scan i for 3 from s = 1 { s[i] = s[i-1] + 6 // k }).final
v
u
repeat 2 { 5 // k }
7 // k
7 // k
---
x : f64[3]
scan t over x from voltage = 0.5 {
  drop = voltage[t-1] + 1
  voltage[t] = tanh(drop) * x[t]
}
x : f64[3]
scan t over x from price = 0.5 {
  low = price[t-1] + 1
  price[t] = tanh(low) * x[t]
}
steps  inside  rule               classes  pass
3      0       inner              [E R O]
2      0       lower-scan         [E]      lower
1      0       expand-derivative  [E]      differentiate
1      1       flatten-mul        [R O]    canonicalize
1      0       late-operands      [R O]    specialize
1      1       mul-self           [E]      specialize
1      1       order-product      [E]      order
x : f64[3]
grad({
  S = scan t over x from price = 0.5 {
    low = price[t-1] + 1
    price[t] = tanh(low) * x[t]
  }
  sum(sqr(S))
}, x)
a : f64
b : f64
b + a
a : f64
b : f64
a + b
canonicalize: 1 step, 5 -> 3 nodes, done
  1  mul-one [E]  (b + a) * 1 => b + a    # 1 is neutral
nothing to do: inline, stabilize, differentiate, simplify, expand, loops, specialize, fuse, lower
differentiate: 1 step, 6 -> 5 nodes, done
  1  expand-derivative [E]    # operator by operator; reverse sweep over 3 nodes
      g = grad(sum(tanh(x)), x) => 1 - tanh(x) * tanh(x)
specialize: 1 step, 5 -> 5 nodes, done
  2  mul-self [E]  tanh(x) * tanh(x) => sqr(tanh(x))    # a square
fuse: 1 step, 5 -> 8 nodes, done
  3  fuse [E]    # one pass, tile by tile; 3 operators over f64[3]; 48 bytes not stored
      one kernel computes g from x
nothing to do: inline, canonicalize, stabilize, simplify, expand, loops, lower
x : f64[3]
1 - sqr(tanh(x))
x : f64[3]
grad(sum(tanh(x)), x)
a : f64
b : f64
(a + b) * 2
input.gr:27:48: error: integer division by zero
    v = (scan i for 3 from s = 1 { s[i] = s[i-1] + 6 // k }).final
                                                   ^^^^^^
input.gr:28:1: note: its value is needed here
    v
    ^
input.gr:26:48: error: integer division by zero
    u = (scan i for 3 from s = 1 { s[i] = s[i-1] + 6 // k }).final
                                                   ^^^^^^
input.gr:29:1: note: its value is needed here
    u
    ^
input.gr:30:12: error: integer division by zero
    repeat 2 { 5 // k }
               ^^^^^^
input.gr:31:1: error: integer division by zero
    7 // k
    ^^^^^^
input.gr:32:1: error: integer division by zero
    7 // k
    ^^^^^^
exit 1
