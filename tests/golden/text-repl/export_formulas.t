# shows: rnn.tex gradient.tex gradient.typ signs.tex steps.tex steps.typ
x : f64[T, n]
W : f64[n, n]
h0 : f64[n]
rnn = scan t over x from h = h0 { h[t] = tanh(x[t] + h[t-1] @ W) }
alpha : f64 = 0.5
loss = sum((rnn - x) ^ 2) + alpha * sum(abs(W))
:export rnn rnn.tex
:export grad(loss, W) gradient.tex
:export grad(loss, W) gradient.typ grad=native
# what names, signs and loops become
limit : f64
p_1 : f64[m]
A : f64[m, m]
R = scan t for 100 from r = 1.0 { r[t] = (r[t-1] + limit / r[t-1]) / 2; until abs(r[t] - r[t-1]) < 1e-6 }
q = where(p_1 > 0, log(p_1), -p_1 / 2)
v = if limit > 0 then max(A, axis=1) else A[:, 0] + A'[1, :m]
:export (R.steps, R.final, q @ v + mean(A * A') + prod(A[:, None, 0] * exp(q)), inv(A) @ q, vmap(a -> a @ q)(A)) signs.tex
# the derivation, state by state
:export grad(sum(log(1 + limit * p_1)), p_1) steps.tex steps=on
:export sum(scan t for 5 from u = p_1 { w = u[t-1] * limit * 1; u[t] = sqr(w) + w * 0 }, axis=0) steps.typ steps=on
---
==> rnn.tex
% rnn
%
% Written by Gradus from
%
%     x : f64[T, n]
%     W : f64[n, n]
%     h0 : f64[n]
%     scan t over x from h = h0 {
%       h[t] = tanh(x[t] + h[t-1] @ W)
%     }
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & x \in \mathbb{R}^{T \times n}, \quad W \in \mathbb{R}^{n \times n}, \quad \mathrm{h0} \in \mathbb{R}^{n} \\
  & h_{-1} = \mathrm{h0} \\
  & \text{for }t = 0, \dots, T - 1 \\
  & \quad h_{t} = \tanh\left(x_{t} + h_{t - 1}\,W\right) \\
  & \mathrm{rnn} = \left(h_{t}\right)_{t}
\end{align*}}
==> gradient.tex
% grad(loss, W)
%
% Written by Gradus from
%
%     x : f64[T, n]
%     W : f64[n, n]
%     h0 : f64[n]
%     alpha : f64
%     S = scan t over x from h = h0 {
%       h[t] = tanh(x[t] + h[t-1] @ W)
%       h_2[t-1] = h[t-1]
%     }
%     S_2 = scan t over given_h = 2 * (S.h - x), one_minus_sqr_h = 1 - S.h *
%         S.h from carry_h = broadcast_to(0.0, (n,)) keep y {
%       y[t] = (carry_h[t] + given_h[t]) * one_minus_sqr_h[t]
%       carry_h[t-1] = W @ y[t]
%     }
%     alpha * sign(W) + S.h_2' @ S_2.y
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & x \in \mathbb{R}^{T \times n}, \quad W \in \mathbb{R}^{n \times n}, \quad \mathrm{h0} \in \mathbb{R}^{n}, \quad \alpha \in \mathbb{R} \\
  & h_{-1} = \mathrm{h0} \\
  & \text{for }t = 0, \dots, T - 1 \\
  & \quad h_{t} = \tanh\left(x_{t} + h_{t - 1}\,W\right) \\
  & \quad \mathrm{h\_2}_{t - 1} = h_{t - 1} \\
  & \bar{h}^{\mathrm{given}} = 2 \cdot \left(h - x\right) \\
  & \mathrm{one\_minus\_sqr\_h} = 1 - h \odot h \\
  & \bar{h}^{\mathrm{carried}}_{T - 1} = \mathbf{0}_{n} \\
  & \text{for }t = T - 1, \dots, 0 \\
  & \quad y_{t} = \left(\bar{h}^{\mathrm{carried}}_{t} + \bar{h}^{\mathrm{given}}_{t}\right) \odot \mathrm{one\_minus\_sqr\_h}_{t} \\
  & \quad \bar{h}^{\mathrm{carried}}_{t - 1} = W\,y_{t} \\
  & \frac{\partial \mathrm{loss}}{\partial W} = \alpha\,\operatorname{sign}\left(W\right) + \mathrm{h\_2}^{\top}\,y
\end{align*}}
==> gradient.typ
// grad(loss, W)
//
// Written by Gradus from
//
//     x : f64[T, n]
//     W : f64[n, n]
//     h0 : f64[n]
//     alpha : f64
//     grad({
//       S = scan t over x for dim(x, axis=0) from h = h0 {
//         h[t] = tanh(x[t] + h[t-1] @ W)
//       }
//       sum((S - x)^2) + alpha * sum(abs(W))
//     }, W)
//
$
  & x ∈ RR^(T × n), quad W ∈ RR^(n × n), quad upright("h0") ∈ RR^(n), quad α ∈ RR \
  & h_(-1) = upright("h0") \
  & "for" t = 0, …, T - 1 \
  & quad h_(t) = tanh(x_(t) + h_(t - 1) thin W) \
  & S = (h_(t))_(t) \
  & frac(∂ upright("loss"), ∂ W) = ∇_(W) (sum_(i, j) (S_(i, j) - x_(i, j))^(2) + α · (sum_(i, j) abs(W_(i, j))))
