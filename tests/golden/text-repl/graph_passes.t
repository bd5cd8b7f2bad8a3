# shows: s/00-start.gr s/02-canonicalize.gr s/04-differentiate.gr
# :graph DIR/ pass=all writes the graph after each pass that changed it.
x : f64[3] = [1, 2, 3]
:graph grad(sum(log(1 + x * 1)), x) s/ pass=all
:load s/04-differentiate.gr
:graph x / 2
---
s/00-start.gr: as written
s/02-canonicalize.gr: canonicalize: 1 step, 9 -> 8 nodes, done
s/03-stabilize.gr: stabilize: 1 step, 8 -> 6 nodes, done
s/04-differentiate.gr: differentiate: 2 steps, 6 -> 4 nodes, done
s/08-specialize.gr: specialize: 1 step, 4 -> 4 nodes, done
s/09-fuse.gr: fuse: 1 step, 4 -> 7 nodes, done
f64[3] = [0.5, 0.333333, 0.25]
x : f64[3]
x / 2
==> s/00-start.gr
# as written
x : f64[3]
grad(sum(log(1 + x * 1)), x)
==> s/02-canonicalize.gr
# canonicalize: 1 step, 9 -> 8 nodes, done
x : f64[3]
grad(sum(log(1 + x)), x)
==> s/04-differentiate.gr
# differentiate: 2 steps, 6 -> 4 nodes, done
x : f64[3]
1 / (1 + x)
