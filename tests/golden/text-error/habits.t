# What people write who come from NumPy and Python.
x : f64[n] = [1, 2, 3]
x.sum()
x.ravel()
np.sum(x)
len(x)
print(x)
True
arctan(x)
x ** 2
x += 1
x[0][0]
abs x
sum(x, axis=[0, 1])
mean(x, keepdim=true)
zeros(2, 3)
reshape(x, 3, 1)
y : f64(3)
a = 3 if true else 4
scan for 3 from s = 0 { s[t] = s[t-1] }
scan t in x { y[t] = x[t] }
scan t over x, from s = 0 { s[t] = s[t-1] + x[t] }
scan t over [1, 2] { y[t] = 1 }
scan t over x from s = 0 { s[t] = s[t-1] + x[t] until s[t] > 2 }
scan t for 3 from s = 0 { s[t] = s[t-k] }
---
input.gr:3:1: error: only a tuple with names and the result of a scan have fields, but this is f64[n]
    x.sum()
    ^^^^^
  hint: write sum(x)
input.gr:4:1: error: only a tuple with names and the result of a scan have fields, but this is f64[n]
    x.ravel()
    ^^^^^^^
  hint: write reshape(A, -1)
input.gr:5:1: error: `np` is not defined
    np.sum(x)
    ^^
  hint: functions stand alone, without a module: sum(x), log(x)
input.gr:6:1: error: `len` is not defined
    len(x)
    ^^^
  hint: write size(x, 0); size(x) is the number of elements
input.gr:7:1: error: `print` is not defined
    print(x)
    ^^^^^
  hint: an expression alone on its line prints its value
input.gr:8:1: error: `True` is not defined
    True
    ^^^^
  hint: write true
input.gr:9:1: error: `arctan` is not defined
    arctan(x)
    ^^^^^^
  hint: write atan(x)
input.gr:10:3: error: `**` is not an operator of this language
    x ** 2
      ^^
  hint: the power operator is `^`
input.gr:11:3: error: expected the end of the statement, but found `+=`
    x += 1
      ^^
  hint: write `x := x + e`, or `a with [i] += e` for a part
input.gr:12:1: error: 1 index for f64, which has 0 axes
    x[0][0]
    ^^^^^^^
input.gr:13:5: error: expected the end of the statement, but found `x`
    abs x
        ^
  hint: a function is called with brackets, f(x); or an operator is missing here
input.gr:14:13: error: axis must be a whole number, but this is i64[2]
    sum(x, axis=[0, 1])
                ^^^^^^
  hint: for two values, write a + b
input.gr:15:9: error: mean(x, axis=None, keepdims=false, where=None) has no parameter keepdim
    mean(x, keepdim=true)
            ^^^^^^^
  hint: did you mean keepdims?
input.gr:16:10: error: this is not a dtype
    zeros(2, 3)
             ^
  hint: a shape of several sizes is a tuple: zeros((2, 3)); the dtypes are bool, i32, i64, f32, f64
input.gr:17:15: error: reshape(x, shape) is given too many arguments
    reshape(x, 3, 1)
                  ^
  hint: a shape of several sizes is a tuple: (2, 3)
input.gr:18:8: error: expected the end of the statement, but found `(`
    y : f64(3)
           ^
  hint: sizes go in square brackets: f64[3]
input.gr:19:7: error: expected the end of the statement, but found `if`
    a = 3 if true else 4
          ^^
  hint: a choice is written `if c then a else b`
input.gr:20:6: error: the word `for` is in the wrong place
    scan for 3 from s = 0 { s[t] = s[t-1] }
         ^^^
  hint: the index variable comes first: scan t for n { ... }
input.gr:21:8: error: expected `{` or a clause (over, for, from, using, zip strict, checkpoint, keep, reverse), but found `in`
    scan t in x { y[t] = x[t] }
           ^^
  hint: a sequence is named by `over`: scan t over xs { ... }
input.gr:22:16: error: the word `from` is in the wrong place
    scan t over x, from s = 0 { s[t] = s[t-1] + x[t] }
                   ^^^^
  hint: there is no comma between clauses
input.gr:23:13: error: a sequence is a name or `name = expression`
    scan t over [1, 2] { y[t] = 1 }
                ^^^^^^
  hint: give it a name: `over w = [1, 2]`, and read w[t]
input.gr:24:49: error: expected `}` for the `{` of line 24, column 26, but found `until`
    scan t over x from s = 0 { s[t] = s[t-1] + x[t] until s[t] > 2 }
                                                    ^^^^^
  hint: `until` is an item of its own, in a scan or in `repeat`: put `;` or a newline before it
input.gr:25:34: error: inside the scan, s must be indexed: s[t-1], s[t-2], ...
    scan t for 3 from s = 0 { s[t] = s[t-k] }
                                     ^^^^^^
  hint: the offset of a tap is a number: write s[t-1] for the value of the step before
exit 1
