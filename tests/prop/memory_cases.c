/* What the program can be asked for, in small: so many kinds of statements, of derivatives and of
 * commands as there are, rather than large ones. */
#include "memory_cases.h"

#define DATA                                                                \
    "x : f64[4] = [0.5, -1.0, 2.0, 0.25]\n"                                 \
    "A : f64[3, 3] = [[4, 1, 0], [1, 3, 1], [0, 1, 5]]\n"                   \
    "S = scan t over x from s = 0.0 { s[t] = s[t-1] * 0.5 + tanh(x[t]) }\n" \
    "shared w : f64 = 1\n"                                                  \
    "f(v) = exp(v) - v * v + 3 * v * 0 + v / 1\n"
/* A loop in a loop; one that ends early; one that keeps only some states; one of two states with
 * sides. */
#define NEST                                                                   \
    "N = scan t over x from s = 0.0 {\n"                                       \
    "  q = scan j over x from p = s[t-1] { p[j] = tanh(p[j-1]) * w + x[t] }\n" \
    "  s[t] = s[t-1] * 0.5 + q.final }\n"
#define UNTIL "U = scan t for 9 from s = w { s[t] = s[t-1] * 1.5 + sin(s[t-1]); until s[t] > 5 }\n"
#define KEPT "C = scan t over x from s = 0.0 checkpoint 2 { s[t] = sin(s[t-1]) + w * x[t] }\n"
#define SIDES                                                         \
    "I = scan t over x from s = 0.0, z = w {\n"                       \
    "  s[t] = if x[t] > 0 then s[t-1] * w + x[t] else tanh(z[t-1])\n" \
    "  z[t] = s[t-1] * z[t-1] }\n"
#define HAND ":move exp(w) - w * w / 1\n"
#define RNN "h = scan t over x from h = zeros(3) { h[t] = tanh(A @ h[t-1] + x[t]) }\n"

