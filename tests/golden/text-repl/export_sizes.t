# shows: function.tex lanes.tex inner.tex
# sizes inside of functions, lanes and loops are those of the arrays that these are given
x : f64[n] = [1, 2, 3]
X : f64[m, n]
f(a) = (scan t over a for dim(a, axis=0) from h = 0.0 { h[t] = tanh(h[t-1] + a[t]) }).final
:export f(x) + f(x * x) function.tex
:export vmap(r -> if dim(r, axis=0) > 2 then sum(r) else f(r))(X) lanes.tex
S = scan t for 3 from s = x, k = 1 { k[t] = k[t-1] + 1; s[t] = s[t-1] + (scan j for k[t-1] from u = 0.0 { u[j] = u[j-1] + dim(s[t-1], axis=0) }).final }
:export S.final inner.tex steps=on
---
==> function.tex
% f(x) + f(x * x)
%
% Written by Gradus from
%
%     x : f64[n]
%     f(a) = {
%       S = scan t over a for dim(a, axis=0) from h = 0.0 {
%         h[t] = tanh(h[t-1] + a[t])
%       }
%       S.final
%     }
%     f(x) + f(x * x)
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & x \in \mathbb{R}^{n} \\
  & h_{-1} = 0 \\
  & \text{for }t = 0, \dots, n - 1 \\
  & \quad h_{t} = \tanh\left(h_{t - 1} + a_{t}\right) \\
  & f\left(a\right) = h_{\mathrm{final}} \\
  & f\left(x\right) + f\left(x \odot x\right)
\end{align*}}
==> lanes.tex
% vmap(r -> if dim(r, axis=0) > 2 then sum(r) else f(r))(X)
%
% Written by Gradus from
%
%     X : f64[m, n]
%     if n > 2 then sum(X, axis=1) else {
%       S = scan t over a = X' for dim(X, axis=1) from h = broadcast_to(0.0, (dim(X, axis=0),)) keep () {
%         h[t] = tanh(h[t-1] + a[t])
%       }
%       S.final
%     }
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & X \in \mathbb{R}^{m \times n} \\
  & a = X^{\top} \\
  & h_{-1} = \mathbf{0}_{m} \\
  & \text{for }t = 0, \dots, n - 1 \\
  & \quad h_{t} = \tanh\left(h_{t - 1} + a_{t}\right) \\
  & \begin{cases} \left[\sum_{j} X_{i, j}\right]_{i} & \text{if } n > 2 \\ h_{\mathrm{final}} & \text{otherwise} \end{cases}
\end{align*}}
==> inner.tex
% S.final
%
% Written by Gradus from
%
%     x : f64[n]
%     S = scan t for 3 from s = x, k = 1 {
%       k[t] = k[t-1] + 1
%       S_2 = scan j for k[t-1] from u = 0.0 {
%         u[j] = u[j-1] + f64(dim(s[t-1], axis=0))
%       }
%       s[t] = s[t-1] + S_2.final
%     }
%     (S.final.k, S.final.s)
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & x \in \mathbb{R}^{n} \\
  & s_{-1} = x \\
  & k_{-1} = 1 \\
  & \text{for }t = 0, \dots, 2 \\
  & \quad k_{t} = k_{t - 1} + 1 \\
  & \quad u_{-1} = 0 \\
  & \quad \text{for }j = 0, \dots, k_{t - 1} - 1 \\
  & \quad \quad u_{j} = u_{j - 1} + n \\
  & \quad s_{t} = s_{t - 1} + u_{\mathrm{final}} \\
  & \left(s_{\mathrm{final}}, k_{\mathrm{final}}\right) = \left(k_{\mathrm{final}}, s_{\mathrm{final}}\right) \\
  & \text{1. loops: inner, rewrites inside the graph it owns; open it to see them} \\
  & \text{for }t = 0, \dots, 2 \\
  & \quad \mathrm{t1} = \operatorname{f64}\left(n\right) \\
  & \quad \text{for }j = 0, \dots, k_{t - 1} - 1 \\
  & \quad \quad u_{j} = u_{j - 1} + \mathrm{t1} \\
  & \text{2. loops: dead{-}results, unused states and traces are removed} \\
  & \text{written as before} \\
  & \text{3. loops: induction, a counter becomes a sequence of numbers instead of a state} \\
  & \mathrm{t1} = \mathbf{1}_{3} \\
  & \text{for }t = 0, \dots, 2 \\
  & \quad k_{t - 1} = \left(\mathrm{t1} + \left(0, 1, \dots, 3 - 1\right) \odot \mathrm{t1}\right)_{t} \\
  & \quad \mathrm{t2} = \operatorname{f64}\left(n\right) \\
  & \quad \text{for }j = 0, \dots, k_{t - 1} - 1 \\
  & \quad \quad u_{j} = u_{j - 1} + \mathrm{t2} \\
  & s_{\mathrm{final}} = \left(1 + 3 \cdot 1, s_{\mathrm{final}}\right) \\
  & \text{4. loops: fold, the value is known while the graph is built} \\
  & s_{\mathrm{final}} = \left(1 + 3, s_{\mathrm{final}}\right) \\
  & \text{5. loops: fold, the value is known while the graph is built} \\
  & s_{\mathrm{final}} = \left(4, s_{\mathrm{final}}\right) \\
  & \text{6. loops: broadcast{-}into, elementwise operators take scalars as they are} \\
  & \text{for }t = 0, \dots, 2 \\
  & \quad k_{t - 1} = \left(\mathbf{1}_{3} + \left(0, 1, \dots, 3 - 1\right) \cdot 1\right)_{t} \\
  & \quad \mathrm{t1} = \operatorname{f64}\left(n\right) \\
  & \quad \text{for }j = 0, \dots, k_{t - 1} - 1 \\
  & \quad \quad u_{j} = u_{j - 1} + \mathrm{t1} \\
  & \text{7. loops: mul{-}one, 1 is neutral} \\
  & \text{for }t = 0, \dots, 2 \\
  & \quad k_{t - 1} = \left(\mathbf{1}_{3} + \left(0, 1, \dots, 3 - 1\right)\right)_{t} \\
  & \text{8. loops: broadcast{-}into, elementwise operators take scalars as they are} \\
  & \text{for }t = 0, \dots, 2 \\
  & \quad k_{t - 1} = \left(1 + \left(0, 1, \dots, 3 - 1\right)\right)_{t}
\end{align*}}
