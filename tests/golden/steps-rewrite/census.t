# What there is before and after: a pass that only counts, where it is asked for.
x : f64[3] = [0.1, 0.2, 0.3]
S = scan t over x from h = 1.0 { h[t] = tanh(1 * h[t-1] + x[t]) }
:set passes census inline canonicalize census lower census
:passes S.final
:steps S.final pass=census
S.final
:set passes default
:passes S.final
---
pass          steps  nodes before  after  stop
census        0      11            11     done
inline        0      11            11     done
canonicalize  1      11            9      done
census        0      9             9      done
lower         1      9             17     done
census        0      17            17     done
census: 7 structural, 1 control, 3 elementwise
census: 6 structural, 1 control, 2 elementwise
census: 11 structural, 1 control, 4 elementwise, 1 index
census: 0 steps, 11 -> 11 nodes, done
  7 structural, 1 control, 3 elementwise
census: 0 steps, 9 -> 9 nodes, done
  6 structural, 1 control, 2 elementwise
census: 0 steps, 17 -> 17 nodes, done
  11 structural, 1 control, 4 elementwise, 1 index
f64 = 0.7863531975719313
pass           steps  nodes before  after  stop
inline         0      11            11     done
canonicalize   1      11            9      done
stabilize      0      9             9      done
differentiate  0      9             9      done
simplify       0      9             9      done
expand         0      9             9      done
loops          1      9             9      done
specialize     0      9             9      done
fuse           0      9             9      done
lower          1      9             17     done
