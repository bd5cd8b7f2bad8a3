# e-graphs as drawings: classes as dashed boxes, what was taken out in thick lines; parts of large ones
x : f64[1000]; y : f64[1000]
:draw (exp(x) * exp(y))[1] egraph=on start.dot iteration=0
:draw (exp(x) * exp(y))[1] egraph=on end.svg
:draw (exp(x) * exp(y))[1] egraph=on page.dot iteration=9
:draw sum(sin(x + y)^2) egraph=on part.json nodes=500
:draw x * 1 egraph=on
:draw x * 1 egraph=on one.svg step=1
:draw x * 1 one.svg nodes=5
:explore x * 1 egraph=on
A : f64[n, m]; B : f64[m, k]; C : f64[k, l]
:draw A @ B @ C egraph=on wide.json n=1000 m=3
:draw A @ B @ C egraph=on narrow.json n=3 m=1000 k=3 l=1000
:draw A @ B @ C egraph=on none.json j=1000
:draw A @ B @ C none.json n=1000
:explore A @ B @ C none.html n=1000
---
start.dot: 7 e-nodes, 6 edges
end.svg: 19 e-nodes, 26 edges
input.gr:5:57: error: there are 3 iterations
    :draw (exp(x) * exp(y))[1] egraph=on page.dot iteration=9
                                                            ^
  hint: iteration=0 is the e-graph before the first
part.json: 55 e-nodes, 21 edges
input.gr:6:1: note: 55 of 492 e-nodes, 13 of 107 classes: those of the cheapest term, then what is nearest to the result
    :draw sum(sin(x + y)^2) egraph=on part.json nodes=500
    ^^^^^
input.gr:7:1: error: the drawing of an e-graph goes to a file
    :draw x * 1 egraph=on
    ^^^^^
  hint: :draw EXPR FILE.svg egraph=on, or :explore EXPR FILE.html egraph=on
input.gr:8:36: error: step= does not go with egraph=on
    :draw x * 1 egraph=on one.svg step=1
                                       ^
  hint: :help draw
input.gr:9:27: error: nodes= goes with egraph=on
    :draw x * 1 one.svg nodes=5
                              ^
  hint: :help draw
input.gr:10:1: error: the page of an e-graph goes to a file
    :explore x * 1 egraph=on
    ^^^^^^^^
  hint: :explore EXPR FILE.html egraph=on
wide.json: 7 e-nodes, 8 edges
narrow.json: 7 e-nodes, 8 edges
input.gr:14:39: error: no input has a size j
    :draw A @ B @ C egraph=on none.json j=1000
                                          ^^^^
  hint: sizes are the names in types: x : f64[n]; :draw [EXPR|A, B] [FILE|.svg|.png|.pdf|.dot|.json|.tex|.mmd|.sixel] [egraph=on] [KEY=VALUE...]
input.gr:15:27: error: :draw takes no n=
    :draw A @ B @ C none.json n=1000
                              ^^^^^^
  hint: it takes egraph=, pass=, step=, form=, film=, focus=, depth=, values=, unroll=, cells=, adjoint=, inner=, group=, iteration=, draw=, highlight=, find=, types=, ids=, label=, link=, look=, color=, legend=, title=, caption=, theme=, dir=, style=, width=, min=, index=, repeat=, scale=, dpi=, background=, rules=, iterations=, nodes=, cost=, assume=
input.gr:16:30: error: :explore takes no n=
    :explore A @ B @ C none.html n=1000
                                 ^^^^^^
  hint: it takes open=, find=, color=, whynot=, egraph=, pass=, step=, rules=, iterations=, nodes=, cost=, assume=
exit 1
