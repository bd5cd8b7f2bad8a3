x1 : f64 = 2.0
x2 : f64 = 0.0
w1 : f64 = -3.0
w2 : f64 = 1.0
b : f64 = 6.8813735870195432
n = x1 * w1 + x2 * w2 + b
o = tanh(n)
:play o at=8
:play o grad=x2 at=1
:play o neuron.html
:play o neuron.svg at=0..1
p : f64[3] = [1, -2, 3]
:play sum(p * abs(p)) at=3
:play p * 2 at=0
k : i64 = 3
:play k + 1
:play o grad=p
q : f64
:play sin(q)
:play if x1 > 0 then x1 * b else b at=1
:play x1
---
o
node 8 of 0..8

  x1 = 2
  w1 = -3
  v1 = x1 * w1 = 2 * (-3) = -6
  x2 = 0
  w2 = 1
  v2 = x2 * w2 = 0 * 1 = 0
  b  = 6.88137
  n  = v1 + v2 + b = -6 + 0 + 6.88137 = 0.881374
▸ o  = tanh(n) = tanh(0.881374) = 0.707107
o
node 1 of 0..8

  x1 = 2
▸ w1 = -3

o
edge 1 of 0..2, from n back to v2

d (x + z) = dx + dz
▸ d v2 = d n * 1 = 0.5 * 1 = 0.5

  d o  = 1
  d n  = 0.5
▸ d v2 = 0.5
neuron.html: 9 nodes, 8 edges
neuron.svg: 9 nodes, 8 edges
sum(p * abs(p))
node 3 of 0..3

  p  = [1, -2, 3]
  v1 = abs(p) = abs([1, -2, 3]) = [1, 2, 3]
  v2 = p * v1 = [1, -2, 3] * [1, 2, 3] = [1, -4, 9]
▸ v3 = sum(v2) = sum([1, -4, 9]) = 6

sum(p * abs(p))
edge 3 of 0..3, from v1 back to p

d abs(x) = sign(x) dx
▸ d p  = d v1 through it = [1, 2, 3], added up [2, 4, 6]

  d v3 = 1
  d v2 = [1, 1, 1]
  d v1 = [1, -2, 3]
▸ d p  = [2, 4, 6]
p * 2
node 0 of 0..1

▸ p  = [1, -2, 3]
k + 1
node 0 of 0..1

▸ k  = 3

k + 1
node 1 of 0..1

  k  = 3
▸ v1 = k + 1 = 3 + 1 = 4
input.gr:17:14: error: o does not depend on p
    :play o grad=p
                 ^
input.gr:19:7: error: `q` has no value
    :play sin(q)
          ^^^^^^
if x1 > 0 then x1 * b else b
node 1 of 0..3

  x1 = 2
▸ v1 = x1 > 0 = 2 > 0 = true

if x1 > 0 then x1 * b else b
edge 1 of 0..1, from v2 back to x1

d if: the derivative of the branch that runs
▸ d x1 = d v2 through it = 6.88137

  d v2 = 1
  d b  = 2
▸ d x1 = 6.88137
x1
node 0 of 0..0

▸ x1 = 2
exit 1
