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
%     S = scan t for 30 from c = 90.0 keep c1 {
%       c1[t-1] = c[t-1]
%       c[t] = c[t-1] - k * (c[t-1] - 20)
%     }
%     S1 = scan t over c[t-1] = S.c1 from d c = 1.0, sum d k = 0.0 keep () {
%       d c[t-1] = d c[t] - d c[t] * k
%       sum d k[t] = sum d k[t+1] - d c[t] * (c[t-1] - 20)
%     }
%     S1.final.sum d k
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R} \\
  & c^{(S)}_{-1} = 90 \\
  & \text{for }t = 0, \dots, 29 \\
  & \quad \mathrm{c1}_{t - 1} = c^{(S)}_{t - 1} \\
  & \quad c^{(S)}_{t} = c^{(S)}_{t - 1} - k \cdot \left(c^{(S)}_{t - 1} - 20\right) \\
  & \bar{c}_{29} = 1 \\
  & \bar{k}^{\Sigma}_{30} = 0 \\
  & \text{for }t = 29, \dots, 0 \\
  & \quad c^{(\mathrm{S1})}_{t - 1} = \mathrm{c1}_{t - 1} \\
  & \quad \bar{c}_{t - 1} = \bar{c}_{t} - \bar{c}_{t}\,k \\
  & \quad \bar{k}^{\Sigma}_{t} = \bar{k}^{\Sigma}_{t + 1} - \bar{c}_{t} \cdot \left(c^{(\mathrm{S1})}_{t - 1} - 20\right) \\
  & \frac{\partial c_{\mathrm{final}}}{\partial k} = \bar{k}^{\Sigma}_{\mathrm{final}}
\end{align*}}
==> several.tex
% grad(S.final.u, k)
%
% Written by Gradus from
%
%     k : f64
%     x : f64[n]
%     S = scan t over x from u = 90.0, v = 1.0 keep u1, v1 {
%       u1[t-1] = u[t-1]
%       v1[t-1] = v[t-1]
%       u[t] = u[t-1] - k * u[t-1] * v[t-1]
%       v[t] = v[t-1] * u[t-1] + x[t]
%     }
%     S1 = scan t over v[t-1] = S.v1, u[t-1] = S.u1 from d u = 1.0, d v = 0.0, sum d k = 0.0 keep () {
%       d u[t-1] = d v[t] * v[t-1] - d u[t] * k * v[t-1] + d u[t]
%       d v[t-1] = d v[t] * u[t-1] - d u[t] * k * u[t-1]
%       sum d k[t] = sum d k[t+1] - d u[t] * u[t-1] * v[t-1]
%     }
%     S1.final.sum d k
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R}, \quad x \in \mathbb{R}^{n} \\
  & u^{(S)}_{-1} = 90 \\
  & v^{(S)}_{-1} = 1 \\
  & \text{for }t = 0, \dots, n - 1 \\
  & \quad \mathrm{u1}_{t - 1} = u^{(S)}_{t - 1} \\
  & \quad \mathrm{v1}_{t - 1} = v^{(S)}_{t - 1} \\
  & \quad u^{(S)}_{t} = u^{(S)}_{t - 1} - k\,u^{(S)}_{t - 1} \cdot v^{(S)}_{t - 1} \\
  & \quad v^{(S)}_{t} = v^{(S)}_{t - 1} \cdot u^{(S)}_{t - 1} + x_{t} \\
  & \bar{u}_{n - 1} = 1 \\
  & \bar{v}_{n - 1} = 0 \\
  & \bar{k}^{\Sigma}_{n} = 0 \\
  & \text{for }t = n - 1, \dots, 0 \\
  & \quad v^{(\mathrm{S1})}_{t - 1} = \mathrm{v1}_{t - 1} \\
  & \quad u^{(\mathrm{S1})}_{t - 1} = \mathrm{u1}_{t - 1} \\
  & \quad \bar{u}_{t - 1} = \bar{v}_{t}\,v^{(\mathrm{S1})}_{t - 1} - \bar{u}_{t}\,k \cdot v^{(\mathrm{S1})}_{t - 1} + \bar{u}_{t} \\
  & \quad \bar{v}_{t - 1} = \bar{v}_{t}\,u^{(\mathrm{S1})}_{t - 1} - \bar{u}_{t}\,k \cdot u^{(\mathrm{S1})}_{t - 1} \\
  & \quad \bar{k}^{\Sigma}_{t} = \bar{k}^{\Sigma}_{t + 1} - \bar{u}_{t}\,u^{(\mathrm{S1})}_{t - 1} \cdot v^{(\mathrm{S1})}_{t - 1} \\
  & \frac{\partial \left(u^{(S)}_{\mathrm{final}}\right)}{\partial k} = \bar{k}^{\Sigma}_{\mathrm{final}}
