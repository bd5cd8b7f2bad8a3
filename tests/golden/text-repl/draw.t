# What :draw says of wrong keys; pictures are in tests/golden/draw.
A : f64[n] = [0.5, 1, 1.5, 2]
S = scan t over A from s = 1.0 { s[t] = tanh(s[t-1] * A[t]) }
q : f64
:draw S.s x.svg values=grad
:draw S.s x.svg values=dat
:draw q x.svg values=data
:draw S.s x.svg unroll=0
:draw S.s x.svg unroll=65
:draw q x.svg unroll=2
:draw S.s x.svg unroll=2 pass=lower
:draw S.s x.svg step=1
:draw S.s x.svg step=2.. step=1
:draw S.s x.svg step=2..1 pass=loops
:draw S.s x.svg step=10..
:draw S.s x.svg step=0 film=on
:draw S.s x.svg step=1.. film=on
:draw S.s x.svg step=1,x film=on
:draw S.s x.svg step=9 film=on
:draw S.s x.svg step=1 film=on focus=%1
:draw S.s x.svg focus=%99
:draw S.s x.svg depth=2
:draw S.s x.svg adjoint=beside
:draw S.s x.svg adjoint=left
:draw S.s x.svg inner=shut
:draw S.s x.svg theme=blue
:draw S.s x.svg dir=RL
:draw S.s x.svg valeus=grad
:draw S.s no/such/folder/x.svg
---
input.gr:5:24: error: grad differentiates a single real number
    :draw S.s x.svg values=grad
                           ^^^^
  hint: sum(...) reduces an array to a scalar
input.gr:6:24: error: values= is one of off, data, grad, on
    :draw S.s x.svg values=dat
                           ^^^
input.gr:7:22: error: q has no value
    :draw q x.svg values=data
                         ^^^^
  hint: give it one with :=
input.gr:8:24: error: unroll= takes at least 1 step
    :draw S.s x.svg unroll=0
                           ^
input.gr:9:24: error: unroll= goes up to 64 here
    :draw S.s x.svg unroll=65
                           ^^
input.gr:10:22: error: there is no scan to unroll in this state of the graph
    :draw q x.svg unroll=2
                         ^
  hint: scans inside derivatives or other loops, and loops made by the pass `lower`, are not unrolled
input.gr:11:24: error: there is no scan to unroll in this state of the graph
    :draw S.s x.svg unroll=2 pass=lower
                           ^
  hint: scans inside derivatives or other loops, and loops made by the pass `lower`, are not unrolled
x.svg: 12 nodes, 14 edges
input.gr:13:17: error: step= is given twice
    :draw S.s x.svg step=2.. step=1
                    ^^^^^^^^
input.gr:14:22: error: give either pass= or step=
    :draw S.s x.svg step=2..1 pass=loops
                         ^^^^
input.gr:15:22: error: step= goes up to 1 here
    :draw S.s x.svg step=10..
                         ^^^^
input.gr:16:22: error: a film takes whole steps: step=1,3,5..8
    :draw S.s x.svg step=0 film=on
                         ^
x.svg: 12 nodes, 14 edges
input.gr:18:22: error: step= takes a step or several: step=7, step=9.1, step=3..8
    :draw S.s x.svg step=1,x film=on
                         ^^^
input.gr:19:22: error: there is 1 step
    :draw S.s x.svg step=9 film=on
                         ^
input.gr:20:29: error: film= does not go with focus=
    :draw S.s x.svg step=1 film=on focus=%1
                                ^^
input.gr:21:23: error: there is no node %99
    :draw S.s x.svg focus=%99
                          ^^^
  hint: :graph ssa=on shows the numbers
input.gr:22:23: error: depth= goes with focus=%K
    :draw S.s x.svg depth=2
                          ^
input.gr:23:25: error: no derivative has been expanded in this state of the graph
    :draw S.s x.svg adjoint=beside
                            ^^^^^^
  hint: pass=differentiate is after that
input.gr:24:25: error: adjoint= is one of off, links, beside, on
    :draw S.s x.svg adjoint=left
                            ^^^^
input.gr:25:23: error: inner= is one of auto, open, closed
    :draw S.s x.svg inner=shut
                          ^^^^
input.gr:26:23: error: theme= is one of auto, light, dark
    :draw S.s x.svg theme=blue
                          ^^^^
input.gr:27:21: error: dir= is TB or LR
    :draw S.s x.svg dir=RL
                        ^^
input.gr:28:17: error: :draw takes no valeus=
    :draw S.s x.svg valeus=grad
                    ^^^^^^^^^^^
  hint: did you mean values=?
input.gr:29:11: error: no/such/folder/x.svg cannot be written: No such file or directory
    :draw S.s no/such/folder/x.svg
              ^^^^^^^^^^^^^^^^^^^^
exit 3
