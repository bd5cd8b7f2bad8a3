# Running sums, fills and permutations are made in pieces, between which ^C is looked at: around the ends of pieces.
x = (arange(786435) * 7919) % 1001 - 500
y = scan t over x from s = 0 { s[t] = s[t-1] + x[t] }
all(cumsum(x) == y.s)
z = scan t over x from m = -1000 { m[t] = maximum(m[t-1], x[t]) }
all(cummax(x) == z.m)
w = reshape(x, (5, 157287))
c = cumsum(w, axis=1)
(c[:, -1] - sum(w, axis=1), all(c[:, 1:] - c[:, :-1] == w[:, 1:]))
v = reshape(x, (157287, 5))
d = cumsum(v, axis=0)
(d[-1] - sum(v, axis=0), all(d[1:] - d[:-1] == v[1:]))
u = reshape(x, (3, 262145))
h = cumsum(u, axis=1)
(h[:, -1] - sum(u, axis=1), all(h[:, 1:] - h[:, :-1] == u[:, 1:]))
p, r = permutation(rng(5), 262147)
(p[:3], p[-3:], all(sort(p) == arange(262147)), uniform(r, (2,))[0])
sum(ones(600001))
---
bool = true
bool = true
[0] : i64[5] = [0, 0, 0, 0, 0]
[1] : bool = true
[0] : i64[5] = [0, 0, 0, 0, 0]
[1] : bool = true
[0] : i64[3] = [0, 0, 0]
[1] : bool = true
[0] : i64[3] = [98686, 180083, 39182]
[1] : i64[3] = [52307, 31313, 253162]
[2] : bool = true
[3] : f64[2] = [0.421387, 0.0927652]
f64 = 600001.0
