# shows: one.tex several.tex taps.tex backwards.tex until.tex trace.tex
# the rows of a trace bear one number in all loops
k : f64 = 0.1
x : f64[n]
c = scan t for 30 from c = 90.0 { c[t] = c[t-1] - k * (c[t-1] - 20.0) }
:export grad(c.final, k) one.tex
S = scan t over x from u = 90.0, v = 1.0 { u[t] = u[t-1] - k * u[t-1] * v[t-1]; v[t] = v[t-1] * u[t-1] + x[t] }
:export grad(S.final.u, k) several.tex
T = scan t over x from u = stack((1.0, k)) { u[t] = u[t-1] * u[t-2] + x[t] }
:export grad(T.final, k) taps.tex
B = scan t over x from s = k { s[t] = s[t+1] * s[t+1] + x[t] }
:export grad(B.final, k) backwards.tex
U = scan t for 9 from r = k { r[t] = r[t-1] * r[t-1] / 2; until r[t] > 2 }
:export grad(U.final, k) until.tex
W = scan t over x from s = k, v = k { s[t+1] = s[t] * s[t] + x[t]; v[t] = v[t-1] * s[t] }
:export (W.s[0], W.s[n-1], W.v[-1], sum(W.s)) trace.tex
---
==> one.tex
% grad(c.final, k)
%
% Written by Gradus from
%
%     k : f64
%     S = scan t for 30 from c = 90.0 keep c_2 {
%       c_2[t-1] = c[t-1]
%       c[t] = c[t-1] - k * (c[t-1] - 20)
%     }
%     S_2 = scan t over c[t-1] = S.c_2 from d_c = 1.0, sum_d_k = 0.0 keep () {
%       d_c[t-1] = d_c[t] - d_c[t] * k
%       sum_d_k[t] = sum_d_k[t+1] - d_c[t] * (c[t-1] - 20)
%     }
%     S_2.final.sum_d_k
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R} \\
  & c^{(S)}_{-1} = 90 \\
  & \text{for }t = 0, \dots, 29 \\
  & \quad \mathrm{c\_2}_{t - 1} = c^{(S)}_{t - 1} \\
  & \quad c^{(S)}_{t} = c^{(S)}_{t - 1} - k \cdot \left(c^{(S)}_{t - 1} - 20\right) \\
  & \bar{c}_{29} = 1 \\
  & \bar{k}^{\Sigma}_{30} = 0 \\
  & \text{for }t = 29, \dots, 0 \\
  & \quad c^{(\mathrm{S\_2})}_{t - 1} = \mathrm{c\_2}_{t - 1} \\
  & \quad \bar{c}_{t - 1} = \bar{c}_{t} - \bar{c}_{t}\,k \\
  & \quad \bar{k}^{\Sigma}_{t} = \bar{k}^{\Sigma}_{t + 1} - \bar{c}_{t} \cdot \left(c^{(\mathrm{S\_2})}_{t - 1} - 20\right) \\
  & \frac{\partial c_{\mathrm{final}}}{\partial k} = \bar{k}^{\Sigma}_{\mathrm{final}}
\end{align*}}
==> several.tex
% grad(S.final.u, k)
%
% Written by Gradus from
%
%     k : f64
%     x : f64[n]
%     S = scan t over x from u = 90.0, v = 1.0 keep u_2, v_2 {
%       u_2[t-1] = u[t-1]
%       v_2[t-1] = v[t-1]
%       u[t] = u[t-1] - k * u[t-1] * v[t-1]
%       v[t] = v[t-1] * u[t-1] + x[t]
%     }
%     S_2 = scan t over v[t-1] = S.v_2, u[t-1] = S.u_2 from d_u = 1.0, d_v = 0.0, sum_d_k = 0.0 keep () {
%       t1 = d_v[t] - d_u[t] * k
%       d_u[t-1] = v[t-1] * t1 + d_u[t]
%       d_v[t-1] = u[t-1] * t1
%       sum_d_k[t] = sum_d_k[t+1] - d_u[t] * u[t-1] * v[t-1]
%     }
%     S_2.final.sum_d_k
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R}, \quad x \in \mathbb{R}^{n} \\
  & u^{(S)}_{-1} = 90 \\
  & v^{(S)}_{-1} = 1 \\
  & \text{for }t = 0, \dots, n - 1 \\
  & \quad \mathrm{u\_2}_{t - 1} = u^{(S)}_{t - 1} \\
  & \quad \mathrm{v\_2}_{t - 1} = v^{(S)}_{t - 1} \\
  & \quad u^{(S)}_{t} = u^{(S)}_{t - 1} - k\,u^{(S)}_{t - 1} \cdot v^{(S)}_{t - 1} \\
  & \quad v^{(S)}_{t} = v^{(S)}_{t - 1} \cdot u^{(S)}_{t - 1} + x_{t} \\
  & \bar{u}_{n - 1} = 1 \\
  & \bar{v}_{n - 1} = 0 \\
  & \bar{k}^{\Sigma}_{n} = 0 \\
  & \text{for }t = n - 1, \dots, 0 \\
  & \quad v^{(\mathrm{S\_2})}_{t - 1} = \mathrm{v\_2}_{t - 1} \\
  & \quad u^{(\mathrm{S\_2})}_{t - 1} = \mathrm{u\_2}_{t - 1} \\
  & \quad \mathrm{t1} = \bar{v}_{t} - \bar{u}_{t}\,k \\
  & \quad \bar{u}_{t - 1} = v^{(\mathrm{S\_2})}_{t - 1} \cdot \mathrm{t1} + \bar{u}_{t} \\
  & \quad \bar{v}_{t - 1} = u^{(\mathrm{S\_2})}_{t - 1} \cdot \mathrm{t1} \\
  & \quad \bar{k}^{\Sigma}_{t} = \bar{k}^{\Sigma}_{t + 1} - \bar{u}_{t}\,u^{(\mathrm{S\_2})}_{t - 1} \cdot v^{(\mathrm{S\_2})}_{t - 1} \\
  & \frac{\partial \left(u^{(S)}_{\mathrm{final}}\right)}{\partial k} = \bar{k}^{\Sigma}_{\mathrm{final}}