\end{align*}}
==> taps.tex
% grad(T.final, k)
%
% Written by Gradus from
%
%     k : f64
%     x : f64[n]
%     S = scan t over x from u = k, u1 = 1.0 keep u1, u2 {
%       u1[t] = u[t-1]
%       u2[t-2] = u1[t-1]
%       u[t] = u[t-1] * u1[t-1] + x[t]
%     }
%     S1 = scan t over u[t-2] = S.u2, u[t-1] = S.u1 from d u = 1.0, d_u_tap_2 = 0.0 keep () {
%       d u[t-1] = d_u_tap_2[t+1] + d u[t] * u[t-2]
%       d_u_tap_2[t] = u[t-1] * d u[t]
%     }
%     S1.final.d u
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R}, \quad x \in \mathbb{R}^{n} \\
  & u^{(S)}_{-1} = k \\
  & \mathrm{u1}_{-1} = 1 \\
  & \text{for }t = 0, \dots, n - 1 \\
  & \quad \mathrm{u1}_{t} = u^{(S)}_{t - 1} \\
  & \quad \mathrm{u2}_{t - 2} = \mathrm{u1}_{t - 1} \\
  & \quad u^{(S)}_{t} = u^{(S)}_{t - 1} \cdot \mathrm{u1}_{t - 1} + x_{t} \\
  & \bar{u}_{n - 1} = 1 \\
  & \mathrm{d\_u\_tap\_2}_{n} = 0 \\
  & \text{for }t = n - 1, \dots, 0 \\
  & \quad u^{(\mathrm{S1})}_{t - 2} = \mathrm{u2}_{t - 2} \\
  & \quad u^{(\mathrm{S1})}_{t - 1} = \mathrm{u1}_{t} \\
  & \quad \bar{u}_{t - 1} = \mathrm{d\_u\_tap\_2}_{t + 1} + \bar{u}_{t}\,u^{(\mathrm{S1})}_{t - 2} \\
  & \quad \mathrm{d\_u\_tap\_2}_{t} = u^{(\mathrm{S1})}_{t - 1} \cdot \bar{u}_{t} \\
  & \frac{\partial T_{\mathrm{final}}}{\partial k} = \bar{u}_{\mathrm{final}}
\end{align*}}
==> backwards.tex
% grad(B.final, k)
%
% Written by Gradus from
%
%     k : f64
%     x : f64[n]
%     S = scan t over x from s = k keep s1 {
%       s1[t+1] = s[t+1]
%       s[t] = s[t+1] * s[t+1] + x[t]
%     }
%     S1 = scan t over s[t+1] = S.s1 from d s = 1.0 keep () {
%       t1 = d s[t-1] * s[t+1]
%       d s[t] = t1 + t1
%     }
%     S1.final
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R}, \quad x \in \mathbb{R}^{n} \\
  & s^{(S)}_{n} = k \\
  & \text{for }t = n - 1, \dots, 0 \\
  & \quad \mathrm{s1}_{t + 1} = s^{(S)}_{t + 1} \\
  & \quad s^{(S)}_{t} = s^{(S)}_{t + 1} \cdot s^{(S)}_{t + 1} + x_{t} \\
  & \bar{s}_{-1} = 1 \\
  & \text{for }t = 0, \dots, n - 1 \\
  & \quad s^{(\mathrm{S1})}_{t + 1} = \mathrm{s1}_{t + 1} \\
  & \quad \mathrm{t1} = \bar{s}_{t - 1}\,s^{(\mathrm{S1})}_{t + 1} \\
  & \quad \bar{s}_{t} = \mathrm{t1} + \mathrm{t1} \\
  & \frac{\partial B_{\mathrm{final}}}{\partial k} = \bar{s}_{\mathrm{final}}
\end{align*}}
==> until.tex
% grad(U.final, k)
%
% Written by Gradus from
%
%     k : f64
%     S = scan t for 9 from r = k keep r1 {
%       r1[t-1] = r[t-1]
%       r[t] = r[t-1] * r[t-1] / 2
%       until r[t] > 2
%     }
%     S1 = scan t over r[t-1] = S.r1 from d r = 1.0 keep () {
%       t1 = d r[t] / 2 * r[t-1]
%       d r[t-1] = t1 + t1
%     }
%     S1.final
%
% To \input; needs amsmath and amssymb.
{\allowdisplaybreaks
\begin{align*}
  & k \in \mathbb{R} \\
  & r^{(S)}_{-1} = k \\
  & \text{for }t = 0, \dots, 8 \\
  & \quad \mathrm{r1}_{t - 1} = r^{(S)}_{t - 1} \\
  & \quad r^{(S)}_{t} = \frac{r^{(S)}_{t - 1} \cdot r^{(S)}_{t - 1}}{2} \\
  & \quad \text{until }r^{(S)}_{t} > 2 \\
  & \bar{r}_{\mathrm{end}} = 1 \\
  & \text{for }t = \mathrm{end}, \dots, 0 \\
  & \quad r^{(\mathrm{S1})}_{t - 1} = \mathrm{r1}_{t - 1} \\
  & \quad \mathrm{t1} = \frac{\bar{r}_{t}}{2} \cdot r^{(\mathrm{S1})}_{t - 1} \\
  & \quad \bar{r}_{t - 1} = \mathrm{t1} + \mathrm{t1} \\
  & \frac{\partial U_{\mathrm{final}}}{\partial k} = \bar{r}_{\mathrm{final}}
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
