# sizes that 64 bits cannot count, and diagonals beyond 32: an error, never another size
repeat([1, 2, 3, 4], [4611686018427387904, 4611686018427387904, 4611686018427387904, 4611686018427387904])
n := [4611686018427387904, 4611686018427387904, 4611686018427387904, 4611686018427387904]
repeat([1, 2, 3, 4], n)
repeat([1, 2], [4611686018427387903, 1])
tile([1, 2, 3, 4], 4611686018427387904)
diag([1.0], k=4294967295)
diag([1.0], k=-9223372036854775807)
diag([[1.0]], k=4294967296)
reshape([1, 2, 3, 4], (4294967296, 4294967296, -1))
reshape(zeros(0), (4294967296, 4294967296))
zeros((4294967296, 4294967296))
broadcast_to(1.0, (4294967296, 4294967296))
---
input.gr:2:1: error: repeat: the result would have more elements than can be counted
    repeat([1, 2, 3, 4], [4611686018427387904, 4611686018427387904, 4611686018427387904, 461168601842738…
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:4:1: error: repeat: the result would have more elements than can be counted
    repeat([1, 2, 3, 4], n)
    ^^^^^^^^^^^^^^^^^^^^^^^
input.gr:5:1: error: repeat: the result would have more elements than can be counted
    repeat([1, 2], [4611686018427387903, 1])
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:6:1: error: the result would have more elements than can be counted
    tile([1, 2, 3, 4], 4611686018427387904)
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: smaller sizes need less; :set memory and `ulimit -v` set limits
input.gr:7:15: error: diag: a matrix with that diagonal has more elements than can be counted
    diag([1.0], k=4294967295)
                  ^^^^^^^^^^
input.gr:8:15: error: diag: a matrix with that diagonal has more elements than can be counted
    diag([1.0], k=-9223372036854775807)
                  ^^^^^^^^^^^^^^^^^^^^
f64[0] = []
input.gr:10:23: error: the result would have more elements than can be counted
    reshape([1, 2, 3, 4], (4294967296, 4294967296, -1))
                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:11:19: error: the result would have more elements than can be counted
    reshape(zeros(0), (4294967296, 4294967296))
                      ^^^^^^^^^^^^^^^^^^^^^^^^
input.gr:12:1: error: the result would have more elements than can be counted
    zeros((4294967296, 4294967296))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: smaller sizes need less; :set memory and `ulimit -v` set limits
input.gr:13:1: error: the result would have more elements than can be counted
    broadcast_to(1.0, (4294967296, 4294967296))
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: smaller sizes need less; :set memory and `ulimit -v` set limits
exit 1