\end{align*}}
==> taps.tex
% grad(T.final, k)
%
% Written by Gradus from
%
%     k : f64
%     x : f64[n]
%     S = scan t over x from u = k, u_2 = 1.0 keep u_2, u_3 {
%       u_2[t] = u[t-1]
%       u_3[t-2] = u_2[t-1]
%       u[t] = u[t-1] * u_2[t-1] + x[t]
%     }
%     S_2 = scan t over u[t-2] = S.u_3, u[t-1] = S.u_2 from d_u = 1.0, d_u_tap_2 = 0.0 keep () {
%       d_u[t-1] = d_u_tap_2[t+1] + d_u[t] * u[t-2]
%       d_u_tap_2[t] = u[t-1] * d_u[t]
%     }
%     S_2.final.d_u
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R}, \quad x \in \mathbb{R}^{n} \\
  & u^{(S)}_{-1} = k \\
  & \mathrm{u\_2}_{-1} = 1 \\
  & \text{for }t = 0, \dots, n - 1 \\
  & \quad \mathrm{u\_2}_{t} = u^{(S)}_{t - 1} \\
  & \quad \mathrm{u\_3}_{t - 2} = \mathrm{u\_2}_{t - 1} \\
  & \quad u^{(S)}_{t} = u^{(S)}_{t - 1} \cdot \mathrm{u\_2}_{t - 1} + x_{t} \\
  & \bar{u}_{n - 1} = 1 \\
  & \bar{u}^{\mathrm{2}}_{n} = 0 \\
  & \text{for }t = n - 1, \dots, 0 \\
  & \quad u^{(\mathrm{S\_2})}_{t - 2} = \mathrm{u\_3}_{t - 2} \\
  & \quad u^{(\mathrm{S\_2})}_{t - 1} = \mathrm{u\_2}_{t} \\
  & \quad \bar{u}_{t - 1} = \bar{u}^{\mathrm{2}}_{t + 1} + \bar{u}_{t}\,u^{(\mathrm{S\_2})}_{t - 2} \\
  & \quad \bar{u}^{\mathrm{2}}_{t} = u^{(\mathrm{S\_2})}_{t - 1} \cdot \bar{u}_{t} \\
  & \frac{\partial T_{\mathrm{final}}}{\partial k} = \bar{u}_{\mathrm{final}}
\end{align*}}
==> backwards.tex
% grad(B.final, k)
%
% Written by Gradus from
%
%     k : f64
%     x : f64[n]
%     S = scan t over x from s = k keep s_2 {
%       s_2[t+1] = s[t+1]
%       s[t] = s[t+1] * s[t+1] + x[t]
%     }
%     prod(2 * S.s_2)
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R}, \quad x \in \mathbb{R}^{n} \\
  & s_{n} = k \\
  & \text{for }t = n - 1, \dots, 0 \\
  & \quad \mathrm{s\_2}_{t + 1} = s_{t + 1} \\
  & \quad s_{t} = s_{t + 1}\,s_{t + 1} + x_{t} \\
  & \frac{\partial B_{\mathrm{final}}}{\partial k} = \prod_{i} 2\,\mathrm{s\_2}_{i + 1}
\end{align*}}
==> until.tex
% grad(U.final, k)
%
% Written by Gradus from
%
%     k : f64
%     S = scan t for 9 from r = k keep r_2 {
%       r_2[t-1] = r[t-1]
%       r[t] = r[t-1] * r[t-1] / 2
%       until r[t] > 2
%     }
%     prod(S.r_2)
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R} \\
  & r_{-1} = k \\
  & \text{for }t = 0, \dots, 8 \\
  & \quad \mathrm{r\_2}_{t - 1} = r_{t - 1} \\
  & \quad r_{t} = \frac{r_{t - 1}\,r_{t - 1}}{2} \\
  & \quad \text{until }r_{t} > 2 \\
  & \frac{\partial U_{\mathrm{final}}}{\partial k} = \prod_{i} \mathrm{r\_2}_{i - 1}
\end{align*}}
==> trace.tex
% (W.s[0], W.s[n-1], W.v[-1], sum(W.s))
%
% Written by Gradus from
%
%     k : f64
%     x : f64[n]
%     S = scan t over x from s = k, v = k {
%       s[t] = s[t-1] * s[t-1] + x[t]
%       v[t] = v[t-1] * s[t-1]
%     }
%     (S.s[0], S.s[n - 1], S.v[-1], sum(S.s))
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R}, \quad x \in \mathbb{R}^{n} \\
  & s_{-1} = k \\
  & v_{-1} = k \\
  & \text{for }t = 0, \dots, n - 1 \\
  & \quad s_{t} = s_{t - 1}\,s_{t - 1} + x_{t} \\
  & \quad v_{t} = v_{t - 1}\,s_{t - 1} \\
  & \left(s_{0}, s_{n - 1}, v_{n - 1}, \sum_{i} s_{i}\right)
\end{align*}}