$
==> signs.tex
% (R.steps, R.final, q @ v + mean(A * A') + prod(A[:, None, 0] * exp(q)), inv(A) @ q, vmap(a -> a @ q)(A))
%
% Written by Gradus from
%
%     limit : f64
%     p_1 : f64[m]
%     A : f64[m, m]
%     S = scan t for 100 from r = 1.0 keep () {
%       r[t] = (r[t-1] + limit / r[t-1]) / 2
%       until abs(r[t] - r[t-1]) < 1e-06
%     }
%     q = where(p_1 > 0, log(p_1), -0.5 * p_1)
%     v = if limit > 0 then max(A, axis=1) else A[:, 0] + A[:, 1]
%     (S.steps, S.final, q @ v + sum(A * A') / f64(m * m) +
%         prod(broadcast(A[:, 0], (m, m), axes=0) * broadcast_to(exp(q), (m, m))), solve(A, q), A @ q)
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & \mathrm{limit} \in \mathbb{R}, \quad p_{1} \in \mathbb{R}^{m}, \quad A \in \mathbb{R}^{m \times m} \\
  & r_{-1} = 1 \\
  & \text{for }t = 0, \dots, 99 \\
  & \quad r_{t} = \frac{r_{t - 1} + \frac{\mathrm{limit}}{r_{t - 1}}}{2} \\
  & \quad \text{until }\left|r_{t} - r_{t - 1}\right| < 10^{-6} \\
  & q = \begin{cases} \log\left(p_{1}\right) & \text{if } p_{1} > 0 \\ -0.5 \cdot p_{1} & \text{otherwise} \end{cases} \\
  & v = \begin{cases} \left[\max_{j} A_{i, j}\right]_{i} & \text{if } \mathrm{limit} > 0 \\ A_{:, 0} + A_{:, 1} & \text{otherwise} \end{cases} \\
  & \left(S_{\mathrm{steps}}, r_{\mathrm{final}}, q^{\top}\,v + \frac{\sum_{i, j} A_{i, j}\,A_{j, i}}{m\,m} + \prod_{i, j} A_{i, 0}\,\exp\left(q_{j}\right), A^{-1}\,q, A\,q\right)
\end{align*}}
==> steps.tex
% grad(sum(log(1 + limit * p_1)), p_1)
%
% Written by Gradus from
%
%     limit : f64
%     p_1 : f64[m]
%     grad(sum(log(1 + limit * p_1)), p_1)
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & \mathrm{limit} \in \mathbb{R}, \quad p_{1} \in \mathbb{R}^{m} \\
  & \nabla_{p_{1}} \left(\sum_{i} \log\left(1 + \mathrm{limit}\,\left(p_{1}\right)_{i}\right)\right) \\
  & \text{1. stabilize: inner, rewrites inside the graph it owns; open it to see them} \\
  & \text{written as before} \\
  & \text{2. differentiate: expand{-}derivative, operator by operator} \\
  & \frac{\mathbf{1}_{m}}{1 + \mathrm{limit}\,p_{1}} \cdot \mathrm{limit} \\
  & \text{3. differentiate: broadcast{-}into, elementwise operators take scalars as they are} \\
  & \frac{1}{1 + \mathrm{limit}\,p_{1}} \cdot \mathrm{limit} \\
  & \text{4. simplify: simplify, the same sum of products in fewer operations} \\
  & \frac{\mathrm{limit}}{1 + \mathrm{limit}\,p_{1}}
\end{align*}}
==> steps.typ
// sum(scan t for 5 from u = p_1 { w = u[t-1] * limit * 1; u[t] = sqr(w) + w * 0 }, axis=0)
//
// Written by Gradus from
//
//     limit : f64
//     p_1 : f64[m]
//     S = scan t for 5 from u = p_1 {
//       w = u[t-1] * limit * 1
//       u[t] = sqr(w) + w * 0
//     }
//     sum(S, axis=0)
//
$
  & upright("limit") ∈ RR, quad p_(1) ∈ RR^(m) \
  & u_(-1) = p_(1) \
  & "for" t = 0, …, 4 \
  & quad w = u_(t - 1) thin upright("limit") · 1 \
  & quad u_(t) = w^2 + w · 0 \
  & S = (u_(t))_(t) \
  & [sum_(j) S_(j, i)]_(i) \
  & "1. canonicalize: inner, rewrites inside the graph it owns; open it to see them" \
  & "for" t = 0, …, 4 \
  & quad w = u_(t - 1) thin upright("limit") \
  & quad u_(t) = w^2 + u_(t - 1) thin upright("limit") · 0 \
  & "2. loops: hoist-terms, loop-invariant terms are combined into one, computed before the loop" \
  & upright("t1") = upright("limit") · 0 \
  & "for" t = 0, …, 4 \
  & quad u_(t) = w^2 + u_(t - 1) thin upright("t1") \
  & "3. loops: inner, rewrites inside the graph it owns; open it to see them" \
  & "for" t = 0, …, 4 \
  & quad u_(t) = u_(t - 1) ⊙ (u_(t - 1) thin upright("limit")^(2) + upright("t1"))
$
