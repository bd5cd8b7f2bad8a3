# The Jacobian is vmap of vjp over the rows of the identity: no loop over rows.
x : f64[3] = [0.5, -1, 2]
A : f64[2, 3] = [[1, 2, 3], [4, 5, 6]]
jacobian(A @ x, x)
:graph jacobian(sin(x), x) ssa=on
:graph jacobian(sin(x), x) ssa=on pass=lower
jacobian(sin(x), x)
n : f64[N] = [1, 2]
jacobian(outer(n, n), n)
jacobian(x * 0.0 + 1.0, x)
jacobian(sum(x), x)
z : f64[0] = []
jacobian(z ^ 2, z)
# of a loop: one loop back for all rows
S = scan t over x from h = ones(2) { h[t] = tanh(h[t-1] * x[t]) }
jacobian(S.final, x)
jacobian(S, x)
:graph jacobian(S.final, x) ssa=on pass=loops
# lanes that stop at different steps, and a Jacobian inside a loop
u = scan t for 9 from h = x { h[t] = 0.5 * h[t-1]; until max(h[t]) < 0.3 }
jacobian(u.final, x)
scan i for 2 { J[i] = jacobian(x[:2] ^ (i + 2), x) }
hessian(sum(x ^ 3) * x[0], x)
# a Hessian-vector product takes two vectors, no matrix
big : f64[50000] = ones(50000)
v : f64[50000] = arange(50000) * 0.00001
max(jvp(grad(sum(big ^ 4) + sum(big) ^ 2, big), big, v))
max(vjp(grad(sum(big ^ 4) + sum(big) ^ 2, big), big, v))
---
f64[2, 3] =
[[1.0, 2.0, 3.0],
 [4.0, 5.0, 6.0]]
%1 : f64[3, 3] = eye(3)
%2 : f64[3] = input{name=x}()
@1 = graph(p0: f64[3]) {  # p0 x
  %3 : f64[3] = sin(p0)
  return %3
}
@2 = graph(p0: f64[3], p1: f64[3]) {  # p0 ybar, p1 x
  %4 : (f64[3], f64[3]) = vjp{body=@1, wrt=1}(p1, cotangent=p0)
  %5 : f64[3] = %4.0
  return %5
}
%6 : (f64[3, 3],) = vmap{body=@2, in_axes=(0, -1), out_axes=(0,)}(%1, %2)
%7 : f64[3, 3] = %6.0
return %7
%12 : i64[3] = iota(3)
%14 : i64[3, 3] = broadcast{axes=(0,)}(%12, 3, 3)
%15 : i64[3, 3] = broadcast{axes=(1,)}(%12, 3, 3)
%2 : f64[3] = input{name=x}()
%8 : f64[3] = cos(%2)
%10 : f64[3, 3] = broadcast{axes=(1,)}(%8, 3, 3)
@1 = graph(p0: i64[3, 3], p1: i64[3, 3], p2: f64[3, 3]) {  # p0 broadcast, p1 broadcast_2, p2 broadcast_cos_x
  %18 : bool[3, 3] = eq(p0, p1)
  %19 : f64[3, 3] = cast{dtype=f64}(%18)
  %20 : f64[3, 3] = mul(%19, p2)  # d_x
  return %20
}
%21 : (f64[3, 3],) = fused{body=@1}(%14, %15, %10)
%22 : f64[3, 3] = %21.0  # d_x
return %22
f64[3, 3] =
[[ 0.877583,  0.0,      -0.0],
 [ 0.0,       0.540302, -0.0],
 [ 0.0,       0.0,      -0.416147]]
f64[2, 2, 2] =
[[[2.0, 0.0],
  [2.0, 1.0]],

 [[2.0, 1.0],
  [0.0, 4.0]]]
f64[3, 3] =
[[0.0, 0.0, 0.0],
 [0.0, 0.0, 0.0],
 [0.0, 0.0, 0.0]]
f64[3] = [1.0, 1.0, 1.0]
f64[0, 0] = []
f64[2, 3] =
[[-0.655974,  0.385451, -0.221359],
 [-0.655974,  0.385451, -0.221359]]
f64[3, 2, 3] =
[[[ 0.786448,  0.0,       0.0],
  [ 0.786448,  0.0,       0.0]],

 [[-0.639808,  0.375952,  0.0],
  [-0.639808,  0.375952,  0.0]],

 [[-0.655974,  0.385451, -0.221359],
  [-0.655974,  0.385451, -0.221359]]]
%3 : f64[2] = broadcast{axes=()}(1.0, 2)
%2 : f64[3] = input{name=x}()
@1 = graph(p0: f64[2], p1: f64) {  # p0 "h[t-1]", p1 "x[t]"
  %4 : f64[2] = mul(p0, p1)
  %5 : f64[2] = tanh(%4)  # "h[t]"
  return %5, p0
}
%6 : (f64[2], f64[3, 2], i64, bool) = scan{body=@1, reverse=false, stop=false}(n=3, init=%3, seq=%2)
%12 : f64[3, 2] = %6.1
%34 : f64[3, 2] = broadcast{axes=(0,)}(%2, 3, 2)
%35 : f64[3, 2] = mul(%12, %34)
%36 : f64[3, 2] = tanh(%35)
%37 : f64[3, 2] = mul(%36, %36)
%38 : f64[3, 2] = sub(1.0, %37)
%39 : f64[3, 2, 2] = broadcast{axes=(0, 2)}(%38, 3, 2, 2)
%40 : f64[3, 2, 2] = broadcast{axes=(0,)}(%2, 3, 2, 2)
%41 : f64[3, 2, 2] = mul(%39, %40)
%28 : i64[2] = iota(2)
%30 : i64[2, 2] = broadcast{axes=(0,)}(%28, 2, 2)
%31 : i64[2, 2] = broadcast{axes=(1,)}(%28, 2, 2)
%32 : bool[2, 2] = eq(%30, %31)
%33 : f64[2, 2] = cast{dtype=f64}(%32)
%42 : f64[1, 2, 2] = expand_dims{axes=(0,)}(%33)
%43 : f64[4, 2, 2] = concat{axis=0}(%41, %42)
%44 : f64[4, 2, 2] = cumprod{axis=0, reverse=true}(%43)
%45 : f64[3, 2, 2] = slice{axis=0, step=1}(%44, 1, 3)
%49 : f64[3, 2, 2] = broadcast{axes=(0, 2)}(%12, 3, 2, 2)
%50 : f64[3, 2, 2] = mul(%45, %39, %49)
%51 : f64[3, 2] = sum{axes=(2,)}(%50)
%27 : f64[2, 3] = transpose{axes=(1, 0)}(%51)
return %27
f64[3, 3] =
[[0.125, 0.0,   0.0],
 [0.0,   0.125, 0.0],
 [0.0,   0.0,   0.125]]
f64[2, 2, 3] =
[[[ 1.0,   0.0,   0.0],
  [ 0.0,  -2.0,   0.0]],

 [[ 0.75,  0.0,   0.0],
  [ 0.0,   3.0,   0.0]]]
f64[3, 3] =
[[ 3.0,  3.0, 12.0],
 [ 3.0, -3.0,  0.0],
 [12.0,  0.0,  6.0]]
f64 = 25005.49988
f64 = 25005.49988