const MemoryCase memory_cases[] = {
    /* texts that are wrong */
    {DATA, "y = (1 + x", WRONG},
    {DATA, "y = xx * 2 + undefined(3)", WRONG},
    {DATA, "A @ [1.0, 2.0]", WRONG | JSON},
    {DATA, ":stepps x", WRONG},
    /* definitions and declarations */
    {DATA, "g(a, b=2) = (a + b, a * f(b)); g(x)", 0},
    {DATA, "z : f64[2, k] = [[1, 2, 3], [4, 5, 6]]; sum(z, axis=1)", 0},
    {DATA, "w := 3", 0},
    {DATA, "repeat 3 { w := 2 * 4 }", 0},
    {DATA, "shared v : f64[4] = x; repeat 5 { v := v with [1] = v[0] + 1; v := v * 0.5 }; v", 0},
    {DATA, "in other { w := 5 }", 0},
    /* values */
    {DATA, "(x, sum(f(x)), if sum(x) > 0 then 1 else 2, [1, 2, 3])", JSON},
    {DATA, "(A @ A, solve(A, ones(3)), inv(A), det(A), cholesky(A))", 0},
    {DATA, "(sort(x), argsort(x), einsum(\"ij,jk->ik\", A, A), x[1:3], concat((x, x)))", 0},
    {DATA, "normal(rng(7), 4)", 0},
    {DATA, "vmap(f)(x)", 0},
    {DATA, "load(\"tests/no such file.npy\")", WRONG},
    {DATA, "1000000000000 * ones((100000, 1000000))", WRONG},
    /* loops and derivatives */
    {DATA, "S", 0},
    {DATA, "grad(sum(sqr(S)), x)", 0},
    {DATA RNN, "grad(sum(h), [A, x])", 0},
    {DATA, "jvp(f(x), x, ones(4))", 0},
    {DATA, "scan t from p = 1 { p[t] = p[t-1] * 3; until p[t] > 1000 }", 0},
    /* commands */
    {DATA, ":graph grad(sum(S), x)", 0},
    {DATA, ":passes f(x)", JSON},
    {DATA, ":steps grad(sum(f(x)), x)", 0},
    {DATA, ":steps grad(sum(S), x)", JSON},
    {DATA, ":why %3 f(x)", 0},
    {DATA, ":whynot add-zero f(x)", 0},
    {DATA, ":audit sum(f(x))", 0},
    {DATA, ":diff f(x)", 0},
    {DATA, ":compare sum(f(x)) off=canonicalize", 0},
    {DATA, ":saturate sum(x) + sum(2 * x) iterations=3", 0},
    {DATA, ":equal f(w), exp(w) - w * w + w iterations=3", 0},
    {DATA, ":equal w, w + 1", JSON},
    {DATA, ":move f(w)", JSON},
    {DATA HAND HAND HAND, HAND ":move rule=div-one\n:undo\n", 0},
    {DATA HAND ":move branch=b\n", ":move branch=main", 0},
    {DATA HAND ":move rule=div-one\n", ":graph exp(w) - w * w", 0},
    {DATA HAND ":move rule=div-one\n", ":save x.gr", 0},
    {DATA HAND ":move rule=div-one\n", ":steps", 0},
    {DATA, ":rule mine [R]: abs(neg(x)) => abs(x)", 0},
    {DATA, ":plan grad(sum(S), x)", 0},
    {DATA, ":cost grad(sum(S), x) assume=7", JSON},
    {DATA, ":profile grad(sum(S), x)", 0},
    {DATA, ":trace S all=on", 0},
    {DATA, ":trace sum(S) grad=x", 0},
    {DATA, ":play sum(S) grad=x at=1..2", JSON},
    {DATA, ":trace nan sum(log(S))", 0},
    {DATA, ":export sum(S) f.py values=on", 0},
    {DATA, ":export sum(S) f.tex", 0},
    {DATA, ":export sum(S * 1) f.tex steps=on", 0},
    {DATA, ":plot S, x kind=points", 0},
    {DATA, ":plot w * sum(S) over w from=0 to=1 samples=3", WRONG},
    {DATA, ":plot A x.svg", 0},
    {DATA, ":draw S x.svg style=figure", 0},
    {DATA, ":explain grad(sum(S), x)", 0},
    {DATA, ":type S", JSON},
    {DATA, ":help scan", 0},
    {DATA, ":draw S x.svg", 0},
    {DATA, ":draw f(x) x.dot", 0},
    {DATA, ":explore grad(sum(f(x)), x) x.html", 0},
    {DATA, ":draw sum(x) + sum(2 * x) egraph=on x.svg nodes=60", 0},
    {DATA, ":explore sum(x) + sum(2 * x) egraph=on x.html iterations=2", 0},
    {DATA, ":export grad(sum(f(x)), x) x.md steps=on", 0},
    {DATA, ":save x.gr", 0},
    {DATA, ":load examples/power.gr", 0},
    /* loops in loops, and those that end early */
    {DATA NEST, "grad(sum(N), [x, w])", 0},
    {DATA NEST, "hessian(N.final, w)", 0},
    {DATA NEST, "grad(sum(N), x, truncate=2)", 0},
    {DATA NEST, "jvp(N.final, w, 1.0)", 0},
    {DATA UNTIL, "grad(sum(U), w)", 0},
    {DATA UNTIL, "hessian(U.final, w)", 0},
    {DATA UNTIL, "jvp(U, w, 1.0)", 0},
    {DATA UNTIL, "vmap(v -> v * U.final + U.steps)(x)", 0},
    {DATA, "hessian(sum(sqr(S)), x)", 0},
    {DATA, "vmap(v -> (scan t over x from s = v { s[t] = s[t-1] * x[t] }).final)(x)", 0},
    {DATA, "vmap(v -> grad((scan t over x from s = v { s[t] = sin(s[t-1]) }).final, v))(x)", 0},
    {DATA, "vmap(v -> (scan t for 9 from s = v { s[t] = s[t-1] * 2; until s[t] > v }).steps)(x)",
     0},
    {DATA KEPT, "grad(sum(C), [x, w])", 0},
    {DATA KEPT, "hessian(C.final, w)", 0},
    {DATA SIDES, "grad(sum(I.s), [x, w])", 0},
    {DATA SIDES, "hessian(sum(I.z), w)", 0},
    {DATA, "grad(if w > 0 then sum(f(x)) * w else w, [x, w])", 0},
    {DATA, "hessian(if w > 0 then f(w) * w else w, w)", 0},
    /* sums of products, and equality */
    {DATA, ":equal (w + 2) * (w - 2) * w, w * w * w - 4 * w", 0},
    {DATA, ":equal sum(A * (A @ A), axis=1), einsum(\"ij,ik,kj->i\", A, A, A)", 0},
    {DATA, ":equal sum(x * (x + 2)), sum(x * x) + sum(x * 2) + 1", 0},
    {DATA NEST, ":equal grad(N.final, w), jvp(N.final, w, 1.0) iterations=2 nodes=200", 0},
    {DATA, ":saturate grad(sum(f(x)), x) iterations=2 nodes=200", 0},
    {DATA NEST, ":saturate grad(N.final, w) iterations=2 nodes=200", JSON},
    /* gradients of loops, written and shown */
    {DATA NEST, ":export grad(N.final, w) f.c", 0},
    {DATA NEST, ":export grad(N.final, w) f.py", 0},
    {DATA NEST, ":export grad(N.final, w) f.py to=jax", 0},
    {DATA NEST, ":export grad(N.final, w) f.py to=torch", 0},
    {DATA NEST, ":export grad(N.final, w) f.py to=numba", 0},
    {DATA NEST, ":export grad(N.final, w) f.tex", 0},
    {DATA NEST, ":export grad(N.final, w) f.typ", 0},
    {DATA NEST, ":export N f.tex grad=native", 0},
    {DATA KEPT, ":export hessian(C.final, w) f.c", 0},
    {DATA UNTIL, ":export grad(sum(U), w) f.c", 0},
    {DATA SIDES, ":export grad(sum(I.s), w) f.py", 0},
    {DATA, ":export grad(sum(S), x) f.tex to=document steps=on", 0},
    {DATA, ":export grad(sum(S), x) f.html steps=on open=all", 0},
    {DATA NEST, ":audit grad(N.final, w) open=all", 0},
    {DATA NEST, ":steps grad(N.final, w) open=all", 0},
    {DATA NEST, ":whynot add-zero grad(N.final, w)", 0},
    {DATA NEST, ":why %1 grad(N.final, w)", 0},
    {DATA NEST, ":bisect grad(N.final, w)", 0},
    {DATA NEST, ":compare grad(N.final, w) off=loops", 0},
    {DATA NEST, ":explain grad(N.final, w)", 0},
    {DATA KEPT, ":explain grad(sum(C), w) x.md", 0},
    {DATA NEST, ":graph grad(N.final, w) boxes=on", 0},
    {DATA NEST, ":graph grad(N.final, w) ssa=on", 0},
    {DATA NEST, ":draw grad(N.final, w) x.svg style=figure", 0},
    {DATA SIDES, ":draw grad(sum(I.s), w) x.svg style=figure", 0},
    {DATA, ":draw grad(sum(S), x) x.svg pass=differentiate adjoint=beside", 0},
    {DATA, ":draw grad(sum(S), x) x.svg step=1..3 film=on", 0},
    {DATA NEST, ":draw N.final x.svg unroll=2 values=grad", 0},
    {DATA NEST, ":draw grad(N.final, w) x.tex", 0},
    {DATA NEST, ":explore grad(N.final, w) x.html", 0},
    {DATA NEST, ":trace N all=on", 0},
    {DATA NEST, ":play N.final f.html grad=w", 0},
    {DATA NEST, ":play N f.svg", 0},
    {DATA "k : f64 = 2\n", ":plot k * sum(S) over k from 0 to 1 samples=3", 0},
    {DATA NEST, ":move grad(N.final, w)", 0},
    {DATA NEST, ":set native off\ngrad(N.final, w)", 0},
};

const size_t memory_cases_count = COUNT_OF(memory_cases);
