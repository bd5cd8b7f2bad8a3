# e-graphs as drawings: classes as dashed boxes, what was taken out in thick lines; parts of large ones
x : f64[1000]; y : f64[1000]
:draw (exp(x) * exp(y))[1] egraph start.dot iteration=0
:draw (exp(x) * exp(y))[1] egraph end.svg
:draw (exp(x) * exp(y))[1] egraph page.dot iteration=9
:draw sum(sin(x + y)^2) egraph part.json nodes=500
:draw x * 1 egraph
:draw x * 1 egraph one.svg step=1
:draw x * 1 one.svg nodes=5
:explore x * 1 egraph
---
start.dot: 7 e-nodes, 6 edges
end.svg: 19 e-nodes, 26 edges
input.gr:5:54: error: there are 4 iterations
    :draw (exp(x) * exp(y))[1] egraph page.dot iteration=9
                                                         ^
  hint: iteration=0 is the e-graph before the first
part.json: 55 e-nodes, 40 edges
input.gr:6:1: note: 55 of 496 e-nodes, 22 of 150 classes: those of the cheapest term, then what is nearest to the result
    :draw sum(sin(x + y)^2) egraph part.json nodes=500
    ^^^^^
input.gr:7:1: error: the drawing of an e-graph goes to a file
    :draw x * 1 egraph
    ^^^^^
  hint: :draw EXPR egraph FILE.svg, or :explore EXPR egraph FILE.html
input.gr:8:33: error: step= does not go with egraph
    :draw x * 1 egraph one.svg step=1
                                    ^
  hint: :help draw
input.gr:9:27: error: nodes= goes with egraph
    :draw x * 1 one.svg nodes=5
                              ^
  hint: :draw EXPR egraph FILE.svg
input.gr:10:1: error: the page of an e-graph goes to a file
    :explore x * 1 egraph
    ^^^^^^^^
  hint: :explore EXPR egraph FILE.html
exit 1
