# Nodes by the numbers of the last listing.
# shows: numbered.gr
x : f64[3] = [1,2,3]
y = exp(x*2) + sum(x)
S = scan t over x from h = 1.0 { h[t] = h[t-1]*2 + x[t] }
%1
:graph y ssa=on
:graph y + S[-1]
%1
%2
%2 % 3
z = %2 + 1
z
grad(sum(%3), x)
f(a) = a + %2
f(1)
w = S.h + %4
w
:graph S
%1
%3
%77
scan t over x using () { q[t] = x[t]*sum(%2) }

:save numbered.gr
---
input.gr:6:1: error: nothing has been listed yet
    %1
    ^^
  hint: :graph EXPR and :steps EXPR show numbers
%1 : f64[3] = input{name=x}()
%2 : f64[3] = mul(%1, 2.0)
%3 : f64[3] = exp(%2)
%4 : f64 = sum{axes=(0,)}(%1)
%5 : f64[3] = add(%3, %4)  # y
return %5
x : f64[3]
y = exp(x * 2) + sum(x)
S = scan t over x from h = 1.0 {
  h[t] = h[t-1] * 2 + x[t]
}
y + S[-1]
%1 : f64[3] = [1.0, 2.0, 3.0]
%2 : f64[3] = [2.0, 4.0, 6.0]
f64[3] = [2.0, 1.0, 0.0]
z : f64[3] = [3.0, 5.0, 7.0]
f64[3] = [14.7781, 109.196, 806.858]
input.gr:15:12: error: in a function, the number would mean a different node after each listing
    f(a) = a + %2
               ^^
  hint: name it first: a = %3
input.gr:16:1: note: in this call of f
    f(1)
    ^^^^
w : f64[3] = [9.0, 14.0, 25.0]
x : f64[3]
scan t over x from h = 1.0 {
  h[t] = h[t-1] * 2 + x[t]
}
%1 : f64[3] = [1.0, 2.0, 3.0]
input.gr:21:1: error: %3 is inside a loop, a branch or a function, so it has no single value
    %3
    ^^
  hint: :trace shows values inside loops
input.gr:22:1: error: there is no node %77 in the last listing
    %77
    ^^^
  hint: :graph EXPR and :steps EXPR show numbers
input.gr:23:42: error: the scan's body captures %2, which its `using` does not list
    scan t over x using () { q[t] = x[t]*sum(%2) }
                                             ^^
  hint: add it to `using`, or drop `using` to allow every capture
6 statements in numbered.gr
exit 1
