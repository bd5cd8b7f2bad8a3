# Steps inside bodies in HTML and LaTeX.
# shows: d.html d.tex
u : f64[5, 3]
h0 : f64[3]
V : f64[3, 3]
S = scan t over u from h = h0 { h[t] = tanh(V @ h[t-1] + u[t]) }
:export grad(sum(sqr(S.final)), V) d.html steps=on
:export grad(sum(sqr(S.final)), V) d.tex to=document
---
d.html: 9 steps
d.tex: 9 steps
==> d.html
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>Derivation of grad(sum(sqr(S.final)), V)</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>:root{color-scheme:light dark;--del:#fdeaea;--delword:#f5b5b5;--ins:#e6f6e8;--insword:#a5dcae;--code:#f4f4f2}@media screen and (prefers-color-scheme:dark){:root{--del:#3a1d1f;--delword:#7d3035;--ins:#17311d;--insword:#2b6637;--code:#242424}}body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:0 auto;padding:1em}h1,h2{line-height:1.25;overflow-wrap:anywhere}ol{list-style:none;margin:0;padding-left:1em}main>ol{padding-left:0}li{margin:1em 0}li>p{margin:.2em 0}li>ol{border-left:2px solid #8886}code,pre{font:14px/1.45 ui-monospace,monospace}small{opacity:.8}pre{background:var(--code);margin:.4em 0;padding:.4em .6em;white-space:pre-wrap;overflow-wrap:anywhere}pre.diff{padding:0;background:none}del,ins,pre.diff span{display:block;text-decoration:none;padding:.1em .6em .1em 2.2em;text-indent:-1.6em}del{background:var(--del)}ins{background:var(--ins)}del b{background:var(--delword)}ins b{background:var(--insword)}@media(max-width:40em){ol{padding-left:.5em}}@media print{body{max-width:none;font-size:10pt}code,pre{font-size:8.5pt}h2{break-after:avoid}pre{break-inside:avoid}del,ins,del b,ins b,pre{-webkit-print-color-adjust:exact;print-color-adjust:exact}}</style></head>
<body><main>
<h1>Derivation of <code>grad(sum(sqr(S.final)), V)</code></h1>
<pre><code>u : f64[5, 3]
h0 : f64[3]
V : f64[3, 3]
grad({
  S = scan t over u from h = h0 {
    h[t] = tanh(V @ h[t-1] + u[t])
  }
  sum(sqr(S.final))
}, V)
</code></pre>
<h2>differentiate</h2>
<p>implicit derivatives expanded, innermost first, and the result straightened</p>
<p>1 step, 19 -&gt; 35 nodes, done</p>
<ol>
<li><p>1 <strong>expand-derivative</strong> <small>E, exact: the same bits for every input</small></p>
<p>operator by operator; reverse sweep over 14 nodes</p>
<p>new: scan h (%7) and scan d_h, sum_d_V (%25)</p>
<p>d_V = %25.final.sum_d_V</p>
<p>where</p>
<pre><code>%7 = scan t over u from h = h0 keep h_2, one_minus_sqr_h {
  h_2[t-1] = h[t-1]
  h[t] = tanh(V @ h[t-1] + u[t])
  one_minus_sqr_h[t] = 1 - h[t] * h[t]
}
</code></pre>
<p>where</p>
<pre><code>%25 = scan t over one_minus_sqr_h = %7.one_minus_sqr_h, h[t-1] = %7.h_2 from d_h = %15,
    sum_d_V = %16 keep () {
  %19 = d_h[t] * one_minus_sqr_h[t]
  d_h[t-1] = %19 @ V
  sum_d_V[t] = sum_d_V[t+1] + %19[:, None] @ h[t-1][None, :]
}
</code></pre>
<p>where <code>%15 = 2 * %7.final.h</code></p>
<p>where <code>%16 = broadcast_to(0.0, (3, 3))</code></p>
</li>
</ol>
<h2>loops</h2>
<p>loops that do less, run together, or become products, reductions and maps</p>
<p>1 step, 35 -&gt; 28 nodes, done</p>
<ol>
<li><p>2 <strong>accumulate</strong> <small>R, may change rounding</small></p>
<p>a sum of products over the steps is one product after the loop; 1 sum of products</p>
<p>scan d_h, sum_d_V: state sum_d_V is gone</p>
<p>trace %19 is kept now</p>
<p>it no longer reads h[t-1] step by step</p>
<pre class="diff"><del>- sum_d_V = sum_d_V + (d_h[t] * one_minus_sqr_h[t])[:, None] @ h[t-1][None, :]
</del><del>- d_V = %25.final.sum_d_V
</del><ins>+ d_V = %25.trace' @ %7.h
</ins></pre>
</li>
</ol>
<h2>specialize</h2>
<p>cheaper operators for special cases</p>
<p>2 steps, 28 -&gt; 27 nodes, done</p>
<ol>
<li><p>3 <strong>inner</strong> <small>E, exact: the same bits for every input</small></p>
<p>in scan h</p>
<ol>
<li><p>3.1 <strong>mul-self</strong> in scan h <small>E, exact: the same bits for every input</small></p>
<p>a square</p>
<pre class="diff"><del>- h[t] * h[t]
</del><ins>+ sqr(h[t])
</ins></pre>
</li>
</ol>
</li>
<li><p>4 <strong>gemm</strong> <small>R, may change rounding</small></p>
<p>the transposed matrix is read in place, without a copy</p>
<pre class="diff"><del>- d_V = %25.trace<b>' @</b> %7.h
</del><ins>+ d_V = <b>gemm(</b>%25.trace<b>,</b> %7.h<b>, ta=true)</b>
</ins></pre>
</li>
</ol>
<h2>fuse</h2>
<p>elementwise operators over the same elements in one pass over them</p>
<p>1 step, 27 -&gt; 32 nodes, done</p>
<ol>
<li><p>5 <strong>inner</strong> <small>E, exact: the same bits for every input</small></p>
<p>in scan h</p>
<ol>
<li><p>5.1 <strong>fuse</strong> in scan h <small>E, exact: the same bits for every input</small></p>
<p>one pass, tile by tile; 4 operators over f64[3]; 48 bytes not stored</p>
<p>one kernel computes h[t], one_minus_sqr_h[t] from u[t], V @ h[t-1]</p>
<pre class="diff"><span>  h[t] = tanh(V @ h[t-1] + u[t])
</span><span>  one_minus_sqr_h[t] = 1 - sqr(h[t])
</span></pre>
</li>
</ol>
</li>
</ol>
<h2>lower</h2>
<p>scans as the loops that run: counters, indices and tests spelled out</p>
<p>2 steps, 32 -&gt; 47 nodes, done</p>
<ol>
<li><p>6 <strong>lower-scan</strong> <small>E, exact: the same bits for every input</small></p>
<p>the loop that runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from 0 to n-1, in place of 1 sequence</p>
<p>scan h runs as loop h, row</p>
</li>
<li><p>7 <strong>lower-scan</strong> <small>E, exact: the same bits for every input</small></p>
<p>the loop that runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from n-1 down to 0, in place of 1 sequence</p>
<p>scan d_h runs as loop d_h, row</p>
<pre class="diff"><del>- %25.stopped
</del><ins>+ false
</ins></pre>
</li>
</ol>
<p>Nothing to do: inline, canonicalize, stabilize, simplify, expand</p>
<h2>result</h2>
<pre><code>S = loop t for 5 if true from h = h0, row = 0 keep h_2, one_minus_sqr_h {
  h_2[t-1] = h[t-1]
  t1 = u[row[t-1]]
  t2 = V @ h[t-1]
  h[t], one_minus_sqr_h[t] = fused({
    t3 = tanh(t2 + t1)
    (t3, 1 - sqr(t3))
  })
  row[t] = row[t-1] + 1
  while row[t] &lt; 5
}
S_2 = loop t for 5 if true from d_h = 2 * S.final.h, row = 4 down keep y {
  y[t] = d_h[t-1] * S.one_minus_sqr_h[row[t-1]]
  d_h[t] = y[t] @ V
  row[t] = row[t-1] + -1
  while row[t] &gt;= 0
}
gemm(S_2.y, S.h_2, ta=true)
</code></pre>
</main></body></html>
==> d.tex
% Packages: fontenc, geometry, xcolor, enumitem.
% pdflatex sets Latin letters; lualatex or xelatex, any that the font has.
\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[margin=2.2cm]{geometry}
\usepackage{xcolor}
\usepackage{enumitem}
\definecolor{gradusdel}{HTML}{F5B5B5}
\definecolor{gradusins}{HTML}{A5DCAE}
\definecolor{gradusfaint}{HTML}{555555}
\setlength{\parindent}{0pt}
\setlength{\parskip}{3pt}
\setlength{\fboxsep}{1pt}
\setlistdepth{9}
\renewlist{itemize}{itemize}{9}
\setlist[itemize]{label={},leftmargin=1em,labelwidth=0pt,labelsep=0pt}
\newcommand{\gradusdel}[1]{\colorbox{gradusdel}{\strut #1}}
\newcommand{\gradusins}[1]{\colorbox{gradusins}{\strut #1}}
\newcommand{\gradusline}[1]{{\raggedright\small\ttfamily\hangindent=3em\hangafter=1 #1\par}}
\begin{document}
\section*{Derivation of \texttt{grad(sum(sqr(S.final)), V)}}
\gradusline{u : f64[5, 3]}
\gradusline{h0 : f64[3]}
\gradusline{V : f64[3, 3]}
\gradusline{grad(\{}
\gradusline{~~S = scan t over u from h = h0 \{}
\gradusline{~~~~h[t] = tanh(V @ h[t{-}1] + u[t])}
\gradusline{~~\}}
\gradusline{~~sum(sqr(S.final))}
\gradusline{\}, V)}
\subsection*{differentiate}
implicit derivatives expanded, innermost first, and the result straightened\par
1 step, 19 {-}{>} 35 nodes, done\par
\begin{itemize}
\item 1 \textbf{expand{-}derivative} \textcolor{gradusfaint}{E, exact: the same bits for every input}\par
operator by operator; reverse sweep over 14 nodes\par
new: scan h (\%7) and scan d\_h, sum\_d\_V (\%25)\par
d\_V = \%25.final.sum\_d\_V\par
where\par
\gradusline{\%7 = scan t over u from h = h0 keep h\_2, one\_minus\_sqr\_h \{}
\gradusline{~~h\_2[t{-}1] = h[t{-}1]}
\gradusline{~~h[t] = tanh(V @ h[t{-}1] + u[t])}
\gradusline{~~one\_minus\_sqr\_h[t] = 1 {-} h[t] * h[t]}
\gradusline{\}}
where\par
\gradusline{\%25 = scan t over one\_minus\_sqr\_h = \%7.one\_minus\_sqr\_h, h[t{-}1] = \%7.h\_2 from d\_h = \%15,}
\gradusline{~~~~sum\_d\_V = \%16 keep () \{}
\gradusline{~~\%19 = d\_h[t] * one\_minus\_sqr\_h[t]}
\gradusline{~~d\_h[t{-}1] = \%19 @ V}
\gradusline{~~sum\_d\_V[t] = sum\_d\_V[t+1] + \%19[:, None] @ h[t{-}1][None, :]}
\gradusline{\}}
where \texttt{\%15 = 2 * \%7.final.h}\par
where \texttt{\%16 = broadcast\_to(0.0, (3, 3))}\par
\end{itemize}
\subsection*{loops}
loops that do less, run together, or become products, reductions and maps\par
1 step, 35 {-}{>} 28 nodes, done\par
\begin{itemize}
\item 2 \textbf{accumulate} \textcolor{gradusfaint}{R, may change rounding}\par
a sum of products over the steps is one product after the loop; 1 sum of products\par
scan d\_h, sum\_d\_V: state sum\_d\_V is gone\par
trace \%19 is kept now\par
it no longer reads h[t{-}1] step by step\par
\gradusline{{-}~sum\_d\_V = sum\_d\_V + (d\_h[t] * one\_minus\_sqr\_h[t])[:, None] @ h[t{-}1][None, :]}
\gradusline{{-}~d\_V = \%25.final.sum\_d\_V}
\gradusline{+~d\_V = \%25.trace{'} @ \%7.h}
\end{itemize}
\subsection*{specialize}
cheaper operators for special cases\par
2 steps, 28 {-}{>} 27 nodes, done\par
\begin{itemize}
\item 3 \textbf{inner} \textcolor{gradusfaint}{E, exact: the same bits for every input}\par
in scan h\par
\begin{itemize}
\item 3.1 \textbf{mul{-}self} in scan h \textcolor{gradusfaint}{E, exact: the same bits for every input}\par
a square\par
\gradusline{{-}~h[t] * h[t]}
\gradusline{+~sqr(h[t])}
\end{itemize}
\item 4 \textbf{gemm} \textcolor{gradusfaint}{R, may change rounding}\par
the transposed matrix is read in place, without a copy\par
\gradusline{{-}~d\_V = \%25.trace\gradusdel{{'}} \gradusdel{@} \%7.h}
\gradusline{+~d\_V = \gradusins{gemm(}\%25.trace\gradusins{,} \%7.h\gradusins{,} \gradusins{ta=true)}}
\end{itemize}
\subsection*{fuse}
elementwise operators over the same elements in one pass over them\par
1 step, 27 {-}{>} 32 nodes, done\par
\begin{itemize}
\item 5 \textbf{inner} \textcolor{gradusfaint}{E, exact: the same bits for every input}\par
in scan h\par
\begin{itemize}
\item 5.1 \textbf{fuse} in scan h \textcolor{gradusfaint}{E, exact: the same bits for every input}\par
one pass, tile by tile; 4 operators over f64[3]; 48 bytes not stored\par
one kernel computes h[t], one\_minus\_sqr\_h[t] from u[t], V @ h[t{-}1]\par
\gradusline{~~h[t] = tanh(V @ h[t{-}1] + u[t])}
\gradusline{~~one\_minus\_sqr\_h[t] = 1 {-} sqr(h[t])}
\end{itemize}
\end{itemize}
\subsection*{lower}
scans as the loops that run: counters, indices and tests spelled out\par
2 steps, 32 {-}{>} 47 nodes, done\par
\begin{itemize}
\item 6 \textbf{lower{-}scan} \textcolor{gradusfaint}{E, exact: the same bits for every input}\par
the loop that runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from 0 to n{-}1, in place of 1 sequence\par
scan h runs as loop h, row\par
\item 7 \textbf{lower{-}scan} \textcolor{gradusfaint}{E, exact: the same bits for every input}\par
the loop that runs: a counter, a test before each step, arrays indexed by the counter; the counter runs from n{-}1 down to 0, in place of 1 sequence\par
scan d\_h runs as loop d\_h, row\par
\gradusline{{-}~\%25.stopped}
\gradusline{+~false}
\end{itemize}
Nothing to do: inline, canonicalize, stabilize, simplify, expand\par
\subsection*{result}
\gradusline{S = loop t for 5 if true from h = h0, row = 0 keep h\_2, one\_minus\_sqr\_h \{}
\gradusline{~~h\_2[t{-}1] = h[t{-}1]}
\gradusline{~~t1 = u[row[t{-}1]]}
\gradusline{~~t2 = V @ h[t{-}1]}
\gradusline{~~h[t], one\_minus\_sqr\_h[t] = fused(\{}
\gradusline{~~~~t3 = tanh(t2 + t1)}
\gradusline{~~~~(t3, 1 {-} sqr(t3))}
\gradusline{~~\})}
\gradusline{~~row[t] = row[t{-}1] + 1}
\gradusline{~~while row[t] {<} 5}
\gradusline{\}}
\gradusline{S\_2 = loop t for 5 if true from d\_h = 2 * S.final.h, row = 4 down keep y \{}
\gradusline{~~y[t] = d\_h[t{-}1] * S.one\_minus\_sqr\_h[row[t{-}1]]}
\gradusline{~~d\_h[t] = y[t] @ V}
\gradusline{~~row[t] = row[t{-}1] + {-}1}
\gradusline{~~while row[t] {>}= 0}
\gradusline{\}}
\gradusline{gemm(S\_2.y, S.h\_2, ta=true)}
\end{document}
