# A derivation as a document in each format; what means something to a format is escaped.
# shows: d.md d.html d.tex
x_1 : f64[n]
:export log(1 + x_1) * 1 < 2 d.md steps=on
:export log(1 + x_1) * 1 < 2 d.html steps=on
:export log(1 + x_1) * 1 < 2 d.tex to=document
---
d.md: 3 steps
d.html: 3 steps
d.tex: 3 steps
==> d.md
# Derivation of `log(1 + x_1) * 1 < 2`

```
x_1 : f64[n]
log(1 + x_1) * 1 < 2
```

## canonicalize

one normal form: constants folded, signs and nesting straightened, shapes lifted

1 step, 7 -\> 6 nodes, done

- 1 **mul-one** E, exact: the same bits for every input

  1 is neutral

  ```diff
  - log(1 + x_1) «* 1»
  + log(1 + x_1)
  ```

## stabilize

the same functions without cancellation or overflow

1 step, 6 -\> 4 nodes, done

- 2 **log1p** R, may change rounding

  accurate for small x

  ```diff
  - «log(1 +» x_1)
  + «log1p»(x_1)
  ```

## fuse

elementwise operators over the same elements in one pass over them

1 step, 4 -\> 7 nodes, done

- 3 **fuse** E, exact: the same bits for every input

  one pass, tile by tile; 2 operators over f64\[n\]; 8 bytes per element not stored

  one kernel computes log1p(x\_1) \< 2 from x\_1

Nothing to do: inline, differentiate, simplify, expand, loops, specialize, lower

## result

```
fused(log1p(x_1) < 2)
```
==> d.html
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<title>Derivation of log(1 + x_1) * 1 &lt; 2</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>:root{color-scheme:light dark;--del:#fdeaea;--delword:#f5b5b5;--ins:#e6f6e8;--insword:#a5dcae;--code:#f4f4f2}@media screen and (prefers-color-scheme:dark){:root{--del:#3a1d1f;--delword:#7d3035;--ins:#17311d;--insword:#2b6637;--code:#242424}}body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:0 auto;padding:1em}h1,h2{line-height:1.25;overflow-wrap:anywhere}ol{list-style:none;margin:0;padding-left:1em}main>ol{padding-left:0}li{margin:1em 0}li>p{margin:.2em 0}li>ol{border-left:2px solid #8886}code,pre{font:14px/1.45 ui-monospace,monospace}small{opacity:.8}pre{background:var(--code);margin:.4em 0;padding:.4em .6em;white-space:pre-wrap;overflow-wrap:anywhere}pre.diff{padding:0;background:none}del,ins,pre.diff span{display:block;text-decoration:none;padding:.1em .6em .1em 2.2em;text-indent:-1.6em}del{background:var(--del)}ins{background:var(--ins)}del b{background:var(--delword)}ins b{background:var(--insword)}@media(max-width:40em){ol{padding-left:.5em}}@media print{body{max-width:none;font-size:10pt}code,pre{font-size:8.5pt}h2{break-after:avoid}pre{break-inside:avoid}del,ins,del b,ins b,pre{-webkit-print-color-adjust:exact;print-color-adjust:exact}}</style></head>
<body><main>
<h1>Derivation of <code>log(1 + x_1) * 1 &lt; 2</code></h1>
<pre><code>x_1 : f64[n]
log(1 + x_1) * 1 &lt; 2
</code></pre>
<h2>canonicalize</h2>
<p>one normal form: constants folded, signs and nesting straightened, shapes lifted</p>
<p>1 step, 7 -&gt; 6 nodes, done</p>
<ol>
<li><p>1 <strong>mul-one</strong> <small>E, exact: the same bits for every input</small></p>
<p>1 is neutral</p>
<pre class="diff"><del>- log(1 + x_1) <b>* 1</b>
</del><ins>+ log(1 + x_1)
</ins></pre>
</li>
</ol>
<h2>stabilize</h2>
<p>the same functions without cancellation or overflow</p>
<p>1 step, 6 -&gt; 4 nodes, done</p>
<ol>
<li><p>2 <strong>log1p</strong> <small>R, may change rounding</small></p>
<p>accurate for small x</p>
<pre class="diff"><del>- <b>log(1 +</b> x_1)
</del><ins>+ <b>log1p</b>(x_1)
</ins></pre>
</li>
</ol>
<h2>fuse</h2>
<p>elementwise operators over the same elements in one pass over them</p>
<p>1 step, 4 -&gt; 7 nodes, done</p>
<ol>
<li><p>3 <strong>fuse</strong> <small>E, exact: the same bits for every input</small></p>
<p>one pass, tile by tile; 2 operators over f64[n]; 8 bytes per element not stored</p>
<p>one kernel computes log1p(x_1) &lt; 2 from x_1</p>
</li>
</ol>
<p>Nothing to do: inline, differentiate, simplify, expand, loops, specialize, lower</p>
<h2>result</h2>
<pre><code>fused(log1p(x_1) &lt; 2)
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
\section*{Derivation of \texttt{log(1 + x\_1) * 1 {<} 2}}
\gradusline{x\_1 : f64[n]}
\gradusline{log(1 + x\_1) * 1 {<} 2}
\subsection*{canonicalize}
one normal form: constants folded, signs and nesting straightened, shapes lifted\par
1 step, 7 {-}{>} 6 nodes, done\par
\begin{itemize}
\item 1 \textbf{mul{-}one} \textcolor{gradusfaint}{E, exact: the same bits for every input}\par
1 is neutral\par
\gradusline{{-}~log(1 + x\_1) \gradusdel{*} \gradusdel{1}}
\gradusline{+~log(1 + x\_1)}
\end{itemize}
\subsection*{stabilize}
the same functions without cancellation or overflow\par
1 step, 6 {-}{>} 4 nodes, done\par
\begin{itemize}
\item 2 \textbf{log1p} \textcolor{gradusfaint}{R, may change rounding}\par
accurate for small x\par
\gradusline{{-}~\gradusdel{log(1} \gradusdel{+} x\_1)}
\gradusline{+~\gradusins{log1p}(x\_1)}
\end{itemize}
\subsection*{fuse}
elementwise operators over the same elements in one pass over them\par
1 step, 4 {-}{>} 7 nodes, done\par
\begin{itemize}
\item 3 \textbf{fuse} \textcolor{gradusfaint}{E, exact: the same bits for every input}\par
one pass, tile by tile; 2 operators over f64[n]; 8 bytes per element not stored\par
one kernel computes log1p(x\_1) {<} 2 from x\_1\par
\end{itemize}
Nothing to do: inline, differentiate, simplify, expand, loops, specialize, lower\par
\subsection*{result}
\gradusline{fused(log1p(x\_1) {<} 2)}
\end{document}
