# Names of other systems get what to write here, or nothing; never a function that means something else.
x : f64[3] = [1, 2, 3]
eig(x)
schur(x)
sqrtm(x)
selu(x)
arcsin(x)
nanmax(x)
hstack((x, x))
fmod(x, 2)
relu6(x)
randn(3)
x.clamp(0, 1)
x.numpy()
# Slips of the keys are guessed.
sofmax(x)
transpsoe(x)
SUM(x)
alpha = 1
alhpa + 1
# max and min are not maximum and minimum.
max(1, 2)
max(x, x)
min(x, 0.5)
sum(x, 3)
any(x > 1, x > 2)
# A definition that hides a function.
rng = rng(1)
rng(2)
sum = 3
sum([1, 2])
mean(x) = mean(x) + 1
mean([1, 2])
f(log) = log(2)
f(3)
{ abs = 2; abs(3) }
max(x) = 2 * x
max(3)
norm, std = (norm(x), std(x))
tanh = vmap(tanh)
tanh(x)
scan t for 2 from exp = 1.0 { exp[t] = exp[t-1] }
{ sin = sin(1.0); sin * 2 }
---
input.gr:3:1: error: `eig` is not defined
    eig(x)
    ^^^
  hint: write eigvalsh(A); for symmetric matrices; eigh(A) also gives the eigenvectors
input.gr:4:1: error: `schur` is not defined
    schur(x)
    ^^^^^
input.gr:5:1: error: `sqrtm` is not defined
    sqrtm(x)
    ^^^^^
input.gr:6:1: error: `selu` is not defined
    selu(x)
    ^^^^
input.gr:7:1: error: `arcsin` is not defined
    arcsin(x)
    ^^^^^^
  hint: write asin(x)
input.gr:8:1: error: `nanmax` is not defined
    nanmax(x)
    ^^^^^^
  hint: write max(x, where=not isnan(x), initial=-inf)
input.gr:9:1: error: `hstack` is not defined
    hstack((x, x))
    ^^^^^^
  hint: write concat((A, B), axis=1); of vectors concat((x, y))
input.gr:10:1: error: `fmod` is not defined
    fmod(x, 2)
    ^^^^
  hint: write x - y * trunc(x / y)
input.gr:11:1: error: `relu6` is not defined
    relu6(x)
    ^^^^^
  hint: write clip(x, 0, 6)
input.gr:12:1: error: `randn` is not defined
    randn(3)
    ^^^^^
  hint: write normal(r, 3); the numbers and the next state; the first state is r = rng(0)
input.gr:13:1: error: only a tuple with names and the result of a scan have fields, but this is f64[3]
    x.clamp(0, 1)
    ^^^^^^^
  hint: write clip(x, lo, hi)
input.gr:14:1: error: only a tuple with names and the result of a scan have fields, but this is f64[3]
    x.numpy()
    ^^^^^^^
  hint: functions stand alone, without a module: sum(x), log(x)
input.gr:16:1: error: `sofmax` is not defined
    sofmax(x)
    ^^^^^^
  hint: did you mean `softmax`?
input.gr:17:1: error: `transpsoe` is not defined
    transpsoe(x)
    ^^^^^^^^^
  hint: did you mean `transpose`?
input.gr:18:1: error: `SUM` is not defined
    SUM(x)
    ^^^
  hint: did you mean `sum`?
input.gr:20:1: error: `alhpa` is not defined
    alhpa + 1
    ^^^^^
  hint: did you mean `alpha`?
input.gr:22:8: error: max: there is no axis 2, the tensor has 0 axes
    max(1, 2)
           ^
  hint: the larger of two values is maximum(a, b)
input.gr:23:8: error: axis must be a whole number, but this is f64[3]
    max(x, x)
           ^
  hint: the larger of two values is maximum(a, b)
input.gr:24:8: error: axis must be a whole number, but this is f64
    min(x, 0.5)
           ^^^
  hint: the smaller of two values is minimum(a, b)
input.gr:25:8: error: sum: there is no axis 3, the tensor has 1 axis
    sum(x, 3)
           ^
input.gr:26:12: error: axis must be a whole number, but this is bool[3]
    any(x > 1, x > 2)
               ^^^^^
  hint: for two bools, write a or b
input.gr:28:1: note: from here on rng is this value, and the function rng that made it cannot be called: another name would keep both
    rng = rng(1)
    ^^^
input.gr:29:1: error: this is rng, not a function
    rng(2)
    ^^^
  hint: a definition of rng hides the function: give the value another name
input.gr:31:1: error: this is i64, not a function
    sum([1, 2])
    ^^^
  hint: a definition of sum hides the function: give the value another name
input.gr:32:11: error: `mean` calls itself, but recursion is not supported: calls are expanded while the graph is built
    mean(x) = mean(x) + 1
              ^^^^^^^
  hint: the definition hides the function of that name: give yours another one
input.gr:33:1: note: in this call of mean
    mean([1, 2])
    ^^^^^^^^^^^^
input.gr:34:10: error: this is i64, not a function
    f(log) = log(2)
             ^^^
  hint: a definition of log hides the function: give the value another name
input.gr:35:1: note: in this call of f
    f(3)
    ^^^^
input.gr:36:12: error: this is i64, not a function
    { abs = 2; abs(3) }
               ^^^
  hint: a definition of abs hides the function: give the value another name
i64 = 6
input.gr:39:1: note: from here on norm is this value, and the function norm that made it cannot be called: another name would keep both
    norm, std = (norm(x), std(x))
    ^^^^
input.gr:39:7: note: from here on std is this value, and the function std that made it cannot be called: another name would keep both
    norm, std = (norm(x), std(x))
          ^^^
f64[3] = [0.761594, 0.964028, 0.995055]
f64[2] = [1.0, 1.0]
input.gr:43:3: note: from here on sin is this value, and the function sin that made it cannot be called: another name would keep both
    { sin = sin(1.0); sin * 2 }
      ^^^
f64 = 1.682941969615793
exit 1
