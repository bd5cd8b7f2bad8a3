k, r = randint(rng(1), 0, 9, 4, dtype=f32)
k
k, r = randint(rng(1), 0, 9, 4, dtype=i32)
k
b, r = bernoulli(rng(2), [0.5, 0.2, 0.9], dtype=f32)
b
p, r = permutation(rng(3), 4, dtype=i32)
p
c, r = categorical(rng(4), [[0.2, 0.8], [0.9, 0.1]], dtype=i32)
c
c, r = categorical(rng(5), [0.2, 0.8], dtype=3)
b, r = bernoulli(rng(6), 0.5, f64)
b
---
k : f32[4] = [6.0, 5.0, 8.0, 0.0]
input.gr:3:8: note: the same draw from the same state is in the program already: it gives the same numbers
    k, r = randint(rng(1), 0, 9, 4, dtype=i32)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
k : i32[4] = [6, 5, 8, 0]
b : f32[3] = [1.0, 0.0, 1.0]
p : i32[4] = [2, 0, 1, 3]
c : i32[2] = [1, 0]
input.gr:11:46: error: this is not a dtype
    c, r = categorical(rng(5), [0.2, 0.8], dtype=3)
                                                 ^
  hint: a shape of several sizes is a tuple: zeros((2, 3)); the dtypes are bool, i32, i64, f32, f64
b : f64 = 1.0
exit 1
