# Taps of sequences decide where t starts and ends; other indices are ordinary.
u : f64[6] = [1, 2, 3, 4, 5, 6]
scan t over u { d[t] = u[t] - u[t-2] }
scan t over u { d[t] = u[t+1] - u[t] }
scan t over u { at[t] = t }
scan t over u { at[t] = t + 0 * i64(u[t-3]) }
scan t over u { s[t] = u[t] * sum(u) }
scan t over u { s[t] = u[0] + u[-1] + u[t] }
m = [[1, 2], [3, 4]]
scan t over m { s[t] = m[t, 1] }
scan t over u, v = 10 * u { s[t] = u[t] + v[t] }
short = [1, 1]
scan t over u, short { s[t] = u[t] + short[t] }
scan t over u, short zip strict { s[t] = u[t] + short[t] }
scan t over u from s = [1.0, 2.0] { s[t] = s[t+2] + u[t] }
scan i over m { rows[i] = scan j over u { e[j] = m[i, 0] * u[j] } }
scan t over u for 3 { s[t] = u[t] }
scan t over u for 9 { s[t] = u[t] }
n : i64 = 9
scan t over u for n { s[t] = u[t] }
scan t over u from s = 0.0 using u { s[t] = s[t-1] + u[t] }
---
f64[4] = [2.0, 2.0, 2.0, 2.0]
f64[5] = [1.0, 1.0, 1.0, 1.0, 1.0]
i64[6] = [0, 1, 2, 3, 4, 5]
i64[3] = [3, 4, 5]
f64[6] = [21.0, 42.0, 63.0, 84.0, 105.0, 126.0]
f64[6] = [8.0, 9.0, 10.0, 11.0, 12.0, 13.0]
i64[2] = [2, 4]
f64[6] = [11.0, 22.0, 33.0, 44.0, 55.0, 66.0]
f64[2] = [2.0, 3.0]
input.gr:14:16: error: the sequences of a strict scan have different lengths
    scan t over u, short zip strict { s[t] = u[t] + short[t] }
                   ^^^^^
  hint: drop `zip strict` to stop at the shortest
f64[6] = [10.0, 14.0, 9.0, 12.0, 6.0, 8.0]
f64[2, 6] =
[[ 1.0,  2.0,  3.0,  4.0,  5.0,  6.0],
 [ 3.0,  6.0,  9.0, 12.0, 15.0, 18.0]]
f64[3] = [1.0, 2.0, 3.0]
input.gr:18:19: error: 9 steps over 6 rows of u
    scan t over u for 9 { s[t] = u[t] }
                      ^
  hint: without `for` the shortest sequence decides
input.gr:20:1: error: 9 steps over 6 rows of u
    scan t over u for n { s[t] = u[t] }
    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
f64[6] = [1.0, 3.0, 6.0, 10.0, 15.0, 21.0]
exit 1
