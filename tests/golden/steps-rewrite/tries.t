# A pass ends after so many rules tried, never after so much time: what comes out is a function of the input.
x : f64[n]
:set tries 3
:passes log(1 + exp(x * 1)) + (x - 0)
:set tries 100000000
:passes log(1 + exp(x * 1)) + (x - 0)
---
pass           steps  nodes before  after  stop
inline         0      9             9      done
canonicalize   0      9             9      limit of tries
stabilize      0      9             9      limit of tries
differentiate  0      9             9      done
simplify       0      9             9      limit of tries
expand         0      9             9      limit of tries
loops          0      9             9      limit of tries
specialize     0      9             9      done
fuse           0      9             9      limit of tries
lower          0      9             9      done
pass           steps  nodes before  after  stop
inline         0      9             9      done
canonicalize   2      9             6      done
stabilize      2      6             3      done
differentiate  0      3             3      done
simplify       0      3             3      done
expand         0      3             3      done
loops          0      3             3      done
specialize     0      3             3      done
fuse           1      3             6      done
lower          0      6             6      done
