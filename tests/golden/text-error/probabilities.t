# what is no probability is an error: as a number, as an input, in a loop, under vmap
bernoulli(rng(1), 0.25)[0]
bernoulli(rng(1), -0.5)
bernoulli(rng(1), [0.5, nan])
bernoulli(rng(1), 1.5)
categorical(rng(1), [1.0, -0.5])
categorical(rng(1), [0.0, 0.0])
categorical(rng(1), [[1.0, 1.0], [nan, 1.0]])
categorical(rng(1), [inf, 1.0])
categorical(rng(1), [0, 2])[0]
p := [0.5, -0.25]
bernoulli(rng(1), p)
categorical(rng(1), p)
vmap(q -> categorical(rng(1), [q, 1.0])[0])(p)
scan t over p { y[t] = bernoulli(rng(1), p[t])[0] }
m : f64[k, n] = [[0.0, 1.0], [0.0, 0.0]]
categorical(rng(1), m)
---
bool = false
input.gr:3:1: error: bernoulli: each probability must be between 0 and 1
    bernoulli(rng(1), -0.5)
    ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:4:1: error: bernoulli: each probability must be between 0 and 1
    bernoulli(rng(1), [0.5, nan])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:5:1: error: bernoulli: each probability must be between 0 and 1
    bernoulli(rng(1), 1.5)
    ^^^^^^^^^^^^^^^^^^^^^^
input.gr:6:1: error: categorical: probabilities must be at least 0, and those of a row must have a sum that is positive and finite
    categorical(rng(1), [1.0, -0.5])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:7:1: error: categorical: probabilities must be at least 0, and those of a row must have a sum that is positive and finite
    categorical(rng(1), [0.0, 0.0])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:8:1: error: categorical: probabilities must be at least 0, and those of a row must have a sum that is positive and finite
    categorical(rng(1), [[1.0, 1.0], [nan, 1.0]])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:9:1: error: categorical: probabilities must be at least 0, and those of a row must have a sum that is positive and finite
    categorical(rng(1), [inf, 1.0])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
i64 = 1
input.gr:12:1: error: bernoulli: each probability must be between 0 and 1
    bernoulli(rng(1), p)
    ^^^^^^^^^^^^^^^^^^^^
input.gr:13:1: error: categorical: probabilities must be at least 0, and those of a row must have a sum that is positive and finite
    categorical(rng(1), p)
    ^^^^^^^^^^^^^^^^^^^^^^
input.gr:14:11: error: categorical: probabilities must be at least 0, and those of a row must have a sum that is positive and finite
    vmap(q -> categorical(rng(1), [q, 1.0])[0])(p)
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:15:24: error: bernoulli: each probability must be between 0 and 1
    scan t over p { y[t] = bernoulli(rng(1), p[t])[0] }
                           ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:17:1: error: categorical: probabilities must be at least 0, and those of a row must have a sum that is positive and finite
    categorical(rng(1), m)
    ^^^^^^^^^^^^^^^^^^^^^^
exit 1
